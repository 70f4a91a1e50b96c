//! fp64mp2 against crate twofloat, both sides in one run: scalar operations and slices of 4096.

use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use std::hint::black_box;
use twofloat::TwoFloat;
use vernier::{fp64mp2, slice};

const N: usize = 4096;

/// Normalised pairs with hi in [1, 4), from a fixed linear congruential sequence.
fn operands(seed: u64) -> Vec<(f64, f64)> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..N)
        .map(|_| {
            let hi = 1.0 + 3.0 * next();
            (hi, hi * (next() - 0.5) * f64::EPSILON * 0.5)
        })
        .collect()
}

fn ours(x: &[(f64, f64)]) -> Vec<fp64mp2> {
    x.iter().map(|&(hi, lo)| fp64mp2::from_parts(hi, lo)).collect()
}

fn theirs(x: &[(f64, f64)]) -> Vec<TwoFloat> {
    x.iter().map(|&(hi, lo)| TwoFloat::new_add(hi, lo)).collect()
}

/// One operation after another on independent operands, results kept out of the optimiser's sight.
fn scalar<T: Copy>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, x: &[T], y: &[T], op: impl Fn(T, T) -> T) {
    group.throughput(Throughput::Elements(N as u64));
    group.bench_function(name, |b| {
        b.iter(|| {
            for (&x, &y) in x.iter().zip(y) {
                black_box(op(black_box(x), black_box(y)));
            }
        })
    });
}

/// One operation after another, each on the result of the one before: latency.
fn chain<T: Copy>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, start: T, y: &[T], op: impl Fn(T, T) -> T) {
    group.throughput(Throughput::Elements(N as u64));
    group.bench_function(name, |b| b.iter(|| black_box(y).iter().fold(black_box(start), |x, &y| op(x, y))));
}

fn whole<T: Copy + Default>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    x: &[T],
    y: &[T],
    op: impl Fn(&[T], &[T], &mut [T]),
) {
    group.throughput(Throughput::Elements(N as u64));
    group.bench_function(name, |b| {
        b.iter_batched_ref(|| vec![T::default(); N], |out| op(black_box(x), black_box(y), out), BatchSize::LargeInput)
    });
}

fn benches(c: &mut Criterion) {
    let (x, y) = (operands(1), operands(2));
    let (a, b) = (ours(&x), ours(&y));
    let (p, q) = (theirs(&x), theirs(&y));

    // Factors so close to 1 that no chain leaves the range.
    let near_one: Vec<_> = y.iter().map(|&(hi, lo)| (1.0 + hi * 1e-5, lo * 1e-5)).collect();
    let (near_a, near_p) = (ours(&near_one), theirs(&near_one));

    macro_rules! pair_of {
        ($name:literal, $op:expr) => {
            let mut group = c.benchmark_group(concat!("scalar/", $name));
            scalar(&mut group, "vernier", &a, &b, $op);
            scalar(&mut group, "twofloat", &p, &q, $op);
            group.finish();
            let mut group = c.benchmark_group(concat!("chain/", $name));
            chain(&mut group, "vernier", a[0], &near_a, $op);
            chain(&mut group, "twofloat", p[0], &near_p, $op);
            group.finish();
        };
    }
    pair_of!("add", |x, y| x + y);
    pair_of!("mul", |x, y| x * y);
    pair_of!("div", |x, y| x / y);
    pair_of!("sqrt", |x, _| x.sqrt());

    macro_rules! slices_of {
        ($name:ident, $op:tt) => {
            let mut group = c.benchmark_group(concat!("slice4096/", stringify!($name)));
            whole(&mut group, "vernier", &a, &b, slice::$name);
            whole(&mut group, "twofloat", &p, &q, |x, y, out| {
                for ((&x, &y), out) in x.iter().zip(y).zip(out) {
                    *out = x $op y;
                }
            });
            group.finish();
        };
    }
    slices_of!(add, +);
    slices_of!(mul, *);
    slices_of!(div, /);
}

criterion_group! {
    name = pairs;
    config = Criterion::default().sample_size(30);
    targets = benches
}
criterion_main!(pairs);
