//! Unpacked numbers as exact ones, the reference of rounding to odd, and adversarial operands.

#![allow(dead_code)]

#[path = "../random/mod.rs"]
mod random;

use crate::exact::Number::{self, Finite, Infinite, Nan, Zero};
use core::num::Wrapping;
use num_bigint::{BigInt, BigUint, Sign};
pub use random::Random;
use vernier::emu::unpacked::{INFINITY, MAX_EXPONENT, MIN_EXPONENT, NAN, ZERO};
use vernier::host::Host;

/// Sign, exponent, significand.
pub type Triple = (u32, i32, u64);

type Words = (Wrapping<u32>, Wrapping<u32>, Wrapping<u64>);

pub fn words(x: Triple) -> Words {
    (Wrapping(x.0), Wrapping(x.1 as u32), Wrapping(x.2))
}

pub fn triple(x: Words) -> Triple {
    (x.0.0, x.1.0 as i32, x.2.0)
}

pub const NAN_TRIPLE: Triple = (0, NAN, 3 << 60);

pub fn infinity(negative: bool) -> Triple {
    (negative.into(), INFINITY, 1 << 61)
}

pub fn zero(negative: bool) -> Triple {
    (negative.into(), ZERO, 0)
}

pub fn unpack(x: f64) -> Triple {
    triple(vernier::emu::unpacked::unpack::<Host>(Wrapping(x.to_bits())))
}

/// The number that a triple stands for.
pub fn number(x: Triple) -> Number {
    match x.1 {
        NAN => Nan,
        INFINITY => Infinite(x.0 == 1),
        ZERO => Zero(x.0 == 1),
        e => {
            let m = BigInt::from(x.2);
            Finite(if x.0 == 1 { -m } else { m }, e - 1023 - 61)
        }
    }
}

/// The leading `digits` of a magnitude and the weight of the last one, which is 1 where others were cut off.
fn odd(m: &BigUint, e: i32, digits: u64) -> (u64, i32) {
    let n = m.bits() as i64 - digits as i64;
    if n <= 0 {
        return (u64::try_from(m << -n).unwrap(), e + n as i32);
    }
    let lost = m.trailing_zeros().unwrap() < n as u64;
    (u64::try_from(m >> n).unwrap() | u64::from(lost), e + n as i32)
}

/// A number rounded to odd at 62 digits, a zero or an infinity out of range.
pub fn rounded(x: &Number) -> Triple {
    match unbounded(x) {
        (sign, e, m) if m != 0 && e < MIN_EXPONENT => (sign, ZERO, 0),
        (sign, e, _) if e > MAX_EXPONENT && e < INFINITY => infinity(sign == 1),
        x => x,
    }
}

/// The same with any exponent.
pub fn unbounded(x: &Number) -> Triple {
    match x {
        Nan => NAN_TRIPLE,
        Infinite(s) => infinity(*s),
        Zero(s) => zero(*s),
        Finite(m, e) => {
            let (sign, m) = m.clone().into_parts();
            let negative = sign == Sign::Minus;
            let (m, e) = odd(&m, *e, 62);
            (negative.into(), e + 1023 + 61, m)
        }
    }
}

/// A finite number brought up to where it is only a little below the other one: sums keep their leading digits and whether
/// there are more.
fn near(m: &BigInt, e: i32, other: (&BigInt, i32)) -> (BigInt, i32) {
    let top = |m: &BigInt, e: i32| m.bits() as i64 + i64::from(e);
    let gap = top(other.0, other.1) - top(m, e);
    if gap > 400 { (m.clone(), e + (gap - 400) as i32) } else { (m.clone(), e) }
}

pub fn add(a: &Number, b: &Number) -> Number {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite(s), Infinite(t)) if s != t => Nan,
        (Infinite(s), _) | (_, Infinite(s)) => Infinite(*s),
        (Zero(s), Zero(t)) => Zero(*s && *t),
        (Finite(m, e), Finite(n, f)) => {
            let (m, e) = near(m, *e, (n, *f));
            let (n, f) = near(n, *f, (&m, e));
            crate::exact::add(&Finite(m, e), &Finite(n, f))
        }
        _ => crate::exact::add(a, b),
    }
}

pub fn negative(x: &Number) -> bool {
    match x {
        Nan => false,
        Infinite(s) | Zero(s) => *s,
        Finite(m, _) => m.sign() == Sign::Minus,
    }
}

pub fn mul(a: &Number, b: &Number) -> Number {
    let sign = negative(a) != negative(b);
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite(_), Zero(_)) | (Zero(_), Infinite(_)) => Nan,
        (Infinite(_), _) | (_, Infinite(_)) => Infinite(sign),
        (Zero(_), _) | (_, Zero(_)) => Zero(sign),
        (Finite(m, e), Finite(n, f)) => Finite(m * n, e + f),
    }
}

/// a / b to 200 digits and a last one that says whether there are more.
pub fn div(a: &Number, b: &Number) -> Number {
    let sign = negative(a) != negative(b);
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite(_), Infinite(_)) | (Zero(_), Zero(_)) => Nan,
        (Infinite(_), _) | (_, Zero(_)) => Infinite(sign),
        (Zero(_), _) | (_, Infinite(_)) => Zero(sign),
        (Finite(m, e), Finite(n, f)) => {
            let (m, n) = (m.magnitude() << 200, n.magnitude());
            let q = (&m / n) << 1 | BigUint::from(u8::from(&m % n != BigUint::ZERO));
            let q = BigInt::from(q);
            Finite(if sign { -q } else { q }, e - f - 201)
        }
    }
}

/// sqrt(a) to more than 100 digits and a last one that says whether there are more.
pub fn sqrt(a: &Number) -> Number {
    match a {
        Zero(_) | Infinite(false) => a.clone(),
        Finite(m, e) if m.sign() == Sign::Plus => {
            let n = 200 + (e & 1);
            let m = m.magnitude() << n;
            let s = m.sqrt();
            let s = (&s << 1) | BigUint::from(u8::from(&s * &s != m));
            Finite(BigInt::from(s), (e - n) / 2 - 1)
        }
        _ => Nan,
    }
}

/// |a - b| as a fraction of |c|, for finite numbers; c not 0.
pub fn relative(a: &Number, b: &Number, c: &Number) -> f64 {
    let difference = add(a, &crate::exact::negate(b));
    ratio(&difference, c)
}

/// |a / b| as a double.
pub fn ratio(a: &Number, b: &Number) -> f64 {
    match (a, b) {
        (Zero(_), _) => 0.0,
        (Finite(m, e), Finite(n, f)) => {
            let part = |m: &BigInt, e: i32| {
                let (m, e) = odd(m.magnitude(), e, 53);
                (m as f64, e)
            };
            let ((m, e), (n, f)) = (part(m, *e), part(n, *f));
            m / n * 2f64.powi((e - f).clamp(-1000, 1000))
        }
        _ => f64::INFINITY,
    }
}

impl Random {
    /// A significand of random, few, or next to few digits, and of a double's half of the time.
    pub fn significand(&mut self) -> u64 {
        let random = self.word() >> 2 | 1 << 61;
        let m = match self.below(8) {
            0 => 1 << 61,
            1 => (1 << 62) - 1,
            2 => random & u64::MAX << self.below(62),
            3 => (1 << 61 | 1 << self.below(61)) + self.below(3) - 1,
            4 => random | ((1 << self.below(40)) - 1),
            _ => random,
        };
        let m = if self.below(2) == 0 { m & !0x1ff } else { m };
        if m >> 61 == 1 { m } else { 1 << 61 }
    }

    pub fn exponent(&mut self) -> i32 {
        let (small, wide) = (self.below(7) as i32, self.below(4096) as i32);
        match self.below(16) {
            0 => MIN_EXPONENT + wide % 100,
            1 => MAX_EXPONENT - wide % 100,
            2 => MIN_EXPONENT / 2 + small + 500,
            3 => MAX_EXPONENT / 2 - small + 512,
            4 => wide - 2048,
            5 => 1 - wide % 70,
            6 => 2046 - small,
            7 | 8 => 1023 + wide % 140 - 70,
            _ => 1023 + small,
        }
    }

    pub fn any(&mut self) -> Triple {
        let sign = self.below(2) as u32;
        match self.below(40) {
            0 => zero(sign == 1),
            1 => infinity(sign == 1),
            2 => NAN_TRIPLE,
            _ => (sign, self.exponent(), self.significand()),
        }
    }

    /// A second operand: often near the first one or its negative, or a little below.
    pub fn beside(&mut self, x: Triple) -> Triple {
        let sign = self.below(2) as u32;
        if x.1 < MIN_EXPONENT || x.1 > MAX_EXPONENT || self.below(3) == 0 {
            return self.any();
        }
        let step = 1u64 << self.below(62);
        let m = match self.below(6) {
            0 => x.2,
            1 => x.2.wrapping_add(step).wrapping_sub(self.below(3)),
            2 => x.2.wrapping_sub(step),
            3 => x.2 << 1 | self.below(2),
            4 => x.2 >> 1,
            _ => self.significand(),
        };
        let m = m.max(1);
        let m = m << m.leading_zeros() >> 2;
        let e = x.1 + [0, 0, 0, 1, -1, -2, -3, -(self.below(130) as i32)][self.below(8) as usize];
        (sign, e.clamp(MIN_EXPONENT, MAX_EXPONENT), m)
    }
}
