//! Boys' function: the integral of e^(-x t^2) from 0 to 1.

use crate::errors::{WIDE, pair, wide};
use crate::pieces::Shape;
use crate::print::{File, bits, power};
use crate::remez::BITS;
use crate::width::Width;
use rug::Float;
use rug::float::Constant;

/// Half the root of pi.
fn half_root() -> Float {
    Float::with_val(WIDE, Constant::Pi).sqrt() / 2
}

/// Terms about c of the function y, which solves 2 x y' + y = e^-x.
fn series(c: f64) -> Vec<Float> {
    let root = wide(c).sqrt();
    let mut decay = wide(-c).exp();
    let first = if c == 0.0 { wide(1.0) } else { half_root() * Float::with_val(WIDE, root.erf_ref()) / root };
    let mut terms = vec![first];
    for k in 0..300u32 {
        let next = if c == 0.0 {
            let factorial = decay.clone() / -f64::from(k + 1);
            Float::with_val(WIDE, &factorial / (2 * k + 3))
        } else {
            (decay.clone() - terms[k as usize].clone() * (2 * k + 1)) / (2.0 * c) / (k + 1)
        };
        terms.push(next);
        decay /= -f64::from(k + 1);
    }
    terms.iter().map(|t| Float::with_val(BITS, t)).collect()
}

/// The file.
pub fn file() -> File {
    let mut file = File::new("Boys' function of order 0.", "Boys, Rows, f");
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for w in Width::BOTH {
        let narrow = w.p == 24;
        let shape = if narrow {
            Shape { bits: 3, binades: 6, count: 11, pairs: 7 }
        } else {
            Shape { bits: 3, binades: 7, count: 24, pairs: 14 }
        };
        let (rows, error) = shape.rows(&w, series);
        let table = format!("ROWS_{}", if narrow { 32 } else { 64 });
        file.table(&table, "By intervals.", &rows);
        let far = f64::from(1 << shape.binades) - 1.0;
        // What erf lacks of 1 there.
        assert!(wide(far).sqrt().erfc().log2() < -3 * w.p as i32, "erf is not 1 at {far}");
        let half_root = pair(&half_root(), w.p, true);
        texts.push(format!(
            "Boys {{ far: {far:?}, half_root: ({}, {}), bits: {}, pieces: Rows {{ rows: &{table}, head: 1, pairs: {}, singles: {}, general: 1 }} }}",
            bits(half_root.0),
            bits(half_root.1),
            shape.bits,
            shape.pairs,
            shape.count - shape.pairs,
        ));
        notes.push(format!("to {}, relative, degree {}.", power(error), shape.count - 1));
    }
    file.constant("BOYS", "Boys", &notes, &texts);
    file
}
