//! Square root and its reciprocal, one sequence for all levels.

use super::range::{is_finite, select2, value_limb};
use crate::eft::fast_two_sum;
use crate::machine::{Limb, Machine, MaskOf, exp2};
use crate::pair::add::normalize;

/// sqrt(x).
#[inline(always)]
pub fn sqrt<L: Limb>(x: (L, L)) -> (L, L) {
    let r = sqrt_core(x);
    L::M::branch(!in_range(x.0), r, || rare(x, sqrt_core, L::lit(exp2(-L::SCALE / 2)), |v| v.sqrt()))
}

#[inline(always)]
fn sqrt_core<L: Limb>(x: (L, L)) -> (L, L) {
    let (s, w) = x.0.sqrt_rcp();
    let w = w * L::lit(0.5);
    let rest = x.1 + s.fma(-s, x.0);
    let q = rest * w;
    let e = (s + s).fma(-q, rest);
    fast_two_sum(s, e.fma(w, q))
}

/// 1 / sqrt(x).
#[inline(always)]
pub fn rsqrt<L: Limb>(x: (L, L)) -> (L, L) {
    let r = rsqrt_core(x);
    L::M::branch(!in_range(x.0), r, || rare(x, rsqrt_core, L::lit(exp2(L::SCALE / 2)), |v| v.sqrt().rcp()))
}

#[inline(always)]
fn rsqrt_core<L: Limb>(x: (L, L)) -> (L, L) {
    let (s, w) = x.0.sqrt_rcp();
    let d = s.fma(-w, L::lit(1.0));
    let rest = x.1 + s.fma(-s, x.0);
    let t = rest * w;
    let e = t.fma(-(w * L::lit(0.5)), d);
    let e = (e * L::lit(1.5)).fma(e, e);
    fast_two_sum(w, w * e)
}

/// hi is positive, finite and so large that the remainder of the root is exact.
#[inline(always)]
fn in_range<L: Limb>(a: L) -> MaskOf<L> {
    let (least, _) = L::DIV_RANGE;
    L::lit(exp2(least)).le(a) & is_finite(a)
}

/// The same from a scaled operand where hi is small, and the limb's own result for special values. `undo` takes the
/// root of 2^SCALE out of the result.
fn rare<L: Limb>(x: (L, L), core: impl Fn((L, L)) -> (L, L), undo: L, special: impl Fn(L) -> L) -> (L, L) {
    let zero = L::lit(0.0);
    let v = normalize(x);
    let up = L::lit(exp2(L::SCALE));
    let r = core((v.0 * up, v.1 * up));
    let r = (r.0 * undo, r.1 * undo);
    let ordinary = zero.lt(v.0) & is_finite(v.0);
    select2(ordinary, r, (special(value_limb(v)), zero))
}
