//! Neighbours of a pair.

use super::classify::{is_minus, isnan};
use super::exponent::{canonical_below, value_field};
use crate::eft::fast_two_sum;
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{is_canonical, is_finite, lt, select2, settle};

/// The next multiple of the unit of x strictly beyond x in the direction of y; x where the values are equal, NaN where one
/// is NaN. Any pairs. Exact. C23 7.12.11.3.
///
/// The unit is that of digit 2p - 2 (46 or 104) in the binade of the exact value of x, also for a step down from a power
/// of two; where that is below the smallest subnormal limb, the latter. Beyond the largest pair comes infinity, before an
/// infinity the largest multiple of the unit that is a pair. A zero has the sign of x.
#[inline(always)]
pub fn nextafter<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let p = L::P as i32;
    let up = x.0.lt(y.0) | (x.0.eq(y.0) & x.1.lt(y.1));
    let field = value_field(x) - L::Bits::lit(below_leading::<L>());
    let usual = step(x, up, L::from_bits(field.shl(U32::<L>::lit(L::P as u64 - 1))));
    let equal = x.0.eq(y.0) & x.1.eq(y.1);
    let ordered = is_canonical(y) | y.0.abs().eq(L::lit(f64::INFINITY));
    let a = x.0.abs();
    let moderate = L::lit(exp2(L::MIN_EXP + 2 * p)).le(a) & a.lt(L::lit(exp2(-L::MIN_EXP)));
    L::M::branch(!(is_canonical(x) & ordered & moderate & !equal), usual, || rare(x, y))
}

/// The digits of a unit below the leading one.
const fn below_leading<L: Limb>() -> u64 {
    2 * L::P as u64 - 3
}

/// The next multiple of `unit` above a canonical x, or below it; a zero has the sign of x.
#[inline(always)]
fn step<L: IeeeLimb>((h, l): (L, L), up: MaskOf<L>, unit: L) -> (L, L)
where
    L::M: WordMachine,
{
    let zero = L::lit(0.0);
    let sign = L::lit(1.0).copysign(h);
    let b = l * sign;
    // hi is a multiple of the unit, and lo at most 2^(p-2) of them.
    let constant = unit * L::lit(1.5 * exp2(L::P as i32 - 1));
    let t = (b + constant) - constant;
    let outward = t + L::select(b.lt(t), zero, unit);
    let inward = t - L::select(t.lt(b), zero, unit);
    let (hi, lo) = fast_two_sum(h.abs(), L::select(up ^ is_minus(h), outward, inward));
    (hi.copysign(h), lo.fma(sign, zero))
}

/// [`nextafter`] for every operand, on x scaled to where its unit is normal.
fn rare<L: IeeeLimb>(x: (L, L), y: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let p = L::P as i32;
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let (up, down) = (lt(x, y), lt(y, x));
    let ((h, l), over) = canonical_below(x);
    let whole = L::select(over, L::lit(16.0), one);
    let nan = isnan(x) | isnan(y);
    let same = settle((L::select(nan, L::lit(f64::NAN), h * whole), l * whole + zero));

    let small = h.abs().lt(L::lit(exp2(L::MIN_EXP + 3 * p)));
    let s = L::select(small, L::lit(exp2(2 * p)), one);
    let inverse = L::select(small, L::lit(exp2(-2 * p)), whole);
    let h = L::select(h.eq(zero), zero.copysign(L::select(up, one, -one)), h * s);
    let moved = (h, l * s);
    let word = |n: u64| L::Bits::lit(n);
    // The field of the smallest subnormal limb, scaled.
    let least = L::P as u64 + 2;
    let field = value_field(moved);
    let floored = field.lt(word(least + below_leading::<L>()));
    let field = <L::Bits as Value>::select(floored, word(least), field - word(below_leading::<L>()));
    let r = step(moved, up, L::from_bits(field.shl(U32::<L>::lit(L::P as u64 - 1))));
    let r = settle((r.0 * inverse, r.1 * inverse));

    let bias = 1 - L::MIN_EXP;
    let largest = L::lit(exp2(bias) * (2.0 - exp2(1 - p)));
    let largest_lo = L::lit(exp2(bias - p) - exp2(bias - below_leading::<L>() as i32));
    let r = select2(is_finite(h), r, (largest.copysign(h), largest_lo.copysign(h)));
    select2(up | down, r, same)
}
