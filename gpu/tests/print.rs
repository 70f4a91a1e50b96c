//! Printed code: what it may contain, and its bits under the host's C++ compiler.

#[path = "../../tape/tests/cases/mod.rs"]
mod cases;

use cases::cases;
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use vernier_gpu::emit;
use vernier_gpu::print::{self, Cuda, Dialect, OpenCl, Rare};
use vernier_tape::io::Kind;
use vernier_tape::mutants::one_nan;
use vernier_tape::registry::functions;
use vernier_tape::tape::{Op, Ty};

/// Floating-point arithmetic goes through primitives that no compiler contracts.
#[test]
fn no_plain_float_operators_in_cuda() {
    for f in functions() {
        let words = f.tape.nodes.iter().any(|n| matches!(n.ty, Ty::U32 | Ty::U64) && !matches!(n.op, Op::Arg(_)));
        if words {
            continue;
        }
        for rare in [Rare::Inline, Rare::Outline] {
            let text = print::function(&Cuda::default(), f, rare, None);
            for operator in [" + ", " * ", " / ", " - "] {
                assert!(!text.contains(operator), "{operator:?} in {text}");
            }
        }
    }
}

#[test]
fn opencl_contracts_nothing() {
    assert!(OpenCl.prelude().contains("FP_CONTRACT OFF"));
    assert!(emit::opencl().contains("float2 fp32mp2_high_add(float2 x0, float2 x1)"));
}

fn argument(kind: Kind, i: &mut usize) -> String {
    let mut slot = |ty: Ty| {
        let bits = format!("in[{i}]");
        *i += 1;
        match ty {
            Ty::F32 => format!("vernier_f32((vernier_u32){bits})"),
            Ty::F64 => format!("vernier_f64({bits})"),
            Ty::U32 => format!("(vernier_u32){bits}"),
            Ty::U64 => bits,
            Ty::Mask => format!("(({bits} & 1) != 0)"),
        }
    };
    let slots: Vec<String> = kind.slots().iter().map(|&ty| slot(ty)).collect();
    if slots.len() == 1 { slots[0].clone() } else { Cuda::default().compose(&slots, kind) }
}

/// A program that reads the arguments of `n` cases of every function and writes the results.
fn driver(n: usize) -> String {
    let mut text = emit::cuda(&Cuda::default(), Rare::Automatic);
    text += "#include <cstdio>\nstatic vernier_u64 in[16], out[16];\nusing namespace vernier::detail;\n";
    // Formats in types are a template in the header; these are their functions on devices.
    for f in functions().iter().filter(|f| f.family.starts_with("fp64_custom_")) {
        text += &print::tables(&Cuda::default(), [&f.tape]);
        text += &print::function(&Cuda::default(), f, Rare::Automatic, None);
    }
    text += "static bool get(int n) { return std::fread(in, 8, n, stdin) == (size_t)n; }\n";
    text += "static void put(int n) { std::fwrite(out, 8, n, stdout); }\nint main()\n{\n";
    for f in functions() {
        let mut i = 0;
        let args: Vec<String> = f.params.iter().map(|&k| argument(k, &mut i)).collect();
        let kind = f.results[0];
        let slots = kind.slots();
        let _ = writeln!(text, "for (int i = 0; i < {n}; i++) {{ if (!get({i})) return 1;");
        let _ = writeln!(text, "const auto r = {}({});", f.name(), args.join(", "));
        for (k, ty) in slots.iter().enumerate() {
            let value = if slots.len() == 1 { "r".into() } else { Cuda::default().member("r", k, kind) };
            let value = if ty.is_float() { format!("vernier_bits({value})") } else { value };
            let _ = writeln!(text, "out[{k}] = {value};");
        }
        let _ = writeln!(text, "put({}); }}", slots.len());
    }
    text + "return 0;\n}\n"
}

/// The header under g++ -O3 with its default contraction gives the host's bits.
#[test]
fn host_compiler_gives_the_same_bits() {
    const N: usize = 5_000;
    let dir = std::env::temp_dir().join(format!("vernier-print-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, program) = (dir.join("driver.cpp"), dir.join("driver"));
    std::fs::write(&source, driver(N)).unwrap();
    let options = ["-std=c++17", "-O3", "-march=native", "-Wall", "-Werror", "-o"];
    let built = Command::new("g++").args(options).arg(&program).arg(&source).output().expect("g++ runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        for f in functions() {
            let args = cases(f, N as u64);
            let bytes: Vec<u8> = (0..N).flat_map(|i| args.iter().flat_map(move |a| a[i].to_le_bytes())).collect();
            std::io::Write::write_all(&mut stdin, &bytes).unwrap();
        }
    });
    let output = child.wait_with_output().unwrap().stdout;
    feeder.join().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();

    let mut words = output.as_chunks::<8>().0.iter().map(|&b| u64::from_le_bytes(b));
    for f in functions() {
        let args = cases(f, N as u64);
        for i in 0..N {
            let bits: Vec<u64> = args.iter().map(|a| a[i]).collect();
            for (&e, ty) in f.host(&bits).iter().zip(f.tape.results()) {
                let got = words.next().expect("one word per result");
                assert_eq!(one_nan(ty, got), one_nan(ty, e), "{} of {bits:x?}", f.name());
            }
        }
    }
}
