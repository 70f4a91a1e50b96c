//! Moves: operands near given ones.

use crate::format;
use crate::generate::counter::Words;
use crate::generate::limb::{from_bits, is_normalized, to_bits, width};
use crate::generate::{Shape, Style, operand_lo};
use crate::target::Pair;

/// Neighbours of operands, normalised and with every hi in the moderate domain.
pub(super) struct Moves<'a> {
    shape: &'a Shape,
    /// Operand and whether lo, of every limb that may change.
    limbs: Vec<(usize, bool)>,
    limit: f64,
}

/// Tries at a valid neighbour.
const TRIES: usize = 8;

impl Moves<'_> {
    pub(super) fn new(shape: &Shape) -> Moves<'_> {
        let all = |i| [(i, false), (i, true)].into_iter().take(2 - usize::from(shape.is_limb(i)));
        let limbs = (0..shape.operands.len()).flat_map(all).collect();
        Moves { shape, limbs, limit: format::power_of_two(shape.range) }
    }

    /// Whether the operands are normalised and in the moderate domain.
    pub(super) fn is_valid(&self, args: &[Pair]) -> bool {
        let inside = |x: f64| x.abs() >= 1.0 / self.limit && x.abs() <= self.limit;
        args.iter().all(|x| inside(x.0) && is_normalized(*x, self.shape.limb))
    }

    /// A valid neighbour, or the operands themselves where none was found.
    #[inline]
    pub(super) fn neighbour<const N: usize>(&self, args: &[Pair; N], w: &mut Words) -> [Pair; N] {
        let n = self.shape.operands.len();
        for _ in 0..TRIES {
            let mut y = *args;
            let word = w.next();
            let moves = 1 + [0, 0, 1][(word % 3) as usize] + u64::from(word >> 8 & 3 == 0);
            for _ in 0..moves {
                self.change(&mut y[..n], w);
            }
            self.shape.settle(&mut y[..n]);
            if self.is_valid(&y[..n]) {
                return y;
            }
        }
        *args
    }

    #[inline]
    fn change(&self, args: &mut [Pair], w: &mut Words) {
        let f = self.shape.limb;
        let fraction_bits = f.p - 1;
        let word = w.next();
        let (i, is_lo) = self.limbs[(((word & 0xffff_ffff) * self.limbs.len() as u64) >> 32) as usize];
        let kind = word >> 32 & 15;
        let more = word >> 40;
        let (hi, lo) = args[i];
        let old = if is_lo { lo } else { hi };
        let bits = to_bits(old, f);
        let power = 1u64 << (((more & 0xffff) * u64::from(fraction_bits)) >> 16);
        let up = more >> 16 & 1 == 0;
        let add = |bits: u64, n: u64| if up { bits.wrapping_add(n) } else { bits.wrapping_sub(n) };
        let new = match kind {
            0..=6 => add(bits, power),
            7 | 8 => bits ^ power,
            9 | 10 => add(bits, more >> 17 & 15),
            11 | 12 if is_lo => to_bits(operand_lo(w, hi, Style::Structured, f), f),
            11 | 12 => bits ^ (w.next() & (power - 1)),
            13 if is_lo => bits ^ 1 << (width(f) - 1),
            13 => {
                let mask = (1 << fraction_bits) - 1;
                bits & !mask | add(bits, power) & mask
            }
            14 => {
                // The whole operand by a power of two.
                let scale = format::power_of_two(if up { 1 } else { -1 });
                args[i] = (hi * scale, lo * scale);
                return;
            }
            _ => {
                // The significand of another limb, which gets this one half of the time.
                let (j, other_is_lo) = self.limbs[w.below(self.limbs.len() as u64) as usize];
                let mask = (1 << fraction_bits) - 1;
                let other = limb(&mut args[j], other_is_lo);
                let other_bits = to_bits(*other, f);
                if up {
                    *other = from_bits(other_bits & !mask | bits & mask, f);
                }
                bits & !mask | other_bits & mask
            }
        };
        *limb(&mut args[i], is_lo) = from_bits(new, f);
    }
}

fn limb(x: &mut Pair, is_lo: bool) -> &mut f64 {
    if is_lo { &mut x.1 } else { &mut x.0 }
}
