//! Exponentials.
//!
//! b^x = 2^n T_j b^r (Tang 1989): r is x less a multiple of a step of log_b 2, in which what is taken from hi is exact but for
//! the last piece of the step (Cody and Waite 1980); b^r is a polynomial in r's hi by short Horner steps, and r's lo enters
//! once, as b^lo = 1 + lo log b. Pairs of binary32 have one T_j, 1; pairs of binary64 have 32.

use super::kernel::{polynomial, product, product_limb, step, times_one_plus};
use super::scale::scale_any;
use super::tables::{EXP, EXP2, EXP10, EXPM1, Exponential, Polynomial, of, row};
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Word, WordMachine, exp2 as power_of_two};
use crate::pair::{canonical, is_rounded, select2};

/// e^v. Any pair; +0 and infinity at the infinities. Measured error 0.64 ulp for pairs of binary32, 0.40 for pairs of
/// binary64; 0.98 where lo is subnormal. C23 7.12.6.1.
#[inline(always)]
pub fn exp<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    exponential(of::<L, _>(&EXP), x)
}

/// 2^v, as [`exp`]; exact where v is an integer. Measured error 0.57 and 0.39 ulp; 0.98 where lo is subnormal. C23 7.12.6.4.
#[inline(always)]
pub fn exp2<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    exponential(of::<L, _>(&EXP2), x)
}

/// 10^v, as [`exp`]. Measured error 0.85 and 0.42 ulp; 1.10 where lo is subnormal. C23 7.12.6.2.
#[inline(always)]
pub fn exp10<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    exponential(of::<L, _>(&EXP10), x)
}

/// e^v - 1. Any pair; -1 at -infinity; a zero is itself. Measured error 0.63 and 0.91 ulp. C23 7.12.6.6.
///
/// 2^n T_j e^r - 1 = (2^n T_j - 1) + 2^n T_j (e^r - 1) with T_j in three limbs; the first term is 0 or larger than the second,
/// whose relative error counts.
#[inline(always)]
pub fn expm1<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let zero = L::lit(0.0);
    let e = of::<L, _>(&EXPM1);
    let usual = less_one(&Parts::new(e, (x.0, x.1), None).renormalized());
    let plain = is_moderate(e, x.0) & is_rounded(x) & zero.lt(x.0.abs());
    L::M::branch(!plain, usual, || {
        let x = canonical(x);
        let parts = Parts::new(e, limited(e, x), None);
        let near = less_one(&parts.renormalized());
        // Beyond the moderate range -1 is all, or nothing.
        let far = select2(zero.lt(x.0), parts.scaled_any(0), (L::lit(-1.0), zero));
        let r = select2(is_moderate(e, x.0), near, far);
        select2(x.0.eq(zero) | !x.0.eq(x.0), (x.0, zero), r)
    })
}

#[inline(always)]
fn exponential<L: IeeeLimb>(e: &'static Exponential, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let usual = Parts::new(e, x, None).scaled();
    L::M::branch(!(is_moderate(e, x.0) & is_rounded(x)), usual, || {
        let x = canonical(x);
        let r = Parts::new(e, limited(e, x), None).scaled_any(0);
        select2(x.0.eq(x.0), r, (x.0, L::lit(0.0)))
    })
}

/// b^x is far from overflow and underflow.
#[inline(always)]
pub(super) fn is_moderate<L: Limb>(e: &'static Exponential, x: L) -> MaskOf<L> {
    x.abs().lt(L::lit(e.moderate))
}

/// x, or a number beyond all that matter with its sign.
#[inline(always)]
pub(super) fn limited<L: Limb>(e: &'static Exponential, x: (L, L)) -> (L, L) {
    let end = L::lit(e.end);
    select2(x.0.abs().lt(end), x, (end.copysign(x.0), L::lit(0.0)))
}

/// x in parts: b^x = 2^n T b^r.
pub(super) struct Parts<L: IeeeLimb>
where
    L::M: WordMachine,
{
    e: &'static Exponential,
    /// The multiple of steps, in the low bits of a limb's bits.
    k: L::Bits,
    r: (L, L),
}

impl<L: IeeeLimb> Parts<L>
where
    L::M: WordMachine,
{
    /// Of x and a third limb.
    #[inline(always)]
    pub fn new(e: &'static Exponential, x: (L, L), third: Option<L>) -> Self {
        let magic = magic::<L>();
        let t = x.0.fma(L::lit(e.per_unit), magic);
        let m = magic - t;
        let r0 = m.fma(L::lit(e.step[0]), x.0);
        let (rh, e1) = if e.step[1] == 0.0 {
            (r0, None)
        } else {
            let second = L::lit(e.step[1]);
            let rh = m.fma(second, r0);
            let e1 = m.fma(second, r0 - rh);
            (rh, Some(m.fma(L::lit(e.step[2]), e1)))
        };
        let (h, l) = two_sum(rh, x.1);
        let l = match (e1, third) {
            (Some(a), Some(b)) => a + b + l,
            (Some(a), None) | (None, Some(a)) => a + l,
            (None, None) => l,
        };
        Parts { e, k: t.bits(), r: (h, l) }
    }

    /// With a lo below hi's digits.
    #[inline(always)]
    pub fn renormalized(&self) -> Self {
        Parts { r: fast_two_sum(self.r.0, self.r.1), ..*self }
    }

    /// log b times r's lo.
    #[inline(always)]
    fn rest(&self) -> L {
        let slope = self.e.tail.pairs[0].0;
        if slope == 1.0 { self.r.1 } else { self.r.1 * L::lit(slope) }
    }

    /// b^r - 1, unnormalised.
    #[inline(always)]
    fn tail(&self) -> (L, L) {
        let (x, rest, tail) = (self.r.0, self.rest(), self.e.tail);
        let (h, l) = if tail.pairs[0] == (1.0, 0.0) {
            // x + x w: a smaller error than that of x (1 + w).
            step(x, self.bend(), x)
        } else {
            product_limb(x, polynomial(tail, x))
        };
        // b^(r + s) - 1 = b^r - 1 + b^r s.
        (h, h.fma(rest, l + rest))
    }

    /// (e^r - 1) / r - 1, unnormalised.
    #[inline(always)]
    fn bend(&self) -> (L, L) {
        product_limb(self.r.0, polynomial(Polynomial { pairs: &self.e.tail.pairs[1..], ..self.e.tail }, self.r.0))
    }

    /// T_j.
    #[inline(always)]
    fn power(&self) -> [L; 4] {
        let j = self.k.to_u32() & U32::<L>::lit(self.e.powers.len() as u64 / 4 - 1);
        row(self.e.powers, j)
    }

    /// T b^r, normalised.
    #[inline(always)]
    pub fn value(&self) -> (L, L) {
        if self.e.powers.is_empty() {
            let v = polynomial(self.e.tail, self.r.0);
            let (h, l) = step(self.r.0, v, L::lit(1.0));
            return fast_two_sum(h, h.fma(self.rest(), l));
        }
        let (q, [h, l, ..]) = (self.tail(), self.power());
        let (s, e) = step(h, q, h);
        fast_two_sum(s, e + l.fma(q.0, l))
    }

    /// y T b^r, normalised: with one rounding of a product less than y times [`value`](Self::value).
    #[inline(always)]
    pub fn times(&self, y: (L, L)) -> (L, L) {
        let b = if self.e.powers.is_empty() {
            y
        } else {
            let [h, l, ..] = self.power();
            let (p, e) = product(y, (h, l));
            fast_two_sum(p, e)
        };
        times_one_plus(b, self.tail())
    }

    /// log2 of the number of the T_j.
    #[inline(always)]
    fn bits(&self) -> u32 {
        (self.e.powers.len() as u32 / 4).max(1).ilog2()
    }

    /// 2^n, where it is normal.
    #[inline(always)]
    pub fn scale(&self) -> L {
        let lit = |n: u64| U32::<L>::lit(n);
        let n = if self.bits() == 0 { self.k } else { self.k.shr_within(lit(self.bits().into())) };
        L::from_bits(n.shl_within(lit(L::P as u64 - 1)) + L::lit(1.0).bits())
    }

    /// T b^r f, normalised, for a pair f: the error of b^r - 1 counts less than that of b^r.
    #[inline(always)]
    pub fn value_times(&self, f: (L, L)) -> (L, L) {
        let q = self.tail();
        let f = if self.e.powers.is_empty() {
            f
        } else {
            let [h, l, ..] = self.power();
            let (h, l) = product((h, l), f);
            fast_two_sum(h, l)
        };
        let (s, e) = step(f.0, q, f.0);
        fast_two_sum(s, e + f.1.fma(q.0, f.1))
    }

    /// b^x where it is moderate.
    #[inline(always)]
    pub fn scaled(&self) -> (L, L) {
        self.times_scale(self.value())
    }

    /// y 2^n, where that is moderate.
    #[inline(always)]
    pub fn times_scale(&self, y: (L, L)) -> (L, L) {
        let s = self.scale();
        (y.0 * s, y.1 * s)
    }

    /// b^x 2^k where |x| is at most [`Exponential::end`], hi rounded once.
    pub fn scaled_any(&self, k: i32) -> (L, L) {
        scale_any(self.value(), self.exponent() + U32::<L>::lit(k as i64 as u64))
    }

    /// n.
    pub fn exponent(&self) -> U32<L> {
        (self.k - magic::<L>().bits()).to_u32().sar(U32::<L>::lit(self.bits().into()))
    }
}

/// b^x - 1 for moderate x.
#[inline(always)]
pub(super) fn less_one<L: IeeeLimb>(x: &Parts<L>) -> (L, L)
where
    L::M: WordMachine,
{
    let (s, minus_one) = (x.scale(), L::lit(-1.0));
    if x.e.powers.is_empty() {
        // s - 1 + s r exactly, then s r w, whose error alone counts.
        let (first, rest) = (s * x.r.0, x.rest());
        let (a, b) = two_sum(s, minus_one);
        let (h, e) = fast_two_sum(a, first);
        let (g, d) = product_limb(first, x.bend());
        // e^(r + lo) is (y + 1)(1 + lo); lo is added to the smaller term, so that little is left for the last sum. That term is
        // below lo only where |r| is below 2 u, and what is lost there is below u^2 |r|.
        let (g, c) = fast_two_sum(g, rest);
        let (y, f) = fast_two_sum(h, g);
        return fast_two_sum(y, ((b + e) + f) + y.fma(rest, d + c));
    }
    let q = x.tail();
    let [h, l, third, _] = x.power();
    let (h, l, third) = (h * s, l * s, third * s);
    let (a, b) = two_sum(h, minus_one);
    let (g, d) = product((h, l), q);
    // T's lo likewise.
    let (g, c) = two_sum(g, l);
    let (y, e) = fast_two_sum(a, g);
    fast_two_sum(y, ((d + third) + c) + (b + e))
}

/// The number whose sum with an integer has it in its last bits.
#[inline(always)]
pub(super) fn magic<L: Limb>() -> L {
    L::lit(1.5 * power_of_two(L::P as i32 - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every hi of binary32 between 1/8 and 128: what is left of it after two pieces of the step is exact, as two limbs.
    #[test]
    fn exact_reduction() {
        for both in [&EXP, &EXP2, &EXP10] {
            let e = of::<f32, _>(both);
            let [first, second, third] = e.step;
            for bits in 0x3e00_0000..0x4300_0000 {
                let x = f32::from_bits(bits);
                let parts = Parts::new(e, (x, 0.0), None);
                let n = f64::from(f32::from_bits(parts.k.0) - magic::<f32>());
                // Exact in binary64: the grid of the pieces is no finer than 2^-45.
                let left = (f64::from(x) - n * first) - n * second;
                let rest = (left - f64::from(parts.r.0)) as f32;
                assert_eq!((-n as f32).mul_add(third as f32, rest), parts.r.1, "{x}");
            }
        }
    }
}
