//! Bounds that somebody documents.

use super::results::{format_of, input};
use super::{Asked, How, Subject};
use crate::text::figure;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;
use std::fmt;
use vernier_foreign::Number;
use vernier_gpu::device::Api;
use vernier_oracle::number::region::Part;
use vernier_oracle::number::{Tally, bits};
use vernier_oracle::{Format, Function};

/// Functions in lines; behind the name what OpenCL 1.2 allows floats, CUDA states for them, and both of doubles.
const TABLE: &str = include_str!("../../fixtures/documented_ulp.tsv");

/// Whether an error is within a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// No larger error is known.
    Held,
    /// There is one.
    Exceeded,
    /// Every input was tried, and the largest error is less than half of it.
    Loose,
}

/// A bound, and whether it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Documented {
    /// Whose bound it is.
    pub source: String,
    /// In ulp; none where it is another thing on a part of the domain.
    pub ulp: Option<f64>,
    /// Whether it holds.
    pub holds: Holds,
    /// What was found on each part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Found>,
}

/// What was found on a part of the domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The bound, as it is documented.
    pub text: String,
    /// The largest error, in ulp or as it is.
    pub error: f64,
    /// Its argument, in hex.
    pub input: Vec<String>,
    /// Whether the bound holds.
    pub holds: Holds,
}

/// A bound on a part of the domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// As it is documented.
    pub text: String,
    /// Which part, and the unit of errors.
    pub part: Part,
    /// The largest error in that unit.
    most: f64,
}

/// Bounds of CUDA are against the correctly rounded result.
fn is_cuda(subject: &Subject) -> bool {
    matches!(subject, Subject::Device { api: Api::Cuda, .. })
}

/// What the table says.
fn text(subject: &Subject, asked: Asked) -> Option<&'static str> {
    let column = match asked.number {
        Number::F32 => 1,
        Number::F64 => 3,
        Number::F16 | Number::BF16 | Number::F128 => return None,
    };
    let name = asked.fast.unwrap_or(asked.function.name());
    // OpenCL leaves what is native to the implementation; half has 8192 ulp.
    match name {
        _ if name.starts_with("half_") => Some("8192"),
        "__fsqrt_rn" | "__frsqrt_rn" | "__fmaf_rn" => Some("0"),
        _ => TABLE
            .lines()
            .find(|line| line.split('\t').next() == Some(name))?
            .split('\t')
            .nth(column + usize::from(is_cuda(subject))),
    }
}

impl Documented {
    /// What is documented of a function of a subject: of CUDA's by its programming guide of about version 11, against the correctly
    /// rounded result, to which half an ulp is added; of all others what OpenCL 1.2 allows, against the exact value. None where that is
    /// no number of ulp everywhere.
    ///
    /// A bound of CUDA's fast functions that grows with the argument is asked of each binade: none where that does not decide.
    pub fn of(subject: &Subject, asked: Asked, tally: &Tally, how: How) -> Option<Documented> {
        let (error, text) = (tally.ulp, text(subject, asked)?);
        let more = |ulp: f64| if is_cuda(subject) || ulp == 0.0 { ulp + 0.5 } else { ulp };
        let (ulp, holds) = match text.parse().map(more) {
            Ok(ulp) if error > ulp => (ulp, Holds::Exceeded),
            Ok(ulp) if how == How::Exhaustive && error < ulp / 2.0 => (ulp, Holds::Loose),
            Ok(ulp) => (ulp, Holds::Held),
            Err(_) => growing(text, tally).map(|(ulp, holds)| (more(ulp), holds))?,
        };
        Some(Documented { source: source(subject), ulp: Some(ulp), holds, parts: Vec::new() })
    }

    /// What is documented of parts of the domain, and was found there.
    pub fn of_parts(subject: &Subject, parts: Vec<Found>) -> Option<Documented> {
        let holds = if parts.iter().any(|p| p.holds == Holds::Exceeded) { Holds::Exceeded } else { Holds::Held };
        (!parts.is_empty()).then(|| Documented { source: source(subject), ulp: None, holds, parts })
    }

    /// A line for each part.
    pub fn lines(&self) -> Vec<String> {
        self.parts.iter().map(ToString::to_string).collect()
    }
}

fn source(subject: &Subject) -> String {
    if is_cuda(subject) { "CUDA 11" } else { "OpenCL 1.2" }.into()
}

/// A bound `a + floor(|b x|)` of floats: that of the worst input, and whether it holds.
fn growing(text: &str, tally: &Tally) -> Option<(f64, Holds)> {
    let (a, rest) = text.split_once(" + floor(|")?;
    let (a, b): (f64, f64) = (a.parse().ok()?, rest.strip_suffix(" x|)")?.parse().ok()?);
    let bound = |x: f64| a + (b * x).floor();
    let worst = f32::from_bits(tally.worst?.args[0] as u32).abs().into();
    let mut holds = if tally.ulp > bound(worst) + 0.5 { Holds::Exceeded } else { Holds::Held };
    for (place, &error) in tally.envelope.iter().enumerate().filter(|(_, error)| **error > 0.0) {
        let least = f64::from((place % 256) as i32 - 127).exp2();
        if error > bound(2.0 * least) + 0.5 {
            holds = Holds::Exceeded;
        } else if error > bound(least) + 0.5 && holds == Holds::Held {
            return None;
        }
    }
    Some((bound(worst), holds))
}

/// The bounds on parts of the domain that are documented of a function: `4 for |x| < 8, else 1e-6 absolute`, `3 outside (-2, 3)`,
/// `2^-21 absolute in [-pi, pi], else 3`.
pub fn parts(subject: &Subject, asked: Asked) -> Vec<Bound> {
    let found = text(subject, asked).filter(|_| asked.function.arity() == 1);
    found.and_then(|text| parsed(text, format_of(asked.number), is_cuda(subject))).unwrap_or_default()
}

fn parsed(text: &str, format: Format, cuda: bool) -> Option<Vec<Bound>> {
    let (first, other) = text.split_once(", else ").map_or((text, None), |(first, other)| (first, Some(other)));
    let end = bits::infinity(format) as i64;
    let split = |word: &str| first.split_once(word);
    let (limit, inside, outside) = if let Some((limit, interval)) = split(" in [") {
        let (low, high) = interval.strip_suffix(']')?.split_once(", ")?;
        let [low, high] = [above(number(low)?, format), below(number(high)?, format) + 1];
        (limit, vec![[low, high]], vec![[-end, low], [high, end]])
    } else if let Some((limit, most)) = split(" for |x| < ") {
        let high = above(number(most)?, format);
        (limit, vec![[-high, high]], vec![[-end, -high], [high, end]])
    } else {
        let (limit, interval) = split(" outside (")?;
        let (low, high) = interval.strip_suffix(')')?.split_once(", ")?;
        let [low, high] = [below(number(low)?, format) + 1, above(number(high)?, format)];
        (limit, vec![[-end, low], [high, end]], Vec::new())
    };
    let bound = |limit: &str, place: &str, ranges: Vec<[i64; 2]>| {
        let unit = limit.ends_with(" absolute").then_some(1 - format.p as i32);
        let most = number(limit.trim_end_matches(" absolute"))?;
        // Half an ulp of a result, or of one below 1.
        let most = match unit {
            Some(unit) => most * f64::from(-unit).exp2() + if cuda { 0.25 } else { 0.0 },
            None => most + if cuda { 0.5 } else { 0.0 },
        };
        Some(Bound { text: format!("{limit}{place}"), part: Part { ranges, unit }, most })
    };
    let place = &first[limit.len()..];
    let mut list = vec![bound(limit, place, inside)?];
    if let Some(other) = other {
        list.push(bound(other, " elsewhere", outside)?);
    }
    Some(list)
}

/// `3`, `2.2e-6`, `2^-21.41`, `-pi`.
fn number(text: &str) -> Option<f64> {
    match text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest)) {
        (sign, "pi") => Some(sign * PI),
        (sign, text) => match text.strip_prefix("2^") {
            Some(exponent) => Some(sign * exponent.parse::<f64>().ok()?.exp2()),
            None => Some(sign * text.parse::<f64>().ok()?),
        },
    }
}

/// The place of the largest number that is at most x.
fn below(x: f64, format: Format) -> i64 {
    let nearest = bits::of(x, format);
    bits::place(nearest, format) - i64::from(bits::number(nearest, format) > x)
}

/// The place of the least number that is at least x.
fn above(x: f64, format: Format) -> i64 {
    let nearest = bits::of(x, format);
    bits::place(nearest, format) + i64::from(bits::number(nearest, format) < x)
}

impl Bound {
    /// Whether it holds for what was found.
    pub fn held(&self, tally: &Tally, function: Function, format: Format) -> Found {
        let scale = self.part.unit.map_or(1.0, |unit| f64::from(unit).exp2());
        Found {
            text: self.text.clone(),
            error: tally.ulp * scale,
            input: tally.worst.map_or(Vec::new(), |case| input(&case.args, function, format)),
            holds: if tally.ulp > self.most { Holds::Exceeded } else { Holds::Held },
        }
    }
}

impl Holds {
    fn name(self) -> &'static str {
        match self {
            Holds::Held => "held",
            Holds::Exceeded => "EXCEEDED",
            Holds::Loose => "loose",
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (error, unit) = (self.error, if self.text.contains("absolute") { "" } else { " ulp" });
        let error = if unit.is_empty() { format!("{error:.3e}") } else { figure(error, 4) };
        let at = if self.input.is_empty() { "no input".into() } else { self.input.join(" ") };
        write!(f, "{error}{unit} at {at}, documented {}: {}", self.text, self.holds.name())
    }
}

impl fmt::Display for Documented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ulp) = self.ulp {
            return write!(f, "{} {}", figure(ulp, 3).trim_end_matches('0').trim_end_matches('.'), self.holds.name());
        }
        let part = |p: &Found| format!("{} {}", p.text, p.holds.name());
        f.write_str(&self.parts.iter().map(part).collect::<Vec<_>>().join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernier_oracle::number::Case;

    #[test]
    fn bounds_of_opencl() {
        let tally = |ulp| Tally { ulp, ..Tally::default() };
        let documented =
            |f, number, error, how| Documented::of(&Subject::RustStd, Asked::from((f, number)), &tally(error), how);
        let of = |f, number, error, how| documented(f, number, error, how).map(|d| (d.ulp.unwrap(), d.holds));
        assert_eq!(of(Function::Exp, Number::F32, 0.5, How::Exhaustive), Some((3.0, Holds::Loose)));
        assert_eq!(of(Function::Exp, Number::F32, 0.5, How::Searched), Some((3.0, Holds::Held)));
        assert_eq!(of(Function::Cbrt, Number::F64, 3.67, How::Searched), Some((2.0, Holds::Exceeded)));
        assert_eq!(of(Function::Sqrt, Number::F64, 0.5, How::Searched), Some((0.5, Holds::Held)));
        assert_eq!(of(Function::J0, Number::F64, 0.5, How::Searched), None, "not a number of ulp");
        let shown = documented(Function::Cbrt, Number::F64, 3.67, How::Searched).unwrap();
        assert_eq!(shown.to_string(), "2 EXCEEDED");
    }

    #[test]
    fn a_bound_that_grows() {
        let with = |place: usize, ulp: f64, x: f32| {
            let mut tally = Tally { ulp, ..Tally::default() };
            tally.envelope[place] = ulp;
            tally.worst = Some(Case { args: [x.to_bits().into(), 0, 0], result: 0, which: 0 });
            growing("2 + floor(|1.173 x|)", &tally)
        };
        // 8 to 16 in the binade of 2^3: from 11 ulp on.
        assert_eq!(with(130, 11.0, 10.0), Some((13.0, Holds::Held)));
        assert_eq!(with(130, 14.0, 10.0), Some((13.0, Holds::Exceeded)));
        assert_eq!(with(130, 13.0, 10.0), None);
        assert_eq!(with(130, 30.0, 15.9), Some((20.0, Holds::Exceeded)));
        assert_eq!(growing("2^-21.41 absolute in [-pi, pi]", &Tally::default()), None);
    }

    #[test]
    fn bounds_on_parts() {
        let f32_of = |x: f32| bits::place(x.to_bits().into(), Format::F32);
        let parsed = |text: &str| parsed(text, Format::F32, true).unwrap();
        let [sine] = &parsed("2^-21.41 absolute in [-pi, pi]")[..] else { panic!("one part") };
        // The float next to pi lies above it.
        let pi = std::f32::consts::PI.next_down();
        assert_eq!(sine.part.ranges, [[f32_of(-pi), f32_of(pi) + 1]]);
        assert!(sine.part.unit == Some(-23) && (sine.most - 1.59f64.exp2() - 0.25).abs() < 1e-9, "{sine:?}");
        let [near, far] = &parsed("2^-21.41 absolute in [0.5, 2], else 3")[..] else { panic!("two parts") };
        assert_eq!((near.part.ranges[0], far.part.unit, far.most), ([f32_of(0.5), f32_of(2.0) + 1], None, 3.5));
        assert_eq!((far.part.ranges[0][1], far.text.as_str()), (f32_of(0.5), "3 elsewhere"));
        let [small, large] = &parsed("9 for |x| < 8, else 2.2e-6 absolute")[..] else { panic!("two parts") };
        assert_eq!((small.part.ranges[0], small.most), ([f32_of(-8.0) + 1, f32_of(8.0)], 9.5));
        assert_eq!(large.part.ranges, [[f32_of(f32::MIN), f32_of(-8.0) + 1], [f32_of(8.0), f32_of(f32::MAX) + 1]]);
        let [gamma] = &parsed("6 outside (-10.001, -2.264)")[..] else { panic!("one part") };
        assert!(gamma.part.ranges[0][1] == f32_of(-10.001f32) + 1 || gamma.part.ranges[0][1] == f32_of(-10.001f32));
        for (_, line) in TABLE.lines().skip(2).filter_map(|line| line.split_once('\t')) {
            for text in line.split('\t').filter(|text| !text.is_empty() && text.parse::<f64>().is_err()) {
                let other = text.contains("floor") || text.contains("|y|") || text.starts_with("as ");
                assert!(other || super::parsed(text, Format::F32, true).is_some(), "{text}");
            }
        }
        let tally = Tally { ulp: 4.0, ..Tally::default() };
        let found = sine.held(&tally, Function::Sin, Format::F32);
        assert_eq!((found.holds, found.error), (Holds::Exceeded, 4.0 * (-23f64).exp2()));
        assert_eq!(found.to_string(), "4.768e-7 at no input, documented 2^-21.41 absolute in [-pi, pi]: EXCEEDED");
        let all = Documented::of_parts(&Subject::RustStd, vec![found]).unwrap();
        assert_eq!(all.to_string(), "2^-21.41 absolute in [-pi, pi] EXCEEDED");
    }
}
