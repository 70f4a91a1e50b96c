//! Functions of numbers, whoever computes them: how wrong a result is, and where a function is most wrong.
//!
//! A [`Function`] is one that the oracle knows. A [`Judge`] says how wrong its results are in ulp of the result's format, with
//! the exact value's binade, whose ulp is that of the smallest subnormal number at least. An infinity stands for the power of two
//! that comes after the largest number, so that the error of an overflow is a number too. A *mismatch* is a special value that is
//! wrong (C23 Annex F): NaN for a number, a number for NaN or an infinity that is one exactly, an infinity or zero of
//! the wrong sign, or an infinity where the exact value is half the largest number or less.
//!
//! A [`Callee`] is somebody's function of [blocks](Block) of numbers. [`Exhaustive`] tries all of its inputs, a
//! [`Search`] looks for the worst; either gives a [`Tally`].

mod accuracy;
mod agreement;
pub mod bits;
mod callee;
mod exactly;
mod exhaustive;
mod judge;
mod kernel;
mod known;
pub mod region;
mod search;
mod special;
mod tally;
pub mod verdict;

pub use accuracy::{Accuracy, Callable, Real, accuracy};
pub use agreement::disagreement;
pub use callee::{Block, Callee, Found};
pub use exhaustive::{Exhaustive, SPAN, rises};
pub use judge::{DOUBT, Judge};
pub use known::{Function, Parity, Second, Trend, Value};
pub use search::Search;
pub use special::{Special, special};
pub use tally::{BINS, Case, STEPS, Tally, Violations, bin, place_of};

use crate::measure::Mismatch;

/// How wrong one result is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The error in ulp; 0 where a special value is right or wrong.
    pub ulp: f64,
    /// How a special value is wrong.
    pub wrong: Option<Mismatch>,
    /// Whether it is the correctly rounded result.
    pub correct: bool,
}

impl Judged {
    /// The right result, exactly.
    const RIGHT: Judged = Judged { ulp: 0.0, wrong: None, correct: true };

    fn wrong(how: Mismatch) -> Judged {
        Judged { ulp: 0.0, wrong: Some(how), correct: false }
    }

    /// An error that is not half an ulp.
    fn of(ulp: f64) -> Judged {
        Judged { ulp, wrong: None, correct: ulp < 0.5 }
    }
}
