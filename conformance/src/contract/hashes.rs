//! The host's hashes of the blocks of a function, kept from one run to the next: what a device is held against costs no time then.
//!
//! An entry belongs to the printed function with its generator, the seed, and the compiler, flags and target features of this program.
//! Each run computes a sixteenth of the blocks anew, the next in turn, and every block in which a device differs. A hash that is
//! another then fails the contract: the host, its compiler or what is kept is broken. Entries lie with the compiled programs
//! ([`vernier_gpu::device::cache`]).

use crate::table::Build;
use rayon::prelude::*;
use std::ops::Range;
use vernier_gpu::device::Api;
use vernier_gpu::device::cache::Key;
use vernier_gpu::kernel::{Hashes, source};
use vernier_tape::registry::Function;

/// One block of so many is computed anew in each run.
const ANEW: u64 = 16;

/// The hashes of a function, from block 0 on.
pub struct Kept {
    key: Key,
    /// How many runs there were.
    run: u64,
    kept: Vec<u64>,
    now: Vec<u64>,
    earlier: u64,
    /// The blocks whose kept hash is not that of the host.
    wrong: Vec<u64>,
}

impl Kept {
    /// Those of earlier runs, if there are any.
    pub fn of(f: &Function, seed: u64) -> Kept {
        let (build, seed) = (Build::this(), seed.to_string());
        let text = source(Api::OpenCl, &[f], None).text;
        let features = env!("VERNIER_FEATURES");
        let key =
            Key::of([&text, &seed, &build.version, &build.rustc, &build.target, &build.flags, features], "hashes");
        let words = |bytes: Vec<u8>| {
            bytes.chunks_exact(8).filter_map(|b| Some(u64::from_le_bytes(b.try_into().ok()?))).collect()
        };
        let mut kept: Vec<u64> = key.read().map_or(Vec::new(), words);
        let run = if kept.is_empty() { 0 } else { kept.remove(0) };
        Kept { key, run, kept, now: Vec::new(), earlier: 0, wrong: Vec::new() }
    }

    /// Blocks that were not computed.
    pub fn earlier(&self) -> u64 {
        self.earlier
    }

    /// How many kept hashes were wrong, and what is to be said of the first.
    pub fn wrong(&self) -> (u64, Option<String>) {
        let first = self.wrong.iter().min().map(|block| {
            format!("block {block}: the host's hash is not the one kept from an earlier run: the host, its compiler or the file is broken")
        });
        (self.wrong.len() as u64, first)
    }

    /// Keeps the hashes for the next run. Those of more blocks stay.
    pub fn keep(mut self) {
        let more = self.kept.iter().skip(self.now.len()).copied();
        self.now.extend(more);
        let words = std::iter::once(self.run.wrapping_add(1)).chain(self.now);
        self.key.write(&words.flat_map(u64::to_le_bytes).collect::<Vec<u8>>());
    }
}

impl Hashes for Kept {
    fn of(&mut self, f: &Function, seed: u64, blocks: Range<u64>) -> Vec<u64> {
        let due = |block: u64| block % ANEW == self.run % ANEW;
        let kept = |block: u64| self.kept.get(block as usize).copied();
        let hash = |block: u64| kept(block).filter(|_| !due(block)).unwrap_or_else(|| f.hash(seed, block));
        let hashes: Vec<u64> = blocks.clone().into_par_iter().map(hash).collect();
        let earlier = blocks.clone().filter(|&b| kept(b).is_some() && !due(b)).count();
        let wrong: Vec<u64> = blocks
            .clone()
            .zip(&hashes)
            .filter(|&(b, &now)| kept(b).is_some_and(|k| k != now))
            .map(|(b, _)| b)
            .collect();
        self.earlier += earlier as u64;
        self.wrong.extend(wrong);
        // Only what goes on from block 0 is kept.
        if blocks.start == self.now.len() as u64 {
            self.now.extend(&hashes);
        }
        hashes
    }

    fn again(&mut self, f: &Function, seed: u64, block: u64, hash: u64) -> u64 {
        let now = f.hash(seed, block);
        if now != hash {
            self.wrong.push(block);
            if let Some(kept) = self.now.get_mut(block as usize) {
                *kept = now;
            }
        }
        now
    }
}
