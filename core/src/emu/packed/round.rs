//! Rounding of a normalised significand to an image.
//!
//! A number here is (-1)^s t 2^(e + 1 - 1023 - 63): t has its leading one at bit 63 and a sticky bit below, and e is the
//! exponent field less one, which the leading one adds.

use super::fields::{INFINITY, is_negative};
use crate::emu::Rounding;
use crate::emu::word::{bit, int, sticky, wide};
use crate::machine::{Value, Word, WordMachine};

/// Bits that rounding drops.
const DROPPED: i32 = 11;
/// From here on e is too large, or negative as an unsigned number, for [`round`].
const LIMIT: i32 = 0x7fd;

/// Whether [`round`] is right: the result is normal and cannot overflow.
#[inline(always)]
pub(super) fn in_range<M: WordMachine>(e: M::U32) -> M::Mask {
    e.lt(int::<M>(LIMIT))
}

/// 1 where the magnitude t is rounded up to a multiple of 2^11; q is t / 2^11.
#[inline(always)]
fn increment<M: WordMachine, R: Rounding>(sign: M::U64, t: M::U64, q: M::U64) -> M::U64 {
    let dropped = t.to_u32() & int::<M>((1 << DROPPED) - 1);
    let zero = int::<M>(0);
    if R::NEAREST {
        let odd = q.to_u32() & int::<M>(1);
        bit::<M>(int::<M>(1 << (DROPPED - 1)).lt(dropped | odd))
    } else if R::UP {
        bit::<M>(!dropped.eq(zero) & !is_negative::<M>(sign))
    } else if R::DOWN {
        bit::<M>(!dropped.eq(zero) & is_negative::<M>(sign))
    } else {
        wide::<M>(0)
    }
}

/// The image, for e [in range](in_range). `sign` holds the sign bit alone.
#[inline(always)]
pub(super) fn round<M: WordMachine, R: Rounding>(sign: M::U64, e: M::U32, t: M::U64) -> M::U64 {
    let q = t.shr(int::<M>(DROPPED));
    let magnitude = q + increment::<M, R>(sign, t, q) + e.to_u64().shl(int::<M>(52));
    magnitude | sign
}

/// The image for any e in two's complement: with subnormal numbers and overflow.
#[inline(always)]
pub(super) fn round_any<M: WordMachine, R: Rounding>(sign: M::U64, e: M::U32, t: M::U64) -> M::U64 {
    let zero = int::<M>(0);
    let subnormal = e.lt_signed(zero);
    let n = zero - e;
    let shifted = t.unbounded_shr(n);
    let lost = sticky::<M>(t & !wide::<M>(u64::MAX).unbounded_shl(n));
    let t = M::U64::select(subnormal, shifted | lost, t);
    let e = M::U32::select(subnormal, zero, e);
    let overflow = int::<M>(LIMIT).lt(e);
    M::U64::select(overflow, overflowed::<M, R>(sign), round::<M, R>(sign, e, t))
}

/// What a finite result beyond the largest number becomes.
#[inline(always)]
fn overflowed<M: WordMachine, R: Rounding>(sign: M::U64) -> M::U64 {
    let (infinity, largest) = (wide::<M>(INFINITY), wide::<M>(INFINITY - 1));
    let magnitude = if R::NEAREST {
        infinity
    } else if R::UP {
        M::U64::select(is_negative::<M>(sign), largest, infinity)
    } else if R::DOWN {
        M::U64::select(is_negative::<M>(sign), infinity, largest)
    } else {
        largest
    };
    magnitude | sign
}
