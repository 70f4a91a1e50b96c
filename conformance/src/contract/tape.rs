//! The host against the recorded function in the interpreter: needs no device.

use super::likely::{directed, lifted, likely};
use super::prove::{DETOURS, Format, PARTS, Proof, Prover, SCALE, Tried, by_cases, by_digits, on_all_limbs, widest};
use super::proved::{self, Entry};
use super::report::{Faults, Outcome};
use super::run::{InOrder, Request, Told, bar};
use super::search::search;
use super::{Contract, noticing, part, survivors, tiny};
use crate::case::{Kind, Value};
use crate::case::{kind_of, slots, value};
use crate::subject::case_of;
use rayon::prelude::*;
use std::time::Instant;
use vernier_tape::cases::arguments;
use vernier_tape::catch::first_noticed;
use vernier_tape::faults::{Fault, enumerate, one_nan};
use vernier_tape::interpret::Interpreter;
use vernier_tape::registry::Function;
use vernier_tape::tape::{Tape, Ty};

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
        cases: n,
        mismatches,
        first,
        faults,
        seconds: start.elapsed().as_secs_f64(),
        ..Outcome::new(contract.name, f.name(), contract.claim)
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

/// Generated cases that a fault is looked for in, beside the kept ones.
const GENERATED: u64 = 1 << 13;

/// The kept cases and `n` generated ones, a column per slot.
fn cases(f: &Function, seed: u64, n: u64) -> Vec<Vec<u64>> {
    let generated = (0..n).map(|i| arguments(&f.params, seed, i));
    columns(f, &noticing::cases(f).into_iter().chain(generated).collect::<Vec<_>>())
}

/// The faults that none of these cases notices.
fn unnoticed(f: &Function, faults: &[Fault], args: &[Vec<u64>]) -> Vec<Fault> {
    let noticed = first_noticed(&f.tape, faults, args);
    faults.iter().zip(noticed).filter(|(_, n)| n.is_none()).map(|(fault, _)| fault.clone()).collect()
}

fn faults(f: &Function, seed: u64) -> Faults {
    let all = enumerate(&f.tape, &f.params);
    let inputs = every_input(f);
    let args = inputs.clone().unwrap_or_else(|| cases(f, seed, GENERATED));
    let survivors = unnoticed(f, &all, &args);
    let n = args.first().map_or(0, |a| a.len() as u64);
    if inputs.is_some() {
        let reason = Some(format!("no result changes: all {n} inputs"));
        let survivor = |fault: &Fault| super::Survivor { fault: fault.describe(&f.tape), reason: reason.clone() };
        let survivors: Vec<_> = survivors.iter().map(survivor).collect();
        return Faults { planted: all.len(), caught: all.len() - survivors.len(), cases: n, survivors };
    }
    explained(f, all.len(), survivors, n)
}

/// What is spent on faults that are not noticed.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds of [`search`].
    pub rounds: u64,
    /// Whether proofs are wanted, and not only the cases that the search for one finds.
    pub proofs: bool,
    /// Cases in a proof by cases.
    pub most: usize,
}

/// What was found out about the faults that few generated cases and the kept ones do not notice.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// A small set of lines for the kept cases.
    pub cases: Vec<String>,
    /// What is proved of this function.
    pub proved: Vec<Entry>,
    /// Faults that nothing was found out about.
    pub open: Vec<String>,
}

/// Looks for cases that notice the faults of `f`, and for proofs that there are none beyond those that are `known` or written.
pub(super) fn study(f: &Function, seed: u64, effort: &Effort, known: &[Entry]) -> Study {
    // Few, so that what is noticed by luck is noticed with another seed too.
    const FEW: u64 = 1 << 11;
    if every_input(f).is_some() {
        return Study::default();
    }
    let all = enumerate(&f.tape, &f.params);
    let proved: Vec<&Entry> = known.iter().filter(|e| e.function == f.name()).collect();
    let mut reasons: Vec<Option<String>> =
        proved::reasons_in(&proved, f, &all).into_iter().map(|r| r.map(String::from)).collect();
    let noticed = first_noticed(&f.tape, &all, &cases(f, seed, FEW));
    let written = |i: usize| survivors::reason(&f.name(), &all[i].describe(&f.tape)).is_some();
    let open: Vec<usize> =
        (0..all.len()).filter(|&i| noticed[i].is_none() && reasons[i].is_none() && !written(i)).collect();
    let of = |numbers: &[usize]| -> Vec<Fault> { numbers.iter().map(|&i| all[i].clone()).collect() };
    let targets = of(&open);
    let mut found = sieve(f, &targets, seed);
    let left: Vec<usize> = (0..targets.len()).filter(|&i| found[i].is_none()).collect();
    let again: Vec<Fault> = left.iter().map(|&i| targets[i].clone()).collect();
    for (i, case) in left.into_iter().zip(search(f, &again, &likely(f, &again, seed), seed, effort.rounds)) {
        found[i] = case;
    }
    let mut noticing: Vec<Vec<u64>> = found.iter().flatten().cloned().collect();
    let mut open: Vec<usize> =
        open.into_iter().zip(&found).filter(|(_, case)| case.is_none()).map(|(i, _)| i).collect();
    if effort.proofs {
        for (&i, reason) in open.iter().zip(explain(f, &of(&open))) {
            reasons[i] = reason;
        }
        open.retain(|&i| reasons[i].is_none());
    }
    if effort.proofs
        && let Some(format) = widest(f)
    {
        let domain = format!("all 2^{} inputs", f.tape.args.len() * format.width());
        for (&i, tried) in open.iter().zip(on_all_limbs(f, &of(&open), format)) {
            match tried {
                Tried::Never => reasons[i] = Some(format!("no result changes: {}", on_limbs(&domain, format))),
                Tried::Case(case) => noticing.extend(lifted(f, &all[i], format, &case, seed)),
                Tried::Unknown => {}
            }
        }
        open.retain(|&i| reasons[i].is_none());
    } else if effort.proofs
        && let Some(prover) = Prover::in_parts(f)
    {
        let why = format!("no result changes: proved for {}", on_limbs(&prover.domain(), PARTS));
        let equal: Vec<bool> = open.par_iter().map(|&i| prover.clone().prove(&all[i]) == Proof::Equal).collect();
        for (&i, _) in open.iter().zip(equal).filter(|(_, equal)| *equal) {
            reasons[i] = Some(why.clone());
        }
        open.retain(|&i| reasons[i].is_none());
    }
    // Of what is rounded the circuit knows too little for cases to help.
    let words = f.tape.nodes.iter().any(|n| matches!(n.ty, Ty::U32 | Ty::U64));
    if let Some(prover) = words.then(|| Prover::new(f)).flatten() {
        let proofs = by_cases(f, &of(&open), effort.most);
        let domain = prover.domain();
        for (&i, proof) in open.iter().zip(proofs) {
            match proof {
                Proof::Equal => reasons[i] = Some(format!("no result changes: proved for {domain}, by cases")),
                Proof::Case(case) => noticing.push(case),
                Proof::Open | Proof::Detour => {}
            }
        }
    }
    let args = columns(f, &noticing);
    let noticed = first_noticed(&f.tape, &all, &args);
    let open = open.into_iter().filter(|&i| noticed[i].is_none() && reasons[i].is_none());
    Study {
        cases: fewest(&f.tape, &targets, &args).into_iter().map(|i| noticing::line(f, &noticing[i])).collect(),
        proved: proved::of(f, &all, &reasons),
        open: open.map(|i| all[i].describe(&f.tape)).collect(),
    }
}

/// For each fault a case that notices it, of directed ones; many, since these are not followed.
fn sieve(f: &Function, faults: &[Fault], seed: u64) -> Vec<Option<Vec<u64>>> {
    const BLOCKS: u64 = 64;
    const BLOCK: u64 = 1 << 14;
    let mut found = vec![None; faults.len()];
    for block in 1..=BLOCKS {
        let rows = directed(f, seed.wrapping_add(block), BLOCK);
        let open: Vec<usize> = (0..faults.len()).filter(|&i| found[i].is_none()).collect();
        if rows.is_empty() || open.is_empty() {
            break;
        }
        let targets: Vec<Fault> = open.iter().map(|&i| faults[i].clone()).collect();
        for (i, case) in open.into_iter().zip(first_noticed(&f.tape, &targets, &columns(f, &rows))) {
            found[i] = case.map(|case| rows[case].clone());
        }
    }
    found
}

/// Few cases that notice all faults that any of the cases notices: the one that notices most, then the one that notices most
/// of the others, and so on.
fn fewest(tape: &Tape, faults: &[Fault], args: &[Vec<u64>]) -> Vec<usize> {
    let n = args.first().map_or(0, Vec::len);
    let case = |i: usize| -> Vec<Vec<u64>> { args.iter().map(|a| vec![a[i]]).collect() };
    let notices: Vec<Vec<bool>> = (0..n)
        .into_par_iter()
        .map(|i| first_noticed(tape, faults, &case(i)).iter().map(Option::is_some).collect())
        .collect();
    let mut left = vec![true; faults.len()];
    let mut chosen = Vec::new();
    loop {
        let count = |i: &usize| notices[*i].iter().zip(&left).filter(|(n, l)| **n && **l).count();
        let Some(best) = (0..n).max_by_key(count).filter(|i| count(i) > 0) else { return chosen };
        left.iter_mut().zip(&notices[best]).for_each(|(left, noticed)| *left &= !noticed);
        chosen.push(best);
    }
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

pub(super) fn columns(f: &Function, rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
    (0..f.tape.args.len()).map(|s| rows.iter().map(|row| row[s]).collect()).collect()
}

/// The account of the faults of a function, given those that were not noticed: reasons that are proved already, then written
/// ones; only for the others a machine looks for one now.
pub(super) fn explained(f: &Function, planted: usize, survivors: Vec<Fault>, cases: u64) -> Faults {
    // Proofs have the numbers of all faults, of which a device may plant fewer.
    let all = enumerate(&f.tape, &f.params);
    let proved = proved::reasons(f, &all);
    let name = f.name();
    let known = |fault: &Fault| {
        let proved = all.iter().position(|x| x == fault).and_then(|i| proved[i]);
        proved.or_else(|| survivors::reason(&name, &fault.describe(&f.tape))).map(String::from)
    };
    let mut reasons: Vec<Option<String>> = survivors.iter().map(known).collect();
    let open: Vec<usize> = (0..reasons.len()).filter(|&i| reasons[i].is_none()).collect();
    let faults: Vec<Fault> = open.iter().map(|&i| survivors[i].clone()).collect();
    for (i, reason) in open.into_iter().zip(explain(f, &faults)) {
        reasons[i] = reason;
    }
    let survivor = |(fault, reason): (&Fault, _)| super::Survivor { fault: fault.describe(&f.tape), reason };
    let survivors: Vec<super::Survivor> = survivors.iter().zip(reasons).map(survivor).collect();
    Faults { planted, caught: planted - survivors.len(), cases, survivors }
}

/// Which inputs a proof on a scale is about.
fn on_limbs(domain: &str, format: Format) -> String {
    format!("{domain} of limbs with {} digits and {} bits of exponent", format.digits, format.exponent)
}

/// Has reasons looked for where there are none.
fn prove_open(reasons: &mut [Option<String>], faults: &[Fault], look: impl Fn(&[Fault]) -> Vec<Option<String>>) {
    let open: Vec<usize> = (0..faults.len()).filter(|&i| reasons[i].is_none()).collect();
    if open.is_empty() {
        return;
    }
    let found = look(&open.iter().map(|&i| faults[i].clone()).collect::<Vec<_>>());
    open.into_iter().zip(found).for_each(|(i, reason)| reasons[i] = reason);
}

/// Why each of these faults cannot be noticed, where a machine finds out.
pub fn explain(f: &Function, faults: &[Fault]) -> Vec<Option<String>> {
    let mut reasons = part::explain(f, faults);
    prove_open(&mut reasons, faults, |open| tiny::explain(f, open));
    type Made<'m, 'f> = &'m dyn Fn() -> Option<Prover<'f>>;
    let prove = |reasons: &mut [Option<String>], made: Made<'_, '_>, why: &dyn Fn(&Prover<'_>) -> String| {
        // A circuit takes long to make.
        let Some(prover) = reasons.contains(&None).then(made).flatten() else { return };
        let why = why(&prover);
        let open = faults.par_iter().zip(reasons).filter(|(_, reason)| reason.is_none());
        open.for_each_init(
            || prover.clone(),
            |prover, (fault, reason)| {
                let proof = match prover.prove(fault) {
                    Proof::Open => prover.where_equal(fault).map_or(Proof::Open, |mut p| p.prove(fault)),
                    proof => proof,
                };
                *reason = match proof {
                    Proof::Equal => Some(why.clone()),
                    Proof::Detour => Some(format!(
                        "the long way: proved that at most a rare path is taken instead, which gives the same results ({DETOURS} cases)"
                    )),
                    Proof::Case(_) | Proof::Open => None,
                }
            },
        );
    };
    prove(&mut reasons, &|| Prover::new(f), &|p| format!("no result changes: proved for {}", p.domain()));
    prove_open(&mut reasons, faults, |open| by_digits(f, open));
    prove(&mut reasons, &|| Prover::on_scale(f, SCALE), &|p| {
        format!("no result changes: proved for {}", on_limbs(&p.domain(), SCALE))
    });
    reasons
}
