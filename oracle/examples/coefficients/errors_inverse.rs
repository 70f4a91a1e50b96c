//! The start of the inverse error function: the number whose erf is x, over x, in w = -log(1 - x^2).

use crate::errors::{WIDE, pair, wide};
use crate::fit::limb;
use crate::pieces::{Shape, interpolate, nodes};
use crate::print::{File, bits};
use crate::remez::{BITS, evaluate, float};
use crate::width::Width;
use rug::Float;
use rug::float::Constant;

/// Digits of values.
const DIGITS: u32 = 160;

fn of<T>(x: T) -> Float
where
    Float: rug::Assign<T>,
{
    Float::with_val(DIGITS, x)
}

/// The function.
fn inverse(w: &Float) -> Float {
    let root = of(Constant::Pi).sqrt();
    if w.is_zero() {
        return root / 2;
    }
    let x = (-of(-w).exp_m1()).sqrt();
    let q = of(-w).exp() / (of(1) + &x);
    let mut y = if x < 0.5 { of(&x * 0.9) } else { of(-q.clone().ln()).sqrt() };
    // Newton's iteration, which converges from below and from above on the error function and on its complement's logarithm.
    for _ in 0..100 {
        let slope = 2 / (root.clone() * of(y.square_ref()).exp());
        let step: Float = if x < 0.5 {
            (of(y.erf_ref()) - &x) / slope
        } else {
            let tail = of(y.erfc_ref());
            -(tail.clone() / &q).ln() * tail / slope
        };
        y -= &step;
        if step.is_zero() || step.get_exp() < y.get_exp().map(|e| e - DIGITS as i32 + 20) {
            return y / x;
        }
    }
    panic!("no inverse for w = {w}");
}

/// The file.
pub fn file() -> File {
    let mut file = File::new("Inverse error functions.", "ErrorsInverse, Rows, f");
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for w in Width::BOTH {
        let narrow = w.p == 24;
        let shape = if narrow {
            Shape { bits: 2, binades: 7, count: 6, pairs: 0 }
        } else {
            Shape { bits: 2, binades: 10, count: 10, pairs: 0 }
        };
        let (mut rows, mut worst) = (Vec::new(), 0.0f64);
        for (middle, ends) in shape.intervals() {
            let value = |t: &Float| Float::with_val(BITS, inverse(&of(t + middle)));
            let ends = (float(ends.0), float(ends.1));
            let x = nodes(&ends, shape.count);
            let p = interpolate(&x, x.iter().map(value).collect());
            let p: Vec<f64> = p.iter().map(|c| limb(c, w.p)).collect();
            let rounded: Vec<Float> = p.iter().map(|&c| float(c)).collect();
            for t in nodes(&ends, 3 * shape.count).iter().chain([&ends.0, &ends.1]) {
                let ratio: Float = evaluate(&rounded, t) / value(t);
                worst = worst.max((ratio.to_f64() - 1.0).abs());
            }
            let mut limbs = vec![middle];
            limbs.extend(p);
            limbs.resize(limbs.len().next_multiple_of(4), 0.0);
            rows.push(w.words(&limbs));
        }
        let table = format!("ROWS_{}", if narrow { 32 } else { 64 });
        file.table(&table, "By intervals.", &rows);
        let half_root = pair(&(Float::with_val(WIDE, Constant::Pi).sqrt() / 2), w.p, true);
        let root = pair(&wide(2.0).sqrt(), w.p, true);
        texts.push(format!(
            "ErrorsInverse {{ half_root: ({}, {}), root: ({}, {}), bits: {}, start: Rows {{ rows: &{table}, head: 1, pairs: 0, singles: {}, general: 0 }} }}",
            bits(half_root.0),
            bits(half_root.1),
            bits(root.0),
            bits(root.1),
            shape.bits,
            shape.count,
        ));
        notes.push(format!(
            "to 2^{:.2} at {} points an interval, degree {}.",
            worst.log2(),
            3 * shape.count + 2,
            shape.count - 1
        ));
    }
    file.constant("ERRORS_INVERSE", "ErrorsInverse", &notes, &texts);
    file
}
