//! A format as the algorithms see it: what is known where code is built costs nothing there, what is a value is computed.

use super::format::{Format, Mode, Options, Top};
use super::rules::Rules;
use crate::machine::{Bundle, Machine, Value, Word, WordMachine};
use core::marker::PhantomData;

/// A choice between two ways.
pub enum Choice<M: Machine> {
    /// Made where code is built (on the host: an ordinary `if`).
    Known(bool),
    /// Made by a value.
    Asked(M::Mask),
}

impl<M: Machine> Clone for Choice<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Machine> Copy for Choice<M> {}

impl<M: Machine> Choice<M> {
    /// The first way where it is true.
    #[inline(always)]
    pub(super) fn pick<T: Bundle<M>>(self, yes: impl FnOnce() -> T, no: impl FnOnce() -> T) -> T {
        match self {
            Choice::Known(true) => yes(),
            Choice::Known(false) => no(),
            Choice::Asked(mask) => T::select(mask, yes(), no()),
        }
    }

    /// The same, where the first way is worth jumping over.
    #[inline(always)]
    pub(super) fn seldom<T: Bundle<M>>(self, yes: impl FnOnce() -> T, no: impl FnOnce() -> T) -> T {
        match self {
            Choice::Known(true) => yes(),
            Choice::Known(false) => no(),
            Choice::Asked(mask) => M::branch(mask, no(), yes),
        }
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Choice::Known(false), _) | (_, Choice::Known(false)) => Choice::Known(false),
            (Choice::Known(true), x) | (x, Choice::Known(true)) => x,
            (Choice::Asked(a), Choice::Asked(b)) => Choice::Asked(a & b),
        }
    }

    #[inline(always)]
    pub(super) fn not(self) -> Self {
        match self {
            Choice::Known(x) => Choice::Known(!x),
            Choice::Asked(mask) => Choice::Asked(!mask),
        }
    }

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
}

/// The size of a field.
pub enum Size<M: WordMachine> {
    /// Known where code is built.
    Known(u32),
    /// A value.
    Asked(M::U32),
}

impl<M: WordMachine> Clone for Size<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: WordMachine> Copy for Size<M> {}

impl<M: WordMachine> Size<M> {
    #[inline(always)]
    pub(super) fn word(self) -> M::U32 {
        match self {
            Size::Known(n) => M::U32::lit(n.into()),
            Size::Asked(n) => n,
        }
    }
}

/// Sizes and options.
pub struct Layout<M: WordMachine> {
    pub(super) exponent: Size<M>,
    pub(super) mantissa: Size<M>,
    /// The format, where it is known.
    pub(super) known: Option<Format>,
    /// The range is tested.
    pub(super) ranged: Choice<M>,
    /// E = 11.
    pub(super) native: Choice<M>,
    pub(super) zero: Choice<M>,
    pub(super) up: Choice<M>,
    pub(super) down: Choice<M>,
    pub(super) away: Choice<M>,
    pub(super) stochastic: Choice<M>,
    pub(super) gradual: Choice<M>,
    pub(super) after: Choice<M>,
    pub(super) single: Choice<M>,
    pub(super) saturate: Choice<M>,
    pub(super) top_nan: Choice<M>,
    pub(super) top_numbers: Choice<M>,
    /// Reduction is more than the published one.
    pub(super) extended: Choice<M>,
}

impl<M: WordMachine> Clone for Layout<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: WordMachine> Copy for Layout<M> {}

impl<M: WordMachine> Layout<M> {
    /// A format known where code is built, or chosen by an `if` on the host.
    #[inline(always)]
    pub fn known(f: Format) -> Self {
        let o = f.options();
        let mode = |mode| Choice::Known(o.mode as u32 == mode as u32);
        Layout {
            exponent: Size::Known(f.exponent()),
            mantissa: Size::Known(f.mantissa()),
            known: Some(f),
            ranged: Choice::Known(f.ranged()),
            native: Choice::Known(f.exponent() == 11),
            zero: mode(Mode::Zero),
            up: mode(Mode::Up),
            down: mode(Mode::Down),
            away: mode(Mode::Away),
            stochastic: mode(Mode::Stochastic),
            // Subnormal doubles survive where the range is not tested.
            gradual: Choice::Known(o.gradual || !f.ranged()),
            after: Choice::Known(o.after),
            single: Choice::Known(o.single),
            saturate: Choice::Known(o.saturate),
            top_nan: Choice::Known(matches!(o.top, Top::Nan)),
            top_numbers: Choice::Known(matches!(o.top, Top::Numbers)),
            extended: Choice::Known(o.extended()),
        }
    }

    /// The format that a word holds ([`Format::word`]), which must be one.
    #[inline(always)]
    pub fn asked(word: M::U32) -> Self {
        let n = |n: u32| M::U32::lit(n.into());
        let field = |at: u32, bits: u32| word.shr(n(at)) & n((1 << bits) - 1);
        let bit = |at: u32| Choice::Asked(!(word & n(1 << at)).eq(n(0)));
        let mode = |mode: Mode| Choice::Asked(field(10, 3).eq(n(mode as u32)));
        let top = |top: Top| Choice::Asked(field(17, 2).eq(n(top as u32)));
        let exponent = field(0, 4);
        let native = Choice::Asked(exponent.eq(n(11)));
        let ranged = native.not().or(bit(19));
        Layout {
            exponent: Size::Asked(exponent),
            mantissa: Size::Asked(field(4, 6)),
            known: None,
            ranged,
            native,
            zero: mode(Mode::Zero),
            up: mode(Mode::Up),
            down: mode(Mode::Down),
            away: mode(Mode::Away),
            stochastic: mode(Mode::Stochastic),
            gradual: bit(13).or(ranged.not()),
            after: bit(14),
            single: bit(15),
            saturate: bit(16),
            top_nan: top(Top::Nan),
            top_numbers: top(Top::Numbers),
            extended: Choice::Asked(!(word & n(Options::EXTENDED)).eq(n(0))),
        }
    }

    /// 52 - M.
    #[inline(always)]
    pub(super) fn dropped(&self) -> M::U32 {
        match self.mantissa {
            Size::Known(m) => M::U32::lit(52u64.wrapping_sub(m.into())),
            Size::Asked(m) => int::<M>(52) - m,
        }
    }

    /// 2^(52 - M).
    #[inline(always)]
    pub(super) fn unit(&self) -> M::U64 {
        match self.mantissa {
            Size::Known(m) => M::U64::lit((1u64 << 52).wrapping_shr(m)),
            Size::Asked(_) => M::U64::lit(1).shl(self.dropped()),
        }
    }

    /// 2^(52 - M) / 2 - 1, where M < 52.
    #[inline(always)]
    pub(super) fn below_half(&self) -> M::U64 {
        match self.mantissa {
            Size::Known(m) => M::U64::lit((1u64 << 51).wrapping_shr(m).wrapping_sub(1)),
            Size::Asked(_) => self.unit().shr(int::<M>(1)) - M::U64::lit(1),
        }
    }

    /// Whether the significand is shorter than a double's.
    #[inline(always)]
    pub(super) fn rounds(&self) -> Choice<M> {
        match self.mantissa {
            Size::Known(m) => Choice::Known(m < 52),
            Size::Asked(m) => Choice::Asked(!m.eq(int::<M>(52))),
        }
    }

    #[inline(always)]
    fn bias(&self) -> M::U32 {
        match self.known {
            Some(f) => int::<M>(f.bias()),
            None => M::U32::lit(1).shl(self.exponent.word() - int::<M>(1)) - int::<M>(1),
        }
    }

    /// The exponent of the smallest normal number.
    #[inline(always)]
    pub(super) fn emin(&self) -> M::U32 {
        match self.known {
            Some(f) => int::<M>(f.emin()),
            None => int::<M>(1) - self.bias(),
        }
    }

    /// The exponent of the largest number.
    #[inline(always)]
    pub(super) fn emax(&self) -> M::U32 {
        match self.known {
            Some(f) => int::<M>(f.emax()),
            None => self.largest().shr(int::<M>(52)).to_u32() - int::<M>(1023),
        }
    }

    /// The bits of the largest number.
    #[inline(always)]
    pub(super) fn largest(&self) -> M::U64 {
        if let Some(f) = self.known {
            return M::U64::lit(f.max_bits());
        }
        let (e, m, one) = (self.exponent.word(), self.mantissa.word(), M::U64::lit(1));
        let above = self.top_nan.pick(|| one, || one.shl(m));
        let above = self.top_numbers.pick(|| M::U64::lit(0), || above);
        let code = one.shl(e + m) - one - above;
        code.shl(self.dropped()) + (int::<M>(1023) - self.bias()).to_u64().shl(int::<M>(52))
    }

    /// The bits of the smallest normal number.
    #[inline(always)]
    pub(super) fn least(&self) -> M::U64 {
        match self.known {
            Some(f) => M::U64::lit(((f.emin() + 1023) as u64) << 52),
            None => (self.emin() + int::<M>(1023)).to_u64().shl(int::<M>(52)),
        }
    }

    /// The high word of 2^emin, and that of 2^(bias + 1), the first power of two beyond an IEEE range.
    #[inline(always)]
    pub(super) fn high_words(&self) -> (M::U32, M::U32) {
        match self.exponent {
            Size::Known(e) => {
                let bias = 1u32.wrapping_shl(e.wrapping_sub(1)).wrapping_sub(1);
                let word = |x: u32| M::U32::lit(u64::from(x.wrapping_shl(20)));
                (word(1024u32.wrapping_sub(bias)), word(1024u32.wrapping_add(bias)))
            }
            Size::Asked(_) => {
                let word = |bias: M::U32| bias.shl(int::<M>(20));
                (word(int::<M>(1024) - self.bias()), word(int::<M>(1024) + self.bias()))
            }
        }
    }

    /// The bits of 2^(emin - M), the smallest subnormal number, where E < 11.
    #[inline(always)]
    pub(super) fn step(&self) -> M::U64 {
        match self.known {
            Some(f) => M::U64::lit(((f.emin() - f.mantissa() as i32 + 1023).max(0) as u64) << 52),
            None => (self.emin() - self.mantissa.word() + int::<M>(1023)).to_u64().shl(int::<M>(52)),
        }
    }

    /// Whether square roots may lie below the normal numbers: that of the smallest subnormal number, 2^((emin - M)/2), may.
    #[inline(always)]
    pub(super) fn deep(&self) -> bool {
        self.known.is_none_or(|f| f.options().gradual && f.mantissa() as i32 > -f.emin())
    }

    /// Whether no product, quotient or error of one of operands in the format can underflow or overflow in double.
    #[inline(always)]
    pub(super) fn moderate(&self) -> bool {
        self.known.is_some_and(|f| f.exponent() <= 9)
    }
}

/// Where the algorithms get a format from.
pub trait Described<M: WordMachine>: Copy {
    /// Whether it is known to have the published reduction, so that no other is built.
    const PLAIN: bool = false;
    /// Whether it is known to round the double result.
    const TWICE: bool = false;
    /// The format.
    fn layout(&self) -> Layout<M>;
}

impl<M: WordMachine> Described<M> for &Layout<M> {
    #[inline(always)]
    fn layout(&self) -> Layout<M> {
        **self
    }
}

/// A format in a type.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<const E: u32, const M: u32, O: Rules>(PhantomData<O>);

impl<const E: u32, const M: u32, O: Rules> Fixed<E, M, O> {
    const FORMAT: Format = Format::of(E, M, O::OPTIONS);

    /// It.
    #[inline(always)]
    pub const fn new() -> Self {
        Fixed(PhantomData)
    }
}

impl<const E: u32, const M: u32, O: Rules> Default for Fixed<E, M, O> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: WordMachine, const E: u32, const M: u32, O: Rules> Described<W> for Fixed<E, M, O> {
    const PLAIN: bool = !O::OPTIONS.extended();
    const TWICE: bool = !O::OPTIONS.single;
    #[inline(always)]
    fn layout(&self) -> Layout<W> {
        let Fixed(_) = self;
        Layout { exponent: Size::Known(E), mantissa: Size::Known(M), ..Layout::known(const { Self::FORMAT }) }
    }
}

/// A signed constant in a word.
#[inline(always)]
pub(super) fn int<M: WordMachine>(n: i32) -> M::U32 {
    M::U32::lit(n as u32 as u64)
}

/// Bits of a double that are needed again and again.
pub(super) const SIGN: u64 = 1 << 63;
pub(super) const INFINITY: u64 = 0x7ff << 52;
pub(super) const NAN: u64 = 0x7ff8 << 48;
pub(super) const FRACTION: u64 = (1 << 52) - 1;

/// Whether a double is infinite or NaN, by its high word.
#[inline(always)]
pub(super) fn is_special<M: WordMachine>(v: M::U64) -> M::Mask {
    !high::<M>(v).lt(int::<M>(0x7ff0_0000))
}

/// The high word without the sign.
#[inline(always)]
pub(super) fn high<M: WordMachine>(v: M::U64) -> M::U32 {
    v.shr(int::<M>(32)).to_u32() & int::<M>(0x7fff_ffff)
}

/// `a` where `m` is true.
#[inline(always)]
pub(super) fn pick<M: WordMachine>(m: M::Mask, a: M::U64, b: M::U64) -> M::U64 {
    <M::U64 as Value>::select(m, a, b)
}
