//! The Rust face of the conversions: `From`, [`RoundFrom`] and [`TruncateFrom`].

use super::{Double, Integer, Single, Width};
use crate::double_word::{DoubleWord, HostLimb};
use crate::host::Host;
use crate::machine::IeeeLimb;
use crate::pair::Level;
use core::num::Wrapping;

/// The width of a host limb.
pub trait HostWidth: IeeeLimb<M = Host> {
    /// [`Single`] or [`Double`].
    type Width: Width<Host, Limb = Self>;
}

impl HostWidth for f32 {
    type Width = Single;
}

impl HostWidth for f64 {
    type Width = Double;
}

/// An IEEE binary128 as its bits, sign first. Equality is that of the bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Binary128(pub u128);

/// Conversion to the nearest value: of a number v to a pair hi = RN(v), lo = RN(v - hi); of a pair to RN(hi + lo).
///
/// RN is round to nearest, ties to even, in one step, with subnormal numbers; it overflows to infinity. NaN gives the
/// quiet NaN without sign or payload. lo is +0 where hi is zero or not finite. See [`convert`](crate::convert).
///
/// ```
/// use vernier::{RoundFrom, fp32mp2, fp64mp2};
/// let x = fp32mp2::round_from(0.1f64);
/// assert_eq!(x.to_parts(), (0.1f32, (0.1f64 - 0.1f32 as f64) as f32));
/// let x = fp64mp2::from_parts(1.0 + 2f64.powi(-24), 2f64.powi(-60));
/// assert_eq!(f32::round_from(x), 1.0 + f32::EPSILON); // RN(RN(x)) would be 1
/// ```
pub trait RoundFrom<T> {
    /// The value nearest to `x`.
    fn round_from(x: T) -> Self;
}

/// Conversion to an integer: the value truncated toward zero, saturated at the ends of the type; NaN gives 0.
///
/// ```
/// use vernier::{TruncateFrom, fp64mp2};
/// let x = fp64mp2::from_parts(9007199254740992.0, -0.5);
/// assert_eq!(i64::truncate_from(x), 9007199254740991);
/// assert_eq!(u8::truncate_from(x), 255);
/// ```
pub trait TruncateFrom<T> {
    /// The integer part of `x`.
    fn truncate_from(x: T) -> Self;
}

type Word = Wrapping<u64>;

fn words(x: u128) -> (Word, Word) {
    (Wrapping((x >> 64) as u64), Wrapping(x as u64))
}

fn joined((high, low): (Word, Word)) -> u128 {
    u128::from(high.0) << 64 | u128::from(low.0)
}

macro_rules! round_from {
    ($($t:ty: |$x:ident| $e:expr;)*) => {$(
        impl<F: HostLimb, A: Level> RoundFrom<$t> for DoubleWord<F, A> {
            #[inline]
            fn round_from($x: $t) -> Self {
                Self::wrap($e)
            }
        }
    )*};
}

round_from! {
    f32: |x| super::pair_from_limb::<Host, F::Width, f32>(x);
    f64: |x| super::pair_from_limb::<Host, F::Width, f64>(x);
    bool: |x| super::pair_from_u64::<Host, F::Width>(Wrapping(x.into()));
    u8: |x| super::pair_from_u64::<Host, F::Width>(Wrapping(x.into()));
    u16: |x| super::pair_from_u64::<Host, F::Width>(Wrapping(x.into()));
    u32: |x| super::pair_from_u64::<Host, F::Width>(Wrapping(x.into()));
    u64: |x| super::pair_from_u64::<Host, F::Width>(Wrapping(x));
    i8: |x| super::pair_from_i64::<Host, F::Width>(Wrapping(x as u64));
    i16: |x| super::pair_from_i64::<Host, F::Width>(Wrapping(x as u64));
    i32: |x| super::pair_from_i64::<Host, F::Width>(Wrapping(x as u64));
    i64: |x| super::pair_from_i64::<Host, F::Width>(Wrapping(x as u64));
    u128: |x| super::pair_from_u128::<Host, F::Width>(words(x));
    i128: |x| super::pair_from_i128::<Host, F::Width>(words(x as u128));
    Binary128: |x| super::pair_from_binary128::<Host, F::Width>(words(x.0));
}

impl<A: Level, B: Level> RoundFrom<DoubleWord<f64, B>> for DoubleWord<f32, A> {
    #[inline]
    fn round_from(x: DoubleWord<f64, B>) -> Self {
        Self::wrap(super::narrow::<Host>(x.to_parts()))
    }
}

impl<A: Level, B: Level> RoundFrom<DoubleWord<f32, B>> for DoubleWord<f64, A> {
    /// Exact.
    #[inline]
    fn round_from(x: DoubleWord<f32, B>) -> Self {
        Self::wrap(super::widen::<Host>(x.to_parts()))
    }
}

macro_rules! exact_from {
    ($($limb:ty: $($t:ty)*;)*) => {$($(
        /// Exact.
        impl<A: Level> From<$t> for DoubleWord<$limb, A> {
            #[inline]
            fn from(x: $t) -> Self {
                Self::round_from(x)
            }
        }
    )*)*};
}

exact_from! {
    f32: f32 bool i8 i16 i32 u8 u16 u32;
    f64: f32 f64 bool i8 i16 i32 i64 u8 u16 u32 u64 DoubleWord<f32, A>;
}

macro_rules! limb_from {
    ($($t:ty)*) => {$(
        impl<F: HostLimb, A: Level> RoundFrom<DoubleWord<F, A>> for $t {
            #[inline]
            fn round_from(x: DoubleWord<F, A>) -> Self {
                super::to_limb::<Host, <$t as HostWidth>::Width, F>(x.to_parts())
            }
        }
    )*};
}

limb_from!(f32 f64);

impl<F: HostLimb, A: Level> RoundFrom<DoubleWord<F, A>> for Binary128 {
    #[inline]
    fn round_from(x: DoubleWord<F, A>) -> Self {
        Self(joined(super::to_binary128::<Host, F>(x.to_parts())))
    }
}

macro_rules! truncate_from {
    ($($t:ty: |$x:ident| $e:expr;)*) => {$(
        impl<F: HostLimb, A: Level> TruncateFrom<DoubleWord<F, A>> for $t {
            #[inline]
            fn truncate_from(x: DoubleWord<F, A>) -> Self {
                let $x = x.to_parts();
                $e as $t
            }
        }
    )*};
    ($($t:ty)*) => {
        truncate_from! {$(
            $t: |x| super::to_integer::<Host, F>(x, Integer { bits: <$t>::BITS, signed: <$t>::MIN != 0 }).0;
        )*}
    };
}

truncate_from!(i8 i16 i32 i64 u8 u16 u32 u64);
truncate_from! {
    i128: |x| joined(super::to_i128::<Host, F>(x));
    u128: |x| joined(super::to_u128::<Host, F>(x));
}

/// e with 2^e <= |hi + lo| < 2^(e + 1), far below every exponent for zero; `None` where the value is not finite.
#[cfg(feature = "num-traits")]
pub(crate) fn exponent<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> Option<i32> {
    let real = super::real::Real::<Host>::from_pair(x.to_parts());
    x.is_finite().then_some(real.exponent.0 as i32)
}

impl<F: HostLimb, A: Level> DoubleWord<F, A> {
    /// RN(hi + lo) in binary32; short for `f32::round_from(x)`.
    #[inline]
    pub fn to_f32(self) -> f32 {
        f32::round_from(self)
    }

    /// RN(hi + lo) in binary64; short for `f64::round_from(x)`. It is no `From`: a pair of floats may hold more digits
    /// than a double, where lo lies far below hi.
    #[inline]
    pub fn to_f64(self) -> f64 {
        f64::round_from(self)
    }

    /// Whether the value is not zero; true for NaN.
    #[inline]
    pub fn to_bool(self) -> bool {
        super::is_nonzero(self.to_parts())
    }
}
