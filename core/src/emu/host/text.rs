//! Text of packed doubles: as the `f64` of the same bits.

use super::Fp64Emu;
use crate::emu::operators::as_f64;
use crate::emu::{Level, unpacked};
use core::fmt;
use core::num::ParseFloatError;
use core::str::FromStr;

as_f64!(Fp64Emu: Display LowerExp UpperExp);

impl<A: Level> fmt::Debug for Fp64Emu<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fp64emu.{}({:?})", <A as unpacked::Level>::NAME, self.to_f64())
    }
}

/// Correctly rounded, in the syntax of `f64`.
impl<A: Level> FromStr for Fp64Emu<A> {
    type Err = ParseFloatError;
    fn from_str(text: &str) -> Result<Self, ParseFloatError> {
        text.parse().map(Self::from_f64)
    }
}
