//! Stochastic rounding: the generator, its probabilities, and that it depends on nothing but seed and operation.

use core::num::Wrapping;
use num_bigint::{BigInt, BigUint};
use rayon::prelude::*;
use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, DiscreteCDF};
use vernier::custom::{self, Context, Format, Layout, Mode, Options, Random, philox};
use vernier::host::Host;

fn stochastic(e: u32, m: u32, options: Options) -> Format {
    Format::new(e, m, Options { mode: Mode::Stochastic, ..options }).unwrap()
}

/// Known answers of the Random123 library (Salmon et al. 2011).
#[test]
fn philox_has_the_known_answers() {
    let answers: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
        ([0; 4], [0; 2], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
        ([u32::MAX; 4], [u32::MAX; 2], [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]),
        (
            [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
            [0xa4093822, 0x299f31d0],
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
        ),
    ];
    for (counter, key, expected) in answers {
        assert_eq!(philox::<Host>(counter.map(Wrapping), key.map(Wrapping)), expected.map(Wrapping));
    }
}

/// The statistic of `ups` of `n` trials of probability `p`.
fn statistic(ups: u64, n: u64, p: f64) -> f64 {
    let expected = n as f64 * p;
    (ups as f64 - expected).powi(2) / (expected * (1.0 - p))
}

/// Whether statistics of independent trials are plausible: neither larger nor smaller than all but one in 10^6 sums.
fn assert_plausible(statistics: &[f64]) {
    let distribution = ChiSquared::new(statistics.len() as f64).unwrap();
    let p = distribution.cdf(statistics.iter().sum());
    assert!((1e-6..1.0 - 1e-6).contains(&p), "{p}: {statistics:?}");
}

const TRIALS: u64 = 20_000;

#[test]
fn reduction_is_unbiased() {
    let mut statistics = Vec::new();
    for (options, m) in [(Options::PUBLISHED, 3), (Options::IEEE, 3), (Options::IEEE, 10)] {
        let f = stochastic(5, m, options);
        for k in 1..16 {
            // 1 and k / 16 of the step above it; and the same below zero.
            let x = 1.0 + f.epsilon() * f64::from(k) / 16.0;
            for x in [x, -x] {
                let context = Context::seeded(f, 17 + k as u64);
                let ups = (0..TRIALS).filter(|_| context.reduced(x).to_f64().abs() > 1.0).count();
                statistics.push(statistic(ups as u64, TRIALS, f64::from(k) / 16.0));
            }
        }
    }
    assert_plausible(&statistics);
}

#[test]
fn half_of_the_smallest_number_goes_both_ways() {
    let mut statistics = Vec::new();
    for f in [stochastic(5, 10, Options::IEEE), stochastic(4, 3, Options::IEEE), stochastic(8, 0, Options::IEEE)] {
        for (part, p) in [(0.5, 0.5), (0.25, 0.25), (0.75, 0.75), (2f64.powi(-6), 2f64.powi(-6))] {
            let context = Context::seeded(f, 5);
            let least = f.denorm_min();
            let results: Vec<f64> = (0..TRIALS).map(|_| context.reduced(part * least).to_f64()).collect();
            assert!(results.iter().all(|&r| r == 0.0 || r == least));
            statistics.push(statistic(results.iter().filter(|&&r| r == least).count() as u64, TRIALS, p));
        }
    }
    assert_plausible(&statistics);
}

#[test]
fn exact_results_of_operations_are_rounded_without_bias() {
    let f = stochastic(8, 7, Options::IEEE);
    let mut statistics = Vec::new();
    // The distance of the exact result above the number below it, in steps.
    type Operation = fn(&Context) -> f64;
    let operations: [(Operation, f64, f64); 4] = [
        (|c| (c.number(1.0) + 2f64.powi(-9)).to_f64(), 1.0, 0.25),
        (|c| (c.number(1.0) / 3.0).to_f64(), 85.0 / 256.0, 2.0 / 3.0),
        (|c| c.number(2.0).sqrt().to_f64(), 181.0 / 128.0, 128.0 * 2f64.sqrt() - 181.0),
        (|c| c.number(1.0).fma(c.number(2f64.powi(-60)), c.number(1.0)).to_f64(), 1.0, 2f64.powi(-53)),
    ];
    for (op, below, p) in operations {
        let context = Context::seeded(f, 99);
        let ups = (0..TRIALS).filter(|_| op(&context) > below).count() as u64;
        if p < 1e-9 {
            assert_eq!(ups, 0);
        } else {
            statistics.push(statistic(ups, TRIALS, p));
        }
    }
    assert_plausible(&statistics);
}

#[test]
fn words_are_uniform_and_independent() {
    // Pairs of consecutive roundings at 1/2: four classes.
    let context = Context::seeded(stochastic(8, 7, Options::IEEE), 3);
    let mut classes = [0u64; 4];
    for _ in 0..TRIALS {
        let one = |c: &Context| usize::from(c.reduced(1.0 + 2f64.powi(-8)).to_f64() > 1.0);
        classes[2 * one(&context) + one(&context)] += 1;
    }
    let expected = TRIALS as f64 / 4.0;
    let sum: f64 = classes.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    let p = ChiSquared::new(3.0).unwrap().cdf(sum);
    assert!((1e-6..1.0 - 1e-6).contains(&p), "{classes:?}");
}

#[test]
fn results_follow_from_seed_and_operation() {
    let f = stochastic(5, 10, Options::IEEE);
    let run =
        |context: &Context| (0..200).map(|i| (context.number(1.0) / f64::from(i + 3)).to_f64()).collect::<Vec<_>>();
    let (a, b) = (Context::seeded(f, 1), Context::seeded(f, 1));
    let first = run(&a);
    assert_eq!(first, run(&b));
    assert_eq!(a.operation(), 200);
    assert_ne!(first, run(&Context::seeded(f, 2)));
    assert_ne!(first, run(&a.stream(1)));
    assert_eq!(run(&a.stream(3)), run(&b.stream(3)));
    // The function of the machine, with the operation's number.
    for (i, &expected) in first.iter().enumerate() {
        let random = Random::<Host> { seed: Wrapping(1), operation: Wrapping(i as u64) };
        assert_eq!(custom::div(1.0, (i + 3) as f64, &Layout::known(f), &random), expected);
    }
    // What is exact takes no chance.
    assert!((0..1000).all(|_| (a.number(1.5) + 0.25).to_f64() == 1.75));
}

/// An operation with operands that are numbers of the format.
#[derive(Clone, Copy, Debug)]
enum Exact {
    Add(f64, f64),
    Sub(f64, f64),
    Mul(f64, f64),
    Div(f64, f64),
    Sqrt(f64),
    Fma(f64, f64, f64),
}

/// A finite double as an integer times 2^-1074.
fn integer(x: f64) -> BigInt {
    let (fraction, field) = (x.to_bits() & ((1 << 52) - 1), x.to_bits() >> 52 & 0x7ff);
    let m = BigInt::from(if field == 0 { fraction } else { fraction | 1 << 52 }) << (field.max(1) as usize - 1);
    if x < 0.0 { -m } else { m }
}

impl Exact {
    /// floor(2^n |z|) of the exact result z.
    fn floor(self, n: i64) -> BigUint {
        let scaled = |x: BigInt, by: i64| if by < 0 { x.magnitude() >> -by } else { x.magnitude() << by };
        match self {
            Exact::Add(x, y) => scaled(integer(x) + integer(y), n - 1074),
            Exact::Sub(x, y) => scaled(integer(x) - integer(y), n - 1074),
            Exact::Mul(x, y) => scaled(integer(x) * integer(y), n - 2148),
            Exact::Div(x, y) => scaled(integer(x), n) / integer(y).magnitude(),
            Exact::Sqrt(x) => scaled(integer(x), 2 * n - 1074).sqrt(),
            Exact::Fma(x, y, z) => scaled(integer(x) * integer(y) + (integer(z) << 1074), n - 2148),
        }
    }

    /// The magnitude cut at M bits, the unit there, and T.
    fn parts(self, m: u32) -> (f64, f64, u64) {
        // Numbers of these tests lie far above 2^-1000.
        let e = self.floor(1000).bits() as i64 - 1 - 1000;
        let all = self.floor(60 + i64::from(m) - e);
        let (below, t) = (u64::try_from(&all >> 60).unwrap(), u64::try_from(all % (1u64 << 60)).unwrap());
        let unit = ((e - i64::from(m)) as f64).exp2();
        (below as f64 * unit, unit, t)
    }

    fn run(self, f: &Layout<Host>, random: &Random<Host>) -> f64 {
        match self {
            Exact::Add(x, y) => custom::add(x, y, f, random),
            Exact::Sub(x, y) => custom::sub(x, y, f, random),
            Exact::Mul(x, y) => custom::mul(x, y, f, random),
            Exact::Div(x, y) => custom::div(x, y, f, random),
            Exact::Sqrt(x) => custom::sqrt(x, f, random),
            Exact::Fma(x, y, z) => custom::fma(x, y, z, f, random),
        }
    }

    fn is_positive(self) -> bool {
        match self {
            Exact::Add(x, y) => x + y > 0.0,
            Exact::Sub(x, y) => x - y > 0.0,
            Exact::Mul(x, y) | Exact::Div(x, y) => (x > 0.0) == (y > 0.0),
            Exact::Sqrt(_) => true,
            Exact::Fma(x, y, z) => x.mul_add(y, z) > 0.0,
        }
    }
}

/// Operands whose results have tails of all sizes: known ones, and numbers of M bits.
fn operands(m: u32) -> Vec<Exact> {
    let ulp = (-f64::from(m)).exp2();
    let mut cases = vec![
        Exact::Add(1.0, 2f64.powi(-300)),
        Exact::Add(1.0, 2f64.powi(-60)),
        Exact::Sub(1.0, 2f64.powi(-60)),
        Exact::Add(1.0, ulp / 16.0),
        Exact::Add(-1.0, -ulp / 4.0),
        Exact::Sub(2.0, ulp / 8.0),
        Exact::Div(1.0, 1.0 + ulp),
        Exact::Div(-2.0, 1.0 + ulp),
        Exact::Sqrt(2.0),
        Exact::Sqrt(4.0 - 2.0 * ulp),
        Exact::Mul(1.0 + ulp, 1.0 + ulp),
        Exact::Fma(1.0, 2f64.powi(-200), 1.0),
        Exact::Fma(1.0 + ulp, 1.0 + ulp, -0.5),
    ];
    if m >= 1 {
        cases.extend([Exact::Div(1.0, 3.0), Exact::Sqrt(3.0), Exact::Add(1.0, 1.5 * ulp / 2.0)]);
    }
    let mut word = 1u64;
    let mut number = |wide: bool| {
        word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let fraction = (word ^ word << 13) >> 12 >> (52 - m) << (52 - m);
        let exponent = if wide { (word >> 56) as i32 % (m as i32 + 12) } else { 0 };
        f64::from_bits(word & 1 << 63 | fraction | ((1023 - exponent) as u64) << 52)
    };
    while cases.len() < 29 {
        let (x, y, z) = (number(false), number(true), number(false));
        cases.push(match cases.len() % 6 {
            0 => Exact::Add(x, y),
            1 => Exact::Sub(x, y),
            2 => Exact::Mul(x, z),
            3 => Exact::Div(x, z),
            4 => Exact::Sqrt(y.abs()),
            _ => Exact::Fma(x, z, y),
        });
    }
    cases
}

/// T is the exact tail cut to 60 bits: each result is up where T and the random word modulo 2^60 reach 2^60, and how many
/// are up is not rejected at 10^-6.
#[test]
fn probabilities_are_those_of_exact_tails() {
    const TRIALS: u64 = 100_000;
    let sets: Vec<(u32, Exact)> = [0, 7, 10, 23, 45, 49, 52]
        .into_iter()
        .flat_map(|m| operands(m).into_iter().map(move |case| (m, case)))
        .collect();
    assert!(sets.len() >= 200);
    let tails = sets.par_iter().enumerate().map(|(seed, &(m, case))| {
        let (below, unit, t) = case.parts(m);
        let layout = &Layout::known(stochastic(11, m, Options::IEEE));
        let mut ups = 0;
        for operation in 0..TRIALS {
            let random = Random::<Host> { seed: Wrapping(seed as u64), operation: Wrapping(operation) };
            let up = random.word(0).0 % (1 << 60) + t >= 1 << 60;
            let magnitude = if up { below + unit } else { below };
            let right = if case.is_positive() { magnitude } else { -magnitude };
            assert_eq!(case.run(layout, &random), right, "M = {m}, {case:?}, operation {operation}");
            ups += u64::from(up);
        }
        let p = t as f64 / (1u64 << 60) as f64;
        if t == 0 {
            assert_eq!(ups, 0, "M = {m}, {case:?}");
        } else {
            let binomial = Binomial::new(p, TRIALS).unwrap();
            let below = if ups == 0 { 0.0 } else { binomial.cdf(ups - 1) };
            let tail = binomial.cdf(ups).min(1.0 - below);
            assert!(2.0 * tail > 1e-6, "M = {m}, {case:?}: {ups} of {TRIALS}, probability {p}");
        }
        t
    });
    let tails: Vec<u64> = tails.collect();
    let inexact = tails.iter().filter(|&&t| t > 1 << 40).count();
    assert!(inexact > 130, "{inexact}");
}

/// Tails that were taken for a quarter or three quarters.
#[test]
fn tails_next_to_zero_and_one_half() {
    let layout = |m| Layout::<Host>::known(stochastic(11, m, Options::IEEE));
    let share = |case: Exact, m: u32| {
        let below = case.parts(m).0;
        let layout = &layout(m);
        let up = |n: &u64| case.run(layout, &Random { seed: Wrapping(7), operation: Wrapping(*n) }).abs() > below;
        (1..=100_000).filter(up).count() as f64 / 100_000.0
    };
    assert_eq!(share(Exact::Add(1.0, 2f64.powi(-300)), 52), 0.0);
    assert_eq!(share(Exact::Mul(1.0 + f64::EPSILON, 1.0 + f64::EPSILON), 52), 0.0);
    assert!((share(Exact::Add(1.0, 0.9375 * f64::EPSILON), 52) - 0.9375).abs() < 0.005);
    assert!((share(Exact::Div(1.0, 3.0), 52) - 0.3333).abs() < 0.005);
    assert!((share(Exact::Div(1.0, 3.0), 49) - 0.6667).abs() < 0.005);
    assert!((share(Exact::Sqrt(2.0), 52) - 0.565).abs() < 0.005);
    assert!((share(Exact::Sqrt(3.0), 52) - 0.452).abs() < 0.005);
    assert!(share(Exact::Add(1.0, 2f64.powi(-60)), 48) < 0.001);
}

/// Of a subnormal result the tail is in units of the smallest number.
#[test]
fn tails_of_subnormal_results() {
    for (e, m) in [(5, 10), (8, 23), (4, 3), (11, 52)] {
        let f = stochastic(e, m, Options::IEEE);
        let least = f.denorm_min();
        let layout = &Layout::<Host>::known(f);
        // 5/3 of the smallest number: min_positive is 2^M of them.
        let (x, y) = (5.0 * f.min_positive(), 3.0 * 2f64.powi(m as i32));
        for n in 0..20_000 {
            let random = Random::<Host> { seed: Wrapping(11), operation: Wrapping(n) };
            let up = random.word(0).0 % (1 << 60) + (2 << 60) / 3 >= 1 << 60;
            let steps = custom::div(x, y, layout, &random) / least;
            assert_eq!(steps, if up { 2.0 } else { 1.0 }, "{f} {n}");
        }
    }
}
