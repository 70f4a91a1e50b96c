//! Sweeps: a computation in every reduced format, and which format is enough for it.
//!
//! A *sweep* runs a kernel in the formats of a grid and counts the *digits* that each keeps: -log10 of the largest error over
//! the largest value of the exact result, at most [`MOST`]; none where a result is not finite. The exact result is that of
//! the same kernel in double-double, so that digits tell of rounding and range alone, not of the kernel's own
//! approximation. A format is *enough* for d digits if it keeps them and every larger one of the grid does too, so that luck
//! does not count.

mod kernel;
mod plot;
mod recommend;

pub use kernel::{Kernel, Real};
pub use plot::svg;
pub use recommend::{CHOICES, Choice, Recommendation};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use vernier::custom::{Context, Format, Options};

/// Digits that are counted at most: a double has no more.
pub const MOST: f64 = 17.0;

/// Formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Exponent bits, within 2..=11.
    pub exponent: RangeInclusive<u32>,
    /// Stored mantissa bits, within 0..=52.
    pub mantissa: RangeInclusive<u32>,
    /// How the formats differ from the published semantics.
    pub options: Options,
    /// The seed of stochastic rounding.
    pub seed: u64,
}

impl Default for Grid {
    /// Every size, the published semantics.
    fn default() -> Self {
        Grid { exponent: 2..=11, mantissa: 0..=52, options: Options::PUBLISHED, seed: 1 }
    }
}

impl Grid {
    /// The formats; sizes that are none are left out.
    pub fn formats(&self) -> Vec<Format> {
        let sizes = self.exponent.clone().flat_map(|e| self.mantissa.clone().map(move |m| (e, m)));
        sizes.filter_map(|(e, m)| Format::new(e, m, self.options).ok()).collect()
    }
}

/// What one format keeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Exponent bits.
    pub exponent: u32,
    /// Stored mantissa bits.
    pub mantissa: u32,
    /// Digits; none where a result is not finite.
    pub digits: Option<f64>,
}

impl Point {
    fn keeps(&self, digits: f64) -> bool {
        self.digits.is_some_and(|d| d >= digits)
    }

    /// Bits of the format: sign, exponent, mantissa.
    pub fn bits(&self) -> u32 {
        1 + self.exponent + self.mantissa
    }
}

/// A sweep's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// By exponent, then mantissa.
    pub points: Vec<Point>,
}

/// Runs `kernel` in every format of a grid, on all cores. It computes with the numbers of the context that it is given, and
/// its results are compared with `exact`, each a sum hi + lo.
///
/// ```
/// use vernier_conformance::sweep::{Grid, sweep};
/// // 1/3 + 1/3 + 1/3 keeps three digits with 10 bits.
/// let third = |c: &vernier::custom::Context| {
///     let x = c.number(1.0) / 3.0;
///     vec![(x + x + x).to_f64()]
/// };
/// let smallest = sweep(&Grid::default(), &[(1.0, 0.0)], third).smallest(3.0).unwrap();
/// assert!(smallest.mantissa <= 11 && smallest.exponent <= 3);
/// ```
pub fn sweep(grid: &Grid, exact: &[(f64, f64)], kernel: impl Fn(&Context) -> Vec<f64> + Sync) -> Sweep {
    let point = |&format: &Format| {
        let results = kernel(&Context::seeded(format, grid.seed));
        Point { exponent: format.exponent(), mantissa: format.mantissa(), digits: digits(&results, exact) }
    };
    Sweep { points: grid.formats().par_iter().map(point).collect() }
}

/// Digits that results have in common with the exact ones.
fn digits(results: &[f64], exact: &[(f64, f64)]) -> Option<f64> {
    if results.len() != exact.len() || results.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let error = results.iter().zip(exact).map(|(x, (hi, lo))| ((x - hi) - lo).abs()).fold(0.0, f64::max);
    let size = exact.iter().map(|(hi, _)| hi.abs()).fold(0.0, f64::max);
    Some(if error == 0.0 { MOST } else { (size / error).log10().clamp(0.0, MOST) })
}

impl Sweep {
    /// What a format keeps.
    pub fn at(&self, exponent: u32, mantissa: u32) -> Option<&Point> {
        self.points.iter().find(|p| (p.exponent, p.mantissa) == (exponent, mantissa))
    }

    /// The smallest format that is enough for so many digits; of several of one size that with the shorter exponent.
    pub fn smallest(&self, digits: f64) -> Option<Point> {
        let larger = |p: &Point, q: &Point| q.exponent >= p.exponent && q.mantissa >= p.mantissa;
        let enough = |p: &&Point| self.points.iter().filter(|q| larger(p, q)).all(|q| q.keeps(digits));
        self.points.iter().filter(enough).min_by_key(|p| (p.bits(), p.exponent)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kernel: Kernel) -> Sweep {
        kernel.sweep(&Grid::default(), kernel.size())
    }

    #[test]
    fn digits_of_results() {
        assert_eq!(digits(&[1.0, 2.0], &[(1.0, 0.0), (2.0, 0.0)]), Some(MOST));
        assert_eq!(digits(&[1.0, 2.02], &[(1.0, 0.0), (2.0, 0.0)]).map(|d| d.round()), Some(2.0));
        assert_eq!(digits(&[0.0], &[(1.0, 0.0)]), Some(0.0));
        assert_eq!(digits(&[f64::NAN], &[(1.0, 0.0)]), None);
        assert_eq!(digits(&[1.0], &[]), None);
    }

    #[test]
    fn a_native_format_is_double_and_more_bits_help() {
        for kernel in Kernel::ALL {
            let s = of(kernel);
            assert_eq!(s.points.len(), 530);
            let at = |m| s.at(11, m).and_then(|p| p.digits).unwrap();
            assert!(at(52) > at(30) && at(30) > at(10), "{kernel:?}: {} {} {}", at(52), at(30), at(10));
        }
        assert!(of(Kernel::Dot).at(11, 52).unwrap().digits.unwrap() > 13.0);
        // The map is chaotic: digits are lost on the way.
        assert!(of(Kernel::Logistic).at(11, 52).unwrap().digits.unwrap() < 12.0);
    }

    #[test]
    fn smallest_formats_are_enough_and_no_smaller_one_is() {
        for kernel in Kernel::ALL {
            let s = of(kernel);
            for digits in [1.0, 2.0, 3.0, 5.0] {
                let p = s.smallest(digits).unwrap();
                assert!(p.keeps(digits));
                if p.mantissa > 0 {
                    let less = s.at(p.exponent, p.mantissa - 1).unwrap();
                    let larger = |q: &&Point| q.exponent >= less.exponent && q.mantissa >= less.mantissa;
                    assert!(s.points.iter().filter(larger).any(|q| !q.keeps(digits)), "{kernel:?} {digits} {p:?}");
                }
            }
            assert_eq!(s.smallest(MOST + 1.0), None);
        }
    }

    #[test]
    fn luck_does_not_count() {
        let point = |mantissa, digits| Point { exponent: 5, mantissa, digits: Some(digits) };
        let s = Sweep { points: vec![point(1, 3.0), point(2, 1.0), point(3, 2.0), point(4, 4.0)] };
        assert_eq!(s.smallest(2.0), Some(point(3, 2.0)));
        assert_eq!(s.smallest(5.0), None);
    }

    #[test]
    fn ranges_and_options_count() {
        let grid = Grid { exponent: 5..=5, mantissa: 10..=10, ..Grid::default() };
        let tiny = |c: &Context| vec![(c.number(2f64.powi(-20)) * 1.0).to_f64()];
        let exact = [(2f64.powi(-20), 0.0)];
        assert_eq!(sweep(&grid, &exact, tiny).points[0].digits, Some(0.0));
        let gradual = Grid { options: Options { gradual: true, ..Options::PUBLISHED }, ..grid };
        assert_eq!(sweep(&gradual, &exact, tiny).points[0].digits, Some(MOST));
    }
}
