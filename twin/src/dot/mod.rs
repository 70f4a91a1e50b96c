//! Dot products of floats: the CPU adds in double, in order; the GPU as a tree of double-word sums, or exactly.
//!
//! Products of two floats are exact in double. With u = 2^-53, n terms, d the exact dot product and S = sum |x_i y_i|:
//!
//! - the CPU's sum differs from d by at most (n - 1) u / (1 - (n - 1) u) S;
//! - an addition of double-word numbers at level high rounds by at most 3 u^2 of its result, in any order of n additions by
//!   3 n u^2 / (1 - 3 n u^2) S together; the pair's hi differs from it by u |d| more. For n of 3 and more that lies within the bound u |d| + (n u /
//!   (1 - n u))^2 S of Ogita, Rump and Oishi, *Accurate sum and dot product* (2005), whose condition number it shares: a result as if
//!   computed in twice the precision.
//!
//! [`twin`] claims that the tree is within the sum of both of the CPU's result, within twice the second of the exact one, and identical
//! to both where all sums are exact. [`exact_twin`] adds with a [superaccumulator](vernier::superaccumulator): identical
//! on every input and for every grid.

mod cases;
mod device;
mod exact;
mod tree;

pub use exact::exact_twin;
pub use tree::twin;

/// Two vectors of the same length.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    /// One.
    pub x: Vec<f32>,
    /// The other.
    pub y: Vec<f32>,
}

impl Vectors {
    fn terms(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        self.x.iter().copied().zip(self.y.iter().copied())
    }
}
