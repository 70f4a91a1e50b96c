//! The row of every mathematical function, in the order of [`Math::ALL`].

use super::angles as g;
use super::answers as a;
use super::bessel as b;
use super::domains as d;
use super::inverse;
use super::normal;
use super::remainders as m;
use super::special as s;
use super::{Answer, Argument, Definition, Mpfr, Row, Scale, Sort, Usual};
use crate::format::Format;
use rug::Float;
use rug::float::{Round, Special};
use rug::ops::{AssignRound, Pow};
use std::cmp::Ordering;
use vernier::function::Math;

/// Every function.
pub const ROWS: &[Row] = &[
    answer(Math::floor, a::floor, "C23 7.12.9.2").with(d::INTEGERS),
    answer(Math::ceil, a::ceil, "C23 7.12.9.1").with(d::INTEGERS),
    answer(Math::trunc, a::trunc, "C23 7.12.9.9").with(d::INTEGERS),
    answer(Math::round, a::round, "C23 7.12.9.6").with(d::INTEGERS),
    answer(Math::rint, a::rint, "C23 7.12.9.4").with(d::INTEGERS),
    answer(Math::nearbyint, a::rint, "C23 7.12.9.3").with(d::INTEGERS),
    answer(Math::lrint, a::lrint, "C23 7.12.9.5").with(d::INTEGERS),
    answer(Math::llrint, a::lrint, "C23 7.12.9.5").with(d::INTEGERS),
    answer(Math::lround, a::lround, "C23 7.12.9.7").with(d::INTEGERS),
    answer(Math::llround, a::lround, "C23 7.12.9.7").with(d::INTEGERS),
    answer(Math::modf, a::modf, "C23 7.12.6.18").with(d::INTEGERS),
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
        sorts: &[],
        cost: COST,
        usual: Usual::ANY,
        source: "C23 7.12.12.1",
        scale: None,
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
        .with(d::EXPONENTS)
        .usually(true, -8, 6),
    number(Math::exp2, |z, x, r| z.assign_round(x[0].exp2_ref(), r), 0.8, "C23 7.12.6.4")
        .with(d::EXPONENTS_2)
        .usually(true, -8, 6),
    number(Math::exp10, |z, x, r| z.assign_round(x[0].exp10_ref(), r), 1.2, "C23 7.12.6.2")
        .with(d::EXPONENTS_10)
        .usually(true, -8, 5),
    number(Math::expm1, |z, x, r| z.assign_round(x[0].exp_m1_ref(), r), 1.2, "C23 7.12.6.6")
        .with(d::EXPONENTS)
        .usually(true, -8, 5),
    number(Math::log, |z, x, r| z.assign_round(x[0].ln_ref(), r), 1.0, "C23 7.12.6.11")
        .with(d::POSITIVE)
        .usually(false, -8, 24),
    number(Math::log2, |z, x, r| z.assign_round(x[0].log2_ref(), r), 1.2, "C23 7.12.6.15")
        .with(d::POSITIVE)
        .usually(false, -8, 24),
    number(Math::log10, |z, x, r| z.assign_round(x[0].log10_ref(), r), 1.2, "C23 7.12.6.12")
        .with(d::POSITIVE)
        .usually(false, -8, 24),
    number(Math::log1p, |z, x, r| z.assign_round(x[0].ln_1p_ref(), r), 1.2, "C23 7.12.6.14")
        .with(d::BEYOND_MINUS_ONE)
        .usually(false, -8, 24),
    number(Math::pow, |z, x, r| z.assign_round((&x[0]).pow(&x[1]), r), 1.0, "C23 7.12.7.5")
        .with(d::POWERS)
        .usually(false, -4, 4),
    number(Math::cbrt, |z, x, round| z.assign_round(x[0].cbrt_ref(), round), 1.0, "C23 7.12.7.1").with(d::CUBES),
    number(Math::rcbrt, |z, x, round| z.assign_round(x[0].root_i_ref(-3), round), 1.0, "CUDA math API").with(d::CUBES),
    number(Math::hypot, |z, x, round| z.assign_round(x[0].hypot_ref(&x[1]), round), 1.0, "C23 7.12.7.4").with(d::SIDES),
    number(Math::rhypot, reciprocal_norm, 1.0, "CUDA math API").with(d::SIDES),
    number(Math::norm3d, euclidean_norm, 1.0, "CUDA math API").with(d::SIDES),
    number(Math::norm4d, euclidean_norm, 1.0, "CUDA math API").with(d::SIDES),
    number(Math::rnorm3d, reciprocal_norm, 1.0, "CUDA math API").with(d::SIDES),
    number(Math::rnorm4d, reciprocal_norm, 1.0, "CUDA math API").with(d::SIDES),
    angle(Math::sin, |z, x, r| z.assign_round(x[0].sin_ref(), r), 1.0, "C23 7.12.4.6"),
    angle(Math::cos, |z, x, r| z.assign_round(x[0].cos_ref(), r), 1.0, "C23 7.12.4.5"),
    angles(Math::sincos, [Math::sin, Math::cos], "CUDA math API"),
    angle(Math::tan, |z, x, r| z.assign_round(x[0].tan_ref(), r), 1.0, "C23 7.12.4.7"),
    angle(Math::sinpi, |z, x, r| z.assign_round(x[0].sin_pi_ref(), r), 1.0, "C23 7.12.4.13")
        .with(&[Sort("turns", g::turns)]),
    angle(Math::cospi, |z, x, r| z.assign_round(x[0].cos_pi_ref(), r), 1.0, "C23 7.12.4.12")
        .with(&[Sort("turns", g::turns)]),
    angles(Math::sincospi, [Math::sinpi, Math::cospi], "CUDA math API").with(&[Sort("turns", g::turns)]),
    angle(Math::tanpi, |z, x, r| z.assign_round(x[0].tan_pi_ref(), r), 1.0, "C23 7.12.4.14")
        .with(&[Sort("turns", g::turns)]),
    number(Math::atan, |z, x, r| z.assign_round(x[0].atan_ref(), r), 1.0, "C23 7.12.4.3")
        .with(&[Sort("of every ratio and exponent", d::ratios)]),
    number(Math::atan2, |z, x, r| z.assign_round(x[0].atan2_ref(&x[1]), r), 1.0, "C23 7.12.4.4")
        .with(&[Sort("of every ratio and exponent", d::ratios)]),
    number(Math::asin, |z, x, r| z.assign_round(x[0].asin_ref(), r), 1.2, "C23 7.12.4.2")
        .with(&[Sort("up to 1, near 1 and near 0", d::sines)])
        .usually(true, -8, 0),
    number(Math::acos, |z, x, r| z.assign_round(x[0].acos_ref(), r), 1.2, "C23 7.12.4.1")
        .with(&[Sort("up to 1, near 1 and near 0", d::sines)])
        .usually(true, -8, 0),
    // Without results near underflow, which are none here.
    number(Math::sinh, |z, x, r| z.assign_round(x[0].sinh_ref(), r), 1.5, "C23 7.12.5.5")
        .with(d::EXPONENTS.split_at(6).0)
        .usually(true, -8, 6),
    number(Math::cosh, |z, x, r| z.assign_round(x[0].cosh_ref(), r), 1.5, "C23 7.12.5.4")
        .with(d::EXPONENTS.split_at(6).0)
        .usually(true, -8, 6),
    number(Math::tanh, |z, x, r| z.assign_round(x[0].tanh_ref(), r), 1.2, "C23 7.12.5.6")
        .with(d::EXPONENTS)
        .usually(true, -8, 4),
    number(Math::asinh, |z, x, r| z.assign_round(x[0].asinh_ref(), r), 1.5, "C23 7.12.5.2").usually(true, -8, 7),
    number(Math::acosh, |z, x, r| z.assign_round(x[0].acosh_ref(), r), 1.5, "C23 7.12.5.1")
        .with(&[Sort("from 1 on", d::above_one)])
        .usually(false, 0, 7),
    number(Math::atanh, |z, x, r| z.assign_round(x[0].atanh_ref(), r), 1.2, "C23 7.12.5.3")
        .with(&[Sort("up to 1, near 1 and near 0", d::sines)])
        .usually(true, -8, 0),
    division(answer(Math::fmod, m::fmod, "C23 7.12.10.1")),
    division(answer(Math::remainder, m::remainder, "C23 7.12.10.2")),
    division(answer(Math::remquo, m::remquo, "C23 7.12.10.3")),
    number(Math::erf, |z, x, r| z.assign_round(x[0].erf_ref(), r), 1.0, "C23 7.12.8.1")
        .with(&[Sort("errors", d::deviations)])
        .slow()
        .usually(true, -8, 2),
    number(Math::erfc, |z, x, r| z.assign_round(x[0].erfc_ref(), r), 1.6, "C23 7.12.8.2")
        .with(&[Sort("errors", d::deviations)])
        .slow()
        .usually(true, -8, 3),
    number(Math::erfcx, normal::erfcx, 1.5, "CUDA math API")
        .with(&[Sort("errors", d::deviations)])
        .slow()
        .usually(false, -8, 3),
    number(Math::normcdf, normal::normcdf, 1.5, "CUDA math API")
        .with(&[Sort("errors", d::deviations)])
        .slow()
        .usually(true, -8, 3),
    number(Math::erfinv, inverse::erfinv, 1.5, "CUDA math API")
        .with(&[Sort("up to 1, near 1 and near 0", d::sines)])
        .iterated()
        .usually(true, -8, 0),
    number(Math::erfcinv, inverse::erfcinv, 1.5, "CUDA math API")
        .with(&[Sort("probabilities", d::probabilities)])
        .iterated()
        .usually(false, -8, 0),
    number(Math::normcdfinv, inverse::normcdfinv, 1.5, "CUDA math API")
        .with(&[Sort("probabilities", d::probabilities)])
        .iterated()
        .usually(false, -8, 0),
    answer(Math::icdf, a::icdf, "CUDA icdf of uint32; the bits of normcdfinv"),
    number(Math::boys_f0, normal::boys_f0, 1.5, "Boys 1950")
        .with(&[Sort("from 0 on", d::from_zero)])
        .slow()
        .usually(false, -8, 6),
    number(Math::tgamma, |z, x, r| z.assign_round(x[0].gamma_ref(), r), 1.5, "C23 7.12.8.4")
        .with(s::GAMMAS)
        .slow()
        .usually(false, 0, 5),
    number(
        Math::lgamma,
        |z, x, r| (z, &mut Ordering::Equal).assign_round(x[0].ln_abs_gamma_ref(), r),
        1.5,
        "C23 7.12.8.3",
    )
    .with(s::GAMMAS)
    .slow()
    .usually(false, 0, 8)
    .against(|x| {
        let y = Float::with_val(64, 1u32 - &x[0]);
        (x[0] < -7 && y.is_finite()).then(|| y.ln_gamma())
    }),
    number(Math::j0, |z, x, r| b::value(z, b::J0, &x[0], r), 1.5, "POSIX j0")
        .with(b::SORTS)
        .slow()
        .usually(true, -8, 7)
        .against(b::envelope),
    number(Math::j1, |z, x, r| b::value(z, b::J1, &x[0], r), 1.5, "POSIX j1")
        .with(b::SORTS)
        .slow()
        .usually(true, -8, 7)
        .against(b::envelope),
    number(Math::y0, |z, x, r| b::value(z, b::Y0, &x[0], r), 1.5, "POSIX y0")
        .with(b::SORTS)
        .slow()
        .usually(false, -8, 7)
        .against(b::envelope),
    number(Math::y1, |z, x, r| b::value(z, b::Y1, &x[0], r), 1.5, "POSIX y1")
        .with(b::SORTS)
        .slow()
        .usually(false, -8, 7)
        .against(b::envelope),
    number(Math::jn, |z, x, r| b::of_order(z, b::JN, x, r), 5.0, "POSIX jn")
        .with(b::ORDERS)
        .iterated()
        .usually(true, -8, 7)
        .against(|x| b::of_order_envelope(b::JN, x)),
    number(Math::yn, |z, x, r| b::of_order(z, b::YN, x, r), 5.0, "POSIX yn")
        .with(b::ORDERS)
        .iterated()
        .usually(false, -8, 7)
        .against(|x| b::of_order_envelope(b::YN, x)),
    number(Math::cyl_bessel_i0, |z, x, r| s::modified_bessel(z, 0, &x[0], r), 1.5, "CUDA math API")
        .with(s::BESSEL)
        .usually(true, -8, 6),
    number(Math::cyl_bessel_i1, |z, x, r| s::modified_bessel(z, 1, &x[0], r), 1.7, "CUDA math API")
        .with(s::BESSEL)
        .usually(true, -8, 6),
];

/// Long integers are divided.
const fn division(row: Row) -> Row {
    Row { cost: COST, ..row }.with(&[Sort("near multiples of halves", d::quotients)]).usually(true, 0, 6)
}

const fn angle(function: Math, mpfr: Mpfr, ulp: f64, source: &'static str) -> Row {
    number(function, mpfr, ulp, source).with(&[Sort("angles", g::angles)]).usually(true, -8, 7)
}

const fn angles(function: Math, both: [Math; 2], source: &'static str) -> Row {
    let definition = Definition::Both(both);
    let usual = Usual { signed: true, least: -8, most: 7 };
    Row { function, definition, sorts: &[Sort("angles", g::angles)], cost: 1, usual, source, scale: None }
}

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

/// That of MPFR.
const COST: u64 = 32;

const fn answer(function: Math, result: fn(&[Argument], Format) -> Vec<Answer>, source: &'static str) -> Row {
    Row {
        function,
        definition: Definition::Answer(result),
        sorts: &[],
        cost: 1,
        usual: Usual::ANY,
        source,
        scale: None,
    }
}

/// A number, within a bound in ulp that is what searches leave room for.
const fn number(function: Math, mpfr: Mpfr, ulp: f64, source: &'static str) -> Row {
    let definition = Definition::Number { mpfr, dyadic: None, ulp: [ulp, ulp], basis: "searched" };
    Row { function, definition, sorts: &[], cost: COST, usual: Usual::ANY, source, scale: None }
}

impl Row {
    /// On operands of one sign or both, with exponents from `least` to below `most`.
    const fn usually(self, signed: bool, least: i32, most: i32) -> Row {
        Row { usual: Usual { signed, least, most }, ..self }
    }

    /// Its error is relative to a magnitude where that is larger.
    const fn against(self, scale: Scale) -> Row {
        Row { scale: Some(scale), ..self }
    }

    /// MPFR takes long.
    const fn slow(self) -> Row {
        Row { cost: 32 * COST, ..self }
    }

    /// Values follow from many others.
    const fn iterated(self) -> Row {
        Row { cost: 256 * COST, ..self }
    }

    const fn with(self, sorts: &'static [Sort]) -> Row {
        Row { sorts, ..self }
    }
}
