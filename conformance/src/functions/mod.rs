//! Other people's functions of numbers: where they come from, how wrong they are, and what of that changed.
//!
//! A [`Candidate`] is one function; a [`Source`] has several. A [`Plan`] says how much is tried of each, [`run`] does it, and
//! [`Results`] keep one [`Row`] a function and type. Bounds that somebody documents stand beside the errors.

mod candidate;
mod cases;
mod compare;
mod documented;
mod merge;
mod on_device;
mod results;
mod run;
mod rust;
mod source;
mod text;

pub use candidate::Candidate;
pub use cases::CaseFile;
pub use compare::compare;
pub use documented::{Bound, Documented, Found, Holds, parts};
pub use on_device::OnDevice;
pub use results::{FORMAT, How, Point, Results, Row, Wrong, parse, read};
pub use run::{Effort, Plan, Run, run};
pub use source::{Asked, Source, Subject};
pub use text::{details, summary, table};
