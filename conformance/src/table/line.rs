//! One line of the table: the figures of a row, its claim and the verdict.

use super::bound::{Claim, claim};
use super::draw::Draw;
use super::metric::Metric;
use super::published::{Published, beside};
use super::results::{RowResult, Search};
use super::row::Row;
use super::tally::{Tally, with_result};
use crate::subject::Subject;
use serde::{Deserialize, Serialize};
use vernier_oracle::{Target, measure};

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It does, as far as was looked.
    Holds,
    /// It does; and the relative error, of which nothing is claimed, was found to have no bound.
    Unbounded,
    /// It does not.
    Fails,
}

impl Verdict {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Unbounded => "holds; relative unbounded",
            Verdict::Fails => "FAILS",
        }
    }
}

/// An error and the case that has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worst {
    /// The error.
    #[serde(with = "crate::text::number")]
    pub error: f64,
    /// The case.
    pub case: String,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Type without its level.
    #[serde(rename = "type")]
    pub ty: String,
    /// Operation.
    pub op: String,
    /// Level, `all`, or `-`.
    pub level: String,
    /// Which operands; empty for any.
    pub operands: String,
    /// Where it was evaluated, and for whom, in words; empty for the host.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Measure of `sampled`, `searched`, `mean` and `bound`.
    pub metric: String,
    /// Whether the cases are all there are; otherwise `sampled` is a lower bound of the maximum.
    pub exhaustive: bool,
    /// Cases evaluated.
    pub cases: u64,
    /// Largest error of the samples.
    pub sampled: Option<Worst>,
    /// Mean error of the samples.
    #[serde(with = "crate::text::number::option")]
    pub mean: Option<f64>,
    /// Largest ulp error of the samples.
    #[serde(with = "crate::text::number::option")]
    pub ulp: Option<f64>,
    /// Largest ulp error where operands or result are far out.
    #[serde(with = "crate::text::number::option")]
    pub ulp_wide: Option<f64>,
    /// Largest error that the search found.
    pub searched: Option<Worst>,
    /// Largest relative error that a search found, where the claim is not about it.
    pub relative: Option<Worst>,
    /// Largest error of operands that the claim is not about: overlapping or inverted limbs.
    pub other: Option<Worst>,
    /// Correct bits of the largest error known.
    pub bits: Option<i32>,
    /// Wrong special values, or wrong answers of comparisons and conversions.
    pub mismatches: u64,
    /// The first of them.
    pub mismatch_case: Option<String>,
    /// 99% upper confidence bound on the rate of them.
    pub mismatch_rate_bound: f64,
    /// Whether the claim is that there is none.
    pub mismatches_claimed: bool,
    /// Bound of the metric.
    pub bound: f64,
    /// The bound as the literature writes it.
    pub bound_text: String,
    /// Whose bound.
    pub source: String,
    /// Published figure.
    pub published: Option<Published>,
    /// Whether the claim holds.
    pub verdict: Verdict,
}

impl Line {
    /// The line of a row; `None` for a row that this program does not have.
    pub fn new(result: &RowResult, subject: &dyn Subject, seed: u64) -> Option<Line> {
        Some(Line::of(&result.row()?, result, subject, seed))
    }

    /// The line of a row that need not be one of the table's, such as a shared row at one level only.
    pub fn of(row: &Row, result: &RowResult, subject: &dyn Subject, seed: u64) -> Line {
        let claim = claim(row);
        let draw = Draw::new(row, seed);
        let case = |index: u64| with_result(subject, draw.case(index)).to_string();
        let tally = &result.tally;
        let target = Target::of(row.ty(0));
        let sampled = sampled(claim.metric, tally, &target).map(|(error, index)| Worst { error, case: case(index) });
        let best = |metric: Metric| {
            let search = result.searches.iter().find(|s| s.metric == metric.name());
            let worst = |s: &Search| s.best.as_ref().map(|b| Worst { error: b.value, case: b.case.clone() });
            search.and_then(worst)
        };
        let searched = best(claim.metric);
        let relative = best(Metric::U2).filter(|_| claim.metric != Metric::U2);
        let other = other(claim.metric, tally).map(|(error, index)| Worst { error, case: case(index) });
        let mismatches = tally.claimed.mismatch_count() + tally.answers.wrong;
        let first = tally.claimed.mismatches.values().map(|t| t.first).chain(tally.answers.first).min();
        let largest = [&sampled, &searched].into_iter().flatten().map(|w| w.error).fold(0.0, f64::max);
        let verdict = verdict(row, &claim, tally, largest, mismatches, &relative);
        Line {
            ty: row.type_name(),
            op: row.op.to_string(),
            level: row.level_name().into_owned(),
            operands: row.operands_name().into(),
            place: String::new(),
            metric: claim.metric.name().into(),
            exhaustive: result.exhaustive,
            cases: tally.cases(),
            mean: mean(claim.metric, tally),
            ulp: (tally.claimed.ulp.count > 0).then_some(tally.claimed.ulp.max),
            ulp_wide: (tally.claimed.ulp_wide.count > 0).then_some(tally.claimed.ulp_wide.max),
            bits: bits(row, claim.metric, tally, largest),
            sampled,
            searched,
            relative,
            other,
            mismatches,
            mismatch_case: first.map(case),
            mismatch_rate_bound: vernier_oracle::rate_upper_bound(
                mismatches,
                tally.claimed.cases.max(tally.answers.cases),
                0.99,
            ),
            mismatches_claimed: claim.special,
            bound: claim.bound,
            bound_text: claim.text,
            source: claim.source.into(),
            published: beside(row, claim.metric, tally),
            verdict,
        }
    }

    /// The type, and where it was evaluated if that is not the host.
    pub fn of_type(&self) -> String {
        format!("{} {}", self.ty, self.place).trim_end().into()
    }

    /// Type, operation, level and operands: what tells lines apart.
    pub fn key(&self) -> String {
        let key = format!("{} {} {} {}", self.ty, self.op, self.level, self.operands);
        key.trim_end().into()
    }
}

fn verdict(
    row: &Row,
    claim: &Claim,
    tally: &Tally,
    largest: f64,
    mismatches: u64,
    relative: &Option<Worst>,
) -> Verdict {
    let far = claim.wide_ulp.is_none_or(|bound| tally.claimed.ulp_wide.max <= bound);
    let special = !claim.special || mismatches == 0;
    // An error of a whole limb: no digit of lo is right.
    let whole_limb = f64::from(Target::of(row.ty(0)).limb.p).exp2();
    if !(largest <= claim.bound && far && special) {
        Verdict::Fails
    } else if claim.unbounded && relative.as_ref().is_some_and(|w| w.error >= whole_limb) {
        Verdict::Unbounded
    } else {
        Verdict::Holds
    }
}

fn sampled(metric: Metric, tally: &Tally, target: &Target) -> Option<(f64, u64)> {
    let s = &tally.claimed;
    let measure = match metric {
        Metric::U2 => &s.u2,
        Metric::Terms => &s.u2_of_terms,
        Metric::Relative => {
            let measure = &s.u2_of_terms;
            return measure.at.map(|at| (Metric::relative(measure.max, target), at));
        }
        Metric::Ulp if s.ulp_wide.max > s.ulp.max => &s.ulp_wide,
        Metric::Ulp => &s.ulp,
        Metric::Answers => return None,
    };
    measure.at.map(|at| (measure.max, at))
}

fn other(metric: Metric, tally: &Tally) -> Option<(f64, u64)> {
    let s = &tally.other;
    let measure = match metric {
        Metric::U2 => &s.u2,
        Metric::Terms => &s.u2_of_terms,
        Metric::Ulp | Metric::Answers | Metric::Relative => return None,
    };
    measure.at.map(|at| (measure.max, at))
}

fn mean(metric: Metric, tally: &Tally) -> Option<f64> {
    match metric {
        Metric::U2 => tally.claimed.u2.mean(),
        Metric::Terms => tally.claimed.u2_of_terms.mean(),
        Metric::Ulp => tally.claimed.ulp.mean(),
        // Means are kept in u^2, in which these errors are too large.
        Metric::Answers | Metric::Relative => None,
    }
}

fn bits(row: &Row, metric: Metric, tally: &Tally, largest: f64) -> Option<i32> {
    let target = super::tally::result_target(row).unwrap_or(Target::of(row.ty(0)));
    match metric {
        Metric::U2 | Metric::Terms => Some(measure::bits(largest, &target)),
        // Of normal numbers: subnormal ones have fewer.
        Metric::Ulp if row.ty(0).is_custom() => {
            let ulp = (1 - target.digits as i32 + 2 * target.limb.p as i32) as f64;
            Some(measure::bits(largest * ulp.exp2(), &target))
        }
        Metric::Ulp => Some(measure::bits(tally.claimed.u2.max, &target)),
        Metric::Relative => Some(measure::bits(largest / Metric::relative(1.0, &target), &target)),
        Metric::Answers => None,
    }
}
