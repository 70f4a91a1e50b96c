//! `vernier advise`: which type a user's kernel should use.

use super::Place;
use super::out::Out;
use super::plan::count;
use crate::advise::data::Array;
use crate::advise::{Question, Semantics, USUAL, advise, page, picture, worker};
use crate::error::Error;
use crate::{file, text};
use std::path::{Path, PathBuf};
use std::time::Duration;
use vernier_gpu::advise::{Kernel, subject};
use vernier_gpu::bench::{Card, Subject, card_names, card_of};
use vernier_gpu::device::{Api, survey};

/// Run your kernel in every type and say which it should use, on this card or another.
///
/// FILE is a header with a class template, whose function `item` does the work of one thread on item i of n:
///
///   template <class T> struct Norms {
///       static __device__ __host__ T item(const double *x, long n, long i)
///       {
///           T a(x[3 * i]), b(x[3 * i + 1]), c(x[3 * i + 2]);
///           return sqrt(a * a + b * b + c * c);
///       }
///   };
///
///   vernier advise norms.cuh --kernel Norms --data "x=normal(0,1,3e5)" --items 1e5 --digits 10
///
/// It takes one `const double *` for each --data, in their order, none without, then n and i. What all items share, as coefficients or
/// a mean, is an array too. Numbers become T's by T(...): literals as T(2), integers as T(i), since `2.0 * a` is double arithmetic in
/// float and a conversion in other types. With --sum the items are added up, as in
///
///   template <class T> struct Harmonic {
///       static __device__ __host__ T item(long n, long i) { return T(1) / T(i + 1); }
///   };
///
///   vernier advise harmonic.cuh --kernel Harmonic --items 1e6 --digits 12 --sum
///
/// What follows a sum once, as the division by n of a mean, is left out. + - * / sqrt fma and comparisons are those of every type; other
/// functions (exp, erfc, ...) are float's, double's and the pairs', so that emulated doubles are out.
///
/// Digits are those in common with the same kernel in fp64mp2 at level high. On the host the kernel is compiled by g++, clang++ or
/// $CXX; digits are the device's, and speeds are predicted from machine code where NVRTC and cuobjdump are found, otherwise estimated
/// from the operations of an item. With --device cuda speeds are measured beside double. Candidates that are struck out in the table miss
/// the digits, or what else was asked for. `vernier report` shows what --json gives on a page. Exits with 1 if no type keeps the digits.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The header with the kernel.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The class template.
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    kernel: String,
    /// An array of doubles: NAME=FILE.npy, NAME=FILE with the bytes of doubles, NAME=uniform(LOW,HIGH,COUNT),
    /// NAME=normal(MEAN,DEVIATION,COUNT) or NAME=log-uniform(LOW,HIGH,COUNT).
    #[arg(long, value_name = "NAME=DATA")]
    data: Vec<Array>,
    /// How many items: 1e6, 2^20.
    #[arg(long, value_name = "N", value_parser = count)]
    items: u64,
    /// Decimal digits that are needed: of the worst item, or of the sum.
    #[arg(long, value_name = "D", value_parser = digits, allow_negative_numbers = true)]
    digits: f64,
    /// Add the items up, each candidate in its own type; sums in wider types are tried too.
    #[arg(long)]
    sum: bool,
    /// Add the items up in this type, whatever theirs is.
    #[arg(long, value_name = "TYPE", value_parser = named_type)]
    sum_in: Option<Subject>,
    /// Try this type alone, beside double and those of the reference; several may be named.
    #[arg(long = "type", value_name = "TYPE", value_parser = named_type)]
    types: Vec<Subject>,
    /// Native double and emulated doubles on two pipes at once, sharing the items of a map, are candidates too.
    #[arg(long, conflicts_with_all = ["sum", "sum_in"])]
    split: bool,
    /// Where it runs: host, or cuda and the device's number.
    #[arg(long, value_name = "PLACE", default_value = "host")]
    device: Place,
    /// A card to predict for, by its name or a JSON file of its rates [default: the device's, or H200 and B300].
    #[arg(long, value_name = "NAME|FILE", value_parser = card)]
    card: Vec<Card>,
    /// Seconds that a candidate may take.
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = seconds, allow_negative_numbers = true)]
    limit: f64,
    /// Double's bits are needed: double, or packed emulated doubles at level high.
    #[arg(long)]
    bit_exact: bool,
    /// Double's exponent range is needed.
    #[arg(long)]
    range: bool,
    /// Write the picture of digits against speed into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The process that a kernel runs in on a device.
#[derive(clap::Args, Debug)]
pub struct WorkerArgs {
    folder: PathBuf,
}

/// Runs the command; whether a type keeps the digits.
pub fn run(args: &Args, json: bool, seed: u64) -> Result<bool, Error> {
    args.out.as_deref().map_or(Ok(()), |out| {
        file::keep_inputs(out, [args.file.as_path()])?;
        file::check_writable(out)
    })?;
    const MOST: u64 = 1 << 27;
    if args.items > MOST {
        return Err(Error::Usage(format!("expected at most {MOST} items, found {}", args.items)));
    }
    let (device, own) = match args.device {
        Place::Host => (None, None),
        Place::Device(Api::Cuda, index) => {
            let list = survey();
            let found = list.devices.iter().find(|d| d.api == Api::Cuda && d.index == index && d.unusable.is_none());
            match found {
                Some(found) => (Some(index), card_of(found)),
                None => {
                    return Err(args
                        .device
                        .open()
                        .err()
                        .map_or_else(|| Error::Usage("no such device".into()), Error::from));
                }
            }
        }
        Place::Device(..) => return Err(Error::Usage("expected host or cuda: kernels are CUDA C++".into())),
    };
    if device.is_some() && own.is_none() && args.card.is_empty() {
        return Err(Error::Usage("the rates of this device's architecture are not known: name a --card".into()));
    }
    let mut cards: Vec<Card> = own.into_iter().chain(args.card.iter().cloned()).collect();
    if cards.is_empty() {
        cards = USUAL.into_iter().filter_map(Card::named).collect();
    }
    let text = file::read_regular(&args.file)?;
    if !names(&text, last(&args.kernel)) {
        let name = text::path(&args.file);
        return Err(Error::Usage(format!("{name}: expected a class template {}, found no such name", args.kernel)));
    }
    let shown = args.file.file_name().map_or("kernel".into(), |n| n.to_string_lossy().into_owned());
    let data = args.data.iter().zip(0..).map(|(a, k)| a.read(k, seed)).collect::<Result<Vec<_>, _>>()?;
    let question = Question {
        kernel: Kernel {
            file: shown,
            folder: args.file.parent().unwrap_or(Path::new("")).to_path_buf(),
            text,
            name: args.kernel.clone(),
            arrays: data.len(),
        },
        data,
        items: args.items,
        digits: args.digits,
        sums: args.sum || args.sum_in.is_some(),
        split: args.split,
        types: args.types.clone(),
        sum_in: args.sum_in,
        semantics: Semantics { bits: args.bit_exact, range: args.range },
        cards,
        device,
        limit: Duration::from_secs_f64(args.limit),
    };
    let advice = advise(&question)?;
    let mut out = Out::new();
    if json {
        out.line(text::json(&advice).trim_end())?
    } else {
        out.line(page(&advice))?
    }
    out.finish()?;
    if let Some(path) = &args.out {
        file::write(path, &picture(&advice).map_err(Error::Usage)?)?;
    }
    Ok(advice.recommendation.name.is_some())
}

/// Runs the worker.
pub fn work(args: &WorkerArgs) -> Result<bool, Error> {
    worker::work(&args.folder).map(|()| true)
}

fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Whether a text has a name as a word.
fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

fn identifier(text: &str) -> Result<String, String> {
    let part = |p: &str| !p.is_empty() && !p.starts_with(|c: char| c.is_ascii_digit());
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':');
    if plain && text.split("::").all(|p| part(p) && !p.contains(':')) {
        return Ok(text.into());
    }
    Err(format!("expected the name of a class template, found `{text}`"))
}

fn digits(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|d| (0.0..=31.0).contains(d));
    value.ok_or_else(|| format!("expected a number of digits from 0 to 31, found `{text}`"))
}

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= 1e6);
    value.ok_or_else(|| format!("expected a number of seconds, found `{text}`"))
}

fn named_type(text: &str) -> Result<Subject, String> {
    subject(text).ok_or_else(|| {
        let names: Vec<String> = Subject::ALL.iter().map(|s| s.name()).collect();
        format!("expected one of {}, found `{text}`", names.join(", "))
    })
}

fn card(text: &str) -> Result<Card, String> {
    if let Some(card) = Card::named(text) {
        return Ok(card);
    }
    let names: Vec<&str> = card_names().collect();
    let expected = |why: String| format!("expected {} or a JSON file of rates: {why}", names.join(", "));
    let content = file::read_regular(Path::new(text)).map_err(|e| expected(e.to_string()))?;
    let card: Card = serde_json::from_str(&content).map_err(|e| expected(format!("{text}: {e}")))?;
    let rates = [card.fp32, card.fp64, card.special, card.integer, card.multiply, card.issue];
    if rates.iter().chain(card.memory.iter()).all(|r| r.is_finite() && *r > 0.0) {
        return Ok(card);
    }
    Err(expected(format!("{text}: rates above 0")))
}
