//! Compilers and devices that are found, and running programs. Every test uses a part of it.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use vernier_gpu::device::{Api, Device, Error};
use vernier_gpu::sass::Failure;

/// Warnings are errors.
pub const STRICT: [&str; 5] = ["-std=c++17", "-Xcompiler", "-Wall,-Werror", "-Werror", "all-warnings"];

/// nvcc; none where it is not found, which is said, or a failure where the tools are required.
pub fn nvcc() -> Option<PathBuf> {
    let folders = ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(std::env::var_os).map(|h| PathBuf::from(h).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = folders.chain(std::env::split_paths(&path)).chain([PathBuf::from("/usr/local/cuda/bin")]);
    let found = folders.map(|f| f.join("nvcc")).find(|p| p.is_file());
    if found.is_none() {
        assert!(std::env::var_os("VERNIER_REQUIRE_CUDA_TOOLS").is_none(), "no nvcc");
        eprintln!("not compiled: nvcc was not found");
    }
    found
}

/// Whether a program succeeds, and what it says.
pub fn run(program: &Path, dir: &Path, options: &[&str]) -> (bool, String) {
    let output = Command::new(program).current_dir(dir).args(options).output().expect("the program runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

/// An OpenCL device, or none and the reason printed.
pub fn opencl() -> Option<Device> {
    Device::open(Api::OpenCl, 0).inspect_err(|e| println!("SKIPPED: {e}")).ok()
}

/// What the tools that count instructions give; none, said aloud, where they are missing; the variable makes that a failure.
pub fn counted<T>(result: Result<T, Failure>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(e @ (Failure::NoDisassembler | Failure::Compile(Error::Unusable { .. }))) => {
            assert!(std::env::var_os("VERNIER_REQUIRE_CUDA_TOOLS").is_none(), "{e}");
            println!("SKIPPED: {e}");
            None
        }
        Err(e) => panic!("{e}"),
    }
}
