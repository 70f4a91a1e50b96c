//! The edges of the limb's range: special values, and scaling around overflow and underflow.

use crate::machine::{Limb, MaskOf, exp2};

/// |a| < infinity.
#[inline(always)]
pub(crate) fn is_finite<L: Limb>(a: L) -> MaskOf<L> {
    a.abs().lt(L::lit(f64::INFINITY))
}

/// Both limbs are finite.
#[inline(always)]
pub(crate) fn is_finite2<L: Limb>(x: (L, L)) -> MaskOf<L> {
    is_finite(x.0) & is_finite(x.1)
}

/// The limb that decides the value of a pair that is not finite, and hi of a finite one.
#[inline(always)]
pub fn value_limb<L: Limb>(x: (L, L)) -> L {
    L::select(is_finite(x.0) & !is_finite(x.1), x.1, x.0)
}

/// RN(value) as one limb, NaN or not; a zero has the sign of hi if lo is zero, and is +0 where limbs cancel.
#[inline(always)]
pub(crate) fn nearest_limb<L: Limb>((hi, lo): (L, L)) -> L {
    // Where lo is zero or hi not finite hi is the value, with its sign; one addition elsewhere.
    let alone = lo.eq(L::lit(0.0)) | !is_finite(hi);
    L::select(alone, hi, hi + lo)
}

/// hi is finite and at least `guard` binades above the least product whose error is a limb: bits that underflow takes
/// from lo do not matter there.
#[inline(always)]
pub(super) fn in_range<L: Limb>(r: (L, L), guard: i32) -> MaskOf<L> {
    L::lit(exp2(L::MIN_EXP + L::P as i32 + guard)).le(r.0.abs()) & is_finite(r.0)
}

/// `x` where `m` is true, `y` elsewhere.
#[inline(always)]
pub(crate) fn select2<L: Limb>(m: MaskOf<L>, x: (L, L), y: (L, L)) -> (L, L) {
    (L::select(m, x.0, y.0), L::select(m, x.1, y.1))
}

/// The result with lo = +0 where hi is 0 or not finite.
#[inline(always)]
pub(crate) fn settle<L: Limb>(x: (L, L)) -> (L, L) {
    let zero = L::lit(0.0);
    let ordinary = zero.lt(x.0.abs()) & is_finite(x.0);
    (x.0, L::select(ordinary, x.1, zero))
}

/// `x` times a power of two that brings hi between 2^-SCALE_LIMIT and 2^SCALE_LIMIT (a subnormal: as far as 2^SCALE
/// goes), the power, and its inverse. A zero hi is replaced by lo first.
pub(super) fn scale<L: Limb>(x: (L, L)) -> ((L, L), L, L) {
    let one = L::lit(1.0);
    let zero = L::lit(0.0);
    let x = select2(x.0.eq(zero) & !x.1.eq(zero), (x.1, zero), x);
    let (up, down) = (L::lit(exp2(L::SCALE)), L::lit(exp2(-L::SCALE)));
    let large = L::lit(exp2(L::SCALE_LIMIT)).lt(x.0.abs());
    let small = x.0.abs().lt(L::lit(exp2(-L::SCALE_LIMIT)));
    let s = L::select(large, down, L::select(small, up, one));
    let inverse = L::select(large, up, L::select(small, down, one));
    ((x.0 * s, x.1 * s), s, inverse)
}

/// (h + l) f1 f2 for a normalised pair and powers of two f1, f2 (each 1, 2^SCALE or 2^-SCALE): normalised, with hi
/// rounded once, correctly, also where it is subnormal; lo is 0 there.
pub(super) fn unscale<L: Limb>((h, l): (L, L), f1: L, f2: L) -> (L, L) {
    let one = L::lit(1.0);
    let zero = L::lit(0.0);
    // Opposite factors cancel; of two equal ones the first is exact, or the result is 0 or infinite anyway; a single
    // factor comes last, where the rounding is watched.
    let cancel = (f1 * f2).eq(one);
    let single = f2.eq(one);
    let first = L::select(cancel | single, one, f1);
    let last = L::select(cancel, one, L::select(single, f1, f2));
    let (h, l) = (h * first, l * first);

    let g = h * last;
    // h - g / last is exact. Where it is half a subnormal step, RN(h last) was a tie that l decides.
    let step = L::lit(exp2(L::MIN_EXP + 1 - L::P as i32));
    let half = L::lit(exp2(L::MIN_EXP + L::SCALE - L::P as i32));
    let rest = h - g * last.rcp();
    let tie = rest.eq(half.copysign(l)) & !l.eq(zero);
    let hi = L::select(tie, g + step.copysign(l), g);

    let normal = L::lit(exp2(L::MIN_EXP)).le(hi.abs());
    let lo = L::select(normal, l * last, zero);
    // lo may have been rounded up to half an ulp of an odd hi.
    let lo = L::select((hi + lo).eq(hi), lo, lo - step.copysign(lo));
    settle((hi, lo))
}
