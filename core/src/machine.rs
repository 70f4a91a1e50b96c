//! What a machine offers: limbs, words, masks, selection and a structured branch.
//!
//! Every algorithm of this crate is generic over these traits and is written once. Instantiated with `f32` and
//! `f64` it computes; with a recorded value it writes down its operations; with a [`Tiny`](crate::tiny::Tiny) float
//! every operand can be tried.
//!
//! A *value* is a limb or a word of some machine. A *mask* is what a comparison gives: one truth value per lane.
//! There is no `if` on values: [`select`](Value::select) picks between two results that both exist, and
//! [`Machine::branch`] jumps over work that is rarely needed.

use core::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Sub};

/// The truth value of a comparison, one per lane.
pub trait Mask:
    Copy + 'static + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
}

/// Where values live and how control flows.
pub trait Machine: Sized + 'static {
    /// The result of a comparison.
    type Mask: Mask;

    /// `usual` where `rare` is false, the result of `slow` where it is true.
    ///
    /// An `if` on the host, a traced block on a tape, "if any lane, then select" under SIMD.
    fn branch<T: Bundle<Self>>(rare: Self::Mask, usual: T, slow: impl FnOnce() -> T) -> T;

    /// `body` of `arguments`, as a function of its own called `name`, whose parts a tape joins by underscores: "fp64emu", "high",
    /// "mul".
    ///
    /// The body itself on the host. On a tape a call of a function that is recorded once, so `body` sees its arguments alone
    /// and captures nothing, and one name stands for one body; what a function of the registry is called stands for that function.
    #[inline(always)]
    fn call<A: Bundle<Self>, R: Bundle<Self>, F: FnOnce(A) -> R>(name: &[&str], arguments: A, body: F) -> R {
        let _ = name;
        body(arguments)
    }
}

/// A machine with IEEE limbs and integer words, as conversions and emulation need.
pub trait WordMachine: Machine {
    /// 32-bit word.
    type U32: Word<M = Self>;
    /// 64-bit word.
    type U64: Word<M = Self>;
    /// IEEE binary32.
    type F32: IeeeLimb<M = Self, Bits = Self::U32>;
    /// IEEE binary64.
    type F64: IeeeLimb<M = Self, Bits = Self::U64>;

    /// a b as (high, low), for a and b below 2^63.
    #[inline(always)]
    fn mul_wide(a: Self::U64, b: Self::U64) -> (Self::U64, Self::U64) {
        (a.mul_hi(b), a * b)
    }

    /// Ones where the highest bit of `x` is set, zeros elsewhere.
    #[inline(always)]
    fn sign_word(x: Self::U64) -> Self::U64 {
        let half = halves::<Self>(x).0.sar(Self::U32::lit(31));
        join::<Self>(half, half)
    }

    /// x == 0.
    #[inline(always)]
    fn is_zero(x: Self::U64) -> Self::Mask {
        let (high, low) = halves::<Self>(x);
        (high | low).eq(Self::U32::lit(0))
    }

    /// (high, low) shifted left until its highest bit is set: the high word, with its lowest bit set where bits are lost, and
    /// the distance. Unspecified distance and high word 0 for 0.
    #[inline(always)]
    fn normalize_wide((high, low): (Self::U64, Self::U64)) -> (Self::U64, Self::U32) {
        let lit = |n: u64| Self::U32::lit(n);
        let (zero, none) = (Self::U64::lit(0), lit(0));
        // Whole words first: two, then one.
        let far = Self::is_zero(high);
        let top: Self::U64 = Value::select(far, low, high);
        let rest: Self::U64 = Value::select(far, zero, low);
        let ((w3, w2), (w1, w0)) = (halves::<Self>(top), halves::<Self>(rest));
        let near = w3.eq(none);
        let pick = |a: Self::U32, b: Self::U32| -> Self::U32 { Value::select(near, a, b) };
        let (u2, u1, u0, below) = (pick(w2, w3), pick(w1, w2), pick(w0, w1), pick(none, w0));
        let n = u2.clz_nonzero();
        let upper = halves::<Self>(join::<Self>(u2, u1).shl_within(n)).0;
        let lower = halves::<Self>(join::<Self>(u1, u0).shl_within(n)).0;
        let lost: Self::U32 = Value::select((u0.shl_within(n) | below).eq(none), none, lit(1));
        let distance: Self::U32 = n + Value::select(near, lit(32), none);
        (join::<Self>(upper, lower | lost), distance + Value::select(far, lit(64), none))
    }

    /// The sum of two numbers (high, low), modulo 2^128.
    #[inline(always)]
    fn add_wide(a: (Self::U64, Self::U64), b: (Self::U64, Self::U64)) -> (Self::U64, Self::U64) {
        let low = a.1 + b.1;
        let carry: Self::U64 = Value::select(low.lt(a.1), Self::U64::lit(1), Self::U64::lit(0));
        (a.0 + b.0 + carry, low)
    }

    /// x / 2^(n - 64) for n below 2^31, as (high, low), with the lowest bit set where bits are lost.
    #[inline(always)]
    fn shr_wide(x: Self::U64, n: Self::U32) -> (Self::U64, Self::U64) {
        let lit = |n: u64| Self::U32::lit(n);
        let (zero, one) = (Self::U64::lit(0), Self::U64::lit(1));
        let n: Self::U32 = Value::select(lit(127).lt(n), lit(127), n);
        let low = x.unbounded_shl(lit(64) - n) | x.unbounded_shr(n - lit(64));
        let lost: Self::U64 = Value::select(Self::is_zero(x.unbounded_shl(lit(128) - n)), zero, one);
        (x.unbounded_shr(n), low | lost)
    }

    /// (high, low) / 2^n for n below 2^31, where the low word is no more than a sign whether anything is below the high
    /// word; (high, low) itself for n = 0.
    #[inline(always)]
    fn shr_high((high, low): (Self::U64, Self::U64), n: Self::U32) -> (Self::U64, Self::U64) {
        let lost = high & !Self::U64::lit(u64::MAX).unbounded_shl(n);
        (high.unbounded_shr(n), low | lost)
    }

    /// r with 2^63 / (d + 1) - 2.1 < r <= 2^63 / (d + 1), for d in [2^31, 2^32). Machines may differ in r.
    #[inline(always)]
    fn reciprocal(d: Self::U32) -> Self::U32 {
        crate::emu::reciprocal::<Self>(d)
    }

    /// The high word of (high 2^64 + low) 2^n, for n below 32.
    #[inline(always)]
    fn funnel_shl(high: Self::U64, low: Self::U64, n: Self::U32) -> Self::U64 {
        let across = join::<Self>(high.to_u32(), halves::<Self>(low).0);
        join::<Self>(halves::<Self>(high.shl_within(n)).0, halves::<Self>(across.shl_within(n)).0)
    }
}

/// The two halves of a word, high half first.
#[inline(always)]
pub fn halves<M: WordMachine>(x: M::U64) -> (M::U32, M::U32) {
    (x.shr(M::U32::lit(32)).to_u32(), x.to_u32())
}

/// The word of two halves.
#[inline(always)]
pub fn join<M: WordMachine>(high: M::U32, low: M::U32) -> M::U64 {
    high.to_u64().shl(M::U32::lit(32)) | low.to_u64()
}

/// A limb or a word of some machine.
pub trait Value: Copy + 'static {
    /// The machine it lives on.
    type M: Machine;

    /// `a` where `m` is true, `b` elsewhere.
    fn select(m: MaskOf<Self>, a: Self, b: Self) -> Self;
}

/// The mask type of a value's machine.
pub type MaskOf<V> = <<V as Value>::M as Machine>::Mask;

/// Values, and arrays and tuples of them: what [`Machine::branch`] returns, and what goes into a [`Machine::call`] and comes out.
pub trait Bundle<M: Machine>: Copy + 'static {
    /// `a` where `m` is true, `b` elsewhere, member by member, in order.
    fn select(m: M::Mask, a: Self, b: Self) -> Self;
}

impl<V: Value> Bundle<V::M> for V {
    #[inline(always)]
    fn select(m: MaskOf<V>, a: Self, b: Self) -> Self {
        <V as Value>::select(m, a, b)
    }
}

impl<M: Machine, T: Bundle<M>, const N: usize> Bundle<M> for [T; N] {
    fn select(m: M::Mask, a: Self, b: Self) -> Self {
        core::array::from_fn(|i| T::select(m, a[i], b[i]))
    }
}

macro_rules! tuple {
    ($($t:ident $i:tt),*) => {
        impl<M: Machine, $($t: Bundle<M>),*> Bundle<M> for ($($t,)*) {
            #[inline(always)]
            fn select(m: M::Mask, a: Self, b: Self) -> Self {
                ($($t::select(m, a.$i, b.$i),)*)
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);

/// A floating-point limb: one component of a double-word number.
///
/// Operators round to nearest, ties to even, and are never contracted. `p` is [`P`](Limb::P), u = 2^-p.
pub trait Limb: Value + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> {
    /// Significand digits, the hidden one included.
    const P: u32;
    /// Exponent of the smallest normal number: it is 2^MIN_EXP.
    const MIN_EXP: i32;
    /// Numbers below 2^-SCALE_LIMIT or above 2^SCALE_LIMIT are multiplied by 2^SCALE or 2^-SCALE on slow paths, so
    /// that products and quotients of scaled numbers neither overflow nor lose bits to underflow.
    const SCALE_LIMIT: i32;
    /// See [`SCALE_LIMIT`](Limb::SCALE_LIMIT).
    const SCALE: i32;
    /// High division and square roots scale operands outside [2^a, 2^b).
    const DIV_RANGE: (i32, i32);

    /// The limb nearest to `x`.
    fn lit(x: f64) -> Self;
    /// RN(self * b + c).
    fn fma(self, b: Self, c: Self) -> Self;
    /// RN(sqrt(self)).
    fn sqrt(self) -> Self;
    /// RN(1 / self).
    fn rcp(self) -> Self;
    /// RN(self / b).
    fn div(self, b: Self) -> Self;
    /// The magnitude: the sign bit cleared.
    fn abs(self) -> Self;
    /// `self` with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// self < b; false for NaN.
    fn lt(self, b: Self) -> MaskOf<Self>;
    /// self <= b; false for NaN.
    fn le(self, b: Self) -> MaskOf<Self>;
    /// self == b as numbers; false for NaN.
    fn eq(self, b: Self) -> MaskOf<Self>;

    /// RN(1 / self) where 2^DIV_RANGE.0 <= |self| < 2^DIV_RANGE.1, unspecified elsewhere: callers test the operand and
    /// drop the result there, so that a device needs no test of its own.
    fn rcp_moderate(self) -> Self {
        self.rcp()
    }
    /// RN(sqrt(self)) and the correctly rounded reciprocal of that root, the seed of square roots, where
    /// 2^DIV_RANGE.0 <= self < 2^DIV_RANGE.1; unspecified elsewhere, as [`rcp_moderate`](Limb::rcp_moderate).
    fn sqrt_rcp(self) -> (Self, Self) {
        let s = self.sqrt();
        (s, s.rcp())
    }
}

/// A limb with an IEEE encoding.
pub trait IeeeLimb: Limb
where
    Self::M: WordMachine,
{
    /// The word that holds its bits.
    type Bits: Word<M = Self::M>;
    /// Its bits.
    fn bits(self) -> Self::Bits;
    /// The limb with these bits.
    fn from_bits(bits: Self::Bits) -> Self;
}

/// An unsigned word. Arithmetic wraps; signed comparison and shift are methods.
pub trait Word:
    Value
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
where
    Self::M: WordMachine,
{
    /// Its width.
    const BITS: u32;

    /// The constant `x`, its low bits.
    fn lit(x: u64) -> Self;
    /// Logical shift left by `n` modulo the width.
    fn shl(self, n: U32<Self>) -> Self;
    /// Logical shift right by `n` modulo the width.
    fn shr(self, n: U32<Self>) -> Self;
    /// Arithmetic shift right by `n` modulo the width.
    fn sar(self, n: U32<Self>) -> Self;
    /// Logical shift left by `n`; 0 where `n` is the width or more.
    fn unbounded_shl(self, n: U32<Self>) -> Self;
    /// Logical shift right by `n`; 0 where `n` is the width or more.
    fn unbounded_shr(self, n: U32<Self>) -> Self;
    /// Logical shift left by `n`, which is below the width.
    #[inline(always)]
    fn shl_within(self, n: U32<Self>) -> Self {
        self.shl(n)
    }
    /// Logical shift right by `n`, which is below the width.
    #[inline(always)]
    fn shr_within(self, n: U32<Self>) -> Self {
        self.shr(n)
    }
    /// The high word of the double-width product.
    fn mul_hi(self, b: Self) -> Self;
    /// Leading zero bits; the width for 0.
    fn clz(self) -> U32<Self>;
    /// Leading zero bits of a word that is not 0. Unspecified for 0: callers drop it there.
    fn clz_nonzero(self) -> U32<Self>;
    /// self < b, unsigned.
    fn lt(self, b: Self) -> MaskOf<Self>;
    /// self < b, two's complement.
    fn lt_signed(self, b: Self) -> MaskOf<Self>;
    /// self == b.
    fn eq(self, b: Self) -> MaskOf<Self>;
    /// The low 32 bits.
    fn to_u32(self) -> U32<Self>;
    /// Zero extension to 64 bits.
    fn to_u64(self) -> U64<Self>;
    /// The low bits of a 64-bit word.
    fn from_u64(x: U64<Self>) -> Self;
    /// Entry `i` of a constant table, `i` below its length; entries are cut to the width.
    fn table(table: &'static [u64], i: U32<Self>) -> Self;
}

/// The 32-bit word of a value's machine.
pub type U32<V> = <<V as Value>::M as WordMachine>::U32;
/// The 64-bit word of a value's machine.
pub type U64<V> = <<V as Value>::M as WordMachine>::U64;

/// 2^e for -1074 <= e <= 1023, 0 below and infinity above.
#[inline(always)]
pub const fn exp2(e: i32) -> f64 {
    if e < -1074 {
        0.0
    } else if e < -1022 {
        f64::from_bits(1 << (e + 1074))
    } else if e <= 1023 {
        f64::from_bits(((e + 1023) as u64) << 52)
    } else {
        f64::INFINITY
    }
}
