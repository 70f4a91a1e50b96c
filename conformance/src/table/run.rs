//! Runs a plan: samples and searches of every row, over all cores, part by part.
//!
//! Work is cut into units by case index, and what they give is merged by operations that do not depend on order: a run
//! gives the same result with any number of threads, in any number of shards, and after any number of interruptions.

use super::checkpoint::{Checkpoint, Progress};
use super::draw;
use super::metric::Metric;
use super::results::{BLOCK, Best, Plan, RowResult, Shard};
use super::row::Row;
use super::search::{self, Budget};
use super::special::{self, SpecialRow};
use super::tally::{self, Tally, with_result};
use crate::case::{Case, Type};
use crate::error::Error;
use crate::subject::Subject;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use vernier_oracle::search::Peak;

/// Units between two looks at the checkpoint.
const CHUNK: u64 = 64;
/// A run to be carried out.
pub struct Run<'a> {
    /// Whose arithmetic.
    pub subject: &'a dyn Subject,
    /// What to do.
    pub plan: Plan,
    /// Which part of it.
    pub shard: Shard,
    /// Where to keep what is done so far.
    pub checkpoint: Option<PathBuf>,
    /// Time between two writes of it.
    pub save_every: Duration,
}

/// Carries out a run.
///
/// With a checkpoint, what is done so far is written there from time to time, and a later run with the same plan goes on
/// from it. The file stays: the caller removes it when the results are safe.
pub fn run(run: &Run<'_>) -> Result<(Vec<RowResult>, Vec<SpecialRow>), Error> {
    let rows = rows_of(&run.plan)?;
    let checkpoint = match &run.checkpoint {
        Some(path) => Checkpoint::open(path, &run.plan, run.shard)?,
        None => Checkpoint::none(&run.plan, run.shard),
    };
    let mut state = Saved { checkpoint, at: Instant::now(), every: run.save_every };
    let bar = progress_bar(run, &rows);
    let results: Result<Vec<RowResult>, Error> = rows.iter().map(|row| run_row(run, row, &mut state, &bar)).collect();
    bar.finish_and_clear();
    let results = results?;
    let special = if run.plan.special { special_rows(run.subject)? } else { Vec::new() };
    Ok((results, special))
}

fn special_rows(subject: &dyn Subject) -> Result<Vec<SpecialRow>, Error> {
    let types: Vec<Type> = crate::table::listed_types().collect();
    let tables: Result<Vec<_>, _> = types.par_iter().map(|&ty| special::table(subject, ty)).collect();
    Ok(tables?.into_iter().flatten().collect())
}

fn rows_of(plan: &Plan) -> Result<Vec<Row>, Error> {
    let row = |name: &String| Row::named(name).ok_or_else(|| Error::Usage(format!("no row is named `{name}`")));
    plan.rows.iter().map(row).collect()
}

struct Saved {
    checkpoint: Checkpoint,
    at: Instant,
    every: Duration,
}

impl Saved {
    fn update(&mut self, progress: &Progress) -> Result<(), Error> {
        self.checkpoint.set(progress.clone());
        if self.at.elapsed() >= self.every {
            self.checkpoint.save()?;
            self.at = Instant::now();
        }
        Ok(())
    }
}

fn run_row(run: &Run<'_>, row: &Row, state: &mut Saved, bar: &ProgressBar) -> Result<RowResult, Error> {
    let (samples, exhaustive) = run.plan.sample_count(row);
    let name = row.to_string();
    let saved = state.checkpoint.get(&name);
    let mut progress = saved.unwrap_or_else(|| Progress::new(row, exhaustive));
    bar.set_message(name);

    let blocks = samples.div_ceil(BLOCK);
    bar.inc(progress.blocks.min(blocks) * BLOCK);
    while progress.blocks < blocks {
        let chunk = progress.blocks..(progress.blocks + CHUNK).min(blocks);
        let size = chunk.end - chunk.start;
        let tallies = chunk.into_par_iter().filter(|&b| run.shard.has(b));
        let tallies =
            tallies.map(|b| tally::run(run.subject, row, run.plan.seed, b * BLOCK..((b + 1) * BLOCK).min(samples)));
        let part = tallies.try_reduce(Tally::default, |mut a, b| {
            a.merge(&b);
            Ok(a)
        })?;
        progress.result.tally.merge(&part);
        progress.blocks += size;
        bar.inc(size * BLOCK);
        state.update(&progress)?;
    }
    for (i, &metric) in row.searched().iter().enumerate() {
        search_row(run, row, i, metric, &mut progress, state, bar)?;
    }
    Ok(progress.result)
}

/// The searches of a row in one metric.
fn search_row(
    run: &Run<'_>,
    row: &Row,
    i: usize,
    metric: Metric,
    progress: &mut Progress,
    state: &mut Saved,
    bar: &ProgressBar,
) -> Result<(), Error> {
    let plan = &run.plan;
    let budget = match plan.search_seconds {
        Some(s) => Budget::Time(Duration::from_secs(s)),
        None => Budget::Evaluations(plan.evaluations(row)),
    };
    for number in progress.searches[i]..plan.searches {
        if run.shard.has(number) {
            let searched = run.subject.searched_by().unwrap_or(run.subject);
            let peak = search::run(searched, row, metric, plan.seed, number, budget);
            let best = match peak {
                Some(peak) => Some(best(run.subject, row, metric, number, plan.seed, peak)?),
                None => None,
            };
            progress.result.searches[i].add(1, best);
            bar.inc(plan.evaluations(row));
        }
        progress.searches[i] = number + 1;
        state.update(progress)?;
    }
    Ok(())
}

/// What a search found; where it ran on another subject, with the result and the error of this one.
fn best(
    subject: &dyn Subject,
    row: &Row,
    metric: Metric,
    number: u64,
    seed: u64,
    Peak { mut value, args, .. }: Peak,
) -> Result<Best, Error> {
    let args = draw::Draw::new(row, seed).values(&args);
    let mut case = Case { ty: row.ty(number), op: row.op, args, results: Vec::new() };
    if subject.searched_by().is_some() {
        let result = subject.eval(case.ty, case.op, &case.args)?;
        // A wrong special value is no error that could be counted: it is a case of the samples.
        value = metric.of(&case, result).unwrap_or(value);
        case.results = vec![result.canonical()];
    } else {
        case = with_result(subject, case);
    }
    Ok(Best { value, case: case.to_string(), search: number })
}

/// Progress on a terminal's standard error; elsewhere nothing is drawn.
fn progress_bar(run: &Run<'_>, rows: &[Row]) -> ProgressBar {
    let work = |row: &Row| {
        let searches =
            (row.searched().len() as u64).saturating_mul(run.plan.searches).saturating_mul(run.plan.evaluations(row))
                / run.shard.count;
        run.plan.sample_count(row).0.div_ceil(BLOCK).saturating_mul(BLOCK).saturating_add(searches)
    };
    let bar = ProgressBar::new(rows.iter().map(work).fold(0, u64::saturating_add));
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3}%  {eta:>4} left  {msg}") {
        bar.set_style(style);
    }
    bar
}
