//! Multiplication by a power of two.

use super::exponent::{bias, overflows};
use crate::convert::Width;
use crate::machine::{Limb, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_canonical, is_finite, settle};

/// v 2^n for a 32-bit integer n in two's complement. Any pair, any n. hi = RN(v 2^n), also where it is subnormal,
/// lo = RN(v 2^n - hi). C23 7.12.6.9.
#[inline(always)]
pub fn ldexp<M: WordMachine, W: Width<M>>(x: (W::Limb, W::Limb), n: M::U32) -> (W::Limb, W::Limb) {
    let limit = -W::Limb::MIN_EXP as u64;
    let f = power::<M, W>(n);
    let (g, lo) = (x.0 * f, x.1 * f + W::Limb::lit(0.0));
    let moderate = (n + M::U32::lit(limit)).lt(M::U32::lit(2 * limit + 1));
    let normal = W::Limb::lit(exp2(W::Limb::MIN_EXP)).lt(g.abs()) & is_finite(g);
    M::branch(!(is_canonical(x) & moderate & normal), (g, lo), || rare::<M, W>(x, n))
}

/// As [`ldexp`]: the radix is 2. C23 7.12.6.19.
#[inline(always)]
pub fn scalbn<M: WordMachine, W: Width<M>>(x: (W::Limb, W::Limb), n: M::U32) -> (W::Limb, W::Limb) {
    ldexp::<M, W>(x, n)
}

/// As [`ldexp`] for a 64-bit integer n in two's complement. C23 7.12.6.19.
#[inline(always)]
pub fn scalbln<M: WordMachine, W: Width<M>>(x: (W::Limb, W::Limb), n: M::U64) -> (W::Limb, W::Limb) {
    // Beyond every exponent there is.
    let (low, high) = (M::U64::lit(-0x10000_i64 as u64), M::U64::lit(0x10000));
    let n = M::U64::select(n.lt_signed(low), low, n);
    let n = M::U64::select(high.lt_signed(n), high, n);
    ldexp::<M, W>(x, n.to_u32())
}

/// 2^n where it is normal, unspecified elsewhere.
#[inline(always)]
fn power<M: WordMachine, W: Width<M>>(n: M::U32) -> W::Limb {
    let field = n + M::U32::lit(bias::<W::Limb>());
    W::limb(field.to_u64().shl(M::U32::lit(W::Limb::P as u64 - 1)))
}

/// n limited to [-limit, limit].
#[inline(always)]
fn clamp<M: WordMachine>(n: M::U32, limit: i32) -> M::U32 {
    let (low, high) = (M::U32::lit(-limit as u64), M::U32::lit(limit as u64));
    let n = M::U32::select(n.lt_signed(low), low, n);
    M::U32::select(high.lt_signed(n), high, n)
}

/// [`ldexp`] for every operand, by three factors of which the last is as far from 1 as it can be: what underflow takes in
/// a product by the first two is far below half a subnormal step in the end.
fn rare<M: WordMachine, W: Width<M>>(x: (W::Limb, W::Limb), n: M::U32) -> (W::Limb, W::Limb) {
    let limb = |x: f64| W::Limb::lit(x);
    let limit = -W::Limb::MIN_EXP;
    let over = overflows(x);
    let s = W::Limb::select(over, limb(0.0625), limb(1.0));
    let (h, l) = canonical((x.0 * s, x.1 * s));
    let n = clamp::<M>(n, 3 * limit - 4) + M::U32::select(over, M::U32::lit(4), M::U32::lit(0));
    let last = clamp::<M>(n, limit);
    let second = clamp::<M>(n - last, limit);
    let first = power::<M, W>(n - last - second);
    let (second, inverse, last) = (power::<M, W>(second), power::<M, W>(M::U32::lit(0) - last), power::<M, W>(last));
    let h = h * first * second;

    let g = h * last;
    // h - g / last is exact. Where it is half a subnormal step, g was a tie that l decides. Scaled up both are 0, and a
    // step, no more than l then, changes nothing.
    let step = limb(exp2(W::Limb::MIN_EXP + 1 - W::Limb::P as i32));
    let half = step * (inverse * limb(0.5));
    let rest = h - g * inverse;
    let zero = limb(0.0);
    let tie = rest.eq(half.copysign(l)) & !l.eq(zero);
    let hi = W::Limb::select(tie, g + step.copysign(l), g);
    settle((hi, l * first * second * last + zero))
}
