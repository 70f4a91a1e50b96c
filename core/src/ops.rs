//! Operators of pairs, compound forms and sums over iterators and slices.

use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::{self, Level};
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

impl<F: HostLimb, A: Level> Neg for DoubleWord<F, A> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::wrap(pair::neg(self.to_parts()))
    }
}

macro_rules! operator {
    ($op:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl<F: HostLimb, A: Level> $op for DoubleWord<F, A> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                Self::wrap(A::$method(self.to_parts(), y.to_parts()))
            }
        }

        impl<F: HostLimb, A: Level> $assign for DoubleWord<F, A> {
            #[inline(always)]
            fn $assign_method(&mut self, y: Self) {
                *self = $op::$method(*self, y);
            }
        }

        /// The limb is taken as the pair (y, 0); `+=` and `-=` with a limb run the shorter accumulation instead.
        impl<F: HostLimb, A: Level> $op<F> for DoubleWord<F, A> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: F) -> Self {
                $op::$method(self, Self::from_limb(y))
            }
        }

        impl<A: Level> $op<DoubleWord<f32, A>> for f32 {
            type Output = DoubleWord<f32, A>;
            #[inline(always)]
            fn $method(self, y: DoubleWord<f32, A>) -> DoubleWord<f32, A> {
                $op::$method(DoubleWord::from_limb(self), y)
            }
        }

        impl<A: Level> $op<DoubleWord<f64, A>> for f64 {
            type Output = DoubleWord<f64, A>;
            #[inline(always)]
            fn $method(self, y: DoubleWord<f64, A>) -> DoubleWord<f64, A> {
                $op::$method(DoubleWord::from_limb(self), y)
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign);
operator!(Sub, sub, SubAssign, sub_assign);
operator!(Mul, mul, MulAssign, mul_assign);
operator!(Div, div, DivAssign, div_assign);

/// Accumulates one limb.
impl<F: HostLimb, A: Level> AddAssign<F> for DoubleWord<F, A> {
    #[inline(always)]
    fn add_assign(&mut self, c: F) {
        *self = Self::wrap(A::acc(self.to_parts(), c));
    }
}

/// Accumulates one negated limb.
impl<F: HostLimb, A: Level> SubAssign<F> for DoubleWord<F, A> {
    #[inline(always)]
    fn sub_assign(&mut self, c: F) {
        *self = Self::wrap(A::acc(self.to_parts(), -c));
    }
}

impl<F: HostLimb, A: Level> MulAssign<F> for DoubleWord<F, A> {
    #[inline(always)]
    fn mul_assign(&mut self, y: F) {
        *self = *self * y;
    }
}

impl<F: HostLimb, A: Level> DivAssign<F> for DoubleWord<F, A> {
    #[inline(always)]
    fn div_assign(&mut self, y: F) {
        *self = *self / y;
    }
}

/// The sum in order, from the first term; +0 of nothing.
impl<F: HostLimb, A: Level> Sum for DoubleWord<F, A> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x + y).unwrap_or_default()
    }
}

impl<'a, F: HostLimb, A: Level> Sum<&'a Self> for DoubleWord<F, A> {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().sum()
    }
}

/// The product in order, from the first factor; 1 of nothing.
impl<F: HostLimb, A: Level> Product for DoubleWord<F, A> {
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x * y).unwrap_or(Self::from_limb(F::ONE))
    }
}

impl<'a, F: HostLimb, A: Level> Product<&'a Self> for DoubleWord<F, A> {
    fn product<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().product()
    }
}
