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
