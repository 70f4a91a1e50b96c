//! Vernier's own functions on this processor.

use super::recorded::{arguments_of, columns, function_of};
use super::{Failure, Subject, Unsupported};
use crate::case::{Level, Op, Type, Unpacked, Value, Width, kind_of, operation, value};
use vernier::{DoubleWord, High, HostLimb, Low, Mid};
use vernier_oracle::{Args, Pair};
use vernier_tape::cases::{RUN, SLOTS};
use vernier_tape::io::Kind as Slots;
use vernier_tape::registry::Function;

/// The functions of crate `vernier` on this processor; for `f32` and `f64`, the processor itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Host;

impl Subject for Host {
    fn name(&self) -> &'static str {
        "vernier"
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        operation(ty, op).is_some()
    }

    fn eval_all(&self, ty: Type, op: Op, cases: &[Vec<Value>]) -> Result<Vec<Value>, Failure> {
        let unsupported = Unsupported { subject: self.name(), ty, op };
        let line = operation(ty, op).ok_or(unsupported.clone())?;
        if cases.iter().any(|args| !line.accepts(args.len())) {
            return Err(unsupported.into());
        }
        match function_of(ty, op) {
            Some(f) => evaluated(f, ty, op, cases, |columns| Ok(f.evaluate(columns))),
            // The same limbs at another level.
            None if matches!(op, Op::ToLevel(_)) => Ok(cases.iter().map(|args| args[0]).collect()),
            None => cases.iter().map(|args| Ok(list(ty, op, args).ok_or(unsupported.clone())?)).collect(),
        }
    }

    fn eval_block(&self, ty: Type, op: Op, args: &[Args], out: &mut [Pair]) -> Result<(), Failure> {
        let f = function_of(ty, op).ok_or(Unsupported { subject: self.name(), ty, op })?;
        block(f, args, out).ok_or(Unsupported { subject: self.name(), ty, op }.into())
    }
}

/// Values of cases through a function of columns.
pub(super) fn evaluated(
    f: &Function,
    ty: Type,
    op: Op,
    cases: &[Vec<Value>],
    run: impl FnOnce(&[Vec<u64>]) -> Result<Vec<Vec<u64>>, Failure>,
) -> Result<Vec<Value>, Failure> {
    let rows: Vec<Vec<u64>> = cases.iter().map(|args| arguments_of(f, ty, op, args)).collect();
    let results = run(&columns(f, &rows))?;
    let kind = kind_of(f.results[0]);
    let row = |i: usize| results.iter().map(|column| column[i]).collect::<Vec<u64>>();
    Ok((0..cases.len()).map(|i| value(kind, &row(i))).collect())
}

/// A function of numbers with a number as result, on limbs that are held as doubles.
fn block(f: &Function, args: &[Args], out: &mut [Pair]) -> Option<()> {
    let (mut columns, mut results) = ([[0; RUN]; SLOTS], [[0; RUN]; SLOTS]);
    let single = |x: f64| u64::from((x as f32).to_bits());
    for (args, out) in args.chunks(RUN).zip(out.chunks_mut(RUN)) {
        let mut slot = 0;
        for (k, kind) in f.params.iter().enumerate() {
            for (i, x) in args.iter().map(|args| args[k]).enumerate() {
                match kind {
                    Slots::F32 => columns[slot][i] = single(x.0),
                    Slots::F64 | Slots::Packed => columns[slot][i] = x.0.to_bits(),
                    Slots::I32 => columns[slot][i] = u64::from(x.0 as i32 as u32),
                    Slots::Pair32 => (columns[slot][i], columns[slot + 1][i]) = (single(x.0), single(x.1)),
                    Slots::Pair64 => (columns[slot][i], columns[slot + 1][i]) = (x.0.to_bits(), x.1.to_bits()),
                    Slots::Unpacked => {
                        let x = Unpacked::of_pair(x);
                        columns[slot][i] = x.sign.into();
                        columns[slot + 1][i] = (x.exponent as u32).into();
                        columns[slot + 2][i] = x.significand;
                    }
                    _ => return None,
                }
            }
            slot += kind.slots().len();
        }
        (f.block)(&columns, &mut results, args.len());
        let single = |slot: usize, i: usize| f64::from(f32::from_bits(results[slot][i] as u32));
        let double = |slot: usize, i: usize| f64::from_bits(results[slot][i]);
        for (i, r) in out.iter_mut().enumerate() {
            *r = match f.results[0] {
                Slots::F32 => (single(0, i), 0.0),
                Slots::F64 | Slots::Packed => (double(0, i), 0.0),
                Slots::Pair32 => (single(0, i), single(1, i)),
                Slots::Pair64 => (double(0, i), double(1, i)),
                Slots::Unpacked => {
                    let words = [0, 1, 2].map(|slot: usize| results[slot][i]);
                    let Value::Unpacked(x) = value(kind_of(Slots::Unpacked), &words) else { return None };
                    x.to_pair().unwrap_or((f64::NAN, 0.0))
                }
                _ => return None,
            };
        }
    }
    Some(())
}

/// Sums and products of any number of pairs, in the order of the slice functions.
fn list(ty: Type, op: Op, args: &[Value]) -> Option<Value> {
    fn of<F: HostLimb, A: vernier::Level>(width: Width, op: Op, args: &[Value]) -> Option<Value> {
        let pair = |x: &Value| match *x {
            Value::Pair(_, hi, lo) => Some(DoubleWord::from_parts(F::from_bits_u64(hi), F::from_bits_u64(lo))),
            _ => None,
        };
        let x: Vec<DoubleWord<F, A>> = args.iter().map(pair).collect::<Option<_>>()?;
        let (first, second) = x.split_at(x.len() / 2);
        let r: DoubleWord<F, A> = match op {
            Op::Sum => x.iter().sum(),
            Op::Product => x.iter().product(),
            Op::Dot => vernier::slice::dot(first, second),
            _ => return None,
        };
        Some(Value::Pair(width, r.hi().to_bits_u64(), r.lo().to_bits_u64()))
    }
    match ty {
        Type::Pair(w @ Width::F32, Level::Low) => of::<f32, Low>(w, op, args),
        Type::Pair(w @ Width::F32, Level::Mid) => of::<f32, Mid>(w, op, args),
        Type::Pair(w @ Width::F32, Level::High) => of::<f32, High>(w, op, args),
        Type::Pair(w @ Width::F64, Level::Low) => of::<f64, Low>(w, op, args),
        Type::Pair(w @ Width::F64, Level::Mid) => of::<f64, Mid>(w, op, args),
        Type::Pair(w @ Width::F64, Level::High) => of::<f64, High>(w, op, args),
        _ => None,
    }
}
