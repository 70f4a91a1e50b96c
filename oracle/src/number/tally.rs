//! What judging many results gives, the same whatever way they were split.

use super::{Judged, bits, verdict};
use crate::format::Format;
use crate::measure::Mismatch;
use serde::{Deserialize, Serialize};
use std::num::Wrapping;
use vernier::host::Host;

/// An input and a result, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Case {
    /// Arguments; 0 beyond the function's.
    pub args: [u64; 3],
    /// The result.
    pub result: u64,
    /// Which of the function's results it is.
    pub which: usize,
}

/// Something that must not be, how often it was found, and the first in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Violations {
    /// Pairs of inputs that were compared.
    pub looked_at: u64,
    /// Those that are wrong.
    pub count: u64,
    /// The first of two inputs in the first that is wrong.
    pub first: Option<[u64; 3]>,
}

impl Violations {
    /// Takes note of a comparison.
    pub(super) fn add(&mut self, wrong: bool, args: impl FnOnce() -> [u64; 3]) {
        self.looked_at += 1;
        if wrong {
            self.count += 1;
            self.first = least(self.first, Some(args()));
        }
    }

    /// Takes note of many comparisons.
    pub fn add_some(&mut self, looked_at: u64, count: u64, first: Option<[u64; 3]>) {
        self.looked_at += looked_at;
        self.count += count;
        self.first = least(self.first, first);
    }

    fn merge(&mut self, other: &Violations) {
        self.add_some(other.looked_at, other.count, other.first);
    }
}

fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    [a, b].into_iter().flatten().min()
}

/// Places of the envelope: by sign and the first eight bits of the exponent.
pub const PLACES: usize = 512;

/// Steps of the histogram within an ulp; beyond, each step is twice as long as the one before.
pub const STEPS: usize = 64;

pub(super) const BEYOND: usize = 18;

/// Steps in all.
pub const BINS: usize = STEPS + BEYOND;

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Inputs.
    pub cases: u64,
    /// The largest error in ulp; 0 where there is no error.
    pub ulp: f64,
    /// Its case, the first in order.
    pub worst: Option<Case>,
    /// Wrong special values.
    pub mismatches: u64,
    /// The first in order.
    pub mismatch: Option<(Case, Mismatch)>,
    /// Results that are not the correctly rounded ones.
    pub not_correctly_rounded: u64,
    /// Results by their error: see [`bin`].
    pub histogram: Vec<u64>,
    /// The largest error by the first argument's sign and exponent: see [`place_of`].
    pub envelope: Vec<f64>,
    /// Neighbours whose results are in the wrong order, where a function rises or falls.
    pub falls: Violations,
    /// Inputs x where the result for -x is another than parity says.
    pub asymmetries: Violations,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            cases: 0,
            ulp: 0.0,
            worst: None,
            mismatches: 0,
            mismatch: None,
            not_correctly_rounded: 0,
            histogram: vec![0; BINS],
            envelope: vec![0.0; PLACES],
            falls: Violations::default(),
            asymmetries: Violations::default(),
        }
    }
}

/// The step of the histogram that an error belongs to.
#[inline(always)]
pub fn bin(ulp: f64) -> usize {
    verdict::bin::<Host>(Wrapping(ulp.to_bits())).0 as usize
}

/// The place of an argument in the envelope.
#[inline(always)]
pub fn place_of(arg: u64, format: Format) -> usize {
    let width = bits::width(format);
    let exponent = width - format.p;
    if exponent >= 8 {
        (arg >> (width - 9)) as usize & (PLACES - 1)
    } else {
        let top = (arg >> (format.p - 1)) as usize;
        (top >> exponent & 1) << 8 | top & ((1 << exponent) - 1)
    }
}

impl Tally {
    /// Takes note of a result; arguments are asked for where it matters.
    #[inline(always)]
    pub fn add(&mut self, judged: Judged, place: usize, case: impl Fn() -> Case) {
        self.histogram[bin(judged.ulp)] += 1;
        self.not_correctly_rounded += u64::from(!judged.correct);
        if judged.ulp > self.envelope[place] {
            self.envelope[place] = judged.ulp;
        }
        if judged.ulp > 0.0 && judged.ulp >= self.ulp {
            self.worse(judged.ulp, case());
        }
        if let Some(how) = judged.wrong {
            self.mismatches += 1;
            self.mismatch = least_case(self.mismatch, Some((case(), how)));
        }
    }

    /// Takes note of n results that are correctly rounded, with errors below a step.
    pub(super) fn add_right(&mut self, n: u64) {
        self.histogram[0] += n;
    }

    /// Takes note of n results at once: the largest error in a place of the envelope, with its case; wrong special values, and the first
    /// of them; the histogram of the others.
    pub fn add_group(
        &mut self,
        n: u64,
        place: usize,
        worst: Option<(f64, Case)>,
        (wrong, first): (u64, Option<(Case, Mismatch)>),
        bins: &[u64],
    ) {
        self.cases += n;
        if let Some((ulp, case)) = worst {
            self.envelope[place] = self.envelope[place].max(ulp);
            if ulp >= self.ulp {
                self.worse(ulp, case);
            }
        }
        self.mismatches += wrong;
        self.mismatch = least_case(self.mismatch, first);
        self.not_correctly_rounded += wrong + bins[STEPS / 2..].iter().sum::<u64>();
        self.histogram[0] += wrong;
        for (a, b) in self.histogram.iter_mut().zip(bins) {
            *a += b;
        }
    }

    fn worse(&mut self, ulp: f64, case: Case) {
        if ulp > self.ulp || self.worst.is_none_or(|old| case < old) {
            (self.ulp, self.worst) = (ulp, Some(case));
        }
    }

    /// Adds what another part of the inputs gave.
    pub fn merge(&mut self, other: &Tally) {
        self.cases += other.cases;
        if let Some(case) = other.worst
            && other.ulp >= self.ulp
        {
            self.worse(other.ulp, case);
        }
        self.mismatches += other.mismatches;
        self.mismatch = least_case(self.mismatch, other.mismatch);
        self.not_correctly_rounded += other.not_correctly_rounded;
        for (a, b) in self.histogram.iter_mut().zip(&other.histogram) {
            *a += b;
        }
        for (a, b) in self.envelope.iter_mut().zip(&other.envelope) {
            *a = a.max(*b);
        }
        self.falls.merge(&other.falls);
        self.asymmetries.merge(&other.asymmetries);
    }

    /// The same of the arguments with the other sign, where results have it too (`odd`) or are the same.
    pub(super) fn mirrored(mut self, format: Format, odd: bool) -> Tally {
        let sign = bits::sign(format);
        let mirror = |case: &mut Case| {
            case.args[0] ^= sign;
            case.result ^= if odd { sign } else { 0 };
        };
        self.worst.iter_mut().for_each(mirror);
        self.mismatch.iter_mut().for_each(|(case, _)| mirror(case));
        self.envelope.rotate_left(PLACES / 2);
        self
    }
}

fn least_case(a: Option<(Case, Mismatch)>, b: Option<(Case, Mismatch)>) -> Option<(Case, Mismatch)> {
    [a, b].into_iter().flatten().min_by_key(|(case, _)| *case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_make_the_whole() {
        let judged = |i: u64| match i % 50 {
            7 => Judged::wrong(Mismatch::Nan),
            n => Judged::of(n as f64 / 20.0),
        };
        let tally = |range: std::ops::Range<u64>| {
            let mut tally = Tally::default();
            for i in range {
                tally.cases += 1;
                tally.add(judged(i), place_of(i << 20, Format::F32), || Case { args: [i, 0, 0], result: i, which: 0 });
                tally.falls.add(i % 90 == 3, || [i, 0, 0]);
            }
            tally
        };
        let whole = tally(0..300);
        let mut parts = tally(200..300);
        parts.merge(&tally(0..120));
        parts.merge(&tally(120..200));
        assert_eq!(parts, whole);
        assert_eq!((whole.ulp, whole.worst.unwrap().args[0], whole.mismatches), (49.0 / 20.0, 49, 6));
        assert_eq!((whole.mismatch.unwrap().0.args[0], whole.falls.first), (7, Some([3, 0, 0])));
        let mirrored = whole.clone().mirrored(Format::F32, true).mirrored(Format::F32, true);
        assert_eq!(mirrored, whole);
    }

    #[test]
    fn places_and_bins() {
        assert_eq!(
            (place_of(1f64.to_bits(), Format::F64), place_of((-1f32).to_bits().into(), Format::F32)),
            (127, 256 + 127)
        );
        assert_eq!((place_of(0x3c00, Format::F16), place_of(0xbc00, Format::F16)), (15, 256 + 15));
        assert_eq!([0.0, 0.5, 0.99, 1.0, 2.5, 1e300].map(bin), [0, 32, 63, 64, 65, STEPS + BEYOND - 1]);
    }
}
