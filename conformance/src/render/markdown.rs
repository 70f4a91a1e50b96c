//! The tables as Markdown, aligned as plain text too.

use super::{HEADS, SPECIAL_HEADS, cells, origin, special_cells, worst_cases};
use crate::report::Results;
use crate::table::Line;

/// The whole document.
pub fn markdown(results: &Results) -> String {
    let mut text = String::from("# Accuracy\n\n");
    for line in origin(results) {
        text.push_str(&format!("- {line}\n"));
    }
    text.push_str(LEGEND);
    let mut types: Vec<String> = results.table.iter().map(Line::of_type).collect();
    types.dedup();
    for ty in types {
        let lines = results.table.iter().filter(|l| l.of_type() == ty);
        text.push_str(&format!("\n## {ty}\n\n"));
        text.push_str(&aligned(HEADS, lines.map(|l| cells(l).to_vec()).collect()));
    }
    if !results.special.is_empty() {
        text.push_str(SPECIAL);
        text.push_str(&aligned(SPECIAL_HEADS, special_cells(&results.special).into_iter().map(Vec::from).collect()));
        text.push_str("\nFirst mismatch of each, with the expected result:\n\n```text\n");
        for r in &results.special {
            if let (Some(first), Some(expected)) = (&r.first, &r.expected) {
                text.push_str(&format!("{first}  # expected {expected}\n"));
            }
        }
        text.push_str("```\n");
    }
    text.push_str("\n## Worst cases\n\nCase lines, as `vernier eval --exact` takes them.\n\n```text\n");
    for line in worst_cases(results) {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str("```\n");
    text
}

const LEGEND: &str = "
`u2` is |r - z| / (|z| u^2), u = 2^-24 or 2^-53; `u2 of terms` divides by the sum of the |terms| in place of |z|; both where every
operand's hi and the exact z are 0 or in [2^-60, 2^60] (fp64mp2: [2^-480, 2^480]). `ulp` is |r - z| / ulp(z). `sampled` and `mean` are
over normalised operands; `>=` marks what sampling shows of a maximum, `(all)` that every operand was tried. `searched` is the largest
error that climbing from the worst samples found. `mismatches` are wrong special values, or wrong answers of comparisons and conversions, with
the 99% upper confidence bound on their rate (Clopper and Pearson 1934). `published` is the largest error in u2 of the published table, with
ours of the samples beside it, of the terms where the row's errors are; where its class ends at that error, larger ones are counted elsewhere
there. Levels that run the same sequence share a row, `all`.
Errors of reduced formats are those of the exact value of the operands as they are taken into the format, in ulp of M + 1 digits, where
that is in the format's range; a mismatch is a result that the definition does not allow. The name of a preset stands under level.
";

const SPECIAL: &str = "
## Special values

Mismatches of cases over all combinations of 0, the smallest subnormal, the smallest normal, 1, the largest, infinity, each with both
signs, and NaN, against IEEE arithmetic; of reduced formats, with their own extremes too, against their definition. None is allowed at high and where all levels run the same sequence; low and mid give what the
published sequences give.

";

/// A table whose columns stand under each other; heads between bars.
pub(super) fn aligned(heads: &str, rows: Vec<Vec<String>>) -> String {
    let heads: Vec<&str> = heads.split('|').collect();
    let width = |i: usize| rows.iter().map(|r| r[i].len()).chain([heads[i].len()]).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded: Vec<String> = cells.iter().zip(&widths).map(|(c, &w)| format!("{c:w$}")).collect();
        format!("| {} |\n", padded.join(" | "))
    };
    let rule: Vec<String> = widths.iter().map(|&w| "-".repeat(w)).collect();
    let mut text = line(heads) + &line(rule.iter().map(String::as_str).collect());
    for row in &rows {
        text.push_str(&line(row.iter().map(String::as_str).collect()));
    }
    text
}
