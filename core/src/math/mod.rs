//! Mathematical functions of pairs: rounding to integers, parts of a number, comparison, scaling, which are exact;
//! remainders, exact too; exponentials, logarithms, powers, roots, norms, functions of angles, hyperbolic ones, and their inverses, error
//! functions and theirs, whose error is bounded.
//!
//! A *pair* is two limbs in any order, overlap and distance. Its *value* v is hi where hi is not finite, otherwise lo
//! where lo is not finite, otherwise hi + lo exactly; functions see the value and nothing else. A zero value has the
//! sign of hi where both limbs are zero, and is +0 where limbs cancel. NaN is one class, without sign or payload.
//!
//! A result that is a pair is *canonical*: hi = RN(r) for the exact result r, lo = r - hi, which is a limb; RN(r - hi)
//! in [`ldexp`] and [`frexp`], where it can underflow. RN rounds to nearest, ties to even, and overflows to infinity.
//! A zero lo is +0, and lo is +0 beside a hi that is zero, infinite or NaN. Where a function states an error, r is a number
//! that near to its result; an ulp is that of 2 p - 2 digits, and of the smallest subnormal number at least.
//!
//! Of functions that are not exact r is a number near the exact result. Errors are measured in ulp of 2 p - 2 digits, at least the
//! smallest step: u^2 relative to the result is 1/8 to 1/4 ulp. Measured ones are the largest known, of searches and of a million
//! samples of every kind of operands a width. hi is rounded once where it is subnormal. A zero lo may be -0 there.
//!
//! Functions are those of C23, 7.12, and named as there. They are straight lines with a single test, which holds for
//! what is seldom met: limbs that are not canonical, special values, the ends of the range, and large integers.

mod area;
mod atan;
mod bessel;
mod bessel_i;
mod bessel_order;
mod boys;
mod classify;
mod compare;
mod difference;
mod erf;
mod erf_inverse;
mod exp;
mod exponent;
mod fmod;
mod gamma;
mod hyper;
pub mod kernel;
mod log;
mod next;
mod norm;
mod pow;
mod reduce;
mod root;
mod round;
mod scale;
mod sign;
pub mod tables;
mod trig;
mod trig_pi;
mod wide;

pub use area::{acosh, asinh, atanh};
pub use atan::{acos, asin, atan, atan2};
pub use bessel::{j0, j1, y0, y1};
pub use bessel_i::{cyl_bessel_i0, cyl_bessel_i1};
pub use bessel_order::{LARGE_ORDERS, ORDERS, bessel_j, bessel_y, jn, yn};
pub use boys::boys_f0;
pub use classify::{isfinite, isinf, isnan, signbit};
pub use compare::{fmax, fmin, max, min};
pub use difference::fdim;
pub use erf::{erf, erfc, erfcx, normcdf};
pub use erf_inverse::{erfcinv, erfinv, icdf, normcdfinv};
pub use exp::{exp, exp2, exp10, expm1};
pub use exponent::{frexp, ilogb, logb};
pub use fmod::{fmod, remainder, remquo};
pub use gamma::{lgamma, tgamma};
pub use hyper::{cosh, sinh, tanh};
pub use log::{log, log1p, log2, log10};
pub use next::nextafter;
pub use norm::{hypot, norm3d, norm4d, rhypot, rnorm3d, rnorm4d};
pub use pow::pow;
pub use root::{cbrt, rcbrt};
pub use round::{ceil, floor, llrint, llround, lrint, lround, modf, nearbyint, rint, round, trunc};
pub use scale::{ldexp, scalbln, scalbn};
pub use sign::{copysign, fabs};
pub use trig::{cos, sin, sincos, tan};
pub use trig_pi::{cospi, sincospi, sinpi, tanpi};
