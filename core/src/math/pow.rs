//! Powers: x^y = e^(y log x), with log x and the product in three limbs, since e^p multiplies their error by |p|.

use super::exp::{self, is_moderate, limited};
use super::exponent::canonical_below;
use super::kernel::{polynomial2, product, step2};
use super::log::{self, in_range, is_plain};
use super::round::{is_integer, is_odd};
use super::tables::{CUBIC, EXP, LOG, of};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, WordMachine};
use crate::pair::{is_finite, is_rounded, select2, settle};

/// x^y of the values. Any pairs; 1 for y = 0 or x = 1, NaN for a finite x < 0 and a finite y that is no integer, and the other
/// cases of C23 7.12.7.5 and F.10.4.5. The sign is that of x for odd y. Measured error 0.66 ulp
/// for pairs of binary32, 0.40 for pairs of binary64; 0.83 where lo is subnormal.
#[inline(always)]
pub fn pow<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let e = of::<L, _>(&EXP);
    let p = times(logarithm(log::Parts::new(of::<L, _>(&LOG), x, None)), y);
    let usual = exp::Parts::new(e, (p.0, p.1), Some(p.2)).scaled();
    L::M::branch(!(is_plain(x) & is_rounded(y) & is_moderate(e, p.0)), usual, || any(x, y))
}

/// x^y of any pairs.
fn any<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one, infinity) = (L::lit(0.0), L::lit(1.0), L::lit(f64::INFINITY));
    let e = of::<L, _>(&EXP);
    // A sum of limbs that overflows is an even integer still as a sixteenth; the logarithm is then that of x^16.
    let (y, over) = canonical_below(y);
    let s = L::select(over, L::lit(16.0), L::lit(1.0));
    let (x, n) = in_range(x);
    let sign = one.copysign(x.0);
    let (h, l) = (x.0.abs(), x.1 * sign);
    let unit = n.eq(zero) & h.eq(one) & l.eq(zero);
    let log = logarithm(log::Parts::new(of::<L, _>(&LOG), (h, l), None).times_power(n));
    // The logarithm of 0, infinity and NaN.
    let special = L::select(h.eq(zero), -infinity, h);
    let finite = zero.lt(h) & is_finite(h);
    let p = times((log.0 * s, log.1 * s, log.2 * s), y);
    let large = L::select(finite, log.0, special) * y.0;
    let number = finite & is_finite(p.0) & is_finite(p.1);
    let p0 = limited(e, select2(number, (p.0, p.1), (large, zero)));
    let third = L::select(number & p.0.abs().lt(L::lit(e.end)), p.2, zero);
    let r = exp::Parts::new(e, p0, Some(third)).scaled_any(0);
    let integer = is_integer(y.0) & is_integer(y.1);
    let invalid = sign.lt(zero) & finite & is_finite(y.0) & !integer;
    let odd = integer & (is_odd(y.0) ^ is_odd(y.1));
    let minus = L::select(sign.lt(zero) & odd, -one, one);
    let nan = invalid | !large.eq(large);
    let r = settle((L::select(nan, L::lit(f64::NAN), r.0 * minus), r.1.fma(minus, zero)));
    let ones = (unit & (zero.lt(sign) | y.0.abs().eq(infinity))) | y.0.eq(zero);
    select2(ones, (one, zero), r)
}

/// log x as the sum of three limbs, to 2 p + 10 bits.
#[inline(always)]
pub(super) fn logarithm<L: IeeeLimb>(x: log::Parts<L>) -> (L, L, L)
where
    L::M: WordMachine,
{
    let [a1, a2, a3] = x.whole();
    let (g, u, rest) = log1p(x.f, x.rest);
    let (k, e) = fast_two_sum(a1, g);
    let (m, d) = two_sum(e, a2);
    let (m, c) = two_sum(m, u);
    let (h, l) = fast_two_sum(k, m);
    let (l, rest) = fast_two_sum(l, (d + c) + (a3 + rest));
    (h, l, rest)
}

/// log(1 + f + q) as the sum of three limbs for a small f, and q below its digits.
///
/// f - f^2 / 2 + f^3 R(f). A pair will do for the last two terms with the digits of binary32; for binary64, where |y log x| may
/// be seven times as large, the exact half of a square is kept apart.
#[inline(always)]
fn log1p<L: Limb>(f: (L, L), q: L) -> (L, L, L) {
    let (x, l) = f;
    let r = polynomial2(*of::<L, _>(&CUBIC), f);
    let (a, b) = two_prod(x, x);
    let square = (a, (x + x).fma(l, b));
    // The derivative of the logarithm times q.
    let q = (-x).fma(q, q);
    if L::P < 53 {
        let w = product(square, step2(f, r, L::lit(-0.5)));
        let (s, e) = fast_two_sum(x, w.0);
        let (u, d) = two_sum(e, l);
        return (s, u, (w.1 + q) + d);
    }
    let cube = product(product(square, f), r);
    let half = L::lit(-0.5);
    let (s, e) = fast_two_sum(x, a * half);
    let (s, d) = fast_two_sum(s, cube.0);
    let (u, c1) = two_sum(e, l);
    let (u, c2) = two_sum(u, d);
    let (u, c3) = two_sum(u, square.1 * half);
    (s, u, ((cube.1 + q) + c1) + (c2 + c3))
}

/// y times a sum of three limbs, as the sum of three limbs.
#[inline(always)]
pub(super) fn times<L: Limb>(x: (L, L, L), y: (L, L)) -> (L, L, L) {
    let (p, p1) = two_prod(y.0, x.0);
    let (q, q1) = two_prod(y.0, x.1);
    let (z, z1) = two_prod(y.1, x.0);
    let (i, i1) = two_sum(q, z);
    let (i, i2) = two_sum(p1, i);
    let rest = y.1.fma(x.1, y.0.fma(x.2, q1 + z1)) + (i1 + i2);
    let (h, l) = fast_two_sum(p, i);
    (h, l, rest)
}
