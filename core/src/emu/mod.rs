//! IEEE binary64 built from integers, for machines whose double-precision units are slow or missing.
//!
//! Functions are generic over a [`WordMachine`] and work on words:
//!
//! - *packed*: a number is the 64 bits of a double ([`packed`]);
//! - *unpacked*: sign, exponent and a significand of 62 bits, so that a chain of operations unpacks its operands once
//!   and rounds once ([`unpacked`]).
//!
//! Levels are the marker types of pairs, [`Low`](crate::Low), [`Mid`](crate::Mid) and [`High`](crate::High); high is
//! the default and is IEEE 754 in all four rounding directions, subnormal numbers and overflow included. A NaN result
//! is [`NAN`]. No operation on doubles is used: 32-bit and 64-bit integers, wide products and binary32 only.

pub mod compare;
pub mod convert;
mod host;
mod low;
mod mid;
#[cfg(feature = "num-traits")]
mod num_traits;
mod operators;
pub mod packed;
pub mod unpacked;
mod word;

pub use host::{Fp64Emu, TargetInteger, fp64emu, fp64emu_high, fp64emu_low, fp64emu_mid};

use crate::machine::{IeeeLimb, Limb, Word, WordMachine};
use word::{int, wide};

/// A rounding direction.
pub trait Rounding: Copy + 'static {
    /// "rn", "rz", "ru" or "rd".
    const NAME: &'static str;
    /// To nearest, ties to even.
    const NEAREST: bool;
    /// Positive inexact values go up in magnitude.
    const UP: bool;
    /// Negative inexact values go up in magnitude.
    const DOWN: bool;
}

macro_rules! rounding {
    ($($(#[$doc:meta])* $t:ident, $name:literal, $nearest:literal, $up:literal, $down:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $t;

        impl Rounding for $t {
            const NAME: &'static str = $name;
            const NEAREST: bool = $nearest;
            const UP: bool = $up;
            const DOWN: bool = $down;
        }
    )*};
}

rounding! {
    /// To nearest, ties to even.
    Rn, "rn", true, false, false;
    /// Toward zero.
    Rz, "rz", false, false, false;
    /// Toward positive infinity.
    Ru, "ru", false, true, false;
    /// Toward negative infinity.
    Rd, "rd", false, false, true;
}

/// The NaN that operations return: quiet, without sign or payload.
pub const NAN: u64 = 0x7ff8_0000_0000_0000;

/// An unpacked number of machine `M`: sign (0 or 1), exponent (two's complement) and significand, leading one at bit 61.
pub type Unpacked<M> = (<M as WordMachine>::U32, <M as WordMachine>::U32, <M as WordMachine>::U64);

/// An accuracy level of packed numbers: which sequence each operation runs. Operands and results are the bits of doubles.
///
/// **High** is IEEE 754.
///
/// **Mid** and **low**, to nearest, take a short path where operands and result are normal numbers: for a sum, where the
/// exponent field of the larger operand is from 96 (low: 160) to 2045, so that the smaller one may also be zero or subnormal,
/// and where no more than about 20 (low: 24) leading digits cancel. Everywhere else the result is high's: zeros,
/// subnormal results, overflow, infinities and NaN are IEEE's, and a sum that cancels exactly is +0. Nothing depends on the
/// machine. On the short path
///
/// - mid is off by less than 1 ulp in a sum, 0.76 in a product, 0.502 in a quotient or root. Sums of equal sign are rounded,
///   by a half or, where they carry, a quarter ulp; differences are cut off, and exact if they have 53 digits;
/// - low works on the leading 28 digits of its operands in sums and on 24 elsewhere. It is off by less than
///   2^-27 (|a| + |b|) in a sum, 2.5 2^-23 of the result in a product, 2^-22 in a quotient, 2^-23 in a root.
///
/// In the directed modes, and for `fma` in every mode, mid and low are high: right to the bit on the side that is asked
/// for. `mad`, `dot` and `cmul` are composed of the level's products and sums.
pub trait Level: unpacked::Level {
    /// a + b, to nearest. Directed sums are those of high at every level.
    fn add_nearest<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64;
    /// a b, to nearest. Directed products are those of high at every level.
    fn mul_nearest<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64;
    /// a + b.
    #[inline(always)]
    fn add<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
        if R::NEAREST { Self::add_nearest::<M>(a, b) } else { packed::add_high::<M, R>(a, b) }
    }
    /// a - b.
    #[inline(always)]
    fn sub<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
        sum::<M, Self, R>(a, packed::neg::<M>(b))
    }
    /// a b.
    #[inline(always)]
    fn mul<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
        if R::NEAREST { Self::mul_nearest::<M>(a, b) } else { packed::mul_high::<M, R>(a, b) }
    }
    /// a b + c, rounded once: high's at every level.
    #[inline(always)]
    fn fma<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64, c: M::U64) -> M::U64 {
        packed::fma_high::<M, R>(a, b, c)
    }
    /// a / b, to nearest. Directed quotients are those of high at every level.
    fn div<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64;
    /// The square root, to nearest. Directed roots are those of high at every level.
    fn sqrt<M: WordMachine>(a: M::U64) -> M::U64;
    /// a b + c, to nearest, as a product and a sum.
    #[inline(always)]
    fn mad<M: WordMachine>(a: M::U64, b: M::U64, c: M::U64) -> M::U64 {
        sum::<M, Self, Rn>(product::<M, Self>(a, b), c)
    }
    /// a b + c d, to nearest, as two products and a sum.
    #[inline(always)]
    fn dot<M: WordMachine>(a: M::U64, b: M::U64, c: M::U64, d: M::U64) -> M::U64 {
        sum::<M, Self, Rn>(product::<M, Self>(a, b), product::<M, Self>(c, d))
    }
    /// (a.0 + i a.1)(b.0 + i b.1) as (a.0 b.0 - a.1 b.1, a.0 b.1 + a.1 b.0).
    #[inline(always)]
    fn cmul<M: WordMachine>(a: (M::U64, M::U64), b: (M::U64, M::U64)) -> (M::U64, M::U64) {
        // Each operand is taken apart once for both of its products.
        let product = |x, y| Self::mul_nearest::<M>(x, y);
        (
            sum::<M, Self, Rn>(product(a.0, b.0), product(packed::neg::<M>(a.1), b.1)),
            sum::<M, Self, Rn>(product(a.0, b.1), product(a.1, b.0)),
        )
    }
}

/// a + b, called.
#[inline(always)]
fn sum<M: WordMachine, A: Level, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
    let name = if R::NEAREST { ["fp64emu", A::NAME, "add"] } else { ["fp64emu", "add", R::NAME] };
    M::call(&name, (a, b), |(a, b)| <A as Level>::add::<M, R>(a, b))
}

/// a b to nearest, called.
#[inline(always)]
fn product<M: WordMachine, A: Level>(a: M::U64, b: M::U64) -> M::U64 {
    M::call(&["fp64emu", A::NAME, "mul"], (a, b), |(a, b)| A::mul_nearest::<M>(a, b))
}

/// [`WordMachine::reciprocal`] by a binary32 reciprocal and one Newton step on integers.
#[inline(always)]
pub(crate) fn reciprocal<M: WordMachine>(d: M::U32) -> M::U32 {
    // Above d / 2^31 by at most 2^-23, hence its reciprocal is in [1/2, 1), and so are the bits below its exponent.
    let seed = M::F32::from_bits(d.shr(int::<M>(8)) + int::<M>(0x3f00_0001)).rcp_moderate();
    // r = (2^63 / d)(1 - x) with 2^-25 < x < 2^-21.
    let r = seed.bits() * int::<M>(1 << 8) + int::<M>(i32::MIN) - int::<M>(1 << 8);
    let product = d.to_u64() * r.to_u64() + r.to_u64();
    let error = (wide::<M>(1 << 63) - product).shr(int::<M>(10)).to_u32();
    r + r.mul_hi(error).shr(int::<M>(21))
}
