//! What is left of an angle less a multiple of a right one.
//!
//! v = n pi/2 + r. Where n is small r is found by fused operations with pi/2 in three limbs, the first of which is exact (Cody
//! and Waite 1980). Elsewhere, and near multiples of pi/2, digits of 2/pi that matter are multiplied by integers (Payne and Hanek
//! 1983): for each limb of the pair, so that every finite value has its r to all digits, however far apart the limbs are.
//!
//! Of pairs without a gap between the limbs the nearest to a multiple of pi/2 are 0x1.d99e16p+106 + 0x1.03d5b4p+81, 2^-54.1
//! from it, and 0x1.eb29ee31bca6dp+368 - 0x1.9adb8b94aea04p+313, 2^-111.8. With a gap lo may be anywhere: some 2^61 and 2^125
//! pairs that matter leave 2^-64 and 2^-128 as what is to be expected. The products have 2^-164 and 2^-263.

use super::exp::magic;
use super::exponent::{bias, overflows};
use super::tables::{CIRCULAR, Circular, of};
use super::wide::{add, funnel, normalized, shl, significand, times_word};
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{Bundle, IeeeLimb, Limb, Machine, MaskOf, U32, U64, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_finite, is_rounded, select2, settle};
use core::array::from_fn;

/// An angle in parts.
#[derive(Clone, Copy)]
pub(super) struct Angle<L: Limb>
where
    L::M: WordMachine,
{
    /// How many right angles, modulo 4, in the last bits.
    pub n: U32<L>,
    /// The rest, normalised.
    pub r: (L, L),
}

/// Results of an angle: a pair, or two, of which the first has the sign of a zero angle.
pub(super) trait Results<L: Limb>: Bundle<L::M> {
    /// Each with lo = +0 where it is 0 or where hi is 0 or not finite; with the sign of an angle that is a zero.
    fn settled(self, zero: Option<L>) -> Self;
}

impl<L: Limb> Results<L> for (L, L) {
    #[inline(always)]
    fn settled(self, zero: Option<L>) -> Self {
        let (h, l) = settle((self.0, self.1 + L::lit(0.0)));
        (zero.map_or(h, |zero| L::select(zero.eq(L::lit(0.0)), zero, h)), l)
    }
}

impl<L: Limb> Results<L> for ((L, L), (L, L)) {
    #[inline(always)]
    fn settled(self, zero: Option<L>) -> Self {
        (self.0.settled(zero), self.1.settled(None))
    }
}

/// A function of the angle v, NaN where v is not finite; an odd one of a zero is that.
#[inline(always)]
pub(super) fn of_angle<L: IeeeLimb, T: Results<L>>(x: (L, L), odd: bool, f: impl Fn(Angle<L>) -> T) -> T
where
    L::M: WordMachine,
{
    let (near, clear) = Angle::near(x);
    L::M::branch(!(clear & is_rounded(x)), f(near), || {
        // A sum that overflows is left in its limbs.
        let x = select2(overflows(x), x, canonical(x));
        let (near, clear) = Angle::near(x);
        let far = if L::P == 53 { Angle::far::<5>(x) } else { Angle::far::<3>(x) };
        let r = select2(clear, near.r, far.r);
        let n = <U32<L> as Value>::select(clear, near.n, far.n);
        let r = select2(is_finite(x.0), r, (L::lit(f64::NAN), L::lit(0.0)));
        f(Angle { n, r }).settled(odd.then_some(x.0))
    })
}

impl<L: IeeeLimb> Angle<L>
where
    L::M: WordMachine,
{
    /// v in radians, and whether that is good: not where hi is large, nor near multiples of pi/2, where too little would be left,
    /// nor for zeros, which lose their sign later.
    ///
    /// x - n P1 is exact: both are multiples of hi's last digit, or that of P1. Where n P2 is below a quarter of what is left so
    /// is the next difference (Sterbenz 1974), and lo is below a half of it.
    #[inline(always)]
    fn near(x: (L, L)) -> (Self, MaskOf<L>) {
        let table = of::<L, _>(&CIRCULAR);
        let [first, second, third] = table.quarter.map(L::lit);
        let magic = magic::<L>();
        let t = x.0.fma(L::lit(table.per_unit), magic);
        let m = magic - t;
        let r0 = m.fma(first, x.0);
        let rh = m.fma(second, r0);
        let e = m.fma(second, r0 - rh);
        let (h, l) = fast_two_sum(rh, x.1);
        let r = fast_two_sum(h, m.fma(third, e) + l);
        // From 2^p on n would be no integer; long before it is 2/pi's rounding that counts.
        let limit = if L::P == 53 { 40 } else { 16 };
        let clear = (m.abs() * L::lit(exp2(2 - L::P as i32))).lt(rh.abs()) & x.0.abs().lt(L::lit(exp2(limit)));
        (Angle { n: t.bits().to_u32(), r }, clear)
    }

    /// v in radians, for a finite pair that is canonical, or large in both limbs. Words are those of fractions, the highest first.
    fn far<const N: usize>(x: (L, L)) -> Self {
        let table = of::<L, _>(&CIRCULAR);
        let lit = |n: u64| U64::<L>::lit(n);
        let shift = |n: u32| U32::<L>::lit(n.into());
        let zero = L::lit(0.0);
        // |v| 2/pi modulo 4, in units of 2^(2 - 64 N).
        let opposite = !x.1.copysign(x.0).eq(x.1);
        let turns = add::<L::M, N>(times_two_over_pi(x.0, table), times_two_over_pi(x.1, table), opposite);
        let n = (turns[0] + lit(1 << 61)).shr(shift(62)).to_u32();
        let rest = shl::<L::M, N>(turns, shift(2));
        let below = lit(!0 >> 1).lt(rest[0]);
        let (mut rest, zeros) = normalized::<L::M, N>(add::<L::M, N>([lit(0); N], rest, below));
        // Three limbs of p - 1 digits.
        let digits = L::P - 1;
        let unit = L::lit(exp2(digits as i32));
        let f = [1, 2, 3].map(|k| {
            let chunk = L::Bits::from_u64(rest[0].shr(shift(64 - digits)));
            rest = shl::<L::M, N>(rest, shift(digits));
            (L::from_bits(unit.bits() + chunk) - unit) * L::lit(exp2(-(digits as i32) * k))
        });
        let r = times(f, table.quarter.map(L::lit));
        let exponent = L::Bits::from_u64(zeros.to_u64());
        let scale = L::from_bits(L::lit(1.0).bits() - exponent.shl(shift(digits)));
        let minus = x.0.lt(zero);
        let scale = L::select(minus ^ below, -scale, scale);
        Angle { n: <U32<L> as Value>::select(minus, shift(0) - n, n), r: (r.0 * scale, r.1 * scale) }
    }
}

/// |a| 2/pi modulo 4, the highest word first.
fn times_two_over_pi<L: IeeeLimb, const N: usize>(a: L, table: &'static Circular) -> [U64<L>; N]
where
    L::M: WordMachine,
{
    let shift = |n: u32| U32::<L>::lit(n.into());
    let (m, field) = significand(a);
    // The last bit of m is 2^e, a subnormal one's twice as high, where it is far below all digits; the table begins 64 N - 1 bits above the first bit that does not make multiples of 4 for e = 2.
    let at = field.to_u32() + shift(64 * N as u32) - U32::<L>::lit(bias::<L>() + u64::from(L::P) + 1);
    let at = <U32<L> as Value>::select(at.lt_signed(shift(0)), shift(0), at);
    let (first, within) = (at.shr(shift(6)), at & shift(63));
    let entry = |i: usize| <U64<L> as Word>::table(table.bits, first + shift(i as u32));
    let window: [U64<L>; N] = from_fn(|i| funnel::<L::M>(entry(i), entry(i + 1), within));
    times_word::<L::M, N>(window, m)
}

/// x y for numbers of three limbs of falling size, rounded to a pair; to below u^2.
fn times<L: Limb>(x: [L; 3], y: [L; 3]) -> (L, L) {
    let (h, l) = fast_two_sum(x[0], x[1]);
    let (l, third) = fast_two_sum(l, x[2]);
    let (p, a) = two_prod(h, y[0]);
    let (b, c) = two_prod(h, y[1]);
    let (d, e) = two_prod(l, y[0]);
    let (s, f) = two_sum(b, d);
    let (s, g) = two_sum(a, s);
    let rest = (c + e) + (f + g) + h.fma(y[2], l.fma(y[1], third * y[0]));
    let (p, t) = fast_two_sum(p, s);
    fast_two_sum(p, t + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of binary32 up to 2^16: what is left after two pieces of pi/2 is exact, as two limbs.
    #[test]
    fn exact_reduction() {
        let table = of::<f32, _>(&CIRCULAR);
        let [first, second, third] = table.quarter;
        let mut unclear = 0;
        for bits in (0x3f00_0000..0x4780_0000).step_by(5) {
            let x = f32::from_bits(bits);
            let (angle, clear) = Angle::near((x, 0.0));
            if !clear {
                unclear += 1;
                continue;
            }
            let n = f64::from(x.mul_add(table.per_unit as f32, magic::<f32>()) - magic::<f32>());
            // Exact in binary64: the grid of the pieces is no finer than 2^-48.
            let left = (f64::from(x) - n * first) - n * second;
            let rest = (left - f64::from(left as f32)) as f32;
            assert_eq!(fast_two_sum(left as f32, (-n as f32).mul_add(third as f32, rest)), angle.r, "{x}");
        }
        assert!(unclear > 0 && unclear < 200_000, "{unclear}");
    }

    /// The two ways to what is left agree, as pairs, to a few u^2, and in the number of right angles.
    #[test]
    fn both_ways_agree() {
        for i in 0..200_000u32 {
            let x = (f64::from(i) * 0.731, f64::from(i) * 1e-18);
            let ((near, clear), far) = (Angle::near(x), Angle::far::<5>(x));
            if clear && i > 1 {
                let apart = (near.r.0 - far.r.0) + (near.r.1 - far.r.1);
                assert!(
                    apart.abs() <= 4.0 * exp2(-106) * near.r.0.abs(),
                    "{x:?} {near:?} {far:?}",
                    near = near.r,
                    far = far.r
                );
                assert_eq!(near.n.0.wrapping_sub(far.n.0) % 4, 0, "{x:?}");
            }
        }
    }
}
