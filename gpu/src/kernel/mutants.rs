//! All mutants of a function in one program for a device, which takes the mutant's index.

use super::{dialect, map, source};
use crate::device::{Api, Buffer, Device, Error, Program};
use crate::print::Dialect;
use rayon::prelude::*;
use std::ops::Range;
use vernier_tape::cases::BLOCK;
use vernier_tape::mutants::{Mutant, mutants};
use vernier_tape::registry::Function;

/// A function on a device with all its single-operation mutants, in one program.
#[derive(Debug)]
pub struct Mutated<'d> {
    device: &'d Device,
    program: Program,
    function: &'d Function,
    mutants: Vec<Mutant>,
}

/// Which mutants were killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kills {
    /// For each mutant the first block whose hash differs, none if no block does.
    pub by: Vec<Option<u64>>,
    /// The first block whose hash differs of the unchanged function: then the others say nothing.
    pub control: Option<u64>,
    /// Cases that every mutant that was not killed has seen.
    pub cases: u64,
}

impl Kills {
    /// The indices of the mutants that were not killed.
    pub fn survivors(&self) -> impl Iterator<Item = usize> + '_ {
        self.by.iter().enumerate().filter(|(_, by)| by.is_none()).map(|(i, _)| i)
    }
}

/// Whether the language can print this mutant.
fn printable(language: &dyn Dialect, mutant: &Mutant) -> bool {
    match mutant {
        Mutant::Node { with, .. } => language.prints(with.mode),
        Mutant::Results { .. } => true,
    }
}

impl<'d> Mutated<'d> {
    /// Compiles `function` with every mutant that the device's language has.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn compile(device: &'d Device, function: &'d Function) -> Result<Self, Error> {
        Self::compile_edited(device, function, |text| text)
    }

    /// The same from an edited text: what judges mutants must notice that the function itself is wrong.
    ///
    /// # Errors
    /// As [`Mutated::compile`].
    pub fn compile_edited(
        device: &'d Device,
        function: &'d Function,
        edit: impl FnOnce(String) -> String,
    ) -> Result<Self, Error> {
        let mut mutants = mutants(&function.tape, &function.params);
        let language = dialect(device.api());
        mutants.retain(|f| printable(&*language, f));
        let mut source = source(device.api(), &[function], Some(&mutants));
        source.text = edit(source.text);
        let program = device.compile(&source)?;
        Ok(Mutated { device, program, function, mutants })
    }

    /// The mutants, in the order of their indices.
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }

    /// The function.
    pub fn function(&self) -> &'d Function {
        self.function
    }

    /// The kind of device.
    pub fn api(&self) -> Api {
        self.device.api()
    }

    /// The results of mutant `mutant`, or of the unchanged function where there is no such mutant; as [`super::Kernels::map`].
    ///
    /// # Errors
    /// As there.
    pub fn map(&self, args: &[Vec<u64>], mutant: u32) -> Result<Vec<Vec<u64>>, Error> {
        map(self.device, &self.program, self.function, args, mutant)
    }

    /// Looks for a difference between each mutant's results on the device and the host's, on the generated cases of
    /// `blocks`: all mutants on the first block, and those not killed on the others.
    ///
    /// # Errors
    /// If the device fails.
    pub fn kill(&self, seed: u64, blocks: Range<u64>) -> Result<Kills, Error> {
        let n = self.mutants.len();
        let mut killed = Kills { by: vec![None; n], control: None, cases: 0 };
        let mut done = blocks.start;
        while done < blocks.end && (done == blocks.start || killed.survivors().next().is_some()) {
            let count = if done == blocks.start { 1 } else { (blocks.end - done).min(256) };
            let host: Vec<u64> =
                (done..done + count).into_par_iter().map(|block| self.function.hash(seed, block)).collect();
            // Mutant n is none of them: the unchanged function.
            let runs: Vec<Range<usize>> = if done == blocks.start {
                std::iter::once(0..n + 1).collect()
            } else {
                killed.survivors().chain([n]).map(|i| i..i + 1).collect()
            };
            let asked: Result<Vec<Buffer<u64>>, Error> =
                runs.iter().map(|mutants| self.hashes(seed, done, count as u32, mutants)).collect();
            for (mutants, buffer) in runs.iter().zip(asked?) {
                let hashes = self.device.download(&buffer)?;
                for (mutant, hashes) in mutants.clone().zip(hashes.chunks(count as usize)) {
                    let differs = (done..).zip(hashes.iter().zip(&host)).find(|(_, (d, h))| d != h).map(|(b, _)| b);
                    let first = killed.by.get_mut(mutant).unwrap_or(&mut killed.control);
                    *first = first.or(differs);
                }
            }
            done += count;
            killed.cases += count * BLOCK;
        }
        Ok(killed)
    }

    fn hashes(&self, seed: u64, first: u64, blocks: u32, mutants: &Range<usize>) -> Result<Buffer<u64>, Error> {
        let kernel = self.program.kernel(&format!("{}_hash", self.function.name()))?;
        let groups = blocks * mutants.len() as u32;
        let out = self.device.zeros::<u64>(groups as usize)?;
        let args = [seed.into(), first.into(), blocks.into(), (mutants.start as u32).into(), out.arg()];
        self.device.launch(&kernel, groups, self.device.group_size(), &args)?;
        Ok(out)
    }
}
