//! Warnings that follow from what was measured. A rule is one row.

use super::digits;
use super::row::Row;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vernier::stat::{Record, Slot};
use vernier_gpu::advise::Code;
use vernier_gpu::bench::Subject;

/// What rules look at.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// All candidates.
    pub rows: &'a [Row],
    /// The place of the one that is recommended.
    pub chosen: Option<usize>,
    /// The file, for lines.
    pub file: &'a str,
    /// Whether FP64 is rationed on the first card.
    pub rationed: bool,
    /// Digits asked for.
    pub asked: f64,
    /// Digits in which two levels of the reference agree.
    pub agreement: f64,
    /// Digits of the reference by MPFR.
    pub exact: Option<f64>,
    /// Items of the trace.
    pub records: &'a BTreeMap<Subject, Record>,
    /// Operations of an item.
    pub operations: &'a BTreeMap<String, f64>,
    /// Divisions by a root.
    pub divisions_by_roots: u64,
}

impl Facts<'_> {
    fn row(&self) -> Option<&Row> {
        self.rows.get(self.chosen?)
    }
}

/// A rule.
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// What must be exceeded.
    pub threshold: f64,
    /// Where it comes from.
    pub source: &'static str,
    /// What there is to say, if anything.
    says: fn(&Facts<'_>, f64) -> Vec<String>,
}

/// What a rule says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The rule.
    pub rule: String,
    /// The text.
    pub text: String,
    /// Where the rule comes from.
    pub source: String,
}

const COSTS: &str = "guide, costs to warn about";
const RECORD: &str = "guide, reading the record";

/// All rules.
pub const RULES: [Rule; 19] = [
    Rule { name: "conversions", threshold: 0.0, source: COSTS, says: conversions },
    Rule { name: "fp64-in-the-loop", threshold: 0.0, source: COSTS, says: fp64_in_the_loop },
    Rule { name: "spills", threshold: 0.0, source: COSTS, says: spills },
    Rule { name: "occupancy", threshold: 0.25, source: "guide, measuring: registers and spills", says: occupancy },
    Rule { name: "ill-conditioned", threshold: 0.0, source: "the reference at two levels", says: ill_conditioned },
    Rule { name: "reference", threshold: 0.0, source: "MPFR on a sample of the items", says: reference },
    Rule { name: "range-left", threshold: 0.0, source: "guide, question 3", says: range_left },
    Rule { name: "range-near", threshold: 8.0, source: RECORD, says: range_near },
    Rule { name: "idle-limb", threshold: 0.5, source: RECORD, says: idle_limb },
    Rule { name: "overlap", threshold: 0.0, source: RECORD, says: overlap },
    Rule { name: "inversion", threshold: 0.0, source: RECORD, says: inversion },
    Rule { name: "cancellation", threshold: 0.01, source: RECORD, says: cancellation },
    Rule { name: "subnormal-limbs", threshold: 0.0, source: RECORD, says: subnormal_limbs },
    Rule { name: "divisions", threshold: 0.15, source: COSTS, says: divisions },
    Rule { name: "divisions-by-roots", threshold: 0.0, source: COSTS, says: divisions_by_roots },
    Rule { name: "binary128", threshold: 0.0, source: "guide, need, card, type", says: binary128 },
    Rule { name: "memory", threshold: 0.0, source: "data sheets: bandwidth", says: memory },
    Rule { name: "no-faster-type", threshold: 1.1, source: "guide, need, card, type", says: no_faster_type },
    Rule { name: "two-pipes", threshold: 1.1, source: "guide, mixes worth trying", says: two_pipes },
];

/// What all rules say.
pub fn warnings(facts: &Facts<'_>) -> Vec<Warning> {
    let of = |rule: &'static Rule| {
        let texts = (rule.says)(facts, rule.threshold);
        texts.into_iter().map(|text| Warning { rule: rule.name.into(), text, source: rule.source.into() })
    };
    RULES.iter().flat_map(of).collect()
}

fn at(file: &str, line: Option<u32>) -> String {
    line.map_or(file.to_string(), |line| format!("{file}:{line}"))
}

/// Types that are to do without the FP64 pipe.
fn avoids_fp64(s: Subject) -> bool {
    s == Subject::Float || s.family() == "fp32mp2" || s.is_emulated()
}

/// One sentence of a family: its levels have the same conversions.
fn conversions(f: &Facts<'_>, least: f64) -> Vec<String> {
    let mut said: BTreeMap<(&str, Option<u32>, &str), u32> = BTreeMap::new();
    for row in f.rows.iter().filter(|r| r.candidate.is_single() && r.candidate.item.family() != "fp64mp2") {
        for c in row.code.iter().flat_map(|code| &code.conversions).filter(|c| f64::from(c.instructions) > least) {
            let most = said.entry((row.candidate.item.family(), c.line, &c.what)).or_default();
            *most = (*most).max(c.instructions);
        }
    }
    let text = |((family, line, what), n): ((&str, Option<u32>, &str), u32)| {
        format!(
            "{}: conversions {what} in the loop of {family}, {n} instructions: convert the data before the loop",
            at(f.file, line)
        )
    };
    said.into_iter().map(text).collect()
}

fn fp64_in_the_loop(f: &Facts<'_>, least: f64) -> Vec<String> {
    let mut said: BTreeMap<&str, &Code> = BTreeMap::new();
    for row in f.rows.iter().filter(|r| r.candidate.is_single() && avoids_fp64(r.candidate.item)) {
        let Some(code) = row.code.as_ref().filter(|c| c.fp64() > least) else { continue };
        let most = said.entry(row.candidate.item.family()).or_insert(code);
        if code.fp64() > most.fp64() {
            *most = code;
        }
    }
    let text = |(family, code): (&str, &Code)| {
        // Lines that compilers share among instructions are not all of them the one that is meant: those with most come first.
        let mut lines: Vec<(u32, u32)> = code.fp64_at.iter().map(|(&line, &n)| (n, line)).collect();
        lines.sort_by_key(|&(n, line)| (std::cmp::Reverse(n), line));
        let most = lines.first().map_or(0, |l| l.0);
        let places: Vec<String> = lines.iter().filter(|l| l.0 * 4 >= most).map(|l| l.1.to_string()).collect();
        let place = if places.is_empty() { f.file.to_string() } else { format!("{}:{}", f.file, places.join(", ")) };
        format!(
            "{place}: {} FP64 instructions in the loop of {family}: a double among its operands, or a literal",
            code.fp64()
        )
    };
    said.into_iter().map(text).collect()
}

fn spills(f: &Facts<'_>, least: f64) -> Vec<String> {
    let row = f.row().filter(|r| r.spilled.is_some_and(|n| f64::from(n) > least));
    let text = |r: &Row| {
        format!(
            "{} spills {} bytes a thread: restructure the kernel before it is sped up",
            r.name,
            r.spilled.unwrap_or(0)
        )
    };
    row.map(text).into_iter().collect()
}

fn occupancy(f: &Facts<'_>, least: f64) -> Vec<String> {
    let row = f.row().filter(|r| r.occupancy.is_some_and(|o| o < least));
    let text = |r: &Row| {
        let percent = 100.0 * r.occupancy.unwrap_or(0.0);
        format!("{} takes {} registers a thread: {percent:.0}% of the warps fit", r.name, r.registers.unwrap_or(0))
    };
    row.map(text).into_iter().collect()
}

fn ill_conditioned(f: &Facts<'_>, _: f64) -> Vec<String> {
    let text = format!(
        "ill-conditioned: fp64mp2 at levels mid and high agree in {:.1} digits only, {} are asked for",
        f.agreement, f.asked
    );
    (f.agreement < f.asked).then_some(text).into_iter().collect()
}

fn reference(f: &Facts<'_>, _: f64) -> Vec<String> {
    let exact = f.exact.filter(|d| *d < f.asked);
    exact.map(|d| format!("the reference itself has {d:.1} digits of the exact values")).into_iter().collect()
}

fn range_left(f: &Facts<'_>, least: f64) -> Vec<String> {
    let lost = |r: &Row| r.kept.map_or(0, |k| k.lost);
    let rows = f.rows.iter().filter(|r| r.candidate.is_single() && lost(r) as f64 > least);
    rows.map(|r| format!("{} leaves its exponent range in {} items", r.name, lost(r))).collect()
}

/// The record of a level of a family.
fn record(f: &Facts<'_>, family: &'static str, level: &str) -> Option<(Subject, Record)> {
    f.records.iter().find(|(s, _)| s.family() == family && s.level() == level).map(|(s, r)| (*s, *r))
}

fn slots(r: &Record) -> [&Slot; 3] {
    [&r.arg[0], &r.arg[1], &r.result]
}

fn range_near(f: &Facts<'_>, bits: f64) -> Vec<String> {
    let Some((_, r)) = record(f, "fp32mp2", "mid") else { return Vec::new() };
    let ends = slots(&r).into_iter().filter_map(Slot::exponents).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let near = ends.filter(|(least, most)| f64::from(*most) > 127.0 - bits || f64::from(*least) < -102.0 + bits);
    let text = |(least, most)| {
        format!(
            "fp32mp2: exponents from {least} to {most} are near the ends of its range, -102 for two normal limbs and 127: another type where data may grow"
        )
    };
    near.map(text).into_iter().collect()
}

fn share(n: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { n as f64 / of as f64 }
}

fn idle_limb(f: &Facts<'_>, least: f64) -> Vec<String> {
    let one = |(family, instead)| {
        let (_, r) = record(f, family, "mid")?;
        let idle = share(r.result.zero_lo_count, r.ops_count);
        let percent = 100.0 * idle;
        (idle > least)
            .then(|| format!("{family}: the second limb is idle in {percent:.0}% of the operations: {instead} may do"))
    };
    [("fp32mp2", "float"), ("fp64mp2", "double")].into_iter().filter_map(one).collect()
}

fn overlap(f: &Facts<'_>, least: f64) -> Vec<String> {
    let one = |family| {
        let (_, r) = record(f, family, "low")?;
        let overlaps = r.result.overlap_count;
        let bits = r.result.gaps().map_or(0, |g| -g.0);
        (overlaps as f64 > least && bits > 0).then(|| {
            format!("{family}_low drifts: the limbs of {overlaps} results overlap, by {bits} bits at most: renormalise now and then, or use mid")
        })
    };
    ["fp32mp2", "fp64mp2"].into_iter().filter_map(one).collect()
}

fn inversion(f: &Facts<'_>, least: f64) -> Vec<String> {
    let rows = f.records.iter().map(|(s, r)| (s, r.result.invert_count)).filter(|(_, n)| *n as f64 > least);
    rows.map(|(s, n)| format!("{}: |lo| is above |hi| in {n} results, which must not be", s.name())).collect()
}

fn cancellation(f: &Facts<'_>, least: f64) -> Vec<String> {
    let one = |family| {
        let (_, r) = record(f, family, "high")?;
        let cancelled = share(r.partial_cancel_count + r.full_cancel_count, r.add_count + r.sub_count);
        let percent = 100.0 * cancelled;
        (cancelled > least).then(|| {
            format!("{family}: {percent:.0}% of the sums and differences cancel: level high may pay there, or another formula; in a compensated sum it is as it should be")
        })
    };
    ["fp32mp2", "fp64mp2"].into_iter().filter_map(one).collect()
}

fn subnormal_limbs(f: &Facts<'_>, least: f64) -> Vec<String> {
    let rows = f.records.iter().filter(|(s, _)| s.level() == "mid").map(|(s, r)| (s, r.result.denorm_count));
    let rows = rows.filter(|(_, n)| *n as f64 > least);
    rows.map(|(s, n)| {
        format!("{}: {n} results have a subnormal limb and fewer digits: another type, or scale the data", s.family())
    })
    .collect()
}

fn divisions(f: &Facts<'_>, least: f64) -> Vec<String> {
    let total: f64 = f.operations.values().sum();
    let divided = f.operations.get("div").copied().unwrap_or(0.0);
    let percent = 100.0 * divided / total;
    let text = format!(
        "{percent:.0}% of the operations are divisions: hoist reciprocals out of the loop where the divisor stays"
    );
    (total > 0.0 && divided > least * total).then_some(text).into_iter().collect()
}

fn divisions_by_roots(f: &Facts<'_>, least: f64) -> Vec<String> {
    let text = "a division by a square root: rsqrt and a product take less".to_string();
    (f.divisions_by_roots as f64 > least).then_some(text).into_iter().collect()
}

fn binary128(f: &Facts<'_>, _: f64) -> Vec<String> {
    let wide = f.rationed && f.row().is_some_and(|r| r.candidate.item.family() == "fp64mp2");
    let text = "FP64 is rationed: measure software binary128 (published at 1.4 to 4 times fp64mp2 there, unless its registers spill) and double with a compensated sum too";
    wide.then(|| text.to_string()).into_iter().collect()
}

fn memory(f: &Facts<'_>, _: f64) -> Vec<String> {
    let row = f.row().filter(|r| r.bound.as_deref() == Some("memory"));
    row.map(|r| format!("{} waits for memory: fewer bytes a value matter more than instructions", r.name))
        .into_iter()
        .collect()
}

fn no_faster_type(f: &Facts<'_>, least: f64) -> Vec<String> {
    let double = f.row().is_some_and(|r| r.candidate.item == Subject::Double && r.candidate.is_single());
    let faster = |r: &Row| r.ratio.is_some_and(|x| x > least) && r.failed.is_none();
    let most =
        f.rows.iter().filter(|r| faster(r)).max_by(|a, b| a.digits.unwrap_or(0.0).total_cmp(&b.digits.unwrap_or(0.0)));
    let text = |r: &Row| {
        let digits = r.digits.unwrap_or(0.0).min(digits::MOST);
        format!(
            "of the types that are faster than double, {} keeps most: {digits:.1} digits at {:.1} times",
            r.name,
            r.ratio.unwrap_or(0.0)
        )
    };
    most.filter(|_| double && f.rationed).map(text).into_iter().collect()
}

/// Below the threshold items that are shared are not worth it.
fn two_pipes(f: &Facts<'_>, least: f64) -> Vec<String> {
    let shared = f.rows.iter().filter(|r| r.candidate.beside.is_some() && r.failed.is_none() && r.ratio.is_some());
    let best = shared.max_by(|a, b| a.ratio.unwrap_or(0.0).total_cmp(&b.ratio.unwrap_or(0.0)));
    let text = |r: &Row| {
        let percent = 100.0 * r.share.unwrap_or(0.0);
        let ratio = r.ratio.unwrap_or(0.0);
        format!(
            "two pipes at once do not pay here: {} reaches {ratio:.2} times double alone at best, with {percent:.1}% of the items emulated",
            r.name
        )
    };
    best.filter(|r| r.ratio.is_some_and(|x| x < least)).map(text).into_iter().collect()
}

#[cfg(test)]
#[path = "rules_test.rs"]
mod tests;
