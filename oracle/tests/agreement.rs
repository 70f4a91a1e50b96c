//! The two oracles agree: on roundings exactly, on errors to what both promise.

mod common;

use common::{WIDTHS, Words};
use rayon::prelude::*;
use vernier_oracle::target::MEANINGS;
use vernier_oracle::{Format, Op, Pair, Rounding, Target, Verdict, dyadic, measure::Reading, mpfr};

const CASES: u64 = 1_000_000;

/// Equal where special, and to a relative 2^-38 elsewhere (each oracle promises 2^-40).
fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= a.abs() * 2f64.powi(-38) || (a.is_nan() && b.is_nan())
}

fn verdicts_agree(a: &Verdict, b: &Verdict) -> bool {
    a.mismatch == b.mismatch
        && a.domain == b.domain
        && close(a.u2, b.u2)
        && close(a.ulp, b.ulp)
        && close(a.u2_of_terms, b.u2_of_terms)
}

fn readings_agree(a: &Reading, b: &Reading) -> bool {
    match (a, b) {
        (Reading::Finite(a), Reading::Finite(b)) => {
            (a.negative, a.exponent, a.power_of_two, a.overflows, a.borders, a.vanishes)
                == (b.negative, b.exponent, b.power_of_two, b.overflows, b.borders, b.vanishes)
                && close(a.u2, b.u2)
        }
        (Reading::Zero { negative: a, u2_of_terms: e }, Reading::Zero { negative: b, u2_of_terms: f }) => {
            a == b && close(*e, *f)
        }
        (a, b) => a == b,
    }
}

fn check(index: u64) {
    let mut rng = Words::new(index.wrapping_mul(0x1234_5678_9abc_def1), 0);
    let op = MEANINGS[index as usize % MEANINGS.len()];
    let target = rng.pick(&WIDTHS);
    let args = common::args(&mut rng, op, target.limb);
    let r = common::result(&mut rng, op, &args, target.limb);
    let case = || format!("case {index}: {op:?} {args:x?} = {r:?} in {target:?}");

    let formats = [
        Format::F16,
        Format::BF16,
        Format::F32,
        Format::F64,
        Format::F128,
        Format::new(3, -20, 9),
        Format::unbounded(5),
        Format::unbounded(62),
    ];
    let format = rng.pick(&formats);
    for rounding in Rounding::ALL {
        let (a, b) = (mpfr::round(op, &args, format, rounding), dyadic::round(op, &args, format, rounding));
        assert_eq!(a, b, "{format:?} {rounding:?} {}", case());
    }
    let target = if rng.below(8) == 0 { Target::pair(Format::unbounded(4), 60) } else { target };
    let (a, b) = (mpfr::read(op, &target, &args, r), dyadic::read(op, &target, &args, r));
    assert!(readings_agree(&a, &b), "{a:?} {b:?} {}", case());
    let (a, b) = (mpfr::judge(op, &target, &args, r), dyadic::judge(op, &target, &args, r));
    assert!(verdicts_agree(&a, &b), "{a:?} {b:?} {}", case());

    let other: Pair = if rng.below(4) == 0 { args[0] } else { r };
    for comparison in [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge] {
        let (a, b) = (mpfr::compare(comparison, args[0], other), dyadic::compare(comparison, args[0], other));
        assert_eq!(a, b, "{comparison:?} {other:?} {}", case());
    }
    let (bits, signed) = (rng.pick(&[1, 8, 16, 32, 64, 128]), rng.below(2) == 0);
    for rounding in Rounding::ALL {
        let (a, b) = (mpfr::to_integer_in(r, rounding, bits, signed), dyadic::to_integer_in(r, rounding, bits, signed));
        assert_eq!(a, b, "{rounding:?} {bits} {signed} {}", case());
    }
}

#[test]
fn oracles_agree_on_a_million_cases() {
    (0..CASES).into_par_iter().for_each(check);
}

/// Within 16 u^2 of the overflow threshold either side is right, unless limbs alone decide; further out it is not.
#[test]
fn either_side_of_the_threshold() {
    for (target, largest, p) in [(Target::FP32MP2, f32::MAX as f64, 24), (Target::FP64MP2, f64::MAX, 53)] {
        let power = |e: i32| 2f64.powi(target.limb.emax + e);
        let half = power(-p);
        let infinite = (f64::INFINITY, 0.0);
        let finite = (largest, half - half * 2f64.powi(-p));
        let mismatch = |args: &[Pair], r: Pair| {
            let (a, b) = (mpfr::judge(Op::Add, &target, args, r), dyadic::judge(Op::Add, &target, args, r));
            assert!(verdicts_agree(&a, &b), "{args:?} {r:?} {a:?} {b:?}");
            assert!(a.mismatch.is_some() || r == infinite || a.u2 < 32.0, "{args:?} {r:?} {a:?}");
            a.mismatch
        };
        let u2 = power(1 - 2 * p);
        for k in [-15.0, -1.0, 1.0, 15.0] {
            let args = [(largest, 0.0), (half, k * u2)];
            assert_eq!(mismatch(&args, infinite), None, "{k}");
            assert_eq!(mismatch(&args, finite), None, "{k}");
            assert_eq!(mismatch(&args, (-f64::INFINITY, 0.0)), Some(vernier_oracle::Mismatch::InfinitySign), "{k}");
        }
        assert_eq!(mismatch(&[(largest, 0.0), (half, -40.0 * u2)], infinite), Some(vernier_oracle::Mismatch::Infinite));
        assert_eq!(mismatch(&[(largest, 0.0), (half, 40.0 * u2)], finite), Some(vernier_oracle::Mismatch::NotInfinite));
        let limbs = [(largest, 0.0), (half, 0.0)];
        assert_eq!(mismatch(&limbs, finite), Some(vernier_oracle::Mismatch::NotInfinite));
        assert_eq!(mismatch(&limbs, infinite), None);
    }
}
