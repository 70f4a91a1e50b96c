//! An advice as a page of text, and digits against speed as a picture.

use super::row::Row;
use super::run::{Advice, Answer};
use crate::render::Section;
use plotters::prelude::*;
use std::fmt::Write;

/// The page.
pub fn page(a: &Advice) -> String {
    let mut text = String::new();
    let what = if a.sum { "the sum" } else { "every item" };
    let _ = writeln!(text, "{}: {} items, {} digits of {what}, on {}\n", a.kernel, a.items, a.digits, a.place);
    for answer in &a.cards {
        text += &sentence(answer);
    }
    text += "\n";
    a.questions.iter().zip(1..).for_each(|(q, i)| {
        let _ = writeln!(text, "{i}. {q}");
    });
    text += "\n";
    text += &table(a).terminal();
    text += "\n";
    if !a.warnings.is_empty() {
        text += "\nWarnings\n";
        a.warnings.iter().for_each(|w| {
            let _ = writeln!(text, "- {}", w.text);
        });
    }
    let r = &a.reference;
    let exact = r.exact.map_or(String::new(), |d| format!("; by MPFR level high has {d:.1} on {} items", r.sampled));
    let judged = if r.judged_by_mpfr { ", which all candidates are judged on" } else { "" };
    let _ = writeln!(
        text,
        "\nReference: fp64mp2 at levels mid and high agree in {:.1} digits{exact}{judged}.",
        r.agreement
    );
    for name in &a.left_out {
        let _ = writeln!(text, "Left out: {name}");
    }
    for row in a.candidates.iter().filter(|r| r.failed.is_some()) {
        let _ = writeln!(text, "Out: {}: {}", row.name, row.failed.as_deref().unwrap_or_default());
    }
    text.trim_end().into()
}

/// What to take on a card.
pub(crate) fn sentence(answer: &Answer) -> String {
    let card = &answer.card.name;
    match &answer.recommendation.name {
        Some(name) => format!("On {card} ({}) take {name}: {}.\n", answer.basis, answer.recommendation.reason),
        None => format!("On {card}: {}.\n", answer.recommendation.reason),
    }
}

/// The candidates.
pub(crate) fn table(a: &Advice) -> Section {
    let mut heads = String::from("type|digits|median");
    if a.sum {
        heads += "|worst";
    }
    if a.candidates.iter().any(|r| r.ms.is_some()) {
        heads += "|ms";
    }
    a.cards.iter().for_each(|c| heads += &format!("|x double, {}", c.card.name));
    let predicted = a.candidates.iter().any(|r| r.predicted.is_some());
    if predicted {
        heads += "|predicted";
    }
    heads += "|limit|FP64|registers|spilled|occupancy|bytes";
    let row = |(i, r): (usize, &Row)| {
        let number = |x: Option<f64>, digits: usize| x.map_or("-".into(), |x| format!("{x:.digits$}"));
        let share = r.share.map_or(String::new(), |s| format!(" ({:.1}% of the items)", 100.0 * s));
        let name = format!("{}{share}", r.name);
        let name = if r.enough && r.allowed && r.failed.is_none() { name } else { format!("~~{name}~~") };
        let mut cells = vec![name, number(r.digits, 1), number(r.kept.map(|k| k.median), 1)];
        if a.sum {
            cells.push(number(r.kept.map(|k| k.worst), 1));
        }
        if heads.contains("|ms|") {
            cells.push(number(r.ms, 4));
        }
        cells.extend(a.cards.iter().map(|c| number(c.speeds[i].as_ref().map(|s| s.ratio), 2)));
        if predicted {
            cells.push(number(r.predicted, 2));
        }
        let whole = |x: Option<u32>| x.map_or("-".into(), |x| x.to_string());
        cells.push(r.bound.clone().unwrap_or("-".into()));
        cells.extend([number(r.fp64_instructions, 0), whole(r.registers), whole(r.spilled)]);
        cells.push(r.occupancy.map_or("-".into(), |o| format!("{:.0}%", 100.0 * o)));
        cells.push(r.bytes.to_string());
        cells
    };
    let rows = a.candidates.iter().enumerate().map(row).collect();
    let notes =
        ["Struck out is what misses the digits or what else was asked for; the other columns are of the first card."];
    Section::new("Candidates", &notes, &heads, rows)
}

/// Digits against speed on the first card, as SVG text.
///
/// # Errors
/// With the message of the plotting library.
pub fn picture(a: &Advice) -> Result<String, String> {
    let mut text = String::new();
    draw(a, &mut text).map_err(|e| e.to_string())?;
    Ok(text)
}

fn draw(a: &Advice, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let points: Vec<(&Row, f64, f64)> =
        a.candidates.iter().filter_map(|r| Some((r, r.ratio.filter(|x| *x > 0.0)?, r.digits?))).collect();
    let ratios = points.iter().map(|p| p.1);
    let (least, most) = (ratios.clone().fold(1.0, f64::min) / 1.5, ratios.fold(1.0, f64::max) * 3.0);
    let top = points.iter().map(|p| p.2).fold(a.digits, f64::max) + 1.0;
    let root = SVGBackend::with_string(text, (900, 560)).into_drawing_area();
    root.fill(&WHITE)?;
    let card = a.cards.first().map_or("", |c| &c.card.name);
    let mut chart = ChartBuilder::on(&root)
        .caption(format!("{} on {card}", a.kernel), ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d((least..most).log_scale(), 0.0..top)?;
    chart.configure_mesh().x_desc("speed, times double").y_desc("correct digits").draw()?;
    chart.draw_series(LineSeries::new([(least, a.digits), (most, a.digits)], RED.stroke_width(1)))?;
    chart.draw_series(points.iter().map(|(r, x, y)| {
        let colour = if r.enough && r.allowed { RGBColor(33, 120, 60) } else { RGBColor(150, 150, 150) };
        EmptyElement::at((*x, *y))
            + Circle::new((0, 0), 4, colour.filled())
            + Text::new(r.name.clone(), (7, -6), ("sans-serif", 12).into_font().color(&colour))
    }))?;
    root.present()?;
    Ok(())
}
