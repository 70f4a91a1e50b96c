//! Packed emulated doubles against a device's own doubles, on the device.
//!
//! The twin of an operation at high is the device's operation on doubles, directed ones by CUDA's intrinsics
//! (`__dadd_rz` and so on). Both are hashed for the same generated cases, block by block.

use super::compare::LAUNCH;
use super::text::{dialect, source};
use super::{Comparison, Kernels, Mismatch};
use crate::device::{Api, Device, Error, Source};
use std::ops::Range;
use std::time::Instant;
use vernier::function::{self, Level, Mode as Direction, Type};
use vernier::machine::{IeeeLimb, Limb, Value, Word};
use vernier_tape::cases::BLOCK;
use vernier_tape::mutants::one_nan;
use vernier_tape::record::{self, F64, Handle, U64};
use vernier_tape::registry::{Function, FunctionId};
use vernier_tape::tape::{Mode, Op, Tape, Ty};

/// The operation and direction of a function of packed emulated doubles that doubles have too, and which function that is.
fn operation(f: &Function) -> Option<(Op, Mode, FunctionId)> {
    let FunctionId::Of(Type::Packed(Level::High, direction), operation) = f.id else { return None };
    let mode = match direction {
        Direction::Rn => Mode::Exact,
        Direction::Rz => Mode::Zero,
        Direction::Ru => Mode::Up,
        Direction::Rd => Mode::Down,
    };
    let op = match operation {
        function::Op::Add => Op::Add,
        function::Op::Sub => Op::Sub,
        function::Op::Mul => Op::Mul,
        function::Op::Div => Op::Div,
        function::Op::Sqrt => Op::Sqrt,
        function::Op::Fma => Op::Fma,
        _ => return None,
    };
    Some((op, mode, FunctionId::Native(operation, direction)))
}

/// The function on the device's doubles; `None` where doubles do not have it.
pub fn native(f: &Function) -> Option<Function> {
    let (op, mode, id) = operation(f)?;
    let mut tape: Tape = record::record(|| {
        let bits: Vec<U64> = f.params.iter().map(|_| record::argument()).collect();
        let x: Vec<F64> = bits.into_iter().map(F64::from_bits).collect();
        let r = match op {
            Op::Add => x[0] + x[1],
            Op::Sub => x[0] - x[1],
            Op::Mul => x[0] * x[1],
            Op::Div => x[0].div(x[1]),
            Op::Fma => x[0].fma(x[1], x[2]),
            _ => x[0].sqrt(),
        };
        vec![U64::select(r.eq(r), r.bits(), U64::lit(vernier::emu::NAN)).id()]
    });
    for node in tape.nodes.iter_mut().filter(|n| n.op == op && n.ty == Ty::F64) {
        *node = node.in_mode(mode);
    }
    let (params, results) = (f.params.clone(), f.results.clone());
    Some(Function { id, params, results, tape, generate: f.generate, block: f.block })
}

/// Functions of emulated doubles with their twins, compiled on a device.
#[derive(Debug)]
pub struct Natives<'d> {
    kernels: Kernels<'d>,
    functions: Vec<&'static Function>,
    twins: Vec<Function>,
}

/// The source of functions and their twins.
pub fn native_source(api: Api, functions: &[&Function]) -> Source {
    let mut source = source(api, functions, None);
    // Directed operations are defined with the mutants.
    source.text.insert_str(0, "#define VERNIER_MUTANTS\n");
    source
}

impl<'d> Natives<'d> {
    /// Compiles those of `functions` that the device's language has for doubles.
    ///
    /// # Errors
    /// See [`Device::compile`].
    pub fn compile(device: &'d Device, functions: &[&'static Function]) -> Result<Self, Error> {
        let language = dialect(device.api());
        let has = |f: &&&Function| operation(f).is_some_and(|(_, mode, _)| language.prints(mode));
        let functions: Vec<&'static Function> = functions.iter().filter(has).copied().collect();
        let twins: Vec<Function> = functions.iter().filter_map(|f| native(f)).collect();
        let both: Vec<&Function> = functions.iter().copied().zip(&twins).flat_map(|(f, twin)| [f, twin]).collect();
        let kernels = Kernels::compile_sources(device, &both, |part| native_source(device.api(), part))?;
        Ok(Natives { kernels, functions, twins })
    }

    /// The functions.
    pub fn functions(&self) -> &[&'static Function] {
        &self.functions
    }

    /// Compares a function with its twin on the generated cases of `blocks`; of a difference `host` is the function's result.
    ///
    /// # Errors
    /// If the function was not compiled.
    pub fn compare(&self, f: &Function, seed: u64, blocks: Range<u64>) -> Result<Comparison, Error> {
        let missing = || Error::Arguments { kernel: f.name(), problem: "was not compiled".into() };
        let at = self.functions.iter().position(|g| std::ptr::eq(*g, f)).ok_or_else(missing)?;
        self.compare_with(f, &self.twins[at], seed, blocks)
    }

    /// Compares a function with any twin.
    ///
    /// # Errors
    /// If one of them was not compiled.
    pub fn compare_with(
        &self,
        f: &Function,
        twin: &Function,
        seed: u64,
        blocks: Range<u64>,
    ) -> Result<Comparison, Error> {
        let start = Instant::now();
        let mut c = Comparison::new(f, seed, &blocks, self.kernels.build().into_iter());
        let hash = [self.kernels.hash_kernel(f)?, self.kernels.hash_kernel(twin)?];
        let mut run = || -> Result<(), Error> {
            for first in blocks.clone().step_by(LAUNCH as usize) {
                let count = LAUNCH.min(blocks.end - first) as u32;
                let ours = self.kernels.hashes(&hash[0], seed, first, count)?;
                let theirs = self.kernels.hashes(&hash[1], seed, first, count)?;
                let (ours, theirs) = (self.kernels.device.download(&ours)?, self.kernels.device.download(&theirs)?);
                c.add(first, (&ours, &theirs), |block| self.first_mismatch(f, twin, seed, block))?;
            }
            Ok(())
        };
        let failure = run().err();
        c.incomplete = failure.map(|e| e.to_string());
        c.seconds = start.elapsed().as_secs_f64();
        c.device_seconds = c.seconds;
        Ok(c)
    }

    fn first_mismatch(&self, f: &Function, twin: &Function, seed: u64, block: u64) -> Result<Option<Mismatch>, Error> {
        let first = block * BLOCK;
        let columns = self.kernels.cases(&f.params, seed, first, BLOCK as usize)?;
        let (ours, theirs) = (self.kernels.map(f, &columns)?, self.kernels.map(twin, &columns)?);
        let row = |columns: &[Vec<u64>], i: usize| columns.iter().map(|c| c[i]).collect::<Vec<u64>>();
        let canonical =
            |bits: Vec<u64>| -> Vec<u64> { f.tape.results().zip(bits).map(|(ty, bits)| one_nan(ty, bits)).collect() };
        Ok((0..BLOCK as usize).find_map(|i| {
            let (host, device) = (canonical(row(&ours, i)), canonical(row(&theirs, i)));
            let index = first + i as u64;
            (host != device).then(|| Mismatch { index, args: row(&columns, i), device_args: None, host, device })
        }))
    }
}
