//! Boys' function of order 0.

use super::exponent::canonical_below;
use super::kernel::product;
use super::scale::tidy;
use super::tables::{BOYS, interval, of};
use crate::eft::fast_two_sum;
use crate::machine::{IeeeLimb, Machine, WordMachine};
use crate::pair::{canonical, is_rounded, rsqrt, select2};

/// F0(v), the integral of e^(-v t^2) from 0 to 1. Any pair; 1 for zeros, NaN below, +0 at infinity. sqrt(pi / v) erf(sqrt v) / 2,
/// by intervals and, where the error function is 1, by the root. Error below 1.5 ulp; the largest found is 0.94 ulp. Boys 1950.
#[inline(always)]
pub fn boys_f0<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, table) = (L::lit(0.0), of::<L, _>(&BOYS));
    let far = L::lit(table.far);
    let usual = |x: (L, L)| {
        let row = table.pieces.row(interval(table.bits, x.0));
        row.at(row.beyond(0, x))
    };
    let plain = zero.le(x.0) & x.0.lt(far) & is_rounded(x);
    L::M::branch(!plain, usual(x), || {
        let v = canonical(x);
        // The root of a sixteenth is four times as large.
        let (c, over) = canonical_below(x);
        let s = L::select(over, L::lit(0.25), L::lit(1.0));
        let (h, l) = product(rsqrt(c), (L::lit(table.half_root.0) * s, L::lit(table.half_root.1) * s));
        let r = select2(v.0.lt(far), usual(v), fast_two_sum(h, l));
        let r = select2(c.0.lt(L::lit(f64::INFINITY)), r, (zero, zero));
        select2(zero.le(v.0), tidy(r), (L::lit(f64::NAN), zero))
    })
}
