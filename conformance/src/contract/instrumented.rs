//! Contracts of instrumented pairs: the plain pair's bits, and the host's record on every device.

use super::report::Outcome;
use super::request::{Listener, Request};
use super::{Claim, Planted, Score};
use crate::error::Error;
use crate::stat::{differences, differing_limbs, pairs};
use std::time::Instant;
use vernier::stat::{Options, Slot};
use vernier_gpu::bench::Subject;
use vernier_gpu::device::{Api, Device};
use vernier_gpu::stat::extra::{atomics_on_host, others_on_host, summands};
use vernier_gpu::stat::{
    self, Counted, Instrumented, kahan_on_host, operands, operands_on_host, operands_plain, regular_operands,
};

/// Pairs of operands where no option says how many; six operations each.
const OPERANDS: u64 = 1 << 14;
/// More than these are not kept in memory.
const MOST: u64 = 1 << 22;

/// The name of an instrumented type, as contracts have it.
fn name(subject: Subject) -> String {
    format!("{}_stat_{}", subject.family(), subject.level())
}

/// The names of the instrumented types.
pub fn names() -> impl Iterator<Item = String> {
    pairs().map(name)
}

/// The contract on the host.
const ON_HOST: &str = "stat = plain";

/// The contracts on a kind of device: records and results; histograms, extra counts and atomics.
fn on(api: Api) -> [String; 2] {
    ["stat", "stat extras"].map(|what| format!("{what}: host = {}", api.name()))
}

/// The names of the contracts on a kind of device, or on the host, in the order in which they are run.
pub fn contracts(api: Option<Api>) -> impl Iterator<Item = String> {
    let here = api.is_none().then(|| ON_HOST.to_string());
    here.into_iter().chain(api.into_iter().flat_map(on))
}

fn wanted(request: &Request) -> Vec<Subject> {
    pairs().enumerate().filter(|(i, s)| request.wants(*i, &[&name(*s)])).map(|(_, s)| s).collect()
}

/// The score of mutants by name, given whether each was killed; all must be.
fn score(fates: impl IntoIterator<Item = (String, bool)>) -> Score {
    let mut score = Score { floor: Some(1.0), ..Score::default() };
    for (mutant, killed) in fates {
        score.planted += 1;
        score.killed += usize::from(killed);
        score.survivors.extend((!killed).then_some(mutant));
    }
    score
}

/// The score of mutants in the text of the counting code, given what differs by each.
fn planted(
    mutants: &[stat::Mutant],
    differences: impl Fn(&stat::Mutant) -> Result<Vec<String>, Error>,
) -> Result<Score, Error> {
    let killed = mutants.iter().map(|mutant| Ok((mutant.what.to_string(), !differences(mutant)?.is_empty())));
    Ok(score(killed.collect::<Result<Vec<_>, Error>>()?))
}

/// Instrumented results against plain ones on the host.
pub fn on_host(request: &Request, listener: Listener<'_>) -> Vec<Outcome> {
    let one = |subject: Subject| {
        let start = Instant::now();
        let n = request.cases.unwrap_or(OPERANDS).min(MOST);
        let args = operands(subject, request.seed, n as usize);
        let instrumented = operands_on_host(subject, &args, Options::new()).limbs;
        let plain = operands_plain(subject, &args);
        let mut outcome = Outcome {
            cases: plain.len() as u64 / 2,
            mismatches: differing_limbs(subject, &instrumented, &plain) as u64,
            ..Outcome::new(ON_HOST, name(subject), Claim::Identical)
        };
        let differs = |i: &usize| differing_limbs(subject, &instrumented[*i..=*i], &plain[*i..=*i]) > 0;
        outcome.first = (0..plain.len()).find(differs).map(|i| {
            let (pair, limbs) = (i / 12, &args[i / 12 * 4..][..4]);
            format!("operands {pair}, operation {}: limbs {limbs:x?}", i % 12 / 2)
        });
        if request.mutants != Planted::None {
            let killed = wrong(subject, &args)
                .map(|(what, limbs)| (what.to_string(), differing_limbs(subject, &limbs, &plain) > 0));
            outcome.mutants = Some(score(killed));
        }
        outcome.seconds = start.elapsed().as_secs_f64();
        listener(&outcome);
        outcome
    };
    wanted(request).into_iter().map(one).collect()
}

/// What wrappers would compute that are not the plain pair.
fn wrong(subject: Subject, args: &[u64]) -> [(&'static str, Vec<u64>); 6] {
    let of = |subject: Subject, args: &[u64]| operands_on_host(subject, args, Options::new()).limbs;
    let sound = of(subject, args);
    let changed = |f: &dyn Fn(usize, u64) -> u64| sound.iter().enumerate().map(|(i, &l)| f(i, l)).collect();
    let other = pairs().find(|s| s.family() == subject.family() && s.level() != subject.level()).unwrap_or(subject);
    let swapped: Vec<u64> = args.chunks_exact(4).flat_map(|v| [v[2], v[3], v[0], v[1]]).collect();
    [
        ("another level", of(other, args)),
        ("operands swapped", of(subject, &swapped)),
        ("lo dropped", changed(&|i, l| if i % 2 == 1 { 0 } else { l })),
        ("last bit of one lo changed", changed(&|i, l| if i == 1 { l ^ 1 } else { l })),
        (
            "limb accumulated as a pair",
            changed(&|i, l| if i % 12 == 8 || i % 12 == 9 { sound[i / 12 * 12 + i % 2] } else { l }),
        ),
        ("-= adds", changed(&|i, l| if i % 12 >= 10 { sound[i - 2] } else { l })),
    ]
}

/// Records and results of a device against the host's: the published example, and operands of all sorts.
///
/// # Errors
/// If the device fails.
pub fn on_device(request: &Request, device: &Device, listener: Listener<'_>) -> Result<Vec<Outcome>, Error> {
    let [contract, _] = on(device.api());
    let subjects = wanted(request);
    if subjects.is_empty() {
        return Ok(Vec::new());
    }
    let instrumented = Instrumented::compile(device, &subjects, Options::new())?;
    let mut outcomes = Vec::new();
    for subject in subjects {
        let start = Instant::now();
        let n = request.cases.unwrap_or(OPERANDS).min(MOST);
        let args = operands(subject, request.seed, n as usize);
        let regular = regular_operands(subject, n as usize);
        let host = Both {
            kahan: kahan_on_host(subject, Options::new()),
            operands: operands_on_host(subject, &args, Options::new()),
            regular: operands_on_host(subject, &regular, Options::new()),
            unscoped: None,
        };
        let got = Both::on(&instrumented, subject, &args, &regular)?;
        let differences = host.differences(subject, &got);
        let cases = [&host.kahan, &host.operands, &host.regular].iter().map(|c| c.collected.record.ops_count).sum();
        let mut outcome = Outcome {
            cases,
            mismatches: differences.len() as u64,
            first: differences.into_iter().next(),
            builds: vec![instrumented.build().clone()],
            ..Outcome::new(&contract, name(subject), Claim::Identical)
        };
        // What counts is one text for all levels of a width.
        if request.mutants != Planted::None && subject.level() == "mid" {
            outcome.mutants = Some(planted(&stat::MUTANTS, |mutant| {
                let mutated = Instrumented::mutated(device, subject, mutant, Options::new())?;
                Ok(host.differences(subject, &Both::on(&mutated, subject, &args, &regular)?))
            })?);
        }
        outcome.seconds = start.elapsed().as_secs_f64();
        listener(&outcome);
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// Histograms, extra counts and atomics of a device against the host's.
///
/// # Errors
/// If the device fails.
pub fn extras_on_device(request: &Request, device: &Device, listener: Listener<'_>) -> Result<Vec<Outcome>, Error> {
    let [_, contract] = on(device.api());
    let subjects = wanted(request);
    if subjects.is_empty() {
        return Ok(Vec::new());
    }
    let options = Options::new().histograms().extra();
    let instrumented = Instrumented::compile(device, &subjects, options)?;
    let mut outcomes = Vec::new();
    for subject in subjects {
        let start = Instant::now();
        let n = request.cases.unwrap_or(OPERANDS).min(OPERANDS);
        let args = operands(subject, request.seed, n as usize);
        let host = Extras::on_host(subject, &args, options);
        let got = Extras::on(&instrumented, subject, &args)?;
        let differences = host.differences(subject, &got);
        let mut outcome = Outcome {
            cases: 11 * n + 2 * SUMMANDS as u64 * u64::from(got.atomics.is_some()),
            mismatches: differences.len() as u64,
            first: differences.into_iter().next(),
            note: if got.atomics.is_some() { String::new() } else { "the device has no atomics for it".into() },
            builds: vec![instrumented.build().clone()],
            ..Outcome::new(&contract, name(subject), Claim::Identical)
        };
        if request.mutants != Planted::None && subject.level() == "mid" {
            outcome.mutants = Some(planted(&stat::EXTRA_MUTANTS, |mutant| {
                let mutated = Instrumented::mutated(device, subject, mutant, options)?;
                Ok(host.differences(subject, &Extras::on(&mutated, subject, &args)?))
            })?);
        }
        outcome.seconds = start.elapsed().as_secs_f64();
        listener(&outcome);
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// Pairs that are added and subtracted by atomics.
const SUMMANDS: usize = 3000;

/// What is counted beside the published record, and atomics by one thread and by many.
struct Extras {
    operands: Counted,
    others: Counted,
    atomics: Option<[Counted; 2]>,
}

impl Extras {
    fn on_host(subject: Subject, args: &[u64], options: Options) -> Extras {
        let atomics = atomics_on_host(subject, &summands(subject, SUMMANDS), options);
        Extras {
            operands: operands_on_host(subject, args, options),
            others: others_on_host(subject, args, options),
            atomics: Some([atomics.clone(), atomics]),
        }
    }

    fn on(instrumented: &Instrumented<'_>, subject: Subject, args: &[u64]) -> Result<Extras, Error> {
        let summands = summands(subject, SUMMANDS);
        let one = instrumented.atomics(subject, &summands, 1, 1)?;
        let many = instrumented.atomics(subject, &summands, 24, 64)?;
        Ok(Extras {
            operands: instrumented.operands(subject, args, 24, 64)?,
            others: instrumented.others(subject, args, 24, 64)?,
            atomics: one.zip(many).map(|(one, many)| [one, many]),
        })
    }

    fn differences(&self, subject: Subject, other: &Extras) -> Vec<String> {
        let mut list = differences(subject, "operands with histograms", &self.operands, &other.operands);
        list.extend(differences(subject, "roots, fma, mad and conversions", &self.others, &other.others));
        if let (Some([one, many]), Some([other_one, other_many])) = (&self.atomics, &other.atomics) {
            list.extend(differences(subject, "atomics of one thread", one, other_one));
            // Old values and results depend on the order.
            let what = "atomics of many threads";
            list.extend(differences(subject, what, &without_order(many), &without_order(other_many)));
        }
        list
    }
}

/// What does not depend on the order in which atomics took place.
fn without_order(counted: &Counted) -> Counted {
    let mut counted = counted.clone();
    let c = &mut counted.collected;
    (c.record.arg[0], c.record.result) = (Slot::EMPTY, Slot::EMPTY);
    // What cancels does so by its old value.
    (c.record.full_cancel_count, c.record.partial_cancel_count) = (0, 0);
    if let Some(h) = &mut c.histograms {
        (h.arg[0], h.result) = Default::default();
    }
    counted
}

/// The example and the operands.
struct Both {
    kahan: Counted,
    operands: Counted,
    /// Operands whose limbs do not overlap: most operations on them add little to the record.
    regular: Counted,
    /// The same operands outside a scope, on CUDA.
    unscoped: Option<Counted>,
}

impl Both {
    fn on(instrumented: &Instrumented<'_>, subject: Subject, args: &[u64], regular: &[u64]) -> Result<Both, Error> {
        Ok(Both {
            kahan: instrumented.kahan(subject, 1, 1)?,
            operands: instrumented.operands(subject, args, 24, 64)?,
            regular: instrumented.operands(subject, regular, 24, 64)?,
            unscoped: match instrumented.build().api {
                Api::Cuda => Some(instrumented.unscoped(subject, args, 24, 64)?),
                Api::OpenCl => None,
            },
        })
    }

    /// What differs, in words.
    fn differences(&self, subject: Subject, other: &Both) -> Vec<String> {
        let all = [
            ("example", &self.kahan, Some(&other.kahan)),
            ("operands", &self.operands, Some(&other.operands)),
            ("regular operands", &self.regular, Some(&other.regular)),
            ("operands outside a scope", &self.operands, other.unscoped.as_ref()),
        ];
        all.into_iter().flat_map(|(what, a, b)| b.map_or(Vec::new(), |b| differences(subject, what, a, b))).collect()
    }
}
