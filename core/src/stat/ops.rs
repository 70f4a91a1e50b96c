//! Operators of instrumented pairs. An operand that is a limb is the pair (c, 0), but for `+=` and `-=`, which accumulate it.

use super::{Kind, Stat, note};
use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::Level;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

impl<F: HostLimb, A: Level> Neg for Stat<DoubleWord<F, A>> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Stat(-self.0)
    }
}

macro_rules! operator {
    ($op:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl<F: HostLimb, A: Level> $op for Stat<DoubleWord<F, A>> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                let r = $op::$method(self.0, y.0);
                note(Kind::$op, self.0, y.0, r);
                Stat(r)
            }
        }

        impl<F: HostLimb, A: Level> $op<DoubleWord<F, A>> for Stat<DoubleWord<F, A>> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: DoubleWord<F, A>) -> Self {
                $op::$method(self, Stat(y))
            }
        }

        impl<F: HostLimb, A: Level> $op<Stat<Self>> for DoubleWord<F, A> {
            type Output = Stat<Self>;
            #[inline(always)]
            fn $method(self, y: Stat<Self>) -> Stat<Self> {
                $op::$method(Stat(self), y)
            }
        }

        impl<F: HostLimb, A: Level> $op<F> for Stat<DoubleWord<F, A>> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: F) -> Self {
                $op::$method(self, Self::from_limb(y))
            }
        }

        operator!(@limb f32, $op, $method);
        operator!(@limb f64, $op, $method);

        impl<F: HostLimb, A: Level> $assign for Stat<DoubleWord<F, A>> {
            #[inline(always)]
            fn $assign_method(&mut self, y: Self) {
                *self = $op::$method(*self, y);
            }
        }

        impl<F: HostLimb, A: Level> $assign<DoubleWord<F, A>> for Stat<DoubleWord<F, A>> {
            #[inline(always)]
            fn $assign_method(&mut self, y: DoubleWord<F, A>) {
                *self = $op::$method(*self, y);
            }
        }

        /// As the plain pair's compound form.
        impl<F: HostLimb, A: Level> $assign<F> for Stat<DoubleWord<F, A>> {
            #[inline(always)]
            fn $assign_method(&mut self, y: F) {
                let x = self.0;
                $assign::$assign_method(&mut self.0, y);
                note(Kind::$op, x, DoubleWord::from_limb(y), self.0);
            }
        }

        /// Contagion stops at a plain pair, but the operation is counted: it has an instrumented operand.
        impl<F: HostLimb, A: Level> $assign<Stat<Self>> for DoubleWord<F, A> {
            #[inline(always)]
            fn $assign_method(&mut self, y: Stat<Self>) {
                *self = $op::$method(Stat(*self), y).0;
            }
        }
    };
    (@limb $limb:ty, $op:ident, $method:ident) => {
        impl<A: Level> $op<Stat<DoubleWord<$limb, A>>> for $limb {
            type Output = Stat<DoubleWord<$limb, A>>;
            #[inline(always)]
            fn $method(self, y: Stat<DoubleWord<$limb, A>>) -> Stat<DoubleWord<$limb, A>> {
                $op::$method(Stat::from_limb(self), y)
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign);
operator!(Sub, sub, SubAssign, sub_assign);
operator!(Mul, mul, MulAssign, mul_assign);
operator!(Div, div, DivAssign, div_assign);

impl<F: HostLimb, A: Level> Stat<DoubleWord<F, A>> {
    /// `++x` of C: `x += 1`, counted as a sum.
    #[inline(always)]
    pub fn increment(&mut self) {
        *self += F::ONE;
    }

    /// `--x` of C: `x -= 1`, counted as a difference.
    #[inline(always)]
    pub fn decrement(&mut self) {
        *self -= F::ONE;
    }
}

/// The sum in order, from the first term; +0 of nothing.
impl<F: HostLimb, A: Level> Sum for Stat<DoubleWord<F, A>> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x + y).unwrap_or_default()
    }
}

impl<'a, F: HostLimb, A: Level> Sum<&'a Self> for Stat<DoubleWord<F, A>> {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().sum()
    }
}

/// The product in order, from the first factor; 1 of nothing.
impl<F: HostLimb, A: Level> Product for Stat<DoubleWord<F, A>> {
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x * y).unwrap_or(Self::from_limb(F::ONE))
    }
}

impl<'a, F: HostLimb, A: Level> Product<&'a Self> for Stat<DoubleWord<F, A>> {
    fn product<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().product()
    }
}
