//! Directed operands for functions of the images of doubles: exponent fields at the ends, fields that differ by what shifts have
//! as thresholds, significands of few bits and runs, and operands made from a chosen sum, product, quotient or root:
//! exact ones, ties and what is just beside them, at the ends of the range too.

use super::inverse;
use crate::contract::noticing;
use vernier_oracle::generate::counter::{self, Words};
use vernier_tape::cases::arguments;
use vernier_tape::io::Kind;
use vernier_tape::registry::{Function, functions};

const SIGN: u64 = 1 << 63;
const ONE: u64 = 1 << 52;
const FRACTION: u64 = ONE - 1;
const UNIT: u64 = 1023 << 52;
const BIAS: i32 = 1023;
const SPECIAL: i32 = 0x7ff;
/// Thresholds of shifts, and places of digits that are kept or dropped.
const DISTANCES: [i32; 20] = [0, 1, 2, 9, 10, 11, 20, 24, 28, 29, 32, 42, 52, 53, 54, 62, 64, 106, 126, 128];
/// Exponents where conversions and levels change.
const ANCHORS: [i32; 16] = [-1, 7, 8, 15, 16, 23, 31, 32, 52, 63, 64, 127, -127, -149, 96 - BIAS, 160 - BIAS];

/// The slots that are images of doubles.
pub fn places(f: &Function) -> Vec<usize> {
    super::places(f, Kind::Packed, Kind::Packed2)
}

/// `n` cases; none of a function without images of doubles.
pub fn cases(f: &Function, seed: u64, n: u64) -> Vec<Vec<u64>> {
    let places = places(f);
    if places.is_empty() {
        return Vec::new();
    }
    let key = counter::named_key(seed, "packed");
    let case = |i: u64| {
        let words = &mut Words::new(key, i);
        let mut case = arguments(&f.params, seed, i);
        let operands = operands(places.len(), words);
        places.iter().zip(operands).for_each(|(&place, x)| case[place] = x);
        case
    };
    (0..n).map(case).collect()
}

/// For functions composed of products and sums: the kept cases of two operands as factors beside zeros, and as terms, and those
/// of three beside a one.
pub(super) fn composed(f: &Function) -> Vec<Vec<u64>> {
    let n = places(f).len();
    if n != f.tape.args.len() || !(3..=4).contains(&n) {
        return Vec::new();
    }
    let all = super::composed(&kept(), &kept(), UNIT, [0, SIGN]);
    if n == 3 {
        return all.into_iter().filter(|case| case[3] == UNIT).map(|case| case[..3].to_vec()).collect();
    }
    // Complex factors lie otherwise.
    all.into_iter().flat_map(|[a, b, c, d]| [vec![a, b, c, d], vec![a, c, b, d], vec![a, c, d, b]]).collect()
}

/// The kept cases of functions of `N` operands.
fn kept<const N: usize>() -> Vec<[u64; N]> {
    let alike = functions().iter().find(|g| g.params == [Kind::Packed; N]);
    alike.map(noticing::cases).unwrap_or_default().into_iter().filter_map(|case| case.try_into().ok()).collect()
}

/// Makes another case of one, in half of the calls and of functions with images of doubles; says whether it did.
pub fn mutate(places: &[usize], case: &mut [u64], words: &mut Words) -> bool {
    if places.is_empty() || words.one_in(2) {
        return false;
    }
    let (place, other) = (words.pick(places), case[words.pick(places)]);
    let x = case[place];
    case[place] = match words.below(10) {
        0 => operand(words),
        1 => addend(other, words),
        2 => factor(other, words),
        3 => image(x, field(other) + distance(words), x),
        4 => image(x, field(x) + words.between(-1, 1), x),
        5 => x ^ 1 << words.below(52),
        6 => x.wrapping_add(words.below(5)).wrapping_sub(2),
        7 => x & !0 << words.below(52),
        8 => image(x, field(x), significand(words)),
        _ => x ^ SIGN,
    };
    true
}

fn field(x: u64) -> i32 {
    (x >> 52) as i32 & SPECIAL
}

/// With the sign of `sign` and the fraction of `m`; below the range a subnormal number or zero, above it the largest number.
fn image(sign: u64, field: i32, m: u64) -> u64 {
    let m = m & FRACTION;
    let magnitude = match field {
        1..SPECIAL => (field as u64) << 52 | m,
        SPECIAL.. => (SPECIAL as u64) << 52 | if field == SPECIAL { m } else { 0 },
        _ => (ONE | m).checked_shr(1u32.saturating_add_signed(-field)).unwrap_or(0),
    };
    sign & SIGN | magnitude
}

/// (-1)^sign v 2^(field - bias - 52), rounded to odd.
fn rounded(sign: u64, field: i32, v: u128) -> u64 {
    if v == 0 {
        return sign & SIGN;
    }
    let digits = 128 - v.leading_zeros() as i32;
    let m = if digits > 53 {
        let cut = digits - 53;
        (v >> cut) as u64 | u64::from(v & ((1 << cut) - 1) != 0)
    } else {
        (v as u64) << (53 - digits)
    };
    image(sign, field + digits - 53, m)
}

fn distance(words: &mut Words) -> i32 {
    super::distance(words, &DISTANCES)
}

/// Digits that are the same in both halves of a word, shifted as words of significands are.
fn halves(words: &mut Words) -> u64 {
    let v = (words.sized(20) + 1) << words.below(12);
    (v << 32 | v) >> words.pick(&[0, 1, 2, 8, 9, 10, 11, 12])
}

/// In [2^52, 2^53).
fn significand(words: &mut Words) -> u64 {
    let (j, k) = (words.below(53), words.below(53));
    let low = |k: u64| (1u64 << k) - 1;
    let m = match words.below(10) {
        0 => 0,
        1 => FRACTION,
        2 => 1 << k,
        3 => FRACTION ^ 1 << k,
        4 => !low(k),
        5 => low(k),
        6 => low(j) ^ low(k),
        // A tie at a digit, or near it, or nothing below it.
        7 => {
            let k = if words.one_in(2) { words.pick(&[29, 32, 28, 24, 20, 42]) } else { k.max(1) };
            let half = 1 << (k - 1);
            words.next() & !low(k) | words.pick(&[0, 1, half - 1, half, half | 1, low(k)])
        }
        8 => halves(words),
        _ => words.next(),
    };
    let m = match words.below(8) {
        0 => m ^ 1,
        1 => m & !0xffff_ffff,
        2 => m | 0xffff_ffff,
        3 => m ^ 1 << j,
        _ => m,
    };
    m & FRACTION | ONE
}

fn operand(words: &mut Words) -> u64 {
    let near = words.between(-2, 2);
    let sign = words.next();
    let field = match words.below(11) {
        10 => words.between(0, 130),
        0 => words.pick(&[0, 0, SPECIAL]),
        1 => 1 - words.between(0, 53),
        2 => 1 + near.abs(),
        3 => SPECIAL - 1 - near.abs(),
        4 => words.between(0, SPECIAL),
        5 | 6 => BIAS + words.pick(&ANCHORS) + near,
        7 => words.pick(&[1, SPECIAL - 1]) / 2 + BIAS / 2 + near,
        _ => BIAS + words.between(-70, 70),
    };
    if (field == 0 || field == SPECIAL) && words.one_in(2) {
        // Zero, infinity, NaN of one bit.
        return sign & SIGN | (field as u64) << 52 | if words.one_in(3) { 1 << words.below(52) } else { 0 };
    }
    let m = significand(words);
    if field == 0 { sign & SIGN | m & FRACTION } else { image(sign, field, m) }
}

/// A finite number as field and significand, which may have leading zeros.
fn parts(x: u64) -> (i32, u64) {
    if field(x) == 0 { (1, x & FRACTION) } else { (field(x), x & FRACTION | ONE) }
}

/// What may be added to x.
fn addend(x: u64, words: &mut Words) -> u64 {
    let sign = if words.one_in(3) { words.next() } else { !x };
    let d = distance(words);
    let (ex, mx) = parts(x);
    match words.below(6) {
        _ if ex == SPECIAL => operand(words),
        0 => operand(words),
        1 => sign & SIGN | (x & !SIGN).wrapping_add(words.below(5)).wrapping_sub(2) & !SIGN,
        2 => image(sign, ex + d, if words.one_in(2) { mx } else { significand(words) }),
        // From the sum: 2^60 of the last place of x, so that sums of either sign have room.
        3 | 4 => {
            let d = if words.one_in(2) { d.clamp(-59, 2) } else { words.between(-59, 2) };
            let sum = u128::from(significand(words)) << 62 >> (2 - d);
            let sum = sum | u128::from(words.one_in(4));
            let mx = u128::from(mx) << 60;
            rounded(if sum < mx { !x } else { x }, ex - 60, sum.abs_diff(mx))
        }
        // A tie, or little more or less: as a sticky bit, or as that and the digit in its place.
        _ => {
            let more = match words.below(4) {
                0 => halves(words) & (FRACTION >> 9),
                1 => 1 << (44 - words.below(6)) | words.sized(40),
                2 => 1 << words.below(52),
                _ => words.sized(52),
            };
            let y = image(sign, ex - words.pick(&[52, 53, 53, 53, 54, 29, 24, 28]), more);
            // The last digits of a subnormal number were cut off.
            let last = if words.one_in(2) { halves(words) } else { words.sized(30) };
            let digits = 64 - (y & FRACTION).leading_zeros();
            let below = FRACTION >> (53 - digits.saturating_sub(words.pick(&[1, 9]))).min(63);
            if field(y) == 0 && words.one_in(2) { y | last & below } else { y }
        }
    }
}

/// The last digits of a product, or a remainder: few, and a tie with them or without.
fn rest(words: &mut Words) -> u64 {
    let few = match words.below(5) {
        4 => ((words.sized(10) + 1) << words.below(9)) * (1 << 32 | 1),
        0 => 1 << words.below(54),
        1 => words.below(4),
        2 => words.sized(52),
        _ => 0,
    };
    let tie = words.pick(&[0, 1 << 51, 1 << 52, 3 << 51, 1 << 53, 1 << 54]);
    if words.one_in(2) { few.wrapping_add(tie) } else { tie.wrapping_sub(few) }
}

/// What x may be multiplied with, or divide, or be divided by.
fn factor(x: u64, words: &mut Words) -> u64 {
    let (ex, mx) = parts(x);
    if ex == SPECIAL || mx == 0 {
        return operand(words);
    }
    let shift = mx.leading_zeros() - 11;
    let (ex, mx) = (ex - shift as i32, mx << shift);
    let wide = u128::from(mx);
    let m = match words.below(8) {
        0 => u128::from(significand(words)),
        // The product is next to a power of two, or to a chosen number.
        1 => (1u128 << 105) / wide + u128::from(words.below(3)) - 1,
        2 => {
            let tie = u128::from(significand(words)) * 2 + u128::from(words.below(2));
            (tie << 52) / wide + u128::from(words.below(2))
        }
        // The last digits of the product are chosen.
        3 | 4 => {
            let zeros = mx.trailing_zeros();
            u128::from((rest(words) >> zeros).wrapping_mul(inverse(mx >> zeros)) & (2 * ONE - 1))
        }
        // A product of 53 or 54 digits.
        5 => u128::from(words.next() >> (63 - mx.trailing_zeros().min(52)) | 1),
        // Dividends: a quotient of 53, 54 or 55 digits with nothing or little left.
        6 => {
            let q = significand(words) << words.below(3) | words.below(8);
            let v = wide * u128::from(q);
            let cut = (128 - v.leading_zeros()).saturating_sub(53);
            (v >> cut) + u128::from(words.below(2))
        }
        // x is 2^k times what is found modulo x, plus a small remainder.
        _ => {
            let odd = mx >> mx.trailing_zeros();
            let half = odd.div_ceil(2);
            let k = words.pick(&[52, 53, 54, 55]);
            let power = (0..k).fold(1u64, |p, _| (u128::from(p) * u128::from(half) % u128::from(odd)) as u64);
            let r = (words.sized(6) + 1) % odd;
            let r = if words.one_in(2) { r } else { odd - r };
            u128::from(power) * u128::from(r) % u128::from(odd)
        }
    };
    let m = m.max(1);
    // Products and quotients at the ends of the range.
    let end = words.pick(&[1, 1, SPECIAL - 1, BIAS]) + words.between(-3, 3);
    let end = if words.one_in(4) { end - distance(words).abs() } else { end };
    let field = match words.below(6) {
        0 => end - ex + BIAS,
        1 => ex - end + BIAS,
        2 => ex + end - BIAS,
        3 => words.between(1, SPECIAL - 1),
        _ => BIAS + words.between(-3, 3),
    };
    let y = rounded(words.next(), 0, m);
    // As it was, and the last bits too: a rounded one is odd.
    let digits = 128 - m.leading_zeros();
    let y = if digits <= 53 { (m as u64) << (53 - digits) } else { y | ONE };
    image(words.next(), field.clamp(-53, SPECIAL), y)
}

/// What may be added to x y.
fn third(x: u64, y: u64, words: &mut Words) -> u64 {
    let ((ex, mx), (ey, my)) = (parts(x), parts(y));
    if ex == SPECIAL || ey == SPECIAL || mx == 0 || my == 0 || words.one_in(12) {
        return operand(words);
    }
    let exact = u128::from(mx) * u128::from(my);
    let field = ex + ey - BIAS - 52;
    let sign = x ^ y;
    let p = rounded(sign, field, exact);
    match words.below(5) {
        // What is left is a part of the last digits.
        0 => {
            let below = 1u128 << words.below(106);
            rounded(!sign, field, if words.one_in(2) { exact.saturating_sub(below) } else { exact + below })
        }
        // Cut off, and its neighbours.
        1 => ((p & !1) ^ SIGN).wrapping_add(words.below(5)).wrapping_sub(2),
        // The product's last digits are a tie of the addend, or beside one.
        2 => {
            let digits = 128 - exact.leading_zeros() as i32;
            image(words.next(), field + digits - 53 + distance(words), significand(words))
        }
        _ => addend(p, words),
    }
}

/// What has a root of few digits, or next to a chosen one.
fn square(words: &mut Words) -> u64 {
    let x = operand(words);
    let odd = words.below(2);
    let field = field(x) & !1 | odd as i32;
    let (root, r) = match words.below(4) {
        0 => {
            let root = (words.next() >> 38 | 1 << 25) & !0 << words.below(26);
            (root, words.pick(&[0, 1, !0]))
        }
        // Of 53 digits, or a tie.
        1 => (significand(words), words.pick(&[0, 1, !0])),
        2 => (2 * significand(words) + 1, words.pick(&[0, 1, !0])),
        // A root s of -r modulo 2^56, digit by digit: s^2 + r is such a number.
        _ => {
            let r = (words.sized(12) & !7).wrapping_add(words.pick(&[7, !0]));
            let start = words.next() & !7 | words.pick(&[1, 3, 5, 7]);
            let s = (3..57).fold(start & 7, |s, k| {
                let wrong = s.wrapping_mul(s).wrapping_add(r) >> k & 1;
                s ^ wrong << (k - 1)
            });
            (s & (4 * ONE - 1) | words.pick(&[ONE, 2 * ONE, 3 * ONE]), r)
        }
    };
    let square = u128::from(root) * u128::from(root);
    let v = square.saturating_add_signed(i128::from(r as i64)).max(1);
    let digits = 128 - v.leading_zeros();
    let m = if digits > 53 { (v >> (digits - 53)) as u64 } else { (v as u64) << (53 - digits) };
    let m = if digits > 53 && words.one_in(2) { m.wrapping_add(1) } else { m };
    // The parity of the exponent is that of the square's digits.
    let field = if words.one_in(8) { field } else { (field & !1) + 1 + (digits as i32 + 1) % 2 };
    image(if words.one_in(8) { x } else { 0 }, field, m)
}

/// Two numbers whose sum, product or quotient has a chosen digit less below the smallest number, a tie, and what is lost below it.
fn tied(words: &mut Words) -> [u64; 2] {
    // Of 64 digits n are shifted out and leave a sticky bit; the next eleven are rounded.
    let n = words.between(1, 54);
    let v = (words.sized(n.clamp(0, 21) as u32) + 1) << 11;
    let lost = match words.below(6) {
        0 => 0,
        1 => v << 32 | v,
        2 => words.sized(32),
        3 => words.next() << 32,
        4 => 1 << words.below(63),
        _ => words.next(),
    };
    let lost = lost & ((1 << n) - 1);
    let near = words.pick(&[0, 0, 0, 1, 2, 1 << 9]) << n.min(52);
    let tie = if n <= 52 { 1 << (n + 10) | near } else { near };
    let high = if n < 52 && !words.one_in(3) { words.next() << (n + 11) } else { 0 };
    let t = 1 << 63 | high | tie | lost;
    let (sign, s) = (words.next(), t >> 11);
    if words.one_in(4) {
        // The smaller number of a sum is what is below the last digit of the larger one, which has a digit more.
        let y = (tie >> words.below(2) | lost) >> 10 & FRACTION;
        return [image(words.next(), n + 1, significand(words)), sign & SIGN | y];
    }
    let e = words.between(1, SPECIAL - 1);
    let by = if words.one_in(2) { 1 - n - e } else { e - (1 - n) };
    [image(sign, e, s), image(words.next(), BIAS + by, 0)]
}

/// Two numbers just above or below powers of two, whose product or quotient is at an end of the range: the product of what
/// they are above or below is what rounding drops, a tie and little more or less.
fn beside(words: &mut Words) -> [u64; 2] {
    let j = words.between(24, 28) as u32;
    let tie = 1u64 << words.between(50, 52);
    let few = |words: &mut Words| match words.below(4) {
        0 => words.sized(j),
        1 => 1 << j,
        2 => words.sized(8) << words.below(20),
        _ => words.next() >> (64 - j),
    };
    let a = few(words).max(1);
    let b = match words.below(4) {
        0 => few(words),
        _ => (tie / a).saturating_add(words.below(3)).saturating_sub(1).min(FRACTION >> 22),
    };
    let above = words.one_in(2);
    let m = |a: u64| if above { ONE + a } else { 2 * ONE - a.max(1) };
    let (mut first, mut second) = (m(a), m(b));
    if words.one_in(8) {
        second = if above { 2 * ONE - b.max(1) } else { ONE + b };
    }
    if words.one_in(4) {
        (first, second) = (second, first);
    }
    // The product's field is this one or the next.
    let end = if above { 1 } else { SPECIAL - 2 } - i32::from(words.one_in(4)) + i32::from(words.one_in(4));
    let e = words.between(1, SPECIAL - 1);
    let other = if words.one_in(2) { end - e + BIAS } else { e - end + BIAS };
    [image(words.next(), e, first), image(words.next(), other, second)]
}

/// Operands of sums and products, and of functions composed of them.
fn operands(n: usize, words: &mut Words) -> Vec<u64> {
    let mut all = if n > 2 && words.one_in(3) { alone(n, words) } else { together(n, words) };
    if n > 3 {
        if words.one_in(2) {
            all.swap(2, 3);
        }
        if words.one_in(2) {
            all.swap(0, 2);
            all.swap(1, 3);
        }
        // Complex factors lie as (x, x') (y, y'), of which x and y are multiplied.
        if words.one_in(2) {
            all.swap(1, 2);
        }
    }
    all.truncate(n);
    all
}

/// Factors of one product, or terms, beside factors and terms that change nothing.
fn alone(n: usize, words: &mut Words) -> Vec<u64> {
    let zero = words.next() & SIGN;
    match words.below(if n > 3 { 3 } else { 2 }) {
        0 => [operands(2, words), vec![zero, UNIT]].concat(),
        1 => {
            let terms = operands(2, words);
            vec![terms[0], UNIT, terms[1], UNIT]
        }
        _ => [operands(3, words), vec![UNIT]].concat(),
    }
}

/// Operands that belong together: the second is added or multiplied, the third is added to a product, or the third and fourth
/// are factors of another one.
fn together(n: usize, words: &mut Words) -> Vec<u64> {
    let x = if words.one_in(3) { square(words) } else { operand(words) };
    let mut all = vec![x];
    if n > 1 && words.one_in(8) {
        all = if words.one_in(2) { tied(words) } else { beside(words) }.to_vec();
    } else if n > 1 {
        all.push(match words.below(4) {
            0 => operand(words),
            1 if n == 2 => addend(x, words),
            2 if n == 2 => addend(x, words),
            _ => factor(x, words),
        });
        if words.one_in(2) {
            all.swap(0, 1);
        }
    }
    if n == 3 {
        all.push(third(all[0], all[1], words));
    }
    if n > 3 {
        let (x, y) = (all[0], all[1]);
        let sign = if words.one_in(3) { words.next() } else { SIGN };
        let d = distance(words);
        match words.below(3) {
            // The same factors but for little.
            0 => {
                let near = |z: u64, words: &mut Words| z.wrapping_add(words.below(3)).wrapping_sub(1);
                let (z, w) = (near(x, words) ^ sign & SIGN, near(y, words));
                let apart = if words.one_in(2) { words.between(-2, 2) } else { 0 };
                all.extend([image(z, field(z) + d, z), image(w, field(w) - d + apart, w)]);
            }
            // One factor a power of two.
            1 => {
                let z = third(x, y, words);
                all.extend([image(z, field(z) - d, z), image(words.next() & sign, BIAS + d, 0)]);
            }
            _ => {
                let z = operand(words);
                let w = factor(z, words);
                // A product of like size.
                let e = field(x) + field(y) - field(z) + distance(words);
                all.extend([z, if words.one_in(2) { image(w, e, w) } else { w }]);
            }
        }
    }
    all
}
