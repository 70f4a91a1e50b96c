//! Worst-case search: as strong as claimed on Vernier's own sequences, valid inputs only, the same on any number of threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use vernier::pair::*;
use vernier_oracle::generate::{Operand, Shape, Signs, limb};
use vernier_oracle::search::{Peak, Search, error_of, u2, u2_of_terms};
use vernier_oracle::{Args, Op, Pair, Target, Verdict};

/// A search on a function of two or three pairs of `$t`.
macro_rules! search {
    ($t:ty, $op:ident, $signs:ident, $measure:expr, $evaluations:expr, |$x:pat_param, $y:pat_param, $z:pat_param| $r:expr) => {{
        let target = if size_of::<$t>() == 4 { Target::FP32MP2 } else { Target::FP64MP2 };
        let limbs = |p: Pair| (p.0 as $t, p.1 as $t);
        let subject = move |args: &[Args], results: &mut [Pair]| {
            for (a, result) in args.iter().zip(results) {
                let ($x, $y, $z) = (limbs(a[0]), limbs(a[1]), limbs(a[2]));
                let r: ($t, $t) = $r;
                *result = (r.0.into(), r.1.into());
            }
        };
        let shape = Shape::new(Op::$op, &target).with_signs(Signs::$signs);
        peak(shape, $evaluations, target, $measure, subject)
    }};
}

fn peak(
    shape: Shape,
    evaluations: u64,
    target: Target,
    measure: fn(&Verdict) -> f64,
    subject: impl Fn(&[Args], &mut [Pair]) + Sync,
) -> Peak {
    let found = Search::new(shape.clone(), 1).run(evaluations, error_of(shape.op, target, measure, &subject)).unwrap();
    assert_eq!(found.evaluations, evaluations);
    assert!(found.args.iter().all(|x| limb::is_normalized(*x, target.limb)), "{found:?}");
    // The input has the error that was reported.
    let mut args: Args = Default::default();
    args[..found.args.len()].copy_from_slice(&found.args);
    let mut result = [(0.0, 0.0)];
    subject(&[args], &mut result);
    let verdict = vernier_oracle::mpfr::judge(shape.op, &target, &found.args, result[0]);
    let error = measure(&verdict);
    assert!((error - found.value).abs() <= 1e-6 * error, "{found:?} {error}");
    println!("{:?} p = {}: {found:?}", shape.op, target.limb.p);
    found
}

#[test]
fn reaches_the_worst_of_addition() {
    assert!(search!(f32, Add, Any, u2, 4_000_000, |x, y, _| add_high(x, y)).value >= 2.9);
    assert!(search!(f64, Add, Any, u2, 4_000_000, |x, y, _| add_high(x, y)).value >= 2.9);
    assert!(search!(f32, Add, Equal, u2, 200_000, |x, y, _| add_low(x, y)).value >= 2.95);
    assert!(search!(f64, Sub, Equal, u2, 200_000, |x, y, _| add_mid(x, neg(y))).value >= 2.95);
    assert!(search!(f32, Acc, Any, u2, 200_000, |x, y, _| acc_mid(x, y.0)).value >= 1.95);
    assert!(search!(f64, Acc, Any, u2, 200_000, |x, y, _| acc_high(x, y.0)).value >= 1.95);
}

#[test]
fn finds_that_low_and_mid_addition_have_no_relative_bound() {
    // One rounding of the lo limbs is all that is left of the sum: an error of about 1, which is u^-2 in u2.
    let (single, double) = (2f64.powi(46), 2f64.powi(104));
    assert!(search!(f32, Add, Opposite, u2, 200_000, |x, y, _| add_low(x, y)).value >= single);
    assert!(search!(f32, Add, Opposite, u2, 200_000, |x, y, _| add_mid(x, y)).value >= single);
    assert!(search!(f64, Add, Opposite, u2, 200_000, |x, y, _| add_low(x, y)).value >= double);
    assert!(search!(f64, Sub, Opposite, u2, 200_000, |x, y, _| add_mid(x, neg(y))).value >= double);
    // Against the terms they have one.
    let terms = search!(f32, Add, Opposite, u2_of_terms, 200_000, |x, y, _| add_mid(x, y)).value;
    assert!((2.9..3.01).contains(&terms), "{terms}");
}

#[test]
fn reaches_the_worst_of_multiplication() {
    assert!(search!(f32, Mul, Any, u2, 500_000, |x, y, _| mul_mid(x, y)).value >= 4.9);
    assert!(search!(f64, Mul, Any, u2, 500_000, |x, y, _| mul_mid(x, y)).value >= 4.9);
    assert!(search!(f32, Mul, Any, u2, 2_000_000, |x, y, _| mul_low(x, y)).value >= 4.7);
    assert!(search!(f64, Mul, Any, u2, 2_000_000, |x, y, _| mul_low(x, y)).value >= 4.7);
}

#[test]
fn reaches_the_worst_of_division() {
    assert!(search!(f32, Div, Any, u2, 10_000_000, |x, y, _| div_mid(x, y)).value >= 8.5);
    assert!(search!(f64, Div, Any, u2, 4_000_000, |x, y, _| div_mid(x, y)).value >= 8.4);
    assert!(search!(f32, Div, Any, u2, 2_000_000, |x, y, _| div_low(x, y)).value >= 9.8);
    assert!(search!(f64, Div, Any, u2, 2_000_000, |x, y, _| div_low(x, y)).value >= 9.8);
}

#[test]
fn reaches_the_worst_of_roots() {
    assert!(search!(f32, Sqrt, Any, u2, 2_000_000, |x, _, _| sqrt(x)).value >= 2.95);
    assert!(search!(f64, Sqrt, Any, u2, 2_000_000, |x, _, _| sqrt(x)).value >= 3.05);
    assert!(search!(f32, Rsqrt, Any, u2, 2_000_000, |x, _, _| rsqrt(x)).value >= 2.55);
    assert!(search!(f64, Rsqrt, Any, u2, 2_000_000, |x, _, _| rsqrt(x)).value >= 2.55);
}

#[test]
fn reaches_the_worst_of_fused_and_separate_multiply_add() {
    assert!(search!(f32, Fma, Any, u2_of_terms, 2_000_000, |x, y, z| fma_low(x, y, z)).value >= 6.6);
    assert!(search!(f64, Fma, Any, u2_of_terms, 2_000_000, |x, y, z| fma_mid(x, y, z)).value >= 6.6);
    assert!(search!(f32, Fma, Any, u2_of_terms, 1_000_000, |x, y, z| fma_high(x, y, z)).value >= 2.95);
    assert!(search!(f32, Mad, Any, u2_of_terms, 2_000_000, |x, y, z| mad_mid(x, y, z)).value >= 8.5);
    assert!(search!(f64, Mad, Any, u2_of_terms, 1_000_000, |x, y, z| mad_high(x, y, z)).value >= 6.2);
}

/// How far apart the operands' leading limbs are, with all inputs counted.
fn spread(args: &[[Pair; 2]], values: &mut [f64]) {
    for (a, v) in args.iter().zip(values) {
        *v = (a[0].0 / a[1].0).abs().log2() + (a[0].1 * 3.0).sin();
    }
}

#[test]
fn is_the_same_on_any_number_of_threads() {
    let search = Search::new(Shape::new(Op::Div, &Target::FP32MP2), 5);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search.run(300_001, spread))
    };
    let found = on(1);
    assert_eq!(found, on(1));
    assert_eq!(found, on(3));
    assert_eq!(found, on(16));
    let other = Search { seed: 6, ..search.clone() }.run(300_001, spread);
    assert_ne!(found, other);
}

#[test]
fn evaluates_valid_inputs_only_and_as_many_as_asked() {
    let target = Target::FP64MP2;
    let limit = 2f64.powi(target.range);
    for (op, signs, negative) in
        [(Op::Add, Signs::Opposite, true), (Op::Sub, Signs::Opposite, false), (Op::Acc, Signs::Equal, false)]
    {
        let shape = Shape::new(op, &target).with_signs(signs);
        for evaluations in [1, 31, 1000, 200_000] {
            let count = AtomicU64::new(0);
            let search = Search::new(shape.clone(), evaluations);
            search.run(evaluations, |args: &[[Pair; 2]], values: &mut [f64]| {
                count.fetch_add(args.len() as u64, Ordering::Relaxed);
                for (a, v) in args.iter().zip(values) {
                    for x in a {
                        assert!(
                            limb::is_normalized(*x, target.limb) && x.0.abs() <= limit && x.0.abs() >= 1.0 / limit,
                            "{a:?}"
                        );
                    }
                    assert_eq!(a[0].0.is_sign_negative() != a[1].0.is_sign_negative(), negative, "{op:?} {a:?}");
                    assert!(op != Op::Acc || a[1].1 == 0.0);
                    *v = a[0].0.to_bits() as f64;
                }
            });
            assert_eq!(count.into_inner(), evaluations);
        }
    }
}

#[test]
fn nan_excludes_inputs() {
    let shape = Shape::new(Op::Mul, &Target::FP32MP2);
    let search = Search::new(shape, 3);
    let positive = |args: &[[Pair; 2]], values: &mut [f64]| {
        for (a, v) in args.iter().zip(values) {
            *v = if a[0].0 > 1.0 && a[1].0 > 1.5 { -a[0].0 - a[1].0 } else { f64::NAN };
        }
    };
    let found = search.run(100_000, positive).unwrap();
    let next = |x: f32| f64::from(x.next_up());
    assert_eq!((found.args[0].0, found.args[1].0), (next(1.0), next(1.5)));
    let nothing = |_: &[[Pair; 2]], values: &mut [f64]| values.fill(f64::NAN);
    assert_eq!(search.run(1000, nothing), None);
    assert_eq!(search.run(0, positive), None);
    // No room for the operands.
    assert_eq!(search.run(1000, |_: &[[Pair; 1]], values: &mut [f64]| values.fill(1.0)), None);
}

#[test]
fn takes_any_number_of_operands() {
    let shape = Shape::new(Op::Dot, &Target::FP32MP2);
    assert_eq!(shape.operands, [Operand::Pair; 8]);
    let equal = |args: &[[Pair; 8]], values: &mut [f64]| {
        for (a, v) in args.iter().zip(values) {
            *v = -a.windows(2).map(|w| (w[0].0 - w[1].0).abs()).sum::<f64>();
        }
    };
    let found = Search::new(shape, 1).run(400_000, equal).unwrap();
    assert_eq!(found.args.len(), 8);
    assert!(found.value > -0.1, "{found:?}");
}

#[test]
fn a_time_budget_is_kept() {
    let search = Search::new(Shape::new(Op::Add, &Target::FP32MP2), 1);
    let start = Instant::now();
    let found = search.run_for(Duration::from_millis(300), spread).unwrap();
    assert!(found.evaluations >= 1 << 20);
    assert!(start.elapsed() < Duration::from_secs(20));
}
