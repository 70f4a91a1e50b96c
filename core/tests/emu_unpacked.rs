//! Unpacked numbers at level high: rounded to odd at 62 digits, against exact arithmetic.

mod exact;
mod unpacked;

use core::num::Wrapping;
use exact::{F64, Number, decode};
use unpacked::{NAN_TRIPLE, Random, Triple, infinity, number, rounded, triple, unpack, words, zero};
use vernier::emu::unpacked as emu;
use vernier::emu::{Rd, Rn, Rounding, Ru, Rz};
use vernier::host::Host;
use vernier::{High, Low, Mid};

const CASES: u64 = 1_000_000;

fn unary(f: impl Fn(Triple) -> Triple, exact: impl Fn(&Number) -> Number, seed: u64) {
    let mut random = Random(seed);
    for _ in 0..CASES {
        let x = random.any();
        let expected = rounded(&exact(&number(x)));
        assert_eq!(f(x), expected, "{x:x?}");
    }
}

fn binary(f: impl Fn(Triple, Triple) -> Triple, exact: impl Fn(&Number, &Number) -> Number, seed: u64) {
    let mut random = Random(seed);
    for _ in 0..CASES {
        let x = random.any();
        let y = random.beside(x);
        let expected = rounded(&exact(&number(x), &number(y)));
        assert_eq!(f(x, y), expected, "{x:x?} {y:x?}");
    }
}

#[test]
fn sums() {
    binary(|x, y| triple(emu::add::<Host, High>(words(x), words(y))), unpacked::add, 1);
}

#[test]
fn differences() {
    let exact = |a: &Number, b: &Number| unpacked::add(a, &exact::negate(b));
    binary(|x, y| triple(emu::sub::<Host, High>(words(x), words(y))), exact, 2);
}

#[test]
fn products() {
    binary(|x, y| triple(emu::mul::<Host, High>(words(x), words(y))), unpacked::mul, 3);
}

#[test]
fn quotients() {
    binary(|x, y| triple(emu::div::<Host, High>(words(x), words(y))), unpacked::div, 4);
}

#[test]
fn roots() {
    unary(|x| triple(emu::sqrt::<Host, High>(words(x))), unpacked::sqrt, 5);
}

/// The addend is often the negative product, rounded to 62 or 53 digits or cut anywhere: what is left lies up to 124 digits
/// below.
#[test]
fn fused() {
    let mut random = Random(6);
    for _ in 0..CASES {
        let x = random.any();
        let y = if random.below(2) == 0 { random.any() } else { random.beside(x) };
        let product = unpacked::mul(&number(x), &number(y));
        let p = rounded(&product);
        let z = match random.below(8) {
            0 => random.any(),
            1 => random.beside(p),
            2 => (p.0 ^ 1, p.1, p.2),
            _ if p.1.abs() > 1 << 27 => random.any(),
            3 => (p.0 ^ 1, p.1, p.2 ^ 1),
            4 => (p.0 ^ 1, p.1, p.2 & u64::MAX << random.below(61)),
            5 => (p.0 ^ random.below(2) as u32, p.1 - random.below(140) as i32, random.significand()),
            6 => (p.0 ^ random.below(2) as u32, p.1 + random.below(140) as i32, random.significand()),
            _ => {
                let z = (p.2 & !0x1ff).wrapping_add(512 * random.below(2)).min((1 << 62) - 512);
                (p.0 ^ 1, p.1, z)
            }
        };
        let expected = rounded(&unpacked::add(&product, &number(z)));
        for got in [
            emu::fma::<Host, High>(words(x), words(y), words(z)),
            emu::fma::<Host, Mid>(words(x), words(y), words(z)),
            emu::fma::<Host, Low>(words(x), words(y), words(z)),
        ] {
            assert_eq!(triple(got), expected, "{x:x?} {y:x?} {z:x?}");
        }
    }
}

/// A double's image: all classes, and pairs that are near each other.
fn image(random: &mut Random) -> u64 {
    let bits = random.word();
    let exponent = match random.below(8) {
        0 => 0,
        1 => random.below(64),
        2 => 2046 - random.below(4),
        3 => 2047,
        4 => random.below(2048),
        _ => 1020 + random.below(8),
    };
    let fraction = match random.below(4) {
        0 => 0,
        1 => (bits & 7).wrapping_sub(4) & ((1 << 52) - 1),
        2 => bits & ((1 << 52) - 1) & u64::MAX << random.below(52),
        _ => bits & ((1 << 52) - 1),
    };
    (bits & 1 << 63) | exponent << 52 | fraction
}

fn beside(random: &mut Random, a: u64) -> u64 {
    match random.below(4) {
        0 => (a ^ 1 << 63).wrapping_add(random.below(5)).wrapping_sub(2),
        1 => a.wrapping_add(random.below(5)).wrapping_sub(2) ^ random.below(2) << 63,
        _ => image(random),
    }
}

fn same(got: u64, expected: f64, what: &str, args: &[u64]) {
    let expected = if expected.is_nan() { vernier::emu::NAN } else { expected.to_bits() };
    assert_eq!(got, expected, "{what} of {args:x?}: {got:x}, not {expected:x}");
}

#[test]
fn one_operation_and_a_pack_are_the_hardware() {
    let mut random = Random(7);
    let into = |a: u64| emu::unpack::<Host>(Wrapping(a));
    let out = |x| emu::pack::<Host, Rn>(x).0;
    for _ in 0..CASES {
        let a = image(&mut random);
        let b = beside(&mut random, a);
        let c = match random.below(3) {
            0 => image(&mut random),
            1 => (-(f64::from_bits(a) * f64::from_bits(b))).to_bits(),
            _ => (f64::from_bits(a) * f64::from_bits(b)).to_bits().wrapping_add(random.below(5)).wrapping_sub(2),
        };
        let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
        let (p, q, r) = (into(a), into(b), into(c));
        same(out(p), x, "pack", &[a]);
        same(out(emu::add::<Host, High>(p, q)), x + y, "+", &[a, b]);
        same(out(emu::sub::<Host, High>(p, q)), x - y, "-", &[a, b]);
        same(out(emu::mul::<Host, High>(p, q)), x * y, "*", &[a, b]);
        same(out(emu::div::<Host, High>(p, q)), x / y, "/", &[a, b]);
        same(out(emu::sqrt::<Host, High>(p)), x.sqrt(), "sqrt", &[a]);
        same(out(emu::fma::<Host, High>(p, q, r)), x.mul_add(y, z), "fma", &[a, b, c]);
        same(out(emu::neg::<Host>(p)), if x.is_nan() { x } else { -x }, "neg", &[a]);
        assert_eq!(emu::eq::<Host>(p, q), x == y, "{x} == {y}");
        assert_eq!(emu::lt::<Host>(p, q), x < y, "{x} < {y}");
        assert_eq!(emu::le::<Host>(p, q), x <= y, "{x} <= {y}");
    }
}

/// The double on either side, from the exact number.
fn directed(x: &Number, up: bool) -> u64 {
    let nearest = exact::round(x, F64) as u64;
    let Number::Finite(..) = x else { return nearest };
    let value = f64::from_bits(nearest);
    let rest = match decode(nearest.into(), F64) {
        Number::Infinite(s) => Number::Finite(if s { 1 } else { -1 }.into(), 0),
        n => unpacked::add(x, &exact::negate(&n)),
    };
    match rest {
        Number::Zero(_) => nearest,
        rest if unpacked::negative(&rest) == up => nearest,
        _ if value == 0.0 => {
            if up {
                1
            } else {
                1 << 63 | 1
            }
        }
        _ if up => value.next_up().to_bits(),
        _ => value.next_down().to_bits(),
    }
}

fn packs<R: Rounding>(x: Triple, expected: u64) {
    assert_eq!(emu::pack::<Host, R>(words(x)).0, expected, "{} of {x:x?}", R::NAME);
}

#[test]
fn packing_rounds_in_every_direction() {
    let mut random = Random(8);
    for _ in 0..CASES {
        let mut x = random.any();
        if random.below(2) == 0 && x.1.abs() <= MAX {
            x.1 = [1, 0, 2046, -60, 1023][random.below(5) as usize] + random.below(8) as i32 - 4;
        }
        // Of a number far out of range the side is all that counts.
        let clamped = if x.1.abs() <= MAX { (x.0, x.1.clamp(-4000, 4000), x.2) } else { x };
        let n = number(clamped);
        packs::<Rn>(x, exact::round(&n, F64) as u64);
        let (up, down) = (directed(&n, true), directed(&n, false));
        packs::<Ru>(x, up);
        packs::<Rd>(x, down);
        packs::<Rz>(x, if unpacked::negative(&n) { up } else { down });
    }
}

const MAX: i32 = emu::MAX_EXPONENT;

#[test]
fn triples_of_any_words() {
    let mut random = Random(9);
    for _ in 0..CASES {
        let e = match random.below(4) {
            0 => random.word() as i32,
            1 => emu::MIN_EXPONENT + random.below(130) as i32 - 65,
            2 => emu::MAX_EXPONENT + random.below(130) as i32 - 65,
            _ => random.below(3000) as i32,
        };
        let x = (random.below(3) as u32, e, random.word() >> random.below(65).min(63));
        let (sign, m) = (x.0 != 0, num_bigint::BigInt::from(x.2));
        let exact = match x.2 {
            _ if e >= emu::NAN => Number::Nan,
            0 => Number::Zero(sign),
            _ if e < emu::MIN_EXPONENT - 100 => Number::Zero(sign),
            _ if e > emu::MAX_EXPONENT + 100 => Number::Infinite(sign),
            _ => Number::Finite(if sign { -m } else { m }, e - 1023 - 61),
        };
        let got = triple(emu::canonical::<Host>(words(x)));
        assert_eq!(got, rounded(&exact), "{x:x?}");
    }
    for x in [zero(true), infinity(true), NAN_TRIPLE, unpack(-3.5)] {
        assert_eq!(triple(emu::canonical::<Host>(words(x))), x);
    }
}
