//! Directed operands for functions of unpacked emulated doubles: states, ends of the range, exponents that differ by what shifts
//! have as thresholds, significands of few bits and runs, and operands made from a chosen result of a sum, product, quotient
//! or root: exact ones, ties, those that cancel, and those of which only the last bits are lost.

use super::inverse;
use crate::contract::noticing;
use vernier::emu::unpacked::{INFINITY, MAX_EXPONENT, MIN_EXPONENT, NAN, ZERO};
use vernier_oracle::generate::counter::{self, Words};
use vernier_tape::cases::arguments;
use vernier_tape::io::Kind;
use vernier_tape::registry::{Function, functions};

/// Digits of a significand.
const DIGITS: u32 = 62;
const ONE: u64 = 1 << (DIGITS - 1);
const ONES: u64 = 2 * ONE - 1;
const BIAS: i32 = 1023;
/// How far below the range sums may lie.
const BELOW: i32 = DIGITS as i32 - 1;
/// Thresholds of shifts, and places of digits that levels keep.
const DISTANCES: [i32; 14] = [0, 1, 2, 9, 11, 24, 28, 32, 38, 53, 60, 62, 64, 128];
/// Exponents, less the bias, where conversions change.
const ANCHORS: [i32; 17] = [-1023, 0, 7, 8, 15, 16, 23, 31, 32, 53, 62, 63, 127, -126, -149, -1022, -1074];

/// An unpacked double: the words of three slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Triple {
    sign: u64,
    exponent: i32,
    significand: u64,
}

/// The first slot of each unpacked double among the arguments.
fn places(f: &Function) -> Vec<usize> {
    super::places(f, Kind::Unpacked, Kind::Unpacked2)
}

/// Whether the function has unpacked doubles among its arguments and is defined only where they are numbers.
pub fn takes_numbers(f: &Function) -> bool {
    !takes_any(f) && !places(f).is_empty()
}

/// Whether the function is defined for any three words.
fn takes_any(f: &Function) -> bool {
    f.id.op_name().as_str() == "canonical"
}

/// `n` cases; none of a function without unpacked doubles.
pub fn cases(f: &Function, seed: u64, n: u64) -> Vec<Vec<u64>> {
    let places = places(f);
    if places.is_empty() {
        return Vec::new();
    }
    let key = counter::named_key(seed, "unpacked");
    let any = takes_any(f);
    let case = |i: u64| {
        let words = &mut Words::new(key, i);
        let mut case = arguments(&f.params, seed, i);
        let mut operands = operands(places.len(), words);
        // Complex factors lie as (x, x') (y, y'), of which x and y are multiplied.
        if f.params.contains(&Kind::Unpacked2) && places.len() == 4 {
            operands.swap(1, 2);
        }
        for (&place, x) in places.iter().zip(operands) {
            put(&mut case, place, if any { raw(x, words) } else { x });
        }
        case
    };
    (0..n).map(case).collect()
}

/// Cases of sums of two products that are like kept ones of products, sums, and a sum of a product and a number.
pub fn composed(f: &Function) -> Vec<Vec<u64>> {
    let places = places(f);
    if places.len() != 4 {
        return Vec::new();
    }
    let triple = |exponent, significand| Triple { sign: 0, exponent, significand };
    let negated = |x: Triple| Triple { sign: x.sign ^ 1, ..x };
    let (one, zero) = (triple(BIAS, ONE), triple(ZERO, 0));
    let all = super::composed(&kept("mul"), &kept("fma"), one, [zero, negated(zero)]);
    let all = all.into_iter().flat_map(|[a, b, c, d]| {
        if f.params.len() == 4 {
            return vec![[a, b, c, d]];
        }
        // The difference of a b and c d as the real part, the sum as the imaginary one.
        vec![[a, c, b, negated(d)], [a, c, d, b]]
    });
    let case = |operands: [Triple; 4]| {
        let mut case = vec![0; f.tape.args.len()];
        places.iter().zip(operands).for_each(|(&place, x)| put(&mut case, place, tamed(x)));
        case
    };
    all.map(case).collect()
}

/// The kept cases of functions of `N` operands, as that of this name is.
fn kept<const N: usize>(op: &str) -> Vec<[Triple; N]> {
    let alike = functions().iter().find(|g| g.id.op_name().as_str() == op && g.params == [Kind::Unpacked; N]);
    let operands = |case: Vec<u64>| std::array::from_fn(|i| get(&case, 3 * i));
    alike.map(noticing::cases).unwrap_or_default().into_iter().map(operands).collect()
}

/// Makes another case of one, in half of the calls and of functions with unpacked doubles; says whether it did.
pub fn mutate(f: &Function, case: &mut [u64], words: &mut Words) -> bool {
    let places = places(f);
    if places.is_empty() || words.one_in(2) {
        return false;
    }
    let place = words.pick(&places);
    let (mut x, other) = (get(case, place), tamed(get(case, words.pick(&places))));
    match words.below(9) {
        0 => x = operand(words),
        1 => x = addend(other, words),
        2 => x = factor(other, words),
        3 => x.exponent = other.exponent.wrapping_add(distance(words)),
        4 => x.exponent = x.exponent.wrapping_add(words.between(-1, 1)),
        5 => x.significand ^= 1 << words.below(u64::from(DIGITS)),
        6 => x.significand = x.significand.wrapping_add(words.below(5)).wrapping_sub(2),
        7 => x.significand &= !0 << words.below(u64::from(DIGITS)),
        _ => x = Triple { sign: x.sign ^ 1, ..x },
    }
    put(case, place, if takes_any(f) && words.one_in(4) { raw(x, words) } else { x });
    true
}

/// Whether the function is defined for a case: unpacked doubles are numbers, or it takes any words.
pub fn is_defined(f: &Function, case: &[u64]) -> bool {
    let mut numbers = case.to_vec();
    tame(f, &mut numbers);
    numbers == case
}

/// Makes numbers of the unpacked doubles of a case, for functions that are defined for no other words.
pub fn tame(f: &Function, case: &mut [u64]) {
    if takes_any(f) {
        return;
    }
    for place in places(f) {
        put(case, place, tamed(get(case, place)));
    }
}

fn get(case: &[u64], place: usize) -> Triple {
    Triple { sign: case[place], exponent: case[place + 1] as u32 as i32, significand: case[place + 2] }
}

fn put(case: &mut [u64], place: usize, x: Triple) {
    case[place..place + 3].copy_from_slice(&[x.sign, u64::from(x.exponent as u32), x.significand]);
}

/// A number that is like three words.
fn tamed(x: Triple) -> Triple {
    let sign = x.sign & 1;
    let significand = match x.exponent {
        ZERO => 0,
        INFINITY => ONE,
        NAN => 3 << 60,
        _ => x.significand & ONES | ONE,
    };
    // From far out of the range the lower bits are taken.
    let known = is_state(x.exponent) || (MIN_EXPONENT - BELOW..=MAX_EXPONENT).contains(&x.exponent);
    let exponent = if known { x.exponent } else { x.exponent << 5 >> 5 };
    Triple { sign, exponent, significand }
}

fn is_state(exponent: i32) -> bool {
    [ZERO, INFINITY, NAN].contains(&exponent)
}

/// Three words that may be no number.
fn raw(mut x: Triple, words: &mut Words) -> Triple {
    match words.below(8) {
        0 => x.sign = words.sized(32),
        1 => x.significand = words.sized(64),
        2 => x.significand = x.significand << 2 | words.below(4),
        3 => x.significand >>= words.below(64),
        4 => {
            let ends = [ZERO, INFINITY, NAN, MIN_EXPONENT, MAX_EXPONENT, i32::MIN, i32::MAX];
            x.exponent = words.pick(&ends).wrapping_add(words.between(-66, 66));
            x.significand = match words.below(4) {
                0 => words.sized(64),
                1 => !0 << words.below(64),
                _ => x.significand,
            };
        }
        5 => {
            let ends = [ZERO, INFINITY, NAN, MIN_EXPONENT, MAX_EXPONENT];
            x.exponent = words.pick(&ends).wrapping_add(words.between(-2, 2));
        }
        _ => {}
    }
    x
}

fn distance(words: &mut Words) -> i32 {
    super::distance(words, &DISTANCES)
}

fn significand(words: &mut Words) -> u64 {
    let (j, k) = (words.below(61), words.below(61));
    let low = |k: u64| (1u64 << k) - 1;
    let m = match words.below(9) {
        0 => ONE,
        1 => ONES,
        2 => ONE | 1 << k,
        3 => ONES ^ 1 << k,
        4 => ONES & !low(k),
        5 => ONE | low(k),
        6 => ONE | low(j) ^ low(k),
        // A tie at a digit, or near it, or nothing below it.
        7 => {
            let k = if words.one_in(2) { words.pick(&[9, 32, 34, 38, 60]) } else { k.max(1) };
            let half = 1 << (k - 1);
            words.next() & ONES & !low(k) | words.pick(&[0, 1, half - 1, half, half | 1, low(k)])
        }
        _ => words.next() & ONES,
    };
    let m = match words.below(8) {
        0 => m ^ 1,
        1 => m & !0xffff_ffff,
        2 => m | 0xffff_ffff,
        3 => m & (ONES ^ low(k)),
        _ => m,
    };
    m | ONE
}

fn exponent(words: &mut Words) -> i32 {
    let near = words.between(-2, 2);
    match words.below(8) {
        0 => MIN_EXPONENT + near,
        1 => MIN_EXPONENT - words.between(0, BELOW),
        2 => MAX_EXPONENT - near.abs(),
        3 => BIAS + words.between(-1100, 1100),
        4 | 5 => BIAS + words.pick(&ANCHORS) + near,
        6 => words.pick(&[MIN_EXPONENT, MAX_EXPONENT]) / 2 + BIAS / 2 + near,
        _ => BIAS + words.between(-70, 70),
    }
}

fn operand(words: &mut Words) -> Triple {
    let sign = words.below(2);
    if words.one_in(10) {
        return tamed(Triple { sign, exponent: words.pick(&[ZERO, INFINITY, NAN]), significand: 0 });
    }
    tamed(Triple { sign, exponent: exponent(words), significand: significand(words) })
}

/// (-1)^sign v, whose leading one has the exponent `exponent` where it is bit 61: rounded to odd.
fn rounded(sign: u64, exponent: i32, v: u128) -> Triple {
    if v == 0 {
        return Triple { sign, exponent: ZERO, significand: 0 };
    }
    let digits = 128 - v.leading_zeros();
    let cut = digits.saturating_sub(DIGITS);
    let sticky = u64::from(v & ((1 << cut) - 1) != 0);
    let significand = ((v >> cut) as u64 | sticky) << DIGITS.saturating_sub(digits);
    Triple { sign, exponent: exponent.wrapping_add(digits as i32 - DIGITS as i32), significand }
}

/// What may be added to x.
fn addend(x: Triple, words: &mut Words) -> Triple {
    let sign = if words.one_in(3) { words.below(2) } else { x.sign ^ 1 };
    let d = distance(words);
    let y = match words.below(6) {
        _ if is_state(x.exponent) => operand(words),
        0 => operand(words),
        1 => Triple { sign, significand: x.significand.wrapping_add(words.below(5)).wrapping_sub(2), ..x },
        2 => {
            let significand = if words.one_in(2) { x.significand } else { significand(words) };
            Triple { sign, exponent: x.exponent.wrapping_add(d), significand }
        }
        // From the sum: 2^60 of the last place of x, so that sums of either sign have room.
        3 | 4 => {
            let d = if words.one_in(2) { d.clamp(-60, 2) } else { words.between(-60, 2) };
            let sum = u128::from(significand(words)) << 60 << 2 >> (2 - d);
            let sum = sum | u128::from(words.one_in(4));
            let x_ = u128::from(x.significand) << 60;
            rounded(if sum < x_ { x.sign ^ 1 } else { x.sign }, x.exponent.wrapping_sub(60), sum.abs_diff(x_))
        }
        // The last digits of it count, or only what is below.
        _ => Triple { sign, exponent: x.exponent.wrapping_add(d), significand: ONE | words.sized(61) },
    };
    tamed(y)
}

/// The last digits of a product, or a remainder: few, and at either end of a word.
fn rest(words: &mut Words) -> u64 {
    match words.below(5) {
        0 => 1 << words.below(62),
        // Equal halves.
        4 => words.sized(8) * 0x1_0000_0001,
        1 => words.below(4) + (words.below(2) << 32),
        2 => words.sized(62),
        _ => 0u64.wrapping_sub(words.sized(62)),
    }
}

/// What x may be multiplied with, or divide.
fn factor(x: Triple, words: &mut Words) -> Triple {
    if is_state(x.exponent) {
        return operand(words);
    }
    let mut y = operand(words);
    y.significand = match words.below(7) {
        0 => significand(words),
        // The product is next to a power of two, or to a chosen number.
        1 => ((1u128 << 123) / u128::from(x.significand)) as u64 + words.below(4) - 1,
        2 => ((u128::from(significand(words)) << 61) / u128::from(x.significand)) as u64 + words.below(3),
        // The last 62 digits of the product are chosen.
        3 | 4 => rest(words).wrapping_mul(inverse(x.significand | 1)),
        // As many digits as x has zeros.
        5 => {
            let zeros = x.significand.trailing_zeros().min(60);
            words.next() << (61 - zeros)
        }
        // x divides it, but for a rest.
        _ => {
            let q = (words.below(1 << 10) << 52).wrapping_sub(rest(words).wrapping_mul(inverse(x.significand | 1)));
            let v = u128::from(q & ONES | ONE) * u128::from(x.significand | 1);
            (v >> (62 - v.leading_zeros().saturating_sub(4))) as u64
        }
    };
    // Products and quotients at the ends of the range.
    let end = words.pick(&[MIN_EXPONENT, MAX_EXPONENT, MIN_EXPONENT, MAX_EXPONENT, BIAS]) + words.between(-2, 2);
    match words.below(5) {
        0 => y.exponent = end.wrapping_sub(x.exponent).wrapping_add(BIAS),
        1 => y.exponent = x.exponent.wrapping_sub(end).wrapping_add(BIAS),
        2 => y.exponent = x.exponent.wrapping_add(end).wrapping_sub(BIAS),
        _ => {}
    }
    tamed(y)
}

/// x y on 62 digits, and all of its digits.
fn product(x: Triple, y: Triple) -> (Triple, u128) {
    let exact = u128::from(x.significand) * u128::from(y.significand);
    let exponent = x.exponent.wrapping_add(y.exponent).wrapping_sub(BIAS + 61);
    (rounded(x.sign ^ y.sign, exponent, exact), exact)
}

/// What may be added to x y.
fn third(x: Triple, y: Triple, words: &mut Words) -> Triple {
    if is_state(x.exponent) || is_state(y.exponent) || words.one_in(12) {
        return operand(words);
    }
    let (p, exact) = product(x, y);
    match words.below(4) {
        // What is left is a part of the last digits.
        0 => {
            let below = 1u128 << words.below(124);
            let v = if words.one_in(2) { exact.saturating_sub(below) } else { exact + below };
            let exponent = x.exponent.wrapping_add(y.exponent).wrapping_sub(BIAS + 61);
            tamed(rounded(p.sign ^ 1, exponent, v))
        }
        1 => {
            let digits = 124 - exact.leading_zeros().saturating_sub(4);
            let cut = digits - DIGITS;
            let exponent = p.exponent;
            tamed(Triple { sign: p.sign ^ 1, exponent, significand: (exact >> cut) as u64 + words.below(3) - 1 })
        }
        _ => addend(p, words),
    }
}

/// What has a root of few digits, or next to a chosen one.
fn square(words: &mut Words) -> Triple {
    let mut x = operand(words);
    if is_state(x.exponent) {
        return x;
    }
    let odd = words.below(2) as u32;
    x.exponent = x.exponent & !1 | odd as i32;
    x.significand = match words.below(3) {
        0 => {
            let root = (words.next() >> 33 | 1 << 30) & !0 << words.below(31);
            let square = root * root;
            (square << (square.leading_zeros() - 2)).wrapping_add(words.below(3)).wrapping_sub(1)
        }
        1 => {
            let root = u128::from(significand(words));
            ((root * root) >> 61 >> odd) as u64 + words.below(3) - 1
        }
        // A root s of -r modulo 2^61, digit by digit: s^2 + r is such a number.
        _ => {
            let r = match words.below(3) {
                0 => 0u64.wrapping_sub(words.sized(40) << 3 | 1),
                1 => words.sized(40) << 3 | 7,
                // Equal halves.
                _ => (words.sized(8) << 3 | 7) * 0x1_0000_0001,
            };
            let root = (3..64).fold(words.next() & 6 | 1, |s, k| {
                let wrong = s.wrapping_mul(s).wrapping_add(r) >> k & 1;
                s ^ wrong << (k - 1)
            });
            // Zeros below: of the rest twice as many.
            let zeros = words.pick(&[0, 0, 15, 16, 17]);
            let root = u128::from(root << zeros & ONES | ONE);
            let v = (root * root).wrapping_add_signed(i128::from(r as i64) << (2 * zeros));
            (v >> 61 >> odd) as u64
        }
    };
    tamed(x)
}

/// Operands that belong together: the second is added or multiplied, the third is added to a product, or the third and fourth
/// are factors of another one.
fn operands(n: usize, words: &mut Words) -> Vec<Triple> {
    let x = match words.below(4) {
        0 => square(words),
        _ => operand(words),
    };
    let mut all = vec![x];
    if n > 1 {
        all.push(match words.below(4) {
            0 if n == 2 => operand(words),
            0 | 1 if n == 2 => addend(x, words),
            _ => factor(x, words),
        });
        // Dividend and divisor.
        if words.one_in(2) {
            all.swap(0, 1);
        }
    }
    if n > 2 {
        let z = third(all[0], all[1], words);
        match (n, words.below(3)) {
            (3, _) => all.push(z),
            // The same factors but for little, or one factor a power of two.
            (_, 0) => {
                let d = distance(words);
                let with = |x: Triple, d: i32| tamed(Triple { exponent: x.exponent.wrapping_add(d), ..x });
                let (mut z, w) = (with(all[0], d), with(all[1], words.between(-1, 1).wrapping_sub(d)));
                z.sign ^= words.below(2);
                z.significand ^= words.below(2) << words.below(61);
                all.extend([z, w]);
            }
            (_, 1) => all.extend([z, Triple { sign: words.below(2), exponent: BIAS, significand: ONE }]),
            _ => {
                let (w, d) = (significand(words), words.between(-66, 66));
                let significand = ((u128::from(z.significand) << 61) / u128::from(w)) as u64;
                let z = Triple { significand: significand << (significand.leading_zeros().saturating_sub(2)), ..z };
                let exponent = z.exponent.wrapping_sub(d);
                all.extend([
                    tamed(Triple { exponent, ..z }),
                    tamed(Triple { sign: z.sign, exponent: BIAS + d, significand: w }),
                ]);
            }
        }
    }
    while all.len() < n {
        all.push(operand(words));
    }
    all.truncate(n);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str) -> &'static Function {
        functions().iter().find(|f| f.name() == name).unwrap()
    }

    fn is_number(x: Triple) -> bool {
        let finite = MIN_EXPONENT - BELOW..=MAX_EXPONENT;
        x.sign <= 1 && (is_state(x.exponent) || finite.contains(&x.exponent) && x.significand >> 61 == 1)
    }

    #[test]
    fn operands_are_numbers_and_of_every_kind() {
        let f = function("fp64emu_unpacked_high_dot");
        let mut cases = cases(f, 1, 1 << 12);
        let mut words = Words::new(1, 0);
        let mutated: Vec<Vec<u64>> = cases
            .iter()
            .map(|case| {
                let mut case = case.clone();
                mutate(f, &mut case, &mut words);
                tame(f, &mut case);
                case
            })
            .collect();
        cases.extend(mutated);
        assert!(cases.iter().all(|case| places(f).into_iter().all(|p| is_number(get(case, p)))));
        let sums = self::cases(function("fp64emu_unpacked_high_sub"), 1, 1 << 12);
        let exponents: Vec<(i32, i32)> = sums.iter().map(|c| (get(c, 0).exponent, get(c, 3).exponent)).collect();
        let differ = |d: i32| exponents.iter().any(|(x, y)| !is_state(*x) && x.wrapping_sub(*y) == d);
        assert!([-64, -1, 0, 1, 32, 62].into_iter().all(differ));
        assert!([ZERO, INFINITY, NAN].into_iter().all(|state| exponents.contains(&(state, state))));
    }

    #[test]
    fn operands_are_made_from_results() {
        let mut words = Words::new(1, 0);
        let x = Triple { sign: 0, exponent: BIAS, significand: 0x2345_6789_abcd_ef01 };
        let factors: Vec<Triple> = (0..1000).map(|_| factor(x, &mut words)).collect();
        // One bit among those that are lost, and quotients that are exact.
        let lost = |y: &Triple| (product(x, *y).1 as u64 & ONES).count_ones() == 1;
        assert!(factors.iter().filter(|y| lost(y)).count() > 20);
        let exact = |y: &Triple| y.significand.is_multiple_of(x.significand);
        assert!(factors.iter().any(exact));
        let squares = (0..1000).map(|_| square(&mut words)).filter(|s| !is_state(s.exponent) && s.exponent & 1 == 1);
        let is_square = |m: u64| m.isqrt().pow(2) == m;
        assert!(squares.filter(|s| is_square(s.significand & ONES) || is_square(s.significand >> 1)).count() > 10);
        let tie = rounded(1, BIAS, 5 << 100 | 1);
        assert_eq!(tie, Triple { sign: 1, exponent: BIAS + 41, significand: 5 << 59 | 1 });
    }
}
