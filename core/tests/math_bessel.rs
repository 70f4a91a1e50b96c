//! Bessel functions: special values, parity, that the value counts and not the limbs, joins of intervals, Wronski's determinant. On
//! all operands `vernier accuracy` holds their errors to the bounds.

mod bessel;
mod pairs;
mod random;

use bessel::{argument, overflowing};
use pairs::{Pair, special};
use random::Random;
use rayon::prelude::*;
use vernier::host::Host;
use vernier::machine::{Value, exp2};
use vernier::pair::canonical;
use vernier::{HostLimb, math};

/// NaN is one class.
fn bits<F: HostLimb>(x: Pair<F>) -> (u64, u64) {
    let nan = F::lit(f64::NAN).to_bits_u64();
    (if x.0.to_f64().is_nan() { nan } else { x.0.to_bits_u64() }, x.1.to_bits_u64())
}

type Function<F> = fn(Pair<F>) -> Pair<F>;

fn functions<F: HostLimb + Value<M = Host>>() -> [Function<F>; 4] {
    [math::j0, math::j1, math::y0, math::y1]
}

fn ends<F: HostLimb + Value<M = Host>>() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    let cases: [(f64, [f64; 4]); 8] = [
        (0.0, [1.0, 0.0, -inf, -inf]),
        (-0.0, [1.0, -0.0, -inf, -inf]),
        (inf, [0.0, 0.0, 0.0, 0.0]),
        (-inf, [0.0, -0.0, nan, nan]),
        (nan, [nan; 4]),
        (-1e-30, [f64::from_bits(1), f64::from_bits(1), nan, nan]),
        (-7.0, [f64::from_bits(1), f64::from_bits(1), nan, nan]),
        (least, [1.0, f64::from_bits(1), f64::from_bits(1), -inf]),
    ];
    for (x, results) in cases {
        for (f, r) in functions::<F>().into_iter().zip(results) {
            // The least number stands for any.
            if r != f64::from_bits(1) {
                assert_eq!(bits(f((F::lit(x), F::ZERO))), bits((F::lit(r), F::ZERO)), "{x}, not {r}");
            }
        }
    }
    let (x, envelope) = overflowing::<F>();
    for f in functions::<F>() {
        let r = f(x).0.to_f64().abs();
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
    let minus = |x: Pair<F>| (-x.0, if x.1 == F::ZERO { x.1 } else { -x.1 });
    (0..64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for i in 0..1000 {
            let x = argument(&mut random, &list, i % 2 == 0);
            let sum = (x.0 + x.1).to_f64().is_finite();
            for f in functions::<F>() {
                let r = f(x);
                assert_eq!(bits(canonical(r)), bits(r), "canonical, {x:?}");
                if sum {
                    assert_eq!(bits(f(canonical(x))), bits(r), "value, {x:?}");
                }
            }
            if x.0 != -x.1 {
                assert_eq!(bits(math::j0((-x.0, -x.1))), bits(math::j0(x)), "even, {x:?}");
                assert_eq!(bits(math::j1((-x.0, -x.1))), bits(minus(math::j1(x))), "odd, {x:?}");
            }
        }
    });
}

#[test]
fn identities_of_bessel_functions() {
    identities::<f32>();
    identities::<f64>();
}

/// J1 Y0 - J0 Y1 = 2 / (pi x), in doubles.
fn determinant<F: HostLimb + Value<M = Host> + Sync>() {
    (0..100_000u64).into_par_iter().for_each(|i| {
        let part = (Random(i).word() >> 11) as f64 * exp2(-53);
        let x = (F::lit(part * exp2((i % 12) as i32 - 3)), F::ZERO);
        let at = |f: Function<F>| f(x).0.to_f64();
        let [j0, j1, y0, y1] = functions::<F>().map(at);
        let right = 2.0 / (std::f64::consts::PI * x.0.to_f64());
        let size = (j1 * y0).abs() + (j0 * y1).abs();
        let apart = (j1 * y0 - j0 * y1 - right).abs() / size;
        assert!(apart < exp2(3 - F::P as i32), "{x:?} {apart}");
    });
}

#[test]
fn both_kinds_have_wronskis_determinant() {
    determinant::<f32>();
    determinant::<f64>();
}
