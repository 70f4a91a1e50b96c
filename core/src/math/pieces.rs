//! Functions by intervals: a row of a table has the polynomial of each.

use super::kernel::{product, series2};
use super::tables::{Pieces, row};
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{IeeeLimb, Limb, U32, Value, Word, WordMachine};
use core::array::from_fn;

/// Limbs of the longest row, by fours.
const QUADS: usize = 10;

/// A row of a table.
pub(super) struct Piece<L> {
    limbs: [[L; 4]; QUADS],
    pairs: usize,
    singles: usize,
}

impl<L: IeeeLimb> Piece<L>
where
    L::M: WordMachine,
{
    /// The row of x's interval, for x >= 0, after `first` others; the last one beyond all.
    #[inline(always)]
    pub fn index(table: &'static Pieces, x: L, first: u32) -> U32<L> {
        let lit = |n: u64| U32::<L>::lit(n);
        let unit = lit(u64::from(L::P - 1 - table.bits));
        let one = L::lit(1.0);
        let j = ((x + one).bits() - one.bits()).shr_within(unit).to_u32();
        let last = lit(rows::<L>(table) as u64 - 1 - u64::from(first));
        lit(first.into()) + Value::select(j.lt(last), j, last)
    }

    #[inline(always)]
    pub fn new(table: &'static Pieces, j: U32<L>) -> Self {
        let (pairs, singles) = (table.pairs, table.singles);
        let quads = quads(table);
        let at = j * U32::<L>::lit(quads as u64);
        let quad = |i: usize| row(table.rows, at + U32::<L>::lit(i as u64));
        Piece { limbs: from_fn(|i| if i < quads { quad(i) } else { [L::lit(0.0); 4] }), pairs, singles }
    }

    #[inline(always)]
    fn limb(&self, i: usize) -> L {
        self.limbs[i / 4][i % 4]
    }

    /// x less the middle of the interval: exact but for what is below lo's digits.
    #[inline(always)]
    pub fn beyond_middle(&self, x: (L, L)) -> (L, L) {
        // The difference is 0 or larger than lo.
        fast_two_sum(x.0 - self.middle(), x.1)
    }

    /// The polynomial, of single limbs alone.
    #[inline(always)]
    pub fn limb_value(&self, x: L) -> L {
        (0..self.singles - 1).rev().fold(self.limb(self.singles), |v, i| x.fma(v, self.limb(1 + i)))
    }

    /// The middle of the interval.
    #[inline(always)]
    pub fn middle(&self) -> L {
        self.limb(0)
    }

    /// The polynomial, normalised. The last step is for any coefficient: the sum of a pair and a product.
    #[inline(always)]
    pub fn value(&self, x: (L, L)) -> (L, L) {
        let pair = |i: usize| (self.limb(1 + self.singles + 2 * i), self.limb(2 + self.singles + 2 * i));
        let pairs = (1..self.pairs).map(|i| (pair(i).0, Some(pair(i).1)));
        let (p, e) = product(x, series2((0..self.singles).map(|i| self.limb(1 + i)), pairs, x));
        let (h, l) = pair(0);
        let (s, d) = two_sum(h, p);
        fast_two_sum(s, d + (e + l))
    }
}

/// Groups of four limbs of a row.
const fn quads(table: &Pieces) -> usize {
    (1 + table.singles + 2 * table.pairs).div_ceil(4)
}

fn rows<L: Limb>(table: &Pieces) -> usize {
    table.rows.len() / (quads(table) * if L::P == 53 { 4 } else { 2 })
}
