//! Tables for people: on a terminal and in Markdown, from the same cells.

mod markdown;
mod speed;
mod terminal;

pub use markdown::markdown;
pub use speed::{Section, measured, sections, speed_markdown};
pub(crate) use terminal::plain;
pub use terminal::{accuracy, special, types};

use crate::report::Results;
use crate::table::{Line, SpecialRow, Worst};
use crate::text::figure;
use std::collections::BTreeMap;

/// Heads of the accuracy table, after the type, between bars.
pub const HEADS: &str =
    "op|level|operands|cases|error in|mean|sampled|searched|bound|bits|mismatches|published|verdict";

/// Cells of a line under [`HEADS`].
pub fn cells(l: &Line) -> [String; 13] {
    let worst = |w: &Option<Worst>| w.as_ref().map(|w| figure(w.error, 4));
    let sampled = match worst(&l.sampled) {
        Some(x) if l.exhaustive => x,
        Some(x) => format!(">= {x}"),
        None => "-".into(),
    };
    let searched = match (worst(&l.searched), worst(&l.relative)) {
        (Some(x), Some(relative)) => format!("{x} (u2 {relative})"),
        (Some(x), None) => x,
        _ => "-".into(),
    };
    let mismatches = if l.exhaustive {
        l.mismatches.to_string()
    } else {
        format!("{} (< {})", l.mismatches, figure(l.mismatch_rate_bound, 2))
    };
    let published = l.published.as_ref().map_or("-".into(), |p| {
        let theirs = figure(p.u2, 3);
        let theirs = if p.cut { format!(">= {theirs} (class ends)") } else { theirs };
        match p.ours {
            Some(ours) if p.ours_is_larger() => format!("{theirs}, ours larger: {}", figure(ours, 3)),
            Some(ours) => format!("{theirs}, ours {}", figure(ours, 3)),
            None => theirs,
        }
    });
    [
        l.op.clone(),
        l.level.clone(),
        l.operands.clone(),
        if l.exhaustive { format!("{} (all)", l.cases) } else { l.cases.to_string() },
        l.metric.clone(),
        l.mean.map_or("-".into(), |x| figure(x, 3)),
        sampled,
        searched,
        if l.metric == "answers" { "-".into() } else { format!("{} [{}]", l.bound_text, l.source) },
        l.bits.map_or("-".into(), |b| b.to_string()),
        mismatches,
        published,
        l.verdict.name().into(),
    ]
}

/// Lines of the special-value table: an operation of a type, and mismatches of cases at each level.
pub fn special_cells(rows: &[SpecialRow]) -> Vec<[String; 6]> {
    let mut lines: Vec<[String; 6]> = Vec::new();
    // The same operation at other levels is not next to it.
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for r in rows {
        let place = *places.entry((&r.ty, &r.op)).or_insert(lines.len());
        if place == lines.len() {
            let mut line = [const { String::new() }; 6];
            (line[0], line[1]) = (r.ty.clone(), r.op.clone());
            lines.push(line);
        }
        let column = ["low", "mid", "high"].iter().position(|&l| l == r.level).unwrap_or(3);
        let mark = if r.holds() { "" } else { " FAILS" };
        lines[place][2 + column] = format!("{}/{}{mark}", r.mismatches, r.cases);
    }
    lines
}

/// Heads of the special-value table.
pub const SPECIAL_HEADS: &str = "type|op|low|mid|high|limb";

/// The worst cases as case lines, each with what it shows.
pub fn worst_cases(results: &Results) -> Vec<String> {
    let mut lines = Vec::new();
    for l in &results.table {
        // Whose results they are, where the line names the type of ours whose place it takes.
        let by = if l.place.starts_with("by ") { format!("{}, ", l.place) } else { String::new() };
        let mut add = |what: &str, w: &Option<Worst>| {
            if let Some(w) = w.as_ref().filter(|w| w.error > 0.0) {
                lines.push(format!("{}  # {by}{what} {}", w.case, figure(w.error, 6)));
            }
        };
        add(&format!("sampled {}", l.metric), &l.sampled);
        add(&format!("searched {}", l.metric), &l.searched);
        add("searched u2", &l.relative);
        add(&format!("operands outside the claim, sampled {}", l.metric), &l.other);
        if let Some(case) = &l.mismatch_case {
            lines.push(format!("{case}  # {by}first mismatch"));
        }
    }
    lines
}

/// How the results came about, line by line.
pub fn origin(results: &Results) -> Vec<String> {
    let (p, b) = (&results.plan, &results.build);
    let each = match p.search_seconds {
        Some(s) => format!("{s} s"),
        None => format!("{} cases", p.evaluations),
    };
    let searches = match p.searches {
        1 => format!("one search of {each}"),
        n => format!("{n} searches of {each} each"),
    };
    let fewer = if p.by_cost { ", fewer where judging takes long" } else { "" };
    vec![
        format!("{} samples and {searches} a row{fewer}, seed {}", p.samples, p.seed),
        format!("vernier {}, {}, {}, {}, MPFR {}", b.version, b.rustc, b.target, b.flags, b.mpfr),
        results.shard.map_or("whole run".into(), |s| format!("shard {s}")),
    ]
}
