//! Where a function is most wrong, by subdivision.
//!
//! The domain is cut into regions: binades, or products of binades and ranges of them. Every region is sampled, those with
//! the largest errors are halved, the halves sampled, and so on until a region has no more numbers than samples: breadth first, in the
//! style of Zimmermann 2021 ("Accuracy of mathematical functions in single, double, extended double and quadruple precision"). Then
//! the worst inputs' neighbours are tried until none is worse, and another pass begins with other samples and another number of regions.

use super::callee::{Block, Callee, Judges};
use super::{Case, Function, Parity, Tally, Trend, bits, exhaustive};
use crate::format::Format;
use crate::generate::counter::{Words, key, word};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A search, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Search {
    seed: u64,
    /// Evaluations asked for.
    budget: u64,
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
    /// What was found.
    pub tally: Tally,
}

/// Places from `low` to below `high`, in every argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Region {
    low: [i64; 3],
    high: [i64; 3],
    error: f64,
}

/// Regions that are halved in the first pass; the next ones have two, four and eight times as many.
const WIDTH: usize = 128;

/// Inputs whose neighbours are tried.
const PEAKS: usize = 24;

impl Search {
    /// Of so many evaluations, about, after those of given inputs.
    pub fn new(seed: u64, budget: u64, cases: Vec<[u64; 3]>) -> Search {
        Search {
            seed,
            budget,
            spent: 0,
            pass: 0,
            round: 0,
            regions: Vec::new(),
            cases,
            best: Vec::new(),
            climbing: false,
            tally: Tally::default(),
        }
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
        let judges = Judges::new(function, format);
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

    /// Samples of a region: more where there is more time.
    fn samples(&self) -> usize {
        match self.budget {
            0..0x8_0000 => 8,
            0x8_0000..0x100_0000 => 32,
            _ => 64,
        }
    }

    fn divide<C: Callee>(&mut self, callee: &C, judges: &Judges) -> Result<(), C::Fault> {
        let arity = judges.function.arity();
        let begins = self.regions.is_empty();
        let mut regions = if begins {
            self.round = 0;
            self.best.clear();
            initial(judges.function, judges.format)
        } else {
            self.regions.drain(..).flat_map(|r| r.halves(arity)).collect()
        };
        let each = if begins { self.samples().min(if arity == 1 { 16 } else { 8 }) } else { self.samples() };
        let stream = key(self.seed, self.pass << 16 | self.round);
        let mut points = Vec::new();
        let mut owners = Vec::new();
        for (i, region) in regions.iter().enumerate() {
            region.sample(each, arity, Words::new(stream, i as u64), |point| {
                points.push(point);
                owners.push(i);
            });
        }
        let errors = self.evaluate(callee, judges, &points)?;
        for (&owner, (&error, point)) in owners.iter().zip(errors.iter().zip(&points)) {
            regions[owner].error = regions[owner].error.max(error);
            self.note(error, *point);
        }
        if begins {
            self.pairs(callee, judges, &points)?;
        }
        let width = WIDTH << (self.pass % 4);
        regions.retain(|r| r.error > 0.0 && r.size(arity) > each as u128);
        regions.sort_by(|a, b| b.error.total_cmp(&a.error).then(a.low.cmp(&b.low)));
        regions.truncate(width);
        self.round += 1;
        self.climbing = regions.is_empty();
        self.regions = regions;
        Ok(())
    }

    fn note(&mut self, error: f64, point: [i64; 3]) {
        if self.best.len() == PEAKS && self.best.last().is_some_and(|last| error <= last.0) {
            return;
        }
        if error <= 0.0 || self.best.iter().any(|b| b.1 == point) {
            return;
        }
        let at = self.best.partition_point(|b| b.0 >= error);
        self.best.insert(at, (error, point));
        self.best.truncate(PEAKS);
    }

    /// Neighbours of the worst inputs: near ones, and those a power of two of places away.
    fn climb<C: Callee>(&mut self, callee: &C, judges: &Judges) -> Result<(), C::Fault> {
        let (arity, format) = (judges.function.arity(), judges.format);
        let (before, limit) = (self.best.first().map_or(0.0, |b| b.0), bits::infinity(format) as i64);
        let mut points = Vec::new();
        for (_, point) in &self.best {
            for k in 0..arity {
                let far = (5..format.p - 2).map(|e| 1i64 << e);
                for step in (1..32).chain(far).flat_map(|n| [n, -n]) {
                    let mut y = *point;
                    y[k] = (y[k] + step).clamp(-limit, limit - 1);
                    points.push(y);
                }
            }
        }
        let errors = self.evaluate(callee, judges, &points)?;
        errors.iter().zip(&points).for_each(|(&error, point)| self.note(error, *point));
        self.round += 1;
        if self.best.first().map_or(0.0, |b| b.0) <= before {
            self.climbing = false;
            self.pass += 1;
        }
        Ok(())
    }

    /// Errors at points, which enter the tally; wrong special values are no error.
    fn evaluate<C: Callee>(&mut self, callee: &C, judges: &Judges, points: &[[i64; 3]]) -> Result<Vec<f64>, C::Fault> {
        self.spent += points.len() as u64;
        let parts: Vec<Result<_, C::Fault>> = points
            .par_chunks(Block::MOST)
            .map_init(Block::new, |block, points| {
                fill(block, judges, points);
                callee.call(block, true)?;
                let (mut tally, mut errors) = (Tally::default(), vec![0.0f64; points.len()]);
                judges.judge(block, points.len(), &mut tally, |i, ulp| {
                    errors[i] = errors[i].max(if ulp.is_finite() { ulp } else { 0.0 });
                });
                Ok((tally, errors))
            })
            .collect();
        let mut all = Vec::with_capacity(points.len());
        for part in parts {
            let (tally, errors) = part?;
            self.tally.merge(&tally);
            all.extend(errors);
        }
        Ok(all)
    }

    /// Each point with its neighbour, and with the point of the other sign, where the function has an order or symmetry.
    fn pairs<C: Callee>(&mut self, callee: &C, judges: &Judges, points: &[[i64; 3]]) -> Result<(), C::Fault> {
        let (function, format) = (judges.function, judges.format);
        if function.arity() > 1 || (function.trend() == Trend::None && function.parity() == Parity::None) {
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

impl Region {
    fn size(&self, arity: usize) -> u128 {
        (0..arity).map(|k| (self.high[k] - self.low[k]) as u128).try_fold(1u128, u128::checked_mul).unwrap_or(u128::MAX)
    }

    /// Halves of the side with the most numbers.
    fn halves(self, arity: usize) -> [Region; 2] {
        let side = (0..arity).max_by_key(|&k| self.high[k] - self.low[k]).unwrap_or(0);
        let middle = self.low[side] + (self.high[side] - self.low[side]) / 2;
        let (mut a, mut b) = (Region { error: 0.0, ..self.clone() }, Region { error: 0.0, ..self });
        (a.high[side], b.low[side]) = (middle, middle);
        [a, b]
    }

    /// Some of its numbers, or all where there are no more.
    fn sample(&self, n: usize, arity: usize, mut words: Words, mut each: impl FnMut([i64; 3])) {
        if self.size(arity) <= n as u128 {
            let mut x = self.low;
            loop {
                each(x);
                let next = |k: usize| {
                    x[k] += 1;
                    let inside = x[k] < self.high[k];
                    x[k] = if inside { x[k] } else { self.low[k] };
                    inside
                };
                if !(0..arity).any(next) {
                    return;
                }
            }
        }
        for i in 0..n {
            let mut x = [0; 3];
            for (k, x) in x.iter_mut().enumerate().take(arity) {
                // Few bits in one sample of eight.
                let at = self.low[k] + words.below((self.high[k] - self.low[k]) as u64) as i64;
                let mask = if i % 8 == 7 { !0 << (word(i as u64, k as u64) % 24) } else { !0 };
                *x = (at & mask).max(self.low[k]);
            }
            each(x);
        }
    }
}

/// The regions that a pass begins with, in every argument: binades, or moderate binades and ranges of others; of both signs.
fn initial(function: Function, format: Format) -> Vec<Region> {
    let (least, most) = (format.emin + format.p as i32 - 1, format.emax + 1);
    let ends: Vec<i32> = match function.arity() {
        1 => (least..=most).collect(),
        n => {
            let moderate = if n == 2 { -8..=8 } else { -2..=2 };
            let share = |i: i32| [least + (least.abs() - 8) * i / 4, most * i / 4];
            let far = (0..=4).flat_map(share).filter(|e| !(-8..=8).contains(e));
            let mut ends: Vec<i32> = moderate.chain(far).filter(|e| (least..=most).contains(e)).collect();
            ends.sort_unstable();
            ends.dedup();
            ends
        }
    };
    let place = |e: i32| ((e - least + 1) as i64) << (format.p - 1);
    let mut sides: Vec<(i64, i64)> = ends.windows(2).map(|e| (place(e[0]), place(e[1]))).collect();
    sides.push((0, place(least)));
    let negative: Vec<_> = sides.iter().map(|&(low, high)| (-high, -low)).collect();
    sides.extend(negative);
    let mut regions = vec![Region { low: [0; 3], high: [0; 3], error: 0.0 }];
    for k in 0..function.arity() {
        let with = |r: &Region| {
            let side = |&(low, high): &(i64, i64)| {
                let mut r = r.clone();
                (r.low[k], r.high[k]) = (low, high);
                r
            };
            sides.iter().map(side).collect::<Vec<_>>()
        };
        regions = regions.iter().flat_map(with).collect();
    }
    regions
}
