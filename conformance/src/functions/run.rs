//! Measures functions: special values, every input or a search, and whether both judges agree.

use super::results::{format_of, words};
use super::{Asked, Candidate, CaseFile, Documented, FORMAT, How, Results, Row, Source, parts};
use crate::error::Error;
use crate::table::{Build, Shard};
use crate::{file, hold, text};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use vernier_foreign::{Fault, Number, What};
use vernier_oracle::number::{
    Block, Callee, Case, DOUBT, Exhaustive, Judge, Search, Special, Tally, bits, disagreement, special,
};
use vernier_oracle::{Format, Function, Mismatch, generate};

/// How much is tried where nothing else is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// A look: searches of 2^18 inputs.
    Quick,
    /// Every float of a function of one whose judge is quick; searches of 2^22 inputs elsewhere, of 2^20 where only MPFR judges (2^17 of
    /// binary128), of 2^28 where a graphics processor does.
    Usual,
    /// Every float of a function of one; searches of 2^30 inputs, of 2^26, and of 2^36.
    Full,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How much is tried.
    pub effort: Effort,
    /// Inputs of a search, where they are given.
    pub evaluations: Option<u64>,
    /// Seed.
    pub seed: u64,
    /// Inputs that searches begin with, as a hash of them; none without any.
    pub cases: Option<String>,
}

impl Plan {
    /// How a function is tried, and the inputs of a search.
    fn of(&self, function: Function, number: Number, gpu: bool) -> (How, u64) {
        let slow = function.values().into_iter().any(|v| Judge::new(v, function.arity(), format_of(number)).is_slow());
        let few = function.arity() == 1 && bits::width(format_of(number)) <= 32;
        let exhaustive = match self.effort {
            _ if bits::width(format_of(number)) < 32 => few,
            Effort::Quick => false,
            Effort::Usual => few && !slow,
            Effort::Full => few,
        };
        let searched = match (self.effort, slow) {
            (Effort::Quick, _) => 1 << 18,
            // MPFR takes ten times as long for binary128.
            (Effort::Usual, true) => 1 << if number == Number::F128 { 17 } else { 20 },
            (Effort::Usual, false) => 1 << if gpu { 28 } else { 22 },
            (Effort::Full, true) => 1 << if number == Number::F128 { 23 } else { 26 },
            (Effort::Full, false) => 1 << if gpu { 36 } else { 30 },
        };
        // Who says how many inputs wants no more.
        let how = if exhaustive && self.evaluations.is_none() { How::Exhaustive } else { How::Searched };
        (how, self.evaluations.unwrap_or(searched))
    }

    /// Cases of which both judges are asked.
    fn confirmed(&self) -> u64 {
        if self.effort == Effort::Full { 1_000_000 } else { 1 << 12 }
    }
}

/// A run to be carried out.
pub struct Run<'a> {
    /// Whose functions.
    pub source: &'a Source,
    /// Which of them.
    pub rows: Vec<Asked>,
    /// What to do.
    pub plan: Plan,
    /// Which part of it.
    pub shard: Option<Shard>,
    /// Where to keep what is done so far.
    pub checkpoint: Option<PathBuf>,
    /// Time between two writes of it.
    pub save_every: Duration,
    /// Inputs that searches begin with.
    pub cases: &'a CaseFile,
    /// Whether standard error is told of each function that is done.
    pub progress: bool,
}

/// How far a row is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Work {
    Exhaustive(Exhaustive),
    Search(Search),
}

const CHECKPOINT: &str = "vernier functions checkpoint 3";

/// What is kept between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    format: String,
    plan: Plan,
    shard: Option<Shard>,
    subject: super::Subject,
    rows: Vec<String>,
    done: Vec<Row>,
    work: Option<Work>,
}

/// Carries out a run; the checkpoint stays, until the caller removes it.
///
/// # Errors
/// If a function is not there, or the checkpoint cannot be read or written. What a function does is in its row.
pub fn run(run: &Run<'_>) -> Result<Results, Error> {
    let names: Vec<String> =
        run.rows.iter().map(|a| format!("{} {}", a.number.name(), run.source.symbol(*a))).collect();
    let new = Checkpoint {
        format: CHECKPOINT.into(),
        plan: run.plan.clone(),
        shard: run.shard,
        subject: run.source.subject.clone(),
        rows: names.clone(),
        done: Vec::new(),
        work: None,
    };
    let found = match &run.checkpoint {
        Some(path) if path.exists() => read_checkpoint(path, &new)?,
        _ => new,
    };
    let done = found.done.len();
    let state = Arc::new(Mutex::new(found));
    let latest = || state.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = run.checkpoint.clone() {
        let state = Arc::clone(&state);
        hold::save_with(move || save(&path, &state.lock().unwrap_or_else(PoisonError::into_inner)));
    }
    let bar = ProgressBar::new(1000 * run.rows.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3}%  {eta:>4} left  {msg}") {
        bar.set_style(style);
    }
    let mut saved = Instant::now();
    let children = ThreadPoolBuilder::new()
        .num_threads(2 * rayon::current_num_threads())
        .build()
        .map_err(|e| Error::Usage(format!("no threads: {e}")))?;
    let ahead = if run.source.is_cuda() { rayon::current_num_threads() } else { 1 };
    thread::scope(|scope| {
        // What is compiled is compiled while others are measured.
        let (compiled, ready) = sync_channel(ahead);
        let rest = &run.rows[done..];
        scope.spawn(move || {
            for some in rest.chunks(ahead) {
                let made: Vec<_> = some.par_iter().map(|&asked| run.source.candidate(asked, None)).collect();
                if made.into_iter().any(|candidate| compiled.send(candidate).is_err()) {
                    return;
                }
            }
        });
        for (i, &asked) in run.rows.iter().enumerate().skip(done) {
            bar.set_message(names[i].clone());
            let begin = Instant::now();
            let candidate = ready.recv().unwrap_or_else(|_| run.source.candidate(asked, None))?;
            let waited = begin.elapsed();
            let begun = latest().work.clone();
            let note = |work: &Work, done: f64| {
                bar.set_position(i as u64 * 1000 + (done * 1000.0) as u64);
                let Some(path) = &run.checkpoint else { return Ok(()) };
                latest().work = Some(work.clone());
                if saved.elapsed() < run.save_every {
                    return Ok(());
                }
                saved = Instant::now();
                save(path, &latest())
            };
            let row = match &candidate {
                // A thread waits while its child computes.
                Candidate::Foreign(_) => children.install(|| measure(run, asked, &candidate, begun, note)),
                _ => measure(run, asked, &candidate, begun, note),
            }?;
            if run.progress {
                let [all, waited] = [begin.elapsed(), waited].map(|time| time.as_secs_f64());
                let line =
                    format!("{}: {} inputs, {all:.2} s, {waited:.2} s of them until it was there", names[i], row.cases);
                bar.suspend(|| writeln!(std::io::stderr(), "{line}").unwrap_or_default());
            }
            let mut state = latest();
            state.work = None;
            state.done.push(row);
            run.checkpoint.as_deref().map_or(Ok(()), |path| save(path, &state))?;
        }
        Ok::<(), Error>(())
    })?;
    bar.finish_and_clear();
    let rows = latest().done.clone();
    Ok(Results {
        format: FORMAT.into(),
        build: Build::this(),
        subject: run.source.subject.clone(),
        plan: run.plan.clone(),
        shard: run.shard,
        rows,
        comparison: None,
    })
}

fn save(path: &Path, state: &Checkpoint) -> Result<(), Error> {
    file::write(path, &serde_json::to_string(state).unwrap_or_default())
}

fn read_checkpoint(path: &Path, new: &Checkpoint) -> Result<Checkpoint, Error> {
    let name = text::path(path);
    let text = file::read_regular(path)?;
    let found: Checkpoint =
        serde_json::from_str(&text).map_err(|e| Error::Checkpoint { name: name.clone(), reason: e.to_string() })?;
    let same = Checkpoint { done: Vec::new(), work: None, ..found.clone() } == *new;
    if !same || found.done.len() > new.rows.len() {
        let reason = "this is the checkpoint of another run: expected the same functions, plan and shard; remove it to start anew";
        return Err(Error::Disagree { name, reason: reason.into() });
    }
    Ok(found)
}

/// One row. `begun` is what an earlier run left; `note` is told of what is done so far, and the share of it.
fn measure(
    run: &Run<'_>,
    asked: Asked,
    candidate: &Candidate,
    begun: Option<Work>,
    mut note: impl FnMut(&Work, f64) -> Result<(), Error>,
) -> Result<Row, Error> {
    let Asked { function, number, .. } = asked;
    let format = format_of(number);
    let (how, search) = run.search(asked, candidate, 1);
    let part = run.shard.map_or([1, 1], |s| [s.index, s.count]);
    let mut tally = Tally::default();
    let mut points: Vec<Special> = Vec::new();
    // The first shard has what is not divided.
    let first = if part[0] == 1 { once(run, function, number, candidate, &mut tally, &mut points) } else { Ok(()) };
    let mut fault = first.err();
    let mut work = begun.unwrap_or_else(|| match how {
        How::Exhaustive => Work::Exhaustive(Exhaustive::new(part)),
        How::Searched => Work::Search(search),
    });
    while fault.is_none() {
        let (step, done) = match &mut work {
            Work::Exhaustive(all) => (all.step(candidate, function, format), all.done(format)),
            Work::Search(search) => (search.step(candidate, function, format), search.done()),
        };
        match step {
            Ok(true) => note(&work, done)?,
            Ok(false) => break,
            Err(found) => fault = Some(found),
        }
    }
    let left_out = if let Work::Search(search) = &work { search.left_out } else { 0 };
    match work {
        Work::Exhaustive(Exhaustive { tally: part, .. }) | Work::Search(Search { tally: part, .. }) => {
            tally.merge(&part)
        }
    }
    if candidate.judges() && fault.is_none() {
        fault = confirm(candidate, function, format, None, &tally).err();
    }
    let mut row = Row::new(&run.source.subject, asked, run.source.symbol(asked), how, tally);
    row = row.with_special(function, number, &points);
    row.notes = candidate.notes();
    if number == Number::F128 && fault.is_none() {
        row.result = row.tally.worst.map_or(Ok(String::new()), |case| low_too(candidate, &case))?;
    }
    if left_out > 0 {
        row.notes.push(format!("{left_out} inputs of the search are left out, whose results MPFR alone could judge"));
    }
    if row.documented.is_none() && fault.is_none() && part[0] == 1 {
        match documented(run, asked, candidate)? {
            Ok(documented) => row.documented = documented,
            Err(found) => fault = Some(found),
        }
    }
    Ok(match fault {
        Some(fault) => row.with_fault(&fault, function, number),
        None => row,
    })
}

impl Run<'_> {
    /// How a function is tried, and the search, if it is one, of a share of its inputs.
    fn search(&self, asked: Asked, candidate: &Candidate, share: u64) -> (How, Search) {
        let Asked { function, number, .. } = asked;
        let gpu = candidate.judges() && self.source.is_fast();
        let (how, budget) = self.plan.of(function, number, gpu);
        let part = self.shard.map_or([1, 1], |s| [s.index, s.count]);
        let seed = generate::counter::named_key(self.plan.seed ^ part[0], function.name());
        let cases = if part[0] == 1 { self.cases.of(function, number) } else { Vec::new() };
        let search = Search::new(seed, (budget / part[1] / share).max(1), cases);
        (how, if gpu { search.at_once() } else { search })
    }
}

/// The result of a case of binary128, with its low word.
fn low_too(candidate: &Candidate, case: &Case) -> Result<String, Error> {
    let mut block = Block::new();
    block.n = 1;
    for (column, x) in block.args.iter_mut().zip(case.args) {
        column[0] = x;
    }
    candidate.call(&mut block, false).map_err(|fault| Error::Usage(fault.what.to_string()))?;
    Ok(words([block.results[0][0], block.results[1][0]]))
}

/// What is documented of parts of the domain: each is searched.
fn documented(run: &Run<'_>, asked: Asked, candidate: &Candidate) -> Result<Result<Option<Documented>, Fault>, Error> {
    let Asked { function, number, .. } = asked;
    let format = format_of(number);
    let mut found = Vec::new();
    for bound in parts(&run.source.subject, asked) {
        // A device's judge is compiled for its unit.
        let unit = bound.part.unit.filter(|_| candidate.judges());
        let of_unit = unit.map(|unit| run.source.candidate(asked, Some(unit))).transpose()?;
        let candidate = of_unit.as_ref().unwrap_or(candidate);
        let mut search = run.search(asked, candidate, 4).1.within(bound.part.clone());
        let mut all = || {
            while search.step(candidate, function, format)? {}
            confirm(candidate, function, format, bound.part.unit, &search.tally)
        };
        match all() {
            Ok(()) => found.push(bound.held(&search.tally, function, format)),
            Err(fault) => return Ok(Err(fault)),
        }
    }
    Ok(Ok(Documented::of_parts(&run.source.subject, found)))
}

/// Judges the cases that are shown again, by MPFR; a device's judge is worth nothing that says something else.
fn confirm(
    candidate: &Candidate,
    function: Function,
    format: Format,
    unit: Option<i32>,
    tally: &Tally,
) -> Result<(), Fault> {
    let shown = tally.worst.map(|case| (case, tally.ulp, None));
    let wrong = tally.mismatch.map(|(case, how)| (case, 0.0, Some(how)));
    let values = function.values();
    let all: [Option<(Case, f64, Option<Mismatch>)>; 2] = [shown, wrong];
    for (case, ulp, wrong) in all.into_iter().flatten() {
        let mut block = Block::new();
        block.n = 1;
        for (column, x) in block.args.iter_mut().zip(case.args) {
            column[0] = x;
        }
        candidate.call(&mut block, true)?;
        let judge = Judge::new(values[case.which], function.arity(), format);
        let judge = unit.map_or(judge, |unit| judge.in_units(unit));
        let args = case.args.map(|x| bits::number(x, format));
        let judged = judge.exactly(&args[..function.arity()], judge.result(case.result));
        let same = block.results[case.which][0] == case.result && judged.wrong == wrong;
        if !same || (judged.ulp - ulp).abs() > DOUBT * ulp.max(1.0) {
            let what = format!(
                "the device's judge says {ulp} ulp, {wrong:?}; the host {} ulp, {:?}",
                judged.ulp, judged.wrong
            );
            return Err(Fault { input: Some(case.args), what: What::Failed(what) });
        }
    }
    Ok(())
}

/// Special values, and whether both judges agree.
fn once(
    run: &Run<'_>,
    function: Function,
    number: Number,
    candidate: &Candidate,
    tally: &mut Tally,
    points: &mut Vec<Special>,
) -> Result<(), Fault> {
    let format = format_of(number);
    *points = special(candidate, function, format, tally)?;
    match disagreement(candidate, function, format, run.plan.confirmed(), run.plan.seed)? {
        None => Ok(()),
        Some(case) => {
            let what = "this program's functions and MPFR judge it differently, so that no figure is worth anything";
            Err(Fault { input: Some(case.args), what: What::Failed(what.into()) })
        }
    }
}
