//! The values of the modified Bessel functions, which MPFR lacks, by a second formula: the mean of e^(x cos t) cos(n t) over N angles
//! is I_n(x) but for I_(N - n)(x) and smaller ones (the trapezoidal rule; Poisson 1823). Those of the others, which it has, by
//! Wronski's determinant: J1 Y0 - J0 Y1 = 2 / (pi x).
//!
//! `VERNIER_CASES` sets the number of cases of each function.

mod common;

use common::Words;
use rayon::prelude::*;
use rug::float::Constant;
use rug::{Float, Integer};
use vernier::function::Math;
use vernier_oracle::{Op, mpfr};

/// Angles: I_255(64) is below 2^-300 of I_0(64).
const ANGLES: u32 = 256;
const DIGITS: u32 = 320;

/// The value to 200 digits.
fn value(function: Math, x: &[(f64, f64)]) -> Float {
    let z = mpfr::nearest(Op::Math(function), x, 200).expect("a number");
    let (m, e) = z.parts();
    let m = Integer::from_str_radix(&m.to_str_radix(16), 16).unwrap();
    Float::with_val(DIGITS, m) << e as i32
}

fn mean(x: &Float, order: u32) -> Float {
    let angle = |k: u32| Float::with_val(DIGITS, Constant::Pi) * (2 * k) / ANGLES;
    let sum = (0..=ANGLES / 2).fold(Float::new(DIGITS), |sum, k| {
        let term = (angle(k).cos() * x).exp() * (angle(k) * order).cos();
        sum + if k == 0 || k == ANGLES / 2 { term } else { term * 2 }
    });
    sum / ANGLES
}

#[test]
fn modified_bessel_functions_are_means() {
    let cases = std::env::var("VERNIER_CASES").map_or(300, |n| n.parse().expect("a number of cases"));
    for (order, function) in [(0, Math::cyl_bessel_i0), (1, Math::cyl_bessel_i1)] {
        (0..cases).into_par_iter().for_each(|case: u64| {
            let words = &mut Words::new(order.into(), case);
            let hi = words.next() as i64 as f64 * f64::powi(2.0, -57 - words.between(0, 12));
            let lo = hi * words.next() as i64 as f64 * f64::powi(2.0, -117);
            let z = value(function, &[(hi, lo)]);
            let other = mean(&(Float::with_val(DIGITS, hi) + lo), order);
            let apart = Float::with_val(64, &z - &other).abs() / z.clone().abs();
            assert!(apart < f64::powi(2.0, -180), "{function} {hi:e} {lo:e}: {z} and {other}");
        });
    }
}

#[test]
fn functions_of_both_kinds_have_wronskis_determinant() {
    let cases = std::env::var("VERNIER_CASES").map_or(10_000, |n| n.parse().expect("a number of cases"));
    (0..cases).into_par_iter().for_each(|case: u64| {
        let words = &mut Words::new(7, case);
        let hi = (words.next() >> 1) as f64 * f64::powi(2.0, -58 - words.between(-4, 12)) + f64::MIN_POSITIVE;
        let x = (hi, hi * words.next() as i64 as f64 * f64::powi(2.0, -117));
        let [j0, j1, y0, y1] = [Math::j0, Math::j1, Math::y0, Math::y1].map(|f| value(f, &[x]));
        let right = 2u32 / (Float::with_val(DIGITS, Constant::Pi) * (Float::with_val(DIGITS, x.0) + x.1));
        let (a, b) = (j1 * y0, j0 * y1);
        let size = a.clone().abs() + b.clone().abs();
        let apart = (a - b - right).abs() / size;
        assert!(apart < f64::powi(2.0, -190), "{x:?}: {apart}");
    });
}

/// That of neighbouring orders, and the recurrence; both of values by MPFR and of those that a recurrence gives.
#[test]
fn functions_of_any_order_have_it_too() {
    let cases = std::env::var("VERNIER_CASES").map_or(2000, |n| n.parse().expect("a number of cases"));
    (0..cases).into_par_iter().for_each(|case: u64| {
        let words = &mut Words::new(8, case);
        let n = words.between(-62, 62);
        let hi = (words.next() >> 1) as f64 * f64::powi(2.0, -58 - words.between(-5, 3)) + f64::MIN_POSITIVE;
        let x = (hi, hi * words.next() as i64 as f64 * f64::powi(2.0, -117));
        let at = |f, n: i32| value(f, &[(f64::from(n), 0.0), x]);
        let argument = Float::with_val(DIGITS, x.0) + x.1;
        let apart = |a: Float, b: Float, right: Float| {
            let size = a.clone().abs() + b.clone().abs();
            let apart = ((a - b - right).abs() / size).to_f64();
            assert!(apart < f64::powi(2.0, -190), "{n} {x:?}: {apart}");
        };
        let [j, y] = [Math::jn, Math::yn].map(|f| [n - 1, n, n + 1].map(|n| at(f, n)));
        let right = 2u32 / (Float::with_val(DIGITS, Constant::Pi) * &argument);
        apart(Float::with_val(DIGITS, &j[2] * &y[1]), Float::with_val(DIGITS, &j[1] * &y[2]), right);
        for [before, at, after] in [j, y] {
            let sum = Float::with_val(DIGITS, at * (2 * n)) / &argument;
            apart(sum, before, after);
        }
    });
}
