//! Emulated doubles: the results they must have.
//!
//! *Packed* results are right to the bit, the exact value rounded once in the type's direction, at high, in a directed mode and of
//! fused operations; at high `mad`, `dot` and `cmul` are right to the bit where products and then the sum are each rounded to
//! nearest. *Unpacked* results at high, and fused ones at every level, must pack to the exact value rounded once. Everywhere
//! zeros, infinities and NaN are those of IEEE arithmetic, and the rest is held against the bounds of the table.

use super::{Judgement, number, operands};
use crate::case::{Kind, Level, Mode, Op, Type, Unpacked, Value, Width, operation};
use vernier_oracle::dyadic::Exact;
use vernier_oracle::target::cmul_terms;
use vernier_oracle::{self as oracle, Domain, Format, Mismatch, Pair, Rounded, Rounding, Verdict, convert, mpfr};
use vernier_oracle::{Meaning, Target};

/// Whether a result of the operation is right only if every bit of its packed bits is.
pub fn is_exact(ty: Type, op: Op) -> bool {
    match ty {
        Type::Packed(level, mode) => level == Level::High || mode != Mode::Rn || op == Op::Fma,
        Type::Unpacked(level) => (level == Level::High || op == Op::Fma) && !matches!(op, Op::Mad | Op::Dot | Op::Cmul),
        _ => false,
    }
}

fn double(x: Rounded) -> Value {
    Value::Limb(Width::F64, x.to_bits(Format::F64) as u64)
}

fn rounded(op: Op, args: &[Pair], rounding: Rounding) -> Rounded {
    mpfr::round(op, args, Format::F64, rounding)
}

/// x1 y1 + x2 y2 with each operation rounded to nearest.
fn by_steps([x1, y1, x2, y2]: [Pair; 4]) -> Pair {
    let nearest = |op, args: [Pair; 2]| (rounded(op, &args, Rounding::Nearest).to_f64(), 0.0);
    nearest(Op::Add, [nearest(Op::Mul, [x1, y1]), nearest(Op::Mul, [x2, y2])])
}

/// What IEEE arithmetic on doubles gives for an operation with a number as result: as the bits of a double, also for
/// unpacked numbers. None where an unpacked operand is out of their range.
pub fn ieee(ty: Type, op: Op, args: &[Value]) -> Option<Value> {
    let meaning = number(ty, op)?;
    let rounding = Rounding::of(ty.mode().unwrap_or_default());
    let x = pairs(op, args)?;
    let of = |x: Pair| Value::Limb(Width::F64, Width::F64.bits(x.0));
    let one = (1.0, 0.0);
    Some(match op {
        // The parts of a chain of unpacked numbers are not rounded to doubles.
        Op::Cmul if ty.own() == Kind::Unpacked => {
            let [re, im] = cmul_terms(&x).map(|terms| rounded(Op::Dot, &terms, rounding).to_f64());
            Value::Complex(Width::F64.bits(re), Width::F64.bits(im))
        }
        Op::Mad | Op::Dot if ty.own() == Kind::Unpacked => double(rounded(meaning, &x, rounding)),
        Op::Mad => of(by_steps([x[0], x[1], x[2], one])),
        Op::Dot => of(by_steps([x[0], x[1], x[2], x[3]])),
        Op::Cmul => {
            let [re, im] = cmul_terms(&x).map(by_steps);
            Value::Complex(Width::F64.bits(re.0), Width::F64.bits(im.0))
        }
        _ => double(rounded(meaning, &x, rounding)),
    })
}

/// The operands of a case, if all of them are in the range of doubles.
fn pairs(op: Op, args: &[Value]) -> Option<Vec<Pair>> {
    let x = operands(op, args);
    (x.len() == args.len()).then_some(x)
}

/// The packed bits of a result, rounded to nearest.
fn packed(x: Value) -> Value {
    match x {
        Value::Unpacked(x) => double(x.exact().round(Format::F64, Rounding::Nearest)),
        Value::ComplexUnpacked(re, im) => {
            let [re, im] =
                [re, im].map(|x| x.exact().round(Format::F64, Rounding::Nearest).to_bits(Format::F64) as u64);
            Value::Complex(re, im)
        }
        x => x,
    }
}

/// Whether a result is right by what [`ieee`] says: to the bit where it must be, otherwise in being zero, finite, infinite or NaN,
/// and its sign.
pub fn accepts(ty: Type, op: Op, expected: Value, got: Value) -> bool {
    let rounded = packed(got);
    if let (Some([a, b]), Some([x, y])) = (expected.parts(), rounded.parts()) {
        return accepts(ty, op, a, x) && accepts(ty, op, b, y);
    }
    if number(ty, op).is_none() {
        return expected.same(got);
    }
    let plain = |x: Value| x.to_pair().is_some_and(|(x, _)| x.is_finite() && x != 0.0);
    let sign = |x: Value| x.to_pair().is_some_and(|(x, _)| x.is_sign_negative());
    expected.same(rounded)
        || (!is_exact(ty, op) && plain(expected) && plain(rounded) && sign(expected) == sign(rounded))
}

/// Judges the result of an operation with a number as result.
pub(super) fn judge(ty: Type, op: Op, args: &[Value], result: Value) -> Option<Judgement> {
    let meaning = number(ty, op)?;
    let x = pairs(op, args)?;
    let expected = ieee(ty, op, args)?;
    let accepted = accepts(ty, op, expected, result);
    let verdict = match (result.parts(), result.to_pair()) {
        (Some(parts), _) => verdict_of_parts(ty, &x, parts)?,
        (None, Some(r)) => {
            let verdict = mpfr::judge(meaning, &Target::of(ty), &x, r);
            if is_exact(ty, op) { verdict } else { final_verdict(ty, meaning, &x, None, r, verdict) }
        }
        // Out of the range of doubles: known by its packed bits.
        (None, None) => return Some(Judgement::Answer { expected, same: accepted }),
    };
    if is_exact(ty, op) && !accepted {
        return Some(Judgement::Answer { expected, same: false });
    }
    // Steps may round where the exact result is special.
    let composed = matches!(op, Op::Mad | Op::Dot | Op::Cmul);
    Some(match verdict.mismatch {
        Some(_) if (composed || is_exact(ty, op)) && accepted => Judgement::Answer { expected, same: true },
        _ => Judgement::Error(verdict),
    })
}

/// The worse of the verdicts on real and imaginary part, operands re im re im.
pub fn verdict_of_parts(ty: Type, x: &[Pair], parts: [Value; 2]) -> Option<Verdict> {
    let terms = cmul_terms(x);
    let [re, im] = [0, 1].map(|i| {
        // A part out of range is no right one.
        oracle::judge(Op::Dot, &Target::of(ty), &terms[i], parts[i].to_pair().unwrap_or((f64::NAN, 0.0)))
    });
    let worse = im.mismatch.is_some() || (re.mismatch.is_none() && im.u2_of_terms > re.u2_of_terms);
    Some(if worse { im } else { re })
}

/// A verdict without the mismatch that is none: of a result known to be right, which a direction may take from infinity to the
/// largest number; and of one that is not rounded exactly, as large as the threshold of overflow and on its other side.
pub fn final_verdict(ty: Type, op: Op, args: &[Pair], correct: Option<bool>, r: Pair, verdict: Verdict) -> Verdict {
    let Some(mismatch) = verdict.mismatch else { return verdict };
    let allowed = match correct {
        Some(correct) => correct,
        None => {
            let threshold = matches!(mismatch, Mismatch::Infinite | Mismatch::NotInfinite);
            // In halves of the threshold, 2^1024: within 2^-20 of 2.
            let near = |x: f64| (x.abs() - 2.0).abs() <= 2.0 * (-20f64).exp2();
            let halved = |x: f64| x * (-1023f64).exp2();
            let z = mpfr::round(op, args, Format::unbounded(53), Rounding::Nearest);
            let z = match z {
                Rounded::Finite { significand, exponent, .. } if (900..1100).contains(&(exponent + 53)) => {
                    significand as f64 * f64::from(exponent - 1023).exp2()
                }
                _ => 0.0,
            };
            threshold && matches!(ty, Type::Packed(..)) && near(z) && (r.0.is_infinite() || near(halved(r.0)))
        }
    };
    if allowed {
        Verdict { mismatch: None, domain: Domain::Special, u2: 0.0, ulp: 0.0, u2_of_terms: 0.0 }
    } else {
        verdict
    }
}

/// Whether the result of a case is right to the bit, where [`is_exact`] says that it must be.
pub fn is_correct(ty: Type, op: Op, args: &[Value], result: Value) -> bool {
    ieee(ty, op, args).is_some_and(|expected| expected.same(packed(result)))
}

/// The one correct answer of a comparison or conversion.
pub(super) fn of(ty: Type, op: Op, args: &[Value]) -> Option<Value> {
    let rounding = Rounding::of(ty.mode().unwrap_or_default());
    match (Meaning::of(operation(ty, op)?.op), op, args) {
        (Meaning::Truth(comparison), _, [x, y]) => {
            Some(Value::Bool(mpfr::compare(comparison, x.to_pair()?, y.to_pair()?)))
        }
        (_, Op::From(_), &[x]) if matches!(ty, Type::Packed(..)) => Some(match x {
            Value::Limb(Width::F64, _) => x,
            Value::Limb(..) => double(mpfr::round(Op::Canonical, &[x.to_pair()?], Format::F64, rounding)),
            Value::Bool(b) => double(convert::round_i128(b.into(), Format::F64, rounding)),
            Value::Int(_, v) => double(convert::round_i128(v as i128, Format::F64, rounding)),
            Value::Unpacked(x) => double(x.exact().round(Format::F64, rounding)),
            _ => return None,
        }),
        (_, Op::From(_), &[x]) => Some(Value::Unpacked(match x {
            Value::Limb(..) => Unpacked::of_f64(x.to_pair()?.0),
            Value::Bool(b) => Unpacked::of_integer(b.into()),
            Value::Int(_, v) => Unpacked::of_integer(v as i128),
            _ => return None,
        })),
        (_, Op::To(kind), &[Value::Unpacked(x)]) => from_exact(&x.exact(), kind, Rounding::Nearest, Rounding::Zero),
        (_, Op::To(Kind::Limb(Width::F64)) | Op::ToLevel(_), &[x]) => Some(x),
        (_, Op::To(Kind::Unpacked), &[x]) => Some(Value::Unpacked(Unpacked::of_f64(x.to_pair()?.0))),
        (_, Op::To(kind), &[x]) => from_exact(&oracle::dyadic::value(x.to_pair()?), kind, rounding, rounding),
        _ => None,
    }
}

fn from_exact(x: &Exact, kind: Kind, rounding: Rounding, to_integer: Rounding) -> Option<Value> {
    Some(match kind {
        Kind::Limb(w) => Value::Limb(w, x.round(Format::of(w), rounding).to_bits(Format::of(w)) as u64),
        Kind::Bool => Value::Bool(!matches!(x, Exact::Zero(_))),
        Kind::Int(int) => Value::Int(int, x.to_integer_in(to_integer, int.bits, int.signed)),
        _ => return None,
    })
}
