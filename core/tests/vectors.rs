//! Every case of `fixtures/pairs.txt`, the published result bits, to the bit.

use std::collections::BTreeMap;
use vernier::{DoubleWord, High, HostLimb, Level, Low, Mid, acc};

fn limb<F: HostLimb>(text: &str) -> F {
    F::from_bits_u64(u64::from_str_radix(text, 16).unwrap())
}

fn pair<F: HostLimb, A: Level>(text: &str) -> DoubleWord<F, A> {
    let (hi, lo) = text.split_once(':').unwrap();
    DoubleWord::from_parts(limb(hi), limb(lo))
}

fn text<F: HostLimb>(x: F) -> String {
    format!("{:0width$x}", x.to_bits_u64(), width = 2 * size_of::<F>())
}

fn eval<F: HostLimb, A: Level>(op: &str, args: &[&str]) -> String {
    let p = |i: usize| pair::<F, A>(args[i]);
    let r = match op {
        "add" => p(0) + p(1),
        "sub" => p(0) - p(1),
        "mul" => p(0) * p(1),
        "div" => p(0) / p(1),
        "fma" => p(0).fma(p(1), p(2)),
        "mad" => p(0).mad(p(1), p(2)),
        "acc" => {
            let mut x = p(0);
            x += limb::<F>(args[1]);
            let free = acc::<A, F, A>(p(0), limb(args[1]));
            assert_eq!(x.lo().to_bits_u64(), free.lo().to_bits_u64());
            x
        }
        "renormalize" => p(0).renormalize(),
        "lt" => return u8::from(p(0) < p(1)).to_string(),
        "eq" => return u8::from(p(0) == p(1)).to_string(),
        _ => panic!("unknown operation {op}"),
    };
    format!("{}:{}", text(r.hi()), text(r.lo()))
}

#[test]
fn published_bits() {
    let file = include_str!("../../fixtures/pairs.txt");
    let mut counts = BTreeMap::new();
    for line in file.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (left, expected) = line.split_once(" = ").unwrap();
        let mut words = left.split_whitespace();
        let (kind, op) = (words.next().unwrap(), words.next().unwrap());
        if op.contains("f64") {
            continue; // conversions have their own test
        }
        let args: Vec<&str> = words.collect();
        let got = match kind {
            "fp32mp2.low" => eval::<f32, Low>(op, &args),
            "fp32mp2.mid" => eval::<f32, Mid>(op, &args),
            "fp32mp2.high" => eval::<f32, High>(op, &args),
            "fp64mp2.low" => eval::<f64, Low>(op, &args),
            "fp64mp2.mid" => eval::<f64, Mid>(op, &args),
            "fp64mp2.high" => eval::<f64, High>(op, &args),
            _ => panic!("unknown type in {line}"),
        };
        assert_eq!(got, expected, "{left}");
        *counts.entry((kind, op)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 58);
    assert!(counts.values().all(|&n| n >= 249), "{counts:?}");
}
