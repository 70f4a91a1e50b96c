//! Directed rounding and flushing of subnormals on the host, for the interpretation of mutants.

use crate::tape::Mode;
use std::cmp::Ordering;
use vernier::eft::two_sum;

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
        self.compare_quickly(r).unwrap_or_else(|| self.compare_exactly(r))
    }

    /// The same by error-free transformations, where none of their products underflows and nothing overflows.
    fn compare_quickly(self, r: f64) -> Option<Ordering> {
        const MODERATE: std::ops::Range<f64> = 1e-280..1e280;
        let moderate = |x: f64| x == 0.0 || MODERATE.contains(&x.abs());
        // a b + c - r, where a b is near r or c is.
        let sign = |a: f64, b: f64, c: f64, r: f64| {
            let p = a * b;
            if !(moderate(p) && moderate(c) && moderate(r)) || (p == 0.0 && a != 0.0 && b != 0.0) {
                return None;
            }
            let e = a.mul_add(b, -p);
            let (s, t) = two_sum(p, c);
            let (u, v) = two_sum(s, -r);
            let (w, x) = two_sum(v, t);
            // u + w + x + e, all but the first far below u unless that is zero.
            let rest = w + (x + e);
            let bound = 4.0 * (v.abs() + t.abs() + e.abs());
            if u.abs() > bound {
                u.partial_cmp(&0.0)
            } else if u == 0.0 && [w, x, e].iter().filter(|&&y| y != 0.0).count() <= 2 {
                // The sum of two numbers has the right sign.
                rest.partial_cmp(&0.0)
            } else {
                None
            }
        };
        match self {
            Rounded::Add(a, b) => sign(a, 1.0, b, r),
            Rounded::Mul(a, b) => sign(a, b, 0.0, r),
            Rounded::Fma(a, b, c) => sign(a, b, c, r),
            Rounded::Div(a, b) => sign(-r, b, a, 0.0).map(|o| if b < 0.0 { o.reverse() } else { o }),
            Rounded::Sqrt(a) => sign(-r, r, a, 0.0),
        }
    }

    fn compare_exactly(self, r: f64) -> Ordering {
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
        // The quick comparison is the exact one.
        let mut x = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            x = x.wrapping_mul(0xd129_0d3d_7c6c_a5ab).wrapping_add(1);
            let bits = x ^ x >> 29;
            let few = [0, !0 << 40, !0 << 50][(x >> 60) as usize % 3];
            let near = (bits & !(0x7f0 << 52)) | 0x3f0 << 52;
            f64::from_bits(if x >> 58 & 3 == 0 {
                bits
            } else if few == 0 {
                near
            } else {
                near & few
            })
        };
        let mut quick = 0;
        for _ in 0..200_000 {
            let (a, b) = (next(), next());
            let c = if a.to_bits() & 4 == 0 { next() } else { -a * b };
            if [a, b, c].iter().all(|x| x.is_finite()) {
                let fused = a.mul_add(b, c);
                for (op, r) in [
                    (Rounded::Add(a, c), a + c),
                    (Rounded::Mul(a, b), a * b),
                    (Rounded::Fma(a, b, c), fused),
                    (Rounded::Div(a, b), a / b),
                    (Rounded::Sqrt(a.abs()), a.abs().sqrt()),
                    (Rounded::Fma(a, b, c), f64::from(fused as f32)),
                ] {
                    let known = op.compare_quickly(r).filter(|_| r.is_finite() && op.operands_finite());
                    quick += usize::from(known.is_some());
                    assert!(known.is_none_or(|o| o == op.compare_exactly(r)), "{op:?} {r:e}");
                }
            }
        }
        assert!(quick > 500_000, "{quick}");
        let fma = |m| directed32(Rounded::Fma(3.0, 1.0 / 3.0, 1e-30), 3f32.mul_add(1.0 / 3.0, 1e-30), m);
        assert!(fma(Mode::Zero) <= fma(Mode::Up));
    }
}
