//! Generated cases: arguments from a counter, the same on every machine, and hashes of results by blocks.

pub(crate) mod block;
mod generator;
mod shape;

pub use generator::Cases;

use crate::io::{Io, Kind};
use crate::tape::Ty;
use std::num::Wrapping;
use vernier::host::Host;

/// Cases in a run: they have the same classes of arguments.
pub const RUN: usize = 1 << generator::RUN_BITS;
/// The most slots that the arguments of a function have, or its results.
pub const SLOTS: usize = 12;
/// The bit patterns of one slot in a run of cases.
pub type Column = [u64; RUN];

/// Cases in a block.
pub const BLOCK: u64 = 1 << 16;

/// The bit patterns of the arguments of case `index`, one per slot.
pub fn arguments(params: &[Kind], seed: u64, index: u64) -> Vec<u64> {
    let mut cases = Cases::<Host>::new(Wrapping(seed), Wrapping(index));
    let mut bits = Vec::new();
    for &kind in params {
        cases.param(kind);
        bits.extend(kind.slots().iter().map(|ty| match ty {
            Ty::F32 => u64::from(cases.f32().to_bits()),
            Ty::F64 => cases.f64().to_bits(),
            Ty::U32 => u64::from(cases.u32().0),
            Ty::U64 => cases.u64().0,
            Ty::Mask => u64::from(cases.truth()),
        }));
    }
    bits
}
