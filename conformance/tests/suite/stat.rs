//! `vernier stat`, and the contracts of instrumented pairs.

use crate::common::{fixture, vernier};
use crate::conform::{has, request};
use serde_json::{Value, json};
use vernier_conformance::contract::{Planted, Report, Request, run};
use vernier_gpu::device::Api;

fn check_example(device: &str) {
    let said = vernier(&["stat", "kahan", "--device", device, "--json"]).succeeded();
    let found: Value = serde_json::from_str(&said.out).unwrap();
    let published: Value =
        serde_json::from_str(&std::fs::read_to_string(fixture("kahan_record.json")).unwrap()).unwrap();
    for (family, record) in published.as_object().unwrap() {
        for (key, value) in record.as_object().unwrap() {
            assert_eq!(&found[family][key], value, "{family} {key}");
        }
        assert_eq!(found[family]["record_as_on_host"], if device == "host" { json!(null) } else { json!(true) });
    }
}

#[test]
fn published_example_on_the_host() {
    check_example("host");
    let said = vernier(&["stat", "kahan"]).succeeded();
    for part in [
        "fp64mp2, level mid: 2.3153879373667948",
        "fp32mp2, level mid: 2.3153879373",
        "259: 65 +, 193 -, 0 x, 1 /",
        "of 258 sums and differences 64 (24.8%) to zero, 11 (4.3%) by more than 52 of 104 digits",
        "40 (15.5%) by more than 23 of 46 digits",
        "234 (90.3%)",
        "183 (70.7%)",
        "181 (69.9%)",
        "-63 .. 1",
        "-1.1102230246251565e-16",
        "counts operations, not errors",
        "never seen    infinite, NaN",
    ] {
        assert!(said.out.contains(part), "no `{part}` in\n{}", said.out);
    }
    for sentinel in ["2147483647", "2147483648", "null"] {
        assert!(!said.out.contains(sentinel), "{}", said.out);
    }
    let one = vernier(&["stat", "kahan", "--type", "fp32mp2", "--level", "high", "--histograms", "--json"]);
    let found: Value = serde_json::from_str(&one.out).unwrap();
    assert!(found.get("fp64mp2").is_none() && found["fp32mp2"]["level"] == "high");
    let bars = found["fp32mp2"]["histograms"]["result"]["exp"].as_array().unwrap();
    assert_eq!((bars.len() > 30, &bars[0][0]), (true, &json!(-63)));
}

#[test]
fn published_example_on_a_device() {
    if has(Api::OpenCl) {
        check_example("opencl");
        let said =
            vernier(&["stat", "pi", "--device", "opencl", "--type", "fp32mp2", "--log2-terms", "18"]).succeeded();
        assert!(said.out.contains("the same record, field by field") && said.out.contains("ms plain"), "{}", said.out);
        assert!(
            said.out.contains(&format!("{}: {} +, 0 -, {} x, {} /", 5 << 18, 3 << 18, 1 << 18, 1 << 18)),
            "{}",
            said.out
        );
    }
    if !has(Api::Cuda) {
        let said = vernier(&["stat", "kahan", "--device", "cuda"]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
        assert!(said.err.contains("CUDA device 0 cannot be used"), "{}", said.err);
    }
}

#[test]
fn bad_requests() {
    for args in [
        &["stat"][..],
        &["stat", "tan"],
        &["stat", "kahan", "--type", "f64"],
        &["stat", "kahan", "--level", "highest"],
        &["stat", "kahan", "--log2-terms", "20"],
        &["stat", "pi", "--log2-terms", "3"],
        &["stat", "kahan", "--device", "fpga"],
    ] {
        let said = vernier(args);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(!said.err.is_empty(), "{args:?}");
    }
}

fn contracts(device: Option<Api>, filter: &str) -> Report {
    let (cases, mutants) = (Some(1 << 11), Planted::All);
    run(&Request { device, host_only: device.is_none(), cases, mutants, ..request(filter) }).unwrap()
}

#[test]
fn instrumented_results_are_the_plain_ones() {
    let report = contracts(None, "stat_mid");
    let outcomes: Vec<_> = report.outcomes.iter().filter(|o| o.contract == "stat = plain").collect();
    assert_eq!(outcomes.len(), 2);
    for o in outcomes {
        assert!(o.holds() && o.cases == 6 << 11, "{o}");
        let score = o.mutants.as_ref().unwrap();
        assert_eq!((score.planted, score.killed), (6, 6), "{o}");
    }
}

#[test]
fn records_on_a_device_are_the_hosts() {
    if !has(Api::OpenCl) {
        return;
    }
    let report = contracts(Some(Api::OpenCl), "fp32mp2_stat_mid");
    let o = report.outcomes.iter().find(|o| o.contract == "stat: host = opencl").unwrap();
    assert!(o.mismatches == 0 && o.cases == 259 + (12 << 11), "{o}");
    let score = o.mutants.as_ref().unwrap();
    assert_eq!((score.planted, score.killed), (15, 15), "{o}");
    let o = report.outcomes.iter().find(|o| o.contract == "stat extras: host = opencl").unwrap();
    assert!(o.mismatches == 0 && o.cases == (11 << 11) + 6000, "{o}");
    let score = o.mutants.as_ref().unwrap();
    assert_eq!((score.planted, score.killed), (4, 4), "{o}");
    // Limbs that overlap are usual at level low alone.
    let report = contracts(Some(Api::OpenCl), "fp64mp2_stat_low");
    let o = report.outcomes.iter().find(|o| o.contract == "stat: host = opencl").unwrap();
    assert!(o.mismatches == 0 && o.cases == 259 + (12 << 11), "{o}");
}
