//! Hashes on the host. The arguments of a run of cases are generated first, in a loop that compilers vectorise, then
//! the function is evaluated for each.

use super::BLOCK;
use super::generator::{Cases, RUN_BITS};
use crate::io::{Io, Kind};
use std::num::Wrapping;
use vernier::host::Host;

/// Cases in a run.
const RUN: usize = 1 << RUN_BITS;
/// The most slots that arguments have.
const SLOTS: usize = 12;

/// Bit patterns by slot, then case.
type Arguments = [[u64; RUN]; SLOTS];

/// Generates the arguments of one case and keeps them.
pub(crate) struct Collect<'a> {
    cases: Cases<Host>,
    kept: &'a mut Arguments,
    case: usize,
    slot: usize,
}

/// Gives the arguments of one case back and hashes its results.
pub(crate) struct Replay<'a> {
    cases: Cases<Host>,
    kept: &'a Arguments,
    case: usize,
    slot: usize,
}

/// The hash of one block of cases; `arguments` only reads arguments, `f` reads them and puts results.
#[inline(always)]
pub(crate) fn hash(
    seed: u64,
    block: u64,
    arguments: impl for<'a> Fn(&mut Collect<'a>),
    f: impl for<'a> Fn(&mut Replay<'a>),
) -> u64 {
    let (seed, runs) = (Wrapping(seed), BLOCK / RUN as u64);
    let mut kept = [[0; RUN]; SLOTS];
    let mut sum = 0u64;
    for run in block * runs..(block + 1) * runs {
        let classes = Cases::<Host>::classes(seed, Wrapping(run));
        let cases = |case: usize| Cases::in_run(seed, classes, Wrapping(run << RUN_BITS | case as u64));
        for case in 0..RUN {
            arguments(&mut Collect { cases: cases(case), kept: &mut kept, case, slot: 0 });
        }
        for case in 0..RUN {
            let mut replay = Replay { cases: cases(case), kept: &kept, case, slot: 0 };
            f(&mut replay);
            sum = sum.wrapping_add(replay.cases.hash().0);
        }
    }
    sum
}

impl Collect<'_> {
    #[inline(always)]
    fn keep(&mut self, bits: u64) {
        self.kept[self.slot][self.case] = bits;
        self.slot += 1;
    }
}

impl Replay<'_> {
    #[inline(always)]
    fn next(&mut self) -> u64 {
        self.slot += 1;
        self.kept[self.slot - 1][self.case]
    }
}

impl Io<Host> for Collect<'_> {
    #[inline(always)]
    fn param(&mut self, kind: Kind) {
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

impl Io<Host> for Replay<'_> {
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
        self.next() == 1
    }
    #[inline(always)]
    fn put_f32(&mut self, v: f32) {
        self.cases.put_f32(v);
    }
    #[inline(always)]
    fn put_f64(&mut self, v: f64) {
        self.cases.put_f64(v);
    }
    #[inline(always)]
    fn put_u32(&mut self, v: Wrapping<u32>) {
        self.cases.put_u32(v);
    }
    #[inline(always)]
    fn put_u64(&mut self, v: Wrapping<u64>) {
        self.cases.put_u64(v);
    }
    #[inline(always)]
    fn put_truth(&mut self, v: bool) {
        self.cases.put_truth(v);
    }
}
