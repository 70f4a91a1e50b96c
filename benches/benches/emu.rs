//! fp64emu against Berkeley SoftFloat 3e (crate softfloat-sys), both sides in one run: operations on independent
//! operands, of mixed signs with exponents near one, and positive in [1, 4).
//!
//! Its crates run CMake, which from version 4 on has to be told `CMAKE_POLICY_VERSION_MINIMUM=3.5`:
//! `cargo bench -p vernier-benches --features softfloat --bench emu`.

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use softfloat_sys::{f64_add, f64_div, f64_mul, f64_mulAdd, f64_sqrt, float64_t};
use std::hint::black_box;
use vernier::fp64emu;

const N: usize = 4096;

/// Doubles from a fixed linear congruential sequence.
fn operands(seed: u64, exponents: u64, signs: bool) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 11
    };
    (0..N)
        .map(|_| {
            let sign = if signs { next() & 1 } else { 0 };
            let field = 1023 - exponents / 2 + (next() >> 8) % (exponents + 2);
            sign << 63 | field << 52 | next() >> 1
        })
        .collect()
}

fn run(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, data: &[Vec<u64>; 3], op: impl Fn(u64, u64, u64) -> u64) {
    let [x, y, z] = data;
    group.bench_function(name, |b| {
        b.iter(|| {
            for i in 0..N {
                black_box(op(black_box(x[i]), black_box(y[i]), black_box(z[i])));
            }
        })
    });
}

fn compare(
    c: &mut Criterion,
    name: &str,
    data: &[Vec<u64>; 3],
    ours: impl Fn(fp64emu, fp64emu, fp64emu) -> fp64emu,
    theirs: impl Fn(float64_t, float64_t, float64_t) -> float64_t,
) {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(N as u64));
    let bits = fp64emu::from_bits;
    let word = |v| float64_t { v };
    run(&mut group, "fp64emu", data, |x, y, z| ours(bits(x), bits(y), bits(z)).to_bits());
    run(&mut group, "SoftFloat", data, |x, y, z| theirs(word(x), word(y), word(z)).v);
    group.finish();
}

fn benches(c: &mut Criterion) {
    for (what, exponents, signs) in [("mixed", 16, true), ("positive", 0, false)] {
        let data = [1, 2, 3].map(|seed| operands(seed, exponents, signs));
        let positive = data.clone().map(|x| x.into_iter().map(|x| x & !(1 << 63)).collect());
        // SAFETY: these functions of C take and return plain words; beside that they touch thread-local state alone.
        unsafe {
            compare(c, &format!("add {what}"), &data, |x, y, _| x + y, |x, y, _| f64_add(x, y));
            compare(c, &format!("mul {what}"), &data, |x, y, _| x * y, |x, y, _| f64_mul(x, y));
            compare(c, &format!("div {what}"), &data, |x, y, _| x / y, |x, y, _| f64_div(x, y));
            compare(c, &format!("sqrt {what}"), &positive, |x, _, _| x.sqrt(), |x, _, _| f64_sqrt(x));
            compare(c, &format!("fma {what}"), &data, |x, y, z| x.fma(y, z), |x, y, z| f64_mulAdd(x, y, z));
        }
    }
}

criterion_group!(all, benches);
criterion_main!(all);
