//! Numeric limits of packed doubles: those of `f64`.

use super::Fp64Emu;
use crate::emu::{Level, NAN};

impl<A: Level> Fp64Emu<A> {
    /// The base, 2.
    pub const RADIX: u32 = f64::RADIX;
    /// Significand digits, 53.
    pub const MANTISSA_DIGITS: u32 = f64::MANTISSA_DIGITS;
    /// Decimal digits that survive a way through the type, 15.
    pub const DIGITS: u32 = f64::DIGITS;
    /// Decimal digits that tell numbers apart, 17.
    pub const MAX_DIGITS10: u32 = 17;
    /// 2^-52.
    pub const EPSILON: Self = Self::from_f64(f64::EPSILON);
    /// The smallest normal number, 2^-1022.
    pub const MIN_POSITIVE: Self = Self::from_f64(f64::MIN_POSITIVE);
    /// The smallest number above zero, 2^-1074.
    pub const DENORM_MIN: Self = Self::from_bits(1);
    /// The largest finite number.
    pub const MAX: Self = Self::from_f64(f64::MAX);
    /// The lowest finite number.
    pub const MIN: Self = Self::from_f64(f64::MIN);
    /// Largest rounding error in ulps of a level high operation, 1/2.
    pub const ROUND_ERROR: Self = Self::from_f64(0.5);
    /// 2^(MIN_EXP - 1) is [`MIN_POSITIVE`](Self::MIN_POSITIVE).
    pub const MIN_EXP: i32 = f64::MIN_EXP;
    /// 2^MAX_EXP is the first power of two that overflows.
    pub const MAX_EXP: i32 = f64::MAX_EXP;
    /// The smallest power of ten that is normal.
    pub const MIN_10_EXP: i32 = f64::MIN_10_EXP;
    /// The largest power of ten that is finite.
    pub const MAX_10_EXP: i32 = f64::MAX_10_EXP;
    /// Infinity.
    pub const INFINITY: Self = Self::from_f64(f64::INFINITY);
    /// Negative infinity.
    pub const NEG_INFINITY: Self = Self::from_f64(f64::NEG_INFINITY);
    /// The NaN that operations return.
    pub const NAN: Self = Self::from_bits(NAN);
}
