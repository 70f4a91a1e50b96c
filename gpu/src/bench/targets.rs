//! What speed is asked for, and whether it was reached.

use super::speed::{Bench, Operands};
use super::{Author, Subject};
use serde::{Deserialize, Serialize};

/// One demand on measured speeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// The type.
    pub subject: Subject,
    /// The operation.
    pub op: String,
    /// What the figure is.
    pub figure: String,
    /// The least that will do.
    pub least: f64,
    /// What was measured; none where it was not.
    pub measured: Option<f64>,
    /// The larger of the spreads of what was compared.
    pub spread: Option<f64>,
}

impl Target {
    /// Whether it was reached; none where it was not measured.
    pub fn holds(&self) -> Option<bool> {
        self.measured.map(|m| m >= self.least)
    }
}

/// Floating-point instructions that low and mid operations may have.
const INSTRUCTIONS: [(&str, f64, f64); 5] =
    [("add", 8.0, 11.0), ("mul", 5.0, 9.0), ("acc", 7.0, 10.0), ("fma", 16.0, 19.0), ("mad", 13.0, 16.0)];

/// The demands, held against a bench: low and mid operations other than division run their floating-point instructions
/// at 0.9 of the rate of native additions or more, and have no more of them than published; divisions and roots reach
/// their share of the speed of the published sequences with approximate seeds, operands changing.
pub fn targets(bench: &Bench) -> Vec<Target> {
    let mut list = Vec::new();
    let pairs = Subject::ALL.into_iter().filter(|s| !s.is_native());
    for subject in pairs {
        let changing = |op: &str, author| bench.find(subject, op, author, Operands::Changing);
        let mut add = |op: &str, figure: &str, least, measured, spread| {
            list.push(Target { subject, op: op.into(), figure: figure.into(), least, measured, spread });
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
