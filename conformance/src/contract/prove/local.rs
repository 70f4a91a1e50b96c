//! Values on a scale that few bits decide, tried on all of them.
//!
//! Between a fault and a value that depends on it lie some nodes; what these read from outside is taken as free, or is
//! itself computed from what it reads, as long as all free values together have few bits. A value that agrees with its
//! twin for all of these agrees for all arguments.

use super::circuit::FALSE;
use super::encode::Encoder;
use super::float::Format;
use super::word::Word;
use std::collections::{BTreeSet, HashMap};
use vernier_tape::tape::{Id, Node, Op, Tape, Ty};

/// What is spent on a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Free bits: what takes little time, and what takes some.
    bits: [usize; 2],
    /// The most gates times cases.
    work: u64,
}

/// Seconds.
pub(super) const SOME: Limits = Limits { bits: [16, 24], work: 1 << 37 };
/// Minutes: four limbs of few bits.
pub(super) const MUCH: Limits = Limits { bits: [21, 28], work: 1 << 43 };

/// Whether node `id` has its value in spite of a fault, `with` at a node, as far as few bits tell. `changed` are the nodes
/// that the fault reaches.
pub(super) fn equal(
    tape: &Tape,
    format: Format,
    (at, with): (Id, &Node),
    id: Id,
    changed: &[bool],
    limits: Limits,
) -> bool {
    let encoder = Encoder::new(tape, Some(format));
    let node = |n: Id| if n == at { with } else { tape.node(n) };
    // The nodes that the fault reaches and the value needs.
    let mut reached: BTreeSet<Id> = BTreeSet::from([id]);
    let mut stack = vec![id];
    while let Some(n) = stack.pop() {
        let operands = if n == at { Vec::new() } else { encoder.operands(node(n)) };
        for o in operands.into_iter().filter(|&o| changed[o as usize]) {
            if reached.insert(o) {
                stack.push(o);
            }
        }
    }
    let mut free: BTreeSet<Id> = BTreeSet::new();
    for &n in &reached {
        // Of the sound twin too.
        let operands = encoder.operands(node(n)).into_iter().chain(encoder.operands(tape.node(n)));
        free.extend(operands.filter(|o| !reached.contains(o)));
    }
    let mut inner: BTreeSet<Id> = BTreeSet::new();
    let is_constant = |n: Id| matches!(tape.node(n).op, Op::Const(_));
    let bits = |encoder: &Encoder<'_>, free: &BTreeSet<Id>| -> usize {
        free.iter().filter(|&&n| !is_constant(n)).map(|&n| encoder.width(tape.node(n).ty)).sum()
    };
    let chosen = chosen(tape);
    // Back from the latest value to what it is computed from, as far as the arguments; of all that is free on the way the
    // last with few bits knows most.
    let mut best = [const { None }; 2];
    loop {
        let now = bits(&encoder, &free);
        let kept = best.iter_mut().zip(limits.bits).filter(|(_, most)| now <= *most);
        kept.for_each(|(best, _)| *best = Some((free.clone(), inner.clone())));
        let computed = |&&n: &&Id| !matches!(tape.node(n).op, Op::Arg(_) | Op::Const(_));
        // What truth values choose among constants first: it has few values.
        let chosen = |n: &&Id| computed(n) && chosen[**n as usize];
        let Some(&n) = free.iter().rev().find(chosen).or_else(|| free.iter().rev().find(computed)) else { break };
        free.remove(&n);
        inner.insert(n);
        free.extend(encoder.operands(tape.node(n)).into_iter().filter(|o| !inner.contains(o)));
    }
    let [few, more] = best;
    let same = few == more;
    let decided = |choice: Option<(BTreeSet<Id>, BTreeSet<Id>)>| {
        choice.is_some_and(|(free, inner)| agrees(tape, format, (at, with), id, (&free, &inner, &reached), limits.work))
    };
    decided(few) || (!same && decided(more))
}

/// Which limbs are computed from nothing but constants and truth values.
fn chosen(tape: &Tape) -> Vec<bool> {
    let mut chosen = vec![false; tape.nodes.len()];
    for (id, node) in tape.nodes.iter().enumerate() {
        let known = |&a: &Id| chosen[a as usize] || tape.node(a).ty == Ty::Mask;
        let is_constant = matches!(node.op, Op::Const(_));
        let computed = !node.args().is_empty() && !matches!(node.op, Op::Out(_)) && node.args().iter().all(known);
        chosen[id] = node.ty.is_float() && (is_constant || computed);
    }
    chosen
}

/// Whether the value of a node agrees with its twin for all values of the `free` ones.
fn agrees(
    tape: &Tape,
    format: Format,
    (at, with): (Id, &Node),
    id: Id,
    (free, inner, reached): (&BTreeSet<Id>, &BTreeSet<Id>, &BTreeSet<Id>),
    work: u64,
) -> bool {
    let node = |n: Id| if n == at { with } else { tape.node(n) };
    let mut encoder = Encoder::new(tape, Some(format));
    let mut inputs = Vec::new();
    let mut opaque = HashMap::new();
    let mut sound: Vec<Word> = vec![Vec::new(); tape.nodes.len()];
    for &n in free {
        sound[n as usize] = if matches!(tape.node(n).op, Op::Const(_)) {
            encoder.node(tape.node(n), &sound, &mut opaque)
        } else {
            let width = encoder.width(tape.node(n).ty);
            let word: Word = (0..width).map(|_| encoder.circuit.input(Default::default())).collect();
            inputs.extend(word.iter().map(|s| s >> 1));
            word
        };
    }
    let all: BTreeSet<Id> = inner.union(reached).copied().collect();
    for &n in &all {
        sound[n as usize] = encoder.node(tape.node(n), &sound, &mut opaque);
    }
    let mut faulty = sound.clone();
    for &n in reached {
        faulty[n as usize] = encoder.node(node(n), &faulty, &mut opaque);
    }
    let mut differs = FALSE;
    for (&a, &b) in sound[id as usize].iter().zip(&faulty[id as usize]) {
        let other = encoder.circuit.xor(a, b);
        differs = encoder.circuit.or(differs, other);
    }
    (encoder.circuit.len() as u64) << inputs.len() <= work && encoder.circuit.is_never_true(differs, &inputs)
}
