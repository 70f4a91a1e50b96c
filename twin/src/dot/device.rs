//! Both kernels of dot products on a device: hand-written loops around printed functions.

use super::Vectors;
use crate::On;
use vernier::fp64mp2_high;
use vernier::superaccumulator::{self, BINS, Superaccumulator};
use vernier_gpu::device::{Api, Buffer, Error};
use vernier_gpu::kernel::{dialect, environment};
use vernier_gpu::print::{self, Dialect, Rare};
use vernier_tape::io::Kind;
use vernier_tape::record::{Handle, Recording, argument, record};
use vernier_tape::registry;

/// Threads in a group.
pub(super) const GROUP: u32 = 64;

/// Groups for `n` terms: the double-word tree's bits depend on it, so that it depends on `n` alone.
pub(super) fn groups(n: usize) -> u32 {
    n.div_ceil(GROUP as usize * 16).clamp(1, 1024) as u32
}

/// The source for a kind of device.
pub(super) fn source(api: Api) -> String {
    let dialect = &*dialect(api);
    let ours = match api {
        Api::Cuda => include_str!("cuda.txt"),
        Api::OpenCl => include_str!("opencl.txt"),
    };
    let sums = ["acc", "add"].map(|op| registry::find("fp64mp2", op, "high").expect("double-word sums"));
    let own = [ours, &print::program(dialect, sums, Rare::Automatic), &placement(dialect), include_str!("kernel.txt")]
        .concat();
    let text = [&dialect.prelude(), environment(api), &own].concat();
    text.replace("$bins", &BINS.to_string()).replace("$group", &GROUP.to_string())
}

/// Where a product goes in a superaccumulator.
fn placement(dialect: &dyn Dialect) -> String {
    let place = record(|| {
        let (a, b) = (argument(), argument());
        vec![superaccumulator::place::<Recording>(a, b).id()]
    });
    let digits = record(|| {
        let (a, b) = (argument(), argument());
        let (high, low) = superaccumulator::digits::<Recording>(a, b);
        vec![high.id(), low.id()]
    });
    let params = [Kind::F32, Kind::F32];
    print::tape(dialect, "exact_place", &place, &params, Kind::U32, Rare::Inline, None)
        + &print::tape(dialect, "exact_digits", &digits, &params, Kind::U128, Rare::Inline, None)
}

struct Resident {
    x: Buffer<f32>,
    y: Buffer<f32>,
    n: u32,
}

fn upload(on: &On<'_>, v: &Vectors) -> Result<Resident, Error> {
    // A buffer holds something even where there are no terms.
    let padded = |list: &[f32]| on.device.upload(if list.is_empty() { &[0.0] } else { list });
    Ok(Resident { x: padded(&v.x)?, y: padded(&v.y)?, n: v.x.len() as u32 })
}

/// The double-word sum of each group.
pub(super) fn tree(on: &On<'_>, v: &Vectors) -> Result<Vec<fp64mp2_high>, Error> {
    let (data, groups) = (upload(on, v)?, groups(v.x.len()));
    let out = on.device.zeros::<f64>(2 * groups as usize)?;
    let args = [data.x.arg(), data.y.arg(), data.n.into(), out.arg()];
    on.device.launch(&on.program.kernel("dot_tree")?, groups, GROUP, &args)?;
    let limbs = on.device.download(&out)?;
    Ok(limbs.chunks_exact(2).map(|p| fp64mp2_high::from_parts(p[0], p[1])).collect())
}

/// The exact sum on a grid of `groups` groups.
pub(super) fn exact(on: &On<'_>, v: &Vectors, groups: u32) -> Result<Superaccumulator, Error> {
    let data = upload(on, v)?;
    let out = on.device.zeros::<i64>(BINS * groups as usize)?;
    let args = [data.x.arg(), data.y.arg(), data.n.into(), out.arg()];
    on.device.launch(&on.program.kernel("dot_exact")?, groups, GROUP, &args)?;
    let mut sum = Superaccumulator::new();
    for bins in on.device.download(&out)?.as_chunks::<BINS>().0 {
        sum.merge(&Superaccumulator::from_bins(*bins));
    }
    Ok(sum)
}
