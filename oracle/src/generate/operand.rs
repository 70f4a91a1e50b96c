//! One operand: significands, and lo under a given hi.

use super::counter::Words;
use super::limb::{self, compose};
use crate::format::{Format, exponent};
use crate::target::Pair;

/// How significands are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Uniform.
    Uniform,
    /// Where roundings cost most: near powers of two, near simple fractions and sqrt(2), few bits, lo near half an ulp of hi.
    Structured,
}

/// Significands around which relative errors peak or binades of results change, as multiples of 2^-62.
const CENTERS: [u64; 7] = [
    0x5a82_7999_fcef_3242, // sqrt(2)
    0x6000_0000_0000_0000, // 3/2
    0x5555_5555_5555_5555, // 4/3
    0x6aaa_aaaa_aaaa_aaab, // 5/3
    0x5000_0000_0000_0000, // 5/4
    0x7000_0000_0000_0000, // 7/4
    0x4ccc_cccc_cccc_cccd, // 6/5
];

/// A fraction: `p - 1` bits of a significand.
#[inline]
pub(crate) fn fraction(w: &mut Words, style: Style, f: Format) -> u64 {
    let bits = f.p - 1;
    let mask = (1u64 << bits) - 1;
    let any = w.next();
    if style == Style::Uniform {
        return any >> (64 - bits);
    }
    let near = w.sized(bits - 1);
    let value = match any % 8 {
        0..=2 => w.next(),
        3 => near,
        4 => mask - near,
        5 | 6 => {
            let center = CENTERS[(any >> 8) as usize % CENTERS.len()] >> (62 - bits);
            let near = near.min(1 << bits >> 3);
            if any >> 16 & 1 == 0 { center.wrapping_add(near) } else { center.wrapping_sub(near) }
        }
        _ => (1 << w.below(bits.into())) ^ (1 << w.below(bits.into())),
    };
    value & mask
}

/// A lo with `hi = RN(hi + lo)`: below half an ulp of hi, or exactly half where hi is even; 0 under 0.
#[inline]
pub(crate) fn lo(w: &mut Words, hi: f64, style: Style, f: Format) -> f64 {
    if hi == 0.0 || !hi.is_finite() {
        return 0.0;
    }
    let half_ulp = exponent(hi) - f.p as i32;
    let any = w.next();
    let negative = any & 1 == 1;
    let size = if style == Style::Uniform {
        let gap = if any & 6 == 0 { w.sized(6) as i32 } else { 0 };
        compose(negative, half_ulp - 1 - gap, any >> 8, f)
    } else {
        let half = compose(negative, half_ulp, 0, f);
        let inward = |steps: u64| if negative { steps as i64 } else { -(steps as i64) };
        match (any >> 1) % 8 {
            0 => limb::step(half, inward(w.below(256)), f),
            1 | 2 => limb::step(half, inward(w.sized(f.p)), f),
            3 => {
                let simple = compose(negative, half_ulp - 1, w.pick(&[0, 4, 6, 2]) << (f.p - 4), f);
                limb::step(simple, w.below(9) as i64 - 4, f)
            }
            4 | 5 => compose(negative, half_ulp - 1 - w.below(3) as i32, any >> 8, f),
            6 => limb::step(half, inward(w.below(4)), f),
            _ => compose(negative, half_ulp - 1 - w.below(u64::from(f.p) + 4) as i32, any >> 8, f),
        }
    };
    under(hi, size, f)
}

/// `lo`, or a quarter of it where it is too large for hi (a power of two, or odd at half an ulp).
#[inline]
pub(crate) fn under(hi: f64, lo: f64, f: Format) -> f64 {
    if limb::is_normalized((hi, lo), f) {
        return lo;
    }
    let smaller = limb::round(lo * 0.25, f);
    if limb::is_normalized((hi, smaller), f) { smaller } else { 0.0 }
}

/// A number of binade `2^exponent`, either sign.
#[inline]
pub(crate) fn number(w: &mut Words, exponent: i32, style: Style, f: Format) -> f64 {
    let negative = w.next() >> 63 == 1;
    compose(negative, exponent, fraction(w, style, f), f)
}

/// A normalised pair with hi in binade `2^exponent`.
#[inline]
pub(crate) fn pair(w: &mut Words, exponent: i32, style: Style, f: Format) -> Pair {
    let hi = number(w, exponent, style, f);
    (hi, lo(w, hi, style, f))
}

/// Any finite number: exponents are as likely as each other, and subnormal numbers as one of them.
#[inline]
pub(crate) fn any_exponent(w: &mut Words, f: Format) -> f64 {
    let exponents = (2 * f.emax + 1) as u64;
    let any = w.next();
    let fraction = any >> (65 - f.p);
    let biased = w.below(exponents);
    let sign = any & 1;
    limb::from_bits(biased << (f.p - 1) | fraction | sign << (limb::width(f) - 1), f)
}
