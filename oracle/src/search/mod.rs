//! Worst-case search: climbs from the worst of many samples to an input whose error is as large as they can find.
//!
//! What is maximised is any function of the operands; [`error_of`] makes it of a subject and an error measure, and NaN excludes inputs. A
//! search is a pure function of its seed, its budget of evaluations and its objective, whatever the number of threads.
//!
//! Each climber starts at the worst of 512 samples and tries one neighbour after another: it adds or subtracts powers of two to the bits of a
//! limb, flips bits, steps a few ulps, redraws the low bits within a random interval, redraws lo near half an ulp, changes signs of lo and
//! binades of operands, and copies or swaps significands between limbs. It keeps what is no better as well, so that it drifts on plateaus, and starts again
//! after 3000 neighbours in vain.

mod climb;
mod neighbour;

use crate::generate::Shape;
use crate::judge::{ARGS, Args, judge_block};
use crate::measure::{Domain, Verdict};
use crate::target::{Pair, Target};
use climb::{CLIMBERS as BLOCK, Island};
use neighbour::Moves;
use rayon::prelude::*;
use std::ops::Range;
use std::time::{Duration, Instant};
use vernier::function::Op;

/// The worst input that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Its error.
    pub value: f64,
    /// Its operands.
    pub args: Vec<Pair>,
    /// Evaluations of the whole search.
    pub evaluations: u64,
}

/// A search for normalised operands in the moderate domain.
#[derive(Clone, Debug)]
pub struct Search {
    /// Operands; their signs are kept as it asks.
    pub shape: Shape,
    /// Seed.
    pub seed: u64,
}

/// Evaluations of an island, as a power of two, until there are so many islands that they grow with the budget.
const ISLAND_SIZE: u32 = 16;

/// Fewest and most islands of a round.
const ISLANDS: [u64; 2] = [2, 128];

impl Search {
    /// A search.
    pub fn new(shape: Shape, seed: u64) -> Search {
        Search { shape, seed }
    }

    /// The worst input within a number of evaluations. `objective` writes the value of each input, NaN where it does not count.
    ///
    /// `N` is at least the number of operands; inputs are filled up with zeros. `None` if nothing counted.
    pub fn run<const N: usize>(&self, evaluations: u64, objective: impl Objective<N>) -> Option<Peak> {
        self.part(evaluations, 0..islands(evaluations), objective)
    }

    /// The worst input that some [`islands`] find: [`Search::run`] gives the [`worse`] of what any division into parts gives, in their order.
    pub fn part<const N: usize>(
        &self,
        evaluations: u64,
        part: Range<u64>,
        objective: impl Objective<N>,
    ) -> Option<Peak> {
        self.round(0, evaluations, part, &objective)
    }

    /// The worst input within about a duration: rounds of one million evaluations and more, as [`Search::run`] makes them.
    pub fn run_for<const N: usize>(&self, duration: Duration, objective: impl Objective<N>) -> Option<Peak> {
        let start = Instant::now();
        let (mut best, mut size): (Option<Peak>, u64) = (None, 1 << 20);
        for round in 0.. {
            let peak = self.round(round, size, 0..islands(size), &objective);
            best = worse(best, peak);
            if start.elapsed() >= duration {
                break;
            }
            // About a second a round, so that the end is near the time asked for.
            let rate = best.as_ref().map_or(0, |b| b.evaluations) as f64 / start.elapsed().as_secs_f64();
            size = (rate.min(1e9) as u64).max(1 << 20);
        }
        best
    }

    fn round<const N: usize>(
        &self,
        round: u64,
        evaluations: u64,
        part: Range<u64>,
        objective: &impl Objective<N>,
    ) -> Option<Peak> {
        if self.shape.operands.len() > N {
            return None;
        }
        let moves = Moves::new(&self.shape);
        let islands = islands(evaluations);
        let share = |i: u64| evaluations / islands + u64::from(i < evaluations % islands);
        let run = |i| Island::new(&self.shape, &moves, self.seed, round * ISLANDS[1] + i).run(share(i), objective);
        let peaks: Vec<Option<Peak>> = part.clone().into_par_iter().map(run).collect();
        let peak = peaks.into_iter().fold(None, worse)?;
        Some(Peak { evaluations: part.map(share).sum(), ..peak })
    }
}

/// Islands of a search of so many evaluations: parts of it that threads take one by one, and that know nothing of one another.
pub fn islands(evaluations: u64) -> u64 {
    (evaluations >> ISLAND_SIZE).clamp(ISLANDS[0], ISLANDS[1])
}

/// The worse of two, the first of equals; evaluations add up.
pub fn worse(a: Option<Peak>, b: Option<Peak>) -> Option<Peak> {
    let (Some(a), Some(b)) = (&a, &b) else { return a.or(b) };
    let evaluations = a.evaluations + b.evaluations;
    let peak = if b.value > a.value { b } else { a };
    Some(Peak { evaluations, ..peak.clone() })
}

/// What is maximised: writes the value of each input, NaN where it does not count.
pub trait Objective<const N: usize>: Fn(&[[Pair; N]], &mut [f64]) + Sync {}

impl<const N: usize, F: Fn(&[[Pair; N]], &mut [f64]) + Sync> Objective<N> for F {}

/// The objective that judges a subject's results by a measure of their verdicts.
pub fn error_of(
    op: Op,
    target: Target,
    measure: fn(&Verdict) -> f64,
    subject: impl Fn(&[Args], &mut [Pair]) + Sync,
) -> impl Objective<ARGS> {
    move |args: &[Args], values: &mut [f64]| {
        let mut results = [(0.0, 0.0); BLOCK];
        for (args, values) in args.chunks(BLOCK).zip(values.chunks_mut(BLOCK)) {
            let results = &mut results[..args.len()];
            subject(args, results);
            judge_block(op, &target, args, results, |i, verdict| values[i] = measure(&verdict));
        }
    }
}

/// The u2 error where it is gated, otherwise NaN.
pub fn u2(verdict: &Verdict) -> f64 {
    gated(verdict, verdict.u2)
}

/// The u2 error of the terms where it is gated, otherwise NaN.
pub fn u2_of_terms(verdict: &Verdict) -> f64 {
    gated(verdict, verdict.u2_of_terms)
}

/// The ulp error where it is gated, otherwise NaN.
pub fn ulp(verdict: &Verdict) -> f64 {
    gated(verdict, verdict.ulp)
}

fn gated(verdict: &Verdict, error: f64) -> f64 {
    if verdict.domain == Domain::Moderate { error } else { f64::NAN }
}
