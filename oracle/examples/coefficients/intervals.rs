//! Functions by pieces: on each of many intervals a polynomial whose coefficients are a row of a table.
//!
//! A function is interpolated at Chebyshev nodes, many more than there are coefficients. The series in Chebyshev polynomials is
//! cut, and coefficients are rounded to their formats from the highest down: what rounding changes is x^k less the least
//! polynomial of that degree and leading coefficient, so that the error grows by the size of that one alone (Lanczos 1938). Terms
//! in single limbs are so small that their rounding is an eighth of u^2 or less.
//! The bound of the error is the sum of what was cut and of these, which is proven for the interpolant.

use crate::fit::limb;
use crate::remez::{BITS, float};
use rug::Float;
use rug::float::Constant;

/// How a row's coefficients are held.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Their number.
    pub count: usize,
    /// How many of them, the first ones, are pairs.
    pub pairs: usize,
    /// Significand bits of a limb.
    pub p: u32,
    /// The least magnitude that errors are relative to.
    pub size: f64,
    /// Of how many the kernel's steps are for any size of the coefficient, the first ones.
    pub general: usize,
}

/// A row, and log2 of the error relative to the least magnitude at the nodes, or a larger one.
pub struct Piece {
    /// Pairs, hi first, then single limbs; lowest degree first.
    pub limbs: Vec<f64>,
    /// See there.
    pub error: f64,
}

/// x as a sum of limbs.
pub fn limbs(x: &Float, count: usize, p: u32) -> Vec<f64> {
    let mut rest = x.clone();
    (0..count)
        .map(|_| {
            let part = limb(&rest, p);
            rest -= part;
            part
        })
        .collect()
}

/// The polynomial of `f` on an interval of its variable.
pub fn piece(f: impl Fn(&Float) -> Float, ends: (f64, f64), shape: Shape) -> Piece {
    let Shape { count, pairs, p, size, general } = shape;
    let mid = (float(ends.0) + ends.1) / 2u32;
    let radius = (float(ends.1) - ends.0) / 2u32;
    // An even number: none in the middle, where a quotient may have no value.
    let nodes = (3 * count + 12).next_multiple_of(2);
    let pi = Float::with_val(BITS, Constant::Pi);
    let angle = |i: usize| pi.clone() * (2 * i + 1) as u32 / (2 * nodes) as u32;
    let cosines: Vec<Float> = (0..4 * nodes).map(|i| (pi.clone() * i as u32 / (2 * nodes) as u32).cos()).collect();
    let values: Vec<Float> = (0..nodes).map(|i| f(&(angle(i).cos() * &radius + &mid))).collect();
    let least = values.iter().map(|v| v.clone().abs()).reduce(|a, b| a.min(&b)).expect("nodes").max(&float(size));
    let series: Vec<Float> = (0..nodes)
        .map(|k| {
            let sum = values.iter().enumerate().fold(float(0.0), |sum, (i, v)| {
                sum + Float::with_val(BITS, v * &cosines[(2 * i + 1) * k % (4 * nodes)])
            });
            sum * if k == 0 { 1u32 } else { 2 } / nodes as u32
        })
        .collect();
    let tail = series[nodes - 1].clone().abs() + series[nodes - 2].clone().abs();
    assert!(tail < least.clone() * float(-2.0 * f64::from(p) - 30.0).exp2(), "too few nodes");
    let chebyshev = chebyshev(count, &mid, &radius);
    let mut c = vec![float(0.0); count];
    for (a, t) in series.iter().zip(&chebyshev) {
        t.iter().enumerate().for_each(|(k, t)| c[k] += Float::with_val(BITS, a * t));
    }
    let mut error = series[count..].iter().fold(float(0.0), |sum, a| sum + a.clone().abs());
    let mut out = vec![(0.0, 0.0); count];
    for k in (0..count).rev() {
        let hi = limb(&c[k], p);
        let lo = if k < pairs { limb(&(c[k].clone() - hi), p) } else { 0.0 };
        out[k] = (hi, lo);
        // T_k over its leading coefficient is the least.
        let change = (float(hi) + lo - &c[k]) / &chebyshev[k][k];
        (0..k).for_each(|j| c[j] += Float::with_val(BITS, &change * &chebyshev[k][j]));
        error += change.abs();
    }
    let reach = ends.0.abs().max(ends.1.abs());
    let places: Vec<f64> =
        (0..nodes).map(|i| (angle(i).cos() * &radius + &mid).to_f64()).chain([ends.0, ends.1]).collect();
    let mut values = vec![0.0; places.len()];
    // From here on a term in a single limb would do.
    let most = least.to_f64() * f64::powi(2.0, -1 - p as i32);
    for (k, c) in out.iter().enumerate().rev() {
        let rest = places.iter().zip(&values).fold(0.0f64, |rest, (x, v)| rest.max((x * v).abs()));
        let small = (rest + c.0.abs()) * f64::powi(reach, k as i32) <= most;
        assert!(
            k < general || small || rest <= c.0.abs() / 2.0,
            "{rest} is more than half of coefficient {k}, {}",
            c.0
        );
        assert!(small || k < pairs, "coefficient {k} is no single limb");
        values.iter_mut().zip(&places).for_each(|(v, x)| *v = *v * x + c.0);
    }
    let pairs_of = out[..pairs].iter().flat_map(|c| [c.0, c.1]);
    let limbs = pairs_of.chain(out[pairs..].iter().map(|c| c.0)).collect();
    Piece { limbs, error: (error / least).log2().to_f64() }
}

/// Chebyshev polynomials T_k((x - mid) / radius), k below `count`, lowest degree first.
fn chebyshev(count: usize, mid: &Float, radius: &Float) -> Vec<Vec<Float>> {
    let mut all = vec![vec![float(1.0)], vec![Float::with_val(BITS, -mid) / radius, float(1.0) / radius]];
    for k in 2..count {
        let mut t = vec![float(0.0); k + 1];
        for (j, a) in all[k - 1].iter().enumerate() {
            for (i, b) in all[1].iter().enumerate() {
                t[i + j] += Float::with_val(BITS, a * b) * 2u32;
            }
        }
        for (j, a) in all[k - 2].iter().enumerate() {
            t[j] -= a;
        }
        all.push(t);
    }
    all
}
