//! A float of a few significand bits and unbounded exponent, for exhaustive checks of error bounds.
//!
//! With 3 to 5 bits every pair of double-word operands can be tried, so a bound that holds for every precision is
//! checked, not sampled.

use crate::host::Host;
use crate::machine::{Limb, Value};
use core::cmp::Ordering;
use core::ops::{Add, Mul, Neg, Sub};

/// A float of `P` significand bits, 2 <= P <= 12, round to nearest even, without underflow or overflow as long as
/// exponents stay within ±400.
///
/// The value is held as a double. Sums and fused products are rounded once, from the exact value; quotients and
/// roots are rounded to 53 bits first, which is harmless since 53 >= 2P + 2 (Figueroa 1995).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Tiny<const P: u32>(f64);

impl<const P: u32> Tiny<P> {
    /// The tiny float nearest to `x`.
    pub fn round(x: f64) -> Self {
        Self::round_sum(x, 0.0)
    }

    /// The value as a double.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The tiny float nearest to s + e, where |e| is at most half an ulp of the double s.
    fn round_sum(s: f64, e: f64) -> Self {
        const { assert!(P >= 2 && P <= 12) };
        if s == 0.0 || !s.is_finite() {
            return Self(s);
        }
        let drop = 53 - P;
        let bits = s.to_bits();
        let tail = bits & ((1 << drop) - 1);
        let half = 1 << (drop - 1);
        let down = f64::from_bits(bits - tail);
        let up = f64::from_bits(bits - tail + (1 << drop));
        let beyond = if s > 0.0 { e } else { -e };
        let order = tail.cmp(&half).then(if beyond > 0.0 {
            Ordering::Greater
        } else if beyond < 0.0 {
            Ordering::Less
        } else {
            Ordering::Equal
        });
        let odd = (bits >> drop) & 1 == 1;
        // A tail of zero with e of the other sign lies below `down`, far nearer to it than to any neighbour.
        Self(match order {
            Ordering::Less => down,
            Ordering::Greater => up,
            Ordering::Equal if odd => up,
            Ordering::Equal => down,
        })
    }

    fn sum(a: f64, b: f64) -> Self {
        let (s, e) = crate::eft::two_sum(a, b);
        Self::round_sum(s, e)
    }
}

impl<const P: u32> Value for Tiny<P> {
    type M = Host;
    fn select(m: bool, a: Self, b: Self) -> Self {
        if m { a } else { b }
    }
}

impl<const P: u32> Add for Tiny<P> {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self::sum(self.0, b.0)
    }
}

impl<const P: u32> Sub for Tiny<P> {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self::sum(self.0, -b.0)
    }
}

impl<const P: u32> Mul for Tiny<P> {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Self::round(self.0 * b.0)
    }
}

impl<const P: u32> Neg for Tiny<P> {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<const P: u32> Limb for Tiny<P> {
    const P: u32 = P;
    // Unbounded: 2^MIN_EXP is 0 and 2^SCALE_LIMIT infinite as doubles, so no slow path is ever taken for range.
    const MIN_EXP: i32 = -4000;
    const SCALE_LIMIT: i32 = 4000;
    const SCALE: i32 = 0;
    const DIV_RANGE: (i32, i32) = (-4000, 4000);

    fn lit(x: f64) -> Self {
        Self::round(x)
    }
    fn fma(self, b: Self, c: Self) -> Self {
        Self::sum(self.0 * b.0, c.0)
    }
    fn sqrt(self) -> Self {
        Self::round(Limb::sqrt(self.0))
    }
    fn rcp(self) -> Self {
        Self::round(1.0 / self.0)
    }
    fn div(self, b: Self) -> Self {
        Self::round(self.0 / b.0)
    }
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    fn copysign(self, sign: Self) -> Self {
        Self(self.0.copysign(sign.0))
    }
    fn lt(self, b: Self) -> bool {
        self.0 < b.0
    }
    fn le(self, b: Self) -> bool {
        self.0 <= b.0
    }
    fn eq(self, b: Self) -> bool {
        self.0 == b.0
    }
}
