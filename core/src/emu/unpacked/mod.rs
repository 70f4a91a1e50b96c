//! Sign, exponent and significand apart: chains that round once.

use super::Unpacked;
use crate::machine::WordMachine;

/// An accuracy level of unpacked numbers: which sequence each operation runs. All round to nearest.
pub trait Level: Copy + 'static {
    /// "low", "mid" or "high".
    const NAME: &'static str;
    /// x + y.
    fn add<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M>;
    /// x - y.
    fn sub<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M>;
    /// x y.
    fn mul<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M>;
    /// x y + z, the product not rounded on its own.
    fn fma<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, z: Unpacked<M>) -> Unpacked<M>;
    /// x / y.
    fn div<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>) -> Unpacked<M>;
    /// The square root.
    fn sqrt<M: WordMachine>(x: Unpacked<M>) -> Unpacked<M>;
    /// x y + z, as a product and a sum.
    #[inline(always)]
    fn mad<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, z: Unpacked<M>) -> Unpacked<M> {
        Self::add::<M>(Self::mul::<M>(x, y), z)
    }
    /// x y + z w, as two products and a sum.
    #[inline(always)]
    fn dot<M: WordMachine>(x: Unpacked<M>, y: Unpacked<M>, z: Unpacked<M>, w: Unpacked<M>) -> Unpacked<M> {
        Self::add::<M>(Self::mul::<M>(x, y), Self::mul::<M>(z, w))
    }
    /// (x.0 + i x.1)(y.0 + i y.1) as (x.0 y.0 - x.1 y.1, x.0 y.1 + x.1 y.0).
    #[inline(always)]
    fn cmul<M: WordMachine>(
        x: (Unpacked<M>, Unpacked<M>),
        y: (Unpacked<M>, Unpacked<M>),
    ) -> (Unpacked<M>, Unpacked<M>) {
        (
            Self::sub::<M>(Self::mul::<M>(x.0, y.0), Self::mul::<M>(x.1, y.1)),
            Self::add::<M>(Self::mul::<M>(x.0, y.1), Self::mul::<M>(x.1, y.0)),
        )
    }
}
