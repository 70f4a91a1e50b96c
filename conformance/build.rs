//! Compiler and flags, for the head of every result file.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok().and_then(|o| String::from_utf8(o.stdout).ok());
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let flags = variable("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " ");
    println!("cargo::rustc-env=VERNIER_RUSTC={}", version.as_deref().map_or("unknown", str::trim));
    println!("cargo::rustc-env=VERNIER_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=VERNIER_FLAGS=opt-level={} {flags}", variable("OPT_LEVEL"));
    println!("cargo::rerun-if-changed=build.rs");
}
