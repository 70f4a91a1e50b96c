//! Gates with structural hashing, and the question whether a signal can be true.

use super::program::Program;
use batsat::{Callbacks, Solver, SolverInterface, lbool};
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};

/// A signal: a gate, and in the lowest bit whether it is inverted.
pub(super) type Signal = u32;
pub(super) const FALSE: Signal = 0;
pub(super) const TRUE: Signal = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Gate {
    False,
    Input,
    And(Signal, Signal),
    Xor(Signal, Signal),
    /// The second where the first is true, the third elsewhere.
    Choice(Signal, Signal, Signal),
}

/// What is known about a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It is never true.
    Never,
    /// It is true for these inputs: the gates of those that are.
    Witness(Vec<u32>),
    /// The search was given up.
    Unknown,
}

/// Words of cases that every gate is simulated for; the last one holds witnesses.
pub(super) const LANES: usize = 9;
const WITNESSES: usize = LANES - 1;

/// Words of cases that are evaluated together.
pub(super) const WIDE: usize = 16;
pub(super) type Block = [u64; WIDE];

/// Gates that a question is first asked with.
const WINDOWS: [usize; 2] = [400, 4000];

/// A word of a signal's values in a block.
fn word(values: &[Block], s: Signal, w: usize) -> u64 {
    values[s as usize >> 1][w] ^ (s as u64 & 1).wrapping_neg()
}

/// A circuit. Equal gates are one.
#[derive(Clone, Debug)]
pub(super) struct Circuit {
    pub(super) gates: Vec<Gate>,
    known: HashMap<Gate, u32>,
    /// What each gate is in the simulated cases, one per bit.
    simulated: Vec<[u64; LANES]>,
}

impl Circuit {
    pub fn new() -> Self {
        Circuit { gates: vec![Gate::False], known: HashMap::new(), simulated: vec![[0; LANES]] }
    }

    /// The number of gates; later ones can be dropped again by [`Circuit::truncate`].
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Forgets the gates made since there were `len`.
    pub fn truncate(&mut self, len: usize) {
        for gate in self.gates.drain(len..) {
            self.known.remove(&gate);
        }
        self.simulated.truncate(len);
    }

    /// An input with these values in the simulated cases.
    pub fn input(&mut self, values: [u64; LANES]) -> Signal {
        self.gates.push(Gate::Input);
        self.simulated.push(values);
        (self.gates.len() as u32 - 1) << 1
    }

    fn simulate(&self, gate: Gate, lane: usize) -> u64 {
        let value = |s: Signal| self.simulated[s as usize >> 1][lane] ^ (s as u64 & 1).wrapping_neg();
        match gate {
            Gate::False | Gate::Input => 0,
            Gate::And(a, b) => value(a) & value(b),
            Gate::Xor(a, b) => value(a) ^ value(b),
            Gate::Choice(s, a, b) => (value(s) & value(a)) | (!value(s) & value(b)),
        }
    }

    /// A signal in simulated case `i`.
    #[cfg(test)]
    pub fn simulated(&self, s: Signal, i: usize) -> bool {
        (self.simulated[s as usize >> 1][i / 64] >> (i % 64) & 1 == 1) ^ (s & 1 == 1)
    }

    /// The simulated cases in which all signals are true.
    pub fn all_true(&self, signals: &[Signal]) -> [u64; LANES] {
        let value = |s: Signal, lane: usize| self.simulated[s as usize >> 1][lane] ^ (s as u64 & 1).wrapping_neg();
        std::array::from_fn(|lane| signals.iter().fold(!0, |all, &s| all & value(s, lane)))
    }

    /// Whether two signals are the same in these simulated cases.
    pub fn seem_equal(&self, a: Signal, b: Signal, cases: &[u64; LANES]) -> bool {
        let flip = ((a ^ b) as u64 & 1).wrapping_neg();
        let (a, b) = (&self.simulated[a as usize >> 1], &self.simulated[b as usize >> 1]);
        a.iter().zip(b).zip(cases).all(|((a, b), cases)| (*a ^ *b ^ flip) & cases == 0)
    }

    /// Simulates a witness in place of number `which` of 64.
    pub fn add_witness(&mut self, which: usize, set: &[u32]) {
        let bit = 1 << which;
        for (gate, simulated) in self.gates.iter().zip(&mut self.simulated) {
            if *gate == Gate::Input {
                simulated[WITNESSES] &= !bit;
            }
        }
        set.iter().for_each(|&id| self.simulated[id as usize][WITNESSES] |= bit);
        for id in 0..self.gates.len() {
            let gate = self.gates[id];
            if gate != Gate::Input {
                self.simulated[id][WITNESSES] = self.simulate(gate, WITNESSES);
            }
        }
    }

    fn gate(&mut self, gate: Gate) -> Signal {
        let next = self.gates.len() as u32;
        let id = *self.known.entry(gate).or_insert(next);
        if id == next {
            self.gates.push(gate);
            self.simulated.push(std::array::from_fn(|lane| self.simulate(gate, lane)));
        }
        id << 1
    }

    /// The operands of an inverted or plain conjunction.
    fn conjunction(&self, a: Signal) -> Option<(Signal, Signal)> {
        match self.gates[a as usize >> 1] {
            Gate::And(x, y) => Some((x, y)),
            _ => None,
        }
    }

    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (FALSE, _) => return FALSE,
            (TRUE, b) => return b,
            _ if a == b => return a,
            _ if a ^ 1 == b => return FALSE,
            _ => {}
        }
        for (one, other) in [(a, b), (b, a)] {
            let Some((x, y)) = self.conjunction(other) else { continue };
            match other & 1 {
                // one & (one & y), one & (!one & y)
                0 if x == one || y == one => return other,
                0 if x ^ 1 == one || y ^ 1 == one => return FALSE,
                // one & !(one & y), one & !(!one & y)
                1 if x == one => return self.and(one, y ^ 1),
                1 if y == one => return self.and(one, x ^ 1),
                1 if x ^ 1 == one || y ^ 1 == one => return one,
                _ => {}
            }
        }
        self.gate(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Signal, b: Signal) -> Signal {
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        let inverted = (a ^ b) & 1;
        let (a, b) = (a & !1, b & !1);
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (FALSE, b) => b ^ inverted,
            _ if a == b => inverted,
            _ => self.gate(Gate::Xor(a, b)) ^ inverted,
        }
    }

    pub fn choice(&mut self, s: Signal, a: Signal, b: Signal) -> Signal {
        if s & 1 == 1 {
            return self.choice(s ^ 1, b, a);
        }
        if s == FALSE || a == b {
            return b;
        }
        // What is chosen by the same signal further down is known.
        let a = self.under(s, a);
        let b = self.under(s ^ 1, b);
        match (a, b) {
            _ if a == b => b,
            (TRUE, _) => self.or(s, b),
            (FALSE, _) => self.and(s ^ 1, b),
            (_, TRUE) => self.or(s ^ 1, a),
            (_, FALSE) => self.and(s, a),
            _ if a ^ 1 == b => self.xor(s, b),
            _ if a & 1 == 1 => self.gate(Gate::Choice(s, a ^ 1, b ^ 1)) ^ 1,
            _ => self.gate(Gate::Choice(s, a, b)),
        }
    }

    /// `a` where `s` is known to be true.
    fn under(&self, s: Signal, a: Signal) -> Signal {
        if a == s {
            return TRUE;
        }
        if a ^ 1 == s {
            return FALSE;
        }
        match self.gates[a as usize >> 1] {
            Gate::Choice(t, x, _) if t == s => x ^ (a & 1),
            Gate::Choice(t, _, y) if t ^ 1 == s => y ^ (a & 1),
            Gate::And(x, y) if x == s => y ^ (a & 1),
            Gate::And(x, y) if y == s => x ^ (a & 1),
            Gate::And(x, y) if x ^ 1 == s || y ^ 1 == s => FALSE ^ (a & 1),
            _ => a,
        }
    }

    /// The gates that signals depend on, operands first.
    pub fn cone(&self, signals: &[Signal]) -> Vec<usize> {
        let mut needed = vec![false; self.gates.len()];
        signals.iter().for_each(|&s| needed[s as usize >> 1] = true);
        for id in (0..self.gates.len()).rev().filter(|&id| id > 0) {
            if needed[id] {
                let operands: &[Signal] = match &self.gates[id] {
                    Gate::False | Gate::Input => &[],
                    Gate::And(a, b) | Gate::Xor(a, b) => &[*a, *b],
                    Gate::Choice(s, a, b) => &[*s, *a, *b],
                };
                operands.iter().for_each(|&s| needed[s as usize >> 1] = true);
            }
        }
        (0..self.gates.len()).filter(|&id| needed[id]).collect()
    }

    /// Values of all gates of a cone, given those of the inputs.
    fn evaluate(&self, cone: &[usize], values: &mut [Block]) {
        for &id in cone {
            let value = |s: Signal, w: usize| values[s as usize >> 1][w] ^ (s as u64 & 1).wrapping_neg();
            values[id] = match self.gates[id] {
                Gate::False => [0; WIDE],
                Gate::Input => continue,
                Gate::And(a, b) => std::array::from_fn(|w| value(a, w) & value(b, w)),
                Gate::Xor(a, b) => std::array::from_fn(|w| value(a, w) ^ value(b, w)),
                Gate::Choice(s, a, b) => {
                    std::array::from_fn(|w| (value(s, w) & value(a, w)) | (!value(s, w) & value(b, w)))
                }
            };
        }
    }

    /// The values of words where these inputs are true and no others.
    pub fn words_where(&self, set: &[u32], words: &[Vec<Signal>]) -> Vec<u64> {
        let all: Vec<Signal> = words.iter().flatten().copied().collect();
        let mut values = vec![[0; WIDE]; self.gates.len()];
        set.iter().for_each(|&id| values[id as usize] = [!0; WIDE]);
        self.evaluate(&self.cone(&all), &mut values);
        words.iter().map(|w| w.iter().rev().fold(0, |all, &s| all << 1 | word(&values, s, 0) & 1)).collect()
    }

    /// Whether a signal is false for all values of these inputs, which are all that it depends on.
    pub fn is_never_true(&self, signal: Signal, inputs: &[u32]) -> bool {
        self.when_true(signal, inputs).is_none()
    }

    /// The inputs that are true where a signal is, of these on which alone it depends, if it can be true.
    pub fn when_true(&self, signal: Signal, inputs: &[u32]) -> Option<Vec<u32>> {
        if signal <= TRUE {
            return (signal == TRUE).then(Vec::new);
        }
        let program = Program::of(self, signal);
        let used: Vec<(u32, usize)> = inputs.iter().filter_map(|&i| Some((i, program.input(i)?))).collect();
        let mut values = vec![[0; WIDE]; program.slots];
        // Input k of a case is bit k of its number: the first six within a word, the next in the place of a word.
        let within = WIDE.trailing_zeros() as usize + 6;
        let constant = |slot: usize, k: usize, block: usize, values: &mut [Block]| {
            values[slot] = std::array::from_fn(|w| match k {
                0..6 => (!0 / ((1 << (1 << k)) + 1)) << (1 << k),
                _ if k < within => (w as u64 >> (k - 6) & 1).wrapping_neg(),
                _ => (block as u64 >> (k - within) & 1).wrapping_neg(),
            });
        };
        (0..1usize << used.len().saturating_sub(within)).find_map(|block| {
            used.iter().enumerate().for_each(|(k, &(_, slot))| constant(slot, k, block, &mut values));
            let word = program.run(&mut values).into_iter().enumerate().find(|(_, v)| *v != 0);
            let (w, v) = word?;
            let case = block << within | w << 6 | v.trailing_zeros() as usize;
            Some(used.iter().enumerate().filter(|(k, _)| case >> k & 1 == 1).map(|(_, (id, _))| *id).collect())
        })
    }

    /// Which signals are true in some of many cases. `draw` fills in the inputs of the block of a number.
    pub fn ever_true(&self, signals: &[Signal], blocks: u64, draw: impl Fn(u64, &mut [Block])) -> Vec<bool> {
        let mut ever = vec![false; signals.len()];
        self.each_block(signals, blocks, draw, |values| {
            for (ever, &s) in ever.iter_mut().zip(signals) {
                *ever |= (0..WIDE).any(|w| word(values, s, w) != 0);
            }
            true
        });
        ever
    }

    /// At most `most` of the same cases in which a signal is true: the values of these words.
    pub fn true_cases(
        &self,
        signal: Signal,
        words: &[Vec<Signal>],
        (blocks, most): (u64, usize),
        draw: impl Fn(u64, &mut [Block]),
    ) -> Vec<Vec<u64>> {
        let mut cases = Vec::new();
        let all: Vec<Signal> = words.iter().flatten().copied().chain([signal]).collect();
        self.each_block(&all, blocks, draw, |values| {
            for i in (0..64 * WIDE).filter(|i| word(values, signal, i / 64) >> (i % 64) & 1 == 1) {
                let bit = |&s: &Signal| word(values, s, i / 64) >> (i % 64) & 1;
                cases.push(words.iter().map(|w| w.iter().rev().fold(0, |all, s| all << 1 | bit(s))).collect());
                // Of many blocks, rather than many of one.
                if cases.len() % 16 == 0 {
                    break;
                }
            }
            cases.len() < most
        });
        cases
    }

    /// Evaluates blocks of cases, as long as `each` says so.
    fn each_block(
        &self,
        signals: &[Signal],
        blocks: u64,
        draw: impl Fn(u64, &mut [Block]),
        mut each: impl FnMut(&[Block]) -> bool,
    ) {
        let cone = self.cone(signals);
        let mut values = vec![[0; WIDE]; self.gates.len()];
        for block in 0..blocks {
            draw(block, &mut values);
            self.evaluate(&cone, &mut values);
            if !each(&values) {
                break;
            }
        }
    }

    /// Whether signals can be true together, with at most `budget` learnt clauses. First only the gates next to them are looked
    /// at, and what is farther is taken as free: what never happens with any values there does not happen at all.
    pub fn can_be_true(&self, signals: &[Signal], budget: u64) -> Answer {
        for window in WINDOWS {
            match self.can_be_true_within(signals, budget / 4, window) {
                Some(Answer::Never) => return Answer::Never,
                // All gates are in it.
                None => break,
                _ => {}
            }
        }
        self.can_be_true_within(signals, budget, usize::MAX).unwrap_or(Answer::Unknown)
    }

    /// The same with as many gates; none if these are all that signals depend on, of a window that is not everything.
    fn can_be_true_within(&self, signals: &[Signal], budget: u64, window: usize) -> Option<Answer> {
        if signals.contains(&FALSE) {
            return Some(Answer::Never);
        }
        let mut solver = Solver::new(Default::default(), Budget::of(budget));
        let mut variable: Vec<Option<batsat::Var>> = vec![None; self.gates.len()];
        let mut queue: VecDeque<u32> = signals.iter().map(|s| s >> 1).collect();
        let mut order = Vec::new();
        let mut free = 0;
        while let Some(id) = queue.pop_front() {
            if variable[id as usize].is_some() {
                continue;
            }
            variable[id as usize] = Some(solver.new_var_default());
            if order.len() >= window && !matches!(self.gates[id as usize], Gate::False | Gate::Input) {
                free += 1;
                continue;
            }
            order.push(id);
            match self.gates[id as usize] {
                Gate::False | Gate::Input => {}
                Gate::And(a, b) | Gate::Xor(a, b) => queue.extend([a >> 1, b >> 1]),
                Gate::Choice(s, a, b) => queue.extend([s >> 1, a >> 1, b >> 1]),
            }
        }
        if window < usize::MAX && free == 0 {
            return None;
        }
        let of = |id: u32| variable[id as usize].expect("the cone has its operands");
        let literal = |s: Signal| batsat::Lit::new(of(s >> 1), s & 1 == 0);
        let mut clause = Vec::new();
        for &s in signals {
            clause.clear();
            clause.push(literal(s));
            solver.add_clause_reuse(&mut clause);
        }
        for &id in &order {
            let g = id << 1;
            let mut add = |signals: &[Signal]| {
                clause.clear();
                clause.extend(signals.iter().map(|&s| literal(s)));
                solver.add_clause_reuse(&mut clause);
            };
            match self.gates[id as usize] {
                Gate::Input => {}
                Gate::False => add(&[g ^ 1]),
                Gate::And(a, b) => [&[g ^ 1, a][..], &[g ^ 1, b], &[g, a ^ 1, b ^ 1]].iter().for_each(|c| add(c)),
                Gate::Xor(a, b) => {
                    [[g ^ 1, a, b], [g ^ 1, a ^ 1, b ^ 1], [g, a ^ 1, b], [g, a, b ^ 1]].iter().for_each(|c| add(c));
                }
                Gate::Choice(s, a, b) => [
                    [g ^ 1, s ^ 1, a],
                    [g, s ^ 1, a ^ 1],
                    [g ^ 1, s, b],
                    [g, s, b ^ 1],
                    [g ^ 1, a, b],
                    [g, a ^ 1, b ^ 1],
                ]
                .iter()
                .for_each(|c| add(c)),
            }
        }
        let found = solver.solve_limited(&[]);
        if found == lbool::FALSE {
            return Some(Answer::Never);
        }
        if found != lbool::TRUE || free > 0 {
            return Some(Answer::Unknown);
        }
        let input = |&&id: &&u32| matches!(self.gates[id as usize], Gate::Input);
        let set = |&&id: &&u32| solver.value_var(of(id)) == lbool::TRUE;
        Some(Answer::Witness(order.iter().filter(input).filter(set).copied().collect()))
    }
}

/// Ends a search after a number of learnt clauses, which is the same on every machine.
struct Budget {
    left: Cell<u64>,
}

impl Budget {
    fn of(clauses: u64) -> Self {
        Budget { left: Cell::new(clauses) }
    }
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: batsat::ClauseKind) {
        if kind == batsat::ClauseKind::Learnt {
            self.left.set(self.left.get().saturating_sub(1));
        }
    }
    fn stop(&self) -> bool {
        self.left.get() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_what_they_say() {
        let mut c = Circuit::new();
        let x: [Signal; 3] = [0; 3].map(|_| c.input([0; LANES]));
        let choice = c.choice(x[0], x[1], x[2]);
        let (p, q) = (c.and(x[0], x[1]), c.and(x[0] ^ 1, x[2]));
        let or = c.or(p, q);
        let same = c.xor(choice, or);
        assert_eq!(c.can_be_true(&[same], 1000), Answer::Never);
        let wrong = c.xor(choice, p);
        let Answer::Witness(inputs) = c.can_be_true(&[wrong], 1000) else { panic!() };
        // Only x[2] without x[0] tells them apart.
        assert!(inputs.contains(&(x[2] >> 1)) && !inputs.contains(&(x[0] >> 1)));
        let all = x.map(|s| s >> 1);
        assert!(c.is_never_true(same, &all) && !c.is_never_true(wrong, &all) && !c.is_never_true(wrong ^ 1, &all));
        // Inputs beyond those of one word, and of one block.
        let many: Vec<Signal> = (0..14).map(|_| c.input([0; LANES])).collect();
        let every = many.iter().fold(TRUE, |all, &x| c.and(all, x));
        let ids: Vec<u32> = many.iter().map(|s| s >> 1).collect();
        assert!(!c.is_never_true(every, &ids));
        let none = c.and(every, many[13] ^ 1);
        assert!(c.is_never_true(none, &ids));
        assert_eq!(c.xor(x[0], x[0]), FALSE);
        let twice = c.and(x[0], p);
        assert_eq!(twice, p);
        let len = c.len();
        c.and(x[1], x[2]);
        c.truncate(len);
        assert_eq!(c.len(), len);
    }
}
