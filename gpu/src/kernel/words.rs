//! Words: the normal variables of all words of 32 bits.
//!
//! Each is judged by the quantile of pairs of binary64 at (k + 1/2) / 2^32, which a double holds; is to be finite, opposite to that
//! of !k, and below that of k + 1.

use super::sweep::{self, LAUNCH, Worst};
use super::text::{dialect, environment};
use crate::device::{Api, Build, Device, Error, Kernel, Program, Source};
use crate::print::{Rare, Unit};
use std::num::Wrapping;
use std::ops::Range;
use vernier::function::{Math, Op, Type, Width};
use vernier::host::Host;
use vernier::machine::{IeeeLimb, Limb, Value, Word, WordMachine, exp2};
use vernier_tape::io::Kind;
use vernier_tape::record::{self, F32, Handle, Recording, U32};
use vernier_tape::registry::{self, Function, FunctionId};

/// A pair of 32-bit limbs.
type Pair<M> = (<M as WordMachine>::F32, <M as WordMachine>::F32);

/// (k + 1/2) / 2^32.
fn middle<M: WordMachine>(k: M::U32) -> (M::F64, M::F64) {
    let (lit, unit) = (M::F64::lit, exp2(52));
    let k = M::F64::from_bits(k.to_u64() | lit(unit).bits()) - lit(unit);
    ((k + lit(0.5)) * lit(exp2(-32)), lit(0.0))
}

/// 1 where the result of k is not finite, not opposite to that of !k, or not below that of k + 1; else 0.
fn broken<M: WordMachine>(k: M::U32, r: Pair<M>, opposite: Pair<M>, next: Pair<M>) -> M::U64 {
    let finite = r.0.abs().lt(M::F32::lit(f64::INFINITY));
    let mirrored = r.0.eq(-opposite.0) & r.1.eq(-opposite.1);
    let below = r.0.lt(next.0) | (r.0.eq(next.0) & r.1.lt(next.1)) | k.eq(M::U32::lit(u64::from(u32::MAX)));
    M::U64::select(finite & mirrored & below, M::U64::lit(0), M::U64::lit(1))
}

/// Whether the result of k breaks a rule, on the host.
pub fn is_broken(k: u32, r: (f32, f32), opposite: (f32, f32), next: (f32, f32)) -> bool {
    broken::<Host>(Wrapping(k), r, opposite, next).0 != 0
}

/// A program that judges icdf of pairs of binary32; none for other functions.
fn words_source(api: Api, f: &'static Function) -> Option<Source> {
    let FunctionId::Of(Type::Pair(Width::F32, level), Op::Math(Math::icdf)) = f.id else { return None };
    let wide = registry::get(FunctionId::Of(Type::Pair(Width::F64, level), Op::Math(Math::normcdfinv)))?;
    let dialect = &*dialect(api);
    let mut unit = Unit::new(dialect, Rare::Outline, dialect.prelude() + environment(api));
    sweep::print_error(&mut unit);
    let tape = record::record(|| {
        let (hi, lo) = middle::<Recording>(record::argument());
        vec![hi.id(), lo.id()]
    });
    unit.tape("vernier_words_middle", &tape, &[Kind::U32], Kind::Pair64, Rare::Inline);
    let tape = record::record(|| {
        let k: U32 = record::argument();
        let [r, opposite, next]: [(F32, F32); 3] = std::array::from_fn(|_| (record::argument(), record::argument()));
        vec![broken::<Recording>(k, r, opposite, next).id()]
    });
    let params = [Kind::U32, Kind::Pair32, Kind::Pair32, Kind::Pair32];
    unit.tape("vernier_words_broken", &tape, &params, Kind::U64, Rare::Inline);
    [f, wide].into_iter().for_each(|f| unit.function(f, None));
    unit.text += &include_str!("words.txt")
        .replace("$narrow", &f.name())
        .replace("$wide", &wide.name())
        .replace("$pair", dialect.kind(Kind::Pair32));
    let extension = if api == Api::Cuda { "cu" } else { "cl" };
    Some(Source::new(format!("words_{}.{extension}", f.name()), unit.text))
}

/// What judges all words, compiled for a device.
#[derive(Debug)]
pub struct Words<'d> {
    device: &'d Device,
    program: Program,
    kernel: Kernel,
}

/// Of a group of words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// Where the error is largest; evaluation i is of word i times the stride.
    pub worst: Worst,
    /// Words that break a rule.
    pub broken: u64,
}

impl<'d> Words<'d> {
    /// Compiles it for icdf of pairs of binary32; none for other functions.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn compile(device: &'d Device, f: &'static Function) -> Result<Option<Self>, Error> {
        let Some(source) = words_source(device.api(), f) else { return Ok(None) };
        let program = device.compile(&source)?;
        let kernel = program.kernel(&format!("{}_words", f.name()))?;
        Ok(Some(Words { device, kernel, program }))
    }

    /// What made the program.
    pub fn build(&self) -> &Build {
        self.program.build()
    }

    /// Judges groups of 2^16 words that lie `stride` apart.
    ///
    /// # Errors
    /// If the device fails.
    pub fn run(&self, groups: Range<u64>, stride: u64) -> Result<Vec<Group>, Error> {
        let mut all = Vec::new();
        for first in groups.clone().step_by(LAUNCH as usize) {
            let n = LAUNCH.min(groups.end - first);
            let [worst, broken] = [(); 2].map(|()| self.device.zeros::<u64>(n as usize));
            let (worst, broken) = (worst?, broken?);
            let args = [first.into(), stride.into(), worst.arg(), broken.arg()];
            self.device.launch(&self.kernel, n as u32, self.device.group_size(), &args)?;
            let found = self.device.download(&worst)?.into_iter().zip(self.device.download(&broken)?);
            let group = |(group, (word, broken))| Group { worst: Worst::of(group, word), broken };
            all.extend((first..).zip(found).map(group));
        }
        Ok(all)
    }
}
