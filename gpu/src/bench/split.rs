//! One reduction on two pipes at once: the pi benchmark, some of its terms in native doubles, the others in unpacked
//! emulated ones, which need no FP64 pipe.
//!
//! Slices of 32 threads, a warp on CUDA devices, do the one or the other: so many of every eight, the *slices*, emulate. Which share
//! of the terms they take is independent of that. The partials, native ones exactly, are summed in the unpacked type.

use super::operation::{Definitions, limb, limbs};
use super::pi::{Number, Pi, digits, pi_on, scaled, terms, with_number};
use super::{Author, LOG2_THREADS, Subject, Timing, log2_terms, time};
use crate::device::{Api, Buffer, Build, Device, Error, Kernel, Source};
use crate::kernel::dialect;
use crate::print::Rare;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use vernier::machine::exp2;
use vernier::{Fp64EmuUnpacked, High, Low, Mid, emu::unpacked, fp64mp2_high};

/// Shares are in parts of this.
pub const PARTS: u32 = 256;
/// Slices that take turns.
const SLICES: u32 = 8;
/// Threads in a slice.
const SLICE: u32 = 32;
/// Shares to try: close together where little or almost everything is emulated.
pub const SHARES: [u32; 27] =
    [0, 2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128, 160, 192, 208, 216, 224, 232, 240, 248, 252, 256];
/// log2 of the terms of the run that is held against the host.
const COMPARED: u32 = 20;

/// Who does what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Division {
    /// Terms that are emulated, of [`PARTS`].
    pub share: u32,
    /// Slices that emulate, of eight.
    pub slices: u32,
}

impl Division {
    /// Every way to give this share away.
    pub fn of(share: u32) -> impl Iterator<Item = Division> {
        let slices = match share {
            0 => 0..=0,
            PARTS => SLICES..=SLICES,
            _ => 1..=SLICES - 1,
        };
        slices.map(move |slices| Division { share, slices })
    }

    /// Of so many items those that are emulated.
    pub fn items(self, all: u64) -> u64 {
        (u128::from(all) * u128::from(self.share) / u128::from(PARTS)) as u64
    }

    /// The emulated share.
    pub fn part(self) -> f64 {
        f64::from(self.share) / f64::from(PARTS)
    }

    /// The terms of 2^`k` that are emulated, and the native ones.
    fn terms(self, k: u32) -> [u64; 2] {
        let emulated = self.items(1 << k);
        [emulated, (1u64 << k) - emulated]
    }

    /// The threads that emulate, and the others.
    fn threads(self) -> [u64; 2] {
        let eighth = (1u64 << LOG2_THREADS) / u64::from(SLICES);
        [eighth * u64::from(self.slices), eighth * u64::from(SLICES - self.slices)]
    }

    /// Terms of every thread of a side, and how many threads have one more.
    fn each(self, k: u32) -> [[u64; 2]; 2] {
        let (terms, threads) = (self.terms(k), self.threads());
        [0, 1].map(|side| match threads[side] {
            0 => [0, 0],
            n => [terms[side] / n, terms[side] % n],
        })
    }

    /// The side of thread `t`, 0 where it emulates, and its number there, on a device of so many units.
    fn place(self, t: u32, units: u32) -> (usize, u64) {
        let (slice, eight) = (t / SLICE, t / SLICE / SLICES);
        let place = (slice + eight / units) % SLICES;
        let number = |own: u32, place: u32| u64::from((eight * own + place) * SLICE + t % SLICE);
        match place.checked_sub(self.slices) {
            None => (0, number(self.slices, place)),
            Some(place) => (1, number(SLICES - self.slices, place)),
        }
    }
}

/// One division.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SplitRow {
    /// Who does what; of all with this share, the fastest.
    pub division: Division,
    /// The value, hi and lo.
    pub value: [f64; 2],
    /// The value in decimal, hi to 17 digits.
    pub text: String,
    /// Correct digits.
    pub digits: f64,
    /// Whether the partials of a run with 2^20 terms are the host's to the bit.
    pub host_bits: bool,
    /// The time of the kernel.
    pub timing: Timing,
}

impl SplitRow {
    /// The emulated share of the terms.
    pub fn share(&self) -> f64 {
        self.division.part()
    }
}

/// The divisions of one reduction on one device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Device, driver, compiler and options.
    pub build: Build,
    /// The unpacked type.
    pub subject: Subject,
    /// log2 of the number of terms.
    pub log2_terms: u32,
    /// The pi benchmark in double, a kernel that does nothing else.
    pub native: Timing,
    /// The pi benchmark in the unpacked type.
    pub emulated: Timing,
    /// By share.
    pub rows: Vec<SplitRow>,
}

impl Split {
    /// The fastest division.
    pub fn fastest(&self) -> Option<&SplitRow> {
        self.rows.iter().min_by(|a, b| a.timing.median.total_cmp(&b.timing.median))
    }
}

/// A program with the kernel `vernier_split_NAME` of an unpacked type.
pub fn split_source(api: Api, subject: Subject, rare: Rare) -> Source {
    let dialect = &*dialect(api);
    let mut d = Definitions::new(dialect, rare);
    d.0.text += &super::text::environment(api);
    let mut define = |prefix: &str, subject: Subject, ops: &[&str]| -> Vec<(String, String)> {
        let one = |op: &&str| (format!("${prefix}{op}("), d.operation(subject, op, Author::Vernier) + "(");
        ops.iter().map(one).collect()
    };
    let mut names = define("native_", Subject::Double, &["add", "mul", "div"]);
    names.extend(define("", subject, &["add", "mul", "div", "from_u64"]));
    names.extend(define("", subject, &["from_fp64emu"]).into_iter().map(|(_, name)| ("$unpack(".into(), name)));
    let parts = limbs(dialect, subject.kind(), "sum");
    let constant = |x| limb(dialect, subject, x);
    let mut text = include_str!("split.txt")
        .replace("$name", &subject.name())
        .replace("$type", dialect.kind(subject.kind()))
        .replace("$one", &constant(1.0))
        .replace("$four", &constant(4.0))
        .replace("$half", &constant(0.5))
        .replace("$first", &parts[0])
        .replace("$second", &parts[1]);
    for (token, name) in &names {
        text = text.replace(token, name);
    }
    d.0.text += &text;
    Source::new(if api == Api::Cuda { "split.cu" } else { "split.cl" }, d.0.text)
}

/// Two words for each thread: an unpacked partial, or the bits of a native one and a zero.
fn on_host<A: unpacked::Level + Send + Sync>(division: Division, k: u32, units: u32) -> Vec<u64> {
    let h = exp2(-(k as i32));
    let (each, threads, first) = (division.each(k), division.threads(), [0, division.terms(k)[0]]);
    let partial = |t: u32| {
        let (side, number) = division.place(t, units);
        let [all, more] = each[side];
        let count = all + u64::from(number < more);
        let (start, step) = (((first[side] + number) as f64 + 0.5) * h, threads[side] as f64 * h);
        match side {
            0 => {
                let sum = terms(Fp64EmuUnpacked::<A>::from_f64(start), step, count);
                [sum.limb(0), sum.limb(1)]
            }
            _ => [terms(start, step, count).to_bits(), 0],
        }
    };
    (0..1u32 << LOG2_THREADS).into_par_iter().flat_map_iter(partial).collect()
}

/// The sum of the partials, in the unpacked type and in the order of the threads, times h.
fn total<A: unpacked::Level + Send + Sync>(partials: &[u64], division: Division, k: u32, units: u32) -> fp64mp2_high {
    let one = |(t, words): (usize, &[u64])| match division.place(t as u32, units).0 {
        0 => Fp64EmuUnpacked::<A>::from_limbs(words),
        _ => Fp64EmuUnpacked::from_f64(f64::from_bits(words[0])),
    };
    let partials: Vec<_> = partials.chunks_exact(2).enumerate().map(one).collect();
    scaled(Fp64EmuUnpacked::total(&partials), k)
}

/// Runs `$body` with the level of an unpacked subject.
macro_rules! with_level {
    ($subject:expr, $A:ident => $body:expr) => {
        with_number!(@of $subject, $A => $body; Fp64emuUnpackedLow = Low, Fp64emuUnpackedMid = Mid, _ = High)
    };
}

/// The value with 2^`k` terms on the host, divided as a device of so many units divides.
pub fn split_host(subject: Subject, division: Division, k: u32, units: u32) -> fp64mp2_high {
    let k = log2_terms(k);
    with_level!(subject, A => total::<A>(&on_host::<A>(division, k, units), division, k, units))
}

struct Splitter<'d> {
    device: &'d Device,
    kernel: Kernel,
    out: Buffer<u64>,
    units: u32,
}

impl Splitter<'_> {
    fn run(&self, division: Division, k: u32, launches: u32) -> Result<Timing, Error> {
        let group = if self.device.api() == Api::Cuda { 256 } else { self.device.group_size() };
        let [[emulated, emulated_more], [native, native_more]] = division.each(k).map(|x| x.map(|x| (x as u32).into()));
        let args = [
            division.slices.into(),
            self.units.into(),
            emulated,
            emulated_more,
            native,
            native_more,
            division.terms(k)[0].into(),
            exp2(-(k as i32)).into(),
            self.out.arg(),
        ];
        time(self.device, launches, || self.device.launch(&self.kernel, (1 << LOG2_THREADS) / group, group, &args))
    }

    fn row<A: unpacked::Level + Send + Sync>(&self, share: u32, k: u32, launches: u32) -> Result<SplitRow, Error> {
        let mut best: Option<(Division, f64)> = None;
        for division in Division::of(share) {
            self.run(division, k, 1)?;
            let seconds = self.run(division, k, 3)?.median;
            if best.is_none_or(|(_, least)| seconds < least) {
                best = Some((division, seconds));
            }
        }
        let division = best.map_or(Division { share, slices: 0 }, |(division, _)| division);
        self.run(division, COMPARED, 1)?;
        let host_bits = self.device.download(&self.out)? == on_host::<A>(division, COMPARED, self.units);
        self.run(division, k, 1)?;
        let timing = self.run(division, k, launches)?;
        let value = total::<A>(&self.device.download(&self.out)?, division, k, self.units);
        let (text, value, digits) = (format!("{:.16}", value.hi()), [value.hi(), value.lo()], digits(value));
        Ok(SplitRow { division, value, text, digits, host_bits, timing })
    }
}

/// The pi benchmark with 2^`k` terms on a device, divided in every way with each of these shares; times are medians of `launches`
/// launches after untimed ones.
///
/// # Errors
/// If the device fails, or `subject` is none of `fp64emu_unpacked`.
pub fn split_on(
    device: &Device,
    subject: Subject,
    k: u32,
    shares: &[u32],
    launches: u32,
    rare: Rare,
) -> Result<Split, Error> {
    if subject.family() != "fp64emu_unpacked" {
        let problem = format!("{} is no unpacked double", subject.name());
        return Err(Error::Arguments { kernel: "split".into(), problem });
    }
    let k = log2_terms(k);
    let plain = pi_on(device, &[subject, Subject::Double], &[k], launches, 0, rare)?;
    let timed = |s: Subject| plain.rows.iter().find(|p: &&Pi| p.subject == s).and_then(|p| p.timing);
    let missing = || Error::Arguments { kernel: "split".into(), problem: "no time".into() };
    let (native, emulated) = timed(Subject::Double).zip(timed(subject)).ok_or_else(missing)?;
    let program = device.compile(&split_source(device.api(), subject, rare))?;
    let kernel = program.kernel(&format!("vernier_split_{}", subject.name()))?;
    let units = device.description().units.max(1);
    let splitter = Splitter { device, kernel, out: device.zeros(2 << LOG2_THREADS)?, units };
    let row = |&share: &u32| with_level!(subject, A => splitter.row::<A>(share.min(PARTS), k, launches));
    let rows = shares.iter().map(row).collect::<Result<_, Error>>()?;
    Ok(Split { build: program.build().clone(), subject, log2_terms: k, native, emulated, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every term has one thread, whatever the division.
    #[test]
    fn every_term_is_summed_once() {
        for (share, units) in [(0, 3), (2, 132), (40, 7), (252, 1), (PARTS, 16)] {
            for division in Division::of(share) {
                let mut seen = [vec![0u32; 1 << LOG2_THREADS], vec![0; 1 << LOG2_THREADS]];
                (0..1 << LOG2_THREADS).for_each(|t| {
                    let (side, number) = division.place(t, units);
                    seen[side][number as usize] += 1;
                });
                let threads = division.threads();
                for side in [0, 1] {
                    assert!(seen[side].iter().enumerate().all(|(i, &n)| n == u32::from((i as u64) < threads[side])));
                    let [all, more] = division.each(19)[side];
                    assert_eq!(all * threads[side] + more, division.terms(19)[side], "{division:?}");
                }
                assert_eq!(division.terms(19).iter().sum::<u64>(), 1 << 19);
            }
        }
    }

    #[test]
    fn divided_sums_are_pi() {
        for share in [0, 6, 128, PARTS] {
            for division in Division::of(share).step_by(3) {
                let found = digits(split_host(Subject::Fp64emuUnpackedHigh, division, 18, 5));
                // The error of the midpoint rule, h^2 / 12, leaves 12.41 digits.
                assert!((found - 12.41).abs() < 0.01, "{division:?}: {found}");
            }
        }
    }
}
