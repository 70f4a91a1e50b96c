//! Cases from a counter: the arguments of case `index` of seed `seed`, the same on every machine.
//!
//! One generic source generates on the host and is recorded and printed for devices. Random words come from the case's
//! index by wyrand's step (Wang 2019: the two halves of a double-width product, one xored onto the other). A *class* says how they are shaped; it is the same for
//! 32 cases in a row, so that threads that run together do the same work, and beyond the first 2^24 cases fifteen runs of
//! sixteen have classes that no function treats as rare. The first limb of an argument has one of
//! 32 classes: random bits, moderate and wide exponents, few significant bits, powers of two and their neighbours, the
//! edges of underflow (also that of products) and overflow, integers, special values. The second has one of 16
//! relations to the first: below half an ulp, a tie, zero of either sign, overlapping, above, independent. An argument
//! may also be near an earlier one or its negative, equal to it in other limbs, or near the product of two.

use super::shape::{Shape, special};
use crate::io::{Io, Kind};
use vernier::eft::two_sum;
use vernier::emu::unpacked;
use vernier::machine::{IeeeLimb, Limb, Machine, Value, Word, WordMachine};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// The logarithm of the number of cases in a row with one class.
pub(super) const RUN_BITS: u64 = 5;

const FACTOR: u64 = 0xff51_afd7_ed55_8ccd;

/// The hash of a case's index.
#[inline(always)]
pub(super) fn hashed<M: WordMachine>(index: M::U64) -> M::U64 {
    (index + M::U64::lit(1)) * M::U64::lit(GOLDEN)
}

/// A hash with one more word.
#[inline(always)]
pub(super) fn with_word<M: WordMachine>(hash: M::U64, bits: M::U64) -> M::U64 {
    let h = (hash ^ bits) * M::U64::lit(FACTOR);
    h ^ h.shr(M::U32::lit(32))
}

/// A hash of one word.
#[inline(always)]
fn mix<M: WordMachine>(x: M::U64) -> M::U64 {
    let y = x ^ M::U64::lit(0xe703_7ed1_a0b4_28db);
    (x * y) ^ x.mul_hi(y)
}

/// An argument by the types of its slots; the others hold nothing of use.
#[derive(Clone, Copy)]
struct Slots<M: WordMachine> {
    f32: [M::F32; 2],
    f64: [M::F64; 2],
    u32: [M::U32; 2],
    u64: [M::U64; 3],
    truth: M::Mask,
}

/// The earlier arguments over one limb type.
#[derive(Clone, Copy)]
struct Earlier<L> {
    count: usize,
    /// The last one and the one before it.
    last: [(L, L); 2],
}

impl<L: Copy> Earlier<L> {
    #[inline(always)]
    fn push(&mut self, x: (L, L)) {
        self.last = [x, self.last[0]];
        self.count += 1;
    }
}

/// The arguments of one case, in order; and a hash of the results that are put in.
pub struct Cases<M: WordMachine> {
    /// The counter of random words.
    base: M::U64,
    classes: M::U64,
    argument: u64,
    now: Slots<M>,
    slot: usize,
    singles: Earlier<M::F32>,
    doubles: Earlier<M::F64>,
    hash: M::U64,
}

impl<M: WordMachine> Cases<M> {
    /// Case `index` of seed `seed`.
    #[inline(always)]
    pub fn new(seed: M::U64, index: M::U64) -> Self {
        Self::in_run(seed, Self::classes(seed, index.shr(M::U32::lit(RUN_BITS))), index)
    }

    /// The classes of the arguments in a run of cases.
    #[inline(always)]
    pub(super) fn classes(seed: M::U64, run: M::U64) -> M::U64 {
        let classes = mix::<M>(mix::<M>(seed ^ M::U64::lit(0xd1b5_4a32_d192_ed03)) + run * M::U64::lit(GOLDEN));
        let early = run.lt(M::U64::lit(1 << (24 - RUN_BITS)));
        let any = classes.shr(M::U32::lit(60)).to_u32().lt(M::U32::lit(1));
        // The upper half of both tables: bit 4 of the first limb's class, bit 3 of the second's.
        M::U64::select(early | any, classes, classes | M::U64::lit(0x0110_0110_0110_0110))
    }

    /// Case `index` of seed `seed`, where the classes of its run are at hand.
    #[inline(always)]
    pub(super) fn in_run(seed: M::U64, classes: M::U64, index: M::U64) -> Self {
        let (zero, golden) = (M::U64::lit(0), M::U64::lit(GOLDEN));
        let (f32, f64) = (M::F32::lit(0.0), M::F64::lit(0.0));
        Cases {
            base: mix::<M>(seed ^ golden) + index * M::U64::lit(GOLDEN.wrapping_mul(16)),
            classes,
            argument: 0,
            now: Slots { f32: [f32; 2], f64: [f64; 2], u32: [M::U32::lit(0); 2], u64: [zero; 3], truth: zero.eq(zero) },
            slot: 0,
            singles: Earlier { count: 0, last: [(f32, f32); 2] },
            doubles: Earlier { count: 0, last: [(f64, f64); 2] },
            hash: hashed::<M>(index),
        }
    }

    /// The hash of the case's index and results, NaN payloads aside.
    #[inline(always)]
    pub fn hash(&self) -> M::U64 {
        self.hash
    }

    #[inline(always)]
    fn draw(&self, k: u64) -> M::U64 {
        mix::<M>(self.base + M::U64::lit(GOLDEN.wrapping_mul(3 * self.argument + k + 1)))
    }

    /// `n` bits of the argument's class from bit `at` on.
    #[inline(always)]
    fn class(&self, at: u64, n: u64) -> M::U32 {
        self.classes.shr(M::U32::lit(16 * self.argument + at)).to_u32() & M::U32::lit((1 << n) - 1)
    }

    #[inline(always)]
    fn pick(&self) -> Pick<M::U32> {
        Pick { shape: self.class(0, 5), lo: self.class(5, 4), relation: self.class(9, 3) }
    }

    #[inline(always)]
    fn pair32(&mut self) {
        let (a, b) = (self.draw(0), self.draw(1));
        let high = |x: M::U64| x.shr(M::U32::lit(32)).to_u32();
        let random = [a.to_u32(), b.to_u32(), high(a), high(b)];
        let x = pair::<M::F32>(&self.pick(), random, &self.singles);
        self.singles.push(x);
        self.now.f32 = [x.0, x.1];
    }

    #[inline(always)]
    fn pair64(&mut self) {
        let (a, b, c) = (self.draw(0), self.draw(1), self.draw(2));
        let random = [a, b, c, b.shr(M::U32::lit(32))];
        let x = pair::<M::F64>(&self.pick(), random, &self.doubles);
        self.doubles.push(x);
        self.now.f64 = [x.0, x.1];
    }

    /// An unpacked double: the first limb of a pair with digits of the second one below its own, and for one in 16 an
    /// exponent that has drifted.
    #[inline(always)]
    fn unpacked(&mut self) {
        self.pair64();
        let [x, guard] = self.now.f64.map(|limb| limb.bits());
        let (sign, exponent, significand) = unpacked::unpack::<M>(x);
        let drift = guard.shr(M::U32::lit(9));
        let drifted = (drift & M::U64::lit(15)).eq(M::U64::lit(15));
        let drift = M::U32::select(drifted, drift.to_u32().sar(M::U32::lit(4)), M::U32::lit(0));
        let digits = significand | (guard & M::U64::lit(0x1ff));
        let zero = significand.eq(M::U64::lit(0));
        let digits = M::U64::select(zero, significand, digits);
        let (sign, exponent, significand) = unpacked::canonical::<M>((sign, exponent + drift, digits));
        self.now.u32 = [sign, exponent];
        self.now.u64[2] = significand;
    }

    /// An integer of 64 bits: random, of random size, few bits, next to a power of two; or its complement.
    #[inline(always)]
    fn integer(&mut self, r: M::U64, extra: M::U64) -> M::U64 {
        let (kind, one) = (self.class(0, 2), M::U32::lit(1));
        let n = extra.to_u32();
        let sized = r.shr(n);
        let few = sized & M::U64::lit(u64::MAX).shl(extra.shr(M::U32::lit(8)).to_u32());
        let delta = extra.shr(M::U32::lit(16)) & M::U64::lit(3);
        let power = M::U64::lit(1).shl(n) + delta - M::U64::lit(1);
        let x = M::U64::select(kind.eq(one), sized, r);
        let x = M::U64::select(kind.eq(M::U32::lit(2)), few, x);
        let x = M::U64::select(kind.eq(M::U32::lit(3)), power, x);
        let negative = !(extra.shr(M::U32::lit(20)) & M::U64::lit(1)).eq(M::U64::lit(0));
        M::U64::select(negative, !x, x)
    }

    /// The low `bits` bits of an integer, sign-extended or zero-extended in 32.
    #[inline(always)]
    fn narrow(&mut self, bits: u64, signed: bool) {
        let (a, b) = (self.draw(0), self.draw(1));
        let n = M::U32::lit(32 - bits);
        let x = self.integer(a, b).to_u32().shl(n);
        self.now.u32[0] = if signed { x.sar(n) } else { x.shr(n) };
    }

    /// 128 bits: two words, shifted down by up to 127.
    #[inline(always)]
    fn wide(&mut self) {
        let (a, b, c) = (self.draw(0), self.draw(1), self.draw(2));
        let hi = self.integer(a, b);
        let lo = self.integer(c, b.shr(M::U32::lit(32)));
        let negative = hi.sar(M::U32::lit(63));
        let small = !(b.shr(M::U32::lit(40)) & M::U64::lit(1)).eq(M::U64::lit(0));
        let hi = M::U64::select(small, negative, hi);
        self.now.u64[..2].copy_from_slice(&[hi, lo]);
    }

    /// A binary128: exponents over all its range, or that of one of the limbs, and fractions that end near the digits
    /// of one limb or two.
    #[inline(always)]
    fn quad(&mut self) {
        let (a, b, c) = (self.draw(0), self.draw(1), self.draw(2));
        let table = |t, i| <M::U64 as Word>::table(t, i);
        let shape = table(&QUAD, self.class(0, 4));
        let n = M::U32::lit;
        let exponent = (shape & M::U64::lit(0x7fff)) + (b & shape.shr(n(15)) & M::U64::lit(0x7fff));
        let cut = table(&CUTS, self.class(4, 4)).to_u32();
        let top = M::U64::lit(u64::MAX);
        let beyond = !cut.lt(n(64));
        let lo = M::U64::select(beyond, M::U64::lit(0), c & top.shl(cut));
        let fraction = a & M::U64::select(beyond, top.shl(cut), top) & M::U64::lit((1 << 48) - 1);
        let delta = (b.shr(n(16)) & M::U64::lit(3)) - M::U64::lit(1);
        let neighbour = (b.shr(n(18)) & M::U64::lit(3)).eq(M::U64::lit(0));
        let lo = lo + M::U64::select(neighbour, delta, M::U64::lit(0));
        self.now.u64[..2].copy_from_slice(&[(a & M::U64::lit(1 << 63)) | exponent.shl(n(48)) | fraction, lo]);
    }

    /// A reduced format: any sizes; no options in half of the runs, otherwise any.
    #[inline(always)]
    fn format(&mut self) {
        let n = M::U32::lit;
        let (a, b) = (self.draw(0).to_u32(), self.draw(1).to_u32());
        // One of `count`, by 16 bits.
        let one_of = |word: M::U32, at: u64, count: u64| (word.shr(n(at)) & n(0xffff)) * n(count);
        let one_of = |word, at, count| one_of(word, at, count).shr(n(16));
        let (e, m) = (one_of(a, 0, 10) + n(2), one_of(a, 16, 53));
        let native = e.eq(n(11));
        let top = M::U32::select(native, n(0), one_of(b, 0, 3));
        let flags = (b.shr(n(16)) & n(0b1111)).shl(n(13)) | (b.shr(n(20)) & n(1)).shl(n(19));
        let options = one_of(b, 16, 6).shl(n(10)) | flags | top.shl(n(17));
        let published = (self.class(0, 1)).eq(n(0));
        self.now.u32[0] = e | m.shl(n(4)) | M::U32::select(published, n(0), options);
    }

    #[inline(always)]
    fn put(&mut self, bits: M::U64) {
        self.hash = with_word::<M>(self.hash, bits);
    }

    #[inline(always)]
    fn next(&mut self) -> usize {
        self.slot += 1;
        self.slot - 1
    }
}

/// Exponent base and mask of a binary128, 15 bits each: moderate, all, and the edges of binary32 and binary64.
static QUAD: [u64; 16] = {
    const fn shape(base: i64, mask: u64) -> u64 {
        (16383 + base) as u64 | mask << 15
    }
    let moderate = shape(-8, 15);
    let mut t = [moderate; 16];
    t[0] = shape(-16383, 0x7fff);
    t[1] = shape(-16383, 0);
    t[2] = shape(16384, 0);
    t[3] = shape(-180, 63);
    t[4] = shape(120, 15);
    t[5] = shape(-1100, 127);
    t[6] = shape(1016, 15);
    t[7] = shape(0, 127);
    t[8] = shape(-64, 127);
    t
};

/// Low bits of the 112 that are cleared: none, or all but the digits of a limb or a pair and one or two more.
static CUTS: [u64; 16] = {
    let mut t = [0; 16];
    let digits = [24, 25, 48, 49, 50, 53, 54, 106, 107, 108, 1];
    let mut i = 0;
    while i < digits.len() {
        t[i] = 112 - (digits[i] - 1);
        i += 1;
    }
    t
};

/// The classes of an argument.
struct Pick<U> {
    shape: U,
    lo: U,
    relation: U,
}

/// The bits of a computed limb: machines give NaNs different ones.
#[inline(always)]
fn bits_of<L>(x: L) -> L::Bits
where
    L: IeeeLimb,
    On<L>: WordMachine,
    L::Bits: Word<M = On<L>>,
{
    let nan = if L::P == 24 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 };
    <L::Bits as Value>::select(x.eq(x), x.bits(), L::Bits::lit(nan))
}

/// The machine of a limb.
type On<L> = <L as Value>::M;

/// A pair. `random`: hi, choices for hi, lo, choices for lo.
#[inline(always)]
fn pair<L>(pick: &Pick<<On<L> as WordMachine>::U32>, random: [L::Bits; 4], earlier: &Earlier<L>) -> (L, L)
where
    L: IeeeLimb,
    On<L>: WordMachine,
    L::Bits: Word<M = On<L>>,
{
    let n = |n: u64| <On<L> as WordMachine>::U32::lit(n);
    let lit = |x: u64| L::Bits::lit(x);
    let select = |m, a, b| <L::Bits as Value>::select(m, a, b);
    let set = |x: L::Bits| !x.eq(lit(0));
    let s = Shape::of(L::P, L::Bits::BITS);
    let [r, choice, r_lo, choice_lo] = random;
    let exponent_at = n(s.p - 1);

    // The first limb.
    let d = L::Bits::table(s.shapes, pick.shape);
    let exponent = (d & lit(0x7ff)) + (choice & d.shr(n(11)) & lit(0x7ff));
    let cut = d.shr(n(22)).to_u32() & n(63);
    let fraction = (r & lit(s.fraction)).shr(cut).shl(cut);
    let spread = d.shr(n(28)) & lit(3);
    let delta = (choice.shr(n(11)) & spread) - spread.shr(n(1));
    let sign = r & lit(s.sign);
    let hi = (sign | exponent.shl(exponent_at) | fraction) + delta;
    let hi = select(set(d & lit(1 << 30)), L::Bits::table(special(s.p), choice.shr(n(13)).to_u32() & n(15)) | sign, hi);

    // The second limb.
    let d = L::Bits::table(s.relations, pick.lo);
    let below = (d & lit(0xff)) + (choice_lo & d.shr(n(8)) & lit(0xff));
    let above = (hi.shr(exponent_at) & lit(s.exponents)) + lit(64);
    let exponent = select(above.lt(below), lit(0), above - below);
    let exponent = select(lit(s.exponents).lt(exponent), lit(s.exponents), exponent);
    let exponent = select(set(d & lit(1 << 24)), choice_lo.shr(n(8)) & lit(s.exponents), exponent);
    let cut = d.shr(n(16)).to_u32() & n(63);
    let fraction = (r_lo & lit(s.fraction)).shr(cut).shl(cut);
    let spread = d.shr(n(22)) & lit(3);
    let delta = (choice_lo.shr(n(20)) & spread) - spread.shr(n(1));
    let lo = ((r_lo & lit(s.sign)) | exponent.shl(exponent_at) | fraction) + delta;
    let zero = select(set(d & lit(1 << 26)), r_lo & lit(s.sign), lit(0));
    let lo = select(set(d & lit(1 << 25)), zero, lo);
    if earlier.count == 0 {
        return (L::from_bits(hi), L::from_bits(lo));
    }

    // Its relation to earlier arguments.
    let is = |k: u64| pick.relation.eq(n(k));
    let [(x_hi, x_lo), (y_hi, y_lo)] = earlier.last;
    let delta = (choice.shr(n(17)) & lit(3)) - lit(1);
    let delta_lo = (choice_lo.shr(n(22)) & lit(3)) - lit(1);
    let (near_hi, near_lo) = if earlier.count == 1 {
        // The same value in other limbs.
        let (sum, error) = two_sum(x_hi, x_lo);
        let same = (is(5), bits_of(sum) ^ sign, bits_of(error) ^ sign);
        let hi = select(same.0, same.1, (x_hi.bits() ^ sign) + select(is(7), delta, lit(0)));
        (hi, select(same.0, same.2, (x_lo.bits() ^ sign) + delta_lo))
    } else {
        // The product of the two, its error as the second limb.
        let product = x_hi * y_hi;
        let error = x_hi.fma(y_hi, -product) + (x_hi * y_lo + x_lo * y_hi);
        ((bits_of(product) ^ sign) + select(is(7), delta, lit(0)), (bits_of(error) ^ sign) + delta_lo)
    };
    // Relations: 5 and 6 take both limbs, 7 the first one.
    let both = is(5) | is(6);
    let hi = select(both | is(7), near_hi, hi);
    (L::from_bits(hi), L::from_bits(select(both, near_lo, lo)))
}

impl<M: WordMachine> Io<M> for Cases<M> {
    #[inline(always)]
    fn param(&mut self, kind: Kind) {
        match kind {
            // Those of two values are results only.
            Kind::F32 | Kind::Pair32 | Kind::Pair32I32 | Kind::Pair32Pair => self.pair32(),
            Kind::F64 | Kind::Pair64 | Kind::Pair64I32 | Kind::Pair64Pair => self.pair64(),
            Kind::Packed => {
                self.pair64();
                self.now.u64[0] = self.now.f64[0].bits();
            }
            // A pair of them is a result only.
            Kind::Unpacked | Kind::Unpacked2 => self.unpacked(),
            Kind::I8 => self.narrow(8, true),
            Kind::U8 => self.narrow(8, false),
            Kind::I16 => self.narrow(16, true),
            Kind::U16 => self.narrow(16, false),
            Kind::I32 | Kind::U32 => self.narrow(32, false),
            Kind::I64 | Kind::U64 => {
                let (a, b) = (self.draw(0), self.draw(1));
                self.now.u64[0] = self.integer(a, b);
            }
            Kind::Packed2 => {
                self.pair64();
                self.now.u64[..2].copy_from_slice(&self.now.f64.map(IeeeLimb::bits));
            }
            Kind::Format => self.format(),
            Kind::I128 | Kind::U128 => self.wide(),
            Kind::F128 => self.quad(),
            Kind::Bool => self.now.truth = (self.draw(0) & M::U64::lit(1)).eq(M::U64::lit(1)),
        }
        self.argument += 1;
        self.slot = 0;
    }
    #[inline(always)]
    fn f32(&mut self) -> M::F32 {
        let slot = self.next();
        self.now.f32[slot]
    }
    #[inline(always)]
    fn f64(&mut self) -> M::F64 {
        let slot = self.next();
        self.now.f64[slot]
    }
    #[inline(always)]
    fn u32(&mut self) -> M::U32 {
        let slot = self.next();
        self.now.u32[slot]
    }
    #[inline(always)]
    fn u64(&mut self) -> M::U64 {
        let slot = self.next();
        self.now.u64[slot]
    }
    #[inline(always)]
    fn truth(&mut self) -> M::Mask {
        self.now.truth
    }
    #[inline(always)]
    fn put_f32(&mut self, v: M::F32) {
        let bits = M::U32::select(v.eq(v), v.bits(), M::U32::lit(0x7fc0_0000));
        self.put(bits.to_u64());
    }
    #[inline(always)]
    fn put_f64(&mut self, v: M::F64) {
        let bits = M::U64::select(v.eq(v), v.bits(), M::U64::lit(0x7ff8_0000_0000_0000));
        self.put(bits);
    }
    #[inline(always)]
    fn put_u32(&mut self, v: M::U32) {
        self.put(v.to_u64());
    }
    #[inline(always)]
    fn put_u64(&mut self, v: M::U64) {
        self.put(v);
    }
    #[inline(always)]
    fn put_truth(&mut self, v: <M as Machine>::Mask) {
        self.put(M::U64::select(v, M::U64::lit(1), M::U64::lit(0)));
    }
}
