//! Bessel functions of both kinds, of orders 0 and 1.

use crate::gamma::{SLACK, bisect, pieces, quarters, row};
use crate::intervals::{Piece, Shape, limbs, piece};
use crate::print::{File, array, power};
use crate::remez::BITS;
use crate::width::Width;
use rug::Float;
use rug::float::Constant;
use std::f64::consts::PI;

/// Digits of functions whose terms cancel.
const DIGITS: u32 = 2 * BITS;

/// Where modulus and phase begin.
const FAR: f64 = 25.0;

/// A function.
#[derive(Clone, Copy)]
struct Bessel {
    second: bool,
    order: u32,
}

fn wide(x: &Float) -> Float {
    Float::with_val(DIGITS, x)
}

fn pi() -> Float {
    Float::with_val(DIGITS, Constant::Pi)
}

impl Bessel {
    fn at(self, x: &Float) -> Float {
        match (self.second, self.order) {
            (false, 0) => wide(x).j0(),
            (false, _) => wide(x).j1(),
            (true, 0) => wide(x).y0(),
            (true, _) => wide(x).y1(),
        }
    }

    /// Zeros are near (n + this) pi.
    fn phase(self) -> f64 {
        -0.25 + if self.second { -0.5 } else { 0.0 } + if self.order == 0 { 0.0 } else { 0.5 }
    }

    /// Zero `n` from 1 on.
    fn zero(self, n: u32) -> Float {
        let about = (f64::from(n) + self.phase()) * PI;
        let f = |x: &Float| self.at(x);
        let (a, b) = (about - 0.3, about + 0.3);
        if f(&Float::with_val(DIGITS, a)).is_sign_negative() { bisect(&f, a, b) } else { bisect(&f, b, a) }
    }

    /// Two rows about each zero from zero `first` on, for x from `start` to [`FAR`], and the largest error.
    fn about_zeros(self, w: &Width, shape: Shape, first: u32, start: f64) -> (Vec<Vec<u64>>, f64) {
        let (mut rows, mut worst) = (Vec::new(), f64::NEG_INFINITY);
        for n in first.. {
            let end = |n: f64| (n - 0.5 + self.phase()) * PI;
            let low = if n == first { start } else { end(n.into()) };
            if low > FAR {
                break;
            }
            let z = self.zero(n);
            let (below, above) = (z.to_f64() - low, end(f64::from(n) + 1.0).min(FAR) - z.to_f64());
            let ends = (0.0, SLACK * below.max(above).powi(2));
            let both = |q: &Float| {
                let y = wide(q).sqrt();
                (self.at(&(y.clone() + &z)), self.at(&(z.clone() - &y)), y)
            };
            let even = |q: &Float| {
                let (a, b, y) = both(q);
                (a - b) / y / 2u32
            };
            let odd = |q: &Float| {
                let (a, b, _) = both(q);
                (a + b) / q / 2u32
            };
            let p = piece(even, ends, shape);
            let least = even(&Float::with_val(DIGITS, ends.1)).abs().to_f64();
            let r = piece(odd, ends, Shape { size: least / 2.0, ..shape });
            worst = worst.max(p.error).max(r.error);
            let zero = limbs(&z, 4, w.p);
            rows.extend([row(w, &zero, &p), row(w, &zero, &r)]);
        }
        (rows, worst)
    }
}

fn name(table: &str, w: &Width) -> String {
    format!("{table}_{}", if w.p == 24 { 32 } else { 64 })
}

fn shape(w: &Width, single: (usize, usize), double: (usize, usize)) -> Shape {
    let (count, pairs) = if w.p == 24 { single } else { double };
    Shape { count, pairs, p: w.p, size: 0.0, general: 0 }
}

/// The file of a function of the first kind.
pub fn first(order: u32) -> File {
    let of = Bessel { second: false, order };
    let mut file = File::new(&format!("The Bessel function J{order}."), "BesselFirst, Rows");
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    for w in Width::BOTH {
        let near = shape(&w, (10, 8), (17, 13));
        let small = if order == 0 { 1.0 } else { 1.84 };
        let (around, small_error) = around_zero(of, &w, near, small);
        let (rows, error) = of.about_zeros(&w, near, 1, small);
        let table = name("NEAR", &w);
        file.table(
            &table,
            "A zero as four limbs, and coefficients of the even part of what is left, or of the odd part over the distance to it.",
            &[around, rows].concat(),
        );
        let far = shape(&w, (6, 3), (17, 11));
        let (rows, far_error) = beyond(order, &w, far);
        let far_table = name("FAR", &w);
        file.table(&far_table, "Coefficients in 1/x^2, of 1 / (x (J^2 + Y^2)) and of x times the phase's rest.", &rows);
        notes.push(format!(
            "about 0 to {}, about zeros to {}, beyond {FAR} to {}.",
            power(small_error),
            power(error),
            power(far_error)
        ));
        texts.push(format!(
            "BesselFirst {{ small: {small:?}, offset: {:?}, near: {}, far: {} }}",
            -of.phase(),
            pieces(&table, 4, near),
            pieces(&far_table, 0, far)
        ));
    }
    file.constant(&format!("BESSEL_J{order}"), "BesselFirst", &notes, &texts);
    file
}

/// J0, or J1 over x, in x^2, whose first coefficient is a limb; and a row of zeros.
fn around_zero(of: Bessel, w: &Width, shape: Shape, small: f64) -> (Vec<Vec<u64>>, f64) {
    let first = if of.order == 0 { 1.0 } else { 0.5 };
    let rest = |q: &Float| {
        let x = wide(q).sqrt();
        let value = of.at(&x);
        ((if of.order == 0 { value } else { value / x }) - first) / q
    };
    let p =
        piece(rest, (0.0, SLACK * small * small), Shape { count: shape.count - 1, pairs: shape.pairs - 1, ..shape });
    let error = p.error;
    let p = Piece { limbs: [&[first, 0.0], &p.limbs[..]].concat(), ..p };
    let none = Piece { limbs: vec![0.0; p.limbs.len()], error };
    (vec![row(w, &[0.0; 4], &p), row(w, &[0.0; 4], &none)], error)
}

/// The two rows beyond.
fn beyond(order: u32, w: &Width, shape: Shape) -> (Vec<Vec<u64>>, f64) {
    let both = |q: &Float| {
        let x = wide(q).recip_sqrt();
        let [j, y] = [false, true].map(|second| Bessel { second, order }.at(&x));
        (j, y, x)
    };
    let modulus = |q: &Float| {
        let (j, y, x) = both(q);
        ((j.square() + y.square()) * x).recip()
    };
    let phase = |q: &Float| {
        let (j, y, x) = both(q);
        let main = x.clone() - pi() * (2 * order + 1) / 4u32;
        let rest = y.atan2(&j) - main;
        let turns = (rest.clone() / (pi() * 2u32)).round();
        (rest - turns * pi() * 2u32) * x
    };
    let ends = (0.0, SLACK / (FAR * FAR));
    let a = piece(modulus, ends, shape);
    // What is less than 1/25 of it is added to an angle.
    let b = piece(phase, ends, Shape { size: 12.0, ..shape });
    (vec![row(w, &[], &a), row(w, &[], &b)], a.error.max(b.error))
}

/// The file of a function of the second kind.
pub fn second(order: u32) -> File {
    let of = Bessel { second: true, order };
    let mut file = File::new(&format!("The Bessel function Y{order}."), "BesselSecond, Rows, f");
    let (mut texts, mut notes) = (Vec::new(), Vec::new());
    // Where expansions about the first zero begin, and about the second.
    let (from, start) = if order == 0 { (0.5, 2.5) } else { (1.0, 4.0) };
    for w in Width::BOTH {
        let constant = Float::with_val(DIGITS, Constant::Euler) - Float::with_val(DIGITS, Constant::Log2);
        let slope = pi().recip() * 2u32;
        let small = shape(&w, (9, 6), (17, 11));
        let (rows, small_error) = logarithmic(order, &w, small, from);
        let small_table = name("SERIES", &w);
        file.table(&small_table, "Coefficients in x^2 of what is times the logarithm, and of the rest.", &rows);
        // Of a pair more at least.
        let general = if order == 0 {
            0
        } else if w.p == 24 {
            8
        } else {
            9
        };
        let middle = Shape { general, ..shape(&w, (14, 9), (28, 18)) };
        let z = of.zero(1);
        let (mut rows, mut middle_error) = (Vec::new(), f64::NEG_INFINITY);
        for (c, r) in quarters(from, start) {
            let f = |t: &Float| {
                let x = wide(t) + c;
                of.at(&x) / (x - &z)
            };
            let p = piece(f, (-r * SLACK, r * SLACK), middle);
            middle_error = middle_error.max(p.error);
            rows.push(row(&w, &[limbs(&z, 4, w.p), vec![c]].concat(), &p));
        }
        let middle_table = name("MIDDLE", &w);
        file.table(&middle_table, "The first zero as four limbs, c, and coefficients on an interval.", &rows);
        let near = Shape { general: if w.p == 24 { 0 } else { general }, ..shape(&w, (12, 9), (24, 18)) };
        let (rows, error) = of.about_zeros(&w, near, 2, start);
        let table = name("NEAR", &w);
        file.table(
            &table,
            "A zero as four limbs, and coefficients of the even part of what is left, or of the odd part over the distance to it.",
            &rows,
        );
        notes.push(format!(
            "below {from} to {}, about the first zero to {}, about others to {}.",
            power(small_error),
            power(middle_error),
            power(error)
        ));
        texts.push(format!(
            "BesselSecond {{ constant: {}, slope: {}, series: {}, from: {from:?}, middle: {}, start: {start:?}, offset: {:?}, near: {} }}",
            array(&limbs(&constant, 2, w.p)),
            array(&limbs(&slope, 2, w.p)),
            pieces(&small_table, 0, small),
            pieces(&middle_table, 5, middle),
            -of.phase() - 2.0,
            pieces(&table, 4, near)
        ));
    }
    file.constant(&format!("BESSEL_Y{order}"), "BesselSecond", &notes, &texts);
    file
}

/// U and T of Y0 = (log(x / 2) + gamma) U + x^2 T, or Y1 = x ((log(x / 2) + gamma) U + T) - 2 / (pi x), in x^2.
fn logarithmic(order: u32, w: &Width, shape: Shape, from: f64) -> (Vec<Vec<u64>>, f64) {
    let slope = pi().recip() * 2u32;
    let factor = |q: &Float| {
        let x = wide(q).sqrt();
        let value = Bessel { second: false, order }.at(&x) * &slope;
        if order == 0 { value } else { value / x }
    };
    let rest = |q: &Float| {
        let x = wide(q).sqrt();
        let log = (x.clone() / 2u32).ln() + Float::with_val(DIGITS, Constant::Euler);
        let y = Bessel { second: true, order }.at(&x);
        match order {
            0 => (y - log * factor(q)) / q,
            _ => (y + slope.clone() / &x) / x - log * factor(q),
        }
    };
    let ends = (0.0, SLACK * from * from);
    let (a, b) = (piece(factor, ends, shape), piece(rest, ends, shape));
    (vec![row(w, &[], &a), row(w, &[], &b)], a.error.max(b.error))
}
