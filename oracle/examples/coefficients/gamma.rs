//! Gamma functions: what Stirling's formula leaves, log gamma about its zeros, factorials.

use crate::fit::limb;
use crate::intervals::{Piece, Shape, limbs, piece};
use crate::print::{File, array, power};
use crate::remez::{BITS, float};
use crate::width::Width;
use rug::float::Constant;
use rug::{Float, Integer};

/// Digits of functions whose terms cancel.
const DIGITS: u32 = 2 * BITS;

/// A hi at an interval's end may have a lo beyond it.
pub const SLACK: f64 = 1.0 + 1.0 / (1 << 20) as f64;

/// The file.
pub fn file() -> File {
    let mut file = File::new("Gamma functions.", "Gamma, Rows, f");
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for w in Width::BOTH {
        let name = if w.p == 24 { 32 } else { 64 };
        let stirling = stirling(&w);
        file.table(
            &format!("STIRLING_{name}"),
            "c and the coefficients on an interval; the last row is in 1/y^2.",
            &stirling.0,
        );
        let middle = middle(&w);
        file.table(&format!("MIDDLE_{name}"), "c, the zero, and the coefficients on an interval.", &middle.0);
        let zeros = zeros(&w);
        file.table(&format!("ZEROS_{name}"), "A zero as four limbs, a scale, and the coefficients about it.", &zeros.0);
        let factorials = factorials(&w);
        file.table(&format!("FACTORIALS_{name}"), "n!, two of them a row.", &factorials.0);
        let reflection = reflection(&w);
        file.table(
            &format!("REFLECTION_{name}"),
            "c, the value there as three limbs, and the coefficients of the rest on an interval.",
            &reflection.0,
        );
        let constant = Float::with_val(BITS, Constant::Pi) * 2u32;
        let constant = constant.ln() / 2u32 - 0.5;
        texts.push(format!(
            "Gamma {{ constant: {}, stirling: {}, middle: {}, zeros: {}, reflection: {}, factorials: &FACTORIALS_{name}, count: {} }}",
            array(&limbs(&constant, 2, w.p)),
            pieces(&format!("STIRLING_{name}"), 1, stirling_shape(&w)),
            pieces(&format!("MIDDLE_{name}"), 2, middle_shape(&w)),
            pieces(&format!("ZEROS_{name}"), 5, zero_shape(&w)),
            pieces(&format!("REFLECTION_{name}"), 4, reflection_shape(&w)),
            factorials.1,
        ));
        notes.push(format!(
            "S to {}, log gamma between 1/2 and 5/2 to {}, about zeros to {}, log(pi r / sin(pi r)) / r^2 to {}.",
            power(stirling.1),
            power(middle.1),
            power(zeros.1),
            power(reflection.1)
        ));
    }
    file.constant("GAMMA", "Gamma", &notes, &texts);
    file
}

/// Of the struct of that name.
pub fn pieces(rows: &str, head: usize, shape: Shape) -> String {
    format!(
        "Rows {{ rows: &{rows}, head: {head}, pairs: {}, singles: {}, general: {} }}",
        shape.pairs,
        shape.count - shape.pairs,
        shape.general
    )
}

/// A row of limbs, and zeros up to a multiple of four.
pub fn row(w: &Width, head: &[f64], piece: &Piece) -> Vec<u64> {
    let mut limbs = [head, &piece.limbs].concat();
    limbs.resize(limbs.len().next_multiple_of(4), 0.0);
    w.words(&limbs)
}

/// Errors of S are absolute.
fn stirling_shape(w: &Width) -> Shape {
    let (count, pairs) = if w.p == 24 { (13, 8) } else { (26, 16) };
    Shape { count, pairs, p: w.p, size: 0.5, general: 0 }
}

fn middle_shape(w: &Width) -> Shape {
    let (count, pairs) = if w.p == 24 { (14, 9) } else { (28, 18) };
    Shape { count, pairs, p: w.p, size: 0.0, general: 0 }
}

fn zero_shape(w: &Width) -> Shape {
    let (count, pairs) = if w.p == 24 { (15, 10) } else { (30, 20) };
    Shape { count, pairs, p: w.p, size: 0.0, general: 0 }
}

fn reflection_shape(w: &Width) -> Shape {
    let (count, pairs) = if w.p == 24 { (10, 5) } else { (20, 11) };
    Shape { count, pairs, p: w.p, size: 4.0, general: 0 }
}

fn wide(x: &Float) -> Float {
    Float::with_val(DIGITS, x)
}

fn log_gamma(x: &Float) -> Float {
    wide(x).ln_abs_gamma().0
}

/// log gamma(y) - (y - 1/2) log y + y - log(2 pi) / 2.
fn left(y: &Float) -> Float {
    let y = wide(y);
    let pi = Float::with_val(DIGITS, Constant::Pi);
    let main = y.clone().ln() * (y.clone() - 0.5) - &y + (pi * 2u32).ln() / 2u32;
    log_gamma(&y) - main
}

/// Middles and radii of quarters of binades from `first` to `last`.
pub fn quarters(first: f64, last: f64) -> Vec<(f64, f64)> {
    let mut out = Vec::new();
    let mut low = first;
    while low < last {
        let radius = f64::powi(2.0, low.log2().floor() as i32 - 3);
        out.push((low + radius, radius));
        low += 2.0 * radius;
    }
    out
}

/// S(y) on quarters of binades from 1 to 8, then y S(y) in 1/y^2. The error is S's, absolute.
fn stirling(w: &Width) -> (Vec<Vec<u64>>, f64) {
    let shape = stirling_shape(w);
    let mut worst = f64::NEG_INFINITY;
    let mut rows = Vec::new();
    for (c, r) in quarters(1.0, 8.0) {
        let p = piece(|t| left(&(float(c) + t)), (-r * SLACK, r * SLACK), shape);
        worst = worst.max(p.error - 1.0);
        rows.push(row(w, &[c], &p));
    }
    let far = piece(
        |q| {
            let y = wide(q).recip_sqrt();
            left(&y) * y
        },
        (0.0, SLACK / 64.0),
        Shape { size: 4.0, ..shape },
    );
    worst = worst.max(far.error - 1.0);
    rows.push(row(w, &[0.0], &far));
    (rows, worst)
}

/// log gamma(x) / (x - z) on quarters of binades from 1/2 to 5/2, for the zero z = 1 below 3/2, and 2 above.
fn middle(w: &Width) -> (Vec<Vec<u64>>, f64) {
    let mut worst = f64::NEG_INFINITY;
    let mut rows = Vec::new();
    for (c, r) in quarters(0.5, 2.5) {
        let z = if c < 1.5 { 1.0 } else { 2.0 };
        let f = |t: &Float| log_gamma(&(float(c) + t)) / (float(c) + t - z);
        let p = piece(f, (-r * SLACK, r * SLACK), middle_shape(w));
        worst = worst.max(p.error);
        rows.push(row(w, &[c, z], &p));
    }
    (rows, worst)
}

/// log |gamma(-a)| / (s (a - z)) in s (a - z), at most 1/8, about the zeros z between 2 and 7; s is a power of 2 near the reciprocal
/// of the distance to an integer.
fn zeros(w: &Width) -> (Vec<Vec<u64>>, f64) {
    let mut worst = f64::NEG_INFINITY;
    let mut rows = Vec::new();
    for n in 2..7 {
        let f = |a: &Float| log_gamma(&Float::with_val(DIGITS, -a));
        // Between the two zeros.
        let low =
            (1..64).map(|k| f64::from(n) + f64::from(k) / 64.0).min_by(|a, b| f(&float(*a)).total_cmp(&f(&float(*b))));
        let low = low.expect("a number");
        for pole in [f64::from(n), f64::from(n + 1)] {
            let z = bisect(&f, low, pole);
            let distance = (z.clone() - pole).abs().to_f64();
            let scale = f64::powi(2.0, (1.5 / distance).log2().floor() as i32);
            let p = piece(|q| f(&(wide(q) / scale + &z)) / q, (-1.0 / 8.0, 1.0 / 8.0), zero_shape(w));
            worst = worst.max(p.error);
            let mut head = limbs(&z, 4, w.p);
            head.push(scale);
            rows.push(row(w, &head, &p));
        }
    }
    (rows, worst)
}

/// The zero between a negative and a positive place.
pub fn bisect(f: &impl Fn(&Float) -> Float, negative: f64, positive: f64) -> Float {
    let (mut a, mut b) = (Float::with_val(DIGITS, negative), Float::with_val(DIGITS, positive));
    for _ in 0..BITS + 60 {
        let mid = (a.clone() + &b) / 2u32;
        if f(&mid).is_sign_negative() { a = mid } else { b = mid }
    }
    a
}

/// log(pi r / sin(pi r)) / r^2 in r^2 on four intervals up to 1/4, less the value at c, over the distance to c.
fn reflection(w: &Width) -> (Vec<Vec<u64>>, f64) {
    let mut worst = f64::NEG_INFINITY;
    let mut rows = Vec::new();
    for k in 0..4 {
        let c = f64::from(2 * k + 1) / 32.0;
        let f = |t: &Float| {
            let square = wide(t) + c;
            let angle = Float::with_val(DIGITS, Constant::Pi) * square.clone().sqrt();
            (angle.clone() / angle.sin()).ln() / square
        };
        // The first coefficient has three limbs.
        let first = f(&float(0.0));
        let p = piece(|t| wide(&(f(t) - &first)) / t, (-SLACK / 32.0, SLACK / 32.0), reflection_shape(w));
        worst = worst.max(p.error);
        rows.push(row(w, &[vec![c], limbs(&first, 3, w.p)].concat(), &p));
    }
    (rows, worst)
}

/// 0!, 1!, ... as far as they are pairs.
fn factorials(w: &Width) -> (Vec<Vec<u64>>, usize) {
    let mut all: Vec<f64> = Vec::new();
    let mut n = 0u32;
    loop {
        let f = Float::with_val(2 * BITS, Integer::from(Integer::factorial(n)));
        let hi = limb(&f, w.p);
        let lo = f.clone() - hi;
        if limb(&lo, w.p) != lo {
            break;
        }
        all.extend([hi, lo.to_f64()]);
        n += 1;
    }
    let count = all.len() / 2;
    all.resize(all.len().next_multiple_of(4), 0.0);
    (all.chunks(4).map(|x| w.words(x)).collect(), count)
}
