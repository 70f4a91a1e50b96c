//! What is done so far of a long run, in a file.

use super::results::{Build, Plan, RowResult, Shard};
use super::row::Row;
use crate::error::Error;
use crate::file;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How far a row is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Blocks of samples that are done, or are another shard's.
    pub blocks: u64,
    /// Searches in each metric that are done, or are another shard's.
    pub searches: Vec<u64>,
    /// What they gave.
    pub result: RowResult,
}

impl Progress {
    /// Nothing done.
    pub fn new(row: &Row, exhaustive: bool) -> Progress {
        Progress { blocks: 0, searches: vec![0; row.searched().len()], result: super::run::empty(row, exhaustive) }
    }
}

const FORMAT: &str = "vernier checkpoint 1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    format: String,
    build: Build,
    plan: Plan,
    shard: Shard,
    rows: BTreeMap<String, Progress>,
}

/// A checkpoint, with a file or without.
#[derive(Debug)]
pub struct Checkpoint {
    path: Option<PathBuf>,
    contents: Contents,
}

impl Checkpoint {
    /// One that is never written.
    pub fn none(plan: &Plan, shard: Shard) -> Checkpoint {
        let contents =
            Contents { format: FORMAT.into(), build: Build::this(), plan: plan.clone(), shard, rows: BTreeMap::new() };
        Checkpoint { path: None, contents }
    }

    /// The checkpoint in a file; a new one where there is no file. One of another run is refused.
    pub fn open(path: &Path, plan: &Plan, shard: Shard) -> Result<Checkpoint, Error> {
        let new = Checkpoint { path: Some(path.into()), ..Checkpoint::none(plan, shard) };
        if !path.exists() {
            // A place that cannot be written is better known now than in an hour.
            new.save()?;
            return Ok(new);
        }
        let name = path.display().to_string();
        let text = file::read(path)?;
        let contents: Contents = serde_json::from_str(&text).map_err(|e| Error::Results {
            name: name.clone(),
            reason: format!("this is no whole checkpoint ({e}); remove it to start anew"),
        })?;
        let part = |c: &Contents| (c.format.clone(), c.build.clone(), c.plan.clone(), c.shard);
        if part(&contents) != part(&new.contents) {
            let reason = "this is the checkpoint of another run: expected the same program, options and shard; \
                          remove it to start anew";
            return Err(Error::Disagree { name, reason: reason.into() });
        }
        for (name_of_row, progress) in &contents.rows {
            let fits = Row::named(name_of_row).is_some_and(|r| {
                progress.searches.len() == r.searched().len() && progress.result.searches.len() == r.searched().len()
            });
            if !fits {
                let reason = format!("the row `{name_of_row}` is not one of this program; remove it to start anew");
                return Err(Error::Results { name, reason });
            }
        }
        Ok(Checkpoint { contents, ..new })
    }

    /// How far a row is.
    pub fn get(&self, row: &str) -> Option<Progress> {
        self.contents.rows.get(row).cloned()
    }

    /// Takes note of how far a row is.
    pub fn set(&mut self, progress: Progress) {
        if self.path.is_some() {
            self.contents.rows.insert(progress.result.row.clone(), progress);
        }
    }

    /// Writes the file.
    pub fn save(&self) -> Result<(), Error> {
        let Some(path) = &self.path else { return Ok(()) };
        file::write(path, &serde_json::to_string(&self.contents).unwrap_or_default())
    }
}
