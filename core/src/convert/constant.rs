//! Constructors for constants. A trait cannot be called in a `const`, so these repeat the conversions of `f64` and
//! `i64` on the host's own arithmetic; tests hold the two against each other.

use crate::double_word::DoubleWord;
use crate::pair::Level;

impl<A: Level> DoubleWord<f32, A> {
    /// hi = RN(x), lo = RN(x - hi): [`RoundFrom`](crate::RoundFrom) for constants.
    ///
    /// ```
    /// use vernier::fp32mp2;
    /// const TENTH: fp32mp2 = fp32mp2::from_f64(0.1);
    /// assert_eq!(TENTH.to_parts(), (0.1, -1.4901161e-9));
    /// ```
    pub const fn from_f64(x: f64) -> Self {
        if x.is_nan() {
            return Self::from_limb(f32::from_bits(0x7fc0_0000));
        }
        let hi = x as f32;
        if hi == 0.0 || hi.is_infinite() {
            return Self::from_limb(hi);
        }
        // Exact; adding +0 turns -0 into +0.
        Self::from_parts(hi, (x - hi as f64) as f32 + 0.0)
    }

    /// hi = RN(x), lo = RN(x - hi): [`RoundFrom`](crate::RoundFrom) for constants.
    pub const fn from_i64(x: i64) -> Self {
        let hi = x as f32;
        Self::from_parts(hi, (x as i128 - hi as i128) as f32)
    }
}

impl<A: Level> DoubleWord<f64, A> {
    /// (x, +0): `From` for constants.
    pub const fn from_f64(x: f64) -> Self {
        Self::from_limb(if x.is_nan() { f64::from_bits(0x7ff8_0000_0000_0000) } else { x })
    }

    /// Exact: `From` for constants.
    pub const fn from_i64(x: i64) -> Self {
        let hi = x as f64;
        Self::from_parts(hi, (x as i128 - hi as i128) as f64)
    }
}
