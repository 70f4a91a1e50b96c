//! Correct conversions: between pairs, numbers of any format, integers and binary128.
//!
//! Into a pair: `hi = RN(v)`, `lo = RN(v - hi)`. Out of a pair: the exact value rounded once into the target, or truncated and
//! saturated for integers, NaN giving 0. All by the integer oracle.

use crate::exact::dyadic::{self, Dyadic, Exact, Number};
use crate::format::{Format, Rounded, Rounding};
use crate::target::Pair;
use num_bigint::BigInt;
use vernier::function::Op;

pub use crate::exact::dyadic::to_integer;

/// The exact result of an operation as the best pair: `hi = RN(z)`, `lo = RN(z - hi)`, and `lo = +0` where hi is special.
pub fn round_pair(op: Op, args: &[Pair], limb: Format) -> Pair {
    split(&dyadic::evaluate(op, args, false), limb)
}

/// A number as a pair of `limb`s (narrowing: double to `fp32mp2`, `fp64mp2` to `fp32mp2`).
pub fn narrow_pair(x: Pair, limb: Format) -> Pair {
    round_pair(Op::Canonical, &[x], limb)
}

/// A pair's value rounded once into `format`.
pub fn narrow(x: Pair, format: Format, rounding: Rounding) -> Rounded {
    dyadic::round(Op::Canonical, &[x], format, rounding)
}

/// A signed integer as a pair.
pub fn from_i128(v: i128, limb: Format) -> Pair {
    split(&integer(BigInt::from(v)), limb)
}

/// An unsigned integer as a pair.
pub fn from_u128(v: u128, limb: Format) -> Pair {
    split(&integer(BigInt::from(v)), limb)
}

/// An integer rounded into `format`.
pub fn round_i128(v: i128, format: Format, rounding: Rounding) -> Rounded {
    integer(BigInt::from(v)).round(format, rounding)
}

/// A binary128, given by its bits, as a pair.
pub fn from_binary128(bits: u128, limb: Format) -> Pair {
    split(&binary128(bits), limb)
}

/// A pair's value rounded to nearest into binary128, as its bits.
pub fn to_binary128(x: Pair) -> u128 {
    narrow(x, Format::F128, Rounding::Nearest).to_bits(Format::F128)
}

fn integer(v: BigInt) -> Exact {
    Exact::of(Dyadic::new(v, 0), false)
}

/// The exact value of a binary128.
pub fn binary128(bits: u128) -> Exact {
    let negative = bits >> 127 == 1;
    let fraction = bits & ((1 << 112) - 1);
    let (m, e) = match (bits >> 112) as i64 & 0x7fff {
        0x7fff if fraction != 0 => return Exact::Nan,
        0x7fff => return Exact::Infinite(negative),
        0 if fraction == 0 => return Exact::Zero(negative),
        0 => (fraction, -16494),
        biased => (fraction | 1 << 112, biased - 16495),
    };
    let m = BigInt::from(m);
    Exact::Finite(Number::Dyadic(Dyadic::new(if negative { -m } else { m }, e)))
}

/// `(RN(z), RN(z - RN(z)))`.
pub(crate) fn split(z: &Exact, limb: Format) -> Pair {
    let hi = z.round(limb, Rounding::Nearest).to_f64();
    let Exact::Finite(number) = z else {
        return (hi, 0.0);
    };
    if !hi.is_finite() {
        return (hi, 0.0);
    }
    (hi, number.minus(hi).round(limb, Rounding::Nearest).to_f64())
}
