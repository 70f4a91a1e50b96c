//! Sines, cosines and tangents.
//!
//! Of r, what is left of the angle less n right ones: sin r = r (1 + t S) and cos r = 1 + t C with t = r^2, one of them by the
//! parity of n, whose coefficients are a row of a table. sin and cos are odd and even to the bit: what is left of -v is -r.

use super::kernel::{polynomial2, product, quotient3, series2, square, times_one_plus};
use super::reduce::{Angle, of_angle};
use super::tables::{CIRCULAR, TANGENT, gather, of, row};
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{IeeeLimb, MaskOf, U32, Word, WordMachine};
use crate::pair::select2;

/// sin v. Any pair, all finite numbers with all digits; NaN for infinities; a zero is itself. Never beyond 1. Measured error
/// 0.84 ulp for pairs of binary32, 0.68 for pairs of binary64. C23 7.12.4.6.
#[inline(always)]
pub fn sin<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    of_angle(x, true, sine)
}

/// cos v, as [`sin`]. Measured error 0.84 and 0.80 ulp. C23 7.12.4.5.
#[inline(always)]
pub fn cos<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    of_angle(x, false, cosine)
}

/// (sin v, cos v), with the bits of [`sin`] and [`cos`]. CUDA math API, sincos.
#[inline(always)]
pub fn sincos<L: IeeeLimb>(x: (L, L)) -> ((L, L), (L, L))
where
    L::M: WordMachine,
{
    of_angle(x, true, both)
}

/// tan v, as [`sin`]. Measured error 0.93 and 0.59 ulp. C23 7.12.4.7.
#[inline(always)]
pub fn tan<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    of_angle(x, true, tangent)
}

#[inline(always)]
pub(super) fn sine<L: IeeeLimb>(x: Angle<L>) -> (L, L)
where
    L::M: WordMachine,
{
    turned(value(x.r, x.n & U32::<L>::lit(1)), x.n)
}

#[inline(always)]
pub(super) fn cosine<L: IeeeLimb>(x: Angle<L>) -> (L, L)
where
    L::M: WordMachine,
{
    sine(Angle { n: x.n + U32::<L>::lit(1), ..x })
}

#[inline(always)]
pub(super) fn both<L: IeeeLimb>(x: Angle<L>) -> ((L, L), (L, L))
where
    L::M: WordMachine,
{
    let one = U32::<L>::lit(1);
    let (s, c) = (value(x.r, U32::<L>::lit(0)), value(x.r, one));
    let odd = is_odd::<L>(x.n);
    (turned(select2(odd, c, s), x.n), turned(select2(odd, s, c), x.n + one))
}

/// r / (1 + t K), and for odd n -(1 + t K) / r.
#[inline(always)]
pub(super) fn tangent<L: IeeeLimb>(x: Angle<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let odd = is_odd::<L>(x.n);
    let t = square(x.r);
    let k = polynomial2(*of::<L, _>(&TANGENT), t);
    let w = product(t, fast_two_sum(k.0, k.1));
    let (h, l) = fast_two_sum(L::lit(1.0), w.0);
    let (l, third) = two_sum(l, w.1);
    let d = fast_two_sum(h, l);
    let (a, b) = (select2(odd, (-d.0, -d.1), x.r), select2(odd, x.r, d));
    quotient3(a, [b.0, b.1, L::select(odd, L::lit(0.0), third)], b.0.rcp_moderate())
}

/// sin r, or cos r for an odd `parity`.
#[inline(always)]
fn value<L: IeeeLimb>(r: (L, L), parity: U32<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let b = select2(is_odd::<L>(parity), (L::lit(1.0), L::lit(0.0)), r);
    times_one_plus(b, series(r, parity))
}

/// t S, or t C for an odd `parity`.
#[inline(always)]
fn series<L: IeeeLimb>(r: (L, L), parity: U32<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let table = of::<L, _>(&CIRCULAR);
    let (pairs, singles) = (table.pairs, table.singles);
    let quads = if L::P == 53 { 5 } else { 3 };
    let first = parity * U32::<L>::lit(quads as u64);
    let quad = |i: usize| row(table.rows, first + U32::<L>::lit(i as u64));
    let limbs: [[L; 4]; 5] = gather(quads, quad);
    let limb = |i: usize| limbs[i / 4][i % 4];
    let t = square(r);
    let pairs_of = (0..pairs).map(|i| (limb(2 * i), Some(limb(2 * i + 1))));
    product(t, series2((0..singles).map(|i| limb(2 * pairs + i)), pairs_of, t))
}

#[inline(always)]
pub(super) fn is_odd<L: IeeeLimb>(n: U32<L>) -> MaskOf<L>
where
    L::M: WordMachine,
{
    !(n & U32::<L>::lit(1)).eq(U32::<L>::lit(0))
}

/// -x where the second last bit of n is set.
#[inline(always)]
pub(super) fn turned<L: IeeeLimb>(x: (L, L), n: U32<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let sign =
        L::Bits::from_u64((n & U32::<L>::lit(2)).to_u64()).shl_within(U32::<L>::lit(u64::from(L::Bits::BITS) - 2));
    let flip = |x: L| L::from_bits(x.bits() ^ sign);
    (flip(x.0), flip(x.1))
}
