//! Operands of cases as a function of a seed and the index of the case, so that shards, threads and resumed runs see the same.
//!
//! A [`Generator`] draws one class of operands; a [`Mixture`] draws from several with weights. Both take a [`Shape`], which says what
//! operands an operation has, and a key ([`counter::key`]). All limbs are numbers of the shape's format.

pub mod counter;
pub mod directed;
pub mod exhaustive;
pub mod limb;
mod operand;
mod relation;
mod shape;
pub mod special;

pub use shape::{Operand, Shape, Signs};

use crate::target::Pair;
use counter::Words;
pub(crate) use operand::{Style, lo as operand_lo};
use serde::{Deserialize, Serialize};
use vernier::function::Op;

/// A class of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Generator {
    /// Each limb uniform over all bit patterns: limbs in no order, infinities and NaN too.
    Bits,
    /// Normalised pairs, hi uniform over exponents, subnormal and last binade too.
    Exponents,
    /// Normalised pairs in the moderate domain; exponents of half the cases are near each other.
    Moderate,
    /// Normalised pairs near 1 with significands near powers of two and simple fractions, lo near half an ulp of hi.
    Structured,
    /// The result, or its inside, cancels: `y` near `-x` in hi, in lo, or exactly; `z` near `-x y`.
    Cancellation,
    /// lo is half an ulp of hi or next to it, terms are half an ulp apart, products end in a tie.
    Ties,
    /// Powers of two and their neighbours.
    Powers,
    /// Subnormal numbers, the smallest normal and the largest numbers, results near underflow and overflow.
    Edges,
    /// All combinations of special values, by index.
    Specials,
    /// Normalised pairs with 0 to 2 p + 3 bits between hi's last and lo's first.
    Gaps,
    /// lo = +-0.
    ZeroLo,
    /// Limbs overlap: lo is above half an ulp of hi, and below hi.
    Overlapping,
    /// lo is larger than hi.
    Inverted,
}

impl Generator {
    /// Every generator.
    pub const ALL: [Generator; 13] = [
        Generator::Bits,
        Generator::Exponents,
        Generator::Moderate,
        Generator::Structured,
        Generator::Cancellation,
        Generator::Ties,
        Generator::Powers,
        Generator::Edges,
        Generator::Specials,
        Generator::Gaps,
        Generator::ZeroLo,
        Generator::Overlapping,
        Generator::Inverted,
    ];

    /// Its name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Generator::Bits => "bits",
            Generator::Exponents => "exponents",
            Generator::Moderate => "moderate",
            Generator::Structured => "structured",
            Generator::Cancellation => "cancellation",
            Generator::Ties => "ties",
            Generator::Powers => "powers",
            Generator::Edges => "edges",
            Generator::Specials => "specials",
            Generator::Gaps => "gaps",
            Generator::ZeroLo => "zero_lo",
            Generator::Overlapping => "overlapping",
            Generator::Inverted => "inverted",
        }
    }

    /// The operands of case `index` into `out`, which has room for those of the shape.
    pub fn draw(self, shape: &Shape, key: u64, index: u64, out: &mut [Pair]) {
        self.draw_from(shape, &mut Words::new(key, index), index, out);
    }

    /// Operands from the next words of a sequence.
    pub(crate) fn draw_next(self, shape: &Shape, w: &mut Words, out: &mut [Pair]) {
        let ordinal = if self == Generator::Specials { w.next() } else { 0 };
        self.draw_from(shape, w, ordinal, out);
    }

    fn draw_from(self, shape: &Shape, w: &mut Words, ordinal: u64, out: &mut [Pair]) {
        let f = shape.limb;
        let out = &mut out[..shape.operands.len()];
        match self {
            Generator::Specials => special::combination(shape, ordinal, out),
            Generator::Bits => out.fill_with(|| (limb::from_bits(w.next(), f), limb::from_bits(w.next(), f))),
            Generator::Exponents => out.fill_with(|| {
                let hi = operand::any_exponent(w, f);
                (hi, operand::lo(w, hi, Style::Uniform, f))
            }),
            Generator::Moderate => relation::moderate(shape, w, out),
            Generator::Structured => relation::near_one(shape, w, Style::Structured, out),
            Generator::Cancellation => relation::cancellation(shape, w, out),
            Generator::Ties => relation::ties(shape, w, out),
            Generator::Powers => relation::powers(shape, w, out),
            Generator::Edges => relation::edges(shape, w, out),
            Generator::Gaps => relation::gaps(shape, w, out, |w| w.below(2 * u64::from(f.p) + 4) as i32),
            Generator::ZeroLo => {
                relation::moderate(shape, w, out);
                out.iter_mut().for_each(|x| x.1 = if w.one_in(2) { 0.0 } else { -0.0 });
            }
            Generator::Overlapping => relation::gaps(shape, w, out, |w| -1 - w.below(u64::from(f.p) - 2) as i32),
            Generator::Inverted => {
                relation::gaps(shape, w, out, |w| w.below(2 * u64::from(f.p)) as i32 - f.p as i32);
                out.iter_mut().filter(|x| x.0.abs() > x.1.abs()).for_each(|x| *x = (x.1, x.0));
            }
        }
        shape.settle(out);
        // Roots of negative numbers are all alike; Bits and Specials see enough of them.
        if matches!(shape.op, Op::Sqrt | Op::Rsqrt) && !matches!(self, Generator::Bits | Generator::Specials) {
            for x in out.iter_mut().filter(|x| x.0 < 0.0) {
                *x = (-x.0, -x.1);
            }
        }
    }
}

/// Generators with weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mixture(Vec<(Generator, u32)>);

impl Mixture {
    /// The generators with their weights; those of weight 0 are left out.
    pub fn new(weights: &[(Generator, u32)]) -> Mixture {
        Mixture(weights.iter().copied().filter(|w| w.1 > 0).collect())
    }

    /// Every class: what a row of the accuracy table samples. Half of the cases are in the moderate domain.
    pub fn accuracy() -> Mixture {
        Mixture::new(&[
            (Generator::Moderate, 24),
            (Generator::Structured, 10),
            (Generator::Cancellation, 6),
            (Generator::Ties, 4),
            (Generator::Powers, 3),
            (Generator::Gaps, 4),
            (Generator::ZeroLo, 2),
            (Generator::Exponents, 4),
            (Generator::Edges, 3),
            (Generator::Specials, 1),
            (Generator::Bits, 1),
            (Generator::Overlapping, 1),
            (Generator::Inverted, 1),
        ])
    }

    /// Every class alike: for comparing machines bit by bit.
    pub fn equal() -> Mixture {
        Mixture(Generator::ALL.map(|g| (g, 1)).to_vec())
    }

    /// The generators and their weights.
    pub fn weights(&self) -> &[(Generator, u32)] {
        &self.0
    }

    /// The operands of case `index` into `out`, which has room for those of the shape, and which generator drew them. An empty mixture
    /// draws uniform bits.
    pub fn draw(&self, shape: &Shape, key: u64, index: u64, out: &mut [Pair]) -> Generator {
        let mut w = Words::new(key, index);
        let generator = self.select(w.next());
        let ordinal = w.next();
        generator.draw_from(shape, &mut w, ordinal, out);
        generator
    }

    fn select(&self, word: u64) -> Generator {
        let total: u64 = self.0.iter().map(|w| u64::from(w.1)).sum();
        let mut at = ((u128::from(word) * u128::from(total)) >> 64) as u64;
        for &(generator, weight) in &self.0 {
            match at.checked_sub(weight.into()) {
                Some(rest) => at = rest,
                None => return generator,
            }
        }
        Generator::Bits
    }
}
