//! `Float` of crate `num-traits` for pairs.

#![cfg(feature = "num-traits")]

use num_traits::{Float, FloatConst};
use std::num::FpCategory;
use vernier::{fp32mp2, fp64mp2, fp64mp2_low};

/// Every function, by generic code: what it gives and what doubles give, which is near.
fn functions<T: Float>() -> Vec<T> {
    let n = |x: f64| T::from(x).unwrap();
    let (x, y) = (n(0.625), n(-2.75));
    let (s, c) = x.sin_cos();
    vec![
        s,
        c,
        y.floor(),
        y.ceil(),
        y.round(),
        y.trunc(),
        y.fract(),
        y.abs(),
        y.signum(),
        x.mul_add(y, x),
        y.recip(),
        y.powi(-3),
        x.powf(y),
        x.sqrt(),
        x.exp(),
        x.exp2(),
        x.ln(),
        Float::log(x, n(3.0)),
        x.log2(),
        x.log10(),
        x.to_degrees(),
        x.to_radians(),
        x.max(y),
        x.min(y),
        Float::abs_sub(x, y),
        y.cbrt(),
        x.hypot(y),
        x.sin(),
        x.cos(),
        x.tan(),
        x.asin(),
        x.acos(),
        x.atan(),
        x.atan2(y),
        x.exp_m1(),
        x.ln_1p(),
        x.sinh(),
        x.cosh(),
        x.tanh(),
        x.asinh(),
        y.abs().acosh(),
        x.atanh(),
        x.copysign(y),
        y.clamp(n(-1.0), n(1.0)),
        T::nan().max(x),
        T::infinity(),
        T::neg_infinity(),
    ]
}

#[test]
fn functions_are_those_of_numbers() {
    let doubles = functions::<f64>();
    let wide = functions::<fp64mp2>();
    let narrow = functions::<fp32mp2>();
    let low = functions::<fp64mp2_low>();
    assert!(wide.len() == doubles.len() && narrow.len() == doubles.len());
    for (i, &d) in doubles.iter().enumerate() {
        let near = |x: f64, bound: f64| x == d || (x / d - 1.0).abs() < bound;
        assert!(near(wide[i].to_f64(), 1e-15), "function {i}: {} and {d}", wide[i]);
        assert!(near(low[i].to_f64(), 1e-15), "function {i}: {} and {d}", low[i]);
        assert!(near(narrow[i].to_f64(), 1e-12), "function {i}: {} and {d}", narrow[i]);
        // Not by way of doubles.
        let apart = f64::from(narrow[i].hi()) + f64::from(narrow[i].lo()) - wide[i].to_f64();
        assert!(!d.is_finite() || apart.abs() <= 3e-14 * d.abs(), "function {i}");
    }
}

#[test]
fn classes_and_constants() {
    let pair = fp64mp2::from_parts;
    assert_eq!(pair(1.0, 1e-300).classify(), FpCategory::Normal);
    assert_eq!(pair(1e-300, 0.0).classify(), FpCategory::Subnormal);
    assert_eq!(pair(1.0, -1.0).classify(), FpCategory::Zero);
    assert_eq!(pair(1.0, f64::NAN).classify(), FpCategory::Nan);
    assert_eq!(fp64mp2::neg_infinity().classify(), FpCategory::Infinite);
    assert!(Float::is_normal(fp64mp2::min_positive_value()) && !Float::is_normal(pair(1e-320, 0.0)));
    assert!(fp64mp2::neg_zero().is_sign_negative() && pair(1.0, -3.0).is_sign_negative());
    assert!(
        Float::is_nan(fp32mp2::nan()) && Float::is_infinite(fp32mp2::infinity()) && !Float::is_finite(fp32mp2::nan())
    );
    assert_eq!(<fp64mp2 as Float>::epsilon(), fp64mp2::EPSILON);
    assert_eq!((<fp64mp2 as Float>::max_value(), <fp64mp2 as Float>::min_value()), (fp64mp2::MAX, fp64mp2::MIN));
    assert_eq!(fp64mp2::PI().sin().to_f64(), -2.9947698097183397e-33);
}

#[test]
fn integers_of_numbers() {
    // 1 + 2^-40 - 2^-63: 64 digits.
    let x = fp64mp2::from_parts(1.0 + 2f64.powi(-40), -(2f64.powi(-63)));
    assert_eq!(x.integer_decode(), ((1 << 63) + (1 << 23) - 1, -63, 1));
    assert_eq!((-x).integer_decode(), ((1 << 63) + (1 << 23) - 1, -63, -1));
    // Just below 1, where hi is 1.
    assert_eq!(fp64mp2::from_parts(1.0, -1e-300).integer_decode(), (u64::MAX, -64, 1));
    assert_eq!(fp64mp2::from_parts(5e-324, 0.0).integer_decode(), (1 << 63, -1137, 1));
    assert_eq!(fp64mp2::neg_zero().integer_decode().0, 0);
    assert_eq!(fp64mp2::neg_zero().integer_decode().2, -1);
    assert_eq!(fp64mp2::infinity().integer_decode(), Float::integer_decode(f64::INFINITY));
    assert_eq!(fp32mp2::neg_infinity().integer_decode(), Float::integer_decode(f32::NEG_INFINITY));
}
