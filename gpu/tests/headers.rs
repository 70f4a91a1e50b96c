//! The headers: as the fixtures hold them, and accepted by the compilers that are found.

mod tools;

use std::path::{Path, PathBuf};
use tools::{STRICT, nvcc, run};
use vernier_gpu::device::{Api, Device, Source};
use vernier_gpu::emit;
use vernier_gpu::print::{Cuda, Rare};
use vernier_tape::registry::functions;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn header() -> String {
    emit::cuda(&Cuda::default(), Rare::Automatic)
}

/// With `VERNIER_UPDATE` set the fixture is written instead.
fn hold(name: &str, text: &str) {
    let path = fixtures().join(name);
    if std::env::var_os("VERNIER_UPDATE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let fixture = std::fs::read_to_string(&path).unwrap_or_default();
    let different = fixture.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(fixture == text, "{name} differs from the fixture at line {different:?}: VERNIER_UPDATE=1 takes it over");
}

#[test]
fn cuda_header_is_the_fixture() {
    hold("vernier.cuh", &header());
}

#[test]
fn opencl_header_is_the_fixture() {
    hold("vernier.cl", &emit::opencl());
}

/// What a device without doubles sees computes with none, and compiles.
#[test]
fn opencl_header_without_doubles() {
    let header = emit::opencl();
    let mut guarded = false;
    let mut text = String::new();
    for line in header.lines().take_while(|line| !line.starts_with("#if VERNIER_ENABLE_STAT")) {
        match line {
            "#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)" => guarded = true,
            "#endif" if guarded => guarded = false,
            _ if guarded || line.starts_with("//") => {}
            _ => text += &format!("{line}\n"),
        }
    }
    assert!(!text.contains("double"), "{:?}", text.lines().find(|line| line.contains("double")));
    for function in ["fp32mp2_high_add", "fp64emu_high_add", "fp64emu_unpacked_low_cmul", "fp64emu_add_ru"] {
        assert!(text.contains(&format!(" {function}(")), "{function}");
    }
    assert!(header.contains(" fp64mp2_high_add(") && !text.contains(" fp64mp2_high_add("));
    let device = match Device::open(Api::OpenCl, 0) {
        Ok(device) => device,
        Err(e) => return println!("SKIPPED: {e}"),
    };
    text += "__kernel void sum(volatile __global ulong *p) { fp64emu_atomic_add(p, fp64emu_from_i32(get_global_id(0))); }\n";
    let kernel = device.compile(&Source::new("sum.cl", &text)).unwrap().kernel("sum").unwrap();
    let sum = device.upload(&[0.5f64.to_bits()]).unwrap();
    device.launch(&kernel, 16, 64, &[sum.arg()]).unwrap();
    assert_eq!(f64::from_bits(device.download(&sum).unwrap()[0]), 0.5 + (1024.0 * 1023.0) / 2.0);
}

/// The text at the top names every function of emulated doubles, by its last part.
#[test]
fn opencl_header_names_its_functions() {
    let header = emit::opencl();
    let top: String = header.lines().take_while(|line| line.starts_with("//")).collect::<Vec<_>>().join("\n");
    let words: Vec<&str> = top.split(|c: char| !c.is_alphanumeric()).collect();
    for f in functions().iter().filter(|f| f.id.family().starts_with("fp64emu")) {
        assert!(header.contains(&format!(" {}(", f.name())));
        for part in f.id.op_name().as_str().split('_') {
            assert!(words.contains(&part), "{}: {part}", f.name());
        }
    }
}

/// Conversions from and to binary128 on a device, on the host too unless NVRTC compiles it.
const BINARY128: &str = r#"#include "vernier.cuh"
#ifndef __CUDACC_RTC__
void host(__float128 *a) { a[0] = (__float128)(vernier::fp64mp2(a[1]) + vernier::fp64mp2(1.0)); }
#endif
extern "C" __global__ void device(double *a, vernier::fp64mp2_high *b)
{
    __float128 x = (__float128)*b;
    *b = vernier::fp64mp2_high(x + 1);
    a[0] = b->lo();
}
"#;

/// A folder with the header and the test programs.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("vernier.cuh"), header()).unwrap();
    std::fs::write(dir.path().join("alone.cu"), "#include \"vernier.cuh\"\n").unwrap();
    std::fs::write(dir.path().join("host.cpp"), include_str!("headers/host.cpp")).unwrap();
    std::fs::write(dir.path().join("host.cu"), include_str!("headers/host.cpp")).unwrap();
    std::fs::write(dir.path().join("binary128.cu"), BINARY128).unwrap();
    std::fs::write(dir.path().join("device.cu"), include_str!("headers/device.cu")).unwrap();
    dir
}

#[test]
fn host_compiler_accepts_the_header() {
    let dir = folder();
    for switch in ["-DVERNIER_EXPLICIT_CASTS=1", "-DVERNIER_EXPLICIT_CASTS=0"] {
        let options =
            ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O3", "-march=native", "-fsyntax-only", switch];
        let (ok, text) = run(Path::new("g++"), dir.path(), &[&options[..], &["vernier.cuh"]].concat());
        assert!(ok, "{text}");
    }
    let options = ["-std=c++17", "-Wall", "-Werror", "-O3", "-march=native", "host.cpp", "-o", "host"];
    let (ok, text) = run(Path::new("g++"), dir.path(), &options);
    assert!(ok, "{text}");
    let (ok, text) = run(&dir.path().join("host"), dir.path(), &[]);
    assert!(ok, "{text}");
}

#[test]
fn nvcc_accepts_the_header() {
    let Some(nvcc) = nvcc() else { return };
    let dir = folder();
    let compile = |options: &[&str]| run(&nvcc, dir.path(), &[&STRICT[..], options].concat());
    for options in [
        &["-arch=sm_80", "-c", "alone.cu", "-o", "out"][..],
        &["-arch=sm_90", "-c", "host.cu", "-o", "out"],
        &["-arch=sm_80", "-DNO64", "-cubin", "device.cu", "-o", "out"],
        &["-arch=sm_90", "-cubin", "device.cu", "-o", "out"],
        &["-arch=sm_120", "-cubin", "device.cu", "-o", "out"],
        &["-arch=sm_100", "-c", "binary128.cu", "-o", "out"],
    ] {
        let (ok, text) = compile(options);
        assert!(ok, "{options:?}: {text}");
    }
    let (ok, text) = compile(&["-arch=sm_80", "-cubin", "device.cu", "-o", "out"]);
    assert!(!ok && text.contains("needs a 128-bit compare-and-swap"), "{text}");
    let (ok, text) = compile(&["-arch=sm_90", "-c", "binary128.cu", "-o", "out"]);
    assert!(!ok && text.contains("binary128.cu(7)") && text.contains("not supported in device code"), "{text}");
}
