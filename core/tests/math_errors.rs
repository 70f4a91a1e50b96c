//! Error functions, their inverses and Boys' function: special values, symmetry, range, order, and that the value counts and not
//! the limbs. On all operands `vernier accuracy` holds their errors to the bounds.

mod pairs;
mod random;

use pairs::{Pair, operand, special};
use random::Random;
use rayon::prelude::*;
use vernier::host::Host;
use vernier::machine::{Value, exp2};
use vernier::pair::{canonical, le};
use vernier::{HostLimb, math};

/// NaN is one class.
fn bits<F: HostLimb>(x: Pair<F>) -> (u64, u64) {
    let nan = F::lit(f64::NAN).to_bits_u64();
    (if x.0.to_f64().is_nan() { nan } else { x.0.to_bits_u64() }, x.1.to_bits_u64())
}

type Function<F> = fn(Pair<F>) -> Pair<F>;

fn functions<F: HostLimb + Value<M = Host>>() -> [Function<F>; 8] {
    [math::erf, math::erfc, math::erfcx, math::normcdf, math::erfinv, math::erfcinv, math::normcdfinv, math::boys_f0]
}

fn special_values<F: HostLimb + Value<M = Host>>() {
    let (nan, inf, least) = (f64::NAN, f64::INFINITY, exp2(F::MIN_EXP + 1 - F::P as i32));
    let check = |name: &str, f: Function<F>, cases: &[((f64, f64), f64)]| {
        for &(x, r) in cases {
            let x = (F::lit(x.0), F::lit(x.1));
            assert_eq!(bits(f(x)), bits((F::lit(r), F::ZERO)), "{name}({x:?})");
        }
        assert_eq!(bits(f((F::lit(nan), F::ZERO))), bits((F::lit(nan), F::ZERO)), "{name}(nan)");
    };
    let z = |x: f64| (x, 0.0);
    check("erf", math::erf, &[(z(inf), 1.0), (z(-inf), -1.0), (z(0.0), 0.0), (z(-0.0), -0.0), ((-0.0, -0.0), -0.0)]);
    check("erfc", math::erfc, &[(z(inf), 0.0), (z(-inf), 2.0), (z(0.0), 1.0), (z(-0.0), 1.0), (z(40.0), 0.0)]);
    check("erfcx", math::erfcx, &[(z(inf), 0.0), (z(-inf), inf), (z(0.0), 1.0), (z(-0.0), 1.0), (z(-40.0), inf)]);
    check("normcdf", math::normcdf, &[(z(inf), 1.0), (z(-inf), 0.0), (z(0.0), 0.5), (z(-0.0), 0.5), (z(-60.0), 0.0)]);
    check("boys_f0", math::boys_f0, &[(z(inf), 0.0), (z(0.0), 1.0), (z(-0.0), 1.0), (z(-least), nan), (z(-inf), nan)]);
    check(
        "erfinv",
        math::erfinv,
        &[
            (z(0.0), 0.0),
            (z(-0.0), -0.0),
            (z(1.0), inf),
            (z(-1.0), -inf),
            ((1.0, least), nan),
            (z(-2.0), nan),
            (z(inf), nan),
        ],
    );
    check(
        "erfcinv",
        math::erfcinv,
        &[
            (z(0.0), inf),
            (z(-0.0), inf),
            (z(1.0), 0.0),
            (z(2.0), -inf),
            ((2.0, least), nan),
            (z(-least), nan),
            (z(inf), nan),
        ],
    );
    check(
        "normcdfinv",
        math::normcdfinv,
        &[(z(0.0), -inf), (z(-0.0), -inf), (z(0.5), 0.0), (z(1.0), inf), ((1.0, least), nan), (z(-least), nan)],
    );
    // Limbs whose sum overflows.
    let most = F::from_bits_u64(F::lit(f64::INFINITY).to_bits_u64() - 1);
    for f in [math::erfcx, math::boys_f0] {
        let (half, whole) = (f((most, F::ZERO)).0.to_f64(), f((most, most)).0.to_f64());
        assert!(half * 0.49 < whole && whole < half * 0.72, "{half} {whole}");
    }
    // Just inside the ends nothing is infinite.
    let finite = |x: Pair<F>| x.0.to_f64().is_finite();
    assert!(finite(math::erfinv((F::ONE, F::lit(-least)))) && finite(math::erfcinv((F::lit(2.0), F::lit(-least)))));
    assert!(finite(math::erfcinv((F::lit(least), F::ZERO))) && finite(math::normcdfinv((F::lit(least), F::ZERO))));
}

#[test]
fn values_at_ends_and_beyond() {
    special_values::<f32>();
    special_values::<f64>();
}

fn identities<F: HostLimb + Value<M = Host> + Sync>() {
    let list = special::<F>();
    let minus = |x: Pair<F>| (-x.0, if x.1 == F::ZERO { x.1 } else { -x.1 });
    let limb = |x: f64| (F::lit(x), F::ZERO);
    (0..64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for i in 0..1500 {
            let mut x = operand(&mut random, &list);
            if i % 2 == 0 {
                // Where most happens.
                let h = F::lit((random.word() as i64 as f64) * exp2(-59 - (random.below(12)) as i32));
                x = (h, F::lit(h.to_f64() * (random.word() as i64 as f64) * exp2(-63 - F::P as i32)));
            }
            let sum = (x.0 + x.1).to_f64().is_finite();
            for f in functions::<F>() {
                let r = f(x);
                assert_eq!(bits(canonical(r)), bits(r), "canonical, {x:?}");
                if sum {
                    assert_eq!(bits(f(canonical(x))), bits(r), "value, {x:?}");
                }
            }
            if x.0 != -x.1 {
                for f in [math::erf, math::erfinv] {
                    assert_eq!(bits(f((-x.0, -x.1))), bits(minus(f(x))), "odd, {x:?}");
                }
            }
            let within =
                |r: Pair<F>, low: f64, high: f64| r.0.to_f64().is_nan() || (le(limb(low), r) && le(r, limb(high)));
            assert!(within(math::erf(x), -1.0, 1.0) && within(math::erfc(x), 0.0, 2.0), "{x:?}");
            assert!(within(math::normcdf(x), 0.0, 1.0) && within(math::boys_f0(x), 0.0, 1.0), "{x:?}");
            // What is beyond the middle is a mirror image: 2 - x is exact there.
            let c = canonical(x);
            if c.0 > F::ONE && c.0 < F::lit(2.0) {
                let y = canonical((F::lit(2.0) - c.0, -c.1));
                assert_eq!(bits(math::erfcinv(c)), bits(minus(math::erfcinv(y))), "{x:?}");
                let half = |x: Pair<F>| (x.0 * F::lit(0.5), x.1 * F::lit(0.5));
                if c.1.abs().to_f64() > exp2(F::MIN_EXP + 4) || c.1 == F::ZERO {
                    assert_eq!(bits(math::normcdfinv(half(c))), bits(minus(math::normcdfinv(half(y)))), "{x:?}");
                }
            }
        }
    });
}

#[test]
fn identities_of_error_functions() {
    identities::<f32>();
    identities::<f64>();
}

/// The function of the inverse is the argument, but for a few u^2 times the condition number.
fn compositions<F: HostLimb + Value<M = Host> + Sync>() {
    let unit = exp2(-2 * F::P as i32);
    (0..20_000u64).into_par_iter().for_each(|i| {
        let mut random = Random(i);
        let part = (random.word() >> 11) as f64 * exp2(-53);
        let h = F::lit(if i % 2 == 0 { part } else { part * exp2(-(random.below(100) as i32)) });
        let x = canonical((h, F::lit(h.to_f64() * (part - 0.5) * exp2(1 - F::P as i32))));
        let check = |y: Pair<F>, z: Pair<F>, condition: f64| {
            let error = ((z.0 - x.0) + (z.1 - x.1)).to_f64().abs();
            assert!(error <= (6.0 + 6.0 * condition) * unit * x.0.to_f64(), "{x:?} {y:?} {z:?} {}", error / unit);
        };
        if x.0.to_f64() == 0.0 || x.0.to_f64() >= 1.0 {
            return;
        }
        let y = math::erfinv(x);
        check(y, math::erf(y), 1.0);
        let y = math::erfcinv(x);
        check(y, math::erfc(y), 2.0 + 2.0 * y.0.to_f64().powi(2));
        let y = math::normcdfinv(x);
        check(y, math::normcdf(y), 2.0 + y.0.to_f64().powi(2));
    });
}

#[test]
fn functions_of_their_inverses() {
    compositions::<f32>();
    compositions::<f64>();
}

/// Consecutive pairs: hi never goes the wrong way. Places are ends of intervals, and anything.
fn order<F: HostLimb + Value<M = Host> + Sync>() {
    let rises = [true, false, false, true, true, false, true, false];
    (0..400u64).into_par_iter().for_each(|place| {
        let mut random = Random(place);
        let part = (random.word() >> 11) as f64 * exp2(-53);
        let x = match place % 4 {
            0 => part,
            1 => part * 8.0,
            2 => exp2((place / 4 % 5) as i32) * (1.0 + (place / 20 % 8) as f64 / 8.0) - 1.0,
            _ => [0.625, 0.5, 1.0, 0.25, 0.875][(place / 4 % 5) as usize],
        };
        let start = F::lit(x);
        let step = F::lit(x * exp2(1 - 2 * F::P as i32));
        for (i, (f, rises)) in functions::<F>().into_iter().zip(rises).enumerate() {
            let values: Vec<F> = (-200..200).map(|k| f(canonical((start, step * F::lit(f64::from(k))))).0).collect();
            let wrong = values.windows(2).find(|v| if rises { v[0] > v[1] } else { v[0] < v[1] });
            assert_eq!(wrong, None, "function {i} at {start:?}");
        }
    });
}

#[test]
fn hi_is_monotone() {
    order::<f32>();
    order::<f64>();
}
