//! The host type of unpacked numbers: [`Fp64EmuUnpacked`], with the accuracy level in the type.

mod convert;
mod limits;
#[cfg(feature = "num-traits")]
mod num_traits;
mod ops;
#[cfg(feature = "serde")]
mod serde;
mod text;

use super::format::BIAS;
use super::{INFINITY, Level, NAN, ZERO};
use crate::emu::{Fp64Emu, Level as PackedLevel, Rn, Rounding, Unpacked};
use crate::host::Host;
use crate::pair::{High, Low, Mid};
use core::marker::PhantomData;
use core::num::Wrapping;

/// A double with 62 digits and a wide exponent, taken apart and computed with integers, with the accuracy level of its
/// operations in the type.
///
/// A chain of operations rounds to a double once, when it leaves. What the levels give, the range of exponents and the
/// states are said at [`unpacked`](crate::emu::unpacked). In memory: sign, exponent, significand, 16 bytes.
///
/// ```
/// use vernier::fp64emu_unpacked;
/// let third = fp64emu_unpacked::from_f64(1.0) / 3;
/// assert_eq!(f64::from(third), 1.0 / 3.0);
/// assert_eq!(f64::from(third * 3 - 1), 2f64.powi(-61)); // (1.0 / 3.0).mul_add(3.0, -1.0) is -2^-54
/// let huge = fp64emu_unpacked::from_f64(f64::MAX);
/// assert_eq!(f64::from((huge * huge).sqrt()), f64::MAX);
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Fp64EmuUnpacked<A: Level = High> {
    sign: u32,
    exponent: i32,
    significand: u64,
    level: PhantomData<A>,
}

/// Unpacked, level high.
#[allow(non_camel_case_types)]
pub type fp64emu_unpacked = Fp64EmuUnpacked<High>;
/// Unpacked, level high.
#[allow(non_camel_case_types)]
pub type fp64emu_unpacked_high = Fp64EmuUnpacked<High>;
/// Unpacked, level mid.
#[allow(non_camel_case_types)]
pub type fp64emu_unpacked_mid = Fp64EmuUnpacked<Mid>;
/// Unpacked, level low.
#[allow(non_camel_case_types)]
pub type fp64emu_unpacked_low = Fp64EmuUnpacked<Low>;

impl<A: Level> Fp64EmuUnpacked<A> {
    const fn raw(sign: u32, exponent: i32, significand: u64) -> Self {
        Self { sign, exponent, significand, level: PhantomData }
    }

    /// The number (-1)^sign significand 2^(exponent - 1023 - 61), made canonical: see
    /// [`canonical`](super::canonical).
    #[inline]
    pub fn from_parts(sign: u32, exponent: i32, significand: u64) -> Self {
        Self::wrap(super::canonical::<Host>(Self::raw(sign, exponent, significand).words()))
    }

    /// (sign, exponent, significand), with the leading one of the significand at bit 61.
    #[inline(always)]
    pub const fn to_parts(self) -> (u32, i32, u64) {
        (self.sign, self.exponent, self.significand)
    }

    #[inline(always)]
    const fn words(self) -> Unpacked<Host> {
        (Wrapping(self.sign), Wrapping(self.exponent as u32), Wrapping(self.significand))
    }

    #[inline(always)]
    fn wrap(words: Unpacked<Host>) -> Self {
        Self::raw(words.0.0, words.1.0 as i32, words.2.0)
    }

    /// The number of a packed double, exactly.
    #[inline(always)]
    pub fn unpack<B: PackedLevel>(x: Fp64Emu<B>) -> Self {
        Self::wrap(super::unpack::<Host>(Wrapping(x.to_bits())))
    }

    /// The bits of the nearest double, ties to even.
    #[inline(always)]
    pub fn pack<B: PackedLevel>(self) -> Fp64Emu<B> {
        self.pack_in::<B, Rn>()
    }

    /// The bits of the double in the direction `R`.
    #[inline(always)]
    pub fn pack_in<B: PackedLevel, R: Rounding>(self) -> Fp64Emu<B> {
        Fp64Emu::from_bits(super::pack::<Host, R>(self.words()).0)
    }

    /// The same number at level `B`.
    #[inline(always)]
    pub const fn to_level<B: Level>(self) -> Fp64EmuUnpacked<B> {
        Fp64EmuUnpacked::raw(self.sign, self.exponent, self.significand)
    }

    /// x y + z, the product not rounded on its own.
    #[inline]
    #[must_use]
    pub fn fma(self, y: Self, z: Self) -> Self {
        Self::wrap(A::fma::<Host>(self.words(), y.words(), z.words()))
    }

    /// x y + z as a product and a sum.
    #[inline]
    #[must_use]
    pub fn mad(self, y: Self, z: Self) -> Self {
        Self::wrap(A::mad::<Host>(self.words(), y.words(), z.words()))
    }

    /// x y + z w as two products and a sum.
    #[inline]
    #[must_use]
    pub fn dot(self, y: Self, z: Self, w: Self) -> Self {
        Self::wrap(A::dot::<Host>(self.words(), y.words(), z.words(), w.words()))
    }

    /// The product of two complex numbers (re, im), as four products and two sums.
    #[inline]
    #[must_use]
    pub fn cmul(x: (Self, Self), y: (Self, Self)) -> (Self, Self) {
        let words = |(re, im): (Self, Self)| (re.words(), im.words());
        let (re, im) = A::cmul::<Host>(words(x), words(y));
        (Self::wrap(re), Self::wrap(im))
    }

    /// The square root. NaN below zero; sqrt(-0) = -0.
    #[inline]
    #[must_use]
    pub fn sqrt(self) -> Self {
        Self::wrap(A::sqrt::<Host>(self.words()))
    }

    /// bits 2^(exponent - 127), their leading one at bit 127, rounded to odd at 62 digits; `rest` says that the number is larger
    /// by less than the last bit.
    fn round_to_odd(exponent: i32, bits: u128, rest: bool) -> Self {
        let lost = rest || bits << 62 != 0;
        Self::raw(0, exponent + BIAS, (bits >> 66) as u64 | u64::from(lost))
    }

    /// The magnitude: the sign cleared.
    #[inline]
    #[must_use]
    pub const fn abs(self) -> Self {
        Self::raw(0, self.exponent, self.significand)
    }

    /// Whether it is NaN.
    #[inline]
    pub const fn is_nan(self) -> bool {
        self.exponent == NAN
    }

    /// Whether it is an infinity.
    #[inline]
    pub const fn is_infinite(self) -> bool {
        self.exponent == INFINITY
    }

    /// Whether it is neither infinite nor NaN.
    #[inline]
    pub const fn is_finite(self) -> bool {
        !self.is_nan() && !self.is_infinite()
    }

    /// Whether it is a zero.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.exponent == ZERO
    }

    /// The number with the sign of `sign`.
    #[inline]
    #[must_use]
    pub const fn copysign(self, sign: Self) -> Self {
        Self::raw(sign.sign, self.exponent, self.significand)
    }

    /// Whether the sign is set.
    #[inline]
    pub const fn is_sign_negative(self) -> bool {
        self.sign == 1
    }

    /// Whether the sign is clear.
    #[inline]
    pub const fn is_sign_positive(self) -> bool {
        !self.is_sign_negative()
    }
}

impl<A: Level> Default for Fp64EmuUnpacked<A> {
    /// +0.
    fn default() -> Self {
        Self::raw(0, ZERO, 0)
    }
}
