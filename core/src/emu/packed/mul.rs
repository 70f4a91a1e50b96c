//! Multiplication of packed doubles at level high.

use super::fields::{self, BIAS, INFINITY, Number, exponent, is_normal, significand};
use super::round::{in_range, round, round_any};
use crate::emu::word::{int, sticky, wide};
use crate::emu::{NAN, Rounding};
use crate::machine::{Value, Word, WordMachine};

/// x y of exponents and significands, as e and t of [`round`].
#[inline(always)]
fn product<M: WordMachine>(x: (M::U32, M::U64), y: (M::U32, M::U64)) -> (M::U32, M::U64) {
    let (high, low) = M::mul_wide(x.1, y.1);
    // The leading one is bit 105 or 104.
    let carry = high.shr(int::<M>(41)).to_u32();
    let t = M::funnel_shl(high, low, int::<M>(23) - carry);
    // Bit 41 is in t or is dropped: it does no harm in either case.
    let dropped = low & wide::<M>((1 << 42) - 1);
    (x.0 + y.0 + carry - int::<M>(BIAS + 1), t | sticky::<M>(dropped))
}

/// a b, correctly rounded in the direction `R`.
#[inline(always)]
pub fn mul_high<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
    let (ea, eb) = (exponent::<M>(a), exponent::<M>(b));
    let (e, t) = product::<M>((ea, significand::<M>(a)), (eb, significand::<M>(b)));
    let usual = round::<M, R>(fields::sign::<M>(a ^ b), e, t);
    let rare = !(is_normal::<M>(ea) & is_normal::<M>(eb) & in_range::<M>(e));
    M::branch(rare, usual, move || mul_any::<M, R>(a, b))
}

/// a b, correctly rounded in the direction `R`, on one path for all operands: for subnormal ones and subnormal results,
/// zeros, overflow, infinities and NaN.
pub(in crate::emu) fn mul_any<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
    let sign = fields::sign::<M>(a ^ b);
    let (x, y) = (Number::<M>::of(a), Number::<M>::of(b));
    let (e, t) = product::<M>((x.exponent, x.significand), (y.exponent, y.significand));
    let zero = x.zero | y.zero;
    let r = M::U64::select(zero, sign, round_any::<M, R>(sign, e, t));
    let infinite = x.infinite | y.infinite;
    let r = M::U64::select(infinite, sign | wide::<M>(INFINITY), r);
    M::U64::select(x.nan | y.nan | (infinite & zero), wide::<M>(NAN), r)
}
