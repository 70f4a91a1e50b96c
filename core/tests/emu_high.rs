//! Packed emulated doubles at level high are IEEE binary64 in every direction.

mod doubles;

use doubles::{MODES, Mode, Op, Random, in_mode, specials};
use std::num::Wrapping;
use vernier::High;
use vernier::emu::packed::{add, div, fma, mul, sqrt, sub};
use vernier::host::Host;

fn emulated(op: Op, mode: Mode, operands: [u64; 3]) -> u64 {
    let [a, b, c] = operands.map(Wrapping);
    in_mode!(mode, R => match op {
        Op::Add => add::<Host, High, R>(a, b),
        Op::Sub => sub::<Host, High, R>(a, b),
        Op::Mul => mul::<Host, High, R>(a, b),
        Op::Div => div::<Host, High, R>(a, b),
        Op::Sqrt => sqrt::<Host, High, R>(a),
        Op::Fma => fma::<Host, High, R>(a, b, c),
    })
    .0
}

fn check(op: Op, operands: [u64; 3]) {
    for (mode, expected) in MODES.into_iter().zip(op.expected(operands)) {
        let got = emulated(op, mode, operands);
        assert_eq!(got, expected, "{op:?} {mode:?} {operands:016x?}: {got:016x}, expected {expected:016x}");
    }
}

#[test]
fn modes_have_their_names() {
    assert!(doubles::modes_have_their_names());
}

#[test]
fn special_values() {
    let list = specials();
    for &a in &list {
        check(Op::Sqrt, [a, 0, 0]);
        for &b in &list {
            for op in [Op::Add, Op::Sub, Op::Mul, Op::Div] {
                check(op, [a, b, 0]);
            }
            for &c in &list {
                check(Op::Fma, [a, b, c]);
            }
        }
    }
}

/// As many adversarial operands of one operation, in all modes.
fn random(op: Op, n: u64) {
    let mut random = Random(op as u64);
    for _ in 0..n {
        let operands = if matches!(op, Op::Sqrt) { [random.square(), 0, 0] } else { random.triple() };
        check(op, operands);
    }
}

const N: u64 = 1_000_000;

#[test]
fn sums() {
    random(Op::Add, N);
}

#[test]
fn differences() {
    random(Op::Sub, N);
}

#[test]
fn products() {
    random(Op::Mul, N);
}

#[test]
fn quotients() {
    random(Op::Div, N);
}

#[test]
fn roots() {
    random(Op::Sqrt, N);
}

#[test]
fn fused() {
    random(Op::Fma, N);
}

/// The residual of a product, which the published fma loses where more than 61 bits cancel.
#[test]
fn errors_of_products() {
    let mut random = Random(7);
    for _ in 0..N {
        let (a, b) = (random.word() & !(0x7ff << 52) | 0x3ff << 52, random.word() & !(0x7ff << 52) | 0x3ff << 52);
        let p = f64::from_bits(a) * f64::from_bits(b);
        let residual = f64::from_bits(a).mul_add(f64::from_bits(b), -p);
        let got = emulated(Op::Fma, Mode::Nearest, [a, b, (-p).to_bits()]);
        assert_eq!(got, residual.to_bits(), "{a:016x} {b:016x}");
    }
}
