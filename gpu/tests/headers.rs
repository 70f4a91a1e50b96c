//! The headers: as the fixtures hold them, and accepted by the compilers that are found.

mod tools;

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tools::{STRICT, nvcc, run};
use vernier_gpu::device::{Api, Device, Source};
use vernier_gpu::emit::{self, Family, Header};
use vernier_gpu::print::{self, Cuda, Dialect, OpenCl, Rare};
use vernier_tape::registry::{functions, named};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn header() -> String {
    emit::cuda(&Cuda::default(), Rare::Automatic)
}

fn headers() -> [Header; 2] {
    [Header::cuda(&Cuda::default(), Rare::Automatic), Header::opencl()]
}

/// With `VERNIER_RENEW` set the fixture is written instead.
fn hold(name: &str, text: &str) {
    let path = fixtures().join(name);
    if std::env::var_os("VERNIER_RENEW").is_some() {
        return std::fs::write(&path, text).unwrap();
    }
    let fixture = std::fs::read_to_string(&path).unwrap_or_default();
    let different = fixture.lines().zip(text.lines()).find(|(a, b)| a != b);
    assert!(
        fixture == text,
        "{name} is not what is printed: {different:?}; if that is meant, renew it: \
         VERNIER_RENEW=1 cargo test -p vernier-gpu --test headers fixture"
    );
}

/// A line and a hash for each file.
#[test]
fn headers_are_those_of_the_fixture() {
    let mut text = String::from("file\tlines\tsha256\n");
    for file in headers().iter().flat_map(Header::set) {
        let hash: String = Sha256::digest(&file.text).iter().map(|b| format!("{b:02x}")).collect();
        let _ = writeln!(text, "{}\t{}\t{hash}", file.path, file.text.lines().count());
    }
    hold("headers.tsv", &text);
}

/// A few functions, to be read: a straight one, one with a rare path, one that calls, one of a reduced format.
#[test]
fn printed_functions_are_those_of_the_fixture() {
    const SHOWN: [&str; 4] =
        ["fp64mp2_low_mul", "fp32mp2_high_acc", "fp64emu_unpacked_low_dot", "fp64_custom_e8m7_add"];
    let languages: [(&str, &dyn Dialect); 2] = [("cuh", &Cuda::default()), ("cl", &OpenCl)];
    for (extension, dialect) in languages {
        let list = SHOWN.map(|name| named(name).unwrap());
        hold(&format!("printed.{extension}"), &print::program(dialect, list, Rare::Automatic));
    }
}

/// Each definition stands in one section.
#[test]
fn every_function_is_defined_once() {
    for header in headers() {
        let text = header.whole();
        let files = header.set();
        for f in functions().iter().filter(|f| !f.id.family().starts_with("fp64_custom_")) {
            let definition = format!(" {}(", f.name());
            let defined = |text: &str| {
                text.lines()
                    .filter(|l| {
                        l.contains(&definition) && (l.starts_with("VERNIER_INLINE ") || l.starts_with("static inline "))
                    })
                    .count()
            };
            assert_eq!(defined(&text), 1, "{definition}");
            assert_eq!(files.iter().map(|file| defined(&file.text)).sum::<usize>(), 1, "{definition}");
        }
    }
}

/// Each family alone, each file of the set, and texts of several families together.
#[test]
fn families_stand_alone() {
    let [cuda, _] = headers();
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("vernier")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let mut names: Vec<String> = cuda.set().iter().map(|file| file.path.clone()).collect();
    cuda.set().iter().for_each(|file| write(&file.path, &file.text));
    for family in Family::ALL {
        let (name, text) = (format!("{}.cuh", family.name()), cuda.only(&[family]));
        assert!(!text.contains("#include \""), "{name}");
        write(&name, &text);
        names.push(name);
    }
    write("both.cpp", "#include \"pairs.cuh\"\n#include \"emulated.cuh\"\n#include \"vernier.cuh\"\n");
    names.push("both.cpp".into());
    for name in &names {
        let options =
            ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-DVERNIER_ENABLE_STAT=1"];
        let (ok, text) = run(Path::new("g++"), dir.path(), &[&options[..], &[name.as_str()]].concat());
        assert!(ok, "{name}: {text}");
    }
    if let Some(nvcc) = nvcc() {
        for name in ["pairs.cuh", "emulated.cuh", "custom.cuh", "stat.cuh", "vernier.cuh"] {
            write("one.cu", &format!("#define VERNIER_ENABLE_STAT 1\n#include \"{name}\"\n"));
            let options = ["-arch=sm_90", "-cubin", "one.cu", "-o", "out"];
            let (ok, text) = run(&nvcc, dir.path(), &[&STRICT[..], &options[..]].concat());
            assert!(ok, "{name}: {text}");
        }
    }
}

/// Each family alone compiles on a device.
#[test]
fn opencl_families_stand_alone() {
    let device = match Device::open(Api::OpenCl, 0) {
        Ok(device) => device,
        Err(e) => return println!("SKIPPED: {e}"),
    };
    let [_, opencl] = headers();
    for family in Family::ALL {
        let text = opencl.only(&[family]) + "__kernel void nothing(__global int *p) { p[0] = vernier_self_test(); }\n";
        let kernel = device.compile(&Source::new("family.cl", &text)).unwrap().kernel("nothing").unwrap();
        let out = device.zeros::<u32>(1).unwrap();
        device.launch(&kernel, 1, 1, &[out.arg()]).unwrap();
        assert_eq!(device.download(&out).unwrap(), [1], "{}", family.name());
    }
}

/// What a device without doubles sees computes with none, and compiles.
#[test]
fn opencl_header_without_doubles() {
    let header = Header::opencl().only(&[Family::Pairs, Family::Emulated, Family::Custom]);
    let mut guarded = false;
    let mut text = String::new();
    for line in header.lines() {
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
