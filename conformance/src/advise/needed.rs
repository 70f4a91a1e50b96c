//! How many digits and exponent bits are needed, and the four questions of the guide.

use super::digits::{self, Wide};
use super::question::Question;
use super::row::{Row, Semantics};
use crate::error::Error;
use crate::sweep::Point;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vernier::fp64mp2_high;
use vernier_gpu::advise::{Built, Outcome, Step, Unit, formats, sample};
use vernier_gpu::bench::Card;

/// Operations that a sweep carries out in a format, about.
const SWEPT: f64 = 4e5;

/// The size that is needed, by the reduced formats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Needed {
    /// Stored mantissa bits that keep the digits with 11 exponent bits.
    pub mantissa: Option<u32>,
    /// Exponent bits that keep them with 52 mantissa bits.
    pub exponent: Option<u32>,
    /// Items that were computed.
    pub items: u64,
    /// Every format.
    pub points: Vec<Point>,
    /// Why there is none.
    pub failed: Option<String>,
}

/// The reduced formats on some items; a sum of them is taken in double-double.
pub fn sweep(
    question: &Question,
    built: &Built,
    operations: &BTreeMap<String, f64>,
    right: &[Wide],
) -> Result<Needed, Error> {
    let each = operations.values().sum::<f64>().max(8.0);
    let samples = ((SWEPT / each) as u64).clamp(8, 4096).min(question.items);
    let bytes = match built.run(Unit::Sweep, question.items, false, samples, question.limit)? {
        Outcome::Results(bytes) => bytes,
        Outcome::Failed(why) => return Ok(Needed { failed: Some(format!("the sweep {why}")), ..Needed::default() }),
    };
    let words: Vec<f64> = bytes.chunks_exact(8).map(|b| b.try_into().map_or(0.0, f64::from_ne_bytes)).collect();
    let values = digits::pairs(&words);
    let exact: Vec<Wide> = (0..samples).map(|k| right[sample(k, question.items, samples) as usize]).collect();
    let total = |x: &[Wide]| {
        x.iter().fold(fp64mp2_high::from_limb(0.0), |sum, v| sum + fp64mp2_high::from_parts(v.0, v.1)).to_parts()
    };
    let point = |((exponent, mantissa), of): ((u32, u32), &[Wide])| {
        let finite = of.iter().all(|v| v.0.is_finite());
        let sum = question.sums.then(|| (total(of), total(&exact)));
        let digits = finite.then(|| digits::compare(of, &exact, sum).judged());
        Point { exponent, mantissa, digits }
    };
    let points: Vec<Point> = formats().zip(values.chunks(samples.max(1) as usize)).map(point).collect();
    let least = |on: fn(&Point) -> bool, size: fn(&Point) -> u32| {
        let mut line: Vec<&Point> = points.iter().filter(|p| on(p)).collect();
        line.sort_by_key(|p| std::cmp::Reverse(size(p)));
        let enough = line.iter().take_while(|p| p.digits.is_some_and(|d| d >= question.digits));
        enough.last().map(|p| size(p))
    };
    Ok(Needed {
        mantissa: least(|p| p.exponent == 11, |p| p.mantissa),
        exponent: least(|p| p.mantissa == 52, |p| p.exponent),
        items: samples,
        points,
        failed: None,
    })
}

/// The four questions of the guide, answered.
pub fn questions(
    question: &Question,
    card: &Card,
    sweep: &Needed,
    operations: &BTreeMap<String, f64>,
    steps: &[Step],
    rows: &[Row],
) -> Vec<String> {
    let rate = if card.is_rationed() { "rationed" } else { "full" };
    let bits = match (&sweep.failed, sweep.mantissa) {
        (Some(why), _) => format!("not known: {why}"),
        (None, Some(m)) => format!("{} ({m} stored) keep {} digits", m + 1, question.digits),
        (None, None) => format!("more than double's 53 for {} digits", question.digits),
    };
    let exponents = steps.iter().map(|s| s.value.0.abs()).filter(|x| x.is_finite() && *x > 0.0);
    let range = exponents
        .map(|x| x.log2().floor() as i32)
        .fold(None, |r: Option<(i32, i32)>, e| Some(r.map_or((e, e), |(a, b)| (a.min(e), b.max(e)))));
    let seen = range.map_or("no trace".into(), |(a, b)| format!("values from 2^{a} to 2^{b}"));
    let wanted = match question.semantics {
        Semantics { bits: true, .. } => "double's bits",
        Semantics { range: true, .. } => "double's exponent range",
        _ => "nothing of double beside its digits",
    };
    let least = sweep.exponent.map_or(String::new(), |e| format!(", {e} exponent bits are enough"));
    let arithmetic = ["add", "sub", "mul", "div", "neg", "sqrt", "rsqrt", "fma", "mad"];
    let functions: Vec<&str> = operations.keys().map(String::as_str).filter(|op| !arithmetic.contains(op)).collect();
    let functions = if functions.is_empty() { "no functions".into() } else { functions.join(", ") };
    let out = rows.iter().filter(|r| r.failed.is_some()).count();
    let data: usize = question.data.iter().map(Vec::len).sum();
    vec![
        format!("FP64 on {}: {} results a clk and multiprocessor, FP32 {}: {rate}", card.name, card.fp64, card.fp32),
        format!("significand bits: {bits}"),
        format!("must survive: {wanted}; {seen}{least}"),
        format!(
            "what else: {functions}; {:.0} bytes of data an item; {out} candidates are out",
            8.0 * data as f64 / question.items as f64
        ),
    ]
}
