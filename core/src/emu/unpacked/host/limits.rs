//! Numeric limits of unpacked numbers. Those of the exponent are a double's, although operations go far beyond.

use super::Fp64EmuUnpacked;
use crate::emu::unpacked::format::{BIAS, NAN_SIGNIFICAND, ONE};
use crate::emu::unpacked::{INFINITY, Level, NAN};

impl<A: Level> Fp64EmuUnpacked<A> {
    /// The base, 2.
    pub const RADIX: u32 = 2;
    /// Significand digits, 62.
    pub const MANTISSA_DIGITS: u32 = 62;
    /// Decimal digits that survive a way through the type, 18.
    pub const DIGITS: u32 = 18;
    /// Decimal digits that tell numbers apart, 20.
    pub const MAX_DIGITS10: u32 = 20;
    /// 2^-61.
    pub const EPSILON: Self = Self::raw(0, BIAS - 61, ONE);
    /// The smallest normal double, 2^-1022.
    pub const MIN_POSITIVE: Self = Self::raw(0, 1, ONE);
    /// The largest number with the exponent of a double. It rounds to infinity.
    pub const MAX: Self = Self::raw(0, 2046, 2 * ONE - 1);
    /// -[`MAX`](Self::MAX).
    pub const MIN: Self = Self::raw(1, 2046, 2 * ONE - 1);
    /// Largest rounding error in units of the last of 62 digits at level high: below 1.
    pub const ROUND_ERROR: Self = Self::raw(0, BIAS, ONE);
    /// 2^(MIN_EXP - 1) is [`MIN_POSITIVE`](Self::MIN_POSITIVE).
    pub const MIN_EXP: i32 = f64::MIN_EXP;
    /// 2^MAX_EXP is the first power of two that overflows as a double.
    pub const MAX_EXP: i32 = f64::MAX_EXP;
    /// The smallest power of ten that is a normal double.
    pub const MIN_10_EXP: i32 = f64::MIN_10_EXP;
    /// The largest power of ten that is a finite double.
    pub const MAX_10_EXP: i32 = f64::MAX_10_EXP;
    /// Infinity.
    pub const INFINITY: Self = Self::raw(0, INFINITY, ONE);
    /// Negative infinity.
    pub const NEG_INFINITY: Self = Self::raw(1, INFINITY, ONE);
    /// The NaN that operations return.
    pub const NAN: Self = Self::raw(0, NAN, NAN_SIGNIFICAND);
}
