//! The results that cases must have, and how far a result is from the exact value, as the oracle says.

pub mod custom;
pub mod emulated;

use crate::case::special_values;
use crate::case::{Case, Int, IntText, Kind, Level, Op, Slot, Type, Value, Width, kind_of, operation, slots, value};
use vernier::function::Math;
use vernier_oracle::dyadic;
use vernier_oracle::functions::{self, Answer, Argument, Definition};
use vernier_oracle::target::cmul_terms;
use vernier_oracle::{self as oracle, Format, Meaning, Operand, Pair, Rounding, Target, Verdict, convert, mpfr};
use vernier_tape::registry::{self, FunctionId};

/// What there is to say about a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// A number: how far it is from the exact value.
    Error(Verdict),
    /// Only one answer is right.
    Answer {
        /// That one.
        expected: Value,
        /// Whether the result is it.
        same: bool,
    },
}

/// The operands of a case as the oracle takes them: limbs as doubles, and a function's integers; those of `dot` term by term.
pub fn operands(op: Op, args: &[Value]) -> Vec<Pair> {
    let number = |a: &Value| match (op, *a) {
        (Op::Math(_), Value::Int(_, n)) => Some((n as i128 as f64, 0.0)),
        _ => a.to_pair(),
    };
    by_terms(op, args.iter().filter_map(number).collect())
}

/// Operands in the order of a case in that of the oracle.
fn by_terms<T: Copy>(op: Op, x: Vec<T>) -> Vec<T> {
    if op != Op::Dot {
        return x;
    }
    let (x, y) = x.split_at(x.len() / 2);
    x.iter().zip(y).flat_map(|(&x, &y)| [x, y]).collect()
}

/// What the exact result of an operation is, where it is a number.
fn number(ty: Type, op: Op) -> Option<Op> {
    match Meaning::of(operation(ty, op)?.op) {
        Meaning::Number(meaning) => Some(meaning),
        _ => None,
    }
}

/// The inverse of [`operands`], for pairs.
pub fn arguments(op: Op, operands: &[Pair]) -> Vec<Pair> {
    if op != Op::Dot {
        return operands.to_vec();
    }
    let (x, y) = (operands.iter().step_by(2), operands.iter().skip(1).step_by(2));
    x.chain(y).copied().collect()
}

/// Judges a result.
pub fn judge(ty: Type, op: Op, args: &[Value], result: Value) -> Option<Judgement> {
    if let Type::Custom(f) = ty
        && let Some(judgement) = custom::judge(f, op, args, result)
    {
        return Some(judgement);
    }
    match Meaning::of(operation(ty, op)?.op) {
        Meaning::Number(_) if ty.is_emulated() => emulated::judge(ty, op, args, result),
        Meaning::Number(meaning) => {
            let r = result.to_pair()?;
            // By MPFR, whose figures hold to more digits than are shown.
            let verdict = mpfr::judge(meaning, &Target::of(ty), &operands(op, args), r);
            Some(composed(ty, op, args, result, verdict).unwrap_or(Judgement::Error(verdict)))
        }
        _ => {
            let expected = of(ty, op, args)?;
            Some(Judgement::Answer { expected, same: expected.same(result) })
        }
    }
}

/// The judgement of a composed operation on limbs where the special value of its steps is not that of the exact result.
fn composed(ty: Type, op: Op, args: &[Value], result: Value, verdict: Verdict) -> Option<Judgement> {
    if !matches!(op, Op::Mad | Op::Sum | Op::Product | Op::Dot)
        || !args.iter().all(|a| a.to_pair().is_some_and(|x| x.1 == 0.0))
    {
        return None;
    }
    let expected = ieee(ty, op, args)?;
    if verdict.mismatch.is_some() {
        return accepts(ty, op, expected, result).then_some(Judgement::Answer { expected, same: true });
    }
    // Of operands that are no special values the steps may round where the exact result is special.
    let special = args.iter().all(|&a| special_values(a.kind()).contains(&a.canonical()));
    let by_steps = mpfr::judge(Op::Canonical, &Target::of(ty), &[expected.to_pair()?], result.to_pair()?);
    let mismatch = by_steps.mismatch.filter(|_| special)?;
    let wrong = f64::NAN;
    Some(Judgement::Error(Verdict { mismatch: Some(mismatch), u2: wrong, ulp: wrong, u2_of_terms: wrong, ..verdict }))
}

/// Whether a result on special values is as it must be: a pair where its value rounds to the expected limb, and at high has
/// lo = +0 beside a zero or an infinity.
pub fn accepts(ty: Type, op: Op, expected: Value, got: Value) -> bool {
    if ty.is_emulated() {
        return emulated::accepts(ty, op, expected, got);
    }
    match (expected, got) {
        (Value::Limb(w, bits), Value::Pair(_, _, lo)) => {
            let value = got
                .to_pair()
                .map(|x| convert::narrow(x, Format::of(w), Rounding::Nearest).to_bits(Format::of(w)) as u64);
            let special = w.limb(bits) == 0.0 || w.limb(bits).is_infinite();
            // Negation flips the sign of lo too.
            let lo_is_zero = ty.level() != Some(Level::High) || !special || lo == 0 || op == Op::Neg;
            lo_is_zero && value.is_some_and(|v| Value::Limb(w, v).same(expected))
        }
        _ => expected.same(got),
    }
}

/// The one correct answer of a comparison, a conversion or a function that has one.
pub fn of(ty: Type, op: Op, args: &[Value]) -> Option<Value> {
    if ty.is_emulated() {
        return emulated::of(ty, op, args);
    }
    let w = ty.width();
    match (Meaning::of(operation(ty, op)?.op), op, args) {
        (Meaning::Answer(f), ..) => by_row(f, w, args),
        (Meaning::Truth(comparison), _, [x, y]) => {
            Some(Value::Bool(mpfr::compare(comparison, x.to_pair()?, y.to_pair()?)))
        }
        (_, Op::From(_), &[x]) if ty.is_pair() => Some(Value::of_pair(w, into_pair(x, w)?)),
        (_, Op::To(kind), &[x]) => out_of_pair(x.to_pair()?, kind),
        (_, Op::ToLevel(level), &[x]) if ty.is_pair() => {
            let (hi, lo) = x.to_pair()?;
            // Out of low the limbs are normalised; hi = RN(hi + lo) are so already. Otherwise they are copied.
            let keep = ty.level() != Some(Level::Low) || level == Level::Low || is_normalized(w, (hi, lo));
            Some(if keep { x } else { Value::of_pair(w, convert::narrow_pair((hi, lo), Format::of(w))) })
        }
        _ => None,
    }
}

/// The one correct result of a function, as its row says.
fn by_row(f: Math, w: Width, args: &[Value]) -> Option<Value> {
    let expected = match functions::row(f).definition {
        Definition::Answer(expected) => expected,
        Definition::Both(both) => return by_functions(both, w, args),
        Definition::Number { .. } => return None,
    };
    let argument = |x: &Value| match *x {
        Value::Int(_, n) => Some(Argument::Int(n as i64)),
        x => x.to_pair().map(|x| Argument::Number(dyadic::value(x))),
    };
    let args: Vec<Argument> = args.iter().map(argument).collect::<Option<_>>()?;
    let value = |answer: &Answer, result: Slot| match (*answer, result) {
        (Answer::Pair(x), _) => Some(Value::of_pair(w, x)),
        (Answer::Truth(truth), _) => Some(Value::Bool(truth)),
        (Answer::Int(n), Slot::Is(Kind::Int(int))) => Some(Value::Int(int, int.wrap(n as u128))),
        (Answer::Int(n), _) => Some(Value::Int(Int { bits: 32, signed: true }, n as i32 as u128)),
    };
    match &expected(&args, Format::of(w))[..] {
        [one] => value(one, f.result()),
        [first, second] => Value::of_parts(value(first, f.result())?, value(second, f.result())?),
        _ => None,
    }
}

/// The results of two functions on the host.
fn by_functions(functions: [Math; 2], w: Width, args: &[Value]) -> Option<Value> {
    let args: Vec<u64> = args.iter().flat_map(|&x| slots(x)).collect();
    let of = |f| {
        let f = registry::get(FunctionId::Of(Type::Pair(w, Level::Mid), Op::Math(f)))?;
        Some(value(kind_of(f.results[0]), &f.host(&args)))
    };
    Value::of_parts(of(functions[0])?, of(functions[1])?)
}

fn into_pair(x: Value, w: Width) -> Option<Pair> {
    let limb = Format::of(w);
    // A zero lo is +0, what underflows to it too.
    let zero_lo = |(hi, lo): Pair| if hi == 0.0 || lo == 0.0 { (hi, 0.0) } else { (hi, lo) };
    Some(zero_lo(match x {
        Value::Limb(..) | Value::Pair(..) => convert::narrow_pair(x.to_pair()?, limb),
        Value::Binary128(bits) => convert::from_binary128(bits, limb),
        Value::Bool(b) => convert::from_u128(b.into(), limb),
        Value::Int(int, v) if int.signed => convert::from_i128(v as i128, limb),
        Value::Int(_, v) => convert::from_u128(v, limb),
        _ => return None,
    }))
}

fn out_of_pair(x: Pair, kind: Kind) -> Option<Value> {
    Some(match kind {
        Kind::Limb(w) => {
            Value::Limb(w, convert::narrow(x, Format::of(w), Rounding::Nearest).to_bits(Format::of(w)) as u64)
        }
        Kind::Binary128 => Value::Binary128(convert::to_binary128(x)),
        Kind::Bool => Value::Bool(!mpfr::compare(Op::Eq, x, (0.0, 0.0))),
        Kind::Int(int) => Value::Int(int, convert::to_integer(x, int.bits, int.signed)),
        Kind::Pair(w) => Value::of_pair(w, into_pair(Value::of_pair(Width::F64, x), w)?),
        _ => return None,
    })
}

/// Whether hi = RN(hi + lo), both limbs being finite.
pub fn is_normalized(w: Width, x: Pair) -> bool {
    oracle::generate::limb::is_normalized(x, Format::of(w))
}

/// What IEEE arithmetic on limbs gives for arguments without lo: the exact value rounded once, and composed operations
/// step by step. `None` for conversions and comparisons, which have an answer, [`of`], and for reduced formats.
pub fn ieee(ty: Type, op: Op, args: &[Value]) -> Option<Value> {
    if matches!(ty, Type::Custom(_)) {
        return None;
    }
    if ty.is_emulated() {
        return emulated::ieee(ty, op, args);
    }
    let w = ty.width();
    let meaning = number(ty, op)?;
    let round = |op: Op, x: &[Pair]| (mpfr::round(op, x, Format::of(w), Rounding::Nearest).to_f64(), 0.0);
    let mad = |x: Pair, y: Pair, z: Pair| round(Op::Add, &[round(Op::Mul, &[x, y]), z]);
    let x = operands(op, args);
    let result = match op {
        Op::Mad => mad(x[0], x[1], x[2]),
        Op::Sum => x.into_iter().reduce(|sum, x| round(Op::Add, &[sum, x]))?,
        Op::Product => x.into_iter().reduce(|product, x| round(Op::Mul, &[product, x]))?,
        Op::Dot => {
            let first = round(Op::Mul, &x[..2]);
            x[2..].chunks_exact(2).fold(first, |sum, term| mad(term[0], term[1], sum))
        }
        _ => round(meaning, &x),
    };
    Some(Value::of_limb(w, result.0))
}

/// The operands of a case as the oracle takes them, whatever their range; none where one is no real number.
fn exact_operands(op: Op, args: &[Value]) -> Option<Vec<Operand>> {
    Some(by_terms(op, args.iter().map(|a| a.operand()).collect::<Option<Vec<Operand>>>()?))
}

/// The exact value in decimal to `digits` significant digits, where the result is a number.
pub fn exact_text(case: &Case, digits: usize) -> Option<String> {
    match (Meaning::of(operation(case.ty, case.op)?.op), case.args.as_slice()) {
        (Meaning::Number(_), args) if case.op == Op::Cmul => {
            let x = exact_operands(case.op, args)?;
            let [re, im] = cmul_terms(&x).map(|terms| mpfr::decimal(Op::Dot, &terms, digits));
            Some(format!("{re} {im}"))
        }
        (Meaning::Number(meaning), args) => Some(match case.ty {
            Type::Custom(f) => mpfr::decimal(meaning, &custom::reduced(f, case.op, args)?, digits),
            _ => mpfr::decimal(meaning, &exact_operands(case.op, args)?, digits),
        }),
        (Meaning::Answer(f), args) => {
            let answer = by_row(f, case.ty.width(), args)?;
            let parts = answer.parts().map_or(vec![answer], Vec::from);
            let text = |x: Value| Some(mpfr::decimal(Op::Canonical, &[x.operand()?], digits));
            Some(parts.into_iter().map(text).collect::<Option<Vec<_>>>()?.join(" "))
        }
        (Meaning::Convert, [Value::Int(int, v)]) => Some(int.text(*v)),
        (Meaning::Convert, [x]) => Some(mpfr::decimal(Op::Canonical, &[x.operand()?], digits)),
        _ => None,
    }
}
