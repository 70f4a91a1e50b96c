//! Limbs of a format, held as f64: their bits, their neighbours, and normalised pairs of them.

use crate::convert::narrow;
use crate::format::{self, Format, Rounding};
use crate::target::Pair;

/// Number of bits of the interchange encoding.
pub fn width(f: Format) -> u32 {
    f.p + (2 * f.emax + 1).count_ones()
}

/// Interchange encoding of a number of the format; NaN keeps no payload but in binary64.
#[inline(always)]
pub fn to_bits(x: f64, f: Format) -> u64 {
    if f == Format::F64 {
        x.to_bits()
    } else if f == Format::F32 {
        (x as f32).to_bits().into()
    } else {
        narrow((x, 0.0), f, Rounding::Nearest).to_bits(f) as u64
    }
}

/// The number with an encoding; bits beyond the encoding are ignored.
#[inline(always)]
pub fn from_bits(bits: u64, f: Format) -> f64 {
    if f == Format::F64 {
        f64::from_bits(bits)
    } else if f == Format::F32 {
        f32::from_bits(bits as u32).into()
    } else {
        decode(bits, f)
    }
}

fn decode(bits: u64, f: Format) -> f64 {
    let fraction_bits = f.p - 1;
    let special = (2 * f.emax + 1) as u64;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let biased = bits >> fraction_bits & special;
    let magnitude = match (biased, fraction) {
        (0, _) => format::scale(fraction as f64, f.emin),
        (b, 0) if b == special => f64::INFINITY,
        (b, _) if b == special => f64::NAN,
        (b, _) => format::scale((fraction | 1 << fraction_bits) as f64, f.emin + b as i32 - 1),
    };
    if bits >> (width(f) - 1) & 1 == 1 { -magnitude } else { magnitude }
}

/// `2^exponent (1 + fraction / 2^(p - 1))`: truncated where subnormal, in the last binade where too large.
#[inline(always)]
pub fn compose(negative: bool, exponent: i32, fraction: u64, f: Format) -> f64 {
    let biased = exponent.min(f.emax) - (f.emin + f.p as i32 - 2);
    let fraction = fraction & ((1 << (f.p - 1)) - 1);
    let magnitude = if biased >= 1 {
        (biased as u64) << (f.p - 1) | fraction
    } else {
        (fraction | 1 << (f.p - 1)).checked_shr((1 - biased) as u32).unwrap_or(0)
    };
    from_bits(magnitude | u64::from(negative) << (width(f) - 1), f)
}

/// The number `n` places further up among the numbers of the format, the zeros being one place; not past the infinities.
#[inline(always)]
pub fn step(x: f64, n: i64, f: Format) -> f64 {
    if x.is_nan() {
        return x;
    }
    let sign = 1 << (width(f) - 1);
    let last = to_bits(f64::INFINITY, f) as i64;
    let bits = to_bits(x, f);
    let place = if bits & sign == 0 { bits as i64 } else { -((bits ^ sign) as i64) };
    let place = place.saturating_add(n).clamp(-last, last);
    from_bits(if place < 0 { place.unsigned_abs() | sign } else { place as u64 }, f)
}

/// `RN(x)` in the format.
#[inline(always)]
pub fn round(x: f64, f: Format) -> f64 {
    if f == Format::F64 {
        x
    } else if f == Format::F32 {
        x as f32 as f64
    } else {
        narrow((x, 0.0), f, Rounding::Nearest).to_f64()
    }
}

/// `RN(x + y)` in the format (the first rounding, to binary64, is harmless for p <= 25: Figueroa 1995).
#[inline(always)]
pub fn sum(x: f64, y: f64, f: Format) -> f64 {
    round(x + y, f)
}

/// Whether `hi = RN(hi + lo)`, both finite.
#[inline(always)]
pub fn is_normalized((hi, lo): Pair, f: Format) -> bool {
    hi.is_finite() && lo.is_finite() && sum(hi, lo, f) == hi
}

/// The normalised pair of the same value; `(hi, 0)` where there is none.
#[inline(always)]
pub fn normalize((hi, lo): Pair, f: Format) -> Pair {
    let s = sum(hi, lo, f);
    if !s.is_finite() {
        return (hi, 0.0);
    }
    let (large, small) = if hi.abs() >= lo.abs() { (hi, lo) } else { (lo, hi) };
    (s, small - (s - large))
}
