//! Case lines and recorded functions: which function an operation is, and arguments as its bit patterns.

use crate::case::{Case, Int, Kind, Level, Mode, Op, Type, Unpacked, Value, Width, operation};
use vernier::custom::{self as reduced, Format};
use vernier_tape::io::Kind as Slots;
use vernier_tape::registry::{self, Function, custom};

/// The recorded function that an operation of a type is.
pub fn function_of(ty: Type, op: Op) -> Option<&'static Function> {
    operation(ty, op)?;
    if let Type::Custom(f) = ty {
        let op = op.to_string();
        let fixed = custom::family_of(f).and_then(|family| registry::find(family, &op, ""));
        return fixed.or_else(|| registry::find(custom::ANY, &op, ""));
    }
    if let Op::Internal(name) = op {
        let of = |family: &str| all().find(|f| f.op == name && f.family == family);
        return of(&ty.name()).or_else(|| of(ANY_FAMILY));
    }
    if ty.is_emulated() {
        let level = ty.level()?.name();
        return match op {
            Op::From(Kind::Unpacked) => registry::find(UNPACKED, &with_mode(ty, "to_fp64emu", Mode::Rn), level),
            Op::To(Kind::Unpacked) => registry::find(UNPACKED, "from_fp64emu", level),
            _ => registry::find(&ty.name(), &emulated_name(ty, op), level),
        };
    }
    let level = ty.level().filter(|_| ty.is_pair())?;
    let find = |family: &str, op: &str| registry::find(family, op, level.name());
    match op {
        Op::To(Kind::Pair(w)) => find(w.pair_name(), &format!("from_{}", ty.name())),
        // Out of low the limbs are made canonical; the others are copied, which is no function.
        Op::ToLevel(to) => (level == Level::Low && to != Level::Low).then(|| find(&ty.name(), "canonical"))?,
        _ => find(&ty.name(), &op.to_string()),
    }
}

/// Every recorded function: those of types, then those that instrumented pairs call.
pub fn all() -> impl Iterator<Item = &'static Function> {
    registry::functions().iter().chain(registry::stat::functions())
}

/// The family of functions that belong to no type.
const ANY_FAMILY: &str = "vernier";

/// The bit patterns that a function takes for the arguments of a case of a type.
pub fn arguments_of(f: &Function, ty: Type, op: Op, args: &[Value]) -> Vec<u64> {
    let word = |a: &Value| matches!((ty, a), (Type::Custom(_), Value::Int(..)));
    let numbers = in_order(ty, op, args.to_vec()).into_iter().filter(|a| !word(a));
    let mut bits: Vec<u64> = numbers.flat_map(slots).collect();
    if let (Type::Custom(format), true) = (ty, f.params.contains(&Slots::Format)) {
        bits.push(format.word().into());
        bits.extend(super::custom::words(args));
    }
    bits
}

/// The case of a function of reduced formats.
fn custom_case(f: &Function, args: &[u64]) -> Option<Case> {
    let n = f.params.iter().filter(|&&kind| kind == Slots::F64).count();
    let mut values: Vec<Value> = args[..n].iter().map(|&x| Value::Limb(Width::F64, x)).collect();
    let format = match custom::format_of(f.family) {
        Some(format) => format,
        None if f.params.contains(&Slots::Format) => Format::from_word(args[n] as u32).ok()?,
        // One for all.
        None => custom::format_of(custom::FIXED[0].0)?,
    };
    if format.options().mode == reduced::Mode::Stochastic {
        values.extend(args[n + 1..].iter().map(|&word| Value::Int(Int { bits: 64, signed: false }, word.into())));
    }
    Some(Case { ty: Type::Custom(format), op: Op::of(f.op)?, args: values, results: Vec::new() })
}

/// The family of unpacked numbers, which has the conversions between them and packed ones.
const UNPACKED: &str = "fp64emu_unpacked";

/// A name, with the type's mode where that is not the usual one.
fn with_mode(ty: Type, name: &str, usual: Mode) -> String {
    ty.mode().filter(|&m| m != usual).map_or(name.into(), |m| format!("{name}_{}", m.name()))
}

/// The function's name of an operation of an emulated double: with its mode, but for rounding to nearest, and truncation to
/// integers, which is what a cast does.
fn emulated_name(ty: Type, op: Op) -> String {
    let usual = if matches!(op, Op::To(Kind::Int(_))) { Mode::Rz } else { Mode::Rn };
    with_mode(ty, &op.to_string(), usual)
}

/// The operation of an emulated double whose function has this name.
fn emulated_op(name: &str) -> Option<(Op, Mode)> {
    let suffix = name.rsplit_once('_').and_then(|(name, mode)| Some((Op::of(name)?, Mode::of(mode)?)));
    suffix.or_else(|| {
        let op = Op::of(name)?;
        Some((op, if matches!(op, Op::To(Kind::Int(_))) { Mode::Rz } else { Mode::Rn }))
    })
}

/// The arguments of a case in the order of the function, or the reverse: a case has x1 x2 y1 y2 where the function of an emulated
/// `dot` has x1 y1 x2 y2.
pub fn in_order(ty: Type, op: Op, mut args: Vec<Value>) -> Vec<Value> {
    if ty.is_emulated() && op == Op::Dot {
        args.swap(1, 2);
    }
    args
}

/// The type and operation of a function.
fn type_of(f: &Function) -> Option<(Type, Op)> {
    let level = f.level.map(|l| Level::of(l).unwrap_or(Level::Mid));
    if let Some(width) = Width::ALL.into_iter().find(|w| w.pair_name() == f.family) {
        return match f.op {
            "canonical" => Some((Type::Pair(width, Level::Low), Op::ToLevel(Level::Mid))),
            op => Some((Type::Pair(width, level.unwrap_or(Level::Mid)), Op::of(op)?)),
        };
    }
    if let (UNPACKED, Some(to)) = (f.family, f.op.strip_prefix("to_fp64emu")) {
        let mode = to.strip_prefix('_').map_or(Some(Mode::Rn), Mode::of)?;
        return Some((Type::Packed(Level::High, mode), Op::From(Kind::Unpacked)));
    }
    if f.family == ANY_FAMILY {
        return Some((Type::Pair(Width::F64, Level::Mid), Op::of(f.op)?));
    }
    if (f.family, f.op) == (UNPACKED, "from_fp64emu") {
        return Some((Type::Packed(Level::High, Mode::Rn), Op::To(Kind::Unpacked)));
    }
    let default = Type::named(f.family).find(|ty| ty.is_default() && ty.is_emulated())?;
    let ty = default.at_level(level.unwrap_or(Level::High));
    let (op, mode) = emulated_op(f.op)?;
    let ty = if let Type::Packed(level, _) = ty { Type::Packed(level, mode) } else { ty };
    Some((ty, op))
}

/// The case of a function on these bit patterns, one per slot; without its result.
pub fn case_of(f: &Function, args: &[u64]) -> Option<Case> {
    if f.family.starts_with(custom::ANY) {
        return custom_case(f, args);
    }
    let (ty, op) = type_of(f)?;
    let line = operation(ty, op)?;
    let (mut rest, mut values) = (args, Vec::new());
    while !rest.is_empty() {
        let kind = line.arg_kind(ty, values.len())?;
        let value = value(kind, rest);
        rest = &rest[slots(value).len()..];
        values.push(value);
    }
    Some(Case { ty, op, args: in_order(ty, op, values), results: Vec::new() })
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
        Kind::Int(int) if int.bits == 128 => Value::Int(int, wide()),
        Kind::Int(int) => Value::Int(int, int.wrap(slots[0].into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::{Host, Subject};
    use vernier_tape::cases::arguments;
    use vernier_tape::mutants::one_nan;
    use vernier_tape::tape::Ty;

    fn bits_of(f: &Function, case: &Case) -> Vec<u64> {
        arguments_of(f, case.ty, case.op, &case.args)
    }

    /// Every function is an operation of cases, and both have one result.
    #[test]
    fn functions_are_operations() {
        for f in all() {
            for index in 0..200 {
                let bits = arguments(&f.params, 1, index);
                let case = case_of(f, &bits).unwrap_or_else(|| panic!("{} is no operation", f.name()));
                let found = function_of(case.ty, case.op).unwrap();
                if f.family == custom::ANY {
                    // Of a format that has functions of its own, those are found; unused words are not in the case.
                    let bits = arguments_of(found, case.ty, case.op, &case.args);
                    assert_eq!(one_nan(Ty::F64, found.host(&bits)[0]), one_nan(Ty::F64, f.host(&bits_of(f, &case))[0]));
                } else {
                    assert!(std::ptr::eq(found, f), "{}", f.name());
                    assert_eq!(arguments_of(f, case.ty, case.op, &case.args), bits);
                }
                let got = value(kind_of(f.results[0]), &f.host(&bits));
                let expected = Host.eval(case.ty, case.op, &case.args).unwrap();
                assert!(got.same(expected), "{case} = {expected}, got {got}");
            }
        }
    }
}
