//! An unsigned fixed-point number wide enough for the exact sum of any two finite `f64`.

use core::cmp::Ordering;

use super::format::{Format, Magnitude};

/// Words below the binary point.
pub(crate) const POINT: usize = 17;
const WORDS: usize = 34;
/// Weight of the lowest bit, 2^-1088: below 2^-1075, half the smallest subnormal number.
const LOWEST: i32 = -64 * POINT as i32;

/// 10^19, the largest power of ten in a word. It has its top bit set, which the division needs.
pub(crate) const TEN19: u64 = 10_000_000_000_000_000_000;
const RECIPROCAL: u64 = (u128::MAX / TEN19 as u128 - (1 << 64)) as u64;

/// (high 2^64 + low) / 10^19 and the remainder, high < 10^19: Moller and Granlund 2011, algorithm 4.
fn div_ten19(high: u64, low: u64) -> (u64, u64) {
    let estimate = u128::from(RECIPROCAL) * u128::from(high) + (u128::from(high) << 64 | u128::from(low));
    let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let mut remainder = low.wrapping_sub(quotient.wrapping_mul(TEN19));
    if remainder > estimate as u64 {
        quotient = quotient.wrapping_sub(1);
        remainder = remainder.wrapping_add(TEN19);
    }
    if remainder >= TEN19 {
        quotient = quotient.wrapping_add(1);
        remainder -= TEN19;
    }
    (quotient, remainder)
}

/// Little-endian words; the integer part begins at `POINT`. Values stay below 2^1030.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fixed([u64; WORDS]);

impl Fixed {
    pub(crate) const ZERO: Self = Self([0; WORDS]);
    /// The weight of the lowest bit.
    pub(crate) const UNIT: Self = {
        let mut words = [0; WORDS];
        words[0] = 1;
        Self(words)
    };

    /// m * 2^q.
    pub(crate) fn scaled(m: u64, q: i32) -> Self {
        let mut words = [0; WORDS];
        let bit = (q - LOWEST) as usize;
        let shifted = u128::from(m) << (bit % 64);
        words[bit / 64] = shifted as u64;
        words[bit / 64 + 1] = (shifted >> 64) as u64;
        Self(words)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    pub(crate) fn add(mut self, other: &Self) -> Self {
        let mut carry = false;
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            let (sum, c1) = a.overflowing_add(b);
            let (sum, c2) = sum.overflowing_add(u64::from(carry));
            *a = sum;
            carry = c1 | c2;
        }
        self
    }

    /// self - other, for other <= self.
    pub(crate) fn sub(mut self, other: &Self) -> Self {
        let mut borrow = false;
        for (a, &b) in self.0.iter_mut().zip(&other.0) {
            let (difference, b1) = a.overflowing_sub(b);
            let (difference, b2) = difference.overflowing_sub(u64::from(borrow));
            *a = difference;
            borrow = b1 | b2;
        }
        self
    }

    /// |self - other| and whether other is the larger.
    pub(crate) fn abs_diff(&self, other: &Self) -> (Self, bool) {
        match self.0.iter().rev().cmp(other.0.iter().rev()) {
            Ordering::Less => (other.sub(self), true),
            _ => (self.sub(other), false),
        }
    }

    /// The nearest number of the format, ties to even, as if its exponent range had no upper end. `sticky` says that the true
    /// value lies above self by less than the lowest bit.
    pub(crate) fn round(&self, sticky: bool, f: &Format) -> Magnitude {
        let Some(top) = self.0.iter().rposition(|&w| w != 0) else {
            return Magnitude { m: 0, q: f.eta };
        };
        let leading = 64 * top as i32 + 63 - self.0[top].leading_zeros() as i32 + LOWEST;
        let q = (leading + 1 - f.p as i32).max(f.eta);
        let bit = (q - LOWEST) as usize;
        let (word, shift) = (bit / 64, bit % 64);
        let window = u128::from(self.0[word]) | u128::from(self.0.get(word + 1).copied().unwrap_or(0)) << 64;
        let m = (window >> shift) as u64;

        let half = bit - 1;
        let round = self.0[half / 64] >> (half % 64) & 1 == 1;
        let rest = || self.0[half / 64] & ((1 << (half % 64)) - 1) != 0 || self.0[..half / 64].iter().any(|&w| w != 0);
        let m = m + u64::from(round && (m & 1 == 1 || sticky || rest()));
        if m >> f.p == 0 { Magnitude { m, q } } else { Magnitude { m: m >> 1, q: q + 1 } }
    }

    /// The bits of the two highest words that are in use, the first one at the top; whether there are ones below them; and the
    /// weight of the first one as a power of 2. `None` for 0.
    pub(crate) fn leading(&self) -> Option<(u128, bool, i32)> {
        let top = self.0.iter().rposition(|&w| w != 0)?;
        let (rest, next) = match self.0[..top].split_last() {
            Some((next, rest)) => (rest.iter().any(|&w| w != 0), *next),
            None => (false, 0),
        };
        let zeros = self.0[top].leading_zeros();
        let bits = (u128::from(self.0[top]) << 64 | u128::from(next)) << zeros;
        Some((bits, rest, 64 * top as i32 + 63 - zeros as i32 + LOWEST))
    }

    /// Integer part times `ten`, a power of ten, plus `digits`.
    pub(crate) fn push_integer(&mut self, ten: u64, digits: u64) {
        let mut carry = digits;
        for word in &mut self.0[POINT..] {
            let product = u128::from(*word) * u128::from(ten) + u128::from(carry);
            *word = product as u64;
            carry = (product >> 64) as u64;
        }
    }

    /// Fraction becomes (digits + fraction) / 10^19, rounded down; true if that was inexact. The floor of a quotient by an
    /// integer is that of the quotient of the floor, so that repeated use still rounds down the exact value.
    pub(crate) fn push_fraction(&mut self, digits: u64) -> bool {
        let mut remainder = digits;
        for word in self.0[..POINT].iter_mut().rev() {
            (*word, remainder) = div_ten19(remainder, *word);
        }
        remainder != 0
    }

    /// Takes the last 19 digits off the integer part; `None` once it is 0.
    pub(crate) fn pop_integer(&mut self) -> Option<u64> {
        let top = self.0[POINT..].iter().rposition(|&w| w != 0)?;
        let mut remainder = 0;
        for word in self.0[POINT..=POINT + top].iter_mut().rev() {
            (*word, remainder) = div_ten19(remainder, *word);
        }
        Some(remainder)
    }

    /// Takes the first 19 digits off the fraction; `None` once it is 0.
    pub(crate) fn pop_fraction(&mut self) -> Option<u64> {
        let low = self.0[..POINT].iter().position(|&w| w != 0)?;
        let mut carry = 0;
        for word in &mut self.0[low..POINT] {
            let product = u128::from(*word) * u128::from(TEN19) + u128::from(carry);
            *word = product as u64;
            carry = (product >> 64) as u64;
        }
        Some(carry)
    }
}

impl From<Magnitude> for Fixed {
    fn from(x: Magnitude) -> Self {
        Self::scaled(x.m, x.q)
    }
}
