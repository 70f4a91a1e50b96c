//! What kind of number a pair is.

use crate::machine::{IeeeLimb, Limb, MaskOf, Word, WordMachine};
use crate::pair::{is_finite2, nearest_limb, value_limb};

/// Whether the value is a number less than infinity in magnitude: both limbs are finite, also where their sum is too
/// large for a limb. Any pair. C23 7.12.3.3.
#[inline(always)]
pub fn isfinite<L: Limb>(x: (L, L)) -> MaskOf<L> {
    is_finite2(x)
}

/// Whether the value is infinite. Any pair. C23 7.12.3.4.
#[inline(always)]
pub fn isinf<L: Limb>(x: (L, L)) -> MaskOf<L> {
    value_limb(x).abs().eq(L::lit(f64::INFINITY))
}

/// Whether the value is NaN. Any pair; NaN beside an infinite hi does not count. C23 7.12.3.5.
#[inline(always)]
pub fn isnan<L: Limb>(x: (L, L)) -> MaskOf<L> {
    let v = value_limb(x);
    !v.eq(v)
}

/// Whether the value has a minus sign, zeros and infinities too; false for NaN. Any pair. C23 7.12.3.7.
#[inline(always)]
pub fn signbit<L: IeeeLimb>(x: (L, L)) -> MaskOf<L>
where
    L::M: WordMachine,
{
    let v = nearest_limb(x);
    v.eq(v) & is_minus(v)
}

/// The sign bit of a limb.
#[inline(always)]
pub(super) fn is_minus<L: IeeeLimb>(x: L) -> MaskOf<L>
where
    L::M: WordMachine,
{
    x.bits().lt_signed(L::Bits::lit(0))
}
