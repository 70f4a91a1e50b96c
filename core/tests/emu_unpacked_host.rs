//! The host type of unpacked numbers: conversions, operators, limits, and the digits of pi.

mod exact;
mod unpacked;

use std::ops::{Add, Div, Mul};
use unpacked::Random;
use vernier::emu::unpacked::{MAX_EXPONENT, MIN_EXPONENT};
use vernier::{
    Fp64EmuUnpacked, RoundFrom, TruncateFrom, fp64emu, fp64emu_low, fp64emu_mid, fp64emu_unpacked,
    fp64emu_unpacked_low, fp64emu_unpacked_mid,
};

type T = fp64emu_unpacked;

#[test]
fn conversions_round_once() {
    // Rounding to a double first would give 1.
    let x = T::from_f64(1.0 + 2f64.powi(-24)) + T::from_f64(2f64.powi(-60));
    assert_eq!((x.to_f32(), x.to_f64() as f32), (1.0 + f32::EPSILON, 1.0));
    assert_eq!(i64::truncate_from(T::from_f64(1e30) - 1e30), 0);
    let mut random = Random(42);
    for _ in 0..10_000 {
        // Although 62 digits do not hold it.
        let n = random.word() >> random.below(64);
        assert_eq!((T::round_from(n).to_f64(), T::round_from(n as i64).to_f64()), (n as f64, n as i64 as f64));
    }
    assert_eq!((T::round_from(true), T::round_from(false)), (T::from_f64(1.0), T::default()));
}

#[test]
fn operators_are_the_functions() {
    let x = T::from_f64(10.0);
    let y = fp64emu_unpacked_mid::from_f64(0.5);
    assert_eq!((x + 2u8, x - 2, 2 * x, x / 4.0), (12.into_t(), 8.into_t(), 20.into_t(), T::from_f64(2.5)));
    assert_eq!((1u64 - x, -x, 5f32 / x), ((-9).into_t(), (-10).into_t(), T::from_f64(0.5)));
    let mut z = x;
    z += x;
    z -= 1;
    z *= 2i64;
    z /= 19.0f32;
    assert_eq!(z, 2);
    assert!(x > 9.5 && x <= 10u8 && x != 11 && T::NAN != T::NAN && T::default() == -T::default());
    assert_eq!(T::NAN.partial_cmp(&x), None);
    assert_eq!(y.to_level::<vernier::High>() + x, T::from_f64(10.5));
    assert_eq!([1, 2, 3].map(IntoT::into_t).iter().sum::<T>(), 6.into_t());
    assert_eq!([2, 3, 7].map(IntoT::into_t).into_iter().product::<T>(), 42.into_t());
    assert_eq!((x.fma(x, x), x.mad(x, x), x.dot(x, x, x)), (110.into_t(), 110.into_t(), 200.into_t()));
    let (re, im) = T::cmul((1.into_t(), 2.into_t()), (3.into_t(), 4.into_t()));
    assert_eq!((re, im), ((-5).into_t(), 10.into_t()));
    assert_eq!((T::from_f64(6.25).sqrt(), (-x).abs()), (T::from_f64(2.5), x));
    assert_eq!(format!("{x} {:?}", -T::from_f64(1.0)), "10 fp64emu_unpacked.high(1:000003ff:2000000000000000)");
    assert_eq!(T::unpack(fp64emu::from(0.1)).pack::<vernier::Low>(), fp64emu_low::from(0.1));
    let third: T = T::from_f64(1.0) / 3;
    assert_eq!(third.pack_in::<vernier::High, vernier::emu::Ru>().to_f64(), (1.0f64 / 3.0).next_up());
}

trait IntoT {
    fn into_t(self) -> T;
}

impl IntoT for i32 {
    fn into_t(self) -> T {
        T::round_from(self)
    }
}

#[test]
fn limits_are_what_they_are_called() {
    let power = |e: i32| T::from_parts(0, 1023 + e, 1 << 61);
    assert_eq!(T::EPSILON, power(-61));
    assert!(power(0) + T::EPSILON > power(0));
    assert_eq!((power(0) + T::EPSILON) - 1, T::EPSILON);
    assert_eq!(T::MIN_POSITIVE, f64::MIN_POSITIVE);
    assert_eq!(T::MAX, power(1024) * (power(0) - power(-62)));
    assert_eq!((T::MAX.to_f64(), T::MIN.to_f64()), (f64::INFINITY, f64::NEG_INFINITY));
    assert!(T::MAX.is_finite() && T::MIN == -T::MAX && T::INFINITY > T::MAX && T::NEG_INFINITY < T::MIN);
    assert!(T::NAN.is_nan() && T::INFINITY.is_infinite() && T::default().is_zero());
    assert_eq!(T::NAN.to_parts(), (T::INFINITY - T::INFINITY).to_parts());
    assert_eq!(size_of::<T>(), 16);
    let digits = f64::from(T::MANTISSA_DIGITS);
    assert_eq!(f64::from(T::DIGITS), ((digits - 1.0) * 2f64.log10()).floor());
    assert_eq!(f64::from(T::MAX_DIGITS10), (digits * 2f64.log10() + 1.0).ceil());
    assert_eq!(power(MAX_EXPONENT - 1023) * 2, T::INFINITY);
    assert!(power(MIN_EXPONENT - 1023) > 0 && power(MIN_EXPONENT - 1023) / 2 == 0);
}

/// 4 / (1 + x^2) at the midpoints of n intervals of [0, 1], as 131072 threads sum it, each in order and then all of them.
fn pi<F>(n: u32, from: impl Fn(f64) -> F, parts: impl Fn(F, F) -> (f64, f64)) -> f64
where
    F: Copy + Add<Output = F> + Mul<Output = F> + Div<Output = F>,
{
    const THREADS: u32 = 1 << 17;
    let h = 1.0 / f64::from(n);
    let (step, four, one) = (from(f64::from(THREADS) * h), from(4.0), from(1.0));
    let mut sum = from(0.0);
    for t in 0..THREADS {
        let mut x = (from(f64::from(t)) + from(0.5)) * from(h);
        let mut partial = from(0.0);
        for _ in 0..n / THREADS {
            partial = partial + four / (one + x * x);
            x = x + step;
        }
        sum = sum + partial;
    }
    let (high, low) = parts(sum, from(h));
    let error = (high - std::f64::consts::PI) + (low - 1.224_646_799_147_353_2e-16);
    -(error.abs() / std::f64::consts::PI).log10()
}

fn packed_parts<A: vernier::emu::Level>(sum: vernier::Fp64Emu<A>, h: vernier::Fp64Emu<A>) -> (f64, f64) {
    (sum.to_f64() * h.to_f64(), 0.0)
}

/// The product by a power of two as two doubles.
fn parts<A: vernier::emu::unpacked::Level>(sum: Fp64EmuUnpacked<A>, h: Fp64EmuUnpacked<A>) -> (f64, f64) {
    let exact = sum.to_level::<vernier::High>() * h.to_level();
    (exact.to_f64(), (exact - exact.to_f64()).to_f64())
}

#[test]
fn digits_of_pi() {
    let n = 1 << 22;
    let found = [
        ("unpacked", pi(n, fp64emu_unpacked::from_f64, parts), 14.75),
        ("unpacked mid", pi(n, fp64emu_unpacked_mid::from_f64, parts), 14.0),
        ("unpacked low", pi(n, fp64emu_unpacked_low::from_f64, parts), 4.0),
        ("packed mid", pi(n, fp64emu_mid::from_f64, packed_parts), 11.3),
        ("packed low", pi(n, fp64emu_low::from_f64, packed_parts), 4.0),
    ];
    for (name, digits, least) in found {
        println!("{name}: {digits:.2} digits");
        assert!(digits >= least, "{name}: {digits:.2}");
    }
}
