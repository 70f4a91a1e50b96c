//! Reading a case line. Every error knows its column and what was expected there.

use super::value::{IntText, Value, expected};
use super::{Arity, Kind, MOST_TERMS};
use super::{Case, Expected, Unpacked};
use super::{Level, Mode, Type, Width};
use super::{Op, Operation, operation, operations};
use vernier::custom::{Format, FormatError};
use vernier::{DoubleWord, HostLimb, Mid, fp32mp2, fp64emu_unpacked, fp64mp2};

/// A word of a line and the column of its first byte, from 0.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a [u8],
    at: usize,
}

/// The case of a line; `None` if it holds only blanks and a comment.
///
/// A line may end in `\n` or `\r\n` or neither. Columns count characters from 1.
pub fn parse_line(line: &[u8]) -> Result<Option<Case>, Expected> {
    // The comment first, as where lines are read without theirs.
    let code = line.split(|&c| c == b'#').next().unwrap_or_default();
    let code = code.strip_suffix(b"\n").unwrap_or(code);
    let code = code.strip_suffix(b"\r").unwrap_or(code);
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
        let Some(kind) = line.arg_kind(ty, args.len()).filter(|_| args.len() < most(line.args)) else {
            return Err(word.expected(format!(
                "`=` or the end of the line after {} of {}",
                arity_text(line.args),
                line.op
            )));
        };
        args.push(parse_value(kind, word)?);
    }
    if !line.accepts(args.len()) {
        let place = equals.unwrap_or(end);
        let next = line.arg_kind(ty, args.len()).map_or_else(String::new, expected);
        let what = format!("argument {} of {} ({}): {next}", args.len() + 1, line.op, arity_text(line.args));
        return Err(place.expected(what));
    }
    let mut results = Vec::new();
    if equals.is_some() {
        results.push(parse_result(line.result_kind(ty), || words.next().unwrap_or(end))?);
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
    let custom = name.str().starts_with("fp64_custom") || presets().any(|preset| preset == name.str());
    let types: Vec<Type> =
        if custom { vec![Type::Custom(parse_format(name)?)] } else { Type::named(name.str()).collect() };
    let Some(&default) = types.iter().find(|ty| ty.is_default()) else {
        return Err(name.expected(format!("a type: {}", type_names())));
    };
    let Some(level) = level else {
        return Ok(default);
    };
    if default.level().is_none() {
        return Err(level.expected(format!("no level after {}", name.str())));
    }
    let has_modes = default.mode().is_some();
    let dot = level.find(b'.');
    let (level, mode) = match dot {
        Some(d) => (level.head(d), Some(level.tail(d + 1))),
        // A mode may follow the type at once.
        None if has_modes && Mode::of(level.str()).is_some() => (level.head(0), Some(level)),
        None => (level, None),
    };
    if let Some(mode) = mode.filter(|_| !has_modes) {
        return Err(mode.expected(format!("no rounding mode: {} has none", default.name())));
    }
    let at_level =
        if level.text.is_empty() && mode.is_some() && dot.is_none() { default.level() } else { Level::of(level.str()) };
    let Some(at_level) = at_level else {
        return Err(level.expected(match has_modes {
            true => "a level or a rounding mode: low, mid or high; rn, rz, ru or rd",
            false => "a level: low, mid or high",
        }));
    };
    let mode = match mode {
        Some(mode) => Some(Mode::of(mode.str()).ok_or_else(|| mode.expected("a rounding mode: rn, rz, ru or rd"))?),
        None => default.mode(),
    };
    let found = types.into_iter().find(|ty| ty.level() == Some(at_level) && ty.mode() == mode);
    found.ok_or_else(|| level.expected("a level: low, mid or high"))
}

fn parse_format(name: Word<'_>) -> Result<Format, Expected> {
    name.str().parse().map_err(|error| {
        let at = match error {
            FormatError::Text(at) | FormatError::Contradiction(at) => at.min(name.text.len()),
            _ => 0,
        };
        name.tail(at).expected(error.to_string())
    })
}

/// Names of reduced formats.
fn presets() -> impl Iterator<Item = &'static str> {
    Format::PRESETS.into_iter().map(|(name, _)| name)
}

fn type_names() -> String {
    let presets: Vec<&str> = presets().collect();
    format!(
        "fp32mp2 or fp64mp2 (then .low, .mid or .high), f32, f64, fp64_custom<E,M>, {}, fp64emu (then a level, then .rn, .rz, .ru \
         or .rd) or fp64emu_unpacked (then a level)",
        presets.join(", ")
    )
}

fn parse_op(ty: Type, word: Word<'_>) -> Result<Operation, Expected> {
    Op::of(word.str()).and_then(|op| operation(ty, op)).ok_or_else(|| {
        let names: Vec<String> = operations(ty).map(|o| o.op.to_string()).collect();
        // What another level or mode has is known to be missing in this one.
        let of = if ty.mode().is_some() { ty.to_string() } else { ty.name().to_string() };
        word.expected(format!("an operation of {of}: {}", names.join(" ")))
    })
}

/// One word, or one for each part of the result.
fn parse_result<'a>(kind: Kind, mut next: impl FnMut() -> Word<'a>) -> Result<Value, Expected> {
    let Some([first, second]) = kind.parts() else { return parse_value(kind, next()) };
    let (first, second) = (parse_value(first, next())?, parse_value(second, next())?);
    // The parts are of the kinds that make one.
    Ok(Value::of_parts(first, second).unwrap_or(first))
}

fn parse_unpacked(word: Word<'_>) -> Result<Unpacked, Expected> {
    let kind = Kind::Unpacked;
    if word.text == b"nan" {
        return Ok(Unpacked::NAN);
    }
    let Some(colon) = word.find(b':') else {
        return Ok(Unpacked::of_f64(f64::from_bits(parse_limb(word, Width::F64)?)));
    };
    let (sign, rest) = (word.head(colon), word.tail(colon + 1));
    let sign = match sign.text {
        b"0" => 0,
        b"1" => 1,
        _ => return Err(sign.expected("a sign, 0 or 1, before the exponent")),
    };
    let Some(colon) = rest.find(b':') else {
        return Err(word.expected(expected(kind)));
    };
    let exponent = parse_hex(rest.head(colon), 8)? as u32 as i32;
    let significand = parse_hex(rest.tail(colon + 1), 16)? as u64;
    let x = Unpacked { sign, exponent, significand };
    if x.is_number() {
        return Ok(x);
    }
    Err(rest.expected(
        "exponent and significand of a number: fc000000 to 03ffffff with a significand from 2000000000000000 to \
         3fffffffffffffff; zero e0000000:0000000000000000; infinity 10000000:2000000000000000",
    ))
}

/// A number in decimal, which has a point, rounded to the type as its text is; none for what has no point.
fn parse_decimal(kind: Kind, word: Word<'_>) -> Option<Result<Value, Expected>> {
    word.find(b'.')?;
    fn limbs<F: HostLimb>(x: DoubleWord<F, Mid>) -> [u64; 2] {
        [x.hi(), x.lo()].map(F::to_bits_u64)
    }
    let text = word.str();
    let value = match kind {
        Kind::Limb(w @ Width::F32) => text.parse::<f32>().ok().map(|x| Value::Limb(w, x.to_bits().into())),
        Kind::Limb(w @ Width::F64) => text.parse::<f64>().ok().map(|x| Value::Limb(w, x.to_bits())),
        Kind::Pair(w @ Width::F32) => text.parse::<fp32mp2>().ok().map(limbs).map(|[hi, lo]| Value::Pair(w, hi, lo)),
        Kind::Pair(w @ Width::F64) => text.parse::<fp64mp2>().ok().map(limbs).map(|[hi, lo]| Value::Pair(w, hi, lo)),
        Kind::Unpacked => text.parse::<fp64emu_unpacked>().ok().map(|x| {
            let (sign, exponent, significand) = x.to_parts();
            Value::Unpacked(Unpacked { sign, exponent, significand })
        }),
        _ => return None,
    };
    Some(value.ok_or_else(|| word.expected("a decimal number, as -1.5 or 2.5e-3")))
}

fn parse_value(kind: Kind, word: Word<'_>) -> Result<Value, Expected> {
    if let Some(value) = parse_decimal(kind, word) {
        return value;
    }
    match kind {
        Kind::Bool => match word.text {
            b"0" => Ok(Value::Bool(false)),
            b"1" => Ok(Value::Bool(true)),
            _ => Err(word.expected(expected(kind))),
        },
        Kind::Int(int) => {
            let digits = word.str().strip_prefix(int.name()).and_then(|rest| rest.strip_prefix(':'));
            let value = digits.and_then(|d| int.parse(d));
            value.map(|v| Value::Int(int, v)).ok_or_else(|| word.expected(expected(kind)))
        }
        Kind::Binary128 if word.text == b"nan" => Ok(Value::Binary128(super::value::NAN128)),
        Kind::Binary128 => Ok(Value::Binary128(parse_hex(word, 32)?)),
        Kind::Limb(w) => Ok(Value::Limb(w, parse_limb(word, w)?)),
        Kind::Unpacked => Ok(Value::Unpacked(parse_unpacked(word)?)),
        Kind::Complex | Kind::ComplexUnpacked | Kind::PairAndInt(_) | Kind::TwoPairs(_) => parse_result(kind, || word),
        Kind::Pair(w) if word.text == b"nan" => Ok(Value::Pair(w, w.nan(), 0)),
        Kind::Pair(w) => {
            let Some(colon) = word.find(b':') else {
                return Err(word.expected(expected(kind)));
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

/// The largest number of arguments.
fn most(args: Arity) -> usize {
    match args {
        Arity::Fixed(slots) => slots.len(),
        Arity::Many => MOST_TERMS,
        Arity::Pairs => 2 * MOST_TERMS,
    }
}

/// How many arguments, in words.
fn arity_text(args: Arity) -> String {
    match args {
        Arity::Fixed([_]) => "1 argument".into(),
        Arity::Fixed(slots) => format!("{} arguments", slots.len()),
        Arity::Many => format!("1 to {MOST_TERMS} arguments"),
        Arity::Pairs => format!("an even number of arguments, from 2 to {}", most(args)),
    }
}
