//! Reduced formats chosen at run time: a context holds sizes, options and the stream of random words.

use super::format::Format;
use super::layout::Layout;
use super::philox::Random;
use crate::host::Host;
use core::cell::Cell;
use core::cmp::Ordering;
use core::fmt;
use core::num::Wrapping;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A format and, for stochastic rounding, a seed and the number of the next operation.
///
/// Nothing is global: numbers borrow their context, and each thread has its own. Contexts of one seed and different
/// streams round independently.
///
/// ```
/// use vernier::custom::{Context, Format, Mode, Options};
/// let half = Context::new(Format::FP16);
/// assert_eq!((half.number(2048.0) + half.number(1.0)).to_f64(), 2048.0);
/// let options = Options { mode: Mode::Stochastic, ..Options::IEEE };
/// let rough = Context::seeded(Format::new(5, 10, options).unwrap(), 42);
/// let mut sum = rough.number(2048.0);
/// for _ in 0..1000 {
///     sum += 1.0;
/// }
/// assert!((sum.to_f64() - 3048.0).abs() < 150.0);
/// ```
#[derive(Clone, Debug)]
pub struct Context {
    format: Format,
    seed: u64,
    operation: Cell<u64>,
}

impl Context {
    /// The format, with seed 0.
    pub const fn new(format: Format) -> Context {
        Context::seeded(format, 0)
    }

    /// The format, with the seed of stochastic rounding.
    pub const fn seeded(format: Format, seed: u64) -> Context {
        Context { format, seed, operation: Cell::new(0) }
    }

    /// The same format and seed from operation 2^40 `stream` on.
    pub fn stream(&self, stream: u32) -> Context {
        Context { operation: Cell::new(u64::from(stream) << 40), ..self.clone() }
    }

    /// The format.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of the next operation: how many operations took place in this stream.
    pub fn operation(&self) -> u64 {
        self.operation.get()
    }

    /// `x`, held as it is: construction does not reduce.
    #[inline]
    pub const fn number(&self, x: f64) -> Number<'_> {
        Number { value: x, context: self }
    }

    /// `x` in the format.
    #[inline]
    pub fn reduced(&self, x: f64) -> Number<'_> {
        self.number(self.evaluate(|f, random| super::reduce(x, f, random)))
    }

    #[inline(always)]
    fn evaluate(&self, f: impl FnOnce(&Layout<Host>, &Random<Host>) -> f64) -> f64 {
        let operation = self.operation.get();
        self.operation.set(operation.wrapping_add(1));
        f(&Layout::known(self.format), &Random { seed: Wrapping(self.seed), operation: Wrapping(operation) })
    }
}

/// A number whose format is that of its context.
///
/// Comparisons are those of the doubles held. Operands of different formats do not mix.
#[derive(Clone, Copy)]
pub struct Number<'c> {
    value: f64,
    context: &'c Context,
}

impl<'c> Number<'c> {
    /// The double held.
    #[inline]
    pub const fn to_f64(self) -> f64 {
        self.value
    }

    /// Its context.
    pub const fn context(self) -> &'c Context {
        self.context
    }

    /// The square root.
    #[must_use]
    pub fn sqrt(self) -> Self {
        self.context.number(self.context.evaluate(|f, random| super::sqrt(self.value, f, random)))
    }

    /// self * y + z, the product unrounded.
    ///
    /// # Panics
    /// If the formats differ.
    #[must_use]
    pub fn fma(self, y: Self, z: Self) -> Self {
        self.same(y);
        self.same(z);
        let r = self.context.evaluate(|f, random| super::fma(self.value, y.value, z.value, f, random));
        self.context.number(r)
    }

    #[inline(always)]
    fn same(self, y: Self) {
        assert!(
            core::ptr::eq(self.context, y.context) || self.context.format == y.context.format,
            "formats do not mix: {} and {}",
            self.context.format,
            y.context.format
        );
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        /// # Panics
        /// If the formats differ.
        impl $op for Number<'_> {
            type Output = Self;
            #[inline]
            fn $method(self, y: Self) -> Self {
                self.same(y);
                self.context.number(self.context.evaluate(|f, random| super::$method(self.value, y.value, f, random)))
            }
        }

        impl $op<f64> for Number<'_> {
            type Output = Self;
            #[inline]
            fn $method(self, y: f64) -> Self {
                $op::$method(self, self.context.number(y))
            }
        }

        impl<'c> $op<Number<'c>> for f64 {
            type Output = Number<'c>;
            #[inline]
            fn $method(self, y: Number<'c>) -> Number<'c> {
                $op::$method(y.context.number(self), y)
            }
        }

        impl<T> $assign<T> for Number<'_>
        where
            Self: $op<T, Output = Self>,
        {
            #[inline]
            fn $assign_method(&mut self, y: T) {
                *self = $op::$method(*self, y);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

/// The sign flipped; nothing is reduced.
impl Neg for Number<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.context.number(-self.value)
    }
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl From<Number<'_>> for f64 {
    fn from(x: Number<'_>) -> f64 {
        x.value
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:?})", self.context.format, self.value)
    }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, f)
    }
}
