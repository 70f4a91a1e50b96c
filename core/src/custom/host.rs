//! The host type of reduced formats, with sizes and options in its type.

use super::format::{Format, Mode};
use super::layout::Fixed;
use super::philox::Random;
use super::rules::{Published, Rules};
use crate::convert::{RoundFrom, TruncateFrom};
use crate::host::Host;
use core::cmp::Ordering;
use core::fmt;
use core::iter::{Product, Sum};
use core::marker::PhantomData;
use core::num::ParseFloatError;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use core::str::FromStr;

/// A double whose operations are those of a format with E exponent bits and M stored mantissa bits; see
/// [`custom`](crate::custom).
///
/// In memory a double, which construction and conversion store as it is. Comparisons are those of the doubles held. A native
/// axis, E = 11 or M = 52, costs nothing. Functions that would not be reduced do not exist.
///
/// ```
/// use vernier::fp64_custom;
/// type Half = fp64_custom<5, 10>;
/// let x = Half::new(0.1);
/// assert_eq!(x.to_f64(), 0.1);
/// assert_eq!((x + 0.0).to_f64(), 0.0999755859375);
/// ```
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct fp64_custom<const E: u32 = 11, const M: u32 = 52, O: Rules = Published> {
    value: f64,
    rules: PhantomData<O>,
}

impl<const E: u32, const M: u32, O: Rules> fp64_custom<E, M, O> {
    /// The format. Sizes that are none do not compile.
    pub const FORMAT: Format = Format::of(E, M, O::OPTIONS);

    /// The base, 2.
    pub const RADIX: u32 = 2;
    /// Significand digits, M + 1.
    pub const MANTISSA_DIGITS: u32 = M + 1;
    /// Decimal digits that survive a way through the type.
    pub const DIGITS: u32 = M * 30103 / 100_000;
    /// Decimal digits that tell numbers apart.
    pub const MAX_DIGITS10: u32 = 2 + (M + 1) * 30103 / 100_000;
    /// 2^-M.
    pub const EPSILON: Self = Self::new(Self::FORMAT.epsilon());
    /// The smallest normal number.
    pub const MIN_POSITIVE: Self = Self::new(Self::FORMAT.min_positive());
    /// The smallest number above zero.
    pub const DENORM_MIN: Self = Self::new(Self::FORMAT.denorm_min());
    /// The largest number.
    pub const MAX: Self = Self::new(Self::FORMAT.max());
    /// The lowest number.
    pub const MIN: Self = Self::new(-Self::FORMAT.max());
    /// Largest rounding error in ulps of rounding to nearest, 1/2.
    pub const ROUND_ERROR: Self = Self::new(0.5);
    /// 2^(MIN_EXP - 1) is the smallest normal number.
    pub const MIN_EXP: i32 = Self::FORMAT.emin() + 1;
    /// 2^MAX_EXP is above the largest number.
    pub const MAX_EXP: i32 = Self::FORMAT.emax() + 1;
    /// [`MIN_EXP`](Self::MIN_EXP) log10(2), truncated.
    pub const MIN_10_EXP: i32 = Self::MIN_EXP * 30103 / 100_000;
    /// [`MAX_EXP`](Self::MAX_EXP) log10(2), truncated.
    pub const MAX_10_EXP: i32 = Self::MAX_EXP * 30103 / 100_000;
    /// Infinity.
    pub const INFINITY: Self = Self::new(f64::INFINITY);
    /// -infinity.
    pub const NEG_INFINITY: Self = Self::new(f64::NEG_INFINITY);
    /// The quiet NaN without sign or payload.
    pub const NAN: Self = Self::new(f64::from_bits(0x7ff8 << 48));

    /// `x`, held as it is.
    #[inline(always)]
    pub const fn new(x: f64) -> Self {
        Self { value: x, rules: PhantomData }
    }

    /// The double held.
    #[inline(always)]
    pub const fn to_f64(self) -> f64 {
        self.value
    }

    /// The bits of the double held.
    #[inline(always)]
    pub const fn to_bits(self) -> u64 {
        self.value.to_bits()
    }

    /// The number whose double has these bits.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self::new(f64::from_bits(bits))
    }

    /// The number in the format, as an operand is taken.
    #[inline(always)]
    #[must_use]
    pub fn reduced(self) -> Self {
        Self::new(super::reduce(self.value, Self::described(), &Random::<Host>::none()))
    }

    /// The square root.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        Self::new(super::sqrt(self.value, Self::described(), &Random::<Host>::none()))
    }

    /// self * y + z, the product unrounded.
    #[inline(always)]
    #[must_use]
    pub fn fma(self, y: Self, z: Self) -> Self {
        Self::new(super::fma(self.value, y.value, z.value, Self::described(), &Random::<Host>::none()))
    }

    /// The magnitude of the double held.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self::new(self.value.abs())
    }

    /// Whether the double held is NaN.
    pub const fn is_nan(self) -> bool {
        self.value.is_nan()
    }

    /// Whether the double held is infinite.
    pub const fn is_infinite(self) -> bool {
        self.value.is_infinite()
    }

    /// Whether the double held is finite.
    pub const fn is_finite(self) -> bool {
        self.value.is_finite()
    }

    #[inline(always)]
    fn described() -> Fixed<E, M, O> {
        const {
            assert!(
                !matches!(O::OPTIONS.mode, Mode::Stochastic),
                "operators cannot count their random words: use vernier::custom::Context, or its functions with Random"
            )
        };
        Fixed::new()
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<const E: u32, const M: u32, O: Rules> $op for fp64_custom<E, M, O> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                Self::new(super::$method(self.value, y.value, Self::described(), &Random::<Host>::none()))
            }
        }

        impl<const E: u32, const M: u32, O: Rules> $op<f64> for fp64_custom<E, M, O> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: f64) -> Self {
                $op::$method(self, Self::new(y))
            }
        }

        impl<const E: u32, const M: u32, O: Rules> $op<fp64_custom<E, M, O>> for f64 {
            type Output = fp64_custom<E, M, O>;
            #[inline(always)]
            fn $method(self, y: fp64_custom<E, M, O>) -> fp64_custom<E, M, O> {
                $op::$method(fp64_custom::new(self), y)
            }
        }

        impl<T, const E: u32, const M: u32, O: Rules> $assign<T> for fp64_custom<E, M, O>
        where
            Self: $op<T, Output = Self>,
        {
            #[inline(always)]
            fn $assign_method(&mut self, y: T) {
                *self = $op::$method(*self, y);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

/// The sign flipped; nothing is reduced.
impl<const E: u32, const M: u32, O: Rules> Neg for fp64_custom<E, M, O> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.value)
    }
}

impl<const E: u32, const M: u32, O: Rules> PartialEq for fp64_custom<E, M, O> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<const E: u32, const M: u32, O: Rules> PartialOrd for fp64_custom<E, M, O> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

/// The sum in order, from the first term; +0 of nothing.
impl<const E: u32, const M: u32, O: Rules> Sum for fp64_custom<E, M, O> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x + y).unwrap_or_default()
    }
}

/// The product in order, from the first factor; 1 of nothing.
impl<const E: u32, const M: u32, O: Rules> Product for fp64_custom<E, M, O> {
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x * y).unwrap_or(Self::new(1.0))
    }
}

impl<const E: u32, const M: u32, O: Rules> fmt::Debug for fp64_custom<E, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:?})", Self::FORMAT, self.value)
    }
}

macro_rules! print {
    ($($form:ident)*) => {$(
        impl<const E: u32, const M: u32, O: Rules> fmt::$form for fp64_custom<E, M, O> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$form::fmt(&self.value, f)
            }
        }
    )*};
}

print!(Display LowerExp UpperExp);

/// The double nearest to the text, held as it is.
impl<const E: u32, const M: u32, O: Rules> FromStr for fp64_custom<E, M, O> {
    type Err = ParseFloatError;
    fn from_str(text: &str) -> Result<Self, ParseFloatError> {
        text.parse().map(Self::new)
    }
}

impl<const E: u32, const M: u32, O: Rules> From<fp64_custom<E, M, O>> for f64 {
    #[inline(always)]
    fn from(x: fp64_custom<E, M, O>) -> f64 {
        x.value
    }
}

macro_rules! conversions {
    ($($t:ident)*) => {$(
        /// The double nearest to `x`, held as it is.
        impl<const E: u32, const M: u32, O: Rules> RoundFrom<$t> for fp64_custom<E, M, O> {
            #[inline]
            fn round_from(x: $t) -> Self {
                Self::new(x as f64)
            }
        }
    )*};
}

conversions!(f32 f64 i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);

macro_rules! truncate {
    ($($t:ident)*) => {$(
        impl<const E: u32, const M: u32, O: Rules> TruncateFrom<fp64_custom<E, M, O>> for $t {
            #[inline]
            fn truncate_from(x: fp64_custom<E, M, O>) -> Self {
                x.value as $t
            }
        }
    )*};
}

truncate!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);

impl<const E: u32, const M: u32, O: Rules> RoundFrom<fp64_custom<E, M, O>> for f32 {
    #[inline]
    fn round_from(x: fp64_custom<E, M, O>) -> f32 {
        x.value as f32
    }
}

macro_rules! exact {
    ($($t:ident)*) => {$(
        impl<O: Rules> From<$t> for fp64_custom<11, 52, O> {
            #[inline]
            fn from(x: $t) -> Self {
                Self::new(x.into())
            }
        }
    )*};
}

exact!(f64 i8 i16 i32 u8 u16 u32);

/// A float is a number of every format with E >= 8 and M >= 23.
macro_rules! from_f32 {
    ($($e:literal)*) => {$(from_f32!($e: 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52);)*};
    ($e:literal: $($m:literal)*) => {$(
        impl<O: Rules> From<f32> for fp64_custom<$e, $m, O> {
            #[inline]
            fn from(x: f32) -> Self {
                Self::new(x.into())
            }
        }
    )*};
}

from_f32!(8 9 10 11);
