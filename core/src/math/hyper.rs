//! Hyperbolic sine, cosine and tangent, of e^|v| and of E = e^|v| - 1, whose relative error is small near 0 too.

use super::exp::{Parts, less_one, limited};
use super::kernel::{quotient, quotient3};
use super::tables::{EXP, EXPM1, of};
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, WordMachine};
use crate::pair::{canonical, is_rounded, select2, settle};

/// sinh v = (E + E / (1 + E)) / 2. Any pair; a zero and an infinity are themselves. Odd to the bit. Measured
/// error 0.90 ulp for pairs of binary32, 1.09 for pairs of binary64. C23 7.12.5.5.
#[inline(always)]
pub fn sinh<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    L::M::branch(!is_plain(x, reach::<L>()), sine(x), || {
        let x = canonical(x);
        // e^-|v| is below all digits.
        let far = Parts::new(of::<L, _>(&EXP), limited(of::<L, _>(&EXP), magnitude(x)), None).scaled_any(-1);
        let near = x.0.abs().lt(L::lit(reach::<L>()));
        special(x, select2(near, sine(x), with_sign(far, x.0)), x.0)
    })
}

/// cosh v = (e^|v| + e^-|v|) / 2. Any pair; infinity at infinities. Even to the bit. Measured error
/// 0.68 and 0.49 ulp. C23 7.12.5.4.
#[inline(always)]
pub fn cosh<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    L::M::branch(!is_plain(x, reach::<L>()), cosine(x), || {
        let x = canonical(x);
        let far = Parts::new(of::<L, _>(&EXP), limited(of::<L, _>(&EXP), magnitude(x)), None).scaled_any(-1);
        let near = x.0.abs().lt(L::lit(reach::<L>()));
        special(x, select2(near, cosine(x), far), L::lit(1.0))
    })
}

/// tanh v = E / (E + 2) for E = e^(2 |v|) - 1. Any pair; a zero is itself, +-1 at infinities, never beyond 1. Odd to the bit.
/// Measured error 1.02 and 0.99 ulp. C23 7.12.5.6.
#[inline(always)]
pub fn tanh<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    // Beyond this 1 is as near as u^2 / 8.
    let limit = 0.75 * f64::from(L::P);
    L::M::branch(!is_plain(x, limit), tangent(x), || {
        let x = canonical(x);
        let one = (L::lit(1.0), L::lit(0.0));
        let near = x.0.abs().lt(L::lit(limit));
        special(x, select2(near, tangent(x), with_sign(one, x.0)), x.0)
    })
}

/// e to this power is in the range of the reciprocal.
const fn reach<L: Limb>() -> f64 {
    if L::P == 53 { 640.0 } else { 64.0 }
}

#[inline(always)]
fn is_plain<L: Limb>(x: (L, L), limit: f64) -> MaskOf<L> {
    x.0.abs().lt(L::lit(limit)) & L::lit(0.0).lt(x.0.abs()) & is_rounded(x)
}

/// The result with lo = +0 where that is a zero; `at_zero` of zeros, NaN of NaN.
pub(super) fn special<L: Limb>(x: (L, L), r: (L, L), at_zero: L) -> (L, L) {
    let zero = L::lit(0.0);
    let r = settle((r.0, r.1 + zero));
    select2(x.0.eq(x.0), select2(x.0.eq(zero), (at_zero, zero), r), (x.0, zero))
}

#[inline(always)]
pub(super) fn magnitude<L: Limb>(x: (L, L)) -> (L, L) {
    with_sign(x, x.0)
}

/// x times the sign of `sign`.
#[inline(always)]
pub(super) fn with_sign<L: Limb>(x: (L, L), sign: L) -> (L, L) {
    let minus = sign.lt(L::lit(0.0));
    (L::select(minus, -x.0, x.0), L::select(minus, -x.1, x.1))
}

#[inline(always)]
fn sine<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let e = less_one(&Parts::new(of::<L, _>(&EXPM1), magnitude(x), None).renormalized());
    let d = plus(L::lit(1.0), e);
    let f = quotient(e, d, d.0.rcp_moderate());
    let (h, l) = fast_two_sum(e.0, f.0);
    let (h, l) = fast_two_sum(h, l + (e.1 + f.1));
    let half = L::lit(0.5);
    with_sign((h * half, l * half), x.0)
}

#[inline(always)]
fn cosine<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one, half) = (L::lit(0.0), L::lit(1.0), L::lit(0.5));
    let parts = Parts::new(of::<L, _>(&EXP), magnitude(x), None);
    let (y, s) = (parts.value(), parts.scale());
    let inverse = L::from_bits(one.bits() + (one.bits() - s.bits()));
    let i = quotient((one, zero), y, y.0.rcp_moderate());
    let (s, inverse) = (s * half, inverse * half);
    // The first is the larger one, but for a rounding error.
    let (h, e) = fast_two_sum(y.0 * s, i.0 * inverse);
    fast_two_sum(h, e + (y.1 * s + i.1 * inverse))
}

#[inline(always)]
fn tangent<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (h, l) = magnitude(x);
    let e = less_one(&Parts::new(of::<L, _>(&EXPM1), (h + h, l + l), None).renormalized());
    let d = plus(L::lit(2.0), e);
    with_sign(quotient3(e, [d.0, d.1, L::lit(0.0)], d.0.rcp_moderate()), x.0)
}

/// c + x, normalised.
#[inline(always)]
fn plus<L: Limb>(c: L, x: (L, L)) -> (L, L) {
    let (s, e) = two_sum(c, x.0);
    fast_two_sum(s, e + x.1)
}
