//! Options of compilers that change results: refused, undone, or noticed by the self test. Never silent.

mod tools;

use std::path::Path;
use std::process::Command;
use tools::{STRICT, nvcc, run};
use vernier_gpu::device::{Api, Device, Error, Source, cuda};
use vernier_gpu::emit::{self, Family, Header};
use vernier_gpu::print::{Cuda, Rare};
use vernier_gpu::sass::listing;

const REFUSED: &str = "vernier needs IEEE arithmetic";

/// Those that change results somewhere, and some that must not.
const OPTIONS: [&str; 14] = [
    "-ffast-math",
    "-Ofast",
    "-Ofast -fno-finite-math-only",
    "-ffast-math -fno-finite-math-only",
    "-funsafe-math-optimizations",
    "-funsafe-math-optimizations -fno-associative-math",
    "-fassociative-math -fno-signed-zeros -fno-trapping-math",
    "-ffinite-math-only",
    "-fno-signed-zeros",
    "-freciprocal-math",
    "-frounding-math",
    "-ffp-contract=fast",
    "-ffp-contract=fast -march=native",
    "-O3 -march=native",
];

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let header = Header::cuda(&Cuda::default(), Rare::Automatic).only(&[Family::Pairs, Family::Custom]);
    write("vernier.cuh", &header);
    write("sound.cpp", include_str!("headers/sound.cpp"));
    write("sound.cu", include_str!("headers/sound.cpp"));
    dir
}

/// What became of a build.
#[derive(Debug, PartialEq)]
enum Build {
    Refused,
    /// The answer of the self test, and a hash of results.
    Ran(bool, String),
}

/// Compiled with these options, and linked without and with them: some compilers link code that sets subnormal numbers to zero.
fn build(compiler: &str, dir: &Path, options: &str) -> [Build; 2] {
    let words = |options: &str| options.split(' ').filter(|o| !o.is_empty()).map(String::from).collect::<Vec<_>>();
    let run =
        |options: Vec<String>| run(Path::new(compiler), dir, &options.iter().map(String::as_str).collect::<Vec<_>>());
    let (ok, text) = run([words("-std=c++17 -O2"), words(options), words("-c sound.cpp -o sound.o")].concat());
    if !ok {
        assert!(text.contains(REFUSED), "{compiler} {options}: {text}");
        return [Build::Refused, Build::Refused];
    }
    ["", options].map(|linked| {
        let (ok, text) = run([words(linked), words("sound.o -o sound")].concat());
        assert!(ok, "{compiler} {linked}: {text}");
        let output = Command::new(dir.join("sound")).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let (sound, hash) = text.trim().split_once(' ').unwrap();
        Build::Ran(sound == "1", hash.to_string())
    })
}

fn held(compiler: &str, refused: &[&str], noticed: &[&str]) {
    let dir = folder();
    let [Build::Ran(true, right), _] = build(compiler, dir.path(), "") else { panic!("{compiler} without options") };
    for options in OPTIONS {
        let built = build(compiler, dir.path(), options);
        println!("{compiler} {options}: {built:?}");
        match &built[0] {
            Build::Refused => assert!(refused.contains(&options), "{compiler} {options}"),
            Build::Ran(true, _) => {
                assert!(!refused.contains(&options) && !noticed.contains(&options), "{compiler} {options}")
            }
            Build::Ran(false, _) => assert!(noticed.contains(&options), "{compiler} {options}"),
        }
        for built in built {
            if let Build::Ran(true, hash) = built {
                assert_eq!(hash, right, "{compiler} {options}: the self test sees nothing");
            }
        }
    }
}

#[test]
fn gcc_is_refused_what_changes_results() {
    held("g++", &OPTIONS[..9], &[]);
}

#[test]
fn clang_is_made_precise() {
    if Command::new("clang++").arg("--version").output().is_err() {
        return println!("SKIPPED: no clang++ (apt-get install clang)");
    }
    held("clang++", &["-ffast-math", "-Ofast", "-ffinite-math-only"], &["-ffp-contract=fast -march=native"]);
}

#[test]
fn an_old_standard_is_refused() {
    let dir = folder();
    for standard in ["-std=c++14", "-std=c++11"] {
        let (ok, text) = run(Path::new("g++"), dir.path(), &[standard, "-fsyntax-only", "-x", "c++", "vernier.cuh"]);
        assert!(!ok && text.contains("vernier needs C++17") && !text.contains("exponent"), "{text}");
        assert_eq!(text.matches(": error:").count(), 1, "{text}");
    }
}

/// NVRTC shows what it flushes.
#[test]
fn nvrtc_is_refused_flushing() {
    if let Err(why) = cuda::compiler_version() {
        return println!("SKIPPED: {why}");
    }
    let text = emit::cuda(&Cuda::default(), Rare::Automatic)
        + "extern \"C\" __global__ void k(int *p) { p[0] = vernier::self_test(); }\n";
    match cuda::compile(&Source::new("k.cu", &text).contracted(), "sm_90") {
        Err(Error::Compile { log, .. }) => assert!(log.contains(REFUSED), "{log}"),
        other => panic!("{other:?}"),
    }
    assert!(!cuda::compile(&Source::new("k.cu", &text), "sm_90").unwrap().is_empty());
    // And what it computes otherwise, the self test sees: its subnormal numbers are not flushed away by the compiler.
    if let Ok(code) = listing(&text, "sm_90") {
        assert!(code["k"].code.len() > 40);
    }
}

/// The host's side of nvcc is GCC's.
#[test]
fn nvcc_is_refused_fast_host_code() {
    let Some(nvcc) = nvcc() else { return };
    let dir = folder();
    let compile = |option: &str| {
        run(
            &nvcc,
            dir.path(),
            &[&STRICT[..], &["-arch=sm_90", "-Xcompiler", option, "-c", "sound.cu", "-o", "out"]].concat(),
        )
    };
    assert!(compile("-O2").0);
    for option in ["-ffast-math", "-fassociative-math,-fno-signed-zeros,-fno-trapping-math"] {
        let (ok, text) = compile(option);
        assert!(!ok && text.contains(REFUSED), "{option}: {text}");
    }
}

/// Whether the build is sound, and a hash of what it computes.
const KERNEL: &str = "__kernel void k(__global uint *p)
{
    ulong state = 1;
    uint hash = 0;
    for (int i = 0; i < 20000; i++) {
        float f[4];
        for (int k = 0; k < 4; k++) {
            state = state * 6364136223846793005ul + 1442695040888963407ul;
            // Near 1, and far below it; the smallest are subnormal.
            const uint w = (uint)(state >> 32), e = k % 2 ? 100 : 119;
            f[k] = as_float(i % 5 ? (w & ~(0xffu << 23)) | (e + w % 16) << 23 : w & 0x803fffffu);
        }
        const float2 x = (float2)(f[0], f[1]), y = (float2)(f[2], f[3]);
        const float2 r[5] = {fp32mp2_mid_add(x, y), fp32mp2_mid_mul(x, y), fp32mp2_high_add(x, y), fp32mp2_high_mul(x, y), fp32mp2_low_sub(x, y)};
        for (int k = 0; k < 5; k++) hash = (hash ^ as_uint(r[k].x)) * 16777619u ^ as_uint(r[k].y);
    }
    p[0] = vernier_self_test();
    p[1] = hash;
}
";

#[test]
fn opencl_is_refused_relaxed_mathematics() {
    let device = match Device::open(Api::OpenCl, 0) {
        Ok(device) => device,
        Err(e) => return println!("SKIPPED: {e}"),
    };
    let error = device.compile(&Source::new("k.cl", emit::opencl() + KERNEL).contracted()).unwrap_err().to_string();
    assert!(error.contains(REFUSED), "{error}");
}

/// The rest is noticed by the self test: a child of this test has PoCL build with one more option.
#[test]
fn opencl_tells_what_no_macro_shows() {
    const OPTION: &str = "POCL_EXTRA_BUILD_FLAGS";
    let device = match Device::open(Api::OpenCl, 0) {
        Ok(device) => device,
        Err(e) => return println!("SKIPPED: {e}"),
    };
    let kernel = device.compile(&Source::new("k.cl", emit::opencl() + KERNEL)).unwrap().kernel("k").unwrap();
    let out = device.zeros::<u32>(2).unwrap();
    device.launch(&kernel, 1, 1, &[out.arg()]).unwrap();
    let found = device.download(&out).unwrap();
    let (sound, hash) = (found[0] == 1, format!("hash {:08x}", found[1]));
    if std::env::var_os(OPTION).is_some() {
        return println!("sound: {sound}, {hash}");
    }
    assert!(sound);
    let mut noticed = 0;
    for option in [
        "-cl-unsafe-math-optimizations",
        "-cl-mad-enable -cl-denorms-are-zero -cl-no-signed-zeros",
        "-cl-denorms-are-zero",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
    ] {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "opencl_tells_what_no_macro_shows", "--nocapture"])
            .env(OPTION, option)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout).into_owned();
        assert!(child.status.success() && said.contains("sound: "), "{said}");
        println!("{option}: {}", said.lines().find(|line| line.starts_with("sound")).unwrap());
        noticed += u32::from(said.contains("sound: false"));
        assert!(said.contains("sound: false") || said.contains(&hash), "{option}: {said}");
    }
    assert!(noticed > 0);
}
