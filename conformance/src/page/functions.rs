//! Other people's functions on a page.

use super::Claim;
use super::chart::{self, Envelope};
use super::html::{Cell, escape, table};
use crate::functions::{Holds, How, Results, Row};
use crate::text::figure;
use std::fmt::Write;
use vernier_oracle::Format;
use vernier_oracle::number::STEPS;

/// Documented bounds, special values, order and symmetry.
pub fn claims(results: &Results) -> Vec<Claim> {
    let mut list = Vec::new();
    let mut add = |holds: bool, text: String| list.push(Claim { text, holds });
    for row in &results.rows {
        let key = row.key();
        if let Some(fault) = &row.fault {
            add(false, format!("{key}: {fault}"));
            continue;
        }
        if let Some(d) = &row.documented {
            if let Some(bound) = d.ulp {
                let error = figure(row.ulp, 4);
                let text = format!("{key}: {error} ulp at {}, where {} allows {bound}", row.input.join(" "), d.source);
                add(d.holds != Holds::Exceeded, text);
            }
            d.parts.iter().for_each(|part| add(part.holds != Holds::Exceeded, format!("{key}: {part}")));
        }
        add(row.mismatches == 0, format!("{key}: {} wrong special values", row.mismatches));
        for (v, what) in [(&row.monotonicity, "neighbours in the wrong order"), (&row.symmetry, "asymmetric inputs")] {
            if v.looked_at > 0 {
                add(v.count == 0, format!("{key}: {} {what}", v.count));
            }
        }
    }
    list
}

/// The table, then a card for each function.
pub fn section(body: &mut String, name: &str, results: &Results) -> Result<(), String> {
    let _ = write!(body, "<section>\n<h2>Functions of {}</h2>\n", escape(&results.subject.to_string()));
    body.push_str(
        "<p>Errors in ulp of the result, the exact value's binade. <b>&ge;</b> marks what a search found: there may be larger ones. \
         Click a head to sort.</p>\n<p><input type=\"search\" class=\"filter\" placeholder=\"filter\" aria-label=\"filter\"></p>\n",
    );
    let heads = [
        "function",
        "largest error",
        "how",
        "worst input",
        "not correctly rounded",
        "wrong order",
        "asymmetric",
        "special values",
        "documented",
    ];
    let cells = |row: &Row| {
        let share = row.not_correctly_rounded as f64 / row.tally.histogram.iter().sum::<u64>().max(1) as f64;
        let mark = if row.how == How::Exhaustive { "" } else { "\u{2265} " };
        let violations = |v: &vernier_oracle::number::Violations| match v.looked_at {
            0 => Cell::number("-".into(), -1.0),
            _ => Cell::number(v.count.to_string(), v.count as f64),
        };
        vec![
            row.key().into(),
            Cell::number(format!("{mark}{}", figure(row.ulp, 5)), row.ulp),
            row.how.name().into(),
            Cell::code(&row.case().unwrap_or_default()),
            Cell::number(format!("{}%", figure(100.0 * share, 3)), row.not_correctly_rounded as f64),
            violations(&row.monotonicity),
            violations(&row.symmetry),
            if row.mismatches == 0 { "right".into() } else { format!("{} wrong", row.mismatches).into() },
            row.documented.as_ref().map_or("-".into(), |d| d.to_string().into()),
        ]
    };
    table(body, &format!("functions-{name}"), &heads, results.rows.iter().map(cells));
    body.push_str("<div class=\"cards\">\n");
    results.rows.iter().try_for_each(|row| card(body, row))?;
    body.push_str("</div>\n</section>\n");
    Ok(())
}

/// The envelope, the histogram, special values, and the worst case to be copied.
fn card(body: &mut String, row: &Row) -> Result<(), String> {
    let key = escape(&row.key());
    let _ = write!(
        body,
        "<article data-key=\"{key}\" data-ulp=\"{:?}\" data-cases=\"{}\">\n<h3>{key}</h3>\n",
        row.ulp, row.cases
    );
    let bound = row.documented.as_ref().and_then(|d| d.ulp);
    let points = envelope(row);
    if points.is_empty() {
        body.push_str("<p>No error was found.</p>\n");
    } else {
        let at = |x: f64| place_text(x, row.format());
        let worst = row.tally.worst.map(|case| (place(case.args[0], row), row.ulp));
        let label = format!("largest error of {} along its domain", row.key());
        body.push_str(&chart::envelope(&Envelope { label: &label, points, bound, worst, at: &at })?);
        let used = row.tally.histogram.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1);
        let last = used.max(STEPS);
        let label = format!("results of {} by their error, logarithmic", row.key());
        let ends = ["0", if last > STEPS { "1 ulp" } else { "" }, if last > STEPS { "" } else { "1 ulp" }];
        body.push_str(&chart::histogram(&label, &row.tally.histogram[..last], ends)?);
    }
    if let Some(case) = row.case() {
        let bound = bound.map_or(String::new(), |b| format!(", bound {b}"));
        let _ = writeln!(
            body,
            "<p>{} ulp{bound} at <code>{}</code> <button class=\"copy\">copy</button></p>",
            figure(row.ulp, 6),
            escape(&case)
        );
    }
    for part in row.documented.iter().flat_map(|d| &d.parts) {
        let class = if part.holds == Holds::Exceeded { "bad" } else { "good" };
        let _ = writeln!(body, "<p class=\"{class}\">{}</p>", escape(&part.to_string()));
    }
    for note in row.notes.iter().chain(&row.fault) {
        let _ = writeln!(body, "<p class=\"bad\">{}</p>", escape(note));
    }
    special(body, row);
    body.push_str("</article>\n");
    Ok(())
}

/// Special values as a grid: green, red, and what they are under the pointer or in the list.
fn special(body: &mut String, row: &Row) {
    if row.special.is_empty() {
        return;
    }
    let wrong = row.special.iter().filter(|p| p.wrong.is_some()).count();
    let _ = write!(
        body,
        "<details><summary>{} special values, {wrong} wrong</summary>\n<div class=\"grid\">",
        row.special.len()
    );
    for p in &row.special {
        let class = if p.wrong.is_some() { "bad" } else { "good" };
        let text = format!("{} \u{2192} {}, right: {}", p.input.join(" "), p.result, p.right);
        let _ = write!(body, "<i class=\"{class}\" title=\"{}\"></i>", escape(&text));
    }
    body.push_str("</div>\n<ul class=\"small\">\n");
    for p in &row.special {
        let mark = p.wrong.map_or(String::new(), |how| format!(" <b class=\"bad\">{how:?}</b>"));
        let _ =
            writeln!(body, "<li><code>{} &rarr; {}</code>, right {}{mark}</li>", p.input.join(" "), p.result, p.right);
    }
    body.push_str("</ul></details>\n");
}

/// Sign and exponent of an argument as one number: exponents of negative numbers to the left.
fn signed(place: usize) -> f64 {
    let exponent = (place % 256) as f64;
    if place < 256 { exponent + 1.0 } else { -exponent - 1.0 }
}

fn place(arg: u64, row: &Row) -> f64 {
    signed(vernier_oracle::number::place_of(arg, row.format()))
}

fn envelope(row: &Row) -> Vec<(f64, f64)> {
    let points = row.tally.envelope.iter().enumerate().filter(|(_, ulp)| **ulp > 0.0);
    points.map(|(place, &ulp)| (signed(place), ulp)).collect()
}

/// The number at a place of the axis, as a power of two.
fn place_text(x: f64, format: Format) -> String {
    // A place is eight binades of a type with 11 bits of exponent.
    let binades = f64::from((format.emax + 1) / 128).max(1.0);
    let exponent = (x.abs() - 1.0) * binades - f64::from(format.emax);
    let sign = if x < 0.0 { "-" } else { "" };
    if x.abs() < 1.0 { "0".into() } else { format!("{sign}2^{exponent:.0}") }
}
