//! What changed since an earlier result, and whether something became worse.
//!
//! - *Accuracy*: a claim that held fails, one side lacks a row or a figure that the other has, or, under the same plan, an
//!   error or a number of mismatches is larger.
//! - *Digits*: a claim that held fails, or [`LOST_DIGITS`] or more of the correct digits are lost.
//! - *Instruction counts*: more arithmetic of one width, more instructions in all, or more spills, on any architecture; the
//!   counts of an unrolled loop are compared to [`COUNT_STEP`].
//! - *Speed*, on the same device and with the same effort: slower by more than both spreads together, each (longest -
//!   shortest) / median of the launches, and by more than [`LEAST_TOLERANCE`], which covers the clocks of two runs.
//!
//! A place, a type or an operation that is measured no longer counts as worse; one that is new is listed.

mod accuracy;
mod speed;

pub use speed::{COUNT_STEP, LEAST_TOLERANCE, LOST_DIGITS, tolerance};

use crate::report::{Change, Comparison, Results};
use crate::speed::Report;

/// Holds results against those of an earlier file.
pub fn compare(name: &str, old: &Results, new: &Results) -> Comparison {
    let mut list = List::default();
    accuracy::compare(old, new, &mut list);
    speed::compare(old.speed.as_ref(), new.speed.as_ref(), &mut list);
    Comparison { old: name.into(), changes: list.0 }
}

/// Holds the speeds of a place against those of an earlier file.
pub fn compare_speeds(name: &str, old: &Report, new: &Report) -> Comparison {
    let mut list = List::default();
    speed::speeds(old, new, &mut list);
    Comparison { old: name.into(), changes: list.0 }
}

#[derive(Default)]
struct List(Vec<Change>);

impl List {
    fn add(&mut self, worse: bool, what: impl Into<String>, change: impl Into<String>) {
        self.0.push(Change { what: what.into(), change: change.into(), worse });
    }
}
