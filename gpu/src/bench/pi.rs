//! The pi benchmark: the midpoint rule for 4 times the integral of 1 / (1 + x^2) over [0, 1].
//!
//! n = 2^k terms are spread over 2^17 threads. With h = 1/n, thread t starts at x = (t + 1/2) h, adds 4 / (1 + x x) to its
//! partial sum and 2^17 h to x. Of a reduced format the partials are summed in `fp64mp2`; otherwise all constants, all operations and the final sum of the partials, in the order of the
//! threads, are carried out in the subject. The sum is then widened to double-double and multiplied by h.

use super::operation::{Definitions, limb, limbs, value as compose};
use super::{Author, Subject, Timing, time};
use crate::device::{Api, Build, Device, Error, Source};
use crate::kernel::dialect;
use crate::print::Rare;
use bytemuck::Pod;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::{Add, Div, Mul};
use vernier::emu::{self, unpacked};
use vernier::machine::exp2;
use vernier::{DoubleWord, Fp64Emu, Fp64EmuUnpacked, High, HostLimb, Level, Low, Mid, Stat};
use vernier::{fp32mp2_high, fp32mp2_low, fp32mp2_mid, fp64_custom, fp64mp2_high, fp64mp2_low, fp64mp2_mid};
use vernier_tape::tape::Ty;

/// log2 of the number of threads: 512 groups of 256.
pub(crate) const LOG2_THREADS: u32 = 17;
/// pi to double-double.
const PI: fp64mp2_high = DoubleWord::from_parts(std::f64::consts::PI, 1.224_646_799_147_353_2e-16);

/// A type that the benchmark can be run in on the host.
pub trait Number: Copy + Send + Sync + Add<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    /// Its limbs in memory.
    type Limb: Pod;
    /// Limbs in a number.
    const LIMBS: usize;
    /// `x`, which one limb holds.
    fn exact(x: f64) -> Self;
    /// From [`Self::LIMBS`] limbs, hi first.
    fn from_limbs(limbs: &[Self::Limb]) -> Self;
    /// A limb: 0 is hi.
    fn limb(self, slot: usize) -> Self::Limb;
    /// As double-double, hi = RN(hi + lo).
    fn widen(self) -> fp64mp2_high;
    /// (t + 1/2) h.
    fn start(t: u32, h: f64) -> Self {
        Self::exact((f64::from(t) + 0.5) * h)
    }
    /// The sum of the partials, in their type and order.
    fn total(partials: &[Self]) -> fp64mp2_high {
        partials.iter().fold(Self::exact(0.0), |sum, &p| sum + p).widen()
    }
}

macro_rules! native {
    ($($t:ty),*) => {$(
        impl Number for $t {
            type Limb = $t;
            const LIMBS: usize = 1;
            fn exact(x: f64) -> Self {
                x as $t
            }
            fn from_limbs(limbs: &[$t]) -> Self {
                limbs[0]
            }
            fn limb(self, _: usize) -> $t {
                self
            }
            fn widen(self) -> fp64mp2_high {
                DoubleWord::from_limb(self.into())
            }
        }
    )*};
}

native!(f32, f64);

impl<F: HostLimb + Pod, A: Level + Send + Sync> Number for DoubleWord<F, A> {
    type Limb = F;
    const LIMBS: usize = 2;
    fn exact(x: f64) -> Self {
        DoubleWord::from_limb(F::lit(x))
    }
    fn from_limbs(limbs: &[F]) -> Self {
        DoubleWord::from_parts(limbs[0], limbs[1])
    }
    fn limb(self, slot: usize) -> F {
        if slot == 0 { self.hi() } else { self.lo() }
    }
    fn widen(self) -> fp64mp2_high {
        DoubleWord::from_parts(self.hi().to_f64(), self.lo().to_f64()).canonical()
    }
}

impl<F: HostLimb + Pod, A: Level + Send + Sync> Number for Stat<DoubleWord<F, A>> {
    type Limb = F;
    const LIMBS: usize = 2;
    fn exact(x: f64) -> Self {
        DoubleWord::exact(x).into()
    }
    fn from_limbs(limbs: &[F]) -> Self {
        Stat::from_parts(limbs[0], limbs[1])
    }
    fn limb(self, slot: usize) -> F {
        self.pair().limb(slot)
    }
    fn widen(self) -> fp64mp2_high {
        self.pair().widen()
    }
}

impl<A: emu::Level + Send + Sync> Number for Fp64Emu<A> {
    type Limb = u64;
    const LIMBS: usize = 1;
    fn exact(x: f64) -> Self {
        Self::from_f64(x)
    }
    fn from_limbs(limbs: &[u64]) -> Self {
        Self::from_bits(limbs[0])
    }
    fn limb(self, _: usize) -> u64 {
        self.to_bits()
    }
    fn widen(self) -> fp64mp2_high {
        DoubleWord::from_limb(self.to_f64())
    }
}

/// In memory sign and exponent are one word, above and below.
impl<A: unpacked::Level + Send + Sync> Number for Fp64EmuUnpacked<A> {
    type Limb = u64;
    const LIMBS: usize = 2;
    fn exact(x: f64) -> Self {
        Self::from_f64(x)
    }
    fn from_limbs(limbs: &[u64]) -> Self {
        Self::from_parts((limbs[0] >> 32) as u32, limbs[0] as u32 as i32, limbs[1])
    }
    fn limb(self, slot: usize) -> u64 {
        let (sign, exponent, significand) = self.to_parts();
        if slot == 0 { u64::from(sign) << 32 | u64::from(exponent as u32) } else { significand }
    }
    fn widen(self) -> fp64mp2_high {
        let (x, hi) = (self.to_level::<High>(), self.to_f64());
        DoubleWord::from_parts(hi, (x - hi).to_f64())
    }
}

/// Operations reduce the start too; the partials are summed in `fp64mp2`.
impl<const E: u32, const M: u32> Number for fp64_custom<E, M> {
    type Limb = f64;
    const LIMBS: usize = 1;
    fn exact(x: f64) -> Self {
        Self::new(x)
    }
    fn from_limbs(limbs: &[f64]) -> Self {
        Self::new(limbs[0])
    }
    fn limb(self, _: usize) -> f64 {
        self.to_f64()
    }
    fn widen(self) -> fp64mp2_high {
        DoubleWord::from_limb(self.to_f64())
    }
    fn start(t: u32, h: f64) -> Self {
        (Self::new(t.into()) + 0.5) * h
    }
    fn total(partials: &[Self]) -> fp64mp2_high {
        let sum = partials.iter().fold(fp64mp2_mid::default(), |sum, p| sum + fp64mp2_mid::from_limb(p.to_f64()));
        sum.to_level()
    }
}

/// log2 of a number of terms: at least one per thread, and x distinct in `float`'s exponent range.
pub(crate) fn log2_terms(k: u32) -> u32 {
    k.clamp(LOG2_THREADS, 40)
}

/// The partial sum of thread `t` of 2^`k` terms.
pub(crate) fn partial<T: Number>(k: u32, t: u32) -> T {
    let k = log2_terms(k);
    terms(T::start(t, exp2(-(k as i32))), exp2(LOG2_THREADS as i32 - k as i32), 1 << (k - LOG2_THREADS))
}

/// The sum of 4 / (1 + x x) for so many x, from the first by steps that a limb holds.
pub(super) fn terms<T: Number>(mut x: T, step: f64, count: u64) -> T {
    let (one, four, step, mut sum) = (T::exact(1.0), T::exact(4.0), T::exact(step), T::exact(0.0));
    for _ in 0..count {
        sum = sum + four / (one + x * x);
        x = x + step;
    }
    sum
}

/// The partial sums of 2^`k` terms, on all cores.
pub fn partials<T: Number>(k: u32) -> Vec<T> {
    (0..1u32 << LOG2_THREADS).into_par_iter().map(|t| partial(k, t)).collect()
}

/// The sum of the partials of 2^`k` terms, in their type and order, widened and multiplied by h.
pub fn sum<T: Number>(partials: &[T], k: u32) -> fp64mp2_high {
    scaled(T::total(partials), k)
}

/// The same, each partial rounded to double and the sum in double.
pub fn sum_in_double<T: Number>(partials: &[T], k: u32) -> fp64mp2_high {
    scaled(DoubleWord::from_limb(partials.iter().fold(0.0, |sum, p| sum + p.widen().hi())), k)
}

/// Times h.
pub(super) fn scaled(x: fp64mp2_high, k: u32) -> fp64mp2_high {
    let h = exp2(-(log2_terms(k) as i32));
    DoubleWord::from_parts(x.hi() * h, x.lo() * h)
}

/// Correct decimal digits of an approximation of pi: -log10 of its relative error.
pub fn digits(value: fp64mp2_high) -> f64 {
    let error = value - PI;
    -((error.hi() + error.lo()).abs() / PI.hi()).log10()
}

/// One run of the benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pi {
    /// The type.
    pub subject: Subject,
    /// log2 of the number of terms.
    pub log2_terms: u32,
    /// The value, hi and lo.
    pub value: [f64; 2],
    /// The value in decimal, to 17 digits; of `fp64mp2` to 33; of a reduced format hi.
    pub text: String,
    /// Correct digits.
    pub digits: f64,
    /// Correct digits with the partials summed in double.
    pub digits_summed_in_double: f64,
    /// Whether the partials are the host's to the bit; none on the host itself, or where it was not compared.
    pub host_bits: Option<bool>,
    /// On a device: the time of the kernel.
    pub timing: Option<Timing>,
    /// On a device or timed on the host, where double was measured with as many terms: double's time over this.
    pub speed_vs_double: Option<f64>,
}

fn judged<T: Number>(subject: Subject, k: u32, partials: &[T]) -> Pi {
    let value = sum(partials, k);
    let wide = subject.family() == "fp64mp2";
    Pi {
        subject,
        log2_terms: log2_terms(k),
        value: [value.hi(), value.lo()],
        text: match subject.sizes() {
            Some(_) => format!("{:.16}", value.hi()),
            None if wide => format!("{value:.32}"),
            None => format!("{value:.16}"),
        },
        digits: digits(value),
        digits_summed_in_double: digits(sum_in_double(partials, k)),
        host_bits: None,
        timing: None,
        speed_vs_double: None,
    }
}

/// Runs an expression with the type of a subject; or, where a list is given, with what that has for it.
macro_rules! with_number {
    (@of $subject:expr, $T:ident => $body:expr; $($variant:ident = $number:ty,)* $(_ = $other:ty)?) => {
        match $subject {
            $(Subject::$variant => {
                type $T = $number;
                $body
            })*
            $(_ => {
                type $T = $other;
                $body
            })?
        }
    };
    ($subject:expr, $T:ident => $body:expr) => {
        with_number!(@of $subject, $T => $body;
            Float = f32,
            Double = f64,
            Fp32mp2Low = fp32mp2_low,
            Fp32mp2Mid = fp32mp2_mid,
            Fp32mp2High = fp32mp2_high,
            Fp64mp2Low = fp64mp2_low,
            Fp64mp2Mid = fp64mp2_mid,
            Fp64mp2High = fp64mp2_high,
            Fp64emuLow = Fp64Emu<Low>,
            Fp64emuMid = Fp64Emu<Mid>,
            Fp64emuHigh = Fp64Emu<High>,
            Fp64emuUnpackedLow = Fp64EmuUnpacked<Low>,
            Fp64emuUnpackedMid = Fp64EmuUnpacked<Mid>,
            Fp64emuUnpackedHigh = Fp64EmuUnpacked<High>,
            CustomE11M52 = fp64_custom<11, 52>,
            CustomE11M23 = fp64_custom<11, 23>,
            CustomE8M23 = fp64_custom<8, 23>,
            CustomE6M23 = fp64_custom<6, 23>,
            CustomE11M10 = fp64_custom<11, 10>,
            CustomE11M7 = fp64_custom<11, 7>,
            CustomE11M0 = fp64_custom<11, 0>,
            CustomE5M23 = fp64_custom<5, 23>,
        )
    };
}

pub(super) use with_number;

/// The benchmark with 2^`k` terms on the host; `k` is taken into 17..=40.
pub fn pi_host(subject: Subject, k: u32) -> Pi {
    with_number!(subject, T => judged(subject, k, &partials::<T>(k)))
}

/// (t + 1/2) h of a thread t in a native type: `limb`.
pub(crate) fn begin(api: Api, limb: Ty) -> &'static str {
    match (api, limb) {
        (Api::Cuda, Ty::F32) => "__fmul_rn(__fadd_rn((float)t, 0.5f), h)",
        (Api::Cuda, _) => "__dmul_rn(__dadd_rn((double)t, 0.5), h)",
        (Api::OpenCl, Ty::F32) => "((float)t + 0.5f) * h",
        (Api::OpenCl, _) => "((double)t + 0.5) * h",
    }
}

/// The same as the bits of a double, by integers: every step is exact.
fn emulated_begin(d: &mut Definitions<'_>) -> String {
    let [convert, add, mul] =
        ["from_u32", "add", "mul"].map(|op| d.operation(Subject::Fp64emuHigh, op, Author::Vernier));
    format!("{mul}({add}({convert}(t), {}), h)", limb(d.0.dialect, Subject::Fp64emuHigh, 0.5))
}

/// These subjects, double among them.
pub fn with_double(subjects: &[Subject]) -> Vec<Subject> {
    let missing = (!subjects.contains(&Subject::Double)).then_some(Subject::Double);
    missing.into_iter().chain(subjects.iter().copied()).collect()
}

/// Sets the speed of runs with as many terms relative to that of double among them.
pub fn against_double(rows: &mut [Pi]) {
    let seconds = |p: &Pi| p.timing.map(|t| t.median);
    let double = rows.iter().find(|p| p.subject == Subject::Double).and_then(seconds);
    for p in rows {
        p.speed_vs_double = double.zip(seconds(p)).map(|(d, s)| d / s);
    }
}

/// A program with the kernel `vernier_pi_NAME` of every subject.
pub fn kernel_source(api: Api, subjects: &[Subject], rare: Rare) -> Source {
    let dialect = &*dialect(api);
    let mut d = Definitions::new(dialect, rare);
    d.0.text += &super::text::environment(api);
    for &subject in subjects {
        let [add, mul, div] = ["add", "mul", "div"].map(|op| d.operation(subject, op, Author::Vernier));
        d.parts(subject);
        let kind = subject.kind();
        let begin = match subject.limb() {
            Ty::U64 => emulated_begin(&mut d),
            limb => begin(api, limb).into(),
        };
        let start = match subject.sizes() {
            Some(_) => format!("{mul}({add}((double)t, 0.5), h)"),
            None => compose(dialect, kind, "start", "zero"),
        };
        let of = |hi: &str| compose(dialect, kind, hi, "zero");
        let mut store = String::new();
        for (s, limb) in limbs(dialect, kind, "sum").iter().enumerate() {
            store += &format!("    partials[{} * (vernier_u64)t + {s}] = {limb};\n", subject.limbs());
        }
        let text = include_str!("pi.txt")
            .replace("$store", &store)
            .replace("$begin", &begin)
            .replace("$unit", &limb(dialect, subject, 1.0))
            .replace("$fourfold", &limb(dialect, subject, 4.0))
            .replace("$name", &subject.name())
            .replace("$limb", dialect.ty(subject.limb()))
            .replace("$type", dialect.kind(kind))
            .replace("$one", &of("one_limb"))
            .replace("$four", &of("four_limb"))
            .replace("$dx", &of("step"))
            .replace("$x", &start)
            .replace("$sum", &of("zero"))
            .replace("$add", &add)
            .replace("$mul", &mul)
            .replace("$div", &div);
        d.0.text += &text;
    }
    Source::new(if api == Api::Cuda { "pi.cu" } else { "pi.cl" }, d.0.text)
}

/// Runs on a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PiRun {
    /// Device, driver, compiler and options.
    pub build: Build,
    /// By number of terms, then subject.
    pub rows: Vec<Pi>,
}

/// The benchmark on a device, for each number 2^`k` of terms and each subject; double is always measured beside. Each time
/// is the median of `launches` launches after an untimed one. Partials are compared with the host's up to
/// 2^`compared` terms.
///
/// # Errors
/// If the device fails.
pub fn pi_on(
    device: &Device,
    subjects: &[Subject],
    terms: &[u32],
    launches: u32,
    compared: u32,
    rare: Rare,
) -> Result<PiRun, Error> {
    let subjects = with_double(subjects);
    let program = device.compile(&kernel_source(device.api(), &subjects, rare))?;
    let mut rows = Vec::new();
    for &k in terms {
        let k = log2_terms(k);
        let mut at_k = Vec::new();
        for &subject in &subjects {
            let kernel = program.kernel(&format!("vernier_pi_{}", subject.name()))?;
            at_k.push(with_number!(subject, T => {
                let (limbs, timing) = run::<T>(device, &kernel, subject, k, launches)?;
                let found: Vec<T> = limbs.chunks(T::LIMBS).map(T::from_limbs).collect();
                Pi {
                    host_bits: (k <= compared).then(|| same_bits(&partials::<T>(k), &limbs)),
                    timing: Some(timing),
                    ..judged(subject, k, &found)
                }
            }));
        }
        against_double(&mut at_k);
        rows.extend(at_k);
    }
    Ok(PiRun { build: program.build().clone(), rows })
}

/// Whether the limbs of a device are those of the host, bit for bit.
fn same_bits<T: Number>(host: &[T], limbs: &[T::Limb]) -> bool {
    let host: Vec<T::Limb> = host.iter().flat_map(|x| (0..T::LIMBS).map(|s| x.limb(s))).collect();
    bytemuck::cast_slice::<_, u8>(&host) == bytemuck::cast_slice::<_, u8>(limbs)
}

fn run<T: Number>(
    device: &Device,
    kernel: &crate::device::Kernel,
    subject: Subject,
    k: u32,
    launches: u32,
) -> Result<(Vec<T::Limb>, Timing), Error> {
    let group = if device.api() == Api::Cuda { 256 } else { device.group_size() };
    let out = device.zeros::<T::Limb>(T::LIMBS << LOG2_THREADS)?;
    let (h, step) = (exp2(-(k as i32)), exp2(LOG2_THREADS as i32 - k as i32));
    let launch = |terms: u32| {
        let [h, step] = [h, step].map(|x| subject.argument(x));
        device.launch(kernel, (1 << LOG2_THREADS) / group, group, &[terms.into(), h, step, out.arg()])
    };
    launch(1)?;
    let timing = time(device, launches, || launch(1 << (k - LOG2_THREADS)))?;
    Ok((device.download(&out)?, timing))
}
