//! The record that instrumented pairs fill, and its parts.

use super::classify::{Class, classify, event, flag, outcome, precedes};
use crate::double_word::HostLimb;
use crate::host::Host;
use core::num::Wrapping;

/// The kind of a counted operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// x + y.
    Add,
    /// x - y.
    Sub,
    /// x y.
    Mul,
    /// x / y.
    Div,
}

/// The largest and smallest of what was sampled: 2^31 - 1 and -2^31 where nothing was.
const LEAST: i32 = i32::MIN;
const MOST: i32 = i32::MAX;

/// What was seen of one operand, or of the results.
///
/// Exponents are those of the larger limb; a gap is floor(log2 |hi|) - floor(log2 |lo|) - p. A minimum above its maximum
/// says that nothing was sampled; [`Slot::exponents`] and [`Slot::gaps`] give `None` then.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Slot {
    /// Largest exponent of a finite value that is not zero.
    pub max_exp: i32,
    /// Smallest exponent of a finite value that is not zero.
    pub min_exp: i32,
    /// Values with two zero limbs.
    pub zero_count: u64,
    /// Finite values with hi not zero and lo zero.
    pub zero_lo_count: u64,
    /// Values with an infinite limb.
    pub inf_count: u64,
    /// Values with a NaN limb.
    pub nan_count: u64,
    /// Values whose limbs are opposite infinities.
    pub infnan_count: u64,
    /// Values with a subnormal limb.
    pub denorm_count: u64,
    /// Values whose limbs overlap.
    pub overlap_count: u64,
    /// Finite values with |lo| > |hi|.
    pub invert_count: u64,
    /// Largest gap of a finite value without a zero limb.
    pub max_hi_lo_gap: i32,
    /// Smallest gap of a finite value without a zero limb.
    pub min_hi_lo_gap: i32,
    /// hi of a value with the smallest gap. Of several, the one whose hi has the smallest fraction, then the smallest sign
    /// and exponent; of equal hi, the one whose lo has.
    pub min_hi_lo_gap_sample_hi: f64,
    /// lo of the same value.
    pub min_hi_lo_gap_sample_lo: f64,
}

impl Slot {
    /// Nothing seen.
    pub const EMPTY: Slot = Slot {
        max_exp: LEAST,
        min_exp: MOST,
        zero_count: 0,
        zero_lo_count: 0,
        inf_count: 0,
        nan_count: 0,
        infnan_count: 0,
        denorm_count: 0,
        overlap_count: 0,
        invert_count: 0,
        max_hi_lo_gap: LEAST,
        min_hi_lo_gap: MOST,
        min_hi_lo_gap_sample_hi: 0.0,
        min_hi_lo_gap_sample_lo: 0.0,
    };

    /// Smallest and largest exponent; `None` where no finite value but zero was seen.
    pub fn exponents(&self) -> Option<(i32, i32)> {
        (self.min_exp <= self.max_exp).then_some((self.min_exp, self.max_exp))
    }

    /// Smallest and largest gap; `None` where no finite value without a zero limb was seen.
    pub fn gaps(&self) -> Option<(i32, i32)> {
        (self.min_hi_lo_gap <= self.max_hi_lo_gap).then_some((self.min_hi_lo_gap, self.max_hi_lo_gap))
    }

    fn counts(&mut self) -> [&mut u64; 8] {
        [
            &mut self.zero_count,
            &mut self.zero_lo_count,
            &mut self.inf_count,
            &mut self.nan_count,
            &mut self.infnan_count,
            &mut self.denorm_count,
            &mut self.overlap_count,
            &mut self.invert_count,
        ]
    }

    /// Adds one value.
    fn add<F: HostLimb>(&mut self, (hi, lo): (F, F), class: Class<Host>) {
        let flags = class.flags.0;
        if flags & 0xff != 0 {
            for (i, count) in self.counts().into_iter().enumerate() {
                *count += u64::from(flags >> i & 1);
            }
        }
        if flags & flag::SAMPLED != 0 {
            let exponent = class.exponent.0 as i32;
            self.max_exp = self.max_exp.max(exponent);
            self.min_exp = self.min_exp.min(exponent);
        }
        if flags & flag::GAPPED != 0 {
            let gap = class.gap.0 as i32;
            self.max_hi_lo_gap = self.max_hi_lo_gap.max(gap);
            if gap <= self.min_hi_lo_gap {
                self.sample(gap, (hi.to_f64(), lo.to_f64()));
            }
        }
    }

    /// Keeps a sample of the gap `gap` if it is smaller, or precedes the sample of the same gap.
    fn sample(&mut self, gap: i32, (hi, lo): (f64, f64)) {
        let bits = |x: (f64, f64)| (Wrapping(x.0.to_bits()), Wrapping(x.1.to_bits()));
        let kept = (self.min_hi_lo_gap_sample_hi, self.min_hi_lo_gap_sample_lo);
        if gap < self.min_hi_lo_gap || gap == self.min_hi_lo_gap && precedes(bits((hi, lo)), bits(kept)) {
            self.min_hi_lo_gap = gap;
            (self.min_hi_lo_gap_sample_hi, self.min_hi_lo_gap_sample_lo) = (hi, lo);
        }
    }

    /// What was seen by either.
    pub fn merge(&mut self, other: &Slot) {
        let mut theirs = *other;
        for (count, theirs) in self.counts().into_iter().zip(theirs.counts()) {
            *count += *theirs;
        }
        self.max_exp = self.max_exp.max(other.max_exp);
        self.min_exp = self.min_exp.min(other.min_exp);
        self.max_hi_lo_gap = self.max_hi_lo_gap.max(other.max_hi_lo_gap);
        if let Some((gap, _)) = other.gaps() {
            self.sample(gap, (other.min_hi_lo_gap_sample_hi, other.min_hi_lo_gap_sample_lo));
        }
    }
}

impl Default for Slot {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// What instrumented operations were seen to do; the layout in memory is the published one, 456 bytes.
///
/// Records merge in any order and grouping to the same one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Record {
    /// Operations: the sum of the next four.
    pub ops_count: u64,
    /// Sums.
    pub add_count: u64,
    /// Differences.
    pub sub_count: u64,
    /// Products.
    pub mul_count: u64,
    /// Quotients.
    pub div_count: u64,
    /// Sums and differences of finite values that are not zero, which are zero.
    pub full_cancel_count: u64,
    /// Sums and differences whose exponent lies more than half of the type's digits below that of the larger operand: 23
    /// for pairs of `f32`, 52 for pairs of `f64`.
    pub partial_cancel_count: u64,
    /// Products and quotients of finite values that are not zero, which are zero.
    pub underflow_count: u64,
    /// Operations on finite values that are not zero whose result is not finite, NaN included.
    pub overflow_count: u64,
    /// Left and right operands; the third is never written.
    pub arg: [Slot; 3],
    /// Results.
    pub result: Slot,
}

impl Record {
    /// Nothing counted.
    pub const EMPTY: Record = Record {
        ops_count: 0,
        add_count: 0,
        sub_count: 0,
        mul_count: 0,
        div_count: 0,
        full_cancel_count: 0,
        partial_cancel_count: 0,
        underflow_count: 0,
        overflow_count: 0,
        arg: [Slot::EMPTY; 3],
        result: Slot::EMPTY,
    };

    fn counts(&mut self) -> [&mut u64; 9] {
        [
            &mut self.ops_count,
            &mut self.add_count,
            &mut self.sub_count,
            &mut self.mul_count,
            &mut self.div_count,
            &mut self.full_cancel_count,
            &mut self.partial_cancel_count,
            &mut self.underflow_count,
            &mut self.overflow_count,
        ]
    }

    /// Counts the operation r = x op y; the classes of x, y and r.
    pub fn count<F: HostLimb>(&mut self, kind: Kind, x: (F, F), y: (F, F), r: (F, F)) -> [Class<Host>; 3] {
        let [cx, cy, cr] = [x, y, r].map(classify);
        self.ops_count += 1;
        match kind {
            Kind::Add => self.add_count += 1,
            Kind::Sub => self.sub_count += 1,
            Kind::Mul => self.mul_count += 1,
            Kind::Div => self.div_count += 1,
        }
        self.arg[0].add(x, cx);
        self.arg[1].add(y, cy);
        self.result.add(r, cr);
        match outcome::<Host>(F::P, matches!(kind, Kind::Add | Kind::Sub), cx, cy, cr).0 {
            event::FULL_CANCEL => self.full_cancel_count += 1,
            event::PARTIAL_CANCEL => self.partial_cancel_count += 1,
            event::UNDERFLOW => self.underflow_count += 1,
            event::OVERFLOW => self.overflow_count += 1,
            _ => {}
        }
        [cx, cy, cr]
    }

    /// What was counted by either.
    pub fn merge(&mut self, other: &Record) {
        let mut theirs = *other;
        for (count, theirs) in self.counts().into_iter().zip(theirs.counts()) {
            *count += *theirs;
        }
        for (slot, theirs) in self.arg.iter_mut().zip(&other.arg) {
            slot.merge(theirs);
        }
        self.result.merge(&other.result);
    }
}

impl Default for Record {
    fn default() -> Self {
        Self::EMPTY
    }
}

const _: () = assert!(size_of::<Slot>() == 96 && size_of::<Record>() == 456);
