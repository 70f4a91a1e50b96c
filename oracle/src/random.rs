//! The random words of stochastic rounding, from their definition: Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011).

/// A counter after ten rounds under a key, in 64-bit arithmetic.
fn philox(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    const LOW: u64 = 0xffff_ffff;
    let round = |[a, b, c, d]: [u64; 4], i: u64| {
        let k = [key[0] + i * 0x9e37_79b9, key[1] + i * 0xbb67_ae85].map(|k| k & LOW);
        let (p, q) = (a * 0xd251_1f53, c * 0xcd9e_8d57);
        [q >> 32 ^ b ^ k[0], q & LOW, p >> 32 ^ d ^ k[1], p & LOW]
    };
    (0..10).fold(counter, round)
}

/// Where words come from: a seed, and the number of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    /// The key.
    pub seed: u64,
    /// The number of the operation.
    pub operation: u64,
}

impl Draw {
    /// Word `j`: 0 rounds the result, 1 to 3 the operands.
    pub fn word(self, j: u64) -> u64 {
        let halves = |x: u64| [x & 0xffff_ffff, x >> 32];
        let [low, high] = halves(self.operation);
        let words = philox([low, high, j / 2, 0], halves(self.seed));
        let pair = if j.is_multiple_of(2) { &words[..2] } else { &words[2..] };
        pair[0] | pair[1] << 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers of the Random123 library.
    #[test]
    fn philox_has_the_known_answers() {
        let ones = 0xffff_ffff;
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox([ones; 4], [ones; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        assert_eq!(philox(pi, [0xa409_3822, 0x299f_31d0]), [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn words_are_halves_of_counters() {
        let draw = Draw { seed: 7, operation: 1 << 32 | 5 };
        let [a, b, c, d] = philox([5, 1, 1, 0], [7, 0]);
        assert_eq!([2, 3].map(|j| draw.word(j)), [a | b << 32, c | d << 32]);
    }
}
