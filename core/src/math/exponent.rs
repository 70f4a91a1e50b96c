//! The exponent of a pair: that of its exact value, which is below a power of two in hi where lo has the other sign.

use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_canonical, is_finite, is_finite2, select2};

/// (m, e) with v = m 2^e and 1/2 <= |m| < 1. Any pair. hi = RN(m), which is 1 where m is that near to it; lo = RN(m - hi).
/// A zero, an infinity and NaN are themselves, with e = 0. e in two's complement. C23 7.12.6.7.
#[inline(always)]
pub fn frexp<L: IeeeLimb>(x: (L, L)) -> ((L, L), U32<L>)
where
    L::M: WordMachine,
{
    let zero = L::lit(0.0);
    let top = 2 * bias::<L>() - 1;
    let field = value_field(x);
    let f = L::from_bits((L::Bits::lit(top) - field).shl(U32::<L>::lit(L::P as u64 - 1)));
    let usual = ((x.0 * f, x.1 * f + zero), field.to_u32() - U32::<L>::lit(bias::<L>() - 1));
    let plain = is_canonical(x) & is_normal(x.0) & x.0.abs().lt(L::lit(exp2(-L::MIN_EXP)));
    L::M::branch(!plain, usual, || {
        let (x, k) = in_range(x);
        let field = value_field(x);
        // The factor is a normal limb four times as large. What a quarter loses of lo is far below half a step in the end.
        let large = L::Bits::lit(top - 1).lt(field);
        let (quarter, two) = (L::select(large, L::lit(0.25), L::lit(1.0)), L::Bits::lit(2));
        let up = <L::Bits as Value>::select(large, two, L::Bits::lit(0));
        let f = L::from_bits((L::Bits::lit(top) - field + up).shl(U32::<L>::lit(L::P as u64 - 1)));
        let m = (x.0 * quarter * f, x.1 * quarter * f + zero);
        let e = (field + k).to_u32() - U32::<L>::lit(bias::<L>() - 1);
        let number = is_number(x.0);
        (select2(number, m, (x.0, zero)), <U32<L> as Value>::select(number, e, U32::<L>::lit(0)))
    })
}

/// floor(log2 |v|) as a 32-bit integer in two's complement. Any pair; the least integer for zero and NaN, the largest for
/// an infinity. Exact. C23 7.12.6.8.
#[inline(always)]
pub fn ilogb<L: IeeeLimb>(x: (L, L)) -> U32<L>
where
    L::M: WordMachine,
{
    let word = |n: u64| U32::<L>::lit(n);
    let usual = value_field(x).to_u32() - word(bias::<L>());
    L::M::branch(!(is_canonical(x) & is_normal(x.0)), usual, || {
        let (x, k) = in_range(x);
        let e = (value_field(x) + k).to_u32() - word(bias::<L>());
        let infinite = x.0.abs().eq(L::lit(f64::INFINITY));
        let special = <U32<L> as Value>::select(infinite, word(i32::MAX as u64), word(1 << 31));
        <U32<L> as Value>::select(is_number(x.0), e, special)
    })
}

/// floor(log2 |v|). Any pair; -infinity for zero, infinity for an infinity, NaN for NaN. Exact. C23 7.12.6.17.
#[inline(always)]
pub fn logb<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let p = L::P as i32;
    // An integer added to the bits of a constant is added to the constant.
    let limb = |field: L::Bits| {
        let constant = (((p - L::MIN_EXP) as u64) << (p - 1)) | 1 << (p - 2);
        L::from_bits(field + L::Bits::lit(constant - bias::<L>())) - L::lit(1.5 * exp2(p - 1))
    };
    let zero = L::lit(0.0);
    let usual = (limb(value_field(x)), zero);
    L::M::branch(!(is_canonical(x) & is_normal(x.0)), usual, || {
        let (x, k) = in_range(x);
        let infinity = L::lit(f64::INFINITY);
        let special = L::select(x.0.eq(zero), -infinity, x.0.abs());
        (L::select(is_number(x.0), limb(value_field(x) + k), special), zero)
    })
}

/// The bias of the exponent field.
pub(super) const fn bias<L: Limb>() -> u64 {
    (1 - L::MIN_EXP) as u64
}

/// The 32 bits of |a| that hold the exponent and the fraction's first digits.
#[inline(always)]
pub(super) fn top<L: IeeeLimb>(a: L) -> U32<L>
where
    L::M: WordMachine,
{
    a.abs().bits().shr(U32::<L>::lit(L::Bits::BITS as u64 - 32)).to_u32()
}

/// The limb whose first 32 bits these are, the others being zeros.
#[inline(always)]
pub(super) fn from_top<L: IeeeLimb>(bits: U32<L>) -> L
where
    L::M: WordMachine,
{
    L::from_bits(L::Bits::from_u64(bits.to_u64().shl(U32::<L>::lit(L::Bits::BITS as u64 - 32))))
}

/// 2^MIN_EXP <= |a|.
#[inline(always)]
fn is_normal<L: Limb>(a: L) -> MaskOf<L> {
    L::lit(exp2(L::MIN_EXP)).le(a.abs())
}

/// Neither zero nor infinite nor NaN.
#[inline(always)]
fn is_number<L: Limb>(a: L) -> MaskOf<L> {
    is_finite(a) & !a.eq(L::lit(0.0))
}

/// The exponent of the exact value with its bias, for a canonical pair whose hi is normal.
#[inline(always)]
pub(super) fn value_field<L: IeeeLimb>((h, l): (L, L)) -> L::Bits
where
    L::M: WordMachine,
{
    let (zero, one) = (L::Bits::lit(0), L::Bits::lit(1));
    let bits = h.bits();
    let field = bits.shl(U32::<L>::lit(1)).shr(U32::<L>::lit(L::P as u64));
    let power = bits.shl(U32::<L>::lit((L::Bits::BITS - L::P + 1) as u64)).eq(zero);
    let below = power & !l.copysign(h).eq(l);
    field - <L::Bits as Value>::select(below, one, zero)
}

/// Whether limbs are finite and their sum is not. Both are large then, and a sixteenth of them is exact.
#[inline(always)]
pub(super) fn overflows<L: Limb>(x: (L, L)) -> MaskOf<L> {
    is_finite2(x) & !is_finite(x.0 + x.1)
}

/// x canonical, or a sixteenth of it where [`overflows`], and whether that is so.
#[inline(always)]
pub(super) fn canonical_below<L: Limb>(x: (L, L)) -> ((L, L), MaskOf<L>) {
    let over = overflows(x);
    let s = L::select(over, L::lit(0.0625), L::lit(1.0));
    (canonical((x.0 * s, x.1 * s)), over)
}

/// (y, k) with v = y 2^k, exactly, where y is canonical and hi is normal or zero or not finite.
fn in_range<L: IeeeLimb>(x: (L, L)) -> ((L, L), L::Bits)
where
    L::M: WordMachine,
{
    let digits = 2 * L::P as i32;
    let one = L::lit(1.0);
    let (c, over) = canonical_below(x);
    let small = c.0.abs().lt(L::lit(exp2(L::MIN_EXP)));
    let s = L::select(small, L::lit(exp2(digits)), one);
    let word = |n: i32| L::Bits::lit(n as i64 as u64);
    let k = <L::Bits as Value>::select(over, word(4), <L::Bits as Value>::select(small, word(-digits), word(0)));
    ((c.0 * s, c.1 * s), k)
}
