//! What operands an operation takes.

use crate::format::Format;
use crate::target::{Pair, Target, arity};
use vernier::function::Op;

/// What an operand is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Two limbs.
    Pair,
    /// One limb; its lo is 0.
    Limb,
}

/// Which signs the operands have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Signs {
    /// Any.
    #[default]
    Any,
    /// `x` and `y` of `x + y`, or `x` and `-y` of `x - y`, have the same sign.
    Equal,
    /// They have opposite signs.
    Opposite,
}

/// The operands of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Operation.
    pub op: Op,
    /// Format of the limbs.
    pub limb: Format,
    /// The moderate domain is `[2^-range, 2^range]`.
    pub range: i32,
    /// Operands.
    pub operands: Vec<Operand>,
    /// Signs.
    pub signs: Signs,
}

impl Shape {
    /// The operands of an operation of a result type, pairs unless the type is a single limb; operations of any number of operands get four
    /// (`dot`: eight).
    pub fn new(op: Op, target: &Target) -> Shape {
        let kind = if target.digits > target.limb.p { Operand::Pair } else { Operand::Limb };
        let count = arity(op).unwrap_or(if op == Op::Dot { 8 } else { 4 });
        let mut operands = vec![kind; count];
        if op == Op::Acc {
            operands[1] = Operand::Limb;
        }
        Shape { op, limb: target.limb, range: target.range, operands, signs: Signs::Any }
    }

    /// With other operands.
    pub fn with_operands(self, operands: &[Operand]) -> Shape {
        Shape { operands: operands.to_vec(), ..self }
    }

    /// With signs.
    pub fn with_signs(self, signs: Signs) -> Shape {
        Shape { signs, ..self }
    }

    /// Whether lo of operand `i` is always 0.
    pub(crate) fn is_limb(&self, i: usize) -> bool {
        self.operands[i] == Operand::Limb
    }

    /// Makes the second operand's sign what the shape asks for, and lo of limbs 0.
    pub(crate) fn settle(&self, args: &mut [Pair]) {
        for (x, kind) in args.iter_mut().zip(&self.operands) {
            if *kind == Operand::Limb {
                x.1 = 0.0;
            }
        }
        if self.signs != Signs::Any
            && let [x, y, ..] = args
        {
            let same = x.0.is_sign_negative() == y.0.is_sign_negative();
            if same != ((self.signs == Signs::Equal) == (self.op != Op::Sub)) {
                *y = (-y.0, -y.1);
            }
        }
    }
}
