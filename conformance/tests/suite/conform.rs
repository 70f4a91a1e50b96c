//! `vernier devices`, `emit` and `conform`. Without an OpenCL device the tests that need one say so and pass.

use crate::common::{Said, fixture, program, text, vernier, with_input};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use vernier_conformance::contract::{Claim, Outcome, Planted, Report, Request, kept, run, run_with};
use vernier_conformance::subject::Header;
use vernier_conformance::table::Shard;
use vernier_gpu::device::{Api, cuda, survey};
use vernier_tape::registry::functions;

pub fn has(api: Api) -> bool {
    let found = survey();
    let has = found.devices.iter().any(|d| d.api == api && d.unusable.is_none());
    if !has {
        println!("SKIPPED: no {api} device: {:?}", found.absent);
    }
    has
}

pub fn request(filter: &str) -> Request {
    Request {
        device: None,
        host_only: true,
        cases: Some(1 << 12),
        full: false,
        filter: filter.into(),
        shard: Shard::WHOLE,
        seed: 1,
        mutants: Planted::None,
        every_hi: false,
        survivors: false,
        progress: None,
    }
}

fn report(json: &str) -> Report {
    serde_json::from_str(json).unwrap()
}

#[test]
fn devices_are_listed_and_absent_ones_named() {
    let said = vernier(&["devices"]).succeeded();
    assert!(said.out.contains("CUDA") && said.out.contains("OpenCL"), "{}", said.out);
    let usable = survey().devices.iter().filter(|d| d.unusable.is_none()).count();
    assert_eq!(said.out.lines().filter(|l| l.contains("FP64:FP32 1:")).count(), usable, "{}", said.out);
    let said = vernier(&["devices", "--no-rate"]);
    assert!(said.code == Some(0) && !said.out.contains("FP64"), "{}", said.out);
    let said = vernier(&["devices", "--json"]);
    assert_eq!(said.code, Some(0));
    let found: vernier_gpu::device::Survey = serde_json::from_str(&said.out).unwrap();
    assert!(found.devices.len() + found.absent.len() >= 2, "{found:?}");
}

/// A header, as `emit` writes it.
pub fn emitted(folder: &Path) -> PathBuf {
    let path = folder.join("emitted.cuh");
    let said = vernier(&["emit", "cuda", "-o", text(&path)]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", ""));
    path
}

#[test]
fn headers_are_written_whole() {
    #[derive(serde::Deserialize)]
    struct Row {
        file: String,
        families: Vec<String>,
        lines: usize,
        sha256: String,
    }
    let rows = |said: &str| serde_json::from_str::<Vec<Row>>(said).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = emitted(folder.path());
    assert_eq!(vernier(&["emit", "cuda"]).out, fs::read_to_string(&path).unwrap());
    for (language, extension) in [("cuda", "cuh"), ("opencl", "cl")] {
        // A folder that is not there yet.
        let set = folder.path().join(language);
        let said = vernier(&["emit", language, "-o", text(&set), "--json"]).succeeded();
        let written = rows(&said.out);
        assert_eq!(written.len(), 6);
        for row in &written {
            let text = fs::read_to_string(&row.file).unwrap();
            let held = fs::read_to_string(fixture("headers.tsv")).unwrap();
            let name = Path::new(&row.file).strip_prefix(&set).unwrap().display().to_string();
            assert!(held.contains(&format!("{name}\t{}\t{}\n", row.lines, row.sha256)), "{name}");
            assert!(text.lines().count() == row.lines && !row.families.is_empty(), "{name}");
        }
        // Nothing is written without a place.
        let listed = rows(&vernier(&["emit", language, "--json"]).out);
        assert_eq!(listed[1].file, format!("vernier/pairs.{extension}"));
        assert!(listed.iter().zip(&written).all(|(a, b)| a.sha256 == b.sha256));

        let said = vernier(&["emit", language, "--only", "pairs"]);
        assert!(said.out.contains(" fp32mp2_high_add(") && !said.out.contains(" fp64emu_high_add("));
        assert!(!said.out.contains("#include \""));
        let said = vernier(&["emit", language, "--only", "custom", "--only", "emulated", "-o", text(&set), "--json"]);
        assert_eq!(rows(&said.out)[0].families, ["custom", "emulated"]);
        assert!(set.join(format!("custom-emulated.{extension}")).is_file());
    }
    vernier(&["emit", "cuda", "-o", "/nonexistent/vernier.cuh"]).refused("/nonexistent/vernier.cuh: cannot be written");
    assert_eq!(vernier(&["emit", "fortran"]).code, Some(2));
    vernier(&["emit", "cuda", "--only", "doubles"]).refused("expected one of pairs, emulated, custom, stat");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn cases_are_evaluated_on_a_device() {
    if has(Api::OpenCl) {
        vernier(&["eval", "--check", "--device", "opencl", text(&fixture("cases/special_values.txt"))]).succeeded();
        let lines = b"fp64mp2.mid to_i32 4000000000000000:bcb0000000000000\nfp32mp2 to_fp64mp2 3f800000:33000000\n";
        let said = with_input(&["eval", "--device", "opencl"], lines);
        assert_eq!(said.out, with_input(&["eval"], lines).out, "{}", said.err);
        with_input(&["eval", "--device", "opencl"], b"fp32mp2 sum 3f800000:00000000\n")
            .refused("<stdin>:1: opencl has no operation sum of fp32mp2.mid");
    }
    if !has(Api::Cuda) {
        let said = with_input(&["eval", "--device", "cuda"], b"fp32mp2 neg 3f800000:00000000\n");
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
        assert!(said.err.contains("CUDA device 0 cannot be used"), "{}", said.err);
    }
}

#[test]
fn a_device_that_was_asked_for_must_be_there() {
    if has(Api::Cuda) {
        return;
    }
    let said = vernier(&["conform", "--device", "cuda", "--filter", "mid_add"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
    assert!(said.err.contains("CUDA device 0 cannot be used"), "{}", said.err);
    let said = vernier(&["conform", "--filter", "fp32mp2_neg", "--cases", "2^10"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains("not run on CUDA: "), "{}", said.out);
}

#[test]
fn bad_requests() {
    for (args, message) in [
        (&["conform", "--filter", "zeta"][..], "no function has `zeta` in its name"),
        (&["conform", "--filter", "=fp32mp2_er"], "no function is called `fp32mp2_er`"),
        (&["conform", "--cases", "many"], "expected a whole number"),
        (&["conform", "--shard", "3/2"], "expected i/n"),
        (&["conform", "--cuda-header", "/nonexistent/a.h"], "--type"),
        (&["conform", "--cuda-header", "/nonexistent/a.h", "--type", "dd"], "/nonexistent/a.h: cannot be read"),
    ] {
        let said = vernier(args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains(message), "{args:?}: {}", said.err);
    }
}

/// A name that is the beginning of others.
#[test]
fn one_function_is_asked_for_by_its_whole_name() {
    let names = |filter: &str| {
        let report = run(&Request { host_only: true, device: None, cases: Some(1 << 8), ..request(filter) }).unwrap();
        report.outcomes.into_iter().map(|o| o.function).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(names("=fp32mp2_erf").into_iter().collect::<Vec<_>>(), ["fp32mp2_erf"]);
    assert!(names("fp32mp2_erf").len() >= 5);
}

#[test]
fn every_tape_is_its_host_function() {
    let report = run(&request("")).unwrap();
    assert!(report.holds(), "{}", report.to_json());
    let tapes = report.outcomes.iter().filter(|o| o.contract == "host = tape").count();
    assert_eq!(tapes, functions().len() + vernier_tape::registry::stat::functions().len());
}

#[test]
fn outcomes_are_heard_in_order_as_they_are_found() {
    let heard = std::sync::Mutex::new(Vec::new());
    let tell = |o: &Outcome| heard.lock().unwrap().push(o.function.clone());
    let report = run_with(&Request { cases: Some(16), ..request("") }, &tell).unwrap();
    let names: Vec<String> = report.outcomes.iter().map(|o| o.function.clone()).collect();
    assert_eq!(heard.into_inner().unwrap(), names);

    let mut child = program()
        .args(["conform", "--device", "host", "--cases", "2^19"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(running && line.starts_with("host = tape") && line.contains(" cases"), "{line}");
}

#[test]
fn shards_are_the_whole() {
    let names = |shard: Shard| {
        let report = run(&Request { shard, cases: Some(1), ..request("") }).unwrap();
        report.outcomes.into_iter().filter(|o| o.contract == "host = tape").map(|o| o.function).collect::<Vec<_>>()
    };
    let parts: Vec<String> = (1..=3).flat_map(|index| names(Shard { index, count: 3 })).collect();
    let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(set(&parts), set(&names(Shard::WHOLE)));
    assert_eq!(parts.len(), functions().len() + vernier_tape::registry::stat::functions().len());
}

#[test]
fn opencl_has_the_hosts_bits_and_a_bad_build_has_not() {
    if !has(Api::OpenCl) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("found.json");
    let said = vernier(&[
        "conform",
        "--device",
        "opencl",
        "--filter",
        "fp32mp2_mid",
        "--cases",
        "2^16",
        "--json",
        "--out",
        text(&path),
    ]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert_eq!(said.out, fs::read_to_string(&path).unwrap());
    let report = report(&said.out);
    let of = |claim: Claim| report.outcomes.iter().filter(move |o| o.claim == claim);
    assert_eq!(of(Claim::Identical).count(), functions().iter().filter(|f| f.name().contains("fp32mp2_mid")).count());
    let kept = |name: &str| functions().iter().find(|f| f.name() == name).map_or(0, |f| kept::of(f).len() as u64);
    let all = |o: &Outcome| o.cases == (1 << 16) + kept(&o.function);
    assert!(of(Claim::Identical).all(|o| all(o) && o.mismatches == 0 && o.builds.len() == 1));
    assert!(of(Claim::Within).count() >= 8 && of(Claim::Within).all(|o| o.cases == 1 << 14 && !o.note.is_empty()));
    assert!(of(Claim::Different).count() >= 6 && of(Claim::Different).all(|o| o.mismatches > 0));
    // What a bad build gets wrong is a case line with the right result.
    for first in of(Claim::Different).map(|o| o.first.as_ref().unwrap()) {
        let said = with_input(&["eval", "--check"], format!("{first}\n").as_bytes());
        assert_eq!(said.code, Some(0), "{first}: {}{}", said.out, said.err);
    }
}

#[test]
fn hashes_of_the_host_are_kept_and_checked() {
    if !has(Api::OpenCl) {
        return;
    }
    let cache = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let args = ["conform", "--device", "opencl", "--filter", "fp32mp2_mid_add", "--cases", "2^20"];
        Said::from(program().env("VERNIER_CACHE", cache.path()).args(args).args(more).output().unwrap())
    };
    let earlier = |said: &Said, blocks: u64| {
        assert!(said.out.contains(&format!("{blocks} of 16 blocks from earlier runs")), "{blocks}: {}", said.out);
    };
    earlier(&run(&[]).succeeded(), 0);
    earlier(&run(&[]).succeeded(), 15);
    earlier(&run(&["--seed", "2"]).succeeded(), 0);
    // Another hash of a block, in every entry, as a broken host would have kept it.
    let alter = |block: usize| {
        let entries = fs::read_dir(cache.path()).unwrap().map(|e| e.unwrap().path());
        for path in entries.filter(|p| p.extension().is_some_and(|e| e == "hashes")) {
            let mut contents = fs::read(&path).unwrap().split_off(32);
            assert_eq!(contents.len(), 8 * 17);
            contents[8 + 8 * block] ^= 1;
            fs::write(&path, [&Sha256::digest(&contents)[..], &contents].concat()).unwrap();
        }
    };
    // The third run computes block 2 anew; that another is wrong the device shows.
    for block in [2, 9] {
        alter(block);
        let said = run(&[]);
        let wrong = format!("block {block}: the host's hash is not the one kept from an earlier run");
        assert!(said.code == Some(1) && said.out.contains(&wrong), "{said:?}");
        earlier(&run(&[]).succeeded(), 15);
    }
    // A damaged entry is none.
    for path in fs::read_dir(cache.path()).unwrap().map(|e| e.unwrap().path()) {
        fs::write(path, "damaged").unwrap();
    }
    earlier(&run(&[]).succeeded(), 0);
}

#[test]
fn headers_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let broken = write("broken.h", "struct dd { double hi, lo; };\n\nvoid f() { undeclared(); }\n");
    let poor =
        write("poor.h", "struct dd { double hi, lo; };\n__device__ inline dd operator+(dd x, dd) { return x; }\n");
    if let Err(why) = cuda::compiler_version() {
        println!("SKIPPED: {why}");
        let said = vernier(&["conform", "--cuda-header", text(&broken), "--type", "dd"]);
        assert_eq!(said.code, Some(2));
        return;
    }
    for (path, expected) in [(&broken, ["broken.h:3: ", "undeclared"]), (&poor, ["foreign.cu:", "operator \"-\""])] {
        let said = vernier(&["conform", "--cuda-header", text(path), "--type", "dd"]);
        assert_eq!(said.code, Some(2));
        assert!(expected.iter().all(|e| said.err.contains(e)), "{}", said.err);
    }
    let whole = emitted(folder.path());
    for name in ["vernier::fp32mp2", "vernier::fp64mp2_high", "vernier::fp32mp2_low"] {
        let header = Header { file: whole.clone(), include: Vec::new(), name: name.into() };
        header.check("sm_90").unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

/// The search adds lines to a file of case lines; any other file is refused, and is as it was.
#[test]
fn found_cases_are_added_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.txt");
    let args = ["conform", "--filter", "fp64mp2_from_i128", "--rounds", "12", "--find", text(&path)];
    fs::write(&path, "# mine\nnotes\n").unwrap();
    vernier(&args).refused("mine.txt:2:1: expected a type");
    assert_eq!(fs::read_to_string(&path).unwrap(), "# mine\nnotes\n");
    let mine = "# mine\nf32 neg 3f800000 = bf800000\n";
    fs::write(&path, mine).unwrap();
    vernier(&args).succeeded();
    assert!(fs::read_to_string(&path).unwrap().starts_with(mine));
    vernier(&["eval", "--check", text(&path)]).succeeded();
}
