//! A function on a device, with the judge there: only records of groups and undecided inputs come back.

use std::ops::Range;
use vernier::convert::widen;
use vernier::machine::{IeeeLimb, Limb, Word};
use vernier_foreign::{Fault, Number, What};
use vernier_gpu::device::{Device, Error};
use vernier_gpu::expression::{Evaluator, Expression};
use vernier_gpu::kernel::judge::{Columns, GROUP, Judge, LAUNCH, ROOM, Record, Relation, Rule, Rules};
use vernier_oracle::number::region::{self, Region, Sampling};
use vernier_oracle::number::verdict::{self, Known};
use vernier_oracle::number::{BINS, Block, Callee, Case, Found, Parity, Tally, bits, place_of, rises};
use vernier_oracle::number::{Judge as HostJudge, verdict::mismatch};
use vernier_oracle::{Format, Function};
use vernier_tape::record::{F32, F64, Handle, Recording, U64, argument, record};
use vernier_tape::registry;

use super::results::format_of;

/// Inputs of groups with too many undecided ones that are left to the host in one survey, all of a group.
const LEFT: usize = 1 << 16;
/// How many of each group beyond that: the least share, and what there is in a survey.
const SAMPLE: [u64; 2] = [16, 256];

/// An expression on a device, and what judges it there; nothing where only MPFR can.
pub struct OnDevice {
    evaluator: Evaluator,
    judge: Option<Judge>,
    function: Function,
    format: Format,
}

/// A limb as a double.
fn wide(x: F32) -> F64 {
    widen::<Recording>((x, F32::lit(0.0))).0
}

/// The number of these bits.
fn number(bits: U64, double: bool) -> F64 {
    if double { F64::from_bits(bits) } else { wide(F32::from_bits(bits.to_u32())) }
}

/// What the device's judge is printed from; none where the host asks MPFR alone, and of halfs, whose inputs are few.
pub fn rules(function: Function, ty: Number, unit: Option<i32>) -> Option<Rules> {
    let (double, format) = (ty == Number::F64, format_of(ty));
    if bits::width(format) < 32 {
        return None;
    }
    let value = function.values().into_iter().next()?;
    let judge = HostJudge::new(value, function.arity(), format);
    let judge = unit.map_or(judge, |unit| judge.in_units(unit));
    let (single, long, signed_zero) = judge.for_device(format)?;
    let verdict = |z: (F64, F64), r: U64, known: &Known| {
        vec![verdict::verdict::<Recording>(z, number(r, double), judge.scale(), known, signed_zero).id()]
    };
    let single = single.map(|known| {
        Some(Rule {
            function: registry::find("fp32mp2", function.name(), "")?,
            argument: record(|| {
                let bits: U64 = argument();
                vec![F32::from_bits(bits.to_u32()).id(), F32::lit(0.0).id()]
            }),
            verdict: record(|| {
                let z: (F32, F32) = (argument(), argument());
                let r = argument();
                verdict((wide(z.0), wide(z.1)), r, known)
            }),
        })
    });
    let single = match single {
        Some(None) => return None,
        other => other.flatten(),
    };
    Some(Rules {
        single,
        wide: Rule {
            function: registry::find("fp64mp2", function.name(), "")?,
            argument: record(|| {
                let bits: U64 = argument();
                vec![number(bits, double).id(), F64::lit(0.0).id()]
            }),
            verdict: record(|| {
                let z: (F64, F64) = (argument(), argument());
                let r = argument();
                verdict(z, r, long)
            }),
        },
        arity: function.arity(),
        draw: record(|| {
            let words: [U64; 5] = std::array::from_fn(|_| argument());
            vec![region::draw::<Recording>(words).id()]
        }),
        encoded: record(|| vec![region::encoded::<Recording>(argument(), bits::sign(format)).id()]),
        bin: record(|| vec![verdict::bin::<Recording>(argument()).id()]),
        bins: BINS,
        relation: record(|| {
            let (a, b): (U64, U64) = (argument(), argument());
            vec![verdict::relation::<Recording>((a, number(a, double)), (b, number(b, double))).id()]
        }),
    })
}

/// A device's fault.
fn failed(e: Error) -> Fault {
    Fault { input: None, what: What::Failed(e.to_string()) }
}

impl OnDevice {
    /// Compiles an expression for a function, and unless the host is to judge, its judge, whose errors are in ulp or in units of 2^unit.
    ///
    /// # Errors
    /// With the compiler's messages.
    pub fn new(
        device: Device,
        expression: &Expression,
        (function, ty): (Function, Number),
        unit: Option<i32>,
        host: bool,
    ) -> Result<OnDevice, Error> {
        let evaluator = Evaluator::new(device, expression)?;
        let rules = if host { None } else { rules(function, ty, unit) };
        let judge = rules.map(|rules| Judge::compile(evaluator.device(), &rules)).transpose()?;
        Ok(OnDevice { evaluator, judge, function, format: format_of(ty) })
    }

    /// Whether results are judged there.
    pub fn judges(&self) -> bool {
        self.judge.is_some()
    }

    fn every(&self, judge: &Judge, magnitudes: Range<u64>) -> Result<Found, Error> {
        let (sign, device) = (bits::sign(self.format), self.evaluator.device());
        let n = magnitudes.end - magnitudes.start;
        let half = n + u64::from(magnitudes.end < sign);
        let columns = judge.sequence(&self.evaluator, magnitudes.start, half, sign)?;
        let bits = |place: u64| {
            let (i, minus) = if place < half { (place, 0) } else { (place - half, sign) };
            (magnitudes.start + i) | minus
        };
        let mut found = Found::default();
        let starts = [0, half].into_iter().flat_map(|s| (s..s + n).step_by(GROUP as usize).map(move |i| (i, s + n)));
        let ranges: Vec<Range<u64>> = starts.map(|(i, end)| i..(i + GROUP).min(end)).collect();
        for (range, record) in ranges.iter().zip(self.records(judge, &columns, &ranges)?) {
            if record.undecided > ROOM as u64 {
                found.open.extend(range.clone().map(|place| (0, bits(place))));
                continue;
            }
            found.open.extend(record.open.iter().map(|&place| (0, bits(place))));
            self.add(&mut found.tally, range.end - range.start, &record, |place| [bits(place), 0, 0]);
        }
        for (begin, minus) in [(0, false), (half, true)] {
            let Some(rises) = rises(self.function, minus) else { continue };
            let relation = Relation {
                begin: begin as u32,
                n: half as u32 - 1,
                distance: 1,
                flip: 0,
                wrong: if rises { 2 } else { 1 },
            };
            let (count, first) = judge.relations(device, &columns, &relation)?;
            found.tally.falls.add_some(half - 1, count, first.map(|i| [bits(begin + i), 0, 0]));
        }
        if self.function.parity() != Parity::None {
            let flip = if self.function.parity() == Parity::Odd { sign } else { 0 };
            let relation = Relation { begin: 0, n: n as u32, distance: half as u32, flip, wrong: 4 };
            let (count, first) = judge.relations(device, &columns, &relation)?;
            found.tally.asymmetries.add_some(n, count, first.map(|i| [bits(i), 0, 0]));
        }
        Ok(found)
    }

    fn records(&self, judge: &Judge, columns: &Columns, ranges: &[Range<u64>]) -> Result<Vec<Record>, Error> {
        let short: Vec<Range<u32>> = ranges.iter().map(|r| r.start as u32..r.end as u32).collect();
        judge.judge(self.evaluator.device(), columns, &short)
    }

    /// Adds the record of n inputs, of which `args` knows the bits by their place.
    fn add(&self, tally: &mut Tally, n: u64, record: &Record, args: impl Fn(u64) -> [u64; 3]) {
        let case = |place, result| Case { args: args(place), result, which: 0 };
        let worst = record.worst.map(|(ulp, place, result)| (f64::from_bits(ulp), case(place, result)));
        let wrong = record.first_wrong.and_then(|(place, kind, result)| Some((case(place, result), mismatch(kind)?)));
        let envelope = worst.map_or(0, |(_, case)| place_of(case.args[0], self.format));
        tally.add_group(n - record.undecided, envelope, worst, (record.wrong, wrong), &record.bins);
    }

    fn samples(&self, judge: &Judge, regions: &[Region], sampling: &Sampling) -> Result<Found, Error> {
        let mut found = Found { worst: vec![(0.0, [0; 3]); regions.len()], ..Found::default() };
        let numbers: Vec<usize> = (0..regions.len()).collect();
        for part in numbers.chunks((LAUNCH / sampling.each).max(1) as usize) {
            let words = |&k: &usize| {
                let (region, (count, all)) = (&regions[k], sampling.count(&regions[k]));
                let mut words = [sampling.key(k), 0, 0, 0, 0, 0, 0, count << 1 | u64::from(all)];
                for i in 0..3 {
                    words[1 + i] = region.low[i] as u64;
                    words[4 + i] = (region.high[i] - region.low[i]) as u64;
                }
                words
            };
            let words: Vec<[u64; 8]> = part.iter().map(words).collect();
            let columns = judge.samples(&self.evaluator, &words, sampling.each)?;
            let mut owners = Vec::new();
            let mut ranges = Vec::new();
            for (slot, (&k, words)) in part.iter().zip(&words).enumerate() {
                let (begin, n) = (slot as u64 * sampling.each, words[7] >> 1);
                for i in (0..n).step_by(GROUP as usize) {
                    owners.push((k, begin));
                    ranges.push(begin + i..begin + n.min(i + GROUP));
                }
            }
            let records = self.records(judge, &columns, &ranges)?;
            for ((&(k, begin), range), record) in owners.iter().zip(&ranges).zip(records) {
                let n = range.end - range.start;
                if record.undecided > ROOM as u64 {
                    // What a record names of more than it has room for is chance.
                    let room = (found.open.len() as u64 + n) <= LEFT as u64;
                    let most = if room { n } else { SAMPLE[usize::from(found.open.len() < 2 * LEFT)] };
                    let end = range.end.min(range.start + most);
                    found.open.extend((range.start..end).map(|place| (k, place - begin)));
                    found.left_out += range.end - end;
                    continue;
                }
                found.open.extend(record.open.iter().map(|&place| (k, place - begin)));
                let point = |place: u64| sampling.point(&regions[k], k, place - begin);
                let args = |place| region::input(&point(place), sampling.arity, self.format);
                self.add(&mut found.tally, n, &record, args);
                let Some((ulp, place, _)) = record.worst else { continue };
                region::keep_worst(&mut found.worst[k], f64::from_bits(ulp), point(place), sampling.arity, self.format);
            }
        }
        Ok(found)
    }
}

impl Callee for OnDevice {
    type Fault = Fault;

    fn call(&self, block: &mut Block, _: bool) -> Result<(), Fault> {
        let columns = [0, 1, 2].map(|k| &block.args[k][..block.n]);
        let results = self.evaluator.evaluate(columns).map_err(failed)?;
        block.results[0][..block.n].copy_from_slice(&results);
        Ok(())
    }

    fn span(&self, magnitudes: Range<u64>) -> Option<Result<Found, Fault>> {
        let judge = self.judge.as_ref()?;
        Some(self.every(judge, magnitudes).map_err(failed))
    }

    fn survey(&self, regions: &[Region], sampling: &Sampling) -> Option<Result<Found, Fault>> {
        let judge = self.judge.as_ref()?;
        Some(self.samples(judge, regions, sampling).map_err(failed))
    }
}
