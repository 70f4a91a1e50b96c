//! The notation of cases: what is printed reads back, and what is no case says where and why.

use proptest::prelude::*;
use vernier_conformance::case::{Arity, Case, Kind, Type, Unpacked, Value, Width, operations, parse_line};

fn value(kind: Kind) -> BoxedStrategy<Value> {
    match kind {
        Kind::Limb(w) => any::<u64>().prop_map(move |x| limb(w, x)).boxed(),
        Kind::Pair(w) => any::<(u64, u64)>().prop_map(move |(hi, lo)| Value::Pair(w, bits(w, hi), bits(w, lo))).boxed(),
        Kind::Binary128 => any::<u128>().prop_map(Value::Binary128).boxed(),
        Kind::Int(i) => any::<u128>().prop_map(move |v| Value::Int(i, i.wrap(v))).boxed(),
        Kind::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Kind::Unpacked => unpacked().prop_map(Value::Unpacked).boxed(),
        Kind::Complex => any::<(u64, u64)>().prop_map(|(re, im)| Value::Complex(re, im)).boxed(),
        Kind::PairAndInt(_) | Kind::TwoPairs(_) => {
            let [first, second] = kind.parts().unwrap();
            (value(first), value(second)).prop_map(|(x, y)| Value::of_parts(x, y).unwrap()).boxed()
        }
        Kind::ComplexUnpacked => (unpacked(), unpacked()).prop_map(|(re, im)| Value::ComplexUnpacked(re, im)).boxed(),
    }
}

fn unpacked() -> impl Strategy<Value = Unpacked> {
    let number = |(sign, exponent, significand): (bool, i32, u64)| Unpacked {
        sign: sign.into(),
        exponent: exponent >> 5,
        significand: significand >> 3 | 1 << 61,
    };
    prop_oneof![
        any::<u64>().prop_map(|x| Unpacked::of_f64(f64::from_bits(x))),
        any::<(bool, i32, u64)>().prop_map(number)
    ]
}

fn bits(w: Width, x: u64) -> u64 {
    if w == Width::F32 { x & 0xffff_ffff } else { x }
}

fn limb(w: Width, x: u64) -> Value {
    Value::Limb(w, bits(w, x))
}

fn case() -> impl Strategy<Value = Case> {
    let all: Vec<_> = Type::all().flat_map(|ty| operations(ty).map(move |o| (ty, o))).collect();
    (prop::sample::select(all), 1..4usize, any::<bool>()).prop_flat_map(|((ty, line), n, given)| {
        let n = match line.args {
            Arity::Fixed(slots) => slots.len(),
            Arity::Many => n,
            Arity::Pairs => 2 * n,
        };
        let args: Vec<_> = (0..n).map(|i| value(line.arg_kind(ty, i).unwrap())).collect();
        let results: Vec<_> = given.then(|| value(line.result_kind(ty))).into_iter().collect();
        (args, results).prop_map(move |(args, results)| Case { ty, op: line.op, args, results })
    })
}

fn same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(*b))
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(case in case(), end in prop::sample::select(vec!["", "\n", "\r\n", " # x = y\n", "\t"])) {
        let text = format!("{case}{end}");
        let back = parse_line(text.as_bytes()).unwrap().unwrap();
        prop_assert!(back.ty == case.ty && back.op == case.op, "{text}");
        prop_assert!(same(&back.args, &case.args) && same(&back.results, &case.results), "{text}");
        prop_assert_eq!(back.to_string(), case.to_string());
    }

    #[test]
    fn any_bytes_give_a_case_or_a_place(line in prop::collection::vec(any::<u8>(), 0..80)) {
        if let Err(e) = parse_line(&line) {
            prop_assert!(e.column >= 1 && e.column <= line.len() + 1);
        }
    }

    #[test]
    fn damaged_lines_give_a_case_or_a_place(case in case(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut line = case.to_string().into_bytes();
        let at = at.index(line.len());
        if cut { line.truncate(at) } else { line[at] = byte }
        match parse_line(&line) {
            Ok(_) => {}
            Err(e) => prop_assert!(e.column >= 1 && e.column <= line.len() + 1, "{e}"),
        }
    }
}

/// The column and the message of a line that is no case.
fn error(line: &str) -> (usize, String) {
    let e = parse_line(line.as_bytes()).unwrap_err();
    (e.column, e.to_string())
}

#[track_caller]
fn assert_error(line: &str, column: usize, part: &str) {
    let (found, text) = error(line);
    assert_eq!(found, column, "{line}: {text}");
    assert!(text.contains(part), "{line}: {text}");
}

#[test]
fn errors_say_where_and_what() {
    assert_error("fp16mp2.mid add", 1, "expected a type: fp32mp2 or fp64mp2");
    assert_error("fp32mp2.best add", 9, "expected a level: low, mid or high, found `best`");
    assert_error("fp32mp2. add", 9, "expected a level");
    assert_error("fp32mp2.mid.rz add", 13, "no rounding mode");
    assert_error("f32.low add 0 0", 5, "no level after f32");
    assert_error("fp64emu.best add 0 0", 9, "expected a level or a rounding mode: low, mid or high; rn, rz, ru or rd");
    assert_error("fp64emu.high.rx add 0 0", 14, "expected a rounding mode: rn, rz, ru or rd, found `rx`");
    assert_error("fp64emu.high.rz.x add 0 0", 14, "expected a rounding mode");
    assert_error("fp64emu.rz.high add 0 0", 9, "expected a level or a rounding mode");
    assert_error("fp64emu. add 0 0", 9, "expected a level or a rounding mode");
    assert_error("fp64emu.mid.rz div 0 0", 16, "expected an operation of fp64emu.mid.rz: add sub mul fma");
    assert_error("fp64emu.rz mad 0 0 0", 12, "expected an operation of fp64emu.high.rz");
    assert_error("fp64emu rsqrt 3ff0000000000000", 9, "expected an operation of fp64emu");
    assert_error("fp64emu add 3ff0000000000000 3ff000000000000", 30, "16 hexadecimal digits (there are 15)");
    assert_error("fp64emu cmul nan nan nan nan = nan", 35, "found the end of the line");
    assert_error("fp64emu_unpacked.high.rz add nan nan", 23, "no rounding mode: fp64emu_unpacked has none");
    assert_error("fp64_custom<8,7;rz,ru> neg 0", 20, "one rounding mode at most");
    assert_error("fp64_custom<8,7;ieee,fn,finite> neg 0", 25, "one of fn and finite");
    assert_error("fp64emu_unpacked neg 2:000003ff:2000000000000000", 22, "a sign, 0 or 1");
    assert_error("fp64emu_unpacked neg 0:000003ff", 22, "s:eeeeeeee:mmmmmmmmmmmmmmmm");
    assert_error("fp64emu_unpacked neg 0:3ff:2000000000000000", 24, "8 hexadecimal digits (there are 3)");
    assert_error("fp64emu_unpacked neg 0:000003ff:4000000000000000", 24, "exponent and significand of a number");
    assert_error("fp64emu_unpacked neg 0:04000000:2000000000000000", 24, "exponent and significand of a number");
    assert_error("fp64_custom<8,23> add 0 0", 23, "16 hexadecimal digits");
    assert_error("fp64_custom<8,x> add 0 0", 15, "expected fp64_custom<E,M>");
    assert_error("bf16.low add 0 0", 6, "no level after bf16");
    assert_error("bf17 add 0 0", 1, "fp64_custom<E,M>, fp16, bf16, tf32, fp32, fp8_e4m3");
    assert_error("bf16<8,7> add 0 0", 1, "expected a type");
    assert_error("fp64_custom<12,3> add 0 0", 1, "an exponent of 2 to 11 bits");
    assert_error("fp64emu_unpacked.mid sqrt 0", 27, "16 hexadecimal digits");
    assert_error("fp32mp2.mid cmul 0 0", 13, "expected an operation of fp32mp2: add sub");
    assert_error("fp32mp2.mid", 12, "found the end of the line");
    assert_error("fp32mp2.mid  plus 0 0", 14, "expected an operation of fp32mp2: add sub");
    assert_error("f64 rsqrt 3ff0000000000000", 5, "expected an operation of f64");
    assert_error("fp32mp2.mid from_fp32mp2 0", 13, "expected an operation");
    assert_error("fp32mp2.mid sqrt 3f800000", 18, "expected a pair hi:lo");
    assert_error("fp32mp2.mid sqrt 3f80000:00000000", 18, "expected 8 hexadecimal digits (there are 7)");
    assert_error("fp32mp2.mid sqrt 3f800000:000000001", 35, "no more than 8 hexadecimal digits, found `1`");
    assert_error("fp32mp2.mid sqrt 3f800000:0000z000", 31, "expected a hexadecimal digit");
    assert_error("f32 add 3f800000 +f800000", 18, "expected a hexadecimal digit");
    assert_error("fp32mp2.mid sqrt 3f800000:00000000:0", 35, "no more than 8");
    assert_error("f32 add 3f800000", 17, "expected argument 2 of add (2 arguments)");
    assert_error("f32 add 3f800000 = 3f800000", 18, "expected argument 2 of add");
    assert_error("f32 sqrt 3f800000 3f800000", 19, "expected `=` or the end of the line");
    assert_error("f32 sqrt 3f800000 =", 20, "expected 8 hexadecimal digits");
    assert_error("f32 sqrt 3f800000 = 3f800000 3f800000", 30, "expected the end of the line after the result");
    assert_error("f32 lt 3f800000 3f800000 = 2", 28, "expected 0 or 1");
    assert_error("fp32mp2 from_i8 i8:128", 17, "i8: and an integer from -128 to 127, found `i8:128`");
    assert_error("fp32mp2 from_u8 u8:-1", 17, "from 0 to 255");
    assert_error("fp32mp2 from_i32 i64:1", 18, "i32: and an integer");
    assert_error("fp32mp2 from_i32 i32:+1", 18, "i32: and an integer");
    assert_error("fp64mp2 dot 1", 13, "expected a pair");
    assert_error("f32 sqrt \u{fc}", 10, "expected a hexadecimal digit");
}

#[test]
fn columns_count_characters() {
    let e = parse_line("f32 add 3f800000 \u{fc}\u{fc} x".as_bytes()).unwrap_err();
    assert_eq!(e.column, 18);
    let e = parse_line("\u{a0}\u{a0} x".as_bytes()).unwrap_err();
    assert_eq!(e.column, 1);
}

#[test]
fn blanks_and_comments_are_no_cases() {
    for line in ["", "\n", "\r\n", "  \t ", "# f32 add", "   # x", "#\r\n"] {
        assert_eq!(parse_line(line.as_bytes()), Ok(None), "{line:?}");
    }
    assert!(parse_line(b"f32 neg 3f800000#x").unwrap().is_some());
    assert!(parse_line(b"# \xff\xfe").unwrap().is_none());
}

#[test]
fn presets_are_types() {
    for (name, format) in vernier::custom::Format::PRESETS {
        let case = parse_line(format!("{name} add 1.5 2.5").as_bytes()).unwrap().unwrap();
        assert_eq!(case.ty, Type::Custom(format), "{name}");
        let text = case.to_string();
        assert!(text.starts_with(&format!("{format} add 3ff8")), "{text}");
    }
}

#[test]
fn a_pair_without_a_level_is_at_mid() {
    let case = parse_line(b"fp64mp2 neg nan").unwrap().unwrap();
    assert_eq!(case.to_string(), "fp64mp2.mid neg nan");
}
