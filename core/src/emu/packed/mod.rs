//! Packed doubles: the bits of a double, one 64-bit word in, one out.
//!
//! High is correctly rounded in every direction, at most 1/2 ulp in error to nearest and less than 1 otherwise, measured 0.5000 and
//! 1.000. The methods are those of Muller et al., *Handbook of Floating-Point Arithmetic* (2018), chapters 7 and 9: alignment with a
//! sticky bit, quotients and roots from an approximation and an exact remainder.
//!
//! High works on the fields of the bits. Its usual path is for normal numbers with a normal result; zeros, subnormal
//! numbers, infinities, NaN, underflow and overflow are behind one branch.

mod add;
mod div;
pub(super) mod fields;
mod fma;
mod mul;
pub(super) mod round;
mod sqrt;

pub use add::add_high;
pub(super) use div::div_any;
pub use div::div_high;
pub use fma::fma_high;
pub(super) use mul::mul_any;
pub use mul::mul_high;
pub use sqrt::sqrt_high;
pub(super) use sqrt::sqrt_rare;

use super::{Level, Rn, Rounding};
use crate::machine::{Word, WordMachine};
use crate::pair::High;

/// The sign bit of a packed double.
pub const SIGN: u64 = 1 << 63;

macro_rules! rounded {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*);)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<M: WordMachine, A: Level, R: Rounding>($($arg: M::U64),*) -> M::U64 {
            <A as Level>::$name::<M, R>($($arg),*)
        }
    )*};
}

rounded! {
    /// a + b in the direction `R`.
    add(a, b);
    /// a - b in the direction `R`.
    sub(a, b);
    /// a b in the direction `R`.
    mul(a, b);
    /// a b + c in the direction `R`, rounded once.
    fma(a, b, c);
}

/// a / b in the direction `R`. Directed quotients are those of high at every level.
#[inline(always)]
pub fn div<M: WordMachine, A: Level, R: Rounding>(a: M::U64, b: M::U64) -> M::U64 {
    if R::NEAREST { <A as Level>::div::<M>(a, b) } else { div_high::<M, R>(a, b) }
}

/// The square root in the direction `R`. Directed roots are those of high at every level.
#[inline(always)]
pub fn sqrt<M: WordMachine, A: Level, R: Rounding>(a: M::U64) -> M::U64 {
    if R::NEAREST { <A as Level>::sqrt::<M>(a) } else { sqrt_high::<M, R>(a) }
}

/// -a: the sign bit flipped, that of a NaN too.
#[inline(always)]
pub fn neg<M: WordMachine>(a: M::U64) -> M::U64 {
    a ^ M::U64::lit(SIGN)
}

/// a b + c, to nearest, as a product and a sum.
#[inline(always)]
pub fn mad<M: WordMachine, A: Level>(a: M::U64, b: M::U64, c: M::U64) -> M::U64 {
    <A as Level>::mad::<M>(a, b, c)
}

/// a b + c d, to nearest, as two products and a sum.
#[inline(always)]
pub fn dot<M: WordMachine, A: Level>(a: M::U64, b: M::U64, c: M::U64, d: M::U64) -> M::U64 {
    <A as Level>::dot::<M>(a, b, c, d)
}

/// (a.0 + i a.1)(b.0 + i b.1), to nearest, as four products and two sums.
#[inline(always)]
pub fn cmul<M: WordMachine, A: Level>(a: (M::U64, M::U64), b: (M::U64, M::U64)) -> (M::U64, M::U64) {
    <A as Level>::cmul::<M>(a, b)
}

/// IEEE binary64: every operation is correctly rounded in its direction.
impl Level for High {
    #[inline(always)]
    fn add_nearest<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        add_high::<M, Rn>(a, b)
    }
    #[inline(always)]
    fn mul_nearest<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        mul_high::<M, Rn>(a, b)
    }
    #[inline(always)]
    fn div<M: WordMachine>(a: M::U64, b: M::U64) -> M::U64 {
        div_high::<M, Rn>(a, b)
    }
    #[inline(always)]
    fn sqrt<M: WordMachine>(a: M::U64) -> M::U64 {
        sqrt_high::<M, Rn>(a)
    }
}
