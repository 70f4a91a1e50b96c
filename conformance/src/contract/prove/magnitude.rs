//! Bounds of rounded values, where those of the operands are bits: a reciprocal of a number in [1, 2) has a known sign and an
//! exponent that is one of few, and nothing there is subnormal.

use super::circuit::{Answer, FALSE, Signal, TRUE};
use super::encode::Encoder;
use super::word::{Word, constant};
use vernier_tape::tape::{Id, Mode, Node, Op, Ty};

/// 2^least <= |x| < 2^most, for a number x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Magnitude {
    pub least: i32,
    pub most: i32,
}

/// Exponents up to these are looked for.
const NEAR: [i32; 3] = [1, 4, 30];
/// Beyond these nothing is said, so that there is room to subnormal numbers and overflow.
const FAR: i32 = 100;
/// Learnt clauses after which a bound is given up.
const EFFORT: u64 = 500;

/// What is known of the nodes of a tape, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Magnitudes(Vec<Option<Magnitude>>);

impl Magnitudes {
    pub fn of(&self, id: Id) -> Option<Magnitude> {
        self.0.get(id as usize).copied().flatten()
    }

    /// Whether a fault that takes subnormal numbers as zeros has none to take.
    pub fn none_is_subnormal(&self, encoder: &Encoder<'_>, at: Id, with: &Node) -> bool {
        match with.mode {
            Mode::FlushIn => encoder.operands(with).iter().all(|&o| self.of(o).is_some()),
            Mode::FlushOut => self.of(at).is_some(),
            _ => false,
        }
    }

    /// Finds out about the next node; of one that is opaque, with the word `word`, the word as far as it is known.
    pub fn next(&mut self, encoder: &mut Encoder<'_>, sound: &[Word], node: &Node, word: &Word) -> Option<Word> {
        let magnitude = self.find(encoder, sound, node, word);
        let magnitude = magnitude.filter(|m| m.least >= -FAR && m.most <= FAR);
        self.0.push(magnitude);
        let Magnitude { least, most } = magnitude.filter(|_| is_rounded(node.op))?;
        let (p, bias) = format(node.ty);
        let mut known = word.clone();
        let top = known.len() - 1;
        // The exponents of so many bits, from the least one.
        let free = ((most - least) as u32).next_power_of_two().trailing_zeros() as usize;
        let mut above = known[p..p + free].to_vec();
        above.resize(top - p, FALSE);
        let field = encoder.circuit.add(&constant((bias + least) as u64, top - p), &above, FALSE).0;
        known[p..top].copy_from_slice(&field);
        known[top] = match node.op {
            Op::Sqrt | Op::SqrtRcp | Op::Second => FALSE,
            _ => node.args().iter().fold(FALSE, |sign, &a| {
                let other = sound[a as usize][top];
                encoder.circuit.xor(sign, other)
            }),
        };
        Some(known)
    }

    fn find(&self, encoder: &mut Encoder<'_>, sound: &[Word], node: &Node, word: &Word) -> Option<Magnitude> {
        if !node.ty.is_float() || node.mode != Mode::Exact {
            return None;
        }
        let operands = encoder.operands(node);
        let operand = |k: usize| self.of(operands[k]);
        let positive = |x: &Word| {
            let sign = x[x.len() - 1];
            sign == FALSE || encoder.circuit.can_be_true(&[sign], EFFORT) == Answer::Never
        };
        let root = |m: Magnitude| (m.least.div_euclid(2), (m.most + 1).div_euclid(2));
        let (least, most) = match node.op {
            Op::Mul => {
                let (a, b) = (operand(0)?, operand(1)?);
                (a.least + b.least, a.most + b.most)
            }
            Op::Div => {
                let (a, b) = (operand(0)?, operand(1)?);
                (a.least - b.most, a.most - b.least)
            }
            Op::Rcp | Op::RcpModerate => {
                let a = operand(0)?;
                (-a.most, -a.least)
            }
            Op::Sqrt | Op::SqrtRcp => root(operand(0).filter(|_| positive(&sound[operands[0] as usize]))?),
            Op::Second => {
                let (least, most) = root(operand(0).filter(|_| positive(&sound[operands[0] as usize]))?);
                (-most, -least)
            }
            op if is_rounded(op) => return None,
            _ => return given(encoder, word, node.ty),
        };
        // Rounded, and not always to nearest.
        Some(Magnitude { least: least - 1, most: most + 1 })
    }
}

fn is_rounded(op: Op) -> bool {
    use Op::{Add, Div, Fma, Mul, Rcp, RcpModerate, Second, Sqrt, SqrtRcp, Sub};
    matches!(op, Add | Sub | Mul | Fma | Div | Rcp | RcpModerate | Sqrt | SqrtRcp | Second)
}

/// Bits of the fraction, and the bias.
fn format(ty: Ty) -> (usize, i32) {
    if ty == Ty::F32 { (23, 127) } else { (52, 1023) }
}

/// The bounds of a value that is bits.
fn given(encoder: &mut Encoder<'_>, word: &Word, ty: Ty) -> Option<Magnitude> {
    let (p, bias) = format(ty);
    let circuit = &mut encoder.circuit;
    let field: Vec<Signal> = word[p..word.len() - 1].to_vec();
    NEAR.into_iter().find_map(|near| {
        let below = circuit.less(&field, &constant((bias - near) as u64, field.len()));
        let within = circuit.less(&field, &constant((bias + near) as u64, field.len()));
        let outside = circuit.or(below, within ^ TRUE);
        let never = circuit.can_be_true(&[outside], EFFORT) == Answer::Never;
        never.then_some(Magnitude { least: -near, most: near })
    })
}
