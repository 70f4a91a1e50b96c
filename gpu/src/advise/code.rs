//! What the loop of a candidate's kernel is made of, from machine code.

use super::{Candidate, Compiled, Kernel, first_error, symbol};
use crate::bench::Counts;
use crate::device::Error;
use crate::sass::{Failure, Frame, Instruction, Issue, Listing, Part, disassemble, disassembler, issues, origins};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// A conversion in the loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversion {
    /// The user's line; none where it is not known.
    pub line: Option<u32>,
    /// `from double` or `to double`.
    pub what: String,
    /// Instructions that carry it out.
    pub instructions: u32,
}

/// The usual way around a kernel's innermost loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// Instructions by the part that executes them.
    pub counts: Counts,
    /// Of those that use the FP64 pipe: how many stand at which of the user's lines.
    pub fp64_at: BTreeMap<u32, u32>,
    /// Conversions.
    pub conversions: Vec<Conversion>,
    /// Doubles that are loaded.
    pub loads: f64,
    /// By how much the loop's counter goes on.
    pub step: Option<u64>,
    /// Registers of the kernel.
    pub registers: u32,
    /// The instructions as schedulers see them.
    #[serde(skip)]
    pub path: Vec<Issue>,
    /// Whether the loop is inside another, that over the items.
    pub nested: bool,
    /// Bytes of stack, where the loop goes to it: registers that are kept in memory.
    pub spilled: u32,
}

impl Code {
    /// Instructions of the FP64 pipe.
    pub fn fp64(&self) -> f64 {
        self.counts.fp64
    }

    /// Warps that a multiprocessor holds in blocks of 256 threads, and could hold if they took fewer registers.
    pub(super) fn warps(&self, architecture: &str) -> (u32, u32) {
        let most = if matches!(architecture, "sm_86" | "sm_89" | "sm_120" | "sm_121") { 48 } else { 64 };
        let each = self.registers.max(1).next_multiple_of(8) * 32;
        ((65536 / each / 8 * 8).min(most), most)
    }

    /// The share of the warps that a multiprocessor can hold.
    pub fn occupancy(&self, architecture: &str) -> f64 {
        let (warps, most) = self.warps(architecture);
        f64::from(warps) / f64::from(most)
    }
}

/// The code of every candidate's kernel on an architecture, or the compiler's message.
///
/// # Errors
/// Where there is no compiler or disassembler.
pub fn analyse(
    kernel: &Kernel,
    candidates: &[Candidate],
    sums: bool,
    architecture: &str,
) -> Result<Vec<Result<Code, String>>, Failure> {
    disassembler()?;
    let compiled = kernel.compiled(candidates, sums, architecture)?;
    // Programs of several candidates are read once.
    let programs: Vec<&Compiled> = compiled.iter().flatten().filter(|one| one.place == 0).collect();
    let read = |one: &&Compiled| {
        let (listing, origins) = rayon::join(|| disassemble(&one.code), || origins(&one.code));
        Ok((one.source.text.clone(), (listing?, origins?, Functions::of(&one.source.text))))
    };
    let programs: HashMap<String, _> = programs.par_iter().map(read).collect::<Result<_, Failure>>()?;
    let one = |one: &Result<Compiled, Error>| match one {
        Ok(Compiled { source, place, .. }) => {
            let (timed, none) = (symbol(*place, "timed"), HashMap::new());
            let Some((listing, origins, functions)) = programs.get(&source.text) else { return Err("no code".into()) };
            let code = listing.get(&timed).cloned().unwrap_or_default();
            Ok(of(&code, origins.get(&timed).unwrap_or(&none), functions, &kernel.file))
        }
        Err(Error::Compile { log, .. }) => Err(first_error(log, &kernel.file)),
        Err(other) => Err(other.to_string()),
    };
    Ok(compiled.iter().map(one).collect())
}

/// Which function of a text a line is in.
struct Functions(BTreeMap<u32, String>);

impl Functions {
    fn of(text: &str) -> Functions {
        let name = |line: &str| {
            let rest = line.strip_prefix("VERNIER_INLINE ")?;
            Some(rest.split_once('(')?.0.rsplit(' ').next()?.to_string())
        };
        Functions(text.lines().zip(1..).filter_map(|(line, n)| Some((n, name(line)?))).collect())
    }

    fn at(&self, line: u32) -> Option<&str> {
        self.0.range(..=line).next_back().map(|(_, name)| name.as_str())
    }
}

/// The innermost loop that has most instructions, and whether it is inside another; of a kernel without loops, all of it.
fn hot(code: &Listing) -> (Vec<&Instruction>, bool) {
    let loops = code.loops();
    let ends = |l: &[&Instruction]| Some((l.first()?.address, l.last()?.address));
    let holds = |outer: &[&Instruction], inner: &[&Instruction]| {
        let (Some((a, b)), Some((c, d))) = (ends(outer), ends(inner)) else { return false };
        (a, b) != (c, d) && a <= c && d <= b
    };
    let innermost = loops.iter().filter(|l| !loops.iter().any(|other| holds(l, other)));
    match innermost.max_by_key(|l| l.len()) {
        Some(path) => (path.clone(), loops.iter().any(|other| holds(other, path))),
        None => (code.straight_path(), false),
    }
}

fn of(code: &Listing, origins: &HashMap<u64, Vec<Frame>>, functions: &Functions, file: &str) -> Code {
    let (path, nested) = hot(code);
    let user = |chain: &[Frame]| chain.iter().find(|f| f.file.ends_with(file)).map(|f| f.line);
    let mut fp64_at = BTreeMap::new();
    let mut conversions: BTreeMap<(Option<u32>, &str), u32> = BTreeMap::new();
    for i in &path {
        let chain = origins.get(&i.address).map_or(&[][..], |c| c);
        let line = user(chain);
        if i.is_double()
            && let Some(line) = line
        {
            *fp64_at.entry(line).or_insert(0) += 1;
        }
        let within = chain.iter().filter(|f| f.file.ends_with("advise.cu")).filter_map(|f| functions.at(f.line));
        let mut what = within.filter_map(|name| match name {
            _ if name.ends_with("_from_f64") => Some("from double"),
            _ if name.ends_with("_to_f64") => Some("to double"),
            _ => None,
        });
        if let Some(what) = what.next_back() {
            *conversions.entry((line, what)).or_insert(0) += 1;
        }
    }
    // What a compiler has folded leaves a move or two.
    let conversions = conversions.into_iter().filter(|(_, n)| *n > 4);
    let conversions =
        conversions.map(|((line, what), instructions)| Conversion { line, what: what.into(), instructions }).collect();
    let issues = issues(&path);
    Code {
        counts: Counts::of_code(&path, 1.0),
        fp64_at,
        conversions,
        loads: issues.iter().filter(|i| i.part == Part::Load && i.bytes >= 8.0).map(|i| i.bytes / 8.0).sum(),
        step: step(&path),
        registers: code.registers,
        path: issues,
        nested,
        spilled: if path.iter().any(|i| matches!(i.name(), "STL" | "LDL")) { code.stack } else { 0 },
    }
}

/// By how much a register goes on that the loop's end is compared with.
fn step(path: &[&Instruction]) -> Option<u64> {
    let operands = |i: &Instruction| -> Vec<String> {
        i.operands.split(',').map(|o| o.trim().trim_end_matches(".reuse").to_string()).collect()
    };
    let compared: Vec<String> =
        path.iter().filter(|i| matches!(i.name(), "ISETP" | "UISETP")).flat_map(|i| operands(i)).collect();
    let steps = path.iter().filter(|i| matches!(i.name(), "VIADD" | "IADD3" | "UIADD3" | "IADD")).filter_map(|i| {
        let all = operands(i);
        let to = all.first()?;
        let again = all[1..].contains(to) && compared.contains(to);
        let by = all[1..].iter().find_map(|o| integer(o))?;
        (again && (1..=4096).contains(&by.unsigned_abs())).then_some(by.unsigned_abs())
    });
    steps.min()
}

/// `0x10`, `-0x4`, or 32 bits that are negative.
fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let value = i64::from_str_radix(digits.strip_prefix("0x")?, 16).ok()?;
    Some(sign * if value > i64::from(u32::MAX / 2) { value - (1 << 32) } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sass::parse;

    const TEXT: &str = "
        Function : k
        /*0000*/ S2R R5, SR_TID.X ;
        /*0010*/ LDG.E.64 R2, desc[UR4][R6.64] ;
        /*0020*/ DADD R8, R8, R2 ;
        /*0030*/ @P1 BRA 0x90 ;
        /*0040*/ FADD R1, R1, R2 ;
        /*0050*/ IADD3 R4, R4, 0x4, RZ ;
        /*0060*/ ISETP.NE.AND P0, PT, R4, R3, PT ;
        /*0070*/ @P0 BRA 0x10 ;
        /*0080*/ EXIT ;
        /*0090*/ FMUL R1, R1, R1 ;
        /*00a0*/ FMUL R1, R1, R1 ;
        /*00b0*/ BRA 0x50 ;
";

    #[test]
    fn a_loop_and_what_is_in_it() {
        let listing = parse(TEXT);
        let frame = |file: &str, line| Frame { file: file.into(), line };
        let origins = HashMap::from([
            (0x20, vec![frame("/a/n.cuh", 7)]),
            (0x40, vec![frame("/a/advise.cu", 3), frame("/a/n.cuh", 5)]),
        ]);
        let functions = Functions::of("\nVERNIER_INLINE vernier_pair32 fp32mp2_from_f64(double a)\n{\n");
        assert_eq!(functions.at(3), Some("fp32mp2_from_f64"));
        let code = of(&listing["k"], &origins, &functions, "n.cuh");
        assert_eq!((code.counts.fp64, code.counts.fp32, code.loads, code.step), (1.0, 1.0, 1.0, Some(4)));
        assert_eq!(code.fp64_at, BTreeMap::from([(7, 1)]));
        assert!(code.conversions.is_empty(), "one instruction is no conversion");
        let occupancy = |registers, architecture| Code { registers, ..code.clone() }.occupancy(architecture);
        assert_eq!([occupancy(32, "sm_90"), occupancy(33, "sm_90"), occupancy(128, "sm_90")], [1.0, 0.75, 0.25]);
        assert_eq!(occupancy(40, "sm_89"), 1.0);
    }
}
