//! The nightly workflow: it is YAML, covers what it should, and every command line of it is one that the program takes.

use crate::common::{fixture, vernier};
use std::fs;
use yaml_rust2::{Yaml, YamlLoader};

/// The steps of the workflow.
fn steps() -> Vec<Yaml> {
    let text = fs::read_to_string(fixture("../.github/workflows/nightly-gpu.yml")).unwrap();
    let documents = YamlLoader::load_from_str(&text).unwrap();
    assert_eq!(documents.len(), 1);
    let job = &documents[0]["jobs"]["gpu"];
    assert_eq!(job["runs-on"][1].as_str(), Some("gpu"));
    job["steps"].as_vec().unwrap().clone()
}

/// Arguments of each call of the program.
fn calls() -> Vec<Vec<String>> {
    let steps = steps();
    let lines = steps.iter().filter_map(|s| s["run"].as_str()).flat_map(str::lines);
    let call = |line: &str| {
        let (_, rest) = line.split_once("target/release/vernier ")?;
        let until = rest.find(['|', '>', ';', '&']).unwrap_or(rest.len());
        Some(rest[..until].split_whitespace().map(String::from).collect())
    };
    lines.filter_map(call).collect()
}

#[test]
fn every_command_line_is_one_of_the_program() {
    let calls = calls();
    for call in &calls {
        let mut args: Vec<&str> = call.iter().map(String::as_str).collect();
        args.push("--help");
        vernier(&args).succeeded();
        // A flag that is none is noticed.
        args.insert(args.len() - 1, "--no-such-flag");
        assert_eq!(vernier(&args).code, Some(2), "{call:?}");
    }
    let has = |command: &str, flags: &[&str]| {
        calls.iter().any(|c| c[0] == command && flags.iter().all(|f| c.iter().any(|a| a == f)))
    };
    assert!(has("conform", &["--device", "cuda", "--mutants"]) && has("bench", &["--device", "cuda", "--out"]));
    assert!(has("tables", &["--compare", "--gate"]) && has("devices", &["--json"]) && has("accuracy", &["--device"]));
    // All functions: nothing is filtered out.
    assert!(!calls.iter().flatten().any(|a| a == "--filter" || a == "--shard"));
}

#[test]
fn kernels_run_under_the_sanitizers() {
    let steps = steps();
    let text = steps.iter().filter_map(|s| s["run"].as_str()).find(|t| t.contains("compute-sanitizer")).unwrap();
    assert!(
        text.contains("for tool in memcheck racecheck initcheck;") && text.contains("--error-exitcode 1"),
        "{text}"
    );
    let checked = |what: &str| {
        text.lines().any(|l| l.trim_start().starts_with(&format!("$check target/release/vernier {what} ")))
    };
    assert!(
        ["conform", "stat pi", "stat kahan", "twin moments", "twin dot", "twin exact-dot"].into_iter().all(checked),
        "{text}"
    );
}

#[test]
fn results_are_kept() {
    let steps = steps();
    let uses = |name: &str| steps.iter().find(|s| s["uses"].as_str().is_some_and(|u| u.starts_with(name)));
    let kept = uses("actions/upload-artifact@").unwrap();
    let folder = kept["with"]["path"].as_str().unwrap();
    assert_eq!(kept["if"].as_str(), Some("${{ always() }}"));
    for call in calls().iter().filter(|c| !["devices", "stat", "twin"].contains(&c[0].as_str())) {
        let out = call.iter().position(|a| a == "--out").map(|i| &call[i + 1]).unwrap_or_else(|| panic!("{call:?}"));
        assert!(out.starts_with(folder), "{call:?}");
    }
    assert!(uses("actions/cache/restore@").is_some() && uses("actions/cache/save@").is_some());
}
