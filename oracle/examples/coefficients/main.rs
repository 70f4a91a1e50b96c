//! Writes the coefficients and tables of mathematical functions, `core/src/math/tables`, from the list below: all
//! files, or those that are named.
//!
//! Polynomials are best approximations (Remez 1934) whose coefficients are then rounded to the formats of the kernels one by
//! one, from the highest down, the lower ones being fitted anew each time. The error that a file states is a proven bound. What the
//! kernels rely on, products and differences that are exact, is asserted on the way.

mod arctangents;
mod bessel;
mod bessel_i;
mod boys;
mod circular;
mod errors;
mod errors_inverse;
mod exponentials;
mod fit;
mod gamma;
mod intervals;
mod logarithms;
mod pieces;
mod print;
mod remez;
mod width;

use print::File;
use std::path::PathBuf;

/// What writes a file.
type Writer = fn() -> File;

/// Every file, by its name.
fn files() -> Vec<(&'static str, Writer)> {
    vec![
        ("powers", exponentials::powers),
        ("exp", || exponentials::file("EXP", 0, 6, None)),
        // 1 is taken from it.
        ("expm1", || exponentials::file("EXPM1", 0, 7, Some("EXP"))),
        ("exp2", || exponentials::file("EXP2", 2, 6, None)),
        ("exp10", || exponentials::file("EXP10", 10, 6, None)),
        ("log", || logarithms::file("LOG", 0)),
        ("log2", || logarithms::file("LOG2", 2)),
        ("log10", || logarithms::file("LOG10", 10)),
        ("pow", logarithms::cubic),
        ("circular", circular::file),
        ("tangent", circular::tangent),
        ("atan", arctangents::file),
        ("errors", errors::file),
        ("errors_inverse", errors_inverse::file),
        ("boys", boys::file),
        ("gamma", gamma::file),
        ("bessel_j0", || bessel::first(0)),
        ("bessel_j1", || bessel::first(1)),
        ("bessel_y0", || bessel::second(0)),
        ("bessel_y1", || bessel::second(1)),
        ("bessel_i0", || bessel_i::file(0)),
        ("bessel_i1", || bessel_i::file(1)),
    ]
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../core/src/math/tables/{name}.rs"))
}

fn main() -> std::io::Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    for (name, file) in files() {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            std::fs::write(path(name), file().text())?;
        }
    }
    Ok(())
}

#[test]
fn the_tables_of_the_repository_are_what_this_writes() {
    for (name, file) in files() {
        let kept = std::fs::read_to_string(path(name)).expect("a file of the repository");
        assert!(kept == file().text(), "{name}.rs differs");
    }
}
