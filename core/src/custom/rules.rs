//! Options of reduced formats as types.

use super::format::{Mode, Options, Top};

/// Options in a type: one of this module's, a tuple of them, or your own.
///
/// ```
/// use vernier::custom::{Fn, Gradual, Options, Rules, Saturate, Zero, fp64_custom};
/// type Number = fp64_custom<4, 3, (Fn, Gradual, Saturate, Zero)>;
/// assert_eq!((Number::new(400.0) * 3.0).to_f64(), 448.0);
/// assert_eq!(<(Fn, Gradual)>::OPTIONS.to_string(), "gradual,fn");
/// ```
///
/// Options that contradict one another do not compile:
///
/// ```compile_fail
/// use vernier::custom::{Up, Zero, fp64_custom};
/// let _ = fp64_custom::<8, 7, (Zero, Up)>::new(1.0) + 1.0;
/// ```
pub trait Rules: Copy + Default + Send + Sync + 'static {
    /// The options.
    const OPTIONS: Options;
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $value:expr),* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;
        impl Rules for $name {
            const OPTIONS: Options = Options { $($field: $value,)* ..Options::PUBLISHED };
        }
    )*};
}

rules! {
    /// The published semantics, [`Options::PUBLISHED`].
    Published {}
    /// IEEE 754, [`Options::IEEE`], which says what differs where M = 0.
    Ieee { gradual: true, after: true, single: true }
    /// [`Options::gradual`].
    Gradual { gradual: true }
    /// [`Options::after`].
    After { after: true }
    /// [`Options::single`].
    Single { single: true }
    /// [`Options::saturate`].
    Saturate { saturate: true }
    /// [`Options::dynamic`].
    Dynamic { dynamic: true }
    /// [`Top::Nan`].
    Fn { top: Top::Nan }
    /// [`Top::Numbers`].
    Finite { top: Top::Numbers }
    /// [`Mode::Zero`].
    Zero { mode: Mode::Zero }
    /// [`Mode::Up`].
    Up { mode: Mode::Up }
    /// [`Mode::Down`].
    Down { mode: Mode::Down }
    /// [`Mode::Away`].
    Away { mode: Mode::Away }
    /// [`Mode::Stochastic`]. Operators do not compile: they have nowhere to count; the methods that take a
    /// [`Random`](super::Random) do.
    Stochastic { mode: Mode::Stochastic }
}

impl<A: Rules, B: Rules> Rules for (A, B) {
    const OPTIONS: Options = {
        assert!(A::OPTIONS.compatible_with(B::OPTIONS), "one rounding mode at most, and one of Fn and Finite");
        A::OPTIONS.merge(B::OPTIONS)
    };
}

impl<A: Rules, B: Rules, C: Rules> Rules for (A, B, C) {
    const OPTIONS: Options = <(A, B)>::OPTIONS.merge(C::OPTIONS);
}

impl<A: Rules, B: Rules, C: Rules, D: Rules> Rules for (A, B, C, D) {
    const OPTIONS: Options = <(A, B, C)>::OPTIONS.merge(D::OPTIONS);
}
