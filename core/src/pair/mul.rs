//! Multiplication of pairs.

use super::range::{in_range, is_finite2, scale, select2, unscale, value_limb};
use crate::eft::{fast_two_sum, two_prod};
use crate::machine::{Limb, Machine};

/// x y, unnormalised, rounded after every partial product. 5 operations. Error at most 5.5 u^2,
/// measured 4.9966 at p = 24, 5.0000 at p = 53.
#[inline(always)]
pub fn mul_low<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let (h, l) = two_prod(x.0, y.0);
    let l = x.1.fma(y.1, l);
    let l = x.0.fma(y.1, l);
    let l = x.1.fma(y.0, l);
    (h, l)
}

/// x y. 9 operations (Dekker 1971 with a fused product; JMP algorithm 10). Error at most 5 u^2 (Muller and Rideau
/// 2022), measured 5.0000.
#[inline(always)]
pub fn mul_mid<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let (c, d) = two_prod(x.0, y.0);
    let q = x.0 * y.1 + x.1 * y.0;
    let d = d + q;
    fast_two_sum(c, d)
}

/// x y. [`mul_mid`] and a test of the result's range.
#[inline(always)]
pub fn mul_high<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let r = mul_mid(x, y);
    L::M::branch(!in_range(r, 2), r, || mul_rare(x, y))
}

fn mul_rare<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let zero = L::lit(0.0);
    let (xs, _, fx) = scale(x);
    let (ys, _, fy) = scale(y);
    let r = unscale(mul_mid(xs, ys), fx, fy);
    let signed_zero = (zero.copysign(xs.0 * ys.0), zero);
    let r = select2(r.0.eq(zero), signed_zero, r);
    let special = (value_limb(x) * value_limb(y), zero);
    select2(is_finite2(x) & is_finite2(y), r, special)
}
