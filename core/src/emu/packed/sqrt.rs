//! The square root at level high.

use super::fields::{INFINITY, Number, exponent, is_negative, significand};
use super::round::round;
use crate::emu::word::{int, sign_word, sticky, wide};
use crate::emu::{NAN, Rounding};
use crate::machine::{IeeeLimb, Limb, Value, Word, WordMachine, halves};

/// The root of (e, m), as e and t of [`round`], for m in [2^52, 2^53).
#[inline(always)]
fn root<M: WordMachine>(e: M::U32, m: M::U64) -> (M::U32, M::U64) {
    // x = v / 2^62 in [1, 4), with an even exponent.
    let odd = e & int::<M>(1);
    let v = m.shl_within(int::<M>(11) - odd);
    let high = halves::<M>(v).0;
    // r = (2^32 / sqrt(x))(1 - y) with 2^-24 < y < 2^-21, from a root in binary32 of a number two ulps above x or more.
    let near = m.shr(int::<M>(29)).to_u32() + int::<M>(0x3f80_0002) - odd * int::<M>(1 << 23);
    let seed = M::F32::from_bits(near).sqrt_rcp().1;
    let r = seed.bits() * int::<M>(1 << 8) + int::<M>(i32::MIN) - int::<M>(1 << 9);
    // One Newton step; the error, x r r below 2^62, less 2^33 for the bits that products dropped: r in (-5.1, 0].
    let product = high.to_u64() * r.mul_hi(r).to_u64();
    let error = (wide::<M>((1 << 62) - (1 << 33)) - product).shr(int::<M>(10)).to_u32();
    let r = r + r.mul_hi(error).shr(int::<M>(21));
    // 2^30 sqrt(x), at most 7.1 too small, and the remainder 2^62 x - 4 s s, below 2^37.
    let s = high.mul_hi(r);
    let rest = v - (s.to_u64() * s.to_u64()).shl(int::<M>(2));
    // 2^24 of what is missing, with an error in (-0.35, 0.39), less half, rounded down, and one more: right, or one too
    // large.
    let q = (rest.shr(int::<M>(5)).to_u32().mul_hi(r) + int::<M>(8)).shr(int::<M>(4));
    let s = s.to_u64() * wide::<M>(1 << 24) + q.to_u64();
    let last = v.shl(int::<M>(46)) - s * s;
    let s = s + sign_word::<M>(last);
    // The leading one is bit 54.
    ((e + int::<M>(1021)).shr(int::<M>(1)), s.shl(int::<M>(9)) | sticky::<M>(last))
}

/// The square root of a, correctly rounded in the direction `R`.
#[inline(always)]
pub fn sqrt_high<M: WordMachine, R: Rounding>(a: M::U64) -> M::U64 {
    let (e, t) = root::<M>(exponent::<M>(a), significand::<M>(a));
    let usual = round::<M, R>(wide::<M>(0), e, t);
    // Neither positive nor normal.
    let smallest = wide::<M>(1 << 52);
    let rare = !(a - smallest).lt(wide::<M>(INFINITY - (1 << 52)));
    M::branch(rare, usual, move || rare_root::<M, R>(a))
}

/// Subnormal numbers, zeros, infinity, NaN, negative numbers.
fn rare_root<M: WordMachine, R: Rounding>(a: M::U64) -> M::U64 {
    let x = Number::<M>::of(a);
    let significand = M::U64::select(x.zero, wide::<M>(1 << 52), x.significand);
    // An even number is added, so that the exponent is not negative.
    let (e, t) = root::<M>(x.exponent + int::<M>(128), significand);
    let r = round::<M, R>(wide::<M>(0), e - int::<M>(64), t);
    let r = M::U64::select(x.zero | x.infinite, a, r);
    M::U64::select(x.nan | (is_negative::<M>(a) & !x.zero), wide::<M>(NAN), r)
}
