//! Proof for a function of one rounded operation, on operands that have fewer digits than a double: a reduced format.
//!
//! What is before the operation is a circuit, of which a solver says how many digits and which exponents operands can have.
//! From that follows what results can be, in every rounding: a range, the digits of an exact product, multiples of the last
//! place of operands, and, for at most 24 digits, that quotients and roots are no ties, nor is any tie between such a result
//! and its neighbours (Figueroa 1995). Results of which only that is known are the inputs of what is after the operation.

use super::circuit::{Answer, Circuit, FALSE, Signal};
use super::encode::Encoder;
use super::word::{Word, constant};
use std::collections::HashMap;
use vernier_tape::faults::Fault;
use vernier_tape::registry::Function;
use vernier_tape::tape::{Id, Mode, Node, Op, Ty};

/// Digits of a double, and bits of its fraction.
const DIGITS: i32 = 53;
const FRACTION: usize = 52;
/// The exponent of field 0 and of field 1, as the weight of the fraction's last bit is 2^(field - LAST).
const LAST: i32 = 1075;
const BIAS: i32 = 1023;
/// The largest field of finite numbers.
const MOST: i32 = 2046;
/// Operands of at most so many digits have results that no tie is near.
const FEW: i32 = 24;
/// Learnt clauses after which a question is given up.
const EFFORT: u64 = 50_000;

/// What the finite values of an operand or result are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// At most so many digits.
    digits: i32,
    /// Exponent fields of those that are not 0; the most is more than [`MOST`] where the result may overflow, and the least less
    /// than 1 where it may be subnormal.
    fields: (i32, i32),
    /// All are multiples of 2^unit.
    unit: i32,
}

/// Of numbers that are multiples of nothing known.
const NO_UNIT: i32 = -10_000;

impl Shape {
    /// An operand's, as far as a solver finds out.
    fn of(c: &mut Circuit, word: &[Signal]) -> Shape {
        let magnitude = Magnitude::of(c, word);
        let proper = c.and(magnitude.finite, magnitude.zero ^ 1);
        let never = |c: &mut Circuit, s: Signal| {
            let both = c.and(proper, s);
            c.can_be_true(&[both], EFFORT) == Answer::Never
        };
        let zeros = last(FRACTION as i32, |n| {
            let any = c.any(&word[..n as usize]);
            never(c, any)
        });
        let least = last(MOST, |n| {
            let below = c.less(&magnitude.field, &constant(n as u64, 11));
            never(c, below)
        });
        let most = MOST
            - last(MOST, |n| {
                let above = c.less(&constant((MOST - n) as u64, 11), &magnitude.field);
                never(c, above)
            });
        Shape { digits: DIGITS - zeros, fields: (least, most), unit: least.max(1) - LAST + zeros }
    }

    /// Of the results of an operation on operands of these shapes.
    fn result(op: Op, of: &[Shape]) -> Option<Shape> {
        let sum = |a: Shape, b: Shape| {
            let (most, unit) = (a.fields.1.max(b.fields.1) + 2, a.unit.min(b.unit));
            Shape { digits: DIGITS, fields: (unit + BIAS, most), unit }
        };
        let product = |a: Shape, b: Shape| {
            let digits = if a.digits.min(b.digits) == 1 { a.digits.max(b.digits) } else { a.digits + b.digits };
            let fields = (a.least() + b.least() - BIAS, a.fields.1 + b.fields.1 - BIAS + 2);
            Shape { digits, fields, unit: a.unit + b.unit }
        };
        match (op, of) {
            (Op::Add | Op::Sub, &[a, b]) => Some(sum(a, b)),
            (Op::Mul, &[a, b]) => Some(product(a, b)),
            (Op::Fma, &[a, b, c]) => Some(sum(product(a, b), c)),
            (Op::Div, &[a, b]) => {
                let digits = if a.digits.max(b.digits) == 1 { 1 } else { DIGITS };
                let fields = (a.least() - b.fields.1 + BIAS - 1, a.fields.1 - b.least() + BIAS + 2);
                Some(Shape { digits, fields, unit: NO_UNIT })
            }
            (Op::Sqrt, &[a]) => {
                let half = |field: i32| (field - BIAS).div_euclid(2) + BIAS;
                // A root that rounds to the next power of two has more digits.
                let up = i32::from(a.digits > FEW);
                Some(Shape { digits: DIGITS, fields: (half(a.least()), half(a.fields.1) + up), unit: NO_UNIT })
            }
            _ => None,
        }
    }

    /// The field of the least number, were there no least field.
    fn least(&self) -> i32 {
        if self.may_be_subnormal() { self.unit + BIAS } else { self.fields.0 }
    }

    fn may_be_subnormal(&self) -> bool {
        self.fields.0 < 1
    }

    fn may_overflow(&self) -> bool {
        self.fields.1 > MOST
    }

    /// Whether all such numbers are doubles.
    fn is_exact(&self) -> bool {
        let spread = self.fields.1 - BIAS + 1 - self.unit;
        !self.may_overflow() && !self.may_be_subnormal() && (self.digits < DIGITS || spread <= DIGITS)
    }
}

/// The last of 0..=most for which `holds` is true, which it is up to there; it holds for 0.
fn last(most: i32, mut holds: impl FnMut(i32) -> bool) -> i32 {
    let (mut low, mut high) = (0, most + 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

/// A double taken apart.
struct Magnitude {
    field: Word,
    finite: Signal,
    zero: Signal,
    nan: Signal,
}

impl Magnitude {
    fn of(c: &mut Circuit, word: &[Signal]) -> Magnitude {
        let field = word[FRACTION..63].to_vec();
        let inverted: Word = field.iter().map(|s| s ^ 1).collect();
        let (finite, fraction, any) = (c.any(&inverted), c.any(&word[..FRACTION]), c.any(&word[..63]));
        Magnitude { field, finite, zero: any ^ 1, nan: c.and(finite ^ 1, fraction) }
    }
}

/// A function around its one rounded operation.
pub(super) struct Cut<'f> {
    encoder: Encoder<'f>,
    at: Id,
    op: Op,
    operands: Vec<Shape>,
    shape: Shape,
    sound: Vec<Word>,
    /// What is true of the result.
    facts: Vec<Signal>,
}

impl<'f> Cut<'f> {
    /// None if there is not one rounded operation, on doubles.
    pub fn new(f: &'f Function) -> Option<Cut<'f>> {
        let tape = &f.tape;
        let rounded = |n: &Node| {
            matches!(n.op, Op::Add | Op::Sub | Op::Mul | Op::Fma | Op::Div | Op::Rcp | Op::Sqrt) && n.ty.is_float()
                || matches!(n.op, Op::RcpModerate | Op::SqrtRcp | Op::Second)
        };
        let mut all = tape.nodes.iter().enumerate().filter(|(_, n)| rounded(n));
        let (at, node) = all.next().filter(|(_, n)| n.ty == Ty::F64)?;
        if all.next().is_some() {
            return None;
        }
        let mut encoder = Encoder::new(tape, None);
        for &ty in &tape.args {
            let width = encoder.width(ty);
            let word = (0..width).map(|_| encoder.circuit.input(Default::default())).collect();
            encoder.inputs.push(word);
        }
        let (mut sound, mut opaque) = (Vec::new(), HashMap::new());
        for node in &tape.nodes[..at] {
            sound.push(encoder.node(node, &sound, &mut opaque));
        }
        let c = &mut encoder.circuit;
        let operands: Vec<Shape> = node.args().iter().map(|&a| Shape::of(c, &sound[a as usize])).collect();
        let shape = Shape::result(node.op, &operands)?;
        let mut cut = Cut { encoder, at: at as Id, op: node.op, operands, shape, sound, facts: Vec::new() };
        let (word, facts) = cut.result(Mode::Exact);
        cut.facts = facts;
        cut.sound.push(word);
        for node in &tape.nodes[at + 1..] {
            let word = cut.encoder.node(node, &cut.sound, &mut opaque);
            cut.sound.push(word);
        }
        cut.keeps_nan().then_some(cut)
    }

    /// The most digits of an operand.
    pub fn digits(&self) -> i32 {
        self.operands.iter().map(|s| s.digits).max().unwrap_or(DIGITS)
    }

    /// Whether a NaN of the operation gives NaN, so that its bits do not matter.
    fn keeps_nan(&mut self) -> bool {
        let tape = self.encoder.tape;
        let given = self.sound[self.at as usize].clone();
        let nan = self.encoder.is_nan(&given);
        let mut keeps = |r: Id| {
            let result = self.sound[r as usize].clone();
            let lost = self.encoder.is_nan(&result) ^ 1;
            let asked: Vec<Signal> = self.facts.iter().copied().chain([nan, lost]).collect();
            self.encoder.circuit.can_be_true(&asked, EFFORT) == Answer::Never
        };
        tape.body.results.iter().all(|&r| tape.node(r).ty == Ty::F64 && keeps(r))
    }

    /// A result in a rounding, and what is true of it.
    fn result(&mut self, mode: Mode) -> (Word, Vec<Signal>) {
        let (shape, digits, op) = (self.shape, self.digits(), self.op);
        let c = &mut self.encoder.circuit;
        let word: Word = (0..64).map(|_| c.input(Default::default())).collect();
        let m = Magnitude::of(c, &word);
        let mut facts = vec![c.or(m.nan ^ 1, word[FRACTION - 1])];
        let field = |n: i32| constant(n as u64, 11);
        // Of finite numbers that are not 0, and of those of them that are normal. Where a directed rounding may give the largest
        // double for what overflows, nothing is said of that.
        let mut proper = c.and(m.finite, m.zero ^ 1);
        if mode != Mode::Exact && shape.may_overflow() {
            let largest = c.equal(&word[..63], &constant(f64::MAX.to_bits(), 63));
            proper = c.and(proper, largest ^ 1);
        }
        let normal = c.any(&m.field);
        let normal = c.and(proper, normal);
        let mut never = |c: &mut Circuit, when: Signal, s: Signal| facts.push(c.and(when, s) ^ 1);
        let low = c.less(&m.field, &field(shape.fields.0.clamp(0, MOST)));
        never(c, proper, low);
        let high = c.less(&field(shape.fields.1.clamp(0, MOST)), &m.field);
        never(c, proper, high);
        // Multiples of the unit are rounded to multiples of it.
        for (k, &bit) in word[..FRACTION].iter().enumerate() {
            let least = shape.unit.saturating_add(LAST - k as i32);
            if least > 1 {
                let below = c.less(&m.field, &field(least.min(MOST)));
                let both = c.and(bit, below);
                never(c, proper, both);
            }
        }
        if shape.digits < DIGITS {
            let rest = c.any(&word[..(DIGITS - shape.digits) as usize]);
            never(c, normal, rest);
        }
        if shape.digits == 1 {
            for k in 1..FRACTION {
                let others = c.any(&word[..k]);
                let both = c.and(word[k], others);
                never(c, proper, both);
            }
        }
        if matches!(op, Op::Div | Op::Sqrt) && digits <= FEW {
            // A tie is at least 2^near last places of a double off.
            let near = if op == Op::Div { FRACTION } else { FRACTION - 2 } - 2 * digits as usize;
            let (below, tail) = word[..=FRACTION - digits as usize].split_at(near);
            let (rest, half) = (c.any(below), tail.len() - 1);
            let above = c.equal(tail, &constant(1 << half, half + 1));
            let under = c.equal(tail, &constant((1 << half) - 1, half + 1));
            let under = c.and(under, rest);
            never(c, normal, above);
            never(c, normal, under);
        }
        if op == Op::Sqrt {
            let number = c.or(m.nan, m.zero) ^ 1;
            never(c, number, word[63]);
        }
        (word, facts)
    }

    /// The result in another mode, and what is true of it and the sound one; none if too little is.
    fn in_mode(&mut self, mode: Mode) -> Option<(Word, Vec<Signal>)> {
        let right = self.sound[self.at as usize].clone();
        let (shape, digits, op) = (self.shape, self.digits(), self.op);
        let same = Some((right.clone(), Vec::new()));
        match mode {
            Mode::FlushIn => return same.filter(|_| self.operands.iter().all(|s| !s.may_be_subnormal())),
            Mode::FlushOut => {
                let c = &mut self.encoder.circuit;
                let normal = c.any(&right[FRACTION..63]);
                let mut word: Word = right[..63].iter().map(|&s| c.and(s, normal)).collect();
                word.push(right[63]);
                return Some((word, Vec::new()));
            }
            Mode::Split => {
                let product = Shape::result(Op::Mul, &self.operands[..2])?;
                return same.filter(|_| product.is_exact());
            }
            Mode::Zero | Mode::Up | Mode::Down => {}
            _ => return None,
        }
        let sum = matches!(op, Op::Add | Op::Sub | Op::Fma);
        // Then a sum of 0 is -0.
        if sum && mode == Mode::Down {
            return None;
        }
        if shape.is_exact() {
            return same;
        }
        let product = op == Op::Mul;
        if (product && shape.digits >= DIGITS) || digits > FEW {
            return None;
        }
        // A fused sum that is not exact is near one of its terms: the product only if it is so far above the addend's last place. Near
        // the addend, it is not the addend itself where a double's last place is no more than the least product.
        let far = match self.operands[..] {
            [a, b, addend] => {
                let terms = Shape::result(Op::Mul, &[a, b])?;
                if terms.digits + digits > DIGITS - 7 {
                    return None;
                }
                let far = if terms.digits > digits { addend.unit + DIGITS + BIAS } else { MOST + 1 };
                Some((far, terms.fields.0 - BIAS + LAST + 1))
            }
            _ => None,
        };
        let (word, mut facts) = self.result(mode);
        let c = &mut self.encoder.circuit;
        // The same, or its neighbour; NaN both.
        let (m, n) = (Magnitude::of(c, &right), Magnitude::of(c, &word));
        let equal = c.equal(&right[..63], &word[..63]);
        let next = |c: &mut Circuit, a: &[Signal], b: &[Signal]| {
            let sum = c.add(&a[..63], &constant(1, 63), FALSE).0;
            c.equal(&sum, &b[..63])
        };
        let (above, below) = (next(c, &right, &word), next(c, &word, &right));
        let near = c.or(above, below);
        let near = c.or(near, equal);
        let sign = c.xor(right[63], word[63]);
        let near = c.and(near, sign ^ 1);
        let same_nan = c.xor(m.nan, n.nan) ^ 1;
        facts.push(same_nan);
        facts.push(c.or(near, m.nan));
        // What is true of both if they differ.
        for (word, m) in [(&right, m), (&word, n)] {
            let half = FRACTION - digits as usize;
            let usual = if sum {
                // The smaller term is too small to bring the sum near a tie.
                c.xor(word[half], word[half - 1]) ^ 1
            } else if product {
                // Only what is below the subnormal numbers is lost.
                c.any(&word[shape.digits as usize + 1..63]) ^ 1
            } else {
                c.any(&word[..half])
            };
            let usual = match far {
                Some((far, fine)) => {
                    let below = |c: &mut Circuit, n: i32| c.less(&m.field, &constant(n.clamp(0, MOST + 1) as u64, 11));
                    let (near, fine) = (below(c, far), below(c, fine));
                    let other = c.any(&word[..=half]);
                    let other = c.or(other, fine ^ 1);
                    let usual = c.and(usual, other);
                    c.or(usual, near ^ 1)
                }
                None => usual,
            };
            let special = c.or(m.finite ^ 1, m.zero);
            let holds = c.or(usual, special);
            // A result that overflows has the largest double as a neighbour.
            let largest = c.equal(&word[..63], &constant(f64::MAX.to_bits(), 63));
            let holds = if shape.may_overflow() { c.or(holds, largest) } else { holds };
            facts.push(c.or(holds, equal));
        }
        Some((word, facts))
    }

    /// Whether no result changes by a fault of the operation or behind it.
    pub fn is_without_effect(&mut self, fault: &Fault) -> bool {
        let Fault::Node { at, with, .. } = fault else { return false };
        if *at < self.at {
            return false;
        }
        let len = self.encoder.circuit.len();
        let never = self.never_differs(*at, with);
        self.encoder.circuit.truncate(len);
        never
    }

    fn never_differs(&mut self, at: Id, with: &Node) -> bool {
        let tape = self.encoder.tape;
        let (mut values, mut opaque) = (self.sound.clone(), HashMap::new());
        let mut facts = self.facts.clone();
        let from = if at == self.at {
            let node = tape.node(at);
            if with.op != node.op || with.args() != node.args() {
                return false;
            }
            let Some((word, more)) = self.in_mode(with.mode) else { return false };
            facts.extend(more);
            values[at as usize] = word;
            at + 1
        } else {
            at
        };
        for id in from..tape.nodes.len() as Id {
            let node = if id == at { with } else { tape.node(id) };
            values[id as usize] = self.encoder.node(node, &values, &mut opaque);
        }
        let mut differs = FALSE;
        for &r in &tape.body.results {
            let (a, b) = (&self.sound[r as usize], &values[r as usize]);
            let same = self.encoder.circuit.equal(a, b);
            let mut differ = same ^ 1;
            if tape.node(r).ty.is_float() {
                let (p, q) = (self.encoder.is_nan(a), self.encoder.is_nan(b));
                let both = self.encoder.circuit.and(p, q);
                differ = self.encoder.circuit.and(differ, both ^ 1);
            }
            differs = self.encoder.circuit.or(differs, differ);
        }
        facts.push(differs);
        self.encoder.circuit.can_be_true(&facts, EFFORT) == Answer::Never
    }
}

/// Why each of these faults has no effect, where that follows from the digits of operands.
pub fn by_digits(f: &Function, faults: &[Fault]) -> Vec<Option<String>> {
    let Some(mut cut) = Cut::new(f) else { return vec![None; faults.len()] };
    let digits = cut.digits();
    let s = if digits == 1 { "" } else { "s" };
    let reason = || {
        format!(
            "no result changes: proved for all that the operation can give for operands of at most {digits} digit{s}"
        )
    };
    faults.iter().map(|fault| cut.is_without_effect(fault).then(reason)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::circuit::{Block, WIDE};
    use super::*;
    use crate::contract::likely::custom::cases;
    use crate::contract::tape::columns;
    use vernier_tape::interpret::Interpreter;
    use vernier_tape::registry::{custom::FIXED, find};

    /// Whether all facts hold where these words have these values, as many as a block has.
    fn hold(circuit: &Circuit, facts: &[Signal], words: &[(&Word, &[u64])]) -> bool {
        let broken: Vec<Signal> = facts.iter().map(|fact| fact ^ 1).collect();
        let draw = |_: u64, values: &mut [Block]| {
            for (word, cases) in words {
                for (bit, &signal) in word.iter().enumerate() {
                    values[signal as usize >> 1] = std::array::from_fn(|w| {
                        (0..64).fold(0, |all, i| all | (cases[(64 * w + i) % cases.len()] >> bit & 1) << i)
                    });
                }
            }
        };
        !circuit.ever_true(&broken, 1, draw).contains(&true)
    }

    /// What is said of results is true of those of doubles, in every mode.
    #[test]
    fn facts_are_true() {
        let (mut modes, mut fresh) = (0, 0);
        for (family, ..) in FIXED.into_iter().filter(|(family, ..)| *family != "fp64_custom_e11m52") {
            for op in ["add", "sub", "mul", "div", "sqrt", "fma"] {
                let f = find(family, op, "").unwrap();
                let mut cut = Cut::new(f).unwrap();
                let mut interpreter = Interpreter::new(&f.tape);
                for cases in cases(f, 3, 1 << 14).chunks(64 * WIDE) {
                    interpreter.run(&columns(f, cases));
                    let right = interpreter.values(cut.at).1.to_vec();
                    let of = cut.sound[cut.at as usize].clone();
                    assert!(hold(&cut.encoder.circuit, &cut.facts, &[(&of, &right)]), "{family} {op}");
                    for mode in [Mode::Zero, Mode::Up, Mode::Down, Mode::FlushIn, Mode::FlushOut, Mode::Split] {
                        if mode == Mode::Split && op != "fma" {
                            continue;
                        }
                        let mut wrong = Vec::new();
                        interpreter.instead(cut.at, &f.tape.node(cut.at).in_mode(mode), &mut wrong);
                        let len = cut.encoder.circuit.len();
                        let Some((word, facts)) = cut.in_mode(mode) else { continue };
                        modes += 1;
                        if facts.is_empty() {
                            for (&r, &w) in right.iter().zip(&wrong) {
                                let flushed = mode == Mode::FlushOut && f64::from_bits(r).is_subnormal();
                                let expected = if flushed { r & 1 << 63 } else { r };
                                let nan = f64::from_bits(r).is_nan() && f64::from_bits(w).is_nan();
                                assert!(w == expected || nan, "{family} {op} {mode:?}: {r:x} {w:x}");
                            }
                        } else {
                            fresh += 1;
                            let words = [(&of, &right[..]), (&word, &wrong[..])];
                            assert!(hold(&cut.encoder.circuit, &facts, &words), "{family} {op} {mode:?}");
                        }
                        cut.encoder.circuit.truncate(len);
                    }
                }
            }
        }
        assert!(modes > 2000 && fresh > 500, "{modes} {fresh}");
    }
}
