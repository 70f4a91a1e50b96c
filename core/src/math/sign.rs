//! The sign of a pair.

use crate::machine::{IeeeLimb, Word, WordMachine};
use crate::pair::{canonical, nearest_limb};

/// |v|. Any pair. Exact. C23 7.12.7.3.
#[inline(always)]
pub fn fabs<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    with_sign(canonical(x), L::lit(1.0))
}

/// |v| with the sign of y, which is plus where y is NaN. Any pairs. Exact. C23 7.12.11.1.
#[inline(always)]
pub fn copysign<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let s = nearest_limb(y);
    with_sign(canonical(x), L::select(s.eq(s), s, L::lit(1.0)))
}

/// A canonical pair with the sign of `sign`.
#[inline(always)]
pub(super) fn with_sign<L: IeeeLimb>(x: (L, L), sign: L) -> (L, L)
where
    L::M: WordMachine,
{
    // By words: machines may give a NaN other bits when its sign changes.
    let minus = L::Bits::lit(1 << (L::Bits::BITS - 1));
    let change = (x.0.bits() ^ sign.bits()) & minus;
    (L::from_bits(x.0.bits() ^ change), L::from_bits(x.1.bits() ^ change) + L::lit(0.0))
}
