//! Result files: reading them, and joining those of shards.

use super::{FORMAT, Results, check};
use crate::error::Error;
use crate::parts::{Join, Part};
use crate::table::Shard;
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
    let mut join = Join::default();
    parts.into_iter().for_each(|(name, part)| join.add(&name, Ok(part)));
    join.finish(|_| None).map(Results::whole)
}

impl Part for Results {
    fn shard(&self) -> Option<Shard> {
        self.shard
    }

    fn difference(&self, other: &Results) -> Option<(&'static str, String)> {
        let field = self.build.difference(&other.build).or_else(|| self.plan.difference(&other.plan));
        let count = |r: &Results| r.shard.map_or(1, |s| s.count);
        let shards = || (count(self) != count(other)).then(|| ("number of shards", count(other).to_string()));
        let deal = || (self.deal != other.deal).then(|| ("deal of the work (--costs)", "another".into()));
        field.or_else(shards).or_else(deal)
    }

    fn add(&mut self, other: Results) {
        self.rows.iter_mut().zip(other.rows).for_each(|(mine, theirs)| mine.merge(theirs));
        self.costs.merge(&other.costs);
        // The first shard has what is no part of a run that could be cut.
        if self.special.is_empty() {
            self.special = other.special;
        }
        self.speed = self.speed.take().or(other.speed);
    }

    fn head(self) -> Results {
        Results { rows: Vec::new(), special: Vec::new(), table: Vec::new(), speed: None, ..self }
    }
}
