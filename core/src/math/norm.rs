//! Euclidean norms and their reciprocals.
//!
//! Arguments are scaled by the power of two that brings the largest hi to [1, 2): nothing overflows, and what underflows
//! does not count. Squares are pairs, and so is their sum, of which the root is taken.

use super::exponent::{bias, from_top, overflows, top};
use super::scale::ldexp;
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_finite, rsqrt_core, select2, sqrt_core};

/// sqrt(x^2 + y^2). Any pairs. An infinity where one is infinite, even beside NaN; hypot(x, 0) is the magnitude of x.
/// C23 7.12.7.4.
#[inline(always)]
pub fn hypot<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let zero = L::lit(0.0);
    norm([x, y], Some(x.0.eq(zero) | y.0.eq(zero)))
}

/// sqrt(x^2 + y^2 + z^2). Any pairs. An infinity where one is infinite, even beside NaN. CUDA math API, norm3d.
#[inline(always)]
pub fn norm3d<L: IeeeLimb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    norm([x, y, z], None)
}

/// sqrt(x^2 + y^2 + z^2 + w^2). Any pairs. An infinity where one is infinite, even beside NaN. CUDA math API, norm4d.
#[inline(always)]
pub fn norm4d<L: IeeeLimb>(x: (L, L), y: (L, L), z: (L, L), w: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    norm([x, y, z, w], None)
}

/// 1 / sqrt(x^2 + y^2). Any pairs. 0 where one is infinite, even beside NaN; an infinity where all are zero. CUDA math API,
/// rhypot.
#[inline(always)]
pub fn rhypot<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    reciprocal([x, y])
}

/// 1 / sqrt(x^2 + y^2 + z^2). Any pairs. As [`rhypot`]. CUDA math API, rnorm3d.
#[inline(always)]
pub fn rnorm3d<L: IeeeLimb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    reciprocal([x, y, z])
}

/// 1 / sqrt(x^2 + y^2 + z^2 + w^2). Any pairs. As [`rhypot`]. CUDA math API, rnorm4d.
#[inline(always)]
pub fn rnorm4d<L: IeeeLimb>(x: (L, L), y: (L, L), z: (L, L), w: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    reciprocal([x, y, z, w])
}

/// The root of the sum of squares. Where `exact` is true it is the largest magnitude itself if the others do not change a limb.
#[inline(always)]
fn norm<L: IeeeLimb, const N: usize>(x: [(L, L); N], exact: Option<MaskOf<L>>) -> (L, L)
where
    L::M: WordMachine,
{
    let m = largest(x);
    let r = times(sqrt_core(squares(x, power(inverse::<L>(m)))), power(field::<L>(m)));
    let rare = !in_range(x, m);
    L::M::branch(exact.map_or(rare, |exact| exact | rare), r, || {
        let Scaled { x, m, n, value } = scaled(x);
        let r = ldexp(sqrt_core(squares(x, power(inverse::<L>(m)))), exponent::<L>(m) + n);
        let (mut sum, mut most) = (L::lit(0.0), x[0]);
        for y in x {
            sum = sum + y.0.abs();
            most = select2(most.0.abs().lt(y.0.abs()), y, most);
        }
        let sign = L::lit(1.0).copysign(most.0);
        let alone = ldexp((most.0.abs(), most.1 * sign), n);
        let r = select2(sum.eq(most.0.abs()), alone, r);
        select2(is_finite(value) & !value.eq(L::lit(0.0)), r, (value, L::lit(0.0)))
    })
}

/// The reciprocal of the root of the sum of squares.
#[inline(always)]
fn reciprocal<L: IeeeLimb, const N: usize>(x: [(L, L); N]) -> (L, L)
where
    L::M: WordMachine,
{
    let m = largest(x);
    let s = power(inverse::<L>(m));
    let r = times(rsqrt_core(squares(x, s)), s);
    L::M::branch(!in_range(x, m), r, || {
        let Scaled { x, m, n, value } = scaled(x);
        let r = rsqrt_core(squares(x, power(inverse::<L>(m))));
        let r = ldexp(r, U32::<L>::lit(0) - (exponent::<L>(m) + n));
        select2(is_finite(value) & !value.eq(L::lit(0.0)), r, (value.rcp(), L::lit(0.0)))
    })
}

/// The sum of the squares of `x`, each times `s`, which brings the largest hi to [1, 2).
#[inline(always)]
fn squares<L: Limb, const N: usize>(x: [(L, L); N], s: L) -> (L, L) {
    let twice = s + s;
    let square = |x: (L, L)| {
        let h = x.0 * s;
        let (p, e) = two_prod(h, h);
        (p, h.fma(x.1 * twice, e))
    };
    let (mut sum, mut rest) = square(x[0]);
    for y in x.into_iter().skip(1) {
        let (p, e) = square(y);
        let (s, t) = two_sum(sum, p);
        (sum, rest) = (s, rest + e + t);
    }
    fast_two_sum(sum, rest)
}

#[inline(always)]
fn times<L: Limb>(x: (L, L), s: L) -> (L, L) {
    (x.0 * s, x.1 * s)
}

/// The first bits of the largest |hi|; those of NaN are above all others.
#[inline(always)]
fn largest<L: IeeeLimb, const N: usize>(x: [(L, L); N]) -> U32<L>
where
    L::M: WordMachine,
{
    x.into_iter().skip(1).fold(top(x[0].0), |m, y| {
        let y = top(y.0);
        <U32<L> as Value>::select(m.lt(y), y, m)
    })
}

/// The exponent field of first bits, at its place.
#[inline(always)]
fn field<L: IeeeLimb>(m: U32<L>) -> U32<L>
where
    L::M: WordMachine,
{
    m & U32::<L>::lit((2 * bias::<L>() + 1) << shift::<L>())
}

/// The field of the inverse power of two.
#[inline(always)]
fn inverse<L: IeeeLimb>(m: U32<L>) -> U32<L>
where
    L::M: WordMachine,
{
    U32::<L>::lit((2 * bias::<L>()) << shift::<L>()) - field::<L>(m)
}

#[inline(always)]
fn power<L: IeeeLimb>(field: U32<L>) -> L
where
    L::M: WordMachine,
{
    from_top(field)
}

/// The exponent of first bits, in two's complement.
#[inline(always)]
fn exponent<L: IeeeLimb>(m: U32<L>) -> U32<L>
where
    L::M: WordMachine,
{
    m.shr(U32::<L>::lit(shift::<L>())) - U32::<L>::lit(bias::<L>())
}

/// Where the exponent begins in the first bits.
const fn shift<L: IeeeLimb>() -> u64
where
    L::M: WordMachine,
{
    (L::P - 1 - (<L::Bits as Word>::BITS - 32)) as u64
}

/// Exponents from here to its negative need no care.
const fn least<L: Limb>() -> i32 {
    L::MIN_EXP + 2 * L::P as i32
}

/// All are canonical, and the largest hi, whose first bits are `m`, is far from the ends of the range.
#[inline(always)]
fn in_range<L: IeeeLimb, const N: usize>(x: [(L, L); N], m: U32<L>) -> MaskOf<L>
where
    L::M: WordMachine,
{
    let bits = |e: i32| ((e + bias::<L>() as i32) as u64) << shift::<L>();
    let (first, end) = (bits(least::<L>()), bits(-least::<L>()));
    let moderate = (m - U32::<L>::lit(first)).lt(U32::<L>::lit(end - first));
    x.into_iter().fold(moderate, |all, x| all & (x.0 + x.1).eq(x.0))
}

/// Arguments in the middle of the range, 2^n times which they are.
struct Scaled<L: IeeeLimb, const N: usize>
where
    L::M: WordMachine,
{
    x: [(L, L); N],
    /// First bits of the largest hi.
    m: U32<L>,
    n: U32<L>,
    /// +0 where all are zeros, an infinity where one is infinite, otherwise NaN where one is NaN.
    value: L,
}

/// Any pairs, canonical and scaled.
fn scaled<L: IeeeLimb, const N: usize>(x: [(L, L); N]) -> Scaled<L, N>
where
    L::M: WordMachine,
{
    let (one, infinity) = (L::lit(1.0), L::lit(f64::INFINITY));
    let word = |n: i32| U32::<L>::lit(n as i64 as u64);
    let over = x.into_iter().skip(1).fold(overflows(x[0]), |over, x| over | overflows(x));
    // What this takes from others is nothing to a sum of limbs that overflows.
    let s = L::select(over, L::lit(0.0625), one);
    let c = x.map(|x| canonical(times(x, s)));
    let n = <U32<L> as Value>::select(over, word(4), word(0));

    let most = c.into_iter().fold(L::lit(0.0), |most, c| L::select(most.lt(c.0.abs()), c.0.abs(), most));
    let (small, large) = (most.lt(L::lit(exp2(least::<L>()))), L::lit(exp2(-least::<L>())).le(most));
    let by = 3 * L::P as i32;
    let s = L::select(small, L::lit(exp2(by)), L::select(large, L::lit(exp2(-by)), one));
    let n = n + <U32<L> as Value>::select(small, word(-by), <U32<L> as Value>::select(large, word(by), word(0)));

    let sum = c.into_iter().fold(most, |sum, c| sum + (c.0 - c.0));
    let value = L::select(most.lt(infinity), sum, infinity);
    let x = c.map(|c| times(c, s));
    Scaled { x, m: largest(x), n, value }
}
