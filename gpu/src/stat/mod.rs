//! Instrumented pairs on devices: [`vernier::stat`] in printed code, and its kernels.
//!
//! The classification of a value and of an operation is recorded from the functions that the host runs. What counts is
//! hand-written: a group of threads gathers its counters and extremes in local memory, by atomic additions that a GPU
//! merges across a warp, and adds them to the record in global memory when it ends; of the samples of the smallest gap
//! that comes first in [`vernier::stat::precedes`] stays. So a record does not depend on the grid. Counters of a group have
//! 32 bits, and are handed on before they overflow.
//!
//! In CUDA a *scope*, an object that every thread of a block makes, opens and ends a block's counting. Operations outside
//! a scope go to global memory one by one; shared memory that no scope has marked as this block's is recognised by a
//! number that holds block and launch.

pub mod extra;
mod run;

pub use run::{
    Counted, DRAINED, EXTRA_MUTANTS, Instrumented, MUTANTS, Mutant, kahan_on_host, operands, operands_on_host,
    operands_plain, pi_on_host, regular_operands, source,
};

use crate::print::{self, Cuda, Dialect, OpenCl, Rare};
use std::fmt::Write;
use vernier::stat::{FRACTION_BITS, GAP_BIAS};
use vernier_tape::registry::stat::functions;

const TYPES: &str = include_str!("types.txt");
const COMMON: &str = include_str!("common.txt");
const CUDA: &str = include_str!("cuda.txt");
const OPENCL: &str = include_str!("opencl.txt");

/// The smallest exponent that is counted, and how many there are.
pub(crate) const EXPONENTS: (i32, usize) = (-1074, 2098);
/// The smallest gap that is counted, and how many there are.
pub(crate) const GAPS: (i32, usize) = (-2150, 4196);

fn bodies(dialect: &dyn Dialect) -> String {
    let mut out = print::tables(dialect, functions().iter().map(|f| &f.tape));
    functions().iter().for_each(|f| out += &print::function(dialect, f, Rare::Outline, None));
    out
}

fn constants() -> String {
    let mut out = String::new();
    for name in ["VERNIER_STAT_EXTRA", "VERNIER_STAT_HISTOGRAMS"] {
        let _ = write!(out, "#ifndef {name}\n#define {name} 0\n#endif\n");
    }
    for (name, value) in [
        ("VERNIER_STAT_EXPONENTS", EXPONENTS.1 as u32),
        ("VERNIER_STAT_EXPONENT_BIAS", EXPONENTS.0.unsigned_abs()),
        ("VERNIER_STAT_GAPS", GAPS.1 as u32),
        ("VERNIER_STAT_GAP_BIAS", GAPS.0.unsigned_abs()),
        ("STAT_FRACTION_BITS", FRACTION_BITS),
        ("STAT_GAP_BIAS", GAP_BIAS),
    ] {
        let _ = writeln!(out, "#define {name} {value}");
    }
    out
}

/// Removes the macros whose names begin with `STAT_`: they are for this text only.
fn without_macros(text: &str) -> String {
    let mut names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define STAT_"))
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next())
        .collect();
    names.sort_unstable();
    names.dedup();
    names.iter().map(|name| format!("#undef STAT_{name}\n")).collect()
}

/// The part of the C++ header for instrumented pairs.
pub(crate) fn cuda_header() -> String {
    let mut text =
        String::from("#ifndef VERNIER_ENABLE_STAT\n#define VERNIER_ENABLE_STAT 0\n#endif\n#if VERNIER_ENABLE_STAT\n");
    text += &constants();
    text += CUDA;
    text += TYPES;
    text += include_str!("record.cuh");
    text += "#if defined(__CUDACC__)\nnamespace vernier {\nnamespace detail {\n\n";
    text += include_str!("plain.cuh");
    text += &bodies(&Cuda::default());
    text += COMMON;
    text += "VERNIER_STAT_FAMILY(fp32mp2, vernier_pair32, 0, 24, 23, 127)\n";
    text += "VERNIER_STAT_FAMILY(fp64mp2, vernier_pair64, 1, 53, 20, 1023)\n";
    text += "#undef VERNIER_STAT_FAMILY\n\n";
    text += include_str!("cuda_tail.txt");
    text += "} // namespace detail\n} // namespace vernier\n#endif\n";
    text += &without_macros(&text);
    text += "\nnamespace vernier {\n\n";
    text += include_str!("scope.cuh");
    let narrow = "    template <accuracy B> VERNIER_HD VERNIER_CAST basic_fp32mp2_stat(basic_fp64mp2_stat<B> x)
        : x_(note_other(4, base_type(x.as_fpmp2()))) {}\n";
    let widen = "    template <accuracy B> VERNIER_HD basic_fp64mp2_stat(basic_fp32mp2_stat<B> x)
        : x_(note_other(4, base_type(x.as_fpmp2()))) {}\n";
    let families = [("fp32mp2", "float", narrow), ("fp64mp2", "double", widen)];
    let of = |text: &str| -> String {
        let one = |(family, limb, widths): &(&str, &str, &str)| {
            text.replace("@widths@\n", widths).replace("@family@", family).replace("@limb@", limb)
        };
        families.iter().map(one).collect::<Vec<_>>().join("\n")
    };
    text += &of(include_str!("class.cuh"));
    text += "\n} // namespace vernier\n";
    text += &of(include_str!("limits.cuh"));
    text += "#endif\n";
    text
}

/// The part of the OpenCL header for instrumented pairs.
pub(crate) fn opencl_header() -> String {
    let mut text = String::from("\n#if VERNIER_ENABLE_STAT\n");
    text += OPENCL;
    text += &constants();
    text += TYPES;
    text += &bodies(&OpenCl);
    text += COMMON;
    text += "VERNIER_STAT_FAMILY(fp32mp2, float2, 0, 24, 23, 127)\n";
    text += "VERNIER_STAT_FAMILY(fp64mp2, double2, 1, 53, 20, 1023)\n#undef VERNIER_STAT_FAMILY\n";
    text += include_str!("opencl_tail.txt");
    text += "#undef VERNIER_STAT_OPERATION\n#undef VERNIER_STAT_LEVEL\n";
    text += &without_macros(&text);
    text += "#endif\n";
    text
}
