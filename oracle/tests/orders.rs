//! Bessel functions of integer order against MPFR: within 4 sqrt(max(n, 9)) u^2 of the function below x = n, of the
//! envelope from there on; of large orders within 6 sqrt(n) u^2. MPFR's own are slow there, but for J below x = n:
//! elsewhere its orders 0 and 1 and the recurrence, with digits to spare.
//!
//! `VERNIER_CASES` sets the number of cases of each function and width.

mod common;

use common::Words;
use rayon::prelude::*;
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;
use std::cmp::Ordering;
use std::num::Wrapping;
use vernier::HostLimb;
use vernier::host::Host;
use vernier::machine::{Value, exp2};
use vernier::math::{LARGE_ORDERS, ORDERS, bessel_j, bessel_y, jn, yn};

const DIGITS: u32 = 200;

type Function<F> = fn(i32, (F, F)) -> (F, F);

/// The recurrence, which multiplies no error by more than n here.
fn upward<T, U>(n: i32, x: &Float, first: T, second: U) -> Float
where
    Float: AssignRound<T, Round = Round, Ordering = Ordering> + AssignRound<U, Round = Round, Ordering = Ordering>,
{
    let (mut before, mut at) = (Float::with_val(DIGITS, first), Float::with_val(DIGITS, second));
    for k in 1..n {
        let next = Float::with_val(DIGITS, &at * (2 * k)) / x - &before;
        (before, at) = (at, next);
    }
    at
}

fn errors<F: HostLimb + Value<M = Host>>(
    function: Function<F>,
    second: bool,
    (most, bound): (i32, f64),
    seed: u64,
) -> f64 {
    let cases = std::env::var("VERNIER_CASES").map_or(250, |n| n.parse().expect("a number of cases"));
    let error = |case: u64| {
        let words = &mut Words::new(seed, case);
        let most = most / [1, 5, 50][words.between(0, 2) as usize];
        let n = words.between(2, most.max(12));
        let part = (words.next() >> 11) as f64 * exp2(-53);
        // Below, about and above the order.
        let x = f64::from(n)
            * match words.between(0, 3) {
                0 => part,
                1 => (1.0 + (part - 0.5) * f64::from(n).powf(-0.66) * 8.0).abs(),
                2 => 1.0 + part,
                _ => 1.0 + 100.0 * part * part,
            };
        let hi = F::lit(x);
        let lo = F::lit((x - hi.to_f64()) + x * (words.next() as i64 as f64) * exp2(-64 - F::P as i32));
        let r = function(n, (hi, lo));
        let x = Float::with_val(2200, hi.to_f64()) + lo.to_f64();
        let first = if x < n { Float::with_val(DIGITS, x.jn_ref(n)) } else { upward(n, &x, x.j0_ref(), x.j1_ref()) };
        let other = upward(n, &x, x.y0_ref(), x.y1_ref());
        let z = if second { &other } else { &first };
        let size = if x < n { Float::with_val(64, z.abs_ref()) } else { Float::with_val(64, first.hypot_ref(&other)) };
        let most: Float = Float::with_val(2, 1) << (2 - F::MIN_EXP);
        if *z < -most {
            assert_eq!(r.0.to_f64(), f64::NEG_INFINITY, "{n} {x}");
            return 0.0;
        }
        let off = Float::with_val(64, z - (Float::with_val(2200, r.0.to_f64()) + r.1.to_f64())).abs();
        let u2 = exp2(-2 * F::P as i32);
        // What is below the smallest step does not count.
        let beyond = (off - exp2(F::MIN_EXP + 1 - F::P as i32)).max(&Float::new(64));
        let error = (beyond / size).to_f64() / (u2 * f64::from(n.max(9)).sqrt());
        assert!(error < bound, "{n} {x}: {error} sqrt(n) u^2");
        error
    };
    (0..cases).into_par_iter().map(error).reduce(|| 0.0, f64::max)
}

/// J and Y of both widths.
fn all(single: [Function<f32>; 2], double: [Function<f64>; 2], most: (i32, f64)) {
    let single = [0, 1].map(|i| errors(single[i], i == 1, most, i as u64));
    let double = [0, 1].map(|i| errors(double[i], i == 1, most, i as u64 + 2));
    println!("up to {most:?}: {single:?} and {double:?} sqrt(n) u^2");
    assert!(single.iter().chain(&double).all(|&e| e > 0.2), "{single:?} {double:?}");
}

#[test]
fn orders_of_every_machine_are_within_their_bound() {
    fn first<F: HostLimb + Value<M = Host>>(n: i32, x: (F, F)) -> (F, F) {
        jn(Wrapping(n as u32), x)
    }
    fn second<F: HostLimb + Value<M = Host>>(n: i32, x: (F, F)) -> (F, F) {
        yn(Wrapping(n as u32), x)
    }
    all([first, second], [first, second], (ORDERS, 4.0));
}

#[test]
fn large_orders_are_within_their_bound() {
    all([bessel_j, bessel_y], [bessel_j, bessel_y], (LARGE_ORDERS, 6.0));
}
