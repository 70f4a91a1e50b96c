//! `vernier accuracy`: some rows of the accuracy table.

use super::out::Out;
use super::plan::{RunArgs, USUAL};
use super::tables::print;
use crate::case::{Level, Op, Type};
use crate::error::Error;
use crate::table::{Lock, Results, Row};
use crate::{file, render};
use std::path::PathBuf;

/// Measure some rows of the accuracy table, and show their worst cases.
///
/// Exits with 1 if a row fails its claim. Without a filter it measures every row.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Type without its level, as fp32mp2; more than once for several.
    #[arg(long = "type", value_name = "TYPE", value_parser = type_name)]
    types: Vec<String>,
    /// Operation.
    #[arg(long = "op", value_name = "OP", value_parser = op_name)]
    ops: Vec<Op>,
    /// Level.
    #[arg(long = "level", value_name = "LEVEL", value_parser = level_name)]
    levels: Vec<Level>,
    /// Write the results into this file, as JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

fn type_name(text: &str) -> Result<String, String> {
    let mut names: Vec<_> = Type::all().map(Type::name).collect();
    names.dedup();
    if names.iter().any(|n| n == text) { Ok(text.into()) } else { Err(format!("expected one of {}", names.join(", "))) }
}

fn op_name(text: &str) -> Result<Op, String> {
    Op::of(text).ok_or_else(|| {
        let names: Vec<String> = crate::case::OPERATIONS.iter().map(|o| o.op.to_string()).collect();
        format!("expected one of {}, or a conversion such as from_i32 or to_f64", names.join(", "))
    })
}

pub fn level_name(text: &str) -> Result<Level, String> {
    Level::of(text).ok_or_else(|| "expected low, mid or high".into())
}

/// Runs the command.
pub fn run(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    let rows: Vec<Row> = Row::all().into_iter().filter(|r| selects(args, r)).collect();
    if rows.is_empty() {
        return Err(Error::Usage("no row has this type, operation and level; `vernier tables` shows all rows".into()));
    }
    let lock = args.run.lock(args.out.as_slice())?;
    args.out.as_deref().map_or(Ok(()), file::check_writable)?;
    let results = args.run.run(&rows, USUAL, false, seed)?;
    let written = args.out.as_deref().map(|path| file::write(path, &results.to_json()));
    // What could not be written can still be read.
    let printed = show(&results, json);
    if matches!(written, Some(Ok(()))) || (written.is_none() && matches!(printed, Ok(true))) {
        lock.map_or(Ok(()), Lock::finish)?;
    }
    written.unwrap_or(Ok(()))?;
    printed?;
    Ok(results.hold())
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

fn selects(args: &Args, row: &Row) -> bool {
    let ty = args.types.is_empty() || args.types.iter().any(|t| *t == row.type_name());
    let op = args.ops.is_empty() || args.ops.contains(&row.op);
    let level = args.levels.is_empty() || args.levels.iter().any(|&l| row.covers(l));
    ty && op && level
}
