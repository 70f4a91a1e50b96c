//! The host without jumps: what [`crate::slice`] runs, for loops that LLVM turns into packed instructions.
//!
//! A lane goes the usual way of every branch, and remembers that it should not have: every result of it is *lost* then, and is
//! to be computed anew on the [`Host`]. A result that is not lost has the host's bits, since the host has gone the same way.

use crate::host::Host;
use crate::machine::{Bundle, IeeeLimb, Limb, Machine, Mask, MaskOf, Value, Word, WordMachine};
use core::num::Wrapping;
use core::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Sub};

/// The machine of [`Lane`]s.
#[derive(Clone, Copy, Debug)]
pub struct Lanes;

/// A value of the host, or the truth value of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Lane<T> {
    pub value: T,
    /// Whether `value` depends on a branch that went the wrong way.
    pub lost: bool,
}

impl<T> Lane<T> {
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Lane { value, lost: false }
    }

    #[inline(always)]
    fn map<R>(self, f: impl FnOnce(T) -> R) -> Lane<R> {
        Lane { value: f(self.value), lost: self.lost }
    }

    #[inline(always)]
    fn with<U, R>(self, b: Lane<U>, f: impl FnOnce(T, U) -> R) -> Lane<R> {
        Lane { value: f(self.value, b.value), lost: self.lost | b.lost }
    }
}

impl Mask for Lane<bool> {}

impl Machine for Lanes {
    type Mask = Lane<bool>;

    #[inline(always)]
    fn branch<T: Bundle<Self>>(rare: Lane<bool>, usual: T, _: impl FnOnce() -> T) -> T {
        T::select(Lane { value: true, lost: rare.value | rare.lost }, usual, usual)
    }
}

impl WordMachine for Lanes {
    type U32 = Lane<Wrapping<u32>>;
    type U64 = Lane<Wrapping<u64>>;
    type F32 = Lane<f32>;
    type F64 = Lane<f64>;
}

impl<T: Value<M = Host>> Value for Lane<T> {
    type M = Lanes;

    #[inline(always)]
    fn select(m: Lane<bool>, a: Self, b: Self) -> Self {
        Lane { value: T::select(m.value, a.value, b.value), lost: m.lost | a.lost | b.lost }
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident)*) => {$(
        impl<T: $trait<Output = T>> $trait for Lane<T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                self.with(b, T::$method)
            }
        }
    )*};
}

operators!(Add add Sub sub Mul mul BitAnd bitand BitOr bitor BitXor bitxor);

impl<T: Neg<Output = T>> Neg for Lane<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(T::neg)
    }
}

impl<T: Not<Output = T>> Not for Lane<T> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.map(T::not)
    }
}

/// Methods of the host's values, as methods of lanes.
macro_rules! methods {
    ($($name:ident($($b:ident: $t:ty)?) -> $r:ty;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $b: $t)?) -> $r {
            methods!(self $($b)?, $name)
        }
    )*};
    ($self:ident, $name:ident) => { $self.map(T::$name) };
    ($self:ident $b:ident, $name:ident) => { $self.with($b, T::$name) };
}

impl<T: Limb<M = Host>> Limb for Lane<T> {
    const P: u32 = T::P;
    const MIN_EXP: i32 = T::MIN_EXP;
    const SCALE_LIMIT: i32 = T::SCALE_LIMIT;
    const SCALE: i32 = T::SCALE;
    const DIV_RANGE: (i32, i32) = T::DIV_RANGE;

    #[inline(always)]
    fn lit(x: f64) -> Self {
        Lane::new(T::lit(x))
    }
    #[inline(always)]
    fn fma(self, b: Self, c: Self) -> Self {
        self.with(b, |a, b| (a, b)).with(c, |(a, b), c| a.fma(b, c))
    }
    methods! {
        sqrt() -> Self;
        rcp() -> Self;
        div(b: Self) -> Self;
        abs() -> Self;
        copysign(sign: Self) -> Self;
        lt(b: Self) -> MaskOf<Self>;
        le(b: Self) -> MaskOf<Self>;
        eq(b: Self) -> MaskOf<Self>;
    }
}

impl<T: IeeeLimb<M = Host>> IeeeLimb for Lane<T> {
    type Bits = Lane<T::Bits>;
    #[inline(always)]
    fn bits(self) -> Self::Bits {
        self.map(T::bits)
    }
    #[inline(always)]
    fn from_bits(bits: Self::Bits) -> Self {
        bits.map(T::from_bits)
    }
}

impl<T: Word<M = Host>> Word for Lane<T> {
    const BITS: u32 = T::BITS;

    #[inline(always)]
    fn lit(x: u64) -> Self {
        Lane::new(T::lit(x))
    }
    methods! {
        shl(n: Lane<Wrapping<u32>>) -> Self;
        shr(n: Lane<Wrapping<u32>>) -> Self;
        sar(n: Lane<Wrapping<u32>>) -> Self;
        unbounded_shl(n: Lane<Wrapping<u32>>) -> Self;
        unbounded_shr(n: Lane<Wrapping<u32>>) -> Self;
        mul_hi(b: Self) -> Self;
        clz() -> Lane<Wrapping<u32>>;
        clz_nonzero() -> Lane<Wrapping<u32>>;
        lt(b: Self) -> MaskOf<Self>;
        lt_signed(b: Self) -> MaskOf<Self>;
        eq(b: Self) -> MaskOf<Self>;
        to_u32() -> Lane<Wrapping<u32>>;
        to_u64() -> Lane<Wrapping<u64>>;
    }
    #[inline(always)]
    fn from_u64(x: Lane<Wrapping<u64>>) -> Self {
        x.map(T::from_u64)
    }
    #[inline(always)]
    fn table(table: &'static [u64], i: Lane<Wrapping<u32>>) -> Self {
        i.map(|i| T::table(table, i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;

    /// Results of the usual path have the host's bits, and others are known to be lost.
    #[test]
    fn rare_paths_are_lost() {
        for (x, rare) in [(1.5, false), (-60.0, false), (700.0, true), (-800.0, true), (f64::NAN, true)] {
            let (hi, lo) = math::exp((Lane::new(x), Lane::new(0.0)));
            assert_eq!((hi.lost, lo.lost), (rare, rare), "{x}");
            assert!(rare || (hi.value, lo.value) == math::exp((x, 0.0)), "{x}");
        }
        // Whatever is computed from them is, too.
        let lost = math::exp((Lane::new(800.0), Lane::new(0.0))).0;
        let (one, other) = (Lane::new(1.0), Lane::new(2.0));
        assert!(
            (one + lost * other).lost
                && lost.lt(one).lost
                && (lost.bits() & one.bits()).lost
                && one.fma(other, lost).lost
        );
        assert!(Value::select(lost.lt(one), one, other).lost && !Value::select(one.lt(other), one, other).lost);
    }
}
