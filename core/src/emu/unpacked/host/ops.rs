//! Operators of unpacked numbers, compound forms, comparisons and sums.

use super::Fp64EmuUnpacked;
use crate::convert::RoundFrom;
use crate::emu::operators::{arithmetic, comparisons, folds};
use crate::emu::unpacked::format::normalized;
use crate::emu::unpacked::{self, Level};
use crate::host::Host;
use core::cmp::Ordering;
use core::iter::{Product, Sum};
use core::num::Wrapping;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

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
    Rem rem RemAssign rem_assign: |x, y| remainder(x, y);
}

/// x - y trunc(x / y) with the sign of x, exactly, and the same at every level. NaN where an operand is NaN, x infinite or y
/// zero; x where y is infinite.
fn remainder<A: Level>(x: Fp64EmuUnpacked<A>, y: Fp64EmuUnpacked<A>) -> Fp64EmuUnpacked<A> {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y.is_zero() {
        return Fp64EmuUnpacked::NAN;
    }
    if x.exponent < y.exponent {
        return x;
    }
    // The significand of x, times 2 to the difference of the exponents, modulo that of y.
    let modulus = u128::from(y.significand);
    let (mut rest, mut square) = (u128::from(x.significand) % modulus, 2 % modulus);
    let mut n = x.exponent - y.exponent;
    while n > 0 {
        if n % 2 == 1 {
            rest = rest * square % modulus;
        }
        square = square * square % modulus;
        n /= 2;
    }
    let words = normalized::<Host>(Wrapping(x.sign), Wrapping(y.exponent as u32), Wrapping(rest as u64));
    Fp64EmuUnpacked::wrap(words)
}

comparisons! {
    /// As numbers, guard bits included: -0 is +0, NaN is unequal to everything.
    Fp64EmuUnpacked: words unpacked
}

folds!(Fp64EmuUnpacked);
