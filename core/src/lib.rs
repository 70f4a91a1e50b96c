//! Double-word floating-point arithmetic at three accuracy levels, generic over the machine it runs on.
//!
//! A pair ([`fp32mp2`], [`fp64mp2`]) is the sum of two floats or doubles and has 46 or 104 digits; [`fp64emu`] is IEEE double from
//! integers; [`fp64_custom`] reduces every result to a format of few bits. Results have the same bits on every machine.
//!
//! ```
//! use vernier::{High, add, fp64mp2, fp64mp2_high};
//!
//! let x: fp64mp2 = "0.1".parse().unwrap();
//! let y = x.sqrt() * x.sqrt();
//! println!("{y:.30}");
//! // The level is part of the type; any pair can use any level's sequence.
//! let z: fp64mp2_high = y.to_level();
//! assert!((add::<High, _, _>(z, -x.to_level())).abs() < fp64mp2_high::from(1e-31));
//! ```
//!
//! | what | where |
//! |---|---|
//! | pairs, their operators and methods | [`DoubleWord`] |
//! | functions of pairs, and of slices of them | [`math`], [`slice`] |
//! | emulated doubles | [`emu`] |
//! | reduced formats | [`custom`] |
//! | instrumented pairs | [`stat`] |
//! | the traits that algorithms are written over | [`machine`] |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

pub mod convert;
pub mod custom;
mod double_word;
pub mod eft;
pub mod emu;
pub mod function;
mod functions;
pub mod host;
mod lane;
mod limits;
pub mod machine;
pub mod math;
#[cfg(feature = "num-traits")]
mod num_traits;
mod ops;
pub mod pair;
mod remainder;
#[cfg(feature = "serde")]
mod serde;
pub mod slice;
pub mod stat;
pub mod superaccumulator;
pub mod text;
pub mod tiny;

pub use convert::{Binary128, RoundFrom, TruncateFrom};
pub use custom::fp64_custom;
pub use double_word::{
    DoubleWord, HostLimb, acc, add, div, fma, fp32mp2, fp32mp2_high, fp32mp2_low, fp32mp2_mid, fp64mp2, fp64mp2_high,
    fp64mp2_low, fp64mp2_mid, mad, mul, sub,
};
pub use emu::unpacked::{
    Fp64EmuUnpacked, fp64emu_unpacked, fp64emu_unpacked_high, fp64emu_unpacked_low, fp64emu_unpacked_mid,
};
pub use emu::{Fp64Emu, fp64emu, fp64emu_high, fp64emu_low, fp64emu_mid};
pub use functions::*;
#[cfg(feature = "num-traits")]
pub use num_traits::FromStrRadixError;
pub use pair::{High, Level, Low, Mid};
pub use stat::{
    Stat, fp32mp2_stat, fp32mp2_stat_high, fp32mp2_stat_low, fp32mp2_stat_mid, fp64mp2_stat, fp64mp2_stat_high,
    fp64mp2_stat_low, fp64mp2_stat_mid,
};
