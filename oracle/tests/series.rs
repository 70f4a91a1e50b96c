//! The series against MPFR: its correctly rounded value lies in every enclosure, and the enclosures are small.
//!
//! `VERNIER_CASES` sets the number of cases of each function.

mod common;

use common::Words;
use rayon::prelude::*;
use rug::ops::{AssignRound, Pow};
use rug::{Float, Integer};
use std::collections::BTreeSet;
use vernier::function::Math;
use vernier_oracle::dyadic::{Dyadic, Exact, Number};
use vernier_oracle::functions::{self, Definition};
use vernier_oracle::generate::limb::compose;
use vernier_oracle::{Format, dyadic, mpfr, series};

/// Digits of enclosures.
const DIGITS: u32 = 160;
/// Cases of a function where nobody asks for more.
const CASES: u64 = 2000;

/// Where arguments lie.
#[derive(Clone, Copy)]
enum Domain {
    /// All numbers of so many binades above and below 1.
    All(i32),
    /// Those above 0.
    Positive(i32),
    /// Up to 1 in magnitude.
    Unit,
    /// From 1 on.
    Above,
    /// From -1 on.
    AboveMinusOne,
    /// A base and an exponent.
    Power,
}
use Domain::*;

fn of<T>(z: T) -> Float
where
    Float: AssignRound<T, Round = rug::float::Round, Ordering = std::cmp::Ordering>,
{
    let mut r = Float::new(2 * DIGITS);
    r.assign_round(z, rug::float::Round::Nearest);
    r
}

/// The value of a row.
fn row(function: Math, x: &[Float]) -> Float {
    let mut z = Float::new(2 * DIGITS);
    match functions::row(function).definition {
        Definition::Number { mpfr, .. } => mpfr(&mut z, x, rug::float::Round::Nearest),
        _ => unreachable!("a number"),
    };
    z
}

/// The sum of squares; exact.
fn squares(x: &[Float]) -> Float {
    x.iter().fold(Float::new(20_000), |sum, x| sum + Float::with_val(2 * x.prec(), x.square_ref()))
}

/// Name, number of arguments, where they lie, and the value by MPFR.
type Function = (&'static str, usize, Domain, fn(&[Float]) -> Float);

const FUNCTIONS: [Function; 40] = [
    ("exp", 1, All(10), |x| of(x[0].exp_ref())),
    ("exp2", 1, All(10), |x| of(x[0].exp2_ref())),
    ("exp10", 1, All(9), |x| of(x[0].exp10_ref())),
    ("expm1", 1, All(10), |x| of(x[0].exp_m1_ref())),
    ("log", 1, Positive(1000), |x| of(x[0].ln_ref())),
    ("log2", 1, Positive(1000), |x| of(x[0].log2_ref())),
    ("log10", 1, Positive(1000), |x| of(x[0].log10_ref())),
    ("log1p", 1, AboveMinusOne, |x| of(x[0].ln_1p_ref())),
    ("pow", 2, Power, |x| of((&x[0]).pow(&x[1]))),
    ("sin", 1, All(1000), |x| of(x[0].sin_ref())),
    ("cos", 1, All(1000), |x| of(x[0].cos_ref())),
    ("tan", 1, All(1000), |x| of(x[0].tan_ref())),
    ("sinpi", 1, All(100), |x| of(x[0].sin_pi_ref())),
    ("cospi", 1, All(100), |x| of(x[0].cos_pi_ref())),
    ("tanpi", 1, All(100), |x| of(x[0].tan_pi_ref())),
    ("asin", 1, Unit, |x| of(x[0].asin_ref())),
    ("acos", 1, Unit, |x| of(x[0].acos_ref())),
    ("atan", 1, All(1000), |x| of(x[0].atan_ref())),
    ("atan2", 2, All(1000), |x| of(x[0].atan2_ref(&x[1]))),
    ("sinh", 1, All(10), |x| of(x[0].sinh_ref())),
    ("cosh", 1, All(10), |x| of(x[0].cosh_ref())),
    ("tanh", 1, All(10), |x| of(x[0].tanh_ref())),
    ("asinh", 1, All(1000), |x| of(x[0].asinh_ref())),
    ("acosh", 1, Above, |x| of(x[0].acosh_ref())),
    ("atanh", 1, Unit, |x| of(x[0].atanh_ref())),
    ("cbrt", 1, All(1000), |x| of(x[0].cbrt_ref())),
    ("rcbrt", 1, All(1000), |x| of(x[0].root_i_ref(-3))),
    ("hypot", 2, All(1000), |x| of(x[0].hypot_ref(&x[1]))),
    ("norm3d", 3, All(1000), |x| of(squares(x).sqrt_ref())),
    ("norm4d", 4, All(1000), |x| of(squares(x).sqrt_ref())),
    ("rhypot", 2, All(1000), |x| of(squares(x).recip_sqrt_ref())),
    ("rnorm3d", 3, All(1000), |x| of(squares(x).recip_sqrt_ref())),
    ("rnorm4d", 4, All(1000), |x| of(squares(x).recip_sqrt_ref())),
    ("erf", 1, All(5), |x| of(x[0].erf_ref())),
    ("erfc", 1, All(5), |x| of(x[0].erfc_ref())),
    ("erfcx", 1, All(5), |x| row(Math::erfcx, x)),
    ("normcdf", 1, All(5), |x| row(Math::normcdf, x)),
    ("boys_f0", 1, Positive(9), |x| row(Math::boys_f0, x)),
    ("sinh", 1, All(1), |x| of(x[0].sinh_ref())),
    ("log", 1, Positive(1), |x| of(x[0].ln_ref())),
];

/// A pair of doubles: half of them of exponents near 0, some with few digits.
fn pair(words: &mut Words, range: i32) -> Dyadic {
    let e = if words.one_in(2) { words.between(-range.min(8), range.min(8)) } else { words.between(-range, range) };
    let fraction =
        if words.one_in(4) { words.next() & words.next() & words.next() & !0xfff_ffff } else { words.next() };
    let hi = compose(words.one_in(2), e - 1, fraction, Format::F64);
    let lo = if words.one_in(4) {
        0.0
    } else {
        compose(words.one_in(2), e - 54 - words.between(0, 70), words.next(), Format::F64)
    };
    match dyadic::value((hi, lo)) {
        Exact::Finite(Number::Dyadic(x)) => x,
        _ => Dyadic::zero(),
    }
}

fn argument(words: &mut Words, domain: Domain) -> Dyadic {
    let one = Dyadic::one();
    match domain {
        All(range) => pair(words, range),
        Positive(range) => pair(words, range).abs(),
        Unit if words.one_in(16) => Dyadic::one(),
        Unit => {
            let e = -1 - i64::from(words.between(0, 60) * i32::from(words.one_in(2)));
            let x = pair(words, 0).shifted(e);
            // Near 1, or anywhere.
            if words.one_in(2) { one.add(&x.abs().neg()) } else { x }
        }
        Above => one.add(&pair(words, 100).abs()),
        AboveMinusOne if words.one_in(4) => argument(words, Unit),
        AboveMinusOne => pair(words, 100).abs(),
        Power => pair(words, 3).abs(),
    }
}

/// The arguments of a case.
fn arguments(words: &mut Words, n: usize, domain: Domain) -> Vec<Dyadic> {
    let mut x: Vec<Dyadic> = (0..n).map(|_| argument(words, domain)).collect();
    if let Power = domain {
        // Any base to a small integer, a base near 1 to a large power.
        match words.below(4) {
            0 => (x[0], x[1]) = (pair(words, 50), Dyadic::from_f64(words.between(-9, 9).into())),
            1 => {
                let k = words.between(1, 90);
                x[0] = Dyadic::one().add(&x[0].shifted((-k - 4).into()));
                x[1] = x[1].shifted(k.into());
            }
            _ => x[1] = x[1].shifted(words.between(-4, 4).into()),
        }
    }
    x
}

fn float(x: &Dyadic) -> Float {
    let (m, e) = x.parts();
    let m = Integer::from_str_radix(&m.to_str_radix(16), 16).unwrap();
    Float::with_val(m.significant_bits().max(2), &m) << e as i32
}

#[test]
fn values_by_mpfr_lie_in_the_enclosures() {
    let cases = std::env::var("VERNIER_CASES").map_or(CASES, |n| n.parse().expect("a number of cases"));
    for (i, &(name, n, domain, rug)) in FUNCTIONS.iter().enumerate() {
        let known: u64 = (0..cases)
            .into_par_iter()
            .map(|case| {
                let words = &mut Words::new(i as u64, case);
                let x = arguments(words, n, domain);
                let Some(ball) = series::enclosure(name, &x, DIGITS.into()) else { return 0 };
                let z = rug(&x.iter().map(float).collect::<Vec<_>>());
                let z = mpfr::dyadic(&z).unwrap_or_else(|| panic!("{name} {x:?} = {z}"));
                assert!(ball.holds(&z, 2 * DIGITS), "{name} {x:?} = {z:?}, {ball:?}");
                u64::from(ball.is_known_to(DIGITS.into()) || z.is_zero())
            })
            .sum();
        assert!(known * 20 >= cases * 18, "{name}: {known} of {cases} enclosures are small");
    }
}

#[test]
fn every_series_is_tried() {
    let tried: BTreeSet<&str> = FUNCTIONS.iter().map(|f| f.0).collect();
    assert_eq!(tried, series::TABLE.iter().map(|s| s.0).collect());
}
