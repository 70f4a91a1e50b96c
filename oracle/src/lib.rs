//! Exact values, error measures, generators and worst-case search.
//!
//! An operation ([`op::Op`]) on pairs has an exact value, which two independent oracles know ([`exact::mpfr`],
//! [`exact::dyadic`]); either rounds it into any [`format::Format`] and says how far a result is from it. [`judge`](mod@judge) does
//! the latter at speed and is what a run uses; [`measure`] defines the error measures, [`convert`] the right conversions,
//! and [`stats`] the summaries of runs. Nothing here uses the arithmetic that it judges.
#![forbid(unsafe_code)]

pub mod convert;
pub mod exact;
mod fast;
pub mod format;
pub mod generate;
pub mod judge;
pub mod measure;
pub mod op;
mod random;
pub mod reduced;
pub mod search;
pub mod stats;

pub use convert::round_pair;
pub use exact::{dyadic, mpfr};
pub use format::{Format, Rounded, Rounding};
pub use judge::{Args, judge, judge_block};
pub use measure::{Domain, Mismatch, Verdict};
pub use op::{Comparison, Op, Operand, Pair, Target};
pub use stats::{Measure, Summary, Tally, rate_upper_bound};
