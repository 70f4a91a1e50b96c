//! The definitions of the exact functions, on dyadic numbers.

use super::exact::{self, Number, Number::*, add, negate};
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use vernier::HostLimb;

fn finite(m: BigInt, e: i32, zero_minus: bool) -> Number {
    if m.sign() == Sign::NoSign { Zero(zero_minus) } else { Finite(m, e) }
}

pub fn is_minus(x: &Number) -> bool {
    match x {
        Nan => false,
        Infinite(s) | Zero(s) => *s,
        Finite(m, _) => m.sign() == Sign::Minus,
    }
}

pub fn with_sign(x: &Number, minus: bool) -> Number {
    if is_minus(x) == minus { x.clone() } else { negate(x) }
}

/// None for NaN.
pub fn order(x: &Number, y: &Number) -> Option<Ordering> {
    let rank = |x: &Number| if let Infinite(s) = x { if *s { -1 } else { 1 } } else { 0 };
    match (x, y) {
        (Nan, _) | (_, Nan) => None,
        _ if rank(x) != 0 || rank(y) != 0 => Some(rank(x).cmp(&rank(y))),
        _ => Some(match add(x, &negate(y)) {
            Finite(m, _) => m.cmp(&BigInt::ZERO),
            _ => Ordering::Equal,
        }),
    }
}

/// floor(m 2^e).
fn floor_of(m: &BigInt, e: i32) -> BigInt {
    if e >= 0 { m << e } else { m >> -e }
}

/// The integer at `x` by a rule on m, e, of which e is negative.
fn integral(x: &Number, rule: impl Fn(&BigInt, i32) -> BigInt) -> Number {
    match x {
        Finite(m, e) if *e < 0 => finite(rule(m, *e), 0, is_minus(x)),
        _ => x.clone(),
    }
}

pub fn floor(x: &Number) -> Number {
    integral(x, floor_of)
}

pub fn trunc(x: &Number) -> Number {
    with_sign(&floor(&with_sign(x, false)), is_minus(x))
}

pub fn round(x: &Number) -> Number {
    // floor(|x| + 1/2)
    let half = |m: &BigInt, e: i32| floor_of(&((m << 1) + (BigInt::from(1) << -e)), e - 1);
    with_sign(&integral(&with_sign(x, false), half), is_minus(x))
}

pub fn rint(x: &Number) -> Number {
    integral(x, |m, e| {
        let down = floor_of(m, e);
        let twice: BigInt = (m - (&down << -e)) << 1;
        let up = match twice.cmp(&(BigInt::from(1) << -e)) {
            Ordering::Less => false,
            Ordering::Equal => down.bit(0),
            Ordering::Greater => true,
        };
        down + i32::from(up)
    })
}

/// floor(log2 |x|)
pub fn exponent(m: &BigInt, e: i32) -> i32 {
    m.bits() as i32 - 1 + e
}

pub fn scaled(x: &Number, n: i32) -> Number {
    if let Finite(m, e) = x { Finite(m.clone(), e + n) } else { x.clone() }
}

pub fn integer(x: &Number) -> i64 {
    exact::truncate(x, &i64::MIN.into(), &i64::MAX.into()).try_into().unwrap()
}

pub fn next<F: HostLimb>(x: &Number, y: &Number) -> Number {
    let (p, lowest) = (F::P as i32, F::MIN_EXP + 1 - F::P as i32);
    let up = match order(x, y) {
        None => return Nan,
        Some(Ordering::Equal) => return x.clone(),
        Some(o) => o == Ordering::Less,
    };
    let (m, e) = match x {
        Finite(m, e) => (m.clone(), *e),
        Infinite(s) => {
            // 2^(emax + 1) - 2^(emax - p) - 2^(emax - 2 p + 3), in units.
            let m = (BigInt::from(1) << (2 * p - 2)) - (BigInt::from(1) << (p - 3)) - 1;
            return with_sign(&Finite(m, 1 - F::MIN_EXP - 2 * p + 3), *s);
        }
        _ => (BigInt::ZERO, 0),
    };
    let unit = if m == BigInt::ZERO { lowest } else { (exponent(&m, e) - (2 * p - 3)).max(lowest) };
    let below = floor_of(&m, e - unit);
    let whole = if e >= unit { true } else { &below << (unit - e) == m };
    let n = if up {
        below + 1
    } else if whole {
        below - 1
    } else {
        below
    };
    finite(n, unit, is_minus(x))
}
