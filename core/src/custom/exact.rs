//! Results that are rounded once: the exact value of an operation as a magnitude between two doubles.
//!
//! A double operation and its error (two_sum, two_prod, the remainder of a quotient or root, the error of a fused
//! operation by Boldo and Muller 2011) tell where the exact value lies: to a quarter of a double's last place, which is
//! enough for every mode but the stochastic one, and the error itself has the rest. Operands are scaled to [1, 2) first,
//! unless the format rules out that an error underflows.

use super::layout::{Choice, Described, FRACTION, Layout, SIGN, int, pick};
use super::reduce::Exact;
use super::tail::Tail;
use crate::eft::{fast_two_sum, two_prod, two_sum};
use crate::machine::{IeeeLimb, Limb, Value, Word, WordMachine};

/// The exact value where it is that of the double `r`.
#[inline(always)]
fn just<M: WordMachine>(r: M::F64) -> Exact<M> {
    let (v, sign) = (r.bits(), r.bits() & M::U64::lit(SIGN));
    Exact { bits: v ^ sign, rest: M::U64::lit(0), offset: int::<M>(0), sign, tail: Tail::Nothing }
}

/// (r + e) 2^offset, where r is the double nearest to the sum; where e is 0 or NaN it is r. `tie` says of the lower of the two
/// doubles around it, as bits, whether it lies in the middle.
#[inline(always)]
fn beside<M: WordMachine>(
    r: M::F64,
    e: M::F64,
    tie: impl FnOnce(M::U64) -> Choice<M>,
    offset: M::U32,
    tail: Tail<M>,
) -> Exact<M> {
    let lit = M::U64::lit;
    let exact = !M::F64::lit(0.0).lt(e.abs());
    let plain = just::<M>(r);
    let inner = !(e.bits() & lit(SIGN)).eq(plain.sign) & !exact;
    let bits = pick::<M>(inner, plain.bits - lit(1), plain.bits);
    let rest = tie(bits).pick(|| lit(2), || pick::<M>(inner, lit(3), lit(1)));
    Exact { bits, rest: pick::<M>(exact, lit(0), rest), offset, sign: plain.sign, tail }
}

/// (r + e1 + e2) 2^offset, where r is the double nearest to the sum, and |e2| is at most half an ulp of e1. Where e1 is
/// 0 or NaN it is r.
#[inline(always)]
fn sum<M: WordMachine>(r: M::F64, e1: M::F64, e2: Option<M::F64>, offset: M::U32) -> Exact<M> {
    let zero = M::F64::lit(0.0);
    let tie = |bits: M::U64| {
        let ulp = M::F64::from_bits(bits + M::U64::lit(1)) - M::F64::from_bits(bits);
        Choice::Asked((e1.abs() + e1.abs()).eq(ulp) & e2.unwrap_or(zero).eq(zero))
    };
    let tail = e2.map_or(Tail::Error(e1), |e2| Tail::Errors(e1, e2));
    beside::<M>(r, e1, tie, offset, tail)
}

/// q + r/b for the remainder r of a quotient that no midpoint equals; likewise for a root.
#[inline(always)]
fn quotient<M: WordMachine>(q: M::F64, remainder: M::F64, offset: M::U32, tail: Tail<M>) -> Exact<M> {
    beside::<M>(q, remainder, |_| Choice::Known(false), offset, tail)
}

/// `x` as m 2^e with 1 <= |m| < 2, where it is finite and not zero; otherwise m is x, and e is so low of a zero that a product or
/// quotient that is zero has an exponent below every range. As it is where nothing needs scaling.
#[inline(always)]
fn split<M: WordMachine>(x: M::F64, f: &Layout<M>) -> (M::F64, M::U32) {
    if f.moderate() {
        return (x, int::<M>(0));
    }
    let tiny = x.abs().lt(M::F64::lit(f64::MIN_POSITIVE));
    let v = M::F64::select(tiny, x * M::F64::lit(crate::machine::exp2(54)), x).bits();
    let field = v.shr(int::<M>(52)).to_u32() & int::<M>(0x7ff);
    let m = (v & M::U64::lit(SIGN | FRACTION)) | M::U64::lit(1023 << 52);
    let m = M::F64::select(usual::<M>(x), M::F64::from_bits(m), x);
    (m, field - M::U32::select(tiny, int::<M>(1023 + 54), int::<M>(1023)))
}

/// 2^e for a normal power of two.
#[inline(always)]
fn power<M: WordMachine>(e: M::U32) -> M::F64 {
    M::F64::from_bits((e + int::<M>(1023)).to_u64().shl(int::<M>(52)))
}

#[inline(always)]
fn usual<M: WordMachine>(x: M::F64) -> M::Mask {
    let (zero, infinity) = (M::F64::lit(0.0), M::F64::lit(f64::INFINITY));
    zero.lt(x.abs()) & x.abs().lt(infinity)
}

/// Downward, a sum of numbers that cancel is -0: those of which the sum is zero and the signs are not `alike`.
#[inline(always)]
fn signed_zero<M: WordMachine>(x: Exact<M>, alike: M::Mask, f: &Layout<M>) -> Exact<M> {
    let cancelled = Choice::Asked(x.bits.eq(M::U64::lit(0)) & !alike);
    let sign = f.down.and(cancelled).pick(|| M::U64::lit(SIGN), || x.sign);
    Exact { sign, ..x }
}

/// x + y.
#[inline]
pub(super) fn add<M: WordMachine>(x: M::F64, y: M::F64, format: impl Described<M>) -> Exact<M> {
    let f = &format.layout();
    let swap = x.abs().lt(y.abs());
    let (a, b) = (M::F64::select(swap, y, x), M::F64::select(swap, x, y));
    // Beyond the largest double both terms are large.
    let over = (!f.moderate()).then(|| (a + b).abs().eq(M::F64::lit(f64::INFINITY)));
    let (a, b, offset) = match over {
        None => (a, b, int::<M>(0)),
        Some(over) => {
            let scale = M::F64::select(over, M::F64::lit(0.25), M::F64::lit(1.0));
            (a * scale, b * scale, M::U32::select(over, int::<M>(2), int::<M>(0)))
        }
    };
    let (s, e) = fast_two_sum(a, b);
    signed_zero(sum::<M>(s, e, None, offset), (x.bits() ^ y.bits()).eq(M::U64::lit(0)), f)
}

/// x y.
#[inline]
pub(super) fn mul<M: WordMachine>(x: M::F64, y: M::F64, format: impl Described<M>) -> Exact<M> {
    let f = &format.layout();
    let ((a, i), (b, j)) = (split(x, f), split(y, f));
    let (p, e) = two_prod(a, b);
    sum::<M>(p, e, None, i + j)
}

/// x / y.
#[inline]
pub(super) fn div<M: WordMachine>(x: M::F64, y: M::F64, format: impl Described<M>) -> Exact<M> {
    let f = &format.layout();
    let ((a, i), (b, j)) = (split(x, f), split(y, f));
    let q = a.div(b);
    let remainder = (-q).fma(b, a);
    let r = M::F64::select(b.lt(M::F64::lit(0.0)), -remainder, remainder);
    quotient::<M>(q, r, i - j, Tail::Quotient { remainder, divisor: b })
}

/// sqrt(x).
#[inline]
pub(super) fn sqrt<M: WordMachine>(x: M::F64, format: impl Described<M>) -> Exact<M> {
    let f = &format.layout();
    let (a, i) = split(x, f);
    let odd = !(i & int::<M>(1)).eq(int::<M>(0));
    let (a, i) = if f.moderate() { (a, i) } else { (M::F64::select(odd, a + a, a), i & int::<M>(!1)) };
    let s = a.sqrt();
    let remainder = (-s).fma(s, a);
    quotient::<M>(s, remainder, i.sar(int::<M>(1)), Tail::Root { remainder, root: s })
}

/// A term so many binades below another is beyond every bit that counts: two significands and their product end above.
const GAP: i32 = 200;
/// The exponent of a product that is zero, far below all others.
const NOTHING: i32 = -4096;

/// x y + z. Where one of product and z is more than 2^200 times the other, they are brought nearer.
#[inline]
pub(super) fn fma<M: WordMachine>(x: M::F64, y: M::F64, z: M::F64, format: impl Described<M>) -> Exact<M> {
    let f = &format.layout();
    let zero = M::F64::lit(0.0);
    let ((a, i), (b, j)) = (split(x, f), split(y, f));
    let (c, offset) = if f.moderate() {
        (z, int::<M>(0))
    } else {
        let (c, k) = split(z, f);
        let product = M::U32::select(x.eq(zero) | y.eq(zero), int::<M>(NOTHING), i + j);
        let (gap, none) = (k - product, z.eq(zero));
        let (low, high) = (gap.lt_signed(int::<M>(-GAP)), int::<M>(GAP).lt_signed(gap) & !none);
        let near = M::U32::select(high, int::<M>(GAP), M::U32::select(low, int::<M>(-GAP), gap));
        (M::F64::select(none, z, c * power::<M>(near)), M::U32::select(high, k - int::<M>(GAP), product))
    };
    let r1 = a.fma(b, c);
    let (u1, u2) = two_prod(a, b);
    let (a1, a2) = two_sum(c, u2);
    let (b1, b2) = two_sum(u1, a1);
    let gamma = (b1 - r1) + b2;
    let (r2, r3) = fast_two_sum(gamma, a2);
    // What cancels has no exponent.
    let offset = M::U32::select(r1.eq(zero), int::<M>(0), offset);
    let exact = sum::<M>(r1, r2, Some(r3), offset);
    let signs = (x.bits() ^ y.bits() ^ z.bits()) & M::U64::lit(SIGN);
    signed_zero(exact, signs.eq(M::U64::lit(0)), f)
}
