//! Devices: the host's bits on OpenCL, failures, the cache.

use std::time::Instant;
use vernier_gpu::device::{Api, Device};
use vernier_gpu::kernel::{Kernels, compare};
use vernier_gpu::registry::{Function, functions};

/// An OpenCL device, or none and the reason printed.
fn opencl() -> Option<Device> {
    match Device::open(Api::OpenCl, 0) {
        Ok(device) => Some(device),
        Err(e) => {
            println!("SKIPPED: {e}");
            None
        }
    }
}

#[test]
fn every_function_has_the_hosts_bits() {
    let Some(device) = opencl() else { return };
    let all: Vec<&Function> = functions().iter().collect();
    let start = Instant::now();
    let kernels = [Kernels::compile(&device, &all).unwrap()];
    println!("compiled in {:?}", start.elapsed());
    for f in all {
        let c = compare(&kernels, f, 1, 0..1).unwrap();
        println!("{:24} {:.3} s, host {:.3} s", f.name(), c.seconds, c.host_seconds);
        assert!(c.holds(), "{c:#?}");
        assert_eq!(c.cases, 1 << 16);
    }
}
