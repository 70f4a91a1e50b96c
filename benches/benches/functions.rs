//! Mathematical functions of fp64mp2 against their peers, all in one run on the same operands: libquadmath (113 bits), QD's
//! dd_real, crate twofloat, and the C library's double, which computes hi alone. And functions of slices against the same
//! functions of pairs, one after the other, at both widths.
//!
//! Needs g++ and libqd-dev: `cargo bench -p vernier-benches --features peers --bench functions`.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use std::ffi::c_void;
use std::hint::black_box;
use std::ops::Range;
use std::time::Duration;
use twofloat::TwoFloat;
use vernier::{DoubleWord, HostLimb, fp32mp2, fp64mp2, slice};
// It links the loops.
use vernier_benches as _;

const N: usize = 1024;

type Group<'a> = BenchmarkGroup<'a, WallTime>;
type Loop = unsafe extern "C" fn(*const c_void, *const c_void, *mut c_void, usize);

macro_rules! peers {
    ($($name:ident)*) => {
        unsafe extern "C" {
            fn peers_to_quad(x: *const f64, r: *mut c_void, n: usize);
            // The C library's.
            safe fn erf(x: f64) -> f64;
            safe fn erfc(x: f64) -> f64;
            safe fn tgamma(x: f64) -> f64;
            safe fn lgamma(x: f64) -> f64;
            safe fn j0(x: f64) -> f64;
            safe fn y0(x: f64) -> f64;
            $(fn $name(x: *const c_void, y: *const c_void, r: *mut c_void, n: usize);)*
        }
    };
}

peers!(qd_exp qd_log qd_log10 qd_cbrt qd_pow quad_exp quad_expm1 quad_log quad_log2 quad_log10 quad_log1p quad_cbrt
    quad_pow quad_hypot qd_sin qd_cos qd_tan qd_asin qd_acos qd_atan qd_atan2 qd_sinh qd_cosh qd_tanh qd_asinh qd_acosh
    qd_atanh qd_fmod quad_sin quad_cos quad_tan quad_asin quad_acos quad_atan quad_atan2 quad_sinh quad_cosh quad_tanh
    quad_asinh quad_acosh quad_atanh quad_fmod quad_remainder quad_erf quad_erfc
    quad_tgamma quad_lgamma quad_j0 quad_y0);

/// A function and who has it.
struct Row {
    name: &'static str,
    /// Of its arguments.
    domain: [Range<f64>; 2],
    ours: fn(fp64mp2, fp64mp2) -> fp64mp2,
    quad: Option<Loop>,
    qd: Option<Loop>,
    twofloat: Option<fn(TwoFloat, TwoFloat) -> TwoFloat>,
    double: fn(f64, f64) -> f64,
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row { name: "exp", domain: [-700.0..700.0, 0.0..1.0], ours: |x, _| x.exp(), quad: Some(quad_exp), qd: Some(qd_exp), twofloat: Some(|x, _| x.exp()), double: |x, _| x.exp() },
    Row { name: "exp2", domain: [-1000.0..1000.0, 0.0..1.0], ours: |x, _| x.exp2(), quad: None, qd: None, twofloat: Some(|x, _| x.exp2()), double: |x, _| x.exp2() },
    Row { name: "exp10", domain: [-300.0..300.0, 0.0..1.0], ours: |x, _| x.exp10(), quad: None, qd: None, twofloat: None, double: |x, _| 10f64.powf(x) },
    Row { name: "expm1", domain: [-1.0..1.0, 0.0..1.0], ours: |x, _| x.expm1(), quad: Some(quad_expm1), qd: None, twofloat: Some(|x, _| x.exp_m1()), double: |x, _| x.exp_m1() },
    Row { name: "log", domain: [0.01..100.0, 0.0..1.0], ours: |x, _| x.log(), quad: Some(quad_log), qd: Some(qd_log), twofloat: Some(|x, _| x.ln()), double: |x, _| x.ln() },
    Row { name: "log2", domain: [0.01..100.0, 0.0..1.0], ours: |x, _| x.log2(), quad: Some(quad_log2), qd: None, twofloat: Some(|x, _| x.log2()), double: |x, _| x.log2() },
    Row { name: "log10", domain: [0.01..100.0, 0.0..1.0], ours: |x, _| x.log10(), quad: Some(quad_log10), qd: Some(qd_log10), twofloat: Some(|x, _| x.log10()), double: |x, _| x.log10() },
    Row { name: "log1p", domain: [-0.9..10.0, 0.0..1.0], ours: |x, _| x.log1p(), quad: Some(quad_log1p), qd: None, twofloat: Some(|x, _| x.ln_1p()), double: |x, _| x.ln_1p() },
    Row { name: "pow", domain: [0.01..100.0, -20.0..20.0], ours: |x, y| x.pow(y), quad: Some(quad_pow), qd: Some(qd_pow), twofloat: Some(|x, y| x.powf(y)), double: |x, y| x.powf(y) },
    Row { name: "cbrt", domain: [0.01..100.0, 0.0..1.0], ours: |x, _| x.cbrt(), quad: Some(quad_cbrt), qd: Some(qd_cbrt), twofloat: Some(|x, _| x.cbrt()), double: |x, _| x.cbrt() },
    Row { name: "hypot", domain: [0.01..100.0, 0.01..100.0], ours: |x, y| x.hypot(y), quad: Some(quad_hypot), qd: None, twofloat: Some(|x, y| x.hypot(y)), double: |x, y| x.hypot(y) },
    Row { name: "sin", domain: [-100.0..100.0, 0.0..1.0], ours: |x, _| x.sin(), quad: Some(quad_sin), qd: Some(qd_sin), twofloat: Some(|x, _| x.sin()), double: |x, _| x.sin() },
    Row { name: "cos", domain: [-100.0..100.0, 0.0..1.0], ours: |x, _| x.cos(), quad: Some(quad_cos), qd: Some(qd_cos), twofloat: Some(|x, _| x.cos()), double: |x, _| x.cos() },
    Row { name: "tan", domain: [-100.0..100.0, 0.0..1.0], ours: |x, _| x.tan(), quad: Some(quad_tan), qd: Some(qd_tan), twofloat: Some(|x, _| x.tan()), double: |x, _| x.tan() },
    Row { name: "asin", domain: [-1.0..1.0, 0.0..1.0], ours: |x, _| x.asin(), quad: Some(quad_asin), qd: Some(qd_asin), twofloat: Some(|x, _| x.asin()), double: |x, _| x.asin() },
    Row { name: "acos", domain: [-1.0..1.0, 0.0..1.0], ours: |x, _| x.acos(), quad: Some(quad_acos), qd: Some(qd_acos), twofloat: Some(|x, _| x.acos()), double: |x, _| x.acos() },
    Row { name: "atan", domain: [-10.0..10.0, 0.0..1.0], ours: |x, _| x.atan(), quad: Some(quad_atan), qd: Some(qd_atan), twofloat: Some(|x, _| x.atan()), double: |x, _| x.atan() },
    Row { name: "atan2", domain: [-10.0..10.0, -10.0..10.0], ours: |x, y| x.atan2(y), quad: Some(quad_atan2), qd: Some(qd_atan2), twofloat: Some(|x, y| x.atan2(y)), double: |x, y| x.atan2(y) },
    Row { name: "sinh", domain: [-10.0..10.0, 0.0..1.0], ours: |x, _| x.sinh(), quad: Some(quad_sinh), qd: Some(qd_sinh), twofloat: Some(|x, _| x.sinh()), double: |x, _| x.sinh() },
    Row { name: "cosh", domain: [-10.0..10.0, 0.0..1.0], ours: |x, _| x.cosh(), quad: Some(quad_cosh), qd: Some(qd_cosh), twofloat: Some(|x, _| x.cosh()), double: |x, _| x.cosh() },
    Row { name: "tanh", domain: [-10.0..10.0, 0.0..1.0], ours: |x, _| x.tanh(), quad: Some(quad_tanh), qd: Some(qd_tanh), twofloat: Some(|x, _| x.tanh()), double: |x, _| x.tanh() },
    Row { name: "asinh", domain: [-100.0..100.0, 0.0..1.0], ours: |x, _| x.asinh(), quad: Some(quad_asinh), qd: Some(qd_asinh), twofloat: Some(|x, _| x.asinh()), double: |x, _| x.asinh() },
    Row { name: "acosh", domain: [1.0..100.0, 0.0..1.0], ours: |x, _| x.acosh(), quad: Some(quad_acosh), qd: Some(qd_acosh), twofloat: Some(|x, _| x.acosh()), double: |x, _| x.acosh() },
    Row { name: "atanh", domain: [-1.0..1.0, 0.0..1.0], ours: |x, _| x.atanh(), quad: Some(quad_atanh), qd: Some(qd_atanh), twofloat: Some(|x, _| x.atanh()), double: |x, _| x.atanh() },
    Row { name: "fmod", domain: [-100.0..100.0, 0.5..1.0], ours: |x, y| x.fmod(y), quad: Some(quad_fmod), qd: Some(qd_fmod), twofloat: Some(|x, y| x % y), double: |x, y| x % y },
    Row { name: "remainder", domain: [-100.0..100.0, 0.5..1.0], ours: |x, y| x.remainder(y), quad: Some(quad_remainder), qd: None, twofloat: None, double: |x, y| x - (x / y).round_ties_even() * y },
    Row { name: "erf", domain: [-5.0..5.0, 0.0..1.0], ours: |x, _| x.erf(), quad: Some(quad_erf), qd: None, twofloat: None, double: |x, _| erf(x) },
    Row { name: "erfc", domain: [-5.0..9.0, 0.0..1.0], ours: |x, _| x.erfc(), quad: Some(quad_erfc), qd: None, twofloat: None, double: |x, _| erfc(x) },
    Row { name: "tgamma", domain: [0.1..20.0, 0.0..1.0], ours: |x, _| x.tgamma(), quad: Some(quad_tgamma), qd: None, twofloat: None, double: |x, _| tgamma(x) },
    Row { name: "lgamma", domain: [0.1..20.0, 0.0..1.0], ours: |x, _| x.lgamma(), quad: Some(quad_lgamma), qd: None, twofloat: None, double: |x, _| lgamma(x) },
    Row { name: "j0", domain: [0.1..20.0, 0.0..1.0], ours: |x, _| x.j0(), quad: Some(quad_j0), qd: None, twofloat: None, double: |x, _| j0(x) },
    Row { name: "y0", domain: [0.1..20.0, 0.0..1.0], ours: |x, _| x.y0(), quad: Some(quad_y0), qd: None, twofloat: None, double: |x, _| y0(x) },
];

/// Pairs with hi in a range, hi and lo one after the other, from a fixed linear congruential sequence. lo is that of pairs of
/// binary64.
fn operands(seed: u64, range: &Range<f64>) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut pair = || {
        let hi = range.start + (range.end - range.start) * next();
        [hi, hi * (next() - 0.5) * f64::EPSILON * 0.5]
    };
    (0..N).flat_map(|_| pair()).collect()
}

/// The operands as libquadmath has them.
fn quad(x: &[f64]) -> Vec<u128> {
    let mut r = vec![0u128; N];
    // SAFETY: N pairs are read and N numbers of 16 bytes written, aligned as u128 is.
    unsafe { peers_to_quad(x.as_ptr(), r.as_mut_ptr().cast(), N) };
    r
}

/// One evaluation after another on independent operands.
fn rust<T: Copy>(group: &mut Group<'_>, name: &str, [x, y]: [&[T]; 2], op: impl Fn(T, T) -> T) {
    let mut out: Vec<T> = x.to_vec();
    group.bench_function(name, |b| {
        b.iter(|| {
            for ((r, &x), &y) in out.iter_mut().zip(black_box(x)).zip(black_box(y)) {
                *r = op(x, y);
            }
            black_box(&mut out);
        })
    });
}

/// A peer's loop over operands that it holds as `T`.
fn foreign<T: Copy>(group: &mut Group<'_>, name: &str, [x, y]: [&[T]; 2], n: usize, run: Loop) {
    let mut out: Vec<T> = x.to_vec();
    let [x, y] = [x, y].map(|x| x.as_ptr().cast());
    // SAFETY: n numbers of each operand are read, and as many written into a copy of the first.
    group.bench_function(name, |b| b.iter(|| unsafe { run(black_box(x), black_box(y), out.as_mut_ptr().cast(), n) }));
}

fn bench(c: &mut Criterion) {
    for row in ROWS {
        let doubles = [operands(1, &row.domain[0]), operands(2, &row.domain[1])];
        let mut group = group(c, row.name);
        let pairs = |x: &[f64]| x.chunks_exact(2).map(|p| fp64mp2::from_parts(p[0], p[1])).collect::<Vec<_>>();
        let [x, y] = [pairs(&doubles[0]), pairs(&doubles[1])];
        rust(&mut group, "fp64mp2", [&x, &y], row.ours);
        if let Some(run) = row.quad {
            let [x, y] = [quad(&doubles[0]), quad(&doubles[1])];
            foreign(&mut group, "libquadmath", [&x, &y], N, run);
        }
        if let Some(run) = row.qd {
            foreign(&mut group, "QD", [&doubles[0], &doubles[1]], N, run);
        }
        if let Some(op) = row.twofloat {
            let theirs = |x: &[f64]| x.chunks_exact(2).map(|p| TwoFloat::new_add(p[0], p[1])).collect::<Vec<_>>();
            rust(&mut group, "twofloat", [&theirs(&doubles[0]), &theirs(&doubles[1])], op);
        }
        let hi = |x: &[f64]| x.iter().copied().step_by(2).collect::<Vec<_>>();
        rust(&mut group, "double of the C library", [&hi(&doubles[0]), &hi(&doubles[1])], row.double);
        group.finish();
    }
}

fn group<'a>(c: &'a mut Criterion, name: &str) -> Group<'a> {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(N as u64));
    group.sample_size(20).measurement_time(Duration::from_millis(800)).warm_up_time(Duration::from_millis(300));
    group
}

/// Operands, and where results go.
type Whole<T> = fn([&[T]; 4], &mut [T]);

fn slices<F: HostLimb>(
    c: &mut Criterion,
    name: &str,
    domain: &Range<f64>,
    one: Whole<DoubleWord<F>>,
    all: Whole<DoubleWord<F>>,
) {
    let pair = |x: &[f64]| {
        let hi = F::lit(x[0]);
        let lo = hi * F::lit(x[1] / x[0] / f64::EPSILON) * F::lit((1.0 - f64::from(F::P)).exp2());
        DoubleWord::from_parts(hi, lo)
    };
    let args = [1, 2, 3, 4].map(|seed| operands(seed, domain).chunks_exact(2).map(pair).collect::<Vec<_>>());
    let args = [0, 1, 2, 3].map(|i| &args[i][..]);
    let mut out = args[0].to_vec();
    let mut group = group(c, &format!("{}/{name}", F::PAIR));
    for (by, run) in [("one by one", one), ("slice", all)] {
        group.bench_function(by, |b| b.iter(|| run(black_box(args), black_box(&mut out))));
    }
    group.finish();
}

macro_rules! slices {
    ($($name:ident($($i:literal)*) in $domain:expr;)*) => {
        fn of_slices(c: &mut Criterion) {
            $(
                let domain = $domain;
                slices_of!(c, $name($($i)*), &domain, fp32mp2);
                slices_of!(c, $name($($i)*), &domain, fp64mp2);
            )*
        }
    };
}

macro_rules! slices_of {
    ($c:ident, $name:ident($($i:literal)*), $domain:expr, $ty:ty) => {
        slices(
            $c,
            stringify!($name),
            $domain,
            |x: [&[$ty]; 4], out| {
                for (i, r) in out.iter_mut().enumerate() {
                    *r = vernier::$name($(x[$i][i]),*);
                }
            },
            |x, out| slice::$name($(x[$i],)* out),
        )
    };
}

slices! {
    exp(0) in -60.0..60.0;
    exp2(0) in -60.0..60.0;
    exp10(0) in -25.0..25.0;
    expm1(0) in -1.0..1.0;
    log(0) in 0.01..100.0;
    log2(0) in 0.01..100.0;
    log10(0) in 0.01..100.0;
    log1p(0) in -0.9..10.0;
    pow(0 1) in 0.01..10.0;
    cbrt(0) in 0.01..100.0;
    rcbrt(0) in 0.01..100.0;
    hypot(0 1) in 0.01..100.0;
    rhypot(0 1) in 0.01..100.0;
    norm3d(0 1 2) in 0.01..100.0;
    norm4d(0 1 2 3) in 0.01..100.0;
    rnorm3d(0 1 2) in 0.01..100.0;
    rnorm4d(0 1 2 3) in 0.01..100.0;
}

criterion_group!(all, bench, of_slices);
criterion_main!(all);
