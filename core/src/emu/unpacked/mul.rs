//! Products of unpacked numbers.

use super::format::{BIAS, INFINITY, ZERO, is_nan, out_of_range, settle};
use crate::emu::Unpacked;
use crate::emu::word::{int, sticky};
use crate::machine::{Word, WordMachine, halves, join};

/// The product of two words of 32 bits.
#[inline(always)]
pub(in crate::emu) fn product<M: WordMachine>(a: M::U32, b: M::U32) -> M::U64 {
    a.to_u64() * b.to_u64()
}

/// Sign and exponent of the product for the upper 32 bits of the product of significands, whose leading one is bit 26 or
/// 27, and the shift that brings it to bit 29.
#[inline(always)]
fn scale<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, top: M::U32) -> (M::U32, M::U32, M::U32) {
    let carry = top.shr(int::<M>(27));
    (x.0 ^ y.0, x.1 + y.1 + carry - int::<M>(BIAS), int::<M>(3) - carry)
}

/// The product with its special values. A finite one has an exponent in range, a state as an operand never.
#[inline(always)]
fn or_rare<M: WordMachine>(r: Unpacked<M>, x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    M::branch(out_of_range::<M>(r.1), r, move || {
        let zero_times_infinity = (x.1 + y.1).eq(int::<M>(ZERO + INFINITY));
        settle::<M>(is_nan::<M>(x) | is_nan::<M>(y) | zero_times_infinity, r)
    })
}

/// x y, rounded to odd at 62 digits.
#[inline(always)]
pub fn mul_high<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    let (high, low) = M::mul_wide(x.2, y.2);
    let (sign, e, n) = scale::<M>(x, y, halves::<M>(high).0);
    let (middle, last) = halves::<M>(low);
    let lost = sticky::<M>((middle.shl(n) | last).to_u64());
    or_rare::<M>((sign, e, M::funnel_shl(high, low, n) | lost), x, y)
}

/// x y from the three upper of four partial products: at most 2^-57 below the exact product, measured
/// 1.00 2^-57.
#[inline(always)]
pub fn mul_mid<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    let ((xh, xl), (yh, yl)) = (halves::<M>(x.2), halves::<M>(y.2));
    let middle = product::<M>(xl, yh) + product::<M>(xh, yl);
    let high = product::<M>(xh, yh) + halves::<M>(middle).0.to_u64();
    let (sign, e, n) = scale::<M>(x, y, halves::<M>(high).0);
    // n is 2 or 3: the last two bits are 0.
    or_rare::<M>((sign, e, high.shl_within(n)), x, y)
}

/// x y from the leading 30 bits of both: at most 2^-25 below the exact product, measured 0.63 2^-25.
#[inline(always)]
pub fn mul_low<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    let top = halves::<M>(x.2).0.mul_hi(halves::<M>(y.2).0);
    let (sign, e, n) = scale::<M>(x, y, top);
    or_rare::<M>((sign, e, join::<M>(top.shl_within(n), int::<M>(0))), x, y)
}
