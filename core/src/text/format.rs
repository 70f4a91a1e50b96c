//! Bits of a limb to significand and exponent, and back.

use crate::double_word::HostLimb;
use crate::machine::Limb;

/// An IEEE 754 binary interchange format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// Significand digits, the implicit one included.
    pub(crate) p: u32,
    /// Exponent of the smallest subnormal number, 2^eta.
    pub(crate) eta: i32,
    /// Bits of infinity.
    pub(crate) inf: u64,
}

impl Format {
    /// The format of a limb.
    pub(crate) fn of<F: HostLimb>() -> Self {
        let p = <F as Limb>::P;
        let exponent_bits = 8 * size_of::<F>() as u32 - p;
        Self { p, eta: <F as Limb>::MIN_EXP - p as i32 + 1, inf: ((1 << exponent_bits) - 1) << (p - 1) }
    }

    /// The sign bit.
    pub(crate) fn sign(&self) -> u64 {
        (self.inf << 1) & !self.inf
    }

    /// The quiet NaN without sign or payload.
    pub(crate) fn nan(&self) -> u64 {
        self.inf | 1 << (self.p - 2)
    }
}

/// A magnitude m * 2^q, m < 2^p, with the smallest q of the format that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Magnitude {
    pub(crate) m: u64,
    pub(crate) q: i32,
}

impl Magnitude {
    /// From the bits of a finite number, sign bit clear.
    pub(crate) fn decode(bits: u64, f: &Format) -> Self {
        let fraction = bits & ((1 << (f.p - 1)) - 1);
        match (bits >> (f.p - 1)) as i32 {
            0 => Self { m: fraction, q: f.eta },
            e => Self { m: fraction | 1 << (f.p - 1), q: f.eta + e - 1 },
        }
    }

    /// The bits; past the largest finite number they are `f.inf` or more.
    pub(crate) fn encode(self, f: &Format) -> u64 {
        // The implicit bit of m adds one to the exponent field, as it must.
        (((self.q - f.eta) as u64) << (f.p - 1)) + self.m
    }

    /// A power of two below which the spacing of the format halves.
    pub(crate) fn starts_binade(self, f: &Format) -> bool {
        self.m == 1 << (f.p - 1) && self.q > f.eta
    }
}
