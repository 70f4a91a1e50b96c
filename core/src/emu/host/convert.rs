//! The Rust face of the conversions: `From` where they are exact, [`RoundFrom`], [`TruncateFrom`], and methods that take
//! a direction.

use super::Fp64Emu;
use crate::convert::{Integer, RoundFrom, TruncateFrom};
use crate::emu::{Level, Rn, Rounding, Rz, convert};
use crate::host::Host;
use core::num::Wrapping;

macro_rules! round_from {
    ($($t:ty: |$x:ident| $e:expr;)*) => {$(
        impl<A: Level> RoundFrom<$t> for Fp64Emu<A> {
            #[inline(always)]
            fn round_from($x: $t) -> Self {
                Self::wrap($e)
            }
        }
    )*};
}

round_from! {
    f64: |x| Wrapping(x.to_bits());
    f32: |x| convert::from_f32::<Host>(x);
    bool: |x| convert::from_u32::<Host>(Wrapping(x.into()));
    i8: |x| convert::from_i32::<Host>(Wrapping(x as u32));
    i16: |x| convert::from_i32::<Host>(Wrapping(x as u32));
    i32: |x| convert::from_i32::<Host>(Wrapping(x as u32));
    i64: |x| convert::from_i64::<Host, Rn>(Wrapping(x as u64));
    u8: |x| convert::from_u32::<Host>(Wrapping(x.into()));
    u16: |x| convert::from_u32::<Host>(Wrapping(x.into()));
    u32: |x| convert::from_u32::<Host>(Wrapping(x));
    u64: |x| convert::from_u64::<Host, Rn>(Wrapping(x));
}

macro_rules! exact_from {
    ($($t:ty)*) => {$(
        /// Exact.
        impl<A: Level> From<$t> for Fp64Emu<A> {
            #[inline(always)]
            fn from(x: $t) -> Self {
                Self::round_from(x)
            }
        }
    )*};
}

exact_from!(f64 f32 bool i8 i16 i32 u8 u16 u32);

/// The same bits.
impl<A: Level> From<Fp64Emu<A>> for f64 {
    #[inline(always)]
    fn from(x: Fp64Emu<A>) -> f64 {
        x.to_f64()
    }
}

impl<A: Level> RoundFrom<Fp64Emu<A>> for f32 {
    #[inline]
    fn round_from(x: Fp64Emu<A>) -> f32 {
        x.to_f32_in::<Rn>()
    }
}

/// An integer that packed numbers are converted to.
pub trait TargetInteger: Copy {
    /// Its bits and whether it is signed.
    const INTEGER: Integer;
    /// The integer in the low bits.
    fn from_word(word: u64) -> Self;
}

macro_rules! target {
    ($($t:ty)*) => {$(
        impl TargetInteger for $t {
            const INTEGER: Integer = Integer { bits: <$t>::BITS, signed: <$t>::MIN != 0 };
            #[inline(always)]
            fn from_word(word: u64) -> Self {
                word as $t
            }
        }

        impl<A: Level> TruncateFrom<Fp64Emu<A>> for $t {
            #[inline]
            fn truncate_from(x: Fp64Emu<A>) -> Self {
                x.to_integer_in::<$t, Rz>()
            }
        }
    )*};
}

target!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<A: Level> Fp64Emu<A> {
    /// The integer in the direction `R`, saturated at the ends of the type; NaN gives 0.
    #[inline]
    pub fn to_integer_in<T: TargetInteger, R: Rounding>(self) -> T {
        T::from_word(convert::to_integer::<Host, R>(self.word(), T::INTEGER).0)
    }

    /// The `f32` in the direction `R`.
    #[inline]
    pub fn to_f32_in<R: Rounding>(self) -> f32 {
        convert::to_f32::<Host, R>(self.word())
    }

    /// The integer as a number, in the direction `R`.
    #[inline]
    pub fn from_i64_in<R: Rounding>(x: i64) -> Self {
        Self::wrap(convert::from_i64::<Host, R>(Wrapping(x as u64)))
    }

    /// The integer as a number, in the direction `R`.
    #[inline]
    pub fn from_u64_in<R: Rounding>(x: u64) -> Self {
        Self::wrap(convert::from_u64::<Host, R>(Wrapping(x)))
    }

    /// The nearest `f32`; short for `f32::round_from(x)`.
    #[inline]
    pub fn to_f32(self) -> f32 {
        f32::round_from(self)
    }

    /// Whether it is not zero; true for NaN.
    #[inline]
    pub fn to_bool(self) -> bool {
        self.abs().to_bits() != 0
    }
}
