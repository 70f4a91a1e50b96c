//! The computations that a sweep can run in every format.

use super::{Grid, Sweep, sweep};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::ops::{Add, Div, Mul, Sub};
use vernier::custom::Context;
use vernier::fp64mp2_high;

/// What a kernel computes with.
pub trait Real: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {}

impl<T> Real for T where T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> {}

/// A computation that is swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kernel {
    /// The midpoint rule for pi; size is the number of terms.
    Pi,
    /// A dot product of positive numbers; size is the length.
    Dot,
    /// The polynomial of exp by Horner's rule at points of [-1, 1]; size is the degree.
    Horner,
    /// The logistic map x = 3.9 x (1 - x), which is chaotic; size is the number of steps.
    Logistic,
    /// Heat on a rod of 32 cells, the explicit 3-point stencil; size is the number of steps.
    Heat,
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Kernel; 5] = [Kernel::Pi, Kernel::Dot, Kernel::Horner, Kernel::Logistic, Kernel::Heat];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Pi => "pi",
            Kernel::Dot => "dot",
            Kernel::Horner => "horner",
            Kernel::Logistic => "logistic",
            Kernel::Heat => "heat",
        }
    }

    /// The usual size.
    pub const fn size(self) -> u32 {
        match self {
            Kernel::Pi | Kernel::Dot => 1024,
            Kernel::Horner => 18,
            Kernel::Logistic => 24,
            Kernel::Heat => 100,
        }
    }

    /// The results, in numbers that `n` makes of doubles.
    pub fn run<T: Real>(self, size: u32, n: impl Fn(f64) -> T) -> Vec<T> {
        match self {
            Kernel::Pi => vec![pi(size, n)],
            Kernel::Dot => vec![dot(size, n)],
            Kernel::Horner => (0..16).map(|i| horner(size, n(f64::from(i) / 8.0 - 0.9375), &n)).collect(),
            Kernel::Logistic => vec![logistic(size, n)],
            Kernel::Heat => heat(size, n),
        }
    }

    /// Sweeps it; exact is the same kernel in double-double.
    pub fn sweep(self, grid: &Grid, size: u32) -> Sweep {
        let exact: Vec<(f64, f64)> =
            self.run(size, fp64mp2_high::from_limb).into_iter().map(|x| x.canonical().to_parts()).collect();
        let kernel = |c: &Context| self.run(size, |x| c.number(x)).into_iter().map(f64::from).collect();
        sweep(grid, &exact, kernel)
    }
}

fn pi<T: Real>(terms: u32, n: impl Fn(f64) -> T) -> T {
    let h = n(1.0) / n(terms.into());
    let (one, four, mut sum) = (n(1.0), n(4.0), n(0.0));
    for i in 0..terms {
        let x = (n(i.into()) + n(0.5)) * h;
        sum = sum + four / (one + x * x);
    }
    sum * h
}

fn dot<T: Real>(length: u32, n: impl Fn(f64) -> T) -> T {
    (0..length).fold(n(0.0), |sum, i| {
        // 24 bits each, in [1/2, 3/2).
        let random = |salt: u32| {
            let bits = (i ^ salt).wrapping_mul(0x9e37_79b9) ^ i.wrapping_mul(0x85eb_ca6b).rotate_left(13);
            f64::from(bits >> 8) / f64::from(1 << 24) + 0.5
        };
        sum + n(random(0)) * n(random(0x5bd1))
    })
}

fn horner<T: Real>(degree: u32, x: T, n: &impl Fn(f64) -> T) -> T {
    // 1 / k! as a quotient of the last coefficient.
    let mut coefficients = vec![n(1.0)];
    for k in 1..=degree {
        coefficients.push(coefficients[k as usize - 1] / n(k.into()));
    }
    coefficients.into_iter().rev().reduce(|sum, c| sum * x + c).unwrap_or(x)
}

fn logistic<T: Real>(steps: u32, n: impl Fn(f64) -> T) -> T {
    let (r, one) = (n(3.9), n(1.0));
    (0..steps).fold(n(0.5), |x, _| r * x * (one - x))
}

fn heat<T: Real>(steps: u32, n: impl Fn(f64) -> T) -> Vec<T> {
    const CELLS: usize = 32;
    let (quarter, two) = (n(0.25), n(2.0));
    // Hot in the middle, the ends held at 0.
    let mut u: Vec<T> = (0..CELLS).map(|i| n(if (8..24).contains(&i) { 1.0 } else { 0.0 })).collect();
    for _ in 0..steps {
        let inner = u.windows(3).map(|w| w[1] + quarter * (w[0] - two * w[1] + w[2]));
        u = std::iter::once(u[0]).chain(inner).chain([u[CELLS - 1]]).collect();
    }
    u
}
