//! The fast path: verdicts by error-free transformations on f64, or none.
//!
//! `r - z` (for a quotient or root, the residual `r y - x`, `r^2 - x`, `r^2 x - 1`) is a sum of f64 terms: products of binary32 limbs are
//! f64 exactly, products of binary64 limbs are two of them. Such a sum comes with a bound on its error that is checked case by case: the
//! error of a verdict is at most 2^-24 ulp, or a relative 2^-24 where it is larger than an ulp, and the binade of the exact value is decided
//! exactly. What is special, near overflow or too small, what cancels to zero and what the bound does not decide is
//! left to MPFR.

mod sum;

use crate::format::{exponent, power_of_two};
use crate::measure::{Domain, Verdict, in_range};
use crate::target::{Pair, Target};
use sum::{Sum, Terms, two_sum};
use vernier::function::Op;

/// Whether limbs of this type have products that are exact in f64.
pub(crate) fn is_single(target: &Target) -> bool {
    target.limb.p <= 24 && target.limb.emin >= -149 && target.limb.emax <= 127
}

/// Whether the fast path takes this type at all: limbs of binary32 or less, binary64, or 62 digits that come as two binary64.
pub(crate) fn takes(target: &Target) -> bool {
    is_single(target) || target.limb == crate::format::Format::F64 || *target == Target::UNPACKED
}

/// What the fast path finds out about a case, all times `2^-shift`.
struct Known {
    /// `|z|` to a relative 2^-50.
    z: f64,
    /// Binade of `|z|`.
    exponent: i32,
    power_of_two: bool,
    /// `|r - z|`.
    d: f64,
    /// Sum of the |terms|.
    terms: f64,
    shift: i32,
}

/// The smallest and largest magnitudes that scaled limbs may have: where limbs are multiplied, and where they are only added.
const FACTOR: f64 = 1.0e-120;
const SUMMAND: f64 = 1.0e-290;

/// Whether every limb is a binary32, so that products of limbs are f64.
#[inline(always)]
fn short(pairs: &[Pair]) -> bool {
    let short = |c: f64| c as f32 as f64 == c;
    pairs.iter().all(|x| short(x.0) && short(x.1))
}

macro_rules! basic {
    ($($op:ident)*) => {
        /// The operations that the fast path knows: a plain number, so that compilers fold it inside a loop.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Basic {
            $($op,)*
        }

        impl Basic {
            /// That of an operation.
            pub(crate) fn of(op: Op) -> Option<Basic> {
                match op {
                    $(Op::$op => Some(Basic::$op),)*
                    _ => None,
                }
            }
        }
    };
}

basic!(Canonical Neg Add Sub Acc Mul Div Fma Mad Sqrt Rsqrt);

/// A verdict, or `None` where MPFR must decide. `EXACT` is [`is_single`].
#[inline(always)]
pub(crate) fn judge<const EXACT: bool>(op: Basic, target: &Target, args: &[Pair], r: Pair) -> Option<Verdict> {
    let x = *args.first()?;
    let multiplies = matches!(op, Basic::Mul | Basic::Div | Basic::Fma | Basic::Mad | Basic::Sqrt);
    if EXACT && multiplies && !(short(args) && short(&[r])) {
        return None;
    }
    let known = match op {
        Basic::Canonical => add::<EXACT>(target, x, (0.0, 0.0), r),
        Basic::Neg => add::<EXACT>(target, (-x.0, -x.1), (0.0, 0.0), r),
        Basic::Add | Basic::Acc => add::<EXACT>(target, x, args[1], r),
        Basic::Sub => add::<EXACT>(target, x, (-args[1].0, -args[1].1), r),
        Basic::Mul => mul::<EXACT>(target, x, args[1], r),
        Basic::Div => div::<EXACT>(target, x, args[1], r),
        Basic::Fma | Basic::Mad => fma::<EXACT>(target, x, args[1], args[2], r),
        Basic::Sqrt => sqrt::<EXACT>(target, x, r),
        Basic::Rsqrt => rsqrt(target, x, r),
    }?;
    verdict(target, args, &known)
}

#[inline(always)]
fn verdict(target: &Target, args: &[Pair], known: &Known) -> Option<Verdict> {
    let exponent = known.exponent + known.shift;
    // Away from overflow and from results that may round to zero.
    if exponent >= target.limb.emax || exponent < target.limb.emin {
        return None;
    }
    let ulp_at = (exponent - target.digits as i32 + 1).max(target.limb.emin) - known.shift;
    if !(-1000..1000).contains(&ulp_at) {
        return None;
    }
    let to_u2 = power_of_two(2 * target.limb.p as i32);
    let (of_z, of_terms) = (known.d / known.z, known.d / known.terms);
    if of_terms < SUMMAND && known.d != 0.0 {
        return None;
    }
    let (u2, u2_of_terms) = (of_z * to_u2, of_terms * to_u2);
    let ulp = known.d * power_of_two(-ulp_at);
    if !(u2 < f64::MAX && ulp < f64::MAX) {
        return None;
    }
    let inside = exponent >= -target.range
        && (exponent < target.range || (exponent == target.range && known.power_of_two))
        && args.iter().all(|a| in_range(a.0, target));
    Some(Verdict { mismatch: None, domain: if inside { Domain::Moderate } else { Domain::Wide }, u2, ulp, u2_of_terms })
}

/// Value, binade and whether it is a power of two, of a sum that is not zero; `None` if its error hides the binade.
#[inline(always)]
fn place(z: &Sum) -> Option<(f64, i32, bool)> {
    let (h, l) = two_sum(z.hi, z.rest);
    let e = exponent(h);
    if h.to_bits() << 12 != 0 {
        // Not a power of two, so nearer to h than to any: the error is below half an ulp of h.
        return Some((h.abs(), e, false));
    }
    if l == 0.0 && z.bound == 0.0 && h != 0.0 {
        return Some((h.abs(), e, true));
    }
    let below = (l < 0.0) == (h > 0.0);
    (l.abs() > z.bound).then_some((h.abs(), e - below as i32, false))
}

/// `z = ` the terms, `d = r - z`.
#[inline(always)]
fn of_terms<const EXACT: bool, const N: usize>(
    target: &Target,
    mut z: Terms<N>,
    r: Pair,
    shift: i32,
    terms: Option<f64>,
) -> Option<Known> {
    let sum = z.sum(0.0, 1.0 / (1u64 << 30) as f64)?;
    let (size, exponent, power) = place(&sum)?;
    let floor_at = exponent - target.digits as i32 + 1;
    if floor_at < -1000 {
        return None;
    }
    let floor = power_of_two(floor_at);
    // For binary32 limbs the sum as it is mostly suffices.
    let short = if EXACT { sum.distance(r, floor) } else { None };
    let d = match short {
        Some(d) => d,
        None => z.minus(r).sum(floor, 1.0)?.value(),
    };
    Some(Known { z: size, exponent, power_of_two: power, d: d.abs(), terms: terms.unwrap_or(size), shift })
}

#[inline(always)]
fn magnitude(x: Pair) -> f64 {
    (x.0 + x.1).abs()
}

/// A bound on limbs that keeps sums of a few of them finite, and NaN out.
#[inline(always)]
fn bounded(pairs: &[Pair]) -> bool {
    pairs.iter().all(|x| x.0.abs() < 1.0e300 && x.1.abs() < 1.0e300)
}

#[inline(always)]
fn add<const EXACT: bool>(target: &Target, x: Pair, y: Pair, r: Pair) -> Option<Known> {
    if !bounded(&[x, y, r]) {
        return None;
    }
    let mut z = Terms::<6>::new();
    z.push(x.1);
    z.push(y.1);
    z.push(x.0);
    z.push(y.0);
    of_terms::<EXACT, _>(target, z, r, 0, Some(magnitude(x) + magnitude(y)))
}

/// Adds the four products of limbs.
#[inline(always)]
fn push_products<const EXACT: bool, const N: usize>(z: &mut Terms<N>, x: Pair, y: Pair) {
    z.push_small_product::<EXACT>(x.1, y.1);
    z.push_product::<EXACT>(x.0, y.1);
    z.push_product::<EXACT>(x.1, y.0);
    z.push_product::<EXACT>(x.0, y.0);
}

/// The exponent that brings `x.0` to [1, 2), and the scaled pair; `None` where a scaled limb is too small or hi is near the ends of the range.
#[inline(always)]
fn unit(x: Pair) -> Option<(Pair, i32)> {
    let e = exponent(x.0);
    if !(-1000..1000).contains(&e) {
        return None;
    }
    Some((scaled(x, -e, FACTOR)?, e))
}

/// `x * 2^n`, if exact: both limbs are zero or at least `least`, and not too large either.
#[inline(always)]
fn scaled(x: Pair, n: i32, least: f64) -> Option<Pair> {
    if !(-1020..1020).contains(&n) {
        return None;
    }
    let by = power_of_two(n);
    let fits = |c: f64| c == 0.0 || (c.abs() >= least && c.abs() <= 1.0 / least);
    let y = (x.0 * by, x.1 * by);
    // A limb that is zero only after scaling was lost.
    let kept = (y.0 != 0.0 || x.0 == 0.0) && (y.1 != 0.0 || x.1 == 0.0);
    (kept && fits(y.0) && fits(y.1)).then_some(y)
}

#[inline(always)]
fn mul<const EXACT: bool>(target: &Target, x: Pair, y: Pair, r: Pair) -> Option<Known> {
    if EXACT {
        if !bounded(&[x, y, r]) {
            return None;
        }
        let mut z = Terms::<6>::new();
        push_products::<EXACT, 6>(&mut z, x, y);
        return of_terms::<EXACT, _>(target, z, r, 0, None);
    }
    let ((x, ex), (y, ey)) = (unit(x)?, unit(y)?);
    let r = scaled(r, -ex - ey, SUMMAND)?;
    let mut z = Terms::<9>::new();
    push_products::<EXACT, 9>(&mut z, x, y);
    of_terms::<EXACT, _>(target, z, r, ex + ey, None)
}

#[inline(always)]
fn fma<const EXACT: bool>(target: &Target, x: Pair, y: Pair, a: Pair, r: Pair) -> Option<Known> {
    let terms = |x, y, a| Some(magnitude(x) * magnitude(y) + magnitude(a));
    if EXACT {
        if !bounded(&[x, y, a, r]) {
            return None;
        }
        let mut z = Terms::<8>::new();
        z.push(a.1);
        push_products::<EXACT, 8>(&mut z, x, y);
        z.push(a.0);
        return of_terms::<EXACT, _>(target, z, r, 0, terms(x, y, a));
    }
    let ((x, ex), (y, ey)) = (unit(x)?, unit(y)?);
    let (a, r) = (scaled(a, -ex - ey, SUMMAND)?, scaled(r, -ex - ey, SUMMAND)?);
    let mut z = Terms::<11>::new();
    z.push(a.1);
    push_products::<EXACT, 11>(&mut z, x, y);
    z.push(a.0);
    of_terms::<EXACT, _>(target, z, r, ex + ey, terms(x, y, a))
}

/// A normalised pair of the same value.
#[inline(always)]
fn normal(x: Pair) -> Option<Pair> {
    bounded(&[x]).then(|| two_sum(x.0, x.1))
}

#[inline(always)]
fn div<const EXACT: bool>(target: &Target, x: Pair, y: Pair, r: Pair) -> Option<Known> {
    let ((a, ex), (b, ey)) = (unit(normal(x)?)?, unit(normal(y)?)?);
    let shift = ex - ey;
    let r = scaled(r, -shift, FACTOR)?;
    let (size, divisor) = (magnitude(a), magnitude(b));
    let z = size / divisor;
    // |x| against 2^k |y|, for the one power of two that may be near; normalised pairs compare by limbs.
    let k = exponent(z * (1.0 + 1.0e-12));
    let by = power_of_two(k);
    let sign = |v: Pair| if v.0 < 0.0 { (-v.0, -v.1) } else { v };
    let (a, b) = (sign(a), sign(b));
    let b = (b.0 * by, b.1 * by);
    let below = a.0 < b.0 || (a.0 == b.0 && a.1 < b.1);
    let exponent = k - below as i32;
    // Residual r y - x, against |y| ulp(z), on the limbs as they were given: those have short products.
    let (x, y) = (scaled(x, -ex, FACTOR)?, scaled(y, -ey, FACTOR)?);
    let mut residual = Terms::<9>::new();
    residual.push(-x.1);
    push_products::<EXACT, 9>(&mut residual, r, y);
    residual.push(-x.0);
    let residual = residual.sum(0.5 * power_of_two(exponent - target.digits as i32 + 1), 1.0)?;
    let d = residual.value().abs() / divisor;
    Some(Known { z, exponent, power_of_two: a == b, d, terms: z, shift })
}

/// The radicand as a normalised pair in [1, 4), up to half an ulp below 1, and the exponent of its root.
#[inline(always)]
fn radicand(x: Pair) -> Option<(Pair, i32)> {
    let x = normal(x)?;
    if x.0 <= 0.0 {
        return None;
    }
    let half = exponent(x.0) >> 1;
    if !(-500..500).contains(&half) {
        return None;
    }
    Some((scaled(x, -2 * half, FACTOR)?, half))
}

#[inline(always)]
fn sqrt<const EXACT: bool>(target: &Target, x: Pair, r: Pair) -> Option<Known> {
    let (x, shift) = radicand(x)?;
    let r = scaled(r, -shift, FACTOR)?;
    if r.0 + r.1 < 0.0 {
        return None;
    }
    let z = magnitude(x).sqrt();
    let exponent = -((x.0 == 1.0 && x.1 < 0.0) as i32);
    // r - z = (r^2 - x) / (r + z), without cancellation in r + z.
    let mut residual = Terms::<7>::new();
    residual.push(-x.1);
    residual.push_small_product::<EXACT>(r.1, r.1);
    residual.push_product::<EXACT>(2.0 * r.0, r.1);
    residual.push_product::<EXACT>(r.0, r.0);
    residual.push(-x.0);
    let residual = residual.sum(0.5 * power_of_two(exponent - target.digits as i32 + 1), 1.0)?;
    let d = residual.value().abs() / (magnitude(r) + z);
    Some(Known { z, exponent, power_of_two: x == (1.0, 0.0), d, terms: z, shift })
}

#[inline(always)]
fn rsqrt(target: &Target, x: Pair, r: Pair) -> Option<Known> {
    let (x, half) = radicand(x)?;
    let shift = -half;
    let r = scaled(r, half, FACTOR)?;
    if r.0 + r.1 < 0.0 {
        return None;
    }
    let root = magnitude(x).sqrt();
    let power = x == (1.0, 0.0);
    let exponent = -((x.0 > 1.0 || (x.0 == 1.0 && x.1 > 0.0)) as i32);
    // r - z = (r^2 x - 1) / (x (r + z)) = (r^2 x - 1) / (root (r root + 1)).
    let (h, l) = sum::two_prod(r.0, r.0);
    let (mh, ml) = sum::two_prod(2.0 * r.0, r.1);
    let mut residual = Terms::<14>::new();
    residual.push_small_product::<false>(r.1 * r.1, x.0 + x.1);
    residual.push_slack(r.1 * r.1 * x.0);
    residual.push_small_product::<false>(ml, x.0);
    residual.push_small_product::<false>(ml, x.1);
    residual.push_small_product::<false>(mh, x.1);
    residual.push_small_product::<false>(l, x.1);
    residual.push_product::<false>(mh, x.0);
    residual.push_product::<false>(l, x.0);
    residual.push_product::<false>(h, x.1);
    residual.push_product::<false>(h, x.0);
    residual.push(-1.0);
    let residual = residual.sum(0.5 * power_of_two(exponent - target.digits as i32 + 1), 1.0)?;
    let d = residual.value().abs() / (root * (magnitude(r) * root + 1.0));
    Some(Known { z: 1.0 / root, exponent, power_of_two: power, d, terms: 1.0 / root, shift })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::round_pair;
    use crate::target::{MEANINGS, arity};

    /// What is slow is correct all the same, so only a count shows that the fast path does its work.
    #[test]
    fn decides_nearly_all_ordinary_cases() {
        let mut state = 1u64;
        let mut unit = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 * 2f64.powi(-52) - 1.0
        };
        for target in [Target::FP32MP2, Target::FP64MP2, Target::UNPACKED] {
            let single = is_single(&target);
            let limb = |x: f64| if single { x as f32 as f64 } else { x };
            for op in MEANINGS[..11].iter().copied() {
                let left = (0..4000)
                    .filter(|_| {
                        let args: Vec<Pair> = (0..arity(op).unwrap_or(0))
                            .map(|_| {
                                let e = (20.0 * unit()) as i32;
                                let hi = limb((1.5 + 0.5 * unit()) * power_of_two(e));
                                (hi, limb(0.5 * unit() * power_of_two(e - if single { 24 } else { 53 })))
                            })
                            .collect();
                        let format = if single { target.limb } else { crate::format::Format::F64 };
                        let r = round_pair(op, &args, format);
                        let r = (r.0, limb(r.1 * (1.0 + unit() * 16.0 / power_of_two(format.p as i32))));
                        let verdict = if single {
                            judge::<true>(Basic::of(op).unwrap(), &target, &args, r)
                        } else {
                            judge::<false>(Basic::of(op).unwrap(), &target, &args, r)
                        };
                        verdict.is_none()
                    })
                    .count();
                assert!(left <= 4, "{op:?} {target:?}: {left} of 4000 left to MPFR");
            }
        }
    }
}
