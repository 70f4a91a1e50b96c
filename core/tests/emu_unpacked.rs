//! Unpacked numbers at level high: rounded to odd at 62 digits, against exact arithmetic. That what packs to a
//! double is correctly rounded, `vernier accuracy` holds.

mod exact;
mod unpacked;

use exact::Number;
use unpacked::{NAN_TRIPLE, Random, Triple, infinity, number, rounded, triple, unpack, words, zero};
use vernier::emu::unpacked as emu;
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
