//! Throughput and latency of single operations.

use super::model::{card_of, instructions};
use super::text::{ADDEND, Arrangement, Chain, chain_source};
use super::{Author, Subject, Timing, time};
use crate::device::{Api, Build, Device, Error, Kernel, Program, Resources, Source};
use crate::print::Rare;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use vernier_tape::io::Kind;
use vernier_tape::tape::Ty;

/// Whether operands beside the first change from one evaluation to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operands {
    /// They are results of other evaluations.
    Changing,
    /// They are constants of the kernel, and what depends on them alone may be computed once.
    Constant,
}

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Seconds of work before the first measurement, which raise the clock.
    pub warm_up: f64,
    /// The time of a launch.
    pub launch: f64,
    /// Launches that are timed.
    pub launches: u32,
    /// Groups of chains in a thread.
    pub groups: u32,
    /// Whether other arrangements are tried first, and the fastest is measured: on CUDA devices only.
    pub tries: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { warm_up: 0.5, launch: 0.004, launches: 7, groups: 4, tries: true }
    }
}

/// The speed of one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The type.
    pub subject: Subject,
    /// The operation.
    pub op: String,
    /// Whose sequence.
    pub author: Author,
    /// The operands.
    pub operands: Operands,
    /// The chains of a thread.
    pub arrangement: Arrangement,
    /// Instructions in a loop body, about.
    pub body: u32,
    /// Evaluations a second on the whole device.
    pub per_second: f64,
    /// (longest - shortest) / median of the launches.
    pub spread: f64,
    /// The clock in MHz while it ran.
    pub clock_mhz: f64,
    /// Evaluations per clk and unit.
    pub per_clock: f64,
    /// clk from one result to the next that waits for it.
    pub latency: Option<f64>,
    /// Floating-point instructions of an evaluation on its usual path, seeds included: from the tape. None of emulated doubles,
    /// which are made of others.
    pub instructions: Option<f64>,
    /// Evaluations a second over those of double's same operation and operands.
    pub vs_double: Option<f64>,
    /// Floating-point instructions a second over those of the native addition of the limb's type.
    pub vs_native_add: Option<f64>,
    /// Floating-point instructions per clk and unit over what the pipe can do.
    pub of_limit: Option<f64>,
    /// What a thread takes.
    pub resources: Option<Resources>,
    /// Whether every chain ended with a number in [2^-64, 2^64] and a finite lo.
    pub in_range: bool,
}

/// Speeds on one device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bench {
    /// Device, driver, compiler and options.
    pub build: Build,
    /// Units.
    pub units: u32,
    /// How the clock was read.
    pub clock: String,
    /// What was done.
    pub effort: Effort,
    /// Where rare paths were printed.
    pub rare: String,
    /// The speeds.
    pub rows: Vec<Row>,
}

impl Bench {
    /// The row of an operation.
    pub fn find(&self, subject: Subject, op: &str, author: Author, operands: Operands) -> Option<&Row> {
        let is = |r: &&Row| r.subject == subject && r.op == op && r.author == author && r.operands == operands;
        self.rows.iter().find(is)
    }
}

/// Measures these chains, and their latencies.
///
/// # Errors
/// If the device fails, or `list` is empty.
pub fn speed_of(device: &Device, list: &[Chain], effort: Effort, rare: Rare) -> Result<Bench, Error> {
    let candidates = |c: &Chain| match effort.tries && device.api() == Api::Cuda {
        true => c.arrangements(),
        false => vec![*c],
    };
    let source = |part: &&[Chain]| {
        let mut distinct: Vec<Chain> = Vec::new();
        for c in part.iter().flat_map(candidates).chain(part.iter().map(Chain::single)) {
            if !distinct.contains(&c) {
                distinct.push(c)
            }
        }
        chain_source(device.api(), &distinct, rare)
    };
    let parts: Vec<&[Chain]> = list.chunks(PART).collect();
    let programs = compiled(device, &parts, source)?;
    let (Some(part), Some(program)) = (parts.first(), programs.first()) else {
        return Err(Error::Arguments { kernel: "bench".into(), problem: "nothing to measure".into() });
    };
    let build = program.build().clone();
    let single = part[0].single();
    warm_up(effort, || measure(device, program, &single, Place::Everywhere, effort).map(drop))?;
    let mut rows = Vec::new();
    for (part, program) in parts.iter().zip(&programs) {
        for chain in *part {
            let chain = fastest(device, program, &candidates(chain), effort)?;
            let wide = measure(device, program, &chain, Place::Everywhere, effort)?;
            let alone = measure(device, program, &chain.single(), Place::Alone, effort)?;
            rows.push(row(device, &chain, &wide, &alone));
        }
    }
    compare(&mut rows, device);
    let clock = match device.api() {
        Api::Cuda => {
            "cycles of a unit (clock64) over ns (globaltimer) from its first warp's begin to its last one's end"
        }
        Api::OpenCl => "highest clock that the driver tells",
    };
    let description = device.description();
    let rare = format!("{rare:?}").to_lowercase();
    Ok(Bench { build, units: description.units, clock: clock.into(), effort, rare, rows })
}

/// Chains that are compiled together.
const PART: usize = 2;

/// Where a kernel runs.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// As many threads as the device holds at once.
    Everywhere,
    /// One warp, or one thread.
    Alone,
}

/// The fastest of these, as one short launch of each tells.
fn fastest(device: &Device, program: &Program, candidates: &[Chain], effort: Effort) -> Result<Chain, Error> {
    let mut best = (candidates[0], 0.0);
    let short = Effort { launch: effort.launch / 4.0, launches: 1, ..effort };
    for chain in candidates.iter().filter(|_| candidates.len() > 1) {
        let m = measure(device, program, chain, Place::Everywhere, short)?;
        let rate = m.evaluations[1] / m.timing.median;
        if rate > best.1 {
            best = (*chain, rate);
        }
    }
    Ok(best.0)
}

struct Measured {
    timing: Timing,
    /// Cycles of the unit that took longest, and cycles a second, where the device counts them.
    cycles: Option<[f64; 2]>,
    /// By one thread, and by all.
    evaluations: [f64; 2],
    resources: Option<Resources>,
    in_range: bool,
}

/// Groups that a multiprocessor of this architecture holds at once.
fn resident(architecture: &str, resources: Option<Resources>, size: u32) -> u32 {
    let threads = if matches!(architecture, "sm_75" | "sm_86" | "sm_89" | "sm_120" | "sm_121") { 1536 } else { 2048 };
    let registers = resources.map_or(64, |r| r.registers).next_multiple_of(8).max(8);
    (threads / size).min(65536 / (registers * size)).max(1)
}

/// Groups and their size.
pub(super) fn shape(device: &Device, kernel: &Kernel, place: Place) -> (u32, u32) {
    let description = device.description();
    match (place, device.api()) {
        (Place::Alone, Api::Cuda) => (1, 32),
        (Place::Alone, Api::OpenCl) => (1, 1),
        (Place::Everywhere, Api::Cuda) => {
            (description.units * resident(&description.architecture, kernel.resources(), 256), 256)
        }
        (Place::Everywhere, Api::OpenCl) => (4 * description.units, device.group_size()),
    }
}

/// A program for each part, on CUDA devices several at once: OpenCL implementations do not all bear two compilations.
pub(super) fn compiled<T: Sync>(
    device: &Device,
    parts: &[T],
    source: impl Fn(&T) -> Source + Sync,
) -> Result<Vec<Program>, Error> {
    let one = |part: &T| device.compile(&source(part));
    match device.api() {
        Api::Cuda => parts.par_iter().map(one).collect(),
        Api::OpenCl => parts.iter().map(one).collect(),
    }
}

/// Measures in vain until the clock has risen.
pub(super) fn warm_up(effort: Effort, measure: impl Fn() -> Result<(), Error>) -> Result<(), Error> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs_f64(effort.warm_up) {
        measure()?;
    }
    Ok(())
}

fn measure(device: &Device, program: &Program, chain: &Chain, place: Place, effort: Effort) -> Result<Measured, Error> {
    let kernel = program.kernel(&chain.kernel())?;
    let (groups, size) = shape(device, &kernel, place);
    let threads = groups as usize * size as usize;
    let limbs = threads * chain.count() as usize * chain.subject.limbs();
    let bytes = if chain.subject.limb() == Ty::F32 { 4 } else { 8 };
    let out = device.zeros::<u8>(limbs * bytes)?;
    let clocks = device.zeros::<u64>(5 * groups as usize * size.div_ceil(32) as usize)?;
    let addend = ADDEND.map(|x| chain.subject.argument(x));
    let launch = |rounds: u32| {
        let [hi, lo] = addend;
        device.launch(&kernel, groups, size, &[rounds.into(), 0x5eed_u32.into(), hi, lo, out.arg(), clocks.arg()])
    };
    // A latency needs less.
    let wanted = if place == Place::Alone { effort.launch / 4.0 } else { effort.launch };
    let rounds = rounds_for(device, wanted, launch)?;
    let timing = time(device, effort.launches, || launch(rounds))?;
    let cycles = (device.api() == Api::Cuda).then(|| device.download(&clocks)).transpose()?;
    let by_thread = chain.evaluations() as f64 * f64::from(rounds);
    Ok(Measured {
        timing,
        cycles: cycles.and_then(|c| longest(&c)),
        evaluations: [by_thread, by_thread * threads as f64],
        resources: kernel.resources(),
        in_range: in_range(chain.subject, &device.download(&out)?),
    })
}

/// Rounds that take so many seconds.
pub(super) fn rounds_for(
    device: &Device,
    wanted: f64,
    launch: impl Fn(u32) -> Result<(), Error>,
) -> Result<u32, Error> {
    let mut rounds = 1u32;
    launch(rounds)?;
    loop {
        let once = time(device, 1, || launch(rounds))?.median.max(1e-6);
        let factor = wanted / once;
        if factor < 1.2 || rounds > 1 << 24 {
            return Ok(rounds);
        }
        rounds = ((f64::from(rounds) * factor.min(16.0)).ceil() as u32).max(rounds + 1);
        if factor < 16.0 {
            return Ok(rounds);
        }
    }
}

/// Cycles of the unit that took longest, and its cycles a second. Each warp left unit, begin and end in cycles, begin
/// and end in ns; warps of one unit read one clock, but need not begin together.
fn longest(warps: &[u64]) -> Option<[f64; 2]> {
    let mut units: BTreeMap<u64, [u64; 4]> = BTreeMap::new();
    for w in warps.chunks_exact(5) {
        let [begin, end, begin_ns, end_ns] = units.entry(w[0]).or_insert([u64::MAX, 0, u64::MAX, 0]);
        (*begin, *end) = (w[1].min(*begin), w[2].max(*end));
        (*begin_ns, *end_ns) = (w[3].min(*begin_ns), w[4].max(*end_ns));
    }
    let span = |&[begin, end, begin_ns, end_ns]: &[u64; 4]| {
        let (cycles, ns) = (end.saturating_sub(begin), end_ns.saturating_sub(begin_ns));
        (cycles > 0 && ns > 0).then(|| [cycles as f64, cycles as f64 / ns as f64 * 1e9])
    };
    units.values().filter_map(span).max_by(|a, b| a[0].total_cmp(&b[0]))
}

/// Whether every hi is in [2^-64, 2^64] and every lo finite.
fn in_range(subject: Subject, bytes: &[u8]) -> bool {
    let words = |bytes: &[u8]| bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned::<u64>).collect::<Vec<_>>();
    if subject.kind() == Kind::Unpacked {
        let near = |x: &[u64]| (959..=1087).contains(&(x[0] as u32)) && x[1] >> 61 == 1;
        return words(bytes).chunks(subject.limbs()).all(near);
    }
    let limbs: Vec<f64> = match subject.limb() {
        Ty::F32 => bytes.chunks_exact(4).map(|b| f64::from(bytemuck::pod_read_unaligned::<f32>(b))).collect(),
        _ => words(bytes).into_iter().map(f64::from_bits).collect(),
    };
    let (least, most) = (2f64.powi(-64), 2f64.powi(64));
    limbs.chunks(subject.limbs()).all(|x| (least..=most).contains(&x[0].abs()) && x.iter().all(|limb| limb.is_finite()))
}

fn row(device: &Device, chain: &Chain, wide: &Measured, alone: &Measured) -> Row {
    let description = device.description();
    let nominal = description.clock_khz as f64 * 1e3;
    let clock = |m: &Measured| m.cycles.map_or(nominal, |c| c[1]);
    let per_second = wide.evaluations[1] / wide.timing.median;
    let cycles = |m: &Measured| m.cycles.map_or(nominal * m.timing.median, |c| c[0]);
    let instructions = match chain.author {
        Author::Vernier if !chain.subject.is_emulated() => instructions(chain.subject, chain.op),
        _ => None,
    };
    Row {
        subject: chain.subject,
        op: chain.op.into(),
        author: chain.author,
        operands: chain.operands,
        arrangement: chain.arrangement,
        body: chain.body,
        per_second,
        spread: wide.timing.spread(),
        clock_mhz: clock(wide) / 1e6,
        per_clock: wide.evaluations[1] / f64::from(description.units) / cycles(wide),
        latency: Some(cycles(alone) / alone.evaluations[0]),
        instructions,
        vs_double: None,
        vs_native_add: None,
        of_limit: None,
        resources: wide.resources,
        in_range: wide.in_range && alone.in_range,
    }
}

/// Fills in what rows say of each other.
fn compare(rows: &mut [Row], device: &Device) {
    let of = |rows: &[Row], subject, op: &str, operands| {
        rows.iter().find(|r| r.subject == subject && r.op == op && r.operands == operands).map(|r| r.per_second)
    };
    let pipes = card_of(device.description());
    for i in 0..rows.len() {
        let (subject, operands) = (rows[i].subject, rows[i].operands);
        let double = of(rows, Subject::Double, &rows[i].op, operands);
        let native = of(rows, subject.native(), "add", Operands::Changing);
        let row = &mut rows[i];
        row.vs_double = double.map(|d| row.per_second / d);
        row.vs_native_add = row.instructions.zip(native).map(|(n, a)| n * row.per_second / a);
        let pipe = pipes.as_ref().map(|p| if subject.limb() == Ty::F32 { p.fp32 } else { p.fp64 });
        row.of_limit = row.instructions.zip(pipe).map(|(n, rate)| n * row.per_clock / rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_seen() {
        let bytes = |x: &[f32]| bytemuck::cast_slice(x).to_vec();
        assert!(in_range(Subject::Float, &bytes(&[1.0, -2.5, 1e10])));
        for bad in [0.0, f32::NAN, f32::INFINITY, 1e-30, 1e30] {
            assert!(!in_range(Subject::Float, &bytes(&[1.0, bad])), "{bad}");
        }
        let words = |x: &[u64]| bytemuck::cast_slice(x).to_vec();
        assert!(in_range(Subject::Fp64emuMid, &words(&[1f64.to_bits(), (-1e10f64).to_bits()])));
        assert!(!in_range(Subject::Fp64emuMid, &words(&[1e-30f64.to_bits()])));
        assert!(in_range(Subject::Fp64emuUnpackedLow, &words(&[1 << 32 | 1000, 1 << 61])));
        assert!(!in_range(Subject::Fp64emuUnpackedLow, &words(&[1023, 1 << 61, 1 << 28, 1 << 61])));
        assert!(!in_range(Subject::Fp64emuUnpackedLow, &words(&[1023, 1 << 60])));
        assert!(in_range(Subject::Fp32mp2Low, &bytes(&[1.0, 0.0])));
        assert!(!in_range(Subject::Fp32mp2Low, &bytes(&[1.0, f32::NAN])));
    }

    #[test]
    fn clocks_of_units() {
        // Unit 7 began late in its second warp; unit 9 is shorter.
        let warps = [7, 1000, 3000, 50, 1050, 7, 2000, 5000, 550, 2050, 9, 10, 3010, 50, 1550];
        assert_eq!(longest(&warps), Some([4000.0, 2e9]));
        assert_eq!(longest(&[0; 10]), None);
    }

    #[test]
    fn groups_that_fit() {
        let with = |registers| Some(Resources { registers, local_bytes: 0 });
        assert_eq!(resident("sm_90", with(32), 256), 8);
        assert_eq!(resident("sm_90", with(65), 256), 3);
        assert_eq!(resident("sm_89", with(20), 256), 6);
        assert_eq!(resident("sm_90", with(255), 256), 1);
    }
}
