//! Multiplication of a pair by a power of two.

use super::exponent::{bias, canonical_below};
use crate::eft::fast_two_sum;
use crate::machine::{IeeeLimb, Limb, Machine, U32, U64, Value, Word, WordMachine, exp2};
use crate::pair::{is_canonical, is_finite, is_rounded, settle};

/// v 2^n for a 32-bit integer n in two's complement. Any pair, any n. hi = RN(v 2^n), also where it is subnormal,
/// lo = RN(v 2^n - hi). C23 7.12.6.9.
#[inline(always)]
pub fn ldexp<L: IeeeLimb>(x: (L, L), n: U32<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let limit = -L::MIN_EXP as u64;
    let f = power::<L>(n);
    let (g, lo) = (x.0 * f, x.1 * f + L::lit(0.0));
    let moderate = (n + U32::<L>::lit(limit)).lt(U32::<L>::lit(2 * limit + 1));
    let normal = L::lit(exp2(L::MIN_EXP)).lt(g.abs()) & is_finite(g);
    L::M::branch(!(is_canonical(x) & moderate & normal), (g, lo), || scale_any(x, n))
}

/// As [`ldexp`]: the radix is 2. C23 7.12.6.19.
#[inline(always)]
pub fn scalbn<L: IeeeLimb>(x: (L, L), n: U32<L>) -> (L, L)
where
    L::M: WordMachine,
{
    ldexp(x, n)
}

/// As [`ldexp`] for a 64-bit integer n in two's complement. C23 7.12.6.19.
#[inline(always)]
pub fn scalbln<L: IeeeLimb>(x: (L, L), n: U64<L>) -> (L, L)
where
    L::M: WordMachine,
{
    // Beyond every exponent there is.
    let (low, high) = (U64::<L>::lit(-0x10000_i64 as u64), U64::<L>::lit(0x10000));
    let n = <U64<L> as Value>::select(n.lt_signed(low), low, n);
    let n = <U64<L> as Value>::select(high.lt_signed(n), high, n);
    ldexp(x, n.to_u32())
}

/// 2^n where it is normal, unspecified elsewhere.
#[inline(always)]
pub(super) fn power<L: IeeeLimb>(n: U32<L>) -> L
where
    L::M: WordMachine,
{
    let field = n + U32::<L>::lit(bias::<L>());
    L::from_bits(L::Bits::from_u64(field.to_u64().shl(U32::<L>::lit(L::P as u64 - 1))))
}

/// n limited to [-limit, limit].
#[inline(always)]
fn clamp<M: WordMachine>(n: M::U32, limit: i32) -> M::U32 {
    let (low, high) = (M::U32::lit(-limit as u64), M::U32::lit(limit as u64));
    let n = M::U32::select(n.lt_signed(low), low, n);
    M::U32::select(high.lt_signed(n), high, n)
}

/// Canonical, with lo = +0 where that is a zero: a subnormal lo may have been rounded to half a step of an odd hi.
pub(super) fn tidy<L: Limb>(x: (L, L)) -> (L, L) {
    let (h, l) = fast_two_sum(x.0, x.1);
    settle((h, l + L::lit(0.0)))
}

/// [`ldexp`] for every operand, by three factors of which the last is as far from 1 as it can be: what underflow takes in
/// a product by the first two is far below half a subnormal step in the end.
pub(super) fn scale_any<L: IeeeLimb>(x: (L, L), n: U32<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let limb = |x: f64| L::lit(x);
    let limit = -L::MIN_EXP;
    let ((h, l), over) = canonical_below(x);
    let n = clamp::<L::M>(n, 3 * limit - 4) + <U32<L> as Value>::select(over, U32::<L>::lit(4), U32::<L>::lit(0));
    let last = clamp::<L::M>(n, limit);
    let second = clamp::<L::M>(n - last, limit);
    let first = power::<L>(n - last - second);
    let (second, inverse, last) = (power::<L>(second), power::<L>(U32::<L>::lit(0) - last), power::<L>(last));
    let h = h * first * second;

    let g = h * last;
    // h - g / last is exact. Where it is half a subnormal step, g was a tie that l decides. Scaled up both are 0, and a
    // step, no more than l then, changes nothing.
    let step = limb(exp2(L::MIN_EXP + 1 - L::P as i32));
    let half = step * (inverse * limb(0.5));
    let rest = h - g * inverse;
    let zero = limb(0.0);
    let tie = rest.eq(half.copysign(l)) & !l.eq(zero);
    let hi = L::select(tie, g + step.copysign(l), g);
    settle((hi, l * first * second * last + zero))
}

/// [`scale_any`], a step nearer to 0 in lo where that was rounded to half an ulp of an odd hi, which moves the sum's hi.
pub(super) fn scale_canonical<L: IeeeLimb>(x: (L, L), n: U32<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let (h, l) = scale_any(x, n);
    let step = L::lit(exp2(L::MIN_EXP + 1 - L::P as i32));
    (h, L::select(is_rounded((h, l)), l, l - step.copysign(l)) + L::lit(0.0))
}
