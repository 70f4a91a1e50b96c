//! Special values of every kind: zeros, the ends of the range, infinities and NaN.

use super::{Int, Kind, Unpacked, Value, Width};
use vernier::custom::Format;

/// The special values of a kind: ±0, ±smallest subnormal, ±smallest normal, ±1, ±largest, ±inf, NaN.
pub fn special_values(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Limb(w) => limbs(w).map(|x| Value::Limb(w, x)).collect(),
        Kind::Pair(w) => limbs(w).map(|x| Value::Pair(w, x, 0)).collect(),
        Kind::Unpacked => limbs(Width::F64).map(|x| Value::Unpacked(Unpacked::of_f64(f64::from_bits(x)))).collect(),
        // No operation takes one as an argument.
        Kind::Complex | Kind::ComplexUnpacked | Kind::PairAndInt(_) | Kind::TwoPairs(_) => Vec::new(),
        Kind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Kind::Int(int) => integers(int).into_iter().map(|v| Value::Int(int, v)).collect(),
        Kind::Binary128 => magnitudes(112, 16383, u128::MAX >> 1).map(Value::Binary128).collect(),
    }
}

fn limbs(w: Width) -> impl Iterator<Item = u64> {
    let f = vernier_oracle::Format::of(w);
    magnitudes(f.p - 1, f.emax as u128, u128::from(u64::MAX >> (65 - 4 * w.digits()))).map(|x| x as u64)
}

/// Bits of the special values of a format with this fraction width, bias and mask of the magnitude.
fn magnitudes(fraction: u32, bias: u128, magnitude: u128) -> impl Iterator<Item = u128> {
    let infinity = (2 * bias + 1) << fraction;
    let positive = [0, 1, 1 << fraction, bias << fraction, infinity - 1, infinity];
    let nan = infinity | 1 << (fraction - 1);
    positive.into_iter().flat_map(move |x| [x, x | (magnitude + 1)]).chain([nan])
}

fn integers(int: Int) -> Vec<u128> {
    let most = u128::MAX >> (128 - int.bits) >> u32::from(int.signed);
    let mut values = vec![0, 1, most, most - 1, most / 2 + 1];
    if int.signed {
        values.extend([u128::MAX, !most, !most + 1]);
    }
    values
}

/// The special values of a reduced format: its own and those of doubles; of stochastic rounding, one seed and one number.
pub fn special_values_of_format(f: Format, kind: Kind) -> Vec<Value> {
    if let Kind::Int(int) = kind {
        return vec![Value::Int(int, 1)];
    }
    let own = [f.denorm_min(), f.min_positive(), f.max()].into_iter().flat_map(|x| [x, -x]).map(f64::to_bits);
    let mut bits: Vec<u64> = limbs(Width::F64).chain(own).collect();
    bits.sort_unstable();
    bits.dedup();
    bits.into_iter().map(|x| Value::Limb(Width::F64, x)).collect()
}
