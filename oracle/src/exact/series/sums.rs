//! The series: exponential, logarithm, arctangent, sine and cosine, and the constants that they need.

use super::{Ball, GUARD};
use crate::exact::dyadic::Dyadic;
use num_bigint::{BigInt, Sign};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Exponents of results of exponentials are no larger.
const LARGEST: i64 = 1 << 14;

thread_local! {
    /// Constants, by name and precision.
    pub static KNOWN: RefCell<BTreeMap<(&'static str, u64), Ball>> = const { RefCell::new(BTreeMap::new()) };
}

/// A constant, computed once for each thread and multiple of 256 bits.
fn constant(name: &'static str, p: u64, compute: impl FnOnce(u64) -> Ball) -> Ball {
    let p = p.next_multiple_of(256);
    if let Some(ball) = KNOWN.with_borrow(|known| known.get(&(name, p)).cloned()) {
        return ball;
    }
    let ball = compute(p + GUARD);
    KNOWN.with_borrow_mut(|known| known.insert((name, p), ball.clone()));
    ball
}

/// log 2 = 2 atanh(1/3).
pub fn ln2(p: u64) -> Ball {
    constant("ln2", p, |p| inverse(3, p, false).shifted(1))
}

/// log 10.
pub fn ln10(p: u64) -> Ball {
    constant("ln10", p, |p| log(&Ball::int(10), p).expect("10 is positive"))
}

/// pi = 16 atan(1/5) - 4 atan(1/239) (Machin 1706).
fn pi(p: u64) -> Ball {
    constant("pi", p, |p| inverse(5, p, true).shifted(4).sub(&inverse(239, p, true).shifted(2)))
}

/// pi/2 with this sign.
pub fn quarter(sign: Option<Sign>, p: u64) -> Ball {
    let quarter = pi(p).shifted(-1);
    if sign == Some(Sign::Minus) { quarter.neg() } else { quarter }
}

/// atan(1/n), or atanh(1/n).
fn inverse(n: u64, p: u64, alternating: bool) -> Ball {
    odd_sum(Ball::int(1).over(n, p), |power| power.over(n * n, p), p, alternating)
}

/// The sum of (+-1)^i t_i / (2 i + 1), where each t_i is at most a half of the one before, to `p` bits.
fn odd_sum(mut power: Ball, next: impl Fn(&Ball) -> Ball, p: u64, alternating: bool) -> Ball {
    let (mut sum, last) = (Ball::int(0), power.bound().saturating_sub(p as i64));
    for i in 0u64.. {
        if power.is_zero() {
            break;
        }
        let term = power.over(2 * i + 1, p);
        sum = if alternating && i % 2 == 1 { sum.sub(&term) } else { sum.add(&term) }.round(p + GUARD);
        if term.bound() <= last {
            // All that follow are less than the last one together.
            return sum.widened(&term);
        }
        power = next(&power);
    }
    sum
}

/// x / 2^k is so small that a Taylor series ends soon; exp by squaring, sine and cosine without.
const HALVINGS: i64 = 8;

/// The exponential; none where its exponent is beyond [`LARGEST`].
pub fn exp(x: &Ball, p: u64) -> Option<Ball> {
    let room = x.bound().max(0) as u64;
    if room > 40 {
        return None;
    }
    let p = p + GUARD + room;
    let n = i64::try_from(x.div(&ln2(p), 64 + room)?.nearest()).ok().filter(|n| n.abs() < LARGEST)?;
    let t = x.sub(&ln2(p).mul(&Ball::int(n), p)).shifted(-HALVINGS);
    let (mut sum, mut term) = (Ball::int(1), Ball::int(1));
    for i in 1u64.. {
        term = term.mul(&t, p).over(i, p);
        sum = sum.add(&term).round(p + GUARD);
        if term.is_zero() || term.bound() <= -(p as i64) {
            break;
        }
    }
    // |t| < 1/2: all that follow are less than the last one together.
    let mut r = sum.widened(&term);
    for _ in 0..HALVINGS {
        r = r.mul(&r, p + GUARD);
    }
    Some(r.shifted(n))
}

/// The sum of (2 x)^k / (2 k + 1)!! for x >= 0: e^x times the integral of e^(-x t^2) from 0 to 1. None for large x.
pub fn double_factorials(x: &Ball, p: u64) -> Option<Ball> {
    if x.bound() > 11 {
        return None;
    }
    let p = p + GUARD;
    let (mut sum, mut term) = (Ball::int(1), Ball::int(1));
    for n in (3u64..).step_by(2) {
        term = term.mul(&x.clone().shifted(1), p).over(n, p);
        sum = sum.add(&term).round(p + GUARD);
        // From 8 x on each term is less than half the one before.
        if term.is_zero() || (x.bound() < 62 - n.leading_zeros() as i64 && term.bound() <= sum.bound() - p as i64) {
            break;
        }
    }
    Some(sum.widened(&term))
}

/// The logarithm: n log 2 + 2 atanh((m - 1) / (m + 1)) of m 2^n with m in [3/4, 3/2).
pub fn log(x: &Ball, p: u64) -> Option<Ball> {
    if x.sign() != Some(Sign::Plus) || !x.is_known_to(8) {
        return None;
    }
    let n = x.bound();
    let n = if x.clone().shifted(2 - n).nearest() >= BigInt::from(3) { n } else { n - 1 };
    let (m, one) = (x.clone().shifted(-n), Ball::int(1));
    let z = m.sub(&one).div(&m.add(&one), p)?;
    let square = z.mul(&z, p);
    let half = odd_sum(z, |power| power.mul(&square, p), p, false);
    Some(ln2(p + 64).mul(&Ball::int(n), p + 64).add(&half.shifted(1)).round(p + GUARD))
}

/// The arctangent, of a quarter of a quarter of the angle: atan x = 2 atan (x / (1 + sqrt(1 + x^2))).
pub fn atan(x: &Ball, p: u64) -> Option<Ball> {
    const HALVINGS: i64 = 4;
    let (mut y, one) = (x.clone(), Ball::int(1));
    for _ in 0..HALVINGS {
        y = y.div(&y.mul(&y, p).add(&one).sqrt(p)?.add(&one), p)?;
    }
    let square = y.mul(&y, p);
    Some(odd_sum(y, |power| power.mul(&square, p), p, true).shifted(HALVINGS))
}

/// Sine and cosine: those of x - n pi/2, exchanged by n.
pub fn sin_cos(x: &Ball, p: u64) -> Option<(Ball, Ball)> {
    let room = x.bound().max(0) as u64;
    let p = p + GUARD;
    let right = quarter(None, p + room);
    let n = x.div(&right, 64 + room)?.nearest();
    let r = x.sub(&right.mul(&Ball::exact(&Dyadic::new(n.clone(), 0)), p + 2 * room)).round(p);
    let square = r.mul(&r, p).neg();
    // Of r^i / i! from i = 0 and i = 1 on, every second one.
    let series = |first: Ball, i: u64| {
        let (mut sum, mut term) = (first.clone(), first);
        for i in (i + 1..).step_by(2) {
            term = term.mul(&square, p).over(i * (i + 1), p);
            sum = sum.add(&term).round(p + GUARD);
            if term.is_zero() || term.bound() <= sum.bound() - p as i64 {
                break;
            }
        }
        sum.widened(&term)
    };
    let (s, c) = (series(r.clone(), 1), series(Ball::int(1), 0));
    let turn = (n % 4i32 + 4i32) % 4i32;
    Some(match u8::try_from(turn).ok()? {
        0 => (s, c),
        1 => (c, s.neg()),
        2 => (s.neg(), c.neg()),
        _ => (c.neg(), s),
    })
}
