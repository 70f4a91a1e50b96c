//! `vernier tables`: accuracy, digits, instruction counts and speed.

use super::out::Out;
use super::plan::{Effort, FULL, QUICK, RunArgs, USUAL, write_tables};
use crate::error::Error;
use crate::speed;
use crate::table::{self, Lock, Results, Row};
use crate::{file, render};
use std::path::PathBuf;

/// Measure every row of the accuracy table and the special-value table, digits of pi, instruction counts and speed.
///
/// Writes accuracy.json, accuracy.md, speed.json and speed.md and prints the rows. A shard has the accuracy table alone. Exits with 0 once they are written, whatever they say; with
/// --gate, or --compare, with 1 if a claim does not hold, or became worse.
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
    /// Show what changed since this result file; exit with 1 if something became worse.
    #[arg(long, value_name = "OLD.json")]
    compare: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

/// The files of a whole run.
const FILES: [&str; 4] = ["accuracy.json", "accuracy.md", "speed.json", "speed.md"];

/// Runs the command.
pub fn run(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    let effort = match (args.quick, args.full) {
        (true, _) => QUICK,
        (_, true) => FULL,
        _ => USUAL,
    };
    // An old result that cannot be read is better known before the run.
    let old = args.compare.as_deref().map(table::read).transpose()?;
    let lock = args.run.lock(&FILES.map(|name| args.out.join(name)))?;
    file::make_folder(&args.out)?;
    FILES.iter().try_for_each(|name| file::check_writable(&args.out.join(name)))?;
    let mut results = tables(args, effort, seed)?;
    let mut files = match write_tables(&args.out, &results) {
        Ok(files) => files,
        Err(error) => {
            // What could not be written can still be read; the checkpoint stays.
            let mut out = Out::new();
            print(&mut out, &results, json)?;
            out.finish()?;
            return Err(error);
        }
    };
    lock.map_or(Ok(()), Lock::finish)?;
    let mut speed_written = Ok(());
    if results.shard.is_none() {
        let speed = speed::run(args.quick)?;
        let (json, markdown) = (args.out.join("speed.json"), args.out.join("speed.md"));
        let both = file::write(&json, &speed.to_json());
        speed_written = both.and_then(|()| file::write(&markdown, &render::speed_markdown(&speed)));
        if speed_written.is_ok() {
            files.extend([json, markdown]);
        }
        results.speed = Some(speed);
    }

    let mut out = Out::new();
    print(&mut out, &results, json)?;
    let mut good = !args.gate || results.hold();
    if let Some(old) = old {
        let (lines, worse) = render::compare(&old, &results);
        good &= !worse;
        if !json {
            lines.iter().try_for_each(|line| out.line(line))?;
            out.line(if worse { "worse than before" } else { "not worse than before" })?;
        }
    }
    if !json {
        files.iter().try_for_each(|f| out.line(format_args!("written: {}", f.display())))?;
    }
    out.finish()?;
    speed_written?;
    Ok(good)
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
    let failed: Vec<String> =
        results.table.iter().filter(|l| l.verdict == table::Verdict::Fails).map(|l| l.key()).collect();
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
        0 => out.line("every claim holds"),
        n => out.line(format_args!("{n} claims do not hold: {}", failed.join(", "))),
    }
}
