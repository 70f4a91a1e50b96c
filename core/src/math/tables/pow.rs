//! The terms of log(1 + f) from the third on, for pow.
//!
//! Written by `cargo run --release -p vernier-oracle --example coefficients`.

use super::{Polynomial, f};

/// binary32: f^2 times the error is at most 2^-60.99 on -0.011719 <= f <= 0.011109, degree 8.
///
/// binary64: f^2 times the error is at most 2^-124.40 on -0.005859 <= f <= 0.005707, degree 16.
pub(in crate::math) static CUBIC: [Polynomial; 2] = [
    Polynomial {
        pairs: &[
            (f(0x3fd5555560000000), f(0xbe45554f60000000)),
            (f(0xbfd0000000000000), f(0xbd7536bd40000000)),
            (f(0x3fc99999a0000000), f(0xbe3562d620000000)),
        ],
        singles: &[f(0xbfc5555500000000), f(0x3fc24a0860000000), f(0xbfc008f220000000)],
    },
    Polynomial {
        pairs: &[
            (f(0x3fd5555555555555), f(0x3c75555555555555)),
            (f(0xbfd0000000000000), f(0xb8f55497a216ce69)),
            (f(0x3fc999999999999a), f(0xbc6999999999a688)),
            (f(0xbfc5555555555555), f(0xbc65555555514c22)),
            (f(0x3fc2492492492492), f(0x3c624924c6f4fe00)),
            (f(0xbfc0000000000000), f(0xbb5b8ec0b5f85a16)),
            (f(0x3fbc71c71c71c71c), f(0x3c5ba9087db7b84c)),
        ],
        singles: &[f(0xbfb9999999999999), f(0x3fb745d1745d1a73), f(0xbfb555555555bf76), f(0x3fb3b13b11ee0b7f), f(0xbfb249246dcafc1b), f(0x3fb111929ebda8a8), f(0xbfb0051f2ca793c2)],
    },
];
