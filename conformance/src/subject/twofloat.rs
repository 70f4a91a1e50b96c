//! Crate `twofloat`, a double-double by other people, as a subject.

use super::{Failure, Subject, Unsupported};
use crate::case::{Level, Op, Type, Value, Width};
use twofloat::TwoFloat;

/// `TwoFloat` in place of `fp64mp2.mid`; on pairs that it accepts, which are finite and do not overlap. Others are NaN.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoFloatCrate;

impl Subject for TwoFloatCrate {
    fn name(&self) -> &'static str {
        "twofloat"
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        let has = matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Acc | Op::Sqrt | Op::Neg | Op::Lt | Op::Eq);
        has && ty == Type::Pair(Width::F64, Level::Mid)
    }

    fn eval_all(&self, ty: Type, op: Op, cases: &[Vec<Value>]) -> Result<Vec<Value>, Failure> {
        let unsupported = Unsupported { subject: self.name(), ty, op };
        if !self.supports(ty, op) {
            return Err(unsupported.into());
        }
        cases.iter().map(|args| Ok(result(op, args).ok_or(unsupported.clone())?)).collect()
    }
}

/// The result of an operation that the crate has.
fn result(op: Op, args: &[Value]) -> Option<Value> {
    let x = |i: usize| {
        let pair = args.get(i).and_then(|a| a.to_pair());
        pair.and_then(|p| TwoFloat::try_from(p).ok()).unwrap_or(TwoFloat::NAN)
    };
    let r = match op {
        Op::Add => x(0) + x(1),
        Op::Sub => x(0) - x(1),
        Op::Mul => x(0) * x(1),
        Op::Div => x(0) / x(1),
        Op::Acc => x(0) + x(1).hi(),
        Op::Sqrt => x(0).sqrt(),
        Op::Neg => -x(0),
        Op::Lt => return Some(Value::Bool(x(0) < x(1))),
        Op::Eq => return Some(Value::Bool(x(0) == x(1))),
        _ => return None,
    };
    Some(Value::of_pair(Width::F64, (r.hi(), r.lo())))
}
