//! What changed in digits, instruction counts and speed.

use super::List;
use crate::speed::{Count, Counts, Digits, Report, Results};
use vernier_gpu::bench::{Author, FunctionRow, Operands, Pi, Row, Split, SplitRow};

/// So many correct digits less are a digit lost: an error a quarter larger.
pub const LOST_DIGITS: f64 = 0.1;
/// Counts that differ by less are equal.
pub const COUNT_STEP: f64 = 0.05;
/// Speeds of two runs differ by so much without a reason in the program.
pub const LEAST_TOLERANCE: f64 = 0.03;

/// By how much, relative to the former, speeds with these spreads may differ.
pub fn tolerance(before: f64, after: f64) -> f64 {
    (before + after).max(LEAST_TOLERANCE)
}

pub(super) fn compare(old: Option<&Results>, new: Option<&Results>, list: &mut List) {
    let what = "digits, instruction counts and speed";
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return,
        (None, Some(_)) => return list.add(true, what, "the old results have none"),
        (Some(_), None) => return list.add(true, what, "the new results have none"),
    };
    let same_effort = old.quick == new.quick;
    if !same_effort {
        list.add(false, what, "one of the runs was a quick one: only what both have is compared");
    }
    let places = Places::of(old, new);
    places.list_missing(list);
    let here = |d: &&Digits| places.both(&d.place);
    let before = old.digits.iter().filter(here);
    each(before, || new.digits.iter().filter(here), digits_name, same_effort, list, digits);
    if !old.counts.is_empty() && new.counts.is_empty() {
        let why = new.left_out.iter().find(|l| l.starts_with("instruction counts"));
        list.add(true, "instruction counts", why.map_or("none now", |l| l.as_str()));
    } else {
        if old.counts_by != new.counts_by {
            list.add(false, "instruction counts", format!("by {} -> {}", old.counts_by, new.counts_by));
        }
        let name = |c: &Counts| format!("instructions of {} {} {}", c.family, c.op, c.level);
        let pair = |name: &str, a: &Counts, b: &Counts, list: &mut List| {
            let architecture = |c: &Count| format!("{name} on {}", c.architecture);
            each(a.counts.iter(), || b.counts.iter(), architecture, same_effort, list, counts);
        };
        each(old.counts.iter(), || new.counts.iter(), name, same_effort, list, pair);
    }
    for before in old.measured.iter().filter(|r| places.both(&r.place)) {
        if let Some(after) = new.measured.iter().find(|r| r.place == before.place) {
            speeds(before, after, list);
        }
    }
}

/// Holds rows of one name against each other; those that one side lacks are listed.
fn each<'a, T: 'a, N: Iterator<Item = &'a T>>(
    old: impl Iterator<Item = &'a T> + Clone,
    new: impl Fn() -> N,
    name: impl Fn(&T) -> String,
    same_effort: bool,
    list: &mut List,
    pair: impl Fn(&str, &T, &T, &mut List),
) {
    for before in old.clone() {
        let key = name(before);
        match new().find(|n| name(n) == key) {
            Some(after) => pair(&key, before, after, list),
            None if same_effort => list.add(true, key, "measured before, not now"),
            None => {}
        }
    }
    let known: std::collections::HashSet<String> = old.map(&name).collect();
    for key in new().map(&name).filter(|key| same_effort && !known.contains(key)) {
        list.add(false, key, "not measured before");
    }
}

/// Where the two were run.
struct Places<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
}

impl<'a> Places<'a> {
    fn of(old: &'a Results, new: &'a Results) -> Places<'a> {
        let places = |r: &'a Results| {
            let digits = r.digits.iter().map(|d| d.place.as_str());
            let mut all: Vec<&str> = digits.chain(r.measured.iter().map(|m| m.place.as_str())).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        Places { old: places(old), new: places(new) }
    }

    fn both(&self, place: &str) -> bool {
        self.old.contains(&place) && self.new.contains(&place)
    }

    fn list_missing(&self, list: &mut List) {
        for place in self.old.iter().filter(|p| !self.both(p)) {
            list.add(true, *place, "measured before, not now");
        }
        for place in self.new.iter().filter(|p| !self.both(p)) {
            list.add(false, *place, "not measured before");
        }
    }
}

fn digits_name(d: &Digits) -> String {
    format!("pi in {} at 2^{} on {}", d.pi.subject.name(), d.pi.log2_terms, d.place)
}

fn digits(name: &str, before: &Digits, after: &Digits, list: &mut List) {
    let (a, b) = (&before.pi, &after.pi);
    if a.text != b.text {
        let figures = format!("{:.2} -> {:.2} digits", a.digits, b.digits);
        // What is no number is a loss too.
        let kept = b.digits > a.digits - LOST_DIGITS;
        list.add(!kept, name, format!("{figures}, {} -> {}", a.text, b.text));
    }
    let summed = (a.digits_summed_in_double, b.digits_summed_in_double);
    if summed.0 != summed.1 {
        let kept = summed.1 > summed.0 - LOST_DIGITS;
        list.add(!kept, name, format!("{:.2} -> {:.2} digits summed in double", summed.0, summed.1));
    }
    for (claim, _) in before.claims.iter().filter(|(_, held)| *held) {
        match after.claims.iter().find(|(c, _)| c == claim) {
            Some((_, true)) => {}
            Some((_, false)) => list.add(true, name, format!("{} no longer holds", claim.text())),
            None => list.add(false, name, format!("{} is no longer claimed", claim.text())),
        }
    }
}

fn counts(name: &str, a: &Count, b: &Count, list: &mut List) {
    let total = |c: &Count| c.fp32 + c.fp64 + c.other;
    let figures = [
        ("FP32", a.fp32, b.fp32),
        ("FP64", a.fp64, b.fp64),
        ("all", total(a), total(b)),
        ("bytes spilled", a.spills.into(), b.spills.into()),
    ];
    let changed = figures.iter().filter(|(_, a, b)| (a - b).abs() >= COUNT_STEP);
    let text: Vec<String> =
        changed.clone().map(|(what, a, b)| format!("{what} {} -> {}", short(*a), short(*b))).collect();
    if !text.is_empty() {
        list.add(changed.clone().any(|(_, a, b)| b > a), name, text.join(", "));
    }
}

fn short(x: f64) -> String {
    ((x * 100.0).round() / 100.0).to_string()
}

pub(super) fn speeds(before: &Report, after: &Report, list: &mut List) {
    let place = &after.place;
    if before.place != after.place {
        list.add(true, &before.place, "measured before, not now");
        return;
    }
    if let (Some(a), Some(b)) = (&before.device, &after.device) {
        let facts = [(&a.driver, &b.driver), (&a.compiler, &b.compiler), (&a.architecture, &b.architecture)];
        for (a, b) in facts.into_iter().filter(|(a, b)| a != b) {
            list.add(false, place, format!("{a} -> {b}"));
        }
    }
    let effort = |r: &Report| r.bench.as_ref().map(|b| b.effort);
    if effort(before) != effort(after) {
        list.add(false, place, "measured with different efforts: speeds are not held against each other");
        return;
    }
    let name = |r: &Row| {
        let theirs = if r.author == Author::Published { " (published)" } else { "" };
        let constant = if r.operands == Operands::Constant { ", constant operand" } else { "" };
        format!("speed of {} {}{theirs}{constant} on {place}", r.subject.name(), r.op)
    };
    let rows = |r: &'_ Report| r.bench.as_ref().map_or(Vec::new(), |b| b.rows.clone());
    let (old, new) = (rows(before), rows(after));
    each(old.iter(), || new.iter(), name, true, list, row);
    let name = |r: &FunctionRow| format!("speed of {} {} on {place}", r.family, r.op);
    each(before.functions.iter(), || after.functions.iter(), name, true, list, function);
    let name = |p: &Pi| format!("speed of pi in {} at 2^{} on {place}", p.subject.name(), p.log2_terms);
    each(before.pi.iter(), || after.pi.iter(), name, true, list, pi);
    let name =
        |s: &Split| format!("pi divided between double and {} at 2^{} on {place}", s.subject.name(), s.log2_terms);
    each(before.splits.iter(), || after.splits.iter(), name, true, list, split);
}

fn split(name: &str, a: &Split, b: &Split, list: &mut List) {
    let (Some(a), Some(b)) = (a.fastest(), b.fastest()) else { return };
    let figures = |r: &SplitRow| format!("{:.4} ms with {:.1}% emulated", r.timing.median * 1e3, r.share() * 100.0);
    let spreads = (a.timing.spread(), b.timing.spread());
    held(name, a.timing.median / b.timing.median, spreads, &format!("{} -> {}", figures(a), figures(b)), list);
}

fn function(name: &str, a: &FunctionRow, b: &FunctionRow, list: &mut List) {
    quicker(name, "10^9/s", a.per_second / 1e9, b.per_second / 1e9, (a.spread, b.spread), list);
    if a.host_bits && !b.host_bits {
        list.add(true, name, "no longer the host's bits");
    }
}

fn row(name: &str, a: &Row, b: &Row, list: &mut List) {
    let spreads = (a.spread, b.spread);
    quicker(name, "10^9/s", a.per_second / 1e9, b.per_second / 1e9, spreads, list);
    if let (Some(a), Some(b)) = (a.latency, b.latency) {
        held(name, a / b, spreads, &format!("latency {a:.1} -> {b:.1} clk"), list);
    }
    if a.in_range && !b.in_range {
        list.add(true, name, "the chain leaves its range");
    }
}

fn pi(name: &str, a: &Pi, b: &Pi, list: &mut List) {
    if let (Some(a), Some(b)) = (a.timing, b.timing) {
        let change = format!("{:.4} -> {:.4} ms", a.median * 1e3, b.median * 1e3);
        held(name, a.median / b.median, (a.spread(), b.spread()), &change, list);
    }
    if a.host_bits == Some(true) && b.host_bits != Some(true) {
        list.add(true, name, "no longer the host's bits");
    }
}

fn quicker(name: &str, unit: &str, a: f64, b: f64, spreads: (f64, f64), list: &mut List) {
    held(name, b / a, spreads, &format!("{a:.2} -> {b:.2} {unit}"), list);
}

/// Tells of a speed that is `ratio` times what it was, where that is more than the spreads are.
fn held(name: &str, ratio: f64, (before, after): (f64, f64), change: &str, list: &mut List) {
    let tolerance = tolerance(before, after);
    // A ratio that is no number tells nothing good.
    if ratio.is_nan() || (ratio - 1.0).abs() > tolerance {
        let text = format!("{change}, {:+.1}% (within {:.1}% is no change)", (ratio - 1.0) * 100.0, tolerance * 100.0);
        list.add(ratio.is_nan() || ratio < 1.0, name, text);
    }
}
