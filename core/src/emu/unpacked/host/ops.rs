//! Operators, compound forms, comparisons, and both with numbers of other types, which are converted first.

use super::Fp64EmuUnpacked;
use crate::convert::RoundFrom;
use crate::emu::unpacked::{self, Level};
use crate::host::Host;
use core::cmp::Ordering;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

impl<A: Level> Neg for Fp64EmuUnpacked<A> {
    type Output = Self;
    /// The sign flipped.
    #[inline(always)]
    fn neg(self) -> Self {
        Self::wrap(unpacked::neg::<Host>(self.words()))
    }
}

macro_rules! mixed {
    ($op:ident $method:ident $assign:ident $assign_method:ident: $($t:ty)*) => {$(
        impl<A: Level> $op<$t> for Fp64EmuUnpacked<A> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: $t) -> Self {
                $op::$method(self, Self::round_from(y))
            }
        }

        impl<A: Level> $op<Fp64EmuUnpacked<A>> for $t {
            type Output = Fp64EmuUnpacked<A>;
            #[inline(always)]
            fn $method(self, y: Fp64EmuUnpacked<A>) -> Fp64EmuUnpacked<A> {
                $op::$method(Fp64EmuUnpacked::round_from(self), y)
            }
        }

        impl<A: Level> $assign<$t> for Fp64EmuUnpacked<A> {
            #[inline(always)]
            fn $assign_method(&mut self, y: $t) {
                *self = $op::$method(*self, y);
            }
        }
    )*};
}

macro_rules! operator {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<A: Level> $op for Fp64EmuUnpacked<A> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                Self::wrap(A::$method::<Host>(self.words(), y.words()))
            }
        }

        impl<A: Level> $assign for Fp64EmuUnpacked<A> {
            #[inline(always)]
            fn $assign_method(&mut self, y: Self) {
                *self = $op::$method(*self, y);
            }
        }

        mixed!($op $method $assign $assign_method: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);
    )*};
}

operator! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

/// As numbers, guard bits included: -0 is +0, NaN is unequal to everything.
impl<A: Level> PartialEq for Fp64EmuUnpacked<A> {
    #[inline]
    fn eq(&self, y: &Self) -> bool {
        unpacked::eq::<Host>(self.words(), y.words())
    }
}

impl<A: Level> PartialOrd for Fp64EmuUnpacked<A> {
    #[inline]
    fn partial_cmp(&self, y: &Self) -> Option<Ordering> {
        if self < y {
            Some(Ordering::Less)
        } else if y < self {
            Some(Ordering::Greater)
        } else {
            (self == y).then_some(Ordering::Equal)
        }
    }
    #[inline]
    fn lt(&self, y: &Self) -> bool {
        unpacked::lt::<Host>(self.words(), y.words())
    }
    #[inline]
    fn le(&self, y: &Self) -> bool {
        unpacked::le::<Host>(self.words(), y.words())
    }
    #[inline]
    fn gt(&self, y: &Self) -> bool {
        unpacked::lt::<Host>(y.words(), self.words())
    }
    #[inline]
    fn ge(&self, y: &Self) -> bool {
        unpacked::le::<Host>(y.words(), self.words())
    }
}

macro_rules! compared {
    ($($t:ty)*) => {$(
        impl<A: Level> PartialEq<$t> for Fp64EmuUnpacked<A> {
            #[inline]
            fn eq(&self, y: &$t) -> bool {
                *self == Self::round_from(*y)
            }
        }

        impl<A: Level> PartialOrd<$t> for Fp64EmuUnpacked<A> {
            #[inline]
            fn partial_cmp(&self, y: &$t) -> Option<Ordering> {
                self.partial_cmp(&Self::round_from(*y))
            }
        }
    )*};
}

compared!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);

/// The sum in order, from the first term; +0 of nothing.
impl<A: Level> Sum for Fp64EmuUnpacked<A> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x + y).unwrap_or_default()
    }
}

impl<'a, A: Level> Sum<&'a Self> for Fp64EmuUnpacked<A> {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().sum()
    }
}

/// The product in order, from the first factor; 1 of nothing.
impl<A: Level> Product for Fp64EmuUnpacked<A> {
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x * y).unwrap_or(Self::from_f64(1.0))
    }
}

impl<'a, A: Level> Product<&'a Self> for Fp64EmuUnpacked<A> {
    fn product<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().product()
    }
}
