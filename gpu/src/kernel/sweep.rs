//! Sweeps: the errors of a function of a pair of binary32 for every hi, found on the device by the same function of pairs of
//! binary64.
//!
//! An *evaluation* has a number: its upper bits choose hi, its last four the *phase* of lo, a sixteenth of the range
//! [-ulp(hi) / 2, ulp(hi) / 2), within which a hash of hi chooses. The wider function is good to 2^-100, so what the sweep
//! finds is as exact as a double; whoever asks judges it anew.

use super::text::{dialect, environment};
use crate::device::{Api, Build, Device, Error, Kernel, Program, Source};
use crate::print::{Rare, Unit};
use std::num::Wrapping;
use std::ops::Range;
use vernier::eft::fast_two_sum;
use vernier::function::{Kind as Value, Level, Op, Type, Width};
use vernier::host::Host;
use vernier::machine::{IeeeLimb, Limb, Value as _, Word, WordMachine, exp2};
use vernier_tape::io::Kind;
use vernier_tape::record::{self, F32, F64, Handle, Recording};
use vernier_tape::registry::{self, Function, FunctionId};

/// Evaluations for each hi.
pub const PHASES: u64 = 16;
/// Evaluations of a group, of which the worst is known afterwards.
pub const GROUP: u64 = 1 << 16;
/// Groups in one launch.
pub(super) const LAUNCH: u64 = 1 << 14;

/// hi of these bits, and lo in [-1/2, 1/2) ulp of it, by 23 bits; with the sign that `unit` leaves of hi's bits beside the
/// exponent.
fn pair<M: WordMachine>(bits: M::U32, part: M::U32, unit: u64) -> (M::F32, M::F32) {
    let (lit, limb) = (M::U32::lit, M::F32::lit);
    let hi = M::F32::from_bits(bits);
    let part = M::F32::from_bits(part | lit(0x3f80_0000)) - limb(1.5);
    let ulp = M::F32::from_bits(bits & lit(unit)) * limb(exp2(-23));
    let finite = hi.abs().lt(limb(f64::INFINITY));
    fast_two_sum(hi, M::F32::select(finite, part * ulp, limb(0.0)))
}

/// The operand of an evaluation, where consecutive hi lie `stride` bit patterns apart.
fn operand<M: WordMachine>(evaluation: M::U64, stride: M::U64) -> (M::F32, M::F32) {
    let lit = M::U32::lit;
    let bits = (evaluation.shr(lit(PHASES.ilog2().into())) * stride).to_u32();
    let within = (bits * lit(0x9e37_79b1)).shr(lit(13));
    let phase = (evaluation.to_u32() & lit(PHASES - 1)).shl(lit(19));
    pair::<M>(bits, phase | within, 0x7f80_0000)
}

/// The operand of an evaluation on the host.
pub fn operand_on_host(evaluation: u64, stride: u64) -> (f32, f32) {
    operand::<Host>(Wrapping(evaluation), Wrapping(stride))
}

/// Numbers of 46 digits in their order: hi, and where lo lies in [-ulp(hi) / 2, ulp(hi) / 2) in steps of 2^-22 of that, with
/// hi's sign. Not in order beside powers of two.
fn number<M: WordMachine>(place: M::U64) -> (M::F32, M::F32) {
    let lit = M::U32::lit;
    let bits = place.shr(lit(22)).to_u32();
    let part = (place.to_u32() & lit((1 << 22) - 1)).shl(lit(1));
    pair::<M>(bits, part, 0xff80_0000)
}

/// The number at a place on the host.
pub fn number_on_host(place: u64) -> (f32, f32) {
    number::<Host>(Wrapping(place))
}

/// Whether hi rises, and 2^32 times whether it falls.
fn step<M: WordMachine>(x: (M::F32, M::F32), y: (M::F32, M::F32)) -> M::U64 {
    let one = |m, bit| M::U64::select(m, M::U64::lit(bit), M::U64::lit(0));
    one(x.0.lt(y.0), 1) | one(y.0.lt(x.0), 1 << 32)
}

/// |r - z| in ulp of a pair of binary32, as the upper half of a double's bits; infinite where one is NaN or infinite and the
/// other is not, or of a zero result where z is none.
fn error<M: WordMachine>(r: (M::F32, M::F32), z: (M::F64, M::F64)) -> M::U64 {
    let (lit, word) = (M::F64::lit, M::U64::lit);
    let infinity = lit(f64::INFINITY);
    let (a, b) = vernier::convert::widen::<M>(r);
    let difference = ((a - z.0) + (b - z.1)).abs();
    // The exponent of z, which is one less where lo takes from a power of two; no ulp is below the least subnormal.
    let bits = z.0.abs().bits();
    let power = (bits & word((1 << 52) - 1)).eq(word(0)) & (z.0 * z.1).lt(lit(0.0));
    let field = bits.shr(M::U32::lit(52)) - M::U64::select(power, word(1), word(0));
    let least = word(1023 - 149 + 45);
    let field = M::U64::select(field.lt(least), least, field);
    let scale = M::F64::from_bits((word(2 * 1023 + 45) - field).shl(M::U32::lit(52)));
    let number = difference * scale;
    // From here on hi is rounded to infinity.
    let overflows = lit(exp2(128) - exp2(103)).le(z.0.abs());
    let same = a.eq(z.0)
        | (overflows & a.abs().eq(infinity) & (a.lt(lit(0.0)) & z.0.lt(lit(0.0)) | lit(0.0).lt(a) & lit(0.0).lt(z.0)));
    let both = !a.eq(a) & !z.0.eq(z.0);
    let special = M::F64::select(same | both, lit(0.0), infinity);
    let plain = a.abs().lt(infinity) & number.lt(infinity);
    M::F64::select(plain, number, special).bits() & word(!0 << 32)
}

/// A function of pairs of binary32 and what judges it.
#[derive(Clone, Copy, Debug)]
struct Judged {
    narrow: &'static Function,
    wide: &'static Function,
    widen: &'static Function,
}

/// Whether a function can be swept: it takes and gives one pair of binary32, and exists for pairs of binary64.
fn judged(f: &'static Function) -> Option<Judged> {
    let FunctionId::Of(Type::Pair(Width::F32, level), op) = f.id else { return None };
    let wide = |op| registry::get(FunctionId::Of(Type::Pair(Width::F64, level), op));
    let unary = f.params == [Kind::Pair32] && f.results == [Kind::Pair32];
    let widen = registry::get(FunctionId::Of(Type::Pair(Width::F64, Level::Mid), Op::From(Value::Pair(Width::F32))))?;
    Some(Judged { narrow: f, wide: wide(op)?, widen }).filter(|_| unary)
}

/// Prints what tells the error of a result beside the right value.
pub(super) fn print_error(unit: &mut Unit<'_>) {
    let tape = record::record(|| {
        let r: (F32, F32) = (record::argument(), record::argument());
        let z: (F64, F64) = (record::argument(), record::argument());
        vec![error::<Recording>(r, z).id()]
    });
    unit.tape("vernier_sweep_error", &tape, &[Kind::Pair32, Kind::Pair64], Kind::U64, Rare::Inline);
}

/// A program with the sweep of a function; none for those that cannot be swept.
pub fn sweep_source(api: Api, f: &'static Function) -> Option<Source> {
    let judged = judged(f)?;
    let dialect = &*dialect(api);
    let mut unit = Unit::new(dialect, Rare::Outline, dialect.prelude() + environment(api));
    let tape = record::record(|| {
        let (hi, lo): (F32, F32) = operand::<Recording>(record::argument(), record::argument());
        vec![hi.id(), lo.id()]
    });
    unit.tape("vernier_sweep_operand", &tape, &[Kind::U64; 2], Kind::Pair32, Rare::Inline);
    print_error(&mut unit);
    let tape = record::record(|| {
        let (hi, lo): (F32, F32) = number::<Recording>(record::argument());
        vec![hi.id(), lo.id()]
    });
    unit.tape("vernier_sweep_number", &tape, &[Kind::U64], Kind::Pair32, Rare::Inline);
    let tape = record::record(|| {
        let [x, y]: [(F32, F32); 2] = std::array::from_fn(|_| (record::argument(), record::argument()));
        vec![step::<Recording>(x, y).id()]
    });
    unit.tape("vernier_sweep_step", &tape, &[Kind::Pair32; 2], Kind::U64, Rare::Inline);
    [judged.narrow, judged.wide, judged.widen].into_iter().for_each(|f| unit.function(f, None));
    unit.text += &include_str!("sweep.txt")
        .replace("$narrow", &judged.narrow.name())
        .replace("$widen", &judged.widen.name())
        .replace("$wide", &judged.wide.name())
        .replace("$pair", dialect.kind(Kind::Pair32));
    let extension = if api == Api::Cuda { "cu" } else { "cl" };
    Some(Source::new(format!("sweep_{}.{extension}", f.name()), unit.text))
}

/// The sweep of a function, compiled for a device.
#[derive(Debug)]
pub struct Sweep<'d> {
    device: &'d Device,
    program: Program,
    kernel: Kernel,
    steps: Kernel,
}

/// How often hi rises and falls among the numbers from a place on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// From one to the next.
    pub rises: u64,
    /// From one to the next.
    pub falls: u64,
}

/// The worst evaluation of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// Its number.
    pub evaluation: u64,
    /// The error in ulp, to 20 bits.
    pub ulp: f64,
}

impl Worst {
    /// Of a group's word: the error's upper half, and which evaluation of the group it is.
    pub(super) fn of(group: u64, word: u64) -> Worst {
        Worst { evaluation: group * GROUP + (word & (GROUP - 1)), ulp: f64::from_bits(word & !0 << 32) }
    }
}

impl<'d> Sweep<'d> {
    /// Compiles the sweep of a function; none where it cannot be swept.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn compile(device: &'d Device, f: &'static Function) -> Result<Option<Self>, Error> {
        let Some(source) = sweep_source(device.api(), f) else { return Ok(None) };
        let program = device.compile(&source)?;
        let [kernel, steps] = ["sweep", "steps"].map(|what| program.kernel(&format!("{}_{what}", f.name())));
        Ok(Some(Sweep { device, kernel: kernel?, steps: steps?, program }))
    }

    /// What made the program.
    pub fn build(&self) -> &Build {
        self.program.build()
    }

    /// What hi does from each place on, over so many groups of numbers.
    ///
    /// # Errors
    /// If the device fails.
    pub fn steps(&self, places: &[u64], groups: u32) -> Result<Vec<Steps>, Error> {
        let (n, input) = (places.len() as u32 * groups, self.device.upload(places)?);
        let out = self.device.zeros::<u64>(n as usize)?;
        self.device.launch(&self.steps, n, self.device.group_size(), &[groups.into(), input.arg(), out.arg()])?;
        let words = self.device.download(&out)?;
        let sum = |words: &[u64]| {
            words
                .iter()
                .fold(Steps::default(), |s, w| Steps { rises: s.rises + (w & 0xffff_ffff), falls: s.falls + (w >> 32) })
        };
        Ok(words.chunks(groups as usize).map(sum).collect())
    }

    /// The worst evaluation of each of these groups.
    ///
    /// # Errors
    /// If the device fails.
    pub fn run(&self, groups: Range<u64>, stride: u64) -> Result<Vec<Worst>, Error> {
        let mut all = Vec::new();
        for first in groups.clone().step_by(LAUNCH as usize) {
            let n = LAUNCH.min(groups.end - first);
            let out = self.device.zeros::<u64>(n as usize)?;
            let size = self.device.group_size();
            self.device.launch(&self.kernel, n as u32, size, &[first.into(), stride.into(), out.arg()])?;
            let found = self.device.download(&out)?;
            all.extend((first..).zip(found).map(|(group, word)| Worst::of(group, word)));
        }
        Ok(all)
    }
}
