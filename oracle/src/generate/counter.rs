//! Random words as a function of a key and a counter: SplitMix64 (Steele, Lea and Flood 2014) read at any place of its sequence.

/// The golden ratio's 64 bits, which SplitMix64 counts in.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Words that one case may take.
const WORDS_PER_CASE: u64 = 256;

/// Word `n` of the sequence of a key.
#[inline(always)]
pub const fn word(key: u64, n: u64) -> u64 {
    let z = key.wrapping_add(n.wrapping_add(1).wrapping_mul(STEP));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of a stream under a seed: streams of one seed have unrelated keys.
pub const fn key(seed: u64, stream: u64) -> u64 {
    word(word(seed, 0) ^ stream, 1)
}

/// The key of a named stream under a seed.
pub fn named_key(seed: u64, name: &str) -> u64 {
    // FNV-1a (Fowler, Noll and Vo 1991).
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    key(seed, hash)
}

/// The words of one case, in order.
#[derive(Clone, Debug)]
pub struct Words {
    key: u64,
    n: u64,
}

impl Words {
    /// The words of case `index`.
    #[inline(always)]
    pub const fn new(key: u64, index: u64) -> Words {
        Words { key, n: index.wrapping_mul(WORDS_PER_CASE) }
    }

    /// The next word.
    #[inline(always)]
    pub const fn next(&mut self) -> u64 {
        let w = word(self.key, self.n);
        self.n = self.n.wrapping_add(1);
        w
    }

    /// A number below `n`; 0 where `n` is 0.
    #[inline(always)]
    pub const fn below(&mut self, n: u64) -> u64 {
        ((self.next() as u128 * n as u128) >> 64) as u64
    }

    /// True in one of `n` cases.
    #[inline(always)]
    pub const fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A number in `low..=high`; `low` where that is empty.
    #[inline(always)]
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        let count = i64::from(high) - i64::from(low) + 1;
        (i64::from(low) + self.below(count.max(0) as u64) as i64) as i32
    }

    /// A number below `2^bits`, whose own number of bits is uniform: small ones are as likely as large ones.
    #[inline(always)]
    pub const fn sized(&mut self, bits: u32) -> u64 {
        let size = self.below(bits as u64 + 1) as u32;
        if size == 0 { 0 } else { self.next() >> (64 - size) }
    }

    /// One of a list that is not empty.
    #[inline(always)]
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}
