//! Decimal text of pairs: against exact rationals, against std, and there and back.

use std::fmt::{LowerExp, UpperExp};

use proptest::prelude::*;
use vernier::text::{Expected, parse_pair};
use vernier::{DoubleWord, HostLimb, Mid, fp32mp2, fp64mp2};

fn pair<F: HostLimb>(hi: u64, lo: u64) -> DoubleWord<F> {
    DoubleWord::from_parts(F::from_bits_u64(hi), F::from_bits_u64(lo))
}

fn bits<F: HostLimb>(x: DoubleWord<F>) -> (u64, u64) {
    (x.hi().to_bits_u64(), x.lo().to_bits_u64())
}

/// The result of one line of the fixture.
fn evaluate<F: HostLimb>(operation: &str, argument: &str) -> String {
    if operation == "parse" {
        let (hi, lo) = bits::<F>(argument.parse().unwrap());
        return format!("{hi:x}:{lo:x}");
    }
    let (hi, lo) = argument.split_once(':').unwrap();
    let x = pair::<F>(u64::from_str_radix(hi, 16).unwrap(), u64::from_str_radix(lo, 16).unwrap());
    match operation {
        "display" => format!("{x}"),
        "exp" => format!("{x:e}"),
        _ => {
            let places = operation[1..].parse().unwrap();
            if operation.starts_with('e') { format!("{x:.places$e}") } else { format!("{x:.places$}") }
        }
    }
}

#[test]
fn agrees_with_exact_rationals() {
    let mut lines = 0;
    for line in include_str!("../../fixtures/text.tsv").lines().filter(|l| !l.starts_with('#')) {
        let [width, operation, argument, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four fields: {line}");
        };
        let got = match width {
            "32" => evaluate::<f32>(operation, argument),
            "64" => evaluate::<f64>(operation, argument),
            _ => panic!("width: {line}"),
        };
        assert_eq!(got, expected, "{width} {operation} {argument}");
        lines += 1;
    }
    assert!(lines > 2000, "{lines} lines");
}

#[test]
fn reported_faults() {
    // DoubleFloats 144: printed as 2.3045377697175660503e-24.
    let base: fp64mp2 = "0.00111".parse().unwrap();
    let power = (0..3).fold(base, |x, _| x * x);
    assert_eq!(format!("{power:.16e}"), "2.3045377697175681e-24");
    assert_eq!(format!("{power:.28e}"), "2.3045377697175681000000000000e-24");
    // QD and others: the largest pair printed as NaN.
    let largest = fp64mp2::from_parts(f64::MAX, f64::MAX * 0.5f64.powi(54));
    assert_eq!(format!("{largest:.30e}"), "1.797693134862315807937289714053e308");
    assert_eq!(format!("{largest:e}").parse::<fp64mp2>().unwrap(), largest);
    // DoubleFloats 181: (0, smallest normal) converted to 0.
    let small = fp64mp2::from_parts(0.0, f64::MIN_POSITIVE);
    assert_eq!(format!("{small:.16e}"), "2.2250738585072014e-308");
    assert_eq!(format!("{small:e}"), format!("{:e}", f64::MIN_POSITIVE));
}

#[test]
fn values_not_limbs_are_printed() {
    assert_eq!(fp64mp2::from_parts(1.0, 1.0).to_string(), "2");
    assert_eq!(fp64mp2::from_parts(1.0, 1e10).to_string(), "10000000001");
    assert_eq!(fp64mp2::from_parts(3.0, -3.0).to_string(), "0");
    assert_eq!(fp64mp2::from_parts(-0.0, 0.0).to_string(), "-0");
    assert_eq!(fp64mp2::from_parts(0.0, -0.0).to_string(), "0");
    assert_eq!(fp32mp2::from_parts(0.1, -1.4901161e-9).to_string(), "0.1");
    let far = fp64mp2::from_parts(1.0, f64::from_bits(1)).to_string();
    assert_eq!(far, format!("1.{}5", "0".repeat(323)));
    let over = fp64mp2::from_parts(f64::MAX, f64::MAX).to_string();
    assert_eq!(over, format!("{:.0}", fp64mp2::from_parts(f64::MAX, f64::MAX)));
    assert!(over.starts_with("3595386269724631416290548") && over.len() == 309, "{over}");
    assert!(over.parse::<fp64mp2>().unwrap().hi().is_infinite());
}

#[test]
fn special_values() {
    let inf = f64::INFINITY;
    for (hi, lo, text) in [
        (inf, 0.0, "inf"),
        (-inf, 1.0, "-inf"),
        (inf, f64::NAN, "inf"),
        (1.0, -inf, "-inf"),
        (1.0, -f64::NAN, "NaN"),
        (-f64::NAN, inf, "NaN"),
    ] {
        assert_eq!(fp64mp2::from_parts(hi, lo).to_string(), text);
    }
    for (text, hi) in
        [("inf", inf), ("+INFINITY", inf), ("-Inf", -inf), ("1e309", inf), ("-1e99999999999999999999", -inf)]
    {
        assert_eq!(bits::<f64>(text.parse().unwrap()), (hi.to_bits(), 0), "{text}");
    }
    for text in ["nan", "-NaN", "+nAN"] {
        assert_eq!(bits::<f64>(text.parse().unwrap()), (0x7ff8 << 48, 0), "{text}");
        assert_eq!(bits::<f32>(text.parse().unwrap()), (0x7fc0_0000, 0), "{text}");
    }
}

#[test]
fn faulty_texts_are_located() {
    use Expected::{Digit, End, ExponentDigit, Infinity, Nan, Number};
    for (text, position, expected) in [
        ("", 0, Number),
        ("-", 1, Number),
        ("+-1", 1, Number),
        (" 1", 0, Number),
        ("e5", 0, Number),
        (".", 1, Digit),
        ("-.e5", 2, Digit),
        ("1e", 2, ExponentDigit),
        ("1e+", 3, ExponentDigit),
        ("1.5E-x", 5, ExponentDigit),
        ("1 ", 1, End),
        ("1.2.3", 3, End),
        ("1_000", 1, End),
        ("0x10", 1, End),
        ("1e5.0", 3, End),
        ("1,5", 1, End),
        ("i", 1, Infinity),
        ("infinit", 7, Infinity),
        ("-infx", 4, End),
        ("infinityy", 8, End),
        ("na", 2, Nan),
        ("nan(1)", 3, End),
        ("\u{661}", 0, Number),
        ("1\u{2009}000", 1, End),
        ("\u{2212}1", 0, Number),
        ("1\0", 1, End),
    ] {
        let error = parse_pair::<f64>(text).unwrap_err();
        assert_eq!((error.position(), error.expected()), (position, expected), "{text:?}");
        assert!(error.to_string().ends_with(&format!("at byte {position}")), "{error}");
        assert!(text.parse::<f64>().is_err(), "{text:?}");
    }
}

#[test]
fn long_texts() {
    let nines = format!("0.{}", "9".repeat(20_000));
    assert_eq!(nines.parse::<fp64mp2>().unwrap().to_parts(), (1.0, 0.0));
    // Just above and just below halfway between 1 and its successor, decided by digit 20000.
    let half = format!("{:.20000}", fp64mp2::from_parts(1.0, 0.5f64.powi(53)));
    assert_eq!(half.len(), 20_002);
    let up = format!("{half}1").parse::<fp64mp2>().unwrap();
    assert_eq!(up.to_parts(), (1.0 + f64::EPSILON, -0.5f64.powi(53)));
    assert_eq!(half.parse::<fp64mp2>().unwrap().to_parts(), (1.0, 0.5f64.powi(53)));
    let zeros = "0".repeat(20_000);
    assert_eq!(format!("0.{zeros}15e20001").parse::<fp64mp2>().unwrap().to_parts(), (1.5, 0.0));
    assert_eq!(format!("15{zeros}e-20001").parse::<fp64mp2>().unwrap().to_parts(), (1.5, 0.0));
    assert_eq!(format!("1e-{}", "9".repeat(20_000)).parse::<fp64mp2>().unwrap().to_parts(), (0.0, 0.0));
    let two_thousand = format!("{:.2000}", fp64mp2::from_parts(0.5, f64::from_bits(1)));
    assert_eq!(two_thousand.len(), 2002);
    assert!(two_thousand[1076..].trim_end_matches('0').is_empty() && two_thousand[..1076].ends_with("625"));
}

/// Pair and limb side by side, with n places and in width w.
macro_rules! same {
    ($x:ident, $limb:ident, $n:ident; $($format:literal)*) => {$(
        prop_assert_eq!(format!($format, $x, n = $n), format!($format, $limb, n = $n), "{}", $format);
    )*};
    ($x:ident, $limb:ident, $n:ident, $w:ident; $($format:literal)*) => {$(
        prop_assert_eq!(format!($format, $x, n = $n, w = $w), format!($format, $limb, n = $n, w = $w), "{}", $format);
    )*};
}

fn one_limb<F: HostLimb + std::fmt::Display + LowerExp + UpperExp>(
    hi: u64,
    lo: u64,
    n: usize,
    w: usize,
) -> Result<(), TestCaseError> {
    let x = pair::<F>(hi, lo);
    let limb = x.hi();
    same!(x, limb, n; "{:.n$}" "{:+.n$}" "{:.n$e}" "{:+.n$E}");
    same!(x, limb, n, w; "{:w$.n$}" "{:<w$.n$}" "{:^w$.n$}" "{:*>+w$.n$}" "{:é^w$.n$}" "{:0w$.n$}" "{:+0w$.n$}");
    same!(x, limb, n, w; "{:<0w$.n$}" "{:*^+0w$.n$}" "{:0w$.n$e}" "{:_^+w$.n$E}" "{:<w$.n$E}");
    Ok(())
}

/// The text of a value, exactly: no value has more places.
fn exact<F: HostLimb>(x: DoubleWord<F>) -> String {
    format!("{x:.1080}")
}

fn there_and_back<F: HostLimb>(hi: u64, lo: u64) -> Result<(), TestCaseError> {
    let x = pair::<F>(hi, lo);
    for text in [format!("{x}"), format!("{x:e}"), format!("{x:E}")] {
        let back: DoubleWord<F, Mid> = text.parse().unwrap();
        if x.is_nan() {
            prop_assert!(back.is_nan());
        } else if x.hi().to_f64().is_finite() && back.is_infinite() {
            // A sum that overflows: the text has all its digits.
            let sum = x.canonical().hi().to_f64();
            prop_assert!(sum.is_infinite(), "{}", text);
            if x.is_finite() {
                let all = exact(x);
                prop_assert_eq!(format!("{x}"), all.trim_end_matches('0').trim_end_matches('.'));
            }
        } else {
            prop_assert_eq!(exact(back), exact(x), "{}", text);
            // Two pairs have the value halfway between two hi; otherwise the canonical one must come back.
            if bits(back.canonical()) == bits(back) {
                prop_assert_eq!(back.hi().to_f64(), x.canonical().hi().to_f64(), "{}", text);
                prop_assert_eq!(back.lo().to_f64(), x.canonical().lo().to_f64(), "{}", text);
            }
        }
    }
    Ok(())
}

/// Bits of two doubles: any, or with exponents close together.
fn two_limbs(p: u32, width: u32) -> impl Strategy<Value = (u64, u64)> {
    let mask = u64::MAX >> (64 - width);
    let fields = (1_u64 << (width - p)) - 1;
    prop_oneof![
        (any::<u64>(), any::<u64>()).prop_map(move |(a, b)| (a & mask, b & mask)),
        (any::<u64>(), any::<u64>(), 0_u64..3 * u64::from(p)).prop_map(move |(a, b, gap)| {
            let field = (a & mask) >> (p - 1) & fields;
            let kept = b & mask & !(fields << (p - 1));
            (a & mask, kept | field.saturating_sub(gap) << (p - 1))
        }),
        (0_u64..4, 0_u64..4, 0..fields, 0_u64..3, any::<bool>()).prop_map(move |(a, b, field, gap, minus)| {
            let low = field.saturating_sub(u64::from(p) - 1 + gap);
            (field << (p - 1) | a, low << (p - 1) | b | u64::from(minus) << (width - 1))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn places_of_one_limb_as_std(x: u64, minus: bool, n in 0_usize..60, w in 0_usize..90) {
        one_limb::<f64>(x, u64::from(minus) << 63, n, w)?;
        one_limb::<f32>(x >> 32, u64::from(minus) << 31, n, w)?;
    }

    #[test]
    fn places_of_ordinary_limbs_as_std(x in -1_000_000_i64..1_000_000, k in 0_i32..24, n in 0_usize..12, w in 0_usize..30) {
        let x = x as f64 / 2f64.powi(k);
        one_limb::<f64>(x.to_bits(), 0, n, w)?;
        one_limb::<f32>(u64::from((x as f32).to_bits()), 0, n, w)?;
    }

    #[test]
    fn special_limbs_as_std(x in prop::sample::select(vec![0.0, -0.0, f64::INFINITY, -f64::INFINITY, f64::NAN, -f64::NAN]), n in 0_usize..9, w in 0_usize..30) {
        one_limb::<f64>(x.to_bits(), 0, n, w)?;
        one_limb::<f32>(u64::from((x as f32).to_bits()), 0, n, w)?;
    }

    #[test]
    fn many_places_as_std(x: u64, n in 300_usize..1200) {
        one_limb::<f64>(x, 0, n, 0)?;
    }

    // Where an ulp is the smallest subnormal number a lo says nothing.
    #[test]
    fn shortest_of_smallest_limbs_as_std(x in 0_u64..2 << 52, y in 0_u32..2 << 23, minus: bool) {
        let (x, y) = (f64::from_bits(x | u64::from(minus) << 63), f32::from_bits(y | u32::from(minus) << 31));
        prop_assert_eq!(format!("{:e}", fp64mp2::from_limb(x)), format!("{x:e}"));
        prop_assert_eq!(format!("{}", fp64mp2::from_limb(x)), format!("{x}"));
        prop_assert_eq!(format!("{:E}", fp32mp2::from_limb(y)), format!("{y:E}"));
    }

    #[test]
    fn doubles_there_and_back((hi, lo) in two_limbs(53, 64)) {
        there_and_back::<f64>(hi, lo)?;
    }

    #[test]
    fn floats_there_and_back((hi, lo) in two_limbs(24, 32)) {
        there_and_back::<f32>(hi, lo)?;
    }

    #[test]
    fn leading_limb_as_std(text in "[+-]?[0-9]{0,25}\\.?[0-9]{0,25}([eE][+-]?[0-9]{1,3})?") {
        match (text.parse::<fp64mp2>(), text.parse::<f64>()) {
            (Ok(x), Ok(limb)) => prop_assert_eq!(x.hi().to_bits(), limb.to_bits()),
            (x, limb) => prop_assert!(x.is_err() && limb.is_err(), "{:?}", x),
        }
        if let Ok(limb) = text.parse::<f32>() {
            prop_assert_eq!(text.parse::<fp32mp2>().unwrap().hi().to_bits(), limb.to_bits());
        }
    }

    #[test]
    fn same_texts_are_numbers_as_for_std(text in "[-+.0-9eEinftyaINFA]{0,7}|[+-]?(?i:inf|infinity|nan|in|infinit)") {
        prop_assert_eq!(text.parse::<fp64mp2>().is_ok(), text.parse::<f64>().is_ok());
    }

    #[test]
    fn no_text_panics(text: String, cut in 0_usize..9) {
        for text in [text.clone(), format!("-{text}"), format!("1.5e{text}"), format!(".0{text}"), text.chars().skip(cut).collect()] {
            if let Err(error) = text.parse::<fp64mp2>() {
                prop_assert!(error.position() <= text.len() && text.is_char_boundary(error.position()));
            }
        }
    }
}
