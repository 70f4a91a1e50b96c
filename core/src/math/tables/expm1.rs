//! Exponentials for b = e.
//!
//! Written by `cargo run --release -p vernier-oracle --example coefficients`.

use super::{EXP, Exponential, Polynomial, f};

/// binary32: b^r - 1 to 2^-51.55 on |r| <= 0.346588, degree 10.
///
/// binary64: as [`EXP`].
pub(in crate::math) const EXPM1: [Exponential; 2] = [
    Exponential { per_unit: f(0x3ff7154760000000), step: [f(0x3fe62e4300000000), f(0xbe205c6000000000), f(0xbce0ca86c0000000)], moderate: f(0x4051000000000000), end: f(0x405cc00000000000), tail: Polynomial {
        pairs: &[
            (f(0x3ff0000000000000), 0.0),
            (f(0x3fe0000000000000), 0.0),
            (f(0x3fc5555560000000), f(0xbe3555f200000000)),
            (f(0x3fa5555560000000), f(0xbe1555cc80000000)),
            (f(0x3f81111120000000), f(0xbdfb4482a0000000)),
            (f(0x3f56c16c20000000), f(0xbdbf060aa0000000)),
            (f(0x3f2a0198c0000000), f(0x3d98cc5ce0000000)),
        ],
        singles: &[f(0x3efa019960000000), f(0x3ec72e9ba0000000), f(0x3e928b3940000000)],
    }, powers: &[] },
    EXP[1],
];
