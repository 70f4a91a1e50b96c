//! Writes the coefficients and tables of mathematical functions, `core/src/math/tables`, from the list below.
//!
//! Polynomials are best approximations (Remez 1934) whose coefficients are then rounded to the formats of the kernels one by
//! one, from the highest down, the lower ones being fitted anew each time. The error that a file states is a proven bound. What the
//! kernels rely on, products and differences that are exact, is asserted on the way.

mod exponentials;
mod fit;
mod logarithms;
mod print;
mod remez;
mod width;

use print::File;
use std::path::PathBuf;

/// Every file, by its name.
fn files() -> Vec<(&'static str, File)> {
    vec![
        ("powers", exponentials::powers()),
        ("exp", exponentials::file("EXP", 0, 6)),
        // 1 is taken from it.
        ("expm1", exponentials::file("EXPM1", 0, 7)),
        ("exp2", exponentials::file("EXP2", 2, 6)),
        ("exp10", exponentials::file("EXP10", 10, 6)),
        ("log", logarithms::file("LOG", 0)),
        ("log2", logarithms::file("LOG2", 2)),
        ("log10", logarithms::file("LOG10", 10)),
        ("pow", logarithms::cubic()),
    ]
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../core/src/math/tables/{name}.rs"))
}

fn main() -> std::io::Result<()> {
    for (name, file) in files() {
        std::fs::write(path(name), file.text())?;
    }
    Ok(())
}

#[test]
fn the_tables_of_the_repository_are_what_this_writes() {
    for (name, file) in files() {
        let kept = std::fs::read_to_string(path(name)).expect("a file of the repository");
        assert!(kept == file.text(), "{name}.rs differs");
    }
}
