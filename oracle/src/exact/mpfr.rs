//! Exact values by MPFR.
//!
//! Operands are held exactly: as many bits as lie between the first bit of one limb and the last of the other. Every operation
//! is then a single MPFR operation on exact operands, so correctly rounded at any precision asked for, and its ternary value
//! says whether it is exact. An error is found with the precision raised until it is known (Ziv 1991); a rounding into a
//! format is done once, at the precision that the binade of the exact value leaves in that format. Working numbers are
//! reused, one set per thread.

use crate::exact::dyadic::Dyadic;
use crate::format::{Format, Rounded, Rounding};
use crate::measure::{Finite, Reading, Verdict};
use crate::target::{Operand, Pair, Target, holds};
use num_bigint::{BigInt, Sign};
use rug::float::Round;
use rug::integer::Order;
use rug::ops::{AssignRound, NegAssign};
use rug::{Assign, Float, Integer};
use std::cell::RefCell;
use std::cmp::Ordering;
use vernier::function::Op;

/// Precision of the first attempt at an error, of a quotient, and of the sum of terms.
const FIRST: u32 = 200;
const NARROW: u32 = 64;

/// Beyond so many bits nothing matters: limbs and their products have a tenth of them, and e^-x may lie as far below 1 as it likes.
const MOST: u32 = 1 << 14;

/// Exact operands, and working numbers.
struct Scratch {
    args: Vec<Float>,
    r: Float,
    z: Float,
    d: Float,
    t: Float,
    product: Float,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new());
}

fn mode(rounding: Rounding) -> Round {
    match rounding {
        Rounding::Nearest => Round::Nearest,
        Rounding::Zero => Round::Zero,
        Rounding::Up => Round::Up,
        Rounding::Down => Round::Down,
    }
}

/// Runs `f` on this thread's scratch with the operands loaded.
fn with<T>(args: &[impl Into<Operand> + Copy], f: impl FnOnce(&mut Scratch) -> T) -> T {
    SCRATCH.with_borrow_mut(|s| {
        s.load(args);
        f(s)
    })
}

/// Sets `x` to the exact value of an operand.
fn assign_operand(x: &mut Float, operand: Operand) {
    match operand {
        Operand::Pair(pair) => assign_value(x, pair),
        Operand::Scaled { negative, significand, exponent } => {
            x.set_prec(128);
            x.assign(significand);
            *x <<= exponent;
            if negative {
                x.neg_assign();
            }
        }
    }
}

/// Sets `x` to the exact value of a pair.
fn assign_value(x: &mut Float, (hi, lo): Pair) {
    x.set_prec(53);
    if !hi.is_finite() || (hi == 0.0 && lo == 0.0) {
        x.assign(hi);
    } else if !lo.is_finite() || hi == 0.0 {
        x.assign(lo);
    } else if lo == 0.0 {
        x.assign(hi);
    } else {
        let (a, b) = (crate::format::exponent(hi), crate::format::exponent(lo));
        // From the leading bit, with room for a carry, to the last bit of the lower limb.
        x.set_prec(((a - b).unsigned_abs() + 55).max(56));
        x.assign(hi);
        *x += lo;
        debug_assert!(x.prec() >= 55);
    }
}

impl Scratch {
    fn new() -> Scratch {
        let float = || Float::new(FIRST);
        Scratch { args: Vec::new(), r: float(), z: float(), d: float(), t: float(), product: float() }
    }

    fn load(&mut self, args: &[impl Into<Operand> + Copy]) {
        self.args.resize_with(self.args.len().max(args.len()), || Float::new(FIRST));
        for (x, &arg) in self.args.iter_mut().zip(args) {
            assign_operand(x, arg.into());
        }
    }

    /// Sets `z` to the operation's value on the loaded operands, correctly rounded to `prec` bits; how it compares with the exact one.
    fn compute(&mut self, op: Op, n: usize, prec: u32, round: Round) -> Ordering {
        let Scratch { args: x, z, product, .. } = self;
        z.set_prec(prec);
        match op {
            Op::Canonical => z.assign_round(&x[0], round),
            Op::Neg => z.assign_round(-&x[0], round),
            Op::Add | Op::Acc => z.assign_round(&x[0] + &x[1], round),
            Op::Sub => z.assign_round(&x[0] - &x[1], round),
            Op::Mul => z.assign_round(&x[0] * &x[1], round),
            Op::Div => z.assign_round(&x[0] / &x[1], round),
            Op::Fma | Op::Mad => z.assign_round(x[0].mul_add_ref(&x[1], &x[2]), round),
            Op::Sqrt => z.assign_round(x[0].sqrt_ref(), round),
            Op::Rsqrt => {
                let ternary = z.assign_round(x[0].recip_sqrt_ref(), round);
                // MPFR gives +inf for -0; IEEE 754-2019 rSqrt gives -inf.
                if x[0].is_zero() && x[0].is_sign_negative() {
                    z.neg_assign();
                }
                ternary
            }
            Op::Sum => z.assign_round(Float::sum(x[..n].iter()), round),
            Op::Product => {
                product.set_prec(1);
                product.assign(1);
                for y in &x[..n] {
                    product.set_prec(product.prec() + y.prec());
                    *product *= y;
                }
                z.assign_round(&*product, round)
            }
            Op::Dot => z.assign_round(Float::dot(x[..n].chunks_exact(2).map(|t| (&t[0], &t[1]))), round),
            Op::Math(f) => crate::functions::compute(f, z, &x[..n], round),
            _ => unreachable!("not an operation of the oracle: {op}"),
        }
    }

    /// `floor(log2 |z|)` of the value last computed.
    fn exponent(&self) -> Option<i64> {
        self.z.get_exp().map(|e| e as i64 - 1)
    }

    fn round(&mut self, op: Op, n: usize, format: Format, rounding: Rounding) -> Rounded {
        let mode = mode(rounding);
        // Truncation keeps the binade; a zero or a special value has its sign from the direction.
        self.compute(op, n, NARROW, mode);
        let negative = self.z.is_sign_negative();
        if self.z.is_nan() {
            return Rounded::Nan;
        }
        if self.z.is_infinite() {
            return Rounded::Infinite { negative };
        }
        if self.z.is_zero() {
            return Rounded::Zero { negative };
        }
        let cut = self.compute(op, n, NARROW, Round::Zero) != Ordering::Equal;
        let Some(exponent) = self.exponent() else {
            return Rounded::Zero { negative };
        };
        let away = match rounding {
            Rounding::Nearest | Rounding::Zero => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
        };
        let available = exponent - format.emin as i64 + 1;
        if available < 1 {
            // Below the smallest step: against half of it, where a tie goes to the even zero.
            let above_half = available == 0 && (cut || !is_power_of_two(&self.z));
            return if away || (rounding == Rounding::Nearest && above_half) {
                Rounded::Finite { negative, significand: 1, exponent: format.emin }
            } else {
                Rounded::Zero { negative }
            };
        }
        self.compute(op, n, available.min(format.p as i64) as u32, mode);
        if self.exponent().is_some_and(|e| e > format.emax as i64) {
            return if away || rounding == Rounding::Nearest {
                Rounded::Infinite { negative }
            } else {
                Rounded::Finite {
                    negative,
                    significand: (1 << format.p) - 1,
                    exponent: format.emax - format.p as i32 + 1,
                }
            };
        }
        let (m, e) = self.z.to_integer_exp().unwrap_or_default();
        let m = m.abs();
        let zeros = m.find_one(0).unwrap_or(0);
        Rounded::Finite { negative, significand: (m >> zeros).to_u128_wrapping(), exponent: e + zeros as i32 }
    }

    /// `sum |terms|` to a relative 2^-60, into `t`; false where it is `|z|`.
    fn terms(&mut self, op: Op, n: usize) -> bool {
        let Scratch { args: x, t, product, .. } = self;
        t.set_prec(NARROW);
        product.set_prec(NARROW);
        t.assign(0);
        let mut add = |i: usize, j: Option<usize>| {
            match j {
                Some(j) => product.assign(&x[i] * &x[j]),
                None => product.assign(&x[i]),
            }
            product.abs_mut();
            *t += &*product;
        };
        match op {
            Op::Add | Op::Sub | Op::Acc | Op::Sum => (0..n).for_each(|i| add(i, None)),
            Op::Fma | Op::Mad => {
                add(0, Some(1));
                add(2, None);
            }
            Op::Dot => (0..n / 2).for_each(|i| add(2 * i, Some(2 * i + 1))),
            _ => return false,
        }
        true
    }

    fn read(&mut self, op: Op, target: &Target, n: usize, r: Pair) -> Reading {
        let double_p = 2 * target.limb.p as i64;
        assign_value(&mut self.r, r);
        if !self.r.is_finite() {
            self.r.assign(0);
        }
        let exact = self.distance(op, target, n);
        let negative = self.z.is_sign_negative();
        if self.z.is_nan() {
            return Reading::Nan;
        }
        if self.z.is_infinite() {
            return Reading::Infinite { negative };
        }
        if self.z.is_zero() {
            self.d.set_prec(NARROW);
            self.d.assign(self.r.abs_ref());
            let has_terms = self.terms(op, n);
            let u2_of_terms = if self.d.is_zero() {
                0.0
            } else if !has_terms || self.t.is_zero() {
                f64::INFINITY
            } else {
                ratio(&self.d, &self.t, &mut self.product, double_p)
            };
            return Reading::Zero { negative, u2_of_terms };
        }
        // Is RN(z) in the limb format infinite or zero? Truncation moves z across no boundary: the midpoint below a power of
        // two goes up.
        self.t.set_prec(target.limb.p);
        self.t.assign_round(&self.z, Round::Nearest);
        let rounded_exponent = self.t.get_exp().map_or(i64::MAX, |e| e as i64 - 1);
        let borders = target.border().is_some_and(|border| {
            rounded_exponent >= target.limb.emax as i64 && {
                self.t.set_prec(border.digits);
                self.t.assign_round(&self.z, Round::Zero);
                let (digits, _) = self.t.to_integer_exp().unwrap_or_default();
                self.exponent() == Some(target.limb.emax as i64) && border.holds(digits.abs().to_u128())
            }
        });
        let exponent = self.exponent().unwrap_or(0);
        let power_of_two = exact && is_power_of_two(&self.z);
        let step = target.limb.emin as i64;
        let vanishes = exponent < step - 1 || (exponent == step - 1 && power_of_two);
        let u2 = ratio(&self.d, &self.z, &mut self.product, double_p);
        self.t.set_prec(1);
        self.t.assign(1);
        let scale = if let Op::Math(f) = op { crate::functions::row(f).scale } else { None };
        let least = scale.and_then(|scale| scale(&self.args[..n])?.get_exp());
        let measured = least.map_or(exponent, |e| exponent.max(i64::from(e) - 1));
        let ulp = ratio(&self.d, &self.t, &mut self.product, -target.ulp_exponent(measured));
        let u2_of_terms = if self.terms(op, n) { ratio(&self.d, &self.t, &mut self.product, double_p) } else { u2 };
        Reading::Finite(Finite {
            negative,
            exponent,
            power_of_two,
            overflows: rounded_exponent > target.limb.emax as i64,
            borders,
            vanishes,
            u2,
            ulp,
            u2_of_terms,
        })
    }

    /// `d = r - z` to a relative 2^-40, of functions to 2^-50 ulp, with the `z` that it was taken from, truncated; whether that is
    /// exact. `d` is of no use where z is 0 or not finite.
    fn distance(&mut self, op: Op, target: &Target, n: usize) -> bool {
        // Functions of arguments near 0 are as near as these to the few digits that they are rounded to.
        let function = matches!(op, Op::Math(_));
        let mut prec = if function { 2 * target.limb.p + 52 } else { FIRST };
        loop {
            let exact = self.compute(op, n, prec, Round::Zero) == Ordering::Equal;
            self.d.set_prec(NARROW);
            self.d.assign(&self.r - &self.z);
            let known = match (self.d.get_exp(), self.z.get_exp()) {
                (Some(d), Some(z)) => d as i64 - (z as i64 - prec as i64) > 41,
                (_, None) => true,
                // Of a z beyond the range d is infinite.
                (None, _) => self.d.is_infinite(),
            };
            if exact || known || function || prec > MOST {
                return exact;
            }
            prec *= 2;
        }
    }
}

/// `|x / y| * 2^n`; what leaves the f64 range ends at its largest or smallest positive normal number.
fn ratio(x: &Float, y: &Float, quotient: &mut Float, n: i64) -> f64 {
    if x.is_zero() {
        return 0.0;
    }
    quotient.set_prec(NARROW);
    quotient.assign(x / y);
    *quotient <<= n.clamp(-1 << 28, 1 << 28) as i32;
    quotient.to_f64().abs().clamp(f64::MIN_POSITIVE, f64::MAX)
}

fn is_power_of_two(x: &Float) -> bool {
    x.get_significand().is_some_and(|m| m.is_power_of_two())
}

/// The correctly rounded result of an operation.
///
/// The number of operands must be what [`arity`](crate::target::arity) says, any where it is free; here and below.
pub fn round(op: Op, args: &[Pair], format: Format, rounding: Rounding) -> Rounded {
    with(args, |s| s.round(op, args.len(), format, rounding))
}

/// The value of an operation, correctly rounded to `prec` bits; none where it is not finite.
pub fn nearest(op: Op, args: &[Pair], prec: u32) -> Option<Dyadic> {
    with(args, |s| {
        s.compute(op, args.len(), prec, Round::Nearest);
        dyadic(&s.z)
    })
}

/// A finite number as the other oracle has it.
pub fn dyadic(z: &Float) -> Option<Dyadic> {
    if z.is_zero() {
        return Some(Dyadic::zero());
    }
    let (m, e) = z.to_integer_exp()?;
    let sign = if m.is_negative() { Sign::Minus } else { Sign::Plus };
    Some(Dyadic::new(BigInt::from_slice(sign, &m.to_digits::<u32>(Order::Lsf)), e.into()))
}

/// What this oracle reads of a case.
pub fn read(op: Op, target: &Target, args: &[Pair], r: Pair) -> Reading {
    with(args, |s| s.read(op, target, args.len(), r))
}

/// The verdict of this oracle on one result.
pub fn judge(op: Op, target: &Target, args: &[Pair], r: Pair) -> Verdict {
    crate::measure::verdict(&read(op, target, args, r), target, args, r)
}

/// The comparison of two values.
pub fn compare(comparison: Op, x: Pair, y: Pair) -> bool {
    with(&[x, y], |s| holds(comparison, s.args[0].partial_cmp(&s.args[1])))
}

/// A pair's value rounded to an integer that saturates at the ends of the type (`bits` 1 to 128); NaN gives 0. The integer's
/// two's-complement bits, sign-extended to 128.
pub fn to_integer_in(x: Pair, rounding: Rounding, bits: u32, signed: bool) -> u128 {
    with(&[x], |s| {
        let least = if signed { -(Integer::from(1) << (bits - 1)) } else { Integer::new() };
        let most = (Integer::from(1) << (bits - signed as u32)) - 1u32;
        let x = &s.args[0];
        let clamped = match x.to_integer_round(mode(rounding)) {
            Some((v, _)) => Ord::clamp(v, least, most),
            None if x.is_nan() => Integer::new(),
            None if x.is_sign_negative() => least,
            None => most,
        };
        clamped.to_u128_wrapping()
    })
}

/// The exact value in decimal, correctly rounded to `digits` significant digits (`1.2345e-7`, `inf`, `-0`, `nan`).
pub fn decimal(op: Op, args: &[impl Into<Operand> + Copy], digits: usize) -> String {
    let digits = digits.max(1);
    with(args, |s| {
        // Decimal conversion is correctly rounded from the binary value: Ziv again, until the digits settle.
        let mut prec = FIRST + 4 * digits as u32;
        // Numbers of P bits have some 2^(2 P) quotients and roots: what is as near to the middle of two decimals as 2^-(4 P + 8 digits)
        // is the middle, as 3 / (5 * 2^58) for 40 digits is.
        let middle = 64 + 8 * digits as u32 + 4 * s.args[..args.len()].iter().map(Float::prec).max().unwrap_or(0);
        loop {
            let exact = s.compute(op, args.len(), prec, Round::Zero) == Ordering::Equal;
            if s.z.is_nan() {
                return "nan".into();
            }
            let below = s.z.to_string_radix(10, Some(digits)).to_lowercase();
            if exact || s.z.is_zero() || !s.z.is_finite() {
                return below;
            }
            s.compute(op, args.len(), prec, Round::AwayZero);
            let above = s.z.to_string_radix(10, Some(digits)).to_lowercase();
            if above == below {
                return below;
            }
            if prec > middle.min(MOST) {
                let last = below.split('e').next().and_then(|digits| digits.bytes().last());
                return if last.is_some_and(|digit| digit % 2 == 0) { below } else { above };
            }
            prec *= 2;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernier::function::Math;

    /// Results beyond the range, arguments near 0 and results that are all but right: the first attempt decides.
    #[test]
    fn functions_are_judged_at_one_precision() {
        let cases: [(Math, &[Pair], Pair); 5] = [
            (Math::exp10, &[(2e10, 797.7)], (f64::INFINITY, 0.0)),
            (Math::expm1, &[(3e15, -1e8)], (f64::INFINITY, 0.0)),
            (Math::exp, &[(1e-300, 0.0)], (1.0, 0.0)),
            (Math::pow, &[(1.5, 0.0), (-1e30, 0.0)], (0.0, 0.0)),
            (Math::cbrt, &[(27.0, 1e-300)], (3.0, 0.0)),
        ];
        for (f, args, r) in cases {
            let target = Target::FP64MP2;
            let (reading, prec) = with(args, |s| (s.read(Op::Math(f), &target, args.len(), r), s.z.prec()));
            assert_eq!(prec, 2 * target.limb.p + 52, "{f}");
            let verdict = crate::measure::verdict(&reading, &target, args, r);
            assert!(verdict.mismatch.is_none() && verdict.ulp < 1e-10, "{f}: {verdict:?}");
        }
    }
}
