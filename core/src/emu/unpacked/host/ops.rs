//! Operators, compound forms, comparisons and sums.

use super::Fp64EmuUnpacked;
use crate::convert::RoundFrom;
use crate::emu::operators::{arithmetic, comparisons, folds};
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

arithmetic! {
    Fp64EmuUnpacked:
    Add add AddAssign add_assign: |x, y| Self::wrap(A::add::<Host>(x.words(), y.words()));
    Sub sub SubAssign sub_assign: |x, y| Self::wrap(A::sub::<Host>(x.words(), y.words()));
    Mul mul MulAssign mul_assign: |x, y| Self::wrap(A::mul::<Host>(x.words(), y.words()));
    Div div DivAssign div_assign: |x, y| Self::wrap(A::div::<Host>(x.words(), y.words()));
}

comparisons! {
    /// As numbers, guard bits included: -0 is +0, NaN is unequal to everything.
    Fp64EmuUnpacked: words unpacked
}

folds!(Fp64EmuUnpacked);
