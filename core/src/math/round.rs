//! Rounding of pairs to integers.
//!
//! For |a| < 2^(p-1) the limb |a| + 2^(p-1) has no digits below the point: the sum rounds a to the nearest integer, ties
//! to even. A canonical pair whose hi is not an integer lies between the same two integers as hi, and where hi is no half
//! either, on the same side of their middle: there hi is all that matters.

use crate::convert::{Integer, to_integer};
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U64, Word, WordMachine, exp2};
use crate::pair::{canonical, is_finite, is_rounded, select2, settle};

/// The largest integer not above v. Any pair. Exact; a zero has the sign of v. C23 7.12.9.2.
#[inline(always)]
pub fn floor<L: Limb>(x: (L, L)) -> (L, L) {
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let (t, d) = nearest(x.0);
    let usual = t - L::select(d.lt(zero), one, zero);
    L::M::branch(!is_fraction(x, d), (usual, zero), || whole(canonical(x), false, |r| limb_floor(r.0)))
}

/// The smallest integer not below v. Any pair. Exact; a zero has the sign of v. C23 7.12.9.1.
#[inline(always)]
pub fn ceil<L: Limb>(x: (L, L)) -> (L, L) {
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let (t, d) = nearest(x.0);
    let usual = (t + L::select(zero.lt(d), one, zero)).copysign(x.0);
    L::M::branch(!is_fraction(x, d), (usual, zero), || whole(canonical(x), false, |r| -limb_floor(-r.0)))
}

/// v without its fraction: the integer next to it on the side of 0. Any pair. Exact; a zero has the sign of v.
/// C23 7.12.9.9.
#[inline(always)]
pub fn trunc<L: Limb>(x: (L, L)) -> (L, L) {
    let (t, d) = nearest(x.0.abs());
    let zero = L::lit(0.0);
    let usual = (t - L::select(d.lt(zero), L::lit(1.0), zero)).copysign(x.0);
    L::M::branch(!is_fraction(x, d), (usual, zero), || whole_trunc(canonical(x)))
}

/// (v - t, t) for the integer t = trunc(v). Any pair. Both exact, with the sign of v; an infinite v has the fraction 0,
/// NaN is NaN twice. C23 7.12.6.18.
#[inline(always)]
pub fn modf<L: Limb>(x: (L, L)) -> ((L, L), (L, L)) {
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let (t, d) = nearest(x.0.abs());
    let t = t - L::select(d.lt(zero), one, zero);
    let (f, e) = fast_two_sum((x.0.abs() - t).copysign(x.0), x.1);
    let usual = ((f, e + zero), (t.copysign(x.0), zero));
    L::M::branch(!is_fraction(x, d), usual, || {
        let x = canonical(x);
        let t = whole_trunc(x);
        // What is taken from hi, whose digits it has, then from lo.
        let (f, e) = two_sum((x.0 - t.0) - t.1, x.1);
        let finite = is_finite(t.0);
        let f = L::select(finite, f, L::select(x.0.eq(x.0), zero, x.0));
        ((f.copysign(x.0), L::select(finite, e, zero)), t)
    })
}

/// The integer nearest to v, halves away from zero. Any pair. Exact; a zero has the sign of v. C23 7.12.9.6.
#[inline(always)]
pub fn round<L: Limb>(x: (L, L)) -> (L, L) {
    let (t, d) = nearest(x.0);
    L::M::branch(!is_plain(x, d), (t.copysign(x.0), L::lit(0.0)), || round_rare(x))
}

/// The integer nearest to v, ties to even. Any pair. Exact; a zero has the sign of v. C23 7.12.9.4.
#[inline(always)]
pub fn rint<L: Limb>(x: (L, L)) -> (L, L) {
    let (t, d) = nearest(x.0);
    L::M::branch(!is_plain(x, d), (t.copysign(x.0), L::lit(0.0)), || rint_rare(x))
}

/// As [`rint`]: there are no flags to leave alone. C23 7.12.9.3.
#[inline(always)]
pub fn nearbyint<L: Limb>(x: (L, L)) -> (L, L) {
    rint(x)
}

/// [`rint`] as a 64-bit integer in two's complement. Any pair; saturated, NaN gives 0, as the conversions to integers.
/// C23 7.12.9.5.
#[inline(always)]
pub fn lrint<L: IeeeLimb>(x: (L, L)) -> U64<L>
where
    L::M: WordMachine,
{
    to_long(x, rint_rare)
}

/// As [`lrint`]: `long` has 64 bits.
#[inline(always)]
pub fn llrint<L: IeeeLimb>(x: (L, L)) -> U64<L>
where
    L::M: WordMachine,
{
    lrint(x)
}

/// [`round`] as a 64-bit integer in two's complement. Any pair; saturated, NaN gives 0, as the conversions to integers.
/// C23 7.12.9.7.
#[inline(always)]
pub fn lround<L: IeeeLimb>(x: (L, L)) -> U64<L>
where
    L::M: WordMachine,
{
    to_long(x, round_rare)
}

/// As [`lround`]: `long` has 64 bits.
#[inline(always)]
pub fn llround<L: IeeeLimb>(x: (L, L)) -> U64<L>
where
    L::M: WordMachine,
{
    lround(x)
}

/// The integer nearest to `a`, ties to even, and `a` less it, where |a| < 2^(p-1). A zero is +0.
#[inline(always)]
fn nearest<L: Limb>(a: L) -> (L, L) {
    let b = L::lit(exp2(L::P as i32 - 1)).copysign(a);
    let t = (a + b) - b;
    (t, a - t)
}

/// `x` is canonical and hi, `d` away from [`nearest`], is not an integer.
#[inline(always)]
fn is_fraction<L: Limb>(x: (L, L), d: L) -> MaskOf<L> {
    // From 2^(p-1) on d is 0, or 1 or more.
    L::lit(0.0).lt(d.abs()) & d.abs().le(L::lit(0.5)) & is_rounded(x)
}

/// `x` is canonical, |hi| < 2^(p-1), and hi, `d` away from [`nearest`], is not half an integer.
#[inline(always)]
fn is_plain<L: Limb>(x: (L, L), d: L) -> MaskOf<L> {
    x.0.abs().lt(L::lit(exp2(L::P as i32 - 1))) & d.abs().lt(L::lit(0.5)) & is_rounded(x)
}

/// [`nearest`] for any limb.
#[inline(always)]
pub(super) fn limb_nearest<L: Limb>(a: L) -> (L, L) {
    let (t, d) = nearest(a);
    select2(a.abs().lt(L::lit(exp2(L::P as i32 - 1))), (t, d), (a, L::lit(0.0)))
}

/// The largest integer not above `a`, for any limb.
#[inline(always)]
fn limb_floor<L: Limb>(a: L) -> L {
    let (t, d) = limb_nearest(a);
    t - L::select(d.lt(L::lit(0.0)), L::lit(1.0), L::lit(0.0))
}

fn whole_trunc<L: Limb>(x: (L, L)) -> (L, L) {
    whole(x, true, |r| limb_floor(r.0))
}

fn round_rare<L: Limb>(x: (L, L)) -> (L, L) {
    whole(canonical(x), true, |r| {
        let (zero, one, half) = (L::lit(0.0), L::lit(1.0), L::lit(0.5));
        let (t, d) = limb_nearest(r.0);
        let (up, down) = (d.eq(half) & zero.le(r.1), d.eq(-half) & r.1.lt(zero));
        t + L::select(up, one, L::select(down, -one, zero))
    })
}

fn rint_rare<L: Limb>(x: (L, L)) -> (L, L) {
    whole(canonical(x), false, |r| {
        let (zero, one, half) = (L::lit(0.0), L::lit(1.0), L::lit(0.5));
        let (t, d) = limb_nearest(r.0);
        // A tie of hi that lo decides, and in the other direction.
        let beyond = d.eq(half.copysign(r.1)) & !r.1.eq(zero);
        t + L::select(beyond, one.copysign(r.1), zero)
    })
}

/// A canonical `x` rounded to an integer: what is left beside the integer nearest to hi is rounded by `step`. That is
/// lo where hi is an integer; otherwise it is a pair.
///
/// With `magnitude`, |x| is rounded.
#[inline(always)]
fn whole<L: Limb>((h, l): (L, L), magnitude: bool, step: impl FnOnce((L, L)) -> L) -> (L, L) {
    let zero = L::lit(0.0);
    let sign = if magnitude { L::lit(1.0).copysign(h) } else { L::lit(1.0) };
    let (a, b) = if magnitude { (h.abs(), l * sign) } else { (h, l) };
    let (t, d) = limb_nearest(a);
    let rest = select2(d.eq(zero), (b, zero), (d, b));
    let (s, e) = settle(fast_two_sum(t, step(rest)));
    (s.copysign(h), e.fma(sign, zero))
}

/// An integer within reach of a constant is read from the bits of their sum.
#[inline(always)]
fn to_long<L: IeeeLimb>(x: (L, L), rare: impl FnOnce((L, L)) -> (L, L)) -> U64<L>
where
    L::M: WordMachine,
{
    let p = L::P as i32;
    let s = x.0 + L::lit(1.5 * exp2(p - 1));
    let d = x.0 - (s - L::lit(1.5 * exp2(p - 1)));
    // The exponent of the constant with its bias, and half a binade.
    let constant = (((p - L::MIN_EXP) as u64) << (p - 1)) | 1 << (p - 2);
    let usual = s.bits().to_u64() - U64::<L>::lit(constant);
    let plain = x.0.abs().lt(L::lit(exp2(p - 2))) & d.abs().lt(L::lit(0.5)) & is_rounded(x);
    L::M::branch(!plain, usual, || to_integer(rare(x), Integer { bits: 64, signed: true }))
}

/// `a` has no fraction, where it is finite.
#[inline(always)]
pub(super) fn is_integer<L: Limb>(a: L) -> MaskOf<L> {
    limb_nearest(a).1.eq(L::lit(0.0))
}

/// `a` is an odd integer, where it is finite and an integer.
#[inline(always)]
pub(super) fn is_odd<L: Limb>(a: L) -> MaskOf<L> {
    !is_integer(a * L::lit(0.5))
}
