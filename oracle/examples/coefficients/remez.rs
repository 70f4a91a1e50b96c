//! Best polynomial approximation by exchange (Remez 1934), on a dense grid, in 500 bits.

use rug::Float;

/// Working precision.
pub const BITS: u32 = 500;

/// A working number.
pub fn float(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// A function on points, with the weight of an error there.
pub struct Grid {
    /// Points, in order.
    pub x: Vec<Float>,
    /// Values.
    pub g: Vec<Float>,
    /// Weights, not negative.
    pub w: Vec<Float>,
}

/// p(x), lowest degree first.
pub fn evaluate(p: &[Float], x: &Float) -> Float {
    let mut y = float(0.0);
    for c in p.iter().rev() {
        y = y * x + c;
    }
    y
}

/// The polynomial of `n` coefficients whose largest weighted error on the grid is least, and that error.
///
/// # Panics
/// If the exchange does not settle.
pub fn best(grid: &Grid, n: usize) -> (Vec<Float>, Float) {
    let usable: Vec<usize> = (0..grid.x.len()).filter(|&i| !grid.w[i].is_zero()).collect();
    // Extrema of a Chebyshev polynomial, where the grid is that of its zeros.
    let mut at: Vec<usize> = (0..=n).map(|k| usable[k * (usable.len() - 1) / n]).collect();
    for _ in 0..200 {
        let (p, level) = level(grid, n, &at);
        let errors: Vec<Float> =
            grid.x.iter().zip(&grid.g).zip(&grid.w).map(|((x, g), w)| (evaluate(&p, x) - g) * w).collect();
        let next = alternation(&errors, n + 1);
        let most = errors.iter().map(|e| e.clone().abs()).fold(float(0.0), |a, b| a.max(&b));
        if next == at || most.clone() <= level.abs() * float(1.0 + 1e-9) {
            return (p, most);
        }
        at = next;
    }
    panic!("the exchange does not settle for {n} coefficients");
}

/// The polynomial whose weighted errors at n + 1 points are equal and alternate, and their size.
fn level(grid: &Grid, n: usize, at: &[usize]) -> (Vec<Float>, Float) {
    let mut rows: Vec<Vec<Float>> = at
        .iter()
        .enumerate()
        .map(|(k, &i)| {
            let mut row = vec![float(1.0)];
            (1..n).for_each(|j| row.push(Float::with_val(BITS, &row[j - 1] * &grid.x[i])));
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            row.push(float(sign) / &grid.w[i]);
            row.push(grid.g[i].clone());
            row
        })
        .collect();
    let mut p = solve(&mut rows);
    let level = p.pop().expect("one more unknown than coefficients");
    (p, level)
}

/// Gauss's elimination with row pivots of a system whose last column is the right side.
fn solve(rows: &mut [Vec<Float>]) -> Vec<Float> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].cmp_abs(&rows[b][k]).expect("a number")).expect("a row");
        rows.swap(k, pivot);
        let (top, rest) = rows.split_at_mut(k + 1);
        for row in rest {
            let factor = Float::with_val(BITS, &row[k] / &top[k][k]);
            (k..=n).for_each(|j| row[j] -= Float::with_val(BITS, &factor * &top[k][j]));
        }
    }
    let mut x = vec![float(0.0); n];
    for k in (0..n).rev() {
        let mut sum = rows[k][n].clone();
        (k + 1..n).for_each(|j| sum -= Float::with_val(BITS, &rows[k][j] * &x[j]));
        x[k] = sum / &rows[k][k];
    }
    x
}

/// Places of `count` errors of alternating sign, the largest ones.
fn alternation(errors: &[Float], count: usize) -> Vec<usize> {
    let mut peaks: Vec<usize> = Vec::new();
    for i in (0..errors.len()).filter(|&i| !errors[i].is_zero()) {
        match peaks.last_mut() {
            Some(last) if errors[*last].is_sign_negative() == errors[i].is_sign_negative() => {
                if errors[i].cmp_abs(&errors[*last]).is_some_and(|o| o.is_gt()) {
                    *last = i;
                }
            }
            _ => peaks.push(i),
        }
    }
    assert!(peaks.len() >= count, "{} extrema of {count}", peaks.len());
    let less = |a: usize, b: usize| errors[a].cmp_abs(&errors[b]).is_some_and(|o| o.is_lt());
    while peaks.len() > count {
        let last = peaks.len() - 1;
        let least = (0..=last).reduce(|a, b| if less(peaks[b], peaks[a]) { b } else { a }).expect("a peak");
        if least == 0 || least == last {
            peaks.remove(least);
        } else if peaks.len() == count + 1 {
            peaks.remove(if less(peaks[0], peaks[last]) { 0 } else { last });
        } else {
            // Its neighbours have one sign: the larger one stays.
            let first = if less(peaks[least - 1], peaks[least + 1]) { least - 1 } else { least };
            peaks.drain(first..first + 2);
        }
    }
    peaks
}
