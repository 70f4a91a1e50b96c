//! The one correct result of exact functions, by integers.

use super::Answer::{Int, Pair, Truth};
use super::{Answer, Argument};
use crate::convert::split;
use crate::exact::dyadic::{Dyadic, Exact, Number, order, sum};
use crate::format::{Format, Rounding};
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;
use vernier::math;

type Arguments<'a> = &'a [Argument];

pub fn number(args: Arguments<'_>, i: usize) -> &Exact {
    match &args[i] {
        Argument::Number(x) => x,
        Argument::Int(_) => unreachable!("a number"),
    }
}

/// The pair nearest to a value; a zero lo is +0.
pub fn pair(x: &Exact, limb: Format) -> Answer {
    let (hi, lo) = split(x, limb);
    Pair((hi, if lo == 0.0 { 0.0 } else { lo }))
}

pub fn with_sign(x: &Exact, minus: bool) -> Exact {
    if x.is_negative() == minus { x.clone() } else { x.clone().negated() }
}

/// A magnitude, an integer, with the sign of x.
fn integer(x: &Exact, magnitude: impl Fn(&Number) -> BigUint) -> Exact {
    let Exact::Finite(z) = x else { return x.clone() };
    let minus = z.is_negative();
    let sign = if minus { Sign::Minus } else { Sign::Plus };
    Exact::of(Dyadic::new(BigInt::from_biguint(sign, magnitude(z)), 0), minus)
}

fn rounded(x: &Exact, rounding: Rounding) -> Exact {
    integer(x, |z| z.rounded_at(0, rounding))
}

fn half_away(x: &Exact) -> Exact {
    integer(x, |z| (z.floor_at(-1).0 + 1u32) >> 1u32)
}

pub fn floor(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    vec![pair(&rounded(number(x, 0), Rounding::Down), f)]
}

pub fn ceil(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    vec![pair(&rounded(number(x, 0), Rounding::Up), f)]
}

pub fn trunc(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    vec![pair(&rounded(number(x, 0), Rounding::Zero), f)]
}

pub fn round(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    vec![pair(&half_away(number(x, 0)), f)]
}

pub fn rint(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    vec![pair(&rounded(number(x, 0), Rounding::Nearest), f)]
}

pub fn lrint(x: Arguments<'_>, _: Format) -> Vec<Answer> {
    vec![Int(number(x, 0).to_integer_in(Rounding::Nearest, 64, true) as i64)]
}

pub fn lround(x: Arguments<'_>, _: Format) -> Vec<Answer> {
    vec![Int(half_away(number(x, 0)).to_integer_in(Rounding::Zero, 64, true) as i64)]
}

pub fn modf(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    let x = number(x, 0);
    let whole = rounded(x, Rounding::Zero);
    let fraction = match (x, &whole) {
        (Exact::Nan, _) => Exact::Nan,
        (Exact::Infinite(minus), _) => Exact::Zero(*minus),
        _ => match difference(x, &whole) {
            Exact::Zero(_) => Exact::Zero(x.is_negative()),
            rest => rest,
        },
    };
    vec![pair(&fraction, f), pair(&whole, f)]
}

/// x - y.
fn difference(x: &Exact, y: &Exact) -> Exact {
    sum([x.clone(), y.clone().negated()].into_iter(), false)
}

pub fn fabs(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    vec![pair(&with_sign(number(x, 0), false), f)]
}

pub fn copysign(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    vec![pair(&with_sign(number(x, 0), number(x, 1).is_negative()), f)]
}

/// The one that comes first in the order `wanted`; of zeros the one of sign `minus`; a number before NaN.
fn pick(x: Arguments<'_>, f: Format, wanted: Ordering, minus: bool) -> Vec<Answer> {
    let (x, y) = (number(x, 0), number(x, 1));
    let first = match order(x, y) {
        None => matches!(y, Exact::Nan),
        Some(Ordering::Equal) => x.is_negative() == minus,
        Some(order) => order == wanted,
    };
    vec![pair(if first { x } else { y }, f)]
}

pub fn fmin(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    pick(x, f, Ordering::Less, true)
}

pub fn fmax(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    pick(x, f, Ordering::Greater, false)
}

pub fn min(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    let second = order(number(x, 1), number(x, 0)) == Some(Ordering::Less);
    vec![pair(number(x, usize::from(second)), f)]
}

pub fn max(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    let second = order(number(x, 0), number(x, 1)) == Some(Ordering::Less);
    vec![pair(number(x, usize::from(second)), f)]
}

/// x - y where x > y, otherwise +0; NaN with NaN.
pub fn positive_difference(x: &[Exact]) -> Exact {
    match order(&x[0], &x[1]) {
        None => Exact::Nan,
        Some(Ordering::Greater) => difference(&x[0], &x[1]),
        Some(_) => Exact::Zero(false),
    }
}

fn scaled(x: &Exact, n: i64) -> Exact {
    match x {
        Exact::Finite(Number::Dyadic(v)) => Exact::Finite(Number::Dyadic(v.shifted(n))),
        x => x.clone(),
    }
}

pub fn ldexp(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    let Argument::Int(n) = x[1] else { unreachable!("an integer") };
    // Beyond every exponent there is.
    vec![pair(&scaled(number(x, 0), n.clamp(-1 << 20, 1 << 20)), f)]
}

/// floor(log2 |x|) of a number that is not 0.
fn exponent(x: &Exact) -> Option<i64> {
    if let Exact::Finite(z) = x { Some(z.magnitude()) } else { None }
}

pub fn frexp(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    let x = number(x, 0);
    let e = exponent(x).map_or(0, |e| e + 1);
    vec![pair(&scaled(x, -e), f), Int(e)]
}

pub fn ilogb(x: Arguments<'_>, _: Format) -> Vec<Answer> {
    let x = number(x, 0);
    let special = if matches!(x, Exact::Infinite(_)) { i32::MAX } else { i32::MIN };
    vec![Int(exponent(x).unwrap_or(special.into()))]
}

pub fn logb(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    let value = match number(x, 0) {
        Exact::Nan => Exact::Nan,
        Exact::Zero(_) => Exact::Infinite(true),
        Exact::Infinite(_) => Exact::Infinite(false),
        Exact::Finite(z) => Exact::of_parts(z.magnitude() < 0, z.magnitude().unsigned_abs(), 0),
    };
    vec![pair(&value, f)]
}

/// The next multiple of the unit in the last of x's 2 p - 2 digits, at least of the smallest step.
pub fn nextafter(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    let (x, y) = (number(x, 0), number(x, 1));
    let up = match order(x, y) {
        None => return vec![pair(&Exact::Nan, f)],
        Some(Ordering::Equal) => return vec![pair(x, f)],
        Some(order) => order == Ordering::Less,
    };
    let (p, step) = (i64::from(f.p), i64::from(f.emin));
    let last = |exponent: i64| (exponent - (2 * p - 3)).max(step);
    let (v, unit) = match x {
        Exact::Infinite(minus) => {
            // The largest multiple of the unit that a pair holds: below half an ulp beyond the largest limb.
            let unit = last(i64::from(f.emax));
            let one = |e: i64| Dyadic::one().shifted(e);
            let emax = i64::from(f.emax);
            let largest = one(emax + 1).add(&one(emax - p).neg()).add(&one(unit).neg());
            return vec![pair(&with_sign(&Exact::Finite(Number::Dyadic(largest)), *minus), f)];
        }
        Exact::Finite(Number::Dyadic(v)) => (v.clone(), last(v.magnitude())),
        _ => (Dyadic::zero(), step),
    };
    let (magnitude, cut) = v.floor_at(unit);
    let away = v.is_zero() || up != v.is_negative();
    let m = BigInt::from(magnitude);
    let m = if away {
        m + 1
    } else if cut {
        m
    } else {
        m - 1
    };
    // Away from a zero is up or down.
    let minus = v.is_negative() || (v.is_zero() && !up);
    let z = Dyadic::new(if minus { -m } else { m }, unit);
    vec![pair(&Exact::of(z, x.is_negative()), f)]
}

/// Bits of another function, whose row judges it: normcdfinv of (k + 1/2) / 2^w.
pub fn icdf(x: Arguments<'_>, f: Format) -> Vec<Answer> {
    let Argument::Int(k) = x[0] else { unreachable!("an integer") };
    let (k, bits) = if f.p == 24 { (u64::from(k as u32), 32) } else { (k as u64, 64) };
    let p = Dyadic::new(BigInt::from(k) * 2 + 1, -1 - bits);
    let (hi, lo) = split(&Exact::Finite(Number::Dyadic(p)), f);
    vec![Pair(if f.p == 24 {
        let r = math::normcdfinv((hi as f32, lo as f32));
        (r.0.into(), r.1.into())
    } else {
        math::normcdfinv((hi, lo))
    })]
}

pub fn isnan(x: Arguments<'_>, _: Format) -> Vec<Answer> {
    vec![Truth(matches!(number(x, 0), Exact::Nan))]
}

pub fn isinf(x: Arguments<'_>, _: Format) -> Vec<Answer> {
    vec![Truth(matches!(number(x, 0), Exact::Infinite(_)))]
}

pub fn isfinite(x: Arguments<'_>, _: Format) -> Vec<Answer> {
    vec![Truth(matches!(number(x, 0), Exact::Finite(_) | Exact::Zero(_)))]
}

pub fn signbit(x: Arguments<'_>, _: Format) -> Vec<Answer> {
    vec![Truth(number(x, 0).is_negative())]
}
