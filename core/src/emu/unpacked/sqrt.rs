//! Square roots: root and reciprocal root in binary32, then two digits of 19 bits with exact remainders (a digit recurrence of high
//! radix: Ercegovac and Lang, *Digital Arithmetic*, 2004).

use super::div::{fixed, leading, sixty_digits};
use super::format::{BIAS, MAX_EXPONENT, MIN_EXPONENT, ZERO, is, is_nan, nan, out_of_range, select};
use super::mul::product;
use crate::emu::Unpacked;
use crate::emu::word::{bit, int, sticky, wide};
use crate::machine::{IeeeLimb, Limb, Word, WordMachine, halves, join};

/// The root with its special values.
#[inline(always)]
fn or_rare<M: WordMachine>(r: Unpacked<M>, x: Unpacked<M>) -> Unpacked<M> {
    // 2^31 more where it is negative.
    let e = x.1 + int::<M>(-MIN_EXPONENT) + x.0.shl(int::<M>(31));
    M::branch(!e.lt(int::<M>(MAX_EXPONENT - MIN_EXPONENT + 1)), r, move || {
        let negative = x.0.eq(int::<M>(1)) & !is::<M>(x, ZERO);
        select::<M>(negative | is_nan::<M>(x), nan::<M>(), select::<M>(out_of_range::<M>(x.1), x, r))
    })
}

/// 1 where the exponent without bias is odd, and the exponent of the root.
#[inline(always)]
fn exponent<M: WordMachine>(x: Unpacked<M>) -> (M::U32, M::U32) {
    let (one, e) = (int::<M>(1), x.1 - int::<M>(BIAS));
    (e & one, e.sar(one) + int::<M>(BIAS))
}

/// The float in [1, 4) of the leading bits of a significand, doubled where `odd` is 1.
#[inline(always)]
fn float<M: WordMachine>(m: M::U64, odd: M::U32) -> M::F32 {
    M::F32::from_bits(leading::<M>(m) + odd.shl(int::<M>(23)))
}

/// The root of m 2^(61 + odd) as [`sqrt_high`] and [`sqrt_mid`] need it.
pub(in crate::emu) struct Root<M: WordMachine> {
    /// floor(sqrt(m 2^(61 + odd))), or one less.
    pub s: M::U64,
    /// What remains: below 3 s.
    rest: M::U64,
}

#[inline(always)]
pub(in crate::emu) fn root<M: WordMachine>(m: M::U64, odd: M::U32) -> Root<M> {
    let m1 = m.shl(odd);
    let (root, reciprocal) = float::<M>(m, odd).sqrt_rcp();
    // Both from below. The root by less than 3 2^-23: the float is below m by 2^-23 or 2^-22, the root off by 2^-24, and
    // 2^-23 is taken off. The reciprocal is above by at most 3 2^-24, which is taken off: below by less than 2^-21 of it.
    let s1 = (root.bits() & int::<M>(0x7f_ffff)) + int::<M>(0x7f_ffff);
    let y = fixed::<M>(reciprocal.bits(), 3);
    // Digits of weights 2^38, 2^19 and 1; after them s is off by less than 3, 1.9 and 1.5 in the last place.
    let n19 = int::<M>(19);
    let rest = m1 - product::<M>(s1, s1).shl(int::<M>(15));
    let s2 = halves::<M>(rest.shl(int::<M>(22))).0.mul_hi(y).shr(int::<M>(10)).to_u64();
    let s1 = s1.to_u64();
    let rest = rest.shl(int::<M>(23)) - (s1.shl(int::<M>(20)) + s2) * s2;
    let s12 = s1.shl(n19) + s2;
    let s3 = halves::<M>(rest.shl(n19)).0.mul_hi(y).shr(int::<M>(11)).to_u64();
    let rest = rest.shl(int::<M>(38)) - (s12.shl(int::<M>(20)) + s3) * s3;
    Root { s: s12.shl(n19) + s3, rest }
}

/// sqrt(x), rounded to odd at 62 digits. NaN below 0; sqrt(-0) = -0.
#[inline(always)]
pub fn sqrt_high<M: WordMachine>(x: Unpacked<M>) -> Unpacked<M> {
    let (odd, e) = exponent::<M>(x);
    let d = root::<M>(x.2, odd);
    let next = d.s + d.s + wide::<M>(1);
    let one_more = !d.rest.lt(next);
    let s = d.s + bit::<M>(one_more);
    // Digits are below those of an exact root: then s is one less, and something is left of any other.
    or_rare::<M>((x.0, e, s | sticky::<M>(d.rest ^ next)), x)
}

/// sqrt(x) on 60 digits: less than 2^-58 below the exact root, measured 0.512 2^-58. NaN below 0; sqrt(-0) = -0.
#[inline(always)]
pub fn sqrt_mid<M: WordMachine>(x: Unpacked<M>) -> Unpacked<M> {
    let (odd, e) = exponent::<M>(x);
    or_rare::<M>((x.0, e, sixty_digits::<M>(root::<M>(x.2, odd).s)), x)
}

/// sqrt(x) in binary32: less than 2^-23 of the root in error, measured 1.000 2^-23. NaN below 0; sqrt(-0) = -0.
#[inline(always)]
pub fn sqrt_low<M: WordMachine>(x: Unpacked<M>) -> Unpacked<M> {
    let (odd, e) = exponent::<M>(x);
    let bits = float::<M>(x.2, odd).sqrt_rcp().0.bits();
    let digits = (bits & int::<M>(0x7f_ffff)) | int::<M>(0x80_0000);
    or_rare::<M>((x.0, e, join::<M>(digits.shl(int::<M>(6)), int::<M>(0))), x)
}
