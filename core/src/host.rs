//! The host: `f32`, `f64` and wrapping integers compute at once.

use crate::machine::{Bundle, IeeeLimb, Limb, Machine, Mask, Value, Word, WordMachine};
use core::num::Wrapping;

/// The processor this program runs on.
#[derive(Clone, Copy, Debug)]
pub struct Host;

impl Mask for bool {}

#[cold]
#[inline(never)]
pub(crate) fn cold<T>(slow: impl FnOnce() -> T) -> T {
    slow()
}

impl Machine for Host {
    type Mask = bool;

    #[inline(always)]
    fn branch<T: Bundle<Self>>(rare: bool, usual: T, slow: impl FnOnce() -> T) -> T {
        if rare { cold(slow) } else { usual }
    }
}

impl WordMachine for Host {
    type U32 = Wrapping<u32>;
    type U64 = Wrapping<u64>;
    type F32 = f32;
    type F64 = f64;

    #[inline(always)]
    fn shr_wide(x: Wrapping<u64>, n: Wrapping<u32>) -> (Wrapping<u64>, Wrapping<u64>) {
        if n.0 < 64 {
            return (x.shr(n), (x << 1).shl(n ^ Wrapping(63)));
        }
        let n = n.0.min(127);
        let lost = x.0.unbounded_shl(128 - n) != 0;
        (Wrapping(0), Wrapping(x.0 >> (n - 64) | u64::from(lost)))
    }

    #[inline(always)]
    fn shr_high(x: (Wrapping<u64>, Wrapping<u64>), n: Wrapping<u32>) -> (Wrapping<u64>, Wrapping<u64>) {
        if n.0 == 0 {
            return x;
        }
        let lost = x.0.0 & !u64::MAX.unbounded_shl(n.0);
        (x.0.unbounded_shr(n), x.1 | Wrapping(lost))
    }

    #[inline(always)]
    fn reciprocal(d: Wrapping<u32>) -> Wrapping<u32> {
        Wrapping(((1 << 63) / (u64::from(d.0) + 1)) as u32)
    }

    #[inline(always)]
    fn mul_wide(a: Wrapping<u64>, b: Wrapping<u64>) -> (Wrapping<u64>, Wrapping<u64>) {
        let product = a.0 as u128 * b.0 as u128;
        (Wrapping((product >> 64) as u64), Wrapping(product as u64))
    }

    #[inline(always)]
    fn is_zero(x: Wrapping<u64>) -> bool {
        x.0 == 0
    }

    #[inline(always)]
    fn normalize_wide((high, low): (Wrapping<u64>, Wrapping<u64>)) -> (Wrapping<u64>, Wrapping<u32>) {
        let far = high.0 == 0;
        let (top, rest) = if far { (low, Wrapping(0)) } else { (high, low) };
        let n = top.clz_nonzero();
        let lost = rest.shl(n).0 != 0;
        let spill = (rest >> 1).shr(Wrapping(63) ^ n);
        (top.shl(n) | spill | Wrapping(u64::from(lost)), n + Wrapping(if far { 64 } else { 0 }))
    }

    #[inline(always)]
    fn sign_word(x: Wrapping<u64>) -> Wrapping<u64> {
        x.sar(Wrapping(63))
    }

    #[inline(always)]
    fn add_wide(
        a: (Wrapping<u64>, Wrapping<u64>),
        b: (Wrapping<u64>, Wrapping<u64>),
    ) -> (Wrapping<u64>, Wrapping<u64>) {
        let word = |(high, low): (Wrapping<u64>, Wrapping<u64>)| (high.0 as u128) << 64 | low.0 as u128;
        let sum = word(a).wrapping_add(word(b));
        (Wrapping((sum >> 64) as u64), Wrapping(sum as u64))
    }

    #[inline(always)]
    fn funnel_shl(high: Wrapping<u64>, low: Wrapping<u64>, n: Wrapping<u32>) -> Wrapping<u64> {
        high.shl(n) | Wrapping((low.0 >> 1).wrapping_shr(63 ^ n.0))
    }
}

macro_rules! value {
    ($($t:ty),*) => {$(
        impl Value for $t {
            type M = Host;
            #[inline(always)]
            fn select(m: bool, a: Self, b: Self) -> Self {
                if m { a } else { b }
            }
        }
    )*};
}

value!(f32, f64, Wrapping<u32>, Wrapping<u64>);

macro_rules! limb {
    ($t:ident, $bits:ty, $p:expr, $min_exp:expr, $limit:expr, $scale:expr, $div:expr, $fma:path, $sqrt:path) => {
        impl Limb for $t {
            const P: u32 = $p;
            const MIN_EXP: i32 = $min_exp;
            const SCALE_LIMIT: i32 = $limit;
            const SCALE: i32 = $scale;
            const DIV_RANGE: (i32, i32) = $div;

            #[inline(always)]
            fn lit(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn fma(self, b: Self, c: Self) -> Self {
                #[cfg(feature = "std")]
                return self.mul_add(b, c);
                #[cfg(not(feature = "std"))]
                return $fma(self, b, c);
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                #[cfg(feature = "std")]
                return <$t>::sqrt(self);
                #[cfg(not(feature = "std"))]
                return $sqrt(self);
            }
            #[inline(always)]
            fn rcp(self) -> Self {
                1.0 / self
            }
            #[inline(always)]
            fn div(self, b: Self) -> Self {
                self / b
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                <$t>::copysign(self, sign)
            }
            #[inline(always)]
            fn lt(self, b: Self) -> bool {
                self < b
            }
            #[inline(always)]
            fn le(self, b: Self) -> bool {
                self <= b
            }
            #[inline(always)]
            fn eq(self, b: Self) -> bool {
                self == b
            }
        }

        impl IeeeLimb for $t {
            type Bits = Wrapping<$bits>;
            #[inline(always)]
            fn bits(self) -> Self::Bits {
                Wrapping(self.to_bits())
            }
            #[inline(always)]
            fn from_bits(bits: Self::Bits) -> Self {
                <$t>::from_bits(bits.0)
            }
        }
    };
}

limb!(f32, u32, 24, -126, 48, 96, (-95, 96), libm::fmaf, libm::sqrtf);
limb!(f64, u64, 53, -1022, 400, 768, (-959, 960), libm::fma, libm::sqrt);

macro_rules! word {
    ($t:ty, $signed:ty, $wide:ty) => {
        impl Word for Wrapping<$t> {
            const BITS: u32 = <$t>::BITS;

            #[inline(always)]
            fn lit(x: u64) -> Self {
                Wrapping(x as $t)
            }
            #[inline(always)]
            fn shl(self, n: Wrapping<u32>) -> Self {
                Wrapping(self.0.wrapping_shl(n.0))
            }
            #[inline(always)]
            fn shr(self, n: Wrapping<u32>) -> Self {
                Wrapping(self.0.wrapping_shr(n.0))
            }
            #[inline(always)]
            fn sar(self, n: Wrapping<u32>) -> Self {
                Wrapping((self.0 as $signed).wrapping_shr(n.0) as $t)
            }
            #[inline(always)]
            fn unbounded_shl(self, n: Wrapping<u32>) -> Self {
                Wrapping(self.0.unbounded_shl(n.0))
            }
            #[inline(always)]
            fn unbounded_shr(self, n: Wrapping<u32>) -> Self {
                Wrapping(self.0.unbounded_shr(n.0))
            }
            #[inline(always)]
            fn mul_hi(self, b: Self) -> Self {
                Wrapping(((self.0 as $wide * b.0 as $wide) >> <$t>::BITS) as $t)
            }
            #[inline(always)]
            fn clz(self) -> Wrapping<u32> {
                Wrapping(self.0.leading_zeros())
            }
            #[inline(always)]
            fn clz_nonzero(self) -> Wrapping<u32> {
                // Where one instruction counts zeros, that of 0 is no trouble.
                let lzcnt = cfg!(any(target_feature = "lzcnt", target_arch = "aarch64"));
                Wrapping(if lzcnt { self.0 } else { self.0 | 1 }.leading_zeros())
            }
            #[inline(always)]
            fn lt(self, b: Self) -> bool {
                self.0 < b.0
            }
            #[inline(always)]
            fn lt_signed(self, b: Self) -> bool {
                (self.0 as $signed) < b.0 as $signed
            }
            #[inline(always)]
            fn eq(self, b: Self) -> bool {
                self.0 == b.0
            }
            #[inline(always)]
            fn to_u32(self) -> Wrapping<u32> {
                Wrapping(self.0 as u32)
            }
            #[inline(always)]
            fn to_u64(self) -> Wrapping<u64> {
                Wrapping(self.0 as u64)
            }
            #[inline(always)]
            fn from_u64(x: Wrapping<u64>) -> Self {
                Wrapping(x.0 as $t)
            }
            #[inline(always)]
            fn table(table: &'static [u64], i: Wrapping<u32>) -> Self {
                Wrapping(table[i.0 as usize] as $t)
            }
        }
    };
}

word!(u32, i32, u64);
word!(u64, i64, u128);
