//! What changed since an earlier result.

use crate::table::{Line, Results, Verdict, Worst};
use crate::text::figure;

/// Lines that say what changed, and whether something became worse: a claim that held fails, a row is gone, or, under the
/// same plan, an error or a number of mismatches is larger.
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
        worse |= failed || (same_plan && changes.iter().any(|c| c.worse));
        lines.extend(changes.into_iter().map(|c| format!("{}: {}", before.key(), c.text)));
        if before.verdict != after.verdict {
            lines.push(format!("{}: {} -> {}", before.key(), before.verdict.name(), after.verdict.name()));
        }
    }
    for row in &old.special {
        let after = new.special.iter().find(|r| (&r.ty, &r.op, &r.level) == (&row.ty, &row.op, &row.level));
        let mismatches = after.map_or(row.mismatches, |r| r.mismatches);
        if mismatches != row.mismatches {
            let text = format!("special values: {} -> {mismatches} mismatches", row.mismatches);
            lines.push(format!("{}.{} {}: {text}", row.ty, row.level, row.op));
            worse |= mismatches > row.mismatches;
        }
    }
    for line in new.table.iter().filter(|l| old.table.iter().all(|o| o.key() != l.key())) {
        lines.push(format!("{}: a new row", line.key()));
    }
    (lines, worse)
}

struct Change {
    text: String,
    worse: bool,
}

fn changes(before: &Line, after: &Line) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut error = |what: &str, a: &Option<Worst>, b: &Option<Worst>| {
        let (a, b) = (a.as_ref().map_or(0.0, |w| w.error), b.as_ref().map_or(0.0, |w| w.error));
        if a != b {
            changes.push(Change { text: format!("{what} {} -> {}", figure(a, 6), figure(b, 6)), worse: b > a });
        }
    };
    error("sampled", &before.sampled, &after.sampled);
    error("searched", &before.searched, &after.searched);
    if before.mismatches != after.mismatches {
        let text = format!("mismatches {} -> {}", before.mismatches, after.mismatches);
        changes.push(Change { text, worse: after.mismatches > before.mismatches });
    }
    changes
}
