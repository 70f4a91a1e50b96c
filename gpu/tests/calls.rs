//! Functions that call functions, printed: each once, with the host's bits.

#[path = "../../tape/tests/calling/mod.rs"]
mod calling;

use calling::{columns, on_host, tape};
use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use vernier_gpu::device::{Api, Device, Source};
use vernier_gpu::print::{self, Cuda, Dialect, OpenCl, Rare, Unit};
use vernier_tape::io::Kind;
use vernier_tape::mutants::{Mutant, mutants};
use vernier_tape::registry::{find, functions};

const PARAMS: [Kind; 5] = [Kind::F64, Kind::F64, Kind::F64, Kind::F64, Kind::U32];
const RESULTS: usize = 4;

/// `outer` as a function `outer_K` for each result, with what they call, after the prelude.
fn text(dialect: &dyn Dialect, rare: Rare, mutants: Option<&[Mutant]>) -> String {
    let mut unit = Unit::new(dialect, rare, dialect.prelude());
    let whole = tape::<true>();
    unit.needs(&whole);
    for (k, kind) in [Kind::F64, Kind::F64, Kind::U64, Kind::U32].into_iter().enumerate() {
        let mut one = whole.clone();
        one.body.results = vec![whole.body.results[k]];
        unit.text += &print::tape(dialect, &format!("outer_{k}"), &one, &PARAMS, kind, rare, mutants);
    }
    unit.text
}

#[test]
fn a_callee_is_printed_once() {
    for (dialect, large) in
        [(&Cuda::default() as &dyn Dialect, "VERNIER_CALLED"), (&OpenCl, "static __attribute__((noinline))")]
    {
        for rare in [Rare::Inline, Rare::Outline] {
            let text = text(dialect, rare, None);
            let definition = |name: &str| {
                let lines = text.lines().filter(|l| !l.starts_with(' ') && l.contains(&format!(" {name}(")));
                let lines: Vec<&str> = lines.collect();
                assert_eq!(lines.len(), 1, "{name}: {text}");
                lines[0].to_string()
            };
            assert!(definition("test_leaf").starts_with(dialect.inline()));
            assert!(definition("test_inner").starts_with(dialect.inline()));
            // It is large.
            assert!(definition("test_long").starts_with(large));
        }
    }
}

/// A program of g++ gives the host's bits.
#[test]
fn the_host_compiler_gives_the_same_bits() {
    const N: u64 = 2000;
    let args = columns(N);
    let expected = on_host(&args);
    let dir = tempfile::tempdir().unwrap();
    for rare in [Rare::Inline, Rare::Outline] {
        let mut program = text(&Cuda::default(), rare, None);
        program += "#include <cstdio>\nint main()\n{\n    vernier_u64 a[5], r[4];\n    while (std::fread(a, 8, 5, stdin) == 5) {\n";
        for k in 0..RESULTS {
            let call = format!(
                "outer_{k}(vernier_f64(a[0]), vernier_f64(a[1]), vernier_f64(a[2]), vernier_f64(a[3]), (vernier_u32)a[4])"
            );
            let value = if k < 2 { format!("vernier_bits({call})") } else { call };
            program += &format!("        r[{k}] = {value};\n");
        }
        program += "        std::fwrite(r, 8, 4, stdout);\n    }\n}\n";
        let (source, binary) = (dir.path().join("calls.cpp"), dir.path().join("calls"));
        std::fs::write(&source, program).unwrap();
        let options = ["-std=c++17", "-O2", "-Wall", "-Wno-unused", "-Werror", "-o"];
        let built = Command::new("g++").args(options).arg(&binary).arg(&source).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let mut child = Command::new(&binary).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input: Vec<u8> = (0..N as usize).flat_map(|i| args.iter().flat_map(move |a| a[i].to_le_bytes())).collect();
        let mut stdin = child.stdin.take().unwrap();
        let feeder = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, &input).unwrap());
        let output = child.wait_with_output().unwrap().stdout;
        feeder.join().unwrap();
        let words: Vec<u64> = output.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect();
        for (k, expected) in expected.iter().enumerate() {
            let got: Vec<u64> = words.iter().skip(k).step_by(RESULTS).copied().collect();
            assert_eq!(&got, expected, "result {k}");
        }
    }
}

/// A kernel gives the host's bits, and with a mutant what the interpreter gives.
#[test]
fn a_device_gives_the_same_bits() {
    const N: u64 = 2000;
    let device = match Device::open(Api::OpenCl, 0) {
        Ok(device) => device,
        Err(e) => return println!("SKIPPED: {e}"),
    };
    let args = columns(N);
    let whole = tape::<true>();
    let mut list = mutants(&whole, &PARAMS);
    list.retain(|f| f.what() == "operation dropped");
    assert!(list.iter().any(|f| f.describe(&whole).contains("test_inner")));
    for (rare, planted) in [(Rare::Inline, false), (Rare::Outline, false), (Rare::Outline, true)] {
        let mut program = text(&OpenCl, rare, planted.then_some(&list[..]));
        program += "__kernel void run(__global const ulong *a, __global ulong *r, uint n, uint mutant)\n{\n    const uint i = get_global_id(0);\n    if (i >= n) return;\n";
        for k in 0..RESULTS {
            let mutant = if planted { ", mutant" } else { "" };
            let x = |j: usize| format!("as_double(a[{j} * n + i])");
            let call = format!("outer_{k}({}, {}, {}, {}, (uint)a[4 * n + i]{mutant})", x(0), x(1), x(2), x(3));
            let value = if k < 2 { format!("as_ulong({call})") } else { call };
            program += &format!("    r[{k} * n + i] = {value};\n");
        }
        program += "}\n";
        let kernel = device.compile(&Source::new("calls.cl", program)).unwrap().kernel("run").unwrap();
        let input = device.upload(&args.concat()).unwrap();
        let run = |mutant: u32| {
            let output = device.zeros::<u64>(RESULTS * N as usize).unwrap();
            let groups = (N as u32).div_ceil(64);
            device.launch(&kernel, groups, 64, &[input.arg(), output.arg(), (N as u32).into(), mutant.into()]).unwrap();
            let flat = device.download(&output).unwrap();
            flat.chunks(N as usize).map(<[u64]>::to_vec).collect::<Vec<_>>()
        };
        assert!(run(u32::MAX) == on_host(&args), "{rare:?}");
        for (i, mutant) in list.iter().enumerate().filter(|_| planted) {
            let planted = mutant.plant(&whole);
            let expected = vernier_tape::interpret::Interpreter::new(&planted).run(&args);
            assert!(run(i as u32) == expected, "{}", mutant.describe(&whole));
        }
    }
}

/// What shares a function by calls costs what it cost in place: the usual path of products and sums of emulated doubles.
#[test]
fn calls_of_emulated_doubles_cost_nothing() {
    for family in ["fp64emu", "fp64emu_unpacked"] {
        for level in ["low", "mid", "high"] {
            for (op, callees) in [("sub", 1), ("mad", 2), ("dot", 2)] {
                assert_eq!(find(family, op, level).unwrap().tape.callees.len(), callees, "{family} {level} {op}");
            }
        }
    }
    // None is large, so all are inlined; only Bessel functions of an order call those of order 0 and 1.
    let text = vernier_gpu::emit::cuda(&Cuda::default(), Rare::Automatic);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let called: BTreeSet<&str> = words.filter(|word| word.ends_with("_called")).collect();
    let orders = |name: &str| ["_j0_", "_j1_", "_y0_", "_y1_"].iter().any(|order| name.contains(order));
    assert!(!called.is_empty() && called.iter().all(|name| orders(name)), "{called:?}");
    assert!(functions().iter().filter(|f| !f.tape.callees.is_empty()).count() >= 24);
}
