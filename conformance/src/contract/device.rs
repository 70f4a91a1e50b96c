//! Contracts with devices.

use super::Contract;
use super::noticing;
use super::report::{Faults, Outcome};
use super::run::{Request, Told, bar, each};
use super::tape::{columns, differing, explained};
use crate::error::Error;
use crate::subject::{Failure, OnDevice, Subject};
use crate::table::{Line, Row, Verdict, empty, tally};
use std::time::Instant;
use vernier_gpu::device::{self, Api, Device};
use vernier_gpu::kernel::{Comparison, Faulty, Kernels, Natives, compare};
use vernier_tape::cases::BLOCK;
use vernier_tape::faults::one_nan;
use vernier_tape::interpret::Interpreter;
use vernier_tape::registry::Function;
use vernier_tape::tape::Ty;

/// Samples of a row that the oracle judges.
const SAMPLES: u64 = 1 << 14;

/// Cases of a function where no option says so.
fn usual(api: Api) -> u64 {
    match api {
        Api::Cuda => 1 << 32,
        Api::OpenCl => 1 << 20,
    }
}

/// Cases that faults are looked for in: those that are noticed are so soon.
fn fault_cases(api: Api) -> u64 {
    match api {
        Api::Cuda => 1 << 22,
        Api::OpenCl => 1 << 17,
    }
}

/// What a progress bar says.
fn message(contract: &Contract, name: &str) -> String {
    format!("{}, {name}", contract.name)
}

/// The outcome of a comparison by hashes.
fn compared(contract: &Contract, f: &Function, c: Comparison, start: Instant) -> Outcome {
    let device = c.builds.first().map_or("the device".to_string(), |b| b.device.clone());
    let first = c.first.as_ref().and_then(|m| {
        let got = m.device_args.is_none().then_some(m.device.as_slice());
        Some(format!("{}, case {}", differing(f, &m.args, &m.host, got, &device)?, m.index))
    });
    Outcome {
        cases: c.cases,
        mismatches: c.differing_count,
        first,
        incomplete: c.incomplete,
        note: format!("host {:.2} s, {} x device {:.2} s", c.host_seconds, c.builds.len(), c.device_seconds),
        builds: c.builds,
        seconds: start.elapsed().as_secs_f64(),
        ..Outcome::new(contract.name, f.name(), contract.claim)
    }
}

/// Host against all devices of a kind, bit for bit.
pub(super) fn identical(
    contract: &Contract,
    request: &Request,
    devices: &[Device],
    told: Told<'_>,
) -> Result<Vec<Outcome>, Error> {
    let (functions, api) = (request.functions(), devices[0].api());
    if functions.is_empty() {
        return Ok(Vec::new());
    }
    let compiling = bar(functions.len() as u64);
    compiling.set_message(format!("compiling for {api}"));
    let kernels = devices.iter().map(|d| Kernels::compile(d, &functions)).collect::<Result<Vec<_>, _>>()?;
    compiling.finish_and_clear();
    let blocks = request.cases.unwrap_or(usual(api)).div_ceil(BLOCK);
    each(
        functions.into_iter(),
        |f| message(contract, &f.name()),
        told,
        |f| {
            let start = Instant::now();
            let mut outcome = compared(contract, f, compare(&kernels, f, request.seed, 0..blocks)?, start);
            if request.faults && contract.faults && outcome.incomplete.is_none() {
                match faults(&devices[0], f, request) {
                    Ok(faults) => outcome.faults = Some(faults),
                    // Without a fault the device differs: known already.
                    Err(device::Error::Arguments { .. }) if outcome.mismatches > 0 => {}
                    Err(error) => keep(&mut outcome, error)?,
                }
            }
            outcome.seconds = start.elapsed().as_secs_f64();
            Ok(outcome)
        },
    )
}

/// A failure of the device leaves what was done; any other ends the run.
fn keep(outcome: &mut Outcome, error: device::Error) -> Result<(), Error> {
    match error {
        device::Error::Lost(_) | device::Error::OutOfMemory { .. } | device::Error::Call { .. } => {
            outcome.incomplete = Some(error.to_string());
            Ok(())
        }
        error => Err(error.into()),
    }
}

fn faults(device: &Device, f: &'static Function, request: &Request) -> Result<Faults, device::Error> {
    let faulty = Faulty::compile(device, f)?;
    let blocks = fault_cases(device.api()).div_ceil(BLOCK);
    let caught = faulty.catch(request.seed, 0..blocks)?;
    let kept = columns(f, &noticing::cases(f));
    let n = kept.first().map_or(0, Vec::len);
    let types: Vec<Ty> = f.tape.results().collect();
    let expected = Interpreter::new(&f.tape).run(&kept);
    let mut survivors = Vec::new();
    for i in caught.survivors() {
        let got = if n == 0 { expected.clone() } else { faulty.map(&kept, i as u32)? };
        let columns = || types.iter().zip(expected.iter().zip(&got));
        let same = |case: usize| columns().all(|(&ty, (e, g))| one_nan(ty, e[case]) == one_nan(ty, g[case]));
        if (0..n).all(same) {
            survivors.push(faulty.faults()[i].clone());
        }
    }
    Ok(explained(f, faulty.faults().len(), survivors, caught.cases + n as u64))
}

/// Packed emulated doubles at high against the device's own doubles, bit for bit.
pub(super) fn native(
    contract: &Contract,
    request: &Request,
    device: &Device,
    told: Told<'_>,
) -> Result<Vec<Outcome>, Error> {
    let natives = match Natives::compile(device, &request.functions()) {
        Ok(natives) => natives,
        // What has no doubles has nothing to compare with.
        Err(device::Error::Unusable { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let blocks = request.cases.unwrap_or(usual(device.api())).div_ceil(BLOCK);
    each(
        natives.functions().iter().copied(),
        |f| message(contract, &f.name()),
        told,
        |f| {
            let start = Instant::now();
            let c = natives.compare(f, request.seed, 0..blocks)?;
            let first = c.first.as_ref().and_then(|m| {
                let line = differing(f, &m.args, &m.host, Some(&m.device), "the device's own double")?;
                Some(format!("{line}, case {}", m.index))
            });
            let mut outcome = compared(contract, f, c, start);
            outcome.first = first;
            Ok(outcome)
        },
    )
}

/// Builds that are bad on purpose: those of functions in which contraction, or a flushed subnormal, is bound to show.
pub(super) fn different(
    contract: &Contract,
    request: &Request,
    devices: &[Device],
    told: Told<'_>,
) -> Result<Vec<Outcome>, Error> {
    // Doubles are never flushed, and only a product that is added can be contracted; integers and formats that are reduced step by
    // step have nothing to contract.
    let pair = |f: &Function| matches!(f.id.family(), "fp32mp2" | "fp64mp2");
    let contracted = |f: &Function| {
        matches!(f.id.op_name().as_str(), "fma" | "mad")
            || (f.id.op_name().as_str() == "mul" && f.id.level().map(|l| l.name()) != Some("low"))
    };
    let flushed =
        |f: &Function| f.id.family() == "fp32mp2" && matches!(f.id.op_name().as_str(), "add" | "acc" | "mul" | "div");
    let shows = |f: &&Function| pair(f) && f.id.level().map(|l| l.name()).is_some() && (contracted(f) || flushed(f));
    let functions: Vec<&Function> = request.functions().into_iter().filter(shows).collect();
    if functions.is_empty() {
        return Ok(Vec::new());
    }
    let kernels = [Kernels::careless(&devices[0], &functions)?];
    each(
        functions.into_iter(),
        |f| message(contract, &f.name()),
        told,
        |f| {
            let start = Instant::now();
            Ok(compared(contract, f, compare(&kernels, f, request.seed, 0..1)?, start))
        },
    )
}

/// Results of a device, judged by the oracle.
pub(super) fn within(
    contract: &Contract,
    request: &Request,
    device: &Device,
    told: Told<'_>,
) -> Result<Vec<Outcome>, Error> {
    let subject = OnDevice::new(device);
    let rows = Row::all().into_iter().enumerate();
    let wanted = rows.filter(|(i, row)| {
        let f = crate::subject::function_of(row.ty(1), row.op);
        f.is_some_and(|f| request.wants(*i, &[&f.name(), &row.to_string()]))
    });
    let rows: Vec<Row> =
        wanted.map(|(_, row)| row).filter(|row| row.types().iter().all(|&ty| subject.supports(ty, row.op))).collect();
    let samples = request.cases.unwrap_or(SAMPLES).min(SAMPLES);
    each(
        rows.into_iter(),
        |row| message(contract, &row.to_string()),
        told,
        |row| judged(contract, &subject, &row, request.seed, samples),
    )
}

/// Samples of a row, evaluated by a subject and judged by the oracle.
pub(super) fn judged(
    contract: &Contract,
    subject: &dyn Subject,
    row: &Row,
    seed: u64,
    samples: u64,
) -> Result<Outcome, Error> {
    let start = Instant::now();
    let mut outcome = Outcome::new(contract.name, row.to_string(), contract.claim);
    let tally = match tally::run(subject, row, seed, 0..samples) {
        Ok(tally) => tally,
        Err(Failure::Device(error)) => {
            keep(&mut outcome, error)?;
            return Ok(outcome);
        }
        Err(error) => return Err(error.into()),
    };
    let mut result = empty(row, false);
    result.tally = tally;
    let line = Line::of(row, &result, subject, seed);
    let failed = line.verdict == Verdict::Fails;
    let wrong = if line.mismatches_claimed { line.mismatches } else { 0 };
    let worst = || line.sampled.as_ref().map(|w| w.case.clone());
    let figure = |x: f64| crate::text::figure(x, 4);
    outcome.cases = line.cases;
    outcome.mismatches = wrong.max(u64::from(failed));
    outcome.first = if failed { line.mismatch_case.clone().filter(|_| wrong > 0).or_else(worst) } else { None };
    outcome.note = match &line.sampled {
        Some(w) => format!("largest {} {} of {}", line.metric, figure(w.error), line.bound_text),
        None => String::new(),
    };
    outcome.seconds = start.elapsed().as_secs_f64();
    Ok(outcome)
}
