//! Contracts between the host and devices: the same bits, and errors within bounds.

use super::hashes::Kept;
use super::report::Outcome;
use super::request::{Listener, Request, bar, each};
use super::{Contract, Planted, kept, mutants};
use crate::case::{Level, Op, Type, Width};
use crate::error::Error;
use crate::subject::{Failure, OnDevice, Subject, columns, differing};
use crate::table::{Line, Row, RowResult, Verdict, tally};
use std::time::Instant;
use vernier_gpu::device::{self, Api, Device};
use vernier_gpu::kernel::{Comparison, Kernels, Mutated, Natives, compare, compare_with};
use vernier_tape::cases::BLOCK;
use vernier_tape::registry::{Function, FunctionId};

/// Samples of a row that the oracle judges.
const SAMPLES: u64 = 1 << 14;

/// Cases of a function where no option says so.
fn usual(api: Api) -> u64 {
    match api {
        Api::Cuda => 1 << 32,
        Api::OpenCl => 1 << 20,
    }
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
    listener: Listener<'_>,
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
        (contract, request, listener),
        functions.into_iter(),
        |f| f.name(),
        |f| {
            let start = Instant::now();
            let mut outcome = Outcome::new(contract.name, f.name(), contract.claim);
            if let Err(error) = hold_kept(&kernels, f, &mut outcome) {
                keep(&mut outcome, error)?;
                return Ok(outcome);
            }
            let mut kept = Kept::of(f, request.seed);
            let comparison = compare_with(&kernels, f, request.seed, 0..blocks, &mut kept)?;
            let generated = compared(contract, f, comparison, start);
            let (wrong, broken) = kept.wrong();
            let mut outcome = Outcome {
                cases: outcome.cases + generated.cases,
                mismatches: outcome.mismatches + generated.mismatches + wrong,
                first: outcome.first.or(generated.first).or(broken),
                note: format!("{}, {} of {blocks} blocks from earlier runs", generated.note, kept.earlier()),
                ..generated
            };
            kept.keep();
            // Where the function itself differs, its mutants say nothing.
            let sound = outcome.incomplete.is_none() && outcome.mismatches == 0;
            if request.mutants != Planted::None && contract.mutants && sound {
                let score = Mutated::compile(&devices[0], f)
                    .and_then(|mutated| mutants::on_device(&mutated, request.seed, request.survivors));
                match score {
                    Ok(Ok(score)) => outcome.mutants = Some(score),
                    Ok(Err(line)) => {
                        outcome.mismatches += 1;
                        outcome.first = Some(line);
                    }
                    Err(error) => keep(&mut outcome, error)?,
                }
            }
            outcome.seconds = start.elapsed().as_secs_f64();
            Ok(outcome)
        },
    )
}

/// A failure of the device leaves what was done; any other ends the run.
pub(super) fn keep(outcome: &mut Outcome, error: device::Error) -> Result<(), Error> {
    match error {
        device::Error::Lost(_) | device::Error::OutOfMemory { .. } | device::Error::Call { .. } => {
            outcome.incomplete = Some(error.to_string());
            Ok(())
        }
        error => Err(error.into()),
    }
}

/// Holds the kept cases of a function on every device, as uploaded columns.
fn hold_kept(kernels: &[Kernels<'_>], f: &Function, outcome: &mut Outcome) -> Result<(), device::Error> {
    let rows: Vec<Vec<u64>> = kept::of(f).iter().map(|k| k.args.clone()).collect();
    if rows.is_empty() {
        return Ok(());
    }
    for kernels in kernels {
        let results = kernels.map(f, &columns(f, &rows))?;
        let (wrong, first) = kept::check(f, &results, &kernels.device().description().place());
        outcome.cases += rows.len() as u64;
        outcome.mismatches += wrong;
        outcome.first = outcome.first.take().or(first);
    }
    Ok(())
}

/// Packed emulated doubles at high against the device's own doubles, bit for bit.
pub(super) fn native(
    contract: &Contract,
    request: &Request,
    device: &Device,
    listener: Listener<'_>,
) -> Result<Vec<Outcome>, Error> {
    let natives = match Natives::compile(device, &request.functions()) {
        Ok(natives) => natives,
        // What has no doubles has nothing to compare with.
        Err(device::Error::Unusable { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let blocks = request.cases.unwrap_or(usual(device.api())).div_ceil(BLOCK);
    each(
        (contract, request, listener),
        natives.functions().iter().copied(),
        |f| f.name(),
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
    listener: Listener<'_>,
) -> Result<Vec<Outcome>, Error> {
    // Doubles are never flushed, and only a product that is added can be contracted; integers and formats that are reduced step by
    // step have nothing to contract.
    let shows = |f: &&Function| {
        let (FunctionId::Of(Type::Pair(width, _), op), Some(level)) = (f.id, f.id.level()) else { return false };
        let contracted = matches!(op, Op::Fma | Op::Mad) || (op == Op::Mul && level != Level::Low);
        let flushed = width == Width::F32 && matches!(op, Op::Add | Op::Acc | Op::Mul | Op::Div);
        contracted || flushed
    };
    let functions: Vec<&Function> = request.functions().into_iter().filter(shows).collect();
    if functions.is_empty() {
        return Ok(Vec::new());
    }
    let kernels = [Kernels::contracted(&devices[0], &functions)?];
    each(
        (contract, request, listener),
        functions.into_iter(),
        |f| f.name(),
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
    listener: Listener<'_>,
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
    each((contract, request, listener), rows.into_iter(), Row::to_string, |row| {
        judged(contract, &subject, &row, request.seed, samples)
    })
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
    let mut result = RowResult::empty(row, false);
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
