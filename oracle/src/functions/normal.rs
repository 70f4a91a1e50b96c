//! Values that MPFR has only parts of: the scaled complement of the error function, the normal
//! distribution and Boys' function.
//!
//! A value is computed with an error of a few units of a working precision, which is raised until both ends of the interval that the
//! error leaves round to the same number (Ziv 1991).

use rug::Float;
use rug::float::{Constant, Round};
use rug::ops::AssignRound;
use std::cmp::Ordering;

/// Sets `z` to a number, rounded as asked, of which `value` has so many bits, but for at most five.
pub fn settle(z: &mut Float, round: Round, value: impl Fn(u32) -> Float) -> Ordering {
    let mut bits = z.prec() + 32;
    loop {
        let v = value(bits);
        let error = v.clone().abs() >> (bits as i32 - 5);
        let ends = [v.clone() - &error, v.clone() + &error];
        let [low, high] = ends.map(|end| {
            let mut z = Float::new(z.prec());
            let order = z.assign_round(end, round);
            (z, order)
        });
        let settled = low == high && !low.0.is_nan() || !v.is_normal();
        if settled {
            *z = high.0;
            return if v.is_normal() { high.1 } else { z.assign_round(v, round) };
        }
        bits *= 2;
    }
}

/// e^(x^2) erfc x.
pub fn erfcx(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    let x = &x[0];
    if !x.is_normal() {
        // 1 for zeros, NaN for itself.
        let limit = if x.is_infinite() && x.is_sign_positive() { Float::new(2) } else { Float::with_val(2, -x).exp() };
        return z.assign_round(limit, round);
    }
    let square = Float::with_val(2 * x.prec(), x.square_ref());
    settle(z, round, |bits| {
        if *x > 0 && square > bits {
            return asymptotic(x, &square, bits);
        }
        Float::with_val(bits + 4, square.exp_ref()) * Float::with_val(bits + 4, x.erfc_ref())
    })
}

/// The sum of (-1)^k (2 k - 1)!! / (2 x^2)^k over x sqrt(pi), where x^2 is large against the digits: what is left out is less than
/// the first term that is.
fn asymptotic(x: &Float, square: &Float, bits: u32) -> Float {
    let work = bits + 16;
    let (mut sum, mut term) = (Float::with_val(work, 1), Float::with_val(work, 1));
    for k in 1u32.. {
        term *= -(2.0 * f64::from(k) - 1.0);
        term /= Float::with_val(work, square * 2u32);
        sum += &term;
        if term.is_zero() || term.get_exp().is_some_and(|e| e < -(bits as i32)) {
            break;
        }
    }
    sum / (Float::with_val(work, Constant::Pi).sqrt() * x)
}

/// erfc(-x / sqrt 2) / 2.
pub fn normcdf(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    let x = &x[0];
    if !x.is_normal() {
        let limit: Float = if x.is_zero() { Float::with_val(2, 0.5) } else { Float::with_val(2, x.exp_ref()) };
        let limit = if limit.is_infinite() { Float::with_val(2, 1) } else { limit };
        return z.assign_round(limit, round);
    }
    let size = x.get_exp().unwrap_or(0).max(0) as u32;
    let prec = z.prec();
    // So near to 1 that no working precision tells.
    if *x > 0 && Float::with_val(64, x.square_ref()) > 2 * prec + 64 {
        let below: Float = Float::with_val(prec + 70, 1) - (Float::with_val(2, 1) >> (prec + 60));
        return z.assign_round(below, round);
    }
    settle(z, round, |bits| {
        // The error of the root is multiplied by x^2.
        let y = -Float::with_val(bits + 2 * size + 8, x) / Float::with_val(bits + 2 * size + 8, 2).sqrt();
        Float::with_val(bits + 4, y.erfc_ref()) / 2
    })
}

/// sqrt(pi / x) erf(sqrt x) / 2.
pub fn boys_f0(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    let x = &x[0];
    if !x.is_normal() || *x < 0 {
        let limit = if x.is_zero() {
            1.0
        } else if x.is_infinite() && *x > 0 {
            0.0
        } else {
            f64::NAN
        };
        return z.assign_round(limit, round);
    }
    settle(z, round, |bits| {
        let root = Float::with_val(bits + 4, x.sqrt_ref());
        Float::with_val(bits + 4, Constant::Pi).sqrt() * Float::with_val(bits + 4, root.erf_ref()) / root / 2
    })
}
