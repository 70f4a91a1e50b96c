//! Reduced formats on binary64: fewer exponent and mantissa bits, operation by operation.
//!
//! A value is a double. Every +, -, x, /, sqrt and fma *reduces* its operands into the format, computes in
//! double, and reduces the result; nothing else reduces. The published reduction tests the range by the exponent before
//! it rounds the significand to nearest even, and flushes what is below the range: [`Options`] names what departs from
//! that. [`fp64_custom`] has sizes and options in its type, [`Number`] takes them from a [`Context`] at run time, and the
//! functions of this module are generic over the machine.
//!
//! Rounding the double result again is rounding the exact result once for + - x / and sqrt where M <= 24 and nothing is
//! subnormal (Figueroa 1995), not for fma, and in directed modes not at all; [`Options::single`] rounds once everywhere.
//! Stochastic rounding ([`Mode::Stochastic`] defines it to the bit) draws its words from Philox4x32-10, keyed by a seed and the
//! number of the operation, so that every machine draws the same.

mod context;
mod exact;
mod format;
mod host;
mod layout;
mod philox;
mod presets;
mod reduce;
mod rules;
mod tail;

pub use context::{Context, Number};
pub use format::{Format, FormatError, Mode, Options, Top};
pub use host::fp64_custom;
pub use layout::{Choice, Described, Fixed, Layout, Size};
pub use philox::{Random, philox};
pub use presets::{bf16, fp4_e2m1, fp6_e2m3, fp6_e3m2, fp8_e4m3, fp8_e5m2, fp16, tf32};
pub use rules::{
    After, Away, Down, Dynamic, Finite, Fn, Gradual, Ieee, Published, Rules, Saturate, Single, Stochastic, Up, Zero,
};

use crate::machine::{IeeeLimb, Limb, WordMachine};
use reduce::Reach;

/// The double `x` in the format.
#[inline(always)]
pub fn reduce<M: WordMachine>(x: M::F64, f: impl Described<M>, random: &Random<M>) -> M::F64 {
    reduce::reduce(x, f, Reach::All, random, 0)
}

/// A number as an operand: the double `x` in the format. `j` is the number of the random word.
#[inline(always)]
fn operand<M: WordMachine>(x: M::F64, f: impl Described<M>, random: &Random<M>, j: u32) -> M::F64 {
    reduce::reduce(x, f, Reach::All, random, j)
}

/// An exact result, rounded once; or a double, reduced.
#[inline(always)]
fn finish<M: WordMachine, F: Described<M>>(
    f: F,
    reach: Reach,
    random: &Random<M>,
    exact: impl FnOnce() -> reduce::Exact<M>,
    double: impl FnOnce() -> M::F64,
) -> M::F64 {
    if F::TWICE {
        return reduce::reduce(double(), f, reach, random, 0);
    }
    let once = || M::F64::from_bits(reduce::round(&exact(), f, reach, random, 0));
    f.layout().single.seldom(once, || reduce::reduce(double(), f, reach, random, 0))
}

/// x + y.
#[inline(always)]
pub fn add<M: WordMachine>(x: M::F64, y: M::F64, f: impl Described<M>, random: &Random<M>) -> M::F64 {
    let (x, y) = (operand(x, f, random, 1), operand(y, f, random, 2));
    finish(f, Reach::Sums, random, || exact::add(x, y, f), || x + y)
}

/// x - y.
#[inline(always)]
pub fn sub<M: WordMachine>(x: M::F64, y: M::F64, f: impl Described<M>, random: &Random<M>) -> M::F64 {
    let (x, y) = (operand(x, f, random, 1), operand(y, f, random, 2));
    finish(f, Reach::Sums, random, || exact::add(x, -y, f), || x - y)
}

/// x y.
#[inline(always)]
pub fn mul<M: WordMachine>(x: M::F64, y: M::F64, f: impl Described<M>, random: &Random<M>) -> M::F64 {
    let (x, y) = (operand(x, f, random, 1), operand(y, f, random, 2));
    finish(f, Reach::All, random, || exact::mul(x, y, f), || x * y)
}

/// x / y.
#[inline(always)]
pub fn div<M: WordMachine>(x: M::F64, y: M::F64, f: impl Described<M>, random: &Random<M>) -> M::F64 {
    let (x, y) = (operand(x, f, random, 1), operand(y, f, random, 2));
    finish(f, Reach::Quotients, random, || exact::div(x, y, f), || x.div(y))
}

/// The square root.
#[inline(always)]
pub fn sqrt<M: WordMachine>(x: M::F64, f: impl Described<M>, random: &Random<M>) -> M::F64 {
    let x = operand(x, f, random, 1);
    finish(f, Reach::Roots, random, || exact::sqrt(x, f), || x.sqrt())
}

/// x y + z, the product unrounded.
#[inline(always)]
pub fn fma<M: WordMachine>(x: M::F64, y: M::F64, z: M::F64, f: impl Described<M>, random: &Random<M>) -> M::F64 {
    let (x, y) = (operand(x, f, random, 1), operand(y, f, random, 2));
    let z = operand(z, f, random, 3);
    finish(f, Reach::All, random, || exact::fma(x, y, z, f), || x.fma(y, z))
}
