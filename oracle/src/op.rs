//! What is computed (operations on pairs), and what it is held against (result types).

use crate::format::Format;
use serde::{Deserialize, Serialize};

/// An operand or result `(hi, lo)`; a single number `c` is `(c, 0.0)`. An f32 limb is passed as the equal f64.
///
/// Its value is `hi` if `hi` is not finite, otherwise `lo` if that is not finite, otherwise `hi + lo` exactly; the
/// sign of a value zero is that of `hi` if both limbs are zero, and plus if they cancel.
pub type Pair = (f64, f64);

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

/// An operation with one number as result. On special values it gives what IEEE 754 arithmetic gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// `x`: the value itself, for renormalisation and conversions.
    Value,
    /// `-x`.
    Neg,
    /// `x + y`.
    Add,
    /// `x - y`.
    Sub,
    /// `x + c`, `c` a single limb.
    Acc,
    /// `x * y`.
    Mul,
    /// `x / y`.
    Div,
    /// `x * y + z`.
    Fma,
    /// `x * y + z`: the same exact value as `Fma`, approximated by two operations.
    Mad,
    /// `sqrt(x)`.
    Sqrt,
    /// `1 / sqrt(x)`.
    Rsqrt,
    /// `x0 + x1 + ...`.
    Sum,
    /// `x0 * x1 * ...`.
    Product,
    /// `x0 * x1 + x2 * x3 + ...`: an even number of operands.
    Dot,
    /// Real part of `(x0 + i x1)(x2 + i x3)`.
    CmulRe,
    /// Imaginary part of `(x0 + i x1)(x2 + i x3)`.
    CmulIm,
}

impl Op {
    /// Every operation.
    pub const ALL: [Op; 16] = [
        Op::Value,
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
        Op::CmulRe,
        Op::CmulIm,
    ];

    /// Number of operands; `None` where it is free (`Sum`, `Product` any, `Dot` any even number).
    pub const fn arity(self) -> Option<usize> {
        match self {
            Op::Value | Op::Neg | Op::Sqrt | Op::Rsqrt => Some(1),
            Op::Add | Op::Sub | Op::Acc | Op::Mul | Op::Div => Some(2),
            Op::Fma | Op::Mad => Some(3),
            Op::CmulRe | Op::CmulIm => Some(4),
            Op::Sum | Op::Product | Op::Dot => None,
        }
    }

    /// Whether `n` operands are acceptable.
    pub const fn accepts(self, n: usize) -> bool {
        match self.arity() {
            Some(arity) => n == arity,
            None => !matches!(self, Op::Dot) || n.is_multiple_of(2),
        }
    }
}

/// A comparison of values; false with NaN, except `Ne`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// `x = y`.
    Eq,
    /// `x != y`.
    Ne,
    /// `x < y`.
    Lt,
    /// `x <= y`.
    Le,
    /// `x > y`.
    Gt,
    /// `x >= y`.
    Ge,
}

impl Comparison {
    /// Every comparison.
    pub const ALL: [Comparison; 6] =
        [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge];

    /// The comparison's answer for an ordering of values, `None` being unordered.
    pub fn holds(self, order: Option<std::cmp::Ordering>) -> bool {
        use std::cmp::Ordering::*;
        match self {
            Comparison::Eq => order == Some(Equal),
            Comparison::Ne => order != Some(Equal),
            Comparison::Lt => order == Some(Less),
            Comparison::Le => matches!(order, Some(Less | Equal)),
            Comparison::Gt => order == Some(Greater),
            Comparison::Ge => matches!(order, Some(Greater | Equal)),
        }
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

    /// Exponent of the ulp at a number of binade `2^exponent`, floored at the smallest subnormal step.
    pub fn ulp_exponent(&self, exponent: i64) -> i64 {
        (exponent - self.digits as i64 + 1).max(self.limb.emin as i64)
    }
}
