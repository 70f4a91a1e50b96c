//! The judge of numbers on a device: a module of its own, whatever options the candidate is compiled with, that reads arguments and results
//! from memory and leaves a record a group.
//!
//! What decides is handed over as tapes ([`Rules`]), and is the host's judge: so are the verdicts.

use super::text::{dialect, environment};
use crate::device::{Api, Buffer, Build, Device, Error, Kernel, Program, Source};
use crate::expression::Evaluator;
use crate::print::{Rare, Unit};
use std::ops::Range;
use vernier_tape::io::Kind;
use vernier_tape::registry::Function;
use vernier_tape::tape::Tape;

/// Inputs of a group at most.
pub const GROUP: u64 = 1 << 14;
/// Inputs in one launch at most.
pub const LAUNCH: u64 = 1 << 24;
/// Words of a record before the histogram.
const HEAD: usize = 7;
/// Undecided inputs that a record names.
pub const ROOM: usize = 128;

/// A function of pairs, and the verdict that its value says of a result's bits.
#[derive(Debug)]
pub struct Rule {
    /// The function.
    pub function: &'static Function,
    /// Its argument from the bits of a number.
    pub argument: Tape,
    /// The verdict, of a pair and the bits of a result.
    pub verdict: Tape,
}

/// How results are judged.
#[derive(Debug)]
pub struct Rules {
    /// By pairs of binary32, asked first.
    pub single: Option<Rule>,
    /// By pairs of binary64.
    pub wide: Rule,
    /// Number of arguments.
    pub arity: usize,
    /// A place that is drawn, of key, number, argument, least place and number of places.
    pub draw: Tape,
    /// The bits of the number at a place.
    pub encoded: Tape,
    /// The step of the histogram of a verdict.
    pub bin: Tape,
    /// Steps of the histogram.
    pub bins: usize,
    /// How the bits of two results lie.
    pub relation: Tape,
}

/// The module's source.
pub fn judge_source(api: Api, rules: &Rules) -> Source {
    let dialect = &*dialect(api);
    let mut unit = Unit::new(dialect, Rare::Outline, dialect.prelude() + environment(api));
    let all = [("single", Kind::Pair32, rules.single.as_ref()), ("wide", Kind::Pair64, Some(&rules.wide))];
    for (name, pair, rule) in all {
        let Some(rule) = rule else { continue };
        unit.function(rule.function, None);
        unit.tape(&format!("vernier_argument_{name}"), &rule.argument, &[Kind::U64], pair, Rare::Inline);
        unit.tape(&format!("vernier_verdict_{name}"), &rule.verdict, &[pair, Kind::U64], Kind::U64, Rare::Inline);
    }
    let words = [
        ("vernier_draw", &rules.draw, 5, Kind::U64),
        ("vernier_encoded", &rules.encoded, 1, Kind::U64),
        ("vernier_bin", &rules.bin, 1, Kind::U32),
        ("vernier_relation", &rules.relation, 2, Kind::U64),
    ];
    for (name, tape, n, result) in words {
        unit.tape(name, tape, &vec![Kind::U64; n], result, Rare::Inline);
    }
    let arguments = |width: &str| {
        let list = ["x", "y", "z"].iter().take(rules.arity);
        list.map(|x| format!("vernier_argument_{width}({x})")).collect::<Vec<_>>().join(", ")
    };
    let mut text = include_str!("judge.txt")
        .replace("$qualifier", dialect.noinline())
        .replace("$wide_arguments", &arguments("wide"))
        .replace("$wide", &rules.wide.function.name())
        .replace("$record", &record(rules.bins).to_string())
        .replace("$bins", &rules.bins.to_string())
        .replace("$room", &ROOM.to_string())
        .replace("$head", &HEAD.to_string())
        .replace("$infinity", "((vernier_u64)0x7ff << 52)");
    // In front of the kernels, behind what it calls.
    let first = match &rules.single {
        None => String::new(),
        Some(rule) => format!(
            "    const vernier_u64 verdict = vernier_verdict_single({}({}), r);\n    if (verdict != ~(vernier_u64)0) return verdict;\n",
            rule.function.name(),
            arguments("single")
        ),
    };
    let verdict = format!(
        "\n{} vernier_u64 vernier_verdict(vernier_u64 x, vernier_u64 y, vernier_u64 z, vernier_u64 r)\n{{\n{first}    return vernier_verdict_longer(x, y, z, r);\n}}\n",
        dialect.inline()
    );
    let end = text.find("}\n").map_or(0, |i| i + 2);
    text.insert_str(end, &verdict);
    unit.text += &text;
    let extension = if api == Api::Cuda { "cu" } else { "cl" };
    Source::new(format!("judge_{}.{extension}", rules.wide.function.name()), unit.text)
}

fn record(bins: usize) -> usize {
    HEAD + bins + ROOM
}

/// The module on a device.
#[derive(Debug)]
pub struct Judge {
    sequence: Kernel,
    samples: Kernel,
    judge: Kernel,
    relations: Kernel,
    program: Program,
    bins: usize,
    arity: usize,
}

/// What a group found. Places are those of its launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The largest error as the bits of a double, with its place and result.
    pub worst: Option<(u64, u64, u64)>,
    /// Wrong special values.
    pub wrong: u64,
    /// The first: its place, its kind and the result.
    pub first_wrong: Option<(u64, u64, u64)>,
    /// Undecided results.
    pub undecided: u64,
    /// The places of as many as there was room for, in order.
    pub open: Vec<u64>,
    /// The histogram.
    pub bins: Vec<u64>,
}

/// Results that are compared with others.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// The first.
    pub begin: u32,
    /// How many.
    pub n: u32,
    /// How far the other one is.
    pub distance: u32,
    /// Bits that are turned in the first.
    pub flip: u64,
    /// What counts.
    pub wrong: u64,
}

/// Inputs in the memory of a device, and results.
#[derive(Debug)]
pub struct Columns {
    args: Vec<Buffer<u64>>,
    results: Buffer<u64>,
    n: usize,
}

impl Judge {
    /// Compiles the module.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn compile(device: &Device, rules: &Rules) -> Result<Judge, Error> {
        let program = device.compile(&judge_source(device.api(), rules))?;
        let kernel = |name: &str| program.kernel(&format!("vernier_{name}"));
        let (sequence, samples, judge) = (kernel("sequence")?, kernel("samples")?, kernel("judge")?);
        let relations = kernel("relations")?;
        Ok(Judge { sequence, samples, judge, relations, program, bins: rules.bins, arity: rules.arity })
    }

    /// What made it.
    pub fn build(&self) -> &Build {
        self.program.build()
    }

    fn columns(&self, device: &Device, n: usize) -> Result<Columns, Error> {
        let args = (0..self.arity).map(|_| device.zeros(n)).collect::<Result<_, _>>()?;
        Ok(Columns { args, results: device.zeros(n)?, n })
    }

    /// The results of the numbers from `first` on, and behind them of the same with the sign.
    ///
    /// # Errors
    /// If the device fails.
    pub fn sequence(&self, f: &Evaluator, first: u64, half: u64, sign: u64) -> Result<Columns, Error> {
        let device = f.device();
        let columns = self.columns(device, 2 * half as usize)?;
        let list = [(2 * half).into(), half.into(), first.into(), sign.into(), columns.args[0].arg()];
        super::launch_items(device, &self.sequence, columns.n, &list)?;
        columns.evaluated(f)
    }

    /// The results of the inputs of regions, `each` a region. A region is its key, the least places, the numbers of places, and twice how
    /// many inputs it has, odd where these are all.
    ///
    /// # Errors
    /// If the device fails.
    pub fn samples(&self, f: &Evaluator, regions: &[[u64; 8]], each: u64) -> Result<Columns, Error> {
        let device = f.device();
        let n = regions.len() as u64 * each;
        let (columns, regions) = (self.columns(device, n as usize)?, device.upload(regions.as_flattened())?);
        let [x, y, z] = columns.three();
        let list = [n.into(), each.into(), (self.arity as u32).into(), regions.arg(), x.arg(), y.arg(), z.arg()];
        super::launch_items(device, &self.samples, n as usize, &list)?;
        columns.evaluated(f)
    }

    /// Judges ranges of inputs, each of which has at most [`GROUP`].
    ///
    /// # Errors
    /// If the device fails.
    pub fn judge(&self, device: &Device, columns: &Columns, ranges: &[Range<u32>]) -> Result<Vec<Record>, Error> {
        let ends: Vec<u64> = ranges.iter().map(|r| u64::from(r.start) << 32 | u64::from(r.end)).collect();
        let ends = device.upload(&ends)?;
        let length = record(self.bins);
        let records = device.zeros::<u64>(ranges.len() * length)?;
        let [x, y, z] = columns.three();
        let list = [ends.arg(), x.arg(), y.arg(), z.arg(), columns.results.arg(), records.arg()];
        device.launch(&self.judge, ranges.len() as u32, device.group_size(), &list)?;
        Ok(device.download(&records)?.chunks(length).map(|words| self.read(words)).collect())
    }

    fn read(&self, words: &[u64]) -> Record {
        let (head, rest) = words.split_at(HEAD);
        let (bins, open) = rest.split_at(self.bins);
        let mut open = open[..(head[6] as usize).min(ROOM)].to_vec();
        open.sort_unstable();
        Record {
            worst: (head[0] > 0).then_some((head[0], head[1], head[2])),
            wrong: head[3],
            first_wrong: (head[3] > 0).then_some((head[4] >> 8, head[4] & 255, head[5])),
            undecided: head[6],
            open,
            bins: bins.to_vec(),
        }
    }

    /// How many results lie wrong, and the place of the first among those compared.
    ///
    /// # Errors
    /// If the device fails.
    pub fn relations(&self, device: &Device, columns: &Columns, r: &Relation) -> Result<(u64, Option<u64>), Error> {
        let groups = u64::from(r.n).div_ceil(GROUP) as u32;
        let records = device.zeros::<u64>(2 * groups as usize)?;
        let list = [
            r.begin.into(),
            r.n.into(),
            (GROUP as u32).into(),
            r.distance.into(),
            r.flip.into(),
            r.wrong.into(),
            columns.results.arg(),
            records.arg(),
        ];
        device.launch(&self.relations, groups, device.group_size(), &list)?;
        let found = device.download(&records)?;
        let count = found.chunks(2).map(|w| w[0]).sum();
        Ok((count, found.chunks(2).map(|w| w[1]).min().filter(|&first| first != u64::MAX)))
    }
}

impl Columns {
    /// Three columns of arguments, of which those beyond the function's are the first again.
    fn three(&self) -> [&Buffer<u64>; 3] {
        [0, 1, 2].map(|k| self.args.get(k).unwrap_or(&self.args[0]))
    }

    fn evaluated(self, f: &Evaluator) -> Result<Columns, Error> {
        f.on_device(self.n, self.three(), &self.results)?;
        Ok(self)
    }
}
