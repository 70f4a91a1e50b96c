//! `vernier tables`: accuracy, digits, instruction counts and speed.

use super::out::Out;
use super::plan::{Effort, FILES, FULL, QUICK, RunArgs, USUAL, shard_file, write_tables};
use crate::compare::compare;
use crate::error::Error;
use crate::report::{self, Comparison, Results};
use crate::speed;
use crate::table::{Lock, Row, Verdict};
use crate::{file, render, text};
use std::path::{Path, PathBuf};

/// Measure every row of the accuracy table and the special-value table, digits of pi, instruction counts and speed.
///
/// Writes accuracy.json, accuracy.md, speed.json and speed.md and prints the rows; a shard is one file, and the first shard
/// measures the speeds. Exits with 0 once they are written, whatever they say; with --gate, or --compare, with 1 if a claim does
/// not hold, or something became worse; with 2 if a device failed in the middle.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A look at every row, in less than half a minute.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// 2^28 samples a row.
    #[arg(long)]
    full: bool,
    /// Folder for the files.
    #[arg(long, value_name = "DIR", default_value = "target/tables")]
    out: PathBuf,
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
    let files = match args.run.shard {
        Some(shard) => vec![shard_file(shard)],
        None => FILES.map(String::from).into(),
    };
    let lock = args.run.lock(&files.iter().map(|name| args.out.join(name)).collect::<Vec<_>>())?;
    file::make_folder(&args.out)?;
    files.iter().try_for_each(|name| file::check_writable(&args.out.join(name)))?;
    let mut results = tables(args, effort, seed)?;
    let mut written = write_tables(&args.out, &results);
    if written.is_ok() {
        lock.map_or(Ok(()), Lock::finish)?;
        if results.shard.is_none_or(|s| s.index == 1) {
            results.speed = Some(speed::run(args.quick));
            written = write_tables(&args.out, &results);
        }
    }
    results.comparison = old.map(|(path, old)| compare(&path.display().to_string(), &old, &results));

    // What could not be written can still be read; the checkpoint stays.
    let mut out = Out::new();
    print(&mut out, &results, json)?;
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
    let failed: Vec<String> = results.table.iter().filter(|l| l.verdict == Verdict::Fails).map(|l| l.key()).collect();
    let special = results
        .special
        .iter()
        .filter(|r| !r.holds())
        .map(|r| format!("special values of {}.{} {}", r.ty, r.level, r.op));
    let speed = results.speed.iter().flat_map(|s| s.failed());
    let failed: Vec<String> = failed.into_iter().chain(special).chain(speed).collect();
    for section in results.speed.iter().flat_map(render::sections) {
        out.line(format_args!("\n{}", section.terminal()))?;
    }
    out.line("")?;
    for line in render::origin(results) {
        out.line(line)?;
    }
    match failed.len() {
        0 if !results.checked() => out.line("no claim was looked at")?,
        0 => out.line("every claim holds")?,
        n => out.line(format_args!("{n} claims do not hold: {}", failed.join(", ")))?,
    }
    results.comparison.iter().flat_map(Comparison::lines).try_for_each(|line| out.line(line))
}
