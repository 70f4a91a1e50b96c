//! Special values.

use super::callee::{Block, Callee, Judges};
use super::{Case, Function, Tally, bits, place_of};
use crate::format::Format;
use crate::generate::special::limbs;
use crate::measure::Mismatch;
use serde::{Deserialize, Serialize};

/// A special input: what the function gave, and what is right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Special {
    /// Input and result.
    pub case: Case,
    /// The correctly rounded result, as bits.
    pub right: u64,
    /// How the result is wrong.
    pub wrong: Option<Mismatch>,
    /// Its error otherwise.
    pub ulp: f64,
}

/// Zeros, extremes, infinities and NaN; and of one or two arguments small integers and halves, and large even and odd ones.
fn arguments(function: Function, format: Format) -> Vec<f64> {
    let mut list: Vec<f64> = limbs(format).into();
    if function.arity() > 2 {
        list.truncate(12);
        list.push(f64::NAN);
        return list;
    }
    let large = f64::from(format.p).exp2();
    let magnitudes = [0.5, 1.5, 2.0, 2.5, 3.0, 4.0, large - 1.0, large];
    list.extend(magnitudes.into_iter().flat_map(|x| [x, -x]));
    list
}

/// Calls a function on all combinations of special values; the tally has them too.
///
/// # Errors
/// The callee's fault.
pub fn special<C: Callee>(
    callee: &C,
    function: Function,
    format: Format,
    tally: &mut Tally,
) -> Result<Vec<Special>, C::Fault> {
    let judges = Judges::new(function, format);
    if format == bits::HIGH {
        return edges(callee, &judges, tally).map(|()| Vec::new());
    }
    let list = arguments(function, format);
    let (arity, n) = (function.arity(), list.len());
    let inputs: Vec<[f64; 3]> = (0..n.pow(arity as u32))
        .map(|i| [0, 1, 2].map(|k| if k < arity { list[i / n.pow(k as u32) % n] } else { 0.0 }))
        .collect();
    let mut found = Vec::new();
    let mut block = Block::new();
    for inputs in inputs.chunks(Block::MOST) {
        block.n = inputs.len();
        for k in 0..arity {
            for (bits, x) in block.args[k].iter_mut().zip(inputs) {
                *bits = bits::of(x[k], format);
            }
        }
        callee.call(&mut block, true)?;
        for (i, x) in inputs.iter().enumerate() {
            tally.cases += 1;
            for (which, judge) in judges.all.iter().enumerate() {
                let mut args = block.input(i);
                args[arity..].fill(0);
                let case = Case { args, result: block.results[which][i], which };
                let judged = judge.exactly(x, judge.result(case.result));
                tally.add(judged, place_of(args[0], format), || case);
                let right = judge.bits(judge.nearest(x));
                found.push(Special { case, right, wrong: judged.wrong, ulp: judged.ulp });
            }
        }
    }
    Ok(found)
}

/// The same of the high words of binary128: the tally alone has them.
fn edges<C: Callee>(callee: &C, judges: &Judges, tally: &mut Tally) -> Result<(), C::Fault> {
    let ones = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0].map(|x| bits::of(x, judges.format));
    let ends = [0, 1, 1 << 48, 0x7ffe << 48 | ((1 << 48) - 1), bits::infinity(judges.format), 0x7fff_8000 << 32];
    let list: Vec<u64> = ones.into_iter().chain(ends).flat_map(|x| [x, x | bits::sign(judges.format)]).collect();
    let arity = judges.function.arity();
    let inputs: Vec<usize> = (0..list.len().pow(arity as u32)).collect();
    let mut block = Block::new();
    for inputs in inputs.chunks(Block::MOST) {
        block.n = inputs.len();
        for (k, column) in block.args.iter_mut().enumerate().take(arity) {
            for (x, i) in column.iter_mut().zip(inputs) {
                *x = list[i / list.len().pow(k as u32) % list.len()];
            }
        }
        callee.call(&mut block, true)?;
        judges.judge(&block, 0..block.n, tally, |_, _| {});
    }
    Ok(())
}
