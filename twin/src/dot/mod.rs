//! Dot products of floats: the CPU adds in double, in order; the GPU as a tree of double-word sums, or exactly.
//!
//! Products of two finite floats are exact in double. For finite vectors, with u = 2^-53, n terms, d the exact dot product and S = sum |x_i y_i|:
//!
//! - the CPU's sum differs from d by at most (n - 1) u / (1 - (n - 1) u) S;
//! - an addition of double-word numbers at level high rounds by at most 3 u^2 + 13 u^3 of its result, in any order the n - 1 additions
//!   by 3 n u^2 / (1 - 3 n u^2) S together (n below 2^50); the pair's hi differs from it by u |d| more. For n of 3 and more that lies within the bound u |d| + (n u /
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

use vernier::superaccumulator::Superaccumulator;

/// Two vectors of the same length, at most 2^31 - 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    x: Vec<f32>,
    y: Vec<f32>,
}

/// Why two lists make no vectors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected two lists of the same length, below 2^31, found {0} and {1} numbers")]
pub struct VectorsError(usize, usize);

impl Vectors {
    /// From their components.
    ///
    /// # Errors
    /// If there are not as many of one as of the other, or 2^31 or more.
    pub fn new(x: Vec<f32>, y: Vec<f32>) -> Result<Vectors, VectorsError> {
        if x.len() == y.len() && x.len() < 1 << 31 { Ok(Vectors { x, y }) } else { Err(VectorsError(x.len(), y.len())) }
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// The exact dot product.
    fn exact(&self) -> Superaccumulator {
        let mut sum = Superaccumulator::new();
        self.terms().for_each(|(x, y)| sum.add_product(x, y));
        sum
    }

    fn terms(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        self.x.iter().copied().zip(self.y.iter().copied())
    }
}
