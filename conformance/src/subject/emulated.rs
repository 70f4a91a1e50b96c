//! Emulated doubles on the host.

use crate::case::{Int, Kind, Level as Name, Mode, Op, Type, Unpacked, Value, Width};
use std::num::Wrapping;
use vernier::convert::Integer;
use vernier::emu::{self, Rd, Rn, Rounding, Ru, Rz, packed, unpacked};
use vernier::host::Host;
use vernier::{High, Low, Mid};
use vernier_oracle::{Args, Pair};

type Word = Wrapping<u64>;
type Triple = emu::Unpacked<Host>;

/// Calls a generic function with a level type.
macro_rules! with_level {
    ($l:expr, $function:ident[$($t:ty)?]($($arg:expr),*)) => {
        match $l {
            Name::Low => $function::<Low $(, $t)?>($($arg),*),
            Name::Mid => $function::<Mid $(, $t)?>($($arg),*),
            Name::High => $function::<High $(, $t)?>($($arg),*),
        }
    };
}

/// Calls a generic function with a level type and a direction; in a direction all levels are high.
macro_rules! with_mode {
    ($l:expr, $m:expr, $function:ident($($arg:expr),*)) => {
        match $m {
            Mode::Rn => with_level!($l, $function[Rn]($($arg),*)),
            Mode::Rz => $function::<High, Rz>($($arg),*),
            Mode::Ru => $function::<High, Ru>($($arg),*),
            Mode::Rd => $function::<High, Rd>($($arg),*),
        }
    };
}

/// The result of one case.
pub(super) fn eval(ty: Type, op: Op, args: &[Value]) -> Option<Value> {
    match ty {
        Type::Packed(l, m) => with_mode!(l, m, packed_case(op, args)),
        Type::Unpacked(l) => with_level!(l, unpacked_case[](op, args)),
        _ => None,
    }
}

/// Results of at most three numbers, held as pairs.
pub(super) fn block(ty: Type, op: Op, args: &[Args], out: &mut [Pair]) -> Option<()> {
    match ty {
        Type::Packed(l, m) => with_mode!(l, m, packed_block(op, args, out)),
        Type::Unpacked(l) => with_level!(l, unpacked_block[](op, args, out)),
        _ => None,
    }
}

fn image(x: &Value) -> Word {
    match *x {
        Value::Limb(Width::F64, bits) => Wrapping(bits),
        _ => Wrapping(emu::NAN),
    }
}

fn of_image(x: Word) -> Value {
    Value::Limb(Width::F64, x.0)
}

/// One loop for each operation.
#[inline(always)]
fn each<T: Copy>(
    args: &[Args],
    out: &mut [Pair],
    read: impl Fn(Pair) -> T,
    write: impl Fn(T) -> Pair,
    f: impl Fn([T; 3]) -> T,
) -> Option<()> {
    for (a, r) in args.iter().zip(out) {
        *r = write(f(a.map(&read)));
    }
    Some(())
}

fn packed_block<A: emu::Level, R: Rounding>(op: Op, args: &[Args], out: &mut [Pair]) -> Option<()> {
    macro_rules! each {
        ($f:expr) => {
            each(args, out, |x| Wrapping(x.0.to_bits()), |r: Word| (f64::from_bits(r.0), 0.0), $f)
        };
    }
    match op {
        Op::Add => each!(|[x, y, _]| packed::add::<Host, A, R>(x, y)),
        Op::Sub => each!(|[x, y, _]| packed::sub::<Host, A, R>(x, y)),
        Op::Mul => each!(|[x, y, _]| packed::mul::<Host, A, R>(x, y)),
        Op::Div => each!(|[x, y, _]| packed::div::<Host, A, R>(x, y)),
        Op::Fma => each!(|[x, y, z]| packed::fma::<Host, A, R>(x, y, z)),
        Op::Mad => each!(|[x, y, z]| packed::mad::<Host, A>(x, y, z)),
        Op::Sqrt => each!(|[x, ..]| packed::sqrt::<Host, A, R>(x)),
        Op::Neg => each!(|[x, ..]| packed::neg::<Host>(x)),
        _ => None,
    }
}

/// A comparison, given equality, less and at most.
fn truth<T: Copy>(
    op: Op,
    x: T,
    y: T,
    eq: impl Fn(T, T) -> bool,
    lt: impl Fn(T, T) -> bool,
    le: impl Fn(T, T) -> bool,
) -> Option<Value> {
    Some(Value::Bool(match op {
        Op::Eq => eq(x, y),
        Op::Ne => !eq(x, y),
        Op::Lt => lt(x, y),
        Op::Le => le(x, y),
        Op::Gt => lt(y, x),
        Op::Ge => le(y, x),
        _ => return None,
    }))
}

fn integer(to: Int, f: impl Fn(Integer) -> Word) -> Value {
    Value::Int(to, to.wrap(f(Integer { bits: to.bits, signed: to.signed }).0.into()))
}

fn packed_case<A: emu::Level, R: Rounding>(op: Op, args: &[Value]) -> Option<Value> {
    use emu::{compare, convert};
    let x: Vec<Word> = args.iter().map(image).collect();
    match (op, &x[..], args) {
        (Op::From(_), _, &[v]) => return packed_from::<R>(v),
        (Op::To(kind), &[x], _) => {
            return Some(match kind {
                Kind::Limb(Width::F32) => Value::Limb(Width::F32, convert::to_f32::<Host, R>(x).to_bits().into()),
                Kind::Limb(Width::F64) => of_image(x),
                Kind::Bool => Value::Bool((x << 1).0 != 0),
                Kind::Int(to) => integer(to, |to| convert::to_integer::<Host, R>(x, to)),
                Kind::Unpacked => Value::Unpacked(of_triple(unpacked::unpack::<Host>(x))),
                _ => return None,
            });
        }
        (Op::ToLevel(_), &[x], _) => return Some(of_image(x)),
        // Arguments of a case line stand x1 x2 y1 y2.
        (Op::Dot, &[x, z, y, w], _) => return Some(of_image(packed::dot::<Host, A>(x, y, z, w))),
        (Op::Cmul, &[a, b, c, d], _) => {
            let (re, im) = packed::cmul::<Host, A>((a, b), (c, d));
            return Some(Value::Complex(re.0, im.0));
        }
        (_, &[x, y], _) => {
            let (eq, lt, le) = (compare::eq::<Host>, compare::lt::<Host>, compare::le::<Host>);
            if let Some(truth) = truth(op, x, y, eq, lt, le) {
                return Some(truth);
            }
        }
        _ => {}
    }
    let at = |i: usize| x.get(i).map_or(0.0, |x| f64::from_bits(x.0));
    let mut out = [(0.0, 0.0)];
    packed_block::<A, R>(op, &[[(at(0), 0.0), (at(1), 0.0), (at(2), 0.0)]], &mut out)?;
    Some(Value::Limb(Width::F64, out[0].0.to_bits()))
}

fn packed_from<R: Rounding>(v: Value) -> Option<Value> {
    use emu::convert;
    Some(of_image(match v {
        Value::Limb(Width::F32, x) => convert::from_f32::<Host>(f32::from_bits(x as u32)),
        Value::Limb(Width::F64, x) => Wrapping(x),
        Value::Bool(x) => convert::from_u32::<Host>(Wrapping(x.into())),
        Value::Int(Int { bits: 64, signed: true }, x) => convert::from_i64::<Host, R>(Wrapping(x as u64)),
        Value::Int(Int { bits: 64, signed: false }, x) => convert::from_u64::<Host, R>(Wrapping(x as u64)),
        Value::Int(Int { signed: true, .. }, x) => convert::from_i32::<Host>(Wrapping(x as u32)),
        Value::Int(Int { signed: false, .. }, x) => convert::from_u32::<Host>(Wrapping(x as u32)),
        Value::Unpacked(x) => unpacked::pack::<Host, R>(triple(x)),
        _ => return None,
    }))
}

fn triple(x: Unpacked) -> Triple {
    (Wrapping(x.sign), Wrapping(x.exponent as u32), Wrapping(x.significand))
}

fn of_triple(x: Triple) -> Unpacked {
    Unpacked { sign: x.0.0, exponent: x.1.0 as i32, significand: x.2.0 }
}

fn unpacked_block<A: unpacked::Level>(op: Op, args: &[Args], out: &mut [Pair]) -> Option<()> {
    macro_rules! each {
        ($f:expr) => {
            each(
                args,
                out,
                |x| triple(Unpacked::of_pair(x)),
                |r: Triple| of_triple(r).to_pair().unwrap_or((f64::NAN, 0.0)),
                $f,
            )
        };
    }
    match op {
        Op::Add => each!(|[x, y, _]| unpacked::add::<Host, A>(x, y)),
        Op::Sub => each!(|[x, y, _]| unpacked::sub::<Host, A>(x, y)),
        Op::Mul => each!(|[x, y, _]| unpacked::mul::<Host, A>(x, y)),
        Op::Div => each!(|[x, y, _]| unpacked::div::<Host, A>(x, y)),
        Op::Fma => each!(|[x, y, z]| unpacked::fma::<Host, A>(x, y, z)),
        Op::Mad => each!(|[x, y, z]| unpacked::mad::<Host, A>(x, y, z)),
        Op::Sqrt => each!(|[x, ..]| unpacked::sqrt::<Host, A>(x)),
        Op::Neg => each!(|[x, ..]| unpacked::neg::<Host>(x)),
        _ => None,
    }
}

fn unpacked_case<A: unpacked::Level>(op: Op, args: &[Value]) -> Option<Value> {
    if let (Op::From(_), &[v]) = (op, args) {
        return unpacked_from(v);
    }
    let of = |x: &Value| match *x {
        Value::Unpacked(x) => triple(x),
        _ => triple(Unpacked::NAN),
    };
    let x: Vec<Triple> = args.iter().map(of).collect();
    let r = match (op, &x[..]) {
        (Op::To(kind), &[x]) => {
            return Some(match kind {
                Kind::Limb(Width::F32) => Value::Limb(Width::F32, unpacked::to_f32::<Host>(x).to_bits().into()),
                Kind::Limb(Width::F64) => of_image(unpacked::pack::<Host, Rn>(x)),
                Kind::Bool => Value::Bool(x.1 != Wrapping(unpacked::ZERO as u32)),
                Kind::Int(to) => integer(to, |to| unpacked::to_integer::<Host>(x, to)),
                _ => return None,
            });
        }
        (Op::ToLevel(_), &[x]) => x,
        (Op::Add, &[x, y]) => unpacked::add::<Host, A>(x, y),
        (Op::Sub, &[x, y]) => unpacked::sub::<Host, A>(x, y),
        (Op::Mul, &[x, y]) => unpacked::mul::<Host, A>(x, y),
        (Op::Div, &[x, y]) => unpacked::div::<Host, A>(x, y),
        (Op::Fma, &[x, y, z]) => unpacked::fma::<Host, A>(x, y, z),
        (Op::Mad, &[x, y, z]) => unpacked::mad::<Host, A>(x, y, z),
        (Op::Sqrt, &[x]) => unpacked::sqrt::<Host, A>(x),
        (Op::Neg, &[x]) => unpacked::neg::<Host>(x),
        // Arguments of a case line stand x1 x2 y1 y2.
        (Op::Dot, &[x, z, y, w]) => unpacked::dot::<Host, A>(x, y, z, w),
        (Op::Cmul, &[a, b, c, d]) => {
            let (re, im) = unpacked::cmul::<Host, A>((a, b), (c, d));
            return Some(Value::ComplexUnpacked(of_triple(re), of_triple(im)));
        }
        (_, &[x, y]) => {
            return truth(op, x, y, unpacked::eq::<Host>, unpacked::lt::<Host>, unpacked::le::<Host>);
        }
        _ => return None,
    };
    Some(Value::Unpacked(of_triple(r)))
}

fn unpacked_from(v: Value) -> Option<Value> {
    let r = match v {
        Value::Limb(Width::F32, x) => unpacked::from_f32::<Host>(f32::from_bits(x as u32)),
        Value::Limb(Width::F64, x) => unpacked::unpack::<Host>(Wrapping(x)),
        Value::Bool(x) => unpacked::from_u64::<Host>(Wrapping(x.into())),
        Value::Int(Int { signed: true, .. }, x) => unpacked::from_i64::<Host>(Wrapping(x as u64)),
        Value::Int(Int { signed: false, .. }, x) => unpacked::from_u64::<Host>(Wrapping(x as u64)),
        _ => return None,
    };
    Some(Value::Unpacked(of_triple(r)))
}
