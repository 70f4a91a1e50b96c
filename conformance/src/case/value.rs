//! Values as they stand in a case line: bits and integers, never rounded text.

use super::unpacked::Unpacked;
use std::fmt;
use vernier::function::{Int, Kind, Width};
use vernier_oracle::{Operand, Pair};

/// Integers as text.
pub trait IntText {
    /// Smallest and largest value.
    fn range(self) -> (String, String);
    /// The value of decimal digits with an optional minus sign, if it is in range.
    fn parse(self, text: &str) -> Option<u128>;
    /// As decimal text.
    fn text(self, v: u128) -> String;
}

impl IntText for Int {
    fn range(self) -> (String, String) {
        if self.signed {
            let most = i128::MAX >> (128 - self.bits);
            ((-most - 1).to_string(), most.to_string())
        } else {
            ("0".into(), (u128::MAX >> (128 - self.bits)).to_string())
        }
    }

    fn parse(self, text: &str) -> Option<u128> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let v = if self.signed { text.parse::<i128>().ok()? as u128 } else { text.parse::<u128>().ok()? };
        (self.wrap(v) == v).then_some(v)
    }

    fn text(self, v: u128) -> String {
        if self.signed { (v as i128).to_string() } else { v.to_string() }
    }
}

/// How it is written, for messages.
pub(super) fn expected(kind: Kind) -> String {
    match kind {
        Kind::Limb(w) => format!("{} hexadecimal digits, a decimal number with a point, or `nan`", w.digits()),
        Kind::Binary128 => "32 hexadecimal digits or `nan`".into(),
        Kind::Pair(w) => format!(
            "a pair hi:lo of {0} and {0} hexadecimal digits, a decimal number with a point, or `nan`",
            w.digits()
        ),
        Kind::Int(i) => {
            let (least, most) = i.range();
            format!("{}: and an integer from {least} to {most}", i.name())
        }
        Kind::Bool => "0 or 1".into(),
        Kind::Unpacked => "s:eeeeeeee:mmmmmmmmmmmmmmmm (sign, exponent and significand in hexadecimal), \
                           the 16 hexadecimal digits of a double, or `nan`"
            .into(),
        Kind::Complex | Kind::ComplexUnpacked => "real and imaginary part".into(),
        Kind::PairAndInt(_) => "a pair and an i32".into(),
        Kind::TwoPairs(_) => "two pairs".into(),
    }
}

/// The integer beside a pair.
const I32: Int = Int { bits: 32, signed: true };

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
    /// Bits of hi and lo, and an integer.
    PairAndInt(Width, u64, u64, i32),
    /// Bits of hi and lo, twice.
    TwoPairs(Width, [u64; 4]),
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
            Value::PairAndInt(w, ..) => Kind::PairAndInt(w),
            Value::TwoPairs(w, _) => Kind::TwoPairs(w),
        }
    }

    /// Its parts, where it is two values.
    pub fn parts(self) -> Option<[Value; 2]> {
        match self {
            Value::Complex(re, im) => Some([re, im].map(|x| Value::Limb(Width::F64, x))),
            Value::ComplexUnpacked(re, im) => Some([re, im].map(Value::Unpacked)),
            Value::PairAndInt(w, hi, lo, n) => Some([Value::Pair(w, hi, lo), Value::Int(I32, n as i128 as u128)]),
            Value::TwoPairs(w, [a, b, c, d]) => Some([Value::Pair(w, a, b), Value::Pair(w, c, d)]),
            _ => None,
        }
    }

    /// Two values as one, where there is such a kind.
    pub fn of_parts(first: Value, second: Value) -> Option<Value> {
        match (first, second) {
            (Value::Limb(Width::F64, re), Value::Limb(Width::F64, im)) => Some(Value::Complex(re, im)),
            (Value::Unpacked(re), Value::Unpacked(im)) => Some(Value::ComplexUnpacked(re, im)),
            (Value::Pair(w, hi, lo), Value::Int(I32, n)) => Some(Value::PairAndInt(w, hi, lo, n as i32)),
            (Value::Pair(w, a, b), Value::Pair(_, c, d)) => Some(Value::TwoPairs(w, [a, b, c, d])),
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

    /// The value as the oracle takes it, where it is a real number, an infinity or NaN.
    pub fn operand(self) -> Option<Operand> {
        let integer = |negative: bool, significand: u128| match significand {
            0 => Operand::Pair((0.0, 0.0)),
            _ => Operand::Scaled { negative, significand, exponent: 0 },
        };
        Some(match self {
            Value::Limb(..) | Value::Pair(..) => Operand::Pair(self.to_pair()?),
            Value::Binary128(x) => operand128(x),
            Value::Int(Int { signed: true, .. }, v) => integer((v as i128) < 0, (v as i128).unsigned_abs()),
            Value::Int(_, v) => integer(false, v),
            Value::Bool(b) => integer(false, b.into()),
            Value::Unpacked(x) => x.operand(),
            Value::Complex(..) | Value::ComplexUnpacked(..) | Value::PairAndInt(..) | Value::TwoPairs(..) => {
                return None;
            }
        })
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
            Value::PairAndInt(..) | Value::TwoPairs(..) => {
                let parts = self.parts().map(|parts| parts.map(Value::canonical));
                parts.and_then(|[first, second]| Value::of_parts(first, second)).unwrap_or(self)
            }
            v => v,
        }
    }

    /// The same bits, all NaN being one.
    pub fn same(self, other: Value) -> bool {
        self.canonical() == other.canonical()
    }
}

pub(super) const NAN128: u128 = 0x7fff_8000 << 96;

/// A binary128 as the oracle takes it.
fn operand128(x: u128) -> Operand {
    let (negative, field, fraction) = (x >> 127 == 1, (x >> 112) as i32 & 0x7fff, x & ((1 << 112) - 1));
    let signed = |x: f64| Operand::Pair((if negative { -x } else { x }, 0.0));
    match (field, fraction) {
        _ if is_nan128(x) => Operand::Pair((f64::NAN, 0.0)),
        (0x7fff, _) => signed(f64::INFINITY),
        (0, 0) => signed(0.0),
        (0, _) => Operand::Scaled { negative, significand: fraction, exponent: -16494 },
        _ => Operand::Scaled { negative, significand: fraction | 1 << 112, exponent: field - 16383 - 112 },
    }
}

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
            Value::PairAndInt(..) | Value::TwoPairs(..) => {
                let Some([first, second]) = self.parts() else { return Ok(()) };
                write!(f, "{first} {second}")
            }
        }
    }
}
