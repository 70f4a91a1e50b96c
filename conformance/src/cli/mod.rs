//! The command line.

mod accuracy;
mod bench;
mod conform;
mod devices;
mod emit;
mod eval;
mod merge;
mod out;
mod plan;
mod tables;
mod twin;

use crate::subject::{Host, Subject, TwoFloatCrate};
use clap::{Parser, Subcommand, ValueEnum};
use std::process::ExitCode;

/// Measures floating-point arithmetic against exact values.
///
/// Exit status: 0 if all claims hold, 1 if some claim does not, 2 if the command could not be carried out.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100)]
struct Cli {
    /// Machine-readable output.
    #[arg(long, global = true)]
    json: bool,
    /// Seed of generated cases; commands that generate none take no notice of it.
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Tables(tables::Args),
    Accuracy(accuracy::Args),
    Eval(eval::Args),
    Merge(merge::Args),
    Conform(conform::Args),
    Bench(bench::Args),
    Devices(devices::Args),
    Emit(emit::Args),
    Twin(twin::Args),
}

/// Where cases are evaluated.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Device {
    /// This processor.
    #[default]
    Host,
}

/// Whose arithmetic is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SubjectName {
    /// The pair types of this project, and the processor's own f32 and f64.
    #[default]
    Vernier,
    /// Crate `twofloat`, in place of fp64mp2.mid.
    Twofloat,
}

impl SubjectName {
    fn subject(self, device: Device) -> &'static dyn Subject {
        match (self, device) {
            (SubjectName::Vernier, Device::Host) => &Host,
            (SubjectName::Twofloat, Device::Host) => &TwoFloatCrate,
        }
    }
}

/// Runs the program on its command line.
pub fn main() -> ExitCode {
    // Errors of usage print a message and end with 2; help and version end with 0.
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Whoever closed the pipe has read enough.
            let written = error.print().map_or_else(|e| e.kind() == std::io::ErrorKind::BrokenPipe, |()| true);
            return if written && !error.use_stderr() { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    out::survive_full_files();
    let claims_hold = match &cli.command {
        Command::Tables(args) => tables::run(args, cli.json, cli.seed),
        Command::Accuracy(args) => accuracy::run(args, cli.json, cli.seed),
        Command::Eval(args) => eval::run(args, cli.json),
        Command::Merge(args) => merge::run(args, cli.json),
        Command::Conform(args) => conform::run_contracts(args, cli.json, cli.seed),
        Command::Bench(args) => bench::run(args, cli.json),
        Command::Devices(_) => devices::run(cli.json),
        Command::Emit(args) => emit::run(args),
        Command::Twin(args) => twin::run(args, cli.json, cli.seed),
    };
    match claims_hold {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            out::complain(&error);
            ExitCode::from(2)
        }
    }
}
