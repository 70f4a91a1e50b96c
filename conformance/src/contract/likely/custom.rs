//! Operands of reduced formats: what rounds into the format at a tie or next to one, at the ends of its range and next to
//! them; sums whose terms lie as far apart as the digits of the format and of a double; products that are ties; random words
//! that decide narrowly.

use std::num::Wrapping;
use vernier::custom::{Format, Mode, Options, Random, Top};
use vernier::host::Host;
use vernier_oracle::generate::counter::{self, Words};
use vernier_tape::cases::arguments;
use vernier_tape::io::Kind;
use vernier_tape::registry::Function;
use vernier_tape::registry::custom::{self, FIXED};

/// Cases of a function of a reduced format; none of any other.
pub(in crate::contract) fn cases(f: &Function, seed: u64, n: u64) -> Vec<Vec<u64>> {
    if !custom::is_custom(f) || !f.params.contains(&Kind::F64) {
        return Vec::new();
    }
    (0..n).map(|i| case(f, seed, i)).collect()
}

fn case(f: &Function, seed: u64, i: u64) -> Vec<u64> {
    let mut words = Words::new(counter::named_key(seed, &f.name()), i);
    let mut case = arguments(&f.params, seed, i);
    let at = format_slot(f);
    if let Some(at) = at
        && let Some(special) = match words.below(8) {
            0 | 1 => narrow(f, at, &mut words),
            2 | 3 => edge(f, at, &mut words),
            4 => next_below(f, at, &mut words),
            _ => None,
        }
    {
        return special;
    }
    let format = match (custom::format_of(f.family), at) {
        (Some(format), _) => format,
        (None, Some(at)) => {
            let known = FIXED.map(|(family, ..)| family);
            if words.one_in(4)
                && let Some(format) = custom::format_of(words.pick(&known))
            {
                // Sizes that are in use, with these options.
                let sizes = u64::from(format.word()) & 0x3ff;
                case[at] = if words.one_in(2) { sizes } else { case[at] & !0x3ff | sizes };
            }
            let Ok(format) = Format::from_word(case[at] as u32) else { return arguments(&f.params, seed, i) };
            format
        }
        _ => return case,
    };
    let numbers: Vec<usize> = (0..f.params.len()).filter(|&k| f.params[k] == Kind::F64).collect();
    let mut draw = Draw { words, format, exponents: Vec::new() };
    let special = draw.words.one_in(8);
    let drawn = match numbers.len() {
        n if special => {
            let among = if draw.words.one_in(2) { 3 } else { SPECIAL.len() };
            (0..n).map(|_| draw.words.below(2) << 63 | draw.words.pick(&SPECIAL[..among])).collect()
        }
        1 => vec![draw.operand()],
        n => {
            let mut drawn = if draw.words.one_in(3) { draw.product() } else { vec![draw.operand(), draw.operand()] };
            drawn.extend((2..n).map(|_| draw.operand()));
            drawn
        }
    };
    numbers.into_iter().zip(drawn).for_each(|(k, bits)| case[k] = bits);
    case
}

/// A case in which an operand or the result lies below the range, at or next to what decides how it is rounded: a tie, or the
/// random word.
fn narrow(f: &Function, at: usize, words: &mut Words) -> Option<Vec<u64>> {
    // Words that are tried for one that lets the significand have its leading one.
    const TRIALS: usize = 1 << 12;
    let mantissa = if words.one_in(2) { 52 } else { words.between(0, 52) };
    let random_mode = words.one_in(2);
    let mode = if random_mode { Mode::Stochastic } else { words.pick(&Mode::ALL) };
    let options = Options {
        mode,
        gradual: !words.one_in(4),
        after: words.one_in(2),
        single: words.one_in(2),
        saturate: words.one_in(8),
        top: words.pick(&[Top::Special, Top::Nan, Top::Numbers]),
        dynamic: false,
    };
    let scales = ["mul", "div", "fma"].contains(&f.op);
    let target = words.below(at as u64 + u64::from(scales)) as usize;
    let size = words.between(if target == at { 8 } else { 2 }, 10) as u32;
    let format = Format::new(size, mantissa as u32, options).ok()?;
    let j = if target == at || f.op == "reduce" { 0 } else { target as u32 + 1 };
    let most = words.pick(&[64, 110, 150]);
    let least = words.pick(&[53 - mantissa, 61]);
    let dropped = words.between(least, most) as u32;
    let exponent = format.emin() - (dropped as i32 - (52 - mantissa));
    let (cut, over) = (dropped.min(60), dropped.saturating_sub(60));
    // In quarters of the significand's last bit: the last two bits are those of what is cut off.
    let below = |n: u32| 1u64.checked_shl(n).map_or(u64::MAX, |x| x - 1);
    // Of a significand that is shifted out altogether, what a shift modulo 64 would leave.
    let leads = if over < 53 { 1u64 << (52 - over)..2u64 << (52 - over) } else { 0..1 << 53 };
    let (mut tail, mut seed, mut operation) = (0, 0, 0);
    for _ in 0..TRIALS {
        (seed, operation) = (words.next(), words.next());
        let random = Random::<Host> { seed: Wrapping(seed), operation: Wrapping(operation) }.word(j).0 & below(60);
        // The least that goes up with this word.
        tail = (((below(60) - random) >> (60 - cut)) + 1) << 2;
        if cut < 53 || leads.contains(&(tail >> 2)) {
            break;
        }
    }
    if !random_mode {
        tail = words.pick(&[0, 4, 2 << cut, (2 << cut) - 4, (2 << cut) + 4, below(cut + 2) & !3]);
    }
    let kept = tail >> 2;
    let (any, other) = (words.next(), words.next());
    let all = below(over.min(52));
    let lost = words.pick(&[0, 1, (all >> 1) + 1, all, any]) & all;
    let significand = kept << over.min(52) | lost;
    let above = words.pick(&[0, below(53), other]) & !below(dropped.min(52));
    let fraction = (significand | above).wrapping_add(words.pick(&[0, 0, 0, 1, u64::MAX])) & below(52);
    let sign = words.below(2) << 63;
    let mut case = vec![0; at];
    if target < at {
        let one = 1023u64 << 52;
        case[..at].iter_mut().for_each(|x| *x = words.pick(&[0, one, one]));
        case[target] = sign | bits(exponent, fraction);
    } else {
        // A number of the format times a power of two.
        let power = if f.op == "div" { format.emin() - exponent } else { exponent - format.emin() };
        let (mut x, mut y) = (bits(format.emin(), fraction), bits(power, 0));
        if mantissa == 52 && words.one_in(2) {
            // One that is not exact.
            let (wanted, factor) =
                (f64::from_bits(bits(0, fraction)), f64::from_bits(bits(0, words.next() & below(52))));
            let other = if f.op == "div" { wanted * factor } else { wanted / factor };
            x = other.to_bits().wrapping_add((format.emin() as i64 as u64) << 52);
            y |= factor.to_bits() & below(52);
        }
        case[0] = sign | x;
        case[1] = words.below(2) << 63 | y;
        if f.op != "div" && words.one_in(2) {
            case.swap(0, 1);
        }
    }
    case.extend([u64::from(format.word()), seed, operation]);
    Some(case)
}

/// A case of a format with the exponents of doubles, in which results or their errors lie at the ends of the range of doubles.
fn edge(f: &Function, at: usize, words: &mut Words) -> Option<Vec<u64>> {
    let any = words.between(0, 52);
    let mantissa = words.pick(&[52, 52, 51, 50, any, any]);
    let options = Options {
        mode: if words.one_in(2) { Mode::Stochastic } else { words.pick(&Mode::ALL) },
        gradual: words.one_in(2),
        after: words.one_in(2),
        single: !words.one_in(6),
        saturate: words.one_in(8),
        top: Top::Special,
        dynamic: words.one_in(4),
    };
    let format = Format::new(11, mantissa as u32, options).ok()?;
    let below = words.pick(&[0, 1, 2, mantissa, mantissa + 1, 52, 53, 54]) + words.between(-1, 1);
    // The exponent of the result or of its largest term.
    let end = if words.one_in(2) { 1023 - below.min(2) } else { -1022 - mantissa + words.between(0, 2) + below };
    let near = words.between(-2, 2);
    let gap = words.pick(&[0, 1, mantissa, mantissa + 1, 2 * mantissa, 52, 53, 54, 104, 105, 106, 200]) + near;
    let gap = if words.one_in(4) { -gap } else { gap };
    let (least, most) = (-1022 - mantissa, 1023);
    let any = words.between(least, most);
    let factor = words.pick(&[0, 1, -1, least, least + 1, -1022, most, any]);
    let exponents = match (f.op, at) {
        ("mul", _) => vec![factor, end - factor],
        ("div", _) => vec![factor, factor - end],
        (_, 3) => vec![factor, end - factor, end - gap],
        (_, 2) => vec![end, end - gap],
        _ => vec![words.pick(&[end, factor])],
    };
    let mut case: Vec<u64> =
        exponents.iter().map(|&e| words.below(2) << 63 | bits(e, digits(mantissa as u32, words))).collect();
    if at == 2 && words.one_in(2) {
        case.swap(0, 1);
    }
    case.extend([u64::from(format.word()), words.next(), words.next()]);
    Some(case)
}

/// A case of a product next below a power of two, at an end of the range of the format: (1 + 2^-i)(1 - 2^-i), or that of which a
/// power of two is taken away.
fn next_below(f: &Function, at: usize, words: &mut Words) -> Option<Vec<u64>> {
    if !["mul", "fma"].contains(&f.op) {
        return None;
    }
    let options = Options {
        mode: words.pick(&Mode::ALL),
        gradual: words.one_in(4),
        after: words.one_in(2),
        single: words.one_in(2),
        saturate: words.one_in(4),
        top: words.pick(&[Top::Special, Top::Special, Top::Nan, Top::Numbers]),
        dynamic: words.one_in(2),
    };
    let mantissa = if words.one_in(4) { 52 } else { words.between(0, 52) } as u32;
    let format = Format::new(words.between(2, 11) as u32, mantissa, options).ok()?;
    if mantissa == 0 {
        // A tie of powers of two: a quarter of one is taken from it.
        let (end, factor) = (format.emin() + words.between(0, 1), words.between(format.emin(), 0));
        let numbers = [bits(factor, 0), bits(end - 2 - factor, 0), 1 << 63 | bits(end, 0)];
        let mut case = numbers[..at].to_vec();
        case.extend([u64::from(format.word()), words.next(), words.next()]);
        return Some(case);
    }
    let i = if words.one_in(2) { mantissa } else { words.between(1, mantissa as i32) as u32 };
    let end = words.pick(&[format.emin(), format.emin(), format.emax() + 1]) + words.pick(&[0, 0, 0, 1, -1]);
    let taken = at == 3 && words.one_in(2);
    let sum = if taken { end } else { end - 1 };
    let factor = words.between(sum - format.emax(), format.emax()).clamp(format.emin(), format.emax());
    let signs = [words.below(2) << 63, words.below(2) << 63];
    let mut case =
        vec![signs[0] | bits(factor, 1 << (52 - i)), signs[1] | bits(sum - factor, ((1 << (i - 1)) - 1) << (53 - i))];
    if words.one_in(2) {
        case.swap(0, 1);
    }
    if at == 3 {
        let opposite = signs[0] ^ signs[1] ^ 1 << 63;
        case.push(if taken { opposite | bits(end, 0) } else { words.below(2) << 63 });
    }
    case.extend([u64::from(format.word()), words.next(), words.next()]);
    Some(case)
}

/// A fraction of `m` digits, of a double.
fn digits(m: u32, words: &mut Words) -> u64 {
    let all = (1u64 << m) - 1;
    let random = words.next();
    let sparse = 1 << (random % u64::from(m.max(1)));
    (words.pick(&[0, 1, 2, all, all & !1, random, random, sparse, all ^ sparse]) & all) << (52 - m)
}

/// Makes a format of the argument that is to be one.
pub fn tame(f: &Function, case: &mut [u64]) {
    if let Some(at) = format_slot(f).filter(|_| !is_defined(f, case)) {
        case[at] = arguments(&[Kind::Format], case[at], 0)[0];
    }
}

/// Whether the function is defined for a case: what is to be a format is one.
pub fn is_defined(f: &Function, case: &[u64]) -> bool {
    format_slot(f).is_none_or(|at| Format::from_word(case[at] as u32).is_ok())
}

/// The slot of the format; what is before it are doubles.
pub fn format_slot(f: &Function) -> Option<usize> {
    f.params.iter().position(|&kind| kind == Kind::Format)
}

struct Draw {
    words: Words,
    format: Format,
    /// Those of the operands so far, and of what they give.
    exponents: Vec<i32>,
}

/// One, zeros, infinities, NaN with bits in the low word alone, the ends of the range of doubles.
const SPECIAL: [u64; 10] = [
    0x3ff0_0000_0000_0000,
    0,
    1,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff0_0001_0000_0000,
    0x7ff8_0000_0000_0000,
    0x0010_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
];

impl Draw {
    fn operand(&mut self) -> u64 {
        let sign = self.words.below(2) << 63;
        if self.words.one_in(12) {
            return sign | self.words.pick(&SPECIAL);
        }
        if self.words.one_in(8) {
            // Rounds up to the first power of two beyond the range, which is an operand until it is reduced again.
            self.exponents.push(self.format.emax());
            return sign | bits(self.format.emax(), (1 << 52) - 1);
        }
        let exponent = self.exponent();
        self.exponents.push(exponent);
        sign | bits(exponent, self.fraction())
    }

    /// The fraction of a double: digits of the format, and what is below them.
    fn fraction(&mut self) -> u64 {
        let m = self.format.mantissa();
        let below = (1u64 << (52 - m)) - 1;
        let head = digits(m, &mut self.words);
        let half = (below >> 1) + 1;
        let random = self.words.next();
        let tail = self.words.pick(&[0, 0, 0, 0, 1, half, half - 1, half + 1, below, random]) & below;
        head | tail
    }

    fn exponent(&mut self) -> i32 {
        let f = self.format;
        let (m, emin, emax) = (f.mantissa() as i32, f.emin(), f.emax());
        let near = self.words.between(-3, 3);
        // Below the smallest subnormal number, and where its tail is cut.
        let far = self.words.between(emin - m - 70, emin - m);
        let ends = [emin, emax, 0, emin - m, emin - m - 9, far, emin / 2, emax / 2];
        match self.words.below(4) {
            0 => self.words.between(emin - 2, emax + 2),
            1 => self.words.pick(&ends) + near,
            _ if self.exponents.is_empty() => near,
            2 => {
                let other = self.words.pick(&self.exponents);
                // The result at an end of the range.
                let end = self.words.pick(&ends) + near;
                if self.words.one_in(2) { end - other } else { other - end }
            }
            _ => {
                let other = self.words.pick(&self.exponents);
                let any = self.words.between(0, 120);
                let gap = self.words.pick(&[0, m, 2 * m, 52 - m, 52, 52 + m, 104, any]) + near;
                if self.words.one_in(4) { other + gap } else { other - gap }
            }
        }
    }

    /// Two operands whose product is a tie, or next to one far below.
    fn product(&mut self) -> Vec<u64> {
        let p = self.format.mantissa() + 1;
        let digits = 1 + self.words.below(u64::from(p)) as u32;
        let x = self.words.sized(digits) | 1;
        // The digits that a double loses, if any.
        let (y, lost) = if self.words.one_in(2) {
            // p + 1 digits or about that.
            let rest = (p + 2 - digits.min(p)).min(p).saturating_sub(self.words.below(2) as u32).max(1);
            (self.words.sized(rest) | 1, 0)
        } else {
            self.missed(x, p).unwrap_or((1, 0))
        };
        let length = |n: u64| 63 - n.leading_zeros() as i32;
        let (emin, emax) = (self.format.emin(), self.format.emax());
        let any = self.exponent();
        let last = if lost > 0 { -1074 - lost } else { self.words.pick(&[emin, any]) };
        let sum = (last + length(x) + length(y)).max(2 * emin);
        let e = self.words.between((sum - emax).max(emin), (sum - emin).min(emax).max(emin));
        let other = sum - e;
        self.exponents.extend([e + other, e, other]);
        [(x, e), (y, other)].map(|(n, e)| self.words.below(2) << 63 | integer(n, e)).to_vec()
    }

    /// A factor of at most `p` digits with which odd `x` gives, modulo 2^(t + s), half of that and little more or less, where t bits
    /// are dropped from a double; and s: with so many digits below a double, a tie of a subnormal number is missed by less than
    /// half of its last bit.
    fn missed(&mut self, x: u64, p: u32) -> Option<(u64, i32)> {
        let dropped = 53 - p;
        (0..64).find_map(|_| {
            let s = 2 + self.words.below(6) as u32;
            let modulus = 1u64.checked_shl(dropped + s)?;
            let r = 1 + self.words.below((1 << (s - 1)) - 1);
            let target = if self.words.one_in(2) { modulus / 2 + r } else { modulus / 2 - r };
            let y = target.wrapping_mul(super::inverse(x)) & (modulus - 1);
            (y != 0 && y >> p == 0).then_some((y, s as i32))
        })
    }
}

/// The magnitude (1 + fraction / 2^52) 2^exponent as a double, cut off where it is subnormal, infinite beyond the range.
fn bits(exponent: i32, fraction: u64) -> u64 {
    match exponent {
        1024.. => f64::INFINITY.to_bits(),
        -1022..1024 => ((exponent + 1023) as u64) << 52 | fraction,
        _ => (1 << 52 | fraction).checked_shr((-1022 - exponent) as u32).unwrap_or(0),
    }
}

/// `n`, not 0, with its leading digit at 2^exponent.
fn integer(n: u64, exponent: i32) -> u64 {
    let top = 63 - n.leading_zeros();
    bits(exponent, if top > 52 { n >> (top - 52) } else { n << (52 - top) } & ((1 << 52) - 1))
}
