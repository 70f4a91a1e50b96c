//! Which faults cases notice.
//!
//! A fault is *active* in a case where it changes the value of its operation. Only there can it change a result, so
//! the faulty tape is run on those cases alone; most faults of rare paths are active in few.

use crate::faults::{Fault, one_nan};
use crate::interpret::Interpreter;
use crate::tape::{Mode, Op, Tape, Ty};
use rayon::prelude::*;

/// Cases that are looked at together.
pub const BLOCK: usize = 1 << 10;

/// Cases on the sound tape, ready to be compared with faults.
#[derive(Debug)]
pub struct Watch<'t> {
    tape: &'t Tape,
    types: Vec<Ty>,
    sound: Interpreter<'t>,
    args: Vec<Vec<u64>>,
    expected: Vec<Vec<u64>>,
}

impl<'t> Watch<'t> {
    /// No cases of `tape` yet.
    pub fn new(tape: &'t Tape) -> Self {
        let types = tape.results().collect();
        Watch { tape, types, sound: Interpreter::new(tape), args: Vec::new(), expected: Vec::new() }
    }

    /// Takes cases: a column per argument.
    pub fn load(&mut self, args: Vec<Vec<u64>>) {
        self.expected = self.sound.run(&args);
        self.args = args;
    }

    /// The tape.
    pub fn tape(&self) -> &'t Tape {
        self.tape
    }

    /// The sound tape with the values of these cases.
    pub fn sound(&self) -> &Interpreter<'t> {
        &self.sound
    }

    /// The arguments, by slot.
    pub fn args(&self) -> &[Vec<u64>] {
        &self.args
    }

    /// The cases in which `fault` changes the value of its operation, or the results that it names.
    pub fn active(&self, fault: &Fault) -> Vec<u32> {
        match fault {
            Fault::Node { at, with, .. } => match with.op {
                Op::Branch(b) if with.mode == Mode::Never => self.sound.taken(b).to_vec(),
                Op::Branch(_) => self.sound.values(with.args()[0]).0.to_vec(),
                _ => {
                    let (cases, right) = self.sound.values(*at);
                    let mut wrong = Vec::new();
                    self.sound.instead(*at, with, &mut wrong);
                    let pairs = cases.iter().zip(right.iter().zip(&wrong));
                    pairs.filter(|(_, (r, w))| r != w).map(|(&case, _)| case).collect()
                }
            },
            Fault::Results { results, .. } => {
                let columns: Vec<&[u64]> = results.iter().map(|&r| self.sound.values(r).1).collect();
                let n = self.args.first().map_or(0, Vec::len);
                let differs = |&i: &usize| columns.iter().zip(&self.expected).any(|(c, e)| c[i] != e[i]);
                (0..n).filter(differs).map(|i| i as u32).collect()
            }
        }
    }

    /// The first case whose result `fault` changes.
    pub fn noticed(&self, fault: &Fault) -> Option<usize> {
        let active = self.active(fault);
        if active.is_empty() {
            return None;
        }
        let faulty = fault.plant(self.tape);
        let mut interpreter = Interpreter::new(&faulty);
        self.differing(&mut interpreter, &active)
    }

    /// The first of `cases` with another result on another tape.
    pub fn differing(&self, other: &mut Interpreter<'_>, cases: &[u32]) -> Option<usize> {
        // Most faults show in the first cases in which they are active.
        let (mut rest, mut size) = (cases, 16);
        while !rest.is_empty() {
            let (part, after) = rest.split_at(size.min(rest.len()));
            let args: Vec<Vec<u64>> = self.args.iter().map(|a| part.iter().map(|&i| a[i as usize]).collect()).collect();
            let got = other.run(&args);
            let differs = |k: &usize| {
                let columns = self.types.iter().zip(&got).zip(&self.expected);
                columns.into_iter().any(|((&ty, g), e)| one_nan(ty, g[*k]) != one_nan(ty, e[part[*k] as usize]))
            };
            if let Some(k) = (0..part.len()).find(differs) {
                return Some(part[k] as usize);
            }
            (rest, size) = (after, BLOCK);
        }
        None
    }
}

/// For each fault the first case that notices it. `args` has a column per argument.
pub fn first_noticed(tape: &Tape, faults: &[Fault], args: &[Vec<u64>]) -> Vec<Option<usize>> {
    let mut first = vec![None; faults.len()];
    let n = args.first().map_or(0, Vec::len);
    let mut watch = Watch::new(tape);
    for start in (0..n).step_by(BLOCK) {
        let range = start..n.min(start + BLOCK);
        watch.load(args.iter().map(|a| a[range.clone()].to_vec()).collect());
        let open = first.par_iter_mut().zip(faults).filter(|(first, _)| first.is_none());
        open.for_each(|(first, fault)| *first = watch.noticed(fault).map(|i| start + i));
    }
    first
}
