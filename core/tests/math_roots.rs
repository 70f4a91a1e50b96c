//! Roots and norms of pairs: what is exact, what is symmetric, and that the value counts and not the limbs. On all operands
//! `vernier accuracy` holds their errors to the bounds.

mod pairs;
mod random;

use pairs::{Pair, operand, special};
use random::Random;
use rayon::prelude::*;
use vernier::host::Host;
use vernier::machine::{Value, exp2};
use vernier::pair::canonical;
use vernier::{HostLimb, math};

/// NaN is one class.
fn bits<F: HostLimb>(x: Pair<F>) -> (u64, u64) {
    let nan = F::lit(f64::NAN).to_bits_u64();
    (if x.0.to_f64().is_nan() { nan } else { x.0.to_bits_u64() }, x.1.to_bits_u64())
}

/// 2^e times a limb, where that is a limb.
fn scaled<F: HostLimb>(x: F, e: i32) -> Option<F> {
    let (half, rest) = (F::lit(exp2(e / 2)), F::lit(exp2(e - e / 2)));
    let y = x * half * rest;
    let back = y * F::lit(exp2(-(e / 2))) * F::lit(exp2(e / 2 - e));
    (back == x && y.to_f64().is_finite()).then_some(y)
}

/// Every exponent of a limb.
fn exponents<F: HostLimb>() -> std::ops::RangeInclusive<i32> {
    F::MIN_EXP - F::P as i32 + 1..=-F::MIN_EXP + 1
}

fn cubes<F: HostLimb + Value<M = Host> + Sync>(roots: impl ParallelIterator<Item = u64>, places: usize) {
    roots.for_each(|n| {
        let cube = u128::from(n).pow(3);
        // Both conversions are exact or round once.
        let hi = F::lit(cube as f64);
        let lo = F::lit((cube as i128 - hi.to_f64() as i128) as f64);
        assert_eq!(hi.to_f64() as i128 + lo.to_f64() as i128, cube as i128);
        for k in exponents::<F>().step_by(places) {
            let (Some(hi), Some(lo), Some(root)) = (scaled(hi, 3 * k), scaled(lo, 3 * k), scaled(F::lit(n as f64), k))
            else {
                continue;
            };
            assert_eq!(bits(math::cbrt((hi, lo))), bits((root, F::ZERO)), "{n}^3 8^{k}");
            assert_eq!(bits(math::cbrt((-hi, -lo))), bits((-root, F::ZERO)), "-{n}^3 8^{k}");
        }
    });
}

#[test]
fn the_root_of_a_cube_is_exact() {
    cubes::<f32>((1..1 << 16).into_par_iter(), 1);
    let wide = |i: u64| Random(i).word() >> (29 + i % 30);
    cubes::<f64>((0..100_000).into_par_iter().map(wide), 7);
}

fn triangles<F: HostLimb + Value<M = Host>>() {
    let zero = F::ZERO;
    for (sides, norm) in [
        ([3, 4, 0, 0], 5),
        ([5, 12, 0, 0], 13),
        ([2, 3, 6, 0], 7),
        ([1, 1, 1, 1], 2),
        ([1, 1, 7, 7], 10),
        ([0, 0, 0, 1], 1),
    ] {
        for k in exponents::<F>() {
            let limb = |n: i32| scaled(F::lit(f64::from(n)), k).map(|x| (x, zero));
            let [Some(x), Some(y), Some(z), Some(w), Some(norm)] =
                [sides[0], sides[1], sides[2], sides[3], norm].map(limb)
            else {
                continue;
            };
            assert_eq!(bits(math::norm4d(x, y, z, w)), bits(norm), "{sides:?} 2^{k}");
            if sides[3] == 0 {
                assert_eq!(bits(math::norm3d(z, y, x)), bits(norm), "{sides:?} 2^{k}");
            }
            if sides[2] == 0 && sides[3] == 0 {
                assert_eq!(bits(math::hypot(x, (-y.0, zero))), bits(norm), "{sides:?} 2^{k}");
            }
        }
    }
}

#[test]
fn triangles_of_integers_are_exact() {
    triangles::<f32>();
    triangles::<f64>();
}

fn identities<F: HostLimb + Value<M = Host> + Sync>() {
    let list = special::<F>();
    (0..64).into_par_iter().for_each(|shard| {
        let mut random = Random(shard);
        for _ in 0..3000 {
            let [x, y, z, w] = [(); 4].map(|()| operand(&mut random, &list));
            let minus = |x: Pair<F>| (-x.0, -x.1);
            let zero = (F::ZERO, F::ZERO);
            for f in [math::cbrt, math::rcbrt] {
                let r = f(x);
                assert_eq!(bits(canonical(r)), bits(r), "canonical, {x:?}");
                if x.0 != -x.1 {
                    assert_eq!(
                        bits(f(minus(x))),
                        bits(if r.1 == F::ZERO { (-r.0, r.1) } else { minus(r) }),
                        "odd, {x:?}"
                    );
                }
            }
            let norms = |[x, y, z, w]: [Pair<F>; 4]| {
                [
                    math::hypot(x, y),
                    math::rhypot(x, y),
                    math::norm3d(x, y, z),
                    math::rnorm3d(x, y, z),
                    math::norm4d(x, y, z, w),
                    math::rnorm4d(x, y, z, w),
                ]
            };
            let r = norms([x, y, z, w]);
            for r in r {
                // A lo that is subnormal is rounded, to half an ulp of hi at most.
                let canonical = bits(canonical(r)) == bits(r) || r.1.abs() <= F::lit(exp2(F::MIN_EXP));
                assert!(canonical, "{r:?}, {x:?} {y:?} {z:?} {w:?}");
            }
            assert_eq!(norms([minus(x), y, minus(z), w]).map(bits), r.map(bits), "even, {x:?} {y:?} {z:?} {w:?}");
            assert_eq!(bits(math::hypot(x, zero)), bits(math::fabs(x)), "{x:?}");
            assert_eq!(bits(math::hypot((-F::ZERO, F::ZERO), x)), bits(math::fabs(x)), "{x:?}");
            // The value counts, where the canonical pair has it.
            let c = [x, y, z, w].map(|x| if (x.0 + x.1).to_f64().is_finite() { canonical(x) } else { x });
            assert_eq!(bits(math::cbrt(c[0])), bits(math::cbrt(x)), "{x:?}");
            assert_eq!(bits(math::rcbrt(c[0])), bits(math::rcbrt(x)), "{x:?}");
            for (a, b) in norms(c).into_iter().zip(r) {
                let near = ((a.0 - b.0) + (a.1 - b.1)).abs() <= a.0 * F::lit(exp2(3 - 2 * F::P as i32));
                assert!(bits(a) == bits(b) || near, "{x:?} {y:?} {z:?} {w:?} {a:?} {b:?}");
            }
        }
    });
}

#[test]
fn identities_of_roots_and_norms() {
    identities::<f32>();
    identities::<f64>();
}
