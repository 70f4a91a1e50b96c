//! Bounds that somebody documents.

use super::{Asked, How, Subject};
use crate::text::figure;
use serde::{Deserialize, Serialize};
use std::fmt;
use vernier_foreign::Number;
use vernier_gpu::device::Api;
use vernier_oracle::number::Tally;

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
    /// In ulp.
    pub ulp: f64,
    /// Whether it holds.
    pub holds: Holds,
}

impl Documented {
    /// What is documented of a function of a subject: of CUDA's by its programming guide of about version 11, against the correctly
    /// rounded result, to which half an ulp is added; of all others what OpenCL 1.2 allows, against the exact value. None where that is
    /// no number of ulp everywhere.
    ///
    /// A bound of CUDA's fast functions that grows with the argument is asked of each binade: none where that does not decide.
    pub fn of(subject: &Subject, asked: Asked, tally: &Tally, how: How) -> Option<Documented> {
        let (number, error) = (asked.number, tally.ulp);
        let cuda = matches!(subject, Subject::Device { api: Api::Cuda, .. });
        let column = usize::from(cuda) + if number == Number::F32 { 1 } else { 3 };
        let name = asked.fast.unwrap_or(asked.function.name());
        // OpenCL leaves what is native to the implementation; half has 8192 ulp.
        let text = match name {
            _ if name.starts_with("half_") => "8192",
            "__fsqrt_rn" | "__frsqrt_rn" | "__fmaf_rn" => "0",
            _ => TABLE.lines().find(|line| line.split('\t').next() == Some(name))?.split('\t').nth(column)?,
        };
        let more = |ulp: f64| if cuda || ulp == 0.0 { ulp + 0.5 } else { ulp };
        let (ulp, holds) = match text.parse().map(more) {
            Ok(ulp) if error > ulp => (ulp, Holds::Exceeded),
            Ok(ulp) if how == How::Exhaustive && error < ulp / 2.0 => (ulp, Holds::Loose),
            Ok(ulp) => (ulp, Holds::Held),
            Err(_) => growing(text, tally).map(|(ulp, holds)| (more(ulp), holds))?,
        };
        let source = if cuda { "CUDA 11" } else { "OpenCL 1.2" };
        Some(Documented { source: source.into(), ulp, holds })
    }
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

impl fmt::Display for Documented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holds = match self.holds {
            Holds::Held => "held",
            Holds::Exceeded => "EXCEEDED",
            Holds::Loose => "loose",
        };
        write!(f, "{} {holds}", figure(self.ulp, 3).trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernier_oracle::Function;
    use vernier_oracle::number::Case;

    #[test]
    fn bounds_of_opencl() {
        let tally = |ulp| Tally { ulp, ..Tally::default() };
        let documented =
            |f, number, error, how| Documented::of(&Subject::RustStd, Asked::from((f, number)), &tally(error), how);
        let of = |f, number, error, how| documented(f, number, error, how).map(|d| (d.ulp, d.holds));
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
}
