//! Speeds of one place on a page.

use super::Claim;
use super::chart::{Series, digits_by_speed};
use super::html::{Cell, escape, table};
use crate::render;
use crate::speed::Report;
use crate::text::figure;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Targets that were measured, and that results are the host's.
pub fn claims(report: &Report) -> Vec<Claim> {
    let target = |t: &vernier_gpu::bench::Target| {
        let found = figure(t.measured.unwrap_or(f64::NAN), 3);
        let text = format!("{} {}: {} {found}, asked {}", t.subject.name(), t.op, t.figure, t.limit);
        Some(Claim { text, holds: t.holds()? })
    };
    let sound =
        Claim { text: "results on the device are not the host's, or out of range".into(), holds: report.sound() };
    report.targets.iter().filter_map(target).chain([sound]).collect()
}

/// Digits against speed, bars for each operation, and every table.
pub fn section(body: &mut String, name: &str, report: &Report) -> Result<(), String> {
    let _ = write!(body, "<section>\n<h2>Speed on {}</h2>\n", escape(&report.place));
    let most = report.pi.iter().map(|p| p.log2_terms).max();
    let of_most = report.pi.iter().filter(|p| Some(p.log2_terms) == most);
    let point = |p: &vernier_gpu::bench::Pi| Some(((p.speed_vs_double?, p.digits.max(0.0)), p.subject.name()));
    let points: Vec<_> = of_most.filter_map(point).collect();
    if !points.is_empty() {
        body.push_str("<p>The pi benchmark: correct digits of a type, and its speed relative to double.</p>\n<div class=\"wide\">");
        let series = Series { name: report.place.clone(), points };
        body.push_str(&digits_by_speed("correct digits against speed", &[series])?);
        body.push_str("</div>\n");
    }
    let mut by_op: BTreeMap<&str, Vec<(String, f64)>> = BTreeMap::new();
    for (row, _) in report.rows() {
        by_op.entry(&row.op).or_default().push((row.subject.name(), row.per_second));
    }
    for row in &report.functions {
        by_op.entry(&row.op).or_default().push((row.family.clone(), row.per_second));
    }
    if !by_op.is_empty() {
        body.push_str("<p>Evaluations, 10<sup>9</sup> a second.</p>\n<div class=\"cards\">\n");
        by_op.into_iter().for_each(|(op, rows)| bars(body, op, rows));
        body.push_str("</div>\n");
    }
    for (i, section) in render::measured(report).iter().enumerate() {
        let _ = writeln!(body, "<details><summary>{}</summary>", escape(&section.title));
        section.notes.iter().for_each(|note| _ = writeln!(body, "<p>{}</p>", escape(note)));
        let (heads, rows) = section.cells();
        let cell = |text: &String| match text.trim_end_matches('%').parse::<f64>() {
            Ok(value) if value.is_finite() => Cell::number(text.clone(), value),
            _ => text.clone().into(),
        };
        if !rows.is_empty() {
            table(body, &format!("{name}-{i}"), &heads, rows.iter().map(|row| row.iter().map(cell).collect()));
        }
        body.push_str("</details>\n");
    }
    body.push_str("</section>\n");
    Ok(())
}

/// A card of bars, the longest first.
fn bars(body: &mut String, op: &str, mut rows: Vec<(String, f64)>) {
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let most = rows.first().map_or(1.0, |row| row.1).max(f64::MIN_POSITIVE);
    let _ = write!(body, "<article>\n<h3>{}</h3>\n<ul class=\"bars\">\n", escape(op));
    for (name, speed) in rows {
        let (share, speed) = (100.0 * speed / most, figure(speed / 1e9, 3));
        let name = escape(&name);
        let _ = writeln!(body, "<li><span>{name}</span><span>{speed}</span><i style=\"width:{share:.1}%\"></i></li>");
    }
    body.push_str("</ul>\n</article>\n");
}
