//! The conversions, on limbs and words of any machine.

use super::real::{Real, negate_if};
use super::round;
use super::{Format, Width};
use crate::machine::{IeeeLimb, Limb, MaskOf, Value, Word, WordMachine};
use crate::pair::nearest_limb;

/// A limb as a pair of any width; exact if the format is as wide or wider.
#[inline(always)]
pub fn pair_from_limb<M: WordMachine, W: Width<M>, L: IeeeLimb<M = M>>(x: L) -> (W::Limb, W::Limb) {
    round::to_pair::<M, W>(&Real::from_limb(x))
}

/// A signed integer as a pair.
#[inline(always)]
pub fn pair_from_i64<M: WordMachine, W: Width<M>>(x: M::U64) -> (W::Limb, W::Limb) {
    let zero = M::U64::lit(0);
    let negative = x.lt_signed(zero);
    let magnitude = M::U64::select(negative, zero - x, x);
    round::to_pair::<M, W>(&Real::from_magnitude(negative, (zero, magnitude)))
}

/// An unsigned integer as a pair.
#[inline(always)]
pub fn pair_from_u64<M: WordMachine, W: Width<M>>(x: M::U64) -> (W::Limb, W::Limb) {
    pair_from_u128::<M, W>((M::U64::lit(0), x))
}

/// A signed integer of two words as a pair.
#[inline(always)]
pub fn pair_from_i128<M: WordMachine, W: Width<M>>(x: (M::U64, M::U64)) -> (W::Limb, W::Limb) {
    let negative = x.0.lt_signed(M::U64::lit(0));
    round::to_pair::<M, W>(&Real::from_magnitude(negative, negate_if::<M>(negative, x)))
}

/// An unsigned integer of two words as a pair.
#[inline(always)]
pub fn pair_from_u128<M: WordMachine, W: Width<M>>(x: (M::U64, M::U64)) -> (W::Limb, W::Limb) {
    let never = x.0.lt(M::U64::lit(0));
    round::to_pair::<M, W>(&Real::from_magnitude(never, x))
}

/// A binary128 as a pair.
#[inline(always)]
pub fn pair_from_binary128<M: WordMachine, W: Width<M>>(x: (M::U64, M::U64)) -> (W::Limb, W::Limb) {
    round::to_pair::<M, W>(&Real::from_binary128(x))
}

/// A pair as one limb of any width.
#[inline(always)]
pub fn to_limb<M: WordMachine, W: Width<M>, L: IeeeLimb<M = M>>(x: (L, L)) -> W::Limb {
    if L::P == W::FORMAT.precision {
        let f = const { Format::of::<L>() };
        let value = nearest_limb(x);
        let bits = value.bits().to_u64();
        W::limb(M::U64::select(value.eq(value), bits, M::U64::lit(f.nan())))
    } else {
        round::to_limb::<M, W>(&Real::from_pair(x))
    }
}

/// A pair as binary128.
#[inline(always)]
pub fn to_binary128<M: WordMachine, L: IeeeLimb<M = M>>(x: (L, L)) -> (M::U64, M::U64) {
    round::to_binary128(&Real::from_pair(x))
}

/// An integer type of at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Its bits, 1 to 64.
    pub bits: u32,
    /// Whether it has negative values, in two's complement.
    pub signed: bool,
}

/// A pair as an integer of the type `to`, sign-extended to the word.
#[inline(always)]
pub fn to_integer<M: WordMachine, L: IeeeLimb<M = M>>(x: (L, L), to: Integer) -> M::U64 {
    let largest = u64::MAX >> (64 - to.bits) >> u32::from(to.signed);
    let lowest = if to.signed { largest + 1 } else { 0 };
    round::to_word(&Real::from_pair(x), lowest, largest)
}

/// A pair as a signed integer of two words.
#[inline(always)]
pub fn to_i128<M: WordMachine, L: IeeeLimb<M = M>>(x: (L, L)) -> (M::U64, M::U64) {
    round::to_words(&Real::from_pair(x), i128::MIN.unsigned_abs(), i128::MAX as u128)
}

/// A pair as an unsigned integer of two words.
#[inline(always)]
pub fn to_u128<M: WordMachine, L: IeeeLimb<M = M>>(x: (L, L)) -> (M::U64, M::U64) {
    round::to_words(&Real::from_pair(x), 0, u128::MAX)
}

/// Whether the value is not zero; true for NaN.
#[inline(always)]
pub fn is_nonzero<L: Limb>(x: (L, L)) -> MaskOf<L> {
    !(x.0.eq(-x.1) & x.0.abs().lt(L::lit(f64::INFINITY)))
}
