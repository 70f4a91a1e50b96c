//! Rounding of a normalised significand to a packed double.
//!
//! A number here is (-1)^s t 2^(e + 1 - bias - 63): t has its leading one at bit 63 and a sticky bit below, and e is the
//! exponent field less one, which the leading one adds.

use super::fields::is_negative;
use crate::emu::Rounding;
use crate::emu::word::{bit, int, sticky, wide};
use crate::machine::{Value, Word, WordMachine, halves};

/// Bits that rounding drops from a significand that the target's digits and these fill.
const DROPPED: i32 = 11;

/// What is rounded to.
#[derive(Clone, Copy)]
pub(in crate::emu) struct Format {
    /// Fraction bits.
    fraction: i32,
    /// The largest exponent field of a finite number.
    largest: i32,
}

impl Format {
    /// binary64.
    pub const DOUBLE: Format = Format { fraction: 52, largest: 0x7fe };
    /// binary32, in the low bits of a word.
    pub const SINGLE: Format = Format { fraction: 23, largest: 0xfe };

    const fn infinity(self) -> u64 {
        (self.largest as u64 + 1) << self.fraction
    }
}

/// Whether [`round`] is right: the result is normal, and overflows at most to infinity, by a carry.
#[inline(always)]
pub(in crate::emu) fn in_range<M: WordMachine>(e: M::U32) -> M::Mask {
    e.lt(int::<M>(Format::DOUBLE.largest))
}

/// Whether t has its leading one, and is not 0.
#[inline(always)]
pub(super) fn is_normalized<M: WordMachine>(t: M::U64) -> M::Mask {
    // Not as a sign: compilers would move that through a register.
    int::<M>(i32::MAX >> 1).lt(halves::<M>(t).0)
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

/// The bits of a normal number that overflows at most by a carry. `sign` holds the sign bit alone, bit 63.
#[inline(always)]
pub(in crate::emu) fn round_to<M: WordMachine, R: Rounding>(f: Format, sign: M::U64, e: M::U32, t: M::U64) -> M::U64 {
    let digits = f.fraction + 1 + DROPPED;
    let (t, minus) = if digits < 64 {
        let beyond = 64 - digits;
        (t.shr(int::<M>(beyond)) | sticky::<M>(t & wide::<M>((1 << beyond) - 1)), sign.shr(int::<M>(32)))
    } else {
        (t, sign)
    };
    let q = t.shr(int::<M>(DROPPED));
    let magnitude = q + increment::<M, R>(sign, t, q) + e.to_u64().shl(int::<M>(f.fraction));
    magnitude | minus
}

/// The bits for any e in two's complement: with subnormal numbers and overflow.
#[inline(always)]
pub(in crate::emu) fn round_any_to<M: WordMachine, R: Rounding>(
    f: Format,
    sign: M::U64,
    e: M::U32,
    t: M::U64,
) -> M::U64 {
    let n = int::<M>(0) - e;
    let lost = sticky::<M>(t & !wide::<M>(u64::MAX).unbounded_shl(n));
    round_shifted::<M, R>(f, sign, e, t, t.unbounded_shr(n) | lost)
}

/// The bits of t, or where e is negative of a subnormal number: `shifted` is t as multiple of the smallest one.
#[inline(always)]
fn round_shifted<M: WordMachine, R: Rounding>(
    f: Format,
    sign: M::U64,
    e: M::U32,
    t: M::U64,
    shifted: M::U64,
) -> M::U64 {
    let zero = int::<M>(0);
    let subnormal = e.lt_signed(zero);
    let t = M::U64::select(subnormal, shifted, t);
    let e = M::U32::select(subnormal, zero, e);
    let overflow = int::<M>(f.largest - 1).lt(e);
    M::U64::select(overflow, overflowed::<M, R>(f, sign), round_to::<M, R>(f, sign, e, t))
}

/// The bits of a double that is normal and overflows at most by a carry.
#[inline(always)]
pub(in crate::emu) fn round<M: WordMachine, R: Rounding>(sign: M::U64, e: M::U32, t: M::U64) -> M::U64 {
    round_to::<M, R>(Format::DOUBLE, sign, e, t)
}

/// The bits of any double.
#[inline(always)]
pub(in crate::emu) fn round_any<M: WordMachine, R: Rounding>(sign: M::U64, e: M::U32, t: M::U64) -> M::U64 {
    round_any_to::<M, R>(Format::DOUBLE, sign, e, t)
}

/// The bits of a sum of doubles: it has no digits below the smallest one.
#[inline(always)]
pub(super) fn round_sum<M: WordMachine, R: Rounding>(sign: M::U64, e: M::U32, t: M::U64) -> M::U64 {
    let shifted = t.unbounded_shr(int::<M>(0) - e);
    round_shifted::<M, R>(Format::DOUBLE, sign, e, t, shifted)
}

/// What a finite result beyond the largest number becomes.
#[inline(always)]
fn overflowed<M: WordMachine, R: Rounding>(f: Format, sign: M::U64) -> M::U64 {
    let (infinity, largest) = (wide::<M>(f.infinity()), wide::<M>(f.infinity() - 1));
    let magnitude = if R::NEAREST {
        infinity
    } else if R::UP {
        M::U64::select(is_negative::<M>(sign), largest, infinity)
    } else if R::DOWN {
        M::U64::select(is_negative::<M>(sign), infinity, largest)
    } else {
        largest
    };
    magnitude | if f.fraction == 52 { sign } else { sign.shr(int::<M>(32)) }
}
