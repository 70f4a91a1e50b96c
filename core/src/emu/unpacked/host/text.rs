//! Text of unpacked numbers: written as the nearest `f64`, read to 62 digits.

use super::Fp64EmuUnpacked;
use crate::emu::operators::as_f64;
use crate::emu::unpacked::format::BIAS;
use crate::emu::unpacked::{Level, MAX_EXPONENT, MIN_EXPONENT};
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

/// Rounded to odd at 62 digits, so that packing rounds the text once; in the syntax of `f64`. Beyond the range of exponents an
/// infinity or a zero. Outside 10^-308 to 10^310 digits after the 77th are not looked at: there is always more than 62 bits hold.
///
/// ```
/// use vernier::fp64emu_unpacked;
/// let (tiny, huge): (fp64emu_unpacked, fp64emu_unpacked) = ("1e-400".parse()?, "1e400".parse()?);
/// assert!(tiny > 0);
/// assert_eq!(f64::from(tiny * huge), 1.0);
/// # Ok::<(), vernier::text::ParseError>(())
/// ```
impl<A: Level> FromStr for Fp64EmuUnpacked<A> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (negative, parsed) = parse_leading(text)?;
        let magnitude = match parsed {
            Parsed::Nan => return Ok(Self::NAN),
            Parsed::Infinite => Self::INFINITY,
            Parsed::Zero => Self::default(),
            Parsed::Finite(bits, rest, exponent) => match exponent + BIAS {
                ..MIN_EXPONENT => Self::default(),
                e if e > MAX_EXPONENT => Self::INFINITY,
                _ => Self::round_to_odd(exponent, bits, rest),
            },
        };
        Ok(if negative { -magnitude } else { magnitude })
    }
}
