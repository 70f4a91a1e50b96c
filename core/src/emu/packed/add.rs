//! Addition of packed doubles at level high.

use super::SIGN;
use super::fields::{self, Number, SPECIAL, significand};
use super::round::{in_range, is_normalized, round, round_sum};
use crate::emu::word::{add_signed, int, sticky, wide};
use crate::emu::{NAN, Rounding};
use crate::machine::{Value, Word, WordMachine};

/// |x| + |y| for |x| >= |y|, or |x| - |y| where `minus` is all ones, as e and t of [`round`]; t is 0 for a zero result,
/// and e unspecified.
///
/// The significand of y is aligned to that of x in 62 bits, with a sticky bit: where more than one leading bit cancels,
/// nothing was dropped.
#[inline(always)]
fn sum<M: WordMachine>(x: (M::U32, M::U64), y: (M::U32, M::U64), minus: M::U64) -> (M::U32, M::U64) {
    let ten = int::<M>(10);
    let (mx, my) = (x.1.shl(ten), y.1.shl(ten));
    let d = x.0 - y.0;
    let dropped = my & !wide::<M>(u64::MAX).unbounded_shl(d);
    let aligned = my.unbounded_shr(d) | sticky::<M>(dropped);
    let s = add_signed::<M>(mx, aligned, minus);
    let n = s.clz_nonzero();
    (x.0 - n, s.shl_within(n))
}

/// a + b, correctly rounded in the direction `R`.
#[inline(always)]
pub fn add_high<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
    let magnitude = wide::<M>(!SIGN);
    let (am, bm) = (a & magnitude, b & magnitude);
    let swap = am.lt(bm);
    let x = M::U64::select(swap, b, a);
    let xm = x & magnitude;
    // The other operand, without a second selection.
    let ym = am ^ bm ^ xm;
    let (ex, ey) = (xm.shr(int::<M>(52)).to_u32(), ym.shr(int::<M>(52)).to_u32());
    let minus = M::sign_word(a ^ b);
    let (e, t) = sum::<M>((ex, significand::<M>(xm)), (ey, significand::<M>(ym)), minus);
    let usual = round::<M, R>(fields::sign::<M>(x), e, t);
    let rare = ey.eq(int::<M>(0)) | ex.eq(int::<M>(SPECIAL)) | !(in_range::<M>(e) & is_normalized::<M>(t));
    M::branch(rare, usual, move || rare_sum::<M, R>(a, b))
}

/// Subnormal operands and results, zeros, overflow, infinities and NaN.
fn rare_sum<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
    let magnitude = wide::<M>(!SIGN);
    let swap = (a & magnitude).lt(b & magnitude);
    let (xw, yw) = (M::U64::select(swap, b, a), M::U64::select(swap, a, b));
    let (x, y) = (Number::<M>::unnormalized(xw), Number::<M>::unnormalized(yw));
    let (sx, sy) = (fields::sign::<M>(xw), fields::sign::<M>(yw));
    let minus = M::sign_word(a ^ b);
    let (e, t) = sum::<M>((x.exponent, x.significand), (y.exponent, y.significand), minus);
    let finite = round_sum::<M, R>(sx, e, t);
    let zero = if R::DOWN { sx | sy } else { sx & sy };
    let r = M::U64::select(t.eq(wide::<M>(0)), zero, finite);
    let r = M::U64::select(x.infinite, xw, r);
    let invalid = x.nan | (x.infinite & y.infinite & !sx.eq(sy));
    M::U64::select(invalid, wide::<M>(NAN), r)
}
