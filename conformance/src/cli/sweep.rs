//! `vernier sweep`: which format is enough for a computation.

use super::out::Out;
use crate::error::Error;
use crate::file;
use crate::render::Section;
use crate::sweep::{Grid, Kernel, Recommendation, Sweep, svg};
use serde::Serialize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use vernier::custom::{Format, FormatError, Options};

/// Run a computation in every reduced format, and find the smallest that keeps the digits asked for.
///
/// Digits are those that the result has in common with the same computation in double-double. A format is enough if it and every
/// larger one keep the digits. Exits with 1 if no format is enough.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What is computed.
    #[arg(value_enum)]
    kernel: Kernel,
    /// Decimal digits to keep.
    #[arg(long, value_name = "D", default_value_t = 3.0, value_parser = digits)]
    digits: f64,
    /// Exponent bits, as 8 or 2..11.
    #[arg(long, value_name = "E", default_value = "2..11", value_parser = exponents)]
    exponent: RangeInclusive<u32>,
    /// Stored mantissa bits, as 23 or 0..52.
    #[arg(long, value_name = "M", default_value = "0..52", value_parser = mantissas)]
    mantissa: RangeInclusive<u32>,
    /// Options of the formats, as `ieee` or `gradual,rz`, in place of the published semantics.
    #[arg(long, value_name = "OPTION,...", value_parser = options)]
    options: Option<Options>,
    /// Terms, length, degree or steps, by kernel [default: 1024, 1024, 18, 24, 100].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    size: Option<u32>,
    /// Write a picture into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    kernel: Kernel,
    size: u32,
    options: String,
    #[serde(flatten)]
    recommendation: &'a Recommendation,
    #[serde(flatten)]
    sweep: &'a Sweep,
}

/// Runs the command; whether some format is enough.
pub fn run(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    args.out.as_deref().map_or(Ok(()), file::check_writable)?;
    let options = args.options.unwrap_or_default();
    let grid = Grid { exponent: args.exponent.clone(), mantissa: args.mantissa.clone(), options, seed };
    if grid.formats().is_empty() {
        return Err(Error::Usage(format!("{options} leaves no format: expected an exponent of at most 10 bits")));
    }
    let size = args.size.unwrap_or(args.kernel.size());
    let sweep = args.kernel.sweep(&grid, size);
    let found = sweep.recommend(args.digits);
    let mut out = Out::new();
    if json {
        let report =
            Report { kernel: args.kernel, size, options: options.to_string(), recommendation: &found, sweep: &sweep };
        out.line(crate::text::json(&report).trim_end())?;
    } else {
        out.line(table(&sweep))?;
        summary(args.kernel, size, options, &found).into_iter().try_for_each(|line| out.line(line))?;
    }
    out.finish()?;
    if let Some(path) = &args.out {
        let title = format!("{} of size {size}: correct digits by format", args.kernel.name());
        let picture = svg(&sweep, &title, args.digits).map_err(Error::Usage)?;
        file::write(path, &picture)?;
    }
    Ok(found.smallest.is_some())
}

/// Digits by mantissa and exponent.
fn table(sweep: &Sweep) -> String {
    let mut exponents: Vec<u32> = sweep.points.iter().map(|p| p.exponent).collect();
    let mut mantissas: Vec<u32> = sweep.points.iter().map(|p| p.mantissa).collect();
    for list in [&mut exponents, &mut mantissas] {
        list.sort_unstable();
        list.dedup();
    }
    let heads: Vec<String> =
        std::iter::once("M \\ E".to_string()).chain(exponents.iter().map(u32::to_string)).collect();
    let row = |&m: &u32| {
        let cell = |&e: &u32| sweep.at(e, m).and_then(|p| p.digits).map_or("-".into(), |d| format!("{d:.1}"));
        std::iter::once(m.to_string()).chain(exponents.iter().map(cell)).collect()
    };
    let notes = ["By mantissa bits (rows) and exponent bits (columns); - where a result is not finite."];
    Section::new("Correct digits", &notes, &heads.join("|"), mantissas.iter().map(row).collect()).terminal()
}

fn summary(kernel: Kernel, size: u32, options: Options, found: &Recommendation) -> Vec<String> {
    let semantics = if options == Options::PUBLISHED { "published semantics".into() } else { options.to_string() };
    let smallest = match found.smallest {
        Some(p) => format!("fp64_custom<{},{}>, {} bits", p.exponent, p.mantissa, p.bits()),
        None => "none of these".into(),
    };
    let choice = match found.choice {
        Some(c) => format!("{} ({} exponent and {} mantissa bits; {})", c.name, c.exponent, c.mantissa, c.note),
        None => "more bits: none of the types within this range is enough".into(),
    };
    vec![
        format!("{} of size {size}, {semantics}, {} digits:", kernel.name(), found.digits),
        format!("  smallest format  {smallest}"),
        format!("  recommended type {choice}"),
    ]
}

fn digits(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|d| (0.0..=30.0).contains(d));
    value.ok_or_else(|| format!("expected a number of digits from 0 to 30, found `{text}`"))
}

fn exponents(text: &str) -> Result<RangeInclusive<u32>, String> {
    range(text, 2, 11)
}

fn mantissas(text: &str) -> Result<RangeInclusive<u32>, String> {
    range(text, 0, 52)
}

/// `a`, `a..b` or `a..=b`, both ends included.
fn range(text: &str, least: u32, most: u32) -> Result<RangeInclusive<u32>, String> {
    let (a, b) = text.split_once("..").unwrap_or((text, text));
    let number = |s: &str| s.parse::<u32>().ok().filter(|n| (least..=most).contains(n));
    let ends = number(a).zip(number(b.strip_prefix('=').unwrap_or(b))).filter(|(a, b)| a <= b);
    let expected =
        || format!("expected a number or range within {least}..{most}, as {most} or {least}..{most}, found `{text}`");
    ends.map(|(a, b)| a..=b).ok_or_else(expected)
}

fn options(text: &str) -> Result<Options, String> {
    let format = format!("fp64_custom<2,0;{text}>").parse::<Format>();
    format.map(Format::options).map_err(|error| {
        if matches!(error, FormatError::Contradiction(_)) {
            return format!("expected {error}, found `{text}`");
        }
        format!("expected options of ieee, gradual, after, single, fn, finite, sat, dynamic, rn, rz, ru, rd, na, sr, separated by commas, found `{text}`")
    })
}
