//! A sweep over formats as a picture.

use super::{MOST, Sweep};
use plotters::prelude::*;

/// A heat map of digits over mantissa and exponent bits, as SVG text: dark is few digits, bright is many, grey none. The
/// smallest format that is enough for `digits` is framed.
///
/// # Errors
/// With the message of the plotting library.
pub fn svg(sweep: &Sweep, title: &str, digits: f64) -> Result<String, String> {
    let mut text = String::new();
    draw(sweep, title, digits, &mut text).map_err(|e| e.to_string())?;
    Ok(text)
}

fn draw(sweep: &Sweep, title: &str, digits: f64, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let bound = |f: fn(&super::Point) -> u32| {
        let values = sweep.points.iter().map(f);
        values.clone().min().zip(values.max()).unwrap_or((0, 0))
    };
    let ((m0, m1), (e0, e1)) = (bound(|p| p.mantissa), bound(|p| p.exponent));
    let root = SVGBackend::with_string(text, (900, 360)).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(800);
    let x = f64::from(m0) - 0.5..f64::from(m1) + 0.5;
    let y = f64::from(e0) - 0.5..f64::from(e1) + 0.5;
    let mut chart = ChartBuilder::on(&left)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(x, y)?;
    let whole = |v: &f64| format!("{v:.0}");
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("mantissa bits")
        .y_desc("exponent bits")
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .y_labels((e1 - e0 + 1) as usize)
        .draw()?;
    let cell = |m: u32, e: u32| {
        let (m, e) = (f64::from(m), f64::from(e));
        [(m - 0.5, e - 0.5), (m + 0.5, e + 0.5)]
    };
    chart.draw_series(sweep.points.iter().map(|p| {
        let colour = p.digits.map_or(RGBColor(160, 160, 160), colour);
        Rectangle::new(cell(p.mantissa, p.exponent), colour.filled())
    }))?;
    if let Some(p) = sweep.smallest(digits) {
        chart.draw_series([Rectangle::new(cell(p.mantissa, p.exponent), RED.stroke_width(3))])?;
    }
    // The scale.
    let mut scale = ChartBuilder::on(&right)
        .caption("digits", ("sans-serif", 14))
        .margin(10)
        .margin_bottom(50)
        .y_label_area_size(30)
        .build_cartesian_2d(0.0..1.0, 0.0..MOST)?;
    scale.configure_mesh().disable_mesh().disable_x_axis().y_label_formatter(&whole).y_labels(9).draw()?;
    scale.draw_series((0..68).map(|i| {
        let d = f64::from(i) / 4.0;
        Rectangle::new([(0.0, d), (1.0, d + 0.25)], colour(d).filled())
    }))?;
    root.present()?;
    Ok(())
}

/// From dark blue over green to yellow.
fn colour(digits: f64) -> RGBColor {
    let stops =
        [(68.0, 1.0, 84.0), (59.0, 82.0, 139.0), (33.0, 145.0, 140.0), (94.0, 201.0, 98.0), (253.0, 231.0, 37.0)];
    let at = (digits / MOST).clamp(0.0, 1.0) * 4.0;
    let (i, part) = ((at as usize).min(3), at - (at as usize).min(3) as f64);
    let mix = |a: f64, b: f64| (a + (b - a) * part).round() as u8;
    let (a, b) = (stops[i], stops[i + 1]);
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, Kernel};
    use super::*;

    #[test]
    fn a_picture_has_a_cell_per_format() {
        let sweep = Kernel::Horner.sweep(&Grid::default(), 10);
        let text = svg(&sweep, "horner", 3.0).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        assert!(text.matches("<rect").count() >= 530 + 68, "{}", text.matches("<rect").count());
        for part in ["mantissa bits", "exponent bits", "horner", "digits"] {
            assert!(text.contains(part), "{part}");
        }
        assert!(svg(&Sweep { points: Vec::new() }, "nothing", 1.0).is_ok());
    }

    #[test]
    fn colours_run_from_dark_to_bright() {
        let sum = |c: RGBColor| u32::from(c.0) + u32::from(c.1) + u32::from(c.2);
        assert!(sum(colour(0.0)) < sum(colour(8.0)) && sum(colour(8.0)) < sum(colour(MOST)));
    }
}
