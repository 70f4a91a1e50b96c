//! From a question to an advice.

use super::digits::{self, Wide};
use super::needed::{Needed, questions, sweep};
use super::question::Question;
use super::recommend::{Recommendation, recommend};
use super::row::Row;
use super::rules::{Facts, Warning, warnings};
use super::speeds::{Speed, machine_code, measured_speeds, predicted};
use super::{replay, worker};
use crate::error::Error;
use crate::stat::record_fields;
use crate::{file, text};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use vernier::stat::Record;
use vernier_gpu::advise::{Built, Candidate, Code, Host, Outcome, Unit, parse_trace, sample};
use vernier_gpu::bench::{Card, Division, Subject};

/// How good the reference is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Digits in which levels mid and high of `fp64mp2` agree: of the sum, or of the worst item.
    pub agreement: f64,
    /// Digits of level high by MPFR, of the worst of a few items.
    pub exact: Option<f64>,
    /// How many items were judged by MPFR.
    pub sampled: usize,
    /// Whether digits are those of the sampled items by MPFR, since the levels agree in too few.
    pub judged_by_mpfr: bool,
}

/// The answer for a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The card.
    pub card: Card,
    /// How its speeds are known: `measured`, `predicted from machine code`, `estimated from operations`.
    pub basis: String,
    /// What to take.
    pub recommendation: Recommendation,
    /// By candidate.
    pub speeds: Vec<Option<Speed>>,
}

/// What a file of an advice begins with.
pub const FORMAT: &str = "vernier advice 1";

/// An advice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Advice {
    /// [`FORMAT`].
    pub format: String,
    /// The file and the class template.
    pub kernel: String,
    /// Items.
    pub items: u64,
    /// Digits asked for.
    pub digits: f64,
    /// Whether items are summed.
    pub sum: bool,
    /// `host`, or the device's name.
    pub place: String,
    /// For the first card.
    pub recommendation: Recommendation,
    /// The four questions of the guide.
    pub questions: Vec<String>,
    /// Every candidate.
    pub candidates: Vec<Row>,
    /// What follows from the figures.
    pub warnings: Vec<Warning>,
    /// By card.
    pub cards: Vec<Answer>,
    /// The reference.
    pub reference: Reference,
    /// The size that is needed.
    pub sweep: Needed,
    /// Records of instrumented pairs, by type.
    pub record: BTreeMap<String, serde_json::Value>,
    /// Operations of an item.
    pub operations: BTreeMap<String, f64>,
    /// What was left out, and why.
    pub left_out: Vec<String>,
}

/// Reads an advice that `vernier advise --json` printed into a file.
///
/// # Errors
/// Where the file cannot be read, or is no advice.
pub fn read(path: &Path) -> Result<Advice, Error> {
    let broken = |reason: String| Error::Results { name: text::path(path), reason };
    let advice: Advice = serde_json::from_str(&file::read_regular(path)?).map_err(|e| broken(e.to_string()))?;
    let rows = advice.candidates.len();
    let whole = advice.format == FORMAT && advice.cards.iter().all(|c| c.speeds.len() == rows);
    if whole { Ok(advice) } else { Err(broken(format!("expected `{FORMAT}` with a speed for every candidate"))) }
}

/// The values of a candidate.
struct Values {
    items: Vec<Wide>,
    sum: Option<Wide>,
}

impl Values {
    fn of(words: &[f64], question: &Question) -> Result<Values, String> {
        let mut items = digits::pairs(words);
        let wanted = question.items as usize + usize::from(question.sums);
        if items.len() != wanted {
            return Err(format!("gave {} values, {wanted} were expected", items.len()));
        }
        let sum = if question.sums { items.pop() } else { None };
        Ok(Values { items, sum })
    }
}

/// Items that are traced.
const TRACED: u64 = 64;
/// Where FP64 is fast, and where it is rationed: the cards that are answered for where none is named.
pub const USUAL: [&str; 2] = ["H200", "B300"];

/// Carries it all out.
///
/// # Errors
/// Where the kernel does not compile or run in the reference's type, there is no compiler, or the device cannot be used.
pub fn advise(question: &Question) -> Result<Advice, Error> {
    let tried = |s| {
        let needed = [Subject::Double, Subject::Fp64mp2Mid, Subject::Fp64mp2High];
        question.types.is_empty() || needed.contains(&s) || question.types.contains(&s)
    };
    let wanted =
        |c: &Candidate| tried(c.item) && c.beside.is_none_or(tried) && (tried(c.sum) || question.sum_in.is_some());
    let candidates: Vec<Candidate> =
        Candidate::all(question.sums, question.sum_in).into_iter().filter(wanted).collect();
    // Those that share items come last: alone they have no machine code and no program of the host.
    let shared = Candidate::shared().into_iter().filter(|c| question.split && wanted(c)).collect();
    let all = [candidates.clone(), shared].concat();
    let mut rows: Vec<Row> = all.iter().map(|&c| Row::of(c, question.semantics)).collect();
    let mut left_out = Vec::new();
    let host = Host { kernel: &question.kernel, data: &question.data };
    // A device gives the values itself.
    let run_here = candidates.iter().filter(|_| question.device.is_none());
    let units: Vec<Unit> = run_here.map(|&c| Unit::Candidate(c)).chain([Unit::Sweep, Unit::Trace]).collect();
    let (built, codes) = rayon::join(|| host.build(&units), || machine_code(question, &candidates));
    let built = built.map_err(|e| Error::Usage(e.to_string()))?;
    let fault = |unit| built.faulty.iter().find(|f| f.unit == unit).map(|f| f.message.clone());
    // Values, from the device or the host.
    let values = match question.device {
        Some(index) => {
            // What the device's compiler has refused once it refuses again.
            let codes = question.cards.first().and_then(|card| codes.get(&card.architecture)?.as_ref().ok());
            let refused =
                |code: &Result<Code, String>| code.as_ref().err().map(|why| format!("does not compile: {why}"));
            let faulty: Vec<_> = codes.into_iter().flatten().map(refused).collect();
            let measured = worker::measure(question, &all, &faulty, index)?;
            for (row, m) in rows.iter_mut().zip(&measured) {
                if let Ok(m) = m {
                    row.ms = Some(1e3 * m.timing.median);
                    row.registers = m.resources.map(|r| r.registers);
                    row.share = m.division.map(Division::part);
                }
            }
            measured.into_iter().map(|m| m.and_then(|m| Values::of(&m.values, question))).collect()
        }
        None => on_host(question, &candidates, &built)?,
    };
    let of = |subject| {
        let place =
            candidates.iter().position(|c| c.item == subject && (c.is_single() || question.sum_in == Some(c.sum)));
        place.and_then(|i| values.get(i))
    };
    let (right, mid) = match (of(Subject::Fp64mp2High), of(Subject::Fp64mp2Mid)) {
        (Some(Ok(right)), Some(Ok(mid))) => (right, mid),
        (Some(Err(why)), _) | (_, Some(Err(why))) => {
            return Err(Error::Usage(format!("{}: no reference: in fp64mp2 it {why}", question.kernel.name)));
        }
        _ => return Err(Error::Usage("no reference".into())),
    };
    // What a few items do, operation by operation.
    let steps = match fault(Unit::Trace) {
        Some(message) => {
            left_out.push(format!("operations, the record and MPFR: {message}"));
            Vec::new()
        }
        None => match built.run(Unit::Trace, question.items, false, question.items.min(TRACED), question.limit)? {
            Outcome::Results(bytes) => parse_trace(&bytes),
            Outcome::Failed(why) => {
                left_out.push(format!("operations, the record and MPFR: the trace {why}"));
                Vec::new()
            }
        },
    };
    let samples = question.items.min(TRACED);
    let exact: Vec<(usize, Wide)> = replay::exact(&steps)
        .into_iter()
        .filter_map(|(k, value)| Some((sample(k, question.items, samples) as usize, value?)))
        .collect();
    let both = |a: &Values, b: &Values| digits::compare(&a.items, &b.items, a.sum.zip(b.sum));
    let agreement = both(mid, right).judged();
    let by_mpfr = exact.iter().map(|&(i, z)| digits::of(right.items[i], z)).reduce(f64::min);
    let judged_by_mpfr = agreement < question.digits && !question.sums && !exact.is_empty();
    for (row, values) in rows.iter_mut().zip(&values) {
        match values {
            Ok(v) => {
                let kept = if judged_by_mpfr {
                    let (some, exact): (Vec<_>, Vec<_>) = exact.iter().map(|&(i, z)| (v.items[i], z)).unzip();
                    digits::compare(&some, &exact, None)
                } else {
                    both(v, right)
                };
                (row.kept, row.digits, row.enough) =
                    (Some(kept), Some(kept.judged()), kept.judged() >= question.digits);
            }
            Err(why) => row.failed = Some(why.clone()),
        }
    }
    if question.device.is_none() {
        predicted_digits(&mut rows, question.digits);
    }
    // Speeds and answers by card.
    let operations = replay::operations(&steps);
    let mut cards = Vec::new();
    for (at, card) in question.cards.iter().enumerate() {
        let codes = codes.get(&card.architecture);
        if let Some(Err(failure)) = codes {
            left_out.push(format!("machine code: {failure}"));
        }
        let codes: Option<Vec<Option<&Code>>> =
            codes.and_then(|c| c.as_ref().ok()).map(|c| c.iter().map(|c| c.as_ref().ok()).collect());
        if let (0, Some(codes)) = (at, &codes) {
            rows.iter_mut().zip(codes).for_each(|(row, code)| describe(row, *code, &card.architecture));
        }
        let (mut basis, mut speeds) = predicted(question, &rows, codes.as_deref(), &operations, card);
        if at == 0 && question.device.is_some() {
            rows.iter_mut().zip(&speeds).for_each(|(row, s)| row.predicted = s.as_ref().map(|s| s.ratio));
            (basis, speeds) = ("measured", measured_speeds(&rows, &speeds));
        }
        let (_, recommendation) = answer(&rows, &speeds, card, question.digits);
        cards.push(Answer { card: card.clone(), basis: basis.into(), recommendation, speeds });
    }
    let first = cards.first().ok_or_else(|| Error::Usage("no card".into()))?;
    for (row, speed) in rows.iter_mut().zip(&first.speeds) {
        row.ratio = speed.as_ref().map(|s| s.ratio);
        row.bound = speed.as_ref().map(|s| s.bound.clone());
        row.share = speed.as_ref().and_then(|s| s.share);
    }
    let (chosen, recommendation) = answer(&rows, &first.speeds, &first.card, question.digits);
    let swept = match fault(Unit::Sweep) {
        Some(message) => Needed { failed: Some(message), ..Needed::default() },
        None => sweep(question, &built, &operations, &right.items)?,
    };
    let records: BTreeMap<Subject, Record> = Subject::ALL
        .into_par_iter()
        .filter_map(|s| Some((s, replay::recorded(&steps, s)?)))
        .filter(|_| !steps.is_empty())
        .collect();
    let facts = Facts {
        rows: &rows,
        chosen,
        file: &question.kernel.file,
        rationed: first.card.is_rationed(),
        asked: question.digits,
        agreement,
        exact: by_mpfr,
        records: &records,
        operations: &operations,
        divisions_by_roots: replay::divisions_by_roots(&steps),
    };
    let warnings = warnings(&facts);
    left_out.dedup();
    let answers = questions(question, &first.card, &swept, &operations, &steps, &rows);
    Ok(Advice {
        format: FORMAT.into(),
        kernel: format!("{} {}", question.kernel.file, question.kernel.name),
        items: question.items,
        digits: question.digits,
        sum: question.sums,
        place: if question.device.is_some() { first.card.name.clone() } else { "host".into() },
        recommendation,
        questions: answers,
        candidates: rows,
        warnings,
        cards,
        reference: Reference { agreement, exact: by_mpfr, sampled: exact.len(), judged_by_mpfr },
        sweep: swept,
        record: records.iter().map(|(s, r)| (s.name(), record_fields(r))).collect(),
        operations,
        left_out,
    })
}

/// Every candidate in a process of its own, the reference first: where that fails nothing else is of use.
fn on_host(question: &Question, candidates: &[Candidate], built: &Built) -> Result<Vec<Result<Values, String>>, Error> {
    let run = |&c: &Candidate| -> Result<Result<Values, String>, Error> {
        let unit = Unit::Candidate(c);
        if let Some(fault) = built.faulty.iter().find(|f| f.unit == unit) {
            return Ok(Err(format!("does not compile: {}", fault.message)));
        }
        Ok(match built.run(unit, question.items, question.sums, 0, question.limit)? {
            Outcome::Results(bytes) => {
                let words: Vec<f64> =
                    bytes.chunks_exact(8).map(|b| b.try_into().map_or(0.0, f64::from_ne_bytes)).collect();
                Values::of(&words, question)
            }
            Outcome::Failed(why) => Err(why),
        })
    };
    candidates.par_iter().map(run).collect()
}

/// Digits of items that are shared: the fewer of both types, as doubles.
fn predicted_digits(rows: &mut [Row], asked: f64) {
    let known: Vec<(Subject, Row)> =
        rows.iter().filter(|r| r.candidate.is_single()).map(|r| (r.candidate.item, r.clone())).collect();
    for row in rows {
        let Some(beside) = row.candidate.beside else { continue };
        let both = [row.candidate.item, beside].map(|s| known.iter().find(|k| k.0 == s).map(|k| &k.1));
        let [Some(one), Some(other)] = both else { continue };
        row.failed = one.failed.clone().or_else(|| other.failed.clone());
        let fewer = if one.digits <= other.digits { one } else { other };
        (row.digits, row.kept) = (fewer.digits, fewer.kept);
        row.enough = row.failed.is_none() && fewer.digits.is_some_and(|d| d >= asked);
    }
}

/// What the first card's machine code says of a candidate.
fn describe(row: &mut Row, code: Option<&Code>, architecture: &str) {
    let Some(code) = code else { return };
    row.fp64_instructions = Some(code.fp64());
    (row.registers, row.spilled) = (Some(code.registers), Some(code.spilled));
    row.occupancy = Some(code.occupancy(architecture));
    row.code = Some(code.clone());
}

fn answer(rows: &[Row], speeds: &[Option<Speed>], card: &Card, asked: f64) -> (Option<usize>, Recommendation) {
    recommend(rows, |i| speeds[i].as_ref().map(|s| s.ratio), card.is_rationed(), asked)
}
