//! Traits of crate `num-traits` that both host types have alike.

/// Zero, one, bounds, signs, inverse and fused product of `$type`.
macro_rules! common {
    ($type:ident) => {
        impl<A: Level> Zero for $type<A> {
            fn zero() -> Self {
                Self::default()
            }
            fn is_zero(&self) -> bool {
                !self.to_bool()
            }
        }

        impl<A: Level> One for $type<A> {
            fn one() -> Self {
                Self::from_f64(1.0)
            }
        }

        impl<A: Level> Bounded for $type<A> {
            fn min_value() -> Self {
                Self::MIN
            }
            fn max_value() -> Self {
                Self::MAX
            }
        }

        impl<A: Level> Signed for $type<A> {
            fn abs(&self) -> Self {
                $type::abs(*self)
            }
            /// x - y where it is positive, +0 elsewhere.
            fn abs_sub(&self, y: &Self) -> Self {
                if self <= y { Self::zero() } else { *self - *y }
            }
            /// 1 or -1 with the sign of the number, that of a zero included; NaN for NaN.
            fn signum(&self) -> Self {
                if self.is_nan() { Self::NAN } else { Self::one().copysign(*self) }
            }
            /// True for +0; false for NaN.
            fn is_positive(&self) -> bool {
                !self.is_nan() && self.is_sign_positive()
            }
            /// True for -0; false for NaN.
            fn is_negative(&self) -> bool {
                !self.is_nan() && self.is_sign_negative()
            }
        }

        impl<A: Level> Inv for $type<A> {
            type Output = Self;
            fn inv(self) -> Self {
                Self::one() / self
            }
        }

        /// The fused x y + z.
        impl<A: Level> MulAdd for $type<A> {
            type Output = Self;
            fn mul_add(self, y: Self, z: Self) -> Self {
                self.fma(y, z)
            }
        }

        impl<A: Level> MulAddAssign for $type<A> {
            fn mul_add_assign(&mut self, y: Self, z: Self) {
                *self = self.fma(y, z);
            }
        }
    };
}

pub(super) use common;
