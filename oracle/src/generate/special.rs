//! Special values, and all combinations of them by index.

use super::limb::from_bits;
use super::shape::{Operand, Shape};
use crate::format::Format;
use crate::target::Pair;

/// Magnitudes of the special numbers, as encodings without sign.
fn magnitudes(f: Format) -> [u64; 11] {
    let normal = 1 << (f.p - 1);
    let infinity = ((2 * f.emax + 1) as u64) << (f.p - 1);
    let one = (f.emax as u64) << (f.p - 1);
    [0, 1, normal, one, infinity - 1, infinity, normal - 1, one - 1, one + 1, infinity - normal, infinity - normal - 1]
}

const LIMBS: usize = 23;
const PAIRS: usize = LIMBS + 14;

/// Special numbers: +-0, +-the smallest subnormal, +-the smallest normal, +-1, +-the largest, +-inf, then +-the largest subnormal,
/// +-the neighbours of 1, +-the last power of two and its lower neighbour, and last NaN.
pub fn limbs(f: Format) -> [f64; LIMBS] {
    let magnitudes = magnitudes(f);
    std::array::from_fn(|i| match magnitudes.get(i / 2) {
        Some(&m) if i % 2 == 0 => from_bits(m, f),
        Some(&m) => -from_bits(m, f),
        None => f64::NAN,
    })
}

/// Special pairs: every special number with lo = +0, then pairs at the edges with a nonzero lo, and zeros with lo = -0.
pub fn pairs(f: Format) -> [Pair; PAIRS] {
    let limbs = limbs(f);
    let [tiny, normal, one, largest] = [limbs[2], limbs[4], limbs[6], limbs[8]];
    // Just under half an ulp of the largest number, and a quarter ulp of 1: the largest lo of either sign.
    let below = from_bits(((f.emax - f.p as i32 - 1 + f.emax) as u64 + 1) << (f.p - 1), f);
    let below = from_bits(super::limb::to_bits(below, f) - 1, f);
    let quarter = from_bits(((f.emax - f.p as i32 - 1) as u64) << (f.p - 1), f);
    let more = [
        (0.0, -0.0),
        (-0.0, -0.0),
        (4.0 * normal, tiny),
        (4.0 * normal, -tiny),
        (-4.0 * normal, tiny),
        (-4.0 * normal, -tiny),
        (one, quarter),
        (one, -quarter),
        (-one, quarter),
        (-one, -quarter),
        (largest, below),
        (largest, -below),
        (-largest, below),
        (-largest, -below),
    ];
    std::array::from_fn(|i| if i < LIMBS { (limbs[i], 0.0) } else { more[i - LIMBS] })
}

/// Number of combinations for a shape; `None` beyond `u64`.
pub fn count(shape: &Shape) -> Option<u64> {
    shape.operands.iter().try_fold(1u64, |n, kind| n.checked_mul(choices(*kind) as u64))
}

fn choices(kind: Operand) -> usize {
    match kind {
        Operand::Limb => LIMBS,
        Operand::Pair => PAIRS,
    }
}

/// Combination `index` of a shape, the first operand running fastest; they repeat after [`count`].
pub fn combination(shape: &Shape, mut index: u64, out: &mut [Pair]) {
    let (limbs, pairs) = (limbs(shape.limb), pairs(shape.limb));
    for (x, kind) in out.iter_mut().zip(&shape.operands) {
        let n = choices(*kind) as u64;
        let k = (index % n) as usize;
        index /= n;
        *x = match kind {
            Operand::Limb => (limbs[k], 0.0),
            Operand::Pair => pairs[k],
        };
    }
}
