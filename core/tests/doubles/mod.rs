//! Doubles for tests of emulated arithmetic: adversarial operands, and what IEEE 754 asks of each operation in each
//! direction. To nearest that is the processor's result; the directed results follow from it and from the order of the
//! exact value, on big integers, and that result. Every test uses a part of it.

#![allow(dead_code, unused_imports, unused_macros)]

#[path = "../exact/mod.rs"]
mod exact;
#[path = "../random/mod.rs"]
mod random;

pub use exact::{F32, F64, Number, decode, integer, round};
use num_bigint::{BigInt, Sign};
pub use random::Random;
use std::cmp::Ordering;
use vernier::emu::{NAN, Rd, Rn, Rounding, Ru, Rz};

pub const SIGN: u64 = 1 << 63;

impl Random {
    /// Random bits, exponents around one, the ends of the range, few significant bits, powers of two and their
    /// neighbours, long runs of equal bits, special values.
    pub fn double(&mut self) -> u64 {
        let w = self.word();
        let with = |field: u64| w & !(0x7ff << 52) | field << 52;
        match self.below(12) {
            0 => w,
            1 | 2 => with(1020 + self.below(8)),
            3 => with(960 + self.below(128)),
            4 => with(self.below(4)),
            5 => with(2043 + self.below(4)),
            6 => with(480 + self.below(60)),
            7 => with(1500 + self.below(60)),
            8 => with(1000 + self.below(46)) & !((1 << self.below(53)) - 1),
            9 => {
                let run = (1u64 << self.below(53)) - 1;
                let fraction = if self.below(2) == 0 { run } else { !run } & ((1 << 52) - 1);
                w & SIGN | (900 + self.below(250)) << 52 | fraction
            }
            10 => (self.below(2047) << 52).wrapping_add(self.below(5)).wrapping_sub(2) & !SIGN | w & SIGN,
            _ => SPECIAL[self.below(SPECIAL.len() as u64) as usize] ^ (w & SIGN),
        }
    }

    /// Three operands; the second may be near the first, the third near what cancels the product of the others.
    pub fn triple(&mut self) -> [u64; 3] {
        let a = self.double();
        let b = match self.below(6) {
            0 => (a ^ (self.word() & SIGN)).wrapping_add(self.below(5)).wrapping_sub(2),
            1 => (a ^ (self.word() & SIGN)).wrapping_add(self.below(120) << 52),
            _ => self.double(),
        };
        let product = (f64::from_bits(a) * f64::from_bits(b)).to_bits();
        let c = match self.below(4) {
            0 => (product ^ SIGN).wrapping_add(self.below(5)).wrapping_sub(2),
            1 => (product ^ (self.word() & SIGN))
                .wrapping_add(self.word() >> 12)
                .wrapping_add(self.below(240) << 52)
                .wrapping_sub(120 << 52),
            _ => self.double(),
        };
        [a, b, c]
    }

    /// An operand of a square root: also squares and their neighbours.
    pub fn square(&mut self) -> u64 {
        if self.below(2) == 0 {
            return self.double() & !(self.word() & SIGN);
        }
        let root = (self.word() >> 37) as f64;
        (root * root).to_bits().wrapping_add(self.below(3)).wrapping_sub(1).wrapping_add(self.below(200) << 52)
    }
}

/// Zero, subnormal numbers, the smallest normal ones, numbers around one, half-way cases, large integers, the largest
/// numbers, infinity, NaN of both kinds; all positive.
pub const SPECIAL: [u64; 34] = [
    0,
    1,
    2,
    3,
    0x0008_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x0010_0000_0000_0001,
    0x001f_ffff_ffff_ffff,
    0x0020_0000_0000_0000,
    0x1e60_0000_0000_0000,
    0x1ff0_0000_0000_0000,
    0x2000_0000_0000_0001,
    0x3c90_0000_0000_0000,
    0x3ca0_0000_0000_0000,
    0x3ca0_0000_0000_0001,
    0x3fdf_ffff_ffff_ffff,
    0x3fe0_0000_0000_0000,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0x3ff8_0000_0000_0000,
    0x3fff_ffff_ffff_ffff,
    0x4000_0000_0000_0000,
    0x4008_0000_0000_0000,
    0x4340_0000_0000_0000,
    0x43e0_0000_0000_0000,
    0x5ff0_0000_0000_0000,
    0x7fdf_ffff_ffff_ffff,
    0x7fe0_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff8_0000_0000_0000,
];

/// The special values with both signs.
pub fn specials() -> Vec<u64> {
    SPECIAL.iter().flat_map(|&x| [x, x | SIGN]).collect()
}

/// A direction, as a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Nearest,
    Zero,
    Up,
    Down,
}

pub const MODES: [Mode; 4] = [Mode::Nearest, Mode::Zero, Mode::Up, Mode::Down];

/// The mode of a rounding type.
pub fn mode<R: Rounding>() -> Mode {
    match R::NAME {
        "rn" => Mode::Nearest,
        "rz" => Mode::Zero,
        "ru" => Mode::Up,
        _ => Mode::Down,
    }
}

/// Calls a function that is generic over the direction.
macro_rules! in_mode {
    ($mode:expr, $r:ident => $e:expr) => {
        match $mode {
            Mode::Nearest => {
                type $r = vernier::emu::Rn;
                $e
            }
            Mode::Zero => {
                type $r = vernier::emu::Rz;
                $e
            }
            Mode::Up => {
                type $r = vernier::emu::Ru;
                $e
            }
            Mode::Down => {
                type $r = vernier::emu::Rd;
                $e
            }
        }
    };
}
pub(crate) use in_mode;

pub fn modes_have_their_names() -> bool {
    [mode::<Rn>(), mode::<Rz>(), mode::<Ru>(), mode::<Rd>()] == MODES
}

#[derive(Clone, Copy, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    Fma,
}

/// The value of a finite double as an integer times a power of two.
fn dyadic(x: f64) -> (BigInt, i32) {
    match decode(x.to_bits().into(), F64) {
        Number::Finite(m, e) => (m, e),
        _ => (BigInt::ZERO, 0),
    }
}

/// The sign of a sum of dyadic numbers.
fn sign(terms: &[(BigInt, i32)]) -> Ordering {
    let low = terms.iter().filter(|t| t.0.sign() != Sign::NoSign).map(|t| t.1).min().unwrap_or(0);
    let sum: BigInt = terms.iter().filter(|t| t.0.sign() != Sign::NoSign).map(|(m, e)| m << (e - low)).sum();
    sum.cmp(&BigInt::ZERO)
}

impl Op {
    /// The processor's result, to nearest.
    pub fn nearest(self, [a, b, c]: [f64; 3]) -> f64 {
        match self {
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            Op::Div => a / b,
            Op::Sqrt => a.sqrt(),
            Op::Fma => a.mul_add(b, c),
        }
    }

    /// The exact result compared with r, all finite.
    fn order(self, [a, b, c]: [f64; 3], r: f64) -> Ordering {
        let product = |x: f64, y: f64| {
            let ((m, e), (n, f)) = (dyadic(x), dyadic(y));
            (m * n, e + f)
        };
        let minus_r = dyadic(-r);
        match self {
            Op::Add => sign(&[dyadic(a), dyadic(b), minus_r]),
            Op::Sub => sign(&[dyadic(a), dyadic(-b), minus_r]),
            Op::Mul => sign(&[product(a, b), minus_r]),
            Op::Div if b < 0.0 => sign(&[dyadic(a), product(-r, b)]).reverse(),
            Op::Div => sign(&[dyadic(a), product(-r, b)]),
            Op::Sqrt => sign(&[dyadic(a), product(-r, r)]),
            Op::Fma => sign(&[product(a, b), dyadic(c), minus_r]),
        }
    }

    /// Whether a zero result is the sum of terms of opposite sign.
    fn cancels(self, [a, b, c]: [f64; 3]) -> bool {
        let negative = |x: f64| x.is_sign_negative();
        match self {
            Op::Add => negative(a) != negative(b),
            Op::Sub => negative(a) == negative(b),
            Op::Fma => (negative(a) ^ negative(b)) != negative(c),
            _ => false,
        }
    }

    fn operands(self) -> usize {
        match self {
            Op::Sqrt => 1,
            Op::Fma => 3,
            _ => 2,
        }
    }

    /// What IEEE 754 asks for in all modes, as images, NaN as the canonical one.
    pub fn expected(self, operands: [u64; 3]) -> [u64; 4] {
        let x = operands.map(f64::from_bits);
        let r = self.nearest(x);
        let special = x[..self.operands()].iter().any(|x| !x.is_finite()) || matches!(self, Op::Div) && x[1] == 0.0;
        if r.is_nan() || special {
            return [if r.is_nan() { NAN } else { r.to_bits() }; 4];
        }
        if r.is_infinite() {
            let largest = f64::MAX.copysign(r).to_bits();
            let [up, down] = if r > 0.0 { [r.to_bits(), largest] } else { [largest, r.to_bits()] };
            return [r.to_bits(), largest, up, down];
        }
        let (below, above) = match self.order(x, r) {
            Ordering::Less => (r.next_down(), r),
            Ordering::Equal if r == 0.0 && self.cancels(x) => (-0.0, 0.0),
            Ordering::Equal => (r, r),
            Ordering::Greater => (r, r.next_up()),
        };
        let zero = match self.order(x, 0.0) {
            Ordering::Greater => below,
            Ordering::Less => above,
            Ordering::Equal => r,
        };
        [r.to_bits(), zero.to_bits(), above.to_bits(), below.to_bits()]
    }
}
