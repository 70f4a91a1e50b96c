//! Rows of reduced formats: operands, what is measured and what is claimed.
//!
//! Every result is held against the one that the definition of the format gives, which covers range, underflow, overflow, ties
//! and special values. The error is measured where the exact value of the reduced operands lies in the format's range, in ulp
//! of M + 1 digits:
//!
//! - rounded once: half an ulp to nearest, less than one in a direction or at random;
//! - a double that is rounded again, as published: the same for + - x / and sqrt where M <= 24 and nothing is subnormal (Figueroa 1995),
//!   and half an ulp of a double more elsewhere, which is 2^(M - 53).

use super::metric::Metric;
use crate::case::Op;
use vernier::custom::{Format, Mode, Options, Top};
use vernier_oracle::Pair;
use vernier_oracle::generate::counter::Words;

/// The formats of the tables: the presets, the published semantics, and binary16 in every other mode.
pub fn formats() -> impl Iterator<Item = Format> {
    const PUBLISHED: [(u32, u32); 7] = [(8, 23), (5, 10), (8, 7), (4, 3), (11, 23), (10, 50), (11, 52)];
    let published = PUBLISHED.into_iter().filter_map(|(e, m)| Format::new(e, m, Options::PUBLISHED).ok());
    let half = Format::FP16;
    let modes = Mode::ALL
        .into_iter()
        .filter(|&mode| mode != Mode::Nearest)
        .filter_map(move |mode| Format::new(half.exponent(), half.mantissa(), Options { mode, ..half.options() }).ok());
    Format::PRESETS.into_iter().map(|(_, f)| f).chain(published).chain(modes)
}

/// The name of a preset; `-` for other formats.
pub fn preset(f: Format) -> &'static str {
    Format::PRESETS.into_iter().find(|&(_, preset)| preset == f).map_or("-", |(name, _)| name)
}

/// Operations that only look at the doubles which values are, and so are the same in every format, have rows in one of them.
pub fn has_row(f: Format, op: Op) -> bool {
    let of_format = matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Sqrt | Op::Fma | Op::Reduce);
    of_format || formats().find(|f| f.options() == Options::PUBLISHED) == Some(f)
}

/// The bound of an operation, as text too, and its source.
pub fn bound(op: Op, metric: Metric, f: Format) -> (f64, String, &'static str) {
    let o = f.options();
    if metric == Metric::Answers {
        return (0.0, "0".into(), "exact answer");
    }
    if op == Op::Neg {
        return (0.0, "0".into(), "exact");
    }
    let nearest = matches!(o.mode, Mode::Nearest | Mode::Away);
    // An error just below 1 can be read as 1 + 2^-52.
    let (bound, text) = if nearest { (0.5, "1/2") } else { (1.0 + (-40f64).exp2(), "1") };
    let twice = !o.single && op != Op::Reduce && f.mantissa() < 52;
    if !twice {
        return (bound, text.into(), if o.single { "IEEE 754" } else { "one rounding" });
    }
    if nearest && f.mantissa() <= 24 && f.exponent() < 11 && op != Op::Fma {
        return (bound, text.into(), "Figueroa 1995");
    }
    let again = f64::from(f.mantissa() as i32 - 53).exp2();
    (bound + again, format!("{text} + 2^-{}", 53 - f.mantissa()), "ours")
}

/// Number of bits of an encoding.
pub fn width(f: Format) -> u32 {
    1 + f.exponent() + f.mantissa()
}

/// How many cases are all numbers of the format as operands, where they are few.
pub fn exhaustive(f: Format, op: Op, operands: usize) -> Option<u64> {
    let bits = width(f) * operands as u32;
    (bits <= 24 && op != Op::Reduce && f.options().mode != Mode::Stochastic).then(|| 1 << bits)
}

/// The number that an encoding of the format stands for: sign, exponent field, significand, from the highest bit.
pub fn number(f: Format, code: u64) -> f64 {
    let (e, m) = (f.exponent(), f.mantissa());
    let (fraction, field) = (code & ((1 << m) - 1), code >> m & ((1 << e) - 1));
    let top = field == (1 << e) - 1;
    let significand = fraction as f64 * f.epsilon();
    let magnitude = match (f.options().top, field) {
        (Top::Special, _) if top => {
            if fraction == 0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        (Top::Nan, _) if top && fraction == (1 << m) - 1 => f64::NAN,
        (_, 0) => significand * f.min_positive(),
        _ => (1.0 + significand) * f64::from(field as i32 - f.bias()).exp2(),
    };
    if code >> (e + m) & 1 == 1 { -magnitude } else { magnitude }
}

/// An operand that matters to a format: near its ends, few bits, ties, special values, near the one before.
pub fn operand(words: &mut Words, f: Format, before: Option<f64>) -> f64 {
    let sign = words.below(2) << 63;
    if let Some(before) = before.filter(|x| x.is_finite() && words.one_in(4)) {
        return f64::from_bits((before.to_bits() ^ sign).wrapping_add(words.below(3)).wrapping_sub(1));
    }
    let (emin, emax, m) = (i64::from(f.emin()), i64::from(f.emax()), u64::from(f.mantissa()));
    let exponent = match words.below(6) {
        0 => emin - m as i64 - 2 + words.below(m + 5) as i64,
        1 => emax - 2 + words.below(5) as i64,
        2 => emin / 2 - 2 + words.below(m + 5) as i64,
        3 => words.below(m + 3) as i64 - 3,
        4 => words.below(2046) as i64 - 1022,
        _ => {
            return f64::from_bits(
                sign | [0, 0x7ff << 52, 0x7ff8 << 48, 1, 1 << 52, 1023 << 52][words.below(6) as usize],
            );
        }
    };
    let field = (exponent + 1023).clamp(0, 2046) as u64;
    let cut = if words.one_in(3) { words.below(53) } else { (50 - m.min(50)).min(words.below(56)) };
    let fraction = (words.next() & ((1 << 52) - 1)) >> cut.min(52) << cut.min(52);
    // One in eight rounds up to a power of two.
    let below = if words.one_in(8) { ((1 << 52) - 1) >> (m + 1).min(52) ^ ((1 << 52) - 1) } else { 0 };
    f64::from_bits(sign | field << 52 | fraction | below)
}

/// A number of the format, with which results are mostly in its range.
fn inside(words: &mut Words, f: Format) -> f64 {
    let m = f.mantissa();
    let most = (f.emax() / 2).min(if words.one_in(2) { m as i32 + 3 } else { f.emax() });
    let field = (words.between(-most, most) + 1023) as u64;
    let fraction = words.next() >> 12;
    // A third have few bits.
    let kept = if words.one_in(3) { words.below(u64::from(m) + 1) as u32 } else { m };
    f64::from_bits(words.below(2) << 63 | field << 52 | (fraction >> (52 - kept) << (52 - kept)))
}

/// The operands of a case that is none of an exhaustive row: three in four of numbers of the format.
pub fn operands(f: Format, words: &mut Words, out: &mut [Pair]) {
    let any = words.one_in(4);
    let mut before = None;
    for x in out {
        x.0 = if any { operand(words, f, before) } else { inside(words, f) };
        x.1 = 0.0;
        before = Some(x.0);
    }
}
