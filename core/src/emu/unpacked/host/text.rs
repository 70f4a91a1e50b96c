//! Text: written as the nearest `f64`, read to 62 digits.

use super::Fp64EmuUnpacked;
use crate::emu::operators::as_f64;
use crate::emu::unpacked::Level;
use crate::text::{ParseError, Parsed, parse_leading};
use core::fmt;
use core::str::FromStr;

/// The three words, as case lines write them: sign, exponent and significand in hex.
impl<A: Level> fmt::Debug for Fp64EmuUnpacked<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, exponent, significand) = self.to_parts();
        write!(f, "fp64emu_unpacked.{}({sign}:{exponent:08x}:{significand:016x})", A::NAME)
    }
}

as_f64!(Fp64EmuUnpacked: Display LowerExp UpperExp);

/// Rounded to odd at 62 digits, so that packing rounds the text once; in the syntax of `f64`. Below 2^-1026 digits end at
/// 2^-1088, and from 10^310 on the number is infinite.
impl<A: Level> FromStr for Fp64EmuUnpacked<A> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (negative, parsed) = parse_leading(text)?;
        let magnitude = match parsed {
            Parsed::Nan => return Ok(Self::NAN),
            Parsed::Infinite => Self::INFINITY,
            Parsed::Zero => Self::default(),
            Parsed::Finite(bits, rest, exponent) => Self::round_to_odd(exponent, bits, rest),
        };
        Ok(if negative { -magnitude } else { magnitude })
    }
}
