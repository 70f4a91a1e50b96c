//! Exponentials for b = 2.
//!
//! Written by `cargo run --release -p vernier-oracle --example coefficients`.

use super::{Exponential, Polynomial, f};

/// binary32: b^r - 1 to 2^-51.91 on |r| <= 0.500017, degree 10.
///
/// binary64: b^r - 1 to 2^-116.14 on |r| <= 0.015625, degree 11.
pub(in crate::math) const EXP2: [Exponential; 2] = [
    Exponential { per_unit: f(0x3ff0000000000000), step: [f(0x3ff0000000000000), 0.0, 0.0], moderate: f(0x4058c00000000000), end: f(0x4064a00000000000), tail: Polynomial {
        pairs: &[
            (f(0x3fe62e4300000000), f(0xbe205c5e60000000)),
            (f(0x3fcebfbe00000000), f(0xbdef4e92a0000000)),
            (f(0x3fac6b08e0000000), f(0xbe11f868c0000000)),
            (f(0x3f83b2ab60000000), f(0x3dff73b2a0000000)),
            (f(0x3f55d87fe0000000), f(0x3dc3b3b6e0000000)),
            (f(0x3f24309140000000), f(0xbd9d285340000000)),
        ],
        singles: &[f(0x3eeffcb540000000), f(0x3eb62bfb40000000), f(0x3e7b675880000000), f(0x3e3e63c680000000)],
    }, powers: &[] },
    Exponential { per_unit: f(0x4040000000000000), step: [f(0x3fa0000000000000), 0.0, 0.0], moderate: f(0x408e300000000000), end: f(0x40927c0000000000), tail: Polynomial {
        pairs: &[
            (f(0x3fe62e42fefa39ef), f(0x3c7abc9e3b39803f)),
            (f(0x3fcebfbdff82c58f), f(0xbc65e43a53e44c41)),
            (f(0x3fac6b08d704a0c0), f(0xbc4d3316274fcbaf)),
            (f(0x3f83b2ab6fba4e77), f(0x3c14e65dc8e4d16e)),
            (f(0x3f55d87fe78a6731), f(0x3bd071675f63c9e2)),
            (f(0x3f2430912f86c787), f(0x3bcd3e53a77f413d)),
        ],
        singles: &[f(0x3eeffcbfc588b0c7), f(0x3eb62c0223a56cdd), f(0x3e7b5253d3957886), f(0x3e3e4cfa49442bcd), f(0x3dfe8cb1a846b33b)],
    }, powers: &super::powers::POWERS },
];
