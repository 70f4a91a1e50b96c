//! Climbers, which evaluate in step with each other so that the objective sees blocks.

use super::neighbour::Moves;
use super::{Objective, Peak};
use crate::generate::counter::{self, Words};
use crate::generate::{Generator, Shape};
use crate::target::Pair;

/// Climbers of an island.
pub(super) const CLIMBERS: usize = 32;

/// Samples of which the worst is a start.
const SAMPLES: u32 = 512;

/// Neighbours in vain, after which a climber starts again.
const PATIENCE: u32 = 3000;

struct Climber<const N: usize> {
    words: Words,
    args: [Pair; N],
    value: f64,
    samples: u32,
    stalled: u32,
}

pub(super) struct Island<'a> {
    shape: &'a Shape,
    moves: &'a Moves<'a>,
    key: u64,
}

impl<'a> Island<'a> {
    pub(super) fn new(shape: &'a Shape, moves: &'a Moves<'a>, seed: u64, number: u64) -> Island<'a> {
        Island { shape, moves, key: counter::key(seed, number) }
    }

    pub(super) fn run<const N: usize>(&self, evaluations: u64, objective: &impl Objective<N>) -> Option<Peak> {
        let mut climbers: Vec<Climber<N>> = (0..CLIMBERS as u64)
            .map(|i| Climber {
                words: Words::new(counter::key(self.key, i), 0),
                args: [(0.0, 0.0); N],
                value: f64::NEG_INFINITY,
                samples: 0,
                stalled: 0,
            })
            .collect();
        let mut tried = [[(0.0, 0.0); N]; CLIMBERS];
        let mut values = [f64::NAN; CLIMBERS];
        let mut best = (f64::NEG_INFINITY, [(0.0, 0.0); N]);
        let mut left = evaluations;
        while left > 0 {
            let active = CLIMBERS.min(usize::try_from(left).unwrap_or(CLIMBERS));
            left -= active as u64;
            for (climber, tried) in climbers.iter_mut().zip(&mut tried[..active]) {
                *tried = if climber.samples < SAMPLES || climber.value == f64::NEG_INFINITY {
                    self.sample(&mut climber.words)
                } else {
                    self.moves.neighbour(&climber.args, &mut climber.words)
                };
            }
            objective(&tried[..active], &mut values[..active]);
            for ((climber, tried), &value) in climbers.iter_mut().zip(&tried).zip(&values[..active]) {
                climber.samples = climber.samples.saturating_add(1);
                climber.stalled += 1;
                if value >= climber.value {
                    if value > climber.value {
                        climber.stalled = 0;
                    }
                    (climber.args, climber.value) = (*tried, value);
                    if value > best.0 {
                        best = (value, *tried);
                    }
                }
                if climber.stalled > PATIENCE {
                    (climber.samples, climber.stalled, climber.value) = (0, 0, f64::NEG_INFINITY);
                }
            }
        }
        let args = best.1[..self.shape.operands.len()].to_vec();
        (best.0 > f64::NEG_INFINITY).then_some(Peak { value: best.0, args, evaluations })
    }

    fn sample<const N: usize>(&self, w: &mut Words) -> [Pair; N] {
        let mut args = [(0.0, 0.0); N];
        let n = self.shape.operands.len();
        for _ in 0..8 {
            let generator = match w.below(16) {
                0..=10 => Generator::Structured,
                11 | 12 => Generator::Cancellation,
                13 => Generator::Ties,
                14 => Generator::Powers,
                _ => Generator::Moderate,
            };
            generator.draw_next(self.shape, w, &mut args[..n]);
            if self.moves.is_valid(&args[..n]) {
                break;
            }
        }
        args
    }
}
