//! Conversions of pairs: correctly rounded, built from integers, generic over the machine.
//!
//! - *In* (a number v to a pair): hi = RN(v), lo = RN(v - hi). Where hi is 0 or not finite lo is +0; a zero lo is +0.
//! - *Out* (a pair to one limb or to binary128): RN(hi + lo), rounded once, also where the target is subnormal.
//! - *Integers out*: hi + lo truncated toward zero, saturated; NaN gives 0.
//!
//! RN is round to nearest, ties to even, with overflow to infinity. hi + lo is the exact sum of the limbs in whatever
//! order, overlap and distance; where one is not finite the value is that of [`value_limb`](crate::pair::value_limb).
//! Every NaN is the quiet one without sign or payload. A zero value has the sign of hi if lo is zero, and is +0 where
//! limbs cancel.
//!
//! lo may round up to half an ulp of an odd hi, so that hi + lo is a tie and hi is the other neighbour than RN(hi + lo);
//! |lo| <= ulp(hi) / 2 always holds.
//!
//! Between `fp32mp2` and `f64` no double precision arithmetic is used, so that a machine where it is slow or missing
//! still converts. A 128-bit number is two words, the high one first: an integer in two's complement, or the bits of
//! an IEEE binary128.

mod between;
mod constant;
mod generic;
mod host;
mod real;
mod round;

pub use between::{narrow, widen};
pub use generic::{
    Integer, is_nonzero, pair_from_binary128, pair_from_i64, pair_from_i128, pair_from_limb, pair_from_u64,
    pair_from_u128, to_binary128, to_i128, to_integer, to_limb, to_u128,
};
#[cfg(feature = "num-traits")]
pub(crate) use host::exponent;
pub use host::{Binary128, HostWidth, RoundFrom, TruncateFrom};

use crate::machine::{IeeeLimb, Word, WordMachine};

/// An IEEE binary interchange format of at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Significand digits, the implicit one included.
    precision: u32,
    /// Bits of the exponent field.
    exponent_bits: u32,
}

impl Format {
    /// `f32`.
    pub const BINARY32: Self = Self { precision: 24, exponent_bits: 8 };
    /// `f64`.
    pub const BINARY64: Self = Self { precision: 53, exponent_bits: 11 };

    /// The format of limb `L`.
    #[inline(always)]
    const fn of<L: IeeeLimb>() -> Self
    where
        L::M: WordMachine,
    {
        if L::P == Self::BINARY32.precision { Self::BINARY32 } else { Self::BINARY64 }
    }

    #[inline(always)]
    const fn bias(self) -> u64 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The bits of infinity.
    #[inline(always)]
    const fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << (self.precision - 1)
    }

    /// The bits of the quiet NaN without sign or payload.
    #[inline(always)]
    const fn nan(self) -> u64 {
        self.infinity() | 1 << (self.precision - 2)
    }

    /// The sign bit.
    #[inline(always)]
    const fn sign(self) -> u64 {
        1 << (self.precision + self.exponent_bits - 1)
    }

    /// The fraction field.
    #[inline(always)]
    const fn fraction(self) -> u64 {
        (1 << (self.precision - 1)) - 1
    }
}

/// A limb format of a machine, as the target of a conversion.
pub trait Width<M: WordMachine>: 'static {
    /// The limb.
    type Limb: IeeeLimb<M = M>;
    /// Its format.
    const FORMAT: Format;
    /// The limb whose bits are the low bits of `bits`.
    fn limb(bits: M::U64) -> Self::Limb;
}

/// binary32 limbs, `fp32mp2`.
#[derive(Clone, Copy, Debug)]
pub struct Single;

/// binary64 limbs, `fp64mp2`.
#[derive(Clone, Copy, Debug)]
pub struct Double;

impl<M: WordMachine> Width<M> for Single {
    type Limb = M::F32;
    const FORMAT: Format = Format::BINARY32;
    #[inline(always)]
    fn limb(bits: M::U64) -> M::F32 {
        M::F32::from_bits(bits.to_u32())
    }
}

impl<M: WordMachine> Width<M> for Double {
    type Limb = M::F64;
    const FORMAT: Format = Format::BINARY64;
    #[inline(always)]
    fn limb(bits: M::U64) -> M::F64 {
        M::F64::from_bits(bits)
    }
}
