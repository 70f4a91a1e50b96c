//! Mathematical functions of the host types, as methods and as free functions: those of [`crate::math`].

use crate::double_word::{DoubleWord, HostLimb};
use crate::machine::Value;
use crate::math;
use crate::pair::Level;
use crate::stat::Stat;
use core::num::Wrapping;

/// The host's type of a kind.
macro_rules! of {
    (pair) => { Self };
    (i32) => { i32 };
    (i64) => { i64 };
    (bool) => { bool };
    (pair_i32) => { (Self, i32) };
    (pair_pair) => { (Self, Self) };
    (free pair) => { DoubleWord<F, A> };
    (free pair_i32) => { (DoubleWord<F, A>, i32) };
    (free pair_pair) => { (DoubleWord<F, A>, DoubleWord<F, A>) };
    (free $kind:ident) => { $kind };
}

/// An argument as the kernel takes it.
macro_rules! pass {
    (pair $x:expr) => {
        $x.to_parts()
    };
    (i32 $x:expr) => {
        Wrapping($x as u32)
    };
    (i64 $x:expr) => {
        Wrapping($x as u64)
    };
}

/// A result as the host has it.
macro_rules! give {
    (pair $r:expr) => {
        DoubleWord::wrap($r)
    };
    (i32 $r:expr) => {
        $r.0 as i32
    };
    (i64 $r:expr) => {
        $r.0 as i64
    };
    (bool $r:expr) => {
        $r
    };
    (pair_i32 $r:expr) => {{
        let (x, n) = $r;
        (DoubleWord::wrap(x), n.0 as i32)
    }};
    (pair_pair $r:expr) => {{
        let (x, y) = $r;
        (DoubleWord::wrap(x), DoubleWord::wrap(y))
    }};
}

/// An argument of an instrumented pair's method, as the pair takes it.
macro_rules! plain {
    (pair $x:ident) => {
        $x.pair()
    };
    ($kind:ident $x:ident) => {
        $x
    };
}

/// A result of a pair as that of an instrumented pair.
macro_rules! instrumented {
    (pair $r:expr) => {
        Stat($r)
    };
    (pair_i32 $r:expr) => {{
        let (x, n) = $r;
        (Stat(x), n)
    }};
    (pair_pair $r:expr) => {{
        let (x, y) = $r;
        (Stat(x), Stat(y))
    }};
    ($kind:ident $r:expr) => {
        $r
    };
}

/// A function of a pair and of others as a method, or of a word as a function of the type.
macro_rules! method {
    ($(#[$doc:meta])* $name:ident($n:ident: i32, $x:ident: pair) -> pair) => {
        $(#[$doc])*
        #[doc = concat!("See [`math::", stringify!($name), "`].")]
        #[inline]
        #[must_use]
        pub fn $name(self, $n: i32) -> Self {
            DoubleWord::wrap(math::$name(pass!(i32 $n), self.to_parts()))
        }
    };
    ($(#[$doc:meta])* $name:ident($k:ident: word) -> pair) => {
        $(#[$doc])*
        #[doc = concat!("See [`math::", stringify!($name), "`].")]
        #[inline]
        #[must_use]
        pub fn $name($k: F::Word) -> Self {
            DoubleWord::wrap(math::$name(F::word($k)))
        }
    };
    ($(#[$doc:meta])* $name:ident($x:ident: pair $(, $arg:ident: $kind:ident)*) -> $result:ident) => {
        $(#[$doc])*
        #[doc = concat!("See [`math::", stringify!($name), "`].")]
        #[inline]
        #[must_use]
        pub fn $name(self $(, $arg: of!($kind))*) -> of!($result) {
            give!($result math::$name(self.to_parts() $(, pass!($kind $arg))*))
        }
    };
}

/// The same of an instrumented pair.
macro_rules! instrumented_method {
    ($(#[$doc:meta])* $name:ident($n:ident: i32, $x:ident: pair) -> pair) => {
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name(self, $n: i32) -> Self {
            Stat(self.pair().$name($n))
        }
    };
    ($(#[$doc:meta])* $name:ident($k:ident: word) -> pair) => {
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name($k: F::Word) -> Self {
            Stat(DoubleWord::$name($k))
        }
    };
    ($(#[$doc:meta])* $name:ident($x:ident: pair $(, $arg:ident: $kind:ident)*) -> $result:ident) => {
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name(self $(, $arg: of!($kind))*) -> of!($result) {
            instrumented!($result self.pair().$name($(plain!($kind $arg)),*))
        }
    };
}

/// The same as a free function.
macro_rules! free {
    ($(#[$doc:meta])* $name:ident($n:ident: i32, $x:ident: pair) -> pair) => {
        $(#[$doc])*
        #[doc = concat!("See [`math::", stringify!($name), "`].")]
        #[inline]
        #[must_use]
        pub fn $name<F: HostLimb, A: Level>($n: i32, $x: DoubleWord<F, A>) -> DoubleWord<F, A> {
            $x.$name($n)
        }
    };
    ($(#[$doc:meta])* $name:ident($k:ident: word) -> pair) => {
        $(#[$doc])*
        #[doc = concat!("See [`math::", stringify!($name), "`].")]
        #[inline]
        #[must_use]
        pub fn $name<F: HostLimb, A: Level>($k: F::Word) -> DoubleWord<F, A> {
            DoubleWord::$name($k)
        }
    };
    ($(#[$doc:meta])* $name:ident($x:ident: pair $(, $arg:ident: $kind:ident)*) -> $result:ident) => {
        $(#[$doc])*
        #[doc = concat!("See [`math::", stringify!($name), "`].")]
        #[inline]
        #[must_use]
        pub fn $name<F: HostLimb, A: Level>($x: DoubleWord<F, A> $(, $arg: of!(free $kind))*) -> of!(free $result) {
            $x.$name($($arg),*)
        }
    };
}

macro_rules! host {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $kind:ident),*) -> $result:ident;)*) => {
        impl<F: HostLimb, A: Level> DoubleWord<F, A>
        where
            F: Value<M = crate::host::Host>,
        {
            $(method! { $(#[$doc])* $name($($arg: $kind),*) -> $result })*
        }

        /// Functions pass instrumented pairs through without counting.
        impl<F: HostLimb, A: Level> Stat<DoubleWord<F, A>> {
            $(instrumented_method! { $(#[$doc])* $name($($arg: $kind),*) -> $result })*
        }

        $(free! { $(#[$doc])* $name($($arg: $kind),*) -> $result })*
    };
}

crate::for_each_math_function!(host);

impl<F: HostLimb, A: Level> DoubleWord<F, A> {
    /// The Bessel function of the first kind of order n, for n from -10000 to 10000, on the host alone. See [`math::bessel_j`].
    #[must_use]
    pub fn bessel_j(self, n: i32) -> Self {
        DoubleWord::wrap(math::bessel_j(n, self.to_parts()))
    }

    /// The Bessel function of the second kind of order n, for n from -10000 to 10000, on the host alone. See [`math::bessel_y`].
    #[must_use]
    pub fn bessel_y(self, n: i32) -> Self {
        DoubleWord::wrap(math::bessel_y(n, self.to_parts()))
    }
}
