//! Every input of a function of one number.

use super::callee::{Block, Callee, Judges};
use super::{Function, Parity, Tally, Trend, bits};
use crate::format::Format;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Magnitudes of a piece of work; the next one stands behind them, for the comparison of neighbours.
const PIECE: u64 = Block::MOST as u64 - 1;

/// Magnitudes between two looks at what was found.
pub const SPAN: u64 = 1 << 22;

/// One piece in so many is called twice.
const TWICE: u64 = 16;

/// A run over every input, or a part of them; and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exhaustive {
    /// Which part, of how many, from 1.
    part: [u64; 2],
    /// Spans that are done, or another part's.
    next: u64,
    /// What was found.
    pub tally: Tally,
}

impl Exhaustive {
    /// Nothing done.
    pub fn new(part: [u64; 2]) -> Exhaustive {
        Exhaustive { part, next: 0, tally: Tally::default() }
    }

    /// The share that is done.
    pub fn done(&self, format: Format) -> f64 {
        self.next as f64 / spans(format) as f64
    }

    /// Tries some more inputs; whether there are others left.
    ///
    /// # Errors
    /// The callee's fault, of the inputs that come first.
    pub fn step<C: Callee>(&mut self, callee: &C, function: Function, format: Format) -> Result<bool, C::Fault> {
        let [index, count] = self.part;
        let mine = |after: u64| (after..spans(format)).find(|k| k % count == index - 1);
        let Some(k) = mine(self.next) else { return Ok(false) };
        let judges = Judges::new(function, format);
        let span = k * SPAN..((k + 1) * SPAN).min(magnitudes(format));
        match callee.span(span.clone()) {
            Some(found) => {
                let found = found?;
                self.tally.merge(&found.tally);
                let open: Vec<u64> = found.open.into_iter().map(|(_, x)| x).collect();
                for tally in in_parallel(&open, Block::MOST, |scratch, part, tally| {
                    let block = &mut scratch.block;
                    block.n = part.len();
                    block.args[0][..part.len()].copy_from_slice(part);
                    callee.call(block, false)?;
                    judges.judge(block, 0..part.len(), tally, |_, _| {});
                    Ok(())
                }) {
                    self.tally.merge(&tally?);
                }
            }
            None => {
                let pieces: Vec<u64> = span.clone().step_by(PIECE as usize).collect();
                for tally in in_parallel(&pieces, 16, |scratch, part, tally| {
                    part.iter().try_for_each(|&start| piece(callee, &judges, start..span.end, scratch, tally))
                }) {
                    self.tally.merge(&tally?);
                }
            }
        }
        self.next = k + 1;
        Ok(mine(self.next).is_some())
    }
}

/// What parts of a list give, in order.
fn in_parallel<F: Send>(
    list: &[u64],
    part: usize,
    work: impl Fn(&mut Scratch, &[u64], &mut Tally) -> Result<(), F> + Sync,
) -> Vec<Result<Tally, F>> {
    list.par_chunks(part)
        .map_init(Scratch::default, |scratch, part| {
            let mut tally = Tally::default();
            work(scratch, part, &mut tally).map(|()| tally)
        })
        .collect()
}

/// Magnitudes: those of half the encodings.
fn magnitudes(format: Format) -> u64 {
    bits::sign(format)
}

fn spans(format: Format) -> u64 {
    magnitudes(format).div_ceil(SPAN)
}

#[derive(Default)]
struct Scratch {
    block: Block,
    positive: Vec<u64>,
}

/// The first [`PIECE`] of some magnitudes, with both signs.
fn piece<C: Callee>(
    callee: &C,
    judges: &Judges,
    span: Range<u64>,
    scratch: &mut Scratch,
    tally: &mut Tally,
) -> Result<(), C::Fault> {
    let (function, format) = (judges.function, judges.format);
    let Scratch { block, positive } = scratch;
    let start = span.start;
    let n = (span.end - start).min(PIECE) as usize;
    let all = (magnitudes(format) - start).min(n as u64 + 1) as usize;
    let mut mirror = None;
    for sign in [0, bits::sign(format)] {
        block.n = all;
        for (x, m) in block.args[0].iter_mut().zip(start..start + all as u64) {
            *x = m | sign;
        }
        callee.call(block, (start / PIECE).is_multiple_of(TWICE))?;
        neighbours(judges, block, all, sign != 0, tally);
        if sign == 0 {
            let mut own = Tally::default();
            judge(judges, block, n, &mut own);
            tally.merge(&own);
            if function.parity() != Parity::None {
                positive.clear();
                positive.extend_from_slice(&block.results[0][..n]);
                mirror = Some(own);
            }
            continue;
        }
        let odd = function.parity() == Parity::Odd;
        let mut symmetric = mirror.is_some();
        for (i, &y) in positive.iter().enumerate().filter(|_| mirror.is_some()) {
            let expected = if odd { y ^ sign } else { y };
            let wrong = !judges.same(block.results[0][i], expected);
            symmetric &= !wrong;
            tally.asymmetries.add(wrong, || [start + i as u64, 0, 0]);
        }
        // What is the same is judged once.
        match mirror.take().filter(|_| symmetric) {
            Some(own) => tally.merge(&own.mirrored(format, odd)),
            None => judge(judges, block, n, tally),
        }
    }
    Ok(())
}

/// Judges the first n results.
///
/// Where a function rises or falls and its results are all the same, errors are largest at one of the ends; where those are
/// correctly rounded, so are the others.
fn judge(judges: &Judges, block: &Block, n: usize, tally: &mut Tally) {
    let results = &block.results[0][..n];
    let (first, last) = (block.args[0][0], block.args[0][n - 1]);
    let is_number = |bits: u64| !bits::number(bits, judges.format).is_nan();
    let constant = n > 2
        && is_monotone(judges.function, bits::number(first, judges.format), judges.format)
        && is_number(first)
        && is_number(last)
        && results.iter().all(|&r| r == results[0]);
    if constant {
        let near = [first, last].into_iter().all(|x| {
            let r = bits::number(results[0], judges.format);
            let judged = judges.all[0].one(&[bits::number(x, judges.format)], r);
            judged.wrong.is_none() && judged.correct && judged.ulp < 1.0 / super::tally::STEPS as f64
        });
        if near {
            let mut ends = Block { n: 2, ..Block::default() };
            (ends.args[0][0], ends.args[0][1]) = (first, last);
            ends.results[0][..2].fill(results[0]);
            judges.judge(&ends, 0..2, tally, |_, _| {});
            tally.cases += n as u64 - 2;
            tally.add_right(n as u64 - 2);
            return;
        }
    }
    judges.judge(block, 0..n, tally, |_, _| {});
}

/// Whether a function rises or falls from a number on, away from 0, or is NaN there.
fn is_monotone(function: Function, x: f64, format: Format) -> bool {
    // The gamma function rises from 1.46 on; negative numbers of so many digits are integers, its poles.
    let gamma = function == Function::Tgamma && (x >= 2.0 || x <= -((1u64 << (format.p - 1)) as f64));
    gamma || function.trend() != Trend::None
}

/// Whether a function rises from one magnitude to the next; none where it does both.
pub fn rises(function: Function, minus: bool) -> Option<bool> {
    // Of negative numbers in the order of their magnitudes.
    let turned = minus && function.parity() != Parity::Even;
    let trend = function.trend();
    (trend != Trend::None).then_some((trend == Trend::Up) != turned)
}

/// Whether results are in the right order.
pub(super) fn neighbours(judges: &Judges, block: &Block, n: usize, minus: bool, tally: &mut Tally) {
    let Some(rises) = rises(judges.function, minus) else { return };
    let number = |i: usize| bits::number(block.results[0][i], judges.format);
    let mut before = number(0);
    for i in 1..n {
        let after = number(i);
        let wrong = if rises { before > after } else { before < after };
        tally.falls.add(wrong, || [block.args[0][i - 1], 0, 0]);
        before = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Infinity where Gamma overflows, and NaN at its poles, are judged at the ends of a block; a wrong one within is found.
    #[test]
    fn blocks_of_one_result_are_judged_at_their_ends() {
        let format = Format::F32;
        let judges = Judges::new(Function::Tgamma, format);
        let tally = |from: f32, result: f32, planted: Option<f32>| {
            let mut block = Block { n: 1000, ..Block::new() };
            for (i, x) in block.args[0].iter_mut().enumerate().take(1000) {
                *x = u64::from(from.to_bits()) + i as u64;
            }
            block.results[0][..1000].fill(result.to_bits().into());
            if let Some(r) = planted {
                block.results[0][500] = r.to_bits().into();
            }
            let mut tally = Tally::default();
            judge(&judges, &block, 1000, &mut tally);
            (tally.cases, tally.mismatches, tally.not_correctly_rounded, tally.ulp, tally.histogram[0])
        };
        assert_eq!(tally(40.0, f32::INFINITY, None), (1000, 0, 0, 0.0, 1000));
        assert_eq!(tally(-1e8, f32::NAN, None), (1000, 0, 0, 0.0, 1000));
        assert_eq!(tally(40.0, f32::INFINITY, Some(f32::MAX)).1, 1);
        assert_eq!(tally(-1e8, f32::NAN, Some(0.0)).1, 1);
        // Between poles Gamma is a number.
        assert_eq!(tally(-2.5, f32::NAN, None).1, 1000);
        // Elsewhere Gamma does both.
        assert!(is_monotone(Function::Tgamma, 2.0, format) && !is_monotone(Function::Tgamma, 1.0, format));
        assert!(!is_monotone(Function::Tgamma, -1000.0, format) && is_monotone(Function::Exp, -1.0, format));
    }
}
