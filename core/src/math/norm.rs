//! Euclidean norms and their reciprocals.
//!
//! The sum of squares is a pair, of which the root is taken. Where it is near the ends of the range the arguments are scaled
//! by the power of two that brings the largest to [2, 4): nothing overflows, and what underflows does not count.
//!
//! The roots' errors, 25/8 u^2 and 3 u^2, and half of the sum's 2.5 u^2 are at most 4.4 u^2, of which 4 are an ulp below a power
//! of two.

use super::exponent::{bias, overflows, value_field};
use super::scale::{ldexp, power};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_finite, is_rounded, rsqrt_core, select2, sqrt_core};

/// sqrt(x^2 + y^2). Any pairs. Error below 1.1 ulp; the largest found is 0.66 ulp. An infinity where one is infinite, even
/// beside NaN; hypot(x, 0) is the magnitude of x. C23 7.12.7.4.
#[inline(always)]
pub fn hypot<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let zero = L::lit(0.0);
    norm([x, y], Some(x.0.eq(zero) | y.0.eq(zero)))
}

/// sqrt(x^2 + y^2 + z^2). Any pairs. Error as [`hypot`]. An infinity where one is infinite, even beside NaN. CUDA math API,
/// norm3d.
#[inline(always)]
pub fn norm3d<L: IeeeLimb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    norm([x, y, z], None)
}

/// sqrt(x^2 + y^2 + z^2 + w^2). Any pairs. Error as [`hypot`]. An infinity where one is infinite, even beside NaN. CUDA math
/// API, norm4d.
#[inline(always)]
pub fn norm4d<L: IeeeLimb>(x: (L, L), y: (L, L), z: (L, L), w: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    norm([x, y, z, w], None)
}

/// 1 / sqrt(x^2 + y^2). Any pairs. Error below 1.1 ulp; the largest found is 0.94 ulp. 0 where one is infinite, even beside NaN;
/// an infinity where all are zero. CUDA math API, rhypot.
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

/// The root of the sum of squares. On the path where `exact` is true it is the largest magnitude itself if the others do
/// not change its hi, which costs at most u^2 / 2.
#[inline(always)]
fn norm<L: IeeeLimb, const N: usize>(x: [(L, L); N], exact: Option<MaskOf<L>>) -> (L, L)
where
    L::M: WordMachine,
{
    let v = squares(x);
    let rare = !in_range(x, v.0);
    L::M::branch(exact.map_or(rare, |exact| exact | rare), sqrt_core(v), || {
        let Scaled { x, n, value, most, by, alone } = scaled(x);
        let r = sqrt_core(squares(x));
        let r = ldexp(select2(alone, most, r), <U32<L> as Value>::select(alone, by, n));
        select2(is_finite(value) & !value.eq(L::lit(0.0)), r, (value, L::lit(0.0)))
    })
}

/// The reciprocal of the root of the sum of squares.
#[inline(always)]
fn reciprocal<L: IeeeLimb, const N: usize>(x: [(L, L); N]) -> (L, L)
where
    L::M: WordMachine,
{
    let v = squares(x);
    // lo may be rounded up to half an ulp of an odd hi. What underflows is +0.
    let root = |v| {
        let (h, l) = rsqrt_core(v);
        fast_two_sum(h, l + L::lit(0.0))
    };
    let r = root(v);
    L::M::branch(!in_range(x, v.0), r, || {
        let Scaled { x, n, value, .. } = scaled(x);
        let r = ldexp(root(squares(x)), U32::<L>::lit(0) - n);
        select2(is_finite(value) & !value.eq(L::lit(0.0)), r, (value.rcp(), L::lit(0.0)))
    })
}

/// The sum of squares, for canonical arguments. Error at most 2 u^2: that of the fused operation in `low`.
///
/// What is at most 4 u of the sum is added to a number that is a little larger, which leaves the rounding errors in three
/// operations, and is taken away again.
#[inline(always)]
fn squares<L: Limb, const N: usize>(x: [(L, L); N]) -> (L, L) {
    let square: [(L, L); N] = core::array::from_fn(|i| two_prod(x[i].0, x[i].0));
    let low: [L; N] = core::array::from_fn(|i| (x[i].0 + x[i].0).fma(x[i].1, square[i].1));
    let (mut sum, mut lost) = (square[0].0, [L::lit(0.0); N]);
    for i in 1..N {
        (sum, lost[i]) = two_sum(sum, square[i].0);
    }
    let large = sum * L::lit(1.5 * exp2(5 - L::P as i32));
    let (mut all, mut rest) = fast_two_sum(large, low[0]);
    for part in [low, lost] {
        for &a in &part[1..] {
            let (s, e) = fast_two_sum(all, a);
            (all, rest) = (s, rest + e);
        }
    }
    for x in x {
        rest = x.1.fma(x.1, rest);
    }
    let (h, l) = fast_two_sum(sum, all - large);
    (h, l + rest)
}

#[inline(always)]
fn times<L: Limb>(x: (L, L), s: L) -> (L, L) {
    (x.0 * s, x.1 * s)
}

/// All are canonical, and the sum of squares is far from the ends of the range.
#[inline(always)]
fn in_range<L: Limb, const N: usize>(x: [(L, L); N], sum: L) -> MaskOf<L> {
    let (least, limit) = (L::lit(exp2(L::MIN_EXP + 2 * L::P as i32 + 2)), L::lit(exp2(L::DIV_RANGE.1)));
    x.into_iter().fold(least.le(sum) & sum.lt(limit), |all, x| all & is_rounded(x))
}

/// Arguments of which the largest is near 1, 2^n times which they are.
struct Scaled<L: IeeeLimb, const N: usize>
where
    L::M: WordMachine,
{
    x: [(L, L); N],
    n: U32<L>,
    /// +0 where all are zeros, an infinity where one is infinite, otherwise NaN where one is NaN.
    value: L,
    /// The largest magnitude, 2^by times which it is.
    most: (L, L),
    by: U32<L>,
    /// Added to that of the largest, the other hi do not change it.
    alone: MaskOf<L>,
}

/// Any pairs, canonical and scaled.
fn scaled<L: IeeeLimb, const N: usize>(x: [(L, L); N]) -> Scaled<L, N>
where
    L::M: WordMachine,
{
    let (zero, one, infinity) = (L::lit(0.0), L::lit(1.0), L::lit(f64::INFINITY));
    let word = |n: i32| U32::<L>::lit(n as i64 as u64);
    let over = x.into_iter().skip(1).fold(overflows(x[0]), |over, x| over | overflows(x));
    // What this takes from others is nothing to a sum of limbs that overflows.
    let x = x.map(|x| canonical(times(x, L::select(over, L::lit(0.0625), one))));
    let (mut most, mut sum, mut nan) = ((zero, zero), zero, zero);
    for y in x.map(|x| times(x, one.copysign(x.0))) {
        most = select2(most.0.lt(y.0), y, most);
        (sum, nan) = (sum + y.0, nan + y.0 * zero);
    }
    let value = L::select(most.0.lt(infinity), most.0 + nan, infinity);
    // Both factors are normal limbs.
    let digits = 2 * L::P as i32;
    let small = most.0.lt(L::lit(exp2(L::MIN_EXP + 2)));
    let s = L::select(small, L::lit(exp2(digits)), one);
    let e = value_field((most.0 * s, zero)).to_u32() - word(bias::<L>() as i32 + 1);
    let of = |m, n| <U32<L> as Value>::select(m, word(n), word(0));
    let by = of(over, 4);
    let scale = |x| times(times(x, s), power::<L>(word(0) - e));
    Scaled { x: x.map(scale), n: e + by - of(small, digits), value, most, by, alone: sum.eq(most.0) }
}
