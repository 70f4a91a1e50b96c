//! How wrong a result is.
//!
//! For a result `r` and the exact value `z`: the **u2 error** is `|r - z| / (|z| u^2)` with `u = 2^-p` of the limb; the **ulp
//! error** is `|r - z| / ulp(z)` with the ulp of the binade of the exact `z` in the result type, floored at the smallest
//! subnormal step; the **u2 error of the terms** divides by the sum of the absolute values of the terms (`|x| + |y|` for
//! additions, `|x y| + |z|` for fma, `sum |x_i y_i|` for dot) instead of `|z|`. All are fractions, known to 2^-20 of an ulp or,
//! where larger than an ulp, to a relative 2^-20. A wrong special value is a **mismatch** and carries no error.

use crate::target::{Pair, Target};

use serde::{Deserialize, Serialize};

/// The exact value of a case as an oracle reads it, and how far the result is from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// The correct result is NaN.
    Nan,
    /// The correct result is an infinity, of infinite or zero operands (overflow is [`Reading::Finite`]).
    Infinite {
        /// Sign.
        negative: bool,
    },
    /// The exact value is zero.
    Zero {
        /// Sign that IEEE arithmetic gives.
        negative: bool,
        /// u2 error of the terms of a finite result (infinite if the terms are zero and the result is not).
        u2_of_terms: f64,
    },
    /// The exact value is a nonzero number.
    Finite(Finite),
}

/// A nonzero exact value `z`; the errors are meaningful for a finite result only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finite {
    /// Sign of `z`.
    pub negative: bool,
    /// `2^exponent <= |z| < 2^(exponent + 1)`.
    pub exponent: i64,
    /// `|z|` is exactly `2^exponent`.
    pub power_of_two: bool,
    /// `RN(z)` in the limb format is infinite.
    pub overflows: bool,
    /// `z` of a pair is within `16 u^2` of the overflow threshold, where an error within the bounds decides whether hi is
    /// infinite.
    pub borders: bool,
    /// `RN(z)` in the limb format is zero.
    pub vanishes: bool,
    /// u2 error.
    pub u2: f64,
    /// ulp error.
    pub ulp: f64,
    /// u2 error of the terms.
    pub u2_of_terms: f64,
}

/// In which way a special value is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mismatch {
    /// NaN where a number or an infinity is correct.
    Nan,
    /// A number or an infinity where NaN is correct.
    NotNan,
    /// An infinity where a finite number is correct.
    Infinite,
    /// A finite number where an infinity is correct.
    NotInfinite,
    /// The infinity of the wrong sign.
    InfinitySign,
    /// The zero of the wrong sign, where the exact value is zero or rounds to zero.
    ZeroSign,
}

/// Which measure is gated for a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// Every operand's hi and the exact result are 0 or in `[2^-range, 2^range]`: the u2 error.
    Moderate,
    /// Finite operands and a correct result that is finite, further out: the ulp error.
    Wide,
    /// A special operand, or an infinite or NaN as correct result: mismatches only.
    Special,
}

/// How wrong one result is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The wrong special value, if it is one; then the errors are NaN.
    pub mismatch: Option<Mismatch>,
    /// Which measure is gated.
    pub domain: Domain,
    /// `|r - z| / (|z| u^2)`; infinite where `z = 0` and `r != 0`; 0 for a correct special value.
    pub u2: f64,
    /// `|r - z| / ulp(z)`; infinite where `z = 0` and `r != 0`.
    pub ulp: f64,
    /// `|r - z| / (sum of |terms| u^2)`.
    pub u2_of_terms: f64,
}

impl Verdict {
    /// Correct bits: `floor(-log2(relative error))`, at most `digits + 2`; `i32::MIN` for an infinite error or a mismatch.
    pub fn bits(&self, target: &Target) -> i32 {
        bits(self.u2, target)
    }

    const fn correct(domain: Domain) -> Verdict {
        Verdict { mismatch: None, domain, u2: 0.0, ulp: 0.0, u2_of_terms: 0.0 }
    }

    const fn wrong(domain: Domain, mismatch: Mismatch) -> Verdict {
        Verdict { mismatch: Some(mismatch), domain, u2: f64::NAN, ulp: f64::NAN, u2_of_terms: f64::NAN }
    }
}

/// Correct bits of a u2 error: `floor(-log2(u2 * u^2))`, at most `digits + 2`.
pub fn bits(u2: f64, target: &Target) -> i32 {
    let most = target.digits as i32 + 2;
    if u2 == 0.0 {
        most
    } else if u2.is_finite() {
        // The binade of a power of two needs no logarithm that may round across it.
        let exponent = crate::format::exponent(u2);
        let up = (u2 != crate::format::scale(1.0, exponent)) as i32;
        (2 * target.limb.p as i32 - exponent - up).min(most)
    } else {
        i32::MIN
    }
}

/// The value of a pair as one of its limbs where it is special, and the sign of a zero.
fn special(r: Pair) -> Option<f64> {
    if !r.0.is_finite() {
        Some(r.0)
    } else if !r.1.is_finite() {
        Some(r.1)
    } else if r.0 == 0.0 && r.1 == 0.0 {
        Some(r.0)
    } else if r.0 == -r.1 {
        Some(0.0)
    } else {
        None
    }
}

/// Whether a limb is 0 or in `[2^-range, 2^range]` in magnitude.
pub fn in_range(c: f64, target: &Target) -> bool {
    let limit = crate::format::power_of_two(target.range);
    let c = c.abs();
    c == 0.0 || (c >= 1.0 / limit && c <= limit)
}

/// The verdict on result `r`, given what an oracle read.
pub fn verdict(reading: &Reading, target: &Target, args: &[Pair], r: Pair) -> Verdict {
    let finite_args = args.iter().all(|a| a.0.is_finite() && a.1.is_finite());
    let moderate_args = finite_args && args.iter().all(|a| in_range(a.0, target));
    let special = special(r);
    // At the threshold either side is right, but for one operation on limbs alone, which is IEEE's.
    let limbs = args.len() < 3 && args.iter().all(|a| a.1 == 0.0);
    let infinite = special.is_some_and(f64::is_infinite);
    let overflows = |z: &Finite| if z.borders && !limbs { infinite } else { z.overflows };
    let domain = match reading {
        Reading::Nan | Reading::Infinite { .. } => Domain::Special,
        _ if !finite_args => Domain::Special,
        Reading::Zero { .. } if moderate_args => Domain::Moderate,
        Reading::Zero { .. } => Domain::Wide,
        Reading::Finite(z) if overflows(z) => Domain::Special,
        Reading::Finite(z) => {
            let range = target.range as i64;
            let inside = (-range..range).contains(&z.exponent) || (z.exponent == range && z.power_of_two);
            if moderate_args && inside { Domain::Moderate } else { Domain::Wide }
        }
    };
    let wrong = |m| Verdict::wrong(domain, m);
    let infinity = match reading {
        Reading::Nan => {
            return if special.is_some_and(f64::is_nan) { Verdict::correct(domain) } else { wrong(Mismatch::NotNan) };
        }
        Reading::Infinite { negative } => Some(*negative),
        Reading::Finite(z) if overflows(z) => Some(z.negative),
        _ => None,
    };
    match (infinity, special) {
        (_, Some(v)) if v.is_nan() => wrong(Mismatch::Nan),
        (Some(negative), Some(v)) if v.is_infinite() => {
            if (v < 0.0) == negative {
                Verdict::correct(domain)
            } else {
                wrong(Mismatch::InfinitySign)
            }
        }
        (Some(_), _) => wrong(Mismatch::NotInfinite),
        (None, Some(v)) if v.is_infinite() => wrong(Mismatch::Infinite),
        (None, v) => match *reading {
            Reading::Zero { negative, u2_of_terms } => match v {
                Some(zero) if zero.is_sign_negative() != negative => wrong(Mismatch::ZeroSign),
                Some(_) => Verdict::correct(domain),
                None => Verdict { mismatch: None, domain, u2: f64::INFINITY, ulp: f64::INFINITY, u2_of_terms },
            },
            Reading::Finite(z) => match v {
                // Terms that cancel leave the sign of an underflow as inexact as its size, unless limbs alone, for which
                // there is an IEEE operation, gave it.
                Some(zero)
                    if z.vanishes
                        && zero.is_sign_negative() != z.negative
                        && (z.u2_of_terms >= z.u2 || args.iter().all(|a| a.1 == 0.0)) =>
                {
                    wrong(Mismatch::ZeroSign)
                }
                _ => Verdict { mismatch: None, domain, u2: z.u2, ulp: z.ulp, u2_of_terms: z.u2_of_terms },
            },
            _ => wrong(Mismatch::NotInfinite),
        },
    }
}
