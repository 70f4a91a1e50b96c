//! Exact reference on big integers: dyadic numbers, rounding by division, truncation.
//! Every test uses a part of it.

#![allow(dead_code)]

use num_bigint::{BigInt, BigUint, Sign};

/// An IEEE binary interchange format.
#[derive(Clone, Copy)]
pub struct Format {
    pub digits: u32,
    pub exponent_bits: u32,
}

pub const F32: Format = Format { digits: 24, exponent_bits: 8 };
pub const F64: Format = Format { digits: 53, exponent_bits: 11 };
pub const F128: Format = Format { digits: 113, exponent_bits: 15 };

impl Format {
    pub fn infinity(self) -> u128 {
        ((1 << self.exponent_bits) - 1) << (self.digits - 1)
    }
    pub fn nan(self) -> u128 {
        self.infinity() | 1 << (self.digits - 2)
    }
    pub fn sign(self) -> u128 {
        1 << (self.digits - 1 + self.exponent_bits)
    }
    /// Exponent of the smallest subnormal number.
    fn lowest(self) -> i32 {
        3 - (1 << (self.exponent_bits - 1)) - self.digits as i32
    }
}

/// What a number is.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Nan,
    Infinite(bool),
    /// A zero with its sign.
    Zero(bool),
    /// m 2^e, m not zero.
    Finite(BigInt, i32),
}

use Number::{Finite, Infinite, Nan, Zero};

/// The number these bits encode.
pub fn decode(bits: u128, f: Format) -> Number {
    let negative = bits & f.sign() != 0;
    let magnitude = bits & !f.sign();
    if magnitude > f.infinity() {
        return Nan;
    }
    if magnitude == f.infinity() {
        return Infinite(negative);
    }
    let fraction = magnitude % (1 << (f.digits - 1));
    let (m, e) = match (magnitude >> (f.digits - 1)) as i32 {
        0 => (fraction, f.lowest()),
        e => (fraction + (1 << (f.digits - 1)), f.lowest() + e - 1),
    };
    if m == 0 {
        return Zero(negative);
    }
    let m = BigInt::from(m);
    Finite(if negative { -m } else { m }, e)
}

/// a + b for finite numbers.
pub fn add(a: &Number, b: &Number) -> Number {
    match (a, b) {
        (Finite(m, e), Finite(n, f)) => {
            let low = *e.min(f);
            let sum = (m << (e - low)) + (n << (f - low));
            if sum.sign() == Sign::NoSign { Zero(false) } else { Finite(sum, low) }
        }
        (Zero(_), x) | (x, Zero(_)) => x.clone(),
        _ => panic!("not finite"),
    }
}

pub fn negate(x: &Number) -> Number {
    match x {
        Nan => Nan,
        Infinite(s) => Infinite(!s),
        Zero(s) => Zero(!s),
        Finite(m, e) => Finite(-m, *e),
    }
}

/// The value of a pair: hi or lo where one is not finite, else the sum; hi where lo is zero.
pub fn value(hi: u128, lo: u128, f: Format) -> Number {
    match (decode(hi, f), decode(lo, f)) {
        (special @ (Nan | Infinite(_)), _) | (_, special @ (Nan | Infinite(_))) => special,
        (hi, Zero(_)) => hi,
        (hi, lo) => add(&hi, &lo),
    }
}

/// RN(x), ties to even.
pub fn round(x: &Number, f: Format) -> u128 {
    let signed = |negative: bool, bits| if negative { bits | f.sign() } else { bits };
    match x {
        Nan => f.nan(),
        Infinite(s) => signed(*s, f.infinity()),
        Zero(s) => signed(*s, 0),
        Finite(m, e) => {
            let (sign, m) = m.clone().into_parts();
            let unit = (m.bits() as i32 + e - f.digits as i32).max(f.lowest());
            let steps = if unit <= *e {
                m << (e - unit)
            } else {
                let step = BigUint::from(1u8) << (unit - e);
                let (whole, tail) = (&m / &step, &m % &step);
                let odd = whole.bit(0);
                match (tail * 2u8).cmp(&step) {
                    std::cmp::Ordering::Less => whole,
                    std::cmp::Ordering::Equal if !odd => whole,
                    _ => whole + 1u8,
                }
            };
            let steps = u128::try_from(steps).unwrap();
            let bits = (((unit - f.lowest()) as u128) << (f.digits - 1)) + steps;
            signed(sign == Sign::Minus, bits.min(f.infinity()))
        }
    }
}

/// hi = RN(x), lo = RN(x - hi).
pub fn round_pair(x: &Number, f: Format) -> (u128, u128) {
    let hi = round(x, f);
    match decode(hi, f) {
        h @ Finite(..) => {
            let lo = round(&add(x, &negate(&h)), f);
            (hi, if lo == f.sign() { 0 } else { lo })
        }
        _ => (hi, 0),
    }
}

/// x truncated and saturated to [lowest, largest]; NaN gives 0.
pub fn truncate(x: &Number, lowest: &BigInt, largest: &BigInt) -> BigInt {
    match x {
        Nan | Zero(_) => BigInt::ZERO,
        Infinite(true) => lowest.clone(),
        Infinite(false) => largest.clone(),
        Finite(m, e) => {
            let whole = if *e >= 0 { m << *e } else { m / (BigInt::from(1u8) << -e) };
            whole.clamp(lowest.clone(), largest.clone())
        }
    }
}

/// An integer as a number.
pub fn integer(x: impl Into<BigInt>) -> Number {
    let x = x.into();
    if x.sign() == Sign::NoSign { Zero(false) } else { Finite(x, 0) }
}
