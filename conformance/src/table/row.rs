//! Rows: what one line of the accuracy table is about.

use super::metric::Metric;
use super::{emulated, listed_types, reduced};
use crate::answer::emulated::is_exact;
use crate::case::{Arity, Kind, Level, Mode, Op, Operation, Type, Width, operation, operations};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;
use vernier_oracle::{Meaning, functions};

/// Terms of `sum`, `product` and `dot` in the table.
pub const TERMS: usize = 4;

/// A type with its level, or with all levels by turns where they share a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// One type.
    One(Type),
    /// A type at each level in turn: case i is at level i mod 3.
    AllLevels(Type),
}

/// Which operands a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operands {
    /// Any.
    Any,
    /// The terms of the sum have equal signs.
    EqualSigns,
    /// The terms of the sum have opposite signs.
    OppositeSigns,
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row {
    /// Type and level.
    pub scope: Scope,
    /// Operation.
    pub op: Op,
    /// Operands.
    pub operands: Operands,
}

impl Row {
    /// Every row of the table, in its order.
    pub fn all() -> Vec<Row> {
        let mut rows = Vec::new();
        for ty in listed_types() {
            for line in operations(ty) {
                let scope = match ty {
                    Type::Custom(f) if !reduced::has_row(f, line.op) => continue,
                    _ if !line.any_level || ty.level().is_none() => Scope::One(ty),
                    _ if ty.level() == Some(Level::ALL[0]) => Scope::AllLevels(ty),
                    _ => continue,
                };
                let split = matches!((line.op, ty), (Op::Add | Op::Sub, Type::Pair(_, Level::Low | Level::Mid)));
                let operands: &[Operands] =
                    if split { &[Operands::EqualSigns, Operands::OppositeSigns] } else { &[Operands::Any] };
                rows.extend(operands.iter().map(|&operands| Row { scope, op: line.op, operands }));
            }
        }
        // Arithmetic of a type stands together, by operation and then by level; conversions last.
        let order: Vec<Op> = listed_types().flat_map(operations).map(|o| o.op).collect();
        let place = |r: &Row| order.iter().position(|&op| op == r.op);
        let names: Vec<_> = listed_types().map(Type::name).collect();
        rows.sort_by_cached_key(|r| (names.iter().position(|n| n.to_string() == r.type_name()), place(r), *r));
        rows
    }

    /// The row, and where levels share it the rows of each of them.
    fn levels(self) -> Vec<Row> {
        let of = |ty: Type| Row { scope: Scope::One(ty), ..self };
        let each = matches!(self.scope, Scope::AllLevels(_)).then(|| self.types());
        [self].into_iter().chain(each.into_iter().flatten().map(of)).collect()
    }

    /// The row of this name, which may be that of a single level where the table has one row for all.
    pub fn named(name: &str) -> Option<Row> {
        static ROWS: LazyLock<BTreeMap<String, Row>> =
            LazyLock::new(|| Row::all().into_iter().flat_map(Row::levels).map(|r| (r.to_string(), r)).collect());
        ROWS.get(name).copied()
    }

    /// The types that take turns.
    pub fn types(&self) -> Vec<Type> {
        match self.scope {
            Scope::One(ty) => vec![ty],
            Scope::AllLevels(ty) => Level::ALL.map(|level| ty.at_level(level)).into(),
        }
    }

    /// The type of case `index`.
    pub fn ty(&self, index: u64) -> Type {
        match self.scope {
            Scope::One(ty) => ty,
            Scope::AllLevels(ty) => ty.at_level(Level::ALL[(index % Level::ALL.len() as u64) as usize]),
        }
    }

    /// Width of the limbs.
    pub fn width(&self) -> Width {
        self.ty(0).width()
    }

    /// Name of the type without its level.
    pub fn type_name(&self) -> String {
        self.ty(0).name().to_string()
    }

    /// Name of the level; `all` where levels share the row, that of a preset, `-` where there is none. A mode follows where it is
    /// not to nearest.
    pub fn level_name(&self) -> Cow<'static, str> {
        if let Type::Custom(f) = self.ty(0) {
            return reduced::preset(f).into();
        }
        let level = match self.scope {
            Scope::AllLevels(_) => "all",
            Scope::One(ty) => ty.level().map_or("-", Level::name),
        };
        let directed = self.ty(0).mode().filter(|&m| m != Mode::Rn);
        directed.map_or(level.into(), |m| format!("{level}.{}", m.name()).into())
    }

    /// How long judging a case takes, about, in cases of an addition.
    pub fn cost(&self) -> u64 {
        if let Op::Math(f) = self.op { functions::row(f).cost } else { 1 }
    }

    /// Whether levels share it.
    pub fn is_shared(&self) -> bool {
        matches!(self.scope, Scope::AllLevels(_))
    }

    /// Whether the row covers a level.
    pub fn covers(&self, level: Level) -> bool {
        match self.scope {
            Scope::AllLevels(_) => true,
            Scope::One(ty) => ty.level() == Some(level),
        }
    }

    /// Which operands, in words; empty for any.
    pub fn operands_name(&self) -> &'static str {
        match self.operands {
            Operands::Any => "",
            Operands::EqualSigns => "equal signs",
            Operands::OppositeSigns => "opposite signs",
        }
    }

    /// The table line of the operation.
    pub fn operation(&self) -> Operation {
        // Rows are made of operations that the type has.
        operation(self.ty(0), self.op).unwrap_or(crate::case::OPERATIONS[0])
    }

    /// The type that speaks for the row: where levels share it, what holds at high holds at all.
    pub fn leading_type(&self) -> Type {
        if self.is_shared() { self.ty(0).at_level(Level::High) } else { self.ty(0) }
    }

    /// Whether the samples of an operation with a number as result are also compared with the one correct result.
    pub fn is_compared(&self) -> bool {
        let exact = self.ty(0).is_custom() || is_exact(self.leading_type(), self.op);
        exact && matches!(Meaning::of(self.op), Meaning::Number(_))
    }

    /// Whether every bit of the results is compared, so that a search has nothing to find.
    pub fn needs_no_search(&self) -> bool {
        let ty = self.ty(0);
        ty.is_custom() || (matches!(ty, Type::Packed(..)) && is_exact(self.leading_type(), self.op))
    }

    /// Kinds of the arguments.
    pub fn arg_kinds(&self) -> Vec<Kind> {
        let (line, ty) = (self.operation(), self.ty(0));
        let n = match line.args {
            Arity::Fixed(slots) => slots.len(),
            Arity::Many => TERMS,
            Arity::Pairs => 2 * TERMS,
        };
        (0..n).filter_map(|i| line.arg_kind(ty, i)).collect()
    }

    /// What is claimed about first, then what else is searched for and reported.
    pub fn metrics(&self) -> &'static [Metric] {
        let line = self.operation();
        let native = self.ty(0).is_native() || self.ty(0).is_custom();
        match (Meaning::of(line.op), self.op) {
            (Meaning::Truth(_) | Meaning::Answer(_), _) => &[Metric::Answers],
            (_, Op::Math(_)) => &[Metric::Ulp],
            (Meaning::Convert, Op::From(Kind::Int(_) | Kind::Bool | Kind::Binary128)) => &[Metric::Answers],
            (Meaning::Convert, Op::To(Kind::Int(_) | Kind::Bool | Kind::Binary128)) => &[Metric::Answers],
            (Meaning::Convert, Op::To(Kind::Limb(_))) => &[Metric::Ulp],
            (Meaning::Convert, _) if self.ty(0).is_emulated() => &[Metric::Answers],
            _ if self.ty(0).is_emulated() => emulated::metrics(self.ty(0), self.op),
            (Meaning::Convert, _) => &[Metric::U2],
            _ if native => &[Metric::Ulp],
            (_, Op::Fma | Op::Mad | Op::Sum | Op::Dot) => &[Metric::Terms],
            _ if self.operands == Operands::OppositeSigns => &[Metric::Terms, Metric::U2],
            _ => &[Metric::U2],
        }
    }

    /// The metrics that are searched.
    pub fn searched(&self) -> &'static [Metric] {
        let number = matches!(Meaning::of(self.op), Meaning::Number(_));
        // Exact operations and those of the processor leave nothing to search for.
        let exact = matches!(self.op, Op::Neg | Op::Renormalize | Op::Canonical)
            || self.ty(0).is_native()
            || self.needs_no_search();
        if number && !exact { self.metrics() } else { &[] }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.type_name(), self.op, self.level_name())?;
        if self.operands == Operands::Any { Ok(()) } else { write!(f, " {}", self.operands_name()) }
    }
}
