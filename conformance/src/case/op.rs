//! The table of operations. Parser, subjects, tables and the coverage test all derive from it.

use super::types::{Level, Mode, Type, Width};
use super::value::{Int, Kind};
use std::fmt;
use vernier::custom;
use vernier_oracle::{self as oracle, Comparison};

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// x + y.
    Add,
    /// x - y.
    Sub,
    /// x y.
    Mul,
    /// x / y.
    Div,
    /// x + c, c one limb.
    Acc,
    /// x y + z, fused.
    Fma,
    /// x y + z, a multiplication and an addition.
    Mad,
    /// Square root.
    Sqrt,
    /// Reciprocal square root.
    Rsqrt,
    /// -x.
    Neg,
    /// The same value with hi = RN(hi + lo), for |hi| >= |lo|.
    Renormalize,
    /// The value in a reduced format, as an operand is taken.
    Reduce,
    /// x = y.
    Eq,
    /// x != y.
    Ne,
    /// x < y.
    Lt,
    /// x <= y.
    Le,
    /// x > y.
    Gt,
    /// x >= y.
    Ge,
    /// x1 + ... + xn, in order.
    Sum,
    /// x1 ... xn, in order.
    Product,
    /// x1 y1 + ... + xn yn, in order. Arguments are x1 ... xn y1 ... yn.
    Dot,
    /// (x1 + i x2)(x3 + i x4), as four products and two sums.
    Cmul,
    /// Conversion of a value of another type.
    From(Kind),
    /// Conversion into another type.
    To(Kind),
    /// The same width at another level.
    ToLevel(Level),
    /// A recorded function that is no operation of the type and has no row in a table: what instrumented pairs call, and the
    /// canonical form of any three words.
    Internal(&'static str),
}

/// How many arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly these slots.
    Fixed(&'static [Slot]),
    /// One or more of the type.
    Many,
    /// An even number of the type, at least two.
    Pairs,
}

/// What an argument or result is, relative to the type of the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The type itself.
    Own,
    /// One limb of it.
    Limb,
    /// A truth value.
    Bool,
    /// The other type of a conversion.
    Other,
    /// A 64-bit word: seed and number of the operation, of stochastic rounding.
    Word,
    /// A 32-bit word.
    Word32,
    /// Two of the type: real and imaginary part.
    Complex,
}

/// What the right answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A number with an error.
    Number(oracle::Op),
    /// A truth value, right or wrong.
    Truth(Comparison),
    /// The correctly rounded value of the argument (into integers: truncated, saturated).
    Convert,
    /// The function itself is the definition: no oracle knows another one.
    Definition,
}

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Which.
    pub op: Op,
    /// Arguments.
    pub args: Arity,
    /// Result.
    pub result: Slot,
    /// The right answer.
    pub meaning: Meaning,
    /// Whether `f32` and `f64` have it.
    pub on_limbs: bool,
    /// Whether one row of the table serves all levels.
    pub any_level: bool,
}

use Slot::{Bool, Limb, Own, Word, Word32};

/// Name, arguments and result of every [`Op::Internal`].
const INTERNAL: [(&str, &[Slot], Slot); 10] = [
    ("canonical", &[Word32, Word32, Word], Own),
    ("stat_class", &[Own], Word),
    ("stat_high", &[Own], Word32),
    ("stat_apart", &[Own], Word32),
    ("stat_one_limb", &[Own], Bool),
    ("stat_lo_normal", &[Own], Bool),
    ("stat_cancels", &[Word32; 3], Bool),
    ("stat_outcome", &[Bool, Word, Word, Word], Word32),
    ("stat_limb", &[Limb], Word),
    ("stat_precedes", &[Word; 4], Bool),
];

const fn number(op: Op, args: &'static [Slot], meaning: oracle::Op) -> Operation {
    Operation {
        op,
        args: Arity::Fixed(args),
        result: Own,
        meaning: Meaning::Number(meaning),
        on_limbs: false,
        any_level: false,
    }
}

const fn many(op: Op, args: Arity, meaning: oracle::Op) -> Operation {
    Operation { args, ..number(op, &[], meaning) }
}

const fn truth(op: Op, meaning: Comparison) -> Operation {
    Operation {
        op,
        args: Arity::Fixed(&[Own, Own]),
        result: Bool,
        meaning: Meaning::Truth(meaning),
        on_limbs: true,
        any_level: true,
    }
}

const fn on_limbs(o: Operation) -> Operation {
    Operation { on_limbs: true, ..o }
}

const fn any_level(o: Operation) -> Operation {
    Operation { any_level: true, ..o }
}

/// The operations that are not conversions.
pub const OPERATIONS: [Operation; 22] = [
    on_limbs(number(Op::Add, &[Own, Own], oracle::Op::Add)),
    on_limbs(number(Op::Sub, &[Own, Own], oracle::Op::Sub)),
    on_limbs(number(Op::Mul, &[Own, Own], oracle::Op::Mul)),
    on_limbs(number(Op::Div, &[Own, Own], oracle::Op::Div)),
    number(Op::Acc, &[Own, Limb], oracle::Op::Acc),
    on_limbs(number(Op::Fma, &[Own, Own, Own], oracle::Op::Fma)),
    number(Op::Mad, &[Own, Own, Own], oracle::Op::Mad),
    on_limbs(any_level(number(Op::Sqrt, &[Own], oracle::Op::Sqrt))),
    any_level(number(Op::Rsqrt, &[Own], oracle::Op::Rsqrt)),
    on_limbs(any_level(number(Op::Neg, &[Own], oracle::Op::Neg))),
    number(Op::Renormalize, &[Own], oracle::Op::Value),
    number(Op::Reduce, &[Own], oracle::Op::Value),
    truth(Op::Eq, Comparison::Eq),
    truth(Op::Ne, Comparison::Ne),
    truth(Op::Lt, Comparison::Lt),
    truth(Op::Le, Comparison::Le),
    truth(Op::Gt, Comparison::Gt),
    truth(Op::Ge, Comparison::Ge),
    many(Op::Sum, Arity::Many, oracle::Op::Sum),
    many(Op::Product, Arity::Many, oracle::Op::Product),
    many(Op::Dot, Arity::Pairs, oracle::Op::Dot),
    Operation { result: Slot::Complex, ..number(Op::Cmul, &[Own; 4], oracle::Op::CmulRe) },
];

/// The types that pairs and emulated doubles convert from and to.
pub fn conversion_kinds() -> impl Iterator<Item = Kind> {
    let limbs = Width::ALL.map(Kind::Limb);
    let pairs = Width::ALL.map(Kind::Pair);
    let ints = Int::ALL.map(Kind::Int);
    limbs.into_iter().chain([Kind::Binary128, Kind::Bool]).chain(ints).chain(pairs).chain([Kind::Unpacked])
}

/// The operations of a type.
pub fn operations(ty: Type) -> impl Iterator<Item = Operation> {
    let conversions = conversion_kinds().flat_map(|k| [Op::From(k), Op::To(k)]);
    let levels = Level::ALL.map(Op::ToLevel);
    let plain = OPERATIONS.map(|o| o.op);
    plain.into_iter().chain(conversions).chain(levels).filter_map(move |op| operation(ty, op))
}

/// The table line of an operation, if the type has it.
pub fn operation(ty: Type, op: Op) -> Option<Operation> {
    let conversion = |args, result| Operation {
        op,
        args: Arity::Fixed(args),
        result,
        meaning: Meaning::Convert,
        on_limbs: false,
        any_level: true,
    };
    match op {
        Op::Internal(name) => {
            let &(name, args, result) = INTERNAL.iter().find(|line| line.0 == name)?;
            let has = if name == "canonical" { ty.own() == Kind::Unpacked } else { ty.is_pair() };
            let meaning = Meaning::Definition;
            has.then_some(Operation { op, args: Arity::Fixed(args), result, meaning, on_limbs: false, any_level: true })
        }
        Op::From(k) | Op::To(k) if !converts(ty, k) => None,
        Op::From(_) | Op::To(_) if ty.mode().is_some_and(|m| m != Mode::Rn && !rounds(op)) => None,
        Op::From(_) => Some(conversion(&[Slot::Other], Own)),
        Op::To(_) => Some(conversion(&[Own], Slot::Other)),
        Op::ToLevel(level) => {
            let has = ty.at_level(level).level() == Some(level) && ty.mode().is_none_or(|m| m == Mode::Rn);
            has.then(|| conversion(&[Own], Own))
        }
        _ => OPERATIONS.iter().find(|o| o.op == op && has(ty, o)).map(|&o| counted(ty, of_type(ty, o))),
    }
}

/// With seed and number as further arguments where results are rounded at random.
fn counted(ty: Type, o: Operation) -> Operation {
    let args = match (ty, o.args) {
        (Type::Custom(f), Arity::Fixed(slots))
            if f.options().mode == custom::Mode::Stochastic && o.result == Own && o.op != Op::Neg =>
        {
            Arity::Fixed(match slots {
                [_] => &[Own, Word, Word],
                [_, _] => &[Own, Own, Word, Word],
                _ => &[Own, Own, Own, Word, Word],
            })
        }
        (_, args) => args,
    };
    Operation { args, ..o }
}

/// Whether a type has an operation that is no conversion.
fn has(ty: Type, o: &Operation) -> bool {
    match ty {
        Type::Pair(..) => !matches!(o.op, Op::Reduce | Op::Cmul),
        Type::Limb(_) => o.on_limbs,
        Type::Custom(_) => o.on_limbs || o.op == Op::Reduce,
        Type::Packed(level, mode) => match o.op {
            Op::Add | Op::Sub | Op::Mul | Op::Fma => true,
            Op::Div | Op::Sqrt => mode == Mode::Rn || level == Level::High,
            Op::Acc | Op::Rsqrt | Op::Renormalize | Op::Reduce | Op::Sum | Op::Product => false,
            _ => mode == Mode::Rn,
        },
        Type::Unpacked(_) => {
            !matches!(o.op, Op::Acc | Op::Rsqrt | Op::Renormalize | Op::Reduce | Op::Sum | Op::Product)
        }
    }
}

/// The operation as the type has it.
fn of_type(ty: Type, o: Operation) -> Operation {
    match o.op {
        _ if !ty.is_emulated() => o,
        Op::Dot => Operation { args: Arity::Fixed(&[Own; 4]), ..o },
        // Directed and fused operations are the same at every level.
        Op::Add | Op::Sub | Op::Mul => Operation { any_level: ty.mode().is_some_and(|m| m != Mode::Rn), ..o },
        Op::Fma => Operation { any_level: true, ..o },
        Op::Sqrt => Operation { any_level: false, ..o },
        _ => o,
    }
}

/// Whether a type converts from and to a kind.
fn converts(ty: Type, kind: Kind) -> bool {
    match ty {
        Type::Pair(..) => kind != ty.own() && kind != Kind::Unpacked,
        Type::Limb(_) | Type::Custom(_) => false,
        Type::Packed(..) | Type::Unpacked(_) => match kind {
            Kind::Limb(_) | Kind::Bool => true,
            Kind::Int(i) => i.bits <= 64,
            Kind::Unpacked => kind != ty.own(),
            _ => false,
        },
    }
}

/// Whether a conversion of a type depends on the direction of rounding.
fn rounds(op: Op) -> bool {
    match op {
        Op::From(Kind::Int(i)) => i.bits == 64,
        Op::From(k) => k == Kind::Unpacked,
        Op::To(k) => matches!(k, Kind::Limb(Width::F32) | Kind::Int(_)),
        _ => true,
    }
}

impl Operation {
    /// Kind of a slot.
    pub fn kind(&self, ty: Type, slot: Slot) -> Kind {
        match (slot, self.op) {
            (Slot::Bool, _) => Kind::Bool,
            (Slot::Word, _) => Kind::Int(Int { bits: 64, signed: false }),
            (Slot::Word32, _) => Kind::Int(Int { bits: 32, signed: false }),
            (Slot::Own, _) => ty.own(),
            (Slot::Complex, _) if ty.own() == Kind::Unpacked => Kind::ComplexUnpacked,
            (Slot::Complex, _) => Kind::Complex,
            (Slot::Other, Op::From(k) | Op::To(k)) => k,
            (Slot::Limb | Slot::Other, _) => Kind::Limb(ty.width()),
        }
    }

    /// Kind of argument `i`.
    pub fn arg_kind(&self, ty: Type, i: usize) -> Option<Kind> {
        match self.args {
            Arity::Fixed(slots) => slots.get(i).map(|&s| self.kind(ty, s)),
            Arity::Many | Arity::Pairs => Some(self.kind(ty, Own)),
        }
    }

    /// Kind of the result.
    pub fn result_kind(&self, ty: Type) -> Kind {
        self.kind(ty, self.result)
    }

    /// Whether `n` arguments are right.
    pub fn accepts(&self, n: usize) -> bool {
        match self.args {
            Arity::Fixed(slots) => n == slots.len(),
            Arity::Many => n >= 1,
            Arity::Pairs => n >= 2 && n.is_multiple_of(2),
        }
    }

    /// How many arguments, in words.
    pub fn arity_text(&self) -> String {
        match self.args {
            Arity::Fixed([_]) => "1 argument".into(),
            Arity::Fixed(slots) => format!("{} arguments", slots.len()),
            Arity::Many => "1 or more arguments".into(),
            Arity::Pairs => "an even number of arguments, at least 2".into(),
        }
    }
}

impl Op {
    /// The operation of this name; any that some type has.
    pub fn of(name: &str) -> Option<Op> {
        if let Some(o) = OPERATIONS.into_iter().find(|o| o.op.to_string() == name) {
            return Some(o.op);
        }
        if let Some(line) = INTERNAL.iter().find(|line| line.0 == name) {
            return Some(Op::Internal(line.0));
        }
        let (direction, other) = name.split_once('_')?;
        let kind = conversion_kinds().find(|k| k.name() == other);
        match (direction, kind) {
            ("from", Some(k)) => Some(Op::From(k)),
            ("to", Some(k)) => Some(Op::To(k)),
            ("to", None) => Level::of(other).map(Op::ToLevel),
            _ => None,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Op::Add => "add",
            Op::Sub => "sub",
            Op::Mul => "mul",
            Op::Div => "div",
            Op::Acc => "acc",
            Op::Fma => "fma",
            Op::Mad => "mad",
            Op::Sqrt => "sqrt",
            Op::Rsqrt => "rsqrt",
            Op::Neg => "neg",
            Op::Renormalize => "renormalize",
            Op::Reduce => "reduce",
            Op::Eq => "eq",
            Op::Ne => "ne",
            Op::Lt => "lt",
            Op::Le => "le",
            Op::Gt => "gt",
            Op::Ge => "ge",
            Op::Sum => "sum",
            Op::Product => "product",
            Op::Dot => "dot",
            Op::Cmul => "cmul",
            Op::Internal(name) => name,
            Op::From(k) => return write!(f, "from_{}", k.name()),
            Op::To(k) => return write!(f, "to_{}", k.name()),
            Op::ToLevel(l) => return write!(f, "to_{}", l.name()),
        };
        f.write_str(name)
    }
}
