//! x y + z of pairs: fused (the error of the leading fma is recovered) and composed.

use super::add::{add_high, add_low, add_mid};
use super::mul::{mul_high, mul_low, mul_mid};
use super::range::{in_range, is_finite, is_finite2, select2, unscale, value_limb};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{Limb, Machine, exp2};

/// RN(xh yh + zh) and its error, rounded (Boldo and Muller 2011). 12 operations.
#[inline(always)]
fn fma_error<L: Limb>(x: L, y: L, z: L) -> (L, L) {
    let r = x.fma(y, z);
    let (p, q) = two_prod(x, y);
    let (s, t) = two_sum(p, z);
    let a = s - r;
    let b = t + q;
    (r, a + b)
}

/// x y + z, unnormalised. 16 operations. Error at most 14 u^2 relative to |x y| + |z|, measured 7.00; no bound
/// relative to the result.
#[inline(always)]
pub fn fma_low<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
    let (r, l) = fma_error(x.0, y.0, z.0);
    let l = x.0.fma(y.1, l);
    let l = x.1.fma(y.0, l);
    let l = x.1.fma(y.1, l);
    (r, l + z.1)
}

/// x y + z. 19 operations. Error at most 15 u^2 relative to |x y| + |z|, measured 7.00; not normalised where the leading
/// terms cancel.
#[inline(always)]
pub fn fma_mid<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
    let (r, l) = fma_low(x, y, z);
    fast_two_sum(r, l)
}

/// x y + z, the errors of the small products kept. 37 operations and a test. Error at most 8 u^2 relative to
/// |x y| + |z|, measured 3.65.
#[inline(always)]
pub fn fma_high<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
    let r = fma_accurate(x, y, z);
    L::M::branch(!in_range(r, 6), r, || fma_rare(x, y, z, r))
}

#[inline(always)]
fn fma_accurate<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
    let (r, l) = fma_error(x.0, y.0, z.0);
    let (c1, d1) = two_prod(x.0, y.1);
    let (c2, d2) = two_prod(x.1, y.0);
    let (c, ce) = two_sum(c1, c2);
    let (l, ae) = two_sum(l, c);
    let g = d1 + d2;
    let g = ce + g;
    let g = ae + g;
    let g = x.1.fma(y.1, g);
    let g = g + z.1;
    fast_two_sum(r, l + g)
}

/// `plain` is the unscaled result, which stands unless an intermediate overflowed or z is small.
fn fma_rare<L: Limb>(x: (L, L), y: (L, L), z: (L, L), plain: (L, L)) -> (L, L) {
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let (up, down) = (L::lit(exp2(L::SCALE)), L::lit(exp2(-L::SCALE)));
    let small = L::lit(exp2(-L::SCALE_LIMIT));
    // lo is finite where hi is.
    let large = !is_finite(plain.0);
    // Where the product is not small the result is not either, unless they cancel.
    let small = z.0.abs().lt(small);

    // The product is scaled through its smaller factor upwards, through its larger one downwards.
    let s = L::select(large, down, L::select(small, up, one));
    let f = L::select(large, up, L::select(small, down, one));
    let x_larger = y.0.abs().le(x.0.abs());
    let on_x = (x_larger & large) | (!x_larger & !large);
    let (sx, sy) = (L::select(on_x, s, one), L::select(on_x, one, s));
    let scaled = fma_accurate((x.0 * sx, x.1 * sx), (y.0 * sy, y.1 * sy), (z.0 * s, z.1 * s));
    let back = unscale(scaled, one, f);
    let inexact = !((back.0 * s).eq(scaled.0) & (back.1 * s).eq(scaled.1));

    // Limbs without lo: hi is the fused operation of the limbs.
    let ieee = x.0.fma(y.0, z.0);
    let lo_zero = x.1.eq(zero) & y.1.eq(zero) & z.1.eq(zero);
    let normal = L::lit(exp2(L::MIN_EXP)).le(ieee.abs()) & is_finite(ieee);
    let lo = ((scaled.0 - ieee * s) + scaled.1) * f;
    let limbs = (ieee, L::select(normal, lo, zero));
    // A product that overflows even so decides alone; limbs far above a hi of 0 must not be scaled up.
    let overflow = !is_finite(scaled.0);
    let r = select2((lo_zero & inexact) | (overflow & large), limbs, back);
    let r = select2(overflow & !large, plain, r);

    // A zero keeps the sign that IEEE gives it; underflow keeps the sign of what underflowed.
    let of_limbs = L::select(ieee.eq(zero), ieee, zero);
    let sign = L::select(lo_zero | overflow | scaled.0.eq(zero), of_limbs, scaled.0);
    let r = select2(r.0.eq(zero), (zero.copysign(sign), zero), r);
    let special = (value_limb(x).fma(value_limb(y), value_limb(z)), zero);
    select2(is_finite2(x) & is_finite2(y) & is_finite2(z), r, special)
}

/// x y + z, unnormalised: [`mul_low`], then [`add_low`]. 13 operations. Error at most 12.5 u^2 relative to |x y| + |z|,
/// measured 10.99.
#[inline(always)]
pub fn mad_low<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
    add_low(mul_low(x, y), z)
}

/// x y + z: [`mul_low`], then [`add_mid`]. 16 operations. Error as [`mad_low`].
#[inline(always)]
pub fn mad_mid<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
    add_mid(mul_low(x, y), z)
}

/// x y + z: [`mul_high`], then [`add_high`], tested once. 29 operations and a test. Error at most 8 u^2 relative
/// to |x y| + |z|, measured 6.88.
#[inline(always)]
pub fn mad_high<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
    let r = super::add::add_accurate(mul_mid(x, y), z);
    L::M::branch(!in_range(r, 6), r, || add_high(mul_high(x, y), z))
}
