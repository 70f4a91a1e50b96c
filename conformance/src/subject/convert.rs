//! Conversions of pairs.

use super::pair::to_value;
use super::width_of;
use crate::case::{Int, Kind, Level as Name, Op, Value, Width};
use vernier::{Binary128, DoubleWord, High, HostLimb, Level, Low, Mid, RoundFrom, TruncateFrom};

fn pair<F: HostLimb, A: Level>(hi: u64, lo: u64) -> DoubleWord<F, A> {
    DoubleWord::from_parts(F::from_bits_u64(hi), F::from_bits_u64(lo))
}

pub(super) fn eval<F: HostLimb, A: Level>(op: Op, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (Op::From(_), &[x]) => from_value::<F, A>(x).map(to_value),
        (Op::To(kind), &[Value::Pair(_, hi, lo)]) => into_kind(kind, pair::<F, A>(hi, lo)),
        (Op::ToLevel(level), &[Value::Pair(_, hi, lo)]) => {
            let x = pair::<F, A>(hi, lo);
            Some(match level {
                Name::Low => to_value(x.to_level::<Low>()),
                Name::Mid => to_value(x.to_level::<Mid>()),
                Name::High => to_value(x.to_level::<High>()),
            })
        }
        _ => None,
    }
}

fn from_value<F: HostLimb, A: Level>(x: Value) -> Option<DoubleWord<F, A>> {
    Some(match x {
        Value::Limb(Width::F32, x) => DoubleWord::round_from(f32::from_bits(x as u32)),
        Value::Limb(Width::F64, x) => DoubleWord::round_from(f64::from_bits(x)),
        Value::Binary128(x) => DoubleWord::round_from(Binary128(x)),
        Value::Bool(x) => DoubleWord::round_from(x),
        Value::Int(Int { bits, signed: true }, x) => match bits {
            8 => DoubleWord::round_from(x as i8),
            16 => DoubleWord::round_from(x as i16),
            32 => DoubleWord::round_from(x as i32),
            64 => DoubleWord::round_from(x as i64),
            _ => DoubleWord::round_from(x as i128),
        },
        Value::Int(Int { bits, signed: false }, x) => match bits {
            8 => DoubleWord::round_from(x as u8),
            16 => DoubleWord::round_from(x as u16),
            32 => DoubleWord::round_from(x as u32),
            64 => DoubleWord::round_from(x as u64),
            _ => DoubleWord::round_from(x),
        },
        Value::Pair(from, hi, lo) => match (from, width_of::<F>()) {
            (Width::F64, Width::F32) => same(DoubleWord::<f32, A>::round_from(pair::<f64, A>(hi, lo))),
            (Width::F32, Width::F64) => same(DoubleWord::<f64, A>::round_from(pair::<f32, A>(hi, lo))),
            _ => return None,
        },
        Value::Unpacked(_) | Value::Complex(..) | Value::ComplexUnpacked(..) => return None,
    })
}

/// The pair with limbs of type `F`, which `G` is.
fn same<F: HostLimb, G: HostLimb, A: Level>(x: DoubleWord<G, A>) -> DoubleWord<F, A> {
    pair(x.hi().to_bits_u64(), x.lo().to_bits_u64())
}

fn into_kind<F: HostLimb, A: Level>(kind: Kind, x: DoubleWord<F, A>) -> Option<Value> {
    Some(match kind {
        Kind::Limb(Width::F32) => Value::Limb(Width::F32, x.to_f32().to_bits().into()),
        Kind::Limb(Width::F64) => Value::Limb(Width::F64, x.to_f64().to_bits()),
        Kind::Binary128 => Value::Binary128(Binary128::round_from(x).0),
        Kind::Bool => Value::Bool(x.to_bool()),
        Kind::Int(int) => Value::Int(
            int,
            match (int.bits, int.signed) {
                (8, true) => i8::truncate_from(x) as u128,
                (16, true) => i16::truncate_from(x) as u128,
                (32, true) => i32::truncate_from(x) as u128,
                (64, true) => i64::truncate_from(x) as u128,
                (_, true) => i128::truncate_from(x) as u128,
                (8, false) => u8::truncate_from(x).into(),
                (16, false) => u16::truncate_from(x).into(),
                (32, false) => u32::truncate_from(x).into(),
                (64, false) => u64::truncate_from(x).into(),
                (_, false) => u128::truncate_from(x),
            },
        ),
        Kind::Pair(to) => match (width_of::<F>(), to) {
            (Width::F64, Width::F32) => to_value(DoubleWord::<f32, A>::round_from(same::<f64, F, A>(x))),
            (Width::F32, Width::F64) => to_value(DoubleWord::<f64, A>::round_from(same::<f32, F, A>(x))),
            _ => return None,
        },
        Kind::Unpacked | Kind::Complex | Kind::ComplexUnpacked => return None,
    })
}
