//! What is known of a candidate.

use super::digits::Digits;
use serde::{Deserialize, Serialize};
use vernier_gpu::advise::{Candidate, Code};
use vernier_gpu::bench::Subject;

/// What must survive of double, beside its digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Semantics {
    /// Its bits.
    pub bits: bool,
    /// Its exponent range.
    pub range: bool,
}

impl Semantics {
    /// Whether a candidate has them.
    pub fn allow(self, c: Candidate) -> bool {
        let same_bits = |s| matches!(s, Subject::Double | Subject::Fp64emuHigh);
        let wide = |s: Subject| s != Subject::Float && s.family() != "fp32mp2";
        let all = |has: &dyn Fn(Subject) -> bool| has(c.item) && has(c.sum) && c.beside.is_none_or(has);
        (!self.bits || all(&same_bits)) && (!self.range || all(&wide))
    }
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The type, or both of a mix.
    #[serde(rename = "type")]
    pub name: String,
    /// The same for the program.
    pub candidate: Candidate,
    /// Correct digits: of the sum, or of the worst item.
    pub digits: Option<f64>,
    /// All that is known of digits.
    #[serde(flatten)]
    pub kept: Option<Digits>,
    /// Milliseconds of the kernel, where it was measured.
    pub ms: Option<f64>,
    /// Double's time over this one's on the first card.
    pub ratio: Option<f64>,
    /// The same as predicted, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted: Option<f64>,
    /// What limits it there.
    pub bound: Option<String>,
    /// The share of the items that the type beside the other computes there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Instructions of the FP64 pipe in one pass of the loop.
    pub fp64_instructions: Option<f64>,
    /// Registers of a thread.
    pub registers: Option<u32>,
    /// Bytes of registers kept in memory.
    pub spilled: Option<u32>,
    /// Warps that fit on a multiprocessor, of those that it can hold.
    pub occupancy: Option<f64>,
    /// Bytes of an item.
    pub bytes: u32,
    /// Whether it keeps the digits.
    pub enough: bool,
    /// Whether it has the semantics that are asked for.
    pub allowed: bool,
    /// Why it is out.
    pub failed: Option<String>,
    /// Its machine code on the first card.
    #[serde(skip)]
    pub code: Option<Code>,
}

impl Row {
    /// Nothing is known yet.
    pub fn of(candidate: Candidate, semantics: Semantics) -> Row {
        let slots = candidate.item.kind().slots().iter();
        let bytes = slots.map(|s| s.bits_mask().count_ones() / 8).sum();
        Row {
            name: candidate.name(),
            candidate,
            digits: None,
            kept: None,
            ms: None,
            ratio: None,
            predicted: None,
            bound: None,
            share: None,
            fp64_instructions: None,
            registers: None,
            spilled: None,
            occupancy: None,
            bytes,
            enough: false,
            allowed: semantics.allow(candidate),
            failed: None,
            code: None,
        }
    }
}
