//! Checkpoints, and results that cannot be written.

use crate::common::{Said, program, text, vernier};
use crate::tables::{SMALL, merge, shards, small, whole};
use std::fs;
use std::path::Path;

#[test]
fn a_run_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let whole = whole(&folder);
    let (checkpoint, result) = (folder.path().join("c.json"), folder.path().join("r.json"));
    let args = ["--checkpoint", text(&checkpoint), "--out", text(&result)];
    // Killed again and again until it is done.
    for round in 0..200 {
        let mut child = program()
            .args(SMALL)
            .args(["--type", "fp32mp2", "--searches", "4"])
            .args(args)
            .args(["--checkpoint-seconds", "0"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20 + 10 * round));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // Killed between its last write and its end it leaves the whole result.
        assert!(!result.exists() || fs::read_to_string(&result).unwrap() == whole);
    }
    assert_eq!(fs::read_to_string(&result).unwrap(), whole);
    assert!(!checkpoint.exists());
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("c.json");
    fs::write(&checkpoint, "{\"format\": \"vern").unwrap();
    small(&["--checkpoint", text(&checkpoint)]).refused("c.json: this is no whole checkpoint of this program");
    for path in ["/dev/full", "/dev/zero"] {
        small(&["--checkpoint", path]).refused("expected a regular file, or none, for the checkpoint");
        vernier(&["merge", path]).refused("expected a regular file");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_checkpoint_of_another_run_names_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("c.json");
    let args = ["--checkpoint", text(&checkpoint), "--out", "/dev/full"];
    assert_eq!(small(&args).code, Some(2));
    let whole = fs::read_to_string(&checkpoint).unwrap();
    let refused = |more: &[&str], part: &str| {
        let said = small(&[&args[..2], more].concat());
        assert_eq!(said.code, Some(2), "{part}: {}", said.out);
        let expected = format!("c.json: this is the checkpoint of another run: expected the same {part}");
        assert!(said.err.contains(&expected), "{part}: {}", said.err);
        assert_eq!(fs::read_to_string(&checkpoint).unwrap(), whole);
    };
    refused(&["--seed", "7"], "seed, found 1;");
    refused(&["--shard", "1/2"], "shard, found 1/1;");
    refused(&["--op", "sub"], "rows, found `fp32mp2 to_i32 all` among 6 rows;");
    fs::write(&checkpoint, whole.replace("\"mpfr\":\"", "\"mpfr\":\"9")).unwrap();
    small(&args[..2]).refused("expected the same build of this program");
}

#[test]
#[cfg(target_os = "linux")]
fn what_contracts_and_benches_found_is_not_lost() {
    let conform = ["conform", "--device", "host", "--filter", "fp32mp2_neg", "--cases", "16", "--out", "/dev/full"];
    let said = vernier(&conform);
    said.refused("/dev/full: cannot be written");
    assert!(said.out.contains("fp32mp2_neg") && said.out.contains("every contract holds"), "{}", said.out);
    let said = vernier(&[&conform[..], &["--json"]].concat());
    assert!(said.code == Some(2) && serde_json::from_str::<serde_json::Value>(&said.out).is_ok(), "{}", said.out);
    let said = vernier(&["bench", "--device", "host", "--quick", "--type", "f32", "--out", "/dev/full"]);
    said.refused("/dev/full: cannot be written");
    assert!(said.out.contains("Speed of the pi benchmark on host"), "{}", said.out);
}

const LONG: &[&str] = &["accuracy", "--type", "fp32mp2", "--op", "add", "--samples", "1e9", "--checkpoint"];

/// A run under way that writes its checkpoint all the time; the checkpoint has a row in it.
fn long_run(checkpoint: &Path) -> std::process::Child {
    let child = program()
        .args(LONG)
        .args([text(checkpoint), "--checkpoint-seconds", "0"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !fs::read_to_string(checkpoint).is_ok_and(|t| t.contains("\"tally\"")) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child
}

#[test]
fn a_checkpoint_belongs_to_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("c.json");
    let mut child = long_run(&checkpoint);
    let said = vernier(&[LONG, &[text(&checkpoint)]].concat());
    child.kill().unwrap();
    child.wait().unwrap();
    said.refused("c.json: another run is using this checkpoint");

    // What it holds must be what the run can have done.
    let whole: serde_json::Value = serde_json::from_str(&fs::read_to_string(&checkpoint).unwrap()).unwrap();
    let row = "fp32mp2 add low equal signs";
    let refused = |change: &dyn Fn(&mut serde_json::Value), part: &str| {
        let mut value = whole.clone();
        change(&mut value);
        fs::write(&checkpoint, value.to_string()).unwrap();
        let said = vernier(&[LONG, &[text(&checkpoint)]].concat());
        assert_eq!(said.code, Some(2), "{part}: {}", said.out);
        assert!(said.err.contains("c.json: this is no whole checkpoint of this program"), "{part}: {}", said.err);
        assert!(said.err.contains(part), "{part}: {}", said.err);
    };
    refused(&|v| v["rows"][row]["blocks"] = u64::MAX.into(), "blocks: expected at most 61036");
    refused(&|v| v["rows"][row]["blocks"] = 61036.into(), "claimed.cases + other.cases: expected 1000000000");
    refused(&|v| v["rows"][row]["searches"] = serde_json::json!([9]), "searches[u2]: expected at most 1, found 9");
    refused(&|v| v["rows"][row]["result"]["searches"][0]["metric"] = "furlongs".into(), "found [\"furlongs\"]");
    refused(&|v| v["rows"][row]["result"]["row"] = "fp32mp2 mul low".into(), "row: expected `fp32mp2 add low equal");
    let other = |v: &mut serde_json::Value| {
        let progress = v["rows"].as_object_mut().unwrap().remove(row).unwrap();
        v["rows"]["fp32mp2 mul low"] = progress;
    };
    refused(&other, "row `fp32mp2 mul low`: not one of the plan");
}

#[test]
fn a_checkpoint_that_vanished_is_no_loss() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("c.json");
    let mut child = program()
        .args(["accuracy", "--op", "add", "--type", "fp32mp2", "--evaluations", "5000", "--samples", "400000"])
        .args(["--checkpoint-seconds", "1000", "--checkpoint", text(&checkpoint)])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !checkpoint.exists() {
        std::thread::yield_now();
    }
    fs::remove_file(&checkpoint).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a file was left behind");
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("c.json");
    let row = |said: &Said| said.out.lines().any(|l| l.split_whitespace().take(3).eq(["fp32mp2", "add", "low"]));
    // Known before the run: a night's work is not begun.
    for out in ["/nonexistent/r.json", text(folder.path())] {
        vernier(&[LONG, &[text(&checkpoint), "--out", out]].concat()).refused("cannot be written");
    }
    let said = vernier(&[LONG, &[text(&checkpoint), "--out", text(&checkpoint)]].concat());
    assert!(said.code == Some(2) && said.err.contains("expected different files for checkpoint and results"));
    let markdown = folder.path().join("accuracy.md");
    fs::create_dir(&markdown).unwrap();
    for args in [&["tables"][..], &["conform", "--cases", "1e12"], &["bench"]] {
        let out = if args[0] == "tables" { folder.path() } else { &markdown };
        let said = vernier(&[args, &["--out", text(out)]].concat());
        assert_eq!(said.code, Some(2), "{args:?}: {}", said.out);
        assert!(said.err.contains("accuracy.md: cannot be written"), "{args:?}: {}", said.err);
    }
    let said = vernier(&[LONG, &["/nonexistent/c.json"]].concat());
    assert_eq!(said.code, Some(2), "{}", said.out);
    // Known after it only: the results are printed, and the checkpoint stays until they are written.
    let args = ["--checkpoint", text(&checkpoint)];
    let said = small(&[&args[..], &["--out", "/dev/full"]].concat());
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(row(&said), "{}", said.out);
    assert!(checkpoint.exists());
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program().args(SMALL).args(["--type", "fp32mp2", "--searches", "4"]).args(args).stdout(full).output();
    assert_eq!(output.unwrap().status.code(), Some(2));
    assert!(checkpoint.exists());
    let said = small(&args);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(row(&said) && !checkpoint.exists(), "{}", said.out);

    let files = shards(&folder, 2);
    let said = merge(&files, Path::new("/nonexistent/r.json"));
    assert_eq!(said.code, Some(2));
    assert!(row(&said), "{}", said.out);
}

/// Sends a signal to a process.
#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let sent = std::process::Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[test]
#[cfg(unix)]
fn a_signal_has_the_checkpoint_written() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let (whole, part) = (folder.path().join("whole.json"), folder.path().join("part.json"));
    // One search in many islands, and a checkpoint that nothing else would write.
    let run = ["accuracy", "--type", "fp64mp2", "--op", "div", "--level", "mid", "--samples", "16384"];
    let run = [&run[..], &["--evaluations", "8e6", "--out"]].concat();
    vernier(&[&run[..], &[text(&whole)]].concat()).succeeded();
    let checkpoint = folder.path().join("checkpoint.json");
    let resume = ["--checkpoint", text(folder.path()), "--checkpoint-seconds", "1000"];
    let (mut interrupted, mut islands) = (0, 0);
    for name in ["TERM", "INT"].into_iter().cycle().take(200) {
        let mut command = program();
        command.args(&run).arg(&part).args(resume).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300 + 100 * interrupted));
        if part.exists() {
            assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
            break;
        }
        let start = Instant::now();
        signal(&child, name);
        let said = Said::from(child.wait_with_output().unwrap());
        assert!(start.elapsed() < Duration::from_secs(5), "{name}: {:?}", start.elapsed());
        if said.code == Some(0) {
            break;
        }
        // A signal may come before the program can have it.
        if said.code.is_some() {
            assert!(said.code == Some(75) && said.err.contains("interrupted"), "{name}: {said:?}");
        }
        interrupted += 1;
        let left: Option<serde_json::Value> =
            fs::read_to_string(&checkpoint).ok().map(|text| serde_json::from_str(&text).unwrap());
        let now = left.and_then(|v| v["rows"]["fp64mp2 div mid"]["climb"]["islands"].as_u64()).unwrap_or(0);
        assert!(now >= islands, "{now} islands after {islands}");
        islands = now;
        assert!(!folder.path().join("checkpoint.json.lock").exists());
    }
    assert!(interrupted > 0 && islands > 0, "{interrupted} times, {islands} islands");
    assert_eq!(fs::read_to_string(&part).unwrap(), fs::read_to_string(&whole).unwrap());
    assert!(!checkpoint.exists());
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
#[cfg(unix)]
fn contracts_go_on_from_their_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let (out, checkpoint) = (folder.path().join("conform.json"), folder.path().join("c.json"));
    let run = ["conform", "--device", "host", "--filter", "fp32mp2_mid", "--mutants", "--out", text(&out)];
    let run = [&run[..], &["--checkpoint", text(&checkpoint), "--checkpoint-seconds", "0"]].concat();
    let done = || {
        let text = fs::read_to_string(&checkpoint).ok()?;
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        Some(report["outcomes"].as_array()?.len())
    };
    let mut child = program().args(&run).stdout(std::process::Stdio::null()).spawn().unwrap();
    while done().is_none_or(|n| n < 2) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(75));
    assert!(done().is_some_and(|n| n >= 2) && !out.exists());
    // What is done is taken as it is: another figure shows in the report.
    let mut report: serde_json::Value = serde_json::from_str(&fs::read_to_string(&checkpoint).unwrap()).unwrap();
    report["outcomes"][0]["note"] = "from the checkpoint".into();
    fs::write(&checkpoint, report.to_string()).unwrap();
    vernier(&[&run[..], &["--seed", "2"]].concat())
        .refused("c.json: this is the checkpoint of another run: expected the same seed");
    vernier(&run).succeeded();
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(text.matches("from the checkpoint").count(), 1);
    assert!(!checkpoint.exists());
}
