//! Rounding of a double into a reduced format.

use super::layout::{Choice, Described, FRACTION, INFINITY, Layout, NAN, SIGN, high, int, is_special, pick};
use super::philox::Random;
use super::tail::{self, Tail};
use crate::machine::{IeeeLimb, Value, Word, WordMachine};

/// A magnitude between two neighbouring doubles.
///
/// Its value is (d + r ulp(d)) 2^offset, where d is the double of `bits` and r is 0, in (0, 1/2), 1/2 or in (1/2, 1) for
/// `rest` 0, 1, 2 or 3. Where the offset is not 0, d is normal, or 0 with an exponent below every range.
pub(super) struct Exact<M: WordMachine> {
    pub bits: M::U64,
    pub rest: M::U64,
    pub offset: M::U32,
    /// The sign bit alone.
    pub sign: M::U64,
    /// Where r is not 0, how far the value is from the nearest double.
    pub tail: Tail<M>,
}

impl<M: WordMachine> Exact<M> {
    /// floor(2^60 r).
    #[inline(always)]
    pub fn below(&self) -> M::U64 {
        let zero = M::U64::lit(0);
        match self.tail {
            Tail::Nothing => zero,
            tail => pick::<M>(self.rest.eq(zero), zero, tail.bits(self.bits, self.sign)),
        }
    }
}

/// Which numbers there are to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Any.
    All,
    /// Quotients of two numbers of the format: one next below a power of two is less than the number next below that, and does not round
    /// to the power.
    Quotients,
    /// Sums of two numbers of the format: multiples of its smallest number, so exact where they lie below its normal ones.
    Sums,
    /// Square roots of numbers of the format: neither beyond its range nor negative, and below its normal numbers only where there are
    /// subnormal ones, since the exponent is halved. Even there some of their digits are kept, so that rounding gives a double.
    Roots,
}

/// The double `v` in the format: the published reduction, or with options the general one. `j` is the number of the
/// random word.
#[inline(always)]
pub(super) fn reduce<M: WordMachine, F: Described<M>>(
    v: M::F64,
    format: F,
    reach: Reach,
    random: &Random<M>,
    j: u32,
) -> M::F64 {
    let f = &format.layout();
    if let Choice::Known(false) = f.extended.or(f.ranged).or(f.rounds()) {
        return v;
    }
    let v = v.bits();
    if F::PLAIN {
        return M::F64::from_bits(published(v, f, reach));
    }
    let general = || {
        let sign = v & M::U64::lit(SIGN);
        let x = Exact { bits: v ^ sign, rest: M::U64::lit(0), offset: int::<M>(0), sign, tail: Tail::Nothing };
        round(&x, format, reach, random, j)
    };
    M::F64::from_bits(f.extended.seldom(general, || published(v, f, reach)))
}

/// Range before rounding: exponents beyond the format give infinity or zero. Otherwise the magnitude as an integer, to a
/// multiple of 2^(52 - M), nearest, ties to even, the carry running into the exponent.
#[inline(always)]
fn published<M: WordMachine>(v: M::U64, f: &Layout<M>, reach: Reach) -> M::U64 {
    // Words first: a closure that held the layout would keep its constants from the compiler.
    let (dropped, below_half, unit) = (f.dropped(), f.below_half(), f.unit());
    let (least, beyond) = f.high_words();
    let odd = v.shr(dropped) & M::U64::lit(1);
    let nearest = (v + (below_half + odd)) & !(unit - M::U64::lit(1));
    let rounded = match f.rounds() {
        Choice::Known(true) => nearest,
        Choice::Known(false) => v,
        Choice::Asked(rounds) => pick::<M>(rounds, nearest, v),
    };
    match f.ranged {
        _ if reach == Reach::Roots => unranged::<M>(v, rounded),
        Choice::Known(true) => ranged::<M>(v, rounded, least, beyond),
        Choice::Known(false) => unranged::<M>(v, rounded),
        Choice::Asked(m) => pick::<M>(m, ranged::<M>(v, rounded, least, beyond), unranged::<M>(v, rounded)),
    }
}

/// `rounded` but for infinities and NaN.
#[inline(always)]
fn unranged<M: WordMachine>(v: M::U64, rounded: M::U64) -> M::U64 {
    pick::<M>(is_special::<M>(v), v, rounded)
}

/// `rounded` where the high word of `v` is in [least, beyond); otherwise zero, infinity or NaN.
#[inline(always)]
fn ranged<M: WordMachine>(v: M::U64, rounded: M::U64, least: M::U32, beyond: M::U32) -> M::U64 {
    let h = high::<M>(v);
    let outside = !(h - least).lt(beyond - least);
    M::branch(outside, rounded, move || {
        let sign = v & M::U64::lit(SIGN);
        let finite = pick::<M>(h.lt(least), sign, sign | M::U64::lit(INFINITY));
        pick::<M>(h.lt(int::<M>(0x7ff0_0000)), finite, v)
    })
}

/// Any mode, subnormal numbers, range after rounding, saturation, finite formats.
///
/// The significand is split into the part that is kept and a tail of up to 62 bits, to which the mode adds less than a unit
/// of the part kept; a carry rounds up. Where numbers are far below the smallest subnormal one the tail is cut to 60
/// bits and a sticky bit. Stochastic rounding has a tail of its own, [`Mode::Stochastic`](super::Mode::Stochastic).
#[inline]
pub(super) fn round<M: WordMachine>(
    x: &Exact<M>,
    format: impl Described<M>,
    reach: Reach,
    random: &Random<M>,
    j: u32,
) -> M::U64 {
    let f = &format.layout();
    let lit = M::U64::lit;
    let (zero, one) = (lit(0), lit(1));
    let field = x.bits.shr(int::<M>(52)).to_u32();
    let subnormal = field.eq(int::<M>(0));
    let fraction = x.bits & lit(FRACTION);
    let (significand, field) = if reach == Reach::Roots {
        // No root is subnormal, and a zero stays as it is.
        (fraction | lit(1 << 52), field)
    } else {
        let significand = pick::<M>(subnormal, fraction, fraction | lit(1 << 52));
        (significand, M::U32::select(subnormal, int::<M>(1), field))
    };
    let e = field - int::<M>(1023) + x.offset;
    // The magnitude as a double, where there is one.
    let word = significand + (e + int::<M>(1022)).to_u64().shl(int::<M>(52));

    // How many bits go.
    let deficit = f.emin() - e;
    let below = Choice::Asked(e.lt_signed(f.emin()));
    let gradual = match reach {
        Reach::All | Reach::Quotients => f.gradual,
        Reach::Sums | Reach::Roots => Choice::Known(false),
    };
    let tiny = gradual.and(below);
    let (dropped, kept, rest) = gradual.pick(
        || {
            let dropped = f.dropped() + below.pick(|| deficit, || int::<M>(0));
            let over = int::<M>(60).lt_signed(dropped);
            let by = dropped - int::<M>(60);
            let far = int::<M>(52).lt_signed(by);
            let shifted = pick::<M>(far, zero, significand.shr(by));
            let lost = pick::<M>(far, significand, significand & (one.shl(by) - one));
            let sticky = pick::<M>((lost | x.rest).eq(zero), zero, one);
            let dropped = M::U32::select(over, int::<M>(60), dropped);
            (dropped, pick::<M>(over, shifted, significand), pick::<M>(over, sticky, x.rest))
        },
        || {
            let deeper = if reach == Reach::Roots && f.deep() { below } else { Choice::Known(false) };
            let dropped = deeper.pick(|| f.dropped() + deficit, || f.dropped());
            (dropped, significand, x.rest)
        },
    );
    let unit = one.shl(dropped);
    let low = kept & (unit - one);
    let tail = low.shl(int::<M>(2)) | rest;
    let span = unit.shl(int::<M>(2));

    // What the mode adds. With no bit of the significand stored, a tie goes to the even exponent.
    let odd = tiny.pick(|| kept, || word).shr(dropped) & one;
    let half = span.shr(int::<M>(1));
    let negative = if reach == Reach::Roots { Choice::Known(false) } else { Choice::Asked(!x.sign.eq(zero)) };
    let outward = f.up.and(negative.not()).or(f.down.and(negative));
    let inward = f.zero.or(f.up.and(negative)).or(f.down.and(negative.not()));
    let add = half - one + odd;
    let add = f.away.pick(|| half, || add);
    let add = inward.pick(|| zero, || add);
    let add = outward.pick(|| span - one, || add);
    let at_random = || {
        let n = int::<M>(tail::BITS);
        let t = low.shl(n - dropped) | x.below().shr(dropped);
        ((random.word(j) & lit(tail::ONES)) + t).shr(n)
    };
    let carry = f.stochastic.seldom(at_random, || (tail + add).shr(dropped + int::<M>(2)));

    // Put together: a normal number, or a multiple of the smallest subnormal one.
    let normal = word - low + carry.shl(dropped);
    let rounded = gradual.pick(
        || {
            let steps = kept.shr(dropped) + carry;
            let exact = f.native.pick(
                || steps.shl(f.dropped()),
                || {
                    // 2^52 + steps, exactly.
                    let big = M::F64::from_bits(lit(0x433 << 52) + steps);
                    ((big - M::F64::from_bits(lit(0x433 << 52))) * M::F64::from_bits(f.step())).bits()
                },
            );
            below.pick(|| exact, || normal)
        },
        || {
            let empty = Choice::Asked(subnormal).or(below);
            match reach {
                Reach::All => {
                    // After rounding, a number next below the range may have become its smallest.
                    let far = Choice::Asked(e.lt_signed(f.emin() - int::<M>(1)) | normal.lt(f.least()));
                    let early = f.after.not().or(f.native);
                    empty.and(early.or(far)).pick(|| zero, || normal)
                }
                Reach::Sums => f.gradual.not().and(empty).pick(|| zero, || normal),
                Reach::Quotients => empty.pick(|| zero, || normal),
                Reach::Roots => normal,
            }
        },
    );
    if reach == Reach::Roots {
        let regular = (x.bits - lit(1 << 52)).lt(lit(INFINITY - (1 << 52)));
        return pick::<M>(regular, rounded, x.bits) | x.sign;
    }

    // Overflow.
    let largest = f.largest();
    let beyond = f.emax().lt_signed(e);
    let above = f.after.or(f.native).and(Choice::Asked(largest.lt(rounded)));
    let over = Choice::Asked(beyond).or(above);
    let special = f.top_numbers.pick(|| largest, || f.top_nan.pick(|| lit(NAN), || lit(INFINITY)));
    let infinite = f.saturate.pick(|| largest, || special);
    let overflow = inward.pick(|| largest, || infinite);
    let magnitude = over.pick(|| overflow, || rounded);
    let magnitude = pick::<M>(x.bits.eq(lit(INFINITY)), infinite, magnitude);
    let magnitude = pick::<M>(lit(INFINITY).lt(x.bits), x.bits, magnitude);
    magnitude | x.sign
}
