//! `vernier emit`: the headers.

use super::out::Out;
use crate::error::Error;
use crate::file;
use clap::ValueEnum;
use std::path::PathBuf;
use vernier_gpu::emit;
use vernier_gpu::print::{Cuda, Rare};

/// Write the arithmetic as a header.
///
/// vernier.cuh for CUDA C++, NVRTC and host C++17: types vernier::fp32mp2_low to fp64mp2_high, fp64emu_low to
/// fp64emu_unpacked_high (doubles without the FP64 pipe) and fp64_custom<E, M>, with operators, functions and conversions.
/// vernier.cl for OpenCL C 1.2: functions such as fp32mp2_high_add, fp64emu_high_add and fp64emu_add_ru.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Language.
    language: Language,
    /// File; `-`, or none, is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
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

/// Runs the command.
pub fn run(args: &Args) -> Result<bool, Error> {
    let text = match args.language {
        Language::Cuda => emit::cuda(&Cuda::default(), Rare::Automatic),
        Language::OpenCl => emit::opencl(),
    };
    match args.output.as_deref().filter(|path| path.as_os_str() != "-") {
        Some(path) => file::write(path, &text)?,
        None => {
            let mut out = Out::new();
            out.line(text.trim_end())?;
            out.finish()?;
        }
    }
    Ok(true)
}
