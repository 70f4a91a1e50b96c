//! Square root and its reciprocal, one sequence for all levels. Both start from the root of hi: operands must have
//! |hi| >= |lo|, at every level. Of limbs in inverted order the result is the same on every machine, but no root, unless hi
//! lies so far out that the operand is scaled, and normalised for it.

use super::range::{is_finite, select2, value_limb};
use crate::eft::fast_two_sum;
use crate::machine::{Limb, Machine, MaskOf, exp2};
use crate::pair::add::normalize;

/// sqrt(x). 7 operations, the seeds and a test. Error at most 25/8 u^2 to first order, as the sequence with a division
/// that it shortens (Lefèvre, Louvet, Muller, Picot and Rideau 2023); measured 3.0713 at p = 24, 3.1250 at p = 53.
#[inline(always)]
pub fn sqrt<L: Limb>(x: (L, L)) -> (L, L) {
    let r = sqrt_core(x);
    L::M::branch(!in_range(x.0), r, || sqrt_rare(x))
}

#[inline(always)]
pub(crate) fn sqrt_core<L: Limb>(x: (L, L)) -> (L, L) {
    let (s, w) = x.0.sqrt_rcp();
    let w = w * L::lit(0.5);
    let rest = s.fma(-s, x.0);
    fast_two_sum(s, rest.fma(w, x.1 * w))
}

/// 1 / sqrt(x). 13 operations, the seeds and a test. Error at most 3 u^2 to first order; measured 2.783 at p = 24,
/// 2.770 at p = 53. |lo| is at most half an ulp of hi.
#[inline(always)]
pub fn rsqrt<L: Limb>(x: (L, L)) -> (L, L) {
    let r = rsqrt_core(x);
    L::M::branch(!in_range(x.0), r, || rare(x, rsqrt_core, L::SCALE / 2, |v| v.sqrt().rcp()))
}

/// With s = RN(sqrt(xh)), w = RN(1 / s), d = 1 - s w, v = (x - s^2) w / 2 and q = v w, the root is
/// w / sqrt((1 - d)^2 + 2 q), which is w (1 + d - q + d^2 - 3 d q + 3/2 q^2 + ...).
#[inline(always)]
pub(crate) fn rsqrt_core<L: Limb>(x: (L, L)) -> (L, L) {
    let (s, w) = x.0.sqrt_rcp();
    let half = w * L::lit(0.5);
    let d = s.fma(-w, L::lit(1.0));
    let rest = s.fma(-s, x.0);
    let v = rest.fma(half, x.1 * half);
    // The terms of second order are (d - a q) (d - b q) with a + b = 3 and a b = 3/2.
    let q = v * w;
    let near = q.fma(L::lit(-0.633_974_596_215_561_4), d);
    let far = q.fma(L::lit(-2.366_025_403_784_439), d);
    let t = v.fma(-w, near.fma(far, d));
    let hi = w.fma(t, w);
    (hi, w.fma(t, w - hi))
}

/// hi is positive, so large that the remainder of the root is exact, and not near the overflow threshold.
#[inline(always)]
fn in_range<L: Limb>(a: L) -> MaskOf<L> {
    let (least, limit) = L::DIV_RANGE;
    L::lit(exp2(least)).le(a) & a.lt(L::lit(exp2(limit)))
}

/// The same from a scaled operand, and the limb's own result for special values. 2^`undo` is the root, or reciprocal
/// root, of 2^-SCALE.
fn rare<L: Limb>(x: (L, L), core: impl Fn((L, L)) -> (L, L), undo: i32, special: impl Fn(L) -> L) -> (L, L) {
    let zero = L::lit(0.0);
    let v = normalize(x);
    let small = v.0.lt(L::lit(1.0));
    let s = L::select(small, L::lit(exp2(L::SCALE)), L::lit(exp2(-L::SCALE)));
    let back = L::select(small, L::lit(exp2(undo)), L::lit(exp2(-undo)));
    let r = core((v.0 * s, v.1 * s));
    let r = (r.0 * back, r.1 * back);
    let ordinary = zero.lt(v.0) & is_finite(v.0);
    // Adding a zero lo would turn -0 into +0.
    let limb = L::select(x.1.eq(zero), x.0, value_limb(v));
    select2(ordinary, r, (special(limb), zero))
}

/// Without lo, hi is the correctly rounded root of hi: where the root lies so close to a midpoint that lo rounds to
/// half an ulp of hi, lo is taken just below it.
fn sqrt_rare<L: Limb>(x: (L, L)) -> (L, L) {
    let zero = L::lit(0.0);
    let r = rare(x, sqrt_core, -L::SCALE / 2, |v| v.sqrt());
    let root = x.0.sqrt();
    let half_ulp = (r.0 - root) + r.1;
    let below = L::lit(1.0 - exp2(-(L::P as i32)));
    // Not where hi agrees, and not for NaN, which differs from itself.
    let tie = x.1.eq(zero) & (root.lt(r.0) | r.0.lt(root));
    select2(tie, (root, half_ulp * below), r)
}
