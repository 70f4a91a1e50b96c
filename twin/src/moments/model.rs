//! What the GPU does for frame moments, on the host, and the mistakes that the contract must notice.

use crate::frame::{Plane, Samples};
use std::ops::Add;
use vernier::machine::exp2;

/// Sums of samples and of their squares, in units of the integer samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub sum: u64,
    pub squares: u64,
}

impl Add for Sums {
    type Output = Sums;
    fn add(self, b: Sums) -> Sums {
        Sums { sum: self.sum + b.sum, squares: self.squares + b.squares }
    }
}

/// Samples whose sums fit 32 bits, and whose squares are exact in a double.
const CHUNK: usize = 1 << 15;
/// Independent sums, so that they are formed side by side.
const LANES: usize = 16;

impl Sums {
    /// Of a plane.
    pub fn of(plane: &Plane) -> Sums {
        match plane.samples() {
            Samples::U8(s) => plane.rows(s).map(Sums::of_bytes).fold(Sums::default(), Add::add),
            Samples::U16(s) => plane.rows(s).map(Sums::of_words).fold(Sums::default(), Add::add),
        }
    }

    /// Of bytes: all squares are exact.
    pub fn of_bytes(row: &[u8]) -> Sums {
        row.chunks(CHUNK).fold(Sums::default(), |all, chunk| {
            let sum: u32 = chunk.iter().map(|&s| u32::from(s)).sum();
            let squares: u32 = chunk.iter().map(|&s| u32::from(s) * u32::from(s)).sum();
            all + Sums { sum: sum.into(), squares: squares.into() }
        })
    }

    /// Of words: squares are rounded to float, which changes none of at most 24 bits.
    pub fn of_words(row: &[u16]) -> Sums {
        row.chunks(CHUNK).fold(Sums::default(), |all, chunk| {
            let sum: u32 = chunk.iter().map(|&s| u32::from(s)).sum();
            let mut lanes = [0f64; LANES];
            let square = |s: u16| f64::from(f32::from(s) * f32::from(s));
            let groups = chunk.chunks_exact(LANES);
            let rest: f64 = groups.remainder().iter().map(|&s| square(s)).sum();
            for group in groups {
                lanes.iter_mut().zip(group).for_each(|(lane, &s)| *lane += square(s));
            }
            // Integers below 2^53.
            let squares = lanes.iter().sum::<f64>() + rest;
            all + Sums { sum: sum.into(), squares: squares as u64 }
        })
    }

    /// What a unit of the sum and of the squares is worth.
    pub fn scales(bits: u32) -> [f64; 2] {
        [exp2(8 - bits as i32), exp2(16 - 2 * bits as i32)]
    }

    /// Mean and mean square.
    pub fn moments(self, plane: &Plane) -> [f64; 2] {
        let ([scale, square_scale], n) = (Sums::scales(plane.bits()), plane.pixels() as f64);
        [self.sum as f64 * scale / n, self.squares as f64 * square_scale / n]
    }
}

/// A mistake that such a kernel makes easily.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// Squares as exact integers, where the CPU rounds them to float.
    ExactSquare,
    /// Squares in double.
    DoubleSquare,
    /// Sums in float.
    FloatSum,
    /// Samples divided by their scale as integers before they are squared.
    Truncation,
    /// Sums in 32 bits.
    NarrowSum,
}

impl Mistake {
    pub const ALL: [Mistake; 5] =
        [Mistake::ExactSquare, Mistake::DoubleSquare, Mistake::FloatSum, Mistake::Truncation, Mistake::NarrowSum];

    pub fn name(self) -> &'static str {
        match self {
            Mistake::ExactSquare => "exact integer squares",
            Mistake::DoubleSquare => "squares in double",
            Mistake::FloatSum => "sums in float",
            Mistake::Truncation => "samples divided before squaring",
            Mistake::NarrowSum => "sums in 32 bits",
        }
    }

    /// The macro that plants it in the kernel.
    pub fn define(self) -> &'static str {
        match self {
            Mistake::ExactSquare => "FAULT_EXACT_SQUARE",
            Mistake::DoubleSquare => "FAULT_DOUBLE_SQUARE",
            Mistake::FloatSum => "FAULT_FLOAT_SUM",
            Mistake::Truncation => "FAULT_TRUNCATION",
            Mistake::NarrowSum => "FAULT_NARROW_SUM",
        }
    }

    /// The moments with it.
    pub fn moments(self, plane: &Plane) -> [f64; 2] {
        match plane.samples() {
            Samples::U8(s) => self.of(plane, plane.rows(s).flatten().copied().map(u32::from)),
            Samples::U16(s) => self.of(plane, plane.rows(s).flatten().copied().map(u32::from)),
        }
    }

    fn of(self, plane: &Plane, samples: impl Iterator<Item = u32> + Clone) -> [f64; 2] {
        let rounded = |s: u32| (s as f32 * s as f32) as u64;
        let n = plane.pixels() as f64;
        let [scale, square_scale] = Sums::scales(plane.bits());
        let sum: u64 = samples.clone().map(u64::from).sum();
        let integers = |square: &dyn Fn(u32) -> u64| Sums { sum, squares: samples.clone().map(square).sum() };
        match self {
            Mistake::ExactSquare => integers(&|s| u64::from(s) * u64::from(s)).moments(plane),
            Mistake::DoubleSquare => {
                let square = |s: u32| (f64::from(s) * scale) * (f64::from(s) * scale);
                [sum as f64 * scale / n, samples.map(square).sum::<f64>() / n]
            }
            Mistake::FloatSum => {
                let sum: f32 = samples.clone().map(|s| s as f32).sum();
                let squares: f32 = samples.map(|s| s as f32 * s as f32).sum();
                [f64::from(sum) * scale / n, f64::from(squares) * square_scale / n]
            }
            Mistake::Truncation => {
                let shift = plane.bits() - 8;
                let squares: u64 = samples.map(|s| u64::from(s >> shift) * u64::from(s >> shift)).sum();
                [sum as f64 * scale / n, squares as f64 / n]
            }
            Mistake::NarrowSum => {
                let squares = samples.clone().fold(0u32, |a, s| a.wrapping_add(rounded(s) as u32));
                let sum = samples.fold(0u32, u32::wrapping_add);
                Sums { sum: sum.into(), squares: squares.into() }.moments(plane)
            }
        }
    }
}
