//! Reduced formats on binary64: the result that their definition gives, by exact values.
//!
//! An operation takes its operands into the format, has an exact value, and takes that into the format: at once, or after
//! rounding it to the nearest double. Taking a number z with exponent e = floor(log2 |z|) into the format cuts |z| at a
//! multiple of a *step*, 2^(e - M) or that of the subnormal numbers, and chooses one of the two multiples next to it.
//! Stochastic rounding takes the larger one where the part cut off, in steps, cut to a multiple of 2^-60, and a random word
//! modulo 2^60, in units of 2^-60, add up to a step or more.

use crate::exact::dyadic::{self, Exact, Number};
use crate::format::{Format, Rounding, power_of_two, scale};
pub use crate::random::Draw;
use vernier::function::Op;

/// How a format rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To nearest, ties to even: the even multiple of a step, or with M = 0 the even biased exponent.
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward +infinity.
    Up,
    /// Toward -infinity.
    Down,
    /// To nearest, ties away from zero.
    Away,
    /// Up in magnitude or down, by a random word.
    Stochastic,
}

/// What the largest exponent field of a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Largest {
    /// Infinity and NaN.
    Special,
    /// Numbers and, with the largest significand, NaN.
    NumbersAndNan,
    /// Numbers.
    Numbers,
}

/// A reduced format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// Exponent bits, 2 to 11.
    pub exponent: u32,
    /// Stored significand bits, 0 to 52.
    pub mantissa: u32,
    /// How it rounds.
    pub direction: Direction,
    /// It has subnormal numbers; otherwise they are flushed to zero.
    pub subnormals: bool,
    /// The range is tested on rounded numbers; otherwise by the exponent beforehand.
    pub range_after: bool,
    /// Exact results are rounded once; otherwise their nearest double is rounded.
    pub once: bool,
    /// Overflow gives the largest number.
    pub saturates: bool,
    /// What the largest exponent field holds.
    pub largest: Largest,
    /// With 11 exponent bits the range is tested nevertheless: below it, before rounding.
    pub tests_native_range: bool,
}

impl Reduced {
    fn bias(&self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    fn tests_range(&self) -> bool {
        self.exponent < 11 || self.tests_native_range
    }

    /// The largest number.
    pub fn max(&self) -> f64 {
        let whole = 2.0 - power_of_two(-(self.mantissa as i32));
        let (binade, significand) = match (self.largest, self.mantissa) {
            (Largest::Special, _) | (Largest::NumbersAndNan, 0) => (self.bias(), whole),
            (Largest::NumbersAndNan, m) => (self.bias() + 1, whole - power_of_two(-(m as i32))),
            (Largest::Numbers, _) => (self.bias() + 1, whole),
        };
        significand * power_of_two(binade as i32)
    }

    fn infinite(&self, negative: bool) -> f64 {
        let magnitude = match self.largest {
            _ if self.saturates => self.max(),
            Largest::Special => f64::INFINITY,
            Largest::NumbersAndNan => return f64::NAN,
            Largest::Numbers => self.max(),
        };
        if negative { -magnitude } else { magnitude }
    }

    /// What a value becomes in the format, with the random word of stochastic rounding.
    fn take(&self, z: &Exact, word: u64) -> f64 {
        let signed = |negative: bool, x: f64| if negative { -x } else { x };
        match z {
            Exact::Nan => f64::NAN,
            Exact::Infinite(negative) => self.infinite(*negative),
            Exact::Zero(negative) => signed(*negative, 0.0),
            Exact::Finite(z) => {
                let negative = z.is_negative();
                let (emin, emax) = (1 - self.bias(), (self.max().to_bits() >> 52) as i64 - 1023);
                let e = z.magnitude();
                let subnormals = self.subnormals || !self.tests_range();
                if !subnormals && (!self.range_after || self.exponent == 11) && e < emin {
                    return signed(negative, 0.0);
                }
                let early = !self.range_after && self.exponent < 11;
                let x = self.round(z, e, if subnormals { emin } else { i64::MIN / 2 }, word);
                let inward = match self.direction {
                    Direction::Zero => true,
                    Direction::Up => negative,
                    Direction::Down => !negative,
                    _ => false,
                };
                // None: beyond the largest double.
                let over = if early { e > emax } else { x.is_none_or(|x| x > self.max()) };
                match x {
                    _ if over && inward => signed(negative, self.max()),
                    _ if over => self.infinite(negative),
                    Some(x) if !subnormals && x < power_of_two(emin as i32) => signed(negative, 0.0),
                    Some(x) => signed(negative, x),
                    None => signed(negative, f64::INFINITY),
                }
            }
        }
    }

    /// The magnitude rounded to a multiple of the step.
    fn round(&self, z: &Number, e: i64, emin: i64, word: u64) -> Option<f64> {
        const BITS: u32 = 60;
        let m = i64::from(self.mantissa);
        let step = (e - m).max(emin - m);
        let (parts, cut) = z.floor_at(step - i64::from(BITS));
        let (below, part) = (&parts >> BITS, parts % (1u64 << BITS));
        let (below, part) = (u64::try_from(below).expect("at most 53 bits"), u64::try_from(part).expect("60 bits"));
        let (half, exact) = (part >> (BITS - 1) == 1, part == 0 && !cut);
        let tie = part == 1 << (BITS - 1) && !cut;
        let odd = if m == 0 && e >= emin { (e + 1023) % 2 != 0 } else { below % 2 == 1 };
        let up = match self.direction {
            Direction::Nearest => half && (!tie || odd),
            Direction::Zero => false,
            Direction::Up => !z.is_negative() && !exact,
            Direction::Down => z.is_negative() && !exact,
            Direction::Away => half,
            Direction::Stochastic => part + word % (1 << BITS) >= 1 << BITS,
        };
        let n = below + u64::from(up);
        let top = i64::from(n.checked_ilog2().unwrap_or(0)) + step;
        if n != 0 && top > 1023 { None } else { Some(scale(n as f64, step as i32)) }
    }

    /// What a double becomes in the format. `word` is the random word of stochastic rounding.
    pub fn reduce(&self, x: f64, word: u64) -> f64 {
        self.take(&dyadic::value((x, 0.0)), word)
    }

    /// The result of an operation on doubles. `draw` has the random words of stochastic rounding.
    pub fn evaluate(&self, op: Op, args: &[f64], draw: Draw) -> f64 {
        let args: Vec<(f64, f64)> = (1..).zip(args).map(|(j, &x)| (self.reduce(x, draw.word(j)), 0.0)).collect();
        let z = if self.once {
            dyadic::evaluate(op, &args, self.direction == Direction::Down)
        } else {
            let double = dyadic::evaluate(op, &args, false).round(Format::F64, Rounding::Nearest).to_f64();
            dyadic::value((double, 0.0))
        };
        self.take(&z, draw.word(0))
    }
}

/// Whether doubles have the same bits, all NaN being one.
pub fn same(x: f64, y: f64) -> bool {
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}
