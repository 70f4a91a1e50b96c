//! Fused multiply-add of packed doubles at level high.

use super::fields::{self, INFINITY, Number, exponent, is_normal, significand};
use super::round::{in_range, is_normalized, round, round_any};
use crate::emu::word::{int, wide};
use crate::emu::{NAN, Rounding};
use crate::machine::{Value, Word, WordMachine};

/// The exponent of the product less that of the addend where their significands begin at bits 105 and 126.
const OFFSET: i32 = 1002;

/// x y + z of exponents and significands, or x y - z where `minus` is all ones, as e and t of [`round`], and ones where
/// the magnitude is that of z - x y; t is 0 for a zero result, and e unspecified.
///
/// The 106 bits of the product stand at bits 106 to 1 of 128, above a sticky bit; the addend is aligned to them. Where
/// the addend is so large that it would not fit it stays at bit 126, and the product is aligned to it: there its low word
/// is no more than a sticky bit, since no more than one leading bit cancels.
#[inline(always)]
fn fused<M: WordMachine>(
    x: (M::U32, M::U64),
    y: (M::U32, M::U64),
    z: (M::U32, M::U64),
    minus: M::U64,
) -> (M::U32, M::U64, M::U64) {
    let zero = int::<M>(0);
    let (ph, pl) = M::mul_wide(x.1.shl(int::<M>(1)), y.1);
    let c = z.1.shl(int::<M>(10));
    let d = x.0 + y.0 - int::<M>(OFFSET) - z.0;
    let far = d.lt_signed(zero);

    let (ch, cl) = M::shr_wide(c, M::U32::select(far, zero, d));
    let (ph, pl) = M::shr_high((ph, pl), M::U32::select(far, zero - d, zero));

    // p - c is the complement of the sum of c and the complement of p.
    let (sh, sl) = M::add_wide((ph ^ minus, pl ^ minus), (ch, cl));
    let complement = minus & M::sign_word(sh);
    let negative = minus ^ complement;
    let one = negative & wide::<M>(1);
    let (rh, rl) = M::add_wide((sh ^ complement, sl ^ complement), (wide::<M>(0), one));

    let (t, n) = M::normalize_wide((rh, rl));
    (M::U32::select(far, z.0, x.0 + y.0 - int::<M>(OFFSET)) - n, t, negative)
}

/// a b + c, correctly rounded in the direction `R`.
#[inline(always)]
pub fn fma_high<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64, c: M::U64) -> M::U64 {
    let (ea, eb, ec) = (exponent::<M>(a), exponent::<M>(b), exponent::<M>(c));
    let product = a ^ b;
    let minus = M::sign_word(product ^ c);
    let (x, y, z) = ((ea, significand::<M>(a)), (eb, significand::<M>(b)), (ec, significand::<M>(c)));
    let (e, t, negative) = fused::<M>(x, y, z, minus);
    let usual = round::<M, R>(fields::sign::<M>(product ^ negative), e, t);
    let normal = is_normal::<M>(ea) & is_normal::<M>(eb) & is_normal::<M>(ec);
    let rare = !(normal & in_range::<M>(e) & is_normalized::<M>(t));
    M::branch(rare, usual, move || rare_fused::<M, R>(a, b, c))
}

/// Subnormal operands and results, zeros, overflow, infinities and NaN.
fn rare_fused<M: WordMachine, R: Rounding>(a: M::U64, b: M::U64, c: M::U64) -> M::U64 {
    let (x, y, z) = (Number::<M>::of(a), Number::<M>::of(b), Number::<M>::of(c));
    let (sp, sc) = (fields::sign::<M>(a ^ b), fields::sign::<M>(c));
    let minus = M::sign_word(sp ^ sc);
    // A zero addend has an exponent so small that a product aligned to it underflows to less than half the least number.
    let (e, t, negative) =
        fused::<M>((x.exponent, x.significand), (y.exponent, y.significand), (z.exponent, z.significand), minus);
    let finite = round_any::<M, R>(fields::sign::<M>(sp ^ negative), e, t);
    let empty = x.zero | y.zero;
    let zero = if R::DOWN { sp | sc } else { sp & sc };
    let r = M::U64::select(empty, c, finite);
    let r = M::U64::select(t.eq(wide::<M>(0)) | (empty & z.zero), zero, r);
    let infinite = x.infinite | y.infinite;
    let r = M::U64::select(infinite, sp | wide::<M>(INFINITY), M::U64::select(z.infinite, c, r));
    let invalid = (infinite & empty) | (infinite & z.infinite & !sp.eq(sc));
    M::U64::select(x.nan | y.nan | z.nan | invalid, wide::<M>(NAN), r)
}
