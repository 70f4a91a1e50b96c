//! Packed numbers at level low: the leading digits of both operands, 28 in sums and 24 elsewhere, in binary32.
//!
//! What it gives is said at [`Level`]. The sequences and their bounds are ours; measured maxima are those of the test `emu_levels`.

use super::packed::fields::{BIAS, SPECIAL};
use super::packed::{add_high, div_any, mul_any, sqrt_rare};
use super::word::int;
use super::{Level, Rn};
use crate::machine::{IeeeLimb, Limb, Value, Word, WordMachine, halves, join};
use crate::pair::Low;

/// The place of the exponent field in the upper half of a packed double.
const FIELD: i32 = 20;
/// The exponent field of 1 in binary32.
const UNIT: i32 = 127;
/// The lowest exponent field of the larger addend for which every sum, and a zero as the smaller one, takes the short path.
const ADD_LOW: i32 = 160;

const SIGN: i32 = i32::MIN;

/// Whether the upper half of a positive packed double is that of a normal number.
#[inline(always)]
pub(super) fn is_normal<M: WordMachine>(high: M::U32) -> M::Mask {
    (high - int::<M>(1 << FIELD)).lt(int::<M>((SPECIAL - 1) << FIELD))
}

/// The exponent field of a packed double in its place, from the upper half.
#[inline(always)]
pub(super) fn exponent<M: WordMachine>(high: M::U32) -> M::U32 {
    high & int::<M>(SPECIAL << FIELD)
}

/// The leading 24 digits of a significand as a float in [1, 2).
#[inline(always)]
fn float<M: WordMachine>(a: M::U64) -> M::F32 {
    let (digits, _) = halves::<M>(a.shl(int::<M>(3)));
    M::F32::from_bits((digits & int::<M>(0x7f_ffff)) | int::<M>(UNIT << 23))
}

/// The upper half of the bits of x 2^(e - 127), for a positive float x and an exponent field e in its place.
#[inline(always)]
fn upper<M: WordMachine>(x: M::U32, e: M::U32) -> M::U32 {
    x.shr(int::<M>(3)) + e
}

/// The lower half of the bits of a float.
#[inline(always)]
fn lower<M: WordMachine>(x: M::U32) -> M::U32 {
    x.shl(int::<M>(29))
}

/// a + b on 28 digits: less than 2^-27 (|a| + |b|) in error, measured 1.00 2^-27.
#[inline(always)]
fn add<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
    let one = int::<M>(1);
    let ((ha, _), (hb, _)) = (halves::<M>(a), halves::<M>(b));
    let (ea, eb) = (exponent::<M>(ha), exponent::<M>(hb));
    let larger = M::U32::select(ea.lt(eb), eb, ea);
    // 1 or -1: products keep the work off the pipe that shifts and selects.
    let sign = |x: M::U32| x.sar(int::<M>(31)) | one;
    let part = |x: M::U64, high: M::U32, e: M::U32| {
        let (digits, _) = halves::<M>(x.shl(int::<M>(9)));
        let digits = (digits & int::<M>(0x3fff_ffff)) | int::<M>(0x2000_0000);
        digits.unbounded_shr((larger - e).shr(int::<M>(FIELD)) + one) * sign(high)
    };
    let c = part(a, ha, ea) + part(b, hb, eb);
    // Sums of equal sign lose one unit on average where they do not carry: without this one, long sums would drift.
    let unit = (ha ^ hb).shr(int::<M>(31)) ^ one;
    let sum = c * sign(c) + unit;
    let n = sum.clz_nonzero();
    let digits = sum.unbounded_shl(n) & int::<M>(!15);
    let upper = digits.shr(int::<M>(11)) + larger + int::<M>(2 << FIELD) - n.shl(int::<M>(FIELD));
    let r = join::<M>(upper | (c & int::<M>(SIGN)), digits.shl(int::<M>(21)));
    let range = int::<M>((SPECIAL - 1 - ADD_LOW) << FIELD);
    let usual = (larger - int::<M>(ADD_LOW << FIELD)).lt(range);
    let cancelled = sum.lt(int::<M>(16));
    M::branch(!usual | cancelled, r, move || add_high::<M, Rn>(a, b))
}

/// `r` with the sign of a product or quotient, where operands and result are normal; otherwise what `slow` gives.
#[inline(always)]
pub(super) fn if_normal<M: WordMachine>(
    r: (M::U32, M::U32),
    a: M::U64,
    b: M::U64,
    slow: impl FnOnce() -> M::U64,
) -> M::U64 {
    let ((ha, _), (hb, _)) = (halves::<M>(a), halves::<M>(b));
    let usual = is_normal::<M>(r.0) & is_normal::<M>(exponent::<M>(ha)) & is_normal::<M>(exponent::<M>(hb));
    M::branch(!usual, join::<M>(r.0 | ((ha ^ hb) & int::<M>(SIGN)), r.1), slow)
}

/// a b to nearest: less than 2.5 2^-23 of the product in error, measured 2.499 2^-23.
#[inline(always)]
fn mul<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
    let bits = (float::<M>(a) * float::<M>(b)).bits();
    let field = |x: M::U64| exponent::<M>(halves::<M>(x).0);
    let e = field(a) + field(b) - int::<M>((BIAS + UNIT) << FIELD);
    if_normal::<M>((upper::<M>(bits, e), lower::<M>(bits)), a, b, move || mul_any::<M, Rn>(a, b))
}

impl Level for Low {
    #[inline(always)]
    fn add_nearest<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        add::<M>(a, b)
    }

    #[inline(always)]
    fn mul_nearest<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        mul::<M>(a, b)
    }

    /// Less than 2 2^-23 of the quotient in error, measured 1.787 2^-23.
    #[inline(always)]
    fn div<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        let bits = (float::<M>(a) * float::<M>(b).rcp_moderate()).bits();
        let field = |x: M::U64| exponent::<M>(halves::<M>(x).0);
        let e = field(a) - field(b) + int::<M>((BIAS - UNIT) << FIELD);
        if_normal::<M>((upper::<M>(bits, e), lower::<M>(bits)), a, b, move || div_any::<M, Rn>(a, b))
    }

    /// Less than 2^-23 of the root in error, measured 0.985 2^-23.
    #[inline(always)]
    fn sqrt<M: WordMachine>(a: M::U64) -> M::U64 {
        let (high, _) = halves::<M>(a);
        // Exponents without bias: the odd one goes to the float. An even field is an odd exponent.
        let even = !high & int::<M>(1 << FIELD);
        let float = M::F32::from_bits(float::<M>(a).bits() + even.shl(int::<M>(23 - FIELD)));
        let bits = float.sqrt_rcp().0.bits();
        let half = (exponent::<M>(high) - int::<M>(BIAS << FIELD) - even).sar(int::<M>(1));
        let e = half + int::<M>((BIAS - UNIT) << FIELD);
        let r = join::<M>(upper::<M>(bits, e), lower::<M>(bits));
        M::branch(!is_normal::<M>(high), r, move || sqrt_rare::<M, Rn>(a))
    }
}
