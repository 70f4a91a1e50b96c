//! The dot product as a tree of double-word numbers.

use super::device::{self, GROUP, groups};
use super::{Vectors, cases};
use crate::{Outputs, Twin};
use vernier::{High, acc, fp64mp2_high};
use vernier_gpu::device::Api;

const U: f64 = f64::EPSILON / 2.0;

/// Mistakes of the kernel.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    FloatProduct,
    DoubleSum,
    LoDropped,
    LastLost,
}

/// The contract of the double-word tree: see the [module](super).
pub fn twin(seed: u64) -> Twin<Vectors> {
    let model = |mistake| move |v: &Vectors| both(tree(v, mistake));
    let twin = Twin::new("dot", &["dot in double", "exact dot"], reference, model(Mistake::None))
        .kernel(device::source(Api::Cuda), device::source(Api::OpenCl), |on, v| {
            Ok(both(finish(device::tree(on, v)?.into_iter())))
        })
        .claim(sums_are_exact, bound)
        .fault("products in float", Some("FAULT_FLOAT_PRODUCT"), model(Mistake::FloatProduct))
        .fault("sums in double", Some("FAULT_DOUBLE_SUM"), model(Mistake::DoubleSum))
        .fault("lo dropped between threads", Some("FAULT_LO_DROPPED"), model(Mistake::LoDropped))
        .fault("last term lost", Some("FAULT_LAST_LOST"), model(Mistake::LastLost));
    cases::add(twin, seed)
}

/// The twin has one result; it is held against both references.
fn both(x: f64) -> Outputs {
    vec![x, x]
}

fn reference(v: &Vectors) -> Outputs {
    let in_double = v.terms().fold(0.0, |sum, (x, y)| sum + f64::from(x) * f64::from(y));
    vec![in_double, v.exact().round()]
}

/// S, rounded up.
fn magnitude(v: &Vectors) -> f64 {
    let sum = v.terms().fold(0.0, |sum, (x, y)| sum + (f64::from(x) * f64::from(y)).abs());
    sum * (1.0 + 2.0 * v.x.len() as f64 * U)
}

/// Whether all products are multiples of a number of which S is less than 2^53.
fn sums_are_exact(v: &Vectors) -> bool {
    // The exponent of the lowest bit.
    let lowest = |x: f32| {
        let (bits, field) = (x.to_bits() & 0x7f_ffff, (x.to_bits() >> 23 & 0xff) as i32);
        let (significand, e) = if field == 0 { (bits, -149) } else { (bits | 0x80_0000, field - 150) };
        e + significand.trailing_zeros() as i32
    };
    let products = v.terms().filter(|&(x, y)| x != 0.0 && y != 0.0);
    let unit = products.map(|(x, y)| lowest(x) + lowest(y)).min().unwrap_or(0);
    magnitude(v) <= vernier::machine::exp2(unit + 53)
}

fn bound(v: &Vectors) -> Outputs {
    let (n, s, d) = (v.x.len() as f64, magnitude(v), v.exact().round().abs());
    let of = |k: f64| k / (1.0 - k);
    let cpu = of((n - 1.0).max(0.0) * U) * s;
    let tree = of(3.0 * n * U * U) * s;
    // d is known to u of itself; the last factor covers the rounding of these lines.
    let near = 2.0 * U * d * (1.0 + 2.0 * U);
    [cpu + U * d + tree, near + 2.0 * tree].map(|x| x * (1.0 + 16.0 * U)).to_vec()
}

/// What the kernel does, in its order.
fn tree(v: &Vectors, mistake: Mistake) -> f64 {
    let (n, groups) = (v.x.len(), groups(v.x.len()));
    let threads = GROUP as usize * groups as usize;
    let n = if mistake == Mistake::LastLost { n.saturating_sub(1) } else { n };
    let zero = || fp64mp2_high::from_limb(0.0);
    let drop_lo = |x: fp64mp2_high| fp64mp2_high::from_limb(x.hi());
    let thread = |t: usize| {
        let mut sum = zero();
        for i in (t..n).step_by(threads) {
            let (x, y) = (v.x[i], v.y[i]);
            let product = if mistake == Mistake::FloatProduct { f64::from(x * y) } else { f64::from(x) * f64::from(y) };
            sum = acc::<High, _, _>(sum, product);
            if mistake == Mistake::DoubleSum {
                sum = drop_lo(sum);
            }
        }
        if mistake == Mistake::LoDropped { drop_lo(sum) } else { sum }
    };
    let group = |g: usize| {
        let mut all: Vec<_> = (0..GROUP as usize).map(|t| thread(g * GROUP as usize + t)).collect();
        let mut reach = all.len() / 2;
        while reach > 0 {
            for t in 0..reach {
                let sum = all[t] + all[t + reach];
                all[t] = if mistake == Mistake::DoubleSum { drop_lo(sum) } else { sum };
            }
            reach /= 2;
        }
        all[0]
    };
    finish((0..groups as usize).map(group))
}

/// The sum of the groups.
fn finish(groups: impl Iterator<Item = fp64mp2_high>) -> f64 {
    groups.fold(fp64mp2_high::from_limb(0.0), |sum, x| sum + x).hi()
}
