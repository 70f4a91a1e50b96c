//! What the loop of a candidate's kernel is made of, from machine code.

use super::{Candidate, Kernel, THREADS, first_error};
use crate::bench::{Card, Counts, Place};
use crate::device::{Api, Build, Error, Source, cache, cuda};
use crate::sass::{Failure, Frame, Instruction, Issue, Listing, disassemble, disassembler, issues, origins};
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
    fn warps(&self, architecture: &str) -> (u32, u32) {
        let most = if matches!(architecture, "sm_86" | "sm_89" | "sm_120" | "sm_121") { 48 } else { 64 };
        let each = self.registers.max(1).next_multiple_of(8) * 32;
        ((65536 / each / 8 * 8).min(most), most)
    }

    /// The share of the warps that a multiprocessor can hold.
    pub fn occupancy(&self, architecture: &str) -> f64 {
        let (warps, most) = self.warps(architecture);
        f64::from(warps) / f64::from(most)
    }

    /// clk of the kernel for so many items that each stream so many bytes, and whether its warps wait: of one round of a loop inside the
    /// item's, since how many there are is not known here.
    fn time(&self, card: &Card, items: u64, bytes: f64, place: Place) -> (f64, bool) {
        let threads = items.min(THREADS);
        let blocks = threads.div_ceil(256).div_ceil(card.units.max(1).into()).max(1);
        let held = u64::from(self.warps(&card.architecture).0 / 8).max(1);
        let waves = blocks.div_ceil(held);
        let warps = (8 * blocks.min(held)).div_ceil(4) as usize;
        let rounds = if self.nested { 100.0 } else { items.div_ceil(threads.max(1)) as f64 };
        let pace = card.pace(&self.path, warps, rounds, place);
        let clocks = if self.nested { pace.each } else { pace.all };
        let rounds = if self.nested { 1.0 } else { rounds };
        let busy = card.clocks(&Counts { bytes, ..self.counts }).0 * (warps * 128) as f64 * rounds;
        (waves as f64 * clocks, clocks > WAITING * busy)
    }
}

/// Warps wait where they take so many times as long as the busiest part.
const WAITING: f64 = 1.5;

/// clk of every candidate's kernel for so many items, of one iteration where they are inside another loop, and whether warps wait most of
/// the time. An item of each candidate streams so many bytes; `place` says from where.
pub fn times(
    codes: &[Option<&Code>],
    estimates: &[Option<Counts>],
    items: u64,
    card: &Card,
    streamed: &[f64],
    place: impl Fn(usize) -> Place,
) -> Vec<Option<(f64, bool)>> {
    let (each, nested) = (passes(codes, estimates), codes.iter().flatten().all(|c| c.nested));
    let rounds = items.div_ceil(items.clamp(1, THREADS)) as f64;
    let one = |(k, code): (usize, &Option<&Code>)| {
        let code = (*code)?;
        let (time, waits) = code.time(card, items, streamed[k], place(k));
        let times = if code.nested && !nested { rounds } else { 1.0 };
        Some((time * times / each[k]?, waits))
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
                let whole = estimates.get(k).copied().flatten().map_or(0.0, |c| c.total());
                code.counts.total() / whole.max(code.counts.total())
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

/// Machine code for an architecture as `sm_90`, kept on disk.
fn compiled(source: &Source, architecture: &str) -> Result<Vec<u8>, Error> {
    let compiler = cuda::compiler_version().unwrap_or_default();
    let options = cuda::options(source, architecture);
    let (device, driver, architecture) = (String::new(), String::new(), architecture.to_string());
    let build = Build { api: Api::Cuda, device, driver, architecture, compiler, options };
    let key = cache::Key::new(source, &build);
    if let Some(code) = key.read() {
        return Ok(code);
    }
    let code = cuda::compile(source, &build.architecture)?;
    key.write(&code);
    Ok(code)
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
    match together(kernel, candidates, sums, architecture) {
        Ok(codes) => return Ok(codes.into_iter().map(Ok).collect()),
        Err(Failure::Compile(Error::Compile { .. })) => {}
        Err(failure) => return Err(failure),
    }
    let one = |&candidate: &Candidate| match together(kernel, &[candidate], sums, architecture) {
        Ok(mut codes) => Ok(codes.pop().ok_or_else(|| String::from("no code"))),
        Err(Failure::Compile(Error::Compile { log, .. })) => Ok(Err(first_error(&log, &kernel.file))),
        Err(failure) => Err(failure),
    };
    candidates.par_iter().map(one).collect()
}

fn together(kernel: &Kernel, candidates: &[Candidate], sums: bool, architecture: &str) -> Result<Vec<Code>, Failure> {
    let source = kernel.cuda(candidates, sums);
    let cubin = compiled(&source, architecture)?;
    let (listing, origins) = rayon::join(|| disassemble(&cubin), || origins(&cubin));
    let (listing, origins) = (listing?, origins?);
    let functions = Functions::of(&source.text);
    let one = |k: usize| {
        let name = format!("advise_timed_{k}");
        let code = listing.get(&name).cloned().unwrap_or_default();
        of(&code, origins.get(&name).unwrap_or(&HashMap::new()), &functions, &kernel.file)
    };
    Ok((0..candidates.len()).map(one).collect())
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
    let width = |i: &&&Instruction| match i.name() {
        "LDG" | "LD" if i.opcode.contains(".128") => 2.0,
        "LDG" | "LD" if i.opcode.contains(".64") => 1.0,
        _ => 0.0,
    };
    Code {
        counts: Counts::of_code(&path, 1.0),
        fp64_at,
        conversions,
        loads: path.iter().map(|i| width(&i)).sum(),
        step: step(&path),
        registers: code.registers,
        path: issues(&path),
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
        assert_eq!(Card::new("", "sm_90").unwrap().clocks(&streamed).1, "memory");
    }
}
