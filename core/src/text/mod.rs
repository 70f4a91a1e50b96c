//! Decimal text of double-word numbers: correctly rounded parse, exact and shortest print.
//!
//! The *value* of a pair is the exact sum hi + lo, whatever the order, overlap or distance of the two limbs. Printing
//! depends on the value alone, so that (1, 1) and (2, 0) print the same. Where a limb is not finite the value is hi, or
//! lo if only lo is not finite. A pair of zeros has the sign of hi; limbs that cancel give +0.
//!
//! Parsing a decimal number v gives hi = RN(v) and lo = RN(v - hi), round to nearest even, for texts of any length and any
//! exponent; where RN(v) overflows hi is infinite. A zero lo is +0.
//!
//! Everything is done in one fixed-point number that holds hi + lo exactly (34 words of 64 bits, enough for `f64` limbs; `f32`
//! limbs use it as well). There is no allocation; the stack in use stays below 12 KiB in an optimised build.

mod digits;
pub(crate) mod fixed;
pub(crate) mod format;
mod parse;
pub(crate) mod print;
mod wide;

use core::fmt::{self, Formatter};
use core::str::FromStr;

use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::Level;

pub use parse::{Expected, ParseError, parse_pair};
pub(crate) use parse::{Parsed, parse_leading};
pub use print::{fmt_display, fmt_exp};

/// Correctly rounded: see [`parse_pair`].
impl<F: HostLimb, A: Level> FromStr for DoubleWord<F, A> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse_pair(text).map(Self::wrap)
    }
}

/// The shortest text of the same value, or a given number of places, without exponent: see [`fmt_display`].
impl<F: HostLimb, A: Level> fmt::Display for DoubleWord<F, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fmt_display(self.to_parts(), f)
    }
}

/// The shortest text of the same value, or a given number of places, with an exponent: see [`fmt_exp`].
impl<F: HostLimb, A: Level> fmt::LowerExp for DoubleWord<F, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fmt_exp(self.to_parts(), false, f)
    }
}

/// As [`LowerExp`](fmt::LowerExp), with a capital E.
impl<F: HostLimb, A: Level> fmt::UpperExp for DoubleWord<F, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fmt_exp(self.to_parts(), true, f)
    }
}
