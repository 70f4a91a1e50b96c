//! Traits of crate `num-traits` for packed doubles.

use super::Fp64Emu;
use crate::convert::RoundFrom;
use crate::emu::Level;
use crate::emu::num_traits::common;
use num_traits::{Bounded, FloatConst, FromPrimitive, Inv, MulAdd, MulAddAssign, Num, One, Signed, ToPrimitive, Zero};

common!(Fp64Emu);

impl<A: Level> Num for Fp64Emu<A> {
    type FromStrRadixErr = num_traits::ParseFloatError;

    /// As `f64` reads it.
    fn from_str_radix(text: &str, radix: u32) -> Result<Self, num_traits::ParseFloatError> {
        f64::from_str_radix(text, radix).map(Self::from_f64)
    }
}

macro_rules! through_f64 {
    ($($name:ident: $t:ty;)*) => {$(
        fn $name(&self) -> Option<$t> {
            Fp64Emu::to_f64(*self).$name()
        }
    )*};
}

/// As `f64`: integers truncated, `None` where that is out of range.
impl<A: Level> ToPrimitive for Fp64Emu<A> {
    through_f64! {
        to_i64: i64;
        to_i128: i128;
        to_u64: u64;
        to_u128: u128;
    }
    fn to_f32(&self) -> Option<f32> {
        Some(Fp64Emu::to_f32(*self))
    }
    fn to_f64(&self) -> Option<f64> {
        Some(Fp64Emu::to_f64(*self))
    }
}

/// Always `Some`: correctly rounded.
impl<A: Level> FromPrimitive for Fp64Emu<A> {
    fn from_i64(x: i64) -> Option<Self> {
        Some(Self::round_from(x))
    }
    fn from_u64(x: u64) -> Option<Self> {
        Some(Self::round_from(x))
    }
    fn from_i128(x: i128) -> Option<Self> {
        Some(Self::from_f64(x as f64))
    }
    fn from_u128(x: u128) -> Option<Self> {
        Some(Self::from_f64(x as f64))
    }
    fn from_f32(x: f32) -> Option<Self> {
        Some(Self::round_from(x))
    }
    fn from_f64(x: f64) -> Option<Self> {
        Some(Self::from_f64(x))
    }
}

impl<A: Level> num_traits::NumCast for Fp64Emu<A> {
    fn from<T: ToPrimitive>(x: T) -> Option<Self> {
        x.to_f64().map(Self::from_f64)
    }
}

macro_rules! constants {
    ($($name:ident)*) => {$(
        fn $name() -> Self {
            Self::from_f64(<f64 as FloatConst>::$name())
        }
    )*};
}

impl<A: Level> FloatConst for Fp64Emu<A> {
    constants! {
        E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8 LN_10 LN_2
        LOG10_E LOG2_E PI SQRT_2 TAU LOG10_2 LOG2_10
    }
}
