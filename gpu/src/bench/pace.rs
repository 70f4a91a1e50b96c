//! The time of a piece of machine code that every warp of a multiprocessor goes through some times.
//!
//! A multiprocessor has four schedulers. Each issues, clk by clk, the next instruction of one of its warps that waits for nothing. What it
//! waits for is written in the machine code: so many clk where the compiler knows how long a result takes, otherwise one of six barriers
//! ([`crate::sass::Control`]), which approximations, conversions and loads open. Pipes and memory work at the card's rates. Warps that begin
//! together load together and compute together, so that few of them do not hide what they wait for, which the rates of pipes alone do not tell.

use super::Card;
use super::model::REACHED;
use crate::sass::{Issue, Part};

/// Schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;
/// Threads of a warp.
const WARP: f64 = 32.0;
/// clk of FP32 and integer instructions, which compilers wait in their code.
const LATENCY: f64 = 4.0;
/// The same of FP64, beside the time that its pipe is taken.
const LATENCY_FP64: f64 = 8.0;
/// Of approximations and conversions until their barrier opens. This and what follows is measured: with it the examples take the time that
/// they take on an H200 with few warps.
const LATENCY_SPECIAL: f64 = 40.0;
/// From a branch to where it goes, and of the meeting of the threads that did not go there.
const BRANCH: f64 = 14.0;
/// From memory, the cache of all multiprocessors and that of one.
const LATENCY_MEMORY: [f64; 3] = [1000.0, 320.0, 40.0];
/// Bytes that the cache of a multiprocessor fetches at a time.
const BLOCK: f64 = 64.0;
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
    /// When what it waits for is there.
    ready: f64,
    /// When barriers open.
    barriers: [f64; 6],
    /// When it may issue again.
    next: f64,
    /// Bytes that a thread has loaded.
    loaded: f64,
    /// When the last of them are there.
    fetched: f64,
}

impl Warp {
    fn wait(&mut self, i: &Issue) {
        let open = (0..6).filter(|b| i.control.waits >> b & 1 == 1).map(|b| self.barriers[b]);
        self.ready = open.fold(self.next, f64::max);
    }

    fn opens(&mut self, barrier: Option<u8>, at: f64) {
        if let Some(b) = barrier {
            let b = &mut self.barriers[usize::from(b)];
            *b = b.max(at);
        }
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
            Part::Convert => self.fp64.min(self.special),
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
            Part::Special | Part::Convert => LATENCY_SPECIAL.max(self.taken(part)),
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
            Place::Memory => (LATENCY_MEMORY[0], REACHED * self.memory.unwrap_or(f64::INFINITY)),
            Place::Cache => (LATENCY_MEMORY[1], self.memory.unwrap_or(CACHE_RATE).max(CACHE_RATE)),
            Place::Near => (LATENCY_MEMORY[2], f64::INFINITY),
        };
        let mut pipes = [0.0; 13];
        let (mut free, mut memory) = (0.0_f64, 0.0_f64);
        let fresh = Warp { at: (0, 0), ready: 0.0, barriers: [0.0; 6], next: 0.0, loaded: 0.0, fetched: 0.0 };
        let mut all = vec![fresh; warps.max(1)];
        // The pipe of a part that is free first: two halves for FP32, of which one multiplies integers too.
        let pipe = |part: Part, pipes: &[f64; 13]| {
            let halves = self.fp32 >= 128.0 && (part == Part::Fp32 || part == Part::Adds && self.adds.is_some());
            match part {
                _ if halves && pipes[11] < pipes[12] => 11,
                _ if halves => 12,
                Part::Fp32 | Part::Multiply => 11,
                Part::Adds => {
                    if self.adds.is_some() {
                        11
                    } else {
                        Part::Other as usize
                    }
                }
                Part::Store => Part::Load as usize,
                Part::Convert => Part::Special as usize,
                other => other as usize,
            }
        };
        while !path.is_empty() {
            let running = all.iter().enumerate().filter(|(_, w)| w.at.1 < rounds);
            let when = |w: &Warp| w.ready.max(free).max(pipes[pipe(path[w.at.0].part, &pipes)]);
            // Of those that are ready the one that has issued nothing for longest.
            let first = running
                .map(|(k, w)| (k, when(w), w.next))
                .min_by(|a, b| (a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2)));
            let Some((k, now, _)) = first else { break };
            let i = &path[all[k].at.0];
            let w = &mut all[k];
            free = now + f64::from(i.slots);
            let stall = f64::from(i.control.stall);
            w.next = now
                + match i.part {
                    _ if i.taken => stall.max(BRANCH),
                    Part::Control if i.meets => stall.max(BRANCH),
                    _ => stall.max(f64::from(i.slots)),
                };
            pipes[pipe(i.part, &pipes)] = now + self.taken(i.part);
            let mut given = now + self.latency(i.part);
            if matches!(i.part, Part::Load | Part::Store) {
                memory = memory.max(now) + i.bytes * WARP * SCHEDULERS / rate;
                // What all threads go through is fetched by blocks into the multiprocessor's cache.
                let blocks = (w.loaded / BLOCK).floor();
                w.loaded += i.bytes;
                let fetches = (w.loaded / BLOCK).floor() > blocks;
                given = match place {
                    _ if i.beside && place != Place::Near => w.fetched.max(now + LATENCY_MEMORY[2]),
                    Place::Near if fetches => now + LATENCY_MEMORY[1],
                    _ => memory + latency,
                };
                w.fetched = given;
            }
            w.opens(i.control.gives, given);
            w.opens(i.control.frees, now + LATENCY);
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
    use crate::sass::Control;

    /// Instructions that do or do not wait for each other; loads open barrier 0.
    fn code(part: Part, n: usize, chained: bool) -> Vec<Issue> {
        let latency = if part == Part::Fp64 { 8 } else { 4 };
        let gives = (part == Part::Load).then_some(0);
        let control = Control { stall: if chained { latency } else { 1 }, gives, ..Control::default() };
        vec![Issue { part, slots: 1, control, taken: false, meets: false, bytes: 8.0, beside: false }; n]
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
        waits[3].control.waits = 1;
        let of_waiting = |warps| card.pace(&waits, warps, 1.0, Place::Memory).all;
        let latency = LATENCY_MEMORY[0];
        assert!(of_waiting(1) > latency + 470.0 && of_waiting(1) > of(1, Place::Near) + 400.0);
        let bytes = 8.0 * 24.0 * WARP * SCHEDULERS / (REACHED * card.memory.unwrap());
        assert!(of_waiting(8) > bytes + latency && of_waiting(8) < bytes + latency + 8.0 * 130.0, "{}", of_waiting(8));
        assert_eq!(card.pace(&waits, 8, 10.0, Place::Memory).all, {
            let p = card.pace(&waits, 8, 6.0, Place::Memory);
            p.all + 4.0 * p.each
        });
    }
}
