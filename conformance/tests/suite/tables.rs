//! `vernier tables`, `accuracy` and `merge`: the same result however the work is cut, and no result file that is not whole.

use crate::common::{Said, program, text, uncounted, vernier};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Few rows with little work, in more than one unit of it.
pub const SMALL: &[&str] =
    &["accuracy", "--op", "add", "--op", "to_i32", "--samples", "40000", "--evaluations", "5000"];

pub fn small(more: &[&str]) -> Said {
    vernier(&[SMALL, &["--type", "fp32mp2", "--searches", "4"], more].concat())
}

pub fn whole(folder: &TempDir) -> String {
    let path = folder.path().join("whole.json");
    small(&["--out", text(&path)]).succeeded();
    fs::read_to_string(path).unwrap()
}

pub fn shards(folder: &TempDir, count: u64) -> Vec<PathBuf> {
    let shard = |i: u64| {
        let path = folder.path().join(format!("{i}-of-{count}.json"));
        let said = small(&["--shard", &format!("{i}/{count}"), "--out", text(&path)]);
        // Of more parts than work some check nothing; their files are written all the same.
        if said.code == Some(0) {
            drop(said.succeeded())
        } else {
            said.refused("this shard has no sample")
        }
        path
    };
    (1..=count).map(shard).collect()
}

pub fn merge(files: &[PathBuf], output: &Path) -> Said {
    let mut args = vec!["merge", "-o", text(output)];
    args.extend(files.iter().map(|f| text(f)));
    vernier(&args)
}

#[test]
fn shards_in_any_order_and_threads_in_any_number_give_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let whole = whole(&folder);
    for count in [2, 5] {
        let mut files = shards(&folder, count);
        files.reverse();
        let joined = folder.path().join("joined.json");
        merge(&files, &joined).succeeded();
        assert_eq!(fs::read_to_string(&joined).unwrap(), whole, "{count} shards");
    }
    for threads in ["1", "3"] {
        let path = folder.path().join("threads.json");
        let mut command = program();
        command.args(SMALL).args(["--type", "fp32mp2", "--searches", "4", "--out", text(&path)]);
        assert!(command.env("RAYON_NUM_THREADS", threads).output().unwrap().status.success());
        assert_eq!(fs::read_to_string(&path).unwrap(), whole, "{threads} threads");
    }
}

#[test]
fn another_seed_gives_other_figures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.json");
    assert_eq!(small(&["--seed", "2", "--out", text(&path)]).code, Some(0));
    assert_ne!(fs::read_to_string(path).unwrap(), whole(&folder));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let files = shards(&folder, 2);
    let joined = folder.path().join("joined.json");
    let refused = |files: &[PathBuf], part: &str| {
        let said = merge(files, &joined);
        assert_eq!(said.code, Some(2), "{part}: {}", said.out);
        assert!(said.err.contains(part), "{part}: {}", said.err);
        assert!(!joined.exists());
    };
    let variant = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        assert_eq!(small(&[&["--out", text(&path)], more].concat()).code, Some(0));
        path
    };
    let (first, second) = (files[0].clone(), files[1].clone());
    refused(std::slice::from_ref(&first), "missing: 2 of 2");
    refused(&[first.clone(), second.clone(), first.clone()], "expected every shard once, found 1/2 here and in");
    let seed = variant("seed.json", &["--shard", "2/2", "--seed", "7"]);
    refused(&[first.clone(), seed], "expected the same seed as in");
    let samples = folder.path().join("samples.json");
    let args = ["--samples", "30000", "--evaluations", "5000", "--searches", "4", "--shard", "2/2", "--out"];
    let rows = ["accuracy", "--op", "add", "--op", "to_i32", "--type", "fp32mp2"];
    assert_eq!(vernier(&[&rows[..], &args, &[text(&samples)]].concat()).code, Some(0));
    refused(&[first.clone(), samples], "expected the same number of samples as in");
    let rows = variant("rows.json", &["--shard", "2/2", "--op", "sub"]);
    refused(&[first.clone(), rows], "expected the same rows as in");
    let count = variant("count.json", &["--shard", "2/3"]);
    refused(&[first.clone(), count], "expected the same number of shards as in");
    let whole = variant("all.json", &[]);
    refused(&[first.clone(), whole], "found a whole run");

    let version = folder.path().join("version.json");
    let text_of_second = fs::read_to_string(&second).unwrap();
    let changed =
        text_of_second.replace(&format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION")), "\"version\": \"9.9.9\"");
    fs::write(&version, changed).unwrap();
    refused(&[first.clone(), version], "expected the same version of this program as in");

    let half = folder.path().join("half.json");
    fs::write(&half, &text_of_second[..text_of_second.len() / 2]).unwrap();
    refused(&[first.clone(), half], "half.json: expected a whole result file of this program: the file ends too early");
    let other = folder.path().join("other.json");
    fs::write(&other, "{\"a\": 1}\n").unwrap();
    refused(&[first.clone(), other], "unknown field `a`");
    refused(&[first, folder.path().join("none.json")], "none.json: cannot be read");
}

#[test]
fn rows_are_printed_in_a_pipe_with_their_type() {
    let said = small(&[]);
    let rows: Vec<&str> = said.out.lines().filter(|l| l.trim_start().starts_with("fp32mp2 ")).collect();
    assert_eq!(rows.len(), 6, "{}", said.out);
    assert!(rows.iter().all(|r| !r.contains('\u{1b}')));
    assert!(said.out.contains(">= "), "{}", said.out);
    assert!(said.out.contains("every claim holds"), "{}", said.out);
    assert_eq!(said.err, "", "no progress in a pipe");
}

#[test]
fn another_subject_is_measured_by_the_same_rows() {
    let args = ["accuracy", "--subject", "twofloat", "--samples", "3000", "--evaluations", "3000"];
    let said = vernier(&args);
    let rows: Vec<&str> = said.out.lines().filter(|l| l.trim_start().starts_with("fp64mp2 ")).collect();
    // Its operators have no claim at special values, and nothing here is said of them but what was measured.
    assert!(rows.len() >= 5 && rows.iter().any(|r| r.contains("div")), "{}", said.out);
    assert!(said.code == Some(0) || said.code == Some(1), "{}", said.err);
    vernier(&[&args[..], &["--type", "f32"]].concat()).refused("subject twofloat has none of those asked for");
}

#[test]
fn bad_options_are_named() {
    let refused = |args: &[&str], part: &str| {
        let said = vernier(args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains(part), "{args:?}: {}", said.err);
    };
    refused(&["accuracy", "--type", "fp16mp2"], "expected one of fp32mp2, fp64mp2, f32, f64");
    refused(&["accuracy", "--op", "plus"], "expected one of add, sub");
    refused(&["accuracy", "--level", "top"], "expected low, mid or high");
    refused(&["accuracy", "--type", "f32", "--level", "low"], "no row has this type, operation and level");
    refused(&["accuracy", "--shard", "3/2"], "expected i/n with 1 <= i <= n");
    refused(&["accuracy", "--shard", "0/2"], "expected i/n with 1 <= i <= n");
    for bad in ["many", "0", "0^0", "+5", "1.5", "1e", "e5", "2^", "^2", "1__0", "_1", "1e+5", "0e9", "-3", "-1e9"] {
        refused(&["accuracy", "--samples", bad], "expected a whole number from 1 to 2^48, as 1048576");
    }
    for large in ["2^99", "2^49", "1e15", "1e99999999999", "99999999999999999999", "3^18446744073709551616"] {
        refused(&["accuracy", "--samples", large], "expected at most 2^48");
    }
    refused(&["accuracy", "--evaluations", "-3"], "expected a whole number");
    refused(&["conform", "--cases", "-3"], "expected a whole number");
    refused(&["accuracy", "--seed", "many"], "invalid digit");
    refused(&["tables", "--quick", "--full"], "cannot be used with");
    refused(&["tables", "--quick", "--compare", "/nonexistent.json"], "/nonexistent.json: cannot be read");
    refused(&["tables", "--quick", "--out", "/dev/null/x"], "/dev/null/x: cannot be written");
    refused(&["merge"], "required");
}

#[test]
fn tables_are_written_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/tables");
    let args = ["tables", "--quick", "--samples", "300", "--evaluations", "100", "--out", text(&out), "--gate"];
    uncounted(&args).succeeded();
    let json = out.join("accuracy.json");
    let markdown = fs::read_to_string(out.join("accuracy.md")).unwrap();
    for part in ["## fp32mp2", "## fp64mp2", "## f32", "## Special values", "## Worst cases"] {
        assert!(markdown.contains(part), "{part}");
    }
    let said = uncounted(&[&args[..], &["--compare", text(&json)]].concat());
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert!(said.out.contains("\nnot worse than before\n"), "{}", said.out);

    // An old result that was better in one figure.
    let old = fs::read_to_string(&json).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&old).unwrap();
    let untouched = value.clone();
    value["table"][0]["sampled"]["error"] = 0.001.into();
    let better = folder.path().join("better.json");
    fs::write(&better, serde_json::to_string(&value).unwrap()).unwrap();
    let said = uncounted(&[&args[..], &["--compare", text(&better)]].concat());
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(said.out.contains("fp32mp2 add low equal signs: sampled 0.00100000 -> "), "{}", said.out);

    // Old results with less in them say nothing of what is missing.
    let compared = |change: &dyn Fn(&mut serde_json::Value), code: i32, part: &str| {
        let mut value = untouched.clone();
        change(&mut value);
        let path = folder.path().join("less.json");
        fs::write(&path, value.to_string()).unwrap();
        let said = uncounted(&[&args[..], &["--compare", text(&path)]].concat());
        assert_eq!(said.code, Some(code), "{part}: {}{}", said.out, said.err);
        let place = if code == 1 { &said.out } else { &said.err };
        assert!(place.contains(part), "{part}: {}{}", said.out, said.err);
    };
    let undefined = |v: &mut serde_json::Value| v["table"][0]["searched"] = serde_json::Value::Null;
    compared(&undefined, 1, "fp32mp2 add low equal signs: searched undefined -> ");
    let less = |v: &mut serde_json::Value| {
        for part in [&["plan", "rows"][..], &["rows"], &["table"]] {
            let list = part.iter().fold(&mut *v, |v, name| &mut v[name]);
            list.as_array_mut().unwrap().remove(0);
        }
        v["plan"]["special"] = false.into();
        v["special"] = serde_json::json!([]);
    };
    compared(&less, 1, "fp32mp2 add low equal signs: the old results have no such row");
    compared(&less, 1, "fp32mp2.low add: special values: the old results have no such row");
    compared(
        &|v| v["table"] = serde_json::json!([]),
        2,
        "less.json: expected a whole result file of this program: table",
    );
    let nan = |v: &mut serde_json::Value| v["table"][0]["sampled"]["error"] = "NaN".into();
    compared(&nan, 2, "table `fp32mp2 add low equal signs`.sampled.error: expected an error of 0 or more, found NaN");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_no_half_file() {
    let folder = tempfile::tempdir().unwrap();
    let result = folder.path().join("r.json");
    fs::write(&result, "old").unwrap();
    // The shell limits files to 8 blocks; a write beyond that fails as on a full disk.
    let script = format!("ulimit -f 8; exec \"$0\" {} --type fp32mp2 --out {}", SMALL.join(" "), text(&result));
    let output =
        std::process::Command::new("bash").args(["-c", &script, env!("CARGO_BIN_EXE_vernier")]).output().unwrap();
    let said = Said::from(output);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("r.json: cannot be written"), "{}", said.err);
    assert_eq!(fs::read_to_string(&result).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a file was left behind");

    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program().args(SMALL).args(["--type", "fp32mp2"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    vernier(&[SMALL, &["--type", "fp32mp2", "--out", "/dev/full"]].concat()).refused("/dev/full: cannot be written");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = program()
        .args(SMALL)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}

#[test]
fn counts_in_every_notation() {
    let args = ["accuracy", "--type", "fp32mp2", "--op", "lt", "--json", "--samples"];
    for (written, samples) in [("1e3", 1000), ("2E3", 2000), ("2^10", 1024), ("1_024", 1024), ("1e0", 1)] {
        let said = uncounted(&[&args[..], &[written]].concat());
        assert_eq!(said.code, Some(0), "{written}: {}", said.err);
        let value: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(value["plan"]["samples"], samples, "{written}");
    }
}
