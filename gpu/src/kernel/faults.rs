//! Faults on a device.

use super::{dialect, map, source};
use crate::device::{Buffer, Device, Error, Program};
use crate::print::Dialect;
use rayon::prelude::*;
use std::ops::Range;
use vernier_tape::cases::BLOCK;
use vernier_tape::faults::{Fault, enumerate};
use vernier_tape::registry::Function;

/// A function on a device with all its single-operation faults, in one program.
#[derive(Debug)]
pub struct Faulty<'d> {
    device: &'d Device,
    program: Program,
    function: &'d Function,
    faults: Vec<Fault>,
}

/// What became of the faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// For each fault the first block whose hash differs, none if it was not noticed.
    pub by: Vec<Option<u64>>,
    /// The first block whose hash differs with no fault committed: then the rest says nothing.
    pub control: Option<u64>,
    /// Cases that every fault that was not noticed has seen.
    pub cases: u64,
}

impl Caught {
    /// The indices of the faults that were not noticed.
    pub fn survivors(&self) -> impl Iterator<Item = usize> + '_ {
        self.by.iter().enumerate().filter(|(_, by)| by.is_none()).map(|(i, _)| i)
    }
}

/// Whether the language has this fault.
fn printable(language: &dyn Dialect, fault: &Fault) -> bool {
    match fault {
        Fault::Node { with, .. } => language.commits(with.mode),
        Fault::Results { .. } => true,
    }
}

impl<'d> Faulty<'d> {
    /// Compiles `function` with every fault that the device's language has.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn compile(device: &'d Device, function: &'d Function) -> Result<Self, Error> {
        let mut faults = enumerate(&function.tape, &function.params);
        let language = dialect(device.api());
        faults.retain(|f| printable(&*language, f));
        let program = device.compile(&source(device.api(), &[function], Some(&faults)))?;
        Ok(Faulty { device, program, function, faults })
    }

    /// The faults, in the order of their indices.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The results with fault `fault`, or with none where there is no such fault; as [`super::Kernels::map`].
    ///
    /// # Errors
    /// As there.
    pub fn map(&self, args: &[Vec<u64>], fault: u32) -> Result<Vec<Vec<u64>>, Error> {
        map(self.device, &self.program, self.function, args, fault)
    }

    /// Looks for a difference between each fault's results on the device and the host's, on the generated cases of
    /// `blocks`: all faults on the first block, and those not noticed on the others.
    ///
    /// # Errors
    /// If the device fails.
    pub fn catch(&self, seed: u64, blocks: Range<u64>) -> Result<Caught, Error> {
        let n = self.faults.len();
        let mut caught = Caught { by: vec![None; n], control: None, cases: 0 };
        let mut done = blocks.start;
        while done < blocks.end && (done == blocks.start || caught.survivors().next().is_some()) {
            let count = if done == blocks.start { 1 } else { (blocks.end - done).min(256) };
            let host: Vec<u64> =
                (done..done + count).into_par_iter().map(|block| self.function.hash(seed, block)).collect();
            // Fault n is none: the control.
            let runs: Vec<Range<usize>> = if done == blocks.start {
                std::iter::once(0..n + 1).collect()
            } else {
                caught.survivors().chain([n]).map(|i| i..i + 1).collect()
            };
            let asked: Result<Vec<Buffer<u64>>, Error> =
                runs.iter().map(|faults| self.hashes(seed, done, count as u32, faults)).collect();
            for (faults, buffer) in runs.iter().zip(asked?) {
                let hashes = self.device.download(&buffer)?;
                for (fault, hashes) in faults.clone().zip(hashes.chunks(count as usize)) {
                    let differs = (done..).zip(hashes.iter().zip(&host)).find(|(_, (d, h))| d != h).map(|(b, _)| b);
                    let first = caught.by.get_mut(fault).unwrap_or(&mut caught.control);
                    *first = first.or(differs);
                }
            }
            done += count;
            caught.cases += count * BLOCK;
        }
        Ok(caught)
    }

    fn hashes(&self, seed: u64, first: u64, blocks: u32, faults: &Range<usize>) -> Result<Buffer<u64>, Error> {
        let kernel = self.program.kernel(&format!("{}_hash", self.function.name()))?;
        let groups = blocks * faults.len() as u32;
        let out = self.device.zeros::<u64>(groups as usize)?;
        let args = [seed.into(), first.into(), blocks.into(), (faults.start as u32).into(), out.arg()];
        self.device.launch(&kernel, groups, self.device.group_size(), &args)?;
        Ok(out)
    }
}
