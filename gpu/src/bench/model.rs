//! Speed from instruction counts and the rates of a card's pipes.
//!
//! A multiprocessor takes at least as many clk for n instructions of a thread as the busiest of its parts: the issue
//! (128 a clk), the register file, which hands an instruction of three different registers out in two clk, one of three
//! doubles in three ([`sass::issue_slots`]), the FP32 pipe, the FP64 pipe, the unit for approximations, the integer pipe.
//! The model takes that bound for the time; what keeps a real card above it, latencies that few warps hide, is that of
//! [`Card::pace`].

use super::operation::tape;
use super::pi::kernel_source;
use super::{PARTS, Subject};
use crate::device::{Api, Description};
use crate::print::Rare;
use crate::sass::{self, Failure, Instruction, Part};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vernier_tape::tape::{Op, Tape, Ty};

/// A card: results per clk and multiprocessor of its pipes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// Its architecture.
    pub architecture: String,
    /// FP32 add, mul, fma.
    pub fp32: f64,
    /// FP64 add, mul, fma.
    pub fp64: f64,
    /// Approximations of reciprocals and roots.
    pub special: f64,
    /// Integers and comparisons.
    pub integer: f64,
    /// Products of integers.
    #[serde(default = "half")]
    pub multiply: f64,
    /// Instructions of any kind.
    pub issue: f64,
    /// Additions and moves of integers, where they have a rate of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adds: Option<f64>,
    /// Bytes from and to memory; none where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<f64>,
    /// GHz.
    #[serde(default = "usual_clock")]
    pub clock: f64,
    /// Multiprocessors.
    #[serde(default = "usual_units")]
    pub units: u32,
    /// Bytes in the cache that they share.
    #[serde(default = "usual_cache")]
    pub cache: f64,
}

/// Every architecture listed has as many.
fn half() -> f64 {
    64.0
}

/// Those of a card whose file does not say.
fn usual_units() -> u32 {
    132
}

fn usual_clock() -> f64 {
    1.98
}

/// Seconds of a launch between two events. Measured on an H200 with CUDA 13.0, where the least that any kernel of the examples takes is
/// a microsecond more.
const LAUNCH: f64 = 6.6e-6;
/// The share of a memory's rate that is reached: the one measured factor, of maps on an H200.
pub(super) const REACHED: f64 = 0.86;

fn usual_cache() -> f64 {
    50e6
}

/// Cards that can be named, beside [`CARDS`].
const OTHERS: [(&str, &str); 5] =
    [("A100", "sm_80"), ("H100", "sm_90"), ("H200", "sm_90"), ("B200", "sm_100"), ("L40S", "sm_89")];

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

/// Names of cards that [`Card::named`] knows.
pub fn card_names() -> impl Iterator<Item = &'static str> {
    CARDS.iter().chain(&OTHERS).map(|(name, _)| *name)
}

/// The cards with published pi figures: name and architecture.
pub const CARDS: [(&str, &str); 3] =
    [("RTX 6000 Ada", "sm_89"), ("RTX PRO 6000 Blackwell", "sm_120"), ("B300", "sm_103")];

impl Card {
    /// A card of this architecture (CUDA Programming Guide, throughput of arithmetic instructions; B300 has 2 FP64
    /// results a clk).
    pub fn new(name: &str, architecture: &str) -> Option<Card> {
        let (fp32, fp64, integer) = match architecture {
            "sm_80" => (64.0, 32.0, 64.0),
            "sm_86" | "sm_89" => (128.0, 2.0, 64.0),
            "sm_90" => (128.0, 64.0, 64.0),
            "sm_100" => (128.0, 64.0, 64.0),
            "sm_103" => (128.0, 2.0, 64.0),
            "sm_120" | "sm_121" => (128.0, 2.0, 64.0),
            _ => return None,
        };
        // Of the data sheets, with units and memory below.
        let clock = match architecture {
            "sm_80" => 1.41,
            "sm_86" | "sm_89" => 2.5,
            "sm_90" => 1.98,
            "sm_120" | "sm_121" => 2.6,
            _ => 1.93,
        };
        // Bandwidth over multiprocessors and clock.
        let memory = Some(match architecture {
            _ if name.contains("H100") => 12.8,
            "sm_80" => 13.4,
            "sm_86" | "sm_89" => 2.6,
            "sm_90" => 18.4,
            "sm_120" | "sm_121" => 3.6,
            _ => 28.0,
        });
        // Both halves of the FP32 pipe add and move integers; shifts, logic and comparisons have one, as the published speeds of
        // emulated doubles tell: a tenth above those of sm_89, where they would be twice.
        let adds = matches!(architecture, "sm_120" | "sm_121").then_some(128.0);
        let (units, cache) = match architecture {
            _ if name.contains("PRO 6000") => (188, 128e6),
            "sm_80" => (108, 40e6),
            "sm_86" | "sm_89" => (142, 96e6),
            "sm_90" => (132, 50e6),
            "sm_120" | "sm_121" => (170, 96e6),
            _ => (148, 126e6),
        };
        let (name, architecture) = (name.to_string(), architecture.to_string());
        Some(Card {
            name,
            architecture,
            fp32,
            fp64,
            special: 16.0,
            integer,
            multiply: half(),
            issue: 128.0,
            adds,
            memory,
            clock,
            units,
            cache,
        })
    }

    /// A card by its name, in any case: one of [`card_names`], or its beginning.
    pub fn named(name: &str) -> Option<Card> {
        let same = |known: &str| known.eq_ignore_ascii_case(name);
        let begins = |known: &str| known.to_lowercase().starts_with(&name.to_lowercase()) && name.len() > 2;
        let all = || CARDS.iter().chain(&OTHERS);
        let found = all().find(|(known, _)| same(known)).or_else(|| all().find(|(known, _)| begins(known)));
        found.and_then(|(known, architecture)| Card::new(known, architecture))
    }

    /// clk of a launch.
    pub fn launch(&self) -> f64 {
        LAUNCH * self.clock * 1e9
    }

    /// Whether FP64 runs at far less than half the rate of FP32.
    pub fn is_rationed(&self) -> bool {
        self.fp64 * 8.0 < self.fp32
    }

    /// clk per evaluation on a multiprocessor, and the part that takes them.
    pub fn clocks(&self, c: &Counts) -> (f64, &'static str) {
        let (beside, integers) = if self.adds.is_some() { (c.adds, c.other) } else { (0.0, c.other + c.adds) };
        [
            // Half of the FP32 pipe multiplies integers.
            ((c.fp32 + c.multiply + beside) / self.fp32, "FP32"),
            (c.adds / self.adds.unwrap_or(f64::INFINITY), "integer"),
            (c.multiply / self.multiply, "products"),
            (c.fp64 / self.fp64, "FP64"),
            (c.special / self.special, "special"),
            (integers / self.integer, "integer"),
            (c.total() / self.issue, "issue"),
            (c.slots / self.issue, "registers"),
            (self.memory.map_or(0.0, |rate| c.bytes / (REACHED * rate)), "memory"),
        ]
        .into_iter()
        .fold((0.0, "issue"), |most, part| if part.0 > most.0 { part } else { most })
    }

    /// Evaluations of two kinds at the same time on all pipes: the share of the second that takes least, in parts of [`PARTS`], with its
    /// clk per evaluation and the part that takes them. What waits is not in it: no division of the work takes less.
    pub fn shared(&self, one: &Counts, other: &Counts) -> (f64, f64, &'static str) {
        let at = |share: u32| {
            let part = f64::from(share) / f64::from(PARTS);
            let mut both = one.times(1.0 - part);
            both.add(other.times(part));
            let (clocks, bound) = self.clocks(&both);
            (part, clocks, bound)
        };
        (0..=PARTS).map(at).min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::INFINITY, "issue"))
    }
}

/// The card that a device is, where its architecture is known.
pub fn card_of(device: &Description) -> Option<Card> {
    Card::new(&device.name, &device.architecture).map(|card| Card { units: device.units.max(1), ..card })
}

/// Instructions of an evaluation by the part that executes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// FP32 add, mul, fma.
    pub fp32: f64,
    /// FP64 add, mul, fma, comparisons.
    pub fp64: f64,
    /// Approximations.
    pub special: f64,
    /// Products of integers.
    #[serde(default)]
    pub multiply: f64,
    /// Additions and moves of integers that some cards have another rate for.
    #[serde(default)]
    pub adds: f64,
    /// The rest.
    pub other: f64,
    /// Issue slots, those in which the issue waits for registers included.
    pub slots: f64,
    /// Bytes from and to memory.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes: f64,
}

impl Counts {
    /// All instructions.
    pub fn total(&self) -> f64 {
        self.fp32 + self.fp64 + self.special + self.multiply + self.adds + self.other
    }

    /// Of machine code that carries out so many evaluations.
    pub fn of_code(path: &[&Instruction], evaluations: f64) -> Counts {
        let mut c = Counts { slots: sass::issue_slots(path) / evaluations, ..Counts::default() };
        for i in path {
            let part = match Part::of(i) {
                Part::Special => &mut c.special,
                Part::Convert => &mut c.fp64,
                Part::Multiply => &mut c.multiply,
                Part::Adds => &mut c.adds,
                Part::Fp32 => &mut c.fp32,
                Part::Fp64 => &mut c.fp64,
                _ => &mut c.other,
            };
            *part += 1.0 / evaluations;
        }
        c
    }

    /// Of so many evaluations.
    pub fn times(self, n: f64) -> Counts {
        Counts {
            fp32: self.fp32 * n,
            fp64: self.fp64 * n,
            special: self.special * n,
            multiply: self.multiply * n,
            adds: self.adds * n,
            other: self.other * n,
            slots: self.slots * n,
            bytes: self.bytes * n,
        }
    }

    /// Those of another evaluation too.
    pub fn add(&mut self, c: Counts) {
        self.fp32 += c.fp32;
        self.fp64 += c.fp64;
        self.special += c.special;
        self.multiply += c.multiply;
        self.adds += c.adds;
        self.other += c.other;
        self.slots += c.slots;
        self.bytes += c.bytes;
    }

    /// What CUDA issues for the usual path of a tape, each operand a register of its own: exact for additions, products and fused operations; the code of
    /// the printed seeds and, about, of the compiler's division and root for those.
    pub fn of(tape: &Tape) -> Counts {
        let tape = &tape.with_range_tests().with_halves();
        let mut sum = Counts::default();
        for &id in &tape.body.items {
            let node = tape.node(id);
            if let Op::Call(c) = node.op {
                sum.add(Counts::of(&tape.callee(c).tape));
                continue;
            }
            let operand = node.args().first().map_or(node.ty, |&a| tape.node(a).ty);
            let wide = operand == Ty::F64;
            let reads = match (wide, node.op) {
                (false, Op::Fma) => 2.0,
                (false, _) => 1.0,
                (true, Op::Fma) => 3.0,
                (true, _) => 2.0,
            };
            let fp = |n: f64, special: f64, other: f64| {
                let slots = n * reads + special + other;
                match wide {
                    true => Counts { fp64: n, special, other, slots, ..Counts::default() },
                    false => Counts { fp32: n, special, other, slots, ..Counts::default() },
                }
            };
            sum.add(match node.op {
                Op::Add | Op::Sub | Op::Mul | Op::Fma if operand.is_float() => fp(1.0, 0.0, 0.0),
                Op::Lt | Op::Le | Op::Eq if wide => fp(1.0, 0.0, 0.0),
                // Branches are a test, a jump and reconvergence.
                Op::Div if wide => Counts { fp32: 1.0, ..fp(8.0, 1.0, 5.0) },
                Op::Div => fp(5.0, 2.0, 3.0),
                Op::Rcp if wide => Counts { fp32: 1.0, ..fp(5.0, 1.0, 4.0) },
                Op::Rcp => fp(2.0, 1.0, 4.0),
                Op::RcpModerate if wide => fp(5.0, 1.0, 0.0),
                Op::RcpModerate => fp(2.0, 1.0, 0.0),
                Op::Sqrt if wide => fp(8.0, 1.0, 8.0),
                Op::Sqrt => fp(5.0, 1.0, 5.0),
                Op::SqrtRcp if wide => fp(13.0, 1.0, 0.0),
                Op::SqrtRcp => fp(6.0, 2.0, 0.0),
                Op::InRange { .. } => fp(0.0, 0.0, 2.0),
                // Signs are part of the operand; bits cost nothing.
                Op::Neg | Op::Abs | Op::Const(_) | Op::Bits | Op::FromBits | Op::Second | Op::Copy => continue,
                Op::Result(_) => continue,
                Op::Branch(_) => fp(0.0, 0.0, 3.0),
                _ => fp(0.0, 0.0, 1.0),
            });
        }
        sum
    }
}

/// Floating-point instructions of an evaluation on its usual path, seeds included, from the tape; none where the subject
/// has no such operation.
pub fn instructions(subject: Subject, op: &str) -> Option<f64> {
    tape(subject, op).map(|t| Counts::of(&t)).map(|c| c.fp32 + c.fp64)
}

/// Instructions of an operation without machine code: from its tape; of a function that the native library has, about.
pub fn estimated(subject: Subject, op: &str) -> Counts {
    match (tape(subject, op), subject) {
        (Some(t), _) => Counts::of(&t),
        (None, Subject::Float) => Counts { fp32: 20.0, other: 10.0, slots: 40.0, ..Counts::default() },
        (None, _) => Counts { fp64: 20.0, other: 10.0, slots: 50.0, ..Counts::default() },
    }
}

/// Instructions for one term of the pi benchmark: from machine code where NVRTC and the disassembler are found.
///
/// # Errors
/// Why they were not counted; [`predict`] then estimates them from tapes.
pub fn pi_counts(architecture: &str, rare: Rare) -> Result<BTreeMap<Subject, Counts>, Failure> {
    let listing = sass::listing(&kernel_source(Api::Cuda, &Subject::ALL, rare).text, architecture)?;
    let one = |subject: Subject| {
        let code = listing.get(&format!("vernier_pi_{}", subject.name())).cloned().unwrap_or_default();
        let path = code.loop_path();
        // The loop is unrolled; a term has one division, which starts from one approximation.
        let terms = path.iter().filter(|i| i.name() == "MUFU").count().max(1) as f64;
        let c = Counts::of_code(&path, terms);
        (subject, c)
    };
    Ok(Subject::ALL.into_iter().map(one).collect())
}

/// The same from tapes.
fn pi_counts_of_tapes() -> BTreeMap<Subject, Counts> {
    let one = |subject| {
        // The loop's own: counter, comparison, jump.
        let mut c = Counts { other: 3.0, slots: 3.0, ..Counts::default() };
        for op in ["mul", "add", "div", "add", "add"] {
            c.add(tape(subject, op).map_or(Counts::default(), |t| Counts::of(&t)));
        }
        (subject, c)
    };
    Subject::ALL.into_iter().map(one).collect()
}

/// The pi benchmark of one subject on one card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The card.
    pub card: Card,
    /// The type.
    pub subject: Subject,
    /// Instructions per term.
    pub counts: Counts,
    /// Whether they were read from machine code, not estimated from tapes.
    pub from_machine_code: bool,
    /// clk per term on a multiprocessor.
    pub clocks: f64,
    /// The part that takes them.
    pub bound: String,
    /// Double's time over this type's.
    pub speed_vs_double: f64,
}

/// Predictions of all subjects on a card.
pub fn predict(card: &Card, rare: Rare) -> Vec<Prediction> {
    let counted = pi_counts(&card.architecture, rare);
    let from_machine_code = counted.is_ok();
    let counts = counted.unwrap_or_else(|_| pi_counts_of_tapes());
    let double = card.clocks(&counts[&Subject::Double]).0;
    let one = |(&subject, &counts): (&Subject, &Counts)| {
        let (clocks, bound) = card.clocks(&counts);
        let speed_vs_double = double / clocks;
        let bound = bound.to_string();
        Prediction { card: card.clone(), subject, counts, from_machine_code, clocks, bound, speed_vs_double }
    };
    counts.iter().map(one).collect()
}

/// Published speed relative to double: ([`Subject::published_name`], card) to ratio, from a table as `pi.tsv`.
pub fn published_pi(table: &str) -> BTreeMap<(String, String), f64> {
    let row = |line: &str| {
        let f: Vec<&str> = line.split('\t').collect();
        let &[subject, "speed_vs_double", card, value] = f.as_slice() else { return None };
        Some(((subject.to_string(), card.to_string()), value.parse().ok()?))
    };
    table.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_part_decides() {
        let card = Card::new("", "sm_89").unwrap();
        let c = |fp32, fp64, special, other| {
            card.clocks(&Counts { fp32, fp64, special, other, slots: 100.0, ..Counts::default() })
        };
        assert_eq!(c(128.0, 0.0, 0.0, 0.0), (1.0, "FP32"));
        assert_eq!(c(64.0, 4.0, 1.0, 8.0), (2.0, "FP64"));
        assert_eq!(c(8.0, 0.0, 16.0, 0.0), (1.0, "special"));
        assert_eq!(c(40.0, 0.0, 1.0, 87.0), (87.0 / 64.0, "integer"));
        assert_eq!(c(64.0, 0.0, 1.0, 63.0), (1.0, "issue"));
        assert_eq!(c(32.0, 0.0, 0.0, 0.0), (100.0 / 128.0, "registers"));
        assert!(Card::new("", "sm_10").is_none());
        // Additions and moves are integers, and on some cards of the FP32 pipe too.
        let moves = Counts { adds: 128.0, ..Counts::default() };
        assert_eq!(card.clocks(&moves), (2.0, "integer"));
        assert_eq!(Card::new("", "sm_120").unwrap().clocks(&moves).0, 1.0);
    }

    /// What FP64 and integers take at the same time.
    #[test]
    fn two_pipes_share_evaluations() {
        let double = Counts { fp64: 10.0, slots: 10.0, ..Counts::default() };
        let emulated = Counts { other: 160.0, slots: 160.0, ..Counts::default() };
        // 5 clk or 2.5: a third in double takes 5/3 on both pipes.
        let (share, clocks, _) = Card::named("B300").unwrap().shared(&double, &emulated);
        assert!((share - 2.0 / 3.0).abs() < 0.01 && (clocks - 5.0 / 3.0).abs() < 0.02, "{share} {clocks}");
        // 0.156 clk and 2.5: a sixteenth at most.
        let (share, clocks, _) = Card::named("H200").unwrap().shared(&double, &emulated);
        assert!(share < 0.07 && clocks > 0.14, "{share} {clocks}");
    }

    #[test]
    fn cards_are_named() {
        let of = |name| Card::named(name).map(|c| (c.name, c.architecture));
        assert_eq!(of("b300"), Some(("B300".into(), "sm_103".into())));
        assert_eq!(of("rtx pro 6000").map(|c| c.1).as_deref(), Some("sm_120"));
        assert_eq!((of("B3"), of("")), (None, None));
        assert!(card_names().all(|name| Card::named(name).is_some_and(|c| c.name == name)));
        assert_eq!(["H200", "B300"].map(|n| Card::named(n).unwrap().is_rationed()), [false, true]);
    }

    #[test]
    fn tapes_are_counted() {
        let of = |subject, op| Counts::of(&tape(subject, op).unwrap());
        assert_eq!(of(Subject::Fp32mp2Low, "add"), Counts { fp32: 8.0, slots: 8.0, ..Counts::default() });
        assert_eq!(of(Subject::Fp64mp2Mid, "mul"), Counts { fp64: 9.0, slots: 19.0, ..Counts::default() });
        assert_eq!(of(Subject::Float, "fma"), Counts { fp32: 1.0, slots: 2.0, ..Counts::default() });
        let high = of(Subject::Fp32mp2High, "add");
        assert!(high.fp32 == 20.0 && (4.0..8.0).contains(&high.other), "{high:?}");
    }
}
