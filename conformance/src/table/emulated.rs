//! Rows of emulated doubles: what is measured, what is claimed, and which operands.
//!
//! - *High*, every directed mode and packed fma: correctly rounded, so at most half an ulp of binary64 to nearest and less than
//!   one in a direction, subnormal steps included; and every bit is compared with the exact value rounded once. `mad`,
//!   `dot` and `cmul` are products and a sum, each rounded: 2^-53 of each product and of the sum, 2^-52 of the |terms|.
//! - *Mid*: 2 ulp. Products and sums within 2^-51 each: 2^-50 of the |terms|.
//! - *Low*: 2^-21 of the |terms|, which are |x| + |y| of a sum and the result itself elsewhere; of `mad`, `dot` and `cmul`
//!   1.25 2^-22 of the products and 1.5 2^-23 of the terms of the sum, which is 2^-21 but for a factor 1 + 2^-22.
//! - *Unpacked*, in ulps of 62 digits: high is rounded to odd, within 1; mid is within 2^-58 of quotients and roots, which may be
//!   16 ulp, and 2^-57 of products, 32 ulp. Its sums take 60 digits of each operand, which is 2^-59 of the |terms|, and
//!   have as many: 2^-57 of the |terms|. Packed, a result at high is rounded once.

use super::metric::Metric;
use crate::answer::emulated::is_exact;
use crate::case::{Kind, Level, Mode, Op, Type, Unpacked};
use vernier_oracle::generate::{Generator, Mixture};
use vernier_oracle::{Domain, Pair, Target, Verdict};

fn is_composed(op: Op) -> bool {
    matches!(op, Op::Mad | Op::Dot | Op::Cmul)
}

/// What is measured of an operation with a number as result.
pub fn metrics(ty: Type, op: Op) -> &'static [Metric] {
    let low = ty.level() == Some(Level::Low) && ty.mode().unwrap_or_default() == Mode::Rn;
    let cut = ty == Type::Unpacked(Level::Mid) && matches!(op, Op::Add | Op::Sub);
    let relative = is_composed(op) || cut || (low && !matches!(op, Op::Fma | Op::Neg));
    if relative { &[Metric::Relative] } else { &[Metric::Ulp] }
}

/// Whether a verdict alone shows that a packed result is the exact value rounded once: it is exact, or nearer to nearest than any
/// tie by far more than verdicts may be off.
pub fn is_decided(ty: Type, op: Op, (r, _): Pair, verdict: &Verdict) -> bool {
    let clear = match ty {
        _ if is_composed(op) => false,
        Type::Packed(_, Mode::Rn) => verdict.ulp < 0.499_99,
        Type::Packed(..) => verdict.ulp == 0.0,
        _ => false,
    };
    clear && r != 0.0 && r.is_finite() && verdict.mismatch.is_none() && verdict.domain == Domain::Moderate
}

/// The bound where the result is far from 1, in ulp, where it has one there too.
pub fn wide_ulp(ty: Type, op: Op, metric: Metric, bound: f64) -> Option<f64> {
    match (metric, ty) {
        (Metric::Ulp, _) => Some(bound),
        (Metric::Relative, Type::Packed(..)) if matches!(op, Op::Mul | Op::Div | Op::Sqrt) => {
            Some(bound * 53f64.exp2())
        }
        _ => None,
    }
}

/// The bound of an operation, as text too, and its source.
pub fn bound(ty: Type, op: Op, metric: Metric) -> (f64, &'static str, &'static str) {
    const OURS: &str = "ours";
    let power = |n: i32| f64::from(n).exp2();
    if metric == Metric::Answers {
        return (0.0, "0", "exact answer");
    }
    let nearest = ty.mode().unwrap_or_default() == Mode::Rn;
    match (ty, ty.level(), op) {
        (_, _, Op::Neg) => (0.0, "0", "exact"),
        (_, _, Op::To(_)) if nearest => (0.5, "1/2", "correct rounding"),
        (_, _, Op::To(_)) => (1.0, "1", "correct rounding"),
        (Type::Packed(..), Some(Level::High), op) if is_composed(op) => (power(-52), "2^-52", OURS),
        (Type::Packed(..), Some(Level::Mid), op) if is_composed(op) => (power(-50), "2^-50", OURS),
        (Type::Unpacked(_), Some(Level::High), op) if is_composed(op) => (power(-60), "2^-60", OURS),
        (Type::Unpacked(_), Some(Level::Mid), op) if is_composed(op) => (power(-56), "2^-56", OURS),
        (_, _, op) if is_composed(op) => (power(-21) * (1.0 + power(-20)), "2^-21", OURS),
        (Type::Packed(..), _, op) if is_exact(ty, op) && nearest => (0.5, "1/2", "IEEE 754"),
        // An error just below 1 can be read as 1 + 2^-52.
        (Type::Packed(..), _, op) if is_exact(ty, op) => (1.0 + power(-40), "1", "IEEE 754"),
        (_, _, op) if is_exact(ty, op) => (1.0 + power(-40), "1", OURS),
        (Type::Packed(..), Some(Level::Mid), _) => (2.0, "2", OURS),
        (Type::Unpacked(_), Some(Level::Mid), Op::Add | Op::Sub) => (power(-57), "2^-57", OURS),
        (_, Some(Level::Mid), Op::Mul) => (32.0, "32", OURS),
        (_, Some(Level::Mid), _) => (16.0, "16", OURS),
        _ => (power(-21), "2^-21", OURS),
    }
}

/// The classes of operands: of unpacked numbers those that single operations do not take out of the range of doubles.
pub fn mixture(kind: Kind) -> Mixture {
    if kind != Kind::Unpacked {
        return Mixture::accuracy();
    }
    Mixture::new(&[
        (Generator::Moderate, 24),
        (Generator::Structured, 10),
        (Generator::Cancellation, 8),
        (Generator::Ties, 6),
        (Generator::Powers, 3),
        (Generator::Gaps, 4),
        (Generator::ZeroLo, 6),
    ])
}

/// The format that operands of a kind are drawn in: unpacked numbers as normalised pairs of doubles, cut to 62 digits.
pub fn drawn_as(target: Target) -> Target {
    if target == Target::UNPACKED { Target::FP64MP2 } else { target }
}

/// An operand as a value of its kind holds it.
pub fn cut(kind: Kind, x: Pair) -> Pair {
    match kind {
        Kind::Int(int) if int.bits == 32 => (f64::from((x.0 + x.1) as i32), 0.0),
        Kind::Unpacked => Unpacked::of_pair(x).to_pair().unwrap_or((x.0, 0.0)),
        _ => x,
    }
}
