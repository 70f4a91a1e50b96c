//! Limbs of double-word numbers where the algorithms decide: exponents next to those that they name, results there, and second
//! limbs of every kind.

use crate::format::Format;
use crate::generate::counter::Words;
use crate::generate::limb::{compose, to_bits, width};
use vernier::function::Op;

/// Draws the limbs of pairs as bit patterns.
#[derive(Debug)]
pub struct Draw<'w> {
    /// Format of a limb.
    pub limb: Format,
    /// Exponents that the algorithms compare with, of either sign.
    pub named: &'w [i32],
    /// Random words.
    pub words: &'w mut Words,
}

impl Draw<'_> {
    fn p(&self) -> i32 {
        self.limb.p as i32
    }

    /// Exponent of the smallest normal number.
    fn least(&self) -> i32 {
        1 - self.limb.emax
    }

    fn sign(&self) -> u64 {
        1 << (width(self.limb) - 1)
    }

    fn signed(&mut self, magnitude: u64) -> u64 {
        magnitude | if self.words.one_in(2) { self.sign() } else { 0 }
    }

    /// Digits after the first one: none, all, one, all but the last ones, the last ones, any.
    fn fraction(&mut self) -> u64 {
        let bits = self.limb.p as u64 - 1;
        let all = (1u64 << bits) - 1;
        match self.words.below(20) {
            0..6 => 0,
            6..9 => all,
            9..12 => 1 << self.words.below(bits),
            12..15 => all << self.words.below(bits) & all,
            15 | 16 => self.words.below(4),
            _ => self.words.next() & all,
        }
    }

    fn number(&mut self, e: i32, fraction: u64) -> u64 {
        let magnitude = to_bits(compose(false, e, fraction, self.limb), self.limb);
        self.signed(magnitude)
    }

    fn any_of(&mut self, e: i32) -> u64 {
        let fraction = self.fraction();
        self.number(e, fraction)
    }

    /// Subnormal, or little above.
    fn tiny(&mut self) -> u64 {
        match self.words.below(10) {
            0..3 => {
                let few = 1 + self.words.below(8);
                self.signed(few)
            }
            3..6 => {
                let any = self.words.next() >> (65 - self.limb.p);
                self.signed(any)
            }
            _ => {
                let e = self.least() + self.words.between(0, 3);
                self.any_of(e)
            }
        }
    }

    /// A second limb beside a first one of exponent `e`.
    fn second(&mut self, e: i32) -> u64 {
        let p = self.p();
        match self.words.below(20) {
            0..4 => self.signed(0),
            4..9 => self.tiny(),
            // Half an ulp.
            9..15 => self.number(e - p, 0),
            15 | 16 => self.any_of(e - p - 1),
            17 => {
                let gap = self.words.between(0, p + 3);
                self.any_of(e - p - gap)
            }
            18 => {
                let gap = self.words.between(0, 2 * p);
                self.any_of(e - p - gap)
            }
            _ => self.any_of(e - p - 2),
        }
    }

    fn pair(&mut self, e: i32) -> [u64; 2] {
        [self.any_of(e), self.second(e)]
    }

    /// The exponents where something changes: of results, and of operands.
    fn turning_points(&self) -> Vec<i32> {
        let (p, least, largest) = (self.p(), self.least(), self.limb.emax);
        let fixed = [0, largest, largest - 1, least, least - 1, least - p, least + 1 - p];
        let more = [least + p, least + p + 2, least + p + 6, least + 2 * p, least / 2, largest / 2];
        let named = self.named.iter().flat_map(|&e| [e, -e, least + e]);
        fixed.into_iter().chain(more).chain(named).collect()
    }

    fn turning_point(&mut self) -> i32 {
        let p = self.p();
        let e = self.turning_points();
        self.words.pick(&e)
            + match self.words.below(10) {
                0..4 => 0,
                4..8 => self.words.between(-2, 2),
                _ => self.words.between(-p - 2, p + 2),
            }
    }

    fn in_range(&self, e: i32) -> i32 {
        e.clamp(self.least() + 1 - self.p(), self.limb.emax)
    }

    /// The limbs of the operands of an operation, as many as it takes of `limbs`.
    pub fn operands(&mut self, op: Op, limbs: usize) -> Vec<u64> {
        let mut all = match (op, limbs) {
            (Op::Add | Op::Sub | Op::Acc, _) => self.sum(op == Op::Sub),
            (Op::Fma | Op::Mad, _) => self.product_and_sum(),
            (_, 4) => self.product(op == Op::Div),
            _ => {
                let e = self.turning_point();
                let pair = self.pair(e);
                if self.words.one_in(3) { vec![self.tiny(), pair[0]] } else { pair.to_vec() }
            }
        };
        all.resize(limbs, 0);
        all
    }

    /// Two that overflow together or nearly so, or cancel.
    fn sum(&mut self, minus: bool) -> Vec<u64> {
        let (p, sign) = (self.p(), self.sign());
        let [mut x, mut y];
        if self.words.below(10) < 7 {
            let e = self.limb.emax;
            let near = e - self.words.pick(&[0, 0, 0, 1]);
            let far = e - self.words.pick(&[0, 0, 1, 1, 2, p, p - 1, p + 1, 2 * p]);
            [x, y] = [self.pair(near), self.pair(far)];
            if !self.words.one_in(5) {
                y[0] = y[0] & !sign | (x[0] & sign) ^ if minus { sign } else { 0 };
            }
            for v in [&mut x, &mut y] {
                if self.words.one_in(2) {
                    let k = self.words.pick(&[0, 0, 0, 1, 1]);
                    let fraction = if self.words.one_in(3) { self.fraction() } else { 0 };
                    v[1] = self.number(e - p - k, fraction);
                } else if self.words.one_in(2) {
                    v[1] = self.tiny();
                }
            }
        } else {
            let (e, g) = (self.turning_point(), self.turning_point());
            [x, y] = [self.pair(e), self.pair(g)];
            if self.words.one_in(2) {
                y[0] = x[0] ^ sign ^ if self.words.one_in(2) { self.words.below(4) } else { 0 };
            }
            if self.words.one_in(3) {
                x[1] = self.tiny();
            }
        }
        if self.words.one_in(3) { [y, x].concat() } else { [x, y].concat() }
    }

    /// The exponent of a result, and those of factors, or of dividend and divisor, that give it.
    fn exponents(&mut self, quotient: bool) -> (i32, i32, i32) {
        let points = self.turning_points();
        let e = self.words.pick(&points) + if self.words.one_in(2) { 0 } else { self.words.between(-4, 4) };
        let x = self.turning_point();
        (e, x, self.in_range(if quotient { x - e } else { e - x }))
    }

    fn product(&mut self, quotient: bool) -> Vec<u64> {
        let (_, e, g) = self.exponents(quotient);
        let (mut x, mut y) = (self.pair(e), self.pair(g));
        match self.words.below(20) {
            0..4 => (x[1], y[1]) = (0, 0),
            4 => x[0] = 0,
            5 => y[0] = 0,
            6 | 7 => x[1] = x[0] ^ self.sign(),
            _ => {}
        }
        [x, y].concat()
    }

    fn product_and_sum(&mut self) -> Vec<u64> {
        let p = self.p();
        let (t, e, g) = self.exponents(false);
        let (mut x, mut y) = (self.pair(e), self.pair(g));
        let far = match self.words.below(8) {
            0 | 1 => 0,
            2 => self.words.between(-1, 1),
            3..6 => self.words.pick(&[-p, p, -2 * p, 2 * p, 1 - p, p - 1, -p - 1]),
            _ => self.words.between(-3 * p, 3 * p),
        };
        let at = self.in_range(t + far);
        let mut z = self.pair(at);
        match self.words.below(20) {
            0..4 => z[0] = self.any_of(t),
            4 => z = [self.tiny(), 0],
            5 => x[0] = 0,
            6 => z[0] = 0,
            _ => {}
        }
        match self.words.below(10) {
            0 | 1 => (x[1], y[1], z[1]) = (0, 0, 0),
            2 | 3 => x[1] = 0,
            4 | 5 => y[1] = 0,
            _ => {}
        }
        [x, y, z].concat()
    }
}
