//! The series of r / tan r in r^2, less 1.
//!
//! Written by `cargo run --release -p vernier-oracle --example coefficients`.

use super::{Polynomial, f};

/// binary32: 2^-50.78 on 0 <= t <= 0.621669, degree 7.
///
/// binary64: 2^-109.56 on 0 <= t <= 0.621669, degree 17.
pub(in crate::math) const TANGENT: [Polynomial; 2] = [
    Polynomial {
        pairs: &[
            (f(0xbfd5555560000000), f(0x3e45555d80000000)),
            (f(0xbf96c16c20000000), f(0x3e0262d9c0000000)),
            (f(0xbf61566ac0000000), f(0x3dd68583c0000000)),
            (f(0xbf2bbd7b80000000), f(0x3d998b7040000000)),
            (f(0xbef669fd40000000), f(0x3d57b6f6e0000000)),
            (f(0xbec2347820000000), f(0x3d3c850820000000)),
        ],
        singles: &[f(0xbe8c35d680000000), f(0xbe5fd60c40000000)],
    },
    Polynomial {
        pairs: &[
            (f(0xbfd5555555555555), f(0xbc755555555554ec)),
            (f(0xbf96c16c16c16c17), f(0x3c2f49f49f3df5b1)),
            (f(0xbf61566abc011567), f(0x3c050ffbb9d4b048)),
            (f(0xbf2bbd779334ef0b), f(0x3bc4e636f68589e3)),
            (f(0xbef66a8f2bf70ebe), f(0x3b977a640937e046)),
            (f(0xbec22805d644267f), f(0xbb5cc07f8a36eb3e)),
            (f(0xbe8d6db2c4e09132), f(0xbaf29c01e27ceb2c)),
            (f(0xbe57da4e1f79a1f4), f(0xbaccec57b1d8d33c)),
            (f(0xbe2355871d62b833), f(0xbacbe05162c31df6)),
            (f(0xbdef57d969856924), f(0xba813be7f568ee24)),
            (f(0xbdb967e1db747bf1), f(0x3a5c295ea92b8ed9)),
            (f(0xbd8497dada3c4f9f), f(0xba0367cd7e3c5a24)),
            (f(0xbd50b1137c4006d9), f(0xb9ecf64b3d72683c)),
        ],
        singles: &[f(0xbd1b129c975a57e8), f(0xbce5d0de7c6967b8), f(0xbcb2973c33800ce2), f(0xbc7562970969ddca), f(0xbc558d9b4035ff6b)],
    },
];
