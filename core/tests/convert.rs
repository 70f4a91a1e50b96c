//! Conversions: constants, round trips and special values. `vernier accuracy` holds them to their definition.

mod random;

use random::Random;
use vernier::{
    Binary128, DoubleWord, HostLimb, Level, RoundFrom, TruncateFrom, fp32mp2, fp32mp2_high, fp32mp2_low, fp64mp2,
    fp64mp2_low,
};

fn bits<F: HostLimb, A: Level>(x: DoubleWord<F, A>) -> (u128, u128) {
    (x.hi().to_bits_u64().into(), x.lo().to_bits_u64().into())
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

#[test]
fn constants_are_the_conversions() {
    let mut random = Random(1);
    for _ in 0..60_000 {
        let word = random.word();
        for x in [f64::from_bits(word), f32::from_bits(word as u32).into()] {
            assert_eq!(bits(fp32mp2::from_f64(x)), bits(fp32mp2::round_from(x)));
            assert_eq!(bits(fp64mp2::from_f64(x)), bits(fp64mp2::round_from(x)));
        }
        let n = word as i64 >> random.below(64);
        assert_eq!(bits(fp32mp2::from_i64(n)), bits(fp32mp2::round_from(n)));
        assert_eq!(bits(fp64mp2::from_i64(n)), bits(fp64mp2::round_from(n)));
    }
}

#[test]
fn round_trips() {
    let mut random = Random(2);
    for _ in 0..60_000 {
        let x = f64::from_bits(random.word());
        let n = random.word() as i64 >> random.below(64);
        assert!(f64::round_from(fp64mp2::from(x)).to_bits() == x.to_bits() || x.is_nan());
        assert_eq!(i64::truncate_from(fp64mp2::from(n)), n);
        assert_eq!(i32::truncate_from(fp32mp2::from(n as i32)), n as i32);
        assert_eq!(u64::truncate_from(fp64mp2::from(n as u64)), n as u64);
        let short = (i128::from(n) << 42) + i128::from(random.word() as u32);
        assert_eq!(i128::truncate_from(fp64mp2::round_from(short)), short);
        // 113 digits hold a pair whose limbs are adjacent.
        let e = 970 + random.below(100);
        let hi = f64::from_bits(random.word() & !(0x7ff << 52) | e << 52);
        let lo = f64::from_bits(random.word() & !(0x7ff << 52) | (e - 53 - random.below(5)) << 52);
        let x = f64_pair(hi, lo).canonical();
        assert_eq!(bits(fp64mp2::round_from(Binary128::round_from(x))), bits(x));
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
    assert_eq!(bits(fp32mp2::round_from(1e39)), (0x7f80_0000, 0));
    assert_eq!(bits(fp32mp2::round_from(-1e-60)), (0x8000_0000, 0));
    assert!(f64_pair(f64::INFINITY, -f64::INFINITY).to_bool());
    assert!(f64_pair(f64::NAN, 0.0).to_bool());
}
