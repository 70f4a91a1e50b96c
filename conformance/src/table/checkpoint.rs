//! What is done so far of a long run, in a file from which it goes on.

use super::check;
use super::results::{Build, Plan, RowResult, Shard};
use super::row::Row;
use crate::error::Error;
use crate::{file, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
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
        Progress { blocks: 0, searches: vec![0; row.searched().len()], result: RowResult::empty(row, exhaustive) }
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

impl Contents {
    /// The first thing in which another run's differ, and what stands there.
    fn difference(&self, other: &Contents) -> Option<(&'static str, String)> {
        let format = || (self.format != other.format).then(|| ("format", other.format.clone()));
        let shard = || (self.shard != other.shard).then(|| ("shard", other.shard.to_string()));
        let build = self.build.difference(&other.build);
        format().or(build).or_else(|| self.plan.difference(&other.plan)).or_else(shard)
    }
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
        let name = text::path(path);
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A place that cannot be written is better known now than in an hour.
                new.save()?;
                return Ok(new);
            }
            _ => {}
        }
        let broken = |reason: String| Error::Checkpoint { name: name.clone(), reason };
        let text = file::read_regular(path)?;
        let contents: Contents = serde_json::from_str(&text).map_err(|e| broken(e.to_string()))?;
        if let Some((field, found)) = new.contents.difference(&contents) {
            let reason = format!(
                "this is the checkpoint of another run: expected the same {field}, found {found}; remove it to start anew"
            );
            return Err(Error::Disagree { name, reason });
        }
        for (row, progress) in &contents.rows {
            check(row, progress, plan, shard).map_err(|fault| broken(format!("row `{row}`: {fault}")))?;
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

/// Whether a row can be as far as the checkpoint says.
fn check(name: &str, p: &Progress, plan: &Plan, shard: Shard) -> Result<(), String> {
    let row = Row::named(name).filter(|_| plan.rows.iter().any(|r| r == name));
    let row = row.ok_or("not one of the plan")?;
    check::row_result(&p.result, &row, plan, shard, p.blocks, &p.searches)
}

/// A checkpoint's file belongs to one run at a time: the lock is on a file beside it, and goes with the process.
#[derive(Debug)]
pub struct Lock {
    checkpoint: PathBuf,
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock, or says that another run has it.
    pub fn take(checkpoint: &Path) -> Result<Lock, Error> {
        let busy = |reason: &str| Error::Disagree { name: text::path(checkpoint), reason: reason.into() };
        if fs::metadata(checkpoint).is_ok_and(|m| !m.is_file()) {
            return Err(busy("expected a regular file, or none, for the checkpoint"));
        }
        let mut path = checkpoint.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let name = text::path(&path);
        let fault = |error| Error::write(&name, error);
        let file = File::options().create(true).append(true).open(&path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { checkpoint: checkpoint.into(), path, _file: file }),
            Err(TryLockError::WouldBlock) => Err(busy("another run is using this checkpoint")),
            Err(TryLockError::Error(error)) => Err(fault(error)),
        }
    }

    /// Removes the checkpoint, if it is still there; to be called when the results are safe.
    pub fn finish(self) -> Result<(), Error> {
        match fs::remove_file(&self.checkpoint) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::write(&text::path(&self.checkpoint), error))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // What is left where this fails is taken over by the next run.
        let _ = fs::remove_file(&self.path);
    }
}
