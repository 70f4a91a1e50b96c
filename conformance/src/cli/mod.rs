//! The command line of program `vernier`: its commands, and options that several have.

mod accuracy;
mod advise;
mod bench;
mod conform;
mod devices;
mod emit;
mod eval;
mod functions;
mod merge;
mod out;
mod plan;
mod report;
mod stat;
mod sweep;
mod tables;
mod twin;

use crate::error::Error;
use crate::subject::{Host, OnDevice, Subject, TwoFloatCrate};
use crate::text::escaped;
use clap::{Parser, Subcommand, ValueEnum};
use std::env::args_os;
use std::process::ExitCode;
use vernier_gpu::device::Place;

/// Measures floating-point arithmetic against exact values.
///
/// Exit status: 0 if all claims hold, 1 if some claim does not, 2 if the command could not be carried out, or a check had
/// nothing to look at, 75 if a signal came and the same command goes on from its checkpoint.
#[derive(Parser, Debug)]
#[command(name = "vernier", version, max_term_width = 100)]
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
    Functions(functions::Args),
    Eval(eval::Args),
    Merge(merge::Args),
    Conform(conform::Args),
    Bench(bench::Args),
    Sweep(sweep::Args),
    Advise(advise::Args),
    #[command(hide = true)]
    AdviseWorker(advise::WorkerArgs),
    Devices(devices::Args),
    Emit(emit::Args),
    Stat(stat::Args),
    Twin(twin::Args),
    Report(report::Args),
    /// Calls functions of a library for another process of this program.
    #[command(hide = true, name = functions::CHILD)]
    ForeignChild,
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
    fn on_host(self) -> &'static dyn Subject {
        match self {
            SubjectName::Vernier => &Host,
            SubjectName::Twofloat => &TwoFloatCrate,
        }
    }

    /// Calls a function with the subject at a place.
    fn at<T>(self, place: Place, f: impl FnOnce(&dyn Subject) -> Result<T, Error>) -> Result<T, Error> {
        if place == Place::Host {
            return f(self.on_host());
        }
        if self != SubjectName::Vernier {
            return Err(Error::Usage("only subject vernier runs on a device".into()));
        }
        match place.open()? {
            Some(device) => f(&OnDevice::new(&device)),
            None => f(self.on_host()),
        }
    }
}

/// The command line. What a message repeats of it does nothing to a terminal.
fn parse() -> Result<Cli, clap::Error> {
    Cli::try_parse().map_err(|error| {
        let shown = args_os().map(|arg| escaped(&arg.to_string_lossy()).into_owned());
        Cli::try_parse_from(shown).err().unwrap_or(error)
    })
}

/// Runs the program on its command line.
pub fn main() -> ExitCode {
    // Errors of usage print a message and end with 2; help and version end with 0.
    let cli = match parse() {
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
        Command::Functions(args) => functions::run_functions(args, cli.json, cli.seed),
        Command::Report(args) => report::run(args),
        Command::ForeignChild => return vernier_foreign::serve(),
        Command::Eval(args) => eval::run(args, cli.json),
        Command::Merge(args) => merge::run(args, cli.json),
        Command::Conform(args) => conform::run_contracts(args, cli.json, cli.seed),
        Command::Bench(args) => bench::run(args, cli.json),
        Command::Devices(args) => devices::run(args, cli.json),
        Command::Sweep(args) => sweep::run(args, cli.json, cli.seed),
        Command::Advise(args) => advise::run(args, cli.json, cli.seed),
        Command::AdviseWorker(args) => advise::work(args),
        Command::Emit(args) => emit::run(args, cli.json),
        Command::Stat(args) => stat::run_computation(args, cli.json),
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
