//! What was found, as it is kept in files.

use super::{Asked, Documented, Plan, Subject};
use crate::error::Error;
use crate::report::Comparison;
use crate::table::{Build, Shard};
use crate::{file, text};
use serde::{Deserialize, Serialize};
use std::path::Path;
use vernier_foreign::{Fault, Number};
use vernier_oracle::number::{Case, Special, Tally, Violations, bits};
use vernier_oracle::{Format, Function, Mismatch};

/// How an error was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Every input was tried.
    Exhaustive,
    /// By subdivision of the domain.
    Searched,
}

impl How {
    /// As text.
    pub const fn name(self) -> &'static str {
        match self {
            How::Exhaustive => "exhaustive",
            How::Searched => "searched",
        }
    }
}

/// A wrong special value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// Arguments, in hex.
    pub input: Vec<String>,
    /// Result, in hex.
    pub result: String,
    /// In which way it is wrong.
    pub how: Mismatch,
}

/// A special value that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Arguments, in hex.
    pub input: Vec<String>,
    /// Result, in hex.
    pub result: String,
    /// The correctly rounded result, in hex.
    pub right: String,
    /// In which way the result is wrong.
    pub wrong: Option<Mismatch>,
    /// Its error in ulp otherwise.
    pub ulp: f64,
}

/// A function and type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its name in C, of doubles.
    pub function: String,
    /// `f16`, `bf16`, `f32`, `f64` or `f128`.
    #[serde(rename = "type")]
    pub ty: String,
    /// What it is called where it comes from.
    pub symbol: String,
    /// The largest error in ulp.
    pub ulp: f64,
    /// Its arguments, in hex.
    pub input: Vec<String>,
    /// The result there, in hex.
    pub result: String,
    /// How it was found.
    pub how: How,
    /// Inputs.
    pub cases: u64,
    /// Wrong special values among them.
    pub mismatches: u64,
    /// The first.
    pub mismatch: Option<Wrong>,
    /// Results that are not the correctly rounded ones.
    pub not_correctly_rounded: u64,
    /// Neighbours in the wrong order, where the function rises or falls.
    pub monotonicity: Violations,
    /// Results for -x that parity does not explain by those for x.
    pub symmetry: Violations,
    /// A bound that somebody documents.
    pub documented: Option<Documented>,
    /// Special values: those of one argument, and the wrong ones of several.
    pub special: Vec<Point>,
    /// What else is to be said.
    pub notes: Vec<String>,
    /// What ended the row before it was done.
    pub fault: Option<String>,
    /// All that was counted.
    pub tally: Tally,
}

/// The format of a type; of binary128 that of its high words.
pub fn format_of(number: Number) -> Format {
    match number {
        Number::F16 => Format::F16,
        Number::BF16 => Format::BF16,
        Number::F32 => Format::F32,
        Number::F64 => Format::F64,
        Number::F128 => bits::HIGH,
    }
}

/// Bits in hex, in the digits of their type.
pub(super) fn hex(bits: u64, format: Format) -> String {
    format!("{bits:0w$x}", w = bits::width(format) as usize / 4)
}

/// A number of binary128, in hex.
pub(super) fn words([high, low]: [u64; 2]) -> String {
    format!("{high:016x}{low:016x}")
}

/// The arguments of a case, in hex.
pub(super) fn input(args: &[u64; 3], function: Function, format: Format) -> Vec<String> {
    let number = |&x: &u64| if format == bits::HIGH { words([x, bits::low(x)]) } else { hex(x, format) };
    args[..function.arity()].iter().map(number).collect()
}

/// A result in hex; integers in decimal.
fn result(case: &Case, bits: u64, function: Function, format: Format) -> String {
    let integer = function.values().get(case.which).is_some_and(|v| v.integer);
    if integer { (bits as i64).to_string() } else { hex(bits, format) }
}

impl Row {
    /// From what was counted.
    pub fn new(subject: &Subject, asked: Asked, symbol: String, how: How, tally: Tally) -> Row {
        let Asked { function, number, .. } = asked;
        let format = format_of(number);
        let worst = tally.worst.as_ref();
        let wrong = |(case, how): &(Case, Mismatch)| Wrong {
            input: input(&case.args, function, format),
            result: result(case, case.result, function, format),
            how: *how,
        };
        Row {
            function: function.to_string(),
            ty: number.name().into(),
            symbol,
            ulp: tally.ulp,
            input: worst.map_or(Vec::new(), |case| input(&case.args, function, format)),
            result: worst.map_or(String::new(), |case| result(case, case.result, function, format)),
            how,
            cases: tally.cases,
            mismatches: tally.mismatches,
            mismatch: tally.mismatch.as_ref().map(wrong),
            not_correctly_rounded: tally.not_correctly_rounded,
            monotonicity: tally.falls.clone(),
            symmetry: tally.asymmetries.clone(),
            documented: Documented::of(subject, asked, &tally, how),
            special: Vec::new(),
            notes: Vec::new(),
            fault: None,
            tally,
        }
    }

    /// With the special values that are shown.
    pub fn with_special(self, function: Function, number: Number, all: &[Special]) -> Row {
        let format = format_of(number);
        let shown = all.iter().filter(|s| function.arity() == 1 || s.wrong.is_some());
        let special = shown
            .map(|s| Point {
                input: input(&s.case.args, function, format),
                result: result(&s.case, s.case.result, function, format),
                right: result(&s.case, s.right, function, format),
                wrong: s.wrong,
                ulp: s.ulp,
            })
            .collect();
        Row { special, ..self }
    }

    /// With what ended it.
    pub fn with_fault(self, fault: &Fault, function: Function, number: Number) -> Row {
        let input = fault.input.map(|x| input(&x, function, format_of(number)).join(" "));
        let text = match input {
            Some(input) => format!("{} at {input}{}", fault.what, hint(&fault.what)),
            None => fault.what.to_string(),
        };
        Row { fault: Some(text), ..self }
    }

    /// The type and function, and the input where it is most wrong: a line of a case file.
    pub fn case(&self) -> Option<String> {
        (!self.input.is_empty()).then(|| format!("{} {} {}", self.ty, self.function, self.input.join(" ")))
    }

    /// The format of its type.
    pub fn format(&self) -> Format {
        self.ty.parse().map_or(Format::F64, format_of)
    }

    /// What it is called in messages.
    pub fn key(&self) -> String {
        format!("{} {}", self.ty, self.symbol)
    }
}

/// The likely cause of a crash.
fn hint(what: &vernier_foreign::What) -> &'static str {
    match what {
        vernier_foreign::What::Ended(how) if how.contains("signal") => {
            "; a crash is most often a function with other arguments or results than these"
        }
        _ => "",
    }
}

/// First line of every file: what it is.
pub const FORMAT: &str = "vernier functions 1";

/// A result file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// [`FORMAT`].
    pub format: String,
    /// The program.
    pub build: Build,
    /// Whose functions.
    pub subject: Subject,
    /// What was to be done.
    pub plan: Plan,
    /// Which part of it this is; none for the whole.
    pub shard: Option<Shard>,
    /// Functions and types.
    pub rows: Vec<Row>,
    /// What changed since earlier results, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

impl Results {
    /// As JSON, ending with a newline.
    pub fn to_json(&self) -> String {
        text::json(self)
    }

    /// Whether every row came to its end.
    pub fn whole(&self) -> bool {
        self.rows.iter().all(|row| row.fault.is_none())
    }

    /// Whether nothing is wrong: no special value, no order, no symmetry, no documented bound.
    pub fn hold(&self) -> bool {
        let exceeded = |row: &Row| row.documented.as_ref().is_some_and(|d| d.holds == super::Holds::Exceeded);
        let counts = |row: &Row| row.mismatches + row.monotonicity.count + row.symmetry.count;
        self.whole() && self.rows.iter().all(|row| counts(row) == 0 && !exceeded(row))
    }
}

/// Reads a result file.
///
/// # Errors
/// If it is none.
pub fn read(path: &Path) -> Result<Results, Error> {
    parse(&text::path(path), &file::read_regular(path)?)
}

/// The results in a file's text.
///
/// # Errors
/// If it has none.
pub fn parse(name: &str, text: &str) -> Result<Results, Error> {
    let broken = |reason: String| Error::Results { name: name.into(), reason };
    let results: Results = serde_json::from_str(text).map_err(|e| broken(e.to_string()))?;
    if results.format != FORMAT {
        return Err(broken(format!("format: expected `{FORMAT}`, found `{}`", results.format)));
    }
    for row in &results.rows {
        let whole = row.function.parse::<Function>().is_ok() && row.ty.parse::<Number>().is_ok();
        let lists = (row.tally.histogram.len(), row.tally.envelope.len());
        let empty = Tally::default();
        if !whole || lists != (empty.histogram.len(), empty.envelope.len()) {
            return Err(broken(format!("row `{}`: not one of this program", row.key())));
        }
    }
    Ok(results)
}
