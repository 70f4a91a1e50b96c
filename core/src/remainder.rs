//! The remainder of a division, exact before it is rounded.

use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::{self, Level};
use crate::text::fixed::Fixed;
use crate::text::format::{Format, Magnitude};
use crate::text::print::value;
use core::ops::{Rem, RemAssign};

/// x - y trunc(x / y) with the sign of x, as `fmod` of C: hi = RN(r) of the exact remainder r, lo = RN(r - hi).
///
/// NaN where an operand is NaN, x infinite or y zero; x where y is infinite. Binary long division in fixed point: a
/// step for every binary digit of the quotient.
impl<F: HostLimb, A: Level> Rem for DoubleWord<F, A> {
    type Output = Self;

    fn rem(self, y: Self) -> Self {
        let f = Format::of::<F>();
        let (Ok((minus, mut rest)), false) = (value(self.to_parts()), y.is_nan() || !y.to_bool()) else {
            return Self::NAN;
        };
        if y.is_finite() {
            // Canonical limbs do not exceed the value. A sum that overflows leaves quotients of 0 and 1.
            let canonical = pair::canonical(y.to_parts());
            let y = if DoubleWord::<F, A>::wrap(canonical).is_finite() { canonical } else { y.to_parts() };
            let leading = |x: &Fixed| {
                let Magnitude { m, q } = x.round(false, &f);
                m.checked_ilog2().map_or(i32::MIN / 2, |n| n as i32 + q)
            };
            // One more than needed where rounding moved the divisor to a power of two.
            let last = leading(&rest) - leading(&multiple(y, 0, &f)) + 1;
            for k in (0..=last).rev() {
                let (difference, below) = rest.abs_diff(&multiple(y, k, &f));
                if !below {
                    rest = difference;
                }
            }
        }
        let hi = rest.round(false, &f);
        let (tail, below) = rest.abs_diff(&hi.into());
        let (hi, lo) = (hi.encode(&f), tail.round(false, &f).encode(&f));
        let limb = |bits, minus| F::from_bits_u64(if minus { bits | f.sign() } else { bits });
        if hi >= f.inf {
            return Self::from_limb(limb(f.inf, minus));
        }
        Self::from_parts(limb(hi, minus), limb(lo, lo != 0 && minus != below))
    }
}

impl<F: HostLimb, A: Level> RemAssign for DoubleWord<F, A> {
    fn rem_assign(&mut self, y: Self) {
        *self = *self % y;
    }
}

/// |hi + lo| 2^k for finite limbs.
fn multiple<F: HostLimb>((hi, lo): (F, F), k: i32, f: &Format) -> Fixed {
    let (hi, lo) = (hi.to_bits_u64(), lo.to_bits_u64());
    let part = |bits: u64| {
        let Magnitude { m, q } = Magnitude::decode(bits & !f.sign(), f);
        // As much of 2^k in m as fits: above its highest bit a fixed-point number has no words to spare.
        let n = k.min(m.leading_zeros() as i32 - 1);
        Fixed::scaled(m << n, q + k - n)
    };
    if (hi ^ lo) & f.sign() == 0 { part(hi).add(&part(lo)) } else { part(hi).abs_diff(&part(lo)).0 }
}
