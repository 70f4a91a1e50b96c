//! A circuit as a program for all values of few inputs.

use super::circuit::{Block, Circuit, Gate, Signal, WIDE};
use std::collections::HashMap;

/// The gates that a signal depends on, in order, with values that are needed no more in the place of others: so they stay near
/// the processor.
pub(super) struct Program {
    /// A gate whose signals are slots, and the slot of its value.
    steps: Vec<(Gate, u32)>,
    /// Inputs and their slots.
    inputs: HashMap<u32, u32>,
    pub slots: usize,
    result: Signal,
}

impl Program {
    pub fn of(circuit: &Circuit, signal: Signal) -> Self {
        let cone = circuit.cone(&[signal]);
        let operands = |gate: Gate| match gate {
            Gate::False | Gate::Input => Vec::new(),
            Gate::And(a, b) | Gate::Xor(a, b) => vec![a, b],
            Gate::Choice(s, a, b) => vec![s, a, b],
        };
        let mut last: HashMap<usize, usize> = HashMap::new();
        for &id in &cone {
            last.extend(operands(circuit.gates[id]).into_iter().map(|s| (s as usize >> 1, id)));
        }
        // Inputs keep their slots: they are set once a block.
        let is_input = |id: &usize| matches!(circuit.gates[*id], Gate::Input);
        let mut slot: HashMap<usize, u32> = cone.iter().copied().filter(is_input).zip(0..).collect();
        let inputs = slot.iter().map(|(&id, &slot)| (id as u32, slot)).collect();
        let (mut free, mut slots, mut steps) = (Vec::new(), slot.len() as u32, Vec::new());
        for id in cone.iter().filter(|id| !is_input(id)) {
            let gate = circuit.gates[*id];
            let at = |s: Signal| slot[&(s as usize >> 1)] << 1 | s & 1;
            let here = match gate {
                Gate::False | Gate::Input => gate,
                Gate::And(a, b) => Gate::And(at(a), at(b)),
                Gate::Xor(a, b) => Gate::Xor(at(a), at(b)),
                Gate::Choice(s, a, b) => Gate::Choice(at(s), at(a), at(b)),
            };
            for s in operands(gate) {
                let operand = s as usize >> 1;
                if last[&operand] == *id && !is_input(&operand) {
                    free.extend(slot.remove(&operand));
                }
            }
            let own = free.pop().unwrap_or_else(|| {
                slots += 1;
                slots - 1
            });
            slot.insert(*id, own);
            steps.push((here, own));
        }
        let result = slot[&(signal as usize >> 1)] << 1 | signal & 1;
        Program { steps, inputs, slots: slots as usize, result }
    }

    /// The slot of an input, if the signal depends on it.
    pub fn input(&self, id: u32) -> Option<usize> {
        self.inputs.get(&id).map(|&slot| slot as usize)
    }

    /// The signal, given the inputs.
    pub fn run(&self, values: &mut [Block]) -> Block {
        let value = |values: &[Block], s: Signal| {
            let flip = (s as u64 & 1).wrapping_neg();
            values[s as usize >> 1].map(|x| x ^ flip)
        };
        for &(gate, slot) in &self.steps {
            let of = |s: Signal| value(values, s);
            values[slot as usize] = match gate {
                Gate::False | Gate::Input => [0; WIDE],
                Gate::And(a, b) => {
                    let (a, b) = (of(a), of(b));
                    std::array::from_fn(|w| a[w] & b[w])
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (of(a), of(b));
                    std::array::from_fn(|w| a[w] ^ b[w])
                }
                Gate::Choice(s, a, b) => {
                    let (s, a, b) = (of(s), of(a), of(b));
                    std::array::from_fn(|w| (s[w] & a[w]) | (!s[w] & b[w]))
                }
            };
        }
        value(values, self.result)
    }
}
