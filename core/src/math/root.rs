//! Cube roots and reciprocal cube roots.
//!
//! Both start from r near |a|^(-1/3), without a division: an integer divides the exponent by 3 (Kahan 1991), a polynomial in
//! 1 - |a| r^3 corrects it, and steps of Newton's iteration follow, in one limb. Then a residual that is all but exact
//! brings the limb to within 0.3 u of the result before it is rounded, so that it is the result where that is a limb; the
//! residual there gives the other limb.
//!
//! Bounds, where the first limb is in [1, 2) and an ulp is 8 u^2. cbrt: the three roundings of the residual cost at most 2.7 u^2,
//! those of the correction, four and a half of at most 1.3 u^2 each, the rest. rcbrt: those of the residual cost 6 u^2, two
//! of them being in the product of x and r^2, those of the correction 3.6 u^2.

use super::exponent::{from_top, top};
use crate::eft::{fast_two_sum, two_prod};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Word, WordMachine, exp2};
use crate::pair::{canonical, is_finite, is_finite2, is_rounded, nearest_limb, select2};

/// The third of an exponent is that far, in binades, from where the first step is best.
const SHIFT: f64 = -0.222_005_208_333_333_3;

/// The polynomial in c = 1 - |a| r^3 that equals (1 - c)^(-1/3) at the Chebyshev nodes of the values that c has.
const FIRST: [f64; 3] = [1.007_310_966_904_101, 0.256_573_241_221_887_1, 0.466_611_855_262_294_9];

/// The cube root of v. Any pair, all reals. Error below 1 ulp; the largest found is 0.71 ulp at p = 24, 0.70 at p = 53. The
/// root of a cube is exact; cbrt(-x) = -cbrt(x) to the bit. Newton's iteration with a residual of twice the digits, and a
/// correction of third order (Halley 1694). C23 7.12.7.1.
#[inline(always)]
pub fn cbrt<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    L::M::branch(!in_range(x), cbrt_core(x), || rare(x, cbrt_core, 1, |v| v))
}

/// 1 over the cube root of v. Any pair, all reals; an infinity of v's sign for a zero. Error below 1.2 ulp; the largest found
/// is 0.90 ulp at p = 24, 0.84 at p = 53. rcbrt(-x) = -rcbrt(x) to the bit. CUDA math API, rcbrt.
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
    // What underflows is +0.
    fast_two_sum(y, q.fma(f, q) * third + L::lit(0.0))
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
    let q = e.fma(L::lit(2.0 / 9.0), third);
    // What underflows is +0.
    fast_two_sum(r, (r * e) * q + L::lit(0.0))
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
    least.le(x.0.abs()) & x.0.abs().lt(limit) & is_rounded(x)
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
    let zero = L::lit(0.0);
    select2(ordinary, (r.0 * back, r.1 * back + zero), (special(nearest_limb(x)), zero))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of |a| r^3 with the seed r, over all exponents, which are three.
    fn seeded() -> (f64, f64) {
        let place = 127.0 * (4.0 / 3.0) + SHIFT;
        (0..3 << 20).fold((f64::MAX, 0.0), |(least, most), i| {
            let (e, f) = (f64::from(i >> 20), f64::from(i & 0xf_ffff) * exp2(-20));
            let third = place - (127.0 + e + f) / 3.0;
            let r = (1.0 + third - third.floor()) * third.floor().exp2() * exp2(-127);
            let t = (1.0 + f) * e.exp2() * r * r * r;
            (least.min(t), most.max(t))
        })
    }

    #[test]
    fn the_first_step_is_interpolation_at_chebyshev_nodes() {
        let (least, most) = seeded();
        let (a, b) = (1.0 - most, 1.0 - least);
        for i in [1.0, 3.0, 5.0] {
            let c = (a + b) / 2.0 + (b - a) / 2.0 * (std::f64::consts::PI * i / 6.0).cos();
            let q = FIRST[0] + c * (FIRST[1] + c * FIRST[2]);
            assert!((q * (1.0 - c).cbrt() - 1.0).abs() < 1e-8, "{c}");
        }
    }

    /// Every limb of three binades, and no place of the seed better by more than a hundredth.
    #[test]
    fn the_first_step_has_its_error() {
        let worst = (1f32.to_bits()..8f32.to_bits()).fold(0.0, |worst: f64, bits| {
            let a = f32::from_bits(bits);
            let r = reciprocal(a, 0);
            assert_eq!(reciprocal(-a, 0), -r);
            worst.max((f64::from(r) * f64::from(a).cbrt() - 1.0).abs())
        });
        assert!(exp2(-16) < worst && worst < exp2(-15), "{}", worst.log2());
    }
}
