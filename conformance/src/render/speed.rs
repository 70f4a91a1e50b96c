//! Digits, instruction counts and speed, as sections of text and tables.

use super::markdown::aligned;
use super::terminal::plain;
use crate::speed::{Counts, Digits, Instrument, Predicted, Report, Results, Twins, published_digits};
use crate::text::figure;
use vernier_gpu::bench::{
    Author, FunctionRow, Pi, Side, Split, SplitRow, Subject, Target, Timing, published_function_on_h200,
    published_on_h200,
};
use vernier_gpu::device::Resources;

/// A table with what is to be known of it.
pub struct Section {
    /// The title.
    pub title: String,
    /// Lines before the table.
    pub notes: Vec<String>,
    heads: String,
    rows: Vec<Vec<String>>,
}

impl Section {
    /// With a title, lines above the table, its heads between bars, and rows.
    pub fn new(title: impl Into<String>, notes: &[&str], heads: &str, rows: Vec<Vec<String>>) -> Section {
        let notes = notes.iter().filter(|n| !n.is_empty()).map(|n| n.to_string()).collect();
        Section { title: title.into(), notes, heads: heads.into(), rows }
    }

    /// For a terminal or a pipe.
    pub fn terminal(&self) -> String {
        let mut text = format!("{}\n", self.title);
        self.notes.iter().for_each(|n| text += &format!("{n}\n"));
        if !self.rows.is_empty() {
            text += &plain(&self.heads, self.rows.clone());
        }
        text.trim_end().into()
    }

    /// Heads and rows.
    pub(crate) fn cells(&self) -> (Vec<&str>, &[Vec<String>]) {
        (self.heads.split('|').collect(), &self.rows)
    }

    fn markdown(&self) -> String {
        let mut text = format!("\n## {}\n\n", self.title);
        self.notes.iter().for_each(|n| text += &format!("{n}\n"));
        if !self.rows.is_empty() {
            text += &format!(
                "{}{}",
                if self.notes.is_empty() { "" } else { "\n" },
                aligned(&self.heads, self.rows.clone())
            );
        }
        text
    }
}

/// The whole document.
pub fn speed_markdown(results: &Results) -> String {
    let b = &results.build;
    let mut text = format!("# Digits and speed\n\n- vernier {}, {}, {}, {}\n", b.version, b.rustc, b.target, b.flags);
    results.left_out.iter().for_each(|line| text += &format!("- {line}\n"));
    sections(results).iter().for_each(|s| text += &s.markdown());
    text
}

/// Everything, in the order of printing.
pub fn sections(results: &Results) -> Vec<Section> {
    let left_out = |what: &str| results.left_out.iter().find(|l| l.starts_with(what)).cloned().unwrap_or_default();
    let mut list = vec![digits(&results.digits, left_out("digits"))];
    list.push(match results.counts.is_empty() {
        true => Section::new("Instruction counts", &[&left_out("instruction counts")], "", Vec::new()),
        false => counts(&results.counts),
    });
    list.extend(results.measured.iter().flat_map(measured));
    let missing: Vec<&str> = results.left_out.iter().map(String::as_str).filter(|l| l.starts_with("speed")).collect();
    if !missing.is_empty() {
        list.push(Section::new("Speed: what was not measured", &missing, "", Vec::new()));
    }
    list.push(predicted(&results.predicted));
    list.push(twins(&results.twins));
    list.push(instruments(&results.instruments));
    list
}

fn instruments(rows: &[Instrument]) -> Section {
    let about = "Instrumented pairs: results that differ from the plain pair's on the host, six operations on each pair of operands of \
                 every sort; fields of the record of the published example (a Kahan sum) that are as published; on a device whether both \
                 records are the host's; and the time of the pi benchmark relative to the plain type (published: 100 to 1000 times).";
    let heads = "type|level|place|differing|as published|as on the host|pi, times plain|verdict";
    let line = |i: &Instrument| {
        let verdict = if i.holds() { "holds" } else { "FAILS" };
        vec![
            i.ty.clone(),
            i.level.clone(),
            i.place.clone(),
            format!("{} of {}", i.differing, i.results),
            i.as_published.map_or("-".into(), |n| format!("{n} of {} fields", i.fields)),
            i.as_on_host.map_or("-", |same| if same { "yes" } else { "NO" }).into(),
            i.cost.map_or("-".into(), |(cost, k)| format!("{cost:.2} at 2^{k}")),
            verdict.into(),
        ]
    };
    Section::new("Instrumented pairs", &[about], heads, rows.iter().map(line).collect())
}

fn twins(rows: &[Twins]) -> Section {
    let about = "A computation on the CPU and its GPU twin: identical on the exactness domain, within a bound derived from the input \
                 elsewhere. Faults planted are to be caught by some case.";
    let heads = "twin|place|cases|distance|bound|verdict";
    let lines = rows.iter().flat_map(|t| {
        let verdict = if t.hold() { "holds" } else { "FAILS" };
        let cases = format!(
            "{} of {} hold, {} identical; {} of {} faults caught",
            t.held, t.cases, t.exact, t.caught, t.faults
        );
        let head = [t.twin.clone(), t.place.clone(), cases, "-".into(), "-".into(), verdict.into()];
        let distances = t.distances.iter().map(|d| {
            let verdict = if d.distance <= d.bound { "within" } else { "BEYOND" };
            let case = format!("{}: {}", d.case, d.output);
            [t.twin.clone(), t.place.clone(), case, figure(d.distance, 4), figure(d.bound, 4), verdict.into()]
        });
        std::iter::once(head).chain(distances).map(Vec::from).collect::<Vec<_>>()
    });
    Section::new("Exact twins", &[about], heads, lines.collect())
}

/// Measured speed.
pub fn measured(report: &Report) -> Vec<Section> {
    let mut list = Vec::new();
    if report.bench.is_some() {
        list.push(operations(report));
    }
    if !report.functions.is_empty() {
        list.push(functions(report));
    }
    if !report.pi.is_empty() {
        list.push(pi(report));
    }
    list.extend(report.splits.iter().map(|s| split(&report.place, s)));
    if !report.targets.is_empty() {
        list.push(targets(&report.place, &report.targets));
    }
    if let Some(why) = &report.not_counted {
        list.push(Section::new("Instruction counts", &[&format!("not counted: {why}")], "", Vec::new()));
    }
    if !report.counts.is_empty() {
        list.push(counts(&report.counts));
    }
    list
}

fn optional(x: Option<f64>, places: usize) -> String {
    x.map_or("-".into(), |x| format!("{x:.places$}"))
}

/// Type and level.
fn names(subject: Subject) -> [String; 2] {
    match subject.sizes() {
        Some((e, m)) => [format!("{}<{e},{m}>", subject.family()), "-".into()],
        None if subject.is_native() => [subject.family().into(), "-".into()],
        None => [subject.family().into(), subject.level().into()],
    }
}

fn digits(rows: &[Digits], left_out: String) -> Section {
    let row = |d: &Digits| {
        let claims: Vec<String> =
            d.claims.iter().map(|(c, holds)| if *holds { c.text() } else { format!("{} FAILS", c.text()) }).collect();
        let verdict = match (d.claims.is_empty(), d.holds()) {
            (true, _) => "nothing claimed",
            (_, true) => "holds",
            _ => "FAILS",
        };
        let mut cells: Vec<String> = names(d.pi.subject).into();
        cells.extend([
            d.place.clone(),
            format!("2^{}", d.pi.log2_terms),
            d.pi.text.clone(),
            format!("{:.2}", d.pi.digits),
            format!("{:.2}", d.pi.digits_summed_in_double),
            optional(d.published, 1),
            if claims.is_empty() { "-".into() } else { claims.join("; ") },
            verdict.into(),
        ]);
        cells
    };
    Section::new(
        "Digits of pi",
        &[
            "The midpoint rule for 4 times the integral of 1 / (1 + x^2) over [0, 1], every operation in the type.",
            &left_out,
        ],
        "type|level|on|terms|value|digits|summed in double|published|claim|verdict",
        rows.iter().map(row).collect(),
    )
}

fn counts(rows: &[Counts]) -> Section {
    let mut heads = vec!["type", "op", "level", "published"];
    heads.extend(rows.first().iter().flat_map(|r| &r.counts).map(|c| c.architecture.as_str()));
    heads.push("verdict");
    // A count of a whole number of evaluations needs no places.
    let short = |x: f64| format!("{}", (x * 100.0).round() / 100.0);
    let row = |r: &Counts| {
        let mut cells = vec![r.family.clone(), r.op.clone(), r.level.clone()];
        cells.push(r.published.map_or("-".into(), |[a, b, c]| format!("{a}+{b}+{c}")));
        cells.extend(r.counts.iter().map(|c| {
            let spills = if c.spills == 0 { String::new() } else { format!(", {} B spilled", c.spills) };
            format!("{}+{}+{} ({}r{spills})", short(c.fp32), short(c.fp64), short(c.other), c.registers)
        }));
        cells.push(r.reached.map_or("-", |r| if r { "reached" } else { "MISSED" }).into());
        cells
    };
    let verdicts: Vec<bool> = rows.iter().filter_map(|r| r.reached).collect();
    let reached = verdicts.iter().filter(|r| **r).count();
    Section::new(
        format!("Instruction counts: {reached} of {} targets reached", verdicts.len()),
        &[
            "Instructions of one evaluation on its usual path, FP32+FP64+other, and registers (r) of the kernel. Target: low and mid",
            "have no more floating-point instructions than published, high at most 4 (fp32mp2) or 6 (fp64mp2) more instructions.",
        ],
        &heads.join("|"),
        rows.iter().map(row).collect(),
    )
}

/// Whether figures published for an H200 are for this device.
fn is_h200(report: &Report) -> bool {
    report.device.as_ref().is_some_and(|d| d.name.contains("H200"))
}

fn operations(report: &Report) -> Section {
    let published = |subject, op: &str| published_on_h200(subject, op).filter(|_| is_h200(report));
    let clock = report.bench.as_ref().map_or("", |b| b.clock.as_str());
    let device = report.device.as_ref().map_or(String::new(), |d| {
        format!("{}, {}, {} units, {}, {}. Clock: {clock}.", d.name, d.architecture, d.units, d.driver, d.compiler)
    });
    let rows = report.rows().map(|(r, constant)| {
        let mut cells: Vec<String> = names(r.subject).into();
        let in_range = r.in_range && constant.is_none_or(|c| c.in_range);
        cells.extend([
            if r.author == Author::Published { format!("{} (published)", r.op) } else { r.op.clone() },
            format!("{:.1}", r.per_second / 1e9),
            format!("{:.1}%", r.spread * 100.0),
            optional(published(r.subject, &r.op), 0),
            optional(constant.map(|c| c.per_second / 1e9), 1),
            format!("{:.2}", r.per_clock),
            optional(r.latency, 1),
            optional(r.vs_double, 3),
            optional(r.vs_native_add, 3),
            optional(r.of_limit, 3),
            registers(r.resources),
            r.arrangement.to_string(),
            format!("{:.0}", r.clock_mhz),
            if in_range { "" } else { "OUT OF RANGE" }.into(),
        ]);
        cells
    });
    Section::new(
        format!("Speed of operations on {}", report.place),
        &[
            &device,
            "10^9 evaluations a second, every operand changing, and with a constant second operand; evaluations per clk and unit; latency in",
            "clk; FP instructions a second over those of native add; FP instructions over what the pipe can do; registers, and bytes of local",
            "memory where spills or calls need some; `published` is for an H200 and a constant second operand; chains in a thread, in",
            "groups that take turns or each in turn the second operand of all others, in the arrangement that was fastest.",
        ],
        "type|level|op|10^9/s|spread|published|constant|/clk/unit|latency|x double|FP/add|FP/limit|registers|chains|MHz|",
        rows.collect(),
    )
}

fn registers(resources: Option<Resources>) -> String {
    resources.map_or("-".into(), |r| match r.local_bytes {
        0 => r.registers.to_string(),
        bytes => format!("{}, {bytes} B local", r.registers),
    })
}

fn functions(report: &Report) -> Section {
    let published = |r: &FunctionRow| published_function_on_h200(&r.family, &r.op).filter(|_| is_h200(report));
    let row = |r: &FunctionRow| {
        vec![
            r.family.clone(),
            r.op.clone(),
            optional(r.net_per_second.map(|x| x / 1e9), 3),
            optional(published(r), 1),
            format!("{:.3}", r.per_second / 1e9),
            format!("{:.3}", r.overhead_per_second / 1e9),
            format!("{:.1}%", r.spread * 100.0),
            registers(r.resources),
            if r.host_bits { "same" } else { "DIFFER" }.into(),
        ]
    };
    Section::new(
        format!("Speed of mathematical functions on {}", report.place),
        &[
            "10^9 evaluations a second, at any level: net of the overhead, which is to make changing operands and to fold results, with it,",
            "and of the overhead alone. No net figure where the function takes less than a twentieth of the overhead.",
        ],
        "type|function|net|published|whole|overhead|spread|registers|host's bits",
        report.functions.iter().map(row).collect(),
    )
}

fn pi(report: &Report) -> Section {
    let published = |p: &Pi| published_on_h200(p.subject, "pi").filter(|_| is_h200(report) && p.log2_terms == 26);
    let row = |p: &Pi| {
        let mut cells: Vec<String> = names(p.subject).into();
        cells.extend([
            format!("2^{}", p.log2_terms),
            p.text.clone(),
            format!("{:.2}", p.digits),
            optional(published_digits(p.subject, p.log2_terms), 1),
            optional(p.timing.map(|t| t.median * 1e3), 4),
            optional(p.timing.map(|t| t.spread() * 100.0), 1) + "%",
            optional(published(p), 3),
            optional(p.speed_vs_double, 3),
            optional(p.speed_vs_double.map(|s| 1.0 / s), 3),
            optional(p.subject.sizes().map(|_| 1.1), 1),
            p.host_bits.map_or("-", |same| if same { "same" } else { "DIFFER" }).into(),
        ]);
        cells
    };
    Section::new(
        format!("Speed of the pi benchmark on {}", report.place),
        &[
            "Each kind of figure with what was published beside it: correct digits; ms, for an H200; cost, the time over double's in the same",
            "run, for reduced formats on a card with slow FP64. `x double` is the inverse of the cost.",
        ],
        "type|level|terms|value|digits|published|ms|spread|published|x double|cost|published|host's bits",
        report.pi.iter().map(row).collect(),
    )
}

fn split(place: &str, split: &Split) -> Section {
    let ms = |t: &Timing| format!("{:.4}", t.median * 1e3);
    let faster = |r: &SplitRow| split.native.median / r.timing.median;
    let fastest = split.fastest();
    let row = |r: &SplitRow| {
        vec![
            format!("{:.2}%", r.share() * 100.0),
            format!("{} of 8", r.division.slices),
            ms(&r.timing),
            format!("{:.1}%", r.timing.spread() * 100.0),
            format!("{:.3}", faster(r)),
            format!("{:.3}", split.emulated.median / r.timing.median),
            r.text.clone(),
            format!("{:.2}", r.digits),
            if r.host_bits { "same" } else { "DIFFER" }.into(),
            if fastest == Some(r) { "fastest" } else { "" }.into(),
        ]
    };
    let best = fastest.map_or(String::new(), |r| {
        format!(
            "{} ms all in double, {} ms all emulated, {} ms with {:.2}% of the terms emulated, the fastest share: {:.3} times as fast as double.",
            ms(&split.native),
            ms(&split.emulated),
            ms(&r.timing),
            r.share() * 100.0,
            faster(r)
        )
    });
    Section::new(
        format!(
            "One reduction on two pipes on {place}: double and {}, 2^{} terms",
            split.subject.name(),
            split.log2_terms
        ),
        &[
            "The pi benchmark, a share of its terms in emulated doubles, which so many of every eight warps compute while the others compute",
            "in double. Of each share, the number of warps that was fastest. Bits are compared in a run with 2^20 terms.",
            &best,
        ],
        "emulated|warps|ms|spread|x double|x emulated|value|digits|host's bits|",
        split.rows.iter().map(row).collect(),
    )
}

fn targets(place: &str, list: &[Target]) -> Section {
    let row = |t: &Target| {
        let mut cells: Vec<String> = names(t.subject).into();
        let verdict = match t.holds() {
            Some(true) => "reached",
            Some(false) => "MISSED",
            None => "not measured",
        };
        cells.extend([
            t.op.clone(),
            t.figure.clone(),
            format!("{} {}", if t.side == Side::AtLeast { ">=" } else { "<=" }, figure(t.limit, 3)),
            optional(t.measured, 3),
            t.spread.map_or("-".into(), |s| format!("{:.1}%", s * 100.0)),
            verdict.into(),
        ]);
        cells
    };
    let reached = list.iter().filter(|t| t.holds() == Some(true)).count();
    Section::new(
        format!("Targets on {place}: {reached} of {} reached", list.len()),
        &[],
        "type|level|op|figure|target|measured|spread|verdict",
        list.iter().map(row).collect(),
    )
}

fn predicted(rows: &[Predicted]) -> Section {
    let row = |r: &Predicted| {
        let p = &r.prediction;
        let mut cells: Vec<String> = names(p.subject).into();
        cells.extend([
            p.card.name.clone(),
            format!("{:.2}", p.speed_vs_double),
            optional(r.published, 1),
            r.measured.map_or("not measured here".into(), |m| format!("{m:.2}")),
            p.bound.clone(),
            format!("{:.2}", p.clocks),
            if p.from_machine_code { "machine code" } else { "tapes" }.into(),
        ]);
        cells
    };
    Section::new(
        "Predicted speed of the pi benchmark relative to double",
        &[
            "From instructions per term and the rates of the pipes of each card; `bound` is the busiest part, clk those of a term on one",
            "multiprocessor. Instructions are read from machine code where the CUDA tools are found, and estimated from tapes otherwise.",
        ],
        "type|level|card|predicted|published|measured|bound|clk|instructions from",
        rows.iter().map(row).collect(),
    )
}
