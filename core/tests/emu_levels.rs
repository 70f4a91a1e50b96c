//! Packed numbers at levels mid and low: zeros, special values and exact results. Errors are held by `vernier accuracy`.

mod random;

use core::num::Wrapping;
use random::Random;
use vernier::emu::{Level, Rn, packed};
use vernier::host::Host;
use vernier::{Low, Mid};

const CASES: u64 = 1_000_000;

/// The bits of a double: all classes of operands.
fn double(random: &mut Random) -> u64 {
    let bits = random.word();
    let exponent = match random.below(16) {
        0 => 0,
        1 => random.below(64),
        2 => 2046 - random.below(4),
        3 => 2047,
        4 => 96 + random.below(3),
        5 => 160 + random.below(3),
        6 | 7 => random.below(2048),
        8 => 400 + random.below(1248),
        9 => 511 + random.below(3),
        10 => 1533 + random.below(3),
        _ => 1020 + random.below(8),
    };
    let fraction = match random.below(6) {
        0 => 0,
        1 => (bits & 7).wrapping_sub(4) & ((1 << 52) - 1),
        2 => bits & ((1 << 52) - 1) & u64::MAX << random.below(52),
        3 => (bits | u64::MAX >> random.below(60)) & ((1 << 52) - 1),
        _ => bits & ((1 << 52) - 1),
    };
    (bits & 1 << 63) | exponent << 52 | fraction
}

/// What the published levels get wrong.
fn laws<A: Level>() {
    let add =
        |a: f64, b: f64| f64::from_bits(packed::add::<Host, A, Rn>(Wrapping(a.to_bits()), Wrapping(b.to_bits())).0);
    let mul =
        |a: f64, b: f64| f64::from_bits(packed::mul::<Host, A, Rn>(Wrapping(a.to_bits()), Wrapping(b.to_bits())).0);
    let bits = |x: f64| x.to_bits();
    let mut random = Random(34);
    for _ in 0..100_000 {
        let x = f64::from_bits(double(&mut random));
        if x.is_finite() {
            assert_eq!(bits(add(x, -x)), 0, "{x:e}");
            assert_eq!(bits(mul(x, 0.0)), bits(x * 0.0));
            assert!((add(x, 0.0) - x).abs() <= x.abs() * 2f64.powi(-23));
            assert!((mul(x, 1.0) - x).abs() <= x.abs() * 2f64.powi(-23));
        }
    }
    assert_eq!(bits(add(-0.0, -0.0)), bits(-0.0));
    assert_eq!(add(f64::MAX, f64::MAX), f64::INFINITY);
    assert_eq!(mul(1e200, -1e200), f64::NEG_INFINITY);
    assert_eq!(add(2f64.powi(-1022), 0.0), 2f64.powi(-1022));
    assert_eq!(mul(2f64.powi(-600), 2f64.powi(-600)), 0.0);
    assert_eq!(mul(2f64.powi(-600), 2f64.powi(-450)), 2f64.powi(-1050));
    for nan in [add(f64::INFINITY, -f64::INFINITY), mul(f64::INFINITY, 0.0), add(-f64::NAN, 1.0), mul(f64::NAN, 2.0)] {
        assert_eq!(bits(nan), vernier::emu::NAN);
    }
    assert_eq!(add(f64::INFINITY, -1.0), f64::INFINITY);
}

#[test]
fn zeros_and_special_values() {
    laws::<Mid>();
    laws::<Low>();
}

/// Sums of exact terms and products by powers of two are exact at mid.
#[test]
fn mid_is_exact_where_the_result_has_few_digits() {
    let mut random = Random(35);
    for _ in 0..CASES / 4 {
        let small =
            |random: &mut Random| (random.word() >> 12) as i64 as f64 * if random.below(2) == 0 { 1.0 } else { -1.0 };
        let (x, y) = (small(&mut random), small(&mut random) * 2f64.powi(-(random.below(20) as i32)));
        let w = Wrapping;
        // Exact differences.
        if x * y < 0.0 && (x + y) - x == y && (x + y) - y == x {
            assert_eq!(
                packed::add::<Host, Mid, Rn>(w(x.to_bits()), w(y.to_bits())).0,
                (x + y).to_bits(),
                "{x:e} {y:e}"
            );
        }
        let (m, n) = ((x as i64 >> 27) as f64, (y as i64 >> 27) as f64);
        assert_eq!(packed::mul::<Host, Mid, Rn>(w(m.to_bits()), w(n.to_bits())).0, (m * n).to_bits(), "{m:e} {n:e}");
    }
}
