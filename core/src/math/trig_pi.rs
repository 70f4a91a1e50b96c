//! Sines, cosines and tangents of multiples of pi.
//!
//! v = n / 2 + f, exactly: hi less n / 2 is a limb, and so is what a limb has modulo 2. Then pi f is an angle.

use super::exponent::overflows;
use super::kernel::quotient;
use super::reduce::Angle;
use super::round::limb_nearest;
use super::scale::scale_canonical;
use super::tables::{CIRCULAR, of};
use super::trig::{both, cosine, is_odd, sine, tangent, turned};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{Bundle, IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::math::exp::magic;
use crate::pair::{canonical, is_rounded, select2, settle};

/// sin(pi v). Any pair, all finite numbers with all digits; exact for integers and halves; NaN for infinities. Zeros have the sign
/// of v. Never beyond 1. Measured error 1.00 ulp for pairs of binary32, 0.50 for pairs of binary64. C23 7.12.4.13.
#[inline(always)]
pub fn sinpi<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    of_turns(x, sine, |t| t.sine())
}

/// cos(pi v), as [`sinpi`]; zeros are +0. Measured error 0.76 and 0.42 ulp. C23 7.12.4.12.
#[inline(always)]
pub fn cospi<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    of_turns(x, cosine, |t| t.cosine())
}

/// (sin(pi v), cos(pi v)), with the bits of [`sinpi`] and [`cospi`]. CUDA math API, sincospi.
#[inline(always)]
pub fn sincospi<L: IeeeLimb>(x: (L, L)) -> ((L, L), (L, L))
where
    L::M: WordMachine,
{
    of_turns(x, both, |t| (t.sine(), t.cosine()))
}

/// tan(pi v), as [`sinpi`]; of an integer a zero with the sign of v, or the other one if it is odd; infinite for halves, +infinity
/// for that above an even integer. Measured error 1.00 and 0.58 ulp. C23 7.12.4.14.
#[inline(always)]
pub fn tanpi<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    of_turns(x, tangent, |t| t.tangent())
}

/// A number in parts: n / 2 + f, modulo 2.
struct Turns<L: Limb>
where
    L::M: WordMachine,
{
    n: U32<L>,
    f: (L, L),
}

/// `usual` of pi v, or `rare` where f is so small that pi f may underflow, or 0, and of large numbers; its zeros have the sign
/// of v in f.
#[inline(always)]
fn of_turns<L: IeeeLimb, T: Bundle<L::M>>(x: (L, L), usual: impl Fn(Angle<L>) -> T, rare: impl Fn(Turns<L>) -> T) -> T
where
    L::M: WordMachine,
{
    let (t, near) = Turns::near(x);
    L::M::branch(!(near & is_rounded(x) & !t.is_small()), usual(t.angle()), || {
        let zero = L::lit(0.0);
        // Beyond all odd numbers.
        let even = (L::lit(exp2(L::P as i32 + 1)).copysign(x.0), zero);
        let x = select2(overflows(x), even, canonical(x));
        let (t, near) = Turns::near(x);
        let far = Turns::near(two_sum(modulo_two(x.0), modulo_two(x.1))).0;
        let f = select2(near, t.f, far.f);
        let f = (L::select(f.0.eq(zero), zero.copysign(x.0), f.0), f.1);
        rare(Turns { n: <U32<L> as Value>::select(near, t.n, far.n), f })
    })
}

/// a less the multiple of 2 nearest to it.
fn modulo_two<L: Limb>(a: L) -> L {
    limb_nearest(a * L::lit(0.5)).0.fma(L::lit(-2.0), a)
}

impl<L: IeeeLimb> Turns<L>
where
    L::M: WordMachine,
{
    /// Of a pair, and whether it is not too large for that.
    #[inline(always)]
    fn near(x: (L, L)) -> (Self, MaskOf<L>) {
        let magic = magic::<L>();
        let t = x.0.fma(L::lit(2.0), magic);
        let h = (magic - t).fma(L::lit(0.5), x.0);
        // Where hi is in the middle of two n f is lo beyond 1/4.
        let near = x.0.abs().lt(L::lit(exp2(L::P as i32 - 11)));
        (Turns { n: t.bits().to_u32(), f: two_sum(h, x.1) }, near)
    }

    /// The last digits of pi f may underflow.
    #[inline(always)]
    fn is_small(&self) -> MaskOf<L> {
        self.f.0.abs().lt(L::lit(exp2(L::MIN_EXP + 2 * L::P as i32 + 4)))
    }

    /// pi v.
    #[inline(always)]
    fn angle(&self) -> Angle<L> {
        Angle { n: self.n, r: times_pi(self.f) }
    }

    fn plus_quarter(&self) -> Self {
        Turns { n: self.n + U32::<L>::lit(1), f: self.f }
    }

    /// pi f 2^k, where k takes the smallest numbers far from underflow.
    fn scaled(&self) -> ((L, L), i32) {
        let k = 3 * L::P as i32;
        let up = L::lit(exp2(k));
        (times_pi((self.f.0 * up, self.f.1 * up)), k)
    }

    fn sine(&self) -> (L, L) {
        let (r, k) = self.scaled();
        let small = turned(scale_canonical(r, U32::<L>::lit(-k as i64 as u64)), self.n);
        let r = select2(self.is_small() & !is_odd::<L>(self.n), small, sine(self.angle()));
        let r = settle((r.0, r.1 + L::lit(0.0)));
        (L::select(r.0.eq(L::lit(0.0)), self.f.0, r.0), r.1)
    }

    fn cosine(&self) -> (L, L) {
        let r = self.plus_quarter().sine();
        (L::select(r.0.eq(L::lit(0.0)), L::lit(0.0), r.0), r.1)
    }

    fn tangent(&self) -> (L, L) {
        let (zero, odd) = (L::lit(0.0), is_odd::<L>(self.n));
        let (r, k) = self.scaled();
        let direct = scale_canonical(r, U32::<L>::lit(-k as i64 as u64));
        let inverse = scale_canonical(quotient((L::lit(-1.0), zero), r, r.0.rcp_moderate()), U32::<L>::lit(k as u64));
        let small = select2(odd, inverse, direct);
        let r = settle(select2(self.is_small(), small, tangent(self.angle())));
        let at_zero = turned(select2(odd, (L::lit(f64::INFINITY), zero), (self.f.0, zero)), self.n);
        (L::select(self.f.0.eq(zero), at_zero.0, r.0), L::select(self.f.0.eq(zero), zero, r.1))
    }
}

/// pi f. 14 operations: of three products that are as small as a rounding error one is rounded.
#[inline(always)]
fn times_pi<L: Limb>(f: (L, L)) -> (L, L) {
    let [first, second, third] = of::<L, _>(&CIRCULAR).quarter.map(|c| L::lit(2.0 * c));
    let (h, l) = two_prod(f.0, first);
    let (s, e) = two_sum(l, f.1.fma(first, f.0 * second));
    let (h, l) = fast_two_sum(h, s);
    (h, l + f.0.fma(third, e))
}
