//! Records of instrumented pairs: kernels run under [`vernier::stat`], as data and as text.

mod difference;
mod json;
mod text;

pub use difference::differences;
pub use json::record_fields;
pub use text::report;

use crate::error::Error;
use vernier::stat::{Collected, Options};
use vernier_gpu::bench::{Subject, pi_on};
use vernier_gpu::device::{Build, Device};
use vernier_gpu::print::Rare;
use vernier_gpu::stat::{Counted, Instrumented, kahan_on_host, pi_on_host};

/// An instrumented computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computation {
    /// The published example: a compensated sum of 64 terms of which the compensation is instrumented.
    Kahan,
    /// The pi benchmark, all of it instrumented, with 2^k terms.
    Pi(u32),
}

/// The types that have an instrumented form.
pub fn pairs() -> impl Iterator<Item = Subject> {
    Subject::ALL.into_iter().filter(|s| s.is_pair())
}

/// The largest k for which the host counts the pi benchmark beside a device.
const COMPARED: u32 = 22;

/// What one type gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The type and its level.
    pub subject: Subject,
    /// The value's limbs, which doubles hold; of the pi benchmark those of the first partial sum.
    pub value: [f64; 2],
    /// What was counted.
    pub collected: Collected,
    /// On a device: whether record and limbs are the host's; none where the host did not compute them.
    pub as_on_host: Option<bool>,
    /// Median seconds of the kernel, instrumented and plain.
    pub seconds: Option<[f64; 2]>,
}

/// What a run gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What was computed.
    pub computation: Computation,
    /// What made the program; none on the host.
    pub build: Option<Build>,
    /// By type.
    pub rows: Vec<Row>,
}

impl Report {
    /// Whether every record that was compared is the host's.
    pub fn holds(&self) -> bool {
        self.rows.iter().all(|r| r.as_on_host != Some(false))
    }

    /// As JSON: an object of each type with the published names, `null` for ranges of which nothing was sampled.
    pub fn to_json(&self) -> String {
        json::of(self)
    }
}

/// Runs a computation in these types, which are pairs.
///
/// # Errors
/// If the device fails.
pub fn run(
    computation: Computation,
    device: Option<&Device>,
    subjects: &[Subject],
    options: Options,
) -> Result<Report, Error> {
    let on_host = |subject| match computation {
        Computation::Kahan => kahan_on_host(subject, options),
        Computation::Pi(k) => pi_on_host(subject, k, options),
    };
    let row = |subject, counted: Counted, as_on_host, seconds| {
        let value = [0, 1].map(|i| limb(subject, counted.limbs[i]));
        Row { subject, value, collected: counted.collected, as_on_host, seconds }
    };
    let Some(device) = device else {
        let rows = subjects.iter().map(|&subject| row(subject, on_host(subject), None, None)).collect();
        return Ok(Report { computation, build: None, rows });
    };
    let instrumented = Instrumented::compile(device, subjects, options)?;
    let mut rows = Vec::new();
    for &subject in subjects {
        let compared = |counted: &Counted| same(subject, counted, &on_host(subject));
        rows.push(match computation {
            Computation::Kahan => {
                let counted = instrumented.kahan(subject, 1, 1)?;
                let as_on_host = compared(&counted);
                row(subject, counted, Some(as_on_host), None)
            }
            Computation::Pi(k) => {
                let plain = pi_on(device, &[subject], &[k], LAUNCHES, 0, Rare::Automatic)?;
                let plain = plain.rows.iter().find(|p| p.subject == subject).and_then(|p| p.timing);
                let (counted, timing) = instrumented.pi(subject, k, LAUNCHES)?;
                let as_on_host = (k <= COMPARED).then(|| compared(&counted));
                row(subject, counted, as_on_host, plain.map(|p| [timing.median, p.median]))
            }
        });
    }
    Ok(Report { computation, build: Some(instrumented.build().clone()), rows })
}

/// Launches that are timed.
const LAUNCHES: u32 = 5;

fn limb(subject: Subject, bits: u64) -> f64 {
    if subject.family() == "fp32mp2" { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) }
}

/// The same limbs, all NaN being one, and the same record.
fn same(subject: Subject, a: &Counted, b: &Counted) -> bool {
    a.collected == b.collected && differing_limbs(subject, &a.limbs, &b.limbs) == 0
}

/// How many limbs differ, all NaN being one.
pub fn differing_limbs(subject: Subject, a: &[u64], b: &[u64]) -> usize {
    let is_nan = |bits: u64| limb(subject, bits).is_nan();
    let same = |a: u64, b: u64| a == b || is_nan(a) && is_nan(b);
    a.iter().zip(b).filter(|(a, b)| !same(**a, **b)).count() + a.len().abs_diff(b.len())
}
