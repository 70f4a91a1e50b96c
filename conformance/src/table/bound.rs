//! What is claimed of a row: a bound set from the inputs beforehand, and who proved it.
//!
//! Bounds against the sum of the |terms|, T, are ours and follow from the sequences, u^3 aside; every rounding of a small
//! term t costs u |t|. For normalised operands |lo| <= u |hi|.
//!
//! - *add low, mid*: RN(xl + yl) costs u^2 T; RN(t + e) with |t|, |e| <= u T costs 2 u^2 T: 3 T.
//! - *fma low*: RN(a + b) costs 3 u^2 T; adding xh yl, xl yh, xl yl and zl to it costs 2 + 3 + 3 + 3: 14 T. *mid*: where r
//!   and l cancel, fast_two_sum may lose 3 more while the first step costs 1: 15 T. *high*: the small products are kept, so
//!   3 + 1 + 3, or 1 + 1 + 3 + 3 under cancellation: 8 T.
//! - *mad*: the product's own 5.5 (low, mid) or 5 (high); its unnormalised lo is at most 3 u |x y|, so the addition costs
//!   3 + 4 for the product's part at low and mid, 3 T at high: 12.5 T and 8 T.
//! - *sum* of n: 3 (n - 1) T at mid and high; at low lo grows to k u T after k terms, so the k-th addition costs 2 k - 1:
//!   (n^2 - 1) T.
//! - *dot* of n, a mul and n - 1 mad: 5.5 + 7 for each product and 3 (n - 1) T at mid; 5 T + 3 (n - 1) T at high; at low lo
//!   grows to (k + 2) u T, so n^2 + 4 n + 0.5.
//! - *product* of n: n - 1 multiplications; at low lo grows to (2 k - 1) u, so the factors cost 2 k + 2 each.

use super::metric::Metric;
use super::row::{Operands, Row, TERMS};
use super::{emulated, reduced};
use crate::case::{Kind, Level, Op, Type, Width};
use vernier_oracle::functions::{self, Definition};
use vernier_oracle::{Meaning, Target};

/// The bound of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What is bounded.
    pub metric: Metric,
    /// The bound.
    pub bound: f64,
    /// As it is written in the literature.
    pub text: String,
    /// Who proved it; `ours` where nobody else did.
    pub source: &'static str,
    /// Special values must all be as IEEE arithmetic gives them.
    pub special: bool,
    /// Bound in ulp where operands or result are far out, where one is claimed.
    pub wide_ulp: Option<f64>,
    /// The relative error has no bound.
    pub unbounded: bool,
}

const JMP: &str = "Joldes, Muller, Popescu 2017";
const MR: &str = "Muller, Rideau 2022";
const LEFEVRE: &str = "Lefevre et al. 2023";
const OURS: &str = "ours";
const IEEE: &str = "IEEE 754";

/// The claim of a row.
pub fn claim(row: &Row) -> Claim {
    let ty = row.ty(0);
    let metric = row.metrics()[0];
    if let Type::Custom(f) = ty {
        let (bound, text, source) = reduced::bound(row.op, metric, f);
        let wide_ulp = (metric == Metric::Ulp).then_some(bound);
        return Claim { metric, bound, text, source, special: true, wide_ulp, unbounded: false };
    }
    if ty.is_emulated() {
        let (bound, text, source) = emulated::bound(row.leading_type(), row.op, metric);
        let wide_ulp = emulated::wide_ulp(ty, row.op, metric, bound);
        return Claim { metric, bound, text: text.into(), source, special: true, wide_ulp, unbounded: false };
    }
    let level = if row.is_shared() { Some(Level::High) } else { ty.level() };
    let special = level != Some(Level::Low) && level != Some(Level::Mid);
    let plain = |bound: f64, text: &str, source| Claim {
        metric,
        bound,
        text: text.into(),
        source,
        special,
        wide_ulp: None,
        unbounded: row.operands == Operands::OppositeSigns,
    };
    if ty.is_native() && Meaning::of(row.op) != Meaning::Convert && metric == Metric::Ulp {
        let exact = row.op == Op::Neg;
        let (bound, text) = if exact { (0.0, "0") } else { (0.5, "1/2") };
        return Claim { wide_ulp: Some(bound), ..plain(bound, text, IEEE) };
    }
    let u = (-f64::from(Target::of(ty).limb.p)).exp2();
    match (row.op, level) {
        (Op::Math(f), _) => match functions::row(f).definition {
            Definition::Number { ulp, basis, .. } => {
                let bound = ulp[usize::from(ty.width() == Width::F64)];
                // A subnormal lo that would be half an ulp of hi goes a step back, beside the value's own error.
                Claim { wide_ulp: Some(bound.max(1.001)), ..plain(bound, &bound.to_string(), basis) }
            }
            Definition::Answer(_) | Definition::Both(_) => plain(0.0, "0", functions::row(f).source),
        },
        _ if metric == Metric::Answers => plain(0.0, "0", "exact answer"),
        (Op::From(_) | Op::ToLevel(_) | Op::To(Kind::Pair(_)), _) => {
            Claim { wide_ulp: Some(1.0), ..plain(1.0, "1", "correct rounding") }
        }
        (Op::To(_), _) => Claim { wide_ulp: Some(0.5), ..plain(0.5, "1/2", "correct rounding") },
        (Op::Neg | Op::Renormalize | Op::Canonical, _) => plain(0.0, "0", "exact"),
        (Op::Add | Op::Sub, Some(Level::High)) => relative(plain(3.0 + 13.0 * u, "3 + 13u", JMP)),
        (Op::Add | Op::Sub, _) if row.operands == Operands::EqualSigns => plain(3.0, "3", JMP),
        (Op::Add | Op::Sub, _) => plain(3.0 + 64.0 * u, "3", OURS),
        (Op::Acc, Some(Level::High)) => relative(plain(2.0, "2", JMP)),
        (Op::Acc, _) => plain(2.0, "2", JMP),
        (Op::Mul, Some(Level::Low)) => plain(5.5, "5.5", OURS),
        (Op::Mul, Some(Level::High)) => relative(plain(5.0, "5", MR)),
        (Op::Mul, _) => plain(5.0, "5", MR),
        (Op::Div, Some(Level::Low)) => plain(11.0, "11", OURS),
        (Op::Div, Some(Level::High)) => relative(plain(10.0, "10", OURS)),
        (Op::Div, _) => plain(10.0, "10", OURS),
        (Op::Sqrt, _) => relative(plain(4.0, "4 (25/8)", LEFEVRE)),
        (Op::Rsqrt, _) => relative(plain(3.0, "3", OURS)),
        (op, level) => {
            let bound = chain(op, level);
            plain(bound * (1.0 + 64.0 * u), &bound.to_string(), OURS)
        }
    }
}

/// A relative bound that also holds far out, within one smallest step: b u^2 |z| is at most b / 4 ulp.
fn relative(claim: Claim) -> Claim {
    Claim { wide_ulp: Some(claim.bound / 4.0 + 1.0), ..claim }
}

/// Bounds of fused and composed operations, in the order of the module's text.
fn chain(op: Op, level: Option<Level>) -> f64 {
    let n = TERMS as f64;
    match (op, level) {
        (Op::Fma, Some(Level::Low)) => 14.0,
        (Op::Fma, Some(Level::High)) => 8.0,
        (Op::Fma, _) => 15.0,
        (Op::Mad, Some(Level::High)) => 8.0,
        (Op::Mad, _) => 12.5,
        (Op::Sum, Some(Level::Low)) => n * n - 1.0,
        (Op::Sum, _) => 3.0 * (n - 1.0),
        (Op::Product, Some(Level::Low)) => n * n + 3.0 * n - 4.0,
        (Op::Product, _) => 5.0 * (n - 1.0),
        (Op::Dot, Some(Level::Low)) => n * n + 4.0 * n + 0.5,
        (Op::Dot, Some(Level::High)) => 3.0 * n + 2.0,
        (Op::Dot, _) => 3.0 * n + 9.5,
        _ => f64::INFINITY,
    }
}
