//! Exact sums of products of floats, in any order: a superaccumulator on integers.
//!
//! A product of two finite binary32 numbers is a multiple of 2^-298 with at most 48 bits below 2^256, so a fixed-point number
//! of that range holds any sum of products exactly, and integers are added in any order with the same result (Kulisch, *Computer
//! Arithmetic and Validity*, 2008). Its digits have 32 bits and are kept in signed 64-bit [*bins*](Superaccumulator),
//! so that carries wait: each addition touches three bins, and 2^31 additions fit (Neal, *Fast exact summation using small and
//! large superaccumulators*, 2015).
//!
//! [`place`] and [`digits`] say where a product goes; they are what a kernel on a device needs. Infinities and NaN
//! are counted in bins of their own.

use crate::host::Host;
use crate::machine::{IeeeLimb, Value, Word, WordMachine};

/// Bins of the fixed-point number, and of infinity, minus infinity and NaN; the last two are always 0.
pub const BINS: usize = 23;
/// The first of the bins that count what is not finite.
const SPECIAL: usize = 18;
/// The weight of bin 0 is 2^WEIGHT.
const WEIGHT: i32 = -298;

/// The biased exponent, 1 for subnormal numbers, and the significand as an integer.
fn parts<M: WordMachine>(x: M::F32) -> (M::U32, M::U32) {
    let lit = <M::U32 as Word>::lit;
    let bits = x.bits();
    let field = bits.shr(lit(23)) & lit(0xff);
    let fraction = bits & lit(0x7f_ffff);
    let subnormal = Word::eq(field, lit(0));
    (Value::select(subnormal, lit(1), field), Value::select(subnormal, fraction, fraction | lit(0x80_0000)))
}

/// Where a b goes: the bin of its lowest digit in bits 0 to 7, and bit 31 set where the digits are to be subtracted.
pub fn place<M: WordMachine>(a: M::F32, b: M::F32) -> M::U32 {
    let lit = <M::U32 as Word>::lit;
    let ((ea, ma), (eb, mb)) = (parts::<M>(a), parts::<M>(b));
    let sign = (a.bits() ^ b.bits()) & lit(0x8000_0000);
    let finite = (ea + eb - lit(2)).shr(lit(5)) | sign;
    let top = lit(255);
    let infinite = |e: M::U32, m: M::U32| Word::eq(e, top) & Word::eq(m, lit(0x80_0000));
    let nan = |e: M::U32, m: M::U32| Word::eq(e, top) & !Word::eq(m, lit(0x80_0000));
    let (a_infinite, b_infinite) = (infinite(ea, ma), infinite(eb, mb));
    let (a_zero, b_zero) = (Word::eq(ma, lit(0)), Word::eq(mb, lit(0)));
    let invalid = nan(ea, ma) | nan(eb, mb) | (a_infinite & b_zero) | (b_infinite & a_zero);
    let special = lit(SPECIAL as u64) + sign.shr(lit(31));
    let place = Value::select(a_infinite | b_infinite, special, finite);
    Value::select(invalid, lit(SPECIAL as u64 + 2), place)
}

/// The digits of |a b| from its bin on: 80 bits, high word first. 1 where the product is not finite.
pub fn digits<M: WordMachine>(a: M::F32, b: M::F32) -> (M::U64, M::U64) {
    let (lit, lit32) = (<M::U64 as Word>::lit, <M::U32 as Word>::lit);
    let ((ea, ma), (eb, mb)) = (parts::<M>(a), parts::<M>(b));
    let special = Word::eq(ea, lit32(255)) | Word::eq(eb, lit32(255));
    let product = ma.to_u64() * mb.to_u64();
    let shift = (ea + eb - lit32(2)) & lit32(31);
    // In two steps: a shift by 64 is a shift by 0.
    let high = product.shr(lit32(1)).shr(lit32(63) - shift);
    (Value::select(special, lit(0), high), Value::select(special, lit(1), product.shl(shift)))
}

/// A sum of products of binary32 numbers, exact in any order for up to 2^31 products.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superaccumulator {
    bins: [i64; BINS],
}

impl Default for Superaccumulator {
    fn default() -> Self {
        Self::new()
    }
}

impl Superaccumulator {
    /// Zero.
    pub const fn new() -> Self {
        Superaccumulator { bins: [0; BINS] }
    }

    /// From bins, as a device leaves them.
    pub const fn from_bins(bins: [i64; BINS]) -> Self {
        Superaccumulator { bins }
    }

    /// Adds a b.
    pub fn add_product(&mut self, a: f32, b: f32) {
        let place = place::<Host>(a, b).0;
        let (high, low) = digits::<Host>(a, b);
        let bin = (place & 0xff) as usize;
        for (k, digit) in [low.0 & 0xffff_ffff, low.0 >> 32, high.0].into_iter().enumerate() {
            let digit = digit as i64;
            self.bins[bin + k] = self.bins[bin + k].wrapping_add(if place >> 31 == 1 { -digit } else { digit });
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Superaccumulator) {
        self.bins.iter_mut().zip(&other.bins).for_each(|(a, b)| *a = a.wrapping_add(*b));
    }

    /// The double nearest to the sum, ties to even: +0 for 0, NaN where a product was invalid or infinities of both signs
    /// met.
    pub fn round(&self) -> f64 {
        let [up, down, nan] = [0, 1, 2].map(|k| self.bins[SPECIAL + k] != 0);
        if nan || (up && down) {
            return f64::NAN;
        }
        if up || down {
            return if up { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        // Digits below 2^32 and a last one that carries the sign.
        let mut digits = [0i64; SPECIAL + 1];
        let mut carry = 0i64;
        for (digit, &bin) in digits.iter_mut().zip(&self.bins[..SPECIAL]) {
            let sum = i128::from(bin) + i128::from(carry);
            (*digit, carry) = ((sum & 0xffff_ffff) as i64, (sum >> 32) as i64);
        }
        digits[SPECIAL] = carry;
        let negative = carry < 0;
        if negative {
            let mut borrow = 0;
            for digit in &mut digits[..SPECIAL] {
                let d = -*digit - borrow;
                (*digit, borrow) = (d & 0xffff_ffff, i64::from(d < 0));
            }
            digits[SPECIAL] = -digits[SPECIAL] - borrow;
        }
        let Some(top) = digits.iter().rposition(|&d| d != 0) else { return 0.0 };
        // The top 128 bits, the last one sticky.
        let at = |k: usize| top.checked_sub(k).map_or(0, |k| digits[k] as u128);
        let mut word = at(0) << 64 | at(1) << 32 | at(2);
        let lead = word.leading_zeros();
        word <<= lead;
        // at(0) has up to 63 bits where it is the carry, so up to three more digits fit below.
        let below = at(3) << 32 | at(4);
        word |= if lead >= 64 { below << (lead - 64) } else { below >> (64 - lead) };
        let rest = if lead >= 64 { 0 } else { below << (64 + lead) };
        let sticky = rest != 0 || (5..=top).any(|k| at(k) != 0);
        // Bit 0 is far below the last one kept, so that it can be the sticky bit; the exponent is far from both ends.
        let scale = crate::machine::exp2(WEIGHT + 32 * (top as i32 - 2) - lead as i32);
        let magnitude = (word | u128::from(sticky)) as f64 * scale;
        if negative { -magnitude } else { magnitude }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    fn exact(terms: &[(f32, f32)]) -> f64 {
        let mut sum = Superaccumulator::new();
        terms.iter().for_each(|&(a, b)| sum.add_product(a, b));
        sum.round()
    }

    #[test]
    fn one_product_is_rounded_as_double_does_it() {
        for a in [1.0f32, -3.5, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), -f32::from_bits(0x7f_ffff), 1e-20] {
            for b in [1.0f32, 0.1, f32::MAX, -f32::from_bits(1), 7e30, f32::from_bits(12345)] {
                assert_eq!(exact(&[(a, b)]).to_bits(), (f64::from(a) * f64::from(b)).to_bits(), "{a} {b}");
            }
        }
    }

    #[test]
    fn zeros_and_what_is_not_finite() {
        let inf = f32::INFINITY;
        assert_eq!(exact(&[]).to_bits(), 0);
        assert_eq!(exact(&[(-0.0, 1.0)]).to_bits(), 0);
        assert_eq!(exact(&[(1.5, -2.0), (3.0, 1.0)]).to_bits(), 0);
        assert_eq!(exact(&[(inf, -2.0), (f32::MAX, f32::MAX)]), f64::NEG_INFINITY);
        assert_eq!(exact(&[(inf, inf)]), f64::INFINITY);
        for bad in [(inf, 0.0), (-0.0, inf), (f32::NAN, 1.0), (0.0, f32::NAN)] {
            assert!(exact(&[bad]).is_nan(), "{bad:?}");
        }
        assert!(exact(&[(inf, 1.0), (-inf, 1.0)]).is_nan());
    }

    #[test]
    fn nothing_is_lost_under_cancellation() {
        let tiny = f32::from_bits(1);
        assert_eq!(exact(&[(f32::MAX, f32::MAX), (tiny, tiny), (-f32::MAX, f32::MAX)]), 2f64.powi(-298));
        assert_eq!(exact(&[(f32::MAX, f32::MAX), (-tiny, tiny), (-f32::MAX, f32::MAX)]), -(2f64.powi(-298)));
    }

    #[test]
    fn ties_go_to_even_and_sticky_bits_count() {
        let one = (1.0f32, 1.0f32);
        let half_ulp = (2f32.powi(-26), 2f32.powi(-27));
        let tiny = (f32::from_bits(1), 1.0f32);
        assert_eq!(exact(&[one, half_ulp]), 1.0);
        assert_eq!(exact(&[one, half_ulp, tiny]), 1.0 + f64::EPSILON);
        assert_eq!(exact(&[one, (2f32.powi(-26), 2f32.powi(-26)), half_ulp]), 1.0 + 2.0 * f64::EPSILON);
    }

    #[test]
    fn many_products_and_any_order() {
        let terms: Vec<(f32, f32)> =
            (1..20_000u32).map(|k| (f32::from_bits(k.wrapping_mul(0x9e37_79b9) & 0xbf7f_ffff), k as f32)).collect();
        let (front, back) = terms.split_at(7000);
        let (mut a, mut b) = (Superaccumulator::new(), Superaccumulator::new());
        back.iter().rev().for_each(|&(x, y)| a.add_product(x, y));
        front.iter().for_each(|&(x, y)| b.add_product(x, y));
        a.merge(&b);
        assert_eq!(a.round().to_bits(), exact(&terms).to_bits());
        assert!(a.round().is_finite());
    }
}
