//! Directed rounding and flushing of subnormals on the host, for the interpretation of faults.

use crate::tape::Mode;
use std::cmp::Ordering;

/// An exact sum of products of doubles: a two's complement number whose unit is 2^-2148, the smallest product.
struct Exact([u64; 68]);

impl Exact {
    /// Adds a b, or subtracts it; both finite.
    fn add(&mut self, a: f64, b: f64, negate: bool) {
        let (ma, ea) = decompose(a);
        let (mb, eb) = decompose(b);
        let product = ma as u128 * mb as u128;
        let negate = negate ^ a.is_sign_negative() ^ b.is_sign_negative();
        let position = (ea + eb) as usize;
        let (word, bit) = (position / 64, position % 64);
        let low = product << bit;
        let high = if bit == 0 { 0 } else { (product >> (128 - bit)) as u64 };
        let mut carry = false;
        for (i, limb) in self.0[word..].iter_mut().enumerate() {
            let part = [low as u64, (low >> 64) as u64, high].get(i).copied().unwrap_or(0);
            if i > 2 && !carry {
                break;
            }
            let step = |x: u64, y: u64| if negate { x.overflowing_sub(y) } else { x.overflowing_add(y) };
            let (x, c1) = step(*limb, part);
            let (x, c2) = step(x, carry as u64);
            *limb = x;
            carry = c1 | c2;
        }
    }

    fn sign(&self) -> Ordering {
        if self.0[67] >> 63 == 1 {
            Ordering::Less
        } else if self.0.iter().all(|&w| w == 0) {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}

/// |a| = m 2^(e - 1074).
fn decompose(a: f64) -> (u64, i32) {
    let bits = a.to_bits();
    let e = (bits >> 52 & 0x7ff) as i32;
    let m = bits & ((1 << 52) - 1);
    if e == 0 { (m, 0) } else { (m | 1 << 52, e - 1) }
}

/// The sign of the sum of the first products less the sum of the others.
fn sign(plus: &[(f64, f64)], minus: (f64, f64)) -> Ordering {
    let mut sum = Exact([0; 68]);
    plus.iter().for_each(|&(a, b)| sum.add(a, b, false));
    sum.add(minus.0, minus.1, true);
    sum.sign()
}

/// A rounded operation of IEEE arithmetic, with its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rounded {
    Add(f64, f64),
    Mul(f64, f64),
    Fma(f64, f64, f64),
    Div(f64, f64),
    Sqrt(f64),
}

impl Rounded {
    fn operands_finite(self) -> bool {
        match self {
            Rounded::Add(a, b) | Rounded::Mul(a, b) => a.is_finite() && b.is_finite(),
            Rounded::Fma(a, b, c) => a.is_finite() && b.is_finite() && c.is_finite(),
            Rounded::Div(a, b) => a.is_finite() && b.is_finite() && b != 0.0,
            Rounded::Sqrt(a) => a.is_finite(),
        }
    }

    /// The exact result compared with r; all finite.
    fn compare(self, r: f64) -> Ordering {
        match self {
            Rounded::Add(a, b) => sign(&[(a, 1.0), (b, 1.0)], (r, 1.0)),
            Rounded::Mul(a, b) => sign(&[(a, b)], (r, 1.0)),
            Rounded::Fma(a, b, c) => sign(&[(a, b), (c, 1.0)], (r, 1.0)),
            Rounded::Div(a, b) => {
                let order = sign(&[(a, 1.0)], (r, b));
                if b < 0.0 { order.reverse() } else { order }
            }
            Rounded::Sqrt(a) => sign(&[(a, 1.0)], (r, r)),
        }
    }

    /// Whether an exact zero is the sum of terms of opposite sign.
    fn cancels(self) -> bool {
        match self {
            Rounded::Add(a, b) => a.is_sign_negative() != b.is_sign_negative(),
            Rounded::Fma(a, b, c) => (a.is_sign_negative() ^ b.is_sign_negative()) != c.is_sign_negative(),
            _ => false,
        }
    }
}

macro_rules! directed {
    ($name:ident, $t:ty) => {
        /// `r`, the result of `op` rounded to nearest, rounded in the direction of `mode` instead.
        pub(crate) fn $name(op: Rounded, r: $t, mode: Mode) -> $t {
            if r.is_nan() || !op.operands_finite() {
                return r;
            }
            if r.is_infinite() {
                let inward = match mode {
                    Mode::Zero => true,
                    Mode::Up => r < 0.0,
                    _ => r > 0.0,
                };
                return if inward { <$t>::MAX.copysign(r) } else { r };
            }
            match (op.compare(r as f64), mode) {
                (Ordering::Less, Mode::Down) => r.next_down(),
                (Ordering::Greater, Mode::Up) => r.next_up(),
                (Ordering::Less, Mode::Zero) if r > 0.0 => r.next_down(),
                (Ordering::Greater, Mode::Zero) if r < 0.0 => r.next_up(),
                (Ordering::Equal, Mode::Down) if r == 0.0 && op.cancels() => -0.0,
                _ => r,
            }
        }
    };
}

directed!(directed32, f32);
directed!(directed64, f64);

/// A subnormal becomes a zero of its sign.
pub(crate) fn flush32(a: f32) -> f32 {
    if a.is_subnormal() { 0f32.copysign(a) } else { a }
}

/// A subnormal becomes a zero of its sign.
pub(crate) fn flush64(a: f64) -> f64 {
    if a.is_subnormal() { 0f64.copysign(a) } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions() {
        let add = |a: f64, b: f64, m| directed64(Rounded::Add(a, b), a + b, m);
        let tiny = f64::from_bits(1);
        assert_eq!(add(1.0, tiny, Mode::Up), 1f64.next_up());
        assert_eq!(add(1.0, -tiny, Mode::Zero), 1f64.next_down());
        assert_eq!(add(-1.0, tiny, Mode::Zero), (-1f64).next_up());
        assert_eq!(add(1.0, -1.0, Mode::Down).to_bits(), (-0f64).to_bits());
        assert_eq!(add(f64::MAX, f64::MAX, Mode::Zero), f64::MAX);
        let mul = |a: f64, b: f64, m| directed64(Rounded::Mul(a, b), a * b, m);
        assert_eq!(mul(tiny, 0.5, Mode::Up), tiny);
        assert_eq!(mul(tiny, -tiny, Mode::Down), -tiny);
        let third = |m| directed32(Rounded::Div(1.0, 3.0), 1.0 / 3.0, m);
        assert!(third(Mode::Down) < third(Mode::Up));
        assert_eq!(third(Mode::Down).next_up(), third(Mode::Up));
        assert_eq!(directed64(Rounded::Sqrt(2.0), 2f64.sqrt(), Mode::Down), 2f64.sqrt().next_down());
        let fma = |m| directed32(Rounded::Fma(3.0, 1.0 / 3.0, 1e-30), 3f32.mul_add(1.0 / 3.0, 1e-30), m);
        assert!(fma(Mode::Zero) <= fma(Mode::Up));
    }
}
