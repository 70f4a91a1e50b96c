//! Results for people.

use super::results::hex;
use super::{Documented, Holds, How, Results, Row};
use crate::render::plain;
use crate::text::figure;

const HEADS: &str =
    "function|largest error|how|at|not correctly rounded|wrong order|asymmetric|special values|documented";

/// An error as a figure: in a search nothing says that there is no larger one.
fn error(row: &Row) -> String {
    let figure = figure(row.ulp, if row.ulp < 1.0 { 6 } else { 4 });
    if row.how == How::Exhaustive { figure } else { format!(">= {figure}") }
}

/// One line a row.
pub fn table(results: &Results) -> String {
    let cells = |row: &Row| {
        let share = row.not_correctly_rounded as f64 / row.tally.histogram.iter().sum::<u64>().max(1) as f64;
        let violations = |v: &vernier_oracle::number::Violations| match v.looked_at {
            0 => "-".to_string(),
            _ => v.count.to_string(),
        };
        vec![
            row.key(),
            if row.fault.is_some() { "did not end".into() } else { error(row) },
            row.how.name().into(),
            if row.input.is_empty() { "-".into() } else { row.input.join(" ") },
            format!("{}%", figure(100.0 * share, 3)),
            violations(&row.monotonicity),
            violations(&row.symmetry),
            if row.mismatches == 0 { "right".into() } else { format!("{} wrong", row.mismatches) },
            row.documented.as_ref().map_or("-".into(), ToString::to_string),
        ]
    };
    plain(HEADS, results.rows.iter().map(cells))
}

/// What a row says beyond its line.
pub fn details(row: &Row) -> Vec<String> {
    let name = row.key();
    let mut lines = Vec::new();
    if let Some(case) = row.case() {
        lines.push(format!("{case} # {} ulp, result {}", figure(row.ulp, 6), row.result));
    }
    if let Some(wrong) = &row.mismatch {
        lines.push(format!(
            "{name}: wrong special value at {}: result {}, {:?}",
            wrong.input.join(" "),
            wrong.result,
            wrong.how
        ));
    }
    let violations = [
        ("its next neighbour's result is in the wrong order", &row.monotonicity),
        ("-x has another result", &row.symmetry),
    ];
    for (what, v) in violations {
        lines.extend(v.first.map(|x| format!("{name}: at {} {what}", hex(x[0], row.format()))));
    }
    lines.extend(row.documented.iter().flat_map(Documented::lines).map(|line| format!("{name}: {line}")));
    lines.extend(row.notes.iter().map(|note| format!("{name}: {note}")));
    lines.extend(row.fault.iter().map(|fault| format!("{name}: {fault}")));
    lines
}

/// What it comes to, in a sentence or two.
pub fn summary(results: &Results) -> Vec<String> {
    let count = |f: &dyn Fn(&Row) -> bool| results.rows.iter().filter(|row| f(row)).count();
    let holds = |wanted: &[Holds]| count(&|row| row.documented.as_ref().is_some_and(|d| wanted.contains(&d.holds)));
    let exhaustive = count(&|row| row.how == How::Exhaustive && row.fault.is_none());
    let mut lines = vec![format!(
        "{}: {} functions, {exhaustive} of them with every input, seed {}; {}",
        results.subject,
        results.rows.len(),
        results.plan.seed,
        results.shard.map_or("whole run".into(), |s| format!("shard {s}")),
    )];
    lines.push(format!(
        "documented bounds: {} held, {} of these loose, {} exceeded; {} functions with wrong special values, {} in the wrong order, {} asymmetric",
        holds(&[Holds::Held, Holds::Loose]),
        holds(&[Holds::Loose]),
        holds(&[Holds::Exceeded]),
        count(&|row| row.mismatches > 0),
        count(&|row| row.monotonicity.count > 0),
        count(&|row| row.symmetry.count > 0),
    ));
    let ended = count(&|row| row.fault.is_some());
    if ended > 0 {
        lines.push(format!("{ended} functions did not come to their end"));
    }
    lines
}
