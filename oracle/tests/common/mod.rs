//! Random cases for the tests: every kind of number, with cancellation, wide gaps, subnormals, overflow edges and specials.
#![allow(dead_code)]

pub use vernier_oracle::generate::counter::Words;
use vernier_oracle::target::arity;
use vernier_oracle::{Format, Op, Pair, Target, convert, round_pair};

/// A limb rounded into the format by the standard library.
pub fn to_limb(x: f64, f: Format) -> f64 {
    if f == Format::F32 { x as f32 as f64 } else { x }
}

/// The limb `n` steps of its format further from zero.
pub fn step(x: f64, n: i64, f: Format) -> f64 {
    if !x.is_finite() {
        return x;
    }
    if f == Format::F32 {
        f32::from_bits((x as f32).to_bits().wrapping_add_signed(n as i32)) as f64
    } else {
        f64::from_bits(x.to_bits().wrapping_add_signed(n))
    }
}

fn special(rng: &mut Words, f: Format) -> f64 {
    let (tiny, normal, largest) = if f == Format::F32 {
        (f32::from_bits(1) as f64, f32::MIN_POSITIVE as f64, f32::MAX as f64)
    } else {
        (f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX)
    };
    let x = rng.pick(&[0.0, tiny, normal, 1.0, largest, f64::INFINITY, f64::NAN]);
    if rng.below(2) == 0 { x } else { -x }
}

/// `2^e (1 + fraction)` with a fraction that is random, sparse, or next to a power of two; `e` of moderate size or anywhere.
pub fn limb(rng: &mut Words, f: Format) -> f64 {
    let any = rng.next();
    match rng.below(16) {
        0 => special(rng, f),
        1 => {
            if f == Format::F32 {
                f32::from_bits(any as u32) as f64
            } else {
                f64::from_bits(any)
            }
        }
        kind => {
            let range = if kind < 12 { 30 } else { -f.emin as u64 };
            let e = rng.below(2 * range) as i32 - range as i32;
            let fraction = match rng.below(4) {
                0 => 0,
                1 => rng.next() & rng.next() & rng.next() & rng.next() & rng.next(),
                _ => rng.next(),
            };
            let m = 1.0 + (fraction >> 12) as f64 * 2f64.powi(-52);
            let x = to_limb(m * 2f64.powi(e.max(-1022)) * 2f64.powi((e + 1022).min(0)), f);
            let x = if rng.below(8) == 0 { step(x, rng.below(5) as i64 - 2, f) } else { x };
            if any >> 63 == 0 { x } else { -x }
        }
    }
}

/// A pair: normalised (usually), with zero lo, with a wide gap, or of unrelated limbs.
pub fn pair(rng: &mut Words, f: Format) -> Pair {
    let hi = limb(rng, f);
    let lo = match rng.below(16) {
        0 => rng.pick(&[0.0, -0.0]),
        1 => limb(rng, f),
        2 => -hi,
        3 => to_limb(hi * 2f64.powi(-(rng.below(300) as i32)), f),
        _ => {
            let fraction = (rng.next() >> 11) as f64 * 2f64.powi(-53) - 0.5;
            to_limb(hi * fraction * 2f64.powi(1 - f.p as i32), f)
        }
    };
    if !hi.is_finite() && rng.below(4) != 0 { (hi, 0.0) } else { (hi, lo) }
}

/// Operands of an operation, sometimes related so that the result cancels.
pub fn args(rng: &mut Words, op: Op, f: Format) -> Vec<Pair> {
    let n = arity(op).unwrap_or(2 * (1 + rng.below(4) as usize));
    let mut args: Vec<Pair> = (0..n).map(|_| pair(rng, f)).collect();
    let near =
        |rng: &mut Words, x: Pair| (step(x.0, rng.below(3) as i64 - 1, f), step(x.1, rng.below(9) as i64 - 4, f));
    if rng.below(4) == 0 {
        match op {
            Op::Add | Op::Acc => {
                let y = near(rng, args[0]);
                args[1] = (-y.0, -y.1);
            }
            Op::Sub | Op::Div => args[1] = near(rng, args[0]),
            Op::Fma | Op::Mad => {
                let y = near(rng, round_pair(Op::Mul, &args[..2], f));
                args[2] = (-y.0, -y.1);
            }
            Op::Dot => {
                args[0] = args[n - 1];
                args[1] = near(rng, (-args[n - 2].0, -args[n - 2].1));
            }
            Op::Sqrt | Op::Rsqrt => args[0] = round_pair(Op::Mul, &[args[0], args[0]], f),
            _ => {}
        }
    }
    if op == Op::Acc {
        args[1].1 = 0.0;
    }
    if matches!(op, Op::Sqrt | Op::Rsqrt) && rng.below(8) != 0 {
        args[0] = if args[0].0 < 0.0 { (-args[0].0, -args[0].1) } else { args[0] };
    }
    args
}

/// A result to judge: the best pair, that a few steps off, one limb only, or something unrelated.
pub fn result(rng: &mut Words, op: Op, args: &[Pair], f: Format) -> Pair {
    let (hi, lo) = round_pair(op, args, f);
    match rng.below(8) {
        0 => (hi, lo),
        1 => (hi, 0.0),
        2 => (step(hi, rng.below(9) as i64 - 4, f), lo),
        3 => pair(rng, f),
        4 if op != Op::Canonical => convert::narrow_pair(args[0], f),
        _ => (hi, step(lo, rng.below(33) as i64 - 16, f)),
    }
}

pub const WIDTHS: [Target; 2] = [Target::FP32MP2, Target::FP64MP2];
