//! Cases, subjects, tables, and the `vernier` program.
//!
//! A [`case`] is one operation on given bits. A [`subject`] evaluates cases; what its results must be, [`answer`] asks
//! `vernier-oracle`. A [`table`] measures errors, a [`contract`] compares subjects, a [`report`] keeps what was found.
//!
//! ```
//! use vernier_conformance::case::parse_line;
//! use vernier_conformance::subject::{Host, Subject};
//!
//! let case = parse_line(b"fp32mp2 mul 0.1 3.0").unwrap().unwrap();
//! let result = Host.eval(case.ty, case.op, &case.args).unwrap();
//! assert_eq!(result.to_string(), "3e99999a:b24ccccd");
//! ```
//!
//! The code of the README and of docs/ is compiled with this crate's tests.
#![forbid(unsafe_code)]

pub mod advise;
pub mod answer;
pub mod case;
pub mod cli;
pub mod compare;
pub mod contract;
pub mod error;
mod file;
pub mod functions;
mod hold;
pub mod page;
pub mod parts;
pub mod render;
pub mod report;
pub mod speed;
pub mod stat;
pub mod subject;
pub mod sweep;
pub mod table;
pub mod testfloat;
mod text;

pub use advise::closure::{Kept, Kernel, Real, advise};
pub use vernier_gpu::bench::Card;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/arithmetic.md")]
mod arithmetic {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/functions.md")]
mod functions_guide {}

#[cfg(doctest)]
#[doc = include_str!("../../docs/advise.md")]
mod advise_guide {}
