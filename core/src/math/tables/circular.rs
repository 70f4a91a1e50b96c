//! Sines and cosines.
//!
//! Written by `cargo run --release -p vernier-oracle --example coefficients`.

use super::{Circular, f};

/// Coefficients of S, and of C.
pub(in crate::math) static ROWS_32: [u64; 12] = [
    0x31aaaaabbe2aaaab, 0xafeef0833c088889, 0x2c4810cab9500d01, 0xa9a220093638ef1b, 0x2f2ec60bb2d72f28, 0x0000000000000000,
    0x00000000bf000000, 0xb0aaad003d2aaaab, 0x2e18b401bab60b61, 0x2b041b2b37d00cfd, 0x310de0c2b493f00c, 0x0000000000000000,
];

/// Zeros, and the bits of 2/pi.
pub(in crate::math) static BITS_32: [u64; 8] = [
    0x0000000000000000,
    0x0000000000000000,
    0x0000000000000000,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
];

/// Coefficients of S, and of C.
pub(in crate::math) static ROWS_64: [u64; 40] = [
    0xbfc5555555555555, 0xbc65555555555550, 0x3f81111111111111, 0x3c011111111099a8, 0xbf2a01a01a01a01a, 0xbb6a019fdd8b14e9, 0x3ec71de3a556c734, 0xbb6c15535eff5660, 0xbe5ae64567f544e4, 0x3afc181982485e56, 0x3de6124613a86d09, 0xba85be12adfe7dcc, 0xbd6ae7f3e733b4ed, 0x3a0c9959a147c418, 0x3ce952c7702873ad, 0x3981e9e4541a0ac5, 0xbc62f49b388ec6e5, 0x3bd71b7101e64c56, 0xbb473cc3492ab1b7, 0x0000000000000000,
    0xbfe0000000000000, 0x0000000000000000, 0x3fa5555555555555, 0x3c4555555555167e, 0xbf56c16c16c16c17, 0x3bef49f4a269dbf5, 0x3efa01a01a01a01a, 0x3b39ffacbe037b44, 0xbe927e4fb7789f5c, 0xbb3ca6f9dd115b62, 0x3e21eed8eff8d897, 0xbac5676ca9ae2493, 0xbda93974a8c07854, 0xba4b0658e0a48ea3, 0x3d2ae7f3e7282f1a, 0xb9c7039aa7a38cbf, 0xbca682784f73f969, 0x3c1e53fed4841121, 0xbb90b1ef293cc8e6, 0x0000000000000000,
];

/// Zeros, and the bits of 2/pi.
pub(in crate::math) static BITS_64: [u64; 26] = [
    0x0000000000000000,
    0x0000000000000000,
    0x0000000000000000,
    0x0000000000000000,
    0x0000000000000000,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
    0xa9e391615ee61b08,
];

/// binary32: t S to 2^-52.77, t C to 2^-53.12 on 0 <= t <= 0.621669, degree 5.
///
/// binary64: t S to 2^-111.75, t C to 2^-109.83 on 0 <= t <= 0.621669, degree 10.
pub(in crate::math) const CIRCULAR: [Circular; 2] = [
    Circular { per_unit: f(0x3fe45f3060000000), quarter: [f(0x3ff921fb60000000), f(0xbe6777a5c0000000), f(0xbcdee59da0000000)], rows: &ROWS_32, pairs: 4, singles: 2, bits: &BITS_32 },
    Circular { per_unit: f(0x3fe45f306dc9c883), quarter: [f(0x3ff921fb54442d18), f(0x3c91a62633145c07), f(0xb91f1976b7ed8fbc)], rows: &ROWS_64, pairs: 8, singles: 3, bits: &BITS_64 },
];
