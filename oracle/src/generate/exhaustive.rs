//! Every input there is, by ordinal.

use super::limb::{from_bits, width};
use super::shape::Shape;
use crate::target::Pair;

/// Bits of all limbs together that an exhaustive run may have.
pub const MOST_BITS: u32 = 32;

/// Number of inputs of a shape; `None` above 2^32.
pub fn count(shape: &Shape) -> Option<u64> {
    let limbs = (0..shape.operands.len()).map(|i| 2 - u32::from(shape.is_limb(i))).sum::<u32>();
    let bits = limbs.checked_mul(width(shape.limb))?;
    (bits <= MOST_BITS).then(|| 1 << bits)
}

/// Input `ordinal`, the first operand in the low bits and hi below lo; they repeat after [`count`].
pub fn input(shape: &Shape, mut ordinal: u64, out: &mut [Pair]) {
    let width = width(shape.limb);
    let mut limb = || {
        let x = from_bits(ordinal & (u64::MAX >> (64 - width)), shape.limb);
        ordinal = ordinal.checked_shr(width).unwrap_or(0);
        x
    };
    for (i, x) in out.iter_mut().enumerate().take(shape.operands.len()) {
        *x = (limb(), if shape.is_limb(i) { 0.0 } else { limb() });
    }
}
