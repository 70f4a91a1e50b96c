//! Arguments for tests of Bessel functions.

use super::pairs::{Pair, operand};
use super::random::Random;
use vernier::HostLimb;
use vernier::machine::exp2;

/// Any pair, or a normalised one of moderate size.
pub fn argument<F: HostLimb>(random: &mut Random, list: &[F], moderate: bool) -> Pair<F> {
    let any = operand(random, list);
    if !moderate {
        return any;
    }
    let h = F::lit((random.word() as i64 as f64) * exp2(-57 - (random.below(12)) as i32));
    (h, F::lit(h.to_f64() * (random.word() as i64 as f64) * exp2(-63 - F::P as i32)))
}

/// Limbs whose sum overflows, and the envelope there: half the magnitude for four times the argument, at most.
pub fn overflowing<F: HostLimb>() -> (Pair<F>, f64) {
    let most = F::from_bits_u64(F::lit(f64::INFINITY).to_bits_u64() - 1);
    ((most, most), (2.0 / (std::f64::consts::PI * 2.0 * most.to_f64().min(1e300))).sqrt())
}
