//! Result files: reading them, and joining those of shards.

use super::{FORMAT, Results, check};
use crate::error::Error;
use crate::table::RowResult;
use crate::{file, text};
use std::path::Path;

/// Reads a result file.
pub fn read(path: &Path) -> Result<Results, Error> {
    parse(&text::path(path), &file::read_regular(path)?)
}

/// The results in the text of a file.
pub fn parse(name: &str, text: &str) -> Result<Results, Error> {
    let broken = |reason: String| Error::Results { name: name.into(), reason };
    let results: Results = serde_json::from_str(text).map_err(|e| {
        let cut = if e.is_eof() { "the file ends too early: " } else { "" };
        broken(format!("{cut}{e}"))
    })?;
    if results.format != FORMAT {
        return Err(broken(format!("format: expected `{FORMAT}`, found `{}`", results.format)));
    }
    check::results(&results).map_err(broken)?;
    if let Some(speed) = &results.speed {
        crate::speed::check(speed).map_err(|fault| broken(format!("speed: {fault}")))?;
    }
    Ok(results)
}

/// Joins the results of all shards of one run, in any order.
pub fn merge(parts: Vec<(String, Results)>) -> Result<Results, Error> {
    let disagree = |name: &str, reason: String| Err(Error::Disagree { name: name.into(), reason });
    let Some((first_name, first)) = parts.first() else {
        return Err(Error::Usage("expected the result files of all shards, found none".into()));
    };
    let mut names: Vec<Option<&str>> = Vec::new();
    for (name, part) in &parts {
        let Some(shard) = part.shard else {
            return disagree(name, "expected one shard of a run (made with --shard i/n), found a whole run".into());
        };
        if let Some(field) = difference(first, part) {
            return disagree(name, format!("expected the same {} as in {first_name}, found {}", field.0, field.1));
        }
        // Counts are equal from here on. A count beyond the number of files cannot be complete.
        if shard.count > parts.len() as u64 && shard.count > 1 << 20 {
            return disagree(name, format!("{} files of {} shards", parts.len(), shard.count));
        }
        names.resize(shard.count as usize, None);
        if let Some(other) = names[shard.index as usize - 1].replace(name) {
            return disagree(name, format!("expected every shard once, found {shard} here and in {other}"));
        }
    }
    let missing: Vec<String> = names
        .iter()
        .enumerate()
        .filter(|(_, n)| n.is_none())
        .map(|(i, _)| format!("{}/{}", i + 1, names.len()))
        .collect();
    if !missing.is_empty() {
        return Err(Error::Usage(format!("expected all shards of the run, missing: {}", missing.join(", "))));
    }
    let plan = first.plan.clone();
    let special = first.special.clone();
    // The first shard measures: a speed is no part of a run that could be cut.
    let speed = parts.iter().find_map(|(_, part)| part.speed.clone());
    let mut parts = parts.into_iter().map(|(_, part)| part.rows);
    let mut rows: Vec<RowResult> = parts.next().unwrap_or_default();
    for part in parts {
        for (mine, theirs) in rows.iter_mut().zip(part) {
            mine.merge(theirs);
        }
    }
    Ok(Results { speed, ..Results::new(plan, None, rows, special) })
}

/// The first thing in which two parts of one run must not differ but do, and what the second says.
fn difference(a: &Results, b: &Results) -> Option<(&'static str, String)> {
    if let Some(field) = a.build.difference(&b.build).or_else(|| a.plan.difference(&b.plan)) {
        return Some(field);
    }
    let shards = (a.shard?.count, b.shard?.count);
    if shards.0 != shards.1 {
        return Some(("number of shards", shards.1.to_string()));
    }
    (a.special != b.special).then(|| ("special-value results", "others".into()))
}
