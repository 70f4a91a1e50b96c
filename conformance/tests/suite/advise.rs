//! `vernier advise`: the examples, a planted literal, and what goes wrong.

use crate::common::{Said, program, text, uncounted, vernier};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/advise").join(name)
}

/// The advice as JSON, without the tools that count instructions.
fn advised(file: &Path, rest: &[&str]) -> Value {
    let said = uncounted(&[&["advise", text(file), "--json"], rest].concat());
    assert!(said.code == Some(0) && said.err.is_empty(), "{said:?}");
    serde_json::from_str(&said.out).unwrap()
}

fn row<'a>(advice: &'a Value, name: &str) -> &'a Value {
    advice["candidates"].as_array().unwrap().iter().find(|r| r["type"] == name).unwrap()
}

/// A kernel of one's own.
fn kernel(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("own.cuh");
    let text = format!(
        "template <class T> struct Own {{\n    static __device__ __host__ T item(const double *x, long n, long i)\n    {{\n{body}\n    }}\n}};\n"
    );
    fs::write(&path, text).unwrap();
    path
}

/// Options that name types.
fn types(names: &str) -> Vec<&str> {
    names.split(' ').flat_map(|name| ["--type", name]).collect()
}

const FEW: [&str; 6] = ["--data", "x=uniform(1,2,8)", "--items", "8", "--digits", "3"];

fn own(body: &str, rest: &[&str]) -> Said {
    let folder = tempfile::tempdir().unwrap();
    let path = kernel(folder.path(), body);
    uncounted(&[&["advise", text(&path), "--kernel", "Own", "--json"], rest].concat())
}

#[test]
fn norms() {
    let a = advised(
        &example("norms.cuh"),
        &["--kernel", "Norms", "--data", "x=normal(0,1,3e3)", "--items", "1e3", "--digits", "10"],
    );
    assert_eq!(a["candidates"].as_array().unwrap().len(), 14);
    let digits = |name: &str| row(&a, name)["digits"].as_f64().unwrap();
    assert!((6.5..8.0).contains(&digits("float")) && (12.5..15.0).contains(&digits("fp32mp2_low")), "{a}");
    assert!(digits("double") > 15.0 && digits("fp64mp2_low") > 30.0 && digits("fp64emu_unpacked_high") > 17.0);
    // Packed high has the bits of double.
    assert_eq!(digits("fp64emu_high"), digits("double"));
    let cards: Vec<&str> =
        a["cards"].as_array().unwrap().iter().map(|c| c["recommendation"]["type"].as_str().unwrap()).collect();
    assert_eq!((cards[0], cards[1].starts_with("fp32mp2")), ("double", true), "H200 and B300");
    assert!(a["reference"]["agreement"].as_f64().unwrap() > 29.0 && a["reference"]["exact"].as_f64().unwrap() > 29.0);
    assert_eq!((a["operations"]["mul"].as_f64(), a["operations"]["sqrt"].as_f64()), (Some(3.0), Some(1.0)));
    let mantissa = a["sweep"]["mantissa"].as_u64().unwrap();
    assert!((32..=36).contains(&mantissa) && a["sweep"]["points"].as_array().unwrap().len() == 62, "{mantissa}");
    let record = &a["record"]["fp32mp2_mid"];
    assert_eq!((record["mul_count"].as_u64(), record["add_count"].as_u64()), (Some(192), Some(128)));
}

#[test]
fn pi_with_its_sum() {
    let a = advised(&example("pi.cuh"), &["--kernel", "Pi", "--items", "2^12", "--digits", "11", "--sum"]);
    assert_eq!(a["candidates"].as_array().unwrap().len(), 21);
    let digits = |name: &str| row(&a, name)["digits"].as_f64().unwrap();
    assert!(digits("float") < 6.0 && digits("double") > 13.0 && digits("fp64mp2_low") > 28.0, "{a}");
    assert!(digits("fp32mp2_low, sum in double") > digits("fp32mp2_low"), "the wider sum keeps more");
    let on_b300 = &a["cards"][1]["recommendation"];
    assert!(on_b300["type"].as_str().unwrap().starts_with("fp32mp2_"), "{on_b300}");
    assert_eq!(a["cards"][0]["recommendation"]["type"], "double");
    assert_eq!(a["operations"]["div"].as_f64(), Some(512.0));
}

#[test]
fn forces_of_bodies() {
    let a = advised(
        &example("forces.cuh"),
        &[
            "--kernel",
            "Forces",
            "--data",
            "p=normal(0,1,384)",
            "--items",
            "128",
            "--digits",
            "6",
            "--type",
            "float",
            "--type",
            "fp64emu_unpacked_low",
        ],
    );
    let failed = a["candidates"].as_array().unwrap().iter().filter(|r| !r["failed"].is_null()).count();
    assert!(failed == 0 && a["sweep"]["failed"].is_null(), "{a}");
    assert!(row(&a, "double")["digits"].as_f64().unwrap() > 11.0 && row(&a, "float")["digits"].as_f64().unwrap() < 7.5);
}

/// Its functions, erfc among them, are those of pairs alone: emulated doubles and reduced formats are out, by name.
#[test]
fn options() {
    let data =
        ["--data", "s=uniform(0.8,1.2,200)", "--data", "v=uniform(0.1,0.4,200)", "--data", "t=uniform(0.5,2,200)"];
    let a = advised(
        &example("black_scholes.cuh"),
        &[
            &["--kernel", "BlackScholes", "--items", "200", "--digits", "9"],
            &data[..],
            &types("fp32mp2_mid fp64emu_high"),
        ]
        .concat(),
    );
    let why = row(&a, "fp64emu_high")["failed"].as_str().unwrap();
    assert!(
        why.starts_with("does not compile: black_scholes.cuh:") && (why.contains("exp") || why.contains("log")),
        "{why}"
    );
    assert!(a["sweep"]["failed"].as_str().unwrap().contains("black_scholes.cuh:"), "{}", a["sweep"]["failed"]);
    assert!(
        row(&a, "fp32mp2_mid")["digits"].as_f64().unwrap() > 9.0
            && row(&a, "double")["digits"].as_f64().unwrap() > 11.0,
        "{a}"
    );
    assert!(a["reference"]["exact"].as_f64().unwrap() > 28.0, "functions are those of MPFR: {}", a["reference"]);
    assert_eq!((a["operations"]["erfc"].as_f64(), a["operations"]["exp"].as_f64()), (Some(2.0), Some(1.0)));
}

#[test]
fn the_page_and_the_picture() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("norms.svg");
    let file = example("norms.cuh");
    let said = uncounted(&[
        "advise",
        text(&file),
        "--kernel",
        "Norms",
        "--data",
        "x=uniform(1,2,300)",
        "--items",
        "100",
        "--digits",
        "10",
        "--card",
        "L40S",
        "--out",
        text(&picture),
        "--type",
        "float",
        "--type",
        "fp32mp2_low",
    ]);
    assert!(said.code == Some(0) && said.err.is_empty(), "{said:?}");
    for part in [
        "On L40S (estimated from operations) take fp32mp2_",
        "~~float~~",
        "1. FP64 on L40S: 2 results",
        "x double, L40S",
        "by MPFR",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    assert!(fs::read_to_string(&picture).unwrap().starts_with("<svg"));
}

#[test]
fn a_literal_in_double_is_found_in_machine_code() {
    if vernier_gpu::sass::disassembler().is_err() || vernier_gpu::device::cuda::compiler_version().is_err() {
        return println!("SKIPPED: no cuobjdump or NVRTC");
    }
    let folder = tempfile::tempdir().unwrap();
    let advice = |body: &str| -> Value {
        let path = kernel(folder.path(), body);
        let said = vernier(&[
            "advise",
            text(&path),
            "--kernel",
            "Own",
            "--data",
            "x=uniform(1,2,256)",
            "--items",
            "4",
            "--digits",
            "4",
            "--json",
            "--card",
            "B300",
            "--type",
            "float",
            "--type",
            "fp32mp2_mid",
        ]);
        assert_eq!(said.code, Some(0), "{said:?}");
        serde_json::from_str(&said.out).unwrap()
    };
    let says = |a: &Value, rule: &str, part: &str| {
        let all = a["warnings"].as_array().unwrap();
        all.iter().any(|w| w["rule"] == rule && w["text"].as_str().unwrap().contains(part))
    };
    let loops = |term: &str| {
        format!("T sum(0), y(x[i]);\nfor (int k = 0; k < 1000; k++) {{\nsum = sum + y;\ny = {term};\n}}\nreturn sum;")
    };
    let clean = advice(&loops("y * T(0.75f)"));
    assert!(!says(&clean, "fp64-in-the-loop", "") && !says(&clean, "conversions", ""), "{}", clean["warnings"]);
    assert_eq!(clean["cards"][0]["basis"], "predicted from machine code");
    let planted = advice(&loops("T(y * 0.7)"));
    assert!(
        says(&planted, "fp64-in-the-loop", "own.cuh:7") && says(&planted, "fp64-in-the-loop", "loop of float"),
        "{}",
        planted["warnings"]
    );
    let converting = advice(&loops("y * T(x[k % 256])"));
    assert!(
        says(&converting, "conversions", "own.cuh:7: conversions from double in the loop of fp32mp2"),
        "{}",
        converting["warnings"]
    );
}

#[test]
fn one_candidate_may_fail_and_the_others_go_on() {
    let body = "double y = double(T(x[i]));\nT::level;\nreturn T(y);";
    let said = own(body, &[&FEW[..], &types("float fp32mp2_low")].concat());
    let a: Value = serde_json::from_str(&said.out).unwrap();
    assert!(row(&a, "float")["failed"].as_str().unwrap().starts_with("does not compile: own.cuh:5: "), "{a}");
    assert!(row(&a, "fp32mp2_low")["failed"].is_null() && row(&a, "fp32mp2_low")["digits"].as_f64().unwrap() > 10.0);
}

#[test]
fn results_that_are_lost() {
    let body = "const T y(x[i]);\nreturn y * y * y * y * y;";
    let said = own(
        body,
        &[
            "--data",
            "x=log-uniform(1e8,1e12,64)",
            "--items",
            "64",
            "--digits",
            "8",
            "--card",
            "B300",
            "--type",
            "fp32mp2_mid",
        ],
    );
    let a: Value = serde_json::from_str(&said.out).unwrap();
    let left = a["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .any(|w| w["rule"] == "range-left" && w["text"].as_str().unwrap().contains("fp32mp2_mid"));
    assert!(left && row(&a, "fp32mp2_mid")["enough"] == false, "{}", a["warnings"]);
}

#[test]
fn nothing_is_enough() {
    let said = own(
        "return T(x[i]) / T(3);",
        &["--data", "x=uniform(1,2,8)", "--items", "8", "--digits", "15", "--bit-exact", "--range", "--type", "double"],
    );
    assert_eq!(said.code, Some(0));
    let said = own(
        "return T(x[i]) / T(3);",
        &["--data", "x=uniform(1,2,8)", "--items", "8", "--digits", "25", "--bit-exact", "--type", "double"],
    );
    assert!(said.code == Some(1) && said.out.contains("no candidate keeps 25 digits"), "{said:?}");
}

#[test]
fn mistakes_are_named() {
    let few = [&FEW[..], &types("double")].concat();
    own("return T(x[1000 * i]);", &few).refused("no reference: in fp64mp2 it reads or writes outside its data");
    own("((double *)x)[i] = 1;\nreturn T(x[i]);", &few).refused("reads or writes outside its data");
    own("while (x[0] > 0) {}\nreturn T(x[i]);", &[&few[..], &["--limit", "0.2"]].concat())
        .refused("took longer than 0.2 s");
    own("return T(z[i]);", &few).refused("does not compile: own.cuh:4: ");
    let folder = tempfile::tempdir().unwrap();
    let path = kernel(folder.path(), "return T(x[i]);");
    let advise = |rest: &[&str]| vernier(&[&["advise", text(&path), "--kernel", "Own"], rest].concat());
    fs::write(folder.path().join("nan.raw"), f64::NAN.to_le_bytes()).unwrap();
    let nan = format!("x={}", folder.path().join("nan.raw").display());
    let common = ["--items", "8", "--digits", "3"];
    for (rest, message) in [
        (&["--data", "x=nowhere.npy"][..], "nowhere.npy: cannot be read"),
        (&["--data", &nan], "found NaN at index 0"),
        (&["--data", "x=uniform(2,1,8)"], "expected NAME=FILE.npy"),
        (&["--sum-in", "float128"], "expected one of float, double"),
        (&["--type", "float128"], "expected one of float, double"),
        (&["--split", "--sum"], "cannot be used with"),
        (&["--card", "Z9"], "expected RTX 6000 Ada"),
        (&["--device", "opencl"], "expected host or cuda"),
        (&["--limit", "-1"], "expected a number of seconds"),
        (&["--out", "/nowhere/x.svg"], "/nowhere/x.svg: cannot be written"),
    ] {
        advise(&[&common[..], rest].concat()).refused(message);
    }
    vernier(&[&["advise", text(&path), "--kernel", "Other"], &common[..]].concat())
        .refused("expected a class template Other");
    vernier(&["advise", "nowhere.cuh", "--kernel", "A", "--items", "1", "--digits", "1"])
        .refused("nowhere.cuh: cannot be read");
    vernier(&[&["advise", text(&path), "--kernel", "a b"], &common[..]].concat())
        .refused("expected the name of a class template");
}

/// Kernels that somebody writes who has read the help alone.
#[test]
fn kernels_of_ones_own() {
    let data = ["--data", "x=uniform(0,1,500)", "--items", "500", "--digits", "10", "--type", "fp32mp2_mid"];
    let enough = |body: &str, rest: &[&str]| {
        let said = own(body, &[&data[..], rest].concat());
        assert_eq!(said.code, Some(0), "{said:?}");
    };
    enough("const T y(x[i]);\nT p(1);\nfor (int k = 20; k > 0; k--) p = T(1) + p * y / T(k);\nreturn p;", &[]);
    enough("return T(1) / T(i + 1);", &["--sum"]);
    enough("const T d = T(x[i]) - T(0.5);\nreturn d * d;", &["--sum-in", "fp64mp2"]);
}

/// Native and emulated doubles that share the items pay where FP64 is rationed.
#[test]
fn two_pipes() {
    let said = own(
        "T y(x[i]);\nfor (int k = 0; k < 20; k++) y = T(1) / (y + T(1));\nreturn y;",
        &[&FEW[..], &["--split", "--card", "H200", "--card", "B300"], &types("fp64emu_high")].concat(),
    );
    let a: Value = serde_json::from_str(&said.out).unwrap();
    let shared = row(&a, "double beside fp64emu_high");
    assert!(shared["digits"] == row(&a, "double")["digits"] && shared["failed"].is_null(), "{shared}");
    assert_eq!(
        a["candidates"].as_array().unwrap().len(),
        5,
        "double, the reference's, packed emulated, and both beside each other"
    );
    let [full, rationed] = [0, 1].map(|card| &a["cards"][card]["speeds"][4]);
    let number = |v: &Value, key: &str| v[key].as_f64().unwrap();
    assert!(number(full, "ratio") < 1.1 && number(full, "share") < 0.1, "{full}");
    assert!(number(rationed, "ratio") > 1.3 && (0.2..0.9).contains(&number(rationed, "share")), "{rationed}");
    let warned = a["warnings"].as_array().unwrap().iter().any(|w| w["rule"] == "two-pipes");
    assert!(warned, "{}", a["warnings"]);
}

/// What was compiled before is not compiled again.
#[test]
#[cfg(unix)]
fn programs_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let path = kernel(folder.path(), "return T(x[i]) * T(3);");
    let script = format!("#!/bin/sh\necho \"$@\" >>{}\nexec c++ \"$@\"\n", at("log").display());
    fs::write(at("compiler"), script).unwrap();
    fs::set_permissions(at("compiler"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let run = || {
        let _ = fs::remove_file(at("log"));
        let mut command = program();
        command.args(["advise", text(&path), "--kernel", "Own"]).args(FEW).args(types("double"));
        command.env("CXX", at("compiler")).env("VERNIER_CACHE", at("cache")).env_remove("CUDA_HOME");
        let said = Said::from(command.output().unwrap()).succeeded();
        (said.out, fs::read_to_string(at("log")).unwrap())
    };
    let (first, compiled) = run();
    let (second, again) = run();
    assert!(compiled.contains("-o ") && again.lines().all(|l| l == "--version"), "{compiled}{again}");
    assert_eq!(first, second);
}

/// An advice as a part of a report.
#[test]
fn a_page_of_advice() {
    let folder = tempfile::tempdir().unwrap();
    let said = own("return T(x[i]) / T(3);", &[&FEW[..], &types("float")].concat());
    let (file, page) = (folder.path().join("own.json"), folder.path().join("report.html"));
    let report = || vernier(&["report", text(folder.path()), "-o", text(&page)]);
    fs::write(&file, &said.out).unwrap();
    report().succeeded();
    let html = fs::read_to_string(&page).unwrap();
    for part in [
        "<h2>Which type: own.cuh Own</h2>",
        "On B300 (estimated from operations) take float",
        "<svg",
        "<td>double</td>",
        "<ol>",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    fs::remove_file(&page).unwrap();
    fs::write(&file, said.out.replacen("\"speeds\": [", "\"speeds\": [null, ", 1)).unwrap();
    report().refused("own.json");
    fs::write(&file, "{\"format\": \"vernier advice 1\"}").unwrap();
    report().refused("own.json");
    assert!(!page.exists());
}
