//! Exact values by integers alone.
//!
//! A finite f64 is a **dyadic number** `m * 2^e`; sums and products of dyadic numbers are dyadic and are kept exactly. A
//! quotient is kept as two of them, a square root or its reciprocal as its radicand: `floor(|z| / 2^q)` and whether something
//! was cut off then follow from an integer division or square root with its remainder, and decide every rounding exactly.

mod number;
mod read;

pub use number::Dyadic;
pub(crate) use read::order;
pub use read::{compare, judge, read};

use crate::format::{Format, Rounded, Rounding};
use crate::target::Pair;
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;
use vernier::function::Op;

/// An exact value.
#[derive(Clone, Debug)]
pub enum Exact {
    /// Not a number.
    Nan,
    /// An infinity, negative or not.
    Infinite(bool),
    /// A zero, negative or not.
    Zero(bool),
    /// A nonzero number.
    Finite(Number),
}

/// A nonzero number of the kinds that one operation on dyadic numbers gives.
#[derive(Clone, Debug)]
pub enum Number {
    /// A nonzero dyadic number.
    Dyadic(Dyadic),
    /// A quotient of two nonzero dyadic numbers.
    Quotient(Dyadic, Dyadic),
    /// The square root of a positive dyadic number.
    Sqrt(Dyadic),
    /// The reciprocal square root of a positive dyadic number.
    Rsqrt(Dyadic),
}

/// The value of a pair.
pub fn value(x: Pair) -> Exact {
    let of_limb = |c: f64| {
        if c.is_nan() { Exact::Nan } else { Exact::Infinite(c < 0.0) }
    };
    match x {
        (hi, _) if !hi.is_finite() => of_limb(hi),
        (_, lo) if !lo.is_finite() => of_limb(lo),
        (hi, 0.0) if hi == 0.0 => Exact::Zero(hi.is_sign_negative()),
        (hi, lo) => Exact::of(Dyadic::from_f64(hi).add(&Dyadic::from_f64(lo)), false),
    }
}

/// The exact value of an operation; `down` says that rounding is toward -inf, which makes an exact zero sum of opposite
/// terms negative.
///
/// The number of operands must be what [`arity`](crate::target::arity) says, any where it is free.
pub fn evaluate(op: Op, args: &[Pair], down: bool) -> Exact {
    let x = |i: usize| value(args[i]);
    match op {
        Op::Canonical => x(0),
        Op::Neg => x(0).negated(),
        Op::Add | Op::Acc => sum([x(0), x(1)].into_iter(), down),
        Op::Sub => sum([x(0), x(1).negated()].into_iter(), down),
        Op::Mul => mul(x(0), x(1)),
        Op::Div => div(x(0), x(1)),
        Op::Fma | Op::Mad => sum([mul(x(0), x(1)), x(2)].into_iter(), down),
        Op::Sqrt => match x(0) {
            Exact::Finite(Number::Dyadic(v)) if v.is_negative() => Exact::Nan,
            Exact::Infinite(true) => Exact::Nan,
            Exact::Finite(Number::Dyadic(v)) => Exact::Finite(Number::Sqrt(v)),
            other => other,
        },
        Op::Rsqrt => match x(0) {
            Exact::Finite(Number::Dyadic(v)) if !v.is_negative() => Exact::Finite(Number::Rsqrt(v)),
            Exact::Zero(negative) => Exact::Infinite(negative),
            Exact::Infinite(false) => Exact::Zero(false),
            _ => Exact::Nan,
        },
        Op::Sum => sum(args.iter().map(|&a| value(a)), down),
        Op::Product => args.iter().fold(Exact::of(Dyadic::one(), false), |p, &a| mul(p, value(a))),
        Op::Dot => sum(args.chunks_exact(2).map(|t| mul(value(t[0]), value(t[1]))), down),
        Op::Math(f) => {
            let args: Vec<Exact> = args.iter().map(|&a| value(a)).collect();
            crate::functions::evaluate(f, &args).unwrap_or_else(|| unreachable!("{op} is not for integers alone"))
        }
        _ => unreachable!("not an operation of the oracle: {op}"),
    }
}

/// The sum, in IEEE arithmetic; an empty one is +0.
pub(crate) fn sum(terms: impl Iterator<Item = Exact>, down: bool) -> Exact {
    let mut total = Dyadic::zero();
    let mut infinity = None;
    let mut zero = None;
    for term in terms {
        match term {
            Exact::Nan => return Exact::Nan,
            Exact::Infinite(negative) if infinity == Some(!negative) => return Exact::Nan,
            Exact::Infinite(negative) => infinity = Some(negative),
            // A zero's sign survives only while every term is a zero of that sign.
            Exact::Zero(negative) => zero = Some(if zero.is_none_or(|z| z == negative) { negative } else { down }),
            Exact::Finite(Number::Dyadic(v)) => {
                total = total.add(&v);
                zero = Some(down);
            }
            Exact::Finite(_) => unreachable!("terms are dyadic"),
        }
    }
    match infinity {
        Some(negative) => Exact::Infinite(negative),
        None => Exact::of(total, zero.unwrap_or(false)),
    }
}

fn mul(x: Exact, y: Exact) -> Exact {
    let negative = x.is_negative() != y.is_negative();
    match (x, y) {
        (Exact::Nan, _) | (_, Exact::Nan) => Exact::Nan,
        (Exact::Infinite(_), Exact::Zero(_)) | (Exact::Zero(_), Exact::Infinite(_)) => Exact::Nan,
        (Exact::Infinite(_), _) | (_, Exact::Infinite(_)) => Exact::Infinite(negative),
        (Exact::Finite(Number::Dyadic(x)), Exact::Finite(Number::Dyadic(y))) => Exact::of(x.mul(&y), negative),
        _ => Exact::Zero(negative),
    }
}

fn div(x: Exact, y: Exact) -> Exact {
    let negative = x.is_negative() != y.is_negative();
    match (x, y) {
        (Exact::Nan, _) | (_, Exact::Nan) => Exact::Nan,
        (Exact::Infinite(_), Exact::Infinite(_)) | (Exact::Zero(_), Exact::Zero(_)) => Exact::Nan,
        (Exact::Infinite(_), _) | (_, Exact::Zero(_)) => Exact::Infinite(negative),
        (Exact::Finite(Number::Dyadic(x)), Exact::Finite(Number::Dyadic(y))) => Exact::Finite(Number::Quotient(x, y)),
        _ => Exact::Zero(negative),
    }
}

impl Exact {
    pub(crate) fn of(v: Dyadic, zero_is_negative: bool) -> Exact {
        if v.is_zero() { Exact::Zero(zero_is_negative) } else { Exact::Finite(Number::Dyadic(v)) }
    }

    pub(crate) fn negated(self) -> Exact {
        match self {
            Exact::Nan => Exact::Nan,
            Exact::Infinite(negative) => Exact::Infinite(!negative),
            Exact::Zero(negative) => Exact::Zero(!negative),
            Exact::Finite(Number::Dyadic(v)) => Exact::Finite(Number::Dyadic(v.neg())),
            Exact::Finite(Number::Quotient(n, d)) => Exact::Finite(Number::Quotient(n.neg(), d)),
            Exact::Finite(Number::Sqrt(_) | Number::Rsqrt(_)) => unreachable!("operands are dyadic"),
        }
    }

    pub(crate) fn is_negative(&self) -> bool {
        match self {
            Exact::Nan => false,
            Exact::Infinite(negative) | Exact::Zero(negative) => *negative,
            Exact::Finite(z) => z.is_negative(),
        }
    }

    /// The value rounded once into `format`.
    pub fn round(&self, format: Format, rounding: Rounding) -> Rounded {
        match self {
            Exact::Nan => Rounded::Nan,
            Exact::Infinite(negative) => Rounded::Infinite { negative: *negative },
            Exact::Zero(negative) => Rounded::Zero { negative: *negative },
            Exact::Finite(z) => z.round(format, rounding),
        }
    }

    /// `(-1)^negative * significand * 2^exponent`.
    pub fn of_parts(negative: bool, significand: u64, exponent: i64) -> Exact {
        let m = BigInt::from(significand);
        Exact::of(Dyadic::new(if negative { -m } else { m }, exponent), negative)
    }

    /// Rounded to an integer that saturates at the ends of the type (`bits` 1 to 128); NaN gives 0. The integer's
    /// two's-complement bits, sign-extended to 128.
    pub fn to_integer_in(&self, rounding: Rounding, bits: u32, signed: bool) -> u128 {
        let (least, most) = integer_range(bits, signed);
        let (negative, magnitude) = match self {
            Exact::Nan | Exact::Zero(_) => return 0,
            Exact::Infinite(negative) => (*negative, None),
            Exact::Finite(z) => {
                let m = if z.magnitude() < 128 { u128::try_from(z.rounded_at(0, rounding)).ok() } else { None };
                (z.is_negative(), m)
            }
        };
        match (negative, magnitude) {
            (false, Some(m)) => m.min(most),
            (false, None) => most,
            (true, Some(m)) => m.min(least).wrapping_neg(),
            (true, None) => least.wrapping_neg(),
        }
    }
}

/// Largest magnitudes below and above zero.
fn integer_range(bits: u32, signed: bool) -> (u128, u128) {
    let all = u128::MAX >> (128 - bits);
    if signed { (all / 2 + 1, all / 2) } else { (0, all) }
}

impl Number {
    /// Sign.
    pub fn is_negative(&self) -> bool {
        match self {
            Number::Dyadic(v) => v.is_negative(),
            Number::Quotient(n, d) => n.is_negative() != d.is_negative(),
            Number::Sqrt(_) | Number::Rsqrt(_) => false,
        }
    }

    /// `floor(log2 |z|)`.
    pub fn magnitude(&self) -> i64 {
        match self {
            Number::Dyadic(v) => v.magnitude(),
            Number::Quotient(n, d) => {
                let candidate = n.magnitude() - d.magnitude();
                if self.floor_at(candidate).0 == BigUint::ZERO { candidate - 1 } else { candidate }
            }
            Number::Sqrt(v) => v.magnitude().div_euclid(2),
            Number::Rsqrt(v) => {
                let up = !v.is_power_of_two() as i64;
                (-(v.magnitude() + up)).div_euclid(2)
            }
        }
    }

    /// `floor(|z| / 2^q)`, and whether that cut something off.
    pub fn floor_at(&self, q: i64) -> (BigUint, bool) {
        match self {
            Number::Dyadic(v) => v.floor_at(q),
            Number::Quotient(n, d) => {
                let (n, d) = number::aligned(n, &d.shifted(q));
                let quotient = &n / &d;
                let inexact = &quotient * &d != n;
                (quotient, inexact)
            }
            Number::Sqrt(v) => {
                let root = v.floor_at(2 * q).0.sqrt();
                let square = Dyadic::new(BigInt::from(&root * &root), 2 * q);
                let inexact = square != *v;
                (root, inexact)
            }
            Number::Rsqrt(v) => {
                let (n, d) = number::aligned(&Dyadic::one(), &v.shifted(2 * q));
                let root = (n / d).sqrt();
                let inexact = Dyadic::new(BigInt::from(&root * &root), 2 * q).mul(v) != Dyadic::one();
                (root, inexact)
            }
        }
    }

    /// `z` against a dyadic number, exactly.
    pub fn compare(&self, r: &Dyadic) -> Ordering {
        match self {
            Number::Dyadic(v) => v.compare(r),
            Number::Quotient(n, d) => {
                let order = n.compare(&r.mul(d));
                if d.is_negative() { order.reverse() } else { order }
            }
            Number::Sqrt(_) | Number::Rsqrt(_) if r.is_negative() || r.is_zero() => Ordering::Greater,
            Number::Sqrt(v) => v.compare(&r.mul(r)),
            Number::Rsqrt(v) => Dyadic::one().compare(&r.mul(r).mul(v)),
        }
    }

    /// `z - c`, cut (rounded to odd) far below any limb of `z`.
    pub(crate) fn minus(&self, c: f64) -> Exact {
        let z = match self {
            Number::Dyadic(v) => v.clone(),
            _ => {
                let (z, cut) = self.truncated(4 * 113);
                // A sticky bit in place of what was cut off decides ties as the whole value would.
                if cut { z.with_sticky() } else { z }
            }
        };
        Exact::of(z.add(&Dyadic::from_f64(c).neg()), false)
    }

    /// `|z|` rounded to a multiple of `2^q`, as that multiple.
    pub(crate) fn rounded_at(&self, q: i64, rounding: Rounding) -> BigUint {
        let (twice, cut) = self.floor_at(q - 1);
        let half = twice.bit(0);
        let m: BigUint = twice >> 1u32;
        let up = match rounding {
            Rounding::Nearest => half && (cut || m.bit(0)),
            Rounding::Zero => false,
            Rounding::Up => !self.is_negative() && (half || cut),
            Rounding::Down => self.is_negative() && (half || cut),
        };
        if up { m + 1u32 } else { m }
    }

    fn round(&self, format: Format, rounding: Rounding) -> Rounded {
        let negative = self.is_negative();
        let last = (self.magnitude() - format.p as i64 + 1).max(format.emin as i64);
        let m = self.rounded_at(last, rounding);
        if m == BigUint::ZERO {
            return Rounded::Zero { negative };
        }
        if m.bits() as i64 - 1 + last > format.emax as i64 {
            let away = match rounding {
                Rounding::Nearest => true,
                Rounding::Zero => false,
                Rounding::Up => !negative,
                Rounding::Down => negative,
            };
            return if away {
                Rounded::Infinite { negative }
            } else {
                Rounded::Finite {
                    negative,
                    significand: (1 << format.p) - 1,
                    exponent: format.emax - format.p as i32 + 1,
                }
            };
        }
        let zeros = m.trailing_zeros().unwrap_or(0);
        let significand: BigUint = m >> zeros;
        Rounded::Finite {
            negative,
            significand: u128::try_from(significand).expect("at most 113 bits"),
            exponent: (last + zeros as i64) as i32,
        }
    }

    /// `z` cut to `bits` bits, and whether something was cut off.
    fn truncated(&self, bits: i64) -> (Dyadic, bool) {
        let q = self.magnitude() - bits + 1;
        let (m, cut) = self.floor_at(q);
        let sign = if self.is_negative() { Sign::Minus } else { Sign::Plus };
        (Dyadic::new(BigInt::from_biguint(sign, m), q), cut)
    }

    /// `|r - z|` and `|z|`, both to a relative 2^-40.
    fn distance(&self, r: &Dyadic) -> (Dyadic, Dyadic) {
        let mut bits = 200;
        loop {
            let (z, cut) = match self {
                Number::Dyadic(v) => (v.clone(), false),
                _ => self.truncated(bits),
            };
            let d = r.add(&z.neg()).abs();
            if !cut || (!d.is_zero() && d.magnitude() >= z.magnitude() - bits + 41) {
                return (d, z.abs());
            }
            bits *= 2;
        }
    }
}

/// The correctly rounded result of an operation.
pub fn round(op: Op, args: &[Pair], format: Format, rounding: Rounding) -> Rounded {
    evaluate(op, args, rounding == Rounding::Down).round(format, rounding)
}

/// A pair's value truncated as [`Exact::to_integer_in`] does it.
pub fn to_integer(x: Pair, bits: u32, signed: bool) -> u128 {
    to_integer_in(x, Rounding::Zero, bits, signed)
}

/// A pair's value as [`Exact::to_integer_in`] gives it.
pub fn to_integer_in(x: Pair, rounding: Rounding, bits: u32, signed: bool) -> u128 {
    value(x).to_integer_in(rounding, bits, signed)
}
