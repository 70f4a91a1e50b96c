//! Runs of cases on the host, and hashes of their results. The arguments of a run are generated first, then the function is
//! evaluated for each, both in loops that compilers vectorise.

use super::generator::{Cases, RUN_BITS, hashed, with_word};
use super::{BLOCK, Column, RUN, SLOTS};
use crate::io::{Io, Signature};
use crate::mutants::one_nan;
use crate::registry::Function;
use crate::tape::Ty;
use std::num::Wrapping;
use vernier::host::Host;

/// Generates the arguments of one case.
struct Collect<'a> {
    cases: Cases<Host>,
    columns: &'a mut [Column],
    case: usize,
    slot: usize,
}

/// Gives the arguments of one case and takes its results.
pub(crate) struct Lane<'a> {
    args: &'a [Column],
    results: &'a mut [Column],
    case: usize,
    slot: usize,
    out: usize,
}

/// The arguments of a run of cases, a column per slot.
pub(crate) fn generate<S: Signature>(seed: u64, run: u64, columns: &mut [Column; SLOTS]) {
    let seed = Wrapping(seed);
    let classes = Cases::<Host>::classes(seed, Wrapping(run));
    for case in 0..RUN {
        let cases = Cases::in_run(seed, classes, Wrapping(run << RUN_BITS | case as u64));
        S::read::<Host, _>(&mut Collect { cases, columns, case, slot: 0 });
    }
}

/// The results of `f` in the first `n` cases of a run.
#[inline(always)]
pub(crate) fn evaluate(
    args: &[Column; SLOTS],
    results: &mut [Column; SLOTS],
    n: usize,
    f: impl for<'a> Fn(&mut Lane<'a>),
) {
    for case in 0..n.min(RUN) {
        f(&mut Lane { args, results, case, slot: 0, out: 0 });
    }
}

/// The hash of the results of `f` in one block of generated cases: the sum of those of its cases.
pub(crate) fn hash(f: &Function, seed: u64, block: u64) -> u64 {
    let runs = BLOCK / RUN as u64;
    let (mut args, mut results) = ([[0; RUN]; SLOTS], [[0; RUN]; SLOTS]);
    let types: Vec<Ty> = f.tape.results().collect();
    let mut sum = Wrapping(0);
    for run in block * runs..(block + 1) * runs {
        (f.generate)(seed, run, &mut args);
        (f.block)(&args, &mut results, RUN);
        let mut hashes: [_; RUN] = std::array::from_fn(|case| hashed::<Host>(Wrapping(run << RUN_BITS | case as u64)));
        for (&ty, column) in types.iter().zip(&results) {
            let add = |(h, &bits): (&mut _, _)| *h = with_word::<Host>(*h, Wrapping(one_nan(ty, bits)));
            hashes.iter_mut().zip(column).for_each(add);
        }
        sum += hashes.iter().sum::<Wrapping<u64>>();
    }
    sum.0
}

impl Collect<'_> {
    #[inline(always)]
    fn keep(&mut self, bits: u64) {
        self.columns[self.slot][self.case] = bits;
        self.slot += 1;
    }
}

impl Lane<'_> {
    #[inline(always)]
    fn next(&mut self) -> u64 {
        self.slot += 1;
        self.args[self.slot - 1][self.case]
    }
    #[inline(always)]
    fn put(&mut self, bits: u64) {
        self.results[self.out][self.case] = bits;
        self.out += 1;
    }
}

impl Io<Host> for Collect<'_> {
    #[inline(always)]
    fn param(&mut self, kind: crate::io::Kind) {
        self.cases.param(kind);
    }
    #[inline(always)]
    fn f32(&mut self) -> f32 {
        let x = self.cases.f32();
        self.keep(u64::from(x.to_bits()));
        x
    }
    #[inline(always)]
    fn f64(&mut self) -> f64 {
        let x = self.cases.f64();
        self.keep(x.to_bits());
        x
    }
    #[inline(always)]
    fn u32(&mut self) -> Wrapping<u32> {
        let x = self.cases.u32();
        self.keep(u64::from(x.0));
        x
    }
    #[inline(always)]
    fn u64(&mut self) -> Wrapping<u64> {
        let x = self.cases.u64();
        self.keep(x.0);
        x
    }
    #[inline(always)]
    fn truth(&mut self) -> bool {
        let x = self.cases.truth();
        self.keep(u64::from(x));
        x
    }
    fn put_f32(&mut self, _: f32) {}
    fn put_f64(&mut self, _: f64) {}
    fn put_u32(&mut self, _: Wrapping<u32>) {}
    fn put_u64(&mut self, _: Wrapping<u64>) {}
    fn put_truth(&mut self, _: bool) {}
}

impl Io<Host> for Lane<'_> {
    #[inline(always)]
    fn f32(&mut self) -> f32 {
        f32::from_bits(self.next() as u32)
    }
    #[inline(always)]
    fn f64(&mut self) -> f64 {
        f64::from_bits(self.next())
    }
    #[inline(always)]
    fn u32(&mut self) -> Wrapping<u32> {
        Wrapping(self.next() as u32)
    }
    #[inline(always)]
    fn u64(&mut self) -> Wrapping<u64> {
        Wrapping(self.next())
    }
    #[inline(always)]
    fn truth(&mut self) -> bool {
        self.next() & 1 == 1
    }
    #[inline(always)]
    fn put_f32(&mut self, v: f32) {
        self.put(u64::from(v.to_bits()));
    }
    #[inline(always)]
    fn put_f64(&mut self, v: f64) {
        self.put(v.to_bits());
    }
    #[inline(always)]
    fn put_u32(&mut self, v: Wrapping<u32>) {
        self.put(u64::from(v.0));
    }
    #[inline(always)]
    fn put_u64(&mut self, v: Wrapping<u64>) {
        self.put(v.0);
    }
    #[inline(always)]
    fn put_truth(&mut self, v: bool) {
        self.put(u64::from(v));
    }
}
