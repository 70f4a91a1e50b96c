//! Instruction counts against the published ones, where NVRTC and cuobjdump are found.

mod tools;

use tools::counted;
use vernier_gpu::emit;
use vernier_gpu::print::{Cuda, Rare};
use vernier_gpu::sass::{ARCHITECTURES, count, kernel, listing, published};
use vernier_tape::registry::{Function, find, functions};

#[test]
fn pairs_issue_what_is_published() {
    let published = published(include_str!("../../fixtures/sass_counts.tsv"));
    let key =
        |f: &Function| Some((f.id.family().to_string(), f.id.op_name(), f.id.level().map(|l| l.name())?.to_string()));
    let of_level = |f: &&Function| key(f).is_some_and(|key| published.contains_key(&key));
    let list: Vec<&Function> = functions().iter().filter(of_level).collect();
    assert!(list.len() >= 42);
    for architecture in ARCHITECTURES {
        let Some(counts) = counted(count(&list, &Cuda { fast_seeds: true }, Rare::Automatic, architecture)) else {
            return;
        };
        for (f, c) in list.iter().zip(counts) {
            let level = f.id.level().map(|l| l.name()).unwrap();
            let &[fp32, fp64, _] = &published[&key(f).unwrap()];
            let arithmetic = f64::from(fp32 + fp64);
            println!("{architecture} {} {:.2} of {arithmetic}: {c:.2?}", f.name(), c.total());
            if f.id.op_name().as_str() == "div" {
                continue;
            }
            // Moves of loop-carried values and constants.
            let moves = if architecture.starts_with("sm_1") { 0.75 } else { 0.25 };
            match level {
                "high" => {
                    let allowed = if f.id.family() == "fp32mp2" { 5.0 } else { 6.0 };
                    assert!(c.total() <= arithmetic + allowed + moves, "{architecture} {}: {c:?}", f.name());
                }
                _ => {
                    assert_eq!(c.fp32 + c.fp64, arithmetic, "{architecture} {}", f.name());
                    assert!(c.other <= moves, "{architecture} {}: {c:?}", f.name());
                }
            }
            assert_eq!(c.spills, 0, "{architecture} {}", f.name());
        }
    }
}

/// Of a native reduced format nothing is left but the operation; of a native axis, nothing of its reduction.
#[test]
fn a_native_format_costs_nothing() {
    let mut text = emit::cuda(&Cuda { fast_seeds: true }, Rare::default());
    let types =
        [("plain", "double"), ("native", "fp64_custom<>"), ("e8m52", "8, 52"), ("e11m23", "11, 23"), ("both", "8, 23")];
    for (name, ty) in types {
        let ty =
            if ty.contains(',') { format!("vernier::fp64_custom<{ty}>") } else { ty.replace("fp64", "vernier::fp64") };
        text += &format!(
            "extern \"C\" __global__ void {name}({ty} *p) {{ p[0] = fma(p[1] * p[2] + p[3], p[4], p[5]) - p[6]; }}\n"
        );
    }
    let Some(code) = counted(listing(&text, "sm_90")) else { return };
    let length =
        |kernel: &str| code.iter().find(|(name, _)| name.as_str() == kernel).map(|(_, c)| c.code.len()).unwrap();
    println!("{:?}", types.map(|(name, _)| (name, length(name))));
    assert_eq!(length("native"), length("plain"));
    assert!(length("e11m23") < length("both") && length("e8m52") < length("both"));
}

/// Neither operations nor conversions of `fp32mp2` touch the FP64 pipe.
#[test]
fn fp32mp2_has_no_double_arithmetic() {
    let mut text = emit::cuda(&Cuda { fast_seeds: true }, Rare::default());
    let list: Vec<&Function> = functions()
        .iter()
        .filter(|f| f.id.family() == "fp32mp2" && f.id.op_name().as_str() != "from_fp64mp2")
        .collect();
    list.iter().for_each(|f| text += &kernel(f));
    let Some(code) = counted(listing(&text, "sm_90")) else { return };
    assert!(code.len() >= list.len());
    for (name, code) in &code {
        let double = code.code.iter().find(|i| i.is_double());
        assert!(double.is_none(), "{name}: {double:?}");
    }
}

/// Integers, wide products and binary32 are all that emulated doubles are made of.
#[test]
fn emulated_doubles_have_no_double_arithmetic() {
    let dialect = Cuda { fast_seeds: true };
    let mut text = emit::cuda(&dialect, Rare::default());
    let list: Vec<&Function> = functions().iter().filter(|f| f.id.family().starts_with("fp64emu")).collect();
    list.iter().for_each(|f| text += &kernel(f));
    let Some(code) = counted(listing(&text, "sm_90")) else { return };
    assert!(code.len() >= list.len());
    for (name, code) in &code {
        let double = code.code.iter().find(|i| i.is_double());
        assert!(double.is_none(), "{name}: {double:?}");
    }
}

/// Family, level, and operations with what they may issue.
type Allowed = (&'static str, &'static str, &'static [(&'static str, f64)]);

/// What one evaluation issues at most, usual path: family, level, and by operation.
const ALLOWED: [Allowed; 6] = [
    ("fp64emu", "high", &[("add", 68.0), ("mul", 45.0), ("div", 75.0), ("sqrt", 84.0), ("fma", 130.0)]),
    ("fp64emu", "mid", &[("add", 46.0), ("mul", 35.0), ("div", 62.0), ("sqrt", 63.0), ("mad", 80.0)]),
    ("fp64emu", "low", &[("add", 40.0), ("mul", 23.0), ("div", 26.0), ("sqrt", 26.0), ("mad", 62.0)]),
    (
        "fp64emu_unpacked",
        "high",
        &[("add", 47.0), ("mul", 30.0), ("div", 62.0), ("sqrt", 80.0), ("mad", 76.0), ("fma", 96.0)],
    ),
    ("fp64emu_unpacked", "mid", &[("add", 43.0), ("mul", 20.0), ("div", 52.0), ("sqrt", 60.0), ("mad", 62.0)]),
    ("fp64emu_unpacked", "low", &[("add", 32.0), ("mul", 16.0), ("div", 22.0), ("sqrt", 25.0), ("mad", 48.0)]),
];

#[test]
fn emulated_doubles_issue_little() {
    let rows: Vec<(&Function, f64)> = ALLOWED
        .iter()
        .flat_map(|&(family, level, ops)| ops.iter().map(move |&(op, most)| (find(family, op, level).unwrap(), most)))
        .collect();
    let list: Vec<&Function> = rows.iter().map(|row| row.0).collect();
    let Some(counts) = counted(count(&list, &Cuda { fast_seeds: true }, Rare::Automatic, "sm_90")) else { return };
    for ((f, most), c) in rows.into_iter().zip(counts) {
        println!("{} {:.2} of {most}: {c:.2?}", f.name(), c.total());
        assert!(c.total() <= most && c.total() > most / 2.0, "{}: {c:?}", f.name());
        assert_eq!((c.fp64, c.spills), (0.0, 0), "{}: {c:?}", f.name());
    }
}

/// A function of pairs: instructions and registers, of pairs of binary32 and of binary64.
type Issued = (&'static str, [(f64, u32); 2]);

/// What one evaluation of a function issues, usual path, and the registers of a kernel of nothing else.
const FUNCTIONS: [Issued; 17] = [
    ("exp", [(63.0, 31), (79.4, 32)]),
    ("exp2", [(61.0, 27), (77.4, 32)]),
    ("exp10", [(66.0, 30), (83.4, 32)]),
    ("expm1", [(84.1, 33), (97.5, 48)]),
    ("log", [(70.0, 32), (106.0, 38)]),
    ("log2", [(72.0, 30), (108.5, 38)]),
    ("log10", [(75.0, 30), (112.4, 40)]),
    ("log1p", [(90.4, 39), (126.1, 48)]),
    ("pow", [(183.1, 40), (292.9, 62)]),
    ("cbrt", [(44.0, 30), (50.0, 30)]),
    ("rcbrt", [(44.0, 30), (58.0, 32)]),
    ("hypot", [(55.5, 38), (62.8, 46)]),
    ("rhypot", [(62.6, 37), (75.6, 38)]),
    ("norm3d", [(68.6, 44), (75.9, 68)]),
    ("norm4d", [(102.0, 32), (111.0, 54)]),
    ("rnorm3d", [(78.8, 40), (91.8, 54)]),
    ("rnorm4d", [(112.0, 32), (125.0, 46)]),
];

#[test]
fn functions_issue_what_they_issued() {
    let of_width = |i: usize| ["fp32mp2", "fp64mp2"][i];
    let rows: Vec<_> =
        FUNCTIONS.iter().flat_map(|(op, of)| [0, 1].map(|i| (find(of_width(i), op, "").unwrap(), of[i]))).collect();
    let list: Vec<&Function> = rows.iter().map(|row| row.0).collect();
    let Some(counts) = counted(count(&list, &Cuda { fast_seeds: true }, Rare::Automatic, "sm_90")) else { return };
    let mut differ = Vec::new();
    for ((f, (slots, registers)), c) in rows.into_iter().zip(counts) {
        println!("{} {:.2} of {slots}, {} registers of {registers}: {c:.2?}", f.name(), c.total(), c.registers);
        // Compilers move a few.
        let near = |x: f64, kept: f64| (x / kept - 1.0).abs() <= 0.05;
        if !near(c.total(), slots) || c.registers > registers + 8 || c.spills > 0 {
            differ.push(format!(
                "{}: {slots} and {registers} were kept, {:.1} and {} found, {} spilled",
                f.name(),
                c.total(),
                c.registers,
                c.spills
            ));
        }
        assert!(f.id.family() != "fp32mp2" || c.fp64 == 0.0, "{}: {c:?}", f.name());
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// Of a row of a table of doubles one instruction loads two.
#[test]
fn rows_of_tables_are_loaded_together() {
    let list = ["exp", "log", "pow"].map(|op| find("fp64mp2", op, "").unwrap());
    let text = list.iter().fold(emit::cuda(&Cuda { fast_seeds: true }, Rare::Automatic), |text, f| text + &kernel(f));
    let Some(code) = counted(listing(&text, "sm_90")) else { return };
    for f in list {
        let code = &code[&format!("count_{}", f.name())].code;
        let loads = |of: &str| code.iter().filter(|i| i.opcode.starts_with("LDG") && i.opcode.ends_with(of)).count();
        let [single, both] = [".64.CONSTANT", ".128.CONSTANT"].map(loads);
        assert!(both > 0 && single == 0, "{}: {single} loads of one double, {both} of two", f.name());
    }
}
