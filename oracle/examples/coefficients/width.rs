//! The two widths.

/// A limb's format, as the kernels need it.
#[derive(Clone, Copy)]
pub struct Width {
    /// Significand bits.
    pub p: u32,
    /// Exponent of the smallest normal number.
    pub min_exp: i32,
}

impl Width {
    /// binary32 and binary64.
    pub const BOTH: [Width; 2] = [Width { p: 24, min_exp: -126 }, Width { p: 53, min_exp: -1022 }];

    /// The largest exponent of a number's binade, subnormal ones and sums of two limbs included.
    pub fn exponents(&self) -> i32 {
        self.p as i32 - self.min_exp
    }

    /// An even number of limbs as words of a table: two limbs of binary32 in one, the first one low.
    pub fn words(&self, limbs: &[f64]) -> Vec<u64> {
        let single = |x: f64| u64::from((x as f32).to_bits());
        match self.p {
            24 => limbs.chunks_exact(2).map(|x| single(x[0]) | single(x[1]) << 32).collect(),
            _ => limbs.iter().map(|x| x.to_bits()).collect(),
        }
    }
}
