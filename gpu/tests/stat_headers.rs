//! The header's instrumented types, accepted by the compilers that are found.

use std::path::{Path, PathBuf};
use std::process::Command;
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

fn run(program: &Path, dir: &Path, options: &[&str]) {
    let output = Command::new(program).current_dir(dir).args(options).output().expect("the program runs");
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&text));
}

#[test]
fn host_compiler() {
    let dir = folder();
    let options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O2", "stat.cpp", "-o", "stat"];
    run(Path::new("g++"), dir.path(), &options);
    run(&dir.path().join("stat"), dir.path(), &[]);
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
fn nvcc() {
    let folders = ["CUDA_HOME", "CUDA_PATH"].iter().filter_map(std::env::var_os).map(|h| PathBuf::from(h).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = folders.chain(std::env::split_paths(&path)).chain([PathBuf::from("/usr/local/cuda/bin")]);
    let Some(nvcc) = folders.map(|f| f.join("nvcc")).find(|p| p.is_file()) else {
        assert!(std::env::var_os("VERNIER_REQUIRE_CUDA_TOOLS").is_none(), "no nvcc");
        eprintln!("not compiled: nvcc was not found");
        return;
    };
    let dir = folder();
    let strict = ["-std=c++17", "-Xcompiler", "-Wall,-Werror", "-Werror", "all-warnings"];
    for options in [
        &["-arch=sm_90", "-c", "host.cu", "-o", "out"][..],
        &["-arch=sm_90", "-c", "stat.cu", "-o", "out"],
        &["-arch=sm_90", "-rdc=true", "-c", "stat.cu", "-o", "out"],
    ] {
        run(&nvcc, dir.path(), &[&strict[..], options].concat());
    }
}
