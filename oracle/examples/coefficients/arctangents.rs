//! The arctangent of a ratio: atan(a / b) = atan c + atan t, where c is a sixteenth near a / b, and t is at most 1.001 / 32.

use crate::fit::{Fit, PowI, limb};
use crate::print::{File, polynomial, power};
use crate::remez::{BITS, float};
use crate::width::Width;
use rug::Float;
use rug::float::Constant;

/// The file.
pub fn file() -> File {
    let mut file = File::new("Arctangents.", "Arctangent, Polynomial, f");
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for w in Width::BOTH {
        let table = format!("ANGLES_{}", if w.p == 24 { 32 } else { 64 });
        let rows: Vec<Vec<u64>> = angles().iter().map(|x| w.words(&three(x, w.p))).collect();
        let doc = "atan(j/16), pi/2 less it, pi less it, pi/2 and it, as sums of three limbs, and 0.";
        file.table(&table, doc, &rows);
        let (text, note) = series(&w);
        texts.push(format!("Arctangent {{ angles: &{table}, series: {text} }}"));
        notes.push(note);
    }
    file.constant("ARCTANGENT", "Arctangent", &notes, &texts);
    file
}

/// For each quarter of the plane's turn the angles of j = 0 to 16, and zeros up to a power of 2.
fn angles() -> Vec<Float> {
    let pi = Float::with_val(BITS, Constant::Pi);
    let half: Float = pi.clone() / 2;
    let turned = |k: usize, x: Float| match k {
        0 => x,
        1 => half.clone() - x,
        2 => pi.clone() - x,
        _ => half.clone() + x,
    };
    let at = |k: usize, j: u32| if j > 16 { float(0.0) } else { turned(k, float(f64::from(j) / 16.0).atan()) };
    (0..4).flat_map(|k| (0..32).map(move |j| (k, j))).map(|(k, j)| at(k, j)).collect()
}

fn three(x: &Float, p: u32) -> [f64; 4] {
    let first = limb(x, p);
    let second = limb(&(x.clone() - first), p);
    [first, second, limb(&(x.clone() - first - second), p), 0.0]
}

/// (atan t / t - 1) / t^2 in t^2.
fn series(w: &Width) -> (String, String) {
    let term = |k: u32| float(if k.is_multiple_of(2) { -1.0 } else { 1.0 }) / (2 * k + 3);
    let (count, pairs) = if w.p == 24 { (4, 2) } else { (9, 5) };
    // c = 0 up to a / b = 1 / 31.96875.
    let most: Float = float(1.0 / 1024.0) * (float(2.0).pow_i(-8) + 1);
    let ends = (float(0.0), most);
    let fit = Fit { lead: &[], series: &term, weight: 1, ends: ends.clone(), count, pairs, p: w.p };
    let found = fit.find();
    let note = format!("{} on 0 <= t^2 <= {:.9}, degree {}.", power(found.error), ends.1.to_f64(), count - 1);
    (polynomial(&found.coefficients, pairs), note)
}
