//! What speed is asked for, and whether it was reached.

use super::speed::{Bench, Operands};
use super::{Author, Pi, Subject};
use serde::{Deserialize, Serialize};

/// Figures of one H200: what was published, 10^9 evaluations a second and ms of the pi benchmark with 2^26 terms, and what is
/// asked for, about 1.3 times the speed.
const H200: &str = include_str!("published_h200.tsv");

/// On which side of the limit a figure is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// At the limit or above.
    #[default]
    AtLeast,
    /// At the limit or below.
    AtMost,
}

/// One demand on measured speeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// The type.
    pub subject: Subject,
    /// The operation.
    pub op: String,
    /// What the figure is.
    pub figure: String,
    /// The least that will do, or the most.
    #[serde(alias = "least")]
    pub limit: f64,
    /// Which of the two.
    #[serde(default)]
    pub side: Side,
    /// What was measured; none where it was not.
    pub measured: Option<f64>,
    /// The larger of the spreads of what was compared.
    pub spread: Option<f64>,
}

impl Target {
    /// Whether it was reached; none where it was not measured.
    pub fn holds(&self) -> Option<bool> {
        self.measured.map(|m| if self.side == Side::AtLeast { m >= self.limit } else { m <= self.limit })
    }
}

/// Floating-point instructions that low and mid operations may have.
const INSTRUCTIONS: [(&str, f64, f64); 5] =
    [("add", 8.0, 11.0), ("mul", 5.0, 9.0), ("acc", 7.0, 10.0), ("fma", 16.0, 19.0), ("mad", 13.0, 16.0)];

/// The demands, held against a bench: low and mid operations other than division run their floating-point instructions
/// at 0.9 of the rate of native additions or more, and have no more of them than published; divisions and roots reach
/// their share of the speed of the published sequences with approximate seeds, operands changing; on an H200, operations of
/// emulated doubles and the pi benchmark in them reach about 1.3 times the speeds published for it.
pub fn targets(bench: &Bench, pi: &[Pi]) -> Vec<Target> {
    let mut list = of_pairs(bench);
    if bench.build.device.contains("H200") {
        list.extend(on_h200(bench, pi));
    }
    list
}

/// What was published for an H200: of an operation, 10^9 evaluations a second; of `pi`, ms for 2^26 terms.
pub fn published_on_h200(subject: Subject, figure: &str) -> Option<f64> {
    h200(&subject.name(), figure).map(|(published, _)| published)
}

/// The same of a mathematical function of a type, which has no level: net of overhead.
pub fn published_function_on_h200(family: &str, function: &str) -> Option<f64> {
    h200(family, function).map(|(published, _)| published)
}

fn h200(name: &str, figure: &str) -> Option<(f64, Option<f64>)> {
    H200.lines().map(|line| line.split('\t').collect::<Vec<_>>()).find_map(|f| match f.as_slice() {
        &[n, what, published, wanted] if n == name && what == figure => {
            Some((published.parse().ok()?, wanted.parse().ok()))
        }
        _ => None,
    })
}

fn on_h200(bench: &Bench, pi: &[Pi]) -> Vec<Target> {
    let mut list = Vec::new();
    for subject in Subject::ALL.into_iter().filter(|s| s.is_emulated()) {
        for op in ["add", "mul", "div", "sqrt", "fma", "mad"] {
            let Some((_, Some(limit))) = h200(&subject.name(), op) else { continue };
            let row = bench.find(subject, op, Author::Vernier, Operands::Changing);
            list.push(Target {
                subject,
                op: op.into(),
                figure: "10^9/s".into(),
                limit,
                side: Side::AtLeast,
                measured: row.map(|r| r.per_second / 1e9),
                spread: row.map(|r| r.spread),
            });
        }
        let Some((_, Some(limit))) = h200(&subject.name(), "pi") else { continue };
        let timing = pi.iter().find(|p| p.subject == subject && p.log2_terms == 26).and_then(|p| p.timing);
        list.push(Target {
            subject,
            op: "pi".into(),
            figure: "ms for 2^26 terms".into(),
            limit,
            side: Side::AtMost,
            measured: timing.map(|t| t.median * 1e3),
            spread: timing.map(|t| t.spread()),
        });
    }
    list
}

fn of_pairs(bench: &Bench) -> Vec<Target> {
    let mut list = Vec::new();
    let pairs = Subject::ALL.into_iter().filter(|s| s.is_pair());
    for subject in pairs {
        let changing = |op: &str, author| bench.find(subject, op, author, Operands::Changing);
        let mut add = |op: &str, figure: &str, least, measured, spread| {
            let (op, figure) = (op.into(), figure.into());
            list.push(Target { subject, op, figure, limit: least, side: Side::AtLeast, measured, spread });
        };
        let native = bench.find(subject.native(), "add", Author::Vernier, Operands::Changing);
        if subject.level() != "high" {
            for (op, low, mid) in INSTRUCTIONS {
                let row = changing(op, Author::Vernier);
                let measured = row.and_then(|r| r.vs_native_add);
                let spread = row.zip(native).map(|(r, n)| r.spread.max(n.spread));
                add(op, "FP instructions vs native add", 0.9, measured, spread);
                let allowed = if subject.level() == "low" { low } else { mid };
                let count = row.and_then(|r| r.instructions);
                add(op, "published over own instructions", 1.0, count.map(|n| allowed / n), None);
            }
        }
        let mut against = |op: &str, least| {
            let rows = changing(op, Author::Vernier).zip(changing(op, Author::Published));
            let ratio = rows.map(|(ours, theirs)| ours.per_second / theirs.per_second);
            add(op, "vs published sequence", least, ratio, rows.map(|(a, b)| a.spread.max(b.spread)));
        };
        against(
            "div",
            match (subject.family(), subject.level()) {
                (_, "high") => 1.2,
                ("fp32mp2", "low") => 0.7,
                ("fp32mp2", _) => 0.75,
                _ => 0.9,
            },
        );
        if subject.level() == "mid" {
            against("sqrt", 0.9);
            against("rsqrt", 0.9);
        }
    }
    list
}
