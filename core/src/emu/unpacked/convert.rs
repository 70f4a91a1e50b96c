//! Conversions of unpacked numbers.
//!
//! - *In*: exact, but for integers of 63 or 64 digits, which are rounded to odd at 62, so that a double made of them is
//!   rounded once.
//! - *Out* to binary32: rounded to nearest even, once, with subnormal numbers and overflow.
//! - *Out* to integers: the value truncated toward zero, saturated; NaN gives 0.
//!
//! [`unpack`](super::unpack) and [`pack`](super::pack) are the conversions from and to a double's bits.

use super::format::{BIAS, INFINITY, NAN, ZERO, is, normalized};
use crate::convert::Integer;
use crate::emu::packed::round::{Format, round_any_to};
use crate::emu::word::{int, wide};
use crate::emu::{Rn, Unpacked};
use crate::machine::{IeeeLimb, Value, Word, WordMachine};

/// The exponent of the integers' last place.
const UNITS: i32 = BIAS + 61;

/// A binary32 number, exactly.
#[inline(always)]
pub fn from_f32<M: WordMachine>(x: M::F32) -> Unpacked<M> {
    super::unpack::<M>(crate::emu::convert::from_f32::<M>(x))
}

/// An unsigned integer.
#[inline(always)]
pub fn from_u64<M: WordMachine>(x: M::U64) -> Unpacked<M> {
    normalized::<M>(int::<M>(0), int::<M>(UNITS), x)
}

/// A signed integer.
#[inline(always)]
pub fn from_i64<M: WordMachine>(x: M::U64) -> Unpacked<M> {
    let negative = x.lt_signed(wide::<M>(0));
    let magnitude = M::U64::select(negative, wide::<M>(0) - x, x);
    normalized::<M>(M::U32::select(negative, int::<M>(1), int::<M>(0)), int::<M>(UNITS), magnitude)
}

/// The binary32 number nearest to x, ties to even; NaN becomes the quiet NaN without sign or payload.
#[inline(always)]
pub fn to_f32<M: WordMachine>(x: Unpacked<M>) -> M::F32 {
    let sign = x.0.to_u64().shl(int::<M>(63));
    let finite = round_any_to::<M, Rn>(Format::SINGLE, sign, x.1 - int::<M>(BIAS - 127 + 1), x.2.shl(int::<M>(2)));
    let minus = x.0.shl(int::<M>(31));
    let r = M::U32::select(is::<M>(x, ZERO), minus, finite.to_u32());
    let r = M::U32::select(is::<M>(x, INFINITY), minus | int::<M>(0xff << 23), r);
    M::F32::from_bits(M::U32::select(is::<M>(x, NAN), int::<M>(0x1ff << 22), r))
}

/// x truncated to an integer of the type `to`, saturated and sign-extended to the word; NaN gives 0.
#[inline(always)]
pub fn to_integer<M: WordMachine>(x: Unpacked<M>, to: Integer) -> M::U64 {
    let negative = x.0.eq(int::<M>(1));
    let places = int::<M>(BIAS + 63) - x.1;
    let whole = x.2.shl(int::<M>(2)).unbounded_shr(places);
    let largest = u64::MAX >> (64 - to.bits) >> u32::from(to.signed);
    let lowest = if to.signed { largest + 1 } else { 0 };
    let limit = M::U64::select(negative, wide::<M>(lowest), wide::<M>(largest));
    let over = places.lt_signed(int::<M>(0)) | limit.lt(whole);
    let magnitude = M::U64::select(over, limit, whole);
    let magnitude = M::U64::select(is::<M>(x, NAN), wide::<M>(0), magnitude);
    M::U64::select(negative, wide::<M>(0) - magnitude, magnitude)
}
