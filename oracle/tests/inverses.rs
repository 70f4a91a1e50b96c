//! Inverse error functions against series of integers alone: the function lies on the other side of the argument on either side of the
//! value, one unit of its last digit away.
//!
//! `VERNIER_CASES` sets the number of cases of each function.

mod common;

use common::Words;
use num_bigint::Sign;
use rayon::prelude::*;
use rug::Float;
use rug::float::Round;
use vernier::function::Math;
use vernier_oracle::dyadic::Dyadic;
use vernier_oracle::functions::{self, Definition};
use vernier_oracle::mpfr;
use vernier_oracle::series::{self, Ball};

const DIGITS: u32 = 160;
const CASES: u64 = 300;

/// A number in (0, 1): of any exponent, near 1, or anywhere.
fn unit(words: &mut Words) -> Float {
    let part = Float::with_val(106, words.next() | 1) / 2f64.powi(64);
    let small = part.clone() >> words.between(0, 140);
    match words.below(4) {
        0 => part,
        1 => small,
        2 => Float::with_val(300, 1 - &small),
        _ => Float::with_val(300, 0.5 + (part - 0.5f64) * 2f64.powi(-words.between(0, 60))),
    }
}

fn straddles(inverse: Math, function: &str, x: &Float, rises: bool) {
    let Definition::Number { mpfr: value, .. } = functions::row(inverse).definition else { unreachable!("a number") };
    let mut y = Float::new(DIGITS);
    value(&mut y, std::slice::from_ref(x), Round::Nearest);
    let exact = |x: &Float| mpfr::dyadic(x).unwrap();
    let step = exact(&(Float::with_val(2, 1) << (y.get_exp().unwrap() - DIGITS as i32)));
    let side = |y: Dyadic| {
        // Near 1 erf differs from x in the digits of 1 - x.
        let f = series::enclosure(function, &[y], 2 * u64::from(DIGITS)).unwrap_or_else(|| panic!("{function} of {x}"));
        f.sub(&Ball::exact(&exact(x))).sign()
    };
    let (below, above) = (side(exact(&y).add(&step.neg())), side(exact(&y).add(&step)));
    let wanted = if rises { [Sign::Minus, Sign::Plus] } else { [Sign::Plus, Sign::Minus] };
    assert_eq!([below, above], wanted.map(Some), "{inverse} {x} = {y}");
}

#[test]
fn values_lie_between_their_neighbours() {
    let cases = std::env::var("VERNIER_CASES").map_or(CASES, |n| n.parse().expect("a number of cases"));
    (0..cases).into_par_iter().for_each(|case| {
        let x = unit(&mut Words::new(18, case));
        straddles(Math::erfinv, "erf", &x, true);
        straddles(Math::erfinv, "erf", &-x.clone(), true);
        straddles(Math::erfcinv, "erfc", &(x.clone() * 2u32), false);
        if x != 0.5 {
            straddles(Math::normcdfinv, "normcdf", &x, true);
        }
    });
}
