//! Exponentials for b = e.
//!
//! Written by `cargo run --release -p vernier-oracle --example coefficients`.

use super::{Exponential, Polynomial, f};

/// binary32: b^r - 1 to 2^-51.31 on |r| <= 0.346588, degree 10.
///
/// binary64: b^r - 1 to 2^-117.28 on |r| <= 0.010830, degree 11.
pub(in crate::math) const EXP: [Exponential; 2] = [
    Exponential { per_unit: f(0x3ff7154760000000), step: [f(0x3fe62e4300000000), f(0xbe205c6000000000), f(0xbce0ca86c0000000)], moderate: f(0x4051000000000000), end: f(0x405cc00000000000), tail: Polynomial {
        pairs: &[
            (f(0x3ff0000000000000), 0.0),
            (f(0x3fe0000000000000), 0.0),
            (f(0x3fc5555560000000), f(0xbe3555fe60000000)),
            (f(0x3fa5555560000000), f(0xbe1555cb80000000)),
            (f(0x3f81111120000000), f(0xbdfb3259e0000000)),
            (f(0x3f56c16c20000000), f(0xbdbf083000000000)),
        ],
        singles: &[f(0x3f2a0198c0000000), f(0x3efa019960000000), f(0x3ec72e9ba0000000), f(0x3e928b3940000000)],
    }, powers: &[] },
    Exponential { per_unit: f(0x40471547652b82fe), step: [f(0x3f962e42fefa39ef), f(0x3c2abc9e3b3a0000), f(0xb9cff0342542fc33)], moderate: f(0x4084e80000000000), end: f(0x4089a00000000000), tail: Polynomial {
        pairs: &[
            (f(0x3ff0000000000000), 0.0),
            (f(0x3fe0000000000000), 0.0),
            (f(0x3fc5555555555555), f(0x3c6555555555493d)),
            (f(0x3fa5555555555555), f(0x3c4555554c617ccd)),
            (f(0x3f81111111111111), f(0x3c01111223570165)),
            (f(0x3f56c16c16c16c17), f(0xbbed2f7ee110fe0c)),
        ],
        singles: &[f(0x3f2a01a01a01a01a), f(0x3efa01a01a014939), f(0x3ec71de3a5567587), f(0x3e927e52a30ad25d), f(0x3e5ae649b9df7b10)],
    }, powers: &super::powers::POWERS },
];
