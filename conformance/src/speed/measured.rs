//! Speed on a device or on the host.

use super::counts::{Counts, count_on};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::time::Instant;
use vernier_gpu::bench::{
    Author, Bench, Chain, Domain, Effort, FunctionRow, Operands, Pi, Row, SHARES, Split, Subject, Target, Timing,
    against_double, chains, functions, functions_on, pi_host, pi_on, speed_of, split_on, targets, with_double,
};
use vernier_gpu::device::{self, Api, Class, Description, Device};
use vernier_gpu::print::Rare;
use vernier_tape::registry::Function;

/// What is measured; an empty list leaves nothing out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Types.
    pub subjects: Vec<Subject>,
    /// Operations and mathematical functions.
    pub ops: Vec<String>,
    /// Mathematical functions in a quick run too, where none is named; others always have them.
    pub functions: bool,
}

impl Selection {
    /// Whether an operation of a type is asked for.
    pub fn selects(&self, subject: Subject, op: &str) -> bool {
        self.selects_subject(subject) && (self.ops.is_empty() || self.ops.iter().any(|o| o == op))
    }

    fn selects_subject(&self, subject: Subject) -> bool {
        self.subjects.is_empty() || self.subjects.contains(&subject)
    }

    /// Mathematical functions, which all levels share.
    fn functions(&self, quick: bool) -> Vec<&'static Function> {
        let named = |f: &&Function| self.ops.iter().any(|op| *op == f.id.op_name());
        let wanted = |f: &&Function| if self.ops.is_empty() { self.functions || !quick } else { named(f) };
        let of_type = |f: &&Function| self.subjects().iter().any(|s| s.family() == f.id.family());
        functions().filter(wanted).filter(of_type).collect()
    }

    fn subjects(&self) -> Vec<Subject> {
        Subject::pi().filter(|&s| self.selects_subject(s)).collect()
    }

    /// Chains that are asked for, and those that they are compared with.
    fn chains(&self, device: &Device, groups: u32) -> Vec<Chain> {
        let compared = |c: &Chain| c.op == "add" || self.ops.iter().any(|o| o == c.op);
        let wanted = |c: &Chain| self.selects(c.subject, c.op) || c.subject.is_native() && compared(c);
        chains(device.api(), &Subject::ALL, groups).into_iter().filter(wanted).collect()
    }
}

/// Speeds at one place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// `host`, or the device's name and number.
    pub place: String,
    /// The device; none on the host.
    pub device: Option<Description>,
    /// The pi benchmark; empty where single operations were asked for.
    pub pi: Vec<Pi>,
    /// Throughput and latency of operations; none on the host.
    pub bench: Option<Bench>,
    /// Throughput of mathematical functions.
    #[serde(default)]
    pub functions: Vec<FunctionRow>,
    /// What speed is asked for, as far as it was measured or looked for.
    pub targets: Vec<Target>,
    /// One reduction on two pipes, by number of terms.
    #[serde(default)]
    pub splits: Vec<Split>,
    /// Instruction counts of what was measured, where they were asked for.
    #[serde(default)]
    pub counts: Vec<Counts>,
    /// Why there are none.
    #[serde(default)]
    pub not_counted: Option<String>,
}

impl Report {
    fn at(place: String) -> Report {
        Report { place, ..Report::default() }
    }

    /// Counts what the measured operations issue on the device's architecture: on CUDA devices.
    pub fn count(&mut self) {
        let Some(device) = self.device.as_ref().filter(|d| d.api == Api::Cuda) else { return };
        let rows = || self.bench.iter().flat_map(|b| &b.rows).filter(|r| r.author == Author::Vernier);
        let measured = |f: &Function| rows().any(|r| r.subject.function(&r.op).is_some_and(|g| std::ptr::eq(f, g)));
        match count_on(&[&device.architecture], measured) {
            Ok(counts) => self.counts = counts,
            Err(why) => self.not_counted = Some(why.to_string()),
        }
    }

    /// Whether every value is sound: the host's bits, and chains that stayed in range.
    pub fn sound(&self) -> bool {
        let rows = self.bench.iter().flat_map(|b| &b.rows);
        let splits = self.splits.iter().flat_map(|s| &s.rows);
        self.pi.iter().all(|p| p.host_bits != Some(false))
            && rows.into_iter().all(|r| r.in_range)
            && self.functions.iter().all(|r| r.host_bits)
            && splits.into_iter().all(|r| r.host_bits)
    }

    /// Whether no target is missed.
    pub fn reaches_targets(&self) -> bool {
        self.targets.iter().all(|t| t.holds() != Some(false))
    }

    /// The rows with changing operands, each with its row of constant operands.
    pub fn rows(&self) -> impl Iterator<Item = (&Row, Option<&Row>)> {
        self.bench.iter().flat_map(|b| {
            let changing = b.rows.iter().filter(|r| r.operands == Operands::Changing);
            changing.map(|r| (r, b.find(r.subject, &r.op, r.author, Operands::Constant)))
        })
    }
}

/// Measures on a device.
///
/// # Errors
/// If the device fails, or nothing is selected.
pub fn measure(device: &Device, selection: &Selection, quick: bool) -> Result<Report, Error> {
    let effort = match quick {
        true => Effort { warm_up: 0.0, launch: 0.001, launches: 3, tries: false, ..Effort::default() },
        false => Effort::default(),
    };
    let list = selection.chains(device, effort.groups);
    // Reduced formats run the pi benchmark only.
    let pi_only = selection.ops.is_empty() && selection.subjects().iter().all(|s| s.sizes().is_some());
    let functions = selection.functions(quick);
    let operations = list.iter().any(|c| selection.selects(c.subject, c.op));
    if functions.is_empty() && (!pi_only && !operations || selection.functions) {
        return Err(Error::Usage("no type has this operation and level: nothing to measure".into()));
    }
    // The bench first: it raises the clock.
    let bench = match pi_only || operations {
        true => Some(speed_of(device, &list, effort, Rare::Automatic)?),
        false => None,
    };
    let domain = |f| {
        let usual = vernier_oracle::functions::row(f).usual;
        Domain { signed: usual.signed, exponents: usual.least..usual.most }
    };
    let functions = functions_on(device, &functions, domain, effort, Rare::Automatic)?;
    let terms: &[u32] = if quick { &[20, 22] } else { &[20, 22, 24, 26, 28] };
    let pi = match selection.ops.is_empty() {
        true => pi_on(device, &selection.subjects(), terms, 7, 22, Rare::Automatic)?.rows,
        false => Vec::new(),
    };
    let targets = bench.iter().flat_map(|bench| targets(bench, &pi));
    let targets = targets.filter(|t| selection.selects(t.subject, &t.op)).collect();
    let description = device.description().clone();
    let unpacked = Subject::Fp64emuUnpackedHigh;
    let divides = !quick && description.class != Class::Processor;
    let splits = match divides && selection.ops.is_empty() && selection.selects_subject(unpacked) {
        true => vec![split_on(device, unpacked, 26, &SHARES, 7, Rare::Automatic)?],
        false => Vec::new(),
    };
    let empty = Report { splits, ..Report::at(description.place()) };
    Ok(Report { device: Some(description), pi, bench, functions, targets, ..empty })
}

/// One reduction on two pipes, in native and in these unpacked doubles: as many terms as there are published figures for, and four
/// times as many, of which the launch is a smaller part.
///
/// # Errors
/// If the device fails.
pub fn divided(device: &Device, subjects: &[Subject], quick: bool) -> Result<Report, Error> {
    let quick = quick || device.description().class == Class::Processor;
    let (terms, launches): (&[u32], u32) = if quick { (&[18], 1) } else { (&[26, 28], 15) };
    let runs = subjects.iter().flat_map(|&s| terms.iter().map(move |&k| (s, k)));
    let splits = runs.map(|(s, k)| split_on(device, s, k, &SHARES, launches, Rare::Automatic));
    let splits = splits.collect::<Result<_, device::Error>>()?;
    let description = device.description().clone();
    let empty = Report::at(description.place());
    Ok(Report { device: Some(description), splits, ..empty })
}

/// Additions of doubles a second over those of floats.
///
/// # Errors
/// If the device fails.
pub fn fp64_rate(device: &Device) -> Result<f64, device::Error> {
    let effort = Effort { warm_up: 0.1, launch: 0.001, launches: 3, ..Effort::default() };
    let list: Vec<Chain> = chains(device.api(), &[Subject::Float, Subject::Double], effort.groups)
        .into_iter()
        .filter(|c| c.op == "add")
        .collect();
    let bench = speed_of(device, &list, effort, Rare::Automatic)?;
    let rate = |s: Subject| bench.find(s, "add", Author::Vernier, Operands::Changing).map(|r| r.per_second);
    Ok(rate(Subject::Double).zip(rate(Subject::Float)).map_or(f64::NAN, |(d, f)| d / f))
}

/// The pi benchmark on all cores of the host, its final sum included in the time.
///
/// # Errors
/// If operations are selected: those are measured on devices.
pub fn host(selection: &Selection, quick: bool) -> Result<Report, Error> {
    if !selection.ops.is_empty() || selection.functions {
        let reason = "on the host the pi benchmark is timed as a whole: --op and --functions are for cuda and opencl, `make bench` \
                      times single operations of the host";
        return Err(Error::Usage(reason.into()));
    }
    let subjects = with_double(&selection.subjects());
    let mut pi = Vec::new();
    for &k in if quick { &[20][..] } else { &[20, 22] } {
        let mut at_k: Vec<Pi> = subjects.iter().map(|&s| timed(s, k, if quick { 3 } else { 7 })).collect();
        against_double(&mut at_k);
        pi.extend(at_k);
    }
    Ok(Report { pi, ..Report::at("host".into()) })
}

fn timed(subject: Subject, k: u32, launches: u32) -> Pi {
    // One run that is not timed.
    let pi = pi_host(subject, k);
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(pi_host(subject, k));
        start.elapsed().as_secs_f64()
    };
    Pi { timing: Some(Timing::of((0..launches).map(time).collect())), ..pi }
}
