//! Double-word arithmetic: a number is the unevaluated sum of two limbs, hi and lo.
//!
//! Functions here take and return `(hi, lo)` tuples of any [`Limb`] and are named after operation and level:
//!
//! - *low*: the shortest sequence; results may be unnormalised (the limbs overlap).
//! - *mid*: results are normalised, hi = RN(hi + lo).
//! - *high*: addition has a relative bound under cancellation too, and special values, overflow and underflow come
//!   out in hi as IEEE arithmetic on limbs gives them, with lo = +0.
//!
//! Bounds hold for normalised operands, in units of u^2 relative to the exact result, barring overflow and underflow.
//! "Measured" is the largest error known: exhaustive over all operands of 3 to 5 bits and searched at p = 24 and 53.
//! The value of a pair is hi where hi is not finite, otherwise lo where lo is not finite, otherwise hi + lo.
//!
//! Literature: Dekker 1971; Knuth 1969; Karp and Markstein 1997; Li et al. 2002; Nagai, Yoshida, Kuroda and Kanada
//! 2008; Boldo and Muller 2011; Joldes, Muller and Popescu 2017 (JMP); Muller and Rideau 2022; Lefèvre, Louvet,
//! Muller, Picot and Rideau 2023.

pub(crate) mod add;
mod compare;
mod div;
mod fma;
mod mul;
mod range;
mod sqrt;

pub use add::{acc_high, acc_low, acc_mid, add_high, add_low, add_mid, neg, renormalize, renormalize_high};
pub use compare::{canonical, eq, le, lt};
pub(crate) use compare::{is_canonical, is_rounded};
pub use div::{div_high, div_low, div_mid};
pub use fma::{fma_high, fma_low, fma_mid, mad_high, mad_low, mad_mid};
pub use mul::{mul_high, mul_low, mul_mid};
pub use range::value_limb;
pub(crate) use range::{is_finite, is_finite2, nearest_limb, select2, settle};
pub use sqrt::{rsqrt, sqrt};
pub(crate) use sqrt::{rsqrt_core, sqrt_core};

use crate::machine::Limb;

/// An accuracy level: which sequence each operation runs.
pub trait Level: Copy + 'static {
    /// "low", "mid" or "high".
    const NAME: &'static str;
    /// Whether results may have limbs that overlap.
    const UNNORMALIZED: bool;
    /// x + y.
    fn add<L: Limb>(x: (L, L), y: (L, L)) -> (L, L);
    /// x - y: x plus y with both limbs negated.
    #[inline(always)]
    fn sub<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
        Self::add(x, neg(y))
    }
    /// x + c for one limb c.
    fn acc<L: Limb>(x: (L, L), c: L) -> (L, L);
    /// x with hi = RN(hi + lo), for |hi| >= |lo|.
    fn renormalize<L: Limb>(x: (L, L)) -> (L, L);
    /// x y.
    fn mul<L: Limb>(x: (L, L), y: (L, L)) -> (L, L);
    /// x / y.
    fn div<L: Limb>(x: (L, L), y: (L, L)) -> (L, L);
    /// x y + z, the product not rounded on its own.
    fn fma<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L);
    /// x y + z, composed of a multiplication and an addition.
    fn mad<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L);
}

macro_rules! level {
    ($(#[$doc:meta])* $level:ident, $name:expr, $unnormalized:expr,
     $add:path, $acc:path, $renormalize:path, $mul:path, $div:path, $fma:path, $mad:path) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $level;

        impl Level for $level {
            const NAME: &'static str = $name;
            const UNNORMALIZED: bool = $unnormalized;
            #[inline(always)]
            fn add<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
                $add(x, y)
            }
            #[inline(always)]
            fn acc<L: Limb>(x: (L, L), c: L) -> (L, L) {
                $acc(x, c)
            }
            #[inline(always)]
            fn renormalize<L: Limb>(x: (L, L)) -> (L, L) {
                $renormalize(x)
            }
            #[inline(always)]
            fn mul<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
                $mul(x, y)
            }
            #[inline(always)]
            fn div<L: Limb>(x: (L, L), y: (L, L)) -> (L, L) {
                $div(x, y)
            }
            #[inline(always)]
            fn fma<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
                $fma(x, y, z)
            }
            #[inline(always)]
            fn mad<L: Limb>(x: (L, L), y: (L, L), z: (L, L)) -> (L, L) {
                $mad(x, y, z)
            }
        }
    };
}

level!(
    /// The shortest sequences; results may be unnormalised.
    Low, "low", true, add_low, acc_low, renormalize, mul_low, div_low, fma_low, mad_low
);
level!(
    /// Normalised results; the default.
    Mid, "mid", false, add_mid, acc_mid, renormalize, mul_mid, div_mid, fma_mid, mad_mid
);
level!(
    /// Relative bounds under cancellation, and IEEE special values.
    High, "high", false, add_high, acc_high, renormalize_high, mul_high, div_high, fma_high, mad_high
);
