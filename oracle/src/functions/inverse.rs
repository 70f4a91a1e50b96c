//! Values of inverse error functions, by brackets: a root is accepted when the function, correctly rounded, lies on the other side of the
//! argument on either side of the root.

use super::normal::settle;
use rug::Float;
use rug::float::{Constant, Round, Special};
use rug::ops::AssignRound;
use std::cmp::Ordering;

/// The number whose erf is x.
pub fn erfinv(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    let x = &x[0];
    let magnitude = Float::with_val(x.prec(), x.abs_ref());
    solve(z, &magnitude, &less(1, &magnitude), x.is_sign_negative(), round, false)
}

/// The number whose erfc is x.
pub fn erfcinv(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    complement(z, &x[0], round, false)
}

/// The number below which a normal variable is with probability x.
pub fn normcdfinv(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    complement(z, &Float::with_val(x[0].prec(), &x[0] * 2u32), round, true)
}

/// c - x, exactly.
fn less(c: u32, x: &Float) -> Float {
    let digits = x.get_exp().map_or(1, |e| (e.unsigned_abs() + x.prec() + 4).max(64));
    Float::with_val(digits, c - x)
}

/// The number whose erfc is x, or -sqrt 2 times that.
fn complement(z: &mut Float, x: &Float, round: Round, normal: bool) -> Ordering {
    let upper = *x > 1;
    let q = if upper { less(2, x) } else { x.clone() };
    let r = less(1, &q);
    let minus = !r.is_zero() && upper != normal;
    solve(z, &r, &q, minus, round, normal)
}

/// y with erf y = x and erfc y = q = 1 - x, for x >= 0, with a sign; times sqrt 2 where `normal`.
fn solve(z: &mut Float, x: &Float, q: &Float, minus: bool, round: Round, normal: bool) -> Ordering {
    let special = match q.partial_cmp(&0) {
        _ if x.is_zero() => Some(Special::Zero),
        Some(Ordering::Equal) => Some(Special::Infinity),
        Some(Ordering::Greater) => None,
        _ => Some(Special::Nan),
    };
    if let Some(special) = special {
        let limit = Float::with_val(2, special);
        return z.assign_round(if minus { -limit } else { limit }, round);
    }
    settle(z, round, |bits| {
        let mut y = bracketed(x, q, bits);
        if normal {
            y *= Float::with_val(bits + 8, 2).sqrt();
        }
        if minus { -y } else { y }
    })
}

/// y to so many bits, but for at most three.
fn bracketed(x: &Float, q: &Float, bits: u32) -> Float {
    let tail = *q < 0.5;
    for guard in [16, 64, 256] {
        let y = newton(x, q, tail, bits + guard);
        let step = y.clone() >> (bits as i32 - 3);
        let (low, high) = (y.clone() - &step, y.clone() + &step);
        // How a bound of the function compares, from below where it must be above.
        let compare = |y: &Float, round: Round| {
            let mut f = Float::new(bits + guard);
            f.assign_round(y, Round::Nearest);
            if tail {
                f.assign_round(y.erfc_ref(), round);
                f.partial_cmp(q)
            } else {
                f.assign_round(y.erf_ref(), round);
                f.partial_cmp(x)
            }
        };
        let (before, after) = if tail {
            (compare(&low, Round::Down), compare(&high, Round::Up).map(Ordering::reverse))
        } else {
            (compare(&low, Round::Up).map(Ordering::reverse), compare(&high, Round::Down))
        };
        if before == Some(Ordering::Greater) && after == Some(Ordering::Greater) {
            return y;
        }
    }
    panic!("no bracket for {x}, {q}");
}

/// Newton's iteration on erf, or on log erfc, to about so many bits.
fn newton(x: &Float, q: &Float, tail: bool, bits: u32) -> Float {
    let root = Float::with_val(bits, Constant::Pi).sqrt();
    let mut y =
        if tail { Float::with_val(64, -Float::with_val(64, q.ln_ref())).sqrt() } else { Float::with_val(64, x * 0.9) };
    let mut digits = 64;
    for _ in 0..200 {
        let of = |x: &Float| Float::with_val(digits, x);
        y = of(&y);
        let slope = 2 / (of(&root) * Float::with_val(digits, y.square_ref()).exp());
        let step: Float = if tail {
            let f = Float::with_val(digits, y.erfc_ref());
            -(f.clone() / q).ln() * f / slope
        } else {
            (Float::with_val(digits, y.erf_ref()) - x) / slope
        };
        y -= &step;
        let settled = step.is_zero() || step.get_exp() < y.get_exp().map(|e| e - digits as i32 / 2);
        if settled && digits == bits {
            return y;
        }
        if settled {
            digits = (2 * digits).min(bits);
        }
    }
    panic!("no root for {x}, {q}");
}
