//! Proof by cases: bits on which much depends are given values, one after the other, until what is left is easy.
//!
//! With the amount of a shift known, the shift is wires; with a condition known, one side is left of a selection. A case that
//! stays open is split at the first such bit that matters for the fault, and only for the faults that are open there.

use super::{Effort, Proof, Prover};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use vernier_tape::faults::Fault;
use vernier_tape::registry::Function;
use vernier_tape::tape::{Id, Op, Tape};

/// A node, a bit of its value, and the value of that bit.
pub(super) type Fixed = (Id, usize, bool);

/// What is spent on a fault in a case, of few and of many.
const FEW: Effort = Effort { value: 100, result: 2_000 };
const MANY: Effort = Effort { value: 30, result: 150 };

/// Bits that have values, and the faults that are open.
struct Case {
    fixed: Vec<Fixed>,
    open: Vec<usize>,
}

/// Proves each fault to be without effect, or finds arguments that notice it; a fault that takes more than `most` cases in
/// each order is given up.
pub fn by_cases(f: &Function, faults: &[Fault], most: usize) -> Vec<Proof> {
    let [deciding, exponents] = orders(&f.tape);
    let mut proofs = vec![Proof::Open; faults.len()];
    for (order, effort, most) in
        [(&conditions(&f.tape), FEW, most.min(16)), (&deciding, MANY, most), (&exponents, MANY, most)]
    {
        let open: Vec<usize> = (0..faults.len()).filter(|&i| proofs[i] == Proof::Open).collect();
        let again: Vec<Fault> = open.iter().map(|&i| faults[i].clone()).collect();
        for (i, proof) in open.into_iter().zip(split(f, &again, order, (effort, most))) {
            proofs[i] = proof;
        }
    }
    proofs
}

fn split(f: &Function, faults: &[Fault], order: &[(Id, usize)], (effort, most): (Effort, usize)) -> Vec<Proof> {
    if faults.is_empty() {
        return Vec::new();
    }
    let mut proofs = vec![Proof::Equal; faults.len()];
    let mut spent = vec![0; faults.len()];
    let mut cases = vec![Case { fixed: Vec::new(), open: (0..faults.len()).collect() }];
    while !cases.is_empty() {
        let verdicts: Vec<Vec<(Proof, Option<usize>)>> =
            cases.par_iter().map(|case| verdicts(f, faults, order, case, effort)).collect();
        let mut next = Vec::new();
        for (case, verdicts) in cases.iter().zip(verdicts) {
            let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (&i, (proof, split)) in case.open.iter().zip(verdicts) {
                spent[i] += 1;
                match (proof, split) {
                    (Proof::Equal, _) => {}
                    (Proof::Open, Some(split)) if spent[i] <= most => at.entry(split).or_default().push(i),
                    (proof, _) if proofs[i] == Proof::Equal || proof != Proof::Open => proofs[i] = proof,
                    _ => {}
                }
            }
            for (split, open) in at {
                let (node, bit) = order[split];
                next.extend([false, true].map(|value| {
                    let fixed = case.fixed.iter().copied().chain([(node, bit, value)]).collect();
                    Case { fixed, open: open.clone() }
                }));
            }
        }
        // What was decided elsewhere is open no more.
        next.iter_mut().for_each(|case| case.open.retain(|&i| proofs[i] == Proof::Equal));
        next.retain(|case| !case.open.is_empty());
        cases = next;
    }
    proofs
}

/// The verdicts on the open faults of a case, and where it is split for those that stay open.
fn verdicts(
    f: &Function,
    faults: &[Fault],
    order: &[(Id, usize)],
    case: &Case,
    effort: Effort,
) -> Vec<(Proof, Option<usize>)> {
    let Some(mut prover) = Prover::build(f, None, &case.fixed, &[]) else {
        return vec![(Proof::Open, None); case.open.len()];
    };
    prover.effort = effort;
    prover.detours.clear();
    if prover.is_empty() {
        return vec![(Proof::Equal, None); case.open.len()];
    }
    case.open.iter().map(|&i| prover.prove_or_split(&faults[i], order)).collect()
}

/// The conditions of branches and selections, in the order of the tape.
fn conditions(tape: &Tape) -> Vec<(Id, usize)> {
    let choices = tape.nodes.iter().filter(|n| matches!(n.op, Op::Select | Op::Branch(_)));
    choices.map(|n| n.args()[0]).collect::<BTreeSet<Id>>().into_iter().map(|id| (id, 0)).collect()
}

/// The bits that decide about others: signs, then conditions and amounts of shifts in the order of the tape; or exponents from
/// the highest bit, those of all limbs in turn. What is left of the arguments follows.
fn orders(tape: &Tape) -> [Vec<(Id, usize)>; 2] {
    let mut deciding = BTreeSet::new();
    for node in &tape.nodes {
        let args = node.args();
        match node.op {
            Op::Select | Op::Branch(_) => deciding.insert((args[0], 1)),
            Op::Shl | Op::Shr | Op::Sar if tape.node(args[0]).ty.bits_mask() == u64::MAX => {
                deciding.insert((args[1], 6))
            }
            Op::Shl | Op::Shr | Op::Sar => deciding.insert((args[1], 5)),
            Op::UnboundedShl | Op::UnboundedShr => deciding.insert((args[1], 7)),
            _ => false,
        };
    }
    let bits = |(node, bits): (Id, usize)| (0..bits).rev().map(move |bit| (node, bit));
    let arguments: Vec<(Id, usize)> =
        tape.args.iter().enumerate().map(|(i, ty)| (i as Id, ty.bits_mask().count_ones() as usize)).collect();
    let limbs: Vec<(Id, usize)> = arguments.iter().copied().filter(|&(i, _)| tape.node(i).ty.is_float()).collect();
    let signs: Vec<(Id, usize)> = limbs.iter().map(|&(i, bits)| (i, bits - 1)).collect();
    let exponent = |k: usize| {
        let bit = move |&(i, bits): &(Id, usize)| (k < if bits == 32 { 8 } else { 11 }).then(|| (i, bits - 2 - k));
        limbs.iter().filter_map(bit)
    };
    let exponents: Vec<(Id, usize)> = (0..11).flat_map(exponent).collect();
    let deciding: Vec<(Id, usize)> = deciding.into_iter().flat_map(bits).collect();
    let arguments: Vec<(Id, usize)> = arguments.into_iter().flat_map(bits).collect();
    [[&signs[..], &deciding, &arguments].concat(), [&exponents[..], &signs, &deciding, &arguments].concat()]
}
