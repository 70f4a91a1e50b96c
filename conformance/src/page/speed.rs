//! Digits and speed on a page.

use super::Claim;
use super::chart::{Series, colour, digits_by_speed};
use super::html::{Cell, table};
use crate::speed::Results;
use crate::text::figure;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is claimed of digits, twins and instruments; one claim stands for those that hold.
pub fn claims(results: &Results) -> Vec<Claim> {
    let failed = results.failed();
    let looked_at = results.digits.len() + results.twins.len() + results.instruments.len();
    let held = (failed.len()..looked_at).map(|_| Claim { text: String::new(), holds: true });
    failed.iter().map(|text| Claim { text: text.clone(), holds: false }).chain(held).collect()
}

/// The picture that decides a type, and its numbers.
pub fn section(body: &mut String, results: &Results) -> Result<(), String> {
    // Digits with the most terms.
    let mut digits: BTreeMap<String, (u32, f64)> = BTreeMap::new();
    for d in &results.digits {
        let known = digits.entry(d.pi.subject.name()).or_insert((d.pi.log2_terms, d.pi.digits));
        if d.pi.log2_terms > known.0 {
            *known = (d.pi.log2_terms, d.pi.digits);
        }
    }
    let mut series: BTreeMap<(u8, String), Series> = BTreeMap::new();
    let mut rows = Vec::new();
    for p in &results.predicted {
        let name = p.prediction.subject.name();
        let Some(&(terms, correct)) = digits.get(&name) else { continue };
        let card = &p.prediction.card.name;
        let figures =
            [("measured", p.measured), ("published", p.published), ("predicted", Some(p.prediction.speed_vs_double))];
        for (order, (how, speed)) in figures.into_iter().enumerate() {
            let Some(speed) = speed.filter(|s| s.is_finite() && *s > 0.0) else { continue };
            // What was measured makes a prediction idle.
            if how == "predicted" && (p.measured.is_some() || p.published.is_some()) {
                continue;
            }
            let title = format!("{card}, {how}");
            let found = series
                .entry((order as u8, title.clone()))
                .or_insert(Series { name: title.clone(), points: Vec::new() });
            found.points.push(((speed, correct.max(0.0)), name.clone()));
            rows.push(vec![
                name.clone().into(),
                title.into(),
                Cell::number(figure(speed, 3), speed),
                Cell::number(format!("{correct:.2}"), correct),
                format!("2^{terms}").into(),
            ]);
        }
    }
    body.push_str("<section>\n<h2>Digits against speed</h2>\n<p>The pi benchmark: correct digits of a type, and its speed relative to double.</p>\n");
    let series: Vec<Series> = series.into_values().collect();
    body.push_str("<ul class=\"legend\">\n");
    for (i, s) in series.iter().enumerate() {
        let name = super::html::escape(&s.name);
        let _ = writeln!(body, "<li><i style=\"background:var(--{})\"></i>{name}</li>", colour(i));
    }
    body.push_str("</ul>\n<div class=\"wide\">");
    body.push_str(&digits_by_speed("correct digits against speed", &series)?);
    body.push_str("</div>\n<details><summary>The numbers</summary>\n");
    table(body, "speed", &["type", "card", "speed, times double", "digits", "terms"], rows.into_iter());
    body.push_str("</details>\n</section>\n");
    Ok(())
}
