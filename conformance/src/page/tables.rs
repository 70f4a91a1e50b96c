//! The accuracy table on a page.

use super::Claim;
use super::html::{Cell, table};
use crate::report::Results;
use crate::table::{Line, Verdict, Worst};
use crate::text::figure;

/// Lines of the table, and special values.
pub fn claims(results: &Results) -> Vec<Claim> {
    let line =
        |l: &Line| Claim { text: format!("{}: {}", l.key(), l.verdict.name()), holds: l.verdict != Verdict::Fails };
    let special = results.special.iter().map(|r| Claim {
        text: format!("{}.{} {}: {} wrong special values", r.ty, r.level, r.op, r.mismatches),
        holds: r.holds(),
    });
    results.table.iter().map(line).chain(special).collect()
}

/// The table; the larger of the errors that samples and search found, and its case.
pub fn section(body: &mut String, results: &Results) {
    body.push_str("<section>\n<h2>Accuracy</h2>\n<p><input type=\"search\" class=\"filter\" placeholder=\"filter\" aria-label=\"filter\"></p>\n");
    let heads =
        ["type", "operation", "level", "error in", "largest error", "bound", "mismatches", "verdict", "worst case"];
    let cells = |l: &Line| {
        let found = [&l.sampled, &l.searched].into_iter().flatten();
        let worst: Option<&Worst> = found.max_by(|a, b| a.error.total_cmp(&b.error));
        let error = worst.map_or("-".into(), |w| Cell::number(figure(w.error, 4), w.error));
        vec![
            l.of_type().into(),
            l.op.clone().into(),
            l.level.clone().into(),
            l.metric.clone().into(),
            error,
            Cell::number(l.bound_text.clone(), l.bound),
            Cell::number(l.mismatches.to_string(), l.mismatches as f64),
            l.verdict.name().into(),
            Cell::code(worst.map_or("", |w| &w.case)),
        ]
    };
    table(body, "accuracy", &heads, results.table.iter().map(cells));
    body.push_str("</section>\n");
}
