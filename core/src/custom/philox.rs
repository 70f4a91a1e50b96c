//! Random words from a counter: Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011).

use super::layout::int;
use crate::machine::{Word, WordMachine};

/// The four words of a counter under a key: ten rounds of two 32 by 32 bit products.
#[inline(always)]
pub fn philox<M: WordMachine>(counter: [M::U32; 4], key: [M::U32; 2]) -> [M::U32; 4] {
    let (m0, m1) = (M::U32::lit(0xd251_1f53), M::U32::lit(0xcd9e_8d57));
    let (w0, w1) = (M::U32::lit(0x9e37_79b9), M::U32::lit(0xbb67_ae85));
    let ([mut a, mut b, mut c, mut d], [mut k0, mut k1]) = (counter, key);
    for _ in 0..10 {
        let (high0, low0) = (a.mul_hi(m0), a * m0);
        let (high1, low1) = (c.mul_hi(m1), c * m1);
        (a, b, c, d) = (high1 ^ b ^ k0, low1, high0 ^ d ^ k1, low0);
        (k0, k1) = (k0 + w0, k1 + w1);
    }
    [a, b, c, d]
}

/// Where random words come from: a seed, and the number of the operation.
///
/// Word j of operation n has the key `seed` and the counter (n, j / 2, 0): its low or high half. Word 0 rounds the
/// result, words 1 to 3 the operands.
pub struct Random<M: WordMachine> {
    /// The key.
    pub seed: M::U64,
    /// The number of the operation.
    pub operation: M::U64,
}

impl<M: WordMachine> Clone for Random<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: WordMachine> Copy for Random<M> {}

impl<M: WordMachine> Random<M> {
    /// For formats that take no random words.
    #[inline(always)]
    pub fn none() -> Self {
        Random { seed: M::U64::lit(0), operation: M::U64::lit(0) }
    }

    /// Word `j` of the operation.
    #[inline(always)]
    pub fn word(&self, j: u32) -> M::U64 {
        let halves = |x: M::U64| [x.to_u32(), x.shr(int::<M>(32)).to_u32()];
        let [n0, n1] = halves(self.operation);
        let counter = [n0, n1, M::U32::lit((j / 2).into()), M::U32::lit(0)];
        let [a, b, c, d] = philox::<M>(counter, halves(self.seed));
        let joined = |low: M::U32, high: M::U32| low.to_u64() | high.to_u64().shl(int::<M>(32));
        if j.is_multiple_of(2) { joined(a, b) } else { joined(c, d) }
    }
}
