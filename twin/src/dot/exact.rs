//! The exact sum of a dot product.

use super::device::{self, groups};
use super::{Vectors, cases};
use crate::{Outputs, Twin};
use vernier::superaccumulator::{BINS, Superaccumulator};
use vernier_gpu::device::Api;

/// The contract of the exact sum: the double nearest to it, the same bits on every input and for every grid.
pub fn exact_twin(seed: u64) -> Twin<Vectors> {
    let twin = Twin::new("exact-dot", &["exact dot"], reference, model)
        .kernel(device::source(Api::Cuda), device::source(Api::OpenCl), |on, v| {
            // Another grid than the usual one too: both must give the same.
            let (one, other) = (device::exact(on, v, groups(v.x.len()))?, device::exact(on, v, 3)?);
            Ok(vec![if one == other { one.round() } else { f64::NAN }])
        })
        .fault("sums in double", None, |v| vec![v.terms().map(|(x, y)| f64::from(x) * f64::from(y)).sum()])
        .fault("digits cut to 64 bits", Some("FAULT_DIGITS_CUT"), |v| {
            with_bins(v, |place, digits| (place, [digits[0], digits[1], 0]))
        })
        .fault("signs lost", Some("FAULT_SIGN_LOST"), |v| with_bins(v, |place, digits| (place & 0xff, digits)));
    cases::add_special(cases::add(twin, seed))
}

fn reference(v: &Vectors) -> Outputs {
    vec![v.exact().round()]
}

/// The same from the back, in parts.
fn model(v: &Vectors) -> Outputs {
    let mut all = Superaccumulator::new();
    for part in 0..7 {
        let mut sum = Superaccumulator::new();
        (0..v.x.len()).rev().filter(|i| i % 7 == part).for_each(|i| sum.add_product(v.x[i], v.y[i]));
        all.merge(&sum);
    }
    vec![all.round()]
}

/// The sum with the place and digits of each product changed.
fn with_bins(v: &Vectors, change: impl Fn(u32, [u64; 3]) -> (u32, [u64; 3])) -> Outputs {
    use vernier::host::Host;
    use vernier::superaccumulator::{digits, place};
    let mut bins = [0i64; BINS];
    for (x, y) in v.terms() {
        let (high, low) = digits::<Host>(x, y);
        let (place, digits) = change(place::<Host>(x, y).0, [low.0 & 0xffff_ffff, low.0 >> 32, high.0]);
        for (k, digit) in digits.into_iter().enumerate() {
            let digit = if place >> 31 == 1 { -(digit as i64) } else { digit as i64 };
            bins[(place & 0xff) as usize + k] += digit;
        }
    }
    vec![Superaccumulator::from_bins(bins).round()]
}
