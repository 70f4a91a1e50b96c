//! Operands in relation to each other.

use super::counter::Words;
use super::limb::{self, compose, step};
use super::operand::{self, Style};
use super::shape::Shape;
use crate::format::{Format, exponent};
use crate::target::Pair;
use vernier::function::Op;

/// Exponent of a limb, 0 for zero.
fn binade(x: f64) -> i32 {
    if x == 0.0 { 0 } else { exponent(x) }
}

/// The exponent at which operand `i` meets those before it: as large a term as the first.
fn meeting(shape: &Shape, before: &[Pair]) -> i32 {
    let e = |i: usize| binade(before[i].0);
    match (shape.op, before.len()) {
        (_, 0) => 0,
        (Op::Fma | Op::Mad, 2) => e(0) + e(1),
        (Op::Dot, i) if i >= 3 && i % 2 == 1 => e(0) + e(1) - e(i - 1),
        (Op::Cmul, 3) => e(0) + e(2) - e(1),
        _ => e(0),
    }
}

/// How far below the others a term may be and still matter.
fn offset(w: &mut Words, f: Format) -> i32 {
    let p = f.p as i32;
    let below = match w.below(4) {
        0 | 1 => w.between(-2, 3),
        2 => w.between(0, 2 * p + 2),
        _ => w.between(p - 3, p + 3),
    };
    -below
}

/// An operand of binade `2^e`, a pair or a limb.
fn operand(shape: &Shape, i: usize, w: &mut Words, e: i32, style: Style) -> Pair {
    if shape.is_limb(i) {
        (operand::number(w, e, style, shape.limb), 0.0)
    } else {
        operand::pair(w, e, style, shape.limb)
    }
}

/// Normalised operands inside the moderate domain.
pub(super) fn moderate(shape: &Shape, w: &mut Words, out: &mut [Pair]) {
    let most = shape.range - 1;
    let together = w.one_in(2);
    for i in 0..out.len() {
        let e = if i > 0 && together {
            (meeting(shape, &out[..i]) + offset(w, shape.limb)).clamp(-most, most)
        } else {
            w.between(-most, most)
        };
        out[i] = operand(shape, i, w, e, Style::Uniform);
    }
}

/// Normalised operands near 1, later terms at an offset that matters.
pub(crate) fn near_one(shape: &Shape, w: &mut Words, style: Style, out: &mut [Pair]) {
    let adds = !matches!(shape.op, Op::Mul | Op::Div | Op::Product);
    for i in 0..out.len() {
        let e = if i > 0 && adds { meeting(shape, &out[..i]) + offset(w, shape.limb) } else { w.between(0, 1) };
        out[i] = operand(shape, i, w, e, style);
    }
}

/// A pair near another: equal, or off in lo, in hi, or in all of lo.
fn near(w: &mut Words, (hi, lo): Pair, f: Format) -> Pair {
    let sign = |w: &mut Words| if w.one_in(2) { 1 } else { -1 };
    match w.below(8) {
        0 => (hi, lo),
        1 | 2 => (hi, step(lo, sign(w) * w.sized(f.p - 1) as i64, f)),
        3 | 4 => (hi, operand::lo(w, hi, Style::Structured, f)),
        5 => (hi, -lo),
        _ => {
            let bits = w.below(u64::from(f.p) - 1) as u32;
            let hi = step(hi, sign(w) * w.sized(bits) as i64, f);
            (hi, operand::lo(w, hi, Style::Structured, f))
        }
    }
}

fn negative((hi, lo): Pair) -> Pair {
    (-hi, -lo)
}

/// The product of two pairs to about twice the precision of a limb.
fn product(x: Pair, y: Pair, f: Format) -> Pair {
    let hi = limb::round(x.0 * y.0, f);
    let rest = x.0.mul_add(y.0, -hi) + (x.0 * y.1 + x.1 * y.0);
    limb::normalize((hi, limb::round(rest, f)), f)
}

/// Operands of which something cancels.
pub(super) fn cancellation(shape: &Shape, w: &mut Words, out: &mut [Pair]) {
    let f = shape.limb;
    let style = if w.one_in(2) { Style::Uniform } else { Style::Structured };
    near_one(shape, w, style, out);
    match (shape.op, &mut *out) {
        (Op::Add | Op::Acc | Op::Sum, [x, y, ..]) => *y = near(w, negative(*x), f),
        (Op::Sub | Op::Div, [x, y]) => *y = near(w, *x, f),
        (Op::Fma | Op::Mad, [x, y, z]) => {
            // The product of two limbs is a pair, which cancels exactly.
            if w.one_in(4) {
                (x.1, y.1) = (0.0, 0.0);
            }
            *z = near(w, negative(product(*x, *y, f)), f);
        }
        // The factors' product is near a power of two.
        (Op::Mul | Op::Product, [x, y, ..]) => {
            let inverse = limb::round(1.0 / x.0, f);
            *y = near(w, (inverse, limb::round(x.0.mul_add(-inverse, 1.0) * inverse, f)), f);
        }
        (Op::Sqrt | Op::Rsqrt, [x]) => *x = near(w, product(*x, *x, f), f),
        (Op::Canonical | Op::Neg, [x]) => x.1 = step(-x.0, w.between(-4, 4).into(), f),
        (Op::Dot, terms) => {
            let exactly = w.one_in(8);
            for four in terms.chunks_exact_mut(4) {
                let (x, y) = (four[0], negative(four[1]));
                (four[2], four[3]) = if exactly { (y, x) } else { (near(w, y, f), near(w, x, f)) };
            }
        }
        // The real part, or the imaginary one.
        (Op::Cmul, [a, b, c, d]) if w.one_in(2) => (*c, *d) = (near(w, *b, f), near(w, *a, f)),
        (Op::Cmul, [a, b, c, d]) => (*c, *d) = (near(w, negative(*a), f), near(w, *b, f)),
        _ => {}
    }
    if shape.op == Op::Sum && out.len() > 2 {
        // The third term is as small as what the first two leave.
        let rest = out[0].1.abs().max(f64::MIN_POSITIVE);
        let e = exponent(rest) + w.between(-2, 2);
        out[2] = operand(shape, 2, w, e, style);
    }
    for (i, x) in out.iter_mut().enumerate().filter(|_| !matches!(shape.op, Op::Canonical | Op::Neg)) {
        *x = if shape.is_limb(i) { (x.0, 0.0) } else { limb::normalize(*x, f) };
    }
}

/// Operands that end in ties.
pub(super) fn ties(shape: &Shape, w: &mut Words, out: &mut [Pair]) {
    let f = shape.limb;
    let p = f.p as i32;
    near_one(shape, w, Style::Uniform, out);
    for i in 0..out.len() {
        // Few bits: products of such numbers have p + 1 bits or so.
        if w.one_in(2) {
            let keep = w.between(1, p - 1);
            let bits = limb::to_bits(out[i].0, f) >> (p - keep) << (p - keep) | (1 << (p - keep) >> 1);
            out[i].0 = limb::from_bits(bits, f);
        }
        // A term that is half an ulp of the term before, or of its lo.
        if i > 0 && !matches!(shape.op, Op::Mul | Op::Div) && w.one_in(2) {
            let before = if w.one_in(4) && out[i - 1].1 != 0.0 { out[i - 1].1 } else { out[i - 1].0 };
            let half = binade(before) - p;
            out[i].0 = compose(w.one_in(2), half + w.between(0, 2), w.pick(&[0, 1, 2, 3]) << (p - 3), f);
        }
        let hi = out[i].0;
        let half = compose(w.one_in(2), binade(hi) - p, 0, f);
        let half = if w.one_in(2) { half } else { step(half, w.between(-2, 2).into(), f) };
        // An odd hi with half an ulp is the neighbour's pair.
        let even = limb::from_bits(limb::to_bits(hi, f) & !1, f);
        let hi = if shape.is_limb(i) || w.one_in(4) { hi } else { even };
        out[i] = limb::normalize((hi, if w.one_in(4) { 0.0 } else { half }), f);
    }
}

/// Powers of two and their neighbours.
pub(super) fn powers(shape: &Shape, w: &mut Words, out: &mut [Pair]) {
    let f = shape.limb;
    let most = shape.range - 1;
    for i in 0..out.len() {
        let e = if i > 0 && w.one_in(2) {
            (meeting(shape, &out[..i]) + offset(w, f)).clamp(-most, most)
        } else {
            w.between(-most, most)
        };
        let hi = step(compose(w.one_in(2), e, 0, f), w.pick(&[0, 0, 0, 1, -1, 2, -2, 3]), f);
        let gap = 1 + if w.one_in(2) { w.between(0, 2) } else { w.between(0, f.p as i32 + 3) };
        let lo = compose(w.one_in(2), e - f.p as i32 - gap, 0, f);
        let lo = if w.one_in(8) { 0.0 } else { step(lo, w.pick(&[0, 0, 0, 1, -1, 2, -2, 3]), f) };
        out[i] = (hi, operand::under(hi, lo, f));
    }
}

/// The ends of the exponent range, of operands and of results.
pub(super) fn edges(shape: &Shape, w: &mut Words, out: &mut [Pair]) {
    let f = shape.limb;
    let p = f.p as i32;
    let least = f.emin + p - 1;
    // Above `least + p` every lo of a normalised pair may be normal; products reach the ends where the exponents add up to them.
    let edge = |w: &mut Words| match w.below(8) {
        0 => w.between(f.emin, least - 1),
        1 => least + w.between(-1, 1),
        2 => least + w.between(0, 2 * p + 2),
        3 => f.emin + w.between(0, 3),
        4 | 5 => f.emax - w.between(0, 2),
        6 => f.emax - w.between(0, p + 2),
        _ => w.pick(&[f.emin / 2, least / 2, f.emax / 2]) + w.between(-2, 2),
    };
    let target = edge(w);
    for i in 0..out.len() {
        let e = match (shape.op, i) {
            (Op::Mul | Op::Product | Op::Fma | Op::Mad | Op::Dot | Op::Cmul, 1) if !w.one_in(4) => {
                target - binade(out[0].0) + w.between(-1, 1)
            }
            (Op::Div, 1) if !w.one_in(4) => binade(out[0].0) - target + w.between(-1, 1),
            (Op::Add | Op::Sub | Op::Acc | Op::Sum, 1..) if !w.one_in(4) => binade(out[0].0) + offset(w, f),
            (Op::Add | Op::Sub | Op::Acc | Op::Sum, 0) => target,
            (Op::Fma | Op::Mad, 2) if !w.one_in(4) => target + offset(w, f),
            (Op::Mul | Op::Product | Op::Div | Op::Fma | Op::Mad | Op::Dot | Op::Cmul, 0) => {
                if w.one_in(2) {
                    edge(w)
                } else {
                    w.between(least, f.emax)
                }
            }
            _ => edge(w),
        };
        let style = if w.one_in(2) { Style::Uniform } else { Style::Structured };
        let x = operand(shape, i, w, e.clamp(f.emin, f.emax), style);
        let last = limb::from_bits(limb::to_bits(f64::INFINITY, f) - 1, f);
        out[i] = match w.below(16) {
            0 => (last.copysign(x.0), x.1),
            1 => (step(0.0, w.between(-4, 4).into(), f), 0.0),
            _ => x,
        };
        out[i].1 = operand::under(out[i].0, out[i].1, f);
    }
}

/// Operands in the moderate domain with `gap` bits between hi's last and lo's first; negative where the limbs overlap.
pub(super) fn gaps(shape: &Shape, w: &mut Words, out: &mut [Pair], gap: impl Fn(&mut Words) -> i32) {
    let f = shape.limb;
    moderate(shape, w, out);
    for x in out {
        let gap = gap(w);
        let lo = operand::number(w, binade(x.0) - f.p as i32 - 1 - gap, Style::Uniform, f);
        *x = if gap >= 0 { (x.0, operand::under(x.0, lo, f)) } else { (x.0, lo) };
    }
}
