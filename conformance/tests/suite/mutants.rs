//! What gates are worth: the mutation score of the contracts, its control, and mutants of results for the gate of the tables.

use crate::common::{Changed, fixture, measured, plan, program, vernier};
use crate::conform::{has, request};
use std::collections::BTreeMap;
use std::fs;
use vernier_conformance::case::{Level, Op, Type, Value, Width, parse_line};
use vernier_conformance::contract::{Outcome, Planted, Report, Request, Score, mutants, run, search};
use vernier_conformance::report::Results;
use vernier_conformance::subject::{Host, Subject, columns};
use vernier_conformance::table::{Row, Shard, Verdict, special_table};
use vernier_gpu::device::{Api, Device};
use vernier_gpu::kernel::Mutated;
use vernier_tape::cases::arguments;
use vernier_tape::kill::{Fate, fates};
use vernier_tape::mutants::Mutant;
use vernier_tape::registry::{Function, find};

/// The scores of all functions in the interpreter.
fn scores(planted: Planted) -> BTreeMap<String, Outcome> {
    let request = Request { cases: Some(1 << 8), seed: mutants::SEED, mutants: planted, ..request("") };
    let outcomes = run(&request).unwrap().outcomes.into_iter().filter(|o| o.contract == "host = tape");
    outcomes.map(|o| (o.function.clone(), o)).collect()
}

/// No score falls. `VERNIER_RENEW=1` writes the scores that are reached as floors, rounded down a little.
#[test]
fn scores_are_not_below_their_floors() {
    let some = scores(Planted::OneInFour);
    let score = |outcome: &Outcome| outcome.mutants.as_ref().unwrap().score();
    let file = fixture("mutation_floors.tsv");
    if std::env::var_os("VERNIER_RENEW").is_some() {
        let all = scores(Planted::All);
        let both = all.iter().map(|(name, outcome)| (name.as_str(), score(outcome), score(&some[name])));
        return fs::write(&file, mutants::floors(both)).unwrap();
    }
    let how = "VERNIER_RENEW=1 cargo test -p vernier-conformance --test suite scores_are writes fixtures/mutation_floors.tsv anew";
    let below: Vec<String> = some.values().filter(|o| !o.holds()).map(Outcome::to_string).collect();
    assert!(below.is_empty(), "{}\n{how}", below.join("\n"));
    let lines = fs::read_to_string(file).unwrap();
    let gone = lines.lines().skip(1).find(|line| !some.contains_key(line.split('\t').next().unwrap()));
    assert_eq!(gone, None, "no such function; {how}");
}

#[test]
fn a_score_below_its_floor_does_not_hold() {
    let score = Score { planted: 10, killed: 6, not_infected: 2, survivors: Vec::new(), floor: Some(0.75) };
    assert!(score.survived() == 2 && score.score() == 0.75 && score.holds());
    assert!(!Score { killed: 5, ..score.clone() }.holds());
    assert!(!Score { floor: Some(0.76), ..score.clone() }.holds() && Score { floor: None, ..score }.holds());
}

#[test]
fn survivors_are_named_where_they_are_asked_for() {
    let args = ["conform", "--device", "host", "--filter", "fp32mp2_mid_add", "--cases", "16", "--mutants"];
    let said = vernier(&args);
    assert!(
        said.code == Some(0) && said.out.contains(" survived: score ") && !said.out.contains("usual:"),
        "{}",
        said.out
    );
    let said = program().args(args).args(["--survivors", "--json"]).output().unwrap();
    let report: Report = serde_json::from_slice(&said.stdout).unwrap();
    let score = report.outcomes.iter().find_map(|o| o.mutants.as_ref()).unwrap();
    assert!(score.survived() > 0 && score.survivors.len() == score.survived(), "{score:?}");
    assert!(score.survivors.iter().all(|mutant| mutant.starts_with("usual: ")), "{score:?}");
}

fn function(family: &str, op: &str, level: &str) -> &'static Function {
    find(family, op, level).unwrap()
}

/// On a device as in the interpreter; and where the unchanged function is wrong there is no score but a case line.
#[test]
fn the_control_on_a_device() {
    if !has(Api::OpenCl) {
        return;
    }
    let device = Device::open(Api::OpenCl, 0).unwrap();
    let f = function("fp32mp2", "mul", "mid");
    let sound = Mutated::compile(&device, f).unwrap();
    let score = mutants::on_device(&sound, 1, true).unwrap().unwrap();
    assert!(score.planted > 20 && score.survivors.len() == score.survived(), "{score:?}");
    assert!(score.score() > 0.8, "{score:?}");
    // The first product of the text becomes a sum, whatever the mutant.
    let wrong = |text: String| {
        let (before, body) = text.split_at(text.find("fp32mp2_mid_mul(").unwrap());
        let is_product =
            |line: &&str| line.contains("const float v") && line.rsplit(" : ").next().unwrap().contains(" * ");
        let line = body.lines().find(is_product).unwrap();
        let (start, end) = line.rsplit_once(" * ").unwrap();
        format!("{before}{}", body.replacen(line, &format!("{start} + {end}"), 1))
    };
    let mutated = Mutated::compile_edited(&device, f, wrong).unwrap();
    // Nearly every mutant differs from the host, which says nothing of the cases.
    let kills = mutated.kill(1, 0..1).unwrap();
    assert!(kills.survivors().count() <= 2 && kills.control == Some(0));
    let line = mutants::on_device(&mutated, 1, false).unwrap().unwrap_err();
    let case = parse_line(line.as_bytes()).unwrap().unwrap();
    assert!(Host.eval(case.ty, case.op, &case.args).unwrap().same(case.results[0]), "{line}");
    assert!(line.contains("opencl gives"), "{line}");
}

#[test]
fn a_search_kills_what_few_cases_do_not() {
    let f = function("fp32mp2", "add", "high");
    let columns = |rows: &[Vec<u64>]| columns(f, rows);
    let few: Vec<Vec<u64>> = (0..256).map(|i| arguments(&f.params, 1, i)).collect();
    let all = vernier_tape::mutants::mutants(&f.tape, &f.params);
    let fates_of = fates(&f.tape, &all, &columns(&few));
    let open = all.into_iter().zip(fates_of).filter(|(_, fate)| fate.killed_by().is_none());
    let open: Vec<Mutant> = open.map(|(mutant, _)| mutant).collect();
    let found = search::search(f, &open, 1, 40);
    assert!(found.iter().flatten().count() > 60, "{} of {}", found.iter().flatten().count(), open.len());
    for (mutant, case) in open.iter().zip(found).filter_map(|(mutant, case)| Some((mutant, case?))) {
        assert_eq!(fates(&f.tape, std::slice::from_ref(mutant), &columns(&[case])), [Fate::Killed(0)], "{mutant}");
    }
}

/// What a mutation makes of arguments and the right result.
type Mutation = fn(&[Value], Value) -> Value;

/// The host with one operation changed at its result.
fn wrong(op: Op, mutation: Mutation) -> impl Subject {
    Changed(move |_, changed, args: &[Value], right| Ok(if changed == op { mutation(args, right) } else { right }))
}

fn results(subject: &dyn Subject, op: Op) -> Results {
    let rows = Row::all().into_iter().filter(|r| r.op == op && r.type_name() == "fp32mp2" && r.covers(Level::High));
    measured(subject, plan(rows, [20_000, 1, 20_000]), Shard::WHOLE)
}

fn fails(subject: &dyn Subject, op: Op) -> bool {
    results(subject, op).table.iter().all(|l| l.verdict == Verdict::Fails)
}

/// A pair with other limbs, given as bits of float.
fn limbs(r: Value, change: impl Fn(f32, u64, u64) -> (u64, u64)) -> Value {
    let Value::Pair(w, hi, lo) = r else { return r };
    let (hi, lo) = change(f32::from_bits(hi as u32), hi, lo);
    Value::Pair(w, hi, lo)
}

fn without_lo(_: &[Value], r: Value) -> Value {
    limbs(r, |_, hi, _| (hi, 0))
}

/// lo with its last four bits cut.
fn truncated_lo(_: &[Value], r: Value) -> Value {
    limbs(r, |_, hi, lo| (hi, lo & !15))
}

fn without_infinity(_: &[Value], r: Value) -> Value {
    limbs(r, |x, hi, lo| if x.is_infinite() { (f32::NAN.to_bits().into(), 0) } else { (hi, lo) })
}

fn without_signed_zero(_: &[Value], r: Value) -> Value {
    limbs(r, |x, hi, lo| if x == 0.0 { (0, lo) } else { (hi, lo) })
}

fn without_subnormals(_: &[Value], r: Value) -> Value {
    limbs(r, |x, hi, lo| if x.abs() < f32::MIN_POSITIVE { (hi & 1 << 31, 0) } else { (hi, lo) })
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
fn the_tables_hold_without_a_mutation() {
    for op in [Op::Add, Op::Mul, Op::Sqrt, Op::Eq] {
        assert!(results(&Host, op).hold(), "{op}");
    }
}

#[test]
fn every_mutation_fails_in_the_tables() {
    use vernier_conformance::case::{Int, Kind};
    let to_i32 = Op::To(Kind::Int(Int { bits: 32, signed: true }));
    let mutations: [(&str, Op, Mutation); 14] = [
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
    for (name, op, mutation) in mutations {
        assert!(fails(&wrong(op, mutation), op), "{name} in {op} was not killed");
    }
}

#[test]
fn the_special_value_table_kills_mutations() {
    for (op, mutation) in [(Op::Add, without_infinity as Mutation), (Op::Mul, without_signed_zero)] {
        let rows = special_table(&wrong(op, mutation), Type::Pair(Width::F32, Level::High)).unwrap();
        let row = rows.iter().find(|r| r.op == op.to_string()).unwrap();
        assert!(!row.holds() && row.first.is_some() && row.expected.is_some(), "{row:?}");
    }
}
