//! Modified Bessel functions of the first kind.

use crate::gamma::{SLACK, pieces, quarters, row};
use crate::intervals::{Piece, Shape, piece};
use crate::print::{File, power};
use crate::remez::{BITS, float};
use crate::width::Width;
use rug::Float;
use rug::ops::Pow;

/// The file of an order, 0 or 1.
pub fn file(order: u32) -> File {
    let mut file = File::new(&format!("The modified Bessel function I{order}."), "Rows");
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for w in Width::BOTH {
        let (table, shape) = (format!("ROWS_{}", if w.p == 24 { 32 } else { 64 }), shape(order, &w));
        let mut worst = f64::NEG_INFINITY;
        // I0(x) or I1(x) / x; times e^-x its derivatives never vanish.
        let f = |x: Float| value(order, &x) / if order == 0 { float(1.0) } else { x };
        // What is left of the value at 0, which is a limb, over x^2.
        let first = if order == 0 { 1.0 } else { 0.5 };
        let rest = |q: &Float| (f(Float::with_val(BITS, q.sqrt_ref())) - first) / q;
        let fewer = Shape { count: shape.count - 1, pairs: shape.pairs - 1, ..shape };
        let near = piece(rest, (0.0, SLACK), fewer);
        worst = worst.max(near.error);
        let near = Piece { limbs: [&[first, 0.0], &near.limbs[..]].concat(), ..near };
        let mut rows = vec![row(&w, &[0.0], &near)];
        // Beyond, e^x alone is infinite where the function is.
        for (c, r) in quarters(1.0, if w.p == 24 { 128.0 } else { 1024.0 }) {
            let at = |t: &Float| float(c) + t;
            let p = piece(|t| f(at(t)) / at(t).exp(), (-r * SLACK, r * SLACK), shape);
            worst = worst.max(p.error);
            rows.push(row(&w, &[c], &p));
        }
        file.table(&table, "c and the coefficients on an interval; those of the first are in x^2.", &rows);
        notes.push(format!("to {}.", power(worst)));
        texts.push(pieces(&table, 1, shape));
    }
    file.constant(&format!("BESSEL_I{order}"), "Rows", &notes, &texts);
    file
}

fn shape(order: u32, w: &Width) -> Shape {
    let (count, pairs) = if w.p == 24 { (12, 8) } else { (27, 17) };
    let more = order as usize;
    Shape { count: count + more, pairs: pairs + more, p: w.p, size: 0.0, general: 0 }
}

/// The series of positive terms.
fn value(order: u32, x: &Float) -> Float {
    let mut term = (x.clone() / 2u32).pow(order);
    let quarter = Float::with_val(BITS, x.square_ref()) / 4u32;
    let mut sum = term.clone();
    let mut k = 0u32;
    while term.get_exp() > sum.get_exp().map(|e| e - BITS as i32) {
        k += 1;
        term *= &quarter;
        term /= k * (k + order);
        sum += &term;
    }
    sum
}
