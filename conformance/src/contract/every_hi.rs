//! Contracts over every hi: functions of one pair of binary32, whose errors a device finds by the same function of pairs of
//! binary64; the worst of them, and all beyond the bound, are judged by the oracle. And their hi is monotone among consecutive
//! numbers. And normal variables of every word of 32 bits.

use super::Contract;
use super::device::keep;
use super::report::Outcome;
use super::request::{Listener, Request, each};
use crate::case::{Case, Level, Op, Type, Value, Width};
use crate::error::Error;
use crate::subject::Host;
use crate::table::tally::with_result;
use crate::table::{self, Metric, Row};
use std::time::Instant;
use vernier::function::{Int, Math};
use vernier_gpu::device::{Api, Device};
use vernier_gpu::kernel::{GROUP, PHASES, Sweep, Words, Worst, is_broken, number_on_host, operand_on_host};
use vernier_oracle::functions::{self, Usual};
use vernier_oracle::generate::counter;
use vernier_oracle::{Domain, Meaning, Target, judge};
use vernier_tape::registry::{Function, FunctionId};

/// Every hi.
const ALL: u64 = 1 << 32;
/// Groups whose worst evaluation the oracle judges though it seems to be within the bound.
const JUDGED: usize = 64;
/// Those that it judges at most.
const MOST: usize = 1 << 12;

/// Sweeps the functions that can be swept.
pub(super) fn run(
    contract: &Contract,
    request: &Request,
    device: &Device,
    listener: Listener<'_>,
) -> Result<Vec<Outcome>, Error> {
    let rows = Row::all();
    let number = |f: &Function| {
        let FunctionId::Of(ty, op) = f.id else { return None };
        let Meaning::Number(meaning) = Meaning::of(op) else { return None };
        let row = rows.iter().find(|row| row.op == op && row.types().contains(&ty))?;
        Some((ty, op, meaning, row)).filter(|_| row.metrics()[0] != Metric::Answers)
    };
    let swept: Vec<_> = request.functions().into_iter().filter_map(|f| Some((f, number(f)?))).collect();
    let hi = request.cases.map_or(if device.api() == Api::Cuda { ALL } else { 1 << 14 }, |n| n.clamp(1, ALL));
    let mut left = Vec::new();
    for (f, number) in swept {
        if let Some(sweep) = Sweep::compile(device, f)? {
            left.push((f, number, sweep));
        }
    }
    let mut outcomes = each(
        (contract, request, listener),
        left.into_iter(),
        |(f, ..)| f.name(),
        |(f, (ty, op, meaning, row), sweep)| one(contract, f, (ty, op, meaning), row, &sweep, hi),
    )?;
    let mut of_words = Vec::new();
    for f in request.functions() {
        of_words.extend(Words::compile(device, f)?.map(|words| (f, words)));
    }
    outcomes.extend(each(
        (contract, request, listener),
        of_words.into_iter(),
        |(f, _)| f.name(),
        |(f, judge)| words(contract, f, &judge, hi),
    )?);
    Ok(outcomes)
}

/// Groups of consecutive numbers at a place.
const STEPS: u32 = 16;

/// Places where hi is to be monotone: 100 of a sweep of every hi, of usual operands, not beside a power of two.
fn places(op: Op, hi: u64) -> Vec<u64> {
    let usual = match op {
        Op::Math(f) => functions::row(f).usual,
        _ => Usual { signed: false, least: -8, most: 24 },
    };
    let mut words = counter::Words::new(1, 0);
    let n = if hi == ALL { 100 } else { 2 };
    let place = |_| {
        let sign = u64::from(usual.signed && words.one_in(2)) << 31;
        let exponent = (127 + words.between(usual.least, usual.most - 1)) as u64;
        (sign | exponent << 23 | words.between(1 << 10, (1 << 23) - (1 << 10)) as u64) << 22 | words.below(1 << 22)
    };
    (0..n).map(place).collect()
}

/// The first number from a place on after which hi steps the wrong way, as a case.
fn turn(ty: Type, op: Op, place: u64, rising: bool) -> String {
    let case = |place| {
        let (hi, lo) = number_on_host(place);
        let args = vec![Value::of_pair(ty.width(), (f64::from(hi), f64::from(lo)))];
        with_result(&Host, Case { ty, op, args, results: Vec::new() })
    };
    let hi = |case: &Case| case.results.first().and_then(|r| r.to_pair()).map_or(f64::NAN, |r| r.0);
    let wrong = |&place: &u64| {
        let (x, y) = (hi(&case(place)), hi(&case(place + 1)));
        if rising { y < x } else { x < y }
    };
    let first = (place..place + u64::from(STEPS) * GROUP).find(wrong).unwrap_or(place);
    format!("not monotone: {}, then {}", case(first), case(first + 1))
}

/// Sweeps one function.
fn one(
    contract: &Contract,
    f: &Function,
    (ty, op, meaning): (Type, Op, Op),
    row: &Row,
    sweep: &Sweep<'_>,
    hi: u64,
) -> Result<Outcome, Error> {
    let start = Instant::now();
    let mut outcome = Outcome::new(contract.name, f.name(), contract.claim);
    outcome.builds = vec![sweep.build().clone()];
    let groups = (hi * PHASES).div_ceil(GROUP);
    let stride = ALL / (groups * GROUP / PHASES);
    let mut worst = match sweep.run(0..groups, stride) {
        Ok(worst) => worst,
        Err(error) => {
            keep(&mut outcome, error)?;
            return Ok(outcome);
        }
    };
    let swept = start.elapsed().as_secs_f64();
    outcome.cases = groups * GROUP;
    let places = places(op, hi);
    match sweep.steps(&places, STEPS) {
        Ok(steps) => {
            for (&place, s) in places.iter().zip(steps).filter(|(_, s)| s.rises > 0 && s.falls > 0) {
                outcome.mismatches += s.rises.min(s.falls);
                outcome.first.get_or_insert_with(|| turn(ty, op, place, s.falls < s.rises));
            }
            outcome.cases += places.len() as u64 * u64::from(STEPS) * GROUP;
        }
        Err(error) => keep(&mut outcome, error)?,
    }
    let operand = |evaluation| {
        let (hi, lo) = operand_on_host(evaluation, stride);
        let x = (f64::from(hi), f64::from(lo));
        (Value::of_pair(ty.width(), x), x)
    };
    judge_worst(&mut outcome, (ty, op, meaning), row, &mut worst, operand, swept);
    outcome.seconds = start.elapsed().as_secs_f64();
    Ok(outcome)
}

/// Judges the worst evaluations of groups by the oracle, and all beyond the bound of the row of what they mean.
fn judge_worst(
    outcome: &mut Outcome,
    (ty, op, meaning): (Type, Op, Op),
    row: &Row,
    worst: &mut [Worst],
    operand: impl Fn(u64) -> (Value, (f64, f64)),
    seconds: f64,
) {
    let (claim, target) = (table::claim(row), Target::of(ty));
    worst.sort_by(|a, b| b.ulp.total_cmp(&a.ulp));
    // An error of b u^2 |z| is between b / 8 and b / 4 ulp.
    let bound_in_ulp = if claim.metric == Metric::Ulp { claim.bound } else { claim.bound / 8.0 };
    let beyond = worst.partition_point(|w| w.ulp > bound_in_ulp);
    let mut largest: Option<(f64, Case)> = None;
    for w in worst.iter().take(beyond.clamp(JUDGED, MOST)) {
        let (arg, x) = operand(w.evaluation);
        let case = Case { ty, op, args: vec![arg], results: Vec::new() };
        let case = with_result(&Host, case);
        let r = case.results.first().and_then(|r| r.to_pair()).unwrap_or((f64::NAN, 0.0));
        let verdict = judge(meaning, &target, &[x], r);
        let error = claim.metric.read(&verdict, &target);
        let fails = match (verdict.mismatch, verdict.domain) {
            (Some(_), _) => claim.special,
            (None, Domain::Moderate) => error > claim.bound,
            (None, Domain::Wide) => claim.wide_ulp.is_some_and(|bound| verdict.ulp > bound),
            (None, Domain::Special) => false,
        };
        if fails {
            outcome.mismatches += 1;
            outcome.first.get_or_insert_with(|| case.to_string());
        }
        if verdict.mismatch.is_none() && largest.as_ref().is_none_or(|l| verdict.ulp > l.0) {
            largest = Some((verdict.ulp, case));
        }
    }
    outcome.note = largest.map_or(String::new(), |(ulp, case)| {
        let (ulp, unit) = (crate::text::figure(ulp, 4), claim.metric.name());
        format!("largest {ulp} ulp, claimed {} {unit}, device {seconds:.2} s: {case}", claim.text)
    });
}

const U32: Int = Int { bits: 32, signed: false };

/// Judges every word of icdf.
fn words(contract: &Contract, f: &Function, words: &Words<'_>, cases: u64) -> Result<Outcome, Error> {
    let start = Instant::now();
    let mut outcome = Outcome::new(contract.name, f.name(), contract.claim);
    outcome.builds = vec![words.build().clone()];
    let (groups, ty) = (cases.div_ceil(GROUP), Type::Pair(Width::F32, Level::Mid));
    let stride = ALL / (groups * GROUP);
    let found = match words.run(0..groups, stride) {
        Ok(found) => found,
        Err(error) => {
            keep(&mut outcome, error)?;
            return Ok(outcome);
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    outcome.cases = groups * GROUP;
    let case = |k: u32| {
        let args = vec![Value::Int(U32, k.into())];
        with_result(&Host, Case { ty, op: Op::Math(Math::icdf), args, results: Vec::new() })
    };
    let result = |k| {
        let r = case(k).results.first().and_then(|r| r.to_pair()).unwrap_or((f64::NAN, 0.0));
        (r.0 as f32, r.1 as f32)
    };
    let wrong = |k: u32| is_broken(k, result(k), result(!k), result(k.wrapping_add(1)));
    outcome.mismatches = found.iter().map(|g| g.broken).sum();
    if let Some(at) = found.iter().position(|g| g.broken > 0) {
        let first = (at as u64 * GROUP..(at as u64 + 1) * GROUP).map(|i| (i * stride) as u32).find(|&k| wrong(k));
        let why = "not finite, not opposite to that of the complement, or not below the next";
        outcome.first = first.map(|k| format!("{why}: {}", case(k)));
    }
    let row = Row::all().into_iter().find(|r| r.op == Op::Math(Math::normcdfinv) && r.types().contains(&ty));
    let row = row.expect("normcdfinv has a row");
    let mut worst: Vec<Worst> = found.iter().map(|g| g.worst).collect();
    let operand = |evaluation| {
        let k = (evaluation * stride) as u32;
        let middle = (f64::from(k) + 0.5) / ALL as f64;
        let hi = f64::from(middle as f32);
        (Value::Int(U32, k.into()), (hi, middle - hi))
    };
    judge_worst(&mut outcome, (ty, Op::Math(Math::icdf), row.op), &row, &mut worst, operand, seconds);
    outcome.seconds = start.elapsed().as_secs_f64();
    Ok(outcome)
}
