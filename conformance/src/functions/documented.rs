//! Bounds that somebody documents.

use super::{How, Subject};
use crate::text::figure;
use serde::{Deserialize, Serialize};
use std::fmt;
use vernier_foreign::Number;
use vernier_gpu::device::Api;
use vernier_oracle::Function;

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
    pub fn of(subject: &Subject, function: Function, number: Number, error: f64, how: How) -> Option<Documented> {
        let cuda = matches!(subject, Subject::Device { api: Api::Cuda, .. });
        let column = usize::from(cuda) + if number == Number::F32 { 1 } else { 3 };
        let line = TABLE.lines().find(|line| line.split('\t').next() == Some(function.name()))?;
        let ulp: f64 = line.split('\t').nth(column)?.parse().ok()?;
        let ulp = if cuda || ulp == 0.0 { ulp + 0.5 } else { ulp };
        let holds = match () {
            () if error > ulp => Holds::Exceeded,
            () if how == How::Exhaustive && error < ulp / 2.0 => Holds::Loose,
            () => Holds::Held,
        };
        let source = if cuda { "CUDA 11" } else { "OpenCL 1.2" };
        Some(Documented { source: source.into(), ulp, holds })
    }
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

    #[test]
    fn bounds_of_opencl() {
        let of =
            |f, number, error, how| Documented::of(&Subject::RustStd, f, number, error, how).map(|d| (d.ulp, d.holds));
        assert_eq!(of(Function::Exp, Number::F32, 0.5, How::Exhaustive), Some((3.0, Holds::Loose)));
        assert_eq!(of(Function::Exp, Number::F32, 0.5, How::Searched), Some((3.0, Holds::Held)));
        assert_eq!(of(Function::Cbrt, Number::F64, 3.67, How::Searched), Some((2.0, Holds::Exceeded)));
        assert_eq!(of(Function::Sqrt, Number::F64, 0.5, How::Searched), Some((0.5, Holds::Held)));
        assert_eq!(of(Function::J0, Number::F64, 0.5, How::Searched), None, "not a number of ulp");
        let shown = Documented::of(&Subject::RustStd, Function::Cbrt, Number::F64, 3.67, How::Searched).unwrap();
        assert_eq!(shown.to_string(), "2 EXCEEDED");
    }
}
