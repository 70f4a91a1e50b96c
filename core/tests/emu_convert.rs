//! Conversions and comparisons of packed emulated doubles: against Rust's casts, and in every direction against exact
//! integers.

mod doubles;

use doubles::{F32, MODES, Mode, Number, Random, SIGN, decode, in_mode, integer, specials};
use num_bigint::{BigInt, BigUint, Sign};
use std::num::Wrapping;
use vernier::convert::Integer;
use vernier::emu::{NAN, compare, convert};
use vernier::host::Host;
use vernier::{RoundFrom, TruncateFrom, fp64emu};

/// x rounded to an integer multiple of 2^unit, in units.
fn rounded(x: &Number, unit: i32, mode: Mode) -> BigInt {
    let Number::Finite(m, e) = x else { return BigInt::ZERO };
    if *e >= unit {
        return m << (e - unit);
    }
    let (sign, magnitude) = m.clone().into_parts();
    let step = BigUint::from(1u8) << (unit - e);
    let (whole, rest) = (&magnitude / &step, &magnitude % &step);
    let negative = sign == Sign::Minus;
    let up = match mode {
        Mode::Nearest => &rest * 2u8 > step || &rest * 2u8 == step && whole.bit(0),
        Mode::Zero => false,
        Mode::Up => rest != BigUint::ZERO && !negative,
        Mode::Down => rest != BigUint::ZERO && negative,
    };
    let magnitude = BigInt::from(if up { whole + 1u8 } else { whole });
    if negative { -magnitude } else { magnitude }
}

/// What a float format of these digits and exponent bits holds for x, as its image.
fn image(x: &Number, digits: u32, exponent_bits: u32, mode: Mode) -> u64 {
    let sign = 1u64 << (digits - 1 + exponent_bits);
    let infinity = ((1u64 << exponent_bits) - 1) << (digits - 1);
    let lowest = 3 - (1 << (exponent_bits - 1)) - digits as i32;
    let signed = |negative: bool, bits: u64| if negative { bits | sign } else { bits };
    match x {
        Number::Nan => infinity | 1 << (digits - 2),
        Number::Infinite(s) => signed(*s, infinity),
        Number::Zero(s) => signed(*s, 0),
        Number::Finite(m, e) => {
            let unit = (m.bits() as i32 + e - digits as i32).max(lowest);
            let (s, steps) = rounded(x, unit, mode).into_parts();
            let negative = m.sign() == Sign::Minus;
            let bits = ((unit - lowest) as u64) << (digits - 1);
            let bits = bits + u64::try_from(steps).unwrap();
            let away = matches!((mode, negative), (Mode::Nearest, _) | (Mode::Up, false) | (Mode::Down, true));
            assert!(s == Sign::NoSign || negative == (s == Sign::Minus));
            signed(negative, bits.min(if away { infinity } else { infinity - 1 }))
        }
    }
}

fn power(n: u32) -> BigInt {
    BigInt::from(1) << n
}

fn check_out(a: u64) {
    let x = decode(a.into(), doubles::F64);
    let f = f64::from_bits(a);
    for mode in MODES {
        let expected = image(&x, F32.digits, F32.exponent_bits, mode) as u32;
        let got = in_mode!(mode, R => convert::to_f32::<Host, R>(Wrapping(a))).to_bits();
        assert_eq!(got, expected, "f32 {mode:?} {a:016x}");
        for (bits, signed) in
            [(8, true), (16, true), (32, true), (64, true), (8, false), (16, false), (32, false), (64, false)]
        {
            let (lowest, largest) = match signed {
                true => (-power(bits - 1), power(bits - 1) - 1),
                false => (BigInt::ZERO, power(bits) - 1),
            };
            let expected = match &x {
                Number::Nan => BigInt::ZERO,
                Number::Infinite(true) => lowest,
                Number::Infinite(false) => largest,
                _ => rounded(&x, 0, mode).clamp(lowest, largest),
            };
            let got = in_mode!(mode, R => convert::to_integer::<Host, R>(Wrapping(a), Integer { bits, signed })).0;
            let got = if signed { BigInt::from(got as i64) } else { BigInt::from(got) };
            assert_eq!(got, expected, "{bits} bits, signed {signed}, {mode:?} of {a:016x}");
        }
    }
    let e = fp64emu::from(f);
    assert_eq!(e.to_bits(), a);
    assert!(f32::round_from(e).to_bits() == (f as f32).to_bits() || f.is_nan());
    assert_eq!(i8::truncate_from(e), f as i8);
    assert_eq!(i16::truncate_from(e), f as i16);
    assert_eq!(i32::truncate_from(e), f as i32);
    assert_eq!(i64::truncate_from(e), f as i64);
    assert_eq!(u8::truncate_from(e), f as u8);
    assert_eq!(u16::truncate_from(e), f as u16);
    assert_eq!(u32::truncate_from(e), f as u32);
    assert_eq!(u64::truncate_from(e), f as u64);
}

#[test]
fn out() {
    specials().into_iter().for_each(check_out);
    // Everything around halves, the ends of the integers and of binary32.
    for k in 0..70u64 {
        for near in [-2i64, -1, 0, 1, 2] {
            for fraction in [0, 1 << 51, 3 << 50, (1 << 52) - 1] {
                let a = (((1023 - 3 + k) << 52) | fraction).wrapping_add(near as u64);
                check_out(a);
                check_out(a | SIGN);
            }
        }
    }
    let mut random = Random(1);
    for _ in 0..20_000 {
        check_out(random.double());
        let near = |field: u64, random: &mut Random| random.word() & !(0x7ff << 52) | field << 52;
        let field = 1023 - 2 + random.below(68);
        check_out(near(field, &mut random));
        let field = 1023 - 152 + random.below(30);
        check_out(near(field, &mut random) & !(random.word() & ((1 << 52) - 1)));
    }
}

#[test]
fn from_integers() {
    let mut random = Random(2);
    let edges = (0..64).flat_map(|k| [-2i64, -1, 0, 1, 2].map(|d| (1u64 << k).wrapping_add(d as u64)));
    let ties = (53..64).flat_map(|k| (0..4).map(move |i| (1u64 << k) | (1 << (k - 53)) | i));
    let words: Vec<u64> = edges.chain(ties).collect();
    for i in 0..200_000 {
        let x = words.get(i).copied().unwrap_or_else(|| random.word() >> random.below(64) << random.below(8));
        for mode in MODES {
            let expected = image(&integer(x), 53, 11, mode);
            assert_eq!(in_mode!(mode, R => convert::from_u64::<Host, R>(Wrapping(x))).0, expected, "u64 {mode:?} {x}");
            let expected = image(&integer(x as i64), 53, 11, mode);
            assert_eq!(in_mode!(mode, R => convert::from_i64::<Host, R>(Wrapping(x))).0, expected, "i64 {mode:?} {x}");
        }
        assert_eq!(f64::from(fp64emu::from(x as u32)), f64::from(x as u32));
        assert_eq!(f64::from(fp64emu::from(x as i32)), f64::from(x as i32));
        assert_eq!(f64::from(fp64emu::from(x as i16)), f64::from(x as i16));
        assert_eq!(f64::from(fp64emu::from(x as u8)), f64::from(x as u8));
        assert_eq!(f64::from(fp64emu::round_from(x)), x as f64);
        assert_eq!(f64::from(fp64emu::round_from(x as i64)), x as i64 as f64);
    }
    assert_eq!(f64::from(fp64emu::from(true)), 1.0);
}

#[test]
fn from_floats() {
    let mut random = Random(3);
    for i in 0..2_000_000u64 {
        let bits = match i {
            0..600 => (i as u32 / 2).wrapping_shl(23).wrapping_sub(i as u32 % 2),
            _ => random.word() as u32 >> if i % 4 == 0 { random.below(32) } else { 0 },
        };
        let x = f32::from_bits(bits);
        let expected = if x.is_nan() { NAN } else { f64::from(x).to_bits() };
        assert_eq!(convert::from_f32::<Host>(x).0, expected, "{bits:08x}");
    }
}

#[test]
fn comparisons() {
    let check = |a: u64, b: u64| {
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        let (u, v) = (Wrapping(a), Wrapping(b));
        assert_eq!(compare::eq::<Host>(u, v), x == y, "{a:016x} == {b:016x}");
        assert_eq!(compare::lt::<Host>(u, v), x < y, "{a:016x} < {b:016x}");
        assert_eq!(compare::le::<Host>(u, v), x <= y, "{a:016x} <= {b:016x}");
        let (p, q) = (fp64emu::from(x), fp64emu::from(y));
        assert_eq!(p.partial_cmp(&q), x.partial_cmp(&y));
        assert_eq!((p == q, p != q, p < q, p <= q, p > q, p >= q), (x == y, x != y, x < y, x <= y, x > y, x >= y));
    };
    let list = specials();
    list.iter().for_each(|&a| list.iter().for_each(|&b| check(a, b)));
    let mut random = Random(4);
    for _ in 0..1_000_000 {
        let [a, b, _] = random.triple();
        check(a, b);
    }
}
