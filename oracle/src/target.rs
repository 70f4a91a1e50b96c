//! Operands and exact meaning of operations, and what their results are held against.

use crate::format::{Format, Rounding};
use crate::functions::{self, Definition};
use serde::{Deserialize, Serialize};
use vernier::custom;
use vernier::function::{Kind, Level, Math, Mode, Op, Type, Width};

/// An operand or result `(hi, lo)`; a single number `c` is `(c, 0.0)`. An f32 limb is passed as the equal f64.
///
/// Its value is `hi` if `hi` is not finite, otherwise `lo` if that is not finite, otherwise `hi + lo` exactly; the
/// sign of a value zero is that of `hi` if both limbs are zero, and plus if they cancel.
pub type Pair = (f64, f64);

/// The operation whose exact value an operation has: of a conversion, and of what leaves the value alone, the value itself,
/// [`Op::Canonical`]; of a comparison the difference; of the product of complex numbers, part by part, [`Op::Dot`] of [`cmul_terms`].
pub const fn meaning(op: Op) -> Op {
    match op {
        Op::From(_) | Op::To(_) | Op::ToLevel(_) | Op::Renormalize | Op::Reduce => Op::Canonical,
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => Op::Sub,
        Op::Cmul => Op::Dot,
        _ => op,
    }
}

/// An operand of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A pair.
    Pair(Pair),
    /// (-1)^negative significand 2^exponent, not zero; the exponent below 2^28 in magnitude.
    Scaled {
        /// Sign.
        negative: bool,
        /// Significand.
        significand: u128,
        /// Exponent of its last bit.
        exponent: i32,
    },
}

impl From<Pair> for Operand {
    fn from(x: Pair) -> Operand {
        Operand::Pair(x)
    }
}

/// What is negated in [`cmul_terms`].
pub trait Negated: Copy {
    /// -x.
    fn negated(self) -> Self;
}

impl Negated for Pair {
    fn negated(self) -> Pair {
        (-self.0, -self.1)
    }
}

impl Negated for Operand {
    fn negated(self) -> Operand {
        match self {
            Operand::Pair(x) => Operand::Pair(x.negated()),
            Operand::Scaled { negative, significand, exponent } => {
                Operand::Scaled { negative: !negative, significand, exponent }
            }
        }
    }
}

/// What the right answer of an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A number with an error: the exact value of this operation.
    Number(Op),
    /// A truth value, right or wrong.
    Truth(Op),
    /// The correctly rounded value of the argument (into integers: truncated, saturated).
    Convert,
    /// What the function's row says, and nothing else.
    Answer(Math),
    /// The function itself is the definition: no oracle knows another one.
    Definition,
}

impl Meaning {
    /// That of an operation.
    pub fn of(op: Op) -> Meaning {
        if let Op::Math(f) = op
            && let Definition::Answer(_) | Definition::Both(_) = functions::row(f).definition
        {
            Meaning::Answer(f)
        } else if let Op::Stat(_) = op {
            Meaning::Definition
        } else if op.is_comparison() {
            Meaning::Truth(op)
        } else if op.is_conversion() {
            Meaning::Convert
        } else {
            Meaning::Number(meaning(op))
        }
    }
}

/// The operations that the oracle knows, those that [`meaning`] gives; the first eleven have one to three operands.
pub const MEANINGS: [Op; 14] = [
    Op::Canonical,
    Op::Neg,
    Op::Add,
    Op::Sub,
    Op::Acc,
    Op::Mul,
    Op::Div,
    Op::Fma,
    Op::Mad,
    Op::Sqrt,
    Op::Rsqrt,
    Op::Sum,
    Op::Product,
    Op::Dot,
];

/// Number of operands of one of [`MEANINGS`], or of a function, whose integers are numbers here; `None` where it is free (`Sum`, `Product` any,
/// `Dot` any even number).
pub fn arity(op: Op) -> Option<usize> {
    match op {
        Op::Canonical | Op::Neg | Op::Sqrt | Op::Rsqrt => Some(1),
        Op::Add | Op::Sub | Op::Acc | Op::Mul | Op::Div => Some(2),
        Op::Fma | Op::Mad => Some(3),
        Op::Math(f) => Some(f.args().len()),
        _ => None,
    }
}

/// Real and imaginary part of `(x0 + i x1)(x2 + i x3)` as operands of [`Op::Dot`].
pub fn cmul_terms<T: Negated>(x: &[T]) -> [[T; 4]; 2] {
    [[x[0], x[2], x[1].negated(), x[3]], [x[0], x[3], x[1], x[2]]]
}

/// The answer of a comparison for an ordering of values, `None` being unordered; false for what is no comparison.
pub fn holds(comparison: Op, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::*;
    match comparison {
        Op::Eq => order == Some(Equal),
        Op::Ne => order != Some(Equal),
        Op::Lt => order == Some(Less),
        Op::Le => matches!(order, Some(Less | Equal)),
        Op::Gt => order == Some(Greater),
        Op::Ge => matches!(order, Some(Greater | Equal)),
        _ => false,
    }
}

/// A result type: the limb format, the significand digits that define its ulp, and the range where its u2 error is gated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Target {
    /// Format of a limb: `u = 2^-p`, the smallest step, the overflow threshold.
    pub limb: Format,
    /// Significand digits of the type.
    pub digits: u32,
    /// The u2 error is gated where operands and exact result are 0 or in `[2^-range, 2^range]`.
    pub range: i32,
}

/// The neighbourhood of an overflow threshold.
pub(crate) struct Border {
    /// The leading digits that say whether a number is in it.
    pub digits: u32,
    threshold: u128,
}

impl Border {
    /// Whether these leading digits, in the last binade, are of a number next to the threshold.
    pub fn holds(&self, digits: Option<u128>) -> bool {
        digits.is_some_and(|d| d == self.threshold || d == self.threshold - 1)
    }
}

impl Target {
    /// A pair of binary32 limbs, 46 digits.
    pub const FP32MP2: Target = Target::pair(Format::F32, 60);
    /// A pair of binary64 limbs, 104 digits.
    pub const FP64MP2: Target = Target::pair(Format::F64, 480);
    /// One binary32.
    pub const F32: Target = Target::single(Format::F32, 60);
    /// One binary64.
    pub const F64: Target = Target::single(Format::F64, 480);
    /// Unpacked emulated double: 62 digits, an exponent that does not end.
    pub const UNPACKED: Target = Target::single(Format::unbounded(62), 480);

    /// A pair of limbs: `2 p - 2` digits.
    pub const fn pair(limb: Format, range: i32) -> Target {
        Target { limb, digits: 2 * limb.p - 2, range }
    }

    /// A single number: `p` digits.
    pub const fn single(limb: Format, range: i32) -> Target {
        Target { limb, digits: limb.p, range }
    }

    /// Where the values of a pair border on its overflow threshold: `16 u^2` to either side.
    pub(crate) fn border(&self) -> Option<Border> {
        let p = self.limb.p;
        (self.digits > p && p > 5).then(|| Border { digits: 2 * p - 4, threshold: ((1 << (p + 1)) - 1) << (p - 5) })
    }

    /// What results of a type are held against.
    pub const fn of(ty: Type) -> Target {
        match ty {
            Type::Pair(Width::F32, _) => Target::FP32MP2,
            Type::Pair(Width::F64, _) => Target::FP64MP2,
            Type::Limb(Width::F32) => Target::F32,
            Type::Limb(Width::F64) | Type::Packed(..) => Target::F64,
            Type::Unpacked(_) => Target::UNPACKED,
            Type::Custom(f) => {
                let range = f.bias() + f.digits() as i32;
                Target { limb: limb_of(f), digits: f.digits(), range: if range < 1023 { range } else { 1023 } }
            }
        }
    }

    /// What the error of a number of a kind is held against; none where a value is right or wrong.
    pub const fn of_kind(kind: Kind) -> Option<Target> {
        match kind {
            Kind::Limb(w) => Some(Target::of(Type::Limb(w))),
            Kind::Pair(w) => Some(Target::of(Type::Pair(w, Level::Mid))),
            Kind::Unpacked => Some(Target::UNPACKED),
            _ => None,
        }
    }

    /// Exponent of the ulp at a number of binade `2^exponent`, floored at the smallest subnormal step.
    pub fn ulp_exponent(&self, exponent: i64) -> i64 {
        (exponent - self.digits as i64 + 1).max(self.limb.emin as i64)
    }
}

/// The limb that results of a reduced format are held against. Without subnormal numbers of their own those of doubles do, with
/// fewer digits: they are judged sooner.
const fn limb_of(f: custom::Format) -> Format {
    let short = f.exponent() <= 8 && f.mantissa() < 24;
    if short || (f.options().gradual && f.exponent() < 11) { Format::of_reduced(f) } else { Format::F64 }
}

impl Format {
    /// The format of a limb.
    pub const fn of(width: Width) -> Format {
        match width {
            Width::F32 => Format::F32,
            Width::F64 => Format::F64,
        }
    }

    /// A reduced format with subnormal numbers.
    pub const fn of_reduced(f: custom::Format) -> Format {
        Format::new(f.digits(), f.emin() - f.mantissa() as i32, f.emax())
    }
}

impl Rounding {
    /// The direction in which a packed emulated double rounds.
    pub const fn of(mode: Mode) -> Rounding {
        match mode {
            Mode::Rn => Rounding::Nearest,
            Mode::Rz => Rounding::Zero,
            Mode::Ru => Rounding::Up,
            Mode::Rd => Rounding::Down,
        }
    }
}
