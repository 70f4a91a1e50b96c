//! Values as they stand in a case line: bits and integers, never rounded text.

use super::types::{Level, Type, Width};
use super::unpacked::Unpacked;
use std::fmt;
use vernier_oracle::{Pair, Target};

/// An integer type, or bool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Int {
    /// Width in bits, 8 to 128.
    pub bits: u32,
    /// Two's complement.
    pub signed: bool,
}

impl Int {
    /// i8 to i128, u8 to u128.
    pub const ALL: [Int; 10] = {
        let mut all = [Int { bits: 8, signed: true }; 10];
        let mut i = 0;
        while i < 10 {
            all[i] = Int { bits: 8 << (i % 5), signed: i < 5 };
            i += 1;
        }
        all
    };

    /// Its name in Rust.
    pub const fn name(self) -> &'static str {
        match (self.bits, self.signed) {
            (8, true) => "i8",
            (16, true) => "i16",
            (32, true) => "i32",
            (64, true) => "i64",
            (_, true) => "i128",
            (8, false) => "u8",
            (16, false) => "u16",
            (32, false) => "u32",
            (64, false) => "u64",
            (_, false) => "u128",
        }
    }

    /// The low bits of `v`, sign- or zero-extended to 128: how integers are held here.
    pub const fn wrap(self, v: u128) -> u128 {
        let unused = 128 - self.bits;
        if self.signed { ((v << unused) as i128 >> unused) as u128 } else { v << unused >> unused }
    }

    /// Smallest and largest value, as text.
    pub fn range(self) -> (String, String) {
        if self.signed {
            let most = i128::MAX >> (128 - self.bits);
            ((-most - 1).to_string(), most.to_string())
        } else {
            ("0".into(), (u128::MAX >> (128 - self.bits)).to_string())
        }
    }

    /// The value of decimal digits with an optional minus sign, if it is in range.
    pub fn parse(self, text: &str) -> Option<u128> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let v = if self.signed { text.parse::<i128>().ok()? as u128 } else { text.parse::<u128>().ok()? };
        (self.wrap(v) == v).then_some(v)
    }

    /// As decimal text.
    pub fn text(self, v: u128) -> String {
        if self.signed { (v as i128).to_string() } else { v.to_string() }
    }
}

/// What an argument or a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// One limb.
    Limb(Width),
    /// IEEE binary128.
    Binary128,
    /// Two limbs.
    Pair(Width),
    /// An integer.
    Int(Int),
    /// 0 or 1.
    Bool,
    /// An unpacked emulated double.
    Unpacked,
    /// Real and imaginary part, each a double.
    Complex,
    /// Real and imaginary part, each an unpacked emulated double.
    ComplexUnpacked,
}

impl Kind {
    /// As it appears in the name of a conversion.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Limb(w) => w.limb_name(),
            Kind::Binary128 => "f128",
            Kind::Pair(w) => w.pair_name(),
            Kind::Int(i) => i.name(),
            Kind::Bool => "bool",
            Kind::Unpacked => "fp64emu_unpacked",
            Kind::Complex => "complex",
            Kind::ComplexUnpacked => "complex_unpacked",
        }
    }

    /// What the error of a number of this kind is held against; none where a value is right or wrong.
    pub const fn target(self) -> Option<Target> {
        match self {
            Kind::Limb(w) => Some(Type::Limb(w).target()),
            Kind::Pair(w) => Some(Type::Pair(w, Level::Mid).target()),
            Kind::Unpacked => Some(Target::UNPACKED),
            Kind::Binary128 | Kind::Int(_) | Kind::Bool | Kind::Complex | Kind::ComplexUnpacked => None,
        }
    }

    /// How it is written, for messages.
    pub fn expected(self) -> String {
        match self {
            Kind::Limb(w) => format!("{} hexadecimal digits or `nan`", w.digits()),
            Kind::Binary128 => "32 hexadecimal digits or `nan`".into(),
            Kind::Pair(w) => format!("a pair hi:lo of {0} and {0} hexadecimal digits, or `nan`", w.digits()),
            Kind::Int(i) => {
                let (least, most) = i.range();
                format!("{}: and an integer from {least} to {most}", i.name())
            }
            Kind::Bool => "0 or 1".into(),
            Kind::Unpacked => "s:eeeeeeee:mmmmmmmmmmmmmmmm (sign, exponent and significand in hexadecimal), \
                               the 16 hexadecimal digits of a double, or `nan`"
                .into(),
            Kind::Complex | Kind::ComplexUnpacked => "real and imaginary part".into(),
        }
    }
}

/// One argument or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Bits of one limb.
    Limb(Width, u64),
    /// Bits of a binary128.
    Binary128(u128),
    /// Bits of hi and lo.
    Pair(Width, u64, u64),
    /// An integer, extended to 128 bits.
    Int(Int, u128),
    /// A truth value.
    Bool(bool),
    /// An unpacked emulated double.
    Unpacked(Unpacked),
    /// Bits of two doubles.
    Complex(u64, u64),
    /// Two unpacked emulated doubles.
    ComplexUnpacked(Unpacked, Unpacked),
}

impl Value {
    /// A pair from limbs held as doubles.
    pub fn of_pair(w: Width, (hi, lo): Pair) -> Value {
        Value::Pair(w, w.bits(hi), w.bits(lo))
    }

    /// A limb held as a double.
    pub fn of_limb(w: Width, x: f64) -> Value {
        Value::Limb(w, w.bits(x))
    }

    /// What it is.
    pub const fn kind(self) -> Kind {
        match self {
            Value::Limb(w, _) => Kind::Limb(w),
            Value::Binary128(_) => Kind::Binary128,
            Value::Pair(w, ..) => Kind::Pair(w),
            Value::Int(i, _) => Kind::Int(i),
            Value::Bool(_) => Kind::Bool,
            Value::Unpacked(_) => Kind::Unpacked,
            Value::Complex(..) => Kind::Complex,
            Value::ComplexUnpacked(..) => Kind::ComplexUnpacked,
        }
    }

    /// Its parts, where it is a complex number.
    pub fn parts(self) -> Option<[Value; 2]> {
        match self {
            Value::Complex(re, im) => Some([re, im].map(|x| Value::Limb(Width::F64, x))),
            Value::ComplexUnpacked(re, im) => Some([re, im].map(Value::Unpacked)),
            _ => None,
        }
    }

    /// The complex number of two parts of one kind.
    pub fn of_parts(re: Value, im: Value) -> Option<Value> {
        match (re, im) {
            (Value::Limb(Width::F64, re), Value::Limb(Width::F64, im)) => Some(Value::Complex(re, im)),
            (Value::Unpacked(re), Value::Unpacked(im)) => Some(Value::ComplexUnpacked(re, im)),
            _ => None,
        }
    }

    /// The limbs as doubles, where it has limbs; of an unpacked number in the range of doubles the leading 53 digits and
    /// the rest.
    pub fn to_pair(self) -> Option<Pair> {
        match self {
            Value::Limb(w, x) => Some((w.limb(x), 0.0)),
            Value::Pair(w, hi, lo) => Some((w.limb(hi), w.limb(lo))),
            Value::Unpacked(x) => x.to_pair(),
            _ => None,
        }
    }

    /// Whether its value is NaN: hi is, or hi is finite and lo is.
    pub fn is_nan(self) -> bool {
        match self {
            Value::Binary128(x) => is_nan128(x),
            Value::Unpacked(x) => x.is_nan(),
            _ => self.to_pair().is_some_and(|(hi, lo)| hi.is_nan() || (hi.is_finite() && lo.is_nan())),
        }
    }

    /// The same value with one canonical NaN in place of all of them.
    pub fn canonical(self) -> Value {
        match self {
            Value::Limb(w, _) if self.is_nan() => Value::Limb(w, w.nan()),
            Value::Pair(w, ..) if self.is_nan() => Value::Pair(w, w.nan(), 0),
            Value::Binary128(_) if self.is_nan() => Value::Binary128(NAN128),
            Value::Pair(w, hi, lo) if w.limb(lo).is_nan() => Value::Pair(w, hi, w.nan()),
            Value::Unpacked(x) => Value::Unpacked(x.canonical()),
            Value::Complex(re, im) => {
                let one_nan = |x: u64| if f64::from_bits(x).is_nan() { Width::F64.nan() } else { x };
                Value::Complex(one_nan(re), one_nan(im))
            }
            Value::ComplexUnpacked(re, im) => Value::ComplexUnpacked(re.canonical(), im.canonical()),
            v => v,
        }
    }

    /// The same bits, all NaN being one.
    pub fn same(self, other: Value) -> bool {
        self.canonical() == other.canonical()
    }
}

pub(super) const NAN128: u128 = 0x7fff_8000 << 96;

fn is_nan128(x: u128) -> bool {
    x << 1 > 0xfffe << 112
}

/// In the alternate form a NaN that is not the canonical one is written as its bits.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = f.alternate();
        let limb = |f: &mut fmt::Formatter<'_>, w: Width, x: u64| {
            if w.limb(x).is_nan() && (!bits || x == w.nan()) {
                f.write_str("nan")
            } else {
                write!(f, "{x:0width$x}", width = w.digits())
            }
        };
        match *self {
            Value::Limb(w, x) => limb(f, w, x),
            Value::Pair(w, hi, 0) if w.limb(hi).is_nan() && (!bits || hi == w.nan()) => f.write_str("nan"),
            Value::Pair(w, hi, lo) => {
                limb(f, w, hi)?;
                f.write_str(":")?;
                limb(f, w, lo)
            }
            Value::Binary128(x) if is_nan128(x) && (!bits || x == NAN128) => f.write_str("nan"),
            Value::Binary128(x) => write!(f, "{x:032x}"),
            Value::Int(i, v) => write!(f, "{}:{}", i.name(), i.text(v)),
            Value::Bool(b) => write!(f, "{}", u8::from(b)),
            Value::Unpacked(x) => x.fmt(f),
            Value::Complex(re, im) => {
                limb(f, Width::F64, re)?;
                f.write_str(" ")?;
                limb(f, Width::F64, im)
            }
            Value::ComplexUnpacked(re, im) => write!(f, "{re} {im}"),
        }
    }
}
