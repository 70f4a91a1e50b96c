//! Unpacked emulated doubles as cases hold them.

use std::fmt;
use vernier_oracle::dyadic::Exact;
use vernier_oracle::generate::limb::normalize;
use vernier_oracle::{Format, Operand, Pair};

/// Sign, exponent and significand: (-1)^sign significand 2^(exponent - 1023 - 61), with the leading one at bit 61; zero,
/// infinity and NaN are exponents of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unpacked {
    /// 0 or 1.
    pub sign: u32,
    /// In two's complement.
    pub exponent: i32,
    /// Of a number that is not zero from 2^61 to 2^62.
    pub significand: u64,
}

/// Digits of a significand.
const DIGITS: i32 = 62;
/// Digits of one below those of a double.
const GUARD: u32 = 9;
const BIAS: i32 = 1023;
const ONE: u64 = 1 << 61;
/// Exponents of finite numbers.
const FINITE: std::ops::Range<i32> = -(1 << 26)..1 << 26;
const ZERO: i32 = -(1 << 29);
const INFINITY: i32 = 1 << 28;

impl Unpacked {
    /// The canonical NaN.
    pub const NAN: Unpacked = Unpacked { sign: 0, exponent: 3 << 28, significand: 3 << 60 };

    /// Whether it is NaN.
    pub const fn is_nan(self) -> bool {
        self.exponent == Unpacked::NAN.exponent
    }

    /// The same value with one canonical NaN in place of all of them.
    pub const fn canonical(self) -> Unpacked {
        if self.is_nan() { Unpacked::NAN } else { self }
    }

    /// Whether it is a zero, an infinity, NaN, or a number with its leading one in place.
    pub const fn is_number(self) -> bool {
        let sign = self.sign <= 1;
        let state = match self.exponent {
            ZERO => self.significand == 0,
            INFINITY => self.significand == ONE,
            e if e == Unpacked::NAN.exponent => self.significand == Unpacked::NAN.significand,
            e => FINITE.start <= e && e < FINITE.end && self.significand >> (DIGITS - 1) == 1,
        };
        sign && state
    }

    /// The number of a double, exactly.
    pub fn of_f64(x: f64) -> Unpacked {
        let sign = u32::from(x.is_sign_negative());
        let bits = x.to_bits() & (u64::MAX >> 1);
        if x.is_nan() {
            Unpacked::NAN
        } else if x == 0.0 {
            Unpacked { sign, exponent: ZERO, significand: 0 }
        } else if x.is_infinite() {
            Unpacked { sign, exponent: INFINITY, significand: ONE }
        } else if bits >> 52 == 0 {
            let up = bits.leading_zeros() as i32 - 11;
            Unpacked { sign, exponent: 1 - up, significand: bits << up << GUARD }
        } else {
            let significand = ((bits & ((1 << 52) - 1)) | 1 << 52) << GUARD;
            Unpacked { sign, exponent: (bits >> 52) as i32, significand }
        }
    }

    /// The number of an integer below 2^64 in magnitude; of more than 62 digits it is cut, and the last one set if
    /// anything was cut off (rounded to odd).
    pub fn of_integer(v: i128) -> Unpacked {
        let m = v.unsigned_abs();
        let digits = 128 - m.leading_zeros() as i32;
        if digits == 0 {
            return Unpacked::of_f64(0.0);
        }
        let cut = (digits - DIGITS).max(0);
        let sticky = u64::from(m & ((1 << cut) - 1) != 0);
        let significand = (m >> cut) as u64 | sticky;
        let exponent = BIAS + digits - 1;
        Unpacked { sign: u32::from(v < 0), exponent, significand: significand << (DIGITS - digits).max(0) }
    }

    /// The number of a pair, its value cut to 62 digits.
    pub fn of_pair(pair: Pair) -> Unpacked {
        // A sum of zeros has no sign to keep.
        let (hi, lo) = if pair.1 == 0.0 { pair } else { normalize(pair, Format::F64) };
        let x = Unpacked::of_f64(hi);
        if lo == 0.0 || !lo.is_finite() || !(FINITE.start..FINITE.end).contains(&x.exponent) {
            return x;
        }
        // lo in units of the last of the 62 digits; below half a unit of hi's last one.
        let unit = x.exponent - BIAS - (DIGITS - 1);
        let units = Unpacked::of_f64(lo);
        let down = unit - (units.exponent - BIAS - (DIGITS - 1));
        let units = if (0..64).contains(&down) { units.significand >> down } else { 0 };
        if (lo < 0.0) == (hi < 0.0) {
            return Unpacked { significand: x.significand + units, ..x };
        }
        let difference = x.significand - units;
        let up = difference.leading_zeros() as i32 - 2;
        Unpacked { exponent: x.exponent - up, significand: difference << up, ..x }
    }

    /// The leading 53 digits and the rest as doubles; none where they are not in their range.
    pub fn to_pair(self) -> Option<Pair> {
        let signed = |x: f64| if self.sign == 1 { -x } else { x };
        let power = |e: i32| f64::from_bits(((e + BIAS) as u64) << 52);
        match self.exponent {
            _ if self.is_nan() => Some((f64::NAN, 0.0)),
            ZERO => Some((signed(0.0), 0.0)),
            INFINITY => Some((signed(f64::INFINITY), 0.0)),
            _ => {
                let unit = self.exponent - BIAS - (DIGITS - 1);
                let (high, low) = (self.significand >> GUARD << GUARD, self.significand & ((1 << GUARD) - 1));
                // Twice, because the unit may be below the smallest normal number.
                let scaled = |m: u64| {
                    let half = unit / 2;
                    let x = m as f64 * power(half) * power(unit - half);
                    (x.is_finite() && (x == 0.0) == (m == 0) && x / power(unit - half) / power(half) == m as f64)
                        .then_some(x)
                };
                if !(-2000..2000).contains(&unit) {
                    return None;
                }
                Some((signed(scaled(high)?), signed(scaled(low)?)))
            }
        }
    }

    /// The value as the oracle takes it.
    pub fn operand(self) -> Operand {
        let negative = self.sign == 1;
        let signed = |x: f64| Operand::Pair((if negative { -x } else { x }, 0.0));
        match self.exponent {
            _ if self.is_nan() => Operand::Pair((f64::NAN, 0.0)),
            ZERO => signed(0.0),
            INFINITY => signed(f64::INFINITY),
            e => Operand::Scaled { negative, significand: self.significand.into(), exponent: e - BIAS - (DIGITS - 1) },
        }
    }

    /// The exact value.
    pub fn exact(self) -> Exact {
        let negative = self.sign == 1;
        match self.exponent {
            _ if self.is_nan() => Exact::Nan,
            ZERO => Exact::Zero(negative),
            INFINITY => Exact::Infinite(negative),
            e => Exact::of_parts(negative, self.significand, i64::from(e - BIAS - (DIGITS - 1))),
        }
    }
}

impl fmt::Display for Unpacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_nan() && (!f.alternate() || self == &Unpacked::NAN) {
            return f.write_str("nan");
        }
        write!(f, "{}:{:08x}:{:016x}", self.sign, self.exponent, self.significand)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_and_pairs_come_back() {
        let doubles = [0.0, -0.0, 1.0, -1.5, f64::MAX, f64::MIN_POSITIVE, 5e-324, -4.4e-310, f64::INFINITY];
        for x in doubles {
            let u = Unpacked::of_f64(x);
            assert!(u.is_number(), "{u}");
            assert_eq!(u.to_pair().map(|p| (p.0.to_bits(), p.1)), Some((x.to_bits(), 0.0)), "{u}");
        }
        // 1 + 2^-61, and 1 - 2^-61 cut to 62 digits.
        let tiny = f64::from_bits((1023 - 61) << 52);
        let above = Unpacked { sign: 0, exponent: 1023, significand: ONE + 1 };
        assert_eq!((Unpacked::of_pair((1.0, tiny)), above.to_pair()), (above, Some((1.0, tiny))));
        let below = Unpacked { sign: 1, exponent: 1022, significand: 2 * ONE - 2 };
        assert_eq!(Unpacked::of_pair((-1.0, tiny)), below);
        let (hi, lo) = below.to_pair().unwrap();
        assert_eq!((hi, lo), (-(1.0 - f64::EPSILON / 2.0), -(510.0 * tiny / 2.0)));
        assert_eq!(Unpacked { exponent: 5000, ..above }.to_pair(), None);
        assert!(!Unpacked { significand: 1, ..above }.is_number());
    }
}
