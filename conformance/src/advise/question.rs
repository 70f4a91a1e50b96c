//! What is asked of an advice.

use super::row::Semantics;
use std::time::Duration;
use vernier_gpu::advise::Kernel;
use vernier_gpu::bench::{Card, Subject};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The kernel.
    pub kernel: Kernel,
    /// Its data.
    pub data: Vec<Vec<f64>>,
    /// How many items.
    pub items: u64,
    /// Decimal digits that are needed.
    pub digits: f64,
    /// Whether items are summed.
    pub sums: bool,
    /// Whether native double and emulated doubles that share the items of a map are candidates too.
    pub split: bool,
    /// The only types that are tried, beside those of the reference and double; all where it is empty.
    pub types: Vec<Subject>,
    /// In what type, where it is not that of the items.
    pub sum_in: Option<Subject>,
    /// What else must survive.
    pub semantics: Semantics,
    /// Cards; the first is that of the device, where there is one.
    pub cards: Vec<Card>,
    /// The number of the CUDA device that it runs on.
    pub device: Option<usize>,
    /// How long a candidate may take.
    pub limit: Duration,
}
