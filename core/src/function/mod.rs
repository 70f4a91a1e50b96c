//! Names and signatures: the types, their operations, and what these take and give. No arithmetic.
//!
//! An *operation* ([`Op`]) is one for all types that have it; [`operation`] says which do, and with what arguments.

mod kind;
mod math;
mod op;
mod types;

pub use kind::{Int, Kind};
pub use math::Math;
pub use op::{Arity, OPERATIONS, Op, Operation, Slot, Stat, conversion_kinds, operation, operations};
pub use types::{Level, Mode, Type, TypeName, Width};
