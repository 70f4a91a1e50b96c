//! The header's instrumented types, accepted by the compilers that are found.

mod tools;

use std::path::Path;
use tools::{STRICT, nvcc, run};
use vernier_gpu::device::{Source, cuda};
use vernier_gpu::emit;
use vernier_gpu::print::{Cuda, Rare};

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("vernier.cuh", &emit::cuda(&Cuda::default(), Rare::Automatic));
    write("stat.cpp", include_str!("headers/stat.cpp"));
    write("host.cu", include_str!("headers/stat.cpp"));
    write("stat.cu", include_str!("headers/stat.cu"));
    dir
}

fn succeeds(program: &Path, dir: &Path, options: &[&str]) {
    let (ok, text) = run(program, dir, options);
    assert!(ok, "{options:?}: {text}");
}

#[test]
fn host_compiler() {
    let dir = folder();
    let options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O2", "stat.cpp", "-o", "stat"];
    // On the host everything only computes, whatever is to be counted on a device.
    for more in [&[][..], &["-DVERNIER_STAT_EXTRA=1", "-DVERNIER_STAT_HISTOGRAMS=1"]] {
        succeeds(Path::new("g++"), dir.path(), &[&options, more].concat());
        succeeds(&dir.path().join("stat"), dir.path(), &[]);
    }
}

#[test]
fn nvrtc() {
    if let Err(why) = cuda::compiler_version() {
        println!("SKIPPED: {why}");
        return;
    }
    let dir = folder();
    let mut source = Source::new("stat.cu", include_str!("headers/stat.cu"));
    source.include.push(dir.path().to_path_buf());
    assert!(!cuda::compile(&source, "sm_90").unwrap().is_empty());
}

#[test]
fn nvcc_accepts_it() {
    let Some(nvcc) = nvcc() else { return };
    let dir = folder();
    for options in [
        &["-arch=sm_90", "-c", "host.cu", "-o", "out"][..],
        &["-arch=sm_90", "-c", "stat.cu", "-o", "out"],
        &["-arch=sm_90", "-rdc=true", "-c", "stat.cu", "-o", "out"],
    ] {
        succeeds(&nvcc, dir.path(), &[&STRICT[..], options].concat());
    }
}
