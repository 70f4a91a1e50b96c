//! Runs a plan: samples and searches of every row, over all cores, part by part.
//!
//! Work is cut into units by case index, and what they give is merged by operations that do not depend on order: a run
//! gives the same result with any number of threads, in any number of shards, and after any number of interruptions.

use super::checkpoint::{Checkpoint, Progress};
use super::costs::{Cost, Costs};
use super::deal::Deal;
use super::draw;
use super::metric::Metric;
use super::results::{BLOCK, Best, Lanes, Plan, RowResult, Shard};
use super::row::Row;
use super::search::{self, Budget};
use super::special::{self, SpecialRow};
use super::tally::{self, Tally, with_result};
use crate::case::{Case, Type};
use crate::error::Error;
use crate::hold;
use crate::subject::Subject;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use vernier_oracle::search::{Peak, islands};

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
    /// What the rows are expected to cost, by which they are dealt to the shards.
    pub costs: Costs,
}

/// What a run did.
pub struct Done {
    /// The rows.
    pub rows: Vec<RowResult>,
    /// The special-value table, which the first shard has.
    pub special: Vec<SpecialRow>,
    /// How the work was dealt.
    pub deal: Deal,
    /// What the rows cost.
    pub costs: Costs,
}

/// How many units at once take some tenths of a second: a run that is killed loses no more.
struct Pace(u64);

impl Pace {
    const FASTEST: u64 = 128;
    const SHORT: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_millis(400);

    /// One unit for each thread, to begin with.
    fn least() -> u64 {
        (rayon::current_num_threads() as u64).clamp(1, Self::FASTEST)
    }

    /// Takes note of what a chunk took.
    fn took(&mut self, time: Duration) {
        self.0 = match time {
            t if t < Self::SHORT => self.0 * 2,
            t if t > Self::LONG => self.0 / 2,
            _ => self.0,
        }
        .clamp(Self::least(), Self::FASTEST);
    }
}

/// Carries out a run.
///
/// With a checkpoint, what is done so far is written there from time to time, and a later run with the same plan goes on
/// from it. The file stays: the caller removes it when the results are safe.
pub fn run(run: &Run<'_>) -> Result<Done, Error> {
    let rows = rows_of(&run.plan)?;
    let deal = Deal::new(&run.plan, &rows, run.shard.count, &run.costs);
    let checkpoint = match &run.checkpoint {
        Some(path) => Checkpoint::open(path, &run.plan, run.shard, &deal)?,
        None => Checkpoint::none(&run.plan, run.shard, &deal),
    };
    let checkpoint = Arc::new(Mutex::new(checkpoint));
    if run.checkpoint.is_some() {
        let checkpoint = checkpoint.clone();
        hold::save_with(move || checkpoint.lock().unwrap_or_else(PoisonError::into_inner).save());
    }
    let mut state = Saved { checkpoint, at: Instant::now(), every: run.save_every };
    let bar = progress_bar(run, &rows);
    let (mut results, mut costs) = (Vec::new(), Costs::default());
    for (i, row) in rows.iter().enumerate() {
        let mut work = Work { run, row, lanes: deal.lanes(i, row, run.shard), costs: Default::default() };
        results.push(work.row(&mut state, &bar)?);
        costs.add(&row.to_string(), work.costs);
    }
    bar.finish_and_clear();
    let special = if run.plan.special && run.shard.index == 1 { special_rows(run.subject)? } else { Vec::new() };
    Ok(Done { rows: results, special, deal, costs })
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
    checkpoint: Arc<Mutex<Checkpoint>>,
    at: Instant,
    every: Duration,
}

impl Saved {
    fn get(&self, row: &str) -> Option<Progress> {
        self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner).get(row)
    }

    fn update(&mut self, progress: &Progress) -> Result<(), Error> {
        let mut checkpoint = self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner);
        checkpoint.set(progress.clone());
        if self.at.elapsed() >= self.every {
            checkpoint.save()?;
            self.at = Instant::now();
        }
        Ok(())
    }
}

/// A row, the part of it that is to be done, and what that cost so far: of samples, and of searches.
struct Work<'a> {
    run: &'a Run<'a>,
    row: &'a Row,
    lanes: Lanes,
    costs: [Cost; 2],
}

impl Work<'_> {
    fn row(&mut self, state: &mut Saved, bar: &ProgressBar) -> Result<RowResult, Error> {
        let (run, row) = (self.run, self.row);
        let (samples, exhaustive) = run.plan.sample_count(row);
        let name = row.to_string();
        let saved = state.get(&name);
        let mut progress = saved.unwrap_or_else(|| Progress::new(row, exhaustive));
        bar.set_message(name);

        let blocks = samples.div_ceil(BLOCK);
        bar.inc(progress.blocks.min(blocks) * BLOCK);
        let mut pace = Pace(Pace::least());
        while progress.blocks < blocks {
            // Between two blocks of a shard lie those of the others.
            let end = (progress.blocks + pace.0.saturating_mul(run.shard.count)).min(blocks);
            let (start, chunk) = (Instant::now(), progress.blocks..end);
            let own: Vec<u64> = chunk.clone().filter(|&b| self.lanes.samples.has(b)).collect();
            let tally = |b: u64| tally::run(run.subject, row, run.plan.seed, b * BLOCK..((b + 1) * BLOCK).min(samples));
            let part = own.into_par_iter().map(tally).try_reduce(Tally::default, |mut a, b| {
                a.merge(&b);
                Ok(a)
            })?;
            self.costs[0].add(Cost(part.cases(), start.elapsed().as_nanos() as u64));
            pace.took(start.elapsed());
            progress.result.tally.merge(&part);
            progress.blocks = end;
            bar.inc((chunk.end - chunk.start) * BLOCK);
            state.update(&progress)?;
        }
        for (i, &metric) in row.searched().iter().enumerate() {
            self.searches(i, metric, &mut progress, state, bar)?;
        }
        Ok(progress.result)
    }

    /// The searches of a row in one metric.
    fn searches(
        &mut self,
        i: usize,
        metric: Metric,
        progress: &mut Progress,
        state: &mut Saved,
        bar: &ProgressBar,
    ) -> Result<(), Error> {
        let (run, row) = (self.run, self.row);
        for number in progress.searches[i]..run.plan.searches {
            if self.lanes.searches[i].has(number) {
                let peak = self.search(metric, number, progress, state)?;
                let best = match peak {
                    Some(peak) => Some(best(run.subject, row, metric, number, run.plan.seed, peak)?),
                    None => None,
                };
                progress.result.searches[i].add(1, best);
                bar.inc(run.plan.evaluations(row));
            }
            progress.searches[i] = number + 1;
            progress.climb = None;
            state.update(progress)?;
        }
        Ok(())
    }

    /// One search, some islands after others.
    fn search(
        &mut self,
        metric: Metric,
        number: u64,
        progress: &mut Progress,
        state: &mut Saved,
    ) -> Result<Option<Peak>, Error> {
        let (run, row, plan) = (self.run, self.row, &self.run.plan);
        let subject = run.subject.searched_by().unwrap_or(run.subject);
        if let Some(s) = plan.search_seconds {
            return Ok(search::run(subject, row, metric, plan.seed, number, Budget::Time(Duration::from_secs(s))));
        }
        let evaluations = search::evaluations(row, plan.evaluations(row));
        let all = islands(evaluations);
        let mut climb = progress.climb.take().unwrap_or_default();
        let mut pace = Pace(Pace::least());
        while climb.islands < all {
            let (start, end) = (Instant::now(), (climb.islands + pace.0).min(all));
            let part = Budget::Islands(evaluations, climb.islands..end);
            let peak = search::run(subject, row, metric, plan.seed, number, part);
            let cases = (end - climb.islands) * (evaluations / all);
            self.costs[1].add(Cost(cases, start.elapsed().as_nanos() as u64));
            pace.took(start.elapsed());
            climb = climb.with(end, peak);
            progress.climb = Some(climb.clone());
            state.update(progress)?;
        }
        Ok(climb.peak())
    }
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
