//! Normal variables of random words: symmetry, order, ends, and the bits of the quantile of the probability in the middle.

mod random;

use random::Random;
use rayon::prelude::*;
use vernier::{fp32mp2, fp64mp2, math};

fn of_32(k: u32) -> (f32, f32) {
    fp32mp2::icdf(k).to_parts()
}

fn of_64(k: u64) -> (f64, f64) {
    fp64mp2::icdf(k).to_parts()
}

/// (k + 1/2) / 2^32, which a double holds.
fn middle_32(k: u32) -> (f32, f32) {
    let p = (f64::from(k) + 0.5) / 2f64.powi(32);
    (p as f32, (p - f64::from(p as f32)) as f32)
}

/// (k + 1/2) / 2^64.
fn middle_64(k: u64) -> (f64, f64) {
    let twice = 2 * u128::from(k) + 1;
    let hi = twice as f64;
    let lo = twice.wrapping_sub(hi as u128) as i128 as f64;
    (hi / 2f64.powi(65), lo / 2f64.powi(65))
}

fn words() -> impl ParallelIterator<Item = u64> {
    let near = [0u64, 1 << 31, 1 << 32, 1 << 63, u64::MAX - 40].into_par_iter();
    let near = near.flat_map_iter(|at| (0..40).flat_map(move |i| [at.wrapping_add(i), at.wrapping_sub(i)]));
    near.chain((0..200_000u64).into_par_iter().map(|i| {
        let mut random = Random(i);
        random.word() >> random.below(64)
    }))
}

#[test]
fn the_quantile_of_the_middle_to_the_bit() {
    words().for_each(|k| {
        let low = k as u32;
        assert_eq!(of_32(low), math::normcdfinv(middle_32(low)), "{low}");
        assert_eq!(of_64(k), math::normcdfinv(middle_64(k)), "{k}");
    });
}

#[test]
fn complements_have_the_other_sign() {
    let bits32 = |x: (f32, f32)| (x.0.to_bits(), x.1.abs().to_bits(), x.1 != 0.0 && x.1 < 0.0);
    let bits64 = |x: (f64, f64)| (x.0.to_bits(), x.1.abs().to_bits(), x.1 != 0.0 && x.1 < 0.0);
    words().for_each(|k| {
        let (x, y) = (of_32(k as u32), of_32(!(k as u32)));
        assert_eq!(bits32(x), bits32((-y.0, -y.1)), "{}", k as u32);
        let (x, y) = (of_64(k), of_64(!k));
        assert_eq!(bits64(x), bits64((-y.0, -y.1)), "{k}");
        assert!(x.0.is_finite() && x.1.is_finite(), "{k}");
    });
    let ends = (f64::from(of_32(0).0) + 6.337_957_754_553_789, of_64(0).0 + 9.155_293_772_686);
    assert!(ends.0.abs() < 1e-6 && ends.1.abs() < 1e-9, "{ends:?}");
}

/// Every 2^10th word of 32 bits and the next: pairs rise.
#[test]
fn larger_words_give_larger_numbers() {
    let value = |x: (f32, f32)| f64::from(x.0) + f64::from(x.1);
    (0..1u32 << 22).into_par_iter().for_each(|i| {
        let k = i << 10;
        let [a, b, c] = [k, k + 1, k + 1023].map(|k| value(of_32(k)));
        assert!(a < b && b < c, "{k}");
        assert!(k == 0 || value(of_32(k - 1)) < a, "{k}");
    });
    words().for_each(|k| {
        let next = k.saturating_add(1);
        let (x, y) = (of_64(k), of_64(next));
        assert!(k == next || x.0 < y.0 || (x.0 == y.0 && x.1 < y.1), "{k}");
    });
}
