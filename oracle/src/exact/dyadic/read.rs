//! What the integer oracle says of results.

use super::{Dyadic, Exact, Number, evaluate, value};
use crate::format::{Rounded, Rounding};
use crate::measure::{Finite, Reading, Verdict};
use crate::target::{Pair, Target, holds};
use num_bigint::BigUint;
use std::cmp::Ordering;
use vernier::function::Op;

/// The comparison of two values.
pub fn compare(comparison: Op, x: Pair, y: Pair) -> bool {
    holds(comparison, order(&value(x), &value(y)))
}

/// The order of values, infinities included; none with NaN.
pub(crate) fn order(x: &Exact, y: &Exact) -> Option<Ordering> {
    let key = |v: &Exact| match v {
        Exact::Nan => None,
        Exact::Infinite(negative) => Some((if *negative { -1 } else { 1 }, Dyadic::zero())),
        Exact::Zero(_) => Some((0, Dyadic::zero())),
        Exact::Finite(Number::Dyadic(v)) => Some((0, v.clone())),
        Exact::Finite(_) => unreachable!("operands are dyadic"),
    };
    let ((x_class, x), (y_class, y)) = (key(x)?, key(y)?);
    Some(x_class.cmp(&y_class).then_with(|| x.compare(&y)))
}

/// `sum |terms|` of an operation on finite operands; `None` where it is `|z|`.
fn terms(op: Op, args: &[Pair]) -> Option<Dyadic> {
    let magnitude = |i: usize| match value(args[i]) {
        Exact::Finite(Number::Dyadic(v)) => v.abs(),
        _ => Dyadic::zero(),
    };
    let product = |i: usize, j: usize| magnitude(i).mul(&magnitude(j));
    match op {
        Op::Add | Op::Sub | Op::Acc => Some(magnitude(0).add(&magnitude(1))),
        Op::Fma | Op::Mad => Some(product(0, 1).add(&magnitude(2))),
        Op::Sum => Some((0..args.len()).fold(Dyadic::zero(), |s, i| s.add(&magnitude(i)))),
        Op::Dot => Some((0..args.len() / 2).fold(Dyadic::zero(), |s, i| s.add(&product(2 * i, 2 * i + 1)))),
        _ => None,
    }
}

/// What this oracle reads of a case.
pub fn read(op: Op, target: &Target, args: &[Pair], r: Pair) -> Reading {
    let z = match evaluate(op, args, false) {
        Exact::Nan => return Reading::Nan,
        Exact::Infinite(negative) => return Reading::Infinite { negative },
        Exact::Zero(negative) => {
            let u2_of_terms = match (value(r), terms(op, args)) {
                (Exact::Finite(Number::Dyadic(_)), None) => f64::INFINITY,
                (Exact::Finite(Number::Dyadic(r)), Some(t)) if t.is_zero() && !r.is_zero() => f64::INFINITY,
                (Exact::Finite(Number::Dyadic(r)), Some(t)) => r.abs().ratio(&t, 2 * target.limb.p as i64),
                _ => 0.0,
            };
            return Reading::Zero { negative, u2_of_terms };
        }
        Exact::Finite(z) => z,
    };
    let r = match value(r) {
        Exact::Finite(Number::Dyadic(v)) => v,
        _ => Dyadic::zero(),
    };
    let (distance, size) = z.distance(&r);
    let exponent = z.magnitude();
    let double_p = 2 * target.limb.p as i64;
    let u2 = distance.ratio(&size, double_p);
    let in_limb = z.round(target.limb, Rounding::Nearest);
    let (leading, cut) = z.floor_at(exponent);
    let borders = target.border().is_some_and(|border| {
        exponent == target.limb.emax as i64 && {
            let (digits, _) = z.floor_at(exponent + 1 - border.digits as i64);
            border.holds(u128::try_from(digits).ok())
        }
    });
    let power_of_two = !cut && leading == BigUint::from(1u32);
    Reading::Finite(Finite {
        negative: z.is_negative(),
        exponent,
        power_of_two,
        overflows: matches!(in_limb, Rounded::Infinite { .. }),
        borders,
        vanishes: matches!(in_limb, Rounded::Zero { .. }),
        u2,
        ulp: distance.ratio(&Dyadic::one(), -target.ulp_exponent(exponent)),
        u2_of_terms: terms(op, args).map_or(u2, |t| distance.ratio(&t, double_p)),
    })
}

/// The verdict of this oracle on one result.
pub fn judge(op: Op, target: &Target, args: &[Pair], r: Pair) -> Verdict {
    crate::measure::verdict(&read(op, target, args, r), target, args, r)
}
