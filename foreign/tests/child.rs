//! Functions of libraries that a C compiler makes here, and those of the system.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use vernier_foreign::{Error, Fault, Function, Library, Number, Program, Shape, Signature, What};

/// Where this program is the child.
const CHILD: &str = "VERNIER_FOREIGN_TEST_CHILD";

#[test]
fn child() {
    if std::env::var_os(CHILD).is_some() {
        vernier_foreign::serve();
        std::process::exit(0);
    }
}

fn program() -> Program {
    Box::new(|| {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["child", "--exact", "--nocapture"]).env(CHILD, "1");
        Ok(command)
    })
}

const F32: Signature = Signature { shape: Shape::One, number: Number::F32 };
const F64: Signature = Signature { shape: Shape::One, number: Number::F64 };

fn open(library: &Path, symbol: &str, signature: Signature) -> Result<Function, Error> {
    Function::open(&Library::find(library)?, symbol, signature, Duration::from_secs(1), program())
}

/// A library of this text.
fn compiled(folder: &tempfile::TempDir, text: &str, flags: &[&str]) -> PathBuf {
    let (source, library) = (folder.path().join("f.c"), folder.path().join("libf.so"));
    std::fs::write(&source, text).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source).args(flags).arg("-lm");
    assert!(cc.status().unwrap().success());
    library
}

fn bits(function: &Function, inputs: &[Vec<u64>; 3], twice: bool) -> Result<[Vec<u64>; 2], Fault> {
    let n = inputs[0].len();
    let mut results = [vec![0; n], vec![0; n]];
    function.call(n, inputs, &mut results, twice)?;
    Ok(results)
}

fn call(function: &Function, inputs: &[f64], twice: bool) -> Result<Vec<f64>, Fault> {
    let column = inputs.iter().map(|x| x.to_bits()).collect();
    let results = bits(function, &[column, Vec::new(), Vec::new()], twice)?;
    Ok(results[0].iter().map(|&bits| f64::from_bits(bits)).collect())
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn functions_of_binary128() {
    let libm = Path::new("libm.so.6");
    let signature = |shape| Signature { shape, number: Number::F128 };
    // 2^e and 3 * 2^e.
    let [two, three] = [(1, 0), (1, 0x8000 << 32)].map(|(e, fraction)| (0x3fff + e) << 48 | fraction);
    let word = |x: u64| vec![x];
    let sqrt = open(libm, "sqrtf128", signature(Shape::One)).unwrap();
    let columns = [word(two + (1 << 48)), word(0), word(0), word(0), word(0), word(0)];
    let mut results = [vec![0], vec![0]];
    sqrt.call(1, &columns, &mut results, true).unwrap();
    assert_eq!(results, [word(two), word(0)], "the root of 4");
    // 3 * 2 + 2^-100, whose last digit is in the low word.
    let fma = open(libm, "fmaf128", signature(Shape::Three)).unwrap();
    let tiny = (0x3fff - 100) << 48;
    let columns = [word(three), word(two), word(tiny), word(0), word(0), word(0)];
    fma.call(1, &columns, &mut results, true).unwrap();
    assert_eq!(results, [word(three + (1 << 48)), word(1 << 10)]);
    let refused = open(libm, "sincosf128", signature(Shape::TwoResults)).err().unwrap().to_string();
    assert!(refused.contains("f128"), "{refused}");
}

#[test]
fn functions_of_the_system() {
    let libm = Path::new("libm.so.6");
    let exp = open(libm, "exp", F64).unwrap();
    assert_eq!(call(&exp, &[0.0, 1.0, f64::INFINITY], true).unwrap(), [1.0, 1f64.exp(), f64::INFINITY]);
    // Blocks one after another, in two threads.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                (0..50).for_each(|i| assert_eq!(call(&exp, &[f64::from(i)], false).unwrap(), [f64::from(i).exp()]))
            });
        }
    });
    let shapes = [
        ("atan2f", Shape::Two, [1f32.atan2(2.0).to_bits().into(), 0]),
        ("fmaf", Shape::Three, [1f32.mul_add(2.0, 3.0).to_bits().into(), 0]),
        ("sincosf", Shape::TwoResults, [1f32.sin().to_bits().into(), 1f32.cos().to_bits().into()]),
        ("frexpf", Shape::AndInt, [0.5f32.to_bits().into(), 1]),
        ("modff", Shape::AndNumber, [0, 1f32.to_bits().into()]),
    ];
    for (symbol, shape, expected) in shapes {
        let f = open(libm, symbol, Signature { shape, number: Number::F32 }).unwrap();
        let inputs = [1f32, 2.0, 3.0].map(|x| vec![x.to_bits().into()]);
        let results = bits(&f, &inputs, true).unwrap();
        assert_eq!([results[0][0], results[1][0]], expected, "{symbol}");
    }
}

#[test]
fn what_is_not_there_is_named() {
    let text = |e: Result<Function, Error>| e.err().unwrap().to_string();
    assert!(text(open(Path::new("libm.so.6"), "expg", F32)).contains("expf"));
    assert!(text(open(Path::new("/nowhere/libm.so"), "expf", F32)).contains("no such library"));
}

#[test]
fn a_call_that_does_not_return_ends_with_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let library = compiled(
        &folder,
        "#include <stdlib.h>
        #include <stdio.h>
        double crash(double x) { if (x == 3) *(volatile int *)8 = 1; return x; }
        double leave(double x) { if (x == 2) exit(7); return x; }
        double loop(double x) { volatile int on = 1; if (x == 4) while (on) { } return x; }
        double talk(double x) { printf(\"%f\\n\", x); fflush(stdout); return x; }
        double count(double x) { static int n; return x == 5 ? n++ : x; }",
        &[],
    );
    let inputs = [1.0, 2.0, 3.0, 4.0, 5.0];
    let fault = |symbol: &str| call(&open(&library, symbol, F64).unwrap(), &inputs, true).unwrap_err();
    for (symbol, at, words) in
        [("crash", 3.0, "SIGSEGV"), ("leave", 2.0, "7"), ("loop", 4.0, "1 s"), ("count", 5.0, "again")]
    {
        let Fault { input, what } = fault(symbol);
        assert_eq!(input.map(|x| f64::from_bits(x[0])), Some(at), "{symbol}");
        assert!(what.to_string().contains(words), "{symbol}: {what}");
    }
    assert_eq!(fault("count").what, What::Differs([0, 0], [1f64.to_bits(), 0]));
    // What it writes disturbs nothing, and after a crash other inputs are still called.
    assert_eq!(call(&open(&library, "talk", F64).unwrap(), &inputs, true).unwrap(), inputs);
    let crash = open(&library, "crash", F64).unwrap();
    assert!(call(&crash, &inputs, false).is_err());
    assert_eq!(call(&crash, &[7.0], false).unwrap(), [7.0]);
}

#[test]
fn changed_settings_are_found_and_undone() {
    let folder = tempfile::tempdir().unwrap();
    let library = compiled(
        &folder,
        "#include <fenv.h>
        double up(double x) { if (x == 2) fesetround(FE_UPWARD); return x / 3; }",
        &["-frounding-math"],
    );
    let up = open(&library, "up", F64).unwrap();
    assert_eq!(up.changed(), None);
    assert_eq!(call(&up, &[1.0, 2.0, 1.0], true).unwrap()[2], 1.0 / 3.0);
    let changed = up.changed().unwrap();
    assert!(changed.rounding && !changed.flushing && changed.input.unwrap()[0] == 2f64.to_bits(), "{changed}");
    if cfg!(target_arch = "x86_64") {
        let folder = tempfile::tempdir().unwrap();
        let text = "#include <xmmintrin.h>
            __attribute__((constructor)) static void on(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
            double half(double x) { return x / 2; }";
        let half = open(&compiled(&folder, text, &[]), "half", F64).unwrap();
        let changed = half.changed().unwrap();
        assert!(changed.flushing && !changed.rounding && changed.input.is_none(), "{changed}");
        assert_eq!(call(&half, &[3e-310], false).unwrap(), [3e-310 / 2.0]);
    }
}

#[test]
fn a_library_that_ends_while_it_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdlib.h>
        __attribute__((constructor)) static void on(void) { abort(); }
        double f(double x) { return x; }";
    let error = open(&compiled(&folder, text, &[]), "f", F64).err().unwrap().to_string();
    assert!(error.contains("cannot be loaded") && error.contains("SIGABRT"), "{error}");
}
