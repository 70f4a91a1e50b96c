//! Cube roots and reciprocal cube roots.
//!
//! Both start from r near |a|^(-1/3), without a division: an integer divides the exponent by 3, and steps of Newton's
//! iteration on r^-3 = a follow, in one limb. The last step is made with a residual that is all but exact.

use super::exponent::{from_top, top};
use crate::eft::{fast_two_sum, two_prod};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Word, WordMachine, exp2};
use crate::pair::{canonical, is_finite, is_finite2, nearest_limb, select2};

/// The third of an exponent is that far, in binades, from where the first step is best.
const SHIFT: f64 = -0.222_005_208_333_333_3;

/// The polynomial in c = 1 - |a| r^3 that equals (1 - c)^(-1/3) at the Chebyshev nodes of the values that c has.
const FIRST: [f64; 3] = [1.007_310_966_904_101, 0.256_573_241_221_887_1, 0.466_611_855_262_294_9];

/// The cube root of v. Any pair, all reals. 30 operations at p = 24, 35 at p = 53, and a test. The seed's error after the
/// steps in one limb is below 2^-28, so that y is nearest to the root or next to it, and the root itself where that is a
/// limb: the root of a cube is exact. Odd to the bit. C23 7.12.7.1.
#[inline(always)]
pub fn cbrt<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    L::M::branch(!in_range(x), cbrt_core(x), || rare(x, cbrt_core, 1, |v| v))
}

/// 1 over the cube root of v. Any pair, all reals. 28 operations at p = 24, 33 at p = 53, and a test. Odd to the bit. An
/// infinity of v's sign for a zero. CUDA math API, rcbrt.
#[inline(always)]
pub fn rcbrt<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    L::M::branch(!in_range(x), rcbrt_core(x), || rare(x, rcbrt_core, -1, |v| v.rcp()))
}

#[inline(always)]
fn cbrt_core<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let third = L::lit(1.0 / 3.0);
    let r = reciprocal(x.0, steps::<L>());
    let slope = r * r;
    // (y^2, x - y^3)
    let rest = |y: L| {
        let (s, t) = two_prod(y, y);
        (s, t, s.fma(-y, x.0) + t.fma(-y, x.1))
    };
    let y = (x.0 * r) * r;
    let y = rest(y).2.fma(slope * third, y);

    // To third order the root is y + d / (3 (y^2 + y q)), where d = x - y^3 and q = d / (3 y^2).
    let (s, t, d) = rest(y);
    let q = d * slope;
    let f = slope.fma(-q.fma(y * third, t), slope.fma(-s, L::lit(1.0)));
    let q = q.fma(f, q);
    let hi = q.fma(third, y);
    (hi, q.fma(third, y - hi))
}

#[inline(always)]
fn rcbrt_core<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (one, third) = (L::lit(1.0), L::lit(1.0 / 3.0));
    // 1 - x r^3, by way of x r^2 as a pair.
    let rest = |r: L| {
        let (h, l) = two_prod(x.0, r);
        let l = x.1.fma(r, l);
        let (b, c) = two_prod(h, r);
        let c = l.fma(r, c);
        c.fma(-r, b.fma(-r, one))
    };
    let r = reciprocal(x.0, steps::<L>());
    let r = (r * rest(r)).fma(third, r);
    // r (1 - e)^(-1/3)
    let e = rest(r);
    let (re, q) = (r * e, e.fma(L::lit(2.0 / 9.0), third));
    let hi = re.fma(q, r);
    (hi, re.fma(q, r - hi))
}

/// Steps after the first that give half of a limb's digits.
const fn steps<L: Limb>() -> u32 {
    if L::P > 30 { 1 } else { 0 }
}

/// |a|^(-1/3) with the sign of a, for a normal limb. The relative error is below 2^-15.1; each step doubles the digits.
#[inline(always)]
fn reciprocal<L: IeeeLimb>(a: L, steps: u32) -> L
where
    L::M: WordMachine,
{
    // The word that has the exponent, as a number of binades, is a logarithm.
    let binade = exp2(L::P as i32 - 1 - (L::Bits::BITS as i32 - 32));
    let start = ((1 - L::MIN_EXP) as f64 * (4.0 / 3.0) + SHIFT) * binade;
    let third = top(a).mul_hi(U32::<L>::lit(0x5555_5556));
    let r = from_top::<L>(U32::<L>::lit(start as u64) - third).copysign(a);
    let one = L::lit(1.0);
    let rest = |r: L| (a * r).fma(-(r * r), one);
    let c = rest(r);
    let mut r = r * c.fma(L::lit(FIRST[2]), L::lit(FIRST[1])).fma(c, L::lit(FIRST[0]));
    for _ in 0..steps {
        r = (r * rest(r)).fma(L::lit(1.0 / 3.0), r);
    }
    r
}

/// Canonical, and hi so far from the ends of the range that no residual loses digits.
#[inline(always)]
fn in_range<L: Limb>(x: (L, L)) -> MaskOf<L> {
    let (least, limit) = (L::lit(exp2(least::<L>())), L::lit(exp2(-L::MIN_EXP)));
    least.le(x.0.abs()) & x.0.abs().lt(limit) & (x.0 + x.1).eq(x.0)
}

const fn least<L: Limb>() -> i32 {
    L::MIN_EXP + 2 * L::P as i32
}

/// The same from a canonical operand, scaled by a cube, and `special` of a zero, an infinity and NaN. The results lie far
/// from the ends of the range.
fn rare<L: IeeeLimb>(x: (L, L), core: impl Fn((L, L)) -> (L, L), power: i32, special: impl Fn(L) -> L) -> (L, L)
where
    L::M: WordMachine,
{
    let (p, one) = (L::P as i32, L::lit(1.0));
    let factor = |large: MaskOf<L>, small: MaskOf<L>, e: i32| {
        L::select(large, L::lit(exp2(-e)), L::select(small, L::lit(exp2(e)), one))
    };
    let limit = L::lit(exp2(-L::MIN_EXP - 1));
    let large = is_finite2(x) & !(x.0.abs().lt(limit) & x.1.abs().lt(limit));
    let none = one.lt(one);
    let s = factor(large, none, 3 * p);
    let c = canonical((x.0 * s, x.1 * s));
    let small = c.0.abs().lt(L::lit(exp2(least::<L>())));
    let s = factor(none, small, 3 * p);
    let r = core((c.0 * s, c.1 * s));
    let back = factor(large, small, -power * p);
    let ordinary = is_finite(c.0) & !c.0.eq(L::lit(0.0));
    select2(ordinary, (r.0 * back, r.1 * back), (special(nearest_limb(x)), L::lit(0.0)))
}
