//! A function by intervals: polynomials in what x is beyond the middle of its interval, a row of a table each.

use crate::fit::{Fit, limb};
use crate::remez::{BITS, evaluate, float};
use crate::width::Width;
use rug::Float;
use rug::float::Constant;

/// Intervals and coefficients of a table.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Each binade of x + 1 has 2^bits intervals.
    pub bits: u32,
    /// So many binades, from 1 on.
    pub binades: u32,
    /// Coefficients of a polynomial.
    pub count: usize,
    /// How many of them, the first ones, are pairs.
    pub pairs: usize,
}

/// A row's polynomial.
pub struct Piece {
    /// c.
    pub middle: f64,
    /// Ends of x - c.
    pub ends: (f64, f64),
    /// Terms of the function's series in x - c.
    pub terms: Vec<Float>,
    /// The least magnitude that errors are relative to.
    pub least: f64,
}

impl Shape {
    /// Middle and ends of every interval. The first one's middle is 0; elsewhere x - c is exact (Sterbenz 1974).
    pub fn intervals(&self) -> Vec<(f64, (f64, f64))> {
        let split = 1 << self.bits;
        (0..self.binades * split)
            .map(|i| {
                let binade = f64::powi(2.0, (i / split) as i32);
                let place = |j: u32| binade * (1.0 + f64::from(j) / f64::from(split)) - 1.0;
                let (low, high) = (place(i % split), place(i % split + 1));
                // x + 1 is rounded.
                let margin = binade * f64::powi(2.0, -20);
                let middle = if i == 0 { 0.0 } else { (low + high) / 2.0 };
                assert!(i == 0 || middle <= 2.0 * (low - margin) && high + margin <= 2.0 * middle, "interval {i}");
                let low = if i == 0 { 0.0 } else { low - margin - middle };
                (middle, (low, high + margin - middle))
            })
            .collect()
    }

    /// The rows of a positive function that decreases, whose series about a point this gives; and log2 of the largest relative
    /// error.
    pub fn rows(&self, w: &Width, series: impl Fn(f64) -> Vec<Float>) -> (Vec<Vec<u64>>, f64) {
        let mut worst = f64::NEG_INFINITY;
        let rows = (self.intervals().into_iter())
            .map(|(middle, ends)| {
                let terms = series(middle);
                let least = evaluate(&terms, &float(ends.1)).to_f64();
                let (row, error) = self.row(w, &Piece { middle, ends, terms, least });
                worst = worst.max(error);
                row
            })
            .collect();
        (rows, worst)
    }

    /// A row: c, pairs, single coefficients, zeros up to a multiple of four limbs; and log2 of its relative error.
    pub fn row(&self, w: &Width, piece: &Piece) -> (Vec<u64>, f64) {
        let ends = (float(piece.ends.0), float(piece.ends.1));
        let series = |k: u32| piece.terms[k as usize].clone();
        let fit = Fit { lead: &[], series: &series, weight: 0, ends, count: self.count, pairs: self.pairs, p: w.p };
        let terms = fit.terms();
        let mut found = vec![(0.0, 0.0); self.count];
        // A limb that is the value at 0 is kept.
        let first = limb(&terms[0], w.p);
        let lead = usize::from(piece.middle == 0.0 && float(first) == terms[0]);
        found[0].0 = first;
        // From the highest down, each rounded, and the lower ones interpolated anew.
        for k in (lead..self.count).rev() {
            let x = nodes(&fit.ends, k + 1 - lead);
            let rest = |x: &Float| {
                let fixed = found[k + 1..].iter().rev().fold(float(0.0), |y, c| y * x + c.0 + c.1);
                (0..=k).fold(fixed, |y, _| y * x)
            };
            let value = |x: &Float| evaluate(&terms, x) - rest(x);
            let g = x.iter().map(|x| if lead == 0 { value(x) } else { (value(x) - first) / x }).collect();
            let c = interpolate(&x, g).pop().expect("a coefficient");
            let hi = limb(&c, w.p);
            found[k] = (hi, if k < self.pairs { limb(&(c - hi), w.p) } else { 0.0 });
        }
        self.check_steps(&found, piece);
        let error = fit.bound(&terms, &found) - piece.least.abs().log2();
        let mut limbs = vec![piece.middle];
        limbs.extend(found[..self.pairs].iter().flat_map(|c| [c.0, c.1]));
        limbs.extend(found[self.pairs..].iter().map(|c| c.0));
        limbs.resize(limbs.len().next_multiple_of(4), 0.0);
        (w.words(&limbs), error)
    }

    /// What short steps need of all coefficients but the first: |x| times what is added to c_k is at most |c_k| / 2.
    fn check_steps(&self, found: &[(f64, f64)], piece: &Piece) {
        let reach = piece.ends.0.abs().max(piece.ends.1);
        let mut rest = 0.0;
        for k in (1..self.count).rev() {
            let c = found[k].0.abs();
            assert!(k >= self.pairs || rest <= c / 2.0, "{rest} is more than half of coefficient {k}, {c}");
            rest = (rest + c) * reach;
        }
    }
}

/// Chebyshev's nodes.
pub fn nodes(ends: &(Float, Float), n: usize) -> Vec<Float> {
    let pi = Float::with_val(BITS, Constant::Pi);
    let (mid, radius): (Float, Float) = ((ends.0.clone() + &ends.1) / 2, (ends.1.clone() - &ends.0) / 2);
    (0..n).map(|i| (pi.clone() * (i as f64 + 0.5) / n as f64).cos() * &radius + &mid).collect()
}

/// The polynomial with these values, lowest degree first (Newton's divided differences).
pub fn interpolate(x: &[Float], mut g: Vec<Float>) -> Vec<Float> {
    let n = x.len();
    for k in 1..n {
        for i in (k..n).rev() {
            g[i] = (g[i].clone() - &g[i - 1]) / (x[i].clone() - &x[i - k]);
        }
    }
    let mut p = vec![float(0.0); n];
    for i in (0..n).rev() {
        for k in (0..n).rev() {
            let below = if k == 0 { g[i].clone() } else { p[k - 1].clone() };
            p[k] = below - p[k].clone() * &x[i];
        }
    }
    p
}
