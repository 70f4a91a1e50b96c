//! Compiler and flags, for the head of every result file; and the kept cases of all files as one text.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok().and_then(|o| String::from_utf8(o.stdout).ok());
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let flags = variable("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " ");
    println!("cargo::rustc-env=VERNIER_RUSTC={}", version.as_deref().map_or("unknown", str::trim));
    println!("cargo::rustc-env=VERNIER_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=VERNIER_FLAGS=opt-level={} {flags}", variable("OPT_LEVEL"));
    println!("cargo::rustc-env=VERNIER_FEATURES={}", variable("CARGO_CFG_TARGET_FEATURE"));
    println!("cargo::rerun-if-changed=build.rs");
    kept_cases(Path::new(&variable("OUT_DIR")));
}

/// The lines of `fixtures/cases/kept` and `fixtures/cases/functions`, in the order of the files' names.
fn kept_cases(out: &Path) {
    let mut text = String::new();
    for folder in ["fixtures/cases/kept", "fixtures/cases/functions"] {
        println!("cargo::rerun-if-changed={folder}");
        let entries = std::fs::read_dir(folder).expect("the folder of case files");
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        for file in files {
            text += &std::fs::read_to_string(&file).expect("a case file");
        }
    }
    std::fs::write(out.join("kept.txt"), text).expect("the build's folder can be written");
}
