//! exp, exp2 and exp10: b^x = 2^n T_j b^r.

use crate::fit::{Fit, PowI, limb};
use crate::print::{File, array, bits, polynomial};
use crate::remez::{BITS, float};
use crate::width::Width;
use rug::Float;
use rug::float::Constant;
use rug::ops::Pow;

/// 2^bits entries of a table.
fn table_bits(w: &Width) -> u32 {
    if w.p == 24 { 0 } else { 5 }
}

/// The file of a base, 0 for e, with so many pairs among the coefficients of binary32; those of binary64 may be another's.
pub fn file(name: &str, base: u32, pairs: usize, binary64: Option<&str>) -> File {
    let shown = if base == 0 { "e".into() } else { base.to_string() };
    let names =
        ["Exponential", "Polynomial", "f"].into_iter().chain(binary64).collect::<std::collections::BTreeSet<_>>();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    let mut file = File::new(&format!("Exponentials for b = {shown}."), &names);
    let ln_base = if base == 0 { float(1.0) } else { float(base.into()).ln() };
    let [narrow, wide] = Width::BOTH;
    let (narrow, narrow_note) = entry(&narrow, base, &ln_base, pairs);
    let (wide, wide_note) = match binary64 {
        Some(other) => (format!("{other}[1]"), format!("as [`{other}`].")),
        None => entry(&wide, base, &ln_base, pairs),
    };
    let (notes, texts) = ([narrow_note, wide_note], [narrow, wide]);
    file.constant(name, "Exponential", &notes, &texts);
    file
}

fn entry(w: &Width, base: u32, ln_base: &Float, pairs: usize) -> (String, String) {
    let ln2 = Float::with_val(BITS, Constant::Log2);
    let table = table_bits(w);
    // One step of n in units of x: log_b 2 over the table's entries.
    let step = ln2 / ln_base / float(2.0).pow_i(table as i32);
    // Below it hi is in range, and so is the last of lo's digits.
    let octave = step.to_f64() * f64::from(1 << table);
    let moderate = (octave * f64::from(-(w.min_exp + w.p as i32 + 3))).floor();
    let end = (octave * f64::from(w.exponents()) * 1.1).ceil();
    let most = (Float::with_val(BITS, end / &step)).to_f64().ceil() as u64;
    let first = limb(&step, w.p);
    let digits = w.p - (most.ilog2() + 1);
    let second = limb(&(step.clone() - first), digits);
    let third = limb(&(step.clone() - first - second), w.p);
    check_reduction(w, &step, [first, second, third], most);
    // n is nearest but for the rounding of its factor, and lo is below 2^-P times the range.
    let per_unit = limb(&Float::with_val(BITS, 1 / &step), w.p);
    let slack = (step.to_f64() * most as f64 - f64::from(w.min_exp)) * f64::powi(2.0, -(w.p as i32));
    let reach = float(step.to_f64() * 0.5 + slack);
    let series = |k: u32| {
        let n = k + if base == 0 { 3 } else { 1 };
        let factorial = (1..=n).fold(float(1.0), |f, i| f * i);
        ln_base.clone().pow(n) / factorial
    };
    let (degree, pairs) = if w.p == 24 { (10, pairs) } else { (11, 6) };
    let lead: &[f64] = if base == 0 { &[1.0, 0.5] } else { &[] };
    let fit = Fit {
        lead,
        series: &series,
        weight: lead.len() as u32 + 1,
        ends: (-reach.clone(), reach.clone()),
        count: degree - lead.len(),
        pairs: pairs - lead.len(),
        p: w.p,
    };
    let found = fit.find();
    let coefficients: Vec<(f64, f64)> = lead.iter().map(|&c| (c, 0.0)).chain(found.coefficients).collect();
    let rise = coefficients.iter().rev().fold(0.0, |sum, c| (sum + c.0.abs()) * reach.to_f64());
    assert!(table > 0 || rise <= 0.5, "1 + {rise} is no short step");
    let note =
        format!("b^r - 1 to {} on |r| <= {:.6}, degree {degree}.", crate::print::power(found.error), reach.to_f64());
    let text = format!(
        "Exponential {{ per_unit: {}, step: {}, moderate: {}, end: {}, tail: {}, powers: {} }}",
        bits(per_unit),
        array(&[first, second, third]),
        bits(moderate),
        bits(end),
        polynomial(&coefficients, pairs),
        if table == 0 { "&[]".into() } else { "&super::powers::POWERS".to_string() },
    );
    (text, note)
}

/// x - n s1 is exact, and so is the rounding error of what is left less n s2.
///
/// The unit of x - n s1 is that of hi where n is not 0, or that of s1; it is below half a step and the slack, so it has no more than
/// p digits. What is left less n s2 is a multiple of the unit of s2, of which n s2, the difference and its error have no more than p
/// digits.
fn check_reduction(w: &Width, step: &Float, [first, second, third]: [f64; 3], most: u64) {
    let unit = |x: f64| if x == 0.0 { f64::INFINITY } else { f64::powi(2.0, last_bit(x)) };
    let half = step.to_f64() / 2.0;
    // Where a step is no limb n may be the second nearest just beside the middle.
    let beside = if second == 0.0 { 0.0 } else { 1e-3 };
    let hi_unit = f64::powi(2.0, (half * (1.0 - beside)).log2().floor() as i32 + 1 - w.p as i32);
    let coarse = hi_unit.min(unit(first));
    assert!(half * (1.0 + beside) <= coarse * f64::powi(2.0, w.p as i32), "x - n s1 has too many digits");
    if second != 0.0 {
        let fine = unit(second);
        assert!(fine <= coarse, "no common grid");
        let product = most as f64 * second.abs();
        assert!(product + coarse <= fine * f64::powi(2.0, w.p as i32), "n s2 has too many digits");
    }
    let rest = (step.clone() - first - second - third).abs() * most;
    // Against the least r that matters, a number of the size of 1: a hundredth of u^2.
    assert!(rest <= float(2.0).pow_i(-2 * w.p as i32 - 7), "log_b 2 has too few digits");
}

/// The exponent of the last bit of a number.
fn last_bit(x: f64) -> i32 {
    let (m, e) = Float::with_val(53, x).to_integer_exp().expect("a number");
    e + m.find_one(0).expect("not 0") as i32
}

/// 2^(j/32) in three limbs.
pub fn powers() -> File {
    let mut file = File::new("Powers of 2 between 1 and 2.", "");
    let rows: Vec<Vec<u64>> = (0..32)
        .map(|j| {
            let x = float(f64::from(j) / 32.0).exp2();
            let hi = limb(&x, 53);
            let lo = limb(&(x.clone() - hi), 53);
            let rest = limb(&(x - hi - lo), 53);
            vec![hi.to_bits(), lo.to_bits(), rest.to_bits(), 0]
        })
        .collect();
    file.table("POWERS", "2^(j/32) as a sum of three limbs of binary64, and 0.", &rows);
    file
}
