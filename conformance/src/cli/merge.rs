//! `vernier merge`: the results of shards as those of one run.

use super::out::Out;
use super::plan::{FILES, write_tables};
use super::tables::print;
use crate::error::Error;
use crate::report;
use crate::{file, text};
use std::path::PathBuf;

/// Join the result files of all shards of a run.
///
/// The result is the one that a single run gives, to the bit. Exits with 1 if a row fails its claim.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Result files, one of each shard, in any order.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Folder for accuracy.json and accuracy.md, and for speed.json and speed.md where the first shard has speeds.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// File for the joined results, as JSON.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<bool, Error> {
    let read = |path: &PathBuf| Ok((text::path(path), report::read(path)?));
    let in_folder = args.out.iter().flat_map(|folder| FILES.map(|name| folder.join(name)));
    for output in args.output.iter().cloned().chain(in_folder) {
        file::keep_inputs(&output, args.files.iter().map(PathBuf::as_path))?;
    }
    let parts = args.files.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
    let results = report::merge(parts)?;
    let file = args.output.as_deref().map_or(Ok(()), |path| file::write(path, &results.to_json()));
    let folder = args.out.as_deref().map_or(Ok(()), |folder| write_tables(folder, &results).map(drop));
    // What could not be written can still be read.
    let mut out = Out::new();
    print(&mut out, &results, json)?;
    if results.speed.is_none() && results.plan.special && !json {
        out.line("digits and speed: none of these files has any")?;
    }
    out.finish()?;
    file.and(folder)?;
    results.verdict()
}
