//! Speed from instruction counts and the rates of a card's pipes.
//!
//! A multiprocessor takes at least as many clk for n instructions of a thread as the busiest of its parts: the issue
//! (128 a clk), the register file, which hands an instruction of three different registers out in two clk, one of three
//! doubles in three ([`sass::issue_slots`]), the FP32 pipe, the FP64 pipe, the unit for approximations, the integer pipe.
//! The model takes that bound for the time; what keeps a real card above it (latencies that few threads hide, launches)
//! is not in it, so that it is best for ratios of long kernels.

use super::Subject;
use super::operation::tape;
use super::pi::kernel_source;
use crate::device::{Api, Description};
use crate::print::Rare;
use crate::sass::{self, Class, Failure};
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
}

/// Every architecture listed has as many.
fn half() -> f64 {
    64.0
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
            "sm_120" | "sm_121" => (128.0, 2.0, 128.0),
            _ => return None,
        };
        let (name, architecture) = (name.to_string(), architecture.to_string());
        Some(Card { name, architecture, fp32, fp64, special: 16.0, integer, multiply: half(), issue: 128.0 })
    }

    /// clk per evaluation on a multiprocessor, and the part that takes them.
    pub fn clocks(&self, c: &Counts) -> (f64, &'static str) {
        [
            // Half of the FP32 pipe multiplies integers.
            ((c.fp32 + c.multiply) / self.fp32, "FP32"),
            (c.multiply / self.multiply, "products"),
            (c.fp64 / self.fp64, "FP64"),
            (c.special / self.special, "special"),
            (c.other / self.integer, "integer"),
            (c.total() / self.issue, "issue"),
            (c.slots / self.issue, "registers"),
        ]
        .into_iter()
        .fold((0.0, "issue"), |most, part| if part.0 > most.0 { part } else { most })
    }
}

/// The card that a device is, where its architecture is known.
pub fn card_of(device: &Description) -> Option<Card> {
    Card::new(&device.name, &device.architecture)
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
    /// The rest.
    pub other: f64,
    /// Issue slots, those in which the issue waits for registers included.
    pub slots: f64,
}

impl Counts {
    /// All instructions.
    pub fn total(&self) -> f64 {
        self.fp32 + self.fp64 + self.special + self.multiply + self.other
    }

    fn add(&mut self, c: Counts) {
        self.fp32 += c.fp32;
        self.fp64 += c.fp64;
        self.special += c.special;
        self.multiply += c.multiply;
        self.other += c.other;
        self.slots += c.slots;
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
        let mut c = Counts { slots: sass::issue_slots(&path) / terms, ..Counts::default() };
        for i in path {
            let part = match i.class() {
                _ if matches!(i.name(), "MUFU" | "FCHK") => &mut c.special,
                _ if i.name() == "IMAD" => &mut c.multiply,
                Class::Fp32 => &mut c.fp32,
                Class::Fp64 => &mut c.fp64,
                _ => &mut c.other,
            };
            *part += 1.0 / terms;
        }
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
