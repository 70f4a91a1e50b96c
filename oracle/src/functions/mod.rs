//! Rows of mathematical functions: the exact result, on which operands it is tried, and what is claimed.
//!
//! A function is a line of [`vernier::for_each_math_function`], a kernel in `vernier::math` and a row here; its hard
//! cases are `fixtures/cases/functions/NAME.txt`, which `vernier conform --find` adds to. Then `make renew` writes hashes of
//! results and headers, floors of mutation scores and snapshots; everything else that has the function follows.
//!
//! A number is defined twice, by MPFR and by integers: `dyadic` in its row where that is exact, otherwise a series in the table of
//! [`crate::exact::series`], which its test lists too.

mod angles;
mod answers;
mod bessel;
mod domains;
mod inverse;
mod normal;
mod remainders;
mod rows;
mod special;

use crate::exact::dyadic::{Dyadic, Exact, Number, value};
use crate::exact::{mpfr, series};
use crate::format::Format;
use crate::generate::counter::{Words, word};
use crate::target::Pair;
use rug::Float;
use rug::float::Round;
use std::cmp::Ordering;
use vernier::function::{Math, Op};

pub use angles::nearest as nearest_angles;
use rows::ROWS;

/// One function.
#[derive(Clone, Copy)]
pub struct Row {
    /// Which.
    pub function: Math,
    /// What the exact result is.
    pub definition: Definition,
    /// Sorts of operands that matter to it.
    sorts: &'static [Sort],
    /// How long judging a case takes, about, in cases of an addition.
    pub cost: u64,
    /// Where its operands lie where its speed is measured.
    pub usual: Usual,
    /// Where it is defined.
    pub source: &'static str,
    /// Where errors are relative to a magnitude that is larger than the value's, that.
    pub scale: Option<Scale>,
}

/// A magnitude at arguments, to a few digits; none where it is not finite or does not count.
pub type Scale = fn(&[Float]) -> Option<Float>;

/// A sort of operands: what they are, and how one case is drawn.
#[derive(Clone, Copy)]
pub struct Sort(pub &'static str, pub fn(&mut Words, Format, &mut [Pair]));

impl Row {
    /// The sorts of operands that matter to it, those of special values aside: kinds of numbers, then kinds of limbs.
    pub fn sorts(&self) -> impl Iterator<Item = &'static str> + use<> {
        let limbs = if self.sorts.is_empty() { &[] } else { domains::LIMBS };
        self.sorts.iter().chain(limbs).map(|sort| sort.0)
    }

    /// The operands of a case of a sort, by number.
    pub fn draw(&self, sort: usize, words: &mut Words, f: Format, out: &mut [Pair]) {
        match self.sorts.get(sort) {
            Some(sort) => sort.1(words, f, out),
            None => {
                words.pick(self.sorts).1(words, f, out);
                domains::LIMBS[sort - self.sorts.len()].1(words, f, out);
            }
        }
    }
}

/// Pairs with magnitudes in [2^least, 2^most).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    /// Whether of both signs.
    pub signed: bool,
    /// The least exponent.
    pub least: i32,
    /// One above the largest exponent.
    pub most: i32,
}

impl Usual {
    /// What any function takes.
    const ANY: Usual = Usual { signed: true, least: -8, most: 24 };
}

/// Sets a number to the value of a function of others, rounded as asked, and says how it compares with the exact one.
pub type Mpfr = fn(&mut Float, &[Float], Round) -> Ordering;

/// What the exact result is.
#[derive(Clone, Copy)]
pub enum Definition {
    /// One result alone: of the arguments' exact values and the format of a limb.
    Answer(fn(&[Argument], Format) -> Vec<Answer>),
    /// A number, within a bound.
    Number {
        /// The value of the arguments, correctly rounded as asked, and how it compares with the exact one.
        mpfr: Mpfr,
        /// The same by integers, where they can.
        dyadic: Option<fn(&[Exact]) -> Exact>,
        /// The bound in ulp, of pairs of binary32 and of binary64.
        ulp: [f64; 2],
        /// What the bound rests on: who proved it, or a search.
        basis: &'static str,
    },
    /// Two results: those of two other functions, to the bit.
    Both([Math; 2]),
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

/// Every row.
pub fn rows() -> &'static [Row] {
    ROWS
}

/// The row of a function.
pub fn row(function: Math) -> &'static Row {
    &ROWS[function as usize]
}

/// The value of a function that is a number, as [`Definition::Number`] has it.
pub(crate) fn compute(function: Math, z: &mut Float, x: &[Float], round: Round) -> Ordering {
    match row(function).definition {
        Definition::Number { mpfr, .. } => mpfr(z, x, round),
        Definition::Answer(_) | Definition::Both(_) => unreachable!("{function} has one correct answer"),
    }
}

/// The same by integers.
pub(crate) fn evaluate(function: Math, x: &[Exact]) -> Option<Exact> {
    match row(function).definition {
        Definition::Number { dyadic, .. } => dyadic.map(|f| f(x)),
        Definition::Answer(_) | Definition::Both(_) => None,
    }
}

/// Whether the value by MPFR lies in the enclosure by integers; none where there is no [series](series::TABLE) of the
/// function, or an argument is special.
pub fn agrees(function: Math, args: &[Pair]) -> Option<bool> {
    let number = |&x: &Pair| match value(x) {
        Exact::Zero(_) => Some(Dyadic::zero()),
        Exact::Finite(Number::Dyadic(x)) => Some(x),
        _ => None,
    };
    let x = args.iter().map(number).collect::<Option<Vec<_>>>()?;
    let ball = series::enclosure(function.name(), &x, DIGITS.into())?;
    let z = mpfr::nearest(Op::Math(function), args, 2 * DIGITS);
    Some(z.is_some_and(|z| ball.holds(&z, 2 * DIGITS)))
}

/// Digits to which the oracles are compared.
const DIGITS: u32 = 160;

/// One case in so many is asked of both oracles.
const SHARE: u64 = 64;

/// Whether a case is of the share.
fn is_shared(args: &[Pair]) -> bool {
    args.iter().fold(0, |key, x| word(key ^ x.0.to_bits(), x.1.to_bits())) % SHARE == 0
}

/// Asks both oracles, in one case of [`SHARE`].
///
/// Panics where they differ: no verdict is worth anything then.
pub(crate) fn confirm(function: Math, args: &[Pair]) {
    let differ = is_shared(args) && agrees(function, args) == Some(false);
    assert!(!differ, "the oracles differ on {function} of {args:?}");
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

    #[test]
    fn both_oracles_are_asked() {
        assert_eq!(agrees(Math::cbrt, &[(3.0, 1e-20)]), Some(true));
        assert_eq!(agrees(Math::rnorm4d, &[(3.0, 1e-20), (0.0, 0.0), (-1e300, 0.0), (1e-300, 1e-320)]), Some(true));
        assert_eq!(agrees(Math::floor, &[(3.0, 1e-20)]), None, "no series");
        assert_eq!(agrees(Math::cbrt, &[(f64::NAN, 0.0)]), None);
        let shared = (1..2000).filter(|&i| is_shared(&[(f64::from(i), 0.0)])).count();
        assert!((10..60).contains(&shared), "{shared}");
    }
}
