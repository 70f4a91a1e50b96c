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
//! limbs use it as well). There is no allocation; the stack in use stays below 8 KiB.

mod digits;
mod fixed;
mod parse;
mod print;

pub use parse::{Expected, ParseError, parse_pair};
pub use print::{fmt_display, fmt_exp};

/// A limb whose pairs can be read and written as decimal text: `f32` or `f64`.
pub trait Binary: format::Raw {}

impl Binary for f32 {}
impl Binary for f64 {}

mod format {
    /// An IEEE 754 binary interchange format.
    #[derive(Clone, Copy, Debug)]
    pub struct Format {
        /// Significand digits, the implicit one included.
        pub p: u32,
        /// Exponent of the smallest subnormal number, 2^eta.
        pub eta: i32,
        /// Bits of infinity.
        pub inf: u64,
    }

    pub trait Raw: Copy {
        const FORMAT: Format;
        fn raw(self) -> u64;
        fn from_raw(bits: u64) -> Self;
    }

    impl Raw for f32 {
        const FORMAT: Format = Format { p: 24, eta: -149, inf: 0xff << 23 };
        fn raw(self) -> u64 {
            u64::from(self.to_bits())
        }
        fn from_raw(bits: u64) -> Self {
            f32::from_bits(bits as u32)
        }
    }

    impl Raw for f64 {
        const FORMAT: Format = Format { p: 53, eta: -1074, inf: 0x7ff << 52 };
        fn raw(self) -> u64 {
            self.to_bits()
        }
        fn from_raw(bits: u64) -> Self {
            f64::from_bits(bits)
        }
    }

    impl Format {
        /// The sign bit.
        pub const fn sign(&self) -> u64 {
            (self.inf << 1) & !self.inf
        }

        /// The quiet NaN without sign or payload.
        pub const fn nan(&self) -> u64 {
            self.inf | 1 << (self.p - 2)
        }
    }

    /// A magnitude m * 2^q, m < 2^p, as small a q as the format allows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Magnitude {
        pub m: u64,
        pub q: i32,
    }

    impl Magnitude {
        /// From the bits of a finite number, sign bit clear.
        pub fn decode(bits: u64, f: &Format) -> Self {
            let fraction = bits & ((1 << (f.p - 1)) - 1);
            match (bits >> (f.p - 1)) as i32 {
                0 => Self { m: fraction, q: f.eta },
                e => Self { m: fraction | 1 << (f.p - 1), q: f.eta + e - 1 },
            }
        }

        /// The bits; past the largest finite number they are `f.inf` or more.
        pub fn encode(self, f: &Format) -> u64 {
            // The implicit bit of m adds one to the exponent field, as it must.
            (((self.q - f.eta) as u64) << (f.p - 1)) + self.m
        }

        /// A power of two below which the spacing of the format halves.
        pub fn starts_binade(self, f: &Format) -> bool {
            self.m == 1 << (f.p - 1) && self.q > f.eta
        }
    }
}
