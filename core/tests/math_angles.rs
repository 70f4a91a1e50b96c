//! Functions of angles: special values, exact results, symmetry to the bit, and that the value counts. How far results are from
//! the exact ones `vernier accuracy` measures.

mod pairs;
mod random;

use pairs::{Pair, operand, special};
use random::Random;
use rayon::prelude::*;
use vernier::machine::exp2;
use vernier::pair::{canonical, le};
use vernier::{HostLimb, math};

type Unary<F> = fn(Pair<F>) -> Pair<F>;

/// Odd functions.
fn odd<F: HostLimb>() -> Vec<(&'static str, Unary<F>)> {
    vec![("sin", math::sin), ("tan", math::tan), ("sinpi", math::sinpi), ("tanpi", math::tanpi)]
}

/// Even functions.
fn even<F: HostLimb>() -> Vec<(&'static str, Unary<F>)> {
    vec![("cos", math::cos), ("cospi", math::cospi)]
}

/// NaN is one class.
fn bits<F: HostLimb>(x: Pair<F>) -> (u64, u64) {
    let nan = F::lit(f64::NAN).to_bits_u64();
    (if x.0.to_f64().is_nan() { nan } else { x.0.to_bits_u64() }, x.1.to_bits_u64())
}

fn pair<F: HostLimb>(hi: f64, lo: f64) -> Pair<F> {
    (F::lit(hi), F::lit(lo))
}

fn minus<F: HostLimb>(x: Pair<F>) -> Pair<F> {
    (-x.0, -x.1)
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn special_values<F: HostLimb>() {
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    let (large, odd_number) = (exp2(F::P as i32 + 3), exp2(F::P as i32 - 1) + 1.0);
    let table: [(&str, &[(f64, f64)]); 6] = [
        ("sin", &[(0.0, 0.0), (INF, NAN), (NAN, NAN), (least, least)]),
        ("tan", &[(0.0, 0.0), (INF, NAN), (NAN, NAN), (least, least)]),
        (
            "sinpi",
            &[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.5, 1.0), (1.5, -1.0), (2.5, 1.0), (large, 0.0), (odd_number, 0.0)],
        ),
        (
            "tanpi",
            &[
                (0.0, 0.0),
                (1.0, -0.0),
                (2.0, 0.0),
                (3.0, -0.0),
                (0.5, INF),
                (1.5, -INF),
                (2.5, INF),
                (large, 0.0),
                (odd_number, -0.0),
                (0.25, 1.0),
                (0.75, -1.0),
                (INF, NAN),
            ],
        ),
        ("cos", &[(0.0, 1.0), (INF, NAN), (NAN, NAN), (least, 1.0)]),
        (
            "cospi",
            &[
                (0.0, 1.0),
                (1.0, -1.0),
                (2.0, 1.0),
                (0.5, 0.0),
                (1.5, 0.0),
                (large, 1.0),
                (odd_number, -1.0),
                (INF, NAN),
            ],
        ),
    ];
    for ((name, f), (of, cases)) in odd::<F>().into_iter().chain(even()).zip(table) {
        assert_eq!(name, of);
        let sign = if even::<F>().iter().any(|e| e.0 == name) { 1.0 } else { -1.0 };
        for &(x, r) in cases {
            // Not all quarters are exact, but their hi is.
            let same = |x: f64, r: f64| {
                let got = bits(f(pair(x, 0.0)));
                let want = bits::<F>(pair(r, 0.0));
                assert!(
                    got.0 == want.0 && (x.abs() == 0.25 || x.abs() == 0.75 || got.1 == want.1),
                    "{name}({x}) {got:x?}"
                );
            };
            same(x, r);
            same(-x, sign * r);
        }
    }
    // By lo alone, and limbs whose sum overflows.
    let whole = F::P as i32 + 3;
    assert_eq!(bits(math::sinpi(pair::<F>(exp2(whole), 0.5))), bits::<F>(pair(1.0, 0.0)));
    assert_eq!(bits(math::cospi(pair::<F>(exp2(whole), -1.0))), bits::<F>(pair(-1.0, 0.0)));
    assert_eq!(bits(math::tanpi(pair::<F>(-exp2(whole), 1.5))), bits::<F>(pair(-INF, 0.0)));
    let largest = F::from_bits_u64(F::lit(INF).to_bits_u64() - 1);
    assert!(math::isfinite(math::sin((largest, largest))));
    assert_eq!(bits(math::cospi((-largest, -largest))), bits::<F>(pair(1.0, 0.0)));
}

#[test]
fn special_values_of_angles() {
    special_values::<f32>();
    special_values::<f64>();
}

/// Pairs of every kind, and multiples of pi/2 and of 1/4 with what lies beside them.
fn angle<F: HostLimb>(random: &mut Random, list: &[F]) -> Pair<F> {
    let beside = |x: f64, random: &mut Random| {
        let x = F::lit(x);
        (x, x * F::lit(exp2(-(F::P as i32)) * (random.word() as i64 as f64) * exp2(-63)))
    };
    match random.below(4) {
        0 => beside((random.below(1 << 20) as f64) * std::f64::consts::FRAC_PI_2, random),
        1 => beside((random.below(1 << 20) as f64) * 0.25, random),
        _ => operand(random, list),
    }
}

fn symmetry<F: HostLimb>() {
    let (list, one) = (special::<F>(), pair::<F>(1.0, 0.0));
    (0..32u64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for _ in 0..4000 {
            let x = angle(&mut random, &list);
            let zero_value = x.0 == -x.1;
            let settled = |r: Pair<F>| {
                let odd = r.0 == F::ZERO || !r.0.to_f64().is_finite();
                assert!(!odd || r.1.to_bits_u64() == 0, "{r:?}: lo is +0 where hi is 0 or not finite, {x:?}");
                bits((r.0, r.1 + F::ZERO))
            };
            for (name, f) in odd::<F>() {
                if !zero_value {
                    let (h, l) = f(minus(x));
                    assert_eq!(settled(f(x)), settled((-h, if l == F::ZERO { l } else { -l })), "{name}({x:?})");
                }
            }
            for (name, f) in even::<F>() {
                assert_eq!(settled(f(x)), settled(f(minus(x))), "{name}({x:?})");
            }
            for r in [math::sin(x), math::cos(x), math::sinpi(x), math::cospi(x)] {
                let size = math::fabs(r);
                assert!(le(size, one) || r.0.to_f64().is_nan(), "{x:?} {r:?}");
                // A lo that is subnormal is rounded, to half an ulp of hi at most.
                let canonical = bits(canonical(r)).0 == bits(r).0 || r.1.abs() <= F::lit(exp2(F::MIN_EXP));
                assert!(canonical, "{x:?} {r:?}");
            }
            let both = |(s, c): (Pair<F>, Pair<F>)| [bits(s), bits(c)];
            assert_eq!(both(math::sincos(x)), [bits(math::sin(x)), bits(math::cos(x))], "{x:?}");
            assert_eq!(both(math::sincospi(x)), [bits(math::sinpi(x)), bits(math::cospi(x))], "{x:?}");
            let c = canonical(x);
            if c.0.to_f64().is_finite() {
                for (name, f) in odd::<F>().into_iter().chain(even()) {
                    assert_eq!(settled(f(x)), settled(f(c)), "{name}({x:?})");
                }
            }
        }
    });
}

#[test]
fn symmetry_and_the_value_counts() {
    symmetry::<f32>();
    symmetry::<f64>();
}

/// sin, cos and tan of a pair and its nearest multiple of pi/2, hi alone, in doubles.
#[test]
fn nearest_to_multiples_of_a_right_angle() {
    // By continued fractions of 2^s 2/pi.
    let x = (f32::from_bits(0x74ec_cf0b), f32::from_bits(0x6801_eada));
    let (s, c) = math::sincos(x);
    let near = if s.0.abs() < c.0.abs() { s.0 } else { c.0 };
    assert!((f64::from(near).abs().log2() + 54.1).abs() < 0.1, "{near}");
    let x = (f64::from_bits(0x56fe_b29e_e31b_ca6d), -f64::from_bits(0x5389_adb8_b94a_ea04));
    let (s, c) = math::sincos(x);
    let near = if s.0.abs() < c.0.abs() { s.0 } else { c.0 };
    assert!((near.abs().log2() + 111.8).abs() < 0.1, "{near}");
    let t = math::tan(x).0.abs();
    assert!((t.log2().abs() - 111.8).abs() < 0.1, "{t}");
}
