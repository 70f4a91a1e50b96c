//! Reading a case line. Every error knows its column and what was expected there.

use super::op::{Op, Operation, operation, operations};
use super::types::{Level, Type, Width};
use super::value::{Kind, Value};
use super::{Case, Expected};
use vernier::custom::{Format, FormatError};

/// A word of a line and the column of its first byte, from 0.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a [u8],
    at: usize,
}

/// Types of the notation that this version does not evaluate.
const RESERVED: [&str; 2] = ["fp64emu", "fp64emu_unpacked"];

/// Operations of the notation that this version does not evaluate.
const RESERVED_OPS: [&str; 1] = ["cmul"];

/// The case of a line; `None` if it holds only blanks and a comment.
///
/// A line may end in `\n` or `\r\n` or neither. Columns count characters from 1.
pub fn parse_line(line: &[u8]) -> Result<Option<Case>, Expected> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let code = line.split(|&c| c == b'#').next().unwrap_or_default();
    parse_words(code).map_err(|e| e.in_line(code))
}

fn parse_words(code: &[u8]) -> Result<Option<Case>, Expected> {
    let mut words = words(code);
    let end = Word { text: b"", at: code.len() };
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let ty = parse_type(first)?;
    let op_word = words.next().unwrap_or(end);
    let line = parse_op(ty, op_word)?;

    let mut args = Vec::new();
    let mut equals = None;
    for word in words.by_ref() {
        if word.text == b"=" {
            equals = Some(word);
            break;
        }
        let Some(kind) = line.arg_kind(ty, args.len()) else {
            return Err(word.expected(format!(
                "`=` or the end of the line after {} of {}",
                line.arity_text(),
                line.op
            )));
        };
        args.push(parse_value(kind, word)?);
    }
    if !line.accepts(args.len()) {
        let place = equals.unwrap_or(end);
        let next = line.arg_kind(ty, args.len()).map_or_else(String::new, Kind::expected);
        let what = format!("argument {} of {} ({}): {next}", args.len() + 1, line.op, line.arity_text());
        return Err(place.expected(what));
    }
    let mut results = Vec::new();
    if equals.is_some() {
        let word = words.next().unwrap_or(end);
        results.push(parse_value(line.result_kind(ty), word)?);
        if let Some(extra) = words.next() {
            return Err(extra.expected("the end of the line after the result"));
        }
    }
    Ok(Some(Case { ty, op: line.op, args, results }))
}

fn words(code: &[u8]) -> impl Iterator<Item = Word<'_>> {
    let blank = |c: u8| c == b' ' || c == b'\t';
    let mut at = 0;
    std::iter::from_fn(move || {
        at += code[at..].iter().take_while(|&&c| blank(c)).count();
        let length = code[at..].iter().take_while(|&&c| !blank(c)).count();
        let word = Word { text: &code[at..at + length], at };
        at += length;
        (length > 0).then_some(word)
    })
}

impl<'a> Word<'a> {
    fn expected(self, what: impl Into<String>) -> Expected {
        Expected::at(self.at, what, self.text)
    }

    /// The part from byte `from` on.
    fn tail(self, from: usize) -> Word<'a> {
        Word { text: &self.text[from..], at: self.at + from }
    }

    fn head(self, to: usize) -> Word<'a> {
        Word { text: &self.text[..to], ..self }
    }

    fn find(self, c: u8) -> Option<usize> {
        self.text.iter().position(|&b| b == c)
    }

    fn str(self) -> &'a str {
        std::str::from_utf8(self.text).unwrap_or("\u{fffd}")
    }
}

fn parse_type(word: Word<'_>) -> Result<Type, Expected> {
    let dot = word.find(b'.');
    let name = word.head(dot.unwrap_or(word.text.len()));
    let level = dot.map(|d| word.tail(d + 1));
    let stem = name.str().split('<').next().unwrap_or_default();
    if RESERVED.contains(&stem) {
        return Err(word.expected(format!("a type of this version ({stem} is not supported by it): {}", type_names())));
    }
    let custom = stem == "fp64_custom";
    let types: Vec<Type> =
        if custom { vec![Type::Custom(parse_format(name)?)] } else { Type::named(name.str()).collect() };
    let Some(&default) = types.iter().find(|ty| ty.is_default()) else {
        return Err(name.expected(format!("a type: {}", type_names())));
    };
    let Some(level) = level else {
        return Ok(default);
    };
    if default.level().is_none() {
        return Err(level.expected(format!("no level after {}", default.name())));
    }
    if let Some(d) = level.find(b'.') {
        return Err(level.tail(d + 1).expected(format!("no rounding mode: {} has none", default.name())));
    }
    let found = types.into_iter().find(|ty| ty.level().map(Level::name) == Some(level.str()));
    found.ok_or_else(|| level.expected("a level: low, mid or high"))
}

fn parse_format(name: Word<'_>) -> Result<Format, Expected> {
    name.str().parse().map_err(|error| {
        let at = if let FormatError::Text(at) = error { at.min(name.text.len()) } else { 0 };
        name.tail(at).expected(error.to_string())
    })
}

fn type_names() -> &'static str {
    "fp32mp2 or fp64mp2 (then .low, .mid or .high), f32, f64 or fp64_custom<E,M>"
}

fn parse_op(ty: Type, word: Word<'_>) -> Result<Operation, Expected> {
    let name = word.str();
    if RESERVED_OPS.contains(&name) {
        return Err(word.expected(format!("an operation of this version ({name} is not supported by it)")));
    }
    Op::of(name).and_then(|op| operation(ty, op)).ok_or_else(|| {
        let names: Vec<String> = operations(ty).map(|o| o.op.to_string()).collect();
        word.expected(format!("an operation of {}: {}", ty.name(), names.join(" ")))
    })
}

fn parse_value(kind: Kind, word: Word<'_>) -> Result<Value, Expected> {
    match kind {
        Kind::Bool => match word.text {
            b"0" => Ok(Value::Bool(false)),
            b"1" => Ok(Value::Bool(true)),
            _ => Err(word.expected(kind.expected())),
        },
        Kind::Int(int) => {
            let digits = word.str().strip_prefix(int.name()).and_then(|rest| rest.strip_prefix(':'));
            let value = digits.and_then(|d| int.parse(d));
            value.map(|v| Value::Int(int, v)).ok_or_else(|| word.expected(kind.expected()))
        }
        Kind::Binary128 if word.text == b"nan" => Ok(Value::Binary128(super::value::NAN128)),
        Kind::Binary128 => Ok(Value::Binary128(parse_hex(word, 32)?)),
        Kind::Limb(w) => Ok(Value::Limb(w, parse_limb(word, w)?)),
        Kind::Pair(w) if word.text == b"nan" => Ok(Value::Pair(w, w.nan(), 0)),
        Kind::Pair(w) => {
            let Some(colon) = word.find(b':') else {
                return Err(word.expected(kind.expected()));
            };
            let lo = word.tail(colon + 1);
            Ok(Value::Pair(w, parse_limb(word.head(colon), w)?, parse_limb(lo, w)?))
        }
    }
}

fn parse_limb(word: Word<'_>, w: Width) -> Result<u64, Expected> {
    if word.text == b"nan" { Ok(w.nan()) } else { parse_hex(word, w.digits()).map(|x| x as u64) }
}

/// Exactly `digits` hexadecimal digits, 32 at most.
fn parse_hex(word: Word<'_>, digits: usize) -> Result<u128, Expected> {
    let what = || format!("{digits} hexadecimal digits");
    if let Some(bad) = word.text.iter().take(digits).position(|c| !c.is_ascii_hexdigit()) {
        return Err(word.tail(bad).expected(format!("a hexadecimal digit (one of {digits})")));
    }
    if word.text.len() > digits {
        return Err(word.tail(digits).expected(format!("no more than {}", what())));
    }
    if word.text.len() < digits {
        return Err(word.expected(format!("{} (there are {})", what(), word.text.len())));
    }
    u128::from_str_radix(word.str(), 16).map_err(|_| word.expected(what()))
}
