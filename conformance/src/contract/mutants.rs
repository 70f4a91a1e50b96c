//! The mutation score: how many of a function's mutants, each of which is the function with one operation changed, the cases
//! kill. A mutant that has the same value at its operation in every case is *not infected* and cannot show; the others either
//! are *killed*, by a case with another result, or *survive*.

use super::kept;
use crate::case::{Kind, Value, kind_of, slots};
use crate::subject::{columns, differing};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::LazyLock;
use vernier_gpu::device;
use vernier_gpu::kernel::Mutated;
use vernier_oracle::generate::counter;
use vernier_tape::cases::{BLOCK, arguments};
use vernier_tape::kill::{Fate, fates, infected};
use vernier_tape::mutants::{Mutant, mutants, one_nan};
use vernier_tape::registry::Function;

/// Which mutants are planted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Planted {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// One in four; of functions with few mutants all.
    OneInFour,
}

/// What became of the mutants of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// How many were planted.
    pub planted: usize,
    /// How many changed a result.
    pub killed: usize,
    /// How many had the same value at their operation in every case.
    pub not_infected: usize,
    /// The others, by what they change; filled in where they are asked for.
    pub survivors: Vec<String>,
    /// The least score that is enough; none where nothing is claimed.
    pub floor: Option<f64>,
}

impl Score {
    /// How many showed at their operation and in no result.
    pub fn survived(&self) -> usize {
        self.planted - self.killed - self.not_infected
    }

    /// Killed of those that are infected; 1 where none is.
    pub fn score(&self) -> f64 {
        self.killed as f64 / ((self.planted - self.not_infected) as f64).max(1.0)
    }

    /// Whether it is high enough.
    pub fn holds(&self) -> bool {
        self.killed + self.not_infected == self.planted || self.floor.is_none_or(|floor| self.score() >= floor)
    }

    /// Adds those of another function.
    pub fn add(&mut self, other: &Score) {
        self.planted += other.planted;
        self.killed += other.killed;
        self.not_infected += other.not_infected;
    }
}

/// Generated cases of the interpreter, beside the kept ones.
const GENERATED: u64 = 1 << 13;
/// The seed of the cases that [`FLOORS`] are about.
pub const SEED: u64 = 1;
/// The least score of each function: of all its mutants, and of one in four.
const FLOORS: &str = include_str!("../../fixtures/mutation_floors.tsv");

/// The floor of a function; of what has no line only a score of 1 is enough.
fn floor(function: &str, planted: Planted) -> f64 {
    static ALL: LazyLock<HashMap<&str, [f64; 2]>> = LazyLock::new(|| {
        let line = |line: &'static str| {
            let mut words = line.split('\t');
            let name = words.next()?;
            Some((name, [words.next()?.parse().ok()?, words.next()?.parse().ok()?]))
        };
        FLOORS.lines().filter_map(line).collect()
    });
    let [all, some] = ALL.get(function).copied().unwrap_or([1.0; 2]);
    if planted == Planted::OneInFour { some } else { all }
}

/// The file of floors for these scores of functions: of all mutants, and of one in four.
pub fn floors<'a>(scores: impl IntoIterator<Item = (&'a str, f64, f64)>) -> String {
    let line = |(name, all, some): (&str, f64, f64)| {
        let [all, some] = [all, some].map(|x| ((x * 100.0).floor() - 1.0).max(0.0) / 100.0);
        format!("{name}\t{all:.2}\t{some:.2}\n")
    };
    std::iter::once("function\tall mutants\tone in four\n".to_string()).chain(scores.into_iter().map(line)).collect()
}

/// The mutants to plant.
fn chosen(f: &Function, planted: Planted) -> Vec<Mutant> {
    const FEW: usize = 64;
    let mut all = mutants(&f.tape, &f.params);
    if planted == Planted::OneInFour && all.len() > FEW {
        let mut i = 0;
        all.retain(|_| {
            i += 1;
            counter::word(0, i).is_multiple_of(4)
        });
    }
    all
}

/// The score of a function in the interpreter.
pub(super) fn on_tape(f: &Function, seed: u64, planted: Planted, survivors: bool) -> Score {
    let mutants = chosen(f, planted);
    let args = every_input(f).unwrap_or_else(|| columns(f, &kept::with_generated(f, seed, GENERATED)));
    let fates = fates(&f.tape, &mutants, &args);
    let floor = (seed == SEED).then(|| floor(&f.name(), planted));
    score(f, mutants.iter().zip(fates), survivors, floor)
}

fn score<'m>(
    f: &Function,
    fates: impl Iterator<Item = (&'m Mutant, Fate)>,
    survivors: bool,
    floor: Option<f64>,
) -> Score {
    let mut score = Score { floor, ..Score::default() };
    for (mutant, fate) in fates {
        score.planted += 1;
        match fate {
            Fate::Killed(_) => score.killed += 1,
            Fate::NotInfected => score.not_infected += 1,
            Fate::Survived if survivors => score.survivors.push(mutant.describe(&f.tape)),
            Fate::Survived => {}
        }
    }
    score
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

/// The score of a function on a device, or the case line of a case in which the unchanged function differs from the host there:
/// then every mutant would look killed.
///
/// # Errors
/// If the device fails.
pub fn on_device(mutated: &Mutated<'_>, seed: u64, survivors: bool) -> Result<Result<Score, String>, device::Error> {
    let (f, mutants, api) = (mutated.function(), mutated.mutants(), mutated.api());
    let unchanged = mutants.len() as u32;
    let types: Vec<_> = f.tape.results().collect();
    let differs = |args: &[Vec<u64>], expected: &[Vec<u64>], mutant: u32| {
        let got = mutated.map(args, mutant)?;
        let canonical = |columns: &[Vec<u64>], i: usize| -> Vec<u64> {
            columns.iter().zip(&types).map(|(column, &ty)| one_nan(ty, column[i])).collect()
        };
        let n = args.first().map_or(0, Vec::len);
        let first = (0..n).find(|&i| canonical(expected, i) != canonical(&got, i));
        Ok::<_, device::Error>(first.map(|i| (i, canonical(&got, i))))
    };
    let control = |rows: &[Vec<u64>]| {
        let args = columns(f, rows);
        let expected = f.evaluate(&args);
        let first = differs(&args, &expected, unchanged)?;
        let line = first.map(|(i, got)| {
            let line = differing(f, &rows[i], &f.host(&rows[i]), Some(&got), api.name());
            line.unwrap_or_else(|| format!("{} of {:x?}", f.name(), rows[i]))
        });
        Ok::<_, device::Error>((args, expected, line))
    };
    let kept = kept::arguments_for(f);
    let (args, expected, wrong) = control(&kept)?;
    if let Some(line) = wrong {
        return Ok(Err(line));
    }
    let kills = mutated.kill(seed, 0..1)?;
    if let Some(block) = kills.control {
        let rows: Vec<Vec<u64>> = (block * BLOCK..(block + 1) * BLOCK).map(|i| arguments(&f.params, seed, i)).collect();
        let (_, _, line) = control(&rows)?;
        return Ok(Err(line.unwrap_or_else(|| format!("{}: the hash of block {block} differs", f.name()))));
    }
    let mut fates: Vec<Fate> = kills.by.iter().map(|by| by.map_or(Fate::Survived, |_| Fate::Killed(0))).collect();
    for i in kills.survivors() {
        if let Some((case, _)) = differs(&args, &expected, i as u32)? {
            fates[i] = Fate::Killed(case);
        }
    }
    // The host knows where the others are infected.
    let open: Vec<usize> = (0..fates.len()).filter(|&i| fates[i] == Fate::Survived).collect();
    let rows: Vec<Vec<u64>> = kept.into_iter().chain((0..BLOCK).map(|i| arguments(&f.params, seed, i))).collect();
    let left: Vec<Mutant> = open.iter().map(|&i| mutants[i].clone()).collect();
    for (i, infected) in open.into_iter().zip(infected(&f.tape, &left, &columns(f, &rows))) {
        fates[i] = if infected { Fate::Survived } else { Fate::NotInfected };
    }
    Ok(Ok(score(f, mutants.iter().zip(fates), survivors, None)))
}
