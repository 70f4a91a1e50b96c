//! The error function, its complement, and the normal distribution.
//!
//! With E(y) = e^(y^2) erfc y, of which intervals have polynomials, erfc y = e^(-y^2) E(y) for y > 0. The square enters the
//! exponential in three limbs, so that no rounding is multiplied by y^2. Near 0 erf y = y + y S(y^2), and everything else
//! is a difference of these that cancels little. (Cody 1969 has the same parts, with rational functions.)

use super::exp::{self, is_moderate};
use super::exponent::frexp;
use super::kernel::{polynomial2, quotient, square, square3, times_one_plus};
use super::pow::times;
use super::scale::{power, scale_any, tidy};
use super::sign::with_sign;
use super::tables::{ERRORS, EXP, Errors, interval, of};
use crate::eft::fast_two_sum;
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_rounded, neg, select2};

/// erf v, the integral of 2 / sqrt(pi) e^(-t^2) from 0 to v. Any pair; -1 and 1 at the infinities; a zero is itself. Odd to the
/// bit, never beyond 1. Error below 1 ulp; the largest found is 0.82 ulp for pairs of binary32, 0.57 for pairs of binary64.
/// C23 7.12.8.1.
#[inline(always)]
pub fn erf<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let least = L::lit(exp2(L::MIN_EXP + L::P as i32 + 4));
    let parts = Parts::of(x);
    let usual = with_sign(parts.odd(parts.tail(0)), x.0);
    let plain = least.le(x.0.abs()) & parts.is_moderate() & is_rounded(x);
    L::M::branch(!plain, usual, || {
        let v = canonical(x);
        let parts = Parts::of(limited(v, 1.0));
        let r = parts.odd(parts.tail_any(0));
        // Near 0 the series is its first term.
        let digits = 2 * L::P as i32;
        let s = L::lit(exp2(digits));
        let tiny = scale_any(Parts::of((v.0 * s, v.1 * s)).s, integer::<L>(-digits));
        let r = tidy(with_sign(select2(v.0.abs().lt(least), tiny, r), v.0));
        let zero = L::lit(0.0);
        select2(v.0.eq(v.0) & !v.0.eq(zero), r, (v.0, zero))
    })
}

/// 1 - erf v. Any pair; 2 and +0 at the infinities; hi is rounded once where it is subnormal. Error below
/// 1.6 ulp; the largest found is 1.51 ulp for pairs of binary32, 1.06 for pairs of binary64. C23 7.12.8.2.
#[inline(always)]
pub fn erfc<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    integral(x, Parts::of, 1.0, false, 0)
}

/// The probability of a number below v where it is distributed normally: erfc(-v / sqrt 2) / 2. Any pair; +0 and 1 at the
/// infinities; hi is rounded once where it is subnormal. Error below 1.5 ulp; the largest found is 1.24 ulp for pairs of binary32,
/// 0.89 for pairs of binary64. CUDA math API, normcdf.
#[inline(always)]
pub fn normcdf<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    integral(x, Parts::of_normal, core::f64::consts::SQRT_2, true, -1)
}

/// e^(v^2) erfc v. Any pair; infinity and +0 at the infinities. Error below 1.5 ulp; the largest found is 1.02 ulp. C has no such
/// function; CUDA math API, erfcx.
#[inline(always)]
pub fn erfcx<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, far) = (L::lit(0.0), L::lit(errors::<L>().far));
    let parts = Parts::scaled(x);
    let near = |parts: &Parts<L>, x: (L, L)| x.0.lt(far) & (zero.le(x.0) | parts.is_moderate());
    let plain = near(&parts, x) & is_rounded(x);
    L::M::branch(!plain, parts.scaled_complement(x.0), || {
        let v = canonical(x);
        let parts = Parts::scaled(select2(v.0.lt(zero), limited(v, 1.0), v));
        let large = scale_any(parts.e.times((L::lit(2.0), zero)), parts.e.exponent());
        let r = select2(v.0.lt(zero), large, beyond(x));
        let r = tidy(select2(near(&parts, v), parts.scaled_complement(v.0), r));
        select2(v.0.eq(v.0), r, (v.0, zero))
    })
}

#[inline(always)]
fn errors<L: Limb>() -> &'static Errors {
    of::<L, _>(&ERRORS)
}

#[inline(always)]
pub(super) fn integer<L: IeeeLimb>(n: i32) -> U32<L>
where
    L::M: WordMachine,
{
    U32::<L>::lit(n as i64 as u64)
}

/// x, or a number with its sign where erfc is 0 or 2, which are this many times as far out.
fn limited<L: Limb>(x: (L, L), unit: f64) -> (L, L) {
    let end = L::lit(errors::<L>().end * unit);
    select2(x.0.abs().lt(end), x, (end.copysign(x.0), L::lit(0.0)))
}

/// 2^k erfc of y, which `of` makes of x, and which has the other sign where `opposite`.
#[inline(always)]
fn integral<L: IeeeLimb>(x: (L, L), of: impl Fn((L, L)) -> Parts<L>, unit: f64, opposite: bool, k: i32) -> (L, L)
where
    L::M: WordMachine,
{
    let parts = of(x);
    let minus = |x: L| if opposite { L::lit(0.0).lt(x) } else { x.lt(L::lit(0.0)) };
    let usual = parts.complement(minus(x.0), parts.tail(k), k);
    let least = L::lit(exp2(L::MIN_EXP + L::P as i32));
    let plain = least.lt(x.0.abs()) & parts.is_moderate() & is_rounded(x);
    L::M::branch(!plain, usual, || {
        let v = canonical(x);
        let parts = of(limited(v, unit));
        let r = tidy(parts.complement(minus(v.0), parts.tail_any(k), k));
        select2(v.0.eq(v.0), r, (v.0, L::lit(0.0)))
    })
}

/// e^(x^2) erfc x of any pair beyond the table, by the asymptotic series.
fn beyond<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (m, n) = frexp(x);
    let over = m.0.rcp_moderate();
    let r = quotient((L::lit(1.0), L::lit(0.0)), m, over);
    // From there on the series is its first term.
    let most = integer::<L>(2 * L::P as i32);
    let s = power::<L>(integer::<L>(0) - <U32<L> as Value>::select(n.lt_signed(most), n, most));
    let (h, l) = polynomial2(errors::<L>().tail, square((r.0 * s, r.1 * s)));
    let y = scale_any(quotient(fast_two_sum(h, l), m, over), integer::<L>(0) - n);
    let zero = L::lit(0.0);
    select2(m.0.lt(L::lit(f64::INFINITY)), y, (zero, zero))
}

/// Of a number y.
pub(super) struct Parts<L: IeeeLimb>
where
    L::M: WordMachine,
{
    /// Whether |y| is in the first row.
    pub small: MaskOf<L>,
    /// erf |y| there.
    pub s: (L, L),
    /// E(|y|) elsewhere.
    pub v: (L, L),
    /// e^(-y^2), or e^(y^2).
    pub e: exp::Parts<L>,
    /// The exponent.
    q: L,
}

impl<L: IeeeLimb> Parts<L>
where
    L::M: WordMachine,
{
    /// For e^(-x^2).
    #[inline(always)]
    pub fn of(x: (L, L)) -> Self {
        let (h, l, rest) = square3(x);
        Self::new(x, (h, l), is_small(x.0), (-h, -l, -rest))
    }

    /// For y = x / sqrt 2 and e^(-x^2 / 2). The error of y is multiplied by less than 1 in E; not so in the exponential.
    #[inline(always)]
    fn of_normal(x: (L, L)) -> Self {
        let [a, b, c] = errors::<L>().half_root.map(L::lit);
        let (h, l, rest) = times((a, b, c), x);
        let (p, q, third) = square3(x);
        let half = L::lit(-0.5);
        let (p, q) = (p * half, q * half);
        Self::new((h, l + rest), (-p, -q), is_small(h), (p, q, third * half))
    }

    /// For e^(x^2), without the first row where x is positive.
    #[inline(always)]
    fn scaled(x: (L, L)) -> Self {
        let q = square3(x);
        Self::new(x, (q.0, q.1), is_small(x.0) & x.0.lt(L::lit(0.0)), q)
    }

    #[inline(always)]
    fn new(y: (L, L), square: (L, L), small: MaskOf<L>, exponent: (L, L, L)) -> Self {
        let (table, lit) = (errors::<L>(), U32::<L>::lit);
        let y = with_sign(y, L::lit(1.0));
        let j = <U32<L> as Value>::select(small, lit(0), interval(table.bits, y.0) + lit(1));
        let row = table.pieces.row(j);
        let v = row.at(select2(small, square, row.beyond(0, y)));
        let (p, q, third) = exponent;
        Parts { small, s: times_one_plus(y, v), v, e: exp::Parts::new(of::<L, _>(&EXP), (p, q), Some(third)), q: p }
    }

    /// The exponential is far from overflow and underflow.
    #[inline(always)]
    fn is_moderate(&self) -> MaskOf<L> {
        is_moderate(of::<L, _>(&EXP), self.q)
    }

    /// 2^k erfc |y| where it is not small, and the exponential is moderate.
    #[inline(always)]
    fn tail(&self, k: i32) -> (L, L) {
        let ((h, l), s) = (self.e.times(self.v), self.e.scale() * L::lit(exp2(k)));
        (h * s, l * s)
    }

    /// The same wherever it is not small, hi rounded once.
    fn tail_any(&self, k: i32) -> (L, L) {
        scale_any(self.e.times(self.v), self.e.exponent() + integer::<L>(k))
    }

    /// erf |y|, with its complement.
    #[inline(always)]
    fn odd(&self, tail: (L, L)) -> (L, L) {
        let (h, e) = fast_two_sum(L::lit(1.0), -tail.0);
        select2(self.small, self.s, fast_two_sum(h, e - tail.1))
    }

    /// 2^k erfc of y or, where `minus`, -|y|.
    #[inline(always)]
    fn complement(&self, minus: MaskOf<L>, tail: (L, L), k: i32) -> (L, L) {
        let limb = |x: f64| L::lit(x * exp2(k));
        let base = L::select(self.small, limb(1.0), L::select(minus, limb(2.0), limb(0.0)));
        let t = select2(self.small, (self.s.0 * limb(1.0), self.s.1 * limb(1.0)), tail);
        let t = select2(self.small ^ minus, neg(t), t);
        let (h, e) = fast_two_sum(base, t.0);
        fast_two_sum(h, e + t.1)
    }

    /// e^(x^2) erfc x, which is e^(x^2) (1 + erf |x|) or 2 e^(x^2) - E(|x|) for negative x.
    #[inline(always)]
    fn scaled_complement(&self, x: L) -> (L, L) {
        let (zero, one) = (L::lit(0.0), L::lit(1.0));
        let (h, l) = fast_two_sum(one, self.s.0);
        let factor = select2(self.small, fast_two_sum(h, l + self.s.1), (L::lit(2.0), zero));
        let ((h, l), s) = (self.e.times(factor), self.e.scale());
        let rest = select2(self.small, (zero, zero), self.v);
        let (h, e) = fast_two_sum(h * s, -rest.0);
        select2(x.lt(zero), fast_two_sum(h, e + (l * s - rest.1)), self.v)
    }
}

#[inline(always)]
fn is_small<L: Limb>(x: L) -> MaskOf<L> {
    x.abs().lt(L::lit(errors::<L>().small))
}
