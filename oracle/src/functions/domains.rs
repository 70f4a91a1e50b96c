//! Operands that matter to functions.

use crate::convert::split;
use crate::exact::dyadic::{Dyadic, Exact, Number, value};
use crate::format::Format;
use crate::generate::counter::Words;
use crate::generate::limb;
use crate::target::Pair;
use num_bigint::BigInt;
use std::f64::consts::LN_2;

/// A number in [-1, 1).
fn unit(words: &mut Words) -> f64 {
    words.next() as i64 as f64 * (-63f64).exp2()
}

fn sign(words: &mut Words) -> f64 {
    words.pick(&[1.0, -1.0])
}

/// hi = RN(x) and a lo: about half an ulp, anywhere below it, with a gap, or none; in one case of 16 limbs that overlap, or
/// in the other order.
fn pair(x: f64, words: &mut Words, f: Format) -> Pair {
    let hi = limb::round(x, f);
    let half = (limb::step(hi.abs(), 1, f) - hi.abs()) / 2.0;
    let part = match words.below(8) {
        0 => 0.0,
        1 => sign(words) * (1.0 - unit(words).abs() * (-10f64).exp2()),
        2 => unit(words) * (-(words.below(3 * u64::from(f.p)) as f64)).exp2(),
        _ => unit(words),
    };
    let lo = limb::round(half * part, f);
    match words.below(32) {
        0 => (hi, limb::round(half * unit(words) * (words.below(u64::from(f.p)) as f64).exp2(), f)),
        1 => (lo, hi),
        _ => (hi, lo),
    }
}

/// Arguments of exponentials: to the ends of the range and just beyond, near 0, near multiples of log 2 and of log 2 / 32 in
/// every base, near halves of them, and integers.
pub fn exponents(words: &mut Words, f: Format, out: &mut [Pair]) {
    let base = words.pick(&[1.0, 1.0 / LN_2, 1.0 / std::f64::consts::LN_10]);
    let (top, bottom) = (f64::from(f.emax + 1) * LN_2, f64::from(f.emin - 1) * LN_2);
    let reach = if words.one_in(2) { top } else { bottom };
    let step = LN_2 / words.pick(&[1.0, 2.0, 32.0, 64.0]);
    let x = match words.below(8) {
        0 | 1 => unit(words) * top,
        2 => sign(words) * (-(words.below(3 * u64::from(f.p)) as f64)).exp2() * (1.0 + unit(words).abs()),
        3 => (unit(words) * top / step).round() * step * (1.0 + unit(words) * (-(words.below(50) as f64)).exp2()),
        4 => reach + unit(words),
        5 => reach * (1.0 + unit(words) * (-(words.below(50) as f64)).exp2()),
        6 => unit(words),
        _ => (unit(words) * top / LN_2).round() / base,
    };
    out[0] = pair(x * base, words, f);
}

/// A number near 1: 1 +- 2^-k.
fn near_one(words: &mut Words, f: Format) -> Pair {
    let d = sign(words) * (-(words.below(2 * u64::from(f.p)) as f64 + 1.0)).exp2() * (1.0 + unit(words).abs()) / 2.0;
    if words.one_in(2) {
        return pair(1.0 + d, words, f);
    }
    (1.0, limb::round(d * (1.0 - f64::from(f.p)).exp2(), f))
}

/// A number of [1/2, 2) at the end of an interval of a table: hi just beside it, lo of either sign.
fn at_end(words: &mut Words, f: Format) -> f64 {
    let k = f64::from(words.between(-128, 256)) / 256.0;
    let end = 1.0 + if k < 0.0 { k / 2.0 } else { k };
    limb::step(end, i64::from(words.between(-2, 2)), f)
}

/// Arguments of logarithms: of every exponent, near 1, and at ends of intervals.
pub fn positive(words: &mut Words, f: Format, out: &mut [Pair]) {
    let scale = f64::from(words.between(f.emin, f.emax)).exp2();
    out[0] = match words.below(8) {
        0 | 1 => near_one(words, f),
        2 => pair(at_end(words, f), words, f),
        3 => pair(at_end(words, f) * scale, words, f),
        4 => pair(scale, words, f),
        5 => pair(1.0 + unit(words) / 2.0, words, f),
        6 => pair((unit(words) * 700.0).exp(), words, f),
        _ => pair(scale * (1.0 + unit(words).abs()), words, f),
    };
}

/// Arguments of log(1 + x): 1 + x as for logarithms, of any size, and near 0.
pub fn beyond_minus_one(words: &mut Words, f: Format, out: &mut [Pair]) {
    if words.one_in(2) {
        let size = (-(words.below(3 * u64::from(f.p)) as f64)).exp2();
        out[0] = pair(sign(words) * size * (1.0 + unit(words).abs()), words, f);
        return;
    }
    positive(words, f, out);
    let (h, l) = out[0];
    if words.one_in(2) && h.is_finite() {
        out[0] = (limb::sum(h, -1.0, f), l);
    }
}

/// x as for logarithms, or a number near it with few digits, and y such that y log x is anywhere in the range, near its ends, or
/// small; or an integer or half of one.
pub fn powers(words: &mut Words, f: Format, out: &mut [Pair]) {
    positive(words, f, out);
    if words.one_in(8) {
        out[0] = (limb::round((unit(words) * 64.0).round() / 4.0, f), 0.0);
    }
    let value = out[0].0 + out[0].1;
    let log = if value == 1.0 && out[0].1 != 0.0 { out[0].1 } else { value.abs().ln() };
    let top = f64::from(f.emax + 1) * LN_2;
    let bottom = f64::from(f.emin - 1) * LN_2;
    let aim = match words.below(8) {
        0 => top + unit(words),
        1 => bottom + unit(words),
        2 => unit(words) * (-(words.below(60) as f64)).exp2(),
        3 => bottom * unit(words).abs(),
        _ => unit(words) * top,
    };
    let y = match words.below(8) {
        0 => f64::from(words.between(-20, 20)) / 2.0,
        1 => (aim / log).round(),
        _ => aim / log,
    };
    let y = if y.is_finite() { y } else { words.pick(&[1.0, -1.0, 2.0, 0.5, 0.0]) };
    out[1] = pair(y, words, f);
    // A negative base, most often with an integer.
    if words.one_in(4) {
        out[0] = (-out[0].0, -out[0].1);
        if !words.one_in(8) {
            let whole = |x: f64| if x.abs() < 1e300 { x.round() } else { x };
            out[1] = (whole(out[1].0), whole(out[1].1));
        }
    }
}

/// Integers, halves and what lies just beside them, of up to 3 p bits.
pub fn integers(words: &mut Words, f: Format, out: &mut [Pair]) {
    for x in out {
        let bits = words.below(2 * u64::from(f.p)) as i32;
        let whole = limb::round(unit(words) * f64::from(bits).exp2(), f).trunc();
        let least = f64::from(-words.between(1, 3 * f.p as i32)).exp2();
        let beside = words.pick(&[0.0, 0.5, -0.5, 0.25, 1.0, least, -least, 0.5 + least, -0.5 + least]);
        *x = (whole, limb::round(beside, f));
        if words.one_in(4) {
            x.1 = limb::round(unit(words) * f64::from(bits - f.p as i32).exp2() * 2.0, f).round() / 2.0;
        }
    }
}

/// An odd integer of 1 to p + 1 bits: a root that is a limb, or half an ulp from one.
fn root_of_few_bits(words: &mut Words, f: Format) -> Dyadic {
    let bits = words.between(1, f.p as i32 + 1);
    Dyadic::new(BigInt::from(words.next() >> (64 - bits) | 1), -i64::from(bits))
}

/// Cubes and their reciprocals, of any exponent, and what lies just beside them.
pub fn cubes(words: &mut Words, f: Format, out: &mut [Pair]) {
    for x in out {
        let root = root_of_few_bits(words, f);
        let cube = root.mul(&root).mul(&root);
        let e = 3 * i64::from(words.between(f.emin / 3 + 1, f.emax / 3));
        let one = Dyadic::one().shifted(e);
        let cube = if words.one_in(2) { Number::Dyadic(cube.mul(&one)) } else { Number::Quotient(one, cube) };
        *x = beside(words, f, split(&Exact::Finite(cube), f));
        if words.one_in(2) {
            *x = (-x.0, -x.1);
        }
    }
}

/// The same, lo a few steps away, or the value in other limbs.
fn beside(words: &mut Words, f: Format, x: Pair) -> Pair {
    match words.below(4) {
        0 => (x.0, limb::step(x.1, words.between(-2, 2).into(), f)),
        1 => {
            let hi = limb::step(x.0, words.between(-3, 3).into(), f);
            (hi, limb::sum(x.0 - hi, x.1, f))
        }
        _ => x,
    }
}

/// Sides of any ratio; the last makes the norm a limb, or half an ulp from one; at any exponent, also where squares leave
/// the range.
pub fn sides(words: &mut Words, f: Format, out: &mut [Pair]) {
    let norm = root_of_few_bits(words, f);
    let e = if words.one_in(2) { words.between(f.emin, f.emax + 1) } else { 0 };
    let mut rest = norm.mul(&norm);
    let (last, others) = out.split_last_mut().expect("an argument");
    let pair = |z: Number| split(&Exact::Finite(z), f);
    for x in others {
        let digits = Dyadic::new(BigInt::from(words.next() | 1), -64);
        let part =
            norm.mul(&digits).shifted(-i64::from(1 + words.between(0, f.p as i32 + 2) * i32::from(words.one_in(2))));
        *x = pair(Number::Dyadic(part.shifted(e.into())));
        if let Exact::Finite(Number::Dyadic(v)) = value(*x) {
            let v = v.shifted((-e).into());
            rest = rest.add(&v.mul(&v).neg());
        }
    }
    *last = if rest.is_negative() || rest.is_zero() {
        (0.0, 0.0)
    } else {
        pair(Number::Sqrt(rest.shifted(2 * i64::from(e))))
    };
    if words.one_in(2) {
        let i = words.below(out.len() as u64) as usize;
        out[i] = beside(words, f, out[i]);
    }
    if words.one_in(8) {
        let i = words.below(out.len() as u64) as usize;
        out[i] = (0.0, 0.0);
    }
    for x in out {
        if words.one_in(2) {
            *x = (-x.0, -x.1);
        }
    }
}
