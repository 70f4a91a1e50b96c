//! A sum that cancels: in double, in a pair that takes one double at a time, and in decimal text with every digit.
//!
//!     cargo run -p vernier-fp --example compensated_sum

use vernier::{fp64mp2, fp64mp2_high};

fn main() {
    // 10^16, ten thousand ones, and -10^16: doubles lose every one.
    let terms = || std::iter::once(1e16).chain(std::iter::repeat_n(1.0, 10_000)).chain(std::iter::once(-1e16));
    let double: f64 = terms().sum();
    let pair = terms().fold(fp64mp2::from(0), |sum, x| sum + x);
    println!("double {double}, fp64mp2 {pair}");
    assert_eq!((double, pair), (0.0, fp64mp2::from(10_000)));

    // The harmonic series, to 25 digits.
    let harmonic = (1..=100_000).fold(fp64mp2_high::from(0), |sum, k| sum + fp64mp2_high::from(1) / f64::from(k));
    println!("1 + 1/2 + ... + 1/100000 = {harmonic:.25}");
}
