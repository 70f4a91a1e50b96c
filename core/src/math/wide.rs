//! Numbers of several 64-bit words, the highest first, as tables of bits and remainders need. Arithmetic wraps.

use crate::machine::{IeeeLimb, U32, U64, Value, Word, WordMachine};
use core::array::from_fn;

/// 1 where s = a + carry is below carry, which is where it left the word.
fn carry_of<M: WordMachine>(s: M::U64, a: M::U64) -> M::U64 {
    Value::select(s.lt(a), M::U64::lit(1), M::U64::lit(0))
}

/// a + b, or a - b.
pub(super) fn add<M: WordMachine, const N: usize>(a: [M::U64; N], b: [M::U64; N], less: M::Mask) -> [M::U64; N] {
    let lit = M::U64::lit;
    let flip: M::U64 = Value::select(less, lit(!0), lit(0));
    let mut carry = flip & lit(1);
    let mut out = a;
    for i in (0..N).rev() {
        let b = b[i] ^ flip;
        let s = a[i] + b;
        out[i] = s + carry;
        carry = carry_of::<M>(s, b) | carry_of::<M>(out[i], carry);
    }
    out
}

/// a m.
pub(super) fn times_word<M: WordMachine, const N: usize>(a: [M::U64; N], m: M::U64) -> [M::U64; N] {
    let mut carry = M::U64::lit(0);
    let mut out = a;
    for i in (0..N).rev() {
        out[i] = m * a[i] + carry;
        carry = m.mul_hi(a[i]) + carry_of::<M>(out[i], carry);
    }
    out
}

/// a < b.
pub(super) fn lt<M: WordMachine, const N: usize>(a: [M::U64; N], b: [M::U64; N]) -> M::Mask {
    let mut below = a[N - 1].lt(b[N - 1]);
    for i in (0..N - 1).rev() {
        below = a[i].lt(b[i]) | (a[i].eq(b[i]) & below);
    }
    below
}

/// a = 0.
pub(super) fn is_zero<M: WordMachine, const N: usize>(a: [M::U64; N]) -> M::Mask {
    M::is_zero(a.into_iter().reduce(|a, b| a | b).expect("a word"))
}

/// `a` where `m` is true, `b` elsewhere.
pub(super) fn select<M: WordMachine, const N: usize>(m: M::Mask, a: [M::U64; N], b: [M::U64; N]) -> [M::U64; N] {
    from_fn(|i| Value::select(m, a[i], b[i]))
}

/// Word i, 0 beyond the last.
fn word<M: WordMachine, const N: usize>(words: &[M::U64; N], i: usize) -> M::U64 {
    words.get(i).copied().unwrap_or(M::U64::lit(0))
}

/// The words times 2^n, n below 64.
pub(super) fn shl<M: WordMachine, const N: usize>(words: [M::U64; N], n: M::U32) -> [M::U64; N] {
    from_fn(|i| funnel::<M>(words[i], word::<M, N>(&words, i + 1), n))
}

/// The words over 2^n, n from 1 to 63, rounded down.
pub(super) fn shr<M: WordMachine, const N: usize>(words: [M::U64; N], n: u64) -> [M::U64; N] {
    let up = M::U32::lit(64 - n);
    from_fn(|i| if i == 0 { words[0].shr(M::U32::lit(n)) } else { funnel::<M>(words[i - 1], words[i], up) })
}

/// The high word of (high, low) 2^n, n below 64.
pub(super) fn funnel<M: WordMachine>(high: M::U64, low: M::U64, n: M::U32) -> M::U64 {
    high.shl_within(n) | low.shr_within(M::U32::lit(1)).shr_within(M::U32::lit(63) - n)
}

/// The words shifted left until the highest bit is set, and how far; 0 and all bits for 0.
pub(super) fn normalized<M: WordMachine, const N: usize>(mut words: [M::U64; N]) -> ([M::U64; N], M::U32) {
    let mut zeros = M::U32::lit(0);
    // Whole words, then bits.
    for _ in 1..N {
        let skip = M::is_zero(words[0]);
        words = from_fn(|i| Value::select(skip, word::<M, N>(&words, i + 1), words[i]));
        zeros = zeros + Value::select(skip, M::U32::lit(64), M::U32::lit(0));
    }
    let bits = words[0].clz();
    (shl::<M, N>(words, bits & M::U32::lit(63)), zeros + bits)
}

/// So many last bits of the integer part of m 2^n; n in two's complement.
pub(super) fn digits<M: WordMachine>(m: M::U64, n: M::U32, bits: u32) -> M::U64 {
    let chunk = m.unbounded_shl(n) | m.unbounded_shr(M::U32::lit(0) - n);
    if bits < 64 { chunk & M::U64::lit((1 << bits) - 1) } else { chunk }
}

/// The integer m and the field of the exponent of a limb's magnitude, which is 0 for subnormal numbers.
pub(super) fn significand<L: IeeeLimb>(a: L) -> (U64<L>, U64<L>)
where
    L::M: WordMachine,
{
    let bits = a.abs().bits().to_u64();
    let field = bits.shr(U32::<L>::lit(L::P as u64 - 1));
    let hidden = U64::<L>::lit(1 << (L::P - 1));
    let m = bits & (hidden - U64::<L>::lit(1));
    (<U64<L> as Value>::select(L::M::is_zero(field), m, m | hidden), field)
}

/// Of words whose highest bit is set the first p digits, rounded to nearest, ties to even, as an integer m from 2^(p - 1) to
/// 2^p; what is left, and whether that is less than m.
pub(super) fn rounded<M: WordMachine, const N: usize>(words: [M::U64; N], p: u32) -> (M::U64, [M::U64; N], M::Mask) {
    let lit = M::U64::lit;
    let m = words[0].shr(M::U32::lit((64 - p).into()));
    let unit = 1u64 << (64 - p);
    let mut rest = words;
    rest[0] = words[0] & lit(unit - 1);
    let at = |x: u64| from_fn(|i| lit(if i == 0 { x } else { 0 }));
    // Of an odd m a half is rounded up.
    let mut twice = rest;
    twice[N - 1] = rest[N - 1] | (m & lit(1));
    let up = lt::<M, N>(at(unit / 2), twice);
    let above = add::<M, N>(at(unit), rest, lit(0).eq(lit(0)));
    (m + Value::select(up, lit(1), lit(0)), select::<M, N>(up, above, rest), up)
}
