//! Operators, compound forms, comparisons, and both with numbers of other types, which are converted first.
//!
//! Comparisons have the emulated number on the left: a second type that an integer can be compared with would leave
//! `n == x.into()` without a type in everybody's code.

use super::Fp64Emu;
use crate::convert::RoundFrom;
use crate::emu::{Level, compare, packed};
use crate::host::Host;
use core::cmp::Ordering;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

impl<A: Level> Neg for Fp64Emu<A> {
    type Output = Self;
    /// The sign bit flipped.
    #[inline(always)]
    fn neg(self) -> Self {
        Self::wrap(packed::neg::<Host>(self.word()))
    }
}

macro_rules! operator {
    ($($op:ident $method:ident $assign:ident $assign_method:ident: |$x:ident, $y:ident| $e:expr;)*) => {$(
        impl<A: Level> $op for Fp64Emu<A> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                let ($x, $y) = (self, y);
                $e
            }
        }

        impl<A: Level> $assign for Fp64Emu<A> {
            #[inline(always)]
            fn $assign_method(&mut self, y: Self) {
                *self = $op::$method(*self, y);
            }
        }
    )*};
}

operator! {
    Add add AddAssign add_assign: |x, y| x.add_rn(y);
    Sub sub SubAssign sub_assign: |x, y| x.sub_rn(y);
    Mul mul MulAssign mul_assign: |x, y| x.mul_rn(y);
    Div div DivAssign div_assign: |x, y| x.div_rn(y);
    // Exact, and the same at every level: the remainder of doubles.
    Rem rem RemAssign rem_assign: |x, y| {
        let r = x.to_f64() % y.to_f64();
        if r.is_nan() { Self::NAN } else { Self::from_f64(r) }
    };
}

/// As numbers: -0 is +0, NaN is unequal to everything.
impl<A: Level> PartialEq for Fp64Emu<A> {
    #[inline(always)]
    fn eq(&self, y: &Self) -> bool {
        compare::eq::<Host>(self.word(), y.word())
    }
}

impl<A: Level> PartialOrd for Fp64Emu<A> {
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
    #[inline(always)]
    fn lt(&self, y: &Self) -> bool {
        compare::lt::<Host>(self.word(), y.word())
    }
    #[inline(always)]
    fn le(&self, y: &Self) -> bool {
        compare::le::<Host>(self.word(), y.word())
    }
    #[inline(always)]
    fn gt(&self, y: &Self) -> bool {
        compare::lt::<Host>(y.word(), self.word())
    }
    #[inline(always)]
    fn ge(&self, y: &Self) -> bool {
        compare::le::<Host>(y.word(), self.word())
    }
}

macro_rules! mixed_operator {
    ($t:ty: $($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<A: Level> $op<$t> for Fp64Emu<A> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: $t) -> Self {
                $op::$method(self, Self::round_from(y))
            }
        }

        impl<A: Level> $op<Fp64Emu<A>> for $t {
            type Output = Fp64Emu<A>;
            #[inline(always)]
            fn $method(self, y: Fp64Emu<A>) -> Fp64Emu<A> {
                $op::$method(Fp64Emu::round_from(self), y)
            }
        }

        impl<A: Level> $assign<$t> for Fp64Emu<A> {
            #[inline(always)]
            fn $assign_method(&mut self, y: $t) {
                *self = $op::$method(*self, y);
            }
        }
    )*};
}

macro_rules! mixed {
    ($($t:ty)*) => {$(
        mixed_operator! {
            $t:
            Add add AddAssign add_assign;
            Sub sub SubAssign sub_assign;
            Mul mul MulAssign mul_assign;
            Div div DivAssign div_assign;
            Rem rem RemAssign rem_assign;
        }

        impl<A: Level> PartialEq<$t> for Fp64Emu<A> {
            #[inline]
            fn eq(&self, y: &$t) -> bool {
                *self == Self::round_from(*y)
            }
        }

        impl<A: Level> PartialOrd<$t> for Fp64Emu<A> {
            #[inline]
            fn partial_cmp(&self, y: &$t) -> Option<Ordering> {
                self.partial_cmp(&Self::round_from(*y))
            }
        }
    )*};
}

mixed!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);

/// The sum in order, from the first term; +0 of nothing.
impl<A: Level> Sum for Fp64Emu<A> {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x + y).unwrap_or_default()
    }
}

impl<'a, A: Level> Sum<&'a Self> for Fp64Emu<A> {
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().sum()
    }
}

/// The product in order, from the first factor; 1 of nothing.
impl<A: Level> Product for Fp64Emu<A> {
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.reduce(|x, y| x * y).unwrap_or(Self::from_f64(1.0))
    }
}

impl<'a, A: Level> Product<&'a Self> for Fp64Emu<A> {
    fn product<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().product()
    }
}
