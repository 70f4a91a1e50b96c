//! Snapshots of small tables with a fixed seed.

use crate::common::vernier;
use vernier_conformance::case::Type;
use vernier_conformance::render;
use vernier_conformance::subject::Host;
use vernier_conformance::table::special_table;

#[test]
fn a_small_accuracy_table() {
    let ops = ["add", "mul", "acc", "lt", "from_i64", "to_f32"].map(|op| ["--op", op]);
    let work = ["--type", "fp64mp2", "--samples", "3000", "--evaluations", "20000", "--seed", "1"];
    let said = vernier(&[&["accuracy"], ops.as_flattened(), &work].concat()).succeeded();
    // All but the line that names compiler and platform.
    let stable: Vec<&str> = said.out.lines().filter(|l| !l.starts_with("vernier ")).collect();
    insta::assert_snapshot!(stable.join("\n"));
}

#[test]
fn the_special_value_table() {
    let rows: Vec<_> = Type::all().flat_map(|ty| special_table(&Host, ty).unwrap()).collect();
    insta::assert_snapshot!(render::special(&rows));
}
