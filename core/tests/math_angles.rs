//! Functions of angles, their inverses and hyperbolic ones: special values, exact results, symmetry to the bit, and that the value counts. How far results are from
//! the exact ones `vernier accuracy` measures.

mod pairs;
mod random;

use pairs::{Pair, operand, special};
use random::Random;
use rayon::prelude::*;
use vernier::machine::exp2;
use vernier::pair::{canonical, le, lt};
use vernier::{HostLimb, math};

type Unary<F> = fn(Pair<F>) -> Pair<F>;

/// Odd functions.
fn odd<F: HostLimb>() -> Vec<(&'static str, Unary<F>)> {
    vec![
        ("sin", math::sin),
        ("tan", math::tan),
        ("sinpi", math::sinpi),
        ("tanpi", math::tanpi),
        ("atan", math::atan),
        ("asin", math::asin),
        ("sinh", math::sinh),
        ("tanh", math::tanh),
        ("asinh", math::asinh),
        ("atanh", math::atanh),
    ]
}

/// Even functions.
fn even<F: HostLimb>() -> Vec<(&'static str, Unary<F>)> {
    vec![("cos", math::cos), ("cospi", math::cospi), ("cosh", math::cosh)]
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
const PI: f64 = std::f64::consts::PI;

fn special_values<F: HostLimb>() {
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    let (large, odd_number) = (exp2(F::P as i32 + 3), exp2(F::P as i32 - 1) + 1.0);
    let table: [(&str, &[(f64, f64)]); 13] = [
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
        ("atan", &[(0.0, 0.0), (NAN, NAN), (least, least)]),
        ("asin", &[(0.0, 0.0), (INF, NAN), (NAN, NAN), (least, least), (1.5, NAN)]),
        ("sinh", &[(0.0, 0.0), (INF, INF), (NAN, NAN), (least, least), (800.0, INF)]),
        ("tanh", &[(0.0, 0.0), (INF, 1.0), (NAN, NAN), (least, least), (800.0, 1.0)]),
        ("asinh", &[(0.0, 0.0), (INF, INF), (NAN, NAN), (least, least)]),
        ("atanh", &[(0.0, 0.0), (INF, NAN), (NAN, NAN), (least, least), (1.0, INF), (1.5, NAN)]),
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
        ("cosh", &[(0.0, 1.0), (INF, INF), (NAN, NAN), (least, 1.0), (800.0, INF)]),
    ];
    for ((name, f), (of, cases)) in odd::<F>().into_iter().chain(even()).zip(table) {
        assert_eq!(name, of);
        let sign = if even::<F>().iter().any(|e| e.0 == name) { 1.0 } else { -1.0 };
        for &(x, r) in cases {
            // Not all quarters are exact, but their hi is.
            let same = |x: f64, r: f64| {
                let (h, l) = f(pair(x, 0.0));
                let got = bits((h, l + F::ZERO));
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

/// The inverse of the hyperbolic cosine is no odd or even function.
fn above_one<F: HostLimb>() {
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    let f = |hi: f64, lo: f64| bits(math::acosh(pair::<F>(hi, lo)));
    let one = |x: f64| bits::<F>(pair(x, 0.0));
    assert_eq!(f(1.0, 0.0), one(0.0));
    for (hi, lo) in [(0.0, 0.0), (-1.0, 0.0), (-INF, 0.0), (NAN, 0.0), (1.0, -least), (0.5, 0.0)] {
        assert_eq!(f(hi, lo), one(NAN), "acosh({hi} + {lo})");
    }
    assert_eq!(f(INF, 0.0), one(INF));
    // sqrt(2 t), and the logarithm of a sum that overflows.
    let root = math::acosh(pair::<F>(1.0, least)).0;
    assert_eq!(root, F::lit((2.0 * least).sqrt()));
    let largest = F::from_bits_u64(F::lit(INF).to_bits_u64() - 1);
    let (h, g) = (math::acosh((largest, largest)), math::asinh((-largest, -largest)));
    assert!(math::isfinite(h) && h == minus(g), "{h:?} {g:?}");
    let near = math::atanh(pair::<F>(1.0, -least)).0.to_f64();
    assert!((near / (0.5 * std::f64::consts::LN_2 * f64::from(1 - least.log2() as i32)) - 1.0).abs() < 1e-6, "{near}");
}

#[test]
fn special_values_of_angles() {
    above_one::<f32>();
    above_one::<f64>();
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
            for r in [math::sin(x), math::cos(x), math::sinpi(x), math::cospi(x), math::tanh(x)] {
                let size = math::fabs(r);
                assert!(le(size, one) || r.0.to_f64().is_nan(), "{x:?} {r:?}");
                assert_eq!(bits(canonical(r)).0, bits(r).0, "{x:?} {r:?}");
            }
            let both = |(s, c): (Pair<F>, Pair<F>)| [bits(s), bits(c)];
            assert_eq!(both(math::sincos(x)), [bits(math::sin(x)), bits(math::cos(x))], "{x:?}");
            assert_eq!(both(math::sincospi(x)), [bits(math::sinpi(x)), bits(math::cospi(x))], "{x:?}");
            let c = canonical(x);
            if c.0.to_f64().is_finite() {
                for (name, f) in odd::<F>()
                    .into_iter()
                    .chain(even())
                    .chain([("acos", math::acos as Unary<F>), ("acosh", math::acosh)])
                {
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

/// The pair nearest to n pi / 4.
fn eighths<F: HostLimb>(n: f64) -> Pair<F> {
    let pi = if F::P == 24 {
        (f64::from(std::f32::consts::PI), -8.742_277_657_347_586e-8)
    } else {
        (PI, 1.224_646_799_147_353_2e-16)
    };
    let exact = pair::<F>(pi.0 * n / 4.0, pi.1 * n / 4.0);
    if n == 3.0 { (F::lit(2.356_194_490_192_345), F::lit(if F::P == 24 { 5.7e-8 } else { 9.2e-17 })) } else { exact }
}

fn points<F: HostLimb>() {
    let least = exp2(F::MIN_EXP + 1 - F::P as i32);
    let [quarter, right, straight] = [1.0, 2.0, 4.0].map(eighths::<F>);
    let zero = pair::<F>(0.0, 0.0);
    // Ordinate, abscissa, angle.
    let cases: &[(f64, f64, Pair<F>)] = &[
        (0.0, -0.0, straight),
        (0.0, 0.0, zero),
        (0.0, -1.0, straight),
        (0.0, -INF, straight),
        (0.0, 1.0, zero),
        (1.0, 0.0, right),
        (1.0, -0.0, right),
        (least, -0.0, right),
        (1.0, -INF, straight),
        (1.0, INF, zero),
        (INF, 1.0, right),
        (INF, -0.0, right),
        (INF, INF, quarter),
        (1.0, 1.0, quarter),
        (least, least, quarter),
        (least, -1.0, straight),
    ];
    for &(y, x, angle) in cases {
        let f = |y: f64| bits(math::atan2(pair::<F>(y, 0.0), pair(x, 0.0)));
        assert_eq!(f(y), bits(angle), "atan2({y}, {x})");
        let minus = (-angle.0, if angle.1 == F::ZERO { angle.1 } else { -angle.1 });
        assert_eq!(f(-y), bits(minus), "atan2({}, {x})", -y);
    }
    let hi = math::atan2(pair::<F>(INF, 0.0), pair(-INF, 0.0)).0;
    assert!(hi == eighths::<F>(3.0).0);
    for (y, x) in [(NAN, 1.0), (1.0, NAN), (NAN, INF), (INF, NAN), (NAN, NAN), (NAN, 0.0)] {
        assert_eq!(bits(math::atan2(pair::<F>(y, 0.0), pair(x, 0.0))), bits::<F>(pair(NAN, 0.0)), "atan2({y}, {x})");
    }
    assert_eq!(bits(math::atan(pair::<F>(INF, 0.0))), bits(right));
    // Less than a subnormal number, and a ratio of numbers whose sum of limbs overflows.
    let largest = F::from_bits_u64(F::lit(INF).to_bits_u64() - 1);
    assert_eq!(bits(math::atan2(pair::<F>(-least, 0.0), (largest, largest))), bits::<F>(pair(-0.0, 0.0)));
    assert_eq!(bits(math::atan2((largest, largest), (largest, largest))), bits(quarter));
    // The value decides whether a sine is beyond 1.
    let (above, below) = (pair::<F>(1.0, least), pair::<F>(1.0, -least));
    assert_eq!(bits(math::asin(above)), bits::<F>(pair(NAN, 0.0)));
    assert_eq!(bits(math::acos(above)), bits::<F>(pair(NAN, 0.0)));
    assert_eq!(bits(math::acos((-above.0, -above.1))), bits::<F>(pair(NAN, 0.0)));
    assert!(math::isfinite(math::asin(below)) && F::ZERO < math::acos(below).0);
    assert_eq!(bits(math::asin(pair::<F>(1.0, 0.0))), bits(right));
    assert_eq!(bits(math::acos(pair::<F>(0.0, 0.0))), bits(right));
    assert_eq!(bits(math::acos(pair::<F>(1.0, 0.0))), bits(zero));
    assert_eq!(bits(math::acos(pair::<F>(-1.0, 0.0))), bits(straight));
}

/// Limbs that cancel are a zero, and where hi are equal lo decides.
fn equal_hi<F: HostLimb>() {
    let [quarter, straight] = [1.0, 4.0].map(eighths::<F>);
    let (zero, one) = (pair::<F>(1.0, -1.0), pair::<F>(1.0, 0.0));
    assert_eq!(bits(math::atan2(zero, minus(one))), bits(straight));
    assert_eq!(bits(math::atan2(minus(zero), one)), bits::<F>(pair(0.0, 0.0)));
    assert_eq!(bits(math::atan2(one, zero)), bits(eighths::<F>(2.0)));
    for k in 1..=F::P as i32 - 3 {
        let lo = exp2(-(F::P as i32) - k);
        let (above, below) = (pair::<F>(1.0, lo), pair::<F>(1.0, -lo));
        let angles = [math::atan2(below, one), quarter, math::atan2(above, one), math::atan2(one, below)];
        assert!(lt(angles[0], quarter) && lt(quarter, angles[2]) && lt(quarter, angles[3]), "{k} {angles:?}");
        let half = angles[2].0 - quarter.0 + (angles[2].1 - quarter.1);
        assert!((half.to_f64() / lo - 0.5).abs() < exp2(k + 2 - F::P as i32), "{k} {half:?}");
    }
}

#[test]
fn special_values_of_inverse_functions() {
    points::<f32>();
    points::<f64>();
    equal_hi::<f32>();
    equal_hi::<f64>();
}

fn angles_of_points<F: HostLimb>() {
    let (list, straight) = (special::<F>(), eighths::<F>(4.0));
    (0..32u64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for _ in 0..4000 {
            let (x, y) = (operand(&mut random, &list), operand(&mut random, &list));
            let r = math::atan2(y, x);
            assert!(le(math::fabs(r), straight) || r.0.to_f64().is_nan(), "{y:?} {x:?}");
            assert!(le(math::fabs(math::acos(x)), straight) || !le(math::fabs(x), pair(1.0, 0.0)), "{x:?}");
            if y.0 != -y.1 {
                let zero = |l: F| if l == F::ZERO { F::ZERO } else { l };
                let m = math::atan2(minus(y), x);
                assert_eq!((bits(r).0, zero(r.1)), (bits((-m.0, m.1)).0, zero(-m.1)), "{y:?} {x:?}");
            }
            let (cy, cx) = (canonical(y), canonical(x));
            if cy.0.to_f64().is_finite() && cx.0.to_f64().is_finite() {
                assert_eq!(bits(math::atan2(cy, cx)), bits(r), "{y:?} {x:?}");
            }
        }
    });
}

#[test]
fn angles_are_odd_and_at_most_pi() {
    angles_of_points::<f32>();
    angles_of_points::<f64>();
}
