//! Exponentials, logarithms and powers: special values, exact results, identities to the bit, monotone hi. How far results
//! are from the exact ones `vernier accuracy` measures.

mod pairs;
mod random;

use pairs::{Pair, operand, special};
use random::Random;
use rayon::prelude::*;
use std::num::Wrapping;
use vernier::machine::exp2;
use vernier::{HostLimb, math};

type Unary<F> = fn(Pair<F>) -> Pair<F>;

fn unary<F: HostLimb>() -> [(&'static str, Unary<F>); 8] {
    [
        ("exp", math::exp),
        ("exp2", math::exp2),
        ("exp10", math::exp10),
        ("expm1", math::expm1),
        ("log", math::log),
        ("log2", math::log2),
        ("log10", math::log10),
        ("log1p", math::log1p),
    ]
}

/// NaN is one class.
fn bits<F: HostLimb>(x: Pair<F>) -> (u64, u64) {
    let nan = F::lit(f64::NAN).to_bits_u64();
    (if x.0.to_f64().is_nan() { nan } else { x.0.to_bits_u64() }, x.1.to_bits_u64())
}

fn pair<F: HostLimb>(hi: f64, lo: f64) -> Pair<F> {
    (F::lit(hi), F::lit(lo))
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn special_values<F: HostLimb>() {
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    let table: [(&str, &[(f64, f64)]); 8] = [
        ("exp", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (800.0, INF), (-800.0, 0.0)]),
        ("exp2", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (1100.0, INF), (-1100.0, 0.0)]),
        ("exp10", &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (350.0, INF), (-350.0, 0.0)]),
        ("expm1", &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (NAN, NAN), (-800.0, -1.0), (least, least)]),
        ("log", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-INF, NAN), (NAN, NAN), (-least, NAN)]),
        ("log2", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-INF, NAN), (NAN, NAN), (-1.0, NAN)]),
        ("log10", &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-INF, NAN), (NAN, NAN), (-1.0, NAN)]),
        ("log1p", &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-INF, NAN), (-1.5, NAN), (least, least)]),
    ];
    for ((name, f), (of, cases)) in unary::<F>().into_iter().zip(table) {
        assert_eq!(name, of);
        for &(x, r) in cases {
            assert_eq!(bits(f(pair(x, 0.0))), bits::<F>(pair(r, 0.0)), "{name}({x})");
        }
    }
    // The value decides, not hi.
    let below = pair::<F>(1.0, -least);
    assert!(math::log(below).0 < F::ZERO);
    assert_eq!(bits(math::log1p(pair::<F>(-1.0, -least))), bits::<F>(pair(NAN, 0.0)));
    assert!(math::isfinite(math::log1p(pair::<F>(-1.0, least))));
    let largest = F::from_bits_u64(F::lit(INF).to_bits_u64() - 1);
    assert!(math::isfinite(math::log((largest, largest))));
}

#[test]
fn special_values_of_one_argument() {
    special_values::<f32>();
    special_values::<f64>();
}

/// Base, exponent and result.
type Power = (Pair<f64>, Pair<f64>, f64);

fn powers<F: HostLimb>() {
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    let cases: &[Power] = &[
        ((0.0, 0.0), (3.0, 0.0), 0.0),
        ((-0.0, 0.0), (3.0, 0.0), -0.0),
        ((-0.0, 0.0), (-3.0, 0.0), -INF),
        ((0.0, 0.0), (-3.0, 0.0), INF),
        ((-0.0, 0.0), (-2.0, 0.0), INF),
        ((-0.0, 0.0), (2.5, 0.0), 0.0),
        ((0.0, 0.0), (-INF, 0.0), INF),
        ((0.0, 0.0), (INF, 0.0), 0.0),
        ((-1.0, 0.0), (INF, 0.0), 1.0),
        ((-1.0, 0.0), (-INF, 0.0), 1.0),
        ((1.0, 0.0), (NAN, 0.0), 1.0),
        ((1.0, 0.0), (INF, 0.0), 1.0),
        ((NAN, 0.0), (0.0, 0.0), 1.0),
        ((INF, 0.0), (-0.0, 0.0), 1.0),
        ((-1.0, 0.0), (NAN, 0.0), NAN),
        ((NAN, 0.0), (1.0, 0.0), NAN),
        ((-2.0, 0.0), (0.5, 0.0), NAN),
        ((-2.0, 0.0), (3.0, least), NAN),
        ((-2.0, 0.0), (3.0, 0.0), -8.0),
        ((-2.0, 0.0), (4.0, 0.0), 16.0),
        ((1.0, -least), (INF, 0.0), 0.0),
        ((1.0, -least), (-INF, 0.0), INF),
        ((1.0, least), (INF, 0.0), INF),
        ((1.0, least), (-INF, 0.0), 0.0),
        ((-1.0, least), (INF, 0.0), 0.0),
        ((0.5, 0.0), (INF, 0.0), 0.0),
        ((-0.5, 0.0), (-INF, 0.0), INF),
        ((-INF, 0.0), (-3.0, 0.0), -0.0),
        ((-INF, 0.0), (-2.0, 0.0), 0.0),
        ((-INF, 0.0), (3.0, 0.0), -INF),
        ((-INF, 0.0), (2.5, 0.0), INF),
        ((INF, 0.0), (-2.5, 0.0), 0.0),
        ((INF, 0.0), (2.5, 0.0), INF),
        ((2.0, 0.0), (5000.0, 0.0), INF),
        ((-2.0, 0.0), (5001.0, 0.0), -INF),
        ((-2.0, 0.0), (-5001.0, 0.0), -0.0),
    ];
    for &(x, y, r) in cases {
        let (a, b) = bits(math::pow(pair::<F>(x.0, x.1), pair(y.0, y.1)));
        let (hi, lo) = bits(pair::<F>(r, 0.0));
        // Exact results are within the bound, but for 1 and what is not finite or 0.
        let exact = !(1.5..1e9).contains(&r.abs());
        assert!(a == hi && (!exact || b == lo), "pow({x:?}, {y:?})");
    }
    // Odd by lo alone, and even beyond all digits.
    let p = F::P as i32;
    let minus_one = pair::<F>(-1.0, 0.0);
    assert_eq!(bits(math::pow(minus_one, pair(exp2(p + 2), 1.0))), bits::<F>(pair(-1.0, 0.0)));
    assert_eq!(bits(math::pow(minus_one, pair(exp2(p + 2), 2.0))), bits::<F>(pair(1.0, 0.0)));
    // y is a number, and even, where the sum of its limbs overflows.
    let half = exp2(1 - F::MIN_EXP);
    for (sign, step) in [(1.0, least), (1.0, -least), (-1.0, least)] {
        for y in [half, -half] {
            let r = math::pow(pair::<F>(sign, sign * step), pair(y, y));
            let hi = 1.0 + exp2(3 - p).copysign(step * y);
            assert_eq!(bits(r).0, bits::<F>(pair(hi, 0.0)).0, "{sign} {step} {y}");
        }
    }
    // As near to 1 as a pair can be, with an ordinary result.
    let r = math::pow(pair::<F>(1.0, least), pair(-F::MIN_EXP as f64 * exp2(-F::MIN_EXP - 8), 0.0));
    assert!(vernier::pair::lt(pair(1.0, 0.0), r));
}

#[test]
fn special_values_of_pow() {
    powers::<f32>();
    powers::<f64>();
}

fn powers_of_two<F: HostLimb>() {
    for k in F::MIN_EXP + 1 - F::P as i32..=-F::MIN_EXP + 1 {
        let (x, power) = (pair::<F>(k.into(), 0.0), pair::<F>(exp2(k), 0.0));
        assert_eq!(bits(math::exp2(x)), bits(power), "2^{k}");
        assert_eq!(bits(math::log2(power)), bits(x), "log2 2^{k}");
        // The same value in other limbs.
        assert_eq!(bits(math::exp2((F::lit(k as f64 - 0.5), F::lit(0.5)))), bits(power), "2^{k}");
    }
}

#[test]
fn powers_of_two_are_exact() {
    powers_of_two::<f32>();
    powers_of_two::<f64>();
}

fn value_counts<F: HostLimb>() {
    let list = special::<F>();
    (0..32u64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for _ in 0..8000 {
            let (x, y) = (operand(&mut random, &list), operand(&mut random, &list));
            let settled = |r: Pair<F>| {
                let odd = r.0 == F::ZERO || !r.0.to_f64().is_finite();
                assert!(!odd || r.1.to_bits_u64() == 0, "{r:?}: lo is +0 where hi is 0 or not finite");
                bits((r.0, r.1 + F::ZERO))
            };
            let (cx, cy) = (vernier::pair::canonical(x), vernier::pair::canonical(y));
            if !cx.0.to_f64().is_finite() || !cy.0.to_f64().is_finite() {
                continue;
            }
            for (name, f) in unary::<F>() {
                assert_eq!(settled(f(x)), settled(f(cx)), "{name}({x:?})");
            }
            assert_eq!(settled(math::pow(x, y)), settled(math::pow(cx, cy)), "pow({x:?}, {y:?})");
        }
    });
}

#[test]
fn the_value_counts() {
    value_counts::<f32>();
    value_counts::<f64>();
}

fn identities<F: HostLimb>() {
    let unit = exp2(8 - F::P as i32);
    (0..32u64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for _ in 0..4000 {
            let word = random.word();
            // hi of a few digits, lo far below: a unit more is exact. No middle between two multiples of a step.
            let hi = (word as i64 >> 45 | 1) as f64 * exp2(-14);
            let lo = (random.word() as i64 >> 40) as f64 * exp2(-30) * unit;
            let x = (F::lit(hi), F::lit(lo));
            if !(hi.abs() > 1.0 && vernier::pair::canonical(x) == x) {
                continue;
            }
            let (once, twice) = (math::exp2(x), math::exp2((x.0 + F::ONE, x.1)));
            let two = F::lit(2.0);
            if once.0.to_f64() > exp2(F::MIN_EXP + 3 * F::P as i32) && twice.0.to_f64().is_finite() {
                assert_eq!(bits(twice), bits((two * once.0, two * once.1)), "{x:?}");
            }
            let power = pair::<F>(0.0, 0.0);
            assert_eq!(bits(math::pow(x, power)), bits::<F>(pair(1.0, 0.0)));
        }
    });
}

#[test]
fn doubling() {
    identities::<f32>();
    identities::<f64>();
}

/// hi goes one way from one pair to the next above, for 10^6 pairs of each function and width, at 100 places.
fn monotone<F: HostLimb>() {
    let ulp = exp2(1 - F::P as i32);
    let more: [(&str, Unary<F>); 6] = [
        ("cbrt", math::cbrt),
        ("rcbrt", math::rcbrt),
        ("pow(x, 2.5)", |x| math::pow(x, pair(2.5, 0.0))),
        ("pow(2, x)", |x| math::pow(pair(2.0, 0.0), x)),
        ("hypot", |x| math::hypot(x, pair(0.75, 0.0))),
        ("rnorm4d", |x| math::rnorm4d(x, x, pair(0.75, 0.0), pair(1.5, 0.0))),
    ];
    for (name, f) in unary::<F>().into_iter().chain(more) {
        (0..100u64).into_par_iter().for_each(|place| {
            let mut random = Random(place);
            let start = match place % 8 {
                0 => 1.0,
                1 => 0.75 + ulp * random.below(1000) as f64,
                2 => 1.0 + exp2(-7) - 500.0 * ulp * ulp,
                _ => exp2((random.below(7) as i32) - 3) * (1.0 + random.word() as f64 * exp2(-64)),
            };
            let mut x = (F::lit(start), F::lit(start * ulp * 0.24));
            let rises = f(x).0 < f(math::ldexp(x, Wrapping(1))).0;
            let mut last = f(x);
            for _ in 0..10_000 {
                x = math::nextafter(x, pair(INF, 0.0));
                let next = f(x);
                assert!(if rises { last.0 <= next.0 } else { next.0 <= last.0 }, "{name} at {x:?}");
                last = next;
            }
        });
    }
}

#[test]
fn hi_is_monotone() {
    monotone::<f32>();
    monotone::<f64>();
}
