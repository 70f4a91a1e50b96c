//! Summaries of many verdicts, and confidence bounds on rates.
//!
//! A [`Summary`] is the same whatever way its cases were split and merged: maxima break ties by the lowest case index, and means are
//! sums in fixed point, which is associative where floating point is not.

use crate::measure::{Mismatch, Verdict};
use serde::{Deserialize, Serialize};
use statrs::function::factorial::ln_binomial;
use std::collections::BTreeMap;

/// Upper end of the one-sided Clopper-Pearson interval (Clopper and Pearson 1934): with this `confidence` (0.99), the rate of which `hits`
/// of `cases` were seen is no higher. 1 without cases. Accurate to a relative 2^-16 for up to 2^32 cases.
pub fn rate_upper_bound(hits: u64, cases: u64, confidence: f64) -> f64 {
    if hits >= cases {
        return 1.0;
    }
    if hits == 0 {
        // (1 - p)^n = 1 - confidence.
        return -((1.0 - confidence).ln() / cases as f64).exp_m1();
    }
    // The rate at which so few hits become as unlikely as 1 - confidence. The tail falls with the rate: bisection.
    let log_binomial = ln_binomial(cases, hits);
    let (mut below, mut above) = (hits as f64 / cases as f64, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (below + above);
        if middle <= below || middle >= above {
            break;
        }
        if binomial_tail(hits, cases, middle, log_binomial) > 1.0 - confidence {
            below = middle;
        } else {
            above = middle;
        }
    }
    above
}

/// `P(X <= k)` of a binomial X with `k < n p`: from the term of k downwards, where they fall geometrically.
fn binomial_tail(k: u64, n: u64, p: f64, log_binomial: f64) -> f64 {
    let odds = (1.0 - p) / p;
    let (mut term, mut sum) = (1.0, 1.0);
    for i in (1..=k).rev() {
        term *= i as f64 / (n - i + 1) as f64 * odds;
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    (log_binomial + k as f64 * p.ln() + (n - k) as f64 * (-p).ln_1p()).exp() * sum
}

/// Maximum, its case, and mean of one measure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Cases with this measure.
    pub count: u64,
    /// Of these, those with an error above [`Measure::CAP`] (infinite ones among them); they enter the sum as the cap.
    pub capped: u64,
    /// Largest error; 0 without cases. Written as text, since JSON knows no infinity.
    #[serde(with = "text")]
    pub max: f64,
    /// Lowest index of a case with the largest error.
    pub at: Option<u64>,
    /// Sum of the errors in units of 2^-32.
    #[serde(with = "text")]
    sum: u128,
}

/// Values as the text that parses back to them.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::{fmt::Display, str::FromStr};

    pub fn serialize<T: Display, S: Serializer>(v: &T, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(v)
    }

    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(d: D) -> Result<T, D::Error>
    where
        T::Err: Display,
    {
        let text = String::deserialize(d)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl Measure {
    /// Largest error that enters the mean as itself.
    pub const CAP: f64 = (1u64 << 48) as f64;
    const UNIT: f64 = (1u64 << 32) as f64;

    /// Adds the error of case `index`; not NaN.
    pub fn add(&mut self, index: u64, error: f64) {
        self.count += 1;
        if error > self.max || self.at.is_none() || (error == self.max && Some(index) < self.at) {
            self.max = error;
            self.at = Some(index);
        }
        let error = if error > Self::CAP {
            self.capped += 1;
            Self::CAP
        } else {
            error
        };
        self.sum += (error * Self::UNIT).round() as u128;
    }

    /// Adds the cases of another part.
    pub fn merge(&mut self, other: &Measure) {
        // Saturating: a merged file may claim any counts.
        self.count = self.count.saturating_add(other.count);
        self.capped = self.capped.saturating_add(other.capped);
        self.sum = self.sum.saturating_add(other.sum);
        let better = match (self.at, other.at) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(mine), Some(theirs)) => other.max > self.max || (other.max == self.max && theirs < mine),
        };
        if better {
            self.max = other.max;
            self.at = other.at;
        }
    }

    /// Mean error, or `None` without cases; where `capped` is not 0 it is a lower bound.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / Self::UNIT / self.count as f64)
    }
}

/// Cases of one kind: how many, and the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Number of cases.
    pub count: u64,
    /// Lowest index.
    pub first: u64,
}

/// Summary of the verdicts of a run or of a part of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// All cases.
    pub cases: u64,
    /// u2 errors in the moderate domain.
    pub u2: Measure,
    /// ulp errors in the moderate domain.
    pub ulp: Measure,
    /// u2 errors against the terms in the moderate domain.
    pub u2_of_terms: Measure,
    /// ulp errors in the wide domain.
    pub ulp_wide: Measure,
    /// Wrong special values by kind.
    pub mismatches: BTreeMap<Mismatch, Tally>,
}

impl Summary {
    /// Adds the verdict on case `index`.
    pub fn add(&mut self, index: u64, verdict: &Verdict) {
        use crate::measure::Domain;
        self.cases += 1;
        if let Some(kind) = verdict.mismatch {
            self.tally(kind, Tally { count: 1, first: index });
            return;
        }
        match verdict.domain {
            Domain::Moderate => {
                self.u2.add(index, verdict.u2);
                self.ulp.add(index, verdict.ulp);
                self.u2_of_terms.add(index, verdict.u2_of_terms);
            }
            Domain::Wide => self.ulp_wide.add(index, verdict.ulp),
            Domain::Special => {}
        }
    }

    fn tally(&mut self, kind: Mismatch, more: Tally) {
        let tally = self.mismatches.entry(kind).or_insert(Tally { count: 0, first: more.first });
        tally.count = tally.count.saturating_add(more.count);
        tally.first = tally.first.min(more.first);
    }

    /// Adds the cases of another part; associative and commutative.
    pub fn merge(&mut self, other: &Summary) {
        self.cases = self.cases.saturating_add(other.cases);
        self.u2.merge(&other.u2);
        self.ulp.merge(&other.ulp);
        self.u2_of_terms.merge(&other.u2_of_terms);
        self.ulp_wide.merge(&other.ulp_wide);
        for (&kind, tally) in &other.mismatches {
            self.tally(kind, tally.clone());
        }
    }

    /// Number of wrong special values.
    pub fn mismatch_count(&self) -> u64 {
        self.mismatches.values().map(|t| t.count).sum()
    }

    /// 99% upper confidence bound on the rate of wrong special values.
    pub fn mismatch_rate_bound(&self) -> f64 {
        rate_upper_bound(self.mismatch_count(), self.cases, 0.99)
    }
}
