//! Operators of packed doubles, compound forms, comparisons and sums.

use super::Fp64Emu;
use crate::convert::RoundFrom;
use crate::emu::operators::{arithmetic, comparisons, folds};
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

arithmetic! {
    Fp64Emu:
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

comparisons! {
    /// As numbers: -0 is +0, NaN is unequal to everything.
    Fp64Emu: word compare
}

folds!(Fp64Emu);
