//! `vernier accuracy`: some rows of the accuracy table.

use super::Place;
use super::functions::{Request, SubjectArgs, carry_out};
use super::out::Out;
use super::plan::{Effort, RunArgs, USUAL, result_file};
use super::tables::print;
use crate::case::{Level, Op};
use crate::contract::{foreign_rows, foreign_shares};
use crate::error::Error;
use crate::hold::Lock;
use crate::report::Results;
use crate::subject::{Foreign, Header};
use crate::table::Row;
use crate::{file, render};
use std::path::{Path, PathBuf};
use vernier::custom::Format;
use vernier::function::Math;
use vernier_gpu::device::Api;

/// Measure some rows of the accuracy table, and show their worst cases.
///
/// Exits with 1 if a row fails its claim. Without a filter it measures every row. On a device it measures the operations that are
/// recorded functions: the device evaluates the samples and the host judges every one; searches run on the host, whose bits are the
/// same, and what they find is evaluated on the device and judged again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Type without its level, as fp32mp2, or a preset of reduced formats, as bf16; more than once for several. With --cuda-header, the name of the type in it, as my::dd.
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// Operation.
    #[arg(long = "op", value_name = "OP", value_parser = op_name)]
    ops: Vec<Op>,
    /// Level; with --cuda-header the one whose bounds hold, mid if not given.
    #[arg(long = "level", value_name = "LEVEL", value_parser = level_name)]
    levels: Vec<Level>,
    /// Write the results into this file, as JSON; those of a shard into this file or folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Measure the type in this CUDA header, on the first CUDA device or that of --device, under the bounds of
    /// --level.
    #[arg(long, value_name = "FILE", requires = "types", conflicts_with_all = ["subject", "shard", "checkpoint"])]
    cuda_header: Option<PathBuf>,
    /// Folder of headers that it includes; more than once for several.
    #[arg(long, value_name = "DIR", requires = "cuda_header")]
    include: Vec<PathBuf>,
    #[command(flatten)]
    functions: SubjectArgs,
    #[command(flatten)]
    run: RunArgs,
}

/// The usual run of a foreign type, whose searches are evaluated on the device a few cases at a time.
const FOREIGN: Effort = Effort { evaluations: 100_000, ..USUAL };

/// The name in the table of the type that is so called.
fn known(text: &str) -> Result<String, Error> {
    let name = text.parse::<Format>().map_or_else(|_| text.to_string(), |format| format.to_string());
    let mut names: Vec<_> = crate::table::listed_types().map(|ty| ty.name().to_string()).collect();
    names.dedup();
    if names.contains(&name) {
        return Ok(name);
    }
    let presets = Format::PRESETS.map(|(name, _)| name).join(", ");
    Err(Error::Usage(format!("--type: expected one of {}, {presets}, found `{text}`", names.join(", "))))
}

fn op_name(text: &str) -> Result<Op, String> {
    Op::of(text).ok_or_else(|| {
        let names: Vec<String> = crate::case::OPERATIONS
            .iter()
            .map(|o| o.op)
            .chain(Math::ALL.iter().map(|&f| Op::Math(f)))
            .map(|op| op.to_string())
            .collect();
        format!("expected one of {}, or a conversion such as from_i32 or to_f64", names.join(", "))
    })
}

pub fn level_name(text: &str) -> Result<Level, String> {
    Level::of(text).ok_or_else(|| "expected low, mid or high".into())
}

/// Runs the command.
pub fn run(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    if let Some(file) = &args.cuda_header {
        return foreign(args, file, json, seed);
    }
    if args.functions.any() {
        return of_library(args, json, seed);
    }
    let types = args.types.iter().map(|name| known(name)).collect::<Result<Vec<_>, Error>>()?;
    let rows: Vec<Row> = Row::all().into_iter().filter(|r| selects(args, &types, r)).collect();
    if rows.is_empty() {
        return Err(Error::Usage("no row has this type, operation and level; `vernier tables` shows all rows".into()));
    }
    let shard = args.run.shard;
    let out = args.out.as_deref().map(|path| result_file(path, "accuracy", shard));
    let lock = args.run.resume.lock(shard, out.as_slice())?;
    out.as_deref().map_or(Ok(()), file::check_writable)?;
    let results = args.run.run(&rows, USUAL, false, seed)?;
    let written = out.as_deref().map(|path| file::write(path, &results.for_file().to_json()));
    // What could not be written can still be read.
    let printed = show(&results, json);
    if matches!(written, Some(Ok(()))) || (written.is_none() && matches!(printed, Ok(true))) {
        lock.map_or(Ok(()), Lock::finish)?;
    }
    written.unwrap_or(Ok(()))?;
    printed?;
    results.verdict()
}

/// Functions of a library, as `vernier functions` measures them.
fn of_library(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    let types = args.types.iter().map(|ty| ty.parse().map_err(|e| Error::Usage(format!("--type: {e}"))));
    let request = Request {
        subject: &args.functions,
        types: types.collect::<Result<_, _>>()?,
        effort: crate::functions::Effort::Usual,
        evaluations: args.run.evaluations,
        shard: args.run.shard,
        resume: &args.run.resume,
        out: args.out.as_deref(),
        compare: None,
        progress: false,
    };
    carry_out(&request, json, seed).map(|results| results.whole())
}

/// Samples whose bits are compared with ours.
const COMPARED: u64 = 1 << 14;

/// The rows of somebody else's type.
fn foreign(args: &Args, file: &Path, json: bool, seed: u64) -> Result<bool, Error> {
    let [name] = &args.types[..] else {
        return Err(Error::Usage("--cuda-header: expected one --type, the name of the type in it".into()));
    };
    let level = match args.levels[..] {
        [] => Level::Mid,
        [level] => level,
        _ => return Err(Error::Usage("--cuda-header: expected one --level".into())),
    };
    let index = match args.run.device {
        Place::Host => 0,
        Place::Device(Api::Cuda, index) => index,
        place => return Err(Error::Usage(format!("--cuda-header: expected a CUDA device, found {place}"))),
    };
    file::read(file)?;
    if let Some(out) = &args.out {
        file::keep_inputs(out, [file])?;
        file::check_writable(out)?;
    }
    let header = Header { file: file.into(), include: args.include.clone(), name: name.clone() };
    let device = header.device(index)?;
    let subject = Foreign::new(&device, &header, level)?;
    let asked = |r: &Row| args.ops.is_empty() || args.ops.contains(&r.op);
    let rows: Vec<Row> = foreign_rows(&subject).into_iter().filter(asked).collect();
    if rows.is_empty() {
        return Err(Error::Usage(format!("{name} has none of these operations")));
    }
    let results = args.run.run_with(&subject, &rows, FOREIGN, false, seed)?;
    let written = args.out.as_deref().map_or(Ok(()), |path| file::write(path, &results.for_file().to_json()));
    show(&results, json)?;
    if !json {
        let mut out = Out::new();
        out.line("")?;
        for row in &rows {
            let shares = foreign_shares(&subject, row, seed, COMPARED.min(results.plan.samples))?;
            out.line(format_args!("{name} {row}: {shares}"))?;
        }
        out.finish()?;
    }
    written?;
    results.verdict()
}

/// Prints the table and the worst cases; whether all of it was read.
fn show(results: &Results, json: bool) -> Result<bool, Error> {
    let mut out = Out::new();
    print(&mut out, results, json)?;
    if !json {
        out.line("\nWorst cases")?;
        render::worst_cases(results).iter().try_for_each(|line| out.line(line))?;
    }
    out.finish_read()
}

fn selects(args: &Args, types: &[String], row: &Row) -> bool {
    let ty = types.is_empty() || types.contains(&row.type_name());
    let op = args.ops.is_empty() || args.ops.contains(&row.op);
    let level = args.levels.is_empty() || args.levels.iter().any(|&l| row.covers(l));
    ty && op && level
}
