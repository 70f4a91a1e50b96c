//! Modified Bessel functions of the first kind.
//!
//! I0(x) = e^x f(x) and I1(x) = e^x x f(x), where f, whose derivatives never vanish, is a polynomial on quarters of binades from 1
//! on; what e^x is multiplied by takes the place of the power of 2 that e^r - 1 is added to. Below 1 f is the function itself, or that over x, in x^2.

use super::exp::{self, is_moderate, limited};
use super::kernel::{product, square};
use super::scale::{ldexp, scale_any};
use super::tables::{BESSEL_I0, BESSEL_I1, EXP, Rows, of, quarter};
use crate::eft::fast_two_sum;
use crate::machine::{IeeeLimb, Machine, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_rounded, select2};

/// I0(v). Any pair; infinite for infinities; even to the bit. Measured error 1.37 ulp for pairs of binary32, 0.86 for pairs of
/// binary64. CUDA math API, cyl_bessel_i0.
#[inline(always)]
pub fn cyl_bessel_i0<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    modified(of::<L, _>(&BESSEL_I0), false, x)
}

/// I1(v), as [`cyl_bessel_i0`]; odd to the bit, zeros and infinities too. Measured error 1.58 and 1.02 ulp. CUDA math API, cyl_bessel_i1.
#[inline(always)]
pub fn cyl_bessel_i1<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    modified(of::<L, _>(&BESSEL_I1), true, x)
}

#[inline(always)]
fn modified<L: IeeeLimb>(table: &'static Rows, odd: bool, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (one, e) = (L::lit(1.0), of::<L, _>(&EXP));
    let least = L::lit(exp2(L::MIN_EXP + 2 * L::P as i32 + 2));
    let magnitude = |x: (L, L)| (x.0.abs(), x.1 * one.copysign(x.0));
    let signed = |r: (L, L)| if odd { (r.0.copysign(x.0), r.1 * one.copysign(x.0)) } else { r };
    let a = magnitude(x);
    let s = factor(table, odd, a);
    let power = exp::Parts::new(e, a, None);
    let usual = signed(select2(a.0.lt(one), s, power.times_scale(power.value_times(s))));
    let plain = is_moderate(e, x.0) & is_rounded(x);
    let plain = if odd { plain & least.le(a.0) } else { plain };
    L::M::branch(!plain, usual, || {
        let x = canonical(x);
        // The table goes as far.
        let a = limited(e, magnitude(x));
        let s = factor(table, odd, a);
        let power = exp::Parts::new(e, a, None);
        let r = select2(a.0.lt(one), s, scale_any(power.value_times(s), power.exponent()));
        // I1 lies above x / 2, so that a half of the smallest number is rounded up.
        let half = ldexp(a, U32::<L>::lit(u64::MAX));
        let rest = a.0 - half.0;
        let half = (L::select(half.0.lt(rest), rest, half.0), half.1);
        let r = if odd { select2(a.0.lt(least), half, r) } else { r };
        let r = select2(x.0.eq(x.0), r, (x.0, L::lit(0.0)));
        let (h, l) = if odd { (r.0.copysign(x.0), r.1 * one.copysign(x.0)) } else { r };
        (h, l + L::lit(0.0))
    })
}

/// e^-a times the function from 1 on, and the function itself below.
#[inline(always)]
fn factor<L: IeeeLimb>(table: &'static Rows, odd: bool, a: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let lit = U32::<L>::lit;
    let small = a.0.lt(L::lit(1.0));
    let row = table.row(<U32<L> as Value>::select(small, lit(0), quarter(a.0, 1.0) + lit(1)));
    let s = row.at(select2(small, square(a), row.beyond(0, a)));
    let (h, l) = if odd { product(a, fast_two_sum(s.0, s.1)) } else { s };
    fast_two_sum(h, l)
}
