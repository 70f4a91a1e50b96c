//! A number as sign, exponent and a magnitude of 128 bits and a remainder: what every conversion goes through.

use super::Format;
use crate::machine::{IeeeLimb, Value, Word, WordMachine};

/// (-1)^negative (top 2^64 + low + rest 2^-64) 2^(exponent - 127), unless `infinite` or `nan`.
///
/// The leading bit of `top` is set, or the number is zero.
pub(super) struct Real<M: WordMachine> {
    pub negative: M::Mask,
    /// Of the leading bit, in two's complement; [`ZERO_EXPONENT`] for zero.
    pub exponent: M::U32,
    pub top: M::U64,
    pub low: M::U64,
    pub rest: M::U64,
    pub infinite: M::Mask,
    pub nan: M::Mask,
}

/// Below every exponent that occurs.
const ZERO_EXPONENT: i32 = -0x10_0000;

/// The word of a signed constant.
#[inline(always)]
pub(super) fn int<M: WordMachine>(x: i32) -> M::U32 {
    M::U32::lit(x as u32 as u64)
}

/// 1 where `m` is true, 0 elsewhere.
#[inline(always)]
pub(super) fn bit<M: WordMachine>(m: M::Mask) -> M::U64 {
    M::U64::select(m, M::U64::lit(1), M::U64::lit(0))
}

/// a 2^64 + b shifted left by n < 64, the high word.
#[inline(always)]
fn funnel<M: WordMachine>(a: M::U64, b: M::U64, n: M::U32) -> M::U64 {
    a.shl(n) | b.shr(int::<M>(1)).shr(int::<M>(63) - n)
}

/// -(high 2^64 + low) where `m` is true, modulo 2^128.
#[inline(always)]
pub(super) fn negate_if<M: WordMachine>(m: M::Mask, (high, low): (M::U64, M::U64)) -> (M::U64, M::U64) {
    let zero = M::U64::lit(0);
    let carry = bit::<M>(low.eq(zero));
    (M::U64::select(m, !high + carry, high), M::U64::select(m, zero - low, low))
}

impl<M: WordMachine> Real<M> {
    /// (top 2^64 + low + rest 2^-64) 2^(exponent - 127) for any words, where a zero `top` and `low` mean a zero `rest`.
    #[inline(always)]
    pub fn normalized(negative: M::Mask, exponent: M::U32, top: M::U64, low: M::U64, rest: M::U64) -> Self {
        let zero = M::U64::lit(0);
        let never = negative & !negative;
        let far = top.eq(zero);
        let exponent = M::U32::select(far, exponent - int::<M>(64), exponent);
        let (top, low, rest) =
            (M::U64::select(far, low, top), M::U64::select(far, rest, low), M::U64::select(far, zero, rest));
        let n = top.clz();
        let exponent = M::U32::select(top.eq(zero), int::<M>(ZERO_EXPONENT), exponent - n);
        let (top, low, rest) = (funnel::<M>(top, low, n), funnel::<M>(low, rest, n), rest.shl(n));
        Self { negative, exponent, top, low, rest, infinite: never, nan: never }
    }

    /// The integer high 2^64 + low, negated where `negative`.
    #[inline(always)]
    pub fn from_magnitude(negative: M::Mask, (high, low): (M::U64, M::U64)) -> Self {
        Self::normalized(negative, int::<M>(127), high, low, M::U64::lit(0))
    }

    /// One limb.
    #[inline(always)]
    pub fn from_limb<L: IeeeLimb<M = M>>(x: L) -> Self {
        let f = const { Format::of::<L>() };
        let zero = M::U64::lit(0);
        let bits = x.bits().to_u64();
        let parts = Parts::<M>::of(bits & M::U64::lit(!f.sign()), f);
        // The significand begins at bit 62, one below the leading bit.
        let exponent = parts.exponent - int::<M>(f.bias() as i32 - 1);
        let real = Self::normalized(is_negative::<M>(bits, f), exponent, parts.significand, zero, zero);
        Self { infinite: parts.infinite, nan: parts.nan, ..real }
    }

    /// hi + lo, exactly in `top` and `low`, with `rest` nonzero where the sum has bits below.
    #[inline(always)]
    pub fn from_pair<L: IeeeLimb<M = M>>((hi, lo): (L, L)) -> Self {
        let f = const { Format::of::<L>() };
        let (zero, magnitude, infinity) = (M::U64::lit(0), M::U64::lit(!f.sign()), M::U64::lit(f.infinity()));
        let (hi, lo) = (hi.bits().to_u64(), lo.bits().to_u64());
        // The larger limb first; a limb that decides a special value too.
        let swap = (hi & magnitude).lt(lo & magnitude) & (hi & magnitude).lt(infinity);
        let (a, b) = (M::U64::select(swap, lo, hi), M::U64::select(swap, hi, lo));
        let subtract = is_negative::<M>(a ^ b, f);
        let negative = is_negative::<M>(a, f);
        let (a, b) = (Parts::<M>::of(a & magnitude, f), Parts::<M>::of(b & magnitude, f));

        // b in three words, aligned to a.
        let d = a.exponent - b.exponent;
        let (near, middle, last) = (d.lt(int::<M>(64)), d.lt(int::<M>(128)), d.lt(int::<M>(136)));
        let upper = b.significand.shr(d);
        let lower = b.significand.shl(int::<M>(1)).shl(int::<M>(63) - d);
        let b2 = M::U64::select(near, upper, zero);
        let b1 = M::U64::select(near, lower, M::U64::select(middle, upper, zero));
        // The significand ends in 10 zeros, so that nothing is lost up to here; beyond, two zeros lead the last word, of
        // which no more than two bits can move up.
        let far = M::U64::select(last, upper, bit::<M>(!b.significand.eq(zero)));
        let b0 = M::U64::select(near, zero, M::U64::select(middle, lower, far));

        let (high, low) = negate_if::<M>(subtract, (b1, b0));
        let borrow = bit::<M>(!(b1 | b0).eq(zero));
        let top = M::U64::select(subtract, a.significand - b2 - borrow, a.significand + b2);
        let cancelled = top.eq(zero) & !a.significand.eq(zero);
        let exponent = a.exponent - int::<M>(f.bias() as i32 - 1);
        // Bits below the upper word exist only where exponents differ by more than 10, and then it is not zero.
        let real = Self::normalized(negative, exponent, top, high, low);
        Self { negative: negative & (!cancelled | a.infinite), infinite: a.infinite, nan: a.nan, ..real }
    }

    /// The bits of a binary128.
    #[inline(always)]
    pub fn from_binary128((high, low): (M::U64, M::U64)) -> Self {
        let zero = M::U64::lit(0);
        let negative = high.lt_signed(zero);
        let exponent = high.shr(int::<M>(48)).to_u32() & int::<M>(0x7fff);
        let fraction = high & M::U64::lit((1 << 48) - 1);
        let subnormal = exponent.eq(int::<M>(0));
        let implicit = M::U64::select(subnormal, zero, M::U64::lit(1 << 48));
        let exponent = M::U32::select(subnormal, int::<M>(1), exponent);
        // The leading bit is bit 112 of 127.
        let real = Self::normalized(negative, exponent - int::<M>(16383 - 15), fraction | implicit, low, zero);
        let special = exponent.eq(int::<M>(0x7fff));
        let whole = (fraction | low).eq(zero);
        Self { infinite: special & whole, nan: special & !whole, ..real }
    }

    /// Whether bits below `top` are set.
    #[inline(always)]
    pub fn sticky(&self) -> M::U64 {
        bit::<M>(!(self.low | self.rest).eq(M::U64::lit(0)))
    }
}

#[inline(always)]
fn is_negative<M: WordMachine>(bits: M::U64, f: Format) -> M::Mask {
    !(bits & M::U64::lit(f.sign())).eq(M::U64::lit(0))
}

/// The fields of a magnitude.
pub(super) struct Parts<M: WordMachine> {
    /// Biased, at least 1.
    pub exponent: M::U32,
    /// The implicit bit at bit 62.
    pub significand: M::U64,
    infinite: M::Mask,
    nan: M::Mask,
}

impl<M: WordMachine> Parts<M> {
    #[inline(always)]
    pub fn of(bits: M::U64, f: Format) -> Self {
        let digits = int::<M>(f.precision as i32 - 1);
        let exponent = bits.shr(digits).to_u32();
        let subnormal = exponent.eq(int::<M>(0));
        let implicit = M::U64::select(subnormal, M::U64::lit(0), M::U64::lit(f.fraction() + 1));
        let infinity = M::U64::lit(f.infinity());
        Self {
            exponent: M::U32::select(subnormal, int::<M>(1), exponent),
            significand: ((bits & M::U64::lit(f.fraction())) | implicit)
                .shl(int::<M>(63 - (f.precision as i32 - 1) - 1)),
            infinite: bits.eq(infinity),
            nan: infinity.lt(bits),
        }
    }
}
