//! Carrying out contracts.

use super::report::{Outcome, Report};
use super::{CONTRACTS, Claim, Contract, Planted, Side, device, search, tape};
use crate::error::Error;
use crate::stat;
use crate::subject::all;
use crate::table::{Build, Row, Shard};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use vernier_gpu::device::{Api, Device, survey};
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
    /// Only functions and rows whose name has this part.
    pub filter: String,
    /// The part of the functions.
    pub shard: Shard,
    /// The generator's seed.
    pub seed: u64,
    /// The mutants to plant.
    pub mutants: Planted,
    /// Name the mutants that survive.
    pub survivors: bool,
}

impl Request {
    /// Whether a function is to be run: by its place among all and its names.
    pub(crate) fn wants(&self, place: usize, names: &[&str]) -> bool {
        self.shard.has(place as u64) && names.iter().any(|name| name.contains(&self.filter))
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

/// Carries out each unit of work, tells each outcome, and stops at a device that was lost.
pub(super) fn each<T>(
    units: impl ExactSizeIterator<Item = T>,
    message: impl Fn(&T) -> String,
    listener: Listener<'_>,
    mut run: impl FnMut(T) -> Result<Outcome, Error>,
) -> Result<Vec<Outcome>, Error> {
    let bar = bar(units.len() as u64);
    let mut outcomes = Vec::new();
    for unit in units {
        bar.set_message(message(&unit));
        let outcome = run(unit)?;
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

/// Runs the contracts that were asked for. What a lost device had done is kept, and [`Report::incomplete`] says so.
///
/// # Errors
/// If nothing fits, the device asked for cannot be used, or a program does not compile.
pub fn run(request: &Request) -> Result<Report, Error> {
    run_with(request, &|_| {})
}

/// The same, telling of each outcome.
///
/// # Errors
/// As [`run`].
pub fn run_with(request: &Request, listener: Listener<'_>) -> Result<Report, Error> {
    let mut report = Report {
        program: Build::this(),
        seed: request.seed,
        shard: (request.shard != Shard::WHOLE).then_some(request.shard),
        absent: Vec::new(),
        outcomes: Vec::new(),
        incomplete: None,
    };
    let any = |name: &str| name.contains(&request.filter);
    let known = all().any(|f| any(&f.name()))
        || Row::all().iter().any(|r| any(&r.to_string()))
        || super::processor::names().any(|name| any(&name))
        || stat::contract::names().any(|name| any(&name));
    if !known {
        return Err(Error::Usage(format!("no function has `{}` in its name; as fp32mp2_mid_add", request.filter)));
    }
    let here: Vec<&Contract> = CONTRACTS.iter().filter(|c| c.api().is_none()).collect();
    if request.device.is_none() {
        for c in here {
            report.outcomes.extend(match c.right {
                Side::Processor => super::processor::run(c, request, listener)?,
                _ => tape::run(c, request, listener),
            });
        }
        report.outcomes.extend(stat::contract::on_host(request, listener));
    }
    for api in [Api::OpenCl, Api::Cuda] {
        if request.host_only || request.device.is_some_and(|wanted| wanted != api) || report.incomplete.is_some() {
            continue;
        }
        let devices = match (Device::open_all(api), request.device) {
            (Ok(devices), _) => devices,
            (Err(error), Some(_)) => return Err(error.into()),
            (Err(vernier_gpu::device::Error::Unusable { why, .. }), None) => {
                report.absent.push((api, why));
                continue;
            }
            (Err(vernier_gpu::device::Error::NoSuchDevice { .. }), None) => {
                let why = survey().absent.into_iter().find(|(a, _)| *a == api).map(|(_, why)| why);
                report.absent.push((api, why.unwrap_or(vernier_gpu::device::Unusable::NoDevice)));
                continue;
            }
            (Err(error), None) => return Err(error.into()),
        };
        for contract in CONTRACTS.iter().filter(|c| c.api() == Some(api)) {
            let outcomes = match (contract.claim, contract.right) {
                (Claim::Identical, Side::Native(_)) => device::native(contract, request, &devices[0], listener)?,
                (Claim::Identical, _) => device::identical(contract, request, &devices, listener)?,
                (Claim::Different, _) => device::different(contract, request, &devices, listener)?,
                (Claim::Within, _) => device::within(contract, request, &devices[0], listener)?,
            };
            report.incomplete = outcomes.iter().find_map(|o: &Outcome| o.incomplete.clone());
            report.outcomes.extend(outcomes);
            if report.incomplete.is_some() {
                break;
            }
        }
        if report.incomplete.is_none() {
            report.outcomes.extend(stat::contract::on_device(request, &devices[0], listener)?);
            report.outcomes.extend(stat::contract::extras_on_device(request, &devices[0], listener)?);
        }
    }
    Ok(report)
}

/// Looks for cases that kill mutants which the kept cases and some generated ones do not, function by function.
///
/// # Errors
/// What `found` returns.
pub fn find(
    request: &Request,
    rounds: u64,
    mut found: impl FnMut(&str, search::Found) -> Result<(), Error>,
) -> Result<(), Error> {
    let functions = request.functions();
    let bar = bar(functions.len() as u64);
    for f in functions {
        bar.set_message(f.name());
        found(&f.name(), search::find(f, request.seed, rounds))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
