//! Digits and speed: the digits of the host, result files, and `vernier bench` where a device is missing.

use crate::common::{Said, program, text, vernier};
use std::fs;
use vernier_conformance::speed::{Claim, Report, Results, on_host};
use vernier_gpu::bench::Subject;
use vernier_gpu::device::{Api, Device};

#[test]
fn the_host_has_the_digits_at_2_20_terms() {
    let rows = on_host(true);
    let subjects: Vec<Subject> = rows.iter().map(|d| d.pi.subject).collect();
    assert_eq!(subjects, Subject::ALL);
    for d in &rows {
        assert!(d.holds(), "{d:?}");
        assert_eq!(d.pi.log2_terms, 20);
        let of_the_rule = d.claims.iter().any(|(c, _)| matches!(c, Claim::OfTheRule(_)));
        assert_eq!(of_the_rule, d.pi.subject.family() == "fp64mp2");
    }
    assert_eq!(rows[0].claims, [(Claim::Digits("5.2".into()), true)]);
}

#[test]
fn tables_hold_digits_and_speed() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["tables", "--quick", "--samples", "300", "--evaluations", "100", "--gate", "--out", text(folder.path())];
    let said = vernier(&args).succeeded();
    let json = fs::read_to_string(folder.path().join("speed.json")).unwrap();
    let results: Results = serde_json::from_str(&json).unwrap();
    assert_eq!(results.to_json(), json);
    assert!(results.hold() && results.digits.len() >= Subject::ALL.len());
    // Figures, or the reason why they are missing.
    let says = |what: &str| results.left_out.iter().any(|l| l.starts_with(what));
    assert!(!results.measured.is_empty() || says("speed: not measured"), "{:?}", results.left_out);
    assert_eq!(results.counts.is_empty(), says("instruction counts: not counted: "));
    let published = |card: &str, subject| {
        let row = |p: &&vernier_conformance::speed::Predicted| {
            p.prediction.card.name == card && p.prediction.subject == subject
        };
        results.predicted.iter().find(row).unwrap().published
    };
    assert_eq!(published("B300", Subject::Fp32mp2High), Some(6.7));
    assert_eq!(published("B300", Subject::Fp64mp2High), None);
    assert_eq!(published("B300", Subject::Fp64emuHigh), Some(0.98));
    assert_eq!(published("RTX 6000 Ada", Subject::Fp64emuUnpackedMid), Some(1.78));
    let counted =
        |f: &str, op: &str, level: &str| results.counts.iter().any(|c| c.family == f && c.op == op && c.level == level);
    for (family, op, level) in
        [("fp64emu", "fma", "all"), ("fp64emu", "sqrt", "low"), ("fp64emu_unpacked", "div", "high")]
    {
        assert!(results.counts.is_empty() || counted(family, op, level), "{family} {op} {level}");
    }
    let markdown = fs::read_to_string(folder.path().join("speed.md")).unwrap();
    for part in [
        "## Digits of pi",
        "## Instruction counts",
        "## Speed",
        "## Predicted speed",
        "| fp32mp2          | high  |",
        "| fp64emu_unpacked | mid   |",
    ] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
    assert!(said.out.contains("every claim holds"), "{}", said.out);
    for part in ["Digits of pi", "5.2 digits", "RTX 6000 Ada", "not in a quick run"] {
        assert!(said.out.contains(part) && markdown.contains(part), "{part}: {}", said.out);
    }
}

#[test]
fn a_device_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.json");
    let mut command = program();
    command.args(["bench", "--device", "cuda", "--out", text(&path)]).env("CUDA_VISIBLE_DEVICES", "");
    let said = Said::from(command.output().unwrap());
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
    assert!(said.err.starts_with("vernier: ") && said.err.contains("CUDA device"), "{}", said.err);
    assert!(!path.exists());
}

#[test]
fn the_host_is_timed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.json");
    let args = ["bench", "--device", "host", "--quick", "--type", "fp32mp2", "--level", "high", "--json"];
    let said = vernier(&[&args[..], &["--out", text(&path)]].concat()).succeeded();
    assert_eq!(fs::read_to_string(&path).unwrap(), said.out);
    let report: Report = serde_json::from_str(&said.out).unwrap();
    let subjects: Vec<Subject> = report.pi.iter().map(|p| p.subject).collect();
    assert_eq!(subjects, [Subject::Double, Subject::Fp32mp2High]);
    assert!(report.pi.iter().all(|p| p.timing.unwrap().median > 0.0), "{report:?}");
    assert_eq!(report.pi[0].speed_vs_double, Some(1.0));
    // The page beside it, and that of the folder.
    let page = folder.path().join("report.html");
    vernier(&["report", text(folder.path()), "-o", text(&page)]).succeeded();
    for page in [path.with_extension("html"), page] {
        let html = fs::read_to_string(page).unwrap();
        assert!(html.contains("<h2>Speed on ") && html.contains("<svg") && html.contains("fp32mp2_high"), "{html}");
    }
}

#[test]
fn opencl_is_measured_where_it_is() {
    if let Err(why) = Device::open(Api::OpenCl, 0) {
        println!("SKIPPED: {why}");
        return;
    }
    let args =
        ["bench", "--device", "opencl", "--quick", "--type", "fp32mp2", "--level", "low", "--op", "mul", "--json"];
    let said = vernier(&args);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report: Report = serde_json::from_str(&said.out).unwrap();
    let row = report.rows().find(|(r, _)| r.subject == Subject::Fp32mp2Low).unwrap().0;
    assert!(row.op == "mul" && row.per_second > 0.0 && row.in_range, "{row:?}");
    assert!(row.vs_double.is_some() && row.vs_native_add.is_some(), "{row:?}");
    assert!(report.targets.iter().all(|t| t.subject == Subject::Fp32mp2Low && t.op == "mul"), "{report:?}");
}

#[test]
fn functions_are_measured_on_opencl() {
    if let Err(why) = Device::open(Api::OpenCl, 0) {
        println!("SKIPPED: {why}");
        return;
    }
    let args = ["bench", "--device", "opencl", "--quick", "--level", "high", "--op", "floor", "--json"];
    let said = vernier(&args);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report: Report = serde_json::from_str(&said.out).unwrap();
    let rows: Vec<_> = report.functions.iter().map(|r| (r.family.as_str(), r.op.as_str(), r.host_bits)).collect();
    assert_eq!(rows, [("fp32mp2", "floor", true), ("fp64mp2", "floor", true)]);
    assert!(report.bench.is_none() && report.pi.is_empty() && report.targets.is_empty(), "{report:?}");
    let [section] = vernier_conformance::render::measured(&report).try_into().ok().unwrap();
    let text = section.terminal();
    assert!(text.contains("Speed of mathematical functions") && text.contains("floor"), "{text}");
}

#[test]
fn a_reduction_is_divided_on_opencl() {
    if let Err(why) = Device::open(Api::OpenCl, 0) {
        println!("SKIPPED: {why}");
        return;
    }
    let args = ["bench", "--device", "opencl", "--split", "--quick", "--json"];
    let said = vernier(&args);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report: Report = serde_json::from_str(&said.out).unwrap();
    let [split] = report.splits.as_slice() else { panic!("{}", said.out) };
    assert_eq!(split.subject, Subject::Fp64emuUnpackedHigh);
    assert!(split.rows.len() > 20 && split.rows.iter().all(|r| r.host_bits && r.digits > 12.4), "{split:?}");
    let [section] = vernier_conformance::render::measured(&report).try_into().ok().unwrap();
    let text = section.terminal();
    for part in ["One reduction on two pipes", "ms all in double", "fastest", "100.00%"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn bad_options_of_bench_are_named() {
    let refused = |args: &[&str], part: &str| {
        let said = vernier(&[&["bench", "--device", "host", "--quick"], args].concat());
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains(part), "{args:?}: {}", said.err);
    };
    refused(
        &["--type", "fp16mp2"],
        "expected one of fp32mp2, fp64mp2, fp64emu, fp64emu_unpacked, fp64_custom, f32, f64",
    );
    refused(&["--type", "f32", "--level", "low"], "no type has this level");
    refused(&["--op", "sine"], "possible values: add");
    refused(&["--split"], "--split is for cuda and opencl");
    refused(&["--split", "--op", "add"], "cannot be used with");
    refused(&["--op", "add"], "on the host the pi benchmark is timed as a whole");
    refused(&["--functions"], "--op and --functions are for cuda and opencl");
    refused(&["--functions", "--op", "floor"], "cannot be used with");
    refused(&["--out", "/nonexistent/b.json"], "/nonexistent/b.json: cannot be written");
}
