//! Options of commands that run rows of the accuracy table: how many cases, which part, where.

use super::{Place, SubjectName};
use crate::error::Error;
use crate::hold::Lock;
use crate::report::{Results, run};
use crate::subject::Subject;
use crate::table::{Costs, Plan, Row, Run, Shard};
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
    /// Deal the work to the shards by what the rows cost in an earlier run, whose costs.tsv this is; all shards need the same.
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub costs: Option<PathBuf>,
    #[command(flatten)]
    pub resume: Resume,
    /// Where to evaluate: host, opencl or cuda, and the device's number; the oracle judges on the host.
    #[arg(long, value_name = "PLACE", default_value_t)]
    pub device: Place,
    /// Whose arithmetic to evaluate.
    #[arg(long, value_enum, default_value_t)]
    pub subject: SubjectName,
}

/// Options of a run that can be interrupted.
#[derive(clap::Args, Debug)]
pub struct Resume {
    /// Keep what is done so far in this file, or in a file of this folder, and go on from it; removed at the end. SIGTERM and SIGINT
    /// have it written and end the program with 75.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two writes of the checkpoint.
    #[arg(long, value_name = "S", default_value_t = 5)]
    checkpoint_seconds: u64,
}

impl Resume {
    /// The file of the checkpoint.
    pub fn file(&self, shard: Option<Shard>) -> Option<PathBuf> {
        self.checkpoint.as_deref().map(|path| in_folder(path, "checkpoint", shard))
    }

    /// Time between two writes of it.
    pub fn every(&self) -> Duration {
        Duration::from_secs(self.checkpoint_seconds)
    }

    /// Takes hold of the checkpoint, before the run; it is none of the files for results.
    pub fn lock(&self, shard: Option<Shard>, results: &[PathBuf]) -> Result<Option<Lock>, Error> {
        let place = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into());
        let Some(checkpoint) = self.file(shard) else { return Ok(None) };
        if results.iter().any(|r| place(r) == place(&checkpoint) || file::is_same(r, &checkpoint)) {
            let path = text::path(&checkpoint);
            return Err(Error::Usage(format!(
                "expected different files for checkpoint and results, found {path} for both"
            )));
        }
        Lock::take(&checkpoint).map(Some)
    }
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
/// A night. Of every sort of a function's hard operands there are 10^6.
pub const FULL: Effort = Effort { samples: 1 << 30, searches: 64, evaluations: 100_000_000 };

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
        let costs = self.costs.as_deref().map_or(Ok(Costs::default()), Costs::read)?;
        let (checkpoint, save_every) = (self.resume.file(self.shard), self.resume.every());
        let results = run(&Run { subject, plan, shard, checkpoint, save_every, costs })?;
        // A part is named as one, be it the only one.
        Ok(Results { shard: self.shard, ..results })
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
pub const FILES: [&str; 5] = ["accuracy.json", "accuracy.md", "costs.tsv", "speed.json", "speed.md"];

/// The name of a shard's file; of a whole run that of the run's.
pub fn part_name(name: &str, shard: Option<Shard>) -> String {
    let part = shard.map(|s| format!("-{}-of-{}", s.index, s.count)).unwrap_or_default();
    format!("{name}{part}.json")
}

/// A file, or where a folder is named a file in it.
fn in_folder(path: &Path, name: &str, shard: Option<Shard>) -> PathBuf {
    if path.is_dir() { path.join(part_name(name, shard)) } else { path.into() }
}

/// The file for the results of a shard in a folder, so that all shards can be given the same; otherwise the file itself.
pub fn result_file(path: &Path, name: &str, shard: Option<Shard>) -> PathBuf {
    if shard.is_some() { in_folder(path, name, shard) } else { path.into() }
}

/// The files of a run of `tables`, of a shard or of all.
pub fn table_files(shard: Option<Shard>) -> Vec<String> {
    match shard {
        None => FILES.map(String::from).into(),
        Some(s) => {
            let accuracy = format!("{}.gz", part_name("accuracy", shard));
            std::iter::once(accuracy).chain((s.index == 1).then(|| part_name("speed", shard))).collect()
        }
    }
}

/// Writes results into a folder: of a shard its one file, and the speeds where it has them; of a whole run JSON and Markdown, and
/// what the rows cost. The names of the files.
pub fn write_tables(folder: &Path, results: &Results) -> Result<Vec<PathBuf>, Error> {
    file::make_folder(folder)?;
    let mut files = Vec::new();
    let mut write = |name: &str, text: &str| {
        let path = folder.join(name);
        file::write(&path, text)?;
        files.push(path);
        Ok::<_, Error>(())
    };
    if results.shard.is_some() {
        let names = table_files(results.shard);
        write(&names[0], &results.for_file().to_line())?;
        if let (Some(name), Some(speed)) = (names.get(1), &results.speed) {
            write(name, &speed.to_json())?;
        }
        return Ok(files);
    }
    write(FILES[0], &results.for_file().to_json())?;
    write(FILES[1], &crate::render::markdown(results))?;
    if !results.costs.is_empty() {
        write(FILES[2], &results.costs.to_text())?;
    }
    if let Some(speed) = &results.speed {
        write(FILES[3], &speed.to_json())?;
        write(FILES[4], &crate::render::speed_markdown(speed))?;
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernier_oracle::functions;

    /// One case in two is of a sort, in turn. Where MPFR takes longer than for exp there are as many times fewer.
    #[test]
    fn a_night_has_a_million_of_every_sort() {
        let usual = functions::row(vernier::function::Math::exp).cost;
        for row in functions::rows() {
            let of_sorts = FULL.samples / row.cost.min(usual) / 2;
            assert!(of_sorts >= 1_000_000 * row.sorts().count() as u64, "{}", row.function);
        }
    }
}
