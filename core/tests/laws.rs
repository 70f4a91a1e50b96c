//! Laws that hold for these sequences, and witnesses where a law one might expect does not hold.

use proptest::prelude::*;
use std::cmp::Ordering::{Equal, Greater, Less};
use vernier::machine::exp2;
use vernier::{DoubleWord, High, HostLimb, Level, Low, Mid, acc, add, div, fma, mad, mul, slice, sub};

type Bits = (u64, u64);

/// The bits, every NaN limb alike.
fn bits<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> Bits {
    let limb = |a: F| if a.to_f64().is_nan() { u64::MAX } else { a.to_bits_u64() };
    (limb(x.hi()), limb(x.lo()))
}

/// The bits with the signs of zero limbs cleared.
fn value_bits<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> Bits {
    let clear = |a: F| if a == F::ZERO { F::ZERO } else { a };
    bits(DoubleWord::<F, A>::from_parts(clear(x.hi()), clear(x.lo())))
}

fn from_bits<F: HostLimb, A: Level>((hi, lo): Bits) -> DoubleWord<F, A> {
    DoubleWord::from_parts(F::from_bits_u64(hi), F::from_bits_u64(lo))
}

/// Any two limbs.
fn any_pair<F: HostLimb, A: Level>() -> impl Strategy<Value = DoubleWord<F, A>> {
    any::<Bits>().prop_map(from_bits)
}

/// A normalised pair with hi within 2^±range and lo zero or up to p + 8 bits below half an ulp of hi.
fn normalized<F: HostLimb, A: Level>(range: i32) -> impl Strategy<Value = DoubleWord<F, A>> {
    let p = F::P as i32;
    (any::<Bits>(), -range..range, p..2 * p + 8, 0..8).prop_map(move |((h, l), e, gap, kind)| {
        let fraction = (1u64 << (p - 1)) - 1;
        let limb = |bits: u64, e: i32| {
            let one = F::ONE.to_bits_u64();
            let sign = if bits >> 63 == 1 { -1.0 } else { 1.0 };
            F::from_bits_u64(one | (bits & fraction)) * F::lit(sign) * F::lit(exp2(e))
        };
        let hi = limb(h, e);
        let lo = if kind == 0 { F::ZERO } else { limb(l, e - gap) };
        DoubleWord::from_parts(hi, lo).canonical()
    })
}

fn is_normalized<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> bool {
    x.hi() + x.lo() == x.hi()
}

macro_rules! for_each_type {
    ($name:ident, $body:ident) => {
        mod $name {
            use super::*;
            $body!(f32, Low, f32_low, 30);
            $body!(f32, Mid, f32_mid, 30);
            $body!(f32, High, f32_high, 30);
            $body!(f64, Low, f64_low, 200);
            $body!(f64, Mid, f64_mid, 200);
            $body!(f64, High, f64_high, 200);
        }
    };
}

macro_rules! any_limbs {
    ($F:ty, $A:ty, $name:ident, $range:expr) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(4000))]
            #[test]
            fn $name(x in any_pair::<$F, $A>(), y in any_pair::<$F, $A>(), z in any_pair::<$F, $A>()) {
                // Addition commutes at every level; products where both cross terms are treated alike.
                prop_assert_eq!(value_bits(x + y), value_bits(y + x));
                if !<$A>::UNNORMALIZED {
                    prop_assert_eq!(value_bits(x * y), value_bits(y * x));
                }
                if <$A>::NAME == "high" {
                    prop_assert_eq!(value_bits(x.fma(y, z)), value_bits(y.fma(x, z)));
                }
                // Explicit levels are the operators of that level.
                prop_assert_eq!(bits(add::<$A, _, Mid>(x.to_level(), y.to_level())), bits((x.to_level::<Mid>().to_level::<$A>()) + y.to_level::<Mid>().to_level::<$A>()));
                prop_assert_eq!(bits(sub::<$A, $F, $A>(x, y)), bits(x - y));
                prop_assert_eq!(bits(mul::<$A, $F, $A>(x, y)), bits(x * y));
                prop_assert_eq!(bits(div::<$A, $F, $A>(x, y)), bits(x / y));
                prop_assert_eq!(bits(fma::<$A, $F, $A>(x, y, z)), bits(x.fma(y, z)));
                prop_assert_eq!(bits(mad::<$A, $F, $A>(x, y, z)), bits(x.mad(y, z)));
                let mut s = x;
                s += y.hi();
                prop_assert_eq!(bits(s), bits(acc::<$A, $F, $A>(x, y.hi())));
                let mut s = x;
                s -= y.hi();
                prop_assert_eq!(bits(s), bits(acc::<$A, $F, $A>(x, -y.hi())));
                let mut s = x;
                s *= y;
                s -= z;
                s /= y;
                s += x;
                prop_assert_eq!(bits(s), bits((x * y - z) / y + x));
                prop_assert_eq!(bits(x + y.hi()), bits(x + DoubleWord::from_limb(y.hi())));
                prop_assert_eq!(bits(y.hi() / x), bits(DoubleWord::from_limb(y.hi()) / x));
                // Comparisons are total and consistent unless one side is NaN.
                let orders = u8::from(x < y) + u8::from(x == y) + u8::from(x > y);
                prop_assert_eq!(orders, u8::from(!x.is_nan() && !y.is_nan()));
                prop_assert_eq!(x <= y, matches!(x.partial_cmp(&y), Some(Less | Equal)));
                prop_assert_eq!(x >= y, matches!(x.partial_cmp(&y), Some(Greater | Equal)));
                prop_assert_eq!(x != y, !(x == y));
            }
        }
    };
}
for_each_type!(any_limbs_laws, any_limbs);

macro_rules! finite_laws {
    ($F:ty, $A:ty, $name:ident, $range:expr) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(4000))]
            #[test]
            fn $name(
                x in normalized::<$F, $A>($range),
                y in normalized::<$F, $A>($range),
                z in normalized::<$F, $A>($range),
                c in normalized::<$F, $A>($range),
                near in 0u64..4,
            ) {
                // Half of the time y is close to -x, so that sums cancel.
                let y = if near < 2 { y } else {
                    DoubleWord::from_parts(-<$F>::from_bits_u64(x.hi().to_bits_u64() ^ near), y.lo()).canonical()
                };
                // Sign symmetry, up to the signs of zeros.
                prop_assert_eq!(value_bits(-(x + y)), value_bits(-x + -y));
                prop_assert_eq!(value_bits(-(x * y)), value_bits(-x * y));
                prop_assert_eq!(value_bits(-(x * y)), value_bits(x * -y));
                prop_assert_eq!(value_bits(-(x / y)), value_bits(-x / y));
                prop_assert_eq!(value_bits(-(x / y)), value_bits(x / -y));
                prop_assert_eq!(value_bits(-x.fma(y, z)), value_bits((-x).fma(y, -z)));
                prop_assert_eq!(value_bits(-x.mad(y, z)), value_bits((-x).mad(y, -z)));
                prop_assert_eq!(value_bits(x - y), value_bits(x + -y));
                if !<$A>::UNNORMALIZED {
                    prop_assert!(is_normalized(x + y));
                    prop_assert!(is_normalized(x * y));
                    prop_assert!(is_normalized(x / y));
                    prop_assert!(is_normalized(x.mad(y, z)));
                    prop_assert!(is_normalized(acc::<$A, $F, $A>(x, c.hi())));
                    prop_assert!(is_normalized(x.abs().sqrt()));
                }
                // Equal if and only if the difference is zero.
                prop_assert_eq!(x == y, (x - y) == DoubleWord::default());
                prop_assert!((x - x) == DoubleWord::default() && x == x);
                prop_assert!(x.abs() >= DoubleWord::default() && (x.abs() == x || x.abs() == -x));
            }
        }
    };
}
for_each_type!(finite_limbs_laws, finite_laws);

macro_rules! slice_laws {
    ($F:ty, $A:ty, $name:ident, $range:expr) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(60))]
            #[test]
            fn $name(args in proptest::collection::vec([any::<Bits>(), any::<Bits>(), any::<Bits>()], 0..40)) {
                let column = |k: usize| -> Vec<DoubleWord<$F, $A>> { args.iter().map(|a| from_bits(a[k])).collect() };
                let (x, y, z) = (column(0), column(1), column(2));
                let mut out = vec![DoubleWord::default(); args.len()];
                macro_rules! same {
                    ($call:expr, $each:expr) => {
                        $call;
                        for i in 0..args.len() {
                            prop_assert_eq!(bits(out[i]), bits($each(i)));
                        }
                    };
                }
                same!(slice::add(&x, &y, &mut out), |i: usize| x[i] + y[i]);
                same!(slice::sub(&x, &y, &mut out), |i: usize| x[i] - y[i]);
                same!(slice::mul(&x, &y, &mut out), |i: usize| x[i] * y[i]);
                same!(slice::div(&x, &y, &mut out), |i: usize| x[i] / y[i]);
                same!(slice::fma(&x, &y, &z, &mut out), |i: usize| x[i].fma(y[i], z[i]));
                same!(slice::mad(&x, &y, &z, &mut out), |i: usize| x[i].mad(y[i], z[i]));
                same!(slice::sqrt(&x, &mut out), |i: usize| x[i].sqrt());
                same!(slice::rsqrt(&x, &mut out), |i: usize| x[i].rsqrt());
                let mut sum = x.first().copied().unwrap_or_default();
                let mut product = x.first().copied().unwrap_or(DoubleWord::from_limb(1.0));
                let mut dot = if args.is_empty() { DoubleWord::default() } else { x[0] * y[0] };
                for i in 1..args.len() {
                    sum += x[i];
                    product *= x[i];
                    dot = x[i].mad(y[i], dot);
                }
                prop_assert_eq!(bits(slice::sum(&x)), bits(sum));
                prop_assert_eq!(bits(slice::product(&x)), bits(product));
                prop_assert_eq!(bits(slice::dot(&x, &y)), bits(dot));
            }
        }
    };
}
for_each_type!(slices, slice_laws);

/// A witness from a fixed sequence of normalised float pairs.
fn witness<A: Level>(law_fails: impl Fn([DoubleWord<f32, A>; 3]) -> bool) -> bool {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let hi = 1.0 + (state >> 41) as f32 / (1 << 23) as f32;
        DoubleWord::from_parts(hi, ((state >> 20 & 0xfffff) as f32 / (1 << 20) as f32 - 0.5) * 2f32.powi(-23))
    };
    (0..100_000).any(|_| law_fails([next(), next(), next()]))
}

#[test]
fn laws_that_do_not_hold() {
    assert!(witness::<Low>(|[x, y, _]| bits(x * y) != bits(y * x)));
    assert!(witness::<Low>(|[x, y, z]| bits(x.fma(y, z)) != bits(y.fma(x, z))));
    assert!(witness::<Mid>(|[x, y, z]| bits(x.fma(y, z)) != bits(y.fma(x, z))));
    // The leading terms cancel and leave |lo| > |hi|.
    let unnormalized = |[x, y, z]: [DoubleWord<f32, Mid>; 3]| {
        let z = DoubleWord::from_parts(-(x.hi() * y.hi()), 2.0 * z.lo());
        is_normalized(z) && !is_normalized(x.fma(y, z))
    };
    assert!(witness::<Mid>(unnormalized));
    assert!(witness::<Low>(|[x, y, _]| !is_normalized(x - y)));
}

#[test]
#[should_panic(expected = "slices of different length")]
fn slices_of_different_length_panic() {
    let x = [DoubleWord::<f64, Mid>::default(); 3];
    slice::add(&x, &x[..2], &mut [x[0]; 3]);
}

#[test]
fn layout() {
    use core::mem::{align_of, size_of};
    assert_eq!((size_of::<vernier::fp32mp2>(), align_of::<vernier::fp32mp2>()), (8, 8));
    assert_eq!((size_of::<vernier::fp64mp2>(), align_of::<vernier::fp64mp2>()), (16, 16));
}
