//! Division of packed doubles at level high.

use super::fields::{self, BIAS, INFINITY, Number, exponent, is_normal, significand};
use super::round::{in_range, round, round_any};
use crate::emu::word::{int, sticky, wide};
use crate::emu::{NAN, Rounding};
use crate::machine::{Value, Word, WordMachine, halves};

/// x / y of exponents and significands, as e and t of [`round`].
#[inline(always)]
fn quotient<M: WordMachine>(x: (M::U32, M::U64), y: (M::U32, M::U64)) -> (M::U32, M::U64) {
    // 2^32 / d for d = y / 2^52 in [1, 2), at most 4.1 below and never above.
    let r = M::reciprocal(y.1.shr(int::<M>(21)).to_u32());
    // 2^31 x / y, at most 7 too small: the remainder is in [0, 7 y).
    let q1 = x.1.shr(int::<M>(21)).to_u32().mul_hi(r);
    let rest = x.1.shl(int::<M>(31)) - q1.to_u64() * y.1;
    // 2^24 rest / y with an error in (-0.6, 0], rounded down, and one more: right, or one too large.
    let q2 = rest.shr(int::<M>(24)).to_u32().mul_hi(r).shr(int::<M>(4)) + int::<M>(1);
    let last = rest.shl(int::<M>(24)) - q2.to_u64() * y.1;
    let q = q1.to_u64() * wide::<M>(1 << 24) + q2.to_u64() + M::sign_word(last);
    // The leading one is bit 55 or 54.
    let carry = halves::<M>(q).0.shr(int::<M>(23));
    let t = q.shl_within(int::<M>(9) - carry) | sticky::<M>(last);
    (x.0 - y.0 + carry + int::<M>(BIAS - 2), t)
}

/// a / b, correctly rounded in the direction `R`.
#[inline(always)]
pub fn div_high<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
    let (ea, eb) = (exponent::<M>(a), exponent::<M>(b));
    let (e, t) = quotient::<M>((ea, significand::<M>(a)), (eb, significand::<M>(b)));
    let usual = round::<M, R>(fields::sign::<M>(a ^ b), e, t);
    let rare = !(is_normal::<M>(ea) & is_normal::<M>(eb) & in_range::<M>(e));
    M::branch(rare, usual, move || div_any::<M, R>(a, b))
}

/// a / b, correctly rounded in the direction `R`, on one path for all operands: for subnormal ones and subnormal results,
/// zeros, overflow, infinities and NaN.
pub(in crate::emu) fn div_any<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
    let sign = fields::sign::<M>(a ^ b);
    let (x, y) = (Number::<M>::of(a), Number::<M>::of(b));
    // A divisor of zero is set aside below.
    let (e, t) = quotient::<M>((x.exponent, x.significand), (y.exponent, y.significand));
    let r = round_any::<M, R>(sign, e, t);
    let r = M::U64::select(x.zero | y.infinite, sign, r);
    let r = M::U64::select(x.infinite | y.zero, sign | wide::<M>(INFINITY), r);
    let invalid = (x.zero & y.zero) | (x.infinite & y.infinite);
    M::U64::select(x.nan | y.nan | invalid, wide::<M>(NAN), r)
}
