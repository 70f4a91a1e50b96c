//! Which of our types to take for a reduced format that is enough.

use super::Sweep;
use serde::Serialize;

/// A type that exists, and what it offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// Exponent bits.
    pub exponent: u32,
    /// Mantissa bits, the implicit one not counted.
    pub mantissa: u32,
    /// Where it is to be had.
    pub note: &'static str,
}

const fn choice(name: &'static str, exponent: u32, mantissa: u32, note: &'static str) -> Choice {
    Choice { name, exponent, mantissa, note }
}

/// The decision table, cheapest first: the first type that has both the exponent and the mantissa is recommended.
///
/// Storage decides up to `float`, which every device computes at full speed; `fp32mp2` comes before `double`, since it costs a
/// few float operations where double precision may run at 1/64 of the speed of float.
pub const CHOICES: [Choice; 9] = [
    choice("fp8_e4m3", 4, 3, "8 bits; tensor cores"),
    choice("fp8_e5m2", 5, 2, "8 bits; tensor cores"),
    choice("fp16", 5, 10, "16 bits"),
    choice("bf16", 8, 7, "16 bits, range of float"),
    choice("tf32", 8, 10, "tensor cores; stored as float"),
    choice("float", 8, 23, "32 bits"),
    choice("fp32mp2", 8, 45, "two floats; where double is slow, otherwise double"),
    choice("double", 11, 52, "64 bits"),
    choice("fp64mp2", 11, 103, "two doubles: no format of the sweep is enough"),
];

/// What to take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recommendation {
    /// Digits asked for.
    pub digits: f64,
    /// The smallest format that is enough.
    pub smallest: Option<super::Point>,
    /// The type; none where the range of the sweep does not tell.
    pub choice: Option<Choice>,
}

impl Sweep {
    /// The type to take for so many digits: the first of [`CHOICES`] all of whose bits are enough. Where formats that were
    /// swept go up to double and none is enough, that is `fp64mp2`.
    pub fn recommend(&self, digits: f64) -> Recommendation {
        let smallest = self.smallest(digits);
        let enough = |c: &&Choice| {
            let larger = |p: &&super::Point| p.exponent >= c.exponent && p.mantissa >= c.mantissa;
            let mut swept = self.points.iter().filter(larger).peekable();
            swept.peek().is_some() && swept.all(|p| p.keeps(digits))
        };
        let last = CHOICES.last().filter(|_| self.at(11, 52).is_some());
        let choice = CHOICES.iter().find(enough).or(last).copied();
        Recommendation { digits, smallest, choice }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, Kernel, Point};
    use super::*;

    /// A sweep that needs so many bits.
    fn needing(exponent: u32, mantissa: u32) -> Sweep {
        let digits = |e, m| Some(if e >= exponent && m >= mantissa { 5.0 } else { 1.0 });
        let point = |e, m| Point { exponent: e, mantissa: m, digits: digits(e, m) };
        Sweep { points: (2..=11).flat_map(|e| (0..=52).map(move |m| point(e, m))).collect() }
    }

    #[test]
    fn the_table_decides() {
        let of = |e, m| needing(e, m).recommend(4.0).choice.unwrap().name;
        assert_eq!(
            [of(4, 3), of(5, 2), of(5, 3), of(6, 7), of(6, 8)],
            ["fp8_e4m3", "fp8_e5m2", "fp16", "bf16", "tf32"]
        );
        assert_eq!(
            [of(8, 23), of(8, 24), of(9, 3), of(11, 52), of(12, 0)],
            ["float", "fp32mp2", "double", "double", "fp64mp2"]
        );
        assert_eq!(needing(5, 11).recommend(4.0).smallest.map(|p| (p.exponent, p.mantissa)), Some((5, 11)));
        assert_eq!(needing(5, 11).recommend(6.0).smallest, None);
    }

    #[test]
    fn kernels_get_a_type() {
        let pi = Kernel::Pi.sweep(&Grid::default(), Kernel::Pi.size());
        assert_eq!(pi.recommend(super::super::MOST + 1.0).choice.unwrap().name, "fp64mp2");
        assert_eq!(pi.recommend(5.0).choice.unwrap().name, "float");
        let part = Kernel::Pi.sweep(&Grid { mantissa: 0..=4, ..Grid::default() }, 64);
        assert_eq!(part.recommend(12.0).choice, None);
    }
}
