//! The one correct remainder of a division, and its quotient's last bits, by integers.

use super::Answer::{self, Int};
use super::Argument;
use super::answers::{number, pair, with_sign};
use crate::convert::split;
use crate::exact::dyadic::{Dyadic, Exact, Number, order};
use crate::format::Format;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// Binary places of lo that count, below the divisor's first digit.
fn places(f: Format) -> i64 {
    if f.p == 53 { 185 } else { 121 }
}

/// The pair nearest to a number, its lo cut at 2^last toward zero; the number itself where that overflows.
fn cut(x: &Dyadic, f: Format, last: impl FnOnce(&Dyadic) -> i64) -> Dyadic {
    let (hi, lo) = split(&Exact::Finite(Number::Dyadic(x.clone())), f);
    if hi.is_infinite() {
        return x.clone();
    }
    let (hi, lo) = (Dyadic::from_f64(hi), Dyadic::from_f64(lo));
    let last = last(&hi);
    let m = BigInt::from(lo.floor_at(last).0);
    hi.add(&Dyadic::new(if lo.is_negative() { -m } else { m }, last))
}

/// x - n y and |n| modulo 8, with n rounded toward zero, or to nearest.
fn divide(x: &Exact, y: &Exact, f: Format, nearest: bool) -> (Exact, i64) {
    let (a, b) = match (x, y) {
        (Exact::Finite(Number::Dyadic(a)), Exact::Finite(Number::Dyadic(b))) => (a, b),
        (Exact::Zero(_), Exact::Finite(_)) | (Exact::Zero(_) | Exact::Finite(_), Exact::Infinite(_)) => {
            return (x.clone(), 0);
        }
        _ => return (Exact::Nan, 0),
    };
    let b = cut(b, f, |hi| hi.magnitude() - places(f));
    let limit = b.magnitude() - places(f);
    let a = cut(a, f, |_| limit);
    // In units of the last digit of both; their magnitudes.
    let unit = a.parts().1.min(b.parts().1);
    let whole = |x: &Dyadic| x.abs().parts().0 << (x.parts().1 - unit) as usize;
    let (m, d) = (whole(&a), whole(&b));
    let (mut n, mut rest) = (&m / &d, &m % &d);
    if nearest {
        let odd = &n % 2 != BigInt::ZERO;
        let up = match (&rest * 2u32).cmp(&d) {
            Ordering::Equal => odd,
            order => order == Ordering::Greater,
        };
        if up {
            (n, rest) = (n + 1, rest - d);
        }
    }
    let own = n == BigInt::ZERO && order(&with_sign(x, false), &with_sign(y, false)) == Some(Ordering::Less);
    let n = (n % 8u32).try_into().expect("three bits");
    let r = if own {
        x.clone()
    } else {
        let rest = if x.is_negative() { -rest } else { rest };
        Exact::of(Dyadic::new(rest, unit), x.is_negative())
    };
    (r, n)
}

pub fn fmod(x: &[Argument], f: Format) -> Vec<Answer> {
    vec![pair(&divide(number(x, 0), number(x, 1), f, false).0, f)]
}

pub fn remainder(x: &[Argument], f: Format) -> Vec<Answer> {
    vec![pair(&divide(number(x, 0), number(x, 1), f, true).0, f)]
}

pub fn remquo(x: &[Argument], f: Format) -> Vec<Answer> {
    let (r, n) = divide(number(x, 0), number(x, 1), f, true);
    let minus = number(x, 0).is_negative() != number(x, 1).is_negative();
    vec![pair(&r, f), Int(if minus { -n } else { n })]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::dyadic::value;

    #[test]
    fn remainders_of_a_few_numbers() {
        let of = |x: f64, y: f64, nearest| {
            let (r, n) = divide(&value((x, 0.0)), &value((y, 0.0)), Format::F64, nearest);
            (split(&r, Format::F64).0, n)
        };
        assert_eq!(of(7.5, 2.0, false), (1.5, 3));
        assert_eq!(of(7.5, -2.0, true), (-0.5, 4));
        assert_eq!(of(-7.0, 2.0, true), (1.0, 4));
        assert_eq!(of(5.0, 2.0, true), (1.0, 2));
        assert_eq!(of(1e18, 3.0, false), (1.0, 5));
        let (r, n) = of(-6.0, 2.0, false);
        assert!(r == 0.0 && r.is_sign_negative() && n == 3);
        assert_eq!(of(1.0, f64::INFINITY, true), (1.0, 0));
        assert!(of(f64::INFINITY, 1.0, true).0.is_nan() && of(1.0, 0.0, true).0.is_nan());
    }
}
