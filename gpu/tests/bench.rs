//! Throughput kernels, targets and the speed model, without a GPU.

mod tools;

use std::sync::{Mutex, MutexGuard, PoisonError};
use tools::counted;
use vernier::function::Math;
use vernier_gpu::bench::{
    Arrangement, Author, Bench, CARDS, Card, Chain, Domain, Effort, Operands, Row, Subject, chain_source, chains,
    function_source, functions, functions_on, instructions, kernel_source, pi_counts, pi_host, predict,
    published_on_h200, published_pi, speed_of, split_source, targets,
};
use vernier_gpu::device::{Api, Device, cuda};
use vernier_gpu::print::{Cuda, Rare};
use vernier_gpu::sass::{Class, Failure, count, listing};

/// OpenCL implementations do not all bear two compilations at once.
static OPENCL: Mutex<()> = Mutex::new(());

/// An OpenCL device for one test at a time, or none and the reason printed.
fn opencl() -> Option<(MutexGuard<'static, ()>, Device)> {
    let guard = OPENCL.lock().unwrap_or_else(PoisonError::into_inner);
    tools::opencl().map(|device| (guard, device))
}

const TINY: Effort = Effort { warm_up: 0.0, launch: 0.0, launches: 2, groups: 2, tries: false };

/// Every operation of a type of each width runs on OpenCL, and all values stay in range.
#[test]
fn chains_run_on_opencl() {
    let Some((_guard, device)) = opencl() else { return };
    let subjects = [
        Subject::Float,
        Subject::Double,
        Subject::Fp32mp2Low,
        Subject::Fp64mp2Mid,
        Subject::Fp64emuHigh,
        Subject::Fp64emuUnpackedLow,
    ];
    let list = chains(Api::OpenCl, &subjects, TINY.groups);
    let bench = speed_of(&device, &list, TINY, Rare::Outline).unwrap();
    assert_eq!(bench.rows.len(), list.len());
    for r in &bench.rows {
        let name = format!("{} {} {:?}", r.subject.name(), r.op, r.operands);
        println!("{name}: {:.3e}/s, latency {:?}", r.per_second, r.latency);
        assert!(r.in_range, "{name}");
        assert!(r.per_second > 0.0 && r.per_second.is_finite(), "{name}");
    }
    for subject in subjects {
        for op in ["add", "mul", "div", "fma"] {
            // All levels of emulated doubles share one fused operation, which is measured at high.
            if (subject, op) == (Subject::Fp64emuUnpackedLow, "fma") {
                continue;
            }
            assert!(bench.find(subject, op, Author::Vernier, Operands::Changing).is_some(), "{subject:?} {op}");
        }
    }
    let text = serde_json::to_string(&bench).unwrap();
    assert_eq!(serde_json::from_str::<Bench>(&text).unwrap().rows.len(), bench.rows.len());
}

/// Values stay in range as long as a measurement on a fast card takes.
#[test]
fn chains_stay_in_range() {
    let Some((_guard, device)) = opencl() else { return };
    let effort = Effort { launch: 0.05, launches: 1, ..TINY };
    let subjects = [Subject::Float, Subject::Fp32mp2High, Subject::Fp64emuLow, Subject::Fp64emuUnpackedMid];
    let list = chains(Api::OpenCl, &subjects, TINY.groups);
    let list: Vec<_> = list.into_iter().filter(|c| matches!(c.op, "add" | "mul" | "div" | "fma" | "sqrt")).collect();
    for r in speed_of(&device, &list, effort, Rare::Outline).unwrap().rows {
        assert!(r.in_range, "{} {} {:?}", r.subject.name(), r.op, r.operands);
    }
}

/// Every mathematical function has a row at both widths, and the device leaves the host's words.
#[test]
fn functions_run_on_opencl() {
    let list: Vec<_> = functions().collect();
    let names = |family| Math::ALL.iter().map(move |f| (family, f.name().to_string()));
    let expected: Vec<_> = names("fp32mp2").chain(names("fp64mp2")).collect();
    assert_eq!(list.iter().map(|f| (f.id.family(), f.id.op_name())).collect::<Vec<_>>(), expected);
    let Some((_guard, device)) = opencl() else { return };
    let rows =
        functions_on(&device, &list, |_| Domain { signed: true, exponents: -8..24 }, TINY, Rare::Automatic).unwrap();
    assert_eq!(rows.iter().map(|r| (r.family.as_str(), r.op.clone())).collect::<Vec<_>>(), expected);
    for r in &rows {
        println!("{} {}: {:.3e}/s, net {:?}", r.family, r.op, r.per_second, r.net_per_second);
        assert!(r.host_bits, "{} {}", r.family, r.op);
        assert!(r.per_second > 0.0 && r.overhead_per_second.is_finite(), "{} {}", r.family, r.op);
    }
}

/// Operands change and reach the function: nothing is hoisted out of the loop, nothing is left out.
#[test]
fn kernels_of_functions_compile() {
    let list: Vec<_> = functions().filter(|f| f.params.len() == 1).collect();
    let Some(code) = counted(listing(&function_source(Api::Cuda, &list[..8], Rare::Automatic).text, "sm_90")) else {
        return;
    };
    let length = |name: &str| code[name].loop_path().len();
    for f in &list[..8] {
        let (whole, overhead) = (length(&format!("bench_{}", f.name())), length("bench_overhead"));
        println!("{} {whole}, overhead {overhead}", f.name());
        assert!(whole > overhead, "{}: {whole} of {overhead}", f.name());
    }
}

#[test]
fn cuda_kernels_compile() {
    let list = chains(Api::Cuda, &Subject::ALL, 4);
    let published = list.iter().filter(|c| c.author == Author::Published).count();
    assert_eq!(published, 2 * (3 * 2 + 2));
    // One of each operation and author; the rest differ in unrolling.
    for part in list.chunks(40) {
        let part: Vec<_> = part.iter().copied().filter(|c| c.operands == Operands::Changing).collect();
        let single: Vec<_> = part.iter().map(Chain::single).collect();
        let source = chain_source(Api::Cuda, &single, Rare::Outline);
        if counted(cuda::compile(&source, "sm_90").map_err(Failure::from)).is_none() {
            return;
        }
    }
}

/// Neither operations nor the pi benchmark of emulated doubles touch the FP64 pipe, the kernels around them included.
#[test]
fn kernels_of_emulated_doubles_have_no_double_arithmetic() {
    let emulated: Vec<Subject> = Subject::ALL.into_iter().filter(|s| s.is_emulated()).collect();
    let list = chains(Api::Cuda, &emulated, 4);
    let ops = |s: &Subject| list.iter().filter(|c| c.subject == *s && c.operands == Operands::Changing).count();
    // add, mul, div, sqrt and mad at each level, fma at high.
    assert_eq!(emulated.iter().map(ops).collect::<Vec<_>>(), [5, 5, 6, 5, 5, 6]);
    let single: Vec<Chain> = list.iter().map(Chain::single).collect();
    let sources =
        [chain_source(Api::Cuda, &single, Rare::default()), kernel_source(Api::Cuda, &emulated, Rare::default())];
    for source in sources {
        let Some(code) = counted(listing(&source.text, "sm_90")) else { return };
        for (name, code) in &code {
            let double = code.code.iter().find(|i| i.is_double());
            assert!(double.is_none(), "{name}: {double:?}");
            assert!(code.stack == 0 || code.calls(), "{name}: {} bytes spilled", code.stack);
        }
        assert!(code.len() >= emulated.len());
    }
}

/// An evaluation in a chain of emulated doubles issues about what is counted for it: a part of what is done to one operand alone is
/// shared, moves and folds come on top.
#[test]
fn chains_of_emulated_doubles_issue_what_is_counted() {
    let subjects =
        [Subject::Fp64emuHigh, Subject::Fp64emuLow, Subject::Fp64emuUnpackedHigh, Subject::Fp64emuUnpackedMid];
    let list: Vec<Chain> = chains(Api::Cuda, &subjects, 2);
    let list: Vec<Chain> = list.into_iter().filter(|c| c.operands == Operands::Changing).collect();
    let functions: Vec<_> = list.iter().map(|c| c.subject.function(c.op).unwrap()).collect();
    let dialect = Cuda { fast_seeds: true };
    let Some(counts) = counted(count(&functions, &dialect, Rare::Automatic, "sm_90")) else { return };
    let Some(code) = counted(listing(&chain_source(Api::Cuda, &list, Rare::Automatic).text, "sm_90")) else { return };
    for (chain, counted) in list.iter().zip(counts) {
        let code = &code[&chain.kernel()];
        let issued = code.loop_path().len() as f64 / chain.evaluations_in_body() as f64;
        let share = issued / counted.total();
        println!("{} {issued:.1} of {:.1}: {share:.2}, {} registers", chain.kernel(), counted.total(), code.registers);
        assert!((0.7..1.3).contains(&share), "{}: {issued} of {}", chain.kernel(), counted.total());
    }
}

/// A divided sum has one loop on each pipe.
#[test]
fn a_divided_sum_uses_both_pipes() {
    let source = split_source(Api::Cuda, Subject::Fp64emuUnpackedHigh, Rare::default());
    let Some(code) = counted(listing(&source.text, "sm_90")) else { return };
    let code = &code["vernier_split_fp64emu_unpacked_high"];
    let doubles = code.code.iter().filter(|i| i.name() == "DFMA").count();
    let integers = code.code.iter().filter(|i| i.opcode.starts_with("IMAD.WIDE")).count();
    println!("{doubles} DFMA, {integers} IMAD.WIDE, {} registers", code.registers);
    assert!(doubles >= 8 && integers >= 8 && code.registers <= 64, "{doubles} {integers} {}", code.registers);
}

/// The loops do the work that is counted and little else: nothing was hoisted, merged or left out.
#[test]
fn loops_hold_what_is_measured() {
    let list = chains(Api::Cuda, &Subject::ALL, 4);
    let simple = |c: &&Chain| {
        let short = matches!(c.op, "add" | "mul" | "acc" | "fma" | "mad") && c.subject.level() != "high";
        short && !c.subject.is_emulated()
    };
    for part in list.iter().filter(simple).copied().collect::<Vec<Chain>>().chunks(20) {
        let text = chain_source(Api::Cuda, part, Rare::Outline).text;
        let Some(code) = counted(listing(&text, "sm_90")) else { return };
        for chain in part {
            let path = code[&chain.kernel()].loop_path();
            let of = |classes: &[Class]| path.iter().filter(|i| classes.contains(&i.class())).count() as f64;
            let (found, other) = (of(&[Class::Fp32, Class::Fp64]), of(&[Class::Other, Class::Frame]));
            let instructions = instructions(chain.subject, chain.op).unwrap() * chain.evaluations_in_body() as f64;
            println!("{} {found} of {instructions}, other {other}", chain.kernel());
            // What depends on a constant alone may be hoisted.
            if chain.operands == Operands::Changing {
                assert_eq!(found, instructions, "{}", chain.kernel());
            }
            assert!(found >= 0.9 * instructions, "{}: {found} of {instructions}", chain.kernel());
            // Folding costs a native product most; FP64 instructions leave room for others. Where loops are nested, the
            // outer one is seen, with one body and all of the folding.
            let nested = chain.evaluations() > chain.evaluations_in_body();
            let (share, fold) = match chain.subject.native() {
                Subject::Float if chain.subject.is_native() => (0.15, 48.0),
                Subject::Float => (0.06, 48.0),
                _ => (0.25, 144.0),
            };
            let allowed = share * instructions + if nested { fold } else { 0.0 };
            assert!(other <= allowed, "{}: {other} of {instructions}", chain.kernel());
        }
    }
}

#[test]
fn machine_code_of_the_pi_benchmark() {
    let Some(counts) = counted(pi_counts("sm_90", Rare::Outline)) else { return };
    for (subject, c) in &counts {
        println!("{} {c:?}", subject.name());
        assert!(c.special >= 1.0, "{subject:?} divides: {c:?}");
        let double = subject.native() == Subject::Double && !subject.is_emulated();
        assert_eq!(c.fp64 > 0.0, double, "{subject:?}: {c:?}");
    }
    // mul, div, its seed and three additions; the compiler may leave out what constants without lo make useless.
    for (subject, tape) in [(Subject::Fp32mp2Low, 5 + 6 + 2 + 3 * 8), (Subject::Fp32mp2Mid, 9 + 12 + 2 + 3 * 11)] {
        let counted = counts[&subject].fp32.round() as i32;
        assert!((tape - 2..=tape).contains(&counted), "{subject:?}: {counted} of {tape}");
    }
}

/// Where FP64 is slow, pairs of floats are several times as fast as double, low more than mid more than high.
#[test]
fn predictions_are_of_the_published_order() {
    let published = published_pi(include_str!("../../fixtures/pi.tsv"));
    for (name, architecture) in CARDS {
        let card = Card::new(name, architecture).unwrap();
        let predicted = predict(&card, Rare::Outline);
        let of = |subject| predicted.iter().find(|p| p.subject == subject).unwrap();
        assert_eq!(of(Subject::Double).speed_vs_double, 1.0);
        assert_eq!(of(Subject::Double).bound, "FP64");
        let emulated = Subject::ALL.into_iter().filter(|s| s.is_emulated());
        let pairs = [Subject::Float, Subject::Fp32mp2Low, Subject::Fp32mp2Mid, Subject::Fp32mp2High];
        for subject in pairs.into_iter().chain(emulated) {
            let p = of(subject);
            let found = published[&(subject.published_name(), name.to_string())];
            println!(
                "{name} {}: {:.1}, published {found}, {}, {:?}",
                subject.name(),
                p.speed_vs_double,
                p.bound,
                p.counts
            );
            // Tapes say little of the integers of emulated doubles, whose published sequences are longer than ours.
            let ratio = p.speed_vs_double / found;
            match (subject.is_emulated(), p.from_machine_code) {
                (true, true) => assert!((1.2..2.2).contains(&ratio), "{name} {subject:?}: {p:?}"),
                (false, true) => assert!((0.77..1.3).contains(&ratio), "{name} {subject:?}: {p:?}"),
                (false, false) => assert!((0.67..2.0).contains(&ratio), "{name} {subject:?}: {p:?}"),
                _ => {}
            }
        }
        let speed = |s| of(s).speed_vs_double;
        assert!(speed(Subject::Float) > speed(Subject::Fp32mp2Low));
        assert!(speed(Subject::Fp32mp2Low) > speed(Subject::Fp32mp2Mid));
        assert!(speed(Subject::Fp32mp2Mid) > speed(Subject::Fp32mp2High));
        assert!(speed(Subject::Fp64mp2Mid) < 1.0);
    }
}

fn row(subject: Subject, op: &str, author: Author, per_second: f64, vs_native_add: Option<f64>) -> Row {
    Row {
        subject,
        op: op.into(),
        author,
        operands: Operands::Changing,
        arrangement: Arrangement::Groups(4),
        body: 512,
        per_second,
        spread: 0.01,
        clock_mhz: 1000.0,
        per_clock: 1.0,
        latency: None,
        instructions: Some(8.0),
        vs_double: None,
        vs_native_add,
        of_limit: None,
        resources: None,
        in_range: true,
    }
}

#[test]
fn targets_are_judged() {
    let mut build = vernier_gpu::device::Build {
        api: Api::Cuda,
        device: String::new(),
        driver: String::new(),
        architecture: String::new(),
        compiler: String::new(),
        options: Vec::new(),
    };
    let low = Subject::Fp32mp2Low;
    let rows = vec![
        row(low, "add", Author::Vernier, 1.0, Some(0.95)),
        row(low, "acc", Author::Vernier, 1.0, Some(0.85)),
        row(low, "div", Author::Vernier, 3.0, None),
        row(low, "div", Author::Published, 4.0, None),
    ];
    let bench = |build, rows| Bench { build, units: 1, clock: String::new(), effort: TINY, rare: String::new(), rows };
    let all = targets(&bench(build.clone(), rows), &[]);
    let of = |op: &str, figure: &str| {
        all.iter().find(|t| t.subject == low && t.op == op && t.figure.contains(figure)).unwrap()
    };
    assert_eq!(of("add", "native").holds(), Some(true));
    assert_eq!(of("acc", "native").holds(), Some(false));
    assert_eq!(of("mul", "native").holds(), None);
    assert_eq!(of("add", "own instructions").holds(), Some(true));
    assert_eq!(of("acc", "own instructions").holds(), Some(false));
    let div = of("div", "sequence");
    assert_eq!((div.limit, div.measured, div.holds()), (0.7, Some(0.75), Some(true)));
    // Two figures of five operations at four levels, six divisions, four roots.
    let of_pairs = 4 * 5 * 2 + 6 + 4;
    assert_eq!(all.len(), of_pairs);
    // Absolute speeds of emulated doubles are asked of one card: five operations at six levels, two fma, six runs of pi.
    build.device = "NVIDIA H200".into();
    let high = Subject::Fp64emuHigh;
    let rows = vec![
        row(high, "add", Author::Vernier, 300e9, None),
        row(high, "mul", Author::Vernier, 399e9, None),
        row(high, "sqrt", Author::Vernier, 145e9, None),
    ];
    let timing = vernier_gpu::bench::Timing { median: 1.21e-3, least: 1.2e-3, most: 1.3e-3, launches: 3 };
    let pi = |subject| vernier_gpu::bench::Pi { log2_terms: 26, timing: Some(timing), ..pi_host(subject, 17) };
    let all = targets(&bench(build, rows), &[pi(high), pi(Subject::Fp64emuUnpackedLow)]);
    assert_eq!(all.len(), of_pairs + 5 * 6 + 2 + 6);
    let of = |subject, op: &str| all.iter().find(|t| t.subject == subject && t.op == op).unwrap().clone();
    assert_eq!((of(high, "add").limit, of(high, "add").holds()), (290.0, Some(true)));
    assert_eq!((of(high, "mul").limit, of(high, "mul").holds()), (400.0, Some(false)));
    assert_eq!((of(high, "sqrt").limit, of(high, "sqrt").holds()), (146.0, Some(false)));
    assert_eq!((of(high, "pi").limit, of(high, "pi").measured, of(high, "pi").holds()), (1.2, Some(1.21), Some(false)));
    assert_eq!(of(Subject::Fp64emuUnpackedHigh, "pi").holds(), None);
    let published = published_on_h200;
    assert_eq!((published(high, "add"), published(Subject::Double, "pi")), (Some(225.0), Some(0.078)));
}
