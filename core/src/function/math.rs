//! The list of mathematical functions of pairs. A function is a line here, a kernel of the same name in [`crate::math`]
//! and a row of the oracle's; everything else that has the function follows from these.

use super::{Int, Kind, Slot};
use core::fmt;

/// Hands the list to a macro: for each function its documentation, its name, its arguments and its result.
///
/// Arguments and results are `pair`, `i32`, `i64` or `bool`, results also `pair_i32` and `pair_pair`, two values. The
/// first argument is a pair, or an `i32` before a pair, or the only one is a `word`, an unsigned integer as wide as a limb. Levels
/// share a function.
#[macro_export]
macro_rules! for_each_math_function {
    ($to:ident $($with:tt)*) => {
        $to! { $($with)*
            /// The largest integer that is not above the value.
            floor(x: pair) -> pair;
            /// The smallest integer that is not below the value.
            ceil(x: pair) -> pair;
            /// The integer part: rounded toward zero.
            trunc(x: pair) -> pair;
            /// The nearest integer, halves away from zero.
            round(x: pair) -> pair;
            /// The nearest integer, halves to the even one.
            rint(x: pair) -> pair;
            /// As `rint`.
            nearbyint(x: pair) -> pair;
            /// As `rint`, into an integer of 64 bits: saturated, NaN to 0.
            lrint(x: pair) -> i64;
            /// As `lrint`.
            llrint(x: pair) -> i64;
            /// As `round`, into an integer of 64 bits: saturated, NaN to 0.
            lround(x: pair) -> i64;
            /// As `lround`.
            llround(x: pair) -> i64;
            /// Fraction and integer part, both with the value's sign.
            modf(x: pair) -> pair_pair;
            /// The magnitude.
            fabs(x: pair) -> pair;
            /// The magnitude of x with the sign of y.
            copysign(x: pair, y: pair) -> pair;
            /// The smaller number; the other one where one is NaN.
            fmin(x: pair, y: pair) -> pair;
            /// The larger number; the other one where one is NaN.
            fmax(x: pair, y: pair) -> pair;
            /// y where y < x, otherwise x.
            min(x: pair, y: pair) -> pair;
            /// y where x < y, otherwise x.
            max(x: pair, y: pair) -> pair;
            /// x - y where x > y, with the bits of the high difference; +0 elsewhere.
            fdim(x: pair, y: pair) -> pair;
            /// x 2^n, rounded once.
            ldexp(x: pair, n: i32) -> pair;
            /// As `ldexp`.
            scalbn(x: pair, n: i32) -> pair;
            /// As `ldexp`.
            scalbln(x: pair, n: i64) -> pair;
            /// A number of magnitude in [1/2, 1) and the power of two that it is to be multiplied by.
            frexp(x: pair) -> pair_i32;
            /// The exponent of the value; the least integer for 0 and NaN, the largest for infinities.
            ilogb(x: pair) -> i32;
            /// The exponent of the value; -inf for 0.
            logb(x: pair) -> pair;
            /// The next multiple of the unit of x's last digit beyond x, toward y.
            nextafter(x: pair, y: pair) -> pair;
            /// Whether the value is NaN.
            isnan(x: pair) -> bool;
            /// Whether the value is an infinity.
            isinf(x: pair) -> bool;
            /// Whether the value is finite.
            isfinite(x: pair) -> bool;
            /// Whether the value's sign is minus.
            signbit(x: pair) -> bool;
            /// e^x.
            exp(x: pair) -> pair;
            /// 2^x.
            exp2(x: pair) -> pair;
            /// 10^x.
            exp10(x: pair) -> pair;
            /// e^x - 1.
            expm1(x: pair) -> pair;
            /// log x.
            log(x: pair) -> pair;
            /// log2 x.
            log2(x: pair) -> pair;
            /// log10 x.
            log10(x: pair) -> pair;
            /// log(1 + x).
            log1p(x: pair) -> pair;
            /// x^y.
            pow(x: pair, y: pair) -> pair;
            /// The cube root.
            cbrt(x: pair) -> pair;
            /// 1 over the cube root.
            rcbrt(x: pair) -> pair;
            /// sqrt(x^2 + y^2), without overflow or underflow on the way.
            hypot(x: pair, y: pair) -> pair;
            /// 1 / sqrt(x^2 + y^2), without overflow or underflow on the way.
            rhypot(x: pair, y: pair) -> pair;
            /// sqrt(x^2 + y^2 + z^2), without overflow or underflow on the way.
            norm3d(x: pair, y: pair, z: pair) -> pair;
            /// sqrt(x^2 + y^2 + z^2 + w^2), without overflow or underflow on the way.
            norm4d(x: pair, y: pair, z: pair, w: pair) -> pair;
            /// 1 / sqrt(x^2 + y^2 + z^2), without overflow or underflow on the way.
            rnorm3d(x: pair, y: pair, z: pair) -> pair;
            /// 1 / sqrt(x^2 + y^2 + z^2 + w^2), without overflow or underflow on the way.
            rnorm4d(x: pair, y: pair, z: pair, w: pair) -> pair;
            /// sin x.
            sin(x: pair) -> pair;
            /// cos x.
            cos(x: pair) -> pair;
            /// sin x and cos x.
            sincos(x: pair) -> pair_pair;
            /// tan x.
            tan(x: pair) -> pair;
            /// sin(pi x).
            sinpi(x: pair) -> pair;
            /// cos(pi x).
            cospi(x: pair) -> pair;
            /// sin(pi x) and cos(pi x).
            sincospi(x: pair) -> pair_pair;
            /// tan(pi x).
            tanpi(x: pair) -> pair;
            /// The arctangent.
            atan(x: pair) -> pair;
            /// The angle of the point (y, x), whose first argument is the ordinate.
            atan2(x: pair, y: pair) -> pair;
            /// The angle whose sine is x.
            asin(x: pair) -> pair;
            /// The angle whose cosine is x.
            acos(x: pair) -> pair;
            /// The hyperbolic sine.
            sinh(x: pair) -> pair;
            /// The hyperbolic cosine.
            cosh(x: pair) -> pair;
            /// The hyperbolic tangent.
            tanh(x: pair) -> pair;
            /// The number whose hyperbolic sine is x.
            asinh(x: pair) -> pair;
            /// The number from 0 on whose hyperbolic cosine is x.
            acosh(x: pair) -> pair;
            /// The number whose hyperbolic tangent is x.
            atanh(x: pair) -> pair;
            /// x - n y for n = trunc(x / y).
            fmod(x: pair, y: pair) -> pair;
            /// x - n y for the integer n nearest to x / y, ties to even.
            remainder(x: pair, y: pair) -> pair;
            /// The remainder, and the last three bits of |n| with the sign of x / y.
            remquo(x: pair, y: pair) -> pair_i32;
            /// The integral of 2 / sqrt(pi) e^(-t^2) from 0 to x.
            erf(x: pair) -> pair;
            /// 1 - erf x.
            erfc(x: pair) -> pair;
            /// e^(x^2) erfc x.
            erfcx(x: pair) -> pair;
            /// The probability of a normal variable below x.
            normcdf(x: pair) -> pair;
            /// The number whose erf is x.
            erfinv(x: pair) -> pair;
            /// The number whose erfc is x.
            erfcinv(x: pair) -> pair;
            /// The number below which a normal variable is with probability x.
            normcdfinv(x: pair) -> pair;
            /// `normcdfinv` of (k + 1/2) / 2^w for an integer k of w bits, those of a limb.
            icdf(k: word) -> pair;
            /// Boys' function of order 0, the integral of e^(-x t^2) from 0 to 1.
            boys_f0(x: pair) -> pair;
            /// The gamma function.
            tgamma(x: pair) -> pair;
            /// log |gamma(x)|.
            lgamma(x: pair) -> pair;
            /// The Bessel function of the first kind of order 0.
            j0(x: pair) -> pair;
            /// The Bessel function of the first kind of order 1.
            j1(x: pair) -> pair;
            /// The Bessel function of the second kind of order 0.
            y0(x: pair) -> pair;
            /// The Bessel function of the second kind of order 1.
            y1(x: pair) -> pair;
            /// The Bessel function of the first kind of order n, for n from -64 to 64.
            jn(n: i32, x: pair) -> pair;
            /// The Bessel function of the second kind of order n, for n from -64 to 64.
            yn(n: i32, x: pair) -> pair;
            /// The modified Bessel function of the first kind of order 0.
            cyl_bessel_i0(x: pair) -> pair;
            /// The modified Bessel function of the first kind of order 1.
            cyl_bessel_i1(x: pair) -> pair;
        }
    };
}

macro_rules! slot {
    (pair) => {
        Slot::Own
    };
    (bool) => {
        Slot::Bool
    };
    (word) => {
        Slot::Unsigned
    };
    (i32) => {
        Slot::Is(Kind::Int(Int { bits: 32, signed: true }))
    };
    (i64) => {
        Slot::Is(Kind::Int(Int { bits: 64, signed: true }))
    };
    (pair_i32) => {
        Slot::OwnAndInt
    };
    (pair_pair) => {
        Slot::TwoOwn
    };
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $kind:ident),*) -> $result:ident;)*) => {
        /// A mathematical function of pairs.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Math {
            $($(#[$doc])* $name,)*
        }

        impl Math {
            /// Every function.
            pub const ALL: &'static [Math] = &[$(Math::$name),*];

            /// Its name in C.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Math::$name => stringify!($name),)*
                }
            }

            /// Its arguments.
            pub const fn args(self) -> &'static [Slot] {
                match self {
                    $(Math::$name => &[$(slot!($kind)),*],)*
                }
            }

            /// Its result.
            pub const fn result(self) -> Slot {
                match self {
                    $(Math::$name => slot!($result),)*
                }
            }
        }
    };
}

for_each_math_function!(names);

impl fmt::Display for Math {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
