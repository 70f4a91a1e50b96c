//! IEEE arithmetic of a small format as gates: exact in fixed point, then rounded once.

use super::circuit::{Circuit, FALSE, Signal, TRUE};
use super::encode::table;
use super::word::{Word, constant, not};
use vernier_tape::tape::{Mode, Op};

/// An IEEE format with `digits` significand digits, the hidden one included, and `exponent` bits of exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Significand digits.
    pub digits: usize,
    /// Bits of the exponent.
    pub exponent: usize,
}

impl Format {
    /// All bits.
    pub fn width(self) -> usize {
        self.digits + self.exponent
    }

    /// The exponent of the smallest normal number.
    pub fn least(self) -> i32 {
        2 - (1 << (self.exponent - 1))
    }

    fn fraction(self) -> usize {
        self.digits - 1
    }

    /// Exponent fields of finite numbers.
    fn fields(self) -> usize {
        (1 << self.exponent) - 1
    }

    /// The bits of 2^e; none if it is no normal number.
    pub fn power(self, e: i32) -> Option<u64> {
        let field = e - self.least() + 1;
        (field >= 1 && (field as usize) < self.fields()).then(|| (field as u64) << self.fraction())
    }

    /// The bits of infinity.
    pub fn infinity(self) -> u64 {
        (self.fields() as u64) << self.fraction()
    }

    /// The bits of the quiet NaN.
    pub fn nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction() - 1)
    }
}

/// An operand taken apart.
struct Parts {
    sign: Signal,
    /// With the hidden bit.
    significand: Word,
    /// The field, but at least 1.
    exponent: Word,
    zero: Signal,
    infinite: Signal,
    nan: Signal,
}

/// A magnitude before rounding.
struct Exact {
    sign: Signal,
    /// Fixed point.
    magnitude: Word,
    /// Whether anything is left below it.
    sticky: Signal,
    /// The bit that stands for the smallest subnormal number.
    unit: usize,
}

/// The gates of a format.
pub(super) struct Float<'c> {
    pub circuit: &'c mut Circuit,
    pub format: Format,
}

impl Float<'_> {
    fn parts(&mut self, x: &[Signal], mode: Mode) -> Parts {
        let (f, n) = (self.format.fraction(), self.format.width() - 1);
        let c = &mut *self.circuit;
        let (mut fraction, field) = (x[..f].to_vec(), x[f..n].to_vec());
        let normal = c.any(&field);
        let special = c.any(&not(&field)) ^ 1;
        let any = c.any(&fraction);
        if mode == Mode::FlushIn {
            fraction.iter_mut().for_each(|x| *x = c.and(*x, normal));
        }
        let rest = c.any(&fraction);
        let zero = c.or(rest, normal) ^ 1;
        let mut exponent = field;
        exponent[0] = c.or(exponent[0], normal ^ 1);
        fraction.push(normal);
        Parts {
            sign: x[n],
            significand: fraction,
            exponent,
            zero,
            infinite: c.and(special, any ^ 1),
            nan: c.and(special, any),
        }
    }

    /// The result of a rounded operation on limbs.
    pub fn rounded(&mut self, op: Op, mode: Mode, x: &[&Word]) -> Word {
        match op {
            Op::Add => self.sum(x[0], x[1], mode),
            Op::Sub => {
                let mut negated = x[1].clone();
                negated[self.format.width() - 1] ^= 1;
                self.sum(x[0], &negated, mode)
            }
            Op::Mul => self.product_sum(x[0], x[1], None, mode),
            Op::Fma if mode == Mode::Split => {
                let product = self.product_sum(x[0], x[1], None, Mode::Exact);
                self.sum(&product, x[2], Mode::Exact)
            }
            Op::Fma => self.product_sum(x[0], x[1], Some(x[2]), mode),
            Op::Div => self.quotient(x[0], x[1], mode),
            Op::Rcp | Op::RcpModerate => {
                let one = constant(self.format.power(0).unwrap_or(0), self.format.width());
                self.quotient(&one, x[0], mode)
            }
            Op::Sqrt | Op::SqrtRcp => self.root(x[0], mode),
            Op::Second => {
                let root = self.root(x[0], Mode::Exact);
                self.rounded(Op::Rcp, mode, &[&root])
            }
            op => unreachable!("{} is not rounded", op.name()),
        }
    }

    fn sum(&mut self, a: &[Signal], b: &[Signal], mode: Mode) -> Word {
        let (x, y) = (self.parts(a, mode), self.parts(b, mode));
        let top = self.format.fields() - 2 + self.format.digits;
        let fixed = |float: &mut Self, x: &Parts| float.placed(&x.significand, &x.exponent, 1, top);
        let (p, q) = (fixed(self, &x), fixed(self, &y));
        self.signed_sum(&x, p, &y, q, 0, mode)
    }

    /// `significand` 2^(exponent - least) in `width` bits.
    fn placed(&mut self, significand: &[Signal], exponent: &[Signal], least: u64, width: usize) -> Word {
        let c = &mut *self.circuit;
        let n = exponent.len();
        let by = c.sub(exponent, &constant(least, n));
        let mut word = significand.to_vec();
        word.resize(width.next_power_of_two(), FALSE);
        let mut by = by;
        by.resize(32, FALSE);
        let mut word = c.shift(&word, &by, true, FALSE);
        word.truncate(width);
        word
    }

    /// x + y where both are given in fixed point too, with special values.
    fn signed_sum(&mut self, x: &Parts, mut p: Word, y: &Parts, mut q: Word, unit: usize, mode: Mode) -> Word {
        let c = &mut *self.circuit;
        let width = p.len().max(q.len()) + 1;
        p.resize(width, FALSE);
        q.resize(width, FALSE);
        let opposite = c.xor(x.sign, y.sign);
        let less = c.less(&p, &q);
        let (large, small) = (c.select(less, &q, &p), c.select(less, &p, &q));
        let flipped: Word = small.iter().map(|&s| c.xor(s, opposite)).collect();
        let magnitude = c.add(&large, &flipped, opposite).0;
        let any = c.any(&magnitude);
        // A zero from cancellation is +0, or -0 where rounded down; of two zeros of one sign it has that.
        let cancelled = if mode == Mode::Down { TRUE } else { FALSE };
        let of_zero = c.choice(opposite, cancelled, x.sign);
        let larger = c.choice(less, y.sign, x.sign);
        let sign = c.choice(any, larger, of_zero);
        let result = self.round(&Exact { sign, magnitude, sticky: FALSE, unit }, mode);
        let c = &mut *self.circuit;
        let infinite = c.or(x.infinite, y.infinite);
        let sign = c.choice(x.infinite, x.sign, y.sign);
        let both = c.and(x.infinite, y.infinite);
        let wrong = c.and(both, opposite);
        let nan = c.or(x.nan, y.nan);
        let nan = c.or(nan, wrong);
        self.special(result, infinite, sign, nan)
    }

    fn special(&mut self, result: Word, infinite: Signal, sign: Signal, nan: Signal) -> Word {
        let (f, width) = (self.format, self.format.width());
        let mut infinity = constant(f.infinity(), width);
        infinity[width - 1] = sign;
        let result = self.circuit.select(infinite, &infinity, &result);
        self.circuit.select(nan, &constant(f.nan(), width), &result)
    }

    /// a b + c, or a b.
    fn product_sum(&mut self, a: &[Signal], b: &[Signal], addend: Option<&Word>, mode: Mode) -> Word {
        let f = self.format;
        let (x, y) = (self.parts(a, mode), self.parts(b, mode));
        let significand = self.circuit.mul(&x.significand, &y.significand);
        let (mut ex, mut ey) = (x.exponent.clone(), y.exponent.clone());
        ex.push(FALSE);
        ey.push(FALSE);
        let exponent = self.circuit.add(&ex, &ey, FALSE).0;
        let width = 2 * (f.fields() - 2 + f.digits);
        let magnitude = self.placed(&significand, &exponent, 2, width);
        let c = &mut *self.circuit;
        let (infinite, zero) = (c.or(x.infinite, y.infinite), c.or(x.zero, y.zero));
        let nan = c.or(x.nan, y.nan);
        let wrong = c.and(infinite, zero);
        let nan = c.or(nan, wrong);
        let sign = c.xor(x.sign, y.sign);
        // The unit of the product is the square of the smallest number, which is 2^(least - fraction).
        let unit = (f.fraction() as i32 - f.least()) as usize;
        let Some(addend) = addend else {
            let result = self.round(&Exact { sign, magnitude, sticky: FALSE, unit }, mode);
            return self.special(result, infinite, sign, nan);
        };
        let z = self.parts(addend, mode);
        let top = f.fields() - 2 + f.digits;
        let mut fixed = constant(0, unit);
        fixed.extend(self.placed(&z.significand, &z.exponent, 1, top));
        let product = Parts { sign, significand: Vec::new(), exponent: Vec::new(), zero, infinite, nan };
        self.signed_sum(&product, magnitude, &z, fixed, unit, mode)
    }

    /// The significand with its leading bit set, and the field's exponent, which then may fall to 1 - fraction digits: that
    /// number plus 2 digits.
    fn normalized(&mut self, x: &Parts) -> (Word, Word) {
        let (digits, c) = (self.format.digits, &mut *self.circuit);
        let mut significand = x.significand.clone();
        let mut exponent = x.exponent.clone();
        exponent.resize(exponent.len() + 2, FALSE);
        let n = exponent.len();
        exponent = c.add(&exponent, &constant(2 * digits as u64, n), FALSE).0;
        for _ in 1..digits {
            let set = significand[digits - 1];
            let mut shifted = vec![FALSE];
            shifted.extend(&significand[..digits - 1]);
            significand = c.select(set, &significand, &shifted);
            exponent = c.add(&exponent, &vec![set ^ 1; n], FALSE).0;
        }
        (significand, exponent)
    }

    /// A function of significands by a table: `entry` gives the digits and whether something is left.
    fn tabulated(&mut self, index: &[Signal], entry: impl Fn(u64) -> (u64, bool), width: usize) -> (Word, Signal) {
        let entries: Vec<Word> = (0..1u64 << index.len())
            .map(|i| {
                let (digits, sticky) = entry(i);
                constant(digits | u64::from(sticky) << width, width + 1)
            })
            .collect();
        let mut word = table(self.circuit, &entries, index, index.len(), &constant(0, width + 1));
        let sticky = word.pop().unwrap_or(FALSE);
        (word, sticky)
    }

    fn quotient(&mut self, a: &[Signal], b: &[Signal], mode: Mode) -> Word {
        let f = self.format;
        let (x, y) = (self.parts(a, mode), self.parts(b, mode));
        let ((p, ep), (q, eq)) = (self.normalized(&x), self.normalized(&y));
        let (digits, fraction) = (f.digits, f.fraction());
        let index: Word = p[..fraction].iter().chain(&q[..fraction]).copied().collect();
        let hidden = 1 << fraction;
        let divide = |i: u64| {
            let (a, b) = (i & (hidden - 1) | hidden, i >> fraction | hidden);
            let scaled = a << (digits + 1);
            (scaled / b, scaled % b != 0)
        };
        // 2^(digits + 1) times the quotient of significands: in [2^digits, 2^(digits + 2)).
        let (significand, sticky) = self.tabulated(&index, divide, digits + 2);
        let c = &mut *self.circuit;
        // The exponent of the result's unit as a field: ep - eq + bias, less the digits of the quotient; both have 2 digits
        // too many.
        let mut ep = ep;
        let mut eq = eq;
        let n = ep.len() + 1;
        ep.push(FALSE);
        eq.push(FALSE);
        let exponent = c.sub(&ep, &eq);
        let sign = c.xor(x.sign, y.sign);
        // Value: significand 2^(exponent - digits - 1); the unit is 2^(least - fraction).
        let shift = -(f.least() - fraction as i32) - (digits as i32 + 1);
        let result = self.scaled(sign, &significand, sticky, &exponent, shift, n, mode);
        let c = &mut *self.circuit;
        let any_nan = c.or(x.nan, y.nan);
        let zeros = c.and(x.zero, y.zero);
        let infinities = c.and(x.infinite, y.infinite);
        let wrong = c.or(zeros, infinities);
        let nan = c.or(any_nan, wrong);
        let infinite = c.or(x.infinite, y.zero);
        let none = c.or(x.zero, y.infinite);
        let mut zero = constant(0, f.width());
        zero[f.width() - 1] = sign;
        let result = c.select(none, &zero, &result);
        self.special(result, infinite, sign, nan)
    }

    /// significand 2^(exponent + shift) units, exponent in two's complement of `n` bits, rounded.
    #[expect(clippy::too_many_arguments)]
    fn scaled(
        &mut self,
        sign: Signal,
        significand: &[Signal],
        sticky: Signal,
        exponent: &[Signal],
        shift: i32,
        n: usize,
        mode: Mode,
    ) -> Word {
        let f = self.format;
        let c = &mut *self.circuit;
        // Placed above bits enough for everything that may fall below the unit; more than that is sticky.
        let below = f.digits + 3;
        let top = f.fields() + f.digits;
        let width = below + top + significand.len();
        let by = c.add(exponent, &constant((shift + below as i32) as u64, n), FALSE).0;
        let negative = by[n - 1];
        let over = c.less(&constant((width - significand.len()) as u64, n), &by);
        let over = c.and(over, negative ^ 1);
        let mut amount = by;
        amount.resize(32, FALSE);
        let mut word = significand.to_vec();
        word.resize(width.next_power_of_two(), FALSE);
        let mut word = c.shift(&word, &amount, true, FALSE);
        word.truncate(width);
        let lost = c.or(negative, FALSE);
        let empty = constant(0, width);
        let word = c.select(lost, &empty, &word);
        let mut huge = empty.clone();
        huge[width - 1] = TRUE;
        let word = c.select(over, &huge, &word);
        let any = c.any(significand);
        let dropped = c.and(lost, any);
        let sticky = c.or(sticky, dropped);
        self.round(&Exact { sign, magnitude: word, sticky, unit: below }, mode)
    }

    fn root(&mut self, a: &[Signal], mode: Mode) -> Word {
        let f = self.format;
        let x = self.parts(a, mode);
        let (p, exponent) = self.normalized(&x);
        let (digits, fraction) = (f.digits, f.fraction());
        let bias = -f.least() + 1;
        // The exponent itself, twice the digits and an even number too large: its half is that of the root.
        let extra = 2 * digits as i32 + bias;
        let even = extra + (extra & 1);
        let n = exponent.len();
        let c = &mut *self.circuit;
        let exponent = c.add(&exponent, &constant((even - extra) as u64, n), FALSE).0;
        let odd = exponent[0];
        let mut index = p[..fraction].to_vec();
        index.push(odd);
        let hidden = 1u64 << fraction;
        let root = |i: u64| {
            let (m, odd) = (i & (hidden - 1) | hidden, i >> fraction & 1);
            // sqrt(m 2^odd / hidden) 2^(digits + 1).
            let square = (m << odd) << (2 * (digits + 1) - fraction);
            let root = square.isqrt();
            (root, root * root != square)
        };
        let (significand, sticky) = self.tabulated(&index, root, digits + 2);
        let mut half = exponent[1..].to_vec();
        half.resize(n + 1, FALSE);
        let shift = -(f.least() - fraction as i32) - (digits as i32 + 1) - even / 2;
        let result = self.scaled(FALSE, &significand, sticky, &half, shift, n + 1, mode);
        let c = &mut *self.circuit;
        let mut zero = constant(0, f.width());
        zero[f.width() - 1] = x.sign;
        let result = c.select(x.zero, &zero, &result);
        let negative = c.and(x.sign, x.zero ^ 1);
        let nan = c.or(x.nan, negative);
        self.special(result, x.infinite, FALSE, nan)
    }

    /// The number nearest to a magnitude, or next to it as the mode says.
    fn round(&mut self, x: &Exact, mode: Mode) -> Word {
        let f = self.format;
        let (digits, fraction) = (f.digits, f.fraction());
        let c = &mut *self.circuit;
        // Field e keeps the bits from unit + e - 1 on. It is the one whose leading kept bit is set with nothing above it,
        // or 1 if nothing above that is set.
        let at = |i: usize| x.magnitude.get(i).copied().unwrap_or(FALSE);
        let mut below = x.sticky;
        let lowest: Vec<Signal> = (0..=x.unit + f.fields())
            .map(|i| {
                let now = below;
                below = c.or(below, at(i));
                now
            })
            .collect();
        let mut above = vec![FALSE; x.magnitude.len() + f.fields() + x.unit + digits + 2];
        for i in (0..x.magnitude.len()).rev() {
            above[i] = c.or(above[i + 1], x.magnitude[i]);
        }
        let mut kept = constant(0, digits);
        let mut field = constant(0, f.exponent);
        let (mut guard, mut rest) = (FALSE, FALSE);
        for e in 1..f.fields() {
            let low = x.unit + e - 1;
            let lead = above[low + digits] ^ 1;
            let chosen = if e == 1 { lead } else { c.and(lead, at(low + digits - 1)) };
            for (k, bit) in kept.iter_mut().enumerate() {
                let this = c.and(chosen, at(low + k));
                *bit = c.or(*bit, this);
            }
            let normal = c.and(chosen, at(low + digits - 1));
            for (_, bit) in field.iter_mut().enumerate().filter(|(k, _)| e >> k & 1 == 1) {
                *bit = c.or(*bit, normal);
            }
            let half = if low == 0 { FALSE } else { at(low - 1) };
            let tail = if low == 0 { x.sticky } else { lowest[low - 1] };
            // Without a bit for one half what is sticky is all there is.
            let (half, tail) = (c.and(chosen, half), c.and(chosen, tail));
            guard = c.or(guard, half);
            rest = c.or(rest, tail);
        }
        let over = above[x.unit + f.fields() - 2 + digits];
        let inexact = c.or(guard, rest);
        let up = match mode {
            Mode::Zero => FALSE,
            Mode::Up => c.and(inexact, x.sign ^ 1),
            Mode::Down => c.and(inexact, x.sign),
            _ => {
                let tie = c.or(rest, kept[0]);
                c.and(guard, tie)
            }
        };
        let mut bits = kept[..fraction].to_vec();
        bits.extend(field);
        let n = bits.len();
        let mut one = constant(0, n);
        one[0] = up;
        let mut bits = c.add(&bits, &one, FALSE).0;
        let infinity = constant(f.infinity(), n);
        let largest = constant(f.infinity() - 1, n);
        let beyond = match mode {
            Mode::Zero => largest,
            Mode::Up => c.select(x.sign, &largest, &infinity),
            Mode::Down => c.select(x.sign, &infinity, &largest),
            _ => infinity,
        };
        bits = c.select(over, &beyond, &bits);
        if mode == Mode::FlushOut {
            let normal = c.any(&bits[fraction..]);
            bits.iter_mut().for_each(|b| *b = c.and(*b, normal));
        }
        bits.push(x.sign);
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::super::circuit::LANES;
    use super::*;
    use std::cmp::Ordering;

    const FORMAT: Format = Format { digits: 3, exponent: 4 };

    /// The value in units of the smallest number; none if it is not finite.
    fn units(bits: u64) -> Option<i128> {
        let (f, n) = (FORMAT.fraction(), FORMAT.width() - 1);
        let (field, fraction) = (bits >> f & ((1 << FORMAT.exponent) - 1), bits & ((1 << f) - 1));
        let magnitude = if field == 0 { fraction } else { (fraction | 1 << f) << (field - 1) };
        let signed = if bits >> n & 1 == 1 { -i128::from(magnitude) } else { magnitude.into() };
        ((field as usize) < FORMAT.fields()).then_some(signed)
    }

    fn is_nan(bits: u64) -> bool {
        bits & !(1 << (FORMAT.width() - 1)) > FORMAT.infinity()
    }

    /// The rounding of a number that `compare` compares with units: the finite number among all that is asked for.
    fn round(
        negative: bool,
        mode: Mode,
        compare: impl Fn(i128) -> Ordering,
        distance: impl Fn(i128, i128) -> Ordering,
    ) -> u64 {
        // Magnitudes in order are bit patterns in order.
        let sign = u64::from(negative) << (FORMAT.width() - 1);
        let value = |m: u64| units(m).unwrap_or(1 << (FORMAT.fields() - 2 + FORMAT.digits));
        let below = (0..=FORMAT.infinity()).rev().find(|&m| compare(value(m)) != Ordering::Less).unwrap();
        if compare(value(below)) == Ordering::Equal || below == FORMAT.infinity() {
            let inward = matches!((mode, negative), (Mode::Zero, _) | (Mode::Up, true) | (Mode::Down, false));
            let below = if below == FORMAT.infinity() && inward { below - 1 } else { below };
            return sign | below;
        }
        let up = match (mode, negative) {
            (Mode::Zero, _) | (Mode::Up, true) | (Mode::Down, false) => false,
            (Mode::Up, false) | (Mode::Down, true) => true,
            _ => match distance(value(below), value(below + 1)) {
                Ordering::Less => false,
                Ordering::Greater => true,
                Ordering::Equal => below & 1 == 1,
            },
        };
        sign | (below + u64::from(up))
    }

    /// numerator / denominator units, rounded.
    fn ratio(numerator: i128, denominator: i128, mode: Mode) -> u64 {
        let negative = (numerator < 0) != (denominator < 0);
        let (n, d) = (numerator.abs(), denominator.abs());
        round(negative, mode, |u| n.cmp(&(u * d)), |a, b| (2 * n).cmp(&((a + b) * d)))
    }

    fn expected(op: Op, mode: Mode, x: &[u64]) -> Option<u64> {
        let u: Vec<i128> = x.iter().map(|&b| units(b)).collect::<Option<_>>()?;
        let unit = 1i128 << (FORMAT.fraction() as i32 - FORMAT.least());
        match op {
            Op::Add if u[0] + u[1] != 0 => Some(ratio(u[0] + u[1], 1, mode)),
            Op::Mul if u[0] * u[1] != 0 => Some(ratio(u[0] * u[1], unit, mode)),
            Op::Fma if u[0] * u[1] + u[2] * unit != 0 => Some(ratio(u[0] * u[1] + u[2] * unit, unit, mode)),
            Op::Div if u[0] != 0 && u[1] != 0 => Some(ratio(u[0] * unit, u[1], mode)),
            Op::Sqrt if u[0] > 0 => {
                let n = u[0] * unit;
                Some(round(false, mode, |u| n.cmp(&(u * u)), |a, b| (4 * n).cmp(&((a + b) * (a + b)))))
            }
            _ => None,
        }
    }

    /// Gates and integers agree on all operands, or on every 17th triple.
    #[test]
    fn gates_round_once() {
        let all = 1u64 << FORMAT.width();
        for (op, arity) in [(Op::Add, 2), (Op::Mul, 2), (Op::Div, 2), (Op::Sqrt, 1), (Op::Fma, 3)] {
            for mode in [Mode::Exact, Mode::Zero, Mode::Up, Mode::Down] {
                let cases: Vec<Vec<u64>> = (0..all.pow(arity))
                    .step_by(if arity == 3 { 1117 } else { 1 })
                    .map(|i| (0..arity).map(|k| i / all.pow(k) % all).collect())
                    .collect();
                for block in cases.chunks(64 * LANES) {
                    let mut c = Circuit::new();
                    let inputs: Vec<Word> = (0..arity as usize)
                        .map(|k| {
                            let lane = |lane: usize, bit: usize| {
                                let part = block.iter().skip(64 * lane).take(64).enumerate();
                                part.fold(0, |word, (i, case)| word | (case[k] >> bit & 1) << i)
                            };
                            (0..FORMAT.width()).map(|bit| c.input(std::array::from_fn(|l| lane(l, bit)))).collect()
                        })
                        .collect();
                    let words: Vec<&Word> = inputs.iter().collect();
                    let result = Float { circuit: &mut c, format: FORMAT }.rounded(op, mode, &words);
                    for (i, case) in block.iter().enumerate() {
                        let got = (0..).zip(&result).fold(0, |w, (bit, &s)| w | u64::from(c.simulated(s, i)) << bit);
                        match expected(op, mode, case) {
                            Some(e) => assert_eq!(got, e, "{op:?} {mode:?} {case:x?}"),
                            None if case.iter().any(|&x| is_nan(x)) => assert!(is_nan(got), "{op:?} {case:x?}"),
                            None => {}
                        }
                    }
                }
            }
        }
    }

    /// Zeros, infinities and flushing.
    #[test]
    fn gates_know_special_values() {
        let (zero, one, infinity) = (0, FORMAT.power(0).unwrap(), FORMAT.infinity());
        let sign = 1 << (FORMAT.width() - 1);
        let nan = FORMAT.nan();
        let normal = 1 << FORMAT.fraction();
        for (op, mode, x, expected) in [
            (Op::Add, Mode::Exact, vec![one, one | sign], zero),
            (Op::Add, Mode::Down, vec![one, one | sign], sign),
            (Op::Add, Mode::Exact, vec![sign, sign], sign),
            (Op::Sub, Mode::Exact, vec![zero, zero], zero),
            (Op::Sub, Mode::Exact, vec![infinity, infinity], nan),
            (Op::Mul, Mode::Exact, vec![infinity, zero], nan),
            (Op::Mul, Mode::Exact, vec![one | sign, zero], sign),
            (Op::Fma, Mode::Exact, vec![one, infinity, infinity | sign], nan),
            (Op::Fma, Mode::Exact, vec![one, one, infinity | sign], infinity | sign),
            (Op::Div, Mode::Zero, vec![one, sign], infinity | sign),
            (Op::Div, Mode::Exact, vec![one, infinity], zero),
            (Op::Div, Mode::Exact, vec![zero, zero], nan),
            (Op::Sqrt, Mode::Exact, vec![sign], sign),
            (Op::Sqrt, Mode::Exact, vec![one | sign], nan),
            (Op::Sqrt, Mode::Exact, vec![infinity], infinity),
            (Op::Add, Mode::FlushIn, vec![1, one], one),
            (Op::Add, Mode::FlushIn, vec![1, 1], zero),
            (Op::Sub, Mode::FlushOut, vec![normal, normal + 1], sign),
            (Op::Add, Mode::FlushOut, vec![normal, 1], normal + 1),
            (Op::Rcp, Mode::Exact, vec![FORMAT.power(1).unwrap()], FORMAT.power(-1).unwrap()),
        ] {
            let mut c = Circuit::new();
            let words: Vec<Word> = x.iter().map(|&b| constant(b, FORMAT.width())).collect();
            let result = Float { circuit: &mut c, format: FORMAT }.rounded(op, mode, &words.iter().collect::<Vec<_>>());
            assert_eq!(result, constant(expected, FORMAT.width()), "{op:?} {mode:?} {x:x?}");
        }
    }
}
