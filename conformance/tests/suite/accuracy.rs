//! `vernier accuracy` on devices and for the types of others. Without an OpenCL device the tests that need one say so and pass.

use crate::common::{text, vernier};
use crate::conform::{emitted, has};
use std::fs;
use vernier_conformance::report::Results;
use vernier_gpu::device::{Api, cuda};

const ROWS: &[&str] =
    &["accuracy", "--type", "fp32mp2", "--op", "add", "--op", "sqrt", "--op", "lt", "--op", "to_i32", "--op", "sum"];

fn results(more: &[&str]) -> Results {
    let args = ["--samples", "20000", "--searches", "2", "--evaluations", "3000", "--json"];
    let said = vernier(&[ROWS, &args, more].concat()).succeeded();
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn rows_of_a_device_are_those_of_the_host() {
    if !has(Api::OpenCl) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (host, device) = (results(&[]), results(&["--device", "opencl"]));
    let place = device.plan.place.clone().unwrap();
    assert!(place.starts_with("on ") && place.ends_with("(OpenCL 0)"), "{place}");
    // What is no recorded function is not measured there.
    let same: Vec<_> = host.rows.iter().filter(|r| !r.row.contains("sum")).cloned().collect();
    assert_eq!(device.rows, same);
    assert_eq!(host.rows.len(), same.len() + 3);
    for line in &device.table {
        let on_host = host.table.iter().find(|l| l.key() == line.key()).unwrap();
        assert_eq!(
            (&line.searched, &line.sampled, line.verdict),
            (&on_host.searched, &on_host.sampled, on_host.verdict)
        );
        assert_eq!(line.of_type(), format!("fp32mp2 {place}"));
    }
    // Printed with the device in the row, cut into shards and joined again.
    let args = ["--device", "opencl:0", "--samples", "20000", "--searches", "2", "--evaluations", "3000"];
    let said = vernier(&[ROWS, &args].concat());
    let rows = said.out.lines().filter(|l| l.trim_start().starts_with(&format!("fp32mp2 {place} "))).count();
    assert_eq!(rows, device.rows.len(), "{}", said.out);
    let part = |i: u32| {
        let (path, shard) = (folder.path().join(format!("{i}.json")), format!("{i}/2"));
        vernier(&[ROWS, &args, &["--shard", &shard, "--out", text(&path)]].concat()).succeeded();
        path
    };
    let said = vernier(&["merge", text(&part(2)), text(&part(1)), "--json"]).succeeded();
    // Times differ.
    let joined = Results { costs: device.costs.clone(), ..serde_json::from_str(&said.out).unwrap() };
    assert_eq!(joined, device);
    let path = folder.path().join("host.json");
    let args = ["--samples", "20000", "--searches", "2", "--evaluations", "3000", "--shard", "1/2", "--out"];
    assert_eq!(vernier(&[ROWS, &args, &[text(&path)]].concat()).code, Some(0));
    vernier(&["merge", text(&path), text(&folder.path().join("2.json"))]).refused("expected the same device as in");
}

#[test]
fn places_that_are_none_are_named() {
    let refused = |args: &[&str], part: &str| {
        let said = vernier(args);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(said.err.contains(part), "{args:?}: {}", said.err);
    };
    for bad in ["vulkan", "cuda:x", "cuda:-1", "host:0", "opencl:", ""] {
        refused(&["accuracy", "--device", bad], "expected host, opencl, cuda, opencl:N or cuda:N");
    }
    refused(&["accuracy", "--device", "opencl", "--subject", "twofloat"], "only subject vernier runs on a device");
    refused(&["accuracy", "--device", "opencl:99"], "OpenCL device 99");
    if !has(Api::Cuda) {
        refused(&["accuracy", "--device", "cuda"], "CUDA device 0 cannot be used");
        refused(&["bench", "--device", "cuda:1"], "CUDA device 1 cannot be used");
    }
}

#[test]
fn types_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.h");
    fs::write(&broken, "struct dd { double hi, lo; };\n\nvoid f() { undeclared(); }\n").unwrap();
    let poor = folder.path().join("poor.h");
    fs::write(&poor, "struct dd { double hi, lo; };\n__device__ inline dd operator+(dd x, dd) { return x; }\n")
        .unwrap();
    let refused = |args: &[&str], parts: &[&str]| {
        let said = vernier(&[&["accuracy", "--cuda-header"], args].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(parts.iter().all(|part| said.err.contains(part)), "{args:?}: {}", said.err);
    };
    refused(&[text(&broken)], &["--type"]);
    refused(&["/nonexistent/a.h", "--type", "dd"], &["/nonexistent/a.h: cannot be read"]);
    refused(&[text(&broken), "--type", "dd", "--type", "ee"], &["expected one --type"]);
    refused(&[text(&broken), "--type", "dd", "--device", "opencl"], &["expected a CUDA device, found opencl:0"]);
    refused(
        &[text(&broken), "--type", "dd", "--out", "/nonexistent/r.json"],
        &["/nonexistent/r.json: cannot be written"],
    );
    let whole = emitted(folder.path());
    match cuda::compiler_version() {
        Err(why) => {
            println!("SKIPPED: {why}");
            refused(&[text(&broken), "--type", "dd"], &["CUDA"]);
        }
        Ok(_) => {
            refused(&[text(&broken), "--type", "dd"], &["broken.h:3: ", "undeclared"]);
            refused(&[text(&poor), "--type", "dd"], &["foreign.cu:", "operator \"-\""]);
            refused(&[text(&whole), "--type", "vernier::fp16mp2"], &["foreign.cu:", "fp16mp2"]);
        }
    }
    refused(&[text(&broken), "--type", "dd", "--level", "low", "--level", "mid"], &["expected one --level"]);
    let args = ["--type", "vernier::fp32mp2_high", "--level", "high", "--samples", "20000", "--evaluations", "2000"];
    if !has(Api::Cuda) {
        refused(&[&[text(&whole)], &args[..]].concat(), &["CUDA device 0 cannot be used"]);
        return;
    }
    let said = vernier(&[&["accuracy", "--cuda-header", text(&whole)], &args[..]].concat()).succeeded();
    for part in
        ["fp32mp2 by vernier::fp32mp2_high on ", "# by vernier::fp32mp2_high", "high 100.0%", "every claim holds"]
    {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
}

#[test]
fn presets_are_types_of_rows() {
    for (name, format) in [("bf16", "fp64_custom<8,7;ieee>"), ("fp64_custom<4,3;fn,ieee>", "fp64_custom<4,3;ieee,fn>")]
    {
        let said = vernier(&["accuracy", "--type", name, "--op", "mul", "--samples", "1000", "--evaluations", "1"])
            .succeeded();
        let rows: Vec<&str> = said.out.lines().filter(|l| l.contains(" mul ") && l.contains("holds")).collect();
        assert!(matches!(rows[..], [row] if row.trim_start().starts_with(format)), "{}", said.out);
    }
    vernier(&["accuracy", "--type", "bf17"]).refused("fp8_e4m3, fp8_e5m2");
}
