//! Instrumented pairs: [`Stat`] computes as the pair it wraps, to the bit, and counts what its operations do.
//!
//! A *record* ([`Record`]) holds counts of operations, of cancellations, overflows and underflows, and a [`Slot`] for the
//! left operands, the right operands and the results: their exponents, the gap between their limbs, and how many were
//! zero, infinite, NaN, subnormal, overlapping or inverted. [`record`] collects what happens inside a closure:
//!
//! ```
//! use vernier::{fp64mp2, fp64mp2_stat, stat};
//! let (sum, record) = stat::record(|| {
//!     let x = fp64mp2_stat::from(1.0);
//!     x / fp64mp2::from(3) - fp64mp2::from(1) / 3.0
//! });
//! assert_eq!(sum.to_f64(), 0.0);
//! assert_eq!((record.ops_count, record.sub_count, record.full_cancel_count), (2, 1, 1));
//! ```
//!
//! Counted are sums, differences, products and quotients with at least one instrumented operand; the result is
//! instrumented too. Negation, comparisons, renormalisation, roots, fma, mad and conversions are not, unless
//! [`Options::extra`] asks for a count of them.
//!
//! A count of cancellations is no count of errors: a difference of close numbers is often exact.

mod classify;
#[cfg(feature = "std")]
mod collect;
mod convert;
pub mod example;
mod ops;
mod record;

pub use classify::{
    Class, FRACTION_BITS, GAP_BIAS, Glance, cancels_of_normal, classify, event, flag, glance, outcome, precedes, sample,
};
#[cfg(feature = "std")]
pub use collect::{Collected, Extra, Handle, Histogram, Histograms, Options, SlotHistograms, handle, record};
pub use record::{Kind, Record, Slot};

use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::Level;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

/// A pair whose operations are counted: the wrapped type's bits, size and alignment.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Stat<P>(pub(crate) P);

macro_rules! alias {
    ($($name:ident $pair:ident;)*) => {$(
        #[doc = concat!("[`", stringify!($pair), "`](crate::", stringify!($pair), "), instrumented.")]
        #[allow(non_camel_case_types)]
        pub type $name = Stat<crate::$pair>;
    )*};
}

alias! {
    fp32mp2_stat fp32mp2;
    fp32mp2_stat_low fp32mp2_low;
    fp32mp2_stat_mid fp32mp2_mid;
    fp32mp2_stat_high fp32mp2_high;
    fp64mp2_stat fp64mp2;
    fp64mp2_stat_low fp64mp2_low;
    fp64mp2_stat_mid fp64mp2_mid;
    fp64mp2_stat_high fp64mp2_high;
}

/// An operation outside the published record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    Sqrt,
    Rsqrt,
    Fma,
    Mad,
    Conversion,
}

/// Notes r = x op y in the innermost scope of this thread.
#[inline(always)]
fn note<F: HostLimb, A: Level>(kind: Kind, x: DoubleWord<F, A>, y: DoubleWord<F, A>, r: DoubleWord<F, A>) {
    #[cfg(feature = "std")]
    collect::note(kind, x.to_parts(), y.to_parts(), r.to_parts());
    #[cfg(not(feature = "std"))]
    let _ = (kind, x, y, r);
}

/// Notes an operation outside the published record.
#[inline(always)]
fn note_other(other: Other) {
    #[cfg(feature = "std")]
    collect::note_other(other);
    #[cfg(not(feature = "std"))]
    let _ = other;
}

impl<F: HostLimb, A: Level> Stat<DoubleWord<F, A>> {
    /// The pair of these limbs, taken as they are.
    #[inline(always)]
    pub const fn from_parts(hi: F, lo: F) -> Self {
        Stat(DoubleWord::from_parts(hi, lo))
    }

    /// One limb, lo = +0.
    #[inline(always)]
    pub const fn from_limb(hi: F) -> Self {
        Stat(DoubleWord::from_limb(hi))
    }

    /// The leading limb.
    #[inline(always)]
    pub const fn hi(self) -> F {
        self.0.hi()
    }

    /// The trailing limb.
    #[inline(always)]
    pub const fn lo(self) -> F {
        self.0.lo()
    }

    /// (hi, lo).
    #[inline(always)]
    pub const fn to_parts(self) -> (F, F) {
        self.0.to_parts()
    }

    /// The plain pair.
    #[inline(always)]
    pub const fn pair(self) -> DoubleWord<F, A> {
        self.0
    }

    /// The plain pair, for changes that are not counted.
    #[inline(always)]
    pub const fn pair_mut(&mut self) -> &mut DoubleWord<F, A> {
        &mut self.0
    }

    /// x y + z with the product unrounded; see [`DoubleWord::fma`].
    #[inline(always)]
    #[must_use]
    pub fn fma(self, y: Self, z: Self) -> Self {
        note_other(Other::Fma);
        Stat(self.0.fma(y.0, z.0))
    }

    /// x y + z as a multiplication and an addition, which are not counted; see [`DoubleWord::mad`].
    #[inline(always)]
    #[must_use]
    pub fn mad(self, y: Self, z: Self) -> Self {
        note_other(Other::Mad);
        Stat(self.0.mad(y.0, z.0))
    }

    /// The square root; see [`DoubleWord::sqrt`].
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        note_other(Other::Sqrt);
        Stat(self.0.sqrt())
    }

    /// The reciprocal square root; see [`DoubleWord::rsqrt`].
    #[inline(always)]
    #[must_use]
    pub fn rsqrt(self) -> Self {
        note_other(Other::Rsqrt);
        Stat(self.0.rsqrt())
    }

    /// See [`DoubleWord::renormalize`].
    #[inline(always)]
    #[must_use]
    pub fn renormalize(self) -> Self {
        Stat(self.0.renormalize())
    }

    /// See [`DoubleWord::canonical`].
    #[inline(always)]
    #[must_use]
    pub fn canonical(self) -> Self {
        Stat(self.0.canonical())
    }

    /// See [`DoubleWord::abs`].
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        Stat(self.0.abs())
    }

    /// The same number at level `B`; see [`DoubleWord::to_level`].
    #[inline(always)]
    #[must_use]
    pub fn to_level<B: Level>(self) -> Stat<DoubleWord<F, B>> {
        note_other(Other::Conversion);
        Stat(self.0.to_level())
    }

    /// Whether the value is NaN.
    #[inline(always)]
    pub fn is_nan(self) -> bool {
        self.0.is_nan()
    }

    /// Whether the value is an infinity.
    #[inline(always)]
    pub fn is_infinite(self) -> bool {
        self.0.is_infinite()
    }

    /// Whether both limbs are finite.
    #[inline(always)]
    pub fn is_finite(self) -> bool {
        self.0.is_finite()
    }
}

impl<P: fmt::Debug> fmt::Debug for Stat<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stat").field(&self.0).finish()
    }
}

macro_rules! format {
    ($($trait:ident)*) => {$(
        impl<P: fmt::$trait> fmt::$trait for Stat<P> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

format!(Display LowerExp UpperExp);

impl<P: FromStr> FromStr for Stat<P> {
    type Err = P::Err;
    fn from_str(s: &str) -> Result<Self, P::Err> {
        s.parse().map(Stat)
    }
}

impl<P: PartialEq> PartialEq for Stat<P> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<F: HostLimb, A: Level> PartialEq<DoubleWord<F, A>> for Stat<DoubleWord<F, A>> {
    #[inline(always)]
    fn eq(&self, other: &DoubleWord<F, A>) -> bool {
        self.0 == *other
    }
}

impl<F: HostLimb, A: Level> PartialEq<Stat<Self>> for DoubleWord<F, A> {
    #[inline(always)]
    fn eq(&self, other: &Stat<Self>) -> bool {
        *self == other.0
    }
}

impl<P: PartialOrd> PartialOrd for Stat<P> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

impl<F: HostLimb, A: Level> PartialOrd<DoubleWord<F, A>> for Stat<DoubleWord<F, A>> {
    #[inline(always)]
    fn partial_cmp(&self, other: &DoubleWord<F, A>) -> Option<Ordering> {
        self.0.partial_cmp(other)
    }
}

impl<F: HostLimb, A: Level> PartialOrd<Stat<Self>> for DoubleWord<F, A> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Stat<Self>) -> Option<Ordering> {
        self.partial_cmp(&other.0)
    }
}
