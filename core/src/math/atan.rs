//! Arctangents.
//!
//! Of the magnitudes a <= b of y and x the ratio is near c = j / 16, and atan(a / b) = atan c + atan t with
//! t = (a - c b) / (b + c a), at most 1.001 / 32. A table has atan c as it enters in each part of the plane (after Gal and Bachelis 1991).

use super::exp::magic;
use super::exponent::frexp;
use super::kernel::{polynomial2, product, quotient, quotient3, split_fma, square};
use super::scale::{power, scale_canonical};
use super::tables::{ARCTANGENT, of, row};
use crate::eft::{fast_two_sum, two_sum};
use crate::machine::{IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, is_rounded, select2, settle, sqrt, sqrt_core};

/// atan v. Any pair; the pair nearest to pi/2 at infinity; a zero is itself. Odd to the bit. Measured
/// error 0.72 ulp for pairs of binary32, 0.69 for pairs of binary64. C23 7.12.4.3.
#[inline(always)]
pub fn atan<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    atan2(x, (L::lit(1.0), L::lit(0.0)))
}

/// The angle of the point (x, y), of all quarters. Any pairs; zeros and infinities as C23 has them; never beyond the pair nearest
/// to pi, which is above it. Measured error 0.97 and 0.75 ulp. C23 7.12.4.4.
#[inline(always)]
pub fn atan2<L: IeeeLimb>(y: (L, L), x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let point = Point::new(y, x);
    L::M::branch(!(point.is_moderate() & is_rounded(y) & is_rounded(x)), point.angle(), || any(y, x))
}

/// The angle whose sine is v. Any pair; NaN beyond 1; a zero is itself. Odd to the bit. The angle of (sqrt(1 - v^2), v).
/// Measured error 0.98 ulp for pairs of binary32, 0.99 for pairs of binary64. C23 7.12.4.2.
#[inline(always)]
pub fn asin<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let usual = Point::new(x, sqrt_core(co_square(x))).angle();
    L::M::branch(!is_inside(x), usual, || {
        let x = canonical(x);
        any(x, sqrt(co_square(x)))
    })
}

/// The angle whose cosine is v. Any pair; NaN beyond 1; +0 for 1, the pair nearest to pi for -1. The angle of
/// (v, sqrt(1 - v^2)). Measured error 0.72 and 0.82 ulp. C23 7.12.4.1.
#[inline(always)]
pub fn acos<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let usual = Point::new(sqrt_core(co_square(x)), x).angle();
    L::M::branch(!is_inside(x), usual, || {
        let x = canonical(x);
        any(sqrt(co_square(x)), x)
    })
}

/// Canonical, below 1, and not so small that digits underflow.
#[inline(always)]
fn is_inside<L: IeeeLimb>(x: (L, L)) -> MaskOf<L>
where
    L::M: WordMachine,
{
    let size = x.0.abs();
    L::lit(exp2(-reach::<L>())).le(size) & size.lt(L::lit(1.0)) & is_rounded(x)
}

/// (1 - |v|) (1 + |v|).
#[inline(always)]
fn co_square<L: IeeeLimb>(x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let one = L::lit(1.0);
    let x = times_sign(x, x.0);
    let (s, e) = fast_two_sum(one, -x.0);
    // Near 1 what is left of hi may be less than lo.
    let less = two_sum(s, e - x.1);
    let (s, e) = fast_two_sum(one, x.0);
    let (h, l) = product(less, fast_two_sum(s, e + x.1));
    fast_two_sum(h, l)
}

/// The binades to either side of 1 where all goes well.
const fn reach<L: Limb>() -> i32 {
    if L::P == 53 { 250 } else { 31 }
}

/// Less than 16, so that c is 0 up to the ratio whose angle is 1/32: below it digits are finer, and a - c b loses some.
const STEPS: f64 = 15.984375;

/// A point, in the eighth of the plane next to the axis of x.
struct Point<L: Limb> {
    /// The lesser coordinate's magnitude, and the larger one's, by hi.
    a: (L, L),
    b: (L, L),
    /// Whether they are exchanged.
    swap: MaskOf<L>,
    /// Whether x is negative.
    minus: MaskOf<L>,
    /// A number with the sign of y.
    sign: L,
}

impl<L: IeeeLimb> Point<L>
where
    L::M: WordMachine,
{
    #[inline(always)]
    fn new(y: (L, L), x: (L, L)) -> Self {
        let (a, b) = (times_sign(y, y.0), times_sign(x, x.0));
        let swap = b.0.lt(a.0);
        let minus = L::lit(1.0).copysign(x.0).lt(L::lit(0.0));
        Point { a: select2(swap, b, a), b: select2(swap, a, b), swap, minus, sign: y.0 }
    }

    /// No product or quotient on the way loses digits to underflow.
    #[inline(always)]
    fn is_moderate(&self) -> MaskOf<L> {
        L::lit(exp2(-reach::<L>())).le(self.a.0) & self.b.0.lt(L::lit(exp2(reach::<L>())))
    }

    #[inline(always)]
    fn angle(&self) -> (L, L) {
        let (a, b, table) = (self.a, self.b, of::<L, _>(&ARCTANGENT));
        let s = (a.0 * b.0.rcp_moderate()).fma(L::lit(STEPS), magic());
        let c = (s - magic()) * L::lit(0.0625);
        // The first difference is exact: c has four digits, and a that of c b within a binade or two.
        let n = fast_two_sum((-c).fma(b.0, a.0), (-c).fma(b.1, a.1));
        let (h, l) = split_fma(c, a.0, b.0);
        let d = fast_two_sum(h, l + c.fma(a.1, b.1));
        let t = quotient3(n, [d.0, d.1, L::lit(0.0)], d.0.rcp_moderate());
        let less = self.swap ^ self.minus;
        let t = (L::select(less, -t.0, t.0), L::select(less, -t.1, t.1));
        let z = square(t);
        let w = product(z, polynomial2(table.series, z));
        let (y, e) = split_fma(t.0, w.0, t.0);
        let e = t.0.fma(w.1, e) + t.1.fma(w.0, t.1);
        let lit = |n: u64| U32::<L>::lit(n);
        let part = |m: MaskOf<L>, n: u64| -> U32<L> { Value::select(m, lit(n), lit(0)) };
        let j = (s.bits().to_u32() & lit(31)) + part(self.swap, 32) + part(self.minus, 64);
        let [h, l, third, _] = row::<L>(table.angles, j);
        // h is 0 or larger than y.
        let (h, f) = fast_two_sum(h, y);
        times_sign(fast_two_sum(h, (f + l) + (e + third)), self.sign)
    }
}

/// x, or -x where `sign` is negative.
#[inline(always)]
pub(super) fn times_sign<L: IeeeLimb>(x: (L, L), sign: L) -> (L, L)
where
    L::M: WordMachine,
{
    let flip = sign.bits() & L::lit(-0.0).bits();
    (L::from_bits(x.0.bits() ^ flip), L::from_bits(x.1.bits() ^ flip))
}

/// The angle of any point.
fn any<L: IeeeLimb>(y: (L, L), x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one) = (L::lit(0.0), L::lit(1.0));
    let lit = |n: i32| U32::<L>::lit(n as i64 as u64);
    let near = Point::new(canonical(y), canonical(x));
    let ((y, ey), (x, ex)) = (frexp(y), frexp(x));
    let number = y.0.eq(y.0) & x.0.eq(x.0);
    let is_infinite = |v: L| v.abs().eq(L::lit(f64::INFINITY));
    let infinite = is_infinite(y.0) | is_infinite(x.0);
    let special = infinite | y.0.eq(zero) | x.0.eq(zero);
    // Beside an infinity a finite number is a zero, and two zeros are as a zero of y beside a number.
    let finite = |v: (L, L)| {
        let limit = (L::select(is_infinite(v.0), one, zero).copysign(v.0), zero);
        select2(infinite, limit, v)
    };
    let (y, x) = (finite(y), finite(x));
    let x = select2(y.0.eq(zero) & x.0.eq(zero), (one.copysign(x.0), zero), x);
    let k: U32<L> = Value::select(special, lit(0), ey - ex);
    // Beyond such a ratio only its own digits count.
    let most = 2 * L::P as i32 + 6;
    let clamp = |k: U32<L>| -> U32<L> {
        let k = Value::select(lit(0).lt_signed(k), lit(0), k);
        Value::select(k.lt_signed(lit(-most)), lit(-most), k)
    };
    let scaled = |v: (L, L), k: U32<L>| {
        let s = power::<L>(clamp(k));
        (v.0 * s, v.1 * s)
    };
    let point = Point::new(scaled(y, k), scaled(x, lit(0) - k));
    let small = k.lt_signed(lit(-most)) & !point.minus;
    let (a, b) = (times_sign(y, y.0), times_sign(x, x.0));
    let ratio = times_sign(scale_canonical(quotient(a, b, b.0.rcp_moderate()), k), y.0);
    let (h, l) = settle(select2(near.is_moderate(), near.angle(), select2(small, ratio, point.angle())));
    (L::select(number, L::select(h.eq(zero), h.copysign(y.0), h), L::lit(f64::NAN)), L::select(number, l + zero, zero))
}
