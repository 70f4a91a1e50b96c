//! The host against the recorded function in the interpreter: needs no device.

use super::report::{Faults, Outcome};
use super::run::{Request, bar};
use super::{Contract, survivors, tiny};
use crate::subject::{case_of, kind_of, value};
use rayon::prelude::*;
use std::time::Instant;
use vernier_gpu::faults::{Fault, enumerate, first_difference, one_nan};
use vernier_gpu::interpret::Interpreter;
use vernier_gpu::kernel::arguments;
use vernier_gpu::registry::Function;
use vernier_gpu::tape::Ty;

/// Cases of a function where no option says so.
const CASES: u64 = 1 << 16;
/// More than these the interpreter does not take: it is slow.
const MOST: u64 = 1 << 24;

/// The contract on every function asked for.
pub(super) fn run(contract: &Contract, request: &Request) -> Vec<Outcome> {
    let functions = request.functions();
    let bar = bar(functions.len() as u64);
    let one = |f: &&Function| {
        let outcome = function(contract, request, f);
        bar.inc(1);
        outcome
    };
    let outcomes = functions.par_iter().map(one).collect();
    bar.finish_and_clear();
    outcomes
}

fn function(contract: &Contract, request: &Request, f: &Function) -> Outcome {
    let start = Instant::now();
    let n = request.cases.unwrap_or(CASES).min(MOST);
    let rows: Vec<Vec<u64>> = (0..n).map(|i| arguments(&f.params, request.seed, i)).collect();
    let columns: Vec<Vec<u64>> = (0..f.tape.args.len()).map(|s| rows.iter().map(|row| row[s]).collect()).collect();
    let got = Interpreter::new(&f.tape).run(&columns);
    let types: Vec<Ty> = f.tape.results().collect();
    let (mut mismatches, mut first) = (0, None);
    for (i, row) in rows.iter().enumerate() {
        let expected = f.host(row);
        let same = (0..types.len()).all(|s| one_nan(types[s], expected[s]) == one_nan(types[s], got[s][i]));
        if !same {
            mismatches += 1;
            let got: Vec<u64> = got.iter().map(|column| column[i]).collect();
            first = first.or_else(|| differing(f, row, &expected, Some(&got), "the tape"));
        }
    }
    let faults = (request.faults && contract.faults).then(|| faults(f, &columns, &got));
    Outcome {
        contract: contract.name.into(),
        function: f.name(),
        claim: contract.claim,
        cases: n,
        mismatches,
        first,
        faults,
        incomplete: None,
        builds: Vec::new(),
        note: String::new(),
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// The case line of a difference: the first party's result, and what the other got.
pub(super) fn differing(f: &Function, args: &[u64], left: &[u64], right: Option<&[u64]>, name: &str) -> Option<String> {
    let mut case = case_of(f, args)?;
    let kind = kind_of(f.results[0]);
    case.results = vec![value(kind, left).canonical()];
    let got = right.map_or("other arguments".into(), |bits| value(kind, bits).canonical().to_string());
    Some(format!("{case}  # {name} gives {got}"))
}

fn faults(f: &Function, args: &[Vec<u64>], expected: &[Vec<u64>]) -> Faults {
    let all = enumerate(&f.tape, &f.params);
    let survivors: Vec<Fault> =
        all.par_iter().filter(|x| first_difference(&f.tape, x, args, expected).is_none()).cloned().collect();
    explained(f, all.len(), survivors, args.first().map_or(0, |a| a.len() as u64))
}

/// The account of the faults of a function, given those that were not noticed.
pub(super) fn explained(f: &Function, planted: usize, survivors: Vec<Fault>, cases: u64) -> Faults {
    let by_machine = tiny::explain(f, &survivors);
    let reason = |(fault, reason): (&Fault, Option<String>)| super::Survivor {
        reason: reason.or_else(|| survivors::reason(&f.name(), &fault.to_string()).map(String::from)),
        fault: fault.to_string(),
    };
    Faults {
        planted,
        caught: planted - survivors.len(),
        cases,
        survivors: survivors.iter().zip(by_machine).map(reason).collect(),
    }
}
