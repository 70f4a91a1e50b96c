//! Features `num-traits` and `serde`.

#![cfg(all(feature = "num-traits", feature = "serde"))]

mod exact;

use num_bigint::BigInt;
use num_traits::{Bounded, FloatConst, FromPrimitive, Inv, MulAdd, MulAddAssign, Num, One, Signed, ToPrimitive, Zero};
use proptest::prelude::*;
use vernier::machine::exp2;
use vernier::{
    DoubleWord, FromStrRadixError, HostLimb, Level, RoundFrom, TruncateFrom, fp32mp2, fp32mp2_high, fp64mp2,
    fp64mp2_high, fp64mp2_low,
};

fn bits<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> (u128, u128) {
    (x.hi().to_bits_u64().into(), x.lo().to_bits_u64().into())
}

fn pair(hi: f64, lo: f64) -> fp64mp2 {
    DoubleWord::from_parts(hi, lo)
}

// num-traits.

/// Generic code that knows nothing of pairs.
fn horner<T: Num + Copy>(coefficients: &[T], x: T) -> T {
    coefficients.iter().rev().fold(T::zero(), |sum, &c| sum * x + c)
}

#[test]
fn generic_code() {
    let third = fp64mp2_high::one() / fp64mp2_high::from(3);
    let c = [1, 2, 3].map(fp64mp2_high::from);
    let expected = c[0] + third * (c[1] + c[2] * third);
    assert_eq!(horner(&c, third).to_f64(), expected.to_f64());
    let text = <fp64mp2 as Num>::from_str_radix("0.1", 10).unwrap();
    assert_eq!(text.to_parts(), (0.1, -5.551115123125783e-18));
    assert_eq!(<fp64mp2 as Num>::from_str_radix("11", 2).unwrap_err(), FromStrRadixError::Radix(2));
    let error = <fp32mp2 as Num>::from_str_radix("1.2.3", 10).unwrap_err();
    assert!(matches!(error, FromStrRadixError::Parse(e) if e.position() == 3), "{error}");
    assert_eq!(FromStrRadixError::Radix(7).to_string(), "expected radix 10, not 7");
}

#[test]
fn zero_one_and_bounds() {
    assert!(fp64mp2::zero().is_zero() && pair(-0.0, 0.0).is_zero() && pair(1.0, -1.0).is_zero());
    assert!(!pair(0.0, 1e-300).is_zero() && !pair(f64::NAN, 0.0).is_zero());
    assert!(fp64mp2::one().is_one());
    assert_eq!(fp32mp2::max_value(), fp32mp2::MAX);
    assert_eq!(fp64mp2::min_value(), fp64mp2::MIN);
}

#[test]
fn signs() {
    type T = fp64mp2_low;
    let x = T::from_parts(1.0, -3.0);
    assert!(Signed::is_negative(&x) && !x.is_positive());
    assert_eq!(Signed::abs(&x).to_f64(), 2.0);
    assert_eq!(x.signum().to_f64(), -1.0);
    assert_eq!(T::from(-0.0).signum().to_f64(), -1.0);
    assert_eq!(T::zero().signum().to_f64(), 1.0);
    // Sixteen binades below the smallest float.
    assert_eq!(T::from(-exp2(-165)).signum().to_f64(), -1.0);
    assert!(T::NAN.signum().is_nan() && !T::NAN.is_positive() && !Signed::is_negative(&T::NAN));
    assert_eq!(T::from(3).abs_sub(&T::from(1)).to_f64(), 2.0);
    assert_eq!(T::from(1).abs_sub(&T::from(3)).to_f64(), 0.0);
}

#[test]
fn fused_and_inverse() {
    let (x, y, z) = (fp64mp2::PI(), fp64mp2::E(), fp64mp2::from(-8.5));
    assert_eq!(bits(x.mul_add(y, z)), bits(x.fma(y, z)));
    let mut w = x;
    w.mul_add_assign(y, z);
    assert_eq!(bits(w), bits(x.fma(y, z)));
    assert_eq!(bits(x.inv()), bits(fp64mp2::one() / x));
}

/// `None` exactly where the truncated value is no such integer, on values around every limit.
#[test]
fn to_integers_at_their_limits() {
    for k in [0, 7, 8, 15, 16, 31, 32, 53, 63, 64, 100, 126, 127, 128, 129] {
        for lo in [-1.5, -1.0, -exp2(-60), -exp2(-1074), 0.0, exp2(-1074), 0.5, 1.0, exp2(40)] {
            for x in [pair(exp2(k), lo), pair(-exp2(k), lo)] {
                let (hi, lo) = bits(x);
                let whole = exact::truncate(
                    &exact::value(hi, lo, exact::F64),
                    &(BigInt::from(-1) << 200u32),
                    &(BigInt::from(1) << 200u32),
                );
                macro_rules! check {
                    ($($name:ident: $t:ty;)*) => {$(
                        let expected = <$t>::try_from(&whole).ok();
                        assert_eq!(ToPrimitive::$name(&x), expected, "{} {x:?}", stringify!($name));
                    )*};
                }
                check! {
                    to_i8: i8; to_i16: i16; to_i32: i32; to_i64: i64; to_i128: i128; to_isize: isize;
                    to_u8: u8; to_u16: u16; to_u32: u32; to_u64: u64; to_u128: u128; to_usize: usize;
                }
            }
        }
    }
    let x = fp32mp2::from_parts(f32::MAX, 2f32.powi(103));
    assert_eq!(ToPrimitive::to_u128(&x), Some(u128::MAX - (1 << 103) + 1));
    assert_eq!(ToPrimitive::to_u128(&fp32mp2::from_parts(f32::MAX, 2f32.powi(104))), None);
    assert_eq!(ToPrimitive::to_i32(&fp64mp2::NAN), None);
    assert_eq!(ToPrimitive::to_u128(&fp64mp2::INFINITY), None);
    assert_eq!(ToPrimitive::to_f32(&pair(1.0 + exp2(-24), exp2(-60))), Some(1.0 + f32::EPSILON));
    assert_eq!(ToPrimitive::to_f64(&pair(1.0, 1.0)), Some(2.0));
}

#[test]
fn from_primitives() {
    assert_eq!(<fp64mp2 as FromPrimitive>::from_i64(i64::MAX).unwrap().to_parts(), (exp2(63), -1.0));
    assert_eq!(<fp64mp2 as FromPrimitive>::from_u64(u64::MAX).unwrap().to_parts(), (exp2(64), -1.0));
    assert_eq!(<fp32mp2 as FromPrimitive>::from_f64(0.1), Some(fp32mp2::round_from(0.1)));
    assert_eq!(<fp64mp2 as FromPrimitive>::from_u128(u128::MAX).unwrap().to_parts(), (exp2(128), -1.0));
    assert_eq!(<fp32mp2 as FromPrimitive>::from_isize(-5), Some(fp32mp2::from(-5)));
    let cast = |n: u64| <fp64mp2 as num_traits::NumCast>::from(n).unwrap();
    assert_eq!(u64::truncate_from(cast(u64::MAX - 1)), u64::MAX - 1);
    assert_eq!(<fp64mp2 as num_traits::NumCast>::from(i128::MIN + 1), Some(fp64mp2::round_from(i128::MIN + 1)));
    assert_eq!(<fp64mp2 as num_traits::NumCast>::from(u128::MAX - 1), Some(fp64mp2::round_from(u128::MAX - 1)));
    assert_eq!(<fp64mp2 as num_traits::NumCast>::from(0.1), Some(fp64mp2::from(0.1)));
    assert_eq!(<fp64mp2 as num_traits::NumCast>::from(-1e300), Some(fp64mp2::from(-1e300)));
    assert_eq!(<fp64mp2 as num_traits::NumCast>::from(f64::INFINITY), Some(fp64mp2::INFINITY));
    assert!(<fp64mp2 as num_traits::NumCast>::from(f32::NAN).unwrap().is_nan());
}

#[test]
fn constants() {
    macro_rules! check {
        ($($name:ident = $text:literal;)*) => {$(
            assert_eq!(bits(fp64mp2::$name()), bits($text.parse::<fp64mp2>().unwrap()), stringify!($name));
            assert_eq!(bits(fp32mp2_high::$name()), bits($text.parse::<fp32mp2_high>().unwrap()), stringify!($name));
            assert_eq!(fp64mp2::$name().hi(), f64::$name());
        )*};
    }
    check! {
        E = "2.71828182845904523536028747135266249775724709369995957496697";
        FRAC_1_PI = "0.318309886183790671537767526745028724068919291480912897495335";
        FRAC_1_SQRT_2 = "0.70710678118654752440084436210484903928483593768847403658834";
        FRAC_2_PI = "0.636619772367581343075535053490057448137838582961825794990669";
        FRAC_2_SQRT_PI = "1.12837916709551257389615890312154517168810125865799771368817";
        FRAC_PI_2 = "1.57079632679489661923132169163975144209858469968755291048747";
        FRAC_PI_3 = "1.04719755119659774615421446109316762806572313312503527365831";
        FRAC_PI_4 = "0.785398163397448309615660845819875721049292349843776455243736";
        FRAC_PI_6 = "0.523598775598298873077107230546583814032861566562517636829157";
        FRAC_PI_8 = "0.392699081698724154807830422909937860524646174921888227621868";
        LN_10 = "2.30258509299404568401799145468436420760110148862877297603333";
        LN_2 = "0.69314718055994530941723212145817656807550013436025525412068";
        LOG10_E = "0.434294481903251827651128918916605082294397005803666566114454";
        LOG2_E = "1.44269504088896340735992468100189213742664595415298593413545";
        PI = "3.14159265358979323846264338327950288419716939937510582097494";
        SQRT_2 = "1.41421356237309504880168872420969807856967187537694807317668";
        TAU = "6.28318530717958647692528676655900576839433879875021164194989";
        LOG10_2 = "0.301029995663981195213738894724493026768189881462108541310427";
        LOG2_10 = "3.32192809488736234787031942948939017586483139302458061205476";
    }
}

// serde.

fn through_json<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> DoubleWord<F, A>
where
    DoubleWord<F, A>: serde::Serialize + serde::de::DeserializeOwned,
{
    serde_json::from_str(&serde_json::to_string(&x).unwrap()).unwrap()
}

#[test]
fn json() {
    assert_eq!(serde_json::to_string(&fp32mp2::from_parts(1.0, -0.0)).unwrap(), r#""3f800000:80000000""#);
    assert_eq!(serde_json::to_string(&fp64mp2::MAX).unwrap(), r#""7fefffffffffffff:7c8fffffffffffff""#);
    let list: Vec<fp64mp2> = serde_json::from_str(r#"["3FF0000000000000:0000000000000000"]"#).unwrap();
    assert_eq!(list, [fp64mp2::one()]);
    for text in [
        r#""3f800000""#,
        r#""3f800000:""#,
        r#""3f800000:0000000""#,
        r#""3f800000:000000000""#,
        r#""+f800000:00000000""#,
        r#""3f80000g:00000000""#,
        r#""3f800000:00000000:00000000""#,
        r#""é3f8000:00000000""#,
        "1.0",
        "[1.0, 0.0]",
        "null",
    ] {
        let error = serde_json::from_str::<fp32mp2>(text).unwrap_err().to_string();
        assert!(error.contains("the bits of a fp32mp2 as hi:lo, 8 hex digits each"), "{text}: {error}");
    }
    assert!(serde_json::from_str::<fp64mp2>(r#""3f800000:00000000""#).is_err());
}

proptest! {
    #[test]
    fn json_is_lossless(hi in any::<u64>(), lo in any::<u64>()) {
        let x = pair(f64::from_bits(hi), f64::from_bits(lo));
        prop_assert_eq!(bits(through_json(x)), bits(x));
        let x = fp32mp2_high::from_parts(f32::from_bits(hi as u32), f32::from_bits(lo as u32));
        prop_assert_eq!(bits(through_json(x)), bits(x));
    }
}
