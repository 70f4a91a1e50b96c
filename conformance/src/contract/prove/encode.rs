//! Nodes of a tape as gates.

use super::circuit::{Answer, Circuit, FALSE, LANES, Signal, TRUE};
use super::float::{Float, Format};
use super::scale;
use super::word::{Word, constant, not};
use std::collections::HashMap;
use vernier_tape::tape::{Id, Mode, Node, Op, Tape, Ty};

/// An operation of which only the operands are known.
pub(super) type Opaque = (Op, Mode, Vec<Word>);

/// Of what is simulated without being known.
const SEED: u64 = 1;

/// More bits than these that are set in a constant scramble what it is multiplied with.
const MANY: u32 = 12;

/// Learnt clauses for a leading bit of a factor.
const SETTLED: u64 = 100;

/// Makes the gates of nodes.
#[derive(Clone, Debug)]
pub(super) struct Encoder<'t> {
    pub tape: &'t Tape,
    pub circuit: Circuit,
    /// The arguments.
    pub inputs: Vec<Word>,
    pub opaque: HashMap<Opaque, Word>,
    /// The limbs' format, if it is not their own.
    pub scale: Option<Format>,
}

impl<'t> Encoder<'t> {
    pub fn new(tape: &'t Tape, scale: Option<Format>) -> Self {
        Encoder { tape, circuit: Circuit::new(), inputs: Vec::new(), opaque: HashMap::new(), scale }
    }

    pub fn width(&self, ty: Ty) -> usize {
        match self.scale {
            Some(format) if ty.is_float() => format.width(),
            _ => ty.bits_mask().count_ones() as usize,
        }
    }

    /// The nodes whose values a node is computed from.
    pub fn operands(&self, node: &Node) -> Vec<Id> {
        self.tape.operands(node)
    }

    /// The value of a node, given those of its operands. `opaque` takes what is opaque and new.
    pub fn node(&mut self, node: &Node, values: &[Word], opaque: &mut HashMap<Opaque, Word>) -> Word {
        let tape = self.tape;
        let value = |id: Id| &values[id as usize];
        let multiplies = matches!(node.op, Op::MulWide | Op::Mul | Op::WideLow | Op::MulHi | Op::WideHigh);
        let settled: Vec<Word> = if multiplies && !node.ty.is_float() {
            node.args().iter().map(|&a| self.settled(value(a))).collect()
        } else {
            Vec::new()
        };
        let args: Vec<&Word> =
            if settled.is_empty() { node.args().iter().map(|&a| value(a)).collect() } else { settled.iter().collect() };
        let width = self.width(node.ty);
        let float = node.args().first().is_some_and(|&a| tape.node(a).ty.is_float());
        let scrambles = scrambles(tape, node);
        let c = &mut self.circuit;
        match node.op {
            Op::Arg(i) => self.inputs[i as usize].clone(),
            Op::Const(bits) => match self.scale {
                // A constant of a fault is scaled already.
                Some(format) if node.ty.is_float() && bits >> format.width() != 0 => {
                    constant(scale::constant(bits, node.ty, format).unwrap_or(0), width)
                }
                _ => constant(bits, width),
            },
            Op::Copy | Op::Bits | Op::FromBits => args[0].clone(),
            Op::ToU32 => args[0][..32].to_vec(),
            Op::ToU64 => {
                let mut word = args[0].clone();
                word.resize(64, FALSE);
                word
            }
            Op::And => c.map2(args[0], args[1], Circuit::and),
            Op::Or => c.map2(args[0], args[1], Circuit::or),
            Op::Xor => c.map2(args[0], args[1], Circuit::xor),
            Op::Not => not(args[0]),
            Op::Select => c.select(args[0][0], args[1], args[2]),
            Op::Branch(_) => match node.mode {
                Mode::Never => vec![FALSE],
                Mode::Negated => not(args[0]),
                _ => args[0].clone(),
            },
            Op::Out(k) => {
                let Op::Branch(b) = tape.node(node.args()[0]).op else { unreachable!("Out belongs to a branch") };
                let b = &tape.branches[b as usize];
                c.select(args[0][0], value(b.block.results[k as usize]), value(b.usual[k as usize]))
            }
            Op::Neg => {
                let mut word = args[0].clone();
                word[width - 1] ^= 1;
                word
            }
            Op::Abs => {
                let mut word = args[0].clone();
                word[width - 1] = FALSE;
                word
            }
            Op::CopySign => {
                let mut word = args[0].clone();
                word[width - 1] = args[1][width - 1];
                word
            }
            Op::Lt if float => vec![self.float_less(args[0], args[1])],
            Op::Eq if float => vec![self.float_equal(args[0], args[1])],
            Op::Le if float => {
                let (less, equal) = (self.float_less(args[0], args[1]), self.float_equal(args[0], args[1]));
                vec![self.circuit.or(less, equal)]
            }
            Op::InRange { magnitude } => {
                let mut x = args[0].clone();
                if let Some(sign) = x.last_mut().filter(|_| magnitude) {
                    *sign = FALSE;
                }
                let (below, equal) = (self.float_less(args[1], &x), self.float_equal(args[1], &x));
                let least = self.circuit.or(below, equal);
                let limit = self.float_less(&x, args[2]);
                vec![self.circuit.and(least, limit)]
            }
            Op::Lt => vec![c.less(args[0], args[1])],
            Op::Le => vec![c.less(args[1], args[0]) ^ 1],
            Op::LtSigned => vec![c.less_signed(args[0], args[1])],
            Op::Eq => vec![c.equal(args[0], args[1])],
            Op::Shl => c.shift(args[0], args[1], true, FALSE),
            Op::Shr => c.shift(args[0], args[1], false, FALSE),
            Op::Sar => c.shift(args[0], args[1], false, args[0][args[0].len() - 1]),
            Op::Clz | Op::ClzNonzero => c.leading_zeros(args[0]),
            Op::UnboundedShl | Op::UnboundedShr => {
                let within = c.shift(args[0], args[1], node.op == Op::UnboundedShl, FALSE);
                let beyond = c.any(&args[1][width.trailing_zeros() as usize..]);
                within.iter().map(|&x| c.and(x, beyond ^ 1)).collect()
            }
            Op::Table(t) => {
                let entries: Vec<Word> = tape.tables[t as usize].iter().map(|&e| constant(e, width)).collect();
                let beyond = constant(0, width);
                table(c, &entries, args[0], 32, &beyond)
            }
            Op::Add if !float => c.add(args[0], args[1], FALSE).0,
            Op::Sub if !float => c.sub(args[0], args[1]),
            Op::SumHigh => {
                let carry = c.add(args[2], args[3], FALSE).1;
                c.add(args[0], args[1], carry).0
            }
            Op::Join => args[1].iter().chain(args[0]).copied().collect(),
            op if scrambles => {
                let key = (op, node.mode, vec![args[0].clone(), args[1].clone()]);
                if let Some(word) = self.opaque.get(&key) {
                    return word.clone();
                }
                let simulated = self.simulated_product(op, width, args[0], args[1]);
                let word = || simulated.iter().map(|&bit| self.circuit.input(bit)).collect();
                opaque.entry(key).or_insert_with(word).clone()
            }
            Op::MulWide => c.mul(args[0], args[1]),
            Op::Mul | Op::WideLow if !float => {
                let mut product = c.mul(args[0], args[1]);
                product.truncate(width);
                product
            }
            Op::MulHi | Op::WideHigh => c.mul(args[0], args[1]).split_off(width),
            _ => {
                let operands: Vec<Word> = match node.op {
                    Op::Second => vec![value(tape.node(node.args()[0]).args()[0]).clone()],
                    _ => args.into_iter().cloned().collect(),
                };
                if let Some(format) = self.scale {
                    let operands: Vec<&Word> = operands.iter().collect();
                    return Float { circuit: c, format }.rounded(node.op, node.mode, &operands);
                }
                let key = (node.op, node.mode, operands);
                if let Some(word) = self.opaque.get(&key) {
                    return word.clone();
                }
                // Simulated by anything: nothing is known about it.
                let mut seed = SEED;
                let mut random = || {
                    seed = seed.wrapping_mul(0xd129_0d3d_7c6c_a5ab).wrapping_add(0x9e37_79b9_7f4a_7c15);
                    seed ^ seed >> 31
                };
                let mut input = |_| c.input(std::array::from_fn(|_| random()));
                opaque.entry(key).or_insert_with(|| (0..width).map(&mut input).collect()).clone()
            }
        }
    }

    /// The bits of a product in the simulated cases.
    fn simulated_product(&self, op: Op, width: usize, a: &[Signal], b: &[Signal]) -> Vec<[u64; LANES]> {
        let bits = |x: &[Signal]| -> Vec<[u64; LANES]> { x.iter().map(|&s| self.circuit.all_true(&[s])).collect() };
        let (x, y) = (bits(a), bits(b));
        let mut product = vec![[0; LANES]; width];
        for case in 0..64 * LANES {
            let (lane, bit) = (case / 64, case % 64);
            let value = |x: &[[u64; LANES]]| x.iter().rev().fold(0, |all, x| all << 1 | u128::from(x[lane] >> bit & 1));
            let all = value(&x) * value(&y);
            let of_word = if matches!(op, Op::MulHi | Op::WideHigh) { all >> width } else { all };
            (0..width).for_each(|i| product[i][lane] |= ((of_word >> i) as u64 & 1) << bit);
        }
        product
    }

    /// A factor without the leading bits that are never set, which leaves a smaller product.
    fn settled(&self, word: &Word) -> Word {
        let mut word = word.clone();
        let never = |&s: &Signal| {
            s == FALSE
                || s > TRUE
                    && self.circuit.seem_equal(s, FALSE, &[!0; LANES])
                    && self.circuit.can_be_true(&[s], SETTLED) == Answer::Never
        };
        let settled = word.iter().rev().take_while(|s| never(s)).count();
        let len = word.len();
        word[len - settled..].fill(FALSE);
        word
    }

    pub fn is_nan(&mut self, x: &[Signal]) -> Signal {
        let n = x.len() - 1;
        let p = self.scale.map_or(if n == 31 { 23 } else { 52 }, |format| format.digits - 1);
        let fraction = self.circuit.any(&x[..p]);
        let finite = self.circuit.any(&not(&x[p..n]));
        self.circuit.and(fraction, finite ^ 1)
    }

    fn both_ordered(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let (p, q) = (self.is_nan(a), self.is_nan(b));
        self.circuit.or(p, q) ^ 1
    }

    fn both_zero(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let n = a.len() - 1;
        let (p, q) = (self.circuit.any(&a[..n]), self.circuit.any(&b[..n]));
        self.circuit.or(p, q) ^ 1
    }

    fn float_equal(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let (ordered, zero) = (self.both_ordered(a, b), self.both_zero(a, b));
        let same = self.circuit.equal(a, b);
        let equal = self.circuit.or(same, zero);
        self.circuit.and(ordered, equal)
    }

    fn float_less(&mut self, a: &[Signal], b: &[Signal]) -> Signal {
        let n = a.len() - 1;
        let (ordered, zero) = (self.both_ordered(a, b), self.both_zero(a, b));
        let c = &mut self.circuit;
        let (up, down) = (c.less(&a[..n], &b[..n]), c.less(&b[..n], &a[..n]));
        let same_sign = c.choice(a[n], down, up);
        let opposite = c.xor(a[n], b[n]);
        let less = c.choice(opposite, a[n], same_sign);
        let less = c.and(less, zero ^ 1);
        c.and(ordered, less)
    }
}

/// Whether a node is a product with a constant of many bits, of which nothing is known in proofs but that equal factors give equal
/// products.
pub fn scrambles(tape: &Tape, node: &Node) -> bool {
    let known = |id: Id| match tape.node(id).op {
        Op::Const(bits) => Some(bits.count_ones()),
        _ => None,
    };
    !node.ty.is_float()
        && matches!(node.op, Op::MulWide | Op::Mul | Op::WideLow | Op::MulHi | Op::WideHigh)
        && matches!(node.args(), &[a, b] if known(a).xor(known(b)).is_some_and(|set| set > MANY))
}

/// The entry of index `i`, whose lowest `bits` bits count.
pub(super) fn table(c: &mut Circuit, entries: &[Word], i: &[Signal], bits: usize, beyond: &Word) -> Word {
    if entries.is_empty() {
        return beyond.clone();
    }
    if bits == 0 {
        return entries[0].clone();
    }
    let half = 1usize.checked_shl(bits as u32 - 1).filter(|&h| h < entries.len());
    let (low, high) = entries.split_at(half.unwrap_or(entries.len()));
    let (low, high) = (table(c, low, i, bits - 1, beyond), table(c, high, i, bits - 1, beyond));
    c.select(i[bits - 1], &high, &low)
}
