//! Sign, exponent and significand apart: a chain of operations takes its operands apart once and rounds once.
//!
//! A number is a triple (sign, exponent, significand): sign 0 or 1, exponent an `i32`, significand 64 bits, and its
//! value (-1)^sign significand 2^(exponent - 1023 - 61). The leading one is bit 61, so that a double has
//! 9 guard bits below its 53. The exponent is that of a double's field, continued on both sides.
//!
//! *States.* Zero, infinity and NaN are exponents of their own ([`ZERO`], [`INFINITY`], [`NAN`]) and stay what they are
//! along any chain: x - x is a zero, inf * 2 - inf * 2 and inf / (inf * 2) are NaN. A finite number that is not 0 has an
//! exponent from [`MIN_EXPONENT`] to [`MAX_EXPONENT`], 2^26 each way: results above become infinities, results below
//! become zeros of their sign, those of sums too. NaN has sign 0 unless it was negated.
//!
//! *Signs of zeros* are IEEE's to nearest: an exact sum of 0 is +0 unless both addends are -0.
//!
//! *Levels.*
//!
//! - **High**: the exact result *rounded to odd* at 62 digits: cut off, and the last digit set to 1 if anything was cut off
//!   (Boldo and Melquiond 2008). Hence one operation and [`pack`] are that operation rounded once, in every direction,
//!   and so is a chain of operations that happen to be exact but for the last one.
//! - **Mid**: works on the leading 60 digits, and its results have no more. A sum differs from the exact one by less than 2^-59
//!   of the result, cancellation or not, a product by less than 2^-57, a quotient or root by less than 2^-58.
//! - **Low**: works on 24 to 30 leading digits. A sum differs by less than 2^-27 (|x| + |y|), a product by less
//!   than 2^-25, a quotient by less than 2^-22 and a root by less than 2^-23 of the result.
//!
//! The sequences of mid and low and their bounds are ours; measured maxima stand at each function and are those of the test
//! `emu_unpacked_levels`.
//!
//! `fma` is that of high at every level; `mad`, `dot` and `cmul` are composed of the level's products and sums.
//!
//! Operands that are no such triple (a significand without its leading one, an exponent that is neither in range nor a
//! state) give unspecified results; [`canonical`] makes a triple of any three words.

mod add;
mod compare;
mod convert;
mod div;
mod fma;
mod format;
mod host;
mod mul;
mod sqrt;

pub use add::{add_high, add_low, add_mid};
pub use compare::{eq, le, lt};
pub use convert::{from_f32, from_i64, from_u64, to_f32, to_integer};
pub use div::{div_high, div_low, div_mid};
pub use fma::fma_high;
pub use format::{INFINITY, MAX_EXPONENT, MIN_EXPONENT, NAN, ZERO, canonical, is_nan, is_zero, neg, pack, unpack};
pub use host::{Fp64EmuUnpacked, fp64emu_unpacked, fp64emu_unpacked_high, fp64emu_unpacked_low, fp64emu_unpacked_mid};
pub use mul::{mul_high, mul_low, mul_mid};
pub use sqrt::{sqrt_high, sqrt_low, sqrt_mid};

pub(super) use div::quotient;
pub(super) use mul::product;
pub(super) use sqrt::root;

use super::Unpacked;
use crate::machine::WordMachine;
use crate::pair::{High, Low, Mid};

/// An accuracy level of unpacked numbers: which sequence each operation runs.
pub trait Level: Copy + 'static {
    /// "low", "mid" or "high".
    const NAME: &'static str;
    /// x + y.
    fn add<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M>;
    /// x - y: x plus y with its sign flipped.
    #[inline(always)]
    fn sub<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
        sum::<M, Self>(x, neg::<M>(y))
    }
    /// x y.
    fn mul<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M>;
    /// x y + z, the product not rounded on its own.
    #[inline(always)]
    fn fma<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, z: Unpacked<M>) -> Unpacked<M> {
        fma_high::<M>(x, y, z)
    }
    /// x / y.
    fn div<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M>;
    /// The square root.
    fn sqrt<M: WordMachine>(x: Unpacked<M>) -> Unpacked<M>;
    /// x y + z, as a product and a sum.
    #[inline(always)]
    fn mad<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, z: Unpacked<M>) -> Unpacked<M> {
        sum::<M, Self>(times::<M, Self>(x, y), z)
    }
    /// x y + z w, as two products and a sum.
    #[inline(always)]
    fn dot<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, z: Unpacked<M>, w: Unpacked<M>) -> Unpacked<M> {
        sum::<M, Self>(times::<M, Self>(x, y), times::<M, Self>(z, w))
    }
    /// (x.0 + i x.1)(y.0 + i y.1) as (x.0 y.0 - x.1 y.1, x.0 y.1 + x.1 y.0).
    #[inline(always)]
    fn cmul<M: WordMachine>(
        x: (Unpacked<M>, Unpacked<M>),
        y: (Unpacked<M>, Unpacked<M>),
    ) -> (Unpacked<M>, Unpacked<M>) {
        // Each operand is taken apart once for both of its products.
        let minus = |x, y| M::call(&[FAMILY, Self::NAME, "sub"], (x, y), |(x, y)| Self::sub::<M>(x, y));
        (
            minus(Self::mul::<M>(x.0, y.0), Self::mul::<M>(x.1, y.1)),
            sum::<M, Self>(Self::mul::<M>(x.0, y.1), Self::mul::<M>(x.1, y.0)),
        )
    }
}

/// What recorded functions of these numbers are called.
const FAMILY: &str = "fp64emu_unpacked";

/// x + y, called.
#[inline(always)]
fn sum<M: WordMachine, A: Level>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    M::call(&[FAMILY, A::NAME, "add"], (x, y), |(x, y)| A::add::<M>(x, y))
}

/// x y, called.
#[inline(always)]
fn times<M: WordMachine, A: Level>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
    M::call(&[FAMILY, A::NAME, "mul"], (x, y), |(x, y)| A::mul::<M>(x, y))
}

macro_rules! level {
    ($($level:ident, $name:literal, $add:path, $mul:path, $div:path, $sqrt:path;)*) => {$(
        impl Level for $level {
            const NAME: &'static str = $name;
            #[inline(always)]
            fn add<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
                $add(x, y)
            }
            #[inline(always)]
            fn mul<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
                $mul(x, y)
            }
            #[inline(always)]
            fn div<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M> {
                $div(x, y)
            }
            #[inline(always)]
            fn sqrt<M: WordMachine>(x: Unpacked<M>) -> Unpacked<M> {
                $sqrt(x)
            }
        }
    )*};
}

level! {
    Low, "low", add_low::<M>, mul_low::<M>, div_low::<M>, sqrt_low::<M>;
    Mid, "mid", add_mid::<M>, mul_mid::<M>, div_mid::<M>, sqrt_mid::<M>;
    High, "high", add_high::<M>, mul_high::<M>, div_high::<M>, sqrt_high::<M>;
}

macro_rules! free {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*);)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<M: WordMachine, A: Level>($($arg: Unpacked<M>),*) -> Unpacked<M> {
            A::$name::<M>($($arg),*)
        }
    )*};
}

free! {
    /// x + y at level `A`.
    add(x, y);
    /// x - y at level `A`.
    sub(x, y);
    /// x y at level `A`.
    mul(x, y);
    /// x / y at level `A`.
    div(x, y);
    /// x y + z at level `A`, the product not rounded on its own.
    fma(x, y, z);
    /// The square root at level `A`.
    sqrt(x);
    /// x y + z at level `A`, as a product and a sum.
    mad(x, y, z);
    /// x y + z w at level `A`, as two products and a sum.
    dot(x, y, z, w);
}

/// (x.0 + i x.1)(y.0 + i y.1) at level `A`, as four products and two sums.
#[inline(always)]
pub fn cmul<M: WordMachine, A: Level>(
    x: (Unpacked<M>, Unpacked<M>),
    y: (Unpacked<M>, Unpacked<M>),
) -> (Unpacked<M>, Unpacked<M>) {
    A::cmul::<M>(x, y)
}
