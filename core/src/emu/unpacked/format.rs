//! The triple: states, from and to the bits of a double.

use crate::emu::packed::fields;
use crate::emu::packed::round::{in_range, round, round_any};
use crate::emu::word::{int, sticky, wide};
use crate::emu::{Rounding, Unpacked};
use crate::machine::{Value, Word, WordMachine, halves, join};

/// The lowest exponent of a number that is not 0.
pub const MIN_EXPONENT: i32 = -(1 << 26);
/// The largest exponent of a finite number.
pub const MAX_EXPONENT: i32 = (1 << 26) - 1;
// Sums and differences of two states, or of a state and an exponent in range, are out of range, but for two equal
// states in a difference.
/// The exponent of zeros.
pub const ZERO: i32 = -(1 << 29);
/// The exponent of infinities.
pub const INFINITY: i32 = 1 << 28;
/// The exponent of NaN.
pub const NAN: i32 = 3 << 28;

/// The bias of the exponent.
pub(super) const BIAS: i32 = 1023;
/// The leading one.
pub(super) const ONE: u64 = 1 << 61;
/// The significand of NaN.
pub(super) const NAN_SIGNIFICAND: u64 = 3 << 60;
/// Bits below a double's last digit.
const GUARD: i32 = 9;
/// Digits of a double after the leading one.
const FRACTION: i32 = 52;

/// Whether the exponent is not that of a finite number that is not 0.
#[inline(always)]
pub(super) fn out_of_range<M: WordMachine>(e: M::U32) -> M::Mask {
    !(e - int::<M>(MIN_EXPONENT)).lt(int::<M>(MAX_EXPONENT - MIN_EXPONENT + 1))
}

/// Whether the exponent is above that of every finite number.
#[inline(always)]
pub(super) fn above_range<M: WordMachine>(e: M::U32) -> M::Mask {
    int::<M>(MAX_EXPONENT).lt_signed(e)
}

/// A zero.
#[inline(always)]
pub(super) fn zero<M: WordMachine>(sign: M::U32) -> Unpacked<M> {
    (sign, int::<M>(ZERO), wide::<M>(0))
}

/// An infinity.
#[inline(always)]
pub(super) fn infinity<M: WordMachine>(sign: M::U32) -> Unpacked<M> {
    (sign, int::<M>(INFINITY), wide::<M>(ONE))
}

/// NaN.
#[inline(always)]
pub(super) fn nan<M: WordMachine>() -> Unpacked<M> {
    (int::<M>(0), int::<M>(NAN), wide::<M>(NAN_SIGNIFICAND))
}

/// Whether the number is in the state of this exponent.
#[inline(always)]
pub(super) fn is<M: WordMachine>(x: Unpacked<M>, state: i32) -> M::Mask {
    x.1.eq(int::<M>(state))
}

/// Whether the number is NaN.
#[inline(always)]
pub fn is_nan<M: WordMachine>(x: Unpacked<M>) -> M::Mask {
    is::<M>(x, NAN)
}

/// Whether the number is a zero.
#[inline(always)]
pub fn is_zero<M: WordMachine>(x: Unpacked<M>) -> M::Mask {
    is::<M>(x, ZERO)
}

/// `a` where `m` is true, `b` elsewhere.
#[inline(always)]
pub(super) fn select<M: WordMachine>(m: M::Mask, a: Unpacked<M>, b: Unpacked<M>) -> Unpacked<M> {
    <Unpacked<M> as crate::machine::Bundle<M>>::select(m, a, b)
}

/// NaN where `nan` is true; else the number, an infinity where its exponent is above the range, a zero where it is below.
#[inline(always)]
pub(super) fn settle<M: WordMachine>(is_nan: M::Mask, x: Unpacked<M>) -> Unpacked<M> {
    let finite = select::<M>(out_of_range::<M>(x.1), zero::<M>(x.0), x);
    select::<M>(is_nan, nan::<M>(), select::<M>(above_range::<M>(x.1), infinity::<M>(x.0), finite))
}

/// -x, exactly: the sign flipped, that of a NaN too.
#[inline(always)]
pub fn neg<M: WordMachine>(x: Unpacked<M>) -> Unpacked<M> {
    (x.0 ^ int::<M>(1), x.1, x.2)
}

/// The significand of bits below 2^63, its leading one brought to bit 61, and the exponent that belongs to it. A bit that
/// leaves sets the last one. 0 gives a zero.
#[inline(always)]
pub(super) fn normalized<M: WordMachine>(sign: M::U32, e: M::U32, bits: M::U64) -> Unpacked<M> {
    let n = bits.clz();
    let top = bits.unbounded_shl(n);
    let m = top.shr(int::<M>(2)) | sticky::<M>(top & wide::<M>(3));
    select::<M>(bits.eq(wide::<M>(0)), zero::<M>(sign), (sign, e + int::<M>(2) - n, m))
}

/// The triple of the value (-1)^sign significand 2^(exponent - 1023 - 61) of any three words: a sign that is not 0 counts
/// as 1, a significand of 64 bits is rounded to odd, an exponent out of range gives a zero or an infinity, from [`NAN`] on
/// NaN.
#[inline(always)]
pub fn canonical<M: WordMachine>(x: Unpacked<M>) -> Unpacked<M> {
    let sign = M::U32::select(x.0.eq(int::<M>(0)), int::<M>(0), int::<M>(1));
    let is_nan = !x.1.lt_signed(int::<M>(NAN));
    // From here on, so that the exponent of a shifted significand cannot wrap around.
    let low = x.1.lt_signed(int::<M>(ZERO));
    let e = M::U32::select(low, int::<M>(ZERO), x.1);
    settle::<M>(is_nan, normalized::<M>(sign, e, x.2))
}

/// The number whose bits as a double are `x`, exactly.
#[inline(always)]
pub fn unpack<M: WordMachine>(x: M::U64) -> Unpacked<M> {
    let (high, low) = halves::<M>(x);
    let sign = high.shr(int::<M>(31));
    let field = high.shr(int::<M>(20)) & int::<M>(0x7ff);
    let implicit = join::<M>((high & int::<M>(0xf_ffff)) | int::<M>(0x10_0000), low);
    let normal = (sign, field, implicit.shl(int::<M>(GUARD)));
    let special = !(field - int::<M>(1)).lt(int::<M>(0x7fe));
    M::branch(special, normal, move || {
        let fraction = x & wide::<M>((1 << FRACTION) - 1);
        let (none, large) = (fraction.eq(wide::<M>(0)), field.eq(int::<M>(0x7ff)));
        // The significand of a subnormal number, with an exponent field of 1.
        let small = normalized::<M>(sign, int::<M>(1), fraction.shl(int::<M>(GUARD)));
        let finite = select::<M>(large, infinity::<M>(sign), small);
        select::<M>(large & !none, nan::<M>(), finite)
    })
}

/// The bits of `x` rounded to a double in the direction `R`, with subnormal numbers and overflow. NaN gives
/// [`NAN`](crate::emu::NAN).
#[inline(always)]
pub fn pack<M: WordMachine, R: Rounding>(x: Unpacked<M>) -> M::U64 {
    let sign = x.0.to_u64().shl(int::<M>(63));
    let (e, t) = (x.1 - int::<M>(1), x.2.shl(int::<M>(2)));
    M::branch(!in_range::<M>(e), round::<M, R>(sign, e, t), move || {
        // A zero has a significand of 0.
        let finite = round_any::<M, R>(sign, e, t);
        let infinite = M::U64::select(is::<M>(x, INFINITY), sign | wide::<M>(fields::INFINITY), finite);
        M::U64::select(is_nan::<M>(x), wide::<M>(crate::emu::NAN), infinite)
    })
}
