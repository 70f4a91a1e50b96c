//! `vernier report`: results as a page.

use super::out::Out;
use crate::error::Error;
use crate::page::Input;
use crate::{file, text};
use std::path::PathBuf;

/// Write one HTML file that shows the results of a folder: accuracy.json and speed.json of tables, files of functions
/// and of `bench --out`, and what `advise --json` printed.
///
/// The file needs no network and no other file. Sections are left out where the folder has no results for them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder with result files.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The page.
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Show what changed since the results of this folder.
    #[arg(long, value_name = "OLD")]
    compare: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<bool, Error> {
    file::check_writable(&args.output)?;
    let mut input = Input::read(&args.folder)?;
    if let Some(old) = &args.compare {
        input.compare(&text::path(old), &Input::read(old)?);
    }
    let written = input.write(&args.output)?;
    let mut out = Out::new();
    out.line(format_args!("written: {}", text::path(&written)))?;
    out.finish()?;
    Ok(true)
}
