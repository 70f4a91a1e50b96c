//! Instruction counts: what a GPU issues for an operation, read from machine code. No GPU is needed.
//!
//! Two kinds of kernel are compiled per function. Where results can be fed back, a *loop* of dependent evaluations is
//! unrolled: instructions on the shortest way around it, less the loop's own three, per evaluation, is what one
//! evaluation costs on its usual path, branches and their reconvergence included. Otherwise the *straight* kernel is
//! counted, loads and stores left out. The shortest way is the usual path: rare paths are longer.

mod code;
mod issue;
mod origin;

pub use code::{Class, Control, Instruction, Listing, issue_slots, parse, parse_resources};
pub use issue::{Issue, Part, issues};
pub use origin::{Frame, Origins, parse_origins};

use crate::device::{Error, Source, cuda};
use crate::emit;
use crate::print::{Cuda, Dialect, Rare};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use vernier_tape::io::Kind;
use vernier_tape::registry::Function;

/// Architectures that counts are given for.
pub const ARCHITECTURES: [&str; 6] = ["sm_80", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120"];

/// Evaluations in an unrolled loop body.
const UNROLL: usize = 8;

/// What one evaluation issues on its usual path, and what its kernel needs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// FP32 pipe: add, mul, fma.
    pub fp32: f64,
    /// FP64 pipe: add, mul, fma and comparisons.
    pub fp64: f64,
    /// The rest: integer, moves, comparisons of floats, control, approximations.
    pub other: f64,
    /// Registers of the kernel that was counted.
    pub registers: u32,
    /// Bytes of stack beside those of calls: spills.
    pub spills: u32,
}

impl Count {
    /// All issued instructions.
    pub fn total(&self) -> f64 {
        self.fp32 + self.fp64 + self.other
    }
}

/// Why nothing was counted.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// No disassembler.
    #[error("cuobjdump was not found in PATH, $CUDA_HOME/bin, $CUDA_PATH/bin or /usr/local/cuda/bin")]
    NoDisassembler,
    /// The compiler is missing, does not know the architecture or rejects the code.
    #[error(transparent)]
    Compile(#[from] Error),
    /// The disassembler failed.
    #[error("{program}: {message}")]
    Disassemble {
        /// Its path.
        program: PathBuf,
        /// What it said.
        message: String,
    },
}

/// The disassembler, where it is found.
///
/// # Errors
/// If it is not.
pub fn disassembler() -> Result<PathBuf, Failure> {
    tool("cuobjdump").ok_or(Failure::NoDisassembler)
}

/// A program of the CUDA toolkit.
fn tool(name: &str) -> Option<PathBuf> {
    let homes = ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(std::env::var_os).map(|h| PathBuf::from(h).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = homes.chain(std::env::split_paths(&path)).chain([PathBuf::from("/usr/local/cuda/bin")]);
    folders.map(|f| f.join(name)).find(|p| p.is_file())
}

/// The machine code of `text` for an architecture, by function.
///
/// # Errors
/// If it cannot be compiled or disassembled.
pub fn listing(text: &str, architecture: &str) -> Result<BTreeMap<String, Listing>, Failure> {
    disassembler()?;
    disassemble(&cuda::compile(&Source::new("counts.cu", text), architecture)?)
}

/// What a program says of a file with this machine code.
fn said(program: &Path, options: &[&str], cubin: &[u8]) -> Result<String, Failure> {
    let failed = |message: String| Failure::Disassemble { program: program.into(), message };
    let mut file = tempfile::Builder::new().suffix(".cubin").tempfile().map_err(|e| failed(e.to_string()))?;
    std::io::Write::write_all(&mut file, cubin).map_err(|e| failed(e.to_string()))?;
    let output = Command::new(program).args(options).arg(file.path()).output().map_err(|e| failed(e.to_string()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

/// Machine code by function.
///
/// # Errors
/// If it cannot be disassembled.
pub fn disassemble(cubin: &[u8]) -> Result<BTreeMap<String, Listing>, Failure> {
    let program = disassembler()?;
    let mut listing = parse(&said(&program, &["-sass"], cubin)?);
    for (name, registers, stack) in parse_resources(&said(&program, &["-res-usage"], cubin)?) {
        if let Some(code) = listing.get_mut(&name) {
            (code.registers, code.stack) = (registers, stack);
        }
    }
    Ok(listing)
}

/// Where instructions come from, by function and address; empty where nvdisasm is not found.
///
/// # Errors
/// If the disassembler fails.
pub fn origins(cubin: &[u8]) -> Result<Origins, Failure> {
    match tool("nvdisasm") {
        Some(program) => Ok(parse_origins(&said(&program, &["--print-line-info-inline"], cubin)?)),
        None => Ok(Origins::new()),
    }
}

/// Counts of `functions` for an architecture.
///
/// # Errors
/// If they cannot be compiled or disassembled.
pub fn count(functions: &[&Function], dialect: &Cuda, rare: Rare, architecture: &str) -> Result<Vec<Count>, Failure> {
    let mut text = emit::cuda(dialect, rare);
    functions.iter().for_each(|f| text += &kernel(f));
    let listing = listing(&text, architecture)?;
    let one = |f: &&Function| {
        let code = listing.get(&format!("count_{}", f.name())).cloned().unwrap_or_default();
        let evaluations = if feeds_back(f) { UNROLL as f64 } else { 1.0 };
        let path = if feeds_back(f) { code.loop_path() } else { code.straight_path() };
        let of = |class| path.iter().filter(|i| i.class() == class).count() as f64;
        // The loop's own: counter, comparison, jump.
        let own = if feeds_back(f) { 3.0 } else { 0.0 };
        Count {
            fp32: of(Class::Fp32) / evaluations,
            fp64: of(Class::Fp64) / evaluations,
            other: (of(Class::Other) - own) / evaluations,
            registers: code.registers,
            spills: if code.calls() { 0 } else { code.stack },
        }
    };
    Ok(functions.iter().map(one).collect())
}

/// Whether results are arguments of the next evaluation.
fn feeds_back(f: &Function) -> bool {
    let first = f.params[0];
    let limb = if first == Kind::Pair32 { Kind::F32 } else { Kind::F64 };
    matches!(first, Kind::Pair32 | Kind::Pair64 | Kind::Packed | Kind::Unpacked)
        && f.params.len() <= 3
        && f.results[0] == first
        && f.params.iter().all(|&k| k == first || k == limb)
}

/// The kernel that is counted for a function. Threads differ in their data: branches on data that the compiler sees to
/// be the same for a warp would need no reconvergence.
pub fn kernel(f: &Function) -> String {
    let name = f.name();
    let ty = |k: Kind| Cuda::default().kind(k);
    if !feeds_back(f) {
        let args: Vec<String> =
            f.params.iter().enumerate().map(|(i, &k)| format!("*(const {}*)(in + {})", ty(k), 16 * i)).collect();
        return format!(
            "extern \"C\" __global__ void count_{name}(const char *__restrict__ in, {} *__restrict__ out)\n\
             {{ in += 64 * threadIdx.x; out[threadIdx.x] = vernier::detail::{name}({}); }}\n",
            ty(f.results[0]),
            args.join(", ")
        );
    }
    let pair = f.params[0];
    let call = |order: [&str; 3]| {
        let arg = |(i, &k): (usize, &Kind)| if k == pair { order[i].to_string() } else { format!("{}.hi", order[i]) };
        format!("vernier::detail::{name}({})", f.params.iter().enumerate().map(arg).collect::<Vec<_>>().join(", "))
    };
    let mut body = String::new();
    for _ in 0..UNROLL / 2 {
        let _ = writeln!(body, "        a = {};\n        b = {};", call(["a", "b", "c"]), call(["b", "a", "c"]));
    }
    let ty = ty(pair);
    format!(
        "extern \"C\" __global__ void count_{name}({ty} *__restrict__ p, int n)\n{{\n    \
         p += 3 * threadIdx.x;\n    {ty} a = p[0], b = p[1]; const {ty} c = p[2];\n#pragma unroll 1\n    for (int i = 0; i < n; i++) {{\n{body}    \
         }}\n    p[0] = a;\n    p[1] = b;\n}}\n"
    )
}

/// Published counts: (type, function, level) to (FP32, FP64, other), from a table as `sass_counts.tsv`. Level "def" is
/// "mid".
pub fn published(table: &str) -> BTreeMap<(String, String, String), [u32; 3]> {
    let row = |line: &str| {
        let f: Vec<&str> = line.split('\t').collect();
        let &[ty, op, level, a, b, c, ..] = f.as_slice() else { return None };
        let level = if level == "def" { "mid" } else { level };
        let counts = [a.parse().ok()?, b.parse().ok()?, c.parse().ok()?];
        Some(((ty.to_string(), op.to_string(), level.to_string()), counts))
    };
    table.lines().filter_map(row).collect()
}
