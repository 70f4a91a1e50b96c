//! Which mutants are killed by cases: by one whose result they change.
//!
//! A case *infects* a mutant where it changes the value of its operation. Only there can it change a result, so the mutated
//! tape is run on those cases alone; most mutants of rare paths are infected by few.

use crate::interpret::Interpreter;
use crate::mutants::{Mutant, one_nan};
use crate::tape::{Mode, Op, Tape, Ty};
use rayon::prelude::*;

/// Cases that are looked at together.
pub const BLOCK: usize = 1 << 10;

/// What becomes of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// This case has another result.
    Killed(usize),
    /// Its operation has another value in some case, and the result is the same in all.
    Survived,
    /// Its operation has the same value in every case, so that it cannot show.
    NotInfected,
}

impl Fate {
    /// The case that kills it.
    pub fn killed_by(self) -> Option<usize> {
        match self {
            Fate::Killed(case) => Some(case),
            Fate::Survived | Fate::NotInfected => None,
        }
    }
}

/// Cases on the sound tape, to be compared with mutants.
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
        Watch { tape, types, sound: Interpreter::of_mutants(tape), args: Vec::new(), expected: Vec::new() }
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

    /// The cases that infect `mutant`: it changes the value of its operation, or the results that it names.
    pub fn infected(&self, mutant: &Mutant) -> Vec<u32> {
        match mutant {
            Mutant::Node { at, with, .. } => match with.op {
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
            Mutant::Results { results, .. } => {
                let columns: Vec<&[u64]> = results.iter().map(|&r| self.sound.values(r).1).collect();
                let n = self.args.first().map_or(0, Vec::len);
                let differs = |&i: &usize| columns.iter().zip(&self.expected).any(|(c, e)| c[i] != e[i]);
                (0..n).filter(differs).map(|i| i as u32).collect()
            }
        }
    }

    /// What these cases do to `mutant`, given an [`Interpreter::of_mutants`].
    pub fn fate(&self, mutant: &Mutant, interpreter: &mut Interpreter<'t>) -> Fate {
        let infected = self.infected(mutant);
        if infected.is_empty() {
            return Fate::NotInfected;
        }
        interpreter.change(Some(mutant));
        self.differing(interpreter, &infected).map_or(Fate::Survived, Fate::Killed)
    }

    /// The first of `cases` with another result on another tape.
    pub fn differing(&self, other: &mut Interpreter<'_>, cases: &[u32]) -> Option<usize> {
        // Most mutants show in the first cases that infect them.
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

/// What cases do to each mutant. `args` has a column per argument.
pub fn fates(tape: &Tape, mutants: &[Mutant], args: &[Vec<u64>]) -> Vec<Fate> {
    let mut fates = vec![Fate::NotInfected; mutants.len()];
    in_blocks(tape, args, |watch, start| {
        let open = fates.par_iter_mut().zip(mutants).filter(|(fate, _)| fate.killed_by().is_none());
        open.for_each_init(
            || Interpreter::of_mutants(tape),
            |interpreter, (fate, mutant)| match watch.fate(mutant, interpreter) {
                Fate::Killed(i) => *fate = Fate::Killed(start + i),
                Fate::Survived => *fate = Fate::Survived,
                Fate::NotInfected => {}
            },
        );
    });
    fates
}

/// Which mutants are infected by any of these cases.
pub fn infected(tape: &Tape, mutants: &[Mutant], args: &[Vec<u64>]) -> Vec<bool> {
    let mut infected = vec![false; mutants.len()];
    in_blocks(tape, args, |watch, _| {
        let open = infected.par_iter_mut().zip(mutants).filter(|(infected, _)| !**infected);
        open.for_each(|(infected, mutant)| *infected = !watch.infected(mutant).is_empty());
    });
    infected
}

/// Watches these cases block by block; `look` sees each block and its first case.
fn in_blocks(tape: &Tape, args: &[Vec<u64>], mut look: impl FnMut(&Watch<'_>, usize)) {
    let n = args.first().map_or(0, Vec::len);
    let mut watch = Watch::new(tape);
    for start in (0..n).step_by(BLOCK) {
        let range = start..n.min(start + BLOCK);
        watch.load(args.iter().map(|a| a[range.clone()].to_vec()).collect());
        look(&watch, start);
    }
}
