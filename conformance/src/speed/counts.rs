//! Instruction counts beside the published ones.

use crate::case::{Level, Op};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use vernier_gpu::print::{Cuda, Rare};
use vernier_gpu::sass::{self, ARCHITECTURES, Failure};
use vernier_tape::registry::{Function, FunctionId, functions};

const PUBLISHED: &str = include_str!("../../fixtures/sass_counts.tsv");

/// Moves that an unrolled loop may leave over, per evaluation.
const MOVES: f64 = 0.25;

/// What one evaluation issues on an architecture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// The architecture.
    pub architecture: String,
    /// FP32 add, mul, fma.
    pub fp32: f64,
    /// FP64 add, mul, fma and comparisons.
    pub fp64: f64,
    /// The rest.
    pub other: f64,
    /// Registers.
    pub registers: u32,
    /// Bytes of spills.
    pub spills: u32,
}

/// The counts of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Type without its level.
    pub family: String,
    /// Operation.
    pub op: String,
    /// Level, or `all`.
    pub level: String,
    /// Published FP32, FP64 and other instructions.
    pub published: Option<[u32; 3]>,
    /// By architecture.
    pub counts: Vec<Count>,
    /// Whether the target is reached on every architecture; none where there is none.
    pub reached: Option<bool>,
}

/// What is asked of a function's counts: low and mid have no more floating-point instructions than published, high
/// at most 4 (`fp32mp2`) or 6 (`fp64mp2`) instructions above the published count for its special values.
fn reached(f: FunctionId, published: Option<[u32; 3]>, c: &Count) -> Option<bool> {
    if !matches!(f.op(), Op::Add | Op::Sub | Op::Mul | Op::Acc | Op::Fma | Op::Mad) {
        return None;
    }
    let [fp32, fp64, other] = published?.map(f64::from);
    let arithmetic = c.fp32 + c.fp64;
    let issued = match f.level() {
        Some(Level::High) => {
            let allowed = if f.family() == "fp32mp2" { 4.0 } else { 6.0 };
            arithmetic + c.other <= fp32 + fp64 + other + allowed + MOVES
        }
        _ => arithmetic <= fp32 + fp64,
    };
    Some(issued && c.spills == 0)
}

/// Counts of every function with a level or a published count, and of what all levels of emulated doubles share, as device
/// kernels compile it.
///
/// # Errors
/// Why nothing could be counted.
pub fn count(quick: bool) -> Result<Vec<Counts>, Failure> {
    count_on(if quick { &["sm_90"] } else { &ARCHITECTURES }, |_| true)
}

/// The same of the functions that are `wanted`, on these architectures.
///
/// # Errors
/// Why nothing could be counted.
pub fn count_on(architectures: &[&str], wanted: impl Fn(&Function) -> bool) -> Result<Vec<Counts>, Failure> {
    let published = sass::published(PUBLISHED);
    let key = |f: &Function| {
        (f.id.family().to_string(), f.id.op_name(), f.id.level().unwrap_or(Level::Mid).name().to_string())
    };
    let fused = |f: &Function| f.id.op_name().as_str() == "fma" && f.id.family().starts_with("fp64emu");
    let listed = |f: &&Function| f.id.level().is_some() || published.contains_key(&key(f)) || fused(f);
    let list: Vec<&Function> = functions().iter().filter(listed).filter(|f| wanted(f)).collect();
    let of = |&architecture: &&str| {
        let counts = sass::count(&list, &Cuda { fast_seeds: true }, Rare::Automatic, architecture)?;
        Ok((architecture.to_string(), counts))
    };
    let found: Vec<(String, Vec<sass::Count>)> = architectures.par_iter().map(of).collect::<Result<_, Failure>>()?;
    let one = |(i, f): (usize, &&Function)| {
        let counts: Vec<Count> = found
            .iter()
            .map(|(architecture, c)| Count {
                architecture: architecture.clone(),
                fp32: c[i].fp32,
                fp64: c[i].fp64,
                other: c[i].other,
                registers: c[i].registers,
                spills: c[i].spills,
            })
            .collect();
        let (level, published) = (f.id.level().map(|l| l.name()).unwrap_or("all"), published.get(&key(f)).copied());
        let verdicts: Vec<bool> = counts.iter().filter_map(|c| reached(f.id, published, c)).collect();
        Counts {
            family: f.id.family().into(),
            op: f.id.op_name(),
            level: level.into(),
            published,
            reached: (!verdicts.is_empty()).then(|| verdicts.into_iter().all(|v| v)),
            counts,
        }
    };
    Ok(list.iter().enumerate().map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_issued() {
        let count =
            |fp32, other, spills| Count { architecture: "sm_90".into(), fp32, fp64: 0.0, other, registers: 32, spills };
        let pair = |op, level| FunctionId::named("fp32mp2", op, Some(level)).unwrap();
        let add = |level, c: Count| reached(pair("add", level), Some([20, 0, 0]), &c);
        assert_eq!(add("high", count(20.0, 4.0, 0)), Some(true));
        assert_eq!(add("high", count(20.0, 5.0, 0)), Some(false));
        assert_eq!(add("mid", count(20.0, 9.0, 0)), Some(true));
        assert_eq!(add("mid", count(21.0, 0.0, 0)), Some(false));
        assert_eq!(add("mid", count(20.0, 0.0, 8)), Some(false));
        assert_eq!(reached(pair("div", "mid"), Some([13, 0, 0]), &count(15.0, 0.0, 0)), None);
        assert_eq!(reached(pair("add", "mid"), None, &count(15.0, 0.0, 0)), None);
    }
}
