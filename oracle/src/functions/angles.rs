//! Angles that matter to sines: those near multiples of a right one.

use super::domains::{self as d, pair, unit};
use crate::convert::split;
use crate::exact::dyadic::{Dyadic, Exact, Number};
use crate::format::Format;
use crate::generate::counter::Words;
use crate::generate::limb;
use crate::target::Pair;
use num_bigint::{BigInt, BigUint};
use rug::Float;
use rug::float::Constant;
use rug::integer::Order;
use std::sync::OnceLock;

/// For every exponent of a last digit the pairs without a gap between their limbs that lie nearest to multiples of pi/2, in
/// relation to their size: by the continued fraction of 2^s 2/pi.
pub fn nearest(f: Format) -> &'static [Pair] {
    static BOTH: [OnceLock<Vec<Pair>>; 2] = [const { OnceLock::new() }; 2];
    BOTH[usize::from(f.p == 53)].get_or_init(|| {
        let digits = 2 * f.p as i32;
        (f.emin..=f.emax + 1 - digits)
            .flat_map(|s| denominators(s, f).into_iter().map(move |q| (q, s)))
            .filter_map(|(q, s)| {
                let x = split(&Exact::Finite(Number::Dyadic(Dyadic::new(BigInt::from(q), s.into()))), f);
                x.0.is_finite().then_some(x)
            })
            .collect()
    })
}

/// The last denominators below 2^(2 p) of the convergents of 2^s 2/pi, whose multiples are near integers.
fn denominators(s: i32, f: Format) -> Vec<BigUint> {
    let bits = 4 * f.p + 64;
    let two_over_pi =
        Float::with_val(bits + s.max(0) as u32, 2) / Float::with_val(bits + s.max(0) as u32, Constant::Pi);
    let scaled = (two_over_pi << (s + bits as i32)).to_integer().expect("a number");
    let scaled = BigUint::from_bytes_le(&scaled.to_digits::<u8>(Order::Lsf));
    let one = BigUint::from(1u32) << bits;
    let (mut a, mut b) = (one.clone(), scaled % &one);
    let (mut q, mut before) = (BigUint::from(1u32), BigUint::ZERO);
    let mut last = Vec::new();
    while q.bits() <= u64::from(2 * f.p) && b != BigUint::ZERO {
        // A few digits less, and there are nearer ones.
        if q.bits() + 6 > u64::from(2 * f.p) {
            last.push(q.clone());
        }
        let whole = &a / &b;
        (a, b) = (b.clone(), a % b);
        (q, before) = (whole * &q + before, q);
    }
    last
}

/// Angles: of every exponent, and multiples of pi/2 rounded to pairs, in limbs without a gap or the first of which is any number,
/// and what lies beside them.
pub fn angles(words: &mut Words, f: Format, out: &mut [Pair]) {
    let p = f.p as i32;
    // To three limbs and more below the first digit of the largest.
    let right = |e: i32| -> Float { Float::with_val((e.max(0) + 4 * p) as u32, Constant::Pi) / 2 };
    let rest = |x: Float, hi: f64| (hi, limb::round(Float::with_val(64, x - hi).to_f64(), f));
    let nearest = nearest(f);
    out[0] = match words.below(9) {
        8 => nearest[words.below(nearest.len() as u64) as usize],
        0 => pair(f64::from(words.between(f.emin, f.emax)).exp2() * (1.0 + unit(words).abs()), words, f),
        1 => pair(unit(words) * f64::from(words.between(0, 24)).exp2(), words, f),
        2 => pair(unit(words) * 100.0, words, f),
        3 | 4 => {
            let n = words.next() >> words.between(1, 63);
            let e = if words.one_in(2) { words.between(0, f.emax - 64) } else { 0 };
            let x = (right(e + 64) * n) << e;
            let hi = limb::round(Float::with_val(f.p, &x).to_f64(), f);
            rest(x, hi)
        }
        5 => pair(std::f64::consts::FRAC_PI_4 * f64::from(words.between(-99, 99)), words, f),
        _ => {
            let e = words.between(p - 3, f.emax - 1);
            let hi = limb::round(f64::from(e).exp2() * (1.0 + unit(words).abs()), f);
            let right: Float = right(e);
            let n = Float::with_val(right.prec(), hi / &right).round();
            rest(right * n, hi)
        }
    };
    if words.one_in(2) {
        out[0].1 = limb::step(out[0].1, words.between(-3, 3).into(), f);
    }
    if words.one_in(2) {
        out[0] = (-out[0].0, -out[0].1);
    }
}

/// Angles, integers and halves and what lies beside them, and small numbers.
pub fn turns(words: &mut Words, f: Format, out: &mut [Pair]) {
    match words.below(4) {
        0 => angles(words, f, out),
        1 => words.pick(d::BEYOND_MINUS_ONE).1(words, f, out),
        _ => d::integers(words, f, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs that are known to be the nearest of all are among them.
    #[test]
    fn the_nearest_of_all() {
        let single = (f64::from(f32::from_bits(0x74ec_cf0b)), f64::from(f32::from_bits(0x6801_eada)));
        assert!(nearest(Format::F32).contains(&single), "{} pairs", nearest(Format::F32).len());
        let double = (f64::from_bits(0x56fe_b29e_e31b_ca6d), -f64::from_bits(0x5389_adb8_b94a_ea04));
        assert!(nearest(Format::F64).contains(&double), "{} pairs", nearest(Format::F64).len());
    }
}
