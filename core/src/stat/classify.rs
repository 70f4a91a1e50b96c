//! What one value and one operation add to a record, on any machine: integers only.

use crate::machine::{IeeeLimb, Machine, MaskOf, U32, U64, Value, Word, WordMachine};

/// Bits of [`Class::flags`]. The first eight are counters of a slot, in the order of [`Slot`](super::Slot).
pub mod flag {
    /// Both limbs are zero.
    pub const ZERO: u32 = 1 << 0;
    /// Both limbs are finite, hi is not zero and lo is.
    pub const ZERO_LO: u32 = 1 << 1;
    /// A limb is infinite.
    pub const INF: u32 = 1 << 2;
    /// A limb is NaN.
    pub const NAN: u32 = 1 << 3;
    /// Both limbs are infinite, with opposite signs.
    pub const INFNAN: u32 = 1 << 4;
    /// A limb is subnormal.
    pub const DENORM: u32 = 1 << 5;
    /// The limbs overlap: the gap is negative.
    pub const OVERLAP: u32 = 1 << 6;
    /// |lo| > |hi|, both finite.
    pub const INVERT: u32 = 1 << 7;
    /// Both limbs are finite and one is not zero: the exponent counts.
    pub const SAMPLED: u32 = 1 << 8;
    /// Both limbs are finite and not zero: the gap counts.
    pub const GAPPED: u32 = 1 << 9;
}

/// Bits of an [`outcome`], counters of a record in the order of [`Record`](super::Record).
pub mod event {
    /// A sum or difference of finite values that are not zero is zero.
    pub const FULL_CANCEL: u32 = 1 << 0;
    /// A sum or difference lost more than half of the type's digits.
    pub const PARTIAL_CANCEL: u32 = 1 << 1;
    /// A product or quotient of finite values that are not zero is zero.
    pub const UNDERFLOW: u32 = 1 << 2;
    /// The result of finite values that are not zero is not finite; NaN counts.
    pub const OVERFLOW: u32 = 1 << 3;
}

/// What one value adds to a slot.
#[derive(Debug)]
pub struct Class<M: WordMachine> {
    /// See [`flag`].
    pub flags: M::U32,
    /// floor(log2) of the larger limb, in two's complement. It counts where [`flag::SAMPLED`] is set.
    pub exponent: M::U32,
    /// floor(log2 |hi|) - floor(log2 |lo|) - p: 0 where lo is immediately below the last bit of hi, positive where the
    /// limbs leave a hole, negative where they overlap. It counts where [`flag::GAPPED`] is set.
    pub gap: M::U32,
    /// The highest [`FRACTION_BITS`] bits of the fraction of hi.
    pub fraction: M::U32,
}

/// Bits of [`Class::fraction`].
pub const FRACTION_BITS: u32 = 18;
/// What a packed gap lies above 0.
pub const GAP_BIAS: u32 = 2560;

impl<M: WordMachine> Clone for Class<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: WordMachine> Copy for Class<M> {}

impl<M: WordMachine> Class<M> {
    /// In one word, as devices pass it: flags in the low 16 bits, exponent in the next 16, then [`order`](Self::order).
    #[inline(always)]
    pub fn pack(self) -> M::U64 {
        let lit = M::U32::lit;
        let low = self.flags + self.exponent.shl(lit(16));
        low.to_u64() + self.order().to_u64().shl(lit(32))
    }

    /// Gap + [`GAP_BIAS`], followed by the fraction: the order of samples, as far as it goes.
    #[inline(always)]
    pub fn order(self) -> M::U32 {
        let lit = M::U32::lit;
        (self.gap + lit(GAP_BIAS.into())).shl(lit(FRACTION_BITS.into())) + self.fraction
    }

    /// The reverse of [`pack`](Self::pack).
    #[inline(always)]
    pub fn unpack(word: M::U64) -> Self {
        let lit = M::U32::lit;
        let (low, high) = (word.to_u32(), word.shr(lit(32)).to_u32());
        Class {
            flags: low & lit(0xffff),
            exponent: low.sar(lit(16)),
            gap: high.shr(lit(FRACTION_BITS.into())) - lit(GAP_BIAS.into()),
            fraction: high & lit((1 << FRACTION_BITS) - 1),
        }
    }

    #[inline(always)]
    fn has(self, flag: u32) -> M::Mask {
        !(self.flags & M::U32::lit(flag.into())).eq(M::U32::lit(0))
    }
}

/// `bit` where `m` is true, 0 elsewhere.
#[inline(always)]
fn bit<W: Word>(m: MaskOf<W>, bit: u32) -> W
where
    W::M: WordMachine,
{
    W::select(m, W::lit(bit.into()), W::lit(0))
}

/// A value at a glance: what a device looks at before it classifies one. For normal numbers these are exact; `high` of
/// others lies below that of the smallest normal number or above that of the largest.
pub struct Glance<M: WordMachine> {
    /// The highest 32 bits of |hi|: its exponent field and the first bits of its fraction.
    pub high: M::U32,
    /// The same less the exponent field of lo: for two normal limbs gap + p followed by the first bits of hi's fraction; they
    /// overlap where the gap is negative.
    pub apart: M::U32,
    /// Whether lo is zero.
    pub one_limb: M::Mask,
    /// Whether lo is neither zero nor subnormal.
    pub lo_normal: M::Mask,
}

/// The highest 32 bits.
#[inline(always)]
fn highest<W: Word>(bits: W) -> U32<W>
where
    W::M: WordMachine,
{
    if W::BITS == 32 { bits.to_u32() } else { bits.shr(U32::<W>::lit(32)).to_u32() }
}

/// [`Glance`] of a pair.
#[inline(always)]
pub fn glance<L: IeeeLimb>(x: (L, L)) -> Glance<L::M>
where
    L::M: WordMachine,
{
    let shape = const { Shape::of::<L>() };
    let lit = U32::<L>::lit;
    let field_at = shape.field_at();
    let high = highest(x.0.bits()) & lit((1 << 31) - 1);
    let lo_field = highest(x.1.bits()) & lit(shape.top << field_at);
    let one_limb = (x.1.bits() & L::Bits::lit(!shape.sign)).eq(L::Bits::lit(0));
    let apart = high - lo_field;
    Glance { high, apart, one_limb, lo_normal: !lo_field.eq(lit(0)) }
}

/// What the pair `x` adds to a slot.
#[inline(always)]
pub fn classify<L: IeeeLimb>(x: (L, L)) -> Class<L::M>
where
    L::M: WordMachine,
{
    let shape = const { Shape::of::<L>() };
    let (class, usual) = usual(x);
    let seen = (class.flags, class.exponent, class.gap);
    let (flags, exponent, gap) = L::M::branch(!usual, seen, || any(&shape, x.0.bits(), x.1.bits()));
    Class { flags, exponent, gap, ..class }
}

/// [`classify`] of a usual value, and whether `x` is one: hi is a normal number, and lo is zero, or a normal number that
/// does not overlap with hi.
#[inline(always)]
fn usual<L: IeeeLimb>(x: (L, L)) -> (Class<L::M>, MaskOf<L>)
where
    L::M: WordMachine,
{
    let shape = const { Shape::of::<L>() };
    let lit = U32::<L>::lit;
    let hi = x.0.bits();
    let magnitude = |b: L::Bits| b & L::Bits::lit(!shape.sign);
    let (h, l) = (magnitude(hi), magnitude(x.1.bits()));
    let field = |m: L::Bits| m.shr(lit(shape.p - 1)).to_u32();
    let (eh, el) = (field(h), field(l));
    let no_lo = l.eq(L::Bits::lit(0));
    let gap = eh - el - lit(shape.p);
    let (hi_normal, lo_normal) = ((eh - lit(1)).lt(lit(shape.top - 1)), !el.eq(lit(0)));
    let class = Class {
        flags: Value::select(no_lo, lit(ONE_LIMB), lit(TWO_LIMBS)),
        exponent: eh - lit(shape.bias),
        gap,
        fraction: hi.shr(lit(shape.p - 1 - u64::from(FRACTION_BITS))).to_u32() & lit((1 << FRACTION_BITS) - 1),
    };
    (class, hi_normal & (no_lo | (lo_normal & !gap.lt_signed(lit(0)))))
}

/// Flags of usual values.
const ONE_LIMB: u64 = (flag::SAMPLED | flag::ZERO_LO) as u64;
const TWO_LIMBS: u64 = (flag::SAMPLED | flag::GAPPED) as u64;

/// Flags, exponent and gap of any value, from the bits of its limbs.
#[inline(always)]
fn any<W: Word>(shape: &Shape, hi: W, lo: W) -> (U32<W>, U32<W>, U32<W>)
where
    W::M: WordMachine,
{
    let magnitude = |b: W| b & W::lit(!shape.sign);
    let (h, l) = (magnitude(hi), magnitude(lo));
    let lit = U32::<W>::lit;
    let (zero, infinity) = (W::lit(0), W::lit(shape.top << (shape.p - 1)));
    let field = |m: W| m.shr(lit(shape.p - 1)).to_u32();
    // floor(log2) + bias; of zero 0.
    let log = |m: W| {
        let subnormal = lit(u64::from(W::BITS) + 1 - shape.p) - m.clz();
        let small = Value::select(m.eq(zero), lit(0), subnormal);
        Value::select(field(m).eq(lit(0)), small, field(m))
    };
    let is_subnormal = |m: W| field(m).eq(lit(0)) & !m.eq(zero);
    let (h_zero, l_zero) = (h.eq(zero), l.eq(zero));
    let (h_inf, l_inf) = (h.eq(infinity), l.eq(infinity));
    let finite = h.lt(infinity) & l.lt(infinity);
    let both_zero = h_zero & l_zero;
    let sampled = finite & !both_zero;
    let gapped = finite & !h_zero & !l_zero;
    let (log_h, log_l) = (log(h), log(l));
    let gap = log_h - log_l - lit(shape.p);
    let of_lo = h_zero | (!l_zero & log_h.lt_signed(log_l));
    let flags = bit::<U32<W>>(both_zero, flag::ZERO)
        + bit(finite & !h_zero & l_zero, flag::ZERO_LO)
        + bit(h_inf | l_inf, flag::INF)
        + bit(infinity.lt(h) | infinity.lt(l), flag::NAN)
        + bit(h_inf & l_inf & !hi.eq(lo), flag::INFNAN)
        + bit(is_subnormal(h) | is_subnormal(l), flag::DENORM)
        + bit(gapped & gap.lt_signed(lit(0)), flag::OVERLAP)
        + bit(sampled & h.lt(l), flag::INVERT)
        + bit(sampled, flag::SAMPLED)
        + bit(gapped, flag::GAPPED);
    (flags, Value::select(of_lo, log_l, log_h) - lit(shape.bias), gap)
}

/// The encoding of a limb.
struct Shape {
    p: u64,
    bias: u64,
    /// The exponent field of infinity.
    top: u64,
    sign: u64,
}

impl Shape {
    const fn of<L: IeeeLimb>() -> Shape
    where
        L::M: WordMachine,
    {
        let bias = (1 - L::MIN_EXP) as u64;
        Shape { p: L::P as u64, bias, top: 2 * bias + 1, sign: 1 << (<L::Bits as Word>::BITS - 1) }
    }

    /// Where the exponent field begins in the highest 32 bits.
    const fn field_at(&self) -> u64 {
        self.p - 1 + 31 - self.sign.trailing_zeros() as u64
    }
}

/// Which [`event`] the operation r = x op y is, if any: it takes finite x and y that are not zero. `p` is the number of
/// digits of a limb, `additive` says that the operation is a sum or difference.
#[inline(always)]
pub fn outcome<M: WordMachine>(p: u32, additive: M::Mask, x: Class<M>, y: Class<M>, r: Class<M>) -> M::U32 {
    let regular = x.has(flag::SAMPLED) & y.has(flag::SAMPLED);
    let partial = additive & cancels::<M>(p, x.exponent, y.exponent, r.exponent);
    let lit = |event: u32| M::U32::lit(event.into());
    let zero = M::U32::select(additive, lit(event::FULL_CANCEL), lit(event::UNDERFLOW));
    let special = M::U32::select(r.has(flag::ZERO), zero, lit(event::OVERFLOW));
    let event = M::U32::select(r.has(flag::SAMPLED), bit(partial, event::PARTIAL_CANCEL), special);
    M::U32::select(regular, event, lit(0))
}

/// Whether a sum or difference of normal numbers whose result is one lost more than half of the type's digits: from
/// [`Glance::high`].
#[inline(always)]
pub fn cancels_of_normal<L: IeeeLimb>(x: U32<L>, y: U32<L>, r: U32<L>) -> MaskOf<L>
where
    L::M: WordMachine,
{
    let shape = const { Shape::of::<L>() };
    let lit = U32::<L>::lit;
    let larger = U32::<L>::select(x.lt_signed(y), y, x);
    let lost = larger - (r & lit(shape.top << shape.field_at()));
    !lost.lt_signed(lit(shape.p << shape.field_at()))
}

/// Whether a sum or difference lost more than half of the 2 `p` - 2 digits of the type: from the exponents of finite
/// values that are not zero.
#[inline(always)]
fn cancels<M: WordMachine>(p: u32, x: M::U32, y: M::U32, r: M::U32) -> M::Mask {
    let larger = M::U32::select(x.lt_signed(y), y, x);
    M::U32::lit((p - 1).into()).lt_signed(larger - r)
}

/// Whether the pair of doubles with bits `a` is to be kept as the sample rather than `b` of the same gap: the one whose hi
/// has the smaller fraction, then the smaller sign and exponent; of equal hi the one whose lo has. An order of values, so
/// that a record does not depend on the order of operations.
#[inline(always)]
pub fn precedes<W: Word>(a: (W, W), b: (W, W)) -> MaskOf<W>
where
    W::M: WordMachine<U64 = W>,
{
    let key = |x: U64<W>| x.shl(U32::<W>::lit(12)) + x.shr(U32::<W>::lit(52));
    let (a, b) = ((key(a.0), key(a.1)), (key(b.0), key(b.1)));
    !b.0.lt(a.0) & (a.0.lt(b.0) | a.1.lt(b.1))
}

/// The bits of a finite limb as a double, which samples are kept as.
#[inline(always)]
pub fn sample<L: IeeeLimb>(x: L) -> U64<L>
where
    L::M: WordMachine,
{
    let bits = x.bits().to_u64();
    if L::P == 53 {
        return bits;
    }
    let (lit, word) = (U32::<L>::lit, U64::<L>::lit);
    let shape = const { Shape::of::<L>() };
    let m = bits & word(shape.sign - 1);
    let normal = m.shl(lit(53 - shape.p)) + word((1023 - shape.bias) << 52);
    // A subnormal's leading bit becomes the hidden one: bit 52.
    let up = m.clz() - lit(11);
    let exponent = lit(1023 - shape.bias + 1 + 52 - (shape.p - 1) - 1) - up;
    let subnormal = m.shl(up) + exponent.to_u64().shl(lit(52));
    let magnitude = Value::select(m.lt(word(1 << (shape.p - 1))), subnormal, normal);
    Value::select(m.eq(word(0)), word(0), magnitude) + (bits - m).shl(lit(u64::from(64 - <L::Bits as Word>::BITS)))
}
