//! `vernier bench`: speed of operations and of the pi benchmark.

use super::Place;
use super::out::Out;
use crate::case::Level;
use crate::compare::compare_speeds;
use crate::error::Error;
use crate::page::Input;
use crate::report::Comparison;
use crate::speed::{Report, Selection, divided, host, measure, read_report};
use crate::{file, render};
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};
use vernier::function::Math;
use vernier_gpu::bench::Subject;
use vernier_gpu::device::{Api, Device};

/// Measure throughput and latency of operations, throughput of mathematical functions, and the pi benchmark, beside native float and double.
///
/// Without --device, on the first that is there of CUDA and OpenCL, or else on the host, where the pi benchmark alone is timed.
/// Exits with 1 if results on the device are not the host's or run out of range, or if a target is missed under --gate; with 2 if
/// nothing that was measured has a target under --gate, or the device asked for cannot be used.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Where to measure: host, opencl or cuda, and the device's number.
    #[arg(long, value_name = "PLACE")]
    device: Option<Place>,
    /// Type without its level; more than once for several. Of fp64_custom the pi benchmark is run, in the published formats. f32 and f64 are always measured as far as others are compared with them.
    #[arg(long = "type", value_name = "TYPE", value_parser = type_name)]
    types: Vec<&'static str>,
    /// Operation or mathematical function; leaves the pi benchmark out.
    #[arg(long = "op", value_name = "OP", value_parser = ops())]
    ops: Vec<String>,
    /// All mathematical functions in a quick run too, which has only those that are named.
    #[arg(long, conflicts_with = "ops")]
    functions: bool,
    /// Level.
    #[arg(long = "level", value_name = "LEVEL", value_parser = super::accuracy::level_name)]
    levels: Vec<Level>,
    /// Instead, divide the pi benchmark between native doubles and unpacked emulated ones, and find the fastest share. --level is that
    /// of the emulated ones [default: high].
    #[arg(long, conflicts_with_all = ["types", "ops", "functions"])]
    split: bool,
    /// Short launches and few terms.
    #[arg(long)]
    quick: bool,
    /// Exit with 1 if a target is missed.
    #[arg(long)]
    gate: bool,
    /// Write the results into this file, as JSON, and a page of them beside it, as HTML.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Show what changed since this file, and exit with 1 if a speed is lower by more than both spreads and 3%.
    #[arg(long, value_name = "OLD.json")]
    compare: Option<PathBuf>,
}

const OPS: [&str; 8] = ["add", "mul", "acc", "fma", "mad", "div", "sqrt", "rsqrt"];

fn ops() -> PossibleValuesParser {
    PossibleValuesParser::new(OPS.into_iter().chain(Math::ALL.iter().map(|f| f.name())))
}

/// The family of subjects that a type is.
fn type_name(text: &str) -> Result<&'static str, String> {
    Ok(match text {
        "f32" => "float",
        "f64" => "double",
        "fp32mp2" => "fp32mp2",
        "fp64mp2" => "fp64mp2",
        "fp64emu" => "fp64emu",
        "fp64emu_unpacked" => "fp64emu_unpacked",
        "fp64_custom" => "fp64_custom",
        _ => return Err("expected one of fp32mp2, fp64mp2, fp64emu, fp64emu_unpacked, fp64_custom, f32, f64".into()),
    })
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<bool, Error> {
    let selection = selection(args)?;
    let old = args.compare.as_deref().map(|path| Ok::<_, Error>((path, read_report(path)?))).transpose()?;
    args.out.as_deref().map_or(Ok(()), file::check_writable)?;
    let device = match args.device {
        Some(place) => place.open()?,
        None => [Api::Cuda, Api::OpenCl].into_iter().find_map(|api| Device::open(api, 0).ok()),
    };
    let mut report = match &device {
        Some(device) if args.split => divided(device, &unpacked(args), args.quick)?,
        None if args.split => return Err(Error::Usage("--split is for cuda and opencl".into())),
        Some(device) => measure(device, &selection, args.quick)?,
        None => host(&selection, args.quick)?,
    };
    report.count();
    let text = crate::text::json(&report);
    // What could not be written can still be read.
    let comparison = old.map(|(path, old)| compare_speeds(&path.display().to_string(), &old, &report));
    let written = args.out.as_deref().map_or(Ok(()), |path| write(path, &text, &report, &comparison));
    print(&report, comparison.as_ref(), if json { Some(&text) } else { None })?;
    written?;
    if args.gate && report.sound() && report.targets.iter().all(|t| t.holds().is_none()) {
        return Err(Error::Nothing(format!("no target of what was measured on {}", report.place)));
    }
    let worse = comparison.is_some_and(|c| c.worse());
    Ok(!worse && report.sound() && (!args.gate || report.reaches_targets()))
}

/// Writes the results, and the page beside them.
fn write(path: &Path, text: &str, report: &Report, comparison: &Option<Comparison>) -> Result<(), Error> {
    file::write(path, text)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bench = vec![(name, report.clone())];
    let input = Input { bench, bench_comparison: comparison.clone(), ..Input::default() };
    input.write(&path.with_extension("html")).map(drop)
}

fn print(report: &Report, comparison: Option<&Comparison>, json: Option<&str>) -> Result<(), Error> {
    let mut out = Out::new();
    match json {
        Some(text) => out.line(text.trim_end())?,
        None => {
            let text: Vec<String> = render::measured(report).iter().map(render::Section::terminal).collect();
            out.line(text.join("\n\n"))?;
            comparison.into_iter().flat_map(Comparison::lines).try_for_each(|line| out.line(line))?;
        }
    }
    out.finish()
}

/// The unpacked types that a reduction is divided with.
fn unpacked(args: &Args) -> Vec<Subject> {
    let wanted = |s: &Subject| match args.levels.as_slice() {
        [] => s.level() == "high",
        levels => levels.iter().any(|l| l.name() == s.level()),
    };
    Subject::ALL.into_iter().filter(|s| s.family() == "fp64emu_unpacked" && wanted(s)).collect()
}

fn selection(args: &Args) -> Result<Selection, Error> {
    let level = |s: &Subject| args.levels.is_empty() || args.levels.iter().any(|l| l.name() == s.level());
    let family = |s: &Subject| args.types.is_empty() || args.types.contains(&s.family());
    let subjects: Vec<Subject> = Subject::pi().filter(|s| family(s) && level(s)).collect();
    if subjects.is_empty() {
        return Err(Error::Usage("no type has this level".into()));
    }
    Ok(Selection { subjects, ops: args.ops.clone(), functions: args.functions })
}
