//! Sines, cosines and tangents of angles near multiples of a right one: the nearest pairs of every exponent, and multiples
//! rounded to pairs with their neighbours.
//!
//! `VERNIER_CASES` sets the number of multiples.

use rayon::prelude::*;
use rug::Float;
use rug::float::Constant;
use vernier::function::Math;
use vernier::{HostLimb, host::Host, math};
use vernier_oracle::functions::nearest_angles;
use vernier_oracle::generate::limb;
use vernier_oracle::{Format, Op, Pair, Target, judge};

/// Multiples where nobody asks for more.
const CASES: u64 = 1000;

fn check<F: HostLimb<M = Host>>(target: &Target, x: Pair) {
    let pair = (F::lit(x.0), F::lit(x.1));
    let ((s, c), t) = (math::sincos(pair), math::tan(pair));
    for (f, r) in [(Math::sin, s), (Math::cos, c), (Math::tan, t)] {
        let r = (r.0.to_f64(), r.1.to_f64());
        let verdict = judge(Op::Math(f), target, &[x], r);
        assert!(verdict.mismatch.is_none() && verdict.ulp <= 1.0, "{f}({x:?}) = {r:?}, {verdict:?}");
    }
}

fn multiples<F: HostLimb<M = Host>>(target: &Target, f: Format, cases: u64) {
    (1..=cases).into_par_iter().for_each(|n| {
        let right: Float = Float::with_val(400, Constant::Pi) / 2u32;
        let x = Float::with_val(400, right * n);
        let hi = limb::round(x.to_f64(), f);
        let lo = limb::round(Float::with_val(64, &x - hi).to_f64(), f);
        for k in -1..=1 {
            check::<F>(target, (hi, limb::step(lo, k, f)));
            check::<F>(target, (-hi, -limb::step(lo, k, f)));
        }
    });
}

#[test]
fn multiples_of_a_right_angle() {
    let cases = std::env::var("VERNIER_CASES").map_or(CASES, |n| n.parse().expect("a number of cases"));
    multiples::<f32>(&Target::FP32MP2, Format::F32, cases);
    multiples::<f64>(&Target::FP64MP2, Format::F64, cases);
}

#[test]
fn the_nearest_pairs_of_every_exponent() {
    let all = |f: Format| nearest_angles(f).par_iter();
    assert!(all(Format::F32).len() > 300 && all(Format::F64).len() > 3000);
    all(Format::F32).for_each(|&x| check::<f32>(&Target::FP32MP2, x));
    all(Format::F64).for_each(|&x| check::<f64>(&Target::FP64MP2, x));
}
