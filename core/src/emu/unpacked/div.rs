//! Quotients: a reciprocal in binary32, then digits of about 20 bits with exact remainders (a digit recurrence of high radix:
//! Ercegovac and Lang, *Digital Arithmetic*, 2004).

use super::format::{BIAS, INFINITY, ZERO, is, is_nan, out_of_range, settle};
use super::mul::product;
use crate::emu::Unpacked;
use crate::emu::word::{bit, int, sticky, wide};
use crate::machine::{IeeeLimb, Limb, Word, WordMachine, halves, join};

/// The bits of 1/2 in binary32.
const HALF: i32 = 0x3f00_0000;

/// The float in [1, 2) of the leading 24 bits of a significand.
#[inline(always)]
pub(super) fn leading<M: WordMachine>(m: M::U64) -> M::U32 {
    halves::<M>(m).0.shr(int::<M>(6)) + int::<M>(HALF)
}

/// 2^32 x - 2^8 `below` for the bits of a float x in [1/2, 1], modulo 2^32.
#[inline(always)]
pub(super) fn fixed<M: WordMachine>(bits: M::U32, below: i32) -> M::U32 {
    bits.shl(int::<M>(8)) + int::<M>(i32::MIN.wrapping_sub(below << 8))
}

/// The quotient with its special values. Where the divisor is finite and not 0 the exponent is in range for finite
/// quotients and for no others.
#[inline(always)]
fn or_rare<M: WordMachine>(r: Unpacked<M>, x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    M::branch(out_of_range::<M>(r.1) | out_of_range::<M>(y.1 + int::<M>(64)), r, move || {
        let alike = x.1.eq(y.1) & (is::<M>(y, ZERO) | is::<M>(y, INFINITY));
        settle::<M>(is_nan::<M>(x) | is_nan::<M>(y) | alike, r)
    })
}

/// The quotient of significands as [`div_high`] and [`div_mid`] need it.
pub(in crate::emu) struct Quotient<M: WordMachine> {
    /// 1 if the dividend's significand is the smaller one.
    pub less: M::U64,
    /// floor(a 2^(61 + less) / b), or one less.
    pub q: M::U64,
    /// What remains: below 2 b.
    rest: M::U64,
}

#[inline(always)]
pub(in crate::emu) fn quotient<M: WordMachine>(a: M::U64, b: M::U64) -> Quotient<M> {
    let less = bit::<M>(a.lt(b));
    let a = a.shl(less.to_u32());
    // Below 2^61 / b by less than 2.5 2^-23 of it: the float is above b / 2^61 by at most 2^-23, the reciprocal above its own
    // by at most 2^-25, and 2^-24 is taken off.
    let above = M::F32::from_bits(leading::<M>(b) + int::<M>(1));
    let reciprocal = fixed::<M>(above.rcp_moderate().bits(), 1);
    // Digits of weights 2^40, 2^20 and 1. What each leaves is below 2.4, 1.9 and 1.6 b: the error of the reciprocal, and
    // 1 for the digit cut off.
    let (n1, n20) = (int::<M>(9), int::<M>(20));
    let minus_b = wide::<M>(0) - b;
    let digit = |top: M::U32| top.mul_hi(reciprocal).shr(n1);
    let less_product = |rest: M::U64, digit: M::U32| {
        let (high, low) = halves::<M>(minus_b);
        let (carry, word) = halves::<M>(product::<M>(digit, low) + rest);
        join::<M>(carry + digit * high, word)
    };
    let q1 = digit(halves::<M>(a.shl(int::<M>(1))).0);
    let rest = less_product(a.shl(int::<M>(21)), q1);
    let q2 = digit(halves::<M>(rest).0);
    let rest = less_product(rest.shl(n20), q2);
    let q3 = digit(halves::<M>(rest).0);
    let rest = less_product(rest.shl(n20), q3);
    let q = q1.to_u64().shl(int::<M>(40)) + q2.to_u64().shl(n20) + q3.to_u64();
    Quotient { less, q, rest }
}

/// The leading 60 digits of a word that is at least 2^61 or one less: then 2^61.
#[inline(always)]
pub(super) fn sixty_digits<M: WordMachine>(q: M::U64) -> M::U64 {
    let leading = halves::<M>(q).0.shr(int::<M>(29));
    (q + (int::<M>(1) - leading).to_u64()) & wide::<M>(!3)
}

#[inline(always)]
fn exponent<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, less: M::U64) -> M::U32 {
    x.1 - y.1 - less.to_u32() + int::<M>(BIAS)
}

/// x / y, rounded to odd at 62 digits.
#[inline(always)]
pub fn div_high<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    let d = quotient::<M>(x.2, y.2);
    let one_more = !d.rest.lt(y.2);
    let q = d.q + bit::<M>(one_more);
    // Digits are below those of an exact quotient: then q is one less, and something is left of any other.
    or_rare::<M>((x.0 ^ y.0, exponent::<M>(x, y, d.less), q | sticky::<M>(d.rest ^ y.2)), x, y)
}

/// x / y on 60 digits: less than 2^-58 below the exact quotient, measured 0.533 2^-58.
#[inline(always)]
pub fn div_mid<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    let d = quotient::<M>(x.2, y.2);
    or_rare::<M>((x.0 ^ y.0, exponent::<M>(x, y, d.less), sixty_digits::<M>(d.q)), x, y)
}

/// x / y in binary32: less than 2^-22 of the quotient in error, measured 0.927 2^-22.
#[inline(always)]
pub fn div_low<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    let float = |x: Unpacked<M>| M::F32::from_bits(leading::<M>(x.2));
    let bits = (float(x) * float(y).rcp_moderate()).bits();
    let e = x.1 - y.1 + bits.shr(int::<M>(23)) + int::<M>(BIAS - 127);
    let digits = (bits & int::<M>(0x7f_ffff)) | int::<M>(0x80_0000);
    or_rare::<M>((x.0 ^ y.0, e, join::<M>(digits.shl(int::<M>(6)), int::<M>(0))), x, y)
}
