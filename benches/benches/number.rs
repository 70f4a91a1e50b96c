//! Judging results of e^x, of floats and doubles, against the obvious loop: MPFR at 200 bits, subtract, divide by the ulp.
//!
//! One iteration judges a block of 4096 results of the standard library, of arguments between -80 and 80.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rug::Float;
use std::hint::black_box;
use vernier_oracle::number::{Judge, bits};
use vernier_oracle::{Format, Function};

const CASES: usize = 4096;

fn obvious(x: f64, r: f64, digits: i32) -> f64 {
    let z = Float::with_val(200, x).exp();
    let exponent = z.get_exp().unwrap_or(0) - digits;
    let mut ulp = (Float::with_val(200, r) - &z).abs();
    ulp >>= exponent;
    ulp.to_f64()
}

fn bench(c: &mut Criterion) {
    for (name, format) in [("f32", Format::F32), ("f64", Format::F64)] {
        let numbers: Vec<f64> = (0..CASES).map(|i| (i as f64 + 0.1) * (160.0 / CASES as f64) - 80.0).collect();
        let args: Vec<u64> = numbers.iter().map(|&x| bits::of(x, format)).collect();
        let value = |&x: &u64| match format.p {
            24 => f32::from_bits(x as u32).exp().to_bits().into(),
            _ => f64::from_bits(x).exp().to_bits(),
        };
        let results: Vec<u64> = args.iter().map(value).collect();
        let judge = Judge::new(Function::Exp.values()[0], 1, format);
        let mut group = c.benchmark_group(format!("exp of {name}"));
        group.throughput(Throughput::Elements(CASES as u64));
        group.bench_function("judge", |b| {
            b.iter(|| {
                let mut worst = 0.0f64;
                judge.all(format, &[black_box(&args), &[], &[]], [black_box(&results), &[]], |_, j| {
                    worst = worst.max(j.ulp)
                });
                worst
            })
        });
        group.bench_function("obvious", |b| {
            b.iter(|| {
                let cases = black_box(&args).iter().zip(black_box(&results));
                let error =
                    |(&x, &r): (&u64, &u64)| obvious(bits::number(x, format), bits::number(r, format), format.p as i32);
                cases.map(error).fold(0.0, f64::max)
            })
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
