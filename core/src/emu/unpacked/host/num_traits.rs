//! Traits of crate `num-traits` for unpacked numbers.

use super::Fp64EmuUnpacked;
use crate::convert::RoundFrom;
use crate::emu::num_traits::common;
use crate::emu::unpacked::Level;
use crate::emu::unpacked::format::BIAS;
use crate::num_traits::{FromStrRadixError, cast, float_constants, to_integers};
use num_traits::{Bounded, FloatConst, FromPrimitive, Inv, MulAdd, MulAddAssign, Num, One, Signed, ToPrimitive, Zero};

common!(Fp64EmuUnpacked);

impl<A: Level> Num for Fp64EmuUnpacked<A> {
    type FromStrRadixErr = FromStrRadixError;

    /// As `FromStr`, in radix 10; an error in any other.
    fn from_str_radix(text: &str, radix: u32) -> Result<Self, FromStrRadixError> {
        if radix != 10 {
            return Err(FromStrRadixError::Radix(radix));
        }
        text.parse().map_err(FromStrRadixError::Parse)
    }
}

impl<A: Level> Fp64EmuUnpacked<A> {
    /// The magnitude truncated to an integer; `None` from 2^128 on.
    fn whole(self) -> Option<u128> {
        let (_, exponent, significand) = self.to_parts();
        match exponent - BIAS - 61 {
            places @ 0..=66 => Some(u128::from(significand) << places),
            places @ -61..0 => Some(u128::from(significand >> -places)),
            places => (places < 0).then_some(0),
        }
    }
}

/// Integers truncated, `None` where that is out of range; floats correctly rounded.
impl<A: Level> ToPrimitive for Fp64EmuUnpacked<A> {
    to_integers!();
    fn to_i128(&self) -> Option<i128> {
        let whole = self.whole()?;
        if self.is_sign_negative() { 0_i128.checked_sub_unsigned(whole) } else { whole.try_into().ok() }
    }
    fn to_u128(&self) -> Option<u128> {
        self.whole().filter(|&whole| whole == 0 || self.is_sign_positive())
    }
    fn to_f32(&self) -> Option<f32> {
        Some(Fp64EmuUnpacked::to_f32(*self))
    }
    fn to_f64(&self) -> Option<f64> {
        Some(Fp64EmuUnpacked::to_f64(*self))
    }
}

/// Always `Some`: exact, but for integers of more than 62 digits, which are rounded to odd.
impl<A: Level> FromPrimitive for Fp64EmuUnpacked<A> {
    fn from_i64(x: i64) -> Option<Self> {
        Some(Self::round_from(x))
    }
    fn from_u64(x: u64) -> Option<Self> {
        Some(Self::round_from(x))
    }
    fn from_i128(x: i128) -> Option<Self> {
        let magnitude = Self::from_u128(x.unsigned_abs())?;
        Some(if x < 0 { -magnitude } else { magnitude })
    }
    fn from_u128(x: u128) -> Option<Self> {
        let zeros = x.leading_zeros();
        Some(if x == 0 { Self::zero() } else { Self::round_to_odd(127 - zeros as i32, x << zeros, false) })
    }
    fn from_f32(x: f32) -> Option<Self> {
        Some(Self::round_from(x))
    }
    fn from_f64(x: f64) -> Option<Self> {
        Some(Self::from_f64(x))
    }
}

/// The interface passes nothing wider than an integer of 128 bits or an `f64`: between levels use
/// [`to_level`](Fp64EmuUnpacked::to_level).
impl<A: Level> num_traits::NumCast for Fp64EmuUnpacked<A> {
    fn from<T: ToPrimitive>(x: T) -> Option<Self> {
        cast(x)
    }
}

macro_rules! constants {
    ($($name:ident = $digits:literal;)*) => {$(
        fn $name() -> Self {
            let bits: u128 = $digits;
            let zeros = bits.leading_zeros();
            Self::round_to_odd(127 - zeros as i32 - 125, bits << zeros, true)
        }
    )*};
}

/// Rounded to odd at 62 digits.
impl<A: Level> FloatConst for Fp64EmuUnpacked<A> {
    float_constants!(constants);
}
