//! The published example: a compensated sum of which the compensation is instrumented.

use super::Stat;
use crate::double_word::{DoubleWord, HostLimb};
use crate::pair::Level;

/// Terms of the published run.
pub const TERMS: u32 = 64;

/// exp(0.5) as the published run evaluated it: to the pair's accuracy over `f32`, to a double with lo = 0 over `f64`.
/// Limbs as doubles, which convert exactly.
pub const fn exp_half(digits: u32) -> (f64, f64) {
    if digits == 24 { (EXP_HALF.0, EXP_HALF.1) } else { (1.6487212707001282, 0.0) }
}

/// hi = RN(exp(0.5)) and lo = RN of the rest, over `f32`.
const EXP_HALF: (f64, f64) = (1.6487212181091309, 5.2590998222967755e-8);

/// The sum of 1, 1/2, 1/4, ... by Kahan's compensated summation, a third of it, and exp(0.5) added. Everything that
/// touches the compensation is counted: 64 terms make 259 operations.
pub fn kahan<F: HostLimb, A: Level>(terms: u32) -> Stat<DoubleWord<F, A>> {
    let pair = |hi: f64, lo: f64| DoubleWord::<F, A>::from_parts(F::lit(hi), F::lit(lo));
    let (mut sum, mut term, ratio) = (pair(0.0, 0.0), pair(1.0, 0.0), pair(0.5, 0.0));
    let mut compensation = Stat(pair(0.0, 0.0));
    for _ in 0..terms {
        let y = term - compensation;
        let t = sum + y;
        compensation = (t - sum) - y;
        sum = t.pair();
        term *= ratio;
    }
    let (hi, lo) = exp_half(F::P);
    (sum - compensation) / pair(3.0, 0.0) + pair(hi, lo)
}
