//! Inverse error functions and the quantiles of the normal distribution.
//!
//! The number y whose erf is x is first a polynomial in log(1 - x^2), which a table has by intervals (after Giles 2010), as one
//! limb y0. The error function there, or its complement, tells what is missing: with d = (x - erf y0) / erf' y0
//! y = y0 + d + y0 d^2 + (4 y0^2 + 1) d^3 / 3 + ... (the series of the inverse function; Carlitz 1963). d is a pair, and its error is that
//! of the complement, which y^2 divides far out.

use super::erf::{Parts, integer};
use super::kernel::product;
use super::log;
use super::scale::{power, scale_any, tidy};
use super::sign::with_sign;
use super::tables::{ERRORS_INVERSE, LOG, interval, of};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_rounded, select2};

/// The number whose erf is v. Any pair from -1 to 1, NaN beyond; infinities at the ends; a zero is itself. Odd to the bit. Error below
/// 1.5 ulp; the largest found is 0.90 ulp. C has no such function; CUDA math API, erfinv.
#[inline(always)]
pub fn erfinv<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    inverse(x, false, |v| {
        let x = with_sign(v, L::lit(1.0));
        Sides { x, q: less(1.0, x), sign: v.0, zero: v.0 }
    })
}

/// The number whose erfc is v. Any pair from 0 to 2, NaN beyond; infinity for zeros, -infinity for 2; +0 for 1. Error below
/// 1.5 ulp; the largest found is 0.66 ulp. CUDA math API, erfcinv.
#[inline(always)]
pub fn erfcinv<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    inverse(x, false, Sides::of_complement)
}

/// The number below which one that is distributed normally is with probability v: -sqrt 2 erfcinv(2 v). Any pair from 0 to 1,
/// NaN beyond; infinities at the ends; +0 for 1/2. Error below 1.5 ulp; the largest found is 1.09 ulp. CUDA math API,
/// normcdfinv.
#[inline(always)]
pub fn normcdfinv<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    inverse(x, true, of_probability)
}

/// The number below which one that is distributed normally is with probability (k + 1/2) / 2^w, for an unsigned integer k of w = 32 or
/// 64 bits: random bits become a normal variable. The bits of [`normcdfinv`], so that icdf(!k) is -icdf(k); never infinite. Of
/// all words of 32 bits the largest error is 1.07 ulp, and their results rise. After CUDA's icdf of 32 bits.
#[inline(always)]
pub fn icdf<L: IeeeLimb>(k: L::Bits) -> (L, L)
where
    L::M: WordMachine,
{
    let bits = L::Bits::BITS;
    // Halves of k as limbs: a number of half the bits is added to 2^(p - 1).
    let unit = L::lit(exp2(L::P as i32 - 1));
    let limb = |word: L::Bits| L::from_bits(unit.bits() | word) - unit;
    let shift = U32::<L>::lit(u64::from(bits / 2));
    let high = limb(k.shr(shift)) * L::lit(exp2(-(bits as i32) / 2));
    let low = limb(k & L::Bits::lit((1 << (bits / 2)) - 1)) + L::lit(0.5);
    let (h, l) = fast_two_sum(high, low * L::lit(exp2(-(bits as i32))));
    usual(&of_probability((h, l)), true)
}

/// x >= 0, and q = 1 - x.
struct Sides<L> {
    x: (L, L),
    q: (L, L),
    /// A number with the result's sign, and with that of a result that is 0.
    sign: L,
    zero: L,
}

/// c - x, exactly for x from c / 2 to 2 c.
#[inline(always)]
fn less<L: Limb>(c: f64, x: (L, L)) -> (L, L) {
    let (h, e) = fast_two_sum(L::lit(c), -x.0);
    two_sum(h, e - x.1)
}

impl<L: Limb> Sides<L> {
    #[inline(always)]
    fn of_complement(v: (L, L)) -> Self {
        let (zero, one) = (L::lit(0.0), L::lit(1.0));
        let upper = one.lt(v.0) | (one.eq(v.0) & zero.lt(v.1));
        let q = select2(upper, less(2.0, v), v);
        Sides { x: less(1.0, q), q, sign: L::select(upper, -one, one), zero }
    }
}

/// Those of 2 v, with the sign that the quantile has.
#[inline(always)]
fn of_probability<L: Limb>(v: (L, L)) -> Sides<L> {
    let sides = Sides::of_complement((v.0 + v.0, v.1 + v.1));
    Sides { sign: -sides.sign, ..sides }
}

#[inline(always)]
fn of_logarithm<L: IeeeLimb>(q: L, x: (L, L)) -> log::Parts<L>
where
    L::M: WordMachine,
{
    log::Parts::new(of::<L, _>(&LOG), (q * (L::lit(1.0) + x.0), L::lit(0.0)), None)
}

/// y, or sqrt 2 y where `normal`.
#[inline(always)]
fn in_unit<L: IeeeLimb>(y: (L, L), normal: bool) -> (L, L)
where
    L::M: WordMachine,
{
    let root = of::<L, _>(&ERRORS_INVERSE).root;
    let (h, l) = product(y, (L::lit(root.0), L::lit(root.1)));
    if normal { fast_two_sum(h, l) } else { y }
}

/// The result where x and q are far from underflow.
#[inline(always)]
fn usual<L: IeeeLimb>(s: &Sides<L>, normal: bool) -> (L, L)
where
    L::M: WordMachine,
{
    let y = solve(s.x, of_logarithm(s.q.0, s.x).limb(), |n| {
        let p = power::<L>(integer::<L>(0) - n);
        (s.q.0 * p, s.q.1 * p)
    });
    with_sign(in_unit(y, normal), s.sign)
}

#[inline(always)]
fn inverse<L: IeeeLimb>(x: (L, L), normal: bool, sides: impl Fn((L, L)) -> Sides<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let least = L::lit(exp2(L::MIN_EXP + L::P as i32 + 4));
    let s = sides(x);
    let plain = is_rounded(x) & least.le(s.x.0) & least.le(s.q.0);
    L::M::branch(!plain, usual(&s, normal), || {
        let s = sides(canonical(x));
        let digits = 2 * L::P as i32;
        let up = |small: MaskOf<L>| L::select(small, L::lit(exp2(digits)), one);
        let down = |small: MaskOf<L>| <U32<L> as Value>::select(small, integer::<L>(-digits), integer::<L>(0));
        // The inverse of the smallest numbers is their multiple.
        let (small, rest) = (s.x.0.lt(least), s.q.0.lt(least));
        let f = up(small);
        let n = L::select(rest, L::lit(-f64::from(digits)), zero);
        let log = of_logarithm(s.q.0 * up(rest), s.x).times_power(n).limb();
        let y = solve((s.x.0 * f, s.x.1 * f), log, |n| scale_any(s.q, integer::<L>(0) - n));
        let y = scale_any(in_unit(y, normal), down(small));
        let end = select2(s.q.0.eq(zero), (L::lit(f64::INFINITY), zero), (L::lit(f64::NAN), zero));
        let r = with_sign(tidy(select2(zero.lt(s.q.0), y, end)), s.sign);
        select2(s.x.0.eq(zero), (zero.copysign(s.zero), zero), r)
    })
}

/// y >= 0 with erf y = x, or erfc y = q; `tail` gives q 2^-n.
#[inline(always)]
fn solve<L: IeeeLimb>(x: (L, L), log: L, tail: impl Fn(U32<L>) -> (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, table) = (L::lit(0.0), of::<L, _>(&ERRORS_INVERSE));
    let w = L::select(log.lt(zero), -log, zero);
    let row = table.start.row(interval(table.bits, w));
    let y = x.0 * row.limb_value(w - row.head(0));
    let parts = Parts::of((y, zero));
    let n = parts.e.exponent();
    // What is missing, and the slope but for a factor, both times 2^-n.
    let (p, (h, l)) = (power::<L>(integer::<L>(0) - n), parts.s);
    let near = ((x.0 - h) * p, (x.1 - l) * p);
    let (a, b) = (parts.e.times(parts.v), tail(n));
    let d = select2(parts.small, near, (a.0 - b.0, a.1 - b.1));
    let d = fast_two_sum(d.0, d.1);
    let slope = parts.e.value();
    let r = slope.0.rcp_moderate();
    let first = d.0 * r;
    let second = r * slope.1.fma(-first, slope.0.fma(-first, d.0) + d.1);
    let (kh, kl) = (L::lit(table.half_root.0), L::lit(table.half_root.1));
    let (d, e) = two_prod(first, kh);
    let e = first.fma(kl, second.fma(kh, e));
    let s = y * d;
    let bend = (s * s).fma(L::lit(4.0 / 3.0), (d * d).fma(L::lit(1.0 / 3.0), s));
    let (h, l) = fast_two_sum(y, d);
    fast_two_sum(h, l + d.fma(bend, e))
}
