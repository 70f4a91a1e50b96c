//! Remainders of divisions, exact before they are rounded.
//!
//! Where the quotient is below 2^(p-3), what is left of x less n y is a sum of five limbs, found by error-free steps as three. All
//! else, and what those cannot decide, is done in integers: x enters 26 digits at a time from the top, and after each step the
//! remainder of 8 y is taken, so that the quotient's last three bits are known in the end.
//!
//! lo counts to so many binary places below the divisor's first digit, 121 for pairs of binary32 and 185 for pairs of binary64,
//! and its further digits are dropped: those of y's lo from the first digit of y's hi, those of x's lo from that of what y is
//! then. Nothing is dropped where each operand spans 3 p digits, nor of an x that is its own remainder.

use super::atan::times_sign;
use super::exp::magic;
use super::exponent::overflows;
use super::scale::power;
use super::wide::{add, digits, is_zero, lt, normalized, rounded, select, shl, shr, significand, times_word};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{Bundle, IeeeLimb, Limb, Machine, MaskOf, U32, U64, Value, Word, WordMachine, exp2};
use crate::pair::{self, canonical, is_finite, is_rounded, select2, settle};

/// x - n y for the integer n = trunc(x / y). Any pairs: hi = RN(r), lo = RN(r - hi) of the exact r where each spans 3 p binary
/// digits, at any distance; further digits of lo count as the module says. A zero has the sign of x. NaN where y is zero or x
/// infinite; x where y is infinite. C23 7.12.10.1.
#[inline(always)]
pub fn fmod<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    divide(x, y, false, |r, _, _| r)
}

/// x - n y for the integer n nearest to x / y, ties to even; otherwise as [`fmod`]. C23 7.12.10.2.
#[inline(always)]
pub fn remainder<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    divide(x, y, true, |r, _, _| r)
}

/// The [`remainder`], and |n| modulo 8 with the sign of x / y, in two's complement; 0 where the remainder is NaN. C23 7.12.10.3.
#[inline(always)]
pub fn remquo<L: IeeeLimb>(x: (L, L), y: (L, L)) -> ((L, L), U32<L>)
where
    L::M: WordMachine,
{
    divide(x, y, true, |r, n, [x, y]| {
        let minus = |x: L| L::lit(1.0).copysign(x).lt(L::lit(0.0));
        (r, <U32<L> as Value>::select(minus(x) ^ minus(y), U32::<L>::lit(0) - n, n))
    })
}

/// `give` of what is left, the last three bits of |n|, and limbs with the signs of x and y.
#[inline(always)]
fn divide<L: IeeeLimb, T: Bundle<L::M>>(
    x: (L, L),
    y: (L, L),
    nearest: bool,
    give: impl Fn((L, L), U32<L>, [L; 2]) -> T,
) -> T
where
    L::M: WordMachine,
{
    let (r, n, sure) = quick(x, y, nearest);
    L::M::branch(!sure, give(r, n & U32::<L>::lit(7), [x.0, y.0]), || {
        // A sum that overflows is left in its limbs.
        let [x, y] = [x, y].map(|x| select2(overflows(x), x, canonical(x)));
        let (r, n) = any(x, y, nearest);
        give(r, n, [x.0, y.0])
    })
}

/// Binary places of lo that count, below the divisor's first.
const fn places<L: Limb>() -> i32 {
    64 * words::<L>() - 7
}

/// Words of an integer.
const fn words<L: Limb>() -> i32 {
    if L::P == 53 { 3 } else { 2 }
}

/// For quotients that are not large: the remainder, n, and whether it is sure to be right.
#[inline(always)]
fn quick<L: IeeeLimb>(x: (L, L), y: (L, L), nearest: bool) -> ((L, L), U32<L>, MaskOf<L>)
where
    L::M: WordMachine,
{
    let (zero, magic, p) = (L::lit(0.0), magic::<L>(), L::P as i32);
    let (a, b) = (times_sign(x, x.0), times_sign(y, y.0));
    let t = a.0.fma(b.0.rcp_moderate(), magic);
    let t = if nearest {
        t
    } else {
        let above = (magic - t).fma(b.0, a.0).lt(zero);
        t - L::select(above, L::lit(1.0), zero)
    };
    let n = t - magic;
    // The first difference is exact (Sterbenz 1974), or n is 0.
    let ((p0, e), (g, f)) = (two_prod(n, b.0), two_prod(n, b.1));
    let (s, e3) = two_sum(-e, -g);
    let (s, e2) = two_sum(a.1, s);
    let (s, e1) = two_sum(a.0 - p0, s);
    let (v, d3) = two_sum(e3, -f);
    let (v, d2) = two_sum(e2, v);
    let (v, d1) = two_sum(e1, v);
    let (h, l) = two_sum(s, v);
    let (d, lost1) = two_sum(d2, d3);
    let (d, lost2) = two_sum(d1, d);
    let (l, third) = two_sum(l, d);
    let (h, l) = fast_two_sum(h, l);
    let (l, third) = fast_two_sum(l, third);
    let exact = lost1.eq(zero) & lost2.eq(zero);
    // A third limb may decide a tie of hi.
    let tie = !(h + l * L::lit(1.0 + exp2(2 - p))).eq(h) & !third.eq(zero);
    // Below half of y by more than its rounding, or below y, which is above it in hi then.
    let inside = if nearest { h.abs().lt(b.0 * L::lit(0.5 - exp2(1 - p))) } else { zero.le(h) & h.lt(b.0) };
    let least = b.0 * L::lit(exp2(p - places::<L>()));
    let near = |c: L| c.eq(zero) | least.le(c.abs());
    let range = L::lit(exp2(L::DIV_RANGE.0)).le(b.0) & b.0.lt(L::lit(exp2(L::DIV_RANGE.1)));
    let plain = is_rounded(x) & is_rounded(y) & range & n.lt(L::lit(exp2(p - 3)));
    let sure = plain & exact & !tie & inside & near(a.1) & near(b.1);
    (with_sign_of((h, l), x.0), t.bits().to_u32(), sure)
}

/// r, or -r where x is negative; a zero has the sign of x.
#[inline(always)]
fn with_sign_of<L: IeeeLimb>(r: (L, L), x: L) -> (L, L)
where
    L::M: WordMachine,
{
    let (h, l) = times_sign(r, x);
    let zero = L::lit(0.0);
    (L::select(h.eq(zero), zero.copysign(x), h), l + zero)
}

/// Of pairs that are canonical or large in both limbs: the remainder, and the last three bits of |n|.
fn any<L: IeeeLimb>(x: (L, L), y: (L, L), nearest: bool) -> ((L, L), U32<L>)
where
    L::M: WordMachine,
{
    let (zero, none) = (L::lit(0.0), U32::<L>::lit(0));
    let (r, n) = if L::P == 53 { long::<L, 3>(x, y, nearest) } else { long::<L, 2>(x, y, nearest) };
    let infinite = y.0.abs().eq(L::lit(f64::INFINITY));
    let size = |x: (L, L)| times_sign(x, x.0);
    let own = infinite | x.0.eq(zero) | (pair::lt(size(x), size(y)) & n.eq(none));
    let valid = is_finite(x.0) & zero.lt(y.0.abs());
    let r = select2(own, canonical(x), with_sign_of(r, x.0));
    let (h, l) = settle(select2(valid, r, (L::lit(f64::NAN), zero)));
    ((h, l + zero), <U32<L> as Value>::select(valid & !own, n, none))
}

/// Digits of x that a step takes.
const STEP: u32 = 26;

/// In integers of N words, for y other than 0 in limbs that are canonical or large. Without its sign.
fn long<L: IeeeLimb, const N: usize>(x: (L, L), y: (L, L), nearest: bool) -> ((L, L), U32<L>)
where
    L::M: WordMachine,
{
    let (word, lit) = (|n: u32| U32::<L>::lit(n.into()), |n: u64| U64::<L>::lit(n));
    // |a| = m 2^e, e above the least exponent.
    let parts = |a: L| {
        let (m, field) = significand(a);
        (m, field.to_u32() - <U32<L> as Value>::select(L::M::is_zero(field), word(0), word(1)))
    };
    let opposite = |x: (L, L)| !x.1.copysign(x.0).eq(x.1);
    let [(xh, ex), (xl, fx), (yh, ey), (yl, fy)] = [x.0, x.1, y.0, y.1].map(parts);

    // y in units of so many places below the first digit of hi, then 8 times that with the first digit in bit 60.
    let up = yh.clz() - word(64 - L::P);
    let top = places::<L>() as u32;
    let unit = ey - up - word(top + 1 - L::P);
    let place = |m: U64<L>, e: U32<L>| -> [U64<L>; N] {
        core::array::from_fn(|i| digits::<L::M>(m, e - unit - word(64 * (N - 1 - i) as u32), 64))
    };
    let y = add::<L::M, N>(place(yh, ey), place(yl, fy), opposite(y));
    let zeros = y[0].clz();
    let m = shl::<L::M, N>(y, (zeros - word(3)) & word(63));
    let unit = unit + word(6) - zeros;

    // Up to the largest exponent, of the smallest y.
    let span = 2 * (1 - L::MIN_EXP) as u32 - 2 + L::P + top;
    let r = L::M::reciprocal(m[0].shr(word(29)).to_u32());
    let less = opposite(x);
    let flip: U64<L> = Value::select(less, lit(!0), lit(0));
    let last = word(span / STEP * STEP);
    let (mut rest, mut at) = (m, (ex - unit - last, fx - unit - last));
    for _ in 0..=span / STEP {
        let name = ["remainder", if N == 3 { "step_192" } else { "step_128" }];
        let arguments = ((rest, m), (xh, xl, flip), at, r);
        (rest, at) = L::M::call(&name, arguments, |(words, x, at, r)| step::<L::M, N>(words, x, at, r));
    }
    // x modulo 8 y, and again as long as the remainder was not the least.
    let mut n = word(0);
    let mut without = |m: [U64<L>; N]| {
        let below = lt::<L::M, N>(rest, m);
        rest = select::<L::M, N>(below, rest, add::<L::M, N>(rest, m, !below));
        n = n + n + <U32<L> as Value>::select(below, word(0), word(1));
    };
    without(m);
    without(m);
    for k in 1..=3 {
        without(shr::<L::M, N>(m, k));
    }
    if nearest {
        let y = shr::<L::M, N>(m, 3);
        let other = add::<L::M, N>(y, rest, !less ^ less);
        let even = L::M::is_zero(n.to_u64() & lit(1));
        let up = lt::<L::M, N>(other, rest) | (!lt::<L::M, N>(rest, other) & !even);
        let (h, l) = nearest_pair::<L, N>(select::<L::M, N>(up, other, rest), unit);
        let n = n + <U32<L> as Value>::select(up, word(1), word(0));
        return ((L::select(up, -h, h), L::select(up, -l, l)), n & word(7));
    }
    (nearest_pair::<L, N>(rest, unit), n & word(7))
}

/// (rest 2^26 + digit) less a multiple of m: of m <= rest < 4 m one of the same kind. The digit is that of both limbs of x, which
/// are so many places above it, lo's with the bits of its sign; the next one's places come with it.
///
/// r is [`WordMachine::reciprocal`] of m's first digits; the quotient by it is too small by less than 2, and by 1 more that keeps
/// the remainder positive.
#[inline(always)]
#[allow(clippy::type_complexity)]
fn step<M: WordMachine, const N: usize>(
    (rest, m): ([M::U64; N], [M::U64; N]),
    (high, low, flip): (M::U64, M::U64, M::U64),
    at: (M::U32, M::U32),
    r: M::U32,
) -> ([M::U64; N], (M::U32, M::U32)) {
    let shift = |n: u32| M::U32::lit(n.into());
    let chunk = |m: M::U64, at: M::U32| digits::<M>(m, at, STEP);
    let digit = chunk(high, at.0) + (chunk(low, at.1) ^ flip) - flip;
    let first = rest[0].shr(shift(29)).shl(shift(28));
    let q = first.mul_hi(r.to_u64().shl(shift(32))).shr(shift(59 - STEP)) - M::U64::lit(1);
    let sign = M::sign_word(digit);
    let digit = core::array::from_fn(|i| if i == N - 1 { digit } else { sign });
    let never = shift(1).eq(shift(0));
    let next = add::<M, N>(shl::<M, N>(rest, shift(STEP)), digit, never);
    let rest = add::<M, N>(next, times_word::<M, N>(m, q), !never);
    (rest, (at.0 + shift(STEP), at.1 + shift(STEP)))
}

/// An integer times 2^e, e above the least exponent, as a pair: hi = RN(v), lo = RN(v - hi).
fn nearest_pair<L: IeeeLimb, const N: usize>(v: [U64<L>; N], e: U32<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let word = |n: i32| U32::<L>::lit(n as i64 as u64);
    let first = L::lit(exp2(L::P as i32 - 1));
    // The sum of digits and exponent is no more than that of x; e alone may be far below all exponents.
    let limb = |m: U64<L>, zeros: U32<L>| {
        let m = L::from_bits(L::Bits::from_u64(m - U64::<L>::lit(1 << (L::P - 1))) + first.bits());
        let e = e - zeros + word(64 * N as i32 - L::P as i32 + L::MIN_EXP + 1 - L::P as i32);
        let half = e.sar(word(1));
        m * power::<L>(half) * power::<L>(e - half)
    };
    let (top, zeros) = normalized::<L::M, N>(v);
    let (m, rest, above) = rounded::<L::M, N>(top, L::P);
    let (low, more) = normalized::<L::M, N>(rest);
    let (n, ..) = rounded::<L::M, N>(low, L::P);
    let (h, l) = (limb(m, zeros), limb(n, zeros + more));
    let zero = L::lit(0.0);
    let l = L::select(is_zero::<L::M, N>(rest), zero, L::select(above, -l, l));
    select2(is_zero::<L::M, N>(v), (zero, zero), (h, l))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Host;

    /// Of usual pairs nearly all need no integers.
    #[test]
    fn integers_are_rare() {
        fn rare<L: IeeeLimb<M = Host>>(nearest: bool) -> u32 {
            let mut word = 1u64;
            let mut part = || {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                (word >> 12) as f64 * exp2(-52)
            };
            let mut pair = |size: f64| {
                let h = L::lit(size * (1.0 + part()));
                (h, h * L::lit((part() - 0.5) * exp2(-(L::P as i32))))
            };
            (0..100_000).filter(|i| !quick(pair(exp2(i % 8)), pair(1.0), nearest).2).count() as u32
        }
        let found = [rare::<f32>(false), rare::<f32>(true), rare::<f64>(false), rare::<f64>(true)];
        assert!(found.iter().all(|&n| n < 50), "{found:?}");
    }
}
