//! Numeric limits against the published table and against their definitions.

use std::collections::BTreeMap;
use vernier::machine::exp2;
use vernier::{DoubleWord, High, HostLimb, Level, Low, RoundFrom, fp32mp2, fp64mp2};

/// The published table's name of every limit that it gives, with the value of the constant in the table's notation.
fn published<F: HostLimb, A: Level>() -> BTreeMap<&'static str, String> {
    type T<F, A> = DoubleWord<F, A>;
    let power = |x: DoubleWord<F, A>| {
        let x = x.to_f64();
        let e = (x.to_bits() >> 52) as i32 - 1023;
        assert_eq!(x, exp2(e), "not a power of two");
        format!("2^{e}")
    };
    let largest = |x: DoubleWord<F, A>| match x.hi().to_f64() {
        hi if hi == f64::from(f32::MAX) => "FLT_MAX".into(),
        f64::MAX => "DBL_MAX".into(),
        hi => hi.to_string(),
    };
    BTreeMap::from([
        ("digits", T::<F, A>::MANTISSA_DIGITS.to_string()),
        ("digits10", T::<F, A>::DIGITS.to_string()),
        ("max_digits10", T::<F, A>::MAX_DIGITS10.to_string()),
        ("min_exponent", T::<F, A>::MIN_EXP.to_string()),
        ("max_exponent", T::<F, A>::MAX_EXP.to_string()),
        ("epsilon", power(T::<F, A>::EPSILON)),
        ("min", power(T::<F, A>::MIN_POSITIVE)),
        ("max", largest(T::<F, A>::MAX)),
        ("size_bytes", size_of::<T<F, A>>().to_string()),
    ])
}

#[test]
fn published_table() {
    let mut narrow = published::<f32, Low>();
    let mut wide = published::<f64, High>();
    for line in include_str!("../../fixtures/fpmp_numeric_limits.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[0] == "is_iec559" {
            continue; // a statement, not a number
        }
        assert_eq!(narrow.remove(fields[0]).as_deref(), Some(fields[1]), "fp32mp2 {}", fields[0]);
        assert_eq!(wide.remove(fields[0]).as_deref(), Some(fields[2]), "fp64mp2 {}", fields[0]);
    }
    assert!(narrow.is_empty() && wide.is_empty(), "not published: {narrow:?}");
}

fn definitions<F: HostLimb>() {
    let p = F::P as i32;
    let x = |e: i32| DoubleWord::<F>::round_from(exp2(e));
    assert_eq!(DoubleWord::<F>::EPSILON, x(1 - (2 * p - 2)));
    assert_eq!(DoubleWord::<F>::ROUND_ERROR, x(-1));
    // The last of the p digits of a lo half an ulp below MIN_POSITIVE is the smallest subnormal limb.
    assert_eq!(DoubleWord::<F>::DENORM_MIN, x(F::MIN_EXP + 1 - p));
    assert_eq!(DoubleWord::<F>::MIN_POSITIVE, x(F::MIN_EXP + p));
    assert_eq!(DoubleWord::<F>::MIN_POSITIVE, x(DoubleWord::<F>::MIN_EXP - 1));
    assert_eq!(DoubleWord::<F>::RADIX, 2);

    let max = DoubleWord::<F>::MAX;
    assert!(max.is_finite());
    assert_eq!(max, max.canonical());
    // The next lo makes a tie that overflows.
    let above = DoubleWord::<F>::from_parts(max.hi(), F::from_bits_u64(max.lo().to_bits_u64() + 1));
    assert!(above.is_finite() && above.canonical().is_infinite());
    assert_eq!(DoubleWord::<F>::MIN, -max);
    assert!(max < DoubleWord::<F>::INFINITY && DoubleWord::<F>::NEG_INFINITY < DoubleWord::<F>::MIN);
    assert!(DoubleWord::<F>::NAN.is_nan() && DoubleWord::<F>::NAN.lo().to_bits_u64() == 0);
    assert!(DoubleWord::<F>::INFINITY.is_infinite() && DoubleWord::<F>::NEG_INFINITY.is_infinite());
    let nan = DoubleWord::<F>::round_from(f64::NAN);
    assert_eq!(DoubleWord::<F>::NAN.hi().to_bits_u64(), nan.hi().to_bits_u64());

    // C's definitions of the decimal limits.
    let digits = f64::from(DoubleWord::<F>::MANTISSA_DIGITS);
    assert_eq!(f64::from(DoubleWord::<F>::DIGITS), ((digits - 1.0) * 2f64.log10()).floor());
    assert_eq!(f64::from(DoubleWord::<F>::MAX_DIGITS10), (digits * 2f64.log10() + 1.0).ceil());
    let least = f64::from(DoubleWord::<F>::MIN_EXP - 1) * 2f64.log10();
    assert_eq!(f64::from(DoubleWord::<F>::MIN_10_EXP), least.ceil());
    let most = f64::from(DoubleWord::<F>::MAX_EXP) * 2f64.log10();
    assert_eq!(f64::from(DoubleWord::<F>::MAX_10_EXP), most.floor());
}

#[test]
fn limits_are_what_they_are_called() {
    definitions::<f32>();
    definitions::<f64>();
    assert_eq!(fp32mp2::MAX.lo(), f32::MAX * 2f32.powi(-25));
    assert_eq!(fp64mp2::MAX.lo(), f64::MAX * exp2(-54));
}

/// epsilon is the last of 2p - 2 digits: 1 + epsilon is a pair, and adding it to 1 is exact.
#[test]
fn epsilon_is_seen() {
    let one = fp64mp2::from(1.0);
    assert_eq!((one + fp64mp2::EPSILON).to_parts(), (1.0, exp2(-103)));
    assert_eq!((fp32mp2::from(1.0f32) + fp32mp2::EPSILON).to_parts(), (1.0, 2f32.powi(-45)));
}
