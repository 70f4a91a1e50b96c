//! The error of a result by MPFR.

use super::Judged;
use super::known::Value;
use crate::format::Format;
use crate::measure::Mismatch;
use rug::float::{Round, Special};
use rug::ops::{AssignRound, NegAssign};
use rug::{Assign, Float};
use std::cell::RefCell;
use std::cmp::Ordering;

/// Working numbers.
struct Scratch {
    args: [Float; 3],
    z: Float,
    given: Float,
    r: Float,
    d: Float,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch {
        args: [(); 3].map(|()| Float::new(53)),
        z: Float::new(53),
        given: Float::new(53),
        r: Float::new(64),
        d: Float::new(64),
    });
}

/// Digits behind those of the result: the value is known to 2^-40 ulp.
const MORE: u32 = 40;

/// So near to half an ulp the correctly rounded result is computed.
const HALF: f64 = 1.0 / (1 << 30) as f64;

/// Judges a result.
pub fn judge(value: &Value, format: Format, args: &[f64], r: f64) -> Judged {
    SCRATCH.with_borrow_mut(|s| {
        for (x, &arg) in s.args.iter_mut().zip(args).chain([(&mut s.given, &r)]) {
            x.set_prec(53);
            x.assign(arg);
        }
        s.judge(value, args.len(), format)
    })
}

/// Judges a result of binary128, of the words of numbers, the high ones first.
pub fn judge_words(value: &Value, args: &[[u64; 2]], r: [u64; 2]) -> Judged {
    SCRATCH.with_borrow_mut(|s| {
        for (x, &words) in s.args.iter_mut().zip(args).chain([(&mut s.given, &r)]) {
            set_words(x, words);
        }
        s.judge(value, args.len(), Format::F128)
    })
}

/// Sets a number of binary128.
fn set_words(x: &mut Float, [high, low]: [u64; 2]) {
    let fraction = (u128::from(high) << 64 | u128::from(low)) & ((1 << 112) - 1);
    x.set_prec(113);
    match (high >> 48 & 0x7fff) as i32 {
        0x7fff if fraction == 0 => x.assign(Special::Infinity),
        0x7fff => x.assign(Special::Nan),
        exponent => {
            x.assign(fraction | u128::from(exponent > 0) << 112);
            *x <<= exponent.max(1) - 16383 - 112;
        }
    }
    if high >> 63 == 1 {
        x.neg_assign();
    }
}

/// The correctly rounded value; infinite where it overflows.
pub fn nearest(value: &Value, format: Format, args: &[f64]) -> f64 {
    SCRATCH.with_borrow_mut(|s| {
        for (x, &arg) in s.args.iter_mut().zip(args) {
            x.set_prec(53);
            x.assign(arg);
        }
        s.compute(value, args.len(), format.p + MORE, Round::Zero);
        if s.z.is_nan() || s.z.is_zero() || s.z.is_infinite() {
            return s.z.to_f64();
        }
        s.nearest(value, args.len(), format);
        s.z.to_f64()
    })
}

impl Scratch {
    /// Sets `z`; truncated, so that an infinite value is a pole or infinite argument, no overflow.
    fn compute(&mut self, value: &Value, n: usize, prec: u32, round: Round) -> Ordering {
        self.z.set_prec(prec);
        (value.mpfr)(&mut self.z, &self.args[..n], round)
    }

    fn judge(&mut self, value: &Value, n: usize, format: Format) -> Judged {
        let exact = self.compute(value, n, format.p + MORE, Round::Zero) == Ordering::Equal;
        let (z, r) = (&self.z, &self.given);
        if z.is_nan() {
            return if r.is_nan() { Judged::RIGHT } else { Judged::wrong(Mismatch::NotNan) };
        }
        if r.is_nan() {
            return Judged::wrong(Mismatch::Nan);
        }
        let (minus, minus_r) = (z.is_sign_negative(), r.is_sign_negative());
        if z.is_infinite() {
            return match r.is_infinite() {
                true if minus == minus_r => Judged::RIGHT,
                true => Judged::wrong(Mismatch::InfinitySign),
                false => Judged::wrong(Mismatch::NotInfinite),
            };
        }
        let Some(exponent) = z.get_exp().map(|e| i64::from(e) - 1) else {
            let zero_sign = minus != minus_r && value.signed_zero;
            return match r.is_zero() {
                // Truncated to a zero that it is not.
                true if !exact || !zero_sign => {
                    if zero_sign {
                        Judged::wrong(Mismatch::ZeroSign)
                    } else {
                        Judged::RIGHT
                    }
                }
                true => Judged::wrong(Mismatch::ZeroSign),
                false => {
                    self.d.set_prec(64);
                    self.d.assign(r.abs_ref());
                    self.d >>= format.emin;
                    Judged::of(self.d.to_f64().min(f64::MAX))
                }
            };
        };
        let (emin, emax) = (i64::from(format.emin), i64::from(format.emax));
        if r.is_infinite() {
            if minus != minus_r {
                return Judged::wrong(Mismatch::InfinitySign);
            }
            if exponent > emax {
                return Judged::RIGHT;
            }
            if exponent < emax {
                return Judged::wrong(Mismatch::Infinite);
            }
        } else if exponent > emax + 1 {
            return Judged::wrong(Mismatch::NotInfinite);
        }
        if r.is_zero() && minus != minus_r && value.signed_zero && exponent < emin {
            return Judged::wrong(Mismatch::ZeroSign);
        }
        // An infinite result stands for the number that would come next.
        self.r.set_prec(r.prec());
        if r.is_infinite() {
            self.r.assign(if minus { -1 } else { 1 });
            self.r <<= format.emax + 1;
        } else {
            self.r.assign(r);
        }
        self.d.set_prec(64);
        self.d.assign(&self.r - &self.z);
        self.d.abs_mut();
        let last = (exponent - i64::from(format.p) + 1).clamp(emin, emax - i64::from(format.p) + 1);
        self.d >>= last as i32;
        let ulp = self.d.to_f64().min(f64::MAX);
        if (ulp - 0.5).abs() > HALF {
            return Judged::of(ulp);
        }
        self.nearest(value, n, format);
        Judged { ulp, wrong: None, correct: self.z == self.given }
    }

    /// Sets `z` to the correctly rounded value of one that is finite and not zero: at the precision that its binade leaves.
    fn nearest(&mut self, value: &Value, n: usize, format: Format) {
        let exponent = self.z.get_exp().map_or(0, |e| i64::from(e) - 1);
        let available = exponent - i64::from(format.emin) + 1;
        if available < 1 {
            // Below the smallest step: more than half of it is that, a tie and less are zero.
            let minus = self.z.is_sign_negative();
            let exact = self.compute(value, n, format.p + MORE, Round::Zero) == Ordering::Equal;
            self.d.set_prec(2);
            self.d.assign_round(&self.z, Round::Zero);
            let half = self.d == self.z && self.d.get_significand().is_some_and(|m| m.is_power_of_two());
            self.z.assign(if available == 0 && !(half && exact) { 1.0 } else { 0.0 });
            self.z <<= format.emin;
            if minus {
                self.z.neg_assign();
            }
            return;
        }
        self.compute(value, n, available.min(format.p.into()) as u32, Round::Nearest);
        if self.z.get_exp().is_some_and(|e| e - 1 > format.emax) {
            let sign = if self.z.is_sign_negative() { Special::NegInfinity } else { Special::Infinity };
            self.z.assign(sign);
        }
    }
}
