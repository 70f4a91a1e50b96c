//! Sums of unpacked numbers.

use super::format::{INFINITY, is, is_nan, out_of_range, select, settle, zero};
use super::mul::product;
use crate::emu::Unpacked;
use crate::emu::word::{int, sticky, wide};
use crate::machine::{Value, Word, WordMachine, halves, join};

/// x (1 - 2 s) modulo 2^64, for s = 0 or 1: products keep the work off the pipe that shifts and selects.
#[inline(always)]
pub(super) fn negate_if<M: WordMachine>(s: M::U32, x: M::U64) -> M::U64 {
    negate_if_and_add::<M>(s, x, int::<M>(0))
}

/// x (1 - 2 s) + y modulo 2^64, for s = 0 or 1.
#[inline(always)]
fn negate_if_and_add<M: WordMachine>(s: M::U32, x: M::U64, y: M::U32) -> M::U64 {
    let (high, low) = halves::<M>(x);
    let factor = int::<M>(1) - s - s;
    let (carry, word) = halves::<M>(product::<M>(low, factor) + y.to_u64());
    join::<M>(carry + high * factor - low * s, word)
}

/// `usual`, or the result of `finite` where the sum is of finite numbers, not both zero, and is rare.
#[inline(always)]
fn or_rare<M: WordMachine>(
    rare: M::Mask,
    usual: Unpacked<M>,
    x: Unpacked<M>,
    y: Unpacked<M>,
    finite: impl FnOnce() -> Unpacked<M>,
) -> Unpacked<M> {
    M::branch(rare, usual, move || {
        let (infinite_x, infinite_y) = (is::<M>(x, INFINITY), is::<M>(y, INFINITY));
        let opposite = !x.0.eq(y.0);
        let finite = finite();
        // Of an exact 0: +0 unless both are negative.
        let none = finite.2.eq(wide::<M>(0)) | (x.2 | y.2).eq(wide::<M>(0));
        let finite = select::<M>(none, zero::<M>(x.0 & y.0), finite);
        let special = select::<M>(infinite_x, x, select::<M>(infinite_y, y, finite));
        settle::<M>(is_nan::<M>(x) | is_nan::<M>(y) | (infinite_x & infinite_y & opposite), special)
    })
}

/// A sum before it is normalised: (-1)^sign c 2^(e - 1023 - 62).
struct Aligned<M: WordMachine> {
    sign: M::U32,
    e: M::U32,
    c: M::U64,
}

/// The sum where `swap` says that |x| < |y|; c wraps where it is wrong. Where `jam` says so, the last bit of c is a sticky bit
/// too.
#[inline(always)]
fn aligned<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, swap: M::Mask, jam: bool) -> Aligned<M> {
    let one = int::<M>(1);
    let less = x.1.lt_signed(y.1);
    let (e, other) = (M::U32::select(less, y.1, x.1), M::U32::select(less, x.1, y.1));
    let (large, small) = (M::U64::select(swap, y.2, x.2), M::U64::select(swap, x.2, y.2));
    let sign = M::U32::select(swap, y.0, x.0);
    // One more bit: with exponents that differ by 1 nothing is lost, and beyond there is little cancellation.
    let small = small.shl(one);
    let d = e - other;
    let shifted = small.unbounded_shr(d);
    let jammed = if jam { shifted | sticky::<M>(shifted.unbounded_shl(d) ^ small) } else { shifted };
    Aligned { sign, e, c: large.shl(one) + negate_if::<M>(x.0 ^ y.0, jammed) }
}

/// c with its leading one at bit 61, for a c with n leading zeros; a bit that leaves sets the last one.
#[inline(always)]
fn normalized<M: WordMachine>(s: &Aligned<M>, n: M::U32) -> Unpacked<M> {
    let top = s.c.unbounded_shl(n);
    let m = top.shr(int::<M>(2)) | sticky::<M>((top.to_u32() & int::<M>(3)).to_u64());
    (s.sign, s.e + int::<M>(1) - n, m)
}

/// x + y, rounded to odd at 62 digits.
#[inline(always)]
pub fn add_high<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    // The upper halves order all but sums that cancel to less than 2^33: a wrong order shows as a negative number.
    let key = |x: Unpacked<M>| join::<M>(x.1, halves::<M>(x.2).0);
    let s = aligned::<M>(x, y, key(x).lt_signed(key(y)), true);
    let (high, _) = halves::<M>(s.c);
    let r = normalized::<M>(&s, high.clz_nonzero());
    let rare = out_of_range::<M>(r.1) | (high + int::<M>(2)).lt(int::<M>(3));
    or_rare::<M>(rare, r, x, y, move || {
        let less = x.1.lt_signed(y.1) | (x.1.eq(y.1) & x.2.lt(y.2));
        // Nothing is lost where sums cancel, and it does not matter where they leave the range.
        let s = aligned::<M>(x, y, less, false);
        let n = s.c.clz();
        normalized::<M>(&s, n)
    })
}

/// x + y on 60 digits: less than 2^-59 of the result in error, measured 0.75 2^-59.
#[inline(always)]
pub fn add_mid<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    let larger = M::U32::select(x.1.lt_signed(y.1), y.1, x.1) + int::<M>(1);
    // One place to the right, for the carry; the last two bits of results are 0, so that operands whose exponents differ
    // by no more than 1 lose nothing.
    let part = |x: Unpacked<M>| negate_if::<M>(x.0, x.2.unbounded_shr(larger - x.1));
    let c = part(x) + part(y);
    let sign = halves::<M>(c).0.shr(int::<M>(31));
    // Sums of equal sign lose one unit on average where they do not carry: without this one, long sums would drift.
    let unit = int::<M>(1) ^ x.0 ^ y.0;
    let c = negate_if_and_add::<M>(sign, c, unit);
    let (high, _) = halves::<M>(c);
    let result = |n: M::U32| {
        let n = n - int::<M>(2);
        (sign, larger - n, c.unbounded_shl(n) & wide::<M>(!3))
    };
    let r = result(high.clz_nonzero());
    let rare = out_of_range::<M>(r.1) | high.eq(int::<M>(0));
    or_rare::<M>(rare, r, x, y, move || result(c.clz()))
}

/// x + y on 28 digits, as [`add_mid`] on the upper halves: less than 2^-27 (|x| + |y|) in error,
/// measured 1.00 2^-27.
#[inline(always)]
pub fn add_low<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    let one = int::<M>(1);
    let larger = M::U32::select(x.1.lt_signed(y.1), y.1, x.1) + one;
    let signed = |s: M::U32, m: M::U32| m * (one - s - s);
    let part = |x: Unpacked<M>| signed(x.0, halves::<M>(x.2).0.unbounded_shr(larger - x.1));
    let c = part(x) + part(y);
    let sign = c.shr(int::<M>(31));
    let c = signed(sign, c) + (one ^ x.0 ^ y.0);
    let n = c.clz_nonzero() - int::<M>(2);
    let digits = c.unbounded_shl(n) & int::<M>(!3);
    let r = (sign, larger - n, join::<M>(digits, int::<M>(0)));
    // The sum of two zeros has an exponent far out of range.
    let none = c.eq(int::<M>(0));
    let rare = out_of_range::<M>(r.1) | none;
    or_rare::<M>(rare, r, x, y, move || (r.0, r.1, M::U64::select(none, wide::<M>(0), r.2)))
}
