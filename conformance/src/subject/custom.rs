//! Reduced formats on the host.

use super::limb;
use crate::case::{Op, Value, Width};
use std::num::Wrapping;
use vernier::custom::{self, Format, Layout, Random};
use vernier::host::Host;

/// Seed and number of the operation: the arguments that are words, or zeros.
pub(super) fn words(args: &[Value]) -> [u64; 2] {
    let mut words = args.iter().filter_map(|a| if let Value::Int(_, v) = a { Some(*v as u64) } else { None });
    [(); 2].map(|()| words.next().unwrap_or(0))
}

fn number(f: Format, op: Op, [x, y, z]: [f64; 3], random: &Random<Host>) -> Option<f64> {
    let f = &Layout::known(f);
    Some(match op {
        Op::Add => custom::add(x, y, f, random),
        Op::Sub => custom::sub(x, y, f, random),
        Op::Mul => custom::mul(x, y, f, random),
        Op::Div => custom::div(x, y, f, random),
        Op::Fma => custom::fma(x, y, z, f, random),
        Op::Sqrt => custom::sqrt(x, f, random),
        Op::Reduce => custom::reduce(x, f, random),
        Op::Neg => -x,
        _ => return None,
    })
}

pub(super) fn eval(f: Format, op: Op, args: &[Value]) -> Option<Value> {
    let x = |i: usize| args.get(i).and_then(|a| a.to_pair()).map_or(0.0, |(x, _)| x);
    if let Some(truth) = limb::compare(op, &x(0), &x(1)) {
        return Some(Value::Bool(truth));
    }
    let [seed, operation] = words(args).map(Wrapping);
    let r = number(f, op, [x(0), x(1), x(2)], &Random { seed, operation })?;
    Some(Value::Limb(Width::F64, r.to_bits()))
}
