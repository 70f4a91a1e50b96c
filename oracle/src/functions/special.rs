//! Operands that matter to gamma and Bessel functions, and values that MPFR lacks.

use super::Sort;
use super::domains::{pair, sign, unit};
use crate::format::Format;
use crate::generate::counter::Words;
use crate::generate::limb;
use crate::target::Pair;
use rug::float::{Round, Special};
use rug::ops::AssignRound;
use rug::{Assign, Float};
use std::cmp::Ordering;

/// Zeros of log |gamma| between -7 and -2.
const LOG_GAMMA: [Pair; 10] = [
    (-2.4570247382208006, -3.7075610815513266e-17),
    (-2.7476826467274127, 9.055340329338315e-17),
    (-3.14358088834998, -2.1818179852331714e-16),
    (-3.955294284858598, -1.999428391746348e-17),
    (-4.039361839740537, 2.1143995503980602e-16),
    (-4.991544640560048, 1.5174411760571722e-16),
    (-5.0082181683225935, -4.3926353491015815e-17),
    (-5.998607480080875, -3.311862478893795e-16),
    (-6.001385294453155, 6.415847287933042e-17),
    (-6.999801507890638, 1.0550130037400023e-17),
];

/// 2^-k (1 to 2) for k below `most`, of either sign.
pub(super) fn small(words: &mut Words, most: u64) -> f64 {
    sign(words) * (-(words.below(most) as f64)).exp2() * (1.0 + unit(words).abs())
}

/// A number near one of these, by limbs or by the value.
pub(super) fn near(roots: &[Pair], words: &mut Words, f: Format) -> Pair {
    let (h, l) = words.pick(roots);
    let hi = limb::round(h, f);
    if words.one_in(2) {
        return pair(h + h.abs() * small(words, 50) / 16.0, words, f);
    }
    let lo = limb::round((h - hi) + l, f);
    (hi, limb::step(lo, small(words, 20) as i64 * 8 + i64::from(words.between(-2, 2)), f))
}

/// About where gamma becomes too large.
fn most(f: Format) -> f64 {
    if f.p == 24 { 36.0 } else { 172.0 }
}

/// Arguments of gamma functions.
pub const GAMMAS: &[Sort] = &[
    Sort("above 0", |words, f, out| out[0] = pair(unit(words).abs() * most(f), words, f)),
    Sort("below 0", |words, f, out| out[0] = pair(-unit(words).abs() * (most(f) + 8.0), words, f)),
    Sort("near integers", |words, f, out| {
        out[0] = pair((unit(words) * most(f)).round() + small(words, 60) / 4.0, words, f);
    }),
    Sort("beside integers, by lo alone", |words, f, out| {
        let n = (unit(words) * most(f)).round();
        out[0] = (n, limb::round(n.abs().max(1.0) * small(words, 100) * f64::from(-(f.p as i32) - 1).exp2(), f));
    }),
    Sort("near 0", |words, f, out| out[0] = pair(small(words, if f.p == 24 { 149 } else { 1074 }), words, f)),
    Sort("at ends of intervals", |words, f, out| out[0] = pair(f64::from(words.between(1, 40)) / 4.0, words, f)),
    Sort("near zeros of the logarithm", |words, f, out| out[0] = near(&LOG_GAMMA, words, f)),
    Sort("near overflow", |words, f, out| out[0] = pair(most(f) - 1.0 + unit(words), words, f)),
    Sort("large", |words, f, out| {
        // Of half of them gamma is finite.
        let most = words.pick(&[4, f.emax]);
        out[0] = pair(f64::from(words.between(0, most)).exp2() * (1.0 + unit(words).abs()), words, f);
    }),
];

/// Where modified Bessel functions become too large.
fn end(f: Format) -> f64 {
    if f.p == 24 { 92.0 } else { 714.0 }
}

/// Arguments of modified Bessel functions.
pub const BESSEL: &[Sort] = &[
    Sort("of any size", |words, f, out| out[0] = pair(unit(words) * end(f), words, f)),
    Sort("up to 8", |words, f, out| out[0] = pair(unit(words) * 8.0, words, f)),
    Sort("near 0", |words, f, out| out[0] = pair(small(words, if f.p == 24 { 149 } else { 1074 }), words, f)),
    Sort("near overflow", |words, f, out| out[0] = pair(sign(words) * (end(f) + unit(words)), words, f)),
    Sort("at ends of intervals", |words, f, out| {
        let e = f64::from(words.between(0, 9)).exp2();
        out[0] = pair(sign(words) * e * (1.0 + f64::from(words.between(0, 4)) / 4.0), words, f);
    }),
];

/// The sum of (x/2)^(2 k + n) / (k! (k + n)!), rounded as asked; all terms have one sign.
///
/// Each of fewer than 2^12 terms and sums is rounded twice: relative to the sum they are 2^-(w - 14), and so is what is left out. More
/// digits are taken until that does not matter to the rounding; the value is no number of so few digits but for x = 0.
pub fn modified_bessel(z: &mut Float, order: u32, x: &Float, round: Round) -> Ordering {
    if x.is_zero() || !x.is_finite() {
        return match (order, x.is_infinite()) {
            (0, true) => z.assign_round(Special::Infinity, round),
            (0, false) if x.is_zero() => z.assign_round(1, round),
            _ => z.assign_round(x, round),
        };
    }
    // Beyond, it is more than any limb.
    if x.clone().abs() > 2000 {
        let large: Float = Float::with_val(64, 1) << 1_000_000;
        return z.assign_round(if order == 1 && x.is_sign_negative() { -large } else { large }, round);
    }
    let mut working = z.prec() + 64;
    loop {
        let quarter = Float::with_val(working, x.square_ref()) >> 2;
        let mut term = Float::with_val(working, if order == 0 { Float::with_val(2, 1) } else { x.clone() >> 1 });
        let mut sum = term.clone();
        let mut k = 0;
        // Terms fall by half and more once they are so small.
        while term.get_exp().zip(sum.get_exp()).is_some_and(|(t, s)| t > s - working as i32) {
            k += 1;
            term *= &quarter;
            term /= k * (k + order);
            sum += &term;
        }
        let error = Float::with_val(64, sum.abs_ref()) >> (working - 14);
        if let Some(order) = within(z, &sum, &error, round) {
            return order;
        }
        working *= 2;
    }
}

/// Rounds a number that is within `error` of a value which is none of so few digits; none where that may round to another.
pub fn within(z: &mut Float, value: &Float, error: &Float, round: Round) -> Option<Ordering> {
    let digits = value.prec() + 2;
    let (low, high) = (Float::with_val(digits, value - error), Float::with_val(digits, value + error));
    let ends = (Float::with_val_round(z.prec(), &low, round), Float::with_val_round(z.prec(), &high, round));
    (ends.0.0 == ends.1.0 && ends.0.1 == ends.1.1).then(|| {
        z.assign(&ends.0.0);
        ends.0.1
    })
}
