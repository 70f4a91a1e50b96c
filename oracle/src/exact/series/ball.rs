//! Balls: a dyadic number and how far from it the exact one may be.

use crate::exact::dyadic::Dyadic;
use num_bigint::{BigInt, BigUint, Sign};

/// The numbers from (m - r) 2^e to (m + r) 2^e.
#[derive(Clone, Debug)]
pub struct Ball {
    m: BigInt,
    r: BigUint,
    e: i64,
}

impl Ball {
    /// A number, exactly.
    pub fn exact(x: &Dyadic) -> Ball {
        let (m, e) = x.parts();
        Ball { m: m.clone(), r: BigUint::ZERO, e }
    }

    /// An integer.
    pub fn int(n: i64) -> Ball {
        Ball { m: BigInt::from(n), r: BigUint::ZERO, e: 0 }
    }

    /// Whether it is 0 and nothing else.
    pub fn is_zero(&self) -> bool {
        self.m.sign() == Sign::NoSign && self.r == BigUint::ZERO
    }

    /// The sign of all its numbers, where they have the same.
    pub fn sign(&self) -> Option<Sign> {
        (self.is_zero() || *self.m.magnitude() > self.r).then(|| self.m.sign())
    }

    /// Whether a number, rounded to nearest to `digits` bits, may have been one of its.
    pub fn holds(&self, x: &Dyadic, digits: u32) -> bool {
        let half_ulp = Ball::exact(x).shifted(-i64::from(digits));
        let distance = self.clone().widened(&half_ulp).sub(&Ball::exact(x));
        *distance.m.magnitude() <= distance.r
    }

    /// Whether r is at most 2^-p of m.
    pub fn is_known_to(&self, p: u64) -> bool {
        &self.r << p <= *self.m.magnitude()
    }

    /// All numbers are below 2^bound in magnitude.
    pub fn bound(&self) -> i64 {
        if self.is_zero() { i64::MIN } else { (self.m.magnitude() + &self.r).bits() as i64 + self.e }
    }

    /// With a midpoint of at most `p` bits.
    pub fn round(self, p: u64) -> Ball {
        let cut = self.m.bits().saturating_sub(p);
        if cut == 0 {
            return self;
        }
        // One unit for what is cut off m, one for r.
        Ball { m: self.m >> cut, r: (self.r >> cut) + 2u32, e: self.e + cut as i64 }
    }

    /// As wide as to hold the sum with any number no larger than `error` has.
    pub fn widened(self, error: &Ball) -> Ball {
        if error.is_zero() {
            return self;
        }
        let bound = error.bound() - self.e;
        let r = if bound > 0 { BigUint::from(1u32) << bound } else { BigUint::from(1u32) };
        Ball { r: self.r + r, ..self }
    }

    /// -x.
    pub fn neg(&self) -> Ball {
        Ball { m: -&self.m, ..self.clone() }
    }

    /// x + y.
    pub fn add(&self, y: &Ball) -> Ball {
        let e = self.e.min(y.e);
        let (i, j) = (self.e - e, y.e - e);
        Ball { m: (&self.m << i) + (&y.m << j), r: (&self.r << i) + (&y.r << j), e }
    }

    /// x - y.
    pub fn sub(&self, y: &Ball) -> Ball {
        self.add(&y.neg())
    }

    /// x y, to `p` bits.
    pub fn mul(&self, y: &Ball, p: u64) -> Ball {
        let r = self.m.magnitude() * &y.r + y.m.magnitude() * &self.r + &self.r * &y.r;
        Ball { m: &self.m * &y.m, r, e: self.e + y.e }.round(p)
    }

    /// x 2^n.
    pub fn shifted(self, n: i64) -> Ball {
        Ball { e: self.e + n, ..self }
    }

    /// x / n, to `p` bits.
    pub fn over(&self, n: u64, p: u64) -> Ball {
        if self.is_zero() {
            return self.clone();
        }
        let k = (p + 64).saturating_sub(self.m.bits());
        // Toward zero; one unit for what is cut off m, one for r.
        Ball { m: (&self.m << k) / n, r: (&self.r << k) / n + 2u32, e: self.e - k as i64 }.round(p)
    }

    /// x / y, to `p` bits; none where y may be 0.
    pub fn div(&self, y: &Ball, p: u64) -> Option<Ball> {
        let (a, b) = (self.m.magnitude(), y.m.magnitude());
        if *b <= y.r {
            return None;
        }
        if self.is_zero() {
            return Some(self.clone());
        }
        let k = (p + b.bits()).saturating_sub(a.bits()) + 1;
        let r = ((a * &y.r + b * &self.r) << k) / (b * (b - &y.r)) + 2u32;
        Some(Ball { m: (&self.m << k) / &y.m, r, e: self.e - y.e - k as i64 })
    }

    /// sqrt(x), to `p` bits; none where x may be negative.
    pub fn sqrt(&self, p: u64) -> Option<Ball> {
        if self.is_zero() {
            return Some(self.clone());
        }
        if self.sign() != Some(Sign::Plus) {
            return None;
        }
        let k = (2 * p).saturating_sub(self.m.bits()) + 2;
        let k = k + (self.e - k as i64).rem_euclid(2) as u64;
        let s = (self.m.magnitude() << k).sqrt();
        // The root differs from that of m by at most r / sqrt(m).
        let r = (&self.r << k) / &s + 2u32;
        Some(Ball { m: s.into(), r, e: (self.e - k as i64) / 2 })
    }

    /// The cube root of a number, to `p` bits.
    pub fn cbrt(x: &Dyadic, p: u64) -> Ball {
        let (m, e) = x.parts();
        let k = (3 * p).saturating_sub(m.bits()) + 3;
        let k = k + (e - k as i64).rem_euclid(3) as u64;
        let root = BigInt::from_biguint(m.sign(), (m.magnitude() << k).cbrt());
        Ball { m: root, r: BigUint::from(1u32), e: (e - k as i64) / 3 }
    }

    /// The integer nearest to the midpoint, or next to that one.
    pub fn nearest(&self) -> BigInt {
        let half = Ball { m: BigInt::from(1), r: BigUint::ZERO, e: -1 };
        let m = self.add(&half);
        if m.e >= 0 { m.m << m.e } else { m.m >> -m.e }
    }
}
