//! `vernier eval`.

use crate::common::{fixture, program, text, vernier, with_input};
use std::process::Stdio;
use vernier_conformance::answer::{Judgement, judge};
use vernier_conformance::case::{Level, Op, Type, operation, parse_line, special_values};
use vernier_conformance::subject::{Host, Subject};
use vernier_conformance::table::special_row;
use vernier_oracle::{Target, mpfr};

#[test]
fn published_bits() {
    let said = vernier(&["eval", "--check", text(&fixture("pairs.txt"))]).succeeded();
    assert_eq!(said.out, "14997 cases checked, 0 differ\n");
}

#[test]
fn results_are_filled_in() {
    let said = with_input(
        &["eval"],
        b"# x\r\n\r\nfp32mp2 add 3f800000:33000000 40000000:00000000\r\nf64 lt 3ff0000000000000 nan # y\n",
    );
    assert_eq!(said.code, Some(0));
    assert_eq!(
        said.out,
        "fp32mp2.mid add 3f800000:33000000 40000000:00000000 = 40400000:33000000\nf64 lt 3ff0000000000000 nan = 0\n"
    );
}

#[test]
fn a_wrong_result_is_shown_with_what_was_got() {
    let lines = b"f32 add 3f800000 3f800000 = 40000001\nf32 add 3f800000 3f800000 = 40000000\nf32 neg 3f800000\n";
    let said = with_input(&["eval", "--check"], lines);
    assert_eq!(said.code, Some(1));
    assert_eq!(
        said.out,
        "f32 add 3f800000 3f800000 = 40000001  # got 40000000, at <stdin>:1\n2 cases checked, 1 differ, 1 without a result to check\n"
    );
}

#[test]
fn any_nan_is_nan() {
    let lines = b"f32 add ffc00001 3f800000 = 7fa00000\nfp32mp2.high sub 7f800000:00000000 7f800000:00000000 = nan\n";
    assert_eq!(with_input(&["eval", "--check"], lines).code, Some(0));
}

#[test]
fn exact_values_and_errors() {
    let said = with_input(&["eval", "--exact"], b"fp32mp2.mid mul 3f800002:337fffff 3f000001:32ffffff\n");
    assert!(said.out.contains("exact 5.00000238418602194200565170315097398"), "{}", said.out);
    assert!(said.out.contains("ulp 0.625000, u2 5.00000"), "{}", said.out);
    let said = with_input(&["eval", "--exact", "--json"], b"fp64mp2 to_i32 4000000000000000:bcb0000000000000\n");
    assert!(
        said.out.contains(r#""case":"fp64mp2.mid to_i32 4000000000000000:bcb0000000000000 = i32:1""#),
        "{}",
        said.out
    );
    assert!(said.out.contains(r#""exact":"1.99999999999999977795539507496869"#), "{}", said.out);
}

#[test]
fn figures_hold_to_the_last_digit_shown() {
    let mut cases = String::new();
    for i in 0..64 {
        cases += &format!("fp32mp2.high mul 3f8{i:05x}:327{i:05x} 3f0{:05x}:31f{:05x}\n", 977 * i + 5, 7919 * i + 3);
    }
    let said = with_input(&["eval", "--exact"], cases.as_bytes());
    assert_eq!(said.out.lines().count(), 64);
    for line in said.out.lines() {
        let figure = |name: &str| {
            let after = line.split_once(name).unwrap_or_else(|| panic!("{line}")).1;
            after.split(',').next().unwrap().parse::<f64>().unwrap()
        };
        let case = parse_line(line.as_bytes()).unwrap().unwrap();
        let args: Vec<_> = case.args.iter().map(|a| a.to_pair().unwrap()).collect();
        let exact = mpfr::judge(Op::Mul, &Target::FP32MP2, &args, case.results[0].to_pair().unwrap());
        for (shown, known) in [(figure("ulp "), exact.ulp), (figure("u2 "), exact.u2)] {
            // Six digits: half a unit of the last is at most 5e-6 of the figure.
            assert!((shown - known).abs() <= 5.01e-6 * known, "{line}: {known}");
        }
    }
}

/// The special values of composed operations are those of their steps, whoever judges.
#[test]
fn composed_operations_are_judged_step_by_step() {
    let said =
        with_input(&["eval", "--exact"], b"fp32mp2.high mad 80000001:00000000 00000001:00000000 00000000:00000000\n");
    assert!(said.out.contains("= 00000000:00000000") && !said.out.contains("mismatch"), "{}", said.out);
    for (ty, op) in Type::all().flat_map(|ty| [Op::Mad, Op::Sum, Op::Product].map(|op| (ty, op))) {
        let Some(line) = operation(ty, op).filter(|_| ty.level() == Some(Level::High)) else { continue };
        assert_eq!(special_row(&Host, ty, line).unwrap().mismatches, 0, "{ty} {op}");
        let values = special_values(line.result_kind(ty));
        let n = if op == Op::Mad { 3 } else { 2 };
        for i in 0..values.len().pow(n) {
            let args: Vec<_> = (0..n).map(|k| values[i / values.len().pow(k) % values.len()]).collect();
            let got = Host.eval(ty, op, &args).unwrap();
            let judgement = judge(ty, op, &args, got);
            let wrong = matches!(judgement, Some(Judgement::Error(v)) if v.mismatch.is_some());
            assert!(!wrong, "{ty} {op} {args:?} = {got}: {judgement:?}");
        }
    }
}

#[test]
fn bad_lines_are_named_and_the_others_evaluated() {
    let said = with_input(&["eval"], b"f32 neg 3f800000\nf32 neg 3f80000\n\nf99 neg 0\nf32 neg 00000000\n");
    assert_eq!(said.code, Some(2));
    assert_eq!(said.out, "f32 neg 3f800000 = bf800000\nf32 neg 00000000 = 80000000\n");
    assert!(
        said.err.contains("<stdin>:2:9: expected 8 hexadecimal digits (there are 7), found `3f80000`"),
        "{}",
        said.err
    );
    assert!(said.err.contains("<stdin>:4:1: expected a type"), "{}", said.err);
}

#[test]
fn missing_and_unreadable_files() {
    vernier(&["eval", "/nonexistent/cases.txt"]).refused("/nonexistent/cases.txt: cannot be read");
    let folder = tempfile::tempdir().unwrap();
    vernier(&["eval", text(folder.path())]).refused("cannot be read");
}

#[test]
fn another_subject_on_the_same_cases() {
    let line = b"fp64mp2.mid add 3ff0000000000000:0000000000000000 3ff0000000000000:0000000000000000\n";
    let said = with_input(&["eval", "--subject", "twofloat"], line);
    assert!(said.out.ends_with("= 4000000000000000:0000000000000000\n"), "{}", said.out);
    with_input(&["eval", "--subject", "twofloat"], b"fp32mp2.mid neg 3f800000:00000000\n")
        .refused("<stdin>:1: twofloat has no operation neg of fp32mp2.mid");
}

/// By hand: 1.00390625 is the middle of two of bf16, and 448 the largest of fp8_e4m3.
#[test]
fn presets_evaluate() {
    let said =
        with_input(&["eval"], b"bf16 add 1.0 0.00390625\nfp8_e4m3 mul 448.0 1.0\nfp8_e4m3 mul 448.0 2.0\n").succeeded();
    let expected = "fp64_custom<8,7;ieee> add 3ff0000000000000 3f70000000000000 = 3ff0000000000000\n\
                    fp64_custom<4,3;ieee,fn> mul 407c000000000000 3ff0000000000000 = 407c000000000000\n\
                    fp64_custom<4,3;ieee,fn> mul 407c000000000000 4000000000000000 = nan\n";
    assert_eq!(said.out, expected);
}

#[test]
fn bad_options() {
    for args in [&["eval", "--device", "abacus"][..], &["eval", "--subject", "me"], &["evaluate"], &[]] {
        let said = vernier(args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(!said.err.is_empty());
    }
    assert_eq!(vernier(&["--help"]).code, Some(0));
    assert_eq!(vernier(&["eval", "--help"]).code, Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let said = program().args(["eval", text(&fixture("pairs.txt"))]).stdout(full).output().unwrap();
    assert_eq!(said.status.code(), Some(2));
    let err = String::from_utf8(said.stderr).unwrap();
    assert!(err.contains("standard output: cannot be written"), "{err}");
}

/// Exit status and messages of `args` whose output is closed before the first byte.
fn unread(args: &[&str], input: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cases.txt");
    std::fs::write(&file, input).unwrap();
    let files = if args[0] == "eval" { vec![text(&file)] } else { vec![] };
    let mut child = program().args(args).args(files).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_status() {
    let right = "f32 neg 3f800000 = bf800000\n";
    let wrong = "f32 neg 3f800000 = 3f800000\n";
    let many = |last: &str| wrong.repeat(20_000) + last;
    assert_eq!(unread(&["eval"], &many("")), (Some(0), String::new()));
    assert_eq!(unread(&["eval", "--check"], right), (Some(0), String::new()));
    assert_eq!(unread(&["eval", "--check"], &many("")), (Some(1), String::new()));
    assert_eq!(unread(&["eval", "--check", "--json"], &many("")), (Some(1), String::new()));
    let (code, err) = unread(&["eval", "--check"], &many("f32 neg 3f80000\n"));
    assert_eq!(code, Some(2));
    assert!(err.contains("cases.txt:20001:9: expected 8 hexadecimal digits"), "{err}");
    for args in [&["--help"][..], &["--version"], &["tables", "--help"]] {
        assert_eq!(unread(args, ""), (Some(0), String::new()), "{args:?}");
    }
}
