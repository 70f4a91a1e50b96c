//! Which type a user's kernel should use on a card.
//!
//! The kernel runs in every *candidate* type. Its *digits* are those that it has in common with the *reference*, the kernel in
//! `fp64mp2` at level high, which is held against level mid and, on a few items, against MPFR. Speed is measured on a device, or
//! predicted from machine code and the rates of a card. Warnings follow from rules, each a row with its threshold and source.

pub mod closure;
pub mod data;
pub mod digits;
mod needed;
mod page;
mod question;
mod recommend;
mod replay;
mod row;
mod rules;
mod run;
mod speeds;
pub mod worker;

pub use needed::Needed;
pub use page::{page, picture};
pub(crate) use page::{sentence, table};
pub use question::Question;
pub use recommend::{KEEP, MIX, Recommendation, recommend};
pub use row::{Row, Semantics};
pub use rules::{Facts, RULES, Rule, Warning, warnings};
pub use run::{Advice, Answer, FORMAT, Reference, USUAL, advise, read};
pub use speeds::Speed;
