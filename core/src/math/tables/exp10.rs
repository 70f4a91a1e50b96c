//! Exponentials for b = 10.
//!
//! Written by `cargo run --release -p vernier-oracle --example coefficients`.

use super::{Exponential, Polynomial, f};

/// binary32: b^r - 1 to 2^-51.38 on |r| <= 0.150526, degree 10.
///
/// binary64: b^r - 1 to 2^-113.82 on |r| <= 0.004704, degree 11.
pub(in crate::math) const EXP10: [Exponential; 2] = [
    Exponential { per_unit: f(0x400a934f00000000), step: [f(0x3fd3441360000000), f(0xbe4ec10000000000), f(0xbd380433c0000000)], moderate: f(0x403d000000000000), end: f(0x4049000000000000), tail: Polynomial {
        pairs: &[
            (f(0x40026bb1c0000000), f(0xbe612aab20000000)),
            (f(0x40053524c0000000), f(0x3e6cf3aa20000000)),
            (f(0x40004705a0000000), f(0xbe7c449b40000000)),
            (f(0x3ff2bd7600000000), f(0x3e63fa4620000000)),
            (f(0x3fe142a000000000), f(0xbe20f10760000000)),
            (f(0x3fca7ed700000000), f(0x3e35a5ad20000000)),
        ],
        singles: &[f(0x3fb16e4840000000), f(0x3f941164c0000000), f(0x3f74994920000000), f(0x3f52f89180000000)],
    }, powers: &[] },
    Exponential { per_unit: f(0x405a934f0979a371), step: [f(0x3f834413509f79ff), f(0xbbf9dc1da9950000), f(0x3946f922f04d5a62)], moderate: f(0x4072200000000000), end: f(0x4076400000000000), tail: Polynomial {
        pairs: &[
            (f(0x40026bb1bbb55516), f(0xbcaf48ad494ea3ea)),
            (f(0x40053524c73cea69), f(0xbcae2bfab318d5a1)),
            (f(0x4000470591de2ca4), f(0x3ca823527ced03d1)),
            (f(0x3ff2bd7609fd98c4), f(0x3c931ea50ca0f71b)),
            (f(0x3fe1429ffd1d4d76), f(0x3c71170e233d555a)),
            (f(0x3fca7ed70847c8b6), f(0xbc506bc55d7e66b1)),
        ],
        singles: &[f(0x3fb16e4dfc333a87), f(0x3f94116b05fd57bf), f(0x3f74897c45d8e9a4), f(0x3f52ea55f2271137), f(0x3f2fad02c3a9966e)],
    }, powers: &super::powers::POWERS },
];
