//! Whatever `eval` prints can be read back, of every type and operation, at the ends of their ranges too; and there is an exact
//! value of it that is no rounded one.

use crate::common::with_input;
use rayon::prelude::*;
use vernier_conformance::answer::{exact_text, judge};
use vernier_conformance::case::{
    Arity, Case, Kind, Op, Operation, Type, Unpacked, Value, Width, operations, parse_line, special_values,
};
use vernier_conformance::subject::{Host, Subject};
use vernier_oracle::functions;
use vernier_oracle::generate::counter::{self, Words};

/// An unpacked number at the ends of the range, in the range of doubles, or near another one.
fn unpacked(words: &mut Words, before: Option<Unpacked>) -> Unpacked {
    let sign = words.below(2) as u32;
    let end = 1 << 26;
    if let Some(x) = before.filter(|x| (-end..end).contains(&x.exponent) && words.one_in(2)) {
        let places = words.below(62);
        let significand = (x.significand ^ words.below(1 << places)) | 1 << 61;
        return Unpacked { sign, significand, ..x };
    }
    let near = words.below(70) as i32;
    let exponent = match words.below(8) {
        0 | 1 => -end + near,
        2 => end - 1 - near,
        3 => words.between(-1200, 3200),
        4 => words.pick(&[-end, end]) / 2 + 512 + near - 35,
        _ => words.between(-(1 << 26), (1 << 26) - 1),
    };
    let significand = if words.one_in(3) { 1 << 61 | words.below(8) } else { words.next() >> 3 | 1 << 61 };
    Unpacked { sign, exponent, significand }
}

/// A value of a kind, special or at the ends of its range as often as not.
pub fn value(words: &mut Words, kind: Kind, before: Option<Value>) -> Value {
    let special = special_values(kind);
    if !special.is_empty() && words.one_in(6) {
        return words.pick(&special);
    }
    let limb = |words: &mut Words, w: Width| if w == Width::F32 { words.next() >> 32 } else { words.next() };
    match kind {
        Kind::Limb(w) => Value::Limb(w, limb(words, w)),
        Kind::Pair(w) => Value::Pair(w, limb(words, w), limb(words, w)),
        Kind::Binary128 => Value::Binary128(u128::from(words.next()) << 64 | u128::from(words.next())),
        Kind::Int(int) => {
            let v = u128::from(words.next()) << 64 | u128::from(words.next());
            Value::Int(int, int.wrap(v >> words.below(128)))
        }
        Kind::Bool => Value::Bool(words.one_in(2)),
        Kind::Unpacked => {
            let before = before.and_then(|x| if let Value::Unpacked(x) = x { Some(x) } else { None });
            Value::Unpacked(unpacked(words, before))
        }
        _ => unreachable!("no operation takes one"),
    }
}

/// Every type, and reduced formats.
fn types() -> impl Iterator<Item = Type> {
    let formats =
        ["<5,10>", "<8,7;ieee>", "<4,3;ieee,fn>", "<2,1;ieee,finite>", "<11,52;ieee,sr>", "<11,0;dynamic,ru>"];
    Type::all().chain(formats.map(|f| Type::Custom(format!("fp64_custom{f}").parse().unwrap())))
}

/// A case of an operation, printed and read.
fn round_trip(ty: Type, line: &Operation, words: &mut Words) {
    let n = match line.args {
        Arity::Fixed(slots) => slots.len(),
        Arity::Many => 1 + words.below(4) as usize,
        Arity::Pairs => 2 + 2 * words.below(2) as usize,
    };
    let mut args: Vec<Value> = Vec::new();
    for i in 0..n {
        args.push(value(words, line.arg_kind(ty, i).unwrap(), args.last().copied()));
    }
    let got = Host.eval(ty, line.op, &args).unwrap().canonical();
    let case = Case { ty, op: line.op, args, results: vec![got] };
    let back = parse_line(case.to_string().as_bytes());
    let back = back.unwrap_or_else(|e| panic!("{case}: {e}")).unwrap();
    assert!(back.results[0].same(got) && back.to_string() == case.to_string(), "{case}");
    // A result is an argument, too.
    for part in got.parts().map_or(vec![got], Vec::from) {
        if let Value::Unpacked(x) = part {
            let again = parse_line(format!("fp64emu_unpacked neg {x}").as_bytes());
            assert!(again.is_ok_and(|case| case.is_some()), "{case}");
        }
    }
    let number = !matches!(got, Value::Bool(_));
    assert!(!number || exact_text(&case, 40).is_some(), "{case}");
    judge(ty, line.op, &case.args, got);
}

#[test]
fn results_read_back_and_have_exact_values() {
    const CASES: u64 = 1500;
    let lines: Vec<_> = types().flat_map(|ty| operations(ty).map(move |line| (ty, line))).collect();
    let check = |(ty, line): &(Type, Operation)| {
        let mut words = Words::new(counter::named_key(11, &format!("{ty} {}", line.op)), 0);
        // Fewer where MPFR takes long.
        let cost = if let Op::Math(f) = line.op { functions::row(f).cost } else { 1 };
        let cases = CASES >> (cost.ilog2() / 3);
        for _ in 0..cases {
            round_trip(*ty, line, &mut words);
        }
        cases
    };
    let checked: u64 = lines.par_iter().map(check).sum();
    assert!(checked > 1_000_000, "{checked}");
}

/// The exact value that is printed for a line.
fn exact(line: &str) -> String {
    let said = with_input(&["eval", "--exact"], line.as_bytes());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{line}");
    let (_, rest) = said.out.split_once("# exact ").unwrap_or_else(|| panic!("{}", said.out));
    rest.split([',', '\n']).next().unwrap_or_default().into()
}

#[test]
fn exact_values_outside_the_range_of_doubles() {
    // By Python's decimal.
    for (line, value) in [
        ("fp64emu_unpacked to_f64 0:ffffffbf:2000000000000001", "3.015537389167764553166721261577360261336e-328"),
        ("fp64emu_unpacked to_u64 0:000007ff:2000000000000000", "1.797693134862315907729305190789024733618e308"),
        ("fp64emu_unpacked.mid neg 0:032d855c:26822e682bfb562a", "-4.474936204985427461240047066782570881991e16049078"),
        (
            "fp64emu_unpacked.high add 0:e0000000:0000000000000000 0:fffffbcc:3716ba4f4cd941f1",
            "2.365659748183914431655736109752419883344e-632",
        ),
        ("fp64emu_unpacked mul 0:10000000:2000000000000000 0:03ffffff:2000000000000000", "inf"),
        (
            "fp64emu_unpacked sub 0:03ffffff:2000000000000000 0:fc000000:2000000000000000",
            "6.084419419764169158262311478209148703687e20201472",
        ),
        (
            "fp64emu_unpacked cmul 0:03ffffff:2000000000000000 3ff0000000000000 3ff0000000000000 3ff0000000000000",
            "6.084419419764169158262311478209148703687e20201472 6.084419419764169158262311478209148703687e20201472",
        ),
        (
            "fp64emu.rz from_fp64emu_unpacked 0:fffff000:2000000000000000",
            "1.065251602208018261959519843855210528519e-1541",
        ),
        // In the middle of two decimals of 40 digits, which no number of bits tells apart.
        ("f64 div 3f72000000000000 431e000000000000", "2.081668171172168513294309377670288085938e-18"),
        ("fp64mp2 rsqrt 4799000000000000:0000000000000000", "3.469446951953614188823848962783813476562e-19"),
        ("fp64mp2 from_f128 3fff0000000000000000000000000001", "1.000000000000000000000000000000000192593"),
    ] {
        let found = exact(line);
        assert_eq!(found, value, "{line}");
    }
}

#[test]
fn a_difference_below_the_range_reads_back() {
    let line = "fp64emu_unpacked sub 0:fc000000:2000000000000001 0:fc000000:2000000000000000";
    let said = with_input(&["eval"], line.as_bytes());
    let again = with_input(&["eval", "--check"], said.out.as_bytes());
    assert_eq!((said.code, again.code), (Some(0), Some(0)), "{}{}", said.out, again.err);
}
