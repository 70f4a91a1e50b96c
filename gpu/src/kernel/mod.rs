//! Kernels: hand-written templates around printed functions.
//!
//! `map` evaluates a function for arrays of arguments. `hash` evaluates it for generated cases ([`vernier_tape::cases`]) and hashes
//! the results by blocks of 2^16 cases, so that two machines compare without moving results ([`compare`]). A
//! block's hash is the sum of its cases' hashes, so that any shape of launch gives the same. A mutated program holds one
//! function with all its single-operation mutants and takes the mutant's index ([`Mutated`]). A sweep judges a function of
//! pairs of binary32 for every hi ([`Sweep`]), or of words for every word ([`Words`]); a [judge](judge::Judge) judges functions of somebody else.

mod compare;
pub mod judge;
mod mutants;
mod native;
mod seeds;
mod sweep;
mod text;
mod words;

pub use compare::{Comparison, Computed, Hashes, Mismatch, compare, compare_with};
pub use mutants::{Kills, Mutated};
pub use native::{Natives, native, native_source};
pub use seeds::{Seeds, seeds};
pub use sweep::{GROUP, PHASES, Steps, Sweep, Worst, number_on_host, operand_on_host, sweep_source};
pub(crate) use text::{arguments, from_bits, signature};
pub use text::{contracted, dialect, environment, source};
pub use words::{Group, Words, is_broken};

use crate::device::{Buffer, Build, Device, Error, Kernel, Program, Source};
use rayon::prelude::*;
use std::collections::HashMap;
use vernier_tape::io::Kind;
use vernier_tape::registry::Function;

/// Functions in one program.
const PROGRAM: usize = 16;
/// Functions with more calls have a program of their own: PoCL expands them for each of its kernels.
const CALLS: usize = 32;

/// Functions compiled on a device.
#[derive(Debug)]
pub struct Kernels<'d> {
    device: &'d Device,
    programs: Vec<Program>,
    /// The program of each function and each list of argument kinds.
    home: HashMap<String, usize>,
}

impl<'d> Kernels<'d> {
    /// Compiles the kernels of `functions`.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn compile(device: &'d Device, functions: &[&Function]) -> Result<Self, Error> {
        Self::compile_sources(device, functions, |part| source(device.api(), part, None))
    }

    /// Compiles them badly on purpose, with contraction and plain operators: a gate must fail on it.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn contracted(device: &'d Device, functions: &[&Function]) -> Result<Self, Error> {
        Self::compile_sources(device, functions, |part| contracted(device.api(), part))
    }

    fn compile_sources(
        device: &'d Device,
        functions: &[&Function],
        source: impl Fn(&[&Function]) -> Source + Sync,
    ) -> Result<Self, Error> {
        let (long, short): (Vec<_>, Vec<_>) = functions.iter().partition(|f| f.tape.calls.len() > CALLS);
        let parts: Vec<&[&Function]> = short.chunks(PROGRAM).chain(long.chunks(1)).collect();
        let compile = |part: &&[&Function]| device.compile(&source(part));
        let programs = parts.par_iter().map(compile).collect::<Result<Vec<_>, _>>()?;
        let mut home = HashMap::new();
        for (i, f) in parts.iter().enumerate().flat_map(|(i, part)| part.iter().map(move |f| (i, f))) {
            home.insert(f.name(), i);
            home.insert(text::signature(&f.params), i);
        }
        Ok(Kernels { device, programs, home })
    }

    /// The device.
    pub fn device(&self) -> &'d Device {
        self.device
    }

    /// What made the programs.
    pub fn build(&self) -> Option<&Build> {
        self.programs.first().map(Program::build)
    }

    /// The program that holds a function or a list of argument kinds.
    fn program(&self, name: &str) -> Result<&Program, Error> {
        let missing = || Error::Arguments { kernel: name.to_string(), problem: "was not compiled".into() };
        self.home.get(name).map(|&i| &self.programs[i]).ok_or_else(missing)
    }

    fn hash_kernel(&self, f: &Function) -> Result<Kernel, Error> {
        self.program(&f.name())?.kernel(&format!("{}_hash", f.name()))
    }

    /// The results of `f` on the device: bit patterns by slot, then case, as [`Interpreter::run`] has them.
    ///
    /// # Errors
    /// [`Error::Arguments`] where there is not one column per slot, or the columns differ in length.
    ///
    /// [`Interpreter::run`]: vernier_tape::interpret::Interpreter::run
    pub fn map(&self, f: &Function, args: &[Vec<u64>]) -> Result<Vec<Vec<u64>>, Error> {
        map(self.device, self.program(&f.name())?, f, args, 0)
    }

    /// The arguments of `n` cases as the device generates them, from case `first` on: bit patterns by slot, then case.
    ///
    /// # Errors
    /// If the device fails, or no function with such arguments was compiled.
    pub fn cases(&self, params: &[Kind], seed: u64, first: u64, n: usize) -> Result<Vec<Vec<u64>>, Error> {
        let signature = text::signature(params);
        let kernel = self.program(&signature)?.kernel(&format!("vernier_cases_{signature}"))?;
        let slots: usize = params.iter().map(|k| k.slots().len()).sum();
        let out = self.device.zeros::<u64>(slots * n)?;
        let args = [seed.into(), first.into(), (n as u64).into(), out.arg()];
        launch_items(self.device, &kernel, n, &args)?;
        Ok(self.device.download(&out)?.chunks(n.max(1)).map(<[u64]>::to_vec).collect())
    }

    /// Asks for the hashes of `blocks` blocks from block `first` on.
    fn hashes(&self, kernel: &Kernel, seed: u64, first: u64, blocks: u32) -> Result<Buffer<u64>, Error> {
        let out = self.device.zeros::<u64>(blocks as usize)?;
        let args = [seed.into(), first.into(), blocks.into(), 0u32.into(), out.arg()];
        self.device.launch(kernel, blocks, self.device.group_size(), &args)?;
        Ok(out)
    }
}

/// Launches a kernel that strides over `n` items.
fn launch_items(device: &Device, kernel: &Kernel, n: usize, args: &[crate::device::Arg<'_>]) -> Result<(), Error> {
    let size = device.group_size();
    let groups = n.div_ceil(size as usize).min(1 << 16) as u32;
    device.launch(kernel, groups, size, args)
}

fn map(
    device: &Device,
    program: &Program,
    f: &Function,
    args: &[Vec<u64>],
    mutant: u32,
) -> Result<Vec<Vec<u64>>, Error> {
    let (slots, n) = (f.tape.args.len(), args.first().map_or(0, Vec::len));
    if args.len() != slots || args.iter().any(|column| column.len() != n) {
        let problem = format!("takes {slots} columns of one length");
        return Err(Error::Arguments { kernel: f.name(), problem });
    }
    let kernel = program.kernel(&format!("{}_map", f.name()))?;
    let results = f.tape.results().count();
    let input = device.upload(&args.concat())?;
    let output = device.zeros::<u64>(results * n)?;
    launch_items(device, &kernel, n, &[(n as u64).into(), mutant.into(), input.arg(), output.arg()])?;
    let flat = device.download(&output)?;
    Ok((0..results).map(|s| flat[s * n..(s + 1) * n].to_vec()).collect())
}
