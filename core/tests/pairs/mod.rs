//! Pairs for tests: limbs in any order, overlap and distance, at every place of the range.

use super::random::Random;
use vernier::HostLimb;
use vernier::machine::exp2;

pub type Pair<F> = (F, F);

fn fraction(random: &mut Random, width: u32) -> u64 {
    let all = (1u64 << width) - 1;
    let bit = |random: &mut Random| 1u64 << random.below(width.into());
    all & match random.below(6) {
        0 => 0,
        1 => all,
        2 => bit(random) | bit(random),
        3 => bit(random).wrapping_sub(bit(random)),
        _ => random.word(),
    }
}

/// A limb with this exponent field, limited to what there is.
fn limb<F: HostLimb>(random: &mut Random, field: i64) -> F {
    let width = F::P - 1;
    let last = 2 * (1 - F::MIN_EXP as i64);
    let magnitude = ((field.clamp(0, last) as u64) << width) | fraction(random, width);
    let x = F::from_bits_u64(magnitude);
    if random.below(2) == 0 { x } else { -x }
}

/// Limbs at the edges, powers of two, halves, integers, and what is not finite.
pub fn special<F: HostLimb>() -> Vec<F> {
    let p = F::P as i32;
    let one = F::ONE.to_bits_u64();
    let normal = F::lit(exp2(F::MIN_EXP)).to_bits_u64();
    let infinity = F::lit(f64::INFINITY).to_bits_u64();
    let mut all: Vec<F> = [0, 1, 2, normal - 1, normal, normal + 1, one - 1, one, one + 1, infinity - 1, infinity]
        .map(F::from_bits_u64)
        .into();
    all.extend([0.5, 1.5, 2.0, 2.5, 3.0, 0.25].map(F::lit));
    for e in [p - 2, p - 1, p, -p, -p - 1, 1 - p, -F::MIN_EXP, 1 - F::MIN_EXP - p, 62, 63] {
        let n = F::lit(exp2(e)).to_bits_u64();
        all.extend([n - 1, n, n + 1].map(F::from_bits_u64));
    }
    let negative: Vec<F> = all.iter().map(|&x| -x).collect();
    all.extend(negative);
    all.push(F::lit(f64::NAN));
    all
}

/// Pairs of every kind.
pub fn operand<F: HostLimb>(random: &mut Random, list: &[F]) -> Pair<F> {
    let p = F::P as i64;
    let bias = 1 - F::MIN_EXP as i64;
    let any = |random: &mut Random| random.below(2 * bias as u64 + 1) as i64;
    let near = |random: &mut Random, n: i64| random.below(2 * n as u64 + 1) as i64 - n;
    let pick = |random: &mut Random| list[random.below(list.len() as u64) as usize];
    let hi = match random.below(10) {
        0 => F::from_bits_u64(random.word()),
        1 => pick(random),
        2 => {
            let e = any(random);
            limb(random, e)
        }
        // The ends of the range.
        3 => {
            let e = random.below(3 * p as u64) as i64;
            limb(random, e)
        }
        4 => {
            let e = 2 * bias - random.below(3 * p as u64) as i64;
            limb(random, e)
        }
        // Integers and halves.
        5 | 6 => {
            let n = 1 + random.below(p as u64 + 1);
            let half = (random.word() >> (64 - n)) as f64 * 0.5;
            F::lit(if random.below(2) == 0 { half } else { -half })
        }
        7 => {
            let e = bias + near(random, 2 * p);
            F::from_bits_u64((e as u64) << (p - 1))
        }
        _ => {
            let e = bias + near(random, p + 2);
            limb(random, e)
        }
    };
    let field = ((hi.to_bits_u64() << 1 >> 1) >> (p - 1)) as i64 & (2 * bias + 1);
    let lo = match random.below(10) {
        0 => F::from_bits_u64(random.word()),
        1 => pick(random),
        2 => F::lit(if random.below(2) == 0 { 0.0 } else { -0.0 }),
        // Half an ulp of hi, or near it, or the unit of its last digit.
        3 => {
            let e = field - p + near(random, 1);
            let tie = F::from_bits_u64((e.clamp(0, 2 * bias) as u64) << (p - 1));
            if random.below(2) == 0 { tie } else { -tie }
        }
        // Overlapping.
        4 => {
            let e = field + near(random, p);
            limb(random, e)
        }
        // Close to -hi.
        5 => F::from_bits_u64((-hi).to_bits_u64().wrapping_add_signed(near(random, 2))),
        6 => {
            let e = bias + near(random, p);
            limb(random, e)
        }
        _ => {
            let e = field - p - random.below(p as u64) as i64;
            limb(random, e)
        }
    };
    if random.below(8) == 0 { (lo, hi) } else { (hi, lo) }
}
