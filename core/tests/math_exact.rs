//! Identities of the exact functions of pairs on random and directed operands, in any order, overlap and distance of limbs, and
//! every pair of tiny limbs. On all operands `vernier accuracy` holds them to their definitions.

mod pairs;
mod random;

use pairs::{Pair, operand, special};
use random::Random;
use rayon::prelude::*;
use vernier::host::Host;
use vernier::machine::{Machine, exp2};
use vernier::pair::{High, Level, le, lt};
use vernier::tiny::Tiny;
use vernier::{HostLimb, math};

/// NaN is one class.
fn bits<F: HostLimb>(x: Pair<F>) -> (u64, u64) {
    let nan = F::lit(f64::NAN).to_bits_u64();
    (if x.0.to_f64().is_nan() { nan } else { x.0.to_bits_u64() }, x.1.to_bits_u64())
}

const CASES: u64 = 150_000;

/// `check` on [`CASES`] operands and on all pairs of special limbs.
fn unary<F: HostLimb>(check: impl Fn(Pair<F>) + Sync) {
    let list = special::<F>();
    list.par_iter().for_each(|&hi| list.iter().for_each(|&lo| check((hi, lo))));
    (0..64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for _ in 0..CASES / 64 + 1 {
            check(operand(&mut random, &list));
        }
    });
}

fn neighbours<F: HostLimb>() {
    // A step away from 0 and one back, whose unit is no smaller.
    unary::<F>(|x| {
        let up = math::nextafter(x, (F::lit(f64::INFINITY), F::ZERO));
        if math::isfinite(up) && x.0 + x.1 >= F::ZERO {
            let back = math::nextafter(up, (F::lit(f64::NEG_INFINITY), F::ZERO));
            assert!(le(back, x) && lt(x, up), "{x:?} {up:?} {back:?}");
        }
    });
}

#[test]
fn neighbours_of_a_number() {
    neighbours::<f32>();
    neighbours::<f64>();
}

fn identities<F: HostLimb>() {
    unary::<F>(|x| {
        let b = bits::<F>;
        let minus = (-x.0, -x.1);
        let c = vernier::pair::canonical(x);
        // The value counts, not the limbs.
        if x.0.to_f64() != 0.0 && c.0.to_f64().is_finite() {
            assert_eq!(b(math::rint(x)), b(math::rint(c)));
            assert_eq!(b(math::floor(x)), b(math::floor(c)));
            assert_eq!(b(math::frexp(x).0), b(math::frexp(c).0));
        }
        for r in [math::floor(x), math::ceil(x), math::trunc(x), math::round(x), math::rint(x)] {
            assert_eq!(b(math::trunc(r)), b(r), "an integer is its own integer, {x:?}");
            assert_eq!(b(vernier::pair::canonical(r)), b(r), "canonical, {x:?}");
        }
        if x.0.to_f64() != -x.1.to_f64() {
            let sign = |x: Pair<F>| math::copysign(x, minus);
            assert_eq!(b(sign(math::ceil(minus))), b(sign(math::floor(x))), "ceil(-x) = -floor(x), {x:?}");
            assert_eq!(b(math::fabs(x)), b(math::fabs(minus)), "{x:?}");
        }
        assert_eq!(math::isfinite(x), !math::isnan(x) && !math::isinf(x));
        let (m, e) = math::frexp(x);
        if c.1.to_f64() == 0.0 {
            assert_eq!(b(math::ldexp(m, e)).0, b(c).0, "frexp undone, {x:?}");
        }
    });
}

#[test]
fn identities_of_functions() {
    identities::<f32>();
    identities::<f64>();
}

fn positive_difference<F: HostLimb>() {
    let list = special::<F>();
    unary::<F>(|x| {
        let mut random = Random(x.0.to_bits_u64() ^ x.1.to_bits_u64().rotate_left(32));
        for y in [operand(&mut random, &list), (x.0, operand(&mut random, &list).0), (-x.0, -x.1)] {
            let expected = match (lt(y, x), le(x, y)) {
                (true, _) => High::sub(x, y),
                (false, true) => (F::ZERO, F::ZERO),
                (false, false) => (F::lit(f64::NAN), F::ZERO),
            };
            let r = math::fdim(x, y);
            assert_eq!(bits(r), bits(expected), "fdim {x:?} {y:?}");
        }
    });
}

#[test]
fn positive_difference_has_the_bits_of_the_high_one() {
    positive_difference::<f32>();
    positive_difference::<f64>();
}

/// Every pair of tiny limbs: hi from 1/8 to 2^(2p + 1), lo from none to as large as hi and of as many digits below.
fn tiny<const P: u32>() {
    type Rule = fn(f64) -> f64;
    let limbs = |e: std::ops::RangeInclusive<i32>| {
        let digits = e.flat_map(|e| (1 << (P - 1)..1 << P).map(move |m| m as f64 * exp2(e - P as i32 + 1)));
        digits.flat_map(|x| [x, -x]).chain([0.0, -0.0]).collect::<Vec<_>>()
    };
    let (p, los) = (P as i32, limbs(-2 * P as i32 - 1..=2 * P as i32 + 1));
    let pair = |x: f64| (Tiny::<P>::round(x).get(), Tiny::<P>::round(x - Tiny::<P>::round(x).get()).get() + 0.0);
    let get = |x: (Tiny<P>, Tiny<P>)| (x.0.get(), x.1.get());
    let same = |name: &str, x, a: (f64, f64), b: (f64, f64)| {
        assert_eq!((a.0.to_bits(), a.1.to_bits()), (b.0.to_bits(), b.1.to_bits()), "{name} {x:?} = {a:?}, not {b:?}");
    };
    limbs(-3..=2 * p + 1).into_par_iter().for_each(|hi| {
        for &lo in &los {
            let x = (Tiny::<P>::round(hi), Tiny::<P>::round(lo));
            let v = if lo == 0.0 { hi } else { hi + lo };
            let functions: [(&str, (Tiny<P>, Tiny<P>), Rule); 5] = [
                ("floor", math::floor(x), f64::floor),
                ("ceil", math::ceil(x), f64::ceil),
                ("trunc", math::trunc(x), f64::trunc),
                ("round", math::round(x), f64::round),
                ("rint", math::rint(x), f64::round_ties_even),
            ];
            for (name, r, rule) in functions {
                same(name, x, get(r), pair(rule(v)));
            }
            let (f, t) = math::modf(x);
            same("modf, integer", x, get(t), pair(v.trunc()));
            same("modf, fraction", x, get(f), pair((v - v.trunc()).copysign(v)));
        }
    });
}

#[test]
fn rounding_of_every_tiny_pair() {
    tiny::<3>();
    tiny::<4>();
    tiny::<5>();
}

/// A frozen few, to read.
#[test]
fn examples() {
    let tiny = 2f32.powi(-140);
    let p = |hi: f32, lo: f32| (hi, lo);
    assert_eq!(math::floor(p(3.0, -tiny)), (2.0, 0.0));
    assert_eq!(math::ceil(p(3.0, tiny)), (4.0, 0.0));
    assert_eq!(math::rint(p(2.5, tiny)), (3.0, 0.0));
    assert_eq!(math::rint(p(2.5, 0.0)), (2.0, 0.0));
    assert_eq!(math::round(p(2.5, -tiny)), (2.0, 0.0));
    assert_eq!(math::round(p(-2.5, 0.0)), (-3.0, 0.0));
    assert!(math::ceil(p(-0.5, 0.0)).0.to_bits() == (-0.0f32).to_bits());
    assert_eq!(math::lrint(p(f32::NAN, 0.0)).0, 0);
    assert_eq!(math::lround(p(-f32::MAX, 0.0)).0 as i64, i64::MIN);
    assert_eq!(math::ilogb(p(1.0, -tiny)).0 as i32, -1);
    assert_eq!(math::frexp(p(1.0, -tiny)).0, (1.0, -tiny));
    assert_eq!(math::nextafter(p(1.0, 0.0), p(0.0, 0.0)), (1.0, -(2f32.powi(-45))));
    assert_eq!(math::nextafter(p(0.0, 0.0), p(-1.0, 0.0)), (-f32::from_bits(1), 0.0));
    assert_eq!(math::fmax(p(f32::NAN, 0.0), p(1.0, 0.0)), (1.0, 0.0));
    assert_eq!(math::modf(p(3.0, -tiny)), ((1.0, -tiny), (2.0, 0.0)));
    let r = Host::branch(math::isnan(p(f32::NAN, 0.0)), 0.0f32, || 1.0);
    assert_eq!(r, 1.0);
}
