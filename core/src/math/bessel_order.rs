//! Bessel functions of integer order, by the recurrence f(k - 1) + f(k + 1) = (2 k / x) f(k).
//!
//! Upward from orders 0 and 1 it keeps what J loses little of while k <= x, and Y everywhere. Below x = n J comes downward
//! from an order where it is nothing, up to a factor that J0 or J1, whichever is larger, tells (Miller 1952; Olver 1964). Each
//! step divides by x anew: the error of a reciprocal would be that of x itself, n times that of a step.
//!
//! Below 1 x is m 2^e, and f(k) is held times 2^(e k), up or down: no step leaves the range. What grows is scaled down by a power
//! of two, and a count of these tells it in the end, when a result is rounded once.

use super::bessel::{j0, j1, y0, y1};
use super::exponent::frexp;
use super::kernel::{product, product_limb, quotient};
use super::scale::{power, scale_any, scale_canonical};
use super::tables::{BESSEL_Y1, of};
use crate::eft::{fast_two_sum, two_sum};
use crate::host::Host;
use crate::machine::{Bundle, IeeeLimb, Limb, Machine, MaskOf, U32, Value, Word, WordMachine, exp2};
use crate::pair::{canonical, select2, settle};
use core::num::Wrapping;

/// The largest order of [`jn`] and [`yn`].
pub const ORDERS: i32 = 64;

/// The largest order of [`bessel_j`] and [`bessel_y`].
pub const LARGE_ORDERS: i32 = 10_000;

/// J_n(v) for an integer n from -64 to 64, in two's complement; NaN beyond. Any pair: +0 for zeros and infinities, 1 for n = 0 and zeros,
/// the bits of [`j0`] and [`j1`]; J_n(-v) = J_-n(v) = (-1)^n J_n(v) to the bit, zeros too. Error below 7 sqrt(max(n, 9)) u^2 of the
/// result, or of sqrt(J_n^2 + Y_n^2) from v = n on; the largest found is 5.8 of these, on random arguments 3.6. POSIX jn.
#[inline(always)]
pub fn jn<L: IeeeLimb>(n: U32<L>, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    // From the last of these on J(64) at 64 is what it is.
    first_kind(n, x, ORDERS as u64, if L::P == 53 { 120 } else { 96 })
}

/// Y_n(v), as [`jn`]; the bits of [`y0`] and [`y1`]. NaN below 0, +0 at infinity, -infinity for zeros, and where the result is too
/// large; Y_-n(v) = (-1)^n Y_n(v), poles and zeros too. POSIX yn.
#[inline(always)]
pub fn yn<L: IeeeLimb>(n: U32<L>, x: (L, L)) -> (L, L)
where
    L::M: WordMachine,
{
    second_kind(n, x, ORDERS as u64, ORDERS as u64 - 1)
}

/// [`jn`] for orders from -10000 to 10000, of the host alone, in a time that grows with n. Error below 8 sqrt(n) u^2 of what is said
/// there; other bits below v = n, where the recurrence begins elsewhere.
pub fn bessel_j<L: IeeeLimb<M = Host>>(n: i32, x: (L, L)) -> (L, L) {
    let size = u64::from(n.unsigned_abs().min(LARGE_ORDERS as u32));
    let root = (1..=22).find(|r| r * r * r >= size).unwrap_or(22);
    // J falls like Airy's function, at a scale of the cube root of n.
    first_kind(Wrapping(n as u32), x, LARGE_ORDERS as u64, size + 20 + 13 * root)
}

/// [`yn`] for orders from -10000 to 10000, of the host alone; the same bits where both are defined.
pub fn bessel_y<L: IeeeLimb<M = Host>>(n: i32, x: (L, L)) -> (L, L) {
    let size = u64::from(n.unsigned_abs().min(LARGE_ORDERS as u32));
    second_kind(Wrapping(n as u32), x, LARGE_ORDERS as u64, size)
}

/// |n|, or 0 beyond the largest order.
struct Order<L: Limb>
where
    L::M: WordMachine,
{
    size: U32<L>,
    negative: MaskOf<L>,
    odd: MaskOf<L>,
    beyond: MaskOf<L>,
}

impl<L: IeeeLimb> Order<L>
where
    L::M: WordMachine,
{
    #[inline(always)]
    fn new(n: U32<L>, most: u64) -> Self {
        let lit = U32::<L>::lit;
        let negative = n.lt_signed(lit(0));
        let size = <U32<L> as Value>::select(negative, lit(0) - n, n);
        let beyond = lit(most).lt(size);
        let size = <U32<L> as Value>::select(beyond, lit(0), size);
        Order { size, negative, odd: (size & lit(1)).eq(lit(1)), beyond }
    }

    /// r, or -r where that is asked for and the order is odd; NaN beyond the largest order.
    #[inline(always)]
    fn result(&self, r: (L, L), other: MaskOf<L>) -> (L, L) {
        let zero = L::lit(0.0);
        let sign = L::select(self.odd & other, L::lit(-1.0), L::lit(1.0));
        let r = ((r.0 + zero) * sign, r.1 * sign + zero);
        settle(select2(self.beyond, (L::lit(f64::NAN), zero), r))
    }
}

/// An integer below 2^(p - 1).
#[inline(always)]
fn limb<L: IeeeLimb>(n: U32<L>) -> L
where
    L::M: WordMachine,
{
    let unit = L::lit(exp2(L::P as i32 - 1));
    L::from_bits(unit.bits() | L::Bits::from_u64(n.to_u64())) - unit
}

/// Where the function is taken: m 2^e, e = 0 from 1 on.
#[derive(Clone, Copy)]
struct Argument<L: Limb>
where
    L::M: WordMachine,
{
    m: (L, L),
    /// Of m's hi.
    reciprocal: L,
    e: U32<L>,
    /// 2^(2 e), or 0 where that is nothing.
    square: L,
}

impl<L: IeeeLimb> Argument<L>
where
    L::M: WordMachine,
{
    /// Of a number above 0; of any other something finite.
    #[inline(always)]
    fn new(x: (L, L)) -> Self {
        let (zero, one, word) = (L::lit(0.0), L::lit(1.0), |n: i32| U32::<L>::lit(n as i64 as u64));
        // Beyond, a step's quotient is nothing.
        let far = L::lit(exp2(2 * L::P as i32 + 12));
        let small = zero.lt(x.0) & x.0.lt(one);
        let (m, e) = frexp(x);
        let large = select2(one.le(x.0) & x.0.lt(far), x, (far, zero));
        let m = select2(small, m, large);
        let e = <U32<L> as Value>::select(small, e, word(0));
        let square = L::select(e.lt_signed(word(-(L::P as i32) - 8)), zero, power::<L>(e + e));
        Argument { m, reciprocal: m.0.rcp_moderate(), e, square }
    }
}

/// A function at neighbouring orders, the second one's last, over 2^(24 count).
type Neighbours<L> = ((L, L), (L, L), U32<L>);

/// A value, over 2^(24 count).
type Counted<L> = ((L, L), U32<L>);

/// The logarithm of what a count stands for.
const UNIT: i32 = 24;

/// From orders on both sides of k - 1 and k, or k + 1 and k, to the next.
#[inline(always)]
fn step<L: IeeeLimb>(
    (before, at, count): Neighbours<L>,
    (m, reciprocal, square): ((L, L), L, L),
    twice: L,
) -> Neighbours<L>
where
    L::M: WordMachine,
{
    let lit = U32::<L>::lit;
    let (h, l) = product_limb(twice, at);
    let (h, l) = quotient(fast_two_sum(h, l), m, reciprocal);
    let (s, e) = two_sum(h, -(before.0 * square));
    let next = fast_two_sum(s, e + (l - before.1 * square));
    let large = L::lit(exp2(UNIT)).le(next.0.abs());
    let f = L::select(large, L::lit(exp2(-UNIT)), L::lit(1.0));
    let scaled = |x: (L, L)| (x.0 * f, x.1 * f);
    (scaled(at), scaled(next), count + <U32<L> as Value>::select(large, lit(1), lit(0)))
}

/// So many steps from a value at an order and its neighbour's, where step i has twice an order and ends at another: what is there
/// in the end, and the value at order `n` with its count, `kept` where none of them ends there.
#[inline(always)]
fn steps<L: IeeeLimb>(
    (before, at): ((L, L), (L, L)),
    kept: (L, L),
    x: &Argument<L>,
    n: U32<L>,
    count: u64,
    place: impl Fn(u64) -> (L, U32<L>),
) -> (Neighbours<L>, Counted<L>)
where
    L::M: WordMachine,
{
    let none = U32::<L>::lit(0);
    let (mut state, mut kept) = ((before, at, none), (kept, none));
    for i in 0..count {
        let (twice, order) = place(i);
        let arguments = (state, (x.m, x.reciprocal, x.square), twice);
        state = L::M::call(&[family::<L>(), "bessel", "step"], arguments, |(state, x, twice)| step(state, x, twice));
        kept = Bundle::<L::M>::select(order.eq(n), (state.1, state.2), kept);
    }
    (state, kept)
}

const fn family<L: Limb>() -> &'static str {
    if L::P == 53 { "fp64mp2" } else { "fp32mp2" }
}

fn first_kind<L: IeeeLimb>(n: U32<L>, x: (L, L), most: u64, count: u64) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, one, lit) = (L::lit(0.0), L::lit(1.0), U32::<L>::lit);
    let (order, v) = (Order::<L>::new(n, most), canonical(x));
    let sign = one.copysign(v.0);
    let a = (v.0.abs(), v.1 * sign);
    // A sum that overflows is left in its limbs.
    let x = (x.0 * sign, x.1 * sign);
    let f0 = L::M::call(&[family::<L>(), "j0"], x, |x| j0(x));
    let f1 = L::M::call(&[family::<L>(), "j1"], x, |x| j1(x));

    let n = order.size;
    let down = lit(1).lt(n) & a.0.lt(limb::<L>(n));
    let t = Argument::new(a);
    let from = (select2(down, (zero, zero), f0), select2(down, (one, zero), f1));
    let kept = select2(n.eq(lit(0)), f0, f1);
    let ((g1, g0, least), (g, size)) = steps(from, kept, &t, n, count, |i| {
        let twice = L::select(down, L::lit(2.0 * (count - i) as f64), L::lit(2.0 * (i + 1) as f64));
        (twice, <U32<L> as Value>::select(down, lit(count - 1 - i), lit(i + 2)))
    });
    let odd = g0.0.abs().lt(g1.0.abs());
    let (f, over) = (select2(odd, f1, f0), select2(odd, g1, g0));
    let (h, l) = product(g, f);
    let ratio = quotient(fast_two_sum(h, l), over, over.0.rcp_moderate());
    let orders = n - <U32<L> as Value>::select(odd, lit(1), lit(0));
    let exponent = lit(UNIT as u64) * (size - least) + t.e * orders;
    let r = select2(down, scale_canonical(ratio, exponent), g);
    let r = select2(a.0.eq(zero) & lit(0).lt(n), (zero, zero), r);
    order.result(r, order.negative ^ sign.lt(zero))
}

fn second_kind<L: IeeeLimb>(n: U32<L>, x: (L, L), most: u64, count: u64) -> (L, L)
where
    L::M: WordMachine,
{
    let (zero, lit) = (L::lit(0.0), U32::<L>::lit);
    let (order, v) = (Order::<L>::new(n, most), canonical(x));
    let f0 = L::M::call(&[family::<L>(), "y0"], x, |x| y0(x));
    let f1 = L::M::call(&[family::<L>(), "y1"], x, |x| y1(x));

    let (n, t) = (order.size, Argument::new(v));
    // Y1 of smaller numbers is -2 / (pi x), which may be too large.
    let slope = of::<L, _>(&BESSEL_Y1).slope.map(L::lit);
    let pole = quotient((-slope[0], -slope[1]), t.m, t.reciprocal);
    let scale = power::<L>(t.e);
    let tiny = v.0.lt(L::lit(exp2(-2 * L::P as i32 - 8)));
    let first = select2(tiny, pole, (f1.0 * scale, f1.1 * scale));
    let kept = select2(n.eq(lit(0)), f0, first);
    let (_, (g, size)) = steps((f0, first), kept, &t, n, count, |i| (L::lit(2.0 * (i + 1) as f64), lit(i + 2)));
    let r = scale_any(g, lit(UNIT as u64) * size - t.e * n);
    order.result(select2(zero.lt(v.0), r, f0), order.negative)
}
