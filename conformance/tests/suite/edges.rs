//! High operations around overflow and underflow, judged by the oracle: special values as IEEE has them, and elsewhere
//! at most the operation's bound and one smallest subnormal step away from the exact result. Where no operand has a lo
//! and a product underflows, hi is the IEEE result of the limbs.

use rayon::prelude::*;
use vernier::{DoubleWord, High, HostLimb, acc};
use vernier_oracle::generate::counter::Words;
use vernier_oracle::{Mismatch, Op, Pair, Target, judge};

type Word<F> = DoubleWord<F, High>;

struct Shape {
    fraction: u32,
    exponents: u64,
}

fn shape<F: HostLimb>() -> Shape {
    if F::P == 24 { Shape { fraction: 23, exponents: 255 } } else { Shape { fraction: 52, exponents: 2047 } }
}

fn limb<F: HostLimb>(sign: bool, exponent: u64, fraction: u64) -> F {
    let s = shape::<F>();
    let mask = (1 << s.fraction) - 1;
    let bits = exponent << s.fraction | fraction & mask;
    let x = F::from_bits_u64(bits);
    if sign { -x } else { x }
}

/// A normalised pair whose exponent lies in one of the regions where products and quotients leave the range.
fn operand<F: HostLimb>(bits: &mut Words) -> Word<F> {
    let exponent = exponent::<F>(bits);
    operand_at(bits, exponent)
}

fn exponent<F: HostLimb>(bits: &mut Words) -> u64 {
    let s = shape::<F>();
    let half = s.exponents / 2;
    match bits.below(7) {
        0 => bits.below(3),
        1 => bits.below(s.fraction as u64 * 3),
        2 => s.exponents - 1 - bits.below(4),
        3 => s.exponents - 1 - bits.below(s.fraction as u64 * 3),
        4 => half / 2 + bits.below(s.fraction as u64 * 2),
        5 => half + half / 2 - bits.below(s.fraction as u64),
        _ => bits.below(s.exponents),
    }
}

/// A second operand that brings the product, or the quotient, to the edge of underflow.
fn partner<F: HostLimb>(bits: &mut Words, x: Word<F>) -> Word<F> {
    let s = shape::<F>();
    let bias = s.exponents as i64 / 2;
    let of_x = (x.hi().to_bits_u64() >> s.fraction) as i64 % (s.exponents as i64 + 1);
    let result = bits.below(4 * s.fraction as u64) as i64 - s.fraction as i64;
    let exponent = if bits.below(2) == 0 { result - of_x + bias } else { of_x - result + bias };
    operand_at(bits, exponent.clamp(0, s.exponents as i64 - 1) as u64)
}

/// A normalised pair with this exponent field.
fn operand_at<F: HostLimb>(bits: &mut Words, exponent: u64) -> Word<F> {
    let s = shape::<F>();
    let fraction = match bits.below(4) {
        0 => bits.below(4),
        1 => u64::MAX - bits.below(4),
        _ => bits.next(),
    };
    let hi: F = limb(bits.below(2) == 1, exponent, fraction);
    let range = if bits.below(2) == 0 { 2 } else { s.fraction as u64 * 2 };
    let gap = s.fraction as u64 + 1 + bits.below(range);
    let lo = match bits.below(3) {
        0 => F::ZERO,
        _ => limb(bits.below(2) == 1, exponent.saturating_sub(gap), bits.next()),
    };
    Word::from_parts(hi, lo).canonical()
}

fn pair<F: HostLimb>(x: Word<F>) -> Pair {
    (x.hi().to_f64(), x.lo().to_f64())
}

fn step<F: HostLimb>() -> f64 {
    F::from_bits_u64(1).to_f64()
}

/// The verdict on `r`, as text where it is a failure. `bound` is in u^2, relative to `terms` where that is given.
fn fault<F: HostLimb>(
    op: Op,
    args: &[Word<F>],
    r: Word<F>,
    limbs: F,
    bound: f64,
    terms: Option<f64>,
) -> Option<String> {
    let target = if F::P == 24 { &Target::FP32MP2 } else { &Target::FP64MP2 };
    let pairs: Vec<Pair> = args.iter().map(|&x| pair(x)).collect();
    let verdict = judge(op, target, &pairs, pair(r));
    let fail = |why: &str| Some(format!("{op:?}{args:?} = {r:?}: {why}; {verdict:?}"));
    if verdict.mismatch == Some(Mismatch::Infinite) && limbs.to_bits_u64() == r.hi().to_bits_u64() {
        return None; // within the bound of the overflow threshold, which the limbs alone reach
    }
    let no_lo = args.iter().all(|x| x.lo() == F::ZERO);
    if verdict.mismatch == Some(Mismatch::ZeroSign) && op == Op::Fma && !no_lo {
        return None; // terms that cancel to less than their bound and underflow: the sign is as inexact as the rest
    }
    if verdict.mismatch.is_some() {
        return fail("special value");
    }
    if (r.hi() == F::ZERO || !r.is_finite()) && r.lo().to_bits_u64() != 0 {
        return fail("lo is not +0");
    }
    if !r.is_finite() {
        return None;
    }
    if r.hi() + r.lo() != r.hi() && !matches!(op, Op::Fma | Op::Rsqrt) {
        return fail("not normalised");
    }
    let u = (-(F::P as f64)).exp2();
    let size = terms.unwrap_or(r.hi().to_f64().abs());
    // Errors below one step are measured in steps, since u^2 of the result is not a number any more.
    let error = if size * u * u > step::<F>() {
        verdict.u2_of_terms.min(verdict.u2) * u * u * size
    } else {
        verdict.ulp * step::<F>()
    };
    if error > (bound * u * u * size) * 1.000001 + step::<F>() {
        return fail("error");
    }
    // Products and quotients below this lose bits of lo to underflow.
    let threshold = match op {
        Op::Mul | Op::Div => step::<F>() * (1u64 << F::P) as f64 * (1u64 << F::P) as f64 * 2.0,
        _ => step::<F>() * (1u64 << (F::P - 1)) as f64,
    };
    if no_lo && r.hi().to_f64().abs() < threshold && r.hi().to_bits_u64() != limbs.to_bits_u64() {
        return fail("hi is not the IEEE result of the limbs");
    }
    None
}

fn faults<F: HostLimb>(seed: u64) -> Vec<String> {
    let mut bits = Words::new(seed, 0);
    let [x, y, z] = [(); 3].map(|()| operand::<F>(&mut bits));
    let y = if bits.below(2) == 0 { partner(&mut bits, x) } else { y };
    // Now and then the third operand cancels the product.
    let z = if bits.below(4) == 0 { -(x * y) } else { z };
    let c = y.hi();
    let limb = |x: Word<F>| x.hi();
    let value = |x: Word<F>| x.hi().to_f64();
    let terms = (value(x) * value(y)).abs() + value(z).abs();
    let a = x.abs();
    [
        fault(Op::Add, &[x, y], x + y, limb(x) + c, 3.01, None),
        fault(Op::Sub, &[x, y], x - y, limb(x) - c, 3.01, None),
        fault(Op::Acc, &[x, Word::from_limb(c)], acc::<High, F, High>(x, c), limb(x) + c, 2.01, None),
        fault(Op::Mul, &[x, y], x * y, limb(x) * c, 5.01, None),
        fault(Op::Div, &[x, y], x / y, limb(x).div(c), 10.01, None),
        fault(Op::Fma, &[x, y, z], x.fma(y, z), limb(x).fma(c, limb(z)), 8.0, Some(terms)),
        fault(Op::Sqrt, &[a], a.sqrt(), limb(a).sqrt(), 3.2, None),
        fault(Op::Rsqrt, &[a], a.rsqrt(), limb(a).sqrt().rcp(), 3.01, None),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn run<F: HostLimb>(cases: u64) {
    let found: Vec<String> = (0..cases).into_par_iter().flat_map_iter(|i| faults::<F>(i * 0x1234_5677)).collect();
    let mut examples = std::collections::BTreeMap::new();
    for text in &found {
        examples.entry(text.split('[').next()).or_insert(text);
    }
    assert!(found.is_empty(), "{} faults, for example {examples:#?}", found.len());
}

#[test]
fn fp32mp2_high_at_the_edges() {
    run::<f32>(400_000);
}

#[test]
fn fp64mp2_high_at_the_edges() {
    run::<f64>(400_000);
}
