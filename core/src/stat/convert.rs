//! Conversions of instrumented pairs, as the wrapped pair's: exact ones are [`From`], others [`RoundFrom`] and
//! [`TruncateFrom`]. To and from the plain pair of the same level nothing is converted, and nothing counted.

use super::{Other, Stat, note_other};
use crate::convert::{Binary128, RoundFrom, TruncateFrom};
use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::Level;

impl<F: HostLimb, A: Level> From<DoubleWord<F, A>> for Stat<DoubleWord<F, A>> {
    #[inline(always)]
    fn from(x: DoubleWord<F, A>) -> Self {
        Stat(x)
    }
}

impl<F: HostLimb, A: Level> From<Stat<Self>> for DoubleWord<F, A> {
    #[inline(always)]
    fn from(x: Stat<Self>) -> Self {
        x.0
    }
}

impl<A: Level> From<Stat<DoubleWord<f32, A>>> for Stat<DoubleWord<f64, A>> {
    #[inline]
    fn from(x: Stat<DoubleWord<f32, A>>) -> Self {
        Self::round_from(x)
    }
}

impl<F: HostLimb, A: Level, G: HostLimb, B: Level> RoundFrom<Stat<DoubleWord<G, B>>> for Stat<DoubleWord<F, A>>
where
    DoubleWord<F, A>: RoundFrom<DoubleWord<G, B>>,
{
    #[inline]
    fn round_from(x: Stat<DoubleWord<G, B>>) -> Self {
        note_other(Other::Conversion);
        Stat(DoubleWord::round_from(x.0))
    }
}

impl<F: HostLimb, A: Level> RoundFrom<Stat<DoubleWord<F, A>>> for Binary128 {
    #[inline]
    fn round_from(x: Stat<DoubleWord<F, A>>) -> Self {
        note_other(Other::Conversion);
        Self::round_from(x.0)
    }
}

macro_rules! round_from {
    ($($t:ty)*) => {$(
        impl<F: HostLimb, A: Level> RoundFrom<$t> for Stat<DoubleWord<F, A>> {
            #[inline]
            fn round_from(x: $t) -> Self {
                note_other(Other::Conversion);
                Stat(DoubleWord::round_from(x))
            }
        }
    )*};
}

round_from!(f32 f64 bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 Binary128);

macro_rules! exact_from {
    ($($limb:ty: $($t:ty)*;)*) => {$($(
        /// Exact.
        impl<A: Level> From<$t> for Stat<DoubleWord<$limb, A>> {
            #[inline]
            fn from(x: $t) -> Self {
                Self::round_from(x)
            }
        }
    )*)*};
}

exact_from! {
    f32: f32 bool i8 i16 i32 u8 u16 u32;
    f64: f32 f64 bool i8 i16 i32 i64 u8 u16 u32 u64;
}

macro_rules! out {
    ($trait:ident $method:ident: $($t:ty)*) => {$(
        impl<F: HostLimb, A: Level> $trait<Stat<DoubleWord<F, A>>> for $t {
            #[inline]
            fn $method(x: Stat<DoubleWord<F, A>>) -> Self {
                note_other(Other::Conversion);
                <$t>::$method(x.0)
            }
        }
    )*};
}

out!(RoundFrom round_from: f32 f64);
out!(TruncateFrom truncate_from: i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);

impl<F: HostLimb, A: Level> Stat<DoubleWord<F, A>> {
    /// RN(hi + lo) in binary32; see [`DoubleWord::to_f32`].
    #[inline]
    pub fn to_f32(self) -> f32 {
        f32::round_from(self)
    }

    /// RN(hi + lo) in binary64; see [`DoubleWord::to_f64`].
    #[inline]
    pub fn to_f64(self) -> f64 {
        f64::round_from(self)
    }

    /// Whether the value is not zero; true for NaN.
    #[inline]
    pub fn to_bool(self) -> bool {
        self.0.to_bool()
    }
}
