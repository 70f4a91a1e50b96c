//! Whether both judges say the same of a function's results.

use super::callee::{Block, Callee, Judges};
use super::{Case, Function, bits};
use crate::format::Format;
use crate::generate::counter::Words;
use rayon::prelude::*;

/// The first of so many cases, half of them of moderate size, of which the judges say something else: no figure is worth
/// anything then.
///
/// # Errors
/// The callee's fault.
pub fn disagreement<C: Callee>(
    callee: &C,
    function: Function,
    format: Format,
    cases: u64,
    seed: u64,
) -> Result<Option<Case>, C::Fault> {
    let judges = Judges::new(function, format);
    if judges.all.iter().all(|judge| judge.is_slow()) {
        return Ok(None);
    }
    let blocks = cases.div_ceil(Block::MOST as u64);
    let found: Vec<Result<Option<Case>, C::Fault>> = (0..blocks)
        .into_par_iter()
        .map_init(Block::new, |block, k| {
            block.n = (cases - k * Block::MOST as u64).min(Block::MOST as u64) as usize;
            let arity = function.arity();
            for i in 0..block.n {
                let mut words = Words::new(seed, k * Block::MOST as u64 + i as u64);
                for column in &mut block.args[..arity] {
                    let any = words.next() >> (64 - bits::width(format));
                    let moderate = (words.next() as i64 as f64) * (-60f64).exp2();
                    column[i] = if i % 2 == 0 { any } else { bits::of(moderate, format) };
                }
            }
            callee.call(block, false)?;
            for (which, judge) in judges.all.iter().enumerate() {
                for i in 0..block.n {
                    let (args, result) = (block.input(i), block.results[which][i]);
                    if !judge.agrees(format, &args[..arity], result) {
                        return Ok(Some(Case { args, result, which }));
                    }
                }
            }
            Ok(None)
        })
        .collect();
    for case in found {
        if let Some(case) = case? {
            return Ok(Some(case));
        }
    }
    Ok(None)
}
