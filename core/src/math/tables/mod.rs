//! Coefficients and tables of mathematical functions, for both widths.
//!
//! The files of this folder are written by `cargo run --release -p vernier-oracle --example coefficients`, whose lists have
//! the functions and intervals. Each constant has that of pairs of binary32 first, then that of pairs of binary64.
//! Numbers are bits of binary64, also those that are limbs of binary32.

#[rustfmt::skip]
mod exp;
#[rustfmt::skip]
mod exp10;
#[rustfmt::skip]
mod exp2;
#[rustfmt::skip]
mod expm1;
#[rustfmt::skip]
mod log;
#[rustfmt::skip]
mod log10;
#[rustfmt::skip]
mod log2;
#[rustfmt::skip]
mod pow;
#[rustfmt::skip]
mod powers;

pub(super) use exp::EXP;
pub(super) use exp2::EXP2;
pub(super) use exp10::EXP10;
pub(super) use expm1::EXPM1;
pub(super) use log::LOG;
pub(super) use log2::LOG2;
pub(super) use log10::LOG10;
pub(super) use pow::CUBIC;

use crate::machine::{IeeeLimb, Limb, U32, U64, Word, WordMachine};

/// Coefficients, lowest degree first: pairs, then single limbs.
#[derive(Clone, Copy, Debug)]
pub struct Polynomial {
    /// Leading ones, (hi, lo).
    pub pairs: &'static [(f64, f64)],
    /// The rest, at least one.
    pub singles: &'static [f64],
}

/// b^x = 2^n T_j b^r, where n and j are the quotient and the remainder of an integer k by the number of the T_j, and r is x
/// less k steps.
#[derive(Debug)]
pub(super) struct Exponential {
    /// Steps in 1.
    pub per_unit: f64,
    /// A step, log_b 2 over the number of the T_j, as a sum: k times the second is a limb.
    pub step: [f64; 3],
    /// Below this |x| hi is normal, and the error of lo as a subnormal does not matter.
    pub moderate: f64,
    /// Beyond this |x| the result is 0 or infinite.
    pub end: f64,
    /// (b^r - 1) / r.
    pub tail: Polynomial,
    /// The T_j: hi, lo, a third limb, and 0. None where there is one, 1.
    pub powers: &'static [u64],
}

/// log_b x = n log_b 2 + T_j + log_b(1 + f), where x = 2^n m, j is of m's interval, and f = m c_j - 1.
#[derive(Debug)]
pub(super) struct Logarithm {
    /// log_b 2 as a sum: n times the first, added to the first part of T_j, is a limb, and so with the second.
    pub log2: [f64; 3],
    /// For each j c_j and T_j in three parts, two limbs of binary32 a word.
    pub rows: &'static [u64],
    /// log_b(1 + f) / f; for b = e (log(1 + f) - f) / f^2.
    pub series: Polynomial,
}

/// The constant of a limb's width.
#[inline(always)]
pub(super) const fn of<L: Limb, T>(both: &'static [T; 2]) -> &'static T {
    &both[(L::P == 53) as usize]
}

/// Row `j` of a table of four limbs a row.
#[inline(always)]
pub(super) fn row<L: IeeeLimb>(table: &'static [u64], j: U32<L>) -> [L; 4]
where
    L::M: WordMachine,
{
    let word = |i: U32<L>| <U64<L> as Word>::table(table, i);
    let lit = U32::<L>::lit;
    let limb = |w: U64<L>| L::from_bits(L::Bits::from_u64(w));
    if L::P == 53 {
        let at = j.shl_within(lit(2));
        [0, 1, 2, 3].map(|i| limb(word(at + lit(i))))
    } else {
        let at = j.shl_within(lit(1));
        let (a, b) = (word(at), word(at + lit(1)));
        [limb(a), limb(a.shr_within(lit(32))), limb(b), limb(b.shr_within(lit(32)))]
    }
}

/// A number by its bits.
const fn f(bits: u64) -> f64 {
    f64::from_bits(bits)
}
