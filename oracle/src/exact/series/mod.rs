//! Enclosures of functions by integers alone: series in fixed point, whose error is counted with every operation.
//!
//! A second opinion on what MPFR says: what it gives must lie in the [ball](Ball) that comes out here. Exponential, logarithm,
//! sine, cosine and arctangent are summed; other functions follow from them by formulas that may cancel, so the working
//! precision doubles until the ball is small (Ziv 1991).

mod ball;
mod sums;

pub use ball::Ball;

use super::dyadic::Dyadic;
use num_bigint::Sign;
use sums::{atan, double_factorials, exp, ln2, ln10, log, quarter, sin_cos};

/// A function of numbers, to about so many bits; none where it has no value or is left alone.
pub type Series = fn(&[Dyadic], u64) -> Option<Ball>;

/// Guard bits of a sum.
const GUARD: u64 = 24;
/// The functions, by their names in C.
pub const TABLE: &[(&str, Series)] = &[
    ("exp", |x, p| exp(&exact(x, 0), p)),
    ("exp2", |x, p| exp(&exact(x, 0).mul(&ln2(p + 20), p + 20), p)),
    ("exp10", |x, p| exp(&exact(x, 0).mul(&ln10(p + 20), p + 20), p)),
    ("expm1", |x, p| Some(exp(&exact(x, 0), p)?.sub(&Ball::int(1)))),
    ("log", |x, p| log(&exact(x, 0), p)),
    ("log2", |x, p| log(&exact(x, 0), p)?.div(&ln2(p), p)),
    ("log10", |x, p| log(&exact(x, 0), p)?.div(&ln10(p), p)),
    ("log1p", |x, p| log(&exact(x, 0).add(&Ball::int(1)), p)),
    ("pow", |x, p| pow(&x[0], &x[1], p)),
    ("sin", |x, p| Some(sin_cos(&exact(x, 0), p)?.0)),
    ("cos", |x, p| Some(sin_cos(&exact(x, 0), p)?.1)),
    ("tan", |x, p| {
        let (s, c) = sin_cos(&exact(x, 0), p)?;
        s.div(&c, p)
    }),
    ("sinpi", |x, p| Some(sin_cos(&times_pi(x, p), p)?.0)),
    ("cospi", |x, p| Some(sin_cos(&times_pi(x, p), p)?.1)),
    ("tanpi", |x, p| {
        let (s, c) = sin_cos(&times_pi(x, p), p)?;
        s.div(&c, p)
    }),
    ("asin", |x, p| {
        let (y, z) = (exact(x, 0), co_square(&x[0]));
        if z.is_zero() { Some(quarter(y.sign(), p)) } else { atan(&y.div(&z.sqrt(p)?, p)?, p) }
    }),
    ("acos", |x, p| {
        let (less, more) = (Ball::int(1).sub(&exact(x, 0)), Ball::int(1).add(&exact(x, 0)));
        let half = if more.is_zero() { quarter(Some(Sign::Plus), p) } else { atan(&less.div(&more, p)?.sqrt(p)?, p)? };
        Some(half.shifted(1))
    }),
    ("atan", |x, p| atan(&exact(x, 0), p)),
    ("atan2", |x, p| {
        let (y, x) = (exact(x, 0), exact(x, 1));
        match (y.sign(), x.sign()?) {
            (Some(Sign::NoSign), _) => None,
            (side, Sign::NoSign) => Some(quarter(side, p)),
            (_, Sign::Plus) => atan(&y.div(&x, p)?, p),
            (side, Sign::Minus) => Some(atan(&y.div(&x, p)?, p)?.add(&quarter(side, p).shifted(1))),
        }
    }),
    ("sinh", |x, p| {
        let e = exp(&exact(x, 0), p)?;
        Some(e.sub(&Ball::int(1).div(&e, p)?).shifted(-1))
    }),
    ("cosh", |x, p| {
        let e = exp(&exact(x, 0), p)?;
        Some(e.add(&Ball::int(1).div(&e, p)?).shifted(-1))
    }),
    ("tanh", |x, p| {
        let e = exp(&exact(x, 0).shifted(1), p)?;
        e.sub(&Ball::int(1)).div(&e.add(&Ball::int(1)), p)
    }),
    ("asinh", |x, p| {
        let square = Ball::exact(&x[0].mul(&x[0]));
        let r = log(&square.add(&Ball::int(1)).sqrt(p)?.add(&Ball::exact(&x[0].abs())), p)?;
        Some(if x[0].is_negative() { r.neg() } else { r })
    }),
    ("acosh", |x, p| {
        let y = exact(x, 0);
        log(&co_square(&x[0]).neg().sqrt(p)?.add(&y), p)
    }),
    ("atanh", |x, p| {
        let (less, more) = (Ball::int(1).sub(&exact(x, 0)), Ball::int(1).add(&exact(x, 0)));
        Some(log(&more.div(&less, p)?, p)?.shifted(-1))
    }),
    ("cbrt", |x, p| Some(Ball::cbrt(&x[0], p))),
    ("rcbrt", |x, p| Ball::int(1).div(&Ball::cbrt(&x[0], p), p)),
    ("hypot", norm),
    ("norm3d", norm),
    ("norm4d", norm),
    ("rhypot", reciprocal_norm),
    ("rnorm3d", reciprocal_norm),
    ("rnorm4d", reciprocal_norm),
    ("erf", |x, p| error_function(&exact(x, 0), &Ball::exact(&x[0].mul(&x[0])), p)),
    ("erfc", |x, p| Some(Ball::int(1).sub(&error_function(&exact(x, 0), &Ball::exact(&x[0].mul(&x[0])), p)?))),
    ("erfcx", |x, p| {
        let square = Ball::exact(&x[0].mul(&x[0]));
        let complement = Ball::int(1).sub(&error_function(&exact(x, 0), &square, p)?);
        Some(exp(&square, p)?.mul(&complement, p))
    }),
    ("normcdf", |x, p| {
        let half_square = Ball::exact(&x[0].mul(&x[0])).shifted(-1);
        let y = exact(x, 0).mul(&Ball::int(2).sqrt(p)?.shifted(-1), p);
        Some(Ball::int(1).add(&error_function(&y, &half_square, p)?).shifted(-1))
    }),
    ("boys_f0", |x, p| {
        if x[0].is_negative() {
            return None;
        }
        double_factorials(&exact(x, 0), p)?.div(&exp(&exact(x, 0), p)?, p)
    }),
];

/// A ball with the value of a function, known to `p` bits unless that takes more than a few thousand; none for functions that
/// are not in the [table](TABLE).
pub fn enclosure(function: &str, x: &[Dyadic], p: u64) -> Option<Ball> {
    let &(_, series) = TABLE.iter().find(|(name, _)| *name == function)?;
    let mut working = p + GUARD;
    loop {
        let ball = series(x, working);
        if working > 3000 || ball.as_ref().is_some_and(|ball| ball.is_known_to(p)) {
            return ball;
        }
        working *= 2;
    }
}

fn exact(x: &[Dyadic], i: usize) -> Ball {
    Ball::exact(&x[i])
}

/// pi x, to as many bits more as its integer part has.
fn times_pi(x: &[Dyadic], p: u64) -> Ball {
    let x = exact(x, 0);
    let p = p + x.bound().max(0) as u64;
    x.mul(&quarter(None, p).shifted(1), p)
}

/// (1 - x) (1 + x).
fn co_square(x: &Dyadic) -> Ball {
    Ball::int(1).sub(&Ball::exact(&x.mul(x)))
}

fn norm(x: &[Dyadic], p: u64) -> Option<Ball> {
    x.iter().fold(Ball::int(0), |sum, x| sum.add(&Ball::exact(&x.mul(x)))).sqrt(p)
}

fn reciprocal_norm(x: &[Dyadic], p: u64) -> Option<Ball> {
    Ball::int(1).div(&norm(x, p)?, p)
}

/// erf x, from x and x^2.
fn error_function(x: &Ball, square: &Ball, p: u64) -> Option<Ball> {
    let sum = double_factorials(square, p)?.div(&exp(square, p)?, p)?;
    x.mul(&sum, p).shifted(1).div(&quarter(None, p).shifted(1).sqrt(p)?, p)
}

/// x^y; of a negative x for integers y.
fn pow(x: &Dyadic, y: &Dyadic, p: u64) -> Option<Ball> {
    let (_, e) = y.parts();
    if x.is_negative() && e < 0 {
        return None;
    }
    let r = exp(&log(&Ball::exact(&x.abs()), p)?.mul(&Ball::exact(y), p), p)?;
    let odd = !y.is_zero() && e == 0;
    Some(if x.is_negative() && odd { r.neg() } else { r })
}

#[cfg(test)]
mod tests {
    use super::sums::KNOWN;
    use super::*;
    use crate::exact::mpfr::dyadic;
    use rug::Float;
    use std::collections::BTreeMap;

    type Value = fn(&Float) -> Float;

    /// One bit of a constant changed, far behind the digits that enclosures have: every function that has it is caught.
    #[test]
    fn a_wrong_constant_is_noticed() {
        let digits = 400;
        let functions: [(&str, &str, Value); 10] = [
            ("ln2", "exp", |x| x.clone().exp()),
            ("ln2", "log", |x| x.clone().ln()),
            ("ln2", "exp2", |x| x.clone().exp2()),
            ("ln2", "log2", |x| x.clone().log2()),
            ("ln10", "exp10", |x| x.clone().exp10()),
            ("ln10", "log10", |x| x.clone().log10()),
            ("pi", "sin", |x| x.clone().sin()),
            ("pi", "cos", |x| x.clone().cos()),
            ("pi", "tan", |x| x.clone().tan()),
            ("ln2", "sinh", |x| x.clone().sinh()),
        ];
        for (constant, function, value) in functions {
            let x = Float::with_val(53, 5.75);
            let z = dyadic(&value(&Float::with_val(digits, &x))).unwrap();
            let holds = || enclosure(function, &[dyadic(&x).unwrap()], 160).unwrap().holds(&z, digits);
            assert!(holds(), "{function}");
            let wrong = Ball::exact(&Dyadic::one()).shifted(-170);
            KNOWN.with_borrow_mut(|known| {
                let of_name = known.iter_mut().filter(|(key, _)| key.0 == constant);
                assert!(of_name.map(|(_, ball)| *ball = ball.add(&wrong)).count() > 0, "{function} has {constant}");
            });
            assert!(!holds(), "{function} with a wrong {constant}");
            KNOWN.with_borrow_mut(BTreeMap::clear);
        }
    }

    /// The operations of balls hold what they say, at every precision: 1/3, sqrt(2) and the cube root of 2 times what they are of.
    #[test]
    fn operations_count_their_errors() {
        let one = Ball::int(1);
        for p in 2..200 {
            let third = one.div(&Ball::int(3), p).unwrap();
            assert!(third.mul(&Ball::int(3), p).holds(&Dyadic::one(), 4000) && third.is_known_to(p - 2), "{p}");
            assert!(one.over(3, p).mul(&Ball::int(3), p).holds(&Dyadic::one(), 4000), "{p}");
            let two = Dyadic::one().shifted(1);
            let root = Ball::exact(&two).sqrt(p).unwrap();
            assert!(root.mul(&root, p).holds(&two, 4000) && root.is_known_to(p - 2), "{p}");
            let root = Ball::cbrt(&two, p);
            assert!(root.mul(&root, p).mul(&root, p).holds(&two, 4000) && root.is_known_to(p - 2), "{p}");
            let rough = third.round(p / 2 + 1);
            assert!(rough.mul(&Ball::int(3), 4 * p).holds(&Dyadic::one(), 4000), "{p}");
        }
        assert!(one.div(&Ball::int(0), 10).is_none() && Ball::int(-1).sqrt(10).is_none());
    }
}
