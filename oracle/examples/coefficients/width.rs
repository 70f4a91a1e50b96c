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
}
