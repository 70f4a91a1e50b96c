//! What of an exact value lies below a double, in units of its last place: 60 bits, cut off. Stochastic rounding alone asks for them.

use super::layout::{FRACTION, int, pick};
use crate::machine::{IeeeLimb, Limb, Value, Word, WordMachine};

/// How far an exact value is from the double `r` nearest to it.
pub(super) enum Tail<M: WordMachine> {
    /// It is r.
    Nothing,
    /// It is r + e.
    Error(M::F64),
    /// It is r + e1 + e2, where e1 is the double nearest to e1 + e2.
    Errors(M::F64, M::F64),
    /// It is r + remainder / divisor.
    Quotient {
        /// Exactly what is left of the dividend.
        remainder: M::F64,
        divisor: M::F64,
    },
    /// It is the root of r^2 + remainder.
    Root {
        /// Exactly what is left of the radicand.
        remainder: M::F64,
        root: M::F64,
    },
}

impl<M: WordMachine> Clone for Tail<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: WordMachine> Copy for Tail<M> {}

/// Bits of a tail.
pub(super) const BITS: i32 = 60;
/// A tail of ones.
pub(super) const ONES: u64 = (1 << BITS) - 1;

/// The field of the exponent.
#[inline(always)]
fn field<M: WordMachine>(x: M::U64) -> M::U32 {
    x.shr(int::<M>(52)).to_u32() & int::<M>(0x7ff)
}

/// The significand of a normal double, an integer in [2^52, 2^53).
#[inline(always)]
fn significand<M: WordMachine>(x: M::U64) -> M::U64 {
    (x & M::U64::lit(FRACTION)) | M::U64::lit(1 << 52)
}

/// -x where the sign bit of `sign` is set.
#[inline(always)]
fn signed<M: WordMachine>(x: M::U64, sign: M::U64) -> M::U64 {
    let ones = sign.sar(int::<M>(63));
    (x ^ ones) - ones
}

/// floor(x / 2^n) of a signed x, for any n >= 0.
#[inline(always)]
fn floor<M: WordMachine>(x: M::U64, n: M::U32) -> M::U64 {
    let most = int::<M>(63);
    x.sar(M::U32::select(most.lt(n), most, n))
}

/// floor(2^60 e / ulp(d)) modulo 2^60 for e = e1 + e2, which leads away from zero where its sign is `sign`, that of r. |e1| is
/// at most half an ulp of d and not 0, |e2| half an ulp of e1.
#[inline(always)]
fn of_errors<M: WordMachine>(d: M::U64, sign: M::U64, e1: M::F64, e2: Option<M::F64>) -> M::U64 {
    // Normal, since it is a multiple of the smallest double.
    let e1 = (e1 * M::F64::lit(crate::machine::exp2(53))).bits();
    let f1 = field::<M>(e1);
    // In 2^-7 of e1's last place: a carry and a sign have room.
    let units = signed::<M>(significand::<M>(e1).shl(int::<M>(7)), e1 ^ sign);
    let units = match e2 {
        None => units,
        Some(e2) => {
            let (none, e2) = (e2.eq(M::F64::lit(0.0)), e2.bits());
            let below = floor::<M>(signed::<M>(significand::<M>(e2), e2 ^ sign), f1 - field::<M>(e2) - int::<M>(60));
            units + pick::<M>(none, M::U64::lit(0), below)
        }
    };
    floor::<M>(units, field::<M>(d) - f1) & M::U64::lit(ONES)
}

/// The tail of a quotient or root from its first digits e1 + e2 below the double `d`, which are right to 2^-150 of it.
///
/// A little is added to them: cut off they are the tail or one more. An exact remainder of integers decides. Only its
/// low word is needed, since it is small, and there the dividend or radicand is 0.
#[inline(always)]
fn decided<M: WordMachine>(
    d: M::U64,
    sign: M::U64,
    (e1, e2): (M::F64, M::F64),
    too_large: impl FnOnce(M::U64, M::U64) -> M::Mask,
) -> M::U64 {
    let little = M::F64::from_bits(d | sign) * M::F64::lit(crate::machine::exp2(-140));
    let t = of_errors::<M>(d, sign, e1, Some(e2 + little));
    t - pick::<M>(too_large(significand::<M>(d), t), M::U64::lit(1), M::U64::lit(0))
}

impl<M: WordMachine> Tail<M> {
    /// floor(2^60 t), where the exact magnitude is d + t ulp(d) and 0 < t < 1: d is the double below it, `sign` the sign bit
    /// of the value.
    #[inline(always)]
    pub fn bits(&self, d: M::U64, sign: M::U64) -> M::U64 {
        let (zero, n) = (M::U64::lit(0), int::<M>(BITS));
        match *self {
            Tail::Nothing => zero,
            Tail::Error(e) => of_errors::<M>(d, sign, e, None),
            Tail::Errors(e1, e2) => of_errors::<M>(d, sign, e1, Some(e2)),
            Tail::Quotient { remainder, divisor } => {
                let e1 = remainder.div(divisor);
                let e2 = (-e1).fma(divisor, remainder).div(divisor);
                // -(2^60 d + t) b is the remainder: negative for a quotient too large.
                let b = significand::<M>(divisor.bits());
                decided::<M>(d, sign, (e1, e2), |d, t| zero.lt_signed(b * (d.shl(n) + t)))
            }
            Tail::Root { remainder, root } => {
                let twice = root + root;
                let e1 = remainder.div(twice);
                let rest = (-e1).fma(twice, remainder);
                let e2 = (-e1).fma(e1, rest).div(twice);
                // The remainder is 2^60 u - t^2, which is not 0.
                decided::<M>(d, sign, (e1, e2), |d, t| {
                    let u = zero - d * (d.shl(n) + t.shl(int::<M>(1)));
                    let two = int::<M>(2);
                    !t.shl(two).mul_hi(t.shl(two)).lt_signed(u)
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact;
    use super::super::format::{Format, Options};
    use super::super::layout::Layout;
    use super::super::reduce;
    use crate::host::Host;
    use num_bigint::{BigInt, BigUint};

    type Exact = reduce::Exact<Host>;

    /// A finite double as an integer times 2^-1074.
    fn integer(x: f64) -> BigInt {
        let (fraction, field) = (x.to_bits() & ((1 << 52) - 1), x.to_bits() >> 52 & 0x7ff);
        let m = BigInt::from(if field == 0 { fraction } else { fraction | 1 << 52 }) << (field.max(1) as usize - 1);
        if x < 0.0 { -m } else { m }
    }

    /// Whether floor(value 2^n) is that of the magnitude of `x` at its 60th bit below the double. `floor` gives the integer.
    #[track_caller]
    fn check(x: &Exact, floor: impl Fn(i64) -> BigUint, case: core::fmt::Arguments) {
        let (field, below) = (x.bits.0 >> 52, x.below().0);
        assert!(below < 1 << 60, "{case}: {below:x}");
        assert!(x.rest.0 != 0 || below == 0, "{case}");
        let significand = x.bits.0 & ((1 << 52) - 1) | 1 << 52;
        let unit = field as i64 - 1075 + i64::from(x.offset.0 as i32);
        let right = floor(60 - unit);
        assert_eq!((BigUint::from(significand) << 60) + below, right, "{case}: {:x} {below:x}", x.bits.0);
    }

    /// x 2^n, cut off.
    fn scaled(x: &BigUint, n: i64) -> BigUint {
        if n < 0 { x >> n.unsigned_abs() } else { x << n.unsigned_abs() }
    }

    fn sum(x: &Exact, value: &BigInt, exponent: i64, case: core::fmt::Arguments) {
        if value.magnitude() != &BigUint::ZERO {
            check(x, |n| scaled(value.magnitude(), n + exponent), case);
        }
    }

    fn quotient(layout: &Layout<Host>, a: f64, b: f64) {
        let (n, d) = (integer(a).magnitude().clone(), integer(b).magnitude().clone());
        let floor = |k: i64| (&n << k.max(0) as usize) / (&d << (-k).max(0) as usize);
        check(&exact::div(a, b, layout), floor, format_args!("{a:e} / {b:e}"));
    }

    fn root(layout: &Layout<Host>, a: f64) {
        let floor = |k: i64| scaled(integer(a).magnitude(), 2 * k - 1074).sqrt();
        check(&exact::sqrt(a, layout), floor, format_args!("sqrt {a:e}"));
    }

    struct Words(u64);

    impl Words {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) ^ x >> 31
        }

        /// A double with an exponent below 2^`most` in magnitude, and often few digits.
        fn double(&mut self, most: i64) -> f64 {
            let (r, s) = (self.next(), self.next());
            let few = if s % 3 == 0 { u64::MAX << ((s >> 8) % 53) } else { u64::MAX };
            let exponent = (s >> 16) as i64 % most;
            let rest = r & few & !(0x7ff << 52);
            f64::from_bits(rest | ((exponent + 1023) as u64) << 52)
        }
    }

    fn layouts() -> [(Layout<Host>, i64); 2] {
        // Operands are scaled, or need not be.
        [(11, 1000), (9, 250)].map(|(e, most)| (Layout::known(Format::new(e, 52, Options::IEEE).unwrap()), most))
    }

    #[test]
    fn tails_are_those_of_integers() {
        let mut words = Words(1);
        for (layout, wide) in layouts() {
            for i in 0..60_000 {
                let most = [3, 60, 110, wide][i % 4];
                let [x, y, z] = [0; 3].map(|_| words.double(most));
                // Half of the sums of a product cancel, where it is one of doubles.
                let near = f64::from_bits((x * -y).to_bits() ^ (words.next() & 3));
                let z = if i % 8 < 4 || !near.is_normal() { z } else { near };
                let (p, q, r) = (integer(x), integer(y), integer(z));
                sum(&exact::add(x, y, &layout), &(&p + &q), -1074, format_args!("{x:e} + {y:e}"));
                sum(&exact::mul(x, y, &layout), &(&p * &q), -2148, format_args!("{x:e} * {y:e}"));
                let fused = (&p * &q) + (&r << 1074);
                sum(&exact::fma(x, y, z, &layout), &fused, -2148, format_args!("fma {x:e} {y:e} {z:e}"));
                quotient(&layout, x, y);
                root(&layout, x.abs());
            }
        }
    }

    /// Just below a multiple of the last bit, what is added to the digits would reach it.
    #[test]
    fn quotients_and_roots_next_to_a_bit() {
        let mut words = Words(2);
        for (layout, _) in layouts() {
            let mut tried = 0;
            while tried < 2000 {
                // a 2^112 is -1 or -3 or 1 modulo b: the quotient of integers leaves that.
                let b = words.next() >> 12 | 1 << 52 | 1;
                let inverse = (BigUint::from(1u32) << 112u32).modinv(&b.into()).unwrap();
                for n in [1, 3, b - 1] {
                    let a = u64::try_from((BigUint::from(b - n) * &inverse) % b).unwrap();
                    if a >> 52 == 1 {
                        tried += 1;
                        quotient(&layout, a as f64, b as f64);
                        quotient(&layout, -(a as f64), b as f64);
                    }
                }
            }
            // sqrt(1 + x) = 1 + x/2 - x^2/8 + x^3/16 ...
            for k in 1..3000 {
                root(&layout, f64::from_bits(4f64.to_bits() - k));
                root(&layout, f64::from_bits(1f64.to_bits() + k));
            }
        }
    }
}
