//! Figures as text.

/// `x` with `digits` significant digits; in exponent form where that is shorter to read.
pub fn figure(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let scientific = format!("{x:.*e}", digits - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if (-4..digits as i32 + 1).contains(&exponent) {
        format!("{x:.*}", (digits as i32 - 1 - exponent).max(0) as usize)
    } else {
        scientific
    }
}
