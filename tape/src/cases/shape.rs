//! The classes of generated limbs, as tables.

/// The format of a limb and its classes.
pub(super) struct Shape {
    /// Significand digits.
    pub p: u64,
    /// The sign bit.
    pub sign: u64,
    /// The fraction's bits.
    pub fraction: u64,
    /// The largest exponent field.
    pub exponents: u64,
    /// Of the first limb: exponent base (11 bits), mask of what is added to it (11), low fraction bits that are
    /// cleared (6), spread of neighbours (2: none, 0 to 1, -1 to 2), special value (1).
    pub shapes: &'static [u64; 32],
    /// Of the second limb: distance of exponents + 64 (8 bits), mask of what is added to it (8), low fraction bits that
    /// are cleared (6), spread of neighbours (2), exponent independent (1), zero (1), zero with a sign (1).
    pub relations: &'static [u64; 16],
}

impl Shape {
    /// Of a limb of `p` digits in a word of `width` bits.
    #[inline(always)]
    pub const fn of(p: u32, width: u32) -> Shape {
        let single = p == 24;
        Shape {
            p: p as u64,
            sign: 1 << (width - 1),
            fraction: (1 << (p - 1)) - 1,
            exponents: (1 << (width - p)) - 1,
            shapes: if single { &SHAPES32 } else { &SHAPES64 },
            relations: if single { &RELATIONS32 } else { &RELATIONS64 },
        }
    }
}

/// Special values of a limb of `p` digits.
#[inline(always)]
pub(super) const fn special(p: u64) -> &'static [u64; 16] {
    if p == 24 { &SPECIAL32 } else { &SPECIAL64 }
}

static SPECIAL32: [u64; 16] = specials(24, 127);
static SPECIAL64: [u64; 16] = specials(53, 1023);
static SHAPES32: [u64; 32] = shapes(24, 127);
static SHAPES64: [u64; 32] = shapes(53, 1023);
static RELATIONS32: [u64; 16] = relations(24);
static RELATIONS64: [u64; 16] = relations(53);

/// 0, the smallest and largest subnormal, the smallest normal, one and its neighbours, two, half, powers of two at the
/// end of the integers, the largest number and its neighbour, infinity, quiet and signalling NaN.
const fn specials(p: u32, bias: u64) -> [u64; 16] {
    let one = bias << (p - 1);
    let ulp_bit = 1 << (p - 1);
    let infinity = (2 * bias + 1) << (p - 1);
    let digits = p as u64;
    [
        0,
        0,
        1,
        ulp_bit - 1,
        ulp_bit,
        one - 1,
        one,
        one + 1,
        one + ulp_bit,
        one - ulp_bit,
        one + digits * ulp_bit,
        one + (digits - 1) * ulp_bit,
        infinity - 1,
        infinity,
        infinity | 1 << (p - 2),
        infinity | 1,
    ]
}

const fn shapes(p: u64, bias: i64) -> [u64; 32] {
    const fn shape(base: i64, mask: u64, cut: u64, spread: u64) -> u64 {
        base as u64 | mask << 11 | cut << 22 | spread << 28
    }
    let all = (2 * bias + 1) as u64;
    let single = p == 24;
    let moderate = shape(bias - 8, 15, 0, 0);
    let mut t = [moderate; 32];
    // Random bits.
    t[0] = shape(0, all, 0, 0);
    t[1] = t[0];
    t[2] = t[0];
    // Within 2^64 of one.
    t[3] = shape(bias - 63, 127, 0, 0);
    t[4] = t[3];
    // Powers of two.
    t[5] = shape(0, all, p - 1, 3);
    // Subnormal numbers, numbers whose second limb underflows, numbers next to overflow.
    t[6] = shape(0, 1, 0, 0);
    t[7] = shape(0, if single { 31 } else { 63 }, 0, 0);
    t[8] = shape(2 * bias + 1 - 3, 3, 0, 0);
    t[9] = shape(2 * bias + 1 - 63, 63, 0, 0);
    // Numbers whose squares underflow or overflow, or have parts that do.
    t[10] = shape(bias / 2 - 8, if single { 31 } else { 63 }, 0, 0);
    t[11] = shape(3 * bias / 2 - 8, 15, 0, 0);
    // Large integers with few bits.
    t[12] = shape(bias, 127, p - 1 - 4, 3);
    // The range ends of binary32, or exponents near one.
    t[13] = if single { shape(bias - 2, 3, 0, 0) } else { shape(bias - 152, 31, 0, 0) };
    t[14] = if single { shape(bias - 1, 1, 0, 0) } else { shape(bias + 112, 15, 28, 3) };
    // Special values.
    t[15] = 1 << 30;
    // From here on nothing rare. Few significant bits, also with neighbours.
    t[16] = shape(bias - 4, 7, p - 1 - 6, 0);
    t[17] = shape(bias - 4, 7, p - 1 - p / 2, 3);
    // Powers of two.
    t[18] = shape(bias - 8, 15, p - 1, 3);
    t[19] = shape(bias - 8, 15, p - 1, 0);
    // Integers.
    t[20] = shape(bias, 31, 0, 0);
    t[21] = shape(bias, 31, p - 1 - 10, 0);
    t
}

const fn relations(p: u64) -> [u64; 16] {
    const fn relation(distance: i64, mask: u64, cut: u64, spread: u64) -> u64 {
        (64 + distance) as u64 | mask << 8 | cut << 16 | spread << 22
    }
    let digits = p as i64;
    let below = relation(digits + 1, 3, 0, 0);
    let mut t = [below; 16];
    // Far below, overlapping, above, independent, zeros.
    t[0] = relation(digits + 1, 31, 0, 0);
    t[1] = relation(0, 31, 0, 0);
    t[2] = relation(digits - 1, 3, 0, 0);
    t[3] = relation(-8, 15, 0, 0);
    t[4] = 1 << 24;
    t[5] = 1 << 25;
    t[6] = 1 << 25 | 1 << 26;
    // From here on nothing rare. Half an ulp and its neighbours, zero, powers of two below.
    t[8] = relation(digits, 0, p - 1, 3);
    t[9] = relation(digits, 0, p - 1, 0);
    t[10] = 1 << 25;
    t[11] = relation(digits + 1, 15, p - 1, 0);
    t
}
