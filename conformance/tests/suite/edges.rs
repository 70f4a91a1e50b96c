//! High operations around overflow and underflow, judged by the oracle: special values as IEEE has them, and elsewhere
//! at most the operation's bound and one smallest subnormal step away from the exact result. Where no operand has a lo
//! and a product underflows, hi is the IEEE result of the limbs.

use rayon::prelude::*;
use vernier::{DoubleWord, High, HostLimb, acc};
use vernier_oracle::generate::{Generator, Shape};
use vernier_oracle::{Mismatch, Op, Pair, Target, judge};

type Word<F> = DoubleWord<F, High>;

/// Operands of case `index` of an operation, at the edges of the range.
fn drawn<F: HostLimb>(op: Op, index: u64) -> [Word<F>; 3] {
    let target = if F::P == 24 { Target::FP32MP2 } else { Target::FP64MP2 };
    let shape = Shape::new(op, &target);
    let mut args = [(0.0, 0.0); 3];
    Generator::Edges.draw(&shape, 1, index, &mut args[..shape.operands.len()]);
    args.map(|(hi, lo)| Word::from_parts(F::lit(hi), F::lit(lo)))
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

fn faults<F: HostLimb>(index: u64) -> Vec<String> {
    let [x, y, z] = drawn::<F>(Op::Fma, index);
    let ([a, b, _], [p, q, _]) = (drawn::<F>(Op::Add, index), drawn::<F>(Op::Div, index));
    // Now and then the third operand cancels the product.
    let z = if index.is_multiple_of(4) { -(x * y) } else { z };
    let (c, root) = (b.hi(), x.abs());
    let limb = |x: Word<F>| x.hi();
    let value = |x: Word<F>| x.hi().to_f64();
    let terms = (value(x) * value(y)).abs() + value(z).abs();
    [
        fault(Op::Add, &[a, b], a + b, limb(a) + c, 3.01, None),
        fault(Op::Sub, &[a, b], a - b, limb(a) - c, 3.01, None),
        fault(Op::Acc, &[a, Word::from_limb(c)], acc::<High, F, High>(a, c), limb(a) + c, 2.01, None),
        fault(Op::Mul, &[x, y], x * y, limb(x) * limb(y), 5.01, None),
        fault(Op::Div, &[p, q], p / q, limb(p).div(limb(q)), 10.01, None),
        fault(Op::Fma, &[x, y, z], x.fma(y, z), limb(x).fma(limb(y), limb(z)), 8.0, Some(terms)),
        fault(Op::Sqrt, &[root], root.sqrt(), limb(root).sqrt(), 3.2, None),
        fault(Op::Rsqrt, &[root], root.rsqrt(), limb(root).sqrt().rcp(), 3.01, None),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn run<F: HostLimb>(cases: u64) {
    let found: Vec<String> = (0..cases).into_par_iter().flat_map_iter(faults::<F>).collect();
    let mut examples = std::collections::BTreeMap::new();
    for text in &found {
        examples.entry(text.split('[').next()).or_insert(text);
    }
    assert!(found.is_empty(), "{} faults, for example {examples:#?}", found.len());
}

#[test]
fn high_at_the_edges() {
    run::<f32>(400_000);
    run::<f64>(400_000);
}
