//! The judge of numbers: by this project's own functions where their error leaves no doubt, by MPFR elsewhere.
//!
//! A value comes as a pair: of binary32 for results of 24 digits and less, then of binary64, whose error is 2^-51 ulp of a double
//! and 2^-80 ulp of a float. Either decides where the error of a result is known to 2^-20 ulp, on which side of half an ulp it
//! lies, and in which binade the exact value.

use super::kernel::Kernel;
use super::known::Value;
use super::{Judged, bits};
use crate::format::{Format, exponent, power_of_two};
use crate::number::exactly;

/// Judges one result of one function in one format.
#[derive(Clone, Copy)]
pub struct Judge {
    value: Value,
    arity: usize,
    format: Format,
    kernel: Option<Kernel>,
}

/// Cases that are judged at once.
const BLOCK: usize = 256;

/// Errors are known so well, in ulp.
pub const DOUBT: f64 = 1.0 / (1 << 20) as f64;

/// How well a pair is known, relative to its value, with its range.
struct Known {
    relative: f64,
    least: i32,
    most: i32,
}

const SINGLE: Known = Known { relative: 1.0 / (1u64 << 44) as f64, least: -96, most: 126 };
const DOUBLE: Known = Known { relative: 1.0 / (1u128 << 100) as f64, least: -900, most: 1000 };

impl Judge {
    /// The judge of a value of a function of so many arguments, all in one format.
    pub fn new(value: Value, arity: usize, format: Format) -> Judge {
        // An error of one ulp of 46 digits is 2^-22 ulp of 24.
        let kernel = value.kernel.filter(|k| k.ulp <= 2.0 && !value.integer);
        let format = if value.integer { Format::F64 } else { format };
        Judge { value, arity, format, kernel }
    }

    /// Whether only MPFR knows this function.
    pub fn is_slow(&self) -> bool {
        self.kernel.is_none()
    }

    /// Judges results of columns of arguments, all as bits; `each` is told of every one, in order.
    ///
    /// Results of integers are those of 64 bits.
    pub fn all(&self, arguments: Format, args: &[&[u64]; 3], results: &[u64], mut each: impl FnMut(usize, Judged)) {
        let (Some(kernel), true) = (self.kernel, arguments.p <= 53) else {
            for (i, &r) in results.iter().enumerate() {
                let x = args.map(|column| if column.is_empty() { 0.0 } else { bits::number(column[i], arguments) });
                each(i, self.exactly(&x[..self.arity], self.result(r)));
            }
            return;
        };
        let short = self.format.p <= 24 && arguments.p <= 24;
        let mut single = [[0f32; BLOCK]; 3];
        let mut pairs = [(0f32, 0f32); BLOCK];
        for (start, results) in (0..).step_by(BLOCK).zip(results.chunks(BLOCK)) {
            let n = results.len();
            let argument = |k: usize, i: usize| bits::number(args[k][start + i], arguments);
            if short {
                for (k, column) in single.iter_mut().enumerate().take(self.arity) {
                    for (i, x) in column[..n].iter_mut().enumerate() {
                        *x = argument(k, i) as f32;
                    }
                }
                let columns = [&single[0][..n], &single[1][..n], &single[2][..n]];
                (kernel.single)(&columns, &mut pairs[..n]);
            }
            for (i, &r) in results.iter().enumerate() {
                let r = self.result(r);
                let (h, l) = (f64::from(pairs[i].0), f64::from(pairs[i].1));
                let quick = if short { by_pair(h, l, r, self.format, &SINGLE) } else { None };
                let judged = quick.unwrap_or_else(|| {
                    let mut x = [0.0; 3];
                    for (k, x) in x.iter_mut().enumerate().take(self.arity) {
                        *x = argument(k, i);
                    }
                    self.longer(&kernel, &x, r)
                });
                each(start + i, judged);
            }
        }
    }

    /// Judges one result.
    pub fn one(&self, args: &[f64], r: f64) -> Judged {
        let mut x = [0.0; 3];
        x[..self.arity].copy_from_slice(&args[..self.arity]);
        match &self.kernel {
            Some(kernel) => self.longer(kernel, &x, r),
            None => self.exactly(&x[..self.arity], r),
        }
    }

    /// By a pair of binary64, or MPFR.
    fn longer(&self, kernel: &Kernel, x: &[f64; 3], r: f64) -> Judged {
        let mut z = [(0.0, 0.0)];
        (kernel.double)(&[&x[..1], &x[1..2], &x[2..]], &mut z);
        by_pair(z[0].0, z[0].1, r, self.format, &DOUBLE).unwrap_or_else(|| self.exactly(&x[..self.arity], r))
    }

    /// By MPFR alone.
    pub fn exactly(&self, args: &[f64], r: f64) -> Judged {
        exactly::judge(&self.value, self.format, &args[..self.arity], r)
    }

    /// The correctly rounded result.
    pub fn nearest(&self, args: &[f64]) -> f64 {
        exactly::nearest(&self.value, self.format, &args[..self.arity])
    }

    /// A result from its bits.
    pub fn result(&self, r: u64) -> f64 {
        if self.value.integer { r as i64 as f64 } else { bits::number(r, self.format) }
    }

    /// The bits of a result.
    pub fn bits(&self, r: f64) -> u64 {
        if self.value.integer { r as i64 as u64 } else { bits::of(r, self.format) }
    }

    /// Whether the quick judge, which is [`Judge::all`], says the same as MPFR.
    pub fn agrees(&self, arguments: Format, args: &[u64], r: u64) -> bool {
        let mut columns: [&[u64]; 3] = [&[]; 3];
        for (column, x) in columns.iter_mut().zip(args.chunks(1)) {
            *column = x;
        }
        let mut quick = Judged::RIGHT;
        self.all(arguments, &columns, &[r], |_, judged| quick = judged);
        let x: Vec<f64> = args.iter().map(|&x| bits::number(x, arguments)).collect();
        let slow = self.exactly(&x, self.result(r));
        let near = (quick.ulp - slow.ulp).abs() <= DOUBT * slow.ulp.max(1.0);
        near && quick.wrong == slow.wrong && quick.correct == slow.correct
    }
}

/// The error of a result against a value near h + l; none where that leaves a doubt.
#[inline(always)]
fn by_pair(h: f64, l: f64, r: f64, format: Format, known: &Known) -> Option<Judged> {
    let e = exponent(h);
    if e < known.least || e > known.most || e >= format.emax || !r.is_finite() {
        return beyond(h, r, format, e, known);
    }
    let last = (e - format.p as i32 + 1).max(format.emin);
    let scale = power_of_two(-last);
    let mut ulp = ((r - h) - l).abs() * scale;
    if h.to_bits() << 12 == 0 && last > format.emin {
        // A power of two, or a number next to it: below it an ulp is half as large.
        let sure = l.abs() > known.relative * h.abs();
        if sure && (l < 0.0) == (h > 0.0) {
            ulp *= 2.0;
        } else if !sure && ulp > DOUBT / 4.0 {
            return None;
        }
    }
    // An opposite sign may be that of a zero.
    let doubt = (ulp - 0.5).abs() <= DOUBT || r == 0.0;
    (!doubt).then_some(Judged::of(ulp.min(f64::MAX)))
}

/// The same where value or result are special, or near the ends of the range.
#[cold]
#[inline(never)]
fn beyond(h: f64, r: f64, format: Format, e: i32, known: &Known) -> Option<Judged> {
    let same_sign = h.is_sign_negative() == r.is_sign_negative();
    let right = if h.is_nan() {
        r.is_nan()
    } else if r.is_infinite() {
        // Of a wider pair: it is no overflow of its own.
        same_sign && e > format.emax && format.emax < known.most
    } else {
        false
    };
    right.then_some(Judged::RIGHT)
}

#[cfg(test)]
mod tests {
    use super::super::Function;
    use super::*;
    use crate::generate::counter::word;

    fn cases(format: Format) -> impl Iterator<Item = [u64; 3]> {
        (0..2000).map(move |i| {
            let moderate =
                |n| bits::of(bits::number(word(n, i) >> 12 << 12 >> (64 - bits::width(format)), format), format);
            let near = |n| bits::of(((word(n, i) as f64) * (-60f64).exp2() - 8.0) * 2.0, format);
            if i % 2 == 0 { [moderate(1), moderate(2), moderate(3)] } else { [near(1), near(2), near(3)] }
        })
    }

    /// The correctly rounded result of every case, or one moved by some ulp.
    fn disagreement(judge: &Judge, format: Format) -> Option<[u64; 3]> {
        cases(format).find(|x| {
            let args = x.map(|x| bits::number(x, format));
            let right = bits::of(judge.nearest(&args), format);
            (0..3).any(|off| !judge.agrees(format, &x[..judge.arity], right.wrapping_add(off)))
        })
    }

    #[test]
    fn quick_and_slow_agree() {
        for &f in Function::ALL {
            for format in [Format::F32, Format::F64] {
                for value in f.values().into_iter().filter(|v| v.kernel.is_some()) {
                    let judge = Judge::new(value, f.arity(), format);
                    assert_eq!(disagreement(&judge, format), None, "{f}");
                }
            }
        }
    }

    #[test]
    fn a_planted_error_is_caught() {
        let exp = Function::Exp.values()[0];
        let kernel = exp.kernel.unwrap();
        // 2^-18 ulp of a float, and of a double, more.
        let wrong = Kernel {
            single: |x, z| {
                for (z, x) in z.iter_mut().zip(x[0]) {
                    *z = vernier::math::exp((*x, 0.0));
                    z.1 += z.0 * 2f32.powi(-41);
                }
            },
            double: |x, z| {
                for (z, x) in z.iter_mut().zip(x[0]) {
                    *z = vernier::math::exp((*x, 0.0));
                    z.1 += z.0 * 2f64.powi(-70);
                }
            },
            ..kernel
        };
        for format in [Format::F32, Format::F64] {
            let judge = Judge::new(Value { kernel: Some(wrong), ..exp }, 1, format);
            assert!(disagreement(&judge, format).is_some());
        }
    }
}
