//! Conversions of packed numbers, correctly rounded in a direction, built from integers.
//!
//! - *In*: from binary32 and integers of 32 bits exactly, from integers of 64 bits rounded. A double is
//!   itself: there is no conversion between doubles and packed numbers.
//! - *Out* to binary32: rounded once, with subnormal numbers and overflow.
//! - *Out* to integers: rounded in the direction (toward zero is the cast), saturated, NaN to 0.

use super::packed::fields::{BIAS, INFINITY, Number, exponent, is_negative, sign, significand};
use super::packed::round::{Format, round, round_any_to};
use super::word::{bit, int, sticky, wide};
use super::{NAN, Rounding, packed};
use crate::convert::Integer;
use crate::machine::{IeeeLimb, Value, Word, WordMachine};

/// A binary32 number, exactly; NaN becomes [`NAN`].
#[inline(always)]
pub fn from_f32<M: WordMachine>(x: M::F32) -> M::U64 {
    let bits = x.bits();
    let magnitude = bits & int::<M>(i32::MAX);
    let infinity = int::<M>(0xff << 23);
    let normal = magnitude.to_u64().shl(int::<M>(29)) + wide::<M>(((BIAS - 127) as u64) << 52);
    let n = magnitude.clz();
    let e = int::<M>(BIAS - 127 - 23 + 31) - n;
    let subnormal = magnitude.shl(n).to_u64().shl(int::<M>(21)) + e.to_u64().shl(int::<M>(52));
    let subnormal = M::U64::select(magnitude.eq(int::<M>(0)), wide::<M>(0), subnormal);
    let r = M::U64::select(magnitude.lt(int::<M>(1 << 23)), subnormal, normal);
    let r = M::U64::select(magnitude.lt(infinity), r, wide::<M>(INFINITY));
    let r = r | (bits & int::<M>(i32::MIN)).to_u64().shl(int::<M>(32));
    M::U64::select(infinity.lt(magnitude), wide::<M>(NAN), r)
}

/// The binary32 number for a in the direction `R`; NaN becomes the quiet NaN without sign or payload.
#[inline(always)]
pub fn to_f32<M: WordMachine, R: Rounding>(a: M::U64) -> M::F32 {
    let x = Number::<M>::of(a);
    let e = x.exponent - int::<M>(BIAS - 127 + 1);
    let t = x.significand.shl(int::<M>(11));
    let r = round_any_to::<M, R>(Format::SINGLE, sign::<M>(a), e, t);
    let minus = sign::<M>(a).shr(int::<M>(32));
    let r = M::U64::select(x.zero, minus, r);
    let r = M::U64::select(x.infinite, minus | wide::<M>(0xff << 23), r);
    let r = M::U64::select(x.nan, wide::<M>(0x1ff << 22), r);
    M::F32::from_bits(r.to_u32())
}

/// (-1)^sign x in the direction `R`.
#[inline(always)]
fn from_magnitude<M: WordMachine, R: Rounding>(sign: M::U64, x: M::U64) -> M::U64 {
    let n = x.clz_nonzero();
    let e = int::<M>(BIAS + 63 - 1) - n;
    let r = round::<M, R>(sign, e, x.shl_within(n));
    M::U64::select(x.eq(wide::<M>(0)), wide::<M>(0), r)
}

/// An unsigned integer in the direction `R`.
#[inline(always)]
pub fn from_u64<M: WordMachine, R: Rounding>(x: M::U64) -> M::U64 {
    from_magnitude::<M, R>(wide::<M>(0), x)
}

/// A signed integer in the direction `R`.
#[inline(always)]
pub fn from_i64<M: WordMachine, R: Rounding>(x: M::U64) -> M::U64 {
    let magnitude = M::U64::select(is_negative::<M>(x), wide::<M>(0) - x, x);
    from_magnitude::<M, R>(sign::<M>(x), magnitude)
}

/// An unsigned integer of 32 bits, exactly.
#[inline(always)]
pub fn from_u32<M: WordMachine>(x: M::U32) -> M::U64 {
    let n = x.clz_nonzero();
    let e = int::<M>(BIAS + 31 - 1) - n;
    let r = e.to_u64().shl(int::<M>(52)) + x.shl_within(n).to_u64().shl(int::<M>(21));
    M::U64::select(x.eq(int::<M>(0)), wide::<M>(0), r)
}

/// A signed integer of 32 bits, exactly.
#[inline(always)]
pub fn from_i32<M: WordMachine>(x: M::U32) -> M::U64 {
    let negative = x.lt_signed(int::<M>(0));
    let magnitude = from_u32::<M>(M::U32::select(negative, int::<M>(0) - x, x));
    magnitude | (x & int::<M>(i32::MIN)).to_u64().shl(int::<M>(32))
}

/// a as an integer of the type `to`, sign-extended to the word: rounded in the direction `R` and saturated; NaN gives 0.
///
/// Vernier's rule for NaN, and Rust's for casts. Published: 0x80000000 or 0x8000000000000000.
#[inline(always)]
pub fn to_integer<M: WordMachine, R: Rounding>(a: M::U64, to: Integer) -> M::U64 {
    let (zero, half) = (wide::<M>(0), wide::<M>(1 << 63));
    let negative = is_negative::<M>(a);
    // The leading one's position.
    let u = exponent::<M>(a) - int::<M>(BIAS);
    let t = significand::<M>(a).shl(int::<M>(11));
    let whole = t.unbounded_shr(int::<M>(63) - u);
    // In units of 2^-64; below 1/2 no more than whether it is 0.
    let tiny = sticky::<M>(a & wide::<M>(!packed::SIGN));
    let fraction = M::U64::select(u.lt_signed(int::<M>(-1)), tiny, t.unbounded_shl(u + int::<M>(1)));
    let inexact = !fraction.eq(zero);
    let up = if R::NEAREST {
        bit::<M>(half.lt(fraction | (whole & wide::<M>(1))))
    } else if R::UP {
        bit::<M>(inexact & !negative)
    } else if R::DOWN {
        bit::<M>(inexact & negative)
    } else {
        zero
    };
    let magnitude = whole + up;
    let largest = u64::MAX >> (64 - to.bits) >> u32::from(to.signed);
    let lowest = if to.signed { largest + 1 } else { 0 };
    let limit = M::U64::select(negative, wide::<M>(lowest), wide::<M>(largest));
    let over = int::<M>(63).lt_signed(u) | limit.lt(magnitude);
    let magnitude = M::U64::select(over, limit, magnitude);
    let magnitude = M::U64::select(super::compare::is_nan::<M>(a), zero, magnitude);
    M::U64::select(negative, zero - magnitude, magnitude)
}
