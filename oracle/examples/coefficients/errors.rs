//! The error function and its complement.

use crate::fit::{PowI, limb};
use crate::pieces::{Piece, Shape};
use crate::print::{File, array, polynomial, power};
use crate::remez::BITS;
use crate::width::Width;
use rug::Float;
use rug::float::Constant;

/// Digits for recurrences, which lose up to 2 c^2 / log 2 of them.
pub const WIDE: u32 = 4000;
/// Up to here erf is a series of its own.
const SMALL: f64 = 0.625;

pub fn wide(x: f64) -> Float {
    Float::with_val(WIDE, x)
}

/// 2 / sqrt(pi).
fn slope() -> Float {
    2 / Float::with_val(WIDE, Constant::Pi).sqrt()
}

/// Terms of e^(x^2) erfc x about c, which solves y' = 2 x y - 2 / sqrt(pi).
fn scaled_complement(c: f64) -> Vec<Float> {
    let y = wide(c).square().exp() * wide(c).erfc();
    let mut terms = vec![y.clone(), y * 2.0 * c - slope()];
    for k in 1..300 {
        let next = (wide(c) * &terms[k] + &terms[k - 1]) * 2 / (k + 1) as u32;
        terms.push(next);
    }
    terms.iter().map(|t| Float::with_val(BITS, t)).collect()
}

/// Terms of erf x / x - 1 in x^2.
fn series() -> Vec<Float> {
    let mut factorial = slope();
    let term = |k: u32| {
        factorial /= if k == 0 { 1.0 } else { -f64::from(k) };
        let term = factorial.clone() / (2 * k + 1) - if k == 0 { 1.0 } else { 0.0 };
        Float::with_val(BITS, term)
    };
    (0..120).map(term).collect()
}

/// The file.
pub fn file() -> File {
    let mut file = File::new("Error functions.", "Errors, Polynomial, Rows, f");
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for w in Width::BOTH {
        let narrow = w.p == 24;
        let shape = if narrow {
            Shape { bits: 3, binades: 4, count: 11, pairs: 7 }
        } else {
            Shape { bits: 3, binades: 5, count: 24, pairs: 14 }
        };
        let small = Piece { middle: 0.0, ends: (0.0, SMALL * SMALL), terms: series(), least: 1.0 };
        let (first, small_error) = shape.row(&w, &small);
        let (rows, error) = shape.rows(&w, scaled_complement);
        let table = format!("ROWS_{}", if narrow { 32 } else { 64 });
        let rows: Vec<Vec<u64>> = std::iter::once(first).chain(rows).collect();
        file.table(&table, "erf x / x - 1 in x^2; then e^(x^2) erfc x by intervals.", &rows);
        let (count, pairs) = if narrow { (10, 5) } else { (18, 8) };
        let far = f64::from(1 << shape.binades) - 1.0;
        let (tail, tail_error) = asymptotic(count, far);
        let tail: Vec<(f64, f64)> = tail.iter().enumerate().map(|(k, c)| pair(c, w.p, k < pairs)).collect();
        let half_root: Float = wide(0.5).sqrt();
        // e^(-end^2) is below half the smallest step.
        let end = (2.0 * (f64::from(w.exponents() + 1) * std::f64::consts::LN_2).sqrt()).ceil() / 2.0;
        texts.push(format!(
            "Errors {{ small: {SMALL:?}, far: {far:?}, end: {end:?}, half_root: {}, bits: {}, pieces: Rows {{ rows: &{table}, \
             head: 1, pairs: {}, singles: {}, general: 1 }}, tail: {} }}",
            array(&three(&half_root, w.p)),
            shape.bits,
            shape.pairs,
            shape.count - shape.pairs,
            polynomial(&tail, pairs),
        ));
        notes.push(format!(
            "1 and the first row to {}, the others to {}, relative, degree {}; x e^(x^2) erfc x in 1/x^2 from {far} on to {}.",
            power(small_error),
            power(error),
            shape.count - 1,
            power(tail_error),
        ));
    }
    file.constant("ERRORS", "Errors", &notes, &texts);
    file
}

/// The first terms of x e^(x^2) erfc x in 1/x^2, and log2 of the relative size of the next one, which is more than the rest.
fn asymptotic(count: usize, from: f64) -> (Vec<Float>, f64) {
    let mut terms: Vec<Float> = vec![slope() / 2];
    for k in 1..=count {
        let next = terms[k - 1].clone() * -(2.0 * k as f64 - 1.0) / 2;
        terms.push(next);
    }
    let next: Float = terms.pop().expect("one more") * 2 / slope() * wide(from).pow_i(-2 * count as i32);
    (terms, next.abs().log2().to_f64())
}

/// x as a pair, or as a limb.
pub fn pair(x: &Float, p: u32, two: bool) -> (f64, f64) {
    let hi = limb(x, p);
    (hi, if two { limb(&(x.clone() - hi), p) } else { 0.0 })
}

/// x as a sum of three limbs.
pub fn three(x: &Float, p: u32) -> [f64; 3] {
    let first = limb(x, p);
    let second = limb(&(x.clone() - first), p);
    [first, second, limb(&(x.clone() - first - second), p)]
}
