//! Decimal text to the nearest pair.

use core::fmt;

use super::fixed::Fixed;
use super::format::Format;
use super::wide;
use crate::double_word::HostLimb;

/// What a text that is no number should have had at [`ParseError::position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// A number: digits, a point, `inf` or `nan`.
    Number,
    /// A digit before or after the point.
    Digit,
    /// A digit of the exponent.
    ExponentDigit,
    /// The word `inf` or `infinity`.
    Infinity,
    /// The word `nan`.
    Nan,
    /// The end of the text.
    End,
}

/// A text is not a decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    position: usize,
    expected: Expected,
}

impl ParseError {
    /// Offset in bytes of the first byte that is wrong; the length of the text if it ends too early.
    pub fn position(&self) -> usize {
        self.position
    }

    /// What should have been there.
    pub fn expected(&self) -> Expected {
        self.expected
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.expected {
            Expected::Number => "a decimal number, `inf` or `nan`",
            Expected::Digit => "a digit",
            Expected::ExponentDigit => "a digit of the exponent",
            Expected::Infinity => "`inf` or `infinity`",
            Expected::Nan => "`nan`",
            Expected::End => "the end of the number",
        };
        write!(f, "expected {expected} at byte {}", self.position)
    }
}

impl core::error::Error for ParseError {}

/// Reads a decimal number v as (hi, lo) = (RN(v), RN(v - RN(v))).
///
/// The text is that of `f64::from_str`: an optional sign, then `inf`, `infinity` or `nan` in any case, or digits with an
/// optional point among, before or behind them and an optional exponent. Any number of digits is taken into account. RN is
/// round to nearest, ties to even, with subnormal numbers; if RN(v) overflows the result is (inf, +0). A zero lo is +0, and the
/// sign of a zero v goes to hi. NaN is the quiet one without sign.
///
/// # Errors
///
/// [`ParseError`] names the first byte at which the text stops being a number.
///
/// # Example
///
/// ```
/// let (hi, lo) = vernier::text::parse_pair::<f64>("0.1")?;
/// assert_eq!((hi, lo), (0.1, -5.551115123125783e-18));
/// # Ok::<(), vernier::text::ParseError>(())
/// ```
pub fn parse_pair<F: HostLimb>(text: &str) -> Result<(F, F), ParseError> {
    let format = Format::of::<F>();
    let (negative, number) = scan(text.as_bytes())?;
    let limb = |bits: u64, negative: bool| F::from_bits_u64(if negative { bits | format.sign() } else { bits });
    Ok(match number {
        Number::Nan => (limb(format.nan(), false), limb(0, false)),
        Number::Infinity => (limb(format.inf, negative), limb(0, false)),
        Number::Decimal(decimal) => {
            let (hi, lo, below) = decimal.round(&format);
            (limb(hi, negative), limb(lo, lo != 0 && negative != below))
        }
    })
}

/// A decimal number without its sign.
pub(crate) enum Parsed {
    Nan,
    /// Infinity, and from 10^20300000 on.
    Infinite,
    /// Also below 10^-20300000.
    Zero,
    /// The leading bits from the first one on, at least 65 of them; whether the number is larger; and the weight of the first
    /// one as a power of 2.
    Finite(u128, bool, i32),
}

/// Reads a decimal number as [`parse_pair`] does, without rounding it to a format: the sign (true for minus) and the rest.
pub(crate) fn parse_leading(text: &str) -> Result<(bool, Parsed), ParseError> {
    let (negative, number) = scan(text.as_bytes())?;
    let parsed = match number {
        Number::Nan => Parsed::Nan,
        Number::Infinity => Parsed::Infinite,
        Number::Decimal(decimal) => decimal.leading(),
    };
    Ok((negative, parsed))
}

enum Number<'a> {
    Nan,
    Infinity,
    Decimal(Decimal<'a>),
}

/// `integer`.`fraction` * 10^`exponent`, the two parts being ASCII digits.
struct Decimal<'a> {
    integer: &'a [u8],
    fraction: &'a [u8],
    exponent: i64,
}

/// The sign (true for minus) and the rest.
fn scan(text: &[u8]) -> Result<(bool, Number<'_>), ParseError> {
    let wrong = |position, expected| Err(ParseError { position, expected });
    let digits_from = |start: usize| {
        let count = text[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        &text[start..start + count]
    };
    let negative = text.first() == Some(&b'-');
    let start = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    match text.get(start) {
        Some(b'i' | b'I') => {
            return word(text, start, b"infinity", Expected::Infinity).map(|()| (negative, Number::Infinity));
        }
        Some(b'n' | b'N') => {
            return word(text, start, b"nan", Expected::Nan).map(|()| (negative, Number::Nan));
        }
        Some(b'.' | b'0'..=b'9') => {}
        _ => return wrong(start, Expected::Number),
    }

    let integer = digits_from(start);
    let mut at = start + integer.len();
    let mut fraction: &[u8] = &[];
    if text.get(at) == Some(&b'.') {
        fraction = digits_from(at + 1);
        at += 1 + fraction.len();
    }
    if integer.is_empty() && fraction.is_empty() {
        return wrong(at, Expected::Digit);
    }

    let mut exponent = 0;
    if let Some(b'e' | b'E') = text.get(at) {
        let minus = text.get(at + 1) == Some(&b'-');
        at += 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let digits = digits_from(at);
        if digits.is_empty() {
            return wrong(at, Expected::ExponentDigit);
        }
        at += digits.len();
        let size = digits.iter().fold(0_i64, |e, d| (10 * e + i64::from(d - b'0')).min(EXPONENT_LIMIT));
        exponent = if minus { -size } else { size };
    }
    if at != text.len() {
        return wrong(at, Expected::End);
    }
    Ok((negative, Number::Decimal(Decimal { integer, fraction, exponent })))
}

/// No text in memory has enough digits to bring an exponent of this size back into range.
const EXPONENT_LIMIT: i64 = i64::MAX / 16;

/// Exactly `name` or its first three letters, in any case, from `start` to the end.
fn word(text: &[u8], start: usize, name: &[u8], expected: Expected) -> Result<(), ParseError> {
    let rest = &text[start..];
    let equal = rest.iter().zip(name).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let wrong = |expected| Err(ParseError { position: start + equal, expected });
    match equal {
        _ if equal != 3 && equal != name.len() => wrong(expected),
        _ if equal != rest.len() => wrong(Expected::End),
        _ => Ok(()),
    }
}

/// Digits in a word.
const GROUP: i64 = 19;
/// Groups of the fraction that can change a bit of the fixed-point number, whose lowest weighs 2^-1088. Later digits add less
/// than that to a multiple of 10^-1102 and can only be sticky.
const GROUPS: usize = 58;

impl Decimal<'_> {
    /// Bits of |hi| and |lo|, and whether lo has the sign opposite to that of the number.
    fn round(&self, format: &Format) -> (u64, u64, bool) {
        let Some((value, sticky)) = self.to_fixed() else {
            return (format.inf, 0, false);
        };
        let hi = value.round(sticky, format);
        if hi.encode(format) >= format.inf {
            return (format.inf, 0, false);
        }
        let (mut rest, below) = value.abs_diff(&hi.into());
        if below && sticky {
            rest = rest.sub(&Fixed::UNIT);
        }
        let lo = rest.round(sticky, format);
        (hi.encode(format), lo.encode(format), below)
    }

    /// The digits from the first one on that is not 0, and how many stand before the point, or minus the zeros between the
    /// point and the first one; `None` for zero.
    fn digits(&self) -> Option<(impl Iterator<Item = u64> + Clone, i64)> {
        let all = self.integer.iter().chain(self.fraction).map(|d| u64::from(d - b'0'));
        let leading_zeros = all.clone().position(|d| d != 0)?;
        let before = self.integer.len() as i64 - leading_zeros as i64 + self.exponent;
        Some((all.skip(leading_zeros), before))
    }

    /// The leading bits. Outside 10^-308 to 10^310, of a long number the first 77 digits are taken.
    fn leading(&self) -> Parsed {
        match self.digits() {
            None => Parsed::Zero,
            Some((_, before)) if before > wide::LIMIT => Parsed::Infinite,
            Some((_, before)) if before < -wide::LIMIT => Parsed::Zero,
            Some((digits, before)) if !(-307..=310).contains(&before) => {
                let digits = digits.take(wide::DIGITS);
                let (bits, exponent) = wide::leading(digits.clone(), before - digits.count() as i64);
                Parsed::Finite(bits, true, exponent)
            }
            Some(_) => match self.to_fixed() {
                None => Parsed::Infinite,
                Some((value, sticky)) => match value.leading() {
                    None => Parsed::Zero,
                    Some((bits, rest, exponent)) => Parsed::Finite(bits, rest | sticky, exponent),
                },
            },
        }
    }

    /// The value rounded down, and whether that was inexact; `None` from 10^310 on.
    fn to_fixed(&self) -> Option<(Fixed, bool)> {
        let mut value = Fixed::ZERO;
        let Some((mut digits, before)) = self.digits() else {
            return Some((value, false));
        };
        if before > 310 {
            return None;
        }
        if before < -GROUP * GROUPS as i64 {
            return Some((value, true));
        }

        let mut left = before;
        while left > 0 {
            let count = left.min(GROUP);
            let (mut ten, mut group) = (1, 0);
            for _ in 0..count {
                ten *= 10;
                group = 10 * group + digits.next().unwrap_or(0);
            }
            value.push_integer(ten, group);
            left -= count;
        }

        let mut zeros = (-before).max(0);
        let mut groups = [0; GROUPS];
        let mut used = 0;
        let mut next = digits.next();
        while used < GROUPS && next.is_some() {
            for _ in 0..GROUP {
                let digit = if zeros > 0 {
                    zeros -= 1;
                    0
                } else {
                    let digit = next.unwrap_or(0);
                    next = digits.next();
                    digit
                };
                groups[used] = 10 * groups[used] + digit;
            }
            used += 1;
        }
        let mut sticky = next.into_iter().chain(digits).any(|d| d != 0);
        for &group in groups[..used].iter().rev() {
            sticky |= value.push_fraction(group);
        }
        Some((value, sticky))
    }
}
