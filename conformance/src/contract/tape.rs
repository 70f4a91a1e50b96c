//! The host against the recorded function in the interpreter: needs no device.

use super::report::Outcome;
use super::request::{InOrder, Listener, Request, bar};
use super::{Contract, kept, mutants};
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
pub(super) fn run(contract: &Contract, request: &Request, listener: Listener<'_>) -> Vec<Outcome> {
    let functions = request.functions();
    let bar = bar(functions.len() as u64);
    let order = InOrder::new(listener);
    let one = |(i, f): (usize, &&Function)| {
        let outcome = function(contract, request, f);
        bar.suspend(|| order.add(i, &outcome));
        bar.inc(1);
        outcome
    };
    let outcomes = functions.par_iter().enumerate().map(one).collect();
    bar.finish_and_clear();
    outcomes
}

fn function(contract: &Contract, request: &Request, f: &Function) -> Outcome {
    let start = Instant::now();
    let types: Vec<Ty> = f.tape.results().collect();
    let mut tape = Interpreter::new(&f.tape);
    let own: Vec<Vec<u64>> = kept::of(f).iter().map(|k| k.args.clone()).collect();
    let host: Vec<Vec<u64>> = own.iter().map(|row| f.host(row)).collect();
    let host: Vec<Vec<u64>> = (0..types.len()).map(|s| host.iter().map(|r| r[s]).collect()).collect();
    let (wrong, of_host) = kept::check(f, &host, "the host");
    let (mut mismatches, of_tape) = kept::check(f, &tape.run(&columns(f, &own)), "the tape");
    mismatches += wrong;
    let mut first = of_host.or(of_tape);
    let n = request.cases.unwrap_or(CASES).min(MOST);
    let rows: Vec<Vec<u64>> = (0..n).map(|i| arguments(&f.params, request.seed, i)).collect();
    let got = tape.run(&columns(f, &rows));
    for (i, row) in rows.iter().enumerate() {
        let expected = f.host(row);
        let same = (0..types.len()).all(|s| one_nan(types[s], expected[s]) == one_nan(types[s], got[s][i]));
        if !same {
            mismatches += 1;
            let got: Vec<u64> = got.iter().map(|column| column[i]).collect();
            first = first.or_else(|| differing(f, row, &expected, Some(&got), "the tape"));
        }
    }
    // Where the tape is not the function, its mutants say nothing.
    let planted = contract.mutants && request.mutants != mutants::Planted::None && mismatches == 0;
    let score = planted.then(|| mutants::on_tape(f, request.seed, request.mutants, request.survivors));
    Outcome {
        cases: n + own.len() as u64,
        mismatches,
        first,
        mutants: score,
        seconds: start.elapsed().as_secs_f64(),
        ..Outcome::new(contract.name, f.name(), contract.claim)
    }
}
