//! The vernier program.
#![forbid(unsafe_code)]
fn main() {}
