//! The operations, and which type has which.

use super::{Int, Kind, Level, Math, Mode, Type, Width};
use crate::custom;
use core::fmt;

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
    /// The same value with hi = RN(hi + lo), for any limbs; of an unpacked number, any words made a number.
    Canonical,
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
    /// A mathematical function.
    Math(Math),
    /// What instrumented pairs call; no operation of a table.
    Stat(Stat),
}

/// What instrumented pairs call: see [`crate::stat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stat {
    /// The packed class of a pair.
    Class,
    /// The exponents of a pair, at a glance.
    High,
    /// The distance of its limbs, at a glance.
    Apart,
    /// Whether it has one limb only.
    OneLimb,
    /// Whether lo is normal.
    LoNormal,
    /// Whether an addition cancels, at a glance.
    Cancels,
    /// The event of an operation.
    Outcome,
    /// The bits of a limb as a double.
    Limb,
    /// The order of samples, whatever the width.
    Precedes,
}

/// Name, arguments and result of what instrumented pairs call.
const STATS: [(Stat, &str, &[Slot], Slot); 9] = [
    (Stat::Class, "stat_class", &[Own], Word),
    (Stat::High, "stat_high", &[Own], Word32),
    (Stat::Apart, "stat_apart", &[Own], Word32),
    (Stat::OneLimb, "stat_one_limb", &[Own], Bool),
    (Stat::LoNormal, "stat_lo_normal", &[Own], Bool),
    (Stat::Cancels, "stat_cancels", &[Word32; 3], Bool),
    (Stat::Outcome, "stat_outcome", &[Bool, Word, Word, Word], Word32),
    (Stat::Limb, "stat_limb", &[Limb], Word),
    (Stat::Precedes, "stat_precedes", &[Word; 4], Bool),
];

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
    /// An unsigned integer as wide as a limb.
    Unsigned,
    /// This kind, whatever the type.
    Is(Kind),
    /// One of the type and an `i32`.
    OwnAndInt,
    /// Two of the type.
    TwoOwn,
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
    /// Whether `f32` and `f64` have it.
    pub on_limbs: bool,
    /// Whether one row of the table serves all levels.
    pub any_level: bool,
}

use Slot::{Bool, Limb, Own, Word, Word32};

const fn number(op: Op, args: &'static [Slot]) -> Operation {
    Operation { op, args: Arity::Fixed(args), result: Own, on_limbs: false, any_level: false }
}

const fn many(op: Op, args: Arity) -> Operation {
    Operation { args, ..number(op, &[]) }
}

const fn truth(op: Op) -> Operation {
    Operation { op, args: Arity::Fixed(&[Own, Own]), result: Bool, on_limbs: true, any_level: true }
}

const fn on_limbs(o: Operation) -> Operation {
    Operation { on_limbs: true, ..o }
}

const fn any_level(o: Operation) -> Operation {
    Operation { any_level: true, ..o }
}

/// The operations that are not conversions.
pub const OPERATIONS: [Operation; 23] = [
    on_limbs(number(Op::Add, &[Own, Own])),
    on_limbs(number(Op::Sub, &[Own, Own])),
    on_limbs(number(Op::Mul, &[Own, Own])),
    on_limbs(number(Op::Div, &[Own, Own])),
    number(Op::Acc, &[Own, Limb]),
    on_limbs(number(Op::Fma, &[Own, Own, Own])),
    number(Op::Mad, &[Own, Own, Own]),
    on_limbs(any_level(number(Op::Sqrt, &[Own]))),
    any_level(number(Op::Rsqrt, &[Own])),
    on_limbs(any_level(number(Op::Neg, &[Own]))),
    number(Op::Renormalize, &[Own]),
    any_level(number(Op::Canonical, &[Own])),
    number(Op::Reduce, &[Own]),
    truth(Op::Eq),
    truth(Op::Ne),
    truth(Op::Lt),
    truth(Op::Le),
    truth(Op::Gt),
    truth(Op::Ge),
    many(Op::Sum, Arity::Many),
    many(Op::Product, Arity::Many),
    many(Op::Dot, Arity::Pairs),
    Operation { result: Slot::Complex, ..number(Op::Cmul, &[Own; 4]) },
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
    let math = Math::ALL.iter().map(|&f| Op::Math(f));
    // Of words that are no number only the function itself says what it gives.
    let plain = plain.into_iter().filter(move |&op| op != Op::Canonical || ty.is_pair());
    plain.chain(math).chain(conversions).chain(levels).filter_map(move |op| operation(ty, op))
}

/// The table line of an operation, if the type has it.
pub fn operation(ty: Type, op: Op) -> Option<Operation> {
    let conversion =
        |args, result| Operation { op, args: Arity::Fixed(args), result, on_limbs: false, any_level: true };
    match op {
        Op::From(k) | Op::To(k) if !converts(ty, k) => None,
        Op::From(_) | Op::To(_) if ty.mode().is_some_and(|m| m != Mode::Rn && !rounds(op)) => None,
        Op::From(_) => Some(conversion(&[Slot::Other], Own)),
        Op::To(_) => Some(conversion(&[Own], Slot::Other)),
        Op::ToLevel(level) => {
            let has = ty.at_level(level).level() == Some(level) && ty.mode().is_none_or(|m| m == Mode::Rn);
            has.then(|| conversion(&[Own], Own))
        }
        Op::Stat(stat) => {
            let &(_, _, args, result) = STATS.iter().find(|line| line.0 == stat)?;
            let line = Operation { op, args: Arity::Fixed(args), result, on_limbs: false, any_level: true };
            ty.is_pair().then_some(line)
        }
        Op::Math(f) => ty.is_pair().then_some(Operation {
            op,
            args: Arity::Fixed(f.args()),
            result: f.result(),
            on_limbs: false,
            any_level: true,
        }),
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
            Op::Acc | Op::Rsqrt | Op::Renormalize | Op::Canonical | Op::Reduce | Op::Sum | Op::Product => false,
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
        // Of any words.
        Op::Canonical => Operation { args: Arity::Fixed(&[Word32, Word32, Word]), ..o },
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
            (Slot::Unsigned, _) => Kind::Int(Int { bits: 4 * ty.width().digits() as u32, signed: false }),
            (Slot::Own, _) => ty.own(),
            (Slot::Complex, _) if ty.own() == Kind::Unpacked => Kind::ComplexUnpacked,
            (Slot::Complex, _) => Kind::Complex,
            (Slot::Other, Op::From(k) | Op::To(k)) => k,
            (Slot::Limb | Slot::Other, _) => Kind::Limb(ty.width()),
            (Slot::Is(kind), _) => kind,
            (Slot::OwnAndInt, _) => Kind::PairAndInt(ty.width()),
            (Slot::TwoOwn, _) => Kind::TwoPairs(ty.width()),
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
}

impl Op {
    /// The operation of this name; any that some type has.
    pub fn of(name: &str) -> Option<Op> {
        if let Some(o) = OPERATIONS.into_iter().find(|o| o.op.plain_name() == Some(name)) {
            return Some(o.op);
        }
        if let Some(&f) = Math::ALL.iter().find(|f| f.name() == name) {
            return Some(Op::Math(f));
        }
        if let Some(line) = STATS.iter().find(|line| line.1 == name) {
            return Some(Op::Stat(line.0));
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

    /// The name, where it does not hold that of another type.
    const fn plain_name(self) -> Option<&'static str> {
        Some(match self {
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
            Op::Canonical => "canonical",
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
            Op::Math(f) => f.name(),
            Op::Stat(stat) => STATS[stat as usize].1,
            Op::From(_) | Op::To(_) | Op::ToLevel(_) => return None,
        })
    }

    /// Whether it is a comparison: its result is a truth value.
    pub const fn is_comparison(self) -> bool {
        matches!(self, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)
    }

    /// Whether it is a conversion: its result is the argument's value in another type.
    pub const fn is_conversion(self) -> bool {
        matches!(self, Op::From(_) | Op::To(_) | Op::ToLevel(_))
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::From(k) => write!(f, "from_{}", k.name()),
            Op::To(k) => write!(f, "to_{}", k.name()),
            Op::ToLevel(l) => write!(f, "to_{}", l.name()),
            _ => f.write_str(self.plain_name().unwrap_or_default()),
        }
    }
}
