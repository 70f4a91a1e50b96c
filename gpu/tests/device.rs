//! Devices: the host's bits on OpenCL, mutants, failures, the cache. Without an OpenCL device the tests say so and pass.

mod tools;

use std::collections::HashSet;
use tools::opencl;
use vernier_gpu::device::{Api, Device, Error, Source, Unusable, cache, cuda, survey};
use vernier_gpu::kernel::{Kernels, Mutated, compare, contracted, source};
use vernier_tape::cases::arguments;
use vernier_tape::io::Kind;
use vernier_tape::mutants::{mutants, one_nan};
use vernier_tape::registry::{Function, find, functions};

#[test]
fn every_function_has_the_hosts_bits() {
    let Some(device) = opencl() else { return };
    let all: Vec<&Function> = functions().iter().collect();
    let kernels = [Kernels::compile(&device, &all).unwrap()];
    for f in all {
        let c = compare(&kernels, f, 1, 0..2).unwrap();
        assert!(c.holds(), "{c:#?}");
        assert_eq!(c.cases, 1 << 17, "{}", f.name());
    }
}

#[test]
fn beyond_the_first_cases() {
    let Some(device) = opencl() else { return };
    let functions = [find("fp32mp2", "mul", "high").unwrap(), find("fp64mp2", "fma", "high").unwrap()];
    let kernels = [Kernels::compile(&device, &functions).unwrap()];
    for f in functions {
        let c = compare(&kernels, f, 7, 1000..1004).unwrap();
        assert!(c.holds(), "{c:#?}");
    }
}

#[test]
fn a_map_has_the_hosts_bits_and_checks_its_arguments() {
    let Some(device) = opencl() else { return };
    let f = find("fp64mp2", "div", "high").unwrap();
    let kernels = Kernels::compile(&device, &[f]).unwrap();
    let n = 1000;
    let rows: Vec<Vec<u64>> = (0..n).map(|i| arguments(&f.params, 3, i)).collect();
    let columns: Vec<Vec<u64>> = (0..4).map(|s| rows.iter().map(|r| r[s]).collect()).collect();
    assert_eq!(kernels.cases(&f.params, 3, 0, n as usize).unwrap(), columns);
    let results = kernels.map(f, &columns).unwrap();
    let types: Vec<_> = f.tape.results().collect();
    for (i, row) in rows.iter().enumerate() {
        for (slot, &expected) in f.host(row).iter().enumerate() {
            assert_eq!(one_nan(types[slot], results[slot][i]), one_nan(types[slot], expected), "{row:x?}");
        }
    }
    assert_eq!(kernels.map(f, &vec![Vec::new(); 4]).unwrap(), vec![Vec::<u64>::new(); 2]);
    assert!(matches!(kernels.map(f, &columns[..3]), Err(Error::Arguments { .. })));
    let other = find("fp64mp2", "add", "high").unwrap();
    assert!(matches!(kernels.map(other, &columns), Err(Error::Arguments { .. })));
}

#[test]
fn a_build_with_contraction_differs() {
    let Some(device) = opencl() else { return };
    let f = find("fp32mp2", "add", "mid").unwrap();
    let kernels = [Kernels::contracted(&device, &[f]).unwrap()];
    let c = compare(&kernels, f, 1, 0..1).unwrap();
    assert!(!c.holds());
    let first = c.first.expect("the first case that differs");
    assert_eq!(first.args, arguments(&f.params, 1, first.index));
    assert_ne!(first.host, first.device);
    assert!(c.builds[0].options.contains(&"-cl-fast-relaxed-math".to_string()));
}

#[test]
fn mutants_are_killed() {
    let Some(device) = opencl() else { return };
    for (family, op, level) in [("fp32mp2", "mul", "mid"), ("fp64mp2", "acc", "low"), ("fp32mp2", "add", "high")] {
        let f = find(family, op, level).unwrap();
        let mutated = Mutated::compile(&device, f).unwrap();
        let killed = mutated.kill(1, 0..4).unwrap();
        let survivors: Vec<String> = killed.survivors().map(|i| mutated.mutants()[i].to_string()).collect();
        println!("{}: {} mutants, {} survive: {survivors:#?}", f.name(), mutated.mutants().len(), survivors.len());
        assert_eq!((killed.by.len(), killed.control), (mutated.mutants().len(), None));
        assert!(survivors.len() * 4 < mutated.mutants().len(), "{}", f.name());
    }
}

/// Two pairs, limb by limb.
type Two = (f32, f32, f32, f32);

#[test]
fn generated_cases_are_of_all_sorts() {
    let n = 1 << 16;
    let pairs: Vec<Two> = (0..n)
        .map(|i| {
            let a = arguments(&[Kind::Pair32, Kind::Pair32], 5, i);
            let f = |k: usize| f32::from_bits(a[k] as u32);
            (f(0), f(1), f(2), f(3))
        })
        .collect();
    let share = |test: &dyn Fn(&Two) -> bool| pairs.iter().filter(|x| test(x)).count() as u64 * 1000 / n;
    // Of a thousand cases.
    assert!(share(&|x| x.0.is_nan()) > 0);
    assert!(share(&|x| x.0.is_infinite()) > 0);
    assert!(share(&|x| x.0.is_subnormal()) > 10);
    assert!(share(&|x| x.1 == 0.0) > 50);
    assert!(share(&|x| x.0.is_normal() && x.0 + x.1 == x.0 && x.1 != 0.0) > 300);
    assert!(share(&|x| x.1.abs() > x.0.abs()) > 10);
    assert!(share(&|x| x.0 == -x.2 && x.0 != 0.0) > 50);
    assert!(share(&|x| x.0 == -x.2 && x.1 != -x.3 && x.0 != 0.0) > 50);
    assert!(share(&|x| (0.001..1000.0).contains(&x.0.abs()) && (0.001..1000.0).contains(&x.2.abs())) > 200);
    let distinct: HashSet<Vec<u64>> = (0..n).map(|i| arguments(&[Kind::Pair64], 5, i)).collect();
    assert!(distinct.len() as u64 > n * 8 / 10, "{}", distinct.len());
    for (kind, low, high) in [(Kind::I8, -128i64, 127), (Kind::U16, 0, 65535), (Kind::I16, -32768, 32767)] {
        let values: HashSet<i64> = (0..n).map(|i| arguments(&[kind], 5, i)[0] as u32 as i32 as i64).collect();
        assert_eq!((values.iter().min(), values.iter().max()), (Some(&low), Some(&high)), "{kind:?}");
    }
}

#[test]
fn a_source_that_does_not_compile() {
    let Some(device) = opencl() else { return };
    let source = Source::new("broken.cl", "void f(void) {}\n__kernel void k(void) {\n    int a = b;\n}\n");
    let Err(Error::Compile { errors, log, .. }) = device.compile(&source) else { panic!("it compiles") };
    assert_eq!((errors[0].file.as_str(), errors[0].line), ("broken.cl", 3), "{log}");
    assert!(errors[0].text.contains('b'), "{log}");
}

#[test]
fn failures_have_their_reasons() {
    if let Some(device) = opencl() {
        let found = survey().devices.iter().filter(|d| d.api == Api::OpenCl).count();
        let absent = Device::open(Api::OpenCl, 999).unwrap_err();
        assert_eq!(absent, Error::NoSuchDevice { api: Api::OpenCl, index: 999, found });
        assert!(matches!(device.zeros::<u64>(1 << 50), Err(Error::OutOfMemory { .. })));
        assert!(matches!(device.zeros::<u64>(usize::MAX), Err(Error::OutOfMemory { .. })));
        let text = "__kernel void k(__global uint *x, uint n) { x[get_global_id(0)] = n; }";
        let program = device.compile(&Source::new("k.cl", text)).unwrap();
        assert!(matches!(program.kernel("absent"), Err(Error::Arguments { .. })));
        assert!(matches!(program.kernel("a\0b"), Err(Error::Arguments { .. })));
        let (kernel, buffer) = (program.kernel("k").unwrap(), device.zeros::<u32>(64).unwrap());
        assert!(matches!(device.launch(&kernel, 1, 64, &[buffer.arg()]), Err(Error::Arguments { .. })));
        assert!(matches!(device.launch(&kernel, 1, 64, &[buffer.arg(), 1u64.into()]), Err(Error::Arguments { .. })));
        let start = device.event().unwrap();
        device.launch(&kernel, 4, 16, &[buffer.arg(), 7u32.into()]).unwrap();
        let end = device.event().unwrap();
        assert_eq!(device.download(&buffer).unwrap(), vec![7; 64]);
        assert!(start.until(&end).unwrap().as_secs() < 60);
    }
    // Without a driver the reason is typed; with one a device opens or says why not.
    match Device::open(Api::Cuda, 0) {
        Ok(device) => assert!(device.description().architecture.starts_with("sm_")),
        Err(Error::Unusable { why: Unusable::NoDriver { library }, .. }) => assert_eq!(library, "libcuda"),
        Err(e) => assert!(!e.to_string().is_empty()),
    }
    assert!("metal".parse::<Api>().is_err());
}

#[test]
fn programs_are_cached_and_damage_is_noticed() {
    let Some(device) = opencl() else { return };
    let folder = cache::folder().expect("the tests run with a cache");
    let text = format!("__kernel void k(__global uint *x) {{ x[0] = {}u; }}", std::process::id());
    let source = Source::new("cached.cl", text);
    let run = || {
        let program = device.compile(&source).unwrap();
        let buffer = device.zeros::<u32>(1).unwrap();
        device.launch(&program.kernel("k").unwrap(), 1, 1, &[buffer.arg()]).unwrap();
        assert_eq!(device.download(&buffer).unwrap(), [std::process::id()]);
        cache::Key::new(&source, program.build())
    };
    let key = run();
    let path = key.path().unwrap();
    assert!(path.starts_with(folder));
    let kept = key.read().expect("it was kept");
    run();
    std::fs::write(path, b"damaged").unwrap();
    assert_eq!(key.read(), None);
    run();
    assert!(key.read().is_some());
    // Well-formed, and no program: the driver refuses it.
    key.write(b"no program");
    run();
    assert_ne!(key.read().as_deref(), Some(&b"no program"[..]));
    assert!(!kept.is_empty());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn kernels_compile_for_cuda() {
    if let Err(why) = cuda::compiler_version() {
        println!("SKIPPED: {why}");
        return;
    }
    let all: Vec<&Function> = functions().iter().collect();
    assert!(!cuda::compile(&source(Api::Cuda, &all, None), "sm_90").unwrap().is_empty());
    let f = find("fp64mp2", "mul", "high").unwrap();
    let mutants = mutants(&f.tape, &f.params);
    cuda::compile(&source(Api::Cuda, &[f], Some(&mutants)), "sm_90").unwrap();
    cuda::compile(&contracted(Api::Cuda, &[f]), "sm_90").unwrap();
    let broken = Source::new("broken.cu", "__device__ void f() {}\nextern \"C\" __global__ void k() { int a = b; }\n");
    let Err(Error::Compile { errors, log, .. }) = cuda::compile(&broken, "sm_90") else { panic!("it compiles") };
    assert_eq!((errors[0].file.as_str(), errors[0].line), ("broken.cu", 2), "{log}");
    let old = cuda::compile(&broken, "sm_20");
    assert!(matches!(old, Err(Error::Unusable { why: Unusable::Architecture { .. }, .. })), "{old:?}");
}
