//! The smaller and the larger of two pairs.

use super::classify::is_minus;
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, WordMachine};
use crate::pair::{canonical, is_canonical, select2};

/// y where y < x, otherwise x, also where one is NaN: as `std::min`. Any pairs. Exact.
#[inline(always)]
pub fn min<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    choose(x, y, |x, y| less(y, x), false)
}

/// y where x < y, otherwise x, also where one is NaN: as `std::max`. Any pairs. Exact.
#[inline(always)]
pub fn max<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
    choose(x, y, |x, y| less(x, y), false)
}

/// The smaller value, of zeros -0; a number where the other is NaN. Any pairs. Exact. C23 7.12.12.3.
#[inline(always)]
pub fn fmin<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    choose(x, y, |x, y| less(y, x) | (y.0.eq(x.0) & y.1.eq(x.1) & is_minus(y.0)), true)
}

/// The larger value, of zeros +0; a number where the other is NaN. Any pairs. Exact. C23 7.12.12.2.
#[inline(always)]
pub fn fmax<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    choose(x, y, |x, y| less(x, y) | (x.0.eq(y.0) & x.1.eq(y.1) & is_minus(x.0)), true)
}

/// a < b for canonical pairs, infinities and NaN.
#[inline(always)]
fn less<L: Limb>(a: (L, L), b: (L, L)) -> MaskOf<L> {
    a.0.lt(b.0) | (a.0.eq(b.0) & a.1.lt(b.1))
}

/// y where `second` holds for the canonical operands, or x is NaN and `number`; x elsewhere.
///
/// Pairs whose sums overflow become infinite: they lose their order, but the result is infinite either way.
#[inline(always)]
fn choose<L: Limb>(x: (L, L), y: (L, L), second: impl Fn((L, L), (L, L)) -> MaskOf<L>, number: bool) -> (L, L) {
    let pick = |m, x, y| {
        let (hi, lo): (L, L) = select2(m, y, x);
        (hi, lo + L::lit(0.0))
    };
    let usual = pick(second(x, y), x, y);
    L::M::branch(!(is_canonical(x) & is_canonical(y)), usual, || {
        let (x, y) = (canonical(x), canonical(y));
        let m = second(x, y);
        pick(if number { m | !x.0.eq(x.0) } else { m }, x, y)
    })
}
