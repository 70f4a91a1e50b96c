//! The host types: [`DoubleWord`] over `f32` or `f64`, with the accuracy level in the type.

use crate::convert::HostWidth;
use crate::host::Host;
use crate::limits::LimbLimits;
use crate::machine::IeeeLimb;
use crate::pair::{self, High, Level, Low, Mid};
use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;
use core::num::Wrapping;

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}

    /// Raises the alignment of a pair of `f32` to 8 bytes.
    #[derive(Clone, Copy)]
    #[repr(C, align(8))]
    pub struct Align8;

    /// Raises the alignment of a pair of `f64` to 16 bytes.
    #[derive(Clone, Copy)]
    #[repr(C, align(16))]
    pub struct Align16;
}

/// `f32` or `f64`: the limb of a host double-word number.
pub trait HostLimb:
    IeeeLimb<M = Host>
    + HostWidth
    + LimbLimits
    + PartialEq
    + PartialOrd
    + fmt::Debug
    + Default
    + Send
    + Sync
    + sealed::Sealed
{
    /// Gives the pair twice the alignment of its limb.
    #[doc(hidden)]
    type Align: Copy + Send + Sync;
    /// +0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The name of the type without its level, `fp32mp2` or `fp64mp2`.
    const PAIR: &'static str;
    /// Its bits, zero-extended.
    fn to_bits_u64(self) -> u64;
    /// From the low bits of `bits`.
    fn from_bits_u64(bits: u64) -> Self;
    /// The same number as a double, exactly.
    fn to_f64(self) -> f64;
    /// An unsigned integer as wide.
    type Word;
    /// It, as machines have it.
    #[doc(hidden)]
    fn word(k: Self::Word) -> Self::Bits;
}

impl HostLimb for f32 {
    type Align = sealed::Align8;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const PAIR: &'static str = "fp32mp2";
    #[inline]
    fn to_bits_u64(self) -> u64 {
        self.to_bits() as u64
    }
    #[inline]
    fn from_bits_u64(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    #[inline]
    fn to_f64(self) -> f64 {
        self as f64
    }
    type Word = u32;
    #[inline]
    fn word(k: u32) -> Wrapping<u32> {
        Wrapping(k)
    }
}

impl HostLimb for f64 {
    type Align = sealed::Align16;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const PAIR: &'static str = "fp64mp2";
    #[inline]
    fn to_bits_u64(self) -> u64 {
        self.to_bits()
    }
    #[inline]
    fn from_bits_u64(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
    type Word = u64;
    #[inline]
    fn word(k: u64) -> Wrapping<u64> {
        Wrapping(k)
    }
}

/// The unevaluated sum hi + lo of two limbs, with the accuracy level of its operators in the type.
///
/// In memory: hi, then lo, aligned to both together (8 bytes over `f32`, 16 over `f64`). Bounds of the operations are
/// given at the functions of [`pair`].
#[derive(Clone, Copy)]
#[repr(C)]
pub struct DoubleWord<F: HostLimb, A: Level = Mid> {
    pub(crate) hi: F,
    pub(crate) lo: F,
    align: [F::Align; 0],
    level: PhantomData<A>,
}

/// float + float, level mid.
#[allow(non_camel_case_types)]
pub type fp32mp2 = DoubleWord<f32, Mid>;
/// float + float, level low.
#[allow(non_camel_case_types)]
pub type fp32mp2_low = DoubleWord<f32, Low>;
/// float + float, level mid.
#[allow(non_camel_case_types)]
pub type fp32mp2_mid = DoubleWord<f32, Mid>;
/// float + float, level high.
#[allow(non_camel_case_types)]
pub type fp32mp2_high = DoubleWord<f32, High>;
/// double + double, level mid.
#[allow(non_camel_case_types)]
pub type fp64mp2 = DoubleWord<f64, Mid>;
/// double + double, level low.
#[allow(non_camel_case_types)]
pub type fp64mp2_low = DoubleWord<f64, Low>;
/// double + double, level mid.
#[allow(non_camel_case_types)]
pub type fp64mp2_mid = DoubleWord<f64, Mid>;
/// double + double, level high.
#[allow(non_camel_case_types)]
pub type fp64mp2_high = DoubleWord<f64, High>;

impl<F: HostLimb, A: Level> DoubleWord<F, A> {
    /// The pair of these limbs, taken as they are.
    #[inline(always)]
    pub const fn from_parts(hi: F, lo: F) -> Self {
        Self { hi, lo, align: [], level: PhantomData }
    }

    /// One limb, lo = +0.
    #[inline(always)]
    pub const fn from_limb(hi: F) -> Self {
        Self::from_parts(hi, F::ZERO)
    }

    /// The leading limb.
    #[inline(always)]
    pub const fn hi(self) -> F {
        self.hi
    }

    /// The trailing limb.
    #[inline(always)]
    pub const fn lo(self) -> F {
        self.lo
    }

    /// (hi, lo).
    #[inline(always)]
    pub const fn to_parts(self) -> (F, F) {
        (self.hi, self.lo)
    }

    #[inline(always)]
    pub(crate) fn wrap((hi, lo): (F, F)) -> Self {
        Self::from_parts(hi, lo)
    }

    /// x y + z with the product unrounded; see [`pair::fma_high`] and its siblings.
    #[inline(always)]
    #[must_use]
    pub fn fma(self, y: Self, z: Self) -> Self {
        fma::<A, F, A>(self, y, z)
    }

    /// x y + z as a multiplication and an addition; see [`pair::mad_high`] and its siblings.
    #[inline(always)]
    #[must_use]
    pub fn mad(self, y: Self, z: Self) -> Self {
        mad::<A, F, A>(self, y, z)
    }

    /// The square root; see [`pair::sqrt`]. NaN below zero; sqrt(-0) = -0. The limbs must be in order, |hi| >= |lo|; where
    /// they may not be, as after a cancellation at low, call [`canonical`](Self::canonical) first.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        Self::wrap(pair::sqrt(self.to_parts()))
    }

    /// The reciprocal square root; see [`pair::rsqrt`]. NaN below zero; infinite with its sign at a zero. The limbs must be
    /// in order, as for [`sqrt`](Self::sqrt).
    #[inline(always)]
    #[must_use]
    pub fn rsqrt(self) -> Self {
        Self::wrap(pair::rsqrt(self.to_parts()))
    }

    /// hi = RN(hi + lo) and the exact rest, for |hi| >= |lo|; see [`pair::renormalize`] and
    /// [`pair::renormalize_high`].
    #[inline(always)]
    #[must_use]
    pub fn renormalize(self) -> Self {
        Self::wrap(A::renormalize(self.to_parts()))
    }

    /// The pair of the same value with hi = RN(hi + lo), for any limbs; see [`pair::canonical`].
    #[inline(always)]
    #[must_use]
    pub fn canonical(self) -> Self {
        Self::wrap(pair::canonical(self.to_parts()))
    }

    /// The same number at level `B`. Out of low the limbs are made canonical, otherwise they are copied.
    #[inline(always)]
    #[must_use]
    pub fn to_level<B: Level>(self) -> DoubleWord<F, B> {
        let x = if A::UNNORMALIZED && !B::UNNORMALIZED { self.canonical() } else { self };
        DoubleWord::from_parts(x.hi, x.lo)
    }

    /// The magnitude: the number, negated where it is below zero.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        let negative = pair::canonical(self.to_parts()).0.to_f64().is_sign_negative();
        if negative { -self } else { self }
    }

    /// Whether the value is NaN.
    #[inline(always)]
    pub fn is_nan(self) -> bool {
        pair::value_limb(self.to_parts()).to_f64().is_nan()
    }

    /// Whether the value is an infinity: hi is one, or lo is one and hi is finite.
    #[inline(always)]
    pub fn is_infinite(self) -> bool {
        pair::value_limb(self.to_parts()).to_f64().is_infinite()
    }

    /// Whether both limbs are finite.
    #[inline(always)]
    pub fn is_finite(self) -> bool {
        pair::value_limb(self.to_parts()).to_f64().is_finite()
    }
}

macro_rules! explicit_level {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*);)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<V: Level, F: HostLimb, A: Level>($($arg: DoubleWord<F, A>),*) -> DoubleWord<F, A> {
            DoubleWord::wrap(V::$name($($arg.to_parts()),*))
        }
    )*};
}

explicit_level! {
    /// x + y by the sequence of level `V`, whatever the level of the operands.
    add(x, y);
    /// x - y by the sequence of level `V`, whatever the level of the operands.
    sub(x, y);
    /// x y by the sequence of level `V`, whatever the level of the operands.
    mul(x, y);
    /// x / y by the sequence of level `V`, whatever the level of the operands.
    div(x, y);
    /// x y + z, fused, by the sequence of level `V`, whatever the level of the operands.
    fma(x, y, z);
    /// x y + z, composed, by the sequence of level `V`, whatever the level of the operands.
    mad(x, y, z);
}

/// x + c for one limb c by the sequence of level `V`, whatever the level of the operand.
#[inline(always)]
pub fn acc<V: Level, F: HostLimb, A: Level>(x: DoubleWord<F, A>, c: F) -> DoubleWord<F, A> {
    DoubleWord::wrap(V::acc(x.to_parts(), c))
}

impl<F: HostLimb, A: Level> Default for DoubleWord<F, A> {
    /// +0.
    fn default() -> Self {
        Self::from_limb(F::ZERO)
    }
}

impl<F: HostLimb, A: Level> fmt::Debug for DoubleWord<F, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}({:?}, {:?})", F::PAIR, A::NAME, self.hi, self.lo)
    }
}

/// Compares values: pairs of equal value are equal whatever their limbs.
impl<F: HostLimb, A: Level> PartialEq for DoubleWord<F, A> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        pair::eq(self.to_parts(), other.to_parts())
    }
}

impl<F: HostLimb, A: Level> PartialOrd for DoubleWord<F, A> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self < other {
            Some(Ordering::Less)
        } else if other < self {
            Some(Ordering::Greater)
        } else if self == other {
            Some(Ordering::Equal)
        } else {
            None
        }
    }
    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        pair::lt(self.to_parts(), other.to_parts())
    }
    #[inline(always)]
    fn le(&self, other: &Self) -> bool {
        pair::le(self.to_parts(), other.to_parts())
    }
    #[inline(always)]
    fn gt(&self, other: &Self) -> bool {
        pair::lt(other.to_parts(), self.to_parts())
    }
    #[inline(always)]
    fn ge(&self, other: &Self) -> bool {
        pair::le(other.to_parts(), self.to_parts())
    }
}
