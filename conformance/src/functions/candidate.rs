//! One function that is measured.

use super::OnDevice;
use std::ops::Range;
use vernier_foreign::{Fault, Number};
use vernier_oracle::number::region::{Region, Sampling};
use vernier_oracle::number::{Block, Callee, Found, bits};

/// A function of somebody else.
pub enum Candidate {
    /// Of a shared library, called in another process.
    Foreign(Box<vernier_foreign::Function>),
    /// An expression, on a device.
    Device(Box<OnDevice>),
    /// Of this program, of floats.
    Single(fn([f32; 3]) -> f32),
    /// Of this program, of doubles.
    Double(fn([f64; 3]) -> f64),
}

impl Candidate {
    /// What is to be said of it once it was called.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Candidate::Foreign(f) => f.changed().iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it is judged where it is computed.
    pub fn judges(&self) -> bool {
        matches!(self, Candidate::Device(f) if f.judges())
    }
}

impl Callee for Candidate {
    type Fault = Fault;

    fn call(&self, block: &mut Block, twice: bool) -> Result<(), Fault> {
        match self {
            Candidate::Foreign(f) if f.signature().number == Number::F128 => {
                let low = |column: &Vec<u64>| column[..block.n].iter().map(|&x| bits::low(x)).collect();
                let words: Vec<Vec<u64>> = block.args.iter().cloned().chain(block.args.iter().map(low)).collect();
                f.call(block.n, &words, &mut block.results, twice)
            }
            Candidate::Foreign(f) => f.call(block.n, &block.args, &mut block.results, twice),
            Candidate::Device(f) => f.call(block, twice),
            Candidate::Single(f) => {
                for i in 0..block.n {
                    let y = f(block.input(i).map(|x| f32::from_bits(x as u32)));
                    block.results[0][i] = y.to_bits().into();
                }
                Ok(())
            }
            Candidate::Double(f) => {
                for i in 0..block.n {
                    block.results[0][i] = f(block.input(i).map(f64::from_bits)).to_bits();
                }
                Ok(())
            }
        }
    }
    fn span(&self, magnitudes: Range<u64>) -> Option<Result<Found, Fault>> {
        if let Candidate::Device(f) = self { f.span(magnitudes) } else { None }
    }

    fn survey(&self, regions: &[Region], sampling: &Sampling) -> Option<Result<Found, Fault>> {
        if let Candidate::Device(f) = self { f.survey(regions, sampling) } else { None }
    }
}
