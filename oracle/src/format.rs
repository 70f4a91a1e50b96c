//! Binary floating-point formats, rounding directions, and a rounded value.

use serde::{Deserialize, Serialize};

/// A binary format: `p` significand bits, numbers that are multiples of `2^emin` and below `2^(emax + 1)`.
///
/// `emin` is the exponent of the smallest subnormal step (-149 for binary32), not that of the smallest normal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Format {
    /// Significand bits, the leading one included; 2 to 113.
    pub p: u32,
    /// Exponent of the smallest subnormal step.
    pub emin: i32,
    /// Exponent of the last binade with finite numbers.
    pub emax: i32,
}

impl Format {
    /// IEEE binary16.
    pub const F16: Format = Format::new(11, -24, 15);
    /// bfloat16 with gradual underflow.
    pub const BF16: Format = Format::new(8, -133, 127);
    /// IEEE binary32.
    pub const F32: Format = Format::new(24, -149, 127);
    /// IEEE binary64.
    pub const F64: Format = Format::new(53, -1074, 1023);
    /// IEEE binary128.
    pub const F128: Format = Format::new(113, -16494, 16383);

    /// The format with these parameters.
    pub const fn new(p: u32, emin: i32, emax: i32) -> Format {
        Format { p, emin, emax }
    }

    /// `p` significand bits and an exponent range that no computation here leaves.
    pub const fn unbounded(p: u32) -> Format {
        Format::new(p, -(1 << 26), 1 << 26)
    }

    /// The IEEE format with `exponent` exponent bits and `fraction` stored significand bits; `exponent` in 2..=15.
    pub const fn ieee(exponent: u32, fraction: u32) -> Format {
        let emax = (1 << (exponent - 1)) - 1;
        Format::new(fraction + 1, 1 - emax - fraction as i32, emax)
    }
}

/// Rounding direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Rounding {
    /// To nearest, ties to even (RN).
    Nearest,
    /// Toward zero (RZ).
    Zero,
    /// Toward +inf (RU).
    Up,
    /// Toward -inf (RD).
    Down,
}

impl Rounding {
    /// All four directions.
    pub const ALL: [Rounding; 4] = [Rounding::Nearest, Rounding::Zero, Rounding::Up, Rounding::Down];
}

/// A value of some [`Format`]. A finite one is `(-1)^negative * significand * 2^exponent` with an odd significand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Rounded {
    /// Not a number, as one class.
    Nan,
    /// An infinity.
    Infinite {
        /// Sign.
        negative: bool,
    },
    /// A zero.
    Zero {
        /// Sign.
        negative: bool,
    },
    /// A nonzero number.
    Finite {
        /// Sign.
        negative: bool,
        /// Odd significand.
        significand: u128,
        /// Exponent of the significand's last bit.
        exponent: i32,
    },
}

impl Rounded {
    /// The value as an f64: exact where the value is an f64, so for every value of a format inside binary64.
    pub fn to_f64(self) -> f64 {
        let (negative, magnitude) = match self {
            Rounded::Nan => return f64::NAN,
            Rounded::Infinite { negative } => (negative, f64::INFINITY),
            Rounded::Zero { negative } => (negative, 0.0),
            Rounded::Finite { negative, significand, exponent } => (negative, scale(significand as f64, exponent)),
        };
        if negative { -magnitude } else { magnitude }
    }

    /// The interchange encoding in an IEEE format (`emax = 2^(w-1) - 1`); NaN is the quiet one with a zero payload.
    pub fn to_bits(self, format: Format) -> u128 {
        let fraction = format.p - 1;
        let exponent_mask = 2 * format.emax as u128 + 1;
        let sign_at = fraction + exponent_mask.count_ones();
        let (negative, magnitude) = match self {
            Rounded::Nan => (false, exponent_mask << fraction | 1 << (fraction - 1)),
            Rounded::Infinite { negative } => (negative, exponent_mask << fraction),
            Rounded::Zero { negative } => (negative, 0),
            Rounded::Finite { negative, significand, exponent } => {
                let top = exponent + significand.ilog2() as i32;
                let normal_min = format.emin + fraction as i32;
                let last = (top - fraction as i32).max(format.emin);
                let m = significand << (exponent - last);
                let biased = (top.max(normal_min) - normal_min) as u128;
                (negative, (biased << fraction) + m)
            }
        };
        (negative as u128) << sign_at | magnitude
    }
}

/// `x * 2^n` with one rounding, for `x` zero or `2^-20 <= |x| < 2^200`.
pub(crate) fn scale(x: f64, n: i32) -> f64 {
    match n {
        ..-2022 => x * 0.0,
        -2022..-1000 => x * power_of_two(-1000) * power_of_two(n + 1000),
        -1000..=1023 => x * power_of_two(n),
        1024..2000 => x * power_of_two(1000) * power_of_two(n - 1000),
        2000.. => x * f64::INFINITY,
    }
}

/// `2^n` for `n` in -1022..=1023.
pub(crate) fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// `floor(log2 |x|)` of a finite nonzero number; -1075 for zero, 1024 where x is not finite.
#[inline(always)]
pub(crate) fn exponent(x: f64) -> i32 {
    let magnitude = x.to_bits() & (u64::MAX >> 1);
    if magnitude >> 52 == 0 {
        // Subnormal: the fraction's leading bit counts from 2^-1074.
        63 - magnitude.leading_zeros() as i32 - 1074
    } else {
        (magnitude >> 52) as i32 - 1023
    }
}
