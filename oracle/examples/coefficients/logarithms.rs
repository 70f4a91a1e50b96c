//! log, log2, log10 and pow: x = 2^n m, f = m c_j - 1, log_b x = n log_b 2 + T_j + log_b(1 + f).

use crate::fit::{Fit, PowI, limb};
use crate::print::{File, array, polynomial, power};
use crate::remez::{BITS, float};
use crate::width::Width;
use rug::Float;
use rug::float::Constant;

/// One row of the table.
struct Interval {
    /// About 1/m.
    c: f64,
    /// Ends of m, a limb beyond each.
    ends: (f64, f64),
}

/// Intervals of m from 1/sqrt 2 to sqrt 2, as the bits of hi give them: halves below 1 are half as wide.
///
/// The interval of 1 and its neighbour below have c = 1: there T is 0 and does not cancel f. In the neighbour above T and f have one
/// sign, since c is not below 1 / m.
fn intervals(w: &Width) -> Vec<Interval> {
    let (count, one) = if w.p == 24 { (64, 37) } else { (128, 75) };
    let width = 1.0 / f64::from(count);
    let ulp = f64::powi(2.0, 1 - w.p as i32);
    (0..count)
        .map(|j| {
            let place = |half: i32| {
                let k = f64::from(2 * (j - one) + half) * width / 2.0;
                1.0 + if k < 0.0 { k / 2.0 } else { k }
            };
            let (low, high) = (place(-1), place(1));
            // Fractional bits for which m c - 1 has no more than p digits.
            let fraction = f64::from(if j >= one { 2 * count } else { count });
            let near_one = j == one || j == one - 1;
            let c = match j - one {
                -1 | 0 => 1.0,
                1 => (fraction / low).floor() / fraction,
                _ => (fraction * 2.0 / (low + high)).round() / fraction,
            };
            let ends = (low - ulp, high + ulp);
            let reach = (ends.0 * c - 1.0).abs().max((ends.1 * c - 1.0).abs());
            // m is a multiple of 2^(1-p), below 1 of 2^-p, and c of 1/fraction: m c - 1 has p digits of their product.
            let unit = if high > 1.0 && low >= 1.0 { ulp } else { ulp / 2.0 } / fraction;
            assert!(near_one || reach <= unit * f64::powi(2.0, w.p as i32), "m c - 1 of interval {j} is not exact");
            Interval { c, ends }
        })
        .collect()
}

/// The least and the largest f.
fn reach(w: &Width) -> (Float, Float) {
    let all = intervals(w);
    let low = all.iter().map(|i| i.ends.0 * i.c - 1.0).fold(0.0, f64::min);
    let high = all.iter().map(|i| i.ends.1 * i.c - 1.0).fold(0.0, f64::max);
    (float(low), float(high))
}

/// x as a multiple of the first grid, of the second, and a limb.
fn split(x: &Float, grids: [i32; 2], p: u32) -> [f64; 3] {
    let multiple = |x: &Float, e: i32| ((x.clone() * float(2.0).pow_i(-e)).round() * float(2.0).pow_i(e)).to_f64();
    let first = multiple(x, grids[0]);
    let second = multiple(&(x.clone() - first), grids[1]);
    [first, second, limb(&(x.clone() - first - second), p)]
}

/// The exponent of the finest grid on which a number of this size is a limb.
fn grid(size: f64, p: u32) -> i32 {
    size.log2().ceil() as i32 - p as i32
}

fn natural(base: u32) -> Float {
    if base == 0 { float(1.0) } else { float(base.into()).ln() }
}

/// The file of a base: 0 for e.
pub fn file(name: &str, base: u32) -> File {
    let shown = if base == 0 { "e".into() } else { base.to_string() };
    let mut file = File::new(&format!("Logarithms for b = {shown}."), "Logarithm, Polynomial, f");
    let mut texts = Vec::new();
    let mut notes = Vec::new();
    for w in Width::BOTH {
        let bits_of = if w.p == 24 { "32" } else { "64" };
        let table = format!("ROWS_{bits_of}");
        let (text, note, rows) = entry(&w, base, &table);
        file.table(&table, "c, T_j as three numbers.", &rows);
        texts.push(text);
        notes.push(note);
    }
    file.constant(name, "Logarithm", &notes, &texts);
    file
}

fn entry(w: &Width, base: u32, table: &str) -> (String, String, Vec<Vec<u64>>) {
    let ln_base = natural(base);
    let log2 = Float::with_val(BITS, Constant::Log2) / &ln_base;
    let intervals = intervals(w);
    let t: Vec<Float> = intervals.iter().map(|i| -float(i.c).ln() / &ln_base).collect();
    let most = f64::from(w.exponents());
    let widest = t.iter().map(|t| t.to_f64().abs()).fold(0.0, f64::max);
    // On common grids n log_b 2 + T is exact in the first part and in the second.
    let coarse = grid(most * log2.to_f64() + widest, w.p);
    let unit = f64::powi(2.0, coarse);
    let rest = (log2.clone() - split(&log2, [coarse, -900], w.p)[0]).to_f64().abs();
    let fine = grid(most * rest + unit / 2.0, w.p);
    let pieces = split(&log2, [coarse, fine], w.p);
    let rows: Vec<[f64; 3]> = t.iter().map(|t| split(t, [coarse, fine], w.p)).collect();
    for (i, row) in rows.iter().enumerate() {
        for (part, grid) in [(0, coarse), (1, fine)] {
            let size = most * pieces[part].abs() + row[part].abs();
            assert!(size <= f64::powi(2.0, grid + w.p as i32), "part {part} of row {i} is not exact");
        }
    }
    let words = intervals.iter().zip(&rows).map(|(i, t)| w.words(&[i.c, t[0], t[1], t[2]])).collect();
    // c_1 of the natural logarithm is 1, c_2 -1/2.
    let lead: &[f64] = if base == 0 { &[-0.5] } else { &[] };
    let first = if base == 0 { 3 } else { 1 };
    let series = |k: u32| {
        let n = k + first;
        float(if n % 2 == 1 { 1.0 } else { -1.0 }) / n / &ln_base
    };
    let (degree, pairs) = if w.p == 24 { (7, 4) } else { (13, 8) };
    let ends = reach(w);
    let fit = Fit {
        lead,
        series: &series,
        weight: first - 1,
        ends: ends.clone(),
        count: degree + 1 - first as usize,
        pairs: pairs + 1 - first as usize,
        p: w.p,
    };
    let found = fit.find();
    let coefficients: Vec<(f64, f64)> = lead.iter().map(|&c| (c, 0.0)).chain(found.coefficients).collect();
    let pairs = lead.len() + fit.pairs;
    let note = format!(
        "log_b(1 + f) / f to {} on {:.6} <= f <= {:.6}, degree {degree}.",
        power(found.error),
        ends.0.to_f64(),
        ends.1.to_f64()
    );
    let text = format!(
        "Logarithm {{ log2: {}, rows: &{table}, series: {} }}",
        array(&pieces),
        polynomial(&coefficients, pairs)
    );
    (text, note, words)
}

/// R(f) = (log(1 + f) - f + f^2 / 2) / f^3, for pow.
pub fn cubic() -> File {
    let mut file = File::new("The terms of log(1 + f) from the third on, for pow.", "Polynomial, f");
    let both = Width::BOTH.map(|w| {
        let series = |k: u32| float(if k.is_multiple_of(2) { 1.0 } else { -1.0 }) / (k + 3);
        let (degree, pairs) = if w.p == 24 { (8, 3) } else { (16, 7) };
        let ends = reach(&w);
        let fit = Fit { lead: &[], series: &series, weight: 2, ends: ends.clone(), count: degree - 2, pairs, p: w.p };
        let found = fit.find();
        let note = format!(
            "f^2 times the error is at most {} on {:.6} <= f <= {:.6}, degree {degree}.",
            power(found.error),
            ends.0.to_f64(),
            ends.1.to_f64()
        );
        (polynomial(&found.coefficients, pairs), note)
    });
    file.constant("CUBIC", "Polynomial", &both.clone().map(|b| b.1), &both.map(|b| b.0));
    file
}
