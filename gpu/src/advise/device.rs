//! The kernel on a CUDA device.

use super::{Candidate, Kernel, THREADS, symbol};
use crate::bench::{Division, PARTS, Timing, time};
use crate::device::{Arg, Buffer, Device, Error, Program, Resources};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
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
    /// Who computes which items, where two types share them.
    #[serde(default)]
    pub division: Option<Division>,
}

/// Items whose values are brought back at a time.
const BATCH: u64 = 1 << 20;

/// Runs every candidate; `start` and `end` are told before and after each, by its place. Those that do not compile are found
/// without the device.
///
/// # Errors
/// If `start` or `end` fail, or the device.
pub fn measure_all<E: From<Error> + From<io::Error>>(
    device: &Device,
    job: Job<'_>,
    candidates: &[Candidate],
    start: impl Fn(usize) -> io::Result<()>,
    end: impl Fn(usize, Result<Measured, Error>) -> Result<(), E>,
) -> Result<(), E> {
    let inputs = job.data.iter().map(|x| device.upload(x)).collect::<Result<Vec<_>, _>>()?;
    let compiled = job.kernel.compiled(candidates, job.sums, &device.description().architecture)?;
    for (k, one) in compiled.into_iter().enumerate() {
        let one = match one {
            Err(fault) => {
                end(k, Err(fault))?;
                continue;
            }
            Ok(one) => one,
        };
        start(k)?;
        let program = (&device.load(&one.source, one.code)?, one.place);
        let measure = if candidates[k].beside.is_some() { measure_shared } else { measure };
        end(k, measure(device, program, job, &inputs))?;
    }
    Ok(())
}

fn measure(
    device: &Device,
    (program, place): (&Program, usize),
    job: Job<'_>,
    inputs: &[Buffer<f64>],
) -> Result<Measured, Error> {
    let items = job.items;
    let kernel = |what: &str| program.kernel(&symbol(place, what));
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
    Ok(Measured { values, timing, resources: timed.resources(), division: None })
}

/// Distances of shares that are tried, first all over, then around the fastest.
const DISTANCES: [u32; 3] = [PARTS / 8, PARTS / 32, PARTS / 128];

/// Of all divisions that a search tries the fastest.
fn measure_shared(
    device: &Device,
    (program, place): (&Program, usize),
    job: Job<'_>,
    inputs: &[Buffer<f64>],
) -> Result<Measured, Error> {
    let items = job.items;
    let (size, groups) = (256u32, items.min(THREADS).div_ceil(256) as u32);
    let units = u64::from(device.description().units.max(1));
    let timed = program.kernel(&symbol(place, "timed"))?;
    let out = device.zeros::<f64>(items as usize)?;
    let run = |division: Division, launches| {
        let (first, slices) = (division.items(items), u64::from(division.slices));
        let launch = || {
            let rest = [items.into(), first.into(), slices.into(), units.into(), out.arg()];
            device.launch(&timed, groups, size, &with(inputs, rest))
        };
        time(device, launches, launch)
    };
    let mut best: Option<(Division, f64)> = None;
    let mut tried = BTreeSet::new();
    for distance in DISTANCES {
        let (least, most) = best
            .map_or((0, PARTS), |(d, _)| (d.share.saturating_sub(4 * distance), (d.share + 4 * distance).min(PARTS)));
        for share in (least + distance..most).step_by(distance as usize) {
            let near = |d: &Division| best.is_none_or(|(b, _)| b.slices.abs_diff(d.slices) < 2);
            let divisions: Vec<Division> = Division::of(share).filter(near).collect();
            for division in divisions {
                if !tried.insert((share, division.slices)) {
                    continue;
                }
                let seconds = run(division, 3)?.least;
                if best.is_none_or(|(_, least)| seconds < least) {
                    best = Some((division, seconds));
                }
            }
        }
    }
    let division = best.map_or(Division { share: PARTS / 2, slices: 4 }, |(division, _)| division);
    let timing = run(division, job.launches)?;
    let values = device.download(&out)?.into_iter().flat_map(|x| [x, 0.0]).collect();
    Ok(Measured { values, timing, resources: timed.resources(), division: Some(division) })
}

/// The data, then other arguments.
fn with<'a, const N: usize>(inputs: &'a [Buffer<f64>], rest: [Arg<'a>; N]) -> Vec<Arg<'a>> {
    inputs.iter().map(Buffer::arg).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Candidate, compiler};
    use super::*;
    use crate::device::cuda;
    use std::process::Command;

    /// What stands for CUDA: every thread of a grid in turn, each item counted where it is computed.
    const GRID: &str = r#"
#include <initializer_list>
#define __global__
struct place { unsigned x; } threadIdx, blockIdx, blockDim, gridDim;
int seen[2][3000];
template <class T> struct Counting { static T item(long, long i) { seen[sizeof(T) == 8][i]++; return T(i + 1); } };
"#;
    const MAIN: &str = r#"
int main()
{
    static double out[3000];
    for (long n : {1L, 255L, 3000L})
        for (long slices = 1; slices < 8; slices++)
            for (long first : {0L, n / 5, n}) {
                for (int k = 0; k < 3000; k++) seen[0][k] = seen[1][k] = 0;
                gridDim.x = (n + 255) / 256;
                for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
                    for (threadIdx.x = 0; threadIdx.x < 256; threadIdx.x++) advise_timed(n, first, slices, 3, out);
                for (long i = 0; i < n; i++)
                    if (seen[0][i] != (i < first) || seen[1][i] != (i >= first) || out[i] != i + 1) return 1;
            }
    return 0;
}
"#;

    #[test]
    fn every_item_is_computed_once_and_in_its_type() {
        let kernel = Kernel {
            file: String::new(),
            folder: std::path::PathBuf::new(),
            text: String::new(),
            name: "Counting".into(),
            arrays: 0,
        };
        let text = kernel.fill(include_str!("cuda_shared.txt"));
        let text = text.replace("$type", "double").replace("$beside", "float");
        let folder = tempfile::tempdir().unwrap();
        let (source, program) = (folder.path().join("grid.cpp"), folder.path().join("grid"));
        std::fs::write(&source, [GRID, &text, MAIN].concat()).unwrap();
        let built = Command::new(compiler().unwrap()).arg(&source).arg("-o").arg(&program).status().unwrap();
        assert!(built.success() && Command::new(&program).status().unwrap().success());
    }

    /// The program of two types on two pipes is one that compiles.
    #[test]
    fn shared_items_compile() {
        if cuda::compiler_version().is_err() {
            return println!("SKIPPED: no NVRTC");
        }
        let text = "template <class T> struct Third { static __device__ T item(const double *x, long, long i) { return T(x[i]) / T(3); } };";
        let kernel =
            Kernel { text: text.into(), name: "Third".into(), arrays: 1, file: "third.cuh".into(), folder: "".into() };
        for one in kernel.compiled(&Candidate::shared(), false, "sm_90").unwrap() {
            assert!(one.is_ok_and(|one| one.place == 0));
        }
    }
}
