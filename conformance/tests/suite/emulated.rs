//! Emulated doubles: their rows, and their contracts with the machine's own doubles.

use crate::common::{text, vernier};
use vernier_conformance::answer::emulated::{is_correct, is_exact};
use vernier_conformance::case::{Mode, Op, Type, Unpacked, Value, Width, operations};
use vernier_conformance::subject::{Host, Subject};
use vernier_gpu::device::{Api, Device, cuda};
use vernier_gpu::kernel::{Natives, native, native_source};
use vernier_tape::registry::{self, Function};

#[test]
fn every_row_holds() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rows.json");
    let work = ["--samples", "4096", "--evaluations", "4000", "--out", text(&out)];
    vernier(&[&["accuracy", "--type", "fp64emu", "--type", "fp64emu_unpacked"][..], &work].concat()).succeeded();
    let results: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
    let rows = results["table"].as_array().unwrap();
    assert!(rows.len() > 150 && rows.iter().all(|row| row["verdict"] == "holds"), "{}", rows.len());
    assert!(rows.iter().filter(|row| row["mismatches_claimed"] == true).all(|row| row["mismatches"] == 0));
    // Directed modes are off by nearly an ulp, roundings to nearest by half of one.
    let sampled = |op: &str, level: &str| {
        let row = rows.iter().find(|r| r["type"] == "fp64emu" && r["op"] == op && r["level"] == level);
        row.and_then(|r| r["sampled"]["error"].as_f64()).unwrap_or_else(|| panic!("{op} {level}"))
    };
    assert!((0.49..=0.5).contains(&sampled("mul", "high")) && (0.9..=1.0).contains(&sampled("mul", "all.rd")));
    assert!((1e-8..4.8e-7).contains(&sampled("mul", "low")), "{}", sampled("mul", "low"));
}

/// A result of another direction, or off in its last place, is wrong.
#[test]
fn a_wrong_bit_is_noticed() {
    let third = |bits: u64| Value::Limb(Width::F64, bits);
    let args = [1.0, 3.0].map(|x: f64| Value::Limb(Width::F64, x.to_bits()));
    for ty in Type::all().filter(|ty| ty.is_emulated() && operations(*ty).any(|o| o.op == Op::Div)) {
        if ty.own() != args[0].kind() || !is_exact(ty, Op::Div) {
            continue;
        }
        let right = if ty.mode() == Some(Mode::Ru) { 0x3fd5555555555556 } else { 0x3fd5555555555555 };
        assert!(is_correct(ty, Op::Div, &args, third(right)), "{ty}");
        assert!(!is_correct(ty, Op::Div, &args, third(right + 1)) && !is_correct(ty, Op::Div, &args, third(right - 1)));
    }
    // An unpacked quotient that packs to the right double, and one that does not.
    let ty = Type::named("fp64emu_unpacked").find(|ty| ty.is_default()).unwrap();
    let args = [1.0, 3.0].map(|x| Value::Unpacked(Unpacked::of_f64(x)));
    let Value::Unpacked(third) = Host.eval(ty, Op::Div, &args).unwrap() else { panic!() };
    assert!(is_correct(ty, Op::Div, &args, Value::Unpacked(third)));
    let off = Unpacked { significand: third.significand + 512, ..third };
    assert!(!is_correct(ty, Op::Div, &args, Value::Unpacked(off)));
}

fn high() -> Vec<&'static Function> {
    registry::functions().iter().filter(|f| native(f).is_some()).collect()
}

#[test]
fn every_operation_has_a_twin_on_doubles() {
    let names: Vec<String> = high().iter().map(|f| f.name()).collect();
    assert_eq!(names.len(), 24, "{names:?}");
    let source =
        native_source(Api::Cuda, &high().into_iter().filter(|f| f.id.op_name() == "div_ru").collect::<Vec<_>>());
    assert!(source.text.contains("__##d##div_##mode") && source.text.starts_with("#define VERNIER_MUTANTS"));
}

#[test]
fn the_twins_compile_for_cuda() {
    let functions = high();
    let twins: Vec<Function> = functions.iter().filter_map(|f| native(f)).collect();
    let some: Vec<&Function> =
        functions.into_iter().chain(&twins).filter(|f| f.id.op_name().as_str().contains("div")).collect();
    match cuda::compile(&native_source(Api::Cuda, &some), "sm_90") {
        Ok(binary) => assert!(!binary.is_empty()),
        Err(vernier_gpu::device::Error::Unusable { why, .. }) => eprintln!("not compiled: {why}"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn an_opencl_device_gives_the_bits_of_its_own_doubles() {
    let device = match Device::open_all(Api::OpenCl) {
        Ok(devices) => devices.into_iter().next().unwrap(),
        Err(error) => return eprintln!("not run: {error}"),
    };
    let names = ["fp64emu_high_add", "fp64emu_high_mul", "fp64emu_fma"];
    let functions: Vec<&Function> = high().into_iter().filter(|f| names.contains(&f.name().as_str())).collect();
    let natives = Natives::compile(&device, &functions).unwrap();
    assert_eq!(natives.functions().len(), 3);
    for f in natives.functions() {
        let c = natives.compare(f, 1, 0..2).unwrap();
        assert!(c.holds() && c.cases == 2 << 16, "{c:?}");
    }
    // A product is no sum.
    let (add, mul) = (natives.functions()[0], natives.functions()[1]);
    let c = natives.compare_with(add, mul, 1, 0..1).unwrap();
    assert_eq!(c.differing_count, 1);
    assert!(c.first.unwrap().index < 64);
}
