//! `vernier merge`: the results of shards as those of one run.

use super::out::Out;
use super::plan::{FILES, part_name, write_tables};
use super::tables::print;
use crate::contract::{self, Report};
use crate::error::Error;
use crate::parts::{Join, Part};
use crate::report::{self, Results};
use crate::{file, functions, speed, text};
use rayon::prelude::*;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Join the result files of all shards of a run: of tables and accuracy, of functions, or of conform.
///
/// The result is the one that a single run gives, to the bit. Says which shards are missing, cut, there twice, or of another plan,
/// seed, version or build, and then exits with 2. Exits with 1 if a row fails its claim.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Result files, one of each shard, in any order; or the folder of a run of `cluster/submit`, with the line that runs missing
    /// shards again.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Folder for accuracy.json, accuracy.md and costs.tsv, and for speed.json and speed.md where the first shard has speeds; of
    /// functions for functions.json and functions.html; of contracts for conform.json.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// File for the joined results, as JSON.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The file in a run's folder with the options of its array job, after `sbatch --array=...`.
const ARRAY: &str = "array";

/// What a file says that it is.
#[derive(Deserialize)]
struct Head {
    format: String,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<bool, Error> {
    let files = match &args.files[..] {
        [folder] if folder.is_dir() => in_folder(folder)?,
        files => files.into(),
    };
    let in_folder = args.out.iter().flat_map(|folder| FILES.map(|name| folder.join(name)));
    for output in args.output.iter().cloned().chain(in_folder) {
        file::keep_inputs(&output, files.iter().map(PathBuf::as_path))?;
    }
    // The first file that says what it is: others may be cut.
    let format = |path: &PathBuf| {
        let head = serde_json::from_str::<Head>(&file::read_regular(path).ok()?);
        head.ok().map(|head| head.format)
    };
    match files.iter().find_map(format).as_deref() {
        Some(functions::FORMAT) => {
            let mut results = join(&files, args, |name, text, _| functions::parse(name, text))?;
            results.shard = None;
            return of_functions(args, &results, json);
        }
        Some(contract::FORMAT) => {
            let report = join(&files, args, |name, text, _| contract::parse(name, text))?;
            return contracts(args, report.whole(), json);
        }
        _ => {}
    }
    let results = join(&files, args, |name, text, path| {
        let part = report::parse(name, text)?;
        let beside = path.with_file_name(part_name("speed", part.shard));
        let speed = if beside.exists() { Some(speed::read(&beside)?) } else { None };
        Ok(Results { speed: part.speed.clone().or(speed), ..part })
    })?;
    tables(args, &results.whole(), json)
}

/// The result files in a folder: those that are named as parts are.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let fault = |error| Error::Read { name: text::path(folder), error };
    let is_part = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let part = name.strip_suffix(".json").and_then(|name| name.split_once("-of-"));
        let part = part.and_then(|(name, count)| Some((name.rsplit_once('-')?, count)));
        let number = |text: &str| text.parse::<u64>().is_ok();
        part.is_some_and(|((name, index), count)| {
            number(index) && number(count) && !["checkpoint", "speed"].contains(&name)
        })
    };
    let entries = std::fs::read_dir(folder).map_err(fault)?.collect::<Result<Vec<_>, _>>().map_err(fault)?;
    let mut files: Vec<PathBuf> = entries.iter().map(|e| e.path()).filter(|path| is_part(path)).collect();
    files.sort();
    if files.is_empty() {
        let name = text::path(folder);
        return Err(Error::Usage(format!(
            "{name}: expected result files of shards, as accuracy-1-of-8.json.gz, found none"
        )));
    }
    Ok(files)
}

/// Joins files, some at a time: a part that is joined is forgotten.
fn join<P: Part + Send>(
    files: &[PathBuf],
    args: &Args,
    parse: impl Fn(&str, &str, &Path) -> Result<P, Error> + Sync,
) -> Result<P, Error> {
    let read = |path: &PathBuf| {
        let name = text::path(path);
        let part = file::read_regular(path).and_then(|text| parse(&name, &text, path));
        (name, part)
    };
    let mut join = Join::default();
    for some in files.chunks(rayon::current_num_threads()) {
        let parts: Vec<_> = some.par_iter().map(read).collect();
        parts.into_iter().for_each(|(name, part)| join.add(&name, part));
    }
    join.finish(|missing| {
        let folder = args.files.first().filter(|path| path.is_dir())?;
        let options = file::read_regular(&folder.join(ARRAY)).ok()?;
        Some(format!("sbatch --array={missing} {}", options.trim()))
    })
}

fn tables(args: &Args, results: &Results, json: bool) -> Result<bool, Error> {
    let file = args.output.as_deref().map_or(Ok(()), |path| file::write(path, &results_json(results)));
    let folder = args.out.as_deref().map_or(Ok(()), |folder| write_tables(folder, results).map(drop));
    // What could not be written can still be read.
    let mut out = Out::new();
    print(&mut out, results, json)?;
    if results.speed.is_none() && results.plan.special && !json {
        out.line("digits and speed: none of these files has any")?;
    }
    out.finish()?;
    file.and(folder)?;
    results.verdict()
}

/// The results with the speeds, but without what differs between two runs of the plan.
fn results_json(results: &Results) -> String {
    Results { speed: results.speed.clone(), ..results.for_file() }.to_json()
}

fn contracts(args: &Args, report: Report, json: bool) -> Result<bool, Error> {
    let write = |path: &Path| file::write(path, &report.to_json());
    let file = args.output.as_deref().map_or(Ok(()), write);
    let folder = args.out.as_deref().map_or(Ok(()), |folder| {
        file::make_folder(folder)?;
        write(&folder.join("conform.json"))
    });
    let mut out = Out::new();
    if json {
        out.line(report.to_json().trim_end())?;
    } else {
        report.outcomes.iter().try_for_each(|outcome| out.line(outcome))?;
        report.summary().into_iter().try_for_each(|line| out.line(line))?;
    }
    out.finish()?;
    file.and(folder)?;
    match report.incomplete.clone() {
        Some(why) => Err(Error::Incomplete(why)),
        None => report.nothing(report.asked.mutants).map_or(Ok(report.holds()), |why| Err(Error::Nothing(why))),
    }
}

/// The same of functions.
fn of_functions(args: &Args, results: &functions::Results, json: bool) -> Result<bool, Error> {
    let file = args.output.as_deref().map_or(Ok(()), |path| file::write(path, &results.to_json()));
    let folder = args.out.as_deref().map_or(Ok(()), |folder| {
        file::make_folder(folder)?;
        super::functions::write(&folder.join("functions.json"), results)
    });
    super::functions::print(results, json)?;
    file.and(folder)?;
    Ok(results.whole())
}
