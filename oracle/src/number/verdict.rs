//! What a pair near the exact value says of a result, on any machine: the host's judge, and a device's, which is printed from it.
//!
//! A verdict is a word: the error in ulp as the bits of a double; or [`UNDECIDED`]; or that a special value is wrong, and how.

use super::Judged;
use super::tally::{BEYOND, STEPS};
use crate::format::Format;
use crate::measure::Mismatch;
use vernier::machine::{IeeeLimb, Limb, Value, Word, WordMachine, exp2};

/// How well a pair is known.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its error relative to its value, where its exponent lies between the next two.
    pub relative: f64,
    /// Least exponent.
    pub least: i32,
    /// Largest exponent.
    pub most: i32,
    /// So near to half an ulp it does not decide.
    pub doubt: f64,
}

/// Pairs of binary32, for results of 24 digits and less.
pub const SINGLE: Known = Known { relative: exp2(-44), least: -96, most: 126, doubt: exp2(-20) };
/// Pairs of binary64.
pub const DOUBLE: Known = Known { relative: exp2(-100), least: -900, most: 1000, doubt: exp2(-40) };
/// The same of a function whose error is relative to something larger than its value, for results of 24 digits and less.
pub const SCALED: Known = Known { relative: exp2(-44), doubt: exp2(-20), ..DOUBLE };

/// The pair does not decide.
pub const UNDECIDED: u64 = u64::MAX;

const INFINITY: u64 = 0x7ff << 52;
const SIGN: u64 = 1 << 63;
const WRONG: u64 = 0xfff << 51;

const MISMATCHES: [Mismatch; 6] = [
    Mismatch::Nan,
    Mismatch::NotNan,
    Mismatch::Infinite,
    Mismatch::NotInfinite,
    Mismatch::InfinitySign,
    Mismatch::ZeroSign,
];

/// The verdict that a special value is wrong.
fn wrong(how: Mismatch) -> u64 {
    WRONG + MISMATCHES.iter().position(|&m| m == how).unwrap_or(0) as u64
}

/// The mismatch of a number.
pub fn mismatch(kind: u64) -> Option<Mismatch> {
    MISMATCHES.get(kind as usize).copied()
}

/// What a verdict says; none where it is undecided.
#[inline(always)]
pub fn judged(verdict: u64) -> Option<Judged> {
    if verdict < INFINITY {
        return Some(Judged::of(f64::from_bits(verdict)));
    }
    mismatch(verdict.wrapping_sub(WRONG)).map(Judged::wrong)
}

/// The verdict on a result r where the exact value is near h + l. `signed_zero` says that the sign of a zero is defined.
#[inline(always)]
pub fn verdict<M: WordMachine>(
    (h, l): (M::F64, M::F64),
    r: M::F64,
    format: Format,
    known: &Known,
    signed_zero: bool,
) -> M::U64 {
    let (lit, limb) = (M::U64::lit, M::F64::lit);
    let place = |e: i32| lit((e + 1023).max(0) as u64);
    let fraction = lit((1 << 52) - 1);
    let (value, result) = (h.bits() & lit(!SIGN), r.bits() & lit(!SIGN));
    let exponent = value.shr(M::U32::lit(52));
    // The last digit's place, and what makes it 1.
    let last = exponent - lit(u64::from(format.p) - 1);
    let least = place(format.emin);
    let last = M::U64::select(exponent.lt(lit(u64::from(format.p) - 1)) | last.lt(least), least, last);
    let scale = M::F64::from_bits((lit(2046) - last).shl(M::U32::lit(52)));
    let ulp = ((r - h) - l).abs() * scale;
    // A power of two, or a number next to it: below it an ulp is half as large.
    let power = (value & fraction).eq(lit(0)) & least.lt(last);
    let sure = (h.abs() * limb(known.relative)).lt(l.abs());
    let below = !(l.lt(limb(0.0)) ^ limb(0.0).lt(h));
    let ulp = M::F64::select(power & sure & below, ulp + ulp, ulp);
    let open = power & !sure & limb(exp2(-22)).lt(ulp);
    let open = open | (ulp - limb(0.5)).abs().le(limb(known.doubt));
    let ulp = M::F64::select(ulp.lt(limb(f64::INFINITY)), ulp, limb(f64::MAX)).bits();
    // A zero of the other sign than a value below the smallest number is wrong.
    let (ulp, open) = if signed_zero && known.least <= format.emin {
        let other = result.eq(lit(0)) & !((h.bits() ^ r.bits()) & lit(SIGN)).eq(lit(0));
        let zero = M::U64::select(other & exponent.lt(least), lit(wrong(Mismatch::ZeroSign)), ulp);
        (zero, open | other & exponent.eq(least))
    } else {
        (ulp, open)
    };
    let usual = M::U64::select(open, lit(UNDECIDED), ulp);
    let most = place(known.most.min(format.emax));
    let inside = !exponent.lt(place(known.least)) & !most.lt(exponent) & result.lt(lit(INFINITY));
    M::branch(!inside, usual, || beyond::<M>(h, r, format, known, signed_zero))
}

/// The same where value or result are special, or the value is out of the range where the pair is known.
fn beyond<M: WordMachine>(h: M::F64, r: M::F64, format: Format, known: &Known, signed_zero: bool) -> M::U64 {
    let (lit, zero) = (M::U64::lit, M::U64::lit(0));
    let say = |how| lit(wrong(how));
    let place = |e: i32| lit((e + 1023).max(0) as u64);
    let (value, result) = (h.bits() & lit(!SIGN), r.bits() & lit(!SIGN));
    let exponent = value.shr(M::U32::lit(52));
    let other = !((h.bits() ^ r.bits()) & lit(SIGN)).eq(zero);
    let infinite = result.eq(lit(INFINITY));
    let nothing = value.eq(zero);
    let mut word = lit(UNDECIDED);
    let mut set = |mask, verdict| word = M::U64::select(mask, verdict, word);
    // Far below the smallest number only the result counts.
    if known.least + 64 < format.emin {
        let tiny = exponent.lt(place(known.least)) & !infinite;
        let error = (r.abs() * M::F64::lit(exp2(-format.emin))).bits();
        set(tiny, error);
        if signed_zero {
            set(tiny & result.eq(zero) & other, say(Mismatch::ZeroSign));
        }
    }
    // An infinite pair is larger than every number of the format.
    if known.most > format.emax + 2 {
        set(!infinite & place(format.emax + 2).lt(exponent), say(Mismatch::NotInfinite));
        set(infinite & !other & place(format.emax + 1).lt(exponent), zero);
    }
    set(infinite & !other & exponent.lt(place(format.emax - 1)) & !nothing, say(Mismatch::Infinite));
    set(infinite & other & !nothing, say(Mismatch::InfinitySign));
    let (none, nan) = (lit(INFINITY).lt(value), lit(INFINITY).lt(result));
    set(nan, say(Mismatch::Nan));
    set(none, say(Mismatch::NotNan));
    set(none & nan, zero);
    word
}

/// The step of the histogram that an error belongs to.
#[inline(always)]
pub fn bin<M: WordMachine>(ulp: M::U64) -> M::U32 {
    let lit = M::U32::lit;
    let exponent = ulp.shr(lit(52)).to_u32();
    let digits = (ulp & M::U64::lit((1 << 52) - 1)) | M::U64::lit(1 << 52);
    let within = digits.unbounded_shr(lit(1023 + 52 - u64::from(STEPS.ilog2())) - exponent).to_u32();
    let octave = exponent - lit(1023);
    let last = lit(BEYOND as u64 - 1);
    let octave = M::U32::select(last.lt(octave), last, octave);
    M::U32::select(exponent.lt(lit(1023)), within, lit(STEPS as u64) + octave)
}

/// How two results lie: bit 0, the first is less; bit 1, the second is; bit 2, they are not the same, NaN being one.
pub fn relation<M: WordMachine>((a, x): (M::U64, M::F64), (b, y): (M::U64, M::F64)) -> M::U64 {
    let (lit, zero) = (M::U64::lit, M::U64::lit(0));
    let same = a.eq(b) | !x.eq(x) & !y.eq(y);
    let less = M::U64::select(x.lt(y), lit(1), M::U64::select(y.lt(x), lit(2), zero));
    less | M::U64::select(same, zero, lit(4))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::Wrapping;
    use vernier::host::Host;

    #[test]
    fn words_and_bins() {
        for how in MISMATCHES {
            assert_eq!(judged(wrong(how)), Some(Judged::wrong(how)));
        }
        assert_eq!(judged(UNDECIDED), None);
        assert_eq!(judged(0.75f64.to_bits()).map(|j| (j.ulp, j.correct)), Some((0.75, false)));
        let bin = |ulp: f64| bin::<Host>(Wrapping(ulp.to_bits())).0 as usize;
        let last = STEPS + BEYOND - 1;
        assert_eq!([0.0, 1e-300, 0.5, 0.99, 1.0, 2.5, 1e300].map(bin), [0, 0, 32, 63, 64, 65, last]);
        for k in 0..64 {
            let edge = f64::from(k) / 64.0;
            assert_eq!((bin(edge), bin(edge.next_down().max(0.0))), (k as usize, (k as usize).saturating_sub(1)));
        }
        assert_eq!((bin(4f64.next_down()), bin(4.0)), (65, 66));
    }
}
