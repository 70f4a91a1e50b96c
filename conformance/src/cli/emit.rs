//! `vernier emit`: the headers.

use super::out::Out;
use crate::error::Error;
use crate::{file, text};
use clap::ValueEnum;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use vernier_gpu::emit::{Family, Header};
use vernier_gpu::print::{Cuda, Rare};

/// Write the arithmetic as a header.
///
/// cuda: for CUDA C++, NVRTC and host C++17; types vernier::fp32mp2_low to fp64mp2_high, fp64emu_low to
/// fp64emu_unpacked_high (doubles without the FP64 pipe) and fp64_custom<E, M>, with operators, functions and conversions.
/// opencl: for OpenCL C 1.2; functions such as fp32mp2_high_add, fp64emu_high_add and fp64emu_add_ru.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Language.
    language: Language,
    /// A folder gets a file for each family and one that includes them (vernier.cuh, vernier/pairs.cuh, ...); a file gets everything, to be
    /// included alone. What is not there is a file if its name has an extension. `-`, or none, is standard output.
    #[arg(long, short, value_name = "DIR|FILE")]
    output: Option<PathBuf>,
    /// This family alone, with what it needs, in a text that includes nothing else: pairs, emulated, custom or stat. May be given
    /// several times.
    #[arg(long, value_name = "FAMILY", value_parser = family)]
    only: Vec<Family>,
}

/// Language of a header.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    /// CUDA C++ and host C++.
    Cuda,
    /// OpenCL C.
    #[value(name = "opencl")]
    OpenCl,
}

fn family(name: &str) -> Result<Family, String> {
    Family::ALL.into_iter().find(|f| f.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Family::ALL.iter().map(|f| f.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// What `--json` prints for a text.
#[derive(Serialize)]
struct Row {
    /// Where it was written, or belongs.
    file: String,
    /// The families in it; "common" for what all need.
    families: Vec<String>,
    lines: usize,
    sha256: String,
}

impl Row {
    fn new(file: String, families: Vec<String>, text: &str) -> Self {
        let sha256 = Sha256::digest(text).iter().map(|b| format!("{b:02x}")).collect();
        Row { file, families, lines: text.lines().count(), sha256 }
    }
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<bool, Error> {
    let header = match args.language {
        Language::Cuda => Header::cuda(&Cuda::default(), Rare::Automatic),
        Language::OpenCl => Header::opencl(),
    };
    let output = args.output.as_deref().filter(|path| path.as_os_str() != "-");
    let new_folder = |path: &Path| !path.exists() && path.extension().is_none();
    let folder = output.filter(|path| path.is_dir() || path.to_string_lossy().ends_with('/') || new_folder(path));
    let mut rows = Vec::new();
    let mut out = Out::new();
    if let Some(folder) = folder.or(Some(Path::new("")).filter(|_| json && output.is_none()))
        && args.only.is_empty()
    {
        let names = |section: Option<&str>| match section {
            Some(name) => vec![name.to_string()],
            None => header.sections().iter().map(|s| s.name().to_string()).collect(),
        };
        for f in header.set() {
            let path = folder.join(&f.path);
            if output.is_some() {
                path.parent().map_or(Ok(()), file::make_folder)?;
                file::write(&path, &f.text)?;
            }
            rows.push(Row::new(path.display().to_string(), names(f.section), &f.text));
        }
    } else {
        let families = if args.only.is_empty() { &Family::ALL[..] } else { &args.only };
        let whole = header.only(families);
        let names: Vec<String> = families.iter().map(|f| f.name().to_string()).collect();
        let stem = if args.only.is_empty() { "vernier".to_string() } else { names.join("-") };
        let path = match (folder, output) {
            (Some(folder), _) => {
                file::make_folder(folder)?;
                Some(folder.join(format!("{stem}.{}", header.extension)))
            }
            (None, output) => output.map(Path::to_path_buf),
        };
        match &path {
            Some(path) => file::write(path, &whole)?,
            None if json => {}
            None => out.line(whole.trim_end())?,
        }
        let file = path.map_or_else(|| format!("{stem}.{}", header.extension), |path| path.display().to_string());
        rows.push(Row::new(file, names, &whole));
    }
    if json {
        out.line(text::json(&rows).trim_end())?;
    }
    out.finish()?;
    Ok(true)
}
