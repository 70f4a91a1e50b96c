//! Comparisons of unpacked numbers: of values, guard bits included.

use super::format::{NAN, ZERO, is};
use crate::emu::Unpacked;
use crate::emu::word::int;
use crate::machine::{Word, WordMachine};

/// Neither is NaN.
#[inline(always)]
fn ordered<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> M::Mask {
    !is::<M>(x, NAN) & !is::<M>(y, NAN)
}

/// Both are zero, of either sign.
#[inline(always)]
fn zeros<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> M::Mask {
    is::<M>(x, ZERO) & is::<M>(y, ZERO)
}

/// |x| < |y|, as the exponents of zeros and infinities have it.
#[inline(always)]
fn smaller<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> M::Mask {
    x.1.lt_signed(y.1) | (x.1.eq(y.1) & x.2.lt(y.2))
}

/// x < y, with -0 below +0, for numbers that are not NaN.
#[inline(always)]
fn below<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> M::Mask {
    let minus = x.0.eq(int::<M>(1));
    (minus & !x.0.eq(y.0)) | (x.0.eq(y.0) & ((minus & smaller::<M>(y, x)) | (!minus & smaller::<M>(x, y))))
}

/// x == y as numbers: -0 is +0, and NaN is nothing.
#[inline(always)]
pub fn eq<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> M::Mask {
    ordered::<M>(x, y) & (zeros::<M>(x, y) | (x.0.eq(y.0) & x.1.eq(y.1) & x.2.eq(y.2)))
}

/// x < y; false for NaN.
#[inline(always)]
pub fn lt<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> M::Mask {
    ordered::<M>(x, y) & below::<M>(x, y) & !zeros::<M>(x, y)
}

/// x <= y; false for NaN.
#[inline(always)]
pub fn le<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> M::Mask {
    ordered::<M>(x, y) & (zeros::<M>(x, y) | !below::<M>(y, x))
}
