//! Somebody's function of numbers, a block at a time.

use super::region::{Region, Sampling};
use super::{Case, Function, Judge, Tally, bits, place_of};
use crate::format::Format;
use std::ops::Range;

/// Inputs and results of up to [`Block::MOST`] calls, as bits of their format; an integer result as those of 64 bits.
#[derive(Clone, Debug)]
pub struct Block {
    /// Number of calls.
    pub n: usize,
    /// Arguments, one list for each place.
    pub args: [Vec<u64>; 3],
    /// Results likewise; of binary128 the high words, and the low ones.
    pub results: [Vec<u64>; 2],
}

impl Block {
    /// The most calls.
    pub const MOST: usize = 4096;

    /// Room for the most calls, and none yet.
    pub fn new() -> Block {
        Block { n: 0, args: [(); 3].map(|()| vec![0; Block::MOST]), results: [(); 2].map(|()| vec![0; Block::MOST]) }
    }

    /// The arguments of a call.
    pub fn input(&self, i: usize) -> [u64; 3] {
        [self.args[0][i], self.args[1][i], self.args[2][i]]
    }
}

impl Default for Block {
    fn default() -> Block {
        Block::new()
    }
}

/// Somebody's function.
pub trait Callee: Sync {
    /// What it can do in place of returning.
    type Fault: Send;

    /// Computes the results of a block; where it is asked, twice, to see whether it gives the same again.
    ///
    /// # Errors
    /// If a call does not return, or returns something else the second time.
    fn call(&self, block: &mut Block, twice: bool) -> Result<(), Self::Fault>;

    /// Magnitudes of a function of one number, of both signs, judged where they are computed; none where only the caller can judge.
    fn span(&self, magnitudes: Range<u64>) -> Option<Result<Found, Self::Fault>> {
        let _ = magnitudes;
        None
    }

    /// Samples of regions, likewise.
    fn survey(&self, regions: &[Region], sampling: &Sampling) -> Option<Result<Found, Self::Fault>> {
        let _ = (regions, sampling);
        None
    }
}

/// What somebody found who judges where results are computed.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What was decided.
    pub tally: Tally,
    /// The largest error of each region, and where.
    pub worst: Vec<(f64, [i64; 3])>,
    /// What the caller is to judge: the region, and the number of its input; or 0, and the bits of the input.
    pub open: Vec<(usize, u64)>,
    /// Inputs that were neither judged nor are left to the caller.
    pub left_out: u64,
}

/// A function in a format, and its judges.
pub(super) struct Judges {
    pub function: Function,
    pub format: Format,
    pub all: Vec<Judge>,
}

impl Judges {
    pub fn new(function: Function, format: Format) -> Judges {
        let all = function.values().into_iter().map(|v| Judge::new(v, function.arity(), format)).collect();
        Judges { function, format, all }
    }

    /// Judges some results of a block; `each` is told of the errors.
    pub fn judge(&self, block: &Block, some: Range<usize>, tally: &mut Tally, mut each: impl FnMut(usize, f64)) {
        tally.cases += some.len() as u64;
        let columns = [0, 1, 2].map(|k| &block.args[k][some.clone()]);
        for (which, judge) in self.all.iter().enumerate() {
            let results = &block.results[which][some.clone()];
            judge.all(self.format, &columns, [results, &block.results[1][some.clone()]], |i, judged| {
                let case = || {
                    let mut args = block.input(some.start + i);
                    args[self.function.arity()..].fill(0);
                    Case { args, result: results[i], which }
                };
                tally.add(judged, place_of(columns[0][i], self.format), case);
                each(some.start + i, if judged.wrong.is_some() { f64::INFINITY } else { judged.ulp });
            });
        }
    }

    /// Whether two results are the same, NaN being one.
    pub fn same(&self, a: u64, b: u64) -> bool {
        a == b || (bits::number(a, self.format).is_nan() && bits::number(b, self.format).is_nan())
    }
}
