//! A type of one's own, measured as this project's are: a double-double that somebody wrote in an afternoon.
//!
//!     cargo run --release -p vernier-conformance --example own_subject

use vernier_conformance::case::{Level, Op, Type, Value, Width, parse_line};
use vernier_conformance::subject::{Failure, Subject, Unsupported};
use vernier_oracle::{Meaning, Target, judge};

/// Its sum drops the error of the low parts.
struct Afternoon;

fn sloppy_add((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    let s = a + c;
    let t = s - a;
    (s, (a - (s - t)) + (c - t) + (b + d))
}

impl Subject for Afternoon {
    fn name(&self) -> &'static str {
        "afternoon"
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        ty == Type::Pair(Width::F64, Level::Low) && op == Op::Add
    }

    fn eval_all(&self, ty: Type, op: Op, cases: &[Vec<Value>]) -> Result<Vec<Value>, Failure> {
        if !self.supports(ty, op) {
            return Err(Unsupported { subject: self.name(), ty, op }.into());
        }
        let pair = |args: &[Value], i: usize| args.get(i).and_then(|a| a.to_pair()).unwrap_or((f64::NAN, 0.0));
        Ok(cases.iter().map(|args| Value::of_pair(Width::F64, sloppy_add(pair(args, 0), pair(args, 1)))).collect())
    }
}

fn main() {
    let (ty, op) = (Type::Pair(Width::F64, Level::Low), Op::Add);
    let (target, Meaning::Number(meaning)) = (Target::of(ty), Meaning::of(op)) else { return };
    for line in [
        "fp64mp2.low add 3ff0000000000000:3c80000000000000 3fe0000000000000:3c70000000000000",
        "fp64mp2.low add 3ff0000000000000:3c80000000000000 bfeffffffffffffe:bc80000000000001",
    ] {
        let case = parse_line(line.as_bytes()).expect("a case line").expect("no comment");
        let result = Afternoon.eval(ty, op, &case.args).expect("a result");
        let args: Vec<_> = case.args.iter().filter_map(|a| a.to_pair()).collect();
        let r = result.to_pair().expect("a pair");
        let verdict = judge(meaning, &target, &args, r);
        println!("{line} = {result}\n    {verdict:?}");
    }
}
