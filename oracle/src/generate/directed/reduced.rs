//! Doubles that are taken into a reduced format: what rounds into it at a tie or next to one, at the ends of its range and next
//! to them; sums whose terms lie as far apart as the digits of the format and of a double; products that are ties or next below
//! a power of two.

use super::{either, inverse};
use crate::generate::counter::Words;
use vernier::function::Op;

/// The size of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Stored bits of a significand.
    pub mantissa: u32,
    /// Exponent of the smallest normal number.
    pub emin: i32,
    /// Exponent of the largest number.
    pub emax: i32,
}

/// Draws operands as the bits of doubles.
#[derive(Debug)]
pub struct Draw<'w> {
    /// The format.
    pub size: Size,
    /// Random words.
    pub words: &'w mut Words,
    /// Exponents of the operands so far, and of what they give.
    exponents: Vec<i32>,
}

/// Zeros, one, the ends of the range of doubles, infinity, NaN with bits in one half alone.
const SPECIAL: [u64; 10] = [
    0,
    1,
    0x3ff0_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff0_0001_0000_0000,
    0x7ff8_0000_0000_0000,
    0x0010_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
];

impl<'w> Draw<'w> {
    /// Draws operands for a format.
    pub fn new(size: Size, words: &'w mut Words) -> Self {
        Draw { size, words, exponents: Vec::new() }
    }

    /// The operands of an operation.
    pub fn operands(&mut self, op: Op, n: usize) -> Vec<u64> {
        match self.words.below(8) {
            0 => (0..n).map(|_| self.sign() | self.words.pick(&SPECIAL)).collect(),
            1 | 2 => self.at_the_ends(op, n),
            3 if n > 1 => self.next_below_a_power(n),
            4 | 5 if n > 1 => {
                let mut all = self.tied_product();
                all.extend((2..n).map(|_| self.operand()));
                all
            }
            _ => (0..n).map(|_| self.operand()).collect(),
        }
    }

    fn sign(&mut self) -> u64 {
        self.words.below(2) << 63
    }

    /// Digits of the format, and what is below them.
    fn fraction(&mut self) -> u64 {
        let (m, w) = (self.size.mantissa, &mut self.words);
        let (all, below) = ((1u64 << m) - 1, (1u64 << (52 - m)) - 1);
        let (any, half) = (w.next(), (below >> 1) + 1);
        let one = 1 << w.below(u64::from(m.max(1)));
        let head = w.pick(&[0, 1, 2, all, all & !1, any, any, one, all ^ one]) & all;
        let tail = w.pick(&[0, 0, 0, 0, 1, half, half - 1, half + 1, below, any]) & below;
        head << (52 - m) | tail
    }

    fn operand(&mut self) -> u64 {
        let sign = self.sign();
        if self.words.one_in(12) {
            return sign | self.words.pick(&SPECIAL);
        }
        if self.words.one_in(8) {
            // Rounds up to the first power of two beyond the range.
            self.exponents.push(self.size.emax);
            return sign | double(self.size.emax, (1 << 52) - 1);
        }
        let exponent = self.exponent();
        self.exponents.push(exponent);
        sign | double(exponent, self.fraction())
    }

    fn exponent(&mut self) -> i32 {
        let Size { emin, emax, .. } = self.size;
        let (m, w) = (self.size.mantissa as i32, &mut self.words);
        let near = w.between(-3, 3);
        // Below the smallest subnormal number, and where its tail is cut.
        let far = w.between(emin - m - 70, emin - m);
        let ends = [emin, emax, 0, emin - m, emin - m - 9, far, emin / 2, emax / 2];
        match w.below(4) {
            0 => w.between(emin - 2, emax + 2),
            1 => w.pick(&ends) + near,
            _ if self.exponents.is_empty() => near,
            2 => {
                let (other, end) = (w.pick(&self.exponents), w.pick(&ends) + near);
                either(end - other, w)
            }
            _ => {
                let any = w.between(0, 120);
                let gap = w.pick(&[0, m, 2 * m, 52 - m, 52, 52 + m, 104, any]) + near;
                w.pick(&self.exponents) - if w.one_in(4) { -gap } else { gap }
            }
        }
    }

    /// Results, or their largest terms, at the ends of the range.
    fn at_the_ends(&mut self, op: Op, n: usize) -> Vec<u64> {
        let Size { emin, emax, .. } = self.size;
        let (m, w) = (self.size.mantissa as i32, &mut self.words);
        let below = w.pick(&[0, 1, 2, m, m + 1, 52, 53, 54]) + w.between(-1, 1);
        let end = if w.one_in(2) { emax - below.clamp(0, 2) } else { emin - m + w.between(0, 2) + below };
        let gap = w.pick(&[0, 1, m, m + 1, 2 * m, 52, 53, 54, 104, 105, 106, 200]) + w.between(-2, 2);
        let gap = if w.one_in(4) { -gap } else { gap };
        let any = w.between(emin - m, emax);
        let factor = w.pick(&[0, 1, -1, emin - m, emin, emax, any]);
        let exponents = match op {
            Op::Mul => vec![factor, end - factor],
            Op::Div => vec![factor, factor - end],
            Op::Fma => vec![factor, end - factor, end - gap],
            _ => vec![end, end - gap],
        };
        let mut all: Vec<u64> = exponents.iter().map(|&e| self.sign() | double(e, self.fraction())).collect();
        all.truncate(n);
        all.resize_with(n, || self.operand());
        all
    }

    /// (1 + 2^-i)(1 - 2^-i) at an end of the range; of three operands a power of two may be taken away.
    fn next_below_a_power(&mut self, n: usize) -> Vec<u64> {
        let Size { mantissa, emin, emax } = self.size;
        let i = if mantissa == 0 { 1 } else { self.words.between(1, mantissa as i32) as u32 };
        let end = self.words.pick(&[emin, emin, emax + 1]) + self.words.pick(&[0, 0, 0, 1, -1]);
        let sum = if self.words.one_in(2) { end } else { end - 1 };
        let factor = self.words.between(sum - emax, emax).clamp(emin, emax);
        let (a, b) = (self.sign(), self.sign());
        let y = ((1 << (i - 1)) - 1) << (53 - i);
        let mut all = vec![a | double(factor, 1 << (52 - i)), b | double(sum - factor, y)];
        if self.words.one_in(2) {
            all.swap(0, 1);
        }
        if n > 2 {
            all.push((a ^ b ^ 1 << 63) | double(end, 0));
        }
        all
    }

    /// Two operands whose product is a tie of the format, or is next to one by less than a double shows.
    fn tied_product(&mut self) -> Vec<u64> {
        let p = self.size.mantissa + 1;
        let digits = 1 + self.words.below(u64::from(p)) as u32;
        let x = self.words.sized(digits) | 1;
        let rest = (p + 2 - digits.min(p)).min(p).saturating_sub(self.words.below(2) as u32).max(1);
        let exact = self.words.sized(rest) | 1;
        let (y, lost) = if self.words.one_in(2) { (exact, 0) } else { self.missed_tie(x, p).unwrap_or((exact, 0)) };
        let length = |n: u64| 63 - n.leading_zeros() as i32;
        let Size { emin, emax, .. } = self.size;
        let any = self.exponent();
        let last = if lost > 0 { -1074 - lost } else { self.words.pick(&[emin, any]) };
        let sum = (last + length(x) + length(y)).max(2 * emin);
        let e = self.words.between((sum - emax).max(emin), (sum - emin).min(emax).max(emin));
        self.exponents.extend([sum, e, sum - e]);
        [(x, e), (y, sum - e)].map(|(n, e)| self.sign() | integer(n, e)).to_vec()
    }

    /// A factor of at most `p` digits with which odd `x` gives, in the last digits that a double drops and `s` more, a half and
    /// little more or less; and `s`.
    fn missed_tie(&mut self, x: u64, p: u32) -> Option<(u64, i32)> {
        (0..64).find_map(|_| {
            let s = 2 + self.words.below(6) as u32;
            let modulus = 1u64.checked_shl(53 - p + s)?;
            let r = 1 + self.words.below((1 << (s - 1)) - 1);
            let target = if self.words.one_in(2) { modulus / 2 + r } else { modulus / 2 - r };
            let y = target.wrapping_mul(inverse(x)) & (modulus - 1);
            (y != 0 && y >> p == 0).then_some((y, s as i32))
        })
    }
}

/// (1 + fraction / 2^52) 2^exponent as a double, cut off where it is subnormal, infinite beyond the range.
fn double(exponent: i32, fraction: u64) -> u64 {
    match exponent {
        1024.. => f64::INFINITY.to_bits(),
        -1022..1024 => ((exponent + 1023) as u64) << 52 | fraction,
        _ => (1 << 52 | fraction).checked_shr((-1022 - exponent) as u32).unwrap_or(0),
    }
}

/// `n`, not 0, with its leading digit at 2^exponent.
fn integer(n: u64, exponent: i32) -> u64 {
    let top = 63 - n.leading_zeros();
    double(exponent, if top > 52 { n >> (top - 52) } else { n << (52 - top) } & ((1 << 52) - 1))
}
