//! Which function: an operation of a type, in one spelling everywhere.

use super::custom;
use std::fmt;
use vernier::function::{Kind, Level, Mode, Op, Stat, Type, Width, operation};

/// A recorded function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FunctionId {
    /// An operation of a type. Where all levels share one sequence, the type is at its default level.
    Of(Type, Op),
    /// An operation of reduced formats that takes the format as an argument, or that does not depend on it.
    AnyFormat(Op),
    /// An operation of a device's own doubles, in a direction.
    Native(Op, Mode),
}

const UNPACKED: &str = "fp64emu_unpacked";
/// The family of what does not depend on the width of pairs.
const ANY_WIDTH: &str = "vernier";

/// The direction of a packed operation whose name has no suffix: a cast to an integer truncates.
fn usual(op: Op) -> Mode {
    if matches!(op, Op::To(Kind::Int(_))) { Mode::Rz } else { Mode::Rn }
}

/// Whether every level has its own sequence.
fn is_leveled(ty: Type, op: Op) -> bool {
    ty.level().is_some()
        && ty.mode().is_none_or(|mode| mode == Mode::Rn)
        && operation(ty, op).is_some_and(|o| !o.any_level)
}

/// The default level of a type.
fn default_level(ty: Type) -> Type {
    ty.at_level(if ty.is_pair() { Level::Mid } else { Level::High })
}

impl FunctionId {
    /// The function that computes an operation of a type. Of conversions between pairs that of the type which results; none where
    /// nothing is computed.
    pub fn of(ty: Type, op: Op) -> Option<FunctionId> {
        operation(ty, op)?;
        Some(match (ty, op) {
            (_, Op::Stat(Stat::Precedes)) => FunctionId::Of(Type::Pair(Width::F64, Level::Mid), op),
            (Type::Pair(w, _), Op::To(Kind::Pair(to))) => {
                FunctionId::Of(Type::Pair(to, Level::Mid), Op::From(Kind::Pair(w)))
            }
            // Out of low limbs are made canonical; otherwise they are copied.
            (Type::Pair(w, Level::Low), Op::ToLevel(Level::Mid | Level::High)) => {
                FunctionId::Of(Type::Pair(w, Level::Mid), Op::Canonical)
            }
            (_, Op::ToLevel(_)) => return None,
            (Type::Custom(f), _) => {
                if custom::family_of(f).is_some() && !op.is_comparison() && !matches!(op, Op::Neg | Op::Reduce) {
                    FunctionId::Of(ty, op)
                } else {
                    FunctionId::AnyFormat(op)
                }
            }
            _ => FunctionId::at_level(ty, op),
        })
    }

    /// The function at the type's level where levels differ, and the one of all levels otherwise.
    fn at_level(ty: Type, op: Op) -> FunctionId {
        FunctionId::Of(if is_leveled(ty, op) { ty } else { default_level(ty) }, op)
    }

    /// The function of a family, an operation and a level, the default one where none is given, by their names in printed code.
    pub fn named(family: &str, op: &str, level: Option<&str>) -> Option<FunctionId> {
        if family == ANY_WIDTH {
            return Some(FunctionId::Of(Type::Pair(Width::F64, Level::Mid), Op::of(op)?));
        }
        if family == custom::ANY {
            return Some(FunctionId::AnyFormat(Op::of(op)?));
        }
        if let Some(format) = custom::format_of(family) {
            return Some(FunctionId::Of(Type::Custom(format), Op::of(op)?));
        }
        let packed = |mode| Type::Packed(Level::High, mode);
        match (family, op.strip_prefix("to_fp64emu"), op) {
            (UNPACKED, Some(to), _) => {
                let mode = to.strip_prefix('_').map_or(Some(Mode::Rn), Mode::of)?;
                return Some(FunctionId::Of(packed(mode), Op::From(Kind::Unpacked)));
            }
            (UNPACKED, _, "from_fp64emu") => return Some(FunctionId::Of(packed(Mode::Rn), Op::To(Kind::Unpacked))),
            _ => {}
        }
        let ty = default_level(Type::named(family).next()?);
        let ty = match level {
            Some(name) => ty.at_level(Level::of(name)?),
            None => ty,
        };
        let suffix = op.rsplit_once('_').and_then(|(name, mode)| Some((Op::of(name)?, Mode::of(mode)?)));
        let (ty, op) = match (ty, suffix) {
            (Type::Packed(level, _), Some((op, mode))) => (Type::Packed(level, mode), op),
            (Type::Packed(level, _), None) => {
                let op = Op::of(op)?;
                (Type::Packed(level, usual(op)), op)
            }
            _ => (ty, Op::of(op)?),
        };
        Some(FunctionId::at_level(ty, op))
    }

    /// The type's name in printed code.
    pub fn family(self) -> &'static str {
        match self {
            FunctionId::Of(Type::Packed(..), Op::From(Kind::Unpacked) | Op::To(Kind::Unpacked)) => UNPACKED,
            FunctionId::Of(_, Op::Stat(Stat::Precedes)) => ANY_WIDTH,
            FunctionId::Of(Type::Custom(format), _) => custom::family_of(format).unwrap_or(custom::ANY),
            FunctionId::Of(ty, _) => ty.family(),
            FunctionId::AnyFormat(_) => custom::ANY,
            FunctionId::Native(..) => "fp64native",
        }
    }

    /// The operation.
    pub fn op(self) -> Op {
        match self {
            FunctionId::Of(_, op) | FunctionId::AnyFormat(op) | FunctionId::Native(op, _) => op,
        }
    }

    /// The operation's name in printed code, with the direction where it is not the usual one.
    pub fn op_name(self) -> String {
        let in_mode = |name: String, mode: Mode, usual: Mode| {
            if mode == usual { name } else { format!("{name}_{}", mode.name()) }
        };
        match self {
            FunctionId::Of(Type::Packed(_, mode), Op::From(Kind::Unpacked)) => {
                in_mode("to_fp64emu".into(), mode, Mode::Rn)
            }
            FunctionId::Of(Type::Packed(..), Op::To(Kind::Unpacked)) => "from_fp64emu".into(),
            FunctionId::Of(Type::Packed(_, mode), op) => in_mode(op.to_string(), mode, usual(op)),
            FunctionId::Of(_, op) | FunctionId::AnyFormat(op) => op.to_string(),
            FunctionId::Native(op, mode) => in_mode(op.to_string(), mode, Mode::Rn),
        }
    }

    /// The level, where levels differ.
    pub fn level(self) -> Option<Level> {
        match self {
            FunctionId::Of(ty, op) if is_leveled(ty, op) => ty.level(),
            _ => None,
        }
    }
}

impl fmt::Display for FunctionId {
    /// `FAMILY_LEVEL_OP`, or `FAMILY_OP` where all levels share one sequence: its name in printed code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level() {
            Some(level) => write!(f, "{}_{}_{}", self.family(), level.name(), self.op_name()),
            None => write!(f, "{}_{}", self.family(), self.op_name()),
        }
    }
}
