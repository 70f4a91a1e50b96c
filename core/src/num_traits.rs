//! Traits of crate `num-traits` for pairs.
//!
//! `FloatCore` is left out: it names what [`Float`](num_traits::Float) has.

mod float;

use crate::convert::{RoundFrom, TruncateFrom, exponent};
use crate::double_word::{DoubleWord, HostLimb};
use crate::machine::{Limb, exp2};
use crate::pair::Level;
use crate::text::ParseError;
use core::fmt;
use num_traits::{Bounded, FloatConst, FromPrimitive, Inv, MulAdd, MulAddAssign, Num, One, Signed, ToPrimitive, Zero};

impl<F: HostLimb, A: Level> Zero for DoubleWord<F, A> {
    fn zero() -> Self {
        Self::from_limb(F::ZERO)
    }
    /// Whether the value is zero, of either sign, or limbs that cancel.
    fn is_zero(&self) -> bool {
        !self.to_bool()
    }
}

impl<F: HostLimb, A: Level> One for DoubleWord<F, A> {
    fn one() -> Self {
        Self::from_limb(F::ONE)
    }
}

impl<F: HostLimb, A: Level> Bounded for DoubleWord<F, A> {
    fn min_value() -> Self {
        Self::MIN
    }
    fn max_value() -> Self {
        Self::MAX
    }
}

/// Why [`Num::from_str_radix`] gave no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FromStrRadixError {
    /// Only radix 10 can be read.
    Radix(u32),
    /// The text is no decimal number.
    Parse(ParseError),
}

impl fmt::Display for FromStrRadixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Radix(radix) => write!(f, "expected radix 10, not {radix}"),
            Self::Parse(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FromStrRadixError {}

impl<F: HostLimb, A: Level> Num for DoubleWord<F, A> {
    type FromStrRadixErr = FromStrRadixError;

    /// Correctly rounded, as `FromStr`, in radix 10; an error in any other.
    fn from_str_radix(text: &str, radix: u32) -> Result<Self, FromStrRadixError> {
        if radix != 10 {
            return Err(FromStrRadixError::Radix(radix));
        }
        text.parse().map_err(FromStrRadixError::Parse)
    }
}

/// The sign of the value: true for -0 too.
fn is_negative<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> bool {
    x.to_f32().is_sign_negative()
}

impl<F: HostLimb, A: Level> Signed for DoubleWord<F, A> {
    fn abs(&self) -> Self {
        DoubleWord::abs(*self)
    }
    /// x - y where it is positive, +0 elsewhere.
    fn abs_sub(&self, y: &Self) -> Self {
        if self <= y { Self::zero() } else { *self - *y }
    }
    /// 1 or -1 with the sign of the value, that of a zero included; NaN for NaN.
    fn signum(&self) -> Self {
        match self.is_nan() {
            true => Self::NAN,
            false if is_negative(*self) => -Self::one(),
            false => Self::one(),
        }
    }
    /// True for +0; false for NaN.
    fn is_positive(&self) -> bool {
        !self.is_nan() && !is_negative(*self)
    }
    /// True for -0; false for NaN.
    fn is_negative(&self) -> bool {
        !self.is_nan() && is_negative(*self)
    }
}

impl<F: HostLimb, A: Level> Inv for DoubleWord<F, A> {
    type Output = Self;
    fn inv(self) -> Self {
        Self::one() / self
    }
}

/// The fused x y + z of the level.
impl<F: HostLimb, A: Level> MulAdd for DoubleWord<F, A> {
    type Output = Self;
    fn mul_add(self, y: Self, z: Self) -> Self {
        self.fma(y, z)
    }
}

impl<F: HostLimb, A: Level> MulAddAssign for DoubleWord<F, A> {
    fn mul_add_assign(&mut self, y: Self, z: Self) {
        *self = self.fma(y, z);
    }
}

/// Methods of `ToPrimitive` for integers of at most 64 bits, by way of one of 128.
macro_rules! to_integers {
    () => {
        to_integers! {
            to_i8: i8;
            to_i16: i16;
            to_i32: i32;
            to_i64: i64;
            to_isize: isize;
            to_u8: u8;
            to_u16: u16;
            to_u32: u32;
            to_u64: u64;
            to_usize: usize;
        }
    };
    ($($name:ident: $t:ty;)*) => {$(
        fn $name(&self) -> Option<$t> {
            self.to_i128()?.try_into().ok()
        }
    )*};
}

pub(crate) use to_integers;

/// Integers truncated, `None` where that is out of range; floats correctly rounded.
impl<F: HostLimb, A: Level> ToPrimitive for DoubleWord<F, A> {
    to_integers!();
    fn to_i128(&self) -> Option<i128> {
        let n = i128::truncate_from(*self);
        let below = Self::from_parts(F::lit(-exp2(127)), F::lit(-1.0));
        (exponent(*self)? < 127 || n == i128::MIN && below < *self).then_some(n)
    }
    fn to_u128(&self) -> Option<u128> {
        let below = -Self::one();
        (exponent(*self)? < 128 && below < *self).then(|| u128::truncate_from(*self))
    }
    fn to_f32(&self) -> Option<f32> {
        Some(DoubleWord::to_f32(*self))
    }
    fn to_f64(&self) -> Option<f64> {
        Some(DoubleWord::to_f64(*self))
    }
}

macro_rules! from_primitives {
    ($($name:ident: $t:ty;)*) => {$(
        fn $name(x: $t) -> Option<Self> {
            Some(Self::round_from(x))
        }
    )*};
}

/// Always `Some`: correctly rounded.
impl<F: HostLimb, A: Level> FromPrimitive for DoubleWord<F, A> {
    from_primitives! {
        from_i8: i8;
        from_i16: i16;
        from_i32: i32;
        from_i64: i64;
        from_i128: i128;
        from_u8: u8;
        from_u16: u16;
        from_u32: u32;
        from_u64: u64;
        from_u128: u128;
        from_f32: f32;
        from_f64: f64;
    }
    fn from_isize(x: isize) -> Option<Self> {
        Self::from_i64(x as i64)
    }
    fn from_usize(x: usize) -> Option<Self> {
        Self::from_u64(x as u64)
    }
}

/// Exact for `f32`, `f64` and integers of 64 bits into `fp64mp2`, otherwise rounded. The interface passes nothing wider than an
/// integer of 128 bits or an `f64`: a pair with a fraction loses what a double does not hold; between pairs use
/// [`RoundFrom`] and [`DoubleWord::to_level`].
impl<F: HostLimb, A: Level> num_traits::NumCast for DoubleWord<F, A> {
    fn from<T: ToPrimitive>(x: T) -> Option<Self> {
        cast(x)
    }
}

/// By the widest number that the interface passes: an integer of 128 bits, or an `f64`.
pub(crate) fn cast<T: ToPrimitive, R: FromPrimitive>(x: T) -> Option<R> {
    let double = x.to_f64();
    // Below 2^53 a double holds every integer, and maybe a fraction.
    if double.is_none_or(|d| d.is_finite() && !(-exp2(53) < d && d < exp2(53))) {
        if let Some(n) = x.to_i128() {
            return R::from_i128(n);
        }
        if let Some(n) = x.to_u128() {
            return R::from_u128(n);
        }
    }
    R::from_f64(double?)
}

macro_rules! constants {
    ($($name:ident = $digits:literal;)*) => {$(
        fn $name() -> Self {
            let x = Self::round_from($digits as u128);
            let scale = <F as Limb>::lit(exp2(-125));
            Self::from_parts(x.hi() * scale, x.lo() * scale)
        }
    )*};
}

/// The constants of crate num-traits in units of 2^-125, given to a macro.
macro_rules! float_constants {
    ($macro:ident) => {
        $macro! {
            E = 0x56fc2a2c_515da54d_57ee2b10_139e9e79;
            FRAC_1_PI = 0x0a2f9836_e4e44152_9fc2757d_1f534ddc;
            FRAC_1_SQRT_2 = 0x16a09e66_7f3bcc90_8b2fb136_6ea957d4;
            FRAC_2_PI = 0x145f306d_c9c882a5_3f84eafa_3ea69bb8;
            FRAC_2_SQRT_PI = 0x241baea0_8536da23_5c75229f_daffb0d1;
            FRAC_PI_2 = 0x3243f6a8_885a308d_313198a2_e0370734;
            FRAC_PI_3 = 0x2182a470_5ae6cb08_cb7665c1_eacf5a23;
            FRAC_PI_4 = 0x1921fb54_442d1846_9898cc51_701b839a;
            FRAC_PI_6 = 0x10c15238_2d736584_65bb32e0_f567ad11;
            FRAC_PI_8 = 0x0c90fdaa_22168c23_4c4c6628_b80dc1cd;
            LN_10 = 0x49aec6ee_d554560b_752b6b15_c1698514;
            LN_2 = 0x162e42fe_fa39ef35_793c7673_007e5ed6;
            LOG10_E = 0x0de5bd8a_93728719_5355baaa_fad33dc3;
            LOG2_E = 0x2e2a8eca_5705fc2e_efa1ffb4_1a474fa2;
            PI = 0x6487ed51_10b4611a_62633145_c06e0e69;
            SQRT_2 = 0x2d413ccc_fe779921_165f626c_dd52afa8;
            TAU = 0xc90fdaa2_2168c234_c4c6628b_80dc1cd1;
            LOG10_2 = 0x09a209a8_4fbcff79_88f8959a_c0b7c918;
            LOG2_10 = 0x6a4d3c25_e68dc57f_2495fb7f_a6d7eda6;
        }
    };
}
pub(crate) use float_constants;

/// Correctly rounded: hi = RN(c), lo = RN(c - hi).
impl<F: HostLimb, A: Level> FloatConst for DoubleWord<F, A> {
    float_constants!(constants);
}
