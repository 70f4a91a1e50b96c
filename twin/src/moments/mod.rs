//! Frame moments: mean and mean square of the luma planes of a reference and a distorted frame.
//!
//! # The computation
//!
//! A sample s of b bits stands for v = s / 2^(b-8), a float. The CPU adds v into one double and the *float* square
//! RN24(v v) into another, in raster order, and divides both by the number of pixels n. The GPU twin adds integers: s, and
//! the square in units of 2^-(2b-16): s s while it has at most 24 bits (b <= 12), RN24(s s), an integer below 2^32, where it can have
//! more. Dividing by a power of two first does not change which bits rounding drops, so both add the same numbers.
//! The host multiplies the integer sums by 2^-(b-8) and 2^-(2b-16) and divides by n.
//!
//! # The contract
//!
//! *Identical* while the CPU's own sum is exact: while the sum of squares is at most 2^53 units. At most 2^2b a pixel, so at
//! every content up to 2^(53-2b) pixels: 2^21 at 16 bits, 2^29 at 12. Sums of samples are exact at every size
//! ([`Plane`] has fewer than 2^31 pixels).
//!
//! Past that, *within*
//!
//! ```text
//! (n - 2^(53-2b) + 1) / n * 2^(e - 37 - 2b) + 2^-37
//! ```
//!
//! with e the binade of the sum in units, 53 or more; at b = 16 this is (n - 2^21 + 1) / n * 2^(e-69) + 2^-37. The CPU's first 2^(53-2b)
//! additions are exact; each later one rounds by at most half an ulp of the last binade, 2^(e-53) units; and the twin's
//! conversion of its integer sum to double rounds once, by as much. A unit is 2^(16-2b) in the result, which gives the first
//! term. Both divisions by n round by at most half an ulp of a mean square below 2^16, 2^-38 each: the second term. The
//! binade is taken from the integer sum and a margin of n half ulps, so that a CPU sum that rounds up into the next binade is
//! covered.

mod cases;
mod device;
mod model;
mod reference;
mod speed;

pub use reference::{parallel, reference};
pub use speed::{Speed, speed};

use crate::Twin;
use crate::frame::{Frames, Plane};
use model::{Mistake, Sums};

/// The outputs of the twin.
pub const OUTPUTS: [&str; 4] = ["reference mean", "reference mean square", "distorted mean", "distorted mean square"];

/// The largest sum of squares that the CPU is sure to form exactly, in units.
const EXACT: u64 = 1 << 53;

/// The contract with the published cases.
pub fn twin(seed: u64) -> Twin<Frames> {
    cases::add(contract(), seed)
}

/// The contract without cases: for the user's own frames.
pub fn contract() -> Twin<Frames> {
    let both = |f: fn(&Plane) -> [f64; 2]| move |x: &Frames| [f(&x.reference), f(&x.distorted)].concat();
    let mut twin = Twin::new("moments", &OUTPUTS, both(reference), both(|p| Sums::of(p).moments(p)))
        .kernel(
            device::source(vernier_gpu::device::Api::Cuda),
            device::source(vernier_gpu::device::Api::OpenCl),
            device::run,
        )
        .claim(
            |x| [&x.reference, &x.distorted].iter().all(|p| Sums::of(p).squares <= EXACT),
            |x| [bound(&x.reference), bound(&x.distorted)].concat(),
        );
    for mistake in Mistake::ALL {
        twin = twin.fault(mistake.name(), Some(mistake.define()), move |x| {
            [mistake.moments(&x.reference), mistake.moments(&x.distorted)].concat()
        });
    }
    twin
}

/// How far the moments of the twin may be from the CPU's: see the [module](self).
pub fn bound(plane: &Plane) -> [f64; 2] {
    let squares = Sums::of(plane).squares;
    if squares <= EXACT {
        return [0.0, 0.0];
    }
    let (n, b) = (plane.pixels(), plane.bits());
    let margin = n << (squares.ilog2() - 53);
    let e = (squares + margin).ilog2() as i32;
    let inexact = (n + 1).saturating_sub(1 << (53 - 2 * b)) as f64;
    let unit = vernier::machine::exp2(e - 37 - 2 * b as i32);
    [0.0, inexact / n as f64 * unit + vernier::machine::exp2(-37)]
}
