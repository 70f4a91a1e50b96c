//! Exhaustive runs and searches against loops that do the same the obvious way.

use std::convert::Infallible;
use vernier_oracle::number::region::Part;
use vernier_oracle::number::{Block, Callee, Exhaustive, Judge, Search, Tally, bits};
use vernier_oracle::{Accuracy, Format, Function, Mismatch, accuracy};

/// A function of bits.
struct Of<F>(F);

impl<F: Fn([u64; 3]) -> u64 + Sync> Callee for Of<F> {
    type Fault = Infallible;

    fn call(&self, block: &mut Block, _: bool) -> Result<(), Infallible> {
        for i in 0..block.n {
            block.results[0][i] = (self.0)(block.input(i));
        }
        Ok(())
    }
}

fn exhaustive(callee: &impl Callee<Fault = Infallible>, function: Function, format: Format, part: [u64; 2]) -> Tally {
    let mut all = Exhaustive::new(part);
    while all.step(callee, function, format).unwrap() {}
    all.tally
}

/// The correctly rounded function but for some inputs of binary16.
fn half_exp(x: [u64; 3]) -> u64 {
    let judge = Judge::new(Function::Exp.values()[0], 1, Format::F16);
    let right = bits::of(judge.nearest(&[bits::number(x[0], Format::F16)]), Format::F16);
    match x[0] {
        0x3c01 => right + 2,
        0x8000 => 0x7e00,
        0x7bff => 0x7bff,
        _ => right,
    }
}

#[test]
fn every_half_as_the_obvious_loop_has_it() {
    let found = exhaustive(&Of(half_exp), Function::Exp, Format::F16, [1, 1]);
    let judge = Judge::new(Function::Exp.values()[0], 1, Format::F16);
    let (mut ulp, mut not_rounded, mut wrong) = (0.0f64, 0, 0);
    let mut histogram = vec![0; found.histogram.len()];
    for x in 0..1 << 16 {
        let judged = judge.exactly(&[bits::number(x, Format::F16)], bits::number(half_exp([x, 0, 0]), Format::F16));
        ulp = ulp.max(judged.ulp);
        not_rounded += u64::from(!judged.correct);
        wrong += u64::from(judged.wrong.is_some());
        histogram[vernier_oracle::number::bin(judged.ulp)] += 1;
    }
    assert_eq!((found.cases, found.not_correctly_rounded, found.mismatches), (1 << 16, not_rounded, wrong));
    assert!((found.ulp - ulp).abs() < 1e-6 && ulp > 1.5, "{} {ulp}", found.ulp);
    assert_eq!(found.worst.unwrap().args[0], 0x3c01);
    assert_eq!(found.mismatches, 2);
    assert_eq!(found.mismatch.unwrap().1, Mismatch::NotInfinite, "of 0x7bff");
    let close = found.histogram.iter().zip(&histogram).map(|(a, b)| u64::abs_diff(*a, *b)).sum::<u64>();
    assert!(close < 8, "{:?} {histogram:?}", found.histogram);
    // What is 2 ulp too large comes before the next, and infinity before the largest number.
    assert_eq!((found.falls.count, found.falls.first), (2, Some([0x3c01, 0, 0])));
    let mut parts = exhaustive(&Of(half_exp), Function::Exp, Format::F16, [2, 3]);
    parts.merge(&exhaustive(&Of(half_exp), Function::Exp, Format::F16, [3, 3]));
    parts.merge(&exhaustive(&Of(half_exp), Function::Exp, Format::F16, [1, 3]));
    assert_eq!(parts, found);
}

#[test]
fn symmetry_is_looked_at() {
    let half = |f: fn(f64) -> f64| move |x: [u64; 3]| bits::of(f(bits::number(x[0], Format::F16)), Format::F16);
    let symmetric = exhaustive(&Of(half(f64::sin)), Function::Sin, Format::F16, [1, 1]);
    assert_eq!((symmetric.asymmetries.count, symmetric.mismatches), (0, 0));
    assert!(symmetric.ulp < 0.501 && symmetric.asymmetries.looked_at > 30000, "{symmetric:?}");
    let one = half(|x| if x == -2.0 { -1.0 } else { x.sin() });
    let other = exhaustive(&Of(one), Function::Sin, Format::F16, [1, 1]);
    assert_eq!((other.asymmetries.count, other.asymmetries.first), (1, Some([0x4000, 0, 0])));
    assert!(other.ulp > 50.0);
}

/// e^x with an error that grows to 5 ulp on a quarter of a binade, and to 9 on a few ten thousandths of it.
fn hill(x: f64) -> f64 {
    let off = 4.0 * (-((x - 1.718_281) / 1e-4).powi(2)).exp() + 6.0 * (-((x - 1.7) / 1e-1).powi(2)).exp();
    f64::from_bits(x.exp().to_bits() + off as u64)
}

#[test]
fn a_search_climbs_a_hill_that_samples_miss() {
    let found = accuracy(hill, Function::Exp);
    assert!(found.ulp > 8.4, "{found}");
    let judge = Judge::new(Function::Exp.values()[0], 1, Format::F64);
    let samples = (1..=1000).map(|i| f64::from(i) * 0.7 - 350.0);
    let sampled = samples.map(|x| judge.one(&[x], hill(x)).ulp).fold(0.0, f64::max);
    assert!(sampled < 5.0, "{sampled}");
    // The same again, and again from its middle.
    let callee = Of(|x: [u64; 3]| hill(f64::from_bits(x[0])).to_bits());
    let run = |pause: Option<usize>| {
        let mut search = Search::new(1, 1 << 17, vec![[1f64.to_bits(), 0, 0]]);
        let mut steps = 0;
        while search.step(&callee, Function::Exp, Format::F64).unwrap() {
            steps += 1;
            if Some(steps) == pause {
                search = serde_json::from_str(&serde_json::to_string(&search).unwrap()).unwrap();
            }
        }
        search
    };
    assert_eq!(run(Some(7)), run(None));
}

#[test]
fn a_search_keeps_to_a_part_with_absolute_errors() {
    // The sine with an error of 0.001 beyond 3, of values near 0.
    let callee = Of(|x: [u64; 3]| {
        let x = f32::from_bits(x[0] as u32);
        assert!(x.abs() <= 3.125, "{x}");
        ((f64::from(x).sin() + if x > 3.0 { 0.001 } else { 0.0 }) as f32).to_bits().into()
    });
    let place = |x: f32| bits::place(x.to_bits().into(), Format::F32);
    let part = Part { ranges: vec![[place(-3.125), place(3.125) + 1]], unit: Some(-23) };
    let mut search = Search::new(1, 1 << 17, Vec::new()).within(part);
    while search.step(&callee, Function::Sin, Format::F32).unwrap() {}
    let error = search.tally.ulp * (-23f64).exp2();
    assert!((error - 0.001).abs() < 1e-6 && search.tally.cases > 1 << 16, "{error}");
}

/// The magnitude of binary128, 3 ulp too large in [2, 4).
struct Magnitude;

impl Callee for Magnitude {
    type Fault = Infallible;

    fn call(&self, block: &mut Block, _: bool) -> Result<(), Infallible> {
        for i in 0..block.n {
            let high = block.args[0][i] & !(1 << 63);
            let off = if high >> 48 == 0x4000 { 3 } else { 0 };
            let all = (u128::from(high) << 64 | u128::from(bits::low(block.args[0][i]))) + off;
            (block.results[0][i], block.results[1][i]) = ((all >> 64) as u64, all as u64);
        }
        Ok(())
    }
}

#[test]
fn binary128_has_low_words() {
    let mut tally = Tally::default();
    assert!(vernier_oracle::number::special(&Magnitude, Function::Fabs, bits::HIGH, &mut tally).unwrap().is_empty());
    let mut search = Search::new(1, 1 << 16, Vec::new());
    while search.step(&Magnitude, Function::Fabs, bits::HIGH).unwrap() {}
    tally.merge(&search.tally);
    let worst = tally.worst.unwrap();
    assert_eq!((tally.ulp, worst.args[0] >> 48 & 0x7fff, tally.mismatches), (3.0, 0x4000, 0), "{worst:?}");
    // Everything is right elsewhere: from the smallest numbers to infinity.
    assert_eq!(tally.envelope.iter().filter(|ulp| **ulp > 0.0).count(), 2);
    assert!(bits::low(0x3fff << 48) == 0 && bits::low(0x3fff_1234_5678_9abc).count_ones() > 8);
}

#[test]
fn one_period_has_the_errors_of_all() {
    let worst = |below: f64| {
        let callee = Of(move |x: [u64; 3]| {
            let x = f64::from_bits(x[0]);
            // Wrong in the second pass's part of the domain alone, or outside of it.
            let off = u64::from((1.0..8.0).contains(&x.abs()) == (below > 0.0)) * 9;
            x.cbrt().to_bits() + off
        });
        let mut search = Search::new(1, 1 << 20, Vec::new());
        while search.step(&callee, Function::Cbrt, Format::F64).unwrap() {}
        search.tally.ulp
    };
    assert!(worst(1.0) > 9.0 && worst(-1.0) > 9.0);
}

#[test]
fn overflow_underflow_and_signs() {
    let judge = Judge::new(Function::Exp.values()[0], 1, Format::F32);
    let of = |x: f64, r: f64| judge.one(&[x], r);
    let (inf, max) = (f64::INFINITY, f64::from(f32::MAX));
    // e^88.7228 is just below the threshold, e^88.7229 just above; infinity is the number after the largest.
    assert!(of(88.722_831, inf).ulp > 1.0 && of(88.722_831, inf).wrong.is_none());
    assert_eq!(of(88.722_84, inf).ulp, 0.0);
    let beyond = of(88.722_84, max);
    assert!(beyond.wrong.is_none() && beyond.ulp > 1.0 && !beyond.correct);
    assert_eq!(of(1000.0, max).wrong, Some(Mismatch::NotInfinite));
    assert_eq!(of(80.0, inf).wrong, Some(Mismatch::Infinite));
    assert_eq!(of(1000.0, -inf).wrong, Some(Mismatch::InfinitySign));
    assert!(of(-200.0, 0.0).correct && of(-1000.0, 0.0).correct && of(-1000.0, -0.0).wrong == Some(Mismatch::ZeroSign));
    assert_eq!(of(-1000.0, f64::from(f32::from_bits(1))).ulp, 1.0);
    assert_eq!((of(f64::NAN, 1.0).wrong, of(1.0, f64::NAN).wrong), (Some(Mismatch::NotNan), Some(Mismatch::Nan)));
    // A tie: 1 + 2^-24 squared has one above half, 1.5 times the smallest number is rounded to the even one.
    let floor = Judge::new(Function::Fma.values()[0], 3, Format::F32);
    let tiny = f64::from(f32::from_bits(1));
    assert!(floor.one(&[1.5, tiny, 0.0], 2.0 * tiny).correct && !floor.one(&[1.5, tiny, 0.0], tiny).correct);
    assert!(floor.one(&[0.5, tiny, 0.0], 0.0).correct && !floor.one(&[0.5, tiny, 0.0], tiny).correct);
}

#[test]
fn the_standard_library_and_a_bad_hypotenuse() {
    let exp = Accuracy::searched(|x: f32| x.exp(), Function::Exp, 1 << 14);
    assert!(exp.ulp < 0.6 && exp.mismatches == 0, "{exp}");
    let hypot = Accuracy::searched(|x: f32, y: f32| (x * x + y * y).sqrt(), Function::Hypot, 1 << 14);
    assert!(hypot.mismatches > 0 && hypot.to_string().contains("Infinite"), "{hypot}");
}
