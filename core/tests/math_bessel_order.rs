//! Bessel functions of integer order: special values, parity, the functions of orders 0 and 1, the recurrence, the largest orders. On
//! all operands `vernier accuracy` holds the errors of jn and yn to the bounds.

mod bessel;
mod pairs;
mod random;

use bessel::{argument, overflowing};
use pairs::{Pair, special};
use random::Random;
use rayon::prelude::*;
use std::num::Wrapping;
use vernier::host::Host;
use vernier::machine::{Value, exp2};
use vernier::pair::canonical;
use vernier::{HostLimb, fp32mp2, fp64mp2, math};

/// NaN is one class.
fn bits<F: HostLimb>(x: Pair<F>) -> (u64, u64) {
    let nan = F::lit(f64::NAN).to_bits_u64();
    (if x.0.to_f64().is_nan() { nan } else { x.0.to_bits_u64() }, x.1.to_bits_u64())
}

fn jn<F: HostLimb + Value<M = Host>>(n: i32, x: Pair<F>) -> Pair<F> {
    math::jn(Wrapping(n as u32), x)
}

fn yn<F: HostLimb + Value<M = Host>>(n: i32, x: Pair<F>) -> Pair<F> {
    math::yn(Wrapping(n as u32), x)
}

fn minus<F: HostLimb>(x: Pair<F>) -> Pair<F> {
    (-x.0, if x.1 == F::ZERO { x.1 } else { -x.1 })
}

fn ends<F: HostLimb + Value<M = Host>>() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    // x, and J and Y of the orders 2, 3, -2, -3 there.
    let cases: [(f64, [f64; 4], [f64; 4]); 8] = [
        (0.0, [0.0, 0.0, 0.0, -0.0], [-inf, -inf, -inf, inf]),
        (-0.0, [0.0, -0.0, 0.0, 0.0], [-inf, -inf, -inf, inf]),
        (inf, [0.0, 0.0, 0.0, -0.0], [0.0, 0.0, 0.0, -0.0]),
        (-inf, [0.0, -0.0, 0.0, 0.0], [nan; 4]),
        (nan, [nan; 4], [nan; 4]),
        (least, [0.0, 0.0, 0.0, -0.0], [-inf, -inf, -inf, inf]),
        (-least, [0.0, -0.0, 0.0, 0.0], [nan; 4]),
        (exp2(F::MIN_EXP / 2 - 8), [-1.0, 0.0, -1.0, -0.0], [-inf, -inf, -inf, inf]),
    ];
    for (x, first, second) in cases {
        for (i, n) in [2, 3, -2, -3].into_iter().enumerate() {
            let at = (F::lit(x), F::ZERO);
            // -1 stands for any subnormal number.
            if first[i] == -1.0 {
                let r = jn(n, at).0.to_f64();
                assert!(r > 0.0 && r < exp2(F::MIN_EXP), "J{n}({x}) = {r}");
            } else {
                assert_eq!(bits(jn(n, at)), bits((F::lit(first[i]), F::ZERO)), "J{n}({x})");
            }
            let overflows = second[i].is_finite() || x.abs() <= least || x.is_nan() || !x.is_finite();
            if overflows || n.abs() > 2 || F::P == 24 {
                assert_eq!(bits(yn(n, at)), bits((F::lit(second[i]), F::ZERO)), "Y{n}({x})");
            }
        }
    }
    for n in [65, -65, i32::MAX, i32::MIN, i32::MIN + 1] {
        for x in [0.0, 1.0, 100.0, inf] {
            let x = (F::lit(x), F::ZERO);
            assert!(jn(n, x).0.to_f64().is_nan() && yn(n, x).0.to_f64().is_nan(), "{n} {x:?}");
        }
    }
    let (x, envelope) = overflowing::<F>();
    for r in [jn(9, x), yn(9, x)] {
        let r = r.0.to_f64().abs();
        assert!(r > 0.0 && r <= envelope * 1.01, "{r}");
    }
}

#[test]
fn values_at_ends_and_beyond() {
    ends::<f32>();
    ends::<f64>();
}

fn identities<F: HostLimb + Value<M = Host> + Sync>() {
    let list = special::<F>();
    (0..64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for i in 0..150 {
            let x = argument(&mut random, &list, i % 2 == 0);
            for (n, f, g) in [(0, math::j0(x), math::y0(x)), (1, math::j1(x), math::y1(x))] {
                assert_eq!(bits(jn(n, x)), bits(f), "J{n}, {x:?}");
                assert_eq!(bits(yn(n, x)), bits(g), "Y{n}, {x:?}");
            }
            let n = random.below(65) as i32;
            let other = |r: Pair<F>| if n % 2 == 0 { r } else { minus(r) };
            let (first, second) = (jn(n, x), yn(n, x));
            for r in [first, second] {
                assert_eq!(bits(canonical(r)), bits(r), "canonical, {n} {x:?}");
            }
            if (x.0 + x.1).to_f64().is_finite() {
                let c = canonical(x);
                assert_eq!((bits(jn(n, c)), bits(yn(n, c))), (bits(first), bits(second)), "value, {n} {x:?}");
            }
            assert_eq!(bits(jn(-n, x)), bits(other(first)), "J, {n} {x:?}");
            assert_eq!(bits(yn(-n, x)), bits(other(second)), "Y, {n} {x:?}");
            if x.0 != -x.1 {
                assert_eq!(bits(jn(n, (-x.0, -x.1))), bits(other(first)), "-x, {n} {x:?}");
            }
            assert_eq!(bits(math::bessel_y(n, x)), bits(second), "{n} {x:?}");
        }
    });
}

#[test]
fn identities_of_bessel_functions() {
    identities::<f32>();
    identities::<f64>();
}

/// f(n - 1) + f(n + 1) = 2 n f(n) / x, in doubles.
fn recurrence<F: HostLimb + Value<M = Host> + Sync>(most: u64, f: impl Fn(i32, Pair<F>) -> Pair<F> + Sync) {
    (0..4000u64).into_par_iter().for_each(|i| {
        let mut random = Random(i);
        let n = random.below(most) as i32 + 1;
        let x = F::lit((f64::from(n) + 1.0) * 2.0 * (random.word() >> 11) as f64 * exp2(-53));
        let at = |n: i32| f(n, (x, F::ZERO)).0.to_f64();
        let [a, b, c] = [at(n - 1), at(n), at(n + 1)];
        let scaled = 2.0 * f64::from(n) * b / x.to_f64();
        let size = a.abs() + c.abs() + scaled.abs();
        if size.is_finite() && a.abs().min(b.abs()).min(c.abs()) > exp2(F::MIN_EXP) {
            assert!((a + c - scaled).abs() <= size * exp2(3 - F::P as i32), "{n} {x:?}: {a} {b} {c}");
        }
    });
}

#[test]
fn neighbours_obey_the_recurrence() {
    recurrence::<f32>(63, jn);
    recurrence::<f32>(63, yn);
    recurrence::<f64>(63, jn);
    recurrence::<f64>(63, yn);
    recurrence::<f64>(500, math::bessel_j);
    recurrence::<f64>(500, math::bessel_y);
}

#[test]
fn large_orders_end() {
    let x = fp64mp2::from(10_001);
    assert!(x.bessel_j(10_000).hi() > 0.0 && x.bessel_y(-9_999).hi() > 0.0);
    assert!(x.bessel_j(10_001).is_nan() && x.bessel_y(-10_001).is_nan() && x.bessel_j(i32::MIN).is_nan());
    assert_eq!(vernier::jn(3, fp32mp2::from(2)), fp32mp2::from(2).jn(3));
    // The beginning of a recurrence changes no more than its rounding.
    let (a, b) = (x.jn(64), x.bessel_j(64));
    assert!(((a - b) / a).abs().hi() < exp2(-97), "{a} {b}");
}
