//! The host type of packed numbers: [`Fp64Emu`], with the accuracy level in the type.

mod convert;
mod limits;
#[cfg(feature = "num-traits")]
mod num_traits;
mod ops;
#[cfg(feature = "serde")]
mod serde;
mod text;

pub use convert::TargetInteger;

use super::packed;
use super::{Level, Rd, Rn, Ru, Rz};
use crate::host::Host;
use crate::pair::{High, Low, Mid};
use core::marker::PhantomData;
use core::num::Wrapping;

/// A double as its 64 bits, computed with integers, with the accuracy level of its operations in the type.
///
/// It means what an `f64` of the same bits means. At level high operations give what IEEE 754 asks of `f64`; operators
/// round to nearest, methods named after a direction round in it. What low and mid give is said at their
/// [`Level`].
///
/// ```
/// use vernier::fp64emu;
/// let x = fp64emu::from(0.1) + 0.2;
/// assert_eq!(f64::from(x), 0.1 + 0.2);
/// let third = fp64emu::from(1) / 3;
/// assert!(fp64emu::from(1).div_rd(3.into()) < fp64emu::from(1).div_ru(3.into()) && third < 1);
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Fp64Emu<A: Level = High> {
    bits: u64,
    level: PhantomData<A>,
}

/// Packed, level high.
#[allow(non_camel_case_types)]
pub type fp64emu = Fp64Emu<High>;
/// Packed, level high.
#[allow(non_camel_case_types)]
pub type fp64emu_high = Fp64Emu<High>;
/// Packed, level mid.
#[allow(non_camel_case_types)]
pub type fp64emu_mid = Fp64Emu<Mid>;
/// Packed, level low.
#[allow(non_camel_case_types)]
pub type fp64emu_low = Fp64Emu<Low>;

impl<A: Level> Fp64Emu<A> {
    /// The number with these bits.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self { bits, level: PhantomData }
    }

    /// The bits.
    #[inline(always)]
    pub const fn to_bits(self) -> u64 {
        self.bits
    }

    /// The same number; a `From` that constants can use.
    #[inline(always)]
    pub const fn from_f64(x: f64) -> Self {
        Self::from_bits(x.to_bits())
    }

    /// The same number.
    #[inline(always)]
    pub const fn to_f64(self) -> f64 {
        f64::from_bits(self.bits)
    }

    #[inline(always)]
    const fn word(self) -> Wrapping<u64> {
        Wrapping(self.bits)
    }

    #[inline(always)]
    const fn wrap(word: Wrapping<u64>) -> Self {
        Self::from_bits(word.0)
    }

    /// The same number at level `B`.
    #[inline(always)]
    pub const fn to_level<B: Level>(self) -> Fp64Emu<B> {
        Fp64Emu::from_bits(self.bits)
    }
}

macro_rules! rounded {
    ($($op:ident($($arg:ident),*), $text:literal: $rn:ident $rz:ident $ru:ident $rd:ident;)*) => {
        impl<A: Level> Fp64Emu<A> {$(
            rounded!(@ $op($($arg),*), $text, "to nearest, ties to even", $rn, Rn);
            rounded!(@ $op($($arg),*), $text, "toward zero", $rz, Rz);
            rounded!(@ $op($($arg),*), $text, "up", $ru, Ru);
            rounded!(@ $op($($arg),*), $text, "down", $rd, Rd);
        )*}
    };
    (@ $op:ident($($arg:ident),*), $text:literal, $how:literal, $name:ident, $r:ty) => {
        #[doc = concat!($text, ", rounded ", $how, ".")]
        #[inline]
        #[must_use]
        pub fn $name(self $(, $arg: Self)*) -> Self {
            Self::wrap(packed::$op::<Host, A, $r>(self.word() $(, $arg.word())*))
        }
    };
}

rounded! {
    add(y), "x + y": add_rn add_rz add_ru add_rd;
    sub(y), "x - y": sub_rn sub_rz sub_ru sub_rd;
    mul(y), "x y": mul_rn mul_rz mul_ru mul_rd;
    div(y), "x / y": div_rn div_rz div_ru div_rd;
    fma(y, z), "x y + z, the product unrounded": fma_rn fma_rz fma_ru fma_rd;
    sqrt(), "The square root": sqrt_rn sqrt_rz sqrt_ru sqrt_rd;
}

impl<A: Level> Fp64Emu<A> {
    /// x y + z, the product unrounded, to nearest.
    #[inline]
    #[must_use]
    pub fn fma(self, y: Self, z: Self) -> Self {
        self.fma_rn(y, z)
    }

    /// The square root, to nearest. NaN below zero; sqrt(-0) = -0.
    #[inline]
    #[must_use]
    pub fn sqrt(self) -> Self {
        self.sqrt_rn()
    }

    /// x y + z as a product and a sum.
    #[inline]
    #[must_use]
    pub fn mad(self, y: Self, z: Self) -> Self {
        Self::wrap(packed::mad::<Host, A>(self.word(), y.word(), z.word()))
    }

    /// x y + z w as two products and a sum.
    #[inline]
    #[must_use]
    pub fn dot(self, y: Self, z: Self, w: Self) -> Self {
        Self::wrap(packed::dot::<Host, A>(self.word(), y.word(), z.word(), w.word()))
    }

    /// The product of two complex numbers (re, im), as four products and two sums.
    #[inline]
    #[must_use]
    pub fn cmul(x: (Self, Self), y: (Self, Self)) -> (Self, Self) {
        let words = |(re, im): (Self, Self)| (re.word(), im.word());
        let (re, im) = packed::cmul::<Host, A>(words(x), words(y));
        (Self::wrap(re), Self::wrap(im))
    }

    /// The magnitude: the sign bit cleared.
    #[inline]
    #[must_use]
    pub const fn abs(self) -> Self {
        Self::from_bits(self.bits & !packed::SIGN)
    }

    /// The number with the sign of `sign`.
    #[inline]
    #[must_use]
    pub const fn copysign(self, sign: Self) -> Self {
        Self::from_bits(self.bits & !packed::SIGN | sign.bits & packed::SIGN)
    }

    /// Whether it is NaN.
    #[inline]
    pub const fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }

    /// Whether it is an infinity.
    #[inline]
    pub const fn is_infinite(self) -> bool {
        self.to_f64().is_infinite()
    }

    /// Whether it is neither infinite nor NaN.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }

    /// Whether the sign bit is set.
    #[inline]
    pub const fn is_sign_negative(self) -> bool {
        self.bits & packed::SIGN != 0
    }

    /// Whether the sign bit is clear.
    #[inline]
    pub const fn is_sign_positive(self) -> bool {
        !self.is_sign_negative()
    }
}

impl<A: Level> Default for Fp64Emu<A> {
    /// +0.
    fn default() -> Self {
        Self::from_bits(0)
    }
}
