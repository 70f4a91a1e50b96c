//! The row of every mathematical function, in the order of [`Math::ALL`].

use super::answers as a;
use super::domains as d;
use super::{Answer, Argument, Definition, Mpfr, Row, Usual};
use crate::format::Format;
use crate::generate::counter::Words;
use crate::target::Pair;
use rug::Float;
use rug::float::{Round, Special};
use rug::ops::{AssignRound, Pow};
use std::cmp::Ordering;
use vernier::function::Math;

/// Every function.
pub const ROWS: &[Row] = &[
    answer(Math::floor, a::floor, "C23 7.12.9.2").with(d::integers),
    answer(Math::ceil, a::ceil, "C23 7.12.9.1").with(d::integers),
    answer(Math::trunc, a::trunc, "C23 7.12.9.9").with(d::integers),
    answer(Math::round, a::round, "C23 7.12.9.6").with(d::integers),
    answer(Math::rint, a::rint, "C23 7.12.9.4").with(d::integers),
    answer(Math::nearbyint, a::rint, "C23 7.12.9.3").with(d::integers),
    answer(Math::lrint, a::lrint, "C23 7.12.9.5").with(d::integers),
    answer(Math::llrint, a::lrint, "C23 7.12.9.5").with(d::integers),
    answer(Math::lround, a::lround, "C23 7.12.9.7").with(d::integers),
    answer(Math::llround, a::lround, "C23 7.12.9.7").with(d::integers),
    answer(Math::modf, a::modf, "C23 7.12.6.18").with(d::integers),
    answer(Math::fabs, a::fabs, "C23 7.12.7.3"),
    answer(Math::copysign, a::copysign, "C23 7.12.11.1"),
    answer(Math::fmin, a::fmin, "C23 7.12.12.3"),
    answer(Math::fmax, a::fmax, "C23 7.12.12.2"),
    answer(Math::min, a::min, "C++ std::min"),
    answer(Math::max, a::max, "C++ std::max"),
    Row {
        function: Math::fdim,
        definition: Definition::Number {
            mpfr: |z, x, round| match x[0].partial_cmp(&x[1]) {
                Some(Ordering::Greater) => z.assign_round(&x[0] - &x[1], round),
                Some(_) => z.assign_round(0, round),
                None => z.assign_round(Special::Nan, round),
            },
            dyadic: Some(a::positive_difference),
            // (3 + 13 u) u^2 |z| in ulp.
            ulp: [0.7501, 0.7501],
            basis: "Joldes, Muller, Popescu 2017",
        },
        operands: None,
        cost: COST,
        usual: Usual::ANY,
        source: "C23 7.12.12.1",
    },
    answer(Math::ldexp, a::ldexp, "C23 7.12.6.9"),
    answer(Math::scalbn, a::ldexp, "C23 7.12.6.19"),
    answer(Math::scalbln, a::ldexp, "C23 7.12.6.19"),
    answer(Math::frexp, a::frexp, "C23 7.12.6.7"),
    answer(Math::ilogb, a::ilogb, "C23 7.12.6.8"),
    answer(Math::logb, a::logb, "C23 7.12.6.17"),
    answer(Math::nextafter, a::nextafter, "C23 7.12.11.3"),
    answer(Math::isnan, a::isnan, "C23 7.12.3.5"),
    answer(Math::isinf, a::isinf, "C23 7.12.3.4"),
    answer(Math::isfinite, a::isfinite, "C23 7.12.3.3"),
    answer(Math::signbit, a::signbit, "C23 7.12.3.7"),
    number(Math::exp, |z, x, r| z.assign_round(x[0].exp_ref(), r), 0.8, "C23 7.12.6.1")
        .with(d::exponents)
        .usually(true, -8, 6),
    number(Math::exp2, |z, x, r| z.assign_round(x[0].exp2_ref(), r), 0.8, "C23 7.12.6.4")
        .with(d::exponents)
        .usually(true, -8, 6),
    number(Math::exp10, |z, x, r| z.assign_round(x[0].exp10_ref(), r), 1.2, "C23 7.12.6.2")
        .with(d::exponents)
        .slow()
        .usually(true, -8, 5),
    number(Math::expm1, |z, x, r| z.assign_round(x[0].exp_m1_ref(), r), 1.2, "C23 7.12.6.6")
        .with(d::exponents)
        .usually(true, -8, 5),
    number(Math::log, |z, x, r| z.assign_round(x[0].ln_ref(), r), 1.0, "C23 7.12.6.11")
        .with(d::positive)
        .usually(false, -8, 24),
    number(Math::log2, |z, x, r| z.assign_round(x[0].log2_ref(), r), 1.2, "C23 7.12.6.15")
        .with(d::positive)
        .usually(false, -8, 24),
    number(Math::log10, |z, x, r| z.assign_round(x[0].log10_ref(), r), 1.2, "C23 7.12.6.12")
        .with(d::positive)
        .usually(false, -8, 24),
    number(Math::log1p, |z, x, r| z.assign_round(x[0].ln_1p_ref(), r), 1.2, "C23 7.12.6.14")
        .with(d::beyond_minus_one)
        .usually(false, -8, 24),
    number(Math::pow, |z, x, r| z.assign_round((&x[0]).pow(&x[1]), r), 1.0, "C23 7.12.7.5")
        .with(d::powers)
        .slow()
        .usually(false, -4, 4),
    number(Math::cbrt, |z, x, round| z.assign_round(x[0].cbrt_ref(), round), 1.0, "C23 7.12.7.1").with(d::cubes),
    number(Math::rcbrt, |z, x, round| z.assign_round(x[0].root_i_ref(-3), round), 1.0, "CUDA math API").with(d::cubes),
    number(Math::hypot, |z, x, round| z.assign_round(x[0].hypot_ref(&x[1]), round), 1.0, "C23 7.12.7.4").with(d::sides),
    number(Math::rhypot, reciprocal_norm, 1.0, "CUDA math API").with(d::sides),
    number(Math::norm3d, euclidean_norm, 1.0, "CUDA math API").with(d::sides),
    number(Math::norm4d, euclidean_norm, 1.0, "CUDA math API").with(d::sides),
    number(Math::rnorm3d, reciprocal_norm, 1.0, "CUDA math API").with(d::sides),
    number(Math::rnorm4d, reciprocal_norm, 1.0, "CUDA math API").with(d::sides),
];

/// The sum of squares, exactly; +inf where one is infinite, even beside NaN.
fn sum_of_squares(x: &[Float]) -> Float {
    if x.iter().any(Float::is_infinite) {
        return Float::with_val(2, Special::Infinity);
    }
    let ends = x.iter().filter_map(|x| Some((x.get_exp()?, x.get_exp()? - x.prec() as i32)));
    let (most, least) = ends.fold((i32::MIN, i32::MAX), |a, b| (a.0.max(b.0), a.1.min(b.1)));
    let digits = if least < most { 2 * (most - least) as u32 + 3 } else { 2 };
    x.iter().fold(Float::new(digits), |mut sum, x| {
        sum += Float::with_val(2 * x.prec(), x.square_ref());
        sum
    })
}

fn euclidean_norm(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    z.assign_round(sum_of_squares(x).sqrt_ref(), round)
}

fn reciprocal_norm(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    z.assign_round(sum_of_squares(x).recip_sqrt_ref(), round)
}

/// That of MPFR where it is not slow.
const COST: u64 = 32;

const fn answer(function: Math, result: fn(&[Argument], Format) -> Vec<Answer>, source: &'static str) -> Row {
    Row { function, definition: Definition::Answer(result), operands: None, cost: 1, usual: Usual::ANY, source }
}

/// A number, within a bound in ulp that is what searches leave room for.
const fn number(function: Math, mpfr: Mpfr, ulp: f64, source: &'static str) -> Row {
    let definition = Definition::Number { mpfr, dyadic: None, ulp: [ulp, ulp], basis: "searched" };
    Row { function, definition, operands: None, cost: COST, usual: Usual::ANY, source }
}

impl Row {
    /// On operands of one sign or both, with exponents from `least` to below `most`.
    const fn usually(self, signed: bool, least: i32, most: i32) -> Row {
        Row { usual: Usual { signed, least, most }, ..self }
    }

    /// MPFR takes long.
    const fn slow(self) -> Row {
        Row { cost: 32 * COST, ..self }
    }

    const fn with(self, operands: fn(&mut Words, Format, &mut [Pair])) -> Row {
        Row { operands: Some(operands), ..self }
    }
}
