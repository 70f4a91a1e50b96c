//! Judging results against the obvious loop: allocate three `rug::Float` of 200 bits, compute, subtract, divide.
//!
//! One iteration judges a block of 1024 cases: operands of random significands and exponents in [-20, 20], results that are
//! the best pair moved by a few units of its last place.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rug::Float;
use std::hint::black_box;
use vernier_oracle::target::arity;
use vernier_oracle::{Args, Op, Pair, Target, judge_block, round_pair};

const CASES: usize = 1024;

const OPS: [(Op, &str); 9] = [
    (Op::Add, "add"),
    (Op::Sub, "sub"),
    (Op::Mul, "mul"),
    (Op::Div, "div"),
    (Op::Acc, "acc"),
    (Op::Fma, "fma"),
    (Op::Mad, "mad"),
    (Op::Sqrt, "sqrt"),
    (Op::Rsqrt, "rsqrt"),
];

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// In (-1, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    fn pair(&mut self, target: &Target) -> Pair {
        let e = (self.next() % 41) as i32 - 20;
        let hi = (1.5 + 0.5 * self.unit()) * 2f64.powi(e);
        let lo = 0.5 * self.unit() * 2f64.powi(e - target.limb.p as i32);
        let hi = if self.next() & 1 == 0 { hi } else { -hi };
        if *target == Target::FP32MP2 { (hi as f32 as f64, lo as f32 as f64) } else { (hi, lo) }
    }
}

/// Operands and results of a block.
fn cases(op: Op, target: &Target) -> (Vec<Args>, Vec<Pair>) {
    let mut rng = Rng(0x2545_f491_4f6c_dd1d);
    (0..CASES)
        .map(|_| {
            let mut args = Args::default().map(|_| rng.pair(target));
            if matches!(op, Op::Sqrt | Op::Rsqrt) && args[0].0 < 0.0 {
                args[0] = (-args[0].0, -args[0].1);
            }
            if op == Op::Acc {
                args[1].1 = 0.0;
            }
            let r = round_pair(op, &args[..arity(op).unwrap_or(0)], target.limb);
            let off = (1.0 + rng.unit() * 16.0 * 2f64.powi(-(target.limb.p as i32))) * r.1;
            let lo = if *target == Target::FP32MP2 { off as f32 as f64 } else { off };
            (args, (r.0, lo))
        })
        .unzip()
}

fn obvious(op: Op, target: &Target, args: &Args, r: Pair) -> f64 {
    let value = |x: Pair| Float::with_val(200, x.0) + x.1;
    let z = match op {
        Op::Add | Op::Acc => value(args[0]) + value(args[1]),
        Op::Sub => value(args[0]) - value(args[1]),
        Op::Mul => value(args[0]) * value(args[1]),
        Op::Div => value(args[0]) / value(args[1]),
        Op::Fma | Op::Mad => value(args[0]).mul_add(&value(args[1]), &value(args[2])),
        Op::Sqrt => value(args[0]).sqrt(),
        _ => value(args[0]).recip_sqrt(),
    };
    let error = (value(r) - &z) / z;
    error.to_f64().abs() * 2f64.powi(2 * target.limb.p as i32)
}

fn bench(c: &mut Criterion) {
    for (name, target) in [("fp32mp2", Target::FP32MP2), ("fp64mp2", Target::FP64MP2)] {
        for (op, op_name) in OPS {
            let (args, results) = cases(op, &target);
            let mut group = c.benchmark_group(format!("{name}/{op_name}"));
            group.throughput(Throughput::Elements(CASES as u64));
            group.sample_size(20);
            group.warm_up_time(std::time::Duration::from_millis(300));
            group.measurement_time(std::time::Duration::from_millis(1000));
            group.bench_function("judge", |b| {
                b.iter(|| {
                    let mut worst = 0.0f64;
                    judge_block(op, &target, black_box(&args), black_box(&results), |_, v| {
                        worst = worst.max(v.u2);
                    });
                    worst
                })
            });
            group.bench_function("obvious", |b| {
                b.iter(|| {
                    let cases = black_box(&args).iter().zip(black_box(&results));
                    cases.map(|(a, &r)| obvious(op, &target, a, r)).fold(0.0, f64::max)
                })
            });
            group.finish();
        }
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
