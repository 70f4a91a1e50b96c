//! Which candidate to take.

use super::row::Row;
use serde::{Deserialize, Serialize};
use vernier_gpu::advise::Candidate;
use vernier_gpu::bench::Subject;

/// Reasons by family and rate of FP64.
const TYPES: &str = include_str!("../../fixtures/guide_types.tsv");

/// A mix of types is named first where it is so many times as fast as the best single type.
pub const MIX: f64 = 1.5;
/// Double is kept where nothing is so many times as fast.
pub const KEEP: f64 = 1.1;

/// What to take, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recommendation {
    /// The type, or the two of a mix; none where no candidate will do.
    #[serde(rename = "type")]
    pub name: Option<String>,
    /// One sentence.
    pub reason: String,
}

/// The fastest candidate that is enough, a single type unless a mix wins by far; `speed` is double's time over a row's.
///
/// Returns the row's place too.
pub fn recommend(
    rows: &[Row],
    speed: impl Fn(usize) -> Option<f64>,
    rationed: bool,
    asked: f64,
) -> (Option<usize>, Recommendation) {
    let enough = |i: &usize| rows[*i].enough && rows[*i].allowed && rows[*i].failed.is_none() && speed(*i).is_some();
    let rate = |i: usize| speed(i).unwrap_or(0.0);
    let best = |wanted: &dyn Fn(&Row) -> bool| {
        (0..rows.len()).filter(enough).filter(|&i| wanted(&rows[i])).max_by(|&a, &b| rate(a).total_cmp(&rate(b)))
    };
    let single = best(&|r| r.candidate.is_single()).map(|fastest| {
        let double = best(&|r| r.candidate == Candidate::single(Subject::Double));
        double.filter(|_| rate(fastest) < KEEP).unwrap_or(fastest)
    });
    let mix = best(&|r| !r.candidate.is_single());
    let chosen = match (single, mix) {
        (Some(s), Some(m)) if rate(m) > MIX * rate(s) => Some(m),
        (Some(s), _) => Some(s),
        (None, m) => m,
    };
    let Some(i) = chosen else { return (None, Recommendation { name: None, reason: nothing(rows, asked) }) };
    let row = &rows[i];
    let digits = row.digits.unwrap_or(0.0);
    let beside = match single {
        Some(s) if s != i => format!("; of single types {} comes first, at {:.2} times double", rows[s].name, rate(s)),
        _ => String::new(),
    };
    let why = why(row.candidate.item, rationed);
    let reason = format!(
        "{:.1} digits of the {asked} asked for at {:.2} times the speed of double: {why}{beside}",
        digits,
        rate(i)
    );
    (Some(i), Recommendation { name: Some(row.name.clone()), reason })
}

/// Why a type is taken on a card.
fn why(subject: Subject, rationed: bool) -> &'static str {
    let rate = if rationed { "rationed" } else { "full" };
    let rows = TYPES.lines().skip(1).filter_map(|l| {
        let mut cells = l.split('\t');
        Some((cells.next()?, cells.next()?, cells.next()?))
    });
    rows.clone().find(|(f, r, _)| *f == subject.family() && (*r == rate || *r == "any")).map_or("", |(_, _, why)| why)
}

fn nothing(rows: &[Row], asked: f64) -> String {
    let known = rows.iter().filter(|r| r.allowed && r.failed.is_none() && r.digits.is_some());
    match known.max_by(|a, b| a.digits.unwrap_or(0.0).total_cmp(&b.digits.unwrap_or(0.0))) {
        Some(most) => format!(
            "no candidate keeps {asked} digits: {} keeps most, {:.1}; more than 104 bits, or more range than double, is software binary128's",
            most.name,
            most.digits.unwrap_or(0.0)
        ),
        None => "no candidate could be judged".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Semantics;
    use super::*;
    use vernier_gpu::advise::subject;

    /// Rows with digits and speeds.
    fn rows(list: &[(Subject, Subject, f64)], asked: f64) -> Vec<Row> {
        let one = |&(item, sum, digits): &(Subject, Subject, f64)| Row {
            digits: Some(digits),
            enough: digits >= asked,
            ..Row::of(Candidate::summed(item, sum), Semantics::default())
        };
        list.iter().map(one).collect()
    }

    fn chosen(list: &[(Subject, Subject, f64)], speeds: &[f64], asked: f64) -> String {
        let rows = rows(list, asked);
        recommend(&rows, |i| speeds.get(i).copied(), true, asked).1.name.unwrap_or_default()
    }

    #[test]
    fn the_fastest_that_is_enough() {
        use Subject::*;
        let list =
            [(Float, Float, 3.0), (Double, Double, 14.0), (Fp32mp2Mid, Fp32mp2Mid, 12.0), (Fp32mp2Low, Double, 12.0)];
        assert_eq!(chosen(&list, &[30.0, 1.0, 10.0, 15.1], 2.0), "float");
        assert_eq!(chosen(&list, &[30.0, 1.0, 10.0, 14.9], 11.0), "fp32mp2_mid");
        assert_eq!(
            chosen(&list, &[30.0, 1.0, 10.0, 15.1], 11.0),
            "fp32mp2_low, sum in double",
            "a mix that wins by far"
        );
        assert_eq!(chosen(&list, &[30.0, 1.0, 1.09, 1.0], 11.0), "double", "a tenth is not worth it");
        assert_eq!(chosen(&list, &[30.0, 1.0, 10.0, 15.0], 20.0), "");
        let rows = rows(&list, 20.0);
        let (none, why) = recommend(&rows, |_| Some(1.0), true, 20.0);
        assert!(none.is_none() && why.reason.contains("double keeps most, 14.0"), "{}", why.reason);
    }

    #[test]
    fn semantics() {
        let bits = Semantics { bits: true, range: false };
        let allowed = |s: Semantics| Subject::ALL.into_iter().filter(|x| s.allow(Candidate::single(*x))).count();
        assert_eq!(
            (allowed(bits), allowed(Semantics { bits: false, range: true }), allowed(Semantics::default())),
            (2, 10, 14)
        );
        assert!(!bits.allow(Candidate::summed(Subject::Double, Subject::Fp64mp2Low)));
    }

    #[test]
    fn every_type_has_a_reason() {
        for s in Subject::ALL {
            assert!(!why(s, true).is_empty() && !why(s, false).is_empty(), "{}", s.name());
        }
    }

    /// The pi benchmark with 2^26 terms: digits, and speeds as they were published for B300 and measured on one H200.
    #[test]
    fn the_ten_answers_of_the_guide() {
        let figures = include_str!("../../fixtures/guide_pi.tsv").lines().skip(1);
        let figures: Vec<(Candidate, [f64; 3])> = figures
            .map(|line| {
                let cells: Vec<&str> = line.split('\t').collect();
                let candidate = match cells[0].split_once('+') {
                    Some((item, sum)) => Candidate::summed(subject(item).unwrap(), subject(sum).unwrap()),
                    None => Candidate::single(subject(cells[0]).unwrap()),
                };
                (candidate, [1, 2, 3].map(|i| cells[i].parse().unwrap()))
            })
            .collect();
        assert_eq!(figures.iter().filter(|(c, _)| c.is_single()).count(), 14);
        let answers = include_str!("../../fixtures/guide_answers.tsv").lines().skip(1);
        let of = |asked: f64, card: usize, mixes: bool| {
            let used = figures.iter().filter(|(c, _)| mixes || c.is_single());
            let (rows, speeds): (Vec<Row>, Vec<f64>) = used
                .map(|(c, [digits, b300, h200])| {
                    let row =
                        Row { digits: Some(*digits), enough: *digits >= asked, ..Row::of(*c, Semantics::default()) };
                    (row, [*b300, *h200][card])
                })
                .unzip();
            recommend(&rows, |i| Some(speeds[i]), card == 0, asked).1
        };
        let mut count = 0;
        for line in answers {
            let cells: Vec<&str> = line.split('\t').collect();
            for card in [0, 1] {
                let found = of(cells[0].parse().unwrap(), card, false);
                assert_eq!(found.name.as_deref(), Some(cells[1 + card]), "{line}: {}", found.reason);
                count += 1;
            }
        }
        assert_eq!(count, 10);
        // Beyond the table: fp32mp2's speed with the digits of a sum in double.
        let mix = of(14.0, 0, true);
        assert_eq!(mix.name.as_deref(), Some("fp32mp2_low, sum in double"));
        assert!(mix.reason.contains("of single types fp64emu_unpacked_mid comes first"), "{}", mix.reason);
        assert!(of(25.0, 0, false).reason.contains("binary128"));
    }
}
