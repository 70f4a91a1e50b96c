//! What changed in the accuracy table: errors, mismatches and verdicts.

use super::List;
use crate::report::Results;
use crate::table::{Line, SpecialRow, Verdict, Worst};
use crate::text::figure;

pub(super) fn compare(old: &Results, new: &Results, list: &mut List) {
    let same_plan = old.plan == new.plan;
    if !same_plan {
        list.add(false, "accuracy", "the runs have different plans: only verdicts are held against each other");
    }
    for before in &old.table {
        match new.table.iter().find(|l| l.key() == before.key()) {
            Some(after) => line(before, after, same_plan, list),
            None => list.add(true, before.key(), "the row is gone"),
        }
    }
    for before in &old.special {
        match new.special.iter().find(|r| same(r, before)) {
            None => list.add(true, name(before), "the row is gone"),
            Some(after) if after.mismatches != before.mismatches => {
                let change = format!("{} -> {} mismatches", before.mismatches, after.mismatches);
                list.add(after.mismatches > before.mismatches, name(before), change);
            }
            Some(_) => {}
        }
    }
    // Of what was not measured before, nothing says that it did not become worse.
    let missing = "the old results have no such row";
    for line in new.table.iter().filter(|l| old.table.iter().all(|o| o.key() != l.key())) {
        list.add(true, line.key(), missing);
    }
    for row in new.special.iter().filter(|r| !old.special.iter().any(|o| same(o, r))) {
        list.add(true, name(row), missing);
    }
}

fn same(a: &SpecialRow, b: &SpecialRow) -> bool {
    (&a.ty, &a.op, &a.level) == (&b.ty, &b.op, &b.level)
}

fn name(row: &SpecialRow) -> String {
    format!("{}.{} {}: special values", row.ty, row.level, row.op)
}

fn line(before: &Line, after: &Line, same_plan: bool, list: &mut List) {
    let mut error = |what: &str, a: &Option<Worst>, b: &Option<Worst>| {
        let (a, b) = (a.as_ref().map(|w| w.error), b.as_ref().map(|w| w.error));
        if a != b {
            let text = |x: Option<f64>| x.map_or("undefined".into(), |x| figure(x, 6));
            // One side has no figure: nothing says that it did not become worse.
            let worse = a.zip(b).is_none_or(|(a, b)| same_plan && (b.is_nan() || b > a));
            list.add(worse, before.key(), format!("{what} {} -> {}", text(a), text(b)));
        }
    };
    error("sampled", &before.sampled, &after.sampled);
    error("searched", &before.searched, &after.searched);
    if before.mismatches != after.mismatches {
        let worse = same_plan && after.mismatches > before.mismatches;
        list.add(worse, before.key(), format!("mismatches {} -> {}", before.mismatches, after.mismatches));
    }
    if before.verdict != after.verdict {
        let change = format!("{} -> {}", before.verdict.name(), after.verdict.name());
        list.add(after.verdict == Verdict::Fails, before.key(), change);
    }
}
