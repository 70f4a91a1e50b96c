//! Cases and recorded functions: which function computes an operation, and a case as its arguments.

use crate::case::{Case, Int, Op, Type, Value, Width, kind_of, operation, slots, value};
use vernier::custom::{self, Format};
use vernier_tape::io::Kind as Slots;
use vernier_tape::registry::{self, Function, FunctionId, custom as formats};

/// The recorded function that computes an operation of a type.
pub fn function_of(ty: Type, op: Op) -> Option<&'static Function> {
    registry::get(FunctionId::of(ty, op)?)
}

/// The bit patterns that a function takes for the arguments of a case of a type.
pub fn arguments_of(f: &Function, ty: Type, op: Op, args: &[Value]) -> Vec<u64> {
    let Type::Custom(format) = ty else { return in_order(ty, op, args.to_vec()).into_iter().flat_map(slots).collect() };
    let (words, numbers): (Vec<&Value>, Vec<&Value>) = args.iter().partition(|a| matches!(a, Value::Int(..)));
    let mut bits: Vec<u64> = numbers.into_iter().flat_map(|&x| slots(x)).collect();
    if f.params.contains(&Slots::Format) {
        bits.push(format.word().into());
        // Seed and number of the operation; zeros where nothing is random.
        bits.extend(words.into_iter().flat_map(|&x| slots(x)).chain([0, 0]).take(2));
    }
    bits
}

/// The arguments of a case in the order of the function, or the reverse: a case has x1 x2 y1 y2 where the function of an emulated
/// `dot` has x1 y1 x2 y2.
fn in_order(ty: Type, op: Op, mut args: Vec<Value>) -> Vec<Value> {
    if ty.is_emulated() && op == Op::Dot {
        args.swap(1, 2);
    }
    args
}

/// The case of a function on these bit patterns, one per slot; without its result. None for what no case line says.
pub fn case_of(f: &Function, args: &[u64]) -> Option<Case> {
    let (ty, op) = match f.id {
        FunctionId::Of(ty, op) => (ty, op),
        FunctionId::AnyFormat(op) => return any_format(f, op, args),
        FunctionId::Native(..) => return None,
    };
    let line = operation(ty, op)?;
    let (mut rest, mut values) = (args, Vec::new());
    while !rest.is_empty() {
        let value = value(line.arg_kind(ty, values.len())?, rest);
        rest = &rest[slots(value).len()..];
        values.push(value);
    }
    Some(Case { ty, op, args: in_order(ty, op, values), results: Vec::new() })
}

/// The case of a function that takes the format as an argument; one of any format where the function does not depend on it.
fn any_format(f: &Function, op: Op, args: &[u64]) -> Option<Case> {
    let n = f.params.iter().filter(|&&kind| kind == Slots::F64).count();
    let mut values: Vec<Value> = args[..n].iter().map(|&x| Value::Limb(Width::F64, x)).collect();
    let format = match f.params.contains(&Slots::Format) {
        true => Format::from_word(args[n] as u32).ok()?,
        false => formats::format_of(formats::FIXED[0].0)?,
    };
    if format.options().mode == custom::Mode::Stochastic {
        values.extend(args[n + 1..].iter().map(|&word| Value::Int(Int { bits: 64, signed: false }, word.into())));
    }
    Some(Case { ty: Type::Custom(format), op, args: values, results: Vec::new() })
}

/// Every recorded function: those of types, then those that instrumented pairs call.
pub fn all() -> impl Iterator<Item = &'static Function> {
    registry::functions().iter().chain(registry::stat::functions())
}

/// The case line of a difference: the first party's result, and what the other got.
pub fn differing(f: &Function, args: &[u64], left: &[u64], right: Option<&[u64]>, name: &str) -> Option<String> {
    let mut case = case_of(f, args)?;
    let kind = kind_of(f.results[0]);
    case.results = vec![value(kind, left).canonical()];
    let got = right.map_or("other arguments".into(), |bits| value(kind, bits).canonical().to_string());
    Some(format!("{case}  # {name} gives {got}"))
}

/// Rows of bit patterns as a column per slot of the function's arguments.
pub fn columns(f: &Function, rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
    (0..f.tape.args.len()).map(|s| rows.iter().map(|row| row[s]).collect()).collect()
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
                if f.id.family() == formats::ANY {
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
