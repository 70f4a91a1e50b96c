//! Options of commands that run rows of the accuracy table: how many cases, which part, where.

use super::{Place, SubjectName};
use crate::error::Error;
use crate::report::{Results, run};
use crate::subject::Subject;
use crate::table::{Lock, Plan, Row, Run, Shard};
use crate::{file, text};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Options of a run.
#[derive(clap::Args, Debug)]
pub struct RunArgs {
    /// Samples of each row [default: fewer where judging takes long], as 1048576, 1_000_000, 2^20 or 1e6.
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub samples: Option<u64>,
    /// Searches of each row; shards share them.
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub searches: Option<u64>,
    /// Cases that a search evaluates.
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub evaluations: Option<u64>,
    /// Search for so many seconds in place of a number of cases; such a run cannot be repeated exactly.
    #[arg(long, value_name = "S", conflicts_with = "evaluations")]
    pub search_seconds: Option<u64>,
    /// Do part i of n only, and join the result files with `vernier merge`.
    #[arg(long, value_name = "i/n")]
    pub shard: Option<Shard>,
    /// Keep what is done so far in this file, and go on from it; removed at the end.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two writes of the checkpoint.
    #[arg(long, value_name = "S", default_value_t = 5)]
    pub checkpoint_seconds: u64,
    /// Where to evaluate: host, opencl or cuda, and the device's number; the oracle judges on the host.
    #[arg(long, value_name = "PLACE", default_value_t)]
    pub device: Place,
    /// Whose arithmetic to evaluate.
    #[arg(long, value_enum, default_value_t)]
    pub subject: SubjectName,
}

/// How much a run does where no option says so.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Samples of each row.
    pub samples: u64,
    /// Searches of each row and metric.
    pub searches: u64,
    /// Cases that a search evaluates.
    pub evaluations: u64,
}

/// The usual run: some minutes on two cores.
pub const USUAL: Effort = Effort { samples: 1 << 20, searches: 1, evaluations: 10_000_000 };
/// A look.
pub const QUICK: Effort = Effort { samples: 1 << 15, searches: 1, evaluations: 500_000 };
/// A night.
pub const FULL: Effort = Effort { samples: 1 << 28, searches: 64, evaluations: 100_000_000 };

impl RunArgs {
    /// Runs the rows that the subject has; the results are not written yet, so the checkpoint stays.
    pub fn run(&self, rows: &[Row], effort: Effort, special: bool, seed: u64) -> Result<Results, Error> {
        self.subject.at(self.device, |subject| self.run_with(subject, rows, effort, special, seed))
    }

    /// The same with any subject.
    pub fn run_with(
        &self,
        subject: &dyn Subject,
        rows: &[Row],
        effort: Effort,
        special: bool,
        seed: u64,
    ) -> Result<Results, Error> {
        let has = |r: &&Row| r.types().iter().all(|&ty| subject.supports(ty, r.op));
        let rows: Vec<String> = rows.iter().filter(has).map(Row::to_string).collect();
        if rows.is_empty() {
            return Err(Error::Usage(format!(
                "no row is left: subject {} has none of those asked for",
                subject.name()
            )));
        }
        let plan = Plan {
            subject: subject.name().into(),
            place: subject.place(),
            seed,
            samples: self.samples.unwrap_or(effort.samples),
            searches: self.searches.unwrap_or(effort.searches),
            evaluations: if self.search_seconds.is_some() { 0 } else { self.evaluations.unwrap_or(effort.evaluations) },
            search_seconds: self.search_seconds,
            by_cost: self.samples.is_none() && self.evaluations.is_none(),
            rows,
            special,
        };
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let save_every = Duration::from_secs(self.checkpoint_seconds);
        let results = run(&Run { subject, plan, shard, checkpoint: self.checkpoint.clone(), save_every })?;
        // A part is named as one, be it the only one.
        Ok(Results { shard: self.shard, ..results })
    }

    /// Takes hold of the checkpoint, before the run; it is none of the files for results.
    pub fn lock(&self, results: &[PathBuf]) -> Result<Option<Lock>, Error> {
        let place = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into());
        if let Some(path) =
            self.checkpoint.as_deref().filter(|c| results.iter().any(|r| place(r) == place(c) || file::is_same(r, c)))
        {
            let path = text::path(path);
            return Err(Error::Usage(format!(
                "expected different files for checkpoint and results, found {path} for both"
            )));
        }
        self.checkpoint.as_deref().map(Lock::take).transpose()
    }
}

/// A whole number of 1 or more, also as a power or in exponent form: `1048576`, `1_000_000`, `2^20`, `1e6`.
pub fn count(text: &str) -> Result<u64, String> {
    const MOST: u64 = 1 << 48;
    let value = whole(text).filter(|&n| n >= 1).ok_or_else(|| {
        format!("expected a whole number from 1 to 2^48, as 1048576, 1_000_000, 2^20 or 1e6, found `{text}`")
    })?;
    if value <= MOST { Ok(value) } else { Err(format!("expected at most 2^48 = {MOST}, found `{text}`")) }
}

/// The number, [`u64::MAX`] for larger ones; `None` where it is none.
fn whole(text: &str) -> Option<u64> {
    let power = |base: u64, exponent: u64| match u32::try_from(exponent) {
        Ok(e) => base.saturating_pow(e),
        Err(_) if base <= 1 => base,
        Err(_) => u64::MAX,
    };
    if let Some((base, exponent)) = text.split_once('^') {
        let (base, exponent) = (digits(base)?, digits(exponent)?);
        return ((base, exponent) != (0, 0)).then(|| power(base, exponent));
    }
    match text.split_once(['e', 'E']) {
        Some((factor, exponent)) => Some(digits(factor)?.saturating_mul(power(10, digits(exponent)?))),
        None => digits(text),
    }
}

/// Decimal digits, with single underscores between them.
fn digits(text: &str) -> Option<u64> {
    let groups = text.split('_');
    if groups.clone().any(|g| g.is_empty() || !g.bytes().all(|c| c.is_ascii_digit())) {
        return None;
    }
    // Digits alone fail to parse only where they are too many.
    Some(groups.collect::<String>().parse().unwrap_or(u64::MAX))
}

/// The files of a whole run.
pub const FILES: [&str; 4] = ["accuracy.json", "accuracy.md", "speed.json", "speed.md"];

/// The file of a shard.
pub fn shard_file(s: Shard) -> String {
    format!("accuracy-{}-of-{}.json", s.index, s.count)
}

/// Writes JSON and, of a whole run, Markdown into a folder; the names of the files. A shard is one file.
pub fn write_tables(folder: &Path, results: &Results) -> Result<Vec<PathBuf>, Error> {
    file::make_folder(folder)?;
    if let Some(s) = results.shard {
        let path = folder.join(shard_file(s));
        file::write(&path, &results.to_json())?;
        return Ok(vec![path]);
    }
    let (json, markdown) = (folder.join("accuracy.json"), folder.join("accuracy.md"));
    file::write(&json, &Results { speed: None, comparison: None, ..results.clone() }.to_json())?;
    file::write(&markdown, &crate::render::markdown(results))?;
    let mut files = vec![json, markdown];
    if let Some(speed) = &results.speed {
        let (json, markdown) = (folder.join("speed.json"), folder.join("speed.md"));
        file::write(&json, &speed.to_json())?;
        file::write(&markdown, &crate::render::speed_markdown(speed))?;
        files.extend([json, markdown]);
    }
    Ok(files)
}
