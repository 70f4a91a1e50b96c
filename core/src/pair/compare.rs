//! Comparisons of pairs by value.

use super::add::normalize;
use super::range::is_finite;
use crate::machine::{Limb, Machine, MaskOf};

/// The pair of the same value with hi = RN(hi + lo); (value, +0) where it is not finite. Two additions and a test for
/// a pair that is so already.
#[inline(always)]
pub fn canonical<L: Limb>(x: (L, L)) -> (L, L) {
    L::M::branch(!is_canonical(x), x, || normalize(x))
}

/// hi = RN(hi + lo) and hi is finite: the difference of infinities is NaN.
#[inline(always)]
pub(crate) fn is_canonical<L: Limb>(x: (L, L)) -> MaskOf<L> {
    ((x.0 + x.1) - x.0).eq(L::lit(0.0))
}

/// As [`is_canonical`], with one operation less, and true for an infinite hi with a lo that leaves it so.
#[inline(always)]
pub(crate) fn is_rounded<L: Limb>(x: (L, L)) -> MaskOf<L> {
    (x.0 + x.1).eq(x.0)
}

/// Both pairs canonical; halved first where a sum of limbs overflows, which keeps their order.
#[inline(always)]
fn canonical2<L: Limb>(x: (L, L), y: (L, L)) -> ((L, L), (L, L)) {
    let plain = is_canonical(x) & is_canonical(y);
    L::M::branch(!plain, (x, y), || {
        let overflow = |x: (L, L)| is_finite(x.0) & is_finite(x.1) & !is_finite(x.0 + x.1);
        let s = L::select(overflow(x) | overflow(y), L::lit(0.25), L::lit(1.0));
        (normalize((x.0 * s, x.1 * s)), normalize((y.0 * s, y.1 * s)))
    })
}

/// x = y as numbers; false where one is NaN.
#[inline(always)]
pub fn eq<L: Limb>(x: (L, L), y: (L, L)) -> MaskOf<L> {
    let (x, y) = canonical2(x, y);
    x.0.eq(y.0) & x.1.eq(y.1)
}

/// x < y; false where one is NaN.
#[inline(always)]
pub fn lt<L: Limb>(x: (L, L), y: (L, L)) -> MaskOf<L> {
    let (x, y) = canonical2(x, y);
    x.0.lt(y.0) | (x.0.eq(y.0) & x.1.lt(y.1))
}

/// x <= y; false where one is NaN.
#[inline(always)]
pub fn le<L: Limb>(x: (L, L), y: (L, L)) -> MaskOf<L> {
    let (x, y) = canonical2(x, y);
    x.0.lt(y.0) | (x.0.eq(y.0) & x.1.le(y.1))
}
