//! The Rust face of the conversions: in `From` where they are exact, and [`RoundFrom`], exact but for integers of 63 and
//! 64 digits; out [`RoundFrom`], [`TruncateFrom`], and `From` for `f64`.

use super::Fp64EmuUnpacked;
use crate::convert::{RoundFrom, TruncateFrom};
use crate::emu::TargetInteger;
use crate::emu::unpacked::{self, Level};
use crate::host::Host;
use core::num::Wrapping;

macro_rules! round_from {
    ($($t:ty: |$x:ident| $e:expr;)*) => {$(
        impl<A: Level> RoundFrom<$t> for Fp64EmuUnpacked<A> {
            #[inline(always)]
            fn round_from($x: $t) -> Self {
                Self::wrap($e)
            }
        }
    )*};
}

round_from! {
    f64: |x| unpacked::unpack::<Host>(Wrapping(x.to_bits()));
    f32: |x| unpacked::from_f32::<Host>(x);
    bool: |x| unpacked::from_u64::<Host>(Wrapping(x.into()));
    i8: |x| unpacked::from_i64::<Host>(Wrapping(x as u64));
    i16: |x| unpacked::from_i64::<Host>(Wrapping(x as u64));
    i32: |x| unpacked::from_i64::<Host>(Wrapping(x as u64));
    i64: |x| unpacked::from_i64::<Host>(Wrapping(x as u64));
    u8: |x| unpacked::from_u64::<Host>(Wrapping(x.into()));
    u16: |x| unpacked::from_u64::<Host>(Wrapping(x.into()));
    u32: |x| unpacked::from_u64::<Host>(Wrapping(x.into()));
    u64: |x| unpacked::from_u64::<Host>(Wrapping(x));
}

macro_rules! exact_from {
    ($($t:ty)*) => {$(
        /// Exact.
        impl<A: Level> From<$t> for Fp64EmuUnpacked<A> {
            #[inline(always)]
            fn from(x: $t) -> Self {
                Self::round_from(x)
            }
        }
    )*};
}

exact_from!(f64 f32 bool i8 i16 i32 u8 u16 u32);

/// The nearest double, ties to even.
impl<A: Level> From<Fp64EmuUnpacked<A>> for f64 {
    #[inline]
    fn from(x: Fp64EmuUnpacked<A>) -> f64 {
        x.to_f64()
    }
}

impl<A: Level> RoundFrom<Fp64EmuUnpacked<A>> for f32 {
    /// Rounded once.
    #[inline]
    fn round_from(x: Fp64EmuUnpacked<A>) -> f32 {
        unpacked::to_f32::<Host>(x.words())
    }
}

macro_rules! truncate_from {
    ($($t:ty)*) => {$(
        impl<A: Level> TruncateFrom<Fp64EmuUnpacked<A>> for $t {
            #[inline]
            fn truncate_from(x: Fp64EmuUnpacked<A>) -> Self {
                Self::from_word(unpacked::to_integer::<Host>(x.words(), Self::INTEGER).0)
            }
        }
    )*};
}

truncate_from!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<A: Level> Fp64EmuUnpacked<A> {
    /// A double, exactly; short for `round_from(x)`.
    #[inline(always)]
    pub fn from_f64(x: f64) -> Self {
        Self::round_from(x)
    }

    /// The nearest double, ties to even; short for `f64::from(x)`.
    #[inline]
    pub fn to_f64(self) -> f64 {
        f64::from_bits(unpacked::pack::<Host, crate::emu::Rn>(self.words()).0)
    }

    /// The nearest `f32`, rounded once; short for `f32::round_from(x)`.
    #[inline]
    pub fn to_f32(self) -> f32 {
        f32::round_from(self)
    }

    /// Whether it is not zero; true for NaN.
    #[inline]
    pub const fn to_bool(self) -> bool {
        !self.is_zero()
    }
}
