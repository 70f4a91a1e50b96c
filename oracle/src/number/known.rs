//! The functions of numbers that the oracle knows: what their exact value is, and what it is known to do.

use super::kernel::{self, Kernel};
use crate::functions::{self, Definition, Mpfr};
use rug::Float;
use rug::float::{Round, Special};
use rug::ops::AssignRound;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use vernier::function::Math;

/// What a function does on positive numbers, from zero on; on negative ones its parity says it, and without one it does the
/// same on the whole line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// It never falls.
    Up,
    /// It never rises.
    Down,
    /// Both.
    None,
}

/// What becomes of the value where the argument changes its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// It stays.
    Even,
    /// It changes its sign too.
    Odd,
    /// Something else.
    None,
}

/// One result of a function.
#[derive(Clone, Copy)]
pub struct Value {
    /// The exact value.
    pub mpfr: Mpfr,
    /// The same by this project's own functions.
    pub(crate) kernel: Option<Kernel>,
    /// Whether it is an integer, in place of a number of the arguments' format.
    pub integer: bool,
    /// Whether the sign of a zero is defined.
    pub signed_zero: bool,
}

/// Where a second result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// There is none.
    None,
    /// Both come through pointers.
    Pointers,
    /// An integer, through a pointer.
    Integer,
    /// A number, through a pointer.
    Number,
}

macro_rules! known {
    ($($name:ident $text:ident $arity:literal $trend:ident $parity:ident $($mpfr:expr)?;)*) => {
        /// A function of one to three numbers, by its name in C.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Function {
            $(
                #[doc = concat!("`", stringify!($text), "`")]
                $name,
            )*
        }

        impl Function {
            /// Every function.
            pub const ALL: &'static [Function] = &[$(Function::$name),*];

            /// Its name in C, of doubles.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Function::$name => stringify!($text),)*
                }
            }

            /// Number of arguments.
            pub const fn arity(self) -> usize {
                match self {
                    $(Function::$name => $arity,)*
                }
            }

            /// Whether it rises or falls.
            pub const fn trend(self) -> Trend {
                match self {
                    $(Function::$name => Trend::$trend,)*
                }
            }

            /// What becomes of its value where the argument changes its sign.
            pub const fn parity(self) -> Parity {
                match self {
                    $(Function::$name => Parity::$parity,)*
                }
            }

            /// After how many binades its errors come again, but for a power of two.
            pub const fn period(self) -> Option<i32> {
                match self {
                    Function::Cbrt | Function::Rcbrt => Some(3),
                    Function::Sqrt | Function::Rsqrt => Some(2),
                    _ => None,
                }
            }

            /// What is given here; otherwise the function's row has it.
            fn given(self) -> Option<Mpfr> {
                match self {
                    $(Function::$name => first!($($mpfr)?),)*
                }
            }
        }
    };
}

macro_rules! first {
    () => {
        None
    };
    ($mpfr:expr) => {
        Some($mpfr)
    };
}

known! {
    Acos acos 1 Down None;
    Acosh acosh 1 Up None;
    Acospi acospi 1 Down None |z, x, r| z.assign_round(x[0].acos_pi_ref(), r);
    Asin asin 1 Up Odd;
    Asinh asinh 1 Up Odd;
    Asinpi asinpi 1 Up Odd |z, x, r| z.assign_round(x[0].asin_pi_ref(), r);
    Atan atan 1 Up Odd;
    Atanh atanh 1 Up Odd;
    Atanpi atanpi 1 Up Odd |z, x, r| z.assign_round(x[0].atan_pi_ref(), r);
    Atan2 atan2 2 None None;
    Cbrt cbrt 1 Up Odd;
    Ceil ceil 1 Up None |z, x, r| z.assign_round(x[0].ceil_ref(), r);
    Cos cos 1 None Even;
    Cosh cosh 1 Up Even;
    Cospi cospi 1 None Even;
    Erf erf 1 Up Odd;
    Erfc erfc 1 Down None;
    Exp exp 1 Up None;
    Exp10 exp10 1 Up None;
    Exp2 exp2 1 Up None;
    Expm1 expm1 1 Up None;
    Fabs fabs 1 Up Even |z, x, r| z.assign_round(x[0].abs_ref(), r);
    Fdim fdim 2 None None;
    Floor floor 1 Up None |z, x, r| z.assign_round(x[0].floor_ref(), r);
    Fma fma 3 None None |z, x, r| z.assign_round(x[0].mul_add_ref(&x[1], &x[2]), r);
    Fmax fmax 2 None None |z, x, r| z.assign_round(x[0].max_ref(&x[1]), r);
    Fmin fmin 2 None None |z, x, r| z.assign_round(x[0].min_ref(&x[1]), r);
    Fmod fmod 2 None None |z, x, r| z.assign_round(&x[0] % &x[1], r);
    Frexp frexp 1 None None fraction;
    Hypot hypot 2 None None;
    J0 j0 1 None Even |z, x, r| z.assign_round(x[0].j0_ref(), r);
    J1 j1 1 None Odd |z, x, r| z.assign_round(x[0].j1_ref(), r);
    Lgamma lgamma 1 None None;
    Log log 1 Up None;
    Log10 log10 1 Up None;
    Log1p log1p 1 Up None;
    Log2 log2 1 Up None;
    Logb logb 1 Up Even logb;
    Modf modf 1 None None fractional;
    Nearbyint nearbyint 1 Up Odd |z, x, r| z.assign_round(x[0].round_even_ref(), r);
    Norm3d norm3d 3 None None;
    Pow pow 2 None None;
    Rcbrt rcbrt 1 Down Odd;
    Remainder remainder 2 None None |z, x, r| z.assign_round(x[0].remainder_ref(&x[1]), r);
    Rhypot rhypot 2 None None;
    Rint rint 1 Up Odd |z, x, r| z.assign_round(x[0].round_even_ref(), r);
    Rnorm3d rnorm3d 3 None None;
    Round round 1 Up Odd |z, x, r| z.assign_round(x[0].round_ref(), r);
    Roundeven roundeven 1 Up Odd |z, x, r| z.assign_round(x[0].round_even_ref(), r);
    Rsqrt rsqrt 1 Down None rsqrt;
    Sin sin 1 None Odd;
    Sincos sincos 1 None None;
    Sincospi sincospi 1 None None;
    Sinh sinh 1 Up Odd;
    Sinpi sinpi 1 None Odd;
    Sqrt sqrt 1 Up None |z, x, r| z.assign_round(x[0].sqrt_ref(), r);
    Tan tan 1 None Odd;
    Tanh tanh 1 Up Odd;
    Tanpi tanpi 1 None Odd;
    Tgamma tgamma 1 None None;
    Trunc trunc 1 Up Odd |z, x, r| z.assign_round(x[0].trunc_ref(), r);
    Y0 y0 1 None None |z, x, r| z.assign_round(x[0].y0_ref(), r);
    Y1 y1 1 None None |z, x, r| z.assign_round(x[0].y1_ref(), r);
}

/// IEEE 754-2019 has -infinity at -0, MPFR +infinity.
fn rsqrt(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    if x[0].is_zero() && x[0].is_sign_negative() {
        return z.assign_round(Special::NegInfinity, round);
    }
    z.assign_round(x[0].recip_sqrt_ref(), round)
}

/// The exponent of a number; -infinity for 0.
fn logb(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    match x[0].get_exp() {
        Some(e) => z.assign_round(e - 1, round),
        None if x[0].is_zero() => z.assign_round(Special::NegInfinity, round),
        None => z.assign_round(x[0].abs_ref(), round),
    }
}

/// The part of [`Function::Frexp`] in [1/2, 1).
fn fraction(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    let scaled = match x[0].get_exp() {
        Some(e) => Float::with_val(x[0].prec(), &x[0] >> e),
        None => x[0].clone(),
    };
    z.assign_round(&scaled, round)
}

/// Its exponent. What it is of a number that is not finite nothing says: 0, as most have it.
fn binary_exponent(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    z.assign_round(x[0].get_exp().unwrap_or(0), round)
}

/// The fraction of [`Function::Modf`]; a zero with the argument's sign for an integer or infinity.
fn fractional(z: &mut Float, x: &[Float], round: Round) -> Ordering {
    if x[0].is_infinite() {
        let zero = if x[0].is_sign_negative() { Special::NegZero } else { Special::Zero };
        return z.assign_round(zero, round);
    }
    z.assign_round(x[0].fract_ref(), round)
}

impl Function {
    /// The function of a name in C, of doubles.
    pub fn of(name: &str) -> Option<Function> {
        Function::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// The function of pairs with this name.
    fn math(self) -> Option<Math> {
        Math::ALL.iter().copied().find(|f| f.name() == self.name())
    }

    /// Its value, and its second one if it has two.
    pub fn values(self) -> Vec<Value> {
        let of_row = || match functions::row(self.math()?).definition {
            Definition::Number { mpfr, .. } => Some(mpfr),
            _ => None,
        };
        // A test asks every function.
        let undefined: Mpfr = |z, _, round| z.assign_round(Special::Nan, round);
        let mpfr = self.given().or_else(of_row).unwrap_or(undefined);
        // Nothing says it of Bessel functions at infinity.
        let free = [Function::Fmax, Function::Fmin, Function::J0, Function::J1, Function::Y0, Function::Y1];
        let signed_zero = !free.contains(&self);
        let plain = |mpfr, kernel| Value { mpfr, kernel, integer: false, signed_zero };
        let first = plain(mpfr, kernel::of(self.name()));
        let second = |mpfr, name| vec![first, plain(mpfr, kernel::of(name))];
        match self {
            Function::Sincos => [Function::Sin, Function::Cos].into_iter().flat_map(Function::values).collect(),
            Function::Sincospi => [Function::Sinpi, Function::Cospi].into_iter().flat_map(Function::values).collect(),
            Function::Modf => second(|z, x, r| z.assign_round(x[0].trunc_ref(), r), "trunc"),
            Function::Frexp => vec![first, Value { integer: true, ..plain(binary_exponent, None) }],
            _ => vec![first],
        }
    }

    /// Where its second result comes from.
    pub const fn second(self) -> Second {
        match self {
            Function::Sincos | Function::Sincospi => Second::Pointers,
            Function::Modf => Second::Number,
            Function::Frexp => Second::Integer,
            _ => Second::None,
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Function {
    type Err = String;

    fn from_str(name: &str) -> Result<Function, String> {
        let names = || Function::ALL.iter().map(|f| f.name()).collect::<Vec<_>>().join(", ");
        Function::of(name).ok_or_else(|| format!("expected one of {}, found `{name}`", names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_a_value() {
        for &f in Function::ALL {
            assert!(f.given().is_some() || f.math().is_some(), "{f}");
            for value in f.values() {
                // 3/4 is in the domain of every function but acosh's.
                let x = if f == Function::Acosh { 1.75 } else { 0.75 };
                let x = [x, 0.5, 0.25].map(|x| Float::with_val(53, x));
                let mut z = Float::new(100);
                (value.mpfr)(&mut z, &x[..f.arity()], Round::Zero);
                assert!(z.is_finite(), "{f}");
            }
            assert_eq!(f.name().parse(), Ok(f));
        }
    }
}
