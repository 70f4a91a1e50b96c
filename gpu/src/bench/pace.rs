//! The time of a piece of machine code that every warp of a multiprocessor goes through some times.
//!
//! A multiprocessor has four schedulers. Each issues, clk by clk, the next instruction of one of its warps that waits for nothing: its
//! operands, the pipe that executes it, and loads take their time, and memory hands bytes out at its rate. Warps that begin together load
//! together and compute together, so that few of them do not hide what they wait for, which the rates of pipes alone do not tell.

use super::Card;
use crate::sass::{Issue, PREDICATE, Part};

/// Schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;
/// Threads of a warp.
const WARP: f64 = 32.0;
/// clk from FP32 and integer instructions to those that take their results; in a single warp, published double-word operations take those of
/// a chain of as many.
const LATENCY: f64 = 4.0;
/// The same of FP64, beside the time that its pipe is taken: fp64mp2 takes 1.9 times the clk of fp32mp2 on B200, published.
const LATENCY_FP64: f64 = 8.0;
/// Of approximations.
const LATENCY_SPECIAL: f64 = 20.0;
/// From memory, the cache of all multiprocessors and that of one (Luo et al. 2024, H100: 479, 263 and 41).
const LATENCY_MEMORY: [f64; 3] = [479.0, 263.0, 41.0];
/// Bytes a clk from the cache of all multiprocessors.
const CACHE_RATE: f64 = 28.0;
/// Rounds that are followed; later ones take as long as those.
const ROUNDS: usize = 6;

/// Where the data of a kernel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In memory.
    Memory,
    /// In the cache of all multiprocessors.
    Cache,
    /// In the multiprocessor's own.
    Near,
}

/// clk of going through code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// For so many rounds as were asked for.
    pub all: f64,
    /// For one of many.
    pub each: f64,
}

/// One warp.
#[derive(Clone)]
struct Warp {
    /// The next instruction, and rounds that are done.
    at: (usize, usize),
    /// When its operands are there.
    ready: f64,
    /// When registers and predicates are there.
    values: [f64; 2 * PREDICATE as usize],
    /// When the last predicate is.
    decided: f64,
    /// When it may issue again.
    next: f64,
}

impl Warp {
    fn wait(&mut self, i: &Issue) {
        let values = i.reads.iter().map(|&r| self.values[usize::from(r) % self.values.len()]);
        let decided = if i.guarded { self.decided } else { 0.0 };
        self.ready = values.fold(self.next.max(decided), f64::max);
    }
}

impl Card {
    /// How long an instruction of a warp takes a scheduler's pipe.
    fn taken(&self, part: Part) -> f64 {
        let rate = match part {
            // Half of the FP32 pipe, where it has two.
            Part::Fp32 => self.fp32.min(64.0),
            Part::Fp64 => self.fp64,
            Part::Special => self.special,
            Part::Multiply => self.multiply,
            Part::Adds => self.adds.map_or(self.integer, |_| self.fp32.min(64.0)),
            Part::Other => self.integer,
            Part::Load | Part::Store | Part::Near => 32.0,
            Part::Control => self.issue,
        };
        SCHEDULERS * WARP / rate
    }

    /// From its issue to the instruction that takes its result.
    fn latency(&self, part: Part) -> f64 {
        match part {
            Part::Fp64 => LATENCY_FP64.max(self.taken(Part::Fp64)),
            Part::Special => LATENCY_SPECIAL,
            Part::Near => LATENCY_MEMORY[2],
            _ => LATENCY,
        }
    }

    /// How long so many warps of each scheduler take for so many rounds of a path.
    pub fn pace(&self, path: &[Issue], warps: usize, rounds: f64, place: Place) -> Pace {
        let followed = (rounds.ceil().max(1.0) as usize).min(ROUNDS);
        let all = self.follow(path, warps, followed, place);
        let some = followed / 2;
        let before = if some > 0 { self.follow(path, warps, some, place) } else { 0.0 };
        let each = (all - before) / (followed - some) as f64;
        Pace { all: all + (rounds - followed as f64).max(0.0) * each, each }
    }

    /// When all warps have gone through a path so many times.
    fn follow(&self, path: &[Issue], warps: usize, rounds: usize, place: Place) -> f64 {
        let (latency, rate) = match place {
            Place::Memory => (LATENCY_MEMORY[0], self.memory.unwrap_or(f64::INFINITY)),
            Place::Cache => (LATENCY_MEMORY[1], self.memory.unwrap_or(CACHE_RATE).max(CACHE_RATE)),
            Place::Near => (LATENCY_MEMORY[2], f64::INFINITY),
        };
        let mut pipes = [0.0; 12];
        let (mut free, mut memory) = (0.0_f64, 0.0_f64);
        let fresh = Warp { at: (0, 0), ready: 0.0, values: [0.0; 2 * PREDICATE as usize], decided: 0.0, next: 0.0 };
        let mut all = vec![fresh; warps.max(1)];
        // The pipe of a part that is free first: two halves for FP32, of which one multiplies integers too.
        let pipe = |part: Part, pipes: &[f64; 12]| {
            let halves = self.fp32 >= 128.0 && (part == Part::Fp32 || part == Part::Adds && self.adds.is_some());
            match part {
                _ if halves && pipes[10] < pipes[11] => 10,
                _ if halves => 11,
                Part::Fp32 | Part::Multiply => 10,
                Part::Adds => {
                    if self.adds.is_some() {
                        10
                    } else {
                        Part::Other as usize
                    }
                }
                Part::Store => Part::Load as usize,
                other => other as usize,
            }
        };
        while !path.is_empty() {
            let running = all.iter().enumerate().filter(|(_, w)| w.at.1 < rounds);
            let when = |w: &Warp| w.ready.max(free).max(pipes[pipe(path[w.at.0].part, &pipes)]);
            let first = running.map(|(k, w)| (k, when(w))).min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((k, now)) = first else { break };
            let i = &path[all[k].at.0];
            let w = &mut all[k];
            free = now + f64::from(i.slots);
            w.next = free;
            pipes[pipe(i.part, &pipes)] = now + self.taken(i.part);
            if i.part == Part::Control {
                w.next = now + LATENCY;
            }
            let mut given = now + self.latency(i.part);
            if matches!(i.part, Part::Load | Part::Store) {
                memory = memory.max(now) + i.bytes * WARP * SCHEDULERS / rate;
                given = memory + latency;
            }
            for &r in &i.writes {
                w.values[usize::from(r) % (2 * PREDICATE as usize)] = given;
                if r >= PREDICATE {
                    w.decided = given;
                }
            }
            w.at.0 += 1;
            if w.at.0 == path.len() {
                w.at = (0, w.at.1 + 1);
            }
            w.wait(&path[w.at.0]);
        }
        free.max(memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(part: Part, n: usize, chained: bool) -> Vec<Issue> {
        let one = |k: usize| {
            let register = if chained { 2 } else { (4 + 2 * k) as u16 };
            Issue { part, slots: 1, reads: vec![register], writes: vec![register], guarded: false, bytes: 8.0 }
        };
        (0..n).map(one).collect()
    }

    #[test]
    fn what_warps_wait_for() {
        let card = Card::named("H200").unwrap();
        let each = |path: &[Issue], warps| card.pace(path, warps, 100.0, Place::Near).each;
        // One warp waits for its own results; many wait for the pipe.
        assert_eq!(each(&code(Part::Fp64, 10, true), 1), 80.0);
        assert_eq!(each(&code(Part::Fp64, 10, true), 2), 80.0);
        assert_eq!(each(&code(Part::Fp64, 10, true), 16), 320.0);
        assert_eq!(each(&code(Part::Fp64, 10, false), 1), 20.0);
        assert_eq!(each(&code(Part::Fp32, 32, false), 8), 256.0);
        assert_eq!(each(&code(Part::Other, 32, false), 8), 512.0);
        let rationed = Card::named("B300").unwrap();
        assert_eq!(rationed.pace(&code(Part::Fp64, 10, true), 1, 100.0, Place::Near).each, 640.0);
        assert_eq!(each(&[], 4), 0.0);
    }

    #[test]
    fn memory_and_arithmetic_of_few_warps_do_not_overlap() {
        let card = Card::named("H200").unwrap();
        let path = [code(Part::Load, 3, false), code(Part::Fp64, 60, true)].concat();
        let of = |warps, place| card.pace(&path, warps, 1.0, place).all;
        // The arithmetic waits for the registers of the first load.
        let mut waits = path.clone();
        waits[3].reads = vec![4, 6, 8];
        let of_waiting = |warps| card.pace(&waits, warps, 1.0, Place::Memory).all;
        assert!(of_waiting(1) > 479.0 + 480.0 && of_waiting(1) > of(1, Place::Near) + 400.0);
        let bytes = 8.0 * 24.0 * WARP * SCHEDULERS / card.memory.unwrap();
        assert!(of_waiting(8) > bytes + 479.0 && of_waiting(8) < bytes + 479.0 + 8.0 * 130.0, "{}", of_waiting(8));
        assert_eq!(card.pace(&waits, 8, 10.0, Place::Memory).all, {
            let p = card.pace(&waits, 8, 6.0, Place::Memory);
            p.all + 4.0 * p.each
        });
    }
}
