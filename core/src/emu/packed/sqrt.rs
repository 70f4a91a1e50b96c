//! The square root of packed doubles at level high.

use super::SIGN;
use super::fields::{INFINITY, exponent, significand};
use super::round::round;
use crate::emu::word::{int, sticky, wide};
use crate::emu::{NAN, Rounding};
use crate::machine::{IeeeLimb, Limb, Value, Word, WordMachine};

/// The root of (e, m), as e and t of [`round`], for m in [2^52, 2^53).
#[inline(always)]
fn root<M: WordMachine>(e: M::U32, m: M::U64) -> (M::U32, M::U64) {
    // x = v / 2^62 in [1, 4), with an even exponent.
    let odd = e & int::<M>(1);
    let v = m.shl_within(int::<M>(11) - odd);
    // A root and its reciprocal, of the number cut to 24 bits.
    let cut = m.shr(int::<M>(29)).to_u32() + int::<M>(0x3f80_0000) - odd * int::<M>(1 << 23);
    let (s, r) = M::F32::from_bits(cut).sqrt_rcp();
    // An ulp, 2^-23, less: sqrt(x) - s is in (1/2, 2.3) ulps. r is 1 or below; 2^32 - 1 will do for 1.
    let s = (s.bits() & int::<M>((1 << 23) - 1)) + int::<M>((1 << 23) - 1);
    let r = r.bits() * int::<M>(1 << 8) + int::<M>(i32::MAX);
    // 2^62 x - 2^16 s s, below 2^42.3. The next root has 45 fraction bits and is 0 to 7 of them too small.
    let rest = v - (s.to_u64() * s.to_u64()).shl(int::<M>(16));
    let q = rest.shr(int::<M>(11)).to_u32().mul_hi(r).shr(int::<M>(7)) - int::<M>(3);
    let s = s.to_u64() * wide::<M>(1 << 22) + q.to_u64();
    // 2^90 x - s s, below 2^50. The last root has 54 fraction bits: right, or one too large.
    let rest = v.shl(int::<M>(28)) - s * s;
    let q = (rest.shr(int::<M>(18)).to_u32().mul_hi(r) + int::<M>((1 << 19) - (1 << 10))).shr(int::<M>(19));
    let s = s.shl(int::<M>(9)) + q.to_u64();
    let last = v.shl(int::<M>(46)) - s * s;
    let s = s + M::sign_word(last);
    // The leading one is bit 54.
    ((e + int::<M>(1021)).shr(int::<M>(1)), s.shl(int::<M>(9)) | sticky::<M>(last))
}

/// The square root of a, correctly rounded in the direction `R`.
#[inline(always)]
pub fn sqrt_high<M: WordMachine, R: Rounding>(a: M::U64) -> M::U64 {
    let (e, t) = root::<M>(exponent::<M>(a), significand::<M>(a));
    let usual = round::<M, R>(wide::<M>(0), e, t);
    // Neither positive nor normal.
    let smallest = wide::<M>(1 << 52);
    let rare = !(a - smallest).lt(wide::<M>(INFINITY - (1 << 52)));
    M::branch(rare, usual, move || sqrt_rare::<M, R>(a))
}

/// The same where a is subnormal, zero, negative, infinite or NaN.
pub(in crate::emu) fn sqrt_rare<M: WordMachine, R: Rounding>(a: M::U64) -> M::U64 {
    // All but subnormal numbers are set aside below.
    let n = a.clz() - int::<M>(11);
    // An even number is added, so that the exponent is not negative.
    let (e, t) = root::<M>(int::<M>(128 + 1) - n, a.unbounded_shl(n));
    let r = round::<M, R>(wide::<M>(0), e - int::<M>(64), t);
    let infinity = wide::<M>(INFINITY);
    let r = M::U64::select(infinity.lt(a), wide::<M>(NAN), r);
    let unchanged = a.eq(infinity) | M::is_zero(a & wide::<M>(!SIGN));
    M::U64::select(unchanged, a, r)
}
