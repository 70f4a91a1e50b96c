//! The vectors on which both contracts of dot products are held.

use super::Vectors;
use crate::Twin;
use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Random floats from the bits of a generator.
struct Random(Xoshiro256PlusPlus);

impl Random {
    /// A float in +-[2^low, 2^high).
    fn float(&mut self, low: i32, high: i32) -> f32 {
        let bits = self.0.next_u64();
        let span = (high - low) as u64;
        let exponent = low + ((bits >> 32) % span) as i32;
        f32::from_bits((bits as u32 & 0x807f_ffff) | ((exponent + 127) as u32) << 23)
    }

    fn integer(&mut self, below: u32) -> f32 {
        let bits = self.0.next_u64();
        let magnitude = ((bits as u32) % below) as f32;
        if bits >> 63 == 1 { -magnitude } else { magnitude }
    }
}

fn vectors(n: usize, mut term: impl FnMut(usize) -> (f32, f32)) -> Vectors {
    let (x, y) = (0..n).map(&mut term).unzip();
    Vectors { x, y }
}

/// Every term and its opposite, some off by a unit in the last place: the sum is tiny against its terms (after Ogita, Rump and Oishi 2005,
/// algorithm 6.1).
fn cancelling(n: usize, low: i32, high: i32, random: &mut Random) -> Vectors {
    let mut v = vectors(n / 2, |_| (random.float(low, high), random.float(low, high)));
    for i in (0..n / 2).rev() {
        let y = if i % 64 == 0 { f32::from_bits(v.y[i].to_bits() ^ 1) } else { v.y[i] };
        v.x.push(-v.x[i]);
        v.y.push(y);
    }
    v
}

/// Adds finite vectors.
pub fn add(mut twin: Twin<Vectors>, seed: u64) -> Twin<Vectors> {
    type Make = fn(usize, &mut Random) -> Vectors;
    let kinds: [(&str, Make, &[usize]); 6] = [
        ("integers", |n, r| vectors(n, |_| (r.integer(1000), r.integer(1000))), &[1, 100, 100_003]),
        ("noise", |n, r| vectors(n, |_| (r.float(-1, 1), r.float(-1, 1))), &[1, 2, 1023, 100_003, 1 << 21]),
        ("wide exponents", |n, r| vectors(n, |_| (r.float(-60, 60), r.float(-60, 60))), &[1000, 65_537]),
        ("whole range", |n, r| vectors(n, |_| (r.float(-126, 128), r.float(-126, 128))), &[5000]),
        ("cancelling", |n, r| cancelling(n, -1, 1, r), &[128, 4096, 1 << 18]),
        ("cancelling, wide exponents", |n, r| cancelling(n, -20, 20, r), &[10_000]),
    ];
    for (what, make, lengths) in kinds {
        for &n in lengths {
            twin = twin.case(format!("{what}, {n}"), move || {
                make(n, &mut Random(Xoshiro256PlusPlus::seed_from_u64(seed ^ n as u64)))
            });
        }
    }
    twin
}

/// Adds vectors with subnormal numbers, zeros, infinities and NaN, for sums that are right on all of them.
pub fn add_special(twin: Twin<Vectors>) -> Twin<Vectors> {
    let pick =
        |list: Vec<f32>| move || vectors(list.len() * list.len(), |k| (list[k / list.len()], list[k % list.len()]));
    const TINY: f32 = f32::from_bits(1);
    const INF: f32 = f32::INFINITY;
    twin.case("subnormal", pick(vec![TINY, -TINY, f32::MIN_POSITIVE, 0.0, -0.0, f32::from_bits(0x7f_ffff)]))
        .case("largest", pick(vec![f32::MAX, f32::MAX, TINY, 1.0]))
        .case("infinite", || Vectors { x: vec![1.0, INF, f32::MAX], y: vec![2.0, 3.0, -f32::MAX] })
        .case("minus infinite", || Vectors { x: vec![-INF, -INF], y: vec![2.0, 1.0] })
        .case("both infinities", || Vectors { x: vec![-INF, INF], y: vec![2.0, 1.0] })
        .case("zero times infinity", || Vectors { x: vec![0.0, 1.0], y: vec![INF, 1.0] })
        .case("NaN", || Vectors { x: vec![f32::NAN, 1.0], y: vec![0.0, 1.0] })
        .case("nothing", || Vectors { x: vec![], y: vec![] })
}
