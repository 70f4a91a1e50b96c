//! Between `fp32mp2` and `fp64mp2`.

use super::Format;
use super::real::{Parts, bit, int};
use super::round::round_word;
use crate::eft::fast_two_sum;
use crate::machine::{IeeeLimb, Limb, Value, Word, WordMachine};

const NARROW: Format = Format::BINARY32;
const WIDE: Format = Format::BINARY64;

/// `fp32mp2` to `fp64mp2`, exactly.
#[inline(always)]
pub fn widen<M: WordMachine>((hi, lo): (M::F32, M::F32)) -> (M::F64, M::F64) {
    let (zero, infinity) = (M::F32::lit(0.0), M::F32::lit(f64::INFINITY));
    // The larger limb first, or the one that decides a special value.
    let swap = !lo.abs().le(hi.abs()) & hi.abs().lt(infinity);
    let (a, b) = (M::F32::select(swap, lo, hi), M::F32::select(swap, hi, lo));
    let special = !a.abs().lt(infinity);
    let alone = special | b.eq(zero);
    let (a_limb, b_limb) = (widen_finite::<M>(a), widen_finite::<M>(b));
    let (s, e) = fast_two_sum(a_limb, b_limb);
    let infinite = M::F64::lit(f64::INFINITY).copysign(a_limb);
    let special_limb = M::F64::select(a.eq(a), infinite, M::F64::lit(f64::NAN));
    let a = M::F64::select(special, special_limb, a_limb);
    (M::F64::select(alone, a, s), M::F64::select(alone, M::F64::lit(0.0), e))
}

/// A finite limb, exactly.
#[inline(always)]
fn widen_finite<M: WordMachine>(x: M::F32) -> M::F64 {
    let zero = M::U64::lit(0);
    let bits = x.bits().to_u64();
    let magnitude = bits & M::U64::lit(!NARROW.sign());
    let parts = Parts::<M>::of(magnitude, NARROW);
    let n = parts.significand.clz();
    // The leading bit adds one to the exponent field.
    let field = parts.exponent + int::<M>((WIDE.bias() - NARROW.bias()) as i32) - n;
    let wide = field.to_u64().shl(int::<M>(52)) + parts.significand.shl(n).shr(int::<M>(11));
    let sign = (bits & M::U64::lit(NARROW.sign())).shl(int::<M>(32));
    M::F64::from_bits(sign | M::U64::select(magnitude.eq(zero), zero, wide))
}

/// `fp64mp2` to `fp32mp2`: hi = RN(v), lo = RN(v - hi).
///
/// The limbs are normalised first. Then l is below all digits of h, and what rounds h is only whether there is an l.
#[inline(always)]
pub fn narrow<M: WordMachine>((hi, lo): (M::F64, M::F64)) -> (M::F32, M::F32) {
    let (zero, infinity) = (M::U64::lit(0), M::U64::lit(WIDE.infinity()));
    let magnitude = |x: M::U64| x & M::U64::lit(!WIDE.sign());
    // The larger limb first, or the one that decides a special value.
    let (hi, lo) = (hi.bits(), lo.bits());
    let swap = magnitude(hi).lt(magnitude(lo)) & magnitude(hi).lt(infinity);
    let (a, b) = (M::U64::select(swap, lo, hi), M::U64::select(swap, hi, lo));
    // Adding a zero would turn -0 into +0.
    let alone = b.eq(zero) | !magnitude(a).lt(infinity);
    let (s, e) = fast_two_sum(M::F64::from_bits(a), M::F64::from_bits(b));
    let (h, l) = (M::U64::select(alone, a, s.bits()), e.bits());

    let sign = |x: M::U64| x.lt_signed(zero);
    let subtract = sign(h) ^ sign(l);
    let some = !magnitude(l).eq(zero);
    let (h_exponent, h_word) = fields::<M>(magnitude(h));
    let (l_exponent, l_word) = fields::<M>(magnitude(l));
    let l_word = M::U64::select(some, l_word, zero);
    let top = add_or_subtract::<M>(subtract, h_word, bit::<M>(some));
    let n = top.clz();
    let exponent = h_exponent - int::<M>(WIDE.bias() as i32 - 1) - n;
    let hi = round_word::<M>(exponent, top.shl(n), || None, NARROW);
    let hi_bits = hi.saturated(NARROW);

    // h - hi, exactly; where it is 0 it has the sign and the exponent of l.
    let one = int::<M>(1);
    let d = h_word.shl(n) - (hi.kept + hi.up).shl(one).shl(hi.dropped - one);
    let nothing = d.eq(zero);
    let negative = sign(d) | (nothing & subtract);
    let d = M::U64::select(negative, zero - d, d);
    let n = d.clz();
    let l_exponent = l_exponent - int::<M>(WIDE.bias() as i32);
    let exponent = M::U32::select(nothing, l_exponent, exponent - n);
    // No more than one bit of d cancels: what is below the word of l sets its last bit.
    let far = exponent - l_exponent;
    let upper = l_word.unbounded_shr(far);
    let l_word = upper | bit::<M>(!upper.unbounded_shl(far).eq(l_word));
    let top = add_or_subtract::<M>(subtract ^ negative, d.shl(n).shr(one), l_word);
    let n = top.clz();
    let lo = round_word::<M>(exponent + one - n, top.shl(n), || None, NARROW).bits;

    let signed = |negative, x: M::U64| M::U64::select(negative, x | M::U64::lit(NARROW.sign()), x);
    // A zero lo is +0.
    let nothing = lo.eq(zero) | !hi_bits.lt(M::U64::lit(NARROW.infinity()));
    let lo = M::U64::select(nothing, zero, signed(sign(h) ^ negative, lo));
    let hi = M::U64::select(infinity.lt(magnitude(h)), M::U64::lit(NARROW.nan()), signed(sign(h), hi_bits));
    let limb = |bits: M::U64| M::F32::from_bits(bits.to_u32());
    (limb(hi), limb(lo))
}

/// The exponent field of a magnitude, and its significand with the implicit bit at bit 62. Zero and subnormal doubles have
/// an implicit bit too: they are far below `binary32` either way.
#[inline(always)]
fn fields<M: WordMachine>(magnitude: M::U64) -> (M::U32, M::U64) {
    let significand = (magnitude & M::U64::lit(WIDE.fraction())) | M::U64::lit(WIDE.fraction() + 1);
    (magnitude.shr(int::<M>(52)).to_u32(), significand.shl(int::<M>(10)))
}

#[inline(always)]
fn add_or_subtract<M: WordMachine>(subtract: M::Mask, a: M::U64, b: M::U64) -> M::U64 {
    M::U64::select(subtract, a - b, a + b)
}
