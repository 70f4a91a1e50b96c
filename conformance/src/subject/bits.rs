//! Case lines and recorded functions: which function an operation is, and arguments as its bit patterns.

use crate::case::{Case, Int, Kind, Level, Op, Type, Value, Width, operation};
use vernier_gpu::io::Kind as Slots;
use vernier_gpu::registry::{self, Function};

/// The recorded function that an operation of a type is.
pub fn function_of(ty: Type, op: Op) -> Option<&'static Function> {
    operation(ty, op)?;
    let level = ty.level().filter(|_| ty.is_pair())?;
    let find = |family: &str, op: &str| registry::find(family, op, level.name());
    match op {
        Op::To(Kind::Pair(w)) => find(w.pair_name(), &format!("from_{}", ty.name())),
        // Out of low the limbs are made canonical; the others are copied, which is no function.
        Op::ToLevel(to) => (level == Level::Low && to != Level::Low).then(|| find(&ty.name(), "canonical"))?,
        _ => find(&ty.name(), &op.to_string()),
    }
}

/// The case of a function on these bit patterns, one per slot; without its result.
pub fn case_of(f: &Function, args: &[u64]) -> Option<Case> {
    let width = Width::ALL.into_iter().find(|w| w.pair_name() == f.family)?;
    let (level, op) = match f.op {
        "canonical" => (Level::Low, Op::ToLevel(Level::Mid)),
        op => (f.level.map_or(Some(Level::Mid), Level::of)?, Op::of(op)?),
    };
    let mut args = args.iter().copied();
    let mut next =
        |&kind: &Slots| Some(value(kind_of(kind), &args.by_ref().take(kind.slots().len()).collect::<Vec<_>>()));
    let args = f.params.iter().map(&mut next).collect::<Option<Vec<_>>>()?;
    Some(Case { ty: Type::Pair(width, level), op, args, results: Vec::new() })
}

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
        Slots::U32 => int(32, false),
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
        Slots::Packed2 => Kind::Pair(Width::F64),
        // Words that no case line has.
        Slots::Unpacked | Slots::Unpacked2 => int(128, false),
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
        // Narrow integers are extended to 32 bits.
        Value::Int(_, v) => vec![(v as u32).into()],
    }
}

/// The value of a kind with these bit patterns, as many as the kind has.
pub fn value(kind: Kind, slots: &[u64]) -> Value {
    let wide = || u128::from(slots[0]) << 64 | u128::from(slots[1]);
    match kind {
        Kind::Limb(w) => Value::Limb(w, slots[0]),
        Kind::Pair(w) => Value::Pair(w, slots[0], slots[1]),
        Kind::Bool => Value::Bool(slots[0] & 1 == 1),
        Kind::Binary128 => Value::Binary128(wide()),
        Kind::Int(int) if int.bits == 128 => Value::Int(int, wide()),
        Kind::Int(int) => Value::Int(int, int.wrap(slots[0].into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::{Host, Subject};
    use vernier_gpu::kernel::arguments;

    /// Every function is an operation of cases, and both have one result.
    #[test]
    fn functions_are_operations() {
        let pairs = |f: &&Function| Width::ALL.iter().any(|w| w.pair_name() == f.family);
        for f in registry::functions().iter().filter(pairs) {
            for index in 0..200 {
                let bits = arguments(&f.params, 1, index);
                let case = case_of(f, &bits).unwrap_or_else(|| panic!("{} is no operation", f.name()));
                assert!(std::ptr::eq(function_of(case.ty, case.op).unwrap(), f), "{}", f.name());
                assert_eq!(case.args.iter().copied().flat_map(slots).collect::<Vec<_>>(), bits);
                let got = value(kind_of(f.results[0]), &f.host(&bits));
                let expected = Host.eval(case.ty, case.op, &case.args).unwrap();
                assert!(got.same(expected), "{case} = {expected}, got {got}");
            }
        }
    }
}
