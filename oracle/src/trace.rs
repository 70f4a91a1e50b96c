//! A computation repeated with as many digits as are asked for, operation by operation.

use crate::functions::{Definition, row};
use rug::Float;
use rug::float::Round;
use std::cmp::Ordering;
use vernier::function::{Math, Op, Slot};

/// The values of a computation so far.
#[derive(Debug)]
pub struct Values {
    digits: u32,
    values: Vec<Float>,
}

impl Values {
    /// None yet; each is to have so many binary digits.
    pub fn new(digits: u32) -> Values {
        Values { digits, values: Vec::new() }
    }

    /// A number hi + lo, which is exact.
    pub fn enter(&mut self, (hi, lo): (f64, f64)) {
        self.values.push(Float::with_val(self.digits.max(2200), hi) + lo);
    }

    /// The result of an operation on values so far, rounded to nearest; false where it is not known what the operation is.
    pub fn apply(&mut self, op: Op, operands: &[u32], integer: i32) -> bool {
        let args: Option<Vec<&Float>> = operands.iter().map(|&i| self.values.get(i as usize)).collect();
        let result = args.and_then(|x| value(op, &x, integer, self.digits));
        let known = result.is_some();
        self.values.push(result.unwrap_or_else(|| Float::with_val(self.digits, f64::NAN)));
        known
    }

    /// A value as the nearest sum of two doubles.
    pub fn pair(&self, i: u32) -> Option<(f64, f64)> {
        let x = self.values.get(i as usize)?;
        let hi = x.to_f64();
        let lo = if hi.is_finite() { Float::with_val(self.digits.max(2200), x - hi).to_f64() } else { 0.0 };
        Some((hi, lo))
    }
}

fn value(op: Op, x: &[&Float], integer: i32, digits: u32) -> Option<Float> {
    let of = |z: Float| Some(z);
    match (op, x) {
        (Op::Add, [x, y]) => of(Float::with_val(digits, *x + *y)),
        (Op::Sub, [x, y]) => of(Float::with_val(digits, *x - *y)),
        (Op::Mul, [x, y]) => of(Float::with_val(digits, *x * *y)),
        (Op::Div, [x, y]) => of(Float::with_val(digits, *x / *y)),
        (Op::Neg, [x]) => of(Float::with_val(digits, -*x)),
        (Op::Sqrt, [x]) => of(Float::with_val(digits, x.sqrt_ref())),
        (Op::Rsqrt, [x]) => of(Float::with_val(digits, x.recip_sqrt_ref())),
        (Op::Fma | Op::Mad, [x, y, z]) => of(Float::with_val(digits, *x * *y) + *z),
        (Op::Math(f), _) => function(f, x, integer, digits),
        _ => None,
    }
}

fn function(f: Math, x: &[&Float], integer: i32, digits: u32) -> Option<Float> {
    if let Definition::Number { mpfr, .. } = row(f).definition {
        let mut numbers = x.iter();
        let number = |&slot: &Slot| match slot {
            Slot::Own => numbers.next().map(|&x| x.clone()),
            _ => Some(Float::with_val(32, integer)),
        };
        let args: Vec<Float> = f.args().iter().map(number).collect::<Option<_>>()?;
        let mut z = Float::new(digits);
        mpfr(&mut z, &args, Round::Nearest);
        return Some(z);
    }
    let order = |y: &Float| x.first().and_then(|x| x.partial_cmp(&y));
    Some(match (f, x) {
        (Math::floor, [x]) => Float::with_val(digits, x.floor_ref()),
        (Math::ceil, [x]) => Float::with_val(digits, x.ceil_ref()),
        (Math::trunc, [x]) => Float::with_val(digits, x.trunc_ref()),
        (Math::round, [x]) => Float::with_val(digits, x.round_ref()),
        (Math::rint | Math::nearbyint, [x]) => Float::with_val(digits, x.round_even_ref()),
        (Math::fabs, [x]) => Float::with_val(digits, x.abs_ref()),
        (Math::copysign, [x, y]) => Float::with_val(digits, x.copysign_ref(y)),
        (Math::fmin | Math::min, [x, y]) => (if order(y) == Some(Ordering::Greater) { *y } else { *x }).clone(),
        (Math::fmax | Math::max, [x, y]) => (if order(y) == Some(Ordering::Less) { *y } else { *x }).clone(),
        (Math::ldexp | Math::scalbn | Math::scalbln, [x]) => Float::with_val(digits, *x << integer),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computation() {
        let mut values = Values::new(300);
        values.enter((3.0, 1e-20));
        values.enter((2.0, 0.0));
        assert!(values.apply(Op::Div, &[1, 0], 0) && values.apply(Op::Mul, &[2, 0], 0));
        assert_eq!(values.pair(3), Some((2.0, 0.0)).map(|(hi, _)| (hi, values.pair(3).unwrap().1)));
        assert!(values.pair(3).unwrap().1.abs() < 1e-80);
        assert!(values.apply(Op::Math(Math::exp), &[1], 0) && values.apply(Op::Math(Math::floor), &[4], 0));
        assert_eq!((values.pair(4).unwrap().0, values.pair(5)), (2f64.exp(), Some((7.0, 0.0))));
        assert!(values.apply(Op::Math(Math::ldexp), &[1], -3) && values.apply(Op::Math(Math::fmax), &[1, 0], 0));
        assert_eq!((values.pair(6), values.pair(7)), (Some((0.25, 0.0)), Some((3.0, 1e-20))));
        assert!(values.apply(Op::Math(Math::jn), &[1], -1));
        assert_eq!(values.pair(8).unwrap().0, -Float::with_val(53, 2).j1().to_f64());
        assert!(!values.apply(Op::Cmul, &[0, 0, 0, 0], 0) && !values.apply(Op::Add, &[0, 99], 0));
    }
}
