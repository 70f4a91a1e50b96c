//! `vernier conform`: contracts between the host, devices and the oracle.

use super::accuracy::level_name;
use super::out::{Out, Stream};
use super::plan::{Resume, count, result_file};
use crate::case::{Level, Source, read_lines};
use crate::contract::{Outcome, Planted, Report, Request, find, foreign, run_with};
use crate::error::Error;
use crate::hold::Lock;
use crate::subject::Header;
use crate::table::Shard;
use crate::{file, text};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use vernier_gpu::device::Api;

/// Run the contracts: the same bits on the host and on every device, and errors within the bounds of the table.
///
/// Without --device, the recorded functions in the interpreter, and every kind of device that is there; those that are not are named
/// with the reason. Kept cases come first, then generated ones. Exits with 1 if a contract does not hold or a mutation score is
/// below its floor, with 2 if nothing was compared, or the device asked for cannot be used, or is lost on the way; what was counted until then is printed.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only this kind of device; `host` for contracts that need none.
    #[arg(long, value_enum)]
    device: Option<Where>,
    /// Cases of each function, as a number, 2^32 or 1e9 [default: 2^20 on OpenCL, 2^32 on CUDA].
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    cases: Option<u64>,
    /// 10^9 cases of each operation of emulated doubles that is compared with the processor's own, in place of 10^6.
    #[arg(long, conflicts_with = "cases")]
    full: bool,
    /// Only functions with this in their name, as fp32mp2_high or mul; with = before it the function of this name alone, as
    /// =fp32mp2_erf.
    #[arg(long, value_name = "NAME", default_value = "")]
    filter: String,
    /// Do part i of n of the functions only.
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Plant every mutant of every function, each with one operation changed, and print the mutation score: killed of those
    /// that are infected.
    #[arg(long)]
    mutants: bool,
    /// Name the mutants that survive, by the operation that they change.
    #[arg(long, requires = "mutants")]
    survivors: bool,
    /// In place of the other contracts, the error of every function of one pair of binary32 over every hi, each with 16 lo,
    /// found on the device by the same function of pairs of binary64; --cases says how many hi [default: 2^14 on OpenCL, 2^32 on
    /// CUDA].
    #[arg(long, conflicts_with_all = ["mutants", "survivors", "full", "find", "rounds", "cuda_header", "include", "name"])]
    every_hi: bool,
    /// Look for cases that kill mutants which the kept cases and some generated ones do not, and add their case lines to this
    /// file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["device", "mutants", "checkpoint"])]
    find: Option<PathBuf>,
    /// Rounds of 1024 cases of that search, for each function.
    #[arg(long, value_name = "N", value_parser = count, default_value = "300", requires = "find")]
    rounds: u64,
    /// Write what was found into this file, as JSON; what a shard found into this file or folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    resume: Resume,
    /// Judge the type in this CUDA header in place of ours.
    #[arg(long, value_name = "FILE", requires = "name", conflicts_with_all = ["shard", "checkpoint"])]
    cuda_header: Option<PathBuf>,
    /// Folder of headers that it includes; more than once for several.
    #[arg(long, value_name = "DIR", requires = "cuda_header")]
    include: Vec<PathBuf>,
    /// Name of the type, as my::dd.
    #[arg(long = "type", id = "name", value_name = "NAME", requires = "cuda_header")]
    name: Option<String>,
    /// Level whose bounds it is judged under.
    #[arg(long, value_name = "LEVEL", value_parser = level_name, default_value = "mid", requires = "cuda_header")]
    level: Level,
}

/// A kind of device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Where {
    /// None.
    Host,
    /// OpenCL.
    #[value(name = "opencl")]
    OpenCl,
    /// CUDA.
    Cuda,
}

/// Runs the command.
pub fn run_contracts(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    let mut request = Request {
        device: match args.device {
            Some(Where::OpenCl) => Some(Api::OpenCl),
            Some(Where::Cuda) => Some(Api::Cuda),
            Some(Where::Host) | None => None,
        },
        host_only: args.device == Some(Where::Host),
        cases: args.cases,
        full: args.full,
        filter: args.filter.clone(),
        shard: args.shard.unwrap_or(Shard::WHOLE),
        seed,
        mutants: if args.mutants { Planted::All } else { Planted::None },
        every_hi: args.every_hi,
        survivors: args.survivors,
        progress: None,
    };
    if args.every_hi && args.device == Some(Where::Host) {
        return Err(Error::Usage("--every-hi: expected --device opencl or cuda, found host".into()));
    }
    let out = args.out.as_deref().map(|path| result_file(path, "conform", args.shard));
    if let Some(out) = &out {
        file::keep_inputs(out, args.cuda_header.as_deref())?;
        file::check_writable(out)?;
    }
    if let Some(path) = &args.find {
        return find_cases(path, &request, args.rounds);
    }
    let lock = args.resume.lock(args.shard, out.as_slice())?;
    if let Some(checkpoint) = args.resume.file(args.shard) {
        request = request.go_on(&checkpoint, args.resume.every())?;
    }
    // Text appears as contracts finish; JSON is one document.
    let stream = Stream::new();
    let listener = |outcome: &Outcome| {
        if !json {
            stream.line(outcome);
        }
    };
    let report = match (&args.cuda_header, &args.name) {
        (Some(file), Some(name)) => {
            file::read(file)?;
            let header = Header { file: file.clone(), include: args.include.clone(), name: name.clone() };
            foreign(&header, args.level, &request, &listener)?
        }
        _ => run_with(&request, &listener)?,
    };
    // The only shard is a shard.
    let report = Report { shard: args.shard, ..report };
    let written = out.as_deref().map_or(Ok(()), |path| file::write(path, &report.to_json()));
    if written.is_ok() && report.incomplete.is_none() {
        lock.map_or(Ok(()), Lock::finish)?;
    }
    // What could not be written can still be read.
    stream.finish()?;
    print(&report, json)?;
    written?;
    match report.incomplete.clone() {
        Some(why) => Err(Error::Incomplete(why)),
        None => report.nothing(args.mutants).map_or(Ok(report.holds()), |why| Err(Error::Nothing(why))),
    }
}

/// Adds cases to a file of case lines, those of each function at once.
fn find_cases(path: &Path, request: &Request, rounds: u64) -> Result<bool, Error> {
    let mut lines = String::new();
    if path.exists() {
        lines = file::read(path)?;
        let name = || text::path(path);
        read_lines(&Source::File(path.into()), |line| match line.case {
            Ok(_) => Ok(()),
            Err(expected) => Err(Error::Line { name: name(), line: line.number, expected }),
        })?;
    }
    let stream = Stream::new();
    find(request, rounds, |function, found| {
        lines.extend(found.lines.iter().map(|line| format!("{line}\n")));
        file::write(path, &lines)?;
        let (open, left) = found.mutants;
        stream.line(format!("{function}: {} cases kill {} of {open} mutants", found.lines.len(), open - left));
        Ok(())
    })?;
    stream.finish()?;
    Ok(true)
}

/// The document, or the last lines of the text.
fn print(report: &Report, json: bool) -> Result<(), Error> {
    let mut out = Out::new();
    if json {
        out.line(report.to_json().trim_end())?;
    } else {
        report.summary().into_iter().try_for_each(|line| out.line(line))?;
    }
    out.finish()
}
