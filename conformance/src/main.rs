//! The vernier program.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    vernier_conformance::cli::main()
}
