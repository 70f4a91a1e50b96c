//! `vernier sweep`: table, JSON, picture, exit status and messages.

use crate::common::{text, vernier};
use std::fs;

#[test]
fn a_table_and_a_recommendation() {
    let said = vernier(&["sweep", "pi", "--digits", "3"]).succeeded();
    assert!(
        said.out.contains("smallest format  fp64_custom<") && said.out.contains("recommended type "),
        "{}",
        said.out
    );
    // A row for each mantissa.
    assert_eq!(said.out.lines().filter(|l| l.trim_start().starts_with(|c: char| c.is_ascii_digit())).count(), 53);
}

#[test]
fn json_and_a_picture() {
    let dir = tempfile::tempdir().unwrap();
    let picture = dir.path().join("sweep.svg");
    let said =
        vernier(&["sweep", "dot", "--digits=5", "--json", "--options", "ieee", "--out", text(&picture)]).succeeded();
    let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["points"].as_array().unwrap().len(), 530);
    assert_eq!((report["kernel"].as_str(), report["options"].as_str()), (Some("dot"), Some("ieee")));
    assert_eq!(report["choice"]["name"], "float");
    let smallest = &report["smallest"];
    assert!(smallest["mantissa"].as_u64().unwrap() > 14 && smallest["digits"].as_f64().unwrap() >= 5.0, "{smallest}");
    assert!(fs::read_to_string(&picture).unwrap().starts_with("<svg"));
}

#[test]
fn part_of_the_grid_and_no_format() {
    let said = vernier(&["sweep", "heat", "--exponent", "5..=8", "--mantissa", "7", "--size", "20", "--digits", "9"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), ""));
    assert!(said.out.contains("smallest format  none of these"), "{}", said.out);
    assert_eq!(said.out.lines().filter(|l| l.trim_start().starts_with('7')).count(), 1);
}

#[test]
fn the_seed_of_stochastic_rounding() {
    let run =
        |seed: &str| vernier(&["sweep", "horner", "--options", "ieee,sr", "--mantissa", "10..12", "--seed", seed]).out;
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
}

#[test]
fn mistakes_are_named() {
    for (args, message) in [
        (&["sweep", "sine"][..], "possible values: pi, dot, horner, logistic, heat"),
        (&["sweep", "pi", "--mantissa", "0..53"], "expected a number or range within 0..52"),
        (&["sweep", "pi", "--exponent", "8..5"], "expected a number or range within 2..11"),
        (&["sweep", "pi", "--digits", "many"], "expected a number of digits from 0 to 30"),
        (&["sweep", "pi", "--options", "fast"], "expected options of ieee"),
        (&["sweep", "pi", "--exponent", "11", "--options", "fn"], "leaves no format"),
        (&["sweep", "pi", "--size", "0"], "0"),
        (&["sweep", "pi", "--out", "/nowhere/x.svg"], "/nowhere/x.svg: cannot be written"),
    ] {
        let said = vernier(args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains(message), "{args:?}: {}", said.err);
    }
}
