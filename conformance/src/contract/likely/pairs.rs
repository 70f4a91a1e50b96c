//! Arguments of pairs where the algorithms decide: exponents next to those that they name, results there, and second limbs of
//! every kind.

use crate::contract::noticing;
use crate::contract::prove::Scale;
use vernier::machine::Limb;
use vernier_oracle::generate::counter::{self, Words};
use vernier_tape::registry::{Function, functions};
use vernier_tape::tape::Ty;

/// A format, and the exponents that the algorithms name.
struct Limbs<'w> {
    words: &'w mut Words,
    format: Scale,
    sign: u64,
    digits: i32,
    least: i32,
    scale: i32,
    limit: i32,
}

/// `n` cases for an operation on pairs; none for others.
pub(super) fn edges(f: &Function, seed: u64, n: u64) -> Vec<Vec<u64>> {
    let tape = &f.tape;
    let Some(&ty) = tape.args.first().filter(|ty| ty.is_float() && tape.args.iter().all(|t| t == *ty)) else {
        return Vec::new();
    };
    let key = counter::named_key(seed ^ 2, &f.name());
    let one = |i| {
        let words = &mut Words::new(key, i);
        let mut limbs = if ty == Ty::F32 { Limbs::of::<f32>(words, ty) } else { Limbs::of::<f64>(words, ty) };
        let mut case = limbs.case(f.id.op_name().as_str(), tape.args.len());
        case.resize(tape.args.len(), 0);
        case
    };
    (0..n).map(one).collect()
}

/// For x y + z: the kept cases of two pairs, as factors beside a z that is nothing or next to nothing, and as terms.
pub(super) fn composed(f: &Function) -> Vec<Vec<u64>> {
    let [x, y, z] = f.params[..] else { return Vec::new() };
    let two = functions().iter().find(|g| g.params == [x, y] && g.id.op_name().as_str() == "mul");
    let (Some(two), true) = (two, x == y && y == z) else { return Vec::new() };
    let (one, sign) = match f.tape.args[0] {
        Ty::F32 => (u64::from(1f32.to_bits()), 1 << 31),
        _ => (1f64.to_bits(), 1 << 63),
    };
    let compose = |case: Vec<u64>| {
        let (x, y) = case.split_at(2);
        let products = [[0, 0], [sign, 0], [1, 0], [sign | 1, 0], [0, 1], [sign, sign]].map(|z| [x, y, &z].concat());
        let sums = [[x, &[one, 0], y], [y, &[one, 0], x], [&[one, 0], x, y]].map(|parts| parts.concat());
        products.into_iter().chain(sums)
    };
    noticing::cases(two).into_iter().filter(|case| case.len() == 4).flat_map(compose).collect()
}

impl<'w> Limbs<'w> {
    fn of<L: Limb>(words: &'w mut Words, ty: Ty) -> Self {
        let sign = (ty.bits_mask() >> 1) + 1;
        let (digits, least) = (L::P as i32, L::MIN_EXP);
        Limbs { words, format: Scale::of(ty), sign, digits, least, scale: L::SCALE, limit: L::SCALE_LIMIT }
    }

    fn largest(&self) -> i32 {
        1 - self.least
    }

    fn signed(&mut self, magnitude: u64) -> u64 {
        magnitude | if self.words.one_in(2) { self.sign } else { 0 }
    }

    fn below(&mut self, n: i32) -> i32 {
        self.words.below(n as u64) as i32
    }

    /// Digits after the first one: few, all but few, the last ones, any.
    fn fraction(&mut self) -> u64 {
        let bits = self.digits as u64 - 1;
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

    /// A number of this exponent, or of those there are the nearest to it, and either sign.
    fn number(&mut self, e: i32, fraction: u64) -> u64 {
        self.signed(self.format.value(e, fraction))
    }

    fn any_of(&mut self, e: i32) -> u64 {
        let fraction = self.fraction();
        self.number(e, fraction)
    }

    fn tiny(&mut self) -> u64 {
        let below = self.digits - 1;
        match self.words.below(10) {
            0..3 => {
                let few = 1 + self.words.below(8);
                self.signed(few)
            }
            3..6 => {
                let any = self.words.next() >> (64 - below);
                self.signed(any)
            }
            _ => {
                let e = self.least + self.below(4);
                self.any_of(e)
            }
        }
    }

    /// A second limb beside a first one of exponent `e`.
    fn second(&mut self, e: i32) -> u64 {
        let p = self.digits;
        match self.words.below(20) {
            0..4 => self.signed(0),
            4..9 => self.tiny(),
            // Half an ulp.
            9..15 => self.number(e - p, 0),
            15 | 16 => self.any_of(e - p - 1),
            17 => {
                let k = self.below(p + 4);
                self.any_of(e - p - k)
            }
            18 => {
                let k = self.below(2 * p);
                self.any_of(e - p - k)
            }
            _ => self.any_of(e - p - 2),
        }
    }

    fn pair(&mut self, e: i32) -> [u64; 2] {
        [self.any_of(e), self.second(e)]
    }

    /// An exponent next to one that is named.
    fn named(&mut self) -> i32 {
        let (p, least, largest) = (self.digits, self.least, self.largest());
        let (scale, limit) = (self.scale, self.limit);
        let named = [
            0,
            largest,
            least,
            least + p,
            least + p + 2,
            least + p + 6,
            least + 2 * p,
            least + 1 - p,
            limit,
            -limit,
            scale,
            -scale,
            least / 2,
            largest / 2,
            -2 * limit,
            least + scale,
        ];
        self.words.pick(&named) + self.near()
    }

    fn near(&mut self) -> i32 {
        let p = self.digits;
        match self.words.below(10) {
            0..4 => 0,
            4..8 => self.words.between(-2, 2),
            _ => self.words.between(-p - 2, p + 2),
        }
    }

    fn in_range(&self, e: i32) -> i32 {
        e.clamp(self.least + 1 - self.digits, self.largest())
    }

    fn case(&mut self, op: &str, limbs: usize) -> Vec<u64> {
        match (op, limbs) {
            ("add" | "sub" | "acc", _) => self.sum(op == "sub"),
            ("fma" | "mad", _) => self.product_and_sum(),
            (_, 4) => self.product(op == "div"),
            _ => {
                let e = self.named();
                let pair = self.pair(e);
                if self.words.one_in(3) { vec![self.tiny(), pair[0]] } else { pair.to_vec() }
            }
        }
    }

    /// Two that overflow together or nearly so, or cancel.
    fn sum(&mut self, minus: bool) -> Vec<u64> {
        let p = self.digits;
        let (mut x, mut y);
        if self.words.below(10) < 7 {
            let e = self.largest();
            let (near, far) =
                (e - self.words.pick(&[0, 0, 0, 1]), self.words.pick(&[0, 0, 1, 1, 2, p, p - 1, p + 1, 2 * p]));
            (x, y) = (self.pair(near), self.pair(e - far));
            if !self.words.one_in(5) {
                let sign = self.sign;
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
            let (e, g) = (self.named(), self.named());
            (x, y) = (self.pair(e), self.pair(g));
            if self.words.one_in(2) {
                y[0] = x[0] ^ self.sign ^ if self.words.one_in(2) { self.words.below(4) } else { 0 };
            }
            if self.words.one_in(3) {
                x[1] = self.tiny();
            }
        }
        if self.words.one_in(3) { [y, x].concat() } else { [x, y].concat() }
    }

    /// The exponent of a result, and those of factors, or of dividend and divisor, that give it.
    fn exponents(&mut self, quotient: bool) -> (i32, i32, i32) {
        let (p, least, largest) = (self.digits, self.least, self.largest());
        let (scale, limit) = (self.scale, self.limit);
        let named = [
            least,
            least - 1,
            least - p,
            least + 1 - p,
            least + p,
            least + p + 2,
            least + p + 6,
            largest,
            largest - 1,
            0,
            -limit,
            least + scale,
        ];
        let e = self.words.pick(&named) + if self.words.one_in(2) { 0 } else { self.words.between(-4, 4) };
        let x = self.named();
        let y = self.in_range(if quotient { x - e } else { e - x });
        (e, x, y)
    }

    fn product(&mut self, quotient: bool) -> Vec<u64> {
        let (_, e, g) = self.exponents(quotient);
        let (mut x, mut y) = (self.pair(e), self.pair(g));
        match self.words.below(20) {
            0..4 => (x[1], y[1]) = (0, 0),
            4 => x[0] = 0,
            5 => y[0] = 0,
            6 | 7 => x[1] = x[0] ^ self.sign,
            _ => {}
        }
        [x, y].concat()
    }

    fn product_and_sum(&mut self) -> Vec<u64> {
        let p = self.digits;
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
