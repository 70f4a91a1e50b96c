//! The fused product and sum.

use super::format::{BIAS, INFINITY, ZERO, above_range, infinity, is, is_nan, nan, out_of_range, select, zero};
use crate::emu::Unpacked;
use crate::emu::word::{add_signed, bit, int, sticky, wide};
use crate::machine::{Value, Word, WordMachine, halves};

/// 128 bits, high word first.
type Double<M> = (<M as WordMachine>::U64, <M as WordMachine>::U64);

/// A number (-1)^sign c 2^(e - 1023 - 124).
struct Exact<M: WordMachine> {
    sign: M::U32,
    e: M::U32,
    c: Double<M>,
}

/// x 2^-n, any bits lost setting the last one.
#[inline(always)]
fn jam<M: WordMachine>((high, low): Double<M>, n: M::U32) -> Double<M> {
    let (n64, n128) = (int::<M>(64), int::<M>(128));
    let far = !n.lt(n64);
    let across = high.unbounded_shl(n64 - n) | high.unbounded_shr(n - n64);
    // Lost: the low n bits of `low`, and of `high` what is beyond 64.
    let lost = M::U64::select(far, low, low.unbounded_shl(n64 - n));
    let lost = lost | M::U64::select(n.lt(n128), M::U64::select(far, high.unbounded_shl(n128 - n), wide::<M>(0)), high);
    (high.unbounded_shr(n), low.unbounded_shr(n) | across | sticky::<M>(lost))
}

/// The exact sum, but for a sticky bit, of a product and z; their significands are in place but for the exponents.
#[inline(always)]
fn sum<M: WordMachine>(p: Exact<M>, z: Exact<M>) -> Exact<M> {
    let less = p.e.lt_signed(z.e);
    let pick = |m: M::Mask, a: M::U64, b: M::U64| M::U64::select(m, a, b);
    let (e, other) = (M::U32::select(less, z.e, p.e), M::U32::select(less, p.e, z.e));
    let large = (pick(less, z.c.0, p.c.0), pick(less, z.c.1, p.c.1));
    let small = jam::<M>((pick(less, p.c.0, z.c.0), pick(less, p.c.1, z.c.1)), e - other);
    // A difference may be negative: two's complement.
    let opposite = !p.sign.eq(z.sign);
    let minus = wide::<M>(0) - (p.sign ^ z.sign).to_u64();
    let low = add_signed::<M>(large.1, small.1, minus);
    let carry = (opposite & large.1.lt(small.1)) | (!opposite & low.lt(large.1));
    let high = add_signed::<M>(large.0, small.0 + bit::<M>(carry), minus);
    let negative = high.sar(int::<M>(63));
    let magnitude_low = (low ^ negative) - negative;
    let carry = bit::<M>(low.eq(wide::<M>(0))) & negative;
    let magnitude_high = (high ^ negative) + carry;
    let sign = M::U32::select(less, z.sign, p.sign) ^ (negative.to_u32() & int::<M>(1));
    Exact { sign, e, c: (magnitude_high, magnitude_low) }
}

/// The triple, rounded to odd, for n leading zeros.
#[inline(always)]
fn rounded<M: WordMachine>(x: &Exact<M>, high: M::U64, low: M::U64, n: M::U32) -> Unpacked<M> {
    let m = high.shr(int::<M>(2)) | sticky::<M>((high & wide::<M>(3)) | low);
    (x.sign, x.e + int::<M>(3) - n, m)
}

/// x y + z, rounded to odd at 62 digits, at any cancellation.
#[inline(always)]
pub fn fma_high<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, z: Unpacked<M>) -> Unpacked<M> {
    let one = int::<M>(1);
    // Products have their leading one at bit 124 or 125, z at 124: two bits below for exponents that differ by 1 or 2.
    let p =
        || Exact::<M> { sign: x.0 ^ y.0, e: x.1 + y.1 - int::<M>(BIAS), c: M::mul_wide(x.2.shl(one), y.2.shl(one)) };
    let addend = || Exact::<M> { sign: z.0, e: z.1, c: (z.2.shr(one), z.2.shl(int::<M>(63))) };
    let s = sum::<M>(p(), addend());
    let top = halves::<M>(s.c.0).0;
    let n = top.clz_nonzero();
    let r = rounded::<M>(&s, M::funnel_shl(s.c.0, s.c.1, n), s.c.1.shl_within(n), n);
    let rare = out_of_range::<M>(p().e) | out_of_range::<M>(r.1) | top.eq(int::<M>(0));
    M::branch(rare, r, move || {
        let p = p();
        let (sign, e, no_product) = (p.sign, p.e, p.c.0.eq(wide::<M>(0)));
        // A zero product may be infinite times zero, with any exponent.
        let p = Exact { e: M::U32::select(no_product, int::<M>(ZERO), e), ..p };
        let s = sum::<M>(p, addend());
        let far = s.c.0.eq(wide::<M>(0));
        let (high, low) = (M::U64::select(far, s.c.1, s.c.0), M::U64::select(far, wide::<M>(0), s.c.1));
        let n = high.clz();
        let across = low.unbounded_shr(int::<M>(64) - n);
        let places = n + M::U32::select(far, int::<M>(64), int::<M>(0));
        let r = rounded::<M>(&s, high.unbounded_shl(n) | across, low.unbounded_shl(n), places);
        // Of an exact 0: +0 unless both are negative.
        let none = high.eq(wide::<M>(0)) | r.1.lt_signed(int::<M>(super::MIN_EXPONENT));
        let cancelled = high.eq(wide::<M>(0));
        let r = select::<M>(none, zero::<M>(M::U32::select(cancelled, sign & z.0, r.0)), r);
        let infinite = (is::<M>(x, INFINITY) | is::<M>(y, INFINITY), is::<M>(z, INFINITY));
        let r = select::<M>(infinite.0, infinity::<M>(sign), select::<M>(infinite.1, z, r));
        let r = select::<M>(above_range::<M>(r.1), infinity::<M>(r.0), r);
        let zero_times_infinity = (x.1 + y.1).eq(int::<M>(ZERO + INFINITY));
        let opposite = infinite.0 & infinite.1 & !sign.eq(z.0);
        let invalid = is_nan::<M>(x) | is_nan::<M>(y) | is_nan::<M>(z) | zero_times_infinity | opposite;
        select::<M>(invalid, nan::<M>(), r)
    })
}
