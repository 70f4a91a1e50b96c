//! Devices of this host, and the host's bits on one of them: `selftest [cuda|opencl] [LOG2_BLOCKS] [FILTER]`. With
//! `compile ARCH` it only compiles every kernel for that architecture, which needs NVRTC and no device.

use std::time::Instant;
use vernier_gpu::device::{Api, Device, cuda, survey};
use vernier_gpu::faults::enumerate;
use vernier_gpu::kernel::{Kernels, compare, source};
use vernier_gpu::registry::{Function, functions};

type Failure = Box<dyn std::error::Error>;

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            std::process::ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |i: usize, default: &'static str| args.get(i).cloned().unwrap_or(default.to_string());
    if arg(0, "") == "compile" {
        return compile(&arg(1, "sm_90"), &arg(2, ""));
    }
    for d in &survey().devices {
        println!("{d:?}");
    }
    let devices = Device::open_all(arg(0, "cuda").parse::<Api>()?)?;
    check(&devices, 1 << arg(1, "4").parse::<u32>()?, &arg(2, ""))
}

fn compile(architecture: &str, filter: &str) -> Result<(), Failure> {
    let all: Vec<&Function> = functions().iter().filter(|f| f.name().contains(filter)).collect();
    let start = Instant::now();
    let code = cuda::compile(&source(Api::Cuda, &all, None), architecture)?;
    println!("{}: {} functions, {} bytes, {:?}", cuda::compiler_version()?, all.len(), code.len(), start.elapsed());
    for f in all {
        let start = Instant::now();
        let faults = enumerate(&f.tape, &f.params);
        cuda::compile(&source(Api::Cuda, &[f], Some(&faults)), architecture)?;
        println!("{}: {} faults, {:?}", f.name(), faults.len(), start.elapsed());
    }
    Ok(())
}

fn check(devices: &[Device], blocks: u64, filter: &str) -> Result<(), Failure> {
    let all: Vec<&Function> = functions().iter().filter(|f| f.name().contains(filter)).collect();
    let start = Instant::now();
    let kernels = devices.iter().map(|d| Kernels::compile(d, &all)).collect::<Result<Vec<_>, _>>()?;
    println!("{} functions on {} devices compiled in {:?}", all.len(), devices.len(), start.elapsed());
    for f in all {
        let c = compare(&kernels, f, 1, 0..blocks)?;
        let verdict = if c.holds() { "same".to_string() } else { format!("{c:#?}") };
        println!("{:26} {} cases, {:.3} s, host {:.3} s: {verdict}", f.name(), c.cases, c.seconds, c.host_seconds);
    }
    Ok(())
}
