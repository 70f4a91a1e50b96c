//! Throughput of mathematical functions.
//!
//! Each thread evaluates a function for operands from a counter and folds all results into one word, so that compilers
//! can leave nothing out. The same loop around the operands alone is the *overhead*: the *net* time of an evaluation is
//! the time above it. Operands and folds are written once, recorded, and printed; the host computes the same words.

use super::speed::{Effort, Place, compiled, rounds_for, shape, warm_up};
use super::text::environment;
use super::{Timing, time};
use crate::device::{Api, Arg, Device, Error, Kernel, Resources, Source};
use crate::kernel::{arguments, dialect, from_bits, signature};
use crate::print::{Rare, Unit};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::Wrapping;
use std::ops::Range;
use vernier::function::{Level, Math, Op, Type, Width};
use vernier::host::Host;
use vernier::machine::{Word, WordMachine, join};
use vernier_tape::io::Kind;
use vernier_tape::record::{self, Handle, Recording};
use vernier_tape::registry::{self, Function, FunctionId};
use vernier_tape::tape::Ty;

/// Where the operands of a function lie; integers in [-20, 20].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Whether pairs have both signs.
    pub signed: bool,
    /// The exponents of pairs: [-8, 24) is magnitudes in [2^-8, 2^24). Those of lo are up to 55 below.
    pub exponents: Range<i32>,
}

impl Domain {
    /// What kernels take of it, for this width: compilers do not know it.
    fn parameters(&self, width: Width) -> [u32; 5] {
        let bias = if width == Width::F32 { 127 } else { 1023 };
        [
            u32::from(self.signed) << 31,
            (self.exponents.start + bias) as u32,
            self.exponents.len() as u32,
            -20i32 as u32,
            41,
        ]
    }
}

/// The speed of one function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionRow {
    /// The type, without a level: all levels share a function.
    pub family: String,
    /// The function.
    pub op: String,
    /// Evaluations a second on the whole device, operands and fold included.
    pub per_second: f64,
    /// (longest - shortest) / median of the launches.
    pub spread: f64,
    /// The same where operands are folded alone.
    pub overhead_per_second: f64,
    /// Evaluations a second in the time above the overhead; none where that is less than a twentieth of it.
    pub net_per_second: Option<f64>,
    /// What a thread takes.
    pub resources: Option<Resources>,
    /// Whether first and last thread have the host's words, with the function and without.
    pub host_bits: bool,
}

/// Every mathematical function at every width.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    let at = |width, &f| registry::get(FunctionId::Of(Type::Pair(width, Level::Mid), Op::Math(f)));
    Width::ALL.into_iter().flat_map(move |width| Math::ALL.iter().filter_map(move |f| at(width, f)))
}

/// The bit patterns of argument number `place` of thread t in round i. A word of the counter is mixed once; the words that
/// the operand takes are its products with odd numbers, of which the high bits are good.
fn operand<M: WordMachine>(
    kind: Kind,
    place: u64,
    [t, i, signs, bottom, exponents, least, integers]: [M::U32; 7],
) -> Vec<M::U64> {
    let lit = M::U32::lit;
    let below = |word: M::U32, n: M::U32| (word.shr(lit(16)) * n).shr(lit(16));
    let x = t * lit(0x85eb_ca6b) + i * lit(0x9e37_79b9) + lit((place * 0x6c07_8965) & 0xffff_ffff);
    let x = (x ^ x.shr(lit(16))) * lit(0x7feb_352d);
    let x = x ^ x.shr(lit(15));
    let [a, b, c, d] = [0x846c_a68b, 0xc2b2_ae35, 0x27d4_eb2f, 0x1656_67b1].map(|odd| x * lit(odd));
    // The word with sign, exponent and the fraction's first bits of a limb.
    let head = |word: M::U32, signs, exponent: M::U32, bits: u64| {
        (word & signs) | exponent.shl(lit(bits)) | (word.shr(lit(31 - bits)) & lit((1 << bits) - 1))
    };
    let (exponent, both) = (bottom + below(x, exponents), lit(1 << 31));
    match kind {
        // lo is less than half an ulp of hi, even below a power of two.
        Kind::Pair32 => [head(a, signs, exponent, 23), head(b, both, exponent - lit(26), 23)].map(Word::to_u64).into(),
        Kind::Pair64 => {
            let low = exponent - lit(55);
            vec![join::<M>(head(a, signs, exponent, 20), c), join::<M>(head(b, both, low, 20), d)]
        }
        Kind::U32 | Kind::U64 => vec![join::<M>(b, a)],
        _ => {
            let n = least + below(a, integers);
            vec![join::<M>(n.sar(lit(31)), n)]
        }
    }
}

/// All slots in one word, every second one with its halves exchanged.
fn folded<M: WordMachine>(slots: impl IntoIterator<Item = M::U64>) -> M::U64 {
    let half = M::U32::lit(32);
    let turned = |(k, x): (usize, M::U64)| if k % 2 == 0 { x } else { x.shl(half) | x.shr(half) };
    slots.into_iter().enumerate().map(turned).fold(M::U64::lit(0), |sum, x| sum ^ x)
}

/// What thread `t` leaves after so many rounds, with the function and without.
fn on_host(f: &Function, parameters: [u32; 5], t: u32, rounds: u32) -> [u64; 2] {
    let mut columns = vec![Vec::new(); f.tape.args.len()];
    let mut without = 0;
    for i in 0..rounds {
        let [a, b, c, d, e] = parameters;
        let words = [t, i, a, b, c, d, e].map(Wrapping);
        let mut columns = columns.iter_mut();
        for (place, &kind) in f.params.iter().enumerate() {
            let slots = operand::<Host>(kind, place as u64, words);
            // An integer of 32 bits is held in as many.
            let slots = slots
                .into_iter()
                .zip(kind.slots())
                .map(|(x, &ty)| if ty == Ty::U32 { x & Wrapping(u32::MAX.into()) } else { x });
            let slots: Vec<_> = slots.collect();
            columns.by_ref().zip(&slots).for_each(|(column, x)| column.push(x.0));
            without ^= folded::<Host>(slots).0;
        }
    }
    let results = f.evaluate(&columns);
    let at = |i: usize| folded::<Host>(results.iter().map(|column| Wrapping(column[i]))).0;
    [(0..rounds as usize).fold(0, |sum, i| sum ^ at(i)), without]
}

/// The program of functions with the same arguments: a kernel for each, and one for the overhead.
pub fn function_source(api: Api, list: &[&Function], rare: Rare) -> Source {
    let dialect = &*dialect(api);
    let mut unit = Unit::new(dialect, rare, dialect.prelude() + &environment(api));
    let name = |kind: Kind| signature(&[kind]);
    let params = list.first().map_or(&[][..], |f| &f.params);
    let (mut operands, mut names, mut copied) = (String::new(), Vec::new(), Vec::new());
    for (place, &kind) in params.iter().enumerate() {
        let tape = record::record(|| {
            let words = std::array::from_fn(|_| record::argument());
            let slots = operand::<Recording>(kind, place as u64, words);
            kind.slots().iter().zip(slots).map(|(&ty, bits)| from_bits(ty, bits)).collect()
        });
        let call = format!("bench_operand_{place}");
        unit.tape(&call, &tape, &[Kind::U32; 7], kind, Rare::Inline);
        let (ty, words) = (dialect.kind(kind), "t, i, signs, bottom, exponents, least, integers");
        let _ = writeln!(operands, "        const {ty} x{place} = {call}({words});");
        names.push(format!("x{place}"));
        copied.push(format!("bench_folded_{}(x{place})", name(kind)));
    }
    for &kind in params.iter().chain(list.iter().map(|f| &f.results[0])) {
        let call = format!("bench_folded_{}", name(kind));
        if unit.missing(&call) {
            let slots = || arguments(kind).iter().map(|slot| slot.bits()).collect::<Vec<_>>();
            let tape = record::record(|| vec![folded::<Recording>(slots()).id()]);
            unit.tape(&call, &tape, &[kind], Kind::U64, Rare::Inline);
        }
    }
    let kernel = |name: &str, what: &str, folded: &str| {
        let text = include_str!("functions.txt").replace("$name", name).replace("$what", what);
        text.replace("$operands", &operands).replace("$folded", folded)
    };
    unit.text += &kernel(OVERHEAD, "nothing", &copied.join(" ^ "));
    for f in list {
        unit.function(f, None);
        let folded = format!("bench_folded_{}({}({}))", name(f.results[0]), f.name(), names.join(", "));
        unit.text += &kernel(&kernel_name(f), &f.name(), &folded);
    }
    Source::new(if api == Api::Cuda { "functions.cu" } else { "functions.cl" }, unit.text)
}

const OVERHEAD: &str = "bench_overhead";

fn kernel_name(f: &Function) -> String {
    format!("bench_{}", f.name())
}

/// Functions that are compiled together.
const PART: usize = 8;
/// Rounds that are compared with the host's.
const COMPARED: u32 = 256;

/// Measures these mathematical functions, on operands of the domain of each.
///
/// # Errors
/// If the device fails.
pub fn functions_on(
    device: &Device,
    list: &[&Function],
    domain: impl Fn(Math) -> Domain,
    effort: Effort,
    rare: Rare,
) -> Result<Vec<FunctionRow>, Error> {
    let mut alike: BTreeMap<&[Kind], Vec<&Function>> = BTreeMap::new();
    list.iter().for_each(|f| alike.entry(&f.params).or_default().push(f));
    let parts: Vec<&[&Function]> = alike.values().flat_map(|functions| functions.chunks(PART)).collect();
    let programs = compiled(device, &parts, |part| function_source(device.api(), part, rare))?;
    let mut rows = BTreeMap::new();
    for (part, program) in parts.iter().zip(&programs) {
        let overhead = program.kernel(OVERHEAD)?;
        let measured = |kernel: &Kernel, f: &Function, which| {
            let FunctionId::Of(ty, Op::Math(function)) = f.id else {
                let problem = format!("{} is no mathematical function", f.id);
                return Err(Error::Arguments { kernel: kernel.name().into(), problem });
            };
            measure(device, kernel, f, domain(function).parameters(ty.width()), effort, which)
        };
        let copied = || measured(&overhead, part[0], WITHOUT);
        if rows.is_empty() {
            warm_up(effort, || copied().map(drop))?;
        }
        let copied = copied()?;
        for f in *part {
            let kernel = program.kernel(&kernel_name(f))?;
            let with = measured(&kernel, f, WITH)?;
            rows.insert(f.id, row(f, &kernel, &with, &copied));
        }
    }
    Ok(list.iter().filter_map(|f| rows.remove(&f.id)).collect())
}

/// The places of the words that [`on_host`] gives.
const WITH: usize = 0;
const WITHOUT: usize = 1;

struct Measured {
    timing: Timing,
    evaluations: f64,
    /// Whether first and last thread have the host's words.
    host_bits: bool,
}

/// `which` of the host's words are those of the kernel.
fn measure(
    device: &Device,
    kernel: &Kernel,
    f: &Function,
    parameters: [u32; 5],
    effort: Effort,
    which: usize,
) -> Result<Measured, Error> {
    let (groups, size) = shape(device, kernel, Place::Everywhere);
    let out = device.zeros::<u64>(groups as usize * size as usize)?;
    let launch = |rounds: u32| {
        let words = std::iter::once(rounds).chain(parameters).map(Arg::from);
        let args: Vec<Arg<'_>> = words.chain([out.arg()]).collect();
        device.launch(kernel, groups, size, &args)
    };
    launch(COMPARED)?;
    let words = device.download(&out)?;
    let last = words.len() - 1;
    let host_bits = [0, last].into_iter().all(|t| words[t] == on_host(f, parameters, t as u32, COMPARED)[which]);
    let rounds = rounds_for(device, effort.launch, launch)?;
    let timing = time(device, effort.launches, || launch(rounds))?;
    Ok(Measured { timing, evaluations: words.len() as f64 * f64::from(rounds), host_bits })
}

fn row(f: &Function, kernel: &Kernel, measured: &Measured, copied: &Measured) -> FunctionRow {
    let [whole, overhead] = [measured, copied].map(|m| m.timing.median / m.evaluations);
    let net = whole - overhead;
    FunctionRow {
        family: f.id.family().into(),
        op: f.id.op_name(),
        per_second: 1.0 / whole,
        spread: measured.timing.spread(),
        overhead_per_second: 1.0 / overhead,
        net_per_second: (net > overhead / 20.0).then(|| 1.0 / net),
        resources: kernel.resources(),
        host_bits: measured.host_bits && copied.host_bits,
    }
}
