//! `vernier stat`: what instrumented pairs were seen to do.

use super::Place;
use super::out::Out;
use crate::case::Level;
use crate::error::Error;
use crate::stat::{Computation, report, run};
use clap::ValueEnum;
use vernier::stat::Options;
use vernier_gpu::bench::Subject;

/// Run a computation in instrumented pairs and report what its operations did.
///
/// Counted are operations by kind, cancellations, overflows and underflows, and of operands and results: zeros, zeros in lo,
/// infinities, NaN, subnormal and overlapping limbs, the range of exponents and of the gap between the limbs. On a device the
/// record must be the host's, for pi up to 2^22 terms; beyond, the text says that it was not compared. Exits with 1 if it is not the
/// host's, with 2 if the device cannot be used.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to compute.
    #[arg(value_enum)]
    computation: Name,
    /// Where: host, opencl or cuda, and the device's number.
    #[arg(long, value_name = "PLACE", default_value = "host")]
    device: Place,
    /// Type, fp32mp2 or fp64mp2 [default: both].
    #[arg(long = "type", value_name = "TYPE", value_parser = ["fp32mp2", "fp64mp2"])]
    types: Vec<String>,
    /// Level.
    #[arg(long, value_name = "LEVEL", default_value = "mid", value_parser = super::accuracy::level_name)]
    level: Level,
    /// log2 of the number of terms of pi, 17 to 40 [default: 20].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(17..=40))]
    log2_terms: Option<u32>,
    /// Histograms of exponents and gaps too, in JSON.
    #[arg(long)]
    histograms: bool,
}

/// A computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    /// The published example: a compensated sum of 64 terms.
    Kahan,
    /// The pi benchmark.
    Pi,
}

/// Runs the command.
pub fn run_computation(args: &Args, json: bool) -> Result<bool, Error> {
    let computation = match (args.computation, args.log2_terms) {
        (Name::Kahan, Some(_)) => return Err(Error::Usage("--log2-terms is for pi".into())),
        (Name::Kahan, None) => Computation::Kahan,
        (Name::Pi, k) => Computation::Pi(k.unwrap_or(20)),
    };
    let wanted = |s: &Subject| args.types.is_empty() || args.types.iter().any(|t| t == s.family());
    let subjects: Vec<Subject> =
        Subject::ALL.into_iter().filter(|s| s.is_pair() && s.level() == args.level.name() && wanted(s)).collect();
    let options = if args.histograms { Options::new().histograms() } else { Options::new() };
    let device = args.device.open()?;
    let found = run(computation, device.as_ref(), &subjects, options)?;
    let mut out = Out::new();
    match json {
        true => out.line(found.to_json().trim_end())?,
        false => out.line(report(&found))?,
    }
    out.finish()?;
    Ok(found.holds())
}
