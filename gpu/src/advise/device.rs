//! The kernel on a CUDA device.

use super::{Candidate, Kernel, THREADS};
use crate::bench::{Timing, time};
use crate::device::{Arg, Buffer, Device, Error, Program, Resources, cuda};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io;

/// What is run.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its data.
    pub data: &'a [Vec<f64>],
    /// How many items.
    pub items: u64,
    /// Whether they are summed.
    pub sums: bool,
    /// Launches that are timed.
    pub launches: u32,
}

/// What one candidate gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The values of the items, then the sum if one was asked for, hi and lo of each.
    #[serde(skip)]
    pub values: Vec<f64>,
    /// The time of the kernel: of a map it stores every item, of a sum the threads' sums.
    pub timing: Timing,
    /// What a thread takes.
    pub resources: Option<Resources>,
}

/// Items whose values are brought back at a time.
const BATCH: u64 = 1 << 20;

/// Runs every candidate; `start` and `end` are told before and after each, by its place. Those that do not compile are found
/// without the device.
///
/// # Errors
/// If `start` or `end` fail, or what does compile alone does not together.
pub fn measure_all<E: From<Error> + From<io::Error>>(
    device: &Device,
    job: Job<'_>,
    candidates: &[Candidate],
    start: impl Fn(usize) -> io::Result<()>,
    end: impl Fn(usize, Result<Measured, Error>) -> Result<(), E>,
) -> Result<(), E> {
    let inputs = job.data.iter().map(|x| device.upload(x)).collect::<Result<Vec<_>, _>>()?;
    let compile = |good: &[Candidate]| device.compile(&job.kernel.cuda(good, job.sums));
    let mut places: Vec<usize> = (0..candidates.len()).collect();
    let program = match compile(candidates) {
        Err(Error::Compile { .. }) => {
            let architecture = &device.description().architecture;
            let alone = |&i: &usize| cuda::compile(&job.kernel.cuda(&candidates[i..=i], job.sums), architecture).err();
            let faults: Vec<Option<Error>> = places.par_iter().map(alone).collect();
            places.retain(|&i| faults[i].is_none());
            for (i, fault) in faults.into_iter().enumerate() {
                fault.map_or(Ok(()), |fault| end(i, Err(fault)))?;
            }
            let good: Vec<Candidate> = places.iter().map(|&i| candidates[i]).collect();
            compile(&good)?
        }
        other => other?,
    };
    for (k, &place) in places.iter().enumerate() {
        start(place)?;
        end(place, measure(device, &program, k, job, &inputs))?;
    }
    Ok(())
}

fn measure(
    device: &Device,
    program: &Program,
    k: usize,
    job: Job<'_>,
    inputs: &[Buffer<f64>],
) -> Result<Measured, Error> {
    let items = job.items;
    let kernel = |what: &str| program.kernel(&format!("advise_{what}_{k}"));
    let (size, threads) = (256u32, items.min(THREADS));
    let groups = threads.div_ceil(size.into()) as u32;
    let mut values = Vec::new();
    let batch = device.zeros::<f64>(2 * items.min(BATCH) as usize)?;
    let valued = kernel("values")?;
    for first in (0..items).step_by(BATCH as usize) {
        let last = (first + BATCH).min(items);
        device.launch(&valued, groups, size, &with(inputs, [items.into(), first.into(), last.into(), batch.arg()]))?;
        let found = device.download(&batch)?;
        values.extend_from_slice(&found[..2 * (last - first) as usize]);
    }
    let timed = kernel("timed")?;
    // Threads beyond the items of a sum give zeros, which are not added.
    let words = if job.sums { u64::from(groups * size) } else { items };
    let out = device.zeros::<[u64; 2]>(words as usize)?;
    let launch = || device.launch(&timed, groups, size, &with(inputs, [items.into(), out.arg()]));
    launch()?;
    device.synchronize()?;
    let timing = time(device, job.launches, launch)?;
    if job.sums {
        let total = device.zeros::<f64>(2)?;
        device.launch(&kernel("total")?, 1, 1, &[threads.into(), out.arg(), total.arg()])?;
        values.extend(device.download(&total)?);
    }
    Ok(Measured { values, timing, resources: timed.resources() })
}

/// The data, then other arguments.
fn with<'a, const N: usize>(inputs: &'a [Buffer<f64>], rest: [Arg<'a>; N]) -> Vec<Arg<'a>> {
    inputs.iter().map(Buffer::arg).chain(rest).collect()
}
