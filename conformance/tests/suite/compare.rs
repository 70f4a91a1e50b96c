//! `tables --compare`: each kind of regression is noticed, and what is none is not.

use crate::common::{plan, text, uncounted, vernier};
use std::fs;
use vernier_conformance::compare::{LEAST_TOLERANCE, LOST_DIGITS, compare, compare_speeds, tolerance};
use vernier_conformance::report::{Comparison, Results};
use vernier_conformance::speed::{self, Count, Counts, Digits, FORMAT, Report};
use vernier_conformance::table::Build;
use vernier_gpu::bench::{
    Arrangement, Author, Bench, Division, Effort, Operands, PARTS, Row, Split, SplitRow, Subject, Timing, pi_host,
};
use vernier_gpu::device::{self, Api};

const PLACE: &str = "a card (CUDA 0)";

fn row(op: &str) -> Row {
    Row {
        subject: Subject::Fp32mp2Mid,
        op: op.into(),
        author: Author::Vernier,
        operands: Operands::Changing,
        arrangement: Arrangement::Groups(4),
        body: 512,
        per_second: 1e12,
        spread: 0.01,
        clock_mhz: 1980.0,
        per_clock: 5.0,
        latency: Some(40.0),
        instructions: Some(11.0),
        vs_double: None,
        vs_native_add: None,
        of_limit: None,
        resources: None,
        in_range: true,
    }
}

/// Quarters of a reduction emulated, of which the first is the fastest.
fn split() -> Split {
    let build = device::Build {
        api: Api::Cuda,
        device: "a card".into(),
        driver: "CUDA 13.0".into(),
        architecture: "sm_90".into(),
        compiler: "NVRTC 13.0".into(),
        options: Vec::new(),
    };
    let timing = |ms: f64| Timing { median: ms * 1e-3, least: ms * 0.99e-3, most: ms * 1.01e-3, launches: 7 };
    let row = |(quarters, ms): (u32, f64)| SplitRow {
        division: Division { share: quarters * PARTS / 4, slices: 2 * quarters },
        value: [3.0, 0.0],
        text: "3.0".into(),
        digits: 3.0,
        host_bits: true,
        timing: timing(ms),
    };
    let rows = [(0, 1.1), (1, 1.0), (2, 2.0)].map(row).to_vec();
    let subject = Subject::Fp64emuUnpackedHigh;
    Split { build, subject, log2_terms: 26, native: timing(1.1), emulated: timing(4.0), rows }
}

/// Results of everything but accuracy.
fn results() -> Results {
    let mut timed = pi_host(Subject::Fp32mp2Mid, 20);
    timed.timing = Some(Timing { median: 1e-3, least: 0.99e-3, most: 1.01e-3, launches: 7 });
    timed.host_bits = Some(true);
    let count = |architecture: &str| Count {
        architecture: architecture.into(),
        fp32: 11.0,
        fp64: 0.0,
        other: 1.0,
        registers: 20,
        spills: 0,
    };
    let speed = speed::Results {
        format: FORMAT.into(),
        build: Build::this(),
        digits: vec![Digits::new("host", pi_host(Subject::Float, 20)), Digits::new(PLACE, timed.clone())],
        counts: vec![Counts {
            family: "fp32mp2".into(),
            op: "add".into(),
            level: "mid".into(),
            published: Some([11, 0, 0]),
            counts: vec![count("sm_90"), count("sm_120")],
            reached: Some(true),
        }],
        counts_by: "NVRTC 13.0".into(),
        measured: vec![Report {
            place: PLACE.into(),
            pi: vec![timed],
            bench: Some(Bench {
                build: split().build,
                units: 132,
                clock: "known".into(),
                effort: Effort::default(),
                rare: "Automatic".into(),
                rows: vec![row("add"), row("mul")],
            }),
            splits: vec![split()],
            ..Report::default()
        }],
        ..speed::Results::default()
    };
    let plan = plan([], [1; 3]);
    Results { speed: Some(speed), ..Results::new(plan, None, Vec::new(), Vec::new()) }
}

fn changed(change: impl Fn(&mut speed::Results)) -> Comparison {
    let (old, mut new) = (results(), results());
    change(new.speed.as_mut().unwrap());
    compare("old.json", &old, &new)
}

fn rows(s: &mut speed::Results) -> &mut Vec<Row> {
    &mut s.measured[0].bench.as_mut().unwrap().rows
}

/// The change is a regression, and the line that tells it has this part.
fn worse(change: impl Fn(&mut speed::Results), part: &str) {
    let comparison = changed(change);
    let lines = comparison.lines().join("\n");
    assert!(comparison.worse() && lines.ends_with("\nworse than before"), "{part}: {lines}");
    assert!(lines.lines().any(|l| l.starts_with("  worse: ") && l.contains(part)), "{part}: {lines}");
}

/// It is none; it is listed where `part` is not empty.
fn not_worse(change: impl Fn(&mut speed::Results), part: &str) {
    let comparison = changed(change);
    let lines = comparison.lines().join("\n");
    assert!(!comparison.worse() && lines.ends_with("\nnot worse than before"), "{part}: {lines}");
    assert_eq!(comparison.changes.is_empty(), part.is_empty(), "{lines}");
    assert!(lines.contains(part), "{part}: {lines}");
}

#[test]
fn nothing_changed() {
    not_worse(|_| {}, "");
}

#[test]
fn a_lost_digit_is_worse() {
    let digits = |by: f64| {
        move |s: &mut speed::Results| {
            s.digits[0].pi.digits += by;
            s.digits[0].pi.text = "3.14159".into();
        }
    };
    worse(digits(-LOST_DIGITS), "pi in float at 2^20 on host: 5.21 -> 5.11 digits");
    worse(digits(f64::NAN), "pi in float at 2^20 on host: 5.21 -> NaN digits");
    not_worse(digits(-0.01), "5.21 -> 5.20 digits");
    not_worse(digits(1.0), "5.21 -> 6.21 digits");
    worse(|s| s.digits[0].pi.digits_summed_in_double -= 2.0, "digits summed in double");
    worse(|s| s.digits[0].claims[0].1 = false, "pi in float at 2^20 on host: 5.2 digits no longer holds");
    worse(|s| drop(s.digits.remove(1)), "pi in fp32mp2_mid at 2^20 on a card (CUDA 0): measured before, not now");
}

#[test]
fn more_instructions_are_worse() {
    let count = |s: &mut speed::Results, by: f64| s.counts[0].counts[1].fp32 += by;
    worse(move |s| count(s, 1.0), "instructions of fp32mp2 add mid on sm_120: FP32 11 -> 12, all 12 -> 13");
    not_worse(move |s| count(s, -1.0), "FP32 11 -> 10, all 12 -> 11");
    not_worse(move |s| count(s, 0.01), "");
    worse(|s| s.counts[0].counts[0].other += 1.0, "on sm_90: all 12 -> 13");
    worse(|s| s.counts[0].counts[0].spills = 8, "on sm_90: bytes spilled 0 -> 8");
    // One more of a kind for several less of another is no more work, but another width is.
    not_worse(
        |s| {
            s.counts[0].counts[0].fp32 -= 3.0;
            s.counts[0].counts[0].other += 1.0;
        },
        "FP32 11 -> 8, all 12 -> 10",
    );
    worse(
        |s| {
            s.counts[0].counts[0].fp32 -= 3.0;
            s.counts[0].counts[0].fp64 += 1.0;
        },
        "FP64 0 -> 1",
    );
    worse(|s| drop(s.counts[0].counts.pop()), "fp32mp2 add mid on sm_120: measured before, not now");
    worse(|s| s.counts.clear(), "instruction counts: none now");
    not_worse(|s| s.counts_by = "NVRTC 13.1".into(), "by NVRTC 13.0 -> NVRTC 13.1");
}

#[test]
fn a_speed_beyond_the_spreads_is_worse() {
    assert_eq!(tolerance(0.001, 0.002), LEAST_TOLERANCE);
    let slower = |by: f64, spread: f64| {
        move |s: &mut speed::Results| {
            let row = &mut rows(s)[0];
            (row.per_second, row.spread) = (row.per_second * (1.0 - by), spread);
        }
    };
    worse(
        slower(0.04, 0.01),
        "speed of fp32mp2_mid add on a card (CUDA 0): 1000.00 -> 960.00 10^9/s, -4.0% (within 3.0%",
    );
    not_worse(slower(0.02, 0.01), "");
    // Spreads of 1% before and 9% now say that 8% are nothing.
    not_worse(slower(0.08, 0.09), "");
    worse(slower(0.12, 0.09), "-12.0% (within 10.0% is no change)");
    not_worse(slower(-0.5, 0.01), "+50.0%");
    let divided = |ms: f64| move |s: &mut speed::Results| s.measured[0].splits[0].rows[1].timing.median = ms * 1e-3;
    worse(divided(1.06), "1.0000 ms with 25.0% emulated -> 1.0600 ms with 25.0% emulated");
    worse(divided(1.2), "at 2^26 on a card (CUDA 0): 1.0000 ms with 25.0% emulated -> 1.1000 ms with 0.0% emulated");
    not_worse(divided(0.9), "+11.1%");
    worse(|s| s.measured[0].splits.clear(), "pi divided between double and fp64emu_unpacked_high at 2^26 on a card");
    worse(|s| rows(s)[1].latency = Some(50.0), "speed of fp32mp2_mid mul on a card (CUDA 0): latency 40.0 -> 50.0 clk");
    worse(|s| rows(s)[1].in_range = false, "the chain leaves its range");
    worse(|s| drop(rows(s).remove(0)), "speed of fp32mp2_mid add on a card (CUDA 0): measured before, not now");
    not_worse(|s| rows(s).push(row("sqrt")), "speed of fp32mp2_mid sqrt on a card (CUDA 0): not measured before");
    let timing = |s: &mut speed::Results, median: f64| s.measured[0].pi[0].timing.as_mut().unwrap().median = median;
    worse(
        move |s| timing(s, 1.1e-3),
        "speed of pi in fp32mp2_mid at 2^20 on a card (CUDA 0): 1.0000 -> 1.1000 ms, -9.1%",
    );
    not_worse(move |s| timing(s, 1.03e-3), "");
    worse(|s| s.measured[0].pi[0].host_bits = Some(false), "no longer the host's bits");
}

#[test]
fn speeds_of_one_place_are_compared_alone() {
    let mut measured = results().speed.unwrap().measured;
    let old = measured.remove(0);
    let worse = |new: &speed::Report| compare_speeds("old.json", &old, new).worse();
    let mut slower = old.clone();
    assert!(!worse(&slower));
    slower.pi[0].timing.as_mut().unwrap().median *= 1.1;
    assert!(worse(&slower));
    assert!(worse(&speed::Report { place: "another card".into(), ..old.clone() }));
}

#[test]
fn what_cannot_be_compared_is_listed() {
    let effort = |s: &mut speed::Results| {
        s.measured[0].bench.as_mut().unwrap().effort.launches = 3;
        rows(s)[0].per_second = 1.0;
    };
    not_worse(effort, "measured with different efforts");
    let quick = |s: &mut speed::Results| {
        s.quick = true;
        s.counts[0].counts.pop();
    };
    not_worse(quick, "one of the runs was a quick one");
    let gone = |s: &mut speed::Results| {
        s.digits.pop();
        s.measured.clear();
    };
    worse(gone, "a card (CUDA 0): measured before, not now");
    let (old, new) = (results(), Results { speed: None, ..results() });
    assert!(compare("old.json", &old, &new).worse() && compare("old.json", &new, &old).worse());
    assert!(!compare("old.json", &new, &new).worse());
}

#[test]
fn speeds_that_are_none_are_refused() {
    let whole = results().speed.unwrap();
    let refused = |change: &dyn Fn(&mut serde_json::Value), part: &str| {
        let mut value = serde_json::to_value(&whole).unwrap();
        change(&mut value);
        let fault = speed::parse("s.json", &value.to_string()).unwrap_err().to_string();
        assert!(fault.starts_with("s.json: expected a whole result file") && fault.contains(part), "{part}: {fault}");
    };
    assert_eq!(speed::parse("s.json", &whole.to_json()).unwrap(), whole);
    refused(&|v| v["format"] = "vernier results 1".into(), "format: expected `vernier speed 1`");
    refused(&|v| v["measured"][0]["bench"]["rows"][0]["per_second"] = 0.into(), "speed of fp32mp2_mid add: expected");
    refused(&|v| v["measured"][0]["bench"]["rows"][0]["spread"] = (-1).into(), "speed of fp32mp2_mid add: expected");
    refused(
        &|v| v["measured"][0]["splits"][0]["rows"][0]["timing"]["median"] = 0.into(),
        "speed of a divided reduction: expected",
    );
    refused(&|v| v["counts"][0]["counts"][0]["fp32"] = (-1).into(), "counts `fp32mp2 add mid` on sm_90: expected");
    refused(&|v| v["digits"][0]["pi"]["digits"] = serde_json::Value::Null, "expected f64");
    refused(&|v| v["counts"][0]["sum"] = 1.into(), "unknown field `sum`");
}

#[test]
fn the_program_compares_with_the_file_beside() {
    let folder = tempfile::tempdir().unwrap();
    let (out, old) = (folder.path().join("new"), folder.path().join("old"));
    let run = |more: &[&str]| {
        let args = ["tables", "--quick", "--samples", "300", "--evaluations", "100", "--out", text(&out)];
        uncounted(&[&args[..], more].concat())
    };
    assert_eq!(run(&[]).code, Some(0));
    fs::rename(&out, &old).unwrap();
    let speed_file = old.join("speed.json");
    let mut speed = speed::read(&speed_file).unwrap();
    speed.digits[0].pi.digits += 1.0;
    speed.digits[0].pi.text = "3.14159265".into();
    fs::write(&speed_file, speed.to_json()).unwrap();
    let accuracy = old.join("accuracy.json");
    let said = run(&["--compare", text(&accuracy), "--json"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), ""));
    let value: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let changes: Vec<_> =
        value["comparison"]["changes"].as_array().unwrap().iter().filter(|c| c["worse"] == true).collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0]["what"], "pi in float at 2^20 on host");

    fs::write(&speed_file, "{").unwrap();
    run(&["--compare", text(&accuracy)]).refused("speed.json: expected a whole result file of this program");
    fs::remove_file(&speed_file).unwrap();
    let said = run(&["--compare", text(&accuracy)]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(
        said.out.contains("worse: digits, instruction counts and speed: the old results have none"),
        "{}",
        said.out
    );
}

#[test]
fn the_first_shard_has_the_speeds_and_merge_joins_them() {
    let folder = tempfile::tempdir().unwrap();
    let run = |shard: &str| {
        let args = ["tables", "--quick", "--samples", "300", "--evaluations", "100", "--out", text(folder.path())];
        uncounted(&[&args[..], &["--shard", shard]].concat()).succeeded();
        folder.path().join(format!("accuracy-{}.json.gz", shard.replace('/', "-of-")))
    };
    let (first, second) = (run("1/2"), run("2/2"));
    let joined = folder.path().join("joined");
    let said = vernier(&["merge", text(&second), text(&first), "--out", text(&joined)]).succeeded();
    assert!(said.out.contains("Digits of pi"), "{}", said.out);
    let speed = speed::read(&joined.join("speed.json")).unwrap();
    assert!(speed.hold() && speed.digits.len() >= 8);
    assert!(fs::read_to_string(joined.join("speed.md")).unwrap().contains("## Digits of pi"));
    assert!(folder.path().join("speed-1-of-2.json").exists() && !folder.path().join("speed-2-of-2.json").exists());
}
