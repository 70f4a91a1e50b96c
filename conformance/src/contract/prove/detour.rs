//! Faults by which a rare path is taken more often: the result is that of the long way.

use super::circuit::{Answer, FALSE, Signal};
use super::word::Word;
use super::{EFFORT, Prover};
use crate::contract::likely;
use crate::contract::tape::columns;
use vernier_tape::cases::arguments;
use vernier_tape::interpret::Interpreter;
use vernier_tape::registry::Function;
use vernier_tape::tape::{Id, Node, Op, Tape};

/// Cases in which the rare path is to give the results of the usual one.
pub const CASES: u64 = 1 << 14;
const SEED: u64 = 7;

/// For each branch, whether the rare path alone gives the results of the function in all of these cases.
pub(super) fn allowed(f: &Function) -> Vec<bool> {
    if f.tape.branches.is_empty() {
        return Vec::new();
    }
    let mut rows: Vec<Vec<u64>> = (0..CASES).map(|i| arguments(&f.params, SEED, i)).collect();
    let directed = likely::directed(f, SEED, CASES / 2);
    rows.iter_mut().step_by(2).zip(directed).for_each(|(row, directed)| *row = directed);
    let args = columns(f, &rows);
    let right = Interpreter::new(&f.tape).run(&args);
    let branch = |b: usize| f.tape.nodes.iter().position(|n| n.op == Op::Branch(b as u32));
    let agrees = |id: usize| {
        let cond = f.tape.nodes[id].args()[0] as usize;
        let mut always = f.tape.clone();
        always.nodes[cond] = Node::new(Op::Const(1), f.tape.nodes[cond].ty, &[]);
        Interpreter::new(&always).run(&args) == right
    };
    (0..f.tape.branches.len()).map(|b| branch(b).is_some_and(agrees)).collect()
}

impl Prover<'_> {
    /// Whether all that differs in the result `id` of a branch is that the branch is taken where it need not be: there the
    /// result is that of the rare path, and elsewhere it is as it was.
    pub(super) fn only_detours(&mut self, tape: &Tape, id: Id, values: &[Word], active: Signal) -> bool {
        let node = tape.node(id);
        let Op::Out(k) = node.op else { return false };
        let at = node.args()[0];
        let Op::Branch(b) = tape.node(at).op else { return false };
        if !self.detours.get(b as usize).is_some_and(|&allowed| allowed) {
            return false;
        }
        let branch = &tape.branches[b as usize];
        let (must, is) = (self.sound[at as usize][0], values[at as usize][0]);
        let rare = self.sound[branch.block.results[k as usize] as usize].clone();
        let usual = self.sound[branch.usual[k as usize] as usize].clone();
        // The branch is not missed, and all paths are as they were: seen from few gates.
        let expected = self.encoder.circuit.select(is, &rare, &usual);
        let other = self.differ(&expected, &values[id as usize]);
        let missed = self.encoder.circuit.and(must, is ^ 1);
        let wrong = self.encoder.circuit.or(other, missed);
        if self.never(active, wrong) {
            return true;
        }
        let right = self.sound[id as usize].clone();
        let detour = self.encoder.circuit.and(is, must ^ 1);
        let expected = self.encoder.circuit.select(detour, &rare, &right);
        let wrong = self.differ(&expected, &values[id as usize]);
        self.never(active, wrong)
    }

    fn never(&mut self, active: Signal, wrong: Signal) -> bool {
        self.seem_equal(&[wrong], &[FALSE])
            && matches!(self.encoder.circuit.can_be_true(&[active, wrong], 4 * EFFORT.value), Answer::Never)
    }
}
