//! The exact functions of pairs against big integers: random and directed operands at both widths, and all of a list of
//! special limbs. Limbs come in any order, overlap and distance.

mod exact;
mod functions;
mod pairs;
mod random;

use exact::{F32, F64, Format, Number, Number::*, add, decode, negate, round_pair, value};
use functions::{exponent, floor, integer, is_minus, next, order, rint, round, scaled, trunc, with_sign};
use pairs::{Pair, operand, second, special};
use random::Random;
use rayon::prelude::*;
use std::cmp::Ordering;
use vernier::host::Host;
use vernier::machine::{Machine, exp2};
use vernier::tiny::Tiny;
use vernier::{HostLimb, math};

type Bits = (u128, u128);

fn format<F: HostLimb>() -> Format {
    if F::P == 24 { F32 } else { F64 }
}

fn bits<F: HostLimb>(x: Pair<F>) -> Bits {
    (x.0.to_bits_u64().into(), x.1.to_bits_u64().into())
}

fn number<F: HostLimb>(x: Pair<F>) -> Number {
    let (hi, lo) = bits(x);
    value(hi, lo, format::<F>())
}

/// Exponent of the smallest subnormal limb.
fn lowest<F: HostLimb>() -> i32 {
    F::MIN_EXP + 1 - F::P as i32
}

/// NaN is one class.
fn class(x: Bits, f: Format) -> Bits {
    if decode(x.0, f) == Nan { (f.nan(), x.1) } else { x }
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

/// As [`unary`] for two operands; all quadruples of a short list.
fn binary<F: HostLimb>(check: impl Fn(Pair<F>, Pair<F>) + Sync) {
    let list = special::<F>();
    let largest = F::from_bits_u64(F::lit(f64::INFINITY).to_bits_u64() - 1);
    let limbs = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(F::lit);
    let short: Vec<F> = limbs.into_iter().chain([largest, -largest, F::from_bits_u64(1), F::lit(exp2(-60))]).collect();
    let pairs: Vec<Pair<F>> = short.iter().flat_map(|&hi| short.iter().map(move |&lo| (hi, lo))).collect();
    pairs.par_iter().for_each(|&x| pairs.iter().for_each(|&y| check(x, y)));
    (64..128).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for _ in 0..CASES / 64 + 1 {
            let x = operand(&mut random, &list);
            check(x, second(&mut random, &list, x));
        }
    });
}

#[track_caller]
fn same<F: HostLimb>(name: &str, args: &[Pair<F>], actual: Pair<F>, expected: &Number) {
    let f = format::<F>();
    let (actual, expected) = (class(bits(actual), f), round_pair(expected, f));
    assert!(
        actual == expected,
        "{name} {:x?} = {actual:x?}, expected {expected:x?}",
        args.iter().map(|&x| bits(x)).collect::<Vec<_>>()
    );
}

fn rounding<F: HostLimb>() {
    unary::<F>(|x| {
        let v = number(x);
        same("floor", &[x], math::floor(x), &floor(&v));
        same("ceil", &[x], math::ceil(x), &negate(&floor(&negate(&v))));
        same("trunc", &[x], math::trunc(x), &trunc(&v));
        same("round", &[x], math::round(x), &round(&v));
        same("rint", &[x], math::rint(x), &rint(&v));
        same("nearbyint", &[x], math::nearbyint(x), &rint(&v));
        for (name, r, expected) in [
            ("lrint", math::lrint(x), rint(&v)),
            ("llrint", math::llrint(x), rint(&v)),
            ("lround", math::lround(x), round(&v)),
            ("llround", math::llround(x), round(&v)),
        ] {
            assert_eq!(r.0 as i64, integer(&expected), "{name} {:x?}", bits(x));
        }
        let (f, t) = math::modf(x);
        // A value too large for a pair has an infinite integer beside a fraction.
        let whole = trunc(&v);
        let fraction = match &v {
            Nan => Nan,
            Finite(..) if !matches!(decode(round_pair(&whole, format::<F>()).0, format::<F>()), Infinite(_)) => {
                with_sign(&add(&v, &negate(&whole)), is_minus(&v))
            }
            _ => Zero(is_minus(&v)),
        };
        same("modf, integer", &[x], t, &whole);
        same("modf, fraction", &[x], f, &fraction);
    });
}

#[test]
fn rounding_to_integers() {
    rounding::<f32>();
    rounding::<f64>();
}

fn parts<F: HostLimb>() {
    unary::<F>(|x| {
        let v = number(x);
        same("fabs", &[x], math::fabs(x), &with_sign(&v, false));
        assert_eq!(math::isnan(x), v == Nan, "isnan {x:?}");
        assert_eq!(math::isinf(x), matches!(v, Infinite(_)), "isinf {x:?}");
        assert_eq!(math::isfinite(x), !matches!(v, Nan | Infinite(_)), "isfinite {x:?}");
        assert_eq!(math::signbit(x), is_minus(&v), "signbit {x:?}");
        let (m, e, log) = match &v {
            Finite(m, e) => {
                let log = exponent(m, *e);
                assert_eq!(math::ilogb(x).0 as i32, log, "ilogb {:x?}", bits(x));
                (Finite(m.clone(), e - log - 1), log + 1, exact::integer(log))
            }
            Zero(_) => (v.clone(), 0, Infinite(true)),
            Infinite(_) => (v.clone(), 0, Infinite(false)),
            Nan => (Nan, 0, Nan),
        };
        let special = if matches!(v, Infinite(_)) { i32::MAX } else { i32::MIN };
        assert!(matches!(v, Finite(..)) || math::ilogb(x).0 as i32 == special, "ilogb {x:?}");
        let r = math::frexp(x);
        same("frexp", &[x], r.0, &m);
        assert_eq!(r.1.0 as i32, e, "frexp {:x?}", bits(x));
        same("logb", &[x], math::logb(x), &log);
    });
}

#[test]
fn parts_of_a_number() {
    parts::<f32>();
    parts::<f64>();
}

fn scaling<F: HostLimb>() {
    use std::num::Wrapping;
    let range = 3 - 2 * F::MIN_EXP as i64;
    binary::<F>(|x, y| {
        let v = number(x);
        // Factors of every kind, from the bits of the second operand.
        let mut random = Random(y.0.to_bits_u64() ^ y.1.to_bits_u64().rotate_left(32));
        let to_the_edge = |edge: i64| match &v {
            Finite(m, e) => edge - i64::from(exponent(m, *e)),
            _ => edge,
        };
        let jitter = random.below(5) as i64 - 2;
        let n = match random.below(8) {
            0 => random.word() as i64,
            1 => random.word() as i32 as i64,
            2 => [i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into(), 1 << 32][random.below(5) as usize],
            3 => to_the_edge(lowest::<F>().into()) + random.below(F::P.into()) as i64 - 2,
            4 => to_the_edge(F::MIN_EXP.into()) + random.below(F::P.into()) as i64 + jitter,
            5 => to_the_edge(1 - F::MIN_EXP as i64) + jitter,
            6 => random.below(2 * F::P as u64) as i64 - F::P as i64,
            _ => random.below(4 * range as u64) as i64 - 2 * range,
        };
        let near = |n: i64| scaled(&v, n.clamp(-8000, 8000) as i32);
        let word = Wrapping(n as u32);
        same(&format!("ldexp {n}"), &[x], math::ldexp(x, word), &near(n as i32 as i64));
        same(&format!("scalbn {n}"), &[x], math::scalbn(x, word), &near(n as i32 as i64));
        let r = math::scalbln(x, Wrapping(n as u64));
        same(&format!("scalbln {n}"), &[x], r, &near(n));
    });
}

#[test]
fn scaling_by_powers_of_two() {
    scaling::<f32>();
    scaling::<f64>();
}

fn comparing<F: HostLimb>() {
    binary::<F>(|x, y| {
        let (v, w) = (number(x), number(y));
        let o = order(&v, &w);
        let args = [x, y];
        same("min", &args, math::min(x, y), if o == Some(Ordering::Greater) { &w } else { &v });
        same("max", &args, math::max(x, y), if o == Some(Ordering::Less) { &w } else { &v });
        let pick = |wanted: Ordering, minus: bool| match o {
            None if v == Nan => &w,
            None => &v,
            Some(Ordering::Equal) if is_minus(&v) == minus => &v,
            Some(Ordering::Equal) => &w,
            Some(o) if o == wanted => &v,
            Some(_) => &w,
        };
        same("fmin", &args, math::fmin(x, y), pick(Ordering::Less, true));
        same("fmax", &args, math::fmax(x, y), pick(Ordering::Greater, false));
        same("copysign", &args, math::copysign(x, y), &with_sign(&v, is_minus(&w)));
    });
}

#[test]
fn comparison_and_signs() {
    comparing::<f32>();
    comparing::<f64>();
}

fn neighbours<F: HostLimb>() {
    binary::<F>(|x, y| {
        let (v, w) = (number(x), number(y));
        let expected = next::<F>(&v, &w);
        same("nextafter", &[x, y], math::nextafter(x, y), &expected);
    });
    // A step away from 0 and one back, whose unit is no smaller.
    unary::<F>(|x| {
        let infinity = (F::lit(f64::INFINITY), F::ZERO);
        let (up, v) = (math::nextafter(x, infinity), number(x));
        for minus in [false, true] {
            let y = if minus { (-infinity.0, F::ZERO) } else { infinity };
            same("nextafter", &[x, y], math::nextafter(x, y), &next::<F>(&v, &Infinite(minus)));
        }
        if math::isfinite(up) && x.0 + x.1 >= F::ZERO {
            let back = math::nextafter(up, (-infinity.0, F::ZERO));
            assert!(vernier::pair::le(back, x) && vernier::pair::lt(x, up), "{x:?} {up:?} {back:?}");
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
        let f = format::<F>();
        let b = |x: Pair<F>| class(bits(x), f);
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
