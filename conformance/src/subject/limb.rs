//! The hardware's own arithmetic on limbs.

use super::width_of;
use crate::case::{Op, Value};
use vernier::HostLimb;
use vernier_oracle::{Args, Pair};

/// A comparison of anything comparable.
pub(super) fn compare<T: PartialOrd>(op: Op, x: &T, y: &T) -> Option<bool> {
    Some(match op {
        Op::Eq => x == y,
        Op::Ne => x != y,
        Op::Lt => x < y,
        Op::Le => x <= y,
        Op::Gt => x > y,
        Op::Ge => x >= y,
        _ => return None,
    })
}

fn number<F: HostLimb>(op: Op, [x, y, z]: [F; 3]) -> Option<F> {
    Some(match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::Div => x.div(y),
        Op::Fma => x.fma(y, z),
        Op::Sqrt => x.sqrt(),
        Op::Neg => -x,
        _ => return None,
    })
}

pub(super) fn eval<F: HostLimb>(op: Op, args: &[Value]) -> Option<Value> {
    let x = |i: usize| match args.get(i) {
        Some(Value::Limb(_, bits)) => F::from_bits_u64(*bits),
        _ => F::ZERO,
    };
    if let Some(truth) = compare(op, &x(0), &x(1)) {
        return Some(Value::Bool(truth));
    }
    number(op, [x(0), x(1), x(2)]).map(|r| Value::Limb(width_of::<F>(), r.to_bits_u64()))
}

pub(super) fn block<F: HostLimb>(op: Op, args: &[Args], out: &mut [Pair]) -> Option<()> {
    for (a, r) in args.iter().zip(out) {
        *r = (number(op, a.map(|x| F::lit(x.0)))?.to_f64(), 0.0);
    }
    Some(())
}
