//! Packed numbers at level mid: sums and products of 64-bit words that leave out what does not reach the last place.
//!
//! What it gives is said at [`Level`]. The sequences and their bounds are ours; measured maxima are those of the test `emu_levels`.

use super::low::{exponent, if_normal, is_normal};
use super::packed::fields::{BIAS, SPECIAL};
use super::packed::{add_high, div_any, mul_any, sqrt_rare};
use super::unpacked::{product, quotient, root};
use super::word::{int, wide};
use super::{Level, Rn};
use crate::machine::{Value, Word, WordMachine, halves, join};
use crate::pair::Mid;

/// The place of the exponent field in the upper half of a packed double.
const FIELD: i32 = 20;
const SIGN: i32 = i32::MIN;
/// Bits below the last place of a significand whose leading one is bit 61.
const GUARD: i32 = 9;
/// The lowest exponent field of the larger addend for which every sum, and a zero as the smaller one, takes the short path.
const ADD_LOW: i32 = 96;

/// A significand with its leading one at bit 61 as (high, low), whose other high bits come from above it.
#[inline(always)]
fn significand<M: WordMachine>(high: M::U32, low: M::U32) -> (M::U32, M::U32) {
    let (h, l) = halves::<M>(join::<M>(high, low).shl(int::<M>(GUARD)));
    ((h & int::<M>(0x3fff_ffff)) | int::<M>(0x2000_0000), l)
}

/// a + b: less than 1 ulp in error, measured 0.998. Sums of equal sign are rounded by adding a half or, where they carry, a quarter
/// ulp; differences are cut off.
#[inline(always)]
fn add<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
    let ((ha, la), (hb, lb)) = (halves::<M>(a), halves::<M>(b));
    let (ma, mb) = (ha & int::<M>(!SIGN), hb & int::<M>(!SIGN));
    // The upper halves order all sums but those that cancel to almost nothing.
    let swap = ma.lt(mb);
    let pick = |m: M::Mask, x: M::U32, y: M::U32| M::U32::select(m, x, y);
    let (high, other) = (pick(swap, mb, ma), pick(swap, ma, mb));
    let (low, other_low) = (pick(swap, lb, la), pick(swap, la, lb));
    let sign = pick(swap, hb, ha) & int::<M>(SIGN);
    let minus = (ha ^ hb).sar(int::<M>(31));

    let d = high.shr(int::<M>(FIELD)) - other.shr(int::<M>(FIELD));
    let large = significand::<M>(high, low);
    let small = significand::<M>(other, other_low);
    let (small_high, small_low) = halves::<M>(join::<M>(small.0, small.1).unbounded_shr(d));
    let half = (minus + int::<M>(1)).shl(int::<M>(GUARD - 1));
    // Times 1 or -1: products keep the work off the pipe that shifts and selects.
    let factor = minus | int::<M>(1);
    let low_sum = product::<M>(small_low, factor) + join::<M>(large.0, large.1 + half);
    let (sum_high, sum_low) = halves::<M>(low_sum);
    let top = sum_high + small_high * factor + small_low * minus;

    // The leading one at bit 62.
    let n = top.clz_nonzero() - int::<M>(1);
    let (digits, digits_low) = halves::<M>(join::<M>(top, sum_low).shl_within(n));
    let e = exponent::<M>(high) - n.shl(int::<M>(FIELD));
    let (_, lower) = halves::<M>(join::<M>(digits, digits_low).shr(int::<M>(10)));
    let r = join::<M>((digits.shr(int::<M>(10)) + e) | sign, lower);
    let range = int::<M>((SPECIAL - 1 - ADD_LOW) << FIELD);
    let usual = (high - int::<M>(ADD_LOW << FIELD)).lt(range) & int::<M>(0x3ff).lt_signed(top);
    M::branch(!usual, r, move || add_high::<M, Rn>(a, b))
}

/// a b: at most 0.76 ulp in error, measured 0.750. Rounded by adding three quarters or, where the product of significands is 2 or more, three
/// eighths of an ulp.
#[inline(always)]
fn mul<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
    let ((ha, la), (hb, lb)) = (halves::<M>(a), halves::<M>(b));
    let (x, y) = (significand::<M>(ha, la), significand::<M>(hb, lb));
    // The product of the lower halves is below a 2^-8 of the last place.
    let middle = product::<M>(x.1, y.0) + product::<M>(x.0, y.1);
    let top = product::<M>(x.0, y.0) + halves::<M>(middle).0.to_u64() + wide::<M>(48);
    let carry = halves::<M>(top).0.shr(int::<M>(27));
    let (digits, lower) = halves::<M>(top.shr_within(carry + int::<M>(6)));
    let e = exponent::<M>(ha) + exponent::<M>(hb) + carry.shl(int::<M>(FIELD)) - int::<M>((BIAS + 1) << FIELD);
    if_normal::<M>((digits + e, lower), a, b, move || mul_any::<M, Rn>(a, b))
}

/// The bits of a significand with its leading one at bit 61, rounded, and an exponent field less one in its place.
#[inline(always)]
fn rounded<M: WordMachine>(e: M::U32, m: M::U64) -> (M::U32, M::U32) {
    let (high, low) = halves::<M>((m + wide::<M>(1 << (GUARD - 1))).shr(int::<M>(GUARD)));
    (high + e, low)
}

impl Level for Mid {
    #[inline(always)]
    fn add_nearest<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        add::<M>(a, b)
    }

    #[inline(always)]
    fn mul_nearest<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        mul::<M>(a, b)
    }

    /// At most 0.502 ulp in error, measured 0.5004.
    #[inline(always)]
    fn div<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        let ((ha, la), (hb, lb)) = (halves::<M>(a), halves::<M>(b));
        let (x, y) = (significand::<M>(ha, la), significand::<M>(hb, lb));
        let d = quotient::<M>(join::<M>(x.0, x.1), join::<M>(y.0, y.1));
        let less = d.less.to_u32().shl(int::<M>(FIELD));
        let e = exponent::<M>(ha) - exponent::<M>(hb) - less + int::<M>((BIAS - 1) << FIELD);
        if_normal::<M>(rounded::<M>(e, d.q), a, b, move || div_any::<M, Rn>(a, b))
    }

    /// At most 0.502 ulp in error, measured 0.5003.
    #[inline(always)]
    fn sqrt<M: WordMachine>(a: M::U64) -> M::U64 {
        let (high, low) = halves::<M>(a);
        let x = significand::<M>(high, low);
        // Exponents without bias: an even field is an odd exponent.
        let even = !high & int::<M>(1 << FIELD);
        let s = root::<M>(join::<M>(x.0, x.1), even.shr(int::<M>(FIELD))).s;
        let half = (exponent::<M>(high) - int::<M>(BIAS << FIELD) - even).sar(int::<M>(1));
        let (upper, lower) = rounded::<M>(half + int::<M>((BIAS - 1) << FIELD), s);
        M::branch(!is_normal::<M>(high), join::<M>(upper, lower), move || sqrt_rare::<M, Rn>(a))
    }
}
