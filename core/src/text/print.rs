//! Pairs to decimal text.

use core::cmp::Ordering;
use core::fmt::{self, Formatter, Write};

use super::digits::Digits;
use super::fixed::Fixed;
use super::format::{Format, Magnitude};
use crate::double_word::HostLimb;

/// A value that has no digits.
pub(crate) struct Special {
    minus: bool,
    name: &'static str,
}

/// Sign (true for minus) and magnitude of hi + lo.
pub(crate) fn value<F: HostLimb>((hi, lo): (F, F)) -> Result<(bool, Fixed), Special> {
    let f = Format::of::<F>();
    let split = |x: F| (x.to_bits_u64() & f.sign() != 0, x.to_bits_u64() & !f.sign());
    let ((hi_minus, hi), (lo_minus, lo)) = (split(hi), split(lo));
    for (minus, bits) in [(hi_minus, hi), (lo_minus, lo)] {
        match bits.cmp(&f.inf) {
            Ordering::Less => {}
            Ordering::Equal => return Err(Special { minus, name: "inf" }),
            Ordering::Greater => return Err(Special { minus, name: "NaN" }),
        }
    }
    let fixed = |bits| Fixed::from(Magnitude::decode(bits, &f));
    if hi_minus == lo_minus || lo == 0 {
        return Ok((hi_minus, fixed(hi).add(&fixed(lo))));
    }
    let (difference, lo_larger) = fixed(hi).abs_diff(&fixed(lo));
    Ok((!difference.is_zero() && hi_minus != lo_larger, difference))
}

/// Writes hi + lo without exponent, as `Display` of `f64` does.
///
/// Without precision: the shortest decimal text that [`parse_pair`](super::parse_pair) reads as a pair of the same value; of
/// those with the fewest significant digits the one nearest to the value. Limbs far apart need as many digits as lie between
/// them: a pair with lo = 0 is told from its neighbours only by a text within half the smallest subnormal number of hi. A value that no text
/// gives back, which is one that overflows when rounded to hi, is written with all its digits.
///
/// With precision N (`{:.N}`): N digits behind the point, the exact value rounded to nearest, ties to even.
///
/// Width, fill, alignment, `0` and `+` mean what they mean for `f64`.
///
/// # Errors
///
/// Only those of the formatter.
pub fn fmt_display<F: HostLimb>(x: (F, F), f: &mut Formatter<'_>) -> fmt::Result {
    let (minus, value) = match value(x) {
        Ok(finite) => finite,
        Err(special) => return special.write(f),
    };
    match f.precision() {
        None => positional(&shortest(&value, &Format::of::<F>()), 0, minus, f),
        Some(places) => {
            let mut digits = Digits::new(&value);
            digits.round(digits.before_point().saturating_add_unsigned(places));
            positional(&digits, places, minus, f)
        }
    }
}

/// Writes hi + lo with an exponent, as `LowerExp` (`UpperExp` if `upper`) of `f64` does.
///
/// Without precision: the shortest text, as in [`fmt_display`]. With precision N (`{:.Ne}`): N digits behind the point, the
/// exact value rounded to nearest, ties to even.
///
/// # Errors
///
/// Only those of the formatter.
pub fn fmt_exp<F: HostLimb>(x: (F, F), upper: bool, f: &mut Formatter<'_>) -> fmt::Result {
    let (minus, value) = match value(x) {
        Ok(finite) => finite,
        Err(special) => return special.write(f),
    };
    match f.precision() {
        None => scientific(&shortest(&value, &Format::of::<F>()), 0, upper, minus, f),
        Some(places) => {
            let mut digits = Digits::new(&value);
            digits.round(isize::try_from(places).unwrap_or(isize::MAX).saturating_add(1));
            scientific(&digits, places, upper, minus, f)
        }
    }
}

impl Special {
    fn write(self, f: &mut Formatter<'_>) -> fmt::Result {
        // A NaN has no sign in text.
        let sign = if self.name == "NaN" { "" } else { sign(self.minus, f) };
        pad(sign, &[Part::Text(self.name)], f)
    }
}

fn sign(minus: bool, f: &Formatter<'_>) -> &'static str {
    match minus {
        true => "-",
        false if f.sign_plus() => "+",
        false => "",
    }
}

/// The values that parse to a pair of the same value: between `low` and `high`, ends included or not.
struct Interval {
    low: (Fixed, bool),
    high: (Fixed, bool),
}

/// `None` if no text gives this value back.
fn interval(v: &Fixed, f: &Format) -> Option<Interval> {
    let hi = v.round(false, f);
    let (rest, below) = v.abs_diff(&hi.into());
    let lo = rest.round(false, f);

    // Halfway to the neighbours of lo, where an even lo wins. (Where an ulp of hi is the smallest subnormal number an even hi
    // wins, but these ends have more digits than v and are never the text.)
    let outward = Fixed::scaled(1, lo.q - 1);
    let inward = if lo.starts_binade(f) { Fixed::scaled(1, lo.q - 2) } else { outward };
    let closed = lo.m.is_multiple_of(2);

    // Half an ulp of hi on the side of lo. A value there is that of two pairs: lo may round up to it from either neighbour.
    let half_ulp = hi.q - 1 - i32::from(below && hi.starts_binade(f));
    let halfway = rest == Fixed::scaled(1, half_ulp);

    if hi.encode(f) >= f.inf {
        // Just the value at which hi begins to overflow can be approached, from below.
        let first = halfway && below && hi.encode(f) == f.inf;
        return first.then(|| Interval { low: (v.sub(&inward), closed), high: (*v, false) });
    }
    let (down, up) = match (halfway, below) {
        (true, _) => (&inward, &inward),
        (false, true) => (&outward, &inward),
        (false, false) => (&inward, &outward),
    };
    Some(Interval { low: (v.sub(down), closed), high: (v.add(up), closed) })
}

fn shortest(v: &Fixed, f: &Format) -> Digits {
    if v.is_zero() {
        return Digits::new(v);
    }
    match interval(v, f) {
        None => Digits::new(v),
        Some(i) => Digits::shortest((&i.low.0, i.low.1), v, (&i.high.0, i.high.1)),
    }
}

/// A piece of the text after the sign.
enum Part<'a> {
    Text(&'a str),
    /// Digits as numbers 0 to 9.
    Digits(&'a [u8]),
    Zeros(usize),
    Exponent(isize),
}

impl Part<'_> {
    fn len(&self) -> usize {
        match self {
            Part::Text(s) => s.len(),
            Part::Digits(d) => d.len(),
            Part::Zeros(n) => *n,
            Part::Exponent(e) => usize::from(*e < 0) + e.unsigned_abs().checked_ilog10().unwrap_or(0) as usize + 1,
        }
    }

    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Part::Text(s) => f.write_str(s),
            Part::Digits(digits) => {
                let mut text = [0; 64];
                for run in digits.chunks(text.len()) {
                    for (c, d) in text.iter_mut().zip(run) {
                        *c = b'0' + d;
                    }
                    f.write_str(core::str::from_utf8(&text[..run.len()]).map_err(|_| fmt::Error)?)?;
                }
                Ok(())
            }
            Part::Zeros(n) => repeat('0', *n, f),
            Part::Exponent(e) => write!(f, "{e}"),
        }
    }
}

/// At least `places` digits behind the point.
fn positional(digits: &Digits, places: usize, minus: bool, f: &mut Formatter<'_>) -> fmt::Result {
    let (all, point) = (digits.significant(), digits.before_point());
    let leading = usize::try_from(-point).unwrap_or(0);
    let (integer, fraction) = all.split_at(usize::try_from(point).unwrap_or(0).min(all.len()));
    let filled = if fraction.is_empty() { 0 } else { leading + fraction.len() };
    let parts = [
        Part::Digits(integer),
        Part::Zeros(usize::try_from(point).unwrap_or(0) - integer.len()),
        Part::Zeros(usize::from(point <= 0)),
        Part::Text(if filled.max(places) > 0 { "." } else { "" }),
        Part::Zeros(filled - fraction.len()),
        Part::Digits(fraction),
        Part::Zeros(places.saturating_sub(filled)),
    ];
    pad(sign(minus, f), &parts, f)
}

/// At least `places` digits behind the point.
fn scientific(digits: &Digits, places: usize, upper: bool, minus: bool, f: &mut Formatter<'_>) -> fmt::Result {
    let all = digits.significant();
    let (first, rest) = all.split_at(1.min(all.len()));
    let zero = first.is_empty();
    let parts = [
        Part::Digits(first),
        Part::Zeros(usize::from(zero)),
        Part::Text(if rest.len().max(places) > 0 { "." } else { "" }),
        Part::Digits(rest),
        Part::Zeros(places.saturating_sub(rest.len())),
        Part::Text(if upper { "E" } else { "e" }),
        Part::Exponent(if zero { 0 } else { digits.before_point() - 1 }),
    ];
    pad(sign(minus, f), &parts, f)
}

/// Sign and parts in the formatter's width, as std pads floats.
fn pad(sign: &str, parts: &[Part<'_>], f: &mut Formatter<'_>) -> fmt::Result {
    let length = parts.iter().fold(sign.len(), |n, part| n.saturating_add(part.len()));
    let missing = f.width().unwrap_or(0).saturating_sub(length);
    let zeros = if f.sign_aware_zero_pad() { missing } else { 0 };
    let before = match f.align() {
        _ if zeros > 0 => 0,
        Some(fmt::Alignment::Left) => 0,
        Some(fmt::Alignment::Center) => missing / 2,
        Some(fmt::Alignment::Right) | None => missing,
    };
    let fill = f.fill();
    repeat(fill, before, f)?;
    f.write_str(sign)?;
    repeat('0', zeros, f)?;
    for part in parts {
        part.write(f)?;
    }
    repeat(fill, missing - before - zeros, f)
}

fn repeat(c: char, count: usize, f: &mut Formatter<'_>) -> fmt::Result {
    if c == '0' {
        const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
        for _ in 0..count / ZEROS.len() {
            f.write_str(ZEROS)?;
        }
        return f.write_str(&ZEROS[..count % ZEROS.len()]);
    }
    (0..count).try_for_each(|_| f.write_char(c))
}
