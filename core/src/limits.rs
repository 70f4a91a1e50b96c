//! Numeric limits of pairs, named as those of `f64`.

use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::Level;

/// What the limits of a pair are made of.
#[doc(hidden)]
pub trait LimbLimits: Sized {
    const INFINITY: Self;
    const NEG_INFINITY: Self;
    const NAN: Self;
    const MAX: Self;
    /// MAX u / 2.
    const MAX_LO: Self;
    const LOWEST: Self;
    const LOWEST_LO: Self;
    /// The smallest power of two of which a normalised pair with a full lo can be had.
    const MIN_POSITIVE: Self;
    const DENORM_MIN: Self;
    /// 2^(3 - 2p).
    const EPSILON: Self;
    const HALF: Self;
    const LEAST_EXP: i32;
    const MAX_EXP: i32;
    const MIN_10_EXP: i32;
    const MAX_10_EXP: i32;
    const DIGITS10: u32;
    const MAX_DIGITS10: u32;
}

macro_rules! limits {
    ($t:ident, $digits10:literal, $max_digits10:literal, $min_10_exp:literal) => {
        impl LimbLimits for $t {
            const INFINITY: Self = $t::INFINITY;
            const NEG_INFINITY: Self = $t::NEG_INFINITY;
            const NAN: Self = $t::NAN;
            const MAX: Self = $t::MAX;
            const MAX_LO: Self = $t::MAX * ($t::EPSILON / 4.0);
            const LOWEST: Self = -$t::MAX;
            const LOWEST_LO: Self = -Self::MAX_LO;
            const MIN_POSITIVE: Self = $t::MIN_POSITIVE / ($t::EPSILON / 2.0);
            const DENORM_MIN: Self = $t::from_bits(1);
            const EPSILON: Self = 2.0 * $t::EPSILON * $t::EPSILON;
            const HALF: Self = 0.5;
            const LEAST_EXP: i32 = $t::MIN_EXP + $t::MANTISSA_DIGITS as i32;
            const MAX_EXP: i32 = $t::MAX_EXP;
            const MIN_10_EXP: i32 = $min_10_exp;
            const MAX_10_EXP: i32 = $t::MAX_10_EXP;
            const DIGITS10: u32 = $digits10;
            const MAX_DIGITS10: u32 = $max_digits10;
        }
    };
}

limits!(f32, 13, 15, -30);
limits!(f64, 31, 33, -291);

impl<F: HostLimb, A: Level> DoubleWord<F, A> {
    /// The base, 2.
    pub const RADIX: u32 = 2;
    /// Significand digits that every sum and product of normalised pairs has, 2 p - 2: 46 or 104. A pair may hold
    /// more.
    pub const MANTISSA_DIGITS: u32 = 2 * F::P - 2;
    /// Decimal digits that survive a way through the type, 13 or 31.
    pub const DIGITS: u32 = <F as LimbLimits>::DIGITS10;
    /// Decimal digits that tell numbers of [`MANTISSA_DIGITS`](Self::MANTISSA_DIGITS) apart, 15 or 33.
    pub const MAX_DIGITS10: u32 = <F as LimbLimits>::MAX_DIGITS10;
    /// 2^(1 - [`MANTISSA_DIGITS`](Self::MANTISSA_DIGITS)): 2^-45 or 2^-103.
    pub const EPSILON: Self = Self::from_limb(<F as LimbLimits>::EPSILON);
    /// The smallest number whose lo has all its digits, 2^-102 or 2^-969.
    pub const MIN_POSITIVE: Self = Self::from_limb(<F as LimbLimits>::MIN_POSITIVE);
    /// The smallest number above zero: the smallest subnormal limb.
    pub const DENORM_MIN: Self = Self::from_limb(<F as LimbLimits>::DENORM_MIN);
    /// The largest finite number with hi = RN(hi + lo): the largest limb, and that times u / 2.
    pub const MAX: Self = Self::from_parts(<F as LimbLimits>::MAX, <F as LimbLimits>::MAX_LO);
    /// The lowest finite number, -[`MAX`](Self::MAX).
    pub const MIN: Self = Self::from_parts(<F as LimbLimits>::LOWEST, <F as LimbLimits>::LOWEST_LO);
    /// Largest rounding error in ulps, 1/2.
    pub const ROUND_ERROR: Self = Self::from_limb(<F as LimbLimits>::HALF);
    /// 2^(MIN_EXP - 1) is [`MIN_POSITIVE`](Self::MIN_POSITIVE): -101 or -968.
    pub const MIN_EXP: i32 = <F as LimbLimits>::LEAST_EXP;
    /// 2^MAX_EXP is the first power of two that overflows: 128 or 1024.
    pub const MAX_EXP: i32 = <F as LimbLimits>::MAX_EXP;
    /// The smallest power of ten not below [`MIN_POSITIVE`](Self::MIN_POSITIVE): -30 or -291.
    pub const MIN_10_EXP: i32 = <F as LimbLimits>::MIN_10_EXP;
    /// The largest power of ten that is finite: 38 or 308.
    pub const MAX_10_EXP: i32 = <F as LimbLimits>::MAX_10_EXP;
    /// (inf, +0).
    pub const INFINITY: Self = Self::from_limb(<F as LimbLimits>::INFINITY);
    /// (-inf, +0).
    pub const NEG_INFINITY: Self = Self::from_limb(<F as LimbLimits>::NEG_INFINITY);
    /// The quiet NaN without sign or payload, and +0.
    pub const NAN: Self = Self::from_limb(<F as LimbLimits>::NAN);
}
