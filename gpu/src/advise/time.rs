//! How long candidates take on a card, from their machine code.

use super::{Code, THREADS};
use crate::bench::{Card, Counts, Place};

/// The time of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// clk of the card from the launch to the end.
    pub clocks: f64,
    /// What takes most of it beside the busiest part: `launch`, or `latency`, what warps wait for.
    pub bound: Option<&'static str>,
}

/// Warps wait where they take so many times as long as the busiest part.
const WAITING: f64 = 1.5;
/// Passes through a loop inside the item's of which one is timed: those before and after it are not like it.
const MANY: f64 = 100.0;

/// One instruction in so many is floating-point arithmetic in a loop of it; emulated types have less.
const ARITHMETIC: f64 = 16.0;

impl Code {
    /// clk for so many items that each stream so many bytes, and whether warps wait: of one pass for each item where the loop is inside the
    /// item's. Blocks that a multiprocessor does not hold at once follow those that it does.
    fn time(&self, card: &Card, items: u64, bytes: f64, place: Place) -> (f64, bool) {
        let threads = items.clamp(1, THREADS);
        let blocks = threads.div_ceil(256).div_ceil(card.units.max(1).into()).max(1);
        let held = u64::from(self.warps(&card.architecture).0 / 8).max(1);
        let rounds = items.div_ceil(threads) as f64;
        let of = |blocks: u64| {
            if blocks == 0 {
                return 0.0;
            }
            let pace = |rounds| card.pace(&self.path, 2 * blocks as usize, rounds, place);
            if self.nested { pace(MANY).each * rounds } else { pace(rounds).all }
        };
        let clocks = (blocks / held) as f64 * of(held.min(blocks)) + of(blocks % held);
        let busy = card.clocks(&Counts { bytes, ..self.counts }).0 * (blocks * 256) as f64 * rounds;
        (clocks, clocks > WAITING * busy)
    }
}

/// The time of every candidate's kernel for so many items. An item of each candidate streams so many bytes; `place` says from where.
pub fn times(
    codes: &[Option<&Code>],
    estimates: &[Option<Counts>],
    items: u64,
    card: &Card,
    streamed: &[f64],
    place: impl Fn(usize) -> Place,
) -> Vec<Option<Time>> {
    let each = passes(codes, estimates);
    // Iterations of an item's own loop: what an item does, by its operations, over what an iteration does.
    let nested = codes.iter().flatten().all(|c| c.nested);
    let iterations = |((code, each), estimate): ((&Option<&Code>, &Option<f64>), &Option<Counts>)| {
        Some((*estimate)?.total() * (*each)? / (*code)?.counts.total())
    };
    let mut found: Vec<f64> = codes.iter().zip(&each).zip(estimates).filter_map(iterations).collect();
    found.sort_by(f64::total_cmp);
    let iterations = if nested { found.get(found.len() / 2).copied().unwrap_or(MANY) } else { 1.0 };
    let one = |(k, code): (usize, &Option<&Code>)| {
        let (clocks, waits) = (*code)?.time(card, items, streamed[k], place(k));
        let (clocks, launch) = (clocks * iterations / each[k]?, card.launch());
        let bound = if launch > clocks { Some("launch") } else { waits.then_some("latency") };
        Some(Time { clocks: clocks + launch, bound })
    };
    codes.iter().enumerate().map(one).collect()
}

/// How many iterations one pass through machine code is; `None` where there is none.
///
/// A pass over the items is an item. Of loops inside it the user's iteration may be several in machine code: loads of data tell how many,
/// since all types have the same; otherwise the loop's counter, otherwise approximations, which start a division or a root. Where a
/// compiler has unrolled that loop for some types alone, the others go through it as often as the estimated instructions of an item tell.
fn passes(codes: &[Option<&Code>], estimates: &[Option<Counts>]) -> Vec<Option<f64>> {
    let known = || codes.iter().flatten();
    let nested = known().all(|c| c.nested);
    let loads = known().all(|c| c.loads > 0.0);
    let (counters, approximations) = (known().all(|c| c.step.is_some()), known().all(|c| c.counts.special > 0.0));
    let one = |(k, code): (usize, &Option<&Code>)| {
        let code = (*code)?;
        Some(match code.step {
            _ if !code.nested => 1.0,
            _ if !nested => {
                let whole = estimates.get(k).copied().flatten().unwrap_or_default();
                // Conversions and the loop's own are not estimated, floating-point arithmetic is.
                let arithmetic = |c: &Counts| c.fp32 + c.fp64;
                let told = arithmetic(&code.counts) * ARITHMETIC > code.counts.total();
                let part = |c: &Counts| if told { arithmetic(c) } else { c.total() };
                part(&code.counts) / part(&whole).max(part(&code.counts))
            }
            _ if loads => code.loads,
            Some(step) if counters => step as f64,
            _ if approximations => code.counts.special,
            _ => 1.0,
        })
    };
    codes.iter().enumerate().map(one).collect()
}

/// Instructions of one iteration, where each of them streams so many bytes; `None` where there is no machine code.
pub fn iterations(codes: &[Option<&Code>], estimates: &[Option<Counts>], streamed: &[f64]) -> Vec<Option<Counts>> {
    let one = |((code, n), &bytes): ((&Option<&Code>, Option<f64>), &f64)| {
        Some(Counts { bytes, ..(*code)?.counts }.times(1.0 / n?))
    };
    codes.iter().zip(passes(codes, estimates)).zip(streamed).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn iterations_are_told_apart() {
        let code = |fp32, loads, step| Code {
            nested: true,
            counts: Counts { fp32, slots: 0.0, ..Counts::default() },
            fp64_at: BTreeMap::new(),
            conversions: Vec::new(),
            loads,
            step,
            registers: 32,
            path: Vec::new(),
            spilled: 0,
        };
        let of = |a: &Code, b: &Code| {
            let both = iterations(&[Some(a), None, Some(b)], &[None; 3], &[0.0; 3]);
            assert_eq!(both[1], None);
            both[0].unwrap().fp32 / both[2].unwrap().fp32
        };
        assert_eq!(of(&code(128.0, 4.0, None), &code(128.0, 1.0, Some(1))), 0.25);
        assert_eq!(of(&code(128.0, 0.0, Some(8)), &code(128.0, 1.0, Some(2))), 0.25);
        assert_eq!(of(&code(128.0, 0.0, None), &code(64.0, 1.0, Some(2))), 2.0);
        let streamed = iterations(&[Some(&code(128.0, 2.0, None))], &[None], &[1e4])[0].unwrap();
        assert_eq!(streamed.bytes, 5e3);
        // Unrolled for one type, a loop inside the item for another.
        let (whole, inner) = (Code { nested: false, ..code(100.0, 1.0, None) }, code(20.0, 0.0, Some(2)));
        let estimate = Counts { fp32: 200.0, ..Counts::default() };
        let both = iterations(&[Some(&whole), Some(&inner)], &[Some(estimate); 2], &[0.0; 2]);
        assert_eq!([both[0].unwrap().fp32, both[1].unwrap().fp32], [100.0, 200.0]);
        // Beside arithmetic, what no estimate knows: ten passes all the same.
        let mut converts = inner.clone();
        converts.counts.other = 150.0;
        let both = iterations(&[Some(&whole), Some(&converts)], &[Some(estimate); 2], &[0.0; 2]);
        assert_eq!([both[1].unwrap().fp32, both[1].unwrap().other], [200.0, 1500.0]);
        assert_eq!(Card::new("", "sm_90").unwrap().clocks(&streamed).1, "memory");
    }

    /// What a launch takes is all that a few items take; blocks beyond those that are held take their time after them.
    #[test]
    fn launches_and_blocks() {
        let path = vec![
            crate::sass::Issue {
                part: crate::sass::Part::Fp64,
                slots: 1,
                control: crate::sass::Control { stall: 8, ..Default::default() },
                taken: false,
                meets: false,
                bytes: 0.0,
                beside: false,
            };
            1000
        ];
        let code = |registers| Code {
            nested: false,
            counts: Counts { fp64: 1000.0, ..Counts::default() },
            fp64_at: BTreeMap::new(),
            conversions: Vec::new(),
            loads: 0.0,
            step: None,
            registers,
            path: path.clone(),
            spilled: 0,
        };
        let card = Card::named("H200").unwrap();
        let of = |registers, items| {
            let code = code(registers);
            times(&[Some(&code)], &[None], items, &card, &[0.0], |_| Place::Near)[0].unwrap()
        };
        let few = of(32, 256);
        assert!((few.clocks - card.launch() - 8000.0).abs() < 10.0 && few.bound == Some("launch"), "{few:?}");
        // Four blocks of 8 warps a multiprocessor: all at once, or three and then one.
        let (all, three) = (of(32, THREADS), of(80, THREADS));
        assert!((all.clocks - card.launch() - 16000.0).abs() < 100.0, "{all:?}");
        assert!((three.clocks - card.launch() - 20000.0).abs() < 100.0, "{three:?}");
    }
}
