//! Packed numbers at levels mid and low: error bounds, special values, and that the rest is high's.

mod exact;
mod unpacked;

use core::num::Wrapping;
use exact::Number::{self, Finite, Zero};
use exact::{F64, decode};
use unpacked::Random;
use vernier::emu::{Level, Rd, Rn, Rounding, Ru, Rz, packed};
use vernier::host::Host;
use vernier::{Low, Mid};

const CASES: u64 = 1_000_000;

/// A double's image: all classes of operands.
fn image(random: &mut Random) -> u64 {
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

/// Often next to the first operand, or as far below as digits reach.
fn beside(random: &mut Random, a: u64) -> u64 {
    let sign = random.below(2) << 63;
    match random.below(8) {
        0 => a.wrapping_add(random.below(5)).wrapping_sub(2) ^ sign,
        1 => a.wrapping_add(1 << random.below(53)).wrapping_sub(random.below(2)) ^ sign,
        2 => a ^ random.word() >> (12 + random.below(52)) ^ sign,
        3 | 4 => a.wrapping_sub(random.below(70) << 52) ^ random.word() >> 12 ^ sign,
        _ => image(random),
    }
}

fn normal(a: u64) -> bool {
    f64::from_bits(a).is_normal()
}

/// The largest error: in ulps of the exact result at mid, relative to the result, or the sum of |terms|, at low.
#[derive(Default)]
struct Worst(f64, u64);

impl Worst {
    fn see(&mut self, low: bool, got: u64, exact: &Number, scale: &Number, what: &dyn Fn() -> String) {
        let rounded = exact::round(exact, F64) as u64;
        let got_number = decode(got.into(), F64);
        match (&got_number, exact) {
            (Finite(..) | Zero(_), Finite(m, e)) if normal(rounded) && normal(got) => {
                let unit = (m.bits() as i32 + e - 53).max(-1074);
                let error = match low {
                    true => unpacked::relative(&got_number, exact, scale),
                    false => unpacked::relative(&got_number, exact, &Finite(1.into(), unit)),
                };
                self.1 += 1;
                self.0 = self.0.max(error);
            }
            // Anything else is what high gives, except next to the ends of the normal range.
            _ => {
                let distance = (got as i64).wrapping_sub(rounded as i64).unsigned_abs();
                let edge = if low { 1 << 32 } else { 2 };
                assert!(
                    got == rounded || (distance < edge && rounded & 0x7fff << 48 != 0x7ff8 << 48),
                    "{}: {got:x}",
                    what()
                );
            }
        }
    }
}

fn magnitude(x: &Number) -> Number {
    if unpacked::negative(x) { exact::negate(x) } else { x.clone() }
}

fn errors<A: Level + vernier::emu::unpacked::Level>(unit: f64, seed: u64) -> [f64; 4] {
    let low = <A as vernier::emu::unpacked::Level>::NAME == "low";
    let mut random = Random(seed);
    let mut worst: [Worst; 4] = Default::default();
    for _ in 0..CASES {
        let a = image(&mut random);
        let b = beside(&mut random, a);
        let (x, y) = (Wrapping(a), Wrapping(b));
        let (p, q) = (decode(a.into(), F64), decode(b.into(), F64));
        let what = |op: &'static str| move || format!("{op} {a:x} {b:x}");
        let exact = unpacked::add(&p, &q);
        let scale = match (&p, &q) {
            (Finite(..), Finite(..)) => unpacked::add(&magnitude(&p), &magnitude(&q)),
            _ => exact.clone(),
        };
        worst[0].see(low, packed::add::<Host, A, Rn>(x, y).0, &exact, &scale, &what("add"));
        let minus = packed::sub::<Host, A, Rn>(x, packed::neg::<Host>(y)).0;
        assert_eq!(minus, packed::add::<Host, A, Rn>(x, y).0);
        let exact = unpacked::mul(&p, &q);
        worst[1].see(low, packed::mul::<Host, A, Rn>(x, y).0, &exact, &exact, &what("mul"));
        let exact = unpacked::div(&p, &q);
        worst[2].see(low, <A as Level>::div::<Host>(x, y).0, &exact, &exact, &what("div"));
        let exact = unpacked::sqrt(&p);
        worst[3].see(low, <A as Level>::sqrt::<Host>(x).0, &exact, &exact, &what("sqrt"));
    }
    for w in &worst {
        assert!(w.1 > CASES / 8, "{} cases", w.1);
    }
    let worst = worst.map(|w| w.0 * unit);
    println!("{}: add, mul, div, sqrt within {worst:.4?}", <A as vernier::emu::unpacked::Level>::NAME);
    worst
}

fn within(worst: [f64; 4], bounds: [f64; 4]) {
    for (w, b) in worst.iter().zip(bounds) {
        assert!(*w <= b && *w > b * 0.5, "{worst:?} of {bounds:?}");
    }
}

/// In ulps.
#[test]
fn mid() {
    within(errors::<Mid>(1.0, 31), [1.0, 0.76, 0.502, 0.502]);
}

/// In units of 2^-23.
#[test]
fn low() {
    within(errors::<Low>(2f64.powi(23), 32), [0.0625, 2.5, 2.0, 1.0]);
}

fn directed<A: Level, R: Rounding>(a: Wrapping<u64>, b: Wrapping<u64>, c: Wrapping<u64>) {
    let what = || format!("{} {a:x} {b:x} {c:x}", R::NAME);
    if !R::NEAREST {
        assert_eq!(packed::add::<Host, A, R>(a, b), packed::add_high::<Host, R>(a, b), "add {}", what());
        assert_eq!(packed::mul::<Host, A, R>(a, b), packed::mul_high::<Host, R>(a, b), "mul {}", what());
    }
    assert_eq!(packed::fma::<Host, A, R>(a, b, c), packed::fma_high::<Host, R>(a, b, c), "fma {}", what());
}

#[test]
fn directed_modes_and_fma_are_those_of_high() {
    let mut random = Random(33);
    for _ in 0..CASES / 10 {
        let a = image(&mut random);
        let b = beside(&mut random, a);
        let c = beside(&mut random, (f64::from_bits(a) * f64::from_bits(b)).to_bits());
        let [a, b, c] = [a, b, c].map(Wrapping);
        directed::<Mid, Rn>(a, b, c);
        directed::<Mid, Rz>(a, b, c);
        directed::<Mid, Ru>(a, b, c);
        directed::<Mid, Rd>(a, b, c);
        directed::<Low, Rn>(a, b, c);
        directed::<Low, Rz>(a, b, c);
        directed::<Low, Ru>(a, b, c);
        directed::<Low, Rd>(a, b, c);
    }
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
        let x = f64::from_bits(image(&mut random));
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
