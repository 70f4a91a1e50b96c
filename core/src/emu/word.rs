//! Words of any machine: literals, truth values as numbers, sticky bits.

use crate::machine::{Value, Word, WordMachine};

/// The 64-bit literal `x`.
#[inline(always)]
pub(super) fn wide<M: WordMachine>(x: u64) -> M::U64 {
    M::U64::lit(x)
}

/// The 32-bit literal `x`, in two's complement.
#[inline(always)]
pub(super) fn int<M: WordMachine>(x: i32) -> M::U32 {
    M::U32::lit(x as u32 as u64)
}

/// 1 where `m` is true, 0 elsewhere.
#[inline(always)]
pub(super) fn bit<M: WordMachine>(m: M::Mask) -> M::U64 {
    M::U64::select(m, wide::<M>(1), wide::<M>(0))
}

/// 1 where `x` is not 0.
#[inline(always)]
pub(super) fn sticky<M: WordMachine>(x: M::U64) -> M::U64 {
    bit::<M>(!M::is_zero(x))
}

/// x - y where every bit of `minus` is set, x + y where none is.
#[inline(always)]
pub(super) fn add_signed<M: WordMachine>(x: M::U64, y: M::U64, minus: M::U64) -> M::U64 {
    x + (y ^ minus) - minus
}
