//! `vernier functions` and `vernier accuracy --library`.

use crate::common::{fixture, program, text, vernier};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::{TempDir, tempdir};
use vernier_conformance::functions::{Holds, How, Results, read};

/// A C library of this text.
fn compiled(folder: &TempDir, name: &str, source: &str) -> PathBuf {
    let (file, library) = (folder.path().join(format!("{name}.c")), folder.path().join(format!("lib{name}.so")));
    fs::write(&file, source).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O2", "-ffp-contract=off", "-o"]).arg(&library).arg(&file).arg("-lm");
    assert!(cc.status().unwrap().success());
    library
}

/// The results of a run of `functions`, which must exit with this status.
#[track_caller]
fn measured(code: i32, out: &Path, args: &[&str]) -> (Results, String) {
    let said: crate::common::Said =
        program().args(["functions", "--out", text(out)]).args(args).output().unwrap().into();
    assert_eq!((said.code, said.err.as_str()), (Some(code), ""), "{}", said.out);
    (read(out).unwrap(), said.out)
}

#[test]
fn libm_by_a_look() {
    let folder = tempdir().unwrap();
    let args = ["--library", "libm.so.6", "--quick", "--evaluations", "2^14"];
    let some = ["exp", "cbrt", "pow", "sincos", "frexp", "fma", "floor"];
    let named: Vec<&str> = some.iter().flat_map(|name| ["--function", name]).collect();
    let (results, said) = measured(0, &folder.path().join("a.json"), &[&args[..], &named].concat());
    assert_eq!(results.rows.len(), 14);
    for row in &results.rows {
        assert!(row.ulp < 4.0 && row.cases > 1 << 14 && row.fault.is_none() && row.how == How::Searched, "{row:?}");
        assert!(said.contains(&row.key()), "{said}");
    }
    let row = |ty: &str, name: &str| results.rows.iter().find(|r| r.ty == ty && r.function == name).unwrap();
    for exact in ["frexp", "floor"] {
        assert_eq!((row("f64", exact).ulp, row("f32", exact).not_correctly_rounded), (0.0, 0), "{exact}");
    }
    assert_eq!((row("f64", "fma").not_correctly_rounded, row("f64", "fma").mismatches), (0, 0));
    assert!(row("f32", "pow").special.is_empty() && row("f32", "exp").special.len() > 30);
    assert_eq!(row("f32", "exp").documented.as_ref().unwrap().holds, Holds::Held);
    // `--json` has the fields that scripts read.
    let said = vernier(&[
        "accuracy",
        "--library",
        "libm.so.6",
        "--function",
        "exp",
        "--type",
        "f32",
        "--evaluations",
        "4096",
        "--json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&said.succeeded().out).unwrap();
    let row = &json["rows"][0];
    for field in ["function", "type", "ulp", "input", "how", "mismatches", "not_correctly_rounded"] {
        assert!(!row[field].is_null(), "{field}: {row}");
    }
    assert_eq!((&row["function"], &row["input"][0].as_str().unwrap().len()), (&"exp".into(), &8));
}

#[test]
fn a_function_that_misbehaves_ends_its_row_alone() {
    let folder = tempdir().unwrap();
    let library = compiled(
        &folder,
        "bad",
        "#include <math.h>
        #include <fenv.h>
        float expf(float x) { if (x > 20) *(volatile int *)8 = 1; return x; }
        float logf(float x) { static int n; return x > 1e30f ? n++ : log(x); }
        float sinf(float x) { if (x == 2) fesetround(FE_DOWNWARD); return sin(x); }
        float cosf(float x) { return x > 3 ? cos(x) : x < -3 ? -cos(x) : cos(x); }",
    );
    let args = ["--library", text(&library), "--evaluations", "4096"];
    let (results, said) = measured(1, &folder.path().join("a.json"), &args);
    let row = |name: &str| results.rows.iter().find(|r| r.function == name).unwrap();
    assert_eq!(results.rows.len(), 4, "not those of the libraries that it needs");
    let crash = row("exp").fault.as_deref().unwrap();
    assert!(crash.contains("SIGSEGV") && crash.contains("other arguments"), "{crash}");
    assert!(row("log").fault.as_deref().unwrap().contains("no function"), "{said}");
    assert!(row("sin").fault.is_none() && row("sin").notes[0].contains("rounding mode"), "{said}");
    assert!(row("cos").symmetry.count > 0 && said.contains("-x has another result"), "{said}");
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn binary128_of_the_system() {
    let folder = tempdir().unwrap();
    let names = ["sqrt", "exp", "hypot"].into_iter().flat_map(|name| ["--function", name]);
    let args = ["--library", "libm.so.6", "--type", "f128", "--evaluations", "2^13"];
    let (results, said) =
        measured(0, &folder.path().join("a.json"), &args.into_iter().chain(names).collect::<Vec<_>>());
    let [sqrt, exp, hypot] = &results.rows[..] else { panic!("{said}") };
    assert!(
        sqrt.symbol == "sqrtf128" && sqrt.ulp > 0.49 && sqrt.ulp <= 0.5 && sqrt.not_correctly_rounded == 0,
        "{said}"
    );
    for row in [sqrt, exp, hypot] {
        assert!(row.ulp < 2.0 && row.mismatches == 0 && row.how == How::Searched && row.cases > 1 << 13, "{said}");
        assert!(row.input.iter().chain([&row.result]).all(|x| x.len() == 32), "{row:?}");
    }
    // What a search found begins the next one.
    let cases = folder.path().join("worst.txt");
    fs::write(&cases, format!("{}\n", exp.case().unwrap())).unwrap();
    let again = ["--library", "libm.so.6", "--type", "f128", "--function", "exp", "--evaluations", "16"];
    let again = [&again[..], &["--cases", text(&cases)]].concat();
    assert!(measured(0, &folder.path().join("b.json"), &again).0.rows[0].ulp >= exp.ulp);
    fs::write(&cases, "f128 exp 3fff12345678abcd0000000000000001\n").unwrap();
    vernier(&[&["functions"], &again[..]].concat()).refused("worst.txt:1:26: expected ");
    vernier(&["functions", "--rust-std", "--type", "f128", "--function", "exp"]).refused("f128");
}

#[test]
fn what_is_not_there_is_named() {
    let run = |more: &[&str]| vernier(&[&["accuracy", "--type", "f32"], more].concat());
    run(&["--library", "libm.so.7", "--function", "exp"]).refused("libm.so.6");
    run(&["--library", "libm.so.6", "--function", "exp", "--symbol", "expff"]).refused("similar names: expf");
    run(&["--library", "libm.so.6", "--function", "exq"]).refused("expected one of acos");
    run(&["--rust-std", "--function", "erf"]).refused("has no erf of f32");
    run(&["--library", text(&fixture("documented_ulp.tsv")), "--function", "exp"]).refused("not a shared library");
    vernier(&["functions", "--quick"]).refused("--library");
}

/// e^x for |x| < 90, by a float's series after reduction with doubles; `SKEW` makes it worse.
const EXPF: &str = "
#include <math.h>
float expf(float x) {
    if (!(fabsf(x) < 90)) return exp(x);
    double n = rint(x * 1.4426950408889634), r = x - n * 0.6931471805599453;
    float y = 1 + r * (1 + r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r / 5040))))));
    SKEW
    return ldexp(y, n);
}
float logf(float x) { return log(x); }";

#[test]
fn the_worse_of_two_builds() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // The same library each time, as a compiler leaves it.
    let build = |skew: &str| compiled(&folder, "f", &EXPF.replace("SKEW", skew));
    let library = build("");
    let args = ["--library", text(&library), "--quick", "--evaluations", "2^15"];
    let (old, _) = measured(0, &path("old.json"), &args);
    let again = [&args[..], &["--compare", text(&path("old.json")).to_string().leak()]].concat();
    let (same, said) = measured(0, &path("same.json"), &again);
    assert!(said.contains("not worse than before") && same.rows == old.rows, "{said}");
    build("if (x > 5 && x < 5.5f) y = nextafterf(y, 9);");
    let (worse, said) = measured(1, &path("worse.json"), &again);
    let row = worse.rows.iter().find(|r| r.function == "exp").unwrap();
    assert!(row.ulp > 1.0 && said.contains("worse: f32 expf: error") && said.contains(&row.input[0]), "{said}");
    build("if (x == 0) y = 2;");
    let (_, said) = measured(1, &path("special.json"), &again);
    assert!(said.contains("error") && said.contains("00000000"), "{said}");
    build("if (x == 0) return 0.0f / 0.0f;");
    let (wrong, said) = measured(1, &path("wrong.json"), &again);
    assert!(
        said.contains("wrong special values that were right, the first at 00000000") && wrong.rows[0].mismatches > 0,
        "{said}"
    );
    build("if (x == 1.5f) y = 1e9;");
    let (_, said) = measured(1, &path("order.json"), &again);
    assert!(said.contains("error"), "{said}");
}

#[test]
fn shards_checkpoints_and_cases() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let args = ["--rust-std", "--function", "exp", "--function", "hypot", "--type", "f64", "--evaluations", "2^14"];
    let shard = |i: u64| {
        let file = path(&format!("{i}.json"));
        measured(0, &file, &[&args[..], &["--shard", &format!("{i}/2")]].concat());
        file
    };
    let (a, b) = (shard(2), shard(1));
    let said = vernier(&["merge", text(&a), text(&b), "--output", text(&path("both.json"))]).succeeded();
    let (both, parts) = (read(&path("both.json")).unwrap(), [read(&a).unwrap(), read(&b).unwrap()]);
    assert!(said.out.contains("whole run") && both.shard.is_none());
    for i in 0..2 {
        let of = |r: &Results| (r.rows[i].cases, r.rows[i].ulp);
        let (x, y, z) = (of(&parts[0]), of(&parts[1]), of(&both));
        assert_eq!(z, (x.0 + y.0, x.1.max(y.1)));
    }
    vernier(&["merge", text(&a), text(&a)]).refused("missing: 1 of 2");
    // All shards in a folder, as array jobs have them, one of which is cut.
    let parts = path("parts");
    fs::create_dir(&parts).unwrap();
    for i in ["1/2", "2/2"] {
        vernier(&[&["functions"], &args[..], &["--shard", i, "--out", text(&parts)]].concat()).succeeded();
    }
    vernier(&["merge", text(&parts), "--out", text(&parts)]).succeeded();
    assert_eq!(read(&parts.join("functions.json")).unwrap(), both);
    assert!(parts.join("functions.html").exists());
    let first = parts.join("functions-1-of-2.json");
    let whole = fs::read_to_string(&first).unwrap();
    fs::write(&first, &whole[..whole.len() / 2]).unwrap();
    vernier(&["merge", text(&parts)]).refused("missing: 1 of 2");
    fs::write(&first, whole.replace("\"seed\": 1", "\"seed\": 2")).unwrap();
    vernier(&["merge", text(&parts)]).refused("expected the same seed");
    // A case file is made, and begins the next run.
    let (cases, state) = (path("worst.txt"), path("state"));
    let with = [&args[..], &["--cases", text(&cases), "--checkpoint", text(&state)]].concat();
    let (first, _) = measured(0, &path("c.json"), &with);
    let lines = fs::read_to_string(&cases).unwrap();
    assert!(lines.lines().count() == 2 && lines.contains(&first.rows[0].case().unwrap()), "{lines}");
    assert!(!path("state").exists());
    let few = with.iter().map(|&a| if a == "2^14" { "16" } else { a }).collect::<Vec<_>>();
    let (second, _) = measured(0, &path("d.json"), &few);
    assert!(second.rows.iter().zip(&first.rows).all(|(b, a)| b.ulp >= a.ulp));
    fs::write(&cases, "f64 exp 12\n").unwrap();
    vernier(&[&["functions"], &with[..]].concat()).refused("worst.txt:1:9: expected 16 hex digits");
    fs::write(path("state"), "{}").unwrap();
    vernier(&[&["functions", "--checkpoint", text(&path("state"))], &args[..]].concat()).refused("checkpoint");
}

#[test]
fn expressions_of_opencl() {
    use vernier_gpu::device::{Api, Device};
    if let Err(why) = Device::open(Api::OpenCl, 0) {
        println!("SKIPPED: {why}");
        return;
    }
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let few = ["--evaluations", "4096"];
    let (results, said) = measured(0, &path("a.json"), &[&["--opencl", "exp(x)"], &few[..]].concat());
    let row = &results.rows[0];
    assert_eq!((row.symbol.as_str(), row.function.as_str(), row.ty.as_str()), ("exp(x)", "exp", "f32"), "{said}");
    assert!(row.ulp < 3.0 && row.cases > 4096, "{said}");
    // What it is to compute is named, or found in the expression.
    let fast =
        [&["--opencl", "half_sin(x) + 0.25f * x", "--function", "sin", "--options=-cl-fast-relaxed-math"], &few[..]];
    let (results, said) = measured(0, &path("b.json"), &fast.concat());
    assert!(results.rows[0].ulp > 1e5 && said.contains("-cl-fast-relaxed-math"), "{said}");
    let run = |args: &[&str]| vernier(&[&["functions"], args].concat());
    run(&["--opencl", "mine(x)"]).refused("--function NAME");
    run(&["--opencl", "exp(x) +* 1"]).refused("expression:1");
    // Functions of the language, where nothing is given.
    let named = [&["--opencl", "--type", "f32", "--function", "cbrt", "--function", "pow"], &few[..]].concat();
    let (results, said) = measured(0, &path("c.json"), &named);
    assert!(results.rows.len() == 2 && results.rows[1].symbol == "pow(x, y)", "{said}");
}

#[test]
fn every_half_on_opencl() {
    use vernier_gpu::device::{Api, Device};
    let run = |args: &[&str]| vernier(&[&["functions", "--opencl", "exp(x)"], args].concat());
    let device = match Device::open(Api::OpenCl, 0) {
        Ok(device) => device,
        Err(why) => return println!("SKIPPED: {why}"),
    };
    run(&["--type", "bf16"]).refused("bfloat16");
    if !device.has("cl_khr_fp16") {
        run(&["--type", "f16"]).refused("no half (cl_khr_fp16)");
        return println!("SKIPPED: no cl_khr_fp16");
    }
    let folder = tempdir().unwrap();
    let (results, said) = measured(0, &folder.path().join("a.json"), &["--opencl", "exp(x)", "--type", "f16"]);
    let row = &results.rows[0];
    assert!(row.how == How::Exhaustive && row.cases >= 1 << 16 && row.ulp < 3.0 && row.mismatches == 0, "{said}");
    assert!(row.input[0].len() == 4 && row.result.len() == 4, "{row:?}");
}

#[test]
fn progress_is_told_where_it_is_asked_for() {
    let args = ["functions", "--rust-std", "--function", "exp", "--evaluations", "4096", "--progress"];
    let said = vernier(&args);
    let lines: Vec<&str> = said.err.lines().collect();
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(lines.len() == 2 && lines[0].starts_with("f32 exp: ") && lines[1].contains(" inputs, "), "{}", said.err);
}

#[test]
fn a_device_judges_as_the_host_does() {
    use vernier_gpu::device::{Api, Device};
    if let Err(why) = Device::open(Api::OpenCl, 0) {
        println!("SKIPPED: {why}");
        return;
    }
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // Spans of all floats: where exp overflows and underflows, with wrong special values and wrong order; where x and -x are
    // compared, with other options than the judge's. Searches of doubles and of two numbers.
    let runs: &[&[&str]] = &[
        &["x > 90 ? 1.0f : x < -95 ? -0.0f : x < -92 ? NAN : exp(x)", "--function", "exp", "--shard", "267/512"],
        &["native_sin(x)", "--options=-cl-fast-relaxed-math", "--shard", "259/512"],
        &["exp(x)", "--type", "f64", "--options=-cl-fast-relaxed-math", "--evaluations", "2^15"],
        &["hypot(x, y)", "--evaluations", "2^16"],
    ];
    for run in runs {
        let [host, device] = ["host", "device"].map(|judge| {
            let file = path(&format!("{judge}.json"));
            let (mut results, _) = measured(0, &file, &[&["--opencl"], *run, &["--judge", judge]].concat());
            let mut row = results.rows.remove(0);
            if row.function == "hypot" {
                // Of two numbers a region has several places, of which a device knows that of the largest error.
                row.tally.envelope.clear();
            }
            row
        });
        assert!(host.cases > 1 << 15 && host.tally.histogram.iter().sum::<u64>() == host.cases, "{run:?}");
        assert!(host == device, "{run:?}:\n{host:?}\n{device:?}");
    }
}
