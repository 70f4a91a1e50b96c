//! Tests of the program and of what it is made of.

mod accuracy;
mod bounds;
mod case_lines;
mod checkpoint;
mod common;
mod compare;
mod conform;
mod coverage;
mod edges;
mod emulated;
mod eval;
mod fixtures;
mod kept;
mod layers;
mod merge;
mod mutants;
mod nightly;
mod reduced;
mod reduced_rows;
mod snapshots;
mod speed;
mod stat;
mod sweep;
mod tables;
mod testfloat;
mod twin;
