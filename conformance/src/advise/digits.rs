//! Decimal digits that values have in common with better ones.

use serde::{Deserialize, Serialize};
use vernier::fp64mp2_high;

/// Digits that are counted at most: `fp64mp2` has no more.
pub const MOST: f64 = 32.0;

/// A value: hi + lo.
pub type Wide = (f64, f64);

/// What a candidate keeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Digits {
    /// Of the worst item.
    pub worst: f64,
    /// Of the item in the middle.
    pub median: f64,
    /// Of the sum, where one is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<f64>,
    /// Items that are finite by right and are not here.
    pub lost: u64,
}

impl Digits {
    /// What counts: the sum, otherwise the worst item.
    pub fn judged(&self) -> f64 {
        self.sum.unwrap_or(self.worst)
    }
}

/// Digits of one value.
pub fn of(value: Wide, right: Wide) -> f64 {
    if value == right || value.0.is_nan() && right.0.is_nan() {
        return MOST;
    }
    if !value.0.is_finite() || !right.0.is_finite() {
        return 0.0;
    }
    let pair = |x: Wide| fp64mp2_high::from_parts(x.0, if x.1.is_finite() { x.1 } else { 0.0 }).canonical();
    let error = (pair(value) - pair(right)).abs().hi();
    let size = pair(right).abs().hi();
    match (error == 0.0, size == 0.0) {
        (true, _) => MOST,
        (_, true) => 0.0,
        _ => (-(error / size).log10()).clamp(0.0, MOST),
    }
}

/// The digits of many, and of their sum where there is one.
pub fn compare(values: &[Wide], right: &[Wide], sum: Option<(Wide, Wide)>) -> Digits {
    let mut all: Vec<f64> = values.iter().zip(right).map(|(v, r)| of(*v, *r)).collect();
    let lost = values.iter().zip(right).filter(|(v, r)| !v.0.is_finite() && r.0.is_finite()).count() as u64;
    all.sort_by(f64::total_cmp);
    let at = |i: usize| all.get(i).copied().unwrap_or(MOST);
    Digits { worst: at(0), median: at(all.len() / 2), sum: sum.map(|(v, r)| of(v, r)), lost }
}

/// Values as a program writes them.
pub fn pairs(words: &[f64]) -> Vec<Wide> {
    words.chunks_exact(2).map(|w| (w[0], w[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        assert_eq!(of((1.0, 0.0), (1.0, 0.0)), MOST);
        assert!((of((1.001, 0.0), (1.0, 0.0)) - 3.0).abs() < 1e-3);
        assert!((of((1.0, 1e-25), (1.0, 0.0)) - 25.0).abs() < 1e-9);
        assert_eq!(
            (of((f64::INFINITY, 0.0), (1.0, 0.0)), of((1.0, 0.0), (0.0, 0.0)), of((9.0, 0.0), (1.0, 0.0))),
            (0.0, 0.0, 0.0)
        );
        // Limbs that overlap are a value too; a lo that is none is left out.
        assert_eq!(of((1.0, 1.0), (2.0, 0.0)), MOST);
        assert_eq!(of((2.0, f64::NAN), (2.0, 0.0)), MOST);
        let d = compare(&[(1.0, 0.0), (1.01, 0.0), (f64::NAN, 0.0)], &[(1.0, 0.0); 3], Some(((3.0, 0.0), (3.0, 0.0))));
        assert_eq!((d.worst, d.lost, d.judged()), (0.0, 1, MOST));
        assert!((d.median - 2.0).abs() < 1e-3);
    }
}
