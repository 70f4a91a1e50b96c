//! Coefficients and tables of mathematical functions, for both widths.
//!
//! The files of this folder are written by `cargo run --release -p vernier-oracle --example coefficients`, whose lists have
//! the functions and intervals. Each constant has that of pairs of binary32 first, then that of pairs of binary64.
//! Numbers are bits of binary64, also those that are limbs of binary32.

#[rustfmt::skip]
mod atan;
#[rustfmt::skip]
mod bessel_i0;
#[rustfmt::skip]
mod bessel_i1;
#[rustfmt::skip]
mod bessel_j0;
#[rustfmt::skip]
mod bessel_j1;
#[rustfmt::skip]
mod bessel_y0;
#[rustfmt::skip]
mod bessel_y1;
#[rustfmt::skip]
mod circular;
#[rustfmt::skip]
mod boys;
#[rustfmt::skip]
mod errors;
#[rustfmt::skip]
mod errors_inverse;
#[rustfmt::skip]
mod exp;
#[rustfmt::skip]
mod exp10;
#[rustfmt::skip]
mod exp2;
#[rustfmt::skip]
mod expm1;
#[rustfmt::skip]
mod gamma;
#[rustfmt::skip]
mod log;
#[rustfmt::skip]
mod log10;
#[rustfmt::skip]
mod log2;
#[rustfmt::skip]
mod pow;
#[rustfmt::skip]
mod powers;
#[rustfmt::skip]
mod tangent;

pub(super) use atan::ARCTANGENT;
pub(super) use bessel_i0::BESSEL_I0;
pub(super) use bessel_i1::BESSEL_I1;
pub(super) use bessel_j0::BESSEL_J0;
pub(super) use bessel_j1::BESSEL_J1;
pub(super) use bessel_y0::BESSEL_Y0;
pub(super) use bessel_y1::BESSEL_Y1;
pub(super) use boys::BOYS;
pub(super) use circular::CIRCULAR;
pub(super) use errors::ERRORS;
pub(super) use errors_inverse::ERRORS_INVERSE;
pub(super) use exp::EXP;
pub(super) use exp2::EXP2;
pub(super) use exp10::EXP10;
pub(super) use expm1::EXPM1;
pub(super) use gamma::GAMMA;
pub(super) use log::LOG;
pub(super) use log2::LOG2;
pub(super) use log10::LOG10;
pub(super) use pow::CUBIC;
pub(super) use tangent::TANGENT;

use super::kernel::{product, series2};
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{IeeeLimb, Limb, U32, U64, Value, Word, WordMachine};

/// Coefficients, lowest degree first: pairs, then single limbs.
#[derive(Clone, Copy, Debug)]
pub struct Polynomial {
    /// Leading ones, (hi, lo).
    pub pairs: &'static [(f64, f64)],
    /// The rest, at least one.
    pub singles: &'static [f64],
}

impl Polynomial {
    /// Its single limbs and its pairs; a low limb that is 0 is missing.
    #[inline(always)]
    pub(super) fn coefficients<L: Limb>(
        self,
    ) -> (impl DoubleEndedIterator<Item = L>, impl DoubleEndedIterator<Item = (L, Option<L>)>) {
        let low = |l: f64| (l != 0.0).then(|| L::lit(l));
        (self.singles.iter().map(|&c| L::lit(c)), self.pairs.iter().map(move |&(h, l)| (L::lit(h), low(l))))
    }
}

/// b^x = 2^n T_j b^r, where n and j are the quotient and the remainder of an integer k by the number of the T_j, and r is x
/// less k steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exponential {
    /// Steps in 1.
    pub per_unit: f64,
    /// A step, log_b 2 over the number of the T_j, as a sum: k times the second is a limb.
    pub step: [f64; 3],
    /// Below this |x| hi is normal, and the error of lo as a subnormal does not matter.
    pub moderate: f64,
    /// Beyond this |x| the result is 0 or infinite.
    pub end: f64,
    /// (b^r - 1) / r.
    pub tail: Polynomial,
    /// The T_j: hi, lo, a third limb, and 0. None where there is one, 1.
    pub powers: &'static [u64],
}

/// log_b x = n log_b 2 + T_j + log_b(1 + f), where x = 2^n m, j is of m's interval, and f = m c_j - 1.
#[derive(Debug)]
pub(super) struct Logarithm {
    /// log_b 2 as a sum: n times the first, added to the first part of T_j, is a limb, and so with the second.
    pub log2: [f64; 3],
    /// For each j c_j and T_j in three parts, two limbs of binary32 a word.
    pub rows: &'static [u64],
    /// log_b(1 + f) / f; for b = e (log(1 + f) - f) / f^2.
    pub series: Polynomial,
}

/// sin r = r (1 + t S(t)) and cos r = 1 + t C(t), where t = r^2 and r is what is left of x less a multiple of pi/2.
#[derive(Debug)]
pub(super) struct Circular {
    /// 2 / pi.
    pub per_unit: f64,
    /// pi / 2 as a sum.
    pub quarter: [f64; 3],
    /// The coefficients of S and those of C, a row each, lowest degree first, and zeros up to a multiple of four limbs.
    pub rows: &'static [u64],
    /// How many of them are pairs, and how many are single limbs, which follow those.
    pub pairs: usize,
    /// See [`pairs`](Circular::pairs).
    pub singles: usize,
    /// The bits of 2 / pi, after as many words of zeros as a product has words.
    pub bits: &'static [u64],
}

/// atan(a / b) = atan(j / 16) + t (1 + t^2 P(t^2)), where j / 16 is near a / b.
#[derive(Debug)]
pub(super) struct Arctangent {
    /// For each j up to 31 atan(j / 16), to 16; then pi/2 less that, pi less that, and the sum of pi/2 and that: three limbs
    /// and 0 a row.
    pub angles: &'static [u64],
    /// P.
    pub series: Polynomial,
}

/// Error functions.
#[derive(Debug)]
pub(super) struct Errors {
    /// Where the first row ends, in |x|.
    pub small: f64,
    /// Where the last row ends.
    pub far: f64,
    /// erfc is 0 from here on.
    pub end: f64,
    /// 1 / sqrt 2 as a sum.
    pub half_root: [f64; 3],
    /// See [`interval`].
    pub bits: u32,
    /// erf x / x - 1 in x^2 up to `small`; then e^(x^2) erfc x by intervals, of rows with c.
    pub pieces: Rows,
    /// x e^(x^2) erfc x in 1/x^2, from `far` on.
    pub tail: Polynomial,
}

/// Inverse error functions.
#[derive(Debug)]
pub(super) struct ErrorsInverse {
    /// sqrt(pi) / 2.
    pub half_root: (f64, f64),
    /// sqrt 2.
    pub root: (f64, f64),
    /// See [`interval`].
    pub bits: u32,
    /// The number whose erf is x, over x, in -log(1 - x^2), to single limbs, of rows with c.
    pub start: Rows,
}

/// Boys' function of order 0.
#[derive(Debug)]
pub(super) struct Boys {
    /// Where the last row ends.
    pub far: f64,
    /// sqrt(pi) / 2.
    pub half_root: (f64, f64),
    /// See [`interval`].
    pub bits: u32,
    /// The function by intervals, of rows with c.
    pub pieces: Rows,
}

/// log gamma, whose constants and pieces are those of its kernel.
#[derive(Debug)]
pub(super) struct Gamma {
    /// (log(2 pi) - 1) / 2 as a sum.
    pub constant: [f64; 2],
    /// S(y) on quarters of binades from 1 to 8, of rows with c, then y S(y) in 1/y^2.
    pub stirling: Rows,
    /// log gamma(x) / (x - z) on quarters of binades from 1/2 to 5/2, of rows with c and z.
    pub middle: Rows,
    /// log |gamma(-a)| / q in q = s (a - z), about the zeros z between 2 and 7, of rows with z and s.
    pub zeros: Rows,
    /// log(pi r / sin(pi r)) / r^2 in r^2, on four intervals, of rows with c and the value there as three limbs: the rest over the
    /// distance to c.
    pub reflection: Rows,
    /// n!, two a row.
    pub factorials: &'static [u64],
    /// How many of them.
    pub count: usize,
}

/// A Bessel function of the first kind, and modulus and phase of its order.
#[derive(Debug)]
pub(super) struct BesselFirst {
    /// Where the expansion about 0 ends.
    pub small: f64,
    /// x / pi and this is near the number of a zero.
    pub offset: f64,
    /// Two rows about 0, then two about each zero: with the zero, and in the square of the distance to it.
    pub near: Rows,
    /// 1 / (x M^2) and x p in 1/x^2.
    pub far: Rows,
}

/// A Bessel function of the second kind.
#[derive(Debug)]
pub(super) struct BesselSecond {
    /// Euler's constant less log 2.
    pub constant: [f64; 2],
    /// 2 / pi.
    pub slope: [f64; 2],
    /// U and T in x^2.
    pub series: Rows,
    /// Where these end.
    pub from: f64,
    /// The function over the distance to its first zero, on quarters of binades, of rows with the zero and c.
    pub middle: Rows,
    /// Where these end.
    pub start: f64,
    /// x / pi and this is near the number of a zero, from the second on.
    pub offset: f64,
    /// As those of the first kind.
    pub near: Rows,
}

/// Polynomials on intervals, a row each: limbs that say where it is, then coefficients, lowest degree first, and zeros up to a
/// multiple of four limbs.
#[derive(Debug)]
pub(super) struct Rows {
    /// The rows.
    pub rows: &'static [u64],
    /// Limbs before the coefficients.
    pub head: usize,
    /// How many coefficients are pairs.
    pub pairs: usize,
    /// How many are single limbs, which follow those.
    pub singles: usize,
    /// How many of the last steps are for coefficients of any size.
    pub general: usize,
}

/// One of the rows.
pub(super) struct Row<L> {
    of: &'static Rows,
    limbs: [[L; 4]; Rows::QUADS],
}

impl Rows {
    /// The most that a row has four limbs of.
    const QUADS: usize = 14;

    /// Row `j`, the last one where there is none.
    #[inline(always)]
    pub fn row<L: IeeeLimb>(&'static self, j: U32<L>) -> Row<L>
    where
        L::M: WordMachine,
    {
        let quads = (self.head + 2 * self.pairs + self.singles).div_ceil(4);
        let words = if L::P == 53 { 4 } else { 2 } * quads;
        let last = U32::<L>::lit((self.rows.len() / words - 1) as u64);
        let first = <U32<L> as Value>::select(last.lt(j), last, j) * U32::<L>::lit(quads as u64);
        let quad = |i| row(self.rows, first + U32::<L>::lit(i as u64));
        Row { of: self, limbs: gather(quads, quad) }
    }
}

impl<L: Limb> Row<L> {
    /// Limb `i` of what comes before the coefficients.
    #[inline(always)]
    pub fn head(&self, i: usize) -> L {
        self.limbs[i / 4][i % 4]
    }

    /// The polynomial at a pair; unnormalised unless steps are general: sums of a pair and a product.
    #[inline(always)]
    pub fn at(&self, x: (L, L)) -> (L, L) {
        let Rows { head, pairs, singles, general, .. } = *self.of;
        let pair = |i: usize| (self.head(head + 2 * i), Some(self.head(head + 2 * i + 1)));
        let v = series2((0..singles).map(|i| self.head(head + 2 * pairs + i)), (general..pairs).map(pair), x);
        (0..general).rev().fold(v, |v, i| {
            let (p, e) = product(x, v);
            let (s, d) = two_sum(self.head(head + 2 * i), p);
            fast_two_sum(s, d + (e + self.head(head + 2 * i + 1)))
        })
    }

    /// The polynomial, of single limbs alone.
    #[inline(always)]
    pub fn limb_value(&self, x: L) -> L {
        let Rows { head, singles, .. } = *self.of;
        (0..singles - 1).rev().fold(self.head(head + singles - 1), |v, i| x.fma(v, self.head(head + i)))
    }

    /// x less limb `i` of what comes before, which is the middle of x's interval: exact but for what is below lo's digits.
    #[inline(always)]
    pub fn beyond(&self, i: usize, x: (L, L)) -> (L, L) {
        // The difference is 0 or larger than lo.
        fast_two_sum(x.0 - self.head(i), x.1)
    }

    /// x less the zero of the row, normalised, where x is within a factor of 2 of it.
    #[inline(always)]
    pub fn distance(&self, x: (L, L)) -> (L, L) {
        let first = x.0 - self.head(0);
        let (s, e) = two_sum(x.1, -self.head(1));
        let (t, f) = two_sum(e, -self.head(2));
        let (s, g) = two_sum(s, t);
        let (h, l) = two_sum(first, s);
        // Where the first two cancel the last is not below all digits.
        let (g, f) = two_sum(g, f - self.head(3));
        let (h, l) = two_sum(h, l + g);
        fast_two_sum(h, l + f)
    }
}

/// The interval of x >= 0, where each binade of x + 1 has 2^bits of them.
#[inline(always)]
pub(super) fn interval<L: IeeeLimb>(bits: u32, x: L) -> U32<L>
where
    L::M: WordMachine,
{
    let one = L::lit(1.0);
    ((x + one).bits() - one.bits()).shr_within(U32::<L>::lit(u64::from(L::P - 1 - bits))).to_u32()
}

/// How many quarters of binades x is above the power of two `from`; far too many below it.
#[inline(always)]
pub(super) fn quarter<L: IeeeLimb>(x: L, from: f64) -> U32<L>
where
    L::M: WordMachine,
{
    (x.bits() - L::lit(from).bits()).shr(U32::<L>::lit(u64::from(L::P) - 3)).to_u32()
}

/// The constant of a limb's width.
#[inline(always)]
pub(super) const fn of<L: Limb, T>(both: &'static [T; 2]) -> &'static T {
    &both[(L::P == 53) as usize]
}

/// An array that begins with `each(0)` to `each(n - 1)`; its other elements are `each(0)`. The compiler inlines this loop, but
/// not `array::from_fn` of so many elements.
#[inline(always)]
pub(super) fn gather<T: Copy, const N: usize>(n: usize, each: impl Fn(usize) -> T) -> [T; N] {
    let mut all = [each(0); N];
    for (i, one) in all.iter_mut().enumerate().take(n).skip(1) {
        *one = each(i);
    }
    all
}

/// Row `j` of a table of four limbs a row.
#[inline(always)]
pub(super) fn row<L: IeeeLimb>(table: &'static [u64], j: U32<L>) -> [L; 4]
where
    L::M: WordMachine,
{
    let word = |i: U32<L>| <U64<L> as Word>::table(table, i);
    let lit = U32::<L>::lit;
    let limb = |w: U64<L>| L::from_bits(L::Bits::from_u64(w));
    if L::P == 53 {
        let at = j.shl_within(lit(2));
        let at = |i| limb(word(at + lit(i)));
        [at(0), at(1), at(2), at(3)]
    } else {
        let at = j.shl_within(lit(1));
        let (a, b) = (word(at), word(at + lit(1)));
        [limb(a), limb(a.shr_within(lit(32))), limb(b), limb(b.shr_within(lit(32)))]
    }
}

/// A number by its bits.
const fn f(bits: u64) -> f64 {
    f64::from_bits(bits)
}
