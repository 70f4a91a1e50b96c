//! Bessel functions of both kinds: operands that matter to them, values at infinity, and envelopes.

use super::Sort;
use super::domains::{pair, sign, unit};
use super::special::{near, small, within};
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

/// Where a function changes its sign, between these.
fn zero(at: impl Fn(&Float) -> bool, low: f64, high: f64) -> Pair {
    let (mut a, mut b) = (Float::with_val(140, low), Float::with_val(140, high));
    let below = at(&a);
    for _ in 0..130 {
        let mid = Float::with_val(140, &a + &b) / 2u32;
        if at(&mid) == below { a = mid } else { b = mid }
    }
    let hi = a.to_f64();
    (hi, (a - hi).to_f64())
}

/// Zeros below 25.
fn zeros() -> &'static [Pair] {
    static ALL: OnceLock<Vec<Pair>> = OnceLock::new();
    ALL.get_or_init(|| {
        let of = |f: Bessel| {
            let at = move |x: &Float| {
                let mut z = Float::new(64);
                (f.value)(&mut z, x, Round::Nearest);
                z.is_sign_negative()
            };
            let about = move |n: i32| (f64::from(n) + f.phase) * PI;
            (1..9).map(move |n| zero(at, about(n) - 0.3, about(n) + 0.3))
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

/// A function of two arguments, the first of which is an integer order.
#[derive(Clone, Copy)]
pub struct OfOrder {
    /// By MPFR, up to 64.
    value: fn(&mut Float, i32, &Float, Round) -> Ordering,
    /// Those of orders 0 and 1.
    first: [Bessel; 2],
    second: bool,
}

pub const JN: OfOrder = OfOrder { value: |z, n, x, r| z.assign_round(x.jn_ref(n), r), first: [J0, J1], second: false };
pub const YN: OfOrder = OfOrder { value: |z, n, x, r| z.assign_round(x.yn_ref(n), r), first: [Y0, Y1], second: true };

impl OfOrder {
    /// The value at a number that is neither 0 nor infinite, above 0 for the second kind.
    ///
    /// MPFR's expansion for large x may fail for other orders than 0 and 1, and its series does not end then: from 25 and n on by
    /// the recurrence, which multiplies no error by more than 16. Fewer than 64 steps lose less than 2^12 units in all.
    fn at(self, z: &mut Float, n: i32, x: &Float, round: Round) -> Ordering {
        if n < 0 {
            let odd = n % 2 != 0;
            let other = match round {
                Round::Up if odd => Round::Down,
                Round::Down if odd => Round::Up,
                same => same,
            };
            let order = self.at(z, -n, x, other);
            if odd {
                *z = -z.clone();
            }
            return if odd { order.reverse() } else { order };
        }
        if n < 2 || x.clone().abs() < 25.max(n) {
            return (self.value)(z, n, x, round);
        }
        let mut working = z.prec() + 64;
        loop {
            let [mut before, mut at] = self.first.map(|f| {
                let mut z = Float::new(working);
                (f.value)(&mut z, x, Round::Nearest);
                z
            });
            let mut most = Float::with_val(64, before.abs_ref()).max(&Float::with_val(64, at.abs_ref()));
            for k in 1..n {
                let next = Float::with_val(working, &at * (2 * k)) / x - &before;
                (before, at) = (at, next);
                most = most.max(&Float::with_val(64, at.abs_ref()));
            }
            if let Some(order) = within(z, &at, &(most >> (working - 16)), round) {
                return order;
            }
            working *= 2;
        }
    }
}

/// The largest order.
const LARGEST: u32 = 64;

/// The order, which is what a number is rounded to toward 0; none beyond the largest.
fn order(n: &Float) -> Option<i32> {
    let n = n.to_i32_saturating_round(Round::Zero).unwrap_or(0);
    Some(n).filter(|n| n.unsigned_abs() <= LARGEST)
}

/// The value; of the pole, zeros and infinities by parity.
pub fn of_order(z: &mut Float, f: OfOrder, x: &[Float], round: Round) -> Ordering {
    let (Some(n), x) = (order(&x[0]), &x[1]) else { return z.assign_round(Special::Nan, round) };
    if x.is_nan() {
        return z.assign_round(Special::Nan, round);
    }
    let below = x.is_sign_negative();
    let flip = n % 2 != 0 && (n < 0) ^ (below && !f.second);
    let special = match (f.second, x.is_zero(), x.is_infinite()) {
        (true, true, _) => Special::Infinity,
        (true, ..) if below => return z.assign_round(Special::Nan, round),
        (false, true, _) if n == 0 => return z.assign_round(1, round),
        (_, false, false) => return f.at(z, n, x, round),
        _ => Special::Zero,
    };
    z.assign_round(special, round);
    // The pole is a negative one.
    if flip ^ z.is_infinite() {
        *z = -z.clone();
    }
    Ordering::Equal
}

/// sqrt(max(1, n / 9)) times |f|, or times sqrt(J^2 + Y^2) from n on, to a few digits.
pub fn of_order_envelope(f: OfOrder, x: &[Float]) -> Option<Float> {
    let n = order(&x[0])?;
    let (a, size) = (Float::with_val(64, x[1].abs_ref()), n.unsigned_abs());
    if a.is_zero() || !a.is_finite() {
        return None;
    }
    let at = |f: OfOrder| {
        let mut z = Float::new(64);
        f.at(&mut z, n, &a, Round::Nearest);
        z.abs()
    };
    let factor = Float::with_val(64, size.max(9)).sqrt() / 3u32;
    if a < size {
        return (size > 9).then(|| at(f) * factor);
    }
    let envelope = if a >= 25 && a >= 2 * size {
        let root = (a.clone().square() - size * size).sqrt();
        (Float::with_val(64, Constant::Pi) * root / 2u32).recip_sqrt()
    } else {
        at(JN).hypot(&at(YN))
    };
    Some(envelope * factor)
}

/// The first zeros of some orders, with these.
fn zeros_of_orders() -> &'static [(i32, Pair)] {
    static ALL: OnceLock<Vec<(i32, Pair)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        for (f, n) in [JN, YN].into_iter().flat_map(|f| [2, 3, 4, 7, 12, 25, 40, 63, 64].map(|n| (f, n))) {
            let at = |x: &Float| {
                let mut z = Float::new(64);
                f.at(&mut z, n, x, Round::Nearest);
                z.is_sign_negative()
            };
            let (mut x, mut found) = (f64::from(n), 0);
            while found < 3 {
                if at(&Float::with_val(53, x)) != at(&Float::with_val(53, x + 0.5)) {
                    all.push((n, zero(at, x, x + 0.5)));
                    found += 1;
                }
                x += 0.5;
            }
        }
        all
    })
}

/// An order, of either sign.
fn any_order(words: &mut Words) -> (i32, f64) {
    let most = words.pick(&[4, 12, 64, 64]);
    let n = words.between(0, most);
    (n, f64::from(n) * sign(words))
}

/// The order and where x is, of x over the order or x itself.
fn of(words: &mut Words, f: Format, out: &mut [Pair], at: impl FnOnce(&mut Words, f64) -> f64) {
    let (size, n) = any_order(words);
    out[0] = (n, 0.0);
    let x = at(words, f64::from(size));
    out[1] = pair(if words.one_in(8) { -x } else { x }, words, f);
}

/// log2 of n!.
fn factorial(n: f64) -> f64 {
    (1..=n as u32).map(|k| f64::from(k).log2()).sum()
}

/// Their arguments.
pub const ORDERS: &[Sort] = &[
    Sort("below the order", |words, f, out| of(words, f, out, |words, n| unit(words).abs() * n)),
    Sort("about the order", |words, f, out| {
        of(words, f, out, |words, n| n * (1.0 + unit(words) * (-(words.below(30) as f64)).exp2()) + small(words, 60));
    }),
    Sort("above the order", |words, f, out| of(words, f, out, |words, n| n + unit(words).abs() * 40.0)),
    Sort("near zeros", |words, f, out| {
        let roots = zeros_of_orders();
        let (n, root) = roots[words.below(roots.len() as u64) as usize];
        out[0] = (f64::from(n), 0.0);
        out[1] = near(&[root], words, f);
    }),
    Sort("near 0", |words, f, out| {
        of(words, f, out, |words, n| {
            small(words, (if f.p == 24 { 160.0 } else { 1090.0 } / n.max(1.0)) as u64 + 4).abs()
        });
    }),
    Sort("results near underflow", |words, f, out| {
        of(words, f, out, |words, n| {
            let n = n.max(1.0);
            let least = f64::from(f.emin) + unit(words).abs() * 2.0 * f64::from(f.p) - 2.0;
            (1.0 + (least + factorial(n)) / n).exp2()
        });
    }),
    Sort("results near overflow", |words, f, out| {
        of(words, f, out, |words, n| {
            let n = n.max(1.0);
            let most = f64::from(f.emax) + 1.0 - unit(words).abs() * words.pick(&[0.01, 4.0]);
            (1.0 + (factorial(n - 1.0) - PI.log2() - most) / n).exp2()
        });
    }),
    Sort("beyond", |words, f, out| of(words, f, out, |words, n| n + unit(words).abs() * 1000.0)),
    Sort("far beyond", |words, f, out| {
        of(words, f, out, |words, _| f64::from(words.between(5, f.emax)).exp2() * (1.0 + unit(words).abs()));
    }),
];
