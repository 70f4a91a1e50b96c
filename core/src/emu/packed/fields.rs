//! The fields of a packed double, and numbers with their special values apart.

use super::SIGN;
use crate::emu::word::{int, wide};
use crate::machine::{Value, Word, WordMachine};

/// The bits of infinity.
pub(in crate::emu) const INFINITY: u64 = 0x7ff << 52;
/// The exponent field of infinities and NaN.
pub(in crate::emu) const SPECIAL: i32 = 0x7ff;
/// The exponent field of one.
pub(in crate::emu) const BIAS: i32 = 0x3ff;
const IMPLICIT: u64 = 1 << 52;
const FRACTION: u64 = IMPLICIT - 1;

/// The exponent field of `a`.
#[inline(always)]
pub(in crate::emu) fn exponent<M: WordMachine>(a: M::U64) -> M::U32 {
    a.shr(int::<M>(52)).to_u32() & int::<M>(SPECIAL)
}

/// The significand of a normal number, an integer in [2^52, 2^53).
#[inline(always)]
pub(in crate::emu) fn significand<M: WordMachine>(a: M::U64) -> M::U64 {
    (a & wide::<M>(FRACTION)) | wide::<M>(IMPLICIT)
}

/// The sign bit of `a`, in place.
#[inline(always)]
pub(in crate::emu) fn sign<M: WordMachine>(a: M::U64) -> M::U64 {
    a & wide::<M>(SIGN)
}

/// Whether the sign bit of `a` is set.
#[inline(always)]
pub(in crate::emu) fn is_negative<M: WordMachine>(a: M::U64) -> M::Mask {
    a.lt_signed(wide::<M>(0))
}

/// Whether an exponent field is that of a normal number.
#[inline(always)]
pub(in crate::emu) fn is_normal<M: WordMachine>(field: M::U32) -> M::Mask {
    (field - int::<M>(1)).lt(int::<M>(SPECIAL - 1))
}

/// Any number: what the rare paths work on.
pub(in crate::emu) struct Number<M: WordMachine> {
    /// As a normal number of this magnitude would have it in an unbounded field.
    pub exponent: M::U32,
    /// In [2^52, 2^53), or 0 for zero.
    pub significand: M::U64,
    pub zero: M::Mask,
    pub infinite: M::Mask,
    pub nan: M::Mask,
}

impl<M: WordMachine> Number<M> {
    /// Subnormal numbers keep the exponent 1 and a significand below 2^52.
    #[inline(always)]
    pub fn unnormalized(a: M::U64) -> Self {
        let magnitude = a & wide::<M>(!SIGN);
        let infinity = wide::<M>(INFINITY);
        let field = magnitude.shr(int::<M>(52)).to_u32();
        let subnormal = field.eq(int::<M>(0));
        Self {
            exponent: M::U32::select(subnormal, int::<M>(1), field),
            significand: M::U64::select(subnormal, magnitude, significand::<M>(a)),
            zero: magnitude.eq(wide::<M>(0)),
            infinite: magnitude.eq(infinity),
            nan: infinity.lt(magnitude),
        }
    }

    #[inline(always)]
    pub fn of(a: M::U64) -> Self {
        let x = Self::unnormalized(a);
        let n = x.significand.clz() - int::<M>(11);
        Self { exponent: x.exponent - n, significand: x.significand.shl(n), ..x }
    }
}
