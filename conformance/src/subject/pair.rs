//! Arithmetic and comparison of pairs.

use super::width_of;
use crate::case::{Op, Value};
use vernier::{DoubleWord, HostLimb, Level, acc};
use vernier_oracle::{Args, Pair};

pub(super) fn of_pair<F: HostLimb, A: Level>((hi, lo): Pair) -> DoubleWord<F, A> {
    DoubleWord::from_parts(F::lit(hi), F::lit(lo))
}

pub(super) fn to_pair<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> Pair {
    (x.hi().to_f64(), x.lo().to_f64())
}

fn of_value<F: HostLimb, A: Level>(x: &Value) -> DoubleWord<F, A> {
    match *x {
        Value::Pair(_, hi, lo) => DoubleWord::from_parts(F::from_bits_u64(hi), F::from_bits_u64(lo)),
        Value::Limb(_, hi) => DoubleWord::from_limb(F::from_bits_u64(hi)),
        _ => DoubleWord::from_limb(F::lit(f64::NAN)),
    }
}

pub(super) fn to_value<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> Value {
    Value::Pair(width_of::<F>(), x.hi().to_bits_u64(), x.lo().to_bits_u64())
}

/// An operation with a pair as result.
pub(super) fn number<F: HostLimb, A: Level>(op: Op, args: &[Value]) -> Option<Value> {
    let x: Vec<DoubleWord<F, A>> = args.iter().map(of_value).collect();
    let (first, second) = x.split_at(x.len() / 2);
    let r = match op {
        Op::Sum => x.iter().sum(),
        Op::Product => x.iter().product(),
        Op::Dot => vernier::slice::dot(first, second),
        _ => {
            let at = |i: usize| x.get(i).copied().map_or((0.0, 0.0), to_pair);
            let mut out = [(0.0, 0.0)];
            block::<F, A>(op, &[[at(0), at(1), at(2)]], &mut out)?;
            return Some(to_value(of_pair::<F, A>(out[0])));
        }
    };
    Some(to_value(r))
}

/// One loop for each operation.
#[inline(always)]
fn each<F: HostLimb, A: Level>(
    args: &[Args],
    out: &mut [Pair],
    f: impl Fn([DoubleWord<F, A>; 3]) -> DoubleWord<F, A>,
) -> Option<()> {
    for (a, r) in args.iter().zip(out) {
        *r = to_pair(f(a.map(of_pair)));
    }
    Some(())
}

/// An operation on at most three pairs with a pair as result, case by case.
pub(super) fn block<F: HostLimb, A: Level>(op: Op, args: &[Args], out: &mut [Pair]) -> Option<()> {
    match op {
        Op::Add => each::<F, A>(args, out, |[x, y, _]| x + y),
        Op::Sub => each::<F, A>(args, out, |[x, y, _]| x - y),
        Op::Mul => each::<F, A>(args, out, |[x, y, _]| x * y),
        Op::Div => each::<F, A>(args, out, |[x, y, _]| x / y),
        Op::Acc => each::<F, A>(args, out, |[x, c, _]| acc::<A, F, A>(x, c.hi())),
        Op::Fma => each::<F, A>(args, out, |[x, y, z]| x.fma(y, z)),
        Op::Mad => each::<F, A>(args, out, |[x, y, z]| x.mad(y, z)),
        Op::Sqrt => each::<F, A>(args, out, |[x, ..]| x.sqrt()),
        Op::Rsqrt => each::<F, A>(args, out, |[x, ..]| x.rsqrt()),
        Op::Neg => each::<F, A>(args, out, |[x, ..]| -x),
        Op::Renormalize => each::<F, A>(args, out, |[x, ..]| x.renormalize()),
        _ => None,
    }
}

/// A comparison.
pub(super) fn truth<F: HostLimb, A: Level>(op: Op, args: &[Value]) -> Option<Value> {
    let (x, y): (DoubleWord<F, A>, DoubleWord<F, A>) = (of_value(&args[0]), of_value(&args[1]));
    super::limb::compare(op, &x, &y).map(Value::Bool)
}
