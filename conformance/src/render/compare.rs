//! What changed since an earlier result.

use crate::table::{Line, Results, SpecialRow, Verdict, Worst};
use crate::text::figure;

/// Lines that say what changed, and whether something became worse: a claim that held fails, one side lacks a row or a figure
/// that the other has, or, under the same plan, an error or a number of mismatches is larger.
pub fn compare(old: &Results, new: &Results) -> (Vec<String>, bool) {
    let same_plan = old.plan == new.plan;
    let mut lines = Vec::new();
    let mut worse = false;
    if !same_plan {
        lines.push("the runs have different plans: only verdicts are held against each other".into());
    }
    for before in &old.table {
        let Some(after) = new.table.iter().find(|l| l.key() == before.key()) else {
            lines.push(format!("{}: the row is gone", before.key()));
            worse = true;
            continue;
        };
        let changes = changes(before, after);
        let failed = before.verdict != Verdict::Fails && after.verdict == Verdict::Fails;
        worse |= failed || changes.iter().any(|c| c.undefined || (same_plan && c.worse));
        lines.extend(changes.into_iter().map(|c| format!("{}: {}", before.key(), c.text)));
        if before.verdict != after.verdict {
            lines.push(format!("{}: {} -> {}", before.key(), before.verdict.name(), after.verdict.name()));
        }
    }
    let same = |a: &SpecialRow, b: &SpecialRow| (&a.ty, &a.op, &a.level) == (&b.ty, &b.op, &b.level);
    for row in &old.special {
        let name = format!("{}.{} {}: special values", row.ty, row.level, row.op);
        let Some(after) = new.special.iter().find(|r| same(r, row)) else {
            lines.push(format!("{name}: the row is gone"));
            worse = true;
            continue;
        };
        if after.mismatches != row.mismatches {
            lines.push(format!("{name}: {} -> {} mismatches", row.mismatches, after.mismatches));
            worse |= after.mismatches > row.mismatches;
        }
    }
    // Of what was not measured before, nothing says that it did not become worse.
    for line in new.table.iter().filter(|l| old.table.iter().all(|o| o.key() != l.key())) {
        lines.push(format!("{}: the old results have no such row", line.key()));
        worse = true;
    }
    for row in new.special.iter().filter(|r| !old.special.iter().any(|o| same(o, r))) {
        lines.push(format!("{}.{} {}: special values: the old results have no such row", row.ty, row.level, row.op));
        worse = true;
    }
    (lines, worse)
}

struct Change {
    text: String,
    worse: bool,
    /// One side has no figure.
    undefined: bool,
}

fn changes(before: &Line, after: &Line) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut error = |what: &str, a: &Option<Worst>, b: &Option<Worst>| {
        let (a, b) = (a.as_ref().map(|w| w.error), b.as_ref().map(|w| w.error));
        if a != b {
            let text = |x: Option<f64>| x.map_or("undefined".into(), |x| figure(x, 6));
            let undefined = a.is_none() || b.is_none();
            let worse = a.zip(b).is_none_or(|(a, b)| b.is_nan() || b > a);
            changes.push(Change { text: format!("{what} {} -> {}", text(a), text(b)), worse, undefined });
        }
    };
    error("sampled", &before.sampled, &after.sampled);
    error("searched", &before.searched, &after.searched);
    if before.mismatches != after.mismatches {
        let text = format!("mismatches {} -> {}", before.mismatches, after.mismatches);
        changes.push(Change { text, worse: after.mismatches > before.mismatches, undefined: false });
    }
    changes
}
