//! Every input of a function of one number.

use super::callee::{Block, Callee, Judges};
use super::{Function, Parity, Tally, Trend, bits};
use crate::format::Format;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Magnitudes of a piece of work; the next one stands behind them, for the comparison of neighbours.
const PIECE: u64 = Block::MOST as u64 - 1;

/// Pieces between two looks at what was found.
const BATCH: u64 = 1024;

/// One piece in so many is called twice.
const TWICE: u64 = 16;

/// A run over every input, or a part of them; and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exhaustive {
    /// Which part, of how many, from 1.
    part: [u64; 2],
    /// Pieces that are done, or another part's.
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
        self.next as f64 / pieces(format) as f64
    }

    /// Tries some more inputs; whether there are others left.
    ///
    /// # Errors
    /// The callee's fault, of the inputs that come first.
    pub fn step<C: Callee>(&mut self, callee: &C, function: Function, format: Format) -> Result<bool, C::Fault> {
        let judges = Judges::new(function, format);
        let end = (self.next + BATCH * self.part[1]).min(pieces(format));
        let mine: Vec<u64> = (self.next..end).filter(|k| k % self.part[1] == self.part[0] - 1).collect();
        let done: Vec<Result<Tally, C::Fault>> = mine
            .par_chunks(16)
            .map_init(Scratch::default, |scratch, chunk| {
                let mut tally = Tally::default();
                for &k in chunk {
                    piece(callee, &judges, k, scratch, &mut tally)?;
                }
                Ok(tally)
            })
            .collect();
        for tally in done {
            self.tally.merge(&tally?);
        }
        self.next = end;
        Ok(end < pieces(format))
    }
}

/// Magnitudes: those of half the encodings.
fn magnitudes(format: Format) -> u64 {
    bits::sign(format)
}

fn pieces(format: Format) -> u64 {
    magnitudes(format).div_ceil(PIECE)
}

#[derive(Default)]
struct Scratch {
    block: Block,
    positive: Vec<u64>,
}

/// Magnitudes from k [`PIECE`] on, with both signs.
fn piece<C: Callee>(
    callee: &C,
    judges: &Judges,
    k: u64,
    scratch: &mut Scratch,
    tally: &mut Tally,
) -> Result<(), C::Fault> {
    let (function, format) = (judges.function, judges.format);
    let Scratch { block, positive } = scratch;
    let start = k * PIECE;
    let all = (magnitudes(format) - start).min(PIECE + 1) as usize;
    let n = all.min(PIECE as usize);
    let mut mirror = None;
    for sign in [0, bits::sign(format)] {
        block.n = all;
        for (x, m) in block.args[0].iter_mut().zip(start..start + all as u64) {
            *x = m | sign;
        }
        callee.call(block, k.is_multiple_of(TWICE))?;
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
        && judges.function.trend() != Trend::None
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
            judges.judge(&ends, 2, tally, |_, _| {});
            tally.cases += n as u64 - 2;
            tally.add_right(n as u64 - 2);
            return;
        }
    }
    judges.judge(block, n, tally, |_, _| {});
}

/// Whether results are in the right order.
pub(super) fn neighbours(judges: &Judges, block: &Block, n: usize, minus: bool, tally: &mut Tally) {
    // Of negative numbers in the order of their magnitudes.
    let turned = minus && judges.function.parity() != Parity::Even;
    let rises = match judges.function.trend() {
        Trend::None => return,
        trend => (trend == Trend::Up) != turned,
    };
    let number = |i: usize| bits::number(block.results[0][i], judges.format);
    let mut before = number(0);
    for i in 1..n {
        let after = number(i);
        let wrong = if rises { before > after } else { before < after };
        tally.falls.add(wrong, || [block.args[0][i - 1], 0, 0]);
        before = after;
    }
}
