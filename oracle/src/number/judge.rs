//! The judge of numbers: by this project's own functions where their error leaves no doubt, by MPFR elsewhere.
//!
//! A value comes as a pair: of binary32 for results of 24 digits and less, then of binary64, whose error is 2^-51 ulp of a double
//! and 2^-80 ulp of a float. Either decides where the error of a result is known to 2^-20 ulp, on which side of half an ulp it
//! lies, and in which binade the exact value.

use super::kernel::Kernel;
use super::known::Value;
use super::verdict::{DOUBLE, Known, SCALED, SINGLE, judged, verdict};
use super::{Judged, bits};
use crate::format::Format;
use crate::number::exactly;
use vernier::host::Host;

/// Judges one result of one function in one format.
#[derive(Clone, Copy)]
pub struct Judge {
    value: Value,
    arity: usize,
    format: Format,
    /// The format whose ulp errors are in: that of results, or one with a larger least step.
    scale: Format,
    kernel: Option<Kernel>,
}

/// Cases that are judged at once.
const BLOCK: usize = 256;

/// Whether functions of pairs of binary32 take their usual path there. Elsewhere squares may be subnormal, which costs a processor a
/// hundred operations each, and pairs of binary64 are faster.
fn is_usual(x: f64) -> bool {
    const REACH: f64 = (1 << 24) as f64;
    x == 0.0 || (1.0 / REACH..=REACH).contains(&x.abs())
}

/// Errors are known so well, in ulp.
pub const DOUBT: f64 = 1.0 / (1 << 20) as f64;

impl Judge {
    /// The judge of a value of a function of so many arguments, all in one format.
    pub fn new(value: Value, arity: usize, format: Format) -> Judge {
        // An error of one ulp of 46 digits is 2^-22 ulp of 24.
        let enough = |k: &Kernel| k.ulp <= 2.0 && (!k.scaled || format.p <= 24);
        // Inputs of narrower formats are few, and binary128 has more digits than pairs.
        let quick = [Format::F32, Format::F64].contains(&format);
        let kernel = value.kernel.filter(|k| enough(k) && !value.integer && quick);
        let format = if value.integer { Format::F64 } else { format };
        Judge { value, arity, format, scale: format, kernel }
    }

    /// The same with errors in units of 2^exponent, of values below 2: absolute errors.
    pub fn in_units(self, exponent: i32) -> Judge {
        Judge { scale: Format { emin: exponent, ..self.format }, ..self }
    }

    /// The format whose ulp errors are in.
    pub fn scale(&self) -> Format {
        self.scale
    }

    /// Whether only MPFR knows this function.
    pub fn is_slow(&self) -> bool {
        self.kernel.is_none()
    }

    /// Whether pairs of binary32 are asked first.
    fn is_short(&self, arguments: Format) -> bool {
        self.format.p <= 24 && arguments.p <= 24 && self.kernel.is_some_and(|k| !k.scaled)
    }

    /// How well the kernel's pairs of binary64 are known.
    fn known(&self, kernel: &Kernel) -> &'static Known {
        if kernel.scaled { &SCALED } else { &DOUBLE }
    }

    /// What a device needs to judge as this does: how well pairs of binary32 are known where they are asked first, those of
    /// binary64, and whether the sign of a zero is defined. None where only MPFR knows the function.
    pub fn for_device(&self, arguments: Format) -> Option<(Option<&'static Known>, &'static Known, bool)> {
        let kernel = self.kernel.as_ref()?;
        Some((self.is_short(arguments).then_some(&SINGLE), self.known(kernel), self.value.signed_zero))
    }

    /// Judges results of columns of arguments, all as bits; `each` is told of every one, in order.
    ///
    /// Results of integers are those of 64 bits; those of binary128 have `low` words.
    pub fn all(
        &self,
        arguments: Format,
        args: &[&[u64]; 3],
        [results, low]: [&[u64]; 2],
        mut each: impl FnMut(usize, Judged),
    ) {
        if arguments == bits::HIGH {
            for (i, (&r, &low)) in results.iter().zip(low).enumerate() {
                let x = args.map(|column| column.get(i).map_or([0; 2], |&x| [x, bits::low(x)]));
                each(i, exactly::judge_words(&self.value, &x[..self.arity], [r, low]));
            }
            return;
        }

        let (Some(kernel), true) = (self.kernel, arguments.p <= 53) else {
            for (i, &r) in results.iter().enumerate() {
                let x = args.map(|column| if column.is_empty() { 0.0 } else { bits::number(column[i], arguments) });
                each(i, self.exactly(&x[..self.arity], self.result(r)));
            }
            return;
        };
        let short = self.is_short(arguments);
        let (mut single, mut double) = ([[0f32; BLOCK]; 3], [[0f64; BLOCK]; 3]);
        let (mut short_pairs, mut pairs) = ([(0f32, 0f32); BLOCK], [(0f64, 0f64); BLOCK]);
        let mut judged = [Judged::RIGHT; BLOCK];
        // Cases that pairs of binary32 judge, and those that pairs of binary64 do.
        let (mut first, mut open) = ([0; BLOCK], [0; BLOCK]);
        for (start, results) in (0..).step_by(BLOCK).zip(results.chunks(BLOCK)) {
            let argument = |k: usize, i: usize| bits::number(args[k][start + i], arguments);
            let usual = |i: usize| short && (0..self.arity).all(|k| is_usual(argument(k, i)));
            let (mut n, mut left) = (0, 0);
            for i in 0..results.len() {
                let (list, n) = if usual(i) { (&mut first, &mut n) } else { (&mut open, &mut left) };
                list[*n] = i;
                *n += 1;
            }
            for (j, &i) in first[..n].iter().enumerate() {
                (0..self.arity).for_each(|k| single[k][j] = argument(k, i) as f32);
            }
            (kernel.single)(&[&single[0][..n], &single[1][..n], &single[2][..n]], &mut short_pairs[..n]);
            for (&i, &(h, l)) in first[..n].iter().zip(&short_pairs) {
                let r = self.result(results[i]);
                match by_pair((h.into(), l.into()), r, self.scale, &SINGLE, self.value.signed_zero) {
                    Some(quick) => judged[i] = quick,
                    None => {
                        open[left] = i;
                        left += 1;
                    }
                }
            }
            for (j, &i) in open[..left].iter().enumerate() {
                (0..self.arity).for_each(|k| double[k][j] = argument(k, i));
            }
            (kernel.double)(&[&double[0][..left], &double[1][..left], &double[2][..left]], &mut pairs[..left]);
            for (j, (&i, &z)) in open[..left].iter().zip(&pairs).enumerate() {
                let r = self.result(results[i]);
                judged[i] = self.longer(&kernel, z, r, || [0, 1, 2].map(|k| double[k][j]));
            }
            judged[..results.len()].iter().enumerate().for_each(|(i, &judged)| each(start + i, judged));
        }
    }

    /// Judges one result.
    pub fn one(&self, args: &[f64], r: f64) -> Judged {
        let mut x = [0.0; 3];
        x[..self.arity].copy_from_slice(&args[..self.arity]);
        match &self.kernel {
            Some(kernel) => {
                let mut z = [(0.0, 0.0)];
                (kernel.double)(&[&x[..1], &x[1..2], &x[2..]], &mut z);
                self.longer(kernel, z[0], r, || x)
            }
            None => self.exactly(&x[..self.arity], r),
        }
    }

    /// By a pair of binary64, or of its arguments by MPFR.
    fn longer(&self, kernel: &Kernel, z: (f64, f64), r: f64, args: impl Fn() -> [f64; 3]) -> Judged {
        by_pair(z, r, self.scale, self.known(kernel), self.value.signed_zero)
            .unwrap_or_else(|| self.exactly(&args()[..self.arity], r))
    }

    /// By MPFR alone.
    pub fn exactly(&self, args: &[f64], r: f64) -> Judged {
        exactly::judge(&self.value, self.scale, &args[..self.arity], r)
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
        self.all(arguments, &columns, [&[r], &[]], |_, judged| quick = judged);
        let x: Vec<f64> = args.iter().map(|&x| bits::number(x, arguments)).collect();
        let slow = self.exactly(&x, self.result(r));
        let near = (quick.ulp - slow.ulp).abs() <= DOUBT * slow.ulp.max(1.0);
        near && quick.wrong == slow.wrong && quick.correct == slow.correct
    }
}

/// By a pair; none where that leaves a doubt.
#[inline(always)]
fn by_pair(z: (f64, f64), r: f64, format: Format, known: &Known, signed_zero: bool) -> Option<Judged> {
    judged(verdict::<Host>(z, r, format, known, signed_zero).0)
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
