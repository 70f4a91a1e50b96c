//! Frames with generated content.

use super::{Frames, Plane, PlaneError, Samples};
use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a plane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Noise over all values.
    Noise,
    /// Noise from the first value to the second.
    Between(u16, u16),
    /// Noise of 8 bits times a factor, in 16 bits: 257 fills the range, 256 is a shift.
    Bytes(u16),
    /// The two values in turn, in both directions.
    Checkerboard(u16, u16),
    /// Noise of which a tenth is below the value, the rest from there on.
    TenthBelow(u16),
    /// 2^21 + 66 samples with all bits set, then ones.
    BrightThenOnes,
}

impl Content {
    /// A plane of `width` x `height` samples of `bits` bits, `stride` samples apart. Equal seeds give equal planes. What lies between the rows
    /// is noise that no result may depend on.
    ///
    /// # Errors
    /// If these make no plane, or the content does not fit `bits`.
    pub fn plane(
        self,
        (width, height): (usize, usize),
        stride: usize,
        bits: u32,
        seed: u64,
    ) -> Result<Plane, PlaneError> {
        // Sizes are looked at before they are allocated.
        if width == 0 || height == 0 || stride.saturating_mul(height) >= 1 << 31 {
            return Err(PlaneError::Size { width, height });
        }
        let mut random = Random { source: Xoshiro256PlusPlus::seed_from_u64(seed), word: 0, left: 0 };
        let top = ((1u64 << bits.min(16)) - 1) as u16;
        let mut sample = |x: usize, y: usize| -> u16 {
            match self {
                _ if x >= width => random.below(u32::from(top) + 1),
                Content::Noise => random.below(u32::from(top) + 1),
                Content::Between(low, high) => low + random.below(u32::from(high - low) + 1),
                Content::Bytes(factor) => random.below(256) * factor,
                Content::Checkerboard(a, b) => [a, b][(x + y) % 2],
                Content::BrightThenOnes if y * width + x < (1 << 21) + 66 => top,
                Content::BrightThenOnes => 1,
                Content::TenthBelow(limit) if random.below(10) == 0 => random.below(limit.into()),
                Content::TenthBelow(limit) => limit + random.below(u32::from(top - limit) + 1),
            }
        };
        let places = (0..height).flat_map(|y| (0..stride).map(move |x| (x, y)));
        let samples = if bits == 8 {
            Samples::U8(places.map(|(x, y)| sample(x, y) as u8).collect())
        } else {
            Samples::U16(places.map(|(x, y)| sample(x, y)).collect())
        };
        Plane::new(width, height, stride, bits, samples)
    }

    /// Two such planes with seeds of their own.
    ///
    /// # Errors
    /// As [`plane`](Content::plane).
    pub fn frames(self, size: (usize, usize), stride: usize, bits: u32, seed: u64) -> Result<Frames, PlaneError> {
        let plane = |k: u64| self.plane(size, stride, bits, seed.wrapping_mul(2).wrapping_add(k));
        Ok(Frames { reference: plane(0)?, distorted: plane(1)? })
    }
}

/// Random numbers of 32 bits.
struct Random {
    source: Xoshiro256PlusPlus,
    word: u64,
    left: u32,
}

impl Random {
    /// Below `n`, at most 2^16: uniform but for n / 2^32.
    fn below(&mut self, n: u32) -> u16 {
        if self.left == 0 {
            (self.word, self.left) = (self.source.next_u64(), 2);
        }
        let bits = self.word as u32;
        (self.word, self.left) = (self.word >> 32, self.left - 1);
        ((u64::from(bits) * u64::from(n)) >> 32) as u16
    }
}
