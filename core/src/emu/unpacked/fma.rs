//! The fused product and sum of unpacked numbers.

use super::add::negate_if;
use super::format::{BIAS, INFINITY, ZERO, above_range, infinity, is, is_nan, nan, out_of_range, select, zero};
use super::mul::product;
use crate::emu::Unpacked;
use crate::emu::word::{add_signed, bit, int, sticky, wide};
use crate::machine::{Value, Word, WordMachine, halves, join};

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

/// The usual path: 96 bits, which hold every sum that keeps its upper 32, and a sticky bit. The mask says where it does not
/// apply.
#[inline(always)]
fn short<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, z: Unpacked<M>) -> (M::Mask, Unpacked<M>) {
    let (zero, one, n64) = (int::<M>(0), int::<M>(1), int::<M>(64));
    let truth = |m: M::Mask| M::U32::select(m, one, zero);
    let (sign, ep) = (x.0 ^ y.0, x.1 + y.1 - int::<M>(BIAS));
    let product = M::mul_wide(x.2.shl(one), y.2.shl(one));
    let (third, last) = halves::<M>(product.1);
    let p = (product.0, third | truth(!last.eq(zero)));
    let addend = (z.2.shr(one), z.2.to_u32().shl(int::<M>(31)));

    let less = ep.lt_signed(z.1);
    let (e, other) = (M::U32::select(less, z.1, ep), M::U32::select(less, ep, z.1));
    let pick = |m: M::Mask, a: (M::U64, M::U32), b: (M::U64, M::U32)| {
        (M::U64::select(m, a.0, b.0), M::U32::select(m, a.1, b.1))
    };
    let (large, small) = (pick(less, addend, p), pick(less, p, addend));
    let d = e - other;
    // Lost bits set the last one; the larger number must not have it then. z has not. Against a product the long path takes
    // every z that reaches so low.
    let below = join::<M>(small.0.to_u32(), small.1);
    let (upper_half, _) = halves::<M>(small.0);
    let far = !d.lt(n64) & !upper_half.eq(zero);
    let lost = truth(!below.unbounded_shl(n64 - d).eq(wide::<M>(0)) | far);
    let across = upper_half.unbounded_shl(n64 - d);
    let small = (small.0.unbounded_shr(d), below.unbounded_shr(d).to_u32() | across | lost);
    let reaches = !less & !(small.1 & one).eq(zero);

    // large + small or large - small, and the magnitude of that: products by 1 and -1, and what they borrow.
    let minus = sign ^ z.0;
    let (carry, third) = halves::<M>(times_sign::<M>(small.1, minus) + large.1.to_u64());
    let carry = carry - small.1 * minus;
    let upper = large.0 + negate_if::<M>(minus, small.0) + sign_extended::<M>(carry);
    let negative = halves::<M>(upper).0.shr(int::<M>(31));
    let borrow = negative & truth(!third.eq(zero));
    let upper = negate_if::<M>(negative, upper) - borrow.to_u64();
    let third = times_sign::<M>(third, negative).to_u32();

    let (top, middle) = halves::<M>(upper);
    let n = top.clz_nonzero();
    let digits = join::<M>(halves::<M>(upper.shl_within(n)).0, halves::<M>(join::<M>(middle, third).shl_within(n)).0);
    let cut = truth(!((digits.to_u32() & int::<M>(3)) | third.shl_within(n)).eq(zero));
    let e = e + int::<M>(3) - n;
    let r = (M::U32::select(less, z.0, sign) ^ negative, e, digits.shr(int::<M>(2)) | cut.to_u64());
    let rare = out_of_range::<M>(ep) | out_of_range::<M>(e) | top.eq(zero) | reaches;
    (rare, r)
}

/// x (1 - 2 s) as a word of 64 bits, but for 2^32 x too much where s is 1.
#[inline(always)]
fn times_sign<M: WordMachine>(x: M::U32, s: M::U32) -> M::U64 {
    product::<M>(x, int::<M>(1) - s - s)
}

/// A word of 32 bits in two's complement as one of 64.
#[inline(always)]
fn sign_extended<M: WordMachine>(x: M::U32) -> M::U64 {
    join::<M>(x.sar(int::<M>(31)), x)
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
    let (rare, r) = short::<M>(x, y, z);
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
