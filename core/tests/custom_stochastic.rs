//! Stochastic rounding: the generator, its probabilities, and that it depends on nothing but seed and operation.

use core::num::Wrapping;
use statrs::distribution::{ChiSquared, ContinuousCDF};
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

/// An operation of a format.
type Op = fn(&Layout<Host>, &Random<Host>) -> f64;

/// Results are above the number below the exact one as often as its distance from there, in steps. That each result follows from
/// its tail and the random word, `vernier accuracy` holds.
#[test]
fn shares_are_the_tails() {
    let third: f64 = 1.0 / 3.0;
    let cases: [(u32, f64, f64, Op); 8] = [
        (52, 1.0, 0.0, |f, r| custom::add(1.0, 2f64.powi(-300), f, r)),
        (52, 1.0 + 2.0 * f64::EPSILON, 0.0, |f, r| custom::mul(1.0 + f64::EPSILON, 1.0 + f64::EPSILON, f, r)),
        (52, 1.0, 0.9375, |f, r| custom::add(1.0, 0.9375 * f64::EPSILON, f, r)),
        (52, third, 0.3333, |f, r| custom::div(1.0, 3.0, f, r)),
        (49, f64::from_bits(third.to_bits() & !7), 0.6667, |f, r| custom::div(1.0, 3.0, f, r)),
        (52, 2f64.sqrt().next_down(), 0.565, |f, r| custom::sqrt(2.0, f, r)),
        (52, 3f64.sqrt(), 0.452, |f, r| custom::sqrt(3.0, f, r)),
        (48, 1.0, 0.0, |f, r| custom::add(1.0, 2f64.powi(-60), f, r)),
    ];
    for (m, below, share, op) in cases {
        let layout = Layout::<Host>::known(stochastic(11, m, Options::IEEE));
        let up = |n: &u64| op(&layout, &Random { seed: Wrapping(7), operation: Wrapping(*n) }) > below;
        let found = (1..=100_000).filter(up).count() as f64 / 100_000.0;
        assert!((found - share).abs() < 0.005 && (share > 0.0 || found < 0.001), "M = {m}, {below:e}: {found}");
    }
}
