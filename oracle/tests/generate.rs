//! Generators: the same cases everywhere, every class what its name says, no class empty.

use vernier_oracle::generate::{Generator, Mixture, Operand, Shape, Signs};
use vernier_oracle::generate::{counter, exhaustive, limb, special};
use vernier_oracle::target::MEANINGS;
use vernier_oracle::{Format, Op, Pair, Target};

const CASES: u64 = 20_000;
const TARGETS: [Target; 2] = [Target::FP32MP2, Target::FP64MP2];

fn exponent(x: f64) -> i32 {
    match (x.to_bits() >> 52 & 0x7ff) as i32 {
        0 => x.abs().to_bits().checked_ilog2().map_or(-1075, |top| top as i32 - 1074),
        biased => biased - 1023,
    }
}

fn draws(generator: Generator, shape: &Shape, cases: u64) -> Vec<Vec<Pair>> {
    let key = counter::key(1, 2);
    (0..cases)
        .map(|i| {
            let mut args = vec![(f64::NAN, f64::NAN); shape.operands.len()];
            generator.draw(shape, key, i, &mut args);
            args
        })
        .collect()
}

fn bits(args: &[Pair]) -> Vec<(u64, u64)> {
    args.iter().map(|x| (x.0.to_bits(), x.1.to_bits())).collect()
}

/// How many of the operands satisfy a predicate, as a fraction.
fn share(args: &[Vec<Pair>], holds: impl Fn(&Pair) -> bool) -> f64 {
    let all = args.iter().flatten().count();
    args.iter().flatten().filter(|x| holds(x)).count() as f64 / all as f64
}

#[test]
fn counter_words_are_splitmix64() {
    // The first outputs of SplitMix64 seeded with 1234567 (Vigna's reference values).
    let expected = [6457827717110365317u64, 3203168211198807973, 9817491932198370423, 4593380528125082431];
    for (n, e) in expected.into_iter().enumerate() {
        assert_eq!(counter::word(1234567, n as u64), e);
    }
}

#[test]
fn counter_bits_are_unbiased() {
    let n = 1 << 16;
    for key in [counter::key(0, 0), counter::key(1, 0), counter::named_key(7, "fp32mp2 add mid")] {
        let mut ones = [0u32; 64];
        let mut equal_to_next = 0u64;
        for i in 0..n {
            let w = counter::word(key, i);
            (0..64).for_each(|b| ones[b] += (w >> b & 1) as u32);
            equal_to_next += u64::from((w ^ counter::word(key, i + 1)).count_ones());
        }
        // Six standard deviations of a fair coin.
        let allowed = 6.0 * (n as f64).sqrt() / 2.0;
        assert!(ones.iter().all(|&c| (f64::from(c) - n as f64 / 2.0).abs() < allowed), "{ones:?}");
        assert!((equal_to_next as f64 - 32.0 * n as f64).abs() < 8.0 * allowed);
    }
}

#[test]
fn below_and_between_reach_both_ends() {
    let mut w = counter::Words::new(3, 4);
    let mut seen = [false; 7];
    for _ in 0..1000 {
        seen[w.below(7) as usize] = true;
        assert!((-2..=3).contains(&w.between(-2, 3)));
        assert!(w.sized(10) < 1024);
    }
    assert_eq!(seen, [true; 7]);
    assert_eq!((w.below(0), w.between(5, 4), w.sized(0)), (0, 5, 0));
}

#[test]
fn a_case_depends_on_seed_stream_and_index_only() {
    for target in TARGETS {
        for op in MEANINGS {
            let shape = Shape::new(op, &target);
            let mut args = vec![(0.0, 0.0); shape.operands.len()];
            let mut again = args.clone();
            for generator in Generator::ALL {
                let mut same_as_other_seed = 0;
                for i in (0..2000).rev() {
                    generator.draw(&shape, 11, i, &mut args);
                    generator.draw(&shape, 11, i, &mut again);
                    assert_eq!(bits(&args), bits(&again));
                    generator.draw(&shape, 12, i, &mut again);
                    same_as_other_seed += u32::from(bits(&args) == bits(&again));
                }
                let fixed = generator == Generator::Specials;
                assert!(
                    if fixed { same_as_other_seed == 2000 } else { same_as_other_seed < 400 },
                    "{op:?} {generator:?}"
                );
            }
            let mixture = Mixture::accuracy();
            for i in [0, 1, 77, u64::MAX] {
                let first = mixture.draw(&shape, 5, i, &mut args);
                assert_eq!(first, mixture.draw(&shape, 5, i, &mut again));
                assert_eq!(bits(&args), bits(&again));
            }
        }
    }
}

#[test]
fn limbs_are_numbers_of_the_format() {
    for op in MEANINGS {
        let shape = Shape::new(op, &Target::FP32MP2);
        for generator in Generator::ALL {
            for args in draws(generator, &shape, 2000) {
                for (i, x) in args.iter().enumerate() {
                    for c in [x.0, x.1] {
                        assert!(c.is_nan() || (c as f32) as f64 == c, "{generator:?} {c:e}");
                    }
                    assert!(!(op == Op::Acc && i == 1) || x.1 == 0.0);
                }
            }
        }
    }
}

#[test]
fn classes_are_what_their_names_say() {
    for target in TARGETS {
        let f = target.limb;
        let p = f.p as i32;
        let least = f.emin + p - 1;
        for op in MEANINGS {
            let shape = Shape::new(op, &target);
            let of = |g| draws(g, &shape, CASES / 10);
            let pairs = |x: &Pair| limb::is_normalized(*x, f);
            let is_zero = |x: &Pair| x.0 == 0.0 && x.1 == 0.0;
            use Generator::*;
            for g in [Exponents, Moderate, Structured, Ties, Powers, Edges, Gaps, ZeroLo] {
                let normalized = share(&of(g), pairs);
                assert!(normalized == 1.0, "{op:?} {g:?} normalised: {normalized}");
            }
            if !matches!(op, Op::Canonical | Op::Neg) {
                assert_eq!(share(&of(Cancellation), pairs), 1.0, "{op:?}");
            }
            for g in [Moderate, Gaps, ZeroLo, Powers] {
                let limit = 2f64.powi(target.range);
                let inside = share(&of(g), |x| x.0.abs() >= 1.0 / limit && x.0.abs() <= limit);
                assert_eq!(inside, 1.0, "{op:?} {g:?}");
            }
            let bits = of(Bits);
            assert!((share(&bits, |x| x.0.is_sign_negative()) - 0.5).abs() < 0.1);
            let zero_lo = of(ZeroLo);
            assert_eq!(share(&zero_lo, |x| x.1 == 0.0), 1.0);
            let powers = share(&of(Powers), |x| {
                [-3i64, -2, -1, 0, 1, 2, 3].iter().any(|&n| {
                    let m = limb::step(x.0, n, f).abs();
                    m == 2f64.powi(exponent(m))
                })
            });
            assert!(powers > 0.99, "{op:?} {powers}");
            let edge = |x: &Pair| exponent(x.0) < least + 2 * p + 3 || exponent(x.0) > f.emax - p - 3;
            let edges = of(Edges);
            assert!(edges.iter().filter(|a| a.iter().any(edge)).count() * 3 > edges.len(), "{op:?}");
            assert!(share(&edges, |x| x.0 != 0.0 && exponent(x.0) < least) > 0.02, "{op:?}");
            assert!(share(&edges, |x| exponent(x.0) == f.emax) > 0.02, "{op:?}");
            if shape.operands.contains(&Operand::Pair) {
                let pair_operands = shape.operands.iter().filter(|k| **k == Operand::Pair).count() as f64;
                let most = pair_operands / shape.operands.len() as f64;
                let overlapping = share(&of(Overlapping), |x| !pairs(x) && x.1.abs() < x.0.abs());
                assert!(overlapping > 0.99 * most, "{op:?} {overlapping}");
                let inverted = share(&of(Inverted), |x| x.1.abs() > x.0.abs());
                assert!(inverted > 0.99 * most, "{op:?} {inverted}");
                let half = |x: &Pair| x.1.abs() == 2f64.powi(exponent(x.0) - p);
                assert!(share(&of(Ties), half) > 0.1, "{op:?}");
                assert!(share(&of(Structured), |x| x.1.abs() > 0.98 * 2f64.powi(exponent(x.0) - p)) > 0.3 * most);
                let gap = |x: &Pair| exponent(x.0) - p - 1 - exponent(x.1);
                let gaps = of(Gaps);
                for g in 0..2 * p + 4 {
                    assert!(share(&gaps, |x| gap(x) == g) > 0.2 / f64::from(2 * p + 4) * most, "{op:?} gap {g}");
                }
            }
            assert!(share(&of(Specials), |x| is_zero(x) || !x.0.is_finite()) > 0.1);
        }
    }
}

#[test]
fn cancellation_cancels() {
    use vernier_oracle::round_pair;
    for target in TARGETS {
        let f = target.limb;
        let p = f.p as i32;
        for op in [Op::Add, Op::Sub, Op::Acc, Op::Fma, Op::Mad, Op::Dot] {
            let shape = Shape::new(op, &target);
            // Bits that the leading terms lose: in hi (up to p), in lo (up to 2 p), and all of them.
            let (mut in_hi, mut in_lo, mut all) = (0, 0, 0);
            let cases = draws(Generator::Cancellation, &shape, CASES / 10);
            for args in &cases {
                let r = round_pair(op, args, f);
                let term = match op {
                    Op::Add | Op::Sub | Op::Acc => args[0].0,
                    _ => args[0].0 * args[1].0,
                };
                match exponent(term) - exponent(r.0) {
                    _ if r.0 == 0.0 => all += 1,
                    lost if lost >= p - 2 => in_lo += 1,
                    lost if lost >= 3 => in_hi += 1,
                    _ => {}
                }
            }
            let counts = [in_hi, in_lo, all];
            let enough = if op == Op::Acc { [0, 400, 0] } else { [20, 400, 20] };
            assert!(counts.iter().zip(enough).all(|(c, e)| *c >= e), "{op:?} {counts:?}");
        }
    }
}

#[test]
fn ties_end_in_ties() {
    let f = Format::F32;
    for op in [Op::Add, Op::Mul] {
        let shape = Shape::new(op, &Target::FP32MP2);
        let cases = draws(Generator::Ties, &shape, CASES);
        let tied = cases.iter().filter(|a| {
            let exact = if op == Op::Add { a[0].0 + a[1].0 } else { a[0].0 * a[1].0 };
            let up = limb::round(exact, f);
            let half = 2f64.powi(exponent(exact) - f.p as i32);
            (exact - up).abs() == half
        });
        let tied = tied.count() as u64;
        assert!(tied > CASES / 100, "{op:?} {tied}");
    }
}

#[test]
fn signs_are_as_asked() {
    for op in [Op::Add, Op::Sub, Op::Acc] {
        for (signs, same) in [(Signs::Equal, op != Op::Sub), (Signs::Opposite, op == Op::Sub)] {
            let shape = Shape::new(op, &Target::FP32MP2).with_signs(signs);
            for generator in Generator::ALL {
                for a in draws(generator, &shape, 500).iter().filter(|a| !a[0].0.is_nan() && !a[1].0.is_nan()) {
                    assert_eq!(
                        a[0].0.is_sign_negative() == a[1].0.is_sign_negative(),
                        same,
                        "{op:?} {generator:?} {a:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn mixtures_follow_their_weights() {
    let shape = Shape::new(Op::Fma, &Target::FP64MP2);
    for mixture in [Mixture::accuracy(), Mixture::equal()] {
        let total: u32 = mixture.weights().iter().map(|w| w.1).sum();
        let mut args = [(0.0, 0.0); 3];
        let mut counts = std::collections::BTreeMap::<Generator, u64>::new();
        for i in 0..CASES {
            *counts.entry(mixture.draw(&shape, 9, i, &mut args)).or_default() += 1;
        }
        for &(generator, weight) in mixture.weights() {
            let expected = CASES as f64 * f64::from(weight) / f64::from(total);
            let got = counts[&generator] as f64;
            assert!((got - expected).abs() < 6.0 * expected.sqrt(), "{generator:?} {got} {expected}");
        }
        let text = serde_json::to_string(&mixture).unwrap();
        assert_eq!(serde_json::from_str::<Mixture>(&text).unwrap(), mixture);
    }
    let only = Mixture::new(&[(Generator::Ties, 1), (Generator::Bits, 0)]);
    assert_eq!(only.weights(), [(Generator::Ties, 1)]);
    assert_eq!(only.draw(&shape, 1, 1, &mut [(0.0, 0.0); 3]), Generator::Ties);
}

#[test]
fn specials_come_in_all_combinations() {
    for f in [Format::F32, Format::F64, Format::F16] {
        let limbs = special::limbs(f);
        let largest = (2.0 - 2f64.powi(1 - f.p as i32)) * 2f64.powi(f.emax);
        let least = 2f64.powi(f.emin / 2) * 2f64.powi(f.emin - f.emin / 2);
        let normal = 2f64.powi(f.emin + f.p as i32 - 1);
        let named =
            [0.0, -0.0, least, -least, normal, -normal, 1.0, -1.0, largest, -largest, f64::INFINITY, f64::NEG_INFINITY];
        assert_eq!(limbs[..12].iter().map(|x| x.to_bits()).collect::<Vec<_>>(), named.map(f64::to_bits));
        assert!(limbs.last().unwrap().is_nan());
        let target = Target::pair(f, 10);
        for op in [Op::Sqrt, Op::Acc, Op::Mul] {
            let shape = Shape::new(op, &target);
            let count = special::count(&shape).unwrap();
            let mut seen = std::collections::BTreeSet::new();
            let mut args = [(0.0, 0.0); 2];
            for i in 0..count {
                special::combination(&shape, i, &mut args);
                seen.insert(bits(&args));
                for x in args.iter().filter(|x| x.0.is_finite()) {
                    assert!(f == Format::F16 || limb::is_normalized(*x, f), "{x:?}");
                }
            }
            assert_eq!(seen.len() as u64, count);
        }
    }
    let many = Shape::new(Op::Dot, &Target::FP32MP2).with_operands(&[Operand::Pair; 64]);
    assert_eq!(special::count(&many), None);
}

#[test]
fn exhaustive_runs_through_every_input() {
    let half = Target::single(Format::F16, 10);
    let unary = Shape::new(Op::Sqrt, &half);
    assert_eq!(exhaustive::count(&unary), Some(1 << 16));
    let mut seen = std::collections::BTreeSet::new();
    let mut x = [(0.0, 0.0)];
    for ordinal in 0..1 << 16 {
        exhaustive::input(&unary, ordinal, &mut x);
        assert!(x[0].0.is_nan() || limb::to_bits(x[0].0, Format::F16) == ordinal);
        seen.insert(x[0].0.to_bits());
    }
    // NaN is one number here.
    assert_eq!(seen.iter().filter(|b| !f64::from_bits(**b).is_nan()).count(), (1 << 16) - 2 * 1023);
    let binary = Shape::new(Op::Mul, &half);
    assert_eq!(exhaustive::count(&binary), Some(1 << 32));
    let mut xy = [(0.0, 0.0); 2];
    exhaustive::input(&binary, 0x3c00_4000, &mut xy);
    assert_eq!(xy, [(2.0, 0.0), (1.0, 0.0)]);
    assert_eq!(exhaustive::count(&Shape::new(Op::Sqrt, &Target::F32)), Some(1 << 32));
    assert_eq!(exhaustive::count(&Shape::new(Op::Sqrt, &Target::FP32MP2)), None);
    let pair = Shape::new(Op::Canonical, &Target::pair(Format::F16, 10));
    exhaustive::input(&pair, 0x0001_4200, &mut x);
    assert_eq!(x, [(3.0, 2f64.powi(-24))]);
    assert_eq!(exhaustive::count(&pair), Some(1 << 32));
}

#[test]
fn steps_walk_over_zero_and_stop_at_infinity() {
    for f in [Format::F32, Format::F64, Format::F16] {
        let tiny = limb::from_bits(1, f);
        assert_eq!(limb::step(tiny, -2, f), -tiny);
        assert_eq!(limb::step(-tiny, 3, f), 2.0 * tiny);
        assert_eq!(limb::step(1.0, 1, f) - 1.0, 2f64.powi(1 - f.p as i32));
        assert_eq!(limb::step(1.0, i64::MAX, f), f64::INFINITY);
        assert_eq!(limb::step(-1.0, i64::MIN, f), f64::NEG_INFINITY);
        assert!(limb::step(f64::NAN, 1, f).is_nan());
        assert_eq!(limb::compose(true, f.emin, 0, f), -tiny);
        assert_eq!(limb::compose(false, f.emin - 1, 0, f), 0.0);
        assert_eq!(limb::compose(false, 3, 1 << (f.p - 2), f), 12.0);
        assert!(limb::compose(false, i32::MAX, u64::MAX, f).is_finite());
    }
    assert_eq!(limb::normalize((1.0, 1.0), Format::F32), (2.0, 0.0));
    assert_eq!(limb::normalize((2f64.powi(-30), 1.0), Format::F32), (1.0, 2f64.powi(-30)));
    assert_eq!(limb::normalize((f64::INFINITY, 1.0), Format::F64), (f64::INFINITY, 0.0));
}
