//! How fast the twin is beside a copy, and the parallel host beside the sequential one.

use super::device::{self, Resident, Shape};
use super::model::Sums;
use super::{parallel, reference};
use crate::On;
use crate::frame::{Content, Plane, Samples};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::time::Instant;
use vernier_gpu::bench::{Timing, time};
use vernier_gpu::device::{Build, Device, Error, Source};

/// Speeds of 3840x2160 planes of 16 bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// The device; none for the host.
    pub build: Option<Build>,
    /// Pairs of planes.
    pub pairs: usize,
    /// Seconds for their moments: the median.
    pub seconds: f64,
    /// Bytes read in a second.
    pub bytes_per_second: f64,
    /// On a device: bytes that a copy reads and writes in a second. On the host: bytes a second of the sequential reference.
    pub beside: f64,
    /// Whether the results are the host's to the bit.
    pub same_bits: bool,
}

impl Speed {
    /// Over what it is measured beside.
    pub fn ratio(&self) -> f64 {
        self.bytes_per_second / self.beside
    }
}

const SIZE: (usize, usize) = (3840, 2160);
const LAUNCHES: u32 = 9;
/// The copy counts 16 bytes in 32 bits.
const MOST: usize = 2048;

fn planes(pairs: usize) -> Vec<Plane> {
    let plane = |k: usize| Content::Noise.plane(SIZE, SIZE.0, 16, k as u64).expect("a plane of this size");
    (0..2 * pairs).into_par_iter().map(plane).collect()
}

/// Measures `pairs` pairs of planes, at least one and at most 2048: all of them resident in the memory of the device, or on all cores of the host against the
/// sequential reference.
///
/// # Errors
/// If the device fails, or has too little memory.
pub fn speed(device: Option<&Device>, pairs: usize) -> Result<Speed, Error> {
    let pairs = pairs.clamp(1, MOST);
    match device {
        Some(device) => on_device(device, pairs),
        None => Ok(on_host(pairs)),
    }
}

fn on_host(pairs: usize) -> Speed {
    let planes = planes(pairs);
    let bytes = (planes.len() * SIZE.0 * SIZE.1 * 2) as f64;
    let mut same_bits = true;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..LAUNCHES {
        let start = Instant::now();
        let a: Vec<_> = planes.iter().map(parallel).collect();
        ours.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let b: Vec<_> = planes.iter().map(reference).collect();
        theirs.push(start.elapsed().as_secs_f64());
        same_bits &= a == b;
    }
    let [seconds, sequential] = [ours, theirs].map(|times| Timing::of(times).median);
    Speed { build: None, pairs, seconds, bytes_per_second: bytes / seconds, beside: bytes / sequential, same_bits }
}

fn on_device(device: &Device, pairs: usize) -> Result<Speed, Error> {
    let api = device.api();
    let name = if api == vernier_gpu::device::Api::Cuda { "moments.cu" } else { "moments.cl" };
    let program = device.compile(&Source::new(name, device::source(api)))?;
    let on = On { device, program: &program };
    let planes = planes(pairs);
    let pitch = SIZE.0 * SIZE.1;
    let mut all = Vec::with_capacity(planes.len() * pitch);
    for plane in &planes {
        if let Samples::U16(s) = plane.samples() {
            all.extend_from_slice(s);
        }
    }
    let bytes = all.len() * 2;
    let samples = device.upload(&all)?;
    drop(all);
    let shape = Shape { width: SIZE.0, height: SIZE.1, stride: SIZE.0, bits: 16 };
    let resident = Resident { samples, shape, planes: planes.len(), pitch };
    let parts = resident.parts(api) as usize;
    let out = device.zeros::<u64>(2 * parts * planes.len())?;
    let seconds_of = |launch: &dyn Fn() -> Result<(), Error>| -> Result<f64, Error> {
        launch()?;
        Ok(time(device, LAUNCHES, launch)?.median)
    };
    let seconds = seconds_of(&|| resident.launch(&on, &out))?;
    let found = device::gather(&device.download(&out)?, parts);
    let same_bits = planes.par_iter().zip(found).all(|(p, sums)| Sums::of(p) == sums);

    let to = device.zeros::<u16>(bytes / 2)?;
    let kernel = program.kernel("copy")?;
    let copy = seconds_of(&|| {
        let args = [resident.samples.arg(), to.arg(), ((bytes / 16) as u32).into()];
        device.launch(&kernel, (parts * planes.len()) as u32, device::group_size(api), &args)
    })?;
    Ok(Speed {
        build: Some(program.build().clone()),
        pairs,
        seconds,
        bytes_per_second: bytes as f64 / seconds,
        beside: 2.0 * bytes as f64 / copy,
        same_bits,
    })
}
