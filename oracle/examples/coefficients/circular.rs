//! Sines and cosines of what is left of x less a multiple of pi/2.

use crate::fit::{Fit, PowI, limb};
use crate::print::{File, array, bits, polynomial, power};
use crate::remez::{BITS, float};
use crate::width::Width;
use rug::Float;
use rug::float::Constant;

/// Words of a product of a limb and 2/pi: as many digits as a pair and the zeros that may precede them, and one word more.
fn product_words(w: &Width) -> usize {
    if w.p == 24 { 3 } else { 5 }
}

/// Coefficients of each series, and how many of them are pairs.
fn degrees(w: &Width) -> (usize, usize) {
    if w.p == 24 { (6, 4) } else { (11, 8) }
}

/// The file.
pub fn file() -> File {
    let names = "Circular, f";
    let mut file = File::new("Sines and cosines.", names);
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for w in Width::BOTH {
        let digits = if w.p == 24 { 32 } else { 64 };
        let (rows, note) = rows(&w);
        file.table(&format!("ROWS_{digits}"), "Coefficients of S, and of C.", &rows);
        let words = two_over_pi(&w).into_iter().map(|word| vec![word]).collect::<Vec<_>>();
        file.table(&format!("BITS_{digits}"), "Zeros, and the bits of 2/pi.", &words);
        let quarter = quarter();
        let first = limb(&quarter, w.p);
        let second = limb(&(quarter.clone() - first), w.p);
        let third = limb(&(quarter.clone() - first - second), w.p);
        let (count, pairs) = degrees(&w);
        texts.push(format!(
            "Circular {{ per_unit: {}, quarter: {}, rows: &ROWS_{digits}, pairs: {pairs}, singles: {}, bits: &BITS_{digits} }}",
            bits(limb(&(float(1.0) / quarter), w.p)),
            array(&[first, second, third]),
            count - pairs,
        ));
        notes.push(note);
    }
    file.constant("CIRCULAR", "Circular", &notes, &texts);
    file
}

/// Of r / tan r.
pub fn tangent() -> File {
    let mut file = File::new("The series of r / tan r in r^2, less 1.", "Polynomial, f");
    let both = Width::BOTH.map(|w| {
        // -2 zeta(2 n) / pi^(2 n)
        let series = |k: u32| {
            let n = 2 * (k + 1);
            Float::with_val(BITS, n).zeta() / Float::with_val(BITS, Constant::Pi).pow_i(n as i32) * -2.0
        };
        let (count, pairs) = if w.p == 24 { (8, 6) } else { (18, 13) };
        let ends = (float(0.0), most());
        let fit = Fit { lead: &[], series: &series, weight: 1, ends, count, pairs, p: w.p };
        let found = fit.find();
        let note = format!("{} on 0 <= t <= {:.6}, degree {}.", power(found.error), most().to_f64(), count - 1);
        (polynomial(&found.coefficients, pairs), note)
    });
    file.constant("TANGENT", "Polynomial", &both.clone().map(|b| b.1), &both.map(|b| b.0));
    file
}

/// The largest r^2: where 2/pi is rounded and n large, |r| is beyond pi/4 by up to n 2^-p.
fn most() -> Float {
    let eighth: Float = quarter() / 2;
    eighth.square() * (1.0 + f64::powi(2.0, -7))
}

fn quarter() -> Float {
    Float::with_val(BITS, Constant::Pi) / 2
}

/// The two rows, and their errors.
fn rows(w: &Width) -> (Vec<Vec<u64>>, String) {
    let (count, pairs) = degrees(w);
    let most = most();
    let series = |lead: &[f64], odd: u32| {
        // Of (-1)^n t^n / (2 n + odd)!
        let series = |k: u32| {
            let n = k + 1 + lead.len() as u32;
            let factorial = (1..=2 * n + odd).fold(float(1.0), |f, i| f * i);
            float(if n % 2 == 1 { -1.0 } else { 1.0 }) / factorial
        };
        let fit = Fit {
            lead,
            series: &series,
            weight: 1 + lead.len() as u32,
            ends: (float(0.0), most.clone()),
            count: count - lead.len(),
            pairs: pairs - lead.len(),
            p: w.p,
        };
        let found = fit.find();
        let all: Vec<_> = lead.iter().map(|&c| (c, 0.0)).chain(found.coefficients).collect();
        let limbs = all[..pairs].iter().flat_map(|c| [c.0, c.1]).chain(all[pairs..].iter().map(|c| c.0));
        let mut limbs: Vec<f64> = limbs.collect();
        limbs.resize(limbs.len().next_multiple_of(4), 0.0);
        (w.words(&limbs), found.error)
    };
    let (sine, cosine) = (series(&[], 1), series(&[-0.5], 0));
    let note = format!(
        "t S to {}, t C to {} on 0 <= t <= {:.6}, degree {}.",
        power(sine.1),
        power(cosine.1),
        most.to_f64(),
        count - 1
    );
    (vec![sine.0, cosine.0], note)
}

/// Zeros for the smallest arguments, then 2/pi, to the last bit that the largest exponent needs.
fn two_over_pi(w: &Width) -> Vec<u64> {
    let words = product_words(w);
    // The last bit of the largest limbs, and of what would be the next ones, is 2^e.
    let e = 2 - w.min_exp - w.p as i32 + 1;
    let most = (e - 2) as usize + 64 * words;
    let count = most / 64 + words + 1;
    let digits = 64 * (count - words) as u32;
    let value = Float::with_val(digits + 200, 2) / Float::with_val(digits + 200, Constant::Pi);
    let scaled = (value * Float::with_val(digits + 200, 2.0).pow_i(digits as i32)).floor();
    let mut n = scaled.to_integer().expect("a number");
    let mut out = vec![0; count];
    for word in out.iter_mut().skip(words).rev() {
        *word = n.to_u64_wrapping();
        n >>= 64;
    }
    out
}
