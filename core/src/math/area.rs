//! Inverse hyperbolic functions: log(1 + a) of an a that is found to a limb and corrected by what is left of its equation, so
//! that 1 + a is known in three limbs.

use super::exponent::overflows;
use super::hyper::{magnitude, special, with_sign};
use super::kernel::{quotient3, square};
use super::log::{Parts, any, plus_one};
use super::tables::{LOG, of};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, WordMachine, exp2};
use crate::pair::{canonical, is_rounded, select2, sqrt};

/// The number whose hyperbolic sine is v. Any pair; a zero and an infinity are themselves. Odd to the bit. log(1 + v + q) with
/// q (q + 2) = v^2. Measured error 1.10 ulp for pairs of binary32, 0.64 for pairs of binary64. C23 7.12.5.2.
#[inline(always)]
pub fn asinh<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let size = magnitude(x);
    let (zero, limit) = (L::lit(0.0), L::lit(far::<L>()));
    let plain = size.0.lt(limit) & zero.lt(size.0) & is_rounded(x);
    L::M::branch(!plain, with_sign(sine(size), x.0), || {
        // A sum that overflows has a logarithm still.
        let v = select2(overflows(x), x, canonical(x));
        let size = magnitude(v);
        // 1 is far below all digits of v^2.
        let large = with_sign(any(of::<L, _>(&LOG), size, Some(1.0)), v.0);
        special(v, select2(size.0.lt(limit), with_sign(sine(size), v.0), large), v.0)
    })
}

/// The number from 0 on whose hyperbolic cosine is v. Any pair; NaN below 1, +0 for 1, infinity at infinity.
/// log(v + sqrt(v^2 - 1)). Measured error 0.61 and 0.51 ulp. C23 7.12.5.1.
#[inline(always)]
pub fn acosh<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one, limit) = (L::lit(0.0), L::lit(1.0), L::lit(far::<L>()));
    let near = L::lit(exp2(near_one::<L>()));
    let t = two_sum(x.0 - one, x.1);
    let plain = x.0.lt(limit) & near.le(t.0) & is_rounded(x);
    L::M::branch(!plain, cosine(x), || {
        let v = canonical(x);
        let t = two_sum(v.0 - one, v.1);
        let large = any(of::<L, _>(&LOG), x, Some(1.0));
        // sqrt(2 t) (1 - t / 12 + ...).
        let small = sqrt((t.0 + t.0, t.1 + t.1));
        let r = select2(t.0.lt(near), small, select2(v.0.lt(limit), cosine(v), large));
        let r = select2(zero.le(t.0), r, (L::lit(f64::NAN), zero));
        (r.0, r.1 + zero)
    })
}

/// The number whose hyperbolic tangent is v. Any pair; NaN beyond 1, infinities for 1 and -1; a zero is itself. Odd to the bit.
/// log(1 + 2 v / (1 - v)) / 2. Measured error 0.70 and 0.39 ulp. C23 7.12.5.3.
#[inline(always)]
pub fn atanh<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one, half) = (L::lit(0.0), L::lit(1.0), L::lit(0.5));
    let size = magnitude(x);
    let (least, near) = (L::lit(exp2(-8 - L::P as i32)), L::lit(exp2(near_one::<L>())));
    let less = |size: (L, L)| two_sum(one - size.0, -size.1).0;
    let plain = least.le(size.0) & near.le(less(size)) & is_rounded(x);
    L::M::branch(!plain, with_sign(tangent(size), x.0), || {
        let v = canonical(x);
        let size = magnitude(v);
        // log(2 / d) / 2 where 1 + v is 2 to all digits.
        let d = less(size);
        let (h, l) = any(of::<L, _>(&LOG), (d, zero), Some(-1.0));
        let beside = (h * -half, l * -half);
        let r = select2(d.lt(near), beside, tangent(size));
        let r = select2(size.0.lt(least), size, select2(zero.le(d), r, (L::lit(f64::NAN), zero)));
        special(v, with_sign(r, v.0), v.0)
    })
}

/// Beyond this the square's neighbour does not matter.
const fn far<L: Limb>() -> f64 {
    exp2(L::P as i32 + 4)
}

/// Nearer to 1 than 2 to this power a square root is all there is, or a logarithm.
const fn near_one<L: Limb>() -> i32 {
    -5 * (L::P as i32) / 2
}

/// asinh x for x > 0 below [`far`].
///
/// q is x^2 / (1 + sqrt(1 + x^2)) to a limb, and one step of Newton's iteration more.
#[inline(always)]
fn sine<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let one = L::lit(1.0);
    let z = square(x);
    let (s, w) = (z.0 + one).sqrt_rcp();
    let q = z.0 * (s + one).rcp_moderate();
    let (p, e) = two_prod(q, q);
    let (a, b) = two_sum(z.0, -(q + q));
    let d = ((a - p) + (b + (z.1 - e))) * (w * L::lit(0.5));
    // q may be rounded to a number above hi.
    let (h, l) = two_sum(x.0, q);
    let (l, rest) = two_sum(l, x.1);
    log_of(plus_one((h, l)), rest + d)
}

/// acosh x for x > 1 below [`far`], and not too near to 1.
///
/// Of t (t + 2) the root is s + d to a limb, and what is left of it gives a limb more.
#[inline(always)]
fn cosine<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let one = L::lit(1.0);
    let (s, e) = two_sum(x.0, -one);
    let t = two_sum(s, e + x.1);
    let (s, e) = two_sum(x.0, one);
    let (f, g) = fast_two_sum(s, e + x.1);
    let (h, l) = two_prod(t.0, f);
    let (s, w) = h.sqrt_rcp();
    let half = w * L::lit(0.5);
    let (c, e1) = two_sum(s.fma(-s, h), l);
    let (c, e2) = two_sum(c, t.1.fma(f, t.0 * g));
    let d = c * half;
    let left = (s + s).fma(-d, c) + (e1 + e2);
    let (a, e) = two_sum(x.0, s);
    let (b, r1) = two_sum(e, x.1);
    let (b, r2) = two_sum(b, d);
    log_of((fast_two_sum(a, b), r1 + r2), d.fma(-d, left) * half)
}

/// atanh x for x below 1, neither small nor too near to 1.
#[inline(always)]
fn tangent<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (one, half) = (L::lit(1.0), L::lit(0.5));
    let (s, e) = two_sum(one, -x.0);
    let (t, third) = two_sum(e, -x.1);
    let (s, t) = fast_two_sum(s, t);
    let a = quotient3((x.0 + x.0, x.1 + x.1), [s, t, third], s.rcp_moderate());
    let (y, rest) = plus_one(a);
    let (h, l) = log_of((y, rest), L::lit(0.0));
    (h * half, l * half)
}

/// The logarithm of a sum of three limbs and a fourth, as small as the third may be.
#[inline(always)]
fn log_of<L: IeeeLimb>((y, third): ((L, L), L), fourth: L) -> (L, L)
where
    L::M: WordMachine,
{
    Parts::new(of::<L, _>(&LOG), y, Some(third + fourth)).value()
}
