//! The gamma function and its logarithm.
//!
//! For y >= 1 log gamma(y) = (y - 1/2)(log y - 1) + (log(2 pi) - 1) / 2 + S(y) (Stirling 1730), as the sum of three limbs: log y
//! has as many, and S, at most 0.08, is a polynomial in y on quarters of binades, beyond 8 one in 1/y^2 over y. Below 1 and below 0
//! gamma(x) = gamma(1 + x) / x and gamma(x) = (-1)^n (pi r / sin(pi r)) / (r gamma(1 - x)), where x = n + r: what is 1 / x and 1 / r
//! here is a divisor, or a logarithm; the rest is the logarithm's.

use super::exp::{self, limited};
use super::exponent::overflows;
use super::kernel::{product, quotient, reciprocal, square};
use super::log::{self, in_range};
use super::pow::{logarithm, times};
use super::round::{is_integer, is_odd, limb_nearest};
use super::scale::scale_any;
use super::tables::{EXP, GAMMA, LOG, of, quarter, row};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_finite, is_rounded, select2, settle};

/// The sum of three limbs.
type Triple<L> = (L, L, L);

/// gamma(v). Any pair; exact for integers while (v - 1)! is a pair; an infinity of v's sign for zeros, NaN for negative integers
/// and -infinity. hi is rounded once where it is subnormal. Measured error 1.28 ulp for pairs of binary32, 0.77 for pairs of
/// binary64. C23 7.12.8.4.
#[inline(always)]
pub fn tgamma<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let shifted = x.0.lt(one);
    let (y, rest) = shift(shifted, x);
    let p = log_gamma(y, rest, log::Parts::new(of::<L, _>(&LOG), y, Some(rest)), None);
    let power = exp::Parts::new(of::<L, _>(&EXP), (p.0, p.1), Some(p.2));
    let d = select2(shifted, x, (one, zero));
    let usual = power.times_scale(quotient(power.value(), d, d.0.rcp_moderate()));
    let whole = x.1.eq(zero) & is_integer(x.0);
    let plain = L::lit(least::<L>()).le(x.0) & p.0.lt(L::lit(most::<L>())) & is_rounded(x) & !whole;
    L::M::branch(!plain, usual, || {
        let x = canonical(x);
        L::M::branch(x.0.abs().lt(L::lit(end::<L>())), far_gamma(x), || any_gamma(x))
    })
}

/// From here on gamma(x) is infinite, or 0 however near to an integer x is.
const fn end<L: Limb>() -> f64 {
    if L::P == 53 { 330.0 } else { 70.0 }
}

/// There, and of NaN.
fn far_gamma<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let zero = L::lit(0.0);
    let (r, odd) = fraction(x);
    let nothing = L::select(odd ^ r.0.lt(zero), L::lit(-0.0), zero);
    let below = L::select(is_integer(x.0) & is_integer(x.1), L::lit(f64::NAN), nothing);
    let r = L::select(x.0.lt(zero), below, L::lit(f64::INFINITY));
    (L::select(x.0.eq(x.0), r, x.0), zero)
}

/// log |gamma(v)|. Any pair; +infinity for zeros, negative integers and infinities; +0 for 1 and 2. The error is relative, but below
/// -7 relative to log gamma(1 - v), since there are two zeros between integers. Measured error 1.21 and 0.59 ulp. C23 7.12.8.3.
#[inline(always)]
pub fn lgamma<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let zero = L::lit(0.0);
    let usual = sum(log_gamma(x, zero, log::Parts::new(of::<L, _>(&LOG), x, None), None));
    let plain = L::lit(2.5).le(x.0) & x.0.lt(L::lit(exp2(large::<L>()))) & is_rounded(x);
    L::M::branch(!plain, usual, || {
        let middle = L::lit(0.5).le(x.0) & x.0.lt(L::lit(2.5)) & is_rounded(x);
        L::M::branch(!middle, between(x), || any_log_gamma(x))
    })
}

/// From here to overflow tgamma takes no branch.
const fn least<L: Limb>() -> f64 {
    exp2(if L::P == 53 { -900 } else { -100 })
}

/// e to this power does not overflow; 0.69 is below log 2.
const fn most<L: Limb>() -> f64 {
    -0.69 * L::MIN_EXP as f64
}

/// From this power of 2 on arguments are scaled.
const fn large<L: Limb>() -> i32 {
    -L::MIN_EXP - 16
}

/// log gamma of y and a third limb for y >= 1, whose logarithm is that of `log`; times `scale` where the first term is all.
#[inline(always)]
fn log_gamma<L: IeeeLimb>(y: (L, L), rest: L, log: log::Parts<L>, scale: Option<L>) -> Triple<L>
where
    L::M: WordMachine,
{
    let [c, d] = of::<L, _>(&GAMMA).constant.map(L::lit);
    let (h, m, third) = logarithm(log);
    // log y - 1
    let (h, e) = two_sum(h, L::lit(-1.0));
    let (h, m) = two_sum(h, e + m);
    let (z, e) = two_sum(y.0, L::lit(-0.5));
    let z = (z, e + y.1);
    let z = scale.map_or(z, |s| (z.0 * s, z.1 * s));
    let p = times((h, m, third), z);
    let s = remainder(y);
    let t = add(add(p, (c, d)), s);
    // The derivative of the product is log y - 1, and 1 by the logarithm, which has the third limb already.
    (t.0, t.1, rest.fma(h, t.2))
}

/// The sum of a number and a pair; to the digits of the number's third limb.
#[inline(always)]
fn add<L: Limb>(x: Triple<L>, y: (L, L)) -> Triple<L> {
    let (h, a) = two_sum(x.0, y.0);
    let (l, b) = two_sum(x.1, y.1);
    let (l, c) = two_sum(l, a);
    let (h, l) = two_sum(h, l);
    (h, l, x.2 + (b + c))
}

/// As a pair, rounded.
#[inline(always)]
fn sum<L: Limb>(x: Triple<L>) -> (L, L) {
    let (h, l) = two_sum(x.0, x.1 + x.2);
    (h, l + L::lit(0.0))
}

/// S(y).
#[inline(always)]
fn remainder<L: IeeeLimb>(y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let table = &of::<L, _>(&GAMMA).stirling;
    let far = L::lit(8.0).le(y.0);
    let row = table.row(quarter(y.0, 1.0));
    let v = reciprocal(y);
    let near = row.beyond(0, y);
    let s = row.at(select2(far, square(v), near));
    select2(far, product(v, s), s)
}

/// log gamma(x) for 1/2 <= x < 5/2, by the factor x - 1 or x - 2.
#[inline(always)]
fn between<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let row = of::<L, _>(&GAMMA).middle.row(quarter(x.0, 0.5));
    let s = row.at(row.beyond(0, x));
    let f = row.beyond(1, x);
    let (h, l) = product(f, fast_two_sum(s.0, s.1));
    let (h, l) = fast_two_sum(h, l);
    (h, l + L::lit(0.0))
}

/// gamma(x) = (-1)^n e^p / d, where p is log gamma(1 + |x|), with the sign of x, and what reflection adds; d is x for 0 < x < 1,
/// x - n below 0, and 1 elsewhere.
struct Parts<L: Limb> {
    p: Triple<L>,
    d: (L, L),
    odd: MaskOf<L>,
}

impl<L: IeeeLimb> Parts<L>
where
    L::M: WordMachine,
{
    /// Of a canonical x and its magnitude, which may be limited; times `scale`, as [`log_gamma`].
    fn new(x: (L, L), a: (L, L), scale: Option<L>) -> Self {
        let (zero, one) = (L::lit(0.0), L::lit(1.0));
        let below = x.0.lt(zero);
        let shifted = x.0.lt(one);
        let (y, rest) = shift(shifted, a);
        let (m, n) = in_range(y);
        let log = log::Parts::new(of::<L, _>(&LOG), m, Some(rest)).times_power(n);
        let g = log_gamma(y, rest, log, scale);
        let (r, odd) = fraction(x);
        let q = reflection(r);
        let q = (L::select(below, q.0, zero), L::select(below, q.1, zero), L::select(below, q.2, zero));
        let sign = L::select(below, -one, one);
        let g = (g.0 * sign, g.1 * sign, g.2 * sign);
        let p = add((g.0, g.1, g.2 + q.2), (q.0, q.1));
        let d = select2(below, r, select2(shifted, x, (one, zero)));
        Parts { p, d, odd: odd & below }
    }
}

/// 1 + a where that is wanted, and a third limb.
#[inline(always)]
fn shift<L: Limb>(wanted: MaskOf<L>, a: (L, L)) -> ((L, L), L) {
    let (s, e) = two_sum(L::lit(1.0), a.0);
    let (t, rest) = two_sum(e, a.1);
    (select2(wanted, fast_two_sum(s, t), a), L::select(wanted, rest, L::lit(0.0)))
}

/// log(pi r / sin(pi r)) for |r| <= 1/2, which may cancel the other terms.
fn reflection<L: IeeeLimb>(r: (L, L)) -> Triple<L>
where
    L::M: WordMachine,
{
    let (h, a) = two_prod(r.0, r.0);
    let (m, b) = two_prod(r.0 + r.0, r.1);
    let (m, c) = two_sum(a, m);
    let (h, m) = fast_two_sum(h, m);
    let t = (h, m, r.1.fma(r.1, b + c));
    let j = h.fma(L::lit(16.0), L::lit(-0.5)) + exp::magic();
    let row = of::<L, _>(&GAMMA).reflection.row::<L>(j.bits().to_u32() & U32::<L>::lit(7));
    let (d, e) = two_sum(h, -row.head(0));
    let d = fast_two_sum(d, e + m);
    let s = row.at(d);
    let s = product(d, fast_two_sum(s.0, s.1));
    let (h, m, third) = add((row.head(1), row.head(2), row.head(3)), s);
    let p = times(t, (h, m));
    (p.0, p.1, third.fma(t.0, p.2))
}

/// x less the integer nearest to it, and whether that is odd.
fn fraction<L: Limb>(x: (L, L)) -> ((L, L), MaskOf<L>) {
    let ((n, a), (m, b)) = (limb_nearest(x.0), limb_nearest(x.1));
    let (h, l) = two_sum(a, b);
    let (k, h) = limb_nearest(h);
    (two_sum(h, l), is_odd(n) ^ is_odd(m) ^ is_odd(k))
}

/// gamma of any canonical pair before [`end`].
fn any_gamma<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let word = |n: i32| U32::<L>::lit(n as i64 as u64);
    let (e, table) = (of::<L, _>(&EXP), of::<L, _>(&GAMMA));
    let a = (x.0.abs(), x.1 * one.copysign(x.0));
    let Parts { p, d, odd } = Parts::new(x, a, None);
    // A small e^p over a small d: a power of two is taken out of the first.
    let k = (2 - L::MIN_EXP) * 3 / 2;
    let small = p.0.lt(L::lit(-0.5 * e.end));
    let raise = |c: f64| L::select(small, L::lit(c * f64::from(k)), zero);
    let [first, second, third] = of::<L, _>(&LOG).log2.map(raise);
    let p = add((p.0, p.1, p.2 + third), (first, second));
    let h = limited(e, (p.0, p.1));
    let third = L::select(p.0.abs().lt(L::lit(e.end)), p.2, zero);
    let power = exp::Parts::new(e, h, Some(third));
    let tiny = d.0.abs().lt(L::lit(exp2(L::MIN_EXP + 2 * L::P as i32)));
    let up = L::select(tiny, L::lit(exp2(-L::MIN_EXP)), one);
    let d = (d.0 * up, d.1 * up);
    let pick = |m: MaskOf<L>, n: i32| <U32<L> as Value>::select(m, word(n), word(0));
    let n = power.exponent() + pick(tiny, -L::MIN_EXP) - pick(small, k);
    let (h, l) = scale_any(quotient(power.value(), d, d.0.rcp_moderate()), n);
    let minus = L::select(odd, -one, one);
    let r = settle((h * minus, l * minus + zero));
    // Integers.
    let whole = is_integer(x.0) & is_integer(x.1);
    let last = L::lit((table.count - 1) as f64);
    let n = x.0 - one;
    let exact = whole & zero.le(n) & n.le(last);
    let j = (n + exp::magic()).bits().to_u32() & U32::<L>::lit(63);
    let j = <U32<L> as Value>::select(exact, j, word(0));
    let [h0, l0, h1, l1] = row(table.factorials, j.shr(word(1)));
    let factorial = select2((j & word(1)).eq(word(0)), (h0, l0), (h1, l1));
    let r = select2(exact, factorial, r);
    let nan = x.0.lt(zero) & whole;
    let special = L::select(nan, L::lit(f64::NAN), L::lit(f64::INFINITY).copysign(x.0));
    select2(nan | x.0.eq(zero), (special, zero), r)
}

/// log |gamma| of any pair.
fn any_log_gamma<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one, infinity) = (L::lit(0.0), L::lit(1.0), L::lit(f64::INFINITY));
    let over = overflows(x);
    let x = canonical(x);
    let sign = one.copysign(x.0);
    let a = (x.0.abs(), x.1 * sign);
    let huge = L::lit(exp2(large::<L>())).le(a.0);
    let scale = |huge: MaskOf<L>, n: i32| L::select(huge, L::lit(exp2(n)), one);
    let finite = is_finite(a.0);
    let a = select2(finite, a, (one, zero));
    let Parts { p, d, .. } = Parts::new(x, a, Some(scale(huge, -32)));
    // Less log |d|.
    let (m, n) = in_range((d.0.abs(), d.1 * one.copysign(d.0)));
    let log = logarithm(log::Parts::new(of::<L, _>(&LOG), m, None).times_power(n));
    let (h, l, third) = add(p, (-log.0, -log.1));
    let r = sum((h, l, third - log.2));
    let up = scale(huge, 32);
    let r = settle((r.0 * up, r.1 * up));
    let r = select2(is_rounded(x) & L::lit(0.5).le(x.0) & x.0.lt(L::lit(2.5)), between(x), r);
    let (near, local) = about_zero(x.0.lt(zero), a);
    let r = select2(near, local, r);
    let pole = x.0.le(zero) & is_integer(x.0) & is_integer(x.1);
    let r = select2(pole | over | x.0.abs().eq(infinity), (infinity, zero), r);
    select2(x.0.eq(x.0), r, (L::lit(f64::NAN), zero))
}

/// Whether -a is near a zero between -7 and -2, and log |gamma(-a)| there.
fn about_zero<L: IeeeLimb>(below: MaskOf<L>, a: (L, L)) -> (MaskOf<L>, (L, L))
where
    L::M: WordMachine,
{
    // Two zeros between integers, one on each side of the middle.
    let t = a.0.fma(L::lit(2.0), L::lit(-4.5)) + exp::magic();
    let inside = below & L::lit(2.0).lt(a.0) & a.0.lt(L::lit(7.0));
    let j = <U32<L> as Value>::select(inside, t.bits().to_u32() & U32::<L>::lit(15), U32::<L>::lit(0));
    let row = of::<L, _>(&GAMMA).zeros.row(j);
    let q = row.distance(a);
    let scale = row.head(4);
    let q = (q.0 * scale, q.1 * scale);
    let s = row.at(q);
    let (h, l) = product(q, fast_two_sum(s.0, s.1));
    let (h, l) = fast_two_sum(h, l);
    (inside & q.0.abs().lt(L::lit(0.125)), (h, l + L::lit(0.0)))
}
