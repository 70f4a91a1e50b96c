//! Values of functions by this project's own arithmetic: pairs of binary32 and of binary64, of arguments that are single limbs.
//!
//! They are what the quick judge is quick by. Nothing that they say of this project's own functions counts: those are judged by
//! MPFR.

use crate::functions::{self, Definition};
use vernier::function::Math;
use vernier::{math, pair};

/// A function of columns of arguments: the pairs that it gives.
type Columns<L> = fn(&[&[L]; 3], &mut [(L, L)]);

/// The same function of both widths.
#[derive(Clone, Copy)]
pub struct Kernel {
    /// Pairs of binary32.
    pub single: Columns<f32>,
    /// Pairs of binary64.
    pub double: Columns<f64>,
    /// Largest error in ulp of 46 and 104 digits, far from overflow and underflow.
    pub ulp: f64,
    /// Whether some of that is relative to something larger than the value.
    pub scaled: bool,
}

macro_rules! columns {
    ($f:expr) => {
        columns!($f, 0)
    };
    ($f:expr, $($i:tt),*) => {
        |x, z| {
            for (i, z) in z.iter_mut().enumerate() {
                *z = $f($((x[$i][i], 0.0)),*);
            }
        }
    };
}

macro_rules! kernel {
    ($name:ident (pair) pair) => {
        Some((columns!(math::$name, 0), columns!(math::$name, 0)))
    };
    ($name:ident (pair pair) pair) => {
        Some((columns!(math::$name, 0, 1), columns!(math::$name, 0, 1)))
    };
    ($name:ident (pair pair pair) pair) => {
        Some((columns!(math::$name, 0, 1, 2), columns!(math::$name, 0, 1, 2)))
    };
    ($name:ident ($($kind:ident)*) $result:ident) => {
        None
    };
}

macro_rules! kernels {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $kind:ident),*) -> $result:ident;)*) => {
        fn columns_of(f: Math) -> Option<(Columns<f32>, Columns<f64>)> {
            match f {
                $(Math::$name => kernel!($name ($($kind)*) $result),)*
            }
        }
    };
}

vernier::for_each_math_function!(kernels);

fn root(single: Columns<f32>, double: Columns<f64>) -> Option<Kernel> {
    Some(Kernel { single, double, ulp: 1.0, scaled: false })
}

/// That of the function with this name, if the project has one.
pub fn of(name: &str) -> Option<Kernel> {
    // u^2 relative to the result is at most 1/4 ulp.
    match name {
        "sqrt" => return root(columns!(pair::sqrt), columns!(pair::sqrt)),
        "rsqrt" => return root(columns!(pair::rsqrt), columns!(pair::rsqrt)),
        // The next number of pairs is another than that of numbers.
        "nextafter" => return None,
        _ => {}
    }
    let f = Math::ALL.iter().copied().find(|f| f.name() == name)?;
    if functions::row(f).scale.is_some() {
        // Relative to the result there is no bound.
        return None;
    }
    let (single, double) = columns_of(f)?;
    let row = functions::row(f);
    let ulp = match row.definition {
        Definition::Number { ulp, .. } => ulp[0].max(ulp[1]),
        _ => 0.0,
    };
    Some(Kernel { single, double, ulp, scaled: row.scale.is_some() })
}
