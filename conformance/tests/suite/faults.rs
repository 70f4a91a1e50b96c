//! The gate of the tables notices faults: each is planted in a subject and must make a claim fail.

use std::time::Duration;
use vernier_conformance::case::{Level, Op, Type, Value, Width};
use vernier_conformance::subject::{Failure, Host, Subject};
use vernier_conformance::table::{Plan, Results, Row, Run, Shard, Verdict, run, special_table};

/// What a fault makes of arguments and the right result.
type Fault = fn(&[Value], Value) -> Value;

/// The host with one operation changed at its result.
struct Faulty {
    op: Op,
    fault: Fault,
}

impl Subject for Faulty {
    fn name(&self) -> &'static str {
        "vernier"
    }

    fn supports(&self, ty: Type, op: Op) -> bool {
        Host.supports(ty, op)
    }

    fn eval(&self, ty: Type, op: Op, args: &[Value]) -> Result<Value, Failure> {
        let right = Host.eval(ty, op, args)?;
        Ok(if op == self.op { (self.fault)(args, right) } else { right })
    }
}

fn results(subject: &dyn Subject, op: Op) -> Results {
    let rows = Row::all().into_iter().filter(|r| r.op == op && r.type_name() == "fp32mp2" && r.covers(Level::High));
    let plan = Plan {
        subject: subject.name().into(),
        place: None,
        seed: 1,
        samples: 20_000,
        searches: 1,
        evaluations: 20_000,
        search_seconds: None,
        rows: rows.map(|r| r.to_string()).collect(),
        special: false,
    };
    run(&Run { subject, plan, shard: Shard::WHOLE, checkpoint: None, save_every: Duration::ZERO }).unwrap()
}

fn fails(subject: &dyn Subject, op: Op) -> bool {
    results(subject, op).table.iter().all(|l| l.verdict == Verdict::Fails)
}

fn without_lo(_: &[Value], r: Value) -> Value {
    match r {
        Value::Pair(w, hi, _) => Value::Pair(w, hi, 0),
        r => r,
    }
}

/// lo with its last four bits cut.
fn truncated_lo(_: &[Value], r: Value) -> Value {
    match r {
        Value::Pair(w, hi, lo) => Value::Pair(w, hi, lo & !15),
        r => r,
    }
}

fn without_infinity(_: &[Value], r: Value) -> Value {
    match r {
        Value::Pair(w, hi, _) if w.limb(hi).is_infinite() => Value::Pair(w, w.nan(), 0),
        r => r,
    }
}

fn without_signed_zero(_: &[Value], r: Value) -> Value {
    match r {
        Value::Pair(w, hi, lo) if w.limb(hi) == 0.0 => Value::Pair(w, 0, lo),
        r => r,
    }
}

fn without_subnormals(_: &[Value], r: Value) -> Value {
    match r {
        Value::Pair(w, hi, _) if w.limb(hi).abs() < f64::from(f32::MIN_POSITIVE) => Value::Pair(w, hi & 1 << 31, 0),
        r => r,
    }
}

/// Compares limb by limb.
fn lexicographic(args: &[Value], _: Value) -> Value {
    Value::Bool(args[0].to_pair() == args[1].to_pair())
}

/// One too many.
fn off_by_one(_: &[Value], r: Value) -> Value {
    match r {
        Value::Int(i, v) => Value::Int(i, i.wrap(v.wrapping_add(u128::from(v % 1000 == 999)))),
        r => r,
    }
}

#[test]
fn no_fault_no_failure() {
    for op in [Op::Add, Op::Mul, Op::Sqrt, Op::Eq] {
        assert!(results(&Host, op).hold(), "{op}");
    }
}

#[test]
fn every_planted_fault_is_noticed() {
    use vernier_conformance::case::{Int, Kind};
    let to_i32 = Op::To(Kind::Int(Int { bits: 32, signed: true }));
    let faults: [(&str, Op, Fault); 14] = [
        ("lo is dropped", Op::Add, without_lo),
        ("lo is dropped", Op::Mul, without_lo),
        ("lo is dropped", Op::Fma, without_lo),
        ("lo is dropped", Op::Dot, without_lo),
        ("lo is cut", Op::Add, truncated_lo),
        ("lo is cut", Op::Div, truncated_lo),
        ("lo is cut", Op::Sqrt, truncated_lo),
        ("lo is cut", Op::From(Kind::Limb(Width::F64)), truncated_lo),
        ("infinities are NaN", Op::Add, without_infinity),
        ("infinities are NaN", Op::Div, without_infinity),
        ("-0 is +0", Op::Mul, without_signed_zero),
        ("subnormals are flushed", Op::Mul, without_subnormals),
        ("limbs are compared", Op::Eq, lexicographic),
        ("integers are off by one", to_i32, off_by_one),
    ];
    for (name, op, fault) in faults {
        assert!(fails(&Faulty { op, fault }, op), "{name} in {op} was not noticed");
    }
}

#[test]
fn the_special_value_table_notices_faults() {
    for (op, fault) in [(Op::Add, without_infinity as Fault), (Op::Mul, without_signed_zero)] {
        let rows = special_table(&Faulty { op, fault }, Type::Pair(Width::F32, Level::High)).unwrap();
        let row = rows.iter().find(|r| r.op == op.to_string()).unwrap();
        assert!(!row.holds() && row.first.is_some() && row.right.is_some(), "{row:?}");
    }
}
