//! Worst-case search: climbs that start at the worst of some samples.

use super::draw::Draw;
use super::row::{Metric, Row};
use super::tally::{error, is_claimed};
use crate::case::Meaning;
use crate::subject::{Subject, Unsupported};
use vernier_oracle::generate::counter::{self, Words};
use vernier_oracle::generate::{Operand, limb};
use vernier_oracle::{self as oracle, Args, Format, Pair};

/// The worst case that a climb found.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Its error.
    pub value: f64,
    /// Its arguments, in the order of the case line.
    pub args: Vec<Pair>,
}

/// One climb: a pure function of its arguments.
pub struct Climb<'a> {
    /// Whose errors.
    pub subject: &'a dyn Subject,
    /// Row.
    pub row: &'a Row,
    /// What is maximised.
    pub metric: Metric,
    /// Seed of the run.
    pub seed: u64,
    /// Number of the climb.
    pub number: u64,
    /// Cases to evaluate.
    pub steps: u64,
}

const STARTS: usize = 512;
const BATCH: usize = 64;

impl Climb<'_> {
    /// Climbs.
    pub fn run(&self) -> Result<Option<Peak>, Unsupported> {
        let draw = Draw::new(self.row, self.seed ^ 0x5eed_c11b);
        let key = counter::named_key(self.seed, &format!("{} {}", self.row, self.metric.name()));
        let mut random = Words::new(key, self.number);
        let mut batch: Vec<Vec<Pair>> = (0..STARTS as u64)
            .map(|i| {
                let mut args = vec![(0.0, 0.0); draw.arity()];
                draw.numbers(self.number * STARTS as u64 + i, &mut args);
                args
            })
            .collect();
        let mut best: Option<Peak> = None;
        let mut left = self.steps;
        loop {
            left = left.saturating_sub(batch.len() as u64);
            for (value, args) in self.errors(&draw, &batch)?.into_iter().zip(&batch) {
                if let Some(value) = value
                    && best.as_ref().is_none_or(|b| value >= b.value)
                {
                    best = Some(Peak { value, args: args.clone() });
                }
            }
            let Some(best) = best.as_ref().filter(|b| left > 0 && b.value.is_finite()) else {
                return Ok(best);
            };
            batch = (0..BATCH).map(|_| self.neighbour(&draw, &best.args, &mut random)).collect();
        }
    }

    fn errors(&self, draw: &Draw, batch: &[Vec<Pair>]) -> Result<Vec<Option<f64>>, Unsupported> {
        let ty = self.row.ty(self.number);
        let target = ty.target();
        let Meaning::Number(meaning) = self.row.operation().meaning else {
            return Ok(vec![None; batch.len()]);
        };
        let mut errors = Vec::with_capacity(batch.len());
        if meaning.arity().is_some() {
            let mut args: Vec<Args> = vec![[(0.0, 0.0); 3]; batch.len()];
            for (to, from) in args.iter_mut().zip(batch) {
                to[..from.len()].copy_from_slice(from);
            }
            let mut results = vec![(0.0, 0.0); batch.len()];
            self.subject.eval_block(ty, self.row.op, &args, &mut results)?;
            oracle::judge_block(meaning, &target, &args, &results, |_, v| errors.push(error(self.metric, &v)));
        } else {
            for args in batch {
                let result = self.subject.eval(ty, self.row.op, &draw.values(args))?;
                let v = oracle::judge(meaning, &target, args, result.to_pair().unwrap_or((f64::NAN, 0.0)));
                errors.push(error(self.metric, &v));
            }
        }
        for (e, args) in errors.iter_mut().zip(batch) {
            *e = e.filter(|_| is_claimed(self.row, args));
        }
        Ok(errors)
    }

    fn neighbour(&self, draw: &Draw, args: &[Pair], random: &mut Words) -> Vec<Pair> {
        let mut args = args.to_vec();
        let f = self.row.width().format();
        for _ in 0..=random.below(3) {
            let i = random.below(args.len() as u64) as usize;
            let (hi, lo) = args[i];
            args[i] = match draw.shape().operands[i] {
                Operand::Limb => (step(hi, f, random), 0.0),
                Operand::Pair if random.below(2) == 0 => limb::normalize((step(hi, f, random), lo), f),
                Operand::Pair => limb::normalize((hi, step(lo, f, random)), f),
            };
        }
        args
    }
}

/// A limb nearby: a flipped bit, a few steps, or a changed exponent.
fn step(x: f64, f: Format, random: &mut Words) -> f64 {
    let bits = limb::to_bits(x, f);
    let flipped = match random.below(4) {
        0 => bits ^ 1 << random.below(u64::from(f.p - 1)),
        1 => return limb::step(x, random.between(-4, 4) as i64, f),
        2 => return limb::step(x, random.between(-64, 64) as i64, f),
        _ => bits.wrapping_add(random.below(3).wrapping_sub(1) << (f.p - 1)),
    };
    limb::from_bits(flipped & (u64::MAX >> (64 - limb::width(f))), f)
}
