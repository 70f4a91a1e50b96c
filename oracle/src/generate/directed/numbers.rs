//! Numbers with a significand of at most 62 bits in one word: doubles as integers hold them, and wider ones.

use super::{either, inverse};
use crate::generate::counter::Words;

/// A format of such numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Bits of the significand, the leading one included.
    pub digits: u32,
    /// Exponent of the smallest normal number.
    pub lowest: i32,
    /// Exponent of the largest number.
    pub highest: i32,
}

impl Form {
    /// The doubles.
    pub const DOUBLE: Form = Form { digits: 53, lowest: -1022, highest: 1023 };
}

/// A number, or what stands for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A zero.
    Zero(bool),
    /// An infinity.
    Infinite(bool),
    /// NaN.
    Nan,
    /// `significand 2^(exponent - digits + 1)`, the significand with its leading one.
    Finite {
        /// Whether it is below zero.
        negative: bool,
        /// Exponent of the leading one; outside the range of the format too.
        exponent: i32,
        /// All digits.
        significand: u64,
    },
}

use Number::{Finite, Infinite, Nan, Zero};

impl Number {
    fn negated(self) -> Number {
        match self {
            Zero(negative) => Zero(!negative),
            Infinite(negative) => Infinite(!negative),
            Nan => Nan,
            Finite { negative, exponent, significand } => Finite { negative: !negative, exponent, significand },
        }
    }

    /// The bits of the double; below the range the digits that subnormal numbers have, beyond it an infinity.
    pub fn to_double(self) -> u64 {
        const FRACTION: u64 = (1 << 52) - 1;
        let (negative, magnitude) = match self {
            Zero(negative) => (negative, 0),
            Infinite(negative) => (negative, 0x7ff << 52),
            Nan => (false, 0x7ff8 << 48),
            Finite { negative, exponent, significand } => (
                negative,
                match exponent {
                    1024.. => 0x7ff << 52,
                    -1022..1024 => ((exponent + 1023) as u64) << 52 | significand & FRACTION,
                    _ => significand.checked_shr((-1022 - exponent) as u32).unwrap_or(0),
                },
            ),
        };
        u64::from(negative) << 63 | magnitude
    }

    /// The number that a double is.
    pub fn of_double(bits: u64) -> Number {
        let (negative, field, fraction) = (bits >> 63 == 1, (bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        match (field, fraction) {
            (0, 0) => Zero(negative),
            (0x7ff, 0) => Infinite(negative),
            (0x7ff, _) => Nan,
            (0, f) => {
                let up = f.leading_zeros() as i32 - 11;
                Finite { negative, exponent: -1022 - up, significand: f << up }
            }
            _ => Finite { negative, exponent: field - 1023, significand: fraction | 1 << 52 },
        }
    }
}

/// Distances of exponents that shifts and levels have as thresholds.
const DISTANCES: [i32; 22] = [0, 1, 2, 9, 10, 11, 20, 24, 28, 29, 32, 38, 42, 52, 53, 54, 60, 62, 64, 106, 126, 128];
/// Exponents where conversions change.
const ANCHORS: [i32; 15] = [-1, 0, 7, 8, 15, 16, 23, 31, 32, 53, 62, 63, 127, -127, -149];

/// Draws numbers of a format.
#[derive(Debug)]
pub struct Draw<'w> {
    /// The format.
    pub form: Form,
    /// Random words.
    pub words: &'w mut Words,
}

impl Draw<'_> {
    fn one(&self) -> u64 {
        1 << (self.form.digits - 1)
    }

    fn ones(&self) -> u64 {
        2 * self.one() - 1
    }

    fn coin(&mut self) -> bool {
        self.words.one_in(2)
    }

    fn distance(&mut self) -> i32 {
        let w = &mut self.words;
        let d = if w.one_in(4) { w.between(0, 130) } else { w.pick(&DISTANCES) + w.between(-1, 1) };
        either(d, w)
    }

    /// Few bits, runs of ones, a tie at some digit or next to one, equal halves, any.
    fn significand(&mut self) -> u64 {
        let (one, ones) = (self.one(), self.ones());
        let w = &mut self.words;
        let last = u64::from(self.form.digits - 1);
        let (j, k) = (w.below(last), w.below(last));
        let low = |k: u64| (1u64 << k) - 1;
        let m = match w.below(10) {
            0 => 0,
            1 => ones,
            2 => 1 << k,
            3 => ones ^ 1 << k,
            4 => ones & !low(k),
            5 => low(k),
            6 => low(j) ^ low(k),
            7 => {
                let k = if w.one_in(2) { w.pick(&[9, 24, 29, 32, 34, 38]) } else { k.max(1) };
                let half = 1 << (k - 1);
                w.next() & !low(k) | w.pick(&[0, 1, half - 1, half, half | 1, low(k)])
            }
            8 => w.sized(10) * (1 << 32 | 1),
            _ => w.next(),
        };
        let m = match w.below(8) {
            0 => m ^ 1,
            1 => m & !0xffff_ffff,
            2 => m | 0xffff_ffff,
            3 => m ^ 1 << j,
            _ => m,
        };
        m & ones | one
    }

    fn exponent(&mut self) -> i32 {
        let (low, high, digits) = (self.form.lowest, self.form.highest, self.form.digits as i32);
        let w = &mut self.words;
        let near = w.between(-2, 2);
        match w.below(9) {
            0 => low + near,
            1 => low - w.between(0, digits),
            2 => high - near.abs(),
            3 => w.between(-1100, 1100),
            4 | 5 => w.pick(&ANCHORS) + near,
            6 => w.pick(&[low, high]) / 2 + near,
            7 => w.pick(&[-1022, -1074, 1023]) + near,
            _ => w.between(-70, 70),
        }
    }

    fn finite(&mut self, negative: bool, exponent: i32) -> Number {
        Finite { negative, exponent, significand: self.significand() }
    }

    /// Any number.
    pub fn operand(&mut self) -> Number {
        let negative = self.coin();
        if self.words.one_in(10) {
            return self.words.pick(&[Zero(negative), Infinite(negative), Nan]);
        }
        let exponent = self.exponent();
        self.finite(negative, exponent)
    }

    /// `v 2^unit`, rounded to odd: cut off, and the last digit set if anything was.
    fn rounded(&self, negative: bool, unit: i32, v: u128) -> Number {
        if v == 0 {
            return Zero(negative);
        }
        let digits = 128 - v.leading_zeros();
        let cut = digits.saturating_sub(self.form.digits);
        let sticky = u64::from(v & ((1 << cut) - 1) != 0);
        let significand = ((v >> cut) as u64 | sticky) << self.form.digits.saturating_sub(digits);
        Finite { negative, exponent: unit.saturating_add(digits as i32 - 1), significand }
    }

    /// The exponent of the last digit of a number with this one.
    fn unit(&self, exponent: i32) -> i32 {
        exponent.saturating_sub(self.form.digits as i32 - 1)
    }

    /// What may be added to `x`: it cancels, meets its last digits, or is made from the sum.
    pub fn addend(&mut self, x: Number) -> Number {
        let Finite { negative: of_x, exponent, significand } = x else { return self.operand() };
        let negative = if self.words.one_in(3) { self.coin() } else { !of_x };
        let d = self.distance();
        match self.words.below(6) {
            0 => self.operand(),
            1 => {
                let significand = significand.wrapping_add(self.words.below(5)).wrapping_sub(2) & self.ones();
                Finite { negative, exponent, significand: significand | self.one() }
            }
            2 if self.coin() => Finite { negative, exponent: exponent.saturating_add(d), significand },
            2 => self.finite(negative, exponent.saturating_add(d)),
            // From the sum: 2^60 of the last place of x, so that sums of either sign have room.
            3 | 4 => {
                let d = if self.coin() { d.clamp(-60, 2) } else { self.words.between(-60, 2) };
                let sum = u128::from(self.significand()) << 62 >> (2 - d) | u128::from(self.words.one_in(4));
                let x = u128::from(significand) << 60;
                self.rounded(
                    if sum < x { !of_x } else { of_x },
                    self.unit(exponent).saturating_sub(60),
                    sum.abs_diff(x),
                )
            }
            // A tie, or little more or less.
            _ => {
                let few = self.words.sized(self.form.digits - 1);
                let tie = self.words.pick(&[0, 0, -1, 1]);
                let exponent = exponent.saturating_sub(self.form.digits as i32 + tie);
                Finite { negative, exponent, significand: self.one() | few }
            }
        }
    }

    /// The last digits of a product, or a remainder: few, a tie with them, at either end of a word.
    fn rest(&mut self) -> u64 {
        let digits = u64::from(self.form.digits);
        let w = &mut self.words;
        let few = match w.below(5) {
            0 => 1 << w.below(digits),
            1 => w.below(4) + (w.below(2) << 32),
            2 => w.sized(digits as u32),
            3 => w.sized(8) * (1 << 32 | 1),
            _ => 0,
        };
        let tie: u64 = w.pick(&[0, 0, 1 << (digits - 2), 1 << (digits - 1), 1 << digits]);
        if w.one_in(2) { tie.wrapping_add(few) } else { tie.wrapping_sub(few) }
    }

    /// What `x` may be multiplied with, or divide, or be divided by.
    pub fn factor(&mut self, x: Number) -> Number {
        let Finite { exponent: of_x, significand, .. } = x else { return self.operand() };
        let (wide, one, digits) = (u128::from(significand), self.one(), self.form.digits);
        let zeros = significand.trailing_zeros();
        let odd = significand >> zeros;
        let v = match self.words.below(8) {
            0 => self.significand().into(),
            // The product is next to a power of two, or to a chosen number or a tie.
            1 => ((1u128 << (2 * digits - 1)) / wide + u128::from(self.words.below(3))).saturating_sub(1),
            2 => {
                let v = u128::from(self.significand()) * 2 + u128::from(self.words.below(2));
                (v << (digits - 1)) / wide + u128::from(self.words.below(2))
            }
            // The last digits of the product are chosen.
            3 | 4 => ((self.rest() >> zeros).wrapping_mul(inverse(odd)) & self.ones()).into(),
            // As many digits as x has zeros.
            5 => u128::from(self.words.next() >> (63 - zeros.min(60)) | 1),
            // A dividend: the quotient is chosen, with nothing or little left.
            6 => {
                let q = u128::from(self.significand()) << self.words.below(2) | u128::from(self.words.below(4));
                let v = wide.saturating_mul(q);
                (v >> (128 - v.leading_zeros()).saturating_sub(digits)) + u128::from(self.words.below(2))
            }
            // x is 2^k times what is found modulo x, plus a small remainder.
            _ => {
                let k = digits as i32 + self.words.between(-1, 2);
                let power =
                    (0..k).fold(1 % odd, |p, _| (u128::from(p) * u128::from(odd.div_ceil(2)) % u128::from(odd)) as u64);
                let r = (self.words.sized(6) + 1) % odd;
                u128::from(power) * u128::from(if self.coin() { r } else { odd - r }) % u128::from(odd)
            }
        };
        let negative = self.coin();
        let m = match self.rounded(negative, 0, v.max(1)) {
            Finite { significand, .. } => significand,
            _ => one,
        };
        // Products and quotients at the ends of the range.
        let (low, high) = (self.form.lowest, self.form.highest);
        let end = self.words.pick(&[low, low, high, 0]) + self.words.between(-3, 3);
        let end = if self.words.one_in(4) { end - self.distance().abs() } else { end };
        let exponent = match self.words.below(5) {
            0 => end.saturating_sub(of_x),
            1 => of_x.saturating_sub(end),
            2 => of_x.saturating_add(end),
            3 => self.exponent(),
            _ => self.words.between(-3, 3),
        };
        Finite { negative, exponent, significand: m }
    }

    /// What may be added to `x y`.
    pub fn third(&mut self, x: Number, y: Number) -> Number {
        let (Finite { negative: a, exponent: e, significand: m }, Finite { negative: b, exponent: f, significand: n }) =
            (x, y)
        else {
            return self.operand();
        };
        if self.words.one_in(12) {
            return self.operand();
        }
        let exact = u128::from(m) * u128::from(n);
        let unit = self.unit(e).saturating_add(self.unit(f));
        let p = self.rounded(a ^ b, unit, exact);
        match self.words.below(4) {
            // What is left is a part of the last digits.
            0 => {
                let below = 1u128 << self.words.below(2 * u64::from(self.form.digits));
                let v = if self.coin() { exact.saturating_sub(below) } else { exact + below };
                self.rounded(a == b, unit, v)
            }
            // Cut off, and its neighbours.
            1 => {
                let cut = (128 - exact.leading_zeros()).saturating_sub(self.form.digits);
                let v = (exact >> cut) + u128::from(self.words.below(3));
                self.rounded(a == b, unit + cut as i32, v.saturating_sub(1))
            }
            _ => self.addend(p),
        }
    }

    /// What has a root of few digits, a tie for a root, or one next to a chosen root.
    pub fn square(&mut self) -> Number {
        let digits = self.form.digits;
        let root = match self.words.below(3) {
            0 => {
                (self.words.next() >> (64 - digits / 2) | 1 << (digits / 2 - 1))
                    & !0 << self.words.below(u64::from(digits / 2))
            }
            1 => 2 * self.significand() + self.words.below(2),
            // A root s of -r modulo a power of two, digit by digit: s^2 + r ends in zeros.
            _ => {
                let r = self.words.sized(12) << 3 | 7;
                let s = (3..digits).fold(self.words.next() & 6 | 1, |s, k| {
                    let wrong = s.wrapping_mul(s).wrapping_add(r) >> k & 1;
                    s ^ wrong << (k - 1)
                });
                s & self.ones() | self.one()
            }
        };
        let v = u128::from(root) * u128::from(root);
        let near = self.words.pick(&[0, 0, 1, 2]);
        let v = if self.coin() { v + near } else { v.saturating_sub(near).max(1) };
        let exponent = self.exponent();
        let negative = self.words.one_in(16);
        match self.rounded(negative, 0, v) {
            // The parity of the exponent is that of the square's digits.
            Finite { negative, exponent: e, significand } if !self.words.one_in(8) => {
                Finite { negative, exponent: exponent & !1 | e & 1, significand }
            }
            x => x,
        }
    }

    /// Two numbers next to powers of two, whose product or quotient is at an end of the range: the product of what they are
    /// beside them is what rounding drops, a tie and little more or less.
    fn beside_powers(&mut self) -> [Number; 2] {
        let (digits, one, w) = (self.form.digits, self.one(), &mut self.words);
        let half = digits / 2;
        let few = w.sized(half).max(1);
        let tie = 1u64 << w.between(digits as i32 - 3, digits as i32 - 1);
        let other = (tie / few + w.below(3)).saturating_sub(1).clamp(1, one >> 2);
        let above = w.one_in(2);
        let m = |a: u64| if above { one + a } else { 2 * one - a };
        let end = if above { self.form.lowest } else { self.form.highest - 1 } + w.between(-1, 1);
        let e = w.between(-400, 400);
        let f = if w.one_in(2) { end - e } else { e - end };
        let (a, b) = (w.one_in(2), w.one_in(2));
        [
            Finite { negative: a, exponent: e, significand: m(few) },
            Finite { negative: b, exponent: f, significand: m(other) },
        ]
    }

    /// Operands that belong together: the second is added to the first, or multiplied; the third is added to their product; a
    /// third and fourth are factors of another product.
    pub fn operands(&mut self, n: usize) -> Vec<Number> {
        let one = Finite { negative: false, exponent: 0, significand: self.one() };
        let mut all = vec![if self.words.one_in(3) { self.square() } else { self.operand() }];
        if n > 1 && self.words.one_in(8) {
            all = self.beside_powers().to_vec();
        } else if n > 1 {
            let x = all[0];
            all.push(match self.words.below(4) {
                0 => self.operand(),
                1 | 2 if n == 2 => self.addend(x),
                _ => self.factor(x),
            });
            if self.coin() {
                all.swap(0, 1);
            }
        }
        if n == 3 {
            // One product or one sum alone, or both.
            let (x, y, zero) = (all[0], all[1], Zero(self.coin()));
            let (z, term) = (self.third(x, y), self.addend(x));
            all = self.words.pick(&[[x, y, z], [x, y, z], [x, one, term], [x, y, zero]]).to_vec();
        }
        if n > 3 {
            let (x, y) = (all[0], all[1]);
            let [z, w] = match self.words.below(4) {
                // The same factors but for little.
                0 => {
                    let d = self.distance();
                    let moved = |x: Number, d: i32, flip: u64| match x {
                        Finite { negative, exponent, significand } => {
                            Finite { negative, exponent: exponent.saturating_add(d), significand: significand ^ flip }
                        }
                        x => x,
                    };
                    [moved(x.negated(), d, self.words.below(2)), moved(y, -d, 0)]
                }
                // One factor a power of two.
                1 | 2 => [self.third(x, y), one],
                _ => {
                    let z = self.operand();
                    [z, self.factor(z)]
                }
            };
            all.extend([z, w]);
            if self.coin() {
                all.swap(0, 2);
                all.swap(1, 3);
            }
        }
        all.truncate(n);
        all
    }

    /// `x` or something near it, beside `other`.
    pub fn changed(&mut self, x: Number, other: Number) -> Number {
        let d = self.distance();
        let Finite { negative, exponent, significand } = x else { return self.operand() };
        let bit = 1 << self.words.below(u64::from(self.form.digits - 1));
        match self.words.below(9) {
            0 => self.operand(),
            1 => self.addend(other),
            2 => self.factor(other),
            3 => match other {
                Finite { exponent, .. } => Finite { negative, exponent: exponent.saturating_add(d), significand },
                _ => x.negated(),
            },
            4 => Finite { negative, exponent: exponent.saturating_add(self.words.between(-1, 1)), significand },
            5 => Finite { negative, exponent, significand: significand ^ bit },
            6 => Finite { negative, exponent, significand: significand & !(bit - 1) },
            7 => self.finite(negative, exponent),
            _ => x.negated(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_leading_one_and_belong_together() {
        let form = Form { digits: 62, lowest: -(1 << 26), highest: (1 << 26) - 1 };
        for form in [form, Form::DOUBLE] {
            let (mut cancel, mut exact) = (0, 0);
            for i in 0..4000 {
                let mut words = Words::new(1, i);
                let mut draw = Draw { form, words: &mut words };
                for x in draw.operands(1 + i as usize % 4) {
                    let sound = |m: u64| m >> (form.digits - 1) == 1;
                    assert!(!matches!(x, Finite { significand, .. } if !sound(significand)), "{x:?}");
                }
                let x = draw.finite(false, 3);
                let y = draw.addend(x);
                cancel += u64::from(matches!(y, Finite { negative: true, exponent: 2..=4, .. }));
                if let (Finite { significand: m, .. }, Finite { significand: n, .. }) = (x, draw.factor(x)) {
                    exact += u64::from((u128::from(m) * u128::from(n)).trailing_zeros() >= form.digits - 1);
                }
            }
            assert!(cancel > 300 && exact > 100, "{cancel} {exact}");
        }
    }

    #[test]
    fn doubles_come_back() {
        for x in [0.0, -0.0, 1.5, -4.4e-310, f64::MAX, f64::INFINITY] {
            assert_eq!(Number::of_double(x.to_bits()).to_double(), x.to_bits());
        }
    }
}
