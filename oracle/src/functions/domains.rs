//! Operands that matter to functions, sort by sort.

use super::Sort;
use crate::convert::split;
use crate::exact::dyadic::{Dyadic, Exact, Number, value};
use crate::format::Format;
use crate::generate::counter::Words;
use crate::generate::limb;
use crate::target::Pair;
use num_bigint::BigInt;
use std::f64::consts::LN_2;

/// A number in [-1, 1).
pub fn unit(words: &mut Words) -> f64 {
    words.next() as i64 as f64 * (-63f64).exp2()
}

pub(super) fn sign(words: &mut Words) -> f64 {
    words.pick(&[1.0, -1.0])
}

/// Half an ulp of hi.
fn half_ulp(hi: f64, f: Format) -> f64 {
    (limb::step(hi.abs(), 1, f) - hi.abs()) / 2.0
}

/// hi = RN(x) and a lo: about half an ulp, anywhere below it, or none.
pub fn pair(x: f64, words: &mut Words, f: Format) -> Pair {
    let hi = limb::round(x, f);
    let part = match words.below(8) {
        0 => 0.0,
        1 | 2 => sign(words) * (1.0 - unit(words).abs() * (-10f64).exp2()),
        _ => unit(words),
    };
    (hi, limb::round(half_ulp(hi, f) * part, f))
}

/// Other limbs in place of those of any sort.
pub const LIMBS: &[Sort] = &[
    Sort("limbs with a gap", |words, f, out| {
        for x in out {
            let gap = (-(words.below(3 * u64::from(f.p)) as f64)).exp2();
            x.1 = limb::round(half_ulp(x.0, f) * unit(words) * gap, f);
        }
    }),
    Sort("overlapping limbs", |words, f, out| {
        for x in out {
            let overlap = (words.between(1, f.p as i32 - 1) as f64).exp2();
            x.1 = limb::round(half_ulp(x.0, f) * unit(words) * overlap, f);
        }
    }),
    Sort("limbs in the other order", |_, _, out| out.iter_mut().for_each(|x| *x = (x.1, x.0))),
];

/// The logarithm of e to a base, 0 for e.
fn per_e(base: u32) -> f64 {
    match base {
        2 => 1.0 / LN_2,
        10 => 1.0 / std::f64::consts::LN_10,
        _ => 1.0,
    }
}

/// The logarithm of a number just beyond the range.
fn top(f: Format) -> f64 {
    f64::from(f.emax + 1) * LN_2
}

/// The logarithm of a number below the range.
fn bottom(f: Format) -> f64 {
    f64::from(f.emin - 1) * LN_2
}

/// A number near another one.
fn near(x: f64, words: &mut Words) -> f64 {
    if words.one_in(2) { x + unit(words) } else { x * (1.0 + unit(words) * (-(words.below(50) as f64)).exp2()) }
}

/// Arguments of exponentials of base e.
pub const EXPONENTS: &[Sort] = &exponents::<0>();
/// Those of base 2.
pub const EXPONENTS_2: &[Sort] = &exponents::<2>();
/// Those of base 10.
pub const EXPONENTS_10: &[Sort] = &exponents::<10>();

const fn exponents<const BASE: u32>() -> [Sort; 8] {
    [
        Sort("of any size", |words, f, out| out[0] = pair(unit(words) * top(f) * per_e(BASE), words, f)),
        Sort("near 0", |words, f, out| {
            let size = (-(words.below(3 * u64::from(f.p)) as f64)).exp2();
            out[0] = pair(sign(words) * size * (1.0 + unit(words).abs()), words, f);
        }),
        Sort("up to 1", |words, f, out| out[0] = pair(unit(words), words, f)),
        Sort("near multiples of a step and the middles between them", |words, f, out| {
            let step = LN_2 / words.pick(&[1.0, 2.0, 32.0, 64.0]);
            let x = (unit(words) * top(f) / step).round() * step * per_e(BASE);
            out[0] = pair(x * (1.0 + unit(words) * (-(words.below(50) as f64)).exp2()), words, f);
        }),
        Sort("integers", |words, f, out| out[0] = pair((unit(words) * top(f) * per_e(BASE)).round(), words, f)),
        Sort("results near overflow", |words, f, out| {
            let x = near(top(f), words);
            out[0] = pair(x * per_e(BASE), words, f);
        }),
        Sort("results near underflow", |words, f, out| {
            let x = near(bottom(f), words);
            out[0] = pair(x * per_e(BASE), words, f);
        }),
        Sort("subnormal results", |words, f, out| {
            // hi's and lo's.
            let x = bottom(f) + unit(words).abs() * 2.0 * f64::from(f.p) * LN_2;
            out[0] = pair(x * per_e(BASE), words, f);
        }),
    ]
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

/// A power of 2.
fn scale(words: &mut Words, f: Format) -> f64 {
    f64::from(words.between(f.emin, f.emax)).exp2()
}

/// Arguments of logarithms.
pub const POSITIVE: &[Sort] = &[
    Sort("near 1", |words, f, out| out[0] = near_one(words, f)),
    Sort("at ends of a table's intervals", |words, f, out| out[0] = pair(at_end(words, f), words, f)),
    Sort("at ends of intervals, of any exponent", |words, f, out| {
        let x = at_end(words, f) * scale(words, f);
        out[0] = pair(x, words, f);
    }),
    Sort("beside powers of 2", |words, f, out| out[0] = pair(scale(words, f), words, f)),
    Sort("around 1", |words, f, out| out[0] = pair(1.0 + unit(words) / 2.0, words, f)),
    Sort("of any size", |words, f, out| {
        let x = scale(words, f) * (1.0 + unit(words).abs());
        out[0] = pair(x, words, f);
    }),
];

/// An argument of logarithms.
fn positive(words: &mut Words, f: Format, out: &mut [Pair]) {
    words.pick(POSITIVE).1(words, f, out);
}

/// Arguments of log(1 + x).
pub const BEYOND_MINUS_ONE: &[Sort] = &[
    Sort("near 0", |words, f, out| {
        let size = (-(words.below(3 * u64::from(f.p)) as f64)).exp2();
        out[0] = pair(sign(words) * size * (1.0 + unit(words).abs()), words, f);
    }),
    Sort("1 + x near 1 or at ends of intervals", |words, f, out| {
        words.pick(&POSITIVE[..3]).1(words, f, out);
        out[0].0 = limb::sum(out[0].0, -1.0, f);
    }),
    Sort("1 + x of any size", |words, f, out| {
        positive(words, f, out);
        out[0].0 = limb::sum(out[0].0, -1.0, f);
    }),
    Sort("of any size", positive),
];

/// y such that y log x is `aim`, about.
fn power(words: &mut Words, f: Format, out: &mut [Pair], aim: f64) {
    let value = out[0].0 + out[0].1;
    let log = if value == 1.0 && out[0].1 != 0.0 { out[0].1 } else { value.abs().ln() };
    let y = aim / log;
    let y = if words.one_in(8) { y.round() } else { y };
    out[1] = pair(if y.is_finite() { y } else { words.pick(&[1.0, -1.0, 2.0, 0.5, 0.0]) }, words, f);
}

/// x as for logarithms, and y.
pub const POWERS: &[Sort] = &[
    Sort("y log x of any size", |words, f, out| {
        positive(words, f, out);
        let aim = unit(words) * top(f);
        power(words, f, out, aim);
    }),
    Sort("x near 1, y log x of any size", |words, f, out| {
        out[0] = near_one(words, f);
        let aim = unit(words) * top(f);
        power(words, f, out, aim);
    }),
    Sort("results near overflow", |words, f, out| {
        positive(words, f, out);
        let aim = near(top(f), words);
        power(words, f, out, aim);
    }),
    Sort("results near underflow", |words, f, out| {
        positive(words, f, out);
        let aim = near(bottom(f), words);
        power(words, f, out, aim);
    }),
    Sort("subnormal results", |words, f, out| {
        positive(words, f, out);
        let aim = bottom(f) + unit(words).abs() * 2.0 * f64::from(f.p) * LN_2;
        power(words, f, out, aim);
    }),
    Sort("results near 1", |words, f, out| {
        positive(words, f, out);
        let aim = unit(words) * (-(words.below(60) as f64)).exp2();
        power(words, f, out, aim);
    }),
    Sort("integers and halves", |words, f, out| {
        positive(words, f, out);
        if words.one_in(2) {
            out[0] = (limb::round((unit(words) * 64.0).round() / 4.0, f), 0.0);
        }
        out[1] = (f64::from(words.between(-20, 20)) / 2.0, 0.0);
    }),
    Sort("x below 0, y an integer", |words, f, out| {
        positive(words, f, out);
        let aim = unit(words) * top(f);
        power(words, f, out, aim);
        out[0] = (-out[0].0, -out[0].1);
        // One in eight is none.
        if !words.one_in(8) {
            let whole = |x: f64| if x.abs() < 1e300 { x.round() } else { x };
            out[1] = (whole(out[1].0), whole(out[1].1));
        }
    }),
];

/// Arguments of roundings to integers, of up to 3 p bits.
pub const INTEGERS: &[Sort] = &[Sort("integers, halves and what lies beside them", integers)];

/// Arguments of error functions: of every size to where they are 0, 1 or 2 and just beyond, near ends of intervals of a table, and
/// near 0; those of the normal distribution in the same way.
pub fn deviations(words: &mut Words, f: Format, out: &mut [Pair]) {
    let scale = words.pick(&[1.0, std::f64::consts::SQRT_2]);
    let end = (f64::from(f.p as i32 - f.emin) * LN_2).sqrt();
    let near = |x: f64, words: &mut Words| x + unit(words) * (-(words.below(2 * u64::from(f.p)) as f64)).exp2();
    let x = match words.below(8) {
        0 => unit(words) * end,
        1 => unit(words) * 8.0,
        2 => unit(words),
        3 => (-(words.below(3 * u64::from(f.p)) as f64)).exp2() * (1.0 + unit(words).abs()),
        4 | 5 => {
            let binade = f64::from(words.between(0, 5)).exp2();
            near(binade * (1.0 + f64::from(words.between(0, 8)) / 8.0) - 1.0, words)
        }
        6 => end - unit(words).abs() * 2.0,
        _ => near(words.pick(&[end, 0.625, 8.25, 25.75, 2.0]), words),
    };
    out[0] = pair(x * scale * sign(words), words, f);
}

/// Probabilities, and twice them: of every exponent, near 1/2, 1 and 2, and near ends of intervals of a table.
pub fn probabilities(words: &mut Words, f: Format, out: &mut [Pair]) {
    let x = match words.below(8) {
        0 => f64::from(words.between(f.emin, 1)).exp2() * (1.0 + unit(words).abs()),
        1 => (-(words.below(3 * u64::from(f.p)) as f64)).exp2() * (1.0 + unit(words).abs()),
        2 => unit(words).abs(),
        3 => 2.0 * unit(words).abs(),
        4 => words.pick(&[0.5, 1.0, 2.0]) - unit(words) * (-(words.below(3 * u64::from(f.p)) as f64)).exp2(),
        5 => {
            let w = f64::from(words.between(0, 6)).exp2() * (1.0 + f64::from(words.between(0, 4)) / 4.0) - 1.0;
            1.0 - (-(-w).exp_m1()).sqrt() * (1.0 + unit(words) * (-40f64).exp2())
        }
        _ => {
            let (h, l) = near_one(words, f);
            let scale = words.pick(&[0.5, 1.0, 2.0]);
            out[0] = (h * scale, l * scale);
            return;
        }
    };
    out[0] = pair(x, words, f);
}

/// Arguments of Boys' function: of every size up to where it is a root and of every exponent, and near ends of intervals.
pub fn from_zero(words: &mut Words, f: Format, out: &mut [Pair]) {
    let x = match words.below(8) {
        0 => f64::from(words.between(f.emin, f.emax)).exp2() * (1.0 + unit(words).abs()),
        1 => (-(words.below(3 * u64::from(f.p)) as f64)).exp2() * (1.0 + unit(words).abs()),
        2 => unit(words).abs(),
        3 | 4 => unit(words).abs() * 140.0,
        5 => 40.0 / (0.1 + unit(words).abs()),
        _ => {
            let end = f64::from(words.between(0, 7)).exp2() * (1.0 + f64::from(words.between(0, 8)) / 8.0) - 1.0;
            end + unit(words).abs() * (-(words.below(2 * u64::from(f.p)) as f64)).exp2()
        }
    };
    out[0] = pair(x, words, f);
}

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

/// Arguments of cube roots.
pub const CUBES: &[Sort] = &[
    Sort("cubes and reciprocal cubes, and what lies beside them", cubes),
    Sort("of any size", |words, f, out| {
        let x = scale(words, f) * sign(words) * (1.0 + unit(words).abs());
        out[0] = pair(x, words, f);
    }),
    Sort("near 0 and the end of the range", |words, f, out| {
        let digits = words.between(0, 3 * f.p as i32);
        let e = if words.one_in(2) { f.emax - digits } else { f.emin + digits };
        let x = f64::from(e).exp2() * sign(words) * (1.0 + unit(words).abs());
        out[0] = pair(x, words, f);
    }),
];

fn cubes(words: &mut Words, f: Format, out: &mut [Pair]) {
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

/// Sides.
pub const SIDES: &[Sort] = &[
    Sort("norms of few digits", |words, f, out| sides(words, f, out, 0)),
    Sort("norms of few digits, at the ends of the range", |words, f, out| {
        let e = words.between(0, 2 * f.p as i32);
        let e = if words.one_in(2) { f.emax + 1 - e } else { f.emin + e };
        sides(words, f, out, e);
    }),
    Sort("norms of few digits, of any exponent", |words, f, out| {
        let e = words.between(f.emin, f.emax + 1);
        sides(words, f, out, e);
    }),
    Sort("with zeros", |words, f, out| {
        sides(words, f, out, 0);
        let i = words.below(out.len() as u64) as usize;
        out[i] = (0.0, 0.0);
    }),
    Sort("of any ratio", |words, f, out| {
        for x in out {
            let size = words.between(-(f.p as i32), f.p as i32);
            *x = pair(sign(words) * f64::from(size).exp2() * (1.0 + unit(words).abs()), words, f);
        }
    }),
];

/// The last makes the norm a limb times 2^e, or half an ulp from one.
fn sides(words: &mut Words, f: Format, out: &mut [Pair], e: i32) {
    let norm = root_of_few_bits(words, f);
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
    for x in out {
        if words.one_in(2) {
            *x = (-x.0, -x.1);
        }
    }
}

/// Ordinate and abscissa, which is 1 where there is none: near multiples of 1/32 of one another, of every ratio and exponent.
pub fn ratios(words: &mut Words, f: Format, out: &mut [Pair]) {
    let e = match words.below(4) {
        _ if out.len() == 1 => 0,
        0 => words.between(f.emin, f.emax),
        _ => words.between(-8, 8),
    };
    let b = if out.len() == 1 { 1.0 } else { 1.0 + unit(words).abs() };
    let ratio = match words.below(8) {
        0 => unit(words),
        1 => (-(words.below(3 * u64::from(f.p)) as f64)).exp2() * (1.0 + unit(words).abs()),
        2 => f64::from(words.between(f.emin - f.emax.min(900), 0)).exp2() * (1.0 + unit(words).abs()),
        3 => 1.0 + unit(words) * (-(words.below(60) as f64)).exp2(),
        _ => {
            let near = f64::from(words.between(0, 32)) / 32.0;
            near + unit(words) * (-(words.below(2 * u64::from(f.p)) as f64)).exp2()
        }
    };
    let scale = f64::from(e).exp2();
    let (mut y, mut x) = (b * ratio * scale, b * scale);
    if words.one_in(2) {
        (y, x) = if out.len() == 1 { (1.0 / y, x) } else { (x, y) };
    }
    let values = [y * sign(words), x * sign(words)];
    for (out, x) in out.iter_mut().zip(values) {
        *out = pair(x, words, f);
    }
}

/// Numbers up to 1 in magnitude, near 1 and near 0, and just beyond 1.
pub fn sines(words: &mut Words, f: Format, out: &mut [Pair]) {
    out[0] = match words.below(8) {
        0 | 1 => near_one(words, f),
        2 => pair((-(words.below(3 * u64::from(f.p)) as f64)).exp2() * (1.0 + unit(words).abs()), words, f),
        3 => pair((unit(words) * std::f64::consts::FRAC_PI_2).sin(), words, f),
        4 => pair((f64::from(words.between(0, 32)) / 32.0).atan().sin(), words, f),
        _ => pair(unit(words), words, f),
    };
    if words.one_in(2) {
        out[0] = (-out[0].0, -out[0].1);
    }
}

/// Numbers from 1 on, near 1 and of every exponent, and just below it.
pub fn above_one(words: &mut Words, f: Format, out: &mut [Pair]) {
    out[0] = match words.below(4) {
        0 | 1 => near_one(words, f),
        2 => pair(f64::from(words.between(0, 2 * f.p as i32)).exp2() * (1.0 + unit(words).abs()), words, f),
        _ => pair(f64::from(words.between(0, f.emax)).exp2() * (1.0 + unit(words).abs()), words, f),
    };
}

/// Dividends near multiples, and near the middle between multiples, of divisors of every exponent, at any distance; limbs with
/// gaps of any width.
pub fn quotients(words: &mut Words, f: Format, out: &mut [Pair]) {
    let number = |words: &mut Words, e: i32| {
        let (hi, part) = (limb::round((1.0 + unit(words).abs()) * f64::from(e).exp2(), f), unit(words));
        let gap = words.pick(&[0, 0, 0, 1, 5]) * words.between(0, f.p as i32);
        let lo = if words.one_in(8) { 0.0 } else { part * f64::from(e - f.p as i32 - gap).exp2() };
        (hi, limb::round(lo, f))
    };
    let e = if words.one_in(2) { words.between(-40, 40) } else { words.between(f.emin, f.emax) };
    let y = number(words, e);
    let bits = if words.one_in(2) { words.between(-2, 12) } else { words.between(-2, f.emax - f.emin) };
    let top = (e + bits).clamp(f.emin, f.emax);
    let mut x = number(words, top);
    if let (Exact::Finite(Number::Dyadic(v)), true) = (value(y), words.one_in(2)) {
        // An odd multiple of a half.
        let n = Dyadic::new(BigInt::from(words.next() >> (63 - bits.clamp(0, 63)) | 1), -1);
        let product = split(&Exact::Finite(Number::Dyadic(v.mul(&n))), f);
        x = if product.0.is_finite() { product } else { x };
        if words.one_in(2) {
            x.1 = limb::step(x.1, words.between(-2, 2).into(), f);
        }
    }
    for (out, x) in out.iter_mut().zip([x, y]) {
        let x = if words.one_in(32) { (x.1, x.0) } else { x };
        *out = if words.one_in(2) { (-x.0, -x.1) } else { x };
    }
}
