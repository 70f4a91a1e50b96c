//! A case of one format made one of another that is like it: the same signs and specials, exponents that are as far from those
//! that the algorithms name, or from each other in precisions, and significands with the same ends.

use super::float::Format;
use super::scale::{Named, exponents, of, on_scale};
use vernier_oracle::generate::counter::Words;
use vernier_tape::tape::Ty;

/// A format whose cases are made those of another.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    format: Format,
    named: Named,
}

impl Scale {
    /// binary32 or binary64.
    pub fn of(ty: Ty) -> Self {
        let (digits, exponent) = if ty == Ty::F32 { (24, 8) } else { (53, 11) };
        Scale { format: Format { digits, exponent }, named: of(ty) }
    }

    /// A format of few bits.
    pub fn small(format: Format) -> Self {
        Scale { format, named: on_scale(format) }
    }

    /// One of the cases here that are like a case there; which one is for `words` to say.
    pub fn like(&self, from: &Scale, case: &[u64], words: &mut Words) -> Vec<u64> {
        let anchors = exponents(&from.named, &self.named);
        let mut exponents: Vec<(i32, i32)> = Vec::new();
        let limb = |&bits: &u64| {
            let (sign, e, fraction) = from.parts(bits);
            let here = match e {
                Some(e) => {
                    let here = self.exponent(from, e, &anchors, &exponents, words);
                    exponents.push((e, here));
                    self.value(here, from.stretched(fraction, self, words))
                }
                None if fraction == 0 => self.format.infinity(),
                None => self.format.nan(),
            };
            sign << (self.format.width() - 1) | if from.magnitude(bits) == 0 { 0 } else { here }
        };
        case.iter().map(limb).collect()
    }

    fn magnitude(&self, bits: u64) -> u64 {
        bits & ((1 << (self.format.width() - 1)) - 1)
    }

    /// Sign, exponent where it is finite, and the digits after the first one.
    fn parts(&self, bits: u64) -> (u64, Option<i32>, u64) {
        let f = self.format;
        let (magnitude, below) = (self.magnitude(bits), f.digits as u32 - 1);
        let (field, fraction) = (magnitude >> below, magnitude & ((1 << below) - 1));
        let sign = bits >> (f.width() - 1) & 1;
        if magnitude >= f.infinity() {
            return (sign, None, fraction);
        }
        if field > 0 {
            return (sign, Some(field as i32 - 1 + f.least()), fraction);
        }
        // A subnormal number, with its first digit in front.
        let shift = fraction.leading_zeros() as i32 - (63 - below as i32);
        (sign, Some(f.least() - shift), fraction << shift & ((1 << below) - 1))
    }

    /// A number by exponent and digits after the first one; the digits below the smallest number are lost.
    pub fn value(&self, e: i32, fraction: u64) -> u64 {
        let (least, below) = (self.format.least(), self.format.digits as i32 - 1);
        if e < least {
            let significand = 1 << below | fraction;
            return significand >> (least - e).min(63);
        }
        self.format.power(e).map_or(self.format.infinity() - 1, |power| power | fraction)
    }

    fn exponent(&self, from: &Scale, e: i32, anchors: &[(i32, i32)], known: &[(i32, i32)], words: &mut Words) -> i32 {
        let pick = |n: usize, words: &mut Words| words.below(n as u64) as usize;
        let stray = if words.one_in(4) { words.between(-1, 1) } else { 0 };
        // As far in precisions, and the rest.
        let far = |d: i32| {
            let times = (f64::from(d) / f64::from(from.named.digits)).round() as i32;
            times * self.named.digits + (d - times * from.named.digits)
        };
        let place = match (words.below(4), known) {
            (0, _) | (_, []) => {
                let mut near: Vec<&(i32, i32)> = anchors.iter().collect();
                near.sort_by_key(|(there, _)| (there - e).abs());
                let (there, here) = near[pick(near.len().min(4), words)];
                here + far(e - there)
            }
            (1, [first, .., last]) => first.1 + last.1 + far(e - first.0 - last.0),
            _ => {
                let (there, here) = known[pick(known.len(), words)];
                here + far(e - there)
            }
        };
        place + stray
    }

    /// The digits of a significand here for those of one there: its ends are kept.
    fn stretched(&self, fraction: u64, to: &Scale, words: &mut Words) -> u64 {
        let (n, m) = (self.format.digits as u64 - 1, to.format.digits as u64 - 1);
        let top = words.below(n.min(m) + 1);
        let low = (n - top).min(m - top);
        let ones = |k: u64| (1u64 << k) - 1;
        let middle = match words.below(4) {
            0 | 1 => 0,
            2 => ones(m),
            _ => words.next(),
        };
        let ends = fraction >> (n - top) << (m - top) | fraction & ones(low);
        ends | middle & ones(m - top) & !ones(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_is_named_there() {
        let small = Scale::small(Format { digits: 3, exponent: 5 });
        let (single, double) = (Scale::of(Ty::F32), Scale::of(Ty::F64));
        let mut words = Words::new(1, 0);
        let any = |to: &Scale, from: &Scale, bits: u64, words: &mut Words| -> Vec<u64> {
            (0..200).map(|_| to.like(from, &[bits], words)[0]).collect()
        };
        // Zero, infinity and NaN are what they were.
        for (there, here) in [(0, 0), (1 << 7, 1 << 31), (0x7c, 0x7f80_0000), (0x7d, 0x7fc0_0000)] {
            assert!(any(&single, &small, there, &mut words).iter().all(|&b| b == here), "{there:x}");
        }
        // 1, the smallest normal number, the smallest number, and the largest.
        let named = [(0x3c, 1f32), (4, f32::MIN_POSITIVE), (1, f32::from_bits(1)), (0x7b, f32::MAX)];
        for (there, here) in named {
            assert!(any(&single, &small, there, &mut words).contains(&u64::from(here.to_bits())), "{here}");
        }
        let pair = [0x3f80_0001, 0x3300_0000];
        let doubles: Vec<Vec<u64>> = (0..500).map(|_| double.like(&single, &pair, &mut words)).collect();
        // An odd significand, and half an ulp of it.
        assert!(doubles.contains(&vec![0x3ff0_0000_0000_0001, 0x3ca0_0000_0000_0000]));
    }
}
