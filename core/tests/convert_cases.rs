//! Conversions on which other libraries failed, and their kind.

use vernier::machine::exp2 as pow2;
use vernier::{Binary128, DoubleWord, HostLimb, Level, RoundFrom, TruncateFrom, fp32mp2, fp32mp2_low, fp64mp2};

fn bits<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> (u64, u64) {
    (x.hi().to_bits_u64(), x.lo().to_bits_u64())
}

fn f64_pair(hi: f64, lo: f64) -> fp64mp2 {
    DoubleWord::from_parts(hi, lo)
}

fn f32_pair(hi: f32, lo: f32) -> fp32mp2 {
    DoubleWord::from_parts(hi, lo)
}

/// DoubleFloats #181: (0, 2^-1022) converted to 0.
#[test]
fn zero_hi() {
    let x = f64_pair(0.0, pow2(-1022));
    assert_eq!(x.to_f64(), 2.2250738585072014e-308);
    assert_eq!(Binary128::round_from(x).0, (16383 - 1022) << 112);
    let x = f32_pair(-0.0, f32::MIN_POSITIVE);
    assert_eq!(x.to_f64(), f64::from(f32::MIN_POSITIVE));
    assert_eq!(x.to_f32(), f32::MIN_POSITIVE);
    assert_eq!(bits(fp64mp2::from(x)), bits(f64_pair(f32::MIN_POSITIVE.into(), 0.0)));
    assert_eq!(i32::truncate_from(f32_pair(0.0, 7.9)), 7);
}

/// LLVM #90675: the last digit of a subnormal result is decided by lo. hi + lo over 16 comes in as a binary128, and as
/// a pair whose 53 digits are the 24 of a float.
#[test]
fn subnormal_decided_by_lo() {
    let x = f64_pair((1.0 + f64::EPSILON) * pow2(-1019), 3.0 * pow2(-1074));
    let sixteenth = Binary128(Binary128::round_from(x).0 - (4 << 112));
    let right = pow2(-1023) + pow2(-1074);
    assert_eq!(fp64mp2::round_from(sixteenth).to_parts(), (right, 0.0));
    assert_eq!(f64::from_bits(right.to_bits()).to_bits(), 0x0008_0000_0000_0001);

    let x = f64_pair((1.0 + 2f64.powi(-23)) * pow2(-127), pow2(-190));
    assert_eq!(x.to_f32().to_bits(), 0x0040_0001);
    assert_eq!(fp32mp2::round_from(x).to_parts(), (f32::from_bits(0x0040_0001), 0.0));
    assert_eq!(f64_pair(x.hi(), -x.lo()).to_f32().to_bits(), 0x0040_0000);
    assert_eq!(f64_pair(x.hi(), 0.0).to_f32().to_bits(), 0x0040_0000);
    assert_eq!(f64_pair(pow2(-150), pow2(-1074)).to_f32().to_bits(), 1);
    assert_eq!(f64_pair(pow2(-150), 0.0).to_f32().to_bits(), 0);
    assert_eq!(f64_pair(pow2(-150), -pow2(-1074)).to_f32().to_bits(), 0);
}

/// dlang #9553: 9223372036854775296 is 2^63 as a double, and its i64 was the smallest.
#[test]
fn two_to_the_63() {
    let x = fp64mp2::from(9223372036854775296.0);
    assert_eq!(x.to_f64(), pow2(63));
    assert_eq!(i64::truncate_from(x), i64::MAX);
    assert_eq!(u64::truncate_from(x), 1 << 63);
    assert_eq!(i64::truncate_from(-x), i64::MIN);
    assert_eq!(i64::truncate_from(fp64mp2::from(9223372036854775296i64)), 9223372036854775296);
}

/// Limbs truncated one by one lose the unit that lo takes away.
#[test]
fn integers_one_below_a_power_of_two() {
    assert_eq!(i64::truncate_from(f64_pair(pow2(63), -1.0)), 9223372036854775807);
    assert_eq!(i64::truncate_from(f64_pair(pow2(53), -0.5)), (1 << 53) - 1);
    assert_eq!(u64::truncate_from(f64_pair(pow2(64), -1.0)), 18446744073709551615);
    assert_eq!(i32::truncate_from(f32_pair(2147483648.0, -1.0)), 2147483647);
    assert_eq!(u128::truncate_from(f64_pair(pow2(128), -pow2(-1074))), u128::MAX);
    assert_eq!(i128::truncate_from(f64_pair(pow2(127), -0.25)), i128::MAX);
    assert_eq!(i128::truncate_from(f64_pair(pow2(127), 0.5)), i128::MAX);
    assert_eq!(u128::truncate_from(f64_pair(pow2(127), 0.5)), 1 << 127);
    assert_eq!(u128::truncate_from(f32_pair(f32::MAX, 2f32.powi(103))), u128::MAX - (1 << 103) + 1);
}

/// Two roundings lose what lo says about a tie.
#[test]
fn ties_decided_by_lo() {
    let x = f64_pair(1.0 + pow2(-24), pow2(-60));
    assert_eq!(x.to_f32(), 1.0 + f32::EPSILON);
    assert_eq!(f64_pair(1.0 + pow2(-24), 0.0).to_f32(), 1.0);
    assert_eq!(f64_pair(1.0 + 3.0 * pow2(-24), -pow2(-1074)).to_f32(), 1.0 + f32::EPSILON);
    assert_eq!(fp32mp2::round_from(x).to_parts(), (1.0 + f32::EPSILON, -(2f32.powi(-24)) + 2f32.powi(-60)));
    // The double between 2^128 - 2^104 and 2^128, which lo keeps from overflowing.
    let edge = pow2(128) - pow2(103);
    assert_eq!(f64_pair(edge, 0.0).to_f32(), f32::INFINITY);
    assert_eq!(f64_pair(edge, -1.0).to_f32(), f32::MAX);
    let x = f32_pair(1.0, 2f32.powi(-53));
    assert_eq!(x.to_f64(), 1.0);
    assert_eq!(f32_pair(f32::MAX, f32::MAX).to_f64(), 2.0 * f64::from(f32::MAX));
}

/// A narrow pair takes its lo from far below.
#[test]
fn lo_far_below() {
    let x = f64_pair(1.0, pow2(-140));
    assert_eq!(fp32mp2::round_from(x).to_parts(), (1.0, 2f32.powi(-140)));
    assert_eq!(fp64mp2::from(fp32mp2::round_from(x)), x);
    let third = f64_pair(1.0 / 3.0, 1.0 / 3.0 * pow2(-54));
    let narrow = fp32mp2::round_from(third);
    assert_eq!(narrow.to_parts(), ((1.0 / 3.0) as f32, (third.hi() - f64::from(narrow.hi())) as f32));
}

#[test]
fn unnormalised_pairs() {
    assert_eq!(f64_pair(1.0, 1.0).to_f64(), 2.0);
    assert_eq!(f64::round_from(fp32mp2_low::from_parts(1.0, 1e10)), 10000000001.0);
    assert_eq!(i64::truncate_from(f64_pair(-1.5, 1e15)), 999999999999998);
    assert_eq!(i32::truncate_from(f64_pair(pow2(200), -pow2(200))), 0);
    assert_eq!(i32::truncate_from(f64_pair(pow2(130) + pow2(80), -pow2(130))), i32::MAX);
    assert_eq!(i128::truncate_from(f64_pair(pow2(130) + pow2(80), -pow2(130))), 1 << 80);
    assert_eq!(fp64mp2::from(f32_pair(1.0, 1e10)).to_parts(), (10000000001.0, 0.0));
}
