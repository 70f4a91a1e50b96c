//! The judge's fast path gives MPFR's verdicts.

mod common;

use common::{WIDTHS, Words};
use proptest::prelude::*;
use rayon::prelude::*;
use vernier_oracle::target::{MEANINGS, arity};
use vernier_oracle::{ARGS, Op, Pair, Target, Verdict, judge, judge_block, mpfr};

/// 2^-20 ulp, or a relative 2^-20 for what is larger; `ulp` is an ulp in the unit of the errors.
fn close(a: f64, b: f64, ulp: f64) -> bool {
    a == b || (a - b).abs() <= 2f64.powi(-20) * b.max(ulp) || (a.is_nan() && b.is_nan())
}

fn agree(fast: &Verdict, slow: &Verdict) -> bool {
    // An ulp in each of the units; an error of zero is zero in both.
    let in_unit = |e: f64| if slow.ulp > 0.0 && slow.ulp < 1e30 { e / slow.ulp } else { 0.0 };
    fast.mismatch == slow.mismatch
        && fast.domain == slow.domain
        && (fast.ulp == 0.0) == (slow.ulp == 0.0)
        && close(fast.ulp, slow.ulp, 1.0)
        && close(fast.u2, slow.u2, in_unit(slow.u2))
        && close(fast.u2_of_terms, slow.u2_of_terms, in_unit(slow.u2_of_terms))
}

fn check(op: Op, target: &Target, args: &[Pair], r: Pair) {
    let (fast, slow) = (judge(op, target, args, r), mpfr::judge(op, target, args, r));
    assert!(agree(&fast, &slow), "{op:?} {target:?}\n{args:x?} = {r:x?}\n{fast:?}\n{slow:?}");
}

#[test]
fn fast_path_agrees_on_two_million_cases() {
    (0..2_000_000u64).into_par_iter().for_each(|index| {
        let mut rng = Words::new(index.wrapping_mul(0x0fed_cba9_8765_4321), 0);
        let op = MEANINGS[index as usize % 11];
        let target =
            rng.pick(&[Target::FP32MP2, Target::FP64MP2, Target::UNPACKED, Target::FP64MP2, Target::F32, Target::F64]);
        // Some operands and results are wider than the type that they are judged in.
        let limb = if rng.below(16) == 0 { Target::F64.limb } else { target.limb };
        let args = common::args(&mut rng, op, limb);
        let result_limb = rng.pick(&[limb, target.limb]);
        let r = common::result(&mut rng, op, &args, result_limb);
        check(op, &target, &args, r);
    });
}

#[test]
fn blocks_give_the_single_verdicts_in_order() {
    for (i, op) in MEANINGS[..11].iter().copied().enumerate() {
        for target in WIDTHS {
            let mut rng = Words::new(i as u64, 0);
            let cases: Vec<_> = (0..500)
                .map(|_| {
                    let args = common::args(&mut rng, op, target.limb);
                    let r = common::result(&mut rng, op, &args, target.limb);
                    let mut block = [(f64::NAN, 1.0); ARGS];
                    block[..args.len()].copy_from_slice(&args);
                    (block, r)
                })
                .collect();
            let (args, results): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
            let mut seen = 0;
            judge_block(op, &target, &args, &results, |i, verdict| {
                assert_eq!(i, seen);
                seen += 1;
                let single = judge(op, &target, &args[i][..arity(op).unwrap()], results[i]);
                assert_eq!(format!("{verdict:?}"), format!("{single:?}"));
            });
            assert_eq!(seen, 500);
        }
    }
}

fn f32_pair() -> impl Strategy<Value = Pair> {
    (any::<f32>(), any::<f32>(), -60i32..0).prop_map(|(hi, lo, gap)| {
        let scaled = lo as f64 / (lo as f64).abs().max(f64::MIN_POSITIVE) * hi as f64 * 2f64.powi(gap);
        (hi as f64, (scaled * 1.37) as f32 as f64)
    })
}

fn f64_pair() -> impl Strategy<Value = Pair> {
    (any::<f64>(), any::<f64>(), -120i32..0).prop_map(|(hi, lo, gap)| {
        let fraction = f64::from_bits(lo.to_bits() & ((1 << 52) - 1) | 1023 << 52);
        (hi, hi * fraction.copysign(lo) * 2f64.powi(gap))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_f32_pairs(op in 0usize..11, args in prop::array::uniform3(f32_pair()), r in f32_pair(), near in any::<bool>()) {
        let op = MEANINGS[op];
        let args = &args[..arity(op).unwrap()];
        let r = if near { vernier_oracle::round_pair(op, args, Target::FP32MP2.limb) } else { r };
        check(op, &Target::FP32MP2, args, r);
    }

    #[test]
    fn any_f64_pairs(op in 0usize..11, args in prop::array::uniform3(f64_pair()), r in f64_pair(), near in any::<bool>()) {
        let op = MEANINGS[op];
        let args = &args[..arity(op).unwrap()];
        let r = if near { vernier_oracle::round_pair(op, args, Target::FP64MP2.limb) } else { r };
        check(op, &Target::FP64MP2, args, r);
    }
}
