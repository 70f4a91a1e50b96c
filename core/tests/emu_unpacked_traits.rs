//! The host type of unpacked numbers: remainders, text, crates num-traits and serde.

mod exact;
mod unpacked;

use exact::Number::{self, Finite};
use num_bigint::{BigInt, BigUint};
use unpacked::{Random, number, rounded};
use vernier::fp64emu_unpacked;

type T = fp64emu_unpacked;

fn triple(x: T) -> (u32, i32, u64) {
    x.to_parts()
}

#[test]
fn remainders_are_exact() {
    let mut random = Random(51);
    let mut any = |exponents: u64| {
        let (sign, e) = (random.below(2) as u32, 1023 + random.below(exponents) as i32);
        T::from_parts(sign, e, random.word() >> random.below(60) | 1)
    };
    for i in 0..100_000 {
        let spread = [3, 70, 2000][i % 3];
        let (x, y) = (any(spread), any(spread));
        let (Finite(m, e), Finite(n, f)) = (number(triple(x)), number(triple(y))) else { panic!() };
        let low = e.min(f);
        // The remainder of integers has the sign of the dividend too.
        let rest = (m << (e - low)) % (n << (f - low));
        let negative = x.is_sign_negative();
        let expected = if rest == BigInt::ZERO { Number::Zero(negative) } else { Finite(rest, low) };
        assert_eq!(triple(x % y), rounded(&expected), "{x:?} % {y:?}");
        // The level does not matter.
        let low = x.to_level::<vernier::Low>() % y.to_level();
        assert_eq!(low.to_parts(), triple(x % y));
    }
    let power = |e: i32| T::from_parts(0, e, 1 << 61);
    // 2^(2^27 - 1) modulo 3.
    assert_eq!(power((1 << 26) - 1) % (power(-(1 << 26)) * 3), power(-(1 << 26)) * 2);
    let mut x = T::from_f64(-7.5);
    x %= T::from_f64(2.0);
    assert_eq!((x, 7 % x, x % 0.75f32), (T::from_f64(-1.5), T::from_f64(1.0), -T::default()));
    assert_eq!(triple(T::from_f64(-6.0) % 3), (1, vernier::emu::unpacked::ZERO, 0));
    let (one, zero) = (T::from_f64(1.0), T::default());
    assert!((T::INFINITY % one).is_nan() && (x % zero).is_nan() && (T::NAN % one).is_nan() && (x % T::NAN).is_nan());
    assert_eq!((x % T::INFINITY, T::default() % x), (x, T::default()));
}

/// digits 10^exponent rounded to odd at 62 digits.
fn decimal(digits: &BigUint, exponent: i32) -> (u32, i32, u64) {
    if exponent >= 0 {
        return rounded(&exact::integer(BigInt::from(digits * BigUint::from(10u8).pow(exponent as u32))));
    }
    let divisor = BigUint::from(10u8).pow(-exponent as u32);
    // Enough places for 62 digits and a last one that says whether there are more.
    let places = divisor.bits() + 80;
    let scaled = digits << places;
    let odd = (&scaled / &divisor) << 1u8 | BigUint::from(u8::from(&scaled % &divisor != BigUint::ZERO));
    rounded(&exact::integer(BigInt::from(odd)).scaled(-(places as i32) - 1))
}

trait Scaled {
    fn scaled(self, e: i32) -> Self;
}

impl Scaled for Number {
    fn scaled(self, n: i32) -> Self {
        match self {
            Finite(m, e) => Finite(m, e + n),
            x => x,
        }
    }
}

#[test]
fn text_is_read_to_62_digits() {
    let mut random = Random(52);
    for i in 0..20_000 {
        let length = 1 + random.below(if i % 8 == 0 { 400 } else { 30 }) as usize;
        let mut text: String = (0..length).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
        let digits = BigUint::parse_bytes(text.as_bytes(), 10).unwrap();
        if digits == BigUint::ZERO {
            continue;
        }
        // 2^-1026 is above 10^-309.
        let exponent = random.below(600) as i32 - 308 - length as i32 + 1;
        let negative = random.below(2);
        text = format!("{}{text}e{exponent}", ["", "-"][negative as usize]);
        let x: T = text.parse().unwrap();
        let leading_zeros = length - digits.to_string().len();
        if exponent + length as i32 - leading_zeros as i32 > -308 {
            let (_, e, m) = decimal(&digits, exponent);
            assert_eq!(triple(x), (negative as u32, e, m), "{text}");
        }
        let double: f64 = text.parse().unwrap();
        assert_eq!(x.to_f64().to_bits(), double.to_bits(), "{text}");
    }
    // Below, rounding once still.
    for text in
        ["1e-308", "3e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "-7.2e-320", "1e-400", "-0.0"]
    {
        let (x, double): (T, f64) = (text.parse().unwrap(), text.parse().unwrap());
        assert_eq!(x.to_f64().to_bits(), double.to_bits(), "{text}");
    }
    assert_eq!("inf".parse(), Ok(T::INFINITY));
    assert!("nan".parse::<T>().unwrap().is_nan());
    assert_eq!("1.2.3".parse::<T>().unwrap_err().position(), 3);
    assert_eq!("0.1".parse::<T>().unwrap().to_parts(), (0, 1019, 0x3333_3333_3333_3333));
}

#[test]
fn text_outside_the_range_of_doubles_is_read_to_62_digits() {
    let mut random = Random(53);
    for i in 0..3000 {
        let length = 1 + random.below(if i % 4 == 0 { 77 } else { 20 }) as usize;
        let mut text: String = (0..length).map(|_| char::from(b'1' + random.below(9) as u8)).collect();
        let digits = BigUint::parse_bytes(text.as_bytes(), 10).unwrap();
        let size = random.below(if i % 16 == 0 { 20_000 } else { 1200 }) as i32;
        let exponent = if random.below(2) == 0 { size } else { -size };
        text = format!("{}.{}e{}", &text[..1], &text[1..], exponent + length as i32 - 1);
        assert_eq!(triple(text.parse().unwrap()), decimal(&digits, exponent), "{text}");
    }
    // Digits after the 77th do not count, and on both sides of where it changes nothing else does.
    let long = format!("1{}1e", "0".repeat(100));
    for e in [-700, -409, -408, -407, 208, 209, 210, 400] {
        let exact = decimal(&(BigUint::from(10u8).pow(101) + 1u8), e);
        assert_eq!(triple(format!("{long}{e}").parse().unwrap()), exact, "{e}");
    }
    for (text, e) in
        [("1e-400", -400), ("1e400", 400), ("1e-309", -309), ("1e311", 311), ("1e310", 310), ("1e309", 309)]
    {
        assert_eq!(triple(text.parse().unwrap()), decimal(&BigUint::from(1u8), e), "{text}");
    }
    // The largest number is 1.2...e20201473, the smallest one 1.01...e-20202089.
    let ends = [
        "1e20201473",
        "1e20201474",
        "-9e20201473",
        "1e99999999999999999999",
        "1e-20202088",
        "1e-20202090",
        "-1e-20300001",
    ];
    let ends = ends.map(|text| text.parse::<T>().unwrap());
    assert!(ends[0].is_finite() && ends[1] == T::INFINITY && ends[2] == T::NEG_INFINITY && ends[3] == T::INFINITY);
    assert!(ends[4] > 0 && ends[5].is_zero() && ends[6].is_zero() && ends[6].is_sign_negative());
    // 10^20000000 by products.
    let ten = |n: u32| (0..n).fold(T::from(1), |x, _| x * 10);
    let mut x = ten(20);
    for factor in [10, 10, 10, 10, 10, 10] {
        x = (1..factor).fold(x, |product, _| product * x);
    }
    let read: T = "1e20000000".parse().unwrap();
    assert!((f64::from(x / read) - 1.0).abs() < 1e-9, "{x:?} {read:?}");
}

#[cfg(feature = "num-traits")]
#[test]
fn num_traits() {
    use num_traits::{Bounded, FloatConst, FromPrimitive, Inv, MulAdd, Num, NumCast, One, Signed, ToPrimitive, Zero};
    use vernier::{FromStrRadixError, fp64emu_unpacked_low, fp64mp2};

    let of = T::from_f64;
    assert!(T::zero().is_zero() && of(-0.0).is_zero() && T::one().is_one());
    assert_eq!((T::max_value(), T::min_value()), (T::MAX, T::MIN));
    assert_eq!(<T as Num>::from_str_radix("0.1", 10), Ok("0.1".parse().unwrap()));
    assert_eq!(<T as Num>::from_str_radix("11", 2), Err(FromStrRadixError::Radix(2)));
    assert_eq!((of(4.0).inv(), of(3.0).mul_add(of(2.0), of(1.0))), (of(0.25), of(7.0)));
    assert_eq!((of(-0.0).signum(), of(5.0).abs_sub(&of(7.0)), of(7.0).abs_sub(&of(5.0))), (of(-1.0), of(0.0), of(2.0)));
    assert!(T::NAN.signum().is_nan() && Signed::is_negative(&of(-1.0)) && of(1.0).is_positive());
    let third = fp64emu_unpacked_low::one() / <fp64emu_unpacked_low as FromPrimitive>::from_u8(3).unwrap();
    assert_eq!(<fp64emu_unpacked_low as Signed>::abs(&-third), third);

    // Integers of every length against the exact ones.
    let mut random = Random(53);
    for _ in 0..20_000 {
        let wide = (random.word() as u128) << 64 | random.word() as u128;
        let u = wide >> random.below(128);
        let i = wide as i128 >> random.below(127);
        let (x, y) = (<T as FromPrimitive>::from_u128(u).unwrap(), <T as FromPrimitive>::from_i128(i).unwrap());
        assert_eq!(triple(x), rounded(&exact::integer(u)), "{u}");
        assert_eq!(triple(y), rounded(&exact::integer(i)), "{i}");
        assert_eq!((<T as NumCast>::from(u), <T as NumCast>::from(i)), (Some(x), Some(y)));
        for x in [x, y, x / 3, y * 5] {
            let whole = exact::truncate(&number(triple(x)), &(BigInt::from(-1) << 200u8), &(BigInt::from(1) << 200u8));
            assert_eq!(ToPrimitive::to_u128(&x), u128::try_from(&whole).ok(), "{x:?}");
            assert_eq!(ToPrimitive::to_i128(&x), i128::try_from(&whole).ok(), "{x:?}");
            assert_eq!(ToPrimitive::to_u64(&x), u64::try_from(&whole).ok(), "{x:?}");
            assert_eq!(ToPrimitive::to_i16(&x), i16::try_from(&whole).ok(), "{x:?}");
        }
    }
    let least = <T as FromPrimitive>::from_i128(i128::MIN).unwrap();
    assert_eq!((ToPrimitive::to_i128(&least), ToPrimitive::to_i128(&-least)), (Some(i128::MIN), None));
    assert_eq!((ToPrimitive::to_u128(&-least), ToPrimitive::to_u128(&(-least * 2))), (Some(1 << 127), None));
    assert_eq!((ToPrimitive::to_i64(&T::NAN), ToPrimitive::to_i64(&T::INFINITY)), (None, None));
    assert_eq!((ToPrimitive::to_u8(&of(-0.9)), ToPrimitive::to_u8(&of(-1.0))), (Some(0), None));
    assert_eq!(ToPrimitive::to_f32(&of(0.1)), Some(0.1));
    assert_eq!(<T as NumCast>::from(2.5f32), Some(of(2.5)));
    assert_eq!(<T as NumCast>::from(T::INFINITY), Some(T::INFINITY));

    macro_rules! constants {
        ($($name:ident)*) => {$(
            let pair: fp64mp2 = fp64mp2::$name();
            let x = T::$name();
            assert_eq!(x, of(pair.hi()) + of(pair.lo()), stringify!($name));
            assert_eq!(x.to_f64(), f64::$name());
        )*};
    }
    constants! {
        E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8 LN_10 LN_2
        LOG10_E LOG2_E PI SQRT_2 TAU LOG10_2 LOG2_10
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde() {
    let third = T::from_f64(1.0) / -3;
    assert_eq!(serde_json::to_string(&third).unwrap(), r#""1:000003fd:2aaaaaaaaaaaaaab""#);
    let mut random = Random(54);
    for i in 0..10_000 {
        let (s, e, m) = random.any();
        let x = T::from_parts(s, e, m);
        let x = [x, T::NAN, -T::NAN, -T::INFINITY, -T::default()][if i < 10 { i % 5 } else { 0 }];
        let back: T = serde_json::from_str(&serde_json::to_string(&x).unwrap()).unwrap();
        assert_eq!(triple(back), triple(x));
    }
    // Words that are no number's.
    let x: T = serde_json::from_str(r#""0:00000400:8000000000000000""#).unwrap();
    assert_eq!(x, 8);
    for text in
        ["2:00000400:2000000000000000", "0:400:2000000000000000", "0:00000400:2", "0:00000400", "3ff0000000000000", ""]
    {
        let error = serde_json::from_str::<T>(&format!("\"{text}\"")).unwrap_err().to_string();
        assert!(error.contains("sign:exponent:significand, the sign 0 or 1"), "{text}: {error}");
    }
    assert!(serde_json::from_str::<T>("1.0").is_err());
}
