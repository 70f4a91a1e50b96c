//! `vernier functions`: the accuracy of other people's functions.

use super::out::Out;
use super::plan::{Resume, count, result_file};
use crate::error::Error;
use crate::functions::{
    Asked, CaseFile, Effort, Plan, Results, Run, Source, Subject, compare, details, read, run, summary, table,
};
use crate::hold::Lock;
use crate::page::Input;
use crate::table::Shard;
use crate::{file, text};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use vernier_foreign::Number;
use vernier_gpu::device::{Api, Device};
use vernier_oracle::Function;

/// Whose functions.
#[derive(clap::Args, Debug)]
pub struct SubjectArgs {
    /// A shared library, as a path or a name that the loader finds: libm.so.6.
    #[arg(long, value_name = "PATH", group = "of")]
    pub library: Option<PathBuf>,
    /// Rust's standard library.
    #[arg(long, group = "of")]
    pub rust_std: bool,
    /// Crate libm.
    #[arg(long, group = "of")]
    pub crate_libm: bool,
    /// Functions of OpenCL C, or one expression of x, y and z: `native_exp(x)`.
    #[arg(long, value_name = "EXPRESSION", group = "of", num_args = 0..=1)]
    pub opencl: Option<Option<String>>,
    /// The same of CUDA: `expf(x)`, `my::f(x, y)`.
    #[arg(long, value_name = "EXPRESSION", group = "of", num_args = 0..=1)]
    pub cuda: Option<Option<String>>,
    /// Number of the device.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub device_number: usize,
    /// Header that the expression needs, in OpenCL or CUDA.
    #[arg(long, value_name = "FILE")]
    pub header: Option<PathBuf>,
    /// Options of the device's compiler, separated by blanks: --options=-use_fast_math.
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    pub options: String,
    /// Where results of OpenCL and CUDA are judged: device, or host.
    #[arg(long, value_name = "PLACE", value_parser = ["device", "host"], default_value = "device")]
    pub judge: String,
    /// Function, by its name in C of doubles; more than once for several [default: every one that is there].
    #[arg(long = "function", value_name = "NAME")]
    pub functions: Vec<Function>,
    /// Symbol of the library, in place of the name that C's rule gives the function.
    #[arg(long, value_name = "NAME", requires = "library")]
    pub symbol: Option<String>,
    /// Seconds after which a call of the library is taken for an endless one.
    #[arg(long, value_name = "S", default_value_t = 10, requires = "library")]
    pub patience: u64,
    /// Begin searches with the inputs of this file, lines as `f32 exp 42b17217`, and add the worst ones found; made where there is none.
    #[arg(long, value_name = "FILE", requires = "of")]
    pub cases: Option<PathBuf>,
}

/// Measure the functions of a library: the largest error of each in ulp, wrong special values, order and symmetry.
///
/// Functions of one float are tried with every input where this program has a quick judge for them, others are searched by
/// subdivision. A library is called in a process of its own: a function that crashes or does not return ends its row with the
/// input. Exits with 1 if a row did not come to its end; with --gate if a special value, order, symmetry or documented bound is wrong; with
/// --compare if something became worse.
#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("of").required(true).multiple(false)))]
pub struct Args {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Type of arguments and results: f32, f64, both if not given; of devices also f16 and bf16, with all 2^16 inputs, of libraries f128.
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<Number>,
    /// A look: searches of 2^18 inputs.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Every float of every function of one, and long searches.
    #[arg(long)]
    full: bool,
    /// Inputs of a search, and no function with every input.
    #[arg(long, value_name = "N", value_parser = count)]
    evaluations: Option<u64>,
    /// Write the results into this file, as JSON, and a page of them beside it, as HTML; those of a shard into this file or folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Exit with 1 if something is wrong.
    #[arg(long)]
    gate: bool,
    /// Show what changed since this result file; exit with 1 if something became worse.
    #[arg(long, value_name = "OLD.json", conflicts_with = "shard")]
    compare: Option<PathBuf>,
    /// Do part i of n only, and join the result files with `vernier merge`.
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Say on standard error what is done and how long it took, a line a function.
    #[arg(long)]
    progress: bool,
    #[command(flatten)]
    resume: Resume,
}

/// What is measured, and what becomes of it.
pub struct Request<'a> {
    /// Whose functions.
    pub subject: &'a SubjectArgs,
    /// Types; all where none is given.
    pub types: Vec<Number>,
    /// How much.
    pub effort: Effort,
    /// Inputs of a search.
    pub evaluations: Option<u64>,
    /// Part of the run.
    pub shard: Option<Shard>,
    /// Checkpoint.
    pub resume: &'a Resume,
    /// Result file.
    pub out: Option<&'a Path>,
    /// Earlier results.
    pub compare: Option<&'a Path>,
    /// Whether standard error is told of each function that is done.
    pub progress: bool,
}

impl SubjectArgs {
    /// Whether a subject is given.
    pub fn any(&self) -> bool {
        self.library.is_some() || self.rust_std || self.crate_libm || self.opencl.is_some() || self.cuda.is_some()
    }

    /// The subject.
    fn subject(&self) -> Result<Subject, Error> {
        let device = |api, expression: &Option<String>| {
            let device = Device::open(api, self.device_number)?;
            Ok(Subject::Device {
                api,
                index: self.device_number,
                name: device.description().place(),
                expression: expression.clone(),
                header: self.header.clone(),
                options: self.options.split_whitespace().map(String::from).collect(),
            })
        };
        match (&self.library, self.rust_std, self.crate_libm) {
            (Some(path), ..) => Ok(Subject::Library(path.clone())),
            (_, true, _) => Ok(Subject::RustStd),
            (.., true) => Ok(Subject::CrateLibm),
            _ => match (&self.opencl, &self.cuda) {
                (Some(expression), _) => device(Api::OpenCl, expression),
                (_, Some(expression)) => device(Api::Cuda, expression),
                _ => Err(Error::Usage("expected --library, --rust-std, --crate-libm, --opencl or --cuda".into())),
            },
        }
    }

    /// The functions asked for: those that are named, or the one that an expression names.
    fn wanted(&self) -> Result<Vec<Function>, Error> {
        let expression = self.opencl.iter().chain(&self.cuda).flatten().next();
        let Some(expression) = expression.filter(|_| self.functions.is_empty()) else {
            return Ok(self.functions.clone());
        };
        let mut words = expression.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let word = words.find(|w| w.len() > 1).unwrap_or_default();
        let bare = word.trim_start_matches("__").trim_start_matches("native_").trim_start_matches("half_");
        let others = [bare.strip_suffix('f'), bare.strip_prefix('h')].map(|name| name.unwrap_or(bare));
        let found = [bare].into_iter().chain(others).find_map(Function::of);
        let expected =
            || Error::Usage(format!("{expression}: expected --function NAME, the function that it is to compute"));
        Ok(vec![found.ok_or_else(expected)?])
    }
}

/// Runs the command.
pub fn run_functions(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    let request = Request {
        subject: &args.subject,
        types: args.types.clone(),
        effort: match (args.quick, args.full) {
            (true, _) => Effort::Quick,
            (_, true) => Effort::Full,
            _ => Effort::Usual,
        },
        evaluations: args.evaluations,
        shard: args.shard,
        resume: &args.resume,
        out: args.out.as_deref(),
        compare: args.compare.as_deref(),
        progress: args.progress,
    };
    let results = carry_out(&request, json, seed)?;
    let worse = results.comparison.as_ref().is_some_and(crate::report::Comparison::worse);
    Ok(results.whole() && !worse && (!args.gate || results.hold()))
}

/// Measures, prints, writes.
pub fn carry_out(request: &Request<'_>, json: bool, seed: u64) -> Result<Results, Error> {
    let args = request.subject;
    let patience = Duration::from_secs(args.patience.max(1));
    let mut source = Source::open(args.subject()?, args.symbol.clone(), patience, child)?;
    source.on_host = args.judge == "host";
    let rows = rows(args, &request.types, &source)?;
    // What cannot be read or written is better known before the run.
    let old = request.compare.map(|path| Ok::<_, Error>((text::path(path), read(path)?))).transpose()?;
    let cases = args.cases.as_deref().map_or(Ok(CaseFile::default()), CaseFile::open)?;
    let out = request.out.map(|path| result_file(path, "functions", request.shard));
    for path in [out.as_deref(), args.cases.as_deref()].into_iter().flatten() {
        file::check_writable(path)?;
    }
    if let (Some(out), Some(cases)) = (out.as_deref(), args.cases.as_deref()) {
        file::keep_inputs(out, [cases])?;
    }
    let lock = request.resume.lock(request.shard, out.as_slice())?;
    let plan = Plan { effort: request.effort, evaluations: request.evaluations, seed, cases: cases.hash() };
    let mut results = run(&Run {
        source: &source,
        rows,
        plan,
        shard: request.shard,
        checkpoint: request.resume.file(request.shard),
        save_every: request.resume.every(),
        cases: &cases,
        progress: request.progress,
    })?;
    results.comparison = old.map(|(name, old)| compare(&name, &old, &results));
    let written = out.as_deref().map_or(Ok(()), |path| write(path, &results));
    let added = cases.add(&results);
    // What could not be written can still be read.
    print(&results, json)?;
    written.and(added)?;
    lock.map_or(Ok(()), Lock::finish)?;
    Ok(results)
}

/// Writes results, and of a whole run the page beside them.
pub fn write(path: &Path, results: &Results) -> Result<(), Error> {
    file::write(path, &results.to_json())?;
    if results.shard.is_some() {
        return Ok(());
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let input = Input { functions: vec![(name, results.clone())], ..Input::default() };
    input.write(&path.with_extension("html")).map(drop)
}

/// Prints results: as JSON, or as a table.
pub fn print(results: &Results, json: bool) -> Result<(), Error> {
    let mut out = Out::new();
    if json {
        out.line(results.to_json().trim_end())?;
        return out.finish();
    }
    out.line(table(results))?;
    out.line("")?;
    results.rows.iter().flat_map(details).try_for_each(|line| out.line(line))?;
    out.line("")?;
    summary(results).into_iter().try_for_each(|line| out.line(line))?;
    results.comparison.iter().flat_map(crate::report::Comparison::lines).try_for_each(|line| out.line(line))?;
    out.finish()
}

/// Functions and types that are asked for; those that are not there are an error only where they were named.
fn rows(args: &SubjectArgs, types: &[Number], source: &Source) -> Result<Vec<Asked>, Error> {
    let expression = args.opencl.iter().chain(&args.cuda).any(Option::is_some);
    let both = &[Number::F32, Number::F64];
    let types = match types {
        // An expression is of floats, unless the types say otherwise.
        [] => &both[..if expression { 1 } else { 2 }],
        types => types,
    };
    let wanted = args.wanted()?;
    if args.symbol.is_some() && (args.functions.len() != 1 || types.len() != 1) {
        return Err(Error::Usage("--symbol: expected one --function, which it is to compute, and one --type".into()));
    }
    let functions = if wanted.is_empty() { Function::ALL } else { &wanted };
    let all = functions.iter().flat_map(|&f| types.iter().map(move |&n| Asked::from((f, n))));
    if !wanted.is_empty() {
        let all: Vec<_> = all.collect();
        // Names the ones that are similar.
        all.iter().filter(|a| !source.has(**a)).try_for_each(|&a| source.candidate(a, None).map(drop))?;
        return Ok(all);
    }
    let fast = source.fast().into_iter().filter(|a| types.contains(&a.number));
    let found: Vec<_> = all.filter(|&a| source.has(a)).chain(fast).collect();
    if found.is_empty() {
        return Err(Error::Usage(format!("{} has no function that the oracle knows", source.subject)));
    }
    Ok(found)
}

/// The process that calls functions: this program again.
fn child() -> vernier_foreign::Program {
    Box::new(|| {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(CHILD);
        Ok(command)
    })
}

/// The hidden command.
pub const CHILD: &str = "foreign-child";
