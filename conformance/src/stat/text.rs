//! A record of instrumented pairs as text for a person.

use super::{COMPARED, Computation, Report, Row};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use vernier::fp64mp2;
use vernier::stat::{Record, Slot};

/// The whole report.
pub fn report(report: &Report) -> String {
    let what = match report.computation {
        Computation::Kahan => {
            "Kahan sum of 64 terms 1, 1/2, 1/4, ..., a third of it, and exp(0.5) added; only the compensation and \
                               what meets it is counted."
                .to_string()
        }
        Computation::Pi(k) => {
            format!("pi by the midpoint rule with 2^{k} terms; every operation of the loop is counted.")
        }
    };
    let place = match &report.build {
        None => "On the host.".to_string(),
        Some(b) => format!("On {} ({}, {}).", b.device, b.api, b.compiler),
    };
    let mut parts = vec![format!("{what}\n{place}")];
    parts.extend(report.rows.iter().map(|row| one(row, report)));
    parts.push(NOTES.to_string());
    parts.join("\n\n")
}

const NOTES: &str = "\
How to read this
  cancellation  counts operations, not errors: the difference of close numbers is exact as often as not, and a compensated
                sum lives on it. Partial means that the exponent of the result lies more than half of the type's digits
                below that of the larger operand.
  overflow      any result that is not finite, NaN too, of finite operands that are not zero. Zeros, infinities and NaN among
                the operands explain themselves and count as none of the four events.
  shares        are of the values in the column: one of each per operation. `zero` has two zero limbs, `lo = 0` only the
                second; the two do not overlap.
  exponents     floor(log2) of the larger limb, of finite values that are not zero.
  gap           bits between the limbs, of finite values with two limbs that are not zero: 0 is lo immediately below the last bit
                of hi, a hole is positive, an overlap negative. The tightest pair is one value of the smallest gap.
  not counted   plain pairs among themselves, negation, comparison, roots, fma, mad and conversions.";

fn share(n: u64, of: u64) -> String {
    if n == 0 || of == 0 {
        return n.to_string();
    }
    let percent = 100.0 * n as f64 / of as f64;
    if percent < 0.05 { format!("{n} (<0.1%)") } else { format!("{n} ({percent:.1}%)") }
}

fn one(row: &Row, report: &Report) -> String {
    let r = &row.collected.record;
    let s = row.subject;
    let mut lines = Vec::new();
    let value = fp64mp2::from_parts(row.value[0], row.value[1]);
    let digits = if s.family() == "fp32mp2" { 14 } else { 30 };
    lines.push(match report.computation {
        Computation::Kahan => format!("{}, level {}: {value:.digits$}", s.family(), s.level()),
        Computation::Pi(_) => format!("{}, level {}", s.family(), s.level()),
    });
    let kinds = [(r.add_count, "+"), (r.sub_count, "-"), (r.mul_count, "x"), (r.div_count, "/")];
    let kinds: Vec<String> = kinds.iter().map(|(n, sign)| format!("{n} {sign}")).collect();
    lines.push(format!("  operations    {}: {}", r.ops_count, kinds.join(", ")));
    lines.extend(events(r, s.family() == "fp32mp2"));
    lines.push(table(r));
    if let Some([seconds, plain]) = row.seconds {
        let (ms, plain_ms) = (seconds * 1e3, plain * 1e3);
        lines.push(format!(
            "  time          {ms:.3} ms instrumented, {plain_ms:.3} ms plain: {:.2} times",
            seconds / plain
        ));
    }
    lines.push(match row.as_on_host {
        Some(true) => "  host          the same bits and the same record, field by field".to_string(),
        Some(false) => "  host          THE RECORD OR THE RESULT DIFFERS FROM THE HOST'S".to_string(),
        None if report.build.is_some() => {
            format!("  host          not compared: the host counts at most 2^{COMPARED} terms")
        }
        None => return lines.join("\n"),
    });
    lines.join("\n")
}

fn events(r: &Record, single: bool) -> [String; 2] {
    let (sums, products) = (r.add_count + r.sub_count, r.mul_count + r.div_count);
    let (half, digits) = if single { (23, 46) } else { (52, 104) };
    [
        format!(
            "  cancellation  of {sums} sums and differences {} to zero, {} by more than {half} of {digits} digits",
            share(r.full_cancel_count, sums),
            share(r.partial_cancel_count, sums)
        ),
        format!(
            "  range         of {products} products and quotients {} underflow to zero; of all operations {} overflow",
            share(r.underflow_count, products),
            share(r.overflow_count, r.ops_count)
        ),
    ]
}

/// A counter of a slot.
type Counter = fn(&Slot) -> u64;

fn table(r: &Record) -> String {
    let slots = [&r.arg[0], &r.arg[1], &r.result];
    let n = r.ops_count;
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["", "left operand", "right operand", "result"]);
    let counts: [(&str, Counter); 8] = [
        ("zero", |s| s.zero_count),
        ("lo = 0", |s| s.zero_lo_count),
        ("infinite", |s| s.inf_count),
        ("NaN", |s| s.nan_count),
        ("infinities of both signs", |s| s.infnan_count),
        ("subnormal limb", |s| s.denorm_count),
        ("limbs overlap", |s| s.overlap_count),
        ("|lo| > |hi|", |s| s.invert_count),
    ];
    // What was never seen anywhere is said in one line.
    let (seen, unseen): (Vec<_>, Vec<_>) = counts.iter().partition(|(_, count)| slots.iter().any(|s| count(s) > 0));
    for (name, count) in seen {
        table.add_row([name.to_string()].into_iter().chain(slots.map(|s| share(count(s), n))));
    }
    let range = |r: Option<(i32, i32)>| r.map_or("none".to_string(), |(least, most)| format!("{least} .. {most}"));
    table.add_row(["exponents".to_string()].into_iter().chain(slots.map(|s| range(s.exponents()))));
    table.add_row(["gap between limbs".to_string()].into_iter().chain(slots.map(|s| range(s.gaps()))));
    let limb = |s: &Slot, x: f64| s.gaps().map_or("none".to_string(), |_| format!("{x:?}"));
    table.add_row(
        ["tightest pair: hi".to_string()].into_iter().chain(slots.map(|s| limb(s, s.min_hi_lo_gap_sample_hi))),
    );
    table.add_row(
        ["tightest pair: lo".to_string()].into_iter().chain(slots.map(|s| limb(s, s.min_hi_lo_gap_sample_lo))),
    );
    table.column_iter_mut().skip(1).for_each(|c| c.set_cell_alignment(CellAlignment::Right));
    let mut text: Vec<String> = table.trim_fmt().lines().map(|line| format!("  {line}")).collect();
    if !unseen.is_empty() {
        let names: Vec<&str> = unseen.iter().map(|(name, _)| *name).collect();
        text.push(format!("  never seen    {}", names.join(", ")));
    }
    text.join("\n")
}
