//! Addition of pairs, accumulation of one limb, negation, renormalisation.

use super::range::{is_finite, is_finite2, select2, settle, value_limb};
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{Limb, Machine};

/// hi = RN(hi + lo) and the exact rest, where |hi| >= |lo|. 3 operations.
#[inline(always)]
pub fn renormalize<L: Limb>(x: (L, L)) -> (L, L) {
    fast_two_sum(x.0, x.1)
}

/// [`renormalize`] and a test: special values, signed zeros and overflow as at every high operation.
#[inline(always)]
pub fn renormalize_high<L: Limb>(x: (L, L)) -> (L, L) {
    let r = renormalize(x);
    L::M::branch(!r.1.abs().lt(r.0.abs()), r, || {
        let zero = L::lit(0.0);
        // Adding a zero lo would turn -0 into +0.
        let finite = settle((L::select(x.1.eq(zero), x.0, r.0), r.1));
        select2(is_finite2(x), finite, (value_limb(x), zero))
    })
}

/// -x, exactly.
#[inline(always)]
pub fn neg<L: Limb>(x: (L, L)) -> (L, L) {
    (-x.0, -x.1)
}

/// x + y, unnormalised. 8 operations (Dekker 1971; JMP algorithm 5). Error at most 3 u^2 for equal signs, measured
/// 3.0000; no bound relative to x + y under cancellation, 3 u^2 relative to |x| + |y|.
#[inline(always)]
pub fn add_low<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let (s, e) = two_sum(x.0, y.0);
    let t = x.1 + y.1;
    (s, t + e)
}

/// x + y. 11 operations (Dekker 1971; JMP algorithm 5). Error as [`add_low`].
#[inline(always)]
pub fn add_mid<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let (s, e) = add_low(x, y);
    fast_two_sum(s, e)
}

/// x + y for any signs. 20 operations and a test (Li et al. 2002; JMP algorithm 6). Error at most 3 u^2 + 13 u^3
/// (JMP; proof corrected by Muller and Rideau 2022), measured 3.0000.
#[inline(always)]
pub fn add_high<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let r = add_accurate(x, y);
    // A normalised result has |lo| < |hi| unless hi is 0 or not finite: one comparison finds every special case.
    L::M::branch(!r.1.abs().lt(r.0.abs()), r, || add_rare(x, y, r.0, add_accurate))
}

#[inline(always)]
pub(crate) fn add_accurate<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    let (sh, sl) = two_sum(x.0, y.0);
    let (th, tl) = two_sum(x.1, y.1);
    let c = sl + th;
    let (vh, vl) = fast_two_sum(sh, c);
    let w = tl + vl;
    fast_two_sum(vh, w)
}

/// The sum where hi comes out 0 or not finite: signed zeros, infinities, NaN, and sums near the overflow threshold,
/// which are formed from quarters. `plain` is the hi that comes out.
fn add_rare<L: Limb>(x: (L, L), y: (L, L), plain: L, sum: impl Fn((L, L), (L, L)) -> (L, L)) -> (L, L) {
    let zero = L::lit(0.0);
    let (quarter, four) = (L::lit(0.25), L::lit(4.0));
    let q = sum((x.0 * quarter, x.1 * quarter), (y.0 * quarter, y.1 * quarter));
    let finite = settle((q.0 * four, q.1 * four));
    // The sign of a zero is IEEE's where both lo are 0; a zero from cancelling limbs is +0.
    let lo_zero = x.1.eq(zero) & y.1.eq(zero);
    let exact_zero = L::select(lo_zero, x.0 + y.0, zero);
    let finite = select2(plain.eq(zero), (exact_zero, zero), finite);
    let special = (value_limb(x) + value_limb(y), zero);
    select2(is_finite2(x) & is_finite2(y), finite, special)
}

/// x + c for one limb c, unnormalised. 7 operations. Error at most 2 u^2, measured 2.0000.
#[inline(always)]
pub fn acc_low<L: Limb>(x: (L, L), c: L) -> (L, L) {
    let (s, e) = two_sum(x.0, c);
    (s, x.1 + e)
}

/// x + c for one limb c. 10 operations (JMP algorithm 4). Error at most 2 u^2, measured 2.0000.
#[inline(always)]
pub fn acc_mid<L: Limb>(x: (L, L), c: L) -> (L, L) {
    let (s, t) = acc_low(x, c);
    fast_two_sum(s, t)
}

/// x + c for one limb c. 13 operations and a test. Error at most 2 u^2, measured 2.0000.
#[inline(always)]
pub fn acc_high<L: Limb>(x: (L, L), c: L) -> (L, L) {
    let r = acc_accurate(x, c);
    L::M::branch(!r.1.abs().lt(r.0.abs()), r, || add_rare(x, (c, L::lit(0.0)), r.0, |x, y| acc_accurate(x, y.0)))
}

#[inline(always)]
fn acc_accurate<L: Limb>(x: (L, L), c: L) -> (L, L) {
    let (v, w) = acc_mid(x, c);
    fast_two_sum(v, w)
}

/// `x` with hi = RN(hi + lo), for limbs in any order and of any size; (value, +0) where a limb or the sum is not
/// finite. The larger limb comes first, since a step of [`two_sum`] can overflow where the sum does not.
#[inline(always)]
pub(super) fn normalize<L: Limb>(x: (L, L)) -> (L, L) {
    let swap = x.0.abs().lt(x.1.abs());
    let (a, b) = select2(swap, (x.1, x.0), x);
    let r = fast_two_sum(a, b);
    L::M::branch(!is_finite(r.0), r, || {
        let sum = L::select(is_finite2(x), r.0, value_limb(x));
        (sum, L::lit(0.0))
    })
}
