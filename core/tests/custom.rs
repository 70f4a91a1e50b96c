//! The published semantics of reduced formats, case by case.

use vernier::custom::{Context, Dynamic, Format, FormatError, Options};
use vernier::{RoundFrom, TruncateFrom, fp64_custom};

/// Reduction in the words of its definition, on 64-bit words.
fn reduce(v: u64, e: u32, m: u32, dynamic: bool) -> u64 {
    let field = (v >> 52 & 0x7ff) as i64;
    let (sign, infinity) = (v & 1 << 63, 0x7ffu64 << 52);
    if e < 11 || dynamic {
        if field == 2047 {
            return v;
        }
        let t = field - 1023 + ((1 << (e - 1)) - 1);
        if t > (1 << e) - 2 {
            return sign | infinity;
        }
        if t < 1 {
            return sign;
        }
    }
    let k = 52 - m;
    if k == 0 || field == 2047 {
        return v;
    }
    let (h, low) = (1u64 << (k - 1), v & ((1 << k) - 1));
    let down = v - low;
    if low > h || (low == h && down >> k & 1 == 1) { down + (1 << k) } else { down }
}

/// Words of every exponent, with ties and their neighbours for every k.
fn words() -> Vec<u64> {
    let mut state = 0x1234_5678_9abc_def0u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    let mut words = vec![0, 1, 1 << 63, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48 | 1, 0x7ff << 52 | 77];
    for field in 0..2047u64 {
        for _ in 0..4 {
            let (k, r) = (next() % 53, next());
            let tie = (next() >> 12 >> k << k) | (1 << k >> 1);
            words.push(r & 1 << 63 | field << 52 | r & ((1 << 52) - 1));
            words.push((field << 52 | tie & ((1 << 52) - 1)).wrapping_add(r % 3).wrapping_sub(1) & !(1 << 63));
        }
    }
    words
}

fn all_formats() -> impl Iterator<Item = (u32, u32)> {
    (2..=11).flat_map(|e| (0..=52).map(move |m| (e, m)))
}

#[test]
fn reduction_is_the_published_one_for_every_size() {
    let words = words();
    for (e, m) in all_formats() {
        for dynamic in [false, true] {
            let context = Context::new(Format::new(e, m, Options { dynamic, ..Options::PUBLISHED }).unwrap());
            for &v in &words {
                let got = context.reduced(f64::from_bits(v)).to_f64().to_bits();
                assert_eq!(got, reduce(v, e, m, dynamic), "<{e}, {m}> dynamic {dynamic}: {v:016x}");
            }
        }
    }
}

#[test]
fn sizes_in_the_type_and_in_the_context_agree() {
    fn check<const E: u32, const M: u32>(words: &[u64]) {
        let context = Context::new(Format::new(E, M, Options::PUBLISHED).unwrap());
        type T<const E: u32, const M: u32> = fp64_custom<E, M>;
        let same = |a: T<E, M>, b: vernier::custom::Number, op: &str, x: f64, y: f64| {
            let (a, b) = (a.to_f64(), b.to_f64());
            assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(), "<{E}, {M}> {op} {x:e} {y:e}: {a:e} {b:e}");
        };
        for pair in words.windows(3).step_by(7) {
            let [x, y, z] = [0, 1, 2].map(|i| f64::from_bits(pair[i]));
            let ([a, b, c], [p, q, r]) = ([x, y, z].map(T::new), [x, y, z].map(|x| context.number(x)));
            same(a + b, p + q, "add", x, y);
            same(a - b, p - q, "sub", x, y);
            same(a * b, p * q, "mul", x, y);
            same(a / b, p / q, "div", x, y);
            same(a.sqrt(), p.sqrt(), "sqrt", x, y);
            same(a.fma(b, c), p.fma(q, r), "fma", x, y);
            // Reduce, operate, reduce.
            let by = |v: f64| f64::from_bits(reduce(v.to_bits(), E, M, false));
            let sum = by(by(x) + by(y));
            assert!(sum.to_bits() == (a + b).to_bits() || sum.is_nan() && (a + b).is_nan());
        }
    }
    let words = words();
    check::<8, 23>(&words);
    check::<5, 10>(&words);
    check::<8, 7>(&words);
    check::<11, 0>(&words);
    check::<11, 52>(&words);
    check::<11, 23>(&words);
    check::<2, 3>(&words);
    check::<10, 52>(&words);
}

#[test]
fn range_before_rounding() {
    type Half = fp64_custom<5, 10>;
    // In the top binade and rounding up: 2^16, outside of the format until it is reduced again.
    let x = Half::new(65535.9).reduced();
    assert_eq!(x.to_f64(), 65536.0);
    assert_eq!((x + 0.0).to_f64(), f64::INFINITY);
    // Next below 2^-14: flushed, not rounded up to it.
    let below = 2f64.powi(-14) * (1.0 - 2f64.powi(-30));
    assert_eq!(Half::new(below).reduced().to_bits(), 0);
    assert_eq!(Half::new(-below).reduced().to_bits(), 1 << 63);
    assert_eq!(Half::new(2f64.powi(-14)).reduced().to_f64(), 2f64.powi(-14));
    // With a native exponent the carry is a true infinity.
    assert_eq!(fp64_custom::<11, 3>::new(f64::MAX).reduced().to_f64(), f64::INFINITY);
}

#[test]
fn subnormal_doubles_survive_a_native_exponent_only() {
    let tiny = f64::from_bits(0x7f_ffff);
    assert_eq!(fp64_custom::<11, 23>::new(tiny).reduced().to_bits(), 0x0);
    let tiny = f64::from_bits(0xffff_ffff);
    // A multiple of 2^(29 - 1074).
    assert_eq!(fp64_custom::<11, 23>::new(tiny).reduced().to_bits(), 0x1_0000_0000);
    assert_eq!(fp64_custom::<11, 52>::new(tiny).reduced().to_bits(), tiny.to_bits());
    assert_eq!(fp64_custom::<11, 52, Dynamic>::new(tiny).reduced().to_bits(), 0);
    assert_eq!(fp64_custom::<10, 52>::new(tiny).reduced().to_bits(), 0);
}

#[test]
fn without_mantissa_ties_go_to_the_even_exponent() {
    let cases = [(3.0, 2.0), (6.0, 8.0), (1.5, 2.0), (0.3, 0.25), (0.75, 0.5), (-3.0, -2.0), (-6.0, -8.0)];
    for (x, expected) in cases {
        assert_eq!(fp64_custom::<11, 0>::new(x).reduced().to_f64(), expected, "{x}");
        assert_eq!(fp64_custom::<8, 0>::new(x).reduced().to_f64(), expected, "{x}");
    }
}

#[test]
fn only_arithmetic_reduces() {
    type Half = fp64_custom<5, 10>;
    let (x, y) = (Half::new(0.1), Half::new(0.1 + 1e-10));
    assert_eq!((x.to_f64(), (-x).to_f64()), (0.1, -0.1));
    assert!(x < y && x != y && x + 0.0 == y + 0.0);
    let mut z = x;
    z += 1.0;
    assert_eq!(z, x + Half::new(1.0));
    assert_eq!((1.0 - x, x * 2.0), (Half::new(1.0) - x, x * Half::new(2.0)));
    assert_eq!(f64::from(x), 0.1);
    assert_eq!(f32::round_from(x), 0.1f32);
    assert_eq!(i32::truncate_from(Half::new(-7.9)), -7);
    assert_eq!(u8::truncate_from(Half::new(1e9)), 255);
    assert_eq!(Half::round_from(1u64 << 60).to_f64(), 2f64.powi(60));
    assert_eq!("0.1".parse::<Half>().unwrap().to_f64(), 0.1);
    assert_eq!(format!("{x} {x:?}"), "0.1 fp64_custom<5,10>(0.1)");
    let nan = Half::new(f64::from_bits(0x7ff8_0000_0000_1234));
    assert_eq!(nan.reduced().to_bits(), 0x7ff8_0000_0000_1234);
    assert_eq!(fp64_custom::<8, 23>::from(0.1f32).to_f64(), 0.1f32 as f64);
    assert_eq!((std::mem::size_of::<Half>(), std::mem::align_of::<Half>()), (8, 8));
    let terms = [Half::new(2048.0), Half::new(1.0), Half::new(1.0)];
    assert_eq!(terms.into_iter().sum::<Half>().to_f64(), 2048.0);
    assert_eq!(terms.into_iter().product::<Half>().to_f64(), 2048.0);
}

#[test]
fn limits() {
    type Single = fp64_custom<8, 23>;
    assert_eq!(Single::MAX.to_f64(), f32::MAX as f64);
    assert_eq!(Single::MIN.to_f64(), f32::MIN as f64);
    assert_eq!(Single::MIN_POSITIVE.to_f64(), f32::MIN_POSITIVE as f64);
    assert_eq!(Single::EPSILON.to_f64(), f32::EPSILON as f64);
    assert_eq!((Single::DIGITS, Single::MAX_DIGITS10, Single::MANTISSA_DIGITS), (f32::DIGITS, 9, 24));
    assert_eq!((Single::MIN_EXP, Single::MAX_EXP), (f32::MIN_EXP, f32::MAX_EXP));
    assert_eq!((Single::MIN_10_EXP, Single::MAX_10_EXP), (f32::MIN_10_EXP, f32::MAX_10_EXP));
    // No subnormal numbers.
    assert_eq!(Single::DENORM_MIN, Single::MIN_POSITIVE);
    type Double = fp64_custom<11, 52>;
    assert_eq!((Double::MAX.to_f64(), Double::MIN_POSITIVE.to_f64()), (f64::MAX, f64::MIN_POSITIVE));
    assert_eq!((Double::DIGITS, Double::MAX_DIGITS10), (f64::DIGITS, 17));
    assert_eq!((Double::MIN_10_EXP, Double::MAX_10_EXP), (f64::MIN_10_EXP, f64::MAX_10_EXP));
    assert_eq!(Double::DENORM_MIN.to_bits(), 1);
    assert_eq!(fp64_custom::<11, 23>::DENORM_MIN.to_bits(), 1 << 29);
    for (name, max, least) in [
        ("fp16", 65504.0, 2f64.powi(-24)),
        ("bf16", 3.3895313892515355e38, 2f64.powi(-133)),
        ("fp8_e4m3", 448.0, 2f64.powi(-9)),
        ("fp8_e5m2", 57344.0, 2f64.powi(-16)),
        ("fp6_e2m3", 7.5, 0.125),
        ("fp6_e3m2", 28.0, 0.0625),
        ("fp4_e2m1", 6.0, 0.5),
    ] {
        let f: Format = name.parse().unwrap();
        assert_eq!((f.max(), f.denorm_min()), (max, least), "{name}");
    }
}

#[test]
fn text_and_words_of_formats() {
    for (e, m) in all_formats() {
        for bits in 0..1u32 << 10 {
            let Ok(f) = Format::from_word(e | m << 4 | bits << 10) else { continue };
            assert_eq!(Format::from_word(f.word()), Ok(f));
            if m % 13 == 0 {
                assert_eq!(f.to_string().parse(), Ok(f), "{f}");
            }
        }
    }
    assert_eq!(Format::FP8_E4M3.to_string(), "fp64_custom<4,3;ieee,fn>");
    for bad in [
        "fp64_custom<5>",
        "fp64_custom<1,3>",
        "fp64_custom<5,53>",
        "fp64_custom<5,3;x>",
        "fp64_custom<11,3;fn>",
        "fp64_custom<5,3",
        "fp64_custom<+5,3>",
        "fp64_custom<5, 3>",
        "",
        "fp64_custom<,>",
        "fp64_custom<99999999999,1>",
    ] {
        assert!(bad.parse::<Format>().is_err(), "{bad}");
    }
    // The later of two options that contradict one another is not taken over the other.
    for (options, at) in [("rz,ru", 3), ("rn,rz", 3), ("sr,ieee,rn", 8), ("fn,finite", 3), ("finite,sat,fn", 11)] {
        let text = format!("fp64_custom<8,7;{options}>");
        assert_eq!(text.parse::<Format>(), Err(FormatError::Contradiction(16 + at)), "{text}");
    }
    for same in ["rz,rz", "ieee,gradual,after", "fn,ieee,fn", "rn,rn"] {
        assert!(format!("fp64_custom<8,7;{same}>").parse::<Format>().is_ok(), "{same}");
    }
}

#[test]
#[should_panic(expected = "formats do not mix")]
fn formats_do_not_mix() {
    let (a, b) = (Context::new(Format::FP16), Context::new(Format::BF16));
    let _ = a.number(1.0) + b.number(1.0);
}
