//! Comparisons of packed numbers, the same at every level.

use super::packed::SIGN;
use super::packed::fields::INFINITY;
use super::word::{int, wide};
use crate::machine::{Word, WordMachine};

/// Whether `a` is NaN.
#[inline(always)]
pub fn is_nan<M: WordMachine>(a: M::U64) -> M::Mask {
    wide::<M>(INFINITY).lt(a & wide::<M>(!SIGN))
}

/// Neither is NaN.
#[inline(always)]
fn ordered<M: WordMachine>(a: M::U64, b: M::U64) -> M::Mask {
    !is_nan::<M>(a) & !is_nan::<M>(b)
}

/// Both are zero, of either sign.
#[inline(always)]
fn zeros<M: WordMachine>(a: M::U64, b: M::U64) -> M::Mask {
    ((a | b) & wide::<M>(!SIGN)).eq(wide::<M>(0))
}

/// A word whose order as two's complement is that of the numbers, with -0 below +0.
#[inline(always)]
fn key<M: WordMachine>(a: M::U64) -> M::U64 {
    a ^ a.sar(int::<M>(63)).shr(int::<M>(1))
}

/// a == b as numbers: -0 is +0, and NaN is nothing.
#[inline(always)]
pub fn eq<M: WordMachine>(a: M::U64, b: M::U64) -> M::Mask {
    ordered::<M>(a, b) & (a.eq(b) | zeros::<M>(a, b))
}

/// a < b; false for NaN.
#[inline(always)]
pub fn lt<M: WordMachine>(a: M::U64, b: M::U64) -> M::Mask {
    ordered::<M>(a, b) & key::<M>(a).lt_signed(key::<M>(b)) & !zeros::<M>(a, b)
}

/// a <= b; false for NaN.
#[inline(always)]
pub fn le<M: WordMachine>(a: M::U64, b: M::U64) -> M::Mask {
    ordered::<M>(a, b) & (!key::<M>(b).lt_signed(key::<M>(a)) | zeros::<M>(a, b))
}
