//! Remainders against big integers.

mod exact;
mod pairs;
mod random;

use num_bigint::BigInt;
use pairs::{Pair, operand, special};
use proptest::prelude::*;
use random::Random;
use rayon::prelude::*;
use vernier::machine::exp2;
use vernier::pair::{canonical, eq};
use vernier::{DoubleWord, High, HostLimb, Level, Low, Mid, fp32mp2, fp64mp2, math};

fn bits<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> (u128, u128) {
    (x.hi().to_bits_u64().into(), x.lo().to_bits_u64().into())
}

fn pair(hi: f64, lo: f64) -> fp64mp2 {
    DoubleWord::from_parts(hi, lo)
}

#[test]
fn remainders() {
    // esbmc #6896: fmod(1e18, 3).
    assert_eq!((fp64mp2::from(1e18) % fp64mp2::from(3)).to_parts(), (1.0, 0.0));
    assert_eq!((fp64mp2::from(-7.5) % fp64mp2::from(2.0)).to_parts(), (-1.5, 0.0));
    assert_eq!((fp64mp2::from(7.5) % fp64mp2::from(-2.0)).to_parts(), (1.5, 0.0));
    assert!((fp64mp2::from(-6.0) % fp64mp2::from(2.0)).hi().is_sign_negative());
    assert_eq!(fp32mp2::MAX % fp32mp2::INFINITY, fp32mp2::MAX);
    assert!((fp32mp2::INFINITY % fp32mp2::MAX).is_nan());
    assert!((fp32mp2::MAX % fp32mp2::from(0u8)).is_nan() && (fp32mp2::MAX % fp32mp2::from_parts(1.0, -1.0)).is_nan());
    assert!((fp32mp2::NAN % fp32mp2::from(true)).is_nan() && (fp32mp2::from(true) % fp32mp2::NAN).is_nan());
    let both = DoubleWord::<f64, Low>::from_parts(f64::MAX, f64::MAX);
    assert_eq!((both % both).to_f64(), 0.0);
    assert_eq!((DoubleWord::<f64, Low>::from(f64::MAX) % both).to_f64(), f64::MAX);
    let mut x = DoubleWord::<f64, High>::MAX;
    x %= DoubleWord::DENORM_MIN;
    assert_eq!(x.to_f64(), 0.0);
}

/// Any finite limb, or one near 1.
fn limb() -> impl Strategy<Value = f64> {
    let near = (-60..60i32, any::<u64>())
        .prop_map(|(e, m)| f64::from_bits(m >> 12 << 12 & 0x800f_ffff_ffff_ffff | ((1023 + e) as u64) << 52));
    prop_oneof![1 => any::<f64>().prop_filter("finite", |x| x.is_finite()), 5 => near, 1 => Just(0.0)]
}

/// Numerators over 2^1074.
fn scaled(x: fp64mp2) -> BigInt {
    let (hi, lo) = bits(x);
    match exact::value(hi, lo, exact::F64) {
        exact::Number::Zero(_) => BigInt::ZERO,
        exact::Number::Finite(m, e) => m << (e + 1074),
        _ => panic!("not finite"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn remainder_is_exact(a in limb(), b in limb(), c in limb(), d in limb(), s in -70..5i32, t in -70..5i32) {
        let (x, y) = (pair(a, b * exp2(s)), pair(c, d * exp2(t)));
        prop_assume!(x.is_finite() && y.is_finite() && y.to_bool());
        let r = scaled(x) % scaled(y);
        let expected = match exact::integer(r) {
            exact::Number::Finite(m, _) => exact::Number::Finite(m, -1074),
            _ => exact::Number::Zero(x.to_f64().is_sign_negative()),
        };
        prop_assert_eq!(bits(x % y), exact::round_pair(&expected, exact::F64));
    }
}

const fn format<F: HostLimb>() -> exact::Format {
    if F::P == 24 { exact::F32 } else { exact::F64 }
}

/// The value in units of 2^-1074, none where it is not finite.
fn integer<F: HostLimb>(x: Pair<F>) -> Option<BigInt> {
    match exact::value(x.0.to_bits_u64().into(), x.1.to_bits_u64().into(), format::<F>()) {
        exact::Number::Zero(_) => Some(BigInt::ZERO),
        exact::Number::Finite(m, e) => Some(m << (e + 1074)),
        _ => None,
    }
}

/// Bits of a pair, NaN being one class.
fn same<F: HostLimb>(x: Pair<F>) -> (u128, u128) {
    let x = DoubleWord::<F, Mid>::from_parts(x.0, x.1);
    if x.is_nan() { (format::<F>().nan(), 0) } else { bits(x) }
}

/// A pair of up to 3 p digits: a gap of at most p between its limbs.
fn narrow<F: HostLimb>(random: &mut Random, e: i32) -> Pair<F> {
    let part = |random: &mut Random| 1.0 + (random.word() >> 12) as f64 * exp2(-52);
    let e = e.clamp(F::MIN_EXP + 1 - F::P as i32, -F::MIN_EXP);
    let hi = F::lit(part(random) * exp2(e));
    let gap = [0, 0, 1, random.below(F::P.into()) as i32][random.below(4) as usize];
    let lo = F::lit(part(random) * exp2((e - 1 - F::P as i32 - gap).max(-1074)));
    let lo = [F::ZERO, lo, -lo, -lo][random.below(4) as usize];
    if random.below(2) == 0 { (hi, lo) } else { (-hi, -lo) }
}

/// fmod, remainder and remquo of narrow operands: exactly rounded, the quotient's last bits right.
fn exactly<F: HostLimb<M = vernier::host::Host>>(x: Pair<F>, y: Pair<F>) {
    let (Some(a), Some(b)) = (integer(x), integer(y)) else { return };
    if b == BigInt::ZERO {
        return;
    }
    let minus = if a == BigInt::ZERO { x.0.to_f64().is_sign_negative() } else { a < BigInt::ZERO };
    let rounded = |r: BigInt| {
        let r = match exact::integer(r) {
            exact::Number::Finite(m, _) => exact::Number::Finite(m, -1074),
            _ => exact::Number::Zero(minus),
        };
        exact::round_pair(&r, format::<F>())
    };
    assert_eq!(same(math::fmod(x, y)), rounded(&a % &b), "fmod({x:?}, {y:?})");
    // The nearest integer, of ties the even one.
    let two = BigInt::from(2);
    let (size, unit) = (BigInt::from(a.magnitude().clone()), BigInt::from(b.magnitude().clone()));
    let (n, rest) = (&size / &unit, &size % &unit);
    let twice = &rest * &two;
    let up = twice > unit || twice == unit && &n % &two != BigInt::ZERO;
    let (n, rest) = if up { (n + 1, rest - &unit) } else { (n, rest) };
    let rest = if a < BigInt::ZERO { -rest } else { rest };
    assert_eq!(same(math::remainder(x, y)), rounded(rest.clone()), "remainder({x:?}, {y:?})");
    let (r, k) = math::remquo(x, y);
    let n: i32 = (n % BigInt::from(8)).try_into().unwrap();
    let n = if (a < BigInt::ZERO) == (b < BigInt::ZERO) { n } else { -n };
    assert_eq!((same(r), k.0 as i32), (rounded(rest), n), "remquo({x:?}, {y:?})");
}

fn divisions<F: HostLimb<M = vernier::host::Host>>() {
    let range = (F::MIN_EXP - F::P as i32, -F::MIN_EXP);
    (0..32u64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for _ in 0..500 {
            let span = (range.1 - range.0) as u64;
            let e = range.0 + random.below(span) as i32;
            let most = [4, 12, 60, span][random.below(4) as usize];
            let above = random.below(most) as i32 - 2;
            let y = narrow::<F>(&mut random, e);
            let mut x = narrow::<F>(&mut random, e + above);
            if random.below(3) == 0 {
                // Near a multiple of a half.
                let n = F::lit((random.below(1 << 12) as f64) * 0.5);
                x = (y.0 * n, y.1 * n);
            }
            exactly(x, y);
            let n = DoubleWord::<F, Mid>::from_parts(x.0, x.1) % DoubleWord::from_parts(y.0, y.1);
            assert_eq!(same(math::fmod(x, y)), bits(n), "{x:?} % {y:?}");
        }
    });
}

#[test]
fn divisions_at_any_distance() {
    divisions::<f32>();
    divisions::<f64>();
}

/// Special values, and that the value counts, not the limbs.
fn any_pairs<F: HostLimb<M = vernier::host::Host>>() {
    let (list, zero) = (special::<F>(), (F::ZERO, F::ZERO));
    let nan = same::<F>((F::lit(f64::NAN), F::ZERO));
    let infinity = (F::lit(f64::INFINITY), F::ZERO);
    let number = (F::lit(-3.5), F::ZERO);
    for f in [math::fmod::<F>, math::remainder::<F>] {
        for (x, y) in [(infinity, number), (number, zero), (infinity, infinity), (zero, zero)] {
            assert_eq!(same(f(x, y)), nan);
            assert_eq!(math::remquo(x, y).1.0, 0);
        }
        assert_eq!(same(f(number, infinity)), same(number));
        assert_eq!(same(f((-F::ZERO, F::ZERO), number)), same((-F::ZERO, F::ZERO)));
        let largest = F::from_bits_u64(infinity.0.to_bits_u64() - 1);
        assert_eq!(same(f((largest, largest), (largest, largest))), same(zero));
        assert_eq!(same(f((largest, F::ZERO), (largest, largest))).0, largest.to_bits_u64().into());
    }
    let mut random = Random(5);
    for _ in 0..40_000 {
        let (x, y) = (operand(&mut random, &list), operand(&mut random, &list));
        let (a, b) = (canonical(x), canonical(y));
        if a.0.to_f64().is_finite() && b.0.to_f64().is_finite() {
            let (r, n) = math::remquo(x, y);
            let (s, m) = math::remquo(a, b);
            assert_eq!((same(r), n), (same(s), m), "{x:?} {y:?}");
            assert_eq!(same(math::fmod(x, y)), same(math::fmod(a, b)), "{x:?} {y:?}");
            assert!(same(r) == nan || eq(canonical(r), r), "{x:?} {y:?}");
        }
    }
}

#[test]
fn special_values_of_divisions() {
    any_pairs::<f32>();
    any_pairs::<f64>();
}
