//! What changed since earlier results, and whether something became worse: under the same plan a larger error; more wrong
//! special values or another one; more neighbours in the wrong order or asymmetries; a row that is gone, or did not come to its end.

use super::results::hex;
use super::{Point, Results, Row};
use crate::report::{Change, Comparison};
use crate::text::figure;

/// Holds results against those of an earlier file.
pub fn compare(name: &str, old: &Results, new: &Results) -> Comparison {
    let mut changes = Vec::new();
    let mut add = |worse: bool, what: String, change: String| changes.push(Change { what, change, worse });
    let same_plan = old.plan == new.plan && old.shard == new.shard;
    if !same_plan {
        let text = "the runs have different plans: only special values are held against each other";
        add(false, "functions".into(), text.into());
    }
    for before in &old.rows {
        match new.rows.iter().find(|row| row.key() == before.key()) {
            Some(after) => row(before, after, same_plan, &mut add),
            None => add(true, before.key(), "the row is gone".into()),
        }
    }
    for row in new.rows.iter().filter(|row| old.rows.iter().all(|o| o.key() != row.key())) {
        add(false, row.key(), format!("new: {} ulp", figure(row.ulp, 6)));
    }
    Comparison { old: name.into(), changes }
}

fn row(before: &Row, after: &Row, same_plan: bool, add: &mut impl FnMut(bool, String, String)) {
    let mut change = |worse: bool, text: String| add(worse, after.key(), text);
    let same = same_plan && before.how == after.how;
    let at = |input: &[String]| if input.is_empty() { "no input".into() } else { input.join(" ") };
    if before.ulp != after.ulp {
        let text = format!("error {} -> {} ulp, at {}", figure(before.ulp, 6), figure(after.ulp, 6), at(&after.input));
        change(same && after.ulp > before.ulp, text);
    }
    let right_before = |p: &&Point| !before.special.iter().any(|o| o.input == p.input && o.wrong.is_some());
    let new_wrong: Vec<&Point> = after.special.iter().filter(|p| p.wrong.is_some()).filter(right_before).collect();
    if let Some(first) = new_wrong.first() {
        let text = format!(
            "{} wrong special values that were right, the first at {}: {} for {}",
            new_wrong.len(),
            at(&first.input),
            first.result,
            first.right
        );
        change(true, text);
    }
    let counts = [
        ("wrong special values", before.mismatches, after.mismatches, after.mismatch.as_ref().map(|w| at(&w.input))),
        ("neighbours in the wrong order", before.monotonicity.count, after.monotonicity.count, first(after, false)),
        ("asymmetries", before.symmetry.count, after.symmetry.count, first(after, true)),
    ];
    for (what, a, b, input) in counts.into_iter().filter(|c| c.1 != c.2) {
        let input = input.map_or(String::new(), |input| format!(", the first at {input}"));
        change(same && b > a, format!("{what} {a} -> {b}{input}"));
    }
    match (&before.fault, &after.fault) {
        (None, Some(fault)) => change(true, fault.clone()),
        (Some(_), None) => change(false, "comes to its end now".into()),
        _ => {}
    }
}

/// The first input of a violation.
fn first(row: &Row, symmetry: bool) -> Option<String> {
    let violations = if symmetry { &row.symmetry } else { &row.monotonicity };
    violations.first.map(|x| hex(x[0], row.format()))
}
