//! From a [`Real`] to a format: rounding to nearest even, truncation.

use super::real::{Real, bit, int, negate_if};
use super::{Format, Width};
use crate::machine::{Value, Word, WordMachine};

/// 1 where a magnitude is rounded up: the bits dropped, as a fraction of 2^64, exceed one half, or equal it and the
/// last digit is odd.
#[inline(always)]
fn round_up<M: WordMachine>(last: M::U64, dropped: M::U64, sticky: Option<M::U64>) -> M::U64 {
    let odd = last & M::U64::lit(1);
    let half = M::U64::lit(1 << 63);
    let dropped = if let Some(sticky) = sticky { dropped | sticky } else { dropped };
    bit::<M>(half.lt(dropped | odd))
}

/// RN(x) and what it takes to form the remainder.
pub(super) struct Rounded<M: WordMachine> {
    /// The bits of the magnitude; too large an exponent has overflowed its field.
    pub bits: M::U64,
    /// The bits of `top` that were kept, as an integer.
    pub kept: M::U64,
    /// 1 where one was added to them: the magnitude is above |x|.
    pub up: M::U64,
    /// The bits of `top` that were dropped, 64 at most.
    pub dropped: M::U32,
    /// The exponent with its bias.
    biased: M::U32,
}

impl<M: WordMachine> Rounded<M> {
    /// The bits of the magnitude, infinity where it is too large.
    #[inline(always)]
    pub fn saturated(&self, f: Format) -> M::U64 {
        let overflow = int::<M>((1 << f.exponent_bits) - 2).lt_signed(self.biased);
        M::U64::select(overflow, M::U64::lit(f.infinity()), self.bits)
    }
}

/// RN(x) where x is finite.
#[inline(always)]
fn round<M: WordMachine>(x: &Real<M>, f: Format) -> Rounded<M> {
    let rounded = round_word::<M>(x.exponent, x.top, || Some(x.sticky()), f);
    Rounded { bits: rounded.saturated(f), ..rounded }
}

/// RN(top 2^(exponent - 63)), where `sticky` is not 0 if there are bits below.
#[inline(always)]
pub(super) fn round_word<M: WordMachine>(
    exponent: M::U32,
    top: M::U64,
    sticky: impl FnOnce() -> Option<M::U64>,
    f: Format,
) -> Rounded<M> {
    let one = int::<M>(1);
    let biased = exponent + int::<M>(f.bias() as i32);
    let subnormal = biased.lt_signed(one);
    let dropped = int::<M>(64 - f.precision as i32) + M::U32::select(subnormal, one - biased, int::<M>(0));
    // Below half the smallest subnormal number: nothing but a sticky bit.
    let tiny = int::<M>(64).lt_signed(dropped);
    let dropped = M::U32::select(tiny, int::<M>(64), dropped);
    let kept = top.shr(one).shr(dropped - one);
    let tail = M::U64::select(tiny, M::U64::lit(1), top.shl(int::<M>(64) - dropped));
    let up = round_up::<M>(kept, tail, sticky());
    // The implicit bit adds one to the exponent field, and so does a carry.
    let field = M::U32::select(subnormal, int::<M>(0), biased - one).to_u64();
    let bits = field.shl(int::<M>(f.precision as i32 - 1)) + kept + up;
    Rounded { bits, kept, up, dropped, biased }
}

/// The magnitude with its special values and sign.
#[inline(always)]
fn finish<M: WordMachine>(x: &Real<M>, magnitude: M::U64, f: Format) -> M::U64 {
    let magnitude = M::U64::select(x.infinite, M::U64::lit(f.infinity()), magnitude);
    let signed = M::U64::select(x.negative, magnitude | M::U64::lit(f.sign()), magnitude);
    M::U64::select(x.nan, M::U64::lit(f.nan()), signed)
}

/// RN(x).
#[inline(always)]
pub(super) fn to_limb<M: WordMachine, W: Width<M>>(x: &Real<M>) -> W::Limb {
    W::limb(finish(x, round(x, W::FORMAT).bits, W::FORMAT))
}

/// hi = RN(x), lo = RN(x - hi), for a zero `rest`.
#[inline(always)]
pub(super) fn to_pair<M: WordMachine, W: Width<M>>(x: &Real<M>) -> (W::Limb, W::Limb) {
    let f = W::FORMAT;
    let (zero, one) = (M::U64::lit(0), M::U64::lit(1));
    let hi = round(x, f);

    let up = !hi.up.eq(zero);
    let (top, low) = negate_if::<M>(up, (x.top, x.low));
    let top = top & (zero - one).shr(int::<M>(64) - hi.dropped);
    let rest = Real::<M>::normalized(x.negative ^ up, x.exponent, top, low, zero);
    let lo = round::<M>(&rest, f).bits;
    let lo = M::U64::select(rest.negative & !lo.eq(zero), lo | M::U64::lit(f.sign()), lo);

    let special = hi.bits.eq(zero) | !hi.bits.lt(M::U64::lit(f.infinity())) | x.infinite | x.nan;
    (W::limb(finish(x, hi.bits, f)), W::limb(M::U64::select(special, zero, lo)))
}

/// RN(x) as binary128, for |x| = 0 or within [2^-16382, 2^16383], as every pair of limbs is.
#[inline(always)]
pub(super) fn to_binary128<M: WordMachine>(x: &Real<M>) -> (M::U64, M::U64) {
    let zero = M::U64::lit(0);
    let (down, up) = (int::<M>(15), int::<M>(49));
    let low = x.low.shr(down) | x.top.shl(up);
    let sticky = Some(bit::<M>(!x.rest.eq(zero)));
    let round = round_up::<M>(low, x.low.shl(up), sticky);
    let rounded = low + round;
    let carry = bit::<M>(rounded.lt(low));
    let field = (x.exponent + int::<M>(16383 - 1)).to_u64().shl(int::<M>(48));
    let high = field + x.top.shr(down) + carry;
    let empty = x.top.eq(zero) | x.infinite | x.nan;
    let high = M::U64::select(empty, zero, high);
    let rounded = M::U64::select(empty, zero, rounded);
    let high = M::U64::select(x.infinite, M::U64::lit(0x7fff << 48), high);
    let high = M::U64::select(x.negative, high | M::U64::lit(1 << 63), high);
    (M::U64::select(x.nan, M::U64::lit(0x7fff8 << 44), high), rounded)
}

/// x truncated and saturated to [-lowest, largest]; NaN gives 0.
#[inline(always)]
pub(super) fn to_word<M: WordMachine>(x: &Real<M>, lowest: u64, largest: u64) -> M::U64 {
    let zero = M::U64::lit(0);
    let magnitude = M::U64::select(x.exponent.lt_signed(int::<M>(0)), zero, x.top.shr(int::<M>(63) - x.exponent));
    let limit = M::U64::select(x.negative, M::U64::lit(lowest), M::U64::lit(largest));
    let over = x.infinite | int::<M>(63).lt_signed(x.exponent) | limit.lt(magnitude);
    let magnitude = M::U64::select(x.nan, zero, M::U64::select(over, limit, magnitude));
    M::U64::select(x.negative, zero - magnitude, magnitude)
}

/// As [`to_word`] for two words.
#[inline(always)]
pub(super) fn to_words<M: WordMachine>(x: &Real<M>, lowest: u128, largest: u128) -> (M::U64, M::U64) {
    let zero = M::U64::lit(0);
    let n = int::<M>(127) - x.exponent;
    let far = int::<M>(63).lt(n);
    let below = x.exponent.lt_signed(int::<M>(0));
    let top = M::U64::select(below, zero, x.top.shr(n));
    let spill = x.top.shl(int::<M>(1)).shl(int::<M>(63) - n) | x.low.shr(n);
    let (high, low) = (M::U64::select(far, zero, top), M::U64::select(far, top, spill));

    let limit =
        |part: fn(u128) -> u64| M::U64::select(x.negative, M::U64::lit(part(lowest)), M::U64::lit(part(largest)));
    let (limit_high, limit_low) = (limit(|x| (x >> 64) as u64), limit(|x| x as u64));
    let above = limit_high.lt(high) | (limit_high.eq(high) & limit_low.lt(low));
    let over = x.infinite | int::<M>(127).lt_signed(x.exponent) | above;
    let pick = |limit, word| M::U64::select(x.nan, zero, M::U64::select(over, limit, word));
    negate_if::<M>(x.negative, (pick(limit_high, high), pick(limit_low, low)))
}
