//! Lines of any kind through `eval` with all its options: none makes it panic, each is evaluated or named with its place, and what is
//! printed reads back to itself. Lines are drawn from a seed: `make fuzz` tries 10^6, the test run a share of them.

use crate::common::{Said, with_input};
use crate::round_trip::value;
use serde_json::Value as Json;
use std::fmt::Write;
use vernier::custom::{Format, Mode, Options, Top};
use vernier_conformance::case::{Arity, Kind, Type, Value, operations, parse_line};
use vernier_conformance::testfloat::{FUNCTIONS, Rounding};
use vernier_oracle::generate::counter::{self, Words};

/// Lines that are tried at once.
const BLOCK: u64 = 20_000;

/// How many lines to try.
fn lines() -> u64 {
    std::env::var("VERNIER_FUZZ_LINES").map_or(BLOCK, |n| n.parse().expect("a number of lines"))
}

/// Any reduced format.
fn format(words: &mut Words) -> Format {
    let mut bit = |n: u64| words.one_in(n);
    let mut options = Options { gradual: bit(2), after: bit(2), single: bit(2), ..Options::PUBLISHED };
    if bit(4) {
        options = Options::IEEE;
    }
    (options.saturate, options.dynamic) = (bit(3), bit(3));
    options.mode = words.pick(&Mode::ALL);
    options.top = words.pick(&[Top::Special, Top::Special, Top::Nan, Top::Numbers]);
    let (e, m) = (2 + words.below(10) as u32, words.below(53) as u32);
    let format = Format::new(e, m, options).or(Format::new(e, m, Options { top: Top::Special, ..options }));
    format.expect("every size with infinity")
}

/// Any type and a way to write it.
fn written_type(words: &mut Words, types: &[Type]) -> (Type, String) {
    match words.below(5) {
        0 => {
            let (name, format) = words.pick(&Format::PRESETS);
            (Type::Custom(format), name.into())
        }
        1 => {
            let format = format(words);
            let text = format.to_string();
            // The options in another order, and the default named.
            let turned =
                text.trim_end_matches('>').split_once(';').filter(|_| words.one_in(2)).map(|(sizes, options)| {
                    let mut options: Vec<&str> = options.split(',').collect();
                    options.reverse();
                    if format.options().mode == Mode::Nearest {
                        options.push("rn");
                    }
                    format!("{sizes};{}>", options.join(","))
                });
            (Type::Custom(format), turned.unwrap_or(text))
        }
        _ => {
            let ty = words.pick(types);
            let text = match (ty.mode(), ty.level()) {
                _ if ty.is_default() && words.one_in(2) => ty.name().to_string(),
                (Some(mode), Some(level)) if words.one_in(2) => {
                    format!("{}.{}.{}", ty.name(), level.name(), mode.name())
                }
                _ => ty.to_string(),
            };
            (ty, text)
        }
    }
}

/// A decimal number, some far outside every range.
fn decimal(words: &mut Words) -> String {
    let mut digits =
        |most: u64| (0..1 + words.below(most)).map(|_| (b'0' + words.below(10) as u8) as char).collect::<String>();
    let (whole, fraction) = (digits(20), digits(60));
    let exponent = match words.below(5) {
        0 | 1 => String::new(),
        2 => format!("e{}", words.between(-40, 40)),
        3 => format!("e{}", words.between(-500, 500)),
        _ => format!("E{}", words.between(-30_000_000, 30_000_000)),
    };
    format!("{}{whole}.{fraction}{exponent}", words.pick(&["", "-"]))
}

/// A case line, mostly a right one.
fn case_line(words: &mut Words, types: &[Type]) -> Vec<u8> {
    let (ty, mut text) = written_type(words, types);
    let all: Vec<_> = operations(ty).collect();
    let line = words.pick(&all);
    write!(text, " {}", line.op).unwrap();
    let n = match line.args {
        Arity::Fixed(slots) => slots.len(),
        Arity::Many => 1 + words.below(9) as usize,
        Arity::Pairs => 2 + 2 * words.below(5) as usize,
    };
    let mut before = None;
    for kind in (0..n).filter_map(|i| line.arg_kind(ty, i)) {
        let v = value(words, kind, before);
        before = Some(v);
        let real = matches!(kind, Kind::Limb(_) | Kind::Pair(_) | Kind::Unpacked);
        match words.below(6) {
            0 if real => write!(text, " {}", decimal(words)).unwrap(),
            1 => write!(text, "\t {v:#}").unwrap(),
            2 if real => write!(text, " {}", v.to_string().to_uppercase().replace("NAN", "nan")).unwrap(),
            _ => write!(text, " {v}").unwrap(),
        }
    }
    if words.one_in(3) {
        let kind = line.result_kind(ty);
        let [first, second] = kind.parts().map_or([Some(kind), None], |parts| parts.map(Some));
        let parts: Vec<String> =
            [first, second].into_iter().flatten().map(|k| value(words, k, None).to_string()).collect();
        write!(text, " = {}", parts.join(" ")).unwrap();
    }
    text += words.pick(&["", "", "", "\r", " # x = y", "#"]);
    text.into_bytes()
}

/// A line that may be anything: a case, one with damage, or noise.
fn line(words: &mut Words, types: &[Type]) -> Vec<u8> {
    let mut line = case_line(words, types);
    match words.below(12) {
        0 => line = (0..words.below(60)).map(|_| words.next() as u8).collect(),
        1 => line.truncate(words.below(line.len() as u64 + 1) as usize),
        2 => {
            let at = words.below(line.len() as u64) as usize;
            line[at] = words.next() as u8;
        }
        3 => {
            let at = words.below(line.len() as u64 + 1) as usize;
            let part: &[u8] = words.pick(&[
                &b" "[..],
                b"=",
                b":",
                b".",
                b" = ",
                b"#",
                b"<",
                b";",
                b"\0",
                b"\xff",
                b" nan",
                b" i32:-1",
            ]);
            line.splice(at..at, part.iter().copied());
        }
        4 => line = b"  ".to_vec(),
        _ => {}
    }
    line.retain(|&b| b != b'\n');
    line
}

/// The program's answer: no panic, and no message that is none of its own.
fn eval(args: &[&str], input: &[u8]) -> Said {
    let said = with_input(&[&["eval"], args].concat(), input);
    assert!(matches!(said.code, Some(0..=2)), "{args:?}: {:?} {}", said.code, said.err);
    assert!(said.err.lines().all(|l| l.starts_with("vernier: ")), "{args:?}: {}", said.err);
    said
}

#[track_caller]
fn equal(a: &str, b: &str) {
    if let Some((x, y)) = a.lines().zip(b.lines()).find(|(x, y)| x != y) {
        panic!("{x}\n{y}");
    }
    assert_eq!(a.lines().count(), b.lines().count());
}

#[test]
fn case_lines_of_any_kind() {
    let types: Vec<Type> = Type::all().collect();
    for block in 0..lines().div_ceil(BLOCK) {
        let key = counter::key(15, block);
        let drawn: Vec<Vec<u8>> = (0..BLOCK).map(|i| line(&mut Words::new(key, i), &types)).collect();
        let parsed: Vec<_> = drawn.iter().map(|line| parse_line(line)).collect();
        let said = eval(&[], &drawn.join(&b'\n'));
        // Each line has its answer or its message, and no other.
        let cases = parsed.iter().filter(|p| matches!(p, Ok(Some(_)))).count();
        let bad: Vec<usize> = (1..).zip(&parsed).filter(|(_, p)| p.is_err()).map(|(number, _)| number).collect();
        assert!(cases > BLOCK as usize / 2 && bad.len() > BLOCK as usize / 20, "{cases} {}", bad.len());
        let place = |l: &str| l.strip_prefix("vernier: <stdin>:").and_then(|l| l.split(':').next()?.parse().ok());
        let named: Vec<usize> = said.err.lines().filter_map(place).collect();
        let at = |number: &usize| String::from_utf8_lossy(&drawn[number - 1]).into_owned();
        let other = named.iter().find(|n| !bad.contains(n)).or(bad.iter().find(|n| !named.contains(n))).map(at);
        assert!(named == bad, "{other:?}");
        assert_eq!((said.code, said.out.lines().count()), (Some(2), cases));

        let printed = said.out;
        equal(&eval(&[], printed.as_bytes()).succeeded().out, &printed);
        let summary = format!("{cases} cases checked, 0 differ");
        equal(&eval(&["--check"], printed.as_bytes()).succeeded().out, &summary);
        // With the exact value as a comment.
        let exact = eval(&["--exact"], printed.as_bytes()).succeeded().out;
        let bare: Vec<&str> = exact.lines().map(|l| l.split("  #").next().unwrap()).collect();
        equal(&bare.join("\n"), &printed);
        equal(&eval(&[], exact.as_bytes()).succeeded().out, &printed);
        let json = eval(&["--check", "--exact", "--json"], printed.as_bytes()).succeeded().out;
        let reports = || json.lines().map(|l| serde_json::from_str::<Json>(l).unwrap_or_else(|e| panic!("{l}: {e}")));
        assert!(reports().all(|r| r["differs"] == Json::Bool(false)));
        let lines: Vec<String> = reports().map(|r| r["case"].as_str().unwrap().to_string()).collect();
        equal(&lines.join("\n"), &printed);
        // Lines as they were given: what differs is printed with what was got, and is the line that was given.
        let differing = eval(&["--check"], &drawn.join(&b'\n')).out;
        let again = eval(&["--check"], differing.as_bytes()).out;
        // The place is that of the lines it was given in.
        let without_place = |l: &str| l.split(", at ").next().unwrap_or(l).to_string();
        let only = |text: &str| text.lines().filter(|l| l.contains("  # got ")).map(without_place).collect::<Vec<_>>();
        assert!(!only(&differing).is_empty());
        assert_eq!(only(&again), only(&differing));
        eval(&["--subject", "twofloat", "--exact"], printed.as_bytes());
    }
}

#[test]
fn lines_of_testfloat_of_any_kind() {
    const ROUNDINGS: [&str; 4] = ["near_even", "minMag", "min", "max"];
    let share = (lines() / 20 / FUNCTIONS.len() as u64).max(20);
    for (k, function) in FUNCTIONS.into_iter().enumerate() {
        let rounding = ROUNDINGS[k % 4];
        let args = ["--testfloat", function.name, "--rounding", rounding];
        let mut words = Words::new(counter::named_key(15, function.name), 0);
        let (ty, op) = function.operation(Rounding::NearEven);
        let line = operations(ty).find(|o| o.op == op).unwrap();
        let mut input = String::new();
        for _ in 0..share {
            for kind in (0..).map_while(|i| line.arg_kind(ty, i)) {
                let v = value(&mut words, kind, None);
                let bits = match v {
                    Value::Int(int, v) => {
                        format!("{:0w$X}", v & (u128::MAX >> (128 - int.bits)), w = int.bits as usize / 4)
                    }
                    Value::Limb(w, x) => format!("{x:0w$X}", w = w.digits()),
                    v => v.to_string(),
                };
                write!(input, "{bits} ").unwrap();
            }
            // Some with noise in place of an end.
            if words.one_in(5) {
                write!(input, "{:x} \u{1b}", words.next() >> words.below(64)).unwrap();
            }
            input.push('\n');
        }
        let printed = eval(&args, input.as_bytes()).out;
        assert!(printed.lines().count() as u64 > share / 2, "{}", function.name);
        let said = eval(&args, printed.as_bytes()).succeeded();
        assert_eq!(said.out, format!("{} lines checked, 0 differ\n", printed.lines().count()), "{}", function.name);
        eval(&[&args[..], &["--json"]].concat(), input.as_bytes());
    }
}
