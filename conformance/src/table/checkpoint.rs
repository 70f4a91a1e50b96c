//! What is done so far of a long run, in a file from which it goes on.

use super::check::{self, expect};
use super::deal::Deal;
use super::draw::Draw;
use super::results::{Build, Plan, RowResult, Shard};
use super::row::Row;
use super::search;
use crate::error::Error;
use crate::{file, text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use vernier_oracle::search::{Peak, islands, worse};

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
    /// The search that is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub climb: Option<Climb>,
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Climb {
    /// Islands that are done.
    pub islands: u64,
    /// The worst input of them: its error, and the bits of its operands.
    pub peak: Option<(Bits, Vec<[Bits; 2]>)>,
}

/// The bits of a double.
pub type Bits = u64;

impl Climb {
    /// With the worst input of more islands.
    pub fn with(&self, islands: u64, peak: Option<Peak>) -> Climb {
        let bits = |p: Peak| (p.value.to_bits(), p.args.iter().map(|x| [x.0.to_bits(), x.1.to_bits()]).collect());
        Climb { islands, peak: worse(self.peak(), peak).map(bits) }
    }

    /// The worst input.
    pub fn peak(&self) -> Option<Peak> {
        let (value, args) = self.peak.as_ref()?;
        let args = args.iter().map(|x| (f64::from_bits(x[0]), f64::from_bits(x[1]))).collect();
        Some(Peak { value: f64::from_bits(*value), args, evaluations: 0 })
    }
}

impl Progress {
    /// Nothing done.
    pub fn new(row: &Row, exhaustive: bool) -> Progress {
        let (searches, result) = (vec![0; row.searched().len()], RowResult::empty(row, exhaustive));
        Progress { blocks: 0, searches, result, climb: None }
    }
}

const FORMAT: &str = "vernier checkpoint 2";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    format: String,
    build: Build,
    plan: Plan,
    shard: Shard,
    deal: Deal,
    rows: BTreeMap<String, Progress>,
}

impl Contents {
    /// The first thing in which another run's differ, and what stands there.
    fn difference(&self, other: &Contents) -> Option<(&'static str, String)> {
        let format = || (self.format != other.format).then(|| ("format", other.format.clone()));
        let shard = || (self.shard != other.shard).then(|| ("shard", other.shard.to_string()));
        let deal = || (self.deal != other.deal).then(|| ("deal of the work to shards", "one by other costs".into()));
        let build = self.build.difference(&other.build);
        format().or(build).or_else(|| self.plan.difference(&other.plan)).or_else(shard).or_else(deal)
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
    pub fn none(plan: &Plan, shard: Shard, deal: &Deal) -> Checkpoint {
        let (plan, deal, rows) = (plan.clone(), deal.clone(), BTreeMap::new());
        let contents = Contents { format: FORMAT.into(), build: Build::this(), plan, shard, deal, rows };
        Checkpoint { path: None, contents }
    }

    /// The checkpoint in a file; a new one where there is no file. One of another run is refused.
    pub fn open(path: &Path, plan: &Plan, shard: Shard, deal: &Deal) -> Result<Checkpoint, Error> {
        let new = Checkpoint { path: Some(path.into()), ..Checkpoint::none(plan, shard, deal) };
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
            check(row, progress, plan, shard, deal).map_err(|fault| broken(format!("row `{row}`: {fault}")))?;
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
fn check(name: &str, p: &Progress, plan: &Plan, shard: Shard, deal: &Deal) -> Result<(), String> {
    let at = plan.rows.iter().position(|r| r == name);
    let (at, row) = at.zip(Row::named(name)).ok_or("not one of the plan")?;
    check::row_result(&p.result, &row, plan, &deal.lanes(at, &row, shard), p.blocks, &p.searches)?;
    let Some(climb) = &p.climb else { return Ok(()) };
    let most = islands(search::evaluations(&row, plan.evaluations(&row)));
    let operands = Draw::new(&row, plan.seed).arity();
    let sound = |p: &Peak| p.value >= 0.0 && p.args.len() == operands;
    expect(climb.islands <= most && climb.peak().is_none_or(|p| sound(&p)), || {
        format!("climb: expected at most {most} islands, and {operands} operands with their error")
    })
}
