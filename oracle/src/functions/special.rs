//! Operands that matter to gamma and Bessel functions.

use super::domains::{pair, sign, unit};
use crate::format::Format;
use crate::generate::counter::Words;
use crate::generate::limb;
use crate::target::Pair;

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
fn small(words: &mut Words, most: u64) -> f64 {
    sign(words) * (-(words.below(most) as f64)).exp2() * (1.0 + unit(words).abs())
}

/// A number near one of these, by limbs or by the value.
fn near(roots: &[Pair], words: &mut Words, f: Format) -> Pair {
    let (h, l) = words.pick(roots);
    let hi = limb::round(h, f);
    if words.one_in(2) {
        return pair(h + h.abs() * small(words, 50) / 16.0, words, f);
    }
    let lo = limb::round((h - hi) + l, f);
    (hi, limb::step(lo, small(words, 20) as i64 * 8 + i64::from(words.between(-2, 2)), f))
}

/// Arguments of gamma functions: to the ends of the range, near integers of either sign, near 0, at ends of intervals, near zeros
/// of the logarithm, and large.
pub fn gammas(words: &mut Words, f: Format, out: &mut [Pair]) {
    let most = if f.p == 24 { 36.0 } else { 172.0 };
    out[0] = match words.below(10) {
        0 | 1 => pair(unit(words).abs() * most, words, f),
        2 => pair(-unit(words).abs() * (most + 8.0), words, f),
        3 => pair((unit(words) * most).round() + small(words, 60) / 4.0, words, f),
        4 => {
            // Beside an integer, by lo alone.
            let n = (unit(words) * most).round();
            (n, limb::round(n.max(1.0) * small(words, 100) * f64::from(-(f.p as i32) - 1).exp2(), f))
        }
        5 => pair(small(words, if f.p == 24 { 149 } else { 1074 }), words, f),
        6 => pair(f64::from(words.between(1, 40)) / 4.0, words, f),
        7 => near(&LOG_GAMMA, words, f),
        8 => pair(most - 1.0 + unit(words), words, f),
        _ => pair(f64::from(words.between(0, f.emax)).exp2() * (1.0 + unit(words).abs()), words, f),
    };
}

/// Arguments of Bessel functions: to where they grow too large, small ones, and at ends of intervals.
pub fn bessel(words: &mut Words, f: Format, out: &mut [Pair]) {
    let most = if f.p == 24 { 92.0 } else { 714.0 };
    out[0] = match words.below(8) {
        0 | 1 => pair(unit(words) * most, words, f),
        2 => pair(small(words, if f.p == 24 { 149 } else { 1074 }), words, f),
        3 => pair(sign(words) * (most + unit(words)), words, f),
        4 | 5 => {
            let e = f64::from(words.between(0, 9)).exp2();
            pair(sign(words) * e * (1.0 + f64::from(words.between(0, 4)) / 4.0), words, f)
        }
        _ => pair(unit(words) * 8.0, words, f),
    };
}
