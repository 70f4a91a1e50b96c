//! The night: the workflow calls the script, the script covers what it should, and every command line of it is one that the program
//! takes. `cluster/test` runs real nights.

use crate::common::{Said, fixture, vernier};
use std::fs;
use std::process::Command;
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

fn night(args: &[&str]) -> Said {
    let mut command = Command::new(fixture("../scripts/nightly"));
    command.env("VERNIER", env!("CARGO_BIN_EXE_vernier")).args(args).output().unwrap().into()
}

/// The lines of a dry night.
fn lines(args: &[&str]) -> Vec<String> {
    night(&[&["--dry"], args].concat()).succeeded().out.lines().map(String::from).collect()
}

/// Arguments of each call of the program.
fn calls(lines: &[String]) -> Vec<Vec<String>> {
    let call = |line: &String| {
        let (_, rest) = line.split_once(env!("CARGO_BIN_EXE_vernier")).unwrap_or_else(|| panic!("{line}"));
        rest.split_whitespace().map(String::from).collect()
    };
    lines.iter().map(call).collect()
}

#[test]
fn the_workflow_runs_the_script() {
    let steps = steps();
    let run = steps.iter().filter_map(|s| s["run"].as_str()).find(|run| run.contains("scripts/nightly")).unwrap();
    let (_, args) = run.split_once("scripts/nightly ").unwrap();
    // What the runner fills in.
    let args =
        args.replace("${{ inputs.accept && '--accept' || '' }}", "--accept").replace("\"$HOME/vernier-nights\"", "n");
    let args: Vec<&str> = args.split_whitespace().collect();
    assert_eq!(args, ["--keep", "n", "--accept"]);
    assert!(lines(&args).len() >= 5);
    let uses = |name: &str| steps.iter().find(|s| s["uses"].as_str().is_some_and(|u| u.starts_with(name)));
    let kept = uses("actions/upload-artifact@").unwrap();
    assert_eq!(kept["if"].as_str(), Some("${{ always() }}"));
    assert!(steps.iter().filter_map(|s| s["run"].as_str()).any(|run| run.contains("/vernier-nights/last\" results")));
}

#[test]
fn every_command_line_is_one_of_the_program() {
    for args in [&["--device", "cuda"][..], &["--device", "host"], &["--device", "cuda", "--short"], &[]] {
        for call in calls(&lines(args)) {
            let mut args: Vec<&str> = call.iter().map(String::as_str).collect();
            args.push("--help");
            vernier(&args).succeeded();
            // A flag that is none is noticed.
            args.insert(args.len() - 1, "--no-such-flag");
            assert_eq!(vernier(&args).code, Some(2), "{call:?}");
        }
    }
    let calls = calls(&lines(&["--device", "cuda"]));
    let has = |command: &str, flags: &[&str]| {
        calls.iter().any(|c| c[0] == command && flags.iter().all(|f| c.iter().any(|a| a == f)))
    };
    assert!(has("conform", &["--device", "cuda", "--mutants"]) && has("bench", &["--device", "cuda", "--out"]));
    assert!(has("tables", &["--gate"]) && has("devices", &[]) && has("accuracy", &["--device"]));
    // All functions: nothing is filtered out.
    assert!(!calls.iter().flatten().any(|a| a == "--filter" || a == "--shard"));
    for bad in [&["--night"][..], &["--keep"], &["--keep", ""], &["--device", "abacus"], &["--only", "dishes"]] {
        night(&[&["--dry"], bad].concat()).refused("scripts/nightly: ");
    }
}

#[test]
fn kernels_run_under_the_sanitizers() {
    let lines = lines(&["--device", "cuda"]);
    let checked = |tool: &str, what: &str| {
        let start = format!("compute-sanitizer --tool {tool} --error-exitcode 1 ");
        lines.iter().any(|l| l.starts_with(&start) && l.contains(&format!("{} {what} ", env!("CARGO_BIN_EXE_vernier"))))
    };
    for tool in ["memcheck", "racecheck", "initcheck"] {
        for what in ["conform", "stat pi", "stat kahan", "twin moments", "twin dot", "twin exact-dot"] {
            assert!(checked(tool, what), "{tool} {what}: {lines:#?}");
        }
    }
}

#[test]
fn a_night_is_held_against_the_last_that_was_not_worse() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().to_str().unwrap();
    let compared =
        |line: Option<&String>| line.and_then(|l| l.split_once("--compare ")).map(|(_, old)| old.to_string());
    let tables = || lines(&["--device", "host", "--only", "tables", "--keep", keep]);
    assert_eq!(compared(tables().first()), None);
    for (name, good) in [("2026-01-01T000000", true), ("2026-01-02T000000", true), ("2026-01-03T000000", false)] {
        fs::create_dir(folder.path().join(name)).unwrap();
        if good {
            fs::write(folder.path().join(name).join("good"), "").unwrap();
        }
    }
    assert_eq!(compared(tables().first()), Some(format!("{keep}/2026-01-02T000000/tables/accuracy.json")));
}

#[test]
fn old_nights_go_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().join("my nights");
    let other = folder.path().join("my");
    fs::create_dir(&other).unwrap();
    for day in 100..140 {
        fs::create_dir_all(keep.join(format!("2026-{day}T000000"))).unwrap();
    }
    let keep = keep.to_str().unwrap();
    let script = fixture("../scripts/nightly");
    let args = ["--device", "host", "--only", "devices", "--keep", keep];
    let said: Said = Command::new(script).env("VERNIER", "/bin/true").args(args).output().unwrap().into();
    said.succeeded();
    // The last 30, and the link to this one.
    assert_eq!(fs::read_dir(keep).unwrap().count(), 31);
    assert!(other.exists());
}
