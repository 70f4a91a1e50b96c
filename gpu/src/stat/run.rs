//! Instrumented kernels on devices, and the same on the host.

use super::{EXPONENTS, GAPS};
use crate::bench::{LOG2_THREADS, Number, Subject, Timing, begin, log2_terms, partial, time};
use crate::device::{Api, Arg, Buffer, Build, Device, Error, Program, Source};
use crate::emit;
use crate::kernel::environment;
use crate::print::{Cuda, Rare};
use bytemuck::Pod;
use rayon::prelude::*;
use vernier::machine::exp2;
use vernier::stat::example::{TERMS, exp_half, kahan};
use vernier::stat::{self, Collected, Extra, Histogram, Histograms, Options, Record, Slot, SlotHistograms};
use vernier::{DoubleWord, High, HostLimb, Level, Low, Mid, Stat};
use vernier_tape::cases::arguments;
use vernier_tape::io::Kind;

/// What an instrumented run gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Bit patterns of the result's limbs.
    pub limbs: Vec<u64>,
    /// What was counted.
    pub collected: Collected,
}

/// Runs `$body` with the limb and level of a pair type.
macro_rules! with_pair {
    ($subject:expr, $F:ident, $A:ident => $body:expr) => {{
        macro_rules! run {
            ($f:ty, $a:ty) => {{
                type $F = $f;
                type $A = $a;
                $body
            }};
        }
        match $subject {
            Subject::Fp32mp2Low => run!(f32, Low),
            Subject::Fp32mp2High => run!(f32, High),
            Subject::Fp64mp2Low => run!(f64, Low),
            Subject::Fp64mp2Mid => run!(f64, Mid),
            Subject::Fp64mp2High => run!(f64, High),
            Subject::Fp32mp2Mid => run!(f32, Mid),
            other => unreachable!("{} is no pair type", other.name()),
        }
    }};
}

pub(super) use with_pair;

pub(super) fn bits<F: HostLimb>(limbs: &[F]) -> Vec<u64> {
    limbs.iter().map(|l| l.to_bits_u64()).collect()
}

pub(super) fn limbs<F: HostLimb, A: Level>(x: Stat<DoubleWord<F, A>>) -> [F; 2] {
    [x.hi(), x.lo()]
}

/// The published example on the host.
pub fn kahan_on_host(subject: Subject, options: Options) -> Counted {
    with_pair!(subject, F, A => {
        let (value, collected) = options.record(|| kahan::<F, A>(TERMS));
        Counted { limbs: bits(&limbs(value)), collected }
    })
}

/// Operations on each pair of operands: +, -, x, /, += hi, -= lo.
const OPERATIONS: usize = 6;

/// Bit patterns of the limbs of `n` pairs of operands: generated ones, every eighth made of special values, and some of one
/// smallest gap, the first of which is to be kept as its sample.
pub fn operands(subject: Subject, seed: u64, n: usize) -> Vec<u64> {
    let kinds = [subject.kind(); 2];
    let special = |i: u64, slot: u32| {
        let x = SPECIAL[((i / 8 + seed) / (SPECIAL.len() as u64).pow(slot)) as usize % SPECIAL.len()];
        with_pair!(subject, F, A => DoubleWord::<F, A>::exact(x).hi().to_bits_u64())
    };
    let one = |i: u64| match i % 16 {
        7 | 15 => (0..4).map(|slot| special(i, slot)).collect(),
        3 => {
            // The smallest subnormal over half of the largest power of two, and then twice both: equal gaps and fractions.
            let (at, largest) = if kinds[0] == Kind::Pair32 { (23, 254) } else { (52, 2046) };
            let twice = u64::from(i > 3);
            let limbs = [1 << twice, (largest - 1 + twice) << at];
            limbs.into_iter().chain(arguments(&kinds, seed, i).into_iter().skip(2)).collect()
        }
        _ => arguments(&kinds, seed, i),
    };
    (0..n as u64).flat_map(one).collect()
}

/// Bit patterns of the limbs of `n` pairs of operands that are normalised and near 1, all with the same gap: their fractions, in no
/// order, decide which one is the sample.
pub fn regular_operands(subject: Subject, n: usize) -> Vec<u64> {
    let (digits, bias, sign) = if subject.kind() == Kind::Pair32 { (24, 127, 31) } else { (53, 1023, 63) };
    let value = |k: u64| {
        let word = (k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (fraction, exponent) = (word >> (65 - digits), bias + k % 7);
        let lo = word.reverse_bits() >> (65 - digits) | (exponent - digits - 1) << (digits - 1) | (k % 2) << sign;
        [exponent << (digits - 1) | fraction, lo]
    };
    (0..2 * n as u64).flat_map(value).collect()
}

/// Limbs that are special, or become so as `f32`.
const SPECIAL: [f64; 11] = [
    f64::INFINITY,
    0.0,
    f64::NEG_INFINITY,
    1.0,
    f64::NAN,
    -0.0,
    f64::from_bits(3),
    f32::from_bits(5) as f64,
    -1.5,
    -f64::MIN_POSITIVE,
    f32::MAX as f64,
];

fn six<F: HostLimb, A: Level>(v: &[u64]) -> [Stat<DoubleWord<F, A>>; OPERATIONS] {
    let limb = |i: usize| F::from_bits_u64(v[i]);
    let (x, y) = (Stat::from_parts(limb(0), limb(1)), Stat::from_parts(limb(2), limb(3)));
    let (mut more, mut less) = (x, x);
    more += limb(2);
    less -= limb(3);
    [x + y, x - y, x * y, x / y, more, less]
}

/// Sums, differences, products, quotients and accumulated limbs of [`operands`] on the host.
pub fn operands_on_host(subject: Subject, args: &[u64], options: Options) -> Counted {
    with_pair!(subject, F, A => {
        let (limbs, collected) = options.record(|| {
            let handle = stat::handle();
            let one = |v: &[u64]| six::<F, A>(v).iter().flat_map(|&r| bits(&limbs(r))).collect::<Vec<_>>();
            let run = |part: &[u64]| handle.enter(|| part.chunks_exact(4).flat_map(one).collect::<Vec<_>>());
            args.par_chunks(1 << 12).flat_map(run).collect()
        });
        Counted { limbs, collected }
    })
}

/// The same of plain pairs: the limbs alone.
pub fn operands_plain(subject: Subject, args: &[u64]) -> Vec<u64> {
    with_pair!(subject, F, A => {
        let one = |v: &[u64]| -> Vec<u64> {
            let limb = |i: usize| F::from_bits_u64(v[i]);
            let x = DoubleWord::<F, A>::from_parts(limb(0), limb(1));
            let y = DoubleWord::from_parts(limb(2), limb(3));
            let (mut more, mut less) = (x, x);
            more += limb(2);
            less -= limb(3);
            [x + y, x - y, x * y, x / y, more, less].iter().flat_map(|r| bits(&[r.hi(), r.lo()])).collect()
        };
        args.par_chunks_exact(4).flat_map_iter(one).collect()
    })
}

/// The pi benchmark with 2^`k` terms, instrumented, on the host.
pub fn pi_on_host(subject: Subject, k: u32, options: Options) -> Counted {
    with_pair!(subject, F, A => {
        let (limbs, collected) = options.record(|| {
            let handle = stat::handle();
            let run = |t: u32| handle.enter(|| bits(&limbs(partial::<Stat<DoubleWord<F, A>>>(k, t))));
            (0..1u32 << LOG2_THREADS).into_par_iter().flat_map_iter(run).collect()
        });
        Counted { limbs, collected }
    })
}

/// Instrumented kernels, compiled for a device, and the record that they count in.
#[derive(Debug)]
pub struct Instrumented<'d> {
    pub(super) device: &'d Device,
    pub(super) program: Program,
    record: Buffer<u64>,
    options: Options,
}

/// Words of a record: the published one, five counts, two words of versions.
const WORDS: usize = 57 + 5 + 2;

impl<'d> Instrumented<'d> {
    /// Compiles the kernels of these subjects, which are pair types.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn compile(device: &'d Device, subjects: &[Subject], options: Options) -> Result<Self, Error> {
        Self::build_from(device, &source(device.api(), subjects, options), options)
    }

    /// Compiles the kernels of one subject with a mutant in them.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn mutated(device: &'d Device, subject: Subject, mutant: &Mutant, options: Options) -> Result<Self, Error> {
        let mut source = source(device.api(), &[subject], options);
        source.text = mutant.plant(&source.text);
        Self::build_from(device, &source, options)
    }

    fn build_from(device: &'d Device, source: &Source, options: Options) -> Result<Self, Error> {
        let program = device.compile(source)?;
        let words = WORDS + if options.has_histograms() { 3 * (EXPONENTS.1 + GAPS.1) } else { 0 };
        let record = device.zeros(words)?;
        let new = Instrumented { device, program, record, options };
        new.reset()?;
        Ok(new)
    }

    /// What made the program.
    pub fn build(&self) -> &Build {
        self.program.build()
    }

    /// Empties the record, in the order of the device's work.
    ///
    /// # Errors
    /// If the device fails.
    pub fn reset(&self) -> Result<(), Error> {
        let kernel = self.program.kernel("vernier_stat_reset")?;
        self.device.launch(&kernel, 1, 1, &[self.record.arg()])
    }

    /// What was counted since the last reset, by all work asked for so far.
    ///
    /// # Errors
    /// If the device fails.
    pub fn read(&self) -> Result<Collected, Error> {
        Ok(collected(&self.device.download(&self.record)?, self.options))
    }

    pub(super) fn launch(
        &self,
        name: &str,
        subject: Subject,
        groups: u32,
        size: u32,
        args: &[Arg<'_>],
    ) -> Result<(), Error> {
        let kernel = self.program.kernel(&format!("vernier_stat_{name}_{}", subject.name()))?;
        let args: Vec<Arg<'_>> = args.iter().copied().chain([self.record.arg()]).collect();
        self.device.launch(&kernel, groups, size, &args)
    }

    pub(super) fn counted<F: HostLimb + Pod>(&self, limbs: &Buffer<F>) -> Result<Counted, Error> {
        Ok(Counted { limbs: bits(&self.device.download(limbs)?), collected: self.read()? })
    }

    /// The published example, on a grid of `groups` groups of `size` threads, each of which computes the whole.
    ///
    /// # Errors
    /// If the device fails, or the subject was not compiled.
    pub fn kahan(&self, subject: Subject, groups: u32, size: u32) -> Result<Counted, Error> {
        self.reset()?;
        with_pair!(subject, F, A => {
            let value = self.device.zeros::<F>(2)?;
            let (hi, lo) = exp_half(<F as vernier::machine::Limb>::P);
            let [hi, lo] = [hi, lo].map(|x| Arg::from(DoubleWord::<F, A>::exact(x).hi()));
            self.launch("kahan", subject, groups, size, &[TERMS.into(), hi, lo, value.arg()])?;
            self.counted(&value)
        })
    }

    /// Sums, differences, products, quotients and accumulated limbs of [`operands`].
    ///
    /// # Errors
    /// If the device fails, or the subject was not compiled.
    pub fn operands(&self, subject: Subject, args: &[u64], groups: u32, size: u32) -> Result<Counted, Error> {
        self.reset()?;
        with_pair!(subject, F, A => {
            let _: fn(&[u64]) -> [Stat<DoubleWord<F, A>>; OPERATIONS] = six::<F, A>;
            let input: Vec<F> = args.iter().map(|&b| F::from_bits_u64(b)).collect();
            let n = input.len() / 4;
            let input = self.device.upload(&input)?;
            let output = self.device.zeros::<F>(2 * OPERATIONS * n)?;
            self.launch("operands", subject, groups, size, &[(n as u32).into(), input.arg(), output.arg()])?;
            self.counted(&output)
        })
    }

    /// The same where no scope was opened, on CUDA: every operation goes to global memory.
    ///
    /// # Errors
    /// If the device fails, is none of CUDA, or the subject was not compiled.
    pub fn unscoped(&self, subject: Subject, args: &[u64], groups: u32, size: u32) -> Result<Counted, Error> {
        let take = self.program.kernel("vernier_stat_take")?;
        with_pair!(subject, F, A => {
            let input: Vec<F> = args.iter().map(|&b| F::from_bits_u64(b)).collect();
            let _: fn(&[u64]) -> [Stat<DoubleWord<F, A>>; OPERATIONS] = six::<F, A>;
            let n = input.len() / 4;
            let input = self.device.upload(&input)?;
            let output = self.device.zeros::<F>(2 * OPERATIONS * n)?;
            self.launch("unscoped", subject, groups, size, &[(n as u32).into(), input.arg(), output.arg()])?;
            self.device.launch(&take, 1, 1, &[self.record.arg()])?;
            self.counted(&output)
        })
    }

    /// The pi benchmark with 2^`k` terms; the median time of `launches` launches after an untimed one, and what the last
    /// one counted.
    ///
    /// # Errors
    /// If the device fails, or the subject was not compiled.
    pub fn pi(&self, subject: Subject, k: u32, launches: u32) -> Result<(Counted, Timing), Error> {
        let k = log2_terms(k);
        let group = if self.device.api() == Api::Cuda { 256 } else { self.device.group_size() };
        let groups = (1 << LOG2_THREADS) / group;
        with_pair!(subject, F, A => {
            let partials = self.device.zeros::<F>(2 << LOG2_THREADS)?;
            let [h, step] = [exp2(-(k as i32)), exp2(LOG2_THREADS as i32 - k as i32)]
                .map(|x| Arg::from(DoubleWord::<F, A>::exact(x).hi()));
            let launch = |terms: u32| self.launch("pi", subject, groups, group, &[terms.into(), h, step, partials.arg()]);
            launch(1)?;
            let timing = time(self.device, launches.max(1), || launch(1 << (k - LOG2_THREADS)))?;
            self.reset()?;
            launch(1 << (k - LOG2_THREADS))?;
            Ok((self.counted(&partials)?, timing))
        })
    }
}

/// A mistake in what counts on a device: a piece of text, and what it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What goes wrong.
    pub what: &'static str,
    from: &'static str,
    to: &'static str,
}

impl Mutant {
    /// The text of a program with this mistake.
    pub fn plant(&self, text: &str) -> String {
        text.replace(self.from, self.to)
    }
}

const fn mutant(what: &'static str, from: &'static str, to: &'static str) -> Mutant {
    Mutant { what, from, to }
}

/// No mistake: counters are handed on after a few operations instead of 2^29.
pub const DRAINED: Mutant = mutant("drained early", ">> 29 != 0", ">> 4 != 0");

/// One that every way of counting shows.
const LOST: Mutant = mutant("a count of one lost", "if (n != 0) vernier_stat_add(", "if (n > 1) vernier_stat_add(");

/// Mistakes that must show in a record.
pub const MUTANTS: [Mutant; 15] = [
    mutant("operations not counted", "if (i < 4) STAT_GLOBAL_ADD(words, n);", ""),
    LOST,
    mutant("events not counted", "vernier_stat_bump(s, STAT_EVENT(i));", ";"),
    mutant("zeros in lo of right operands not counted", "(family##_stat_one_limb(y) ? 2 : 0)", "0"),
    mutant("flags not counted", "vernier_stat_bump(s, STAT_FLAG(k, i));", ";"),
    mutant("smallest exponent not kept", "if (exponent < window[1]) STAT_LOCAL_MIN(window + 1, exponent);", ""),
    mutant("largest gap not kept", "if (order > window[2]) STAT_LOCAL_MAX(window + 2, order);", ""),
    mutant(
        "any sample of the smallest gap",
        "vernier_stat_precedes(hi, lo, sample[0], sample[1]) : order",
        "true : order",
    ),
    mutant("sample of two values", "sample[1] = lo;", "sample[1] = hi;"),
    mutant("operands swapped", "_stat_class(x), family##_stat_class(y), ", "_stat_class(y), family##_stat_class(x), "),
    mutant("cancellation not seen", "return all & !cancels &", "return all &"),
    mutant("subnormal lo not seen", "const bool gap = family##_stat_lo_normal(x) & ", "const bool gap = "),
    mutant(
        "smaller fraction of the smallest gap not seen",
        "-top, top) * unit + next, least",
        "-top, top) * unit, least",
    ),
    mutant("gaps one less", "#define STAT_GAP_BIAS 2560", "#define STAT_GAP_BIAS 2561"),
    mutant(
        "first group's sample kept",
        "(gap == old && !vernier_stat_precedes(",
        "(gap == old && true || vernier_stat_precedes(",
    ),
];

/// Mistakes that must show in histograms, extra counts or the record of atomics.
pub const EXTRA_MUTANTS: [Mutant; 4] = [
    mutant("roots, fma, mad and conversions not counted", "vernier_stat_bump(s, STAT_OTHER(other));", ";"),
    mutant("gaps in the wrong place", "- STAT_GAP_BIAS + VERNIER_STAT_GAP_BIAS], 1)", "- STAT_GAP_BIAS + 2151], 1)"),
    mutant("exponents of one slot", "&g->exponents[k][", "&g->exponents[0]["),
    LOST,
];

/// The program of the kernels of these subjects, which are pair types; with extra counters also those of [`super::extra`].
pub fn source(api: Api, subjects: &[Subject], options: Options) -> Source {
    let mut text = String::from("#define VERNIER_ENABLE_STAT 1\n");
    for (name, wanted) in [("EXTRA", options.has_extra()), ("HISTOGRAMS", options.has_histograms())] {
        text += &format!("#define VERNIER_STAT_{name} {}\n", u8::from(wanted));
    }
    let cuda = api == Api::Cuda;
    text += &if cuda { emit::cuda(&Cuda { fast_seeds: true }, Rare::Automatic) } else { emit::opencl() };
    text += environment(api);
    text += "VERNIER_KERNEL void vernier_stat_reset(VERNIER_GLOBAL vernier_stat_device *device)\n{\n";
    text += if cuda {
        "    vernier::detail::vernier_stat_clear(device);\n}\n"
    } else {
        "    vernier_stat_clear(device);\n}\n"
    };
    text += if cuda { include_str!("glue.cuh") } else { "" };
    for &subject in subjects {
        text += &kernels(cuda, subject, options.has_extra());
    }
    Source::new(if cuda { "stat.cu" } else { "stat.cl" }, text)
}

fn kernels(cuda: bool, subject: Subject, extra: bool) -> String {
    let (family, level, limb) =
        (subject.family(), subject.level(), if subject.kind() == Kind::Pair32 { "float" } else { "double" });
    let mut text = include_str!("kernels.txt").to_string();
    text += if cuda { include_str!("unscoped.txt") } else { "" };
    if extra {
        text += include_str!("extra.txt");
        text += include_str!("atomic.txt");
    }
    let single = subject.kind() == Kind::Pair32;
    let mut replace = |from: &str, to: &str| text = text.replace(from, to);
    replace("$begin", begin(if cuda { Api::Cuda } else { Api::OpenCl }, subject.kind().slots()[0]));
    if cuda {
        let (pair, stat) = (format!("vernier::{family}_{level}"), format!("vernier::{family}_stat_{level}"));
        replace("$open", "vernier::stat_scope scope(device);");
        // So many registers that the whole grid is resident.
        replace("$bounds", "__launch_bounds__(256, 4)");
        replace("$close", "");
        replace("$as_stat(", &format!("{stat}("));
        replace("$as_plain(", &format!("{pair}("));
        replace("$plain(", &format!("{pair}("));
        replace("$make(", &format!("{stat}("));
        replace("$mul_plain(", "glue_mul(");
        // A compare-and-swap of 128 bits.
        replace("$if_atomic", if single { "#if 1" } else { "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900" });
        replace("$from_limb(", &format!("{stat}("));
        let pairs = ["add", "sub", "mul", "div", "acc_negated", "acc", "hi", "lo"];
        for op in pairs.into_iter().chain(["sqrt", "rsqrt", "fma", "mad", "atomic_add", "atomic_sub"]) {
            replace(&format!("${op}("), &format!("glue_{op}("));
        }
        replace("$type", &pair);
        replace("$stat", &stat);
    } else {
        let pair = format!("{limb}2");
        replace("$open", "__local vernier_stat_group group;\n    vernier_stat_open(&group, device);");
        replace("$close", "vernier_stat_close(&group);");
        replace("$bounds ", "");
        replace("$as_stat(", "(");
        replace("$as_plain(", "(");
        replace("$plain(", &format!("({pair})("));
        replace("$make(", &format!("({pair})("));
        replace("$mul_plain(", &format!("{family}_{level}_mul("));
        replace("$if_atomic", if single { "#if defined(cl_khr_int64_base_atomics)" } else { "#if 0" });
        replace("$sqrt(", &format!("{family}_stat_sqrt(&group, "));
        replace("$rsqrt(", &format!("{family}_stat_rsqrt(&group, "));
        replace("$from_limb(", &format!("{family}_stat_from_{}(&group, ", if single { "f32" } else { "f64" }));
        for op in ["add", "sub", "mul", "div", "acc_negated", "acc", "fma", "mad", "atomic_add", "atomic_sub"] {
            replace(&format!("${op}("), &format!("{family}_stat_{level}_{op}(&group, "));
        }
        replace("$hi(result)", "result.x");
        replace("$lo(result)", "result.y");
        replace("$hi(sum)", "sum.x");
        replace("$lo(sum)", "sum.y");
        replace("$hi(y)", "y.x");
        replace("$lo(y)", "y.y");
        replace("$hi(r[k])", "r[k].x");
        replace("$lo(r[k])", "r[k].y");
        replace("$type", &pair);
        replace("$stat", &pair);
    }
    text.replace("$name", &subject.name()).replace("$limb", limb)
}

fn collected(words: &[u64], options: Options) -> Collected {
    let halves = |w: u64| (w as u32 as i32, (w >> 32) as i32);
    let slot = |w: &[u64]| {
        let ((max_exp, min_exp), (max_hi_lo_gap, min_hi_lo_gap)) = (halves(w[0]), halves(w[9]));
        Slot {
            max_exp,
            min_exp,
            zero_count: w[1],
            zero_lo_count: w[2],
            inf_count: w[3],
            nan_count: w[4],
            infnan_count: w[5],
            denorm_count: w[6],
            overlap_count: w[7],
            invert_count: w[8],
            max_hi_lo_gap,
            min_hi_lo_gap,
            min_hi_lo_gap_sample_hi: f64::from_bits(w[10]),
            min_hi_lo_gap_sample_lo: f64::from_bits(w[11]),
        }
    };
    let record = Record {
        ops_count: words[0],
        add_count: words[1],
        sub_count: words[2],
        mul_count: words[3],
        div_count: words[4],
        full_cancel_count: words[5],
        partial_cancel_count: words[6],
        underflow_count: words[7],
        overflow_count: words[8],
        arg: [0, 1, 2].map(|k| slot(&words[9 + 12 * k..])),
        result: slot(&words[45..]),
    };
    let extra = options.has_extra().then(|| Extra {
        sqrt_count: words[57],
        rsqrt_count: words[58],
        fma_count: words[59],
        mad_count: words[60],
        conversion_count: words[61],
    });
    let histograms = options.has_histograms().then(|| {
        let histogram = |words: &[u64], first: i32| -> Histogram {
            (first..).zip(words).filter(|(_, n)| **n != 0).map(|(value, &n)| (value, n)).collect()
        };
        let (exponents, gaps) = words[WORDS..].split_at(3 * EXPONENTS.1);
        let slot = |k: usize| SlotHistograms {
            exponents: histogram(&exponents[k * EXPONENTS.1..(k + 1) * EXPONENTS.1], EXPONENTS.0),
            gaps: histogram(&gaps[k * GAPS.1..(k + 1) * GAPS.1], GAPS.0),
        };
        Box::new(Histograms { arg: [slot(0), slot(1)], result: slot(2) })
    });
    Collected { record, extra, histograms }
}
