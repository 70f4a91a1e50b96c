//! Frame moments on a device.

use super::model::Sums;
use crate::On;
use crate::frame::{Frames, Plane, Samples};
use bytemuck::Pod;
use vernier_gpu::device::{Api, Buffer, Error};
use vernier_gpu::kernel::{dialect, environment};

/// The source for a kind of device.
pub(super) fn source(api: Api) -> String {
    // Name, sample, samples in 16 bytes, type of a block's sums, bits, mask, square.
    let kernels = [
        ["bytes", "u8", "16", "block", "8", "0xff", "((s) * (s))"],
        ["exact", "u16", "8", "block", "16", "0xffff", "((s) * (s))"],
        ["rounded", "u16", "8", "total", "16", "0xffff", "ROUNDED_SQUARE(s)"],
    ];
    let kernels = kernels.map(|k| {
        let names = ["$name", "$sample", "$n", "$block", "$bits", "$mask", "$square"];
        names.iter().zip(k).fold(include_str!("plane.txt").to_string(), |text, (name, value)| text.replace(name, value))
    });
    let ours = match api {
        Api::Cuda => include_str!("cuda.txt"),
        Api::OpenCl => include_str!("opencl.txt"),
    };
    let kernels = include_str!("kernel.txt").replace("$kernels", &kernels.concat());
    [&dialect(api).prelude(), environment(api), ours, &kernels].concat()
}

/// Threads in a group: `GROUP_SIZE` in the source.
pub(super) fn group_size(api: Api) -> u32 {
    match api {
        Api::Cuda => 256,
        Api::OpenCl => 16,
    }
}

/// The moments of both planes.
pub(super) fn run(on: &On<'_>, frames: &Frames) -> Result<Vec<f64>, Error> {
    let of = |plane: &Plane| -> Result<[f64; 2], Error> {
        let sums = match plane.samples() {
            Samples::U8(s) => Resident::upload(on, plane, s)?.sums(on)?,
            Samples::U16(s) => Resident::upload(on, plane, s)?.sums(on)?,
        };
        Ok(sums[0].moments(plane))
    };
    Ok([of(&frames.reference)?, of(&frames.distorted)?].concat())
}

/// Planes of one shape in the memory of a device, `pitch` samples apart.
pub(super) struct Resident<T> {
    pub samples: Buffer<T>,
    pub shape: Shape,
    pub planes: usize,
    pub pitch: usize,
}

/// The shape of a plane.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub width: usize,
    pub height: usize,
    pub stride: usize,
    pub bits: u32,
}

impl<T: Pod> Resident<T> {
    fn upload(on: &On<'_>, plane: &Plane, samples: &[T]) -> Result<Self, Error> {
        let (width, height, stride, bits) = (plane.width(), plane.height(), plane.stride(), plane.bits());
        let shape = Shape { width, height, stride, bits };
        Ok(Resident { samples: on.device.upload(samples)?, shape, planes: 1, pitch: 0 })
    }

    /// The groups of threads that work on one plane.
    pub fn parts(&self, api: Api) -> u32 {
        const BLOCKS_OF_A_THREAD: u64 = 8;
        let blocks = (self.shape.width * self.shape.height * size_of::<T>()) as u64 / 16;
        (blocks / (u64::from(group_size(api)) * BLOCKS_OF_A_THREAD)).clamp(1, 4096) as u32
    }

    /// Asks for the sums, by group.
    pub fn launch(&self, on: &On<'_>, out: &Buffer<u64>) -> Result<(), Error> {
        let (api, Shape { width, height, stride, bits }) = (on.device.api(), self.shape);
        let name = match (size_of::<T>(), bits) {
            (1, _) => "bytes",
            (_, 9..=12) => "exact",
            _ => "rounded",
        };
        let kernel = on.program.kernel(&format!("moments_{name}"))?;
        let on_16 = |samples: usize| (samples * size_of::<T>()).is_multiple_of(16);
        // Rows without gaps are one long row.
        let (width, rows) = if stride == width { (width * height, 1) } else { (width, height) };
        let aligned = on_16(self.pitch) && (rows == 1 || on_16(stride));
        let parts = self.parts(api);
        let args = [
            self.samples.arg(),
            (self.pitch as u64).into(),
            (stride as u64).into(),
            (width as u32).into(),
            (rows as u32).into(),
            parts.into(),
            u32::from(aligned).into(),
            (bits - 8).into(),
            out.arg(),
        ];
        on.device.launch(&kernel, parts * self.planes as u32, group_size(api), &args)
    }

    /// The sums of every plane.
    pub fn sums(&self, on: &On<'_>) -> Result<Vec<Sums>, Error> {
        let parts = self.parts(on.device.api()) as usize;
        let out = on.device.zeros::<u64>(2 * parts * self.planes)?;
        self.launch(on, &out)?;
        Ok(gather(&on.device.download(&out)?, parts))
    }
}

/// The sums of planes from those of their parts. A broken kernel's may be anything.
pub(super) fn gather(out: &[u64], parts: usize) -> Vec<Sums> {
    let plane = |groups: &[u64]| {
        let add = |slot: usize| groups.iter().skip(slot).step_by(2).fold(0u64, |a, &x| a.wrapping_add(x));
        Sums { sum: add(0), squares: add(1) }
    };
    out.chunks(2 * parts).map(plane).collect()
}
