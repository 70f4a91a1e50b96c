//! Division of pairs.

use super::range::{in_range, is_finite2, scale, select2, unscale, value_limb};
use crate::machine::{Limb, Machine, exp2};

/// a / b, unnormalised. 6 operations and a reciprocal. Error at most 10.75 u^2 to first order; measured 10.39 at
/// p = 24, 10.50 at p = 53.
///
/// One more fused operation than the published sequence, which reaches 13.3: the residual of the quotient serves twice,
/// for lo and for the corrected quotient that the trailing limb of b is multiplied with.
#[inline(always)]
pub fn div_low<L: Limb>(a: (L, L), b: (L, L)) -> (L, L) {
    let r = b.0.rcp();
    let q = a.0 * r;
    let e = b.0.fma(-q, a.0);
    let corrected = r.fma(e, q);
    let t = b.1.fma(-corrected, a.1);
    (q, r.fma(e, r * t))
}

/// a / b. 13 operations and a reciprocal (Nagai, Yoshida, Kuroda and Kanada 2008). Error at most 10 u^2,
/// measured 8.92 at p = 24, 8.98 at p = 53.
#[inline(always)]
pub fn div_mid<L: Limb>(a: (L, L), b: (L, L)) -> (L, L) {
    div_with(a, b, b.0.rcp())
}

#[inline(always)]
fn div_with<L: Limb>(a: (L, L), b: (L, L), r: L) -> (L, L) {
    let h = a.0 * r;
    let e = b.0.fma(-h, a.0);
    let h = r.fma(e, h);
    let l = b.0.fma(-h, a.0);
    let l = a.1 + l;
    let l = b.1.fma(-h, l);
    let e = r * l;
    let l = b.0.fma(-e, l);
    let l = r.fma(l, e);
    let hi = h + l;
    (hi, (h - hi) + l)
}

/// a / b. [`div_mid`] and tests of the operands' and the result's range; scaled where one fails. Error at most 10 u^2.
#[inline(always)]
pub fn div_high<L: Limb>(a: (L, L), b: (L, L)) -> (L, L) {
    let r = div_with(a, b, b.0.rcp_moderate());
    let (least, limit) = (L::lit(exp2(L::DIV_RANGE.0)), L::lit(exp2(L::DIV_RANGE.1)));
    // A dividend that is too large, infinite or NaN shows in the quotient.
    let moderate = least.le(a.0.abs()) & (least.le(b.0.abs()) & b.0.abs().lt(limit));
    L::M::branch(!(moderate & in_range(r, 2)), r, || div_rare(a, b))
}

fn div_rare<L: Limb>(a: (L, L), b: (L, L)) -> (L, L) {
    let zero = L::lit(0.0);
    let (x, _, fx) = scale(a);
    let (y, sy, _) = scale(b);
    // Limbs without lo whose quotient loses bits to underflow: hi is the correctly rounded quotient of the limbs.
    let h = x.0.div(y.0);
    let limbs = (h, h.fma(-y.0, x.0).div(y.0));
    let lo_zero = x.1.eq(zero) & y.1.eq(zero);
    let small = (h * (fx * sy)).abs().lt(L::lit(exp2(L::MIN_EXP + L::P as i32 + 2)));
    let q = select2(lo_zero & small, limbs, div_with(x, y, y.0.rcp_moderate()));
    let r = unscale(q, fx, sy);
    let signed_zero = (zero.copysign(h), zero);
    let r = select2(r.0.eq(zero), signed_zero, r);
    // A zero divisor or dividend is as special as an infinity or NaN.
    let special = (value_limb(a).div(value_limb(b)), zero);
    let ordinary = is_finite2(a) & is_finite2(b) & !x.0.eq(zero) & !y.0.eq(zero);
    select2(ordinary, r, special)
}
