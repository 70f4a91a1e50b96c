//! The terms of log(1 + f) from the third on, for pow.
//!
//! Written by `cargo run --release -p vernier-oracle --example coefficients`.

use super::{Polynomial, f};

/// binary32: f^2 times the error is at most 2^-59.02 on -0.011719 <= f <= 0.015442, degree 8.
///
/// binary64: f^2 times the error is at most 2^-123.54 on -0.005859 <= f <= 0.007767, degree 16.
pub(in crate::math) const CUBIC: [Polynomial; 2] = [
    Polynomial {
        pairs: &[
            (f(0x3fd5555560000000), f(0xbe45554dc0000000)),
            (f(0xbfd0000000000000), f(0x3db1223fe0000000)),
            (f(0x3fc99999a0000000), f(0xbe3644fa00000000)),
        ],
        singles: &[f(0xbfc5555800000000), f(0x3fc24a0e80000000), f(0xbfbf9f1f40000000)],
    },
    Polynomial {
        pairs: &[
            (f(0x3fd5555555555555), f(0x3c75555555555555)),
            (f(0xbfd0000000000000), f(0x395b02bded63b753)),
            (f(0x3fc999999999999a), f(0xbc6999999999891b)),
            (f(0xbfc5555555555555), f(0xbc65555555c751a9)),
            (f(0x3fc2492492492492), f(0x3c62492421805984)),
            (f(0xbfc0000000000000), f(0x3ba1f039435ae7f1)),
            (f(0x3fbc71c71c71c71c), f(0x3c5d9d0d0e3deb62)),
        ],
        singles: &[f(0xbfb99999999999a4), f(0x3fb745d1745d1523), f(0xbfb55555554f1e83), f(0x3fb3b13b13a657d3), f(0xbfb249267008ab03), f(0x3fb1115b30664449), f(0xbfaf8dbd8901124a)],
    },
];
