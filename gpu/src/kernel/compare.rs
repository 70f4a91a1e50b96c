//! Host against devices, by hashes.

use super::Kernels;
use crate::device::{Build, Error};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Instant;
use vernier_tape::cases::{BLOCK, arguments};
use vernier_tape::mutants::one_nan;
use vernier_tape::registry::Function;

/// Blocks in one launch.
pub(super) const LAUNCH: u64 = 1 << 11;
/// Launches that wait on each device while the host works.
const WAITING: usize = 2;

/// A case where host and device differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// The case's index.
    pub index: u64,
    /// The arguments' bit patterns.
    pub args: Vec<u64>,
    /// The arguments as the device generates them, where those differ already.
    pub device_args: Option<Vec<u64>>,
    /// The host's results.
    pub host: Vec<u64>,
    /// The device's results; empty if the arguments differ.
    pub device: Vec<u64>,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The function's name.
    pub function: String,
    /// The generator's seed.
    pub seed: u64,
    /// The blocks asked for.
    pub blocks: Range<u64>,
    /// Cases compared.
    pub cases: u64,
    /// The blocks that differ, the first of them if they are many.
    pub differing: Vec<u64>,
    /// How many blocks differ.
    pub differing_count: u64,
    /// The first differing case of the first differing block.
    pub first: Option<Mismatch>,
    /// Why not all blocks were compared.
    pub incomplete: Option<String>,
    /// Devices and builds.
    pub builds: Vec<Build>,
    /// Seconds in all.
    pub seconds: f64,
    /// Seconds in which the host computed.
    pub host_seconds: f64,
    /// Seconds in which devices computed, those of all of them together.
    pub device_seconds: f64,
}

/// How many differing blocks are named.
const NAMED: usize = 64;

impl Comparison {
    /// Of nothing yet.
    pub(super) fn new<'b>(
        f: &Function,
        seed: u64,
        blocks: &Range<u64>,
        builds: impl Iterator<Item = &'b Build>,
    ) -> Self {
        Comparison {
            function: f.name(),
            seed,
            blocks: blocks.clone(),
            cases: 0,
            differing: Vec::new(),
            differing_count: 0,
            first: None,
            incomplete: None,
            builds: builds.cloned().collect(),
            seconds: 0.0,
            host_seconds: 0.0,
            device_seconds: 0.0,
        }
    }

    /// Adds the blocks from `first` on, by their hashes on both sides; `mismatch` looks for the first case that differs in a block.
    pub(super) fn add(
        &mut self,
        first: u64,
        (ours, theirs): (&[u64], &[u64]),
        mut mismatch: impl FnMut(u64) -> Result<Option<Mismatch>, Error>,
    ) -> Result<(), Error> {
        for (block, _) in (first..).zip(ours.iter().zip(theirs)).filter(|(_, (a, b))| a != b) {
            self.differing_count += 1;
            if self.differing.len() < NAMED {
                self.differing.push(block);
            }
            if self.first.is_none() {
                self.first = mismatch(block)?;
            }
        }
        self.cases += ours.len() as u64 * BLOCK;
        Ok(())
    }

    /// Whether every block was compared and none differs.
    pub fn holds(&self) -> bool {
        self.differing_count == 0 && self.incomplete.is_none()
    }
}

/// Who knows the host's hashes of blocks.
pub trait Hashes {
    /// The hashes of some blocks.
    fn of(&mut self, f: &Function, seed: u64, blocks: Range<u64>) -> Vec<u64>;

    /// The hash of a block in which a device differs from the one given.
    fn again(&mut self, _f: &Function, _seed: u64, _block: u64, hash: u64) -> u64 {
        hash
    }
}

/// The host computes them.
#[derive(Clone, Copy, Debug)]
pub struct Computed;

impl Hashes for Computed {
    fn of(&mut self, f: &Function, seed: u64, blocks: Range<u64>) -> Vec<u64> {
        blocks.into_par_iter().map(|block| f.hash(seed, block)).collect()
    }
}

/// Compares `f` on the host with the devices of `kernels`, as [`compare_with`] does with [`Computed`] hashes.
///
/// # Errors
/// As there.
pub fn compare(kernels: &[Kernels<'_>], f: &Function, seed: u64, blocks: Range<u64>) -> Result<Comparison, Error> {
    compare_with(kernels, f, seed, blocks, &mut Computed)
}

/// Compares `f` on the host with the devices of `kernels`, which share the work, on the generated cases of `blocks`.
///
/// A device that fails in the middle ends the comparison: what was compared until then counts, and
/// [`Comparison::incomplete`] says so.
///
/// # Errors
/// If a program lacks the function.
pub fn compare_with(
    kernels: &[Kernels<'_>],
    f: &Function,
    seed: u64,
    blocks: Range<u64>,
    hashes: &mut impl Hashes,
) -> Result<Comparison, Error> {
    let start = Instant::now();
    let mut c = Comparison::new(f, seed, &blocks, kernels.iter().filter_map(Kernels::build));
    let hash = kernels.iter().map(|k| k.hash_kernel(f)).collect::<Result<Vec<_>, _>>()?;
    let mut next = blocks.clone().step_by(LAUNCH as usize).zip((0..kernels.len()).cycle());
    let mut waiting = VecDeque::new();
    let mut run = || -> Result<(), Error> {
        loop {
            while waiting.len() < WAITING * kernels.len() {
                let Some((first, on)) = next.next() else { break };
                let count = LAUNCH.min(blocks.end - first) as u32;
                let start = kernels[on].device.event()?;
                let buffer = kernels[on].hashes(&hash[on], seed, first, count)?;
                waiting.push_back((first, on, buffer, start, kernels[on].device.event()?));
            }
            let Some((first, on, buffer, start, end)) = waiting.pop_front() else { return Ok(()) };
            let host_start = Instant::now();
            let count = buffer.len() as u64;
            let mut host = hashes.of(f, seed, first..first + count);
            c.host_seconds += host_start.elapsed().as_secs_f64();
            let device = kernels[on].device.download(&buffer)?;
            for ((block, ours), theirs) in (first..).zip(&mut host).zip(&device) {
                if ours != theirs {
                    *ours = hashes.again(f, seed, block, *ours);
                }
            }
            c.device_seconds += start.until(&end)?.as_secs_f64();
            c.add(first, (&host, &device), |block| first_mismatch(&kernels[on], f, seed, block))?;
        }
    };
    let failure = run().err();
    c.incomplete = failure.map(|e| e.to_string());
    c.seconds = start.elapsed().as_secs_f64();
    Ok(c)
}

/// The first case of a block where the device generates other arguments or has other results.
fn first_mismatch(kernels: &Kernels<'_>, f: &Function, seed: u64, block: u64) -> Result<Option<Mismatch>, Error> {
    let first = block * BLOCK;
    let generated = kernels.cases(&f.params, seed, first, BLOCK as usize)?;
    let rows: Vec<Vec<u64>> = (first..first + BLOCK).map(|i| arguments(&f.params, seed, i)).collect();
    let columns: Vec<Vec<u64>> = (0..generated.len()).map(|s| rows.iter().map(|r| r[s]).collect()).collect();
    let (ours, theirs) = (f.evaluate(&columns), kernels.map(f, &columns)?);
    let types: Vec<_> = f.tape.results().collect();
    for (i, args) in rows.into_iter().enumerate() {
        let on_device: Vec<u64> = generated.iter().map(|column| column[i]).collect();
        let [host, device] =
            [&ours, &theirs].map(|results| types.iter().zip(results).map(|(&ty, c)| one_nan(ty, c[i])).collect());
        let index = first + i as u64;
        if on_device != args {
            return Ok(Some(Mismatch { index, args, device_args: Some(on_device), host, device: Vec::new() }));
        }
        if host != device {
            return Ok(Some(Mismatch { index, args, device_args: None, host, device }));
        }
    }
    Ok(None)
}
