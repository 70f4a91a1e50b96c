//! How a function is called.

use std::fmt;
use std::str::FromStr;

/// The type of arguments and results. Functions of libraries are called with the last three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// binary16.
    F16,
    /// bfloat16.
    BF16,
    /// C's float.
    F32,
    /// C's double.
    F64,
    /// C's `_Float128`: binary128, as its high words and low ones.
    F128,
}

/// Arguments and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// y = f(x).
    One,
    /// z = f(x, y).
    Two,
    /// w = f(x, y, z).
    Three,
    /// f(x, &s, &c): two results through pointers.
    TwoResults,
    /// y = f(x, &n): a result, and an int through a pointer.
    AndInt,
    /// y = f(x, &z): a result, and another one through a pointer.
    AndNumber,
}

/// A function's type in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Arguments and results.
    pub shape: Shape,
    /// Their type.
    pub number: Number,
}

const NUMBERS: [(Number, &str); 5] =
    [(Number::F16, "f16"), (Number::BF16, "bf16"), (Number::F32, "f32"), (Number::F64, "f64"), (Number::F128, "f128")];

const SHAPES: [(Shape, &str); 6] = [
    (Shape::One, "one"),
    (Shape::Two, "two"),
    (Shape::Three, "three"),
    (Shape::TwoResults, "two_results"),
    (Shape::AndInt, "and_int"),
    (Shape::AndNumber, "and_number"),
];

/// The value beside a name, or the name beside a value, of a table.
fn beside<T: Copy + PartialEq>(
    table: &[(T, &'static str)],
    wanted: impl Fn(T, &str) -> bool,
) -> Option<(T, &'static str)> {
    table.iter().copied().find(|&(value, name)| wanted(value, name))
}

impl Number {
    /// What C's names of functions of this type end with.
    pub const fn suffix(self) -> &'static str {
        match self {
            Number::F16 => "f16",
            Number::BF16 => "bf16",
            Number::F32 => "f",
            Number::F64 => "",
            Number::F128 => "f128",
        }
    }

    /// Its name: `f16`, `bf16`, `f32`, `f64` or `f128`.
    pub fn name(self) -> &'static str {
        beside(&NUMBERS, |number, _| number == self).map_or("", |found| found.1)
    }

    /// Whether these bits are a NaN.
    pub fn is_nan(self, bits: u64) -> bool {
        match self {
            Number::F16 => bits & 0x7fff > 0x7c00,
            Number::BF16 => bits & 0x7fff > 0x7f80,
            Number::F32 => f32::from_bits(bits as u32).is_nan(),
            Number::F64 => f64::from_bits(bits).is_nan(),
            Number::F128 => bits & i64::MAX as u64 > 0x7fff << 48,
        }
    }
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Number, String> {
        let found = beside(&NUMBERS, |_, name| name == text);
        found.map(|found| found.0).ok_or_else(|| format!("expected f16, bf16, f32, f64 or f128, found `{text}`"))
    }
}

impl Shape {
    /// Number of arguments.
    pub const fn arguments(self) -> usize {
        match self {
            Shape::Two => 2,
            Shape::Three => 3,
            _ => 1,
        }
    }

    /// Number of results.
    pub const fn results(self) -> usize {
        match self {
            Shape::One | Shape::Two | Shape::Three => 1,
            _ => 2,
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = match self.number {
            Number::F16 => "_Float16",
            Number::BF16 => "__bf16",
            Number::F32 => "float",
            Number::F64 => "double",
            Number::F128 => "_Float128",
        };
        match self.shape {
            Shape::One => write!(f, "{c} ({c})"),
            Shape::Two => write!(f, "{c} ({c}, {c})"),
            Shape::Three => write!(f, "{c} ({c}, {c}, {c})"),
            Shape::TwoResults => write!(f, "void ({c}, {c} *, {c} *)"),
            Shape::AndInt => write!(f, "{c} ({c}, int *)"),
            Shape::AndNumber => write!(f, "{c} ({c}, {c} *)"),
        }
    }
}

impl Signature {
    /// Number of words of results.
    pub(crate) fn results(self) -> usize {
        if self.number == Number::F128 { 2 } else { self.shape.results() }
    }

    /// As one word, which [`Signature::decode`] reads.
    pub(crate) fn encode(self) -> String {
        let shape = beside(&SHAPES, |shape, _| shape == self.shape).map_or("", |found| found.1);
        format!("{shape}.{}", self.number.name())
    }

    /// From the word of [`Signature::encode`].
    pub(crate) fn decode(word: &str) -> Option<Signature> {
        let (shape, number) = word.split_once('.')?;
        let shape = beside(&SHAPES, |_, name| name == shape)?.0;
        Some(Signature { shape, number: number.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_goes_through_a_pipe() {
        for (shape, _) in SHAPES {
            for (number, _) in NUMBERS {
                let signature = Signature { shape, number };
                assert_eq!(Signature::decode(&signature.encode()), Some(signature));
            }
        }
        assert_eq!(Signature::decode("four.f32"), None);
        assert_eq!(Signature { shape: Shape::AndInt, number: Number::F64 }.to_string(), "double (double, int *)");
    }
}
