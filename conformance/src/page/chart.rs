//! Pictures, whose colours are those of the page.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::collections::BTreeMap;

/// Colours that stand for those of the page, which replace them in the text.
const INK: RGBColor = RGBColor(1, 2, 3);
const FAINT: RGBColor = RGBColor(4, 5, 6);
const MAIN: RGBColor = RGBColor(7, 8, 9);
const BAD: RGBColor = RGBColor(10, 11, 12);
/// Those of series of points.
const SERIES: [RGBColor; 7] = [
    MAIN,
    RGBColor(13, 14, 15),
    RGBColor(16, 17, 18),
    RGBColor(19, 20, 21),
    RGBColor(22, 23, 24),
    RGBColor(25, 26, 27),
    RGBColor(28, 29, 30),
];

const NAMES: [(&str, &str); 10] = [
    ("#010203", "var(--ink)"),
    ("#040506", "var(--faint)"),
    ("#070809", "var(--main)"),
    ("#0A0B0C", "var(--bad)"),
    ("#0D0E0F", "var(--second)"),
    ("#101112", "var(--third)"),
    ("#131415", "var(--fourth)"),
    ("#161718", "var(--fifth)"),
    ("#191A1B", "var(--sixth)"),
    ("#1C1D1E", "var(--seventh)"),
];

/// The page's colour of a series, as CSS has it.
pub fn colour(series: usize) -> &'static str {
    ["main", "second", "third", "fourth", "fifth", "sixth", "seventh"][series % SERIES.len()]
}

type Fault = Box<dyn std::error::Error>;

/// A picture of a size, as an element that shrinks with the page.
fn picture(
    (width, height): (u32, u32),
    label: &str,
    draw: impl FnOnce(DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), Fault>,
) -> Result<String, String> {
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, (width, height)).into_drawing_area()).map_err(|e| e.to_string())?;
    for (colour, name) in NAMES {
        text = text.replace(colour, name);
    }
    let begin = text.find("<svg").unwrap_or(0);
    let inside = text[begin..].split_once('>').map_or("", |parts| parts.1);
    let label = super::html::escape(label);
    Ok(format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">{inside}"))
}

fn font(size: u32, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour)
}

/// The largest error along the domain.
pub struct Envelope<'a> {
    /// What a reader hears of it.
    pub label: &'a str,
    /// Signed exponents of the first argument and errors.
    pub points: Vec<(f64, f64)>,
    /// A bound, as a line.
    pub bound: Option<f64>,
    /// The worst case.
    pub worst: Option<(f64, f64)>,
    /// Text for a place on the axis.
    pub at: &'a dyn Fn(f64) -> String,
}

/// An envelope as a picture.
pub fn envelope(e: &Envelope<'_>) -> Result<String, String> {
    picture((340, 170), e.label, |root| {
        let ends = e.points.iter().map(|p| p.0).fold((f64::MAX, f64::MIN), |a, x| (a.0.min(x), a.1.max(x)));
        let ends = if ends.0 > ends.1 { (0.0, 1.0) } else { ends };
        let top = e.points.iter().map(|p| p.1).fold(0.0, f64::max);
        // Large errors are drawn as their logarithms.
        let log = top > 32.0;
        let height = |y: f64| if log { (1.0 + y).log10() } else { y };
        let near = e.bound.filter(|&b| height(b) < 4.0 * height(top) + 0.5);
        let most = height(top.max(near.unwrap_or(0.0))).max(0.55) * 1.12;
        let mut chart = ChartBuilder::on(&root)
            .margin(6)
            .margin_right(14)
            .x_label_area_size(24)
            .y_label_area_size(40)
            .build_cartesian_2d(ends.0 - 1.0..ends.1 + 1.0, 0.0..most)?;
        let places = |x: &f64| (e.at)(*x);
        let errors = |y: &f64| if log { format!("{:.0}", 10f64.powf(*y) - 1.0) } else { format!("{y:.2}") };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(4)
            .y_labels(4)
            .x_label_formatter(&places)
            .y_label_formatter(&errors)
            .label_style(font(12, INK))
            .axis_style(FAINT)
            .bold_line_style(FAINT.stroke_width(1))
            .light_line_style(TRANSPARENT)
            .draw()?;
        let bars = e.points.iter().map(|&(x, y)| Rectangle::new([(x - 0.5, 0.0), (x + 0.5, height(y))], MAIN.filled()));
        chart.draw_series(bars)?;
        if let Some(bound) = near {
            chart.draw_series(LineSeries::new(
                [(ends.0 - 1.0, height(bound)), (ends.1 + 1.0, height(bound))],
                BAD.stroke_width(2),
            ))?;
        }
        if let Some((x, y)) = e.worst {
            chart.draw_series([Circle::new((x, height(y)), 4, BAD.filled())])?;
        }
        root.present()?;
        Ok(())
    })
}

/// Counts by error, on a logarithmic scale: bars over steps of equal length.
pub fn histogram(label: &str, counts: &[u64], ends: [&str; 3]) -> Result<String, String> {
    picture((340, 104), label, |root| {
        let height = |n: u64| (1.0 + n as f64).log10();
        let most = counts.iter().map(|&n| height(n)).fold(1.0, f64::max);
        let mut chart = ChartBuilder::on(&root)
            .margin(6)
            .margin_right(14)
            .margin_left(40)
            .margin_bottom(18)
            .build_cartesian_2d(0.0..counts.len() as f64, 0.0..most)?;
        let bar =
            |(i, &n): (usize, &u64)| Rectangle::new([(i as f64, 0.0), (i as f64 + 0.9, height(n))], MAIN.filled());
        chart.draw_series(counts.iter().enumerate().filter(|(_, n)| **n > 0).map(bar))?;
        let n = counts.len() as f64;
        chart.draw_series([PathElement::new([(0.0, 0.0), (n, 0.0)], FAINT.stroke_width(1))])?;
        for (text, x) in ends.into_iter().zip([0.0, 64.0, n - 6.0]) {
            // Below the bars.
            let (px, py) = chart.backend_coord(&(x.min(n), 0.0));
            root.draw(&Text::new(text.to_string(), (px - 3, py + 4), font(11, INK)))?;
        }
        root.present()?;
        Ok(())
    })
}

/// Points of several kinds: name, then points with their own name.
pub struct Series {
    /// Its name.
    pub name: String,
    /// Place and name.
    pub points: Vec<((f64, f64), String)>,
}

/// Digits against speed, which is drawn as its logarithm.
pub fn digits_by_speed(label: &str, series: &[Series]) -> Result<String, String> {
    picture((720, 420), label, |root| {
        let all = || series.iter().flat_map(|s| s.points.iter().map(|p| p.0));
        let span = |values: &mut dyn Iterator<Item = f64>| {
            let (a, b) = values.fold((f64::MAX, f64::MIN), |a, x| (a.0.min(x), a.1.max(x)));
            if a > b { (0.0, 1.0) } else { (a, b) }
        };
        let (x0, x1) = span(&mut all().map(|p| p.0.log10()));
        let (_, y1) = span(&mut all().map(|p| p.1));
        let mut chart = ChartBuilder::on(&root)
            .margin(10)
            .margin_right(60)
            .x_label_area_size(40)
            .y_label_area_size(44)
            .build_cartesian_2d(x0 - 0.1..x1 + 0.35, 0.0..y1 * 1.1)?;
        let times = |x: &f64| crate::text::figure(10f64.powf(*x), 2);
        chart
            .configure_mesh()
            .x_desc("speed, times that of double")
            .y_desc("correct digits")
            .x_label_formatter(&times)
            .y_label_formatter(&|y| format!("{y:.0}"))
            .label_style(font(13, INK))
            .axis_desc_style(font(13, INK))
            .axis_style(FAINT)
            .bold_line_style(FAINT.stroke_width(1))
            .light_line_style(TRANSPARENT)
            .draw()?;
        // A name once, at the fastest of its points, where there is room for it; all are in the table.
        let mut names: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        let mut taken: Vec<(i32, i32, i32)> = Vec::new();
        for (s, &colour) in series.iter().zip(SERIES.iter().cycle()) {
            let points = s.points.iter().map(|&((x, y), _)| Circle::new((x.log10(), y), 5, colour.filled()));
            chart.draw_series(points)?;
            for ((x, y), name) in &s.points {
                let at = (x.log10(), *y);
                let (px, py) = chart.backend_coord(&at);
                taken.push((px - 5, py - 6, 10));
                let most = names.entry(name).or_insert(at);
                *most = if at.0 > most.0 { at } else { *most };
            }
        }
        for (name, at) in names {
            let (px, py) = chart.backend_coord(&at);
            let (px, width) = (px + 8, 6 * name.len() as i32);
            let free =
                |dy: &i32| taken.iter().all(|t| px + width < t.0 || t.0 + t.2 < px || (py + dy - t.1).abs() > 12);
            if let Some(dy) = [-6, -20, 8, -34, 22, -48, 36].into_iter().find(free) {
                taken.push((px, py + dy, width));
                let text = Text::new(name.to_string(), (8, dy), font(11, INK));
                chart.draw_series([EmptyElement::at(at) + text])?;
            }
        }
        root.present()?;
        Ok(())
    })
}
