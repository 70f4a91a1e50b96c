//! The host against the recorded function in the interpreter: needs no device.

use super::report::{Faults, Outcome};
use super::run::{InOrder, Request, Told, bar};
use super::{Contract, survivors, tiny};
use crate::case::{Kind, Value};
use crate::subject::{case_of, kind_of, slots, value};
use rayon::prelude::*;
use std::time::Instant;
use vernier_gpu::faults::{Fault, enumerate, first_difference, one_nan};
use vernier_gpu::interpret::Interpreter;
use vernier_gpu::kernel::arguments;
use vernier_gpu::registry::Function;
use vernier_gpu::tape::Ty;
use vernier_oracle::generate::counter::{self, Words};

/// Cases of a function where no option says so.
const CASES: u64 = 1 << 16;
/// More than these the interpreter does not take: it is slow.
const MOST: u64 = 1 << 24;

/// The contract on every function asked for.
pub(super) fn run(contract: &Contract, request: &Request, told: Told<'_>) -> Vec<Outcome> {
    let functions = request.functions();
    let bar = bar(functions.len() as u64);
    let order = InOrder::new(told);
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
    let n = request.cases.unwrap_or(CASES).min(MOST);
    let rows: Vec<Vec<u64>> = (0..n).map(|i| arguments(&f.params, request.seed, i)).collect();
    let got = Interpreter::new(&f.tape).run(&columns(f, &rows));
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
    let faults = (request.faults && contract.faults).then(|| faults(f, request.seed));
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

/// Cases times nodes that a fault is looked for in.
const WORK: u64 = 1 << 22;

fn faults(f: &Function, seed: u64) -> Faults {
    let all = enumerate(&f.tape, &f.params);
    let inputs = every_input(f);
    let args = inputs.clone().unwrap_or_else(|| {
        let n = (WORK / f.tape.nodes.len() as u64).clamp(1 << 13, 1 << 16);
        let generated = (0..n).map(|i| arguments(&f.params, seed, i));
        let small = (0..SMALL).map_while(|i| small_arguments(f, seed, i));
        columns(f, &generated.chain(small).collect::<Vec<_>>())
    });
    let expected = Interpreter::new(&f.tape).run(&args);
    let survivors: Vec<Fault> =
        all.par_iter().filter(|x| first_difference(&f.tape, x, &args, &expected).is_none()).cloned().collect();
    let n = args.first().map_or(0, |a| a.len() as u64);
    let mut faults = explained(f, all.len(), survivors, n);
    if inputs.is_some() {
        let tried = |s: &mut super::Survivor| s.reason = Some(format!("no result changes: all {n} inputs"));
        faults.survivors.iter_mut().for_each(tried);
    }
    faults
}

/// Cases next to underflow, beside the generated ones.
const SMALL: u64 = 1 << 13;

/// Limbs next to underflow, with one argument near one by turns, so that products underflow too.
fn small_arguments(f: &Function, seed: u64, index: u64) -> Option<Vec<u64>> {
    let mut words = Words::new(counter::named_key(seed, "next to underflow"), index);
    let near_one = words.below(4) as usize;
    let deep = words.one_in(2);
    let mut bits = Vec::new();
    for (k, &kind) in f.params.iter().enumerate() {
        let (width, pair) = match kind_of(kind) {
            Kind::Limb(w) => (w, false),
            Kind::Pair(w) => (w, true),
            _ => return None,
        };
        let p = width.format().p;
        let sign = |words: &mut Words| words.below(2) << (4 * width.digits() - 1);
        let limb = |exponent: u64, words: &mut Words| {
            let cut = if words.one_in(2) { words.below(u64::from(p)) } else { 0 };
            sign(words) | exponent << (p - 1) | (words.next() & ((1 << (p - 1)) - 1)) >> cut << cut
        };
        let one = width.format().emax as u64;
        let reach = if deep { 6 } else { 2 * u64::from(p) + 4 };
        let exponent = if k == near_one { one - 2 + words.below(4) } else { words.below(reach) };
        bits.push(limb(exponent, &mut words));
        if pair {
            let below = u64::from(p) + words.below(4);
            bits.push(if words.one_in(4) { 0 } else { limb(exponent.saturating_sub(below), &mut words) });
        }
    }
    Some(bits)
}

/// All inputs of a function of at most 16 bits, a column per slot.
fn every_input(f: &Function) -> Option<Vec<Vec<u64>>> {
    let [kind] = f.params[..] else { return None };
    let column = match kind_of(kind) {
        Kind::Bool => vec![0, 1],
        Kind::Int(int) if int.bits <= 16 => {
            (0..1u128 << int.bits).map(|v| slots(Value::Int(int, int.wrap(v)))[0]).collect()
        }
        _ => return None,
    };
    Some(vec![column])
}

fn columns(f: &Function, rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
    (0..f.tape.args.len()).map(|s| rows.iter().map(|row| row[s]).collect()).collect()
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
