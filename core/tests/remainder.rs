//! The remainder against big integers.

mod exact;

use num_bigint::BigInt;
use proptest::prelude::*;
use vernier::machine::exp2;
use vernier::{DoubleWord, High, HostLimb, Level, Low, fp32mp2, fp64mp2};

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
