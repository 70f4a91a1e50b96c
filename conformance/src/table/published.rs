//! The published figures, as a table beside ours.
//!
//! From `fixtures/published_accuracy.tsv`. Their main class ends at a relative error of 1e-13 (fp32mp2) or 1e-28 (fp64mp2), so a
//! maximum at that end is the end of the class and no measurement.

use super::metric::Metric;
use super::row::Row;
use super::tally::Tally;
use crate::case::{Int, Kind, Op, Width};
use serde::{Deserialize, Serialize};

const TABLE: &str = include_str!("../../fixtures/published_accuracy.tsv");

/// A published figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Largest error of the main class in u^2.
    pub u2: f64,
    /// Whether that is the end of the class.
    pub cut: bool,
    /// Correct bits of that error.
    pub bits: i32,
    /// Wrong special values in percent of the cases.
    pub mismatch_percent: f64,
    /// Our largest error in u^2 over samples, of the sum of the |terms| where that is the row's measure.
    #[serde(default)]
    pub ours: Option<f64>,
}

impl Published {
    /// Whether our error is larger, as it is printed.
    pub fn ours_is_larger(&self) -> bool {
        self.ours.is_some_and(|ours| ours > self.u2 * 1.01)
    }
}

/// Our largest error in the samples of a row.
fn ours(metric: Metric, tally: &Tally) -> Option<f64> {
    let s = &tally.claimed;
    match metric {
        Metric::U2 | Metric::Ulp => (s.u2.count > 0).then_some(s.u2.max),
        Metric::Terms => (s.u2_of_terms.count > 0).then_some(s.u2_of_terms.max),
        Metric::Answers => (tally.answers.cases > 0 && tally.answers.wrong == 0).then_some(0.0),
        Metric::Relative => None,
    }
}

/// The published figure of a row with ours beside it, where there is one.
pub fn beside(row: &Row, metric: Metric, tally: &Tally) -> Option<Published> {
    Some(Published { ours: ours(metric, tally), ..figure(row)? })
}

/// The published figure of a row, where there is one.
pub fn figure(row: &Row) -> Option<Published> {
    let place = place(row)?;
    let line = TABLE.lines().map(|l| l.split('\t').collect::<Vec<_>>()).find(|c| c[..3] == place)?;
    Some(Published {
        u2: line.get(8)?.parse().ok()?,
        cut: *line.get(7)? == "yes",
        bits: line.get(6)?.parse().ok()?,
        mismatch_percent: line.get(15)?.parse().ok()?,
        ours: None,
    })
}

/// Type, function and level as they name them.
fn place(row: &Row) -> Option<[String; 3]> {
    let level = row.level_name();
    let level = if matches!(&*level, "mid" | "all") { "def" } else { &*level };
    Some([row.type_name(), function(row)?, level.into()])
}

/// Their name of an operation.
fn function(row: &Row) -> Option<String> {
    // Their `fp` is the next wider format of the pair: double, or binary128.
    let wide = match row.width() {
        Width::F32 => Kind::Limb(Width::F64),
        Width::F64 => Kind::Binary128,
    };
    let int = |i: Int| match (i.bits, i.signed) {
        (32, true) => Some("int"),
        (32, false) => Some("uint"),
        (64, true) => Some("ll"),
        (64, false) => Some("ull"),
        _ => None,
    };
    match row.op {
        Op::From(k) if k == wide => Some("fp2mp".into()),
        Op::To(k) if k == wide => Some("mp2fp".into()),
        Op::From(Kind::Int(i)) => int(i).map(|name| format!("{name}2mp")),
        Op::To(Kind::Int(i)) => int(i).map(|name| format!("mp2{name}")),
        Op::From(_) | Op::To(_) | Op::ToLevel(_) => None,
        op => Some(op.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_published_figure_is_beside_a_row() {
        let lines = TABLE.lines().skip(1).map(|l| l.split('\t').take(3).map(String::from).collect::<Vec<_>>());
        let lines: BTreeSet<_> = lines.collect();
        assert_eq!(lines.len(), 120);
        let have: BTreeSet<_> =
            Row::all().iter().filter(|r| figure(r).is_some()).filter_map(place).map(Vec::from).collect();
        assert_eq!(lines.difference(&have).collect::<Vec<_>>(), Vec::<&Vec<String>>::new());
    }

    #[test]
    fn a_larger_error_of_ours_is_said() {
        let with = |ours| Published { u2: 1.07, cut: false, bits: 104, mismatch_percent: 0.0, ours };
        assert!(with(Some(2.0)).ours_is_larger());
        assert!(!with(Some(1.0)).ours_is_larger() && !with(None).ours_is_larger());
    }
}
