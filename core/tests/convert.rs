//! Conversions against an exact reference, and published bits.

mod exact;

use exact::{F32, F64, F128, Format, decode, integer, round, round_pair, truncate, value};
use num_bigint::BigInt;
use proptest::prelude::*;
use vernier::{
    Binary128, DoubleWord, HostLimb, Level, RoundFrom, TruncateFrom, fp32mp2, fp32mp2_high, fp32mp2_low, fp64mp2,
    fp64mp2_low,
};

fn format<F: HostLimb>() -> Format {
    if F::P == 24 { F32 } else { F64 }
}

fn bits<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> (u128, u128) {
    (x.hi().to_bits_u64().into(), x.lo().to_bits_u64().into())
}

fn pair<F: HostLimb>(hi: u64, lo: u64) -> DoubleWord<F> {
    DoubleWord::from_parts(F::from_bits_u64(hi), F::from_bits_u64(lo))
}

fn f64_pair(hi: f64, lo: f64) -> fp64mp2 {
    DoubleWord::from_parts(hi, lo)
}

fn f32_pair(hi: f32, lo: f32) -> fp32mp2 {
    DoubleWord::from_parts(hi, lo)
}

fn pow2(e: i32) -> f64 {
    vernier::machine::exp2(e)
}

// Generators.

/// A fraction field of `width` bits: random, or few ones, or few zeros, or a run at its end.
fn fraction(width: u32) -> impl Strategy<Value = u128> {
    let all = (1u128 << width) - 1;
    let bit = move || (0..width).prop_map(|i| 1u128 << i);
    prop_oneof![
        3 => any::<u128>(),
        1 => Just(0),
        1 => Just(all),
        2 => (bit(), bit()).prop_map(|(a, b)| a | b),
        1 => (bit(), bit()).prop_map(move |(a, b)| !(a | b)),
        2 => (bit(), bit()).prop_map(|(a, b)| a.wrapping_sub(b)),
    ]
    .prop_map(move |x| x & all)
}

/// Bits with an exponent field from the whole range, its edges, or around that of 1.
fn encoded(f: Format) -> impl Strategy<Value = u128> {
    let last = (1i64 << f.exponent_bits) - 1;
    let field = prop_oneof![
        2 => 0..=last,
        1 => 0..=2i64,
        1 => last - 3..=last,
        4 => (-140..140i64).prop_map(move |e| (last / 2 + e).clamp(0, last)),
    ];
    (any::<bool>(), field, fraction(f.digits - 1)).prop_map(move |(negative, field, fraction)| {
        (field as u128) << (f.digits - 1) | fraction | if negative { f.sign() } else { 0 }
    })
}

/// Limbs of a pair: unrelated, or lo some binades below or above hi, or opposite, and zeros.
fn limbs(f: Format) -> impl Strategy<Value = (u64, u64)> {
    let last = (1i64 << f.exponent_bits) - 1;
    let shift = f.digits - 1;
    (encoded(f), encoded(f), 0..10u8, -3..200i64).prop_map(move |(hi, lo, kind, gap)| {
        let lo = match kind {
            0..=1 => lo,
            2 => lo & f.sign(),
            3 => hi ^ f.sign() ^ (lo & 1),
            _ => {
                let field = ((hi & f.infinity()) >> shift) as i64;
                let field = (field - gap).clamp(0, last) as u128;
                (lo & !f.infinity()) | field << shift
            }
        };
        if kind == 4 { (lo as u64, hi as u64) } else { (hi as u64, lo as u64) }
    })
}

/// An integer of any length, dense or sparse, either sign.
fn whole() -> impl Strategy<Value = i128> {
    (fraction(127), 0..127u32, any::<bool>()).prop_map(|(x, n, negative)| {
        let x = (x >> n) as i128;
        if negative { -x - 1 } else { x }
    })
}

// Against the reference.

fn check_out<F: HostLimb>(hi: u64, lo: u64) -> Result<(), TestCaseError> {
    let (x, v) = (pair::<F>(hi, lo), value(hi.into(), lo.into(), format::<F>()));
    prop_assert_eq!(u128::from(f32::round_from(x).to_bits()), round(&v, F32));
    prop_assert_eq!(u128::from(f64::round_from(x).to_bits()), round(&v, F64));
    prop_assert_eq!(Binary128::round_from(x).0, round(&v, F128));
    prop_assert_eq!((x.to_f32().to_bits(), x.to_f64().to_bits()), {
        (f32::round_from(x).to_bits(), f64::round_from(x).to_bits())
    });
    prop_assert_eq!(x.to_bool(), !matches!(v, exact::Number::Zero(_)));
    macro_rules! integers {
        ($($t:ty)*) => {$(
            let expected = truncate(&v, &BigInt::from(<$t>::MIN), &BigInt::from(<$t>::MAX));
            prop_assert_eq!(BigInt::from(<$t>::truncate_from(x)), expected, "{}", stringify!($t));
        )*};
    }
    integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);
    Ok(())
}

fn check_in<F: HostLimb>(x: u128) -> Result<(), TestCaseError> {
    let f = format::<F>();
    macro_rules! integers {
        ($($t:ty)*) => {$(
            let n = x as $t;
            let got = bits(DoubleWord::<F>::round_from(n));
            prop_assert_eq!(got, round_pair(&integer(n), f), "{} {}", stringify!($t), n);
        )*};
    }
    integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);
    let got = bits(DoubleWord::<F>::round_from(Binary128(x)));
    prop_assert_eq!(got, round_pair(&decode(x, F128), f), "binary128 {:#x}", x);
    let got = bits(DoubleWord::<F>::round_from(f64::from_bits(x as u64)));
    prop_assert_eq!(got, round_pair(&decode(x as u64 as u128, F64), f), "f64 {:#x}", x as u64);
    let got = bits(DoubleWord::<F>::round_from(f32::from_bits(x as u32)));
    prop_assert_eq!(got, round_pair(&decode(x as u32 as u128, F32), f), "f32 {:#x}", x as u32);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60_000))]

    #[test]
    fn out_of_fp32mp2((hi, lo) in limbs(F32)) {
        check_out::<f32>(hi, lo)?;
    }

    #[test]
    fn out_of_fp64mp2((hi, lo) in limbs(F64)) {
        check_out::<f64>(hi, lo)?;
    }

    #[test]
    fn widening_is_exact((hi, lo) in limbs(F32)) {
        let got = bits(fp64mp2::round_from(pair::<f32>(hi, lo)));
        prop_assert_eq!(got, round_pair(&value(hi.into(), lo.into(), F32), F64));
        prop_assert_eq!(bits(fp64mp2::from(pair::<f32>(hi, lo))), got);
    }

    #[test]
    fn narrowing((hi, lo) in limbs(F64)) {
        let got = bits(fp32mp2::round_from(pair::<f64>(hi, lo)));
        prop_assert_eq!(got, round_pair(&value(hi.into(), lo.into(), F64), F32));
    }

    #[test]
    fn floats_in(a in encoded(F128), b in encoded(F64), c in encoded(F32)) {
        check_in::<f32>(a)?;
        check_in::<f64>(a)?;
        check_in::<f32>(b)?;
        check_in::<f32>(c)?;
        check_in::<f64>(c)?;
    }

    #[test]
    fn integers_in(x in whole()) {
        check_in::<f32>(x as u128)?;
        check_in::<f64>(x as u128)?;
        check_in::<f64>((x as u128) << 1)?;
    }

    #[test]
    fn constants_are_the_conversions(x in encoded(F64), y in encoded(F32), n in whole()) {
        for x in [x as u64, f64::to_bits(f32::from_bits(y as u32) as f64)] {
            let x = f64::from_bits(x);
            prop_assert_eq!(bits(fp32mp2::from_f64(x)), bits(fp32mp2::round_from(x)));
            prop_assert_eq!(bits(fp64mp2::from_f64(x)), bits(fp64mp2::round_from(x)));
        }
        let n = n as i64;
        prop_assert_eq!(bits(fp32mp2::from_i64(n)), bits(fp32mp2::round_from(n)));
        prop_assert_eq!(bits(fp64mp2::from_i64(n)), bits(fp64mp2::round_from(n)));
    }

    #[test]
    fn round_trips(x in any::<f64>(), n in any::<i64>(), m in whole(), (hi, lo) in limbs(F64)) {
        prop_assert_eq!(f64::round_from(fp64mp2::from(x)).to_bits(), x.to_bits());
        prop_assert_eq!(i64::truncate_from(fp64mp2::from(n)), n);
        prop_assert_eq!(i32::truncate_from(fp32mp2::from(n as i32)), n as i32);
        prop_assert_eq!(u64::truncate_from(fp64mp2::from(n as u64)), n as u64);
        let short = m >> 21;
        prop_assert_eq!(i128::truncate_from(fp64mp2::round_from(short)), short);
        // 113 digits hold a pair whose limbs are adjacent.
        let x = pair::<f64>(hi, lo).canonical();
        if x.is_finite() && x.lo().abs() >= x.hi().abs() * pow2(-58) && x.lo().abs() >= pow2(-1000) {
            prop_assert_eq!(bits(fp64mp2::round_from(Binary128::round_from(x))), bits(x));
        }
    }
}

// Every value of the narrow sources, and edges.

#[test]
fn every_short_integer() {
    for n in i16::MIN..=i16::MAX {
        let x = f64::from(n);
        assert_eq!(bits(fp32mp2::from(n)), bits(f32_pair(x as f32, 0.0)));
        assert_eq!(bits(fp64mp2::from(n)), bits(f64_pair(x, 0.0)));
        assert_eq!(i16::truncate_from(fp32mp2::from(n)), n);
        assert_eq!(i16::truncate_from(fp64mp2::from(n)), n);
        assert_eq!(i8::truncate_from(fp64mp2::from(n)), n.clamp(-128, 127) as i8);
        assert_eq!(u8::truncate_from(fp32mp2::from(n)), n.clamp(0, 255) as u8);
        assert_eq!(u16::truncate_from(fp32mp2_low::from(n as u16)), n as u16);
    }
    for b in [false, true] {
        assert_eq!(fp32mp2::from(b).to_parts(), (f32::from(b), 0.0));
        assert_eq!(fp64mp2::from(b).to_parts(), (f64::from(b), 0.0));
        assert_eq!(fp32mp2::from(b).to_bool(), b);
        assert_eq!(fp64mp2_low::round_from(b).to_bool(), b);
    }
    for n in i8::MIN..=i8::MAX {
        assert_eq!(i8::truncate_from(fp64mp2::from(n)), n);
        assert_eq!(u8::truncate_from(fp32mp2_high::from(n as u8)), n as u8);
    }
}

#[test]
fn edges_of_integers() {
    for k in 0..128 {
        for d in -2..=2i128 {
            let n = (1u128 << k).wrapping_add_signed(d);
            for x in [n, n.wrapping_neg()] {
                check_in::<f32>(x).unwrap();
                check_in::<f64>(x).unwrap();
            }
        }
    }
}

/// A power of two and a limb of few bits anywhere below: every exponent distance, sign and carry.
#[test]
fn powers_of_two_and_less() {
    for k in (-160..132).chain([500, 1023]) {
        for gap in 0..200 {
            for lo in [1.0, 1.5, 1.25, 1.0 + f64::EPSILON] {
                let (hi, lo) = (pow2(k), lo * pow2(k - gap));
                for (hi, lo) in [(hi, lo), (hi, -lo), (-hi, lo), (lo, -hi)] {
                    check_out::<f64>(hi.to_bits(), lo.to_bits()).unwrap();
                    let (hi, lo) = (hi as f32, lo as f32);
                    check_out::<f32>(hi.to_bits().into(), lo.to_bits().into()).unwrap();
                }
            }
        }
    }
}

#[test]
fn saturation_and_nan() {
    macro_rules! saturates {
        ($($t:ty)*) => {$(
            for x in [f64_pair(pow2(200), 1.0), f64_pair(f64::INFINITY, f64::NAN), f64_pair(1.0, f64::INFINITY)] {
                assert_eq!(<$t>::truncate_from(x), <$t>::MAX);
                assert_eq!(<$t>::truncate_from(-x), <$t>::MIN);
            }
            for x in [f32_pair(f32::INFINITY, -f32::MAX), f32_pair(0.0, f32::INFINITY), f32_pair(f32::MAX, f32::MAX)] {
                assert_eq!(<$t>::truncate_from(x), <$t>::MAX);
                assert_eq!(<$t>::truncate_from(-x), <$t>::MIN);
            }
            for x in [f64_pair(f64::NAN, 1.0), f64_pair(1.0, f64::NAN), f64_pair(-f64::NAN, f64::INFINITY)] {
                assert_eq!(<$t>::truncate_from(x), 0);
            }
            assert_eq!(<$t>::truncate_from(f64_pair(-0.0, -pow2(-1074))), 0);
            assert_eq!(<$t>::truncate_from(f64_pair(1.0, -pow2(-1074))), 0);
        )*};
    }
    saturates!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128);
}

#[test]
fn special_values() {
    let canonical = 0x7ff8_0000_0000_0000;
    assert_eq!(f64::round_from(f64_pair(f64::from_bits(0xfff0_0000_0000_0001), 1.0)).to_bits(), canonical);
    assert_eq!(f64::round_from(f32_pair(1.0, -f32::NAN)).to_bits(), canonical);
    assert_eq!(bits(fp32mp2::round_from(-f64::NAN)), (0x7fc0_0000, 0));
    assert_eq!(bits(fp64mp2::from(f64::from_bits(0x7ff0_0000_0000_0001))), (canonical.into(), 0));
    assert_eq!(bits(fp32mp2::from(f32::from_bits(0xffc1_2345))), (0x7fc0_0000, 0));
    assert_eq!(Binary128::round_from(f64_pair(f64::NAN, 0.0)).0, 0x7fff_8000 << 96);
    assert_eq!(Binary128::round_from(f64_pair(-f64::INFINITY, 3.0)).0, 0xffff << 112);
    for (hi, lo, negative) in [(-0.0, 0.0, true), (-0.0, -0.0, true), (0.0, -0.0, false), (1.0, -1.0, false)] {
        let x = f64_pair(hi, lo);
        assert_eq!(f64::round_from(x).to_bits() >> 63, negative.into(), "{x:?}");
        assert_eq!(f32::round_from(x).to_bits() >> 31, negative.into(), "{x:?}");
        assert_eq!(Binary128::round_from(x).0 >> 127, negative.into(), "{x:?}");
        assert_eq!(bits(fp32mp2::round_from(x)).0 >> 31, negative.into(), "{x:?}");
        assert!(!x.to_bool());
        let x = f32_pair(hi as f32, lo as f32);
        assert_eq!(f64::round_from(x).to_bits() >> 63, negative.into(), "{x:?}");
        assert_eq!(bits(fp64mp2::from(x)).0 >> 63, negative.into(), "{x:?}");
    }
    assert_eq!(bits(fp32mp2::round_from(1e39)), (F32.infinity(), 0));
    assert_eq!(bits(fp32mp2::round_from(-1e-60)), (F32.sign(), 0));
    assert!(f64_pair(f64::INFINITY, -f64::INFINITY).to_bool());
    assert!(f64_pair(f64::NAN, 0.0).to_bool());
}

// Published bits.

#[test]
fn published_bits() {
    let hex = |text: &str| u64::from_str_radix(text, 16).unwrap();
    let limbs = |text: &str| text.split_once(':').map(|(hi, lo)| (hex(hi), hex(lo))).unwrap();
    let (mut into, mut out) = (0, 0);
    for line in include_str!("../../fixtures/pairs.txt").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["fp32mp2.mid", "from_f64", x, "=", expected] => {
                let x = fp32mp2::round_from(f64::from_bits(hex(x)));
                assert_eq!((x.hi().to_bits().into(), x.lo().to_bits().into()), limbs(expected), "{line}");
                into += 1;
            }
            ["fp32mp2.mid", "to_f64", x, "=", expected] => {
                let (hi, lo) = limbs(x);
                assert_eq!(pair::<f32>(hi, lo).to_f64().to_bits(), hex(expected), "{line}");
                out += 1;
            }
            _ => {}
        }
    }
    assert_eq!((into, out), (250, 249));
}
