//! What a run of contracts is asked for, who hears of each outcome, and its progress.

use super::progress::Progress;
use super::report::{Asked, FORMAT, Outcome, Report};
use super::{Contract, Planted};
use crate::error::Error;
use crate::subject::all;
use crate::table::{Build, Shard};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use vernier_gpu::device::Api;
use vernier_tape::registry::Function;

/// What to run.
#[derive(Clone, Debug)]
pub struct Request {
    /// Only this kind of device, which must be there; otherwise every kind that is.
    pub device: Option<Api>,
    /// Only contracts that need no device.
    pub host_only: bool,
    /// Cases of each function; otherwise 2^20 on OpenCL and 2^32 on CUDA.
    pub cases: Option<u64>,
    /// 10^9 cases of each comparison with the processor, where no number is given.
    pub full: bool,
    /// Only functions and rows whose name has this part, or is what follows `=`.
    pub filter: String,
    /// The part of the functions.
    pub shard: Shard,
    /// The generator's seed.
    pub seed: u64,
    /// The mutants to plant.
    pub mutants: Planted,
    /// Only the contracts over every hi, which are left out otherwise.
    pub every_hi: bool,
    /// Name the mutants that survive.
    pub survivors: bool,
    /// What is done already; set by [`Request::go_on`].
    pub progress: Option<Arc<Progress>>,
}

impl Request {
    /// Whether a function is to be run: by its place among all and its names.
    pub(crate) fn wants(&self, place: usize, names: &[&str]) -> bool {
        self.shard.has(place as u64) && names.iter().any(|name| self.names(name))
    }

    /// Whether a name is one that is asked for.
    pub(super) fn names(&self, name: &str) -> bool {
        self.filter.strip_prefix('=').map_or_else(|| name.contains(&self.filter), |whole| name == whole)
    }

    /// The same, going on from a checkpoint and writing it as often as is said.
    ///
    /// # Errors
    /// If it cannot be read or written, or is that of another run.
    pub fn go_on(self, checkpoint: &Path, every: Duration) -> Result<Request, Error> {
        let progress = Progress::open(checkpoint, every, self.report())?;
        Ok(Request { progress: Some(progress), ..self })
    }

    /// The outcome of a contract on a function: that of an earlier run which was interrupted, or a new one.
    pub(super) fn outcome(
        &self,
        contract: &Contract,
        function: &str,
        run: impl FnOnce() -> Result<Outcome, Error>,
    ) -> Result<Outcome, Error> {
        let Some(progress) = &self.progress else { return run() };
        if let Some(done) = progress.finished(contract.name, function) {
            return Ok(done);
        }
        let outcome = run()?;
        progress.note(&outcome)?;
        Ok(outcome)
    }

    /// A report of no outcomes yet.
    pub(super) fn report(&self) -> Report {
        Report {
            format: FORMAT.into(),
            program: Build::this(),
            asked: Asked {
                device: self.device,
                host_only: self.host_only,
                cases: self.cases,
                full: self.full,
                filter: self.filter.clone(),
                mutants: self.mutants != Planted::None,
                survivors: self.survivors,
                every_hi: self.every_hi,
            },
            seed: self.seed,
            shard: (self.shard != Shard::WHOLE).then_some(self.shard),
            absent: Vec::new(),
            outcomes: Vec::new(),
            incomplete: None,
        }
    }

    pub(super) fn functions(&self) -> Vec<&'static Function> {
        all().enumerate().filter(|(i, f)| self.wants(*i, &[&f.name()])).map(|(_, f)| f).collect()
    }
}

/// What hears of each outcome as soon as it is there; in the order of the functions.
pub type Listener<'a> = &'a (dyn Fn(&Outcome) + Sync);

/// Tells of outcomes that are found in any order in that of their numbers.
pub(super) struct InOrder<'a> {
    listener: Listener<'a>,
    waiting: Mutex<(usize, BTreeMap<usize, Outcome>)>,
}

impl<'a> InOrder<'a> {
    pub(super) fn new(listener: Listener<'a>) -> Self {
        InOrder { listener, waiting: Mutex::default() }
    }

    pub(super) fn add(&self, number: usize, outcome: &Outcome) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, waiting) = &mut *waiting;
        waiting.insert(number, outcome.clone());
        while let Some(outcome) = waiting.remove(next) {
            (self.listener)(&outcome);
            *next += 1;
        }
    }
}

/// Progress on a terminal's standard error; elsewhere nothing is drawn.
pub(super) fn bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}  {eta:>4} left  {msg}") {
        bar.set_style(style);
    }
    bar
}

/// Carries out a contract on each unit of work, tells each outcome, and stops at a device that was lost.
pub(super) fn each<T>(
    (contract, request, listener): (&Contract, &Request, Listener<'_>),
    units: impl ExactSizeIterator<Item = T>,
    name: impl Fn(&T) -> String,
    mut run: impl FnMut(T) -> Result<Outcome, Error>,
) -> Result<Vec<Outcome>, Error> {
    let bar = bar(units.len() as u64);
    let mut outcomes = Vec::new();
    for unit in units {
        let name = name(&unit);
        bar.set_message(format!("{}, {name}", contract.name));
        let outcome = request.outcome(contract, &name, || run(unit))?;
        let lost = outcome.incomplete.is_some();
        bar.suspend(|| listener(&outcome));
        outcomes.push(outcome);
        bar.inc(1);
        if lost {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(outcomes)
}
