//! Machine code as schedulers see it: what an instruction waits for, what waits for it, and the part that executes it.

use super::code::{Class, Control, Instruction, slots};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// FP32 add, mul, fma.
    Fp32,
    /// FP64 add, mul, fma, comparisons.
    Fp64,
    /// Approximations, conversions, and places and numbers of bits.
    Special,
    /// Conversions from and to doubles.
    Convert,
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
            "MUFU" | "FCHK" | "FLO" | "POPC" | "BREV" => Part::Special,
            "F2F" | "F2I" | "I2F" | "FRND" | "F2D" | "I2D" | "D2F" | "D2I" if i.is_double() => Part::Convert,
            "F2F" | "F2I" | "I2F" | "FRND" => Part::Special,
            "IMAD" => Part::Multiply,
            "IADD" | "MOV" | "HFMA2" => Part::Adds,
            // Tables of functions.
            "LDG" if i.opcode.contains(".CONSTANT") => Part::Near,
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Issue {
    /// What executes it.
    pub part: Part,
    /// Slots of the issue that it takes.
    pub slots: u32,
    /// What it waits for, and what waits for it.
    pub control: Control,
    /// Whether it is a branch to somewhere else.
    pub taken: bool,
    /// Whether the threads of a warp meet in it.
    pub meets: bool,
    /// Bytes of a thread from or to memory.
    pub bytes: f64,
    /// Whether it loads from beside what another load before it has fetched: their addresses are a register and numbers.
    pub beside: bool,
}

/// A piece of code that is gone through again and again.
pub fn issues(path: &[&Instruction]) -> Vec<Issue> {
    let base = |i: &Instruction| -> Option<String> {
        let address = i.operands.rsplit_once('[').filter(|_| Part::of(i) == Part::Load)?.1;
        Some(address.split(['+', ']']).next()?.to_string())
    };
    let mut bases = BTreeSet::new();
    let beside: Vec<bool> = path.iter().map(|i| base(i).is_some_and(|b| !bases.insert(b))).collect();
    let follows = path.iter().skip(1).chain(path.first());
    let one = |(((i, next), slots), beside): (((&&Instruction, &&Instruction), u32), bool)| {
        let part = Part::of(i);
        let bytes = match part {
            Part::Load | Part::Store if i.opcode.contains(".128") => 16.0,
            Part::Load | Part::Store if i.opcode.contains(".64") => 8.0,
            Part::Load | Part::Store => 4.0,
            _ => 0.0,
        };
        // Two registers of a result take as long again, and one more slot than the issue's two.
        let wide = part == Part::Multiply && (i.opcode.contains(".WIDE") || i.opcode.contains(".HI"));
        let slots = if wide { slots + 2 } else { slots };
        let taken = part == Part::Control && next.address != i.address + 16;
        Issue { part, slots, control: i.control, taken, meets: i.name() == "BSYNC", bytes, beside }
    };
    path.iter().zip(follows).zip(slots(path)).zip(beside).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::super::code::parse;
    use super::*;

    #[test]
    fn what_waits_for_what() {
        let text = "Function : k\n\
            /*0840*/ MUFU.RSQ64H R3, R21 ; /* 0x0000001500037308 */\n/* 0x000e280000001c00 */\n\
            /*0850*/ DMUL R4, R2, R2 ; /* 0x0000000202047228 */\n/* 0x001fd00000000000 */\n\
            /*0860*/ @P0 BRA 0x840 ; /* 0x0000000000000947 */\n/* 0x000fea0003800000 */\n";
        let listing = parse(text);
        let all = issues(&listing["k"].code.iter().collect::<Vec<_>>());
        let parts: Vec<(Part, bool)> = all.iter().map(|i| (i.part, i.taken)).collect();
        assert_eq!(parts, [(Part::Special, false), (Part::Fp64, false), (Part::Control, true)]);
        let control = |stall, gives, waits| Control { stall, gives, frees: None, waits };
        let controls = [control(4, Some(0), 0), control(8, None, 1), control(5, None, 0)];
        assert_eq!(all.iter().map(|i| i.control).collect::<Vec<_>>(), controls);
    }

    #[test]
    fn parts() {
        let of = |line: &str| Part::of(&parse(&format!("Function : k\n/*0000*/ {line} ;\n"))["k"].code[0]);
        use Part::*;
        assert_eq!(of("DFMA R12, R6.reuse, -R12, 0.5"), Fp64);
        assert_eq!(of("F2F.F32.F64 R17, R28"), Convert);
        assert_eq!(of("I2F.RP R0, R7"), Special);
        assert_eq!(of("FLO.U32 R3, R2"), Special);
        assert_eq!(of("FADD R1, |R2|, c[0x0][0x210]"), Fp32);
        assert_eq!(of("LDG.E.64 R6, desc[UR4][R4.64+-0x10]"), Load);
        assert_eq!(of("IADD3.X R9, RZ, R13, RZ, P0, !PT"), Other);
        assert_eq!(of("IMAD.WIDE.U32 R18, R5, UR5, R2"), Multiply);
        assert_eq!(of("MUFU.RSQ64H R15, R17"), Special);
        assert_eq!(of("BRA P1, 0x180"), Control);
    }
}
