//! The types that functions belong to, as values: width, level, direction of rounding.

use super::Kind;
use crate::custom;
use core::fmt;

/// Width of a limb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// binary32.
    F32,
    /// binary64.
    F64,
}

impl Width {
    /// Both.
    pub const ALL: [Width; 2] = [Width::F32, Width::F64];

    /// Hexadecimal digits of a limb.
    pub const fn digits(self) -> usize {
        match self {
            Width::F32 => 8,
            Width::F64 => 16,
        }
    }

    /// The bits of a limb that is held as the equal double. A NaN gives the canonical one.
    pub fn bits(self, x: f64) -> u64 {
        match self {
            _ if x.is_nan() => self.nan(),
            Width::F32 => (x as f32).to_bits().into(),
            Width::F64 => x.to_bits(),
        }
    }

    /// The limb with these bits as the equal double.
    pub fn limb(self, bits: u64) -> f64 {
        match self {
            Width::F32 => f32::from_bits(bits as u32).into(),
            Width::F64 => f64::from_bits(bits),
        }
    }

    /// Bits of the canonical NaN.
    pub const fn nan(self) -> u64 {
        match self {
            Width::F32 => 0x7fc0_0000,
            Width::F64 => 0x7ff8_0000_0000_0000,
        }
    }

    /// Name of the pair type, without its level.
    pub const fn pair_name(self) -> &'static str {
        match self {
            Width::F32 => "fp32mp2",
            Width::F64 => "fp64mp2",
        }
    }

    /// Name of the limb type.
    pub const fn limb_name(self) -> &'static str {
        match self {
            Width::F32 => "f32",
            Width::F64 => "f64",
        }
    }
}

/// Accuracy level of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// The shortest sequences.
    Low,
    /// The default.
    Mid,
    /// Relative bounds under cancellation, IEEE special values.
    High,
}

impl Level {
    /// All three.
    pub const ALL: [Level; 3] = [Level::Low, Level::Mid, Level::High];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Low => "low",
            Level::Mid => "mid",
            Level::High => "high",
        }
    }

    /// The level of this name.
    pub fn of(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|l| l.name() == name)
    }
}

/// Direction in which operations of packed emulated doubles round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// To nearest, ties to even.
    #[default]
    Rn,
    /// Toward zero.
    Rz,
    /// Toward +infinity.
    Ru,
    /// Toward -infinity.
    Rd,
}

impl Mode {
    /// All four.
    pub const ALL: [Mode; 4] = [Mode::Rn, Mode::Rz, Mode::Ru, Mode::Rd];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Rn => "rn",
            Mode::Rz => "rz",
            Mode::Ru => "ru",
            Mode::Rd => "rd",
        }
    }

    /// The mode of this name.
    pub fn of(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// A type with operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A double-word number.
    Pair(Width, Level),
    /// One limb: the hardware's own arithmetic.
    Limb(Width),
    /// A reduced format on binary64.
    Custom(custom::Format),
    /// A double computed with integers, as its 64 bits, with the direction in which its operations round.
    Packed(Level, Mode),
    /// The same with sign, exponent and a significand of 62 bits apart.
    Unpacked(Level),
}

impl Type {
    /// Whether it is a reduced format.
    pub const fn is_custom(self) -> bool {
        matches!(self, Type::Custom(_))
    }

    /// Every type; of reduced formats, which are many, none.
    pub fn all() -> impl Iterator<Item = Type> {
        let pairs = Width::ALL.into_iter().flat_map(|w| Level::ALL.map(|l| Type::Pair(w, l)));
        let packed = Level::ALL.into_iter().flat_map(|l| Mode::ALL.map(|m| Type::Packed(l, m)));
        pairs.chain(Width::ALL.map(Type::Limb)).chain(packed).chain(Level::ALL.map(Type::Unpacked))
    }

    /// Width of its limbs; of a type without limbs, that of the hardware's format which its values are read and written in.
    pub const fn width(self) -> Width {
        match self {
            Type::Pair(w, _) | Type::Limb(w) => w,
            Type::Custom(_) => Width::F64,
            Type::Packed(..) | Type::Unpacked(_) => Width::F64,
        }
    }

    /// Its level, if it has one.
    pub const fn level(self) -> Option<Level> {
        match self {
            Type::Pair(_, l) | Type::Packed(l, _) | Type::Unpacked(l) => Some(l),
            Type::Limb(_) | Type::Custom(_) => None,
        }
    }

    /// What its values are.
    pub const fn own(self) -> Kind {
        match self {
            Type::Pair(w, _) => Kind::Pair(w),
            Type::Limb(w) => Kind::Limb(w),
            Type::Custom(_) => Kind::Limb(Width::F64),
            Type::Packed(..) => Kind::Limb(Width::F64),
            Type::Unpacked(_) => Kind::Unpacked,
        }
    }

    /// The direction in which its operations round, of a packed emulated double.
    pub const fn mode(self) -> Option<Mode> {
        match self {
            Type::Packed(_, m) => Some(m),
            _ => None,
        }
    }

    /// Whether it is an emulated double, packed or unpacked.
    pub const fn is_emulated(self) -> bool {
        matches!(self, Type::Packed(..) | Type::Unpacked(_))
    }

    /// Whether it is a pair of limbs: its errors are counted in u^2, and its operands may be unnormalised.
    pub const fn is_pair(self) -> bool {
        matches!(self, Type::Pair(..))
    }

    /// Whether it is the hardware's own.
    pub const fn is_native(self) -> bool {
        matches!(self, Type::Limb(_))
    }

    /// The same type at another level; itself where it has none.
    pub const fn at_level(self, level: Level) -> Type {
        match self {
            Type::Pair(w, _) => Type::Pair(w, level),
            Type::Limb(_) | Type::Custom(_) => self,
            Type::Packed(_, mode) => Type::Packed(level, mode),
            Type::Unpacked(_) => Type::Unpacked(level),
        }
    }

    /// Whether it is the one that its name without a level stands for.
    pub const fn is_default(self) -> bool {
        use Type::{Custom, Limb, Packed, Pair, Unpacked};
        matches!(
            self,
            Pair(_, Level::Mid) | Limb(_) | Custom(_) | Packed(Level::High, Mode::Rn) | Unpacked(Level::High)
        )
    }

    /// Its name without the level; of every reduced format that of the family, `fp64_custom`.
    pub const fn family(self) -> &'static str {
        match self {
            Type::Pair(w, _) => w.pair_name(),
            Type::Limb(w) => w.limb_name(),
            Type::Custom(_) => "fp64_custom",
            Type::Packed(..) => "fp64emu",
            Type::Unpacked(_) => "fp64emu_unpacked",
        }
    }

    /// Its name without the level.
    pub const fn name(self) -> TypeName {
        TypeName(self)
    }

    /// The types of this name, at every level.
    pub fn named(name: &str) -> impl Iterator<Item = Type> {
        Type::all().filter(move |ty| ty.family() == name)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        self.level().map_or(Ok(()), |l| write!(f, ".{}", l.name()))?;
        self.mode().filter(|&m| m != Mode::Rn).map_or(Ok(()), |m| write!(f, ".{}", m.name()))
    }
}

/// A type's name without its level: the family's, of a reduced format with sizes and options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeName(Type);

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::Custom(format) => write!(f, "{format}"),
            ty => f.pad(ty.family()),
        }
    }
}
