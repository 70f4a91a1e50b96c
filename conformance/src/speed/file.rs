//! Result files of digits, counts and speed.

use super::{FORMAT, Report, Results};
use crate::error::Error;
use crate::{file, text};
use std::path::{Path, PathBuf};

/// Reads `speed.json`.
///
/// # Errors
/// If there is no such file, or it is not one of this program.
pub fn read(path: &Path) -> Result<Results, Error> {
    parse(&text::path(path), &file::read_regular(path)?)
}

/// The results in the text of a file.
///
/// # Errors
/// If they are none of this program.
pub fn parse(name: &str, text: &str) -> Result<Results, Error> {
    let broken = |reason: String| Error::Results { name: name.into(), reason };
    let results: Results = serde_json::from_str(text).map_err(|e| broken(e.to_string()))?;
    check(&results).map_err(broken)?;
    Ok(results)
}

/// Reads the speeds of one place.
///
/// # Errors
/// If there is no such file, or it is not one of this program.
pub fn read_report(path: &Path) -> Result<Report, Error> {
    let broken = |reason: String| Error::Results { name: text::path(path), reason };
    let report: Report = serde_json::from_str(&file::read_regular(path)?).map_err(|e| broken(e.to_string()))?;
    check_report(&report).map_err(broken)?;
    Ok(report)
}

/// The file beside a file of accuracies.
pub fn beside(accuracy: &Path) -> PathBuf {
    accuracy.with_file_name("speed.json")
}

/// Whether figures are figures: what has no value here cannot be held against another.
///
/// # Errors
/// The field, and what was expected.
pub fn check(r: &Results) -> Result<(), String> {
    if r.format != FORMAT {
        return Err(format!("format: expected `{FORMAT}`, found `{}`", r.format));
    }
    for d in &r.digits {
        number(format!("digits `{}`", d.pi.subject.name()), d.pi.digits, -400.0)?;
    }
    for c in &r.counts {
        for n in &c.counts {
            let name = format!("counts `{} {} {}` on {}", c.family, c.op, c.level, n.architecture);
            [n.fp32, n.fp64, n.other].into_iter().try_for_each(|x| number(name.clone(), x, 0.0))?;
        }
    }
    r.measured.iter().try_for_each(check_report)
}

fn check_report(m: &Report) -> Result<(), String> {
    for row in m.bench.iter().flat_map(|b| &b.rows) {
        let name = format!("speed of {} {}", row.subject.name(), row.op);
        number(name.clone(), row.per_second, f64::MIN_POSITIVE)?;
        number(name, row.spread, 0.0)?;
    }
    for row in &m.functions {
        number(format!("speed of {} {}", row.family, row.op), row.per_second, f64::MIN_POSITIVE)?;
    }
    for t in m.pi.iter().filter_map(|p| p.timing) {
        number("speed of pi".into(), t.median, f64::MIN_POSITIVE)?;
    }
    for row in m.splits.iter().flat_map(|s| &s.rows) {
        number("speed of a divided reduction".into(), row.timing.median, f64::MIN_POSITIVE)?;
    }
    Ok(())
}

fn number(name: String, x: f64, least: f64) -> Result<(), String> {
    if x.is_finite() && x >= least {
        Ok(())
    } else {
        Err(format!("{name}: expected a number of {least} or more, found {x}"))
    }
}
