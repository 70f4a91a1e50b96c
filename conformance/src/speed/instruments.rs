//! Instrumented pairs: the plain pair's bits, the published record, and what counting costs.

use crate::stat::{Computation, Report, differing_limbs, pairs, record_fields, run};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use vernier::stat::Options;
use vernier_gpu::bench::Subject;
use vernier_gpu::device::{Class, Device, Error};
use vernier_gpu::stat::{Instrumented, operands, operands_on_host, operands_plain};

/// The published record of the example, by type.
const PUBLISHED: &str = include_str!("../../fixtures/kahan_record.json");
/// Pairs of operands, on each of which six operations are compared.
const OPERANDS: usize = 1 << 14;
const SEED: u64 = 1;

/// What is known of an instrumented type in one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instrument {
    /// Type without its level.
    #[serde(rename = "type")]
    pub ty: String,
    /// Level.
    pub level: String,
    /// Where it ran.
    pub place: String,
    /// Results compared with those of the plain pair on the host.
    pub results: u64,
    /// Results that differ.
    pub differing: u64,
    /// Fields of the published record of the example.
    pub fields: u64,
    /// Fields that are as published; of levels without a published record none.
    pub as_published: Option<u64>,
    /// On a device: whether both records are the host's.
    pub as_on_host: Option<bool>,
    /// Time of an instrumented pi run relative to a plain one, and the logarithm of its terms.
    pub cost: Option<(f64, u32)>,
}

impl Instrument {
    /// Whether the results are the plain ones, and the records those that they have to be.
    pub fn holds(&self) -> bool {
        self.differing == 0 && self.as_published.is_none_or(|n| n == self.fields) && self.as_on_host != Some(false)
    }
}

/// Every instrumented type on the host.
pub fn instruments_on_host() -> Vec<Instrument> {
    let one = |subject: Subject| {
        let args = operands(subject, SEED, OPERANDS);
        let counted = operands_on_host(subject, &args, Options::new());
        let row = row(subject, "host", &args, &counted.limbs);
        with_example(row, subject, &run(Computation::Kahan, None, &[subject], Options::new()))
    };
    pairs().map(one).collect()
}

/// Every instrumented type on a device; what counting costs where the device is no processor.
///
/// # Errors
/// If the device fails.
pub fn instruments_on(device: &Device, quick: bool) -> Result<Vec<Instrument>, Error> {
    let place = device.description().place();
    let subjects: Vec<Subject> = pairs().filter(|s| !quick || s.level() == "mid").collect();
    let instrumented = Instrumented::compile(device, &subjects, Options::new())?;
    let mut rows = Vec::new();
    for subject in subjects {
        let args = operands(subject, SEED, OPERANDS);
        let counted = instrumented.operands(subject, &args, 24, 64)?;
        let host = operands_on_host(subject, &args, Options::new());
        let mut row = row(subject, &place, &args, &counted.limbs);
        row.as_on_host = Some(counted.collected == host.collected);
        let mut row = with_example(row, subject, &run(Computation::Kahan, Some(device), &[subject], Options::new()));
        if device.description().class != Class::Processor {
            let k = if quick { 20 } else { 26 };
            row.cost = cost(device, subject, k).map(|cost| (cost, k));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn cost(device: &Device, subject: Subject, k: u32) -> Option<f64> {
    let report = run(Computation::Pi(k), Some(device), &[subject], Options::new()).ok()?;
    report.rows.first()?.seconds.map(|[counted, plain]| counted / plain)
}

fn row(subject: Subject, place: &str, args: &[u64], limbs: &[u64]) -> Instrument {
    let plain = operands_plain(subject, args);
    Instrument {
        ty: format!("{}_stat", subject.family()),
        level: subject.level().into(),
        place: place.into(),
        results: plain.len() as u64 / 2,
        differing: differing_limbs(subject, limbs, &plain) as u64,
        fields: 0,
        as_published: None,
        as_on_host: None,
        cost: None,
    }
}

/// The row with what the example gave.
fn with_example<E>(mut row: Instrument, subject: Subject, example: &Result<Report, E>) -> Instrument {
    let Some(found) = example.as_ref().ok().and_then(|report| report.rows.first()) else {
        // Nothing is as it should be.
        row.as_on_host = Some(false);
        return row;
    };
    row.as_on_host = row.as_on_host.map(|same| same && found.as_on_host != Some(false));
    if subject.level() == "mid" {
        (row.fields, row.as_published) = as_published(subject, &record_fields(&found.collected.record));
    }
    row
}

/// Fields of the published record, and how many of them are the same.
fn as_published(subject: Subject, record: &Value) -> (u64, Option<u64>) {
    let published: Value = serde_json::from_str(PUBLISHED).unwrap_or(Value::Null);
    let (mut fields, mut same) = (0, 0);
    count(&published[subject.family()], record, &mut fields, &mut same);
    (fields, Some(same))
}

fn count(published: &Value, record: &Value, fields: &mut u64, same: &mut u64) {
    match published {
        Value::Object(o) => o.iter().for_each(|(key, value)| count(value, &record[key], fields, same)),
        Value::Array(a) => a.iter().enumerate().for_each(|(i, value)| count(value, &record[i], fields, same)),
        leaf => {
            *fields += 1;
            *same += u64::from(leaf == record);
        }
    }
}
