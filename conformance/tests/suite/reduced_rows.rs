//! Rows of reduced formats: their bounds hold and are reached, and a wrong result fails its row.

use crate::common::{Changed, measured, plan, text, vernier, with_input};
use vernier_conformance::case::{Op, Type, Value, Width, operations};
use vernier_conformance::report::Results;
use vernier_conformance::subject::{Host, Subject};
use vernier_conformance::table::{Row, Shard, Verdict, reduced_formats, special_operations, special_table};

#[test]
fn every_row_holds() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rows.json");
    let mut args: Vec<String> = ["accuracy", "--samples", "4096", "--out", text(&out)].map(String::from).into();
    for f in reduced_formats() {
        args.extend(["--type".into(), f.to_string()]);
    }
    vernier(&args.iter().map(String::as_str).collect::<Vec<_>>()).succeeded();
    let results: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
    let rows = results["table"].as_array().unwrap();
    assert!(rows.len() > 140 && rows.iter().all(|row| row["verdict"] == "holds"), "{}", rows.len());
    assert!(rows.iter().all(|row| row["mismatches_claimed"] == true && row["mismatches"] == 0));
    let sampled = |ty: &str, op: &str| {
        let row = rows.iter().find(|r| r["type"] == format!("fp64_custom<{ty}>") && r["op"] == op);
        row.and_then(|r| r["sampled"]["error"].as_f64()).unwrap_or_else(|| panic!("{ty} {op}"))
    };
    for ty in ["5,10;ieee", "8,7;ieee", "8,10;ieee", "4,3;ieee,fn", "8,23", "5,10"] {
        assert!((0.45..=0.5).contains(&sampled(ty, "mul")), "{ty}: {}", sampled(ty, "mul"));
    }
    // A double that is rounded again is off by more.
    assert!((0.6..=0.625).contains(&sampled("10,50", "mul")), "{}", sampled("10,50", "mul"));
    for mode in ["rz", "ru", "rd", "sr"] {
        let error = sampled(&format!("5,10;ieee,{mode}"), "div");
        assert!((0.9..=1.0).contains(&error), "{mode}: {error}");
    }
    assert_eq!(sampled("8,23", "neg"), 0.0);
    let level = |ty: &str| rows.iter().find(|r| r["type"] == format!("fp64_custom<{ty}>")).unwrap()["level"].clone();
    assert_eq!(
        (level("5,10;ieee"), level("2,1;ieee,finite"), level("5,10")),
        ("fp16".into(), "fp4_e2m1".into(), "-".into())
    );
}

#[test]
fn every_operation_of_reduced_formats_has_a_row() {
    let rows = Row::all();
    let of = |op: Op| rows.iter().any(|r| r.op == op && r.types().iter().all(|ty| ty.is_custom()));
    for op in operations(Type::Custom(reduced_formats().next().unwrap())).map(|o| o.op) {
        assert!(of(op), "{op}");
    }
}

#[test]
fn special_values_are_as_defined() {
    for ty in reduced_formats().map(Type::Custom) {
        let rows = special_table(&Host, ty).unwrap();
        assert_eq!(rows.len(), special_operations(ty).count());
        for row in rows {
            assert!(row.holds() && row.claimed && row.cases >= 13, "{row:?}");
        }
    }
}

/// Results of one format that are those of another, or off by one in the last place.
fn wrong(of: Type, other: Option<Type>) -> impl Subject {
    Changed(move |ty, op, args: &[Value], right| match (ty, other, right) {
        (Type::Custom(_), Some(other), _) if ty == of => Host.eval(other, op, args),
        (Type::Custom(f), None, Value::Limb(Width::F64, bits)) if ty == of && f64::from_bits(bits).is_normal() => {
            Ok(Value::Limb(Width::F64, bits ^ 1 << (52 - f.mantissa())))
        }
        _ => Ok(right),
    })
}

fn results(subject: &dyn Subject, ty: Type, op: Op) -> Results {
    let rows: Vec<Row> = Row::all().into_iter().filter(|r| r.op == op && r.ty(0) == ty).collect();
    measured(subject, plan(rows, [1 << 14, 1, 1]), Shard::WHOLE)
}

#[test]
fn wrong_formats_and_wrong_bits_fail_their_rows() {
    let ty = |options: &str| Type::Custom(format!("fp64_custom<{options}>").parse().unwrap());
    let pairs = [
        ("5,10;ieee", Some("5,10;ieee,na")),
        ("5,10;ieee", Some("5,10")),
        ("5,10;ieee,rz", Some("5,10;ieee,rd")),
        ("5,10;ieee,rd", Some("5,10;ieee,ru")),
        ("5,10", Some("5,10;after")),
        ("4,3;ieee,fn", Some("4,3;ieee")),
        ("10,50", Some("10,50;single")),
        ("8,23", None),
        ("5,10;ieee,na", None),
    ];
    for (of, other) in pairs {
        let wrong = wrong(ty(of), other.map(ty));
        // Where the range is tested shows in numbers that round up to its end.
        let ops = if other == Some("5,10;after") { [Op::Reduce].as_slice() } else { &[Op::Add, Op::Mul] };
        for &op in ops {
            let [line] = &results(&wrong, ty(of), op).table[..] else { panic!("{of} has one row of {op}") };
            assert_eq!(line.verdict, Verdict::Fails, "{of} {op} as {other:?}");
            assert!(line.mismatches > 0 && line.mismatch_case.is_some(), "{of} {op}");
            let [line] = &results(&Host, ty(of), op).table[..] else { panic!("{of} has one row of {op}") };
            assert_eq!(line.verdict, Verdict::Holds, "{of} {op}");
        }
    }
}

#[test]
fn eval_prints_errors_in_ulp_of_the_format() {
    let exact = |line: &str| with_input(&["eval", "--exact"], line.as_bytes()).out;
    // 1 + 2^-11 is a tie of 11 digits; of 24 digits it is exact.
    let half = exact("fp64_custom<5,10;ieee> add 3ff0000000000000 3f40000000000000\n");
    assert!(half.contains("= 3ff0000000000000  # exact 1.0004882812500") && half.contains(", ulp 0.500000"), "{half}");
    let single = exact("fp64_custom<8,23;ieee> add 3ff0000000000000 3f40000000000000\n");
    assert!(single.contains("= 3ff0020000000000  # exact 1.0004882812500") && single.contains(", ulp 0\n"), "{single}");
    // Operands are taken into the format first: 1 + 2^-12 is 1.
    let reduced = exact("fp64_custom<5,10> mul 3ff0010000000000 3ff0010000000000\n");
    assert!(reduced.contains("exact 1.00000000000000000000") && reduced.contains(", ulp 0\n"), "{reduced}");
    // Beyond the range there is no error to tell.
    let over = exact("fp64_custom<4,3;ieee,fn> mul 4070000000000000 4070000000000000\n");
    assert!(over.contains("= nan") && !over.contains("ulp"), "{over}");
}
