//! The published figures, as a table beside ours.
//!
//! From `fixtures/published_accuracy.tsv`. Their main class ends at a relative error of 1e-13 (fp32mp2) or 1e-28 (fp64mp2), so a
//! maximum at that end is the end of the class and no measurement.

use super::row::Row;
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
}

/// The published figure of a row, where there is one.
pub fn figure(row: &Row) -> Option<Published> {
    let level = row.level_name();
    let level = if matches!(&*level, "mid" | "all") { "def" } else { &*level };
    let function = function(row)?;
    let line = TABLE
        .lines()
        .map(|l| l.split('\t').collect::<Vec<_>>())
        .find(|c| c[..3] == [&*row.type_name(), &function, level])?;
    Some(Published {
        u2: line.get(8)?.parse().ok()?,
        cut: *line.get(7)? == "yes",
        bits: line.get(6)?.parse().ok()?,
        mismatch_percent: line.get(15)?.parse().ok()?,
    })
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
