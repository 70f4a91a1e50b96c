//! The host against the recorded function in the interpreter: needs no device.

use super::report::Outcome;
use super::request::{InOrder, Listener, Request, bar};
use super::{Contract, kept, mutants};
use crate::error::Error;
use crate::subject::{columns, differing};
use rayon::prelude::*;
use std::time::Instant;
use vernier_tape::cases::arguments;
use vernier_tape::interpret::Interpreter;
use vernier_tape::mutants::one_nan;
use vernier_tape::registry::Function;
use vernier_tape::tape::Ty;

/// Generated cases of a function where no option says so.
const CASES: u64 = 1 << 16;
/// More than these the interpreter does not take: it is slow.
const MOST: u64 = 1 << 24;

/// The contract on every function asked for.
pub(super) fn run(contract: &Contract, request: &Request, listener: Listener<'_>) -> Result<Vec<Outcome>, Error> {
    let functions = request.functions();
    let bar = bar(functions.len() as u64);
    let order = InOrder::new(listener);
    let one = |(i, f): (usize, &&Function)| {
        let outcome = request.outcome(contract, &f.name(), || Ok(function(contract, request, f)))?;
        bar.suspend(|| order.add(i, &outcome));
        bar.inc(1);
        Ok(outcome)
    };
    let outcomes = functions.par_iter().enumerate().map(one).collect();
    bar.finish_and_clear();
    outcomes
}

fn function(contract: &Contract, request: &Request, f: &Function) -> Outcome {
    let start = Instant::now();
    let types: Vec<Ty> = f.tape.results().collect();
    let mut tape = Interpreter::new(&f.tape);
    let kept = kept::of(f);
    let own = columns(f, &kept.iter().map(|k| k.args.clone()).collect::<Vec<_>>());
    let (wrong, of_host) = kept::check(f, &f.evaluate(&own), "the host");
    let (mut mismatches, of_tape) = kept::check(f, &tape.run(&own), "the tape");
    mismatches += wrong;
    let mut first = of_host.or(of_tape);
    let n = request.cases.unwrap_or(CASES).min(MOST);
    let rows: Vec<Vec<u64>> = (0..n).map(|i| arguments(&f.params, request.seed, i)).collect();
    let columns = columns(f, &rows);
    let (host, got) = (f.evaluate(&columns), tape.run(&columns));
    for (i, row) in rows.iter().enumerate() {
        let same = (0..types.len()).all(|s| one_nan(types[s], host[s][i]) == one_nan(types[s], got[s][i]));
        if !same {
            mismatches += 1;
            let [host, got] = [&host, &got].map(|columns| columns.iter().map(|c| c[i]).collect::<Vec<u64>>());
            first = first.or_else(|| differing(f, row, &host, Some(&got), "the tape"));
        }
    }
    // Where the tape is not the function, its mutants say nothing.
    let planted = contract.mutants && request.mutants != mutants::Planted::None && mismatches == 0;
    let score = planted.then(|| mutants::on_tape(f, request.seed, request.mutants, request.survivors));
    Outcome {
        cases: n + kept.len() as u64,
        mismatches,
        first,
        mutants: score,
        seconds: start.elapsed().as_secs_f64(),
        ..Outcome::new(contract.name, f.name(), contract.claim)
    }
}
