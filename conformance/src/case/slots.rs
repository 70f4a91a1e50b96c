//! Values as the bit patterns that recorded functions take and give.

use super::{Int, Kind, Unpacked, Value, Width};
use vernier_tape::io::Kind as Slots;

/// The kind of an argument or result, in the words of cases.
pub fn kind_of(kind: Slots) -> Kind {
    let int = |bits, signed| Kind::Int(Int { bits, signed });
    match kind {
        Slots::Bool => Kind::Bool,
        Slots::I8 => int(8, true),
        Slots::U8 => int(8, false),
        Slots::I16 => int(16, true),
        Slots::U16 => int(16, false),
        Slots::I32 => int(32, true),
        Slots::U32 | Slots::Format => int(32, false),
        Slots::I64 => int(64, true),
        Slots::U64 => int(64, false),
        Slots::I128 => int(128, true),
        Slots::U128 => int(128, false),
        Slots::F32 => Kind::Limb(Width::F32),
        Slots::F64 => Kind::Limb(Width::F64),
        Slots::F128 => Kind::Binary128,
        Slots::Pair32 => Kind::Pair(Width::F32),
        Slots::Pair64 => Kind::Pair(Width::F64),
        Slots::Packed => Kind::Limb(Width::F64),
        Slots::Packed2 => Kind::Complex,
        Slots::Unpacked => Kind::Unpacked,
        Slots::Unpacked2 => Kind::ComplexUnpacked,
        Slots::Pair32I32 => Kind::PairAndInt(Width::F32),
        Slots::Pair64I32 => Kind::PairAndInt(Width::F64),
        Slots::Pair32Pair => Kind::TwoPairs(Width::F32),
        Slots::Pair64Pair => Kind::TwoPairs(Width::F64),
    }
}

/// A value as the bit patterns of its slots.
pub fn slots(value: Value) -> Vec<u64> {
    match value {
        Value::Limb(_, bits) => vec![bits],
        Value::Pair(_, hi, lo) => vec![hi, lo],
        Value::Bool(b) => vec![b.into()],
        Value::Binary128(bits) => vec![(bits >> 64) as u64, bits as u64],
        Value::Int(Int { bits: 128, .. }, v) => vec![(v >> 64) as u64, v as u64],
        Value::Int(Int { bits: 64, .. }, v) => vec![v as u64],
        Value::Unpacked(x) => vec![x.sign.into(), (x.exponent as u32).into(), x.significand],
        Value::Complex(re, im) => vec![re, im],
        Value::ComplexUnpacked(re, im) => [re, im].into_iter().flat_map(|x| slots(Value::Unpacked(x))).collect(),
        Value::PairAndInt(_, hi, lo, n) => vec![hi, lo, (n as u32).into()],
        Value::TwoPairs(_, limbs) => limbs.into(),
        // Narrow integers are extended to 32 bits.
        Value::Int(_, v) => vec![(v as u32).into()],
    }
}

/// The value of a kind with these bit patterns, as many as the kind has.
pub fn value(kind: Kind, slots: &[u64]) -> Value {
    let unpacked = |s: &[u64]| Unpacked { sign: s[0] as u32, exponent: s[1] as u32 as i32, significand: s[2] };
    let wide = || u128::from(slots[0]) << 64 | u128::from(slots[1]);
    match kind {
        Kind::Limb(w) => Value::Limb(w, slots[0]),
        Kind::Pair(w) => Value::Pair(w, slots[0], slots[1]),
        Kind::Bool => Value::Bool(slots[0] & 1 == 1),
        Kind::Binary128 => Value::Binary128(wide()),
        Kind::Unpacked => Value::Unpacked(unpacked(slots)),
        Kind::Complex => Value::Complex(slots[0], slots[1]),
        Kind::ComplexUnpacked => Value::ComplexUnpacked(unpacked(slots), unpacked(&slots[3..])),
        Kind::PairAndInt(w) => Value::PairAndInt(w, slots[0], slots[1], slots[2] as u32 as i32),
        Kind::TwoPairs(w) => Value::TwoPairs(w, [slots[0], slots[1], slots[2], slots[3]]),
        Kind::Int(int) if int.bits == 128 => Value::Int(int, wide()),
        Kind::Int(int) => Value::Int(int, int.wrap(slots[0].into())),
    }
}
