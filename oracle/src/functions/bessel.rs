//! Bessel functions of both kinds: operands that matter to them, and values at infinity.

use super::Sort;
use super::domains::{pair, unit};
use super::special::{near, small};
use crate::format::Format;
use crate::generate::counter::Words;
use crate::target::Pair;
use rug::Float;
use rug::float::{Constant, Round, Special};
use rug::ops::AssignRound;
use std::cmp::Ordering;
use std::f64::consts::PI;
use std::sync::OnceLock;

/// A function.
#[derive(Clone, Copy)]
pub struct Bessel {
    /// By MPFR.
    value: fn(&mut Float, &Float, Round) -> Ordering,
    /// At -infinity: J1 is odd there too, and Y is no number below 0.
    end: Special,
    /// Zeros are near (n + this) pi.
    phase: f64,
}

pub const J0: Bessel = Bessel { value: |z, x, r| z.assign_round(x.j0_ref(), r), end: Special::Zero, phase: -0.25 };
pub const J1: Bessel = Bessel { value: |z, x, r| z.assign_round(x.j1_ref(), r), end: Special::NegZero, phase: 0.25 };
pub const Y0: Bessel = Bessel { value: |z, x, r| z.assign_round(x.y0_ref(), r), end: Special::Nan, phase: -0.75 };
pub const Y1: Bessel = Bessel { value: |z, x, r| z.assign_round(x.y1_ref(), r), end: Special::Nan, phase: -0.25 };

/// The value.
pub fn value(z: &mut Float, f: Bessel, x: &Float, round: Round) -> Ordering {
    if x.is_infinite() {
        return z.assign_round(if x.is_sign_negative() { f.end } else { Special::Zero }, round);
    }
    (f.value)(z, x, round)
}

/// sqrt(J^2 + Y^2) from 25 on, to a few digits.
pub fn envelope(x: &[Float]) -> Option<Float> {
    let a = Float::with_val(64, x[0].abs_ref());
    (a >= 25 && a.is_finite()).then(|| (Float::with_val(64, Constant::Pi) * a / 2u32).recip_sqrt())
}

/// Zeros below 25.
fn zeros() -> &'static [Pair] {
    static ALL: OnceLock<Vec<Pair>> = OnceLock::new();
    ALL.get_or_init(|| {
        let of = |f: Bessel| {
            (1..9).map(move |n| {
                let about = (f64::from(n) + f.phase) * PI;
                let at = |x: &Float| {
                    let mut z = Float::new(64);
                    (f.value)(&mut z, x, Round::Nearest);
                    z.is_sign_negative()
                };
                let (mut a, mut b) = (Float::with_val(140, about - 0.3), Float::with_val(140, about + 0.3));
                let below = at(&a);
                for _ in 0..130 {
                    let mid = Float::with_val(140, &a + &b) / 2u32;
                    if at(&mid) == below { a = mid } else { b = mid }
                }
                let hi = a.to_f64();
                (hi, (a - hi).to_f64())
            })
        };
        [J0, J1, Y0, Y1].into_iter().flat_map(of).collect()
    })
}

/// Their arguments.
pub const SORTS: &[Sort] = &[
    Sort("up to 26", |words, f, out| out[0] = pair(unit(words).abs() * 26.0, words, f)),
    Sort("up to 4", |words, f, out| out[0] = pair(unit(words).abs() * 4.0, words, f)),
    Sort("near 0", |words, f, out| {
        let x = small(words, if f.p == 24 { 149 } else { 1074 }).abs();
        out[0] = pair(x, words, f);
    }),
    Sort("near zeros", |words, f, out| out[0] = near(zeros(), words, f)),
    Sort("between zeros", |words, f, out| {
        let x = f64::from(words.between(0, 36)) * PI / 4.0 + 0.05 * unit(words) + 0.1;
        out[0] = pair(x, words, f);
    }),
    Sort("at ends of intervals", |words: &mut Words, f: Format, out: &mut [Pair]| {
        let x = words.pick(&[0.5, 1.0, 1.84, 2.5, 4.0, 25.0]);
        let x = if words.one_in(2) { x } else { f64::from(words.between(4, 32)) / 8.0 };
        out[0] = pair(x, words, f);
    }),
    Sort("beyond", |words, f, out| out[0] = pair(25.0 + unit(words).abs() * 1000.0, words, f)),
    Sort("far beyond", |words, f, out| {
        out[0] = pair(f64::from(words.between(5, f.emax)).exp2() * (1.0 + unit(words).abs()), words, f);
    }),
];
