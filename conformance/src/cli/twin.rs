//! `vernier twin`: whole computations that a GPU must carry out as the CPU does.

use super::out::Out;
use crate::error::Error;
use crate::{file, text};
use clap::ValueEnum;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use vernier_gpu::device::Place;
use vernier_twin::frame::{self, Chroma, Frames, Layout, Reader};
use vernier_twin::moments::{self, Speed};
use vernier_twin::{Options, Report, Twin, check, dot};

/// Hold a computation's GPU twin to its contract: identical on its exactness domain, within its bound elsewhere.
///
/// Runs the contract's own cases and plants its faults, or takes your frames. moments takes a sample s of b bits as the float
/// s / 2^(b-8), on the scale of 8 bits, and rounds its square to float before it is added to a double, as the CPU's code does. Exits with 1 if a case does not hold or a fault is
/// not caught, with 2 if the device cannot be used or a file cannot be read.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The computation.
    #[arg(value_enum)]
    twin: Name,
    /// Where the twin runs: host (its model), opencl, cuda, or cuda:1 for the second one.
    #[arg(long, default_value = "host", value_name = "DEVICE")]
    device: Place,
    /// Only this case, by its name: replays a failure.
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
    /// Reference frames: a Y4M file, or raw frames with --size.
    #[arg(long = "ref", value_name = "FILE", requires = "distorted", conflicts_with = "case")]
    reference: Option<PathBuf>,
    /// Distorted frames, as many and as large.
    #[arg(long = "dis", id = "distorted", value_name = "FILE", requires = "reference")]
    distorted: Option<PathBuf>,
    /// Both files are raw frames of this size.
    #[arg(long, value_name = "WxH", requires = "reference")]
    size: Option<Size>,
    /// Bits of a raw sample: 8 in bytes, 9 to 16 in little-endian words.
    #[arg(long, value_name = "N", default_value_t = 8, requires = "size")]
    bits: u32,
    /// Chroma of raw frames: 400, 411, 420, 422, 444 or 444alpha.
    #[arg(long, value_name = "FORMAT", default_value = "420", requires = "size")]
    chroma: Chroma,
    /// Measure the speed of the moments of this many resident pairs of 16-bit 3840x2160 planes, beside a copy, or on the host
    /// beside the sequential reference.
    #[arg(long, value_name = "PAIRS", num_args = 0..=1, default_missing_value = "64", conflicts_with_all = ["case", "reference"],
        value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS))]
    speed: Option<u64>,
    /// Write what was found into this file, as JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Pairs of 33 MB each: 68 GB.
const MOST_PAIRS: u64 = 2048;

/// A computation with a twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Mean and mean square of luma planes, of samples on the scale of 8 bits; squares are rounded to float.
    Moments,
    /// Dot product of floats as a tree of double-word sums.
    Dot,
    /// Dot product of floats, exact for any grid.
    ExactDot,
}

/// Width and height.
#[derive(Clone, Copy, Debug)]
struct Size {
    width: usize,
    height: usize,
}

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Size, String> {
        let expected = || format!("expected width x height, as 1920x1080, found `{text}`");
        let (width, height) = text.split_once('x').ok_or_else(expected)?;
        let number = |s: &str| frame::number(s).ok_or_else(expected);
        Ok(Size { width: number(width)?, height: number(height)? })
    }
}

/// Runs the command.
pub fn run(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    if args.twin != Name::Moments && (args.reference.is_some() || args.speed.is_some()) {
        return Err(Error::Usage("--ref, --dis and --speed are for moments".into()));
    }
    if let Some(out) = &args.out {
        file::keep_inputs(out, [&args.reference, &args.distorted].into_iter().flatten().map(PathBuf::as_path))?;
        file::check_writable(out)?;
    }
    if let Some(pairs) = args.speed {
        return speed(args, pairs, json);
    }
    let options = Options { only: args.case.clone(), faults: args.case.is_none() && args.reference.is_none() };
    let report = match (args.twin, &args.reference, &args.distorted) {
        (Name::Moments, Some(reference), Some(distorted)) => {
            check(&files(reference, distorted, args)?, args.device, &options)?
        }
        (Name::Moments, ..) => check(&moments::twin(seed), args.device, &options)?,
        (Name::Dot, ..) => check(&dot::twin(seed), args.device, &options)?,
        (Name::ExactDot, ..) => check(&dot::exact_twin(seed), args.device, &options)?,
    };
    finish(args, &report, json, |out| {
        out.line(&report)?;
        match report.first_failure() {
            Some(case) => out.line(replay(args, &report, &case.name, seed)),
            None => Ok(()),
        }
    })?;
    match &report.incomplete {
        Some(why) => Err(Error::Incomplete(why.clone())),
        None => Ok(report.holds()),
    }
}

/// The command that shows a failure again.
fn replay(args: &Args, report: &Report, case: &str, seed: u64) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let what = match (&args.reference, &args.distorted) {
        (Some(reference), Some(distorted)) => {
            let raw = args.size.map(|Size { width, height }| {
                format!(" --size {width}x{height} --bits {} --chroma {}", args.bits, args.chroma)
            });
            format!(" --ref {} --dis {}{}", quoted(reference), quoted(distorted), raw.unwrap_or_default())
        }
        _ => format!(" --case '{case}' --seed {seed}"),
    };
    format!("  replay: vernier twin {}{what} --device {}", report.twin, args.device)
}

/// The contract on the user's frames.
fn files(reference: &Path, distorted: &Path, args: &Args) -> Result<Twin<Frames>, Error> {
    let open = |path: &Path| match args.size {
        Some(Size { width, height }) => {
            Reader::raw(path, Layout { width, height, bits: args.bits, chroma: args.chroma })
        }
        None => Reader::y4m(path),
    };
    let (a, b) = (open(reference)?, open(distorted)?);
    let shape = |r: &Reader| (r.layout().width, r.layout().height, r.layout().bits, r.frames());
    if shape(&a) != shape(&b) {
        let shape_text = |r: &Reader| {
            let (w, h, bits, n) = shape(r);
            format!("{w}x{h} of {bits} bits, {n} frames")
        };
        return Err(Error::Disagree {
            name: text::path(distorted),
            reason: format!("expected {} as in {}, found {}", shape_text(&a), text::path(reference), shape_text(&b)),
        });
    }
    Ok((0..a.frames()).fold(moments::contract(), |twin, frame| {
        let (a, b) = (a.clone(), b.clone());
        twin.try_case(format!("frame {frame}"), move || {
            Ok(Frames { reference: a.plane(frame)?, distorted: b.plane(frame)? })
        })
    }))
}

fn speed(args: &Args, pairs: u64, json: bool) -> Result<bool, Error> {
    let device = args.device.open()?;
    let found = moments::speed(device.as_ref(), pairs as usize)?;
    finish(args, &found, json, |out| out.line(speed_text(&found)))?;
    Ok(found.same_bits)
}

fn speed_text(s: &Speed) -> String {
    let (place, beside) = match &s.build {
        Some(build) => (format!("{} {}", build.api, build.device), "of a copy's bandwidth"),
        None => ("host".to_string(), "of the sequential reference's speed"),
    };
    let bits = if s.same_bits { "the host's bits" } else { "OTHER BITS than the host's" };
    format!(
        "moments of {} pairs of 16-bit 3840x2160 planes on {place}: {:.3} ms, {:.0} GB/s, {:.2} {beside} ({:.0} GB/s), {bits}",
        s.pairs,
        s.seconds * 1e3,
        s.bytes_per_second / 1e9,
        s.ratio(),
        s.beside / 1e9,
    )
}

fn finish<T: Serialize>(
    args: &Args,
    found: &T,
    json: bool,
    text: impl FnOnce(&mut Out) -> Result<(), Error>,
) -> Result<(), Error> {
    let data = crate::text::json(found);
    if let Some(path) = &args.out {
        file::write(path, &data)?;
    }
    let mut out = Out::new();
    if json {
        out.line(data.trim_end())?
    } else {
        text(&mut out)?
    }
    out.finish()
}
