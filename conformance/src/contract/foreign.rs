//! Somebody else's CUDA type: judged by the oracle under the bounds of one of our levels, and compared with all of them.

use super::device::judged;
use super::report::{Outcome, Report};
use super::request::{Listener, Request, each};
use super::{Claim, Contract, Domain, Side};
use crate::case::{Level, Type};
use crate::error::Error;
use crate::subject::{Foreign, Header, Host, Subject};
use crate::table::{Draw, Row, Scope};
use vernier_gpu::device::Api;

/// Samples of a row.
const SAMPLES: u64 = 1 << 16;

const CONTRACT: Contract = Contract {
    name: "foreign within bound",
    left: Side::Device(Api::Cuda),
    right: Side::Oracle,
    domain: Domain::Samples,
    claim: Claim::Within,
    mutants: false,
};

/// Runs the accuracy rows at a level of the type in a header, saying each outcome to a listener.
///
/// # Errors
/// If the header does not compile, the type lacks an operator, or there is no CUDA device.
pub fn foreign(header: &Header, level: Level, request: &Request, listener: Listener<'_>) -> Result<Report, Error> {
    let device = header.device(0)?;
    let subject = Foreign::new(&device, header, level)?;
    let mut report = request.report();
    let rows: Vec<Row> = rows(&subject).into_iter().filter(|row| request.wants(0, &[&row.to_string()])).collect();
    if rows.is_empty() {
        return Err(Error::Usage(format!("no operation of {} has `{}` in its name", header.name, request.filter)));
    }
    let samples = request.cases.unwrap_or(SAMPLES).min(1 << 24);
    report.outcomes = each((&CONTRACT, request, listener), rows.into_iter(), Row::to_string, |row| {
        let mut outcome = judged(&CONTRACT, &subject, &row, request.seed, samples)?;
        if outcome.incomplete.is_none() {
            let same = shares(&subject, &row, request.seed, samples.min(1 << 14))?;
            outcome.note = [outcome.note, same].join(", ");
        }
        // The line is one of the pair type whose place the type takes, and can be read back.
        let first = outcome.first.map(|line| format!("{line}  # by {}", header.name));
        Ok(Outcome { function: format!("{} {}", header.name, row), first, ..outcome })
    })?;
    report.incomplete = report.outcomes.iter().find_map(|o| o.incomplete.clone());
    Ok(report)
}

/// The rows of the accuracy table that a foreign type has, at its level.
pub fn rows(subject: &Foreign<'_>) -> Vec<Row> {
    let Some(level) = subject.ty().level() else { return Vec::new() };
    let at_level = |row: Row| Row { scope: Scope::One(row.ty(0).at_level(level)), ..row };
    let has = |row: &Row| subject.supports(row.ty(0), row.op);
    Row::all().into_iter().filter(|row| row.covers(level)).map(at_level).filter(has).collect()
}

/// How many of its results have the bits of each of our levels.
///
/// # Errors
/// If the device fails.
pub fn shares(subject: &Foreign<'_>, row: &Row, seed: u64, samples: u64) -> Result<String, Error> {
    let draw = Draw::new(row, seed);
    let cases: Vec<_> = (0..samples).map(|i| draw.case(i).args).collect();
    let theirs = subject.eval_all(subject.ty(), row.op, &cases)?;
    let share = |level: Level| -> Result<String, Error> {
        let ours = Host.eval_all(Type::Pair(row.width(), level), row.op, &cases)?;
        let same = ours.iter().zip(&theirs).filter(|(a, b)| a.same(**b)).count();
        Ok(format!("{} {:.1}%", level.name(), 100.0 * same as f64 / samples.max(1) as f64))
    };
    let shares = Level::ALL.into_iter().map(share).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("bits of ours: {}", shares.join(", ")))
}
