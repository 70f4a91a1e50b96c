//! Parts of a function's domain, and the inputs that are drawn from them: the same on the host and on a device.

use super::{Function, bits};
use crate::format::Format;
use crate::generate::counter::key;
use serde::{Deserialize, Serialize};
use std::num::Wrapping;
use vernier::host::Host;
use vernier::machine::{Value, Word, WordMachine};

/// Places from `low` to below `high`, in every argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Least places.
    pub low: [i64; 3],
    /// Places behind the last ones.
    pub high: [i64; 3],
    /// The largest error that is known there.
    pub error: f64,
}

/// Which inputs are drawn from regions.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// How many from each, and all where there are no more.
    pub each: u64,
    /// Key of the random words.
    pub stream: u64,
    /// Number of arguments.
    pub arity: usize,
}

impl Sampling {
    /// The key of a region, by its number.
    pub fn key(&self, region: usize) -> u64 {
        key(self.stream, region as u64)
    }

    /// How many inputs of a region are tried, and whether these are all.
    pub fn count(&self, region: &Region) -> (u64, bool) {
        let size = region.size(self.arity);
        if size <= u128::from(self.each) { (size as u64, true) } else { (self.each, false) }
    }

    /// Input i of a region of this number.
    pub fn point(&self, region: &Region, number: usize, i: u64) -> [i64; 3] {
        let (all, key) = (self.count(region).1, self.key(number));
        let (mut x, mut rest) = ([0; 3], i);
        for (k, x) in x.iter_mut().enumerate().take(self.arity) {
            let span = (region.high[k] - region.low[k]) as u64;
            *x = if all {
                region.low[k] + (rest % span) as i64
            } else {
                let words = [key, i, k as u64, region.low[k] as u64, span].map(Wrapping);
                draw::<Host>(words).0 as i64
            };
            rest /= if all { span } else { 1 };
        }
        x
    }
}

/// A place that is drawn: of a region's key, the number of the input and of its argument, the least place and the number of places.
pub fn draw<M: WordMachine>([key, i, k, low, span]: [M::U64; 5]) -> M::U64 {
    let lit = M::U64::lit;
    let word = |key: M::U64, n: M::U64| {
        // As `counter::word`.
        let z = key + (n + lit(1)) * lit(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ z.shr(M::U32::lit(30))) * lit(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z.shr(M::U32::lit(27))) * lit(0x94d0_49bb_1331_11eb);
        z ^ z.shr(M::U32::lit(31))
    };
    let at = low + word(key, i.shl(M::U32::lit(2)) + k).mul_hi(span);
    // Few bits in one of eight.
    let few = (i & lit(7)).eq(lit(7));
    let zeros = word(i, k).mul_hi(lit(24)).to_u32();
    let at = M::U64::select(few, at & lit(!0).shl(zeros), at);
    M::U64::select(at.lt_signed(low), low, at)
}

/// The bits of the number at a place, where this is the sign's bit.
pub fn encoded<M: WordMachine>(place: M::U64, sign: u64) -> M::U64 {
    M::U64::select(place.lt_signed(M::U64::lit(0)), !place | M::U64::lit(sign), place)
}

impl Region {
    /// How many inputs it has.
    pub fn size(&self, arity: usize) -> u128 {
        (0..arity).map(|k| (self.high[k] - self.low[k]) as u128).try_fold(1u128, u128::checked_mul).unwrap_or(u128::MAX)
    }

    /// Halves of the side with the most numbers.
    pub(super) fn halves(self, arity: usize) -> [Region; 2] {
        let side = (0..arity).max_by_key(|&k| self.high[k] - self.low[k]).unwrap_or(0);
        let middle = self.low[side] + (self.high[side] - self.low[side]) / 2;
        let (mut a, mut b) = (Region { error: 0.0, ..self.clone() }, Region { error: 0.0, ..self });
        (a.high[side], b.low[side]) = (middle, middle);
        [a, b]
    }
}

/// The part of its domain that a search of a function of one number keeps to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// First places and those behind the last ones; everything where there are none.
    pub ranges: Vec<[i64; 2]>,
    /// Errors are in units of 2 to this power, in place of ulp.
    pub unit: Option<i32>,
}

impl Part {
    /// Whether a point belongs to it.
    pub(super) fn has(&self, point: &[i64; 3]) -> bool {
        self.ranges.is_empty() || self.ranges.iter().any(|[low, high]| (*low..*high).contains(&point[0]))
    }

    /// What of regions belongs to it.
    pub(super) fn of(&self, regions: Vec<Region>) -> Vec<Region> {
        if self.ranges.is_empty() {
            return regions;
        }
        let cut = |region: &Region, &[low, high]: &[i64; 2]| {
            let mut region = region.clone();
            (region.low[0], region.high[0]) = (region.low[0].max(low), region.high[0].min(high));
            (region.low[0] < region.high[0]).then_some(region)
        };
        regions.iter().flat_map(|region| self.ranges.iter().filter_map(|range| cut(region, range))).collect()
    }
}

/// The regions that a pass begins with, in every argument: binades, or moderate binades and ranges of others; of both signs. `once` asks
/// for one period alone, of a function that has one.
pub(super) fn initial(function: Function, format: Format, once: bool) -> Vec<Region> {
    let (least, most) = (format.emin + format.p as i32 - 1, format.emax + 1);
    let period = function.period().filter(|_| once);
    let ends: Vec<i32> = match (function.arity(), period) {
        (1, Some(n)) => (0..=n).collect(),
        (1, None) if most - least < 1 << 12 => (least..=most).collect(),
        (n, _) => {
            let (moderate, near, parts) = match n {
                1 => (-64..=64, 64, 64),
                2 => (-8..=8, 8, 4),
                _ => (-2..=2, 8, 4),
            };
            let share = |i: i32| [least + (least.abs() - near) * i / parts, most * i / parts];
            let far = (0..=parts).flat_map(share).filter(|e: &i32| e.abs() > near);
            let mut ends: Vec<i32> = moderate.chain(far).filter(|e| (least..=most).contains(e)).collect();
            ends.sort_unstable();
            ends.dedup();
            ends
        }
    };
    let place = |e: i32| ((e - least + 1) as i64) << (format.p - 1);
    let mut sides: Vec<(i64, i64)> = ends.windows(2).map(|e| (place(e[0]), place(e[1]))).collect();
    if period.is_none() {
        sides.push((0, place(least)));
        let negative: Vec<_> = sides.iter().map(|&(low, high)| (-high, -low)).collect();
        sides.extend(negative);
    }
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

/// Takes an error and its point where it is larger; of equal ones the input that comes first, and 0 is none.
pub fn keep_worst(most: &mut (f64, [i64; 3]), error: f64, point: [i64; 3], arity: usize, format: Format) {
    let order = |x: &[i64; 3]| input(x, arity, format);
    if error > most.0 || (error == most.0 && error > 0.0 && order(&point) < order(&most.1)) {
        *most = (error, point);
    }
}

/// The bits of an input at a point.
pub fn input(point: &[i64; 3], arity: usize, format: Format) -> [u64; 3] {
    std::array::from_fn(|k| if k < arity { bits::at(point[k], format) } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::counter::word;

    #[test]
    fn what_is_drawn_lies_within() {
        let region = Region { low: [-5, 7, 0], high: [1 << 40, 9, 1], error: 0.0 };
        let sampling = Sampling { each: 64, stream: 3, arity: 2 };
        assert_eq!(sampling.count(&region), (64, false));
        for i in 0..64 {
            let x = sampling.point(&region, 5, i);
            assert!((-5..1 << 40).contains(&x[0]) && (7..9).contains(&x[1]) && x[2] == 0, "{x:?}");
        }
        let small = Region { high: [-1, 9, 1], ..region };
        let mut all: Vec<_> = (0..8).map(|i| sampling.point(&small, 0, i)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!((sampling.count(&small), all.len()), ((8, true), 8));
        // The words are those of the counter.
        let drawn = draw::<Host>([9, 2, 1, 0, 1 << 63].map(Wrapping)).0;
        assert_eq!(drawn, word(9, 9) >> 1);
        for place in [-3, -1, 0, 5] {
            assert_eq!(encoded::<Host>(Wrapping(place as u64), 1 << 31).0, bits::at(place, Format::F32));
        }
    }
}
