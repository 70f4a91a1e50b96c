//! [`Float`](num_traits::Float) for pairs: their functions under its names.

use crate::convert::RoundFrom;
use crate::double_word::{DoubleWord, HostLimb};
use crate::host::Host;
use crate::machine::Value;
use crate::math;
use crate::pair::{Level, canonical};
use core::num::{FpCategory, Wrapping};
use num_traits::{Float, FloatConst, One, Signed};

/// Methods that a pair has under another name or the same.
macro_rules! functions {
    ($($name:ident($($arg:ident),*) = $of:ident;)*) => {$(
        fn $name(self $(, $arg: Self)*) -> Self {
            DoubleWord::<F, A>::$of(self $(, $arg)*)
        }
    )*};
}

/// Results are those of the pair's own functions, `recip`, `log` and the conversions of angles those of the level's operations.
///
/// A type's own methods come before those of traits: `x.log()` is the natural logarithm, `Float::log(x, base)` that of a base.
impl<F: HostLimb + Value<M = Host>, A: Level> Float for DoubleWord<F, A> {
    fn nan() -> Self {
        Self::NAN
    }
    fn infinity() -> Self {
        Self::INFINITY
    }
    fn neg_infinity() -> Self {
        Self::NEG_INFINITY
    }
    fn neg_zero() -> Self {
        Self::from_limb(F::lit(-0.0))
    }
    fn min_value() -> Self {
        Self::MIN
    }
    fn max_value() -> Self {
        Self::MAX
    }
    /// The smallest number that has all its digits.
    fn min_positive_value() -> Self {
        Self::MIN_POSITIVE
    }
    fn epsilon() -> Self {
        Self::EPSILON
    }
    fn is_nan(self) -> bool {
        DoubleWord::is_nan(self)
    }
    fn is_infinite(self) -> bool {
        DoubleWord::is_infinite(self)
    }
    fn is_finite(self) -> bool {
        DoubleWord::is_finite(self)
    }
    fn is_normal(self) -> bool {
        self.classify() == FpCategory::Normal
    }
    /// Subnormal where lo may not have all its digits.
    fn classify(self) -> FpCategory {
        match self {
            x if x.is_nan() => FpCategory::Nan,
            x if x.is_infinite() => FpCategory::Infinite,
            x if !x.to_bool() => FpCategory::Zero,
            x if DoubleWord::abs(x) < Self::MIN_POSITIVE => FpCategory::Subnormal,
            _ => FpCategory::Normal,
        }
    }
    fn fract(self) -> Self {
        self.modf().0
    }
    fn signum(self) -> Self {
        Signed::signum(&self)
    }
    fn is_sign_positive(self) -> bool {
        !self.signbit()
    }
    fn is_sign_negative(self) -> bool {
        self.signbit()
    }
    /// The fused operation of the level.
    fn mul_add(self, y: Self, z: Self) -> Self {
        self.fma(y, z)
    }
    fn recip(self) -> Self {
        Self::one() / self
    }
    fn powi(self, n: i32) -> Self {
        self.pow(Self::round_from(n))
    }
    /// A quotient of logarithms.
    fn log(self, base: Self) -> Self {
        self.log() / base.log()
    }
    fn to_degrees(self) -> Self {
        self * (Self::round_from(180u8) / Self::PI())
    }
    fn to_radians(self) -> Self {
        self * (Self::PI() / Self::round_from(180u8))
    }
    fn sin_cos(self) -> (Self, Self) {
        self.sincos()
    }
    /// The first 64 digits; for infinities and NaN those of hi. The value is never below them, without its sign, and theirs
    /// where it has no more.
    fn integer_decode(self) -> (u64, i16, i8) {
        let (hi, lo) = canonical(self.to_parts());
        let sign = if hi.to_f64().is_sign_negative() { -1 } else { 1 };
        if !hi.to_f64().is_finite() {
            let digits = F::P as i16 - 1;
            let fraction = hi.to_bits_u64() & ((1 << digits) - 1) | 1 << digits;
            return (fraction, 1 - F::MIN_EXP as i16 + 1 - digits, sign);
        }
        let (m, e) = math::frexp((hi, lo));
        let m = DoubleWord::<F, A>::wrap(math::ldexp(math::fabs(m), Wrapping(64)));
        (num_traits::ToPrimitive::to_u64(&m).unwrap_or(u64::MAX), (e.0 as i32 - 64) as i16, sign)
    }

    functions! {
        floor() = floor;
        ceil() = ceil;
        round() = round;
        trunc() = trunc;
        abs() = abs;
        powf(y) = pow;
        sqrt() = sqrt;
        exp() = exp;
        exp2() = exp2;
        ln() = log;
        log2() = log2;
        log10() = log10;
        max(y) = fmax;
        min(y) = fmin;
        abs_sub(y) = fdim;
        cbrt() = cbrt;
        hypot(y) = hypot;
        sin() = sin;
        cos() = cos;
        tan() = tan;
        asin() = asin;
        acos() = acos;
        atan() = atan;
        atan2(x) = atan2;
        exp_m1() = expm1;
        ln_1p() = log1p;
        sinh() = sinh;
        cosh() = cosh;
        tanh() = tanh;
        asinh() = asinh;
        acosh() = acosh;
        atanh() = atanh;
        copysign(y) = copysign;
    }
}
