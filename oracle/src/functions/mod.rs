//! Rows of mathematical functions: the exact result, on which operands it is tried, and what is claimed.
//!
//! A function is a line of [`vernier::for_each_math_function`], a kernel in `vernier::math` and a row here; its hard
//! cases are `fixtures/cases/functions/NAME.txt`. Everything else that has the function follows from these.

mod answers;
mod domains;
mod rows;

use crate::exact::dyadic::Exact;
use crate::format::Format;
use crate::generate::counter::Words;
use crate::target::Pair;
use rug::Float;
use rug::float::Round;
use std::cmp::Ordering;
use vernier::function::Math;

use rows::ROWS;

/// One function.
#[derive(Clone, Copy)]
pub struct Row {
    /// Which.
    pub function: Math,
    /// What the exact result is.
    pub definition: Definition,
    /// Operands that matter to it, in place of what the generators drew, for one case in two.
    pub operands: Option<fn(&mut Words, Format, &mut [Pair])>,
    /// Where it is defined.
    pub source: &'static str,
}

/// What the exact result is.
#[derive(Clone, Copy)]
pub enum Definition {
    /// One result alone: of the arguments' exact values and the format of a limb.
    Answer(fn(&[Argument], Format) -> Vec<Answer>),
    /// A number, within a bound.
    Number {
        /// The value of the arguments, correctly rounded as asked, and how it compares with the exact one.
        mpfr: fn(&mut Float, &[Float], Round) -> Ordering,
        /// The same by integers, where they can.
        dyadic: Option<fn(&[Exact]) -> Exact>,
        /// The bound in ulp, of pairs of binary32 and of binary64.
        ulp: [f64; 2],
        /// Who proved it.
        proof: &'static str,
    },
}

/// An argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A number.
    Number(Exact),
    /// An integer.
    Int(i64),
}

/// A result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// A pair.
    Pair(Pair),
    /// An integer.
    Int(i64),
    /// A truth value.
    Truth(bool),
}

/// The row of a function.
pub fn row(function: Math) -> &'static Row {
    &ROWS[function as usize]
}

/// The value of a function that is a number, as [`Definition::Number`] has it.
pub(crate) fn compute(function: Math, z: &mut Float, x: &[Float], round: Round) -> Ordering {
    match row(function).definition {
        Definition::Number { mpfr, .. } => mpfr(z, x, round),
        Definition::Answer(_) => unreachable!("{function} has one correct answer"),
    }
}

/// The same by integers.
pub(crate) fn evaluate(function: Math, x: &[Exact]) -> Option<Exact> {
    match row(function).definition {
        Definition::Number { dyadic, .. } => dyadic.map(|f| f(x)),
        Definition::Answer(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_one_row() {
        for &f in Math::ALL {
            assert_eq!(ROWS.iter().filter(|row| row.function == f).count(), 1, "{f}");
            assert_eq!(row(f).function, f, "rows have the order of the list");
        }
    }
}
