//! Operators, comparisons and text of both host types, and operators with numbers of other types, which are converted first.
//!
//! Comparisons have the emulated number on the left: a second type that an integer can be compared with would leave
//! `n == x.into()` without a type in everybody's code.

/// Binary operators of `$type` with itself and with every number that converts, and their compound forms.
macro_rules! arithmetic {
    ($type:ident: $($op:ident $method:ident $assign:ident $assign_method:ident: |$x:ident, $y:ident| $e:expr;)*) => {$(
        impl<A: Level> $op for $type<A> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                let ($x, $y) = (self, y);
                $e
            }
        }

        impl<A: Level> $assign for $type<A> {
            #[inline(always)]
            fn $assign_method(&mut self, y: Self) {
                *self = $op::$method(*self, y);
            }
        }

        arithmetic!(@mixed $type $op $method $assign $assign_method: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);
    )*};
    (@mixed $type:ident $op:ident $method:ident $assign:ident $assign_method:ident: $($t:ty)*) => {$(
        impl<A: Level> $op<$t> for $type<A> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, y: $t) -> Self {
                $op::$method(self, Self::round_from(y))
            }
        }

        impl<A: Level> $op<$type<A>> for $t {
            type Output = $type<A>;
            #[inline(always)]
            fn $method(self, y: $type<A>) -> $type<A> {
                $op::$method($type::round_from(self), y)
            }
        }

        impl<A: Level> $assign<$t> for $type<A> {
            #[inline(always)]
            fn $assign_method(&mut self, y: $t) {
                *self = $op::$method(*self, y);
            }
        }
    )*};
}

/// Comparisons of `$type` by the functions of module `$by` on what its method `$words` gives.
macro_rules! comparisons {
    ($(#[$doc:meta])* $type:ident: $words:ident $by:ident) => {
        $(#[$doc])*
        impl<A: Level> PartialEq for $type<A> {
            #[inline(always)]
            fn eq(&self, y: &Self) -> bool {
                $by::eq::<Host>(self.$words(), y.$words())
            }
        }

        impl<A: Level> PartialOrd for $type<A> {
            #[inline]
            fn partial_cmp(&self, y: &Self) -> Option<Ordering> {
                if self < y {
                    Some(Ordering::Less)
                } else if y < self {
                    Some(Ordering::Greater)
                } else {
                    (self == y).then_some(Ordering::Equal)
                }
            }
            #[inline(always)]
            fn lt(&self, y: &Self) -> bool {
                $by::lt::<Host>(self.$words(), y.$words())
            }
            #[inline(always)]
            fn le(&self, y: &Self) -> bool {
                $by::le::<Host>(self.$words(), y.$words())
            }
            #[inline(always)]
            fn gt(&self, y: &Self) -> bool {
                $by::lt::<Host>(y.$words(), self.$words())
            }
            #[inline(always)]
            fn ge(&self, y: &Self) -> bool {
                $by::le::<Host>(y.$words(), self.$words())
            }
        }

        comparisons!(@mixed $type: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);
    };
    (@mixed $type:ident: $($t:ty)*) => {$(
        impl<A: Level> PartialEq<$t> for $type<A> {
            #[inline]
            fn eq(&self, y: &$t) -> bool {
                *self == Self::round_from(*y)
            }
        }

        impl<A: Level> PartialOrd<$t> for $type<A> {
            #[inline]
            fn partial_cmp(&self, y: &$t) -> Option<Ordering> {
                self.partial_cmp(&Self::round_from(*y))
            }
        }
    )*};
}

/// Sums and products of iterators of `$type`.
macro_rules! folds {
    ($type:ident) => {
        /// The sum in order, from the first term; +0 of nothing.
        impl<A: Level> Sum for $type<A> {
            fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.reduce(|x, y| x + y).unwrap_or_default()
            }
        }

        impl<'a, A: Level> Sum<&'a Self> for $type<A> {
            fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
                iter.copied().sum()
            }
        }

        /// The product in order, from the first factor; 1 of nothing.
        impl<A: Level> Product for $type<A> {
            fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.reduce(|x, y| x * y).unwrap_or(Self::from_f64(1.0))
            }
        }

        impl<'a, A: Level> Product<&'a Self> for $type<A> {
            fn product<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
                iter.copied().product()
            }
        }
    };
}

/// These traits of formatting, as the nearest `f64`.
macro_rules! as_f64 {
    ($type:ident: $($t:ident)*) => {$(
        /// As the nearest `f64`.
        impl<A: Level> fmt::$t for $type<A> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$t::fmt(&self.to_f64(), f)
            }
        }
    )*};
}

pub(super) use {arithmetic, as_f64, comparisons, folds};
