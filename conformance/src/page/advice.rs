//! An advice on a page: which type a kernel should use.

use super::chart::{Series, colour, digits_by_speed};
use super::html::{Cell, escape, table};
use crate::advise::{self, Advice, Row};
use std::fmt::Write;

/// The answers, the questions, the picture, the candidates and the warnings.
pub fn section(body: &mut String, a: &Advice) -> Result<(), String> {
    let what = if a.sum { "the sum" } else { "every item" };
    let _ = write!(
        body,
        "<section>\n<h2>Which type: {}</h2>\n<p>{} items, {} digits of {what}, on {}.</p>\n",
        escape(&a.kernel),
        a.items,
        a.digits,
        escape(&a.place)
    );
    for answer in &a.cards {
        let _ = writeln!(body, "<p>{}</p>", escape(advise::sentence(answer).trim_end()));
    }
    list(body, "ol", &a.questions);
    let good = |r: &&Row| r.enough && r.allowed && r.failed.is_none();
    let points = |wanted: bool| {
        let point = |r: &Row| Some(((r.ratio.filter(|x| *x > 0.0)?, r.digits?), r.name.clone()));
        a.candidates.iter().filter(|r| good(r) == wanted).filter_map(point).collect()
    };
    let series = [("will do", true), ("misses what is asked for", false)]
        .map(|(name, wanted)| Series { name: name.into(), points: points(wanted) });
    if series.iter().any(|s| !s.points.is_empty()) {
        body.push_str("<ul class=\"legend\">\n");
        for (i, s) in series.iter().enumerate() {
            let _ = writeln!(body, "<li><i style=\"background:var(--{})\"></i>{}</li>", colour(i), s.name);
        }
        body.push_str("</ul>\n<div class=\"wide\">");
        body.push_str(&digits_by_speed("correct digits against speed", &series)?);
        body.push_str("</div>\n");
    }
    let candidates = advise::table(a);
    let (heads, rows) = candidates.cells();
    let cell = |text: &String| match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Cell::number(text.clone(), value),
        _ => text.trim_matches('~').into(),
    };
    let heads: Vec<&str> = heads.into_iter().chain(["will do"]).collect();
    let rows = rows.iter().zip(&a.candidates).map(|(cells, r)| {
        let fit = match &r.failed {
            Some(why) => why.as_str(),
            None if good(&r) => "yes",
            None => "no",
        };
        cells.iter().map(cell).chain([fit.into()]).collect()
    });
    table(body, "candidates", &heads, rows);
    let warnings: Vec<String> = a.warnings.iter().map(|w| w.text.clone()).collect();
    list(body, "ul", &warnings);
    body.push_str("</section>\n");
    Ok(())
}

fn list(body: &mut String, kind: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let items: String = lines.iter().map(|l| format!("<li>{}</li>\n", escape(l))).collect();
    let _ = write!(body, "<{kind}>\n{items}</{kind}>\n");
}
