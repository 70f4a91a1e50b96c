//! Mistakes that oracles are known to make. Each test shows the correct answer by both oracles, and that the naive way of
//! computing it, written out here, gets it wrong.

use num_bigint::BigInt;
use rug::Float;
use rug::float::Round;
use vernier_oracle::dyadic::{Dyadic, Exact, Number};
use vernier_oracle::{Format, Mismatch, Op, Pair, Rounded, Rounding, Target, Verdict, convert, dyadic, judge, mpfr};

/// The rounded result, on which both oracles must agree.
fn round(op: Op, args: &[Pair], format: Format, rounding: Rounding) -> Rounded {
    let (a, b) = (mpfr::round(op, args, format, rounding), dyadic::round(op, args, format, rounding));
    assert_eq!(a, b, "{op:?} {args:x?} {format:?} {rounding:?}");
    a
}

fn nearest(op: Op, args: &[f64], format: Format) -> Rounded {
    let args: Vec<Pair> = args.iter().map(|&x| (x, 0.0)).collect();
    round(op, &args, format, Rounding::Nearest)
}

fn bits(op: Op, args: &[f64], format: Format) -> u128 {
    nearest(op, args, format).to_bits(format)
}

/// The verdict, on which the judge and both oracles must agree to 2^-20 ulp.
fn verdict(op: Op, target: &Target, args: &[Pair], r: Pair) -> Verdict {
    let all = [judge(op, target, args, r), mpfr::judge(op, target, args, r), dyadic::judge(op, target, args, r)];
    for v in &all {
        assert_eq!((v.mismatch, v.domain), (all[0].mismatch, all[0].domain));
        assert!(v.mismatch.is_some() || v.ulp == all[0].ulp || (v.ulp - all[0].ulp).abs() < 2f64.powi(-20), "{all:?}");
    }
    all[1]
}

/// The naive rounding: to `p` bits as if the exponent had no end, then into the range.
fn round_twice(exact: &Float, format: Format) -> f64 {
    let first = Float::with_val(format.p, exact);
    let step = Float::with_val(53, 1) << format.emin;
    let steps = (first / &step).round_even();
    (steps * step).to_f64()
}

fn half(bits: u16) -> f64 {
    let (sign, e, m) = (bits >> 15, (bits >> 10 & 31) as i32, (bits & 1023) as f64);
    let x = if e == 0 { m * 2f64.powi(-24) } else { (1024.0 + m) * 2f64.powi(e - 25) };
    if sign == 1 { -x } else { x }
}

fn single(bits: u32) -> f64 {
    f32::from_bits(bits) as f64
}

#[test]
fn subnormal_results_are_rounded_once() {
    // LLVM #104984: fmaf(0.24999998, 2.3509885e-38, -1e-45).
    let args = [0.24999998f32, 2.3509885e-38, -1e-45].map(f64::from);
    assert_eq!(bits(Op::Fma, &args, Format::F32), 0x3fffff);
    // rust #93224.
    let args = [0x2d, 0xc2d6_c16c_1666_66de, 0x55].map(f64::from_bits);
    assert_eq!(bits(Op::Fma, &args, Format::F64), 0x800f_ffff_ffbf_ffff);

    // 24 bits rounded to nearest end on a midpoint between subnormals; then the tie goes the wrong way.
    let x = single(0x0080_0001);
    let y = 0.5 * (1.0 + f64::EPSILON * 4.0);
    let exact = Float::with_val(200, x) * y;
    assert_eq!(bits(Op::Mul, &[x, y], Format::F32), 0x0040_0001);
    assert_eq!((round_twice(&exact, Format::F32) as f32).to_bits(), 0x0040_0000);
}

#[test]
fn subnormal_midpoints_go_to_even() {
    for (numerator, expected) in [(1, 0), (3, 2), (5, 2), (7, 4)] {
        let x = numerator as f64 * 2f64.powi(-150);
        assert_eq!(bits(Op::Canonical, &[x], Format::F32), expected);
        // Truncating into the subnormals, or rounding ties away, fails on two each.
        assert_eq!((x as f32).to_bits() as u128, expected);
    }
    let truncated = [1.0f64, 3.0, 5.0, 7.0].map(|n| (n / 2.0).trunc());
    assert_ne!(truncated, [0.0, 2.0, 2.0, 4.0]);
    // Anything above half of the smallest step is that step (rust libm #419: an MPFR oracle said 0).
    let args = [half(0x0001), half(0x3bf7), 0.0];
    assert_eq!(bits(Op::Fma, &args, Format::F16), 0x0001);
    let naive = |x: f64| if x.abs() < half(0x0001) { 0.0 } else { x };
    assert_eq!(naive(args[0] * args[1]), 0.0);
}

#[test]
fn narrowing_to_half_keeps_subnormals() {
    // ocannl #981, OpenCL-CTS #182; the naive conversion flushes them.
    for (x, expected) in [(0x3340_0000, 1), (0x3300_0001, 1), (0x3300_0000, 0), (0x33c0_0000, 2)] {
        assert_eq!(bits(Op::Canonical, &[single(x)], Format::F16), expected);
        let flushed = if single(x) < 2f64.powi(-14) { 0 } else { expected };
        assert!(expected == 0 || flushed != expected);
    }
}

#[test]
fn one_rounding_not_two() {
    // OpenCL-CTS #1681: half fma by way of float.
    let args = [half(0x5bab), half(0x4cfd), half(0x7701)];
    let expected = nearest(Op::Fma, &args, Format::F16);
    assert_eq!(expected.to_f64(), 0x1064 as f64 * 2f64.powi(3));
    let through_float = args[0].mul_add(args[1], args[2]) as f32 as f64;
    let twice = nearest(Op::Canonical, &[through_float], Format::F16).to_f64();
    assert_eq!(twice, 0x1068 as f64 * 2f64.powi(3));

    // A pair into float by way of double.
    let x = (1.0 + 2f64.powi(-24), 2f64.powi(-60));
    let expected = convert::narrow(x, Format::F32, Rounding::Nearest).to_f64();
    assert_eq!(expected, 1.0 + 2f64.powi(-23));
    assert_eq!((x.0 + x.1) as f32, 1.0);
}

#[test]
fn no_fixed_precision_is_enough() {
    // 1 + 2^-53 + 2^-300 lies above the midpoint, which 200 bits cannot see.
    let args = [(1.0, 2f64.powi(-53)), (2f64.powi(-300), 0.0)];
    let expected = 1.0 + f64::EPSILON;
    assert_eq!(round(Op::Add, &args, Format::F64, Rounding::Nearest).to_f64(), expected);
    let naive = Float::with_val(200, 1) + 2f64.powi(-53) + 2f64.powi(-300);
    assert_eq!(naive.to_f64(), 1.0);

    // Deep cancellation leaves what 200 bits have dropped: the naive oracle calls a correct result infinitely wrong.
    let args = [(1.0, 2f64.powi(-300)), (-1.0, 0.0)];
    let r = (2f64.powi(-300), 0.0);
    assert_eq!(verdict(Op::Add, &Target::FP64MP2, &args, r).u2, 0.0);
    assert_eq!(Float::with_val(200, 1) + 2f64.powi(-300) - 1, 0);
}

#[test]
fn a_root_of_squares_below_the_smallest_number() {
    // LLVM #208247: hypot, both arguments subnormal.
    let x = f64::from_bits(0x0006_03e5_2daf_0bfd);
    let y = f64::from_bits(0x800a_622d_0a9a_433b);
    let square = |v: f64| Dyadic::from_f64(v).mul(&Dyadic::from_f64(v));
    let root = Exact::Finite(Number::Sqrt(square(x).add(&square(y))));
    let expected = root.round(Format::F64, Rounding::Nearest).to_bits(Format::F64);
    assert_eq!(expected, 0x000b_ffff_b1b0_6483);
    // The squares underflow where they are numbers with a smallest one.
    assert_eq!((x * x + y * y).sqrt(), 0.0);
}

#[test]
fn x87_pseudo_denormal_plus_itself() {
    // berkeley-softfloat #37: 2^-16382 twice is 2^-16381, not 0.
    let extended = Format::new(64, -16445, 16383);
    let x = Dyadic::new(BigInt::from(1u64 << 63), -16445);
    let sum = Exact::Finite(Number::Dyadic(x.add(&x))).round(extended, Rounding::Nearest);
    let expected = Rounded::Finite { negative: false, significand: 1, exponent: -16381 };
    assert_eq!(sum, expected);
    // Through doubles it is lost.
    assert_eq!(sum.to_f64(), 0.0);
}

#[test]
fn underflow_keeps_its_sign() {
    // LLVM #63895: about -3.03e-53 rounds to -0.
    let args = [-1.4728589e-38f32, 3.7105144e-6, 5.5e-44].map(f64::from);
    assert_eq!(nearest(Op::Fma, &args, Format::F32), Rounded::Zero { negative: true });
    // Two roundings, to a product and to a sum, cancel to +0.
    let product = (args[0] * args[1]) as f32;
    assert_eq!((product + args[2] as f32).to_bits(), 0);
    // LLVM #214934 is the same for a quotient.
    let args = [(-f64::MIN_POSITIVE, 0.0), (f64::MAX, 0.0)];
    assert_eq!(round(Op::Div, &args, Format::F64, Rounding::Nearest), Rounded::Zero { negative: true });
    let naive = |r: f64, z: f64| r == z;
    assert!(naive(0.0, -0.0));
    let wrong = verdict(Op::Div, &Target::FP64MP2, &args, (0.0, 0.0));
    assert_eq!(wrong.mismatch, Some(Mismatch::ZeroSign));
    assert_eq!(verdict(Op::Div, &Target::FP64MP2, &args, (-0.0, 0.0)).mismatch, None);
}

#[test]
fn overflow_starts_half_an_ulp_above_the_largest() {
    let largest = f32::MAX as f64;
    let half_ulp = 2f64.powi(103);
    let sum = |x: f64| nearest(Op::Add, &[largest, x], Format::F32);
    assert_eq!(sum(half_ulp), Rounded::Infinite { negative: false });
    assert_eq!(sum(half_ulp * (1.0 - f64::EPSILON)).to_f64(), largest);
    // The naive test takes whatever exceeds the largest number for an overflow.
    let naive = |x: f64| if largest + x > largest { f64::INFINITY } else { largest };
    assert_eq!(naive(half_ulp * 0.5), f64::INFINITY);
    let down = round(Op::Add, &[(largest, 0.0), (1e38, 0.0)], Format::F32, Rounding::Down);
    assert_eq!(down.to_f64(), largest);
}

#[test]
fn ulp_is_that_of_the_exact_value() {
    // Exact value just below 1, result 1: the ulp of the lower binade counts, in which the error is twice as many ulp.
    let args = [(1.0, -2f64.powi(-40)), (-2f64.powi(-47), 0.0)];
    let v = verdict(Op::Add, &Target::FP32MP2, &args, (1.0, 0.0));
    let distance = 2f64.powi(-40) + 2f64.powi(-47);
    assert_eq!(v.ulp, distance * 2f64.powi(46));
    let ulp_of_result = distance * 2f64.powi(45);
    assert_ne!(v.ulp, ulp_of_result);

    // So near that the exact value as a double is 1.
    let args = [(1.0, 0.0), (-2f64.powi(-80), 0.0)];
    let v = verdict(Op::Add, &Target::FP64MP2, &args, (1.0, 0.0));
    assert_eq!(v.ulp, 2f64.powi(104 - 80));
    let rounded: f64 = 1.0 - 2f64.powi(-80);
    assert_eq!(rounded, 1.0);

    // Among subnormals the ulp is the smallest step, not smaller.
    let tiny = f32::from_bits(3) as f64;
    let v = verdict(Op::Mul, &Target::FP32MP2, &[(tiny, 0.0), (0.5, 0.0)], (f32::from_bits(1) as f64, 0.0));
    assert_eq!(v.ulp, 0.5);
    let unfloored = 0.5 / 2f64.powi(-45);
    assert_ne!(v.ulp, unfloored);
}

#[test]
fn errors_are_fractions() {
    // 1/3 + 2^-53 / 3 and the like: results 0.50 and 0.99 ulp off, which a distance in whole ulps calls 0 or 1 alike.
    let one = (1.0, 0.0);
    let unit = 2f64.powi(-45);
    for ulps in [0.5, 0.99, 0.25, 1.0] {
        let z = (ulps * unit) as f32 as f64;
        let v = verdict(Op::Add, &Target::FP32MP2, &[one, (z, 0.0)], one);
        assert!((v.ulp - ulps).abs() < 1e-6, "{v:?}");
        let in_whole_ulps = ulps.round();
        assert!(ulps == 1.0 || in_whole_ulps != v.ulp);
    }
    let z = [(1.0, 0.0), (3.0, 0.0)];
    let third = vernier_oracle::round_pair(Op::Div, &z, Format::F64);
    let v = verdict(Op::Div, &Target::FP64MP2, &z, third);
    assert!(v.ulp > 0.0 && v.ulp < 0.5 && v.u2 > 0.0, "{v:?}");
}

#[test]
fn directed_rounding_and_exact_zeros() {
    let cancel = [(1.5, 0.0), (-1.5, 0.0)];
    for rounding in Rounding::ALL {
        let negative = rounding == Rounding::Down;
        assert_eq!(round(Op::Add, &cancel, Format::F64, rounding), Rounded::Zero { negative });
    }
    // A naive directed rounding takes RN and steps: wrong where the value is exact.
    let exact = [(1.0, 0.0), (2.0, 0.0)];
    assert_eq!(round(Op::Add, &exact, Format::F64, Rounding::Up).to_f64(), 3.0);
    assert_ne!(3f64.next_up(), 3.0);
    let third = [(1.0, 0.0), (3.0, 0.0)];
    let down = round(Op::Div, &third, Format::F64, Rounding::Down).to_f64();
    let up = round(Op::Div, &third, Format::F64, Rounding::Up).to_f64();
    assert_eq!(down.next_up(), up);
    let tiny = [(f64::from_bits(1), 0.0), (0.25, 0.0)];
    assert_eq!(round(Op::Mul, &tiny, Format::F64, Rounding::Up).to_f64(), f64::from_bits(1));
    let toward_zero = Float::with_val_round(53, Float::with_val(300, 2).sqrt(), Round::Zero).0;
    assert_eq!(round(Op::Sqrt, &[(2.0, 0.0)], Format::F64, Rounding::Zero).to_f64(), toward_zero.to_f64());
}
