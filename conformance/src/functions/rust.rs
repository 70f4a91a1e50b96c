//! Functions of Rust's standard library and of crate `libm`.

use super::Candidate;
use vernier_foreign::Number;
use vernier_oracle::Function;

macro_rules! list {
    ($name:ident: $($function:ident $double:expr, $single:expr;)*) => {
        /// The function of a type, if there is one.
        pub(super) fn $name(function: Function, number: Number) -> Option<Candidate> {
            match (function, number) {
                $(
                    (Function::$function, Number::F64) => Some(Candidate::Double($double)),
                    (Function::$function, Number::F32) => Some(Candidate::Single($single)),
                )*
                _ => None,
            }
        }
    };
}

macro_rules! standard {
    ($($function:ident $method:ident $($other:literal)?;)*) => {
        list! { standard: $($function standard!(call $method $($other)?), standard!(call $method $($other)?);)*
            Fmod |x| x[0] % x[1], |x| x[0] % x[1];
            Fma |x| x[0].mul_add(x[1], x[2]), |x| x[0].mul_add(x[1], x[2]);
            Rsqrt |x| 1.0 / x[0].sqrt(), |x| 1.0 / x[0].sqrt();
        }
    };
    (call $method:ident) => { |x| x[0].$method() };
    (call $method:ident $other:literal) => { |x| x[0].$method(x[$other]) };
}

standard! {
    Acos acos;
    Acosh acosh;
    Asin asin;
    Asinh asinh;
    Atan atan;
    Atanh atanh;
    Atan2 atan2 1;
    Cbrt cbrt;
    Ceil ceil;
    Cos cos;
    Cosh cosh;
    Exp exp;
    Exp2 exp2;
    Expm1 exp_m1;
    Fabs abs;
    Floor floor;
    Fmax max 1;
    Fmin min 1;
    Hypot hypot 1;
    Log ln;
    Log10 log10;
    Log1p ln_1p;
    Log2 log2;
    Pow powf 1;
    Round round;
    Roundeven round_ties_even;
    Sin sin;
    Sinh sinh;
    Sqrt sqrt;
    Tan tan;
    Tanh tanh;
    Trunc trunc;
}

macro_rules! of_crate {
    ($($function:ident $double:ident $single:ident $arity:tt;)*) => {
        list! { crate_libm: $($function of_crate!($arity $double), of_crate!($arity $single);)* }
    };
    (1 $f:ident) => { |x| libm::$f(x[0]) };
    (2 $f:ident) => { |x| libm::$f(x[0], x[1]) };
    (3 $f:ident) => { |x| libm::$f(x[0], x[1], x[2]) };
}

of_crate! {
    Acos acos acosf 1;
    Acosh acosh acoshf 1;
    Asin asin asinf 1;
    Asinh asinh asinhf 1;
    Atan atan atanf 1;
    Atanh atanh atanhf 1;
    Atan2 atan2 atan2f 2;
    Cbrt cbrt cbrtf 1;
    Ceil ceil ceilf 1;
    Cos cos cosf 1;
    Cosh cosh coshf 1;
    Erf erf erff 1;
    Erfc erfc erfcf 1;
    Exp exp expf 1;
    Exp10 exp10 exp10f 1;
    Exp2 exp2 exp2f 1;
    Expm1 expm1 expm1f 1;
    Fabs fabs fabsf 1;
    Fdim fdim fdimf 2;
    Floor floor floorf 1;
    Fma fma fmaf 3;
    Fmax fmax fmaxf 2;
    Fmin fmin fminf 2;
    Fmod fmod fmodf 2;
    Hypot hypot hypotf 2;
    J0 j0 j0f 1;
    J1 j1 j1f 1;
    Lgamma lgamma lgammaf 1;
    Log log logf 1;
    Log10 log10 log10f 1;
    Log1p log1p log1pf 1;
    Log2 log2 log2f 1;
    Pow pow powf 2;
    Remainder remainder remainderf 2;
    Rint rint rintf 1;
    Round round roundf 1;
    Sin sin sinf 1;
    Sinh sinh sinhf 1;
    Sqrt sqrt sqrtf 1;
    Tan tan tanf 1;
    Tanh tanh tanhf 1;
    Tgamma tgamma tgammaf 1;
    Trunc trunc truncf 1;
    Y0 y0 y0f 1;
    Y1 y1 y1f 1;
}
