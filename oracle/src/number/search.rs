//! Where a function is most wrong, by subdivision.
//!
//! The domain is cut into regions: binades, or products of binades and ranges of them. Every region is sampled, those with
//! the largest errors are halved, the halves sampled, and so on until a region has no more numbers than samples: breadth first, in the
//! style of Zimmermann 2021 ("Accuracy of mathematical functions in single, double, extended double and quadruple precision"). Then
//! neighbours of the worst inputs are drawn, and of the worst of those, until none is worse, and another pass begins with other samples and
//! another number of regions.

use super::callee::{Block, Callee, Judges};
use super::region::{Part, Region, Sampling, initial, keep_worst};
use super::{Case, Function, Parity, Tally, Trend, bits, exhaustive};
use crate::format::Format;
use crate::generate::counter::{Words, key};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A search, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Search {
    seed: u64,
    /// Evaluations asked for.
    budget: u64,
    /// Samples of a region.
    each: u64,
    /// What it keeps to.
    part: Part,
    spent: u64,
    pass: u64,
    round: u64,
    regions: Vec<Region>,
    /// Inputs that are tried first.
    cases: Vec<[u64; 3]>,
    /// The worst inputs of this pass.
    best: Vec<(f64, [i64; 3])>,
    /// Whether neighbours of the best are being tried.
    climbing: bool,
    /// Rounds in which none was worse.
    stale: u64,
    /// Inputs that nobody judged.
    pub left_out: u64,
    /// What was found.
    pub tally: Tally,
}

/// Regions that are halved in the first pass; the next ones have two, four and eight times as many.
const WIDTH: usize = 128;

/// Inputs whose neighbours are tried, in a short search and in a long one.
const PEAKS: [usize; 2] = [24, 128];
/// Neighbours of each in a round.
const NEIGHBOURS: u64 = 64;
/// Places to a near one at most.
const NEAR: u64 = 512;
/// Rounds without a worse input after which a long search begins anew.
const PATIENCE: u64 = 128;

/// Results that one core judges at a time.
const JUDGED: usize = 512;

/// Samples of a region: more where there is more time.
fn samples(budget: u64) -> u64 {
    match budget {
        0..0x8_0000 => 8,
        0x8_0000..0x100_0000 => 32,
        _ => 64,
    }
}

impl Search {
    /// Of so many evaluations, about, after those of given inputs.
    pub fn new(seed: u64, budget: u64, cases: Vec<[u64; 3]>) -> Search {
        Search {
            seed,
            budget,
            each: samples(budget),
            part: Part::default(),
            spent: 0,
            pass: 0,
            round: 0,
            regions: Vec::new(),
            cases,
            best: Vec::new(),
            climbing: false,
            stale: 0,
            left_out: 0,
            tally: Tally::default(),
        }
    }

    /// The same of a part of the domain, of a function of one number.
    pub fn within(self, part: Part) -> Search {
        Search { part, ..self }
    }

    /// With more samples of a region, where many at once cost little.
    pub fn at_once(self) -> Search {
        let each = (self.budget >> 18).next_power_of_two().clamp(self.each, 1 << 16);
        Search { each, ..self }
    }

    /// The share that is done.
    pub fn done(&self) -> f64 {
        (self.spent as f64 / self.budget as f64).min(1.0)
    }

    /// One round; whether others are left.
    ///
    /// # Errors
    /// The callee's fault, of the inputs that come first.
    pub fn step<C: Callee>(&mut self, callee: &C, function: Function, format: Format) -> Result<bool, C::Fault> {
        let mut judges = Judges::new(function, format);
        if let Some(exponent) = self.part.unit {
            judges.all.iter_mut().for_each(|judge| *judge = judge.in_units(exponent));
        }
        if !self.cases.is_empty() {
            let points: Vec<_> = self.cases.drain(..).map(|x| x.map(|x| bits::place(x, format))).collect();
            self.evaluate(callee, &judges, &points)?;
        } else if self.climbing {
            self.climb(callee, &judges)?;
        } else {
            self.divide(callee, &judges)?;
        }
        Ok(self.spent < self.budget)
    }

    /// Whether there is time to climb for long.
    fn is_long(&self) -> bool {
        self.budget >= 1 << 24
    }

    fn divide<C: Callee>(&mut self, callee: &C, judges: &Judges) -> Result<(), C::Fault> {
        let arity = judges.function.arity();
        let begins = self.regions.is_empty();
        let mut regions = if begins {
            self.round = 0;
            self.best.clear();
            self.part.of(initial(judges.function, judges.format, !self.pass.is_multiple_of(4)))
        } else {
            self.regions.drain(..).flat_map(|r| r.halves(arity)).collect()
        };
        let each = if begins { self.each.min(if arity == 1 { 16 } else { 8 }) } else { self.each };
        let sampling = Sampling { each, stream: key(self.seed, self.pass << 16 | self.round), arity };
        let worst = self.sample(callee, judges, &regions, &sampling)?;
        for (region, worst) in regions.iter_mut().zip(&worst) {
            region.error = worst.0;
            self.note(worst.0, worst.1);
        }
        if begins && self.part == Part::default() {
            let of = |(k, r)| (0..sampling.count(r).0).map(move |i| sampling.point(r, k, i));
            let points: Vec<_> = regions.iter().enumerate().flat_map(of).collect();
            self.pairs(callee, judges, &points)?;
        }
        let width = WIDTH << (self.pass % 4);
        regions.retain(|r| r.error > 0.0 && r.size(arity) > u128::from(each));
        regions.sort_by(|a, b| b.error.total_cmp(&a.error).then(a.low.cmp(&b.low)));
        regions.truncate(width);
        self.round += 1;
        self.climbing = regions.is_empty();
        self.regions = regions;
        Ok(())
    }

    /// The largest error that samples of each region have, and where.
    fn sample<C: Callee>(
        &mut self,
        callee: &C,
        judges: &Judges,
        regions: &[Region],
        sampling: &Sampling,
    ) -> Result<Vec<(f64, [i64; 3])>, C::Fault> {
        let mut worst = vec![(0.0, [0; 3]); regions.len()];
        let mut owners = Vec::new();
        let mut points = Vec::new();
        if let Some(found) = callee.survey(regions, sampling) {
            let found = found?;
            self.tally.merge(&found.tally);
            self.spent += found.tally.cases;
            self.left_out += found.left_out;
            worst = found.worst;
            (owners, points) = found.open.into_iter().map(|(r, i)| (r, sampling.point(&regions[r], r, i))).unzip();
        } else {
            for (k, region) in regions.iter().enumerate() {
                let n = sampling.count(region).0;
                owners.extend((0..n).map(|_| k));
                points.extend((0..n).map(|i| sampling.point(region, k, i)));
            }
        }
        let errors = self.evaluate(callee, judges, &points)?;
        for (&owner, (error, point)) in owners.iter().zip(errors.into_iter().zip(points)) {
            keep_worst(&mut worst[owner], error, point, sampling.arity, judges.format);
        }
        Ok(worst)
    }

    fn note(&mut self, error: f64, point: [i64; 3]) {
        let peaks = PEAKS[usize::from(self.is_long())];
        if self.best.len() == peaks && self.best.last().is_some_and(|last| error <= last.0) {
            return;
        }
        if error <= 0.0 || self.best.iter().any(|b| b.1 == point) {
            return;
        }
        let at = self.best.partition_point(|b| b.0 >= error);
        self.best.insert(at, (error, point));
        self.best.truncate(peaks);
    }

    /// Neighbours of the worst inputs, drawn anew each round: most of them near, where few of a function's own roundings change;
    /// others at any distance.
    fn climb<C: Callee>(&mut self, callee: &C, judges: &Judges) -> Result<(), C::Fault> {
        let (arity, format) = (judges.function.arity(), judges.format);
        let (before, limit) = (self.best.first().map_or(0.0, |b| b.0), bits::infinity(format) as i64);
        let stream = key(self.seed, 1 << 62 | self.pass << 32 | self.round);
        let near = |k: usize, i: u64, point: &[i64; 3]| {
            let mut words = Words::new(stream, (k as u64 * NEIGHBOURS) | i);
            let mut y = *point;
            let argument = words.below(arity as u64) as usize;
            let far = words.one_in(4);
            let step = if far { words.sized(format.p - 3) } else { words.below(NEAR) } as i64 + 1;
            let step = if words.one_in(2) { step } else { -step };
            y[argument] = (y[argument] + step).clamp(-limit, limit - 1);
            y
        };
        let of =
            |(k, (_, point)): (usize, &(f64, [i64; 3]))| (0..NEIGHBOURS).map(|i| near(k, i, point)).collect::<Vec<_>>();
        let points: Vec<_> = self.best.iter().enumerate().flat_map(of).filter(|x| self.part.has(x)).collect();
        let errors = self.evaluate(callee, judges, &points)?;
        errors.iter().zip(&points).for_each(|(&error, point)| self.note(error, *point));
        self.round += 1;
        self.stale = if self.best.first().map_or(0.0, |b| b.0) > before { 0 } else { self.stale + 1 };
        if self.stale > if self.is_long() { PATIENCE } else { 0 } {
            (self.climbing, self.stale) = (false, 0);
            self.pass += 1;
        }
        Ok(())
    }

    /// Errors at points, which enter the tally; wrong special values are no error.
    fn evaluate<C: Callee>(&mut self, callee: &C, judges: &Judges, points: &[[i64; 3]]) -> Result<Vec<f64>, C::Fault> {
        self.spent += points.len() as u64;
        let called: Result<Vec<Block>, C::Fault> = points
            .par_chunks(Block::MOST)
            .map(|points| {
                let mut block = Block::new();
                fill(&mut block, judges, points);
                callee.call(&mut block, true).map(|()| block)
            })
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        // Few calls, as a device has them, are still judged by all cores.
        let some = |block| (0..Block::MOST).step_by(JUDGED).map(move |i| (block, i..i + JUDGED));
        let (blocks, n) = (called?, points.len());
        let parts: Vec<(&Block, Range<usize>)> = blocks.iter().flat_map(some).collect();
        let judged: Vec<(Tally, Vec<f64>)> = parts
            .into_par_iter()
            .filter(|(block, some)| some.start < block.n)
            .map(|(block, some)| {
                let (mut tally, mut errors) = (Tally::default(), vec![0.0f64; JUDGED]);
                judges.judge(block, some.start..some.end.min(block.n), &mut tally, |i, ulp| {
                    let error = &mut errors[i - some.start];
                    *error = error.max(if ulp.is_finite() { ulp } else { 0.0 });
                });
                (tally, errors)
            })
            .collect();
        let mut all = Vec::with_capacity(n);
        for (tally, errors) in judged {
            self.tally.merge(&tally);
            all.extend(errors);
        }
        all.truncate(n);
        Ok(all)
    }

    /// Each point with its neighbour, and with the point of the other sign, where the function has an order or symmetry.
    fn pairs<C: Callee>(&mut self, callee: &C, judges: &Judges, points: &[[i64; 3]]) -> Result<(), C::Fault> {
        let (function, format) = (judges.function, judges.format);
        // Of binary128 neighbours of high words are not next to each other.
        if function.arity() > 1
            || format == bits::HIGH
            || (function.trend() == Trend::None && function.parity() == Parity::None)
        {
            return Ok(());
        }
        let parts: Vec<Result<Tally, C::Fault>> = points
            .par_chunks(Block::MOST / 3)
            .map_init(Block::new, |block, points| {
                let three = |p: &[i64; 3]| [[p[0], 0, 0], [p[0] + if p[0] < 0 { -1 } else { 1 }, 0, 0], [!p[0], 0, 0]];
                let points: Vec<_> = points.iter().flat_map(three).collect();
                fill(block, judges, &points);
                callee.call(block, false)?;
                let mut tally = Tally::default();
                for i in (0..points.len()).step_by(3) {
                    let mut two =
                        Block { n: 2, args: [(); 3].map(|()| vec![0; 2]), results: [(); 2].map(|()| vec![0; 2]) };
                    for j in 0..2 {
                        (two.args[0][j], two.results[0][j]) = (block.args[0][i + j], block.results[0][i + j]);
                    }
                    exhaustive::neighbours(judges, &two, 2, points[i][0] < 0, &mut tally);
                    let odd = if function.parity() == Parity::Odd { bits::sign(format) } else { 0 };
                    if function.parity() != Parity::None {
                        let wrong = !judges.same(block.results[0][i] ^ odd, block.results[0][i + 2]);
                        tally.asymmetries.add(wrong, || [block.args[0][i], 0, 0]);
                    }
                }
                Ok(tally)
            })
            .collect();
        for part in parts {
            self.tally.merge(&part?);
        }
        Ok(())
    }

    /// The worst input, as a later search can begin with it.
    pub fn worst(&self) -> Option<Case> {
        self.tally.worst
    }
}

fn fill(block: &mut Block, judges: &Judges, points: &[[i64; 3]]) {
    block.n = points.len();
    for (k, column) in block.args.iter_mut().enumerate().take(judges.function.arity()) {
        for (x, point) in column.iter_mut().zip(points) {
            *x = bits::at(point[k], judges.format);
        }
    }
}
