//! Exact values, error measures, generators and worst-case search.
//!
//! An operation ([`Op`]) on pairs has an exact value, which two independent oracles know ([`exact::mpfr`],
//! [`exact::dyadic`]); either rounds it into any [`format::Format`] and says how far a result is from it. [`judge`](mod@judge) does
//! the latter at speed and is what a run uses; [`measure`] defines the error measures, [`convert`] correct conversions,
//! and [`stats`] the summaries of runs. Of the crate whose
//! arithmetic it judges the oracle uses names and signatures alone ([`vernier::function`]).
//!
//! [`number`] judges other people's functions of numbers: [`accuracy`] says how wrong a Rust function is. There this project's
//! arithmetic helps to judge, and MPFR settles what it leaves open.
//!
//! ```
//! use vernier_oracle::{Function, accuracy};
//!
//! let cube_root = accuracy(|x: f32| x.cbrt(), Function::Cbrt);
//! assert!(cube_root.ulp < 1.5 && cube_root.mismatches == 0, "{cube_root}");
//! ```
#![forbid(unsafe_code)]

pub mod convert;
pub mod exact;
mod fast;
pub mod format;
pub mod functions;
pub mod generate;
pub mod judge;
pub mod measure;
pub mod number;
mod random;
pub mod reduced;
pub mod search;
pub mod stats;
pub mod target;
pub mod trace;

pub use convert::round_pair;
pub use exact::{dyadic, mpfr, series};
pub use format::{Format, Rounded, Rounding};
pub use judge::{ARGS, Args, judge, judge_block, takes_blocks};
pub use measure::{Domain, Mismatch, Verdict};
pub use number::{Accuracy, Function, accuracy};
pub use stats::{Measure, Summary, Tally, rate_upper_bound};
pub use target::{Meaning, Operand, Pair, Target};
pub use vernier::function::Op;
