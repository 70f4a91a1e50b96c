//! Gamma and Bessel functions: special values, exact results, symmetry, recurrences. How far results are from the exact ones
//! `vernier accuracy` measures.

mod pairs;
mod random;

use pairs::{Pair, operand, special};
use random::Random;
use vernier::machine::exp2;
use vernier::pair::{High, Level};
use vernier::{HostLimb, math};

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

type Function<F> = fn(Pair<F>) -> Pair<F>;
/// Name, function, arguments and values.
type Row<F> = (&'static str, Function<F>, &'static [(f64, f64)]);

fn special_values<F: HostLimb>() {
    let table: [Row<F>; 4] = [
        (
            "tgamma",
            math::tgamma,
            &[(0.0, INF), (-0.0, -INF), (INF, INF), (-INF, NAN), (NAN, NAN), (-1.0, NAN), (-1e30, NAN), (1.0, 1.0)],
        ),
        (
            "lgamma",
            math::lgamma,
            &[
                (0.0, INF),
                (-0.0, INF),
                (INF, INF),
                (-INF, INF),
                (NAN, NAN),
                (-3.0, INF),
                (-1e30, INF),
                (1.0, 0.0),
                (2.0, 0.0),
            ],
        ),
        (
            "cyl_bessel_i0",
            math::cyl_bessel_i0,
            &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN), (1e30, INF), (-720.0, INF)],
        ),
        (
            "cyl_bessel_i1",
            math::cyl_bessel_i1,
            &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (1e30, INF), (-720.0, -INF)],
        ),
    ];
    for (name, f, cases) in table {
        for &(x, r) in cases {
            assert_eq!(bits(f(pair(x, 0.0))), bits::<F>(pair(r, 0.0)), "{name}({x})");
        }
    }
    // A pole is a value, not a hi; nor is it one where lo is not 0.
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    assert_eq!(bits(math::tgamma(pair::<F>(-2.5, 0.5))), bits::<F>(pair(NAN, 0.0)));
    assert_eq!(bits(math::tgamma(pair::<F>(-2.0, least))), bits::<F>(pair(INF, 0.0)));
    assert_eq!(bits(math::tgamma(pair::<F>(-2.0, -least))), bits::<F>(pair(-INF, 0.0)));
    assert!(math::isfinite(math::lgamma(pair::<F>(-2.0, least))));
    // Far below, the sign is that of the integer below.
    assert_eq!(bits(math::tgamma(pair::<F>(-400.5, 0.0))), bits::<F>(pair(-0.0, 0.0)));
    assert_eq!(bits(math::tgamma(pair::<F>(-401.5, 0.0))), bits::<F>(pair(0.0, 0.0)));
}

#[test]
fn special_values_of_gamma_and_bessel_functions() {
    special_values::<f32>();
    special_values::<f64>();
}

/// tgamma(n) is (n - 1)! while that is a pair; returns the last such n.
fn factorials<F: HostLimb>() -> u32 {
    let mut product = num_bigint::BigUint::from(1u32);
    for n in 1.. {
        let odd = &product >> product.trailing_zeros().unwrap_or(0);
        // hi by rounding to nearest, lo is what is left.
        let (h, l) = math::tgamma(pair::<F>(n.into(), 0.0));
        let value = |x: F| {
            let x = x.to_f64();
            let (m, e) = (x.abs().to_bits() & ((1 << 52) - 1) | 1 << 52, (x.abs().to_bits() >> 52) as i64 - 1075);
            if x == 0.0 {
                num_bigint::BigInt::from(0)
            } else {
                let m = num_bigint::BigInt::from(m);
                let v = if e < 0 { m >> -e } else { m << e };
                if x < 0.0 { -v } else { v }
            }
        };
        if value(h) + value(l) != product.clone().into() {
            assert!(odd.bits() > 2 * u64::from(F::P), "{n}");
            return n - 1;
        }
        product *= n;
    }
    0
}

#[test]
fn factorials_are_exact() {
    assert_eq!(factorials::<f32>(), 23);
    assert_eq!(factorials::<f64>(), 37);
}

fn value_counts<F: HostLimb>() {
    let list = special::<F>();
    let mut random = Random(3);
    for _ in 0..40_000 {
        let x = operand(&mut random, &list);
        let c = vernier::pair::canonical(x);
        if !c.0.to_f64().is_finite() {
            continue;
        }
        let all: [Function<F>; 4] = [math::tgamma, math::lgamma, math::cyl_bessel_i0, math::cyl_bessel_i1];
        for (i, f) in all.into_iter().enumerate() {
            let r = f(x);
            assert_eq!(bits((r.0, r.1 + F::ZERO)), bits((f(c).0, f(c).1 + F::ZERO)), "function {i} of {x:?}");
            let odd = r.0 == F::ZERO || !r.0.to_f64().is_finite();
            assert!(!odd || r.1.to_bits_u64() == 0, "function {i} of {x:?}: lo is +0 where hi is 0 or not finite");
        }
    }
}

#[test]
fn the_value_counts() {
    value_counts::<f32>();
    value_counts::<f64>();
}

/// Symmetry to the bit; gamma(x + 1) = x gamma(x) and log gamma(x + 1) = log x + log gamma(x) to a few ulp.
fn identities<F: HostLimb>() {
    let ulp = exp2(3 - 2 * F::P as i32);
    let mut random = Random(1);
    for _ in 0..20_000 {
        let hi = exp2(random.below(6) as i32 - 1) * (1.0 + random.word() as f64 * exp2(-64)) - 4.0;
        // So few digits that a unit more is exact.
        let hi = F::lit((hi * exp2(12)).round() * exp2(-12)).to_f64();
        let x = pair::<F>(hi, exp2(-12 - F::P as i32) * (random.word() as f64 * exp2(-64) - 0.5));
        let minus = (-x.0, -x.1);
        let (a, b) = (math::cyl_bessel_i1(x), math::cyl_bessel_i1(minus));
        assert_eq!((bits(a).0, a.1.to_f64()), (bits((-b.0, b.1)).0, -b.1.to_f64()), "{x:?}");
        assert_eq!(bits(math::cyl_bessel_i0(x)), bits(math::cyl_bessel_i0(minus)), "{x:?}");
        let next = High::add(x, pair(1.0, 0.0));
        let (g, h) = (math::tgamma(x), math::tgamma(next));
        let product = High::mul(x, g);
        if g.0.to_f64().is_finite() && h.0.to_f64().is_finite() && h.0 != F::ZERO {
            let apart = High::sub(product, h).0.to_f64() / h.0.to_f64();
            assert!(apart.abs() <= 4.0 * ulp, "gamma, {x:?}: {apart:e}");
            let sum = High::add(math::log(math::fabs(x)), math::lgamma(x));
            let apart = High::sub(sum, math::lgamma(next)).0.to_f64();
            let size = 1.0 + math::log(math::fabs(x)).0.to_f64().abs() + math::lgamma(x).0.to_f64().abs();
            assert!(apart.abs() <= 4.0 * ulp * size, "log gamma, {x:?}: {apart:e}");
        }
    }
}

#[test]
fn symmetry_and_recurrences() {
    identities::<f32>();
    identities::<f64>();
}
