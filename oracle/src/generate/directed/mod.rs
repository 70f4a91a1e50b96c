//! Operands that belong together, made from what an operation does with them: a result is chosen first (exact, a tie, next to
//! one, at an end of the range, what cancels), and an operand is computed that leads to it. A search for inputs starts here,
//! because random operands reach the rare paths of an algorithm almost never.
//!
//! [`pairs`] makes the limbs of double-word numbers, [`numbers`] numbers with a significand in a word, packed or not, and
//! [`reduced`] doubles that are taken into a reduced format.

pub mod numbers;
pub mod pairs;
pub mod reduced;

use super::counter::Words;

/// The odd number whose product with the odd number `x` is 1 modulo 2^64 (Newton's iteration).
fn inverse(x: u64) -> u64 {
    (0..5).fold(x, |y, _| y.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(y))))
}

/// A number with the sign of a coin.
fn either(n: i32, w: &mut Words) -> i32 {
    if w.one_in(2) { n } else { -n }
}
