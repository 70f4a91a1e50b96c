//! Machine code as cuobjdump prints it.

use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// What an instruction is counted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// FP32 arithmetic.
    Fp32,
    /// Anything that the FP64 pipe does.
    Fp64,
    /// Loads and stores of memory and constants, the end, padding: not part of an operation.
    Frame,
    /// The rest.
    Other,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its address.
    pub address: u64,
    /// Whether a predicate guards it.
    pub guarded: bool,
    /// The operation with its modifiers.
    pub opcode: String,
    /// The operands.
    pub operands: String,
    /// When the next one may follow, and what waits for what.
    pub control: Control,
}

/// What a compiler tells the schedulers with every instruction (Jia et al. 2018, Dissecting the NVIDIA Volta GPU architecture
/// via microbenchmarking, 2.1): results of known latency are waited for by a count, others by one of six barriers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// clk until the warp's next instruction.
    pub stall: u8,
    /// The barrier that its result opens.
    pub gives: Option<u8>,
    /// The barrier that opens once its operands are read.
    pub frees: Option<u8>,
    /// The barriers that must be open, one bit each.
    pub waits: u8,
}

impl Control {
    /// From the second half of an instruction's 128 bits.
    pub fn of(bits: u64) -> Control {
        let field = |at: u32, width: u32| (bits >> (41 + at) & ((1 << width) - 1)) as u8;
        let barrier = |at| Some(field(at, 3)).filter(|&b| b < 6);
        Control { stall: field(0, 4), gives: barrier(5), frees: barrier(8), waits: field(11, 6) }
    }
}

impl Instruction {
    /// Without modifiers.
    pub fn name(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    /// What it is counted as.
    pub fn class(&self) -> Class {
        match self.name() {
            "FADD" | "FMUL" | "FFMA" | "FADD32I" | "FMUL32I" | "FFMA32I" | "FADD2" | "FMUL2" | "FFMA2" => Class::Fp32,
            "LDG" | "STG" | "LDC" | "LDCU" | "ULDC" | "EXIT" | "NOP" | "S2R" | "S2UR" | "LD" | "ST" => Class::Frame,
            _ if self.is_double() => Class::Fp64,
            _ => Class::Other,
        }
    }

    /// Whether it works on doubles, conversions included.
    pub fn is_double(&self) -> bool {
        matches!(self.name(), "DADD" | "DMUL" | "DFMA" | "DSETP" | "DMNMX" | "DMMA")
            || (matches!(self.name(), "F2F" | "F2I" | "I2F" | "FRND" | "F2D" | "I2D" | "D2F" | "D2I")
                && self.opcode.contains("64"))
            || (self.name() == "MUFU" && self.opcode.contains("64"))
    }

    fn target(&self) -> Option<u64> {
        (self.name() == "BRA").then(|| {
            let at = self.operands.rfind("0x")?;
            let digits = self.operands[at + 2..].split(|c: char| !c.is_ascii_hexdigit()).next()?;
            u64::from_str_radix(digits, 16).ok()
        })?
    }

    /// Whether the next instruction may follow.
    fn falls_through(&self) -> bool {
        self.guarded || !matches!(self.name(), "BRA" | "EXIT" | "RET") || self.conditional_operand()
    }

    /// A branch may take its condition as an operand: `BRA P1, 0x40`, `BRA.U UP0, 0x40`.
    fn conditional_operand(&self) -> bool {
        self.name() == "BRA" && self.operands.trim_start_matches('!').starts_with(['P', 'U'])
    }
}

/// Rare parts are called, and the call alone may be shorter than the usual part.
const RARE: usize = 1 << 10;

/// A function's code.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// In the order of addresses.
    pub code: Vec<Instruction>,
    /// Registers.
    pub registers: u32,
    /// Bytes of stack.
    pub stack: u32,
}

impl Listing {
    /// Whether functions are called.
    pub fn calls(&self) -> bool {
        self.code.iter().any(|i| i.name() == "CALL")
    }

    /// The shortest way from the first instruction to the end.
    pub fn straight_path(&self) -> Vec<&Instruction> {
        let ends = |i: usize| self.code[i].name() == "EXIT" && !self.code[i].guarded;
        self.shortest(0, ends, 1).unwrap_or_default()
    }

    /// The shortest way around the loop that has most floating-point arithmetic on it, or most instructions.
    pub fn loop_path(&self) -> Vec<&Instruction> {
        let weight = |path: &Vec<&Instruction>| {
            (path.iter().filter(|i| matches!(i.class(), Class::Fp32 | Class::Fp64)).count(), path.len())
        };
        let index: HashMap<u64, usize> = self.code.iter().enumerate().map(|(i, c)| (c.address, i)).collect();
        let back = |(i, c): (usize, &Instruction)| {
            let start = *index.get(&c.target()?)?;
            if start < i { self.shortest(start, |j| j == i, 1) } else { None }
        };
        self.code.iter().enumerate().filter_map(back).max_by_key(weight).unwrap_or_default()
    }

    /// The loops: of each the shortest way around it that stays between its ends. A way that leaves them is that of a rare part
    /// which the compiler has put elsewhere.
    pub fn loops(&self) -> Vec<Vec<&Instruction>> {
        let index: HashMap<u64, usize> = self.code.iter().enumerate().map(|(i, c)| (c.address, i)).collect();
        let mut found: BTreeMap<u64, Vec<&Instruction>> = BTreeMap::new();
        for (end, back) in self.code.iter().enumerate() {
            let Some(&start) = back.target().and_then(|t| index.get(&t)).filter(|&&start| start < end) else {
                continue;
            };
            let Some(path) = self.shortest(start, |j| j == end, RARE) else { continue };
            let (first, last) = (self.code[start].address, back.address);
            let within = path.iter().all(|i| (first..=last).contains(&i.address));
            if within && found.get(&first).is_none_or(|known| known.len() > path.len()) {
                found.insert(first, path);
            }
        }
        found.into_values().collect()
    }

    /// A call counts as so many instructions.
    fn shortest(&self, start: usize, ends: impl Fn(usize) -> bool, call: usize) -> Option<Vec<&Instruction>> {
        let index: HashMap<u64, usize> = self.code.iter().enumerate().map(|(i, c)| (c.address, i)).collect();
        let mut from = vec![None; self.code.len()];
        let mut distance = vec![usize::MAX; self.code.len()];
        let mut queue = BinaryHeap::from([Reverse((0, start))]);
        *distance.get_mut(start)? = 0;
        while let Some(Reverse((d, i))) = queue.pop() {
            if d > distance[i] {
                continue;
            }
            if ends(i) {
                let mut path = vec![&self.code[i]];
                let mut at = i;
                while let Some(previous) = from[at] {
                    path.push(&self.code[previous]);
                    at = previous;
                }
                path.reverse();
                return Some(path);
            }
            let next = self.code[i].falls_through().then_some(i + 1);
            let jump = self.code[i].target().and_then(|t| index.get(&t).copied());
            for j in next.into_iter().chain(jump).filter(|&j| j < self.code.len()) {
                let next = d + if self.code[j].name() == "CALL" { call } else { 1 };
                if next < distance[j] {
                    distance[j] = next;
                    from[j] = Some(i);
                    queue.push(Reverse((next, j)));
                }
            }
        }
        None
    }
}

/// Issue slots that a scheduler spends on these instructions of one warp, one after another. Registers of even and of odd
/// numbers are two banks, each of which hands out one register a clk: an instruction takes one slot, or as many as it
/// reads registers of one bank. An operand marked for reuse is kept for the next instruction that has it in the same
/// place. Slots that several warps share better than this are not seen, so that it is an upper bound.
pub fn issue_slots(path: &[&Instruction]) -> f64 {
    f64::from(slots(path).sum::<u32>())
}

/// Those of each instruction.
pub(super) fn slots(path: &[&Instruction]) -> impl Iterator<Item = u32> {
    let mut kept: HashMap<(usize, u32), u32> = HashMap::new();
    path.iter().map(move |i| {
        let mut reads = [0, 0];
        let stores = matches!(i.name(), "ST" | "STG" | "STS" | "STL" | "BRA" | "EXIT");
        for (place, operand) in i.operands.split(',').enumerate().skip(usize::from(!stores)) {
            let Some(register) = register(operand) else { continue };
            let wide = i.is_double() && i.name() != "MUFU";
            for register in register..=register + u32::from(wide) {
                let bank = register % 2;
                reads[bank as usize] += u32::from(kept.remove(&(place, bank)) != Some(register));
                if operand.contains(".reuse") {
                    kept.insert((place, bank), register);
                }
            }
        }
        reads[0].max(reads[1]).max(1)
    })
}

/// The number of the register in an operand such as `-|R12|.reuse`; not of `RZ`, `UR4` or constants.
fn register(operand: &str) -> Option<u32> {
    let at = operand.find('R').filter(|&at| at == 0 || !operand.as_bytes()[at - 1].is_ascii_alphabetic())?;
    let digits = operand[at + 1..].split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// Functions and their code, from `cuobjdump -sass`.
pub fn parse(text: &str) -> BTreeMap<String, Listing> {
    let mut functions: BTreeMap<String, Listing> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("Function : ") {
            functions.entry(name.to_string()).or_default();
            current = Some(name.to_string());
        } else if let Some(code) = current.as_ref().and_then(|name| functions.get_mut(name)).map(|l| &mut l.code) {
            if let Some(instruction) = instruction(line) {
                code.push(instruction);
            } else if let (Some(bits), Some(last)) = (second_half(line), code.last_mut()) {
                last.control = Control::of(bits);
            }
        }
    }
    functions
}

/// `/* 0x000fc800000008ff */`
fn second_half(line: &str) -> Option<u64> {
    u64::from_str_radix(line.strip_prefix("/* 0x")?.strip_suffix("*/")?.trim(), 16).ok()
}

/// `/*0010*/ @!P0 FADD R1, R2, R3 ; /* 0x... */`
fn instruction(line: &str) -> Option<Instruction> {
    let (address, rest) = line.strip_prefix("/*")?.split_once("*/")?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let body = rest.split(';').next()?.trim();
    let (guarded, body) = match body.strip_prefix('@') {
        Some(body) => (true, body.split_once(char::is_whitespace)?.1.trim()),
        None => (false, body),
    };
    let (opcode, operands) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
    let valid = opcode.starts_with(|c: char| c.is_ascii_uppercase()) && rest.contains(';');
    let control = Control::default();
    valid.then(|| Instruction { address, guarded, opcode: opcode.into(), operands: operands.trim().into(), control })
}

/// (function, registers, stack), from `cuobjdump -res-usage`.
pub fn parse_resources(text: &str) -> Vec<(String, u32, u32)> {
    let mut out = Vec::new();
    let mut name = None;
    for line in text.lines().map(str::trim) {
        if let Some(function) = line.strip_prefix("Function ").and_then(|l| l.strip_suffix(':')) {
            name = Some(function.to_string());
        } else if let Some(name) = name.take_if(|_| line.starts_with("REG:")) {
            let field = |key: &str| {
                let value = line.split_whitespace().find_map(|f| f.strip_prefix(key));
                value.and_then(|v| v.parse().ok()).unwrap_or(0)
            };
            out.push((name, field("REG:"), field("STACK:")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        Function : k
        /*0000*/                   LDC R1, c[0x0][0x28] ;                      /* 0x0 */
        /*0010*/                   FADD R2, R2, R3 ;                           /* 0x0 */
        /*0020*/                   BSSY B0, 0x60 ;                             /* 0x0 */
        /*0030*/              @!P0 BRA 0x60 ;                                  /* 0x0 */
        /*0040*/                   FMUL R2, R2, R3 ;                           /* 0x0 */
        /*0050*/                   DADD R2, R2, R4 ;                           /* 0x0 */
        /*0060*/               @P1 BRA 0x10 ;                                  /* 0x0 */
        /*0070*/                   EXIT ;                                      /* 0x0 */
        /*0080*/                   BRA 0x80;                                   /* 0x0 */
";

    #[test]
    fn slots() {
        let of = |lines: &[&str]| {
            let text = format!(
                "{}{}",
                "Function : k\n",
                lines.iter().map(|l| format!("/*0000*/ {l} ;\n")).collect::<String>()
            );
            issue_slots(&parse(&text)["k"].code.iter().collect::<Vec<_>>())
        };
        // Three registers are in two banks; constants and RZ are in none; R4 twice is read twice.
        assert_eq!(of(&["FADD R1, R2, R3"]), 1.0);
        assert_eq!(of(&["FADD R1, R2, R4"]), 2.0);
        assert_eq!(of(&["FFMA R1, R2, R3, R4"]), 2.0);
        assert_eq!(of(&["FFMA R1, R2, -R4, R6"]), 3.0);
        assert_eq!(of(&["FFMA R1, R2, R3, c[0x0][0x210]"]), 1.0);
        assert_eq!(of(&["FFMA R1, -|R2|, UR4, RZ"]), 1.0);
        assert_eq!(of(&["FFMA R1, R2.reuse, R3, R4", "FFMA R5, R2, R3, R6"]), 3.0);
        assert_eq!(of(&["FFMA R1, R2, R3, R4", "FFMA R5, R2, R3, R6"]), 4.0);
        // Doubles are in both banks.
        assert_eq!(of(&["DADD R2, R4, R6"]), 2.0);
        assert_eq!(of(&["DFMA R2, R4, R6, R8"]), 3.0);
        assert_eq!(of(&["FSETP.GEU.AND P0, PT, |R3|, R4, PT", "BRA 0x10"]), 2.0);
    }

    #[test]
    fn paths() {
        let functions = parse(TEXT);
        let k = &functions["k"];
        assert_eq!(k.code.len(), 9);
        let names = |p: Vec<&Instruction>| p.iter().map(|i| i.name().to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(names(k.loop_path()), "FADD BSSY BRA BRA");
        assert_eq!(names(k.straight_path()), "LDC FADD BSSY BRA BRA EXIT");
        assert!(k.code[5].is_double() && !k.code[4].is_double());
        assert_eq!(parse_resources(" Function k:\n  REG:37 STACK:24 SHARED:0\n"), [("k".to_string(), 37, 24)]);
    }
}
