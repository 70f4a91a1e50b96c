//! Speeds of candidates on a card: measured, or predicted.

use super::question::Question;
use super::row::Row;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vernier_gpu::advise::{Candidate, Code, analyse, iterations, times};
use vernier_gpu::bench::{Card, Counts, Place, Subject, estimated};
use vernier_gpu::sass::Failure;

/// A candidate's speed on a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Double's time over this one's.
    pub ratio: f64,
    /// What limits it.
    pub bound: String,
    /// The share of the items that the type beside the other computes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// By architecture, then candidate; the compiler's message of those that do not compile.
pub(super) type Codes = BTreeMap<String, Result<Vec<Result<Code, String>>, Failure>>;

/// The machine code of every candidate, by architecture.
pub(super) fn machine_code(question: &Question, candidates: &[Candidate]) -> Codes {
    let mut architectures: Vec<&String> = question.cards.iter().map(|c| &c.architecture).collect();
    architectures.sort();
    architectures.dedup();
    let one = |a: &&String| ((*a).clone(), analyse(&question.kernel, candidates, question.sums, a));
    architectures.par_iter().map(one).collect()
}

fn is_double(row: &Row) -> bool {
    row.candidate.item == Subject::Double
}

/// Measured ratios; what limits them is as predicted.
pub(super) fn measured_speeds(rows: &[Row], predicted: &[Option<Speed>]) -> Vec<Option<Speed>> {
    let double = rows.iter().find(|r| is_double(r)).and_then(|r| r.ms);
    let one = |(row, p): (&Row, &Option<Speed>)| {
        let bound = p.as_ref().map_or_else(|| "unknown".into(), |p| p.bound.clone());
        Some(Speed { ratio: double? / row.ms?, bound, share: row.share })
    };
    rows.iter().zip(predicted).map(one).collect()
}

/// Speeds from machine code, otherwise from the operations of an item.
pub(super) fn predicted(
    question: &Question,
    rows: &[Row],
    codes: Option<&[Option<&Code>]>,
    operations: &BTreeMap<String, f64>,
    card: &Card,
) -> (&'static str, Vec<Option<Speed>>) {
    let estimate = |row: &Row| {
        let mut c = Counts { other: 4.0, slots: 4.0, ..Counts::default() };
        for (op, n) in operations {
            c.add(estimated(row.candidate.item, op).times(*n));
        }
        (!operations.is_empty()).then_some(c)
    };
    let estimates: Vec<_> = rows.iter().filter(|r| r.candidate.beside.is_none()).map(estimate).collect();
    let mut paced = Vec::new();
    let (basis, counts) = match codes {
        Some(codes) => {
            // Data that an item takes for itself are streamed; what items share stays in caches.
            let own = question.data.iter().map(Vec::len).sum::<usize>() as f64 / question.items as f64;
            let streamed = |(row, code): (&Row, &Option<&Code>)| match code {
                Some(code) if !code.nested && code.loads > 0.0 && code.loads <= 1.5 * own => {
                    8.0 * code.loads + if question.sums { 0.0 } else { row.bytes.into() }
                }
                // Of what a loop inside the item goes through there is more than one pass takes.
                Some(code) if code.nested && 2.0 * code.loads <= own => 8.0 * code.loads,
                _ => 0.0,
            };
            let streamed: Vec<f64> = rows.iter().zip(codes).map(streamed).collect();
            let data = 8.0 * question.data.iter().map(Vec::len).sum::<usize>() as f64;
            let place = |k: usize| match question.items as f64 * f64::from(rows[k].bytes) + data {
                _ if streamed[k] == 0.0 => Place::Near,
                all if all <= card.cache => Place::Cache,
                _ => Place::Memory,
            };
            paced = times(codes, &estimates, question.items, card, &streamed, place);
            ("predicted from machine code", iterations(codes, &estimates, &streamed))
        }
        None => ("estimated from operations", estimates),
    };
    let alone = |r: &Row, s| r.candidate.item == s && r.candidate.beside.is_none();
    let of = |s| rows.iter().position(|r| alone(r, s)).and_then(|i| *counts.get(i)?);
    let double = of(Subject::Double).map(|c| card.clocks(&c).0);
    let rate = |clocks: f64| Some(double? / clocks);
    let paced_double = rows.iter().position(is_double).and_then(|i| *paced.get(i)?);
    let speed = |(i, row): (usize, &Row)| {
        let (share, clocks, bound) = match row.candidate.beside {
            Some(beside) => {
                let (one, other) = (of(row.candidate.item)?, of(beside)?);
                // Results of both are stored as doubles.
                let (share, clocks, bound) = card.shared(&one, &Counts { bytes: one.bytes, ..other });
                (Some(share), clocks, bound)
            }
            None => {
                let (clocks, bound) = card.clocks(counts.get(i)?.as_ref()?);
                // What schedulers wait for is known of machine code.
                if let (Some(&Some(time)), Some(double)) = (paced.get(i), paced_double) {
                    let bound = time.bound.unwrap_or(bound).into();
                    return Some(Speed { ratio: double.clocks / time.clocks, bound, share: None });
                }
                (None, clocks, bound)
            }
        };
        Some(Speed { ratio: rate(clocks)?, bound: bound.into(), share })
    };
    (basis, rows.iter().enumerate().map(speed).collect())
}

#[cfg(test)]
mod tests {
    use super::super::row::Semantics;
    use super::*;
    use std::time::Duration;
    use vernier_gpu::advise::{Kernel, subject};
    use vernier_gpu::device::cuda::compiler_version;
    use vernier_gpu::sass::disassembler;

    /// The examples as they were measured on an H200: example, items, candidate, milliseconds.
    const MEASURED: &str = include_str!("../../fixtures/advise_h200.tsv");
    /// How far a predicted ratio to double may be from the measured one, and that of the candidate that is farthest: its threads go
    /// different ways through its functions, of which the shortest is predicted.
    const ERROR: f64 = 0.16;
    const FARTHEST: (&str, &str, f64) = ("black_scholes 100000", "fp64mp2_low", 0.25);

    /// The class, whether items are summed, arrays, words of one for each item, and the operations of an item.
    fn example(name: &str, items: u64) -> (&'static str, bool, usize, u64, Vec<(&'static str, f64)>) {
        let n = items as f64;
        match name {
            "norms" => ("Norms", false, 1, 3, vec![("mul", 3.0), ("add", 2.0), ("sqrt", 1.0)]),
            "pi" => ("Pi", true, 0, 0, vec![("mul", 512.0), ("add", 1536.0), ("div", 512.0)]),
            "forces" => {
                let each = [("sub", 3.0), ("mul", 7.0), ("add", 6.0), ("sqrt", 1.0), ("div", 1.0)];
                ("Forces", false, 1, 3, each.map(|(op, k)| (op, k * n)).to_vec())
            }
            _ => ("BlackScholes", false, 3, 1, vec![("exp", 1.0), ("log", 1.0), ("erfc", 2.0)]),
        }
    }

    /// On the card that they were measured on.
    #[test]
    fn predictions_are_near_what_was_measured() {
        if disassembler().is_err() || compiler_version().is_err() {
            return println!("SKIPPED: no cuobjdump or NVRTC");
        }
        let mut cases: BTreeMap<(&str, u64), Vec<(Candidate, f64)>> = BTreeMap::new();
        for line in MEASURED.lines().filter(|l| !l.starts_with('#')).skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let candidate = match cells[2].split_once(", sum in ") {
                Some((item, sum)) => Candidate::summed(subject(item).unwrap(), subject(sum).unwrap()),
                None => Candidate::single(subject(cells[2]).unwrap()),
            };
            let case = cases.entry((cells[0], cells[1].parse().unwrap())).or_default();
            case.push((candidate, cells[3].parse().unwrap()));
        }
        let card = Card::named("H200").unwrap();
        let mut far = Vec::new();
        for ((name, items), measured) in cases {
            let (class, sums, arrays, words, operations) = example(name, items);
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/advise");
            let file = format!("{name}.cuh");
            let text = std::fs::read_to_string(folder.join(&file)).unwrap();
            let question = Question {
                kernel: Kernel { file, folder, text, name: class.into(), arrays },
                data: vec![vec![0.0; (words * items) as usize]; arrays],
                items,
                digits: 6.0,
                sums,
                types: Vec::new(),
                split: false,
                sum_in: None,
                semantics: Semantics::default(),
                cards: vec![card.clone()],
                device: None,
                limit: Duration::from_secs(60),
            };
            let candidates: Vec<Candidate> = measured.iter().map(|(c, _)| *c).collect();
            let codes = machine_code(&question, &candidates).remove("sm_90").unwrap().unwrap();
            let codes: Vec<Option<&Code>> = codes.iter().map(|c| c.as_ref().ok()).collect();
            let rows: Vec<Row> = candidates.iter().map(|&c| Row::of(c, question.semantics)).collect();
            let operations = operations.into_iter().map(|(op, n)| (op.to_string(), n)).collect();
            let (_, speeds) = predicted(&question, &rows, Some(&codes), &operations, &card);
            let double = measured.iter().find(|(c, _)| c.name() == "double").unwrap().1;
            for (speed, (candidate, ms)) in speeds.iter().zip(&measured) {
                let ratio = speed.as_ref().unwrap().ratio;
                let error = ratio / (double / ms) - 1.0;
                let (case, candidate) = (format!("{name} {items}"), candidate.name());
                println!("{case} {candidate}: predicted {ratio:.3}, measured {:.3}, {error:+.3}", double / ms);
                let is_farthest = (case.as_str(), candidate.as_str()) == (FARTHEST.0, FARTHEST.1);
                if error.abs() > if is_farthest { FARTHEST.2 } else { ERROR } {
                    far.push(format!("{case} {candidate} {error:+.3}"));
                }
            }
        }
        assert!(far.is_empty(), "{far:?}");
    }
}
