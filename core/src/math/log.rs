//! Logarithms.
//!
//! v = 2^n m with m between 1/sqrt 2 and sqrt 2; the bits of hi give n and the interval j of m, whose row of a table has c_j, a
//! short number near 1/m, and T_j = -log c_j (Tang 1990). f = m c_j - 1 is exact in its hi. Around 1, and in the next interval
//! below, c_j is 1 and T_j is 0, so that nothing cancels. n log 2 and T_j are multiples of common grids in their first two parts,
//! whose sums are exact (after Cody and Waite 1980).

use super::exponent::canonical_below;
use super::kernel::{polynomial2, product, step};
use super::tables::{LOG, LOG2, LOG10, Logarithm, of, row};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Word, WordMachine, exp2};
use crate::pair::{canonical, is_finite, is_rounded, select2};

/// log v. Any pair; -infinity for zeros, NaN below, infinity at infinity; +0 for 1. Measured error 0.50 ulp for pairs of
/// binary32, 0.52 for pairs of binary64. C23 7.12.6.11.
#[inline(always)]
pub fn log<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    logarithm(of::<L, _>(&LOG), x)
}

/// log2 v, as [`log`]; exact for powers of 2. Measured error 0.80 and 0.81 ulp. C23 7.12.6.15.
#[inline(always)]
pub fn log2<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    logarithm(of::<L, _>(&LOG2), x)
}

/// log10 v, as [`log`]. Measured error 0.71 and 0.72 ulp. C23 7.12.6.12.
#[inline(always)]
pub fn log10<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    logarithm(of::<L, _>(&LOG10), x)
}

/// log(1 + v). Any pair; -infinity for -1, NaN below; a zero is itself. 1 + v enters as three limbs. Measured error 0.63 and
/// 0.62 ulp. C23 7.12.6.14.
#[inline(always)]
pub fn log1p<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let table = of::<L, _>(&LOG);
    let (y, rest) = plus_one(x);
    let r = Parts::new(table, y, Some(rest)).value();
    // A result that is 0 has the sign of its argument, as all others do.
    let usual = (r.0.copysign(x.0), r.1);
    L::M::branch(!(is_plain(y) & is_rounded(x)), usual, || {
        let v = canonical(x);
        let (y, rest) = plus_one(v);
        let near = Parts::new(table, y, Some(rest)).value();
        // Where 1 does not matter, or 1 + v is one limb.
        let far = any(table, select2(one.lt(v.0), x, y), None);
        select2(v.0.eq(zero), (v.0, zero), select2(is_plain(y), near, far))
    })
}

/// 1 + v in three limbs.
#[inline(always)]
pub(super) fn plus_one<L: Limb>(x: (L, L)) -> ((L, L), L) {
    let (s, e) = two_sum(L::lit(1.0), x.0);
    let (t, rest) = two_sum(e, x.1);
    (fast_two_sum(s, t), rest)
}

#[inline(always)]
fn logarithm<L: IeeeLimb>(table: &'static Logarithm, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let usual = Parts::new(table, x, None).value();
    // Below 1 the slope, that of the logarithm at 1, takes the least numbers to 0.
    let shrinks = table.series.pairs[0].0.abs() < 0.5;
    let plain = if shrinks { is_plain(x) & L::lit(0.0).lt(usual.0.abs()) } else { is_plain(x) };
    L::M::branch(!plain, usual, || any(table, x, None))
}

/// Canonical, positive and normal, with room above.
#[inline(always)]
pub(super) fn is_plain<L: IeeeLimb>(x: (L, L)) -> MaskOf<L>
where
    L::M: WordMachine,
{
    let least = L::Bits::lit(1 << (L::P - 1));
    let span = L::Bits::lit(((-2 * L::MIN_EXP) as u64) << (L::P - 1));
    (x.0.bits() - least).lt(span) & is_rounded(x)
}

/// The logarithm of any pair, times 2^power.
pub(super) fn any<L: IeeeLimb>(table: &'static Logarithm, x: (L, L), power: Option<f64>) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, infinity) = (L::lit(0.0), L::lit(f64::INFINITY));
    let (x, n) = in_range(x);
    let n = power.map_or(n, |power| n + L::lit(power));
    let parts = Parts::new(table, x, None).times_power(n);
    let r = parts.value();
    // A result that vanishes has the sign of f.
    let r = (L::select(r.0.eq(zero), zero.copysign(parts.f.0), r.0), r.1);
    let special = L::select(x.0.eq(zero), -infinity, L::select(x.0.eq(infinity), infinity, L::lit(f64::NAN)));
    select2(zero.lt(x.0) & is_finite(x.0), r, (special, zero))
}

/// (y, n) with v = y 2^n exactly, where y is canonical, and is zero, not finite, or as [`is_plain`] has it but for the sign.
pub(super) fn in_range<L: IeeeLimb>(x: (L, L)) -> ((L, L), L)
where
    L::M: WordMachine,
{
    let digits = 2 * L::P as i32;
    let limb = |x: f64| L::lit(x);
    let (x, over) = canonical_below(x);
    let small = x.0.abs().lt(limb(exp2(L::MIN_EXP)));
    let large = limb(exp2(-L::MIN_EXP - 4)).le(x.0.abs());
    let pick = |up: f64, down: f64, one: f64| L::select(small, limb(up), L::select(large, limb(down), limb(one)));
    let s = pick(exp2(digits), 0.0625, 1.0);
    let n = L::select(over, limb(4.0), limb(0.0)) + pick(-digits as f64, 4.0, 0.0);
    ((x.0 * s, x.1 * s), n)
}

/// x in parts.
pub(super) struct Parts<L> {
    table: &'static Logarithm,
    /// The exponent.
    n: L,
    /// T_j.
    t: [L; 3],
    /// f, hi and lo, and the rest of it.
    pub f: (L, L),
    pub rest: L,
}

impl<L: IeeeLimb> Parts<L>
where
    L::M: WordMachine,
{
    /// Of x, where [`is_plain`], and a third limb.
    #[inline(always)]
    pub fn new(table: &'static Logarithm, x: (L, L), third: Option<L>) -> Self {
        let lit = |n: u64| L::Bits::lit(n);
        let shift = |n: u32| U32::<L>::lit(n.into());
        // Of hi's fraction so many bits are the interval's. Counted from below 1/sqrt 2, half an interval off, 1 is inside one.
        let (bits, one) = if L::P == 53 { (7, 75) } else { (6, 37) };
        let fraction = L::P - 1;
        let unit = fraction - bits;
        let first = L::lit(1.0).bits() - lit((one << unit) + (1 << (unit - 1)));
        let place = x.0.bits() - first;
        let j = place.shr_within(shift(unit)).to_u32() & U32::<L>::lit((1 << bits) - 1);
        let exponent = place & lit(!0 << fraction);
        let m = L::from_bits(x.0.bits() - exponent);
        let scale = L::from_bits(L::lit(1.0).bits() - exponent);
        // The exponent in the last bits of a number's.
        let offset = exp2(fraction as i32);
        let count = place.shr_within(shift(fraction)) ^ lit(1 << (L::Bits::BITS - L::P));
        let n = L::from_bits(count + L::lit(offset).bits()) - L::lit(offset + exp2((L::Bits::BITS - L::P) as i32));
        let [c, t1, t2, t3] = row(table.rows, j);
        let h = m.fma(c, L::lit(-1.0));
        let (p, q) = two_prod(x.1 * scale, c);
        let rest = third.map_or(q, |third| (third * scale).fma(c, q));
        Parts { table, n, t: [t1, t2, t3], f: fast_two_sum(h, p), rest }
    }

    /// Those of x 2^n.
    #[inline(always)]
    pub fn times_power(self, n: L) -> Self {
        Parts { n: self.n + n, ..self }
    }

    /// n log_b 2 + T_j in parts, the first two exact.
    #[inline(always)]
    pub fn whole(&self) -> [L; 3] {
        let part = |i: usize| {
            let piece = self.table.log2[i];
            if piece == 0.0 { self.t[i] } else { self.n.fma(L::lit(piece), self.t[i]) }
        };
        [part(0), part(1), part(2)]
    }

    /// log_b(1 + f), unnormalised.
    #[inline(always)]
    fn near_one(&self) -> (L, L) {
        let (x, l) = (self.f.0, self.f.1 + self.rest);
        let v = polynomial2(self.table.series, (x, l));
        if self.table.series.pairs[0].0 == -0.5 {
            // f + f (f v).
            let w = product((x, l), v);
            let (y, e) = step(x, w, x);
            return (y, e + l.fma(w.0, l));
        }
        product((x, l), fast_two_sum(v.0, v.1))
    }

    /// log_b x as a limb, to about 2^-24, or 2^-38 for limbs of binary64.
    #[inline(always)]
    pub fn limb(&self) -> L {
        let ([a, b, _], f) = (self.whole(), self.f.0);
        let tail = f.fma(L::lit(-0.25), L::lit(1.0 / 3.0)).fma(f, L::lit(-0.5));
        a + ((f * f).fma(tail, f) + b)
    }

    /// log_b x.
    #[inline(always)]
    pub fn value(&self) -> (L, L) {
        let ([a, b, c], y) = (self.whole(), self.near_one());
        // Each is 0 or larger than what follows.
        let (s, e) = fast_two_sum(a, y.0);
        let (s, d) = fast_two_sum(s, b);
        fast_two_sum(s, (c + y.1) + (e + d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every m of binary32: m c_j - 1 is exact. And every n and j: so are the first two parts of n log 2 + T_j.
    #[test]
    fn exact_parts() {
        for both in [&LOG, &LOG2, &LOG10] {
            let table = of::<f32, _>(both);
            for bits in 0x3f35_0000..0x3fb5_0000 {
                let m = f32::from_bits(bits);
                let parts = Parts::new(table, (m, 0.0), None);
                if parts.n != 0.0 {
                    continue;
                }
                let j = (bits + (37 << 17) + (1 << 16) - 0x3f80_0000) >> 17;
                let [c, ..] = row::<f32>(table.rows, core::num::Wrapping(j));
                assert_eq!(f64::from(parts.f.0), f64::from(m) * f64::from(c) - 1.0, "m = {m}, c = {c}");
            }
        }
        exact_sums::<f32>(150);
        exact_sums::<f64>(1075);
    }

    fn exact_sums<L: IeeeLimb<M = crate::host::Host> + crate::HostLimb>(most: i32) {
        for both in [&LOG, &LOG2, &LOG10] {
            let table = of::<L, _>(both);
            for j in 0..if L::P == 53 { 128 } else { 64 } {
                let [_, t1, t2, t3] = row::<L>(table.rows, core::num::Wrapping(j));
                let (f, rest) = ((L::lit(0.0), L::lit(0.0)), L::lit(0.0));
                for n in -most..=most {
                    let n = L::lit(n.into());
                    let parts = Parts { table, n, t: [t1, t2, t3], f, rest };
                    let whole = parts.whole();
                    for (i, t) in [t1, t2].into_iter().enumerate() {
                        // Its error is 0 where the product and the sum are exact.
                        let (p, e) = two_prod(n, L::lit(table.log2[i]));
                        let (s, d) = two_sum(p, t);
                        assert!(s + (d + e) == whole[i] && (s - whole[i]) + d + e == L::lit(0.0), "{n:?}, row {j}");
                    }
                }
            }
        }
    }
}
