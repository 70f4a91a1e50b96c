//! Decimal numbers far outside the range of doubles: their leading bits, by floating point of 576 bits.

const WORDS: usize = 9;
const BITS: u32 = 64 * WORDS as u32;
/// Digits that are taken into account: below 2^256.
pub(super) const DIGITS: usize = 77;
/// Numbers from 10^LIMIT on, or below 10^-LIMIT, are beyond 2^(2^26) and its reciprocal.
pub(super) const LIMIT: i64 = 20_300_000;

/// A number above 0, cut off: significand, lowest word first and the highest bit set, and the weight of that bit.
#[derive(Clone, Copy)]
struct Wide {
    words: [u64; WORDS],
    exponent: i64,
}

impl Wide {
    const ONE: Wide = {
        let mut words = [0; WORDS];
        words[WORDS - 1] = 1 << 63;
        Wide { words, exponent: 0 }
    };
    const TEN: Wide = {
        let mut words = [0; WORDS];
        words[WORDS - 1] = 0b101 << 61;
        Wide { words, exponent: 3 }
    };
    const TENTH: Wide = Wide { words: [0xcccc_cccc_cccc_cccc; WORDS], exponent: -4 };

    fn times(&self, other: &Wide) -> Wide {
        let mut product = [0u64; 2 * WORDS];
        for (i, &a) in self.words.iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in other.words.iter().enumerate() {
                let sum = u128::from(a) * u128::from(b) + u128::from(product[i + j]) + u128::from(carry);
                (product[i + j], carry) = (sum as u64, (sum >> 64) as u64);
            }
            product[i + WORDS] = carry;
        }
        let carried = product[2 * WORDS - 1] >> 63;
        let shift = 1 - carried as u32;
        let mut words = [0; WORDS];
        for (i, word) in words.iter_mut().enumerate() {
            let at = i + WORDS;
            // The bit that comes up from below, where there is a shift.
            *word = product[at] << shift | product[at - 1] >> 63 & u64::from(shift);
        }
        Wide { words, exponent: self.exponent + other.exponent + carried as i64 }
    }

    /// 10^n, below by less than 2^-540 of it for |n| < 2^26.
    fn power_of_ten(n: i64) -> Wide {
        let (mut power, mut square, mut left) =
            (Wide::ONE, if n < 0 { Wide::TENTH } else { Wide::TEN }, n.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                power = power.times(&square);
            }
            square = square.times(&square);
            left >>= 1;
        }
        power
    }

    /// A whole number above 0 from its decimal digits, at most [`DIGITS`].
    fn whole(digits: impl Iterator<Item = u64>) -> Wide {
        let mut words = [0u64; WORDS];
        for digit in digits {
            let mut carry = digit;
            for word in &mut words {
                let sum = u128::from(*word) * 10 + u128::from(carry);
                (*word, carry) = (sum as u64, (sum >> 64) as u64);
            }
        }
        let top = words.iter().rposition(|&w| w != 0).unwrap_or(0);
        let zeros = words[top].leading_zeros();
        let mut shifted = [0; WORDS];
        for i in 0..=top {
            let below = if i == 0 || zeros == 0 { 0 } else { words[i - 1] >> (64 - zeros) };
            shifted[WORDS - 1 - top + i] = words[i] << zeros | below;
        }
        Wide { words: shifted, exponent: i64::from(BITS - 1 - zeros) - 64 * (WORDS - 1 - top) as i64 }
    }
}

/// The leading 128 bits of `digits` 10^exponent and the weight of the first one.
///
/// Such a number has a power of 5 above 5^200 as factor or divisor, so that something is always left below the bits. To reach the
/// next of the 62 that count it would have to be next to it by 2^-540, which no number of [`DIGITS`] digits is: some
/// 2^282 of them, at random, come within 2^-344 at best.
pub(super) fn leading(digits: impl Iterator<Item = u64>, exponent: i64) -> (u128, i32) {
    let x = Wide::whole(digits).times(&Wide::power_of_ten(exponent));
    (u128::from(x.words[WORDS - 1]) << 64 | u128::from(x.words[WORDS - 2]), x.exponent as i32)
}
