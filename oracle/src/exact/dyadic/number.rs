//! Dyadic numbers `m * 2^e` on big integers.

use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;

/// `m * 2^e`, kept with an odd `m`, or `m = 0` and `e = 0`: equal numbers have equal parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dyadic {
    m: BigInt,
    e: i64,
}

impl Dyadic {
    /// `m * 2^e`.
    pub fn new(m: BigInt, e: i64) -> Dyadic {
        match m.trailing_zeros() {
            None => Dyadic { m, e: 0 },
            Some(0) => Dyadic { m, e },
            Some(zeros) => Dyadic { m: m >> zeros, e: e + zeros as i64 },
        }
    }

    /// `m` and `e` of `m * 2^e`; `m` is odd or 0.
    pub fn parts(&self) -> (&BigInt, i64) {
        (&self.m, self.e)
    }

    /// Zero.
    pub fn zero() -> Dyadic {
        Dyadic::new(BigInt::ZERO, 0)
    }

    /// One.
    pub fn one() -> Dyadic {
        Dyadic::new(BigInt::from(1), 0)
    }

    /// A finite f64; what is not finite counts as zero.
    pub fn from_f64(x: f64) -> Dyadic {
        let bits = x.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let (m, e) = match (bits >> 52) & 0x7ff {
            0x7ff => (0, 0),
            0 => (fraction, -1074),
            biased => (fraction | 1 << 52, biased as i64 - 1075),
        };
        let m = BigInt::from(m);
        Dyadic::new(if x.is_sign_negative() { -m } else { m }, e)
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.m.sign() == Sign::NoSign
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.m.sign() == Sign::Minus
    }

    /// Whether its absolute value is a power of two.
    pub fn is_power_of_two(&self) -> bool {
        self.m.bits() == 1
    }

    /// `floor(log2 |x|)` of a nonzero number.
    pub fn magnitude(&self) -> i64 {
        self.m.bits() as i64 - 1 + self.e
    }

    /// `x + y`.
    pub fn add(&self, other: &Dyadic) -> Dyadic {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let e = self.e.min(other.e);
        Dyadic::new((&self.m << (self.e - e)) + (&other.m << (other.e - e)), e)
    }

    /// `x * y`.
    pub fn mul(&self, other: &Dyadic) -> Dyadic {
        Dyadic::new(&self.m * &other.m, self.e + other.e)
    }

    /// `-x`.
    pub fn neg(&self) -> Dyadic {
        Dyadic { m: -&self.m, e: self.e }
    }

    /// `|x|`.
    pub fn abs(&self) -> Dyadic {
        Dyadic { m: BigInt::from(self.m.magnitude().clone()), e: self.e }
    }

    /// `x * 2^n`.
    pub fn shifted(&self, n: i64) -> Dyadic {
        Dyadic::new(self.m.clone(), self.e + n)
    }

    /// The number with one more bit set, below its last one by at least 500 places.
    pub(crate) fn with_sticky(&self) -> Dyadic {
        let m = &self.m << 500u32;
        let m = if self.is_negative() { m - 1 } else { m + 1 };
        Dyadic::new(m, self.e - 500)
    }

    /// Order of values.
    pub fn compare(&self, other: &Dyadic) -> Ordering {
        self.add(&other.neg()).m.sign().cmp(&Sign::NoSign)
    }

    /// `floor(|x| / 2^q)`, and whether that cut something off.
    pub fn floor_at(&self, q: i64) -> (BigUint, bool) {
        let m = self.m.magnitude();
        if self.e >= q {
            return (m << (self.e - q), false);
        }
        (m >> (q - self.e), !self.is_zero())
    }

    /// `x / y * 2^n` of numbers `x >= 0`, `y > 0`, to a relative 2^-52; what leaves the f64 range ends at its largest or smallest
    /// positive normal number.
    pub fn ratio(&self, y: &Dyadic, n: i64) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        // 64 to 66 quotient bits.
        let shift = 65 - (self.m.bits() as i64 - y.m.bits() as i64);
        let (x_m, y_m) = (self.m.magnitude(), y.m.magnitude());
        let quotient = if shift >= 0 { (x_m << shift) / y_m } else { x_m / (y_m << -shift) };
        let quotient = u128::try_from(quotient).expect("at most 66 bits") as f64;
        let exponent = (self.e - y.e - shift + n).clamp(-4000, 4000) as i32;
        crate::format::scale(quotient, exponent).clamp(f64::MIN_POSITIVE, f64::MAX)
    }
}

/// Integers with the quotient `|x| / |y|`.
pub fn aligned(x: &Dyadic, y: &Dyadic) -> (BigUint, BigUint) {
    let e = x.e.min(y.e);
    (x.m.magnitude() << (x.e - e), y.m.magnitude() << (y.e - e))
}
