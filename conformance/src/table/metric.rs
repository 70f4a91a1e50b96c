//! The measures of error that claims bound and searches maximise.

use crate::answer::{self, Judgement};
use crate::case::{Case, Value};
use vernier_oracle::{Target, Verdict};

/// The measure that a claim bounds, or that a search maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// |r - z| / (|z| u^2).
    U2,
    /// |r - z| / (sum of |terms| u^2).
    Terms,
    /// |r - z| / ulp(z).
    Ulp,
    /// |r - z| / sum of |terms|, of emulated doubles.
    Relative,
    /// Answers that are not the right one.
    Answers,
}

impl Metric {
    /// The error of a result, where it is a number's.
    pub fn of(self, case: &Case, result: Value) -> Option<f64> {
        match answer::judge(case.ty, case.op, &case.args, result)? {
            Judgement::Error(v) => Some(self.read(&v, &Target::of(case.ty))),
            Judgement::Answer { .. } => None,
        }
    }

    /// The error that a verdict has.
    pub fn read(self, v: &Verdict, target: &Target) -> f64 {
        match self {
            Metric::U2 | Metric::Answers => v.u2,
            Metric::Terms => v.u2_of_terms,
            Metric::Ulp => v.ulp,
            Metric::Relative => Metric::relative(v.u2_of_terms, target),
        }
    }

    /// A relative error that is given in u^2.
    pub fn relative(u2: f64, target: &Target) -> f64 {
        u2 * (-2.0 * f64::from(target.limb.p)).exp2()
    }

    /// Its name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::U2 => "u2",
            Metric::Terms => "u2 of terms",
            Metric::Ulp => "ulp",
            Metric::Relative => "relative",
            Metric::Answers => "answers",
        }
    }
}
