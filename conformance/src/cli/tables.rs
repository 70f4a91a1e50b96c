//! `vernier tables`: accuracy, digits, instruction counts and speed.

use super::out::Out;
use super::plan::{Effort, FULL, QUICK, RunArgs, USUAL, table_files, write_tables};
use crate::compare::compare;
use crate::error::Error;
use crate::hold::Lock;
use crate::page::Input;
use crate::report::{self, Comparison, Results};
use crate::speed;
use crate::table::{Row, Verdict};
use crate::{file, render, text};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Measure every row of the accuracy table and the special-value table, digits of pi, instruction counts and speed.
///
/// Writes accuracy.json, accuracy.md, speed.json, speed.md, costs.tsv and report.html and prints the rows, or on a terminal a page of
/// them; a shard is one file, and the first shard measures the special values and the speeds. Exits with 0 once they are written, whatever they say; with --gate, or --compare, with 1 if a claim does
/// not hold, or something became worse; with 2 if a device failed in the middle.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A look at every row, in less than half a minute.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// 2^30 samples a row.
    #[arg(long)]
    full: bool,
    /// Folder for the files.
    #[arg(long, value_name = "DIR", default_value = "target/tables")]
    out: PathBuf,
    /// Print every row on a terminal too, where a page is printed otherwise; in a pipe every row is.
    #[arg(long)]
    all: bool,
    /// Exit with 1 if a row fails its claim.
    #[arg(long)]
    gate: bool,
    /// Show what changed since this accuracy.json, and the speed.json beside it; exit with 1 if something became worse: a
    /// larger error, a tenth of a digit lost, more instructions, or a speed lower by more than both spreads and 3%.
    #[arg(long, value_name = "OLD.json", conflicts_with = "shard")]
    compare: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    let effort = match (args.quick, args.full) {
        (true, _) => QUICK,
        (_, true) => FULL,
        _ => USUAL,
    };
    // An old result that cannot be read is better known before the run.
    let old = args.compare.as_deref().map(|path| Ok::<_, Error>((path, earlier(path)?))).transpose()?;
    let files: Vec<PathBuf> = table_files(args.run.shard).iter().map(|name| args.out.join(name)).collect();
    let lock = args.run.resume.lock(args.run.shard, &files)?;
    file::make_folder(&args.out)?;
    files.iter().try_for_each(|path| file::check_writable(path))?;
    let mut results = tables(args, effort, seed)?;
    let mut written = write_tables(&args.out, &results);
    if written.is_ok() && results.shard.is_none_or(|s| s.index == 1) {
        results.speed = Some(speed::run(args.quick));
        written = write_tables(&args.out, &results);
    }
    if written.is_ok() {
        lock.map_or(Ok(()), Lock::finish)?;
    }
    results.comparison = old.map(|(path, old)| compare(&path.display().to_string(), &old, &results));
    if let (Ok(files), None) = (&mut written, results.shard) {
        files.push(Input::of_tables(&results).write(&args.out.join("report.html"))?);
    }

    // What could not be written can still be read; the checkpoint stays.
    let mut out = Out::new();
    if !json && !args.all && std::io::stdout().is_terminal() {
        page(&mut out, &results)?;
    } else {
        print(&mut out, &results, json)?;
    }
    if let (Ok(files), false) = (&written, json) {
        files.iter().try_for_each(|f| out.line(format_args!("written: {}", text::path(f))))?;
    }
    out.finish()?;
    written?;
    if let Some(why) = results.speed.as_ref().and_then(|s| s.incomplete.clone()) {
        return Err(Error::Incomplete(why));
    }
    let worse = results.comparison.as_ref().is_some_and(Comparison::worse);
    Ok(!worse && (!args.gate || results.verdict()?))
}

/// Earlier results, with the digits, counts and speeds in the file beside them.
fn earlier(path: &Path) -> Result<Results, Error> {
    let mut results = report::read(path)?;
    let beside = speed::beside(path);
    if results.speed.is_none() && beside.exists() {
        results.speed = Some(speed::read(&beside)?);
    }
    Ok(results)
}

fn tables(args: &Args, effort: Effort, seed: u64) -> Result<Results, Error> {
    args.run.run(&Row::all(), effort, true, seed)
}

/// The claims that do not hold.
fn failed(results: &Results) -> Vec<String> {
    let failed: Vec<String> = results.table.iter().filter(|l| l.verdict == Verdict::Fails).map(|l| l.key()).collect();
    let special = results
        .special
        .iter()
        .filter(|r| !r.holds())
        .map(|r| format!("special values of {}.{} {}", r.ty, r.level, r.op));
    let speed = results.speed.iter().flat_map(|s| s.failed());
    failed.into_iter().chain(special).chain(speed).collect()
}

/// Rows that a page has of those that fail.
const FAILING: usize = 16;

/// Prints a page: what was measured, the rows of each type, and what fails.
fn page(out: &mut Out, results: &Results) -> Result<(), Error> {
    out.line(render::types(results))?;
    out.line("")?;
    let mut failing = Results { special: Vec::new(), speed: None, ..results.clone() };
    failing.table.retain(|line| line.verdict == Verdict::Fails);
    failing.table.truncate(FAILING);
    if !failing.table.is_empty() {
        out.line(render::accuracy(&failing))?;
        out.line("")?;
    }
    for line in render::origin(results) {
        out.line(line)?;
    }
    let failed = failed(results);
    let more = failed.len().saturating_sub(FAILING);
    let named = failed[..failed.len() - more].join(", ");
    match failed.len() {
        0 if !results.checked() => out.line("no claim was looked at")?,
        0 => out.line("every claim holds")?,
        n if more == 0 => out.line(format_args!("{n} claims do not hold: {named}"))?,
        n => out.line(format_args!("{n} claims do not hold: {named} and {more} more"))?,
    }
    out.line("every row, digits and speed: with --all, or in these files")?;
    let lines = results.comparison.iter().flat_map(Comparison::lines);
    lines.take(FAILING).try_for_each(|line| out.line(line))
}

/// Prints results: as JSON, or as tables.
pub fn print(out: &mut Out, results: &Results, json: bool) -> Result<(), Error> {
    if json {
        return out.line(results.to_json().trim_end());
    }
    out.line(render::accuracy(results))?;
    if !results.special.is_empty() {
        out.line("\nSpecial values: mismatches of cases")?;
        out.line(render::special(&results.special))?;
    }
    for section in results.speed.iter().flat_map(render::sections) {
        out.line(format_args!("\n{}", section.terminal()))?;
    }
    out.line("")?;
    for line in render::origin(results) {
        out.line(line)?;
    }
    let failed = failed(results);
    match failed.len() {
        0 if !results.checked() => out.line("no claim was looked at")?,
        0 => out.line("every claim holds")?,
        n => out.line(format_args!("{n} claims do not hold: {}", failed.join(", ")))?,
    }
    results.comparison.iter().flat_map(Comparison::lines).try_for_each(|line| out.line(line))
}
