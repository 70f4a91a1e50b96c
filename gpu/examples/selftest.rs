//! The devices of this host, and the host's bits on them.
//!
//! - `selftest cuda|opencl LOG2_BLOCKS FILTER`: every function whose name contains FILTER, 2^(16 + LOG2_BLOCKS) cases;
//! - `selftest mutants cuda|opencl LOG2_BLOCKS FILTER`: all mutants of these functions;
//! - `selftest errors cuda|opencl`: what failures look like;
//! - `selftest contracted cuda|opencl`: a bad build of two functions, which must differ;
//! - `selftest seeds LOG2_DOUBLES`: the fast reciprocals and roots of each CUDA device;
//! - `selftest compile ARCH FILTER`: compiles every kernel for a CUDA architecture; needs NVRTC and no device;
//! - `selftest host FILTER`: nanoseconds a case on one thread of the host.

use rayon::prelude::*;
use std::process::ExitCode;
use std::time::Instant;
use vernier_gpu::device::{Api, Device, Error, Source, cuda, survey};
use vernier_gpu::kernel::{Kernels, Mutated, compare, seeds, source};
use vernier_tape::cases::BLOCK;
use vernier_tape::mutants::mutants;
use vernier_tape::registry::{Function, functions};

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(e) => {
            eprintln!("{e}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[&str]) -> Result<bool, Failure> {
    let arg = |i: usize, default: &'static str| args.get(i).copied().unwrap_or(default);
    match arg(0, "") {
        "compile" => compile(arg(1, "sm_90"), arg(2, "")),
        "host" => host(arg(1, "")),
        "mutants" => survivors(&open(arg(1, "cuda"))?[0], 1 << arg(2, "4").parse::<u32>()?, arg(3, "")),
        "errors" => errors(&open(arg(1, "cuda"))?[0]),
        "contracted" => {
            let (device, functions) = (&open(arg(1, "cuda"))?[0], named("mid_fma"));
            let kernels = [Kernels::contracted(device, &functions)?];
            let all = functions.iter().map(|f| compare(&kernels, f, 1, 0..4)).collect::<Result<Vec<_>, _>>()?;
            println!("{all:?}");
            Ok(all.iter().all(|c| !c.holds()))
        }
        "seeds" => {
            let count = 1 << arg(1, "32").parse::<u32>()?;
            let all = open("cuda")?.iter().map(|d| seeds(d, count)).collect::<Result<Vec<_>, _>>()?;
            println!("{all:?}");
            Ok(all.iter().flatten().all(|s| s.hold()))
        }
        api => check(&open(api)?, 1 << arg(1, "4").parse::<u32>()?, arg(2, "")),
    }
}

fn open(api: &str) -> Result<Vec<Device>, Failure> {
    let api = api.parse::<Api>()?;
    let survey = survey();
    survey.devices.iter().for_each(|d| println!("{d:?}"));
    survey.absent.iter().for_each(|(api, why)| println!("{api}: {why}"));
    Ok(Device::open_all(api)?)
}

fn named(filter: &str) -> Vec<&'static Function> {
    functions().iter().filter(|f| f.name().contains(filter)).collect()
}

fn compile(architecture: &str, filter: &str) -> Result<bool, Failure> {
    let start = Instant::now();
    let code = cuda::compile(&source(Api::Cuda, &named(filter), None), architecture)?;
    println!("{}: {} bytes, {:?}", cuda::compiler_version()?, code.len(), start.elapsed());
    for f in named(filter) {
        let start = Instant::now();
        let mutants = mutants(&f.tape, &f.params);
        cuda::compile(&source(Api::Cuda, &[f], Some(&mutants)), architecture)?;
        println!("{}: {} mutants, {:?}", f.name(), mutants.len(), start.elapsed());
    }
    Ok(true)
}

fn host(filter: &str) -> Result<bool, Failure> {
    for f in named(filter) {
        let block = |i: u64| {
            let start = Instant::now();
            std::hint::black_box((f.hash)(1, 1024 + i));
            start.elapsed().as_secs_f64()
        };
        let best = (0..24u64).map(block).fold(f64::INFINITY, f64::min);
        println!("{:26} {:.1} ns", f.name(), best * 1e9 / BLOCK as f64);
    }
    Ok(true)
}

fn check(devices: &[Device], blocks: u64, filter: &str) -> Result<bool, Failure> {
    let all = named(filter);
    let start = Instant::now();
    let kernels = devices.iter().map(|d| Kernels::compile(d, &all)).collect::<Result<Vec<_>, _>>()?;
    println!("{} functions on {} devices compiled in {:?}", all.len(), devices.len(), start.elapsed());
    let mut holds = true;
    for f in all {
        let c = compare(&kernels, f, 1, 0..blocks)?;
        let verdict = if c.holds() { "same".to_string() } else { format!("{c:?}") };
        let (all, host, device) = (c.seconds, c.host_seconds, c.device_seconds);
        let cases = c.cases.ilog2();
        println!("{:26} 2^{cases} {all:.3} s, host {host:.3} s, device {device:.3} s: {verdict}", f.name());
        holds &= c.holds();
    }
    Ok(holds)
}

fn survivors(device: &Device, blocks: u64, filter: &str) -> Result<bool, Failure> {
    let start = Instant::now();
    let compiled: Vec<_> = named(filter).into_par_iter().map(|f| (f, Mutated::compile(device, f))).collect();
    println!("compiled in {:?}", start.elapsed());
    for (f, mutated) in compiled {
        let (mutated, start) = (mutated?, Instant::now());
        let killed = mutated.kill(1, 0..blocks)?;
        let survivors: Vec<String> = killed.survivors().map(|i| mutated.mutants()[i].to_string()).collect();
        let n = mutated.mutants().len();
        println!("{:26} {n} mutants, {} survive, {:.3?}", f.name(), survivors.len(), start.elapsed());
        if let Some(block) = killed.control {
            println!("    without a mutant block {block} differs from the host");
        }
        if std::env::var_os("SURVIVORS").is_some() {
            survivors.iter().for_each(|s| println!("    {s}"));
        }
    }
    Ok(true)
}

fn errors(device: &Device) -> Result<bool, Failure> {
    let show = |what: &str, e: Error| println!("{what}: {e}");
    device.zeros::<u8>(1 << 42).map_err(|e| show("4 TiB", e)).err();
    device.compile(&Source::new("broken.cu", "void f() {\n  int a = b;\n}\n")).map_err(|e| show("broken", e)).err();
    if device.api() == Api::Cuda {
        let text = "extern \"C\" __global__ void wild(unsigned long long p) { *(volatile int *)p = 1; }";
        let kernel = device.compile(&Source::new("wild.cu", text))?.kernel("wild")?;
        device.launch(&kernel, 1, 1, &[]).map_err(|e| show("no argument", e)).err();
        device.launch(&kernel, 1, 1, &[1u32.into()]).map_err(|e| show("short argument", e)).err();
        device.launch(&kernel, 1, 1, &[16u64.into()])?;
        device.synchronize().map_err(|e| show("wild write", e)).err();
        device.zeros::<u8>(1).map_err(|e| show("afterwards", e)).err();
    }
    Ok(true)
}
