//! `vernier conform`: contracts between the host, devices and the oracle.

use super::out::{Out, Stream};
use super::plan::count;
use crate::contract::{Effort, Outcome, Report, Request, foreign, noticing, proved, run_telling, study};
use crate::error::Error;
use crate::file;
use crate::subject::Header;
use crate::table::Shard;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use vernier_gpu::device::Api;

/// Run the contracts: the same bits on the host and on every device, and errors within the bounds of the table.
///
/// Without --device, the recorded functions in the interpreter, and every kind of device that is there; those that are not are named
/// with the reason. Exits with 1 if a contract does not hold or a planted fault survives without a reason, with 2 if the
/// device asked for cannot be used, or is lost on the way; what was counted until then is printed.
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
    /// Only functions with this in their name, as fp32mp2_high or mul.
    #[arg(long, value_name = "NAME", default_value = "")]
    filter: String,
    /// Do part i of n of the functions only.
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Plant every single-operation fault of every function.
    #[arg(long)]
    faults: bool,
    /// Look for cases that notice the faults which the kept cases and some generated ones do not, and add them to this file.
    #[arg(long, value_name = "FILE", requires = "faults", conflicts_with = "device")]
    find: Option<PathBuf>,
    /// Look for proofs that faults have no effect, which may take minutes for a function, and put them in this file in place of
    /// those that it has for the same functions.
    #[arg(long, value_name = "FILE", requires = "faults", conflicts_with = "device")]
    prove: Option<PathBuf>,
    /// Rounds of 1024 cases of the search for cases, for each function.
    #[arg(long, value_name = "N", value_parser = count, default_value = "300", requires = "faults")]
    rounds: u64,
    /// Cases of one size after which a proof by cases is given up.
    #[arg(long, value_name = "N", value_parser = count, default_value = "2^10", requires = "faults")]
    most: u64,
    /// Write what was found into this file, as JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Judge the type in this CUDA header in place of ours.
    #[arg(long, value_name = "FILE", requires = "name")]
    cuda_header: Option<PathBuf>,
    /// Folder of headers that it includes; more than once for several.
    #[arg(long, value_name = "DIR", requires = "cuda_header")]
    include: Vec<PathBuf>,
    /// Name of the type, as my::dd.
    #[arg(long = "type", id = "name", value_name = "NAME", requires = "cuda_header")]
    name: Option<String>,
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
    let request = Request {
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
        faults: args.faults,
    };
    args.out.as_deref().map_or(Ok(()), file::check_writable)?;
    if args.find.is_some() || args.prove.is_some() {
        return study_faults(args, &request);
    }
    // Text appears as contracts finish; JSON is one document.
    let stream = Stream::new();
    let told = |outcome: &Outcome| {
        if !json {
            stream.line(outcome);
        }
    };
    let report = match (&args.cuda_header, &args.name) {
        (Some(file), Some(name)) => {
            file::read(file)?;
            let header = Header { file: file.clone(), include: args.include.clone(), name: name.clone() };
            foreign(&header, &request, &told)?
        }
        _ => run_telling(&request, &told)?,
    };
    let written = args.out.as_deref().map_or(Ok(()), |path| file::write(path, &report.to_json()));
    // What could not be written can still be read.
    stream.finish()?;
    print(&report, json)?;
    written?;
    match report.incomplete.clone() {
        Some(why) => Err(Error::Incomplete(why)),
        None => Ok(report.holds()),
    }
}

/// Adds cases to a file, and proofs to another, those of each function at once.
fn study_faults(args: &Args, request: &Request) -> Result<bool, Error> {
    let read = |path: &Option<PathBuf>| match path {
        Some(path) if path.exists() => file::read(path),
        _ => Ok(String::new()),
    };
    let mut cases = read(&args.find)?;
    // Without a file of its own what is proved already is known.
    let wrong = |path: &Path, line, expected| Error::Kept { name: path.display().to_string(), line, expected };
    if let (Some(path), Some(line)) = (&args.find, noticing::first_wrong(&cases)) {
        return Err(wrong(path, line, "a function and the bit patterns of its arguments in hexadecimal"));
    }
    let known = match &args.prove {
        None => proved::entries().to_vec(),
        Some(path) => {
            let expected = "the header, then a function, a fingerprint, numbers of faults and a reason, with tabs";
            proved::parse(&read(&args.prove)?).map_err(|line| wrong(path, line, expected))?
        }
    };
    let mut proofs = known.clone();
    let effort = Effort { rounds: args.rounds, proofs: args.prove.is_some(), most: args.most as usize };
    let stream = Stream::new();
    study(request, &effort, &known, |function, study| {
        if let Some(path) = &args.find {
            cases.extend(study.cases.iter().map(|line| format!("{line}\n")));
            file::write(path, &cases)?;
        }
        let proved: usize = study.proved.iter().map(|e| e.faults.len()).sum();
        if let Some(path) = &args.prove {
            proofs.retain(|e| e.function != function);
            proofs.extend(study.proved);
            proofs.sort_by(|a, b| a.function.cmp(&b.function));
            file::write(path, &proved::text(&proofs))?;
        }
        stream.line(format!("{function}: {} cases, {proved} proved, {} open", study.cases.len(), study.open.len()));
        study.open.iter().for_each(|fault| stream.line(format!("  {fault}")));
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
