//! Machine code as schedulers see it: what an instruction waits for, what waits for it, and the part that executes it.

use super::code::{Class, Instruction, slots};
use serde::{Deserialize, Serialize};

/// What executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// FP32 add, mul, fma.
    Fp32,
    /// FP64 add, mul, fma, comparisons.
    Fp64,
    /// Approximations.
    Special,
    /// Products of integers.
    Multiply,
    /// Additions and moves of integers that some cards have another rate for.
    Adds,
    /// Other integers and comparisons.
    Other,
    /// Loads from memory.
    Load,
    /// Stores to memory.
    Store,
    /// Loads of constants, and of what is kept on the multiprocessor.
    Near,
    /// Branches and what belongs to them.
    Control,
}

impl Part {
    /// That of an instruction.
    pub fn of(i: &Instruction) -> Part {
        match i.name() {
            "MUFU" | "FCHK" => Part::Special,
            "IMAD" => Part::Multiply,
            "IADD" | "MOV" | "HFMA2" => Part::Adds,
            "LDG" | "LD" => Part::Load,
            "STG" | "ST" => Part::Store,
            "LDC" | "LDCU" | "ULDC" | "LDS" | "LDL" | "STS" | "STL" | "S2R" | "S2UR" => Part::Near,
            "BRA" | "BSSY" | "BSYNC" | "CALL" | "RET" | "EXIT" | "NOP" | "WARPSYNC" => Part::Control,
            _ => match i.class() {
                Class::Fp32 => Part::Fp32,
                Class::Fp64 => Part::Fp64,
                _ => Part::Other,
            },
        }
    }
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Issue {
    /// What executes it.
    pub part: Part,
    /// Slots of the issue that it takes.
    pub slots: u32,
    /// Registers that it waits for; predicates are above [`PREDICATE`].
    pub reads: Vec<u16>,
    /// Registers and predicates that it gives.
    pub writes: Vec<u16>,
    /// Whether it waits for the last predicate.
    pub guarded: bool,
    /// Bytes of a thread from or to memory.
    pub bytes: f64,
}

/// The first number of a predicate.
pub const PREDICATE: u16 = 256;

/// A piece of code.
pub fn issues(path: &[&Instruction]) -> Vec<Issue> {
    path.iter().zip(slots(path)).map(|(i, slots)| issue(i, slots)).collect()
}

fn issue(i: &Instruction, slots: u32) -> Issue {
    let part = Part::of(i);
    let wide = i.is_double() && part != Part::Special;
    let size = match part {
        Part::Load | Part::Store if i.opcode.contains(".128") => 4,
        Part::Load | Part::Store if i.opcode.contains(".64") => 2,
        _ if wide => 2,
        _ => 1,
    };
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    let gives = !matches!(part, Part::Store | Part::Control) && !matches!(i.name(), "STS" | "STL");
    let last = i.operands.split(',').count() - 1;
    for (place, operand) in i.operands.split(',').map(str::trim).enumerate() {
        let is_result =
            gives && (place == 0 || place == 1 && predicate(operand).is_some() && !operand.starts_with('!'));
        let product = i.opcode.contains(".WIDE") && (place == 0 || place == last);
        // An address has two registers, what is stored as many as its size.
        let words = match part {
            Part::Load | Part::Store if operand.contains(".64") => 2,
            Part::Load if !is_result => 1,
            Part::Store if place != last => 1,
            _ if product => 2,
            _ => size,
        };
        let all = numbers(operand).flat_map(|r| r..r + words).chain(predicate(operand));
        if is_result { writes.extend(all) } else { reads.extend(all) }
    }
    let bytes = if matches!(part, Part::Load | Part::Store) { f64::from(4 * size) } else { 0.0 };
    Issue { part, slots, reads, writes, guarded: i.guarded, bytes }
}

/// The numbers of the registers in an operand: an address has two of them, `desc[UR4][R6.64]` one.
fn numbers(operand: &str) -> impl Iterator<Item = u16> {
    let word = |w: &&str| w.strip_prefix('R').is_some_and(|d| d.starts_with(|c: char| c.is_ascii_digit()));
    let words = operand.split(|c: char| !c.is_ascii_alphanumeric()).filter(word);
    words.filter_map(|w| w[1..].parse().ok())
}

/// The number of the predicate that an operand is; PT is none.
fn predicate(operand: &str) -> Option<u16> {
    let digits = operand.trim_start_matches('!').strip_prefix('P')?;
    Some(PREDICATE + digits.parse::<u16>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::super::code::parse;
    use super::*;

    #[test]
    fn what_waits_for_what() {
        let of = |line: &str| {
            let listing = parse(&format!("Function : k\n/*0000*/ {line} ;\n"));
            let i = issue(&listing["k"].code[0], 1);
            (i.part, i.writes, i.reads)
        };
        use Part::*;
        assert_eq!(of("DFMA R12, R6.reuse, -R12, 0.5"), (Fp64, vec![12, 13], vec![6, 7, 12, 13]));
        assert_eq!(of("FADD R1, |R2|, c[0x0][0x210]"), (Fp32, vec![1], vec![2]));
        assert_eq!(of("LDG.E.64 R6, desc[UR4][R4.64+-0x10]"), (Load, vec![6, 7], vec![4, 5]));
        assert_eq!(of("STG.E.128 desc[UR4][R6.64], R20"), (Store, vec![], vec![6, 7, 20, 21, 22, 23]));
        assert_eq!(of("IADD3 R4, P0, R4, 0x10, RZ"), (Other, vec![4, 256], vec![4]));
        assert_eq!(of("IADD3.X R9, RZ, R13, RZ, P0, !PT"), (Other, vec![9], vec![13, 256]));
        assert_eq!(of("DSETP.GEU.AND P0, PT, |R10|, +INF, !P2"), (Fp64, vec![256], vec![10, 11, 258]));
        assert_eq!(of("IMAD.WIDE.U32 R18, R5, UR5, R2"), (Multiply, vec![18, 19], vec![5, 2, 3]));
        assert_eq!(of("MUFU.RSQ64H R15, R17"), (Special, vec![15], vec![17]));
        assert_eq!(of("BRA P1, 0x180"), (Control, vec![], vec![257]));
    }
}
