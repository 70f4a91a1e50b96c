//! One function that is measured.

use vernier_foreign::{Fault, What};
use vernier_gpu::expression::Evaluator;
use vernier_oracle::number::{Block, Callee};

/// A function of somebody else.
pub enum Candidate {
    /// Of a shared library, called in another process.
    Foreign(Box<vernier_foreign::Function>),
    /// An expression, on a device.
    Device(Box<Evaluator>),
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
}

impl Callee for Candidate {
    type Fault = Fault;

    fn call(&self, block: &mut Block, twice: bool) -> Result<(), Fault> {
        match self {
            Candidate::Foreign(f) => f.call(block.n, &block.args, &mut block.results, twice),
            Candidate::Device(f) => {
                let columns = [0, 1, 2].map(|k| &block.args[k][..block.n]);
                let failed = |e: vernier_gpu::device::Error| Fault { input: None, what: What::Failed(e.to_string()) };
                let results = f.evaluate(columns).map_err(failed)?;
                block.results[0][..block.n].copy_from_slice(&results);
                Ok(())
            }
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
}
