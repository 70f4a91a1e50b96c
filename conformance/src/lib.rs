//! Cases, subjects, tables, and the `vernier` program.
//!
//! A [`case`] is one operation on given bits. A [`subject`] evaluates cases; what its results must be, [`answer`] asks
//! `vernier-oracle`. A [`table`] measures errors, a [`contract`] compares subjects, a [`report`] keeps what was found.
#![forbid(unsafe_code)]

pub mod answer;
pub mod case;
pub mod cli;
pub mod compare;
pub mod contract;
pub mod error;
mod file;
pub mod render;
pub mod report;
pub mod speed;
pub mod stat;
pub mod subject;
pub mod sweep;
pub mod table;
pub mod testfloat;
mod text;
