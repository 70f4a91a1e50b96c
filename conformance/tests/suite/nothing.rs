//! A check of nothing is no check: every command that checks ends with 2 where it had nothing to look at.

use crate::common::{text, vernier, with_input};
use crate::conform::request;
use std::fs;
use vernier_conformance::contract::{Claim, Outcome, Request, run};

const NOTHING: &str = "nothing was checked: ";

#[test]
fn case_lines_without_results() {
    for input in ["", "\n# f32 neg 3f800000 = bf800000\n", "f32 neg 3f800000\n"] {
        for args in [&["eval", "--check"][..], &["eval", "--check", "--json"], &["eval", "--check", "--exact"]] {
            with_input(args, input.as_bytes()).refused("nothing was checked: expected lines with results in <stdin>");
        }
    }
    // One file of several is not enough.
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let (full, empty) = (write("full", "f32 neg 3f800000 = bf800000\n"), write("empty", ""));
    vernier(&["eval", "--check", text(&full)]).succeeded();
    let said = vernier(&["eval", "--check", text(&full), text(&empty)]);
    said.refused(&format!("{NOTHING}expected lines with results in {}", text(&empty)));
    assert_eq!(said.out, "1 cases checked, 0 differ\n");
    // Evaluating nothing is no check.
    assert_eq!(with_input(&["eval"], b"").succeeded().out, "");
}

#[test]
fn no_lines_of_testfloat() {
    for args in [&["eval", "--testfloat", "f64_add"][..], &["eval", "--testfloat", "f64_add", "--json"]] {
        with_input(args, b"").refused(NOTHING);
        with_input(args, b"\n \n").refused(NOTHING);
    }
}

#[test]
fn contracts_on_no_function() {
    let host = ["conform", "--device", "host", "--cases", "1"];
    let run_on = |more: &[&str]| vernier(&[&host[..], more].concat());
    run_on(&["--filter", "nosuchfunction"]).refused("no function has `nosuchfunction` in its name");
    // A row of the table, of which contracts are about devices only; and a part without functions.
    run_on(&["--filter", "f32 add"]).refused(NOTHING);
    run_on(&["--filter", "fp32mp2_mid_add", "--shard", "999999/999999"]).refused(NOTHING);
    run_on(&["--filter", "f32 add", "--json"]).refused(NOTHING);
    // Mutants of what has none.
    run_on(&["--filter", "fp64emu.high add", "--mutants"]).refused(NOTHING);
    let file = tempfile::NamedTempFile::new().unwrap();
    vernier(&["conform", "--find", text(file.path()), "--filter", "nosuchfunction"]).refused(NOTHING);
    assert_eq!(fs::read_to_string(file.path()).unwrap(), "");
}

#[test]
fn a_contract_without_a_case_does_not_hold() {
    let outcome = Outcome::new("host = tape", "f".into(), Claim::Identical);
    assert!(!outcome.holds());
    assert!(Outcome { cases: 1, ..outcome }.holds());
    let report = run(&Request { cases: Some(1), ..request("neg") }).unwrap();
    assert!(!report.outcomes.is_empty() && report.outcomes.iter().all(|o| o.cases > 0) && report.holds());
}

#[test]
fn a_shard_without_work() {
    let args = ["accuracy", "--type", "f32", "--op", "add", "--samples", "100", "--shard"];
    vernier(&[&args[..], &["1/2"]].concat()).succeeded();
    let said = vernier(&[&args[..], &["2/2"]].concat());
    said.refused(NOTHING);
    assert!(said.out.contains("no claim was looked at") && !said.out.contains("every claim holds"), "{}", said.out);
    // The file is written all the same: a run of more parts than work can be joined.
    let folder = tempfile::tempdir().unwrap();
    let part = |i: u64| {
        let path = folder.path().join(i.to_string());
        vernier(&[&args[..], &[&format!("{i}/2"), "--out", text(&path)]].concat());
        path
    };
    let (first, second) = (part(1), part(2));
    vernier(&["merge", text(&first), text(&second)]).succeeded();
    vernier(&["merge"]).refused("<FILES>");
}

#[test]
fn rows_that_are_none() {
    vernier(&["accuracy", "--type", "f32", "--op", "dot"]).refused("no row has this type, operation and level");
    vernier(&["tables", "--gate", "--subject", "twofloat", "--device", "opencl"]).refused("only subject vernier");
}

#[test]
fn targets_that_are_none() {
    let said = vernier(&["bench", "--device", "host", "--type", "f32", "--quick", "--gate"]);
    said.refused("nothing was checked: no target of what was measured on host");
    assert!(said.out.contains("float"), "{}", said.out);
}

#[test]
fn a_twin_without_a_case() {
    vernier(&["twin", "dot", "--case", "none"]).refused("there is no case 'none'");
}
